"""Parses edges: arrows, their labels and multiplicities, and what they lead to."""

from __future__ import annotations

from turnwise.authoring.dygram.cursor import Cursor, SyntaxFault
from turnwise.authoring.dygram.mistakes import no_arrow
from turnwise.authoring.dygram.scanner import Token
from turnwise.authoring.dygram.syntax import LabelPart, Name, Scalar, Segment, Setting
from turnwise.authoring.dygram.values import annotation_at, qualified_name, scalar_at
from turnwise.authoring.source import shown_text

CLOSINGS = {"-": "->", "--": "-->", "=": "=>"}
"""The arrow that ends a label, by what begins it."""
_GUARDS = ("when", "if", "unless")
_ENDS_GUARD = ("{", "}", ";")
_SIGNS = ("<", ">", ".", "|")


def is_arrow(cursor: Cursor, ahead: int = 0) -> bool:
    """Return whether an arrow, or a common misspelling of one, begins `ahead` tokens after the present one."""
    token = cursor.peek(ahead)
    if token.kind in ("arrow", "label"):
        return True
    after = cursor.peek(ahead + 1)
    return token.kind == "mark" and token.text == "<" and after.kind in ("label", "arrow") and after.at == token.end


def names_at(cursor: Cursor, what: str) -> tuple[Name, ...]:
    """Return the names, with commas between them, that begin at the present token; `what` says in a message what is
    expected there.
    """
    found = [qualified_name(cursor, what)]
    while cursor.skip(","):
        found.append(qualified_name(cursor, "the name of another node after ','"))
    return tuple(found)


def segments_at(cursor: Cursor) -> tuple[Segment, ...]:
    """Return the arrows, each with its targets, that begin at the present token."""
    found: list[Segment] = []
    while is_arrow(cursor) or (cursor.token.kind == "string" and is_arrow(cursor, 1)):
        found.append(_segment(cursor))
    return tuple(found)


def _segment(cursor: Cursor) -> Segment:
    cursor.count_part()
    source = scalar_at(cursor) if cursor.token.kind == "string" else None
    begin = cursor.token
    signs = _signs(cursor)
    if begin.kind == "arrow" and signs == begin.text:
        arrow, label = cursor.next().text, ()
    elif begin.kind == "label" and (signs == begin.text or _is_negative(cursor)):
        arrow, label = CLOSINGS[begin.text], _labelled(cursor, cursor.next())
    else:
        arrow, label = _mistaken(cursor, signs), ()
    target = scalar_at(cursor) if cursor.token.kind == "string" else None
    targets = names_at(cursor, f"the node that '{arrow}' leads to")
    return Segment(arrow, targets, label, source, target, begin.at)


def _is_negative(cursor: Cursor) -> bool:
    """Return whether a label begins here with a negative number."""
    return cursor.peek().text == "-" and cursor.peek(2).kind == "number"


def _signs(cursor: Cursor) -> str:
    """Return the signs of an arrow that stand here without a blank between them."""
    found, ahead = cursor.token.text, 1
    end = cursor.token.end
    token = cursor.peek(ahead)
    while token.at == end and (token.kind in ("arrow", "label") or (token.kind == "mark" and token.text in _SIGNS)):
        found, end, ahead = found + token.text, token.end, ahead + 1
        token = cursor.peek(ahead)
    return found


def _mistaken(cursor: Cursor, signs: str) -> str:
    """Report signs that are no arrow, and go past them; return the arrow that stands for them."""
    at = cursor.token.at
    end = at + len(signs)
    while cursor.token.end <= end and cursor.token.kind != "end":
        cursor.next()
    if signs.endswith("|"):
        return _between_bars(cursor, signs.rstrip("|"), at)
    if signs == "==>":
        cursor.report("TW133", "'==>' is read as '=>'", at, "write '=>'")
        return "=>"
    found = no_arrow(signs)
    cursor.report(found.code, found.message, at, found.hint)
    return "->"


def _between_bars(cursor: Cursor, arrow: str, at: int) -> str:
    """Report a label between bars behind an arrow, as in Mermaid, and go past it; return the arrow."""
    begin = cursor.token
    while not cursor.is_mark("|") and cursor.token.kind != "end" and not cursor.is_on_new_line(cursor.token, begin):
        cursor.next()
    label = cursor.source.text[begin.at : cursor.token.at].strip()
    cursor.skip("|")
    opening = {closing: opening for opening, closing in CLOSINGS.items()}.get(arrow, "-")
    hint = f'write {opening}"{shown_text(label)}"{CLOSINGS[opening]}'
    cursor.report("TW131", "a label between '|' stands behind an arrow", at, hint)
    return CLOSINGS[opening]


def skip_label_behind(cursor: Cursor) -> None:
    """Report a label or a guard behind an edge, where it is not allowed, and move past it."""
    begin = cursor.token
    is_guard = begin.kind == "name" and begin.text in _GUARDS and not cursor.is_on_new_line(begin, cursor.previous)
    after = cursor.peek()
    if is_guard and (after.kind in ("arrow", "label") or after.text == "."):
        return  # another edge begins, at a node of this name
    if not is_guard and not cursor.is_mark(":"):
        return
    cursor.next()
    cursor.skip(":")
    first = cursor.token
    while not cursor.is_mark(*_ENDS_GUARD) and cursor.token.kind != "end":
        if cursor.is_on_new_line(cursor.token, cursor.previous):
            break
        cursor.next()
    written = cursor.source.text[first.at : max(cursor.previous.end, first.at)].strip().strip("\"'")
    label = f'{begin.text}: "{shown_text(written)}"' if is_guard else f'"{shown_text(written)}"'
    what = "guard" if is_guard else "label"
    hint = f"a {what} stands inside of the arrow: -{label}->"
    cursor.report("TW135" if is_guard else "TW130", f"a {what} stands behind the end of an edge", begin.at, hint)


def _labelled(cursor: Cursor, opening: Token) -> tuple[LabelPart, ...]:
    """Return the parts of the label that begins behind an opening, and go past the arrow that ends it."""
    parts: list[LabelPart] = []
    closing = CLOSINGS[opening.text]
    while cursor.token.kind != "arrow":
        if parts:
            _skip_separator(cursor)
        part = _part(cursor, opening)
        if part is None:
            raise _no_label(cursor, opening)
        parts.append(part)
        if cursor.peek().kind == "arrow":
            _skip_separator(cursor)
    if not parts:
        cursor.report(
            "TW131", f"no label stands between '{opening.text}' and '{closing}'", opening.at, f"write '{closing}'"
        )
    if cursor.token.text != closing:
        message = f"a label that begins with '{opening.text}' ends with '{cursor.token.text}'"
        cursor.report("TW131", message, cursor.token.at, f"end it with '{closing}'")
    _warn_of_hyphen(cursor, opening, parts)
    cursor.next()
    _warn_of_words(cursor, opening, parts)
    return tuple(parts)


def _no_label(cursor: Cursor, opening: Token) -> SyntaxFault:
    """Report what stands in a label and is no part of one."""
    if opening.text == "-" and cursor.source.text[opening.at - 1].isalnum():
        cursor.report("TW130", "a name has no '-' in it", opening.at, "write '_'")
        return SyntaxFault()
    if opening.text == "=":
        hint = "the value of an attribute stands behind ':'"
        cursor.report("TW130", "this '=' begins the label of an edge, which does not end", opening.at, hint)
        return SyntaxFault()
    hint = "a label with signs needs quotes"
    if cursor.token.kind == "keyword":
        hint = f"'{cursor.token.text}' is a word of the language: put it into quotes"
    elif cursor.is_mark("["):
        hint = 'a guard is written -when: "…"->'
    return cursor.fault(f"'{CLOSINGS[opening.text]}' or a part of a label", hint)


def _warn_of_hyphen(cursor: Cursor, opening: Token, parts: list[LabelPart]) -> None:
    """Warn of `a-b -> c`, which is an edge from `a` with the label `b`."""
    text, label = cursor.source.text, parts[0] if len(parts) == 1 else None
    if not isinstance(label, Scalar) or label.kind != "word" or label.at != opening.end or opening.text != "-":
        return
    if text[opening.at - 1].isalnum() and text[cursor.token.at - 1].isspace():
        message = f"this '-' begins the label '{shown_text(str(label.value))}' of an edge"
        cursor.report("TW133", message, opening.at, "a name has no '-' in it: write '_'")


def _skip_separator(cursor: Cursor) -> None:
    """Go past the `,` or `;` between two parts of a label, or behind the last."""
    if cursor.is_mark(",", ";"):
        cursor.next()


def is_hyphen(cursor: Cursor) -> bool:
    """Return whether the present token is a `-` inside a name (`a-b`) and not the start of an arrow."""
    before, here, after = cursor.previous, cursor.token, cursor.peek()
    is_between = before.end == here.at and here.end == after.at and before.kind == after.kind == "name"
    return here.text == "-" and is_between and cursor.peek(2).kind != "arrow"


def _part(cursor: Cursor, opening: Token) -> LabelPart | None:
    """Return the part of a label that stands here, `None` where none does."""
    if cursor.is_mark("@"):
        return annotation_at(cursor)
    token, after = cursor.token, cursor.peek()
    if token.kind != "name" or not (after.kind == "mark" and after.text == ":"):
        return scalar_at(cursor)
    cursor.next()
    cursor.next()
    name = Name(token.text, token.at, token.end)
    begin = cursor.token
    value = scalar_at(cursor)
    ends = cursor.token.kind == "arrow" or cursor.is_mark(",", ";", "@")
    if value is not None and (ends or not _is_expression(cursor, name)):
        return Setting(name, value)
    if value is None and not _is_expression(cursor, name):
        raise cursor.fault(f"the value of '{shown_text(name.text)}'")
    return Setting(name, _unquoted(cursor, name, begin, opening))


def _is_expression(cursor: Cursor, name: Name) -> bool:
    """Return whether what stands in a label where a value should end belongs to a guard without quotes."""
    token = cursor.token
    if name.text.casefold() in _GUARDS:
        return token.kind in ("unknown", "mark", "label", "number", "string")
    return False


def _unquoted(cursor: Cursor, name: Name, begin: Token, opening: Token) -> Scalar:
    """Report a guard without quotes, and go to the arrow that ends its label; return the guard as it was meant."""
    closing = CLOSINGS[opening.text]
    while cursor.token.kind != "end" and not (cursor.token.kind == "arrow" and cursor.token.text == closing):
        if cursor.is_mark(*_ENDS_GUARD):
            break
        cursor.next()
    text = cursor.source.text[begin.at : cursor.token.at].strip()
    hint = f'write {name.text}: "{shown_text(text)}"' if '"' not in text else f"write {name.text}: '{shown_text(text)}'"
    cursor.report("TW134", f"the guard after '{name.text}:' has no quotes", begin.at, hint)
    return Scalar("string", text, begin.at, cursor.previous.end)


def _warn_of_words(cursor: Cursor, opening: Token, parts: list[LabelPart]) -> None:
    """Warn of a label of several words, of which other readers of the language know only the last."""
    words = [one for one in parts if isinstance(one, Scalar)]
    if len(words) < 2 or any(one.kind == "string" for one in words):
        return
    text = " ".join(str(one.value) for one in words)
    hint = f'write {opening.text}"{shown_text(text)}"{CLOSINGS[opening.text]}'
    cursor.report("TW133", f"the label '{shown_text(text)}' has several words and no quotes", words[0].at, hint)
