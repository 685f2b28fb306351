"""A flow's own phrases, in the middle of what people say, take the place of the shipped ones (law 5.13)."""

from __future__ import annotations

import pytest

from turnwise.core.commands.allowed_input import FORM_COMMANDS, AllowedField, AllowedInput
from turnwise.core.language import language_of
from turnwise.core.state.commands import AnyCommand, Set, name_of
from turnwise.flow.model import Field, Option
from turnwise.understanding import understand
from turnwise.understanding.vocabulary import LANGUAGE_CODES, load_vocabulary, vocabulary_and_texts
from turnwise.understanding.vocabulary.tables import phrases

OWN = {
    "en": {
        "skip": ("dunno", "beats me"),
        "help": ("come again please",),
        "cancel": ("i am out",),
        "restart": ("once more from the top",),
        "hand_over": ("get me the boss",),
        "change": ("rework time",),
        "affirm": ("roger", "ship it"),
        "edit": ("hold the press",),
        "true": ("you bet your boots",),
        "false": ("in your dreams",),
        "leave_chooser": ("as it was",),
    },
    "de": {
        "skip": ("weiß der Geier", "passe"),
        "help": ("nur bahnhof",),
        "cancel": ("ich bin raus",),
        "restart": ("alles auf Anfang",),
        "hand_over": ("den Chef bitte",),
        "change": ("Zeit für Nachschliff",),
        "affirm": ("passt wie angegossen", "geritzt"),
        "edit": ("Kommando zurück",),
        "true": ("aber hallo",),
        "false": ("im Leben nicht",),
        "leave_chooser": ("wie gehabt",),
    },
}
FIELDS = (
    AllowedField("case.age", Field("age", "integer", max=120), "How old are you?"),
    AllowedField("case.smoker", Field("smoker", "boolean"), "Are you a smoker?"),
    AllowedField(
        "case.colour", Field("colour", "choice", options=(Option("red"), Option("rot"))), "Which colour?", "red"
    ),
)


def proposed(message: str, language: str, question: str, *, is_own: bool = True) -> list[str]:
    """What is proposed where the question is a field, a confirmation or a chooser."""
    is_field = question not in ("confirmation", "chooser")
    commands = ("affirm", "deny") if question == "confirmation" else ("deny",) if question == "chooser" else ()
    allowed = AllowedInput(
        language=language,
        zone="UTC",
        now_ms=0,
        fields=FIELDS,
        commands=(*FORM_COMMANDS, *commands),
        asked=f"case.{question}" if is_field else "",
        question="field" if is_field else question,  # pyright: ignore[reportArgumentType]
        phrases=OWN[language] if is_own else {},
    )
    return [told(command) for command in understand(message, allowed)]


def told(command: AnyCommand) -> str:
    """A command in short."""
    return f"{command.field.removeprefix('case.')}={command.value}" if isinstance(command, Set) else name_of(command)


SAID = [
    # language, question, message, what is proposed
    ("en", "age", "dunno", ["skip"]),
    ("en", "age", "sorry, beats me", ["skip"]),
    ("en", "age", "Red, please. I am out!", ["cancel"]),
    ("en", "age", "please get me the boss", ["hand_over"]),
    ("en", "age", "come again please?", ["help"]),
    ("en", "smoker", "you bet your boots", ["smoker=True"]),
    ("en", "smoker", "in your dreams, and I am 45", ["smoker=False", "age=45"]),
    ("en", "confirmation", "roger, ship it", ["affirm"]),
    ("en", "confirmation", "roger, but not the hat", []),
    ("en", "confirmation", "hold the press!", ["deny"]),
    ("en", "confirmation", "rework time", ["edit"]),
    ("en", "chooser", "as it was", ["deny"]),
    ("de", "age", "puh, weiß der Geier", ["skip"]),
    ("de", "age", "Rot bitte. Ich bin raus!", ["cancel"]),
    ("de", "age", "den Chef bitte", ["hand_over"]),
    ("de", "age", "nur Bahnhof?", ["help"]),
    ("de", "smoker", "aber hallo", ["smoker=True"]),
    ("de", "smoker", "im Leben nicht, und ich bin 45", ["smoker=False", "age=45"]),
    ("de", "confirmation", "geritzt, danke", ["affirm"]),
    ("de", "confirmation", "Kommando zurück!", ["deny"]),
    ("de", "confirmation", "Zeit für Nachschliff", ["edit"]),
    ("de", "chooser", "wie gehabt", ["deny"]),
]


@pytest.mark.law("5.13")
@pytest.mark.parametrize(("language", "question", "message", "expected"), SAID)
def test_own_phrases_are_understood(language: str, question: str, message: str, expected: list[str]) -> None:
    assert proposed(message, language, question) == expected
    assert proposed(message, language, question, is_own=False) != expected or not expected


REPLACED = [
    ("en", "age", "skip this question", "skip"),
    ("en", "age", "could I talk to a human please", "hand_over"),
    ("en", "age", "I want to cancel", "cancel"),
    ("en", "smoker", "yes", "smoker=True"),
    ("en", "confirmation", "yes, that's right", "affirm"),
    ("de", "age", "nächste Frage", "skip"),
    ("de", "age", "ich will abbrechen", "cancel"),
    ("de", "smoker", "ja", "smoker=True"),
    ("de", "confirmation", "ja, das stimmt", "affirm"),
]


@pytest.mark.law("5.13")
@pytest.mark.parametrize(("language", "question", "message", "command"), REPLACED)
def test_what_a_flow_replaced_is_not_understood_any_more(
    language: str, question: str, message: str, command: str
) -> None:
    assert command in proposed(message, language, question, is_own=False)
    assert command not in proposed(message, language, question)


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_a_phrase_for_a_command_is_written_once(code: str) -> None:
    known = language_of(code).phrases
    for kind, table in load_vocabulary(code).requests.commands.items():
        of_language = phrases(known.get(kind, ()) if kind not in ("deny", "edit") else ())
        both = {one for first, some in table.items() for one in some if one in of_language.get(first, ())}
        assert not both, kind
        vocabulary, _ = vocabulary_and_texts(code, {}) or pytest.fail("no vocabulary")
        assert set(of_language) <= set(vocabulary.requests.commands[kind]), "the rules know both"
