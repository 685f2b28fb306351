"""Configurations in JSON, each spoilt as people spoil them: a step, an agent of steps, gates, the rules of an introduction.

What is told has the line and the column of the slip, a code, and the nearest name.
"""

from __future__ import annotations

import json
import os

import pytest

from check.planting import ROOT
from turnwise.api.documents import check_text
from turnwise.api.open import load
from turnwise.flow.codec import write_flow

TUNING = ',\n  "GENERATION_CONFIG": {"temperature": 0}'
DOCUMENTS = {
    "step": (ROOT / "tests/flows/valid/step.json").read_text("utf-8"),
    "agent": (ROOT / "examples/thinking_partner/thinking_partner.json").read_text("utf-8"),
    "gates": (ROOT / "tests/flows/valid/gates.json").read_text("utf-8").replace(TUNING, ""),
    "rules": json.dumps(write_flow(load(ROOT / "tests/flows/health_intake.flow.yaml")), indent=2) + "\n",
}

Row = tuple[str, str, str, list[str]]
COMMA: list[Row] = [
    ("step", '"write_up",', '"write_up"', ['3:3: TW003 found \'"\', expected \',\' or \'}\'']),
    ("step", '"draft"]', '"draft",]', ["11:36: TW003 found ']', expected a value; no comma after the last one"]),
    ("agent", '"isDefault": true,', '"isDefault": true', ['14:9: TW003 found \'"\', expected \',\' or \'}\'']),
    ("gates", '"required": true,', '"required": true', ['8:7: TW003 found \'"\', expected \',\' or \'}\'']),
    ("gates", '"No", "Not sure"', '"No" "Not sure"', ['8:43: TW003 found \'"\', expected \',\' or \']\'']),
    ("rules", '"priority": 1,', '"priority": 1', ['67:11: TW003 found \'"\', expected \',\' or \'}\'']),
]  # fmt: skip
TYPE: list[Row] = [
    ("step", '"web_search"', "[7]", ['7:16: TW011 found a list, expected a text']),
    ("step", '["outline", "draft"]', "true", ['11:16: TW011 found true, expected a text; write it in quotes: "…"']),
    ("agent", '"isDefault": true', '"isDefault": "yes"', ["13:22: TW011 found 'yes', expected true or false"]),
    ("agent", '"window": 3', '"window": "three"', ["27:74: TW011 found 'three', expected a whole number of 1 or more"]),
    ("gates", '"required": true', '"required": "yes"', ["7:19: TW011 found 'yes', expected true or false"]),
    ("gates", '"Is the income regular?"', '["Is the income regular?"]', ["13:19: TW011 found a list, expected a text"]),
    ("rules", '"priority": 1', '"priority": "first"', ["66:23: TW011 found 'first', expected a whole number of 0 or more"]),
]  # fmt: skip
KEY: list[Row] = [
    ("step", '"description"', '"descripton"', ["3:3: TW010 a step has no key 'descripton'; did you mean 'description'?"]),
    ("step", '"name"', '"nam"', ["1:1: TW013 a step needs 'name'", "2:3: TW010 a step has no key 'nam'; did you mean 'name'?"]),
    ("step", '"allowed"', '"alowed"', ["11:5: TW010 availableTools has no key 'alowed'; did you mean 'allowed'?"]),
    ("agent", '"orchestration"', '"orchestrations"', ["7:3: TW010 a configuration has no key 'orchestrations'; did you mean 'orchestration'?"]),
    ("agent", '"steps"', '"step"', ['1:1: TW013 there are no steps in it', "9:5: TW010 an orchestration has no key 'step'; did you mean 'steps'?"]),
    ("gates", '"limiting_values": ["No"]', '"limiting_value": ["No"]', ["9:7: TW010 a gate has no key 'limiting_value'; did you mean 'limiting_values'?", "10:23: TW062 warning: 'stop_message' is never said: there are no limiting values"]),
    ("gates", '"GATE_ORDER"', '"GATE_ODER"', ["1:1: TW013 the configuration needs 'gate_order', the keys of its gates in order", "3:3: TW010 a configuration of gates has no key 'GATE_ODER'; did you mean 'GATE_ORDER'?"]),
    ("rules", '"because"', '"becuase"', ["65:11: TW010 a transition has no key 'becuase'; did you mean 'because'?"]),
]  # fmt: skip
TARGET: list[Row] = [
    ("step", '"tool_used"', '"tool_usd"', ["6:15: TW035 no condition has the type 'tool_usd'; did you mean 'tool_used'?"]),
    ("agent", '"value": "think"', '"value": "thnik"', ["37:22: TW021 no tool is called 'thnik'; did you mean 'think'?"]),
    ("agent", '["think", "list_generation"]', '["think", "list_generatoin"]', ["29:50: TW021 no tool is called 'list_generatoin'; did you mean 'list_generation'?"]),
    ("agent", '"sequence": ["summarize"', '"sequence": ["summarise"', ["48:23: TW021 no tool is called 'summarise'; did you mean 'summarize'?"]),
    ("gates", '"2_income", "purpose"]', '"2_incme", "purpose"]', ["3:35: TW020 no gate is called '2_incme'; did you mean '2_income'?", "12:5: TW061 warning: '2_income' is never asked: it is not in the order"]),
    ("gates", '"limiting_values": ["No"]', '"limiting_values": ["Noo"]', ["9:28: TW042 'Noo' is no answer to this question: That is not one of the options: Yes, No, Not sure."]),
    ("rules", '"to": "profiler"', '"to": "profilr"', ["82:18: TW012 transition goes to 'profilr', which no node is called; did you mean 'profiler'?"]),
    ("rules", '"user.age < 38"', '"user.aeg < 38"', ["72:25: TW031 'user' has no field 'aeg'; did you mean 'age'?"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "sound", "wrong", "expected"), [*COMMA, *TYPE, *KEY, *TARGET])
def test_a_slip_is_told_with_its_place_and_its_code(name: str, sound: str, wrong: str, expected: list[str]) -> None:
    assert sound in DOCUMENTS[name]
    found = check_text(DOCUMENTS[name].replace(sound, wrong, 1).encode(), f"{name}.json")
    assert [str(one).removeprefix(f"{name}.json:") for one in found] == expected


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_that_breaks_off_is_told_where(name: str) -> None:
    """Wherever it breaks off (every seventh place, each with `TURNWISE_SOAK=1`): at most the line and the column behind
    its last character.
    """
    content = DOCUMENTS[name].encode().rstrip()
    for length in range(1, len(content), 1 if os.environ.get("TURNWISE_SOAK") == "1" else 7):
        (found,) = check_text(content[:length], f"{name}.json")
        assert found.code in ("TW001", "TW003")
        assert 1 <= found.span.line <= content[:length].count(b"\n") + 1
        assert found.span.column >= 1
