"""No key of a document is read and then ignored: each is run (ADR 8)."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import turnwise
from support.chats import flow_of, talk
from support.tools import Stage
from turnwise.core.state.commands import Wait
from turnwise.errors import ProviderFailed
from turnwise.flow import kinds as s
from turnwise.flow import model
from turnwise.flow.shapes import SHAPES
from turnwise.models.scripted import ScriptedModel, call

SOURCES = Path(turnwise.__file__).parent
TOLD = {(model.Flow, "title"), (model.Flow, "description"), (model.Tool, "about")}
"""Keys that describe for people who read the document: there is nothing to run."""
ELSEWHERE = {
    (model.Flow, "mcp"),
    (model.McpServer, "command"),
    (model.McpServer, "url"),
    (model.McpServer, "env"),
    (model.McpServer, "token"),
    (model.Import, "from"),
    (model.Import, "names"),
    (model.Keep, "events"),
    (model.Keep, "decisions"),
}
"""Keys that are read where a flow is loaded or opened: a conversation sees only the tools and parts that come of them,
and retention erases between its turns.
"""

NOT_MET = {
    (model.Collect, "mode"),
    (model.Limits, "questions"),
    (model.Tool, "on_crash"),
    (model.Tool, "title"),
}
"""Keys of what this conversation does not come by, and other tests do: a model that interprets messages, a form whose
questions are data, a tool whose process dies, one that waits for approval.
"""

EVERYTHING = """
flow: everything
version: 2
start: home
time_zone: Europe/Berlin
language: en
texts: {wait: No hurry.}
persona: Freya.
prompt: Help.
fallback: Well.
busy: reject
log: error
commands: [help, {start: [talk]}]
person: {queue: desk, about: the user is lost, timeout: 5m}
limits: {moves: 3, model_calls: 5, tool_calls: 5, run_moves: 9, message_chars: 100, strings: 100, lists: 10, window: 5,
         summary_chars: 90,
         budgets: [{money: 9 USD, per: day, then: model, model: other}, {tokens: 900000, then: hand_over, queue: desk},
                   {time: 9h, then: end, outcome: late}],
         prices: {"*": {input: 1, output: 1, cached: 1, currency: USD}}}
overlays:
  feast: {from: 2026-12-24, to: 2026-12-26, every: year, time_zone: UTC, name: Nick, persona: Be merry., addendum: Ho!, priority: 3}
records:
  u:
    name: {type: string, max: 50, pattern: "[A-Za-z]+", about: the name, validate: 'u.name != "Bob"', refuse: Not Bob.}
    age: {type: integer, min: 1, default: 7}
    tags: {type: list, of: string}
    kind: {type: choice, options: [{red: [crimson]}, blue]}
    pin: {type: string, secret: true}
    free: string
    seen: boolean
    note: string
    pick: {type: choice, options_from: {list: u.offers, label: "{{ option.code }}!", value: code}}
    offers: {type: list, of: offer}
  offer: {code: string}
tools:
  think: {args: {q: {type: string, optional: true}}, retry: {times: 1, pause: 10ms}, timeout: 5s}
  save: {kind: effect, confirm: true, on_crash: unknown, expects: confirmed}
transitions: [{id: off, at: before, when: u.note == "off", end: off}]
nodes:
  home:
    description: where it begins
    persona: Ada.
    prompt: Talk.
    entry: You have just begun.
    collect: [u.name, u.age, u.note]
    model: some
    settings: {temperature: 0.5, max_tokens: 99, top_p: 0.9, seed: 1, stop: [END], thinking: low}
    transcript: {show: visit, last: 3}
    guard_reply: {when: reply.text == "no", say: Well.}
    retry: {times: 1, pause: 10ms}
    timeout: 5s
    reads: [u.name]
    writes: [u.note]
    tools: {allow: [think], deny: [save], sequence: [{tool: save, optional: true}, think], enforce: true}
    set_on_leave: {u.seen: true}
    transitions:
      - {id: noted, at: before, when: u.note == "noted", to: ask, note: Go on.}
      - {id: hold, at: before, when: u.note == "stay", stay: true, because: it was asked, priority: 2}
      - {id: no, at: before, when: u.note == "block", block: Not now.}
      - {id: late, at: timer, in: 30m, to: ask}
      - {id: code, at: before, guard: look, to: ask}
      - {id: rule, at: before, mirror: true, when: has(u.name), to: ask}
      - {id: talks, at: before, when: u.note == "talk", call: talk, with: {why: u.note}}
      - {id: next, when: u.note == "on", reply: next, to: ask, set: {u.seen: false}}
  ask:
    enter_when: u.note == "ask"
    set: {u.free: begun}
    form:
      fields:
        - {field: u.kind, ask: Which?, help: One of two., options: [red, blue], buttons: {red: Red}, match: direct,
           rephrase: [Which one?], then: skip, required: false, key: the_kind}
        - {field: u.tags, asked: false, ask: Tags?, ask_when: u.age > 3, stop: {values: [bad], say: No.}}
        - {field: u.free, ask: What?, other: true, options: [one, two], validate: u.free != "none", refuse: Something.}
      confirm: {summary: "All of it.", buttons: {edit: Change}, edit: first}
      statement: "A statement."
      handoff: desk
      acknowledge: Noted.
      prefill: ask
    transitions: [{to: last}]
  last: {say: So., once: saved, offer: {scope: talk, opener: Talk?, with: {why: u.note}, wording: model}}
  saved: {tool: {name: think, with: {q: u.name}, into: u}, once: over}
  talk:
    title: the talk
    starts: [let us talk]
    scope:
      inherits: [u, message]
      input: {why: {type: string, default: so}}
      returns: u
      summary: {model: some, prompt: Sum up., fallback: "It was {{ u.note }}."}
      limits: {turns: 3, idle: 5m, tokens: 1000}
      keep: 3d
      tool: beginTalk
      on_return: resume
      records: {own: {x: string}}
      start: first
      nodes:
        first: {prompt: Talk., transitions: [{at: before, when: has(own.x), return: true}]}
  over: {say: Bye., end: completed}
schedules:
  second_tuesday: {cron: "0 18 * * 2#2", call: talk, with: {2026: {why: year}, default: {why: so}}, quiet: "22:00-08:00",
                   missed: skip, grace: 1h, pause: 5m, interrupt: true, priority: 2}
  fortnight: {every: 2w, anchor: 2026-01-05, at: "18:00", instruct: Be brief.}
  silent: {idle: 3d, instruct: Greet again.}
"""


def shapes_that_run() -> dict[str, s.Shape]:
    """The shapes that stand somewhere in a flow."""
    found = {"Flow": SHAPES["Flow"]}
    open_ = [SHAPES["Flow"]]
    while open_:
        shape = open_.pop()
        for key in shape.keys:
            name = inner(key.kind)
            if name and name not in found:
                found[name] = SHAPES[name]
                open_.append(SHAPES[name])
    return found


def inner(kind: s.Kind) -> str:
    """The shape that stands under a key, if any."""
    match kind:
        case s.Named(shape) | s.Object(shape) | s.Many(s.Object(shape)):
            return shape
        case _:
            return ""


class Watch:
    """Notes which attributes of the flow model the core, the checker and the runner read."""

    def __init__(self) -> None:
        self.read: set[tuple[type, str]] = set()

    def on(self, patch: pytest.MonkeyPatch, of: type) -> None:
        """Watch the objects of a class."""

        def get(one: Any, name: str) -> Any:
            code = Path(sys._getframe(1).f_code.co_filename)
            is_running = {"core", "runner", "check"} & set(code.parts) or code.name == "settings.py"
            if code.name != "unsupported.py" and is_running and SOURCES in code.parents:
                self.read.add((of, name))
            return object.__getattribute__(one, name)

        patch.setattr(of, "__getattribute__", get, raising=False)


def test_every_key_is_read_where_a_flow_is_linked_and_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes, watch = shapes_that_run().values(), Watch()
    flow = flow_of(EVERYTHING)
    for shape in shapes:
        watch.on(monkeypatch, shape.of)
    converse(flow)
    turnwise.check(flow, [turnwise.guard(lambda u: u.note == "code", name="look")])
    unread = {
        (shape.of.__name__, key.name)
        for shape in shapes
        for key in shape.keys
        if (shape.of, key.name) not in TOLD | ELSEWHERE | NOT_MET
        if (shape.of, key.attribute) not in watch.read
    }
    assert not unread


def converse(flow: model.Flow) -> None:
    """A conversation that comes by everything in the flow, and two messages of another at a time."""
    look = turnwise.guard(lambda u: u.note == "code", name="look")
    failing = Stage(flow, [ProviderFailed("gone"), call("think"), "Hello."], {"think": failing_once()}, guards=[look])
    failing.start()
    made = talk(flow, look, understand=[[Wait()]] * 40, model=["Hello."] * 40)
    made.chat.start()
    made.set(u__note="stay")
    made.set(u__note="block")
    made.chat.say("x" * 200)
    made.set(u__note="ask", u__kind="red")
    made.chat.say("what?")
    made.chat.say("what?")
    made.chat.choose("red")
    made.set(u__free="one", u__tags=["a"], u__kind="red")
    made.chat.choose("edit")
    made.set("other", u__note="ask", u__kind="red", u__free="one", u__tags=["a"])
    made.set("other", u__kind="blue", u__free="two")
    made.chat.on("other").choose("confirm")
    made.set("talker", u__note="talk")
    for _ in range(3):  # the turns that the scope may have
        made.chat.on("talker").say("well")
    asyncio.run(two_at_a_time(flow, look))


def failing_once() -> Callable[..., str]:
    """A tool whose first attempt fails."""
    plan = iter([OSError("gone"), "found"])

    def think(**_given: Any) -> str:
        found = next(plan)
        if isinstance(found, Exception):
            raise found
        return found

    return think


async def two_at_a_time(flow: model.Flow, guard: Any) -> None:
    async def understand(_message: str, _allowed: Any) -> list[Any]:
        await asyncio.sleep(0)
        return []

    chat = turnwise.open(flow, guards=[guard], understand=understand, model=ScriptedModel(["Hello."] * 9)).chat("main")
    await asyncio.gather(chat.say("one"), chat.say("two"))
