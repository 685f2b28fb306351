"""Why a tool never ran, or ran twice: the node that was not entered, the choice that was shut, the undo between."""

from __future__ import annotations

from typing import Any

import pytest

from support.tools import made, uses
from support.whys import of_kind, played
from turnwise.models.scripted import ScriptedModel


def does(**_given: Any) -> dict[str, Any]:
    """A tool that returns nothing."""
    return {}


WORK = """
records: {u: {n: integer}}
tools: {look: {about: looks up}}
nodes:
  a: {form: {fields: [{field: u.n, ask: N?}]}, transitions: [{id: reject, when: u.n < 5, to: b}, {id: go, to: t}]}
  t: {tool: look, transitions: [{to: c}]}
  b: {say: B}
  c: {say: C, end: c}
"""
OFFERED = """
records: {u: {n: integer}}
tools: {look: {about: looks up}}
nodes:
  a: {prompt: Talk., collect: [u.n], transitions: [{id: go, when: u.n > 5, to: t}]}
  t: {prompt: Hi., tools: {allow: [look]}, transitions: [{to: c, when: turns > 9}]}
  c: {say: C, end: c}
"""


@pytest.mark.parametrize(("text", "kind", "by"), [(WORK, "tool_is_work", "reject"), (OFFERED, "tool_not_offered", "")])
def test_a_tool_whose_node_was_never_entered_says_why(text: str, kind: str, by: str) -> None:
    chat = played(text, "3", tools={"look": does}, model=ScriptedModel(["Hm."] * 3))
    answer, node = chat.why("look"), chat.why("t")
    first = answer.facts[0]
    assert first.kind == kind
    assert node.line in first.text
    assert [one.text for one in first.causes[-1:]] == [node.line]
    assert not by or by in first.text
    assert of_kind(answer, "value_read")[0].values["name"] == "u.n"


def test_a_tool_that_ran_or_whose_node_was_entered_has_no_such_reason() -> None:
    ran = played(WORK, "9", tools={"look": does}).why("look")
    assert all("unreached" not in one.values for one in ran.facts)
    idle = played(OFFERED, "9", "hello", tools={"look": does}, model=ScriptedModel(["Hm."] * 4)).why("look")
    assert idle.facts[0].kind == "tool_not_called"
    assert all("unreached" not in one.values for one in idle.facts)


def test_of_several_nodes_each_reason_is_named_and_none_where_one_was_entered() -> None:
    second = WORK.replace("  b: {say: B}\n", "  b: {say: B, transitions: [{id: on, when: turns > 8, to: t2}]}\n")
    second += "  t2: {tool: look, transitions: [{to: c}]}\n"
    found = played(second, "3", tools={"look": does}).why("look").facts[0]
    assert found.values["nodes"] == "t and t2"
    assert len(found.causes) == 2
    assert "on" in found.text


CHOICE = """
records: {u: {vip: {type: boolean, default: false}, n: {type: integer, secret: true}}}
nodes:
  a:
    prompt: Talk.
    collect: [u.vip, u.n]
    transitions: [{id: over, at: choice, when: u.vip, to: agent}, {id: done, when: turns > 9, to: z}]
  agent: {say: Hi., transitions: [{to: z}]}
  z: {say: Z, end: z}
"""


def shut(text: str = CHOICE) -> Any:
    """A conversation whose model chose a way that was not open."""
    return played(text, "a person", model=ScriptedModel([uses("go_to_agent"), "Hello.", *["Hm."] * 4]))


@pytest.mark.parametrize("subject", ["go_to_agent", "over", "agent", "turn 1"])
def test_a_choice_that_was_shut_shows_the_refused_call_and_the_values(subject: str) -> None:
    answer = shut().why(subject)
    refused = "over needs u.vip (is false by default)"
    assert refused in answer.line
    call = next((one for fact in answer.facts for one in fact.walk() if one.kind == "call_refused"), None)
    if call is not None:
        assert (call.turn, call.values["shut"]) == (1, refused)
    assert "u.vip" in [one.values["name"] for one in of_kind(answer, "value_read")]


def test_a_choice_that_is_shut_and_was_not_called_says_what_it_lacks() -> None:
    answer = played(CHOICE, "hello", model=ScriptedModel(["Hm."] * 4)).why("go_to_agent")
    assert answer.facts[0].kind == "tool_not_offered"
    assert answer.facts[0].values["reason"].endswith("it needs u.vip (is false by default)")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("when: u.vip", "when: 'u.vip && u.n > 5'"), "(u.vip is false by default, u.n is not known)"),
        (("collect: [u.vip", "tools: {deny: [go_to_agent]}\n    collect: [u.vip"), "the deny list of a has it"),
        (("to: agent}, {id: done", "to: z}, {id: done"), "a has no transition that the model chooses to go there"),
    ],
)
def test_each_way_to_be_shut_is_named(change: tuple[str, str], reason: str) -> None:
    call = of_kind(shut(CHOICE.replace(*change)).why("turn 1"), "call_refused")[0]
    assert reason in call.values["shut"]


def test_a_secret_that_kept_a_choice_shut_stays_secret() -> None:
    text = CHOICE.replace("when: u.vip", "when: u.n > 5")
    chat = played(text, "n is 4", model=ScriptedModel(["Hm.", uses("go_to_agent"), "Hello.", *["Hm."] * 4]))
    for subject in ("go_to_agent", "over", "turn 2"):
        assert "4" not in "".join(str(one.values.get("shut")) for one in of_kind(chat.why(subject), "call_refused"))


TWICE = """
records: {u: {n: integer}}
tools: {book: {about: books}}
commands: [undo]
nodes:
  a: {form: {fields: [{field: u.n, ask: N?}]}, transitions: [{to: t}]}
  t: {tool: book, transitions: [{to: c}]}
  c: {say: C, transitions: [{when: turns > 9, to: d}]}
  d: {say: D}
"""


@pytest.mark.parametrize("kind", ["read", "effect"])
@pytest.mark.parametrize("again", ["3", "4"])
def test_a_tool_that_ran_twice_names_the_undo_between(kind: str, again: str) -> None:
    text = TWICE.replace("books}", f"books, kind: {kind}}}")
    once_more = ("yes",) if kind == "effect" else ()  # an undo did not reverse it
    answer = played(text, "3", "undo", again, *once_more, tools={"book": does}).why("book")
    assert answer.facts[0].values["before"] == "it ran in turn 2, too, which the undo of turn 3 took back"
    assert "the undo of turn 3" in of_kind(answer, "tool_used")[0].values["others"]
    called = of_kind(answer, "tool_called")[0]
    is_same = called.values["again"].startswith("it was done in turn 2 (")
    assert is_same == (kind == "effect")
    assert not called.values["again"] or called.values["again"].endswith("and an undo did not reverse that")
    assert "may have" not in str(answer)


def test_each_of_several_undos_is_named() -> None:
    answer = played(TWICE, "3", "undo", "4", "undo", "5", tools={"book": does}).why("book")
    assert (
        answer.facts[0].values["before"].endswith("in turns 2 and 4, too, which the undos of turns 3 and 5 took back")
    )


def test_a_tool_that_ran_twice_without_an_undo_names_none() -> None:
    text = TWICE.replace("{when: turns > 9, to: d}", "{when: turns > 0, to: t}")
    answer = played(text, "3", "hello", tools={"book": does}).why("book")
    assert "before" not in answer.facts[0].values
    assert not of_kind(answer, "tool_used")[0].values["others"]


def test_an_approved_call_of_a_model_that_runs_again_names_its_first_run() -> None:
    text = """
    tools: {book: {about: books, kind: effect, confirm: true}}
    commands: [undo]
    nodes:
      a: {prompt: Talk., tools: {allow: [book]}, transitions: [{when: turns > 9, to: b}]}
      b: {say: B, end: b}
    """.replace("\n    ", "\n")
    model = ScriptedModel(["Hi.", uses(made("book")), "Done.", uses(made("book")), "Done.", *["Hm."] * 4])
    chat = played(text, "book it", "yes", "undo", "book it", "yes", tools={"book": does}, model=model)
    answer = chat.why("book")
    assert "the undo of turn 4" in answer.facts[0].values["before"]
    assert "may have" not in str(answer)
