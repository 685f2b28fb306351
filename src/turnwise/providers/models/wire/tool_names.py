"""Names of tools as providers take them: letters, digits, `_` and `-`, 64 at most; and back."""

from __future__ import annotations

import re
from hashlib import sha256

from turnwise.core.prompts import ModelRequest

_LONGEST = 64
_TAKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_OTHER = re.compile(r"[^A-Za-z0-9_-]")


class ToolNames:
    """The names of the tools of one request, there and back. A name that every provider takes stays as it is."""

    def __init__(self, request: ModelRequest) -> None:
        used = [tool.name for tool in request.tools]
        used += [call.tool for message in request.transcript for call in message.calls]
        kept = {name for name in used if _TAKEN.fullmatch(name)}
        self._there = {name: name if name in kept else _made(name) for name in used}
        self._back = {there: name for name, there in self._there.items()}

    def there(self, name: str) -> str:
        """A tool's name, as the provider is told it."""
        return self._there.get(name, name)

    def back(self, name: str) -> str:
        """The tool that the provider means; a name that it was not told stays, and nothing is called so."""
        return self._back.get(name, name)


def _made(name: str) -> str:
    """A name of its own for a name that is not taken: readable, and never that of another tool."""
    proof = sha256(name.encode()).hexdigest()[:8]
    plain = _OTHER.sub("_", name).lstrip("-0123456789") or "tool"
    return f"{plain[: _LONGEST - 9]}_{proof}"
