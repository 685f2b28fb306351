"""A `set` that computes nothing: an event, and a line in every answer about the turn."""

from __future__ import annotations

import pytest

from support.chats import scripted_chat, sets
from turnwise.cli.show import plain_console, print_turn, print_why
from turnwise.core.state.events import NothingSet

FLOW = """
flow: f
start: home
records:
  u: {tags: {type: list}, size: integer, age: integer, born: integer, level: {type: integer, default: 1}, note: string}
nodes:
  home:
    prompt: Talk.
    collect: [u]
    transitions: [{id: go, at: before, when: u.age > 0, to: away, set: {SET}}]
  away: {prompt: There.}
"""
NOTE = FLOW.replace("SET", """u.note: 'u.note + "n"'""")
WORDS = "nothing was set in u.note: u.note is missing"


def made(written: str, **values: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What was not set, with the missing names."""
    with scripted_chat(FLOW.replace("SET", written)) as chat:
        turn = chat.commands(sets(u__age=3, **values))
        assert chat.rerun().agrees
    assert turn.node == "away"
    return tuple((event.field, event.missing) for event in turn.events if isinstance(event, NothingSet))


@pytest.mark.law("2.9")
def test_a_set_that_reads_a_missing_value_is_an_event() -> None:
    assert made("""u.note: 'u.note + "n"'""") == (("u.note", ("u.note",)),)
    assert made("""u.note: 'u.note + "n"'""", u__note="a") == ()
    assert made("u.size: u.age + u.born + u.size") == (("u.size", ("u.born", "u.size")),)
    assert made("u.size: u.born, u.note: '\"x\"'") == (("u.size", ("u.born",)),)
    assert made("u.note: message.text") == (("u.note", ("message.text",)),)


def test_a_set_that_clears_on_purpose_is_none() -> None:
    assert made("u.size: null", u__size=4) == ()
    assert made("u.note: '\"\"'") == ()
    assert made("u.size: u.level + 1") == ()
    assert made("""u.note: 'default(u.note, "") + "n"'""") == ()
    assert made("""u.tags: 'u.tags + ["n"]'""") == ()


@pytest.mark.parametrize("key", ["set", "set_on_leave"])
def test_the_writes_of_nodes_and_ends_are_shown_alike(key: str) -> None:
    node = "away: {prompt: There.}"
    text = FLOW.replace(", set: {SET}", "")
    if key == "set":
        text = text.replace(node, "away: {prompt: There., set: {u.size: u.size + 1}}")
    else:
        text = text.replace("collect: [u]", "collect: [u]\n    set_on_leave: {u.size: u.size + 1}")
    with scripted_chat(text) as chat:
        turn = chat.commands(sets(u__age=3))
    assert [event.text for event in turn.nothing_set] == ["nothing was set in u.size: u.size is missing"]
    assert turn.decisions[0].nothing_set == turn.nothing_set


@pytest.mark.law("2.9")
def test_every_answer_about_the_turn_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    with scripted_chat(NOTE) as chat:
        turn = chat.commands(sets(u__age=3))
        (explained, *_) = chat.explain()
    assert turn.decisions[0].line == f"home → away by go; {WORDS}"
    assert explained == turn.decisions[0]
    assert explained.to_dict()["nothing_set"] == ({"type": "nothing_set", "field": "u.note", "missing": ("u.note",)},)
    assert turn.evaluations[0].to_dict()["decision"]["line"].endswith(WORDS)
    assert turn.debug_events[0].data.decision.nothing_set == turn.nothing_set
    print_why(plain_console(), turn)
    assert capsys.readouterr().out.count(WORDS) == 1
    print_turn(plain_console(), turn, debug=True)
    assert capsys.readouterr().out.count(WORDS) == 1


def test_a_first_node_that_sets_nothing_is_shown_without_a_decision(capsys: pytest.CaptureFixture[str]) -> None:
    text = FLOW.replace(", set: {SET}", "").replace("collect: [u]", "collect: [u]\n    set: {u.size: u.size + 1}")
    with scripted_chat(text) as chat:
        turn = chat.start()
    assert [event.missing for event in turn.nothing_set] == [("u.size",)]
    print_why(plain_console(), turn)
    print_turn(plain_console(), turn, debug=True)
    assert capsys.readouterr().out.count("nothing was set in u.size: u.size is missing") == 2


def test_a_move_that_is_undone_shows_only_its_failure() -> None:
    text = FLOW.replace("{type: list}", "{type: list}, few: {type: integer, max: 2}")
    with scripted_chat(text.replace("SET", "u.size: u.size + 1, u.few: u.age")) as chat:
        turn = chat.commands(sets(u__age=3))
    assert turn.node == "home"
    assert not turn.nothing_set
    assert "nothing was set" not in turn.decisions[0].line
