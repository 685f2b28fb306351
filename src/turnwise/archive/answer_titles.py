"""What stands in an answer for the names and values of a flow: titles, labels of options, conditions in words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from turnwise.archive.condition_words import CONDITIONS, rule_in_words
from turnwise.archive.conversation_names import title_of_node
from turnwise.archive.named_words import NAMED_WORDS
from turnwise.core.addresses import local_name
from turnwise.core.formatting import readable
from turnwise.core.guards.types import value_text
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.values import item_field
from turnwise.core.values.json_data import as_list, as_object
from turnwise.flow.model import Field
from turnwise.why.item_names import item_name


class StoredValue(str):
    """The JSON text of a stored value, with the value itself, so that it can be written for people."""

    __slots__ = ("value",)
    value: Any
    """The value, as JSON has it."""


def stored_value(value: Any) -> StoredValue:
    """Return the JSON text of a stored value."""
    found = StoredValue(json.dumps(value, ensure_ascii=False, default=str))
    found.value = value
    return found


class AnswerTitles(NamedTuple):
    """Finds the titles for people of names in a flow, for answers in a language."""

    machine: Machine
    """The machine of the flow that has the names."""
    state: State | None
    """The state that has the values; `None` where it is not known."""
    language: str
    """The code of the answer's language, such as `de`."""
    conversations: Mapping[str, str] = MappingProxyType({})
    """What conversations are called, by their ids."""

    def title(self, kind: str, value: Any, beside: Mapping[str, Any]) -> str | None:
        """Return the title for people of a value of some kind, such as `node`; `None` to write the value unchanged.
        `beside` are all values of the phrase that has this one, by name.
        """
        if kind in _VALUES or type(value) is StoredValue:
            return self._value(value, beside)
        if not kind or type(value) is not str:
            return None
        if kind in _CONVERSATIONS and value in self.conversations:
            return self.conversations[value]
        if kind == "item" or beside.get("kind") == "item":
            return self._item(value)
        if kind in _WORDS_OF_USERS:
            return None
        words = NAMED_WORDS[self.language].get(kind, {}).get(value)
        if words is not None:
            return words
        is_transition = kind in _TRANSITIONS or beside.get("kind") in _KINDS_OF_TRANSITIONS
        if kind == "way" and (reason := reasons_of(self.machine).get(value, "")):
            return _RULE[self.language].format(reason)
        named = self._named(value, is_transition=is_transition)
        if named is None and kind in _RULES and self.state is not None:
            words = CONDITIONS[self.language]
            return rule_in_words(self.machine, self.state, self.state.node, value, words, shows_now=False)
        return named

    def _named(self, name: str, *, is_transition: bool) -> str | None:
        """Return what a part of the flow is called; `None` for what is no name of one."""
        if name in self.machine.fields:
            return self.machine.short_title(name)
        if is_transition and name in self.machine.transitions():
            return self._quoted(name)
        if name in self.machine.nodes and not is_transition:
            return title_of_node(self.machine, name)
        if name in self.machine.tools:
            return self.machine.tools[name].tool.title or self._quoted(name)
        return None

    def _quoted(self, name: str) -> str:
        """Return a name that has no title, in words."""
        return _QUOTED[self.language].format(local_name(name).replace("_", " "))

    def _item(self, value: str) -> str | None:
        """Return what an item is called that is named by its address: `one of the pizzas, size`."""
        found = item_name(value)
        if not found.id or found.field not in self.machine.fields:
            return None
        name = _ONE_OF[self.language].format(self.machine.short_title(found.field))
        return f"{name}, {found.part.replace('_', ' ')}" if found.part else name

    def _field(self, beside: Mapping[str, Any]) -> Field | None:
        """Return the field whose value stands in a phrase with these values, or the part of an item."""
        item = item_name(str(beside.get("item") or ""))
        field = self.machine.fields.get(str(beside.get("field") or item.field))
        if field is None or not item.id:
            return field
        return next((one for one in field.parts if one.name == item.part), None) if item.part else item_field(field)

    def _for_people(self, field: Field | None, value: Any) -> str:
        """Return a stored value as people write it: entries with commas, and parts of an item with their names."""
        if items := as_list(value):
            item = item_field(field) if field is not None else None
            return ", ".join([self._for_people(item, one) for one in items])
        if (given := as_object(value)) is not None:
            parts = {one.name: one for one in field.parts} if field is not None else {}
            named = [(name.replace("_", " "), self._for_people(parts.get(name), one)) for name, one in given.items()]
            return ", ".join([f"{name} {text}" for name, text in named])
        if isinstance(value, bool):
            return CONDITIONS[self.language]["yes" if value else "no"]
        if field is None or field.type in ("datetime", "time"):  # their zone is not known here
            return value_text(value)
        return readable(self.machine.language, "UTC", field, value)

    def _value(self, value: Any, beside: Mapping[str, Any]) -> str | None:
        """Return the value of a field as people write it: the label of an option, yes or no, a number with its unit."""
        if type(value) is StoredValue:
            return self._for_people(self._field(beside), value.value)
        name = str(beside.get("field") or beside.get("name") or "")
        words = NAMED_WORDS[self.language].get(name, {}).get(str(value))
        if words is not None:
            return words
        field = self.machine.fields.get(name)
        stored = _stored(field, value) if field is not None else None
        if field is None or stored is None:
            return None
        if isinstance(stored, bool):
            return CONDITIONS[self.language]["yes" if stored else "no"]
        return readable(self.machine.language, "UTC", field, stored)  # no time of day is among these


def reasons_of(machine: Machine) -> Mapping[str, str]:
    """Return the reasons of transitions by their names, of those that have one which no other transition has."""
    key = ("titles", "reasons")
    if key not in machine.explain_cache:
        found = {(one.id, one.because.rstrip(".")) for one in machine.all_candidates()}
        ids, reasons = Counter(id_ for id_, _ in found), Counter(reason for _, reason in found)
        machine.explain_cache[key] = {id_: one for id_, one in found if one and ids[id_] == reasons[one] == 1}
    return machine.explain_cache[key]


def _stored(field: Field, value: Any) -> Any:
    """Return the value that a text of a fact stands for; `None` where it is to be shown as it stands."""
    if field.secret or type(value) is not str:
        return value if type(value) in (bool, int, float) and not field.secret else None
    match field.type:
        case "boolean":
            return {"true": True, "false": False}.get(value)
        case "choice":
            return value if any(one.value == value for one in field.options) else None
        case "integer" | "number":
            return _number(value)
        case _:
            return None


def _number(text: str) -> float | int | None:
    try:
        return int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        return None


_VALUES = frozenset(("value", "before", "given", "theirs"))
"""Names of values of fields."""
_CONVERSATIONS = frozenset(("conversation", "against", "one", "other"))
"""Names of conversations."""
_ONE_OF = {"en": "one of {}", "de": "eins von {}"}
_RULE = {"en": "the rule “{}”", "de": "die Regel „{}“"}
_QUOTED = {"en": "“{}”", "de": "„{}“"}
_RULES = frozenset(("rule", "rules", "ways", "needs"))
"""Names of conditions."""
_TRANSITIONS = frozenset(("transition", "timer", "entered", "by", "id", "way"))
"""Names of transitions, which may be called as nodes are. A `way` is called by its reason, as where it is judged."""
_KINDS_OF_TRANSITIONS = frozenset(("transition", "timer"))
"""Kinds of subjects that are transitions."""
_WORDS_OF_USERS = frozenset(("said", "part", "item", "because", "reason", "topic", "note", "replied", "word", "text"))
"""Names of what people wrote."""
