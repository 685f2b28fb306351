"""Whatever works in a node works in a node of a scope, however the scope was opened: each case is played in a flow of its
nodes alone, and inside, and must show the same (laws 6.1 to 6.3).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from typing import Any

import pytest

import turnwise as tw
from support.crossed import WAYS, Case, Played, crossed, flow_in
from support.tools import made, uses
from turnwise.core.state import commands as c
from turnwise.flow.converters import copy_with

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
pytestmark = pytest.mark.law("6.1", "6.2", "6.3")


def person_by_node(one: Played) -> None:
    turn = one.open()
    assert turn.person is not None and turn.person.queue == "desk"
    one.say("is anybody there?")
    one.take("take_over", "Lena")
    one.take("operator_say", "Hello, I am Lena.")
    one.say("fine")
    one.close("give_back", "solved", set={one.name("own.note"): "agreed"})


def person_by_wish(one: Played) -> None:
    one.open()
    one.say("talk to a human")
    assert one.turn.person is not None
    one.take("take_over", "Lena")
    one.say("my name is Ada")
    one.take("give_back", "done")
    assert one.turn.text == "Your name?"
    one.close("say", "Ada")


def nobody_comes(one: Played) -> None:
    one.open()
    one.say("talk to a human")
    one.wait(600)
    assert "Your name?" in one.turn.text
    one.close("say", "Ada")


TALK = """
a:
  prompt: Sell.
  tools: {allow: ['*']}
  transitions: [{id: over, when: tools.used("ship"), end: over, set: {kept.value: '"shipped"'}}, {id: out, at: before, when: message.text == "go on", end: over}]
"""
SHIP = "ship: {about: ship a crate, kind: effect, confirm: true, args: {to: string}}"


def approved(one: Played) -> None:
    one.open("What may I ship?")
    one.say("a crate to Bo", uses(made("ship", to="Bo")))
    assert one.turn.state.waiting_calls
    one.close("say", "yes", replies=("It is on its way.",))


def declined(one: Played) -> None:
    one.open("What may I ship?")
    one.say("a crate to Bo", uses(made("ship", to="Bo")))
    one.say("no", "Then not.")
    assert not one.turn.state.waiting_calls
    one.close("say", "go on")


def edited(one: Played) -> None:
    one.open("What may I ship?")
    one.say("a crate to Bo", uses(made("ship", to="Bo")))
    one.close("approve", arguments={"to": "Cy"}, replies=("It is on its way.",))
    assert one.stage.tools["ship"].calls == [{"to": "Cy"}]


def cancelled_while_it_waits(one: Played) -> None:
    one.open("What may I ship?")
    one.say("a crate to Bo", uses(made("ship", to="Bo")))
    one.say("cancel", "Then not.")
    assert not one.turn.state.waiting_calls
    assert not one.stage.tools["ship"].calls
    one.close("say", "go on")


def late_approval(one: Played) -> None:
    one.open("What may I ship?")
    one.say("a crate to Bo", uses(made("ship", to="Bo")))
    one.wait(601)
    assert not one.turn.state.waiting_calls
    one.say("so?", "Too late.")
    one.close("say", "go on")


def by_operator(one: Played) -> None:
    one.open("What may I ship?")
    one.say("a crate to Bo", uses(made("ship", to="Bo"), say="I ask."))
    one.close("approve", operator="Lena", replies=("It is on its way.",))


FORM = """
a:
  form:
    fields:
      - {field: own.name, ask: Your name?}
      - {field: own.age, ask: Your age?}
  transitions: [{to: b, set: {kept.value: own.name}}]
b: {say: "Thank you, {{ own.name }}.", end: over}
"""
OWN = "own: {name: string, age: {type: integer, min: 0, max: 120}}"


def timer_inside(one: Played) -> None:
    one.open()
    one.say("Ada")
    one.wait(1800)
    assert one.turn.node.endswith("late")
    one.close("say", "go on")


def reminders(one: Played) -> None:
    one.open()
    one.wait(600)
    assert one.turn.text == "Are you still there?"
    one.say("Ada")
    one.wait(600)
    one.wait(600)
    assert one.turn.text == "Are you still there?"
    one.close("say", "30")


def fails() -> str:
    raise OSError("the disk is full")


def error_moment(one: Played) -> None:
    one.open("Well?")
    one.say("save it", uses("save"), "It could not be saved.")
    one.say("more")
    one.close("say", "go on")


def failing_node(one: Played) -> None:
    one.open()
    assert one.turn.text == "It could not be saved."
    one.close("say", "go on")


def choice_moment(one: Played) -> None:
    one.open("Left or right?")
    one.say("left", uses("go_to_b", say="Come in."), "Here is the left room.")
    assert one.turn.node.endswith("b")
    one.close("say", "go on")


def enter_when(one: Played) -> None:
    one.open("Who are you?")
    one.take("commands", [c.Set(field=one.name("own.age"), value=70)])
    one.say("so", "Hello.")
    assert one.turn.node.endswith("old")
    one.close("say", "go on")


def sequence(one: Played) -> None:
    one.open("Hello.")
    assert [name for name in one.stage.shown() if name in ("find", "book")] == ["find"]
    one.say("book it", uses("book"), uses("find"), "Found.")
    one.say("now", uses("book"), "Booked.")
    one.close("say", "go on")
    assert len(one.stage.tools["book"].calls) == 1


PIN = "9182-XY"


def secrets(one: Played) -> None:
    one.open()
    one.say(PIN)
    assert one.turn.value(one.name("own.pin")) == PIN
    one.say("Ada", "Hello Ada.")
    one.close("say", "go on")
    assert PIN not in str([request.transcript for request in one.model.calls])
    assert PIN not in str([request.instructions for request in one.model.calls])


def stop_value(one: Played) -> None:
    one.open()
    one.say("no")
    assert one.turn.text.startswith("Come back")
    one.close("say", "go on")


def confirm_and_edit(one: Played) -> None:
    one.open()
    one.say("Ada")
    one.say("30")
    assert one.seen[-1]["form"] == "awaiting_confirmation"
    one.take("choose", "edit")
    one.take("commands", [c.Edit(field=one.name("own.age"))])
    assert "Your age?" in one.turn.text
    one.say("31")
    one.close("choose", "confirm")


def commands(one: Played) -> None:
    one.open()
    one.say("help")
    one.say("Ada")
    one.take("commands", [c.Back()])
    one.take("commands", [c.Skip()])
    one.say("what was that?")
    one.take("commands", [c.Set(field=one.name("own.age"), value=900)])
    one.close("say", "30")


def why(one: Played) -> None:
    one.open()
    one.say("why?")
    assert "commands" in one.seen[-1]
    one.close("say", "Ada")


def undo_inside(one: Played) -> None:
    one.open()
    one.say("Ada")
    one.take("undo")
    assert one.turn.value(one.name("own.name")) is None
    one.say("Bob")
    one.close("say", "31")


def into(one: Played) -> None:
    one.open("Which?")
    one.say("look it up", uses("look"), "It is large.")
    assert one.turn.value(one.name("own.size")) == 4
    assert one.turn.value(one.name("own.double")) == 8
    one.close("say", "go on")


def tool_of_node(one: Played) -> None:
    one.open()
    assert one.turn.value(one.name("own.size")) == 4
    one.close("say", "go on")


def said_twice(one: Played) -> None:
    """A key names one turn, also one that was taken inside."""
    one.open()
    one.take("say", "Ada", key="k1")
    again = one.stage.say("Ada", key="k1")
    assert again.is_duplicate
    assert again.text == one.turn.text
    one.close("say", "30", key="k2")
    again = one.stage.say("30", key="k2")
    assert again.is_duplicate
    assert again.number == one.turn.number


def called_once_more(one: Played) -> None:
    """Each call outside has a key of its own."""
    one.open("Hello.")
    one.say("one", uses("save"), "Saved.")
    one.say("two", uses("save"), "Saved again.")
    keys = one.stage.tools["save"].keys
    assert len({*keys}) == 2
    one.close("say", "go on")


def host_reports(one: Played) -> None:
    """A program reports the use of a tool, and `at: tool` leads on."""
    one.open("Hello.")
    one.model.plan.append("You looked.")
    one.take("tool_used", "look", {}, 4)
    assert one.turn.node.endswith("b")
    one.close("say", "go on")


def denied(one: Played) -> None:
    one.open("Hello.")
    one.say("try", uses("save"), "I may not.")
    assert not one.stage.tools["save"].calls
    one.close("say", "go on")


WAITS = "b: {prompt: Talk., transitions: [{id: on, at: before, when: message.text == 'go on', end: over, set: {kept.value: '\"on\"'}}]}"
LEAVES = "{id: on, at: before, when: message.text == 'go on', end: over}"
LOOK = "look: {about: look it up}\nsave: {about: save it, kind: effect}"

CASES = {
    "a person is the work of a node": Case(
        "a: {person: {queue: desk}, transitions: [{when: person.outcome == 'solved', end: over}]}",
        person_by_node,
        records="own: {note: string}",
        flow="person: {queue: hall}",
    ),
    "the user asks for a person": Case(
        "a: {form: {fields: [{field: own.name, ask: Your name?}]}, transitions: [{end: over}]}",
        person_by_wish,
        records="own: {name: string}",
        flow="person: {queue: hall}",
    ),
    "nobody comes": Case(
        "a: {form: {fields: [{field: own.name, ask: Your name?}]}, transitions: [{end: over}]}",
        nobody_comes,
        records="own: {name: string}",
        flow="person: {queue: hall, timeout: 10m}",
    ),
    "a call is approved": Case(TALK, approved, tools=SHIP, does={"ship": "done"}),
    "a call is declined": Case(TALK, declined, tools=SHIP, does={"ship": "done"}),
    "a call is approved with edited arguments": Case(TALK, edited, tools=SHIP, does={"ship": "done"}),
    "cancelled while a call waits": Case(TALK, cancelled_while_it_waits, tools=SHIP, does={"ship": "done"}),
    "a call is not approved in time": Case(
        TALK, late_approval, tools=SHIP.replace("confirm: true", "confirm: true, approve_within: 10m"), does={"ship": 1}
    ),
    "an operator approves a call": Case(
        TALK, by_operator, tools=SHIP.replace("confirm: true", "confirm: true, approver: operator"), does={"ship": 1}
    ),
    "a timer inside": Case(
        FORM.replace("[{to: b,", "[{id: slow, at: timer, in: 30m, to: late}, {to: b,")
        + "late: {say: Too late., transitions: [{at: before, when: message.text == 'go on', end: late}]}",
        timer_inside,
        records=OWN,
    ),
    "reminders": Case(
        FORM.replace("[{to: b,", "[{at: timer, in: 10m, stay: true, say: Are you still there?, repeat: 2}, {to: b,"),
        reminders,
        records=OWN,
    ),
    "an error of a model's tool": Case(
        f"a: {{prompt: Talk., tools: {{allow: [save]}}, transitions: [{{id: broken, at: error, when: error.kind == 'tool', to: b}}]}}\n{WAITS}",
        error_moment,
        tools="save: {about: save it}",
        does={"save": fails},
    ),
    "an error of the tool of a node": Case(
        f"a: {{tool: save, transitions: [{{id: broken, at: error, to: b}}]}}\nb: {{say: It could not be saved., transitions: [{LEAVES}]}}",
        failing_node,
        tools="save: {about: save it}",
        does={"save": fails},
    ),
    "a model chooses a way": Case(
        f"a: {{prompt: Hall., transitions: [{{id: left, at: choice, to: b}}, {{id: right, at: choice, to: d}}]}}\n{WAITS}\nd: {{say: Right.}}",
        choice_moment,
    ),
    "a node opens by enter_when": Case(
        f"a: {{prompt: Hall., transitions: [{LEAVES}]}}\nold: {{enter_when: own.age > 60, prompt: Speak slowly., transitions: [{LEAVES}]}}",
        enter_when,
        records=OWN,
    ),
    "tools in a sequence": Case(
        f"a: {{prompt: Book., tools: {{allow: ['*'], sequence: [find, book]}}, transitions: [{LEAVES}]}}",
        sequence,
        tools="find: {about: find}\nbook: {about: book}",
        does={"find": "found", "book": "booked"},
    ),
    "a tool that is not allowed": Case(
        f"a: {{prompt: Book., tools: {{allow: [look]}}, transitions: [{LEAVES}]}}",
        denied,
        tools=LOOK,
        does={"look": {"size": 4}, "save": 1},
    ),
    "secrets": Case(
        f"a: {{form: {{fields: [{{field: own.pin, ask: Your PIN?}}, {{field: own.name, ask: Your name?}}]}}, transitions: [{{to: b}}]}}\n{WAITS}",
        secrets,
        records="own: {name: string, pin: {type: string, secret: true}}",
    ),
    "a stop value": Case(
        f"a: {{form: {{fields: [{{field: own.ready, ask: Ready?, stop: {{values: ['no'], say: Come back then.}}}}]}}, transitions: [{{when: form.status == 'stopped', to: b}}]}}\nb: {{say: So., transitions: [{LEAVES}]}}",
        stop_value,
        records="own: {ready: {type: choice, options: ['yes', 'no']}}",
    ),
    "confirmation and edit": Case(
        FORM.replace("  transitions", "    confirm: {}\n  transitions"), confirm_and_edit, records=OWN
    ),
    "commands of a form": Case(FORM, commands, records=OWN),
    "the user asks why": Case(
        "a: {form: {fields: [{field: own.name, ask: Your name?}]}, transitions: [{end: over}]}",
        why,
        records="own: {name: string}",
        flow="commands: [why]",
    ),
    "undo inside": Case(FORM, undo_inside, records=OWN),
    "a tool fills a record, and a field is derived": Case(
        f"a: {{prompt: Look., tools: {{allow: [look], into: {{look: own}}}}, transitions: [{LEAVES}]}}",
        into,
        records="own: {size: integer, double: {type: integer, value: own.size * 2}}",
        tools=LOOK,
        does={"look": {"size": 4}, "save": 1},
    ),
    "the tool of a node fills a record": Case(
        f"a: {{tool: {{name: look, into: own}}, transitions: [{{when: own.double == 8, to: b}}]}}\nb: {{say: 'It is {{{{ own.double }}}}.', transitions: [{LEAVES}]}}",
        tool_of_node,
        records="own: {size: integer, double: {type: integer, value: own.size * 2}}",
        tools=LOOK,
        does={"look": {"size": 4}, "save": 1},
    ),
    "a key is used twice": Case(FORM, said_twice, records=OWN),
    "a call is made twice": Case(
        f"a: {{prompt: Save., tools: {{allow: [save]}}, transitions: [{LEAVES}]}}",
        called_once_more,
        tools=LOOK,
        does={"look": {"size": 4}, "save": 1},
    ),
    "a program reports a tool": Case(
        f"a: {{prompt: Save., tools: {{allow: [look]}}, transitions: [{{id: looked, at: tool, when: tools.used('look'), to: b}}]}}\n{WAITS}",
        host_reports,
        tools=LOOK,
        does={"look": {"size": 4}, "save": 1},
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", CASES)
def test_what_works_in_a_node_works_inside_a_scope(name: str, way: str) -> None:
    played = crossed(CASES[name], way)
    state = played.state
    assert (state.node, state.outer) == ("talk", ())
    assert not [key for key in state.values if "/" in key]
    assert played.stage.rerun().difference is None


# what happens to a conversation between two turns ---------------------------------------------------


def forked(one: Played) -> None:
    """It goes on in a copy."""
    one.stage.fork(f"copy {one.times}", effects=True)
    one.stage = one.stage.on(f"copy {one.times}")


def imported(one: Played) -> None:
    """It goes on where its file was imported."""
    one.stage.import_(one.stage.export(), conversation=f"copy {one.times}", effects=True)
    one.stage = one.stage.on(f"copy {one.times}")


def restarted(one: Played) -> None:
    """It goes on in another app on the same store."""
    one.reopen(flow_in(one.case, one.way))


def migrated(one: Played) -> None:
    """It goes on with another version of the flow, in which only the number differs."""
    version = one.state.version + 1
    one.reopen(copy_with(flow_in(one.case, one.way), version=version))
    asyncio.run(one.stage.chat.migrate())
    assert one.state.version == version


def dry_run(one: Played) -> None:
    """Somebody asks what would happen."""
    state = one.state
    assert one.stage.dry_run("hello") is not None
    assert one.state == state


def retained(one: Played) -> None:
    """All that is older than this moment is erased."""
    one.stage.clock.move_s(0.001)
    assert one.stage.retain(tw.Retention(events_days=0, decisions_days=0)).events


def asked(one: Played) -> None:
    """Somebody asks why."""
    assert one.stage.why(one.state.node).chain[0].text


def undone(_: Played) -> None:
    """Opening it and closing it is undone, and done again."""


EMPTY = {
    ("undo inside", "migrated"): "an undo does not go behind the change to another version (law 6.8)",
    **dict.fromkeys(
        [(f"a call is approved{how}", "undone") for how in ("", " with edited arguments")]
        + [("an operator approves a call", "undone"), ("a key is used twice", "undone")],
        "what was done stays done: a call that was approved, or a key that was used, does not come back (law 6.9)",
    ),
    ("undo inside", "retained"): "an undo does not go behind what was erased",
}
"""The cells that are not played, and why."""
MEANWHILE = (forked, imported, restarted, migrated, dry_run, retained, asked)


def cells() -> Iterator[tuple[str, Any, str]]:
    """Of each case and each thing that happens, all ways to open in the soak, else one, in turn."""
    for row, name in enumerate(CASES):
        for column, happens in enumerate((*MEANWHILE, undone)):
            for way in WAYS if IS_SOAK else [WAYS[(row + column) % len(WAYS)]]:
                yield name, happens, way


@pytest.mark.parametrize(("name", "meanwhile", "way"), tuple(cells()))
def test_what_happens_to_a_conversation_meanwhile_changes_nothing_inside(name: str, meanwhile: Any, way: str) -> None:
    if reason := EMPTY.get((name, meanwhile.__name__)):
        pytest.skip(reason)
    played = crossed(CASES[name], way, meanwhile, undoes=meanwhile is undone)
    state = played.state
    assert (state.node, state.outer) == ("talk", ())
