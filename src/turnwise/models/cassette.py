"""Recordings of a model's answers, made once and played in tests.

A request that differs from the recorded one is refused: it never gets the answer to another question.
"""

from __future__ import annotations

import difflib
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import cast

from msgspec import DecodeError, Struct
from msgspec.json import decode, encode, format  # noqa: A004  it formats JSON

from turnwise.core.prompts import ModelRequest
from turnwise.core.state.effects import Thought
from turnwise.core.values.json_data import TextRepairer, repair, repair_data
from turnwise.errors import ProviderFailed, TurnwiseError
from turnwise.models.reach import close_model
from turnwise.runner.model_port import CallMade, ModelEvent, StreamingModel, TextDelta, TextWithdrawn, Usage

VERSION = 1
"""The version number of the format of recordings."""
_MOST_LINES = 40
"""The most lines of a difference that are shown."""


class Piece(Struct, frozen=True, omit_defaults=True):
    """A piece of a recorded answer; exactly one of its attributes has a value."""

    text: str | None = None
    """A piece of the answer's text; `None` for another piece."""
    call: CallMade | None = None
    """A tool call; `None` for another piece."""
    usage: Usage | None = None
    """The model that answered and its usage; `None` for another piece."""
    thought: Thought | None = None
    """A thought that the provider wants back with a call; `None` for another piece."""


class Exchange(Struct, frozen=True):
    """A recorded request to a model with its answer."""

    proof: str
    """The fingerprint of the request, which playing compares with that of the actual request."""
    request: ModelRequest
    """The request."""
    answer: tuple[Piece, ...]
    """The answer, piece by piece."""


class Recording(Struct, frozen=True):
    """The contents of a recording's file: requests to models with their answers, in order."""

    exchanges: tuple[Exchange, ...] = ()
    """The requests with their answers, in order."""
    turnwise_cassette: int = VERSION
    """The version number of the file's format."""


class CassetteModel:
    """Plays a recording in its order; with a `model`, it asks the model and records its answers. With `rewrites` it
    plays the answers to whatever is asked, and `keep` writes these requests into the recording.
    """

    understands = True
    """True: it also interprets messages of users."""

    def __init__(self, path: str | Path, model: StreamingModel | None = None, *, rewrites: bool = False) -> None:
        self.path = Path(path)
        self.model = model
        self.rewrites = rewrites
        self.exchanges = [] if model is not None else list(_read(self.path).exchanges)
        self.played = 0
        self.stale = ""
        """Why the last request was refused; empty if none was."""

    def __repr__(self) -> str:
        return f"CassetteModel({str(self.path)!r}{', recording' if self.model is not None else ''})"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Stream the recorded answer. Raises `ProviderFailed` where the recording has another request at this place."""
        if self.model is None:
            for event in self._play(request):
                yield event
            return
        answer: list[Piece] = []
        repairer = TextRepairer()
        async with aclosing(cast("AsyncGenerator[ModelEvent]", self.model.stream(request))) as pieces:
            async for event in pieces:
                if isinstance(event, TextWithdrawn):
                    answer.clear()
                else:
                    answer.append(_recorded(event, repairer))
                yield event
        if rest := repairer.end():
            answer.append(Piece(text=rest))
        self.exchanges.append(Exchange(request.fingerprint(), request.as_sent(), tuple(answer)))
        _write(self.path, Recording(tuple(self.exchanges)))

    def _play(self, request: ModelRequest) -> Iterator[ModelEvent]:
        number = self.played + 1
        if self.played >= len(self.exchanges):
            self.stale = f"{self.path} has no call {number}: it ends after {len(self.exchanges)}; record it anew"
            raise ProviderFailed(self.stale)
        exchange = self.exchanges[self.played]
        if self.rewrites:
            exchange = self.exchanges[self.played] = Exchange(request.fingerprint(), request.as_sent(), exchange.answer)
        if exchange.proof != request.fingerprint():
            difference = _difference(exchange.request, request.as_sent())
            self.stale = f"{self.path} is stale: call {number} asks something else now; record it anew\n{difference}"
            raise ProviderFailed(self.stale)
        self.played = number
        for piece in exchange.answer:
            event = (
                piece.usage
                or piece.call
                or piece.thought
                or (TextDelta(piece.text) if piece.text is not None else None)
            )
            if event is not None:
                yield event

    @property
    def unplayed(self) -> int:
        """The number of recorded calls that were not played yet."""
        return 0 if self.model is not None else len(self.exchanges) - self.played

    def assert_complete(self) -> None:
        """Raise an error unless every recorded call was played."""
        assert self.unplayed == 0, f"{self.unplayed} recorded calls were never asked for"

    def save(self) -> bool:
        """Write the recording, if it changed; return whether it did.
        A played recording gets the requests that were asked in place of the recorded ones, and loses calls that were
        not asked for.
        """
        before = self.path.read_bytes() if self.path.exists() else b""
        exchanges = self.exchanges if self.model is not None else self.exchanges[: self.played]
        _write(self.path, Recording(tuple(exchanges)))
        return self.path.read_bytes() != before

    async def close(self) -> None:
        """Close the connections of the model that is recorded."""
        await close_model(self.model)


def _recorded(event: TextDelta | CallMade | Usage | Thought, repairer: TextRepairer) -> Piece:
    match event:
        case TextDelta(text=text):
            return Piece(text=repairer.add(text))
        case CallMade(tool=tool, arguments=arguments):
            return Piece(call=CallMade(repair(tool).data, repair_data(arguments).data))
        case Usage():
            return Piece(usage=event)
        case Thought():
            return Piece(thought=event)


def _read(path: Path) -> Recording:
    try:
        written = path.read_bytes()
    except FileNotFoundError:
        raise TurnwiseError(f"{path}: there is no such recording; make it with record:{path}@provider:model") from None
    except OSError as error:
        raise TurnwiseError(f"{path}: it cannot be read: {error.strerror}") from None
    try:
        recording = decode(written, type=Recording)
    except (DecodeError, UnicodeDecodeError) as error:
        raise TurnwiseError(f"{path}: it is no recording of turnwise: {error}") from None
    if recording.turnwise_cassette != VERSION:
        raise TurnwiseError(f"{path} has format {recording.turnwise_cassette}; this version reads {VERSION}")
    return recording


def _write(path: Path, recording: Recording) -> None:
    beside = path.with_name(path.name + ".new")
    try:
        beside.write_bytes(format(encode(recording), indent=1) + b"\n")
        beside.replace(path)
    except OSError as error:
        raise ProviderFailed(f"{path}: the recording cannot be written: {error.strerror}") from None


def _difference(recorded: ModelRequest, asked: ModelRequest) -> str:
    """Compare two requests line by line."""
    before, after = (format(encode(request), indent=2).decode().splitlines() for request in (recorded, asked))
    lines = [*difflib.unified_diff(before, after, "recorded", "asked", n=2, lineterm="")]
    more = [f"… {len(lines) - _MOST_LINES} more lines"] if len(lines) > _MOST_LINES else []
    return "\n".join([*lines[:_MOST_LINES], *more])
