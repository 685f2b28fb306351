"""The turn in which happened what a question asks about: an undo, a failure, a move, a use of a tool."""

from __future__ import annotations

from itertools import takewhile
from typing import cast

from turnwise.core.explain.decision import disagreement
from turnwise.core.machine import Machine
from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.core.state.kinds import AppliedCommand
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Moment
from turnwise.why.answer import Subject
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.clauses import UNANSWERED
from turnwise.why.reading.cues import CLEAR, Happening
from turnwise.why.reading.people import who_acted, who_changed
from turnwise.why.reading.rejections import never_rejected, rejecting
from turnwise.why.reading.sentences import Sentence, asks_for_count
from turnwise.why.reading.words import COULD, FAILED, MAKING, OUTCOMES, STANDING, TOOLS

_HAPPENINGS: dict[Happening, tuple[type[e.AnyEvent], ...]] = {
    "undo": (e.UndoAsked, e.Undone),
    "restart": (e.CommandApplied,),
    "skip": (e.CommandApplied, e.CommandRefused),
    "loss": (e.CommandApplied, e.FieldCleared, e.Undone, e.Migrated),
    "unanswered": (e.Failed,),
    "failure": (e.ToolFailed, e.ModelFailed, e.UnderstandingFailed, e.Faulted, e.Failed),
    "move": (e.Moved,),
    "admission": (e.Moved,),
    "rejection": (e.Moved,),
    "inquiry": (e.UserSaid,),
    "disagreement": (e.Decided,),
    "return": (e.Moved,),
    "result": (e.ToolReturned, e.ToolFailed),
    "stop": (e.FormChanged,),
    "cancel": (e.CommandApplied,),
    "confirm": (e.CommandApplied, e.FormClosed),
    "summary": (e.Said,),
    "miss": (e.Missed, e.UnderstandingFailed),
}
_COMMANDS: dict[Happening, AppliedCommand] = {"skip": "skip", "cancel": "cancel", "confirm": "affirm"}
"""The command that is meant by what happens; else a new start."""


def happening_of(reading: Reading) -> Happening | None:
    """Return what happens that a question asks about, where it names nothing of the flow, or a clear word says more."""
    is_clear = reading.hint_kind in CLEAR and reading.subject == Subject(reading.hint_kind)
    return reading.happening if is_clear or not reading.names.best else None


async def when_it_happened(
    query: Query, reading: Reading, sentence: Sentence, turn: int | None = None
) -> Reading | None:
    """Return a reading with the last turn, or the given one, in which happened what its subject is about; `None` where
    that is not known, and for a question about how something stands.
    """
    acted = await _by_actor(query, reading)
    if acted is not None:
        return acted
    happening = happening_of(reading)
    if happening == "move" and sentence.is_negated:
        return None
    events = _HAPPENINGS[happening] if happening is not None else _uses(reading.subject, sentence)
    if not events:
        return None
    is_let_in = happening == "admission" and not sentence.is_negated and sentence.is_about_first
    kind, name = reading.subject.kind, reading.subject.name if reading.subject.kind in ("tool", "timer") else ""
    async for entry in query.forth(*events) if sentence.is_about_first else query.back(*events):
        event = entry.event
        is_meant = not name or getattr(event, kind, "") == name
        is_meant = is_meant and not (is_let_in and _is_of(query.machine, event, "rejection"))
        if is_meant and turn in (None, entry.turn) and _is_of(query.machine, event, happening):
            found = _what_did(query.machine, reading, event, happening)
            if happening == "rejection" and isinstance(event, e.Moved) and asks_for_count(sentence.text, "node"):
                found = (Subject("node", event.target), *found)
            if happening in ("restart", "skip", "loss"):
                found = await message_or_turn(query, entry.turn)
            is_over = isinstance(query.state.status, Ended) and kind == "message"
            is_after = is_over and turn is None and UNANSWERED.search(sentence.unquoted) is not None
            return reading._replace(not_kept="" if is_after else None, found=found).at(entry.turn)
    if happening == "disagreement":
        return reading.without(f"the rules and the code disagreed in no turn {query.where}".rstrip())
    if happening == "rejection" and turn is None:
        return await never_rejected(query, reading)
    return None


_MISSING = late_pattern(
    r"\b(?:missing|lack\w*|need\w*|fehlt\w*|nötig|gebraucht|(?:have|has|had) (?:had )?to (?:say|tell|answer|give)"
    r"|(?:must|should) (?:\w+ )?(?:have )?(?:say|said|tell|told|answer(?:ed)?|give|given)"
    r"|sagen müssen|(?:muss|müsste) .*sagen)\b"
)


async def still_missing(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the transition by which the user would have been let in, at the last turn that judged it;
    `None` for a question that does not ask what that lacked.
    """
    machine, start = query.machine, query.machine.flow.start
    if happening_of(reading) != "admission" or _MISSING.search(sentence.text) is None:
        return None
    ways = {one.id for one in machine.nodes[start].candidates if one.target} - {one.id for one in rejecting(machine)}
    async for entry in query.back(e.Decided):
        turn = await query.history.turn(entry.turn) if getattr(entry.event, "node", "") == start else None
        for decision in turn.decisions if turn is not None else ():
            judged = [one for one in decision.candidates if one.id in ways and one.outcome in ("false", "unknown")]
            if judged:
                return reading.at(entry.turn, Subject("transition", judged[0].id))
    return None


async def _by_actor(query: Query, reading: Reading) -> Reading | None:
    """Return a reading about who changed values, or acted from outside: persons and programs; else the last commands of
    an unnamed program, or the last tool that it used. `None` for a question about something else.
    """
    happening = reading.happening if reading.subject.kind == "person" else None
    if happening == "change":
        return reading._replace(found=await who_changed(query) or reading.found)
    if happening != "outside":
        return None
    acted = await who_acted(query)
    if acted is not None:
        return reading._replace(found=(acted,))
    async for entry in query.back(e.ToolUsed, e.Commands):
        used = Subject("tool", entry.event.tool) if isinstance(entry.event, e.ToolUsed) else Subject("turn")
        return reading.without().at(entry.turn, used)
    where = query.where or "so far"
    return reading.without(f"nobody acted from outside {where}: no person took over, and no program sent commands")


async def turn_of(query: Query, happening: Happening) -> int:
    """Return the last turn in which something happened; 0 if it did not."""
    async for entry in query.back(*_HAPPENINGS[happening]):
        if _is_of(query.machine, entry.event, happening):
            return entry.turn
    return 0


async def what_made(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the last tool that was used in a node, for a question what was made there, or by which
    tool; `None` for any other.
    """
    nodes = {one.name for one in reading.names.best if one.kind == "node"}
    if not nodes or (MAKING | TOOLS).isdisjoint(sentence.main):
        return None
    node = query.state.node
    async for entry in query.back(e.Moved, e.ToolReturned):
        match entry.event:
            case e.Moved(source=source):
                node = source
            case e.ToolReturned(tool=tool) if node in nodes:
                return reading.at(entry.turn, Subject("tool", tool))
            case _:
                pass
    return None


def _is_of(machine: Machine, event: e.AnyEvent, happening: Happening | None) -> bool:
    """Return whether an event is one of what happened."""
    match event:
        case e.CommandApplied(command=command) | e.CommandRefused(command=command):
            return command == _COMMANDS.get(happening or "restart", "restart")
        case e.Faulted(fault=fault):
            return fault.kind not in ("write", "refused")  # the model got the error, and nothing broke
        case e.FormChanged(run=run):
            return run.status == "stopped"
        case e.Decided(node=node, moment=moment):
            candidates = machine.candidates(node, cast("Moment", moment)) if node in machine.nodes else None
            is_same = candidates is not None and len(candidates.all) == len(event.outcomes)
            return candidates is not None and is_same and disagreement(candidates, event) is not None
        case e.Said(kind=kind):
            return kind == "summary"
        case e.UserSaid(text=text):
            return happening != "inquiry" or "?" in text
        case e.Moved():
            return _is_meant(machine, event, happening)
        case _:
            return True


def _is_meant(machine: Machine, move: e.Moved, happening: Happening | None) -> bool:
    """Return whether a move is one of what happened: who is let in leaves the node in which the flow starts, and who
    gets a second chance comes back to it.
    """
    start = machine.flow.start
    match happening:
        case "admission":
            return move.source == start
        case "rejection":
            return move.source == start and any(one.id == move.transition for one in rejecting(machine))
        case "return":
            return move.target == start
        case _:
            return True


def _what_did(
    machine: Machine, reading: Reading, event: e.AnyEvent, happening: Happening | None
) -> tuple[Subject, ...]:
    """Return the subjects of a reading, after what failed, returned or moved, where the question does not name it."""
    match event:
        case e.ToolReturned(tool=tool) if happening == "result":
            return (Subject("tool", tool), *reading.found)
        case e.Moved(transition=name) if (
            happening in ("admission", "rejection", "return") and name in machine.transitions()
        ):
            return (Subject("transition", name), *reading.found)
        case e.ToolReturned(tool=tool) | e.ToolFailed(tool=tool) | e.CallRefused(tool=tool) if not reading.names.best:
            return (Subject("tool", tool), *reading.found)
        case e.ModelFailed() if not reading.names.best:
            return (Subject("model"), *reading.found)
        case _:
            return reading.found


def _uses(subject: Subject, sentence: Sentence) -> tuple[type[e.AnyEvent], ...]:
    """Return the events that are uses of a subject; none where its answer looks back itself, or where it is asked how
    it stands.
    """
    is_failure = not FAILED.isdisjoint(sentence.words) or (sentence.is_negated and not COULD.isdisjoint(sentence.main))
    is_standing = not STANDING.isdisjoint(sentence.words)
    is_of_tools = subject.kind == "tool" or not TOOLS.isdisjoint(sentence.words)
    match subject.kind:
        case "message":
            return (e.UserSaid, e.UserChose)
        case "timer" if sentence.is_about_first:
            return (e.TimerFired,)
        case "model" | "tool" if is_failure:
            return (e.ToolFailed, e.CallRefused) if is_of_tools else (e.ModelFailed,)
        case "model" if not (sentence.is_negated or is_standing or asks_for_count(sentence.text, "model")):
            return (e.ToolReturned, e.ToolFailed, e.CallRefused) if is_of_tools else (e.ModelReplied, e.ModelFailed)
        case "tool" if not is_standing:
            is_outcome = not OUTCOMES.isdisjoint(sentence.words)
            return _USES if is_outcome or not sentence.is_negated else ()
        case _:
            return ()


_USES = (e.ToolReturned, e.ToolFailed, e.ToolUsed, e.CallRefused, e.CallAnswered, e.CallHeld)


async def unanswered(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the last message that was left to a person who has given the conversation back, for a
    question why nothing was said that does not say to what; `None` where that has a later reason.
    """
    is_named = reading.names.best and not reading.names.by.isdisjoint(sentence.main)
    is_asked = reading.found and not is_named and UNANSWERED.search(sentence.clause) is not None
    is_now = query.state.person is not None or isinstance(query.state.status, Ended)
    says_which = sentence.numbers or any(quote.is_marked for quote in sentence.quotes)
    if not is_asked or is_now or says_which or sentence.is_present:
        return None
    said = [one async for one in query.back(e.UserSaid, e.UserChose, e.Failed, e.NobodyCame)]
    for entry in takewhile(lambda one: isinstance(one.event, e.UserSaid | e.UserChose), said):
        if any(fact.kind == "message_not_interpreted" for fact in await query.facts_of(entry)):
            return reading.at(entry.turn, Subject("message"))
    return None


async def message_or_turn(query: Query, number: int, *, is_about_message: bool = False) -> tuple[Subject, ...]:
    """Return the message of a turn and the turn, the turn first where it went somewhere."""
    turn = await query.history.turn(number)
    events = turn.events if turn is not None else ()
    own = [Subject("message", str(number))] if any(isinstance(one, e.UserSaid | e.UserChose) for one in events) else []
    has_moved = any(isinstance(one, e.Moved | e.Ended | e.Failed) for one in events)
    found = (*own, Subject("turn", str(number)))
    return found[::-1] if has_moved and not is_about_message else found
