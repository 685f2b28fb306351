"""Each line that the page of the language buddy offers is understood without a model (requirement of its first half).

Without its script the flow says once that no model speaks. With it, as the page starts the talk, no reply is that.
"""

from __future__ import annotations

import asyncio
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import turnwise as tw
from support.shell import ROOT
from turnwise.api.open import load
from turnwise.cli.inputs import code_of
from turnwise.core.language import language_of

FOLDER = ROOT / "examples" / "language_buddy"
PUPIL = (
    "Hello",
    "Max",
    "English",
    "German",
    "order food",
    "London",
    "football",
    "das Haus",
    "ich habe",
    "weil ich müde bin",
)
TUESDAY_MS = 1_794_326_400_000
"""Tuesday, 10 November 2026, 16:00 in London: an hour before the offer of the month."""
SCRIPT = f"scripted:{FOLDER / 'demo.dialogue.yaml'}"
"""The model with which the page starts the talk."""
REMARKS = """Ich wohne in Köln|how is it going?|my dog is called Rex|Was ist dein Hobby?|I had a long day at work
I have no idea what to say|Gestern war ich im Kino|is it dem or den Mann?|are you real?|Ich möchte ein Bier
how do I say good luck|you talk too much|sehr gut|hm, let me think|what can you do?|Meine Schwester heißt Anna
I want to speak to a human teacher|Wie geht es Ihnen?|nein|say it again please|I was in Vienna last year
das verstehe ich nicht|lol|what is the plural of Hund?|This is boring|Können wir über Fußball reden?|and now?
Thank you, that helped a lot|Kannst du mir helfen?|I have to go now""".replace("\n", "|").split("|")
MACHINE_SAYS = {"Do you have a minute to help us improve?"}


class Line(NamedTuple):
    """What is typed before a line, and what is open after it; `offer` is when the offer of the month is open."""

    before: tuple[str, ...]
    frames: tuple[str, ...]
    offer: bool = False
    says: str = ""


LINES = {
    "I want to give feedback": Line((), ("feedback",)),
    "give me a quiz": Line((), ("quiz",)),
    "start the quiz": Line((), ("quiz",)),
    "quiz me and then explain 'weil'": Line((), ("quiz",)),
    "explain 'weil'": Line((), (), says="Weil means because"),
    "what does Dativ mean?": Line(("give me a quiz",), ("quiz",), says="the case of the receiver"),
    "what does müde mean?": Line(("give me a quiz",), ("quiz",), says="Müde means tired."),
    "cancel": Line(("give me a quiz",), ()),
    "not now": Line((), (), offer=True, says="All right."),
    "ask me later": Line((), (), offer=True, says="All right."),
    "I have feedback": Line(("not now",), ("feedback",), offer=True),
}


@cache
def no_model_texts() -> tuple[str, ...]:
    """The texts that say that no model speaks: those of the languages, and that of the flow."""
    own = load(FOLDER / "language_buddy.flow.yaml").texts["no_model"]
    shipped = [language_of(code).text(key) for code in ("en", "de") for key in ("no_model", "no_model_aside")]
    return (str(own), *shipped)


def says_no_model(text: str) -> bool:
    """True if a reply has one of the texts that say that no model speaks."""
    return any(one in text for one in no_model_texts())


def tools() -> dict[str, Any]:
    """The tools of the example, as the command line reads them."""
    return code_of(FOLDER / "tools.py").tools_of(load(FOLDER / "language_buddy.flow.yaml"))


def offered_lines() -> set[str]:
    """The lines in quotes that the page offers."""
    page = " ".join((FOLDER / "README.md").read_text("utf-8").split())
    return set(re.findall(r'\*"([^"]+)"\*', page)) - MACHINE_SAYS


def test_every_line_of_the_page_is_tried() -> None:
    assert offered_lines() == LINES.keys()


@pytest.mark.parametrize("model", [None, SCRIPT], ids=["bare", "script"])
@pytest.mark.parametrize("line", LINES)
def test_a_line_of_the_page_is_understood_offline(
    line: str, model: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE_BUDDY", str(tmp_path))
    wanted = LINES[line]

    async def talk() -> None:
        clock, code = tw.ManualClock(TUESDAY_MS), tools()
        async with tw.open(FOLDER / "language_buddy.flow.yaml", tools=code, model=model, clock=clock) as app:
            chat = app.chat("max")
            for text in PUPIL:
                await chat.say(text)
            if wanted.offer:
                clock.move_s(2 * 3600)
                await app.tick()
            for text in wanted.before:
                await chat.say(text)
            turn: Any = await chat.say(line)
            state = turn.state
            assert tuple(one.scope.name for one in state.frames if one.scope) == wanted.frames
            assert not says_no_model(turn.text)
            assert wanted.says in turn.text
            assert not turn.warnings
            if wanted.offer and not wanted.frames:
                assert [one.status for one in state.offers] == ["passed"]

    asyncio.run(talk())


@pytest.mark.parametrize("each_alone", [True, False], ids=["each alone", "one after the other"])
def test_no_free_remark_is_answered_by_the_text_without_a_model(
    each_alone: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE_BUDDY", str(tmp_path))
    assert len(REMARKS) == len({*REMARKS}) == 30
    code, before = tools(), ""
    with tw.open_sync(FOLDER / "language_buddy.flow.yaml", tools=code, model=SCRIPT) as app:
        chat = app.chat("max")
        for number, remark in enumerate(REMARKS):
            chat = app.chat(f"max {number}") if each_alone else chat
            for text in PUPIL if each_alone or not number else ():
                assert not says_no_model(chat.say(text).text)
            turn = chat.say(remark)
            assert turn.text
            assert not says_no_model(turn.text)
            assert not turn.warnings
            assert turn.node == "maya"
            assert turn.text != before or each_alone
            before = turn.text
        assert chat.replay()


@pytest.mark.requirement("003-27")
def test_of_two_wishes_the_second_is_fulfilled_when_the_first_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE_BUDDY", str(tmp_path))
    code = tools()
    with tw.open_sync(FOLDER / "language_buddy.flow.yaml", tools=code) as app:
        chat = app.chat("max")
        for text in (*PUPIL, "quiz me and then explain 'weil'", "das", "habe"):
            chat.say(text)
        assert "quiz" in chat.why("explain").line
        for text in ("dem", "bin müde"):
            chat.say(text)
        assert "4 of 5!\n\nWeil means because" in chat.say("gern").text
        assert chat.why("quiz/result.right").line
        assert chat.why("explain/input.asked").line
        assert chat.replay()


DIGRESSIONS = {
    "onboarding": ("onboarding", 2, "What is your first language?"),
    "assessment": ("onboarding", 8, "I have: which one?"),
    "rapid feedback": ("feedback", len(PUPIL), "What happened?"),
    "survey": ("feedback", len(PUPIL), "Question 1"),
    "quiz": ("quiz", len(PUPIL), "Question 1"),
}
BEGINS = {"rapid feedback": "I am so frustrated!!", "survey": "I have feedback", "quiz": "quiz me"}


@pytest.mark.parametrize("place", DIGRESSIONS)
def test_a_word_is_explained_in_the_middle_of_each_and_its_question_is_asked_again(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE_BUDDY", str(tmp_path))
    scope, before, question = DIGRESSIONS[place]
    with tw.open_sync(FOLDER / "language_buddy.flow.yaml", tools=tools(), model=SCRIPT) as app:
        chat = app.chat("max")
        for text in (*PUPIL[:before], *([BEGINS[place]] if place in BEGINS else [])):
            chat.say(text)
        known = chat.state().values
        turn = chat.say("what does gern mean?")
        assert turn.text.startswith("Gern says that you like what you do")
        assert question in turn.text
        assert [one.scope.name for one in turn.state.frames if one.scope] == [scope]
        assert {name: one.value for name, one in turn.state.values.items()} == {
            name: one.value for name, one in known.items()
        }


NO_ANSWERS = ["what?", "why do you ask?", "who are you?", "I don't know", "hm", "not telling you"]


@pytest.mark.parametrize("answered", [1, 2, 4, 6], ids=["name", "native", "goal", "interests"])
@pytest.mark.parametrize("message", NO_ANSWERS)
def test_what_is_no_answer_does_not_get_into_the_profile(
    answered: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE_BUDDY", str(tmp_path))
    with tw.open_sync(FOLDER / "language_buddy.flow.yaml", tools=tools(), model=SCRIPT) as app:
        chat, asked = app.chat("max"), ""
        for text in PUPIL[:answered]:
            asked = chat.say(text).text.split("\n\n")[-1]
        known = {name: one.value for name, one in chat.state().values.items()}
        turn = chat.say(message)
        assert {name: one.value for name, one in turn.state.values.items()} == known
        assert asked in turn.text or "rephrase" in turn.text


@pytest.mark.parametrize("message", ["pizza", "asdf", "blah"])
def test_a_first_language_is_one_of_those_offered_or_typed_as_another(
    message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE_BUDDY", str(tmp_path))
    with tw.open_sync(FOLDER / "language_buddy.flow.yaml", tools=tools(), model=SCRIPT) as app:
        chat = app.chat("max")
        for text in PUPIL[:2]:
            chat.say(text)
        turn = chat.say(message)
        assert "onboarding/user.native" not in turn.state.values
        assert [one.label for one in turn.buttons][-1] == "Another one"
        chat.say("another one")
        assert chat.say("Swedish").state.values["onboarding/user.native"].value == "Swedish"
