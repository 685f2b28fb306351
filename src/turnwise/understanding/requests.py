"""Finds requests in a message: skip, help, cancel and the like, tasks to start, answers to change or to remove.

A wish that is denied, doubted or asked about is no request.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from turnwise.core.language import is_why_question
from turnwise.core.language.writing import asks_only_about_writing
from turnwise.core.state.commands import COMMANDS, AnyCommand, Ask, Clear, CommandName, Edit, Why
from turnwise.understanding.clauses import Clause, ParsedMessage, without_phrases
from turnwise.understanding.field_values import fitting_value
from turnwise.understanding.readings import Reading, Text
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import closest
from turnwise.understanding.vocabulary.tables import is_one_of, length_at

_LEAST_TYPED = 5
MOST_WHY_QUESTIONS = 3
"""How many questions of why of one message are answered."""
Asked = CommandName | Literal[""]
"""The command that words ask for; empty where none."""
_KINDS: tuple[CommandName, ...] = (
    *("skip", "help", "why", "repeat", "wait", "cancel", "restart", "back", "undo", "hand_over", "edit"),
)
"""Commands that need no field or value."""


def command_named(kind: Asked, words: tuple[int, int], confidence: float = 1.0) -> AnyCommand | None:
    """Return the command of a kind that needs no field or value, from the span `words` of the message; `None` for other
    kinds. `confidence` is from 0 to 1.
    """
    return COMMANDS[kind](words=words, confidence=confidence) if kind in _KINDS else None


def phrased_kind(said: Sequence[str], situation: Situation) -> Asked:
    """Return the command for which the words as a whole are a phrase, even if it is not allowed; empty if none."""
    for core in _cores(tuple(said), situation):
        found: list[CommandName] = [kind for kind in _KINDS if is_one_of(situation.requests.commands[kind], core)]
        allowed: list[CommandName] = [kind for kind in found if situation.allows(kind)]
        if found:
            return (allowed or found)[0]
    return ""


def kind_of(said: Sequence[str], situation: Situation) -> Asked:
    """Return the command that the words as a whole request, even if it is not allowed; empty if none."""
    speech, requests = situation.speech, situation.requests
    kind = phrased_kind(said, situation)
    if kind == "wait" and situation.asks_for_time:
        now = situation.vocabulary.calendar.now
        kind = "" if any(is_one_of(now, core) for core in _cores(tuple(said), situation)) else kind  # `sofort`
    if kind:
        return kind
    for kind, verbs, things in requests.short_requests:  # among small words only: `may I speak with a manager`
        if not (verbs.isdisjoint(said) or things.isdisjoint(said)):
            rest = [word for word in said if word not in verbs and word not in things]
            if all(word in speech.filler or word in speech.trailing for word in rest):
                return kind
    return ""


def _cores(said: tuple[str, ...], situation: Situation) -> list[tuple[str, ...]]:
    """Return the words, then the words without leading phrases (`I want to`) and trailing fillers."""
    speech = situation.speech
    cores = [said]
    first, stop = 0, len(said)
    while stop > first and said[stop - 1] in speech.trailing:
        stop -= 1
        cores.append(said[first:stop])
    while first < stop:
        size = max(length_at(speech.wishes, said, first), length_at(speech.requests, said, first))
        if not size:
            break
        first += size
        cores += [said[first:], said[first:stop]]
    return [core for core in cores if core]


def is_whole_answer(text: Text, clause: Clause, situation: Situation) -> bool:
    """Return whether a clause is only an option, which may answer a question that was not asked (`billing, please`)."""
    speech, rest = situation.speech, without_phrases(clause.said, situation)
    if not all(word in speech.leads or situation.labels.names_field(word) for word in rest):
        return False
    said = text.words_between(clause.first, clause.stop)
    is_idle = is_one_of(speech.idle, said) or is_one_of(speech.fill_phrases, said)
    is_all_option = not clause.said and len(said) > 1  # the author's own words, such as "No rush"
    return kind_of(said, situation) == "" and not (is_idle and not is_all_option)


def misspelled_command(message: ParsedMessage) -> AnyCommand | None:
    """Return the allowed command that a message of one misspelled word means (`cancle`); `None` if none."""
    said, table, situation = message.all_words(), message.situation.requests.commands, message.situation
    if len(said) != 1 or len(said[0]) < _LEAST_TYPED:
        return None
    known: dict[str, CommandName] = {
        first: kind
        for kind in _KINDS
        if situation.allows(kind)
        for first, some in table[kind].items()
        if (first,) in some and len(first) >= _LEAST_TYPED
    }
    found = closest(said[0], known)
    return command_named(found[0], message.whole(), round(found[1], 2)) if found else None


def clause_commands(message: ParsedMessage) -> list[AnyCommand]:
    """Return the commands that the clauses request, each once, including questions (`what do you mean?`)."""
    situation, found = message.situation, dict[str, AnyCommand]()
    for at, clause in enumerate(message.clauses):
        kind: Asked = "" if clause.readings else kind_of(clause.said, situation)
        if kind == "cancel":  # not where it only takes back what was said (`never mind, make it …`)
            is_dismissal = is_one_of(situation.requests.dismissals, clause.said)
            after = message.clauses[at + 1 :]
            if any((one.cues and one.is_strong) or (is_dismissal and _answers(one, situation)) for one in after):
                continue
        command = command_named(kind, message.span(clause)) if situation.allows(kind) else None
        if command:
            found.setdefault(kind, command)
    return list(found.values())


def _answers(clause: Clause, situation: Situation) -> bool:
    """True for a clause that says something of its own: a value, a word that is neither small nor polite."""
    small = situation.speech.filler | situation.speech.trailing
    return bool(clause.foreign or clause.readings) or not small.issuperset(clause.said)


def asked_aside(typed: str, words: tuple[int, int], situation: Situation) -> Ask | Why:
    """Return the command for the question `typed`, at the span `words` of the message: `Why` for a question why that no
    model answers, else `Ask`.
    """
    is_for_model = situation.allowed.has_model and (situation.allows("ask") or not situation.allowed.question)
    if is_for_model and situation.allowed.writes_first:
        is_for_model = not asks_only_about_writing(typed)
    if situation.allows("why") and not is_for_model and is_why_question(typed):
        return Why(text=typed, words=words, confidence=1.0)
    return Ask(text=typed, words=words, confidence=1.0)


def with_few_whys(commands: Iterable[AnyCommand]) -> list[AnyCommand]:
    """Return the commands, each question why once and only the first few of them, since each reads the conversation."""
    found, asked = list[AnyCommand](), set[str]()
    for command in commands:
        if isinstance(command, Why):
            if command.text in asked or len(asked) == MOST_WHY_QUESTIONS:
                continue
            asked.add(command.text)
        found.append(command)
    return found


def explained_field(said: Sequence[str], situation: Situation) -> str | None:
    """Return the address of the field that `what do you mean by …` asks about; `None` if it is no such question."""
    for at in range(len(said)):
        size = length_at(situation.requests.explain, said, at)
        name = situation.labels.only_field_named(said[at + size :]) if size else None
        if name:
            return name
    return None


# corrections -------------------------------------------------------------------------------------


Cue = Literal["", "weak", "strong"]
"""How clearly words say that they correct something."""


def corrections_of(message: ParsedMessage) -> Mapping[int, tuple[int, Cue]]:
    """Return, by the index of each reading's first token, the number of corrections before and the last one's `Cue`."""
    values = [(reading.first, False, False) for clause in message.clauses for reading in clause.readings]
    cues = [(at, True, clause.is_strong) for clause in message.clauses for at in clause.cues]
    is_sure = any(clause.olds for clause in message.clauses)
    cue: Cue = "strong" if is_sure else ""
    found: dict[int, tuple[int, Cue]] = {}
    segment, has_value = 0, False
    for at, is_cue, is_strong in sorted([*values, *cues]):
        if is_cue:
            segment, has_value = segment + has_value, False
            is_sure = is_sure or is_strong
            cue = "strong" if is_sure else "weak"
        else:
            found[at] = (segment, cue)
            has_value = True
    # what follows the last reading corrects it too (`my name is Adam, sorry`)
    last = max(found, default=-1)
    behind = [is_strong for at, _, is_strong in cues if at > last]
    if behind and last in found and not found[last][1]:
        found[last] = (found[last][0], "strong" if any(behind) else "weak")
    return found


def has_cue(message: ParsedMessage, reading: Reading) -> bool:
    """Return whether the tokens of a text value include words of correction (`change my city to …`)."""
    said = message.text.words[reading.first : reading.stop] if reading.kind == "text" else ()
    return any(length_at(message.situation.speech.strong_cues, said, at) for at in range(len(said)))


def edits_of(message: ParsedMessage) -> list[Edit]:
    """Return edit commands for the answers that a message calls wrong or asks to change."""
    found: dict[str, Edit] = {}
    continues = False
    for clause in message.clauses:
        field = edited_field(clause, message.situation)
        if field is None and continues and _only_names(clause, message.situation):
            field = message.situation.labels.only_field_named(clause.said)
        continues = field is not None
        if field:
            found.setdefault(field, Edit(field=field, words=message.span(clause), confidence=1.0))
    return list(found.values())


def edited_field(clause: Clause, situation: Situation) -> str | None:
    """Return the address of the field whose answer a clause calls wrong or wants changed; `None` if there is none."""
    requests, said, labels = situation.requests, clause.said, situation.labels
    if clause.is_question or clause.is_doubtful:
        return None
    is_wrong = not requests.wrong.isdisjoint(said)
    if clause.readings:  # `Oslo is wrong`: the only field that holds the one value
        if not is_wrong or len(clause.readings) != 1 or not requests.wrong.issuperset(clause.foreign):
            return None
        fields = [field for field in situation.allowed.fields if field.value is not None]
        holders = [
            field.address for field in fields if fitting_value(situation, field, clause.readings[0]) == field.value
        ]
        return holders[0] if len(holders) == 1 else None
    for at in range(len(said)):
        if size := length_at(requests.exceptions, said, at):
            return labels.only_field_named(said[at + size :])
    is_not_right = clause.is_negated and not requests.right.isdisjoint(said)
    wants = not clause.is_negated and not requests.edit_verbs.isdisjoint(said)
    return labels.only_field_named(said) if is_wrong or is_not_right or wants else None


def _only_names(clause: Clause, situation: Situation) -> bool:
    """True for the rest of an enumeration: `(change my name) and age`."""
    filler, labels = situation.speech.filler, situation.labels
    return not clause.readings and all(word in filler or labels.names_field(word) for word in clause.said)


def clears_of(message: ParsedMessage) -> Iterator[Clear]:
    """Yield the commands to clear values that a message asks to remove."""
    situation, continues = message.situation, False
    for clause in message.clauses:
        verbs = situation.requests.clear_verbs.intersection(clause.said)
        is_plain = clause.is_assertion() and not clause.readings
        is_request = is_plain and bool(verbs) and verbs.issuperset(clause.foreign)
        continues = is_request or (continues and _only_names(clause, situation))
        name = situation.labels.only_field_named(clause.said) if continues else None
        field = situation.allowed.field(name) if name else None
        if field and field.value is not None:
            yield Clear(field=field.address, words=message.span(clause), confidence=1.0)


def chosen_fields(message: ParsedMessage) -> list[AnyCommand]:
    """Return commands to edit the fields that a message picks from those shown, by name or by position."""
    found: dict[str, AnyCommand] = {}
    for clause in message.clauses:
        name = message.situation.labels.only_field_named(clause.said) or _at_place(clause, message.situation)
        name = name if clause.is_assertion() else None
        if name:
            found.setdefault(name, Edit(field=name, words=message.span(clause), confidence=1.0))
    return list(found.values())


def named_answer(message: ParsedMessage) -> list[AnyCommand]:
    """Return the command to edit the field that a message only names (`consent`), so that it is asked again."""
    clause = message.clauses[0] if len(message.clauses) == 1 else None
    if clause is None or clause.foreign or not clause.is_assertion() or not _only_names(clause, message.situation):
        return []
    name = message.situation.labels.only_field_named(clause.said)
    return [Edit(field=name, words=message.span(clause), confidence=1.0)] if name else []


def _at_place(clause: Clause, situation: Situation) -> str | None:
    shown = [field.address for field in situation.allowed.fields if field.value is not None]
    places: list[int] = [reading.value for reading in clause.readings if reading.kind in ("nth", "place")]
    if clause.foreign or len(places) != 1 or not places[0] or not -len(shown) <= places[0] <= len(shown):
        return None
    return shown[places[0] - 1 if places[0] > 0 else places[0]]
