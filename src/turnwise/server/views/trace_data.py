"""One turn as the debug panel shows it: decisions with all that a client needs, state, prompts, tools, events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from turnwise.api.chat import Chat
from turnwise.archive.condition_words import conditions_of
from turnwise.archive.conversation_names import title_of_node
from turnwise.archive.decision_words import DecisionWording, is_unread
from turnwise.core.explain.headline import headline
from turnwise.core.explain.now import MOMENTS
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.effects import CallModel, RunTool
from turnwise.core.state.fold import fold
from turnwise.core.state.retention import erasure_of, erasure_text
from turnwise.core.trace import Decision, Group, Operand, Verdict
from turnwise.errors import UnknownTurn
from turnwise.runner.machines import AnyMachines
from turnwise.runner.ports import Store
from turnwise.runner.result import Turn
from turnwise.runner.stored import messages_quoted_by
from turnwise.server.views.event_rows import event_row
from turnwise.server.views.prompts import call_views, model_call_views, prompt_views, tool_views
from turnwise.server.views.redaction import Redaction
from turnwise.server.views.states import Texts, origin_of, state_view
from turnwise.server.views.transcript import activity_view, seam_of
from turnwise.server.wire.trace import DecisionView, EdgeHistory, StateView, TurnTrace
from turnwise.server.wire.values import Origin

Histories = dict[tuple[str, str, str], EdgeHistory]
"""How often transitions were judged, held and taken, by node, moment and id."""


async def turn_trace(
    store: Store, machines: AnyMachines, turn: Turn, current: Machine, histories: Histories, words: Mapping[str, str]
) -> TurnTrace:
    """Return the trace of a turn as clients receive it. `current` is the version that new conversations begin with.
    `histories` are those of its flow's transitions, `words` those of a language of the page.
    """
    redaction, texts = redaction_of(turn), await texts_of(store, turn)
    entries = turn.entries
    return TurnTrace(
        turn.conversation,
        turn.number,
        turn.about,
        turn.state.version,
        turn.machine.fingerprint,
        turn.machine.fingerprint != current.fingerprint,
        entries[0].seq,
        entries[-1].seq,
        entries[0].at_ms,
        _took_ms(entries),
        decision_views(turn, redaction, texts, histories, words),
        state_view(turn.machine, turn.state, turn.before, redaction, texts),
        await prompt_views(store, machines, turn, redaction),
        tool_views(turn),
        call_views(entries, redaction),
        model_call_views(turn, redaction),
        tuple([event_row(entry, redaction) for entry in entries]),
        commits_of(entries),
        turn.state.overlays.active if turn.state.overlays is not None else (),
        nothing_judged=_nothing_judged(turn, words),
        activity=activity_view(turn.machine, turn.state, entries[-1].at_ms, redaction),
    )


def _took_ms(entries: Sequence[e.Entry]) -> int:
    """Return how long a turn took; what comes after its end, as the mark of a fork, does not count."""
    tags = [one.event.kind if isinstance(one.event, e.Erased) else one.event.__struct_config__.tag for one in entries]
    ended = next((entry for entry, tag in zip(entries, tags, strict=True) if tag in _ENDS), entries[-1])
    return ended.at_ms - entries[0].at_ms


_ENDS = [str(event.__struct_config__.tag) for event in (e.TurnEnded, e.Snapshot)]


def erased_trace(conversation: str, entries: Sequence[e.Entry], machine: Machine, current: Machine) -> TurnTrace:
    """Return the trace of a turn that retention erased: only its positions and the kinds of its events are left.
    `entries` are those that are stored of it, `current` is the version that new conversations begin with.
    """
    first, last = entries[0], entries[-1]
    redaction = Redaction(machine, (), entries)
    return TurnTrace(
        conversation,
        first.turn,
        f"turn {first.turn}, erased by retention{erasure_text(erasure_of(entries))}",
        machine.flow.version,
        machine.fingerprint,
        machine.fingerprint != current.fingerprint,
        first.seq,
        last.seq,
        first.at_ms,
        _took_ms(entries),
        (),
        StateView(first.turn, last.seq, "", {}, ()),
        events=tuple([event_row(entry, redaction) for entry in entries]),
        is_erased=True,
    )


async def turn_with_state(chat: Chat, number: int | None) -> Turn:
    """Return a turn by number, by default the last; of the last erased one only its end state. Raises `UnknownTurn`."""
    try:
        return await chat.turn(number)
    except UnknownTurn as unknown:
        left = await chat.runtime.turns.erased_turn(chat.name, unknown.turn) if unknown.is_erased else None
        if left is None:
            raise
        return left


def redaction_of(turn: Turn) -> Redaction:
    """Return an object that redacts the secrets in a turn."""
    return Redaction(turn.machine, (turn.before, turn.after), (*turn.earlier_entries.values(), *turn.entries))


async def texts_of(store: Store, turn: Turn) -> dict[int, str]:
    """Return the messages of a turn, and those that its values came from, by position."""
    found = dict(await store.at(turn.conversation, sorted(messages_quoted_by(turn.state))))
    found.update((entry.seq, entry) for entry in turn.entries)
    texts: dict[int, str] = {}
    for seq, entry in found.items():
        match entry.event:
            case e.UserSaid(text=text) | e.UserChose(value=text):
                texts[seq] = text
            case _:
                pass
    return texts


def commits_of(entries: Sequence[e.Entry]) -> tuple[int, ...]:
    """Return the positions at which a turn was committed: before it waited for a model or a tool, and at its end."""
    found = [
        entry.seq
        for entry in entries
        if isinstance(entry.event, e.TurnRestarted)
        or (isinstance(entry.event, e.EffectAsked) and isinstance(entry.event.effect, CallModel | RunTool))
    ]
    return tuple(dict.fromkeys([*found, entries[-1].seq]))


# decisions ---------------------------------------------------------------------------------------


def decision_views(
    turn: Turn, redaction: Redaction, texts: Texts, histories: Histories, words: Mapping[str, str]
) -> tuple[DecisionView, ...]:
    """Return the decisions of a turn with what a client needs beside the record, in the `words` of a language.
    `texts` are messages by position, `histories` those of the flow's transitions.
    """
    entries, made = {entry.seq: entry for entry in turn.entries}, _made_in(turn)
    found: list[DecisionView] = []
    for judged, decision, evaluation in zip(turn.judged, turn.decisions, turn.evaluations, strict=True):
        entry, short, (state, unread) = entries[decision.seq], headline(decision), made[decision.seq]
        assert isinstance(entry.event, e.Decided)
        keys = {c.id: (decision.node, decision.moment, c.id) for c in decision.candidates}
        verdict = DecisionWording(turn.machine, state, decision, short, unread).words()
        found.append(
            DecisionView(
                decision,
                short.headline,
                short.detail,
                seam_of(entry, entry.event, short, verdict, redaction),
                short.nearest,
                {c.id: moment for moment in MOMENTS for c in turn.machine.candidates(decision.node, moment).all},
                {key: value for key, value in evaluation.to_dict().items() if key != "decision"},
                {id_: histories[key] for id_, key in keys.items() if key in histories},
                places_of(turn.machine, state, decision, redaction, texts),
                is_compared=turn.judged_before(judged) is not None,
                conditions=conditions_of(turn.machine, decision, words),
            )
        )
    return tuple(found)


def _made_in(turn: Turn) -> dict[int, tuple[State | None, bool]]:
    """Return the state in which each decision of a turn was made, and whether nothing was understood in the message
    before it, by its position.
    """
    state, unread, found = turn.before, False, dict[int, tuple[State | None, bool]]()
    for entry in turn.entries:
        if isinstance(entry.event, e.Decided):
            found[entry.seq] = state, unread
        elif isinstance(entry.event, e.Understood) and state is not None:
            unread = is_unread(turn.machine, state, entry.event)
        state = fold(state, entry)
    return found


def places_of(
    machine: Machine, state: State | None, decision: Decision, redaction: Redaction, texts: Texts
) -> dict[str, Origin]:
    """Return the origins of the values that a decision read, by the name of the operand.
    `texts` are messages by position; secret fields are left out.
    """
    if state is None:
        return {}
    verdicts = [candidate.verdict for candidate in decision.candidates if candidate.verdict is not None]
    names = {operand.name for verdict in verdicts for operand in _operands(verdict)}
    return {
        name: origin_of(state.values[name], redaction, texts)
        for name in sorted(names)
        if name in state.values and not machine.fields[name].secret
    }


def _operands(verdict: Verdict) -> Iterator[Operand]:
    if isinstance(verdict, Group):
        for part in verdict.parts:
            yield from _operands(part)
    else:
        yield from verdict.operands


def _nothing_judged(turn: Turn, words: Mapping[str, str]) -> str:
    """Return why a turn judged no candidate: a person is in charge, an undo, a refused button, or the node judges at
    another moment. The text is empty for a turn that judged one.
    """
    if any(decision.candidates for decision in turn.decisions):
        return ""
    node, person = turn.state.node, turn.state.person
    if person is not None:
        return words["judged_after_person"].format(name=person.display or person.operator or words["a_person"])
    for entry in turn.entries:
        match entry.event:
            case e.Undone(to=to):
                return words["judged_no_undo"].format(to=to)
            case e.Warned(code="stale_button"):
                return words["judged_no_stale_button"]
            case _:
                pass
    title = title_of_node(turn.machine, node)
    found = [words[f"judges_{moment}"] for moment in MOMENTS if turn.machine.candidates(node, moment).all]
    return words["judges_then" if found else "judges_never"].format(node=title, when=", ".join(found))
