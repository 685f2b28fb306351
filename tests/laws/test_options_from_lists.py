"""Law 5.18: options that come from a list, over forks, imports, migrations and models; what is wrong with a list."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of, problems_of
from turnwise.models.scripted import ScriptedModel, understood_reply

FLOW = """
flow: trip
start: book
version: 1
commands: [set, undo]
records:
  offer: {code: string, name: string, price: number}
  hotel: {offers: {type: list, of: offer}}
  trip:
    hotel: {type: choice, options_from: {list: hotel.offers, label: "{{ option.name }}, {{ option.price }} €", value: code}}
nodes:
  book:
    form: {fields: [{field: trip.hotel, ask: "Which hotel?"}], confirm: {}}
    transitions: [{when: 'form.status == "confirmed"', end: done}]
"""
HOTEL = FLOW[FLOW.index("  trip:\n") : FLOW.index("nodes:")]
RITZ = {"code": "r", "name": "Ritz", "price": 90}
SAVOY = {"code": "s", "name": "Savoy", "price": 80}
PLAZA = {"code": "p", "name": "Plaza", "price": 70}


def app(path: Path, text: str = FLOW, **more: Any) -> tw.SyncApp:
    return tw.open_sync(flow_of(text), store=f"sqlite:///{path}/x.db", **more)


def put(chat: tw.SyncChat, *offers: object) -> tw.Turn:
    """Write offers as the program does."""
    return chat.commands([tw.commands.Set(field="hotel.offers", value=list(offers))])


def shown(path: Path, *offers: object, text: str = FLOW) -> None:
    """Have a conversation in which some offers are shown."""
    with app(path, text) as opened:
        put(opened.chat("a"), *offers)
        opened.chat("a").say("hello")


@pytest.mark.law("5.18")
def test_another_process_a_fork_and_an_import_have_the_options(tmp_path: Path) -> None:
    shown(tmp_path, RITZ, SAVOY)
    with app(tmp_path) as again:
        fork = again.chat("a").fork("b")
        copy = again.import_(again.chat("a").export(), "c")
        for chat in (again.chat("a"), fork, copy):
            assert chat.say("the second").value("trip.hotel") == "s"


@pytest.mark.law("5.18")
def test_a_replay_has_the_options_that_were_shown(tmp_path: Path) -> None:
    with app(tmp_path) as opened:
        chat = opened.chat("a")
        put(chat, RITZ, SAVOY)
        chat.say("hello")
        put(chat, PLAZA)
        chat.say("plaza")
        chat.say("yes")
        assert chat.replay()
        assert chat.rerun().agrees


@pytest.mark.law("5.18")
def test_a_migration_keeps_what_was_shown_under_new_names(tmp_path: Path) -> None:
    shown(tmp_path, RITZ, SAVOY)
    renamed = FLOW.replace("version: 1", "version: 2").replace("hotel: {offers", "inn: {offers")
    renamed = renamed.replace("hotel.offers", "inn.offers").replace("hotel: {type", "inn: {type")
    renamed = renamed.replace("trip.hotel", "trip.inn")
    with app(tmp_path, renamed) as again:
        chat = again.chat("a")
        names = {"trip.hotel": "trip.inn", "hotel.offers": "inn.offers"}
        (outcome,) = chat.migrate(tw.Renaming(fields=names)).conversations
        assert outcome.reasons == ()
        assert chat.say("the second").value("trip.inn") == "s"


@pytest.mark.law("5.18")
def test_a_model_is_offered_the_options_of_the_moment(tmp_path: Path) -> None:
    given = {"command": "set", "field": "trip.hotel", "value": "s", "words": "that Savoy place"}
    model = ScriptedModel([understood_reply(given)], understands=True)
    with app(tmp_path, model=model) as opened:
        chat = opened.chat("a")
        put(chat, RITZ, SAVOY)
        chat.say("hello")
        assert chat.say("I am not sure, friends recommend that Savoy place").value("trip.hotel") == "s"
    asked = str(model.calls)
    assert "'enum': ['r', 's']" in asked
    assert "Ritz, 90 €" in asked


@pytest.mark.law("5.18")
def test_a_program_that_writes_list_and_answer_is_not_held_to_what_was_shown(tmp_path: Path) -> None:
    shown(tmp_path, RITZ, SAVOY)
    with app(tmp_path) as again:
        commands = [
            tw.commands.Set(field="hotel.offers", value=[RITZ | {"price": 99}, PLAZA]),
            tw.commands.Set(field="trip.hotel", value="r"),
        ]
        turn = again.chat("a").commands(commands)
    assert turn.value("trip.hotel") == "r"
    assert "Ritz, 99 €" in turn.text


@pytest.mark.law("5.18")
def test_a_long_label_is_cut(tmp_path: Path) -> None:
    with app(tmp_path) as opened:
        turn = put(opened.chat("a"), RITZ | {"name": "R" * 500})
        turn = opened.chat("a").say("hello")
    (button,) = turn.buttons
    assert (len(button.label), button.label[-1], button.value) == (200, "…", "r")


@pytest.mark.law("5.18")
@pytest.mark.parametrize(
    ("field", "code", "text"),
    [
        ("{type: choice, options_from: hotel.offer}", "TW020", "has no field 'offer'"),
        ("{type: choice, options_from: trip.name}", "TW127", "'trip.name' is no list of texts"),
        ("{type: choice, options_from: trip.numbers}", "TW127", "'trip.numbers' is no list of texts"),
        ("{type: choice, options_from: trip.hidden}", "TW127", "'trip.hidden' is secret"),
        ("{type: choice, options_from: hotel.offers}", "TW128", "needs a 'label' or a 'value'"),
        ("{type: choice, options_from: {list: hotel.offers, value: cod}}", "TW128", "has no field 'cod'"),
        ("{type: choice, options_from: {list: hotel.offers, value: price}}", "TW128", "'price' is no text"),
        ("{type: choice, options_from: {list: trip.texts, label: x}}", "TW128", "without 'label'"),
        ("{type: choice, options_from: {list: hotel.offers, label: '{{ option.nam }}'}}", "TW031", "'nam'"),
        ("{type: choice, options_from: {list: hotel.offers, label: '{{ trip.name }}'}}", "TW031", "'trip'"),
        ("{type: integer, options_from: trip.texts}", "TW129", "takes no options"),
        ("{type: choice, options: [a], options_from: trip.texts}", "TW129", "has 'options' and 'options_from'"),
        ("{type: choice, default: a, options_from: trip.texts}", "TW129", "has a default"),
    ],
)
def test_a_list_of_options_that_cannot_be_one_is_reported(field: str, code: str, text: str) -> None:
    more = "texts: {type: list}, name: string, numbers: {type: list, of: integer}, hidden: {type: list, secret: true}"
    found = problems_of(FLOW.replace(HOTEL, f"  trip:\n    {{{more}, hotel: {field}}}\n"))
    (one,) = [one for one in found if one.startswith(code)]
    assert text in one


@pytest.mark.law("5.18")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('ask: "Which hotel?"', "options: [r]"),
        ('ask: "Which hotel?"', "buttons: {r: Ritz}"),
        ("commands: [set, undo]", "tools: {find: {args: {q: {type: choice, options_from: hotel.offers}}}}"),
    ],
)
def test_options_of_a_list_stand_at_the_field_alone(old: str, new: str) -> None:
    assert [one[:5] for one in problems_of(FLOW.replace(old, new))].count("TW129") == 1


SCOPED = """
flow: shop
start: talk
nodes:
  talk: {say: "Well?", transitions: [{to: order, at: before, when: "true"}]}
  order:
    scope:
      keep: 0d
      records: {own: {kinds: {type: list}, kind: {type: choice, options_from: own.kinds}}}
      start: ask
      nodes:
        ask:
          set: {own.kinds: '["quince", "medlar"]'}
          form: {fields: [{field: own.kind, ask: "Which?"}]}
          transitions: [{when: has(own.kind), end: done}]
    transitions: [{to: talk, at: after}]
"""


@pytest.mark.law("5.18")
def test_words_of_a_closed_scope_go_with_its_options(tmp_path: Path) -> None:
    with app(tmp_path, SCOPED) as opened:
        chat = opened.chat("a")
        chat.start()
        assert [one.label for one in chat.say("go").buttons] == ["quince", "medlar"]
        assert chat.say("the second").state.option_lists is None
        opened.retain(tw.Retention())
        assert "quince" not in str(chat.journal())
