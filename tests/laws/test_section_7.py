"""Section 7: commands, whoever proposes them; and undo (6.9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from support.chats import OneChat, Talk, Waiting, flow_of, machine_of, names, outcomes, talk
from support.refused import without_refused
from turnwise.core.commands.allowed_input import AllowedInput
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.runner.clocks import ManualClock
from turnwise.runner.result import Turn

FLOW = """
    flow: people
    start: ask
    commands: [set, clear]
    records:
      user:
        kind: {type: choice, options: [a, b]}
        age: {type: integer, max: 120}
        tags: {type: list, of: string, max: 2}
        name: {type: string}
      other: {town: string, pin: {type: string, secret: true}}
    nodes:
      ask:
        form:
          fields:
            - {field: user.kind, ask: Which kind?, match: direct}
            - {field: user.age, ask: How old?, validate: user.age != 13, refuse: Not thirteen.}
            - {field: user.tags, ask: Tags?, required: false, asked: false}
            - {field: user.name, ask: Name?}
          confirm: {}
"""


def refusals(turn: Turn) -> list[tuple[str, str, str]]:
    return [(x.command, x.reason, x.field) for x in turn.events if isinstance(x, e.CommandRefused)]


def opened(*understood: Sequence[c.AnyCommand] | Exception) -> Talk:
    made = talk(FLOW, understand=understood)
    made.chat.start()
    made.chat.choose("a")
    return made


# 7.1 ---------------------------------------------------------------------------------------------

UNDERSTOOD: dict[str, tuple[c.AnyCommand, str]] = {
    "of another type": (c.Set(field="user.age", value="old"), "integer"),
    "out of bounds": (c.Set(field="user.age", value=121), "max"),
    "no option": (c.Set(field="user.kind", value="c"), "not_exposed"),
    "by a validator": (c.Set(field="user.age", value=13), "validate"),
    "unknown": (c.Set(field="user.nothing", value=1), "unknown_field"),
    "without a field that takes it": (c.Set(value="x"), "no_field"),
    "blank": (c.Set(field="user.name", value=" "), "blank"),
    "too many items": (c.Set(field="user.tags", value=["1", "2", "3"]), "max"),
    "hidden from models": (c.Set(field="user.kind", value="b"), "not_exposed"),
    "secret elsewhere": (c.Set(field="other.pin", value="1"), "not_exposed"),
    "nothing to clear": (c.Clear(field="user.age"), "nothing_to_clear"),
    "no list": (c.Add(field="user.age", item=1), "no_list"),
    "not in the list": (c.Remove(field="user.tags", item="x"), "no_item"),
    "needed": (c.Skip(), "required"),
    "nothing to confirm": (c.Affirm(), "not_exposed"),
    "nothing to deny": (c.Deny(), "not_exposed"),
    "no undo here": (c.Undo(), "not_exposed"),
    "no asking here": (c.Ask(text="Why?"), "not_exposed"),
    "no start here": (c.Start(target="ask"), "not_exposed"),
}


@pytest.mark.law("7.1")
@pytest.mark.parametrize("case", UNDERSTOOD)
def test_what_was_understood_is_refused_with_a_reason(case: str) -> None:
    command, reason = UNDERSTOOD[case]
    made = opened([command])
    before = made.chat.state()
    turn = made.chat.say("some words")
    about = "user.age" if isinstance(command, c.Skip) else getattr(command, "field", "")
    assert refusals(turn) == [(c.name_of(command), reason, about)]
    assert turn.state.values == before.values
    assert turn.state.frame.form.asked == "user.age"


@pytest.mark.law("7.1")
def test_the_host_may_what_a_model_may_not_and_both_are_judged_alike() -> None:
    made = opened()
    turn = made.chat.commands([c.Set(field="user.kind", value="b"), c.Set(field="other.pin", value="1")])
    assert not refusals(turn)
    assert turn.state.values["user.kind"].how == "command"
    turn = made.chat.commands([c.Set(field="user.age", value=13), c.Set(field="user.kind", value="c")])
    assert refusals(turn) == [("set", "validate", "user.age"), ("set", "option", "user.kind")]
    assert turn.text.startswith("Not thirteen.\n\nThat is not one of the options: a, b.")


@pytest.mark.law("7.1")
@pytest.mark.requirement("004-76")
def test_the_host_is_told_at_once_that_a_field_does_not_exist() -> None:
    made = opened()
    before = made.chat.journal()
    turn = made.chat.commands([c.Set(field="user.aeg", value=3), c.Clear(field="user.knid")])
    assert turn.refused == "unknown_field"
    assert "user.aeg" in turn.text
    assert "user.age" in turn.text
    assert without_refused(made.chat.journal()) == before


@pytest.mark.law("7.1")
def test_beside_an_unknown_field_the_other_commands_of_the_host_are_applied() -> None:
    made = opened()
    good = (c.Set(field="user.age", value=3), c.Set(field="user.kind", value="a"))
    turn = made.chat.commands([good[0], c.Set(field="user.aeg", value=3), good[1]])
    assert not turn.refused
    assert refusals(turn) == [("set", "unknown_field", "user.aeg")]
    assert {name: found.value for name, found in turn.state.values.items()} == {"user.age": 3, "user.kind": "a"}


def _coroutine(commands: list[c.AnyCommand]) -> Any:
    async def understand(_message: str, _allowed: AllowedInput) -> list[c.AnyCommand]:
        return commands

    return understand


WHO: dict[str, Callable[[list[c.AnyCommand]], Any]] = {
    "a function": lambda commands: lambda _message, _allowed: commands,
    "a coroutine": _coroutine,
    "a tuple": lambda commands: lambda _message, _allowed: tuple(commands),
    "an iterator": lambda commands: lambda _message, _allowed: iter(commands),
}


@pytest.mark.law("7.1")
@pytest.mark.parametrize("who", WHO)
def test_whoever_understands_only_proposes(who: str) -> None:
    commands: list[c.AnyCommand] = [c.Set(field="user.age", value=30), c.Set(field="user.age", value=13), c.Cancel()]
    chat = Waiting(OneChat(flow_of(FLOW), understand=WHO[who](commands), clock=ManualClock()))
    chat.start()
    chat.choose("a")
    turn = chat.say("some words")
    assert names(turn) == [
        "user_said", "effect_asked", "understood", "field_set", "command_refused", "command_applied", "form_changed",
        "decided", "said", "decided", "turn_ended",
    ]  # fmt: skip
    assert turn.state.values["user.age"].value == 30
    assert turn.form["form_status"] == "cancelled"


@pytest.mark.law("7.1")
@pytest.mark.parametrize(
    "broken",
    [
        RuntimeError("no"),
        7,
        ["set"],
        [None],
        [c.Set(field="user.age", value=object())],
    ],
)
def test_an_understanding_that_gives_nonsense_is_one_that_failed(broken: Any) -> None:
    def understand(_message: str, _allowed: AllowedInput) -> Any:
        if isinstance(broken, Exception):
            raise broken
        return broken

    chat = Waiting(OneChat(flow_of(FLOW), understand=understand, clock=ManualClock()))
    chat.start()
    chat.choose("a")
    turn = chat.say("some words")
    assert "user.age" not in turn.state.values
    assert "rephrase" in turn.text
    assert "understanding_failed" in [warning.code for warning in turn.warnings]


@pytest.mark.law("7.1")
def test_a_confidence_is_recorded_and_decides_nothing() -> None:
    made = opened(
        [c.Set(confidence=0.0, field="user.age", value=30)], [c.Set(confidence=1.0, field="user.age", value=13)]
    )
    turn = made.chat.say("some words")
    assert (turn.state.values["user.age"].value, turn.state.values["user.age"].confidence) == (30, 0.0)
    turn = made.chat.say("more words")
    assert turn.state.values["user.age"].value == 30


# 7.2 ---------------------------------------------------------------------------------------------


@pytest.mark.law("7.2")
def test_all_commands_are_handled_in_their_order() -> None:
    made = opened(
        [
            c.Set(field="user.age", value=30),
            c.Set(field="user.age", value=200),
            c.Add(field="user.tags", item="x"),
            c.Set(field="user.age", value=31),
            c.Help(field="user.name"),
        ]
    )
    turn = made.chat.say("some words")
    told = [(type(x).__name__, getattr(x, "field", "")) for x in turn.events[3:8]]
    assert told == [
        ("FieldSet", "user.age"),
        ("CommandRefused", "user.age"),
        ("FieldSet", "user.tags"),
        ("FieldSet", "user.age"),
        ("CommandApplied", "user.name"),
    ]
    assert turn.state.values["user.age"].value == 31


# 7.3 ---------------------------------------------------------------------------------------------


@pytest.mark.law("7.3")
def test_a_value_that_waits_for_its_field_keeps_the_place_of_its_words() -> None:
    made = talk(
        """
        flow: which
        start: ask
        records: {user: {one: {type: integer}, two: {type: integer}, three: {type: choice, options: [a, b]}}}
        nodes:
          ask: {form: {fields: [{field: user.one}, {field: user.two}, {field: user.three}], confirm: {}}}
        """,
        understand=[[c.Set((10, 12), value=55)]],
    )
    made.chat.start()
    made.set(user__one=1, user__two=2, user__three="a")
    turn = made.chat.say("no, it is 55")
    position = turn.entries[0].seq
    assert turn.form["editing"] == "chooser"
    turn = made.chat.choose("two")
    assert turn.state.values["user.two"].place == (position, 10, 12)
    assert turn.form["gates"]["two"]["raw"] == "55"
    assert turn.state.values["user.one"].value == 1


# 7.5 and 7.6 -------------------------------------------------------------------------------------


@pytest.mark.law("7.6")
def test_a_proposed_value_is_missing_to_the_form_and_to_understanding() -> None:
    made = talk(
        """
        flow: proposed
        start: hall
        records: {user: {age: {type: integer, stop: 1}, name: string}}
        nodes:
          hall: {say: Hello., set: {user.age: "40"}, transitions: [{at: before, when: turns > 0, to: ask}]}
          ask:
            form:
              fields: [{field: user.age, ask: How old?}, {field: user.name, ask: Name?}]
              prefill: ask
              confirm: {}
              handoff: shop
        """.replace(", stop: 1", ""),
        understand=[[], [c.Set(field="user.name", value="Ann")]],
    )
    made.chat.start()
    turn = made.chat.say("go on")
    assert turn.state.values["user.age"].value == 40
    assert turn.form["gates"] == {}
    assert turn.form["progress"] == 0
    assert [x.data["missing"] for x in turn.artefacts if x.kind == "DRAFT_PLAN"] == [["age", "name"]]
    turn = made.chat.say("my name is Ann")
    assert made.understanding.calls[-1][1].field("user.age").value is None
    assert turn.form["asked"] == "user.age"
    turn = made.chat.choose("yes")
    assert turn.form["form_status"] == "awaiting_confirmation"
    assert turn.form["answers"] == {"user.age": 40, "user.name": "Ann"}


# 6.9 ---------------------------------------------------------------------------------------------

TOOLS = """
    flow: tools
    start: ask
    tools: {look: {about: look}, think: {about: think}}
    records: {user: {age: integer, size: {type: choice, options: [s, l]}}}
    nodes:
      ask:
        form: {fields: [{field: user.age, ask: How old?}, {field: user.size, ask: Which size?}], confirm: {}}
        transitions: [{id: looked, at: after, when: tools.used("look"), to: out}, {id: other, at: after, to: away}]
      out: {say: Out.}
      away: {say: Away.}
"""


@pytest.mark.law("6.9")
def test_undo_appends_what_it_went_back_to_and_lists_what_stays() -> None:
    made = talk(TOOLS)
    made.chat.start()
    made.set(user__age=30)
    made.chat.tool_used("look")
    made.chat.tool_used("think")
    before = made.chat.journal()
    turn = made.chat.undo(to=1)
    (undone,) = (event for event in turn.events if isinstance(event, e.Undone))
    assert (undone.to, undone.kept) == (1, ("look", "think"))
    assert turn.number == 5
    assert turn.state.values == {}
    journal = made.chat.journal()
    assert journal[: len(before)] == before, "nothing is taken out of the journal"
    assert [entry.seq for entry in journal] == list(range(1, len(journal) + 1))
    assert made.chat.replay()


@pytest.mark.law("6.9")
def test_tools_that_were_used_stay_used() -> None:
    made = talk(TOOLS)
    made.chat.start()
    made.set(user__age=30)
    made.chat.tool_used("look")
    turn = made.chat.undo(to=1)
    assert turn.state.tools.counts == {"look": 1}
    made.set(user__age=30, user__size="s")
    turn = made.chat.choose("confirm")
    assert outcomes(turn, "looked") == ["taken"]


@pytest.mark.law("6.9")
def test_after_an_undo_the_buttons_of_what_was_taken_back_are_stale() -> None:
    made = talk(TOOLS.replace("age: integer", "age: {type: choice, options: [s, l]}"))
    made.chat.start()
    later = made.chat.choose("s")
    assert later.form["asked"] == "user.size"
    made.chat.undo()
    turn = made.chat.choose("l", position=later.position)
    assert [warning.code for warning in turn.warnings] == ["stale_button"]
    assert turn.state.values == {}


@pytest.mark.law("6.9")
def test_where_there_was_nothing_to_undo_there_still_is_nothing() -> None:
    made = talk(TOOLS)
    made.chat.start()
    assert made.chat.undo().text.startswith("There is nothing to undo.")
    assert made.chat.undo().text.startswith("There is nothing to undo.")


@pytest.mark.law("6.9")
def test_an_undo_is_a_turn_that_its_key_makes_only_once() -> None:
    made = talk(TOOLS)
    made.chat.start()
    made.set(user__age=30)
    made.set(user__size="s")
    first = made.chat.undo(key="k")
    again = made.chat.undo(key="k")
    assert again.is_duplicate
    assert again.number == first.number
    assert made.chat.state().values.keys() == {"user.age"}


@pytest.mark.law("6.9")
def test_undo_to_a_turn_that_has_not_been_changes_nothing() -> None:
    made = talk(TOOLS)
    made.chat.start()
    made.set(user__age=30)
    journal = made.chat.journal()
    for to in (-1, 0, 2 + 1, 99):
        turn = made.chat.undo(to=to)
        assert (turn.refused, turn.text) == ("unknown_turn", f"there is no turn {to} to go back to; there are 1 to 2")
        assert turn.state.values.keys() == {"user.age"}
    assert without_refused(made.chat.journal()) == journal


@pytest.mark.law("7.1")
def test_a_machine_says_what_of_a_message_it_could_not_take_even_where_no_form_speaks() -> None:
    made = talk(
        machine_of(
            """
            flow: closed
            start: ask
            commands: [edit, set, help]
            records: {user: {age: {type: integer, max: 120}}}
            nodes:
              ask: {form: {fields: [{field: user.age}], confirm: {}}, transitions: [{at: after, to: out}]}
              out: {say: Out., transitions: [{at: before, when: message.text == "on", to: ask}]}
            """
        ),
        understand=[[c.Edit(field="user.age")], [c.Set(field="user.age", value=3), c.Edit(field="user.age")]],
    )
    made.chat.start()
    made.set(user__age=30)
    made.chat.choose("confirm")
    closed = "These answers are closed and cannot be changed here any more."
    assert made.chat.say("change my age").text == closed
    assert made.chat.say("I am three").text == closed
    assert made.chat.say("help").text == "Just tell me what you need."
    assert made.chat.state().values["user.age"].value == 30
