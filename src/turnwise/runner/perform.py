"""Performs the effects that a turn requests; each results in one event.

Calls of models and tools are in `model_calls` and `tool_execution`, which are imported with the first such call.
"""

from __future__ import annotations

import asyncio
import inspect
from functools import cached_property
from typing import TYPE_CHECKING, assert_never

from msgspec.structs import replace

from turnwise.core.commands.allowed_input import AllowedInput, allowed_elsewhere, allowed_input, input_for_rules
from turnwise.core.secrets import HIDDEN_KEY, secret_values, without_values
from turnwise.core.state import events as e
from turnwise.core.state.commands import Add, AnyCommand, CommandsByRules, Dropped, Set, Why
from turnwise.core.state.effects import NO_MODEL, AnyEffect, CallModel, RecallState, RecallWords, RunTool, Understand
from turnwise.core.state.kinds import ERASED
from turnwise.core.values.json_data import as_list
from turnwise.errors import ProviderFailed
from turnwise.runner.lasting_effects import effects_done, last_said, lasting_uses, own_calls
from turnwise.runner.services import Attempts, Services, Task, is_turn_cancelled, through_codec
from turnwise.runner.stored import StoredConversation

if TYPE_CHECKING:
    from turnwise.runner.model_calls import ModelCalls
    from turnwise.runner.tool_execution import ToolCalls

_RULES = "turnwise.understanding"
NO_SUPPORT = "nothing that the model understood has support in the message"
"""Why the rules read a message after a model has read it."""


def _is_unsupported(event: e.Understood) -> bool:
    """Return whether a model proposed commands, and the message bears out none of them."""
    return bool(event.commands) and all(getattr(one, "objection", "") for one in event.commands)


def _contradict(model: tuple[AnyCommand, ...], rules: tuple[AnyCommand, ...]) -> bool:
    """Return whether rules read another value of a field than a model, in words that are in the message: then neither
    is believed.
    """
    read = {one.field for one in rules if isinstance(one, Set | Add)}
    quoted = (one for one in model if isinstance(one, Set | Add) and one.words is not None)
    return any(one.objection == "unsupported" and one.field in read for one in quoted)


class Performer(Services):
    """Performs the effects of all conversations of an app."""

    @cached_property
    def _model_calls(self) -> ModelCalls:
        from turnwise.runner.model_calls import ModelCalls

        return ModelCalls(self)

    @cached_property
    def _tool_calls(self) -> ToolCalls:
        from turnwise.runner.tool_execution import ToolCalls

        return ToolCalls(self)

    async def perform(self, effect: AnyEffect, task: Task) -> e.ResultEvent:
        """Perform an effect and return its result event."""
        match effect:
            case CallModel(purpose="summary") if not self.has_model:
                return e.ModelReplied(effect.id, model=NO_MODEL)  # the template stands for it
            case CallModel():
                return await self._model_calls.reply(task, effect)
            case RunTool():
                return await self._tool_calls.run(task, effect)
            case Understand():
                return await self._understand(task, effect)
            case RecallWords(id=id_, places=places):
                found = await self.store.at(task.conversation, [place[0] for place in places])
                found.update((entry.seq, entry) for entry in task.recent)
                return e.WordsRecalled(id_, tuple(words_at(found.get(seq), start, end) for seq, start, end in places))
            case RecallState(id=id_, turn=turn):
                return await self._recall_state(task, id_, turn)
        assert_never(effect)

    @property
    def understands_by_rules(self) -> bool:
        """True if turnwise's offline rules interpret messages, and no model or function of the host does."""
        return str(getattr(self.understand, "__module__", "")).startswith(_RULES)

    async def _understand(self, task: Task, asked: Understand) -> e.Understood | e.UnderstandingFailed:
        """Interpret the message of the turn. Only the offline rules read what no model may read, and where budgets
        allow no model.
        """
        message, effect, field = task.doing.message or "", asked.id, asked.field
        tries = Attempts(self, lambda: secret_values(task.machine, task.state))
        try:
            if field:
                found = self.rules(message, input_for_rules(task.machine, task.state, field))
                commands = await self._with_answers(task, tuple(found))
                return through_codec(e.Understood(effect, commands, dropped=found.dropped))
            shown = allowed_input(task.machine, task.state, task.conversation, has_model=self.has_model)
            if self.understand is None and asked.by_rules:
                found = self.rules(message, shown)
                commands = await self._with_answers(task, tuple(found))
                return through_codec(e.Understood(effect, commands, dropped=found.dropped, is_over_budget=True))
            if self.understand is None:
                return await self._read_by_model(task, asked, message, shown, tries)
            found = self.understand(message, shown)
            found = await found if inspect.isawaitable(found) else found
            from turnwise.core.prompts.understanding import commands_of

            commands = await self._with_answers(task, commands_of(found))
            if not isinstance(found, CommandsByRules):  # which a function may return too
                return through_codec(e.Understood(effect, commands, "function"))
            return through_codec(e.Understood(effect, commands, dropped=self._dropped(task, message, shown, found)))
        except (
            Exception,
            asyncio.CancelledError,
        ) as error:  # code of users may raise anything
            if is_turn_cancelled(error):
                raise
            return e.UnderstandingFailed(effect, *self.failure(task, "the understanding", error), tries.failed)

    async def _read_by_model(
        self, task: Task, asked: Understand, message: str, shown: AllowedInput, tries: Attempts
    ) -> e.Understood | e.UnderstandingFailed:
        """Let a model interpret a message. Where it fails, or nothing that it proposes has support in the message, take
        what the offline rules read in it, if that is anything: a weak model is not worse than none.
        """
        result, failure = None, None
        try:
            result = await self._model_calls.understand(task, asked, message, shown, tries)
        except Exception as error:  # noqa: BLE001  a provider may raise anything
            failure = error
        if isinstance(result, e.Understood) and not _is_unsupported(result):
            return result
        read = self.rules(message, shown)
        found = await self._with_answers(task, tuple(read))
        if not found or (isinstance(result, e.Understood) and _contradict(result.commands, found)):
            if failure is not None:
                raise failure
            assert result is not None
            return result
        if isinstance(result, e.UnderstandingFailed):
            failure = ProviderFailed(result.reason)
        tries.add(failure or ProviderFailed(NO_SUPPORT))
        own = result if isinstance(result, e.Understood) else e.Understood(asked.id, count=result and result.count)
        by_rules = replace(own, by="rules", commands=found, dropped=read.dropped, attempts=tries.failed)
        return through_codec(by_rules)

    def _dropped(self, task: Task, message: str, shown: AllowedInput, found: CommandsByRules) -> tuple[Dropped, ...]:
        """Return the values that the rules left out of a message; of one with further values, those for fields that are
        not allowed too.
        """
        if not found.has_more:
            return found.dropped
        taken = [one.words for one in found if one.words is not None]
        state, more = task.state, list[Dropped]()
        for one in self.rules(message, allowed_elsewhere(task.machine, state, shown)):
            if not isinstance(one, Set | Add) or not one.field or one.words is None or shown.field(one.field):
                continue
            (start, stop), value = one.words, one.value if isinstance(one, Set) else one.item
            known = state.values[one.field].value if one.field in state.values else None
            is_taken = any(first < stop and start < end for first, end in taken)
            if not is_taken and value not in (as_list(known) or (known,)):
                more.append(Dropped(one.words, one.field, value, "elsewhere"))
        places = {one.words for one in more}
        return (*(one for one in found.dropped if one.words not in places), *more)

    async def _with_answers(self, task: Task, commands: tuple[AnyCommand, ...]) -> tuple[AnyCommand, ...]:
        """Return commands with the answers to questions of why, which the journal before this turn gives."""
        answer, turn = self.answer_why, task.state.turn - 1
        if answer is None or turn == 0:
            return commands
        found = [
            replace(one, answer=await answer(task.conversation, one.text, turn))
            if isinstance(one, Why) and one.text
            else one
            for one in commands
        ]
        return tuple(found)

    async def _recall_state(self, task: Task, effect: str, turn: int) -> e.StateRecalled:
        """Return the state at the end of a turn, and the tools that were used since and stay used. No state is returned
        for a turn of another version of the flow, and from before a scope whose words were erased: an undo cannot go
        back past a migration, nor behind what was erased.
        """
        stored = StoredConversation(self.store, task.conversation)
        own, then = await self.store.turn(task.conversation, turn), await stored.state_after(turn)
        changing = {name for name, tool in task.machine.tools.items() if tool.tool.kind == "effect"}
        entries = await stored.entries(own[-1].seq if own else 0)
        is_behind = any(isinstance(one.event, e.ScopeOpened) and one.event.erased is not None for one in entries)
        then = then if then is not None and then.fingerprint == task.state.fingerprint and not is_behind else None
        later = [entry.event for entry in entries]
        calls = own_calls(later, tuple([one.node for one in then.frames]), changing) if then is not None else ()
        said = last_said(own) if then is not None else ""
        uses = lasting_uses(entries, changing)
        kept = tuple([use.tool for _, use in uses])
        made = tuple([use.call for _, use in uses if not isinstance(use, e.ToolUsed) and use.call])
        frames = tuple([frame for frame, _ in uses])
        frames = () if then is None or {*frames} <= {then.frame.id} else frames
        effects = effects_done(entries, changing, has_secrets=task.machine.has_secrets) if then is not None else ()
        return e.StateRecalled(effect, turn, then, kept, calls, said, made, effects, frames)

    def without_keys(self, event: e.ToolUsed) -> e.ToolUsed:
        """Return a tool use of the host without API keys."""
        keys = self.keys()
        arguments, result = [without_values(data, keys, HIDDEN_KEY) for data in (event.arguments, event.result)]
        return e.ToolUsed(event.tool, arguments, result)


def words_at(entry: e.Entry | None, start: int, end: int) -> str | None:
    """Return the text of a message from offset `start` to before `end`; `None` if it is no longer stored."""
    match entry.event if entry is not None else None:
        case e.UserSaid(text=text) | e.UserChose(value=text):
            return text[start:end] if text != ERASED else None
        case _:
            return None
