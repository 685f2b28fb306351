"""How each provider that has a wire format of its own sends a reply: the same planned reply as every one of them."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from support import fake_server as fake
from support.fake_server import Answer, sse

SIGNATURE = base64.b64encode(b"a signature").decode()
USED = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


@dataclass(frozen=True)
class Planned:
    """A reply: text in pieces, thoughts that are sent apart, calls, why it ended ("" sends no reason), and where the
    connection breaks.
    """

    text: tuple[str, ...] = ()
    thoughts: str = ""
    signature: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    finish: str = "stop"
    breaks: bool = False


@dataclass(frozen=True)
class Adapter:
    """A provider's format: a model, the variable of its address, how it sends a reply, its words for why a reply ended,
    and how a signature stands in the next request. `lacks` has a reason for each kind that the format does not know.
    """

    name: str
    variable: str
    send: Callable[[Planned, str], Answer]
    finishes: dict[str, str]
    path: str = ""
    signature: str = ""
    lacks: dict[str, str] = field(default_factory=dict[str, str])

    def answer(self, planned: Planned) -> Answer:
        """A planned reply as this provider sends it."""
        return self.send(planned, self.finishes.get(planned.finish, planned.finish))


def _chat(planned: Planned, finish: str, reasoning: str = "reasoning_content") -> Answer:
    pieces = [fake.chunk(role="assistant", content="")]
    if planned.thoughts:
        delta: dict[str, Any] = {reasoning: planned.thoughts}
        pieces.append(fake.chunk(**delta))
    pieces += [fake.chunk(content=text) for text in planned.text]
    for index, (name, arguments) in enumerate(planned.calls):
        pieces.append(fake.chunk(tool_calls=[fake.piece(index, f"call_{index:05}", name, json.dumps(arguments))]))
    if not planned.breaks:
        pieces += [*([fake.chunk(finish)] if finish else []), fake.usage(11, 7), fake.DONE]
    return Answer(tuple(pieces), is_cut=planned.breaks)


def _mistral(planned: Planned, finish: str) -> Answer:
    thoughts = [{"type": "thinking", "thinking": [{"type": "text", "text": planned.thoughts}]}]
    pieces = [_mistral_chunk({"role": "assistant", "content": ""})]
    if planned.thoughts:
        pieces.append(_mistral_chunk({"content": thoughts}))
    pieces += [_mistral_chunk({"content": text}) for text in planned.text]
    if planned.calls:
        made = [fake.piece(i, f"call{i:05}", name, json.dumps(given)) for i, (name, given) in enumerate(planned.calls)]
        pieces.append(_mistral_chunk({"content": "", "tool_calls": made}))
    if not planned.breaks:
        pieces += [_mistral_chunk({"content": ""}, finish or None), fake.DONE]
    return Answer(tuple(pieces), is_cut=planned.breaks)


def _mistral_chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    data = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return sse({**data, "usage": USED} if finish else data)


def _anthropic(planned: Planned, finish: str) -> Answer:
    found: list[Any] = []
    if planned.thoughts:
        found.append(_thinking_block(planned))
    if planned.text:
        found.append(fake.text_block(*planned.text))
    found += [fake.call_block(f"t{i}", name, json.dumps(given)) for i, (name, given) in enumerate(planned.calls)]
    whole = fake.blocks(*found, stop=finish)
    if planned.breaks:
        return Answer(whole.pieces[:-2], is_cut=True)
    return whole if finish else Answer(whole.pieces[:-2])


def _thinking_block(planned: Planned) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "content_block_start", {"content_block": {"type": "thinking", "thinking": "", "signature": ""}}
    yield "content_block_delta", {"delta": {"type": "thinking_delta", "thinking": planned.thoughts}}
    yield "content_block_delta", {"delta": {"type": "signature_delta", "signature": planned.signature}}
    yield "content_block_stop", {}


def _google(planned: Planned, finish: str) -> Answer:
    parts: list[dict[str, Any]] = [{"text": planned.thoughts, "thought": True}] if planned.thoughts else []
    parts += [{"text": text} for text in planned.text]
    for name, arguments in planned.calls:
        mark = {"thoughtSignature": planned.signature} if planned.signature else {}
        parts.append({"functionCall": {"name": name, "args": arguments}, **mark})
    pieces = [_google_chunk([part], "") for part in parts]
    if not planned.breaks:
        pieces.append(_google_chunk([], finish))
    return Answer(tuple(pieces), is_cut=planned.breaks)


def _google_chunk(parts: list[dict[str, Any]], finish: str) -> bytes:
    candidate: dict[str, Any] = {"content": {"parts": parts, "role": "model"}, "index": 0}
    candidate |= {"finishReason": finish} if finish else {}
    used = {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18}
    return sse({"candidates": [candidate], "usageMetadata": used, "modelVersion": "m", "responseId": "r"})


def _bedrock(planned: Planned, finish: str) -> Answer:
    events: list[tuple[str, dict[str, Any]]] = [("messageStart", {"role": "assistant"})]
    block = 0
    if planned.thoughts:
        thoughts = ({"text": planned.thoughts}, {"signature": planned.signature})
        deltas = [{"contentBlockIndex": block, "delta": {"reasoningContent": one}} for one in thoughts]
        events += [("contentBlockDelta", delta) for delta in deltas]
        block += 1
    events += [("contentBlockDelta", {"contentBlockIndex": block, "delta": {"text": text}}) for text in planned.text]
    for number, (name, arguments) in enumerate(planned.calls, block + 1):
        start = {"toolUse": {"toolUseId": f"t{number}", "name": name}}
        events.append(("contentBlockStart", {"contentBlockIndex": number, "start": start}))
        delta = {"toolUse": {"input": json.dumps(arguments)}}
        events.append(("contentBlockDelta", {"contentBlockIndex": number, "delta": delta}))
        events.append(("contentBlockStop", {"contentBlockIndex": number}))
    if finish and not planned.breaks:
        events.append(("messageStop", {"stopReason": finish}))
        used = {"inputTokens": 11, "outputTokens": 7, "totalTokens": 18}
        events.append(("metadata", {"usage": used, "metrics": {"latencyMs": 1}}))
    pieces = tuple(_aws_event(kind, data) for kind, data in events)
    return Answer(pieces, is_cut=planned.breaks, kind="application/vnd.amazon.eventstream")


def _aws_event(kind: str, data: dict[str, Any]) -> bytes:
    """One event in the binary format of AWS."""
    headers = b"".join(
        bytes([len(name)]) + name.encode() + b"\x07" + struct.pack(">H", len(value)) + value.encode()
        for name, value in (
            (":event-type", kind), (":content-type", "application/json"), (":message-type", "event"),
        )
    )  # fmt: skip
    body = json.dumps(data).encode()
    begin = struct.pack(">II", 16 + len(headers) + len(body), len(headers))
    begin += struct.pack(">I", zlib.crc32(begin))
    return begin + headers + body + struct.pack(">I", zlib.crc32(begin + headers + body))


_OPENAI = {"stop": "stop", "stop_word": "eos", "calls": "tool_calls", "length": "length", "filter": "content_filter"}
_NO_SIGNATURE = {"signature": "the format has no signatures"}
ADAPTERS = [
    Adapter("compatible:m@ADDRESS/v1", "", _chat, _OPENAI, signature="They ask.", lacks={}),
    Adapter("openai:gpt-4o", "OPENAI_BASE_URL", _chat, _OPENAI, "/v1", lacks=_NO_SIGNATURE),
    Adapter("anthropic:claude-haiku-4-5", "ANTHROPIC_BASE_URL", _anthropic,
            {"stop": "end_turn", "stop_word": "stop_sequence", "calls": "tool_use", "length": "max_tokens", "filter": "refusal"}, signature=SIGNATURE),
    Adapter("google:gemini-2.5-flash", "GOOGLE_GEMINI_BASE_URL", _google,
            {"stop": "STOP", "stop_word": "STOP", "calls": "STOP", "length": "MAX_TOKENS", "filter": "SAFETY"}, signature=SIGNATURE,
            lacks={"a call announced that never came": "the format has no such reason"}),
    Adapter("mistral:mistral-large-latest", "MISTRAL_BASE_URL", _mistral,
            {"stop": "stop", "stop_word": "stop", "calls": "tool_calls", "length": "length"},
            lacks={**_NO_SIGNATURE, "cut by a filter": "the format has no such reason"}),
    Adapter("groq:llama-3.3-70b-versatile", "GROQ_BASE_URL",
            lambda planned, finish: _chat(planned, finish, "reasoning"),
            {"stop": "stop", "stop_word": "stop", "calls": "tool_calls", "length": "length"},
            lacks={**_NO_SIGNATURE, "cut by a filter": "the format has no such reason"}),
    Adapter("bedrock:us.anthropic.claude-sonnet-4-20250514-v1:0", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME", _bedrock,
            {"stop": "end_turn", "stop_word": "stop_sequence", "calls": "tool_use", "length": "max_tokens", "filter": "guardrail_intervened"},
            signature=SIGNATURE),
]  # fmt: skip
"""Every format. `openai` and `compatible` share one, and `ollama` and `vllm` have it too."""
