"""The facts of a turn: every event has one, and every kind of fact has its words."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, get_args

import pytest

from support.chats import flow_of, scripted_chat
from turnwise.core.explain.needs import NeedsPlan
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.commands import Set
from turnwise.core.state.fold import CHANGES, fold
from turnwise.core.step.work import SNAPSHOT_EVERY
from turnwise.understanding import rules
from turnwise.why.facts import FACT_MAKERS, SILENT, TurnFacts
from turnwise.why.kinds import WORDS, FactKind, words


def test_every_event_is_told_or_named_with_the_reason_why_not() -> None:
    kinds = set(get_args(e.AnyEvent))
    assert kinds == {*FACT_MAKERS, *SILENT}
    assert not {*FACT_MAKERS} & {*SILENT}


def test_every_kind_of_fact_has_its_words() -> None:
    assert set(WORDS) == set(get_args(FactKind))


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"field": "u.a", "value": 3, "how": "by default"}, "u.a was set to 3, by default"),
        ({"field": "u.a", "value": 3, "how": "by default", "before": 2}, "u.a was set to 3, by default (was 2)"),
        ({"field": "u.a", "value": 0, "how": "by default", "before": 0}, "u.a was set to 0, by default (was 0)"),
    ],
)
def test_a_part_in_brackets_is_left_out_without_its_value(values: dict[str, object], text: str) -> None:
    assert words("field_set", values) == text


def test_the_words_of_an_offer() -> None:
    values = {"who": "the schedule feedback", "scope": "survey", "said": "Do you have a minute?"}
    assert words("offered", values) == "the schedule feedback proposed the scope survey: “Do you have a minute?”"
    lapsed = {"scope": "survey", "outcome": "lapsed", "why": "the user spoke of something else"}
    assert words("offer_closed", lapsed) == (
        "the offer of the scope survey lapsed, because the user spoke of something else"
    )


def test_where_a_transition_was_taken_no_needs_of_the_others_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    others = "".join(f"{{id: other{n}, at: before, when: u.n == {n + 100}, to: a}}, " for n in range(9))
    taken = "{id: go, at: before, when: u.n > 0, to: b, set: {u.m: u.n + 1}}"
    flow = flow_of(
        "flow: f\nversion: 1\nstart: a\nrecords: {u: {n: integer, m: integer}}\n"
        f"nodes:\n  a: {{say: A., collect: [u.n], transitions: [{others}{taken}]}}\n  b: {{say: B.}}"
    )
    with scripted_chat(flow) as chat:
        chat.start()
        turn = chat.commands([Set(field="u.n", value=1)])
        monkeypatch.setattr(NeedsPlan, "explain", lambda *_: pytest.fail("the needs were searched"))
        *states, _ = accumulate(turn.entries, fold, initial=turn.before)
        found = TurnFacts(turn, states).facts
        assert [fact.values["value"] for fact in found if fact.kind == "field_set"] == ["1", "2"]


def traced(turns: int = 8) -> Any:
    """Turns, in each of which a transition sets a value from that of the turn before."""
    fields = ", ".join(f"v{n}: integer" for n in range(turns + 1))
    nodes = "".join(
        f"  n{n}: {{say: On., collect: [u.v0], transitions: "
        f"[{{id: t{n}, at: before, when: u.v{n} > 0, to: n{n + 1}, set: {{u.v{n + 1}: u.v{n} + 1}}}}]}}\n"
        for n in range(turns)
    )
    head = f"flow: f\nversion: 1\nstart: n0\nlimits: {{moves: 1}}\nrecords: {{u: {{{fields}}}}}\nnodes:\n"
    chat = scripted_chat(flow_of(f"{head}{nodes}  n{turns}: {{say: Done.}}"))
    chat.commands([Set(field="u.v0", value=1)])
    for _ in range(turns):
        chat.say("on")
    return chat


def test_a_value_is_traced_with_one_read_and_one_fold_of_each_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    with traced(turns=20) as chat:
        store, read, folded, searched = chat.runtime.store, list[int](), list[int](), list[int]()
        of_store, of_turn, change = store.entries, store.turn, CHANGES[e.FieldSet]

        async def entries(*asked: Any) -> Any:
            found = await of_store(*asked)
            read.extend(entry.seq for entry in found)
            return found

        async def turn(conversation: str, number: int) -> Any:
            searched.append(number)
            return await of_turn(conversation, number)

        def counted(state: State, entry: e.Entry, event: Any) -> State:
            folded.append(entry.seq)
            return change(state, entry, event)

        monkeypatch.setattr(store, "entries", entries)
        monkeypatch.setattr(store, "turn", turn)
        monkeypatch.setitem(CHANGES, e.FieldSet, counted)
        answer = chat.why("u.v20")
        assert len(answer.chain) > 20
        assert len(read) == len(set(read)) > SNAPSHOT_EVERY, "there is a snapshot in between"
        assert len(folded) == len(set(folded)) > 20
        assert not searched, "the newest entries have the turn"


def test_an_answer_reads_no_message_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with traced() as chat:
        monkeypatch.setattr(rules, "understand", lambda *asked: pytest.fail(f"read again: {asked}"))
        for subject in ("u.v0", "u.v8", "message", "turn"):
            assert chat.why(subject).facts


def test_a_last_turn_of_many_entries_is_read_whole() -> None:
    fields = ", ".join(f"v{n}: integer" for n in range(70))
    nodes = "{a: {say: A., collect: [u.v0], transitions: [{id: go, at: before, when: u.v0 > 9, to: b}]}, b: {say: B.}}"
    with scripted_chat(flow_of(f"flow: f\nversion: 1\nstart: a\nrecords: {{u: {{{fields}}}}}\nnodes: {nodes}")) as chat:
        chat.say("on")
        turn = chat.commands([Set(field=f"u.v{n}", value=n) for n in range(70)])
        answer = chat.why("u.v0")
        assert (answer.turn, answer.facts[0].kind, answer.facts[0].turn) == (turn.number, "field_set", turn.number)
