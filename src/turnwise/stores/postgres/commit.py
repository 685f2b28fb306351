"""A commit as the parameters of the function that writes it, and texts as they are stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.json import encode

from turnwise.core.state.codec import encode_state
from turnwise.core.state.erased_words import CLOSING_EVENTS, words_due
from turnwise.core.state.events import Started
from turnwise.errors import Conflict, Superseded
from turnwise.runner.ports import Commit
from turnwise.runner.search import node_and_status
from turnwise.stores.encoded import kind_of

_PARTS = {"first": 0, "next": 1, "takeover": 2}
_TYPES = (
    "t::text b::int4 b::int8 b::int4 b::bool b::int4 b::int4[] b::int8[] b::int2[] b::int4[] b::bytea[] t::text t::text"
    " t::text t::text b::int4 b::int4[] b::int4[] b::int8[]"
    " b::bytea b::int4 b::int4 b::int8 t::text t::text t::text b::int8[] b::bytea[] t::text"
)
COMMIT = f"SELECT turnwise_commit_3({', '.join([f'%{one}' for one in _TYPES.split()])})"
"""The statement that writes a commit."""


_ESCAPE, _ESCAPED = "\U0010ffff", {"\U0010ffff": "\U0010ffff1", "\x00": "\U0010ffff0"}


def escape_text(text: str) -> str:
    """Return a text in the form in which PostgreSQL can store it: without characters of code 0."""
    if "\x00" not in text and _ESCAPE not in text:
        return text
    return "".join([_ESCAPED.get(one, one) for one in text])


def unescape_text(text: str) -> str:
    """Return the original of a text that was stored after `escape_text`."""
    if _ESCAPE not in text:
        return text
    return text.replace(f"{_ESCAPE}0", "\x00").replace(f"{_ESCAPE}1", _ESCAPE)


class Prepared:
    """A commit, encoded by its caller, and packed by the thread that writes it."""

    __slots__ = ("_bodies", "_kinds", "_pack", "_state", "_timers", "commit", "conversation", "last")

    def __init__(self, conversation: str, commit: Commit, pack: Callable[[bytes], bytes]) -> None:
        self.conversation = conversation
        self.commit = commit
        self._pack = pack
        self.last = commit.entries[-1].seq
        self._kinds = [kind_of(entry.event) for entry in commit.entries]
        self._bodies = [encode(entry.event) for entry in commit.entries]
        state = commit.state
        self._state = encode_state(state) if state is not None else None
        self._timers = [(timer.due_ms, encode(timer)) for timer in state.due_timers] if state is not None else []

    def parameters(self, process: int, *, again: bool) -> tuple[Any, ...]:
        """Return the parameters of the SQL statement.
        `process` is the number of this replica; `again` is true where the commit may be stored already.
        """
        commit, entries, state = self.commit, self.commit.entries, self.commit.state
        first = entries[0].event
        begins = state if state is not None else first if isinstance(first, Started) else None
        receipt = commit.receipt
        closings = [
            (entry.seq, *due) for entry in entries if type(entry.event) in CLOSING_EVENTS for due in words_due(entry)
        ]
        return (
            *(escape_text(self.conversation), process, commit.fence, _PARTS[commit.part], again, entries[0].seq),
            *([entry.turn for entry in entries], [entry.at_ms for entry in entries], self._kinds),
            *([entry.frame for entry in entries], list(map(self._pack, self._bodies))),
            *((begins.flow, begins.fingerprint) if begins is not None else ("", "")),
            *(
                (escape_text(receipt.key), escape_text(receipt.body), receipt.turn)
                if receipt is not None
                else (None, None, None)
            ),
            *(map(list, zip(*closings, strict=True)) if closings else (None, None, None)),
            *self._end(),
            *(([due for due, _ in self._timers], [body for _, body in self._timers]) if self._timers else (None, None)),
            commit.delivery or None,
        )

    def _end(self) -> tuple[Any, ...]:
        """Return the parameters of the state at the end of a turn."""
        state = self.commit.state
        if state is None or self._state is None:
            return (None,) * 7
        return (self._pack(self._state), state.seq, state.turn, state.at_ms, *node_and_status(state))

    def refused(self, code: str) -> Conflict | Superseded:
        """Return the error for the code by which the database function refused the commit."""
        if code == "busy":
            return Conflict(f"{self.conversation}: a turn is under way")
        if code == "superseded":
            return Superseded(f"{self.conversation}: another process or another run has the turn, or none is under way")
        kind = Superseded if self.commit.part == "next" else Conflict
        return kind(f"{self.conversation}: entry {self.commit.entries[0].seq} does not follow {code}")
