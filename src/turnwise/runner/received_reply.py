"""The reply of a model as it is received: its text and calls, its size, and the attempts until there is one."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from inspect import isawaitable, iscoroutine
from typing import Any, Literal, NoReturn, cast

from msgspec import DecodeError
from msgspec.json import decode
from msgspec.structs import replace

from turnwise.core.machine import Machine
from turnwise.core.prompts import ModelRequest, with_call_notice
from turnwise.core.secrets import secret_values, takes_secret, without_values
from turnwise.core.spending import CHARS_PER_TOKEN
from turnwise.core.state import State
from turnwise.core.state.effects import NO_MODEL, Call, Thought
from turnwise.core.state.kinds import ReplyFault
from turnwise.core.state.spending import TokenCount
from turnwise.core.values.json_data import (
    NotJson,
    Repaired,
    TextRepairer,
    as_object,
    repair,
    repair_data,
    to_json_data,
)
from turnwise.core.values.nesting import TOO_DEEP, is_too_deep
from turnwise.errors import ProviderFailed, ReplyFailed
from turnwise.flow.model import Node
from turnwise.runner.model_port import (
    AnyModel,
    CallMade,
    Model,
    ModelEvent,
    ModelReply,
    StreamingModel,
    TextDelta,
    TextWithdrawn,
    Usage,
)
from turnwise.runner.replies import KEEPS_TEXT, ReplyText, Shown
from turnwise.runner.services import Attempts


class ReceivedReply:
    """The reply of a model call while it arrives: its text and tool calls so far, and its usage."""

    def __init__(self, most_chars: int, on_text: Callable[[str], object] | None = None) -> None:
        self.most_chars = most_chars
        self.on_text = on_text
        """Is called with each piece of text that can be shown."""
        self.on_withdrawn: Callable[[], object] | None = None
        """Is called where the pieces so far are void."""
        self.request_chars = 0
        """To how many characters a request is shortened; 0 if it is not."""
        self.shortened_to = 0
        """To how many characters the request that was answered was shortened; 0 if it was not."""
        self.count: TokenCount | None = None
        """The tokens of all attempts, where budgets need them."""
        self._clear()

    def _clear(self) -> None:
        self.calls: list[CallMade] = []
        self.thoughts: list[Thought] = []
        self.usage = Usage("")
        self._texts: list[str] = []
        self._chars = 0
        self._repairer = TextRepairer()

    @property
    def text(self) -> str:
        """The text that was received so far."""
        return "".join(self._texts)

    @property
    def replaced(self) -> int:
        """The number of lone surrogates that were replaced in the text and in the calls that were read."""
        return self._repairer.replaced

    async def ask(self, model: AnyModel, request: ModelRequest, node: Node, tries: Attempts) -> ModelRequest:
        """Call the model, with the retries that the node declares; return the request that was answered.
        It is retried if it fails before its first text, or if its reply is unusable; `tries` takes the attempts that
        failed. A model that wrote a call as text is asked once more in any case. Raises the last error; the text
        received until then is kept.
        """
        left, is_noted, whole = node.retry.times, False, request
        while True:
            request = self._fitting(whole) if self.request_chars else whole
            tries.begin()
            try:
                if node.timeout_s is None:
                    await self.ask_once(model, request, tries)
                else:
                    async with asyncio.timeout(node.timeout_s):
                        await self.ask_once(model, request, tries)
                return request
            except TimeoutError as error:
                failure: Exception = error
                if node.timeout_s is not None:
                    failure = ProviderFailed(f"the model did not answer within {node.timeout_s:g} s")
            except Exception as error:  # noqa: BLE001  a provider may raise anything
                failure = error
            if not self._texts and self._shorten(whole, request, failure):
                tries.add(failure)
                self._clear()
                continue
            code = reply_fault_of(failure)
            if code and code not in KEEPS_TEXT:
                self._withdraw()
            is_free = code == "call_as_text" and not is_noted
            if (self._texts and not code) or not (left or is_free):
                raise failure
            left -= not is_free
            tries.add(failure)
            if isinstance(failure, ReplyFailed) and failure.tool:
                whole, is_noted = with_call_notice(whole, failure.tool), True
            self._withdraw()
            self._clear()
            await asyncio.sleep(node.retry.pause_s)

    def _add_count(self, request: ModelRequest, *, is_cut: bool) -> None:
        """Add the tokens of an attempt: as the provider counted them; else by the characters, if anything came or it
        was cut off.
        """
        before, usage = self.count, self.usage
        assert before is not None
        if usage.model == NO_MODEL:
            return
        tokens_in, tokens_out, is_estimated = usage.tokens_in, usage.tokens_out, False
        if not tokens_in and (self._chars or is_cut):
            from turnwise.core.prompts.shortening import size_of

            is_estimated = True
            tokens_in = -(-size_of(request) // CHARS_PER_TOKEN)
            tokens_out = tokens_out or -(-self._chars // CHARS_PER_TOKEN)
        self.count = TokenCount(
            before.tokens_in + tokens_in,
            before.tokens_out + tokens_out,
            before.tokens_cached + usage.tokens_cached,
            tokens_in or before.last_in,
            before.is_estimated or is_estimated,
        )

    def _fitting(self, whole: ModelRequest) -> ModelRequest:
        """Return the request that is sent: a shorter one where a longer one was too long for the model."""
        from turnwise.core.prompts.shortening import shortened

        request = shortened(whole, self.request_chars)
        self.shortened_to = self.request_chars if request is not whole else 0
        return request

    def _shorten(self, whole: ModelRequest, sent: ModelRequest, failure: Exception) -> bool:
        """Make the next request shorter if this one was too long; return whether it was. Raises `RequestTooLong` if
        nothing is left to shorten.
        """
        if not isinstance(failure, ProviderFailed):
            return False
        from turnwise.runner.too_long import is_too_long, shorter_length

        if not is_too_long(failure):
            return False
        self.request_chars = shorter_length(whole, sent, failure)
        return True

    async def ask_once(self, model: AnyModel, request: ModelRequest, tries: Attempts | None = None) -> None:
        """Call the model once. Raises any error of the model's code, and `ReplyFailed` for an unusable reply."""
        self._tries, self._reply = tries, ReplyText(request)
        try:
            if hasattr(model, "stream"):
                async with aclosing(_pieces(cast("StreamingModel", model), request)) as pieces:
                    async for piece in pieces:
                        self._add(piece, request)
            else:
                await self._ask_for_whole(cast("Model", model), request)
        finally:
            # Half a character may wait whose other half never came.
            if half := self._repairer.end():
                self._show(self._reply.add(half))
            self._show(self._reply.end())
            if self.count is not None:
                self._add_count(request, is_cut=isinstance(sys.exc_info()[1], asyncio.CancelledError))
        has_calls, has_thoughts = bool(self.calls), bool(self.thoughts)
        fault = self._reply.fault(self.usage.finish, self.usage.model, has_calls=has_calls, has_thoughts=has_thoughts)
        is_notice = self.usage.model == NO_MODEL and request.after_scope  # it may be empty
        if fault is not None and not is_notice:
            raise fault

    async def _ask_for_whole(self, model: Model, request: ModelRequest) -> None:
        replying: Any = model.reply(request)  # models are code of users
        if not isawaitable(replying):
            words = "the model's reply() must be async, so that other turns do not wait for it: async def reply(…)"
            raise ProviderFailed(words)
        reply: Any = await replying
        if not isinstance(reply, ModelReply):
            raise _unexpected(reply, "a tw.ModelReply")
        if reply.text != "":
            self._add_text(reply.text, is_whole=True)
            self._check_size()
        for call in reply.calls:
            self._add(call, request)
        name = repair(reply.model).data if reply.model else ""
        usage = (reply.tokens_in, reply.tokens_out, reply.cost, reply.finish, reply.tokens_cached)
        self.usage = Usage(name, *usage)

    def _add(self, piece: ModelEvent, request: ModelRequest) -> None:
        """Add a piece of the reply. Raises `ProviderFailed` if it is invalid, or beyond the limit of characters."""
        match piece:
            case TextDelta(text):
                self._add_text(text)
            case CallMade(tool, arguments):
                self.calls.append(piece)
                self._chars += len(tool) + len(arguments if isinstance(arguments, str) else str(arguments))
            case Usage():
                self.usage = replace(piece, model=repair(piece.model).data)
            case Thought():
                self.thoughts.append(piece)
            case TextWithdrawn(reason, code):
                if code and self._tries is not None:
                    self._tries.add(ReplyFailed(reason, code))
                    self._tries.begin()
                self._withdraw()
                if code:
                    self._clear()
                self._reply = ReplyText(request)
            case other:  # pyright: ignore[reportUnnecessaryComparison]  models are code of users
                raise _unexpected(other, "a tw.TextDelta, tw.CallMade or tw.Usage")
        self._check_size()

    def _add_text(self, text: Any, *, is_whole: bool = False) -> None:
        """Add text, or all text of the reply. Raises `ProviderFailed` if it is none, for models are code of users."""
        if not isinstance(text, str):
            raise ProviderFailed(f"the model gave {type(text).__name__} where text was expected")
        self._chars += len(text)
        repaired = self._repairer.add(text)
        is_all = is_whole and len(repaired) == len(text)  # else half a character waits
        shown = self._reply.add_whole(repaired) if is_all else self._reply.add(repaired)
        self._show(shown, is_sent=self._chars <= self.most_chars)

    def _check_size(self) -> None:
        if self._chars > self.most_chars:
            words = f"the reply is longer than {self.most_chars:,} characters (reply_chars), so it was cut off"
            raise ProviderFailed(words)

    def _show(self, shown: Shown, *, is_sent: bool = True) -> None:
        if shown.replaces:
            self._withdraw()
        if shown.text:
            self._texts.append(shown.text)
            if self.on_text is not None and is_sent:
                self.on_text(shown.text)

    def _withdraw(self) -> None:
        """Take back the text so far."""
        if self._texts:
            self._texts.clear()
            if self.on_withdrawn is not None:
                self.on_withdrawn()

    def kept_thoughts(self, machine: Machine, state: State) -> tuple[Thought, ...]:
        """Return the thoughts that the provider wants back with the calls; empty if too long or maybe with a secret."""
        text = "".join(f"{one.text}{one.signature}{one.details}" for one in self.thoughts) if self.calls else ""
        is_secret = bool(text) and takes_secret(machine, [call.tool for call in self.calls])
        if not text or len(text) > self.most_chars or is_secret:
            return ()
        return tuple(self.thoughts) if without_values(text, secret_values(machine, state)) == text else ()

    def read_calls(self, effect: str) -> tuple[Call, ...]:
        """Return the tool calls of the reply, each with a turnwise id and its arguments, or why these are invalid.
        The ids begin with that of the `effect`. Characters that are replaced in them count in `replaced`.
        """
        group = effect.replace(".", "-")
        return tuple([self._read_call(f"{group}-{number}", made) for number, made in enumerate(self.calls, 1)])

    def _read_call(self, call: str, made: CallMade) -> Call:
        tool = repair(made.tool)
        try:
            found = _decode(made.arguments) if isinstance(made.arguments, str) else to_json_data(made.arguments)
        except NotJson as error:
            return Call(call, tool.data, wrong=f"they are no JSON data: {error}")
        except (ValueError, RecursionError) as error:
            return Call(call, tool.data, wrong=f"they are not JSON: {error}")
        if isinstance(made.arguments, str) and is_too_deep(found.data):  # `to_json_data` has looked
            return Call(call, tool.data, wrong=f"they are no JSON data: {TOO_DEEP}")
        self._repairer.replaced += tool.replaced + found.replaced
        arguments = as_object(found.data)
        if arguments is None:
            return Call(call, tool.data, wrong="they are JSON, but no object with a value per name")
        return Call(call, tool.data, arguments)


def reply_fault_of(error: BaseException) -> ReplyFault | Literal[""]:
    """Return the code of an unusable reply for the error `ReplyFailed`; empty for other errors."""
    return cast("ReplyFault", error.code) if isinstance(error, ReplyFailed) else ""


def _pieces(model: StreamingModel, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
    """Return the pieces of a model's reply. Raises `ProviderFailed` if `stream` is no async generator."""
    stream: Any = model.stream(request)
    if hasattr(stream, "__aiter__") and hasattr(stream, "aclose"):
        return cast("AsyncGenerator[ModelEvent]", stream)
    if iscoroutine(stream):
        stream.close()
    raise ProviderFailed("the model's stream() must be an async generator: async def stream(…), with yield in it")


def _unexpected(found: object, expected: str) -> ProviderFailed:
    return ProviderFailed(f"the model gave {type(found).__name__} where {expected} was expected")


def _decode(text: str) -> Repaired:
    """Parse a JSON text. Raises `ValueError`."""
    repaired = repair(text or "{}")
    try:
        return Repaired(decode(repaired.data), repaired.replaced)
    except DecodeError:
        if "\\ud" not in text.lower():
            raise

    def refuse(name: str) -> NoReturn:
        raise ValueError(f"{name} is no JSON value")

    found = repair_data(json.loads(repaired.data, parse_constant=refuse))
    return Repaired(found.data, found.replaced + repaired.replaced)
