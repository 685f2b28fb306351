"""The line about each event of the journal."""

from __future__ import annotations

from typing import get_args

from support.chats import flow_of
from turnwise.core.link import link
from turnwise.core.state import FormRun
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.server.views.event_rows import LINES, LONGEST_LINE, event_row
from turnwise.server.views.redaction import Redaction

FLOW = "{flow: f, start: home, nodes: {home: {say: Hello.}}}"


def line(event: e.AnyEvent) -> str:
    machine = link(flow_of(FLOW))
    entry = e.Entry(3, 2, 1, event)
    return event_row(entry, Redaction(machine, (), (entry,))).line


TITLED = """
flow: f
start: home
records: {user: {age: {type: integer, title: age in years}}}
nodes: {home: {say: Hello.}}
"""


def in_german(event: e.AnyEvent) -> str:
    machine = link(flow_of(TITLED))
    entry = e.Entry(3, 2, 1, event)
    return event_row(entry, Redaction(machine, (), (entry,))).lines["de"]


def test_lines_are_german_with_titles_for_the_page() -> None:
    assert in_german(e.FieldSet("user.age", 48, "understood")) == "age in years = 48 (verstanden)"
    assert in_german(e.WorkDone("home")) == "Home"
    assert in_german(e.Moved("home", "home", "back")) == "Home → Home durch back"
    assert in_german(e.TurnEnded(waits_for="message")) == "wartet auf eine Nachricht"
    assert in_german(e.Warned("silent_turn", "'home' said nothing, so the fallback text was sent")) == (
        "stille Runde: „Home“ sagte nichts, darum wurde der Ersatztext gesendet"
    )
    assert in_german(e.UserSaid("user.age")) == "user.age", "what people said stays as it is"


def test_every_event_has_a_line() -> None:
    assert set(get_args(e.AnyEvent)) == set(LINES)


def test_lines_about_a_person() -> None:
    assert line(e.TakenOver("Lena", "she asked")) == "Lena: she asked"
    assert line(e.OperatorSaid("Hello.", "Lena")) == "Lena: Hello."
    given = e.GivenBack("agreed", {"user.age": 4}, "done", "", "as said", "Lena")
    assert line(given) == "Lena; outcome agreed; set user.age; by done; as said"
    assert line(e.GivenBack(end="closed")) == "ended: closed"
    assert line(e.PersonAwaited("intake")) == "queue intake"


def test_lines_about_an_offer() -> None:
    assert line(e.Offered("survey", "Do you have a minute?")) == "survey: Do you have a minute?"
    assert line(e.OfferClosed("survey", "lapsed", "other_turn")) == "survey: lapsed: other_turn"


def test_a_line_is_shortened() -> None:
    assert len(line(e.UserSaid("word " * 200))) <= LONGEST_LINE


def test_lines_have_the_words_of_people_and_no_markdown() -> None:
    def words(event: e.AnyEvent) -> str:
        entry = e.Entry(3, 2, 1, event)
        return event_row(entry, Redaction(link(flow_of(TITLED)), (), (entry,))).lines["en"]

    assert words(e.ArtefactMade("PROBLEM_STATEMENT", {})) == "the problem statement"
    assert in_german(e.ArtefactMade("DRAFT_PLAN", {})) == "die Antworten bis jetzt"
    said = e.Said("## Summary\n\n**Problem Statement:** it hurts", "chooser")
    assert words(said) == "choice of an answer: Summary Problem Statement: it hurts"
    assert words(e.FieldSet("user.age", 48, "direct")) == "age in years = 48 (as the answer)"
    assert words(e.FormChanged(FormRun(status="awaiting_confirmation"))) == "awaiting confirmation"
    assert words(e.Decided("home", "before", "f")) == "Home, before the step works: stayed, 1 judged"


ORDERS = """
flow: f
start: home
records:
  pizza:
    size: {type: choice, options: [Large, Small]}
    is_vegan: {type: boolean}
    without: {type: list, of: string}
  order:
    pizzas: {type: list, of: pizza, about: the pizzas}
    at: {type: datetime, about: the time}
    key: {type: string, secret: true, about: the key}
nodes: {home: {say: Hello.}}
"""


def test_values_are_written_as_people_write_them() -> None:
    machine = link(flow_of(ORDERS))

    def words(event: e.AnyEvent, language: str = "en") -> str:
        entry = e.Entry(3, 2, 1, event)
        return event_row(entry, Redaction(machine, (), (entry,))).lines[language]

    item = {"size": "Large", "is_vegan": True, "without": ["Olives", "Onions"]}
    added = e.ItemAdded("order.pizzas", "i1", item, "understood")
    assert words(added) == "one of the pizzas = size Large, is vegan Yes, without Olives, Onions (understood)"
    assert words(added, "de").startswith("eins von the pizzas = size Large, is vegan Ja, without")
    changed = e.ItemChanged("order.pizzas", "i1", "size", "Small", "understood")
    assert words(changed) == "one of the pizzas, size = Small (understood)"
    assert words(e.FieldSet("order.at", "2026-12-01T10:00:00+01:00", "direct")) == (
        "the time = 2026-12-01T10:00:00+01:00 (as the answer)"
    )
    removed = e.Commands((c.Remove(field="order.pizzas", item="i1"),))
    assert words(removed) == "remove one of the pizzas"
    assert words(removed, "de") == "eins von the pizzas entfernen"
    change = e.Commands((c.Change(field="order.pizzas", item="i1", name="size", value="Large"),))
    assert words(change).startswith("change one of the pizzas, size = ")
    assert "hunter2" not in words(e.FieldSet("order.key", "hunter2", "direct"))
