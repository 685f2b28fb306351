"""Converts a configuration of gates to a flow: one node with a form, and a record with a field for each gate.

A gate whose key is no identifier keeps it on the wire. What a configuration sends to its model is not
taken over: here a model proposes values, and the questions and options say which.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from msgspec import Struct

from turnwise.authoring.seeds.rewriting import (
    Rewriting,
    is_nothing,
    list_of,
    mapping,
    mapping_of_pairs,
    name_from,
    name_of_file,
    place_of_first,
    scalar,
    unique_name,
    without_templates,
)
from turnwise.flow.diagnostic import nearest
from turnwise.flow.located import Items, Located, Pairs, Scalar

_RECORD, _NODE, _PLANNER = "case", "gates", "planner"
_TOP = ("PATH", "GATE_ORDER", "GATES", "POLICY", "CONFIRMATION_BUTTONS")
_FOR_MODELS = "what a model is sent is made from the questions and their options"
_MEANINGLESS = {
    "output_format": "answers are stored typed, whatever a model writes",
    "mode": "a form asks its questions and does nothing else",
    "llm_role": _FOR_MODELS,
    "mandatory_logic": _FOR_MODELS,
    "strict_json_schema": "the schema of an answer is made from the fields",
    "system_instructions": _FOR_MODELS,
    "example_template": _FOR_MODELS,
    "generation_config": "how a model is called is the provider's to say",
}
_PATH = ("workflow", "domain", "strategy")
_GATE = ("question", "required", "expected_categories", "limiting_values", "stop_message", "button_config")
_LONGEST_TITLE = 200


_LOOKS_GOOD, _EDIT = "Looks Good", "Edit Answers"
_CONFIRMING = ("yes", "ok", "okay", "confirm", "proceed", "looks_good", "looks good", "confirm & proceed")
_EDITING = ("edit", "edit answers", "edit_answers", "change", "no")
_BUTTON_LOOKS = "how a button looks and what it calls is the host's to say"
_CONFIG = ("display_labels", "include_other", "other_button", "button_template")
_POLICY: dict[str, tuple[bool, str]] = {
    "allow_user_delete_gate_keys": (False, "an answer can be cleared, a question cannot be removed"),
    "allow_user_clear_values": (True, "a user may always take an answer back"),
    "strict_classified_validation": (True, "an answer that is no category is never stored"),
}


class _Gate(Struct, frozen=True):
    """A gate: its key, the name of its field, and its parts by their keys in lower case."""

    key: Scalar
    name: str
    place: Located
    parts: Mapping[str, Located]

    def part(self, name: str) -> Located | None:
        """Return the value of a key, `None` where it says nothing."""
        found = self.parts.get(name)
        return None if is_nothing(found) else found

    @property
    def address(self) -> str:
        """The field that takes the answer."""
        return f"{_RECORD}.{self.name}"


def are_gates(tree: Located) -> bool:
    """Return whether a tree is a configuration of gates."""
    keys = {key.text.casefold() for key, _ in tree.pairs} if isinstance(tree, Pairs) else set[str]()
    return "flow" not in keys and bool(keys & {"gate_order", "gates"})


def rewrite_gates(tree: Located, file: str) -> Rewriting:
    """Return the flow document for a configuration of gates."""
    found = Rewriting(file, tree)
    parts = _parts(found, tree)
    gates = _ordered(found, tree, parts.get("gate_order"), _gates(found, tree, parts.get("gates")))
    if "policy" in parts:
        _check_policy(found, parts["policy"])
    labels = _confirm_labels(found, parts.get("confirmation_buttons"))
    questions = [_question(found, gate, is_first=number == 0) for number, gate in enumerate(gates)]
    form = mapping(
        tree,
        fields=list_of(parts.get("gate_order", tree), questions),
        confirm=mapping(parts.get("confirmation_buttons", tree), buttons=labels, edit=scalar("first", tree)),
        statement=scalar("".join(_sentence(gate) for gate in gates), tree) if gates else None,
        handoff=scalar(_PLANNER, tree),
    )
    node, record = scalar(_NODE, tree), scalar(_RECORD, tree)
    fields = mapping_of_pairs(
        parts.get("gates", tree), [(_at(gate.name, gate.key), _field(found, gate)) for gate in gates]
    )
    found.document = mapping(
        tree,
        flow=scalar(_name(found, parts.get("path"), file), tree),
        start=node,
        records=mapping_of_pairs(tree, [(record, fields)]),
        nodes=mapping_of_pairs(tree, [(node, mapping(tree, form=form))]),
    )
    return found


# the configuration -------------------------------------------------------------------------------


def _parts(found: Rewriting, tree: Located) -> dict[str, Located]:
    """Return the parts that have a meaning here, by their keys in lower case."""
    parts: dict[str, Located] = {}
    for folded, key, value in found.pairs(tree, "a mapping"):
        if folded in _MEANINGLESS:
            found.report_ignored(key, _MEANINGLESS[folded])
        elif key.text.upper() not in _TOP:
            found.report_unknown(key, "a configuration of gates", _TOP)
        elif not (isinstance(value, Scalar) and value.value is None):
            parts[folded] = value
    return parts


def _name(found: Rewriting, path: Located | None, file: str) -> str:
    """Return the name of the flow: workflow and strategy, else that of its file."""
    words_of_path: dict[str, str] = {}
    for folded, key, value in found.pairs(path, "a mapping") if path is not None else ():
        if folded == "interaction_type":
            found.report_ignored(key, "a flow does not say how it is reached")
        elif folded not in _PATH:
            found.report_unknown(key, "a path", _PATH)
        elif not is_nothing(value):
            words_of_path[folded] = found.text(value) or ""
    words = [words_of_path.get("workflow") or words_of_path.get("domain", ""), words_of_path.get("strategy", "")]
    return name_from("_".join(word for word in words if word), name_of_file(file, "gates"))


def _gates(found: Rewriting, tree: Located, described: Located | None) -> dict[str, _Gate]:
    """Return the gates by their keys."""
    gates: dict[str, _Gate] = {}
    names: dict[str, int] = {}
    if described is None or is_nothing(described):
        found.report("TW013", "the configuration needs 'gates', and has none", described or tree)
        return gates
    for _, key, value in found.pairs(described, "a mapping from keys to gates"):
        name = unique_name(name_from(key.text, f"gate_{len(gates) + 1}"), names)
        parts: dict[str, Located] = {}
        for folded, part, content in found.pairs(value, "a gate: a mapping of question, expected_categories, …"):
            if folded in _GATE:
                parts[folded] = content
            else:
                found.report_unknown(part, "a gate", _GATE)
        gates[key.text] = _Gate(key, name, value, parts)
    return gates


def _ordered(found: Rewriting, tree: Located, order: Located | None, gates: dict[str, _Gate]) -> list[_Gate]:
    """Return the gates in their order; what does not fit together is reported."""
    if order is None:
        found.report("TW013", "the configuration needs 'gate_order', the keys of its gates in order", tree)
        return list(gates.values())
    ordered: dict[str, _Gate] = {}
    places: dict[str, Located] = {}
    for item in found.items(order, "a list of the keys of gates"):
        key = found.text(item)
        if key in ordered:
            found.report("TW017", f"'{key}' stands twice in the order", item, place_of_first(places[key]))
        elif key in gates:
            ordered[key], places[key] = gates[key], item
        elif key is not None and gates:
            found.report("TW020", f"no gate is called '{key}'", item, nearest(key, gates))
    if isinstance(order, Items) and not order.items:
        found.report("TW045", "the order is empty: no gate is ever asked", order)
    for key, gate in gates.items():
        if key not in ordered:
            found.report("TW061", f"'{key}' is never asked: it is not in the order", gate.key)
    return list(ordered.values())


# a gate ------------------------------------------------------------------------------------------


def _at(text: str, place: Located) -> Scalar:
    return Scalar(text, place.line, place.column, text)


def _field(found: Rewriting, gate: _Gate) -> Pairs:
    """Return the field that takes the answer."""
    categories = gate.part("expected_categories")
    if categories is None:
        required = gate.part("required")
        if isinstance(required, Scalar) and required.value is True:
            message = f"'{gate.key.text}' is required and has no categories: any text is an answer"
            found.report("TW062", message, gate.key)
        return mapping(gate.place, type=scalar("string", gate.place))
    kind = scalar("choice", categories)
    return mapping(gate.place, type=kind, options=_categories(found, categories))


def _categories(found: Rewriting, tree: Located) -> Located:
    """Return the categories, each once."""
    if not isinstance(tree, Items):
        return tree
    kept: dict[str, Located] = {}
    for number, item in enumerate(tree.items):
        name = item.text.strip().casefold() if isinstance(item, Scalar) else str(number)
        if name in kept:
            found.report("TW062", f"the category {name!r} stands twice", item, place_of_first(kept[name]))
        else:
            kept[name] = item
    return list_of(tree, kept.values())


def _question(found: Rewriting, gate: _Gate, *, is_first: bool) -> Pairs:
    """Return a gate as a question of the form. A model never reads the first."""
    question = gate.part("question")
    if question is not None and not isinstance(question, Scalar):
        found.report_wrong(question, "a text")
        question = None
    elif question is None or not str(question.value).strip():
        found.report("TW013", f"the gate '{gate.key.text}' needs 'question'", gate.parts.get("question", gate.key))
        question = None
    required = gate.part("required")
    buttons, has_other = _question_buttons(found, gate.part("button_config"), gate.part("expected_categories"))
    return mapping(
        gate.place,
        field=scalar(gate.address, gate.key),
        ask=without_templates(question) if question is not None else None,
        required=required if required is not None else scalar(False, gate.key),  # noqa: FBT003  the value itself
        other=has_other,
        buttons=buttons,
        stop=_stop(found, gate),
        match=scalar("direct", gate.key) if is_first else None,
        key=_at(gate.key.text, gate.key) if gate.key.text != gate.name else None,
    )


def _stop(found: Rewriting, gate: _Gate) -> Pairs | None:
    """Return the answers that end the form, and the text for that."""
    values, say = gate.part("limiting_values"), gate.part("stop_message")
    if values is None:
        if say is not None:
            found.report("TW062", "'stop_message' is never said: there are no limiting values", say)
        return None
    return mapping(values, values=values, say=without_templates(say) if say is not None else None)


def _sentence(gate: _Gate) -> str:
    """Return the part of the problem statement about a gate, which is empty while it has no answer."""
    question = gate.part("question")
    title = " ".join((question.text if isinstance(question, Scalar) else "").split()) or gate.name
    title = title if len(title) <= _LONGEST_TITLE else f"{title[:_LONGEST_TITLE]}…"
    literal = json.dumps(f"{title} — ", ensure_ascii=False).replace("}", "\\u007d")
    return f'{{{{ has({gate.address}) ? {literal} + {gate.address} + ". " : ""\n}}}}'


# buttons and policy ------------------------------------------------------------------------------


def _check_policy(found: Rewriting, tree: Located) -> None:
    """Report a policy that differs from what every form does."""
    for folded, key, value in found.pairs(tree, "a mapping"):
        if folded not in _POLICY:
            found.report_unknown(key, "a policy", _POLICY)
            continue
        does, why = _POLICY[folded]
        if not isinstance(value, Scalar) or not isinstance(value.value, bool):
            found.report_wrong(value, "true or false")
        elif value.value is not does:
            found.report_ignored(key, why)


# the buttons of a question -----------------------------------------------------------------------


def _question_buttons(
    found: Rewriting, tree: Located | None, categories: Located | None
) -> tuple[Pairs | None, Located | None]:
    """Return the labels of a question's buttons, and whether there is one for any other answer."""
    labels: list[tuple[Scalar, Located]] = []
    other: Located | None = None
    for folded, key, value in found.pairs(tree, "a mapping of display_labels, include_other, …") if tree else ():
        match folded:
            case "display_labels":
                labels += _labels(found, value, categories)
            case "include_other":
                other = value
            case "other_button":
                label = _label(found, value)
                labels += [(scalar("other", label), label)] if label is not None else []
            case "button_template":
                found.report_ignored(key, _BUTTON_LOOKS)
            case _:
                found.report_unknown(key, "button_config", _CONFIG)
    items = categories.items if isinstance(categories, Items) else []
    if any(isinstance(item, Scalar) and item.text.strip().casefold() == "other" for item in items):
        other, labels = None, [pair for pair in labels if pair[0].text != "other"]
    return mapping_of_pairs(tree, labels) if tree is not None and labels else None, other


def _labels(found: Rewriting, tree: Located, categories: Located | None) -> list[tuple[Scalar, Located]]:
    """Labels by category, or in the order of the categories."""
    if is_nothing(tree):
        return []
    if isinstance(tree, Pairs):
        return [pair for pair in tree.pairs if found.text(pair[1]) is not None]
    labels = found.items(tree, "a mapping from categories to labels")
    known = categories.items if isinstance(categories, Items) else []
    if len(labels) != len(known):
        found.report("TW015", f"{len(labels)} labels for {len(known)} categories", tree, "one label for each")
    pairs = zip(known, labels, strict=False)
    return [(item, label) for item, label in pairs if isinstance(item, Scalar) and found.text(label) is not None]


def _label(found: Rewriting, tree: Located) -> Located | None:
    """Return the label of a button: a text, or the one in its description."""
    if not isinstance(tree, Pairs):
        return tree if not is_nothing(tree) and found.text(tree) is not None else None
    label: Located | None = None
    for folded, key, value in found.pairs(tree, "a button"):
        if folded == "label":
            label = value if found.text(value) is not None else None
        elif folded not in ("id", "value"):
            found.report_ignored(key, _BUTTON_LOOKS)
    return label


# the buttons of the summary ----------------------------------------------------------------------


def _confirm_labels(found: Rewriting, tree: Located | None) -> Pairs:
    """Return the labels of the two buttons under the summary."""
    labels: dict[str, Located] = {}
    place = tree if tree is not None else found.document
    for name, button in _named_buttons(found, tree):
        label = _label(found, button)
        if name is None:
            found.report("TW014", "this button neither confirms nor edits", button, "its value is 'yes' or 'edit'")
        elif name in labels:
            found.report("TW017", f"two buttons are for '{name}'", button)
        elif label is not None:
            labels[name] = label
    yes, edit = labels.get("yes", scalar(_LOOKS_GOOD, place)), labels.get("edit", scalar(_EDIT, place))
    return mapping(place, yes=yes, edit=edit)


def _named_buttons(found: Rewriting, tree: Located | None) -> list[tuple[str | None, Located]]:
    """Return the buttons, each with what it does: by its key, its value, its id or its label."""
    if is_nothing(tree):
        return []
    if isinstance(tree, Pairs):
        return [(_meaning(key.text), value) for key, value in tree.pairs]
    items = found.items(tree, "a list of two buttons") if tree is not None else []
    return [(_meaning_of(item), item) for item in items]


def _meaning_of(button: Located) -> str | None:
    if isinstance(button, Scalar):
        return _meaning(button.text)
    parts = {key.text.casefold(): value for key, value in button.pairs} if isinstance(button, Pairs) else {}
    names = [parts.get(key) for key in ("value", "id", "label")]
    meanings = [_meaning(name.text) for name in names if isinstance(name, Scalar)]
    return next((meaning for meaning in meanings if meaning), None)


def _meaning(word: str) -> str | None:
    folded = word.strip().casefold()
    return "yes" if folded in _CONFIRMING else "edit" if folded in _EDITING else None
