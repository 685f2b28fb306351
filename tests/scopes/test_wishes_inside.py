"""What a user wishes inside a scope: to get out of it, in whatever language, and to speak with a person (laws 5.10, 7.3a)."""

from __future__ import annotations

import pytest

import turnwise as tw
from support.chats import flow_of
from turnwise.core.link import link
from turnwise.core.state import events as e

FLOW = """
    flow: tutor
    start: chat
    language: {language}
    commands: [{more}{{start: [quiz]}}]
    records: {{result: {{town: string, word: {{type: choice, options: [der, das]}}}}}}
    nodes:
      chat: {{prompt: Talk.{around}}}
      quiz:
        scope: {{returns: result, start: ask, nodes: {{ask: {{form: {{fields: [{town}, {{field: result.word, ask: Haus?}}]{form}}}{inside}}}}}}}
"""
TOWN = "{field: result.town, ask: Which town?}"


def flow(
    language: str = "en", more: str = "", around: str = "", form: str = "", inside: str = "", town: str = TOWN
) -> tw.Machine:
    return link(flow_of(FLOW.format(language=language, more=more, around=around, form=form, inside=inside, town=town)))


def after(machine: tw.Machine, *messages: str) -> tw.Turn:
    """The turn of the last message, inside the quiz."""
    with tw.open_sync(machine) as app:
        chat = app.chat("ada")
        chat.start()
        chat.say("quiz")
        for message in messages[:-1]:
            chat.say(message)
        turn = chat.say(messages[-1])
        assert chat.replay()
        return turn


IN_ENGLISH = """abbrechen|lass uns aufhören|ich möchte aufhören|hör auf|bitte abbrechen|stopp|können wir das beenden|brich ab
ich will nicht mehr|vergiss es|lassen wir das|hör bitte auf|schluss damit|ich höre auf|hör auf mit dem Quiz|stoppe das Quiz
leave the quiz|I'd like to leave the quiz""".replace("\n", "|").split("|")
IN_GERMAN = """cancel|let's stop|I want to quit|stop this|please stop|forget it|never mind|can we stop here|let us end this
leave it|leave the quiz|hör auf mit dem Quiz""".replace("\n", "|").split("|")
ANSWERS = """aufhören zu rauchen|stop smoking|mit dem Rauchen aufhören|finish my degree|cancel culture verstehen|gehen
exit strategy|die Schule beenden|Schluss machen|das Leben|Bad Ende""".replace("\n", "|").split("|")


@pytest.mark.parametrize("before", [(), ("Bern",)], ids=["text", "choice"])
@pytest.mark.parametrize(
    ("language", "message"), [*(("en", one) for one in IN_ENGLISH), *(("de", one) for one in IN_GERMAN)]
)
def test_a_scope_is_cancelled_in_either_language(language: str, message: str, before: tuple[str, ...]) -> None:
    turn = after(flow(language), *before, message)
    assert [one.outcome for one in turn.events if isinstance(one, e.ScopeClosed)] == ["cancelled"]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("message", ANSWERS)
def test_words_that_say_more_are_an_answer(language: str, message: str) -> None:
    turn = after(flow(language), message)
    assert turn.state.values["quiz/result.town"].value == message


def test_phrases_of_the_flow_are_the_only_ones_and_an_option_is_an_option() -> None:
    own = link(flow_of("flow: a\nstart: b\ntexts: {cancel: [basta]}\nrecords: {v: {t: string}}\n"
                       "nodes: {b: {form: {fields: [{field: v.t, ask: Which?}]}, end: c}}"))  # fmt: skip
    with tw.open_sync(own) as app:
        chat = app.chat("ada")
        chat.start()
        assert chat.say("abbrechen").state.values["v.t"].value == "abbrechen"
    options = TOWN[:-1] + ", options: [Stopp, Bern]}"
    assert after(flow(town=options), "stopp").state.values["quiz/result.town"].value == "Stopp"


# a person ------------------------------------------------------------------------------------------

WISH = "talk to a person"


def test_a_scope_from_which_no_person_is_reached_says_so_and_asks_again() -> None:
    turn = after(flow(), WISH)
    assert turn.text == "I cannot call a person here.\n\nWhich town?"
    assert [one.reason for one in turn.events if isinstance(one, e.CommandRefused)] == ["no_person"]
    assert not [one for one in turn.events if isinstance(one, e.ArtefactMade)]
    assert after(flow("de"), "ich möchte mit einem Menschen sprechen").text.startswith("Ich kann hier keinen Menschen")
    assert after(flow(), WISH, "Bern").text == "Haus?"


@pytest.mark.parametrize(
    "machine",
    [
        flow(more="hand_over, "),
        flow(form=", handoff: desk"),
        flow(inside=', transitions: [{at: after, when: form.status == "handed_off", end: passed}]'),
        flow(around=', transitions: [{at: before, when: scope.outcome == "handed_off", to: chat}]'),
    ],
    ids=["command", "handoff", "status", "outcome"],
)
def test_where_the_flow_says_what_follows_the_form_is_handed_over(machine: tw.Machine) -> None:
    turn = after(machine, WISH)
    assert [one.kind for one in turn.events if isinstance(one, e.ArtefactMade)][-1] == "HANDOFF"


def test_a_ladder_that_ends_with_a_person_still_hands_over() -> None:
    town = TOWN[:-1] + ", options: [Bern, Rome], rephrase: [Bern or Rome?], then: hand_over}"
    turn = after(flow(town=town), "x", "y")
    assert [one.outcome for one in turn.events if isinstance(one, e.ScopeClosed)] == ["handed_off"]


def test_outside_of_scopes_the_program_learns_the_wish() -> None:
    machine = link(
        flow_of(
            "flow: a\nstart: b\nrecords: {v: {t: string}}\nnodes: {b: {form: {fields: [{field: v.t, ask: Which?}]}}}"
        )
    )
    with tw.open_sync(machine) as app:
        chat = app.chat("ada")
        chat.start()
        assert chat.say(WISH).outcome == "handed_off"
