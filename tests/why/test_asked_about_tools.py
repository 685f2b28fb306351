"""Tools: which use counts for a rule, in which order uses came, what a copy refused, who called."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import turnwise as tw
from support.why_cases import Case, Talk, check
from turnwise.models.scripted import ScriptedModel, call

PARTNER = "examples/thinking_partner/thinking_partner.flow.yaml"
NOT_JUST_SEARCHED = '!tools.used("web_search", within: 3)'


def think(thought: str) -> str:
    return thought


def search(words: str) -> str:
    return words


def web_search(query: str) -> str:
    if query == "no network":
        raise OSError(query)
    return query


def list_generation(steps: list[str]) -> str:
    return f"{len(steps)} steps"


def summarize(points: list[str]) -> str:
    return f"{len(points)} points"


def save_result(text: str) -> str:
    return text


CHECKED = tw.tool(save_result, check=lambda text: "unknown")
TOOLS = (think, search, web_search, list_generation, summarize, CHECKED)
THINK, SUMMARY, SAVE = call("think", thought="a"), call("summarize", points=["b"]), call("save_result", text="b")


def partner(*plan: Any) -> tw.SyncChat:
    return tw.open_sync(PARTNER, tools=TOOLS, model=ScriptedModel(plan)).chat("a")


def said(*texts: str, plan: tuple[Any, ...]) -> Callable[[], tw.SyncChat]:
    def play() -> tw.SyncChat:
        chat = partner(*plan)
        for text in texts:
            chat.say(text)
        return chat

    return cache(play)


@cache
def copy() -> tw.SyncChat:
    chat = partner(THINK, "ok", SUMMARY, SAVE, "kept?", SUMMARY, SAVE, "kept")
    chat.say("what shall I do")
    copied = chat.fork("copy", turn=1)
    copied.say("keep it")
    chat.say("keep it")
    return copied


SAVED = "the last time in turn 2 in post_analysis_step, called by the model; the undo of turn 3 did not reverse that"
THOUGHT = "the last time in turn 2 in general, called by the model; the undo of turn 3 took that back"


@cache
def taken_back() -> tw.SyncChat:
    chat = partner("Hm.", THINK, SUMMARY, SAVE, "kept", "Well.")
    chat.say("hello")
    chat.say("what shall I do")
    chat.undo()
    chat.say("thanks")
    return chat


PLAYS: dict[str, Callable[[], tw.SyncChat]] = {
    "undone": taken_back,
    "failed": said("research this", "now plan it", plan=(call("web_search", query="no network"), "No.", "Hm?")),
    "searched": said("research it", "now plan it", "hm", plan=(call("web_search", query="sea"), "So.", "Hm?", "Hm?")),
    "saved first": said("what shall I do", plan=(THINK, SAVE, SUMMARY, "ok")),
    "planned": said(
        "I wonder", "let us plan it", plan=(THINK, SUMMARY, "Well.", call("list_generation", steps=["a"]), "So.")
    ),
    "on the web": said(
        "what shall I do", "look on the web", plan=(THINK, SUMMARY, SAVE, "ok", call("web_search", query="x"), "No.")
    ),
    "copy": copy,
}
USED_IN_1 = "web_search was used in turn 1 in research"
ASKED = [
    (
        "failed",
        Case(
            "node planning_mode",
            f"planning_mode was never entered: enter_planning_mode did not hold, because it needs {NOT_JUST_SEARCHED}; "
            f"{USED_IN_1}, and a call that failed is a use, too; it counts until 3 more uses of other tools",
            {"uses_read": {"holds": "holds"}, "tool_failed": {"tool": "web_search"}},
        ),
    ),
    (
        "failed",
        Case(
            "web_search",
            "web_search was used once so far, the last time in turn 1 in research, called by the model; that failed: OS",
            {"tool_failed": {}, "transition_judged": {"transition": "enter_planning_mode"}, "uses_read": {}},
        ),
    ),
    (
        "searched",
        Case(
            "node planning_mode",
            "planning_mode was never entered",
            {
                "came_closest": {"since": 2, "rule": NOT_JUST_SEARCHED},
                "message_received": {"said": "now plan it"},
                "uses_read": {"did": f"{USED_IN_1}; it counts until 3 more uses of other tools"},
            },
        ),
    ),
    ("searched", Case("enter_planning_mode", "enter_planning_mode did not hold", {"came_closest": {"since": 2}})),
    ("searched", Case("enter_planning_mode", "enter_planning_mode did not", {}, ("came_closest",), turn=2)),
    # which tools a node offers, also where it is not in charge
    ("planned", Case("node general", "", {"tools_of_node": {"tools": ["think", "search", "web_search"]}})),
    (
        "planned",
        Case(
            "node research",
            "",
            {
                "tools_of_node": {
                    "others": "list_generation, summarize and save_result, because its allow list has only search, web_search, think"
                }
            },
        ),
    ),
    (
        "planned",
        Case(
            "web_search",
            "web_search was offered to the model in general, which called think; it is offered there because its allow",
            {"tool_not_offered": {"node": "planning_mode", "reason": "its allow list has only think, list_generation"}},
        ),
    ),
    (
        "planned",
        Case(
            "model",
            "the model was called 2 times in turn 2",
            {
                "tools_of_node": {
                    "node": "planning_mode",
                    "tools": ["think", "list_generation"],
                    "others": "search, web_search, summarize and save_result, because its allow list has only think, "
                    "list_generation",
                }
            },
        ),
    ),
    (
        "planned",
        Case(
            "node review",
            "review was never entered",
            {
                "tools_of_node": {
                    "tools": ["think", "search", "list_generation", "summarize", "save_result"],
                    "others": "web_search, because its deny list has web_*",
                }
            },
        ),
    ),
    (
        "saved first",
        Case(
            "save_result",
            "save_result returned “b”",
            {
                "uses_read": {
                    "rule": 'tools.ended_with(["summarize", "save_result"])',
                    "did": "the last uses were think (turn 1), then save_result (turn 1), then summarize (turn 1)",
                }
            },
        ),
    ),
    (
        "planned",
        Case("think", "think was used once so far, the last time in turn 1 in general, called by"),
    ),
    ("planned", Case("think", "think was offered to the model in planning_mode, which called list_generation", turn=2)),
    (
        "planned",
        Case(
            "list_generation",
            "list_generation returned “1 steps”",
            {
                "tool_offered": {"reason": "its allow list has list_generation"},
                "node_left": {"target": "planning_mode", "transition": "enter_planning_mode"},
            },
        ),
    ),
    (
        "on the web",
        Case(
            "web_search",
            "the call of web_search was refused (not allowed)",
            {"decided": {"moment": "error", "transition": ""}, "tool_not_offered": {"code": "denied"}},
        ),
    ),
    ("copy", Case("2", "the call of save_result was refused (fork)", {"decided": {}})),
    (
        "undone",
        Case("save_result", f"save_result was used once so far, {SAVED}", {"turn_undone": {"kept": "save_result"}}),
    ),
    (
        "undone",
        Case("enter_review", "enter_review was taken in turn 2", {"root_read": {"used": "save_result", "since": 2}}),
    ),
    ("undone", Case("think", f"think was used before, {THOUGHT}", {"turn_undone": {}}, ("tool_never_used",))),
    (
        "undone",
        Case(
            "enter_post_analysis_step",
            "enter_post_analysis_step was taken in turn 2",
            {"uses_read": {"did": "think was used in turn 2, and the undo of turn 3 took that back"}},
        ),
    ),
    ("copy", Case("message", "the call of save_result was refused (fork)")),
    (
        "copy",
        Case(
            "node review",
            "review was never entered: enter_review was not judged",
            {
                "uses_read": {
                    "did": "the last uses were think (turn 1), then summarize (turn 2); "
                    "in turn 2 the call of save_result was refused, and is no use"
                },
                "call_refused": {"code": "fork"},
            },
        ),
    ),
]


@pytest.mark.parametrize(("play", "case"), ASKED, ids=[f"{play}: {case.question}" for play, case in ASKED])
def test_the_answer_says_what_the_uses_of_tools_made(play: str, case: Case) -> None:
    check(PLAYS[play](), case)


def test_a_sequence_that_only_opens_its_node_expects_no_tool_in_it() -> None:
    chat = said("what shall I do", "hello", plan=(THINK, SUMMARY, SAVE, "kept", "Well."))()
    line = chat.why("search").line
    assert line.startswith("search was offered to the model in review, ")
    assert line.endswith("; it is offered there because its allow list has *")


def test_the_user_is_told_what_an_undo_made_of_a_use() -> None:
    assert taken_back().why("save_result").plain.startswith("I have taken back what was said, but what was done stays")
    assert taken_back().why("think").plain == "I have taken that back."


def test_the_copy_and_its_original_differ_by_the_refused_call() -> None:
    answer = copy().compare("a")
    not_taken = answer.facts[-1]
    assert not_taken.kind == "not_taken"
    assert not_taken.text.startswith("copy did not take enter_review: ")
    assert "in turn 2 the call of save_result was refused, and is no use" in not_taken.text
    assert copy().why("2").plain == "This conversation is a copy, in which I do not do that."


def test_a_call_that_succeeded_when_it_was_repeated_does_not_lead_the_answer() -> None:
    chat = said("I wonder", plan=(call("think", word="x"), THINK, "Well."))()
    assert "think was refused" not in chat.why("1").line
    assert "call_refused" in {fact.kind for fact in chat.why("1").facts}


COUNTED = """
flow: counted
start: a
tools: {think: {about: think, args: {thought: string}}}
nodes:
  a: {prompt: A., tools: {allow: [think]}, transitions: [{id: often, at: tool, when: 'tools.count("think") >= 3', to: b}]}
  b: {prompt: B.}
"""


def test_a_count_of_uses_is_told_with_its_number() -> None:
    chat = Talk(COUNTED, [THINK, THINK, "Well."], tools=[think]).did("hm").chat
    counted = {"rule": 'tools.count("think")', "holds": "is 2", "did": "think was used in turn 1 in a"}
    line = 'often did not hold, because it needs tools.count("think") >= 3 (is 2); think was used in turn 1 in a'
    check(chat, Case("often", line, {"uses_read": counted}))


DECLINED = """
flow: declined
start: a
records: {c: {done: string, mood: string}}
tools:
  book: {about: book, kind: effect, confirm: true}
  look: {about: look, args: {city: string}}
nodes:
  a: {prompt: A., tools: {allow: [book, look]}, writes: [c.done]}
"""


def declined(*plan: Any, said: tuple[str, ...] = ("hm",)) -> tw.SyncChat:
    return Talk(DECLINED, plan, tools={"book": lambda: "booked", "look": lambda city: city}).did(*said).chat


def test_a_tool_by_its_name_says_what_became_of_its_last_call_in_an_earlier_turn() -> None:
    chat = declined(call("book"), "Well.", "Hm.", said=("book it", "no", "and now?"))
    check(chat, Case("book", "the call of book was refused (declined): the user said no", {"tool_never_used": {}}))
    check(chat, Case("book", "book was offered to the model in a", {"call_refused": {"code": "declined"}}, turn=3))


@pytest.mark.parametrize(
    ("written", "field", "line"),
    [
        (
            call("write_c", set={"mood": "low"}),
            "c.mood",
            "c.mood has no value: a write was refused: 'mood' of 'c' may not be written here",
        ),
        (
            call("write_c", set={"other": "x"}),
            "c.done",
            "c.done has no value: the machine answered the model's call of write_c",
        ),
        (call("write_c", to="x"), "c.done", "c.done has no value: the machine answered the model's call of write_c"),
    ],
)
def test_a_refused_write_of_a_model_is_why_a_field_has_no_value(written: Any, field: str, line: str) -> None:
    check(declined(written, "Well."), Case(field, line, {"model_replied": {"calls": "write_c"}}))


def test_a_refused_write_of_another_field_is_not() -> None:
    chat = declined(call("write_c", set={"mood": "low"}), "Well.")
    check(chat, Case("c.done", "c.done has no value: nothing has set it yet", {}, ("call_answered", "call_refused")))


def test_a_model_that_called_in_vain_is_told_with_what_became_of_the_call() -> None:
    chat = declined(call("look", town="x"), "Nothing.")
    check(
        chat,
        Case("model", "the model was called 2 times in turn 1: it called look, which was refused, then it replied"),
    )


def test_how_usual_a_tool_is_says_how_often_it_was_used_here() -> None:
    chat = declined(call("look", city="x"), "Fine.", call("look", city="y"), "Fine.", said=("a", "b"))
    usual = chat.why("look", usual=True).fact("usual")
    assert usual is not None
    assert usual.text == "look was called in the only conversation so far, in this one 2 times"


def test_a_node_says_why_it_was_not_entered_before() -> None:
    plan = (THINK, SAVE, "ok", SUMMARY, SAVE, "kept")
    chat = said("what shall I do", "keep it", plan=plan)()
    needs = {"transition": "enter_review", "outcome": "not_reached"}
    check(chat, Case("node review", "post_analysis_step → review by enter_review", {"transition_judged": needs}))


@pytest.mark.parametrize("name", ["post_analysis_step", "review"])
def test_a_node_that_only_an_undone_turn_entered_says_so(name: str) -> None:
    answer = taken_back().why(name)
    assert answer.line.startswith(f"{name} is not in charge: the conversation is in ")
    assert f"it was entered in turn 2 by enter_{name}" in answer.line
    assert answer.line.endswith("; the undo of turn 3 took that back")
    assert answer.plain == "I have taken back what was said, but what was done stays done."
    assert not [fact.text for fact in answer.facts if "never entered" in fact.text]


def test_a_transition_that_only_an_undone_turn_took_says_so() -> None:
    answer = taken_back().why("enter_review")
    assert answer.line.startswith("enter_review was taken in turn 2")
    assert "turn 3 undid that" in answer.line
    assert answer.plain == "I have taken back what was said, but what was done stays done."


def test_a_use_that_an_undo_kept_has_the_turn_and_node_in_which_it_ran() -> None:
    used = "save_result was used once so far, the last time in turn 2 in post_analysis_step"
    check(taken_back(), Case("save_result", used, {"tool_returned": {"tool": "save_result"}}))
    check(taken_back(), Case("save_result", "the state of the end of turn 1 was restored", turn=3))
    gone = "summarize was used in turn 2, and the undo of turn 3 took that back"
    assert taken_back().why("enter_review").line.endswith(f"the last uses were save_result (turn 2); {gone}")


def test_uses_in_several_undone_turns_keep_their_order_and_turns() -> None:
    chat = partner("Hm.", THINK, SAVE, "kept", "Well.", SAVE, "kept", "So.")
    for text in ("hello", "what shall I do", "hm", "keep it"):
        chat.say(text)
    chat.undo(to=1)
    chat.say("thanks")
    answer = chat.why("save_result")
    assert answer.line.startswith("save_result was used 2 times so far, the last time in turn 4 in ")
    assert "save_result (turn 2), then save_result (turn 4)" in chat.why("enter_review").line


def test_what_came_closest_is_the_turn_in_which_the_user_asked_and_none_that_was_undone() -> None:
    search = call("web_search", query="no network")
    chat = partner("Hm.", search, "No.", "Later.", THINK, SUMMARY, SAVE, "So.", "Well.", "Well.")
    for text in ("hello", "research it", "now plan it", "what do you make of it", "hm"):
        chat.say(text)
    asked = {"came_closest": {"since": 3, "rule": NOT_JUST_SEARCHED}}
    check(chat, Case("planning_mode", "planning_mode was never entered", asked))
    chat.undo(to=2)
    chat.say("thanks")
    assert 3 not in [fact.values["since"] for fact in chat.why("planning_mode").facts if fact.kind == "came_closest"]
