"""Why a field has the options that it has, as what an answer was shown, and why one does not stand any more."""

from __future__ import annotations

import turnwise as tw
from support.why_cases import Talk, every

FLOW = """
flow: trip
version: 1
start: search
language: en
commands: [set]
records:
  offer: {code: string, name: string}
  hotel: {offers: {type: list, of: offer}}
  trip: {hotel: {type: choice, options_from: {list: hotel.offers, label: "{{ option.name }}!", value: code}}}
nodes:
  search:
    say: "Hello."
    set: {hotel.offers: [{code: r, name: Ritz}, {code: s, name: Savoy}, {name: Nameless}]}
    transitions: [{to: book, at: before, when: "true"}]
  book:
    form: {fields: [{field: trip.hotel, ask: "Which hotel?"}], confirm: {}}
    transitions: [{when: 'form.status == "confirmed"', end: done}]
"""


def test_the_options_that_were_shown_name_their_list() -> None:
    talk = Talk(FLOW).did("go")
    read = next(fact for fact in every(talk.chat.why("1")) if fact.kind == "options_read")
    assert read.text == "the options of trip.hotel were read from hotel.offers: “Ritz!” and “Savoy!”; left out: 1"


def test_an_answer_is_named_as_it_was_shown_with_where_its_list_came_from() -> None:
    talk = Talk(FLOW).did("go", "the second")
    fact = talk.chat.why("field trip.hotel").facts[0]
    assert "shown as “Savoy!”" in fact.text
    assert any("hotel.offers" in cause.text for cause in fact.walk())


def test_an_answer_that_does_not_stand_any_more_says_why() -> None:
    fewer = tw.commands.Set(field="hotel.offers", value=[{"code": "r", "name": "Ritz"}])
    talk = Talk(FLOW).did("go", "the second", lambda chat: chat.commands([fewer]))
    refused = [fact for fact in every(talk.chat.why("field trip.hotel")) if fact.kind == "value_refused"]
    assert any("no longer has it" in fact.text for fact in refused)
