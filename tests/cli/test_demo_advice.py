"""What the page advises to say is understood where it is advised, in every example, and nothing is advised in vain."""

from __future__ import annotations

import asyncio

import pytest

from turnwise.api.app import App
from turnwise.api.open import open as open_app
from turnwise.archive.conversation_names import flow_title
from turnwise.cli.demo_examples import EXAMPLES, TRIES, examples
from turnwise.cli.demo_model import SpokenModel
from turnwise.cli.demo_page import Served, card_texts, served_flows
from turnwise.cli.demo_seeds import read_prepared
from turnwise.core.language import language_of
from turnwise.core.state import Ended, State
from turnwise.models.dialogue import KnownLines
from turnwise.runner.clocks import ManualClock
from turnwise.runner.result import Turn
from turnwise.stores.memory import MemoryStore

Place = tuple[str, str]


def opened(one: Served) -> App:
    """Open a flow as the page does, with replies that take no time."""

    async def at_once(_: float) -> None: ...

    replies = SpokenModel(KnownLines(one.dialogue, language_of(one.flow.language)).reply, at_once)
    tools = one.code.tools_of(one.flow)
    clock = ManualClock(1_800_000_000_000)
    return open_app(one.flow, store=MemoryStore(), model=replies, guards=one.code.guards, tools=tools, clock=clock)


def place_of(state: State) -> Place:
    form = state.frame.form
    return state.node, ((form.asked or "no question") if form is not None else "")


async def taken(one: Served, path: tuple[str, ...]) -> tuple[State, Turn]:
    """Take a conversation through lines; return the state before the last one, and the turn of that."""
    app = opened(one)
    chat = app.chat("tried")
    turn = await chat.start()
    before = await chat.state()
    for line in path:
        before = await chat.state()
        turn = await chat.say(line)
    return before, turn


def is_understood(before: State, turn: Turn) -> bool:
    """Whether a line did something: it stored a value, moved the conversation, used a tool, or was answered."""
    after = turn.state
    did = {
        "stored": before.values != after.values,
        "moved or asked on": place_of(before) != place_of(after),
        "ended": isinstance(after.status, Ended),
        "used a tool": before.tools != after.tools,
        "answered": any(getattr(one, "kind", "") == "help" for one in turn.said),
    }
    return any(did.values()) and "having trouble" not in turn.text


def advised(one: Served, state: State, said: tuple[str, ...]) -> list[str]:
    """Return the lines that the page gives: those of the first advice that fits, without what was said already."""
    node, field = place_of(state)
    for part in one.advice:
        is_here = part.node == node and field.endswith(part.field) and bool(field) == bool(part.field)
        lines = [line for line in part.say if line not in said]
        if is_here and part.missing not in state.values and lines:
            return lines
    return []


FLOWS = [one for name, example in EXAMPLES.items() for one in served_flows(example, examples() / name)]


@pytest.mark.parametrize("one", FLOWS, ids=[one.flow.name for one in FLOWS])
def test_each_advice_is_understood_wherever_the_page_gives_it(one: Served) -> None:
    async def walk() -> list[str]:
        seen: dict[tuple[Place, str], list[str]] = {}
        waiting: list[tuple[str, ...]] = [()]
        while waiting:
            path = waiting.pop(0)
            _, turn = await taken(one, path)
            known = str({name: found.value for name, found in sorted(turn.state.values.items())})
            place = place_of(turn.state)
            if (place, known) in seen or isinstance(turn.state.status, Ended):
                continue
            lines = seen[place, known] = advised(one, turn.state, path)
            for line in lines:
                before, next_turn = await taken(one, (*path, line))
                assert is_understood(before, next_turn), (place, line, next_turn.text)
                waiting.append((*path, line))
        return [line for lines in seen.values() for line in lines]

    given = set(asyncio.run(walk()))
    assert given == {line for part in one.advice for line in part.say}, "advice that no conversation reaches"


@pytest.mark.parametrize(
    "one", [one for one in FLOWS if one.advice], ids=[one.flow.name for one in FLOWS if one.advice]
)
def test_the_lines_of_the_start_page_fit_the_beginning(one: Served) -> None:
    _, turn = asyncio.run(taken(one, ()))
    assert advised(one, turn.state, ()) == list(one.advice[0].say)


def test_every_text_of_a_card_has_a_german_one() -> None:
    seeds = [seed for one in FLOWS for seed in one.seeds]
    said = {text for one in FLOWS for text in (flow_title(one.flow), one.flow.description)} | {*TRIES.values()}
    said |= {text for seed in seeds for text in (seed.shows, seed.about)}
    assert said - {""} == card_texts("de").keys()


def test_the_guided_look_names_conversations_that_are_prepared() -> None:
    prepared = read_prepared(examples() / "health_intake")
    look = prepared.look
    assert look is not None
    names = {seed.name: seed for seed in prepared.conversations}
    assert {look.conversation, look.waiting} <= set(names)
    assert names[look.conversation].turn == look.turn
    assert look.turn < look.against_turn <= len(names[look.conversation].steps)
    assert look.say in [line for part in prepared.advice for line in part.say]
