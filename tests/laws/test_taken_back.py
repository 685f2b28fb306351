"""Law 7.1a: a value that the message denies, leaves open or has in other letters has no support, and an order needs words.

The rows that have support hold the rules to what people do say: corrections, polite questions, paraphrases.
"""

from __future__ import annotations

from typing import Any

import pytest

from laws.test_borne_out import a, a_set, objections

NO_SUPPORT = [
    # exact types are copied, never made up
    ("call me", a_set("phone", "+491701234567", "call me")),
    ("mail me", a_set("mail", "user@example.com", "mail me")),
    ("ada@x.org please", a_set("mail", "ada@x.com", "ada@x.org please")),
    ("it is 0170 1234567", a_set("phone", "+491701234568", "0170 1234567")),
    ("order 4711 is late", a_set("phone", "+49301234567", "order 4711")),
    # numerals
    ("it was 5.50 I think", a_set("price", 550, "5.50")),
    ("it costs 5.50", a_set("price", 5, "5.50")),
    ("I paid 1.234,50", a_set("price", 123450, "1.234,50")),
    # items
    ("milk thanks", a_set("items", ["milk", "sugar"], "milk")),
    ("milk thanks", a_set("items", ["milk", "sugar"], "milk thanks")),
    ("no milk", {"command": "add", "field": "u.items", "item": "milk", "words": "milk"}),
    # denied
    ("not Bob", a_set("name", "Bob", "Bob")),
    ("I am not 40", a_set("age", 40, "40")),
    ("don't book Friday", a_set("day", "2026-12-04", "Friday")),
    ("don't book Friday", a_set("day", "2026-12-04", "don't book Friday")),
    ("anything but small", a_set("size", "small", "small")),
    ("everything except small", a_set("size", "small", "small")),
    ("I don't smoke", a_set("smoker", True, "smoke")),
    ("I don't smoke", a_set("smoker", True, "I don't smoke")),
    ("I have never been a smoker", a_set("smoker", True, "smoker")),
    # left open
    ("large or small", a_set("size", "small", "small")),
    ("large or small", a_set("size", "large", "large")),
    ("either 40 or 45", a_set("age", 45, "45")),
    ("Bob or Rob", a_set("name", "Rob", "Rob")),
    ("maybe", a_set("smoker", True, "maybe")),
    ("I don't know", a_set("smoker", False, "I don't know")),
    ("who pays?", a_set("pay", "Yes", "who pays")),
]
GERMAN_WITHOUT = [
    ("nicht Bob", a_set("name", "Bob", "Bob")),
    ("ich bin nicht 40", a_set("age", 40, "40")),
    ("alles außer small", a_set("size", "small", "small")),
    ("40 oder 45", a_set("age", 40, "40")),
    ("kein Bier", {"command": "add", "field": "u.items", "item": "Bier", "words": "Bier"}),
]
SUPPORT = [
    ("not 30 but 40", a_set("age", 40, "40")),
    ("no, 40", a_set("age", 40, "40")),
    ("40, not 30", a_set("age", 40, "40")),
    ("not Ada, Eve", a_set("name", "Eve", "Eve")),
    ("my name is Eve, not Ada", a_set("name", "Eve", "my name is Eve")),
    ("5 or so", a_set("age", 5, "5 or so")),
    ("Friday, not Saturday", a_set("day", "2026-12-04", "Friday, not Saturday")),
    ("can I have a large one?", a_set("size", "large", "large")),
    ("could we come on Friday?", a_set("day", "2026-12-04", "on Friday")),
    ("it does not print any more", a_set("problem", "does not print", "it does not print")),
    ("the printer or the cable is broken", a_set("problem", "the printer or the cable is broken")),
    ("0170 1234567", a_set("phone", "+491701234567", "0170 1234567")),
    ("zero one seven zero one two three four", a_set("phone", "01701234", "zero one seven zero one two three four")),
    ("it is ada@x.org.", a_set("mail", "ada@x.org", "ada@x.org")),
    ("1.234,50", a_set("price", 1234.5, "1.234,50")),
    ("1,500", a_set("price", 1500, "1,500")),
    ("I quit smoking", a_set("smoker", False, "I quit smoking")),
    ("I can't stand cigarettes", a_set("smoker", False, "can't stand cigarettes")),
    ("ham and the yellow things that hens lay", a_set("items", ["ham", "eggs"], "ham and the yellow things that hens lay")),
]  # fmt: skip
ORDERS = [
    ("what does it cost?", a("cancel", "what does it cost"), "unsupported"),
    ("what does it cost?", a("cancel"), "unsupported"),
    ("how do I cancel?", a("cancel", "cancel"), "unsupported"),
    ("hello you", a("clear", field="u.name"), "unsupported"),
    ("hello", a("deny", "hello"), "unsupported"),
    ("thanks", a("remove", "thanks", field="u.items", item="milk"), "unsupported"),
    ("can you cancel it?", a("cancel", "can you cancel it"), ""),
    ("please stop this now", a("cancel", "stop this"), ""),
    ("forget my name", a("clear", "forget my name", field="u.name"), ""),
    ("no thanks", a("deny", "no thanks"), ""),
    ("I'd rather not", a("deny", "I'd rather not"), ""),
    ("without the milk", a("remove", "without the milk", field="u.items", item="milk"), ""),
]


@pytest.mark.law("7.1a")
@pytest.mark.parametrize(("message", "given"), NO_SUPPORT)
def test_a_value_that_the_message_takes_back_is_refused(message: str, given: dict[str, Any]) -> None:
    assert objections(message, given) == ["unsupported"]


@pytest.mark.law("7.1a")
@pytest.mark.parametrize(("message", "given"), GERMAN_WITHOUT)
def test_a_value_that_a_german_message_takes_back_is_refused(message: str, given: dict[str, Any]) -> None:
    assert objections(message, given, language="de") == ["unsupported"]


@pytest.mark.law("7.1a")
@pytest.mark.parametrize(("message", "given"), SUPPORT)
def test_a_value_beside_what_is_taken_back_has_support(message: str, given: dict[str, Any]) -> None:
    assert objections(message, given) == [""]


@pytest.mark.law("7.1a")
@pytest.mark.parametrize(("message", "given", "objection"), ORDERS)
def test_an_order_needs_words_that_may_ask_for_it(message: str, given: dict[str, Any], objection: str) -> None:
    assert objections(message, given) == [objection]
