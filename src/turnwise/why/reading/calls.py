"""Which failed call a question is about: by the words of its arguments, and of the name and description of its tool."""

from __future__ import annotations

from typing import NamedTuple

from turnwise.core.machine import Machine
from turnwise.core.secrets import redacted_call
from turnwise.core.state import events as e
from turnwise.core.state.effects import Call
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Subject
from turnwise.why.names import words_in
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.clauses import TRIES
from turnwise.why.reading.cues import OF_QUESTIONS
from turnwise.why.reading.echoes import known_words, leaves
from turnwise.why.reading.sentences import Sentence, forms_of
from turnwise.why.reading.titles import is_alike
from turnwise.why.reading.words import COULD, FAILED, LITTLE, OUTCOMES

_IN_VAIN = late_pattern(
    r"(?:\b(?:nothing|no|not|never|nichts|nicht|keine?|nie)\b|n't\b).*\b(?:f[io]u?nd\w*|br[io]ng\w*|brought|g[ia]ve\w*"
    r"|yield\w*|results?|hits?|work\w*|succe\w+|return\w*|available|reachable|gefunden|gebracht|ergeben|geliefert"
    r"|ergebnis\w*|treffer|funktioniert|geklappt|verfügbar|erreichbar)\b"
    r"|\b(?:f[io]u?nds?|br[io]ngs?|brought|g[ia]ves?|return\w*|yield\w*|brachte|ergab|fand|lieferte) "
    r"(?:\w+ )?(?:nothing|no|nichts|keine?)\b"
    r"|\b(?:in vain|came to nothing|c[oa]mes? back empty|crash\w*|broke\w*|(?:went|gone|go|goes) wrong"
    r"|vergeblich|erfolglos|schlug\b.*\bfehl|ging\b.*\bschief|schiefgegangen)\b"
)
"""Words for a call that failed, beside those of `FAILED`."""


class _Ended(NamedTuple):
    """A call that came to nothing: its tool, the turn, the words by which a question may mean it."""

    tool: str
    turn: int
    words: frozenset[str]


async def retried(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about what was refused or failed last, a question, tool or model, for a question why something
    needed several tries that does not name what.
    """
    if reading.names.best or TRIES.search(sentence.clause) is None:
        return None
    async for entry in query.back(
        e.Missed, e.CommandRefused, e.CallRefused, e.ToolFailed, e.CallAnswered, e.ModelFailed
    ):
        match entry.event:
            case e.Missed(field=name) | e.CommandRefused(field=name) if name:
                return reading.at(query.turn.number, Subject("question", name))
            case e.CallRefused(tool=tool) | e.ToolFailed(tool=tool):
                return reading.at(entry.turn, Subject("tool", tool))
            case e.CallAnswered(tool=tool, result=result) if not result["success"]:
                return reading.at(entry.turn, Subject("tool", tool))
            case e.ModelFailed():
                return reading.at(entry.turn, Subject("model"))
            case _:
                pass
    return None


async def failed_call(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the last call that came to nothing, of those that a question about a failure means by
    their words; `None` where none has its words, and for other questions. A tool that did not fail is not meant.
    """
    named = {one.name for one in reading.names.best}
    is_failure = not FAILED.isdisjoint(sentence.words) or _IN_VAIN.search(sentence.unquoted) is not None
    could_not = not is_failure and sentence.is_negated and not COULD.isdisjoint(sentence.main)
    if (
        not (is_failure or could_not)
        or reading.names.is_marked
        or any(one.kind != "tool" for one in reading.names.best)
    ):
        return None
    rest = OF_QUESTIONS | FAILED | OUTCOMES | known_words(query)
    said, rest = (sentence.main, LITTLE) if could_not else (sentence.content, rest)
    own = [word for word in said if word not in rest]
    asked = {form for word in own for form in (word, *forms_of(word))}.union(*map(words_in, named))
    best, most = None, int(could_not)  # `look` and `up`, where only the words of the tool say that it is meant
    for one in await _in_vain(query, sentence):
        count = sum(any(is_alike(word, other) for other in one.words) for word in asked)
        if one.tool in named:
            return None
        if count > most:
            best, most = one, count
    return reading.at(best.turn, Subject("tool", best.tool)) if best is not None else None


async def _in_vain(query: Query, sentence: Sentence) -> list[_Ended]:
    """Return the calls that came to nothing, the newest first; the oldest first where the first is asked for."""
    calls: dict[str, Call] = {}
    found: list[tuple[str, str, int]] = []
    async for entry in query.back(e.ModelReplied, e.ToolFailed, e.CallRefused, e.CallAnswered, e.ToolReturned):
        match entry.event:
            case e.ModelReplied(calls=made):
                calls |= {one.id: one for one in made}
            case e.ToolFailed(tool=tool, call=call) | e.CallRefused(tool=tool, call=call):
                found.append((tool, call, entry.turn))
            case e.CallAnswered(tool=tool, call=call, result=result) if not result["success"]:
                found.append((tool, call, entry.turn))
            case e.ToolReturned(tool=tool, call=call, result=result) if result in ([], {}, "", None):
                found.append((tool, call, entry.turn))
            case _:
                pass
    ended = [_Ended(tool, turn, _words(query.machine, tool, calls.get(call))) for tool, call, turn in found]
    ended = [one for one in ended if sentence.turn in (None, one.turn)]
    return ended[::-1] if sentence.is_about_first else ended


def _words(machine: Machine, tool: str, call: Call | None) -> frozenset[str]:
    """Return the words of a tool's name and description, and of the arguments of its call, except secret ones."""
    linked = machine.tools.get(tool)
    about = linked.tool.about if linked is not None else ""
    given = map(str, leaves(redacted_call(machine, call).arguments)) if call is not None else ()
    return frozenset(word for text in (tool, about, *given) for word in words_in(text) if word not in LITTLE)
