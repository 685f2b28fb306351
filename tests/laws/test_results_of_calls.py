"""Law 4.3a: results of calls in records: their origin, what is refused, secrets, crashes, and what is checked before."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import pytest

import turnwise as tw
from support.chats import flow_of, problems_of
from support.opened import close_all, opened
from support.tools import Stage, facts, made, uses
from turnwise.authoring.python_text import write_python
from turnwise.core.state import events as e
from turnwise.core.state.effects import RunTool
from turnwise.core.state.fold import fold_all
from turnwise.core.step import resume, step
from turnwise.core.turn import Refusal, Step

SHOP = """
flow: shop
start: ask
records: {offer: {price: {type: number, max: 100}, tags: {type: list, of: string}, pin: {type: string, secret: true}}}
tools: {look: {about: look, args: {q: string}, into: offer}}
nodes:
  ask: {prompt: Talk., tools: [look], transitions: [{id: cheap, at: tool, when: offer.price < 10, to: deal}]}
  deal: {say: "A deal for {{ offer.price }}.", end: deal}
"""


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_all()


def stage(*results: Any, flow: str = SHOP) -> Stage:
    given = iter(results)
    return Stage(
        flow, [uses(*[made("look", q=str(n)) for n in range(len(results))]), "So."], {"look": lambda **_: next(given)}
    )


@pytest.mark.law("4.3a")
def test_a_value_from_a_call_has_its_tool_call_and_turn_as_origin_and_decides_in_the_same_step() -> None:
    desk = stage({"price": 5})
    turn = desk.say("go")
    assert turn.text == "A deal for 5."
    (stored,) = facts(turn, e.FieldSet)
    assert (stored.field, stored.value, stored.how) == ("offer.price", 5, "tool")
    names = [type(event) for event in turn.events]
    assert names.index(e.FieldSet) == names.index(e.ToolReturned) + 1
    answer = desk.why("field offer.price")
    first = answer.facts[0]
    assert first.text == "offer.price was set to 5, by the tool look"
    (returned,) = first.causes
    assert (returned.kind, returned.turn) == ("tool_returned", 1)
    assert ("tool", "look") in [(one.kind, one.name) for one in returned.about]
    assert returned.causes[0].text == "look was called with q = 0 by the model"
    assert desk.replay()
    assert desk.rerun().agrees


@pytest.mark.law("4.3a")
def test_a_result_that_does_not_fit_is_a_warning_which_why_reports_and_the_model_has_it() -> None:
    desk = stage({"price": 500, "tags": ["x"]})
    turn = desk.say("go")
    (warned,) = facts(turn, e.Warned)
    assert warned.code == "result_not_stored"
    assert warned.message == "the result of 'look' was not stored in 'offer': offer.price: That is more than 100."
    assert warned.fields == ("offer.price", "offer.tags")
    assert not facts(turn, e.FieldSet)
    assert not facts(turn, e.Faulted)
    assert [one.result for one in desk.transcript() if one.role == "tool"] == [{"price": 500, "tags": ["x"]}]
    for asked in ("field offer.price", "field offer.tags", "turn 1"):
        said = str(desk.why(asked))
        assert "the result of 'look' was not stored in 'offer': offer.price: That is more than 100" in said
        assert 'look returned {"price":500,"tags":["x"]}' in said or asked == "turn 1"


@pytest.mark.law("4.3a")
def test_of_several_calls_the_last_result_that_fits_stays_and_the_journal_has_each() -> None:
    desk = stage({"price": 50}, {"price": 500}, {"price": 60}, {"price": 70})
    turn = desk.say("go")
    assert turn.value("offer.price") == 70
    assert [event.value for event in facts(turn, e.FieldSet)] == [50, 60, 70]
    assert [event.result["price"] for event in facts(turn, e.ToolReturned)] == [50, 500, 60, 70]
    assert [event.code for event in facts(turn, e.Warned)] == ["result_not_stored"]


@pytest.mark.law("4.3a")
def test_calls_that_run_in_parallel_are_stored_in_the_order_of_the_calls() -> None:
    desk = stage(
        {"price": 50},
        {"price": 60},
        flow=SHOP.replace(", transitions: [{id: cheap, at: tool, when: offer.price < 10, to: deal}]", "").replace(
            "end: deal}", "end: deal, enter_when: turns > 9}"
        ),
    )
    turn = desk.say("go")
    assert [type(event) for event in turn.events if isinstance(event, e.ToolReturned | e.FieldSet)] == [
        e.ToolReturned,
        e.FieldSet,
    ] * 2
    assert turn.value("offer.price") == 60


@pytest.mark.law("4.3a", "3.8")
def test_a_result_is_stored_in_the_step_that_records_it_so_a_crash_writes_nothing_twice() -> None:
    desk = stage({"price": 50})
    turn = desk.say("go")
    entries = asyncio.run(desk.store.entries("main", 0, 99))
    place = next(
        n
        for n, one in enumerate(entries)
        if isinstance(one.event, e.EffectAsked) and isinstance(one.event.effect, RunTool)
    )
    machine, state = turn.machine, fold_all(entries[: place + 1])
    assert state is not None
    again = resume(machine, state, state.at_ms)
    assert [type(effect) for effect in again.effects] == [RunTool]
    returned = next(one.event for one in entries if isinstance(one.event, e.ToolReturned))
    stepped = step(machine, again.state, returned, state.at_ms)
    assert isinstance(stepped, Step)
    assert [type(entry.event) for entry in stepped.entries[:2]] == [e.ToolReturned, e.FieldSet]
    repeated = step(machine, stepped.state, returned, state.at_ms)
    assert isinstance(repeated, Refusal)


@pytest.mark.law("4.3a", "5.2")
@pytest.mark.parametrize("price", [50, 500], ids=["stored", "not stored"])
def test_a_part_that_belongs_into_a_secret_field_is_shown_to_no_model_and_in_no_answer(price: int) -> None:
    desk = stage({"price": price, "pin": "771"})
    turn = desk.say("go")
    assert turn.value("offer.pin") == ("771" if price == 50 else None)
    (result,) = [one.result for one in desk.transcript() if one.role == "tool"]
    assert result == {"price": price, "pin": "[secret]"}
    for asked in ("field offer.pin", "tool look", "turn 1"):
        assert "771" not in str(desk.why(asked))


def look(q: str) -> dict[str, Any]:
    """Look."""
    return {"price": len(q)}


@pytest.mark.law("4.3a")
def test_a_flow_in_python_says_it_with_the_tool_or_in_the_node_by_classes_and_functions() -> None:
    class Offer(tw.Record):
        price: float | None = None

    class Other(tw.Record):
        price: float | None = None

    by_tool = tw.tool(into=Offer)(look)
    node = tw.Node("ask", prompt="Talk.", tools=tw.ToolPolicy(allow=[by_tool], into={by_tool: Other}))
    flow = tw.Flow("shop", start="ask", tools=[by_tool], records=[Offer, Other], nodes=[node])
    assert (flow.tools[0].into, flow.nodes[0].tools.into) == ("offer", {"look": "other"})
    names: dict[str, Any] = {}
    exec(write_python(flow), names)
    assert names["flow"] == flow
    chat = opened(flow, model=tw.ScriptedModel([tw.call("look", q="abc"), "So."]))
    turn = chat.say("go")
    assert (turn.value("offer.price"), turn.value("other.price")) == (None, 3)


WRONG = {
    "an unknown record": ("into: offr", "TW020 no record is called 'offr' did you mean 'offer'?"),
    "an unknown field": ("into: offer.prise", "TW020 the record 'offer' has no field 'prise' did you mean 'price'?"),
    "a derived field": ("into: offer.half", "TW019 'offer.half' is derived, and nothing writes it"),
}
PLACES = {
    "the tool": "tools: {look: {about: look, INTO}}\nnodes: {ask: {prompt: Talk., tools: [look]}}",
    "the policy": "tools: {look: {about: look}}\nnodes: {ask: {prompt: Talk., tools: {allow: [look], into: {look: VALUE}}}}",
    "the work": "tools: {look: {about: look}}\nnodes: {ask: {tool: {name: look, INTO}, transitions: [{at: before, to: ask}]}}",
}
BEGIN = "flow: shop\nstart: ask\nrecords: {offer: {price: number, half: {type: number, value: offer.price / 2}}}\n"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("wrong", WRONG)
def test_where_no_result_can_go_is_reported(place: str, wrong: str) -> None:
    into, told = WRONG[wrong]
    text = BEGIN + PLACES[place].replace("INTO", into).replace("VALUE", into.removeprefix("into: "))
    assert [one for one in problems_of(text) if one[:5] in ("TW019", "TW020")] == [told]


def test_a_destination_for_an_unknown_tool_and_for_one_that_is_not_allowed_is_reported() -> None:
    text = (
        BEGIN
        + "tools: {look: {about: look}, list: {about: list}}\nnodes: {ask: {prompt: Talk., tools: {allow: [look], into: {lok: offer, list: offer}}}}"
    )
    assert problems_of(text) == [
        "TW021 no tool is called 'lok' did you mean 'look'?",
        "TW043 'ask' does not allow 'list', so it has no result to store allow it, or leave its 'into' out",
    ]


def test_a_field_that_a_result_fills_is_not_reported_as_one_that_nothing_fills() -> None:
    text = """
    flow: shop
    start: ask
    records: {offer: {price: number, name: string}}
    tools: {look: {about: look, into: offer.price}, note: {about: note, into: offer.name}}
    nodes:
      ask: {prompt: Talk., tools: TOOLS, transitions: [{at: tool, when: offer.price > 3, to: deal}]}
      deal: {say: "{{ offer.price }} {{ offer.name }}", end: deal}
    """
    found = [str(one) for one in tw.check(flow_of(text.replace("TOOLS", "[look, note]")))]
    assert found == []
    found = [
        one.message
        for one in tw.check(
            flow_of(text.replace("TOOLS", "{allow: [note]}").replace("look: {about: look, into: offer.price}, ", ""))
        )
    ]
    assert found == ["'offer.price' is read here, and nothing fills it"]


class Parts(TypedDict):
    price: str | None
    tags: Annotated[list[str], "tags"]


@dataclass
class Listed:
    price: list[int]


class Strange(TypedDict):
    cost: float


RETURNS = {
    "anything": (Any, []),
    "a mapping": (dict[str, Any], []),
    "parts that fit": (Parts, []),
    "parts or nothing": (Parts | None, []),
    "a number": (
        float,
        ["the function of 'look' returns float, which has no parts, and its result belongs into the record 'offer'"],
    ),
    "a list": (
        list[str],
        [
            "the function of 'look' returns list[str], which has no parts, and its result belongs into the record 'offer'"
        ],
    ),
    "nothing": (None, ["the function of 'look' returns nothing, and its result belongs into 'offer'"]),
    "a part of another type": (
        Listed,
        ["the function of 'look' returns list[int] for 'price', and 'offer.price' is of the type number"],
    ),
    "no part with the name of a field": (
        Strange,
        ["nothing that the function of 'look' returns has the name of a field of 'offer'"],
    ),
}


@pytest.mark.parametrize("returned", RETURNS)
def test_what_a_function_returns_is_compared_with_the_record(returned: str) -> None:
    hint, told = RETURNS[returned]

    def look(q: str) -> Any:
        return q

    look.__annotations__["return"] = hint
    assert [one.message for one in tw.check(flow_of(SHOP), tools=[look]) if one.code == "TW089"] == told


@pytest.mark.parametrize(
    ("field", "hint", "fits"),
    [("price", float, True), ("price", int, True), ("price", str, True), ("price", bool, False), ("price", list[int], False),
     ("tags", list[str], True), ("tags", float, False), ("price", dict[str, Any], False), ("price", float | None, True)],
)  # fmt: skip
def test_what_a_function_returns_is_compared_with_the_field(field: str, hint: Any, *, fits: bool) -> None:
    def look(q: str) -> Any:
        return q

    look.__annotations__["return"] = hint
    flow = flow_of(SHOP.replace("into: offer", f"into: offer.{field}"))
    found = [one.message for one in tw.check(flow, tools=[look]) if one.code == "TW089"]
    assert bool(found) is not fits
    assert all(f"'offer.{field}' is of the type" in one for one in found)


def test_a_function_whose_destination_the_document_leaves_out_does_not_fit_it() -> None:
    supplied = tw.tool(into="offer")(look)
    told = "the function says that results of 'look' go into 'offer', and the flow stores them nowhere"
    found = [
        one.message
        for one in tw.check(flow_of(SHOP.replace(", into: offer", "")), tools=[supplied])
        if one.code == "TW089"
    ]
    assert found == [told]
    assert not [one for one in tw.check(flow_of(SHOP), tools=[supplied]) if one.code == "TW089"]
