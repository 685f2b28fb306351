"""Replay: folds a journal, or runs its inputs again, and compares the results (laws 1.1, 3.8).

Folding needs the journal alone; running again needs the machine, and calls no model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.machine import Machine
from turnwise.core.migration.carry import record_migration
from turnwise.core.state import Fault, State
from turnwise.core.state import events as e
from turnwise.core.state.codec import decode_entry, encode_entry
from turnwise.core.state.fold import fold_all, fold_stored
from turnwise.core.state.read_lists import recorded_as
from turnwise.core.step import note_fact, resume, start, step
from turnwise.core.turn import Refusal, Step


class Difference(Struct, frozen=True):
    """The first position at which running a journal again gives another entry than the recorded one."""

    seq: int
    """The position of the entry in the journal."""
    then: e.Entry | None
    """The recorded entry; `None` if there is none."""
    now: e.Entry | None
    """The entry that the machine writes now; `None` if it writes none."""
    reason: str = ""
    """Why an event is refused now, in words; empty if none is."""


def replay(entries: Iterable[e.Entry]) -> State | None:
    """Return the state after the entries of a journal; `None` if there are none."""
    return fold_all(entries)


def rerun(machine: Machine, entries: Iterable[e.Entry]) -> tuple[e.Entry, ...]:
    """Return the journal that the machine writes for the same incoming events at the same times."""
    written: list[e.Entry] = []
    for done in _again(machine, {}, list(entries)):
        assert isinstance(done, Step), f"an event of the journal was refused: {done}"
        written += done.entries
    return tuple(written)


def difference(
    machine: Machine, entries: Sequence[e.Entry], others: Mapping[str, Machine] | None = None
) -> Difference | None:
    """Run a journal again, and return the first difference from the recorded entries; `None` if there is none. `others`
    are the machines to which the conversation was migrated, by fingerprint. What is no longer kept cannot run again:
    then it begins with the first whole turn after it.
    """
    kept = list(entries)
    place = _first_whole(kept)
    for done in _again(machine, others or {}, kept):
        if isinstance(done, Refusal):
            return Difference(_seq(kept, place), _at(kept, place), None, done.text)
        for now in done.entries:
            then = _at(kept, place)
            if then is None or not says_the_same(then, now):
                return Difference(now.seq, then, now)
            place += 1
    return Difference(_seq(kept, place), _at(kept, place), None) if place < len(kept) else None


def first_fingerprint(entries: Sequence[e.Entry]) -> str:
    """Return the fingerprint of the flow version with which running a journal again begins."""
    journal = list(entries)
    state = fold_all(journal[: _first_whole(journal)])
    if state is not None:
        return state.fingerprint
    started = journal[0].event
    assert isinstance(started, e.Started), "a journal begins with `Started`"
    return started.fingerprint


_GIVEN = e.OutsideEvent | e.ResultEvent | e.TurnRestarted | e.Note | e.Migrated


def _again(machine: Machine, others: Mapping[str, Machine], journal: list[e.Entry]) -> Iterator[Step | Refusal]:
    """Yield the steps of a journal, run again; a refusal ends them."""
    begin = _first_whole(journal)
    state = fold_all(journal[:begin])
    inputs = [entry for entry in journal[begin:] if isinstance(entry.event, _GIVEN)]
    if state is None:
        done, inputs = _started(machine, journal[0], inputs)
        yield done
        if isinstance(done, Refusal):
            return
        state = done.state
    for entry in inputs:
        if isinstance(entry.event, e.Migrated):
            machine = others.get(entry.event.fingerprint, machine)
        done = _given(machine, state, entry)
        yield done
        if isinstance(done, Refusal):
            return
        state = done.state


def _started(machine: Machine, first: e.Entry, inputs: list[e.Entry]) -> tuple[Step | Refusal, list[e.Entry]]:
    """Return the first step, and the inputs that come after it."""
    started = first.event
    assert isinstance(started, e.Started), "a journal begins with `Started`"
    opening = inputs[0].event if inputs and inputs[0].turn == 1 else None
    opening = opening if isinstance(opening, e.OutsideEvent) else None
    done = start(machine, first.at_ms, opening, time_zone=started.time_zone, overlays=started.overlays)
    return done, inputs[1:] if opening is not None else inputs


def _given(machine: Machine, state: State, entry: e.Entry) -> Step | Refusal:
    """Give the machine what was given to it then."""
    match entry.event:
        case e.TurnRestarted():
            if state.doing is None or state.doing.awaited is None:
                return Refusal("not_awaited", "the turn waits for nothing")
            return resume(machine, state, entry.at_ms)
        case e.CallerLeft() | e.EventRefused() | e.GiveBackRefused() | e.Forked() | e.OverlayForced():
            return note_fact(state, entry.event, entry.at_ms)
        case e.Migrated():
            return record_migration(machine, state, entry.event, entry.at_ms)
        case event:
            assert isinstance(event, e.OutsideEvent | e.ResultEvent)
            return step(machine, state, event, entry.at_ms)


# where they part ---------------------------------------------------------------------------------


def _first_whole(journal: list[e.Entry]) -> int:
    """Return the place of the first entry that can be run again: the first, or where a turn begins after what
    is no longer kept.
    """
    erased = [place for place, entry in enumerate(journal) if _is_erased(entry.event)]
    if not erased:
        return 0 if not journal or isinstance(journal[0].event, e.Started) else _next_turn(journal, 1)
    return _next_turn(journal, erased[-1] + 1)


def _is_erased(event: e.AnyEvent) -> bool:
    """Return whether an event was erased, or closed a scope whose words were."""
    if isinstance(event, e.Undone):
        return any(one.by is not None for one in event.closed)
    is_closing = isinstance(event, e.ScopeClosed) and event.keep is not None and event.keep.by is not None
    return is_closing or isinstance(event, e.Erased)


def _next_turn(journal: list[e.Entry], place: int) -> int:
    """Return the place at which the first turn after a place begins, where a state is known."""
    state: State | None = None
    for at, entry in enumerate(journal):
        if at >= place and state is not None and state.doing is None and entry.turn > state.turn:
            return at
        state = fold_stored(state, entry)
    return len(journal)


def says_the_same(then: e.Entry, now: e.Entry) -> bool:
    """Return whether the entries `then` and `now` are equal, apart from what retention removed."""
    if isinstance(then.event, e.Decided) and isinstance(now.event, e.Decided) and not then.event.reads:
        what_is_left = replace(now.event, reads=(), code=then.event.code, trimmed=then.event.trimmed)
        now = replace(now, event=what_is_left)
    if isinstance(then.event, e.Decided) and isinstance(now.event, e.Decided):
        now = replace(now, event=recorded_as(now.event, then.event))
    return _essence(_read_back(then)) == _essence(_read_back(now))


def _essence(entry: e.Entry) -> e.Entry:
    """Return an entry without what explains a failure: where code is written is another file or line elsewhere, and
    journals of version 0.1 lack it.
    """
    match entry.event:
        case e.Faulted(fault):
            return replace(entry, event=e.Faulted(Fault(fault.kind, fault.message, fault.tool)))
        case e.Decided(code=code) if code:
            return replace(entry, event=replace(entry.event, code=tuple([replace(run, at="") for run in code])))
        case _:
            return entry


def _read_back(entry: e.Entry) -> e.Entry:
    """Return an entry as a journal gives it back: what is read from JSON is not always written in the same bytes."""
    return decode_entry(encode_entry(entry))


def _at(journal: list[e.Entry], place: int) -> e.Entry | None:
    return journal[place] if place < len(journal) else None


def _seq(journal: list[e.Entry], place: int) -> int:
    found = _at(journal, place)
    return found.seq if found is not None else (journal[-1].seq + 1 if journal else 1)
