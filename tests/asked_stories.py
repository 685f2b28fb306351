"""Conversations that questions of why are asked about: the prepared ones of the demonstration, and some of our own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache
from typing import Any

import turnwise as tw
from support.stories import shared
from turnwise.cli.demo_examples import EXAMPLES, examples
from turnwise.cli.demo_seeds import play_seeds, read_seeds
from turnwise.cli.inputs import code_of
from turnwise.core.state.commands import Set
from turnwise.stores.memory import MemoryStore

NOW_MS = 1_795_000_000_000
HEALTH = "examples/health_intake/health_intake.flow.yaml"
CASE = "examples/eligibility/eligibility.flow.yaml"
MACHINE = "examples/context_machine/context_machine.flow.yaml"
PARTNER = "examples/thinking_partner/thinking_partner.flow.yaml"


@cache
def seeded() -> tw.Archive:
    """The prepared conversations of the demonstration, in one store."""
    store = MemoryStore()

    async def play() -> None:
        for name, example in EXAMPLES.items():
            folder = examples() / name
            code, seeds = code_of(folder / example.code if example.code else None), read_seeds(folder)
            for file in {seed.flow for seed in seeds} - {"with_code.flow.yaml"}:
                flow = tw.load(folder / (file or example.flow))
                await play_seeds([seed for seed in seeds if seed.flow == file], flow, code, store, NOW_MS)

    asyncio.run(play())
    return tw.open_archive(store)


def said(flow: str, *texts: str, model: Any = None, tools: Any = ()) -> tw.SyncChat:
    chat = tw.open_sync(flow, model=model, tools=tools, clock=tw.ManualClock(NOW_MS)).chat("a")
    for text in texts:
        chat.say(text)
    return chat


def copied() -> tw.SyncChat:
    copy = said(CASE, "hello", "yes", "yes", "billing").fork("copy", turn=3)
    copy.say("referral")
    return copy


def again() -> tw.SyncChat:
    return said(HEALTH, "Hi, I'm Lea, 31", "hello?")


def failed() -> tw.SyncChat:
    down = [tw.ProviderFailed("the service is overloaded")] * 7
    return said(HEALTH, "Hello, I'm Uta", "what are the terms?", model=tw.ScriptedModel(["Hi Uta.", *down]))


def with_lena() -> tw.SyncChat:
    chat = said(HEALTH, "Hello, I'm Greta", model=tw.ScriptedModel(["Hi.", "Well."]))
    chat.take_over("Lena", reason="on shift")
    chat.say("I'm 41 and I agree")
    chat.give_back("helped", set={"user.age": 41, "user.tos_acknowledged": True})
    return chat


def wrong() -> tw.SyncChat:
    replies = [
        tw.call("write_config", set={"answer": "done"}),
        "Written.",
        tw.call("write_config", set={"result": "done"}),
        "Now it is.",
    ]
    chat = tw.open_sync(MACHINE, model=tw.ScriptedModel(replies)).chat("a")
    chat.run()
    chat.say("try again")
    chat.undo()
    return chat


def think(thought: str) -> str:
    return thought


def summarize(points: list[str]) -> str:
    return ", ".join(points)


def is_saved(text: str) -> str:
    raise tw.NotDone(text)


@tw.tool(check=is_saved)
def save_result(text: str) -> str:
    if not text:
        raise OSError("no space is left")
    return text


def search(words: str) -> list[str]:
    return [words]


def list_generation(steps: list[str]) -> str:
    return ", ".join(steps)


def web_search(query: str) -> list[str]:
    raise OSError("no network")


def partner(*replies: Any, texts: tuple[str, ...]) -> tw.SyncChat:
    own = [think, search, list_generation, summarize, save_result, web_search]
    return said(PARTNER, *texts, model=tw.ScriptedModel(replies), tools=own)


def without_net() -> tw.SyncChat:
    replies = (tw.call("web_search", query="sea"), "no net", "How?")
    return partner(*replies, texts=("research this", "please let us plan"))


def reviewed() -> tw.SyncChat:
    save, sum_up = tw.call("save_result", text="a"), tw.call("summarize", points=["a"])
    replies = (tw.call("think", thought="a"), save, sum_up, "ok", sum_up, save, "kept")
    return partner(*replies, texts=("what shall I do", "keep it"))


def unsaved() -> tw.SyncChat:
    """The save fails in turn 1; the program reports one in turn 2."""
    think, save = tw.call("think", thought="a"), tw.call("save_result", text="")
    chat = partner(think, save, "I could not keep it.", texts=("keep this",))
    chat.tool_used("save_result", {"text": "a"}, {"notes": 1})
    return chat


PRACTICE = """
flow: praxis
version: 1
start: aufnahme
language: de
records:
  patient:
    alter: {type: integer, min: 0, max: 120, about: Alter}
    email: {type: email, about: E-Mail-Adresse}
    tag: {type: date, about: Tag des Termins}
    kasse: {type: choice, options: {gesetzlich: [AOK], privat: []}, about: Versicherung}
nodes:
  aufnahme:
    form:
      fields:
        - {field: patient.alter, ask: Wie alt sind Sie?}
        - {field: patient.kasse, ask: Wie sind Sie versichert?}
        - {field: patient.email, ask: Wie lautet Ihre E-Mail-Adresse?}
        - {field: patient.tag, ask: An welchem Tag möchten Sie kommen?}
    transitions:
      - {id: erinnern, at: timer, in: 1h, stay: true, because: es kam keine Antwort}
"""


def practice(*texts: str) -> tw.SyncChat:
    """A conversation in German."""
    chat = tw.open_sync(tw.loads(PRACTICE), clock=tw.ManualClock(NOW_MS)).chat("a")
    chat.start()
    for text in texts:
        chat.say(text)
    return chat


def worked(name: str, *replies: Any) -> tw.SyncChat:
    chat = tw.open_sync(f"examples/context_machine/{name}.flow.yaml", model=tw.ScriptedModel(replies)).chat("a")
    chat.run()
    return chat


def changed() -> tw.SyncChat:
    """In turns 3 and 4 a program sends commands; the option Holiday is refused."""
    chat = said(CASE, "hello", "yes")
    chat.commands([Set(field="case.purpose", value="Holiday")], by="dora")
    chat.commands([Set(field="case.purpose", value="Billing")], by="dora")
    chat.say("no")
    return chat


STORIES: dict[str, Callable[[], tw.SyncChat]] = {
    "again": again,
    "copied": copied,
    "failed": failed,
    "with_lena": with_lena,
    "wrong": wrong,
    "without_net": without_net,
    "reviewed": reviewed,
    "unsaved": unsaved,
    "practice": lambda: practice("siebenunddreißig", "AOK", "keine Ahnung"),
    "refused": lambda: practice("200"),
    "changed": changed,
    "stuck": lambda: worked("work_first", "Nothing to do."),
    "written": lambda: worked("write_and_read", tw.call("write_config", set={"value": "hello world"}), "w", "r"),
    "restarted": lambda: said(CASE, "hello", "help", "yes", "no", "skip", "care", "start over"),
    "aside": lambda: said(CASE, "hello", "yes", "partial", "how long does a check take?"),
    "cancelled": lambda: said(CASE, "yes", "no", "cancel", "start again", "yes"),
    "emil": lambda: said(CASE, "hello", "yes", "perhaps", "banana", "cancel"),
    "stopped": lambda: said(CASE, "hello", "no"),
    "late": lambda: said(HEALTH, "I'm Eva, 50, I agree to the terms", "sleep", "actually I am 36", "memory, joints"),
    "old": lambda: said(HEALTH, "I'm Rosa and I am 130 years old", "I do not agree to the terms"),
    "two": lambda: said(CASE, "hello", "yes", "no", "billing or treatment", "both"),
    "renamed": lambda: said(HEALTH, "I'm Eva", "my name is Eve and not Eva"),
}
played = {name: shared(play) for name, play in STORIES.items()}


def ask(story: str, question: str) -> tw.Answer:
    if story in played:
        return played[story]().why(question)
    return asyncio.run(seeded().why(story, question))
