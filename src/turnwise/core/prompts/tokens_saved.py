"""Counts the tokens that closed scopes saved: what later requests would have held of the words inside them.

A reply of a model has the tokens that its provider counted; what was said between two calls, the growth of the request.
Where a provider counts nothing, as for the questions of a form, four characters count as a token, and the result is
marked as an estimate.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.json import encode

from turnwise.core.prompts.window import first_turn
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.in_charge import entered_node
from turnwise.core.state.kinds import ERASED

CHARS_PER_TOKEN: Final = 4
"""How many characters count as a token where no provider counted."""


class TokensSaved(Struct, frozen=True, gc=False):
    """The prompt tokens that one closed scope has saved so far, since its summary replaces its words."""

    scope: str
    """The qualified name of the scope."""
    frame: int
    """The id of the scope's frame."""
    closed: int
    """The journal position at which the scope was closed."""
    requests: int
    """How many later requests would have included the scope's words."""
    tokens: int
    """By how many tokens these requests were shorter, in total."""
    is_estimate: bool
    """True if a part of `tokens` is estimated."""


class _Part(Struct, frozen=True):
    """Some words of a frame: their turn and tokens; `is_estimate` if those are made from the characters."""

    turn: int
    tokens: int
    is_estimate: bool = False


def tokens_saved(entries: Iterable[e.Entry], window: int) -> tuple[TokensSaved, ...]:
    """Return what each closed scope has saved, in order of closing; `window` is how many turns a request shows."""
    by_frame: dict[int, list[e.Entry]] = {}
    closings = list[tuple[e.Entry, e.ScopeClosed, int]]()
    undone, open_now = list[tuple[int, int]](), dict[str, int]()
    for entry in entries:
        event = entry.event
        by_frame.setdefault(entry.frame, []).append(entry)
        match event:
            case e.ScopeOpened(scope=scope):
                open_now[scope] = entry.seq
                by_frame.setdefault(entry.seq, []).append(entry)
            case e.ScopeClosed(scope=scope) if scope in open_now:
                closings.append((entry, event, open_now.pop(scope)))
            case e.Undone(to=to, state=state):
                undone.append((to, entry.turn))
                open_now = _open_scopes(state)
            case e.Snapshot(state=state) | e.Migrated(state=state):
                open_now = _open_scopes(state)
            case _:
                pass
    counting = _Counting(by_frame, window, undone)
    return tuple([counting.saved(*closing) for closing in closings])


def _open_scopes(state: State) -> dict[str, int]:
    return {frame.scope.name: frame.id for frame in state.frames if frame.scope is not None}


class _Counting:
    """Counts over the entries of each frame."""

    def __init__(self, by_frame: dict[int, list[e.Entry]], window: int, undone: Sequence[tuple[int, int]]) -> None:
        self.by_frame = by_frame
        self.window = window
        self.undone = undone
        self._spoken: dict[int, list[int]] = {}
        self._replies: dict[int, list[e.Entry]] = {}

    def saved(self, entry: e.Entry, closed: e.ScopeClosed, frame: int) -> TokensSaved:
        """Return what one scope has saved, which an entry of the frame around it closed."""
        keep = closed.keep
        inside = list(_parts(self.by_frame.get(frame, ()), keep.mean_chars if keep is not None else 0))
        words = [part for part in inside if not self._is_taken_back(part.turn, entry.turn)]
        around, own = self._turns(entry.frame), sorted({one.turn for one in words})
        summary = _tokens(len(closed.summary))
        requests = total = 0
        is_estimate = False
        for turn in self._requests(entry):
            said = {*_last_before(around, turn, self.window), *_last_before(own, turn, self.window)}
            begin = first_turn(sorted(said), self.window)
            held = [one for one in words if one.turn >= begin]
            if not held:
                break  # later windows begin later
            requests += 1
            total += sum(one.tokens for one in held) - summary
            is_estimate |= bool(summary) or any(one.is_estimate for one in held)
        return TokensSaved(closed.scope, frame, entry.seq, requests, total, is_estimate)

    def _requests(self, closing: e.Entry) -> Iterator[int]:
        """Yield the turn of each later request of the frame around a scope, until an undo takes the closing back."""
        until = min((undo for to, undo in self.undone if to < closing.turn < undo), default=None)
        replies = self._replies_of(closing.frame)
        for at in range(bisect_right(replies, closing.seq, key=lambda one: one.seq), len(replies)):
            if until is not None and replies[at].turn >= until:
                return
            yield replies[at].turn

    def _turns(self, frame: int) -> list[int]:
        """Return the turns in which something was said in a frame, each once."""
        if frame not in self._spoken:
            self._spoken[frame] = sorted({one.turn for one in self.by_frame[frame] if _chars(one.event)})
        return self._spoken[frame]

    def _replies_of(self, frame: int) -> list[e.Entry]:
        if frame not in self._replies:
            self._replies[frame] = [one for one in self.by_frame[frame] if isinstance(one.event, e.ModelReplied)]
        return self._replies[frame]

    def _is_taken_back(self, turn: int, closing: int) -> bool:
        """Return whether an undo took a turn back before the scope was closed."""
        return any(to < turn < undo <= closing for to, undo in self.undone)


def _last_before(turns: list[int], turn: int, window: int) -> list[int]:
    """Return the last turns before one, one more than a window shows: what is before them decides nothing."""
    end = bisect_left(turns, turn)
    return turns[max(0, end - window - 1) : end]


def _parts(entries: Iterable[e.Entry], erased_chars: int) -> Iterator[_Part]:
    """Yield the words of a frame by what they count: a reply by its provider, and what was said between two calls of a
    node by how the request grew. A text that was erased had `erased_chars` on average.
    """
    called: tuple[str, e.ModelReplied] | None = None
    node, between = "", list[_Part]()
    for entry in entries:
        event = entry.event
        if not (node and isinstance(event, e.ScopeOpened)):  # what it enters is in another frame
            node = entered_node(event) or node
        if isinstance(event, e.ModelReplied):
            yield from _since_call(between, event, called[1] if called is not None and called[0] == node else None)
            between, called = [], (node, event)
            yield _Part(entry.turn, event.tokens_out) if event.tokens_out else _estimated(entry, event)
        elif not (_is_reply(event) and called is not None and called[1].tokens_out):
            chars = _chars(event)
            chars = erased_chars if chars and _is_erased(event) else chars
            between += [_Part(entry.turn, _tokens(chars), is_estimate=True)] if chars else []
    yield from between


def _since_call(between: Sequence[_Part], event: e.ModelReplied, before: e.ModelReplied | None) -> Iterable[_Part]:
    """Return what was said since the call before, as the provider counted it if it was of the same node."""
    grown = event.tokens_in - before.tokens_in - before.tokens_out if before is not None and before.tokens_in else -1
    return (_Part(between[-1].turn, grown),) if grown >= 0 and between and event.tokens_in else between


def _is_erased(event: e.AnyEvent) -> bool:
    return ERASED in (getattr(event, "text", ""), getattr(event, "value", ""), getattr(event, "result", ""))


def _is_reply(event: e.AnyEvent) -> bool:
    return isinstance(event, e.Said) and event.kind in ("reply", "cut")


def _tokens(chars: int) -> int:
    return -(-chars // CHARS_PER_TOKEN)


def _estimated(entry: e.Entry, event: e.ModelReplied) -> _Part:
    chars = len(encode([call.arguments for call in event.calls])) if event.calls else 0
    return _Part(entry.turn, _tokens(chars), is_estimate=True)


def _chars(event: e.AnyEvent) -> int:
    """Return how many characters an event adds to a transcript, apart from a reply's calls."""
    match event:
        case e.UserSaid(text=text) | e.Said(text=text) | e.OperatorSaid(text=text):
            return len(text)
        case e.UserChose(value=value):
            return len(value)
        case e.ScopeClosed(summary=summary):
            return len(summary)
        case e.ToolReturned(result=result, call=call) if call:
            return len(encode(result))
        case e.ToolFailed(reason=text, call=call) | e.CallRefused(text=text, call=call) if call:
            return len(text)
        case e.CallAnswered(result=result):
            return len(encode(result))
        case _:
            return 0
