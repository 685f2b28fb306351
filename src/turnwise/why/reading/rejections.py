"""Whether a question is about the rejection of the user, in any words, and which moves of a flow reject."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnwise.core.machine import Candidate, End, Machine
from turnwise.why.answer import Subject
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.cues import Cue
from turnwise.why.reading.echoes import known_words
from turnwise.why.reading.sentences import Sentence

_PERSON = (
    r"i|he|she|they|we|me|him|them|us|her|ich|er|sie|wir|mich|ihn|uns|(?:the |der |die |den )?(?:user|customer|client|"
    r"caller|patient|person|woman|man|nutzer|kunde|anrufer|frau|mann|benutzer)(?:in|en|n)?"
)
_BETWEEN = (
    r"(?: (?:ever|never|not|once|first|at first|initially|then|already|so|really|jemals|je|nie|nicht|zuerst|zunächst"
    r"|anfangs|einmal|schon|erst|dann|überhaupt))*"
)
_REJECTED = (
    r"(?:refused|rejected|declined|denied|excluded|dismissed|disqualified|barred|turned (?:away|down|back)|sent away"
    r"|let go|ruled out|(?:thrown|kicked|shut|locked) out|abgelehnt|abgewiesen|zurückgewiesen"
    r"|ausgeschlossen|weggeschickt|fortgeschickt|(?:he)?raus(?:geworfen|geschmissen|geflogen)|hinausgeworfen)"
)
_WAS = r"(?:was|were|am|is|are|been|be|got|get|wurdes?t?|wurden|worden|war|bin|ist)"


def _pattern(names: str) -> re.Pattern[str]:
    """Return what is asked of the user's rejection, where the user has some names."""
    person = rf"(?:{_PERSON}{names})"
    return re.compile(
        rf"\b(?:{_WAS}{_BETWEEN} {person}|{person}(?: has| had| have)?{_BETWEEN} {_WAS}){_BETWEEN} {_REJECTED}\b"
        rf"|\b{person}{_BETWEEN} {_REJECTED} (?:wurde\w*|worden|war)\b"
        rf"|\b(?:hast|hat|habt|haben) (?:\w+ ){{1,2}}?(?:mich|ihn|sie|uns{names}){_BETWEEN} {_REJECTED}\b"
        r"|\b(?:refus|reject|declin|deny|denied|exclud|dismiss|disqualif)\w*"
        rf" (?:me|him|them|us|the user{names}|her(?! \w))"
        rf"|\b(?:send|sent|turn\w*|throw|threw|kick\w*) {person} (?:away|down|out)\b"
        r"|\b(?:my|her|his|their|the|'s) (?:rejection|exclusion|dismissal|disqualification)\b"
        r"|\b(?:ablehnung|abweisung|zurückweisung|ausschluss\w*)\b"
    )


def of_rejection(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the rejection of the user, where the question is about that, names nothing of the flow,
    and hints at no timer: `why was Anna refused?`, but not `why was 200 refused?`
    """
    if reading.hint_kind == "timer":
        return None
    names = "".join(f"|{re.escape(name)}" for name in sorted(known_words(query)))
    asked = sentence.clause if sentence.is_about_itself else sentence.unquoted
    if reading.names.best or _pattern(names).search(asked) is None:
        return None
    return reading._replace(cue=Cue("turn", "rejection"), found=(Subject("turn", str(query.turn.number)),))


async def never_rejected(query: Query, reading: Reading) -> Reading:
    """Return a reading about the nodes that reject, none of which was entered."""
    ways = rejecting(query.machine)
    found = [Subject("node", one.target) if one.target else Subject("transition", one.id) for one in ways]
    start = query.machine.flow.start
    hint = "" if found else f"no transition that leaves {start} before its work is done rejects anybody"
    return reading._replace(found=tuple(dict.fromkeys(found)), hint=hint)


def rejecting(machine: Machine) -> Iterator[Candidate]:
    """Yield the transitions that reject: they leave the node in which the flow starts, not because its form is done,
    for the end, or for a node that ends or only leads back.
    """
    start = machine.nodes[machine.flow.start]
    for one in start.candidates:
        is_done = one.moment == "after" and start.form is not None
        if not is_done and (isinstance(one.action, End) or _is_way_out(machine, one.target)):
            yield one


def _is_way_out(machine: Machine, target: str) -> bool:
    start, node = machine.flow.start, machine.nodes.get(target)
    if node is None or target == start or node.person is not None:
        return False
    return bool(node.node.end) or any(one.target == start for one in node.candidates)
