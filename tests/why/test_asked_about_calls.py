"""Counts of every kind of subject, calls by their names, and calls that were refused or never made."""

from __future__ import annotations

import runpy
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.why_cases import Case, Talk, check, every
from turnwise.errors import NoClearSubject, ProviderFailed, UnknownSubject
from turnwise.models.scripted import call
from turnwise.why.answer import lines_of

CALL_BACK = Path("examples/health_intake/call_back.flow.yaml").read_text("utf-8")
FLOW = """
flow: talk
start: a
language: en
time_zone: UTC
commands: [undo]
records:
  c: {age: {type: integer, max: 120, about: age}, done: string, pin: {type: string, secret: true}}
tools:
  look: {about: look, args: {city: string}}
  keep: {about: keep, kind: effect, confirm: true}
nodes:
  a:
    prompt: A.
    tools: {allow: [look, keep]}
    collect: [c.age]
    writes: [c.done, c.age, c.pin]
    transitions:
      - {id: go_on, at: before, when: 'message.text == "on"', because: the user wants to go on, to: b}
      - {id: nudge, at: timer, in: 5m, stay: true, because: nothing was said}
  b: {prompt: B., transitions: [{id: back, at: before, when: 'message.text == "back"', to: a}]}
"""


def talk(*plan: Any, said: tuple[Any, ...] = ("hm",)) -> tw.SyncChat:
    tools = {"look": lambda city: city, "keep": lambda: "kept"}
    return Talk(FLOW, [*plan, *["Well."] * 9], tools=tools).did(*said).chat


def undo(chat: tw.SyncChat) -> object:
    return chat.undo()


def fire(chat: tw.SyncChat) -> object:
    return chat.fire("nudge")


ROME, OSLO = call("look", city="Rome"), call("look", city="Oslo")
COUNTED: list[tuple[tuple[Any, ...], tuple[Any, ...], str, str]] = [
    (
        (ROME, "x", OSLO, OSLO),
        ("a", "b"),
        "tool look",
        "look was called 3 times in this conversation, in turns 1 and 2",
    ),
    ((ROME, OSLO), ("a",), "tool look", "look was called 2 times in this conversation, in turn 1"),
    (
        (call("look", town="x"), ROME),
        ("a",),
        "tool look",
        "look was called 2 times in this conversation, in turn 1; it was refused once, in turn 1",
    ),
    (
        (call("look", town="x"),),
        ("a",),
        "tool look",
        "look was called once in this conversation, in turn 1; it was refused",
    ),
    ((), ("a",), "tool look", "look was not called in this conversation"),
    ((), ("a", "on", "back", "on"), "node b", "b was entered 2 times in this conversation, in turns 2 and 4"),
    (
        (),
        ("a", "on", "back", "on"),
        "transition go_on",
        "go_on was taken 2 times in this conversation, in turns 2 and 4",
    ),
    (
        (),
        ("a", "on", undo),
        "transition go_on",
        "go_on was taken once in this conversation, in turn 2; 1 of these in turns that the undo of turn 3 took back",
    ),
    ((), ("a", fire), "timer nudge", "nudge came due once in this conversation, in turn 2"),
    ((ROME,), ("a", "b"), "model", "the model was called 3 times in this conversation, in turns 1 (2 times) and 2"),
    (
        (ROME, call("look", town="x"), call("write_c", set={"age": 3})),
        ("a",),
        "model",
        "a tool was called 3 times in this conversation, in turn 1; it was refused once, in turn 1",
    ),
    ((), ("a", "b"), "conversation", "the user wrote 2 times in this conversation, in turns 1 and 2"),
    (
        (),
        ("I am 35 years old", "sorry, I am 48 years old"),
        "field c.age",
        "c.age was set 2 times in this conversation: 35 in turn 1, then 48 in turn 2; it changed once",
    ),
    (
        (call("write_c", set={"pin": "1234"}),),
        ("a",),
        "field c.pin",
        "c.pin was set once in this conversation: [secret] in turn 1",
    ),
]


@pytest.mark.parametrize(("plan", "said", "subject", "text"), COUNTED, ids=[f"{row[2]}: {row[3]}" for row in COUNTED])
def test_every_answer_counts_its_subject_in_this_conversation(
    plan: tuple[Any, ...], said: tuple[Any, ...], subject: str, text: str
) -> None:
    answer = talk(*plan, said=said).why(subject)
    assert answer.facts[0].kind != "counted"
    begins = [one.text for one in answer.facts if one.kind == "counted" and one.text.startswith(text)]
    assert begins, [one.text for one in answer.facts]
    assert "1234" not in str(answer.to_dict())


def test_how_usual_the_subject_is_comes_second_and_only_where_it_is_asked_for() -> None:
    chat = talk(ROME)
    assert chat.why("tool look", usual=True).facts[1].kind == "usual"
    assert chat.why("tool look").fact("usual") is None


# calls by their names ------------------------------------------------------------------------------


WRONG = "What I tried there was not possible, so nothing was done."
NOT_DONE = {
    "delete_all": WRONG,
    "write_d": WRONG,
    "go_to_b": "I tried to do that at a point where it is not possible, so it was not done.",
}


@pytest.mark.parametrize("name", ["delete_all", "go_to_b", "write_d"])
def test_a_call_that_the_flow_has_no_tool_for_is_asked_about_by_its_name(name: str) -> None:
    chat = talk(call(name), said=("a", "b"))
    answer = check(chat, Case(f"tool {name}", f"the call of {name} was refused (", turn=1))
    assert (answer.subject.kind, answer.subject.name) == ("tool", name)
    assert answer.plain == NOT_DONE[name]


def test_a_name_that_no_call_had_is_refused() -> None:
    for name in ("delete_al", "tool delete_al"):
        with pytest.raises(UnknownSubject):
            talk(call("delete_all")).why(name)


def test_every_subject_of_a_fact_can_be_asked_about() -> None:
    answer = talk(call("delete_all")).why("1")
    names = {str(one) for fact in every(answer) for one in fact.about if one.name and one.kind in ("tool", "call")}
    assert names == {"tool delete_all", "call 1-2-1"}


def test_a_refused_write_says_with_what_it_was_called_and_that_it_is_no_use() -> None:
    line = 'the machine answered the model\'s call of write_c with set = {"age":300}: '
    chat = talk(call("write_c", set={"age": 300}), said=("as old as the hills",))
    facts = {"model_replied": {}, "counted": {"count": 1, "refused": "refused"}}
    check(chat, Case("write_c", line, facts, ("tool_never_used",)))


RULES = """
flow: rules
start: a
tools: {think: {about: think}, web: {about: web}}
nodes:
  a:
    prompt: A.
    tools: {allow: [think, web]}
    transitions:
      - {id: fresh, at: before, when: 'message.text == "on" && !tools.used("web", within: 3)', to: b}
  b: {prompt: B.}
"""


def test_a_tool_that_was_never_used_is_no_cause_of_a_rule() -> None:
    chat = Talk(RULES, [call("think"), *["Well."] * 3], tools=[think, web]).did("hm", "on").chat
    read = {"name": 'tools.used("web", within: 3)', "value": "false", "since": None}
    answer = check(chat, Case("2", "a → b by fresh", {"root_read": read}))
    assert not [one for one in every(answer) if one.kind == "tool_returned"]


def test_a_use_that_closed_the_window_of_a_rule_is_its_cause_and_not_the_one_that_opened_it() -> None:
    plan = [call("web"), "Found.", *[call("think")] * 3, "Hm.", "Well."]
    chat = Talk(RULES, plan, tools=[think, web]).did("hm", "hm", "on").chat
    read = {"name": 'tools.used("web", within: 3)', "value": "false", "used": "think", "since": 2}
    answer = check(chat, Case("3", "a → b by fresh", {"root_read": read}))
    assert any(one.text.endswith("was false, by the use of think in turn 2") for one in every(answer))
    open_ = {"value": "true", "used": "web", "since": 1}
    check(chat, Case("fresh", "fresh did not hold", {"root_read": open_, "tool_returned": {"tool": "web"}}, turn=2))


def think() -> str:
    return "hm"


def web() -> str:
    return "found"


# what several calls came to ------------------------------------------------------------------------


def test_calls_of_one_turn_say_what_each_came_to() -> None:
    wrong = [call("write_c", set={"dome": "x"}), call("write_c", set={"age": [300]})]
    chat = talk(*wrong, call("write_c", set={"age": 30}), "Done.")
    line = (
        "write_c was called 3 times in turn 1: refused ('c' has no field 'dome'; did you mean 'done'?), then refused ("
    )
    answer = check(chat, Case("write_c", line, {"write_refused": {"value": "[300]"}}))
    assert answer.line.endswith("), then carried out")
    check(talk(ROME, OSLO, "x"), Case("look", "look returned “Oslo”", {}, ("tool_called_often",)))


def test_what_a_use_came_to_is_no_later_call_that_was_refused() -> None:
    chat = talk(ROME, call("look", town="x"), "Well.", said=("a", "b"))
    answer = check(chat, Case("look", "look was used once so far, the last time in turn 1 in a, called by the model"))
    assert [one.kind for one in answer.facts[0].causes] == ["tool_returned"]
    assert answer.plain == "That was done, and it worked."


# moves and timers ----------------------------------------------------------------------------------

WAYS = """
flow: ways
start: a
language: en
time_zone: UTC
records: {c: {n: {type: integer, about: number}}}
nodes:
  a:
    say: A.
    once: b
  b:
    prompt: B.
    collect: [c.n]
    transitions:
      - {id: enough, at: before, when: c.n > 5, because: there are enough, to: d}
      - {id: many, at: before, when: c.n > 4, because: there are many, to: e}
      - {id: nudge, at: timer, in: 5m, because: nothing was said, to: e}
  d: {say: D., transitions: [{id: straight, at: after, to: e}]}
  e: {prompt: E., transitions: [{id: out, at: before, when: 'message.text == "out"', to: f}]}
  f: {say: F., end: done}
"""


def ways(*said: Any) -> tw.SyncChat:
    talk = Talk(WAYS, ["Well."] * 9)
    return talk.did(*[talk.later(one) if isinstance(one, int) else one for one in said]).chat


def tick(chat: tw.SyncChat) -> object:
    return chat.app.tick()


def test_a_move_without_a_condition_says_when_it_holds() -> None:
    open_ = "it has no condition, and holds as soon as the work of d is done"
    check(ways("a", "9"), Case("straight", f"after: d → e by straight; {open_}"))
    check(ways("a", "9"), Case("node e", f"d → e by straight; {open_}"))
    once = "it has no condition, and holds as soon as the work of a is done, to be taken with the next message"
    check(ways("a", "hm"), Case("node b", f"a → b by once_b; {once}"))
    assert "no condition" not in ways("a", "9").why("enough").line


def test_how_a_node_was_entered_comes_before_how_it_was_left() -> None:
    answer = ways("a", "hm", "9").why("node b")
    assert answer.line.startswith("b is not in charge: the conversation is in e; it was entered in turn 2 by once_b")
    assert [one.values["target"] for one in answer.facts[0].causes] == ["b", "d"]


def test_what_was_outranked_says_the_reason_of_what_went_before_it() -> None:
    check(ways("a", "9"), Case("many", "many held, and was outranked by enough: there are enough"))


def test_a_transition_that_is_no_candidate_any_more_says_what_became_of_it_last() -> None:
    judged = {"transition": "enough", "outcome": "false", "by": "it needs c.n > 5 (is 3)"}
    answer = check(ways("a", "3", 400, tick), Case("enough", "enough was not judged", {"transition_judged": judged}))
    assert next(one for one in answer.facts if one.kind == "transition_judged").turn == 2
    never = 'f was never entered: in turn 3 out did not hold, because it needs message.text == "out"'
    check(ways("a", "9", "hm", undo), Case("f", never))


def test_a_timer_says_what_armed_it_when_it_came_due() -> None:
    chat = ways("a", "hm", 200, "hm?", 400, tick)
    armed = {"timer": "nudge", "anew": "anew", "due": "2026-01-09 12:08:20 UTC"}
    answer = check(
        chat,
        Case(
            "timer nudge",
            "the timer nudge came due at 2026-01-09 12:08:20 UTC, and fired 100 s",
            {"timer_armed": armed},
        ),
    )
    assert [one.kind for one in answer.chain[:3]] == ["timer_fired", "timer_armed", "message_received"]
    assert answer.chain[2].turn == 3
    assert [one for one in lines_of(answer) if "came due at" in one.text] == [next(islice(lines_of(answer), 1, 2))]


def test_a_transition_of_a_timer_that_never_came_due_says_that_first() -> None:
    line = "the timer nudge is not armed, because it belongs to b, and e is in charge; turn 3 dropped it, because"
    answer = check(ways("a", "hm", "9"), Case("transition nudge", line, {"transition_not_judged": {}}))
    assert "it never came due" in answer.line


def test_a_status_of_a_form_has_what_the_form_did_before_as_its_cause() -> None:
    chat = Talk(CALL_BACK).did("hello", "cancel", "a cough").chat
    answer = check(chat, Case("node nurse", "nurse was never entered: asked did not hold"))
    read = next(one for one in every(answer) if one.kind == "root_read")
    assert [(one.kind, one.turn) for one in read.causes] == [("form_progressed", 2)]
    assert "command_applied" in {one.kind for one in read.walk()}


# what did not happen -------------------------------------------------------------------------------

FORM = """
flow: form
start: ask
language: en
commands: [undo, cancel]
records: {g: {people: {type: integer, max: 40, about: people}, day: {type: choice, options: [Friday, Sunday]}}}
nodes:
  ask:
    form:
      fields: [{field: g.people, ask: "How many?"}, {field: g.day, ask: "Which day?"}]
      confirm: {}
    transitions: [{id: on, at: after, when: form.status == "confirmed", to: over}]
  over: {say: Bye., end: done}
"""
SETBACKS = [
    ("field g.day", "an answer about g.day was not understood 2 times in this conversation, in turns 5 and 6"),
    ("field g.day", "g.day was asked for 4 times in this conversation, in turns 4, 5, 6 and 8"),
    ("field g.people", "a value for g.people was refused once in this conversation, in turn 2"),
    ("conversation", "an answer was not understood 3 times in this conversation, in turns 3, 5 and 6"),
    ("conversation", "a value was refused once in this conversation, in turn 2"),
    ("conversation", "an undo was made once in this conversation, in turn 8"),
    ("form", "the form was cancelled once in this conversation, in turn 7"),
]


@pytest.mark.parametrize(("subject", "text"), SETBACKS, ids=[row[1] for row in SETBACKS])
def test_what_went_wrong_with_a_subject_is_counted(subject: str, text: str) -> None:
    chat = Talk(FORM).did("hello", "100", "hm", "4", "banana", "dunno", "cancel", undo).chat
    found = [one.text for one in chat.why(subject).facts]
    assert [one for one in found if one.startswith(text)], found
    assert not [one for one in found if "turn failed" in one]


ENDED = """
flow: ended
start: a
language: en
records: {u: {age: {type: integer, about: age}}}
nodes:
  a: {prompt: A., collect: [u.age], transitions: [{id: young, at: before, when: u.age < 38, because: under 38, to: z}]}
  z: {say: Bye., end: too_young}
"""


@pytest.mark.parametrize("subject", ["end", "message"])
def test_a_message_that_came_after_the_end_is_not_kept(subject: str) -> None:
    chat = Talk(ENDED).did("I am 29", "hello? I am 45").chat
    late = chat.why(subject).fact("message_not_kept")
    assert late is not None
    assert late.text == "the conversation ended in turn 1, and a message after the end is refused and not kept"
    assert [one.kind for one in late.causes] == ["conversation_ended"]
    assert Talk(ENDED).did("I am 50").chat.why(subject).fact("message_not_kept") is None


def test_words_that_are_nowhere_in_a_conversation_have_no_clear_subject() -> None:
    with pytest.raises(NoClearSubject):
        Talk(ENDED).did("I am 50").chat.why("why was “45” ignored?")


MACHINE = Path("examples/context_machine/context_machine.flow.yaml").read_text("utf-8")
WORK_FIRST = Path("examples/context_machine/work_first.flow.yaml").read_text("utf-8")


def run(chat: tw.SyncChat) -> object:
    return chat.run()


def test_a_field_that_a_stuck_run_left_empty_names_what_the_model_did() -> None:
    chat = Talk(MACHINE, [call("go_to_complete"), "Trust me."]).did(run).chat
    line = "config.result has no value: nothing has set it; the model could write config.result with write_config in turn 1,"
    wrote = {"did": "it called go_to_complete, which was refused, then it replied “Trust me.”", "failed": "stuck"}
    check(chat, Case("config.result", line, {"write_not_called": wrote, "turn_failed": {}}))
    chat = Talk(WORK_FIRST, ["All done."]).did(run).chat
    line = "result.done has no value of its own; guards read its default false; the model could write result.done with"
    check(chat, Case("result.done", line, {"write_not_called": {"did": "it replied “All done.”"}}))


def test_a_field_that_can_still_be_written_does_not() -> None:
    check(talk("Hm."), Case("c.done", "c.done has no value: nothing has set it yet", {}, ("write_not_called",)))


def test_a_refused_call_is_the_cause_of_a_decision_about_errors() -> None:
    catch = Path("examples/context_machine/catch.flow.yaml").read_text("utf-8")
    answer = Talk(catch, [call("send_mail", to="boss")]).did(run).chat.why("end")
    assert [one.kind for one in answer.chain][2:5] == ["decided", "call_refused", "model_replied"]


def test_a_model_whose_write_was_refused_is_told_so() -> None:
    chat = talk(call("write_c", set={"age": 300}), "Sorry?")
    line = "the model was called 2 times in turn 1: it called write_c, which was refused, then it replied “Sorry?”"
    check(chat, Case("model", line))


def test_a_yes_for_which_nothing_waits_says_what_became_of_the_call() -> None:
    chat = talk(call("keep"), "Then not.", "Hm.", said=("keep it", "no", "ok then yes"))
    refused = "the call of keep was refused (declined): the user said no"
    line = f"no call waited for a yes or no any more: {refused} in turn 2"
    answer = check(chat, Case("message", line, {"call_refused": {"code": "declined"}}))
    assert answer.plain == "Nothing waited for your yes or no then."
    check(talk(said=("yes",)), Case("message 1", "", {}, ("yes_to_nothing",)))


def test_a_tool_that_an_earlier_node_offered_says_that_it_was_not_called_there() -> None:
    chat = talk("Well.", said=("a", "on"))
    answer = check(chat, Case("look", "look was offered to the model in a, which replied without calling a tool"))
    assert answer.facts[0].turn == 1
    assert answer.fact("tool_not_offered") is not None
    check(chat, Case("look", "look is not offered to the model in b", turn=2))


def test_what_a_model_was_shown_has_the_texts() -> None:
    shown = talk(said=("a", "b")).why("model").fact("prompt_shown")
    assert shown is not None
    assert shown.text.startswith("in a the model was asked to reply, and was shown prompt")
    assert "prompt “A.”, missing “age”, user “a”, agent “Well.”, user “b”" in shown.text


def test_why_it_stayed_is_the_decision_of_that_turn() -> None:
    stayed = ways("a", "3", "9").why("node b", turn=2).fact("decided")
    assert stayed is not None
    assert "stayed in b: " in stayed.text
    assert "none held" in stayed.text


def test_the_queue_of_a_person_is_said_after_the_person_left() -> None:
    chat = Talk(CALL_BACK).did("hello", "a rash", "0151 234567", lena, lambda one: one.give_back("done")).chat
    awaited = {"queue": "nurses", "topic": "a rash"}
    line = "Lena gave the conversation back with the outcome done"
    check(chat, Case("person", line, {"person_awaited": awaited, "person_took_over": {"operator": "Lena"}}))


def lena(chat: tw.SyncChat) -> object:
    return chat.take_over("Lena")


def test_a_failed_conversation_says_the_reason_in_its_first_line() -> None:
    assert "503: overloaded" in talk(ProviderFailed("503: overloaded"), said=("a",)).why("conversation").line


def test_whether_a_timer_is_armed_is_how_it_stands() -> None:
    check(ways("a", "hm"), Case("timer nudge", "the timer nudge is armed since turn 2"))
    gone = ways("a", "hm", 400, tick).why("timer nudge").fact("timer_not_armed")
    assert gone is not None
    assert gone.text == "the timer nudge is not armed, because it belongs to b, and e is in charge"


def test_the_time_until_a_person_took_over_is_said() -> None:
    talk = Talk(CALL_BACK)
    chat = talk.did("hello", "a rash", "0151 234567", talk.later(3600), lena).chat
    lasted = {"what": "the wait for a person lasted", "duration": "1h"}
    check(chat, Case("person", "", {"time_passed": lasted, "person_took_over": {"waited": "1h"}}))
    chat.give_back("done")
    dropped = {"timer": "person timeout", "reason": "Lena is in charge"}
    check(
        chat,
        Case("timer person timeout", "the timer person timeout is not", {"timer_dropped": dropped}),
    )


def test_a_refused_choice_of_a_node_is_in_the_answer_about_the_node() -> None:
    answer = check(talk(call("go_to_b")), Case("node b", "b was never entered", {"call_refused": {"tool": "go_to_b"}}))
    assert answer.subject.kind == "node"


FAILED = """
flow: failed
start: a
tools: {sum: {about: sum}, save: {about: save}}
nodes:
  a:
    prompt: A.
    tools: {allow: [sum, save]}
    transitions: [{id: on, at: tool, when: 'tools.ended_with(["sum", "save"])', because: It is saved., to: b}]
  b: {prompt: B.}
"""


def broken() -> str:
    raise OSError("the disk is full")


def test_a_transition_that_counts_a_failed_call_says_so() -> None:
    tools = {"sum": lambda: "1", "save": broken}
    chat = Talk(FAILED, [call("sum"), call("save"), "Well.", "Well."], tools=tools).did("hm").chat
    ground = "It is saved; the call of save failed, and a call that failed is a use, too"
    check(chat, Case("node b", f"a → b by on: {ground}"))
    check(chat, Case("on", f"tool: a → b by on: {ground}"))


def test_a_caught_failure_says_what_it_was_where_it_led() -> None:
    catch = Path("examples/context_machine/catch.flow.yaml").read_text("utf-8")
    chat = Talk(catch, [call("send_mail", to="boss")]).did(run).chat
    for question in ("end", "node failed"):
        assert "; there is no tool 'send_mail'; none is available" in chat.why(question).line


def test_a_tool_that_was_used_says_that_other_calls_of_it_were_refused() -> None:
    chat = talk(call("look", town="x"), "x", ROME, "x", said=("a", "b", "c"))
    answer = check(
        chat, Case("look", "look was used once so far, the last time in turn 2 in a, called by the model; a call")
    )
    assert answer.line.endswith("; a call in turn 1 was refused")
    assert answer.fact("call_refused") is not None


def test_a_timer_that_was_armed_anew_gave_more_time() -> None:
    line = "the timer nudge came due at 2026-01-09 12:08:20 UTC, and fired 100 s later; its transition was taken"
    armed = {"anew": "anew", "due": "2026-01-09 12:08:20 UTC"}
    lasted = {"what": "the timer nudge gives", "duration": "5m", "since": 3}
    check(
        ways("a", "hm", 200, "hm?", 400, tick),
        Case("timer nudge", line, {"timer_armed": armed, "time_passed": lasted}),
    )


def test_a_limit_that_was_reached_is_the_failure() -> None:
    flow = FLOW.replace("start: a\n", "start: a\nlimits: {model_calls: 2}\n")
    chat = Talk(flow, [ROME] * 9, tools={"look": lambda city: city, "keep": lambda: "kept"})
    line = "the last turn failed (limit): "
    check(chat.did("hm").chat, Case("conversation", line, {"limit_reached": {"bound": 2}}))


def test_a_transition_in_code_says_what_the_function_returned_when_it_was_taken() -> None:
    own = runpy.run_path("examples/health_intake/mistaken_guards.py")
    flow = Path("examples/health_intake/with_code.flow.yaml")
    app = tw.open_sync(flow, guards=[own["route"], own["three_groups"]], model=tw.ScriptedModel(["Well."] * 3))
    chat = app.chat("a")
    chat.say("I'm Yara, 33")
    returned = "the function route returned ineligible after reading"
    check(
        chat,
        Case(
            "to_ineligible",
            f"before: introduction → ineligible by to_ineligible: name, age, gender and terms decide; {returned}",
        ),
    )
    for text in ("no wait, I'm 53 and I agree to the terms", "my joints hurt"):
        chat.say(text)
    assert f"name, age, gender and terms decide; {returned}" in chat.why("to_ineligible").line
    app.close()
