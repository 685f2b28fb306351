"""Questions about calls: how often something happened, calls by their names, calls that were refused or never made."""

from __future__ import annotations

import runpy
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.why_cases import Case, Talk, check, every
from turnwise.errors import ProviderFailed, UnknownSubject
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


def talk(*plan: Any, said: tuple[Any, ...] = ("hm",), language: str = "en") -> tw.SyncChat:
    tools = {"look": lambda city: city, "keep": lambda: "kept"}
    flow = FLOW.replace("language: en", f"language: {language}")
    return Talk(flow, [*plan, *["Well."] * 9], tools=tools).did(*said).chat


def undo(chat: tw.SyncChat) -> object:
    return chat.undo()


def fire(chat: tw.SyncChat) -> object:
    return chat.fire("nudge")


ROME, OSLO = call("look", city="Rome"), call("look", city="Oslo")
AGES = ("I am 35 years old", "sorry, I am 48 years old")
OFTEN: list[tuple[tuple[Any, ...], tuple[Any, ...], str, str]] = [
    (
        (ROME, "x", OSLO, OSLO),
        ("a", "b"),
        "how often was look used?",
        "look was called 3 times in this conversation, in",
    ),
    ((ROME, "x", OSLO), ("a", "b"), "wie oft wurde look benutzt?", "look was called 2 times in this conversation, in"),
    ((ROME, OSLO), ("a",), "how many looks were there?", "look was called 2 times in this conversation, in turn 1"),
    ((call("look", town="x"), ROME), ("a",), "how often was look called?", "look was called 2 times"),
    ((), ("a",), "how often was look called?", "look was not called in this conversation"),
    (
        (),
        ("a", "on", "back", "on"),
        "how often was b entered?",
        "b was entered 2 times in this conversation, in turns 2",
    ),
    (
        (),
        ("a", "on", "back", "on"),
        "how often was go_on taken?",
        "go_on was taken 2 times in this conversation, in turns 2",
    ),
    ((), ("a", fire), "how often did nudge fire?", "nudge came due once in this conversation, in turn 2"),
    ((ROME,), ("a", "b"), "how many model calls were there?", "the model was called 3 times in this conversation, in"),
    ((), ("a", "b"), "how many messages came?", "the user wrote 2 times in this conversation, in turns 1 and 2"),
    (
        (),
        AGES,
        "how often was the age set?",
        "c.age was set 2 times in this conversation: 35 in turn 1, then 48 in turn 2",
    ),
    ((), AGES, "wie oft wurde das Alter geändert?", "c.age was set 2 times in this conversation: 35 in turn 1, then"),
]


HAPPENED = ("Number of times that this happened in this conversation", "So oft ist das in diesem Gespräch geschehen")
SAID = {
    "tool": ("Number of times that I tried or did this", "So oft habe ich das versucht oder getan"),
    "model": ("Number of times that I used a language model", "So oft habe ich ein Sprachmodell benutzt"),
    "message": ("Number of messages from you", "So viele Nachrichten haben Sie geschrieben"),
    "field": ("Number of times that I got a value for age", "So oft habe ich dazu einen Wert bekommen (age)"),
    **dict.fromkeys(("node", "transition", "timer"), HAPPENED),
}
"""What the sentence for the user says that it counts."""


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("plan", "said", "question", "line"), OFTEN, ids=[row[2] for row in OFTEN])
def test_how_often_is_answered_for_this_conversation_first(
    plan: tuple[Any, ...], said: tuple[Any, ...], question: str, line: str, language: str
) -> None:
    if language == "de":
        said = tuple(_GERMAN.get(one, one) for one in said)
    answer = talk(*plan, said=said, language=language).why(question)
    assert answer.line.startswith(line)
    counted, zahl = SAID[answer.subject.kind]
    own = counted if language == "en" else zahl
    assert answer.plain == f"{own}: {answer.facts[0].values['count']}."
    assert len(answer.facts) > 1


_GERMAN = {"I am 35 years old": "Ich bin 35", "sorry, I am 48 years old": "Nein, ich bin 48"}


def test_how_often_says_what_was_refused_and_what_was_undone() -> None:
    often = talk(call("look", town="x"), ROME, said=("a",)).why("how often was look called?")
    assert often.line == "look was called 2 times in this conversation, in turn 1; it was refused once, in turn 1"
    often = talk(call("look", town="x"), said=("a",)).why("how often was look called?")
    assert often.line == "look was called once in this conversation, in turn 1; it was refused"
    often = talk(said=("a", "on", undo)).why("how often was go_on taken?")
    assert often.line.endswith("in turn 2; 1 of these in turns that the undo of turn 3 took back")


def test_how_often_a_secret_was_set_does_not_say_what() -> None:
    answer = talk(call("write_c", set={"pin": "1234"}), said=("a",)).why("how often was the pin set?")
    assert answer.line.startswith("c.pin was set once")
    assert "1234" not in str(answer.to_dict())


def test_how_often_is_followed_by_how_usual_it_is() -> None:
    assert [one.kind for one in talk(ROME).why("how often was look used?").facts[:2]] == ["counted", "usual"]
    assert "counted" not in {one.kind for one in talk(ROME).why("how usual is look?").facts}
    assert "counted" not in {one.kind for one in talk(said=("I am 35",)).why("how many years is the age?").facts}


# calls by their names ------------------------------------------------------------------------------


WRONG = "What I tried there was not possible, so nothing was done."
NOT_DONE = {
    "delete_all": WRONG,
    "write_d": WRONG,
    "go_to_b": "I tried to do that at a point where it is not possible, so it was not done.",
}


@pytest.mark.parametrize("name", ["delete_all", "go_to_b", "write_d", "Delete_All"])
@pytest.mark.parametrize("form", ["{}", "tool {}", "why was {} refused?", "warum wurde {} nicht ausgeführt?"])
def test_a_call_that_the_flow_has_no_tool_for_is_asked_about_by_its_name(name: str, form: str) -> None:
    called = name.lower()
    chat = talk(call(called), said=("a", "b"))
    answer = check(chat, Case(form.format(name), f"the call of {called} was refused ("))
    assert (answer.subject.kind, answer.subject.name, answer.turn) == ("tool", called, 1)
    assert answer.plain == NOT_DONE[called]


def test_a_name_that_no_call_had_is_refused_as_before() -> None:
    chat = talk(call("delete_all"))
    for question in ("delete_al", "tool delete_al", "why was delete_al refused?"):
        with pytest.raises(UnknownSubject):
            chat.why(question)


def test_every_subject_of_a_fact_can_be_asked_about() -> None:
    answer = talk(call("delete_all")).why("1")
    names = {str(one) for fact in every(answer) for one in fact.about if one.name and one.kind in ("tool", "call")}
    assert names == {"tool delete_all", "call 1-2-1"}


def test_a_refused_write_says_with_what_it_was_called_and_that_it_is_no_use() -> None:
    line = 'the machine answered the model\'s call of write_c with set = {"age":300}: '
    chat = talk(call("write_c", set={"age": 300}), said=("as old as the hills",))
    check(chat, Case("who said 300?", line, {"model_replied": {}}, ("tool_never_used",)))
    check(chat, Case("write_c", line, {"counted": {"count": 1, "refused": "refused"}}, ("tool_never_used",)))


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
    assert [one for one in lines_of(answer) if "came due" in one.text] == [next(islice(lines_of(answer), 1, 2))]


def test_a_transition_of_a_timer_that_never_came_due_says_that_first() -> None:
    line = "the timer nudge is not armed, because it belongs to b, and e is in charge; turn 3 dropped it, because"
    answer = check(ways("a", "hm", "9"), Case("why did it nudge me?", line, {"transition_not_judged": {}}))
    assert "it never came due" in answer.line


def test_a_status_of_a_form_has_what_the_form_did_before_as_its_cause() -> None:
    chat = Talk(CALL_BACK).did("hello", "cancel", "a cough").chat
    answer = check(chat, Case("why was the nurse never asked?", "nurse was never entered: asked did not hold"))
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
ASPECTS = [
    (
        "how often was the day not understood?",
        "an answer about g.day was not understood 2 times in this conversation, in",
    ),
    (
        "wie oft wurde day nicht verstanden?",
        "an answer about g.day was not understood 2 times in this conversation, in",
    ),
    ("how often was g.day asked?", "g.day was asked for 4 times in this conversation, in turns 4, 5, 6 and 8"),
    (
        "how often was a value for people refused?",
        "a value for g.people was refused once in this conversation, in turn 2",
    ),
    ("how often did a turn fail?", "a turn did not fail in this conversation"),
    ("how often was something undone?", "an undo was made once in this conversation, in turn 8"),
    ("how often was the form cancelled?", "the form was cancelled once in this conversation, in turn 7"),
]


@pytest.mark.parametrize(("question", "line"), ASPECTS, ids=[row[0] for row in ASPECTS])
def test_how_often_counts_what_the_question_asks_of_its_subject(question: str, line: str) -> None:
    chat = Talk(FORM).did("hello", "100", "hm", "4", "banana", "dunno", "cancel", undo).chat
    answer = chat.why(question)
    assert answer.line.startswith(line)
    assert "usual" not in {one.kind for one in answer.facts}


ENDED = """
flow: ended
start: a
language: en
records: {u: {age: {type: integer, about: age}}}
nodes:
  a: {prompt: A., collect: [u.age], transitions: [{id: young, at: before, when: u.age < 38, because: under 38, to: z}]}
  z: {say: Bye., end: too_young}
"""
AFTER = [
    (
        "why was “45” ignored?",
        "end",
        "nothing that is stored has “45”; the conversation ended in turn 1, and what came after that was refused",
    ),
    (
        'what happened to "hello? I am 45"?',
        "end",
        "nothing that is stored has “hello i am 45”; the conversation ended in turn 1",
    ),
    ("warum wurde 45 ignoriert?", "end", "nothing that is stored has 45; the conversation ended in turn 1"),
    ("why did it end although I said I am 45?", "end", "the conversation ended with the outcome too_young"),
    ("why was the age not set to 45?", "field", "nothing that is stored has 45"),
]


LATE = "the conversation ended in turn 1, and a message after the end is refused and not kept"


@pytest.mark.parametrize("question", ["why was the last message not answered?", "why is my last message ignored?"])
def test_a_message_that_came_after_the_end_is_found_without_its_words(question: str) -> None:
    chat = Talk(ENDED).did("I am 29", "hello?").chat
    assert (
        check(chat, Case(question, LATE)).plain == "This conversation had ended then, so I did not keep that message."
    )


@pytest.mark.parametrize(("question", "kind", "line"), AFTER, ids=[row[0] for row in AFTER])
def test_words_after_the_end_are_said_to_be_in_no_message(question: str, kind: str, line: str) -> None:
    chat = Talk(ENDED).did("I am 29", "hello? I am 45").chat
    answer = check(chat, Case(question, line, {"message_not_kept": {"turn": 1}, "conversation_ended": {}}))
    assert answer.subject.kind == kind
    if line.startswith("nothing"):
        assert answer.plain.startswith("I have no such message. This conversation has ended, and I keep no message")


def test_words_that_are_nowhere_in_a_conversation_that_goes_on_are_refused() -> None:
    with pytest.raises(UnknownSubject, match="has “45”"):
        Talk(ENDED).did("I am 50").chat.why("why was “45” ignored?")
    check(Talk(ENDED).did("I am 29").chat, Case("why is she 29?", "u.age was set to 29", {}, ("message_not_kept",)))


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
    answer = check(chat, Case("why did my second yes do nothing?", line, {"call_refused": {"code": "declined"}}))
    assert answer.plain == "Nothing waited for your yes or no then."
    check(chat, Case("message 3", line))
    check(talk(said=("yes",)), Case("message 1", "", {}, ("yes_to_nothing",)))


def test_a_tool_that_an_earlier_node_offered_says_that_it_was_not_called_there() -> None:
    chat = talk("Well.", said=("a", "on"))
    answer = check(chat, Case("look", "look was offered to the model in a, which replied without calling a tool"))
    assert answer.facts[0].turn == 1
    assert answer.fact("tool_not_offered") is not None
    check(chat, Case("look", "look is not offered to the model in b", turn=2))


def test_what_a_model_was_shown_comes_first_and_has_the_texts() -> None:
    for question in ("what did the model see in turn 2?", "was hat das Modell in Zug 2 gesehen?"):
        answer = check(talk(said=("a", "b")), Case(question, "in a the model was asked to reply, and was shown prompt"))
        assert "prompt “A.”, missing “age”, user “a”, agent “Well.”, user “b”" in answer.line


def test_why_it_stayed_is_the_decision_of_that_turn() -> None:
    for question in ("why did it stay in b in turn 2?", "warum blieb es in Zug 2 in b?"):
        answer = ways("a", "3", "9").why(question)
        assert answer.turn == 2
        assert "stayed in b: " in answer.line
        assert "none held" in answer.line


def test_the_queue_of_a_person_is_said_after_the_person_left() -> None:
    chat = Talk(CALL_BACK).did("hello", "a rash", "0151 234567", lena, lambda one: one.give_back("helped")).chat
    for question in ("which queue was it in, and who took it?", "in welcher Warteschlange war es?"):
        line = "the wait for a person in the queue nurses began: a rash"
        check(chat, Case(question, line, {"person_took_over": {"operator": "Lena"}}))


def lena(chat: tw.SyncChat) -> object:
    return chat.take_over("Lena")


def test_when_a_timer_was_armed_is_found_after_it_came_due() -> None:
    chat = ways("a", "hm", 200, "hm?", 400, tick)
    check(
        chat, Case("when was the timer nudge armed?", "the timer nudge was armed anew, to come due at 2026-01-09 12:08")
    )


def test_a_failed_conversation_says_the_reason_in_its_first_line() -> None:
    chat = talk(ProviderFailed("503: overloaded"), said=("a",))
    assert "503: overloaded" in chat.why("conversation").line
    assert "503: overloaded" in chat.why("what went wrong?").line


def test_a_question_of_how_it_came_into_a_node_is_answered_by_the_entry() -> None:
    for question in ("how did it get to b?", "wodurch kam es zu b?", "why was it sent to b?"):
        check(ways("a", "hm", "9"), Case(question, "a → b by once_b"))


def test_a_number_of_minutes_is_no_number_that_was_said() -> None:
    chat = ways("a", "30", 200, "hm?", 400, tick)
    answer = chat.why("why did it not end after 30 minutes?")
    assert (str(answer.subject), answer.turn) == ("timer nudge", chat.turn().number)


def test_whether_a_timer_is_armed_is_how_it_stands() -> None:
    check(ways("a", "hm"), Case("is nudge still armed?", "the timer nudge is armed since turn 2"))
    check(ways("a", "hm", 400, tick), Case("is nudge still armed?", "the timer nudge is not armed, because it belongs"))


def test_the_time_until_a_person_took_over_is_said() -> None:
    talk = Talk(CALL_BACK)
    chat = talk.did("hello", "a rash", "0151 234567", talk.later(3600), lena).chat
    for question in ("how long did she wait for Lena?", "wie lange hat sie auf Lena gewartet?"):
        check(chat, Case(question, "the wait for a person lasted 1h: from ", {"person_took_over": {"waited": "1h"}}))
    chat.give_back("helped")
    dropped = {"timer": "person timeout", "reason": "Lena is in charge"}
    check(
        chat,
        Case("why did the person timeout not fire?", "the timer person timeout is not", {"timer_dropped": dropped}),
    )


def test_tool_calls_are_counted_over_all_tools() -> None:
    chat = talk(ROME, call("look", town="x"), call("write_c", set={"age": 3}))
    line = "a tool was called 3 times in this conversation, in turn 1; it was refused once, in turn 1"
    for question in ("how many tool calls did it make?", "wie viele Werkzeuge wurden benutzt?"):
        assert chat.why(question).line == line


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
    chat = ways("a", "hm", 200, "hm?", 400, tick)
    line = "the timer nudge was armed anew, to come due at 2026-01-09 12:08"
    for question in ("why was nudge armed anew?", 'did "hm?" give more time?', "gab “hm?” mehr Zeit?"):
        check(chat, Case(question, line))
    check(
        chat,
        Case(
            "timer nudge",
            "the timer nudge came due at 2026-01-09 12:08:20 UTC, and fired 100 s later; its transition was taken",
        ),
    )


def test_a_limit_that_was_reached_is_the_failure() -> None:
    flow = FLOW.replace("start: a\n", "start: a\nlimits: {model_calls: 2}\n")
    chat = Talk(flow, [ROME] * 9, tools={"look": lambda city: city, "keep": lambda: "kept"})
    line = "the last turn failed (limit): "
    check(chat.did("hm").chat, Case("why was the limit reached?", line, {"limit_reached": {"bound": 2}}))


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


def test_what_a_question_sets_against_its_turn_is_told_with_its_own_turn() -> None:
    chat = ways("a", "3", "4", "9")
    for question in ("why did it move at 9 but not at 3?", "warum ging es bei 9 weiter, aber nicht bei 3?"):
        answer = chat.why(question)
        assert answer.turn == chat.turn().number
        told = [(one.turn, one.text) for one in answer.facts[:2]]
        assert told[1] == (
            2,
            "a → b by once_b; it has no condition, and holds as soon as the work of a is done, "
            "to be taken with the next message; an earlier turn had decided it",
        ), told
    against = ways("a", "hm", "3", "9").why("why did it move at 9 but not at 3?").facts[1]
    assert (against.kind, against.turn) == ("decided", 3)
    assert "none held" in against.text


def test_a_transition_that_a_timer_overtook_says_when_that_came_due() -> None:
    chat = ways("a", "hm", 400, tick)
    check(chat, Case("how long was there to take enough?", "the timer nudge gives 5m: from", {"timer_fired": {}}))


@pytest.mark.parametrize(
    "question", ["would it have gone to d at 7?", "what if the number were 7?", "wäre es mit 7 weitergegangen?"]
)
def test_a_question_with_another_value_is_one_about_what_would_have_been(question: str) -> None:
    line = ways("a", "3").why(question).line
    assert line.startswith("with c.n = 7 (was 3 since turn 2), ")
    assert "b → d by enough would be taken: there are enough; in turn 2 nothing was taken" in line
