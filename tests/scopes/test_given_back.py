"""A form goes on with what a scope gave back while its question was open (laws 6.1, 6.4)."""

from __future__ import annotations

import pytest

import turnwise as tw
from turnwise import SyncChat
from turnwise.core.state import commands as c

FLOW = """
flow: visit
start: ask
language: en
commands: [{{start: [pick]}}]
records:
  part: {{kind: {{type: choice, options: [Oak, Pine]}}, size: {{type: choice, options: [Small, Large]}}}}
  visit:
    day: {{type: choice, options: [Monday, Friday], about: day}}
    note: {{type: choice, options: [A, B], about: note}}
    parts: {{type: list, of: part, max: 3}}
nodes:
  ask:
    form:
      fields: [{fields}]
      confirm: {{}}
  pick:
    scope: {{inherits: [visit], returns: visit, on_return: {on_return}}}
    form:
      fields: [{{field: visit.day, ask: "Inner day?"}}]
"""
QUESTIONS = '{field: visit.day, ask: "Day?"}, {field: visit.note, ask: "Note?"}'
ITEMS = '{field: visit.parts, items: [{field: kind, ask: "Kind?"}, {field: size, ask: "Size?"}], more: "More?"}'


def begun(fields: str, on_return: str = "resume") -> SyncChat:
    app = tw.open_sync(tw.loads(FLOW.format(fields=fields, on_return=on_return)))
    chat = app.chat("a")
    chat.start()
    return chat


@pytest.mark.law("6.1", "6.4")
@pytest.mark.parametrize("on_return", ["resume", "re-enter"])
def test_a_question_that_a_scope_answered_is_not_asked_again(on_return: str) -> None:
    chat = begun(QUESTIONS, on_return)
    chat.commands([c.Start(target="pick")])
    turn = chat.say("friday")
    assert (turn.text or "").endswith("Note?")
    assert chat.say("A").state.values["visit.note"].value == "A"


@pytest.mark.law("5.17", "6.4")
def test_no_value_is_asked_of_an_item_that_a_scope_took_out_of_the_list() -> None:
    """The scope gives back its whole record, in which the list has no items."""
    chat = begun(ITEMS)
    chat.commands([c.Add(field="visit.parts", item={"kind": "Oak"})])
    assert "Size?" in (chat.say("hello").text or "")
    chat.commands([c.Start(target="pick")])
    chat.commands([c.Clear(field="pick/visit.parts")])
    turn = chat.say("friday")
    run = turn.state.frame.form
    assert "visit.parts" not in turn.state.values
    assert run is not None
    assert run.item == ""
    assert (turn.text or "").endswith("Kind?")
