"""A value that stood against a move is not drawn as its cause."""

from __future__ import annotations

from typing import Any

import pytest

from support.whys import of_kind, played
from turnwise.why import Answer


def values_of(answer: Answer) -> set[str]:
    """The fields whose values an answer has as causes."""
    return {str(one.values["name"]) for one in of_kind(answer, "value_read") + of_kind(answer, "value_missing")}


def asked(guard: str, *answers: str) -> Any:
    """A conversation whose form asks for two numbers, and then judges a guard."""
    text = f"""
    records: {{u: {{n: integer, m: integer}}}}
    nodes:
      a:
        form: {{fields: [{{field: u.n, ask: N?}}, {{field: u.m, ask: M?}}]}}
        transitions: [{{id: way, when: '{guard}', to: b}}, {{id: other, to: c}}]
      b: {{say: B, end: b}}
      c: {{say: C, end: c}}
    """
    return played(text.replace("\n    ", "\n"), *answers)


@pytest.mark.parametrize(
    ("guard", "answers", "decided"),
    [
        ("u.n > 5 || u.m > 5", ("9", "2"), {"u.n"}),
        ("u.n > 5 || u.m > 5", ("9", "9"), {"u.n", "u.m"}),
        ("u.n > 5 && u.m > 5", ("9", "9"), {"u.n", "u.m"}),
        ("u.n > 5 && u.m < 2 || u.m > 3", ("3", "5"), {"u.m"}),
        ("!(u.n > 5 && u.m > 5)", ("9", "2"), {"u.m"}),
        ("u.n > 5 ? u.m > 5 : u.m < 0", ("9", "9"), {"u.n", "u.m"}),
    ],
)
def test_only_the_values_that_made_a_guard_hold_are_causes_of_the_move(
    guard: str, answers: tuple[str, str], decided: set[str]
) -> None:
    chat = asked(guard, *answers)
    for subject in ("way", "b", "end"):
        assert values_of(chat.why(subject)) == decided


def test_what_a_move_that_was_not_made_read_is_listed_whole_what_is_in_its_way_first() -> None:
    read = asked("u.n > 5 && u.m > 5", "9", "2").why("way").facts[0].causes
    assert [one.values["name"] for one in read if one.kind == "value_read"] == ["u.m", "u.n"]


DESK = """
records: {ticket: {topic: {type: choice, options: [VPN, Printer]}}}
nodes:
  a: {form: {fields: [{field: ticket.topic, ask: What?}]}, transitions: [{to: desk}]}
  desk:
    person: {queue: it}
    transitions:
      - {id: vpn, when: 'ticket.topic == "VPN"', to: v}
      - {id: printer, when: 'ticket.topic == "Printer"', to: p}
  v: {say: V, end: v}
  p: {say: P, end: p}
"""


@pytest.mark.parametrize("chosen", ["printer", "vpn"])
def test_what_a_person_chose_has_the_person_as_its_cause_and_no_value(chosen: str) -> None:
    chat = played(DESK, "VPN")
    chat.take_over("Lena")
    chat.give_back(transition=chosen)
    for subject in (chosen, chosen[0], "end"):
        answer = chat.why(subject)
        (decided, *_) = of_kind(answer, "decided")
        assert of_kind(answer, "person_gave_back")
        assert not [one for one in decided.walk() if one.kind == "value_read"]


def test_what_the_machine_chose_after_a_person_has_the_value() -> None:
    chat = played(DESK, "VPN")
    chat.take_over("Lena")
    chat.give_back()
    assert values_of(chat.why("vpn")) == {"ticket.topic"}
