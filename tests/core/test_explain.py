"""Decisions told in full: outcomes and their reasons, values and where they came from, what has changed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from msgspec.json import decode, encode

import turnwise as tw
from support.chats import INTAKE, at_rest, candidate, flow_of, node_of, offline_chat, outcomes_of, scripted_chat, sets
from turnwise.core.explain.decision import explain
from turnwise.core.explain.now import explain_now
from turnwise.core.explain.text import verdict_line
from turnwise.core.link import link
from turnwise.core.state import with_frame
from turnwise.core.state.events import Decided, Entry
from turnwise.core.trace import Considered, Decision, Group, JudgingChange, Leaf, Operand

FLOW = """
flow: f
start: home
records:
  user:
    name: string
    age: {type: integer, default: 17}
    pin: {type: string, secret: true}
    day: date
    tags: {type: list, of: string}
tools: {think: {about: think}}
nodes:
  home:
    prompt: Talk.
    collect: [user]
    transitions:
TRANSITIONS
  away: {prompt: There.}
  cellar: {prompt: Below., enter_when: tools.used("think"), description: after thinking}
"""


def flow(*transitions: str) -> str:
    return FLOW.replace("TRANSITIONS", "\n".join(f"      - {{{one}}}" for one in transitions) or "      []")


# outcomes ----------------------------------------------------------------------------------------------


def test_every_outcome_is_told_with_its_reason() -> None:
    of = flow(
        "id: no, at: before, when: user.age > 99, to: away, priority: 1",
        "id: open, at: before, when: user.day > today, to: away, priority: 2",
        "id: broken, at: before, when: int(user.name) > 3, to: away, priority: 3",
        "id: yes, at: before, when: has(user.name), to: away, priority: 4, because: there is a name",
        "id: also, at: before, when: user.age == 17, to: away, priority: 5",
        "id: otherwise, at: before, to: cellar",
    )
    with scripted_chat(of) as chat:
        turn = chat.commands(sets(user__name="Ada"))
    decision = turn.decisions[0]
    assert outcomes_of(decision) == {
        "no": "false",
        "open": "unknown",
        "broken": "error",
        "yes": "taken",
        "also": "outranked",
        "enter_cellar": "false",
        "otherwise": "outranked",
    }
    assert (decision.node, decision.moment, decision.taken) == ("home", "before", "yes")
    assert decision.line == "home → away by yes: there is a name"
    assert candidate(decision, "also").by == "yes"
    assert candidate(decision, "otherwise").verdict is None
    assert candidate(decision, "enter_cellar").level == "enter"
    assert candidate(decision, "enter_cellar").because == "after thinking"
    assert candidate(decision, "broken").verdict == Leaf(
        "int(user.name) > 3",
        "error",
        (Operand("user.name", "Ada", "command", 1),),
        "'Ada' cannot be read as a whole number",
    )


def test_a_move_that_a_limit_refuses_is_blocked() -> None:
    further = "away: {prompt: There., transitions: [{id: further, at: before, when: has(user.name), to: cellar}]}"
    of = flow("at: before, when: has(user.name), to: away, id: there").replace("away: {prompt: There.}", further)
    with scripted_chat(of.replace("start: home", "start: home\nlimits: {moves: 1}")) as chat:
        turn = chat.commands(sets(user__name="Ada"))
    assert [decision.taken for decision in turn.decisions[:2]] == ["there", ""]
    assert outcomes_of(turn.decisions[1])["further"] == "blocked"
    assert candidate(turn.decisions[1], "further").by == "the limit of 1 moves in a turn was reached"
    assert (
        turn.decisions[1].line
        == "stayed in away: further to cellar held, but the limit of 1 moves in a turn was reached"
    )


def test_a_timer_that_fires_is_judged_alone() -> None:
    of = flow("id: soon, at: timer, in: 5m, to: away", "id: later, at: timer, in: 10m, when: has(user.name), to: away")
    with scripted_chat(of) as chat:
        chat.start()
        turn = chat.fire("soon")
    assert outcomes_of(turn.decisions[0]) == {"later": "not_reached", "soon": "taken"}
    assert candidate(turn.decisions[0], "later").by == "the timer that fired is soon"
    assert candidate(turn.decisions[0], "later").verdict is None


@pytest.mark.law("2.2")
def test_a_condition_that_was_not_judged_again_still_shows_how_it_stands() -> None:
    with scripted_chat(flow()) as chat:
        chat.start()
        first, second = chat.say("hello"), chat.say("again")
    assert outcomes_of(first.decisions[0]) == outcomes_of(second.decisions[0]) == {"enter_cellar": "not_reached"}
    told = candidate(second.decisions[0], "enter_cellar")
    assert told.by == "nothing that it reads has changed since it was judged; it did not hold then"
    assert told.verdict == Leaf('tools.used("think")', "not_held", (Operand('tools.used("think")', False),))
    assert told.in_words == ('tools.used("think")',)
    assert second.decisions[0].line == "stayed in home: no candidate changed since it was judged"


# values ---------------------------------------------------------------------------------------------------


def test_values_are_told_with_where_they_came_from() -> None:
    of = """
flow: f
start: home
records: {user: {name: string, age: {type: integer, default: 17}, colour: {type: choice, options: [Red, Blue]}}}
nodes:
  home:
    form: {fields: [{field: user.colour, ask: Which colour?}, {field: user.name, ask: Your name?}]}
    transitions: [{id: go, at: after, when: 'user.colour == "Blue" && user.age > 3 && user.name == "Eve"', to: done}]
  done: {say: Done., end: completed}
"""
    with offline_chat(of) as chat:
        chat.start()
        chat.choose("Red")
        turn = chat.say("Ada")
        (decision,) = [d for d in turn.decisions if d.moment == "after"]
    verdict = candidate(decision, "go").verdict
    assert isinstance(verdict, Group)
    operands = [operand for part in verdict.parts if isinstance(part, Leaf) for operand in part.operands]
    assert operands[0] == Operand("user.colour", "Red", "button", 2, operands[0].place)
    assert operands[0].place is not None
    assert operands[0].place[1:] == (0, 3)
    assert operands[1] == Operand("user.age", 17, "default")
    assert (operands[2].value, operands[2].turn) == ("Ada", 3)


def test_a_moment_is_told_as_a_text_everywhere() -> None:
    with scripted_chat(flow('id: go, at: before, when: now < "2001-01-01", to: away')) as chat:
        chat.start()
        turn = chat.say("hello")
    leaf = candidate(turn.decisions[0], "go").verdict
    assert isinstance(leaf, Leaf)
    assert str(leaf.operands[0].value).startswith("20")
    assert str(leaf.operands[0].value).endswith("Z")
    assert turn.evaluations[0].context_snapshot["now"] == leaf.operands[0].value


# what has changed --------------------------------------------------------------------------------------------


def test_what_has_changed_since_it_was_judged_is_told() -> None:
    of = flow("""id: go, at: before, when: 'user.age > 40 && user.tags == ["x"] && message.text == "go"', to: away""")
    with scripted_chat(of) as chat:
        chat.say("hello")
        turn = chat.commands(sets(user__age=41, user__tags=["a", "b", "c", "d"]))
        (told,) = turn.decisions[0].candidates[:1]
        assert told.changed == (
            JudgingChange("user.age", None, 41),
            JudgingChange("user.tags", None, ["a", "b", "c", "d"]),
            JudgingChange("message.text", "hello", None),
        )
        again = chat.explain(turn=2)[0].candidates[0]
        assert again.changed == told.changed
        turn = chat.commands(sets(user__tags=["x"]))
    assert turn.decisions[0].candidates[0].changed[0] == JudgingChange("user.tags", ["a", "b", "c", "d"], ["x"])


def test_a_change_of_what_code_read_is_told() -> None:
    guard = tw.guard(lambda user: user.age > 40 and user.name == "Ada", name="look")
    with scripted_chat(flow("id: go, at: before, guard: look, to: away"), guard) as chat:
        chat.start()
        turn = chat.commands(sets(user__age=41))
    assert turn.decisions[0].candidates[0].changed == (JudgingChange("user.age", 17, 41),)


def test_a_secret_is_told_nowhere() -> None:
    of = flow(
        'id: go, at: before, when: user.pin == "1234" && user.name == user.pin, to: away',
        "id: broken, at: before, when: int(user.pin) > 3, to: away",
    )
    with scripted_chat(of) as chat:
        chat.start()
        chat.commands(sets(user__pin="hunter2"))
        turn = chat.commands(sets(user__pin="hunter3"))
        again = chat.explain()
    assert turn.decisions[0].candidates[0].changed == (JudgingChange("user.pin", "[secret]", "[secret]"),)
    shown = f"{encode(turn.decisions)!r} {encode(turn.evaluations)!r} {encode(again)!r} {turn.warnings}"
    assert "hunter" not in shown
    assert "[secret]" in shown


# from the journal ------------------------------------------------------------------------------------------------


def test_a_decision_that_was_written_and_read_is_told_the_same() -> None:
    of = flow_of(flow('id: go, at: before, when: user.age > 40 && now < "2001-01-01", to: away'))
    with scripted_chat(of) as chat:
        chat.start()
        turn = chat.commands(sets(user__age=30, user__name="Ada"))
    for entry, told in zip(
        (one for one in turn.entries if isinstance(one.event, Decided)), turn.decisions, strict=True
    ):
        again = decode(encode(entry), type=Entry)
        first = explain(turn.machine, again, "main")
        assert [(c.id, c.outcome, c.verdict, c.needs) for c in first.candidates] == [
            (c.id, c.outcome, c.verdict, c.needs) for c in told.candidates
        ]


def test_a_candidate_says_where_it_stands_in_its_document() -> None:
    with scripted_chat(INTAKE) as chat:
        turn = chat.start()
    places = {one.id: one.source.removeprefix(str(INTAKE)) for one in turn.decisions[0].candidates}
    lines = INTAKE.read_text("utf-8").splitlines()
    found = {name: next(n for n, line in enumerate(lines, 1) if f"id: {name}" in line) for name in places}
    assert places == {name: f":{number}:9" for name, number in found.items()}


# how it stands now ------------------------------------------------------------------------------------------------


def test_a_transition_that_was_not_judged_lately_is_judged_as_things_stand() -> None:
    machine = link(
        flow_of(
            flow(
                "id: go, at: tool, when: has(user.name), to: away", "id: late, at: after, when: user.age > 40, to: away"
            )
        )
    )
    state = at_rest(machine)
    found = explain_now(machine, state, "go")
    assert isinstance(found, Decision)
    assert found.line == (
        "go was not judged in turn 1: it is judged after a tool was used. If it were judged now, it would not hold: it "
        "lacks user.name."
    )
    assert found.hypothetical
    assert not found.taken
    assert candidate(found, "go").missing == ("user.name",)
    assert explain_now(machine, state, "goo") is None


def test_a_timer_says_when_it_is_due_and_what_it_would_do_then() -> None:
    timers = "id: soon, at: timer, in: 30m, to: away", "id: later, at: timer, in: 2h, when: has(user.name), to: away"
    with scripted_chat(flow_of(flow(*timers))) as chat:
        chat.start(time_zone="Europe/Berlin")
        machine, state = chat.chat.machine, chat.state()
    found = explain_now(machine, state, "soon")
    assert isinstance(found, Decision)
    due = datetime.fromtimestamp(state.at_ms / 1000, ZoneInfo("Europe/Berlin")) + timedelta(minutes=30)
    assert found.line == (
        "soon was not judged in turn 1: it is judged when its delay has come, 30m: "
        f"not due yet, but at {due:%Y-%m-%d %H:%M:%S %Z}, unless a message comes before. If it were "
        "judged now, it would be taken."
    )
    assert outcomes_of(found) == {"soon": "taken", "later": "not_reached"}
    found = explain_now(machine, state, "later")
    assert isinstance(found, Decision)
    assert candidate(found, "later").missing == ("user.name",)
    found = explain_now(machine, with_frame(state, timers=()), "later")
    assert isinstance(found, Decision)
    assert "its delay has come, 2h; it is not armed. If it were judged now, it would not hold" in found.line


# the line ------------------------------------------------------------------------------------------------------------


def _one(outcome: Any = "false", **parts: Any) -> Considered:
    return Considered(parts.pop("id", "go"), outcome, parts.pop("action", "to"), **parts)


LINES = [
    ((), "stayed in home: no candidates before the work"),
    ((_one(target="away"),), "stayed in home: 1 candidate, which did not hold"),
    ((_one(), _one()), "stayed in home: 2 candidates, none held"),
    ((_one("error", id="x"), _one()), "stayed in home: 2 candidates, none held; in error: x"),
    (
        (_one(target="away", missing=("user.a", "user.b")),),
        "stayed in home: 1 candidate, which did not hold",
    ),
    (
        (_one(target="away", in_words=("turns > 3",)),),
        "stayed in home: 1 candidate, which did not hold; nearest is → away, which waits for turns > 3",
    ),
    ((_one("taken", target="away", because="so"),), "home → away by go: so"),
    ((_one("taken", target="away"),), "home → away by go"),
    ((_one("taken", target="home", level="enter"),), "stayed in home: its own enter_when holds"),
    ((_one("taken", action="stay"),), "held in home by go"),
    ((_one("taken", action="block", because="so"),), "blocked in home by go: so"),
    ((_one("taken", action="end"),), "ended from home by go"),
    ((_one("blocked", target="away", by="it was enough"),), "stayed in home: go to away held, but it was enough"),
    ((_one("not_reached"),), "stayed in home: no candidate changed since it was judged"),
    ((_one("not_reached"), _one()), "stayed in home: 1 candidate, which did not hold"),
    ((_one(is_mirror=True),), "stayed in home: no candidates before the work"),
]


@pytest.mark.parametrize(("candidates", "line"), LINES)
def test_a_line_sums_up_a_decision(candidates: tuple[Considered, ...], line: str) -> None:
    assert verdict_line("home", "before", candidates) == line


@pytest.mark.parametrize("moment", ["before", "tool", "after", "error", "timer", "choice"])
def test_a_line_without_candidates_reads_well_at_every_moment(moment: str) -> None:
    line = verdict_line("home", moment, ())
    assert line.startswith("stayed in home: no candidates ")
    assert line != f"stayed in home: no candidates {moment}"


def test_the_nearest_is_the_one_of_which_most_holds_already() -> None:
    with scripted_chat(INTAKE) as chat:
        turn = chat.commands(sets(user__name="Ada", user__age=45))
    assert turn.decisions[0].line == (
        "stayed in introduction: 3 candidates, none held; nearest is → profiler, which lacks user.tos_acknowledged"
    )
    assert node_of(turn) == "introduction"


@pytest.mark.parametrize(
    ("guard", "line"),
    [
        ('message.text.contains("why")', "stayed in home: 1 candidate, which did not hold"),
        (
            'message.text.contains("why") && user.a > 3',
            "stayed in home: 1 candidate, which did not hold; nearest is → away, which waits for "
            'message.text.contains("why")',
        ),
    ],
)
def test_a_rule_that_reads_the_message_alone_is_not_near(guard: str, line: str) -> None:
    flow = f"""
        flow: f
        start: home
        records: {{user: {{a: {{type: integer, default: 5}}}}}}
        nodes:
          home: {{prompt: Talk., transitions: [{{at: before, when: '{guard}', to: away}}]}}
          away: {{say: Bye.}}
    """
    with tw.open_sync(flow_of(flow), model=tw.ScriptedModel(["Hello.", "Well."])) as app:
        chat = app.chat("main")
        chat.say("hello")
        decision = chat.explain()[0]
        assert decision.line == line
