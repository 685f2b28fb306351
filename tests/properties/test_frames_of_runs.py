"""The frames of random nestings: every line belongs to one of them, and those that are open are the stack."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from properties.test_scopes import Run
from turnwise.core.state.fold import fold_all

NESTINGS = 1000 if os.environ.get("TURNWISE_SOAK") == "1" else 25


@pytest.mark.law("6.3")
def test_every_line_belongs_to_one_frame_and_the_open_ones_are_the_stack() -> None:
    seen: Counter[str] = Counter()
    for seed in range(NESTINGS):
        run = Run(seed)
        for number in range(run.random.randrange(1, 5)):
            (run.opened if run.random.random() < 0.7 else run.outside)(number)
        run.outside(99)
        chat = run.inner.chat
        turns = chat.state().turn
        while True:
            frames, state = {frame.id: frame for frame in chat.frames()}, chat.state()
            is_open = [frame.id for frame in frames.values() if frame.status == "open"]
            assert is_open == [frame.id for frame in state.frames]
            for frame in list(frames.values())[1:]:
                around = frames[frame.parent or 0]
                assert frame.depth == around.depth + 1
                assert frame.is_erased or frame.scope.rpartition("/")[0] == around.scope
                assert frame.is_erased or (frame.status == "closed") == bool(frame.outcome and frame.status != "undone")
                seen[frame.status] += 1
                seen["erased"] += frame.is_erased and not frame.scope
            whole = chat.transcript()
            parts = [line for one in frames for line in chat.transcript(frame=one) if line.by != "summary"]
            assert sorted(parts, key=lambda line: line.seq) == list(whole)
            if turns < 3:
                break
            turns = run.random.randrange(1, turns)
            chat.undo(to=turns)
        assert fold_all(chat.journal()) == chat.state()
    assert set(seen) == {"open", "closed", "undone", "erased"}, seen
