"""Parses values, types, attributes and annotations."""

from __future__ import annotations

from turnwise.authoring.dygram.cursor import Cursor, SyntaxFault
from turnwise.authoring.dygram.mistakes import no_name
from turnwise.authoring.dygram.scanner import Token, unescaped
from turnwise.authoring.dygram.syntax import (
    Annotation,
    Array,
    Attribute,
    Attributes,
    Name,
    Parameter,
    Scalar,
    TypeName,
    Value,
)
from turnwise.authoring.source import shown_text, whole_characters

_VALUE = "a value: a text in quotes, a number, a word, '[' or '{'"
_LONGEST_NUMBER = 300
_EMPTY = ('""', "''")


def scalar_at(cursor: Cursor) -> Scalar | None:
    """Return the single value at the present token, which may be a signed number; `None` if there is none."""
    token = cursor.token
    match token.kind:
        case "string":
            cursor.next()
            if token.text in _EMPTY and (cursor.token.kind, cursor.token.at) == ("string", token.end):
                return _tripled(cursor, token)
            return Scalar("string", whole_characters(unescaped(token.text)), token.at, token.end, token.text)
        case "name":
            cursor.next()
            return Scalar("word", token.text, token.at, token.end, token.text)
        case "number":
            cursor.next()
            return _number(cursor, token, token.text)
        case "external":
            cursor.next()
            return Scalar("external", token.text, token.at, token.end, token.text)
        case "label" if token.text == "-" and cursor.peek().kind == "number":
            cursor.next()
            return _number(cursor, token, f"-{cursor.next().text}")
        case _:
            return None


def _tripled(cursor: Cursor, token: Token) -> Scalar:
    """Report a text between three quotes on each side, and go past it; return the text."""
    text = cursor.next()
    while (cursor.token.kind, cursor.token.at) == ("string", cursor.previous.end):
        cursor.next()
    hint = "write one quote on each side: a text may have several lines"
    cursor.report("TW130", "three quotes begin no text", token.at, hint)
    return Scalar("string", whole_characters(unescaped(text.text)), token.at, cursor.previous.end, text.text)


def _number(cursor: Cursor, token: Token, text: str) -> Scalar:
    end = cursor.previous.end
    value = float("inf") if len(text) > _LONGEST_NUMBER else float(text) if set(text) & set(".eE") else int(text)
    if value in (float("inf"), float("-inf")):
        cursor.report("TW130", f"the number {shown_text(text, 20)} is too large", token.at)
        value = 0
    return Scalar("number", value, token.at, end, text)


def qualified_name(cursor: Cursor, what: str) -> Name:
    """Return the qualified name at the present token. Raises `SyntaxFault` if there is none; `what` says in its message
    what is expected.
    """
    token = cursor.token
    if token.kind != "name":
        raise cursor.fault(what, no_name(token, cursor.peek()))
    cursor.next()
    text = token.text
    while cursor.is_mark("."):
        if cursor.peek().kind != "name":
            cursor.next()
            path = shown_text(f"{text}.{cursor.token.text}")
            hint = f'put a key into quotes: "{path}"' if cursor.token.kind == "keyword" else ""
            raise cursor.fault(f"a name after '{shown_text(text)}.'", hint)
        cursor.next()
        text += f".{cursor.next().text}"
    return Name(text, token.at, cursor.previous.end)


def value_at(cursor: Cursor) -> Value:
    """Return the value at the present token. Raises `SyntaxFault` if there is none."""
    cursor.count_part()
    if cursor.is_mark("["):
        return _array(cursor)
    if cursor.is_mark("{"):
        return attributes_at(cursor)
    found = scalar_at(cursor)
    if found is None:
        raise cursor.fault(_VALUE)
    if cursor.is_mark(".") and found.kind == "word":
        raise cursor.fault(f"the end of the value '{found.value}'", "a value with a dot needs quotes")
    return found


def _array(cursor: Cursor) -> Array:
    opening = cursor.next()
    items: list[Value] = []
    cursor.enter()
    while not cursor.is_mark("]"):
        items.append(value_at(cursor))
        if cursor.is_mark("]"):
            break
        cursor.expect(",", f"or ']' after an item of the list that begins in line {cursor.span(opening.at).line}")
    cursor.leave()
    cursor.next()
    return Array(tuple(items), opening.at, cursor.previous.end)


def attributes_at(cursor: Cursor) -> Attributes:
    """Return the attributes in the braces that begin at the present token."""
    opening = cursor.next()
    cursor.enter()
    is_inline = not cursor.is_on_new_line(cursor.token, opening)
    items: list[Attribute] = []
    while not cursor.is_mark("}"):
        if cursor.token.kind == "end":
            raise unclosed(cursor, opening)
        begin = cursor.at
        try:
            items.append(attribute_at(cursor, is_in_object=True))
        except SyntaxFault:
            cursor.recover(begin)
    comments = cursor.comments_before(cursor.token.at)
    cursor.next()
    cursor.leave()
    return Attributes(tuple(items), opening.at, cursor.previous.end, comments, is_inline and bool(items))


def unclosed(cursor: Cursor, opening: Token) -> SyntaxFault:
    """Report a brace that is not closed before the document ends; return the exception to raise."""
    cursor.report("TW132", "the '{' that stands here is not closed", opening.at, "close it with '}'")
    return SyntaxFault()


def attribute_at(cursor: Cursor, *, is_in_object: bool = False) -> Attribute:
    """Return the attribute at the present token, with its comments; a `,` may end it, too. With `is_in_object` it is
    part of an object, not of a node.
    """
    cursor.count_part()
    layout = cursor.begin_layout()
    name = _key(cursor, is_in_object=is_in_object)
    type_ = type_at(cursor) if cursor.is_mark("<") else None
    value = value_at(cursor) if cursor.skip(":") else None
    if isinstance(value, Scalar) and value.kind == "word":
        value = _with_words_behind(cursor, value)
    if not cursor.skip(","):
        end_statement(cursor)
    return Attribute(name, type_, value, cursor.end_layout(layout))


def _with_words_behind(cursor: Cursor, first: Scalar) -> Scalar:
    """Return a value with the words that stand behind it in its line, up to what ends the attribute; report them."""
    ahead, last = 0, first.end
    while cursor.peek(ahead).kind == "name" and cursor.source.text.find("\n", last, cursor.peek(ahead).at) < 0:
        last = cursor.peek(ahead).end
        ahead += 1
    after = cursor.peek(ahead)
    is_ended = after.kind == "end" or (after.kind == "mark" and after.text in (";", ",", "}"))
    if not ahead or not (is_ended or cursor.source.text.find("\n", last, after.at) >= 0):
        return first
    for _ in range(ahead):
        cursor.next()
    text = cursor.source.text[first.at : last]
    message = f"the value '{shown_text(text)}' has several words and no quotes"
    cursor.report("TW133", message, first.at, f'write "{shown_text(text)}"')
    return Scalar("string", text, first.at, last)


def _key(cursor: Cursor, *, is_in_object: bool) -> Name:
    """Return the name of an attribute: a name, of a field also with its record, or any text in quotes. In an object it
    may have hyphens, for no edge begins there.
    """
    token = cursor.token
    if token.kind == "string" and cursor.peek().text in (":", "<"):
        cursor.next()
        return Name(whole_characters(unescaped(token.text)), token.at, token.end)
    name = qualified_name(cursor, "an attribute, 'name: value',")
    if is_in_object and "." not in name.text:
        return _hyphenated(cursor, name)
    if "." in name.text and not cursor.is_mark(":"):
        raise cursor.fault(f"':' and the value of '{shown_text(name.text)}'")
    return name


def _hyphenated(cursor: Cursor, name: Name) -> Name:
    """Return a name with the words that hyphens join to it, without blanks."""
    text, end = name.text, name.end
    while (cursor.token.text, cursor.token.at) == ("-", end) and (cursor.peek().kind, cursor.peek().at) == (
        "name",
        end + 1,
    ):
        cursor.next()
        word = cursor.next()
        text, end = f"{text}-{word.text}", word.end
    return Name(text, name.at, end)


def end_statement(cursor: Cursor) -> None:
    """Move past the `;` that may end a statement; more than one are allowed."""
    if cursor.skip(";"):
        while cursor.is_mark(";"):
            cursor.report("TW130", "a ';' ends nothing here", cursor.token.at, "leave it out")
            cursor.next()


def type_at(cursor: Cursor) -> TypeName:
    """Return the type in the angle brackets that begin at the present token."""
    cursor.next()
    found = _type(cursor)
    cursor.expect(">", "after the type")
    return found


def _type(cursor: Cursor) -> TypeName:
    begin = cursor.token
    if begin.kind == "string":
        return _union(cursor)
    cursor.enter()
    cursor.count_part()
    name = qualified_name(cursor, "a type, such as string or 'a' | 'b',")
    of: list[TypeName] = []
    if cursor.skip("<"):
        of.append(_type(cursor))
        while cursor.skip(","):
            of.append(_type(cursor))
        cursor.expect(">", f"after the types of {shown_text(name.text)}")
    is_optional = cursor.skip("?")
    cursor.leave()
    return TypeName(name.text, tuple(of), is_optional, (), begin.at, cursor.previous.end)


def _union(cursor: Cursor) -> TypeName:
    begin = cursor.token.at
    found = [scalar_at(cursor)]
    while cursor.skip("|"):
        if cursor.token.kind != "string":
            raise cursor.fault("a text in quotes after '|'")
        found.append(scalar_at(cursor))
    strings = tuple([one for one in found if one is not None])
    return TypeName("", (), False, strings, begin, cursor.previous.end)  # noqa: FBT003  it is not optional


def annotations_at(cursor: Cursor) -> tuple[Annotation, ...]:
    """Return the annotations that begin at the present token."""
    found: list[Annotation] = []
    while cursor.is_mark("@"):
        found.append(annotation_at(cursor))
    return tuple(found)


def annotation_at(cursor: Cursor) -> Annotation:
    """Return the annotation that begins at the present token."""
    at = cursor.next().at
    token = cursor.token
    if token.kind not in ("name", "keyword"):
        raise cursor.fault("the name of an annotation after '@'")
    cursor.next()
    name = Name(token.text, at, token.end)
    if not cursor.is_mark("("):
        return Annotation(name)
    cursor.next()
    begin = cursor.token.at
    found = _arguments(cursor, name)
    if not cursor.is_mark(")"):
        return _unreadable_arguments(cursor, name, begin)
    cursor.next()
    return found


def _unreadable_arguments(cursor: Cursor, name: Name, begin: int) -> Annotation:
    """Report what an annotation is given and cannot be read, and go past it; return the annotation alone."""
    token, ahead = cursor.token, 0
    while not (cursor.peek(ahead).kind == "mark" and cursor.peek(ahead).text in (")", "{", "}")):
        if cursor.peek(ahead).kind == "end" or cursor.is_on_new_line(cursor.peek(ahead), cursor.previous):
            break
        ahead += 1
    end = cursor.peek(ahead)
    written = shown_text(cursor.source.text[begin : end.at])
    is_named = token.text == "=" and cursor.previous.kind == "name"
    hint = f"write '{cursor.previous.text}: …'" if is_named else ""
    if not hint and end.text == ")" and '"' not in written:
        hint = f'what is no name and no number needs quotes: @{shown_text(name.text)}("{written}")'
    fault = cursor.fault(f"')' after what @{shown_text(name.text)} is given", hint)
    if end.text != ")":
        raise fault
    for _ in range(ahead + 1):
        cursor.next()
    return Annotation(name)


def _arguments(cursor: Cursor, name: Name) -> Annotation:
    """Return an annotation with its value, or with its parameters."""
    after = cursor.peek()
    is_hyphen = (after.text, after.at) == ("-", cursor.token.end)
    if cursor.token.kind == "name" and not is_hyphen and not (after.kind == "mark" and after.text in (":", ";")):
        path = qualified_name(cursor, "a name")
        return Annotation(name, Scalar("word", path.text, path.at, path.end, path.text))
    if cursor.token.kind != "name":
        value = scalar_at(cursor)
        if value is None:
            raise cursor.fault(f"what @{shown_text(name.text)} is given: a text in quotes, a number, or 'name: value'")
        return Annotation(name, value)
    parameters: list[Parameter] = []
    while cursor.token.kind == "name":
        token = cursor.next()
        key, value = _hyphenated(cursor, Name(token.text, token.at, token.end)), None
        if cursor.skip(":"):
            value = scalar_at(cursor)
            if value is None:
                raise cursor.fault(f"the value of '{shown_text(key.text)}'")
        parameters.append(Parameter(key, value))
        if not cursor.skip(";"):
            break
    return Annotation(name, None, tuple(parameters))
