"""Finds the calls of tools that a model wrote in the tags and control tokens of its own template.

Such markup is a call whatever tool it names. A text that only speaks of a tag has no call after it.
"""

from __future__ import annotations

from turnwise.core.call_names import CallNames
from turnwise.flow.late_pattern import late_pattern
from turnwise.runner.call_objects import without_module

_WORDS = "tool|func|call|invoke|python_tag|plugin|action|channel"
_TAG_TEXT = (
    rf"(?:<[|｜/]{{0,2}}[\w:.▁ |｜-]{{0,20}}?(?i:{_WORDS})[^<>\n]{{0,40}}(?:>|=)"
    r"|\[/?[A-Z_]{0,20}(?:TOOL|FUNC|CALL)[A-Z_]{0,20}\])"
)
TAG = late_pattern(_TAG_TEXT)
"""A tag in which a model may call a tool."""
OPEN_TAG = late_pattern(r"(?:<[|｜]?[\w:.▁ =\"'|｜/-]{0,60}|\[/?[A-Z_]{0,40}\s*)\Z")
"""The end of a text that may become a tag."""
ELEMENT = late_pattern(r"<(?P<name>[A-Za-z][\w-]{0,60})\s*(?P<end>/?>)")
"""Matches the beginning of a tag."""
_TOKEN = late_pattern(r"[^\W\d][\w-]*")
_BEFORE = late_pattern(
    rf"(?:{_TAG_TEXT}|to=functions\.)(?:\s|\[|[\"']|</?[^<>\n]{{0,40}}>|<\w+=|\w+[=:]){{0,40}}(?:[\w-]{{1,40}}[.\s]){{0,2}}\Z"
)
_AFTER = late_pattern(r"(?=[\"'>\]\s:\[({<|｜]|\.call|\Z)(?!\s+[\w,])")
_CALL_TAG = (
    r"(?:<[|｜/]{0,2}[\w:.▁ |｜-]{0,20}?(?i:tools?[_▁ ]?(?:calls?|use|prefix|request)|function[_▁ ]?calls?|python_tag"
    r"|start_action|invoke)[^<>\n]{0,60}>|\[TOOL_(?:CALLS?|REQUEST)\])"
)
_ANY_CALL = late_pattern(
    rf"{_CALL_TAG}\s*(?:{_CALL_TAG}\s*|<function=|functions?\s*)?"
    r"(?:[\[{]\s*[{\"']|\[?(?:call:)?(?P<name>[A-Za-z_][\w.-]{0,60})(?::\d{1,3})?\s*(?:[({\[<>]|\n\s*[<{`])|<(?:arg_key|parameter|invoke))"
    r"|<(?:[|｜]?\w{0,12}[:｜])?(?:function=(?P<function>[\w.-]{1,60})|(?:invoke|function_call)\s+name=\"(?P<invoked>[^\"<>\n]{1,60})\")[^<>\n]{0,20}>\s*[{<]"
)
_NAME = late_pattern(r"[\"']?(?:tool_|function_)?name[\"']?\s*[:=]\s*[\"'](?P<name>[\w.-]{1,60})")
_MOST_BEFORE = 160


def called_in_tags(text: str, names: CallNames) -> str:
    """Return the tool that a text calls in XML-like tags; empty where it calls none."""
    has_tag = TAG.search(text) is not None or "to=functions." in text
    if has_tag and names.may_be_in(text):
        for token in _TOKEN.finditer(text):
            begin, end = token.span()
            tool = names.find(token[0])
            before = text[max(0, begin - _MOST_BEFORE) : begin]
            if tool and _BEFORE.search(before) and _AFTER.match(text, end):
                return tool
    return _called_by_element(text, names) or (_called_unknown(text) if has_tag else "")


def _called_by_element(text: str, names: CallNames) -> str:
    for found in ELEMENT.finditer(text):
        tool = names.find(found["name"])
        if tool and (found["end"] == "/>" or f"</{found['name']}" in text[found.end() :]):
            return tool
    return ""


def _called_unknown(text: str) -> str:
    """Return the tool that markup names which the flow does not know."""
    for found in _ANY_CALL.finditer(text):
        before = text[: found.start()]
        if before.count("```") % 2 or before.rpartition("\n")[2].count("`") % 2 or before[-1:] in ("'", '"'):
            continue
        named = next((one for one in found.groups() if one), "")
        inside = _NAME.search(text, found.start())
        return without_module(named) or (without_module(inside["name"]) if inside is not None else "") or "tool"
    return ""
