"""Finds calls of tools that a model wrote as text, as small models do, and holds them back from a stream.

A text is a call only if it names a tool that the request offers, in a form that models write.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from turnwise.core.values.json_data import as_list, as_object
from turnwise.flow.late_pattern import late_pattern

_NAMES = ("name", "tool", "tool_name", "function_name", "function", "action", "recipient_name")
_ARGUMENTS = ("arguments", "parameters", "args", "params", "input", "kwargs", "action_input", "tool_input", "tool_args")
_LISTS = ("tool_calls", "tool_uses", "function_call", "tool_call", "calls")
_BESIDE = ("id", "type", "call_id", "index")
_KEYS = frozenset((*_NAMES, *_ARGUMENTS, *_LISTS, *_BESIDE))
_ONLY_OF_CALLS = ("tool", "tool_name", "function_name", "recipient_name")
"""The keys whose value is a tool only in a call, whatever other keys stand beside them."""
_SHORTEST_KEY = 40
"""A first key that is longer than this is no key of a call."""

_OPENER = late_pattern(r"[{<\[`]|\b(?:to=functions\.|functools\[)|(?<![^\n])[ \t]*Action:")
_TAG_WORDS = "tool|func|call|invoke|python_tag|plugin|action|channel"
_TAG = late_pattern(
    rf"<[|｜]?/?[\w:.▁ -]{{0,20}}?(?i:{_TAG_WORDS})[^<>\n]{{0,40}}(?:>|=)"
    r"|\[/?[A-Z_]{0,20}(?:TOOL|FUNC|CALL)[A-Z_]{0,20}\]"
)
_OPEN_TAG = late_pattern(r"(?:<[|｜]?[\w:.▁ =\"'|｜/-]{0,60}|\[/?[A-Z_]{0,40}\s*)\Z")
_FENCE = late_pattern(r"`{1,3}\w{0,20}\s*")
_KEY = late_pattern(r"\{\s*(?:[\"']?(?P<key>[\w.-]+)[\"']?\s*[:=]\s*(?:[\"'](?P<value>[^\"'\n]*)(?P<end>[\"'])?)?)?")
_HEADS = (("", "("), ("functions.", "("), ("print(", "("), ("<", ">"), ("<", "/>"))
"""What stands before and after the name of a tool that is called in code or by an element."""
_ACTION = "Action:"
_LONGEST_HEAD = 200
"""After so many characters a text that may be a call is held back to its end."""
_MOST_CHARACTERS = 20_000
"""How much of a text is searched for calls that are no JSON."""
_DEEPEST = 4
_MOST_OBJECTS = 20
"""How many objects of a text are read, in search of a call."""


class WrittenCalls:
    """Watches the text of one reply for calls of the offered `tools`."""

    def __init__(self, tools: Iterable[str]) -> None:
        self._tools = tuple(tools)
        self._held = ""
        self._heads = tuple(f"{head}{tool.lower()}{end}" for tool in self._tools for head, end in _HEADS)
        self._is_first = True
        self._is_at_line = True
        self._is_holding = False
        self._code = _sentence_heads(self._tools)
        self._before = "\n"
        """The last characters that were shown."""
        self.tool = ""
        """The tool that is called in the text, at its end."""

    def add(self, piece: str) -> str:
        """Return the text that can be shown now."""
        if not self._tools:
            return piece
        self._held += piece
        if self._is_holding:
            return ""
        cut = self._safe()
        if not self._is_holding:
            cut = min(cut, self._code_begin(self._held[:cut]))
        shown, self._held = self._held[:cut], self._held[cut:]
        if shown:
            self._is_first = self._is_first and shown.isspace()
            self._is_at_line = shown.endswith("\n")
            self._before = (self._before + shown)[-2:]
        return shown

    def end(self) -> str:
        """Return the text that waits, and find whether it calls a tool."""
        held, self._held = self._held, ""
        if held and self._tools:
            self.tool = called_in(held, self._tools)
            if self._is_first and not self.tool and "_" in held:  # a reply that is only the name of a tool
                self.tool = held.strip("`*\n .") if held.strip("`*\n .") in self._tools else ""
        return held

    def _safe(self) -> int:
        """Return how much of the text that waits can be no call."""
        text, at = self._held, 0
        if self._is_first and self._begins_as_code(text):
            self._is_holding = self._is_holding or len(text) > _LONGEST_HEAD
            return 0
        while (found := _OPENER.search(text, at)) is not None:
            begin = found.start()
            verdict, at = _judged(text, begin, self._heads, self._tools)
            if verdict is not False:
                self._is_holding = verdict is True or len(text) - begin > _LONGEST_HEAD
                return begin
        line = text.rfind("\n") + 1
        tail = text[line:].lstrip()
        may_act = bool(tail) and _ACTION.startswith(tail) and (line > 0 or self._is_at_line)
        return line if may_act else len(text)

    def _code_begin(self, text: str) -> int:
        """Return where a call that stands as a sentence, as `look_up(order="7")`, may begin."""
        found = self._code[0].search(self._before + text)
        if found is None:
            found = self._code[1].search((self._before + text)[-_LONGEST_HEAD:])
            return len(text) if found is None else len(text) - len(found[0])
        self._is_holding = True
        return max(0, found.start() - len(self._before))

    def _begins_as_code(self, text: str) -> bool:
        """Return whether a reply is, or may become, a call such as `look_up(order="7")`."""
        text = text.lstrip("`\n\t [").lower()
        self._is_holding = text.startswith(self._heads)
        return self._is_holding or any(head.startswith(text) for head in self._heads)


def _judged(text: str, begin: int, heads: tuple[str, ...], tools: tuple[str, ...]) -> tuple[bool | None, int]:
    """Return whether a call may stand at a place, `None` if what comes next decides, and where to look on."""
    at = begin
    while at < len(text):
        if at - begin > _LONGEST_HEAD:
            return True, at
        if text[at].isspace():
            at += 1
        elif text[at] == "`" and (fence := _FENCE.match(text, at)) is not None:
            at = fence.end()
        elif _TAG.match(text, at) is not None or text[at : at + _LONGEST_HEAD].lower().startswith(heads):
            return True, at
        elif text[at] == "{":
            return _may_be_call(text, at, tools), at + 1
        elif text[at] == "[" and not _OPEN_TAG.match(text, at):
            at += 1
        elif text[at] in "[<":
            return None if _OPEN_TAG.match(text, at) else False, at + 1
        elif text[begin] not in "{<[`":
            return True, at
        else:
            rest = text[at : at + _LONGEST_HEAD].lower()
            return None if any(head.startswith(rest) for head in heads) else False, at + 1
    return None, at


def _may_be_call(text: str, at: int, tools: tuple[str, ...]) -> bool | None:
    """Return whether the object at a place may be a call, by its first key and value; `None` if they are not whole."""
    found = _KEY.match(text, at)
    assert found is not None
    key, value = found["key"], found["value"]
    if key is None:
        rest = text[found.end() :].lstrip("\"' \n\t")
        return None if len(rest) <= _SHORTEST_KEY and (not rest or re.fullmatch(r"[\w.-]*[\"']?\s*", rest)) else False
    if key in tools:
        return True
    if key not in _KEYS:
        return False
    if key in _NAMES and value is not None:
        if found["end"] is None:
            name = _bare(value).lower()
            may_be = "functions.".startswith(name) or any(tool.lower().startswith(name) for tool in tools)
            return None if may_be else False
        return _named(value, tools) != ""
    return True


# the whole text --------------------------------------------------------------------------------------


def called_in(text: str, tools: Iterable[str]) -> str:
    """Return the tool that a text calls; empty where it calls none."""
    known = tuple(tools)
    return _called_by_object(text, known) or _called_by_pattern(text[:_MOST_CHARACTERS], known)


def _called_by_object(text: str, tools: tuple[str, ...]) -> str:
    decoder, at = json.JSONDecoder(), 0
    for _ in range(_MOST_OBJECTS):
        at = text.find("{", at)
        if at < 0:
            return ""
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            if tool := _called_by_broken_object(text, at, tools):
                return tool
            at += 1
            continue
        if tool := _called_by(value, tools):
            return tool
        at = end
    return ""


def _called_by(value: Any, tools: tuple[str, ...], depth: int = 0) -> str:
    """Return the tool that JSON data calls."""
    items = as_list(value)
    if items is not None:
        found = (_called_by(one, tools, depth + 1) for one in items[:_MOST_OBJECTS])
        return next((tool for tool in found if tool), "") if depth < _DEEPEST else ""
    call = as_object(value)
    if call is None:
        return ""
    has_arguments = any(key in call for key in (*_ARGUMENTS, *_ONLY_OF_CALLS))
    if has_arguments or call.keys() <= _KEYS:
        for key in _NAMES:
            if isinstance(call.get(key), str) and (tool := _named(call[key], tools)):
                return tool
    if (
        len(call) == 1
        and as_object(next(iter(call.values()))) is not None
        and (tool := _named(next(iter(call)), tools))
    ):
        return tool
    inner = (call[key] for key in (*_LISTS, "function") if key in call)
    found = (_called_by(one, tools, depth + 1) for one in inner)
    return next((tool for tool in found if tool), "") if depth < _DEEPEST else ""


def _called_by_broken_object(text: str, at: int, tools: tuple[str, ...]) -> str:
    """Return the tool that an object calls which is no valid JSON: with other quotes, or cut off."""
    named = _patterns(tools)[0].match(text, at)
    return _as_declared(named["tool"], tools) if named is not None else ""


def _called_by_pattern(text: str, tools: tuple[str, ...]) -> str:
    """Return the tool that a text calls with tags, as code, or as an action."""
    _, tagged, code, action, element, sentence = _patterns(tools)
    stripped = re.sub(r"^[`\s]*(?:\w+\n)?|[`\s]*$", "", text)
    named = tagged.search(text) or code.match(stripped) or action.search(text) or element.search(text)
    named = named or sentence.search(text)
    return _as_declared(named["tool"], tools) if named is not None else ""


@lru_cache(maxsize=64)
def _patterns(tools: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a broken object, tags, code, an action and an element that name one of the tools."""
    name = rf"(?:functions?[.\s])?(?P<tool>{'|'.join(map(re.escape, sorted(tools, key=len, reverse=True)))})"
    keys, arguments = "|".join((*_NAMES, *_BESIDE)), "|".join(_ARGUMENTS)
    beside = rf"(?:[\"']?(?:{'|'.join(_BESIDE)})[\"']?\s*:\s*[\"'][^\"']*[\"']\s*,\s*)*"
    broken = (
        rf"\{{\s*{beside}[\"']?(?:{keys})[\"']?\s*[:=]\s*[\"']?{name}[\"']?\s*(?:,\s*[\"']?(?:{arguments})\b|\}}|$)"
    )
    between = r"(?:\s|\[|[\"']|</?[^<>\n]{0,40}>|<\w+=|\w+[=:]){0,40}"
    tagged = rf"(?:{_TAG.pattern}|to=functions\.){between}{name}(?=[\"'>\]\s:\[({{<|｜]|\.call|$)(?!\s+[\w,])"
    value = r"(?:\w+\s*=|[\"'{\[]|-?\d)"
    code = rf"\[?\s*(?:print\(\s*)?{name}\(\s*(?:{value}[\s\S]*)?\)\s*\]?;?$"
    action = rf"(?m:^)[ \t*]*Action:[ \t*`\[]*{name}\b[`\]*]*[ \t]*(?:$|\n|\(|\[|:)"
    element = rf"<{name}(?:\s*/>|>[\s\S]{{0,2000}}?</(?P=tool)>)"
    written = r"\(\s*(?:\w+\s*=\s*[\"'\d\[{tfn-]|[\"'{])[^\n]*\)[`;.]{0,2}|\s?(?::\d{0,3})?\s?\{\s*\"[^\n]*\}`{0,2}"
    sentence = rf"(?m:{_SENTENCE}[*`]{{0,2}}(?:default_api\.)?{name}[*`]{{0,2}}(?:{written})[ \t]*$)"
    return tuple(re.compile(one, re.IGNORECASE) for one in (broken, tagged, code, action, element, sentence))


_SENTENCE = r"(?:^|(?<=\n)|(?<=[.!?:…] ))"
"""The beginning of a sentence."""


@lru_cache(maxsize=64)
def _sentence_heads(tools: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of the head of a call that stands as a sentence, and of a text whose end may become one."""
    names = [f"{before}{tool}" for tool in tools for before in ("", "functions.", "default_api.")]
    begin = r"(?:(?<=\n)|(?<=[.!?:…] ))[*`]{0,2}"
    after = r"[*`]{0,2}\s?(?::\d{0,3})?\s?"
    whole = rf"{begin}(?:{'|'.join(map(re.escape, names))}){after}[({{]"
    parts = "|".join("(?:".join(map(re.escape, name)) + after + ")?" * (len(name) - 1) for name in names)
    return re.compile(whole, re.IGNORECASE), re.compile(rf"{begin}(?:{parts})?\Z", re.IGNORECASE)


def _named(text: str, tools: tuple[str, ...]) -> str:
    """Return the offered tool that a name means."""
    return _as_declared(_bare(text), tools)


def _bare(name: str) -> str:
    name = name.strip()
    return name.removeprefix("functions.").removeprefix("function.")


def _as_declared(name: str, tools: tuple[str, ...]) -> str:
    folded = name.casefold()
    return next((tool for tool in tools if tool.casefold() == folded), "")
