"""What people type at the question for an address: addresses are stored, and nothing else is; the rest is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import turnwise as tw
from turnwise import SyncApp, SyncChat
from utterances.item_talk import FLOWS

ADDRESS = "order.address"
LEAST_STORED = 0.95
BEFORE = {
    "en": ("hello", "a large salami and a small funghi", "no"),
    "de": ("hallo", "eine große Salami und eine kleine Funghi", "nein"),
}


class Row(NamedTuple):
    """A message in a language, which is an address or something else."""

    id: str
    language: str
    kind: str
    message: str


def rows() -> list[Row]:
    """The rows of both tables."""
    tables = (Path(__file__).parent / f"address_answers{part}.tsv" for part in ("", "_held"))
    lines = [line for table in tables for line in table.read_text("utf-8").splitlines()[1:]]
    return [Row(*line.split("\t")) for line in lines]


@pytest.fixture(scope="module")
def apps() -> Iterator[dict[str, SyncApp]]:
    found = {language: tw.open_sync(str(path)) for language, path in FLOWS.items()}
    yield found
    for app in found.values():
        app.close()


def at_the_address(apps: dict[str, SyncApp], language: str, name: str) -> SyncChat:
    """Return a conversation at the question for an address."""
    chat = apps[language].chat(f"{language}-{name}")
    for said in BEFORE[language]:
        chat.say(said)
    return chat


def stored_of(turn: tw.Turn) -> str | None:
    """Return the address of an order, `None` while it has none."""
    found = turn.state.values.get(ADDRESS)
    return found.value if found is not None else None


def test_most_addresses_are_stored_and_the_others_are_asked(apps: dict[str, SyncApp]) -> None:
    played = [(row, at_the_address(apps, row.language, row.id).say(row.message)) for row in rows()]
    addresses = [(row, stored_of(turn)) for row, turn in played if row.kind == "address"]
    missed = [row for row, value in addresses if value != row.message]
    assert 1 - len(missed) / len(addresses) >= LEAST_STORED, missed
    assert not [row for row, value in addresses if value not in (None, row.message)]


@pytest.mark.law("5.8")
def test_nothing_else_is_stored_as_an_address(apps: dict[str, SyncApp]) -> None:
    played = [(row, at_the_address(apps, row.language, row.id).say(row.message)) for row in rows()]
    wrong = [(row, value) for row, turn in played if row.kind == "other" and (value := stored_of(turn)) is not None]
    assert not wrong


@pytest.mark.law("5.8")
def test_a_text_that_may_be_no_address_is_asked_about(apps: dict[str, SyncApp]) -> None:
    chat = at_the_address(apps, "en", "asked")
    turn = chat.say("hurry up")
    assert turn.text == "Where shall we bring it?\nIs “hurry up” your answer?"
    assert [button.label for button in turn.buttons] == ["Yes", "No"]
    assert stored_of(chat.say("no")) is None
    assert stored_of(chat.say("7 Elm Court")) == "7 Elm Court"


@pytest.mark.law("5.8")
@pytest.mark.parametrize("again", ["yes", "the harbour", "The harbour "])
def test_a_yes_or_the_same_words_store_a_doubtful_address(apps: dict[str, SyncApp], again: str) -> None:
    chat = at_the_address(apps, "en", f"insisted {again}")
    said = "The harbour" if again.startswith("The") else "the harbour"
    assert stored_of(chat.say(said)) is None
    assert stored_of(chat.say(again)) == said


@pytest.mark.law("5.8")
def test_an_address_behind_a_doubtful_text_takes_its_place(apps: dict[str, SyncApp]) -> None:
    chat = at_the_address(apps, "en", "replaced")
    chat.say("ring twice")
    assert stored_of(chat.say("9 Harbour View")) == "9 Harbour View"


def test_a_request_at_the_question_for_an_address_is_answered_as_one(apps: dict[str, SyncApp]) -> None:
    turn = at_the_address(apps, "en", "request").say("can i add a coke")
    assert turn.text == "I cannot answer that here.\n\nWhere shall we bring it?"


ASKING = """
flow: asks
start: ask
language: en
records:
  u:
    place: {{type: string, about: {about}}}
nodes:
  ask:
    form:
      fields:
        - {{field: u.place, ask: "{ask}"{keys}}}
      confirm: {{}}
"""


@pytest.mark.parametrize(
    ("about", "ask", "keys", "is_stored"),
    [
        ("address", "Your address?", "", False),
        ("place", "Where shall we deliver it?", "", False),
        ("address", "Your address?", ", anything: true", True),
        ("web address", "Your web address?", "", True),
        ("problem", "What is the problem?", "", True),
        ("note", "Anything the driver should know?", "", True),
    ],
)
@pytest.mark.law("5.8")
def test_only_questions_for_an_address_doubt_texts(about: str, ask: str, keys: str, *, is_stored: bool) -> None:
    with tw.open_sync(tw.loads(ASKING.format(about=about, ask=ask, keys=keys))) as app:
        chat = app.chat("a")
        chat.start()
        turn = chat.say("ring twice")
        assert ("u.place" in turn.state.values) is is_stored


@pytest.mark.law("5.8")
def test_doubtful_texts_end_where_misses_end() -> None:
    keys = ', required: false, rephrase: ["Which street?"], then: skip'
    with tw.open_sync(tw.loads(ASKING.format(about="address", ask="Your address?", keys=keys))) as app:
        chat = app.chat("a")
        chat.start()
        chat.say("ring twice")
        turn = chat.say("hurry up")
        assert turn.state.frame.form is not None
        assert turn.state.frame.form.status == "awaiting_confirmation"
        assert "u.place" not in turn.state.values
