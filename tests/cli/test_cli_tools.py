"""Tools on the command line: functions of a file, what became of calls, and flows that go on by themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.shell import run

FLOW = """
flow: stay
start: help
records: {place: {town: {type: string, max: 9}}}
tools:
  search: {about: search the web, args: {q: string}}
  book: {about: book a room, kind: effect, confirm: true, args: {room: string}}
nodes:
  help: {prompt: Help the user find a place to stay., writes: [place], tools: {allow: [search, book]}}
"""
CODE = """
import turnwise as tw


def search(q: str) -> list[str]:
    return [q.upper()]


def book(room: str) -> str:
    raise OSError("the line is dead")
"""
REPLIES = """
- Welcome.
- calls: [{tool: search, arguments: {q: beds}}]
- Found.
- calls:
    - {tool: write_place, arguments: {set: {town: Constantinople}}}
    - {tool: write_place, arguments: {set: {town: Rome}}}
    - {tool: delete}
    - {tool: book, arguments: {room: blue}}
- That did not work.
"""
ALONE = """
flow: alone
autonomous: true
start: one
records: {user: {name: string}}
nodes:
  one: {prompt: First., transitions: [{id: on, because: the first is done, to: ask}]}
  ask: {form: {fields: [{field: user.name, ask: Who is there?}]}, transitions: [{to: two}]}
  two: {prompt: Second., transitions: [{to: done}]}
  done: {say: "Goodbye, {{ user.name }}.", end: over}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"stay.yaml": FLOW, "code.py": CODE, "replies.yaml": REPLIES, "alone.yaml": ALONE}.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "two.yaml").write_text("[One., Two.]", "utf-8")
    return tmp_path


def test_functions_of_a_file_are_tools_and_why_tells_what_became_of_calls(folder: Path) -> None:
    command = ("chat", "stay.yaml", "--python", "code.py", "--model", "scripted:replies.yaml")
    ran = run(*command, given="beds\n/why\nbook one\nyes\n/why\n", at=folder)
    assert (ran.code, ran.err) == (0, "")
    assert [line for line in ran.lines if line.startswith("called")] == [
        'called: search {"q": "beds"} => ["BEDS"]',
        'called: book {"room": "blue"} failed OSError: the line is dead',
    ]
    assert not any(line.startswith("  · called") for line in ran.lines)
    debug = run(*command, "--debug", given="beds\nbook one\n", at=folder)
    assert [line for line in debug.lines if line.startswith("  · called")] == [
        '  · called: search {"q": "beds"} => ["BEDS"]',
        '  · called: write_place {"set": {"town": "Constantinople"}} => {"success": false, "error": "town: That text is too long: 9 characters are allowed."}',
        '  · called: write_place {"set": {"town": "Rome"}} => {"success": true, "context": "place", "written": ["town"], "values": {"town": "Rome"}}',
        "  · called: delete {} refused unknown_tool",
        '  · called: book {"room": "blue"} held',
    ]


def test_a_function_that_does_not_fit_its_tool_is_told(folder: Path) -> None:
    (folder / "code.py").write_text(CODE.replace("search(q: str)", "search(q: int)"), "utf-8")
    for command in ("check", "chat"):
        ran = run(command, "stay.yaml", "--python", "code.py", at=folder)
        assert ran.code == 1
        assert "TW089 'search' declares 'q' as string, and its function takes it as integer" in ran.out + ran.err


SCENARIO = """
flow: stay.yaml
model: -> search {"q": "beds"}
model: Found.
user: beds
calls: search => ["BEDS"]
"""


def test_scenarios_take_the_file_too(folder: Path) -> None:
    (folder / "stay.scenario").write_text(SCENARIO, "utf-8")
    ran = run("test", "stay.scenario", at=folder)
    assert ran.code == 1
    assert '    found:    search {"q": "beds"} failed \'search\' is not supplied: script' in ran.out
    assert run("test", "stay.scenario", "--python", "code.py", at=folder).out == "1 passed, 0 failed\n"
    assert (
        "nothere.py: there is no such Python file"
        in run("test", "stay.scenario", "--python", "nothere.py", at=folder).out
    )


def test_a_demo_takes_a_file_as_well(folder: Path) -> None:
    ran = run("demo", "thinking_partner", "--play", "--python", "nothere.py", at=folder)
    assert (ran.code, ran.err) == (1, "nothere.py: there is no such Python file\n")


def test_a_flow_that_goes_on_by_itself_is_shown_until_it_rests(folder: Path) -> None:
    ran = run("chat", "alone.yaml", "--model", "scripted:two.yaml", given="/why-not on\nAnn\n/why\n", at=folder)
    assert [line for line in ran.lines if line and not line.startswith(" ")] == [
        "One.",
        "Who is there?",
        "turns 1 to 2",
        "after: one → ask by on: the first is done",
        "Two.",
        "Goodbye, Ann.",
        "after turn 4: Ended: over",
        "turns 3 to 4",
        "understood: user.name = Ann",
        "before: stayed in ask: no candidates before the work",
        "after: ask → two by to_two",
        "before: stayed in two: no candidates before the work",
        "after: two → done by to_done",
        "before: stayed in done: no candidates before the work",
    ]


def test_as_json_each_of_its_turns_is_a_line(folder: Path) -> None:
    ran = run("chat", "alone.yaml", "--model", "scripted:two.yaml", "--json", given="Ann\n", at=folder)
    turns = [json.loads(line) for line in ran.lines]
    assert [(turn["turn"], turn["text"]) for turn in turns] == [
        (1, "One."), (2, "Who is there?"), (3, "Two."), (4, "Goodbye, Ann."),
    ]  # fmt: skip
    assert turns[-1]["outcome"] == "over"
