"""Answers in German: every template of the code has a German text, and whole answers read well."""

from __future__ import annotations

import asyncio

import pytest

import turnwise as tw
from support.templates import SLOT, bare_texts, templates
from turnwise.archive.answer_words import AnswerWords, texts_in
from turnwise.cli.demo_examples import EXAMPLES, examples
from turnwise.cli.demo_seeds import play_seeds, read_seeds
from turnwise.cli.inputs import code_of
from turnwise.core.phrase import Writer, joined, listed, phrase
from turnwise.errors import NoClearSubject, WrongArgument
from turnwise.why.answer import Answer

NOW_MS = 1_700_000_000_000
GERMAN = AnswerWords("de", has_titles=True)


def test_every_template_has_a_german_text_and_no_text_is_left_over() -> None:
    german = texts_in("de")
    assert sorted(templates() - german.keys()) == []
    assert sorted(german.keys() - templates()) == []


def test_a_german_text_has_the_values_of_the_english_one() -> None:
    for english, german in texts_in("de").items():
        assert set(SLOT.findall(english)) == set(SLOT.findall(german)), english
        assert german.count("[") == german.count("]"), german


def test_facts_are_made_of_phrases_alone() -> None:
    assert [*bare_texts()] == [("ways/targets.py", "node ")], "that names a target in a refusal"


def test_a_phrase_is_written_again_with_its_values_and_those_inside() -> None:
    why = phrase("it is less than the minimum {bound}", bound=18)
    text = phrase("{field} has no value: {reason}[; {asked}]", field="user.age", reason=why, asked="")
    assert text == "user.age has no value: it is less than the minimum 18"
    writer = Writer("de", texts_in("de"))
    assert writer.text(text) == "user.age hat keinen Wert: es ist weniger als das Mindeste, 18"
    assert writer.text(listed(["a", "b", why])) == "a, b und es ist weniger als das Mindeste, 18"
    assert writer.text(joined(["a", why], "; ") + "!") == "a; es ist weniger als das Mindeste, 18!"


def test_secrets_are_hidden_inside_of_phrases() -> None:
    text = phrase("the user, who said “{said}”", said="my pin is 4711").mapped(lambda one: one.replace("4711", "***"))
    assert Writer("de", texts_in("de")).text(text) == "der Nutzer mit „my pin is ***“"


def test_a_language_without_texts_is_refused() -> None:
    with pytest.raises(WrongArgument, match="one of en, de"):
        AnswerWords("fr").writer(None)  # type: ignore[arg-type]


def ask(example: str, conversation: str, subject: str, words: AnswerWords) -> Answer:
    """Return an answer about a prepared conversation."""
    return asyncio.run(_ask(example, conversation, subject, words))


async def _ask(name: str, conversation: str, subject: str, words: AnswerWords) -> Answer:
    folder, example = examples() / name, EXAMPLES[name]
    code = code_of(folder / example.code if example.code else None)
    flow = tw.load(folder / example.flow)
    seeds = [seed for seed in read_seeds(folder) if not seed.flow]
    clock = tw.ManualClock(NOW_MS)
    app = tw.open(flow, store="memory://", guards=code.guards, tools=code.tools_of(flow), clock=clock)
    await play_seeds(seeds, flow, code, app.runtime.store, NOW_MS)
    return await app.runtime.archive.why(conversation, subject, words=words)


def test_what_an_unclear_question_may_be_about_is_offered_in_german() -> None:
    with pytest.raises(NoClearSubject) as unclear:
        ask("health_intake", "maria", "why is the age", GERMAN)
    age = next(one for one in unclear.value.candidates if one.subject == "field user.age")
    assert (age.title, age.because) == ("age in years", "im Namen oder einem Text davon steht „age“")


GOLDEN = (
    ("health_intake", "maria", "field user.age", "age in years wurde auf 48 gesetzt, verstanden durch die Regeln"),
    (
        "health_intake",
        "maria",
        "node profiler",
        "Profiler ist nicht an der Reihe: das Gespräch ist in Farewell; betreten in Runde 5 durch „complete“ (name, age and "
        "terms collected, age 38 or more) und verlassen in Runde 7 durch „three groups“ (at least three groups of symptoms "
        "are known)",
    ),
    (
        "eligibility",
        "case-1038",
        "field case.urgency",
        "urgency hat keinen Wert: bisher hat es nichts gesetzt; urgency wird noch nicht gefragt, denn patient information "
        "kommt zuerst",
    ),
    (
        "eligibility",
        "case-1039",
        "transition expert",
        "„expert“ traf nicht zu, denn nötig ist insurance history = Yes (ist Partial), purpose of the check = Referral (ist "
        "Billing)",
    ),
    ("eligibility", "case-1042", "end", "das Gespräch ist nicht zu Ende: das Gespräch wartet auf einen Knopf seit"),
)


@pytest.mark.parametrize(("example", "conversation", "subject", "expected"), GOLDEN)
def test_an_answer_reads_as_german_with_titles(example: str, conversation: str, subject: str, expected: str) -> None:
    answer = ask(example, conversation, subject, GERMAN)
    assert answer.line.startswith(expected)
    assert answer.language == "de"
    assert answer.read_as.startswith("warum: ")


def test_without_titles_names_stay_as_in_the_flow() -> None:
    german = ask("health_intake", "maria", "user.age", AnswerWords("de"))
    assert german.line.startswith("user.age wurde auf 48 gesetzt")
    assert ask("health_intake", "maria", "user.age", AnswerWords()).line.startswith("user.age was set to 48")
