"""The messages of a turn are the same, whether they are made in one pass at its end or entry by entry."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Literal

import pytest
from msgspec.json import encode

import turnwise as tw
from turnwise.core.state.events import Snapshot
from turnwise.core.state.fold import fold
from turnwise.runner.result import Turn
from turnwise.server.streams.derive import Derivation
from turnwise.server.views.redaction import Redaction
from turnwise.server.views.transcript import ChatTranscript
from turnwise.server.views.turn_messages import turn_messages
from turnwise.server.views.turn_results import result_of
from turnwise.testing.play import play_file
from turnwise.testing.scenario import read_scenarios

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = sorted([*(ROOT / "tests/transcripts").glob("*.scenario"), *(ROOT / "examples").glob("*/*.scenario")])


@pytest.fixture(scope="module", params=SCENARIOS, ids=lambda path: path.name)
def turns(request: pytest.FixtureRequest) -> list[Turn]:
    """The turns of the scenarios of a file, played once for the tests of it."""
    return [turn for played in play_file(read_scenarios(request.param)) for turn in played.turns]


def entry_by_entry(turn: Turn) -> ChatTranscript:
    known = tuple(turn.earlier_entries.values())
    builder = ChatTranscript(
        Redaction(turn.machine, (turn.before, turn.after), (*known, *turn.entries)), is_debug=False
    )
    builder.know(known)
    state = turn.before
    for entry in turn.entries:
        after = fold(state, entry)
        builder.add(turn.machine, entry, state, after)
        state = after
    return builder


def test_messages_made_at_the_end_of_a_turn_are_those_of_its_entries(turns: list[Turn]) -> None:
    for turn in turns:
        assert turn_messages(turn).final == tuple(entry_by_entry(turn).messages)


def test_a_result_has_the_texts_and_buttons_of_its_turn(turns: list[Turn]) -> None:
    for turn in turns:
        result = result_of(turn)
        assert (result.buttons, result.position) == (turn.buttons, turn.position)
        assert (len(result.artefacts), len(result.warnings)) == (len(turn.artefacts), len(turn.warnings))
        if not turn.machine.has_secrets:
            assert result.text == turn.text


@pytest.mark.parametrize("mode", ["chat", "entries"])
def test_a_stream_sends_the_same_of_a_whole_turn_and_of_its_entries(mode: Literal["chat", "entries"]) -> None:
    async def compare() -> None:
        app = tw.open(ROOT / "benchmarks/server/coffee.flow.yaml", clock=tw.ManualClock(1_700_000_000_000))
        chat = app.chat("a")
        await chat.start()
        at_once, one_by_one = Derivation(app, "a", mode), Derivation(app, "a", mode)
        for each in (at_once, one_by_one):
            await each.begin((await chat.state()).seq)
        snapshots = 0
        for text in ("order", *("small", "what?", "oat", "two", "large", "cow", "one") * 5):
            turn = await chat.say(text)
            assert turn.after is not None
            snapshots += type(turn.entries[-1].event) is Snapshot
            assert at_once.is_turn(turn.entries, turn.after)
            made, result = at_once.derive_turn(turn.entries, turn.after)
            assert made == await one_by_one.derive(turn.entries)
            if result is not None:
                assert result == encode(result_of(turn))
            assert (result is None) == (mode == "entries" or type(turn.entries[-1].event) is Snapshot)
            assert at_once.state == one_by_one.state
            assert at_once.settled == one_by_one.settled
        assert snapshots, "a snapshot is stored with some turn"

    asyncio.run(compare())


def test_the_debug_events_of_a_turn_are_those_of_the_past_turn_and_read_no_history() -> None:
    async def compare() -> None:
        app = tw.open(ROOT / "benchmarks/server/coffee.flow.yaml", clock=tw.ManualClock(1_700_000_000_000))
        chat, turns = app.chat("a"), app.runtime.turns
        await chat.start()
        derivation = Derivation(app, "a", "debug")
        await derivation.begin((await chat.state()).seq)
        for text in ("order", "small", "what?", "oat", "two", "large"):
            turn = await chat.say(text)
            assert turn.after is not None
            past = await turns.stored_turn("a", turn.number)
            built = await turns.of_entries("a", turn.entries, turn.before, turn.after)
            assert built.evaluations == past.evaluations
            assert built.decisions == past.decisions
            with pytest.MonkeyPatch.context() as patch:
                patch.delattr(type(app.runtime.store), "entries")
                items = await derivation.derive(turn.entries)
            assert sum(item.name == "debug_transition_eval" for item in items) == len(past.evaluations)

    asyncio.run(compare())
