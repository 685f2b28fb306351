"""Prompts that were sent are made again later, part by part, and proved by their hashes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from support.chats import NOON_MS, OneChat, flow_of
from turnwise.core.state.retention import Retention
from turnwise.models.scripted import Planned, ScriptedModel, call, understood_reply
from turnwise.runner.clocks import ManualClock
from turnwise.runner.model_port import ModelReply
from turnwise.stores.sqlite import SqliteStore
from turnwise.why.prompts import Prompt, last_prompt_before, prompts

FLOW = """
flow: f
start: home
persona: You are Freya.
limits: {window: 6}
records: {user: {name: string, age: integer, pin: {type: string, secret: true}}}
tools: {look: {about: look it up, args: {what: string}}}
nodes:
  home:
    entry: Say who you are.
    prompt: Help {{ user.name }}.
    collect: {fields: [user.name, user.age, user.pin]}
    writes: [user]
    tools: {allow: [look]}
    transitions: [{id: old, at: after, when: user.age > 60, to: away}]
  away: {prompt: Be brief.}
"""

T = TypeVar("T")


def look(what: str) -> str:
    return f"{what}: 4 results"


def talked(
    path: Path,
    plan: list[Planned],
    messages: list[str],
    ask: Callable[[OneChat], Awaitable[T]],
    flow: str = FLOW,
    **more: object,
) -> T:
    async def run() -> T:
        model = ScriptedModel(plan, understands=bool(more.pop("understands", False)))
        chat = OneChat(
            flow_of(flow), store=SqliteStore(path), model=model, tools=[look], clock=ManualClock(NOON_MS), **more
        )
        async with chat:
            for message in messages:
                await chat.say(message)
            return await ask(chat)

    return asyncio.run(run())


async def prompts_of(chat: OneChat, number: int) -> tuple[Prompt, ...]:
    return await prompts(chat.runtime.store, chat.runtime.machines, await chat.turn(number))


def test_every_prompt_of_a_long_conversation_is_proved(tmp_path: Path) -> None:
    plan: list[Planned] = [ModelReply("Hm.", calls=call("look", what="x").calls), ModelReply("Four."), *["Well."] * 40]

    async def ask(chat: OneChat) -> list[tuple[Prompt, ...]]:
        return [await prompts_of(chat, number) for number in range(1, 41)]

    found = talked(tmp_path / "c.db", plan, ["I am Ada", *[f"message {n}" for n in range(39)]], ask)
    assert [len(one) for one in found] == [2, *[1] * 39]
    assert all(prompt.is_proved and prompt.hash for one in found for prompt in one)
    first, second = found[0]
    assert [part.part for part in first.parts] == ["persona", "prompt", "entry", "missing", "transcript"]
    assert [part.role for part in second.parts[-3:]] == ["user", "agent", "tool"]
    assert second.parts[-1].text == 'look: "x: 4 results"'
    assert [part.part for part in found[9][0].parts if not part.role] == ["persona", "prompt", "missing"]
    assert "user: message 8" in found[9][0].text


def test_a_prompt_of_an_understanding_is_proved_too(tmp_path: Path) -> None:
    reading = understood_reply({"set": "user.name", "value": "Ada"})
    plan: list[Planned] = [reading, ModelReply("Hello."), understood_reply(), ModelReply("Yes.")]

    async def ask(chat: OneChat) -> tuple[tuple[Prompt, ...], Prompt | None]:
        turn = await chat.turn(2)
        return await prompts_of(chat, 2), await last_prompt_before(chat.runtime.store, chat.runtime.machines, turn)

    found, before = talked(tmp_path / "c.db", plan, ["I am Ada", "well"], ask, understands=True)
    assert [(one.purpose, one.is_proved) for one in found] == [("understand", True), ("reply", True)]
    assert [part.part for part in found[0].parts][:3] == ["task", "task", "must_call"]
    assert before is not None
    assert (before.purpose, before.is_proved) == ("reply", True)


def test_a_secret_is_in_no_prompt(tmp_path: Path) -> None:
    async def ask(chat: OneChat) -> list[Prompt]:
        return [prompt for number in (1, 2) for prompt in await prompts_of(chat, number)]

    found = talked(tmp_path / "c.db", ["What?", "Well."], ["my pin is 77-88-99", "and now?"], ask)
    assert all(one.is_proved for one in found)
    assert "77-88-99" not in "".join(one.text for one in found)


VAULT = """
flow: f
start: open
records: {user: {name: string, pin: {type: string, secret: true, about: PIN code}}}
tools: {look: {about: look it up, args: {what: string}}}
nodes:
  open:
    say: Which code?
    collect: [user.pin]
    transitions: [{id: on, at: before, when: turns > 1, to: shop}]
  shop:
    say: For whom?
    collect: [user.name]
    transitions: [{id: done, when: has(user.name), to: open}]
"""


def test_a_model_reads_the_answer_to_a_secret_question_and_no_message_that_repeats_it(tmp_path: Path) -> None:
    reading = understood_reply({"command": "set", "field": "user.pin", "value": "77-88-99"})
    plan: list[Planned] = [reading, *[understood_reply()] * 4]
    messages = ["77-88-99", "yes, 77-88-99", "Is 77-88-99 what you have?", "77-88-99 is for me"]

    async def ask(chat: OneChat) -> list[Prompt]:
        return [prompt for number in range(1, 5) for prompt in await prompts_of(chat, number)]

    found = talked(tmp_path / "c.db", plan, messages, ask, VAULT, understands=True)
    assert all(one.is_proved for one in found)
    assert [(one.request.node, one.request.transcript[-1].text) for one in found] == [
        ("open", "77-88-99"),
        ("open", "yes, 77-88-99"),
        ("shop", "yes, [secret]"),
        ("shop", "Is [secret] what you have?"),
        ("shop", "[secret] is for me"),
    ]


def test_a_prompt_that_failed_has_no_hash_to_prove_it(tmp_path: Path) -> None:
    async def ask(chat: OneChat) -> tuple[Prompt, ...]:
        return await prompts_of(chat, 1)

    (found,) = talked(tmp_path / "c.db", [RuntimeError("no")], ["hello"], ask)
    assert (found.hash, found.is_proved) == ("", False)
    assert found.parts[-1].text == "hello"


def test_prompts_before_what_retention_erased_are_gone(tmp_path: Path) -> None:
    async def ask(chat: OneChat) -> Prompt | None:
        later = NOON_MS + 3 * 86_400_000
        clock = chat.runtime.clock
        assert isinstance(clock, ManualClock)
        clock.set_ms(later)
        await chat.say("again")
        await chat.runtime.store.retain(Retention(events_days=1), later)
        return await last_prompt_before(chat.runtime.store, chat.runtime.machines, await chat.turn(3))

    assert talked(tmp_path / "c.db", ["One."] * 3, ["hello", "well"], ask) is None


def test_the_words_of_a_person_are_shown_as_theirs(tmp_path: Path) -> None:
    """The prompt after the way back is proved as every other."""

    async def ask(chat: OneChat) -> Prompt:
        await chat.take_over("Lena")
        await chat.operator_say("What troubles you?")
        turn = await chat.give_back("helped")
        return (await prompts_of(chat, turn.number))[-1]

    found = talked(tmp_path / "c.db", ["Hm.", "Well."], ["I am Ada"], ask)
    assert found.is_proved
    assert [part.text for part in found.parts if part.role == "person"] == ["[Lena, a person:] What troubles you?"]
    assert any(part.part == "instructions" and "A person was in charge" in part.text for part in found.parts)
