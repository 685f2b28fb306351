"""Section 1: the state, what bounds it, what is missing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.chats import OneSyncChat, Talk, flow_of, machine_of, talk
from turnwise.authoring.python import describe
from turnwise.core.explain.hypothetical import judge
from turnwise.core.link import link
from turnwise.core.state import FORMAT, KEPT_USES, Failed
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.state.codec import decode_entry, decode_state, encode_entry, encode_state
from turnwise.errors import ProviderFailed, UnknownFormat
from turnwise.flow.codec import encode_flow

TYPED = """
    flow: typed
    start: ask
    limits: {{strings: {strings}, lists: {lists}}}
    records:
      user:
        text: string
        items: {{type: list, of: string}}
        choice: {{type: choice, options: [a, b]}}
        number: number
        length: duration
        mail: email
        moment: datetime
    nodes:
      ask:
        form:
          fields:
            - {{field: user.choice, other: true}}
            - {{field: user.text}}
            - {{field: user.items}}
            - {{field: user.number}}
            - {{field: user.length}}
            - {{field: user.mail}}
            - {{field: user.moment}}
"""


def typed(strings: int = 10_000, lists: int = 200) -> Talk:
    made = talk(TYPED.format(strings=strings, lists=lists))
    made.chat.start()
    return made


def reasons(turn: Any) -> list[str]:
    return [event.reason for event in turn.events if isinstance(event, e.CommandRefused)]


# 1.1 ---------------------------------------------------------------------------------------------


@pytest.mark.law("1.1")
@pytest.mark.parametrize("field", ["text", "choice"])
@pytest.mark.parametrize(("limit", "is_default"), [(10_000, True), (5, False)])
def test_a_text_is_stored_up_to_the_limit_and_refused_beyond_it(field: str, limit: int, is_default: bool) -> None:
    made = typed() if is_default else typed(strings=limit)
    turn = made.set(**{f"user__{field}": "x" * limit})
    assert turn.state is not None
    assert turn.state.values[f"user.{field}"].value == "x" * limit
    turn = made.set(**{f"user__{field}": "y" * (limit + 1)})
    assert reasons(turn) == ["length"]
    assert f"{limit}" in turn.text
    assert turn.state is not None
    assert turn.state.values[f"user.{field}"].value == "x" * limit


@pytest.mark.law("1.1")
@pytest.mark.parametrize(("limit", "is_default"), [(200, True), (3, False)])
def test_a_list_is_stored_up_to_the_limit_and_refused_beyond_it(limit: int, is_default: bool) -> None:
    made = typed() if is_default else typed(lists=limit)
    items = [str(number) for number in range(limit)]
    turn = made.set(user__items=items)
    assert turn.state is not None
    assert turn.state.values["user.items"].value == items
    turn = made.set(user__items=[*items, "one more"])
    assert reasons(turn) == ["items"]
    turn = made.chat.commands([c.Add(field="user.items", item="one more")])
    assert reasons(turn) == ["items"]
    assert turn.state is not None
    assert turn.state.values["user.items"].value == items


@pytest.mark.law("1.1")
@pytest.mark.parametrize(
    "value",
    [10**19, 10**400, 1e308, float("nan"), float("inf"), {"a": 1}, [[1]], "0001-01-01T00:00:00+14:00", True, ""],
    ids=str,
)
def test_a_value_that_cannot_be_kept_is_refused_in_any_field(value: Any) -> None:
    made = typed()
    for field in ("text", "items", "choice", "number", "length", "mail", "moment"):
        turn = made.set(**{f"user__{field}": value})
        assert turn.state is not None
        assert decode_state(encode_state(turn.state)) == turn.state


@pytest.mark.law("1.1")
def test_a_message_that_is_too_long_is_refused_by_name() -> None:
    made = typed()
    turn = made.chat.say("x" * 10_001)
    assert turn.refused == "message_too_long"
    assert "10,001" in turn.text
    assert made.chat.say("x" * 10_000).refused is None


@pytest.mark.law("1.1")
def test_spaces_around_a_message_do_not_make_it_too_long() -> None:
    made = typed()
    turn = made.chat.say("\n  hello" + " " * 20_000)
    assert turn.refused is None
    assert [event.text for event in turn.events if isinstance(event, e.UserSaid)] == ["hello"]
    assert made.chat.say("x" + " " * 20_000 + "x").refused == "message_too_long"


@pytest.mark.law("1.1")
@pytest.mark.parametrize("value", ["x" * 10_001, "\ud800"])
def test_a_button_that_is_no_button_of_ours_leaves_no_long_text_behind(value: str) -> None:
    made = typed()
    turn = made.chat.choose(value, position=1)
    assert turn.refused or all(len(str(entry.event)) < 10_000 for entry in turn.entries)
    assert all(encode_state(turn.state) for _ in turn.entries if turn.state)


@pytest.mark.law("1.1")
@pytest.mark.parametrize(
    "event",
    [
        e.Commands((c.Set(field="user.text", value="\ud800"),)),
        e.Commands((c.Set(field="user.text", value=object()),)),
        e.Commands((c.Ask(text="\udfff"),)),
        e.ToolUsed("look", {"about": object()}),
    ],
    ids=lambda event: type(event).__name__,
)
def test_what_no_journal_can_keep_is_refused(event: e.OutsideEvent) -> None:
    machine = machine_of(
        "flow: f\nstart: a\ntools: {look: {about: x}}\nrecords: {user: {text: string}}\nnodes: {a: {form: {fields: [{field: user.text}]}}}"
    )
    made = talk(machine)
    made.chat.start()
    turn = made.chat._submit(event, None)
    assert turn.refused == "not_json"


@pytest.mark.law("1.1")
@pytest.mark.parametrize("result", [(1, 2), {1, 2}, 10**30, {"a": (1,)}], ids=str)
def test_what_is_recorded_is_what_a_journal_gives_back(result: Any) -> None:
    machine = machine_of(
        "flow: f\nstart: a\ntools: {look: {about: x}}\nnodes: {a: {say: A, transitions: [{at: tool, to: a}]}}"
    )
    made = talk(machine)
    made.chat.start()
    for entry in made.chat.tool_used("look", {}, result).entries:
        assert decode_entry(encode_entry(entry)) == entry


@pytest.mark.law("1.1")
def test_raw_text_is_a_place_in_the_journal_and_not_a_copy() -> None:
    made = talk(
        """
        flow: f
        start: ask
        records: {user: {age: integer}}
        nodes: {ask: {form: {fields: [{field: user.age, ask: How old?}]}, transitions: [{to: end}]}, end: {say: Thanks.}}
        """,
        understand=[[c.Set(field="user.age", value=36, words=(5, 15))]],
    )
    made.chat.start()
    turn = made.chat.say("I am thirty six years old")
    assert turn.state is not None
    value = turn.state.values["user.age"]
    message = turn.entries[0]
    assert value.place == (message.seq, 5, 15)
    assert isinstance(message.event, e.UserSaid)
    assert message.event.text[5:15] == "thirty six"
    assert "thirty" not in encode_state(turn.state).decode()


@pytest.mark.law("1.1")
def test_the_tool_history_is_a_count_per_tool_and_the_last_uses_in_order() -> None:
    made = talk(
        "flow: f\nstart: a\ntools: {x: {about: x}, y: {about: y}, z: {about: z}}\nnodes: {a: {say: A, transitions: [{at: tool, end: x, when: errors > 0}]}}"
    )
    made.chat.start()
    used = [("x", "y", "y", "z")[number % 4] for number in range(100)]
    for tool in used:
        made.chat.tool_used(tool)
    tools = made.chat.state().tools
    assert tools.counts == {"x": 25, "y": 50, "z": 25}
    assert KEPT_USES == 64
    assert [use.tool for use in tools.last] == used[-64:]
    assert tools.last[-1].turn == 101


@pytest.mark.law("1.1")
def test_a_tool_that_is_not_known_leaves_nothing_in_the_state() -> None:
    made = talk(
        "flow: f\nstart: a\ntools: {x: {about: x}}\nnodes: {a: {form: {fields: [{field: r.n}]}}}\nrecords: {r: {n: integer}}"
    )
    made.chat.start()
    assert made.chat.tool_used("y").refused == "unknown_tool"
    assert made.chat.state().tools.counts == {}


@pytest.mark.law("1.1")
def test_the_state_does_not_grow_with_the_conversation() -> None:
    made = talk(
        """
        flow: f
        start: a
        records: {user: {note: string, n: integer}}
        tools: {look: {about: looks}}
        nodes:
          a: {prompt: Talk., collect: [user.note], transitions: [{when: message.text == "go", to: b}]}
          b: {say: B., transitions: [{at: before, when: message.text == "go", to: a}]}
        """,
        model=[f"reply {number}" for number in range(1000)],
    )
    made.chat.start()
    sizes: list[int] = []
    for number in range(120):
        made.chat.say("go" if number % 3 == 0 else f"message {number:03}")
        made.chat.tool_used("look")
        if number in (70, 118):
            sizes.append(len(encode_state(made.chat.state())))
    assert sizes[1] - sizes[0] < 100


@pytest.mark.law("1.1")
def test_a_failure_with_a_long_story_is_kept_short() -> None:
    made = talk("flow: f\nstart: a\nnodes: {a: {prompt: Talk.}}", model=[ProviderFailed("x" * 1_000_000)])
    turn = made.chat.say("hello")
    assert turn.state is not None
    assert len(encode_state(turn.state)) < 20_000


@pytest.mark.law("1.1")
def test_what_a_state_keeps_of_a_failure_is_bounded_by_the_flow() -> None:
    text = "flow: f\nstart: a\nlimits: {strings: 20}\nnodes: {a: {prompt: Talk., transitions: [{at: error, when: errors > 1, to: a}]}}"
    made = talk(text, model=[ProviderFailed("0123456789" * 9)])
    turn = made.chat.say("hello")
    assert turn.state is not None
    assert turn.state.status == Failed("model", "01234567890123456789")
    assert [event.fault.message for event in turn.events if isinstance(event, e.Faulted)] == ["01234567890123456789"]


@pytest.mark.law("1.1")
@pytest.mark.parametrize("is_served_elsewhere", [False, True])
def test_a_model_sees_a_window_of_the_transcript(is_served_elsewhere: bool) -> None:
    text = "flow: f\nstart: a\nlimits: {window: 2}\nnodes: {a: {prompt: Talk.}}"
    made = talk(text, model=map(str, range(12)))
    for number in range(12):
        made.chat.say(f"message {number}")
    if is_served_elsewhere:  # by one that reads it from the store
        made = talk(text, model=["12"], store=made.store)
        made.chat.say("message 12")
    last = 12 if is_served_elsewhere else 11
    assert [(line.role, line.text) for line in made.model.calls[-1].transcript] == [
        ("user", f"message {last - 2}"),
        ("agent", f"{last - 2}"),
        ("user", f"message {last - 1}"),
        ("agent", f"{last - 1}"),
        ("user", f"message {last}"),
    ]


# 1.2 ---------------------------------------------------------------------------------------------

SHOP = """
    flow: shop
    start: ask
    records: {user: {size: {type: choice, options: [s, l]}, tags: {type: list, default: [new]}, n: integer}}
    tools: {look: {about: looks}}
    nodes:
      ask:
        set: {user.tags: user.tags}
        form: {fields: [{field: user.size, ask: Size?}]}
        transitions: [{when: user.size == "l", set: {user.n: size(user.tags) + 1}, to: large}, {to: small}]
      large: {say: Large., transitions: [{at: before, when: message.text == "again", to: ask}]}
      small: {say: Small., transitions: [{at: tool, to: ask}]}
"""


def _play_shop(made: Talk, conversation: str, messages: str) -> list[str]:
    return [made.chat.on(conversation).say(message).text for message in messages.split()]


@pytest.mark.law("1.2")
def test_two_conversations_of_a_machine_share_nothing() -> None:
    together, messages = talk(machine_of(SHOP)), {"one": "x l again s x", "two": "l again l x again", "three": "s s x"}
    for place in range(5):
        for conversation, said in messages.items():
            if place < len(said.split()):
                together.chat.on(conversation).say(said.split()[place])
        together.set("three", user__tags=["mine", "own"])
    for conversation, said in messages.items():
        alone = talk(machine_of(SHOP))
        for message in said.split():
            alone.chat.on(conversation).say(message)
            if conversation == "three":
                alone.set(conversation, user__tags=["mine", "own"])
        if conversation != "three":
            assert together.chat.on(conversation).state() == alone.chat.on(conversation).state()
    assert together.chat.on("one").state().values["user.tags"].value == ["new"]


@pytest.mark.law("1.2")
def test_a_machine_is_the_same_after_any_conversation() -> None:
    machine = machine_of(SHOP)
    before = encode_flow(machine.flow), machine.fingerprint, dict(machine.nodes), dict(machine.fields)
    made = talk(machine)
    for turn in (made.chat.say("l"), made.chat.say("again"), made.set(user__tags=["x"]), made.chat.tool_used("look")):
        assert turn.decisions is not None
    assert (encode_flow(machine.flow), machine.fingerprint, dict(machine.nodes), dict(machine.fields)) == before
    with pytest.raises(AttributeError):
        machine.flow = before  # type: ignore[misc,assignment]
    with pytest.raises(AttributeError):
        made.chat.state().turn = 7  # type: ignore[misc]


@pytest.mark.law("1.2")
def test_what_was_given_can_be_changed_afterwards_without_changing_the_conversation() -> None:
    made = talk(machine_of(SHOP))
    made.chat.start()
    items = ["a", "b"]
    made.set(user__tags=items)
    items.append("c")
    assert made.chat.state().values["user.tags"].value == ["a", "b"]
    recorded = [entry.event for entry in made.chat.journal() if isinstance(entry.event, e.Commands)]
    assert recorded == [e.Commands((c.Set(field="user.tags", value=["a", "b"]),))]


@pytest.mark.law("1.2")
def test_a_state_is_a_value_that_no_later_turn_changes() -> None:
    made = talk(machine_of(SHOP))
    states = [made.chat.start().state]
    kept = [encode_state(states[0])]
    for turn in (made.set(user__tags=["x"]), made.chat.say("l"), made.chat.say("again"), made.chat.tool_used("look")):
        states.append(turn.state)
        kept.append(encode_state(turn.state))
    assert [encode_state(state) for state in states] == kept
    assert len(set(kept)) == len(kept)


# 1.3 ---------------------------------------------------------------------------------------------


@pytest.mark.law("1.3")
@pytest.mark.parametrize(
    ("guard", "values", "verdict"),
    [
        ("has(r.x)", {}, "not_held"),
        ("has(r.x)", {"x": None}, "not_held"),
        ("has(r.x)", {"x": ""}, "not_held"),
        ("has(r.x)", {"x": 0}, "held"),
        ("has(r.x)", {"x": False}, "held"),
        ("has(r.x)", {"x": "a"}, "held"),
        ("r.x == 0", {"x": 0}, "held"),
        ("r.x == false", {"x": False}, "held"),
        ('r.x != ""', {"x": "a"}, "held"),
        ('r.x != ""', {}, "not_held"),
        ('r.x == ""', {}, "held"),
        ('r.x == ""', {"x": "a"}, "not_held"),
        ('"" == r.x', {}, "held"),
        ("r.x == null", {}, "held"),
        ("r.x != null", {"x": 0}, "held"),
        ('message.text == ""', {}, "held"),
        ("r.x", {"x": True}, "held"),
        ("r.x", {"x": False}, "not_held"),
        ("r.x", {}, "unknown"),
        ("!r.x", {}, "unknown"),
        ("r.x", {"x": "a"}, "held"),
        ("r.x", {"x": 0}, "held"),
        ("!r.x", {"x": 0}, "not_held"),
        ("r.x > 3", {}, "unknown"),
    ],
)
def test_missing_is_not_nought_and_not_false(guard: str, values: dict[str, Any], verdict: str) -> None:
    assert judge(guard, {"r": values}).verdict == verdict


@pytest.mark.law("1.3")
def test_a_bare_field_is_its_value_where_it_is_declared_boolean_and_presence_elsewhere() -> None:
    made = talk(
        """
        flow: f
        start: a
        records: {r: {yes: boolean, text: string, n: integer}}
        nodes:
          a:
            say: A.
            transitions:
              - {id: yes, at: before, when: r.yes, to: b}
              - {id: text, at: before, when: r.text, to: b}
              - {id: number, at: before, when: r.n, to: b}
          b: {say: B.}
        """
    )
    turn = made.chat.start()
    assert [c.outcome for c in turn.decisions[0].candidates] == ["unknown", "false", "false"]
    turn = made.set(r__yes=False, r__n=0)
    assert [c.outcome for c in turn.decisions[0].candidates] == ["false", "false", "taken"]


@pytest.mark.law("1.3")
@pytest.mark.parametrize(
    ("guard", "stops", "verdict"),
    [
        ("size(trip.stops) == 0", None, "taken"),
        ("size(trip.stops) == 0", [], "taken"),
        ('"Rome" in trip.stops', None, "false"),
        ('!("Rome" in trip.stops)', None, "taken"),
        ("has(trip.stops)", None, "false"),
        ("has(trip.stops)", [], "false"),
        ("trip.stops", [], "false"),
        ("!trip.stops", [], "taken"),
        ("trip.stops", ["Rome"], "taken"),
        ('trip.stops == ""', [], "taken"),
        ("trip.stops != null", [], "false"),
        ('trip.stops.exists(s, s == "Rome")', None, "false"),
        ('trip.stops.all(s, s == "Rome")', None, "taken"),
    ],
)
def test_a_list_without_items_is_the_empty_list_whether_it_was_stored_or_not(
    guard: str, stops: list[str] | None, verdict: str
) -> None:
    made = talk(STOPS.replace("GUARD", guard))
    made.chat.start()
    turn = made.set(trip__kind="x") if stops is None else made.set(trip__kind="x", trip__stops=stops)
    assert [c.outcome for d in turn.decisions for c in d.candidates if c.id == "way"] == [verdict]


@pytest.mark.law("1.3")
def test_texts_and_tools_get_the_empty_list() -> None:
    given: list[Any] = []

    def count(stops: list[str]) -> str:
        given.append(stops)
        return "counted"

    with OneSyncChat(flow_of(STOPS.replace("GUARD", "false")), tools={"count": count}) as chat:
        assert chat.start().text == "Stops: []"
        chat.commands([c.Set(field="trip.kind", value="count")])
    assert given == [[]]


STOPS = """
    flow: f
    start: a
    records: {trip: {stops: {type: list, default: []}, kind: string}}
    tools: {count: {about: Count., args: {stops: {type: list}}}}
    nodes:
      a:
        say: "Stops: [{{ trip.stops }}]"
        transitions:
          - {id: way, at: before, when: 'has(trip.kind) && (GUARD)', to: b}
          - {at: before, when: trip.kind == "count", to: c}
      b: {say: B.}
      c: {tool: {name: count, with: {stops: trip.stops}}, transitions: [{to: b}]}
"""


@pytest.mark.law("1.3")
@pytest.mark.parametrize("value", [None, "", "   ", "\n\t"])
def test_nothing_and_blank_text_are_never_stored(value: Any) -> None:
    made = typed()
    made.set(user__text="here")
    turn = made.set(user__text=value)
    assert reasons(turn) == ["blank"]
    assert made.chat.state().values["user.text"].value == "here"


@pytest.mark.law("1.3")
def test_a_write_of_nothing_or_blank_text_takes_the_value_away() -> None:
    made = talk(
        """
        flow: f
        start: a
        records: {r: {text: string, other: string, blank: {type: string, default: "x"}}}
        nodes:
          a:
            say: A.
            transitions:
              - {at: before, when: message.text == "null", set: {r.text: null}, to: b}
              - {at: before, when: message.text == "missing", set: {r.text: r.other}, to: b}
              - {at: before, when: message.text == "blank", set: {r.text: '" " + " "'}, to: b}
          b: {say: B., once: a}
        """
    )
    made.chat.start()
    for message in ("null", "missing", "blank"):
        made.set(r__text="here")
        turn = made.chat.say(message)
        assert turn.state is not None
        assert (turn.state.node, "r.text" in turn.state.values) == ("b", False)
        made.chat.say("back")


@pytest.mark.law("1.3")
def test_a_default_is_a_value_for_guards_and_texts_and_missing_for_collect_and_forms() -> None:
    made = talk(
        """
        flow: f
        start: talk
        records: {r: {plan: {type: choice, options: [basic, plus], default: basic}}}
        nodes:
          talk:
            prompt: "The plan is {{ r.plan }}."
            collect: [r.plan]
            transitions:
              - {when: message.text == "form" && r.plan == "basic" && has(r.plan), to: ask}
          ask:
            form: {fields: [{field: r.plan, ask: Which plan?}]}
        """,
        model=["Hello.", "Well."],
    )
    made.chat.start()
    request = made.model.calls[0]
    assert request.instructions == ("The plan is basic.",)
    assert request.missing == ("plan",)
    turn = made.chat.say("form")
    assert turn.state is not None
    assert turn.state.node == "ask"
    assert "r.plan" not in turn.state.values
    assert turn.text.endswith("Which plan?\nI have “basic” here. Is that right?")
    assert [button.label for button in turn.buttons] == ["Yes", "No"]
    turn = made.chat.choose("yes")
    assert turn.state is not None
    assert turn.state.values["r.plan"].value == "basic"


# 1.4 ---------------------------------------------------------------------------------------------


@pytest.mark.law("1.4")
def test_a_state_bears_its_format_and_the_fingerprint_of_its_flow() -> None:
    machine = machine_of(SHOP)
    state = talk(machine).chat.start().state
    assert state is not None
    assert (state.format, state.flow, state.version, state.fingerprint) == (FORMAT, "shop", 1, machine.fingerprint)
    kept = json.loads(encode_state(state))
    assert kept["format"] == FORMAT
    assert kept["fingerprint"] == machine.fingerprint


@pytest.mark.law("1.4")
@pytest.mark.parametrize("found", [0, 3, 99, None, "one"])
def test_an_unknown_format_is_refused_by_name(found: Any) -> None:
    state = talk(SHOP).chat.start().state
    assert state is not None
    kept = json.loads(encode_state(state)) | {"format": found}
    with pytest.raises(UnknownFormat, match="the state"):
        decode_state(json.dumps(kept))


@pytest.mark.law("1.4")
def test_the_fingerprint_changes_with_anything_that_the_flow_or_its_code_says() -> None:
    def first(user: Any) -> bool:
        return user.n == 1

    def second(user: Any) -> bool:
        return user.n == 2

    coded = SHOP.replace("{at: tool, to: ask}", "{at: tool, guard: judge, to: ask}")
    prints = {
        machine_of(SHOP).fingerprint,
        machine_of(SHOP.replace("Size?", "Which size?")).fingerprint,
        machine_of(coded, describe(first, name="judge")).fingerprint,
        machine_of(coded, describe(second, name="judge")).fingerprint,
    }
    assert len(prints) == 4
    assert link(machine_of(SHOP).flow).fingerprint == machine_of(SHOP).fingerprint
