"""Renames a name in all documents of a project, or reports why it cannot be renamed.

After the edits every name must mean what it meant before: the changed documents are read again, and compared.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping

from turnwise.authoring.dygram.scanner import KEYWORDS
from turnwise.authoring.source import DYGRAM, whole_characters
from turnwise.editor.index import Index, Occurrence, Symbol
from turnwise.editor.navigation import occurrences
from turnwise.editor.problems import Check
from turnwise.editor.project import Project, Target, index_of_text
from turnwise.editor.text import EditedText, Span
from turnwise.errors import TurnwiseError
from turnwise.flow.diagnostic import Diagnostic
from turnwise.flow.kinds import IDENTIFIER, PATH, TOOL_NAME

_MOST_CHECKED = 10
"""So many documents are checked after a rename."""
Edits = dict[str, list[Span]]
"""The parts of the text that are replaced, by file."""


class RenameRefused(TurnwiseError):
    """A name cannot be renamed; the message has the reason."""


def renamed_at(project: Project, file: str, offset: int) -> Occurrence:
    """Return the name at an offset. Raises `RenameRefused` if it cannot be renamed."""
    found = project.index_of(file).at(offset)
    if found is None:
        raise RenameRefused("there is no name here that can be renamed")
    _target(project, file, found)
    return found


def rename(project: Project, file: str, offset: int, new: str, check: Check | None = None) -> Edits:
    """Return the places at which to write the new name of what is at an offset, by file. Raises `RenameRefused`. With
    `check` the documents after the edits are checked, and what has new problems is refused.
    """
    found = renamed_at(project, file, offset)
    target = _target(project, file, found)
    symbol = project.symbol(target)
    before = project.text_of(file)
    old = before.text[found.place.begin : found.place.end] if before is not None else ""
    if old == new:
        return {}
    edits: Edits = {}
    for other, span, _ in occurrences(project, target):
        text = project.text_of(other)
        if text is not None and text.text[span.begin : span.end] == old:
            edits.setdefault(other, []).append(span)
    _check_name(symbol, new, edits)
    for other, spans in edits.items():
        _check_readable(project, other, old, spans)
        _check_free(project, other, target, new)
    for other, spans in edits.items():
        _check_meaning(project, other, spans, (old, new))
    if check is not None:
        _check_problems(project, edits, (old, new), check)
    return edits


def _target(project: Project, file: str, found: Occurrence) -> Target:
    """Return what is renamed: a name that is given by `as` is one of its own."""
    kind = found.key.partition(":")[0]
    if kind == "import":
        one = next((one for one in project.index_of(file).imports if one.key == found.key), None)
        if one is not None and one.alias is not None:
            return Target(file, found.key)
    target = project.target(file, found.key)
    symbol = project.symbol(target)
    if symbol is None:
        raise RenameRefused("this name is declared in no document of the project")
    if symbol.is_fixed:
        raise RenameRefused(f"'{symbol.simple}' is an argument, and is renamed by hand: code may use it")
    return target


def _check_name(symbol: Symbol | None, new: str, files: Mapping[str, object]) -> None:
    """Raise for a text that is no name in one of the documents."""
    is_dygram = any(file.endswith(DYGRAM) for file in files)
    is_tool = symbol is not None and symbol.kind in ("tool", "server") and not is_dygram
    may_be_path = symbol is not None and symbol.kind in ("node", "record") and not is_dygram
    rule = TOOL_NAME if is_tool else PATH if may_be_path else IDENTIFIER
    if not rule.allows(new):
        raise RenameRefused(f"{new!r} is no name: {rule.hint}")
    if is_dygram and new in KEYWORDS:
        raise RenameRefused(f"'{new}' is a word of DyGram, and cannot be a name")


def _check_readable(project: Project, file: str, old: str, spans: list[Span]) -> None:
    """Raise where the name may stand in a part of a document that cannot be read."""
    index, text = project.index_of(file), project.text_of(file)
    name = os.path.basename(file)  # noqa: PTH119
    word = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)")
    for one in index.unread:
        if word.search(one.words) and text is not None:
            line = text.position(one.place.begin).line + 1
            raise RenameRefused(f"{name}:{line} may name '{old}' in {one.why}: rename it there by hand first")
    known = {one.place.begin for one in index.occurrences} | {one.begin for one in spans}
    for mention in word.finditer(text.text) if index.is_broken and text is not None else ():
        if mention.start() not in known and text is not None:
            line = text.position(mention.start()).line + 1
            raise RenameRefused(f"{name} cannot be read whole, and line {line} may name '{old}': mend its errors first")


def _check_free(project: Project, file: str, target: Target, new: str) -> None:
    """Raise where a document has the new name already."""
    index = project.index_of(file)
    name = os.path.basename(file)  # noqa: PTH119
    if file == target.file:
        symbol = index.symbols.get(target.key)
        taken = _renamed_key(target.key, new, is_whole=symbol is not None and symbol.is_whole)
        flow_name = symbol.flow_name[: -len(symbol.simple)] + new if symbol is not None and symbol.simple else new
        clash = taken in index.symbols or any(
            symbol is not None and symbol.kind != "field" and one.kind == symbol.kind and one.flow_name == flow_name
            for one in index.importable
            if "/" not in target.key
        )
    elif not any(one.alias is None and project.target(file, one.key) == target for one in index.imports):
        return  # it has another name there
    else:
        symbol = project.symbol(target)
        kind = symbol.kind if symbol is not None else ""
        clash = any(one.flow_name == new and one.kind == kind for one in index.importable)
    if clash or (_is_top(target.key) and any(one.key == f"import:{new}" for one in index.imports)):
        raise RenameRefused(f"{name} has the name '{new}' already")


def _is_top(key: str) -> bool:
    return key.startswith("nodes:") or ("." not in key.partition(":")[2] and not key.startswith("field:"))


def _renamed_key(key: str, new: str, *, is_whole: bool) -> str:
    """Return the identity of a name after it is renamed."""
    return re.sub(r"[^:/]+$" if is_whole else r"[^:./]+$", lambda _: new, key)


def _check_meaning(project: Project, file: str, spans: list[Span], names: tuple[str, str]) -> None:
    """Raise where a name of a document would mean something else after the edits."""
    text = project.text_of(file)
    assert text is not None
    old, new = names
    changed = EditedText(replaced(text.text, spans, new), text.encoding)
    before, after = project.index_of(file), index_of_text(changed, file)
    shifted = [_shape_of(before, spans, len(new) - len(old)), _shape_of(after, [], 0)]
    if shifted[0] != shifted[1]:
        name = os.path.basename(file)  # noqa: PTH119
        raise RenameRefused(f"in {name} other names would mean something else if '{old}' were called '{new}'")


def _check_problems(project: Project, edits: Edits, names: tuple[str, str], check: Check) -> None:
    """Raise where a document, or one that imports it, has problems after the edits that it has not now: the name is
    used where no rename reaches, such as in a loop over the items of a list.
    """
    old, new = names
    changed: dict[str, str] = {}
    for file, spans in edits.items():
        text = project.text_of(file)
        changed[file] = replaced(text.text, spans, new) if text is not None else ""

    def load(path: str) -> str | Diagnostic:
        found = changed.get(os.path.realpath(path))
        return project.load(path) if found is None else found.removeprefix("\ufeff")

    roots = dict.fromkeys([*edits, *(one for file in edits for one in project.importers(file))])
    for root in list(roots)[:_MOST_CHECKED]:
        text = project.text_of(root)
        if text is None:
            continue
        before = Counter(one.code for one in check(_bytes(text.text), root, project.load))
        after = check(_bytes(changed.get(root, text.text)), root, load)
        more = Counter(one.code for one in after) - before
        worse = next((one for one in after if one.code in more), None)
        if worse is not None:
            name = os.path.basename(worse.span.file or root)  # noqa: PTH119
            why = f"{name}:{worse.span.line} would have {worse.code} then: {worse.message}"
            raise RenameRefused(f"'{old}' is used where no rename reaches: {why}")


def _bytes(text: str) -> bytes:
    return whole_characters(text).encode()


def _shape_of(index: Index, spans: list[Span], by: int) -> dict[int, int]:
    """Return, for each place at which a name stands, the first place of the same name; places as after the edits."""
    begins = sorted(one.begin for one in spans)
    first: dict[str, int] = {}
    found: dict[int, int] = {}
    at = 0
    for one in sorted(index.occurrences, key=lambda one: one.place):
        while at < len(begins) and begins[at] < one.place.begin:
            at += 1
        place = one.place.begin + at * by
        found[place] = first.setdefault(one.key, place)
    return found


def replaced(text: str, spans: list[Span], new: str) -> str:
    """Return a text in which each span is replaced by `new`."""
    parts, end = list[str](), 0
    for one in sorted(set(spans)):
        parts += [text[end : one.begin], new]
        end = one.end
    return "".join([*parts, text[end:]])
