"""Performing effects: one function per effect, each giving the event that answers it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal, assert_never

from msgspec import to_builtins
from msgspec.json import Decoder, encode
from msgspec.structs import replace

from turnwise.core.commands.exposure import Exposed, exposed, exposed_to_rules
from turnwise.core.machine import Machine
from turnwise.core.prompts.understanding import commands_of, read_understanding, understanding_request
from turnwise.core.secrets import HIDDEN_KEY, secret_arguments, secret_values, together, without
from turnwise.core.state import State, TurnState
from turnwise.core.state import events as e
from turnwise.core.state.commands import AnyCommand
from turnwise.core.state.effects import AnyEffect, CallModel, Message, RecallState, RecallWords, RunTool, Understand
from turnwise.core.values.json_data import repair_data
from turnwise.flow.code import ToolCall
from turnwise.runner.cache import Windows
from turnwise.runner.past import events_since, last_said, own_calls, state_after, tools_used
from turnwise.runner.ports import AnyModel, Clock, Delta, Hear, Store
from turnwise.runner.ports import Understand as Understanding
from turnwise.runner.spans import Spans, model_answered, model_span, tool_span

if TYPE_CHECKING:
    from turnwise.runner.tool_execution import Runners

_EXCHANGE = {"conversational": 10, "form": 1}
"""How many messages before the one that is to be understood its understanding is shown, by the mode of `collect`."""


def _ignore(_text: str) -> None:
    """What a model says while it understands is for nobody."""


class Task:
    """One effect to perform: where, on which state, after which entries of its turn.

    `recent` are the entries of this turn, which the store may not have yet; `again` is true where the effect may
    have been performed before; `ahead` are tools of this turn that began before their time; `tell` is told
    each piece of text that a model says.
    """

    __slots__ = ("again", "ahead", "conversation", "machine", "recent", "state", "tell")

    def __init__(
        self,
        machine: Machine,
        conversation: str,
        state: State,
        recent: Sequence[e.Entry],
        *,
        again: bool = False,
        ahead: dict[str, asyncio.Future[e.ToolReturned | e.ToolFailed]] | None = None,
        tell: Hear = lambda _delta: None,
    ) -> None:
        self.machine = machine
        self.conversation = conversation
        self.state = state
        self.recent = recent
        self.again = again
        self.ahead = {} if ahead is None else ahead
        self.tell = tell

    @property
    def doing(self) -> TurnState:
        """The turn that the effect belongs to."""
        assert self.state.doing is not None
        return self.state.doing


class Performer:
    """Does the work that a conversation's turns ask for."""

    def __init__(
        self,
        store: Store,
        model: AnyModel,
        understand: Understanding | None,
        clock: Clock,
        tools: Runners | None = None,
        spans: Spans | None = None,
    ) -> None:
        self.store = store
        self.model = model
        self.understand = understand
        self.clock = clock
        self.tools = tools or {}
        self.windows = Windows(store)
        self.spans = spans
        self.keys: Callable[[], tuple[str, ...]] = tuple
        self.has_model = False
        self.rules: Callable[[str, Exposed], Sequence[AnyCommand]] = _no_rules
        """Read the messages that no model may read (law 5.2)."""

    async def perform(self, effect: AnyEffect, task: Task) -> e.ResultEvent:
        """The event that answers an effect."""
        match effect:
            case CallModel():
                return await self.replied(task, effect)
            case RunTool():
                return await self.ran(task, effect)
            case Understand(id=id_, field=field):
                return await self.understood(task, id_, field)
            case RecallWords(id=id_, places=places):
                found = await self.store.at(task.conversation, [place[0] for place in places])
                found.update((entry.seq, entry) for entry in task.recent)
                return e.WordsRecalled(id_, tuple(words_at(found.get(seq), start, end) for seq, start, end in places))
            case RecallState(id=id_, turn=turn):
                return await self.recalled(task, id_, turn)
        assert_never(effect)

    async def understood(self, task: Task, effect: str, field: str) -> e.ResultEvent:
        """Let the message be understood; whatever goes wrong is an event, not the end of the turn. The answer to a
        `field` that is given is read by the rules alone.
        """
        message = task.doing.message or ""
        try:
            if field:
                found = self.rules(message, exposed_to_rules(task.machine, task.state, field))
                return _kept(e.Understood(effect, tuple(found)))
            shown = exposed(task.machine, task.state, task.conversation, has_model=self.has_model)
            if self.understand is None:
                return _kept(await self._understood_by_model(task, effect, message, shown))
            found = self.understand(message, shown)
            commands = commands_of(await found if inspect.isawaitable(found) else found)
            return _kept(e.Understood(effect, commands, _by(self.understand)))
        except asyncio.CancelledError as error:
            if _is_cancelled():
                raise
            return e.UnderstandingFailed(effect, *self._reason(task, "the understanding", error))
        except Exception as error:  # noqa: BLE001  an understanding is anybody's code
            return e.UnderstandingFailed(effect, *self._reason(task, "the understanding", error))

    async def _understood_by_model(self, task: Task, effect: str, message: str, shown: Exposed) -> e.Understood:
        """One structured call (law 3.4), beside what was said just before."""
        from turnwise.runner.model_calls import Answer, ask, calls_of

        machine, state = task.machine, task.state
        node, limits = machine.nodes[state.node].node, machine.flow.limits
        before = tuple([one for one in await self._window(task) if one.role != "tool" and one.text])[:-1]
        mode = node.collect.mode if node.collect is not None else "conversational"
        last = before[-_EXCHANGE[mode] :]
        model = node.model or machine.flow.model
        request = understanding_request(message, shown, last, model, node=state.node)
        answer = Answer()
        with model_span(self.spans, model, state.node, "understand") as span:
            await ask(self.model, request, answer, limits.reply_chars, _ignore, node.retry, node.timeout_s)
            calls = calls_of(answer, effect)
            commands, claims = read_understanding(calls, message)
            used = answer.usage
            understood = e.Understood(
                effect,
                commands,
                "model",
                claims,
                used.model,
                request.fingerprint(),
                used.tokens_in,
                used.tokens_out,
                used.cost,
                answer.replaced,
            )
            model_answered(span, understood)
        return understood

    async def replied(self, task: Task, effect: CallModel) -> e.ResultEvent:
        """Let the model speak."""
        from turnwise.core.prompts import model_request
        from turnwise.runner.model_calls import Answer, ask, calls_of

        machine, state = task.machine, task.state
        limits, node = machine.flow.limits, machine.nodes[state.node].node
        request = model_request(machine, state, await self._window(task), effect)
        proof = request.fingerprint()
        answer = Answer()

        def tell(text: str) -> None:
            task.tell(Delta(state.node, effect.id, text, state.turn))

        try:
            with model_span(self.spans, request.model, state.node, effect.purpose) as span:
                await ask(self.model, request, answer, limits.reply_chars, tell, node.retry, node.timeout_s)
                used, calls = answer.usage, calls_of(answer, effect.id)
                replied = e.ModelReplied(
                    effect.id,
                    answer.text,
                    calls,
                    used.model,
                    proof,
                    used.tokens_in,
                    used.tokens_out,
                    used.cost,
                    answer.replaced,
                )
                model_answered(span, replied)
            return _kept(replied)
        except asyncio.CancelledError as error:
            if _is_cancelled():
                raise
            words, at = self._reason(task, "the model", error)
            return e.ModelFailed(effect.id, words, answer.text, answer.replaced, at)
        except Exception as error:  # noqa: BLE001  a provider may fail in any way
            words, at = self._reason(task, "the model", error)
            return e.ModelFailed(effect.id, words, answer.text[: limits.reply_chars], answer.replaced, at)

    def _reason(self, task: Task, what: str, error: BaseException) -> tuple[str, str]:
        """Why something failed, without secrets and keys, and where in the user's own code; that is logged."""
        from turnwise.runner.tool_execution import reason
        from turnwise.runner.user_errors import log_user_error

        secrets, keys = secret_values(task.machine, task.state), self.keys()
        at = log_user_error(task.conversation, what, error, secrets, keys)
        return without(without(reason(error), secrets), keys, HIDDEN_KEY), at

    def log_guard_error(self, machine: Machine, conversation: str, state: State, error: BaseException) -> None:
        """Log what a Python guard raised; its reason is in the journal."""
        from turnwise.runner.user_errors import log_user_error

        log_user_error(conversation, "a guard", error, secret_values(machine, state), self.keys())

    async def _window(self, task: Task) -> tuple[Message, ...]:
        return await self.windows.of(task.machine, task.conversation, task.state, task.recent)

    async def ran(self, task: Task, effect: RunTool) -> e.ResultEvent:
        """Run a tool; those of the same reply that surely follow it begin at the same time."""
        from turnwise.core.tools.calls import ahead
        from turnwise.runner.tool_execution import IN_DOUBT, TAKEN_BACK

        for next_one in ahead(task.machine, task.state, effect):
            if next_one.call not in task.ahead:
                work = self._run(task, next_one, doubt="")
                task.ahead[next_one.call] = asyncio.ensure_future(work)
        begun = task.ahead.pop(effect.call, None)
        doubt = IN_DOUBT if task.again else TAKEN_BACK if effect.was_begun else ""
        found = await begun if begun is not None else await self._run(task, effect, doubt=doubt)
        return replace(found, effect=effect.id)

    async def _run(self, task: Task, effect: RunTool, *, doubt: str) -> e.ToolReturned | e.ToolFailed:
        from turnwise.runner.tool_execution import run_tool

        began_ms = self.clock.now_ms()
        key = f"{task.conversation}/{effect.id or effect.call}"
        call = ToolCall(key, task.conversation, task.state.node, effect.tool)
        with tool_span(self.spans, effect.tool, call.key, task.machine.tools[effect.tool].tool.kind) as span:
            found = await run_tool(
                self.tools.get(effect.tool), task.machine, effect, call, self._tool_raised(task, effect), doubt=doubt
            )
            found = self._told(task, effect, found)
            if isinstance(found, e.ToolFailed):
                span.fail("tool", found.reason)
        return replace(found, ms=self.clock.now_ms() - began_ms)

    def _tool_raised(self, task: Task, effect: RunTool) -> Callable[[BaseException], str]:
        """How an error of a tool is logged; gives where the user's own code raised it."""

        def raised(error: BaseException) -> str:
            from turnwise.runner.user_errors import log_user_error

            arguments = secret_arguments(task.machine, effect.tool, effect.arguments)
            secrets = together(arguments, secret_values(task.machine, task.state))
            return log_user_error(task.conversation, f"the tool {effect.tool}", error, secrets, self.keys())

        return raised

    def used(self, event: e.ToolUsed) -> e.ToolUsed:
        """A use of a tool by the host, as it is recorded: without keys."""
        keys = self.keys()
        arguments, result = [without(data, keys, HIDDEN_KEY) for data in (event.arguments, event.result)]
        return e.ToolUsed(event.tool, arguments, result)

    def _told(self, task: Task, effect: RunTool, found: e.ToolReturned | e.ToolFailed) -> e.ToolReturned | e.ToolFailed:
        """What a tool gave, as it is recorded: without keys; the words of a failure without secrets too, for they go
        to models, logs and explanations.
        """
        keys = self.keys()
        if isinstance(found, e.ToolReturned):
            return replace(found, result=without(found.result, keys, HIDDEN_KEY)) if keys else found
        secrets = secret_arguments(task.machine, effect.tool, effect.arguments)
        words = without(found.reason, together(secrets, secret_values(task.machine, task.state)))
        return replace(found, reason=without(words, keys, HIDDEN_KEY))

    async def recalled(self, task: Task, effect: str, turn: int) -> e.StateRecalled:
        """The state at the end of a turn, and the tools that were used since and stay used. A state of
        another version of the flow is none: nothing goes back past a migration.
        """
        then = await state_after(self.store, task.conversation, turn)
        then = then if then is not None and then.fingerprint == task.state.fingerprint else None
        changing = {name for name, tool in task.machine.tools.items() if tool.tool.kind == "effect"}
        later = await events_since(self.store, task.conversation, turn)
        calls = own_calls(later, then.node, changing) if then is not None else ()
        said = last_said(await self.store.turn(task.conversation, turn)) if then is not None else ""
        return e.StateRecalled(effect, turn, then, tools_used(later, changing), calls, said)


def _no_rules(_message: str, _exposed: Exposed) -> Sequence[AnyCommand]:
    """Understands nothing."""
    return ()


def words_at(entry: e.Entry | None, start: int, end: int) -> str | None:
    """The words at a place, `None` where they are no longer kept."""
    match entry.event if entry is not None else None:
        case e.UserSaid(text=text):
            return text[start:end]
        case e.UserChose(value=value):
            return value[start:end]
        case _:
            return None


@cache
def _decoder(of: type[e.ResultEvent]) -> Decoder[e.ResultEvent]:
    """The decoder of one kind of result; making those of all kinds takes time when a process starts."""
    return Decoder(of)


def _kept(result: e.ResultEvent) -> e.ResultEvent:
    """A result as the journal will give it back. Raises where it is not of the types that it says."""
    try:
        return _decoder(type(result)).decode(encode(result))
    except UnicodeEncodeError:
        repaired = repair_data(to_builtins(result))
    return _decoder(type(result)).decode(encode(repaired.data | {"replaced": repaired.replaced}))


def _by(understand: Understanding) -> Literal["rules", "function"]:
    """Who understood a message: the rules of turnwise, or a function of the host."""
    return "rules" if str(getattr(understand, "__module__", "")).startswith(_RULES) else "function"


_RULES = "turnwise.understanding"


def _is_cancelled() -> bool:
    """Whether it is this turn that is cancelled, and not work of the user's own code that it waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
