"""What holds for every nesting of frames: those below the frame in charge change nothing, and nothing changes them."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

from msgspec.structs import replace

from strategies.chance import Chance
from strategies.nestings import Nesting, inputs_after, open_in
from support.random_runs import Run, converse
from turnwise.archive.import_check import misfits_of_state
from turnwise.core.migration.carry import carry_state
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.codec import decode_entry, decode_state, encode_entry, encode_state
from turnwise.core.state.fold import fold_all
from turnwise.core.step import step
from turnwise.core.turn import Step

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
NESTINGS = 5000 if IS_SOAK else 60


def cases() -> list[tuple[Run, Nesting]]:
    """Random conversations, each with frames below it from some turn on."""
    runs = [converse(seed) for seed in range(NESTINGS)]
    return [(run, Nesting(Chance(seed), run)) for seed, run in enumerate(runs)]


def flat(event: Any) -> Any:
    """An event whose state has its own frame only, as in a conversation without others."""
    state = getattr(event, "state", None)
    if not isinstance(state, State):
        return event
    return replace(event, state=replace(state, frame=replace(state.frame, id=0), outer=()))


def test_frames_below_change_nothing_and_nothing_changes_them() -> None:
    """A conversation goes on in the same way over any frames; only an undo to a turn before them takes them away."""
    seen: Counter[str] = Counter()
    for run, nesting in cases():
        state = nesting.over(nesting.begins)
        written: list[e.Entry] = []
        for entry in inputs_after(run, nesting.begins.seq):
            done = step(run.machine, state, nesting.in_event(entry.event), entry.at_ms)
            assert isinstance(done, Step)
            state = done.state
            written += done.entries
            undone = [one.event.state for one in done.entries if isinstance(one.event, e.Undone)]
            if undone and undone[-1].turn < nesting.begins.turn:
                seen["undone before"] += 1
                assert state.outer == ()
                break
            seen.update(["undone inside"] * len(undone))
            assert state.outer == nesting.outer
            assert all(one.frame == nesting.id for one in done.entries)
        count = len(written)
        expected = run.entries[nesting.begins.seq :][:count]
        assert [(one.seq, one.turn, flat(one.event)) for one in written] == [
            (one.seq, one.turn, flat(one.event)) for one in expected
        ]
        seen.update(["steps"] * count)
        seen.update(open_in(nesting.outer))
    wanted = {
        *("question", "pending", "timers", "awaiting_approval", "person", "form", "tools", "closed_forms"),
        *("undone inside", "undone before"),
    }
    assert not wanted - seen.keys(), f"nothing is known of {wanted - seen.keys()}"


def test_frames_are_read_back_as_they_were_stored() -> None:
    """A process that takes over has every frame: from the state, from a snapshot, and by folding what came after."""
    for run, nesting in cases():
        state = nesting.over(nesting.begins)
        assert decode_state(encode_state(state)) == state
        snapshot = e.Entry(state.seq, state.turn, state.at_ms, e.Snapshot(state), nesting.id)
        assert decode_entry(encode_entry(snapshot)) == snapshot
        following = run.entries[state.seq :]
        later = [replace(one, event=nesting.in_event(one.event), frame=nesting.id) for one in following]
        kept = [decode_entry(encode_entry(one)) for one in (snapshot, *later)]
        folded = fold_all(kept)
        assert folded is not None
        assert flat(e.Snapshot(folded)).state == replace(run.state, snapshot=folded.snapshot)
        is_before = any(isinstance(one.event, e.Undone) and not one.event.state.outer for one in later)
        assert is_before or folded.outer == nesting.outer


def test_a_migration_takes_every_frame_along() -> None:
    """To the same version each frame stays as it is; where one does not fit, the whole conversation does not."""
    for run, nesting in cases():
        state, machine = nesting.over(nesting.begins), run.machine
        alone = [replace(state, frame=frame, outer=()) for frame in state.frames]
        reasons = {reason for one in alone for reason in carry_state(machine, one, old=machine).reasons}
        found = carry_state(machine, state, old=machine)
        assert set(found.reasons) == reasons
        assert [replace(frame, decided={}) for frame in state.frames] == list(found.state.frames)
        assert set(misfits_of_state(machine, state)) == {
            text for one in alone for text in misfits_of_state(machine, one)
        }
        lost = replace(state, outer=(*state.outer, replace(state.frame, node="nowhere")))
        new = set(carry_state(machine, lost, old=machine).reasons) - reasons
        assert any("there is no node 'nowhere'" in reason.text for reason in new)
        assert any("there is no node 'nowhere'" in text for text in misfits_of_state(machine, lost))
