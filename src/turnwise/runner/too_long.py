"""Recognizes that a request was too long for a model, in the words of each provider, and how short it must be."""

from __future__ import annotations

import re

from turnwise.core.prompts import ModelRequest
from turnwise.core.prompts.shortening import shortened, size_of
from turnwise.errors import ProviderFailed, RequestTooLong
from turnwise.flow.late_pattern import late_pattern

_WORDS = late_pattern(
    r"context_length_exceeded|request_too_large|(?:context|prompt|input)[ _](?:length|window|size|limit)\b.*exceed"
    r"|exceed\w*\b.*(?:context|prompt|input)[ _](?:length|window|size|limit)"
    r"|maximum (?:context|prompt|model|input) (?:length|size)|longer than the maximum"
    r"|(?:prompt|input|request|conversation)s? (?:is|are|was) too (?:long|large)|request too large"
    r"|input tokens? (?:count\b.*)?exceed|too many (?:input |total )?tokens\b(?!.*(?:wait|rate|per minute))"
    r"|reduce (?:the length of|your message|the input)|exceeds the maximum (?:number of|size)|prompt tokens.*too large"
    r"|inputs?`? tokens \+ `?max_new_tokens",
    re.IGNORECASE | re.DOTALL,
)
"""What OpenAI, Anthropic, Google, Mistral, Bedrock, Groq, xAI, Cohere, vLLM, llama.cpp and TGI say."""
_NUMBER = late_pattern(r"\d[\d,_]{2,}")
_LEAST, _MOST = 0.25, 0.8
"""The part of its size to which a request is cut at once, at least and at most."""
_MARGIN = 0.9
_LESS = 0.98
"""A request that is no shorter than this part of the one before is not sent."""


def is_too_long(error: BaseException) -> bool:
    """Return whether an error of a model means that its request was too long."""
    if isinstance(error, RequestTooLong):
        return True
    return isinstance(error, ProviderFailed) and says_too_long(str(error))


def says_too_long(text: str) -> bool:
    """Return whether the message of an error says that a model's request was too long."""
    return _WORDS.search(text) is not None


def shorter_length(whole: ModelRequest, sent: ModelRequest, error: BaseException) -> int:
    """Return how many characters the next try's request may have, after `sent` was too long.
    `whole` is the request before any shortening. Raises `RequestTooLong` if nothing is left to shorten.
    """
    size = size_of(sent)
    most = int(size * _part(str(error)))
    if size_of(shortened(whole, most)) < size * _LESS:
        return most
    raise RequestTooLong(f"{error}; nothing is left to shorten in a request of {size:,} characters") from None


def _part(text: str) -> float:
    """Return the part of the request that the model can take, from the numbers of tokens that its error names."""
    numbers = [int(re.sub(r"\D", "", one)) for one in _NUMBER.findall(text)]
    if len(numbers) < 2 or not min(numbers):
        return 0.5
    return min(_MOST, max(_LEAST, min(numbers) / max(numbers) * _MARGIN))
