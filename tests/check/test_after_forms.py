"""TW083: effects that may follow a form which was not finished as asked, and near misses."""

from __future__ import annotations

import pytest

from turnwise.api.documents import check_text

FLOW = """\
flow: shop
start: cart
records: {{cart: {{gift: boolean, size: {{type: choice, options: [S, L]}}}}}}
tools:
  pay: {{about: pay, kind: effect}}
  offer: {{about: pay after asking, kind: effect, confirm: true}}
  look: {{about: look something up}}
nodes:
  cart:
    form: {{fields: [{{field: cart.gift, ask: A gift?}}, {{field: cart.size, ask: Which size?}}], confirm: {{}}}}
    transitions: [{ways}]
  work: {{tool: {tool}, transitions: [{{to: bye}}, {{at: error, to: bye}}]}}
  text: {{say: One moment., transitions: [{{to: work}}]}}
  read: {{tool: look, transitions: [{{to: work}}, {{at: error, to: bye}}]}}
  pause: {{say: Shall I?, transitions: [{{at: before, when: turns > 0, to: work}}]}}
  bye: {{say: Goodbye., end: bye}}
"""
CONFIRMED = '{when: form.status == "confirmed", to: work}'
OTHERS = "{at: timer, in: 1h, to: text}, {at: timer, in: 2h, to: read}, {at: timer, in: 3h, to: pause}, "


def found(ways: str, tool: str = "pay", more: str = "") -> list[str]:
    """What the rule says, by transition."""
    document = FLOW.format(ways=OTHERS + ways, tool=tool) + more
    told = check_text(document.encode(), "f.yaml")
    assert not [one for one in told if one.severity == "error"], [*map(str, told)]
    return [one.message.partition(" ")[0].strip("'") for one in told if one.code == "TW083"]


@pytest.mark.parametrize(
    ("ways", "names"),
    [
        ("{id: on, to: work}", ["on"]),
        ("{id: gift, when: cart.gift, to: work}, {id: rest, to: bye}", ["gift"]),
        ("{id: gift, when: cart.gift, to: work}, {id: rest, to: text}", ["gift", "rest"]),
        ("{id: on, to: text}", ["on"]),
        ("{id: on, to: read}", ["on"]),
        ("{id: later, to: work, reply: next}", ["later"]),
        (f"{CONFIRMED}, {{id: always, any: true, to: work}}", ["always"]),
    ],
)
def test_an_effect_that_follows_a_form_by_omission(ways: str, names: list[str]) -> None:
    assert found(ways) == names


@pytest.mark.parametrize(
    "ways",
    [
        CONFIRMED,
        '{when: form.status == "cancelled", to: work}, {when: form.status != "confirmed", to: work}',
        '{when: form.status == "confirmed" && cart.gift, to: work}',
        "{when: \"form.status in ['confirmed'] || false\", to: work}",
        '{when: form.status == "stopped", to: work}',
        '{when: form.status != "cancelled", to: pause}',
        '{when: form.status != "cancelled", end: bye}',
        '{to: work}, {when: form.status == "cancelled", to: bye}',
        f"{CONFIRMED}, {{any: true, to: bye}}",
        "{to: bye}",
        "{to: pause}",
        "{when: cart.gift, end: gift}",
    ],
)
def test_near_misses(ways: str) -> None:
    assert found(ways) == []


PERSON = "was left for a person before its end"
GIFT = "write 'when: form.status == \"confirmed\" && cart.gift'"
CONFIRM = "write 'when: form.status == \"confirmed\"'"


@pytest.mark.parametrize(
    ("guard", "through", "hint"),
    [
        ('form.status != "cancelled"', PERSON, CONFIRM),
        ('!(form.status == "cancelled")', PERSON, CONFIRM),
        ('form.status == "cancelled" || cart.gift', f"was cancelled or {PERSON}", GIFT),
        ('cart.gift && form.status != "cancelled"', PERSON, GIFT),
        ('form.status == "confirmed" || cart.gift', f"was cancelled or {PERSON}", CONFIRM),
        ('form.status in ["confirmed", "handed_off"]', PERSON, CONFIRM),
        ("has(form.status)", f"was cancelled or {PERSON}", CONFIRM),
        (
            'form.status != "cancelled" && form.status != "handed_off" || cart.gift',
            f"was cancelled or {PERSON}",
            CONFIRM,
        ),
        (
            'form.status != "cancelled" && has(cart.size) && (cart.gift || form.status == "stopped")',
            PERSON,
            "write 'when: form.status == \"confirmed\" && has(cart.size) && cart.gift'",
        ),
        ('form.status == "cancelled" ? cart.gift : true', f"was cancelled or {PERSON}", CONFIRM),
    ],
)
def test_a_guard_that_reads_the_status_and_lets_an_unfinished_form_through(guard: str, through: str, hint: str) -> None:
    """Law 5.1: the guard is judged for each status in which the form may rest, whatever the fields are."""
    document = FLOW.format(ways=OTHERS + "{id: on, when: '" + guard.replace("'", "''") + "', to: work}", tool="pay")
    (told,) = [one for one in check_text(document.encode(), "f.yaml") if one.code == "TW083"]
    assert told.message == f"'on' leads to the effect 'pay' also where the form of 'cart' {through}"
    assert told.hint == hint


@pytest.mark.parametrize("target", ["work", "text", "read", "talk"])
def test_a_leaking_guard_is_found_over_nodes_that_do_not_wait_for_the_user(target: str) -> None:
    talk = "  talk: {prompt: Talk., collect: [cart.size], transitions: [{when: has(cart.size), to: work}]}\n"
    assert found('{id: on, when: form.status != "cancelled", to: ' + target + "}", more=talk) == ["on"]


def test_a_conversation_that_waits_for_another_answer_is_a_near_miss() -> None:
    talk = "  talk: {prompt: Talk., transitions: [{when: tools.used('look'), to: work}]}\n"
    assert found('{id: on, when: form.status != "cancelled", to: talk}', more=talk) == []


STOPS = "cart.gift, ask: A gift?, stop: {values: ['false'], say: Then not.}"


def test_only_the_statuses_that_the_form_may_have_count() -> None:
    def told(ways: str, *, form: str = "confirm: {}", fields: str = "cart.gift, ask: A gift?", head: str = "") -> str:
        document = FLOW.format(ways=OTHERS + ways, tool="pay").replace("confirm: {}", form)
        document = head + document.replace("cart.gift, ask: A gift?", fields)
        warned = [one for one in check_text(document.encode(), "f.yaml") if one.code == "TW083"]
        return "; ".join(f"{one.message.partition(' of ')[2]}: {one.hint}" for one in warned)

    safe = '{id: on, when: form.status != "cancelled" && form.status != "handed_off", to: work}'
    assert told(safe) == ""
    assert told(safe, fields=STOPS).startswith("'cart' was stopped by an answer: ")
    assert told('{id: on, when: form.status != "cancelled", to: work}', head="person: {queue: desk}\n") == ""
    handed = '{id: on, when: form.status == "handed_off", to: work}'
    assert told(handed) == ""
    assert told(handed, form="confirm: {}, handoff: desk") == (
        "'cart' was left for a person before its end: "
        "leave 'when' out: without the status it is judged only where the form finished as asked"
    )


def test_an_effect_that_the_user_approves_and_a_tool_that_only_reads_are_none() -> None:
    assert found("{to: work}", "offer") == []
    assert found("{to: work}", "look") == []


def test_a_transition_of_the_whole_flow_counts() -> None:
    assert found(CONFIRMED, more="transitions: [{id: all, any: true, to: work}]\n") == ["all"]
    assert found('{when: form.status == "cancelled", to: bye}', more="transitions: [{id: all, to: work}]\n") == []


def test_the_message_says_what_to_write() -> None:
    document = FLOW.format(ways=OTHERS + "{id: on, to: work}", tool="pay")
    told = [one for one in check_text(document.encode(), "f.yaml") if one.code == "TW083"]
    assert told[0].message == "'on' leads from the form of 'cart' to the effect 'pay', and nothing follows a cancel"
    assert told[0].hint is not None
    assert 'form.status == "confirmed"' in told[0].hint


def test_a_way_after_a_form_that_broke_off_is_not_behind_one_that_needs_an_answer() -> None:
    """The earlier way is no candidate after a cancel, so the later one with `any` is taken (TW050 would be false)."""
    flow = """
flow: f
start: ask
records: {u: {n: integer}}
nodes:
  ask:
    form: {fields: [{field: u.n, ask: N?}]}
    transitions: [{id: on, to: done}, {id: left, any: true, to: gone}]
  done: {end: done}
  gone: {end: gone}
"""
    assert "TW050" not in [one.code for one in check_text(flow.encode(), "f.yaml")]
    assert "TW050" in [one.code for one in check_text(flow.replace("any: true, ", "").encode(), "f.yaml")]
