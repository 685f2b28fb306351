"""The offline understander: what people type, no wrong values, no surprises."""

from __future__ import annotations

import os
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.utterance_lists import Utterance, plain, utterances
from turnwise.core.commands.allowed_input import AllowedInput
from turnwise.core.language import language_of
from turnwise.core.state.commands import Add, Remove, Set, name_of
from turnwise.core.values import Refused, Rules, item_field, read_value
from turnwise.models.no_model import reply
from turnwise.understanding import understand

WRITTEN = [*utterances("en_*.txt"), *utterances("de_*.txt")]
LISTS = {
    "English": utterances("en_*.txt"),
    "German": utterances("de_*.txt"),
    "held out": utterances("held_out.txt"),
    "held out later": utterances("held_out_later.txt"),
    "held out last": utterances("held_out_last.txt"),
    "once wrong": utterances("once_wrong.txt"),
}
SPOKEN = [*utterances("spoken_en.txt"), *utterances("spoken_de.txt")]
LISTS["spoken"] = SPOKEN
EVERY = [one for some in LISTS.values() for one in some]
IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
SITUATIONS = list({(one.place.split(":")[0], one.situation): one.allowed for one in EVERY}.values())
WRITES = ("set", "add", "remove", "clear")


_known: dict[int, tuple[tuple[object, ...], ...]] = {}
"""What each utterance of the lists proposes, by its identity: the lists live as long as this module."""


def _proposed(utterance: Utterance) -> tuple[tuple[object, ...], ...]:
    if (found := _known.get(id(utterance))) is None:
        found = tuple(plain(command) for command in understand(utterance.message, utterance.allowed))
        _known[id(utterance)] = found
    return found


def _table(misses: list[Utterance]) -> str:
    return "\n".join(
        f"{one.place} [{one.situation}] {one.message!r}\n    expected {one.expected}\n    proposed {_proposed(one)}"
        for one in misses
    )


# the lists -----------------------------------------------------------------------------------------


def test_the_lists_are_long_enough_and_a_third_german() -> None:
    german = [one for one in EVERY if one.allowed.language == "de"]
    assert len(WRITTEN) >= 220
    assert 0.25 < len(german) / len(EVERY) < 0.45


def test_half_of_what_people_say_has_nothing_to_store() -> None:
    stored = [one for one in SPOKEN if any(said[0] in WRITES for said in one.expected)]
    assert len(SPOKEN) >= 400
    assert 0.4 < len(stored) / len(SPOKEN) < 0.6


@pytest.mark.parametrize("name", LISTS)
def test_most_utterances_are_understood_exactly(name: str) -> None:
    misses = [one for one in LISTS[name] if _proposed(one) != one.expected]
    share = 1 - len(misses) / len(LISTS[name])
    print(f"\n{name}: {share:.1%} of {len(LISTS[name])}\n{_table(misses)}")
    assert share >= 0.9, _table(misses)


@pytest.mark.parametrize("name", LISTS)
def test_no_wrong_value_is_ever_proposed(name: str) -> None:
    wrong = [
        one for one in LISTS[name] if any(said[0] in WRITES and said not in one.expected for said in _proposed(one))
    ]
    assert not wrong, _table(wrong)


@pytest.mark.parametrize("name", LISTS)
def test_nothing_is_confirmed_or_cancelled_by_mistake(name: str) -> None:
    grave = ("affirm", "deny", "cancel", "restart", "undo", "hand_over", "start")
    wrong = [
        one for one in LISTS[name] if any(said[0] in grave and said not in one.expected for said in _proposed(one))
    ]
    assert not wrong, _table(wrong)


# laws ----------------------------------------------------------------------------------------------

_PARTS = st.sampled_from(
    [
        *(word for one in EVERY for word in one.message.split()),
        *[
            "no",
            "not",
            "but",
            "and",
            "or",
            ",",
            ".",
            "?",
            "!",
            ":",
            "-",
            "45",
            "7",
            "1,5",
            "18:30",
            "2026-12-24",
            "24.12.",
            "tomorrow",
            "Ada",
            "€",
            "+",
            "(",
            "\n",
        ],
    ]
)
MESSAGES = st.one_of(st.text(max_size=80), st.lists(_PARTS, max_size=14).map(" ".join))


@given(MESSAGES, st.sampled_from(SITUATIONS))
def test_no_message_raises_and_only_what_is_exposed_is_proposed(message: str, allowed: AllowedInput) -> None:
    for command in understand(message, allowed):
        assert name_of(command) in allowed.commands
        field = getattr(command, "field", "")
        assert not field or allowed.field(field) is not None
        assert command.words is not None
        start, end = command.words
        assert 0 <= start < end <= len(message)
        assert command.confidence is not None
        assert 0 < command.confidence <= 1


@given(MESSAGES, st.sampled_from(SITUATIONS))
def test_every_proposed_value_is_canonical(message: str, allowed: AllowedInput) -> None:
    rules = Rules(language_of(allowed.language), allowed.zone)
    for command in understand(message, allowed):
        field = allowed.field(getattr(command, "field", ""))
        if isinstance(command, Set) and field is not None:
            value = read_value(field.field, command.value, rules)
            if isinstance(value, Refused):
                assert value.reason in ("min", "max"), "what is beyond its bounds is refused, and the bounds are told"
                continue
            assert (value, type(value)) == (command.value, type(command.value))
        elif isinstance(command, Set):
            assert command.correction
            assert command.value is not None
        elif isinstance(command, Add | Remove) and field is not None:
            assert read_value(item_field(field.field), command.item, rules) == command.item


@given(MESSAGES, st.sampled_from(SITUATIONS))
def test_a_field_gets_at_most_one_value(message: str, allowed: AllowedInput) -> None:
    fields = [command.field for command in understand(message, allowed) if isinstance(command, Set)]
    assert len(fields) == len(set(fields))


@pytest.mark.parametrize("one", EVERY[::7], ids=lambda one: one.place)
def test_the_same_message_means_the_same_again(one: Utterance) -> None:
    assert understand(one.message, one.allowed) == understand(one.message, one.allowed)


def test_words_are_those_that_the_value_came_from() -> None:
    allowed = next(one.allowed for one in EVERY if one.situation == "name" and one.allowed.language == "en")
    message = "I'm Ada, 45, and yes I agree"
    said = {c.field: message[slice(*(c.words or (0, 0)))] for c in understand(message, allowed) if isinstance(c, Set)}
    assert said["user.age"] == "45"
    assert "Ada" in said["user.name"]
    assert "agree" in said["user.consent"]


def test_an_unknown_language_is_not_understood() -> None:
    allowed = EVERY[0].allowed
    assert understand("45", AllowedInput("xx", allowed.zone, allowed.now_ms, allowed.fields, allowed.commands)) == []


# time ----------------------------------------------------------------------------------------------

_CHAOS = random.Random(7)
LONG = {
    "digits": "4" * 10_000,
    "spaced digits": "4 " * 5_000,
    "dashes and digits": "1-" * 5_000,
    "no, no": "no, " * 2_500,
    "not": "not " * 2_500,
    "stops": "." * 10_000,
    "one letter": "a" * 10_000,
    "letters": "a " * 5_000,
    "at signs": "a@" * 5_000,
    "dots after at": "a@b" + ".c" * 5_000,
    "hundreds": "hundred " * 1_250,
    "und": "und" * 3_333,
    "hundert": "hundert" * 1_428,
    "brackets": "(0" * 5_000,
    "unicode": "".join(chr(_CHAOS.randrange(0x20, 0x2FFF)) for _ in range(10_000)),
    "commas": "45, " * 2_500,
    "quotes": "'" * 10_000,
    "combining": "ü" * 5_000,
    "words": "I would like a table for two people on the 24th of December at half past six please " * 119,
    "names": "my name is " * 909,
}


@pytest.mark.parametrize("kind", LONG)
@pytest.mark.parametrize("chars", [20_000, 2_000, 1_000])
def test_a_long_message_takes_no_time(kind: str, chars: int) -> None:
    message = (LONG[kind] * 2)[:chars]
    for allowed in SITUATIONS[:: 6 if IS_SOAK else 18]:
        understand("warm up", allowed)
        assert any(_takes_no_time(message, allowed) for _ in range(3)), kind


def _takes_no_time(message: str, allowed: AllowedInput) -> bool:
    """True if it was understood at once; a single measurement may be disturbed."""
    started = time.thread_time()
    understand(message, allowed)
    return time.thread_time() - started < 0.2


# replies -------------------------------------------------------------------------------------------


def test_a_reply_says_that_there_is_no_model_and_what_is_missing() -> None:
    text = reply(language_of("en"), ("your name", "your age"))
    assert text == "No model is connected, so I cannot talk freely here. I still need: your name, your age."


def test_a_reply_with_nothing_missing_is_short() -> None:
    assert reply(language_of("de"), ()) == "Es ist kein Modell verbunden, deshalb kann ich hier nicht frei sprechen."
