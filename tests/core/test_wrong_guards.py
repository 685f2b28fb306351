"""Guards that cannot be linked: each with its code, its place, and a way out (law 2.11)."""

from __future__ import annotations

import pytest

import turnwise as tw
from support.guards import machine, with_overlay
from turnwise.api.documents import check_text
from turnwise.authoring.document import read_document
from turnwise.core.guards.compile import Compiler
from turnwise.core.link import link_with_diagnostics
from turnwise.flow.guard import GuardError, parse

READ, KNOWN, TYPES, OUTSIDE, PATTERN = "TW030", "TW031", "TW032", "TW033", "TW034"
TOOL, NODE, OVERLAY, ZONE, LENGTH = "TW021", "TW023", "TW022", "TW028", "TW044"

ROWS = [
    # what cannot be read
    ("", READ, 0, ""),
    ("x.a >", READ, 5, ""),
    ("(x.a > 3", READ, 8, ""),
    ("x.a > 3)", READ, 7, ""),
    ("x.a = 3", READ, 4, "'=='"),
    ("x.a => 3", READ, 4, "'>='"),
    ("x.t AND x.f", READ, 4, "&&"),
    ("x.t is true", READ, 4, "'=='"),
    ("tool.used('t')", KNOWN, 0, "tools"),
    ("x.a & x.b", READ, 4, "'&&'"),
    ("x.a | x.b", READ, 4, "'||'"),
    ("x.a > 3 and x.t", READ, 8, "&&"),
    ("x.t or x.f", READ, 4, "||"),
    ("not x.t", READ, 4, "!"),
    ("x.a >= >= 3", READ, 7, ""),
    ("&& x.t", READ, 0, ""),
    ("x.", READ, 2, ""),
    ("x.s == 'a", READ, 7, ""),
    (r"x.s == 'a\q'", READ, 9, "double the backslash"),
    ("x.a > 99999999999999999999", READ, 6, ""),
    ("x.a > 1e999", READ, 6, ""),
    ("x.a # 3", READ, 4, ""),
    ("x.t ? x.f", READ, 9, ""),
    ("x.l contains 'a'", READ, 4, ""),
    ("default(x.a) > 3", TYPES, 0, ""),
    ("default(x.a, 1, 2) > 3", TYPES, 0, ""),
    ('default(x.a, "3") > 3', TYPES, 0, ""),
    ("default(x.a, null) > 3", TYPES, 0, ""),
    ("coalesce(x.a, 3) > 3", KNOWN, 0, "default"),
    ("size(x.t ? x.l : x.ints) > 1", TYPES, 9, ""),
    # what of CEL guards do not have
    ("x.a['a'] > 3", TYPES, 3, ""),
    ("{'a': 1}", OUTSIDE, 0, ""),
    ("x{a: 1}", OUTSIDE, 1, ""),
    ("b'abc' == x.s", OUTSIDE, 0, ""),
    ("x.l.map(g, g)", TYPES, 4, "exists"),
    ("x.l.exists_one(g, g == 'a')", OUTSIDE, 4, ""),
    ("type(x.a) == int", OUTSIDE, 0, ""),
    ("uint(3) == 3", OUTSIDE, 0, ""),
    ("x.a.b > 3", OUTSIDE, 4, ""),
    ("x.l.size > 3", OUTSIDE, 4, "size(x.l)"),
    # names
    ("y.a > 3", KNOWN, 0, "x"),
    ("xx.a > 3", KNOWN, 0, "'x'"),
    ("x.aa > 3", KNOWN, 2, "'a'"),
    ("x.secrt == 'a'", KNOWN, 2, "'secret'"),
    ("x > 3", KNOWN, 0, "x.t"),
    ("a > 3", KNOWN, 0, "'x.a'"),
    ("True", KNOWN, 0, "true"),
    ("x.a == None", KNOWN, 7, "null"),
    ("x.kind == Red", KNOWN, 10, '"Red"'),
    ("turnz > 3", KNOWN, 0, "'turns'"),
    ("message == 'x'", KNOWN, 0, "message.text"),
    ("message.txt == 'x'", KNOWN, 8, "'text'"),
    ("error.knd == 'x'", KNOWN, 6, "'kind'"),
    ("eror.kind == 'x'", KNOWN, 0, "'error'"),
    ("err.tool == 'x'", KNOWN, 0, "'error'"),
    ("errors.kind == 'x'", KNOWN, 7, "'error.kind'"),
    ("mesage.text == 'x'", KNOWN, 0, "'message'"),
    ("turns.last > 3", KNOWN, 6, "'tools.last'"),
    ("form.state == 'x'", KNOWN, 5, "'status'"),
    ("tools.lats == 'think'", KNOWN, 6, "'last'"),
    ("tools.usd('think')", KNOWN, 6, "'used'"),
    ("x.s.contain('a')", KNOWN, 4, "'contains'"),
    ("x.s.startswith('a')", KNOWN, 4, "'startsWith'"),
    ("len(x.l) > 3", KNOWN, 0, "'size'"),
    ("x.s.toLowerCase() == 'a'", KNOWN, 4, "'lower'"),
    ("now() > x.at", KNOWN, 0, "without brackets"),
    ("now.getYear() > 3", KNOWN, 4, "'getFullYear'"),
    ("x.l.exists(g, h == 'a')", KNOWN, 14, ""),
    ("g == 'a' && x.l.exists(g, g == 'a')", KNOWN, 0, ""),
    ("tools.used('thnik')", TOOL, 11, "'think'"),
    ("tools.count('thnik') > 1", TOOL, 12, "'think'"),
    ("tools.ended_with(['a', 'thnik'])", TOOL, 23, "'think'"),
    ("visits('hom') > 1", NODE, 7, "'home'"),
    ("overlay.active('viking')", OVERLAY, 15, ""),
    ("now.getHours('Mars') > 3", ZONE, 4, ""),
    # lengths
    ("tools.used('think', within: 0)", LENGTH, 28, ""),
    ("tools.used('think', within: 65)", LENGTH, 28, ""),
    ("tools.used('think', within: 1.5)", LENGTH, 28, ""),
    ("tools.ended_with([" + ", ".join(["'a'"] * 65) + "])", LENGTH, 17, ""),
    # types
    ("x.a == 'a'", TYPES, 4, "int()"),
    ("x.s > 3", TYPES, 4, "int()"),
    ("x.t == 1", TYPES, 4, "stands alone"),
    ("x.day > 3", TYPES, 6, '"2026-11-20"'),
    ("x.day > 2026-01-01", TYPES, 6, '"2026-11-20"'),
    ("x.day > 'gestern'", TYPES, 6, ""),
    ("x.span > 60", TYPES, 7, '"90s"'),
    ("x.span > 'long'", TYPES, 7, ""),
    ("'soon' in x.days", TYPES, 7, ""),
    ("x.t && 1", TYPES, 7, "compare"),
    ("x.t && x.a + 1", TYPES, 11, "compare"),
    ("turns", TYPES, 0, "compare"),
    ("tools.count('think')", TYPES, 6, "compare"),
    ("x.l.filter(g, g == 'a')", TYPES, 4, "exists()"),
    ("'a'", TYPES, 0, ""),
    ("null", TYPES, 0, ""),
    ("x.a + x.s > 1", TYPES, 4, ""),
    ("x.s - 'a' == 'b'", TYPES, 4, ""),
    ("-x.s == 'a'", TYPES, 0, ""),
    ("x.n % 2 == 1", TYPES, 4, ""),
    ("x.l < x.l", TYPES, 4, ""),
    ("x.day + x.day > x.day", TYPES, 6, ""),
    ("x.a in 3", TYPES, 4, "contains"),
    ("x.s in 'abc'", TYPES, 4, "contains"),
    ("x.a in ['a']", TYPES, 4, ""),
    ("[1, 'a'] == [1]", TYPES, 0, ""),
    ("x.l.contains('a')", TYPES, 4, "'in'"),
    ("x.s.contains(3)", TYPES, 4, ""),
    ("x.s.contains()", TYPES, 4, ""),
    ("size(x.a) > 3", TYPES, 0, ""),
    ("has(x.a + 1)", TYPES, 0, ""),
    ("has()", TYPES, 0, ""),
    ("x.l.exists(g)", TYPES, 4, ""),
    ("x.l.exists(g, g.a == 1)", TYPES, 16, ""),
    ("x.s.exists(g, g == 'a')", TYPES, 4, ""),
    ("x.ints.exists(g, g == 'a')", TYPES, 19, ""),
    ("x.l.exists(a, x.l.exists(b, x.l.exists(c, c == a)))", TYPES, 32, ""),
    ("int('abc') > 3", TYPES, 0, ""),
    ("int(x.l) > 3", TYPES, 0, ""),
    ("int() > 3", TYPES, 0, ""),
    ("timestamp('heute') > now", TYPES, 0, ""),
    ("x.day > now", TYPES, 6, "compare a date with 'today'"),
    ("x.clock < now", TYPES, 8, "time(…)"),
    ("x.at < x.day", TYPES, 5, "date(…)"),
    ("x.day > 20261120", TYPES, 6, '"2026-11-20"'),
    ("x.day > '2026-11-20T10:00:00Z'", TYPES, 6, ""),
    ("x.clock > 'soon'", TYPES, 8, ""),
    ("date('2026-02-30') == x.day", TYPES, 0, ""),
    ("date(x.day, 'Europe/Berlin') == x.day", TYPES, 0, ""),
    ("date(x.at, x.s) == x.day", TYPES, 0, ""),
    ("x.day + duration('2h') > x.day", TYPES, 6, ""),
    ("x.day + x.day == x.day", TYPES, 6, ""),
    ("x.day.getHours() > 3", TYPES, 6, ""),
    ("x.day.getDate('Europe/Berlin') > 3", TYPES, 6, ""),
    ("x.clock.getDate() > 3", TYPES, 8, ""),
    ("yearsBetween(x.at, today) > 3", TYPES, 0, "two dates"),
    ("duration('soon') > duration('1h')", TYPES, 0, ""),
    ("now.getHours(x.s) > 3", TYPES, 4, ""),
    ("now.getHours('Europe/Berlin', 3) > 3", TYPES, 4, ""),
    ("x.span.getDate() > 3", TYPES, 7, ""),
    ("x.t ? 'a' : 3", TYPES, 6, ""),
    ("(x.t ? x.a : x.s) == 3", TYPES, 5, ""),
    ("tools.used(x.s)", TYPES, 13, ""),
    ("tools.used()", TYPES, 6, ""),
    ("tools.used('think', withing: 3)", TYPES, 29, "'within'"),
    ("tools.count('think', within: 3) > 1", TYPES, 29, ""),
    ("tools.ended_with('think')", TYPES, 17, ""),
    ("visits(x.s) > 1", TYPES, 0, "visits"),
    ("x.s.contains(part: 'a')", TYPES, 4, ""),
    # regular expressions
    ("x.s.matches('(')", PATTERN, 4, ""),
    (f"x.s.matches('{'(a|b)*' * 84}')", PATTERN, 4, ""),
    ("x.s.matches('(?=a)')", PATTERN, 4, ""),
    ("x.s.matches(x.p)", PATTERN, 4, ""),
]


def test_the_table_is_long_enough() -> None:
    assert len(ROWS) >= 100


@pytest.mark.law("2.11")
@pytest.mark.parametrize(("guard", "code", "at", "hint"), ROWS)
def test_a_wrong_guard_is_refused_with_its_place(guard: str, code: str, at: int, hint: str) -> None:
    with pytest.raises(GuardError) as found:
        Compiler(machine().names).condition(parse(guard))
    error = found.value
    assert (error.code, error.at) == (code, at)
    assert hint in f"{error.message} {error.hint}"
    assert "b'" not in error.message
    assert " a text" not in error.message.partition("list of")[2]


MANY = [
    ("x.aa < 18 && x.foo == 3 && sizee(x.l) > x.a.b", [KNOWN, KNOWN, KNOWN, OUTSIDE]),
    ("x.aa + x.bb > 3", [KNOWN, KNOWN]),
    ("!(x.aa > 3) || (x.bb ? x.t : x.cc)", [KNOWN] * 3),
    ("x.l.exists(g, h == x.aa) && x.bb", [KNOWN] * 3),
    ("[x.aa, x.bb] == x.l", [KNOWN] * 2),
    ("tools.used('thnik') && visits('hom') > x.aa", [TOOL, NODE, KNOWN]),
    ("1 + 2 && x.aa", [TYPES, KNOWN]),
    # no fault that follows from another one
    ("lower(x.aa) + 3 > 2", [KNOWN]),
    ("x.s.matches(x.aa)", [KNOWN]),
    ("sizee(x.l) + 'a'", [KNOWN]),
    ("x.aa", [KNOWN]),
]


@pytest.mark.law("2.11")
@pytest.mark.parametrize(("guard", "codes"), MANY)
def test_a_guard_tells_all_its_faults_at_once(guard: str, codes: list[str]) -> None:
    faults: list[GuardError] = []
    Compiler(machine().names, faults=faults).condition(parse(guard))
    assert [fault.code for fault in faults] == codes
    assert [fault.at for fault in faults] == sorted({fault.at for fault in faults})


@pytest.mark.law("2.11")
def test_all_faults_of_a_document_have_their_places() -> None:
    text = """\
flow: f
start: home
records: {x: {a: integer, s: string}}
nodes:
  home:
    say: "{{ x.b }} and {{ x.c + size(x.d) }}"
    set: {x.a: x.e + x.g}
    transitions: [{at: before, when: x.h < 18 && x.i == 3, end: over}]
"""
    flow, problems = read_document(text, "f.yaml")
    assert not problems
    assert [str(one).partition(";")[0] for one in link_with_diagnostics(flow)[1]] == [
        f"f.yaml:{place}: TW031 'x' has no field '{name}'"
        for place, name in (
            ("6:16", "b"), ("6:30", "c"), ("6:41", "d"), ("7:18", "e"), ("7:24", "g"), ("8:40", "h"), ("8:52", "i"),
        )
    ]  # fmt: skip


def test_an_overlay_is_asked_for_by_its_name() -> None:
    flow = with_overlay()

    def found(when: str) -> list[str]:
        document = tw.Flow(**{**_parts(flow), "transitions": (tw.Transition(when=when, to="away"),)})
        return [f"{one.code} {one.message}; {one.hint}" for one in link_with_diagnostics(document)[1]]

    assert not found('overlay.active("party")')
    assert found('overlay.active("parti")') == ["TW022 no overlay is called 'parti'; did you mean 'party'?"]
    form = 'TW032 an overlay is asked for as overlay.active("name"); '
    wrong = ("overlay.active(party)", 'overlay.on("party")', "overlay.active()", 'overlay.active("party", within: 2)')
    assert all(found(when) == [form] for when in wrong)


def _parts(flow: tw.Flow) -> dict[str, object]:
    return {name: getattr(flow, name) for name in ("name", "start", "records", "tools", "nodes", "overlays")}


DOCUMENT = """\
flow: f
start: home
records:
  x: {a: integer}
nodes:
  home:
    prompt: Talk.
    transitions:
      - when: x.aa > 3
        to: away
      - {at: before, when: "x.a > 3 && now() > 3", to: away}
  away: {prompt: Talk.}
"""


def test_the_place_in_a_document_is_that_of_the_name_in_the_guard() -> None:
    flow, _ = read_document(DOCUMENT, "f.flow.yaml")
    assert [str(diagnostic) for diagnostic in link_with_diagnostics(flow)[1]] == [
        "f.flow.yaml:9:17: TW031 'x' has no field 'aa'; did you mean 'a'?",
        "f.flow.yaml:11:40: TW031 there is no function 'now'; now is written without brackets",
    ]


TOOL_ERRORS = """\
flow: f
start: a
tools: {book: {}, find: {}}
nodes:
  a:
    prompt: Talk.
    tools: {allow: ["*"]}
    transitions: [{at: error, when: %s, to: b}]
  b: {say: B., end: b}
"""


@pytest.mark.law("2.11")
@pytest.mark.parametrize(
    ("when", "faults"),
    [
        ('error.tool == "bok"', ["the flow has no tool 'bok'; did you mean 'book'?"]),
        ('error.kind == "tool" && error.tool != "bok"', ["the flow has no tool 'bok'; did you mean 'book'?"]),
        ('error.tool in ["find", "fnd"]', ["the flow has no tool 'fnd'; did you mean 'find'?"]),
        ('error.kind == "tol"', ["'error.kind' is never 'tol'; did you mean 'tool'?"]),
        ('error.tool == "book" || error.tool == ""', []),
        ('error.tool == "go_to_b"', []),
    ],
)
def test_an_error_is_compared_with_tools_and_kinds_that_there_are(when: str, faults: list[str]) -> None:
    text = TOOL_ERRORS % ("'" + when + "'")
    found = check_text(text.encode(), "f.yaml")
    assert [f"{one.message}; {one.hint}" for one in found if one.code == "TW048"] == faults
