"""What active overlays change in the instructions for a model: who speaks, by which name, what is added (law 6.6)."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.core.guards import env_of
from turnwise.core.machine import LinkedNode, Machine
from turnwise.core.proposals import LinkedOverlay
from turnwise.core.state import State
from turnwise.core.template import Template

VOICE_CHANGE_CLAUSE = (
    "Earlier replies in this conversation may be in another voice: speak only as you are described here."
)
"""A sentence in the model's instructions while an overlay changes who speaks."""


def active_overlays(machine: Machine, state: State) -> Iterator[LinkedOverlay]:
    """Yield the overlays that are active in the current turn."""
    if state.overlays is not None:
        yield from (machine.overlays[name] for name in state.overlays.active if name in machine.overlays)


def voices(machine: Machine, state: State, node: LinkedNode) -> tuple[Template | None, ...]:
    """Return the texts for the model about who speaks at a node: the persona, and what active overlays add; `None` in
    place of a text that is missing.
    """
    return (persona_of(machine, state, node), *[one.addendum for one in active_overlays(machine, state)])


def persona_of(machine: Machine, state: State, node: LinkedNode) -> Template | None:
    """Return the persona at a node: its own, else that of the first active overlay with one, else the flow's, else
    `None`.
    """
    if node.has_own_persona:
        return node.persona
    personas = (one.persona for one in active_overlays(machine, state))
    return next((persona for persona in personas if persona is not None), node.persona)


def overlay_instructions(machine: Machine, state: State, node: LinkedNode) -> str:
    """Return the instructions that active overlays add to a node's persona; empty if they add none at this node."""
    name = state.overlays.persona_name if state.overlays is not None and not node.has_own_persona else ""
    persona, *added = voices(machine, state, node)
    texts = [template(env_of(state)) for template in added if template is not None]
    if persona is node.persona and not name and not texts:
        return ""
    return "\n\n".join([*([f"Your name is {name}."] if name else []), *filter(str.strip, texts), VOICE_CHANGE_CLAUSE])
