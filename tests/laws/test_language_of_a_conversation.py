"""Law 1.7: fields may name the language of a conversation, which follows them from phase to phase."""

from __future__ import annotations

from pathlib import Path

import pytest

import turnwise as tw
from support.chats import OneSyncChat, flow_of, problems_of
from support.stored import stored
from turnwise.core.language.codes import language_code
from turnwise.core.state import events as e
from turnwise.core.state.commands import Set
from turnwise.models.scripted import ScriptedModel

FLOW = """
flow: desk
start: ask
language: "{{ default(user.language, 'de') }}"
commands: [undo, set, why]
records: {user: {language: string, amount: number, pay: boolean}}
nodes:
  ask:
    form:
      fields: [{field: user.language, ask: "Sprache?"}, {field: user.amount, ask: "Euro?"}, {field: user.pay, ask: "OK?"}]
    transitions: [{when: form.status == "confirmed", to: talk}]
  talk: {prompt: Talk.}
"""


def changes(turn: tw.Turn) -> list[str]:
    return [event.language for event in turn.events if isinstance(event, e.LanguageChanged)]


def labels(turn: tw.Turn) -> list[str]:
    return [button.label for button in turn.buttons]


@pytest.mark.law("1.7")
@pytest.mark.parametrize(
    ("named", "code"),
    [
        *[(one, "de") for one in ("de", "DE", " De ", "de-AT", "de_CH", "German", "deutsch", "Deutsch.")],
        *[(one, "en") for one in ("en", "en-GB", "EN_us", "English", "englisch")],
        *[(one, "") for one in ("", "fr", "Deutschland", "d", "english or german", "-", "dde", "e")],
    ],
)
def test_a_language_is_named_by_code_tag_or_word(named: str, code: str) -> None:
    assert language_code(named) == code


@pytest.mark.law("1.7")
def test_the_language_is_of_the_journal_and_every_later_process_goes_on_in_it(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db", FLOW) as chat:
        chat.say("hm")
        turn = chat.say("English")
        assert (changes(turn), chat.state().language) == (["en"], "en")
    with stored(tmp_path / "x.db", FLOW) as chat:
        assert labels(chat.say("1,200")) == ["Yes", "No"]
        assert chat.state().values["user.amount"].value == 1200
        assert chat.replay()
        assert chat.rerun().agrees
        copy = chat.fork("copy")
        assert copy.state().language == "en"
        assert labels(copy.say("hmm")) == ["Yes", "No"]


@pytest.mark.law("1.7")
def test_a_value_that_the_program_sets_changes_the_language_and_an_undo_brings_it_back(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db", FLOW) as chat:
        chat.say("hm")
        chat.say("de")
        assert changes(chat.commands([Set(field="user.language", value="en")])) == ["en"]
        chat.say("20")
        assert labels(chat.say("hmm")) == ["Yes", "No"]
        chat.undo(to=2)
        assert (chat.state().language, chat.state().values["user.language"].value) == ("de", "de")
        assert labels(chat.say("20")) == ["Ja", "Nein"]
        assert chat.rerun().agrees


@pytest.mark.law("1.7")
def test_a_migration_takes_the_language_of_the_new_version(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db", FLOW.replace("\"{{ default(user.language, 'de') }}\"", "de")) as chat:
        chat.say("hm")
        chat.say("English")
        assert chat.state().language == "de"
    with stored(tmp_path / "x.db", FLOW) as chat:
        chat.migrate()
        assert chat.state().language == "en"
        assert labels(chat.say("20")) == ["Yes", "No"]
        assert chat.rerun().agrees


@pytest.mark.law("1.7")
def test_an_unknown_language_is_english_with_one_warning_in_the_turn_that_wrote_it() -> None:
    with OneSyncChat(flow_of(FLOW)) as chat:
        chat.say("hm")
        turn = chat.say("Klingon")
        warnings = [event for event in turn.events if isinstance(event, e.Warned)]
        assert [one.code for one in warnings] == ["unknown_language"]
        assert warnings[0].message == "there are no phrases for the language 'Klingon', only for en and de"
        later = chat.say("20")
        assert not [event for event in later.events if isinstance(event, e.Warned)]
        assert labels(later) == ["Yes", "No"]


@pytest.mark.law("1.7")
def test_models_are_asked_to_speak_the_language_of_the_conversation() -> None:
    model = ScriptedModel(["Hallo.", "Hello.", "Na."])
    flow = "flow: talk\nstart: talk\nlanguage: \"{{ default(user.language, 'de') }}\"\ncommands: [set]\n"
    flow += "records: {user: {language: string}}\nnodes: {talk: {prompt: Talk.}}"
    with OneSyncChat(flow_of(flow), model=model) as chat:
        chat.say("hm")
        chat.commands([Set(field="user.language", value="en")])
        chat.say("hm")
        first, second = model.calls[0], model.calls[-1]
        assert (first.language, second.language) == ("de", "en")
        assert "Speak English with the user." not in first.instructions
        assert "Speak English with the user." in second.instructions


@pytest.mark.law("1.7")
def test_why_says_which_value_changed_the_language() -> None:
    with OneSyncChat(flow_of(FLOW)) as chat:
        chat.say("hm")
        turn = chat.say("English")
        found = str(chat.why(f"turn {turn.number}"))
        assert "the conversation goes on in English" in found
        fact = next(one for one in chat.why(f"turn {turn.number}").facts if one.kind == "language_changed")
        assert [cause.kind for cause in fact.causes][:1] == ["value_read"]
        assert fact.causes[0].values["name"] == "user.language"


REPORTED: list[tuple[str, str]] = [
    ("language: '{{ user.speech }}'", "TW031"),
    ("language: '{{ user.language '", "TW037"),
    ("language: '{{ user.language | required }}'", "TW038"),
    ("language: \"{{ default(user.language, 'fr') }}\"", "TW027"),
    ("language: \"{{ user.pay ? 'de' : 'fr' }}\"", "TW027"),
    ("language: '{{ user.kind }}'", "TW027"),
    ("language: '{{ user.spoken }}'", "TW027"),
    ("language: '{{ user.language }}'\ntexts: {de: {nothing: x}}", "TW025"),
    ("language: '{{ user.language }}'\ntexts: {fr: {cancelled: x}}", "TW025"),
    ("language: de\ntexts: {en: {cancelled: x}}", "TW025"),
]
RIGHT = [
    "language: '{{ user.language }}'",
    "language: \"{{ user.pay ? 'de' : 'English' }}\"",
    "language: '{{ user.both }}'",
    "language: \"{{ user.kind == 'b2b' ? 'en' : 'de' }}\"",
    "language: '{{ user.language }}'\ntexts: {cancelled: x, de: {cancelled: y}}",
    "language: de\ntexts: {de: {cancelled: x}}",
]
REST = """
flow: t
start: a
records:
  user:
    language: string
    pay: boolean
    both: {type: choice, options: [Deutsch, en-GB]}
    kind: {type: choice, options: [b2b, b2c]}
    spoken: {type: string, default: fr}
nodes: {a: {say: Hi., end: done}}
"""


@pytest.mark.parametrize(("line", "code"), REPORTED)
def test_a_language_that_cannot_be_is_reported_once(line: str, code: str) -> None:
    found = problems_of(f"{REST}{line}\n")
    assert {one.split()[0] if one.startswith("TW") else one.split(" ")[1] for one in found} == {code}, found
    assert len(found) == len(set(found))


@pytest.mark.parametrize("line", RIGHT)
def test_a_language_that_can_be_is_not_reported(line: str) -> None:
    assert problems_of(f"{REST}{line}\n") == []


class User(tw.Record):
    language: str | None = None


def test_a_flow_in_python_may_name_it_too() -> None:
    node = tw.Node("a", say="Hi.", transitions=[tw.Transition(to="b", when="user.language == 'de'")])
    nodes = [node, tw.Node("b", say="Hallo.", end="x")]
    flow = tw.Flow("t", start="a", language="{{ user.language }}", records=[User], nodes=nodes)
    with OneSyncChat(flow) as chat:
        chat.say("hm")
        assert changes(chat.commands([Set(field="user.language", value="de")])) == ["de"]
