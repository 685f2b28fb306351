"""Files with a right checksum that nobody exported: refused in one line, or harmless in every later call."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from archive.test_files import lines_of, signed
from support.chats import NOON_MS, OneSyncChat
from support.stored import stored
from turnwise.errors import ImportRefused, TurnwiseError
from turnwise.runner.clocks import ManualClock

Lines = list[Any]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    with stored(tmp_path_factory.mktemp("forged") / "x.db") as chat:
        talk = chat.app.chat("42")
        for line in ("hello", "Ada", "40", "Plus"):
            talk.say(line)
        talk.undo()
        talk.say("Basic")
        return talk.export()


def events(lines: Lines, kind: str) -> list[dict[str, Any]]:
    """The events of a kind, in order."""
    return [line["event"] for line in lines[1:] if line["event"]["type"] == kind]


def put(kind: str, **parts: Any) -> Callable[[Lines], None]:
    """Change parts of the first event of a kind."""

    def change(lines: Lines) -> None:
        events(lines, kind)[0].update(parts)

    return change


def value_of(field: str, value: Any) -> Callable[[Lines], None]:
    def change(lines: Lines) -> None:
        next(event for event in events(lines, "field_set") if event["field"] == field)["value"] = value

    return change


def timer(place: int, value: Any) -> Callable[[Lines], None]:
    def change(lines: Lines) -> None:
        for event in events(lines, "turn_ended"):
            for armed in event.get("timers", ()):
                armed[place] = value

    return change


def run_of_form(**parts: Any) -> Callable[[Lines], None]:
    def change(lines: Lines) -> None:
        events(lines, "form_changed")[-1]["run"].update(parts)

    return change


def entry(**parts: Any) -> Callable[[Lines], None]:
    def change(lines: Lines) -> None:
        lines[3].update(parts)

    return change


def rename_flow(lines: Lines) -> None:
    """The flow under its fingerprint is another one."""
    head = lines[0]
    head["flows"] = {key: text.replace("How old are you?", "How tall are you?") for key, text in head["flows"].items()}


def other_fingerprint(lines: Lines) -> None:
    text = json.dumps(lines).replace(next(iter(lines[0]["flows"])), "0123456789abcdef")
    lines[:] = json.loads(text)


def after_last(event: dict[str, Any]) -> Callable[[Lines], None]:
    """One more event before the end of the last turn."""

    def change(lines: Lines) -> None:
        last = lines[-1]
        lines.insert(-1, {**last, "event": event})
        for number, line in enumerate(lines[1:], 1):
            line["seq"] = number

    return change


FORGERIES: dict[str, tuple[Callable[[Lines], None], str]] = {
    "a value of the wrong type": (value_of("user.age", "forty"), "field 'user.age' does not take 'forty'"),
    "a number as a text": (value_of("user.age", "40"), "'user.age' does not take '40': it is kept in another form"),
    "a value out of bounds": (value_of("user.age", 4000), "field 'user.age' does not take 4000"),
    "a structure as a value": (value_of("user.name", {"a": [1]}), "field 'user.name' does not take"),
    "an unknown option": (value_of("user.plan", "Gold"), "field 'user.plan' does not take 'Gold'"),
    "an unknown field set": (put("field_set", field="user.nmae"), "there is no field 'user.nmae'; did you mean"),
    "an unknown field cleared": (
        after_last({"type": "field_cleared", "field": "user.shoe", "how": "command"}),
        "there is no field 'user.shoe'",
    ),
    "an unknown first node": (put("started", node="aks"), "there is no node 'aks'; did you mean 'ask'?"),
    "a move to an unknown node": (
        after_last({"type": "moved", "source": "ask", "target": "cellar", "transition": "done"}),
        "there is no node 'cellar'",
    ),
    "another flow under its fingerprint": (rename_flow, "the fingerprint of what the file has is"),
    "an invented fingerprint": (other_fingerprint, "the fingerprint of what the file has is"),
    "another version": (put("started", version=77), "its version is 77"),
    "an unknown language": (put("started", language="tlh"), "its language is 'tlh'"),
    "an unknown time zone": (put("started", time_zone="Mars/Base"), "there is no time zone 'Mars/Base'"),
    "a time zone out of a folder": (put("started", time_zone="../../etc/passwd"), "there is no time zone"),
    "a time of no calendar": (entry(at_ms=10**18), "no time of a calendar"),
    "a time that runs backwards": (entry(at_ms=5), "is before the entry that precedes it"),
    "a turn that runs ahead": (entry(turn=9), "it says turn 9 after turn 1"),
    "a timer of no transition": (timer(0, "alarm"), "there is no timer 'alarm'"),
    "a timer of no node": (timer(1, "attic"), "there is no node 'attic'"),
    "a timer that is never due": (timer(3, 10**18), "which is no time of a calendar"),
    "an overlay forced at no time": (
        after_last({"type": "overlay_forced", "name": "x", "on": True, "for_all": True, "since_ms": 10**18}),
        "the overlay 'x' was forced at 1000000000000000000, which is no time of a calendar",
    ),
    "too few letters": (put("decided", outcomes=""), "does not say what came of"),
    "other letters": (put("decided", outcomes="z"), "does not say what came of"),
    "a candidate beyond the last": (put("decided", taken=40), "candidate 40 was taken"),
    "too many readings": (put("decided", reads=[1, 2, 3, 4, 5, 6]), "it has 6 values for"),
    "a decision at an unknown node": (put("decided", node="cellar"), "there is no node 'cellar'"),
    "an unknown moment": (put("decided", moment="yesterday"), "there is no moment 'yesterday'"),
    "an unknown Python guard": (put("decided", code=[{"guard": "steal"}]), "there is no Python guard 'steal'"),
    "a question that no form has": (run_of_form(asked="user.shoe"), "'user.shoe'"),
    "a walk through unknown answers": (run_of_form(walk=["user.shoe"]), "there is no question 'user.shoe'"),
    "a suggestion that no field takes": (run_of_form(suggested={"user.age": 999}), "does not take 999"),
    "words of the future": (put("field_set", place=[999, 0, 3]), "there are no words at (999, 0, 3)"),
    "a held call of no tool": (
        after_last({"type": "call_held", "tool": "pay", "arguments": {}}),
        "there is no tool 'pay'",
    ),
}


@pytest.mark.parametrize("case", FORGERIES)
def test_a_forged_file_is_refused_in_one_line_that_names_the_entry(tmp_path: Path, data: bytes, case: str) -> None:
    forge, reason = FORGERIES[case]
    lines = lines_of(data)
    forge(lines)
    assert lines != lines_of(data), "nothing was forged"
    with stored(tmp_path / "y.db") as chat:
        with pytest.raises(ImportRefused) as refused:
            chat.app.import_(signed(lines))
        assert reason in str(refused.value)
        assert "\n" not in str(refused.value)
        assert "entry " in str(refused.value) or "fingerprint" in str(refused.value)
        assert chat.app.conversations() == ()


STRANGE: tuple[Any, ...] = ("", "x", "user.age", "ask", 0, -1, 3, 10**18, None, True, [], {}, "served", 1.5, "\n")


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all leaves of JSON data."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = list(parts)
    if not found:
        yield path
    for key, part in found:
        yield from places(part, (*path, key))


def mutated(lines: Lines, random: Random) -> Lines:
    """Lines in which a leaf of an entry is another."""
    lines = deepcopy(lines)
    entry = random.choice(lines[1:])
    path = random.choice([path for path in places(entry) if path and path[0] != "seq" and path[-1] != "type"])
    part = entry
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = random.choice(STRANGE)
    return lines


def use(chat: OneSyncChat, name: str) -> None:
    """Every later call; what it refuses, it refuses as turnwise."""
    talk = chat.app.chat(name)
    calls: list[Callable[[], Any]] = [talk.state, talk.journal, talk.rerun, talk.export]
    calls += [lambda number=number: talk.explain(turn=number) for number in range(1, talk.state().turn + 1)]
    calls += [lambda: talk.say("yes"), talk.undo, lambda: talk.say("Plus"), lambda: talk.say("no"), talk.state]
    for call in calls:
        with suppress(TurnwiseError):
            call()


def test_a_file_with_another_leaf_is_refused_or_harmless(tmp_path: Path, data: bytes) -> None:
    random, lines, taken = Random(11), lines_of(data), 0
    with stored(tmp_path / "y.db", clock=ManualClock(NOON_MS)) as chat:
        for number in range(200):
            forged = mutated(lines, random)
            before = chat.app.conversations()
            try:
                chat.app.import_(signed(forged), f"c{number}")
            except TurnwiseError as error:
                assert "\n" not in str(error)
                assert chat.app.conversations() == before
                continue
            taken += 1
            changed = next((new for new, old in zip(forged, lines, strict=True) if new != old), None)
            try:
                use(chat, f"c{number}")
            except Exception as error:
                raise AssertionError(f"a later call broke on {changed}") from error
    assert 0 < taken < 200
