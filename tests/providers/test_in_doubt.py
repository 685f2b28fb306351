"""In doubt nothing is proposed: conditions, small talk, questions and corrections, each beside its neighbours."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from turnwise.core.commands.allowed_input import FORM_COMMANDS, AllowedField, AllowedInput
from turnwise.core.state.commands import AnyCommand, Set, name_of
from turnwise.flow.model import Field, Option
from turnwise.understanding import understand

WEDNESDAY_MS = 1_767_787_200_000
"""Noon of 7 January 2026, UTC."""


def boolean(name: str, title: str, about: str = "", value: object = None) -> AllowedField:
    """A yes-or-no field."""
    return AllowedField(f"p.{name}", Field(name, "boolean", about=about), title, value)


def choice(name: str, title: str, value: object = None, **options: tuple[str, ...]) -> AllowedField:
    """A field with options, each with its further words."""
    some = tuple(Option(option.replace("_", " "), words) for option, words in options.items())
    return AllowedField(f"p.{name}", Field(name, "choice", options=some), title, value)


def items(title: str, about: str, *options: str) -> AllowedField:
    """A list with options."""
    return AllowedField("p.list", Field("list", "list", options=tuple(map(Option, options)), about=about), title)


def plain(name: str, kind: str, title: str, value: object = None) -> AllowedField:
    """A field of a type."""
    return AllowedField(f"p.{name}", Field(name, kind, about=name), title, value, kind == "string")  # pyright: ignore[reportArgumentType]


def told(command: AnyCommand) -> str:
    """A command in short."""
    if isinstance(command, Set):
        return f"{command.field.removeprefix('p.')}={json.dumps(command.value, ensure_ascii=False)}"
    field = getattr(command, "field", "").removeprefix("p.")
    return f"{name_of(command)} {field}".strip()


def said(
    message: str, *fields: AllowedField, asked: str = "", language: str = "en", question: str = "field", **more: object
) -> str:
    """What a message proposes, in short."""
    closed = ("affirm", "deny") if question == "confirmation" else ("deny",) if question == "chooser" else ()
    allowed = AllowedInput(
        language=language,
        zone="UTC",
        now_ms=WEDNESDAY_MS,
        fields=fields,
        commands=(*FORM_COMMANDS, "add", "remove", *closed),
        asked=f"p.{asked}" if asked else "",
        question=question if asked or question != "field" else "",  # pyright: ignore[reportArgumentType]
        **more,  # pyright: ignore[reportArgumentType]
    )
    return "; ".join(map(told, understand(message, allowed)))


# consent -------------------------------------------------------------------------------------------

TERMS = boolean("tos", "agreement to the terms", "agreement to the terms")
AGB = boolean("tos", "Stimmen Sie den AGB zu?", "Zustimmung zu den AGB")
CONSENT = [
    ("yes, I agree", "tos=true"),
    ("I agree to the terms", "tos=true"),
    ("I accept the terms, but I am 45", "tos=true"),
    ("sure, thanks", "tos=true"),
    ("I changed my mind, I agree", "tos=true"),
    ("I do not agree", "tos=false"),
    ("I disagree", "tos=false"),
    ("yes, I agree but not to section 3", ""),
    ("yes, but not to section 3", ""),
    ("yes, to section 1 only", ""),
    ("I agree to section 1", ""),
    ("I agree if you delete it later", ""),
    ("ok as long as it is free", ""),
    ("I agree, except section 3", ""),
    ("I agree, but only to the first part", ""),
    ("yes, provided that it is free", ""),
    ("yes, with one exception", ""),
    ("yes, partly", ""),
    ("I agree with nothing", ""),
    ("I don't disagree", ""),
    ("I agree with nobody", ""),
]
ZUSTIMMUNG = [
    ("ich stimme zu", "tos=true"),
    ("ja, ich stimme zu", "tos=true"),
    ("ich stimme nicht zu", "tos=false"),
    ("ich lehne ab", "tos=false"),
    ("ja, aber nicht Abschnitt 3", ""),
    ("ich stimme zu, aber nicht Abschnitt 3", ""),
    ("ja, wenn es nichts kostet", ""),
    ("ja, außer Abschnitt 3", ""),
    ("ja, vorausgesetzt es ist kostenlos", ""),
    ("ich stimme nur Teil 1 zu", ""),
    ("ich stimme nichts zu", ""),
]


@pytest.mark.parametrize(("message", "expected"), CONSENT)
def test_a_consent_has_no_condition(message: str, expected: str) -> None:
    assert said(message, TERMS, asked="tos") == expected


@pytest.mark.parametrize(("message", "expected"), ZUSTIMMUNG)
def test_a_german_consent_has_no_condition(message: str, expected: str) -> None:
    assert said(message, AGB, asked="tos", language="de") == expected


def test_consent_that_was_not_asked_for_is_said_in_words() -> None:
    assert said("yes", TERMS) == ""
    assert said("yes, I agree", TERMS) == "tos=true"
    assert said("I agree but not to section 3", TERMS) == ""


def test_a_yes_that_asks_what_it_agrees_to_is_none() -> None:
    assert said("ok, what are the terms?", TERMS, asked="tos") == ""
    assert said("yes, I agree. What happens next?", TERMS, asked="tos") == "tos=true"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("change consent", "edit consent"),
        ("edit my consent please", "edit consent"),
        ("consent", "edit consent"),
        ("I consent", "consent=true"),
        ("no, I do consent", "consent=true"),
        ("I agree", "consent=true"),
    ],
)
def test_the_name_of_a_consent_is_no_consent(message: str, expected: str) -> None:
    field = boolean("consent", "Do you give consent?", "consent", value=False)
    assert said(message, field, question="confirmation") == expected


# yes and no ----------------------------------------------------------------------------------------

SMOKE = [
    ("en", "I smoke", "smoker=true"),
    ("en", "I do smoke", "smoker=true"),
    ("en", "yes, I smoke a pipe", ""),
    ("en", "I don't smoke", "smoker=false"),
    ("en", "I never smoke", "smoker=false"),
    ("en", "no, I don't smoke", "smoker=false"),
    ("en", "no, I do smoke", ""),
    ("en", "no, I smoke cigars", ""),
    ("en", "yes, I don't smoke", ""),
    ("en", "I don't not smoke", ""),
    ("en", "No?", ""),
    ("en", "yes?", ""),
    ("de", "ich rauche", "smoker=true"),
    ("de", "ich rauche nicht", "smoker=false"),
    ("de", "nein, ich rauche nicht", "smoker=false"),
    ("de", "nein, ich rauche", ""),
    ("de", "nein, ich rauche Pfeife", ""),
    ("de", "ja, ich rauche nicht", ""),
    ("de", "Nein?", ""),
]


@pytest.mark.parametrize(("language", "message", "expected"), SMOKE)
def test_what_contradicts_itself_is_no_answer(language: str, message: str, expected: str) -> None:
    titles = {"en": ("Do you smoke?", "smoker"), "de": ("Rauchen Sie?", "Raucher")}
    assert said(message, boolean("smoker", *titles[language]), asked="smoker", language=language) == expected


# options -------------------------------------------------------------------------------------------

COLOURS = choice("colour", "Which colour?", Red=(), Green=(), Blue=())
FARBEN = choice("colour", "Welche Farbe?", Rot=(), Grün=(), Blau=())
OF_A_QUESTION = [
    ("en", "Red", 'colour="Red"'),
    ("en", "can I have red?", 'colour="Red"'),
    ("en", "red, not green", 'colour="Red"'),
    ("en", "red. no, green", 'colour="Green"'),
    ("en", "red, no, green", 'colour="Green"'),
    ("en", "is red ok?", ""),
    ("en", "red?", ""),
    ("en", "red, no green", ""),
    ("en", "no red", ""),
    ("de", "Rot", 'colour="Rot"'),
    ("de", "rot, nein, grün", 'colour="Grün"'),
    ("de", "rot, nein grün", ""),
    ("de", "Rot?", ""),
]


@pytest.mark.parametrize(("language", "message", "expected"), OF_A_QUESTION)
def test_an_option_is_said_and_not_asked(language: str, message: str, expected: str) -> None:
    field = COLOURS if language == "en" else FARBEN
    assert said(message, field, asked="colour", language=language) == expected


CASE = (
    choice("history", "Does the patient have inconsistencies in the coverage?", Yes=(), No=(), Partial=()),
    choice("purpose", "What is the check for?", Billing=("bill",), Treatment=("care", "therapy"), Referral=()),
    choice("failure", "What should happen if it fails?", Escalate=(), Notify=("tell me",), Wait=()),
    choice("urgency", "How urgent is it?", Urgent=("asap",), This_week=(), No_Rush=("no hurry", "whenever")),
)
FALL = (
    choice("history", "Gibt es Unstimmigkeiten?", Ja=(), Nein=(), Teilweise=()),
    choice("purpose", "Wofür ist die Prüfung?", Abrechnung=("Rechnung",), Behandlung=("Pflege",)),
    choice("urgency", "Wie dringend ist es?", Dringend=("sofort",), Diese_Woche=(), Keine_Eile=("irgendwann",)),
)
OF_OTHERS = [
    ("en", "billing", 'purpose="Billing"'),
    ("en", "billing, please", 'purpose="Billing"'),
    ("en", "it is for billing and urgent", 'purpose="Billing"; urgency="Urgent"'),
    ("en", "yes, treatment and notify", 'history="Yes"; purpose="Treatment"; failure="Notify"'),
    ("en", "the purpose is care", 'purpose="Treatment"'),
    ("en", "no hurry", 'urgency="No Rush"'),
    ("en", "take care", ""),
    ("en", "I care about this", ""),
    ("en", "I don't care", ""),
    ("en", "health care", ""),
    ("en", "my therapy went well", ""),
    ("en", "whenever you like", ""),
    ("en", "do it asap", ""),
    ("en", "I will wait", ""),
    ("en", "tell me more", ""),
    ("en", "see you this week", ""),
    ("de", "Abrechnung", 'purpose="Abrechnung"'),
    ("de", "für die Abrechnung bitte", 'purpose="Abrechnung"'),
    ("de", "ja, Behandlung und dringend", 'history="Ja"; purpose="Behandlung"; urgency="Dringend"'),
    ("de", "meine Pflege war gut", ""),
    ("de", "irgendwann mal", ""),
    ("de", "ich komme sofort", ""),
]


@pytest.mark.parametrize(("language", "message", "expected"), OF_OTHERS)
def test_small_talk_answers_no_other_question(language: str, message: str, expected: str) -> None:
    fields = CASE if language == "en" else FALL
    assert said(message, *fields, asked="history", language=language) == expected


# corrections in one message ------------------------------------------------------------------------

DAY = plain("day", "date", "Which day?")
DAYS = [
    ("en", "monday", 'day="2026-01-12"'),
    ("en", "monday, no, tuesday", 'day="2026-01-13"'),
    ("en", "monday. no, tuesday", 'day="2026-01-13"'),
    ("en", "monday, no, wednesday", 'day="2026-01-07/2026-01-14"'),  # today is one: asked back
    ("en", "monday, no, wednesday the 45th", ""),
    ("de", "Montag, nein, Dienstag", 'day="2026-01-13"'),
    ("de", "Montag, nein, Mittwoch", 'day="2026-01-07/2026-01-14"'),
]


@pytest.mark.parametrize(("language", "message", "expected"), DAYS)
def test_what_is_taken_back_is_not_stored(language: str, message: str, expected: str) -> None:
    assert said(message, DAY, asked="day", language=language) == expected


ALLERGIES = items("Any allergies?", "allergies", "Nuts", "Milk", "Dust")
ALLERGIEN = items("Haben Sie Allergien?", "Allergien", "Nüsse", "Milch", "Staub")
LISTS = [
    ("en", "nuts, milk", 'list=["Nuts", "Milk"]'),
    ("en", "nuts, and also milk", 'list=["Nuts", "Milk"]'),
    ("en", "nuts. oh and milk", 'list=["Nuts", "Milk"]'),
    ("en", "nuts, thanks", 'list=["Nuts"]'),
    ("en", "nuts and milk but not milk", 'list=["Nuts"]'),
    ("en", "nuts, no wait, dust", 'list=["Dust"]'),
    ("en", "nuts, cats", ""),
    ("en", "nuts and cats", ""),
    ("en", "cats", ""),
    ("en", "no nuts", ""),
    ("en", "none", "list=[]"),
    ("en", "no", "list=[]"),
    ("en", "nothing", "list=[]"),
    ("en", "no allergies", "list=[]"),
    ("en", "I have no allergies", "list=[]"),
    ("en", "no?", ""),
    ("en", "I don't know", ""),
    ("de", "Nüsse und Milch, aber keine Milch", 'list=["Nüsse"]'),
    ("de", "Nüsse, nein, Staub", 'list=["Staub"]'),
    ("de", "Nüsse, Katzen", ""),
    ("de", "keine", "list=[]"),
    ("de", "nein", "list=[]"),
    ("de", "nichts", "list=[]"),
    ("de", "keine Allergien", "list=[]"),
    ("de", "keine Ahnung", ""),
]


@pytest.mark.parametrize(("language", "message", "expected"), LISTS)
def test_a_list_is_what_is_left_or_none(language: str, message: str, expected: str) -> None:
    assert said(message, ALLERGIES if language == "en" else ALLERGIEN, asked="list", language=language) == expected


def test_several_items_and_another_after_all_are_not_sorted_out() -> None:
    assert "list" not in said("nuts and milk, no wait, dust", ALLERGIES, asked="list")


def test_none_leaves_a_list_alone_that_has_an_option_for_it() -> None:
    field = items("Any allergies?", "allergies", "Nuts", "None")
    assert said("none", field, asked="list") == 'list=["None"]'
    assert "skip" not in said("no", field, asked="list")


# names and places ----------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["bye", "lol", "huh", "cancelled", "test", "whatever", "omg", "hello", "thanks"])
def test_what_people_say_in_passing_is_no_name(word: str) -> None:
    name = plain("name", "string", "What is your name?")
    assert "name=" not in said(word, name, asked="name")
    assert said("Ada", name, asked="name") == 'name="Ada"'


@pytest.mark.parametrize("word", ["tschüss", "lol", "hä", "abgebrochen", "Test", "egal", "Hallo", "danke"])
def test_what_germans_say_in_passing_is_no_name(word: str) -> None:
    name = plain("name", "string", "Wie heißen Sie?")
    assert "name=" not in said(word, name, asked="name", language="de")
    assert said("Ada", name, asked="name", language="de") == 'name="Ada"'


@pytest.mark.parametrize("question", ["chooser", "confirmation"])
@pytest.mark.parametrize("message", ["the first", "the second", "the 2nd one", "third", "2nd"])
def test_a_place_is_no_day_where_no_day_is_asked_for(question: str, message: str) -> None:
    fields = (plain("age", "integer", "How old are you?", 55), plain("visit", "date", "When?", "2026-01-12"))
    expected = {"the first": "edit age", "the second": "edit visit", "the 2nd one": "edit visit", "2nd": "edit visit"}
    found = said(message, *fields, question=question)
    assert found == (expected.get(message, "") if question == "chooser" else "")


def test_a_place_is_a_day_where_one_is_asked_for() -> None:
    assert said("the second", DAY, asked="day") == 'day="2026-02-02"'


# what is still needed ------------------------------------------------------------------------------

NEEDS = (plain("name", "string", "name"), plain("age", "integer", "age"), TERMS)
NEEDED = [
    # what is needed, message, what is proposed
    ("tos", "yes", "tos=true"),
    ("tos", "ok", "tos=true"),
    ("tos", "no", "tos=false"),
    ("tos", "I disagree", "tos=false"),
    ("tos", "yes, but not to section 3", ""),
    ("tos", "ok, I'm 46", "age=46"),
    ("tos", "pizza", ""),
    ("age tos", "yes", ""),
    ("age tos", "yes, I agree", "tos=true"),
    ("name age tos", "yes", ""),
    ("name age tos", "Ada, 45, yes", 'name="Ada"; age=45'),
    ("name age tos", "Ada, forty-five", 'name="Ada"; age=45'),
    ("name age tos", "Pizza", ""),
    ("name age tos", "lol, 45", "age=45"),
    ("name", "Ada", 'name="Ada"'),
    ("", "Ada, 45", "age=45"),
    ("", "yes", ""),
]


@pytest.mark.parametrize(("needed", "message", "expected"), NEEDED)
def test_what_is_needed_is_answered_in_short(needed: str, message: str, expected: str) -> None:
    addresses = tuple(f"p.{name}" for name in needed.split())
    assert said(message, *NEEDS, needed=addresses) == expected


def test_beside_a_model_a_plain_yes_answers_nothing() -> None:
    allowed = AllowedInput("en", "UTC", WEDNESDAY_MS, NEEDS, ("set",), needed=("p.tos",))
    assert [told(one) for one in understand("yes", allowed)] == ["tos=true"]
    beside = replace(allowed, has_model=True)
    assert understand("yes", beside) == []
    assert [told(one) for one in understand("yes, I agree", beside)] == ["tos=true"]
