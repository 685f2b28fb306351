"""What a transition needs that reads answers which count only under a condition, and why such an answer is missing."""

from __future__ import annotations

import pytest

import turnwise as tw
from support.chats import flow_of
from support.why_cases import every, gives

FLOW = """
flow: f
start: a
records: {r: {kind: {type: choice, options: [firm, person]}, vat: string, city: string, age: {type: integer, default: 1}}}
nodes:
  a:
    form:
      fields:
        - {field: r.kind, ask: Kind?}
        - {field: r.vat, ask: VAT?, ask_when: 'r.kind == "firm"'}
        - {field: r.city, ask: City?}
    transitions:
      - {id: known, at: before, when: r.age > 1 && has(r.vat), to: b}
      - {id: other, at: before, when: 'r.age > 1 && r.vat == "x2"', to: b}
      - {id: never, at: before, when: 'r.age > 1 && r.kind == "person" && has(r.vat)', to: b}
      - {id: either, at: before, when: 'r.age > 9 || (r.age > 1 && has(r.vat))', to: b}
  b: {say: B.}
"""


def answered(*texts: str) -> tw.SyncChat:
    chat = tw.open_sync(flow_of(FLOW)).chat("a")
    chat.start()
    for text in texts:
        chat.say(text)
    return chat


def inactive() -> tw.SyncChat:
    """A conversation in which the VAT number was given, and does not count since the kind was changed."""
    chat = answered("firm", "x1")
    gives(kind="person")(chat)
    gives(age=2)(chat)
    return chat


FIRM = 'r.kind == "firm" (is person)'


@pytest.mark.parametrize(
    ("transition", "needs", "sentence"),
    [
        ("known", f" did not hold, because it needs {FIRM}", "I have “person” for kind, which stands against that."),
        ("other", f' did not hold, because it needs r.vat == "x2" (is x1), {FIRM}', None),
        ("never", " did not hold", None),
        ("either", " did not hold, because it needs r.age > 9 (is 2)", None),
    ],
)
def test_an_inactive_answer_counts_again_by_what_makes_it_active(
    transition: str, needs: str, sentence: str | None
) -> None:
    answer = inactive().why(transition)
    assert answer.line == f"{transition}{needs}"
    assert sentence in (None, answer.plain)


def test_each_way_is_one_that_the_form_allows() -> None:
    candidate = inactive().why("either").decisions[-1].candidate("either")
    assert candidate is not None
    ways = [{need.field: need.value for need in needs} for needs in candidate.needs]
    assert ways == [{"r.age": 10}, {"r.kind": "firm"}]


def test_an_answer_that_a_change_would_make_inactive_is_no_part_of_a_way() -> None:
    assert answered("firm", "x1").why("never").line == "never did not hold"


def test_a_missing_answer_that_is_kept_says_since_when_it_does_not_count() -> None:
    facts = every(inactive().why("known"))
    missing = next(fact for fact in facts if fact.kind == "value_missing")
    assert [(one.kind, one.turn) for one in missing.causes] == [("field_shelved", 4)]
