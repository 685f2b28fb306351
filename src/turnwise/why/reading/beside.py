"""What stands beside the fact that answers a question: how often, when and by whom, and what the question holds against
it. A fact about the clause that asks leads; all others follow.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import pairwise, product
from typing import Any, NamedTuple

from msgspec.structs import replace

from turnwise.core.state import How
from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import listed
from turnwise.why.kinds import FactKind
from turnwise.why.names import words_in
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.clauses import BECAME, SUMMARY
from turnwise.why.reading.sentences import Sentence, asks_for_count
from turnwise.why.reading.titles import is_alike, node_in, titles_of
from turnwise.why.reading.values import TAKEN_OR_NOT, UNDONE, words_of_value
from turnwise.why.reading.words import ASKING, BEFORE, FAILED, STANDING, TOOLS
from turnwise.why.subjects import answer
from turnwise.why.subjects.counts import counted
from turnwise.why.subjects.durations import ASKS, SINCE, time_passed
from turnwise.why.subjects.ends import after_end
from turnwise.why.subjects.fields import in_the_way
from turnwise.why.subjects.forms import grounded
from turnwise.why.subjects.offers import offer_in, tools_in
from turnwise.why.subjects.setbacks import last_setback
from turnwise.why.subjects.turns import lacking


class Beside(NamedTuple):
    """A fact beside the first one. It `leads` where the clause that asks is about it."""

    fact: Fact
    leads: bool = False


async def beside(query: Query, reading: Reading, first: Fact) -> AsyncIterator[Beside]:
    """Yield what a question asks beside its first fact, and what later took the turn back."""
    sentence = reading.sentence
    if sentence is not None and reading.not_kept is not None:
        is_aside = bool(sentence.quotes) and all(quote.is_aside for quote in sentence.quotes)
        is_aside = is_aside and query.subject.kind not in ("message", "turn")
        yield Beside(await after_end(query, reading.not_kept), leads=not is_aside)
    if sentence is not None:
        is_since = query.subject.kind in ("person", "transition") and SINCE.search(sentence.text) is not None
        passed = await time_passed(query, sentence.text) if is_since or ASKS.search(sentence.text) else None
        if passed is not None:
            yield Beside(passed, leads=True)
        moment = await _who_and_when(query, sentence, first) if passed is None else None
        if moment is not None:
            yield Beside(moment, leads=bool(moment.values["at"]))
    for fact in _offers(query, reading, first):
        yield Beside(fact, leads=True)
    for one in await _repeated(query, reading):
        yield one
    for fact in (*await _against(query, reading), *await _unheard(query, first)):
        yield Beside(fact)
    is_lost = sentence is not None and _asks_what_became(sentence) and first.kind == "field_set"
    for fact in (*await query.undone_later(), *await _lost_later(query, first)):
        yield Beside(fact, leads=is_lost)


def _asks_what_became(sentence: Sentence) -> bool:
    """Return whether a question is what became of a value, or why it is not so, and not how it was before something."""
    asks = sentence.is_negated or BECAME.search(sentence.clause) is not None
    return asks and sentence.aside[:1] not in BEFORE


async def _lost_later(query: Query, first: Fact) -> list[Fact]:
    """Return how the value that a message gave was lost in a later turn, where its field has none since."""
    last = query.history.last.turn
    turn = await query.history.turn(last) if first.kind == "field_set" and last > query.turn.number else None
    if turn is None or query.subject.kind not in ("message", "turn"):
        return []
    name = str(first.values["field"])
    now = (await answer((await query.at(turn)).of(Subject("field", name))))[0]
    lost = [one for one in now.causes if one.kind in UNDONE and one.turn > query.turn.number]
    if now.kind != "field_empty" or not lost:
        return []
    then = await query.history.turn(int(lost[0].values.get("turn") or lost[0].turn))
    before = then.before.values.get(name) if then is not None and then.before is not None else None
    return lost[:1] if before is not None and before.turn == first.turn else []


# which tools are offered --------------------------------------------------------------------------


def _offers(query: Query, reading: Reading, first: Fact) -> Iterator[Fact]:
    """Yield which tools a node offers, or whether it offers the one that a question is about, where that is asked."""
    if reading.sentence is None or STANDING.isdisjoint(reading.sentence.main):
        return
    node = node_in(query.machine, reading.sentence.clause)
    if query.subject.kind == "tool":
        is_said = first.kind in _OFFERS and first.values["node"] == node
        offer = offer_in(query, node) if node and not is_said else None
        yield from (offer,) if offer is not None else ()
    elif query.subject.kind in ("model", "node") and not TOOLS.isdisjoint(reading.sentence.main):
        yield tools_in(query, node or query.subject.name or query.state.node)


_OFFERS: tuple[FactKind, ...] = ("tool_offered", "tool_not_offered", "tool_not_called")


# how often ----------------------------------------------------------------------------------------


async def _repeated(query: Query, reading: Reading) -> list[Beside]:
    """Return how often something happened. Where it is asked why it happened more than once, the reason leads."""
    sentence, found = reading.sentence, list[Beside]()
    is_why = sentence is not None and sentence.is_about_repetition
    reason = await _reason(query, sentence) if is_why and sentence is not None else None
    if reason is not None:
        found.append(Beside(reason, leads=True))
    if asks_for_count(reading.text, query.subject.kind):
        count = await counted(query, reading.text.casefold())
        is_so = is_why and count is not None and count.values["count"] > 1
        found += [Beside(count, leads=not is_so or reason is not None)] if count is not None else []
    elif sentence is not None and sentence.is_about_which and _is_about_faults(reading, sentence):
        count = await counted(query, "failed" if reading.subject.kind == "turn" else reading.text.casefold())
        found += [Beside(count)] if count is not None and count.values["count"] > 1 else []
    return found


def _is_about_faults(reading: Reading, sentence: Sentence) -> bool:
    """Return whether a question is about what failed, or was not understood or answered."""
    happening = reading.cue.happening if reading.cue is not None else None
    is_of_model = reading.subject.kind == "model" and not FAILED.isdisjoint(sentence.main)
    return is_of_model or happening in ("failure", "unanswered", "miss")


async def _reason(query: Query, sentence: Sentence) -> Fact | None:
    """Return why a field was asked for again, or given again; `None` where that happened once, or of other subjects.
    A field that no form asks for is asked for as long as a transition needs it.
    """
    name, kind = query.subject.name, query.subject.kind
    if kind == "form" and SUMMARY.search(sentence.clause) is not None:
        return await _why_shown_again(query)
    if kind == "question" or (kind == "field" and name in query.machine.forms_of):
        return await _why_asked_again(query, name)
    if kind != "field":
        return None
    turns = [one.turn async for one in query.back(e.FieldSet) if getattr(one.event, "field", "") == name]
    is_asked = bool(turns) and not ASKING.isdisjoint(sentence.main)
    earlier = next((turn for turn in turns if turn < turns[0]), turns[0] - 1 if is_asked else 0)
    then = await query.history.turn(earlier) if earlier else None
    return next(iter(await in_the_way(await query.at(then), name)), None) if then is not None else None


async def _why_shown_again(query: Query) -> Fact | None:
    """Return what changed the answers since the summary of a form was shown before; `None` where it was shown once."""
    shown = [one async for one in query.back(e.Said) if isinstance(one.event, e.Said) and one.event.kind == "summary"]
    if len(shown) < _TWICE:
        return None
    last, before = shown[:_TWICE]
    changes = [one async for one in query.back(e.FieldSet, since=before.turn) if before.seq < one.seq < last.seq]
    return next(reversed(await query.facts_of(changes[0])), None) if changes else None


_TWICE = 2


async def _why_asked_again(query: Query, name: str) -> Fact | None:
    """Return why the question of a field was put once more: the user wanted that, or what left it without an answer."""
    asked = [
        one
        async for one in query.back(e.Said)
        if isinstance(one.event, e.Said) and one.event.question == "field" and one.event.field == name
    ]
    for last, before in pairwise(asked):
        reason = await _why_put_again(query, name, last, before)
        if reason is not None and reason.kind != "field_set":
            return reason
    return None


async def _why_put_again(query: Query, name: str, last: e.Entry, before: e.Entry) -> Fact | None:
    put = next((fact for fact in await query.facts_of(last) if fact.kind == "question_asked"), None)
    reason = next(iter(put.causes), None) if put is not None else None
    then = await query.history.turn(last.turn)
    setback = await last_setback(query, name, since=before.turn, before=last.seq)
    is_undone = setback is not None and setback.kind == "turn_undone"
    if reason is not None and reason.kind in _AGAIN and then is not None and not is_undone:
        return await grounded(await query.at(then), reason)
    return setback


_AGAIN: tuple[FactKind, ...] = ("question_edited", "question_walked", "question_repeated", "question_again")
"""Facts about a question that say why it is put again."""


# when, and by whom --------------------------------------------------------------------------------


async def _who_and_when(query: Query, sentence: Sentence, first: Fact) -> Fact | None:
    """Return when the event of a fact happened, or the last one that caused it, and who did it, as far as that is asked
    and the fact does not say it; `None` where that is nothing, or the fact says what did not happen.
    """
    events = [fact for fact in ((first,) if first.seq else first.causes) if fact.seq]
    event = max(events, key=lambda fact: fact.seq, default=None)
    turn = await query.history.turn(event.turn) if event is not None else None
    is_stay = first.kind == "decided" and not first.values["transition"]
    if event is None or turn is None or is_stay or first.kind in _NO_EVENTS:
        return None
    is_timed = not sentence.is_about_when or not _TIMED.isdisjoint(first.values)
    at = "" if is_timed else query.end.time(await query.time_of(event))
    by = await _by_whom(query, first) if sentence.is_about_who else ""
    if not at and not by:
        return None
    did = str(first.values.get("line") or first.text) if at else ""
    fact = query.end.standing("happened_at", *event.about, at=at, turn=event.turn, person=by, did=did)
    return replace(fact, turn=event.turn)


_NO_EVENTS: tuple[FactKind, ...] = (
    *(*_OFFERS, "tool_never_used"),
    *("node_never_entered", "transition_judged", "transition_not_judged", "timer_not_armed"),
)
"""Facts about what did not happen: the time at which that was seen is no answer to when it did."""
_TIMED = frozenset(("at", "due", "since", "until"))
"""Values that say when something was, or is to be."""


def _actors(fact: Fact) -> Iterator[str]:
    """Yield in words who did what a fact is about, the nearest cause first."""
    for one in fact.walk():
        values: dict[str, Any] = one.values
        match one.kind:
            case "message_received":
                yield f"the user, who said “{values['said']}”"
            case "button_pressed":
                yield f"the user, who pressed “{values['said']}”"
            case "model_replied":
                yield "the model"
            case "commands_received":
                yield f"{values['by']}, who sent commands"
            case "person_took_over" | "person_said" | "person_gave_back":
                yield str(values["operator"])
            case "tool_used_by_host" | "undo_asked":
                yield "the program"
            case "timer_fired":
                yield f"the timer {values['timer']}"
            case _:
                pass


async def _by_whom(query: Query, first: Fact) -> str:
    """Return in words who did what a fact is about: of a move the transition, and who gave each value that it read;
    empty where the fact says who, or that a person chose the move.
    """
    taken = next((one for one in first.walk() if one.kind == "decided" and one.values["transition"]), None)
    by = next(_actors(first), "")
    if first.kind not in _MOVES or taken is None:
        return "" if _says_who(first) else by
    if taken.values["operator"]:
        return ""
    reads = [one for one in (await query.history.traced(taken)).causes if one.kind in ("value_read", "root_read")]
    given = [f"{one.text} (by {giver})" for one in reads if (giver := next(_actors(one), ""))]
    transition = f"the transition {taken.values['transition']} of the flow"
    return f"{transition}: {listed(given)}" if given else by or transition


def _says_who(fact: Fact) -> bool:
    """Return whether a fact names who did what it is about, or whom it was done to, and so means no other person."""
    is_given = fact.values.get("origin") in _GIVEN
    return is_given or fact.kind in _OF_SOMEBODY or any(fact.values.get(name) for name in ("operator", "by"))


_OF_SOMEBODY: tuple[FactKind, ...] = (
    *("message_received", "button_pressed", "person_acted", "form_cancelled"),
    *("model_called", "model_replied", "model_failed", "call_answered"),
    *("question_asked", "question_was_asked", "question_edited", "question_walked"),
)
_GIVEN: tuple[How, ...] = ("direct", "button", "operator", "command")
"""How a value came of which the fact names the giver."""
_MOVES: tuple[FactKind, ...] = ("decided", "node_left", "transition_was_taken", "conversation_ended")


# what a message was about -------------------------------------------------------------------------


async def _unheard(query: Query, first: Fact) -> list[Fact]:
    """Return the transitions that wait for a field of which a message speaks that was not understood."""
    if first.kind != "understood_nothing" or query.subject.kind != "message":
        return []
    said = " ".join(str(one.values["said"]) for one in first.causes if one.kind == "message_received")
    node = query.machine.nodes[query.state.node]
    named = titles_of(query.machine).weighed(words_in(said)).best
    fields = [one.name for one in named if one.kind == "field" and one.name in node.collects]
    return [fact for name in fields for fact in await in_the_way(query, name)]


# what is held against it --------------------------------------------------------------------------


async def _against(query: Query, reading: Reading) -> list[Fact]:
    """Return what became of the words that a question holds against what it asks: the first move of their turn, or why
    there was none, where it sets one turn against another; else what took or refused the words.
    """
    against = reading.against
    turn = await query.history.turn(against.turn) if against.turn else None
    if turn is None:
        return []
    other = await query.at(turn)
    if against.is_turn:
        return [fact for fact in other.facts if fact.kind == "node_left"][:1] or lacking(other)[-1:]
    became = await answer(other.of(Subject("message", str(turn.number))))
    own = [fact for fact in became if fact.kind in TAKEN_OR_NOT]
    return [
        fact
        for fact in own
        if any(is_alike(*both) for both in product(against.words, {*words_of_value(fact), *words_in(fact.text)}))
    ][:1]
