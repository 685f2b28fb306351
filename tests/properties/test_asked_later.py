"""What holds for every conversation that is asked later: tried with random machines."""

from __future__ import annotations

import dataclasses
import os

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from support.pure_guards import GUARDS
from support.random_runs import Run, converse
from turnwise.core.explain.history import Tally
from turnwise.core.explain.now import MOMENTS
from turnwise.core.explain.what_if import judge_supposed
from turnwise.core.link import link
from turnwise.core.migration import difference as compared
from turnwise.core.migration.carry import carry_state, record_migration
from turnwise.core.replay import difference
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.codec import decode_entry, encode_entry
from turnwise.core.state.fold import fold
from turnwise.core.step import step
from turnwise.core.turn import Refusal

numbers = st.integers(0, 2**40)
IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
FEW = settings(max_examples=2000 if IS_SOAK else 20)


def decisions(run: Run) -> list[tuple[e.Entry, State]]:
    state, found = None, []
    for entry in (decode_entry(encode_entry(entry)) for entry in run.entries):
        if isinstance(entry.event, e.Decided):
            assert state is not None
            found.append((entry, state))
        state = fold(state, entry)
    return found


@FEW
@given(numbers)
def test_where_nothing_is_supposed_nothing_comes_out_otherwise(number: int) -> None:
    run = converse(number)
    for entry, state in decisions(run):
        assert judge_supposed(run.machine, entry, state, run.machine, {}) is None


@FEW
@given(numbers)
def test_what_is_run_again_differs_nowhere_and_differs_where_something_was_changed(number: int) -> None:
    run = converse(number)
    journal = [decode_entry(encode_entry(entry)) for entry in run.entries]
    assert difference(run.machine, journal) is None
    said = [place for place, entry in enumerate(journal) if isinstance(entry.event, e.Said)]
    for place in said[-1:]:
        other = replace(journal[place], event=replace(journal[place].event, text="nobody said this"))
        found = difference(run.machine, [*journal[:place], other, *journal[place + 1 :]])
        assert found is not None
        assert (found.seq, found.then) == (other.seq, other)


@FEW
@given(numbers)
def test_the_history_counts_every_candidate_of_every_decision_once(number: int) -> None:
    run = converse(number)
    tally = Tally()
    tally.add_machine(run.machine, MOMENTS)
    letters = ""
    for entry, _ in decisions(run):
        assert isinstance(entry.event, e.Decided)
        tally.add(run.machine, entry.event)
        letters += entry.event.outcomes
    edges = tally.edges()
    assert sum(sum(edge.outcomes.values()) for edge in edges) == len(letters)
    assert sum(edge.taken for edge in edges) == letters.count("t")
    assert sum(edge.held for edge in edges) == sum(map(letters.count, "tobrmx"))
    assert sum(edge.judged for edge in edges) == len(letters) - letters.count("n") - letters.count("-")


@FEW
@given(numbers)
def test_every_waiting_conversation_can_go_on_with_the_same_flow_under_another_version(number: int) -> None:
    run = converse(number)
    new = link(dataclasses.replace(run.flow, version=run.flow.version + 1), GUARDS)
    report = compared(run.machine, new)
    assert report.fit == "compatible"
    assert [part.name for part in report.nodes] == list(run.machine.nodes)
    for state in run.states.values():
        moved = carry_state(new, state, old=run.machine, at_ms=state.at_ms)
        assert moved.reasons == ()
        kept = replace(
            moved.state,
            version=state.version,
            fingerprint=state.fingerprint,
            seq=state.seq,
            turn=state.turn,
            frame=replace(moved.state.frame, decided=state.frame.decided),
        )
        assert kept == state
    taken = record_migration(new, state, e.Migrated(new.fingerprint, moved.state), state.at_ms)
    assert taken.state == moved.state
    assert fold(state, taken.entries[0]) == moved.state
    done = step(new, taken.state, e.UserSaid("hello"), state.at_ms)
    assert isinstance(done, Refusal) == isinstance(step(run.machine, state, e.UserSaid("hello"), state.at_ms), Refusal)
