"""The conversations that the demonstration shows at the start: prepared lines, played with a clock of their own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from turnwise.api.open import load
from turnwise.cli.demo_examples import EXAMPLES, examples
from turnwise.cli.demo_seeds import Seed, opening_places, play_seeds, read_seeds
from turnwise.cli.inputs import code_of
from turnwise.core.state import State
from turnwise.core.state.events import AnyEvent
from turnwise.errors import TurnwiseError
from turnwise.stores.memory import MemoryStore

NOW_MS = 1_800_000_000_000


def play(example: str, *seeds: str) -> MemoryStore:
    """Play some conversations of an example, or all; they rest at the times that they say before `NOW_MS`."""
    store, folder = MemoryStore(), examples() / example
    chosen = [seed for seed in read_seeds(folder) if not seeds or seed.name in seeds]

    async def run() -> None:
        for file in sorted({seed.flow for seed in chosen}):
            python = "mistaken_guards.py" if file == "with_code.flow.yaml" else EXAMPLES[example].code
            flow, code = load(folder / (file or EXAMPLES[example].flow)), code_of(folder / python if python else None)
            await play_seeds([seed for seed in chosen if seed.flow == file], flow, code, store, NOW_MS)

    asyncio.run(run())
    return store


def state(store: MemoryStore, name: str) -> State:
    found = asyncio.run(store.load(name))
    assert found is not None
    return found


def events(store: MemoryStore, name: str) -> list[AnyEvent]:
    return [entry.event for entry in asyncio.run(store.entries(name))]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_has_prepared_conversations_which_rest_when_they_say(example: str) -> None:
    store = play(example)
    for seed in read_seeds(examples() / example):
        entries = asyncio.run(store.entries(seed.name))
        assert NOW_MS - 3 * 3_600_000 < entries[0].at_ms <= entries[-1].at_ms <= NOW_MS
        assert not [entry for entry in entries if "no reply is prepared" in str(entry.event)]


@pytest.mark.parametrize(
    ("example", "name", "node", "turn"),
    [
        ("health_intake", "maria", "farewell", 8),
        ("health_intake", "lea", "ineligible", 1),
        ("health_intake", "nora", "introduction", 2),
        ("health_intake", "vera", "profiler", 1),
        ("eligibility", "case-1042", "intake", 8),
        ("eligibility", "case-1040", "expert", 4),
        ("eligibility", "case-1039", "handed_over", 6),
        ("thinking_partner", "job", "planning_mode", 3),
        ("thinking_partner", "holiday", "research", 1),
        ("context_machine", "run-1", "complete", 2),
        ("pizza", "table-7", "order", 7),
        ("pizza", "table-4", "kitchen", 5),
        ("language_buddy", "max", "quiz/ask", 19),
        ("context_machine", "run-2", "start", 1),
    ],
)
def test_each_shows_what_it_is_there_for(example: str, name: str, node: str, turn: int) -> None:
    found = state(play(example, name), name)
    assert (found.frame.node, found.turn) == (node, turn)


def test_time_passes_between_the_steps_and_fires_timers() -> None:
    store = play("health_intake", "paula", "lea")
    fired = [event for event in events(store, "paula") if event.__class__.__name__ == "TimerFired"]
    assert [event.timer for event in fired] == ["turned_away"]
    (timer,) = state(store, "lea").timers
    assert NOW_MS < timer.due_ms < NOW_MS + 30 * 60_000


def test_a_person_takes_over_and_answers() -> None:
    store = play("health_intake", "greta")
    person = state(store, "greta").person
    assert person is not None
    assert person.operator == "Lena"
    said = [event.text for event in events(store, "greta") if event.__class__.__name__ == "OperatorSaid"]
    assert said == ["Good morning, Greta, this is Lena. I am a person. What would you like to know?"]


def test_one_waits_for_a_person_who_has_not_come() -> None:
    person = state(play("health_intake", "romy"), "romy").person
    assert person is not None
    assert (person.queue, person.operator) == ("nurses", "")
    assert person.about == "I sleep badly since I take the new pills"
    assert person.due_ms is not None
    assert person.due_ms > NOW_MS + 3_600_000


def test_a_conversation_that_the_store_has_is_left_as_it_is() -> None:
    store = play("eligibility", "case-1041")
    folder = examples() / "eligibility"
    before = asyncio.run(store.entries("case-1041"))
    flow = load(folder / "eligibility.flow.yaml")
    asyncio.run(play_seeds(read_seeds(folder), flow, code_of(None), store, NOW_MS + 1000))
    assert asyncio.run(store.entries("case-1041")) == before
    assert set(asyncio.run(store.conversations())) == {seed.name for seed in read_seeds(folder)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("conversations: [{name: a, ago: soon, steps: []}]", "a: 'soon' is no duration, such as 90s or 2h"),
        ("conversations: [{name: a, ago: 1m, steps: [{wait: later}]}]", "a: 'later' is no duration"),
        ("conversations: [{name: a, ago: 1m, steps: [{sya: hello}]}]", "unknown field `sya`"),
        ("- {name: a", "the file of conversations is no YAML"),
    ],
)
def test_a_mistake_in_the_file_is_reported_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "seeds.yaml").write_text(text, "utf-8")
    with pytest.raises(TurnwiseError, match=r"seeds\.yaml.*") as raised:
        read_seeds(tmp_path)
    assert message in str(raised.value)


def test_a_step_that_the_conversation_refuses_is_reported(tmp_path: Path) -> None:
    (tmp_path / "seeds.yaml").write_text(
        "conversations: [{name: a, ago: 1m, steps: [{begin: true}, {choose: Perhaps}]}]", "utf-8"
    )
    seeds: tuple[Seed, ...] = read_seeds(tmp_path)
    flow = load(examples() / "eligibility" / "eligibility.flow.yaml")
    with pytest.raises(TurnwiseError, match=r"the prepared conversation 'a' cannot be played: .*"):
        asyncio.run(play_seeds(seeds, flow, code_of(None), MemoryStore(), NOW_MS))


def test_conversations_open_at_the_turn_that_is_named_or_at_their_last_decision() -> None:
    async def found(example: str) -> dict[str, tuple[int, int]]:
        return {
            name: (turn, seq) for name, turn, seq, *_ in await opening_places(read_seeds(examples() / example), store)
        }

    store = play("health_intake", "maria", "hanna")
    assert asyncio.run(found("health_intake")) == {"maria": (4, state(store, "maria").seq)}
    store = play("context_machine")
    run = asyncio.run(found("context_machine"))["run-1"]
    assert 0 < run[0] < state(store, "run-1").turn
    store = play("eligibility")
    assert {turn for turn, _ in asyncio.run(found("eligibility")).values()} == {0}


def test_the_start_page_recommends_some_with_what_they_show() -> None:
    shown = [seed for name in EXAMPLES for seed in read_seeds(examples() / name) if seed.shows]
    assert 4 <= len(shown) <= 8
    assert all(seed.about for seed in shown)
