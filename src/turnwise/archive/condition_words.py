"""A condition of a flow in words: titles of fields in place of addresses, values as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from turnwise.core.addresses import local_name, scope_of
from turnwise.core.candidates import Guard
from turnwise.core.formatting import readable
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.trace import Decision, Group, Leaf, Verdict
from turnwise.core.values import Value
from turnwise.flow.guard import GuardError, parse, text_of
from turnwise.flow.guard import syntax as s
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Field

_SIGNS = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥"}
CONDITIONS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "and": "and",
        "or": "or",
        "not": "not {what}",
        "known": "{what} is known",
        "unknown": "{what} is not known",
        "unset": "not known",
        "is": "is {value}",
        "yes": "Yes",
        "no": "No",
        "contains": "“{value}” in {what}",
        "contains message.text": "“{value}” in the message",
        "matches": "the pattern “{value}” in {what}",
        "matches message.text": "the pattern “{value}” in the message",
        "size": "number of {what}",
        "used": "“{what}” was used",
        "not used": "“{what}” was not used",
        "used lately": "“{what}” was among the last {value} tools",
        "not used lately": "“{what}” was not among the last {value} tools",
        "count": "number of uses of “{what}”",
        "ended with": "the last tools were {what}",
        "tools.last": "the tool that was used last",
        "form.status": "status of the form",
        "form.progress": "progress of the form",
        "message.text": "the message",
        "message.since_entry": "a message since this step began",
        "scope.outcome": "how the inner conversation ended",
        "person.outcome": "how the person ended it",
        "turns": "turns in this step",
        "visits": "visits of this step",
    },
    "de": {
        "and": "und",
        "or": "oder",
        "not": "nicht {what}",
        "known": "{what} ist bekannt",
        "unknown": "{what} ist nicht bekannt",
        "unset": "nicht bekannt",
        "is": "ist {value}",
        "yes": "Ja",
        "no": "Nein",
        "contains": "„{value}“ in {what}",
        "contains message.text": "„{value}“ in der Nachricht",
        "matches": "das Muster „{value}“ in {what}",
        "matches message.text": "das Muster „{value}“ in der Nachricht",
        "size": "Anzahl von {what}",
        "used": "„{what}“ wurde benutzt",
        "not used": "„{what}“ wurde nicht benutzt",
        "used lately": "„{what}“ war unter den letzten {value} Werkzeugen",
        "not used lately": "„{what}“ war nicht unter den letzten {value} Werkzeugen",
        "count": "Anzahl der Aufrufe von „{what}“",
        "ended with": "die letzten Werkzeuge waren {what}",
        "tools.last": "das zuletzt benutzte Werkzeug",
        "form.status": "Stand des Formulars",
        "form.progress": "Fortschritt des Formulars",
        "message.text": "die Nachricht",
        "message.since_entry": "eine Nachricht seit Beginn dieses Schritts",
        "scope.outcome": "Ausgang des inneren Gesprächs",
        "person.outcome": "Ausgang beim Menschen",
        "turns": "Runden in diesem Schritt",
        "visits": "Besuche dieses Schritts",
    },
}
"""The words of conditions, by the languages of the page; names with a dot, `turns` and `visits` are those of guards."""
_SCOPES = late_pattern(r"(?:[A-Za-z_]\w*/)+(?=[A-Za-z_]\w*\.)")
"""The scopes around the name of a field, as decisions write it: `survey/answers.mood`."""


class ConditionWords:
    """Writes conditions of a flow in the words of a language (`words`); with a state also the values of fields."""

    def __init__(
        self,
        machine: Machine,
        state: State | None,
        addresses: Iterable[str],
        words: Mapping[str, str],
        *,
        shows_now: bool = True,
    ) -> None:
        self.machine = machine
        self.state = state
        self.words = words
        self.shown = state if shows_now else None
        """The state whose values of fields are shown beside their titles; `None` to show none."""
        self.addresses = {local_name(address): address for address in addresses}

    def text(self, expression: s.Expression) -> str:
        """Return a condition in words, with the values that it reads: `Damage ≥ €2,000.00 (is €1,279.00)`."""
        return self._text(expression, is_inner=False)

    def _text(self, of: s.Expression, *, is_inner: bool) -> str:
        match of:
            case s.Logic(op, parts):
                joint = f" {self.words['and' if op == '&&' else 'or']} "
                joined = joint.join(self._text(part, is_inner=True) for part in parts)
                return f"({joined})" if is_inner else joined
            case s.Not(inner):
                found = self._known(inner, is_negated=True) or self._used(inner, "not ")
                return found or self.words["not"].replace("{what}", self._text(inner, is_inner=True))
            case s.Binary(op, left, right) if op in ("==", "!=", "<", "<=", ">", ">="):
                return self._compared(op, left, right)
            case s.Select():
                return self._side(of)
            case s.Call("contains" | "matches" as name, (s.Literal(value=str() as part),), whole) if whole is not None:
                return self._found_in(name, _unfolded(whole), part)
            case _:
                return self._known(of, is_negated=False) or self._side(of)

    def _found_in(self, how: str, whole: s.Expression, part: str) -> str:
        """Return `“gift” in Note` for a test whether a text has a part, or a match of a pattern."""
        template = self.words.get(f"{how} {text_of(whole)}", self.words[how])
        return template.replace("{what}", self._side(whole)).replace("{value}", part)

    def _known(self, of: s.Expression, *, is_negated: bool) -> str:
        """Return `Purpose is known` for a test whether a field has a value; empty for anything else."""
        if not isinstance(of, s.Call) or of.name != "has" or len(of.args) != 1:
            return ""
        address = self._address(of.args[0])
        key = "unknown" if is_negated else "known"
        return self.words[key].replace("{what}", self._label(address)) if address else ""

    def _compared(self, op: str, left: s.Expression, right: s.Expression) -> str:
        address, sign = self._address(left), _SIGNS.get(op, op)
        if not address and isinstance(left, s.Call) and left.name == "size":
            return f"{self._size_label(left)} {sign} {self._side(right)}{self._size_now(left)}"
        if not address:
            return f"{self._side(left)} {sign} {self._side(right)}"
        field = self.machine.fields[address]
        if isinstance(right, s.Literal) and right.value is not None and not field.secret:
            value = self._written(field, right.value)
        else:
            value = self._side(right)
        return f"{self._label(address)} {sign} {value}{self._now(address)}"

    def _side(self, of: s.Expression) -> str:
        address = self._address(of)
        if address:
            return f"{self._label(address)}{self._now(address)}"
        if isinstance(of, s.Call) and of.name == "size":
            return self._size_label(of) + self._size_now(of)
        if used := self._used(of):
            return used
        text = of.value if isinstance(of, s.Literal) and isinstance(of.value, str) else text_of(of)
        return self.words.get(text, text)

    def _used(self, of: s.Expression, negated: str = "") -> str:
        """Return `“web search” was used` for what a condition asks of the tools that were used, or, with `not ` as
        `negated`, that one was not; empty for anything else.
        """
        match of:
            case s.Call("used", (s.Literal(value=str() as tool),), s.Name("tools"), ()):
                return self.words[f"{negated}used"].replace("{what}", self._tool(tool))
            case s.Call("used", (s.Literal(value=str() as tool),), s.Name("tools"), ((_, s.Literal(value=count)),)):
                words = self.words[f"{negated}used lately"]
                return words.replace("{what}", self._tool(tool)).replace("{value}", str(count))
            case s.Call("ended_with", (s.Sequence(items),), s.Name("tools")) if not negated:
                tools = [self._tool(str(one.value)) for one in items if isinstance(one, s.Literal)]
                return self.words["ended with"].replace("{what}", ", ".join(tools))
            case s.Call("count", (s.Literal(value=str() as tool),), s.Name("tools")) if not negated:
                return self.words["count"].replace("{what}", self._tool(tool))
            case _:
                return ""

    def _tool(self, name: str) -> str:
        linked = self.machine.tools.get(name)
        return (linked.tool.title if linked is not None else "") or local_name(name).replace("_", " ")

    def _sized(self, of: s.Call) -> str:
        """Return the address of the field whose size is taken; empty for anything else."""
        (whole,) = (of.of,) if of.of is not None else of.args
        return self._address(whole)

    def _size_label(self, of: s.Call) -> str:
        """Return `number of groups` for the size of a field."""
        address = self._sized(of)
        return self.words["size"].replace("{what}", self._label(address)) if address else text_of(of)

    def _size_now(self, of: s.Call) -> str:
        """Return the present size of a field in parentheses; of a secret one nothing."""
        address = self._sized(of)
        if not address or self.shown is None or self.machine.fields[address].secret:
            return ""
        found = self.shown.values.get(address)
        value: Value | None = found.value if found is not None else None
        if not isinstance(value, list | str):
            return ""
        return f" ({self.words['is'].replace('{value}', str(len(value)))})"

    def _address(self, of: s.Expression) -> str:
        return self.addresses.get(text_of(of), "") if isinstance(of, s.Select) else ""

    def _label(self, address: str) -> str:
        return self.machine.short_title(address)

    def _now(self, address: str) -> str:
        """Return the present value of a field in parentheses; of a secret one nothing."""
        field = self.machine.fields[address]
        if field.secret or self.shown is None:
            return ""
        found = self.shown.values.get(address)
        value = found.value if found is not None else field.default
        if value is None:
            return f" ({self.words['unset']})"
        return f" ({self.words['is'].replace('{value}', self._written(field, value))})"

    def _written(self, field: Field, value: Value) -> str:
        """Return a value of a field as people read it, at times in UTC without a state."""
        if isinstance(value, bool):
            return self.words["yes" if value else "no"]
        return readable(self.machine.language, self.state.time_zone if self.state is not None else "UTC", field, value)


def _unfolded(of: s.Expression) -> s.Expression:
    """Return a text without the change to lower case that only makes a comparison ignore case."""
    return of.of if isinstance(of, s.Call) and of.name == "lower" and of.of is not None else of


def condition_in_words(machine: Machine, state: State, guard: Guard, words: Mapping[str, str]) -> str:
    """Return a condition with the values that it reads, in the `words` of a language (by key)."""
    addresses = [ref.address for ref in guard.refs if ref.address]
    return ConditionWords(machine, state, addresses, words).text(guard.expression)


def rule_in_words(
    machine: Machine, state: State | None, node: str, rule: str, words: Mapping[str, str], *, shows_now: bool = True
) -> str:
    """Return the text of a rule, as a decision at a node names it, in words; unchanged if it is no condition. With
    `shows_now` values of the state are added.
    """
    try:
        expression = parse(_SCOPES.sub("", rule))
    except GuardError:
        return rule
    inside = scope_of(node)
    near = sorted(machine.fields, key=lambda address: scope_of(address) == inside)
    return ConditionWords(machine, state, near, words, shows_now=shows_now).text(expression)


def conditions_of(machine: Machine, decision: Decision, words: Mapping[str, str]) -> dict[str, str]:
    """Return the conditions of a decision's candidates, and the names of values in them, each in words, by their text
    in the decision. Those that stay unchanged in words are left out.
    """
    rules: dict[str, None] = {}
    for candidate in decision.candidates:
        rules |= dict.fromkeys(candidate.in_words)
        rules |= dict.fromkeys(change.name for change in candidate.changed)
        rules |= dict.fromkeys(_texts(candidate.verdict) if candidate.verdict is not None else ())
    found = {rule: rule_in_words(machine, None, decision.node, rule, words, shows_now=False) for rule in rules}
    return {rule: text for rule, text in found.items() if text != rule}


def _texts(verdict: Verdict) -> Iterator[str]:
    """Yield the conditions of a guard, and the names of the values that they read."""
    if isinstance(verdict, Group):
        for part in verdict.parts:
            yield from _texts(part)
            if verdict.op == "not" and isinstance(part, Leaf):
                yield f"!({part.text})"
    else:
        yield from (verdict.text, *[operand.name for operand in verdict.operands])
