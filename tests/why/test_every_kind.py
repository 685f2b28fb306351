"""Every kind of fact is in an answer that some test asks for: here those that no other table names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

import turnwise as tw
from support.chats import flow_of
from support.why_cases import Talk, every
from turnwise.core.state import commands as c
from turnwise.models.scripted import ScriptedModel, call
from turnwise.why.kinds import FactKind

EXAMPLES = Path("examples")
CASE = (EXAMPLES / "eligibility/eligibility.flow.yaml").read_text("utf-8")
HEALTH = (EXAMPLES / "health_intake/health_intake.flow.yaml").read_text("utf-8")
CALL_BACK = (EXAMPLES / "health_intake/call_back.flow.yaml").read_text("utf-8")
MACHINE = (EXAMPLES / "context_machine/context_machine.flow.yaml").read_text("utf-8")
CHAIN = (EXAMPLES / "context_machine/write_and_read.flow.yaml").read_text("utf-8")
ODD = """
flow: odd
version: 1
start: ask
language: en
records:
  u: {a: {type: string}, n: {type: integer}, b: {type: string}, c: {type: string}, tags: {type: list, of: string}, sum: integer}
tools: {look: {about: looks, args: {}}, pay: {about: pays, args: {}}}
nodes:
  ask:
    form:
      fields:
        - {field: u.a, ask: "A?"}
        - {field: u.n, ask: "N?", validate: "u.n > 3"}
        - {field: u.b, ask: "B?", ask_when: u.n > 5}
        - {field: u.c, ask: "C?"}
    tools: {sequence: [look, pay]}
    transitions:
      - {id: go, at: before, when: 'u.tags.exists(t, t == u.b)', to: rest}
      - {id: sum, at: before, when: 'u.a == "sum"', set: {u.sum: 'size(u.b)'}, to: rest}
      - {id: broken, at: before, when: '1 / (u.n - 4) > 1', to: rest}
      - {id: remind, at: timer, in: 10m, when: u.n > 99, to: rest}
  rest: {say: "Rest.", transitions: [{id: back, at: before, when: u.n > 99, to: ask}]}
  far: {form: {fields: [{field: u.sum, ask: "Sum?"}]}}
"""

RESTS = """
flow: rests
version: 1
start: ask
language: en
records: {u: {a: {type: string}, k: {type: integer, max: 99}, z: {type: integer}, m: {type: integer, validate: "!has(u.k) || u.m > u.k"}}}
nodes:
  ask:
    form: {fields: [{field: u.m, ask: "M?", required: false}, {field: u.a, ask: "A?"}], confirm: {}, handoff: crm}
    transitions: [{id: on, at: after, when: 'form.status in ["confirmed", "handed_off"]', set: {u.k: u.z}, to: rest}]
  rest: {say: "Rest.", transitions: [{id: back, at: before, when: u.k > 9, to: ask}]}
"""


PIZZAS = """
flow: pizzeria
start: order
records: {pizza: {size: {type: choice, options: [Small, Large]}}, order: {items: {type: list, of: pizza}}}
nodes: {order: {form: {fields: [{field: order.items, more: Anything else?}]}}}
"""


def look() -> int:
    return 1


def pay() -> int:
    return 2


def sent(**values: Any) -> Callable[[tw.SyncChat], object]:
    """A step in which the program sets fields."""
    commands = [c.Set(field=name.replace("__", "."), value=value) for name, value in values.items()]
    return lambda chat: chat.commands(commands)


def used(chat: tw.SyncChat) -> object:
    return chat.tool_used("look", result=1)


def undo(chat: tw.SyncChat) -> object:
    return chat.undo()


def handed(chat: tw.SyncChat) -> object:
    return chat.commands([c.HandOver()])


Step = Callable[[tw.SyncChat], object] | str
ASKED: list[tuple[FactKind, str, tuple[Step, ...], str]] = [
    ("conversation_started", CASE, (), "node intake"),
    ("node_not_in_charge", CASE, ("Yes", "Yes", "Referral"), "node intake"),
    ("transition_not_judged", CASE, ("Yes",), "transition done"),
    ("transition_was_taken", CASE, ("Yes", "Yes", "Referral", undo), "transition expert"),
    ("field_collected", HEALTH, ("hello",), "field user.gender"),
    ("form_none", HEALTH, ("hello",), "the form"),
    ("form_progress", CASE, ("Yes",), "form intake"),
    ("form_unconfirmed", ODD, ("x",), "form ask"),
    ("form_not_reached", ODD, ("x",), "field u.sum"),
    ("form_ended", CALL_BACK.replace("cancelled", "handed_off"), ("a rash", handed), "form questions"),
    ("nobody_came", CALL_BACK, ("a rash", "0151 234567", lambda chat: chat.fire("person timeout")), "the person"),
    ("commands_received", ODD, (sent(u__n=5),), "field u.n"),
    ("value_missing", HEALTH, ("I am Carla, 30", "sorry, I am 48"), "transition corrected"),
    ("form_progressed", ODD, ("x",), "form ask"),
    ("text_said", ODD, ("sum",), "node rest"),
    ("nothing_set", ODD, ("sum",), "field u.sum"),
    ("item_unknown", ODD, (sent(u__tags=["x", "y"]),), "transition go"),
    ("guard_failed", ODD, (sent(u__n=4),), "transition broken"),
    ("answer_elsewhere", CASE, ("Yes", "it is for billing"), "field case.insurance_history"),
    ("question_more", PIZZAS, ("large",), "field order.items"),
    (
        "item_unclear",
        PIZZAS.replace("{field: order.items,", "{field: order.items, items: [{field: size, ask: Which?}],"),
        ("a small one and a large one and another small one", "remove the small one"),
        "question",
    ),
    ("question_applies", ODD, ("x", "7", "bee", sent(u__n=4), sent(u__n=7)), "field u.b"),
    ("words_not_taken", CASE, ("Yes", "No", "treatment, and tell me if it fails"), "field case.on_failure"),
    ("tool_used_by_host", ODD, (used,), "tool look"),
    ("sequence_advanced", ODD, (used,), "tool look"),
    ("limit_stands", ODD, (), "limit lists"),
    ("budget_undeclared", ODD, (), "limit.tokens"),
    ("delivery_none", ODD, (), "delivery"),
    ("call_unknown", ODD, (), "call 1-1-1"),
    ("field_without_form", ODD, (), "field u.tags"),
    ("undo_asked", CASE, ("Yes", undo), "3"),
    ("timer_late", ODD, ("sum", lambda chat: chat.fire("remind")), "timer remind"),
    ("form_confirmed", RESTS.replace(", handoff: crm", ""), (sent(u__z=5000), "x", "skip", "yes"), "form ask"),
    ("form_handed_over", RESTS, (sent(u__z=5000), handed), "form ask"),
    ("validator_failed", RESTS, (sent(u__m=5), sent(u__k=9)), "field u.m"),
]
PLANNED: list[tuple[FactKind, str, list[Any], str]] = [
    ("flow_continued", CHAIN, [call("write_config", value="hello world"), "Done.", "Read."], "turn 2"),
    ("call_answered", MACHINE, [call("write_config", result="done"), "Done."], "tool write_config"),
]


@pytest.mark.parametrize(("kind", "flow", "steps", "question"), ASKED, ids=[kind for kind, *_ in ASKED])
def test_a_kind_is_in_an_answer(kind: FactKind, flow: str, steps: tuple[Step, ...], question: str) -> None:
    talk = Talk(flow, [], tools=[look, pay] if flow == ODD else [], model=ScriptedModel(["Fine."] * 9))
    talk.chat.start()
    answer = talk.did(*steps).chat.why(question)
    assert kind in {fact.kind for fact in every(answer)}, [fact.text for fact in every(answer)]


@pytest.mark.parametrize(("kind", "flow", "plan", "question"), PLANNED, ids=[kind for kind, *_ in PLANNED])
def test_a_kind_of_an_autonomous_flow_is_in_an_answer(
    kind: FactKind, flow: str, plan: list[Any], question: str
) -> None:
    talk = Talk(flow, model=ScriptedModel(plan))
    talk.chat.run()
    answer = talk.chat.why(question)
    assert kind in {fact.kind for fact in every(answer)}, [fact.text for fact in every(answer)]


CUT = """
flow: cut
start: a
tools: {send: {about: sends, kind: effect, on_crash: again}}
nodes: {a: {tool: {name: send}, transitions: [{id: on, at: after, to: b}]}, b: {prompt: Talk.}}
"""


def test_a_turn_that_was_cut_off_says_so_and_what_ran_again(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'cut.db'}"

    async def cut() -> None:
        begun, never = asyncio.Event(), asyncio.Event()

        async def send() -> str:
            begun.set()
            await never.wait()
            return "sent"

        app = tw.open(flow_of(CUT), store=address, tools=[send], model=ScriptedModel(["Hi."]))
        caller = asyncio.create_task(app.chat("x").say("hello"))
        await begun.wait()
        await app.runtime.store.close()  # the process ends here
        caller.cancel()
        await asyncio.gather(caller, return_exceptions=True)

    def send() -> str:
        return "sent"

    asyncio.run(cut())
    with tw.open_sync(flow_of(CUT), store=address, tools=[send], model=ScriptedModel(["Hi."] * 3)) as app:
        app.drain()
    with tw.open_sync(flow_of(CUT), store=address, tools=[send], model=ScriptedModel(["Hi."] * 3)) as app:
        chat = app.chat("x")
        kinds = {fact.kind for fact in every(chat.why("turn 1"))}
        assert {"turn_recovered", "call_made_again"} <= kinds
        assert "call_made_again" in {fact.kind for fact in every(chat.why("tool send"))}


def test_results_that_no_caller_received_are_said() -> None:
    async def work() -> set[str]:
        begun, goes_on = asyncio.Event(), asyncio.Event()

        async def send() -> str:
            begun.set()
            await goes_on.wait()
            return "sent"

        async with tw.open(flow_of(CUT), tools=[send], model=ScriptedModel(["Hi."] * 3)) as app:
            caller = asyncio.create_task(app.chat("x").say("hello"))
            await begun.wait()
            caller.cancel()
            await asyncio.gather(caller, return_exceptions=True)
            goes_on.set()
            await app.drain()
            return {fact.kind for fact in every(await app.chat("x").why("1"))}

    assert "caller_left" in asyncio.run(work())


TALKS = """
flow: talks
start: a
tools: {look: {about: looks, args: {}}, pay: {about: pays, args: {}}}
nodes: {a: {prompt: Talk., tools: {allow: [look, pay]}}}
"""


def test_a_tool_that_is_given_up_or_only_offered_says_so() -> None:
    plan = [*[call("look", wrong=1)] * 3, "Well."]
    talk = Talk(TALKS, tools=[look, pay], model=ScriptedModel(plan)).did("hello")
    assert "tool_given_up" in {fact.kind for fact in every(talk.chat.why("tool look"))}
    talk = Talk(TALKS, tools=[look, pay], model=ScriptedModel(["Well."])).did(used)
    assert "tool_offered" in {fact.kind for fact in every(talk.chat.why("tool pay"))}


def test_comparisons_and_ways_have_every_kind() -> None:
    one = Talk(CASE)
    chats = {name: one.app.chat(name) for name in ("a", "b", "c")}
    for name, texts in {"a": ("Yes", "Yes", "Referral"), "b": ("Yes", "No"), "c": ("Yes", "Yes")}.items():
        chats[name].start()
        for text in texts:
            chats[name].say(text)
    found = {fact.kind for fact in (*every(chats["a"].compare("b")), *every(chats["b"].compare("c")))}
    assert {"ways_part", "same_moves", "values_differ"} <= found
    assert chats["a"].ways_to("handed_over").facts[0].kind == "no_way"
    assert "happened_at" in [fact.kind for fact in chats["a"].why("field case.purpose").facts]


def test_every_kind_is_asked_for() -> None:
    text = "\n".join(path.read_text("utf-8") for path in Path(__file__).parents[1].rglob("test_*.py"))
    kinds: set[FactKind] = {*get_args(FactKind)}
    assert not [kind for kind in kinds if f'"{kind}"' not in text and f'"{kind}:' not in text]
