"""The places of what is wrong in a request, as JSON pointers (RFC 6901), or `?name` for a parameter of the address."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, cast, get_args, get_origin

from msgspec import NODEFAULT, Struct, convert
from msgspec.structs import FieldInfo, fields

from turnwise.archive.names import EXPECTED_NAME
from turnwise.flow.diagnostic import nearest
from turnwise.server.wire.requests import Fault

MOST_FAULTS = 20
"""How many faults of a request are reported. More are not even looked for, so that no request costs much time."""
MOST_UNKNOWN = 10
"""How many unknown keys are reported, each with the nearest known one; the others are counted."""
LONGEST_PART = 200
"""The longest part of a place that is reported."""
LONGEST_WORDS = 500
"""How many characters of a text a fault repeats."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_ARGUMENT = re.compile(r"(?:a name in )?(\w+)((?:\[[^\]]*\])*)")
_KEY = re.compile(r"\[(?:'([^']*)'|(\d+))\]")


def pointer(*parts: object) -> str:
    """Return a JSON pointer made of these parts; a long part is cut."""
    return "".join(["/" + _cut(str(part)).replace("~", "~0").replace("/", "~1") for part in parts])


def _cut(text: str, most: int = LONGEST_PART) -> str:
    return text if len(text) <= most else text[:most] + "…"


def first_faults(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Return the first faults and, if there are more, a further one that says that these are the first."""
    rest = iter(faults)
    found = tuple(islice(rest, MOST_FAULTS))
    return found if next(rest, None) is None else (*found, Fault("", "there are more faults; these are the first"))


def summary(faults: Iterable[Fault]) -> str:
    """Return all faults as text in one line."""
    return "; ".join(f"{fault.at or 'the body'}: {fault.message}" for fault in faults)


def fault_text(error: ValueError) -> str:
    """Return the message of a validation error, without its place in the request."""
    words = _cut(str(error).partition(" - at `")[0], LONGEST_WORDS)
    return f"it must be {EXPECTED_NAME}" if "matching regex" in words else words


# bodies ------------------------------------------------------------------------------------------


def faults_of(found: Mapping[str, Any], shape: type[Struct]) -> Iterator[Fault]:
    """Yield every fault of a JSON object, checked key by key against the struct `shape`."""
    known = keys_of(shape)
    yield from unknown_keys(found, known, pointer, "key")
    for name, value in found.items():
        if name in known:
            yield from _of_value(value, known[name].type, pointer(name))
    for name in required_keys(shape):
        if name not in found:
            yield Fault(pointer(name), "this key is required")


def unknown_keys(
    found: Iterable[str], known: Collection[str], place: Callable[[str], str], what: str
) -> Iterator[Fault]:
    """Yield a fault for each of the first keys in `found` that are not `known`, and one for all others.
    `place` returns the place of a key in the request, `what` says what a key is, such as `parameter`.
    """
    unknown = [name for name in found if name not in known]
    for name in unknown[:MOST_UNKNOWN]:
        yield Fault(place(name), f"there is no such {what}", nearest(name, known))
    if len(unknown) > MOST_UNKNOWN:
        yield Fault("", f"and {len(unknown) - MOST_UNKNOWN:,} more {what}s that do not exist")


@cache
def keys_of(shape: type[Struct]) -> Mapping[str, FieldInfo]:
    """Return the fields of a struct by their keys. Their types are evaluated once for each struct."""
    return {field.encode_name: field for field in fields(shape)}


@cache
def required_keys(shape: type[Struct]) -> Sequence[str]:
    """Return the names of a struct's keys that have no default."""
    return [key for key, one in keys_of(shape).items() if one.default is NODEFAULT and one.default_factory is NODEFAULT]


def _of_value(value: Any, kind: Any, at: str) -> Iterator[Fault]:
    """Yield the faults of a value; of a mapping those of each key, which msgspec does not name."""
    try:
        convert(value, kind)
    except ValueError as error:
        if get_origin(kind) is dict and isinstance(value, dict):
            found: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
            for key, one in found.items():
                yield from _of_value(one, get_args(kind)[1], at + pointer(key))
        else:
            yield Fault(at + _place(error), fault_text(error))


def _place(error: ValueError) -> str:
    """Return the place that msgspec names, `$.a[0]`, as a JSON pointer."""
    place = str(error).partition(" - at `$")[2].rstrip("`")
    return place.replace("[...]", "").replace("[", "/").replace("]", "").replace(".", "/")


def faults_of_surrogates(data: bytes) -> tuple[Fault, ...]:
    """Return a fault for each text of a JSON document that has half of a surrogate pair.
    UTF-8 cannot encode it.
    """
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return ()
    return first_faults(_surrogates(found, ""))


def _surrogates(found: Any, at: str) -> Iterator[Fault]:
    if isinstance(found, str):
        half = _SURROGATE.search(found)
        if half is not None:
            what = f"half of a surrogate pair, \\u{ord(half[0]):04x}, at character {half.start()}"
            yield Fault(at, f"the text has {what}")
    elif isinstance(found, list):
        for place, one in enumerate(cast("list[Any]", found)):
            yield from _surrogates(one, at + pointer(place))
    elif isinstance(found, dict):
        for key, one in cast("dict[str, Any]", found).items():
            if _SURROGATE.search(key):
                yield Fault(at, "the name of a key has half of a surrogate pair")
            else:
                yield from _surrogates(one, at + pointer(key))


# errors of the library ---------------------------------------------------------------------------

_REFUSED = {
    "arguments": ("/tool/arguments", "/end", "/operator", "/commands", "/set"),
    "message_empty": ("/text", "/button"),
    "message_too_long": ("/text", "/button"),
    "not_json": ("/tool", "/commands", "/set"),
    "result_too_long": ("/tool/result",),
    "unknown_button": ("/button",),
    "unknown_field": ("/commands", "/set"),
    "unknown_schedule": ("/timer/transition",),
    "unknown_time_zone": ("/time_zone",),
    "unknown_timer": ("/timer/transition",),
    "unknown_tool": ("/tool/name",),
    "unknown_transition": ("/transition",),
    "unknown_turn": ("/undo/to",),
}
"""Where the reason of a refused event may be in the body."""


def faults_of_refusal(
    code: str, text: str, refused: Iterable[tuple[str, str]], sent: Struct | None
) -> tuple[Fault, ...]:
    """Return the faults of a refused event, one for each field of `refused`, which has fields with reasons; without
    any, one at the likely cause in the body `sent`.
    """
    found = [Fault(place_of_field(field, sent), why) for field, why in refused]
    places = (place for place in _REFUSED.get(code, ()) if getattr(sent, place.split("/")[1], None) is not None)
    return tuple(found) or (Fault(next(places, ""), text),)


def place_of_field(field: str, sent: Struct | None) -> str:
    """Return the place of a field in the body `sent` of a request, as a JSON pointer; empty if the body does not name
    the field.
    """
    if field in (getattr(sent, "set", None) or {}):
        return pointer("set", field)
    if field in (getattr(sent, "data", None) or {}):
        return pointer("data", field)
    if field in (clear := getattr(sent, "clear", None) or ()):
        return pointer("clear", clear.index(field))
    for place, one in enumerate(getattr(sent, "decisions", None) or ()):
        if field in one.arguments:
            return pointer("decisions", place, "arguments", field)
    for name in ("commands", "items"):
        commands: Iterable[Any] = getattr(sent, name, None) or ()
        for place, one in enumerate(commands):
            if getattr(one, "field", "") == field:
                return pointer(name, place, "field")
    return ""


_OTHER_NAMES = {"node": "to", "other_turn": "against_turn"}
"""The parameters of requests whose arguments of the library are called otherwise."""


def place_of_argument(argument: str, body: type[Struct] | None, query: type[Struct] | None) -> str:
    """Return the place in a request of an argument of the library, such as `set['user.age']`; empty if unknown."""
    found = _ARGUMENT.fullmatch(argument)
    if found is None:
        return ""
    name, keys = _OTHER_NAMES.get(found[1], found[1]), _KEY.findall(found[2])
    if query is not None and name in query.__struct_fields__:
        return f"?{name}"
    if body is not None and name in body.__struct_fields__:
        return pointer(name, *[key or number for key, number in keys])
    return ""
