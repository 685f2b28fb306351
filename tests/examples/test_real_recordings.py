"""The talks of the examples that were recorded with a real model: they play without one, prompt by prompt.

`TURNWISE_REWRITE=1` writes changed prompts into the recordings and keeps the answers; the READMEs say how to record anew.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from support.shell import ROOT, run

EXAMPLES = ROOT / "examples"
TALKS = sorted(
    one.parent / one.name.replace(".recording.json", ".scenario") for one in EXAMPLES.glob("*/*.recording.json")
)
MODEL = "compatible:qwen2.5-coder-0.5b-instruct"
_MOST_BYTES = 320_000


def exchanges(talk: Path) -> list[dict[str, Any]]:
    """The requests of a recording with their answers."""
    found = json.loads(talk.with_suffix(".recording.json").read_bytes())["exchanges"]
    assert found
    return found


def test_each_kind_of_talk_is_there() -> None:
    assert {"lesson", "order"} <= {talk.stem for talk in TALKS}


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk.stem)
def test_a_recorded_talk_plays_without_its_model(talk: Path, tmp_path: Path) -> None:
    kept = {"LANGUAGE_BUDDY": str(tmp_path)}
    if os.environ.get("TURNWISE_REWRITE"):
        run("test", talk, "--rewrite", **kept)
    ran = run("test", talk, **kept)
    assert (ran.code, ran.out) == (0, "1 passed, 0 failed\n")


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk.stem)
def test_a_recording_names_its_model_and_no_machine(talk: Path) -> None:
    used = {piece["usage"]["model"] for one in exchanges(talk) for piece in one["answer"] if "usage" in piece}
    assert used == {MODEL}
    text = talk.with_suffix(".recording.json").read_text("utf-8") + talk.read_text("utf-8")
    assert not re.search(r"https?://|127\.0\.0\.1|localhost|/(tmp|home|root|mnt)/", text)
    assert talk.with_suffix(".recording.json").stat().st_size <= _MOST_BYTES


def test_the_lesson_goes_through_its_inner_conversations() -> None:
    (talk,) = (one for one in TALKS if one.stem == "lesson")
    lines = talk.read_text("utf-8").splitlines()
    assert sum(line.startswith(("user: ", "press: ")) for line in lines) >= 35
    waits = [_milliseconds(line.partition(": ")[2]) for line in lines if line.startswith("wait: ")]
    assert sum(waits) >= 10 * 60_000
    assert min(waits) >= 5000
    opened = {line.partition(": ")[2] for line in lines if line.startswith("opened: ")}
    assert {"onboarding by node", "onboarding/explain by call", "feedback by call", "quiz by user"} <= opened
    assert {f"{one}/explain by call" for one in ("onboarding", "feedback", "quiz")} <= opened
    assert {"scope outcome quiz: finished", "scope outcome feedback: saved", "scope summary quiz: Score: 5/5"} <= {
        *lines
    }
    assert lines.count("opened: feedback/explain by call") == 2, "one in the rapid feedback, one in the survey"


def _milliseconds(wait: str) -> int:
    """A time such as `1m26s991ms`."""
    parts = re.findall(r"(\d+)(ms|s|m)", wait)
    return sum(int(number) * {"ms": 1, "s": 1000, "m": 60_000}[unit] for number, unit in parts)
