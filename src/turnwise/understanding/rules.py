"""Understands a message without a model: proposes commands for the allowed fields.

Rules only: no clock, no network, no guess. Where two readings compete, nothing is proposed, because a wrong value is
far worse than silence. The way of a message, from top to bottom:

1. `situation`: what is allowed, in the vocabulary of its language;
2. `tokens`, then `scan`: all values that stand in the message, one reader per concept;
3. `clauses`: which words and values belong together, and what is asked, denied, doubted or corrected;
4. `mentions`, then `assignment`: which values count, and for which field;
5. `answers`, `lists`, `patterns`, `corrections`, `requests`: what a message says besides plain values;
6. `dropped`, then `items.dropped`: the values and items of the message that nothing took, with the reason.
"""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.secrets import names_secret
from turnwise.core.state import commands as c
from turnwise.core.state.commands import AnyCommand, CommandsByRules, name_of
from turnwise.core.values import Refused, is_read_as_text, read_value
from turnwise.understanding.answers import answer_of
from turnwise.understanding.choices import exact_option
from turnwise.understanding.clauses import parse
from turnwise.understanding.dropped import with_dropped
from turnwise.understanding.navigation import hesitates, may_answer, navigation_of
from turnwise.understanding.other_languages import cancel_in_another_language
from turnwise.understanding.parts import parts_of
from turnwise.understanding.readings import Text, text_of
from turnwise.understanding.requests import (
    command_named,
    kind_of,
    with_few_whys,
)
from turnwise.understanding.scan import MOST_READINGS
from turnwise.understanding.situation import Situation, has_items, situation_of
from turnwise.understanding.vocabulary.tables import is_one_of

_EXACT = (c.Edit, c.Clear, c.Skip, c.Help, c.Why, c.Repeat, c.Wait, c.Cancel, c.Restart, c.Back, c.HandOver, c.Undo)
"""Commands that a free-text question takes from an exact phrase only (law 5.10), as far as these rules go."""
_MOST_CHARS = 1000
_MOST_TOKENS = 300
"""A longer message is an answer to an open free-text question, or nothing here."""


def understand(typed: str, allowed: AllowedInput) -> CommandsByRules:
    """Return the commands that a message proposes, in its order; only for allowed fields and commands.

    Where a model speaks, what it last asked for is not known: a plain yes answers nothing that was not put as a
    question.
    """
    if allowed.has_model and allowed.needed:
        allowed = replace(allowed, needed=())
    situation = situation_of(_without_secrets(allowed, typed))
    if situation is None or not typed.strip():
        return CommandsByRules()
    text = text_of(typed, situation.vocabulary, situation.today)
    is_long = len(typed) > _MOST_CHARS or len(text.tokens) > _MOST_TOKENS
    if not is_long and (cancelled := cancel_in_another_language(text, situation)) is not None:
        return CommandsByRules([cancelled])
    asked = situation.asked
    is_free = asked is not None and asked.is_free_text and not asked.field.options
    if asked and (is_free or is_read_as_text(asked.field)):
        if has_items(allowed) and not is_long and (of_items := _instead_of_text(text, asked, situation)) is not None:
            return CommandsByRules(of_items) if of_items else _without_items(CommandsByRules(), text, situation)
        found = _of_text(text, asked, situation, is_long=is_long)
        if found is not None:
            commands = CommandsByRules(with_few_whys(found))
            return commands if is_long else _without_items(commands, text, situation)
    if is_long or (is_free and hesitates(text, situation)):
        return CommandsByRules()
    if whole := _of_whole(text, situation, is_free=is_free):
        return CommandsByRules(whole)
    found = _led_elsewhere(text, situation, is_free=is_free)
    commands = CommandsByRules(found) if found is not None else _in_parts(text, situation, is_free=is_free)
    return _without_items(commands, text, situation)


def _without_items(found: CommandsByRules, text: Text, situation: Situation) -> CommandsByRules:
    """Return commands of a message that is not only about items, without values of other items than the one that is
    being made, and with what is left out of its items.
    """
    if not has_items(situation.allowed):
        return found
    from turnwise.understanding.items import with_dropped_items, without_other_items

    found[:] = without_other_items(found, text, situation)
    return with_dropped_items(found, text, situation)


def _of_whole(text: Text, situation: Situation, *, is_free: bool) -> list[AnyCommand]:
    """Return the commands of a message that is about one thing only: a choice of an item, scopes, or items."""
    if situation.allowed.choosing is not None and (picked := _chosen(text, situation)):
        return picked
    if is_free:
        return []
    return _begun(text, situation) or (_of_items(text, situation) if has_items(situation.allowed) else [])


def _begun(text: Text, situation: Situation) -> list[AnyCommand]:
    """Return the commands of a message that only asks to begin scopes, unless it is an option or a request."""
    if not situation.allows("start") or exact_option(text.message, situation) is not None:
        return []
    from turnwise.understanding.beginnings import beginnings_of

    said = text.words_between(0, len(text.tokens))
    return [] if kind_of(said, situation) else [*beginnings_of(text, situation)]


def _chosen(text: Text, situation: Situation) -> list[AnyCommand]:
    """Return the choice of an item that the user is asked for."""
    from turnwise.understanding.items.choice import chosen_item

    said = text.words_between(0, len(text.tokens))
    return [] if kind_of(said, situation) or not situation.allows("edit") else [*chosen_item(text, situation)]


def _of_items(text: Text, situation: Situation) -> list[AnyCommand]:
    """Return the commands of a message that is about the items of a list, and no request such as `forget it`."""
    from turnwise.understanding.items import item_commands

    said = text.words_between(0, len(text.tokens))
    return [] if kind_of(said, situation) else item_commands(text, situation)


def _instead_of_text(text: Text, asked: AllowedField, situation: Situation) -> list[AnyCommand] | None:
    """Return the commands of a message at a question for a text that is wholly about the items of a list, none where it
    only asks for something with them; `None` for a message that may be the text (law 7.3b).
    """
    from turnwise.understanding.items import asks_for_items

    if asked.takes_anything:
        return None
    if situation.language.all_mean("no_more", text.message):
        return []  # `done`, said once more
    found = _of_items(text, situation)
    if found and situation.is_of_item(asked) and all(isinstance(one, c.Add) for one in found):
        return None
    return found if found or asks_for_items(text, situation) else None


def _in_parts(text: Text, situation: Situation, *, is_free: bool) -> CommandsByRules:
    """Return the commands of a message that may be understood part by part, with what they leave out."""
    found, message = _whole(text, situation), None
    if found is None:
        message = parse(text, situation)
        found = parts_of(message) if len(message.readings) <= MOST_READINGS else []
    found = [one for one in found if situation.allows(name_of(one)) and not _clears_items(one, situation)]
    if is_free:
        from turnwise.understanding.free_text_answers import is_exact

        found = [one for one in found if not isinstance(one, _EXACT) or is_exact(one, text, situation)]
    if not found and situation.allowed.question in ("field", "confirmation"):
        found = _moved(text, situation, is_free=is_free)
    found = found or _of_list(text, situation)
    commands = CommandsByRules(with_few_whys(sorted(found, key=lambda one: one.words or (0, 0))))
    return with_dropped(commands, message) if message is not None else commands


def _clears_items(command: AnyCommand, situation: Situation) -> bool:
    """True if a command takes away all items of a list of records: only a message about nothing else may (7.3b)."""
    field = situation.allowed.field(command.field) if isinstance(command, c.Clear) else None
    return field is not None and bool(field.field.parts)


def _led_elsewhere(text: Text, situation: Situation, *, is_free: bool) -> list[AnyCommand] | None:
    """Return the commands of a message that is read as a whole before its parts; `None` for all others."""
    if is_free and not situation.confirms:
        return navigation_of(text, situation)
    if _open_list(situation) is not None:
        from turnwise.understanding.corrections import correction_of

        return navigation_of(text, situation) or correction_of(text, situation)
    if is_free or situation.allowed.question not in ("field", "confirmation"):
        return None
    from turnwise.understanding.corrections import replacement_of

    return replacement_of(text, situation)


def _of_list(text: Text, situation: Situation) -> list[AnyCommand]:
    """Return the commands of a message in which no part was understood, at a question for a list of texts."""
    asked = _open_list(situation)
    if asked is None:
        return []
    from turnwise.understanding.free_text_answers import free_text_answer

    return free_text_answer(text, asked, situation, is_long=False)


def _open_list(situation: Situation) -> AllowedField | None:
    """Return the field of the open question if it takes a list of texts and has no value yet."""
    asked = situation.asked
    is_list = asked is not None and asked.value is None and asked.field.type == "list"
    return asked if asked is not None and is_list and is_read_as_text(asked.field) else None


def _of_text(text: Text, asked: AllowedField, situation: Situation, *, is_long: bool) -> list[AnyCommand] | None:
    """Return the commands of a message where a text is asked for; `None` where its parts must be parsed: for a name,
    and for a text with a pattern that the whole message does not fit (`my zip is 10115`).
    """
    from turnwise.understanding.free_text_answers import free_text_answer

    is_in_parts = asked.field.type == "list" or asked.address in situation.labels.persons
    if is_in_parts and not asked.takes_anything:
        return None
    found = free_text_answer(text, asked, situation, is_long=is_long)
    if found or is_long or not asked.field.pattern:
        return found
    is_refused = isinstance(read_value(asked.field, text.message, situation.rules), Refused)
    return None if is_refused else found


def _moved(text: Text, situation: Situation, *, is_free: bool) -> list[AnyCommand]:
    """Return the commands of a message that says nothing else: a way out, or the correction of a free text."""
    found = navigation_of(text, situation) or []
    if is_free:
        from turnwise.understanding.corrections import correction_of

        return found or correction_of(text, situation) or []
    return [] if found and may_answer(text, found, situation) else found


def _without_secrets(allowed: AllowedInput, typed: str) -> AllowedInput:
    """Return the allowed fields without the secret ones that are neither asked, nor named, nor filled last."""
    if allowed.question not in ("field", "confirmation") or not any(one.field.secret for one in allowed.fields):
        return allowed
    near = (allowed.asked, allowed.last)
    kept = (
        f for f in allowed.fields if not f.field.secret or f.address in near or names_secret(f.field, f.title, typed)
    )
    return replace(allowed, fields=tuple(kept))


def _whole(text: Text, situation: Situation) -> list[AnyCommand] | None:
    """Return the commands of a message that is understood as a whole; `None` if its parts must be parsed."""
    everything, said = (0, len(text.message)), text.words_between(0, len(text.tokens))
    if text.message.strip() == "?":
        return [c.Help(words=everything, confidence=1.0)]
    answers = situation.confirms and answer_of(said, situation) is not None
    asked, option = situation.asked, exact_option(text.message, situation)
    if asked is not None and option is not None and not answers:
        return [c.Set(field=asked.address, value=option, words=everything, confidence=1.0)]
    kind = kind_of(said, situation)
    asks_beside = kind == "why" and said[0] in situation.speech.answers  # `yes, why do you need that?`
    if kind and situation.allows(kind) and not answers and not asks_beside:
        command = command_named(kind, everything)
        return [command] if command else None
    return [] if kind == "wait" or is_one_of(situation.speech.doubt, said) else None
