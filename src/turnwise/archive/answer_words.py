"""In which words an answer is written: the language of its sentences, and titles or ids for what a flow has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from turnwise.archive.condition_words import CONDITIONS, rule_in_words
from turnwise.archive.conversation_names import title_of_node
from turnwise.core.decision.dropped import tool_in_words
from turnwise.core.locale import written_for_user
from turnwise.core.machine import Machine
from turnwise.core.phrase import Writer
from turnwise.core.state import State
from turnwise.errors import WrongArgument
from turnwise.flow.model import Field
from turnwise.why.languages import LANGUAGES, texts_in


class AnswerWords(NamedTuple):
    """The words of an answer."""

    language: str = "en"
    """The code of its language, one of `LANGUAGES`."""
    has_titles: bool = False
    """Whether nodes, fields, tools, conditions and values stand as people call and write them, not as the flow does."""

    def writer(self, machine: Machine, state: State) -> Writer:
        """Return what writes an answer about a conversation. Raises `WrongArgument` for another language."""
        if self.language not in LANGUAGES:
            raise WrongArgument("language", self.language, f"one of {', '.join(LANGUAGES)}")

        texts = texts_in(self.language)
        if not self.has_titles:
            return Writer(self.language, texts)
        return Writer(self.language, texts, _Titles(machine, state, self.language).of)


ENGLISH = AnswerWords()
"""The words of an answer that asks for no others."""


class _Titles(NamedTuple):
    """Names of a flow as people call them."""

    machine: Machine
    state: State
    language: str

    def of(self, kind: str, value: Any, beside: Mapping[str, Any]) -> str | None:
        """Return what people call a value of some name, such as `node`; `None` for what is written as it stands.
        `beside` are the values in the same sentence.
        """
        if kind in _VALUES:
            field = self._field(str(beside.get("field") or beside.get("name") or ""))
            return self._value(field, value) if field is not None else None
        if type(value) is not str:
            return None
        if kind in _RULES:
            return rule_in_words(self.machine, self.state, value, CONDITIONS[self.language], shows_now=False)
        if kind in _FIELDS and value in self.machine.fields:
            return self.machine.short_title(value)
        if kind in _NODES and value in self.machine.nodes:
            return title_of_node(self.machine, value)
        if kind in _TOOLS and value in self.machine.tools:
            return tool_in_words(self.machine.tools[value].tool)
        return None

    def _field(self, address: str) -> Field | None:
        return self.machine.fields.get(address)

    def _value(self, field: Field, value: Any) -> str | None:
        """Return the value of a field as people write it: the label of an option, yes or no, a number with its unit."""
        stored = _stored(field, value)
        return written_for_user(self.machine, self.state, field, stored) if stored is not None else None


def _stored(field: Field, value: Any) -> Any:
    """Return the value that a text of a fact stands for, where it is no text to be quoted."""
    if field.secret or type(value) is not str:
        return value if type(value) in (bool, int, float) and not field.secret else None
    if field.type == "boolean":
        return {"true": True, "false": False}.get(value)
    if field.type == "choice":
        return value if any(one.value == value for one in field.options) else None
    if field.type in ("integer", "number"):
        try:
            return float(value) if field.type == "number" else int(value)
        except ValueError:
            return None
    return value if field.type == "date" else None


_VALUES = frozenset(("value", "before", "given", "theirs"))
_RULES = frozenset(("rule", "ways"))
_FIELDS = frozenset(
    (
        *("field", "fields", "name", "names", "missing", "unasked", "next", "first", "after", "also", "answered"),
        *("of", "what", "given"),
    )
)
_NODES = frozenset(
    (
        *("node", "nodes", "target", "name", "names", "now", "scope", "node", "been", "nodes", "entered"),
        *("agent", "rules", "code", "before"),
    )
)
_TOOLS = frozenset(("tool", "tools", "name", "names", "calls", "offered", "others", "what"))
