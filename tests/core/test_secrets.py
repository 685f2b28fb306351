"""A secret is told nowhere but in the store: no text, artefact, explanation or request of a model has it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import turnwise as tw
from support.chats import problems_of, talk
from support.engines import local
from support.stored import reads_of
from turnwise.core.explain.decision_lines import lines_of_candidate
from turnwise.core.state import commands as c
from turnwise.runner.ports import Store
from turnwise.stores.memory import MemoryStore
from turnwise.why.prompts import Prompt, prompts

FLOW = """
flow: f
start: ask
records:
  u:
    pin: {type: string, secret: true}
    spare: {type: integer, secret: true, default: 7}
    age: integer
    note: string
    kept: {type: string, secret: true}
nodes:
  ask:
    form:
      fields: [{field: u.pin, ask: "PIN?"}, {field: u.age, ask: "Age?", refuse: "{{ u.pin }}?", validate: u.age < 150}]
      statement: "Pin {{ u.pin }}"
      acknowledge: "Got {{ u.pin }}."
      confirm: {}
      handoff: desk
    transitions: [{id: go, at: before, when: GUARD, to: bye}]
  bye: {say: "It was {{ u.pin }}."}
"""

HOLES: list[tuple[str, str, bool]] = [
    ("{{ u.pin }}", "[secret]", True),
    ("{{ u.pin + '!' }}", "[secret]", True),
    ("{{ u.pin == '9876' ? 'right' : 'wrong' }}", "[secret]", True),
    ("{{ size(u.pin) }}", "[secret]", True),
    ("{{ u.spare }}", "[secret]", True),
    ("{{ u.kept }}", "", True),
    ("{{ has(u.pin) ? 'given' : 'open' }}", "given", False),
    ("{{ u.age }}", "40", False),
]
"""What stands in a text, what is said, and whether `check` warns."""


@pytest.mark.law("5.2")
@pytest.mark.parametrize(("hole", "said", "warns"), HOLES)
def test_a_text_says_that_there_is_a_secret_and_not_which(hole: str, said: str, *, warns: bool) -> None:
    flow = (
        "flow: f\nstart: a\nrecords: {u: {pin: {type: string, secret: true}, spare: {type: integer, secret: true,"
        " default: 7}, age: integer, kept: {type: string, secret: true}}}\n"
        f'nodes:\n  a: {{prompt: Talk., transitions: [{{at: before, when: has(u.pin), to: b}}]}}\n  b: {{say: "<{hole}>"}}'
    )
    assert any(problem.startswith("TW047") for problem in problems_of(flow)) is warns
    made = talk(flow, model=["Hello."])
    made.chat.start()
    assert made.set(u__age=40, u__pin="9876").text.endswith(f"<{said}>")


WRITES: list[tuple[str, list[str]]] = [
    ("u.note: u.pin", ["TW047 'note' would hold a secret, and is shown to everyone make 'note' secret"]),
    ("u.note: lower(u.pin)", ["TW047 'note' would hold a secret, and is shown to everyone make 'note' secret"]),
    ("u.kept: u.pin", []),
    ('u.note: \'has(u.pin) ? "yes" : "no"\'', []),
]


@pytest.mark.parametrize(("write", "problems"), WRITES)
def test_a_secret_that_is_written_to_an_open_field_is_reported(write: str, problems: list[str]) -> None:
    flow = (
        "flow: f\nstart: a\nrecords: {u: {pin: {type: string, secret: true}, note: string,"
        f" kept: {{type: string, secret: true}}}}}}\nnodes: {{a: {{say: Hi., set: {{{write}}}}}}}\n"
    )
    assert problems_of(flow) == problems


@pytest.mark.law("5.2")
def test_a_secret_stands_in_nothing_that_a_form_makes() -> None:
    made = talk(FLOW.replace("GUARD", "false"), understand=[[c.Set((0, 4), field="u.pin", value="9876")]])
    made.chat.start()
    turns = [made.chat.say("9876"), made.set(u__age=200), made.set(u__age=40), made.chat.choose("confirm")]
    assert "Got [secret]." in turns[0].text
    assert "[secret]?" in turns[1].text
    assert {artefact.kind for turn in turns for artefact in turn.artefacts} >= {"DRAFT_PLAN", "HANDOFF"}
    for turn in turns:
        assert "9876" not in f"{turn.text} {turn.artefacts} {turn.form} {turn.buttons} {turn.decisions}"


@pytest.mark.law("5.2")
def test_a_model_reads_no_secret_in_what_was_said() -> None:
    made = talk(
        "flow: f\nstart: a\nrecords: {u: {pin: {type: string, secret: true}, code: {type: string, secret: true}}}\n"
        "nodes: {a: {prompt: 'Talk of {{ u.pin }}.', collect: [u]}}",
        understand=[[c.Set((3, 7), field="u.pin", value="9876"), c.Set((12, 16), field="u.code", value="abcd")], []],
        model=["Hello.", "Thanks.", "Well."],
    )
    made.chat.start()
    made.chat.say("my 9876 and abcd")
    made.chat.say("so?")
    request = made.model.calls[2]
    assert [line.text for line in request.transcript if line.role == "user"] == ["my [secret] and [secret]", "so?"]
    assert request.instructions == ("Talk of [secret].",)


REPEATED = """
flow: f
start: a
records: {u: {pin: {type: string, secret: true}, pins: {type: list, of: string, secret: true}, age: integer}}
nodes: {a: {prompt: Talk., collect: [u.age]}}
"""


@pytest.mark.law("5.2")
def test_a_model_reads_no_former_secret_that_somebody_repeats() -> None:
    def repeated(store: Store) -> tuple[list[str], tuple[Prompt, ...]]:
        made = talk(REPEATED, understand=[[]] * 2, model=["Hello."] * 9, store=store)
        made.set(u__pin="9876")
        made.set(u__pin="5555", u__pins=["abcd", "efgh"])
        made.chat.commands([c.Clear(field="u.pin"), c.Clear(field="u.pins")])
        made.chat.take_over("Lena")
        made.chat.operator_say("It was 9876, then 5555, and abcd.")
        made.chat.give_back()
        turn = made.chat.say("and my pin 9876? my EFGH?")
        archive = made.chat.app.runtime.archive
        proved = asyncio.run(prompts(archive.store, archive.machines, turn))
        again = talk(REPEATED, understand=[[]], model=["Hello."], store=store)
        again.chat.say("so?")
        calls = [made.model.calls[-1], again.model.calls[-1]]
        assert asyncio.run(store.forget("main"))
        return [line.text for call in calls for line in call.transcript if line.text != "Hello."], proved

    store = MemoryStore()
    for _ in range(2):
        texts, proved = repeated(store)
        said = ["[Lena, a person:] It was [secret], then [secret], and [secret].", "and my pin [secret]? my [secret]?"]
        assert texts == [*said, *said, "so?"]
        assert [one.is_proved for one in proved] == [True]


@pytest.mark.law("5.2")
def test_a_conversation_that_begins_anew_under_its_name_has_its_own_secrets() -> None:
    begins_late = REPEATED.replace("start: a", "start: b").replace(
        "nodes: {", "nodes: {b: {say: Hello., transitions: [{at: before, when: u.age == 1, to: a}]}, "
    )
    made = talk(begins_late, understand=[[]] * 9, model=["Hello."] * 9)
    made.set(u__age=1)
    for _ in range(2):
        made.chat.say("well?")
    assert len(made.model.calls) == 3
    assert asyncio.run(made.store.forget("main"))
    local(made.chat.app).turns.states.clear()
    made.set(u__pin="1234")
    made.chat.commands([c.Clear(field="u.pin")])
    for age in (2, 3, 4, 5):
        made.set(u__age=age)
    assert len(made.model.calls) == 3, "the model is first called when all secrets were given"
    made.set(u__age=1)
    made.chat.say("it was 1234")
    assert made.model.calls[-1].transcript[-1].text == "it was [secret]"


def test_a_turn_of_a_flow_with_secrets_reads_no_earlier_entries_again() -> None:
    store = MemoryStore()
    reads = reads_of(store)
    made = talk(REPEATED, understand=[[]] * 9, model=["Hello."] * 9, store=store)
    made.set(u__pin="9876")
    made.chat.commands([c.Clear(field="u.pin")])
    reads.clear()
    made.chat.say("it was 9876")
    assert made.model.calls[-1].transcript[-1].text == "it was [secret]"
    assert reads == []


NEEDS: list[tuple[str, dict[str, Any], list[str]]] = [
    ('u.pin == "1234" && u.age > 4', {"u.pin": "9876", "u.age": 40}, ["u.pin to be another value"]),
    ('u.pin == "1234" && u.age > 4', {"u.pin": "9876"}, ["u.pin to be another value and u.age > 4"]),
    ('u.pin == "1234"', {}, ["u.pin to have a value"]),
    ("!has(u.pin) && has(u.age)", {"u.pin": "9876", "u.age": 3}, ["u.pin to have no value"]),
    ('u.pin.matches("^1234$")', {"u.pin": "9876"}, ["u.pin.matches([secret])"]),
    ('!u.pin.matches("^9[0-9]+$")', {"u.pin": "9876"}, ["u.pin to be another value"]),
    ("u.age == u.spare + 1234", {"u.age": 3}, ["u.age == u.spare + [secret]"]),  # an age of 150 is refused
    ('u.pin == "1234" || u.age > 4', {"u.pin": "9876", "u.age": 3}, []),
]


@pytest.mark.law("5.2")
@pytest.mark.parametrize(("guard", "values", "words"), NEEDS)
def test_what_would_be_needed_tells_no_value_of_a_secret(guard: str, values: dict[str, Any], words: list[str]) -> None:
    made = talk(FLOW.replace("GUARD", f"'{guard}'"))
    made.chat.start()
    turn = made.set(**{name.replace(".", "__"): value for name, value in {"u.note": "-", **values}.items()})
    (decision, *_) = turn.decisions
    (considered,) = decision.candidates
    assert considered.in_words == tuple(words)
    assert not [need for needed in considered.needs for need in needed if need.field != "u.age"]
    shown = "\n".join(line.text + line.aside for line in lines_of_candidate(considered))
    assert not any(told in f"{shown} {decision.line} {turn.decisions}" for told in ("1234", "9876", "1241"))
    assert ("would need: " + words[0] if words else "would hold with: u.age = 5") in shown


def test_a_condition_on_a_secret_is_told_without_its_constants() -> None:
    guard = (
        'has(u.age) && (u.pin == "" || u.pin in ["12\\"34", "b"] || size(u.pin) > 1e3 || u.pin != null && u.age > 4)'
    )
    made = talk(FLOW.replace("GUARD", f"'{guard}'"))
    made.chat.start()
    (considered,) = made.set(u__pin="9876", u__age=3).decisions[0].candidates
    text = "\n".join(line.text + line.aside for line in lines_of_candidate(considered))
    for leaf in ('u.pin == "" ', "u.pin in [[secret], [secret]] ", "size(u.pin) > [secret] ", "u.pin != null ", "> 4 "):
        assert leaf in text


def test_one_verdict_of_a_guard_has_no_secrets_to_keep() -> None:
    assert tw.judge('u.pin == "1234"', {"u": {"pin": "9876"}}).needs[0][0].value == "1234"


@pytest.mark.law("5.2")
def test_what_is_computed_from_a_secret_is_a_secret() -> None:
    made = talk(
        """
        flow: f
        start: a
        records:
          u:
            name: string
            far: {type: string, value: u.near + "."}
            near: {type: string, value: u.name + " " + u.pin}
            pin: {type: string, secret: true}
            known: {type: boolean, value: has(u.pin)}
        nodes:
          a:
            prompt: "Talk of {{ u.near }}, {{ u.far }}, {{ u.known }}."
            transitions: [{id: go, when: u.far.startsWith("Zoe"), to: b}]
          b: {say: "<{{ u.far }}>", end: done}
        """,
        model=["Your name is Zoe 9876.", "Zoe 9876!"],
    )
    fields = made.chat.start().machine.fields
    assert {address for address, field in fields.items() if field.secret} == {"u.pin", "u.near", "u.far"}
    turn = made.set(u__name="Zoe", u__pin="9876")
    assert turn.text.endswith("<[secret]>")
    assert made.model.calls[-1].instructions == ("Talk of [secret], [secret], Yes.",)
    assert "9876" not in str(turn.decisions)
    assert (turn.value("u.far"), turn.node) == ("Zoe 9876.", "b")


def test_a_computed_secret_needs_no_warning() -> None:
    flow = (
        "flow: f\nstart: a\nrecords: {u: {pin: {type: string, secret: true}, near: {type: string, value: u.pin}}}\n"
        "nodes: {a: {say: Hi., end: done}}\n"
    )
    assert problems_of(flow) == []
