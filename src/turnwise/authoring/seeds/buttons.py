"""The buttons and the policy of gates: labels that are used, and what a form does anyway or cannot do.

How a button looks and what it calls is the host's; here it has a value and a label.
"""

from __future__ import annotations

from turnwise.authoring.seeds.rewriting import Rewriting, is_nothing, mapping, scalar, table
from turnwise.flow.located import Items, Located, Pairs, Scalar

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


def policy(found: Rewriting, tree: Located) -> None:
    """What the policy asks for is what a form does anyway, or it is reported."""
    for folded, key, value in found.pairs(tree, "a mapping"):
        if folded not in _POLICY:
            found.unknown(key, "a policy", _POLICY)
            continue
        does, why = _POLICY[folded]
        if not isinstance(value, Scalar) or not isinstance(value.value, bool):
            found.wrong(value, "true or false")
        elif value.value is not does:
            found.ignored(key, why)


# the buttons of a question -----------------------------------------------------------------------


def question_buttons(
    found: Rewriting, tree: Located | None, categories: Located | None
) -> tuple[Pairs | None, Located | None]:
    """The labels of a question's buttons, and whether there is one for any other answer."""
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
                found.ignored(key, _BUTTON_LOOKS)
            case _:
                found.unknown(key, "button_config", _CONFIG)
    if _has_other(categories):
        other, labels = None, [pair for pair in labels if pair[0].text != "other"]
    return table(tree, labels) if tree is not None and labels else None, other


def _has_other(categories: Located | None) -> bool:
    """True where *Other* is an ordinary category."""
    items = categories.items if isinstance(categories, Items) else []
    return any(isinstance(item, Scalar) and item.text.strip().casefold() == "other" for item in items)


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
    """The label of a button: a text, or the one in its description."""
    if not isinstance(tree, Pairs):
        return tree if not is_nothing(tree) and found.text(tree) is not None else None
    label: Located | None = None
    for folded, key, value in found.pairs(tree, "a button"):
        if folded == "label":
            label = value if found.text(value) is not None else None
        elif folded not in ("id", "value"):
            found.ignored(key, _BUTTON_LOOKS)
    return label


# the buttons of the summary ----------------------------------------------------------------------


def confirm_labels(found: Rewriting, tree: Located | None) -> Pairs:
    """The labels of the two buttons under the summary."""
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
    """The buttons, each with what it does: by its key, its value, its id or its label."""
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
