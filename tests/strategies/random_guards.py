"""Random guards over the fields and roots of a machine: the whole language, well-typed, not sensible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from strategies.chance import Chance
from turnwise.flow.model import Condition, Field, Guard

WORDS = ("a", "ab", "b", "hello", "gold", "42", "7")
DAYS = ("2026-01-01", "2026-06-15", "2026-11-20")
SPANS = ("90s", "1h", "2h", "1d")
CLOCKS = ("09:30", "10:00", "23:59")
FORM_STATUSES = ("collecting", "awaiting_confirmation", "confirmed", "stopped", "cancelled", "handed_off")
FAULTS = ("model", "guard", "write", "limit")
_COMPARED = ("==", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class Known:
    """What guards of a machine may name: fields by address, nodes, tools."""

    fields: dict[str, Field]
    nodes: Sequence[str]
    tools: Sequence[str]

    def addresses(self, *types: str) -> list[str]:
        """The fields of some types."""
        return [address for address, field in self.fields.items() if field.type in types]


def guard_text(chance: Chance, known: Known, leaves: int = 3) -> str:
    """Any guard, as text."""
    if leaves <= 1 or chance.is_lucky(0.4):
        return _leaf(chance, known)
    one, two = guard_text(chance, known, leaves // 2), guard_text(chance, known, leaves - leaves // 2)
    match chance.weighed({"&&": 4, "||": 4, "!": 2, "?": 1}):
        case "!":
            return f"!({one})"
        case "?":
            return f"({_leaf(chance, known)} ? {one} : {two})"
        case joint:
            return f"({one} {joint} {two})"


def conditions(chance: Chance, known: Known, *, has_sequence: bool) -> tuple[Condition, ...]:
    """One to three condition objects of seed 001."""
    kinds = ["tool_used", "not_recently_used", "message_contains", "message_starts_with", "message_regex"]
    kinds += ["sequence_match"] if has_sequence else []
    return tuple(_condition(chance, known, kind) for kind in chance.some(kinds, 1, 2))


def _condition(chance: Chance, known: Known, kind: str) -> Condition:
    match kind:
        case "tool_used":
            return Condition(kind, chance.choice(known.tools))
        case "not_recently_used":
            return Condition(kind, chance.choice(known.tools), window=chance.randint(1, 4))
        case "sequence_match":
            return Condition(kind)
        case "message_regex":
            return Condition(kind, chance.choice(("[0-9]+", "^(yes|no)$", "b")))
        case _:
            return Condition(kind, chance.choice(WORDS))


def when(chance: Chance, known: Known, *, has_sequence: bool = False) -> Guard:
    """A guard as authors write it: text, or now and then condition objects."""
    if chance.is_lucky(0.2 if not has_sequence else 0.6):
        return conditions(chance, known, has_sequence=has_sequence)
    return guard_text(chance, known)


# leaves -------------------------------------------------------------------------------------------


def _leaf(chance: Chance, known: Known) -> str:
    kind = chance.weighed({"field": 6, "root": 3, "rich": 1, "wrong": 0.6, "constant": 0.4})
    match kind:
        case "field":
            return field_leaf(chance, known)
        case "root":
            return chance.choice(_ROOTS)(chance, known)
        case "rich":
            return chance.choice(_RICH)
        case "wrong":
            return _wrong(chance, known)
        case _:
            return chance.choice(("true", "false", "1 + 1 == 2"))


def field_leaf(chance: Chance, known: Known) -> str:
    """A condition on one field."""
    address = chance.choice(list(known.fields))
    if chance.is_lucky(0.25):
        return chance.choice(("has({})", "!has({})", "{}", '{} == ""', '{} != ""')).format(address)
    return _BY_TYPE[known.fields[address].type](chance, known, address)


def _wrong(chance: Chance, known: Known) -> str:
    """A condition that is in error for many values."""
    options = ["1 / 0 > 2"]
    options += [f"10 / {address} > 2" for address in known.addresses("integer")]
    options += [f"int({address}) > 3" for address in known.addresses("string")]
    return chance.choice(options)


def _numeric(chance: Chance, known: Known, address: str) -> str:
    others = [str(chance.randint(-3, 40)), "1.5", *known.addresses("integer", "number")]
    left = chance.choice((address, address, f"({address} + 1)", f"({address} * 2)", f"-{address}"))
    return f"{left} {chance.choice(_COMPARED)} {chance.choice(others)}"


def _whole(chance: Chance, known: Known, address: str) -> str:
    if chance.is_lucky(0.2):
        return f"{address} % 3 == {chance.randint(0, 2)}"
    if chance.is_lucky(0.2):
        return f"{address} in [1, 7, {chance.randint(2, 40)}]"
    return _numeric(chance, known, address)


def _text(chance: Chance, known: Known, address: str) -> str:
    word = f'"{chance.choice(WORDS)}"'
    shapes = (
        "{a} {c} {w}", "{a}.contains({w})", "{a}.startsWith({w})", "{a}.endsWith({w})", "{a}.lower() == {w}",
        '{a}.matches("^[a-z]+$")', "size({a}) {c} 3", '{a} in ["hello", {w}]', "({a} + {w}).size() > 4",
    )  # fmt: skip
    return chance.choice(shapes).format(a=address, w=word, c=chance.choice(_COMPARED))


def _choice(chance: Chance, known: Known, address: str) -> str:
    options = [option.value for option in known.fields[address].options]
    shape = chance.choice(('{} == "{}"', '{} != "{}"', '{} in ["{}"]'))
    return shape.format(address, chance.choice(options))


def _flag(chance: Chance, known: Known, address: str) -> str:
    return chance.choice(("{}", "!{}", "{} == true", "{} != true")).format(address)


def _day(chance: Chance, known: Known, address: str) -> str:
    if chance.is_lucky(0.2):
        return f"{address}.getMonth() == {chance.randint(0, 11)}"
    if chance.is_lucky(0.3):
        shapes = (f"{address} < today", f'today - {address} > duration("3d")', f'{address} + duration("1d") > today')
        return chance.choice(shapes)
    return f'{address} {chance.choice(_COMPARED)} "{chance.choice(DAYS)}"'


def _moment(chance: Chance, known: Known, address: str) -> str:
    shapes = (f"{address} < now", f'now - {address} > duration("1h")', f'{address} + duration("2h") > now')
    plain = f'{address} {chance.choice(_COMPARED)} "{chance.choice(DAYS)}"'
    return chance.choice((*shapes, plain, f"date({address}) == today", f"{address}.getMonth() == 3"))


def _span(chance: Chance, known: Known, address: str) -> str:
    return f'{address} {chance.choice(_COMPARED)} "{chance.choice(SPANS)}"'


def _clock(chance: Chance, known: Known, address: str) -> str:
    shapes = (f'{address} + duration("90m") > "12:00"', f"{address} > time(now)", f"{address}.getHours() > 11")
    return chance.choice((f'{address} {chance.choice(_COMPARED)} "{chance.choice(CLOCKS)}"', *shapes))


def _list(chance: Chance, known: Known, address: str) -> str:
    if chance.is_lucky(0.4):
        return f"size({address}) {chance.choice(_COMPARED)} {chance.randint(0, 3)}"
    if known.fields[address].of == "part":
        inner = chance.choice(('g.size == "Large"', "has(g.kind)", f"g.count > {chance.randint(0, 5)}"))
        if chance.is_lucky(0.3):
            shapes = ("{a}[0].count > 2", '{a}[1].size == "Small"', "{a}.map(g, default(g.count, 1)).sum() > 4")
            return chance.choice(shapes).format(a=address)
    elif known.fields[address].of == "integer":
        inner = f"g {chance.choice(_COMPARED)} {chance.randint(0, 9)}"
    else:
        words = [option.value for option in known.fields[address].options] or WORDS
        if chance.is_lucky(0.4):
            return f'"{chance.choice(words)}" in {address}'
        inner = f'g == "{chance.choice(words)}"'
    return chance.choice(("{a}.exists(g, {i})", "{a}.all(g, {i})", "size({a}.filter(g, {i})) >= 1")).format(
        a=address, i=inner
    )


_BY_TYPE: dict[str, Callable[[Chance, Known, str], str]] = {
    "integer": _whole,
    "number": _numeric,
    "boolean": _flag,
    "string": _text,
    "email": _text,
    "phone": _text,
    "choice": _choice,
    "date": _day,
    "datetime": _moment,
    "duration": _span,
    "time": _clock,
    "list": _list,
}

_RICH = (
    "default(user.score, 0) > 1",
    'default(user.note, user.name) == "gold"',
    "default(user.member, false)",
    "size(default(visit.tags, [])) > 1",
    "(user.member ? user.age : 7) > 3",
    "(user.age > 3 ? user.score : 0.5) < user.age + 1.5",
    'visit.at.getHours("Europe/Berlin") > 3',
    "user.score / 2 > 1 || user.score - 1 < 0",
    "int(user.score) % 2 == 0",
    "double(user.note) > 1.5",
    "string(user.age) == user.note",
    "timestamp(user.note) < now",
    "datetime(visit.day, visit.clock) < visit.at",
    "yearsBetween(visit.day, today) > 0",
    'visit.tags.exists(g, visit.pets.exists(h, h == g || g == "a"))',
    "visit.ints.filter(g, g > user.age).size() > 0",
    "size(visit.tags + visit.pets) > 3",
    "user.note in visit.tags",
    "visit.wait.getMinutes() > 5 && visit.day.getFullYear() == 2026",
    "visit.tags == visit.pets",
    "user.name + user.note != user.note + user.name",
)
"""Conditions on several fields, conversions, choices between terms."""

_ROOTS: tuple[Callable[[Chance, Known], str], ...] = (
    lambda chance, known: f'tools.used("{chance.choice(known.tools)}")',
    lambda chance, known: f'tools.used("{chance.choice(known.tools)}", within: {chance.randint(1, 5)})',
    lambda chance, known: f'tools.count("{chance.choice(known.tools)}") >= {chance.randint(1, 3)}',
    lambda chance, known: f'tools.last == "{chance.choice(known.tools)}"',
    lambda chance, known: 'tools.ended_with(["{}", "{}"])'.format(*chance.choices(known.tools, k=2)),
    lambda chance, known: f'message.text.contains("{chance.choice(WORDS)}")',
    lambda chance, known: "has(message.text)",
    lambda chance, known: 'message.button == "yes"',
    lambda chance, known: f'visits("{chance.choice(known.nodes)}") >= {chance.randint(1, 3)}',
    lambda chance, known: f"turns {chance.choice(_COMPARED)} {chance.randint(0, 3)}",
    lambda chance, known: f"errors >= {chance.randint(1, 2)}",
    lambda chance, known: f'form.status == "{chance.choice(FORM_STATUSES)}"',
    lambda chance, known: f'error.kind == "{chance.choice(FAULTS)}"',
    lambda chance, known: 'has(error.message) && error.message != "x"',
    lambda chance, known: f'now > "{chance.choice(DAYS)}"',
)
