"""Law 2.1: which replies of a model are none, and what becomes of them; thoughts and calls in the text of a reply."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

import turnwise as tw
from support.chats import OneChat, flow_of, problems_of
from support.counted import calls_of
from support.opened import close_all, opened
from turnwise.authoring.document import read_document
from turnwise.core.call_names import NO_NAMES, call_names
from turnwise.core.prompts import ModelRequest
from turnwise.core.state import events as e
from turnwise.core.state.effects import ToolSpec
from turnwise.models.selection import FirstToAnswer
from turnwise.runner.replies import ReplyText
from turnwise.runner.thoughts import ThoughtFilter
from turnwise.runner.written_calls import WrittenCalls
from turnwise.why.prompts import prompts

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
NEWSLETTER = """
flow: newsletter
autonomous: true
start: write
tools: {publish: {about: publishes the newsletter, kind: effect, args: {text: string}}}
nodes:
  write: {prompt: Write the newsletter., RETRY transitions: [{to: post}ERROR]}
  post: {tool: {name: publish, with: {text: '"news"'}}, transitions: [{to: posted}]}
  posted: {end: posted}
  sorry: {end: sorry}
"""
WHOLE = "The garden opens in May."
NONE: dict[str, tuple[Any, str]] = {
    "empty": ("", "empty"),
    "white space": (" \n\t ", "blank"),
    "characters that show nothing": ("\u200b\ufeff\u3164", "blank"),
    "control tokens": ("<|im_start|>assistant\n<|im_end|>", "blank"),
    "empty markup": ("```json\n```\n<br>&nbsp;**", "blank"),
    "an empty value": ('{"text": null}', "blank"),
    "a dash": ("-", "blank"),
    "only thoughts in tags": ("<think>They want news.</think>\n", "only_thoughts"),
    "thoughts that never end": ("<think>They want news", "only_thoughts"),
    "an end tag after nothing": ("They want news\n</think>\n\n", "only_thoughts"),
    "cut by length": (tw.ModelReply("The garden op", finish="length"), "length"),
    "cut by length, in another word": (tw.ModelReply("The garden op", finish="MAX_TOKENS"), "length"),
    "cut in the thoughts": (tw.ModelReply("<think>They w", finish="max_tokens"), "length"),
    "cut by a filter": (tw.ModelReply("The garden op", finish="content_filter"), "content_filter"),
    "refused by a filter": (tw.ModelReply("", finish="refusal"), "content_filter"),
    "filtered, in another word": (tw.ModelReply("The gar", finish="SAFETY"), "content_filter"),
    "ended by a word that nobody knows": (tw.ModelReply("The gar", finish="insufficient_system_resource"), "error"),
    "a call announced that never came": (tw.ModelReply("The gar", finish="tool_calls"), "error"),
    "an error of the model": (tw.ModelReply("The gar", finish="MALFORMED_FUNCTION_CALL"), "error"),
}


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_all()


def newsletter(retry: str = "", error: str = "") -> tw.Flow:
    return flow_of(NEWSLETTER.replace("RETRY", retry).replace("ERROR", error))


def ran(flow: tw.Flow, model: Any) -> tuple[list[str], list[tw.Turn]]:
    """What was published, and the turns."""
    published: list[str] = []

    def publish(text: str) -> str:
        published.append(text)
        return "ok"

    chat = opened(flow, model=model, tools={"publish": publish})
    return published, list(chat.run())


def failures(turns: list[tw.Turn]) -> list[e.ModelFailed]:
    return [event for turn in turns for event in turn.events if isinstance(event, e.ModelFailed)]


class Whole:
    """A model that gives each reply at once."""

    def __init__(self, reply: Any) -> None:
        self.given = reply if isinstance(reply, tw.ModelReply) else tw.ModelReply(reply)

    async def reply(self, request: ModelRequest) -> tw.ModelReply:
        return self.given


@pytest.mark.law("2.1")
@pytest.mark.parametrize("kind", NONE)
@pytest.mark.parametrize("at_once", [False, True])
def test_a_reply_that_is_none_is_no_work(kind: str, *, at_once: bool) -> None:
    given, code = NONE[kind]
    published, turns = ran(newsletter(), Whole(given) if at_once else tw.ScriptedModel([given]))
    (failed,) = failures(turns)
    assert (published, failed.code) == ([], code)
    assert [warning.code for warning in turns[-1].warnings] == ["reply_failed"]
    assert not any(isinstance(event, e.WorkDone) for turn in turns for event in turn.events)


@pytest.mark.law("2.1")
@pytest.mark.parametrize("kind", NONE)
def test_a_reply_that_is_none_is_retried(kind: str) -> None:
    given, code = NONE[kind]
    published, turns = ran(newsletter("retry: {times: 1},"), tw.ScriptedModel([given, WHOLE]))
    (replied,) = [event for turn in turns for event in turn.events if isinstance(event, e.ModelReplied)]
    assert (published, replied.text, [one.code for one in replied.attempts]) == (["news"], WHOLE, [code])
    assert [warning.code for turn in turns for warning in turn.warnings] == ["reply_failed"]


@pytest.mark.law("2.1")
@pytest.mark.parametrize("kind", NONE)
def test_after_a_reply_that_is_none_the_next_model_is_asked(kind: str) -> None:
    given, code = NONE[kind]
    published, turns = ran(newsletter(), FirstToAnswer([tw.ScriptedModel([given]), tw.ScriptedModel([WHOLE])]))
    (replied,) = [event for turn in turns for event in turn.events if isinstance(event, e.ModelReplied)]
    assert (published, replied.text, [one.code for one in replied.attempts]) == (["news"], WHOLE, [code])


@pytest.mark.law("2.1")
@pytest.mark.parametrize("kind", NONE)
def test_a_reply_that_is_none_is_caught(kind: str) -> None:
    flow = newsletter(error=", {at: error, when: error.kind == 'model', to: sorry}")
    published, turns = ran(flow, tw.ScriptedModel([NONE[kind][0]]))
    assert (published, turns[-1].state.node) == ([], "sorry")


@pytest.mark.law("2.1")
@pytest.mark.parametrize("finish", ["", "stop", "STOP", "end_turn", "FinishReason.STOP", "eos", "stop_sequence"])
def test_a_reply_that_ended_by_itself_is_whole(finish: str) -> None:
    published, turns = ran(newsletter(), Whole(tw.ModelReply(WHOLE, finish=finish)))
    assert (published, failures(turns)) == (["news"], [])


@pytest.mark.law("2.1")
@pytest.mark.parametrize("finish", ["network_error", "abort", "OTHER", "pause_turn", "unknown", "null"])
def test_a_failure_names_the_reason_that_nobody_knows(finish: str) -> None:
    (failed,) = failures(ran(newsletter(), Whole(tw.ModelReply("The gar", finish=finish)))[1])
    assert failed.reason == f"the model ended its reply with an error: '{finish}'"


GARDEN = """
flow: garden
start: talk
tools: {book_bed: {about: books a bed of the garden, kind: effect, args: {bed: string}}}
nodes: {talk: {prompt: Help., tools: {allow: [book_bed]}}}
"""


def _book(bed: str) -> str:
    return bed


@pytest.mark.law("2.1")
@pytest.mark.parametrize("kind", NONE)
def test_a_user_reads_that_it_failed_and_the_message_is_kept(kind: str) -> None:
    model = tw.ScriptedModel([NONE[kind][0], WHOLE])
    chat = opened(flow_of(GARDEN), model=model, tools={"book_bed": _book})
    turn = chat.say("when does it open?")
    assert turn.text.endswith("Something went wrong on our side. Please try again.")
    assert "think" not in turn.text
    assert chat.say("hello?").text == WHOLE
    assert [one.text for one in model.calls[-1].transcript if one.role == "user"] == ["when does it open?", "hello?"]


@pytest.mark.law("2.1")
@pytest.mark.parametrize("finish", ["length", "content_filter", "error"])
def test_calls_of_a_reply_that_was_cut_are_not_run(finish: str) -> None:
    booked: list[str] = []

    def book(bed: str) -> str:
        booked.append(bed)
        return "ok"

    cut = tw.ModelReply("I book it.", calls=(tw.CallMade("book_bed", {"bed": "3"}),), finish=finish)
    chat = opened(flow_of(GARDEN), model=tw.ScriptedModel([cut]), tools={"book_bed": book})
    turn = chat.say("book bed 3")
    assert (booked, [event.code for event in turn.events if isinstance(event, e.ModelFailed)]) == ([], [finish])


# what was streamed --------------------------------------------------------------------------------


def streamed(*plan: Any, flow: str = GARDEN) -> tuple[str, list[str], tw.Turn]:
    """What a client shows at the end of a stream, what it showed on the way, and the turn."""

    async def listen() -> tuple[str, list[str], tw.Turn]:
        shown, all_shown, turn = "", list[str](), None
        async with tw.open(flow_of(flow), model=tw.ScriptedModel(plan), tools={"book_bed": _book}) as app:
            async for piece in app.chat("1").stream("hello"):
                if isinstance(piece, tw.Delta):
                    shown = piece.text if piece.is_whole else shown + piece.text
                    all_shown.append(shown)
                else:
                    turn = piece
        assert turn is not None
        return shown, all_shown, turn

    return asyncio.run(listen())


@pytest.mark.law("2.1")
def test_the_text_of_a_reply_that_was_cut_is_withdrawn_when_it_is_tried_again() -> None:
    flow = GARDEN.replace("prompt: Help.,", "prompt: Help., retry: {times: 1},")
    shown, all_shown, turn = streamed(["The gar", "den", tw.Usage("m", finish="length")], WHOLE, flow=flow)
    assert (shown, turn.text) == (WHOLE, WHOLE)
    assert all_shown == ["The gar", "The garden", "", WHOLE]


def test_thoughts_whose_end_tag_comes_alone_are_withdrawn() -> None:
    shown, _, turn = streamed(["They greet me.", "</thi", "nk>\n\n", "Hel", "lo!"])
    assert (shown, turn.text) == ("Hello!", "Hello!")


def test_a_call_as_text_is_never_streamed() -> None:
    call = list('{"name": "book_bed", "arguments": {"bed": "3"}}')
    shown, all_shown, turn = streamed(["One moment.", "\n", *call], WHOLE)
    assert (shown, turn.text) == (WHOLE, WHOLE)
    assert not any("{" in text or "book_bed" in text for text in all_shown)


# settings ------------------------------------------------------------------------------------------

SETTLED = """
flow: garden
start: talk
settings: {temperature: 0.4, max_tokens: 300, stop: [END]}
nodes: {talk: {prompt: Help., settings: {temperature: 0, thinking: low}}}
"""


def test_a_node_replaces_single_settings_of_its_flow_and_the_prompt_is_proved() -> None:
    async def asked() -> None:
        model = tw.ScriptedModel([WHOLE])
        chat = OneChat(flow_of(SETTLED), model=model)
        turn = await chat.say("hello")
        (prompt,) = await prompts(chat.runtime.store, chat.runtime.machines, turn)
        assert model.calls[0].settings == {"temperature": 0, "max_tokens": 300, "stop": ("END",), "thinking": "low"}
        assert prompt.is_proved
        await chat.close()

    asyncio.run(asked())


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("temperature: 3", "a number from 0 to 2"),
        ("max_tokens: 0", "a whole number of 1 or more"),
        ("thinking: much", "is not one of off, on"),
        ("heat: 1", "no key 'heat'"),
    ],
)
def test_a_setting_that_no_model_has_is_a_mistake_of_the_flow(wrong: str, told: str) -> None:
    _, found = read_document(f"flow: f\nstart: a\nnodes: {{a: {{prompt: Talk., settings: {{{wrong}}}}}}}", "flow.yaml")
    assert told in "\n".join(map(str, found))


# a check of the whole reply ------------------------------------------------------------------------

GUARDED = """
flow: garden
start: talk
records: {user: {member: {type: boolean, default: false}}}
guard_reply: {when: reply.text.contains("free") && !user.member, say: I cannot promise that.}
tools: {book_bed: {about: books a bed of the garden, kind: effect, args: {bed: string}}}
nodes: {talk: {prompt: Help., tools: {allow: [book_bed]}}}
"""


def test_a_reply_that_a_guard_refuses_is_replaced_for_the_user_and_the_model() -> None:
    model = tw.ScriptedModel(["Beds are free today!", "Bed 3 costs 5.", "Free beds."])
    chat = opened(flow_of(GUARDED), model=model, tools={"book_bed": _book})
    turn = chat.say("what do you have?")
    assert turn.text == "I cannot promise that."
    (warning,) = turn.warnings
    assert warning.code == "reply_replaced"
    assert 'reply.text.contains("free") && !user.member holds' in warning.message
    assert chat.say("and now?").text == "Bed 3 costs 5."
    said = [one.text for one in model.calls[1].transcript if one.role == "agent"]
    assert said == ["I cannot promise that."]


def test_the_text_of_a_reply_is_held_back_where_a_guard_checks_it() -> None:
    _, all_shown, turn = streamed(["Beds are ", "free today!"], flow=GUARDED)
    assert (all_shown, turn.text) == ([], "I cannot promise that.")
    _, all_shown, turn = streamed(["Beds are f", tw.Usage("m", finish="length")], flow=GUARDED)
    assert (all_shown, turn.text) == ([], "Something went wrong on our side. Please try again.")


def test_the_text_beside_a_call_is_checked_too() -> None:
    reply = tw.ModelReply("A free bed!", calls=(tw.CallMade("book_bed", {"bed": "3"}),))
    chat = opened(flow_of(GUARDED), model=tw.ScriptedModel([reply, "Done."]), tools={"book_bed": _book})
    assert chat.say("book bed 3").text == "I cannot promise that.\n\nDone."


def promises(reply: Any, user: Any) -> bool:
    """A check by a program."""
    if "explode" in reply.text:
        raise ValueError("it exploded")
    return "promise" in reply.text and not user.member


@pytest.mark.parametrize(
    ("reply", "text", "why"),
    [
        ("I promise it.", "No promises.", "promises holds"),
        ("You explode.", "No promises.", "promises failed: ValueError: it exploded"),
        ("Hello.", "Hello.", ""),
    ],
)
def test_a_function_checks_replies_and_a_node_replaces_the_check_of_its_flow(reply: str, text: str, why: str) -> None:
    own = "guard_reply: {guard: promises, say: No promises.},"
    flow = GUARDED.replace("prompt: Help.,", f"prompt: Help., {own}")
    model = tw.ScriptedModel([reply])
    turn = opened(flow_of(flow), model=model, tools={"book_bed": _book}, guards=[promises]).say("hello")
    assert turn.text == text
    assert "".join(warning.message for warning in turn.warnings).endswith(why)
    assert bool(turn.warnings) == bool(why)


def test_a_flow_of_python_carries_the_function_that_checks_replies() -> None:
    def promised(reply: Any) -> bool:
        return "promise" in reply.text

    node = tw.Node("talk", prompt="Talk.", guard_reply=tw.ReplyGuard("No promises.", guard=promised))
    chat = opened(tw.Flow("garden", start="talk", nodes=[node]), model=tw.ScriptedModel(["I promise."]))
    assert chat.say("hello").text == "No promises."


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("{say: No.}", "needs one of 'when' and 'guard'"),
        ("{say: No., when: 'true', guard: promises}", "needs one of 'when' and 'guard'"),
        ("{say: No., when: answer.text == 'x'}", "nothing is called 'answer'"),
        ("{say: No., guard: nowhere}", "no function 'nowhere' is supplied"),
    ],
)
def test_a_check_of_replies_that_cannot_work_is_a_mistake_of_the_flow(wrong: str, told: str) -> None:
    text = f"flow: f\nstart: a\nnodes: {{a: {{prompt: Talk., guard_reply: {wrong}}}}}"
    assert any(told in problem for problem in problems_of(text)), problems_of(text)


def test_only_a_check_of_replies_reads_the_reply() -> None:
    text = "flow: f\nstart: a\nnodes: {a: {prompt: Talk., transitions: [{when: reply.text == 'x', to: a}]}}"
    assert any("nothing is called 'reply'" in problem for problem in problems_of(text)), problems_of(text)


# thoughts ------------------------------------------------------------------------------------------

THOUGHTS = {
    "<think>It is spring.</think>Plant now!": "Plant now!",
    "<think>It is spring.</think>\n\nPlant now!": "Plant now!",
    "\n<THINKING>spring</THINKING>\n Plant": "Plant",
    "<thought>İt is</thought>Plant": "Plant",
    "<reasoning>a</reasoning>Plant": "Plant",
    "[THINK]a[/THINK]Plant [x]": "Plant [x]",
    "◁think▷a◁/think▷Plant": "Plant",
    "<seed:think>a</seed:think>Plant": "Plant",
    "<think>a</think><think>b</think>Plant": "Plant",
    "<think>a</think><answer>Plant</answer>": "Plant",
    "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>Plant<|return|>": "Plant",
    "It is spring.</think>Plant now!": "Plant now!",
    "It is spring. </think> Plant now!": "Plant now!",
    "It is\nspring\n</think>\n\nPlant now!": "Plant now!",
    "</think>Plant": "Plant",
    "<think>never closed": "",
    "<think></think>": "",
    "Use <think> to begin": "Use <think> to begin",
    "Use </think> to end it.": "Use </think> to end it.",
    "Write <think> and </think>.": "Write <think> and </think>.",
    "`<think>` begins": "`<think>` begins",
    "It ends with `</think>`": "It ends with `</think>`",
    "<think>a</think>Use </think> to end": "Use </think> to end",
    "Beds < 3 and <b>big</b>": "Beds < 3 and <b>big</b>",
    "open </thin": "open </thin",
    "<answer>x</answer>": "<answer>x</answer>",
    "\u200b<think>a</think>Plant": "Plant",
    "\ufeff \u2060<thinking>a</thinking>Plant": "Plant",
    "\u200bPlant": "\u200bPlant",
    "<think/>Plant": "Plant",
    "<think />\nPlant": "Plant",
    "<reason>a</reason>Plant": "Plant",
    "<|think|>a<|end|><|begin|>assistant<|content|>Plant<|end|>": "Plant",
    "<think>a <think>b</think> c</think>Plant": "Plant",
    "<think>a <think>b <think>c</think> d</think> e</think>Plant": "Plant",
    "<think>a <think>b</think>Plant": "Plant",
    "<think>a</thinking>Plant": "Plant",
    "<thinking>a</think>Plant": "Plant",
    "<thinking>a</THINK>Plant <b>5</b>": "Plant <b>5</b>",
    "<think>the tag </thinking> ends it</think>Plant": "Plant",
    "<think>a</thinking></think>Plant": "Plant",
    "  Plant": "  Plant",
}


@pytest.mark.law("2.1")
@pytest.mark.parametrize("text", THOUGHTS)
def test_thoughts_are_not_shown_wherever_the_text_is_cut(text: str) -> None:
    cuts = [[text], list(text), *([text[:at], text[at:]] for at in range(1, len(text)))]
    for pieces in cuts:
        found, shown = ThoughtFilter(), ""
        for added, replaces in [*map(found.add, pieces), found.end()]:
            shown = added if replaces else shown + added
        assert shown == THOUGHTS[text], pieces


LATER_THOUGHTS = {
    "Hello!\n<think>b</think>\n": "Hello!\n",
    "Hello!\n<think>b\nc</think>\n\nPlant.": "Hello!\nPlant.",
    "Hello!<think>b</think> Plant.": "Hello! Plant.",
    "Sure. <think>a</think>Hello!": "Sure. Hello!",
    "Sure. <THINK>a</Think> Hello!": "Sure. Hello!",
    "<think>a</think>Hel<think>b</think>lo!": "Hello!",
    "<think>a</think>One.\n<think>b</think>\nTwo.\n[THINK]c[/THINK]\nThree.": "One.\nTwo.\nThree.",
    "<think>a</think>Hello!\n<think>never closed": "Hello!\n",
    "Hello!\n<think>a</thinking>Plant": "Hello!\nPlant",
    "Hello!\n<think>never closed": "Hello!\n<think>never closed",
    "Use <think> to begin, </think> to end.": "Use <think> to begin, </think> to end.",
    "Use <thinking>like this</thinking> here.": "Use <thinking>like this</thinking> here.",
    "There are two. <think> opens, </think> closes.": "There are two. <think> opens, </think> closes.",
    "Example:\n<think>\na\n</think>\nb": "Example:\n<think>\na\n</think>\nb",
    "As code.\n```xml\n<think>x</think>\n```": "As code.\n```xml\n<think>x</think>\n```",
    "Write `<think>` and `</think>`.": "Write `<think>` and `</think>`.",
    "I <think> so": "I <think> so",
    "Beds [t] and <b>b</b> and <": "Beds [t] and <b>b</b> and <",
    "Beds [thin": "Beds [thin",
}


@pytest.mark.law("2.1")
@pytest.mark.parametrize("text", [*THOUGHTS, *LATER_THOUGHTS])
def test_thoughts_between_sentences_are_not_shown_wherever_the_text_is_cut(text: str) -> None:
    cuts = [[text], list(text), *([text[:at], text[at:]] for at in range(1, len(text)))]
    for pieces in cuts:
        found, shown = ReplyText(ModelRequest("here", ())), ""
        for added in [*map(found.add, pieces), found.end()]:
            shown = added.text if added.replaces else shown + added.text
        assert shown == {**THOUGHTS, **LATER_THOUGHTS}[text], pieces


# calls written as text -----------------------------------------------------------------------------

TOOLS = ("book_bed", "list_beds", "go_to_end")
KNOWN = call_names({"book_bed": ("bed",), "list_beds": (), "go_to_end": ()})
ARGUMENTS = '{"bed": "3"}'
CALLS = [
    '{"name": "book_bed", "arguments": {"bed": "3"}}',
    '{\n  "name": "book_bed",\n  "parameters": {"bed": "3"}\n}',
    '{"type": "function", "function": {"name": "book_bed", "arguments": "{}"}}',
    '{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "book_bed", "arguments": "{}"}}]}',
    '{"arguments": {"bed": "3"}, "name": "book_bed"}',
    '{"tool": "book_bed", "args": {"bed": "3"}}',
    '{"tool": "book_bed", "bed": "3"}',
    "book_bed",
    "**list_beds**",
    '{"action": "book_bed", "action_input": {"bed": "3"}}',
    '{"book_bed": {"bed": "3"}}',
    '{"name": "book_bed"}',
    '{"name": "Book_Bed", "arguments": {}}',
    "{'name': 'book_bed', 'arguments': {'bed': '3'}}",
    '{"name": "book_bed", "arguments": {"bed": "3"',
    '[{"name": "book_bed", "arguments": {"bed": "3"}}]',
    'Gladly: {"name": "functions.book_bed", "arguments": {}}',
    '```json\n{"name": "book_bed", "arguments": {"bed": "3"}}\n```',
    'One moment.\n```\n{"name": "book_bed", "arguments": {"bed": "3"}}\n```\nDone.',
    '<tool_call>\n{"name": "book_bed", "arguments": {"bed": "3"}}\n</tool_call>',
    "<tool_call>book_bed\n<arg_key>bed</arg_key>\n<arg_value>3</arg_value>\n</tool_call>",
    "<tool_call>\n<function=book_bed>\n<parameter=bed>3</parameter></function></tool_call>",
    f"<function=book_bed>{ARGUMENTS}</function>",
    '<function_calls>\n<invoke name="book_bed">\n<parameter name="bed">3</parameter></invoke>',
    '<|python_tag|>{"name": "book_bed", "parameters": {"bed": "3"}}',
    '<|python_tag|>book_bed.call(bed="3")',
    '[TOOL_CALLS][{"name": "book_bed", "arguments": {"bed": "3"}}]',
    f"[TOOL_CALLS]book_bed{ARGUMENTS}",
    f"[TOOL_CALLS]book_bed[ARGS]{ARGUMENTS}",
    f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>book_bed\n```json\n{ARGUMENTS}\n```",
    f"<|tool_call_begin|>functions.book_bed:0<|tool_call_argument_begin|>{ARGUMENTS}<|tool_call_end|>",
    f"<|channel|>commentary to=functions.book_bed <|constrain|>json<|message|>{ARGUMENTS}",
    '<TOOLCALL>[{"name": "book_bed", "arguments": {}}]</TOOLCALL>',
    "<book_bed><bed>3</bed></book_bed>",
    'book_bed(bed="3")',
    "list_beds()",
    'One moment. book_bed(bed="3")',
    'It is done: book_bed(bed="3")',
    'book_bed(bed="3")\n\nDone, it is yours.',
    'Gladly!\nbook_bed("3")\nDone.',
    'default_api.book_bed(bed="3")',
    '**book_bed**(bed="3")',
    f"book_bed {ARGUMENTS}",
    f"book_bed: {ARGUMENTS}",
    f"functions.book_bed:0{ARGUMENTS}",
    '[book_bed(bed="3")]',
    '```tool_code\nprint(book_bed(bed="3"))\n```',
    f"Thought: They want it.\nAction: book_bed\nAction Input: {ARGUMENTS}",
    "(calling book_bed with bed=3)",
    "[Tool call: book_bed(bed=3)]",
    '<|tool_call>call:book_bed{bed:<|"|>3<|"|>}<tool_call|>',
    "call:book_bed{bed:3}",
    '<|tool_call_start|>[book_bed(bed="3")]<|tool_call_end|>',
    "name: book_bed\narguments:\n  bed: 3",
    "*calls book_bed(bed=3)*",
    "One moment. [Calling book_bed for bed 3...]",
    f"Tool Call: book_bed\nArguments: {ARGUMENTS}",
    "book_bed bed=3",
    'I\'ll call book_bed(bed="3").',
    'await book_bed(bed="3")',
    'print(default_api.book_bed(bed = "3"))',
    "[Werkzeugaufruf: book_bed(bed=3)]",
    '<|tools_prefix|>[{"book_bed": {"bed": "3"}}]<|tools_suffix|>',
    '<xai:function_call name="book_bed"><parameter name="bed">3</parameter></xai:function_call>',
    "→ book_bed(bed: 3)",
    'book_bed(bed="3") -> {"ok": true}',
    f"🔧 book_bed: {ARGUMENTS}",
    'book_bed(\n  bed="3"\n)',
    '{"name":"bookBed","arguments":{"bed":"3"}}',
    'tool: book_bed, arguments: {"bed": 3}',
    '{"name": "move_bed", "arguments": {"bed": "3"}}',
    '{"commands": [{"command": "set", "field": "bed.number", "value": 3}]}',
    'Here it is.\n```python\nbook_bed(bed="3")\nlist_beds()\n```',
    '<tool_call>{"name": "nothing_known", "arguments": {}}</tool_call>',
    '[TOOL_CALLS][{"name": "nothing", "arguments": {}}]',
    "<function=nothing>{}</function>",
    '<|python_tag|>nothing.call(a="3")',
    '<invoke name="nothing">\n<parameter name="a">3</parameter></invoke>',
    "Tool: book_bed\nbed: 3",
    '<｜DSML｜invoke name="book_bed">\n<｜DSML｜parameter name="bed">3</｜DSML｜parameter>\n</｜DSML｜invoke>',
    "- book_bed:\n    bed: 3",
    f"Calling tool book_bed with arguments {ARGUMENTS}",
    "book_bed --bed 3",
    'result = book_bed(bed="3")',
    "(rufe book_bed auf mit bed=3)",
    f"assistantcommentary to=functions.book_bed json{ARGUMENTS}",
    "Step 1: book_bed[bed=3]",
    '{{book_bed(bed="3")}}',
    'bookBed(bed="3")',
    "CALL book_bed 3",
    "/book_bed 3",
    "_calling book_bed..._",
    "go_to_end()",
    "go_to_nowhere()",
    '{"name": "go_to_nowhere", "arguments": {}}',
    'book_bed("3"); list_beds()',
    "Let me check: book_bed {bed: 3}",
    "[Tool: book_bed]",
    "One moment.\nbook_bed(\n",
    "(Werkzeug book_bed mit bed=3 aufgerufen)",
]
NO_CALLS = [
    '{"bed": "3", "free": true}',
    '{"name": "Ada", "arguments": {"bed": "3"}}',
    '{"name": "book_bed_later", "arguments": {}}',
    '{"name": "book_bed", "about": "books a bed"}',
    '{"type": "object", "properties": {}}',
    "[1, 2, 3]",
    '```json\n{"bed": 3}\n```',
    'As JSON: {"event": {"name": "x"}}',
    "I can use book_bed for you.",
    'You call book_bed(bed="3") to book bed 3.',
    'An example: book_bed(bed="3") books bed 3.',
    'Write `book_bed(bed="3")`',
    "Two tools. book_bed books, list_beds lists.",
    "book_bed: books a bed\nlist_beds: lists them",
    "Tools:\nbook_bed\nlist_beds",
    "book_bed(bed) is one of our functions.",
    "Small models write <tool_call> to call book_bed.",
    "<tool_call> book_bed is a tag and a name",
    "Bed `3` is [here](https://example.org), {really}.",
    "3 < 4, and 5 > 4",
    "Action: please sign.",
    "<b>Bed 3</b>",
    "[Call us now](tel:1)",
    "(I call book_bed for you.)",
    "I will call book_bed with the number of your bed.",
    "Bed: 3\nPrice: 5",
    "Name: Ada\nBed: 3",
    "## Tool: book_bed\nBooks a bed.",
    "**Tool: book_bed**\n\nIt books a bed.",
    "- book_bed(bed: string): books a bed\n- list_beds(): lists them",
    "book_bed(bed: string)\nlist_beds()",
    "book_bed:\n  bed: string",
    "def book(number):\n    return 3",
    'So it is used:\n```python\nfor bed in beds:\n    book_bed(bed="3")\n```',
    'For example: `book_bed(bed="3")`',
    '```xml\n<tool_call>{"name": "x"}</tool_call>\n```',
    'Write `<tool_call>{"name": "x"}</tool_call>`.',
    "[Call us](tel:1)",
    "Use the tool. Now call me: 3",
    "Result = 3",
    "Go to the end (call us first).",
    "Book beds: 3 of them.",
    'I booked it with book_bed, bed="3".',
    "A bed = book_bed in our words.",
    "/book is a command.",
    "We use book_bed and list_beds.",
    "Our tools are:\n1. book_bed, to book\n2. list_beds, to list",
    *("{", "[", "<", "```", "boo", "  Hello"),
]


@pytest.mark.law("2.1")
@pytest.mark.parametrize("text", [*CALLS, *NO_CALLS])
def test_a_call_as_text_is_noticed_and_other_text_is_whole(text: str) -> None:
    cuts = [[text], list(text), *([text[:at], text[at:]] for at in range(1, len(text)))]
    for pieces in cuts:
        watch = WrittenCalls(KNOWN)
        early = "".join(watch.add(piece) for piece in pieces)
        assert early + watch.end() == text
        assert bool(watch.tool) == (text in CALLS), pieces
        if text in CALLS:
            assert not any(sign in early for sign in ("book_bed", "list_beds", "move_bed", "go_to", "{", "<", "[")), (
                pieces
            )


@pytest.mark.law("2.1")
@pytest.mark.parametrize("text", CALLS)
def test_a_model_that_wrote_a_call_as_text_is_told_and_asked_again(text: str) -> None:
    model = tw.ScriptedModel([text.replace("list_beds", "book_bed"), WHOLE])
    turn = opened(flow_of(GARDEN), model=model, tools={"book_bed": _book}).say("book bed 3")
    assert turn.text == WHOLE
    assert [warning.code for warning in turn.warnings] == ["reply_failed"]
    assert ["written as text" in note for note in model.calls[-1].notes] == [True]


@pytest.mark.law("2.1")
@pytest.mark.parametrize("tool", ["garden.water-all", "garden/water-all"])
@pytest.mark.parametrize("call", ['{}(bed="3")', "[Tool call: {}]", 'NAME {} {{"bed": "3"}}'])
def test_a_call_of_a_tool_of_a_server_is_noticed_with_and_without_the_server(tool: str, call: str) -> None:
    for name in ("garden.water-all", "water-all", "water_all"):
        watch = WrittenCalls(call_names({tool: ("bed",)}))
        early = "".join(map(watch.add, call.format(name)))
        watch.end()
        assert (watch.tool, "water" in early) == (tool, False), name


@pytest.mark.parametrize(
    "text",
    [
        "Search results: two beds.\nSearch again?",
        "Book, then pay. Pay: 5 coins. Book now (or later).",
        "- Search for beds\n- Pay, and book\nBook: 3\nBed: 4",
        "Pay (30) in cash, or by card.\nBook (bed: 3)\nSearch?",
        "Use book 3. Order book 4.\nCommand: book 3\nPay today!",
    ],
)
def test_a_text_with_words_that_are_names_of_tools_is_streamed(text: str) -> None:
    watch = WrittenCalls(call_names({"search": ("query",), "book": ("bed",), "pay": ()}))
    shown = "".join(map(watch.add, text))
    assert len(shown) > len(text) - len("Search again?")
    assert shown + watch.end() == text
    assert not watch.tool


def test_the_prompt_of_the_second_try_is_proved() -> None:
    async def asked() -> None:
        model = tw.ScriptedModel([CALLS[0], WHOLE])
        chat = OneChat(flow_of(GARDEN), model=model, tools={"book_bed": _book})
        turn = await chat.say("book bed 3")
        (prompt,) = await prompts(chat.runtime.store, chat.runtime.machines, turn)
        assert (prompt.is_proved, prompt.request) == (True, model.calls[-1])
        await chat.close()

    asyncio.run(asked())


def test_a_model_that_writes_calls_as_text_twice_has_failed() -> None:
    model = tw.ScriptedModel([CALLS[0], CALLS[19]])
    turn = opened(flow_of(GARDEN), model=model, tools={"book_bed": _book}).say("book bed 3")
    assert [event.code for event in turn.events if isinstance(event, e.ModelFailed)] == ["call_as_text"]
    assert turn.text == "Something went wrong on our side. Please try again."


@pytest.mark.parametrize("text", [text for text in NO_CALLS if any(map(str.isalnum, text))])
def test_a_text_that_is_no_call_is_shown_as_it_is(text: str) -> None:
    turn = opened(flow_of(GARDEN), model=tw.ScriptedModel([text]), tools={"book_bed": _book}).say("hello")
    assert turn.text == text
    assert not turn.warnings


def test_a_call_as_text_beside_a_real_call_is_left_out() -> None:
    booked: list[str] = []

    def book(bed: str) -> str:
        booked.append(bed)
        return "ok"

    both = tw.ModelReply(CALLS[0], calls=(tw.CallMade("book_bed", {"bed": "3"}),))
    model = tw.ScriptedModel([both, WHOLE])
    turn = opened(flow_of(GARDEN), model=model, tools={"book_bed": book}).say("book")
    assert (turn.text, booked) == (WHOLE, ["3"])


def test_a_flow_without_tools_shows_what_is_no_markup_of_a_call() -> None:
    chat = opened(flow_of("flow: f\nstart: a\nnodes: {a: {prompt: Talk.}}"), model=tw.ScriptedModel(CALLS[:1]))
    assert chat.say("an example, please").text == CALLS[0]


ELSEWHERE = """
flow: garden
start: talk
records: {guest: {name: string, age: {type: integer, about: age}}}
tools: {book_bed: {about: books a bed, kind: effect, args: {bed: string}}}
nodes:
  talk: {prompt: Help., SETTINGS transitions: [{at: error, when: error.kind == 'model', to: sorry}]}
  ask: {prompt: Help., form: {wording: model, fields: [{field: guest.age, ask: How old are you?}], confirm: {}}}
  book: {prompt: Book., writes: [guest], tools: {allow: [book_bed]}, transitions: [{at: choice, to: talk}]}
  sorry: {say: Sorry.}
"""
CALLED_ELSEWHERE = [
    '{"name": "book_bed", "arguments": {"bed": "3"}}',
    'book_bed(bed="3")',
    'write_guest(set={"name": "Bo"})',
    '{"name": "read_guest", "arguments": {}}',
    "go_to_talk()",
    "go_to_talk",
    'understood({"commands": []})',
    '{"name": "understood", "arguments": {"commands": []}}',
    '{"commands": [{"command": "set", "field": "guest.name", "value": "Bo"}]}',
    '<tool_call>{"name": "lookup", "arguments": {}}</tool_call>',
    '<|python_tag|>{"name": "lookup", "parameters": {}}',
]


def elsewhere(*plan: Any, start: str = "talk", settings: str = "") -> tw.SyncChat:
    flow = ELSEWHERE.replace("start: talk", f"start: {start}").replace("SETTINGS", settings)
    return opened(flow_of(flow), model=FirstToAnswer([tw.ScriptedModel(plan)]), tools={"book_bed": _book})


@pytest.mark.law("2.1")
@pytest.mark.parametrize("text", CALLED_ELSEWHERE)
@pytest.mark.parametrize("at_once", [False, True])
def test_a_call_of_a_tool_that_is_not_offered_here_is_no_reply(text: str, *, at_once: bool) -> None:
    turn = elsewhere(tw.ModelReply(text) if at_once else list(text), WHOLE).say("hello")
    assert (turn.text, [one.code for one in turn.warnings]) == (WHOLE, ["reply_failed"])
    (replied,) = [event for event in turn.events if isinstance(event, e.ModelReplied)]
    assert [one.code for one in replied.attempts] == ["call_as_text"]


@pytest.mark.law("2.1")
@pytest.mark.parametrize("text", CALLED_ELSEWHERE)
def test_a_call_that_is_not_offered_here_is_caught_after_the_second_try(text: str) -> None:
    turn = elsewhere(text, text).say("hello")
    assert (turn.state.node, turn.text) == ("sorry", "Sorry.")


@pytest.mark.law("2.1")
@pytest.mark.parametrize("text", CALLED_ELSEWHERE)
def test_a_call_in_place_of_a_worded_question_is_not_shown(text: str) -> None:
    chat = elsewhere(text, "And how old are you?", text, text, start="ask")
    assert chat.say("hello").text.endswith("And how old are you?")
    assert chat.say("hm").text.endswith("How old are you?")


UNDERSTOOD = '{"commands": [{"command": "set", "field": "guest.name", "value": "Bo", "words": "Bo"}]}'
FORM = """
flow: names
start: ask
records: {guest: {name: {type: string, about: name}, age: {type: integer, about: age}}}
nodes: {ask: {form: {fields: [{field: guest.name, ask: Who?}, {field: guest.age, ask: How old?}], confirm: {}}}}
"""


@pytest.mark.law("2.1")
@pytest.mark.parametrize(
    "text",
    [
        UNDERSTOOD,
        f'{{"name": "understood", "arguments": {UNDERSTOOD}}}',
        f"```json\n{UNDERSTOOD}\n```",
        f"understood({UNDERSTOOD})",
        f"<tool_call>{UNDERSTOOD}</tool_call>",
    ],
)
def test_a_model_that_understands_in_text_is_asked_once_more(text: str) -> None:
    async def asked() -> None:
        call = tw.call("understood", commands=json.loads(UNDERSTOOD)["commands"])
        model = tw.ScriptedModel([text, call], understands=True)
        chat = OneChat(flow_of(FORM), model=model)
        await chat.say("hello")
        turn = await chat.say("please take Bo, my friend from school, he would like to come")
        assert [event.value for event in turn.events if isinstance(event, e.FieldSet)] == ["Bo"]
        assert "Make a tool call." in model.calls[-1].notes[-1]
        (prompt,) = await prompts(chat.runtime.store, chat.runtime.machines, turn)
        assert (prompt.is_proved, prompt.request) == (True, model.calls[-1])
        await chat.close()

    asyncio.run(asked())


def test_the_names_of_all_tools_are_not_sent() -> None:
    model = tw.ScriptedModel([WHOLE])
    opened(flow_of(GARDEN), model=model, tools={"book_bed": _book}).say("hello")
    (request,) = model.calls
    assert request.call_names.find("book_bed")
    assert request.as_sent() == replace(request, call_names=NO_NAMES)
    assert request.fingerprint() == request.as_sent().fingerprint()


@pytest.mark.parametrize(
    "piece", ["{", "[", "<", "`", " ", '"name": {', "<a> `b` {c} [d] ", "</think> ", "<think> x", "</s>", "a</s> "]
)
def test_a_long_text_takes_no_time_that_grows_with_its_square(piece: str) -> None:
    request = ModelRequest("here", (), tools=tuple([ToolSpec(tool, "", {}) for tool in TOOLS]))

    def read(size: int) -> None:
        text = ReplyText(request)
        for _ in range(size // len(piece)):
            text.add(piece)
        text.end()

    read(100)  # what is made once does not count
    assert calls_of(partial(read, 4_000)) < 2.2 * calls_of(partial(read, 2_000))
    if IS_SOAK:
        read(100_000)  # with a square in C it takes minutes
