"""Finds the calls of tools that a model wrote as JSON objects into its text."""

from __future__ import annotations

import json
from typing import Any

from turnwise.core.call_names import UNDERSTANDING_TOOL, CallNames
from turnwise.core.values.json_data import as_list, as_object
from turnwise.flow.late_pattern import late_pattern

NAMES = ("name", "tool", "tool_name", "function_name", "function", "action", "recipient_name")
"""Keys under which models write the name of a tool."""
ARGUMENTS = ("arguments", "parameters", "args", "params", "input", "kwargs", "action_input", "tool_input", "tool_args")
"""The keys of the arguments of a call."""
_LISTS = ("tool_calls", "tool_uses", "function_call", "tool_call", "calls")
_BESIDE = ("id", "type", "call_id", "index")
_KEYS = frozenset((*NAMES, *ARGUMENTS, *_LISTS, *_BESIDE))
_ONLY_OF_CALLS = ("tool", "tool_name", "function_name", "recipient_name")
"""The keys whose value is a tool only in a call, whatever other keys stand beside them."""
_COMMANDS = "commands"
"""The key of the commands by which a model says what it understood."""
_SHORTEST_KEY = 40
"""A first key that is longer than this is no key of a call."""
_DEEPEST = 4
_MOST_OBJECTS = 20
"""How many objects of a text are read, in search of a call."""

_KEY = late_pattern(r"\{\s*(?:[\"']?(?P<key>[\w.-]+)[\"']?\s*[:=]\s*(?:[\"'](?P<value>[^\"'\n]*)(?P<end>[\"'])?)?)?")
_REST_OF_KEY = late_pattern(r"[\w.-]*[\"']?\s*\Z")
_BROKEN = late_pattern(
    rf"(?i:\{{\s*(?:[\"']?(?:{'|'.join(_BESIDE)})[\"']?\s*:\s*[\"'][^\"']*[\"']\s*,\s*)*"
    rf"[\"']?(?:{'|'.join((*NAMES, *_BESIDE))})[\"']?\s*[:=]\s*[\"']?(?P<name>[\w.-]+)[\"']?\s*"
    rf"(?:,\s*[\"']?(?:{'|'.join(ARGUMENTS)})\b|\}}|\Z))"
)
_OF_A_PROGRAM = late_pattern(r"[A-Za-z]\w*(?:[_.-]\w+)+|[a-z]+[A-Z]\w*")
"""A name that only a program has."""
_AROUND = late_pattern(r"\A(?:\s|`{1,3}\w{0,20}\s)*|[\s`]*\Z")


def without_module(name: str) -> str:
    """Return the name of a tool without a module before it: `look_up` for `functions.look_up`."""
    return name.strip().rpartition(".")[2]


def is_of_program(name: str) -> bool:
    """Return whether a name is written as only programs write names: `look_up`, `lookUp`."""
    return _OF_A_PROGRAM.fullmatch(name) is not None


def may_be_call(text: str, at: int, names: CallNames) -> bool | None:
    """Return whether the object at offset `at` may be a call, by its first key and value; `None` if it is cut off."""
    found = _KEY.match(text, at)
    assert found is not None
    key, value = found["key"], found["value"]
    if key is None:
        rest = text[found.end() :].lstrip("\"' \n\t")
        return None if len(rest) <= _SHORTEST_KEY and (not rest or _REST_OF_KEY.match(rest)) else False
    if key == _COMMANDS or names.find(key):
        return True
    if key not in _KEYS:
        return False
    if key in NAMES and value is not None and found["end"] is not None:
        return bool(_named(value, names)) or is_of_program(value)
    return None if key in NAMES and value is not None and len(value) <= _SHORTEST_KEY else True


def called_by_object(text: str, names: CallNames) -> str:
    """Return the tool that a JSON object in a text calls; empty where none calls one."""
    decoder, at = json.JSONDecoder(), 0
    for _ in range(_MOST_OBJECTS):
        at = text.find("{", at)
        if at < 0:
            return ""
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            broken = _BROKEN.match(text, at)  # with other quotes, or cut off
            if broken is not None and (tool := _named(broken["name"], names)):
                return tool
            at += 1
            continue
        if tool := _called_by(value, names):
            return tool
        if names.are_declared and (tool := _unknown_call(value)) and not _AROUND.sub("", text[:at] + text[end:]):
            return tool
        at = end
    return ""


def _called_by(value: Any, names: CallNames, depth: int = 0) -> str:
    """Return the tool that JSON data calls."""
    items = as_list(value)
    if items is not None:
        return _first_call(items[:_MOST_OBJECTS], names, depth)
    call = as_object(value)
    if call is None:
        return ""
    if _is_understood(call):
        return UNDERSTANDING_TOOL
    if call.keys() <= _KEYS or any(key in call for key in (*ARGUMENTS, *_ONLY_OF_CALLS)):
        for key in NAMES:
            if isinstance(call.get(key), str) and (tool := _named(call[key], names)):
                return tool
    only = next(iter(call)) if len(call) == 1 else ""
    if only and as_object(call[only]) is not None and (tool := _named(only, names)):
        return tool
    return _first_call([call[key] for key in (*_LISTS, "function") if key in call], names, depth)


def _first_call(items: list[Any], names: CallNames, depth: int) -> str:
    found = (_called_by(one, names, depth + 1) for one in items)
    return next((tool for tool in found if tool), "") if depth < _DEEPEST else ""


def _is_understood(call: dict[str, Any]) -> bool:
    """Return whether an object is what a model says that it understood."""
    commands = as_list(call.get(_COMMANDS))
    objects = [as_object(one) for one in commands or ()]
    return bool(objects) and all(one is not None and isinstance(one.get("command"), str) for one in objects)


def _unknown_call(value: Any) -> str:
    """Return the tool that a call names which the flow does not know; empty where data is no call."""
    call = as_object(value) or {}
    name = next((call[key] for key in NAMES if isinstance(call.get(key), str)), "")
    is_whole = call.keys() <= _KEYS and any(as_object(call.get(key)) for key in ARGUMENTS)
    return name if is_whole and is_of_program(name) else ""


def _named(text: str, names: CallNames) -> str:
    """Return the tool that a name means."""
    return names.find(text.strip()) or names.find(without_module(text))
