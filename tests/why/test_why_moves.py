"""Why a transition was outranked, blocked, planned, taken back or not judged, and which item or function decided it."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of, machine_of
from support.why_cases import Case, Talk, check
from turnwise.core.candidates import precedence
from turnwise.core.explain.items import ItemVerdict, item_verdicts
from turnwise.core.guards import Env, Recorded
from turnwise.core.state import FieldValue
from turnwise.core.state.commands import Set

SHOP = """
flow: f
start: a
limits: {moves: 2}
records:
  r:
    n: {type: integer, max: 9}
    m: integer
    tags: {type: list}
    pins: {type: list, secret: true}
nodes:
  a:
    say: Hello.
    transitions:
      - {id: first, at: before, when: r.n == 1, to: b, because: it is one}
      - {id: second, at: before, when: r.n >= 1, to: c, priority: 200}
      - {id: third, at: before, when: r.n >= 1, to: d, priority: 200}
      - {id: vip, at: before, when: 'r.tags.exists(t, t == "vip")', to: b}
      - {id: only, at: before, when: 'has(r.tags) && r.tags.all(t, t == "vip")', to: c, priority: 150}
      - {id: pinned, at: before, when: 'r.pins.exists(p, p == "1234")', to: b}
      - {id: full, at: before, when: r.m > 0, to: c, set: {r.n: r.m}}
      - {id: loop, at: before, when: r.n == 8, to: e}
      - {id: later, at: after, when: r.n == 0, to: d, reply: next}
  b: {say: B., transitions: [{id: onwards, at: before, when: r.n == 9, to: a}]}
  c: {say: C., transitions: [{id: at_c, at: before, when: r.n == 99, to: a}]}
  d: {say: D., transitions: [{id: at_d, at: before, when: r.n == 99, to: a}]}
  e: {say: E., transitions: [{id: e1, at: after, when: r.n == 8, to: g}]}
  g: {say: G., transitions: [{id: g1, at: after, when: r.n == 8, to: h}]}
  h: {say: H., transitions: [{id: h1, at: before, when: r.n == 99, to: a}]}
"""


@cache
def shop(*commands: tuple[str, object]) -> tw.SyncChat:
    """The shop after these values came."""
    talk = Talk(SHOP)
    talk.chat.start()
    talk.chat.commands(
        [Set(field=field, value=list(value) if isinstance(value, tuple) else value) for field, value in commands]
    )
    return talk.chat


ONE, TWO = ("r.n", 1), ("r.n", 2)
ASKED = [
    ((ONE,), Case("first", "before: a → b by first", {"value_read": {"name": "r.n"}}, ("outranked",))),
    (
        (ONE,),
        Case(
            "second",
            "second held, and was outranked by first",
            {"outranked": {"by": "first", "winner_priority": 100, "priority": 200}},
            ("move_blocked",),
        ),
    ),
    (
        (TWO,),
        Case(
            "third", "third held, and was outranked by second", {"outranked": {"winner_priority": 200, "priority": 200}}
        ),
    ),
    ((TWO,), Case("first", "first did not hold, because it needs r.n == 1 (is 2)", {}, ("outranked",))),
    (
        (("r.tags", ("new", "vip")),),
        Case("vip", "before: a → b by vip", {"item_decided": {"number": 2, "count": 2, "value": "vip"}}),
    ),
    (
        (("r.tags", ("vip", "new")),),
        Case("only", "only did not hold", {"item_decided": {"number": 2, "value": "new", "holds": "does not hold"}}),
    ),
    (
        (("r.tags", ("old", "new")),),
        Case(
            "vip",
            "vip did not hold",
            {"no_item_decided": {"count": 2, "did": "none of its 2 items meet the condition"}},
            ("item_decided",),
        ),
    ),
    (
        (("r.tags", ("vip",)),),
        Case(
            "only",
            "only held, and was outranked by vip",
            {"no_item_decided": {"did": "its only item meets the condition"}},
        ),
    ),
    ((TWO,), Case("vip", "vip did not hold", {"no_item_decided": {"did": "the list is empty"}}, ("item_decided",))),
    (
        (("r.m", 50),),
        Case(
            "full",
            "full held, but the move a → c was taken back, because a write was refused: r.n: That is more than 9",
            {"write_refused": {"value": "50"}, "move_undone": {"target": "c"}},
            ("move_blocked", "node_left"),
        ),
    ),
    ((("r.m", 50),), Case("c", "full held, but the move a → c was taken back", {"write_refused": {"bound": 9}})),
    ((("r.m", 5),), Case("full", "before: a → c by full", {}, ("move_undone",))),
    (
        (("r.n", 8),),
        Case(
            "g1",
            "g1 held, but the move g → h was not made, because the limit of 2 moves in a turn was reached",
            {"move_blocked": {"node": "g", "target": "h"}},
        ),
    ),
    ((("r.n", 8),), Case("h", "g1 held, but the move g → h was not made", {}, ("node_never_entered",))),
    ((("r.n", 8),), Case("moves", "g1 held, but", {"limit_used": {"used": 2, "bound": 2}})),
    ((ONE,), Case("moves", "the limit moves allows 2 moves in a turn, and turn 2 used 1")),
    ((ONE,), Case("at_d", "at_d was not judged in turn 2: it leads out of d")),
    ((ONE,), Case("d", "d was never entered", {"transition_judged": {"transition": "third"}})),
    (
        (("r.n", 0),),
        Case(
            "later",
            "after: stayed in a: goes to d with the next message",
            {"move_planned": {"target": "d"}},
        ),
    ),
    ((("r.n", 0),), Case("d", "the move a → d by later is made with the next message; turn 2 decided it")),
]


@pytest.mark.parametrize(("given", "case"), ASKED, ids=lambda one: one.question if isinstance(one, Case) else str(one))
def test_a_transition_of_the_shop(given: tuple[tuple[str, object], ...], case: Case) -> None:
    check(shop(*given), case)


def test_a_planned_move_is_told_in_the_turn_that_makes_it() -> None:
    talk = Talk(SHOP)
    talk.chat.start()
    talk.chat.commands([Set(field="r.n", value=0)])
    talk.did("well")
    check(talk.chat, Case("d", "a → d by later", {"node_left": {"is_planned": True}}, ("move_waits",)))
    check(talk.chat, Case("later", "a → d by later"))


def test_a_secret_item_is_in_no_answer() -> None:
    chat = shop(("r.pins", ("1234", "77-88-99")))
    answer = check(chat, Case("pinned", "before: a → b by pinned", {"item_decided": {"number": 1}}))
    assert "1234" not in str(answer.to_dict())


# enter_when and Python guards ----------------------------------------------------------------------

ENTER = """
flow: f
start: a
records: {r: {n: integer, m: integer}}
nodes:
  a: {say: Hello., transitions: [{id: out, at: before, when: r.m > 100, to: b}]}
  b: {say: B., enter_when: r.n > 5, transitions: [{id: back, at: before, when: r.m == 1, to: a}]}
"""


def enter(*values: dict[str, object]) -> tw.SyncChat:
    talk = Talk(ENTER)
    talk.chat.start()
    for one in values:
        talk.chat.commands([Set(field=field, value=value) for field, value in one.items()])
    return talk.chat


def test_an_enter_when_that_opened_is_told_with_what_changed() -> None:
    chat = enter({"r.n": 2}, {"r.n": 6})
    name = next(one for one in chat.machine.transitions() if one not in ("out", "back"))
    check(chat, Case("b", "a → b", {"value_read": {"name": "r.n", "value": "6"}}))
    check(
        chat, Case(f"transition {name}", "before: a → b", {"enter_when_judged": {"changed": "r.n changed from 2 to 6"}})
    )


def test_an_enter_when_that_was_not_judged_again_is_told_to_be_unchanged() -> None:
    chat = enter({"r.n": 2}, {"r.m": 3})
    name = next(one for one in chat.machine.transitions() if one not in ("out", "back"))
    check(
        chat,
        Case(
            f"transition {name}",
            f"{name} was not judged",
            {"enter_when_skipped": {"then": "it did not hold then"}},
            ("enter_when_judged",),
        ),
    )


CODE = """
flow: f
start: a
records: {r: {n: integer}}
nodes:
  a: {say: Hello., transitions: [{id: rich, at: before, guard: is_rich, to: b}]}
  b: {say: B.}
"""


@pytest.mark.parametrize(
    ("value", "line", "facts"),
    [
        (7, "before: a → b by rich", {"code_returned": {"result": "true", "reads": "r.n = 7"}}),
        (2, "rich did not hold", {"code_returned": {"result": "false", "reads": "r.n = 2"}}),
        (0, "rich is in error", {"code_failed": {"reads": "r.n = 0"}}),
    ],
)
def test_a_transition_by_code_has_what_the_function_returned_and_read(
    value: int, line: str, facts: dict[str, dict[str, object]]
) -> None:
    @tw.guard
    def is_rich(r: Any) -> bool:
        if not r.n:
            raise ValueError("no number")
        return r.n > 5

    talk = Talk(CODE, guards=[is_rich])
    talk.chat.start()
    talk.chat.commands([Set(field="r.n", value=value)])
    check(talk.chat, Case("rich", line, facts))


def test_the_order_of_candidates_has_one_reason() -> None:
    machine = machine_of(SHOP)
    found = {one.id: one for one in machine.candidates("a", "before").all}
    assert precedence(found["first"], found["second"], "before") == "priority"
    assert precedence(found["second"], found["third"], "before") == "order"


@pytest.mark.parametrize(
    ("items", "verdict"),
    [
        ([], ItemVerdict('r.tags.exists(t, t == "vip")', "exists", 0)),
        (["vip"], ItemVerdict('r.tags.exists(t, t == "vip")', "exists", 1, 1, 0, "vip")),
    ],
)
def test_the_items_of_a_list_decide(items: list[str], verdict: ItemVerdict) -> None:
    machine = machine_of(SHOP)
    guard = next(one.guard for one in machine.candidates("a", "before").all if one.id == "vip")
    assert guard is not None
    env = Env({"r.tags": FieldValue(items, "command", 1, 0)}, Recorded({}))
    assert list(item_verdicts(guard.expression, machine.names, env)) == [verdict]


def test_an_enter_when_that_was_not_judged_again_says_what_it_needs() -> None:
    chat = enter({"r.n": 2}, {"r.m": 3})
    line = chat.why("b").line
    assert "nothing that it reads has changed since it was judged; it did not hold then; it needs r.n > 5" in line
    assert line.count("was not judged, because nothing") == 1, "each reason once"


def test_a_mirror_is_not_said_to_be_outranked() -> None:
    @tw.guard
    def is_rich(r: Any) -> bool:
        return bool(r.n > 5)

    flow = CODE.replace(
        "{id: rich, at: before, guard: is_rich, to: b}",
        "{id: rich, at: before, guard: is_rich, to: b}, {id: same, at: before, mirror: true, when: r.n > 4, to: b}",
    )
    chat = Talk(flow, guards=[is_rich]).did(lambda chat: chat.start()).chat
    chat.commands([Set(field="r.n", value=9)])
    answer = check(chat, Case("same", "same held, but a mirror only describes", {}, ("outranked",)))
    assert "goes before" not in answer.line


def test_while_a_person_is_in_charge_a_transition_is_not_said_to_be_judged_with_every_message() -> None:
    talk = Talk(CODE.replace("guard: is_rich", "when: r.n > 5").replace("flow: f", "flow: f\nperson: {queue: q}"))
    chat = talk.did(lambda chat: chat.start(), lambda chat: chat.take_over("Lena"), "hello").chat
    check(chat, Case("rich", "rich was not judged in turn 3: it is judged before the node works, with every message"))
    assert "but not now: the conversation is with Lena, who is in charge" in chat.why("rich").line


def test_of_many_values_that_a_transition_read_those_in_its_way_come_first() -> None:
    flow = """
    flow: f
    start: a
    records: {r: {x: integer, y: integer, z: integer}}
    nodes:
      a: {say: A., transitions: [{id: all_of, at: before, when: r.x > 0 && r.y > 0 && r.z > 9, to: b}]}
      b: {say: B.}
    """
    talk = Talk(flow)
    talk.chat.commands([Set(field=f"r.{name}", value=1) for name in "xyz"])
    causes = talk.chat.why("all_of").facts[0].causes
    assert [one.values["name"] for one in causes if one.kind == "value_read"] == ["r.z", "r.x", "r.y"]


ELSE = """
flow: f
start: a
records: {u: {n: integer}}
nodes:
  a:
    form: {fields: [{field: u.n, ask: N?}]}
    transitions: [{id: big, when: u.n > 5, because: more than five, to: b}, {id: small, because: five or less, to: c}]
  b: {say: b, end: b}
  c: {say: c, end: c}
"""


def test_a_way_out_without_a_condition_is_not_said_to_have_held_too() -> None:
    """Its reason is false where a transition with a guard was taken, and the user may read it (U2)."""
    with tw.open_sync(flow_of(ELSE)) as app:
        chat = app.chat("1")
        chat.say("hello")
        chat.say("9")
        assert chat.why("b").line == "a → b by big: more than five (u.n > 5: u.n is 9)"
        never = chat.why("c")
        assert never.fact("outranked_else") is not None
        assert "five or less" not in "".join(
            fact.text for answer in (never, chat.why("b")) for fact in answer.facts[:1]
        )
        assert never.fact("outranked") is None
