"""Reads the text of one reply of a model: removes thoughts and tool calls that were written as text, and decides
whether the rest counts as a reply (law 2.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turnwise.core.call_names import NO_NAMES, names_of_specs
from turnwise.core.prompts import ModelRequest
from turnwise.core.state.effects import Thought
from turnwise.core.state.kinds import ReplyFault
from turnwise.errors import ReplyFailed
from turnwise.flow.late_pattern import late_pattern
from turnwise.runner.control_tokens import ControlTokens
from turnwise.runner.finish_reasons import claims_calls, fault_of_finish, words_of_error
from turnwise.runner.imitated_notes import ImitatedNotes
from turnwise.runner.later_thoughts import LaterThoughts
from turnwise.runner.model_port import CallMade, ModelEvent, TextDelta, TextWithdrawn, Usage
from turnwise.runner.readable import is_readable
from turnwise.runner.text_filters import Chain
from turnwise.runner.thoughts import ThoughtFilter
from turnwise.runner.written_calls import WrittenCalls, called_in

_WORDS: dict[ReplyFault, str] = {
    "blank": "gave a reply with nothing to read in it",
    "call_as_text": "wrote a call of {tool} as text",
    "content_filter": "had its reply cut off by a filter",
    "empty": "gave an empty reply",
    "error": "{error}",
    "length": "had its reply cut off: it used up its tokens",
    "note_as_text": "spoke as the application or as a person",
    "only_thoughts": "gave only thoughts, and no reply",
}
KEEPS_TEXT: tuple[ReplyFault, ...] = ("length", "error")
"""The faults of which the text that came is kept for the user."""


class Shown(NamedTuple):
    """A piece of a reply's text that can be shown to the user."""

    text: str
    """The text to show; empty if there is nothing to show."""
    replaces: bool = False
    """True where the text replaces everything shown before."""


NOTHING_SHOWN = Shown("")
"""The text of a reply of which the user sees nothing."""
_PROSE = late_pattern(r"[\w\s.,;:!?'\"’…–—%€$/-]*")
"""A text without the characters that thoughts, control tokens, imitated notes and the markup of calls begin with."""


class ReplyText:
    """Finds which part of one reply's text can be shown, while its pieces arrive."""

    def __init__(self, request: ModelRequest) -> None:
        self._is_for_user = not request.must_call
        self._names = request.call_names if request.call_names is not NO_NAMES else names_of_specs(request.tools)
        self._texts: list[str] = []
        self._has_text = False
        """True if there is something to read in the text, at its end."""
        self._came = False
        """True if the filters read some text: they are made then, for many replies are only calls or prose."""

    def _begin(self) -> None:
        """Begin to read the text, or another one that replaces it."""
        self._later, self._notes, self._written = LaterThoughts(), ImitatedNotes(), WrittenCalls(self._names)
        self._filters = Chain(ControlTokens(), self._notes, self._written)
        self._texts.clear()

    def add(self, piece: str) -> Shown:
        """Add a piece of the reply; return what can be shown now and was not returned before."""
        if not piece:
            return NOTHING_SHOWN
        if not self._came:
            self._came, self._thoughts = True, ThoughtFilter()
            self._begin()
        if not self._is_for_user:
            self._texts.append(piece)
            return Shown(piece)
        return self._without_calls(Shown(*self._thoughts.add(piece)))

    def add_whole(self, text: str) -> Shown:
        """Return what can be shown of a reply whose text arrives whole: unchanged if it names no tool."""
        if self._is_for_user and _PROSE.fullmatch(text) and not self._names.may_be_in(text) and is_readable(text):
            self._has_text = True
            return Shown(text)
        return self.add(text)

    def end(self) -> Shown:
        """Return the text that was held back, at the end of the reply, without a call or an imitated note in it.
        Neither is a text shown that has nothing to read.
        """
        if not self._is_for_user or not self._came:
            return NOTHING_SHOWN
        text, replaces = self._without_calls(Shown(*self._thoughts.end()))
        rest = self._filters.add(self._later.end()) + self._filters.end()
        rest = "" if self._written.tool else rest
        was_shown = len("".join(self._texts)) > len(text)
        self._texts.append(rest)
        self._has_text = is_readable("".join(self._texts))
        return Shown(text + rest, replaces) if self._has_text else Shown("", replaces or was_shown)

    def fault(self, finish: str, model: str, *, has_calls: bool, has_thoughts: bool) -> ReplyFailed | None:
        """Return the error of a whole reply that is unusable, else `None`. `finish` is why the reply ended, `model`
        names the model in the error; `has_thoughts`: the provider sent thoughts apart from the text.
        """
        code = fault_of_finish(finish, has_calls=has_calls) if finish else None
        tool = self._called() if self._came and not has_calls else ""
        if tool and (code is None or claims_calls(finish)):
            code = "call_as_text"
        elif code is None and not has_calls and self._came and self._notes.are_found:
            code = "note_as_text"
        elif code is None and self._is_for_user and not has_calls and not self._has_text:
            is_thinking = has_thoughts or (self._came and self._thoughts.has_thoughts)
            code = "only_thoughts" if is_thinking else "blank" if self._came else "empty"
        if code is None:
            return None
        words = _WORDS[code].format(tool=tool, error=words_of_error(finish))
        return ReplyFailed(f"{model or 'the model'} {words}", code, tool if code == "call_as_text" else "")

    def _called(self) -> str:
        """Return the tool that the text calls."""
        return self._written.tool if self._is_for_user else called_in("".join(self._texts), self._names)

    def _without_calls(self, shown: Shown) -> Shown:
        if shown.replaces:
            self._begin()
        elif not shown.text:
            return shown
        text = self._later.add(shown.text, is_after_thoughts=self._thoughts.has_thoughts)
        text = self._filters.add(text)
        self._texts.append(text)
        return Shown(text, shown.replaces)


class CheckedReply:
    """Checks the events of one reply: their text as `ReplyText` does, and at the end whether the reply is usable."""

    def __init__(self, request: ModelRequest) -> None:
        self._text = ReplyText(request)
        self._usage = Usage("")
        self._has_calls = False
        self._has_thoughts = False

    def add(self, event: ModelEvent) -> Iterator[ModelEvent]:
        """Yield what can be passed on after an event, without thoughts and calls that are written as text.
        Of a text that is only what is certainly for the user; any other event is passed on unchanged.
        """
        if isinstance(event, TextDelta):
            yield from _events(self._text.add(event.text))
            return
        self._has_calls = self._has_calls or isinstance(event, CallMade)
        self._has_thoughts = self._has_thoughts or isinstance(event, Thought)
        if isinstance(event, Usage):
            self._usage = event
        yield event

    def end(self) -> Iterator[ModelEvent]:
        """Yield the events that were held back, at the end of the reply. Raises `ReplyFailed` for an unusable reply."""
        yield from _events(self._text.end())
        usage, text = self._usage, self._text
        fault = text.fault(usage.finish, usage.model, has_calls=self._has_calls, has_thoughts=self._has_thoughts)
        if fault is not None:
            raise fault


def _events(shown: Shown) -> Iterator[ModelEvent]:
    if shown.replaces:
        yield TextWithdrawn()
    if shown.text:
        yield TextDelta(shown.text)
