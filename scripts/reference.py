"""Generates the reference pages from the code; a test checks that they are up to date.

python scripts/reference.py           write the pages
python scripts/reference.py --check   exit 1 if a page differs from what the code says now
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, get_args

import turnwise
from turnwise.archive.archive import Archive
from turnwise.archive.asking import Replayed, WhatIf
from turnwise.archive.dry_run import DryRun
from turnwise.archive.frames import FrameInfo
from turnwise.archive.migrating import Migration, MigrationOutcome
from turnwise.archive.transcript import TranscriptLine
from turnwise.core import trace
from turnwise.core.explain.history import Edge
from turnwise.core.explain.hypothetical import GuardResult
from turnwise.core.explain.what_if import ChangedDecision, Way
from turnwise.core.language import LANGUAGES
from turnwise.core.migration import MisfitReason, Renaming
from turnwise.core.replay import Difference
from turnwise.core.state import events, kinds
from turnwise.core.state.commands import AnyCommand
from turnwise.core.state.retention import Retention
from turnwise.flow import kinds as s
from turnwise.flow.diagnostic import CODES, DiagnosticTarget
from turnwise.flow.shapes import SHAPES, Key
from turnwise.runner.ports import Retained
from turnwise.runner.store_upkeep import ListedConversation, StoreInfo
from turnwise.server.shape_docs import attribute_docs
from turnwise.testing import asserting, coverage
from turnwise.testing.expectations import EXPECTATIONS
from turnwise.testing.keys import HEADER, INPUTS, SCRIPTS, TITLE
from turnwise.why import answer as answers

FLOW_FORMAT = Path("docs/reference/flow-format.md")
DIAGNOSTICS = Path("docs/reference/diagnostics.md")
CHECKS = Path("docs/checks/README.md")
PYTHON = Path("docs/reference/python.md")
TEXTS = Path("docs/reference/texts.md")
SCENARIOS = Path("docs/reference/scenarios.md")
DYGRAM = Path("docs/reference/dygram.md")

sys.path.append(str(Path(__file__).parent))

import dygram_reference  # noqa: E402


def flow_format() -> str:
    """The page about every key of every object."""
    lines = [
        "# The flow format",
        "",
        "This page lists every key of every object in a flow document. Keys in **bold** are required. Durations have a",
        "unit: `90s`, `30m`, `2h`, `3d`, `2w`. `scripts/reference.py` generates the page from the code.",
        "",
        "This version does not run overlays, schedules, offers and forms over lists of questions: see the",
        "[known limits](../building-a-flow.md#known-limits-of-this-version).",
    ]
    for name, shape in sorted(SHAPES.items(), key=lambda one: one[0] != "Flow"):
        lines += ["", f"## {name}", "", f"{shape.title.capitalize()}.", "", "| key | takes | |", "|---|---|---|"]
        lines += [f"| {_bold(key)} | {_kind(key.kind)} | {key.about} |".replace("||", "\\|\\|") for key in shape.keys]
    return "\n".join(lines) + "\n"


def diagnostics() -> str:
    """The page about every code."""
    lines = [
        "# Diagnostics",
        "",
        "This page lists every code that `turnwise check` can report. `scripts/reference.py` generates it. Each",
        "code has [a page](../checks/README.md) with an example, and its correction. A flow with an error cannot",
        "run, a flow with warnings can; [a comment](../command-line.md) ignores a warning.",
        "",
        "`turnwise check --json` prints the reports as data. `subject` has the `node`, `transition` and `field` that",
        "the report is about, each `null` for none or several; `Diagnostic.subject` has the same in Python.",
        "",
        "| code | severity | about |",
        "|---|---|---|",
    ]
    lines += [f"| [{name}](../checks/{name}.md) | {code.severity} | {code.about} |" for name, code in CODES.items()]
    return "\n".join(lines) + "\n"


def checks() -> str:
    """The list of the pages about the codes."""
    lines = [
        "# Diagnostics with examples",
        "",
        "Every code of `turnwise check` has a page: what is wrong, its effect in a conversation, a small flow with the",
        "report, and the corrected flow. Tests check both. `turnwise check --list` prints the codes.",
        "",
        "The checker does not guess: it reports that a guard never holds, or that one transition hides another, only",
        "if it can prove this for every conversation.",
        "",
        "| code | severity | about |",
        "|---|---|---|",
    ]
    lines += [f"| [{name}]({name}.md) | {code.severity} | {code.about} |" for name, code in CODES.items()]
    return "\n".join(lines) + "\n"


def texts() -> str:
    """The page about the fixed texts and phrases of the languages."""
    lines = [
        "# Texts and phrases",
        "",
        "This page lists the fixed texts of the machine, and the phrases that the offline rules understand.",
        "`scripts/reference.py` generates it. A flow can replace each key under `texts:`. A text replaces the shipped",
        "text and may use the same `{names}`; a list of phrases replaces the whole shipped list. If a text and phrases",
        "share a key, a list replaces the phrases; to replace both, use `greeting_phrases` (and so on) for the list.",
    ]
    for title, code in (("English", "en"), ("German", "de")):
        shipped, phrases = LANGUAGES[code]
        lines += ["", f"## {title}: texts", "", "| key | text |", "|---|---|"]
        lines += [f"| `{key}` | {_cell(text)} |" for key, text in shipped.items()]
        lines += ["", f"## {title}: phrases", "", "| key | phrases |", "|---|---|"]
        lines += [f"| `{key}` | {_cell(', '.join(some))} |" for key, some in phrases.items()]
    return "\n".join(lines) + "\n"


def scenarios() -> str:
    """The page about the keys of scenario files."""
    lines = [
        "# Keys of scenario files",
        "",
        "This page lists every key of a [scenario file](../scenarios.md). `scripts/reference.py` generates it. A line",
        "is `key: value`; a word in capitals after a key is part of the line, in brackets where it may be left out.",
    ]
    groups = {
        "Header": HEADER,
        "Title": {TITLE.name: TITLE},
        "Inputs": INPUTS,
        "Scripts": SCRIPTS,
        "Expectations": EXPECTATIONS,
    }
    for title, keys in groups.items():
        lines += ["", f"## {title}", "", "| key | |", "|---|---|"]
        for key in keys.values():
            head = f"{key.name} {key.subject.form}" if key.subject is not None else key.name
            lines.append(f"| `{head}` | {key.about.replace('|', chr(92) + '|')} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """A text as it stands in a table."""
    return text.replace("|", "\\|").replace("\n", " ⏎ ").replace("*", "\\*")


# Python --------------------------------------------------------------------------------------------

_CALLS = (
    "open",
    "open_sync",
    "open_archive",
    "SqliteStore",
    "MemoryStore",
    "model_named",
    "CassetteModel",
    "load",
    "loads",
    "check",
    "draw",
    "link",
    "judge",
    "asgi",
    "guard",
    "tool",
    "field",
    "call",
    "write_yaml",
    "write_python",
)
_LIVE = ("App", "Chat", "SyncApp", "Turn", "ManualClock")
_PORTS = ("Model", "StreamingModel", "Store", "Clock")
_GIVEN = (
    "Identity",
    "ServerLimits",
    "Proxies",
    "AllowedInput",
    "AllowedField",
    "ModelRequest",
    "ModelReply",
    "TextDelta",
    "CallMade",
    "Usage",
    "Patience",
    "Commit",
    "Receipt",
)
_SCRIPTED = ("ScriptedUnderstanding", "ScriptedModel")
_TOLD = (
    *(
        trace.Decision,
        trace.Considered,
        trace.Failure,
        trace.Need,
        trace.JudgingChange,
        trace.Leaf,
        trace.Group,
        trace.Operand,
        trace.GuardCode,
    ),
    *(
        GuardResult,
        events.Button,
        events.Said,
        events.ArtefactMade,
        events.Warned,
        events.NothingSet,
        Retention,
        Retained,
        StoreInfo,
        ListedConversation,
    ),
    *(answers.Answer, answers.Fact, answers.Subject, FrameInfo, TranscriptLine),
    *(
        DryRun,
        WhatIf,
        ChangedDecision,
        Way,
        Edge,
        Replayed,
        Difference,
        Renaming,
        Migration,
        MigrationOutcome,
        MisfitReason,
    ),
)


def python() -> str:
    """The page about the public names of the package."""
    parts = sorted(name for name in turnwise.__all__ if is_dataclass(getattr(turnwise, name)) and name in SHAPES)
    lines = [
        "# Python",
        "",
        "This page lists the public names of `turnwise` (`import turnwise as tw`). Everything else may change.",
        "`scripts/reference.py` generates the page from the code.",
        "",
        "## Functions",
    ]
    for name in _CALLS:
        lines += ["", f"### tw.{name}", "", *_call(f"tw.{name}", getattr(turnwise, name)), "", *_doc(name)]
    for name in _LIVE:
        lines += ["", f"## tw.{name}", "", *_doc(name), *_members(getattr(turnwise, name))]
    lines += ["", "## tw.SyncChat", "", *_text(turnwise.SyncChat), "", "Every method of `Chat`, without `await`."]
    lines += ["", "## Archive", "", "What `tw.open_archive` returns.", "", *_text(Archive), *_members(Archive)]
    lines += ["", "## Results", "", "Plain, immutable data.", "", "| | has | |", "|---|---|---|"]
    lines += [f"| `{one.__name__}` | {_fields(one)} | {_about(one)} |" for one in _TOLD]
    lines += [*_own_parts(), *_tests()]
    lines += [
        "",
        "## tw.commands",
        "",
        "The commands that understanding proposes; all have `words` and `confidence`.",
        "",
    ]
    lines += ["| in flows | class | has | |", "|---|---|---|---|", *map(_command, get_args(AnyCommand))]
    lines += ["", "## tw.events", "", "The facts of a journal: `entry.event` of `chat.events()` is one of these.", ""]
    lines += ["| in journals | class | has | |", "|---|---|---|---|", *map(_event, get_args(events.AnyEvent))]
    lines += [*_kinds(), "", "## A flow in Python"]
    lines += [
        "",
        "The parts of a flow, with the keys of [the flow format](flow-format.md).",
        "",
    ]
    lines += ["| | has |", "|---|---|"]
    lines += [
        f"| [`tw.{name}`](flow-format.md#{name.lower()}) | {_fields(getattr(turnwise, name))} |" for name in parts
    ]
    lines += ["", "`tw.Diagnostic`: " + _line(turnwise.Diagnostic), ""]
    lines += ["| | has |", "|---|---|"]
    lines += [f"| `tw.Diagnostic` | {_fields(turnwise.Diagnostic)} |"]
    lines += [f"| `Diagnostic.subject` | {', '.join(f'`{name}`' for name in DiagnosticTarget._fields)} |", ""]
    lines += [" ".join((DiagnosticTarget.__doc__ or "").split()), "", "## Errors"]
    errors = [name for name in turnwise.__all__ if _is_error(getattr(turnwise, name))]
    lines += ["", "All of them derive from `tw.TurnwiseError`.", "", "| | |", "|---|---|"]
    lines += [f"| `tw.{name}` | {_line(getattr(turnwise, name))} |" for name in errors]
    return "\n".join(lines) + "\n"


def _event(event: type[events.AnyEvent]) -> str:
    tag = event.__struct_config__.tag
    return f"| `{tag}` | `tw.events.{event.__name__}` | {_fields(event)} | {_about(event)} |"


_KINDS = (
    ("RefusalCode", "`refused` of a turn"),
    ("WarningCode", "`code` of `Warned`"),
    ("FaultKind", "`fault.kind` of `Faulted`, and `error.kind` in guards"),
    ("FailureReason", "`reason` of `Failed`"),
    ("Wait", "`waits_for` of `TurnEnded`"),
    ("ReplyKind", "`kind` of `Said`"),
    ("CommandRefusal", "`reason` of `CommandRefused`"),
    ("CallRefusal", "`reason` of `CallRefused`"),
)
"""The closed lists of `core.state.kinds`, and the attributes that show them."""


def _kinds() -> Iterator[str]:
    """The values of each closed list."""
    yield from ("", "## Kinds, codes and reasons", "", "The values that these attributes can have.", "")
    yield from ("| attribute | values |", "|---|---|")
    for name, where in _KINDS:
        yield f"| {where} | {', '.join(f'`{value}`' for value in get_args(getattr(kinds, name)))} |"


def _own_parts() -> Iterator[str]:
    """The protocols that users fill in, what they are given and give back, and the scripted ones for tests."""
    yield from ("", "## Your own parts", "", "[Your own parts](../own-parts.md) shows how to write them.")
    for name in _PORTS:
        yield from ("", f"### tw.{name}", "", *_doc(name), *_members(getattr(turnwise, name)))
    yield from ("", "| | has | |", "|---|---|---|")
    for name in _GIVEN:
        yield f"| `tw.{name}` | {_fields(getattr(turnwise, name))} | {_about(getattr(turnwise, name))} |"
    for name in _SCRIPTED:
        yield from ("", f"### tw.{name}", "", *_doc(name), *_members(getattr(turnwise, name)))


def _tests() -> Iterator[str]:
    """The assertions about turns, and what counts what they have seen."""
    yield from (
        "",
        "## In tests",
        "",
        "[Testing a flow](../testing.md) shows how to use them.",
        "",
        "`turnwise.testing.asserting`",
    )
    for assertion in (asserting.assert_in, asserting.assert_taken, asserting.assert_not_taken):
        yield from ("", *_call(assertion.__name__, assertion), "", *_text(assertion))
    yield from ("", "`turnwise.testing.coverage`")
    for function in (coverage.missing_parts, coverage.score, coverage.total):
        yield from ("", *_call(function.__name__, function), "", *_text(function))
    yield from (
        "",
        "### Coverage",
        "",
        *_text(coverage.Coverage),
        *_members(coverage.Coverage),
        "",
        "| | has | |",
        "|---|---|---|",
    )
    for told in (
        coverage.FlowSeen,
        coverage.NodeSeen,
        coverage.WaySeen,
        coverage.LeafSeen,
        coverage.Score,
        coverage.Missing,
    ):
        yield f"| `{told.__name__}` | {_fields(told)} | {_about(told)} |"


def _is_error(public: object) -> bool:
    return isinstance(public, type) and issubclass(public, turnwise.TurnwiseError)


def _call(name: str, called: Callable[..., Any]) -> list[str]:
    """How something is called, as a block; `self` is left out, a long one has a line for each parameter."""
    signature = inspect.signature(called)
    shown, has_star = [], False
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not has_star:
            shown, has_star = [*shown, "*"], True
        text = f"**{parameter.name}" if parameter.kind is parameter.VAR_KEYWORD else parameter.name
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        shown.append(f"{text}: {_type(parameter.annotation)}{default}")
        if parameter.kind is parameter.POSITIONAL_ONLY:
            shown.append("/")
    lead = "await " if inspect.iscoroutinefunction(called) else ""
    result = _type(signature.return_annotation)
    line = f"{lead}{name}({', '.join(shown)}) -> {result}"
    if len(line) > _WIDEST:
        line = "\n".join([f"{lead}{name}(", *(f"    {one}," for one in shown), f") -> {result}"])
    return ["```", line, "```"]


_WIDEST = 100


def _type(annotation: Any) -> str:
    """An annotation as it is read, without the names of modules."""
    return re.sub(r"\be\.", "", annotation if isinstance(annotation, str) else getattr(annotation, "__name__", ""))


def _members(of: type) -> Iterator[str]:
    """The methods and properties of a class and of what it is made of, in the order of the code."""
    rooms = ("turnwise.api", "turnwise.archive")
    parts = [part for part in of.__mro__ if part is of or part.__module__.startswith(rooms)]
    for name, member in (pair for part in parts for pair in vars(part).items()):
        found = getattr(member, "fget", None) or getattr(member, "func", None)
        if name.startswith("_") or not (found or callable(member)):
            continue
        yield ""
        if found is not None:
            yield f"**`.{name}`** `{_type(inspect.signature(found).return_annotation)}`"
        else:
            yield from _call(f".{name}", member)
        yield from ("", *_text(found or member))


def _doc(name: str) -> list[str]:
    return _text(getattr(turnwise, name))


def _text(of: Any) -> list[str]:
    text = inspect.getdoc(of)
    assert text, f"{of} has no docstring"
    return text.splitlines()


def _line(of: Any) -> str:
    """The first paragraph of a docstring, in one line."""
    return " ".join(" ".join(_text(of)).split("  ")[0].split())


def _about(of: type) -> str:
    """The first paragraph of a class, and what is said below its attributes, in one line of a table."""
    docs = attribute_docs(of)
    return "<br>".join([_line(of), *(f"`{name}`: {' '.join(docs[name].split())}" for name in docs)]).replace("|", "\\|")


def _fields(of: type) -> str:
    names = (
        getattr(of, "__struct_fields__", None)
        or getattr(of, "_fields", None)
        or [n for n in getattr(of, "__dataclass_fields__", ()) if not n.endswith("span")]
    )
    return ", ".join(f"`{name}`" for name in names)


def _command(of: type) -> str:
    own = [name for name in of.__struct_fields__ if name not in ("words", "confidence")]
    return (
        f"| `{of.__struct_config__.tag}` | `{of.__name__}` | {', '.join(f'`{name}`' for name in own)} | {_about(of)} |"
    )


def pages() -> Iterator[tuple[Path, str]]:
    """Each page and what stands in it."""
    yield FLOW_FORMAT, flow_format()
    yield DIAGNOSTICS, diagnostics()
    yield CHECKS, checks()
    yield PYTHON, python()
    yield TEXTS, texts()
    yield SCENARIOS, scenarios()
    yield DYGRAM, dygram_reference.page()


def _bold(key: Key) -> str:
    return f"**`{key.name}`**" if key.required else f"`{key.name}`"


def _kind(kind: s.Kind) -> str:
    match kind:
        case s.WordOrName(words, named):
            return " or ".join(f"`{word}`" for word in words if word) + f", or the name of a {named}"
        case s.OneOf(words):
            return " or ".join(f"`{word}`" for word in words if word)
        case s.Many(of, single):
            return f"a list: {_kind(of)}" + (", or one of them" if single else "")
        case s.Table(of):
            return f"a mapping to {_kind(of)}"
        case s.Named(name):
            return f"names, each with [{name}](#{name.lower()})"
        case s.Object(name):
            return f"[{name}](#{name.lower()})"
        case s.Number():
            return s.number_between(kind)
        case s.Integer(least):
            return f"a whole number from {least}"
        case _:
            return _PLAIN[type(kind)]


_PLAIN = {
    s.Text: "text",
    s.Name: "a name",
    s.FunctionName: "a name",
    s.Bound: "a number, date or time",
    s.Flag: "true or false",
    s.Duration: "a duration",
    s.When: "a guard, or condition objects",
    s.Anything: "any value",
}


def main(arguments: list[str]) -> int:
    """Write or check the pages; return the exit code."""
    outdated = [(path, text) for path, text in pages() if not path.is_file() or path.read_text("utf-8") != text]
    for path, text in outdated:
        if "--check" in arguments:
            print(f"{path} is out of date: run scripts/reference.py", file=sys.stderr)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        print(f"wrote {path}")
    return 1 if outdated and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
