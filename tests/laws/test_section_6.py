"""Section 6 of the law of a turn, as far as this version has it: a flow changed under live conversations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.json import encode

from support.chats import NOON_MS, flow_of, machine_of, sets, talk
from support.stored import INTAKE, stored
from turnwise.archive.migrating import MigrationOutcome
from turnwise.core.link import link
from turnwise.core.migration import Renaming, difference
from turnwise.core.migration.carry import carry_state
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.errors import TurnwiseError
from turnwise.runner.clocks import ManualClock
from turnwise.runner.ports import Commit

pytestmark = pytest.mark.law("6.8")

OLD = machine_of(INTAKE)
NEW = {
    "as it was": INTAKE,
    "other words": INTAKE.replace("How old are you?", "Your age, please?").replace("Goodbye", "Bye"),
    "another guard": INTAKE.replace("user.age < 18", "user.age < 21"),
    "a transition more": INTAKE.replace(
        "- {id: young,", "- {id: odd, at: before, when: user.age == 99, to: served}\n      - {id: young,"
    ),
    "a node more": INTAKE + "  more: {say: More., end: more}\n",
    "an option more": INTAKE.replace("Basic, Plus, Gone", "Basic, Plus, Gone, New"),
    "another node": INTAKE.replace("\n  ask:", "\n  questions:").replace("start: ask", "start: questions"),
    "another field": INTAKE.replace("name:", "called:").replace("user.name", "user.called"),
    "no question": INTAKE.replace('        - {field: user.age, ask: "How old are you?"}\n', ""),
    "another type": INTAKE.replace("name: {type: string}", "name: {type: email}"),
    "an option less": INTAKE.replace("Basic, Plus, Gone", "Basic, Plus"),
    "other bounds": INTAKE.replace("max: 120", "max: 30"),
    "a question more": INTAKE.replace("name: {type: string}", "name: {type: string}\n    town: {type: string}").replace(
        '        - {field: user.plan, ask: "Which plan?"}',
        '        - {field: user.plan, ask: "Which plan?"}\n        - {field: user.town, ask: "Where do you live?"}',
    ),
    "no confirmation": INTAKE.replace("      confirm: {}\n", ""),
    "no form": INTAKE.replace(
        INTAKE[INTAKE.index("    form:") : INTAKE.index("    transitions:")], "    prompt: Ask.\n"
    ),
    "no timer": INTAKE.replace("      - {id: reminder, at: timer, in: 30m, to: refused}\n", ""),
    "no planned move": INTAKE.replace(", once: bye", ", end: served"),
}
ASKS, CONFIRMS, SERVED = ("hello", "Ada"), ("hello", "Ada", "40", "Gone"), ("hello", "Ada", "40", "Gone", "yes")

FITS: list[tuple[str, tuple[str, ...], str, str]] = [
    # the new version, what was said, the verdict of the conversation, a part of the reason
    *(
        (name, said, "compatible", "")
        for name in ("as it was", "other words", "another guard")
        for said in (ASKS, CONFIRMS, SERVED)
    ),
    *(
        (name, said, "compatible", "")
        for name in ("a transition more", "a node more", "an option more")
        for said in (ASKS, CONFIRMS)
    ),
    ("another node", ASKS, "needs_mapping", "there is no node 'ask'"),
    ("another node", SERVED, "compatible", ""),
    ("another field", ("hello",), "needs_mapping", "the question for 'user.name' is gone"),
    ("another field", ASKS, "needs_mapping", "'user.name' has a value, and there is no field 'user.name'"),
    ("no question", ASKS, "needs_mapping", "the question for 'user.age' is gone"),
    ("no question", CONFIRMS, "compatible", ""),
    ("another type", ("hello",), "compatible", ""),
    ("another type", ASKS, "must_finish", "'user.name' does not take 'Ada'"),
    ("an option less", ASKS, "compatible", ""),
    ("an option less", CONFIRMS, "must_finish", "'user.plan' does not take 'Gone'"),
    ("other bounds", ASKS, "compatible", ""),
    ("other bounds", CONFIRMS, "must_finish", "'user.age' does not take 40"),
    ("a question more", ASKS, "compatible", ""),
    ("a question more", CONFIRMS, "must_finish", "'user.town' would have to be asked first"),
    ("a question more", SERVED, "compatible", ""),
    ("no confirmation", ASKS, "compatible", ""),
    ("no confirmation", CONFIRMS, "must_finish", "the form does not ask for that any more"),
    ("no form", ASKS, "must_finish", "'ask' has no form any more"),
    ("no timer", ASKS, "must_finish", "the timer 'reminder' is armed, and is gone"),
    ("no planned move", ASKS, "compatible", ""),
    ("no planned move", SERVED, "must_finish", "the move by 'once_bye' was planned, and is gone"),
]
NODES: list[tuple[str, str, str]] = [
    # the new version, the verdict of the node that asks, a part of the reason
    *(
        (name, "compatible", "")
        for name in ("as it was", "other words", "another guard", "a transition more", "a node more")
    ),
    ("another node", "needs_mapping", "there is no node 'ask'"),
    ("another field", "needs_mapping", "the question for 'user.name' is gone"),
    ("no question", "needs_mapping", "the question for 'user.age' is gone"),
    ("another type", "must_finish", "'user.name': it was a string and is a email"),
    ("an option less", "must_finish", "'user.plan': Gone is no option any more"),
    ("other bounds", "must_finish", "'user.age': its bounds are others"),
    ("a question more", "must_finish", "answers that are being confirmed lack 'user.town'"),
    ("no confirmation", "must_finish", "answers that are being confirmed would not be any more"),
    ("no form", "must_finish", "it has no form any more"),
    ("no timer", "must_finish", "the timer 'reminder' may be armed, and is gone"),
]


def talked(path: Path, said: tuple[str, ...], conversation: str = "main") -> None:
    with stored(path) as chat:
        for line in said:
            chat.app.chat(conversation).say(line)


@pytest.mark.parametrize(("name", "said", "fit", "reason"), FITS)
def test_a_conversation_is_moved_or_told_why_not(
    tmp_path: Path, name: str, said: tuple[str, ...], fit: str, reason: str
) -> None:
    talked(tmp_path / "x.db", said)
    with stored(tmp_path / "x.db", NEW[name]) as chat:
        before, journal = chat.state(), chat.journal()
        dry = chat.migrate(dry_run=True)
        assert (chat.state(), chat.journal()) == (before, journal), "a dry run writes nothing"
        done = chat.migrate()
        if name == "as it was":
            assert [waiting.outcome for waiting in done.conversations] == ["current"]
            assert chat.state() == before
            return
        (told,) = dry.conversations
        assert told.outcome == fit
        assert reason in "; ".join(one.text for one in told.reasons)
        assert bool(told.reasons) == (fit != "compatible")
        assert done.conversations == (
            MigrationOutcome("main", told.outcome, before.node, told.reasons, fit == "compatible"),
        )
        if fit != "compatible":
            assert (chat.state(), chat.journal()) == (before, journal)
            assert chat.say("hm").state.fingerprint == OLD.fingerprint, "it goes on with its own version"
            return
        moved = chat.state()
        assert (moved.fingerprint, moved.seq, moved.turn) == (
            chat.machine.fingerprint,
            before.seq + 1,
            before.turn + 1,
        )
        assert moved.values == before.values
        assert isinstance(chat.journal()[-1].event, e.Migrated)
        assert chat.migrate().counts == {"current": 1}
        assert chat.replay()
        assert chat.say("hm").refused is None
        assert chat.rerun().agrees


@pytest.mark.parametrize(("name", "fit", "reason"), NODES)
def test_documents_are_compared_node_by_node(name: str, fit: str, reason: str) -> None:
    found = difference(OLD, machine_of(NEW[name]))
    parts = {part.name: part for part in found.nodes}
    assert list(parts) == ["ask", "refused", "served", "bye"]
    assert parts["ask"].fit == fit
    assert reason in "; ".join(one.text for one in parts["ask"].reasons)
    assert parts["refused"].fit == parts["bye"].fit == "compatible"


def test_what_can_happen_to_a_conversation_is_never_better_than_what_the_documents_say() -> None:
    order = ["compatible", "needs_mapping", "must_finish"]
    by_node = {name: difference(OLD, machine_of(text)) for name, text in NEW.items()}
    for name, _, fit, _ in FITS:
        assert order.index(fit) <= order.index(by_node[name].fit), name


def test_fields_are_compared_and_what_is_new_is_named() -> None:
    found = difference(OLD, machine_of(NEW["a question more"]))
    assert found.new_fields == ("user.town",)
    assert difference(OLD, machine_of(NEW["a node more"])).new_nodes == ("more",)
    found = difference(OLD, machine_of(NEW["another field"]))
    assert [(part.name, part.fit) for part in found.fields if part.reasons] == [("user.name", "needs_mapping")]


# with new names ------------------------------------------------------------------------------------


RENAMED = [
    ("another node", Renaming(nodes={"ask": "questions"}), "questions", {"user.name": "Ada"}),
    ("another field", Renaming(fields={"user.name": "user.called"}), "ask", {"user.called": "Ada"}),
    ("another type", Renaming(fields={"user.name": ""}), "ask", {}),
]


@pytest.mark.parametrize(("name", "renaming", "node", "values"), RENAMED)
def test_a_mapping_moves_what_needs_one(
    tmp_path: Path, name: str, renaming: Renaming, node: str, values: dict[str, Any]
) -> None:
    talked(tmp_path / "x.db", ASKS)
    with stored(tmp_path / "x.db", NEW[name]) as chat:
        told = [encode(chat.explain(turn=number)) for number in (1, 2)]
        assert chat.migrate().moved == 0
        assert chat.migrate(renaming).moved == 1
        state = chat.state()
        assert state.node == node
        assert {address: found.value for address, found in state.values.items()} == values
        assert state.timers[0].node == node
        assert [encode(chat.explain(turn=number)) for number in (1, 2)] == told, (
            "older turns are told by the older flow"
        )
        assert chat.say("40").state.values["user.age"].value == 40
        assert chat.explain(turn=4)[0].node == node
        assert chat.rerun().agrees
        assert difference(OLD, chat.machine, renaming).nodes[0].fit in ("compatible", "must_finish")


def test_new_names_must_be_there(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db") as chat:
        for renaming, reason in (
            (Renaming(nodes={"ask": "question"}), "'ask' would be 'question', which no node is called"),
            (Renaming(nodes={"ask": ""}), "which no node is called"),
            (Renaming(fields={"user.name": "user.nam"}), "which no field is called; did you mean 'user.name'?"),
        ):
            with pytest.raises(TurnwiseError) as refused:
                chat.migrate(renaming)
            assert reason in str(refused.value)


def test_two_values_do_not_go_to_one_field(tmp_path: Path) -> None:
    talked(tmp_path / "x.db", CONFIRMS)
    with stored(tmp_path / "x.db", NEW["other words"]) as chat:
        (told,) = chat.migrate(Renaming(fields={"user.plan": "user.name"}), dry_run=True).conversations
        assert "two values would go to 'user.name'" in [one.text for one in told.reasons]


# what is left alone --------------------------------------------------------------------------------


def test_conversations_of_other_flows_those_that_ended_and_those_under_way_are_left_alone(tmp_path: Path) -> None:
    talked(tmp_path / "x.db", ("hello", "Ada", "12"), "ended")
    talked(tmp_path / "x.db", ASKS, "waits")
    talked(tmp_path / "x.db", ASKS, "busy")
    with stored(tmp_path / "x.db", INTAKE.replace("flow: intake", "flow: other")) as chat:
        chat.app.chat("elsewhere").say("hello")

    async def begin(store: Any, state: Any) -> None:
        from turnwise.core.step import step

        await store.commit("busy", Commit(step(OLD, state, e.UserSaid("what about my friend"), NOON_MS).entries))

    with stored(tmp_path / "x.db", NEW["other words"]) as chat:
        chat.app.loop.wait(begin(chat.runtime.store, chat.app.chat("busy").state()))
        states = {name: chat.app.chat(name).state() for name in ("ended", "busy", "elsewhere")}
        done = chat.app.migrate()
        assert done.counts == {"ended": 1, "compatible": 1, "busy": 1}
        assert done.by_node() == {"refused": {"ended": 1}, "ask": {"compatible": 1, "busy": 1}}
        assert done.moved == 1
        assert {name: chat.app.chat(name).state() for name in states} == states
        chat.app.chat("busy").say("40")
        assert chat.app.chat("busy").migrate().moved == 1


def test_the_flow_stays_where_older_conversations_began_with_it(tmp_path: Path) -> None:
    talked(tmp_path / "x.db", ASKS)
    with stored(tmp_path / "x.db", NEW["an option less"]) as chat:
        assert chat.say("40").state.fingerprint == OLD.fingerprint
        assert [button.value for button in chat.say("help").buttons] == ["Basic", "Plus", "Gone"]
        assert chat.app.chat("new").say("hello").state.fingerprint == chat.machine.fingerprint


def test_undo_does_not_go_back_past_a_migration(tmp_path: Path) -> None:
    talked(tmp_path / "x.db", CONFIRMS)
    with stored(tmp_path / "x.db", NEW["other words"]) as chat:
        chat.migrate()
        assert chat.undo().text.startswith("There is nothing to undo")
        chat.say("edit")
        chat.undo()
        assert chat.state().frame.form.status == "awaiting_confirmation"
        assert chat.undo(to=2).text.startswith("There is nothing to undo")
        assert chat.state().fingerprint == chat.machine.fingerprint
        assert chat.rerun().agrees


def test_timers_and_planned_moves_go_on(tmp_path: Path) -> None:
    clock = ManualClock(NOON_MS)
    for name, said in (("waits", ASKS), ("served", SERVED)):
        talked(tmp_path / "x.db", said, name)
    new = NEW["another node"]
    with stored(tmp_path / "x.db", new, clock=clock) as chat:
        assert chat.app.migrate(Renaming(nodes={"ask": "questions"})).moved == 2
        clock.move_s(1800)
        assert chat.app.tick() == 1
        assert chat.app.chat("waits").state().status.outcome == "refused"
        assert chat.app.chat("served").say("thanks").text == "Goodbye."


def test_an_enter_when_that_was_judged_does_not_pull_back_after_a_migration() -> None:
    flow = """
flow: pull
start: a
records: {user: {vip: {type: boolean}}}
nodes:
  a: {say: A., transitions: [{id: leave, at: tool, when: tools.used("leave"), to: b}]}
  b: {say: B., transitions: [{at: timer, in: 1h, to: a}]}
  lounge: {say: Lounge., enter_when: user.vip, transitions: [{id: out, at: tool, when: tools.used("leave"), to: b}]}
tools: {leave: {about: leave}}
"""
    from support.chats import talk

    of = talk(flow)
    of.chat.start()
    assert of.chat.commands(sets(user__vip=True)).state.node == "lounge"
    state = of.chat.tool_used("leave").state
    assert state.node == "b"
    for text, is_kept in (
        (flow.replace("Lounge.", "The lounge."), True),
        (flow.replace("enter_when: user.vip", "enter_when: has(user.vip)"), False),
    ):
        moved = carry_state(machine_of(text), state, old=machine_of(flow)).state
        assert ("lounge" in moved.judged) == is_kept
    assert carry_state(machine_of(flow), state).state.judged == {}


def test_a_new_version_may_say_another_language() -> None:
    flow = flow_of(INTAKE + "language: de\n")
    from support.chats import talk

    state = talk(INTAKE).chat.start().state
    assert carry_state(link(flow), state).state.language == "de"


# scopes that a model understands -------------------------------------------------------------------


@pytest.mark.law("6.1")
def test_a_model_is_told_what_a_user_may_begin_and_its_understanding_opens_it() -> None:
    flow = """
    flow: f
    start: a
    commands: [{start: [survey]}]
    records: {r: {mood: string}}
    nodes:
      a: {prompt: Talk.}
      survey: {scope: {returns: r}, form: {fields: [{field: r.mood, ask: "How is it?"}]}}
    """
    made = talk(flow, understand=[[c.Start(target="survey")]], model=["Hello."])
    made.chat.start()
    turn = made.chat.say("I would like to give feedback")
    assert made.understanding.calls[0][1].starts == ("survey",)
    assert (turn.node, turn.text) == ("survey/form", "How is it?")
    opened = next(one for one in turn.events if isinstance(one, e.ScopeOpened))
    assert (opened.scope, opened.by) == ("survey", "user")
