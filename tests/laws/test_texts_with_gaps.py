"""Law 3.9a: gaps of texts as warnings, texts that require a value, and what why and the checker say of both."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import turnwise as tw
from support.chats import flow_of, problems_of
from support.opened import close_all, opened
from turnwise.core.state import events as e

BYE = """
flow: bye
start: ask
records: {user: {name: string, city: string, pin: {type: string, secret: true}}}
nodes:
  ask: {prompt: Ask., collect: [user.name, user.city, user.pin], transitions: [{at: before, when: message.text == "bye", to: bye}]}
  bye: {say: "Goodbye, {{ user.name }} of {{ user.city HOW}}.", end: bye}
"""


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_all()


def warned(turn: tw.Turn) -> list[e.Warned]:
    return [event for event in turn.events if isinstance(event, e.Warned)]


@pytest.mark.law("3.9a")
def test_a_gap_is_a_warning_with_node_placeholder_place_and_field_which_why_reports() -> None:
    chat = opened(flow_of(BYE.replace("HOW", "")))
    turn = chat.say("bye")
    assert turn.text == "Goodbye,  of ."
    first, second = warned(turn)
    assert (first.code, first.fields, second.fields) == ("text_gap", ("user.name",), ("user.city",))
    assert second.message == "the text of 'bye' has a gap: {{ user.city }} has no value"
    answer = chat.why("turn 1")
    found = [fact for fact in answer.facts if fact.kind == "text_gap"]
    assert [fact.text for fact in found] == [first.message, second.message]
    assert [cause.kind for cause in found[0].causes] == ["value_missing", "message_received"]
    assert second.message in str(answer)


@pytest.mark.law("3.9a")
def test_a_required_value_refuses_the_text_with_its_field_and_its_place() -> None:
    chat = opened(flow_of(BYE.replace("HOW", "| required ")))
    turn = chat.say("bye")
    assert [one.kind for one in turn.said] == ["failed"]
    (fault,) = [event.fault for event in turn.events if isinstance(event, e.Faulted)]
    assert (fault.kind, fault.subject, fault.at) == ("text", "user.city", "flow.yaml:7")
    assert fault.message == "{{ user.city }} has no value, and the text of 'bye' requires it"
    answer = chat.why("turn 1")
    refused = answer.fact("text_refused")
    assert refused is not None
    assert refused.causes[0].kind == "value_missing"
    said = str(answer)
    assert "a text was not said: {{ user.city }} has no value, and the text of 'bye' requires it (flow.yaml:7)" in said


@pytest.mark.law("3.9a")
def test_gaps_of_a_prompt_are_warned_of_once_per_turn_and_node() -> None:
    flow = flow_of(
        """
        flow: talk
        start: talk
        persona: "You know {{ user.name }}."
        records: {user: {name: string}}
        tools: {look: {about: look}}
        nodes: {talk: {prompt: "Talk to {{ user.name }}.", tools: [look], writes: [user.name]}}
        """
    )
    model = tw.ScriptedModel([tw.call("look"), tw.call("look"), "So.", tw.call("look"), "So."])
    chat = opened(flow, model=model, tools={"look": lambda: "x"})
    assert [one.code for one in warned(chat.say("go"))] == ["text_gap", "text_gap"]
    assert [one.code for one in warned(chat.say("go"))] == ["text_gap", "text_gap"]


@pytest.mark.law("3.9a")
def test_a_reply_of_a_form_is_said_as_a_whole_or_not_at_all() -> None:
    flow = flow_of(
        """
        flow: form
        start: ask
        records: {user: {name: string, note: string, city: string}}
        nodes:
          ask:
            form:
              fields: [{field: user.name, ask: Your name?}, {field: user.note, ask: "A note for {{ user.city | required }}?"}]
              acknowledge: Thanks.
            transitions: [{at: error, when: error.kind == "text", to: sorry}]
          sorry: {say: Sorry., end: sorry}
        """
    )
    chat = opened(flow)
    assert chat.say("hi").text.endswith("Your name?")
    turn = chat.say("Ada")
    assert turn.text == "Sorry."
    assert turn.value("user.name") == "Ada"


HOLES = {
    "a format, then required": ("{{ visit.day | date: long | required }}", []),
    "required, then a format": ("{{ visit.day | required | date: long }}", []),
    "twice": (
        "{{ visit.day | required | required }}",
        ["TW038 a value has one format, and is required once such as {{ visit.day | date: long | required }}"],
    ),
    "two formats": (
        "{{ visit.day | date | time }}",
        ["TW038 a value has one format, and is required once such as {{ visit.day | date: long | required }}"],
    ),
    "with an argument": (
        "{{ visit.day | required: yes }}",
        ["TW038 'required' takes nothing behind a colon write {{ visit.day | required }}"],
    ),
    "misspelt": ("{{ visit.day | requird }}", ["TW038 there is no format 'requird' did you mean 'required'?"]),
}


@pytest.mark.parametrize("name", HOLES)
def test_what_stands_behind_the_bars_of_a_hole(name: str) -> None:
    hole, told = HOLES[name]
    text = f'flow: f\nstart: a\nrecords: {{visit: {{day: date}}}}\nnodes: {{a: {{say: "On {hole}.", end: a}}}}\n'
    assert problems_of(text) == told


NOT_SAID = {
    "a label": 'nodes: {a: {form: {fields: [{field: user.size, buttons: {small: "{{ user.name | required }}"}}]}}}',
    "a refusal": 'nodes: {a: {form: {fields: [{field: user.name, refuse: "{{ user.size | required }}"}]}}}',
    "a statement": 'nodes: {a: {form: {fields: [{field: user.name}], statement: "{{ user.name | required }}"}}}',
    "the fallback": 'fallback: "{{ user.name | required }}"\nnodes: {a: {prompt: Talk.}}',
    "what a person is told": 'nodes: {a: {person: {queue: q, about: "{{ user.name | required }}"}}}',
}


@pytest.mark.parametrize("name", NOT_SAID)
def test_a_text_that_cannot_be_left_out_requires_nothing(name: str) -> None:
    text = f"flow: f\nstart: a\nrecords: {{user: {{name: string, size: {{type: choice, options: [small, large]}}}}}}\n{NOT_SAID[name]}\n"
    told = "TW038 'required' is for texts that are said and for prompts: this text cannot be left out take '| required' out"
    assert told in problems_of(text)


def test_a_required_field_that_nothing_fills_is_reported_where_the_text_is_never_said() -> None:
    text = BYE.replace("HOW", "| required ").replace("user.name, user.city, user.pin", "user.name")
    (found,) = [one.message for one in tw.check(flow_of(text)) if one.code == "TW058"]
    assert found == "'user.city' is required here, and nothing fills it, so this text is never said"


@pytest.mark.law("3.9a")
@pytest.mark.parametrize(
    ("hole", "is_said"),
    [
        ("user.name", False),
        ("default(user.name, 'you')", True),
        ("default(user.name, '')", False),
        ("user.tags", False),
        ("user.known", True),
        ("1 / (turns - turns)", False),
    ],
)
def test_a_value_is_required_as_has_reads_it(hole: str, *, is_said: bool) -> None:
    records = "records: {user: {name: string, tags: {type: list, of: string}, known: {type: string, default: x}}}"
    chat = opened(
        flow_of(f'flow: f\nstart: a\n{records}\nnodes: {{a: {{say: "So {{{{ {hole} | required }}}}", end: a}}}}\n')
    )
    assert (chat.say("go").said[0].kind == "say") is is_said
