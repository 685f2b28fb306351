"""Calls the model of an app, for a reply or to interpret a message, and returns what it replies as events."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from msgspec.structs import replace

from turnwise.core.commands.allowed_input import AllowedInput, may_give_secret
from turnwise.core.machine import Machine
from turnwise.core.prompts import ModelRequest, model_request
from turnwise.core.prompts.understanding import read_understanding, understanding_request
from turnwise.core.secrets import Values, secret_values, without_values
from turnwise.core.spending import cheaper_model
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.effects import CallModel, Message, Understand
from turnwise.core.state.spending import TokenCount
from turnwise.runner.pieces import Pieces
from turnwise.runner.received_reply import ReceivedReply, reply_fault_of
from turnwise.runner.services import Attempts, Services, Task, is_turn_cancelled, through_codec
from turnwise.runner.spans import model_answered, model_span

_SHOWN_BEFORE = {"conversational": 10, "form": 1}
"""How many earlier messages an understanding call shows to the model, by the mode of `collect`."""


class ModelCalls:
    """Calls the model of an app, and returns its replies as events."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def reply(self, task: Task, effect: CallModel) -> e.ModelReplied | e.ModelFailed:
        """Call the model for the reply of a node with a prompt."""
        services, machine, state = self.services, task.machine, task.state
        name, most_chars = state.frame.node, machine.flow.limits.reply_chars
        window = await services.windows.messages(machine, task.conversation, state, task.recent)
        request = model_request(machine, state, window, effect)
        tries, answer = Attempts(services, lambda: secret_values(machine, state)), ReceivedReply(most_chars)
        pieces = _pieces_of(task, effect, request, answer)
        answer.request_chars = state.request_chars.get(name, 0)
        request = _by_budgets(machine, state, request, answer) if machine.budgets else request
        try:
            with model_span(services.spans, request.model, name, effect.purpose) as span:
                proof = (await answer.ask(services.model, request, machine.nodes[name].node, tries)).fingerprint()
                if pieces is not None:
                    pieces.end()
                calls, used = answer.read_calls(effect.id) if answer.calls else (), answer.usage
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
                    tries.failed,
                    answer.kept_thoughts(machine, state) if answer.thoughts else (),
                    answer.shortened_to,
                    _counted(answer) if machine.budgets else None,
                )
                if services.spans is not None:
                    model_answered(span, replied)
            return through_codec(replied)
        except (Exception, asyncio.CancelledError) as error:  # a provider may raise anything
            if is_turn_cancelled(error):
                raise
            words, at = services.failure(task, "the model", error)
            parts = (answer.text[:most_chars], answer.replaced, at, tries.failed, _name_of(services.model, request))
            return e.ModelFailed(effect.id, words, *parts, reply_fault_of(error), _counted(answer))

    async def understand(
        self, task: Task, asked: Understand, message: str, shown: AllowedInput, tries: Attempts
    ) -> e.Understood | e.UnderstandingFailed:
        """Call a model to interpret a message as commands, with the latest messages as context (law 3.4).
        `asked` is the effect, `shown` what the message may propose, `tries` takes the attempts that fail.
        """
        answer = ReceivedReply(task.machine.flow.limits.reply_chars)
        try:
            return through_codec(await self._understood(task, asked, message, shown, tries, answer))
        except (Exception, asyncio.CancelledError) as error:
            if is_turn_cancelled(error) or answer.count is None:
                raise
            failed = self.services.failure(task, "the understanding", error)
            return e.UnderstandingFailed(asked.id, *failed, tries.failed, _counted(answer))

    async def _understood(
        self,
        task: Task,
        asked: Understand,
        message: str,
        shown: AllowedInput,
        tries: Attempts,
        answer: ReceivedReply,
    ) -> e.Understood:
        services, machine, state = self.services, task.machine, task.state
        window = await services.windows.messages(machine, task.conversation, state, task.recent)
        secrets = await services.windows.secrets(machine, task.conversation, state, task.recent)
        request = request_to_understand(machine, state, window, message, shown, secrets)
        said_before = next((one.text for one in reversed(window) if one.role == "agent" and one.text), "")
        answer.request_chars = state.request_chars.get(state.frame.node, 0)
        if machine.budgets:
            answer.count, request = TokenCount(), _as_allowed(machine, state, request, asked.model)
        with model_span(services.spans, request.model, state.frame.node, "understand") as span:
            request = await answer.ask(services.model, request, machine.nodes[state.frame.node].node, tries)
            calls, says_other = answer.read_calls(asked.id), services.says_other
            commands, claims = read_understanding(calls, message, shown, said_before, says_other)
            used = answer.usage
            understood = e.Understood(
                asked.id,
                commands,
                "model",
                claims,
                used.model,
                request.fingerprint(),
                used.tokens_in,
                used.tokens_out,
                used.cost,
                answer.replaced,
                tries.failed,
                answer.shortened_to,
                count=_counted(answer),
            )
            if services.spans is not None:
                model_answered(span, understood)
        return understood


def _counted(answer: ReceivedReply) -> TokenCount | None:
    """Return the tokens of a call, `None` where nothing was counted."""
    return answer.count if answer.count is not None and (answer.count.tokens_in or answer.count.tokens_out) else None


def _by_budgets(machine: Machine, state: State, request: ModelRequest, answer: ReceivedReply) -> ModelRequest:
    """Return a request of the model that a budget puts in the place of the usual one, and count its tokens."""
    answer.count = TokenCount()
    cheaper = cheaper_model(machine, state)
    return replace(request, model=cheaper) if cheaper else request


def _as_allowed(machine: Machine, state: State, request: ModelRequest, cheaper: str) -> ModelRequest:
    """Return a request of understanding for as many tokens as were reserved, and of the model that a budget chooses."""
    most = machine.nodes[state.frame.node].settings.get("max_tokens")
    settings = {**request.settings, "max_tokens": most} if most else request.settings
    return replace(request, model=cheaper or request.model, settings=settings)


def _pieces_of(task: Task, effect: CallModel, request: ModelRequest, answer: ReceivedReply) -> Pieces | None:
    """Return what passes the pieces of a reply on to those who listen; `None` for a summary, which no user sees."""
    if (task.on_delta is None and task.on_shown is None) or effect.purpose == "summary":
        return None
    pieces = Pieces(task, effect.id, request)
    if pieces.is_wanted and task.machine.nodes[task.state.frame.node].reply_guard is None:
        answer.on_text, answer.on_withdrawn = pieces.add, pieces.withdraw
    return pieces


def _name_of(model: object, request: ModelRequest) -> str:
    """Return the name of the model that a request goes to; a program's own model may have none."""
    name_of = getattr(model, "name_of", None)
    return str(name_of(request) if callable(name_of) else getattr(model, "name", request.model))


def request_to_understand(
    machine: Machine, state: State, window: Sequence[Message], message: str, shown: AllowedInput, secrets: Values
) -> ModelRequest:
    """Return the request by which a model interprets the message of a turn, with the latest messages (`window`) and
    what the message may propose (`shown`). The model reads the answer to a secret question; any other message is
    without `secrets`.
    """
    if not may_give_secret(machine, state, shown, message):
        message = without_values(message, secrets)
    name = state.frame.node
    node = machine.nodes[name].node
    before = tuple([one for one in window if one.role != "tool" and one.text])[:-1]
    most = _SHOWN_BEFORE[node.collect.mode if node.collect is not None else "conversational"]
    return understanding_request(message, shown, before[-most:], node.model or machine.flow.model, node=name)
