"""Documents made to hurt: whatever two megabytes hold, reading them ends soon, in bounded memory, with diagnostics.

Full size with `TURNWISE_SOAK=1`. Otherwise the texts that the parser goes through quickly have an eighth of it, and for the
others the function calls are counted in two small sizes: they must not grow faster than the text.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from support.counted import calls_of
from turnwise.api.open import check_text
from turnwise.authoring.document import read_document
from turnwise.authoring.source import LONGEST_SHOWN, MAX_BYTES
from turnwise.flow.codec import encode_flow
from turnwise.flow.diagnostic import Diagnostic
from turnwise.flow.read import ReadResult

FULL = MAX_BYTES - 100_000
IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
SMALL = FULL // 1024
MOST_CALLS = 500
"""How many function calls each character of a text may cost; the costliest of these takes some 240."""
SECONDS = 30.0 if IS_SOAK else 6.0
"""Of the processor, and generous: the slowest takes some six seconds at full size on a machine that is not slow."""

HEAD = "flow: a\nstart: b\n"


def _numbered(head: str, line: Callable[[int], str], tail: str = "") -> Callable[[int], str]:
    """As many numbered lines as there is room for."""

    def made(size: int) -> str:
        parts, left, number = [head], size - len(head) - len(tail), 0
        while left > 0:
            parts.append(line(number))
            left -= len(parts[-1])
            number += 1
        return "".join([*parts, tail])

    return made


def _filled(unit: str, head: str = "", tail: str = "") -> Callable[[int], str]:
    """One text, again and again."""
    return lambda size: head + unit * ((size - len(head) - len(tail)) // len(unit)) + tail


QUICK: dict[str, Callable[[int], str]] = {
    "brackets": _filled("["), "braces": _filled("{a: "), "dashes": _filled("- "), "questions": _filled("? "),
    "colons": _filled(": "), "closing": _filled("]}"), "commas": _filled(","), "quotes": _filled('"'), "ticks": _filled("'"),
    "one word": _filled("a"), "words": _filled("word "), "digits": _filled("1"), "colons in a word": _filled("a:b"),
    "hashes in a word": _filled("a#b"), "a long key": _filled("a", tail=": 1"), "a long key in quotes": _filled("a", '"', '": 1'),
    "an open quote": _filled("b: c\n", 'a: "'), "escapes": _filled("\\n", '"', '"'), "code points": _filled("\\u0041", '"', '"'),
    "a gap": _filled(" ", "a", "b"), "spaces": _filled(" "), "tabs": _filled("\t"), "line ends": _filled("\n"),
    "old line ends": _filled("\r"), "strange line ends": _filled("\x85"), "a gap of lines": _filled("\n  ", "a: b", "c"),
    "a block": _filled("  line\n", "a: |\n"), "a folded block": _filled("  line\n\n", "a: >\n"), "pipes": _filled("|"),
    "comments": _filled("# x\n"), "a comment": _filled("x", "a: 1 #"), "documents": _filled("---\n"), "ends": _filled("...\n"),
    "tags": _filled("- !a b\n"), "a long tag": _filled("a", "!"), "bangs": _filled("!"), "a tag of escapes": _filled("%41", "!"),
    "a directive": _filled("a", "%"), "directives": _filled("%YAML 1.2\n"), "handles": _filled("%TAG !a! x\n"),
    "a long anchor": _filled("a", "&", " x"), "anchors in a line": _filled("&a "), "stars": _filled("*"), "ands": _filled("&"),
    "zeros": _filled("b", "a: \0"), "marks of byte order": _filled("\ufeff"), "umlauts": _filled("ü"), "faces": _filled("😀"),
    "keys that are lists": _filled("[a]: b\n"), "nested keys": lambda size: "\n".join(" " * n + "a:" for n in range(int(size**0.5))),
    "json": _filled('{"x": 1, "y": "two"},', '{"a": [', "0]}"), "json numbers": _filled("1,", "[", "1]"),
    "json brackets": _filled("[", '{"a":'), "json text": _filled("ü", '{"a": "', '"}'), "json escapes": _filled("\\u00e4", '["', '"]'),
    "json blanks": _filled(" ", "[", "]"), "json lines": _filled("\n", "[", "x]"), "json quotes": _filled('"', "["),
    "a text named again and again": lambda size: f"a: &a \"{'x' * (size // 2)}\"\nb:\n" + "- *a\n" * (size // 10),
}  # fmt: skip
"""Texts that end soon, or that the parser goes through quickly."""

SLOW: dict[str, Callable[[int], str]] = {
    "items": _filled("- a\n"), "items without value": _filled("- \n"), "keys without value": _filled("?\n"),
    "values without key": _filled(":\n"), "aliases": _filled("- *a\n", "- &a x\n"), "lines of words": _filled("word\n"),
    "lines in quotes": _filled("a\n", '"', '"'), "Windows": _filled("a\r\n"), "an inline list": _filled("1, ", "[", "1]"),
    "inline anchors": _filled("&a a,", "[", "]"), "inline tags": _filled("!!str a,", "[", "]"), "pairs": _filled("? a : b,", "[", "]"),
    "empty pairs": _filled("?,", "{", "}"), "anchors": _numbered("", lambda n: f"- &a{n} x\n"),
    "keys": _numbered("", lambda n: f"k{n}: v\n"), "an inline mapping": _numbered("{", lambda n: f"a{n}: 1, ", "}"),
    "unknown keys": _numbered(HEAD, lambda n: f"titl{n}: 1\n"),
    "long unknown keys": _numbered(HEAD, lambda n: f"persona_time_zone_language_{n}: 1\n"),
    "nodes": _numbered(f"{HEAD}nodes:\n", lambda n: f"  b{n}: {{say: x}}\n"),
    "wrong names": _numbered(f"{HEAD}nodes:\n", lambda n: f"  b-{n}: x\n"),
    "wrong types": _numbered(f"{HEAD}records:\n  r:\n", lambda n: f"    f{n}: strin\n"),
    "wrong moments": _numbered(f"{HEAD}nodes:\n  b:\n    transitions:\n", lambda n: f"      - {{to: x{n}, at: nope}}\n"),
    "steps of one name": _numbered("[", lambda n: f'{{"name": "{n} a", "conditions": [{{"type": "x"}}]}},', '{"name": "b"}]'),
    "gates that are not there": _numbered('{"gates": {"a": {}, "b": {}}, "gate_order": [', lambda n: f'"ga{n}",', '"a"]}'),
    "gates of one name": _numbered('{"gate_order": [], "gates": {', lambda n: f'"{n}a": {{}},', '"b": {}}}'),
}  # fmt: skip
"""Texts that become many parts: these are bounded by their number, and take the parser longest."""


def _read(text: str) -> ReadResult:
    """What becomes of a text, in time; every message can be shown on a screen."""
    begun = time.process_time()
    reading = read_document(text, "a.json" if text[:1] in "{[" and '"' in text[:9] else "a.yaml")
    assert time.process_time() - begun < SECONDS
    assert all(len(str(diagnostic)) < 20 * LONGEST_SHOWN for diagnostic in reading.diagnostics)
    return reading


@pytest.mark.parametrize("made", QUICK.values(), ids=QUICK)
def test_a_hostile_text_is_refused_soon(made: Callable[[int], str]) -> None:
    assert _read(made(FULL if IS_SOAK else FULL // 8)).diagnostics


@pytest.mark.parametrize("made", SLOW.values(), ids=SLOW)
def test_the_work_for_a_text_of_very_many_parts_grows_with_its_length(made: Callable[[int], str]) -> None:
    _read(HEAD)  # what is loaded once does not count
    read: list[ReadResult] = []
    small, large = (calls_of(lambda size=size: read.append(_read(made(size)))) for size in (SMALL, 2 * SMALL))
    assert large < 2.1 * small
    assert large < MOST_CALLS * 2 * SMALL
    flow, diagnostics = _read(made(FULL)) if IS_SOAK else read[0]
    assert diagnostics or flow.nodes


def test_what_was_read_is_never_much_larger_than_the_limits() -> None:
    texts = "texts:\n" + "".join(f"  t{number}: *a\n" for number in range(6))
    text = f"flow: a\nstart: b\nprompt: &a {'x' * 1_000_000}\n{texts}"
    flow, [] = read_document(text)
    assert len(encode_flow(flow)) < 9_000_000
    assert [d.code for d in read_document(f"{text}title: *a\n").diagnostics] == ["TW005"]


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted as Linux does")
def test_the_memory_for_a_hostile_text_is_bounded() -> None:
    """A fresh process forks one for each text, which prints by how much its peak of memory grew while it read."""
    hungry = ("a gap of lines", "an open quote", "json", "unknown keys", "wrong types", "nodes", "gates of one name")
    size, most_kb = (FULL, 500 * 1024) if IS_SOAK else (FULL // 64, 16 * 1024)
    program = (
        "import os, sys\nfrom pathlib import Path\n"
        "from authoring.test_hostile import HEAD, QUICK, SLOW, read_document\n"
        "def peak(): return int(Path('/proc/self/status').read_text().partition('VmHWM:')[2].split()[0])\n"
        "read_document(HEAD, 'a.yaml')\n"
        "for name in sys.argv[2:]:\n"
        "    if not os.fork():\n"
        "        text, before = {**QUICK, **SLOW}[name](int(sys.argv[1])), peak()\n"
        "        read_document(text, 'a.yaml')\n"
        "        print(name, peak() - before, sep=': ', flush=True)\n"
        "        os._exit(0)\n"
        "    os.wait()\n"
    )
    paths = os.pathsep.join([str(Path(__file__).parent.parent), *sys.path])
    environment = {**os.environ, "PYTHONPATH": paths}
    command = [sys.executable, "-c", program, str(size), *hungry]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    grew_kb = {name: int(grew) for name, grew in (line.split(": ") for line in done.stdout.splitlines())}
    assert grew_kb.keys() == set(hungry)
    assert max(grew_kb.values()) < most_kb, grew_kb
    assert min(grew_kb.values()) > size // 1024, "what a text takes was not measured"


# a thousand mistakes -----------------------------------------------------------------------------

MISTAKES: dict[str, tuple[str, Callable[[int], str]]] = {
    "keys": ("TW010", lambda n: f"titel{n}: x\n"),
    "kinds": ("TW011", lambda n: f"  n{n}: [x]\n"),
    "targets": ("TW012", lambda n: f"  node_{n}: {{say: x, transitions: [{{to: noode_{n}}}]}}\n"),
    "guards": ("TW030", lambda n: f"  n{n}: {{say: x, enter_when: message.text == }}\n"),
    "names": ("TW031", lambda n: f"  n{n}: {{say: x, enter_when: mesage{n}.text == 'a'}}\n"),
    "patterns": ("TW034", lambda n: f"  n{n}: {{say: x, enter_when: 'message.text.matches(\"(?={n})\")'}}\n"),
    "conditions": ("TW035", lambda n: f"  n{n}: {{say: x, enter_when: [{{type: tool_usd{n}}}]}}\n"),
    "templates": ("TW037", lambda n: f"  n{n}: {{say: 'x {{{{'}}\n"),
}


@pytest.mark.parametrize(("code", "line"), MISTAKES.values(), ids=MISTAKES)
def test_a_thousand_mistakes_are_all_said_at_once(code: str, line: Callable[[int], str]) -> None:
    nodes = "" if code == "TW010" else "nodes:\n  b: {say: x}\n"
    text = f"{HEAD}{nodes}" + "".join(line(number) for number in range(1000))
    begun = time.process_time()
    found = [d for d in check_text(text.encode(), "a.yaml") if d.code == code]
    assert time.process_time() - begun < 5
    assert len({d.span.line for d in found}) == 1000
    assert all((isinstance(d, Diagnostic) and d.span.column > 1) or code == "TW010" for d in found)


def test_a_pattern_that_would_run_for_ever_elsewhere_is_fine_here() -> None:
    head = f"{HEAD}records: {{r: {{x: {{type: string, pattern: '(a+)+$'"
    begun = time.process_time()
    text = f"{head}, max: 4000, default: {'a' * 3_000}!}}}}}}\nnodes: {{b: {{say: x}}}}\n"
    found, *_ = check_text(text.encode(), "a.yaml")
    assert found.code == "TW042"
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    "pattern", ["(?=x)", "(?<!x)", r"(a)\1", "a{1001}", "((a{100}){100}){100}", "(", "a**", r"\p{Foo}"]
)
def test_a_pattern_that_cannot_be_bounded_is_refused(pattern: str) -> None:
    text = f"{HEAD}records: {{r: {{x: {{pattern: '{pattern}'}}}}}}\nnodes: {{b: {{say: x}}}}\n"
    assert [d.code for d in check_text(text.encode(), "a.yaml")] == ["TW034"]
