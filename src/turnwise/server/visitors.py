"""Visitors of web pages: people without a key, who use the chat widget.

A visitor's token is `twv_` and 43 random characters, made by the widget and kept by the browser. It is the only proof:
a client that has it sees the visitor's conversations. A token grants the scope `chat` and nothing else. The server
stores none, because the name of the owner is a hash of the token.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Iterable, Mapping
from hashlib import sha256
from typing import Any

from turnwise.server.access import CHALLENGE, Access, Identity, bearer_of
from turnwise.server.addresses import counted_address
from turnwise.server.problems import RequestFailed
from turnwise.server.wire.conversations import Scope

_TOKEN = re.compile(r"twv_[A-Za-z0-9_-]{43}")
_SCOPES: frozenset[Scope] = frozenset({"chat"})


class Visitors(Access):
    """An access that admits visitors by token beside the callers of another access.

    A visitor uses only the flows in `flows`. The rate limit counts the requests of all visitors of one network address
    together, so another token does not evade it.
    """

    def __init__(self, inner: Access, flows: Iterable[str]) -> None:
        self.inner = inner
        self.credential = inner.credential
        self.flows = frozenset(flows)

    def identify(self, scope: Mapping[str, Any]) -> Identity | Awaitable[Identity | None] | None:
        """Return the identity of a visitor's token, else what the other access returns; `None` for unknown callers."""
        token = bearer_of(scope)
        if not token.startswith("twv_"):
            return self.inner.identify(scope)
        if not _TOKEN.fullmatch(token):
            return None
        return Identity(
            f"visitor-{sha256(token.encode()).hexdigest()[:32]}",
            _SCOPES,
            flows=self.flows,
            counted_as=f"visitors of {counted_address(scope)}",
        )

    def refusal(self, scope: Mapping[str, Any]) -> RequestFailed:
        """Return the error for a request whose token is not valid; without a token, the error of the access for other
        callers.
        """
        if not bearer_of(scope).startswith("twv_"):
            return self.inner.refusal(scope)
        return RequestFailed("invalid_key", "this visitor's token is not valid", headers=CHALLENGE)
