"""Scenarios with scripted calls and results: what they say, what of it is a mistake, what a real model changes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from support.shell import ROOT
from turnwise.api.open import Turn
from turnwise.errors import ProviderFailed
from turnwise.models.cassette import CassetteModel
from turnwise.models.scripted import ScriptedModel, call
from turnwise.runner.model_port import CallMade, ModelReply, StreamingModel
from turnwise.testing.key_checks import REFUSED_CALLS
from turnwise.testing.notation import NotationError, ScriptedFailure, ScriptedResult, read_reply, read_result
from turnwise.testing.play import PlayedScenario, play_file
from turnwise.testing.report import failure_lines, rewrite_expectations
from turnwise.testing.scenario import ScenarioError, parse_scenarios

FLOW = """\
flow:
  flow: stay
  start: help
  records: {place: {town: string}}
  tools:
    search: {about: search the web, args: {q: string}}
    save: {about: save a note, kind: effect, args: {text: string}}
    book: {about: book a room, kind: effect, confirm: true, args: {room: string}}
  nodes:
    help:
      prompt: Help the user find a place to stay.
      tools: {allow: [search, book]}
      writes: [place]
      transitions: [{at: tool, when: 'tools.used("search")', to: note}]
    note: {prompt: Write down what was found., tools: {allow: [save]}}
"""
BEGIN = FLOW.count("\n") + 1
FOUND = 'model: -> search {"q": "beds"}\nmodel: Done.\nresult search: [1]\nuser: beds\n'


def played(lines: str, at: Path, model: StreamingModel | None = None, flow: str = FLOW, **more: Path) -> PlayedScenario:
    """The one scenario of a text."""
    (one,) = play_file(parse_scenarios(flow + lines, at / "odd.scenario"), model, **more)
    return one


def told(one: PlayedScenario) -> list[str]:
    """What is said of it, with the lines counted from the first one behind the flow."""
    found = [(problem.number - BEGIN + 1, problem.text) for problem in one.problems]
    found += [(miss.line.number - BEGIN + 1, f"{miss.line.value} / {miss.found}") for miss in one.misses]
    return [f"{number}: {text}" for number, text in found]


# notation ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("Hello.\nThere.", ModelReply("Hello.\nThere.")),
        ("-> think", ModelReply(calls=(CallMade("think"),))),
        ('Well.\n-> think {"a": 1}\n-> go_to_b', ModelReply("Well.", calls=(CallMade("think", {"a": 1}), CallMade("go_to_b")))),
        ('-> think {\n    "a": [1,\n    2]}', ModelReply(calls=(CallMade("think", {"a": [1, 2]}),))),
        ('-> think "{oops"', ModelReply(calls=(CallMade("think", "{oops"),))),
        ("a -> b", ModelReply("a -> b")),
        ("fails", ScriptedFailure()),
        ("fails no network", ScriptedFailure("no network")),
        ("failsafe", ModelReply("failsafe")),
    ],
)  # fmt: skip
def test_a_reply_is_a_text_and_calls(text: str, reply: ModelReply | ScriptedFailure) -> None:
    assert read_reply(text) == reply


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("-> think {a: 1}", "the arguments of '-> think {a: 1}' are no JSON: "),
        ("-> think [1]", "the arguments of '-> think [1]' are no object"),
        ("-> {}", "'-> {}' is no call"),
        ("-> think\nHm.", "what is said stands before the calls"),
    ],
)
def test_a_reply_that_cannot_be_read_is_told(text: str, said: str) -> None:
    with pytest.raises(NotationError, match=said.replace("[", r"\[").replace("{", r"\{")):
        read_reply(text)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ('"a thought"', ScriptedResult("a thought")),
        ("null", ScriptedResult(None)),
        ('{"a":\n [1]}', ScriptedResult({"a": [1]})),
        ("fails", ScriptedFailure()),
        ("fails the disk is full", ScriptedFailure("the disk is full")),
        ("in doubt the line went dead", ScriptedFailure("the line went dead", in_doubt=True)),
    ],
)
def test_a_result_is_json_or_a_failure(text: str, result: ScriptedResult | ScriptedFailure) -> None:
    assert read_result(text) == result


# what comes out ----------------------------------------------------------------------------------

EXPECTED = [
    'calls: search {"q": "beds"} => [1]',
    'calls: search {"q":"beds"} =>  [ 1 ]',
    "calls: search",
    "calls: search => [1]",
    'calls: search {"q": "beds"}',
    "offered: save",
    "offered 1: search, book, write_place",
    "offered 2: save",
    "asked contains: Write down what was found.",
    "asked contains 1: Help the user",
    "asked contains: search: [1]",
    'asked contains: -> search {"q": "beds"}',
    "asked contains: user: beds",
    "asked without: Help the user",
    "asked without 1: Write down",
]


@pytest.mark.parametrize("line", EXPECTED)
def test_what_comes_out_is_as_expected(line: str, tmp_path: Path) -> None:
    assert told(played(f"{FOUND}{line}\n", tmp_path)) == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("calls: none", 'search {"q": "beds"} => [1]'),
        ('calls: search {"q": "bed"}', 'search {"q": "beds"} => [1]'),
        ("calls: search => [2]", 'search {"q": "beds"} => [1]'),
        ("calls: search failed", 'search {"q": "beds"} => [1]'),
        ("calls: save", 'search {"q": "beds"} => [1]'),
        ("calls:\n  search\n  search", 'search {"q": "beds"} => [1]'),
        ("offered: search", "save"),
        ("offered 3: search", "no call"),
        ("asked without: Write down", "Write down what was found."),
        ("asked contains 3: Write down", "no call"),
        ("asked without 3: nothing of it", "no call"),
    ],
)
def test_what_comes_out_otherwise_is_told(line: str, found: str, tmp_path: Path) -> None:
    (miss,) = played(f"{FOUND}{line}\n", tmp_path).misses
    assert found in miss.found


ENDS = [
    ('model: -> search {"q": "a"}\nmodel: So.\nresult search: fails no network\nuser: x', 'search {"q": "a"} failed no network'),
    ('model: -> book {"room": "a"}\nuser: x', 'book {"room": "a"} held'),
    ('model: -> book {"room": "a"}\nuser: x\nmodel: So.\nresult book: in doubt it hung\nuser: yes', 'book {"room": "a"} in doubt it hung'),
    ('model: -> book {"room": "a"}\nuser: x\nmodel: So.\nresult book: 1\npress: Yes', 'book {"room": "a"} => 1'),
    ('model: -> book {"room": "a"}\nuser: x\nmodel: So.\nuser: no', 'book {"room": "a"} refused declined'),
    ('model: -> book {}\nmodel: So.\nuser: x', "book {} refused arguments"),
    ('model: -> save {"text": "a"}\nmodel: So.\nuser: x', 'save {"text": "a"} refused not_allowed'),
    ("model: -> serch {}\nmodel: So.\nuser: x", "serch {} refused unknown_tool"),
    ('model: -> search "{oops"\nmodel: So.\nuser: x', "search refused not_json"),
    ('model: -> write_place {"set": {"town": "Rome"}}\nmodel: So.\nuser: x', 'write_place {"set": {"town": "Rome"}} => {"success": true'),
    ('model: -> write_place {"set": {"twn": 1}}\nmodel: So.\nuser: x', 'write_place {"set": {"twn": 1}} => {"success": false'),
    ("model: So.\nuser: x", "none"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "end"), ENDS)
def test_what_became_of_a_call_is_written_down_and_read_again(lines: str, end: str, tmp_path: Path) -> None:
    text = f"{FLOW}{lines}\ncalls:\n"
    file = parse_scenarios(text, tmp_path / "odd.scenario")
    written = rewrite_expectations(file, play_file(file))
    line = written.split("\ncalls: ")[-1].strip()
    assert line.startswith(end)
    again = parse_scenarios(written, tmp_path / "odd.scenario")
    assert [one.passed for one in play_file(again)] == [True]
    assert rewrite_expectations(again, play_file(again)) == written


def test_a_step_that_expects_nothing_gets_its_calls_too(tmp_path: Path) -> None:
    file = parse_scenarios(FLOW + FOUND, tmp_path / "odd.scenario")
    assert rewrite_expectations(file, play_file(file)).endswith(
        'user: beds\nbot: Done.\nbuttons: none\ncalls: search {"q": "beds"} => [1]\n'
    )


def test_what_must_be_contained_is_never_rewritten(tmp_path: Path) -> None:
    file = parse_scenarios(f"{FLOW}{FOUND}asked contains: gone\nnode: help\n", tmp_path / "odd.scenario")
    assert rewrite_expectations(file, play_file(file)).endswith("asked contains: gone\nnode: note\n")


def test_the_codes_of_refused_calls_are_explained() -> None:
    page = (ROOT / "docs" / "scenarios.md").read_text("utf-8")
    table = page[page.index("| code of a refused call |") : page.index("| code of a warning |")]
    told = {code for line in table.splitlines() for code in re.findall(r"`(\w+)`", line.partition(" | ")[0])}
    assert told == set(REFUSED_CALLS)


# mistakes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (FOUND.replace("result search", "result serch"), "3: there is no tool 'serch'; did you mean 'search'?"),
        (FOUND.replace("result search", "result"), "3: which tool?"),
        (FOUND.replace("[1]", "[1"), "3: a result is JSON"),
        (FOUND.replace("-> search {", "-> search {{"), "1: the arguments of"),
        (f"{FOUND}calls: search ==> 1", "5: 'search ==> 1' is no call"),
        (f"{FOUND}calls: search {{1}}", "5: 'search {1}' is no call"),
        (f"{FOUND}calls: serch refused unkown_tool", "5: there is no code of a refused call 'unkown_tool'; did you mean 'unknown_tool'?"),
        (f"{FOUND}offered: serch", "5: there is no tool 'serch'; did you mean 'search'?"),
        (f"{FOUND}offered 0: search", "5: '0' is no number of a call"),
        (f"{FOUND}asked contains:", "5: every text contains nothing"),
        ("run:\nturn: 1", "1: this flow does not go on by itself"),
        ("model: Hi.\nmodel: Ho.\nuser: x\nturn: 1", "2: Ho. / nothing asked for it"),
        ("model: Hi.\nresult save: 1\nuser: x\nturn: 1", "2: 1 / nothing asked for it"),
        ('model: -> search {"q": "a"}\nresult search: 1\nuser: x\nturn: 1', "1: the model was asked again after this reply"),
        ('model: -> search {"q": "a"}\nmodel: So.\nuser: x\nturn: 1', "3: 'search' is not supplied: script 'result search: …'"),
        ("model: -> save\nmodel: So.\nuser: x\nturn: 1", "1: the call of 'save' was refused: 'save' is not allowed here"),
    ],
)  # fmt: skip
def test_what_means_nothing_is_told_with_its_line(lines: str, said: str, tmp_path: Path) -> None:
    one = played(lines + "\n", tmp_path)
    assert not one.passed
    assert [line for line in told(one) if line.startswith(said)], told(one)


def test_too_few_replies_are_told_whatever_is_expected(tmp_path: Path) -> None:
    lines = 'model: -> search {"q": "a"}\nresult search: 1\nuser: x\ncalls: search {"q": "a"} => 1\n'
    assert told(played(lines, tmp_path)) == [
        "1: the model was asked again after this reply; script what it says then with another 'model:'"
    ]


SPILT = """\
scenario: guilty
model: Hi.
user: x
bot:
result search: "left over"
model: late

scenario: sound
model: Fine.
user: x
bot:
"""


def test_what_is_scripted_behind_the_last_input_stays_out_of_the_next_scenario(tmp_path: Path) -> None:
    file = parse_scenarios(FLOW + SPILT, tmp_path / "odd.scenario")
    guilty, sound = found = play_file(file)
    assert told(guilty) == ["5: no input follows 'result'", "6: no input follows 'model'"]
    assert sound.problems == []
    assert rewrite_expectations(file, found) == f"{FLOW}{SPILT}"[: -len("\n")] + " Fine.\n"


def test_what_is_scripted_above_the_first_scenario_is_told(tmp_path: Path) -> None:
    file = parse_scenarios(f"{FLOW}model: Hi.\nscenario: one\nuser: x\nnode: help\n", tmp_path / "odd.scenario")
    with pytest.raises(ScenarioError, match=f":{BEGIN}: no input follows 'model'"):
        play_file(file)


# code --------------------------------------------------------------------------------------------

CODE = """\
from urllib.parse import quote as save

import turnwise as tw

asked = []


def search(q: str) -> str:
    return f"found {q}"


@tw.tool(kind="effect", confirm=True)
async def book(room: str) -> str:
    return f"booked {room}"


def other() -> None:
    raise AssertionError("nobody calls it")
"""
USES = 'model: -> search {"q": "a"}\nmodel: So.\nuser: x\ncalls: search => "found a"\n'


def test_functions_are_tools_by_their_names_and_a_result_takes_their_place(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(CODE, "utf-8")
    flow = f"python: code.py\n{FLOW}"
    assert told(played(USES, tmp_path, flow=flow)) == []
    assert (
        told(played(USES.replace("user", "result search: 1\nuser").replace('"found a"', "1"), tmp_path, flow=flow))
        == []
    )
    assert told(played(USES, tmp_path, python=tmp_path / "code.py")) == []
    booked = 'model: -> book {"room": "a"}\nuser: x\nmodel: So.\nuser: yes\ncalls: book => "booked a"\n'
    assert told(played(booked, tmp_path, flow=flow)) == []


def test_what_a_file_imports_is_no_tool(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(CODE, "utf-8")
    lines = USES.replace("So.", '-> save {"text": "a"}\nmodel: So.') + '  save {"text": "a"} failed nobody supplies\n'
    one = played(lines, tmp_path, flow=f"python: code.py\n{FLOW}")
    assert "failed 'save' is not supplied" in one.misses[0].found


# models ------------------------------------------------------------------------------------------


def test_a_model_speaks_in_place_of_the_script_and_what_it_gets_to_is_compared(tmp_path: Path) -> None:
    lines = f"{FOUND}bot: Done.\ncalls: none\nnode: note\n"
    other = [ModelReply("I look."), call("search", q="rooms"), ModelReply("Here you are.")]
    model = ScriptedModel(other[1:])
    one = played(lines, tmp_path, model)
    assert (told(one), one.turns[0].text) == ([], "Here you are.")
    assert [line.split(":")[0] for line in told(played(lines, tmp_path, ScriptedModel(other[:1])))] == ["7"]


def test_a_result_goes_on_answering_a_model(tmp_path: Path) -> None:
    flow = FLOW.replace("to: note}", "when: 'tools.count(\"search\") > 2', to: note}").replace(
        "when: 'tools.used(\"search\")', ", ""
    )
    model = ScriptedModel([call("search", q="a"), call("search", q="b"), call("search", q="c"), "Done."])
    one = played(f"{FOUND}node: note\n", tmp_path, model, flow)
    assert told(one) == []
    assert [made.result for made in _results(one.turns[0])] == [[1], [1], [1]]


def _results(turn: Turn) -> list[Any]:
    from turnwise.core.state.events import ToolReturned

    return [event for event in turn.events if isinstance(event, ToolReturned)]


def test_a_step_in_which_the_script_fails_stays_a_script(tmp_path: Path) -> None:
    model = ScriptedModel(["never said"])
    one = played("model: fails no network\nuser: x\nstatus: failed model: no network\n", tmp_path, model)
    assert told(one) == []
    assert model.calls == []


@pytest.mark.parametrize("replies", ["model: Hi.\n", ""])
@pytest.mark.parametrize("expected", ["node: help\n", "node: help\nstatus: waiting for user\n", "refused: no\n"])
def test_a_model_that_does_not_answer_fails_the_scenario(replies: str, expected: str, tmp_path: Path) -> None:
    one = played(f"{replies}user: x\n{expected}", tmp_path, ScriptedModel([ProviderFailed("nobody there")]))
    assert not one.passed
    assert f"{1 + bool(replies)}: the model did not answer: nobody there" in told(one)


def test_a_model_that_does_not_answer_may_be_expected(tmp_path: Path) -> None:
    lines = "user: x\nstatus: failed model: nobody there\n"
    assert told(played(lines, tmp_path, ScriptedModel([ProviderFailed("nobody there")]))) == []


def test_a_model_that_answers_at_the_second_attempt_answers(tmp_path: Path) -> None:
    flow = FLOW.replace("writes: [place]", "writes: [place]\n      retry: {times: 1, pause: 0s}")
    model = ScriptedModel([ProviderFailed("nobody there"), "Hi."])
    assert told(played("user: x\nnode: help\n", tmp_path, model, flow)) == []


def test_a_stale_recording_is_told_with_the_difference_and_nothing_is_rewritten(tmp_path: Path) -> None:
    lines, path = "scenario: one\nmodel: Hi.\nuser: hello\nnode: help\n", tmp_path / "rec.json"
    assert told(played(lines, tmp_path, CassetteModel(path, ScriptedModel(["Ho."])))) == []
    other = parse_scenarios(
        FLOW + lines.replace("hello", "hallo").replace("node: help", "node:"), tmp_path / "a.scenario"
    )
    (one,) = found = play_file(other, CassetteModel(path))
    (problem,) = one.problems
    assert "is stale: call 1 asks something else now" in problem.text
    assert '    +      "text": "hallo"' in failure_lines(Path("a"), found)
    assert rewrite_expectations(other, found) == "\n".join(other.lines) + "\n"


def test_a_scenario_of_which_nothing_is_compared_fails(tmp_path: Path) -> None:
    one = played("scenario: words\nmodel: Hi.\nuser: x\nbot: Hi.\n", tmp_path, ScriptedModel(["Ho."]))
    assert told(one) == ["1: where a model speaks, nothing here is compared; expect a node, a field or a status"]
    assert list(failure_lines(Path("a"), [one]))[1].endswith("expect a node, a field or a status")


# flows that go on by themselves ------------------------------------------------------------------

ALONE = """\
flow:
  flow: alone
  autonomous: true
  start: one
  records: {plan: {text: string}}
  nodes:
    one: {prompt: First., transitions: [{to: two}]}
    two: {prompt: Second., transitions: [{to: ask}]}
    ask: {form: {fields: [{field: plan.text, ask: What now?}]}, transitions: [{to: three}]}
    three: {prompt: Third., transitions: [{to: four}]}
    four: {say: Over., end: over}
"""


def test_all_turns_of_a_run_are_one_step(tmp_path: Path) -> None:
    lines = (
        "model: One.\nmodel: Two.\nrun:\nbot:\n  One.\n\n  Two.\n\n  What now?\nnode: ask\noffered 1: none\n"
        "asked contains 1: First.\nasked contains 2: Second.\ntransition to_two: taken\n"
        "model: Three.\ncommands: set(plan.text, go)\nbot:\n  Three.\n\n  Over.\nstatus: ended over\n"
    )
    one = played(lines, tmp_path, flow=ALONE)
    assert told(one) == []
    assert [len({entry.turn for entry in turn.entries}) for turn in one.turns] == [3, 2]


def test_a_run_comes_first(tmp_path: Path) -> None:
    one = played("model: One.\nmodel: Two.\nstart:\nnode: ask\nrun:\n", tmp_path, flow=ALONE)
    assert [line.split(": ")[1] for line in told(one)] == [
        "'run' begins a conversation; it is the first input of a scenario"
    ]


@pytest.mark.parametrize("odd", ["\u2028", "\x85", "\x0b", "\x1c"], ids=ascii)
def test_a_text_with_an_odd_break_is_one_line_of_the_file(odd: str, tmp_path: Path) -> None:
    file = parse_scenarios(f"{FLOW}model: One.{odd}Two.\nuser: x\nbot: ?\n", tmp_path / "odd.scenario")
    written = rewrite_expectations(file, play_file(file))
    assert written.endswith(f"bot: One.{odd}Two.\n")
    assert [one.passed for one in play_file(parse_scenarios(written, tmp_path / "odd.scenario"))] == [True]
