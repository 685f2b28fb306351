"""A condition of a flow in words: titles of fields in place of addresses, values as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from turnwise.core.addresses import local_name, scope_of
from turnwise.core.candidates import Guard
from turnwise.core.locale import written_for_user
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.values import Value
from turnwise.flow.guard import GuardError, parse, text_of
from turnwise.flow.guard import syntax as s
from turnwise.flow.late_pattern import late_pattern

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
        "contains": "“{value}” in {what}",
        "size": "number of {what}",
        "form.status": "status of the form",
        "form.progress": "progress of the form",
        "message.text": "the message",
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
        "contains": "„{value}“ in {what}",
        "size": "Anzahl von {what}",
        "form.status": "Stand des Formulars",
        "form.progress": "Fortschritt des Formulars",
        "message.text": "der Nachricht",
        "turns": "Runden in diesem Schritt",
        "visits": "Besuche dieses Schritts",
    },
}
"""The words of conditions, by the languages of the page; names with a dot, `turns` and `visits` are those of guards."""
_SCOPES = late_pattern(r"(?:[A-Za-z_]\w*/)+(?=[A-Za-z_]\w*\.)")
"""The scopes around the name of a field, as decisions write it: `survey/answers.mood`."""


class ConditionWords:
    """Writes conditions over the fields of a state in the words of a language (`words`)."""

    def __init__(
        self,
        machine: Machine,
        state: State,
        addresses: Iterable[str],
        words: Mapping[str, str],
        *,
        shows_now: bool = True,
    ) -> None:
        self.machine = machine
        self.state = state
        self.words = words
        self.shows_now = shows_now
        """Whether the present values of fields are shown."""
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
                found = self._known(inner, is_negated=True)
                return found or self.words["not"].replace("{what}", self._text(inner, is_inner=True))
            case s.Binary(op, left, right) if op in ("==", "!=", "<", "<=", ">", ">="):
                return self._compared(op, left, right)
            case s.Select():
                return self._side(of)
            case s.Call("contains", (s.Literal(value=str() as part),), whole) if whole is not None:
                return self.words["contains"].replace("{what}", self._side(_unfolded(whole))).replace("{value}", part)
            case _:
                return self._known(of, is_negated=False) or self._side(of)

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
            value = written_for_user(self.machine, self.state, field, right.value)
        else:
            value = self._side(right)
        return f"{self._label(address)} {sign} {value}{self._now(address)}"

    def _side(self, of: s.Expression) -> str:
        address = self._address(of)
        if address:
            return f"{self._label(address)}{self._now(address)}"
        if isinstance(of, s.Call) and of.name == "size":
            return self._size_label(of) + self._size_now(of)
        text = text_of(of)
        return self.words.get(text, text)

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
        found = self.state.values.get(address) if address else None
        value: Value | None = found.value if found is not None else None
        if (
            not address
            or not self.shows_now
            or self.machine.fields[address].secret
            or not isinstance(value, list | str)
        ):
            return ""
        return f" ({self.words['is'].replace('{value}', str(len(value)))})"

    def _address(self, of: s.Expression) -> str:
        return self.addresses.get(text_of(of), "") if isinstance(of, s.Select) else ""

    def _label(self, address: str) -> str:
        return self.machine.short_title(address)

    def _now(self, address: str) -> str:
        """Return the present value of a field in parentheses; of a secret one nothing."""
        field, found = self.machine.fields[address], self.state.values.get(address)
        if field.secret or not self.shows_now:
            return ""
        value = found.value if found is not None else field.default
        if value is None:
            return f" ({self.words['unset']})"
        return f" ({self.words['is'].replace('{value}', written_for_user(self.machine, self.state, field, value))})"


def _unfolded(of: s.Expression) -> s.Expression:
    """Return a text without the change to lower case that only makes a comparison ignore case."""
    return of.of if isinstance(of, s.Call) and of.name == "lower" and of.of is not None else of


def condition_in_words(machine: Machine, state: State, guard: Guard, words: Mapping[str, str]) -> str:
    """Return a condition in the words of a language, with the values that it reads."""
    addresses = [ref.address for ref in guard.refs if ref.address]
    return ConditionWords(machine, state, addresses, words).text(guard.expression)


def rule_in_words(
    machine: Machine, state: State, rule: str, words: Mapping[str, str], *, shows_now: bool = True
) -> str:
    """Return the text of a rule in words, with the values that it reads; unchanged if it is no condition."""
    try:
        expression = parse(_SCOPES.sub("", rule))
    except GuardError:
        return rule
    inside = scope_of(state.node)
    near = sorted(machine.fields, key=lambda address: scope_of(address) == inside)
    return ConditionWords(machine, state, near, words, shows_now=shows_now).text(expression)
