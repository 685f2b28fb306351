"""The first decision in which two conversations differ, and the values that made it.

They are compared by the moves that they made: where one took another way, or none, the decision that has no counterpart
is explained on both, and each value in which they differ is tried alone: one that suffices is decisive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

from msgspec.structs import replace

from turnwise.core.explain.what_if import judge_supposed
from turnwise.core.guards.types import value_text
from turnwise.core.machine import Machine
from turnwise.core.phrase import Phrase, phrase, without_stop
from turnwise.core.state import FieldValue, State
from turnwise.core.state import events as e
from turnwise.core.state.fold import moment_key
from turnwise.core.trace import Decision
from turnwise.core.values import REDACTED
from turnwise.flow.model import Moment
from turnwise.runner.result import Turn
from turnwise.why.answer import Answer, Fact, Subject
from turnwise.why.facts.builder import without_secrets
from turnwise.why.facts.fields import ORIGIN_WORDS
from turnwise.why.history import History
from turnwise.why.kinds import words
from turnwise.why.path import Move, path_to
from turnwise.why.query import Query
from turnwise.why.subjects.timers import how_it_stands
from turnwise.why.subjects.transitions import outcomes_of


async def _end(history: History, turn: int | None) -> State:
    """Return the state at the end of a turn, by default the last. Raises `UnknownTurn` for one that was erased."""
    if turn is None:
        return history.last
    state = await history.state_after(turn)
    if state is None:
        raise await history.missing_turn(turn)
    return state


class _Judged(NamedTuple):
    """A decision with the state on which it was made, and its turn."""

    turn: Turn
    entry: e.Entry
    state: State
    decision: Decision


class Comparison:
    """A comparison of two conversations, or of two turns of one conversation."""

    def __init__(self, one: History, other: History, turn: int | None, other_turn: int | None) -> None:
        self.one = one
        self.other = other
        self.turn = turn
        self.other_turn = other_turn
        self.compared_states = one.last, other.last
        """The state of each at the end of the turn that is compared."""

    async def answer(self) -> Answer:
        """Return the first decision in which the two differ, as an answer about the first of them.

        What is secret in one of them is hidden in both.
        """
        found = await self._difference()
        for history in (self.one, self.other):
            hide = await history.hide()
            facts = tuple([without_secrets(fact, hide) for fact in found.facts])
            decisions = tuple([hide(decision) for decision in found.decisions])
            found = replace(found, facts=facts, decisions=decisions, line=facts[0].text)
        return found

    async def _difference(self) -> Answer:
        self.compared_states = await _end(self.one, self.turn), await _end(self.other, self.other_turn)
        if self.compared_states[0].flow != self.compared_states[1].flow:
            return self._answer((self._flows(),), ())
        paths = (
            await path_to(self.one, self.compared_states[0].seq),
            await path_to(self.other, self.compared_states[1].seq),
        )
        for history, path in zip((self.one, self.other), paths, strict=True):
            if path.unknown_until and self.one.conversation != self.other.conversation:
                return await self._unknown_moves(history, path.unknown_until)
        mine, theirs = paths[0].moves, paths[1].moves
        same = next((at for at, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a.way != b.way), None)
        at = min(len(mine), len(theirs)) if same is None else same
        if same is None and len(mine) == len(theirs):
            values: dict[str, Any] = {"one": self.label(self.one), "other": self.label(self.other)}
            values |= {"count": sum(1 for move in mine if move.target) or "none", "shared": _shared(mine, theirs)}
            return await self._with_values(_fact("same_moves", **values))
        return await self._differing(at, mine, theirs)

    async def _differing(self, at: int, ours: tuple[Move, ...], others: tuple[Move, ...]) -> Answer:
        """Explain the first move that only one of them made, or that they made differently."""
        mine = ours[at] if at < len(ours) else None
        theirs = others[at] if at < len(others) else None
        has_moved = mine if mine is not None else theirs
        assert has_moved is not None
        mover, stayer = (self.one, self.other) if mine is not None else (self.other, self.one)
        last = self.compared_states[mine is not None].turn
        counterpart = theirs if mine is not None else None
        judged = await _decision(mover, has_moved)
        until = counterpart.turn if counterpart is not None else last
        against = await _judged_alike(stayer, until, counterpart.seq if counterpart is not None else None, judged)
        facts = [self._line(_shared(ours[:at], others), mine, theirs)]
        if judged is not None and against is not None:
            names = (self.label(mover), self.label(stayer))
            values = _values(judged, against, names, has_moved.text)
            facts += [await self._traced(fact, mover, stayer) for fact in values]
        if len(facts) == 1:
            facts += [*await self._moved(self.one, mine), *await self._moved(self.other, theirs)]
            facts += await self._not_taken(stayer, until, judged)
        facts += self._versions()
        found = [one for one in (judged, against) if one is not None]
        return self._answer(tuple(facts), tuple([one.turn.hide(one.decision) for one in found]))

    async def _moved(self, history: History, move: Move | None) -> list[Fact]:
        """Return how a move came about, with whose it is in `of`."""
        facts = await history.facts(move.turn, move.seq) if move is not None else ()
        traced = [await history.with_traced_values(fact) for fact in facts if move is not None and fact.seq == move.seq]
        return [replace(fact, values={**fact.values, "of": self.label(history)}) for fact in traced]

    async def _not_taken(self, stayer: History, number: int, judged: _Judged | None) -> list[Fact]:
        """Return why the other did not take the transition of a decision by the end of a turn."""
        turn = await stayer.turn(number)
        name = judged.decision.taken if judged is not None else ""
        if judged is None or turn is None or name not in turn.machine.transitions():
            return []
        is_timer = judged.decision.moment == "timer"
        subject = Subject("timer" if is_timer else "transition", name)
        query = Query(stayer, turn, await stayer.facts(number), subject)
        found = [await how_it_stands(query)] if is_timer else await outcomes_of(query, name)
        causes = tuple([await stayer.with_traced_values(fact) for fact in found])
        values: dict[str, Any] = {"one": self.label(stayer), "way": name, "reason": without_stop(found[0].text)}
        return [replace(_fact("not_taken", **values), causes=causes)]

    async def _unknown_moves(self, history: History, until: int) -> Answer:
        """Say that moves of one of them are erased, and in which fields they differ."""
        await history.turn(until)
        reason = history.erased_fact(until)
        values: dict[str, Any] = {"one": self.label(history), "until": until, "reason": reason.text}
        return await self._with_values(replace(_fact("moves_erased", **values), causes=(reason,)))

    async def _with_values(self, first: Fact) -> Answer:
        """Return an answer with the fields in which they differ at the end of the turns that are compared."""
        mine, theirs = self.compared_states
        machines = [await self.one.machines.shown_of_state(state) for state in self.compared_states]
        names, facts = (self.label(self.one), self.label(self.other)), [first]
        for name in dict.fromkeys((*mine.values, *theirs.values)):
            pair = mine.values.get(name), theirs.values.get(name)
            if (pair[0] and pair[0].value) != (pair[1] and pair[1].value):
                facts.append(await self._traced(_value_fact(machines, name, pair, names), self.one, self.other))
        return self._answer((*facts, *self._versions()), ())

    def _line(self, shared: list[dict[str, Any]], mine: Move | None, theirs: Move | None) -> Fact:
        at = len(shared)
        same = "" if not at else _SAME_MOVE if at == 1 else phrase("after the same {count} moves, ", count=at)
        names = self.label(self.one), self.label(self.other)
        none = Phrase("made no further move") if at else Phrase("made no move")
        did = [move.text if move is not None else none for move in (mine, theirs)]
        values: dict[str, Any] = {"same": same, "shared": shared}
        values |= {"one": names[0], "did": did[0], "turn": mine.turn if mine is not None else None}
        values |= {"other": names[1], "did_other": did[1], "other_turn": theirs.turn if theirs is not None else None}
        return Fact(
            "ways_part", words("ways_part", values), (Subject("conversation"),), values["turn"] or 0, values=values
        )

    def label(self, history: History) -> str:
        """Return the name of a compared side: the id of its conversation, or the turn if both sides are of one
        conversation.
        """
        if self.one.conversation != self.other.conversation:
            return history.conversation
        return phrase("turn {turn}", turn=self.compared_states[history is self.other].turn)

    def _versions(self) -> list[Fact]:
        mine, theirs = self.compared_states
        if mine.fingerprint == theirs.fingerprint:
            return []
        versions = [str(mine.version), str(theirs.version)]
        if mine.version == theirs.version:  # the file was changed, and its number was not
            versions = [
                phrase("{version} ({fingerprint})", version=one.version, fingerprint=one.fingerprint[:8])
                for one in (mine, theirs)
            ]
        return [_fact("versions_differ", version=versions[0], other=versions[1])]

    def _flows(self) -> Fact:
        names, (mine, theirs) = (self.label(self.one), self.label(self.other)), self.compared_states
        return _fact("flows_differ", one=names[0], flow=mine.flow, other=names[1], other_flow=theirs.flow)

    async def _traced(self, fact: Fact, mover: History, stayer: History) -> Fact:
        """Return a value in which they differ with the origin of each side."""
        name = fact.values["field"]
        origins: list[Fact] = []
        for history, since in ((mover, fact.values["since"]), (stayer, fact.values["other_since"])):
            if since:
                written = await history.writes(int(since), name)
                traced = [await history.with_traced_values(one) for one in written[-1:]]
                origins += [replace(one, values={**one.values, "of": self.label(history)}) for one in traced]
        return replace(fact, causes=tuple(origins))

    def _answer(self, facts: tuple[Fact, ...], decisions: tuple[Decision, ...]) -> Answer:
        one, other = self.one, self.other
        is_same = other.conversation == one.conversation
        against = phrase("turn {turn}", turn=self.other_turn) if is_same else other.conversation
        sides = {"sides": [{"conversation": of.conversation, "label": self.label(of)} for of in (one, other)]}
        return Answer(
            one.conversation,
            Subject("conversation", str(against)),
            self.compared_states[0].turn,
            self.compared_states[0].seq,
            phrase(
                "where {conversation} differs from {against} first, and why",
                conversation=one.conversation,
                against=against,
            ),
            (replace(facts[0], values={**facts[0].values, **sides}), *facts[1:]),
            decisions=decisions,
            erased=(*one.erasures(), *other.erasures()),
        )


def _fact(kind: Any, turn: int = 0, **values: Any) -> Fact:
    return Fact(kind, words(kind, values), (Subject("conversation"),), turn, values=values)


def _shared(ours: tuple[Move, ...], others: tuple[Move, ...]) -> list[dict[str, Any]]:
    """Return the moves that both made, each with its turn in both."""
    both = zip(ours, others, strict=False)
    return [{"node": a.source, "did": a.text, "turn": a.turn, "other_turn": b.turn} for a, b in both]


def _judgings(turn: Turn) -> Iterator[_Judged]:
    """Yield the decisions of a turn, each with its state."""
    for one, decision in zip(turn.judged, turn.decisions, strict=True):
        yield _Judged(turn, one.entry, one.state, decision)


async def _decision(history: History, move: Move) -> _Judged | None:
    """Return the decision that made a move: the last one before it, in its turn or in the turn that planned it."""
    for number in range(move.turn, 0, -1):
        turn = await history.turn(number)
        if turn is None:
            return None
        taken = [one for one in _judgings(turn) if one.entry.seq < move.seq and one.decision.taken]
        own = [one for one in taken if move.transition in ("", one.decision.taken)]
        if own:
            return own[-1]
        if turn.before is None or turn.before.pending is None:
            return None
    return None


async def _judged_alike(history: History, number: int, seq: int | None, like: _Judged | None) -> _Judged | None:
    """Return the last decision at the same node and moment up to the end of a turn, or before an entry of it; it made
    the other move, or none.
    """
    turn = await history.turn(number)
    if like is None or turn is None:
        return None
    key = moment_key(like.decision.node, like.decision.moment)
    own = [one for one in _judgings(turn) if _key(one) == key and (seq is None or one.entry.seq < seq)]
    place = turn.before.decided.get(key) if not own and turn.before is not None else None
    if place is not None:
        (entry,) = (await history.store.at(history.conversation, (place,))).values()
        before = await history.turn(entry.turn)
        own = [one for one in _judgings(before) if one.entry.seq == place] if before is not None else []
    return own[-1] if own else None


def _key(judged: _Judged) -> str:
    return moment_key(judged.decision.node, judged.decision.moment)


def _values(mine: _Judged, theirs: _Judged, names: tuple[str, str], did: str) -> Iterator[Fact]:
    """Yield the values that the transition of the mover reads and in which the two differ, the decisive ones first.
    `did` says what the mover did.
    """
    machine, moment = mine.turn.machine, cast("Moment", mine.decision.moment)
    taken = next(one for one in machine.candidates(mine.decision.node, moment).all if one.id == mine.decision.taken)
    own = [ref.address for ref in taken.guard.refs if ref.address] if taken.guard is not None else []
    others = [name for name in machine.candidates(mine.decision.node, moment).addresses if name not in own]
    pairs = {name: (mine.state.values.get(name), theirs.state.values.get(name)) for name in (*own, *others)}
    differing = {
        name: pair for name, pair in pairs.items() if (pair[0] and pair[0].value) != (pair[1] and pair[1].value)
    }
    known = {name: pair for name, pair in differing.items() if name in theirs.turn.machine.fields}
    given = {name: pair[0].value if pair[0] is not None else None for name, pair in known.items()}
    alone = {name for name, value in given.items() if _suffices(theirs, {name: value}, mine.decision.taken)}
    together = set(own).intersection(known)
    if not alone and len(together) > 1:
        is_joint = _suffices(theirs, {name: given[name] for name in together}, mine.decision.taken)
        together = together if is_joint else set[str]()
    for name, pair in sorted(known.items(), key=lambda one: one[0] not in (alone or together)):
        decides = _ALONE if name in alone else _TOGETHER if not alone and name in together else None
        said = decides.with_values(other=names[1], did=did) if decides is not None else ""
        yield _value_fact((machine, theirs.turn.machine), name, pair, names, said)


_SAME_MOVE = Phrase("after the same first move, ")
_ALONE = Phrase("with this value alone, the decision of {other} would have been the same: {did}")
_TOGETHER = Phrase("with all these values together, the decision of {other} would have been the same: {did}")


def _suffices(theirs: _Judged, values: dict[str, Any], transition: str) -> bool:
    """Return whether these values, in the other conversation, would have taken the same transition."""
    machine = theirs.turn.machine
    found = judge_supposed(machine, theirs.entry, theirs.state, machine, values, keep_same=True)
    return found is not None and found.would.transition == transition


def _value_fact(
    machines: Sequence[Machine],
    name: str,
    pair: tuple[FieldValue | None, FieldValue | None],
    names: tuple[str, str],
    decides: str = "",
) -> Fact:
    mine, theirs = pair
    fields = [machine.fields[name] for machine in machines if name in machine.fields]  # one version may not have it
    is_secret = not fields or any(field.secret for field in fields)

    def text(found: FieldValue | None) -> str:
        if found is None:
            return Phrase("not known")
        return phrase("{value}", value=REDACTED if is_secret else value_text(found.value, fields[0]), field=name)

    def stored(found: FieldValue | None) -> Any:
        return None if found is None else REDACTED if is_secret else found.value

    def origin(found: FieldValue | None) -> str:
        return (
            phrase(" ({how}, turn {turn})", how=ORIGIN_WORDS[found.how], turn=found.turn) if found is not None else ""
        )

    values: dict[str, Any] = {
        "field": name,
        "value": text(mine) + origin(mine),
        "theirs": text(theirs) + origin(theirs),
        "shown": (text(mine), text(theirs)),
        "stored": (stored(mine), stored(theirs)),
        "one": names[0],
        "other": names[1],
        "is_decisive": bool(decides),
        "decides": decides,
        "since": mine.turn if mine is not None else 0,
        "other_since": theirs.turn if theirs is not None else 0,
    }
    return Fact("values_differ", words("values_differ", values), (Subject("field", name),), values=values)
