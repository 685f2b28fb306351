"""Shortens a request that is too long for its model: the longest results first, then old messages, each marked. The
beginnings of the messages that are left out stand in their place.

The same request and size give the same shorter request, so that a past prompt can be made again.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.json import encode
from msgspec.structs import replace

from turnwise.core.prompts import ModelRequest
from turnwise.core.prompts.markers import APPLICATION, without_marks
from turnwise.core.state.effects import Message

_LEAST_RESULT = 200
"""The characters that are left of a result at least."""
_PASSES = 4
_MARK_CHARS = 120
"""How many characters a mark takes, at most."""
_MOST_SUMMARY, _SUMMARY_PART = 2000, 10
"""How many characters the summary of what is left out may have, and which part of the request: a tenth."""
_MOST_QUOTED, _LEAST_QUOTED, _QUOTE_CHARS = 200, 60, 12
"""How many characters a quoted message has, at most and at least, and how many the quoting takes."""
_QUOTED = f"{APPLICATION} What was left out here began so: "


def size_of(request: ModelRequest) -> int:
    """Return the approximate number of characters in a request."""
    fixed = sum(map(len, (*request.instructions, *request.notes, *request.missing, request.question, request.wording)))
    return fixed + len(encode(request.tools)) + sum(map(_size, request.transcript))


def shortened(request: ModelRequest, most: int) -> ModelRequest:
    """Return a request cut to about `most` characters: older lines and long results are shortened; 0 means no limit.
    The instructions, the tools, the last message of the user and what came after it stay, apart from long results.
    """
    if not most or size_of(request) <= most:
        return request
    request = _with_shorter_results(request, most)
    room = min(_MOST_SUMMARY, most // _SUMMARY_PART)
    left_out = _left_out(request, most, room)
    if not left_out:
        return request
    note = f"The first {left_out} messages of this conversation are left out here: the request was too long."
    gone, kept = request.transcript[:left_out], request.transcript[left_out:]
    return replace(request, transcript=(*_summary(gone, room), *kept), notes=(*request.notes, note))


def _summary(messages: Sequence[Message], room: int) -> tuple[Message, ...]:
    """Return the beginnings of messages in at most `room` characters, in one message; none where they do not fit. Where
    they are many, the first one, which often says what it is about, and the last ones are quoted.

    No model writes it, so that it costs no call, cannot fail, and is the same when a past prompt is made again.
    """
    said = [one for one in messages if one.role != "tool" and one.text.strip()]
    room -= len(_QUOTED) + _LEAST_QUOTED
    if not said or room < _LEAST_QUOTED:
        return ()
    most = max(1, room // _LEAST_QUOTED)
    quoted = said if len(said) <= most else [said[0], *said[len(said) - most + 1 :]]
    each = min(_MOST_QUOTED, room // len(quoted)) - _QUOTE_CHARS
    return (Message("agent", _QUOTED + "; ".join(_quote(one, each) for one in quoted)),)


def _quote(message: Message, most: int) -> str:
    """Return who said a message, and how it begins."""
    who = "user" if message.role == "user" else "you"
    text = " ".join(without_marks(message.text).split())
    return f"{who}: “{text if len(text) <= most else text[:most].rstrip() + '…'}”"


def _size(message: Message) -> int:
    result = len(encode(message.result)) if message.role == "tool" else 0
    return len(message.text) + result + (len(encode(message.calls)) if message.calls else 0)


def _with_shorter_results(request: ModelRequest, most: int) -> ModelRequest:
    """Return a request with its longest results cut. A cut result is a text, in which JSON may take more characters."""
    excess, found = size_of(request) - most, request
    for _ in range(_PASSES):
        found = replace(request, transcript=_with_cut_results(request, excess))
        beyond = size_of(found) - most
        if beyond <= 0:
            break
        excess += beyond
    return found


def _with_cut_results(request: ModelRequest, excess: int) -> tuple[Message, ...]:
    """Return the transcript with its longest results cut to one length, so that they are shorter by `excess`."""
    texts = {place: encode(one.result).decode() for place, one in enumerate(request.transcript) if one.role == "tool"}
    lengths = sorted((len(text) for text in texts.values()), reverse=True)
    most = max(_LEAST_RESULT, _cut_length(lengths, excess))
    return tuple(
        [
            _cut(one, texts[place], most) if len(texts.get(place, "")) > most + _MARK_CHARS else one
            for place, one in enumerate(request.transcript)
        ]
    )


def _cut_length(lengths: Sequence[int], excess: int) -> int:
    """Return the length to which the longest results are cut, the longest first."""
    total = 0
    for count, length in enumerate(lengths, 1):
        total += length
        following = lengths[count] if count < len(lengths) else 0
        common = (total - excess) // count - _MARK_CHARS
        if common >= following:
            return common
    return 0


def _cut(message: Message, text: str, most: int) -> Message:
    mark = f" … ({len(text) - most:,} of {len(text):,} characters are left out here: the request was too long)"
    return replace(message, result=text[:most] + mark)


def _left_out(request: ModelRequest, most: int, room: int) -> int:
    """Return how many of the first messages are left out, with room for their summary. A call is left out with its
    results.
    """
    messages = request.transcript
    if size_of(request) <= most:
        return 0
    last = max((place for place, one in enumerate(messages) if one.role == "user"), default=0)
    size, found = size_of(request) + _MARK_CHARS + room, 0
    for place in range(last):
        if size <= most:
            break
        size -= _size(messages[place])
        if messages[place + 1].role != "tool":
            found = place + 1
    return found
