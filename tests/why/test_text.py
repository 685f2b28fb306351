"""Answers as text: `print(answer)` prints what the terminal prints, and a chain ends at what a person would name."""

from __future__ import annotations

from rich.console import Console

import turnwise as tw
from support.chats import flow_of
from turnwise.cli.answers import print_answer
from turnwise.cli.show import plain_console
from turnwise.why.answer import text_of

FLOW = """
flow: f
start: ask
records: {u: {n: integer, limit: integer}}
tools: {find: {about: finds the policy, args: {n: integer}}}
nodes:
  ask: {form: {fields: [{field: u.n, ask: N?}], confirm: {}}, transitions: [{id: go, to: find}]}
  find:
    tool: {name: find, with: {n: u.n}, into: u}
    transitions: [{id: big, when: u.n > u.limit, because: more than the limit, to: big}, {id: small, to: small}]
  big: {say: Big., end: big}
  small: {say: Small., end: small}
"""


def talked() -> tw.SyncApp:
    app = tw.open_sync(flow_of(FLOW), tools={"find": lambda n: {"limit": 5}})
    chat = app.chat("1")
    for text in ("hello", "9", "yes"):
        chat.say(text)
    return app


def printed(console: Console, answer: tw.Answer) -> str:
    with console.capture() as capture:
        print_answer(console, answer)
    return capture.get().rstrip("\n")


def test_an_answer_is_printed_as_the_terminal_prints_it() -> None:
    with talked() as app:
        for subject in ("u.limit", "big", "small", "", "end"):
            answer = app.chat("1").why(subject)
            assert str(answer) == printed(plain_console(), answer), subject


def test_the_causes_of_a_value_of_a_tool_end_at_the_result_of_the_tool() -> None:
    with talked() as app:
        answer = app.chat("1").why("u.limit")
    found, whole = str(answer).splitlines(), text_of(answer, everything=True).splitlines()
    assert [line.partition(" after")[0] for line in found[1:3]] == [
        "u.limit was set to 5, by the tool find",
        '  ← find returned {"limit":5}',
    ]
    assert [line[:1] for line in found[3:]] == ["·", "·", "…"]
    assert found[-1] == f"… {len(whole) - len(found) + 1} earlier causes: --all"
    assert "the user said “yes”" in text_of(answer, everything=True)


def test_the_causes_of_a_move_end_at_the_words_of_the_user() -> None:
    with talked() as app:
        found = str(app.chat("1").why("u.n")).splitlines()
    assert found[2] == "  ← the user said “9”   (turn 2)"
    assert not any("earlier cause" in line for line in found)
