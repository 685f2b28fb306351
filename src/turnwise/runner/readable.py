"""Decides whether a text has a character that can be read, so that it is worth showing.

That is a letter, a digit, a symbol, an ellipsis, or a question or exclamation mark. Control tokens of chat templates,
empty markup, and an empty value of JSON have nothing to read.
"""

from __future__ import annotations

import json
import unicodedata
from typing import Any

from turnwise.core.values.json_data import as_list, as_object
from turnwise.flow.late_pattern import late_pattern

MARKERS = (
    r"/?(?:s|eos|bos|pad|unk|sep|cls|mask|stop|end|eot|eod|eoa|eom|turn|start_of_turn|end_of_turn|endoftext|end_of_text"
    r"|end_of_sentence|begin_of_text|end_of_utterance|return|unused_?\d+|extra_id_\d+|reserved_\w+)"
)
"""The words of control tokens that look like elements of HTML, as a pattern."""
ROLES = "assistant|model|ai|bot|final|analysis|system|user"
"""Who may write a message, as a pattern."""
_TOKEN = late_pattern(
    rf"<[|｜][^<>\n]{{0,80}}(?:>|\Z)|<[\w /▁-]{{1,40}}[|｜]>|(?i:<{MARKERS}>)"
    rf"|(?i:\[(?:/?(?:inst|eos|bos|pad|sep|cls|unk|mask|stop|done|end|response|answer)|unused\d+)\])"
    r"|(?i:<<?/?sys>>?)|(?i:\bdata:(?=\s*(?:\Z|\[DONE\])))"
)
"""A control token of a chat template, also one that was cut off at the end of a text."""
_ROLE = late_pattern(
    rf"(?i:(?:<\|(?:im_start|start|start_header_id|channel|role)\|>|<start_of_turn>|<turn\|?>|<\|turn>)\s*(?:{ROLES})\b)"
)
_ELEMENT = late_pattern(r"(?s:<(?P<name>[A-Za-z][\w:.-]{0,40})(?:\s[^<>]{0,200})?>\s{0,200}</(?P=name)\s*>)")
_TAG = late_pattern(
    r"(?i:</?(?:a|b|i|u|s|p|br|hr|em|h[1-6]|li|ol|ul|td|th|tr|div|pre|sub|sup|wbr|body|code|font|head|html|main|nbsp|span"
    r"|small|table|tbody|thead|center|strong|article|details|section|summary|blockquote|answer|response|final|output)"
    r"(?:\s[^<>]{0,200})?/?>)"
)
_COMMENT = late_pattern(r"<!--[^<>]{0,200}-->|!\[\s{0,9}\]\(\s{0,9}\)")
_FENCE = late_pattern(r"(?m:^[ \t]*(?:`{3,}|~{3,})[\w+.#-]{0,30}[ \t]*$)")
_ESCAPE = late_pattern(r"\\[nrt]")
_MAY_BE_EMPTY = frozenset("<[&`~\\{")
"""The characters with which control tokens, markup and JSON begin."""
_NO_VALUES = frozenset(("null", "undefined", "nil", "NaN", "nan"))
"""The words of programs for a missing value, which are no words for a person. `None` can be an answer."""
_LONGEST_JSON = 400
_MARKS = frozenset("…⋯¿¡⁇⁈⁉‼‽⸘؟！？︕︖﹖﹗՞՜\u037e߹")
"""Marks that ask, exclaim or leave open, which can be a whole reply, beside those of ASCII."""
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\ufffc\ufffd\U0001d159\U00013441\U00013442<>|~=")
"""Characters that Unicode counts as letters or symbols, and that show nothing, or only draw lines."""
_VISIBLE = ("L", "N", "Sc", "Sm", "So")


def is_readable(text: str) -> bool:
    """Return whether a text has anything for a user to read, and not only marks or spaces."""
    stripped = text.strip()
    if stripped in _NO_VALUES or _is_empty_json(stripped):
        return False
    if not _MAY_BE_EMPTY.isdisjoint(stripped):
        for pattern in (_ROLE, _TOKEN, _COMMENT, _ELEMENT, _TAG, _FENCE, _ESCAPE):
            stripped = pattern.sub(" ", stripped)
        from html import unescape

        stripped = unescape(stripped)
    return ("..." in stripped or any(map(_is_visible, stripped))) and stripped.strip("\"'`()[]*_ \n") not in _NO_VALUES


def _is_visible(char: str) -> bool:
    if char.isascii():
        return char.isalnum() or char in "?!$+"
    if char in _BLANK:
        return False
    category = unicodedata.category(char)
    is_new_emoji = category == "Cn" and "\U0001f000" <= char <= "\U0001fbff"
    return category.startswith(_VISIBLE) or char in _MARKS or is_new_emoji


def _is_empty_json(text: str) -> bool:
    """Return whether a text is JSON without any value: `{}`, `[""]`, `{"text": null}`."""
    if len(text) > _LONGEST_JSON or not text.startswith(("{", "[", '"')):
        return False
    try:
        return not _has_value(json.loads(text))
    except (ValueError, RecursionError):
        return False


def _has_value(data: Any) -> bool:
    if isinstance(data, str):
        return any(map(_is_visible, data))
    items = as_list(data)
    if items is None and (found := as_object(data)) is not None:
        items = list(found.values())
    return any(map(_has_value, items)) if items is not None else data is not None
