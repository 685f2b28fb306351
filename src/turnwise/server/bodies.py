"""Reads what clients send: JSON bodies and query strings, strictly, with every fault at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from msgspec import MsgspecError, Struct, convert
from msgspec.inspect import ListType, VarTupleType, type_info
from msgspec.json import Decoder, decode
from msgspec.structs import FieldInfo

from turnwise.core.values.json_data import as_object
from turnwise.core.values.nesting import MOST_NESTED, is_text_too_deep
from turnwise.server.faults import (
    fault_text,
    faults_of,
    faults_of_surrogates,
    first_faults,
    keys_of,
    required_keys,
    summary,
    unknown_keys,
)
from turnwise.server.problems import RequestFailed
from turnwise.server.wire.requests import Fault

Shape = TypeVar("Shape", bound=Struct)
"""The class of a request's body or query."""
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
"""A function that receives the next message of an ASGI connection."""
MOST_PARAMETERS = 1_000
"""How many parameters the query of a request may have."""


async def read_bytes(receive: Receive, most: int, limit: str) -> bytes:
    """Return the body of a request. Raises `RequestFailed` if it is longer than `most` bytes, or the client has left.
    `limit` is the name of the limit.
    """
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RequestFailed("malformed", "the connection ended before the end of the body")
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > most:
            raise RequestFailed("body_too_large", f"{limit} is {most}; the body is longer", limit=limit)
        if not message.get("more_body"):
            return part if not parts else b"".join([*parts, part])
        parts.append(part)


@cache
def _decoder(shape: type[Any]) -> Decoder[Any]:
    return Decoder(shape)


def read_json(data: bytes, shape: type[Shape]) -> Shape:
    """Return a JSON body as the struct `shape`. Raises `RequestFailed` with every fault."""
    if is_text_too_deep(data):
        why = f"the body is nested more than {MOST_NESTED} deep (data_depth)"
        raise RequestFailed("malformed", why, limit="data_depth")
    try:
        return _decoder(shape).decode(data)
    except (MsgspecError, UnicodeDecodeError, RecursionError) as error:
        first = str(error)
    try:
        found = as_object(decode(data))
    except (MsgspecError, UnicodeDecodeError, RecursionError) as error:
        halves = faults_of_surrogates(data)
        if halves:
            raise RequestFailed("invalid", summary(halves), errors=halves) from None
        raise RequestFailed("malformed", _why_malformed(data, error)) from None
    if found is None:
        raise RequestFailed("invalid", "the body must be a JSON object", errors=[Fault("", first)])
    faults = first_faults(faults_of(found, shape)) or (Fault("", first),)
    raise RequestFailed("invalid", summary(faults), errors=faults)


def check_one_of(found: Struct, one_of: Mapping[str, tuple[str, ...]]) -> None:
    """Raise `RequestFailed` unless a body has exactly one key of `one_of`, which has for each the keys that belong to
    it, and no key that belongs only to another.
    """
    given = [key for key in one_of if getattr(found, key) is not None]
    if one_of and len(given) != 1:
        why = f"send exactly one of {', '.join(one_of)}" + (f"; there are {' and '.join(given)}" if given else "")
        raise RequestFailed("invalid", why, errors=[Fault(f"/{key}", why) for key in given[1:]] or [Fault("", why)])
    for keys in one_of.values():
        for key in keys:
            if getattr(found, key) is not None and key not in one_of[given[0]]:
                owners = " or ".join(one for one, beside in one_of.items() if key in beside)
                raise RequestFailed("invalid", (why := f"'{key}' belongs to {owners}"), errors=[Fault(f"/{key}", why)])


def read_query(query: bytes, shape: type[Shape]) -> Shape:
    """Return the query parameters of an address as the struct `shape`. Raises `RequestFailed` with every fault."""
    known = keys_of(shape)
    try:
        pairs = parse_qsl(
            query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_PARAMETERS
        )
    except ValueError as error:
        raise RequestFailed("malformed", f"the query of the address cannot be read: {error}") from None
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        given.setdefault(name, []).append(value)
    faults = list(unknown_keys(given, known, "?{:.200}".format, "parameter"))
    values: dict[str, Any] = {}
    for name, field in known.items():
        if (texts := given.get(name)) is None:
            continue
        try:
            values[field.name] = _converted(field, texts)
        except ValueError as error:
            faults.append(Fault(f"?{name}", fault_text(error)))
    faults += [Fault(f"?{name}", "this parameter is required") for name in required_keys(shape) if name not in given]
    if faults:
        raise RequestFailed("invalid", summary(faults), errors=faults)
    return shape(**values)


def _converted(field: FieldInfo, texts: list[str]) -> Any:
    """Convert the texts of one parameter; only a parameter that is a list may come several times."""
    if _is_list(field.type):
        return convert(texts, field.type, strict=False)
    if len(texts) > 1:
        raise ValueError("this parameter may come only once")
    return convert(texts[0], field.type, strict=False)


@cache
def _is_list(kind: Any) -> bool:
    return isinstance(type_info(kind), ListType | VarTupleType)


def _why_malformed(data: bytes, error: Exception) -> str:
    if not data:
        return "the request has no body; send a JSON object"
    if isinstance(error, UnicodeDecodeError):
        return f"the body is not UTF-8: byte {error.start}"
    return f"the body is no JSON: {error}"
