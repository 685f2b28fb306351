"""Understanding without a model: from a message and what is exposed to proposed commands.

Rules only: no clock, no network, no guess. Where two readings compete it proposes nothing, because a
wrong value is far worse than silence.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from turnwise.core.commands.exposure import Exposed, ExposedField
from turnwise.core.secrets import is_meant
from turnwise.core.state.commands import (
    Add,
    AnyCommand,
    Ask,
    Cancel,
    Clear,
    Edit,
    HandOver,
    Help,
    Repeat,
    Restart,
    Set,
    Skip,
    Undo,
    Wait,
    name_of,
)
from turnwise.core.values import Refused, read_value
from turnwise.understanding.answers import changed_answers, exact_option, name_sets, option_sets, yes_no_sets
from turnwise.understanding.assignment import sets_of
from turnwise.understanding.clauses import Heard, clauses_of
from turnwise.understanding.corrections import chosen_fields, clears_of, edits_of, named_answer
from turnwise.understanding.lists import list_commands
from turnwise.understanding.mentions import mentions_of
from turnwise.understanding.mixed import split
from turnwise.understanding.no_answer import HARMLESS, aside_of, is_no_answer
from turnwise.understanding.patterns import with_patterns
from turnwise.understanding.polarity import answer_of, leaves_chooser, verdict_of
from turnwise.understanding.questions import is_led_by, questions_of, with_questions
from turnwise.understanding.requests import (
    clause_commands,
    command_named,
    explained_field,
    kind_of,
    starts_of,
    typed_kind,
)
from turnwise.understanding.scan import MOST_READINGS, readings_of
from turnwise.understanding.situation import Situation, situation_of
from turnwise.understanding.tokens import tokens_of, words_of
from turnwise.understanding.unclear import unclear_sets
from turnwise.understanding.vocabulary.shape import is_one_of

EXACT = (Edit, Clear, Skip, Help, Repeat, Wait, Cancel, Restart, HandOver, Undo)
"""Commands that a free-text question takes from an exact phrase only (law 5.10), as far as these rules go."""
MOST_CHARS = 1000
MOST_TOKENS = 300
"""A longer message is an answer to an open free-text question, or nothing here."""


def understand(message: str, exposed: Exposed) -> list[AnyCommand]:
    """The commands that a message proposes, in its order; only fields and commands that are exposed.

    Where a model speaks, what it last asked for is not known: a plain yes answers nothing that was not put as a
    question.
    """
    if exposed.has_model and exposed.needed:
        exposed = replace(exposed, needed=())
    situation = situation_of(_without_secrets(exposed, message))
    if situation is None or not message.strip():
        return []
    asked = situation.asked
    if asked is not None and _takes_any_text(asked, situation):
        return _free_text(message, asked, situation)
    if _is_too_long(message):
        return []
    found = _whole(message, situation)
    if found is None:
        heard = hear(message, situation)
        found = _parts(heard, situation) if len(heard.readings) <= MOST_READINGS else []
    found = [one for one in found if situation.allows(name_of(one))]
    if asked is not None and asked.is_free_text and not asked.field.options:
        found = [one for one in found if not isinstance(one, EXACT) or _is_exact(one, message, situation)]
    return sorted(found, key=lambda one: one.words or (0, 0))


def _without_secrets(exposed: Exposed, message: str) -> Exposed:
    """What is exposed, without the secrets that are neither asked for, nor named, nor just given."""
    if exposed.question not in ("field", "confirmation") or not any(one.field.secret for one in exposed.fields):
        return exposed
    near = (exposed.asked, exposed.last)
    kept = (f for f in exposed.fields if not f.field.secret or f.address in near or is_meant(f.field, f.title, message))
    return replace(exposed, fields=tuple(kept))


def _is_too_long(message: str) -> bool:
    return len(message) > MOST_CHARS or len(tokens_of(message)) > MOST_TOKENS


def _takes_any_text(asked: ExposedField, situation: Situation) -> bool:
    is_free = asked.is_free_text and not asked.field.options
    return is_free and (asked.takes_anything or asked.address not in situation.labels.persons)


def hear(message: str, situation: Situation) -> Heard:
    """A message taken apart into tokens, readings and clauses."""
    tokens = tokens_of(message)
    readings = readings_of(message, tokens, situation)
    clauses = with_questions(clauses_of(tokens, readings, situation), tokens, situation)
    return Heard(message, tokens, readings, clauses)


# an open free-text question ------------------------------------------------------------------------


def _free_text(message: str, asked: ExposedField, situation: Situation) -> list[AnyCommand]:
    """The whole message as the answer, unless it is a command's phrase or answers nothing (law 5.10)."""
    kind = _exact_kind(message, situation)
    if kind and (situation.allows(kind) or kind != "hand_over"):
        command = command_named(kind, (0, len(message)))
        return [command] if command and situation.allows(kind) else []
    verdict = (
        verdict_of(hear(message, situation), situation) if situation.confirms and not _is_too_long(message) else []
    )
    if verdict:
        return [one for one in verdict if situation.allows(name_of(one))]
    if not asked.takes_anything and not _is_too_long(message):
        heard = hear(message, situation)
        if is_no_answer(heard, asked, situation):
            return [one for one in aside_of(heard, situation) if situation.allows(name_of(one))]
        mixed = split(heard, situation)
        if mixed is not None:
            answer = _stored(message, mixed.answer, asked, situation) if mixed.answer is not None else []
            found = [*answer, *mixed.questions] if situation.allows("ask") else answer
            return sorted(found, key=lambda one: one.words or (0, 0))
    return _stored(message, (0, len(message)), asked, situation)


def _stored(message: str, words: tuple[int, int], asked: ExposedField, situation: Situation) -> list[AnyCommand]:
    """A part of a message as the answer to a free-text question."""
    value = read_value(asked.field, message[slice(*words)], situation.rules)
    if isinstance(value, Refused) or not situation.allows("set"):
        return []
    return [Set(field=asked.address, value=value, words=words, confidence=1.0)]


def _exact_kind(message: str, situation: Situation) -> str:
    said = () if _is_too_long(message) else words_of(message)
    polite = {word for phrase in situation.language.phrases["polite"] for word in words_of(phrase)}
    texts = [message, *([" ".join(said)] if said else [])]
    kinds = [kind for kind in _EXACT if any(situation.language.means(kind, text) for text in texts)]
    core = " ".join(word for word in said if word not in polite)
    return next(iter(kinds or [kind for kind in _EXACT if core and situation.language.means(kind, core)]), "")


def _is_exact(command: AnyCommand, message: str, situation: Situation) -> bool:
    """True if the whole message is a phrase of a command; one that changes nothing may be in any wording."""
    name = name_of(command)
    is_asked_for = name in HARMLESS and kind_of(words_of(message), situation) == name
    return is_asked_for or _exact_kind(message, situation) == name


_EXACT = ("skip", "help", "repeat", "wait", "cancel", "restart", "undo", "hand_over")


# whole messages ------------------------------------------------------------------------------------


def _whole(message: str, situation: Situation) -> list[AnyCommand] | None:
    """What a message is as a whole, before it is taken apart; `None` where that must be tried."""
    everything = (0, len(message))
    if message.strip() == "?":
        return [Help(words=everything, confidence=1.0)]
    said = words_of(message)
    answers = situation.confirms and answer_of(said, situation) is not None
    asked, option = situation.asked, exact_option(message, situation)
    if asked is not None and option is not None and not answers:
        return [Set(field=asked.address, value=option, words=everything, confidence=1.0)]
    kind = kind_of(said, situation)
    if kind and situation.allows(kind) and not answers:
        command = command_named(kind, everything)
        return [command] if command else None
    if kind == "wait":
        return []
    return [] if is_one_of(situation.vocabulary.speech.doubt, said) else None


# parts of messages ---------------------------------------------------------------------------------


def _parts(heard: Heard, situation: Situation) -> list[AnyCommand]:
    values, changes = _settled(_values(heard, situation), heard, situation)
    wishes = [*starts_of(heard, situation), *_orders(heard, values, situation)]
    found = [*values, *changes, *wishes]
    if changes:
        found = [one for one in found if name_of(one) != "edit" or one in changes]
    found += _asides(heard, situation)
    if not found or all(isinstance(one, Ask | Help) for one in found):
        found += _replies(heard, situation)
    return found or _last_resort(heard, situation)


def _settled(values: list[AnyCommand], heard: Heard, situation: Situation) -> tuple[list[AnyCommand], list[AnyCommand]]:
    """Values, edits and deletions that agree: a value for an answer called wrong corrects it."""
    clears = clears_of(heard, situation)
    cleared = {one.field for one in clears if isinstance(one, Clear)}
    kept = [one for one in values if not (isinstance(one, Set | Add) and one.field in cleared)]
    edits = [one for one in edits_of(heard, situation) if one.field not in cleared]
    wrong = {one.field for one in edits}
    held = {field.address for field in situation.exposed.fields if field.value is not None}
    kept = [
        replace(one, correction=True) if isinstance(one, Set) and one.field in wrong & held else one for one in kept
    ]
    given = {one.field for one in kept if isinstance(one, Set)}
    return kept, [*(one for one in edits if one.field not in given), *clears]


def _values(heard: Heard, situation: Situation) -> list[AnyCommand]:
    mentions = mentions_of(heard, situation)
    sets = sets_of(heard, mentions, situation)
    for more in (option_sets, name_sets):
        given = {one.field for one in sets}
        sets += [one for one in more(heard, situation) if one.field not in given]
    sets = with_patterns(sets, heard, mentions, situation)
    sets += changed_answers(heard, sets, situation)
    sets += yes_no_sets(heard, sets, situation)
    sets += unclear_sets(heard, sets, situation)
    return [*sets, *list_commands(heard, mentions, situation)]


def _orders(heard: Heard, values: Sequence[AnyCommand], situation: Situation) -> list[AnyCommand]:
    """The commands in a message; beside values, "wait" and an early "stop" only introduce a correction."""
    found = clause_commands(heard, situation)
    if not values:
        return found
    end = max((one.words or (0, 0))[1] for one in values)
    late = ("cancel", "restart", "undo")
    return [
        one
        for one in found
        if name_of(one) not in ("wait", "edit", *late) or (name_of(one) in late and (one.words or (0, 0))[0] >= end)
    ]


def _asides(heard: Heard, situation: Situation) -> list[AnyCommand]:
    """The questions of a message: about a field, or to be answered aside."""
    found: list[AnyCommand] = []
    for first, stop in questions_of(heard.clauses, heard.tokens):
        said = tuple(token.word for token in heard.tokens[first:stop] if token.kind != "mark")
        words, text = heard.words(first, stop), heard.text(first, stop)
        field = explained_field(said, situation)
        if field and situation.allows("help"):
            found.append(Help(field=field, words=words, confidence=1.0))
        elif not kind_of(said, situation) and _is_question(said, situation):
            found.append(Ask(text=text, words=words, confidence=1.0))
    return found


def _is_question(said: Sequence[str], situation: Situation) -> bool:
    """True if words ask something, rather than answer in doubt (`yes?`, `I guess so?`)."""
    if len(said) < 2 or is_one_of(situation.vocabulary.speech.doubt, said):
        return False
    speech = situation.vocabulary.speech
    if is_led_by(speech.inverted, said, situation):
        return True
    says_something = len(said) > 2 or any(word not in speech.filler for word in said)
    return answer_of(said, situation) is None and says_something


def _replies(heard: Heard, situation: Situation) -> list[AnyCommand]:
    """What a message says to a confirmation or to a choice of answers."""
    question = situation.exposed.question
    if question == "chooser":
        return chosen_fields(heard, situation) or leaves_chooser(heard, situation)
    if not situation.confirms:
        return []
    return verdict_of(heard, situation) or (named_answer(heard, situation) if question == "confirmation" else [])


def _last_resort(heard: Heard, situation: Situation) -> list[AnyCommand]:
    """A misspelled command, or a request that nothing here understands, as a question."""
    said = tuple(token.word for token in heard.tokens if token.kind != "mark")
    typed = typed_kind(said, situation)
    command = command_named(typed[0], heard.words(0, len(heard.tokens)), round(typed[1], 2)) if typed else None
    if command:
        return [command]
    if heard.message.rstrip().endswith("?") and _is_question(said, situation) and not heard.readings:
        return [Ask(text=heard.message.strip(), words=heard.words(0, len(heard.tokens)), confidence=1.0)]
    return []
