"""Law 7.1a: what a model understood must be borne out by the message."""

from __future__ import annotations

from typing import Any

import pytest

from support.chats import OneChat, Waiting, flow_of
from support.tools import facts, made, uses
from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.commands.quotes import place_of
from turnwise.core.prompts.understanding import TOOL_NAME, read_understanding
from turnwise.core.state import events as e
from turnwise.core.state.effects import Call
from turnwise.flow.model import Field, Option
from turnwise.models.scripted import ScriptedModel, understood_reply

CHOICES = {"pay": ("Yes", "No"), "size": ("large", "small", "None")}
TYPES = {"name": "string", "problem": "string", "age": "integer", "price": "number", "day": "date", "time": "time"}
TYPES |= {"smoker": "boolean", "mail": "email", "phone": "phone", "items": "list", "wait": "duration"}
FIELDS = tuple(
    [AllowedField(f"u.{name}", Field(name, kind), f"What is your {name}?") for name, kind in TYPES.items()]
    + [
        AllowedField(f"u.{name}", Field(name, "choice", options=tuple(map(Option, some))), f"Which {name}?")
        for name, some in CHOICES.items()
    ]
)
COMMANDS = ("set", "clear", "add", "remove", "affirm", "deny", "edit", "cancel", "ask")
Given = dict[str, Any]


def a_set(field: str, value: Any, words: str = "") -> Given:
    return {"command": "set", "field": f"u.{field}", "value": value} | ({"words": words} if words else {})


def a(command: str, words: str = "", **more: Any) -> Given:
    return {"command": command, **more} | ({"words": words} if words else {})


def objections(
    message: str, *given: Given, question: Any = "field", language: str = "en", before: str = ""
) -> list[str]:
    shown = AllowedInput(language, "UTC", 0, FIELDS, COMMANDS, question=question)
    commands, _ = read_understanding([Call("1", TOOL_NAME, {"commands": list(given)})], message, shown, before)
    return [one.objection for one in commands]


NO_SUPPORT = [
    ("hello there", a_set("name", "Bob"), "unsupported"),
    ("hello there", a_set("name", "Bob", "hello there"), "unsupported"),
    ("hello there", a_set("name", "Bob", "Bob"), "misquoted"),
    ("what does it cost?", a_set("name", "Bob", "what does it cost"), "unsupported"),
    ("how are you", a_set("name", "Ada", "how are you"), "unsupported"),
    ("yes", a_set("name", "Bob", "yes"), "unsupported"),
    ("yes please", a_set("age", 50, "yes please"), "unsupported"),
    ("thanks!", a_set("size", "large", "thanks"), "unsupported"),
    ("my number is 50", a_set("age", 5, "5"), "misquoted"),
    ("yes, but only 40", a_set("age", 50, "only 40"), "unsupported"),
    ("I know", a_set("name", "now", "now"), "misquoted"),
    ("it costs 5.50", a_set("age", 5, "5"), "misquoted"),
    ("ham", a_set("items", ["ham", "eggs"]), "unsupported"),
    ("no", a_set("smoker", True, "no"), "unsupported"),
    ("yes and no", a_set("smoker", True, "yes and no"), "unsupported"),
    ("yes and no", a_set("smoker", True, "yes"), "no_plain_yes"),
    ("yes, what does it cost?", a_set("smoker", True, "yes"), "no_plain_yes"),
    ("Yes is a band I like", a_set("pay", "Yes", "Yes"), "no_plain_yes"),
    ("hm", a_set("name", "null"), "no_value"),
    ("hm", a_set("name", "N/A", "hm"), "no_value"),
    ("hm", a_set("problem", "<problem>", "hm"), "no_value"),
    ("a - b", a_set("problem", "-", "-"), "no_value"),
    ("hm", a_set("problem", "Unknown."), "no_value"),
    ("hm", a_set("items", ["none"]), "no_value"),
    ("hm", a_set("name", "None", "None"), "misquoted"),
]
SUPPORT = [
    ("my name is Bob", a_set("name", "Bob")),
    ("i'm BOB", a_set("name", "Bob", "bob")),
    ("I’m  Zoë", a_set("name", "Zoe\u0308", "I'm Zoë")),
    ("it is none of these: none", a_set("problem", "none")),
    ("I am fifty", a_set("age", 50, "fifty")),
    ("me and my wife", a_set("age", 2, "me and my wife")),
    ("only 40, please", a_set("age", 40, "only 40")),
    ("about 1,500", a_set("price", 1500)),
    ("2,5 or so", a_set("price", 2.5)),
    ("next Friday works", a_set("day", "2026-12-04", "next Friday")),
    ("on 4 December", a_set("day", "2026-12-04")),
    ("half past six", a_set("time", "18:30", "half past six")),
    ("10 minutes", a_set("wait", 600)),
    ("I quit years ago", a_set("smoker", False, "quit years ago")),
    ("no, I don't smoke", a_set("smoker", False)),
    ("yes I smoke", a_set("smoker", True, "yes")),
    ("I'm Ada, 45, and yes, a smoker", a_set("smoker", True, "yes, a smoker")),
    ("yes", a_set("smoker", True)),
    ("yes please", a_set("pay", "Yes", "yes please")),
    ("the big one", a_set("size", "large", "the big one")),
    ("nothing special", a_set("size", "None", "nothing special")),
    ("bob at example dot com", a_set("mail", "bob@example.com", "bob at example dot com")),
    ("+49 (30) 123 456", a_set("phone", "+4930123456")),
    ("it is raining into my kitchen", a_set("problem", "water damage", "raining into my kitchen")),
    ("ham ... and eggs too", a_set("items", ["ham", "eggs"], "ham … eggs")),
    ("私は田中です", a_set("name", "田中", "田中")),
]


@pytest.mark.law("7.1a")
@pytest.mark.parametrize(("message", "given", "objection"), NO_SUPPORT)
def test_a_value_without_support_is_refused(message: str, given: Given, objection: str) -> None:
    assert objections(message, given) == [objection]


@pytest.mark.law("7.1a")
@pytest.mark.parametrize(("message", "given"), SUPPORT)
def test_a_value_in_other_words_has_support(message: str, given: Given) -> None:
    assert objections(message, given) == [""]


@pytest.mark.law("7.1a")
@pytest.mark.parametrize(("value", "objection"), [("19:00", ""), ("20:00", "unsupported")])
def test_a_yes_supports_the_value_that_was_just_named_to_the_user(value: str, objection: str) -> None:
    given = a_set("time", value, "yes")
    assert objections("yes", given, before="Shall I put you down for 19:00?") == [objection]


YES = [
    # message, question, commands, the objection to the yes
    ("what does it cost?", "call", [a("affirm")], "no_plain_yes"),
    ("what does it cost?", "call", [a("affirm", "what does it cost")], "no_plain_yes"),
    ("what does it cost?", "call", [a("affirm", "yes")], "misquoted"),
    ("yes, but only 40", "call", [a("affirm", "yes")], "no_plain_yes"),
    ("ja, aber nur 40", "call", [a("affirm", "ja")], "no_plain_yes"),
    ("yes, but only 40", "confirmation", [a("affirm", "yes"), a_set("age", 40, "40")], "contradicted"),
    ("yes, to Eve", "call", [a("affirm", "yes")], "no_plain_yes"),
    ("Yes is a band I like", "confirmation", [a("affirm", "Yes")], "no_plain_yes"),
    ("sure, cancel it", "call", [a("affirm", "sure")], "no_plain_yes"),
    ("yes I think", "confirmation", [a("affirm", "yes")], "no_plain_yes"),
    ("not yes", "call", [a("affirm", "yes")], "no_plain_yes"),
    ("ok yes", "call", [a("affirm", "ok yes"), a("deny")], "contradicted"),
    ("ok yes", "confirmation", [a("affirm", "ok yes"), a("cancel")], "contradicted"),
    ("yes, why?", "confirmation", [a("affirm", "yes"), a("ask", text="why?")], "beside_question"),
    ("Yes. Why?", "confirmation", [a("affirm", "Yes")], "beside_question"),
    ("Yes. But only 40. Why?", "confirmation", [a("affirm", "Yes"), a("ask", text="Why?")], "beside_question"),
    ("Yes. Why?", "call", [a("affirm", "Yes"), a("ask", text="Why?")], "beside_question"),
    ("Yes. Why?", "confirmation", [a("affirm", "Yes"), a("ask", text="Why?")], ""),
    ("yes, that is what I want", "call", [a("affirm", "yes")], ""),
    ("ja bitte, das hätte ich gern so", "call", [a("affirm", "ja bitte")], ""),
    ("yes", "call", [a("affirm")], ""),
]


@pytest.mark.law("7.1a", "4.5", "5.5")
@pytest.mark.parametrize(("message", "question", "given", "objection"), YES)
def test_a_yes_of_a_model_counts_only_if_the_message_says_it(
    message: str, question: str, given: list[Given], objection: str
) -> None:
    language = "de" if "ja" in message.split() or message.startswith("ja") else "en"
    assert objections(message, *given, question=question, language=language)[0] == objection


PAY = """
    flow: pay
    start: desk
    tools: {transfer: {about: transfer money, kind: effect, confirm: true, args: {to: string, amount: number}}}
    nodes: {desk: {prompt: Help., tools: {allow: [transfer]}}}
"""


@pytest.mark.law("7.1a", "4.5")
@pytest.mark.parametrize(
    "given",
    [[a("affirm")], [a("affirm", "yes")], [a("affirm", "yes"), a("deny")], [a("affirm", "only 40")]],
)
def test_no_model_approves_a_call_that_the_user_did_not_approve(given: list[Given]) -> None:
    ran: list[str] = []

    def transfer(to: str, amount: float) -> str:
        ran.append(f"{amount} to {to}")
        return "done"

    plan = [uses(made("transfer", to="Bo", amount=50)), understood_reply(*given), "I can send 40.", "Well."]
    model = ScriptedModel(plan, understands=True)
    chat = Waiting(OneChat(flow_of(PAY), tools=[transfer], model=model))
    chat.say("send 50 to Bo")
    turn = chat.say("yes, but only 40")
    assert not ran
    assert {one.reason for one in facts(turn, e.CommandRefused)} & {"no_plain_yes", "contradicted"}


@pytest.mark.law("7.1a")
@pytest.mark.parametrize(
    ("words", "message", "found"),
    [
        ("no", "I know, no", "no"),
        ("It's Zoe", "it’s  zoe!", "it’s  zoe"),
        ("5", "50 or 5", "5"),
        ("👍", "ok 👍🏽", "👍"),
        ("ham ... eggs", "ham, cheese, eggs", "ham, cheese, eggs"),
        ("eggs ... ham", "ham, eggs", None),
        ("", "ham", None),
        ("...", "ham", None),
    ],
)
def test_a_quote_is_found_as_people_read_it(words: str, message: str, found: str | None) -> None:
    place = place_of(words, message)
    assert (None if place is None else message[slice(*place)]) == found
