"""What a model sends as text: JSON of the declared type is read as such, and nothing is split."""

from __future__ import annotations

from typing import Any

import pytest

from support.chats import OneSyncChat, flow_of
from turnwise.core.state import events as e
from turnwise.models.scripted import ScriptedModel, understood_reply
from turnwise.runner.model_port import CallMade, ModelReply

PLAN = """
    flow: garden
    start: plan
    records:
      bed:
        plants: {type: list, of: string}
        rows: {type: list, of: integer}
        spots: {type: list, options: [sun, shade, "half, half"]}
        width: number
        raised: boolean
        since: date
    tools:
      sow:
        about: sow them
        kind: effect
        args:
          plants: {type: list, of: string, optional: true}
          rows: {type: list, of: integer, optional: true}
          spots: {type: list, options: [sun, shade, "half, half"], optional: true}
          width: {type: number, optional: true}
          depth: {type: number, min: 0, max: 9, optional: true}
          widths: {type: list, of: number, optional: true}
          soil: {type: choice, options: [none, Sand], optional: true}
          raised: {type: boolean, optional: true}
          since: {type: date, optional: true}
          note: {type: string, optional: true}
    nodes: {plan: {prompt: Plan it., reads: [bed], writes: [bed], tools: {allow: [sow]}}}
"""
NUMBER = "Send it as a JSON number, without quotes."
SAME = object()
REFUSED = object()
VALUES: list[tuple[str, Any, Any]] = [
    ("plants", '["kale", "rue"]', ["kale", "rue"]),
    ("plants", ' [ "kale" ,\n "rue" ] ', ["kale", "rue"]),
    ("plants", '"[\\"kale\\", \\"rue\\"]"', ["kale", "rue"]),
    ("plants", '["salt & pepper, mixed"]', ["salt & pepper, mixed"]),
    ("plants", ["rose and rue", "Miller, Anna"], SAME),
    ("plants", "rose and rue", ["rose and rue"]),
    ("plants", "salt & pepper", ["salt & pepper"]),
    ("plants", '"kale"', ["kale"]),
    ("plants", "2024", ["2024"]),
    ("plants", "[]", []),
    ("plants", "kale, rue", REFUSED),
    ("plants", "Miller, Anna", REFUSED),
    ("plants", "kale\nrue", REFUSED),
    ("plants", "kale; rue", REFUSED),
    ("plants", "['kale', 'rue']", REFUSED),
    ("plants", '["kale", "rue"', REFUSED),
    ("plants", "[kale]", REFUSED),
    ("plants", '{"0": "kale"}', REFUSED),
    ("plants", "null", REFUSED),
    ("plants", '[["kale"]]', REFUSED),
    ("plants", ['["kale", "rue"]'], ["kale", "rue"]),
    ("plants", '["[\\"kale\\", \\"rue\\"]"]', ["kale", "rue"]),
    ("plants", [" [] "], []),
    ("plants", ['["kale"]', "rue"], REFUSED),
    ("plants", ["['kale', 'rue']"], REFUSED),
    ("plants", ["[kale, rue]"], REFUSED),
    ("plants", ['{"plants": ["kale"]}'], REFUSED),
    ("plants", ["{'name': 'kale'}"], REFUSED),
    ("plants", ['[["kale"]]'], REFUSED),
    ("plants", ["[kale]", "{{ rue }}", "[x] mint, dried"], SAME),
    ("plants", "none", REFUSED),
    ("plants", "None", REFUSED),
    ("plants", "n/a", REFUSED),
    ("plants", ["none"], REFUSED),
    ("plants", ["kale", "null"], REFUSED),
    ("plants", ["kale", "none of these"], SAME),
    ("plants", [], SAME),
    ("rows", ["[1, 2]"], [1, 2]),
    ("rows", ["none"], REFUSED),
    ("rows", [1, "null"], REFUSED),
    ("widths", ["1.5", 2], [1.5, 2.0]),
    ("widths", ["1.000"], REFUSED),
    ("widths", "[1.25, 2]", [1.25, 2.0]),
    ("widths", "5,50", REFUSED),
    ("spots", ['["sun", "shade"]'], ["sun", "shade"]),
    ("soil", "none", "none"),
    ("soil", "SAND", "Sand"),
    ("soil", "null", REFUSED),
    ("rows", "[1, 2]", [1, 2]),
    ("rows", '["1", "2"]', [1, 2]),
    ("rows", "3", [3]),
    ("rows", "1, 2", REFUSED),
    ("rows", '["one"]', REFUSED),
    ("spots", "half, half", ["half, half"]),
    ("spots", '["SUN", "half, half"]', ["sun", "half, half"]),
    ("spots", "sun, shade", REFUSED),
    ("width", "2.5", 2.5),
    ("width", '"2.5"', 2.5),
    ("width", "1e3", 1000.0),
    ("width", "1.234", REFUSED),
    ("width", "1,234", REFUSED),
    ("width", '"1.000"', REFUSED),
    ("width", "-1.000", REFUSED),
    ("width", "5,50", REFUSED),
    ("width", "0,5", REFUSED),
    ("width", 1.234, SAME),
    ("width", "1.2340", 1.234),
    ("width", "0.125", 0.125),
    ("width", "1.234,56", 1234.56),
    ("width", "1,234.56", 1234.56),
    ("width", "1.234.567", 1234567.0),
    ("width", "5 EUR", REFUSED),
    ("width", "€5", REFUSED),
    ("width", "none", REFUSED),
    ("width", "", REFUSED),
    ("depth", "1.234", 1.234),
    ("depth", "1,234", 1.234),
    ("width", "[2]", REFUSED),
    ("width", "null", REFUSED),
    ("raised", "true", True),
    ("raised", '"false"', False),
    ("raised", "yes", True),
    ("raised", "null", REFUSED),
    ("raised", "None", REFUSED),
    ("raised", "[true]", REFUSED),
    ("since", '"2026-01-09"', "2026-01-09"),
    ("since", "24.12.2026", "2026-12-24"),
    ("since", "03/04/2026", REFUSED),
    ("since", "null", REFUSED),
    ("note", "null", REFUSED),
    ("note", " undefined ", REFUSED),
    ("note", "Null", SAME),
    ("note", "none", SAME),
    ("note", "null and void", SAME),
    ("note", "", SAME),
    ("note", '["kale", "rue"]', SAME),
    ("note", '"quoted"', SAME),
]
IDS = [f"{name}-{value}" for name, value, _ in VALUES]


def sow(**_: Any) -> str:
    return "sown"


@pytest.mark.law("3.6")
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("name", "value", "wanted"), VALUES, ids=IDS)
def test_an_argument_of_a_call(name: str, value: Any, wanted: Any, language: str) -> None:
    model = ScriptedModel([ModelReply(calls=(CallMade("sow", {name: value}),)), "Done."])
    text = PLAN.replace("flow: garden", f"flow: garden\n    language: {language}")
    with OneSyncChat(flow_of(text), tools={"sow": sow}, model=model) as chat:
        turn = chat.say("sow it")
    asked = [one.effect.arguments for one in turn.events if isinstance(one, e.EffectAsked) and hasattr(one.effect, "tool")]  # fmt: skip
    refused = [one for one in turn.events if isinstance(one, e.CallRefused)]
    if wanted is REFUSED:
        assert not asked
        assert refused[0].text.startswith(f"{name}: ")
    else:
        assert not refused
        assert asked == [{name: value if wanted is SAME else wanted}]


TEXTS = [
    ("width", "1.000", "width: That may be 1000 or 1.0. Please write it in one of these ways. " + NUMBER),
    ("width", "5,50", "width: That may be 550 or 5.5. Please write it in one of these ways. " + NUMBER),
    ("note", "null", "note: the text 'null' is no value: send null, or leave it out"),
    ("plants", "none", "plants: the text 'none' is no value: send [], or leave it out"),
    ("plants", ['["kale"]', "rue"], 'plants: That is not a list. ["…", "…"]'),
]


@pytest.mark.law("3.6")
@pytest.mark.parametrize(("name", "value", "text"), TEXTS)
def test_the_reason_of_a_refusal_goes_to_the_model_and_into_the_journal(name: str, value: Any, text: str) -> None:
    model = ScriptedModel([ModelReply(calls=(CallMade("sow", {name: value}),)), "Done."])
    with OneSyncChat(flow_of(PLAN), tools={"sow": sow}, model=model) as chat:
        turn = chat.say("sow it")
    (refused,) = [one for one in turn.events if isinstance(one, e.CallRefused)]
    assert (refused.reason, refused.text) == ("arguments", text)
    assert model.calls[-1].transcript[-1].result == {"success": False, "error": text}


WRITES: list[tuple[dict[str, Any] | str, dict[str, Any] | None]] = [
    ({"set": {"plants": '["kale", "rue"]'}}, {"bed.plants": ["kale", "rue"]}),
    ({"set": '{"plants": ["kale"], "width": 2}'}, {"bed.plants": ["kale"], "bed.width": 2}),
    ({"set": {"plants": "rose and rue"}}, {"bed.plants": ["rose and rue"]}),
    ({"set": {"plants": "kale, rue"}}, None),
    ({"set": {"rows": "[1, 2]"}}, {"bed.rows": [1, 2]}),
    ({"set": "width = 2"}, None),
    ({"add": {"plants": '["kale", "rue"]'}}, {"bed.plants": ["kale", "rue"]}),
    ({"set": {"plants": ['["kale", "rue"]']}}, {"bed.plants": ["kale", "rue"]}),
    ({"add": {"plants": ['["kale", "rue"]']}}, {"bed.plants": ["kale", "rue"]}),
    ({"add": {"plants": ['["kale"]', "rue"]}}, None),
    ({"add": {"plants": "none"}}, None),
    ({"set": {"plants": "none"}}, None),
    ({"set": {"width": "1.000"}}, None),
    ({"set": {"width": "null"}}, None),
    ({"add": {"plants": "Miller, Anna"}}, {"bed.plants": ["Miller, Anna"]}),
    ({"add": '{"rows": "[4]"}'}, {"bed.rows": [4]}),
    ({"data": {"raised": "true"}}, {"bed.raised": True}),
]


@pytest.mark.law("4.4")
@pytest.mark.parametrize(("arguments", "wanted"), WRITES, ids=[str(one) for one, _ in WRITES])
def test_a_write_of_a_record(arguments: Any, wanted: dict[str, Any] | None) -> None:
    model = ScriptedModel([ModelReply(calls=(CallMade("write_bed", arguments),)), "Done."])
    with OneSyncChat(flow_of(PLAN), model=model) as chat:
        turn = chat.say("plan it")
    assert {one.field: one.value for one in turn.events if isinstance(one, e.FieldSet)} == (wanted or {})


UNDERSTOOD: list[tuple[Any, list[str] | None]] = [
    ('["rose and rue", "kale"]', ["rose and rue", "kale"]),
    (["rose and rue"], ["rose and rue"]),
    ("['rose', 'kale']", None),
]


@pytest.mark.law("7.1")
@pytest.mark.parametrize(("value", "wanted"), UNDERSTOOD, ids=[str(one) for one, _ in UNDERSTOOD])
def test_a_value_that_a_model_understood(value: Any, wanted: list[str] | None) -> None:
    text = PLAN.replace("reads: [bed], writes: [bed]", "collect: [bed.plants]")
    said = "plant [\"rose and rue\", \"kale\"] or ['rose', 'kale']"
    reading = understood_reply({"command": "set", "field": "bed.plants", "value": value, "words": said})
    with OneSyncChat(flow_of(text), model=ScriptedModel([reading, "Well."], understands=True)) as chat:
        turn = chat.say(said)
    found = [one.value for one in turn.events if isinstance(one, e.FieldSet)]
    assert found == ([wanted] if wanted is not None else [])
