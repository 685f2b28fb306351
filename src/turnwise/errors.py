"""The exceptions that turnwise raises.

What an author did wrong is a `Diagnostic`, what the world did wrong is an event; an exception is
left for a caller who asked for something that cannot be done.
"""

from __future__ import annotations

import reprlib
from typing import NamedTuple


class TurnwiseError(Exception):
    """The base class of every error that turnwise raises on purpose."""


class WrongArgument(TurnwiseError):
    """An argument has the wrong type or value; the text has its name, what it takes and what it was."""

    def __init__(self, argument: str, given: object, expected: str) -> None:
        super().__init__(f"{argument} must be {expected}, not {_shown(given)}")
        self.argument = argument


class UnknownArgument(TurnwiseError, TypeError):
    """A call has an argument that does not exist; the text has its name, and the nearest one that exists."""

    def __init__(self, call: str, argument: str, hint: str = "") -> None:
        super().__init__(f"{call}() takes no argument '{argument}'" + (f"; {hint}" if hint else ""))
        self.argument = argument


class CannotBlock(TurnwiseError):
    """A sync app or chat was used where an event loop is running, or after it was closed."""


class WrongUsage(TurnwiseError):
    """A command of the terminal got options that it does not take, alone or together; its exit code is 2."""


class WrongEventLoop(TurnwiseError):
    """An app was used in a second event loop while the first one is still open."""

    def __init__(self) -> None:
        super().__init__(
            "this app is in use in another event loop that is still open; use it there, or open an app for each loop"
        )


class ForkedProcess(TurnwiseError):
    """An app or a store was used in a forked child of the process that opened it."""

    def __init__(self, what: str) -> None:
        super().__init__(f"this {what} was opened before the process was forked; open another one in the child")
        self.what = what


class Conflict(TurnwiseError):
    """Another process or task wrote this conversation first; nothing of this attempt was stored."""


class Superseded(Conflict):
    """Another process took over the turn of this attempt, and continues the turn."""


class StoreFailed(TurnwiseError):
    """A store cannot be used; the text has its address and the reason."""

    def __init__(self, store: object, reason: str) -> None:
        super().__init__(f"{store}: {reason}")
        self.store = str(store)
        self.reason = reason


class StoreUnavailable(StoreFailed):
    """A store could not be written, even after retries; try again later."""


class FlowUnavailable(TurnwiseError):
    """The flow with which a conversation began is not available, or some of its code is missing."""

    def __init__(self, fingerprint: str, reason: str) -> None:
        super().__init__(f"the flow with fingerprint {fingerprint} cannot be used: {reason}")
        self.fingerprint = fingerprint
        self.reason = reason


class UnknownFormat(TurnwiseError):
    """Stored data has a format that this version of turnwise does not read (law 1.4)."""

    def __init__(self, what: str, found: object, known: object) -> None:
        super().__init__(f"{what} has format {found!r}; this version of turnwise reads {known}")
        self.what = what
        self.found = found


class UnknownConversation(TurnwiseError):
    """No conversation has this id, or it was deleted during a turn."""

    def __init__(self, conversation: str, hint: str = "", *, is_forgotten: bool = False) -> None:
        forgotten = f"conversation {conversation!r} was forgotten while its turn was under way; nothing of it is kept"
        unknown = f"there is no conversation {conversation!r}" + (f"; {hint}" if hint else "")
        super().__init__(forgotten if is_forgotten else unknown)
        self.conversation = conversation
        self.is_forgotten = is_forgotten


class ConversationExists(TurnwiseError):
    """A new conversation has a name that another one has already."""

    def __init__(self, conversation: str) -> None:
        super().__init__(f"there is a conversation {conversation!r} already; choose another name")
        self.conversation = conversation


class KeyReused(TurnwiseError):
    """The idempotency key of this request was used by another request that began a conversation."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {key!r} came before with another request")
        self.key = key


class ImportRefused(TurnwiseError):
    """A file is not a complete exported conversation; nothing was imported.
    The text has the file and the reason. `line` is the wrong line, 0 where it is none in particular.
    """

    def __init__(self, file: str, reason: str, line: int = 0) -> None:
        super().__init__(f"{file}: {reason}")
        self.file = file
        self.reason = reason
        self.line = line


class CannotWrite(TurnwiseError):
    """A file or folder cannot be written; the text has its path, the reason, and what to do."""

    def __init__(self, path: object, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = str(path)
        self.reason = reason


class NoGraphviz(TurnwiseError):
    """Graphviz, which draws SVG, is not installed or failed."""


class UnknownTurn(TurnwiseError):
    """A conversation has no turn of this number, or retention has erased it (`erasure`: when, and by which rule)."""

    def __init__(self, conversation: str, turn: int, last: int, *, is_erased: bool = False, erasure: str = "") -> None:
        none = f"conversation {conversation!r} has no turn {turn}; there are 1 to {last}"
        erased = f"turn {turn} of conversation {conversation!r} was erased by retention{erasure}"
        super().__init__(erased if is_erased else none)
        self.turn = turn
        self.is_erased = is_erased
        self.erasure = erasure


class UnknownFrame(TurnwiseError):
    """A conversation has no frame with this id, and has opened no scope with this name."""

    def __init__(self, conversation: str, frame: int | str, hint: str = "") -> None:
        name = frame[:60] if isinstance(frame, str) else frame
        super().__init__(f"conversation {conversation!r} has no frame {name!r}" + (f"; {hint}" if hint else ""))
        self.frame = frame
        self.hint = hint


class UnknownSubject(TurnwiseError):
    """A question is about something that neither the flow nor the conversation has."""

    def __init__(self, question: str, hint: str = "", *, what: str = "") -> None:
        what = what or ("nothing of this flow is named in" if len(question.split()) > 2 else "nothing is called")
        super().__init__(f"{what} {question!r}" + (f"; {hint}" if hint else ""))
        self.question = question
        self.hint = hint


class SubjectCandidate(NamedTuple):
    """A possible subject of a question: how to ask for it, its name for people, and why it is suggested."""

    subject: str
    """The subject in the form in which it can be asked for."""
    title: str
    """The name of the subject for people."""
    because: str
    """Why the subject is suggested, in words."""


class NoClearSubject(UnknownSubject):
    """A question may be about several subjects, or about none that is known.
    `candidates` are the likeliest subjects, the best first.
    """

    def __init__(self, question: str, candidates: tuple[SubjectCandidate, ...], note: str = "") -> None:
        names = " or ".join(repr(one.subject) for one in candidates)
        offered = f"it may be {names}" if names else "ask by a name of the flow"
        hint = f"{offered}; {note}" if note else offered
        super().__init__(question, hint, what="it is not clear what is meant by")
        self.candidates = candidates
        self.note = note


class ProviderFailed(TurnwiseError):
    """A model or an understanding could not be reached or did not answer; the text is the reason."""


class RequestTooLong(ProviderFailed):
    """A request was too long for the model; turnwise shortens it and asks again."""


class ReplyFailed(ProviderFailed):
    """A model's reply does not count as a reply: `code` is the reason, `tool` a tool that it called by writing text."""

    def __init__(self, text: str, code: str, tool: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.tool = tool


class NotDone(TurnwiseError):
    """Raised by the `check` of a tool: the call was not made, so that it may be made now (law 4.5)."""


class InDoubt(TurnwiseError):
    """Raised by a tool that does not know whether it did its work; the text is the reason (law 4.5)."""


class UnknownField(TurnwiseError):
    """The flow has no field of this name."""

    def __init__(self, field: str, hint: str = "") -> None:
        super().__init__(f"no field is called {field!r}" + (f"; {hint}" if hint else ""))
        self.field = field


class UnknownSchedule(TurnwiseError):
    """The flow has no schedule of this name."""

    def __init__(self, schedule: str, hint: str = "") -> None:
        super().__init__(f"no schedule is called {schedule!r}" + (f"; {hint}" if hint else ""))
        self.schedule = schedule
        self.hint = hint


class UnknownTransition(TurnwiseError):
    """The flow has no transition of this name."""

    def __init__(self, transition: str, hint: str = "") -> None:
        super().__init__(f"no transition is called {transition!r}" + (f"; {hint}" if hint else ""))
        self.transition = transition
        self.hint = hint


class UnknownOverlay(TurnwiseError):
    """The flow has no overlay of this name."""

    def __init__(self, overlay: str, hint: str = "") -> None:
        super().__init__(f"no overlay is called {overlay!r}" + (f"; {hint}" if hint else ""))
        self.overlay = overlay


def describe(error: BaseException) -> str:
    """Return an exception as text: its type and message; for an error of turnwise only the message."""
    kind, message = type(error).__name__, message_of(error)
    if not message:
        return kind
    return message if isinstance(error, TurnwiseError) else f"{kind}: {message}"


def message_of(error: BaseException) -> str:
    """Return the message of any exception as text that UTF-8 can encode; empty if its `__str__` raises."""
    try:
        return str(error).encode(errors="replace").decode()
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  whatever `__str__` raises, the failure that it describes stays that failure
        return ""


def _shown(given: object) -> str:
    """Return an argument for a message: its type, and its value if it is built in."""
    kind = type(given)
    if given is None:
        return "None"
    return f"{kind.__name__} {reprlib.repr(given)}" if kind.__module__ == "builtins" else kind.__name__


class DeliveryFailed(TurnwiseError):
    """A receiver did not accept a delivery; it is sent again after `retry_after_s` seconds, or never if `is_final`."""

    def __init__(self, reason: str, *, retry_after_s: float = 0.0, is_final: bool = False) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s
        self.is_final = is_final


class UnknownDelivery(TurnwiseError):
    """No delivery has this id."""

    def __init__(self, id_: str) -> None:
        super().__init__(f"there is no delivery {id_!r}; it may have been deleted with its conversation")
        self.id = id_


class DeliveryReported(TurnwiseError):
    """A failed delivery cannot be sent again, since its turn has already returned its messages to a caller."""

    def __init__(self, id_: str, turn: int) -> None:
        super().__init__(f"turn {turn} reported the messages of the delivery {id_!r}; confirm to send them again")
        self.id = id_
        self.turn = turn
