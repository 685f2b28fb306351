"""Errors as problem details (RFC 9457): the codes with their status, and the problem of each error of the library."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import get_args

from msgspec import Struct
from msgspec.json import encode

from turnwise.core.state.kinds import RefusalCode
from turnwise.errors import (
    CannotWrite,
    Conflict,
    ConversationExists,
    DeliveryReported,
    FlowUnavailable,
    ImportRefused,
    KeyReused,
    NoClearSubject,
    StoreFailed,
    TurnwiseError,
    UnknownConversation,
    UnknownDelivery,
    UnknownField,
    UnknownFormat,
    UnknownFrame,
    UnknownOverlay,
    UnknownSchedule,
    UnknownSubject,
    UnknownTransition,
    UnknownTurn,
    WrongArgument,
)
from turnwise.flow.diagnostic import FlowError
from turnwise.runner.result import Turn
from turnwise.server.faults import faults_of_refusal, place_of_argument, pointer
from turnwise.server.responses import PROBLEM, Reply, reply
from turnwise.server.views.turn_results import result_of
from turnwise.server.wire.requests import Fault, Problem, SubjectCandidate

_log = logging.getLogger("turnwise.server")

CODES: dict[str, tuple[int, str]] = {
    "malformed": (400, "The request cannot be read"),
    "unauthenticated": (401, "A key is needed"),
    "invalid_key": (401, "This key is not valid"),
    "not_logged_in": (401, "You are not logged in"),
    "missing_scope": (403, "A scope is missing"),
    "wrong_origin": (403, "The request comes from another origin"),
    "editing_off": (409, "The server edits no documents"),
    "outside_folder": (403, "The document is outside of the flow's folder"),
    "unknown_path": (404, "There is no such address"),
    "unknown_conversation": (404, "There is no such conversation"),
    "unknown_flow": (404, "There is no such flow"),
    "unknown_document": (404, "The flow has no such document"),
    "unknown_turn": (404, "There is no such turn"),
    "unknown_frame": (404, "There is no such frame"),
    "unknown_delivery": (404, "There is no such delivery"),
    "wrong_method": (405, "The address does not take this method"),
    "conversation_exists": (409, "There is such a conversation already"),
    "key_reused": (409, "The key came before with another request"),
    "delivery_reported": (409, "A turn has reported the delivery already"),
    "conflict": (409, "Something else was faster"),
    "flow_unavailable": (409, "The flow of the conversation cannot be used"),
    "flow_not_served": (409, "The flow of the conversation is not served here"),
    "document_changed": (409, "The document has changed"),
    "document_unavailable": (409, "The document cannot be read or written"),
    "not_formatted": (409, "The document cannot be formatted"),
    "body_too_large": (413, "The body is too large"),
    "document_too_large": (413, "The document is too large"),
    "unsupported_media_type": (415, "The body has another media type"),
    "wrong_host": (421, "The request is for another host"),
    "invalid": (422, "The request has a wrong value"),
    "no_clear_subject": (422, "It is not clear what the question is about"),
    "import_refused": (422, "The file is no complete exported conversation"),
    "flow_error": (422, "The flow has errors"),
    "rate_limited": (429, "There are too many requests"),
    "too_many_streams": (429, "There are too many open streams"),
    "too_many_visitors": (429, "There are too many visitors from one address"),
    "too_many_conversations": (429, "There are too many conversations"),
    "internal": (500, "The server has failed"),
    "keys_unavailable": (503, "The keys cannot be used now"),
    "store_unavailable": (503, "The store cannot be used now"),
    "too_many_connections": (503, "There are too many connections"),
    "draining": (503, "The server is about to stop"),
    "interrupted": (503, "The server stopped before the answer was ready"),
}
"""The HTTP status and the title of each code of an error. The codes of refused events are in `REFUSALS`."""

_NOT_FITTING = frozenset(
    {
        *("arguments", "message_empty", "message_too_long", "not_json", "result_too_long", "event_too_long"),
        *("unknown_button", "unknown_event", "unknown_field", "unknown_schedule", "unknown_time_zone"),
        *("unknown_timer", "unknown_tool", "value_refused"),
    }
)
_OTHER_STATUS = {"approver": 403, "unknown_conversation": 404, "unknown_turn": 404, "store_unavailable": 503}
REFUSALS: dict[str, int] = {
    code: _OTHER_STATUS.get(code, 422 if code in _NOT_FITTING else 409) for code in get_args(RefusalCode)
}
"""The HTTP status of each code of a refused event: 422 where the event itself is wrong, 409 where it does not fit now.
"""

STATUSES: frozenset[int] = frozenset({status for status, _ in CODES.values()} | set(REFUSALS.values()))
"""Every status of an error."""


class RequestFailed(Exception):
    """An error that answers a request with a problem document (RFC 9457)."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        limit: str | None = None,
        hint: str | None = None,
        errors: Iterable[Fault] = (),
        headers: tuple[tuple[bytes, bytes], ...] = (),
        login_url: str | None = None,
        candidates: tuple[SubjectCandidate, ...] = (),
    ) -> None:
        super().__init__(detail)
        status, title = CODES[code]
        faults = tuple(errors) or ((Fault("", detail),) if status == 422 else ())
        self.problem = Problem(
            f"urn:turnwise:problem:{code}",
            title,
            status,
            detail,
            code,
            limit,
            hint or None,
            faults,
            login_url=login_url or None,
            candidates=candidates,
        )
        self.headers = headers

    @property
    def reply(self) -> Reply:
        """The response with the problem document."""
        return Reply(encode(self.problem), PROBLEM, self.problem.status, self.headers)


def wrong_method(methods: Iterable[str]) -> RequestFailed:
    """Return the problem of a request whose address does not allow its method; `methods` are those that it does."""
    known = ", ".join(sorted({*methods, "HEAD"} if "GET" in methods else methods))
    return RequestFailed("wrong_method", f"this address takes {known}", headers=((b"allow", known.encode()),))


def draining_problem() -> RequestFailed:
    """Return the problem of a request that arrives while the server stops."""
    why = "the server is about to stop and takes no new turns; try again soon"
    return RequestFailed("draining", why, headers=((b"retry-after", b"1"),))


def interrupted_problem() -> RequestFailed:
    """Return the problem of a request that was still running when the server had to stop."""
    why = "the server stops and cannot wait longer; a turn that was running goes on when the server starts again"
    return RequestFailed("interrupted", why, headers=((b"retry-after", b"2"),))


def turn_response(turn: Turn, sent: Struct | None) -> Reply:
    """Return the response of a turn, or the problem of a refused event; `sent` is the body of its request."""
    return reply(problem_of_refusal(turn, sent) if turn.refused else result_of(turn))


def problem_of_refusal(turn: Turn, sent: Struct | None) -> Problem:
    """Return the problem of a refused event; `sent` is the body of its request."""
    result = result_of(turn)
    code, status = result.refused, REFUSALS[result.refused]
    faults = faults_of_refusal(code, result.text, turn.refused_fields, sent) if status == 422 else ()
    kind = f"urn:turnwise:problem:{code}"
    return Problem(kind, "The event was refused", status, result.text, code, errors=faults, turn=result)


def problem_of_error(
    error: Exception, body: type[Struct] | None = None, query: type[Struct] | None = None
) -> RequestFailed:
    """Return the problem of any error; one that the library does not raise on purpose is logged and not shown.
    `body` and `query` are what the operation takes: the places of faults are in them.
    """
    if isinstance(error, RequestFailed):
        return error
    for kind, code in _ERRORS:
        if isinstance(error, kind):
            faults = _faults_of(error, body, query) if CODES[code][0] == 422 else ()
            offered = (
                tuple([SubjectCandidate(*one) for one in error.candidates]) if isinstance(error, NoClearSubject) else ()
            )
            return RequestFailed(code, _detail(error), errors=faults, candidates=offered)
    _log.error("a request failed", exc_info=error)
    return RequestFailed("internal", "the server has failed; its log says why")


def _detail(error: Exception) -> str:
    """Return what clients read of an error of the library: of a store the reason without its path, which is logged."""
    if isinstance(error, CannotWrite):
        _log.error("a request failed: %s", error)
        return "the server cannot write a file; its log says which"
    if not isinstance(error, StoreFailed):
        return str(error)
    _log.error("%s", error)
    return "the store cannot be used now; the log of the server says why"


def _faults_of(error: Exception, body: type[Struct] | None, query: type[Struct] | None) -> tuple[Fault, ...]:
    """Return the fault of an error of the library, with its place in the request."""
    match error:
        case WrongArgument(argument=argument):
            place = place_of_argument(argument, body, query)
        case UnknownTransition():
            place = place_of_argument("transition", body, query)
        case UnknownSubject():
            place = place_of_argument("subject", body, query)
        case ImportRefused(line=line) if line:
            place = pointer(line - 1)
        case UnknownFormat():
            place = pointer(0, "format")
        case _:
            place = ""
    return (Fault(place, str(error)),)


_ERRORS: tuple[tuple[type[Exception], str], ...] = (
    (UnknownConversation, "unknown_conversation"),
    (UnknownTurn, "unknown_turn"),
    (UnknownFrame, "unknown_frame"),
    (UnknownDelivery, "unknown_delivery"),
    (DeliveryReported, "delivery_reported"),
    (UnknownField, "invalid"),
    (UnknownOverlay, "invalid"),
    (UnknownSchedule, "invalid"),
    (UnknownTransition, "invalid"),
    (NoClearSubject, "no_clear_subject"),
    (UnknownSubject, "invalid"),
    (WrongArgument, "invalid"),
    (ConversationExists, "conversation_exists"),
    (KeyReused, "key_reused"),
    (ImportRefused, "import_refused"),
    (UnknownFormat, "import_refused"),
    (FlowError, "flow_error"),
    (FlowUnavailable, "flow_unavailable"),
    (StoreFailed, "store_unavailable"),
    (Conflict, "conflict"),
    (CannotWrite, "internal"),
    (TurnwiseError, "conflict"),
)
"""The code of each error of the library, the more special ones first."""
