"""Which person of a conversation a question is about, an operator or who sent commands, and what needs a person."""

from __future__ import annotations

from collections.abc import Collection

from turnwise.core.machine import Machine
from turnwise.core.state import SAID_BY_USER
from turnwise.core.state import events as e
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Subject
from turnwise.why.names import words_in
from turnwise.why.query import Query, actor
from turnwise.why.reading import Reading
from turnwise.why.reading.cues import OF_QUESTIONS
from turnwise.why.reading.echoes import known_words, stands_in
from turnwise.why.reading.sentences import Sentence
from turnwise.why.reading.words import words_of


async def named_person(query: Query, reading: Reading) -> Subject | None:
    """Return the person whom a question names, where it names nothing of the flow and repeats nothing that was said;
    `None` for the user, and for the person in charge where it is asked how that stands.
    """
    sentence = reading.sentence
    if reading.names.best or (sentence is not None and sentence.quotes):
        return None
    words = words_in(reading.text)
    names = dict.fromkeys(actor(entry.event) for entry in await query.acts())
    if sentence is not None and sentence.is_present and query.state.person is not None:
        names.pop(query.state.person.operator, None)  # it is asked how it stands
    known = known_words(query) | OF_QUESTIONS
    parts = {one: name for name in names for one in words_in(name) if len(one) >= _LEAST and one not in known}
    whole = next((name for name in reversed(names) if stands_in(words_in(name), words)), "")
    found = next((parts[one] for one in words if one in parts), whole)
    return Subject("person", found) if found else None


_LEAST = 3
"""How many letters a part of a name has that stands for all of it."""


def _one_or_all(names: Collection[str]) -> Subject:
    """Return the only one of some persons, or the person, which stands for all of them."""
    return Subject("person", *names) if len(names) == 1 else Subject("person")


_HUMAN = r"(?:humans?|persons?|people|somebody|someone|mensch\w*|jemand\w*|mitarbeiter\w*|operators?)"
_MUST = r"(?:ha(?:s|ve|d) to|need(?:s|ed)?(?: to)?|must|required|muss\w*|soll\w*|braucht\w*)"
_IS_NEEDED = late_pattern(rf"\b{_HUMAN}(?: \w+)? {_MUST}\b|\b{_MUST}(?: \w+){{0,3}} {_HUMAN}\b")
"""What asks why a person is needed: `why does a human have to check this?`"""
_OF_PERSONS = words_of(
    "human humans person persons people somebody someone operator expert specialist supervisor staff team mensch"
    " menschen jemand mitarbeiter mitarbeiterin experte expertin fachkraft"
)


async def needing_person(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the last thing for which a person is needed: the approval of a call, or the move to a node
    of which a person is the work or the description; `None` where there is none, and where a user asked for a person.
    """
    is_named = any(one.kind in ("node", "transition", "tool") for one in reading.names.best)
    if is_named or sentence.is_negated or _IS_NEEDED.search(sentence.clause) is None:
        return None
    async for entry in query.back(e.CallHeld, e.Moved, e.PersonAwaited, e.TakenOver):
        match entry.event:
            case e.CallHeld(tool=tool):
                return reading.at(entry.turn, Subject("tool", tool))
            case e.Moved(target=target, transition=name) if name and _is_for_person(query.machine, target):
                return reading.at(entry.turn, Subject("transition", name))
            case e.PersonAwaited(is_work=False) | e.TakenOver():
                return reading.about(Subject("person"))
            case _:
                pass
    return None


def _is_for_person(machine: Machine, name: str) -> bool:
    """Return whether a person is the work of a node, or a node says that one is needed."""
    node = machine.nodes.get(name)
    return node is not None and (node.work == "person" or not _OF_PERSONS.isdisjoint(words_in(node.node.description)))


async def who_acted(query: Query) -> Subject | None:
    """Return who did something: an operator or who sent commands, or all of them; `None` for no act."""
    names = dict.fromkeys(actor(entry.event) for entry in await query.acts())
    return _one_or_all(names) if names else None


async def who_changed(query: Query) -> tuple[Subject, ...]:
    """Return who changed values: a person, or more than one; else the field that the user changed last."""
    changes = [entry.event for entry in await query.acts() if isinstance(entry.event, e.Commands | e.GivenBack)]
    names = dict.fromkeys(actor(one) for one in changes if not isinstance(one, e.GivenBack) or one.set)
    if names:
        return (_one_or_all(names),)
    async for entry in query.back(e.FieldSet):
        if isinstance(entry.event, e.FieldSet) and entry.event.how in SAID_BY_USER:
            return (Subject("field", entry.event.field),)
    return ()
