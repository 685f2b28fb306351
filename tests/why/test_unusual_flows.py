"""Why in flows that combine what the examples do not: derived fields without a base, work that was never begun, skipped
questions, validators over other fields, guards in error, items in earlier turns, timers of a second visit, nobody came.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

import turnwise as tw
from support.why_cases import Talk, gives
from support.whys import Asked, Chat, check, lines_of, table

# fields ---------------------------------------------------------------------------------------------

DOOR = """
flow: door
start: door
records:
  r:
    age: {type: integer, about: your age}
    kids: {type: integer, about: how many children, validate: "r.kids < r.age", refuse: Too many.}
    tags: {type: list, options: [a, b], about: tags}
    adult: {type: boolean, value: r.age >= 18}
    senior: {type: boolean, value: r.adult && r.age > 60}
    prices: {type: list, of: number, about: prices}
    count: {type: integer, about: count}
nodes:
  door:
    form:
      fields:
        - {field: r.kids, ask: Children?}
        - {field: r.tags, ask: Tags?, required: false}
        - {field: r.age, ask: Age?, required: false}
      confirm: {}
    transitions:
      - {id: kid, at: before, when: "!r.adult", because: under age, to: out}
      - {id: elder, at: before, when: r.senior, to: out}
      - {id: dear, at: before, when: "r.prices.exists(p, p > 90)", to: out}
      - {id: odd, at: before, when: 100 / r.count > 5, to: out}
  out:
    say: Sorry.
    transitions: [{id: again, at: before, when: message.text == "again", to: door}]
"""


def derived() -> Chat:
    """Nothing is known from which the derived fields are computed."""
    return Talk(DOOR).did("hi").chat


def refused() -> Chat:
    """The validator of a field reads another one."""
    return Talk(DOOR).did(gives(age=30), "31").chat


def skipped() -> Chat:
    """The user skips a question after an answer to it was not understood."""
    return Talk(DOOR).did("hi", "3", "forty", "skip").chat


def priced() -> Chat:
    """The list is judged in turn 2; then the node is left, and the list changes."""
    return Talk(DOOR).did("hi", gives(prices=[10, 60]), gives(age=9), gives(prices=[10, 95])).chat


def divided() -> Chat:
    """A guard divides by zero."""
    return Talk(DOOR).did("hi", gives(count=0)).chat


FIELDS = {"derived": derived, "refused": refused, "skipped": skipped, "priced": priced, "divided": divided}
ASKED_FIELDS = [
    Asked("derived", "r.adult", "computed from other fields, of which r.age has no value", "field_empty"),
    Asked("derived", "r.senior", "of which r.adult and r.age have no value", "field_empty"),
    Asked("derived", "kid", "kid did not hold", tells=("    value_missing: r.age had no value",)),
    Asked("refused", "r.kids", "the validator r.kids < r.age does not hold: r.age is 30; the reply was “Too many.”"),
    Asked("skipped", "r.tags", "it is optional and was skipped", "field_empty", ("not_understood",)),
    Asked("skipped", "r.tags", "was not understood", "field_empty", turn=3),
    Asked("priced", "dear", "dear was not judged in turn 4", tells=("none of its 2 items meet the condition",)),
    Asked("priced", "dear", "dear did not hold", tells=("none of its 2 items",), turn=2),
    Asked("divided", "odd", "odd is in error, because its guard failed (a division by zero); it needs 100 / r.count"),
]


@table(FIELDS, ASKED_FIELDS)
def test_the_value_that_decided_is_said(play: Callable[[], Chat], asked: Asked) -> None:
    check(play(), asked)


def test_the_user_hears_what_a_derived_value_lacks_and_what_was_skipped() -> None:
    chat = derived()
    assert chat.why("r.adult").plain == "I do not know adult yet. I could not work out adult without your age."
    assert chat.why("kid").plain == "That needs your age, which I do not know yet."
    assert skipped().why("r.tags").plain == "I do not ask for tags again because you left it out."


def test_the_same_value_set_again_is_no_value_before() -> None:
    chat = Talk(DOOR).did("hi", gives(age=30), gives(age=30)).chat
    assert chat.why("r.age").plain == "I have “30” for your age because it was entered outside this chat."


# work and moves -------------------------------------------------------------------------------------

PAY = """
flow: pay
start: talk
person: {queue: desk, timeout: 20m}
records: {r: {sum: {type: integer, about: amount}, ref: string}}
tools:
  send: {about: send it, kind: effect, args: {sum: {type: integer, max: 500}}}
nodes:
  talk:
    prompt: Talk.
    collect: [r.sum]
    transitions:
      - {id: known, at: after, when: has(r.sum), because: the amount is known, to: pay}
      - {id: nudge, at: timer, in: 10m, because: nothing was said, to: wait}
  pay:
    tool: {name: send, with: {sum: r.sum}, into: r}
    transitions:
      - {id: paid, to: done}
      - {id: wrong, at: error, when: errors > 0, to: desk}
  desk:
    person: {queue: desk}
    transitions: [{id: helped, when: person.outcome == "ok", to: done}, {id: alone, to: sorry}]
  wait: {say: Hello?, transitions: [{id: back, when: turns > 0, because: they came back, to: talk}]}
  sorry: {say: Sorry., end: sorry}
  done: {say: Done., end: done}
"""


def sent(sum: int) -> dict[str, str]:  # noqa: A002
    return {"ref": f"R{sum}"}


def too_much() -> Chat:
    """The arguments of the node's tool are refused before it is called; nobody comes to help."""
    talk = Talk(PAY, ["Well."] * 9, tools={"send": sent}).did("hi", gives(sum=600))
    return talk.did(talk.later(1300), lambda chat: chat.fire("person timeout")).chat


def copied() -> Chat:
    """In a copy, the node's tool is not called."""
    talk = Talk(PAY, ["Well."] * 9, tools={"send": sent}).did("hi")
    copy = talk.chat.fork("copy")
    gives(sum=5)(copy)
    return copy


def came_back() -> Chat:
    """The timer came due on the first visit, and is armed again on the second."""
    talk = Talk(PAY, ["Well."] * 9, tools={"send": sent}).did("hi")
    return talk.did(talk.later(600), lambda chat: chat.fire("nudge"), "here").chat


MOVES = {"too much": too_much, "copied": copied, "came back": came_back}
WRONG = "the call of send was refused (arguments): sum: That is more than 500; sum was 600, bound 500"
ASKED_MOVES = [
    Asked("too much", "send", WRONG, "call_refused", ("node_left: talk → pay by known",), turn=2),
    Asked("too much", "send", WRONG, "call_refused", ("tool_never_used", "its call in turn 2 was refused")),
    Asked("too much", "wrong", "error: pay → desk by wrong", tells=("errors was 1", "call_refused"), turn=2),
    Asked("too much", "sorry", "desk → sorry by alone", tells=("nobody_came",)),
    Asked("copied", "send", "the call of send was refused (fork): 'send' changes the world", "call_refused"),
    Asked("came back", "nudge", "the timer nudge is armed since turn 3", tells=("it came due before, in turn 2",)),
    Asked("came back", "nudge", "the timer nudge is armed since turn 1", never=("came due before",), turn=1),
]


@table(MOVES, ASKED_MOVES)
def test_what_happened_without_an_event_of_its_own_is_said(play: Callable[[], Chat], asked: Asked) -> None:
    check(play(), asked)


def test_the_user_hears_the_reason_for_this_move_and_not_for_an_earlier_one() -> None:
    chat = too_much()
    for question in ("desk", "end", "turn 3", "alone", "sorry"):
        assert chat.why(question).plain == "Nobody came in time, so I went on.", question


def test_a_message_that_was_too_long_reached_its_limit() -> None:
    chat = Talk(PAY.replace("start: talk", "start: talk\nlimits: {message_chars: 100}"), ["Well."]).did("hi").chat
    assert chat.say("x" * 101).refused == "message_too_long"
    answer = chat.why("message_chars")
    assert answer.facts[0].kind == "event_refused"
    assert "it was longer than the limit of 100 characters" in answer.line
    assert "100" in answer.plain


def test_a_turn_of_the_program_and_a_form_that_was_not_reached_have_a_sentence() -> None:
    talk = Talk(PAY.replace("    collect: [r.sum]\n", ""), ["Well."], tools={"send": sent}).did(
        "hi", lambda chat: chat.tool_used("send", {"sum": 4})
    )
    assert talk.chat.why("turn 2").plain == "That was done outside this chat."
    form = "later: {form: {fields: [{field: r.sum, ask: How much?}]}}"
    chat = Talk(PAY + f"  {form}\n", ["Well."]).did("hi").chat
    assert chat.why("form later").plain == "We have not come to that."


# answers that are kept ------------------------------------------------------------------------------

FIRM = """
flow: firm
start: ask
records:
  p:
    kind: {type: string, options: [firm, private], about: kind}
    vat: {type: string, about: the VAT number, pattern: "[A-Z]{2}[0-9]{6}"}
    ref: {type: string, about: reference}
nodes:
  ask:
    form:
      fields:
        - {field: p.kind, ask: Kind?}
        - {field: p.vat, ask: VAT?, ask_when: p.kind == "firm"}
        - {field: p.ref, ask: Reference?, ask_when: RULE}
      confirm: {}
"""


@pytest.mark.parametrize("rule", ['p.kind == "firm" && has(p.vat)', "has(p.vat)"])
def test_an_inactive_answer_need_not_be_given_again(rule: str) -> None:
    chat = Talk(FIRM.replace("RULE", f"'{rule}'")).did("hi", "firm", "DE123456", "A 1").chat
    chat.commands([tw.commands.Set(field="p.kind", value="private")])
    condition = chat.why("p.ref").facts[0].causes[0]
    assert condition.values["needs"] == "p.kind = firm"
    chat.commands([tw.commands.Set(field="p.kind", value="firm")])
    assert chat.state().values["p.ref"].value == "A 1"


def test_a_value_is_not_said_to_come_from_itself() -> None:
    flow = """
flow: counted
start: talk
records: {r: {n: {type: integer, about: tries}}}
nodes:
  talk: {say: Hello., transitions: [{id: more, at: before, when: r.n < 3, set: {r.n: r.n + 1}, to: kept}]}
  kept: {say: Kept., transitions: [{id: back, when: message.text == "back", to: talk}]}
"""
    chat = Talk(flow).did("hi", gives(n=2)).chat
    assert chat.why("r.n").plain == "I have “3” for tries. Before that it was “2”."
    chat.commands([tw.commands.Set(field="r.n", value=7)])
    assert chat.why("r.n", turn=2).plain == "I had “3” for tries. Before that it was “2”."


def test_that_a_transition_was_not_judged_is_said_once() -> None:
    answer = Talk(DOOR).did("hi", gives(age=9), "more").chat.why("kid")
    told = lines_of(answer)
    assert (answer.facts[0].kind, told.count("was not judged")) == ("transition_was_taken", 1), told


def test_a_field_that_is_collected_names_also_what_else_sets_it() -> None:
    flow = PAY.replace("because: they came back, to", 'because: they came back, set: {r.sum: "1"}, to')
    flow = flow.replace(", into: r", "")
    assert "; the transition back can set it, too" in Talk(flow, ["Well."]).did("hi").chat.why("r.sum").line
    assert (
        "talk, where the model words its questions itself; the tool send can set it, too"
        in Talk(PAY, ["Well."]).did("hi").chat.why("r.sum").line
    )


def test_what_was_not_given_in_an_earlier_turn_is_told_of_that_turn() -> None:
    flow = """
flow: safe
start: door
records: {r: {pin: {type: string, secret: true}, n: integer, ok: {type: boolean, value: r.pin == "1234"}}}
nodes:
  door:
    prompt: Talk.
    transitions: [{id: right, at: before, when: r.ok, to: safe}, {id: left, at: before, when: r.n == 3, to: hall}]
  safe: {prompt: Safe.}
  hall: {prompt: Hall., transitions: [{id: back, when: message.text == "back", to: door}]}
"""
    chat = Talk(flow, ["Well."] * 9).did("hi", gives(pin="12"), gives(n=3), gives(pin="1234")).chat
    assert chat.why("safe").plain == "What that needed was not given then."
