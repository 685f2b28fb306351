"""One headline for what a conversation does, in each of its states and in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, get_args

import pytest

import turnwise as tw
from support.chats import flow_of
from turnwise.archive.activity import ActivityKind
from turnwise.archive.activity_words import LANGUAGES, headline_of, short_headline
from turnwise.errors import WrongArgument

NOON_MS = 1_767_960_000_000
FORM = """
flow: shop
start: ask
person: {queue: desk}
records: {order: {size: {options: [S, L], about: "size, as on the label"}, name: string}}
nodes:
  ask:
    form: {fields: [{field: order.size, ask: Which size?}, {field: order.name, ask: Whose?}], confirm: {}}
    transitions: [{when: form.status == "confirmed", to: done}]
  done: {say: Bye., end: completed}
"""
LIST = """
flow: list
start: items
records: {line: {what: string}, basket: {lines: {type: list, of: line, min: 1, about: the lines}}}
nodes:
  items:
    form:
      fields: [{field: basket.lines, ask: Which?, items: [{field: line.what, ask: What is it?}], more: Anything else?}]
    transitions: [{to: done}]
  done: {say: Bye., end: completed}
"""
CALLS = """
flow: calls
start: talk
tools:
  book: {about: Books a table. For models only., args: {}, kind: effect, confirm: true}
  pay: {about: Pays., title: pay the bill, args: {}, kind: effect, confirm: true}
nodes: {talk: {prompt: Talk., tools: {allow: [book, pay]}, entry: Hello.}}
"""
TALK = """
flow: talk
start: talk
commands: [{start: [survey]}]
nodes:
  talk: {prompt: Talk., offer: {scope: survey, opener: A minute?}}
  survey: {title: Short survey, scope: {start: q, nodes: {q: {prompt: Ask.}}}}
"""


@contextmanager
def chat_of(text: str, *replies: Any) -> Iterator[tw.SyncChat]:
    """A chat at noon in Berlin, of a flow whose model is scripted and whose tools do nothing."""

    def book() -> str:
        return "done"

    def pay() -> str:
        return "done"

    tools = [book, pay] if "tools:" in text else []
    options: dict[str, Any] = {"tools": tools, "clock": tw.ManualClock(NOON_MS)}
    with tw.open_sync(flow_of(text), model=tw.ScriptedModel(list(replies)), **options) as app:
        chat = app.chat("main")
        chat.start(time_zone="Europe/Berlin")
        yield chat


def said(chat: tw.SyncChat) -> tuple[str, str, str]:
    """The headline, the same for a list, and the German one."""
    here = chat.activity()
    return here.text, here.short, chat.activity(language="de").text


def test_a_form_from_its_first_question_to_the_end() -> None:
    with chat_of(FORM) as chat:
        first = (
            "Asks for “size”: 0 of 2 answered",
            "Asks for size, 0 of 2 answered",
            "Fragt nach „size“: 0 von 2 beantwortet",
        )
        assert said(chat) == first
        chat.say("L")
        assert said(chat)[0] == "Asks for “name”: 1 of 2 answered"
        chat.say("Ada")
        summary = "Waits for a yes to the summary"
        assert said(chat)[:2] == (f"{summary}: 2 of 2 answered", f"{summary}, 2 of 2 answered")
        chat.say("yes")
        assert said(chat) == ("Ended: completed", "Ended: completed", "Beendet: abgeschlossen")


def test_an_answer_is_chosen_to_be_changed() -> None:
    with chat_of(FORM) as chat:
        chat.say("L")
        chat.say("Ada")
        chat.say("edit")
        assert said(chat)[0] == "Asks which answer to change"
        chat.say("size")
        changed = (
            "Changes “size”: 2 of 2 answered",
            "Changes size, 2 of 2 answered",
            "Ändert „size“: 2 von 2 beantwortet",
        )
        assert said(chat) == changed


def test_a_person_is_waited_for_and_in_charge() -> None:
    with chat_of(FORM) as chat:
        chat.say("talk to a human")
        assert said(chat)[1] == "Waits for a person"
        chat.take_over("lena", display="Lena")
        assert said(chat) == ("With Lena since 13:00", "With Lena", "Bei Lena seit 13:00 Uhr")


def test_a_list_is_filled_item_by_item() -> None:
    with chat_of(LIST) as chat:
        assert said(chat)[:2] == ("Asks for “what”: item 1 of the lines", "Asks for what")
        chat.say("a pen")
        assert said(chat)[:2] == ("Asks “anything else?” for the lines: 1 so far", "Asks anything else? for the lines")


def test_an_offer_and_an_inner_conversation() -> None:
    with chat_of(TALK, "Hello.", "How was it?") as chat:
        offered = "Offers Short survey: waits for a yes"
        assert said(chat) == (offered, "Offers Short survey", "Bietet Short survey an: wartet auf ein Ja")
        chat.say("yes")
        assert (said(chat)[0], chat.activity().inside) == ("Waits for a message in Q", "Short survey")


def test_calls_that_wait_for_approval() -> None:
    with chat_of(CALLS, tw.call("book")) as chat:
        chat.say("book it")
        assert said(chat)[0] == "Waits for a yes to “Books a table”"
    with chat_of(CALLS, tw.ModelReply(calls=(*tw.call("book").calls, *tw.call("pay").calls))) as chat:
        chat.say("book and pay")
        assert said(chat)[:2] == (
            "Waits for 2 of 2 approvals: Books a table and pay the bill",
            "Waits for 2 of 2 approvals",
        )


def test_an_item_that_a_sentence_began_has_its_own_number() -> None:
    with chat_of(
        LIST.replace("what: string", "what: string, size: {options: [S, L]}").replace(
            "ask: What is it?}]", "ask: What is it?}, {field: line.size, ask: Which size?}]"
        )
    ) as chat:
        chat.commands([tw.commands.Add(field="basket.lines", item={"what": what}) for what in ("a pen", "a book")])
        assert said(chat)[0] == "Asks for “size”: item 1 of the lines"
        chat.say("S")
        assert said(chat)[0] == "Asks for “size”: item 2 of the lines"


def test_which_of_several_items_is_meant() -> None:
    with chat_of(LIST) as chat:
        chat.commands([tw.commands.Add(field="basket.lines", item={"what": "a pen"})] * 2)
        chat.commands([tw.commands.Remove(field="basket.lines", item={"what": "a pen"})])
        assert chat.activity().kind == "asks_which_item"
        assert said(chat)[:2] == ("Asks which of “the lines” is meant", "Asks which of the lines is meant")


def test_an_unknown_language_is_refused() -> None:
    with chat_of(FORM) as chat, pytest.raises(WrongArgument, match="'en' or 'de'"):
        chat.activity(language="fr")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", get_args(ActivityKind))
def test_each_kind_has_words_in_each_language(kind: ActivityKind, language: str) -> None:
    names = ("outcome", "reason", "name", "since", "tool", "waiting", "count", "field", "list", "number", "answered")
    parts = {**{name: f"<{name}>" for name in names}, "for_ms": 960_000, "tools": ["a", "b"], "items": 2}
    parts |= {"scope": "<scope>", "node": "<node>", "answer": "<answer>"}
    text = headline_of(kind, parts, language)
    assert text[0].isupper()
    assert text[-1] != "."
    assert not set("{}[]") & set(text)
    assert short_headline(kind, parts, text, language)
    assert headline_of(kind, {}, language) != text or kind in ("asks_which_answer", "asks_about_budget")
