"""What went wrong, in a line: what it is, what the provider said, and whether it may pass."""

from __future__ import annotations

from typing import Any

from pydantic_ai import exceptions as x

from turnwise.core.values.json_data import as_object
from turnwise.models.errors import Trouble
from turnwise.models.wire.responses import Glued

_KINDS: tuple[tuple[type[Exception], str, bool], ...] = (
    (x.ModelQuotaExceededError, "answers no more: the account's quota or credit is used up", False),
    (x.ModelRateLimitError, "is asked too often", True),
    (x.ModelUnavailableError, "is not available now", True),
    (x.ModelServerError, "failed", True),
    (x.ModelTimeoutError, "did not answer in time", True),
    (x.ModelConnectionError, "broke off its answer", True),
    (x.ModelAuthenticationError, "does not accept the key", False),
    (x.ModelNotFoundError, "is not known there", False),
    (x.ModelContextWindowExceededError, "cannot take so long a conversation", False),
    (x.ModelRequestRejectedError, "refused the request", False),
    (x.ModelHTTPError, "failed", False),
    (x.ModelAPIError, "sent an answer that cannot be read, or not to its end", True),
    (x.UnexpectedModelBehavior, "sent an answer that cannot be read", True),
    (x.UserError, "cannot be asked", False),
    (Glued, "sent two calls of tools as one, and they cannot be told apart", False),
)
"""Every kind of error, the narrow ones first: in words, and whether the same request may succeed later."""


def trouble_of(error: Exception) -> Trouble:
    """An error of the library, or of a client below it."""
    if isinstance(error, Trouble):
        return error
    if isinstance(error, x.ModelConnectionError) and error.phase in ("pool", "connect"):
        return Trouble(_line("could not be reached", error), may_pass=True)
    for kind, words, may_pass in _KINDS:
        if isinstance(error, kind):
            wait_s = error.retry_after if isinstance(error, x.ModelAPIError) else None
            return Trouble(_line(words, error), may_pass=may_pass, wait_s=wait_s)
    return Trouble(_line(f"failed with {type(error).__name__}", error), may_pass=False)


def _line(words: str, error: Exception) -> str:
    status = f" (HTTP {error.status_code})" if isinstance(error, x.ModelHTTPError) else ""
    said = " ".join(_said(error).split())
    return f"{words}{status}" + (f": {said}" if said else "")


def _said(error: Exception) -> str:
    """What the provider says, without the frame that the library puts around it."""
    if isinstance(error, x.ModelAPIError) and error.body is not None:
        return _message(error.body)
    return str(error)


def _message(body: Any) -> str:
    inner = as_object(body)
    if inner is None:
        return str(body)
    found = inner.get("error", inner.get("message", inner.get("detail", "")))
    return _message(found) if found else str(inner)
