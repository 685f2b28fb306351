"""Collects what the parts of a parsed message propose together: values, corrections, requests, questions."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from turnwise.core.state import commands as c
from turnwise.core.state.commands import AnyCommand, name_of
from turnwise.understanding.answers import (
    answer_of,
    changed_answers,
    name_sets,
    yes_no_sets,
)
from turnwise.understanding.assignment import sets_of
from turnwise.understanding.choices import is_qualified, option_sets
from turnwise.understanding.clauses import ParsedMessage, is_led_by, questions_of
from turnwise.understanding.labels import yes_no_options
from turnwise.understanding.lists import list_commands
from turnwise.understanding.mentions import mentions_of
from turnwise.understanding.patterns import with_patterns
from turnwise.understanding.requests import (
    asked_aside,
    chosen_fields,
    clause_commands,
    clears_of,
    edits_of,
    explained_field,
    kind_of,
    misspelled_command,
    named_answer,
)
from turnwise.understanding.situation import Situation
from turnwise.understanding.verdicts import leaves_chooser, verdict_of
from turnwise.understanding.vocabulary.tables import is_one_of
from turnwise.understanding.zeros import zero_sets


def parts_of(message: ParsedMessage) -> list[AnyCommand]:
    """Return the commands that the parts of a message propose together."""
    values, changes = _settled(_values(message), message)
    orders = _orders(message, values)
    if changes:
        orders = [one for one in orders if name_of(one) != "edit"]
    found = [*values, *changes, *orders, *_asides(message)]
    if all(isinstance(one, c.Ask | c.Help | c.Why) for one in found):
        found += _replies(message)
    if any(isinstance(one, c.Why) and one.text for one in found):  # which says more than the bare word in it
        found = [one for one in found if not isinstance(one, c.Why) or one.text]
    return found or _last_resort(message)


def _values(message: ParsedMessage) -> list[AnyCommand]:
    """The values that a message gives to fields and lists."""
    mentions = mentions_of(message)
    sets = [one for one in sets_of(message, mentions) if not _is_contradicted(one, message)]
    sets = [one for one in sets if not _is_aside(one, message)]
    sets += option_sets(message, sets)
    sets += name_sets(message, sets)
    sets = with_patterns(sets, message, mentions)
    sets += changed_answers(message, sets)
    sets += yes_no_sets(message, sets)
    sets += zero_sets(message, sets)
    sets = [one for one in sets if not is_qualified(one, sets, message)]
    return [*sets, *list_commands(message, mentions)]


def _is_contradicted(command: c.Set, message: ParsedMessage) -> bool:
    """True for a choice of Yes or No by its place beside a word for the other: `yes, the second one`."""
    situation, speech = message.situation, message.situation.speech
    field = situation.allowed.field(command.field)
    if field is None:
        return False
    values = yes_no_options(field, situation.vocabulary)
    if command.value not in values.values():
        return False
    others = speech.no if command.value == values[True] else speech.yes
    return any(is_one_of(others, (word,)) for word in message.all_words())


def _is_aside(command: c.Set, message: ParsedMessage) -> bool:
    """True for an option by its place in a message that speaks of something else: `change my last answer`, `the first
    one with onions`.
    """
    situation, words = message.situation, command.words
    field = situation.allowed.field(command.field)
    if field is None or not field.field.options or words is None:
        return False
    at = [reading.kind for reading in message.readings if message.text.span(reading.first, reading.stop) == words]
    edits, clauses = situation.requests.edit_verbs, message.clauses
    if at == ["number"]:  # a number by itself answers, unless other words come before it: `Elm St. 4`
        return any(one.foreign and message.span(one)[1] <= words[0] for one in clauses)
    if at not in (["nth"], ["place"]):
        return False
    own = [clause for clause in clauses if message.span(clause)[0] <= words[0] < message.span(clause)[1]]
    if any(reading.kind == "option" for clause in own for reading in clause.readings):
        return True
    return any(clause.foreign or not edits.isdisjoint(clause.said) for clause in clauses)


def _settled(values: list[AnyCommand], message: ParsedMessage) -> tuple[list[AnyCommand], list[AnyCommand]]:
    """Reconcile values, edits and deletions: a value for an answer called wrong corrects it."""
    clears = list(clears_of(message))
    cleared = {one.field for one in clears}
    edits = [one for one in edits_of(message) if one.field not in cleared]
    kept = [one for one in values if not (isinstance(one, c.Set | c.Add) and one.field in cleared)]
    filled = {field.address for field in message.situation.allowed.fields if field.value is not None}
    wrong = filled.intersection(one.field for one in edits)
    kept = [replace(one, correction=True) if isinstance(one, c.Set) and one.field in wrong else one for one in kept]
    new = {one.field for one in kept if isinstance(one, c.Set)}
    return kept, [*(one for one in edits if one.field not in new), *clears]


def _orders(message: ParsedMessage, values: Sequence[AnyCommand]) -> list[AnyCommand]:
    """The commands in a message; beside values, "wait" and an early "stop" only introduce a correction."""
    found = clause_commands(message)
    if not values:
        return found
    end = max((one.words or (0, 0))[1] for one in values)
    early = [name_of(one) for one in found if (one.words or (0, 0))[0] < end]
    dropped = {"wait", "edit", *{"cancel", "restart", "undo"}.intersection(early)}
    return [one for one in found if name_of(one) not in dropped]


def _asides(message: ParsedMessage) -> list[AnyCommand]:
    """Return the questions of a message: about a field, or for an answer outside the form."""
    situation, found = message.situation, list[AnyCommand]()
    for first, stop in questions_of(message.clauses, message.text):
        said, words = message.text.words_between(first, stop), message.text.span(first, stop)
        field = explained_field(said, situation)
        if field and situation.allows("help"):
            found.append(c.Help(field=field, words=words, confidence=1.0))
        elif not kind_of(said, situation) and _asks_something(said, situation):
            found.append(asked_aside(message.text.as_typed(first, stop), words, situation))
    return found


def _asks_something(said: Sequence[str], situation: Situation) -> bool:
    """True if words are a question, not a doubtful answer (`yes?`, `I guess so?`)."""
    speech = situation.speech
    if len(said) < 2 or is_one_of(speech.doubt, said):
        return False
    if is_led_by(speech.inverted, said, speech):
        return True
    says_something = len(said) > 2 or any(word not in speech.filler for word in said)
    return answer_of(said, situation) is None and says_something


def _replies(message: ParsedMessage) -> list[AnyCommand]:
    """Return the commands that answer a confirmation or a choice of answers to edit."""
    question = message.situation.allowed.question
    if question == "chooser":
        return chosen_fields(message) or leaves_chooser(message)
    if not message.situation.confirms:
        return []
    return verdict_of(message) or (named_answer(message) if question == "confirmation" else [])


def _last_resort(message: ParsedMessage) -> list[AnyCommand]:
    """Return a misspelled command, or a question that no rule understands as an `ask` command."""
    command = misspelled_command(message)
    if command:
        return [command]
    typed = message.text.message.strip()
    is_question = (
        typed.endswith("?") and not message.readings and _asks_something(message.all_words(), message.situation)
    )
    return [asked_aside(typed, message.whole(), message.situation)] if is_question else []
