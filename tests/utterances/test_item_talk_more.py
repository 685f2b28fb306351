"""Messages to an order whose meaning depends on what was asked, or said, just before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from turnwise import SyncApp
from utterances.item_talk import FLOWS, opened, order_of


@pytest.fixture(scope="module")
def apps() -> Iterator[dict[str, SyncApp]]:
    found = {language: opened(language) for language in FLOWS}
    yield found
    for app in found.values():
        app.close()


def order_after(apps: dict[str, SyncApp], language: str, *said: str) -> str:
    """Return the order after some messages of a new conversation."""
    chat = apps[language].chat(f"{language} {said}"[:200])
    return [order_of(chat.say(one)) for one in said][-1]


TWO = "a large salami and a small salami"


@pytest.mark.law("7.3b")
@pytest.mark.parametrize(
    ("language", "said", "order"),
    [
        ("en", (TWO, "make the salami medium", "both"), "Medium Salami; Medium Salami"),
        ("en", (TWO, "make the salami medium", "both of them please"), "Medium Salami; Medium Salami"),
        ("en", (TWO, "make the salami medium", "all of them"), "Medium Salami; Medium Salami"),
        ("en", (f"{TWO} and a small funghi", "remove the salami", "both"), "Small Funghi"),
        ("en", (TWO, "make the salami medium", "either"), "Large Salami; Small Salami"),
        ("en", (TWO, "make the salami medium", "neither"), "Large Salami; Small Salami"),
        (
            "de",
            ("eine große salami und eine kleine salami", "mach die salami mittel", "beide"),
            "Mittel Salami; Mittel Salami",
        ),
        (
            "de",
            ("eine große salami und eine kleine salami", "mach die salami mittel", "alle"),
            "Mittel Salami; Mittel Salami",
        ),
    ],
)
def test_both_may_be_the_answer_to_which_item_is_meant(
    apps: dict[str, SyncApp], language: str, said: tuple[str, ...], order: str
) -> None:
    assert order_after(apps, language, *said) == order


@pytest.mark.law("7.3b")
def test_both_is_no_answer_where_three_items_are_shown(apps: dict[str, SyncApp]) -> None:
    said = (f"{TWO} and a medium salami", "remove the salami", "both")
    assert order_after(apps, "en", *said) == "Large Salami; Small Salami; Medium Salami"


@pytest.mark.law("7.3b")
@pytest.mark.parametrize(
    ("said", "order"),
    [
        (("a large salami", "blub", "sorry, a margherita"), "Large Salami"),
        (("a large salami", "blub", "make it small"), "Small Salami"),
        (("a large salami", "blub", "a small funghi", "no, a margherita"), "Large Salami; Small Margherita"),
        (("a large salami", "sorry, a margherita"), "Large Margherita"),
    ],
)
def test_a_correction_behind_a_message_that_was_not_understood_changes_no_item(
    apps: dict[str, SyncApp], said: tuple[str, ...], order: str
) -> None:
    assert order_after(apps, "en", *said) == order


@pytest.mark.law("7.3b")
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", ("hallo", "die erste mit Zwiebeln")),
        ("en", ("hello", "the first one with onions")),
        ("en", ("two pizzas please",)),
        ("en", ("I want three pizzas",)),
    ],
)
def test_what_names_no_thing_makes_no_item(apps: dict[str, SyncApp], language: str, said: tuple[str, ...]) -> None:
    assert order_after(apps, language, *said) == ""


@pytest.mark.law("7.3b")
@pytest.mark.parametrize(
    ("said", "order"),
    [
        (
            "I need 4 large pizzas, 2 salami and 2 funghi",
            "Large Salami; Large Salami; Large Funghi; Large Funghi",
        ),
        ("4 large pizzas, 2 salami and 1 funghi", ""),
        ("2 large pizzas, 1 small salami and 1 funghi", ""),
    ],
)
def test_a_total_in_front_of_its_parts_counts_once(apps: dict[str, SyncApp], said: str, order: str) -> None:
    assert order_after(apps, "en", said) == order


def test_an_undo_that_found_nothing_takes_nothing_back_when_it_is_said_again(apps: dict[str, SyncApp]) -> None:
    chat = apps["en"].chat("undo again")
    chat.say("a large salami")
    for said in ("undo", "undo", "undo that"):
        turn = chat.say(said)
        assert (turn.text or "").startswith("There is nothing to undo.")
        assert order_of(turn) == "Large Salami"
