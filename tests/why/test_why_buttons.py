"""Why a button was not accepted: one of an earlier question, also where other turns came since."""

from __future__ import annotations

from collections.abc import Callable

import turnwise as tw
from support.why_cases import every
from support.whys import Asked, Chat, check, table
from turnwise.core.state import commands as c


def pressed_late(*, is_edited: bool) -> Callable[[], Chat]:
    """The user presses a button of the first question again; a program edits a value afterwards."""

    def play() -> Chat:
        chat: Chat = tw.open_sync("examples/eligibility/eligibility.flow.yaml").chat("a")
        first = chat.start()
        chat.choose("Yes")
        chat.choose("Yes")
        chat.choose("Yes", position=first.state.seq)
        if is_edited:
            chat.commands([c.Set(field="case.urgency", value="Urgent")])
        return chat

    return play


STALE = "the button “Yes” was not accepted, because it belongs to an earlier question"
STORIES = {"late": pressed_late(is_edited=False), "edited": pressed_late(is_edited=True)}
ASKED = [
    Asked("late", "message 4", STALE, "button_stale", ("button_pressed",)),
    Asked("late", "turn 4", STALE, "button_stale", ("question_asked",)),
    Asked("edited", "message 4", STALE, "button_stale", (), ("no message of the user",)),
    Asked("edited", "message 5", "turn 5 has no message of the user", "message_none"),
]


@table(STORIES, ASKED)
def test_a_button_of_an_earlier_question_is_said_first(play: Callable[[], Chat], asked: Asked) -> None:
    check(play(), asked)


def test_the_user_hears_it_in_the_words_of_the_conversation() -> None:
    assert STORIES["edited"]().why("message 4").plain == "That button belongs to an earlier question."


SECRET = """
flow: f
start: ask
records: {u: {pin: {type: choice, options: [alpha, omega], secret: true}, name: string}}
nodes: {ask: {form: {fields: [{field: u.pin, ask: "Pin?"}, {field: u.name, ask: "Name?"}]}}}
"""


def test_a_press_that_answers_a_secret_question_is_hidden_whenever_it_comes() -> None:
    with tw.open_sync(tw.loads(SECRET)) as app:
        chat = app.chat("a")
        position = chat.start().position
        chat.choose("omega", position=position)
        chat.choose("omega", position=position)
        chat.take_over("Lena")
        chat.choose("omega")
        for turn, line in (
            (2, "u.pin was set to [secret], answered with a button"),
            (3, "the button “[secret]” was not accepted, because it belongs to an earlier question"),
            (5, "the message “[secret]” was not interpreted because Lena is in charge"),
        ):
            answer = chat.why(f"turn {turn}")
            assert line in [fact.text for fact in every(answer)]
            assert "the user pressed “[secret]”" in [fact.text for fact in every(answer)]
            assert "omega" not in str(answer)
        assert chat.rerun().agrees
