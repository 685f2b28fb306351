"""The part of a conversation that a model is shown: the present turn whole, some turns of history, nothing undone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from support.chats import NOON_MS, OneSyncChat, flow_of
from turnwise.core.prompts import ModelRequest
from turnwise.models.scripted import Planned, ScriptedModel, call
from turnwise.runner.clocks import ManualClock
from turnwise.runner.model_port import ModelReply
from turnwise.runner.ports import Store
from turnwise.stores.memory import MemoryStore

LIBRARY = """
    flow: library
    start: desk
    limits: {{window: {window}}}
    records: {{reader: {{card: string{secret}}}}}
    tools: {{shelf: {{about: find a shelf, args: {{number: integer}}}}}}
    nodes: {{desk: {{prompt: Help the reader., collect: [reader.card], tools: {{allow: [shelf]}}}}}}
"""
SECRET = "{type: string, secret: true}"


def library(window: int, secret: bool = False) -> str:
    text = LIBRARY.format(window=window, secret="")
    return text.replace("card: string", f"card: {SECRET}") if secret else text


class Talk:
    """A conversation with scripted replies, and tools that return something."""

    def __init__(self, flow: str, plan: list[Planned], store: Store | None = None) -> None:
        self.model, self.store = ScriptedModel(plan), store or MemoryStore()
        of = flow_of(flow)
        tools = [tool for tool in TOOLS if tool.__name__ in {one.name for one in of.tools}]
        clock = ManualClock(NOON_MS)
        self.chat = OneSyncChat(of, tools=tools, store=self.store, model=self.model, clock=clock)
        OPEN.append(self.chat)


OPEN: list[OneSyncChat] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


def shelf(number: int) -> str:
    return f"shelf {number}"


def balance(account: str) -> str:
    return f"4711 on {account}"


def pay(amount: int) -> str:
    return f"paid {amount}"


TOOLS = [shelf, balance, pay]


def talked(flow: str, *turns: tuple[str, int]) -> Talk:
    """A conversation; each turn is a message and how many calls the model makes before it replies."""
    plan: list[Planned] = []
    for message, calls in turns:
        plan += [ModelReply(calls=call("shelf", number=n).calls) for n in range(calls)]
        plan.append(f"Reply to {message}.")
    made = Talk(flow, plan)
    for message, _ in turns:
        made.chat.say(message)
    return made


def said(request: ModelRequest) -> list[str]:
    """What the user said, as a request shows it."""
    return [message.text for message in request.transcript if message.role == "user"]


@pytest.mark.law("3.6")
@pytest.mark.parametrize("window", [1, 2, 4, 6, 10])
@pytest.mark.parametrize("calls", [1, 5, 11])
@pytest.mark.parametrize("secret", [False, True])
def test_the_present_message_and_every_result_of_its_turn_are_shown(window: int, calls: int, secret: bool) -> None:
    made = talked(library(window, secret), ("hello", 0), ("hello again", 2), ("which shelf has maps?", calls))
    for number, request in enumerate(made.model.calls[-calls - 1 :]):
        assert said(request)[-1] == "which shelf has maps?"
        shown = [one.role for one in request.transcript]
        behind = shown[len(shown) - 1 - shown[::-1].index("user") + 1 :]
        assert behind == ["agent", "tool"] * number


@pytest.mark.law("3.6")
@pytest.mark.parametrize("window", [1, 2, 3, 7])
def test_a_window_counts_turns_and_not_messages(window: int) -> None:
    turns = [(f"message {n}", n % 4) for n in range(10)]
    made = talked(library(window), *turns)
    request = made.model.calls[-1]
    assert said(request) == [f"message {n}" for n in range(9 - window, 10)]
    roles = [one.role for one in request.transcript]
    assert roles[0] == "user", "a turn is shown whole"


@pytest.mark.law("3.6")
def test_a_wide_window_moves_on_by_steps() -> None:
    made = talked(library(20), *[(f"message {n}", 0) for n in range(60)])
    shown = [said(request) for request in made.model.calls[30:]]
    assert all(16 <= len(one) <= 21 for one in shown)
    same = [earlier[0] == later[0] for earlier, later in pairwise(shown)]
    assert same.count(False) <= len(same) // 5 + 1


@pytest.mark.law("3.6")
@pytest.mark.parametrize("secret", [False, True])
def test_another_process_reads_the_same_window_from_the_store(secret: bool) -> None:
    turns = [(f"message {n}", n % 3 * 7) for n in range(9)]
    made = talked(library(3, secret), *turns)
    elsewhere = Talk(library(3, secret), ["Well."], made.store)
    elsewhere.chat.say("and now?")
    assert said(elsewhere.model.calls[-1]) == ["message 6", "message 7", "message 8", "and now?"]


RUN = """
    flow: run
    start: read
    autonomous: true
    limits: {window: 2}
    records: {job: {pages: {type: integer, default: 0}}}
    nodes:
      read:
        prompt: Read the next page.
        on_leave: {job.pages: job.pages + 1}
        transitions: [{at: after, when: job.pages >= 9, to: done}, {at: after, to: again}]
      again: {set: {job.pages: job.pages + 1}, prompt: Go on., transitions: [{at: after, when: job.pages >= 9, to: done}, {at: after, to: read}]}
      done: {end: done}
"""


@pytest.mark.law("3.6")
def test_the_message_that_began_a_run_is_shown_however_long_the_run_is() -> None:
    text = RUN.replace("        on_leave: {job.pages: job.pages + 1}\n", "")
    made = Talk(text, [f"Page {n}." for n in range(40)])
    made.chat.say("read me the book")
    assert len(made.model.calls) > 6
    for request in made.model.calls:
        assert said(request) == ["read me the book"]
    assert len(made.model.calls[-1].transcript) <= 9


FORGETFUL = """
    flow: forgetful
    start: desk
    tools:
      balance: {about: read a balance, args: {account: string}}
      pay: {about: pay, kind: effect, args: {amount: integer}}
    records: {job: {note: string}}
    nodes: {desk: {prompt: Help., collect: [job.note], tools: {allow: [balance, pay]}}}
"""


def shown(request: ModelRequest) -> str:
    """Everything of a request that could contain words of the conversation."""
    return str([*request.instructions, *request.notes, *request.transcript, request.question])


@pytest.mark.law("6.9")
@pytest.mark.parametrize("is_served_elsewhere", [False, True])
def test_what_an_undo_took_back_is_not_shown_again(is_served_elsewhere: bool) -> None:
    plan = ["One.", ModelReply(calls=call("balance", account="DE-77").calls), "It is 4711.", "Three.", "Four."]
    made = Talk(FORGETFUL, plan)
    made.chat.say("hello there")
    made.chat.say("the balance of DE-77 please")
    made.chat.undo()
    if is_served_elsewhere:
        made = Talk(FORGETFUL, ["Three.", "Four."], made.store)
    made.chat.say("something else")
    request = made.model.calls[-1]
    assert "hello there" in shown(request)
    assert not any(word in shown(request) for word in ("DE-77", "4711", "balance of"))
    made.chat.undo()
    made.chat.say("from the start")
    assert not any(word in shown(made.model.calls[-1]) for word in ("Three.", "DE-77", "something else"))


@pytest.mark.law("6.9")
def test_an_undo_to_a_turn_that_was_taken_back_shows_it_again() -> None:
    made = Talk(FORGETFUL, [f"Reply {n}." for n in range(9)])
    for message in ("first", "second", "third"):
        made.chat.say(message)
    made.chat.undo(to=1)
    made.chat.say("fourth")
    assert said(made.model.calls[-1]) == ["first", "fourth"]
    made.chat.undo(to=3)
    made.chat.say("fifth")
    assert said(made.model.calls[-1]) == ["first", "second", "third", "fifth"]


@pytest.mark.law("1.1")
def test_many_undos_take_a_bounded_part_of_the_state() -> None:
    made = Talk(FORGETFUL, [f"Reply {n}." for n in range(300)])
    made.chat.say("first")
    for number in range(100):
        made.chat.say(f"wrong {number}")
        turn = made.chat.undo()
        made.chat.say(f"right {number}")
    assert turn.state is not None
    assert len(turn.state.undone) <= 64
    assert not any(text.startswith("wrong") for text in said(made.model.calls[-1]))
