"""The timeline of a conversation, compact, from its outline."""

from __future__ import annotations

from turnwise.archive.conversation_names import title_of_node
from turnwise.archive.decision_words import happened_words
from turnwise.archive.outline import DecisionLine, Outline, TurnLine
from turnwise.core.machine import Machine
from turnwise.server.views.signs import text_of_sign
from turnwise.server.wire.timeline import Timeline, TimelineMark, TimelineOverlay, TimelineSign, TimelineTurn

Lanes = dict[str, int]
"""The index of the lane of each node."""


def timeline_of(outline: Outline, machine: Machine, language: str = "en") -> Timeline:
    """Return the timeline with texts in a language of the page; lanes are the nodes in the order of the flow.
    They are those of the present version, then former ones.
    """
    lanes: Lanes = {name: place for place, name in enumerate(machine.nodes)}
    judged: dict[tuple[str, ...], int] = {}
    texts = [_text(one, machine, language) for one in outline.decisions]
    marks = [
        _mark(one, text, lanes, judged, is_undone=one.turn in outline.undone)
        for one, text in zip(outline.decisions, texts, strict=True)
    ]
    turns = [_turn(one, lanes, is_undone=one.turn in outline.undone) for one in outline.turns]
    moves = [(one.seq, _lane(lanes, one.source), _lane(lanes, one.target)) for one in outline.moves]
    return Timeline(
        outline.conversation,
        tuple(lanes),
        tuple(turns),
        tuple(marks),
        tuple(outline.commits),
        tuple(moves),
        outline.seq,
        outline.is_cut,
        tuple(judged),
        tuple([node.count("/") for node in lanes]),
        tuple([TimelineSign(*one[:4], text_of_sign(one, machine, language)) for one in outline.events]),
        tuple([TimelineOverlay(*one) for one in outline.overlays]),
        {name: title_of_node(machine, name) for name in lanes},
    )


def _text(one: DecisionLine, machine: Machine, language: str) -> str:
    if one.act:
        return one.act[language].headline
    happened = "planned" if one.planned else one.happened
    return happened_words(machine, happened, one.node, one.planned or one.target, language)


def _lane(lanes: Lanes, node: str) -> int:
    """Return the lane of a node, a new one for a node that the present version lacks; -1 for none."""
    return lanes.setdefault(node, len(lanes)) if node else -1


def _mark(
    one: DecisionLine, text: str, lanes: Lanes, judged: dict[tuple[str, ...], int], *, is_undone: bool
) -> TimelineMark:
    names = one.candidates
    return TimelineMark(
        one.seq,
        one.turn,
        one.at_ms,
        _lane(lanes, one.node),
        one.mark,
        _lane(lanes, one.target),
        text,
        is_undone,
        one.moment,
        one.transition,
        judged.setdefault(names, len(judged)) if names else -1,
        one.outcomes,
        one.frame,
        one.depth,
        one.happened in ("moved", "ended"),
    )


def _turn(one: TurnLine, lanes: Lanes, *, is_undone: bool) -> TimelineTurn:
    where = _lane(lanes, one.node)
    return TimelineTurn(
        one.turn, one.first_seq, one.last_seq, one.at_ms, where, one.began, is_undone, one.frame, one.depth
    )
