"""Why an overlay is active or not, since when, and what it changed in a prompt."""

from __future__ import annotations

from typing import Any

from turnwise.core.overlay_standing import standing
from turnwise.core.overlays import active_overlays, persona_of
from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.fold import fold
from turnwise.core.state.overlays import NO_OVERLAYS
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.overlays import reason_of, source_of, standing_in_words
from turnwise.why.prompts import Prompt
from turnwise.why.query import Query


async def answer_overlay(query: Query) -> list[Fact]:
    """Return whether an overlay is active and why, then when it began, ended and was forced last."""
    name, subject, state = query.subject.name, query.subject, query.state
    changed = await query.last(e.OverlaysChanged, is_fact=lambda fact: subject in fact.about)
    forced = await query.last(e.OverlayForced, name=name)
    active = name in (state.overlays or NO_OVERLAYS).active
    began_ms = query.turn.entries[0].at_ms if query.turn.entries else state.at_ms
    values: dict[str, Any] = {
        "overlay": name,
        "since": changed.turn if changed is not None and active else None,
        "because": reason_of(query.machine, _in_turn(query), name, began_ms, query.end.time),
        "next": _next(query, name, active=active),
    }
    kind = "overlay_is_active" if active else "overlay_not_active"
    causes = (forced if forced is not None and values["next"] else changed,)
    first = query.end.fact_of_state(kind, subject, causes=causes, source=source_of(query.machine, name), **values)
    later = [fact for fact in (changed, forced) if fact is not None]
    return [first, *[fact for fact in sorted(later, key=lambda fact: -fact.seq) if fact not in first.causes]]


def _in_turn(query: Query) -> State:
    """Return the state of the turn with what was forced when it began, and not after it."""
    state = query.turn.before
    for entry in query.turn.entries:
        if isinstance(entry.event, e.OverlayForced):
            break
        state = fold(state, entry)
    return state or query.state


def _next(query: Query, name: str, *, active: bool) -> str:
    """Return in words that the next turn finds the overlay otherwise; empty where it does not, as far as is known."""
    if name not in query.machine.overlays:
        return ""
    found = standing(query.machine.overlays[name], query.state, query.state.at_ms)
    if found.is_next == active:
        return ""
    will = Phrase("is active") if found.is_next else Phrase("is not active")
    return phrase(
        "in the next turn it {will}, because {reason}", will=will, reason=standing_in_words(found, query.end.time)
    )


def overlays_in(query: Query, prompt: Prompt) -> list[Fact]:
    """Return facts about what each active overlay changed in the instructions of a stored prompt of the turn."""
    state = query.state
    if state.overlays is None or prompt.node not in query.machine.nodes or prompt.purpose in ("understand", "summary"):
        return []
    node, found = query.machine.nodes[prompt.node], list[Fact]()
    persona = persona_of(query.machine, state, node)
    for one in active_overlays(query.machine, state):
        overlay = one.overlay
        parts = [Phrase("its persona")] if one.persona is not None and one.persona is persona else []
        parts += [Phrase("its name")] if overlay.persona_name == state.overlays.persona_name != "" else []
        parts += [Phrase("what it adds")] if one.addendum is not None else []
        if parts:
            about = (query.subject, Subject("overlay", overlay.name), Subject("model"))
            values: dict[str, Any] = {"overlay": overlay.name, "parts": joined(parts, ", ")}
            found.append(query.end.fact_of_state("overlay_in_prompt", *dict.fromkeys(about), **values))
    return found
