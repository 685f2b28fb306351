"""Writes documents in the canonical layout of their format, and changes nothing else: order and comments stay."""

from __future__ import annotations

import json
from collections.abc import Iterator

from turnwise.authoring.compose import compose_fully
from turnwise.authoring.formats import Format, compose, format_of
from turnwise.flow.diagnostic import Diagnostic, Span, has_errors, problem
from turnwise.flow.located import Items, Located, Pairs, Scalar

Canonical = str | list[Diagnostic]
"""The text in its canonical layout, or why it has none."""


def canonical_text(text: str, file: str) -> Canonical:
    """Return a document in the canonical layout of its format, by the ending of `file`; or why it has none."""
    form = format_of(file)
    if form is None or form.run is not None:
        what = "code is formatted by the tools of its language" if form is not None else "its ending names no format"
        return [problem("TW140", f"the file cannot be formatted: {what}", Span(file))]
    if form.compile is not None:
        return _dygram(text, file)
    return _written(form, text, file)


def _dygram(text: str, file: str) -> Canonical:
    from turnwise.authoring.dygram.formatter import format_document
    from turnwise.authoring.dygram.statements import parse

    parsed = parse(text, file)
    if has_errors(parsed.diagnostics):
        return [one for one in parsed.diagnostics if one.severity == "error"]
    return format_document(parsed.document)


def _written(form: Format, text: str, file: str) -> Canonical:
    """Return a document of YAML or JSON, all of it in its order."""
    is_json = form.name == "json"
    tree = compose(text, file) if is_json else compose_fully(text, file)
    if isinstance(tree, Diagnostic):
        return [tree]
    if is_json:
        return "".join(_json(tree, "\n")) + "\n"
    from turnwise.authoring.yaml_layout import lay_out

    text = text.removeprefix("\ufeff")
    written, comments = lay_out(text)
    again = compose(written, file)
    if isinstance(again, Diagnostic) or not _same(tree, again):
        return [problem("TW140", "this document has no canonical layout that says the same", Span(file), _PLAINER)]
    settled, kept = lay_out(written)
    if sorted(one.text for one in comments) != sorted(one.text for one in kept):
        return [problem("TW140", "a comment of this document has no place in the canonical layout", Span(file))]
    return settled


_PLAINER = "write unusual keys and texts more plainly"


def _same(one: Located, other: Located) -> bool:
    """Return whether two trees hold the same: keys in their order, values, and how numbers are written."""
    match one, other:
        case Scalar(), Scalar():
            is_text = isinstance(one.value, str)
            is_alike = one.value == other.value and type(one.value) is type(other.value)
            return is_alike and (is_text or one.value is None or one.text == other.text)
        case Items(), Items():
            return len(one.items) == len(other.items) and all(map(_same, one.items, other.items))
        case Pairs(), Pairs():
            pairs = zip(one.pairs, other.pairs, strict=False)
            is_alike = all(key.text == found.text and _same(value, got) for (key, value), (found, got) in pairs)
            return len(one.pairs) == len(other.pairs) and is_alike
        case _:
            return False


def _json(tree: Located, line: str) -> Iterator[str]:
    """Yield the pieces of a JSON document; `line` begins the lines of the collection in which the tree stands."""
    match tree:
        case Scalar(value=str(value)):
            yield json.dumps(value, ensure_ascii=False)
        case Scalar(value=value):
            yield json.dumps(value) if value is None or isinstance(value, bool) else tree.text
        case Items(items=items):
            yield from _json_list([[*_json(one, f"{line}  ")] for one in items], "[]", line)
        case Pairs(pairs=pairs):
            inside = [[json.dumps(key.text, ensure_ascii=False), ": ", *_json(one, f"{line}  ")] for key, one in pairs]
            yield from _json_list(inside, "{}", line)


def _json_list(members: list[list[str]], braces: str, line: str) -> Iterator[str]:
    """Yield the members of a collection, each in lines of its own."""
    yield braces[0]
    for number, one in enumerate(members):
        yield f",{line}  " if number else f"{line}  "
        yield from one
    yield f"{line}{braces[1]}" if members else braces[1]
