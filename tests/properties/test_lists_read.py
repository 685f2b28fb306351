"""A decision names a longer list that it read, and every answer about it is as if it had the list (ADR 0071)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.json import encode

import turnwise as tw
from archive.test_files import lines_of, signed
from support.chats import NOON_MS, flow_of
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.state import read_lists
from turnwise.core.state.codec import decode_entry, encode_entry
from turnwise.core.state.fold import fold
from turnwise.core.state.read_lists import with_lists
from turnwise.core.state.retention import DAY_MS
from turnwise.core.trace import Group, Leaf, Operand
from turnwise.core.values import REDACTED
from turnwise.errors import ImportRefused
from turnwise.runner.clocks import ManualClock
from turnwise.server.views.redaction import Redaction

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
SOME = settings(max_examples=150 if IS_SOAK else 4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
ITEMS = "order.items"
FLOW = """
flow: shop
start: cart
records:
  pizza: {kind: string, size: {type: choice, options: [Small, Large]}, count: {type: integer, default: 1}}
  order: {items: {type: list, of: pizza, max: 60}, tags: {type: list, of: string}, done: boolean}
nodes:
  cart:
    say: "Yes?"
    collect: [order]
    transitions:
      - {id: large, at: before, when: 'order.items.all(i, i.size == "Large") && size(order.items) > 2', to: large}
      - {id: tagged, at: before, when: 'size(order.tags) > 6', to: large}
      - {id: coded, at: before, guard: many, to: many}
      - {id: over, at: before, when: order.done, to: bye}
  large:
    say: "All large."
    collect: [order]
    transitions: [{id: back, at: before, when: 'order.items.exists(i, i.size == "Small")', to: cart}]
  many:
    say: "Many."
    collect: [order]
    enter_when: 'order.items.map(i, i.count).sum() > 12'
    transitions: [{id: few, at: before, when: 'size(order.items) < 9', to: cart}]
  bye: {say: "Bye.", end: done}
"""


@tw.guard
def many(order: Any) -> bool:
    """True for many items."""
    return len(order.items) > 9


ITEM = st.fixed_dictionaries(
    {"kind": st.sampled_from(["salami", "tuna"])},
    optional={"size": st.sampled_from(["Small", "Large"]), "count": st.integers(1, 3)},
)
LISTS = st.lists(ITEM, max_size=14)
COMMANDS = st.one_of(
    st.builds(lambda items: [c.Set(field=ITEMS, value=items)], LISTS),
    st.builds(lambda item: [c.Add(field=ITEMS, item=item), c.Add(field=ITEMS, item=item)], ITEM),
    st.builds(lambda ref, size: [c.Change(field=ITEMS, item=ref, name="size", value=size)], st.integers(1, 9),
              st.sampled_from(["Small", "Large"])),
    st.builds(lambda ref: [c.Remove(field=ITEMS, item=ref)], st.integers(1, 9)),
    st.builds(lambda ref: [c.Move(field=ITEMS, item=ref, to=1)], st.integers(2, 9)),
    st.builds(lambda tags: [c.Set(field="order.tags", value=tags)], st.lists(st.sampled_from("ab"), max_size=9)),
    st.just("undo"),
)  # fmt: skip


@contextmanager
def lists_up_to(entries: int) -> Iterator[None]:
    """Record lists of so many entries with decisions."""
    usual, read_lists.MOST_INLINE = read_lists.MOST_INLINE, entries
    try:
        yield
    finally:
        read_lists.MOST_INLINE = usual


def opened(address: str, days: int = 0) -> tw.SyncApp:
    clock = ManualClock(NOON_MS + days * DAY_MS)
    return tw.open_sync(flow_of(FLOW), guards=[many], store=address, clock=clock)


def talk_of(address: str, taken: list[Any], *, is_cold: bool) -> list[Any]:
    """Take turns, each in an app of its own where it is cold; return what each turn says of its decisions."""
    said: list[Any] = []
    app = opened(address)
    app.chat("a").start()
    for one in [[c.Set(field=ITEMS, value=[{"kind": "tuna"}] * 6)], *taken]:
        if is_cold:
            app.close()
            app = opened(address)
        chat = app.chat("a")
        turn = chat.undo() if one == "undo" else chat.commands(one)
        said += [[one.to_dict() for one in turn.decisions], turn.evaluations]
    app.close()
    return said


def answers_of(address: str) -> list[Any]:
    """Return what is answered about a conversation."""
    with opened(address) as app:
        chat = app.chat("a")
        last = chat.turn().number
        assert chat.replay()
        assert chat.rerun().agrees
        questions = ("order.items", "order.items[i1]", "why not large", "why not coded", "why not back", "why not many")
        copied = app.import_(chat.export(), "b")
        return [
            [[one.to_dict() for one in chat.explain(turn=turn)] for turn in range(1, last + 1)],
            [one.to_dict() for one in copied.explain(turn=last)],
            [chat.why(question, turn=turn).to_dict() for question in questions for turn in (last, max(1, last - 1))],
            [str(chat.what_if(values={ITEMS: [{"kind": "tuna", "size": "Large"}] * count})) for count in (3, 20)],
            str(chat.what_if(rules={"large": "size(order.items) > 4"})),
            chat.compare(turn=1, other_turn=last).to_dict(),
            [str(one) for one in chat.history()],
        ]


def without_ids(answers: Any) -> str:
    return str(answers).replace("shop/b", "shop/a")


@SOME
@given(st.lists(COMMANDS, min_size=1, max_size=7))
def test_answers_are_the_same_whether_or_not_decisions_have_their_lists(taken: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        named, whole, cold = (f"sqlite:///{folder}/{name}.db" for name in ("named", "whole", "cold"))
        with lists_up_to(0):
            of_named = talk_of(named, taken, is_cold=False)
            of_cold = talk_of(cold, taken, is_cold=True)
            assert of_named == of_cold
        with lists_up_to(1000):
            assert talk_of(whole, taken, is_cold=False) == of_named
        assert without_ids(answers_of(named)) == without_ids(answers_of(whole)) == without_ids(answers_of(cold))


@SOME
@given(st.lists(COMMANDS, min_size=1, max_size=7))
def test_what_the_process_knows_of_a_list_is_what_the_state_has(taken: list[Any]) -> None:
    store = tw.MemoryStore()
    with lists_up_to(0), tw.open_sync(flow_of(FLOW), guards=[many], store=store, clock=ManualClock(NOON_MS)) as app:
        chat = app.chat("a")
        chat.start()
        for one in taken:
            chat.undo() if one == "undo" and chat.turn().number > 1 else chat.commands(() if one == "undo" else one)
        state = None
        for entry in chat.journal():
            if isinstance(entry.event, e.Decided):
                stored = decode_entry(encode_entry(entry)).event
                assert isinstance(stored, e.Decided)
                found, known = with_lists(stored, state), with_lists(entry.event, None)
                assert encode((found.reads, found.code)) == encode((known.reads, known.code))
            state = fold(state, entry)


def big(folder: Path) -> str:
    address = f"sqlite:///{folder}/x.db"
    talk_of(address, [[c.Change(field=ITEMS, item=1, name="size", value="Large")]], is_cold=False)
    return address


def decided(app: tw.SyncApp) -> list[e.Decided]:
    return [one.event for one in app.chat("a").journal() if isinstance(one.event, e.Decided) and one.event.outcomes]


def judged(decisions: tuple[tw.Decision, ...]) -> list[tw.Decision]:
    return [one for one in decisions if one.candidates]


def lists_of(decisions: tuple[tw.Decision, ...]) -> list[Operand]:
    """Return the list that the first condition of the last decision read."""
    verdict = judged(decisions)[-1].candidates[0].verdict
    assert isinstance(verdict, Group)
    leaf = verdict.parts[0]
    assert isinstance(leaf, Leaf)
    return list(leaf.operands)


def test_a_decision_writes_a_longer_list_as_its_field_and_length(tmp_path: Path) -> None:
    with opened(big(tmp_path)) as app:
        last = decided(app)[-1]
        assert last.reads[0] == {"field": ITEMS, "entries": 6}
        assert last.code[0].reads == {ITEMS: {"field": ITEMS, "entries": 6}}
        (items,) = lists_of(app.chat("a").explain())
        assert [len(items.value), items.how, items.value[0]["size"]] == [6, "command", "Large"]


def test_a_short_list_stays_with_the_decision(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/x.db"
    talk_of(address, [[c.Set(field=ITEMS, value=[{"kind": "tuna"}] * read_lists.MOST_INLINE)]], is_cold=False)
    with opened(address) as app:
        assert [len(one) for one in decided(app)[-1].reads[0][0]] == [2] * read_lists.MOST_INLINE


def test_a_journal_of_before_has_its_lists_and_runs_again_to_the_same(tmp_path: Path) -> None:
    with lists_up_to(1000):
        address = big(tmp_path)
    with opened(address) as app:
        chat = app.chat("a")
        assert len(decided(app)[-1].reads[0][0]) == 6
        assert chat.rerun().agrees
        chat.commands([c.Change(field=ITEMS, item=2, name="size", value="Large")])
        changed = judged(chat.explain())[-1].candidates[0].changed
        assert [len(changed[0].before), changed[0].before[1].get("size"), changed[0].now[1]["size"]] == [
            6,
            None,
            "Large",
        ]


def _longer(event: dict[str, Any]) -> None:
    event["reads"][0]["entries"] = 7


def _other(event: dict[str, Any]) -> None:
    event["reads"][0]["field"] = "order.tags"


def _none(event: dict[str, Any]) -> None:
    event["code"][0]["reads"][ITEMS]["field"] = "order.none"


@pytest.mark.parametrize("change", [_longer, _other, _none])
def test_a_file_whose_decision_names_a_list_that_there_was_not_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    with opened(big(tmp_path)) as app:
        lines = lines_of(app.chat("a").export())
        change([line["event"] for line in lines[1:] if line["event"].get("outcomes")][-1])
        with pytest.raises(ImportRefused, match="it read a list of 'order"):
            app.import_(signed(lines), "b")


def test_retention_takes_what_was_read_with_the_name_of_the_list(tmp_path: Path) -> None:
    with opened(big(tmp_path), days=3) as app:
        app.chat("a").commands([c.Change(field=ITEMS, item=2, name="size", value="Large")])
        app.retain(tw.Retention(decisions_days=1))
        assert [bool(one.reads) for one in decided(app)] == [False] * (len(decided(app)) - 1) + [True]
        assert "erased by retention" in judged(app.chat("a").explain(turn=2))[-1].erased
        app.retain(tw.Retention(events_days=1))
        changed = judged(app.chat("a").explain())[-1].candidates[0]
        assert ([len(one.value) for one in lists_of(app.chat("a").explain())], changed.changed) == ([6], ())


def test_a_conversation_that_was_moved_to_another_flow_still_knows_what_it_read(tmp_path: Path) -> None:
    address = big(tmp_path)
    other = flow_of(FLOW.replace("kind: string,", "kind: string, note: string,"))
    with tw.open_sync(other, guards=[many], store=address, clock=ManualClock(NOON_MS)) as app:
        before = [one.to_dict() for one in judged(app.chat("a").explain(turn=3))]
        app.chat("a").migrate()
        assert [one.to_dict() for one in judged(app.chat("a").explain(turn=3))] == before
        assert [len(one.value) for one in lists_of(app.chat("a").explain(turn=3))] == [6]


def test_the_length_of_a_secret_list_is_hidden_with_it(tmp_path: Path) -> None:
    secret = flow_of(FLOW.replace("max: 60", "max: 60, secret: true"))
    with tw.open_sync(secret, guards=[many], store=tw.MemoryStore(), clock=ManualClock(NOON_MS)) as app:
        chat = app.chat("a")
        chat.start()
        turn = chat.commands([c.Set(field=ITEMS, value=[{"kind": "tuna"}] * 6)])
        redaction = Redaction(turn.machine, (turn.before, turn.after), turn.entries)
        shown: Any = next(redaction.event(one) for one in turn.entries if isinstance(one.event, e.Decided))
        assert shown["reads"][0] == REDACTED
        assert shown["code"][0]["reads"] == {ITEMS: REDACTED}
        assert "tuna" not in str([one.to_dict() for one in turn.decisions])
