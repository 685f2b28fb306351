"""Why a scope was offered, what became of that, and why an offer waits or is not made."""

from __future__ import annotations

from support.chats import flow_of, scripted_chat

FLOW = """
flow: tutor
start: talk
commands: [cancel]
records: {feedback: {mood: {type: choice, options: [good, bad]}}, u: {name: string, topic: string}}
nodes:
  talk:
    say: Hello.
    offer: {scope: survey, opener: "Do you have a minute?"}
    collect: [u.topic]
    transitions:
      - {id: ask, at: before, when: 'message.text == "form"', to: ask}
      - {id: late, at: before, when: 'message.text == "late"', to: late}
  ask:
    form: {fields: [{field: u.name, ask: Your name?}]}
    offer: {scope: survey, opener: "Now?"}
    transitions: [{to: talk}]
  late:
    say: Late.
    offer: {scope: quiz, opener: "About {{ u.topic }}?", with: {topic: u.topic}}
    transitions: [{at: before, when: u.topic == "x", to: talk}]
  survey:
    title: feedback
    scope: {returns: feedback}
    form: {fields: [{field: feedback.mood, ask: How was it?}]}
  quiz: {scope: {input: {topic: string}, start: one, nodes: {one: {prompt: Ask.}}}}
"""


def texts(*said: str, about: str = "survey") -> list[str]:
    with scripted_chat(flow_of(FLOW)) as chat:
        for text in said:
            chat.say(text)
        return [fact.text for fact in chat.why(about).facts]


def test_an_open_offer() -> None:
    found = texts("hello")
    assert found[0] == (
        "survey was never opened: the offer of the scope survey by the node talk is the open question: yes opens it,"
        " no declines it"
    )
    with scripted_chat(flow_of(FLOW)) as chat:
        chat.say("hello")
        (never,) = [fact for fact in chat.why("survey").facts if fact.kind == "scope_never_opened"]
        made = [cause.text for cause in never.causes if cause.kind == "offered"]
        assert made == ["the node talk proposed the scope survey: “Do you have a minute?”"]


def test_an_offer_that_was_declined() -> None:
    found = texts("hello", "no thanks")
    assert "the offer of the scope survey was declined" in found[0]
    assert "was passed over: the user may still begin it, as “feedback”" in found[0]


def test_an_offer_that_lapsed() -> None:
    found = texts("hello", "what is a verb?")
    assert "the offer of the scope survey lapsed, because the user spoke of something else" in found[0]


def test_an_offer_that_was_taken() -> None:
    found = texts("hello", "sure")
    assert found[0].startswith("survey is open since turn 2, opened by an offer that the user took")
    with scripted_chat(flow_of(FLOW)) as chat:
        for text in ("hello", "sure"):
            chat.say(text)
        (opened,) = [one for one in chat.why("survey").facts[0].causes if one.kind == "scope_opened"]
        assert [cause.kind for cause in opened.causes] == ["offer_closed"]
        assert opened.causes[0].text == "the offer of the scope survey was taken"


def test_an_offer_that_waits_says_for_what() -> None:
    found = texts("form")
    assert "the offer of the scope survey by the node ask waits, because a form asks or confirms" in found[0]


def test_an_offer_that_lacks_its_input() -> None:
    found = texts("late", about="quiz")
    assert found[0] == (
        "quiz was never opened: the offer of the scope quiz is not made at late: the scope 'quiz' needs the input"
        " 'topic', which has no value"
    )


def test_a_scope_that_was_closed_names_its_next_offer() -> None:
    found = texts("hello", "sure", "good", "form")
    assert found[0].startswith("survey is not open: it was opened in turn 2 and closed in turn 3 as completed")
    assert any("by the node ask waits" in one for one in found)
    with scripted_chat(flow_of(FLOW)) as chat:
        for text in ("hello", "sure", "good", "form"):
            chat.say(text)
        assert [one.kind for one in chat.why("survey").facts].count("offer_stands") == 1


def test_where_no_offer_was_made_the_nodes_that_offer_it_are_named() -> None:
    found = texts("hello", about="quiz")
    assert found[0] == "quiz was never opened: the user, where late offers it could open it"


def test_the_question_that_is_open() -> None:
    assert texts("hello", about="question")[0] == (
        "the offer of the scope survey by the node talk is the open question: yes opens it, no declines it"
    )


def test_a_turn_names_its_offers() -> None:
    with scripted_chat(flow_of(FLOW)) as chat:
        chat.say("hello")
        chat.say("what is a verb?")
        asked = [fact.text for fact in chat.why("turn 1").facts if fact.kind in ("offered", "question_asked")]
        assert "the user was asked whether to begin survey" in asked
        closed = [fact for fact in chat.why("turn 2").facts if fact.kind == "offer_closed"]
        assert [one.text for one in closed] == [
            "the offer of the scope survey lapsed, because the user spoke of something else"
        ]


def line(*said: str, about: str) -> str:
    with scripted_chat(flow_of(FLOW)) as chat:
        for text in said:
            chat.say(text)
        return chat.why(about).line


def test_the_line_of_a_turn_says_what_became_of_the_offer() -> None:
    assert line("hello", "no thanks", about="turn 2") == "the offer of the scope survey was declined"
    assert line("hello", "sure", about="turn 2") == "the offer of the scope survey was taken"
    assert "lapsed" not in line("hello", "what is a verb?", about="turn 2")


def test_after_the_end_it_is_still_said_who_could_have_opened_the_scope() -> None:
    with scripted_chat(
        flow_of(
            FLOW.replace(
                "to: late}", "to: late}\n      - {at: before, when: 'message.text == \"bye\"', to: bye}"
            ).replace("  ask:\n", "  bye: {say: Bye., end: over}\n  ask:\n", 1)
        )
    ) as chat:
        chat.say("hello")
        chat.say("bye")
        assert (
            chat.why("survey").line == "survey was never opened: the user, where talk and ask offers it could open it"
        )
