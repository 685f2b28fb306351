"""Messages, what models propose for a field while another question is open, and whether the message bears that out.

The wrong rows are kinds of answers that are reported of models which extract values: every field filled, an option
taken at random, the answer given to two fields, a word of the message made a name, the day of something else, a default
of the model. The right rows are answers beside the asked one, corrections, inflected names and translations.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.flow.model import Field, Option

ZONES = (
    Option("Europe/Berlin", words=("Berlin",)),
    Option("Europe/London", words=("London",)),
    Option("America/New_York", words=("New York",)),
    Option("Asia/Tokyo", words=("Tokyo",)),
)
LANGUAGES = (Option("German", words=("deutsch",)), Option("Spanish"), Option("French", words=("Französisch",)))


def _field(name: str, kind: Any, title: str, options: tuple[Option, ...] = (), of: Any = None) -> AllowedField:
    is_free = kind in ("string", "list") and not options
    return AllowedField(name, Field(name, kind, options=options, of=of), title, is_free_text=is_free)


def options(*names: str) -> tuple[Option, ...]:
    return tuple(map(Option, names))


PUPIL = (
    _field("name", "string", "What may I call you?"),
    _field("native", "string", "What is your first language?"),
    _field("target", "choice", "Which language do you want to learn?", LANGUAGES),
    _field("goal", "string", "What do you want to be able to do?"),
    _field("time_zone", "choice", "Which clock do you live by?", ZONES),
    _field("interests", "list", "What do you like to talk about?", of="string"),
    _field("level", "choice", "How well do you speak it?", options("beginner", "intermediate", "advanced")),
    _field("newsletter", "boolean", "Do you want our newsletter?"),
)
TRIP = (
    _field("guest", "string", "In which name?"),
    _field("departure", "string", "Where do you start?"),
    _field("destination", "string", "Where do you go?"),
    _field("day", "date", "On which day do you leave?"),
    _field("back", "date", "When do you come back?"),
    _field("time", "time", "At what time?"),
    _field("people", "integer", "For how many people?"),
    _field("age", "integer", "How old are you?"),
    _field("meal", "choice", "Which meal?", options("vegetarian", "fish", "meat")),
    _field("pay", "choice", "How do you pay?", (Option("card", words=("credit card",)), Option("invoice"))),
    _field("smoking", "boolean", "Do you smoke?"),
    _field("mail", "email", "Where may we write to you?"),
    _field("phone", "phone", "Under which number may we call?"),
    _field("notes", "string", "Is there anything else?"),
)


class Row(NamedTuple):
    """A message at an open question, the commands of a model of which the last is judged, and if it is borne out."""

    asked: str
    message: str
    commands: tuple[tuple[str, Any, str], ...]
    is_right: bool
    language: str = "en"
    known: Mapping[str, Any] = MappingProxyType({})


def wrong(asked: str, message: str, *commands: tuple[str, Any, str], language: str = "en", **known: Any) -> Row:
    return Row(asked, message, commands, is_right=False, language=language, known=known)


def right(asked: str, message: str, *commands: tuple[str, Any, str], language: str = "en", **known: Any) -> Row:
    return Row(asked, message, commands, is_right=True, language=language, known=known)


ROWS = [
    wrong("goal", "Ich trinke Wasser", ("time_zone", "Europe/London", "Ich trinke Wasser"), language="de"),
    wrong("goal", "das Haus", ("name", "Dativ", "das Haus"), language="de"),
    right("name", "I'm Ada and I live in London", ("name", "Ada", "Ada"), ("time_zone", "Europe/London", "London")),
    wrong("goal", "I drink water", ("target", "German", "I drink water")),
    right("name", "Ada, and I want to learn Spanish", ("name", "Ada", "Ada"), ("target", "Spanish", "Spanish")),
    wrong("goal", "ich bin müde", ("name", "müde", "müde"), language="de"),
    right(
        "name",
        "Ich heiße Ada und lerne Spanisch",
        ("name", "Ada", "Ada"),
        ("target", "Spanish", "Spanisch"),
        language="de",
    ),
    wrong("name", "Ada", ("name", "Ada", "Ada"), ("native", "Ada", "Ada")),
    right("goal", "no, my name is Eve", ("name", "Eve", "Eve"), name="Ada"),
    wrong("name", "Ada", ("name", "Ada", "Ada"), ("goal", "learn German", "Ada")),
    wrong("name", "Ada", ("name", "Ada", "Ada"), ("level", "beginner", "Ada")),
    right(
        "goal",
        "order food, and I am a beginner",
        ("goal", "order food", "order food"),
        ("level", "beginner", "beginner"),
    ),
    wrong(
        "goal",
        "read newspapers",
        ("goal", "read newspapers", "read newspapers"),
        ("newsletter", True, "read newspapers"),
    ),
    right(
        "goal",
        "talk to my aunt; yes to the newsletter",
        ("goal", "talk to my aunt", "talk to my aunt"),
        ("newsletter", True, "yes to the newsletter"),
    ),
    wrong("goal", "order food", ("goal", "order food", "order food"), ("interests", ["travel"], "order food")),
    right(
        "name", "Bob. I like chess and cats", ("name", "Bob", "Bob"), ("interests", ["chess", "cats"], "chess and cats")
    ),
    wrong("interests", "football", ("interests", ["football"], "football"), ("time_zone", "Europe/London", "football")),
    wrong("interests", "cooking", ("interests", ["cooking"], "cooking"), ("target", "French", "cooking")),
    right(
        "target",
        "French, my first language is English",
        ("target", "French", "French"),
        ("native", "English", "English"),
    ),
    wrong("target", "French", ("target", "French", "French"), ("native", "French", "French")),
    wrong("target", "German please", ("target", "German", "German"), ("time_zone", "Europe/Berlin", "German")),
    right(
        "target",
        "Deutsch, ich wohne in Tokyo",
        ("target", "German", "Deutsch"),
        ("time_zone", "Asia/Tokyo", "Tokyo"),
        language="de",
    ),
    wrong("target", "Spanish", ("target", "Spanish", "Spanish"), ("level", "beginner", "Spanish")),
    wrong("native", "English", ("native", "English", "English"), ("time_zone", "Europe/London", "English")),
    right(
        "native",
        "English, and I'm from New York",
        ("native", "English", "English"),
        ("time_zone", "America/New_York", "New York"),
    ),
    wrong("native", "English", ("native", "English", "English"), ("name", "English", "English")),
    wrong("level", "I had it at school", ("time_zone", "Europe/Berlin", "at school")),
    right(
        "level",
        "beginner; my goal is to order food",
        ("level", "beginner", "beginner"),
        ("goal", "order food", "my goal is to order food"),
    ),
    wrong("level", "I had it at school", ("newsletter", False, "I had it at school")),
    wrong("goal", "I just want to have fun", ("newsletter", True, "want to have fun")),
    right("goal", "I live in Berlin", ("time_zone", "Europe/Berlin", "Berlin")),
    wrong("goal", "hm, I'm hungry", ("name", "hungry", "I'm hungry")),
    right("goal", "Actually call me Max", ("name", "Max", "Max"), name="Maximilian"),
    wrong("goal", "it rained all day", ("name", "Bob", "it rained all day"), name="Ada"),
    right(
        "interests",
        "chess, and my name is spelled Zoe, not Zoë",
        ("interests", ["chess"], "chess"),
        ("name", "Zoe", "Zoe"),
        name="Zoë",
    ),
    wrong("interests", "long walks", ("interests", ["long walks"], "long walks"), ("goal", "walk", "long walks")),
    wrong("time_zone", "Tokyo", ("time_zone", "Asia/Tokyo", "Tokyo"), ("native", "Japanese", "Tokyo")),
    right(
        "time_zone",
        "Tokyo, but my first language is Spanish",
        ("time_zone", "Asia/Tokyo", "Tokyo"),
        ("native", "Spanish", "Spanish"),
    ),
    wrong("time_zone", "Berlin", ("time_zone", "Europe/Berlin", "Berlin"), ("target", "German", "Berlin")),
    right(
        "name", "Anna, Anfängerin in Deutsch", ("name", "Anna", "Anna"), ("target", "German", "Deutsch"), language="de"
    ),
    wrong("name", "Max", ("name", "Max", "Max"), ("newsletter", False, "Max")),
    right(
        "name",
        "Max. I don't want the newsletter",
        ("name", "Max", "Max"),
        ("newsletter", False, "don't want the newsletter"),
    ),
    wrong("departure", "Berlin", ("departure", "Berlin", "Berlin"), ("destination", "Berlin", "Berlin")),
    right(
        "departure", "from Berlin to Rome", ("departure", "Berlin", "from Berlin"), ("destination", "Rome", "to Rome")
    ),
    wrong("day", "4 December", ("day", "2026-12-04", "4 December"), ("back", "2026-12-04", "4 December")),
    right(
        "day",
        "from 4 December to 8 December",
        ("day", "2026-12-04", "4 December"),
        ("back", "2026-12-08", "8 December"),
    ),
    wrong("people", "4", ("people", 4, "4"), ("age", 4, "4")),
    right("people", "we are 4, I am 35 years old", ("people", 4, "4"), ("age", 35, "35 years old")),
    wrong("departure", "Berlin", ("departure", "Berlin", "Berlin"), ("day", "2026-12-01", "Berlin")),
    right("departure", "from Berlin tomorrow", ("departure", "Berlin", "Berlin"), ("day", "2026-12-01", "tomorrow")),
    wrong(
        "departure",
        "the main station",
        ("departure", "the main station", "the main station"),
        ("time", "12:00", "main station"),
    ),
    right(
        "departure", "Berlin at half past six", ("departure", "Berlin", "Berlin"), ("time", "18:30", "half past six")
    ),
    wrong("guest", "Ada Lovelace", ("guest", "Ada Lovelace", "Ada Lovelace"), ("people", 1, "Ada Lovelace")),
    right(
        "guest", "Ada Lovelace, for two people", ("guest", "Ada Lovelace", "Ada Lovelace"), ("people", 2, "two people")
    ),
    wrong("guest", "Ada Lovelace", ("guest", "Ada Lovelace", "Ada Lovelace"), ("meal", "vegetarian", "Ada Lovelace")),
    right("guest", "Miller, vegetarian", ("guest", "Miller", "Miller"), ("meal", "vegetarian", "vegetarian")),
    wrong("guest", "Bauer", ("guest", "Bauer", "Bauer"), ("smoking", False, "Bauer")),
    right("guest", "Bauer. We smoke.", ("guest", "Bauer", "Bauer"), ("smoking", True, "We smoke")),
    wrong("guest", "Card", ("guest", "Card", "Card"), ("notes", "no notes", "Card")),
    right("guest", "Bauer, I'll pay by credit card", ("guest", "Bauer", "Bauer"), ("pay", "card", "credit card")),
    wrong("destination", "I have 2 kids", ("people", 2, "2 kids")),
    right("destination", "Rome, with 3 people", ("destination", "Rome", "Rome"), ("people", 3, "3 people")),
    wrong(
        "destination",
        "somewhere warm",
        ("destination", "somewhere warm", "somewhere warm"),
        ("meal", "fish", "somewhere warm"),
    ),
    right(
        "destination", "Rome. Write to ada@x.org", ("destination", "Rome", "Rome"), ("mail", "ada@x.org", "ada@x.org")
    ),
    wrong("destination", "the sea", ("destination", "the sea", "the sea"), ("meal", "fish", "the sea")),
    right(
        "destination",
        "Rome, call me on 0170 1234567",
        ("destination", "Rome", "Rome"),
        ("phone", "01701234567", "0170 1234567"),
    ),
    wrong("meal", "fish", ("meal", "fish", "fish"), ("notes", "fish", "fish")),
    right(
        "meal",
        "fish, and note that I am allergic to nuts",
        ("meal", "fish", "fish"),
        ("notes", "allergic to nuts", "I am allergic to nuts"),
    ),
    wrong("meal", "fish", ("meal", "fish", "fish"), ("pay", "card", "fish")),
    right("meal", "vegetarian for all 5", ("meal", "vegetarian", "vegetarian"), ("people", 5, "all 5")),
    wrong("meal", "whatever is warm", ("pay", "invoice", "whatever is warm")),
    right("meal", "meat, send an invoice", ("meal", "meat", "meat"), ("pay", "invoice", "invoice")),
    wrong("pay", "card", ("pay", "card", "card"), ("smoking", True, "card")),
    wrong("pay", "my boss pays", ("guest", "boss", "my boss")),
    right("pay", "by card, and the name is Miller", ("pay", "card", "card"), ("guest", "Miller", "Miller")),
    wrong("smoking", "no", ("smoking", False, "no"), ("meal", "vegetarian", "no")),
    wrong("smoking", "yes", ("smoking", True, "yes"), ("notes", "yes", "yes")),
    right("smoking", "no. And we leave on 5 December", ("smoking", False, "no"), ("day", "2026-12-05", "5 December")),
    wrong("time", "in the evening", ("day", "2026-11-30", "in the evening")),
    right("time", "18:30 next Friday", ("time", "18:30", "18:30"), ("day", "2026-12-04", "next Friday")),
    wrong("time", "at 7", ("time", "07:00", "at 7"), ("people", 7, "7")),
    right("time", "at 7, there will be 9 people", ("time", "07:00", "at 7"), ("people", 9, "9 people")),
    wrong("day", "my birthday is near", ("age", 30, "my birthday")),
    right(
        "day",
        "tomorrow. Sorry, make it Hamburg, not Berlin",
        ("day", "2026-12-01", "tomorrow"),
        ("destination", "Hamburg", "Hamburg"),
        destination="Berlin",
    ),
    wrong("day", "as soon as possible", ("back", "2026-12-31", "as soon as possible")),
    right(
        "day",
        "4 December, coming back on the 9th",
        ("day", "2026-12-04", "4 December"),
        ("back", "2026-12-09", "coming back on the 9th"),
    ),
    wrong("people", "my family", ("guest", "family", "my family")),
    right("people", "two, in the name of Kim", ("people", 2, "two"), ("guest", "Kim", "Kim")),
    wrong("people", "just me", ("age", 18, "just me")),
    right("people", "just me, I'm a vegetarian", ("people", 1, "just me"), ("meal", "vegetarian", "vegetarian")),
    wrong(
        "notes",
        "my dog comes along",
        ("notes", "my dog comes along", "my dog comes along"),
        ("people", 2, "my dog comes along"),
    ),
    right(
        "notes",
        "we come by car, in the name Öztürk",
        ("notes", "we come by car", "we come by car"),
        ("guest", "Öztürk", "Öztürk"),
    ),
    wrong("notes", "the room should be quiet", ("smoking", False, "the room should be quiet")),
    right("age", "35, and my mail is kim@x.org", ("age", 35, "35"), ("mail", "kim@x.org", "kim@x.org")),
    wrong("age", "old enough", ("age", 40, "old enough"), ("time", "09:00", "old enough")),
    right("age", "I'm 35 and fly out of Oslo", ("age", 35, "35"), ("departure", "Oslo", "Oslo")),
    wrong("mail", "I don't have one", ("phone", "0123456789", "I don't have one")),
    right(
        "mail", "ada@x.org; I quit smoking", ("mail", "ada@x.org", "ada@x.org"), ("smoking", False, "I quit smoking")
    ),
    wrong("mail", "ada@x.org", ("mail", "ada@x.org", "ada@x.org"), ("guest", "ada", "ada@x.org")),
    right(
        "guest",
        "Kim, ohne Fleisch bitte: vegetarisch",
        ("guest", "Kim", "Kim"),
        ("meal", "vegetarian", "vegetarisch"),
        language="de",
    ),
    wrong("guest", "Kim", ("guest", "Kim", "Kim"), ("departure", "Seoul", "Kim")),
    right(
        "guest",
        "Anna Meier, ich fahre mit Annas Karte nach Rom",
        ("guest", "Anna Meier", "Anna Meier"),
        ("destination", "Rom", "nach Rom"),
        language="de",
    ),
]
"""Every third is left out where the rules are written."""
