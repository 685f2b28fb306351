"""Which tools a model is offered, and why each of the others is not."""

from __future__ import annotations

import pytest

from support.chats import scripted_chat, sets
from turnwise.core.tools.offered import offered_tools
from turnwise.core.tools.standing import tool_standings

FLOW = """
flow: f
start: home
records: {user: {name: string, age: integer}, case: {note: string}}
tools:
  look: {about: look it up}
  book: {about: book it, kind: effect}
  send: {about: send it, kind: effect}
nodes:
  home:
    prompt: Talk.
    reads: [case]
    tools: {allow: [look, book], deny: [read_case], sequence: [look, book]}
    transitions:
      - {id: to_plan, at: choice, when: has(user.name), to: plan}
      - {id: to_done, at: choice, to: done}
  plan: {prompt: Plan., writes: [user], transitions: [{id: back, at: after, when: user.age > 3, to: talk}]}
  talk: {say: Hello., tools: {}}
  done: {say: Done., end: completed}
"""


def test_every_tool_says_why_it_is_offered_or_not() -> None:
    with scripted_chat(FLOW) as chat:
        state = chat.start().state
        found = {one.name: one for one in tool_standings(chat.machine, state)}
    reasons = {name: one.reason for name, one in found.items()}
    assert reasons == {
        "look": "offered",
        "book": "out_of_sequence",
        "send": "not_allowed",
        "read_case": "denied",
        "write_user": "not_written",
        "go_to_plan": "way_is_false",
        "go_to_done": "offered",
    }
    assert found["book"].text == "the sequence of home expects look now"
    assert found["read_case"].text == "home denies it: deny: [read_case]"
    assert found["write_user"].text == "home does not list user in writes"
    assert [name for name, one in found.items() if one.is_effect] == ["book", "send"]
    assert {one.name for one in offered_tools(chat.machine, state)} == {n for n, one in found.items() if one.is_offered}


@pytest.mark.parametrize(("values", "offered"), [({}, "way_is_false"), ({"user__name": "Ada"}, "offered")])
def test_a_choice_is_offered_while_its_guard_holds(values: dict[str, str], offered: str) -> None:
    with scripted_chat(FLOW) as chat:
        chat.start()
        turn = chat.commands([*sets(**values), *sets(user__age=1)])
        assert {one.name: one.reason for one in tool_standings(chat.machine, turn.state)}["go_to_plan"] == offered
