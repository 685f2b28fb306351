"""Forms as gates were: what callers get, and the defects of the first system with gates, which are not ours."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from support.chats import NOON_MS, Talk, flow_of, machine_of, talk
from support.refused import without_refused
from turnwise.api.chat import Chat
from turnwise.api.open import load, open_sync
from turnwise.api.open import open as open_flow
from turnwise.core.forms import with_status
from turnwise.core.state import FormRun
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.state.effects import Understand
from turnwise.core.state.fold import fold_all
from turnwise.core.step import start, step
from turnwise.core.turn import Step
from turnwise.errors import ProviderFailed
from turnwise.runner.result import Turn
from turnwise.stores.memory import MemoryStore

EXAMPLE = Path(__file__).parents[2] / "examples" / "eligibility" / "eligibility.flow.yaml"
GATES = """
    flow: gates
    start: gates
    language: {language}
    records:
      case:
        info: {{type: choice, options: ["Yes", "No", Unknown]}}
        insurance: {{type: choice, options: ["Yes", "No", Partial]}}
        purpose: {{type: choice, options: [Billing, Treatment]}}
        failure: {{type: choice, options: [Escalate, Notify]}}
        urgency: {{type: choice, options: [Urgent, No Rush]}}
        note: {{type: choice, options: [a, b]}}
    nodes:
      gates:
        form:
          fields:
            - {{field: case.info, key: 1_info, ask: Information?, stop: {{values: ["No", Unknown], say: Collect it first.}}}}
            - {{field: case.insurance, key: 2_insurance, ask: Insurance history?}}
            - {{field: case.purpose, key: 3_purpose, ask: What for?}}
            - {{field: case.failure, key: 4_failure, ask: And on failure?}}
            - {{field: case.urgency, key: 5_urgency, ask: How urgent?}}
            - {{field: case.note, key: 6_note, ask: Any note?, required: false, asked: {note}}}
          confirm: {{}}
          handoff: planner
"""
ANSWERS = ("Yes", "No", "Billing", "Escalate", "No Rush")
VALUES = {
    "case.info": "Yes",
    "case.insurance": "No",
    "case.purpose": "Billing",
    "case.failure": "Escalate",
    "case.urgency": "No Rush",
}
FIELDS = tuple(VALUES)


def opened(
    *understood: Sequence[c.AnyCommand] | Exception, language: str = "en", note: str = "false", **more: Any
) -> Talk:
    made = talk(GATES.format(language=language, note=note), understand=understood, **more)
    made.chat.start()
    return made


def answered(*understood: Sequence[c.AnyCommand] | Exception, gates: int = 5, **more: Any) -> Talk:
    """A conversation in which the first gates are answered, all of them by default."""
    made = opened(*understood, **more)
    for answer in ANSWERS[:gates]:
        made.chat.choose(answer)
    return made


def status(turn: Turn) -> str:
    return str(turn.form["form_status"])


def handoffs(turn: Turn) -> list[Any]:
    return [artefact.data for artefact in turn.artefacts if artefact.kind == "HANDOFF"]


# what callers do and get ---------------------------------------------------------------------------


@pytest.mark.requirement("004-02", "004-24", "004-07", "004-21")
def test_a_conversation_needs_one_call_for_words_and_one_for_buttons() -> None:
    async def talking() -> None:
        chat = open_flow(EXAMPLE).chat("main")
        turn = await Chat(chat.runtime, "42").say("hello")
        assert turn.text == "Hello!\n\nDo we have patient information available?"
        turn = await Chat(chat.runtime, "42").choose(turn.buttons[0])
        assert turn.text.startswith("Does the patient have a known history")
        turn = await Chat(chat.runtime, "42").say("there were some problems, so partial")
        assert turn.form["answers"]["case.insurance_history"] == "Partial"
        assert (await Chat(chat.runtime, "43").say("hello")).form["answers"] == {}

    asyncio.run(talking())


@pytest.mark.requirement("004-03")
def test_a_turn_gives_text_buttons_context_and_status() -> None:
    turn = opened().chat.choose("Yes")
    assert turn.text == "Insurance history?"
    assert [(button.label, button.value) for button in turn.buttons] == [
        ("Yes", "Yes"),
        ("No", "No"),
        ("Partial", "Partial"),
    ]
    assert turn.form["button_context"] == "gate_question"
    assert turn.form["button_metadata"] == {"gate_key": "2_insurance"}
    assert turn.form["completion_status"]["is_complete"] is False


@pytest.mark.requirement("004-08")
def test_without_answers_the_first_gate_is_still_asked() -> None:
    turn = opened().chat.say("hello")
    assert turn.form["status"]["next_gate"] == "1_info"
    assert turn.form["gates"] == {}


@pytest.mark.requirement("004-22")
@pytest.mark.parametrize("gates", range(6))
def test_the_next_gate_follows_from_the_answers_alone(gates: int) -> None:
    state = answered(gates=gates).chat.state()
    form = machine_of(GATES.format(language="en", note="false")).nodes["gates"].form
    again = with_status(form, FormRun(), state)
    assert (again.asked, again.status) == (state.frame.form.asked, state.frame.form.status)


@pytest.mark.requirement("004-23", "004-51")
def test_labels_are_the_flow_s_and_a_click_counts_by_its_value() -> None:
    text = GATES.format(language="en", note="false")
    text = text.replace("ask: Information?,", "ask: Information?, buttons: {'Yes': 'Yes, we do'},")
    made = talk(text.replace("confirm: {}", "confirm: {buttons: {'yes': Send it, edit: Not yet}}"))
    assert [button.label for button in made.chat.start().buttons] == ["Yes, we do", "No", "Unknown"]
    for answer in ANSWERS:
        turn = made.chat.choose(answer)
    assert [button.label for button in turn.buttons] == ["Send it", "Not yet"]
    assert status(made.chat.choose("Send it")) == "handed_off"


@pytest.mark.requirement("004-25", "004-71", "004-32")
def test_clicks_and_the_first_gate_of_the_example_call_no_model() -> None:
    made = talk(load(EXAMPLE))
    made.chat.start()
    made.chat.say("maybe")
    made.chat.say("we might have something")
    made.chat.choose("Yes")
    for answer in ("Partial", "Billing", "Wait"):
        made.chat.choose(answer)
    assert not made.understanding.calls
    assert not made.model.calls
    made.chat.say("in a while")
    assert len(made.understanding.calls) == 1


@pytest.mark.requirement("004-26")
@pytest.mark.parametrize("said", ["yES ", "YES", " yes.", "Yes!"])
def test_a_gate_matches_without_case(said: str) -> None:
    assert opened().chat.say(said).form["gates"]["1_info"]["classified"] == "Yes"


@pytest.mark.requirement("004-30")
def test_a_click_and_the_same_word_typed_do_the_same() -> None:
    clicked, typed = opened().chat.choose("No"), opened().chat.say("No")
    assert clicked.text == typed.text
    assert clicked.buttons == typed.buttons
    assert clicked.form == typed.form


@pytest.mark.requirement("004-34", "004-35", "004-36")
def test_text_is_understood_once_checked_for_stops_and_kept_with_its_words() -> None:
    made = answered([c.Set(field="case.insurance", value="Partial")], gates=1)
    said = "I'm not sure, but I think there might be some issues"
    turn = made.chat.say(said)
    assert turn.form["gates"]["2_insurance"]["classified"] == "Partial"
    assert turn.form["gates"]["2_insurance"]["raw"] == said
    assert turn.form["status"]["next_gate"] == "3_purpose"
    assert len(made.understanding.calls) == 1
    made = opened([c.Set(field="case.purpose", value="Billing"), c.Set(field="case.info", value="unknown")])
    turn = made.chat.say("for billing, and nobody knows")
    assert status(turn) == "stopped"
    assert turn.form["gates"].keys() == {"1_info", "3_purpose"}


@pytest.mark.requirement("004-37")
def test_an_understanding_that_fails_leaves_the_answers_as_they_were() -> None:
    made = answered(ProviderFailed("the model is gone"), gates=2)
    before = made.chat.state()
    turn = made.chat.say("for billing")
    assert turn.state.values == before.values
    assert turn.state.frame.form.asked == before.frame.form.asked
    assert [warning.code for warning in turn.warnings] == ["understanding_failed"]
    assert any(isinstance(event, e.UnderstandingFailed) for event in turn.events)


@pytest.mark.requirement("004-42", "004-45")
def test_the_summary_of_two_gates_is_laid_out_as_the_design_prints_it() -> None:
    made = talk(
        """
        flow: two
        start: gates
        records: {case: {info: {type: choice, options: ["Yes", "No"]}, history: {type: choice, options: ["Yes", "No"]}}}
        nodes:
          gates:
            form:
              fields:
                - {field: case.info, ask: Do we have patient information available?, match: direct}
                - {field: case.history, ask: Does the patient have insurance history?}
              statement: "[summary]"
              confirm: {}
        """
    )
    made.chat.start()
    made.chat.choose("Yes")
    assert made.chat.choose("No").text == (
        "## Summary of Collected Information\n"
        "\n"
        "**Problem Statement:** [summary]\n"
        "\n"
        "**Your Answers:**\n"
        "\n"
        "**Do we have patient information available?**\n"
        '→ Yes (from: "Yes")\n'
        "\n"
        "**Does the patient have insurance history?**\n"
        '→ No (from: "No")\n'
        "\n"
        "---\n"
        "\n"
        "**Please review the information above.**\n"
        "\n"
        "Is this correct?"
    )


@pytest.mark.requirement("004-46", "004-47")
def test_the_draft_carries_the_statement_through_every_turn_of_the_form() -> None:
    made = talk(
        GATES.format(language="en", note="false").replace(
            "confirm: {}", "statement: For {{ case.purpose }}.\n          confirm: {}"
        )
    )
    drafts = [turn.artefacts[0] for turn in (made.chat.start(), *(made.chat.choose(answer) for answer in ANSWERS))]
    assert [draft.kind for draft in drafts] == ["DRAFT_PLAN"] * 6
    assert [draft.data["statement"] for draft in drafts] == [
        "For ….",
        "For ….",
        "For ….",
        "For Billing.",
        "For Billing.",
        "For Billing.",
    ]
    assert [len(draft.data["missing"]) for draft in drafts] == [5, 4, 3, 2, 1, 0]


@pytest.mark.requirement("004-66", "004-67", "004-68", "004-69", "004-65")
def test_the_five_states_of_the_design() -> None:
    made = opened()
    initial = made.chat.say("hm")
    first = made.chat.choose("Yes")
    for answer in ANSWERS[1:]:
        complete = made.chat.choose(answer)
    confirmed = made.chat.choose("Looks Good")
    stopped = opened().chat.choose("No")
    seen = [
        (len(turn.form["gates"]), turn.form["status"]["pass_"], turn.form["status"]["next_gate"])
        for turn in (initial, first, complete, confirmed, stopped)
    ]
    assert seen == [
        (0, False, "1_info"),
        (1, False, "2_insurance"),
        (5, False, None),
        (5, True, None),
        (1, True, None),
    ]
    assert [status(turn) for turn in (initial, first, complete, confirmed, stopped)] == [
        "collecting", "collecting", "awaiting_confirmation", "handed_off", "stopped",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "said", [("Yes",), ("Yes", "No"), ANSWERS, (*ANSWERS, "Looks Good"), ("No",), (*ANSWERS, "edit")]
)
def test_the_state_is_whole_a_new_process_on_the_same_store_goes_on_with_it(said: tuple[str, ...]) -> None:
    store = MemoryStore()
    made = opened(store=store)
    for word in said:
        turn = made.chat.say(word)
    again = talk(GATES.format(language="en", note="false"), store=store)
    assert again.chat.state() == turn.state
    assert fold_all(made.chat.journal()) == turn.state
    following, same = again.chat.say("Yes"), answered_by(said).chat.say("Yes")
    assert (following.text, following.form) == (same.text, same.form)


def answered_by(said: tuple[str, ...]) -> Talk:
    made = opened()
    for word in said:
        made.chat.say(word)
    return made


@pytest.mark.requirement("004-05")
def test_gates_in_json_run_and_keep_their_keys(tmp_path: Path) -> None:
    path = tmp_path / "gates.json"
    gates = {
        "1_patient_info_availability": {
            "question": "Information?", "required": True, "expected_categories": ["Yes", "No"],
            "limiting_values": ["No"], "stop_message": "Collect it first.",
        },
        "2_insurance_history": {"question": "History?", "required": True, "expected_categories": ["Yes", "No", "Partial"]},
    }  # fmt: skip
    path.write_text(json.dumps({"gate_order": list(gates), "gates": gates}), "utf-8")
    with open_sync(path) as app:
        chat = app.chat("main")
        chat.start()
        turn = chat.choose("Yes")
        assert turn.form["status"]["next_gate"] == "2_insurance_history"
        assert turn.form["gates"].keys() == {"1_patient_info_availability"}


# the defects of the first system -------------------------------------------------------------------


@pytest.mark.requirement("004-41")
@pytest.mark.parametrize("said", ["ok", "yes, thanks", "proceed", "looks good", "correct"])
def test_defect_an_ok_after_a_stop_hands_nothing_over(said: str) -> None:
    made = opened()
    stopped = made.chat.choose("Unknown")
    turn = made.chat.say(said)
    assert status(turn) == "stopped"
    assert turn.text == stopped.text
    assert [button.label for button in turn.buttons] == ["Start again"]
    assert not handoffs(turn)
    assert turn.form["completion_status"] == {
        "is_complete": True,
        "completion_reason": "limiting_value",
        "ready_for_handoff": False,
    }


@pytest.mark.requirement("004-11")
@pytest.mark.parametrize(
    "said", ["no, that's not correct", "look at the second one", "yesterday it was something else"]
)
def test_defect_a_word_within_a_message_confirms_nothing(said: str) -> None:
    turn = answered().chat.say(said)
    assert status(turn) == "awaiting_confirmation"
    assert not handoffs(turn)


def test_defect_a_no_to_the_summary_opens_the_chooser() -> None:
    turn = answered().chat.say("no, that's not correct")
    assert turn.text == "Which answer would you like to change?"
    assert len(turn.buttons) == 5


@pytest.mark.requirement("004-20")
@pytest.mark.parametrize("said", ["edit", "this is about something else"])
def test_defect_a_model_that_fills_nothing_in_deletes_nothing(said: str) -> None:
    nulls = [c.Set(field=field, value=None) for field in FIELDS]
    made = answered(nulls, nulls)
    for words in (said, "what I mean is"):
        turn = made.chat.say(words)
        assert {name: found.value for name, found in turn.state.values.items()} == VALUES
        assert status(turn) == "awaiting_confirmation"


@pytest.mark.parametrize(
    "said", ["escalate to the next provider", "next", "continue", "proceed", "skip", "go on, override it"]
)
def test_defect_no_word_completes_a_form_that_is_not_complete(said: str) -> None:
    turn = answered(gates=2).chat.say(said)
    assert status(turn) == "collecting"
    assert turn.form["status"] == {"pass_": False, "next_gate": "3_purpose", "next_query": "What for?"}
    assert turn.form["gates"].keys() == {"1_info", "2_insurance"}


def test_defect_what_a_model_claims_about_the_form_is_recorded_and_not_believed() -> None:
    machine = machine_of(GATES.format(language="en", note="false"))
    begun = start(machine, NOON_MS)
    assert isinstance(begun, Step)
    asked = step(machine, begun.state, e.UserSaid("it is for billing"), NOON_MS)
    assert isinstance(asked, Step)
    (effect,) = asked.effects
    assert isinstance(effect, Understand)
    claims = {"pass": True, "next_gate": "5_urgency"}
    commands = (c.Set(field="case.purpose", value="Billing"),)
    done = step(machine, asked.state, e.Understood(effect.id, commands, "model", claims), NOON_MS)
    assert isinstance(done, Step)
    assert done.state.frame.form.status == "collecting"
    assert done.state.frame.form.asked == "case.info"
    assert done.entries[0].event.claims == claims


@pytest.mark.parametrize("said", ["", "   ", "\n\t", "\x00"])
def test_defect_an_empty_message_is_refused_and_breaks_nothing(said: str) -> None:
    made = answered(gates=2)
    before = made.chat.journal()
    turn = made.chat.say(said)
    assert turn.refused == "message_empty"
    assert without_refused(made.chat.journal()) == before


def test_defect_an_understanding_need_not_speak_of_every_gate() -> None:
    turn = opened([c.Set(field="case.urgency", value="Urgent")]).chat.say("it is urgent")
    assert turn.form["gates"]["5_urgency"]["classified"] == "Urgent"
    assert turn.form["status"]["next_gate"] == "1_info"


def test_defect_a_first_message_that_is_not_understood_still_gets_the_question() -> None:
    made = talk(GATES.format(language="en", note="false"), understand=[ProviderFailed("no")])
    turn = made.chat.say("perhaps there is something")
    assert turn.text == "Information?"
    assert len(turn.buttons) == 3


@pytest.mark.parametrize("value", ["partial", "PARTIAL", " Partial "])
def test_defect_a_classification_in_other_case_is_the_category(value: str) -> None:
    turn = answered([c.Set(field="case.insurance", value=value)], gates=1).chat.say("in parts")
    assert turn.form["gates"]["2_insurance"]["classified"] == "Partial"


@pytest.mark.requirement("004-39")
def test_defect_a_failure_keeps_the_buttons() -> None:
    turn = answered([c.Set(field="case.insurance", value="Yes")], [], gates=0).chat.say("she is insured")
    buttons = turn.buttons
    assert len(buttons) == 3
    made = answered([], gates=1)
    assert [button.value for button in made.chat.say("perhaps").buttons] == ["Yes", "No", "Partial"]


def test_defect_what_the_host_sets_completes_nothing_else() -> None:
    made = opened()
    turn = made.set(case__purpose="Billing")
    assert status(turn) == "collecting"
    assert turn.form["progress"] == 20
    assert turn.form["status"]["next_gate"] == "1_info"


def test_defect_an_optional_gate_is_asked_after_the_required_ones() -> None:
    turn = answered(note="true").chat.say("skip")
    assert status(turn) == "awaiting_confirmation"
    made = answered(note="true")
    assert made.chat.state().frame.form.asked == "case.note"


def test_defect_the_three_meanings_of_pass_are_three_statuses() -> None:
    made = answered()
    complete = made.chat.say("hm")
    confirmed = made.chat.choose("confirm")
    stopped = opened().chat.choose("No")
    seen = [
        (status(turn), turn.form["completion_status"]["ready_for_handoff"]) for turn in (complete, confirmed, stopped)
    ]
    assert seen == [("awaiting_confirmation", False), ("handed_off", True), ("stopped", False)]


def test_defect_an_answer_is_stored_once() -> None:
    made = opened()
    turn = made.chat.choose("Yes")
    assert [event.field for event in turn.events if isinstance(event, e.FieldSet)] == ["case.info"]
    assert sum(isinstance(event, e.FormChanged) for event in turn.events) == 1


@pytest.mark.parametrize(("said", "expected"), [("ja, das stimmt", "handed_off"), ("yes", "awaiting_confirmation")])
def test_defect_phrases_are_those_of_the_flow_s_language(said: str, expected: str) -> None:
    assert status(answered(language="de").chat.say(said)) == expected


def test_defect_other_is_no_category_unless_the_form_says_so_and_then_asks_for_words() -> None:
    made = opened()
    assert "Other" not in [button.label for button in made.chat.choose("Yes").buttons]
    assert made.chat.choose("Other").refused == "unknown_button"
    made = talk(GATES.format(language="en", note="false").replace("ask: What for?", "ask: What for?, other: true"))
    made.chat.start()
    made.set(case__info="Yes", case__insurance="No")
    turn = made.chat.choose("Other")
    assert turn.text == "Please type your answer."
    assert made.chat.say("a research project").form["gates"]["3_purpose"]["classified"] == "a research project"


def test_defect_without_a_model_a_question_aside_is_answered_truly() -> None:
    text = GATES.format(language="en", note="false").replace(
        "start: gates", "start: gates\n    commands: [ask]\n    prompt: Help."
    )
    with open_sync(flow_of(text), understand=lambda _message, _allowed: [c.Ask(text="Why?")]) as app:
        chat = app.chat("main")
        chat.start()
        assert chat.say("why?").text == "No model is connected, so I cannot answer that.\n\nInformation?"
