"""Errors that the user's own code raised: logged once, with their traceback, without secrets."""

from __future__ import annotations

import logging
from traceback import format_exception

from turnwise.core.secrets import HIDDEN_KEY, Values, without
from turnwise.errors import TurnwiseError
from turnwise.flow.code import raised_at

_log = logging.getLogger("turnwise.user_code")


def log_user_error(conversation: str, what: str, error: BaseException, secrets: Values, keys: Values) -> str:
    """Log an error with its traceback if the user's own code raised it; returns `file:line` there, else nothing."""
    at = raised_at(error)
    if not at or isinstance(error, TurnwiseError):
        return at
    trace = without(without(_trace(error), secrets), keys, HIDDEN_KEY)
    _log.error("%s: %s raised an error at %s\n%s", conversation, what, at, trace)
    return at


def _trace(error: BaseException) -> str:
    try:
        return "".join(format_exception(error)).rstrip().encode(errors="replace").decode()
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  `__str__` of an error is user code too, and may exit
        return type(error).__name__
