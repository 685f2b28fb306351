"""A person takes over (law 6.10): by a node, because the user asks, or by their own act; and the way back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support.chats import NOON_MS, Talk, machine_of, names, problems_of, scripted_chat, talk
from turnwise.core.migration.carry import carry_state
from turnwise.core.replay import rerun
from turnwise.core.state import Person
from turnwise.core.state import events as e
from turnwise.core.state.commands import HandOver, Set
from turnwise.core.state.retention import Retention
from turnwise.errors import ProviderFailed
from turnwise.models.scripted import call
from turnwise.runner.result import Turn

pytestmark = pytest.mark.law("6.10")

SUPPORT = """
flow: support
start: ask
records:
  case:
    topic: string
    code: {type: integer, min: 1, max: 99}
    agreed: boolean
nodes:
  ask:
    say: What is it about?
    transitions: [{at: before, when: 'message.text == "human"', to: desk}]
  desk:
    person: {queue: billing, about: "case {{case.topic}}", timeout: 5m}
    transitions:
      - {id: solved, when: person.outcome == "solved", to: done}
      - {id: nobody, when: person.outcome == "timeout", to: sorry}
      - {id: known, when: case.code > 3, to: coded}
  done: {say: Thank you., end: solved}
  sorry: {say: Nobody was there., end: lost}
  coded: {say: "The code is {{case.code}}.", end: coded}
"""
INTAKE = """
flow: intake
start: form
commands: [hand_over]
person: {queue: intake, timeout: 10m}
records:
  user:
    name: string
    age: {type: integer, min: 0, max: 120, validate: user.age != 13, refuse: Not thirteen.}
    terms: boolean
nodes:
  form:
    form:
      fields:
        - {field: user.name, ask: Your name?}
        - {field: user.age, ask: Your age?}
        - {field: user.terms, ask: Do you agree?}
    transitions: [{when: form.status == "confirmed", to: end}]
  end: {say: "Welcome, {{user.name}}.", end: welcome}
"""
PROMPTED = """
flow: prompted
start: introduction
commands: [hand_over]
person: {queue: intake}
records:
  user: {name: string, terms: boolean}
nodes:
  introduction:
    prompt: Greet the user.
    collect: [user.name, user.terms]
    transitions: [{id: complete, when: user.terms, because: the terms are accepted, to: profiler}, {id: odd, when: user.name == "x", to: profiler}]
  profiler: {prompt: Ask for the profile.}
"""


def kinds(turn: Turn) -> list[str]:
    """The names of the events of a turn."""
    return [type(event).__name__ for event in turn.events]


def at_desk() -> Talk:
    """A conversation that waits for a person, as the work of a node."""
    made = talk(SUPPORT)
    made.chat.start()
    made.set(case__topic="a refund")
    assert made.chat.say("human").node == "desk"
    return made


def again(made: Talk) -> None:
    """The journal folds to the stored state, and running it again writes the same."""
    assert made.chat.replay()
    journal = made.chat.journal()
    assert rerun(made.chat.chat.machine, journal) == journal
    assert made.chat.rerun().agrees


def expire(made: Talk) -> int:
    """Fire the timers that are due; how many did."""
    due = [timer for timer in made.chat.state().timers if timer.due_ms <= made.clock.now_ms()]
    for timer in due:
        made.chat.fire(timer.transition, visit=timer.visit)
    return len(due)


# a node whose work is a person ---------------------------------------------------------------------


def test_a_node_waits_for_a_person() -> None:
    """It says so, and the state has the queue, what it is about, and when the wait ends."""
    made = at_desk()
    turn = made.chat.turn()
    assert turn.person == Person("billing", NOON_MS, "case a refund", NOON_MS + 300_000, is_work=True)
    assert turn.state.status.what == "person"
    assert "One moment: I am getting a person for you." in turn.text
    again(made)


def test_while_it_waits_messages_are_passed_on() -> None:
    """They are events, nothing is understood, and the reply says that they were passed on."""
    made = at_desk()
    turn = made.chat.say("hello?")
    assert kinds(turn) == ["UserSaid", "Decided", "Said", "TurnEnded"]
    assert turn.text == "I have passed that on. A person will answer you here."
    assert turn.note == "not interpreted while a person is awaited"
    again(made)


def test_a_person_takes_over_answers_and_gives_back() -> None:
    """The node's work is done with the outcome, and `after` is judged with it."""
    made = at_desk()
    made.clock.move_s(40)
    turn = made.chat.take_over("Lena", reason="on shift")
    assert turn.person.operator == "Lena"
    assert turn.person.taken_ms == NOON_MS + 40_000
    assert turn.text == ""
    assert made.chat.operator_say("Hello, I am Lena.").operator_said[0] == e.OperatorSaid("Hello, I am Lena.", "Lena")
    turn = made.chat.say("hi Lena")
    assert kinds(turn) == ["UserSaid", "TurnEnded"]
    assert turn.note == "not interpreted while a person is in charge"
    turn = made.chat.give_back("solved", reason="refunded")
    assert turn.outcome == "solved"
    assert turn.text == "Thank you."
    assert turn.taken == ("solved",)
    assert turn.person is None
    again(made)


def test_values_that_the_person_set_decide() -> None:
    """They pass the same validators, and have the person as their origin."""
    made = at_desk()
    made.chat.take_over("Lena")
    turn = made.chat.give_back("noted", set={"case.code": 7, "case.topic": None})
    assert turn.outcome == "coded"
    assert turn.state.values["case.code"].how == "operator"
    assert "case.topic" not in turn.state.values
    again(made)


def test_a_refused_value_keeps_the_person_in_charge() -> None:
    """Nothing is given back until every value is accepted."""
    made = at_desk()
    made.chat.take_over("Lena")
    turn = made.chat.give_back("noted", set={"case.code": 700})
    assert turn.refused == "value_refused"
    assert turn.refusal == "case.code: That is more than 99."
    assert turn.person.operator == "Lena"
    assert made.chat.give_back(set={"case.cod": 7}).refused == "unknown_field"
    again(made)


def test_a_person_takes_over_from_another() -> None:
    """Only from the one who is in charge, who then cannot speak or give back any more."""
    made = at_desk()
    assert made.chat.take_over("Mara", instead_of="Lena").refused == "no_person"
    made.chat.take_over("Lena")
    assert made.chat.take_over("Mara").refused == "taken_over"
    assert made.chat.take_over("Mara", instead_of="Ines").refused == "taken_over"
    assert made.chat.take_over("", instead_of="Lena").refused == "arguments"
    made.clock.move_s(60)
    turn = made.chat.take_over("Mara", instead_of="Lena", reason="her shift is over")
    assert (turn.person.operator, turn.person.reason) == ("Mara", "her shift is over")
    assert turn.person.taken_ms == made.clock.now_ms()
    assert made.chat.operator_say("Still here", operator="Lena").refused == "taken_over"
    assert made.chat.give_back(operator="Lena").refused == "taken_over"
    assert made.chat.give_back("solved", operator="Mara").outcome == "solved"
    again(made)


def test_a_person_takes_a_transition_by_name() -> None:
    """Whatever its guard says; the decision records who chose it and why."""
    made = at_desk()
    made.chat.take_over("Lena")
    assert made.chat.give_back(transition="solve").refused == "unknown_transition"
    turn = made.chat.give_back("other", transition="known", reason="the code is on paper")
    assert turn.outcome == "coded"
    [decision] = [one for one in turn.decisions if one.operator]
    assert (decision.operator, decision.reason, decision.taken) == ("Lena", "the code is on paper", "known")
    assert decision.line == "desk → coded by known; chosen by Lena, a person: the code is on paper"
    assert decision.candidate("known").verdict.verdict == "unknown"
    again(made)


def test_a_person_ends_the_conversation() -> None:
    """With an outcome of their own."""
    made = at_desk()
    made.chat.take_over("Lena")
    assert made.chat.give_back(transition="known", end="x").refused == "arguments"
    turn = made.chat.give_back(end="closed", reason="spam")
    assert turn.outcome == "closed"
    assert made.chat.take_over("Lena").refused == "conversation_ended"
    again(made)


# nobody comes --------------------------------------------------------------------------------------


def test_nobody_comes_and_the_node_goes_on() -> None:
    """The flow's text is said, and `person.outcome` is `timeout`."""
    made = at_desk()
    made.clock.move_s(299)
    assert expire(made) == 0
    made.chat.say("anyone?")
    made.clock.move_s(1)
    assert expire(made) == 1
    turn = made.chat.turn()
    assert turn.said[0].text == "I am sorry, nobody is available right now. Let us go on here."
    assert turn.outcome == "lost"
    again(made)


def test_a_timer_transition_comes_before_the_text() -> None:
    """One without `in` has the wait as its delay; one that stays waits as long again."""
    flow = SUPPORT.replace(
        "      - {id: solved,",
        '      - {id: patient, at: timer, when: visits("desk") == 1 && errors == 9, stay: true}\n'
        "      - {id: late, at: timer, to: sorry}\n      - {id: solved,",
    )
    made = talk(flow)
    made.chat.start()
    made.chat.say("human")
    made.clock.move_s(300)
    assert expire(made) == 1
    turn = made.chat.turn()
    assert turn.taken == ("late",)
    assert turn.text == "Nobody was there."
    again(made)
    made = talk(flow.replace(" && errors == 9", ""))
    made.chat.start()
    made.chat.say("human")
    made.clock.move_s(300)
    assert expire(made) == 1
    assert made.chat.turn().person.due_ms == NOON_MS + 600_000
    assert expire(made) == 0
    again(made)


def test_a_timer_of_its_own_fires_meanwhile() -> None:
    """And none fires while a person is in charge."""
    flow = SUPPORT.replace(
        "      - {id: solved,", "      - {id: soon, at: timer, in: 1m, to: sorry}\n      - {id: solved,"
    )
    made = talk(flow)
    made.chat.start()
    made.chat.say("human")
    made.chat.take_over("Lena")
    made.clock.move_s(600)
    assert expire(made) == 0
    assert made.chat.fire("soon").warnings[0].code == "late"
    turn = made.chat.give_back("x")
    assert [timer.transition for timer in turn.state.timers] == ["soon"]
    again(made)


# the user asks for a person ------------------------------------------------------------------------


def test_the_user_asks_for_a_person_in_a_form() -> None:
    """The form waits; afterwards it goes on with its question, and does not ask what was set."""
    made = talk(INTAKE, understand=[(Set(field="user.name", value="Ada"),)])
    made.chat.start()
    made.chat.say("Ada")
    turn = made.chat.say("talk to a human")
    assert turn.person.queue == "intake"
    assert turn.state.frame.form.status == "collecting"
    assert [one.data["to"] for one in turn.artefacts if one.kind == "HANDOFF"] == ["intake"]
    made.chat.take_over("Lena")
    assert made.chat.give_back(set={"user.age": 13}).refusal == "user.age: Not thirteen."
    turn = made.chat.give_back(set={"user.age": 40})
    assert turn.text == "Do you agree?"
    assert made.chat.say("yes").outcome == "welcome"
    again(made)


def test_a_form_that_the_person_completes_is_complete() -> None:
    """Its way out is taken in the turn that gives back."""
    made = talk(INTAKE)
    made.chat.start()
    made.chat.take_over("Lena")
    turn = made.chat.give_back(set={"user.name": "Ada", "user.age": 40, "user.terms": True})
    assert turn.outcome == "welcome"
    again(made)


def test_nobody_comes_and_the_form_goes_on() -> None:
    """It says so, and asks its question again; a message meanwhile is no answer."""
    made = talk(INTAKE, understand=[(Set(field="user.name", value="Ada"),)])
    made.chat.start()
    made.chat.say("talk to a human")
    assert made.chat.say("Ada").value("user.name") is None
    made.clock.move_s(600)
    assert expire(made) == 1
    assert made.chat.turn().text == "I am sorry, nobody is available right now. Let us go on here.\n\nYour name?"
    assert made.chat.say("Ada").text == "Your age?"
    again(made)


def test_without_a_person_the_form_is_handed_off() -> None:
    """A flow without `person:` only tells its host, as before."""
    made = talk(INTAKE.replace("person: {queue: intake, timeout: 10m}\n", ""), understand=[(HandOver(),)])
    made.chat.start()
    turn = made.chat.say("talk to a human")
    assert turn.person is None
    assert turn.state.frame.form.status == "handed_off"


def test_no_model_is_called_until_the_person_gives_back() -> None:
    """Then the model sees both sides, and who spoke; what was agreed leads on first."""
    made = talk(PROMPTED, understand=[(), (HandOver(),)], model=["Do you agree?", "What do you do?"])
    made.chat.say("hello")
    turn = made.chat.say("can I talk to a person, please?")
    assert turn.person.queue == "intake"
    made.chat.take_over("Lena")
    made.chat.operator_say("What troubles you?")
    made.chat.say("that you keep my answers")
    assert len(made.model.calls) == 1
    turn = made.chat.give_back(set={"user.terms": True})
    assert turn.taken == ("complete",)
    assert turn.node == "profiler"
    assert turn.text == "What do you do?"
    [_, request] = made.model.calls
    assert [(one.role, one.text) for one in request.transcript][-4:] == [
        ("user", "can I talk to a person, please?"),
        ("agent", "One moment: I am getting a person for you."),
        ("agent", "[Lena, a person:] What troubles you?"),
        ("user", "that you keep my answers"),
    ]
    assert any("A person was in charge" in part for part in request.instructions)
    again(made)


def test_the_interrupted_node_goes_on_with_its_question() -> None:
    """Where nothing leads on, the model speaks there again."""
    made = talk(PROMPTED, understand=[()], model=["Do you agree?", "So, do you agree?"])
    made.chat.say("hello")
    made.chat.take_over("Lena")
    turn = made.chat.give_back()
    assert turn.node == "introduction"
    assert turn.text == "So, do you agree?"
    again(made)


# who has it ----------------------------------------------------------------------------------------


def test_two_operators_cannot_have_one_conversation() -> None:
    """The refusal names who has it; nobody speaks without taking over."""
    made = at_desk()
    assert made.chat.operator_say("hello").refused == "no_person"
    assert made.chat.give_back().refused == "no_person"
    assert made.chat.take_over("  ").refused == "arguments"
    made.chat.take_over("Lena")
    turn = made.chat.take_over("Max")
    assert (turn.refused, turn.refusal) == ("taken_over", "Lena has taken this conversation over already")
    assert made.chat.operator_say("hello", operator="Max").refused == "taken_over"
    assert made.chat.on("other").take_over("Lena").refused == "unknown_conversation"
    again(made)


def test_a_key_counts_once() -> None:
    """Taking over, speaking and giving back are events as all others."""
    made = at_desk()
    for act in (lambda: made.chat.take_over("Lena", key="1"), lambda: made.chat.operator_say("Hi.", key="2")):
        assert not act().is_duplicate
        assert act().is_duplicate
    assert made.chat.give_back("solved", key="3").outcome == "solved"
    assert made.chat.give_back("solved", key="3").is_duplicate


def test_the_queue_lists_who_waits_and_who_has_a_person() -> None:
    """The longest wait first, from the states of the store."""
    made = at_desk()
    made.clock.move_s(1)
    other = made.chat.on("other")
    other.start()
    other.take_over("Lena", reason="a look")
    found = made.chat.queue()
    assert [(one.conversation, one.node, one.person.queue, one.person.operator) for one in found] == [
        ("main", "desk", "billing", ""),
        ("other", "ask", "", "Lena"),
    ]
    other.give_back()
    assert [one.conversation for one in made.chat.queue()] == ["main"]


# what else may happen ------------------------------------------------------------------------------


def test_an_undo_brings_the_wait_back_with_the_time_that_was_left() -> None:
    """Undoing the taking over leaves the conversation waiting in the queue."""
    made = at_desk()
    made.clock.move_s(60)
    made.chat.take_over("Lena")
    made.clock.move_s(60)
    turn = made.chat.undo()
    assert turn.person == Person("billing", NOON_MS, "case a refund", NOON_MS + 420_000, is_work=True)
    assert [timer.due_ms for timer in turn.state.timers] == [NOON_MS + 420_000]
    again(made)


def test_a_fork_and_an_export_keep_the_person() -> None:
    """In the copy the person is in charge too."""
    made = at_desk()
    made.chat.take_over("Lena")
    made.chat.fork("copy")
    assert made.chat.on("copy").give_back("solved").outcome == "solved"
    asyncio.run(made.chat.app.import_(made.chat.export(), "imported"))  # it reads the file in a thread
    assert made.chat.on("imported").state().person.operator == "Lena"


def test_values_of_the_host_are_set_while_a_person_is_in_charge() -> None:
    """Nothing is judged for them until the person gives back."""
    made = at_desk()
    made.chat.take_over("Lena")
    turn = made.set(case__code=9)
    assert turn.node == "desk"
    assert not turn.decisions
    assert made.chat.give_back("x").outcome == "coded"
    again(made)


def test_a_record_may_be_called_person() -> None:
    """A field `outcome` of such a record wins over the root."""
    flow = """
    flow: f
    start: a
    records:
      person: {name: string, outcome: string}
    nodes:
      a: {say: Hi., transitions: [{when: person.outcome == "x", end: x}, {at: before, when: person.name == "y", end: y}]}
    """
    assert problems_of(flow) == []
    made = talk(flow)
    made.chat.start()
    assert made.chat.commands([Set(field="person.outcome", value="x")]).outcome == "x"


@pytest.mark.parametrize(
    ("person", "problem"),
    [
        ("{queue: ''}", "a person's 'queue' is empty"),
        ("{queue: a, timeout: 0s}", "a person needs time to come"),
    ],
)
def test_a_person_without_queue_or_time_is_no_work(person: str, problem: str) -> None:
    """The flow is refused."""
    flow = f"flow: f\nstart: a\nnodes:\n  a: {{person: {person}}}\n"
    assert any(problem in one for one in problems_of(flow))


def test_the_short_form_names_the_queue() -> None:
    """The wait has the limit of the flow, ten minutes where it declares none."""
    machine: Any = machine_of("flow: f\nstart: a\nnodes:\n  a: {person: desk}\n")
    assert (machine.nodes["a"].person.queue, machine.nodes["a"].person.timeout_ms) == ("desk", 600_000)
    machine = machine_of("flow: f\nstart: a\nlimits: {person_wait: 2h}\nnodes:\n  a: {person: {}}\n")
    assert (machine.nodes["a"].person.queue, machine.nodes["a"].person.timeout_ms) == ("human", 7_200_000)


# with other parts of a flow ------------------------------------------------------------------------


def test_a_call_that_waits_for_consent_is_asked_for_again() -> None:
    """The user's yes to a person is no yes to the call."""
    flow = """
    flow: f
    start: a
    tools: {book: {kind: effect, confirm: true, about: book a table}}
    nodes: {a: {prompt: A., tools: {allow: [book]}}}
    """
    made = talk(flow, model=[call("book"), "It failed, it seems."])
    assert "Shall I do this" in made.chat.say("book it").text
    made.chat.take_over("Lena")
    assert made.chat.say("yes").text == ""
    turn = made.chat.give_back()
    assert "Shall I do this: book a table?" in turn.text
    assert turn.state.status.what == "button"
    turn = made.chat.choose("affirm")
    assert "tool_failed" in names(turn)
    again(made)


def test_an_autonomous_run_waits_for_the_person_and_goes_on() -> None:
    """The work of a node in the middle of a run may be a person."""
    flow = """
    flow: f
    start: a
    autonomous: true
    nodes:
      a: {prompt: A., transitions: [{to: desk}]}
      desk: {person: {queue: desk}, transitions: [{to: b}]}
      b: {prompt: B., transitions: [{end: done}]}
    """
    made = scripted_chat(flow, replies=["First.", "Last."])
    with made:
        turns = made.run()
        assert turns[-1].person.queue == "desk"
        made.take_over("Lena")
        turn = made.following(made.give_back("go"))[-1]
        assert turn.outcome == "done"
        assert made.rerun().agrees


def test_a_planned_move_is_not_taken_by_a_person() -> None:
    """The interrupted node says its words again; the next message takes the planned move."""
    flow = "flow: f\nstart: a\nnodes:\n  a: {prompt: A., once: b}\n  b: {prompt: B.}\n"
    made = talk(flow, model=["First.", "Again.", "Second."])
    made.chat.say("hello")
    made.chat.take_over("Lena")
    assert made.chat.give_back().text == "Again."
    turn = made.chat.say("hello")
    assert (turn.node, turn.text) == ("b", "Second.")
    again(made)


def test_a_person_takes_over_after_a_failure() -> None:
    """The machine tries again when the person gives back."""
    made = talk("flow: f\nstart: a\nnodes: {a: {prompt: A.}}\n", model=[ProviderFailed("down"), "Here I am."])
    assert made.chat.say("hello").status == "failed"
    assert made.chat.take_over("Lena").status == "waiting"
    assert made.chat.give_back().text == "Here I am."
    again(made)


def test_an_undo_of_the_way_back_leaves_the_person_in_charge() -> None:
    """What was set is taken back too."""
    made = at_desk()
    made.chat.take_over("Lena")
    made.chat.give_back("x", set={"case.code": 2})
    turn = made.chat.undo()
    assert turn.person.operator == "Lena"
    assert turn.value("case.code") is None
    assert made.chat.say("hello").text == ""
    again(made)


def test_a_value_of_the_person_may_open_another_node() -> None:
    """`before` is judged with it, also the `enter_when` of another node."""
    flow = INTAKE.replace(
        "  end: {say:", "  minor: {say: You are too young., enter_when: user.age < 18, end: minor}\n  end: {say:"
    )
    made = talk(flow)
    made.chat.start()
    made.chat.take_over("Lena")
    turn = made.chat.give_back(set={"user.age": 12})
    assert (turn.outcome, turn.taken[0]) == ("minor", "enter_minor")
    again(made)


def test_a_ladder_ends_at_a_person() -> None:
    """`then: hand_over` waits for one too."""
    flow = INTAKE.replace(
        "{field: user.age, ask: Your age?}", "{field: user.age, ask: Your age?, rephrase: [Years?], then: hand_over}"
    )
    made = talk(flow, understand=[(Set(field="user.name", value="Ada"),), (), (), ()])
    made.chat.start()
    for text in ("Ada", "well", "hm"):
        turn = made.chat.say(text)
    assert turn.person is not None
    assert turn.state.frame.form.status == "collecting"
    again(made)


def test_what_giving_back_would_do_is_known_without_doing_it() -> None:
    """A dry run has the moves, the values and the refusals."""
    made = at_desk()
    made.chat.take_over("Lena")
    found = made.chat.dry_run(e.GivenBack("x", {"case.code": 7}))
    assert (found.moves, found.values) == (("known",), {"case.code": 7})
    assert made.chat.dry_run(e.GivenBack("x", {"case.code": 700})).refused == "value_refused"
    assert made.chat.state().person.operator == "Lena"


def test_retention_erases_the_words_of_a_person_too() -> None:
    """The person stays in charge, and in the queue."""
    made = at_desk()
    made.chat.take_over("Lena")
    made.chat.operator_say("Secret words.")
    made.clock.move_s(3 * 86_400)
    made.chat.say("still there?")
    made.chat.retain(Retention(events_days=1))
    assert "Secret words." not in str(made.chat.journal())
    assert [one.person.operator for one in made.chat.queue()] == ["Lena"]
    assert made.chat.give_back("solved").outcome == "solved"


def test_a_secret_that_a_person_sets_is_hidden() -> None:
    """As any other value of a secret field."""
    flow = SUPPORT.replace(
        "code: {type: integer, min: 1, max: 99}", "code: {type: integer, min: 1, max: 99, secret: true}"
    )
    made = talk(flow)
    made.chat.start()
    made.chat.say("human")
    made.chat.take_over("Lena")
    turn = made.chat.give_back("x", set={"case.code": 77})
    assert "77" not in str(turn.decisions)
    assert turn.value("case.code") == 77


def test_the_texts_are_german_where_the_flow_is() -> None:
    """All three."""
    made = talk("language: de\n" + SUPPORT)
    made.chat.start()
    assert made.chat.say("human").text == "Einen Moment: Ich hole jemanden für Sie dazu."
    assert made.chat.say("hallo?").text == "Ich habe das weitergegeben. Ein Mensch antwortet Ihnen hier."
    made.clock.move_s(300)
    assert expire(made) == 1
    assert made.chat.turn().said[0].text == "Es tut mir leid, gerade ist niemand erreichbar. Machen wir hier weiter."


def test_a_changed_flow_keeps_the_person() -> None:
    """Unless the work of the node is no person any more."""
    state = at_desk().chat.state()
    assert carry_state(machine_of(SUPPORT + "  more: {say: More., end: more}\n"), state).fit == "compatible"
    gone = SUPPORT.replace(
        '    person: {queue: billing, about: "case {{case.topic}}", timeout: 5m}\n', "    say: Hm.\n"
    )
    reasons = [reason.text for reason in carry_state(machine_of(gone), state).reasons]
    assert "a person of the queue 'billing' is its work, and that is gone" in reasons
