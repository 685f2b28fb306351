"""The keys of a flow document whose values are names: of nodes, fields, records, tools and events.

The index, completion and rename of YAML, JSON and the attributes of DyGram read this table.
"""

from __future__ import annotations

from typing import Literal

ReferenceKind = Literal["node", "address", "record", "tool", "event", "input"]
"""What a name may mean. An address is a record, or a field as `record.field`."""

REFERENCES: dict[tuple[str, str], ReferenceKind] = {
    ("Flow", "start"): "node",
    ("Scope", "start"): "node",
    ("Transition", "to"): "node",
    ("Transition", "call"): "node",
    ("Node", "once"): "node",
    ("Offer", "scope"): "node",
    ("Schedule", "call"): "node",
    ("Schedule", "offer"): "node",
    ("Commands", "start"): "node",
    ("Collect", "fields"): "address",
    ("Node", "reads"): "address",
    ("Node", "writes"): "address",
    ("FormField", "field"): "address",
    ("Form", "questions"): "address",
    ("Form", "into"): "address",
    ("Tool", "into"): "address",
    ("ToolWork", "into"): "address",
    ("Scope", "into"): "address",
    ("OptionsFrom", "list"): "address",
    ("Scope", "inherits"): "record",
    ("Scope", "returns"): "record",
    ("Field", "of"): "record",
    ("ToolWork", "name"): "tool",
    ("ToolPolicy", "allow"): "tool",
    ("ToolPolicy", "deny"): "tool",
    ("SequencePosition", "tools"): "tool",
    ("Transition", "event"): "event",
}
"""What the value of a key names, or each value of its list, by class and key: `("Flow", "start")` names a node."""
NAME_TABLES: dict[tuple[str, str], tuple[ReferenceKind | None, ReferenceKind | None]] = {
    ("Node", "set"): ("address", None),
    ("Node", "set_on_leave"): ("address", None),
    ("Transition", "set"): ("address", None),
    ("ToolPolicy", "into"): ("tool", "address"),
}
"""What the keys and what the values of a table name, by class and key; `None` where they are no names."""
EXPRESSION_KEYS = frozenset(
    (
        ("Field", "value"),
        ("Node", "set"),
        ("Node", "set_on_leave"),
        ("Transition", "set"),
        ("Transition", "with"),
        ("Offer", "with"),
        ("ToolWork", "with"),
    )
)
"""The keys with expressions of the guard language, beside those whose kind is a guard."""
SECTION_OF: dict[ReferenceKind, str] = {"node": "nodes", "record": "records", "tool": "tools", "event": "events"}
"""The section of a document that declares what a reference names, by kind of reference."""
