"""What decisions came to, for people: titles in place of ids, in the languages of the page."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of, scripted_chat, sets
from turnwise.archive.condition_words import CONDITIONS, conditions_of, rule_in_words
from turnwise.archive.decision_words import LANGUAGES, DecisionWording, VerdictWords
from turnwise.core.explain.headline import headline

FLOW = """
flow: f
start: front_desk
records: {user: {name: {type: string, title: full name}, age: {type: integer, title: Age}, terms: boolean, words: {type: list, of: string}, pin: {type: string, secret: true}}}
nodes:
  front_desk:
    prompt: Talk.
    transitions:
      - {id: old, at: before, when: user.age >= 38, because: old enough, to: expert_talk}
  expert_talk:
    prompt: Talk.
    transitions:
      - {id: full, at: before, when: size(user.words) >= 2 && has(user.name), to: done}
      - {id: plan, at: before, when: 'message.text.lower().contains("plan") && user.terms', because: a plan, to: front_desk}
      - {id: quiz, at: before, when: 'user.name == "Ada"', because: Ada learns, call: quiz}
      - {id: locked, at: before, when: 'user.pin == "4711"', because: the pin is right, to: done}
  quiz: {scope: {start: ask, nodes: {ask: {say: Well?}}}}
  done: {say: Done., end: completed}
"""


def said(chat: Any, number: int = 0, **values: Any) -> dict[str, VerdictWords]:
    turn = chat.commands(sets(**values))
    decision = turn.decisions[number]
    return DecisionWording(turn.machine, turn.state, decision, headline(decision)).words()


CASES: list[tuple[dict[str, Any], str, str, str, str]] = [
    ({"user__name": "Eva"}, "Stayed: needs Age", "With that it would go to Expert talk: old enough", "Geblieben: nötig ist Age", "Damit ginge es zu Expert talk: old enough"),
    ({"user__age": 35}, "Stayed: needs Age ≥ 38 (is 35)", "With that it would go to Expert talk: old enough", "Geblieben: nötig ist Age ≥ 38 (ist 35)", "Damit ginge es zu Expert talk: old enough"),
    ({"user__age": 40}, "Moved to Expert talk", "Old enough", "Weiter zu Expert talk", "Old enough"),
]  # fmt: skip


@pytest.mark.parametrize(("values", "headline_en", "reason_en", "headline_de", "reason_de"), CASES)
def test_a_decision_is_said_with_titles_and_values(
    values: dict[str, Any], headline_en: str, reason_en: str, headline_de: str, reason_de: str
) -> None:
    with scripted_chat(FLOW) as chat:
        chat.start()
        words = said(chat, **values)
    assert words == {"en": VerdictWords(headline_en, reason_en), "de": VerdictWords(headline_de, reason_de)}
    assert tuple(words) == LANGUAGES


def test_conditions_without_a_field_have_words_and_no_secret_is_said() -> None:
    with scripted_chat(FLOW) as chat:
        chat.start()
        chat.commands(sets(user__age=40))
        one = said(chat, user__words=["a"], user__pin="1234")
        assert "number of" in one["en"].headline or "Full name" in one["en"].headline.title(), one
        assert "4711" not in str(one) and "1234" not in str(one)
        opened = said(chat, user__name="Ada")
    assert opened["en"] == VerdictWords("Opened Quiz", "Ada learns")
    assert opened["de"].headline == "Quiz begonnen"


RULES = {
    "user.age >= 38": ("Age ≥ 38", "Age ≥ 38"),
    "size(user.words) >= 2 && !has(user.name)": (
        "number of words ≥ 2 and full name is not known",
        "Anzahl von words ≥ 2 und full name ist nicht bekannt",
    ),
    'message.text.lower().contains("plan")': ("“plan” in the message", "„plan“ in der Nachricht"),
    'message.text.matches("^no")': ("the pattern “^no” in the message", "das Muster „^no“ in der Nachricht"),
    'user.name.contains("A")': ("“A” in full name", "„A“ in full name"),
    "turns > 7": ("turns in this step > 7", "Runden in diesem Schritt > 7"),
    'tools.used("web_search")': ("“web search” was used", "„web search“ wurde benutzt"),
    '!tools.used("web_search", within: 3)': (
        "“web search” was not among the last 3 tools",
        "„web search“ war nicht unter den letzten 3 Werkzeugen",
    ),
    'tools.count("web_search") > 2': ("number of uses of “web search” > 2", "Anzahl der Aufrufe von „web search“ > 2"),
    'tools.ended_with(["think", "save"])': (
        "the last tools were think, save",
        "die letzten Werkzeuge waren think, save",
    ),
    'tools.last == "think"': ("the tool that was used last = think", "das zuletzt benutzte Werkzeug = think"),
    "message.text": ("the message", "die Nachricht"),
    'scope.outcome == "done"': ("how the inner conversation ended = done", "Ausgang des inneren Gesprächs = done"),
    "a name of a Python guard": ("a name of a Python guard", "a name of a Python guard"),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_condition_of_a_flow_has_words_without_a_conversation(rule: str) -> None:
    machine = tw.open(flow_of(FLOW)).machine
    words = [
        rule_in_words(machine, None, "expert_talk", rule, CONDITIONS[one], shows_now=False) for one in ("en", "de")
    ]
    assert tuple(words) == RULES[rule]


def test_the_conditions_of_a_decision_have_words_by_how_the_record_has_them() -> None:
    with scripted_chat(FLOW) as chat:
        chat.start()
        turn = chat.commands(sets(user__age=35))
    assert conditions_of(turn.machine, turn.decisions[0], CONDITIONS["en"]) == {
        "user.age >= 38": "Age ≥ 38",
        "user.age": "Age",
    }
