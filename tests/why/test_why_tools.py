"""Why a tool was used, refused, not offered or not called; and what became of one call."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import turnwise as tw
from support.why_cases import Case, Talk, check
from turnwise.models.scripted import call
from turnwise.runner.model_port import CallMade, ModelReply

HOTEL = """
flow: f
start: desk
limits: {tool_calls: 3, model_calls: 5}
records: {stay: {nights: integer, city: string}, bill: {sum: integer}}
tools:
  look: {about: look for rooms, args: {city: string}}
  book: {about: book a room, kind: effect, confirm: true, args: {nights: {type: integer, max: 30}}}
  pay: {about: pay, kind: effect, args: {sum: integer}}
nodes:
  desk:
    prompt: Help.
    tools: {allow: [look, book], deny: [write_*]}
    reads: [stay]
    writes: [stay]
    transitions:
      - {id: till, at: tool, when: tools.last == "book", to: till}
  till:
    prompt: Take the money.
    tools: {sequence: [look, pay]}
    transitions: [{id: back, at: choice, when: stay.nights > 3, to: desk}]
"""


def look(city: str) -> str:
    return f"3 rooms in {city}"


def book(nights: int) -> str:
    return f"{nights} nights are booked"


def pay(sum: int) -> str:  # noqa: A002
    raise RuntimeError(f"no {sum} left")


TOOLS = (look, book, pay)


@cache
def hotel() -> tw.SyncChat:
    plan = [
        *(call("look", city="Rome"), "Three."),
        *(call("book", nights=99), "Too many."),
        call("book", nights=2),
        "Booked.",
        *(call("pay", sum=3), "Not yet."),
        *(call("look", city="Rome"), call("pay", sum=3), "It failed."),
    ]
    return Talk(HOTEL, plan, tools=TOOLS).did("rooms?", "99 nights", "2 nights", "yes", "pay", "pay again").chat


ASKED = [
    Case(
        "look",
        "look returned “3 rooms in Rome”",
        {"tool_called": {"arguments": "city = Rome"}, "tool_used": {"count": 1, "turn": 1}},
        ("tool_not_offered",),
        turn=1,
    ),
    Case("book", "book was offered to the model in desk, which called look", {"tool_never_used": {}}, turn=1),
    Case(
        "pay",
        "pay is not offered to the model in desk, because its allow list has only look, book",
        {"tool_not_offered": {"code": "not_allowed"}},
        ("tool_not_called",),
        turn=1,
    ),
    Case("write_stay", "write_stay is not offered to the model in desk, because its deny list has write_*", turn=1),
    Case("read_stay", "read_stay was offered to the model in desk, which called look", turn=1),
    Case(
        "book",
        "the call of book was refused (arguments): nights: That is more than 30; nights was 99, bound 30",
        {"call_refused": {"argument": "nights", "value": 99, "bound": 30}, "tool_never_used": {}},
        ("tool_used", "tool_called"),
        turn=2,
    ),
    Case("2-1-1", "the call of book was refused (arguments)", {}, ("tool_returned",)),
    Case("call 2-1-1", "the call of book was refused (arguments)"),
    Case("1-1-1", "look returned “3 rooms in Rome”", {"tool_called": {"by": "the model"}}),
    Case("call 1-7-7", "no call 1-7-7 is known", {}, ("tool_returned",)),
    Case("book", "the call of book waits for approval, with nights = 2, because its `confirm` asks", turn=3),
    Case("look", "look was offered to the model in desk, which called book", {"tool_used": {"turn": 1}}, turn=3),
    Case("book", "book returned “2 nights are booked”", {"command_applied": {"command": "affirm"}}, turn=4),
    Case("pay", "pay is not offered to the model in till, because its sequence expects look now", turn=4),
    Case("pay", "the call of pay was refused (out of sequence)", {"tool_never_used": {}}, ("tool_failed",), turn=5),
    Case(
        "go_to_desk",
        "go_to_desk is not offered to the model in till, because the transition back reads a value that is missing",
        turn=5,
    ),
    Case("pay", "pay failed: RuntimeError: no 3 left", {"tool_called": {"arguments": "sum = 3"}}, turn=6),
    Case("tool look", "look returned", turn=6),
]


@pytest.mark.parametrize("case", ASKED, ids=lambda case: f"{case.question} {case.turn or ''}")
def test_a_tool_of_the_hotel(case: Case) -> None:
    check(hotel(), case)


# waiting, declined, dropped -----------------------------------------------------------------------


def several(*calls: tuple[str, dict[str, Any]]) -> ModelReply:
    """A reply with several calls."""
    return ModelReply(calls=tuple([CallMade(tool, arguments) for tool, arguments in calls]))


def test_a_call_that_waits_is_told_with_the_turn_in_which_it_was_asked_for() -> None:
    chat = Talk(HOTEL, [call("book", nights=2)], tools=TOOLS).did("2 nights").chat
    chat.take_over("Ada")
    check(
        chat,
        Case("book", "the call of book waits for the user's approval since turn 1", {"call_awaits_approval": {}}),
    )


def test_a_call_that_was_not_approved_is_refused_by_the_answer() -> None:
    chat = Talk(HOTEL, [call("book", nights=2), "Well."], tools=TOOLS).did("2 nights", "no").chat
    line = "the call of book was refused (declined): the user said no"
    found = check(chat, Case("book", line, {"message_received": {"said": "no"}}, ("tool_returned",)))
    assert found.facts[0].values["code"] == "declined"


def test_a_call_is_neither_approved_nor_declined_by_a_question() -> None:
    asked = "what about Rome?"
    chat = Talk(HOTEL, [call("book", nights=2), "Well."], tools=TOOLS).did("2 nights", asked).chat
    facts = {"approval_unclear": {}, "message_received": {"said": asked}}
    check(chat, Case("book", "the call of book waits for the user's approval since turn 1", facts, ("tool_returned",)))


def test_calls_beyond_the_limit_are_dropped_by_it_with_its_number() -> None:
    plan = [several(*[("look", {"city": f"{n}"}) for n in range(5)])]
    chat = Talk(HOTEL, plan, tools=TOOLS).did("all").chat
    check(
        chat,
        Case(
            "look",
            "look was called 5 times in turn 1: carried out 3 times, then refused 2 times (not run: the turn ended",
            {"limit_reached": {"limit": "tool_calls", "bound": 3}, "call_refused": {"code": "dropped"}},
        ),
    )
    check(chat, Case("tool_calls", "the limit tool_calls was reached, which allows 3 tool calls in a turn"))


def test_a_tool_that_failed_too_often_is_given_up() -> None:
    plan = [call("look", town="x"), call("look", town="x"), call("look", town="x")]
    chat = Talk(HOTEL, plan, tools=TOOLS).did("go").chat
    check(
        chat,
        Case("look", "no further call of look was reported to the model, because look failed 3 times in one turn"),
    )


# in doubt, run again, kept ---------------------------------------------------------------------------

WORK = """
flow: f
start: a
records: {r: {n: {type: integer, default: 1}}}
tools: {send: {about: send it, kind: effect, on_crash: POLICY, args: {n: integer}}}
nodes:
  a: {tool: {name: send, with: {n: r.n}}, transitions: [{id: on, at: after, to: b}, {id: oh, at: error, to: b}]}
  b: {prompt: Talk.}
"""


def late(n: int) -> str:
    raise TimeoutError(f"{n} is late")


def test_a_tool_that_timed_out_is_in_doubt() -> None:
    chat = Talk(WORK.replace("POLICY", "unknown"), ["Hm."], tools={"send": late}).did("go").chat
    check(chat, Case("send", "send failed: TimeoutError: 1 is late", {"tool_is_work": {"nodes": "a"}}))
    assert "it may have done its work nevertheless" in chat.why("send").line


def test_a_tool_that_is_the_work_of_another_node_is_said_to_be() -> None:
    text = WORK.replace("POLICY", "again").replace("start: a", "start: b")
    text = text.replace("{prompt: Talk.}", "{prompt: Talk., transitions: [{id: go, at: before, when: r.n > 5, to: a}]}")
    chat = Talk(text, ["Hm."], tools={"send": late}).did("go").chat
    check(chat, Case("send", "send is the work of a, and b is in charge", {"tool_never_used": {}}))


def test_a_tool_that_an_undo_kept_is_said_to_be_kept() -> None:
    def send(n: int) -> str:
        return f"{n} sent"

    text = WORK.replace("POLICY", "again").replace("start: a", "start: b")
    text = text.replace("{prompt: Talk.}", "{prompt: Talk., transitions: [{id: go, at: before, when: r.n > 0, to: a}]}")
    chat = Talk(text, ["Hm."] * 4, tools={"send": send}).did(lambda chat: chat.start(), "go", lambda c: c.undo()).chat
    check(
        chat,
        Case("send", "the state of the end of turn 1 was restored; what send did was not reversed", {"tool_used": {}}),
    )


def test_arguments_are_words_or_json_and_an_empty_text_can_be_seen() -> None:
    flow = """
    flow: f
    start: a
    tools: {note: {about: notes, args: {text: string, points: {type: list}, now: boolean}}}
    nodes: {a: {prompt: Help., tools: {allow: [note]}}}
    """

    def note(text: str, points: list[str], now: bool) -> str:
        return "done"

    talk = Talk(flow, [call("note", text="", points=["a"], now=True), "Done."], tools=[note]).did("note it")
    found = [fact.text for one in talk.chat.why("note").facts for fact in one.walk() if fact.kind == "tool_called"]
    assert found[0].startswith('note was called with text = “”, points = ["a"], now = true by the model')
