"""Rules that read texts look at all of them: inside loops, in labels, in what is given to a scope or a tool."""

from __future__ import annotations

import pytest

from turnwise.api.documents import check_text

FLOW = """
flow: f
start: a
records: {user: {name: string, list: {type: list}}, extra: {note: string}, result: {mood: string}}
tools: {think: {args: {note: {type: string, optional: true}}}}
nodes:
  a:
    form: {fields: [{field: user.name, ask: Who?}]}
    transitions: [{at: after, when: user.name != "", to: b}]
  b:
    say: B.
    transitions:
      - {at: before, when: message.text == "go", call: survey}
      - {at: before, when: message.text == "think", to: c}
  c: {tool: {name: think}, transitions: [{at: after, end: c}]}
  survey:
    scope:
      input: {topic: {type: string, default: x}}
      returns: result
      start: survey_a
      transitions: [{at: timer, in: 1h, stay: true, say: Still there?}]
      nodes: {survey_a: {form: {fields: [{field: result.mood, ask: "How was {{ input.topic }}?"}]}}}
"""
PLACES = {
    "loop": ("say: B.", 'say: "{{ for one in [1, 2] }}{{ extra.note }}{{ end }}"'),
    "input of a scope": ("call: survey}", "call: survey, with: {topic: extra.note}}"),
    "arguments of a tool": ("{name: think}", "{name: think, with: {note: extra.note}}"),
}


def told(text: str) -> list[str]:
    return [str(one) for one in check_text(text.encode(), "f.yaml") if one.code == "TW058"]


@pytest.mark.parametrize("place", PLACES)
def test_a_field_that_nothing_fills_is_found_wherever_a_text_reads_it(place: str) -> None:
    assert told(FLOW) == []
    assert FLOW.count(PLACES[place][0]) == 1
    (found,) = told(FLOW.replace(*PLACES[place]))
    assert "'extra.note' is read here, and nothing fills it" in found
    assert told(FLOW.replace(PLACES[place][0], PLACES[place][1].replace("extra.note", "user.name"))) == []


def test_an_item_of_a_loop_is_no_field_of_a_record_with_its_name() -> None:
    say = 'say: "{{ for extra in user.list }}{{ extra.note }}{{ end }}"'
    assert not [one for one in told(FLOW.replace("say: B.", say)) if "extra.note" in one]


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("say: Still there?", "say: 'Still there, {{ \"Ada\" }}?'"),
        ("say: B.", "say: '{{ for one in user.list }}{{ \"Ada\" }}{{ end }}'"),
    ],
)
def test_a_constant_hole_is_found_in_ways_out_of_scopes_and_in_loops(was: str, now: str) -> None:
    assert FLOW.count(was) == 1
    found = [str(one) for one in check_text(FLOW.replace(was, now).encode(), "f.yaml") if one.code == "TW059"]
    assert [one for one in found if "reads nothing" in one], found
