"""Section 5: forms. What transcripts cannot say: tables, artefacts, whole objects, properties."""

from __future__ import annotations

import re
from typing import Any

import pytest

from support.chats import Talk, machine_of, names, problems_of, talk
from turnwise.core.commands.allowed_input import allowed_input
from turnwise.core.language import LANGUAGES, language_of, normalized
from turnwise.core.state import FieldValue
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.runner.result import Turn

SHORT = """
    flow: short
    start: ask
    language: {language}
    records:
      case:
        first: {{type: choice, options: [a, b]}}
        second: {{type: choice, options: [a, b]}}
    nodes:
      ask:
        form:
          fields: [{{field: case.first, ask: First?}}, {{field: case.second, ask: Second?}}]
          confirm: {{}}
          handoff: planner
"""


def at_summary(language: str = "en", **more: Any) -> Talk:
    """A conversation that shows its summary."""
    made = talk(SHORT.format(language=language), **more)
    made.chat.start()
    made.chat.choose("a")
    made.chat.choose("b")
    return made


def status(turn: Turn) -> str:
    assert turn.form is not None
    return str(turn.form["form_status"])


def artefacts(turn: Turn, kind: str) -> list[dict[str, Any]]:
    return [artefact.data for artefact in turn.artefacts if artefact.kind == kind]


# 5.1 ---------------------------------------------------------------------------------------------


@pytest.mark.law("5.1")
def test_a_stopped_form_offers_the_restart_as_its_only_button() -> None:
    made = talk(SHORT.format(language="en").replace("ask: First?", "ask: First?, stop: {values: [b]}"))
    made.chat.start()
    turn = made.chat.choose("b")
    assert [button.label for button in turn.buttons] == ["Start again"]
    assert not turn.outcome


@pytest.mark.law("5.1")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.requirement("004-41")
def test_no_confirming_phrase_of_any_language_leads_on_from_a_stop(language: str) -> None:
    flow = SHORT.format(language=language).replace("ask: First?", "ask: First?, stop: {values: [b]}")
    for phrase in sorted(language_of(language).phrases["affirm"]):
        made = talk(flow, understand=[[c.Affirm(), c.Set(field="case.first", value="a")]])
        made.chat.start()
        made.chat.choose("b")
        turn = made.chat.say(phrase)
        assert status(turn) == "stopped", phrase
        assert not artefacts(turn, "HANDOFF")
        assert not made.understanding.calls, "a message that only agrees is not understood as an answer"


# 5.2 ---------------------------------------------------------------------------------------------


@pytest.mark.law("5.2")
@pytest.mark.requirement("004-27")
@pytest.mark.parametrize("by", ["button", "text"])
def test_a_direct_match_is_certain_and_keeps_its_words(by: str) -> None:
    made = talk(SHORT.format(language="en"))
    made.chat.start()
    turn = made.chat.choose("a") if by == "button" else made.chat.say(" A. ")
    found = turn.state.values["case.first"]
    assert (found.value, found.confidence, found.turn) == ("a", 1.0, 2)
    assert found.how == ("button" if by == "button" else "direct")
    assert turn.form["gates"]["first"]["raw"] == ("a" if by == "button" else "A.")


@pytest.mark.law("5.2")
@pytest.mark.parametrize("by", ["button", "text"])
def test_a_value_that_was_offered_and_is_taken_is_certain(by: str) -> None:
    made = talk(SHORT.format(language="en").replace("first: {type: choice,", "first: {default: b, type: choice,"))
    made.chat.start()
    turn = made.chat.choose("Yes") if by == "button" else made.chat.say("yes")
    found = turn.state.values["case.first"]
    assert (found.value, found.confidence) == ("b", 1.0)


@pytest.mark.law("5.2")
def test_an_understood_answer_keeps_the_words_and_the_confidence_that_come_with_it() -> None:
    made = talk(SHORT.format(language="en"), understand=[[c.Set((4, 8), 0.3, field="case.first", value="B")]])
    made.chat.start()
    turn = made.chat.say("its bee I think")
    found = turn.state.values["case.first"]
    assert (found.value, found.confidence, found.how) == ("b", 0.3, "understood")
    assert turn.form["gates"]["first"]["raw"] == "bee "


@pytest.mark.law("5.2")
def test_a_question_that_no_model_may_read_is_in_no_schema_of_any_node() -> None:
    made = machine_of(
        """
        flow: hidden
        start: other
        commands: [set, ask]
        records:
          case:
            first: {type: choice, options: [a, b]}
            second: {type: choice, options: [a, b]}
            pin: {type: string, secret: true}
        nodes:
          other: {prompt: Talk., transitions: [{at: after, to: ask}]}
          ask:
            form: {fields: [{field: case.first, match: direct}, {field: case.second}, {field: case.pin}]}
        """
    )
    opened = talk(made)
    for said in ("hello", "hello again"):
        turn = opened.chat.say(said)
        shown = {field.address for field in allowed_input(made, turn.state).fields}
        assert "case.first" not in shown
        assert "case.second" in shown
    assert all("case.first" not in str(call) for _, call in opened.understanding.calls)


@pytest.mark.law("5.2")
def test_after_a_move_a_message_is_not_read_by_a_model_for_a_question_that_none_may_read() -> None:
    made = talk(
        """
        flow: again
        start: hall
        records: {case: {first: {type: choice, options: [a, b]}, second: string, go: boolean}}
        nodes:
          hall: {prompt: Talk., collect: [case.go], transitions: [{at: before, when: case.go, to: ask}]}
          ask: {form: {fields: [{field: case.first, match: direct}, {field: case.second}], confirm: {}}}
        """,
        understand=[[c.Set(field="case.go", value=True)]],
    )
    turn = made.chat.say("let us go, and a is my answer")
    assert turn.state.node == "ask"
    assert len(made.understanding.calls) == 1


@pytest.mark.law("5.2")
def test_a_secret_is_told_to_no_understanding_and_stands_in_no_words() -> None:
    made = talk(
        """
        flow: secrets
        start: ask
        records: {user: {pin: {type: string, secret: true, default: "0000"}, age: integer, town: string}}
        nodes:
          ask:
            form:
              fields: [{field: user.pin, ask: Your PIN?}, {field: user.age, ask: Age?}, {field: user.town, ask: Town?}]
              statement: A person of {{ user.age }}.
              confirm: {}
              handoff: shop
        """,
        understand=[
            [c.Set((10, 14), field="user.pin", value="4711"), c.Set(field="user.age", value=30)],
            [c.Set(field="user.town", value="Rome")],
        ],
    )
    first = made.chat.start()
    assert "0000" not in first.text
    turns = [made.chat.say("my pin is 4711, I am 30"), made.chat.say("Rome"), made.chat.choose("confirm")]
    for turn in turns:
        told = [turn.text, str(turn.form), str(turn.artefacts), str(turn.decisions), str(turn.evaluations)]
        assert not any("4711" in text for text in told)
    assert made.understanding.calls[1][1].field("user.pin").value == "[secret]"
    assert turns[1].form["gates"]["age"] == {
        "raw": "[secret]",
        "classified": 30,
        "confidence": None,
        "collected_at": "2026-01-09T12:00:00Z",
    }
    assert turns[2].state.values["user.pin"].value == "4711"


@pytest.mark.law("5.2")
def test_a_free_answer_beside_the_options_is_typed_and_bounded() -> None:
    made = talk(
        """
        flow: other
        start: ask
        limits: {strings: 20}
        records: {user: {one: {type: choice, options: [a, b]}, many: {type: list, options: [a, b]}}}
        nodes:
          ask:
            form:
              fields: [{field: user.one, ask: One?, other: true}, {field: user.many, ask: Many?, other: true}]
              confirm: {}
        """
    )
    made.chat.start()
    assert made.set(user__one="x" * 21).text.startswith("That text is too long: 20 characters are allowed.")
    assert "user.one" not in made.set(user__one="   ").state.values
    assert made.set(user__one=7).state.values.get("user.one") is None
    assert made.set(user__one=" c ").state.values["user.one"].value == "c"
    assert made.set(user__many="A, something else").state.values["user.many"].value == ["a", "something else"]
    assert made.set(user__many=["b", "b", "x"]).state.values["user.many"].value == ["b", "b", "x"]


# 5.5 ---------------------------------------------------------------------------------------------

CONFIRMING = ["yes", "ok", "okay", "correct", "that's correct", "right", "proceed", "looks good", "confirm"]
EDITING = ["edit", "change", "wrong", "that's wrong", "that's not correct", "no"]


@pytest.mark.law("5.5")
@pytest.mark.requirement("004-10", "004-11", "004-12", "004-49")
@pytest.mark.parametrize("said", [*CONFIRMING, "Yes, that's correct", "YES!", "  ok.  ", "Yes. Correct, and proceed"])
def test_the_confirming_words_confirm(said: str) -> None:
    made = at_summary()
    turn = made.chat.say(said)
    assert status(turn) == "handed_off"
    assert turn.form["status"] == {"pass_": True, "next_gate": None, "next_query": None}
    assert not made.understanding.calls, "no model is needed"


@pytest.mark.law("5.5")
@pytest.mark.requirement("004-16")
@pytest.mark.parametrize("said", [*EDITING, "No, that's not correct", "wrong, change it", "Edit, please"])
def test_the_editing_words_open_the_edit_and_are_no_answer(said: str) -> None:
    made = at_summary()
    turn = made.chat.say(said)
    assert turn.form["editing"] == "chooser"
    assert turn.form["answers"] == {"case.first": "a", "case.second": "b"}
    assert not made.understanding.calls


@pytest.mark.law("5.5")
@pytest.mark.requirement("004-11", "004-17")
@pytest.mark.parametrize(
    "said",
    [
        "no, that's not correct", "yesterday", "look at the second one", "hmm", "yes?", "yes, no", "not correct",
        "correct?", "ok but", "yes and no", "I am not sure that is correct", "okayish", "no ok", "",
        "escalate to the next provider", "y e s", "yes yes yes no", "is it ok?", "all right then, no",
    ],
)  # fmt: skip
def test_what_is_no_confirming_phrase_confirms_nothing(said: str) -> None:
    made = at_summary()
    turn = made.chat.say(said)
    assert turn.state.frame.form.status == "awaiting_confirmation"
    assert not artefacts(turn, "HANDOFF")


@pytest.mark.law("5.5")
@pytest.mark.parametrize("language", LANGUAGES)
def test_phrases_that_confirm_and_phrases_that_edit_have_nothing_in_common(language: str) -> None:
    phrases = language_of(language).phrases
    assert not phrases["affirm"] & (phrases["edit"] | phrases["change"] | phrases["false"] | phrases["leave_chooser"])


@pytest.mark.law("5.5")
def test_a_form_that_asks_nothing_has_what_is_known_confirmed_and_corrected() -> None:
    made = talk(
        """
        flow: known
        start: know
        records: {case: {name: string, age: integer}}
        nodes:
          know: {say: Hello., set: {case.name: '"Ann"', case.age: 38}, transitions: [{to: review}]}
          review:
            form:
              fields: [{field: case.name, ask: Name?, asked: false}, {field: case.age, ask: Age?, asked: false}]
              confirm: {}
            transitions: [{when: form.status == "confirmed", end: done}]
        """
    )
    turn = made.chat.start()
    assert status(turn) == "awaiting_confirmation"
    assert "Ann" in turn.text
    assert "38" in turn.text
    turn = made.chat.commands([c.Set(field="case.age", value=55)])
    assert (status(turn), turn.state.values["case.age"].value) == ("awaiting_confirmation", 55)
    chooser = made.chat.choose("edit")
    made.chat.choose(chooser.buttons[0])
    turn = made.chat.commands([c.Set(field="case.name", value="Eva")])
    assert (status(turn), turn.state.values["case.name"].value) == ("awaiting_confirmation", "Eva")
    assert made.chat.say("yes").outcome == "done"


# 5.9 ---------------------------------------------------------------------------------------------


@pytest.mark.law("5.9")
@pytest.mark.requirement("004-01")
def test_the_events_of_a_turn_stand_in_the_order_of_the_law() -> None:
    made = talk(SHORT.format(language="en"), understand=[[c.Set(field="case.second", value="b")]])
    assert names(made.chat.start()) == ["started", "form_changed", "decided", "artefact_made", "said", "turn_ended"]
    assert names(made.chat.say("a")) == [
        "user_said", "field_set", "form_changed", "decided", "artefact_made", "said", "turn_ended",
    ]  # fmt: skip
    assert names(made.chat.say("the second, I would say")) == [
        "user_said", "effect_asked", "understood", "field_set", "form_changed", "decided",
        "effect_asked", "words_recalled", "artefact_made", "said", "turn_ended",
    ]  # fmt: skip
    assert names(made.chat.choose("confirm")) == [
        "user_chose", "command_applied", "artefact_made", "form_changed", "decided", "decided", "said", "ended",
            "turn_ended",
    ]  # fmt: skip


@pytest.mark.law("5.9")
@pytest.mark.requirement("004-14", "004-15", "004-84")
def test_a_confirmed_form_is_handed_over_with_all_its_answers() -> None:
    turn = at_summary().chat.choose("Looks Good")
    assert artefacts(turn, "HANDOFF") == [{"to": "planner", "payload": {"answers": {"first": "a", "second": "b"}}}]
    assert turn.form["completion_status"]["ready_for_handoff"] is True
    assert turn.outcome == "handed_off"


@pytest.mark.law("5.9")
def test_the_statement_is_at_most_2000_characters_long() -> None:
    made = talk(
        """
        flow: long
        start: ask
        records: {case: {words: string}}
        nodes: {ask: {form: {fields: [{field: case.words, match: direct}], statement: "{{ case.words }}", confirm: {}}}}
        """
    )
    made.chat.start()
    turn = made.chat.say("word " * 1000)
    (made_,) = artefacts(turn, "PROBLEM_STATEMENT")
    assert len(made_["statement"]) == 2000
    (draft,) = artefacts(turn, "DRAFT_PLAN")
    assert draft["statement"] == made_["statement"]
    assert made_["statement"] in turn.text


@pytest.mark.law("5.9")
def test_a_form_without_statement_and_without_handoff_makes_nothing() -> None:
    made = talk(SHORT.format(language="en").replace("handoff: planner", ""))
    turns = [made.chat.start(), made.chat.choose("a"), made.chat.choose("a"), made.chat.choose("confirm")]
    assert not any(turn.artefacts for turn in turns)
    assert turns[-1].outcome == "confirmed"


@pytest.mark.law("5.9")
def test_progress_is_of_the_required_questions_that_apply() -> None:
    made = talk(
        """
        flow: progress
        start: ask
        records: {case: {one: boolean, two: boolean, three: boolean, four: boolean}}
        nodes:
          ask:
            form:
              fields:
                - {field: case.one}
                - {field: case.two, ask_when: case.one}
                - {field: case.three}
                - {field: case.four, required: false}
              confirm: {}
        """
    )
    assert made.chat.start().form["progress"] == 0
    assert made.set(case__four=True).form["progress"] == 0
    assert made.set(case__one=True).form["progress"] == 33
    assert made.set(case__one=False).form["progress"] == 50
    assert made.set(case__three=True).form["progress"] == 100


@pytest.mark.law("5.9", "5.14")
def test_what_a_person_takes_over_half_done_was_not_confirmed_by_the_user() -> None:
    made = talk(SHORT.format(language="en"))
    made.chat.start()
    made.chat.choose("a")
    turn = made.chat.say("talk to a human")
    assert artefacts(turn, "HANDOFF") == [{"to": "planner", "payload": {"answers": {"first": "a"}}}]
    assert turn.form["completion_status"] == {
        "is_complete": True,
        "completion_reason": "required_missing",
        "ready_for_handoff": True,
    }


# 5.10 --------------------------------------------------------------------------------------------


@pytest.mark.law("5.10")
def test_what_a_form_exposes_is_its_list_and_the_flow_s() -> None:
    machine = machine_of(
        """
        flow: shown
        start: ask
        commands: [ask, undo]
        records: {case: {one: boolean, two: {type: list, of: string}}}
        nodes: {ask: {form: {fields: [{field: case.one}, {field: case.two}], confirm: {}}}}
        """
    )
    made = talk(machine)
    form = ["set", "clear", "edit", "skip", "back", "help", "repeat", "wait", "cancel", "restart", "hand_over"]
    assert sorted(allowed_input(machine, made.chat.start().state).commands) == sorted(
        [*form, "add", "remove", "ask", "undo"]
    )
    turn = made.set(case__one=True, case__two=["x"])
    assert {"affirm", "deny"} < set(allowed_input(machine, turn.state).commands)
    turn = made.chat.say("cancel")
    assert set(allowed_input(machine, turn.state).commands) == {"restart", "help", "hand_over", "ask", "undo"}
    assert not allowed_input(machine, turn.state).fields


TEXTS_AND_NUMBERS = """
    flow: texts
    start: ask
    records: {{case: {{words: string, size: integer}}}}
    nodes: {{ask: {{form: {{fields: [{{field: case.{field}, anything: true}}]}}}}}}
"""


@pytest.mark.law("5.10")
def test_anything_is_for_a_free_text() -> None:
    assert problems_of(TEXTS_AND_NUMBERS.format(field="words")) == []
    (problem,) = problems_of(TEXTS_AND_NUMBERS.format(field="size"))
    assert problem == "TW041 'anything' is for a free text, and 'size' is none"


@pytest.mark.law("5.10")
def test_a_long_message_is_an_answer_and_no_call_for_help() -> None:
    made = talk(TEXTS_AND_NUMBERS.format(field="words").replace(", anything: true", ", match: direct"))
    made.chat.start()
    turn = made.chat.say("word " * 400)
    assert turn.state is not None
    assert turn.state.values["case.words"].value == ("word " * 400).strip()


# 5.13 --------------------------------------------------------------------------------------------

ENGLISH = {
    "not_understood": (
        "I'm having trouble understanding your response. Could you please rephrase or select one of the options?"
    ),
    "summary_title": "## Summary of Collected Information",
    "summary_statement": "**Problem Statement:** {statement}",
    "summary_answers": "**Your Answers:**",
    "summary_answer": '→ {answer} (from: "{words}")',
    "summary_review": "**Please review the information above.**",
    "summary_question": "Is this correct?",
    "buttons_confirm": "Looks Good",
    "buttons_edit": "Edit Answers",
}


@pytest.mark.law("5.13")
@pytest.mark.requirement("004-38", "004-44")
@pytest.mark.parametrize("key", ENGLISH)
def test_the_english_texts_are_those_of_the_seed(key: str) -> None:
    assert language_of("en").texts[key] == ENGLISH[key]


@pytest.mark.law("5.13")
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text_with_the_same_holes_and_every_kind_of_phrase(language: str) -> None:
    texts, phrases = LANGUAGES[language]
    english, kinds = LANGUAGES["en"]
    assert texts.keys() == english.keys()
    for key, text in texts.items():
        assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", english[key])), key
    assert phrases.keys() == kinds.keys()
    assert all(phrases.values())
    assert all(len({normalized(phrase) for phrase in some}) == len(some) for some in phrases.values())


@pytest.mark.law("5.13")
def test_a_language_without_phrases_is_a_mistake_of_the_flow() -> None:
    (problem,) = problems_of(SHORT.format(language="xx"))
    assert "xx" in problem
    assert "en" in problem


@pytest.mark.law("5.13")
def test_texts_that_nobody_says_are_a_mistake_of_the_flow() -> None:
    (problem,) = problems_of(SHORT.format(language="en").replace("records:", "texts: {sumary_title: x}\n    records:"))
    assert "sumary_title" in problem
    assert "summary_title" in problem


@pytest.mark.law("5.13")
def test_words_are_told_as_they_were_said_whatever_they_hold() -> None:
    made = talk(SHORT.format(language="en"), understand=[[c.Set(field="case.first", value="a")]])
    made.chat.start()
    made.chat.say('{answer} "quoted" {statement}')
    turn = made.chat.choose("b")
    assert '→ a (from: "{answer} "quoted" {statement}")' in turn.text


# 5.14 --------------------------------------------------------------------------------------------

GATES = """
    flow: gates
    start: gates
    records:
      case:
        info: {type: choice, options: ["Yes", "No"]}
        history: {type: choice, options: ["Yes", "No", Partial]}
        note: {type: string}
    nodes:
      gates:
        form:
          fields:
            - {field: case.info, key: 1_info, ask: Is there information?, match: direct, stop: {values: ["No"], say: Stop.}}
            - {field: case.history, key: 2_history, ask: Is there a history?}
            - {field: case.note, ask: Any note?, required: false}
          confirm: {}
          handoff: planner
"""
YES = {"raw": "Yes", "classified": "Yes", "confidence": 1.0, "collected_at": "2026-01-09T12:00:00Z"}
PARTIAL = {"raw": "half of it", "classified": "Partial", "confidence": None, "collected_at": "2026-01-09T12:00:00Z"}
AWAITING = {"is_complete": False, "completion_reason": "awaiting_user_confirmation", "ready_for_handoff": False}


@pytest.fixture
def gates() -> Talk:
    return talk(GATES, understand=[[c.Set((6, 16), field="case.history", value="partial")]])


@pytest.mark.law("5.14")
@pytest.mark.requirement("004-03", "004-55", "004-56", "004-57", "004-58", "004-64", "004-65", "004-66", "004-67")
def test_the_form_as_clients_see_it_before_and_after_an_answer(gates: Talk) -> None:
    assert gates.chat.start().form == {
        "status": {"pass_": False, "next_gate": "1_info", "next_query": "Is there information?"},
        "form_status": "collecting",
        "asked": "case.info",
        "editing": None,
        "progress": 0,
        "answers": {},
        "inactive": [],
        "gates": {},
        "button_context": "gate_question",
        "button_metadata": {"gate_key": "1_info"},
        "completion_status": {
            "is_complete": False,
            "completion_reason": "required_missing",
            "ready_for_handoff": False,
        },
    }
    turn = gates.chat.choose("Yes")
    assert turn.form == {
        "status": {"pass_": False, "next_gate": "2_history", "next_query": "Is there a history?"},
        "form_status": "collecting",
        "asked": "case.history",
        "editing": None,
        "progress": 50,
        "answers": {"case.info": "Yes"},
        "inactive": [],
        "gates": {"1_info": YES},
        "button_context": "gate_question",
        "button_metadata": {"gate_key": "2_history"},
        "completion_status": {
            "is_complete": False,
            "completion_reason": "required_missing",
            "ready_for_handoff": False,
        },
    }
    assert [button.value for button in turn.buttons] == ["Yes", "No", "Partial"]


@pytest.mark.law("5.14")
@pytest.mark.requirement("004-52", "004-53", "004-59", "004-68", "004-09")
def test_the_form_as_clients_see_it_without_buttons_and_at_the_summary(gates: Talk) -> None:
    gates.chat.start()
    gates.chat.choose("Yes")
    turn = gates.chat.say("I say half of it")
    assert turn.form["gates"] == {"1_info": YES, "2_history": PARTIAL}
    assert turn.form["status"] == {"pass_": False, "next_gate": "note", "next_query": "Any note?"}
    assert turn.form["progress"] == 100
    assert turn.form["completion_status"]["completion_reason"] == "all_required_complete"
    assert (turn.form["button_context"], turn.form["button_metadata"], turn.buttons) == (None, None, ())
    turn = gates.chat.say("skip")
    assert turn.form == {
        "status": {"pass_": False, "next_gate": None, "next_query": None},
        "form_status": "awaiting_confirmation",
        "asked": None,
        "editing": None,
        "progress": 100,
        "answers": {"case.info": "Yes", "case.history": "Partial"},
        "inactive": [],
        "gates": {"1_info": YES, "2_history": PARTIAL},
        "button_context": "gate_confirmation",
        "button_metadata": None,
        "completion_status": AWAITING,
    }
    turn = gates.chat.choose("edit")
    assert (turn.form["editing"], turn.form["button_context"]) == ("chooser", None)
    assert turn.form["completion_status"] == AWAITING
    assert turn.form["status"] == {"pass_": False, "next_gate": None, "next_query": None}


@pytest.mark.law("5.14")
@pytest.mark.requirement("004-12", "004-15", "004-69")
def test_the_form_as_clients_see_it_when_confirmed(gates: Talk) -> None:
    gates.chat.start()
    gates.chat.choose("Yes")
    gates.chat.say("I say half of it")
    gates.chat.say("skip")
    turn = gates.chat.choose("confirm")
    assert turn.form == {
        "status": {"pass_": True, "next_gate": None, "next_query": None},
        "form_status": "handed_off",
        "asked": None,
        "editing": None,
        "progress": 100,
        "answers": {"case.info": "Yes", "case.history": "Partial"},
        "inactive": [],
        "gates": {"1_info": YES, "2_history": PARTIAL},
        "button_context": None,
        "button_metadata": None,
        "completion_status": {
            "is_complete": True,
            "completion_reason": "user_confirmed",
            "ready_for_handoff": True,
        },
    }


@pytest.mark.law("5.14")
@pytest.mark.requirement("004-41", "004-70")
def test_the_form_as_clients_see_it_when_stopped_and_when_cancelled(gates: Talk) -> None:
    gates.chat.start()
    turn = gates.chat.choose("No")
    assert turn.form["status"] == {"pass_": True, "next_gate": None, "next_query": None}
    assert turn.form["form_status"] == "stopped"
    assert turn.form["button_context"] is None
    assert turn.form["completion_status"] == {
        "is_complete": True,
        "completion_reason": "limiting_value",
        "ready_for_handoff": False,
    }
    gates.chat.choose("restart")
    turn = gates.chat.say("cancel")
    assert turn.form["form_status"] == "cancelled"
    assert turn.form["status"] == {"pass_": False, "next_gate": None, "next_query": None}
    assert turn.form["completion_status"]["is_complete"] is False


@pytest.mark.law("5.14")
def test_inactive_answers_are_shown_apart() -> None:
    made = talk(GATES.replace("ask: Is there a history?", 'ask: Is there a history?, ask_when: case.note != "none"'))
    made.chat.start()
    made.set(case__info="Yes", case__history="Yes")
    turn = made.set(case__note="none")
    assert turn.form["inactive"] == ["case.history"]
    assert turn.form["gates"].keys() == {"1_info", "note"}


# 5.12 --------------------------------------------------------------------------------------------


@pytest.mark.law("5.12")
def test_a_run_begins_anew_and_the_values_stay() -> None:
    made = talk(
        """
        flow: anew
        start: ask
        records: {case: {one: {type: choice, options: [a, b]}, two: {type: choice, options: [a, b]}}}
        nodes:
          ask:
            form:
              fields: [{field: case.one, rephrase: [again?]}, {field: case.two, required: false}]
              confirm: {}
            transitions: [{at: before, when: message.text == "out", to: out}]
          out: {say: Out., transitions: [{at: before, when: message.text == "in", to: ask}]}
        """
    )
    made.chat.start()
    made.chat.say("what")
    made.chat.choose("a")
    made.chat.say("skip")
    run = made.chat.state().frame.form
    assert (run.misses, run.skipped, run.status) == ({}, ("case.two",), "awaiting_confirmation")
    made.chat.say("out")
    turn = made.chat.say("in")
    run = turn.state.frame.form
    assert (run.skipped, run.asked, run.status) == ((), "case.two", "collecting")
    assert turn.state.values["case.one"] == FieldValue(
        "a", "button", 3, turn.state.at_ms, 1.0, turn.state.values["case.one"].place
    )


@pytest.mark.law("5.12")
def test_leaving_a_confirmed_form_closes_it_and_entering_opens_it() -> None:
    made = talk(
        """
        flow: closing
        start: ask
        records: {case: {one: {type: choice, options: [a, b]}}}
        nodes:
          ask:
            form: {fields: [{field: case.one}], confirm: {}}
            transitions: [{at: after, to: out}]
          out: {say: Out., transitions: [{at: before, when: message.text == "in", to: ask}]}
        """
    )
    made.chat.start()
    made.chat.choose("a")
    turn = made.chat.choose("confirm")
    assert turn.state.closed_forms == {"ask": "confirmed"}
    assert e.FormClosed("ask", "confirmed") in turn.events
    turn = made.chat.say("in")
    assert turn.state.closed_forms == {}
    assert status(turn) == "awaiting_confirmation"
