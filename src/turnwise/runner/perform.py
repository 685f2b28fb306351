"""Performing effects: one function per effect, each giving the event that answers it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from msgspec.json import Decoder, encode

from turnwise.core import events as e
from turnwise.core.effects import AnyEffect, CallModel, RecallState, RecallWords, Understand
from turnwise.core.expose import exposed
from turnwise.core.machine import Machine
from turnwise.core.prompts import Line, model_request
from turnwise.core.state import State
from turnwise.core.values import REDACTED
from turnwise.errors import ProviderFailed
from turnwise.runner.past import state_after, tools_since
from turnwise.runner.ports import Model, Store
from turnwise.runner.ports import Understand as Understanding

_LONGEST = 2000
"""The longest reason that is recorded, in characters."""


class Performer:
    """Does the work that a conversation's turns ask for."""

    def __init__(self, store: Store, model: Model, understand: Understanding) -> None:
        self.store = store
        self.model = model
        self.understand = understand

    async def perform(
        self, machine: Machine, conversation: str, effect: AnyEffect, state: State, recent: Sequence[e.Entry]
    ) -> e.ResultEvent:
        """The event that answers an effect. `recent` are the entries of this turn, which the store may
        not have yet.
        """
        match effect:
            case Understand(id=id_):
                return await self.understood(machine, id_, state)
            case CallModel():
                return await self.replied(machine, conversation, effect, state, recent)
            case RecallWords(id=id_, places=places):
                found = await self.store.at(conversation, [place[0] for place in places])
                found.update((entry.seq, entry) for entry in recent)
                return e.WordsRecalled(id_, tuple(words_at(found.get(seq), start, end) for seq, start, end in places))
            case RecallState(id=id_, turn=turn):
                return await self.recalled(conversation, id_, turn, state.fingerprint)
        assert_never(effect)

    async def understood(self, machine: Machine, effect: str, state: State) -> e.ResultEvent:
        """Let the message be understood; whatever goes wrong is an event, not the end of the turn."""
        assert state.doing is not None
        try:
            found = self.understand(state.doing.message or "", exposed(machine, state))
            commands = await found if inspect.isawaitable(found) else found
            return _kept(e.Understood(effect, tuple(commands)))
        except asyncio.CancelledError as error:
            if _is_cancelled():
                raise
            return e.UnderstandingFailed(effect, _reason(error))
        except Exception as error:  # noqa: BLE001  an understanding is anybody's code
            return e.UnderstandingFailed(effect, _reason(error))

    async def replied(
        self, machine: Machine, conversation: str, effect: CallModel, state: State, recent: Sequence[e.Entry]
    ) -> e.ResultEvent:
        """Let the model speak."""
        limit = machine.flow.limits.window
        begin = state.frame.transcript_from
        kept = await self.store.window(conversation, begin, limit)
        here = [entry for entry in recent if entry.seq > begin]
        window = [*(entry for entry in kept if entry.seq < recent[0].seq), *here]
        lines = transcript(window, secret_places(machine, state))
        request = model_request(machine, state, lines[-limit:], effect.about)
        proof = request.fingerprint()
        try:
            reply = await self.model.reply(request)
            return _kept(e.ModelReplied(effect.id, reply.text, reply.model, proof, reply.tokens_in, reply.tokens_out))
        except asyncio.CancelledError as error:
            if _is_cancelled():
                raise
            return e.ModelFailed(effect.id, _reason(error))
        except Exception as error:  # noqa: BLE001  a provider may fail in any way
            return e.ModelFailed(effect.id, _reason(error))

    async def recalled(self, conversation: str, effect: str, turn: int, fingerprint: str) -> e.StateRecalled:
        """The state at the end of a turn, and the tools that were used since and stay used. A state of
        another version of the flow is none: nothing goes back past a migration.
        """
        then = await state_after(self.store, conversation, turn)
        then = then if then is not None and then.fingerprint == fingerprint else None
        return e.StateRecalled(effect, turn, then, await tools_since(self.store, conversation, turn))


def secret_places(machine: Machine, state: State) -> dict[int, list[tuple[int, int]]]:
    """Where the words of secret values stand, by the position of their message, the last first."""
    places = [value.place for name, value in state.values.items() if machine.fields[name].secret]
    found: dict[int, list[tuple[int, int]]] = {}
    for seq, start, end in sorted((place for place in places if place is not None), reverse=True):
        behind = found.setdefault(seq, [])
        if behind and behind[-1][0] < end:
            behind[-1] = (start, max(end, behind[-1][1]))
        else:
            behind.append((start, end))
    return found


def transcript(entries: Iterable[e.Entry], secrets: Mapping[int, list[tuple[int, int]]]) -> tuple[Line, ...]:
    """What was said, by whom, without the words of secrets."""
    lines: list[Line] = []
    for entry in entries:
        match entry.event:
            case e.UserSaid(text=said) | e.UserChose(value=said):
                for start, end in secrets.get(entry.seq, ()):
                    said = said[:start] + REDACTED + said[end:]
                lines.append(Line("user", said))
            case e.Said(text=text):
                lines.append(Line("agent", text))
            case _:
                pass
    return tuple(lines)


def words_at(entry: e.Entry | None, start: int, end: int) -> str | None:
    """The words at a place, `None` where they are no longer kept."""
    match entry.event if entry is not None else None:
        case e.UserSaid(text=text):
            return text[start:end]
        case e.UserChose(value=value):
            return value[start:end]
        case _:
            return None


_results: Decoder[e.ResultEvent] = Decoder(e.ResultEvent)


def _kept(result: e.ResultEvent) -> e.ResultEvent:
    """A result as the journal will give it back. Raises where it is not of the types that it says."""
    return _results.decode(encode(result))


def _is_cancelled() -> bool:
    """Whether it is this turn that is cancelled, and not work of the user's own code that it waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _reason(error: BaseException) -> str:
    """An error in words that a journal can keep, at most a page of them."""
    try:
        text = str(error) if isinstance(error, ProviderFailed) else f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001  the words of an error are anybody's code too
        text = type(error).__name__
    return text[:_LONGEST].encode(errors="replace").decode()
