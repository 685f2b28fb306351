"""Whatever stands in a configuration of steps or gates: reading never raises, and no key is dropped in silence."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from turnwise.authoring.document import read_document
from turnwise.authoring.yaml_text import write_yaml
from turnwise.core.link import link_with_diagnostics
from turnwise.flow.diagnostic import has_errors

KEYS = [
    "name", "description", "conditions", "availableTools", "allowed", "denied", "isDefault", "sequence", "steps", "type",
    "value", "window", "orchestration", "defaultStep", "tools", "personality", "prompt", "tool", "optional", "resetSequenceOn",
    "gate_order", "GATE_ORDER", "gates", "GATES", "question", "required", "expected_categories", "limiting_values",
    "stop_message", "button_config", "display_labels", "include_other", "other_button", "button_template", "label", "id",
    "POLICY", "allow_user_clear_values", "CONFIRMATION_BUTTONS", "PATH", "workflow", "strategy", "MODE", "yes", "edit",
]  # fmt: skip
WORDS = [
    "think",
    "a",
    "b",
    "tool_used",
    "sequence_match",
    "message_contains",
    "web_*",
    "Yes",
    "No",
    "1_a",
    "okay",
    "{{ x",
    "é ß",
]

leaves = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 99), st.floats(-5, 5), st.sampled_from(WORDS), st.text(max_size=4)
)
anything = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS + WORDS), inner, max_size=5),
    max_leaves=12,
)
tools = st.lists(st.sampled_from(WORDS), max_size=3) | anything
conditions = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from(WORDS)}, optional={"value": leaves, "window": leaves, "extra": leaves}
    ),
    max_size=2,
)
steps = st.fixed_dictionaries(
    {"name": st.sampled_from(WORDS) | leaves},
    optional={
        "description": anything, "conditions": conditions | anything, "sequence": tools, "isDefault": leaves, "prompt": leaves,
        "availableTools": st.fixed_dictionaries({}, optional={"allowed": tools, "denied": tools}) | anything, "other": anything,
    },
)  # fmt: skip
gates = st.fixed_dictionaries(
    {},
    optional={
        "question": leaves, "required": leaves, "expected_categories": tools, "limiting_values": tools, "stop_message": leaves,
        "button_config": st.fixed_dictionaries({}, optional={
            "display_labels": anything, "include_other": leaves, "other_button": anything, "button_template": anything,
        }) | anything, "other": anything,
    },
)  # fmt: skip
configurations = st.one_of(
    steps,
    st.lists(steps | anything, min_size=1, max_size=3),
    st.fixed_dictionaries(
        {"steps": st.lists(steps, max_size=3) | anything}, optional=dict.fromkeys(KEYS[-8:], anything)
    ),
    st.fixed_dictionaries({"orchestration": st.fixed_dictionaries({"steps": st.lists(steps, max_size=3)}) | anything}),
    st.fixed_dictionaries(
        {"gates": st.dictionaries(st.sampled_from(WORDS), gates, max_size=4) | anything},
        optional={
            "gate_order": tools,
            "POLICY": anything,
            "CONFIRMATION_BUTTONS": anything,
            "PATH": anything,
            "MODE": anything,
        },
    ),
    st.dictionaries(st.sampled_from(KEYS), anything, max_size=6),
)


@given(configurations)
def test_no_configuration_makes_it_raise(configuration: Any) -> None:
    text = json.dumps(configuration, indent=1)
    flow, diagnostics = read_document(text, "a.json")
    machine, more = link_with_diagnostics(flow)
    assert has_errors(diagnostics + more) or machine is not None
    assert all(1 <= d.span.line <= text.count("\n") + 1 for d in diagnostics)
    if not has_errors(diagnostics):
        assert read_document(write_yaml(flow), "a.yaml") == (flow, [])


@given(st.lists(steps, min_size=1, max_size=3))
def test_a_step_of_unknown_keys_is_told_about_each(configuration: list[dict[str, Any]]) -> None:
    messages = [d.message for d in read_document(json.dumps(configuration), "a.json").diagnostics]
    assert messages.count("a step has no key 'other'") == sum("other" in step for step in configuration)
