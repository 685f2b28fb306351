"""The table of document formats: how each is recognised, read and written. A new format is a new row.

A format that is text becomes a positioned tree (`Located`), of which `document` makes a flow with its spans. Another
configuration is a tree as well, and is rewritten as that of a flow. A language of its own is compiled to that tree.
Code is run, and makes the flow itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from turnwise.authoring import source
from turnwise.errors import WrongArgument
from turnwise.flow.located import Items, Located, Pairs, Scalar

if TYPE_CHECKING:
    from pathlib import Path

    from turnwise.authoring.seeds.rewriting import Rewriting
    from turnwise.flow.diagnostic import Diagnostic
    from turnwise.flow.model import Flow
    from turnwise.flow.read import ReadResult


class Format(NamedTuple):
    """A document format and its functions; a function is `None` if the format does not support the operation."""

    name: str
    """The name of the format, as commands accept it."""
    suffixes: tuple[str, ...] = ()
    """The endings of the format's files, with the dot; new files get the first."""
    read: Callable[[str, str], Located | Diagnostic] | None = None
    """Parses a text to a tree; the second argument is the name of its file."""
    compile: Callable[[str, str], tuple[Pairs, list[Diagnostic]]] | None = None
    """Compiles a text that is no mapping to a tree, and returns all problems; an unreadable text has an empty tree."""
    write: Callable[[Flow], str] | None = None
    """Returns a flow as a document of this format."""
    run: Callable[[str | Path], ReadResult | None] | None = None
    """Runs the code that a path names and returns its flow; `None` if the path names no such code."""
    sniff: Callable[[Located], bool] | None = None
    """Returns whether a tree is a configuration of this format."""
    rewrite: Callable[[Located, str], Rewriting] | None = None
    """Converts a configuration of this format to a flow document; the second argument is the name of its file."""
    marks: tuple[str, ...] = ()
    """The keys by which a configuration of this format is recognised; a misspelled one is reported."""


def _read_yaml(text: str, file: str) -> Located | Diagnostic:
    from turnwise.authoring.compose import compose_yaml

    return compose_yaml(text, file)


def _write_yaml(flow: Flow) -> str:
    from turnwise.authoring.yaml_text import write_yaml

    return write_yaml(flow)


def _read_json(text: str, file: str) -> Located | Diagnostic:
    from turnwise.authoring.compose_json import compose_json

    return compose_json(text.removeprefix("\ufeff"), file)


def _write_json(flow: Flow) -> str:
    import json

    from turnwise.flow.codec import write_flow

    return json.dumps(write_flow(flow), indent=2, ensure_ascii=False) + "\n"


def _compile_dygram(text: str, file: str) -> tuple[Pairs, list[Diagnostic]]:
    from turnwise.authoring.dygram.compile.machine import compile_dygram

    return compile_dygram(text, file)


def _write_dygram(flow: Flow) -> str:
    from turnwise.authoring.dygram.formatter import format_document
    from turnwise.authoring.dygram.writer import document_of

    return format_document(document_of(flow))


def _run_python(path: str | Path) -> ReadResult | None:
    if ".py" not in str(path) and ":" not in str(path):
        return None
    from turnwise.authoring.python import python_place, read_python

    place = python_place(path)
    return read_python(place) if place is not None else None


def _write_python(flow: Flow) -> str:
    from turnwise.authoring.python_text import write_python

    return write_python(flow)


def _are_steps(tree: Located) -> bool:
    from turnwise.authoring.seeds.steps import are_steps

    return are_steps(tree)


def _rewrite_steps(tree: Located, file: str) -> Rewriting:
    from turnwise.authoring.seeds.steps import rewrite_steps

    return rewrite_steps(tree, file)


def _are_gates(tree: Located) -> bool:
    from turnwise.authoring.seeds.gates import are_gates

    return are_gates(tree)


def _rewrite_gates(tree: Located, file: str) -> Rewriting:
    from turnwise.authoring.seeds.gates import rewrite_gates

    return rewrite_gates(tree, file)


YAML = Format("yaml", source.YAML, read=_read_yaml, write=_write_yaml)
"""YAML documents: how they are read and written."""
FORMATS = (
    YAML,
    Format("json", source.JSON, read=_read_json, write=_write_json),
    Format("dygram", source.DYGRAM, compile=_compile_dygram, write=_write_dygram),
    Format("python", source.PYTHON, run=_run_python, write=_write_python),
    Format("steps", sniff=_are_steps, rewrite=_rewrite_steps, marks=("orchestration", "steps")),
    Format("gates", sniff=_are_gates, rewrite=_rewrite_gates, marks=("gates", "gate_order")),
)
"""All formats; the first whose suffix or content fits is used."""
WRITABLE_FORMATS = {one.name: one for one in FORMATS if one.write is not None}
"""The formats in which a flow can be written, by their names."""
TEXT_FORMATS = {one.name: one for one in FORMATS if one.suffixes and one.run is None}
"""The formats of documents that are texts, by their names."""
_KEYS_OF_FLOWS = {"flow", "start", "nodes", *(mark for one in FORMATS for mark in one.marks)}
_ALIKE = 0.8


def format_of(file: str | Path) -> Format | None:
    """Return the format of a file by its ending; `None` for an unknown ending."""
    return next((one for one in FORMATS if str(file).endswith(one.suffixes)), None)


def named_document(name: str, form: str) -> str:
    """Return the file name of a text document: `name`, with the ending of the format `form` unless that is empty. An
    empty name is `flow`. Raises `WrongArgument` for an unknown format.
    """
    if not form:
        return name or "flow.yaml"
    if form not in TEXT_FORMATS:
        raise WrongArgument("format", form, f"one of {', '.join(TEXT_FORMATS)}")
    suffixes = TEXT_FORMATS[form].suffixes
    name = name or "flow"
    return name if name.endswith(suffixes) else f"{name}{suffixes[0]}"


def compose(text: str, file: str = "") -> Located | Diagnostic:
    """Return the tree of a document, or a diagnostic of the first error; without a known ending it is read as YAML."""
    found = format_of(file)
    read = _read_yaml if found is None or found.read is None else found.read
    return read(text, file)


def rewrite(tree: Located, file: str) -> Rewriting | None:
    """Return the flow document for a configuration of another format; `None` if the tree is a flow document."""
    if isinstance(tree, Scalar) or (isinstance(tree, Pairs) and "flow" in _keys(tree)):
        return None
    found = _rewritten(tree, file)
    if found is not None or isinstance(tree, Items) or not _KEYS_OF_FLOWS.isdisjoint(_keys(tree)):
        return found
    for key, meant, corrected in _corrections(tree):
        found = _rewritten(corrected, file)
        if found is not None:
            found.report_unknown(key, "a configuration", [meant])
            return found
    return None


def _rewritten(tree: Located, file: str) -> Rewriting | None:
    for one in FORMATS:
        if one.sniff is not None and one.rewrite is not None and one.sniff(tree):
            return one.rewrite(tree, file)
    return None


def _keys(tree: Pairs) -> list[str]:
    return [key.text.casefold() for key, _ in tree.pairs]


def _corrections(tree: Pairs) -> Iterator[tuple[Scalar, str, Pairs]]:
    """Yield each key that is nearly one by which a format is known, that key, and the tree with it."""
    from difflib import get_close_matches

    marks = [mark for one in FORMATS for mark in one.marks]
    for number, (key, value) in enumerate(tree.pairs):
        for meant in get_close_matches(key.text.casefold(), marks, n=1, cutoff=_ALIKE):
            spelt = Scalar(meant, key.line, key.column)
            pairs = [*tree.pairs[:number], (spelt, value), *tree.pairs[number + 1 :]]
            yield key, meant, Pairs(pairs, tree.line, tree.column, inline=tree.inline)
