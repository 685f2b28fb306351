"""Decides whether the name of a tool at the head of a line or sentence is meant as a call: by the arguments behind it.

The arguments stand in brackets, as an object, as pairs (`order=7`, `--order 7`), or in the lines below, and nothing
more is said in their line. A note in brackets that announces a call needs none.
"""

from __future__ import annotations

import re

from turnwise.core.call_names import CallNames
from turnwise.flow.late_pattern import late_pattern
from turnwise.runner.call_heads import ENCLOSES, Head, call_heads
from turnwise.runner.call_objects import ARGUMENTS

_TYPE = r"(?i:str(?:ing)?|int(?:eger)?|number|float|bool(?:ean)?|date(?:time)?|list|array|object|dict|any|text)\b"
"""A type, which only a description of a tool gives to an argument."""
_TYPE_ALONE = late_pattern(rf"{_TYPE}\s*(?:[,)=]|\Z)")
_WITH = r"(?:(?:auf\s+)?(?:with|mit|using)\s+)?(?:the\s+)?"
_TITLES = rf"(?:{'|'.join(ARGUMENTS)}|argument|parameter|argumenten|parametern|json)"
_CLOSE = r"[*`\"'_]{0,3}"
_LINE_END = late_pattern(r"[ \t`\"'*_\])}>;.,!…|~]*(?P<next>\Z|\n|#|//|->|=>|→|[\w.]{1,60}\s?\()")
"""What may follow the arguments: the end of the line, a comment, a result, or another call."""
_OPENING = late_pattern(rf"{_CLOSE}\s?(?:\.call)?(?P<open>[(\[])")
_FIRST = late_pattern(r"\s*(?:\*{0,2}[\"'“{\[]|-?\d|(?P<key>[\w-]+)[\"']?\s*(?P<sign>[=:])\s*(?P<value>[^\n]{0,40}))")
"""The first argument in brackets."""
_LITERAL = late_pattern(r"[\"'\d\[{tfn-]")
_OBJECT = late_pattern(
    rf"(?i:{_CLOSE}[\])>]?\s?(?::\d{{1,3}})?\s*(?:[:=,]|->|=>|→)?\s*{_WITH}(?:{_TITLES}\s*)?[:=]?\s*"
    r"`{0,3}(?:json\s)?\{\s*(?:[\"'“}]|(?P<key>[\w-]+)[\"']?\s*:))"
)
_BEFORE_PAIRS = late_pattern(rf"(?i:{_CLOSE}[\]:,;]{{0,2}}[ \t]*{_WITH}(?:{_TITLES}[ \t]*[:=]?[ \t]*)?)")
_PAIR = late_pattern(
    rf"(?:--?)?[\"'`]?(?P<key>[\w-]{{1,60}})[\"'`]?[ \t]*(?P<sign>[=:]|(?<=\w)[ \t])(?![ \t]*{_TYPE})[ \t]*"
    r"(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s,;\"'()]+)(?:[ \t]*[,;]?[ \t]*(?:(?:and|und)[ \t]+)?)"
)
_BARE = late_pattern(r"(?:\"[^\"\n]*\"|'[^'\n]*'|-?\d[\w.-]*)")
"""An argument without its name."""
_COMMANDS = ("/", "@", "!", "$ ")
"""What commands begin with."""
_BELOW = late_pattern(
    rf"{_CLOSE}[\]:>)]{{0,2}}{_CLOSE}[ \t]*\n\s{{0,20}}[-*>]?[ \t]*[\"'*`]{{0,2}}(?P<key>\w[\w -]{{0,30}}?)"
    rf"[\"'*`]{{0,2}}[ \t]*[:=][*]{{0,2}}(?![ \t]*{_TYPE})[ \t]*(?P<value>[^\n]*)"
)
"""The first argument in the line below the name."""
_SHORT = late_pattern(r"\s*(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s:]{1,60})[\s,]*\Z")
_SPEAKS = late_pattern(
    r"(?i:\b(?:name|tools|functions)\b|\b(?:i|we|to|ich|wir)\W+(?:call|use|run|invoke|nutze|rufe)\b)"
)
"""Words that speak of a tool, rather than to call it."""
_TITLE = late_pattern(r"(?i:\b(?:tool|function|action|command|werkzeug|funktion)\W*\Z)")
"""Words that make a title of the name of a tool, where it stands in bold letters."""
_ACTION_END = late_pattern(r"[`\]*]*[ \t]*(?:\Z|\n|\(|\[|:)")
_MARKS = "`*\"'[]()<> \n\t.:"
_MOST_ARGUMENTS = 4_000


def called_at_head(text: str, names: CallNames) -> str:
    """Return the tool that a text calls at the head of a line or sentence, or in a fence of only calls; else empty."""
    for number, part in enumerate(text.split("```")):
        is_code = number % 2
        tool = _called_by_code(part, names) if is_code else _called_by_prose(part, names)
        if tool:
            return tool
    return ""


def _called_by_prose(text: str, names: CallNames) -> str:
    return next((head.tool for head in call_heads(text, names) if _call_end(text, head, names)), "")


def _called_by_code(code: str, names: CallNames) -> str:
    """Return the tool that code calls if it is nothing but calls."""
    code = re.sub(r"\A\w{0,20}\n", "", code).strip()
    at, tool = 0, ""
    for head in call_heads(code, names):
        if code[at : head.begin].strip(" \t\n;"):
            return ""
        end = _call_end(code, head._replace(is_announced=True), names)
        if end:
            at, tool = end, tool or head.tool
    return tool if not code[at:].strip() else ""


def _call_end(text: str, head: Head, names: CallNames) -> int:
    """Return where the call ends that a head begins; 0 if it is none."""
    for ends in (_end_of_parenthesis, _end_of_object, _end_of_pairs, _end_of_lines, _end_of_announcement):
        end = ends(text, head, names)
        if end:
            return end
    return 0


def _closed(text: str, at: int) -> int:
    """Return where a line ends in which nothing more is said after a place; 0 if there is more."""
    found = _LINE_END.match(text, at)
    if found is None:
        return 0
    if found["next"] in ("#", "//", "->", "=>", "→"):
        line = text.find("\n", found.end())
        return line if line > 0 else len(text)
    return found.start("next")


def _balanced(text: str, at: int) -> int:
    """Return the place after the bracket that closes the one at a place; the end of the text if none does."""
    depth, quote = 0, ""
    for place in range(at, min(len(text), at + _MOST_ARGUMENTS)):
        char = text[place]
        if quote:
            quote = "" if char == quote and text[place - 1] != "\\" else quote
        elif char == '"' or (char == "'" and not text[place - 1].isalnum()):
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if not depth:
                return place + 1
    return len(text)


def _end_of_parenthesis(text: str, head: Head, names: CallNames) -> int:
    opened = _OPENING.match(text, head.end)
    if opened is None or (head.is_plain and opened.start("open") > head.end and opened[0].endswith((" (", " ["))):
        return 0  # a word may stand before a parenthesis
    end = _balanced(text, opened.start("open"))
    inner = text[opened.end() : end - 1] if end > opened.end() else ""
    if not inner.strip():
        is_whole = not text[: head.begin].strip() and not text[end:].strip(_MARKS + ";")
        is_cut = head.is_program and end == len(text) and not text.rstrip().endswith((")", "]"))
        is_call = opened["open"] == "(" and (is_whole or is_cut or head.is_announced)
    else:
        given = _FIRST.match(inner)
        is_call = given is not None and _is_given(given, head, names) and (opened["open"] == "(" or bool(given["key"]))
    return _closed(text, end) if is_call else 0


def _is_given(given: re.Match[str], head: Head, names: CallNames) -> bool:
    key, value = given["key"], given["value"]
    if not key:
        return not head.is_plain or head.is_exact
    if _TYPE_ALONE.match(value):
        return False
    return names.takes(head.tool, key) or (given["sign"] == "=" and _LITERAL.match(value) is not None)


def _end_of_object(text: str, head: Head, names: CallNames) -> int:
    found = _OBJECT.match(text, head.end)
    if found is None or (found["key"] and not names.takes(head.tool, found["key"])):
        return 0
    end = _balanced(text, text.index("{", head.end))
    return _closed(text, end)


def _end_of_pairs(text: str, head: Head, names: CallNames) -> int:
    """Return the end of arguments such as `order=7` and `--order 7` in the line of the name."""
    if head.is_plain:
        return 0
    before = _BEFORE_PAIRS.match(text, head.end)
    assert before is not None
    at = begin = before.end()
    if begin == head.end:
        return 0
    bare = _BARE.match(text, at)
    if bare is not None and head.is_program and (head.is_announced or head.marks.endswith(_COMMANDS)):
        return _closed(text, bare.end())
    while (pair := _PAIR.match(text, at)) is not None and names.takes(head.tool, pair["key"]):
        if pair["sign"].isspace() and not pair[0].startswith("-"):
            break
        at = pair.end()
    return _closed(text, at) if at > begin else 0


def _end_of_lines(text: str, head: Head, names: CallNames) -> int:
    """Return the end of the first line of arguments that stand below the name."""
    found = _BELOW.match(text, head.end)
    if found is None or head.is_plain:
        return 0
    is_title = found["key"].lower().replace(" ", "_") in ARGUMENTS
    is_value = head.is_announced or _SHORT.match(found["value"]) is not None
    return found.end() if is_title or (is_value and names.takes(head.tool, found["key"])) else 0


def _end_of_announcement(text: str, head: Head, _names: CallNames) -> int:
    """Return the end of a note in brackets that announces a call: `[Calling look_up for order 7]`."""
    line = text.find("\n", head.end)
    end = line if line >= 0 else len(text)
    if head.lead.lower().startswith("action") and _ACTION_END.match(text, head.end):
        return end
    if not (head.is_program and head.is_announced):
        return 0
    is_whole = not text[: head.begin].strip() and not text[head.end :].strip(_MARKS)
    last = text[:end].rstrip(" .…!")[-1:]
    marks = [char for char in head.marks if ENCLOSES.get(char) == last]
    is_title = set(marks) <= {"*", "_"} and _TITLE.search(head.lead) is not None
    is_note = bool(marks) and not is_title and _SPEAKS.search(head.lead) is None
    return end if is_whole or is_note else 0
