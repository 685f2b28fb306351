"""Failures in explanations: what failed, on which field or argument, with which value and bound, and where it is written."""

from __future__ import annotations

import logging
from typing import Any

import pytest

import turnwise as tw
from support.chats import OneSyncChat, candidate, flow_of, outcomes_of, scripted_chat, sets
from turnwise.core.state.events import CallAnswered, UnderstandingFailed, Understood
from turnwise.core.trace import Failure
from turnwise.models.scripted import ScriptedModel, call

FLOW = """
flow: f
start: home
records:
  u: {age: {type: integer, max: 120}, copy: {type: integer, max: 99}, pin: {type: integer, secret: true, max: 9999}}
nodes:
  home:
    prompt: Talk.
    collect: [u]
    transitions:
      - {id: go, at: before, when: u.age > 0, to: away, set: {u.copy: u.age}}
      CAUGHT
  away: {prompt: There.}
  caught: {prompt: Caught.}
"""
CAUGHT = "- {id: broken, at: error, to: caught}"
REFUSED = Failure(
    "write",
    "u.copy: That is more than 99.",
    subject="u.copy",
    value=110,
    bound=99,
    at="flow.yaml:11",
    transition="go",
)
WORDS = "a write was refused: u.copy: That is more than 99; given 110"


# a move that was not made --------------------------------------------------------------------------------


@pytest.mark.law("2.9")
def test_a_move_whose_write_is_refused_is_not_reported_as_taken() -> None:
    with scripted_chat(FLOW.replace("CAUGHT", CAUGHT)) as chat:
        turn = chat.commands(sets(u__age=110))
        assert chat.rerun().agrees
        edges = [(edge.held, edge.taken) for edge in chat.history(transition="go") if edge.node == "home"]
    assert edges == [(1, 0)]
    before, error = turn.decisions[:2]
    assert (before.taken, outcomes_of(before)["go"]) == ("", "blocked")
    assert candidate(before, "go").failure == REFUSED
    assert candidate(before, "go").by == "u.copy: That is more than 99."
    assert before.line == f"stayed in home: go to away held, but {WORDS}"
    assert error.failure == REFUSED
    assert error.line == f"home → caught by broken; {WORDS}"
    assert turn.taken == ("broken",)
    assert turn.evaluations[0].did_transition is False
    assert turn.evaluations[0].transition_to is None


@pytest.mark.law("2.9")
@pytest.mark.parametrize(
    ("home", "away", "end"),
    [
        ("", "set: {u.copy: u.age}", "to: away"),
        ("set_on_leave: {u.copy: u.age}", "", "to: away"),
        ("", "", "end: done, set: {u.copy: u.age}"),
    ],
)
def test_a_refused_write_of_a_node_or_an_end_is_no_move_either(home: str, away: str, end: str) -> None:
    text = FLOW.replace("to: away, set: {u.copy: u.age}", end).replace("CAUGHT", CAUGHT)
    text = text.replace("collect: [u]", f"collect: [u]\n    {home}").replace(
        "away: {prompt: There.}", f"away: {{prompt: There.{', ' + away if away else ''}}}"
    )
    with scripted_chat(text) as chat:
        turn = chat.commands(sets(u__age=110))
    found = candidate(turn.decisions[0], "go")
    assert (turn.decisions[0].taken, found.outcome) == ("", "blocked")
    assert found.failure is not None
    assert (found.failure.subject, found.failure.value, found.failure.bound) == ("u.copy", 110, 99)
    assert not turn.outcome


@pytest.mark.law("2.9")
def test_a_refused_write_that_nothing_catches_is_explained_by_both_decisions() -> None:
    with scripted_chat(FLOW.replace("CAUGHT", "- {id: broken, at: error, to: caught, set: {u.copy: u.age}}")) as chat:
        turn = chat.commands(sets(u__age=110))
    before, error = turn.decisions
    assert error.line.startswith("stayed in home: broken to caught held, but a write was refused")
    assert candidate(error, "broken").failure == Failure(
        **{**{key: getattr(REFUSED, key) for key in REFUSED.__struct_fields__}, "at": "flow.yaml:12"}
        | {"transition": "broken"}
    )
    assert error.failure == REFUSED == candidate(before, "go").failure


@pytest.mark.law("2.8")
def test_a_run_that_its_limit_stopped_is_not_reported_as_moved() -> None:
    text = """
        flow: f
        start: a
        autonomous: true
        limits: {run_moves: 1}
        nodes:
          a: {prompt: A., transitions: [{id: ab, to: b}]}
          b: {prompt: B., transitions: [{id: ba, to: a}]}
    """
    with scripted_chat(text) as chat:
        last = chat.run()[-1]
    after = next(decision for decision in last.decisions if decision.moment == "after")
    assert (after.taken, outcomes_of(after)) == ("", {"ba": "blocked"})
    failure = candidate(after, "ba").failure
    assert failure is not None
    assert (failure.kind, failure.subject, failure.bound, failure.transition) == ("limit", "run_moves", 1, "ba")
    assert "ba to a held, but a limit was reached: run_moves: 1 moves in one run" in after.line


@pytest.mark.law("2.14")
def test_a_model_that_chooses_a_way_whose_write_is_refused_is_not_told_of_success() -> None:
    text = FLOW.replace("at: before, when: u.age > 0", "at: choice").replace("CAUGHT", "")
    with scripted_chat(text, replies=["…", call("go_to_away"), "…"]) as chat:
        chat.commands(sets(u__age=110))
        turn = chat.say("go")
    answer = next(event for event in turn.events if isinstance(event, CallAnswered))
    assert answer.result == {"success": False, "error": "u.copy: That is more than 99."}
    choice = next(decision for decision in turn.decisions if decision.moment == "choice")
    assert (choice.taken, candidate(choice, "go").outcome) == ("", "blocked")


# failures of every kind ----------------------------------------------------------------------------------


def failing_tool(age: int, pin: str = "") -> int:
    raise ValueError(f"no such age: {age}")


@tw.guard
def failing_guard(u: Any) -> bool:
    return {"one": 1}[str(u.age)] == 1


def failing_understanding(message: str, allowed: Any) -> list[Any]:
    raise LookupError(f"not in the list: {message}")


class FailingModel:
    async def stream(self, request: Any) -> Any:
        raise OSError("the line is dead")
        yield


def line_of(function: Any) -> str:
    """Where the first statement of a function is."""
    code = getattr(function, "original", function).__code__
    return f"{code.co_filename}:{code.co_firstlineno + 1}"


WORK = """
flow: f
start: home
records:
  u: {age: integer, pin: {type: string, secret: true}}
tools:
  look: {about: look, args: {age: {type: integer, max: 120}, pin: {type: string, optional: true, secret: true}}}
nodes:
  home:
    prompt: Talk.
    collect: [u]
    tools: {allow: [look]}
    transitions:
      - {id: go, at: before, when: u.age > 0, to: work}
      - {id: wrong, at: error, to: caught}
  work:
    tool: {name: look, with: {age: u.age}}
    transitions: [{id: broken, at: error, to: caught}]
  caught: {prompt: Caught.}
"""


def the_failure(turn: tw.Turn) -> Failure:
    """What the first `error` moment of a turn was judged for."""
    found = next(decision.failure for decision in turn.decisions if decision.moment == "error")
    assert found is not None
    return found


@pytest.mark.law("3.9")
def test_a_tool_that_raises_is_explained_with_its_line_and_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with talk_with_tools(WORK, look=failing_tool) as chat, caplog.at_level(logging.ERROR):
        turn = chat.commands(sets(u__age=40))
    at = line_of(failing_tool)
    assert the_failure(turn) == Failure("tool", "ValueError: no such age: 40", "look", at=at)
    error = next(decision for decision in turn.decisions if decision.moment == "error")
    assert error.line == "work → caught by broken; the tool look failed: ValueError: no such age: 40"
    assert error.failures[0].text.endswith(f"({at})")
    (logged,) = [record.getMessage() for record in caplog.records if record.name == "turnwise.user_code"]
    assert "Traceback" in logged and "ValueError: no such age: 40" in logged


@pytest.mark.law("3.9")
def test_arguments_of_the_nodes_own_tool_are_explained_with_field_value_and_bound() -> None:
    with talk_with_tools(WORK, look=failing_tool) as chat:
        turn = chat.commands(sets(u__age=200))
    assert the_failure(turn) == Failure(
        "tool", "age: That is more than 120.", "look", subject="age", value=200, bound=120, at="flow.yaml:17"
    )


@pytest.mark.law("3.9")
def test_a_refused_call_of_a_model_is_explained_with_argument_value_and_bound() -> None:
    calls = [call("look", age=300, pin="1234567")]
    with talk_with_tools(WORK, replies=[*calls, "…"], look=failing_tool) as chat:
        turn = chat.say("hello")
    failure = the_failure(turn)
    assert (failure.kind, failure.tool, failure.subject) == ("refused", "look", "age")
    assert (failure.value, failure.bound, failure.at) == (300, 120, "flow.yaml:7")


@pytest.mark.law("3.9")
def test_a_guard_that_raises_is_explained_with_its_line_and_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    text = WORK.replace("when: u.age > 0", "guard: failing_guard")
    with scripted_chat(text, failing_guard) as chat, caplog.at_level(logging.ERROR):
        turn = chat.commands(sets(u__age=40))
        assert chat.rerun().agrees
    at = line_of(failing_guard)
    failure = the_failure(turn)
    assert failure == Failure(
        "guard", "go: KeyError: '40'", at=f"{at.rpartition(':')[0]}:{int(at.rpartition(':')[2]) + 1}", transition="go"
    )
    (logged,) = [record.getMessage() for record in caplog.records if record.name == "turnwise.user_code"]
    assert "KeyError: '40'" in logged


@pytest.mark.law("3.9")
def test_a_model_and_an_understanding_that_raise_are_explained_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    opened = OneSyncChat(flow_of(WORK), model=FailingModel(), understand=failing_understanding, tools=[])
    with opened as chat, caplog.at_level(logging.ERROR):
        turn = chat.say("my pin is in here")
    failure = the_failure(turn)
    assert (failure.kind, failure.reason) == ("model", "OSError: the line is dead")
    assert failure.at == line_of(FailingModel.stream)
    understanding = next(event for event in turn.events if isinstance(event, UnderstandingFailed))
    assert understanding.at == line_of(failing_understanding)
    assert len([record for record in caplog.records if record.name == "turnwise.user_code"]) == 3


@pytest.mark.law("3.9")
def test_a_limit_is_explained_with_its_name_and_value() -> None:
    text = WORK.replace("start: home", "start: home\nlimits: {model_calls: 1}").replace(
        "age: {type: integer, max: 120}", ""
    )
    text = text.replace("args: {, pin", "args: {pin")
    with talk_with_tools(
        text.replace("with: {age: u.age}", ""), replies=[call("look"), "…"], look=lambda pin="": 1
    ) as chat:
        turn = chat.say("hello")
    failure = the_failure(turn)
    assert (failure.kind, failure.subject, failure.bound, failure.at) == ("limit", "model_calls", 1, "flow.yaml:4")


@pytest.mark.law("4.4")
def test_secrets_are_hidden_in_failures(caplog: pytest.LogCaptureFixture) -> None:
    def tell(age: int, pin: str = "") -> None:
        raise ValueError(f"wrong pin {pin}")

    text = WORK.replace("tool: {name: look, with: {age: u.age}}", "tool: {name: look, with: {age: 1, pin: u.pin}}")
    with talk_with_tools(text, look=tell) as chat, caplog.at_level(logging.ERROR):
        turn = chat.commands(sets(u__pin="7654321", u__age=1))
    assert the_failure(turn).reason == "ValueError: wrong pin [secret]"
    assert "7654321" not in caplog.text and "wrong pin [secret]" in caplog.text
    with scripted_chat(FLOW.replace("{u.copy: u.age}", "{u.copy: u.pin}").replace("CAUGHT", CAUGHT)) as chat:
        turn = chat.commands(sets(u__pin=120, u__age=1))
    failure = candidate(turn.decisions[0], "go").failure
    assert failure is not None
    assert (failure.subject, failure.value, failure.bound) == ("u.copy", "[secret]", 99)


@pytest.mark.law("4.3")
def test_a_call_that_nobody_could_take_is_no_use_of_the_tool() -> None:
    with scripted_chat(WORK) as chat:
        turn = chat.commands(sets(u__age=40))
    assert "is not supplied" in the_failure(turn).reason
    assert turn.state is not None
    assert turn.state.tools.counts == {}
    assert chat_counts(failing_tool) == {"look": 1}


def chat_counts(look: Any) -> dict[str, int]:
    """How often tools count as used after a call of one."""
    with talk_with_tools(WORK, look=look) as chat:
        turn = chat.commands(sets(u__age=40))
    assert turn.state is not None
    return turn.state.tools.counts


@pytest.mark.parametrize(("understand", "by"), [(None, "rules"), (lambda _message, _allowed: [], "function")])
def test_who_understood_is_recorded(understand: Any, by: str) -> None:
    with OneSyncChat(flow_of(WORK), understand=understand, model=ScriptedModel(["…"] * 9)) as chat:
        turn = chat.say("hello there")
    (found,) = [event for event in turn.events if isinstance(event, Understood)]
    assert found.by == by


def talk_with_tools(text: str, replies: Any = ("…",) * 9, **tools: Any) -> OneSyncChat:
    """A conversation with tools under their names."""
    return OneSyncChat(flow_of(text), model=ScriptedModel(replies), understand=lambda _m, _e: [], tools=tools)
