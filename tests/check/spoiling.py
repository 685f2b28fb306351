"""Documents spoilt by chance: bytes, lines, keys and values of flows that are there, and guards that nobody would write."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from check.planting import ROOT, SOUND
from turnwise.authoring.formats import compose
from turnwise.flow.diagnostic import Diagnostic
from turnwise.flow.located import plain

DOCUMENTS = [
    *SOUND,
    *sorted(path for path in ROOT.glob("tests/flows/*/*") if path.suffix in (".yaml", ".json")),
    *sorted(ROOT.glob("tests/transcripts/*.flow.yaml")),
]
"""What is spoilt: sound flows, and those of every mistake."""

VALUES = [
    "", "~", "true", "no", "0", "-1", "1e400", ".nan", "9223372036854775808", "0x7fffffffffffffff", "3.5", "12:30", "2026-02-30",
    "[]", "{}", "[[]]", "{a: {b: c}}", "[a, a, a]", "*a", "&a b", "!t x", '"', "'", "|", "- -", "? :", "{{", "'{{ r.x }}'", "a.b.c",
    "end", "form", "user", "user.", ".age", "0001-01-01", "9999-12-31", "P1D", "99999999999999w", "1ms", "é\u200d👩", "\x00", "\ufeff", "\\u0000",
    "Europe/Nowhere", "../../etc", "x" * 300, "((((", "(?<a>", "a{1000}", "*", "?", "[a-", "web_*",
]  # fmt: skip
KEYS = [
    "to", "when", "guard", "mirror", "at", "in", "id", "set", "end", "once", "say", "prompt", "form", "fields", "options", "min", "max",
    "default", "type", "of", "stop", "values", "ask_when", "tools", "allow", "deny", "sequence", "enter_when", "collect", "scope", "nodes",
    "records", "texts", "limits", "moves", "commands", "start", "overlays", "secret", "validate", "pattern", "reply", "priority", "expects",
]  # fmt: skip
TERMS = [
    "user.age", "user.name", "user.gender", "user.tos_acknowledged", "symptoms.groups", "case.purpose", "case.urgency", "turns", "errors",
    "now", "message.text", "message.button", "form.status", "error.kind", "tools.last", "visits('profiler')", "visits('x')",
    "tools.count('think')", "tools.used('think')", "size(symptoms.groups)", "size(user.name)", "user.nobody", "nobody", "now.getHours()",
    "now.getHours('Asia/Tokyo')", "string(user.age)", "int(user.name)", "double(user.age)", "user.age + 1", "user.age / 0", "-user.age",
    "user.age % 7", "user.name + user.name", "user.name.lower()", "has(user.name)", "has(user)", "symptoms.groups.exists(g, g == 'a')",
    "symptoms.groups.all(g, size(g) > 2)", "symptoms.groups.filter(g, g != '')", "now - duration('2h')", "now - now", "visit.when", "visit.length",
]  # fmt: skip
CONSTANTS = [
    "0", "1", "-1", "38", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e308", "-0.0", "4.5", "1e-320", "true",
    "false", "null", "''", "'male'", "'mail'", "'\\u0000'", "'confirmed'", "'tool'", "[]", "[1]", "['a', 'b']", "[1, 'a']", "[[]]",
    "timestamp('0001-01-01')", "timestamp('9999-12-31T23:59:59.999999Z')", "timestamp('2026-11-21T10:00:00.000001Z')",
    "timestamp('2026-02-30')", "duration('2h')", "duration('999999999w')", "duration('-1s')", "'2026-01-01'", "date('2026-02-30')", "date('9999-12-31')", "time('23:59:59')", "today", "user.age", "user.name", "now",
]  # fmt: skip
OPERATORS = ["==", "!=", "<", "<=", ">", ">=", "in", "+", "&&", "||", "%"]


_NUMBERS = ["0", "1", "-1", "38", "120", "121", "999999999999999999", "-999999999999999999", "4.5", "1e308", "-0.0", "1e-320"]  # fmt: skip
_TEXTS = [
    "''",
    "'male'",
    "'female'",
    "'mail'",
    "'Referral'",
    "'Yes'",
    "'\\u0000'",
    "'confirmed'",
    "' '",
    "'2026-11-21'",
    "null",
]
_TIMES = [constant for constant in CONSTANTS if constant.startswith("timestamp") and "30" not in constant]
_EQUAL, _ORDER = ("==", "!="), ("==", "!=", "<", "<=", ">", ">=")
TYPED: list[tuple[str, str, list[str], tuple[str, ...]]] = [
    ("", "turns", _NUMBERS, _ORDER),
    ("", "errors", _NUMBERS, _ORDER),
    ("", "now", _TIMES, _ORDER),
    ("", "now - duration('2h')", _TIMES, _ORDER),
    ("", "message.text", _TEXTS, _EQUAL),
    ("", "size(message.text)", _NUMBERS, _ORDER),
    ("", "message.button", _TEXTS, _EQUAL),
    ("", "tools.last", _TEXTS, _EQUAL),
    ("", "now.getHours()", _NUMBERS, _ORDER),
    ("user:", "user.age", _NUMBERS, _ORDER),
    ("user:", "user.age + turns", _NUMBERS, _ORDER),
    ("user:", "user.name", _TEXTS, _EQUAL),
    ("user:", "user.gender", _TEXTS, _EQUAL),
    ("user:", "user.tos_acknowledged", ["true", "false", "null"], _EQUAL),
    ("symptoms:", "size(symptoms.groups)", _NUMBERS, _ORDER),
    ("case:", "case.purpose", _TEXTS, _EQUAL),
    ("case:", "case.urgency", _TEXTS, _EQUAL),
]
"""What guards of the right types compare: the record that it takes, a term, constants, operators."""


def sound_guard(chance: Random, text: str, depth: int = 0) -> str:
    """A guard whose types fit, of values at the ends of what there is."""
    if depth > 3 or chance.random() < 0.4:
        known = [row for row in TYPED if row[0] in text]
        _, term, constants, operators = chance.choice(known)
        match chance.randrange(8):
            case 0 if re.fullmatch(r"\w+\.\w+", term):
                return f"has({term})"
            case 1 if "''" not in constants:
                return f"{chance.choice(constants)} {chance.choice(operators)} {term}"
            case 2 if constants is not _TIMES and "null" not in constants:
                return f"{term} in [{chance.choice(constants[:4])}, {chance.choice(constants[:4])}]"
            case _:
                return f"{term} {chance.choice(operators)} {chance.choice(constants)}"
    return _together(chance, [sound_guard(chance, text, depth + 1) for _ in range(chance.randint(2, 4))], 6)


def strange_guard(chance: Random, depth: int = 0) -> str:
    """A guard of anything that guards may have, and of what they may not."""
    if depth > 2 or chance.random() < 0.4:
        left, right = chance.choice(TERMS), chance.choice(CONSTANTS)
        if chance.random() < 0.2:
            left, right = right, left
        return left if chance.random() < 0.1 else f"{left} {chance.choice(OPERATORS)} {right}"
    return _together(chance, [strange_guard(chance, depth + 1) for _ in range(chance.randint(2, 3))], 5)


def _together(chance: Random, parts: list[str], of: int) -> str:
    """Guards as one: one in so many denies the first, one in so many chooses between them, the others join all."""
    match chance.randrange(of):
        case 0:
            return f"!({parts[0]})"
        case 1:
            return f"({parts[0]}) ? ({parts[1]}) : ({parts[-1]})"
        case _:
            return chance.choice((" && ", " || ")).join(f"({one})" for one in parts)


# ways to spoil -------------------------------------------------------------------------------------


def _bytes(text: str, chance: Random) -> str:
    content = bytearray(text.encode("utf-8", "surrogateescape"))
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(content))
        content[at] = chance.choice((chance.randrange(256), chance.choice(b"{}[]:,-#'\"\n \t&*|!")))
    return content.decode("utf-8", "surrogateescape")


def _lines(text: str, chance: Random) -> str:
    lines = text.split("\n")
    for _ in range(chance.randint(1, 3)):
        at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        match chance.randrange(4):
            case 0:
                del lines[at]
                lines = lines or [""]
            case 1:
                lines.insert(other, lines[at])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case _:
                lines[at] = " " * chance.randint(1, 4) + lines[at]
    return "\n".join(lines)


def _values(text: str, chance: Random) -> str:
    found = list(re.finditer(r"(?<=: )[^,{}\[\]\n]+|(?<=[\[,] )?\"[^\"\n]*\"", text))
    for _ in range(chance.randint(1, 3)):
        if found:
            one = chance.choice(found)
            value = chance.choice((chance.choice(VALUES), f'"{strange_guard(chance)}"'))
            text = text[: one.start()] + value + text[one.end() :]
            found = [other for other in found if other.end() < one.start()]
    return text


def _keys(text: str, chance: Random) -> str:
    found = list(re.finditer(r"\"?[A-Za-z_]+\"?(?=: ?)", text))
    for one in sorted(chance.sample(found, min(len(found), chance.randint(1, 3))), key=lambda m: -m.start()):
        text = text[: one.start()] + chance.choice((chance.choice(KEYS), chance.choice(VALUES))) + text[one.end() :]
    return text


_WHEN = re.compile(r"""(when|ask_when|enter_when|validate): ("[^"\n]*"|'[^'\n]*'|[^,{}\n]+)""")


def _guards(text: str, chance: Random) -> str:
    return _WHEN.sub(
        lambda found: f'{found[1]}: "{strange_guard(chance)}"' if chance.random() < 0.6 else found[0], text
    )


def _sound_guards(text: str, chance: Random) -> str:
    """Every guard is another one that links, and further transitions stand beside those that there are."""
    text = _WHEN.sub(lambda found: f"{found[1]}: {json.dumps(sound_guard(chance, text))}", text)
    added = "".join(
        f"      - {{at: {at}, when: {json.dumps(sound_guard(chance, text))}, end: e, priority: {chance.randint(1, 200)}}}\n"
        for at in chance.choices(("before", "after", "error"), k=chance.randint(0, 6))
    )
    return text.replace("    transitions:\n", f"    transitions:\n{added}")


def _cut(text: str, chance: Random) -> str:
    at, other = sorted((chance.randrange(len(text)), chance.randrange(len(text))))
    return text[:at] + text[other:] if chance.random() < 0.5 else text[:other]


def _tree(text: str, chance: Random) -> str:
    """Parts of the document replaced by others of it, or by something strange: what is left is sound JSON."""
    tree = compose(text)
    if isinstance(tree, Diagnostic):
        return text
    document = plain(tree)
    for _ in range(chance.randint(1, 4)):
        places = list(_places(document))
        if not places:
            break
        holder, key = chance.choice(places)
        other, its = chance.choice(places)
        match chance.randrange(6):
            case 0:
                holder[key] = json.loads(json.dumps(other[its]))
            case 1:
                del holder[key]
            case 2 if isinstance(holder, dict):
                holder[chance.choice(KEYS)] = holder.pop(key)
            case 3:
                holder[key] = chance.choice((None, True, 0, -1, 3.5, 2**70, [], {}, [[]], {"a": {"b": []}}))
            case 4:
                holder[key] = chance.choice(VALUES)
            case _:
                strings = [(h, k) for h, k in places if k in ("when", "ask_when", "enter_when", "validate", "say")]
                holder, key = chance.choice(strings or places)
                holder[key] = strange_guard(chance) if key != "say" else f"{{{{ {strange_guard(chance)} }}}}"
    return json.dumps(document, indent=1)


def _places(part: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a tree: what holds it, and its key or number."""
    keys = list(part) if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ()
    for key in keys:
        yield part, key
        yield from _places(part[key])


SPOILS: dict[str, Callable[[str, Random], str]] = {
    "bytes": _bytes,
    "lines": _lines,
    "values": _values,
    "keys": _keys,
    "guards": _guards,
    "cut": _cut,
    "tree": _tree,
    "sound guards": _sound_guards,
}


def spoilt(number: int, texts: dict[Path, str]) -> tuple[str, bytes]:
    """A document by its number: its name, and what is left of it."""
    chance = Random(f"spoilt/{number}")
    path = chance.choice(SOUND) if chance.random() < 0.7 else chance.choice(DOCUMENTS)
    text = texts[path]
    ways = chance.choice((("tree",), ("sound guards",), ("guards",), chance.choices(list(SPOILS), k=2)))
    for way in ways:
        text = SPOILS[way](text or "a: b\n", chance)
    return path.name, text.encode("utf-8", "surrogateescape")
