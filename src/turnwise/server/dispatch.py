"""Finds the endpoint of a path by its parts, without regular expressions. Other paths go to another app."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import Any

from turnwise.server.operation import Endpoint, Operation
from turnwise.server.responses import Receive, Send
from turnwise.server.service import Service

Asgi = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]
"""An ASGI application."""


class _Step:
    """The paths that begin with the same parts: by the next part, and by the name of a part that may be anything."""

    __slots__ = ("any", "endpoint", "literal", "names")

    def __init__(self) -> None:
        self.literal: dict[str, _Step] = {}
        self.any: _Step | None = None
        self.endpoint: Endpoint | None = None
        self.names: tuple[str, ...] = ()
        """The names of the parts of `endpoint` that may be anything, in order."""

    def following(self, part: str) -> _Step:
        """Return the step after a part of a declared path, which is made if there is none."""
        if part.startswith("{"):
            self.any = step = self.any or _Step()
        elif (step := self.literal.get(part)) is None:
            step = self.literal[part] = _Step()
        return step

    def find(self, parts: list[str], at: int, values: list[str]) -> _Step | None:
        """Return the step of a path; `values` receives the parts that may be anything. Literal parts come first."""
        step, begin = self, len(values)
        for number in range(at, len(parts)):
            part = parts[number]
            literal = step.literal.get(part)
            if literal is not None and step.any is None:
                step = literal
                continue
            if literal is not None and (found := literal.find(parts, number + 1, values)) is not None:
                return found
            if step.any is None or not part:
                break
            values.append(part)
            step = step.any
        else:
            if step.endpoint is not None:
                return step
        del values[begin:]
        return None


class Dispatch:
    """Passes a request to the API operations of its path, and a request for any other path to `otherwise`."""

    def __init__(self, service: Service, operations: Iterable[Operation], prefix: str, otherwise: Asgi) -> None:
        self.otherwise = otherwise
        self._first = _Step()
        for path, methods in _by_path(operations).items():
            step, names = self._first, [part[1:-1] for part in path.split("/") if part.startswith("{")]
            for part in (prefix + path).split("/"):
                step = step.following(part)
            step.endpoint, step.names = Endpoint(service, methods), tuple(names)

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Serve one request (ASGI)."""
        path, root, values = scope["path"], scope.get("root_path", ""), list[str]()
        if root and path.startswith(root):
            path = path[len(root) :]
        found = self._first.find(path.split("/"), 0, values)
        if found is None or found.endpoint is None:
            await self.otherwise(scope, receive, send)
        else:
            scope["path_params"] = dict(zip(found.names, values, strict=True))
            await found.endpoint(scope, receive, send)


def _by_path(operations: Iterable[Operation]) -> Mapping[str, Mapping[str, Operation]]:
    """Return the operations by path and method."""
    found: dict[str, dict[str, Operation]] = {}
    for one in operations:
        found.setdefault(one.path, {})[one.method] = one
    return found
