"""Faults that thousands of random nestings showed, each in its smallest form."""

from __future__ import annotations

import turnwise as tw
from support.chats import flow_of
from turnwise.core.link import link
from turnwise.core.migration.carry import carry_state

FLOW = """
flow: desk
start: ask
commands: [undo, {start: [aside]}]
records: {case: {what: string, more: string}}
nodes:
  ask:
    form:
      fields: [{field: case.what, ask: What?}, {field: case.more, ask: What more?, ask_when: turns < 1}]
      confirm: {}
  aside:
    title: Something else
    scope: {start: talk, nodes: {talk: {say: Yes?, transitions: [{at: before, when: turns > 1, end: over}]}}}
"""


def opened() -> tw.SyncApp:
    return tw.open_sync(flow_of(FLOW))


def test_a_frame_that_an_undo_opened_again_is_closed_by_one_behind_its_closing() -> None:
    with opened() as app:
        chat = app.chat("main")
        chat.start()
        for text in ("a lamp", "something else", "one", "two"):
            chat.say(text)
        closed = chat.state().turn
        assert [(one.scope, one.status, one.outcome) for one in chat.frames()[1:]] == [("aside", "closed", "over")]
        chat.undo(to=closed - 1)
        assert [one.status for one in chat.frames()] == ["open", "open"]
        chat.undo(to=closed)
        assert len(chat.state().frames) == 1
        (aside,) = chat.frames()[1:]
        assert (aside.status, aside.outcome, aside.closed_turn) == ("closed", "over", closed)


def test_a_form_below_a_scope_is_carried_over_with_what_its_own_frame_counts() -> None:
    with opened() as app:
        chat = app.chat("main")
        chat.start()
        chat.say("a lamp")
        chat.say("something else")
        state = chat.state()
        assert [frame.form.status for frame in state.frames if frame.form is not None] == ["awaiting_confirmation"]
        machine = link(flow_of(FLOW))
        assert carry_state(machine, state, old=machine).reasons == ()
