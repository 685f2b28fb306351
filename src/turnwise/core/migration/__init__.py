"""Changed flows and waiting conversations (law 6.8): compares two versions, per node and field.

`carry` carries a state over. Nothing here reads a store or moves a conversation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from turnwise.core.addresses import local_name, scope_of
from turnwise.core.linked_form import LinkedForm
from turnwise.core.linked_scope import LinkedScope
from turnwise.core.machine import LinkedNode, Machine
from turnwise.core.values.schema import is_needed
from turnwise.flow.addresses import map_of
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Field

Fit = Literal["compatible", "needs_mapping", "must_finish"]
"""Whether a part fits the new version: as it is, after a renaming, or not."""
FITS: tuple[Fit, ...] = ("compatible", "needs_mapping", "must_finish")
"""All fits, from the best to the worst."""


class MisfitReason(Struct, frozen=True):
    """A reason why a conversation does not fit a new version of its flow, and whether a renaming solves that."""

    fit: Fit
    """`needs_mapping` if a renaming solves the problem, else `must_finish`."""
    text: str
    """Why the part does not fit, in words."""


def needs_mapping(text: str) -> MisfitReason:
    """Return a reason for a misfit that a renaming solves."""
    return MisfitReason("needs_mapping", text)


def must_finish(text: str) -> MisfitReason:
    """Return a reason for a misfit that no renaming solves, so that the conversation finishes in the old version."""
    return MisfitReason("must_finish", text)


def worst_fit(reasons: Iterable[MisfitReason]) -> Fit:
    """Return the worst verdict of some reasons; `compatible` if there are none."""
    fits: list[Fit] = ["compatible", *(reason.fit for reason in reasons)]
    return max(fits, key=FITS.index)


class Renaming(Struct, frozen=True):
    """The new names of nodes, fields and overlays in a new version of a flow, by old names. A field with an empty new
    name is dropped, with its values. What stands inside a scope follows the new name of the scope. The forcing of an
    overlay that no longer exists is dropped.
    """

    nodes: dict[str, str] = {}
    """The new names of nodes, by old names."""
    fields: dict[str, str] = {}
    """The new addresses of fields, by old addresses; an empty one drops the field with its values."""
    overlays: dict[str, str] = {}
    """The new names of overlays, by old names."""

    def node(self, name: str) -> str:
        """Return the new name of a node; the old name if it was not renamed."""
        found, place = self.nodes.get(name), scope_of(name)
        if found is not None or not place:
            return name if found is None else found
        return f"{self.node(place)}/{local_name(name)}"

    def field(self, address: str) -> str:
        """Return the new address of a field; empty if the field is dropped."""
        found, whole = self.fields.get(address), map_of(address)
        if found is None and self.fields.get(whole) is not None:  # the answer moves with all answers
            found = self.fields[whole] and f"{self.fields[whole]}{address.removeprefix(whole)}"
        return self._moved(address) if found is None else found

    def question(self, address: str) -> str:
        """Return the new address of the field that a question asks for, even if its values are dropped."""
        return self.fields.get(address) or self.field(address) or self._moved(address)

    def _moved(self, address: str) -> str:
        """Return the address of a field whose scope may have a new name."""
        place = scope_of(address)
        return f"{self.node(place)}{address.removeprefix(place)}" if place else address


NO_RENAMING = Renaming()
"""The renaming that renames nothing."""


class FittedPart(Struct, frozen=True):
    """A node or a field of the old version, and whether it fits the new one."""

    name: str
    """The name of the node, or the address of the field."""
    fit: Fit
    """Whether the part fits, needs a mapping, or must finish in the old version."""
    reasons: tuple[MisfitReason, ...] = ()
    """Why the part does not fit; empty if it does."""


class Difference(Struct, frozen=True):
    """How the conversations of an old flow version fit a new one: by node, and by field."""

    flow: str
    """The name of the flow."""
    old: str
    """The fingerprint of the old version of the flow."""
    new: str
    """The fingerprint of the new version of the flow."""
    nodes: tuple[FittedPart, ...]
    """The nodes of the old version, with how each fits."""
    fields: tuple[FittedPart, ...]
    """The fields of the old version, with how each fits."""
    new_nodes: tuple[str, ...] = ()
    """The nodes that only the new version has."""
    new_fields: tuple[str, ...] = ()
    """The fields that only the new version has."""

    @property
    def fit(self) -> Fit:
        """The worst of the verdicts of all nodes and fields."""
        return worst_fit(reason for part in (*self.nodes, *self.fields) for reason in part.reasons)


def difference(old: Machine, new: Machine, renaming: Renaming = NO_RENAMING) -> Difference:
    """Return how conversations on an old version of a flow fit a new version."""
    nodes = [_part(name, list(_of_node(old, new, renaming, node))) for name, node in old.nodes.items()]
    fields = [_part(address, list(_of_field(old, new, renaming, address))) for address in old.fields]
    known_nodes = {renaming.node(name) for name in old.nodes}
    known_fields = {renaming.question(address) for address in old.fields}
    return Difference(
        new.flow.name,
        old.fingerprint,
        new.fingerprint,
        tuple(nodes),
        tuple(fields),
        tuple([name for name in new.nodes if name not in known_nodes]),
        tuple([address for address in new.fields if address not in known_fields]),
    )


def _part(name: str, reasons: list[MisfitReason]) -> FittedPart:
    return FittedPart(name, worst_fit(reasons), tuple(reasons))


# nodes -------------------------------------------------------------------------------------------


def _of_node(old: Machine, new: Machine, renaming: Renaming, node: LinkedNode) -> Iterator[MisfitReason]:
    name = renaming.node(node.node.name)
    found = new.nodes.get(name)
    if found is None:
        hint = nearest(name, new.nodes)
        yield needs_mapping(f"there is no node '{name}'" + (f"; {hint}" if hint else ""))
        return
    if node.form is not None and found.form is not None:
        yield from _of_form(node.form, found.form, renaming)
    elif node.form is not None:
        yield must_finish("it has no form any more")
    elif found.form is not None:
        yield must_finish("it has a form now, which was never opened")
    if node.person is not None and found.person is None:
        yield must_finish("its work is no person any more")
    scope = old.scopes.get(node.node.name)
    if scope is not None:
        yield from of_scope(scope, new, renaming)
    yield from _of_ways(old, new, renaming, node.node.name)


def of_scope(old: LinkedScope, new: Machine, renaming: Renaming) -> Iterator[MisfitReason]:
    """Yield the reasons why an open scope could not be closed in the new version. What a scope takes and returns was
    copied when it was opened.
    """
    name = renaming.node(old.name)
    found = new.scopes.get(name)
    if found is None:
        hint = nearest(name, [one for one in new.scopes if one])
        yield needs_mapping(f"there is no scope '{name}'" + (f"; {hint}" if hint else ""))
        return
    known = {(one.inside, one.outside) for one in found.returned}
    kept = {(renaming.field(one.inside), renaming.field(one.outside)) for one in old.returned}
    if not {pair for pair in kept if all(pair)} <= known or bool(old.returned) != bool(found.returned):
        yield must_finish(f"the scope '{name}' returns another record now")
    elif bool(old.copied_in) != bool(found.copied_in):
        yield must_finish(f"the scope '{name}' begins with other values of what it returns now")
    asked = {renaming.question(address) for address in old.input}
    for address, field in found.input.items():
        if address not in asked and field.default is None and is_needed(field):
            yield must_finish(f"the scope '{name}' needs the input '{field.name}' now")


def _of_form(old: LinkedForm, new: LinkedForm, renaming: Renaming) -> Iterator[MisfitReason]:
    for question in old.questions:
        found = new.by_address.get(renaming.question(question.address))
        if found is None:
            yield needs_mapping(f"the question for '{question.address}' is gone")
        elif renaming.field(question.address):
            yield from (must_finish(f"'{found.address}': {text}") for text in narrowings(question.field, found.field))
    if old.form.confirm is not None:
        yield from _of_confirming(new, {renaming.question(address) for address in old.by_address})


def _of_confirming(new: LinkedForm, known: set[str]) -> Iterator[MisfitReason]:
    """Yield what a conversation that confirms its answers would lack."""
    if new.form.confirm is None:
        yield must_finish("answers that are being confirmed would not be any more")
    if not known <= set(new.by_address):
        return  # what is new here may be what is gone there, under another name
    for question in new.questions:
        if question.address not in known and question.form_field.asked:
            yield must_finish(f"answers that are being confirmed lack '{question.address}'")


def _of_ways(old: Machine, new: Machine, renaming: Renaming, node: str) -> Iterator[MisfitReason]:
    """Yield the planned moves and timers of a waiting conversation that the new version may not have."""
    name = renaming.node(node)
    after = {(c.id, c.target) for c in new.candidates(name, "after").all}
    for candidate in old.candidates(node, "after").all:
        if candidate.reply == "next" and (candidate.id, renaming.node(candidate.target)) not in after:
            yield must_finish(f"a move by '{candidate.id}' may be planned, and is gone")
    timers = {candidate.id for candidate in new.candidates(name, "timer").all}
    for candidate in old.candidates(node, "timer").all:
        if candidate.id not in timers:
            yield must_finish(f"the timer '{candidate.id}' may be armed, and is gone")


# fields ------------------------------------------------------------------------------------------


def _of_field(old: Machine, new: Machine, renaming: Renaming, address: str) -> Iterator[MisfitReason]:
    target = renaming.field(address)
    if not target:
        return
    found = new.fields.get(target)
    if found is None:
        hint = nearest(target, new.fields)
        yield needs_mapping(f"there is no field '{target}'" + (f"; {hint}" if hint else ""))
        return
    yield from (must_finish(text) for text in narrowings(old.fields[address], found))


def narrowings(old: Field, new: Field) -> Iterator[str]:
    """Yield in words which values, allowed by the old field, the new field may refuse."""
    widened = (("integer", "number"), ("choice", "string"), ("email", "string"))
    if (old.type, old.of) != (new.type, new.of) and ((old.type, new.type) not in widened or old.of != new.of):
        yield f"it was a {_type_of(old)} and is a {_type_of(new)}"
    known = {option.value for option in new.options}
    gone = [option.value for option in old.options if option.value not in known]
    if new.options and gone:
        yield f"{', '.join(gone)} {'is no option' if len(gone) == 1 else 'are no options'} any more"
    elif new.options and not old.options:
        yield "it has options now"
    if (new.min is not None and new.min != old.min) or (new.max is not None and new.max != old.max):
        yield "its bounds are others"
    if new.pattern and new.pattern != old.pattern:
        yield "its pattern is another"
    parts = {part.name: part for part in new.parts}
    for part in old.parts if new.parts else ():
        if part.name not in parts:
            yield f"its items have no '{part.name}' any more"
        else:
            yield from (f"'{part.name}' of its items: {text}" for text in narrowings(part, parts[part.name]))


def _type_of(field: Field) -> str:
    return f"{field.type} of {field.of}" if field.of else field.type
