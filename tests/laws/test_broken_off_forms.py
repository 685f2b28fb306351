"""Law 5.1: after a cancel, a stop value or a wish for a person nothing follows that does not read the form's status."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import turnwise as tw
from support.chats import Talk, problems_of, talk

FLOW = """
    flow: seeds
    start: order
    commands: [why]
    language: {language}
    records: {{order: {{kind: {{type: choice, options: [Rye, Oats, None]}}, sacks: integer}}}}
    nodes:
      order:
        form:
          fields:
            - {{field: order.kind, ask: Which seed?, stop: {{values: [None], say: Nothing then.}}}}
            - {{field: order.sacks, ask: How many sacks?}}
          confirm: {{}}{more}
        {ways}
      send: {{say: Sent., end: sent}}
      bye: {{say: Goodbye., end: bye}}
"""


@tw.guard
def is_rye(order: Any) -> bool:
    """True if rye is ordered, and where nothing is known."""
    return order.kind != "Oats"


@tw.guard(to=["send", "bye"])
def route(order: Any) -> str:
    """Where an order goes."""
    return "send" if order.kind else "bye"


def order(ways: str, *said: str, language: str = "en", guards: Sequence[Any] = ()) -> tuple[Talk, Any]:
    """A conversation in which a user says this, and its last turn."""
    made = talk(FLOW.format(ways=ways, more="", language=language), *guards)
    turn = made.chat.start()
    for text in said:
        turn = made.chat.say(text)
    return made, turn


LEFT = [
    ("rye", "3", "cancel"),
    ("cancel",),
    ("rye", "stop"),
    ("none",),
    ("rye", "3", "talk to a human"),
    ("rye", "I want to speak to a person"),
]


@pytest.mark.law("5.1")
@pytest.mark.parametrize("said", LEFT, ids=" ".join)
@pytest.mark.parametrize(
    "ways",
    [
        "transitions: [{id: on, to: send}]",
        "transitions: [{id: on, to: send, reply: next}]",
        'transitions: [{id: on, when: order.kind != "Oats" || !has(order.kind), to: send}]',
        "transitions: [{id: on, guard: is_rye, to: send}]",
        "transitions: [{guard: route}]",
        "transitions: [{id: on, end: sent}]",
        "once: send",
        "end: sent",
    ],
)
def test_nothing_follows_a_form_that_broke_off(ways: str, said: tuple[str, ...]) -> None:
    guards = [{"is_rye": is_rye, "route": route}[name] for name in ("is_rye", "route") if name in ways]
    made, turn = order(ways, *said, guards=guards)
    after = made.chat.say("hello again") if not turn.outcome else turn
    assert turn.state.node == "order"
    assert (after.outcome or "") in ("", "handed_off")
    assert all(one.code is None or one.code.call == "not_called" for d in turn.decisions for one in d.candidates)


@pytest.mark.law("5.1")
@pytest.mark.parametrize(
    "ways",
    [
        "transitions: [{id: on, any: true, to: send}]",
        "transitions: [{id: on, any: true, guard: is_rye, to: send}]",
        'transitions: [{id: on, when: form.status != "confirmed", to: send}]',
        'transitions: [{id: on, when: \'form.status in ["cancelled", "stopped", "handed_off"]\', to: send}]',
    ],
)
@pytest.mark.parametrize("said", LEFT, ids=" ".join)
def test_a_transition_that_names_the_status_or_any_follows(ways: str, said: tuple[str, ...]) -> None:
    guards = [is_rye] if "is_rye" in ways else []
    _, turn = order(ways, *said, guards=guards)
    assert turn.taken == ("on",)


@pytest.mark.law("5.1")
@pytest.mark.parametrize("more", ["", ", handoff: planner"])
def test_a_confirmed_form_leads_on_whether_or_not_it_is_handed_over(more: str) -> None:
    flow = FLOW.replace("{more}", "\n          handoff: planner" if more else "")
    made = talk(flow.format(ways="transitions: [{id: on, to: send}]", language="en"))
    made.chat.start()
    for text in ("rye", "3", "yes"):
        turn = made.chat.say(text)
    assert turn.taken == ("on",)


@pytest.mark.law("5.1")
def test_a_form_without_confirmation_leads_on_where_it_is_complete() -> None:
    made = talk(
        FLOW.format(ways="transitions: [{id: on, to: send}]", more="", language="en").replace("confirm: {}", "")
    )
    made.chat.start()
    made.chat.say("rye")
    assert made.chat.say("3").taken == ("on",)


@pytest.mark.law("5.1")
@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("cancel", "the form was cancelled"),
        ("none", "the form was stopped"),
        ("talk to a human", "the form was handed over before it was confirmed"),
    ],
)
def test_trace_explanation_and_why_say_what_was_not_judged(said: str, why: str) -> None:
    made, turn = order("transitions: [{id: on, to: send}]", said)
    decision = turn.decisions[-1]
    (candidate,) = decision.candidates
    assert (candidate.outcome, candidate.by) == ("not_reached", why)
    assert decision.line == f"stayed in order: {why}, and no transition reads form.status"
    assert f"on was not judged, because {why}" in str(made.chat.why("on"))


@pytest.mark.law("5.1")
@pytest.mark.parametrize(
    ("language", "said", "text"), [("en", "cancel", "because you wanted to"), ("de", "abbrechen", "")]
)
def test_a_user_who_asks_why_hears_of_the_cancel(language: str, said: str, text: str) -> None:
    made, _ = order("transitions: [{id: on, to: send}]", said, language=language)
    assert text in made.chat.why("on").plain
    assert "before that" not in made.chat.why("on").plain


@pytest.mark.law("5.1")
def test_what_is_supposed_of_a_cancelled_form_runs_nothing_either() -> None:
    made, _ = order("transitions: [{id: on, when: order.sacks > 5, to: send}]", "rye", "3", "cancel")
    assert made.chat.what_if(values={"order.sacks": 9}).otherwise == ()


@pytest.mark.law("5.1")
@pytest.mark.parametrize("way", ["{at: before, any: true, to: bye}", "{at: error, any: true, to: bye}"])
def test_any_is_for_what_follows_a_form(way: str) -> None:
    problems = problems_of(FLOW.format(ways=f"transitions: [{way}]", more="", language="en"))
    assert any(one.startswith("TW041 'any' works at 'after' of a form only") for one in problems)
    problems = problems_of(
        FLOW.format(ways="end: x", more="", language="en").replace(
            "say: Sent., end: sent", "say: Sent., transitions: [{any: true, to: bye}]"
        )
    )
    assert any(one.startswith("TW041 'any'") for one in problems)
