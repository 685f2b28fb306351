"""`turnwise schedule`: lists the times of schedules, fires what is due, and sets inputs; `/clock` moves a talk forward."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import turnwise as tw
from support.clocked import moment
from support.shell import run

FLOW = """
flow: tutor
start: chat
records: {feedback: {mood: string}}
nodes:
  chat: {say: Hello., transitions: [{at: before, when: 'false', to: chat}]}
  survey:
    scope: {returns: feedback, input: {topic: {type: string, default: the lesson}}}
    form: {fields: [{field: feedback.mood, ask: "How was {{ input.topic }}?"}]}
schedules:
  tuesday: {cron: "0 18 * * 2#2", call: survey, with: {2025-12: {topic: verbs}, default: {topic: it}}}
  fortnight: {every: 2w, anchor: 2026-01-05, at: "18:00", instruct: Ask.}
  silent: {idle: 3d, instruct: Greet.}
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with the flow, and a store in which a conversation began long ago."""
    (tmp_path / "tutor.flow.yaml").write_text(FLOW)
    clock = tw.ManualClock(moment("2025-12-08 12:00"))
    with tw.open_sync(tw.loads(FLOW), store=f"sqlite:///{tmp_path}/s.db", clock=clock) as app:
        app.chat("ann").start()
    return tmp_path


def schedule(place: Path, *words: str) -> tuple[int, str]:
    command, *rest = words
    more = ["--store", f"sqlite:///{place}/s.db"] if command != "list" else []
    done = run("schedule", command, f"{place}/tutor.flow.yaml", *rest, *more)
    return done.code, done.out + done.err


def test_the_schedules_of_a_flow_are_listed_with_their_next_times(place: Path) -> None:
    code, text = schedule(place, "list", "--zone", "Europe/Berlin")
    assert code == 0
    assert "tuesday: cron 0 18 * * 2#2, opens 'survey'" in text
    assert "18:00:00 CE" in text
    assert "fortnight: every 2w from 2026-01-05 at 18:00, leaves a text for the next reply" in text
    assert "silent: after 3d without a message" in text
    assert schedule(place, "list", "--zone", "Europe/Berln") == (
        2,
        "'Europe/Berln' is no time zone; did you mean 'Europe/Berlin'?\n",
    )


def test_an_input_is_set_and_used_by_the_next_firing(place: Path) -> None:
    code, text = schedule(place, "next", "--json")
    assert code == 0
    assert [one["schedule"] for one in json.loads(text)][:2] == ["tuesday", "silent"]
    assert schedule(place, "set", "tuesday", "default", '{"topic": "cases"}', "--by", "Ann")[0] == 0
    code, text = schedule(place, "run", "--json")
    assert (code, json.loads(text)) == (0, {"fired": 1})  # the others are held while its scope is open
    with tw.open_sync(tw.loads(FLOW), store=f"sqlite:///{place}/s.db") as app:
        chat = app.chat("ann")
        turns = [chat.turn(number) for number in range(1, chat.state().turn + 1)]
        assert "How was cases?" in [turn.text for turn in turns]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("set", "tusday", "2026", "{}"), "no schedule is called 'tusday'; did you mean 'tuesday'?"),
        (("set", "tuesday", "Q4", "{}"), "period must be a day (2026-11-10)"),
        (("set", "tuesday", "2026", "{"), "the input is no JSON"),
        (("set", "tuesday", "2026", "[]"), "the input is a JSON object"),
        (("set", "tuesday", "2026", '{"topik": 1}'), "takes no input 'topik'; did you mean 'topic'?"),
    ],
)
def test_a_wrong_input_is_refused(place: Path, words: tuple[str, ...], error: str) -> None:
    code, text = schedule(place, *words)
    assert code
    assert error in text


def test_the_clock_of_a_talk_moves_forward_where_nothing_is_stored(place: Path) -> None:
    lines = b"hi\n/clock +40d\n/clock soon\n"
    done = run("chat", f"{place}/tutor.flow.yaml", given=lines)
    assert "(5w5d later)" in done.out
    assert "How was it?" in done.out
    assert "'soon' is no time span to move by; write +3d, +2h or +30m" in done.out
    done = run("chat", f"{place}/tutor.flow.yaml", "--store", f"sqlite:///{place}/other.db", given=lines)
    assert "the clock of stored conversations cannot be moved" in done.out
