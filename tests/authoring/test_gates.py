"""Gates become a form: keys on the wire, categories, limiting values, buttons, the summary, the handoff."""

from __future__ import annotations

import json
from typing import Any

import pytest

from turnwise.api.open import open_sync
from turnwise.authoring.document import read_document
from turnwise.authoring.yaml_text import write_yaml
from turnwise.core.link import link_with_diagnostics
from turnwise.flow.model import Confirm, Field, Flow, Form, FormField, Option, Record, Stop

FIRST, SECOND = "1_patient_info_availability", "2_insurance_history"
GATES: dict[str, Any] = {
    FIRST: {
        "question": "Is there information about the patient?",
        "required": True,
        "expected_categories": ["Yes", "No", "Unknown"],
        "limiting_values": ["No", "Unknown"],
        "stop_message": "Please gather it first.",
    },
    SECOND: {
        "question": "Was the patient insured before?",
        "required": True,
        "expected_categories": ["Yes", "No", "Partial"],
        "limiting_values": None,
    },
}
CONFIG: dict[str, Any] = {"gate_order": [FIRST, SECOND], "gates": GATES}


def _read(document: Any, file: str = "gates.json") -> tuple[Flow, list[str]]:
    text = document if isinstance(document, str) else json.dumps(document)
    flow, diagnostics = read_document(text, file)
    return flow, [str(d).removeprefix(f"{file}:") for d in diagnostics + link_with_diagnostics(flow)[1]]


def _form(document: Any, *, said: list[str] | None = None) -> Form:
    flow, found = _read(document)
    assert [row.split(" ", 1)[1] for row in found] == (said or [])
    form = flow.nodes[0].form
    assert form is not None
    return form


def _one(gate: dict[str, Any], *, said: list[str] | None = None, **top: Any) -> FormField:
    """The question that one gate becomes, behind the first."""
    gates = {"first": {"question": "First?"}, "second": gate}
    return _form({"gate_order": ["first", "second"], "gates": gates, **top}, said=said).fields[1]


@pytest.mark.requirement("004-04", "004-05")
@pytest.mark.law("5.2")
def test_gates_are_a_form_over_a_record() -> None:
    flow, said = _read(CONFIG)
    assert said == []
    yes_no = (Option("Yes"), Option("No"))
    assert flow.records == (
        Record("case", (
            Field("patient_info_availability", "choice", options=(*yes_no, Option("Unknown"))),
            Field("insurance_history", "choice", options=(*yes_no, Option("Partial"))),
        )),
    )  # fmt: skip
    [node] = flow.nodes
    assert (flow.name, flow.start, node.name) == ("gates", "gates", "gates")
    assert node.form is not None
    assert node.form.fields == (
        FormField(
            "case.patient_info_availability",
            "Is there information about the patient?",
            stop=Stop(("No", "Unknown"), "Please gather it first."),
            match="direct",
            key=FIRST,
        ),
        FormField("case.insurance_history", "Was the patient insured before?", key=SECOND),
    )
    assert node.form.confirm == Confirm(buttons={"yes": "Looks Good", "edit": "Edit Answers"}, edit="first")
    assert node.form.confirm.edit == "first"
    assert node.form.handoff == "planner"


def test_keys_are_read_in_either_case() -> None:
    upper = {
        "GATE_ORDER": [FIRST, SECOND],
        "GATES": {k: {n.upper(): v for n, v in g.items()} for k, g in GATES.items()},
    }
    assert _read(upper)[0] == _read(CONFIG)[0]


@pytest.mark.requirement("004-04", "004-05", "004-07", "004-14", "004-29", "004-55")
def test_the_form_runs_from_the_first_gate_to_the_handoff() -> None:
    with open_sync(_read(CONFIG)[0]) as app:
        chat = app.chat("main")
        turn = chat.start()
        assert turn.text == "Is there information about the patient?"
        assert [button.label for button in turn.buttons] == ["Yes", "No", "Unknown"]
        turn = chat.choose("Yes")
        assert turn.text == "Was the patient insured before?"
        assert [button.label for button in turn.buttons] == ["Yes", "No", "Partial"]
        summary = chat.say("partial").text
        statement = "Is there information about the patient? — Yes. Was the patient insured before? — Partial."
        assert f"**Problem Statement:** {statement}\n" in summary
        turn = chat.choose("Looks Good")
        [handoff] = [made for made in turn.artefacts if made.kind == "HANDOFF"]
        assert handoff.data["to"] == "planner"
        assert handoff.data["payload"]["answers"] == {FIRST: "Yes", SECOND: "Partial"}
        assert turn.form["completion_status"]["ready_for_handoff"]


@pytest.mark.requirement("004-28", "004-40")
def test_a_limiting_value_stops_with_its_message() -> None:
    with open_sync(_read(CONFIG)[0]) as app:
        chat = app.chat("main")
        chat.start()
        assert chat.say("no").text == "Please gather it first."


def test_the_statement_is_sensible_while_answers_are_missing() -> None:
    with open_sync(_read(CONFIG)[0]) as app:
        chat = app.chat("main")
        [draft] = chat.start().artefacts
        assert draft.data["statement"] == ""
        [draft] = chat.choose("Yes").artefacts
        assert draft.data["statement"] == "Is there information about the patient? — Yes."


def test_texts_say_themselves_whatever_is_in_them() -> None:
    text = 'Say "{{ x }}" or {{{ and }}} \\ \n\tnow'
    gates = {"a": {"question": text, "limiting_values": ["no"], "stop_message": text}}
    with open_sync(_read({"gate_order": ["a"], "gates": gates})[0]) as app:
        chat = app.chat("main")
        assert chat.start().text == text
        assert chat.say("no").text == text
    with open_sync(_read({"gate_order": ["a"], "gates": gates})[0]) as app:
        chat = app.chat("main")
        chat.start()
        made = {one.kind: one.data for one in chat.say("other").artefacts}
        assert made["PROBLEM_STATEMENT"]["statement"] == 'Say "{{ x }}" or {{{ and }}} \\ now — other.'


@pytest.mark.requirement("004-05")
def test_names_of_fields_are_made_of_keys_and_are_unique() -> None:
    keys = ["1_age", "2_age", "age", "Größe (cm)", "3", "日本", "_x", "Zip Code"]
    gates = {key: {"question": f"{key}?"} for key in keys}
    form = _form({"gate_order": keys, "gates": gates})
    assert [(one.field, one.key) for one in form.fields] == [
        ("case.age", "1_age"), ("case.age_2", "2_age"), ("case.age_3", "age"), ("case.grosse_cm", "Größe (cm)"),
        ("case.gate_5", "3"), ("case.gate_6", "日本"), ("case._x", ""), ("case.zip_code", "Zip Code"),
    ]  # fmt: skip


def test_a_gate_is_optional_and_free_unless_it_says_otherwise() -> None:
    question = _one({"question": "Which?"})
    assert question == FormField("case.second", "Which?", required=False)
    said = ["TW062 warning: 'second' is required and has no categories: any text is an answer"]
    assert _one({"question": "Which?", "required": True, "expected_categories": []}, said=said).required


def test_what_limits_must_be_a_category() -> None:
    gate = {"question": "Which?", "expected_categories": ["A", "B"], "limiting_values": ["b", "C"]}
    said = ["TW042 'C' is no answer to this question: That is not one of the options: A, B."]
    assert _one(gate, said=said).stop == Stop(("b", "C"))


def test_a_message_that_is_never_said_and_a_category_that_stands_twice_are_warnings() -> None:
    gate = {"question": "Which?", "expected_categories": ["A", "a "], "stop_message": "Stop."}
    said = [
        "TW062 warning: the category 'a' stands twice; the first is in line 1",
        "TW062 warning: 'stop_message' is never said: there are no limiting values",
    ]
    assert _one(gate, said=said).stop is None


# buttons -----------------------------------------------------------------------------------------


@pytest.mark.requirement("004-23")
def test_a_button_is_known_by_its_value_whatever_its_label_says() -> None:
    gates = {**GATES, FIRST: {**GATES[FIRST], "button_config": {"display_labels": {"Yes": "Yes, we do"}}}}
    with open_sync(_read({**CONFIG, "gates": gates})[0]) as app:
        chat = app.chat("main")
        assert next((one.label, one.value) for one in chat.start().buttons) == ("Yes, we do", "Yes")
        assert chat.choose("Yes").text == "Was the patient insured before?"


@pytest.mark.law("5.2")
def test_labels_of_buttons_are_those_of_the_configuration() -> None:
    gate: dict[str, Any] = {"question": "Which?", "expected_categories": ["Yes", "No"]}
    assert not _one(gate).other
    config = {"display_labels": {"Yes": "Yes, we do"}, "include_other": True, "button_template": None}
    said = ["TW060 warning: 'button_template' has no effect: how a button looks and what it calls is the host's to say"]
    found = _one({**gate, "button_config": config}, said=said)
    assert (dict(found.buttons), found.other) == ({"Yes": "Yes, we do"}, True)
    found = _one({**gate, "button_config": {"include_other": True, "other_button": {"label": "Something else"}}})
    assert (dict(found.buttons), found.other) == ({"other": "Something else"}, True)
    found = _one({**gate, "button_config": {"display_labels": ["Sure", "Never"]}})
    assert dict(found.buttons) == {"Yes": "Sure", "No": "Never"}
    _one(
        {**gate, "button_config": {"display_labels": ["Sure"]}},
        said=["TW015 1 labels for 2 categories; one label for each"],
    )
    _one(
        {**gate, "button_config": {"display_labels": {"Maybe": "M"}}},
        said=["TW042 the button 'Maybe' belongs to no option"],
    )


def test_other_that_is_a_category_is_no_second_button() -> None:
    gate = {"question": "Which?", "expected_categories": ["A", "Other"], "button_config": {"include_other": True}}
    assert not _one(gate).other


@pytest.mark.parametrize(
    "buttons",
    [
        {"yes": "Send", "edit": {"label": "Change", "id": "e"}},
        {"confirm": {"label": "Send", "value": "okay"}, "Edit": "Change"},
        [{"label": "Send", "value": "okay"}, {"label": "Change", "value": "edit"}],
        [{"label": "Change", "id": "edit"}, {"label": "Send", "id": "proceed"}],
    ],
)
@pytest.mark.requirement("004-51")
def test_labels_of_the_summary_are_found_by_what_the_buttons_do(buttons: Any) -> None:
    form = _form({**CONFIG, "confirmation_buttons": buttons})
    assert form.confirm == Confirm(buttons={"yes": "Send", "edit": "Change"}, edit="first")
    with open_sync(_read({**CONFIG, "confirmation_buttons": buttons})[0]) as app:
        chat = app.chat("main")
        chat.start()
        chat.choose("Yes")
        assert [button.label for button in chat.choose("No").buttons] == ["Send", "Change"]


def test_a_summary_without_its_own_buttons_has_the_usual_ones() -> None:
    for buttons in (None, [], {}, [{"label": "Edit", "value": "edit"}]):
        form = _form({**CONFIG, "confirmation_buttons": buttons})
        assert form.confirm is not None
        assert form.confirm.buttons["yes"] == "Looks Good"


def test_a_button_of_the_summary_that_does_nothing_is_an_error() -> None:
    said = [
        "TW060 warning: 'variant' has no effect: how a button looks and what it calls is the host's to say",
        "TW014 this button neither confirms nor edits; its value is 'yes' or 'edit'",
        "TW017 two buttons are for 'yes'",
    ]
    buttons = [{"label": "A", "value": "okay", "variant": "big"}, "Hm", "yes"]
    _form({**CONFIG, "CONFIRMATION_BUTTONS": buttons}, said=said)


# the rest of a configuration ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "key",
    ["OUTPUT_FORMAT", "MODE", "LLM_ROLE", "MANDATORY_LOGIC", "STRICT_JSON_SCHEMA", "SYSTEM_INSTRUCTIONS",
     "EXAMPLE_TEMPLATE", "GENERATION_CONFIG"],
)  # fmt: skip
def test_what_means_nothing_here_is_named_in_a_warning(key: str) -> None:
    flow, said = _read({**CONFIG, key: ["anything"]})
    [row] = said
    assert f"TW060 warning: '{key}' has no effect: " in row
    assert flow == _read(CONFIG)[0]


def test_the_path_names_the_flow() -> None:
    path = {"interaction_type": "chat", "workflow": "eligibility", "strategy": "from-scratch"}
    flow, said = _read({**CONFIG, "PATH": path})
    assert flow.name == "eligibility_from_scratch"
    [row] = said
    assert "TW060 warning: 'interaction_type' has no effect" in row
    assert _read({**CONFIG, "PATH": {"domain": "billing"}})[0].name == "billing"
    assert _read(CONFIG, "a/intake-2.flow.json")[0].name == "intake_2"


def test_a_policy_that_a_form_follows_anyway_needs_no_word() -> None:
    usual = {
        "allow_user_delete_gate_keys": False,
        "allow_user_clear_values": True,
        "strict_classified_validation": True,
    }
    _form({**CONFIG, "POLICY": usual})
    other = {key: not value for key, value in usual.items()}
    said = [
        "TW060 warning: 'allow_user_delete_gate_keys' has no effect: an answer can be cleared, "
        "a question cannot be removed",
        "TW060 warning: 'allow_user_clear_values' has no effect: a user may always take an answer back",
        "TW060 warning: 'strict_classified_validation' has no effect: an answer that is no category is never stored",
        "TW010 a policy has no key 'strict'; known: allow_user_clear_values, allow_user_delete_gate_keys, "
        "strict_classified_validation",
    ]
    _form({**CONFIG, "POLICY": {**other, "strict": True}}, said=said)


@pytest.mark.requirement("004-75")
@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"gates": GATES}, ["TW013 the configuration needs 'gate_order', the keys of its gates in order"]),
        ({"gate_order": [], "gates": GATES}, ["TW045 the order is empty: no gate is ever asked"]),
        ({"gate_order": [FIRST]}, ["TW013 the configuration needs 'gates', and has none"]),
        ({"gate_order": [FIRST], "gates": None}, ["TW013 the configuration needs 'gates', and has none"]),
        ({**CONFIG, "gate_order": [FIRST, SECOND, "2_insurance"]},
         ["TW020 no gate is called '2_insurance'; did you mean '2_insurance_history'?"]),
        ({**CONFIG, "gate_order": [FIRST, FIRST, SECOND]}, [f"TW017 '{FIRST}' stands twice in the order; the first is in line 1"]),
        ({**CONFIG, "gate_order": [FIRST]}, [f"TW061 warning: '{SECOND}' is never asked: it is not in the order"]),
        ({"gate_order": ["a"], "gates": {"a": {}}}, ["TW013 the gate 'a' needs 'question'"]),
        ({"gate_order": ["a"], "gates": {"a": {"question": " "}}}, ["TW013 the gate 'a' needs 'question'"]),
        ({"gate_order": ["a"], "gates": {"a": "Who?"}},
         ["TW011 found 'Who?', expected a gate: a mapping of question, expected_categories, …",
          "TW013 the gate 'a' needs 'question'"]),
        ({"gate_order": "a", "gates": {"a": {"question": "Who?"}}},
         ["TW011 found 'a', expected a list of the keys of gates"]),
        ({"gate_order": ["a"], "gates": {"a": {"question": "Who?", "requird": True}}},
         ["TW010 a gate has no key 'requird'; did you mean 'required'?"]),
        ({**CONFIG, "gate_oder": []},
         ["TW010 a configuration of gates has no key 'gate_oder'; did you mean 'GATE_ORDER'?"]),
    ],
)  # fmt: skip
def test_a_configuration_that_does_not_fit_together_is_a_clear_error(document: Any, said: list[str]) -> None:
    found = [row.split(" ", 1)[1] for row in _read(document)[1]]
    assert [row for row in said if row not in found] == []


def test_places_are_those_of_the_configuration() -> None:
    text = json.dumps(CONFIG, indent=2)
    flow, _ = _read(text)
    form = flow.nodes[0].form
    assert form is not None
    question = form.fields[1]
    lines = text.splitlines()
    line, column = question.span.of("ask")[1:3]
    assert lines[line - 1][column - 1 :].startswith("Was the patient")
    stop = form.fields[0].stop
    assert stop is not None
    line, column = stop.span.of("values.1")[1:3]
    assert lines[line - 1][column - 1 :].startswith('Unknown"')


def test_the_flow_survives_writing() -> None:
    flow, _ = _read(CONFIG)
    assert read_document(write_yaml(flow), "a.yaml").flow == flow
