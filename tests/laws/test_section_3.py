"""Section 3: a turn, in order; what transcripts cannot say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import pytest

from support.chats import NOON_MS, OneChat, Talk, done, flow_of, machine_of, names, outcomes, talk
from support.refused import without_refused
from support.tools import Stage
from turnwise.api.open import Chat
from turnwise.api.open import open as open_flow
from turnwise.core.prompts import ModelRequest
from turnwise.core.state import Failed, State, Waiting
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.state.codec import decode_state, encode_state
from turnwise.core.state.commands import AnyCommand
from turnwise.core.state.fold import fold_all
from turnwise.core.step import start, step
from turnwise.core.turn import Refusal, Step
from turnwise.errors import Conflict, ProviderFailed, StoreUnavailable
from turnwise.models.scripted import ScriptedModel
from turnwise.runner.clocks import ManualClock
from turnwise.runner.model_port import ModelEvent, ModelReply, TextDelta
from turnwise.runner.ports import Commit, Written
from turnwise.stores.memory import MemoryStore

FORM = """
    flow: f
    start: a
    records: {r: {k: {type: choice, options: [x, y]}, n: integer, t: string, s: {type: string, secret: true}}}
    tools: {look: {about: x}}
    nodes:
      a: {form: {fields: [{field: r.k, ask: x or y?}, {field: r.n, ask: How many?}]}, transitions: [{to: b}]}
      b: {say: B., transitions: [{at: before, when: errors > 9, to: a}, {at: tool, to: a}, {id: t, at: timer, in: 9h, to: a}]}
"""
PROMPT = "flow: f\nstart: a\nnodes: {a: {prompt: Talk.}}"


# 3.1 ---------------------------------------------------------------------------------------------

_SUBMIT: dict[str, Callable[[Talk, str], Any]] = {
    "say": lambda made, key: made.chat.say("x", key=key),
    "choose": lambda made, key: made.chat.choose("x", key=key),
    "commands": lambda made, key: made.chat.commands([c.Set(field="r.k", value="x")], key=key),
    "tool": lambda made, key: made.chat.tool_used("look", key=key),
    "fire": lambda made, key: made.chat.fire("t", key=key),
}


@pytest.mark.law("3.1")
@pytest.mark.parametrize("kind", _SUBMIT)
def test_the_same_key_gives_the_same_events_and_does_nothing(kind: str) -> None:
    made = talk(FORM)
    made.chat.start()
    first = _SUBMIT[kind](made, "key 1")
    journal, state = made.chat.journal(), made.chat.state()
    made.clock.move_s(60)
    again = _SUBMIT[kind](made, "key 1")
    assert again.is_duplicate
    assert not first.is_duplicate
    assert again.entries == first.entries
    assert (made.chat.journal(), made.chat.state()) == (journal, state)
    other = _SUBMIT[kind](made, "key 2")
    assert other.refused or other.number == first.number + 1


@pytest.mark.law("3.1")
@pytest.mark.parametrize("kind", _SUBMIT)
def test_the_same_key_with_another_body_is_refused(kind: str) -> None:
    made = talk(FORM)
    made.chat.say("y", key="key")
    journal = made.chat.journal()
    assert _SUBMIT[kind](made, "key").refused == "key_reused"
    assert made.chat.say("y ", key="key").refused == "key_reused"
    assert without_refused(made.chat.journal()) == journal


@pytest.mark.law("3.1")
def test_a_key_belongs_to_its_conversation_and_a_refused_event_leaves_none_behind() -> None:
    made = talk(FORM)
    made.chat.on("one").say("x", key="key")
    assert made.chat.on("two").say("y", key="key").number == 1
    made.chat.on("three").start()
    third = made.chat.on("three").say("y", key="key")
    assert (third.number, third.refused, third.is_duplicate) == (2, None, False)
    assert made.chat.on("one").tool_used("lok", key="other").refused == "unknown_tool"
    assert made.chat.on("one").say("5", key="other").number == 2


@pytest.mark.law("3.1")
@pytest.mark.parametrize("first", [None, "x", "something else"])
def test_started_is_always_the_first_event_and_a_first_message_gets_one_reply(first: str | None) -> None:
    made = talk(PROMPT, model=["Hello."])
    turn = made.chat.say(first) if first else made.chat.start()
    assert isinstance(turn.events[0], e.Started)
    assert [entry.turn for entry in turn.entries] == [1] * len(turn.entries)
    assert len(made.model.calls) == 1
    assert turn.text == "Hello."


@pytest.mark.law("3.1")
@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("Europe/Berln", "'Europe/Berln' is no time zone; did you mean 'Europe/Berlin'?"),
        ("Mars/X", "'Mars/X' is no time zone; zones are named like Europe/Berlin"),
        ("Europe", "'Europe' is no time zone; zones are named like Europe/Berlin"),
        ("../etc", "'../etc' is no time zone; zones are named like Europe/Berlin"),
    ],
)
def test_a_time_zone_that_is_none_begins_nothing(zone: str, said: str) -> None:
    made = talk(FORM)
    turn = made.chat.start(time_zone=zone, key="k")
    assert (turn.refused, turn.text, turn.after) == ("unknown_time_zone", said, None)
    assert made.chat.start(time_zone="Asia/Tokyo", key="k").state.time_zone == "Asia/Tokyo"


@pytest.mark.law("3.1")
@pytest.mark.parametrize(("language", "said"), [("en", "Did you mean “Green”?"), ("de", "Meinten Sie „Green“?")])
def test_a_button_that_is_not_offered_is_refused_in_whole_sentences(language: str, said: str) -> None:
    made = talk(
        f"flow: f\nstart: a\nlanguage: {language}\nrecords: {{r: {{k: {{type: choice, options: [Red, Green]}}}}}}\n"
        "nodes: {a: {form: {fields: [{field: r.k}]}}}"
    )
    made.chat.start()
    assert made.chat.choose("Gren").text.endswith(f". {said}")
    assert "?" not in made.chat.choose("Yellow").text


@pytest.mark.law("3.1")
def test_a_button_names_the_position_that_offered_it() -> None:
    made = talk(FORM)
    turn = made.chat.start()
    assert turn.position == turn.entries[-2].seq
    assert made.chat.choose("x", position=turn.position).state.values["r.k"].value == "x"
    stale = made.chat.choose("y", position=turn.position)
    assert stale.state.values["r.k"].value == "x"
    assert [warning.code for warning in stale.warnings] == ["stale_button"]
    assert stale.text == "That button belongs to an earlier question.\n\nHow many?"
    assert made.chat.say("3").state.node == "b"
    assert [w.code for w in made.chat.choose("x", position=turn.position).warnings] == ["stale_button"]


@pytest.mark.law("3.1")
def test_a_button_of_a_form_that_was_confirmed_is_stale() -> None:
    text = "flow: f\nstart: a\nrecords: {r: {k: {type: choice, options: [x, y]}}}\nnodes: {a: {form: {fields: [{field: r.k}], confirm: {}}, once: b}, b: {say: B.}}"
    made = talk(text)
    made.chat.start()
    made.chat.say("x")
    confirmed = made.chat.choose("confirm")
    assert confirmed.state.frame.form.status == "confirmed"
    again = made.chat.choose("confirm")
    assert again.refused is None
    assert [warning.code for warning in again.warnings] == ["stale_button"]


@pytest.mark.law("3.1")
@pytest.mark.parametrize("event", [e.ToolUsed("look"), e.TimerFired("t")])
def test_tools_and_timers_judge_their_own_moment_only(event: e.OutsideEvent) -> None:
    text = """
        flow: f
        start: a
        tools: {look: {about: x}}
        records: {r: {n: integer}}
        nodes:
          a:
            prompt: Talk.
            transitions:
              - {id: t, at: timer, in: 1h, when: r.n == 2, to: b}
              - {id: u, at: tool, when: r.n == 2, to: b}
              - {id: v, at: before, when: turns == 1, to: b}
              - {id: w, at: after, when: turns == 2, to: b}
          b: {say: B.}
    """
    made = talk(text, model=["Hello."])
    made.chat.start()
    turn = made.chat._submit(event, None)
    assert [decision.moment for decision in turn.decisions] == [{"tool_used": "tool"}.get(names(turn)[0], "timer")]
    assert (turn.text, len(made.model.calls)) == ("", 1)


@pytest.mark.law("3.1")
def test_an_event_while_a_turn_is_under_way_is_refused_by_the_core() -> None:
    machine = machine_of(PROMPT)
    begun = start(machine, NOON_MS, e.UserSaid("hello"))
    assert isinstance(begun, Step)
    refused = step(machine, begun.state, e.UserSaid("again"), NOON_MS)
    assert isinstance(refused, Refusal)
    assert refused.code == "busy"
    refused = step(machine, begun.state, e.ModelReplied("9.9", "x"), NOON_MS)
    assert isinstance(refused, Refusal)
    assert refused.code == "not_awaited"


# 3.3 ---------------------------------------------------------------------------------------------


@pytest.mark.law("3.3")
@pytest.mark.parametrize("kind", ["say", "commands"])
def test_a_pending_move_is_taken_before_anything_is_heard(kind: str) -> None:
    made = talk(
        """
        flow: f
        start: a
        records: {r: {k: {type: choice, options: [x, y]}, n: integer}}
        nodes:
          a: {say: A., once: b, set_on_leave: {r.n: 1}, transitions: [{at: before, when: r.k == "x", to: c}]}
          b: {form: {fields: [{field: r.k}]}}
          c: {say: C.}
        """
    )
    made.chat.start()
    turn = _SUBMIT[kind](made, None)
    assert turn.state.node == "b"
    assert names(turn)[1:3] == ["field_set", "moved"]
    assert turn.state.values["r.k"].value == "x"
    assert turn.state.pending is None


@pytest.mark.law("3.3")
def test_the_message_that_takes_a_planned_move_is_understood_for_the_target_only() -> None:
    made = talk(
        """
        flow: f
        start: a
        records: {r: {n: integer, t: string}}
        nodes: {a: {prompt: Talk., collect: [r.t], once: b}, b: {prompt: Talk., collect: [r.n]}}
        """,
        understand=[[c.Set(field="r.n", value=3)]],
        model=["One.", "Two."],
    )
    made.chat.start()
    turn = made.chat.say("three")
    assert (turn.state.node, turn.text) == ("b", "Two.")
    assert [[field.address for field in shown.fields] for _, shown in made.understanding.calls] == [["r.n"]]


# 3.4 ---------------------------------------------------------------------------------------------


@pytest.mark.law("3.4")
def test_understanding_is_shown_just_the_exposed_fields_and_commands() -> None:
    made = talk(FORM)
    made.chat.start()
    made.chat.say("neither of them")
    message, shown = made.understanding.calls[0]
    assert message == "neither of them"
    assert [field.address for field in shown.fields] == ["r.k", "r.n"]
    assert shown.asked == "r.k"
    assert "set" in shown.commands
    assert "affirm" not in shown.commands
    assert "undo" not in shown.commands


@pytest.mark.law("3.4")
@pytest.mark.parametrize(
    ("commands", "reasons"),
    [
        ([c.Set(field="r.k", value="z")], ["option"]),
        ([c.Set(field="r.n", value="many")], ["integer"]),
        ([c.Set(field="r.t", value="x")], ["not_exposed"]),
        ([c.Set(field="r.s", value="x")], ["not_exposed"]),
        ([c.Set(field="x.y", value="x")], ["unknown_field"]),
        ([c.Undo()], ["not_exposed"]),
        ([c.Start(target="b")], ["not_exposed"]),
        (
            [c.Set(field="r.n", value="many"), c.Set(field="r.k", value="x"), c.Clear(field="r.t")],
            ["integer", "not_exposed"],
        ),
    ],
)
def test_each_command_is_applied_or_refused_with_a_reason(commands: Sequence[AnyCommand], reasons: list[str]) -> None:
    made = talk(FORM, understand=[commands])
    made.chat.start()
    turn = made.chat.say("something")
    assert [event.reason for event in turn.events if isinstance(event, e.CommandRefused)] == reasons
    assert ("r.k" in turn.state.values) == any(
        isinstance(command, c.Set) and command.value == "x" and command.field == "r.k" for command in commands
    )


@pytest.mark.law("3.4")
@pytest.mark.parametrize(
    ("command", "is_exposed"),
    [(c.Undo(), False), (c.Repeat(), False), (c.HandOver(), False), (c.Ask(text="why?"), False), (c.Help(), True)],
)
def test_outside_forms_too_a_model_uses_what_it_was_shown_only(command: AnyCommand, is_exposed: bool) -> None:
    text = "flow: f\nstart: a\ncommands: [help]\nrecords: {r: {t: string}}\nnodes: {a: {prompt: Talk., collect: [r.t]}}"
    made = talk(text, understand=[[command]], model=["One.", "Two."])
    made.chat.start()
    turn = made.chat.say("whatever")
    found = [event.reason for event in turn.events if isinstance(event, e.CommandRefused)]
    assert found == ([] if is_exposed else ["not_exposed"])
    assert ("command_applied" in names(turn)) == is_exposed


@pytest.mark.law("3.4")
def test_a_command_for_everywhere_exposes_all_fields_but_those_that_no_model_may_read() -> None:
    text = """
        flow: f
        start: a
        commands: [set]
        records: {r: {t: string, s: {type: string, secret: true}, d: integer, n: integer}}
        nodes:
          a: {prompt: Talk., collect: [r.t]}
          b: {form: {fields: [{field: r.d, match: direct}, {field: r.n}]}}
    """
    made = talk(text, understand=[[]], model=["One.", "Two."])
    made.chat.start()
    made.chat.say("whatever")
    assert {field.address for field in made.understanding.calls[0][1].fields} == {"r.t", "r.n"}


@pytest.mark.law("3.4")
@pytest.mark.parametrize(
    "understanding",
    [
        lambda _message, _allowed: 1 / 0,
        lambda _message, allowed: None if allowed else [],
        lambda _message, _allowed: ["set"],
        lambda _message, _allowed: [c.Set(field=3, value=4)],  # type: ignore[arg-type]
        lambda _message, _allowed: [c.Set(field="r.t", value=object())],
    ],
)
def test_if_understanding_fails_the_turn_goes_on_and_the_trace_says_so(understanding: Any) -> None:
    opened = OneChat(flow_of(FORM), understand=understanding, clock=ManualClock(NOON_MS))
    done(opened.start())
    turn = done(opened.say("something"))
    assert [warning.code for warning in turn.warnings] == ["understanding_failed"]
    assert "understanding_failed" in names(turn)
    assert turn.state.status == Waiting("button", NOON_MS)
    assert "x or y?" in turn.text or "rephrase" in turn.text


@pytest.mark.law("3.4")
def test_what_is_claimed_about_completion_or_the_next_node_is_recorded_and_not_believed() -> None:
    machine = machine_of(FORM)
    begun = start(machine, NOON_MS)
    assert isinstance(begun, Step)
    asked = step(machine, begun.state, e.UserSaid("whatever"), NOON_MS)
    assert isinstance(asked, Step)
    claims = {"complete": True, "next": "b", "fields": {"r.k": "x"}}
    taken = step(machine, asked.state, e.Understood(asked.effects[0].id, (), "model", claims), NOON_MS)
    assert isinstance(taken, Step)
    assert taken.entries[0].event == e.Understood(asked.effects[0].id, (), "model", claims)
    assert (taken.state.node, taken.state.values) == ("a", {})


@pytest.mark.law("3.4")
def test_absent_never_means_clear() -> None:
    made = talk(FORM, understand=[[c.Set(field="r.n", value=4)], []])
    made.set(r__k="x")
    made.chat.say("four")
    assert {name: found.value for name, found in made.chat.state().values.items()} == {"r.k": "x", "r.n": 4}


@pytest.mark.law("3.4")
def test_nothing_is_understood_without_a_message_or_where_nothing_is_exposed() -> None:
    made = talk(PROMPT, model=["One.", "Two."])
    made.chat.say("hello")
    assert made.understanding.calls == []
    made = talk(FORM)
    made.chat.start()
    made.set(r__k="x")
    made.chat.tool_used("look")
    made.chat.choose("whatever", position=1)
    assert made.understanding.calls == []


# 3.5, 3.7 ----------------------------------------------------------------------------------------


@pytest.mark.law("3.5", "3.7")
def test_before_comes_ahead_of_the_work_and_after_behind_it() -> None:
    made = talk(FORM, understand=[[c.Set(field="r.k", value="x"), c.Set(field="r.n", value=2)]])
    made.chat.start()
    turn = made.chat.say("x, two of them")
    found = names(turn)
    assert found.index("understood") < found.index("field_set") < found.index("decided")
    assert [(d.node, d.moment) for d in turn.decisions] == [
        ("a", "before"),
        ("a", "after"),
        ("b", "before"),
        ("b", "after"),
    ]


@pytest.mark.law("3.5")
def test_before_is_judged_without_a_message_too_and_then_message_is_missing() -> None:
    made = talk(
        """
        flow: f
        start: a
        records: {r: {n: integer}}
        nodes:
          a: {say: A., transitions: [{id: m, at: before, when: message.text != "x", to: b}, {id: b, at: before, when: message.button == "x", to: b}]}
          b: {say: B.}
        """
    )
    assert outcomes(made.chat.start(), "m") == ["unknown"]
    assert outcomes(made.set(r__n=1), "m") == ["unknown"]
    turn = made.chat.say("x")
    assert (outcomes(turn, "m"), outcomes(turn, "b")) == (["false"], ["unknown"])


# 3.6 ---------------------------------------------------------------------------------------------

TALKING = """
    flow: f
    start: a
    persona: "You are {{ r.name }}."
    prompt: Flow prompt.
    records: {r: {name: {type: string, default: Bo}, n: integer}}
    nodes:
      a:
        prompt: "There are {{ r.n }} left."
        entry: This is the beginning.
        collect: [r.n, r.name]
        transitions: [{when: r.n == 7, to: b}]
      b: {persona: You are Cy., prompt: Second., entry: And now this., collect: [r.n]}
"""


@pytest.mark.law("3.6")
def test_a_request_has_persona_prompt_and_entry_text_once_in_a_stable_order() -> None:
    made = talk(TALKING, model=["One.", "Two.", "Three.", "Four."])
    made.chat.start()
    made.set(r__n=3, r__name="Al")
    made.set(r__n=7)
    first, second, third, fourth = (call.instructions for call in made.model.calls)
    assert first == ("You are Bo.", "There are  left.", "This is the beginning.")
    assert second == ("You are Al.", "There are 3 left.")
    assert third == ("You are Al.", "There are 7 left.")
    assert fourth == ("You are Cy.", "Second.", "And now this.")
    assert [call.missing for call in made.model.calls] == [("n", "name"), (), (), ()]


@pytest.mark.law("3.6")
def test_a_request_is_built_for_its_call_and_only_its_hash_is_stored() -> None:
    made = talk(TALKING, model=["One."])
    made.chat.start()
    journal = str(made.chat.journal())
    assert "You are Bo" not in journal
    replied = [entry.event for entry in made.chat.journal() if isinstance(entry.event, e.ModelReplied)]
    assert [event.prompt for event in replied] == [made.model.calls[0].fingerprint()]


@pytest.mark.law("3.6")
def test_a_model_reads_the_transcript_of_the_whole_conversation_and_the_message_of_now() -> None:
    made = talk(TALKING, model=["One.", "Two."], understand=[[]])
    made.chat.start()
    made.chat.say("hello there")
    assert [(line.role, line.text) for line in made.model.calls[1].transcript] == [
        ("agent", "One."),
        ("user", "hello there"),
    ]


def chain(nodes: int, limits: str) -> str:
    text = f"flow: f\nstart: n0\nlimits: {limits}\nnodes:\n"
    for number in range(nodes):
        text += f'  n{number}: {{prompt: Talk., transitions: [{{to: n{number + 1}}}, {{at: error, when: error.kind == "limit", to: over}}]}}\n'
    return text + f'  n{nodes}: {{say: The end.}}\n  over: {{say: "Too much: {{{{ error.message }}}}"}}\n'


@pytest.mark.law("3.6")
def test_a_model_is_told_what_is_missing_and_what_was_refused_in_this_turn() -> None:
    text = "flow: f\nstart: a\nrecords: {r: {n: integer, t: string}}\nnodes: {a: {prompt: Talk., collect: [r.n, r.t]}}"
    proposed = [[c.Set(field="r.n", value="many"), c.Set(field="r.t", value="x")], []]
    made = talk(text, understand=proposed, model=["One.", "Two.", "Three."])
    made.chat.start()
    made.chat.say("many of x")
    made.chat.say("well")
    assert [request.missing for request in made.model.calls] == [("n", "t"), ("n",), ("n",)]
    assert [len(request.notes) for request in made.model.calls] == [0, 1, 0]
    assert "whole number" in made.model.calls[1].notes[0]


@pytest.mark.law("3.6")
@pytest.mark.parametrize(("limits", "calls"), [("{moves: 30}", 12), ("{moves: 30, model_calls: 2}", 2)])
def test_there_are_so_many_model_calls_in_a_turn_then_an_error(limits: str, calls: int) -> None:
    made = talk(chain(14, limits), model=["Reply."] * 20)
    turn = made.chat.start()
    assert len(made.model.calls) == calls
    assert turn.state.node == "over"
    assert turn.text.endswith(f"Too much: model_calls: {calls} calls in one turn")
    assert turn.state.errors == 1


@pytest.mark.law("3.6")
@pytest.mark.parametrize("reply", [ModelReply(3), ModelReply(None), None, ModelReply("x", tokens_in="many")])  # type: ignore[arg-type]
def test_a_reply_that_is_none_is_a_failure_of_the_model(reply: Any) -> None:
    class Odd:
        async def reply(self, request: ModelRequest) -> ModelReply:
            return reply

    opened = OneChat(flow_of(PROMPT), model=Odd(), clock=ManualClock(NOON_MS))
    turn = done(opened.say("hello"))
    assert isinstance(turn.state.status, Failed)
    assert turn.state.status.reason == "model"
    assert decode_state(encode_state(turn.state)) == turn.state


# 3.8 ---------------------------------------------------------------------------------------------


class Recording(MemoryStore):
    """A store that notes each commit, and refuses the ones it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.commits: list[Commit] = []
        self.refusing = 0

    def commit(self, conversation: str, commit: Commit) -> Written:
        self.commits.append(commit)
        if self.refusing == len(self.commits):
            return Written(StoreUnavailable("a store", "refused for the test"))
        return super().commit(conversation, commit)


TWO = """
    flow: f
    start: a
    records: {r: {n: integer}}
    nodes:
      a: {prompt: Talk., collect: [r.n], transitions: [{when: r.n == 7, to: b}]}
      b: {prompt: Second.}
"""


@pytest.mark.law("3.8")
def test_the_event_and_its_key_are_committed_first_and_the_state_at_the_end_only() -> None:
    store = Recording()
    made = talk(TWO, store=store, model=["One.", "Two."], understand=[[c.Set(field="r.n", value=7)]])
    made.chat.say("seven", key="key")
    assert [names_of(commit) for commit in store.commits] == [
        ["started", "user_said", "effect_asked"],
        ["understood", "field_set", "decided", "effect_asked"],
        ["model_replied", "said", "work_done", "decided", "moved", "decided", "effect_asked"],
        ["model_replied", "said", "work_done", "decided", "turn_ended"],
    ]
    assert [commit.receipt.key if commit.receipt else "" for commit in store.commits] == ["key", "", "", ""]
    assert [commit.state is not None for commit in store.commits] == [False, False, False, True]
    last = store.commits[-1]
    assert last.state is not None
    assert last.state.seq == last.entries[-1].seq
    assert encode_state(last.state) == encode_state(folded(made))


def names_of(commit: Commit) -> list[str]:
    return [str(entry.event.__struct_config__.tag) for entry in commit.entries]


def folded(made: Talk) -> State:
    state = fold_all(made.chat.journal())
    assert state is not None
    return state


@pytest.mark.law("3.8")
@pytest.mark.parametrize("refusing", [1, 2, 3, 4])
def test_nothing_follows_from_a_commit_that_was_refused(refusing: int) -> None:
    store = Recording()
    store.refusing = refusing
    made = talk(TWO, store=store, model=["One.", "Two."] * 2, understand=[[c.Set(field="r.n", value=7)]] * 2)
    assert made.chat.say("seven", key="key").refused == "store_unavailable"
    kept = done(store.entries("main"))
    assert kept == tuple(entry for commit in store.commits[: refusing - 1] for entry in commit.entries)
    again = made.chat.say("seven", key="key")
    assert (again.number, again.state.node, again.refused) == (1, "b", None)
    assert again.is_duplicate == (refusing > 1)
    assert done(made.chat.chat.replay())


@pytest.mark.law("3.8")
@pytest.mark.parametrize("shift", [-1, 1])
def test_a_commit_that_does_not_follow_the_last_entry_is_refused_and_leaves_nothing(shift: int) -> None:
    store = MemoryStore()
    made = talk(PROMPT, store=store, model=["One."])
    made.chat.start()
    journal = made.chat.journal()
    entry = e.Entry(journal[-1].seq + 1 + shift, 2, NOON_MS, e.UserSaid("hello"))
    written = store.commit("main", Commit((entry,)))
    assert isinstance(written.exception(), Conflict)
    assert made.chat.journal() == journal


class Cut(BaseException):
    """The process dies here."""


class CutModel(ScriptedModel):
    """A model during whose calls the process may die."""

    def __init__(self, replies: Sequence[str], at: int) -> None:
        super().__init__(replies)
        self.at = at

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        if len(self.calls) + 1 == self.at:
            self.at = 0
            raise Cut
        async for piece in super().stream(request):
            yield piece


@pytest.mark.law("3.8")
@pytest.mark.parametrize("at", [1, 2])
@pytest.mark.parametrize("key", ["", "key"])
@pytest.mark.parametrize("retry", ["same", "other", "start"])
def test_a_turn_that_was_cut_off_goes_on_and_performs_only_what_has_no_result(at: int, key: str, retry: str) -> None:
    store, model = Recording(), CutModel(["One.", "Two.", "Three."], at)
    understood: list[str] = []

    def understand(message: str, _allowed: Any) -> list[AnyCommand]:
        understood.append(message)
        return [c.Set(field="r.n", value=7)]

    def opened() -> Chat:
        return OneChat(flow_of(TWO), store=store, model=model, understand=understand, clock=ManualClock(NOON_MS))

    with pytest.raises(Cut):
        done(opened().say("seven", key=key or None))
    committed = len(store.commits)
    assert all(commit.state is None for commit in store.commits)
    state = done(store.load("main"))
    assert state is not None
    assert state.doing is not None
    assert encode_state(state) == encode_state(fold_all(done(store.entries("main"))))  # type: ignore[arg-type]
    again = opened()
    turn = done(
        again.start()
        if retry == "start"
        else again.say("seven", key=key or None)
        if retry == "same"
        else again.say("more")
    )
    assert understood[:1] == ["seven"]
    journal = done(again.journal())
    first = [entry for entry in journal if entry.turn == 1]
    assert [type(entry.event) for entry in first].count(e.ModelReplied) == 2
    assert [type(entry.event) for entry in first].count(e.Understood) == 1
    assert isinstance(first[-1].event, e.TurnEnded)
    assert [entry.seq for entry in journal] == list(range(1, len(journal) + 1))
    assert len(store.commits) > committed
    assert turn.is_duplicate == (retry == "start" or (retry == "same" and key == "key"))
    assert done(again.replay())


@pytest.mark.law("3.8")
def test_a_first_node_is_not_entered_twice_by_a_recovery() -> None:
    store, model = Recording(), CutModel(["One.", "Two."], 1)
    opened = OneChat(flow_of(TWO), store=store, model=model, understand=lambda _m, _e: (), clock=ManualClock(NOON_MS))
    with pytest.raises(Cut):
        done(opened.start())
    assert done(opened.start()).is_duplicate
    assert done(opened.state()).visits == {"a": 1}
    assert done(opened.state()).turn == 1


# 3.9 ---------------------------------------------------------------------------------------------

FAILING = """
    flow: f
    start: a
    records: {r: {n: integer, of: {type: integer, default: 1}, at: string}}
    nodes:
      a:
        prompt: Talk.
        transitions:
          - {at: error, when: r.at == error.kind, to: b}
          - {at: before, when: message.text == "write", set: {r.n: 1 / (r.of - 1)}, to: b}
          - {at: before, when: message.text == "guard" && 1 / (r.of - 1) > 0, to: b}
          - {at: before, when: message.text == "more", to: more}
      more: {prompt: More., transitions: [{to: most}, {at: error, when: r.at == error.kind, to: b}]}
      most: {prompt: Most., transitions: [{at: error, when: r.at == error.kind, to: b}]}
      b: {say: "{{ error.kind }}: {{ error.message }}", once: a}
    limits: {model_calls: 1}
"""


@pytest.mark.law("3.9")
@pytest.mark.parametrize(
    ("message", "kind", "told"),
    [
        ("hello", "model", "no more"),
        ("write", "write", "r.n: a division by zero"),
        ("guard", "guard", "to_b_3: a division by zero"),
        ("more", "limit", "model_calls: 1 calls in one turn"),
    ],
)
def test_a_failure_of_any_kind_judges_error_transitions_with_error_bound(message: str, kind: str, told: str) -> None:
    replies: list[str | Exception] = ["Hello."] + (["More."] if message == "more" else [ProviderFailed("no more")])
    made = talk(FAILING, model=replies)
    made.chat.start()
    made.model.plan.appendleft("Fine.")
    made.set(r__at=kind)
    turn = made.chat.say(message)
    assert turn.state.node == "b"
    assert turn.text.endswith(f"{kind}: {told}")
    assert turn.state.errors == 1
    moved = [event for event in turn.events if isinstance(event, e.Moved) and event.target == "b"]
    assert [event.because for event in moved] == [f"error caught: {kind}"]


@pytest.mark.law("3.9")
def test_without_one_a_models_failure_ends_the_turn_and_the_message_is_kept() -> None:
    made = talk(FAILING, model=["Hello.", ProviderFailed("no line"), ValueError("odd"), "Here again."])
    made.chat.start()
    turn = made.chat.say("are you there?")
    assert turn.events[-3:] == (e.Failed("model", "no line"), turn.said[-1], e.TurnEnded("", ()))
    assert turn.state.status == Failed("model", "no line")
    turn = made.chat.say("and now?")
    assert turn.state.status == Failed("model", "ValueError: odd")
    assert turn.state.errors == 2
    turn = made.chat.say("now?")
    assert turn.text == "Here again."
    assert isinstance(turn.state.status, Waiting)
    assert [line.text for line in made.model.calls[-1].transcript if line.role == "user"] == [
        "are you there?",
        "and now?",
        "now?",
    ]


@pytest.mark.law("3.9")
def test_a_failure_of_an_answer_aside_is_one_too() -> None:
    text = """
        flow: f
        start: a
        commands: [ask]
        records: {r: {k: {type: choice, options: [x, y]}, out: boolean}}
        nodes:
          a:
            prompt: You help.
            form: {fields: [{field: r.k, ask: x or y?}]}
            transitions: [{at: error, when: r.out && error.kind == "model", to: b}]
          b: {say: B.}
    """
    asked = [c.Ask(text="why?")]
    made = talk(text, model=[ProviderFailed("gone"), ProviderFailed("gone")], understand=[asked, asked])
    made.chat.start()
    turn = made.chat.say("why is that?")
    assert turn.text == "Something went wrong on our side. Please try again.\n\nx or y?"
    assert (turn.state.errors, turn.state.node) == (1, "a")
    made.set(r__out=True)
    turn = made.chat.say("why is that?")
    assert (turn.state.errors, turn.state.node, turn.text) == (2, "b", "B.")


@pytest.mark.law("3.9")
def test_a_write_that_fails_while_an_error_is_handled_ends_the_turn() -> None:
    made = talk(
        """
        flow: f
        start: a
        records: {r: {n: integer, of: {type: integer, default: 0}}}
        nodes: {a: {prompt: Talk., transitions: [{at: error, set: {r.n: 1 / r.of}, to: b}]}, b: {say: B.}}
        """,
        model=[ProviderFailed("gone")],
    )
    turn = made.chat.say("hello")
    assert turn.state.status == Failed("write", "r.n: a division by zero")
    assert (turn.state.node, turn.state.errors) == ("a", 2)


@pytest.mark.law("3.9")
@pytest.mark.parametrize(
    ("failures", "said", "calls"), [(0, "Hello.", 1), (1, "Hello.", 2), (2, "Hello.", 3), (3, "", 3)]
)
def test_a_model_that_fails_is_tried_again_as_often_as_its_node_says(failures: int, said: str, calls: int) -> None:
    flow = "flow: f\nstart: a\nnodes: {a: {prompt: Talk., retry: {times: 2}}}"
    stage = Stage(flow, [*[ProviderFailed("gone")] * failures, "Hello."])
    turn = stage.say("hi")
    assert [one.text for one in turn.said if one.kind == "reply"] == [said] * bool(said)
    assert len(stage.model.calls) == calls
    assert (turn.state.errors, isinstance(turn.state.status, Failed)) == ((0, False) if said else (1, True))


@pytest.mark.law("3.9")
def test_what_a_model_has_begun_to_say_is_not_said_twice() -> None:
    flow = "flow: f\nstart: a\nnodes: {a: {prompt: Talk., retry: {times: 2}}}"
    stage = Stage(flow, [[TextDelta("Hel"), ProviderFailed("gone")], "Hello."])
    turn = stage.say("hi")
    assert next((one.kind, one.text) for one in turn.said) == ("cut", "Hel")
    assert len(stage.model.calls) == 1


@pytest.mark.law("3.9")
@pytest.mark.parametrize(("tries", "said"), [(0, ["failed"]), (1, ["reply"])])
def test_a_model_that_takes_too_long_has_failed_and_may_be_tried_again(tries: int, said: list[str]) -> None:
    flow = f"flow: f\nstart: a\nnodes: {{a: {{prompt: Talk., timeout: 20ms, retry: {{times: {tries}}}}}}}"
    waits = iter([True, False])

    class Slow:
        async def reply(self, _request: ModelRequest) -> ModelReply:
            if next(waits):
                await asyncio.sleep(60)
            return ModelReply("Hello.")

    async def say() -> Any:
        return await open_flow(flow_of(flow), model=Slow()).chat("main").say("hi")

    turn = asyncio.run(say())
    assert [one.kind for one in turn.said] == said
    if not tries:
        assert turn.state.status == Failed("model", "the model did not answer within 0.02 s")


# 3.10 --------------------------------------------------------------------------------------------


class Gate(ScriptedModel):
    """A model that answers when the gate is opened."""

    def __init__(self, replies: Sequence[str]) -> None:
        super().__init__(replies)
        self.opened = asyncio.Event()
        self.asked = asyncio.Event()

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        self.asked.set()
        await self.opened.wait()
        async for piece in super().stream(request):
            yield piece


async def _crowd(busy: str) -> tuple[list[Any], Chat, int]:
    model = Gate(["One.", "Two.", "Three.", "Four."])
    opened = OneChat(flow_of(f"busy: {busy}\n{PROMPT}"), model=model, clock=ManualClock(NOON_MS))
    first = asyncio.create_task(opened.say("first"))
    await model.asked.wait()
    others = [asyncio.create_task(opened.say(text)) for text in ("second", "third")]
    elsewhere = asyncio.create_task(Chat(opened.runtime, "another").say("elsewhere"))
    for _ in range(100):
        await asyncio.sleep(0)  # whoever does not wait comes as far as the model
    model.opened.set()
    return [await task for task in (first, *others, elsewhere)], opened, len(model.calls)


@pytest.mark.law("3.10")
def test_two_messages_at_once_are_served_in_the_order_of_their_arrival() -> None:
    turns, opened, requests = asyncio.run(_crowd("queue"))
    assert requests == len(turns)
    assert [turn.number for turn in turns] == [1, 2, 3, 1]
    said = [entry.event.text for entry in done(opened.journal()) if isinstance(entry.event, e.UserSaid)]
    assert said == ["first", "second", "third"]
    assert not any(isinstance(entry.event, e.TurnRestarted) for entry in done(opened.journal()))
    assert done(opened.replay())


@pytest.mark.law("3.10")
def test_or_the_later_ones_are_refused() -> None:
    turns, opened, requests = asyncio.run(_crowd("reject"))
    assert requests == 2
    assert [turn.refused for turn in turns] == [None, "busy", "busy", None]
    assert turns[1].text == "One moment: I am still busy with your last message."
    assert [entry.event.text for entry in done(opened.journal()) if isinstance(entry.event, e.UserSaid)] == ["first"]
    assert done(opened.say("later")).number == 2


# 3.11 --------------------------------------------------------------------------------------------


@pytest.mark.law("3.11")
@pytest.mark.parametrize(("fallback", "text"), [("", "Sorry, I have nothing to say to that."), ("Pardon?", "Pardon?")])
def test_a_user_turn_that_said_nothing_says_the_fallback_with_a_warning(fallback: str, text: str) -> None:
    flow = f"flow: f\nstart: a\nfallback: '{fallback}'\nnodes: {{a: {{transitions: [{{at: before, when: errors > 0, to: a}}]}}}}"
    made = talk(flow)
    assert made.chat.start().text == ""
    turn = made.chat.say("hello")
    assert turn.text == text
    assert [warning.code for warning in turn.warnings] == ["silent_turn"]
    turn = made.chat.choose("nothing", position=1)
    assert [warning.code for warning in turn.warnings] == ["stale_button"]
