"""Converts the short forms of documents to the long ones and back.

A `widen…` function returns the long form's tree, and any other tree unchanged, so that the reader reports it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turnwise.flow.located import Items, Located, Pairs, Scalar
from turnwise.flow.shapes import ShortForm

_TEXT: dict[str, Any] = {"type": "string"}
_NAMES: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
_OPTION: dict[str, Any] = {
    "anyOf": [
        {"type": ["string", "number"]},
        {"type": "object", "additionalProperties": {"type": "array"}, "minProperties": 1, "maxProperties": 1},
    ]
}
_POSITION: dict[str, Any] = {
    "anyOf": [
        {"type": "string"},
        _NAMES,
        {"type": "object", "properties": {"tool": {}, "optional": {"type": "boolean"}}, "required": ["tool"]},
    ]
}
_COMMANDS: dict[str, Any] = {
    "anyOf": [
        {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "object", "required": ["start"]}]}},
        {"type": "object", "properties": {"start": _NAMES}, "required": ["start"]},
    ]
}
_RECORD: dict[str, Any] = {"type": "object", "additionalProperties": {"$ref": "#/$defs/Field"}}


def _wrapped(key: str, tree: Located) -> Pairs:
    """Return a mapping of one pair that stands where the tree stands."""
    return Pairs([(Scalar(key, tree.line, tree.column), tree)], tree.line, tree.column)


def _under(key: str, *kinds: type[Located]) -> Callable[[Located], Located]:
    """Return the function that puts a tree of some kinds under a key."""
    return lambda tree: _wrapped(key, tree) if isinstance(tree, kinds) else tree


def _alone(key: str) -> Callable[[dict[str, Any]], Any]:
    """Return the function that returns the value of a key if the object has no other."""
    return lambda long: long[key] if long.keys() == {key} else long


def _keys(tree: Pairs) -> set[str]:
    return {key.text for key, _ in tree.pairs}


def widen_option(tree: Located) -> Located:
    """Return the long form of an option written as `male` or `male: [man, m]`."""
    if isinstance(tree, Scalar):
        return _wrapped("value", tree)
    if isinstance(tree, Pairs) and len(tree.pairs) == 1:
        [(option, words)] = tree.pairs
        if option.text == "value" and isinstance(words, Scalar):
            return tree
        value = Scalar(option.text, option.line, option.column, option.text, "quoted")
        pairs = _wrapped("value", value)
        if not (isinstance(words, Scalar) and words.value is None):
            pairs.pairs.append((Scalar("words", words.line, words.column), words))
        return pairs
    return tree


def widen_commands(tree: Located) -> Located:
    """Return the long form of commands written as `[affirm, {start: [book_table]}]` or `{start: [book_table]}`."""
    items = tree.items if isinstance(tree, Items) else [tree] if isinstance(tree, Pairs) else None
    if items is None or (isinstance(tree, Pairs) and "names" in _keys(tree)):
        return tree
    names: list[Located] = []
    pairs = Pairs([(Scalar("names", tree.line, tree.column), Items(names, tree.line, tree.column))])
    pairs.line, pairs.column = tree.line, tree.column
    for item in items:
        if isinstance(item, Pairs) and _keys(item) == {"start"}:
            names.append(item.pairs[0][0])
            pairs.pairs.append(item.pairs[0])
        else:
            names.append(item)
    return pairs


def narrow_commands(long: dict[str, Any]) -> Any:
    """Return the short form of commands: a list in which `start` has its scopes; else both keys."""
    names = long.get("names", [])
    if not long.get("start"):
        return names
    if names.count("start") != 1:
        return {"names": names, "start": long["start"]}
    return [{"start": long["start"]} if name == "start" else name for name in names]


def widen_position(tree: Located) -> Located:
    """Return the long form of a position of a tool sequence, such as `search` or `[search, browse]`."""
    if not isinstance(tree, Pairs):
        return _wrapped("tools", tree)
    pairs = [(Scalar("tools", key.line, key.column) if key.text == "tool" else key, value) for key, value in tree.pairs]
    return Pairs(pairs, tree.line, tree.column, inline=tree.inline)


def narrow_position(long: dict[str, Any]) -> Any:
    """Return the short form of a position of a tool sequence: a tool, a list of tools, or keys with `optional`."""
    tools = long["tools"][0] if len(long["tools"]) == 1 else long["tools"]
    return {"tool": tools, "optional": True} if long.get("optional") else tools


def widen_confirm(tree: Located) -> Located:
    """Return the long form of `confirm: true`, the usual confirmation: an empty mapping."""
    is_true = isinstance(tree, Scalar) and tree.value is True
    return Pairs([], tree.line, tree.column) if is_true else tree


OPTION = ShortForm(
    _OPTION,
    widen_option,
    lambda long: {long["value"]: long["words"]} if long.get("words") else long["value"],
)
"""An answer alone, or with its words."""
FIELD = ShortForm(_TEXT, _under("type", Scalar))
"""The short form of a field: its type."""
RECORD = ShortForm(_RECORD, _under("fields", Pairs), lambda long: long.get("fields", {}))
"""The short form of a record: its fields."""
POSITION = ShortForm(_POSITION, widen_position, narrow_position)
"""The short form of a position: the name of a tool."""
TOOL_WORK = ShortForm(_TEXT, _under("name", Scalar))
"""The short form of a tool's work: the name of the tool."""
PERSON_WORK = ShortForm(_TEXT, _under("queue", Scalar))
"""The short form of a person's work: the queue."""
TOOL_POLICY = ShortForm(_NAMES, _under("allow", Scalar, Items))
"""The short form of a tool policy: the allowed tools."""
COLLECT = ShortForm(_NAMES, _under("fields", Scalar, Items), _alone("fields"))
"""The short form of `collect`: its fields."""
CONFIRM = ShortForm({"const": True}, widen_confirm)
"""The short form of `confirm`: `true`."""
ACKNOWLEDGE = ShortForm(_TEXT, _under("text", Scalar), _alone("text"))
"""The short form of `acknowledge`: its text."""
OPTIONS_FROM = ShortForm(_TEXT, _under("list", Scalar), _alone("list"))
"""The short form of `options_from`: the list."""
TRANSCRIPT = ShortForm({"enum": ["all", "visit", "none"]}, _under("show", Scalar), _alone("show"))
"""The short form of `transcript`: how much of it is shown, without the other keys."""
SUMMARY = ShortForm(_TEXT, _under("fallback", Scalar), _alone("fallback"))
"""The short form of a summary: its template."""
COMMANDS = ShortForm(_COMMANDS, widen_commands, narrow_commands)
"""The short form of `commands`: a list of commands."""
