"""Reads questions that are data, and maps of answers (law 5.15)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from msgspec import Struct

from turnwise.core.language import folded
from turnwise.core.state.questions import DataQuestion
from turnwise.core.values.json_data import as_list, as_object
from turnwise.core.values.refusal import Refused, Rules
from turnwise.flow.diagnostic import nearest
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Field

QUESTION_KEYS = ("id", "ask", "options", "stop", "right")
"""The keys of a question that is data."""
_STOP_KEYS = ("values", "say")
_ID = late_pattern(r"[\w-]{1,64}")
_ID_RULE = "letters, digits, _ and -, at most 64"


class _Fault(Exception):
    """What is wrong with a question, in words for those who wrote it."""


def read_question(raw: object, rules: Rules) -> dict[str, Any] | Refused:
    """Return a question of a form over data in stored form, or its refusal."""
    try:
        return _written(_question(raw, rules))
    except _Fault as fault:
        return rules.refused("question", fault=fault)


class WrongQuestion(Struct, frozen=True):
    """The first wrong question of a list: its number, counted from 1, and the error."""

    number: int
    """The number of the question in the list, counted from 1."""
    why: str
    """What is wrong with the question, in words."""


def read_questions(items: Iterable[object], rules: Rules) -> tuple[DataQuestion, ...] | WrongQuestion:
    """Return the questions of a list, or the first wrong one."""
    found: dict[str, DataQuestion] = {}
    for number, item in enumerate(items, 1):
        stored = read_question(item, rules)
        if isinstance(stored, Refused):
            return WrongQuestion(number, stored.text)
        question = question_of(stored)
        if question.id in found:
            return WrongQuestion(number, f"the id {question.id!r} stands twice")
        found[question.id] = question
    return tuple(found.values())


def questions_by_default(field: Field | None, rules: Rules) -> tuple[DataQuestion, ...]:
    """Return the questions that are the default value of a field; none if it has no default."""
    items = as_list(field.default) if field is not None else None
    found = read_questions(items or (), rules)
    return found if isinstance(found, tuple) else ()


def question_of(value: object) -> DataQuestion:
    """Return a question from its stored form."""
    given = as_object(value) or {}
    stop = given.get("stop", ())
    stops = as_object(stop)
    return DataQuestion(
        given["id"],
        given["ask"],
        tuple(given.get("options", ())),
        tuple(stop if stops is None else stops["values"]),
        "" if stops is None else stops["say"],
        tuple(given.get("right", ())),
    )


def _written(question: DataQuestion) -> dict[str, Any]:
    """Return a question as JSON data, with the keys that it has."""
    stop = {"values": list(question.stop), "say": question.stop_say} if question.stop_say else list(question.stop)
    more = {"options": list(question.options), "stop": stop, "right": list(question.right)}
    return {"id": question.id, "ask": question.ask, **{key: value for key, value in more.items() if value}}


def _question(raw: object, rules: Rules) -> DataQuestion:
    given = as_object(raw)
    if given is None:
        raise _Fault("it is not an object with 'id' and 'ask'")
    _check_keys(given, QUESTION_KEYS)
    id_, ask = _text(given.get("id"), "id", rules), _text(given.get("ask"), "ask", rules)
    if not _ID.fullmatch(id_):
        raise _Fault(f"{id_!r} is no id: {_ID_RULE}")
    options = _texts(given.get("options"), "options", rules)
    folded_options = [folded(one) for one in options]
    if len(set(folded_options)) < len(options):
        twice = next(one for number, one in enumerate(options) if folded(one) in folded_options[:number])
        raise _Fault(f"the option {twice!r} stands twice")
    stop, say = given.get("stop"), ""
    if (stops := as_object(stop)) is not None:
        _check_keys(stops, _STOP_KEYS)
        stop, say = stops.get("values"), _text(stops.get("say", ""), "say", rules, may_lack=True)
        if say and not stop:
            raise _Fault("'stop' has no 'values'")
    return DataQuestion(
        id_,
        ask,
        options,
        _answers(_texts(stop, "stop", rules), "stop", options),
        say,
        _answers(_texts(given.get("right"), "right", rules), "right", options),
    )


def _check_keys(given: dict[str, Any], known: Iterable[str]) -> None:
    for key in given:
        if key not in known:
            hint = nearest(key, known)
            raise _Fault(f"there is no key {key!r}" + (f"; {hint}" if hint else ""))


def _text(raw: object, key: str, rules: Rules, *, may_lack: bool = False) -> str:
    """Return a text that is not blank; a number is the text that it is written as."""
    text = str(raw).strip() if isinstance(raw, str | int | float) and not isinstance(raw, bool) else ""
    if raw is None or (isinstance(raw, str) and not text):
        if may_lack:
            return ""
        raise _Fault(f"'{key}' is missing")
    if not text:
        raise _Fault(f"'{key}' is no text")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _Fault(f"'{key}' is no text") from None
    if len(text) > rules.max_chars:
        raise _Fault(f"'{key}' has more than {rules.max_chars} characters")
    return text


def _texts(raw: object, key: str, rules: Rules) -> tuple[str, ...]:
    """Return the texts of a list; a single one stands for a list of one."""
    if raw is None:
        return ()
    items = as_list(raw)
    if items is None and not isinstance(raw, str | int | float):
        raise _Fault(f"'{key}' is not a list of texts")
    found = tuple([_text(one, key, rules) for one in ([raw] if items is None else items)])
    if len(found) > rules.max_items:
        raise _Fault(f"'{key}' has more than {rules.max_items} items")
    return found


def _answers(answers: tuple[str, ...], key: str, options: tuple[str, ...]) -> tuple[str, ...]:
    """Return answers as the options are written; one that is no option is a fault."""
    if not options:
        return answers
    known = {folded(one): one for one in options}
    for answer in answers:
        if folded(answer) not in known:
            what = "the right answer" if key == "right" else "the stop value"
            hint = nearest(answer, options)
            raise _Fault(f"{what} {answer!r} is no option" + (f"; {hint}" if hint else ""))
    return tuple([known[folded(one)] for one in answers])


def read_answers(raw: object, rules: Rules) -> dict[str, Any] | Refused:
    """Return a map from question ids to answers in canonical form, or its refusal."""
    given = as_object(raw)
    if given is None or not all(_ID.fullmatch(key) for key in given):
        return rules.refused("answers")
    if len(given) > rules.max_items:
        return rules.refused("items", allowed=rules.max_items)
    found = {key: value for key, value in given.items() if value is not None}
    return found if all(map(_is_answer, found.values())) else rules.refused("answers")


def _is_answer(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(item, str | int | float) for item in cast("list[Any]", value))
    return isinstance(value, str | int | float)
