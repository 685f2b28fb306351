"""Flows that are written in Python: what constructors take, where their parts stand, what is told of mistakes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Literal

import pytest

import turnwise as tw
from turnwise.core.link import link
from turnwise.flow.call_sites import source_of
from turnwise.flow.code import guards_of
from turnwise.flow.diagnostic import Span, render
from turnwise.flow.model import Record as PlainRecord

HERE = Path(__file__)


class User(tw.Record):
    name: str | None = None
    age: int | None = tw.field(ge=0, le=120, about="age in years")
    gender: Literal["female", "male", "other"] | None = None
    tos_acknowledged: bool | None = None


class Booking(tw.Record):
    day: date | None = None


@tw.guard(to=["ineligible", "profiler"])
def route(user: User) -> str | None:  # pure; its source is shown in the debug panel  # fmt: skip
    if user.gender == "male" or (user.age is not None and user.age < 38):
        return "ineligible"
    if user.name and user.tos_acknowledged and user.age is not None:
        return "profiler"
    return None


@tw.tool(kind="effect")
async def book(day: date, call: tw.ToolCall) -> Booking: ...  # call.key is the idempotency key  # fmt: skip


def grown_up(user: User) -> bool:
    return bool(user.age and user.age >= 18)


introduction = tw.Node("introduction", prompt="Welcome the user …", collect=[User], before=[route])
rest = [tw.Node("profiler", prompt="Ask."), tw.Node("ineligible", say="Thank you.", end="ineligible")]
flow = tw.Flow("intake", start="introduction", records=[User], nodes=[introduction, *rest], tools=[book])


# the example of the design -----------------------------------------------------------------------


def test_the_example_of_the_design_is_a_flow_without_mistakes() -> None:
    assert {one.severity for one in tw.check(flow)} == {"warning"}
    assert flow.records[0] == PlainRecord(
        "user",
        (
            tw.Field("name"),
            tw.Field("age", "integer", min=0, max=120, about="age in years"),
            tw.Field("gender", "choice", options=("female", "male", "other")),
            tw.Field("tos_acknowledged", "boolean"),
        ),
    )
    assert flow.tools == (tw.Tool("book", args=(tw.Field("day", "date"),), kind="effect"),)
    assert introduction.collect == tw.Collect(("user",))
    assert introduction.transitions == (tw.Transition(at="before", guard="route"),)


@pytest.mark.requirement("000-02", "000-12", "000-26")
def test_its_guard_decides_with_nothing_else_supplied() -> None:
    with tw.open_sync(flow) as app:
        chat = app.chat("main")
        chat.start()
        turn = chat.commands([tw.commands.Set(field="user.age", value=20)])
    assert turn.outcome == "ineligible"
    assert "user.age < 38" in turn.decisions[0].candidates[0].code.source


def test_functions_stay_callable_as_themselves() -> None:
    class Ada:
        name, age, gender, tos_acknowledged = "Ada", 45, "female", True

    assert route(Ada()) == "profiler"
    assert book.name == "book"
    assert book(date(2026, 1, 1), None).close() is None  # a coroutine, as the function gives one


# what constructors take --------------------------------------------------------------------------

GIVEN: list[tuple[Any, Any]] = [
    (tw.Option(3), tw.Option("3")),
    (tw.Field("x", int), tw.Field("x", "integer")),
    (tw.Field("x", list, of=date), tw.Field("x", "list", of="date")),
    (tw.Field("x", options=["Yes", "No"]), tw.Field("x", options=(tw.Option("Yes"), tw.Option("No")))),
    (tw.Field("x", options={"Yes": ["sure"], "No": None}), tw.Field("x", options=(tw.Option("Yes", ("sure",)), tw.Option("No")))),
    (tw.Field("x", "date", min=date(2026, 1, 2)), tw.Field("x", "date", min="2026-01-02")),
    (tw.Field("x", "duration", max=timedelta(hours=1)), tw.Field("x", "duration", max=3600.0)),
    (tw.Field("x", "date", default=date(2026, 1, 2)), tw.Field("x", "date", default="2026-01-02")),
    (tw.Collect([User, "case.info"]), tw.Collect(("user", "case.info"))),
    (tw.Stop("No"), tw.Stop(("No",))),
    (tw.Form(["case.info"]), tw.Form((tw.FormField("case.info"),))),
    (tw.Form(confirm=True), tw.Form(confirm=tw.Confirm())),
    (tw.Form(confirm=False), tw.Form()),
    (tw.FormField("a.b", stop=["No"], rephrase="Well?"), tw.FormField("a.b", stop=tw.Stop(("No",)), rephrase=("Well?",))),
    (tw.Node("a", collect=User, reads=[User], writes=["user.age"]), tw.Node("a", collect=tw.Collect(("user",)), reads=("user",), writes=("user.age",))),
    (tw.Node("a", tool=book), tw.Node("a", tool=tw.ToolWork("book"))),
    (tw.Node("a", tools=["think"]), tw.Node("a", tools=tw.ToolPolicy(("think",)))),
    (tw.Node("a", tools="think"), tw.Node("a", tools=tw.ToolPolicy(("think",)))),
    (tw.Node("a", once=rest[0], timeout_s="30m"), tw.Node("a", once="profiler", timeout_s=1800.0)),
    (tw.Node("a", tools=tw.ToolPolicy(allow=[book, "web_*"], sequence=["a", ["b", "c"]])), tw.Node("a", tools=tw.ToolPolicy(("book", "web_*"), sequence=(tw.SequencePosition(("a",)), tw.SequencePosition(("b", "c")))))),
    (tw.Node("a", set={"user.age": 3, "user.day": date(2026, 1, 2)}), tw.Node("a", set={"user.age": 3, "user.day": '"2026-01-02"'})),
    (tw.Node("a", after=[tw.Transition(to="b")], before=(one for one in [tw.Transition(to="c")])), tw.Node("a", transitions=(tw.Transition(at="before", to="c"), tw.Transition(to="b")))),
    (tw.Node("a", transitions=[route]), tw.Node("a", transitions=(tw.Transition(guard="route"),))),
    (tw.Transition(to=rest[0], when=True, delay_s=timedelta(minutes=2)), tw.Transition(to="profiler", when="true", delay_s=120.0)),
    (tw.Transition(guard=grown_up, to="b"), tw.Transition(guard="grown_up", to="b")),
    (tw.Transition(when=[tw.Condition("tool_used", "think")]), tw.Transition(when=(tw.Condition("tool_used", "think"),))),
    (tw.Scope(inherits=[User], returns=Booking, summary="Done."), tw.Scope(inherits=("user",), returns="booking", summary=tw.Summary("Done."))),
    (tw.Flow("f", start=rest[0], commands=["skip"], imports=[tw.Import("a.yaml", names="b")]), tw.Flow("f", start="profiler", commands=tw.Commands(("skip",)), imports=(tw.Import("a.yaml", names=("b",)),))),
]  # fmt: skip


@pytest.mark.parametrize(("given", "kept"), GIVEN, ids=range(len(GIVEN)))
def test_what_is_meant_becomes_what_is_kept(given: Any, kept: Any) -> None:
    assert given == kept
    assert hash(type(given)) == hash(type(kept))


def test_an_unknown_argument_is_pythons_own_error() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'promt'"):
        tw.Node("a", promt="x")  # type: ignore[call-arg]


# code --------------------------------------------------------------------------------------------


def test_functions_lie_beside_the_data_and_are_no_part_of_it() -> None:
    named = replace(
        flow, nodes=(replace(introduction, transitions=(tw.Transition(at="before", guard="route"),)), *rest)
    )
    assert named == flow
    assert guards_of(named) == []
    assert [guard.name for guard in guards_of(flow)] == ["route"]
    assert link(flow).fingerprint == link(named, [route]).fingerprint


def test_functions_that_are_supplied_stand_beside_those_that_are_carried() -> None:
    mixed = replace(flow, transitions=(tw.Transition(at="before", guard="other", to="profiler", id="aside"),))
    assert [one.code for one in tw.check(mixed) if one.severity == "error"] == ["TW024"]
    supplied = tw.check(mixed, [tw.guard(grown_up, name="other"), route])
    assert [one for one in supplied if one.severity == "error"] == []


def test_two_functions_of_one_name_are_told_at_the_second() -> None:
    other = tw.guard(grown_up, name="route")
    found = tw.check(replace(flow, transitions=(tw.Transition(at="before", guard=other, to="profiler"),)))
    (twins,) = [one for one in found if one.code == "TW017"]
    assert twins.message == "two functions are called 'route'"
    assert twins.span.line == route.line


# places ------------------------------------------------------------------------------------------


def test_a_part_stands_where_it_was_made_and_its_arguments_where_they_are_written() -> None:
    part = tw.Node("a", say="Grüße, {{ x }}", form=tw.Form(["a.b"], confirm=True), set={"a.b": 3})
    assert (part.span.file, part.span.line) == (__file__, line_now() - 1)
    assert text_at(part.span).startswith('tw.Node("a"')
    assert text_at(part.span.of("name")).startswith('a"')
    assert text_at(part.span.of("say")).startswith("Grüße")
    assert text_at(part.span.of("set.a.b")).startswith("3})")
    assert text_at(part.span.of("form")).startswith("tw.Form(")
    assert part.span.of("entry") == part.span
    assert part.form is not None
    assert text_at(part.form.span.of("fields.0")).startswith('a.b"], confirm')
    assert part.form.fields[0].span.of("") == part.form.span.of("fields.0")


def test_what_is_made_inside_of_turnwise_or_without_a_source_has_no_such_places() -> None:
    made = eval("tw.Node('a', say='b')", {"tw": tw})
    assert (made.span.file, made.span.line, made.span.of("say")) == ("<string>", 1, made.span)
    assert tw.load("tests/flows/health_intake.flow.yaml").nodes[0].span.is_read
    assert source_of("nothing.py") is None


def test_ten_thousand_nodes_in_one_module_are_made_quickly() -> None:
    text = "import turnwise as tw\nnodes = [\n" + "    tw.Node('a', say='b'),\n" * 10_000 + "]\n"
    names: dict[str, Any] = {}
    exec(compile(text, "long.py", "exec"), names)
    assert [node.span.line for node in names["nodes"][::5000]] == [3, 5003]


def line_now() -> int:
    import sys

    return sys._getframe(1).f_lineno


def text_at(span: Span) -> str:
    return HERE.read_text("utf-8").splitlines()[span.line - 1][span.column - 1 :]


# mistakes ----------------------------------------------------------------------------------------


def made(**parts: Any) -> tw.Flow:
    return tw.Flow(**{"name": "f", "start": "a", "nodes": [tw.Node("a", say="Hi.", end="x")]} | parts)


def with_node(**parts: Any) -> tw.Flow:
    return made(nodes=[tw.Node(**{"name": "a", "say": "Hi.", "end": "x"} | parts)])


def with_way(**parts: Any) -> tw.Flow:
    return with_node(end="", transitions=[tw.Transition(**{"to": "a"} | parts)])


def unreadable() -> Any:
    class Unreadable:
        def __repr__(self) -> str:
            raise ValueError("no")

    return Unreadable()


MISTAKES: list[tuple[Callable[[], tw.Flow], str]] = [
    (lambda: with_way(priority="high"), "TW011 'priority' is 'high', expected a whole number of 0 or more"),
    (lambda: with_way(priority=True), "TW011 'priority' is True, expected a whole number of 0 or more"),
    (lambda: with_way(at="befor"), "TW014 'at' is 'befor', which is not one of before, tool, calls, after, error, timer, event, choice; did you mean 'before'?"),
    (lambda: with_way(at=["before"]), "TW014 'at' is ['before'], which is not one of before"),
    (lambda: with_way(to=7.5), "TW012 transition goes to '7.5'"),
    (lambda: with_way(to=object), "TW011 'to' is the class object, expected a text"),
    (lambda: with_way(when=grown_up), "TW011 'when' is the function grown_up, expected a guard, or a list of condition objects; a function is given as guard="),
    (lambda: with_way(when=["x"]), "TW011 'when[0]' is 'x', expected a tw.Condition"),
    (lambda: with_way(guard=3), "TW011 'guard' is 3, expected a text"),
    (lambda: with_way(set={3: 4, "x": {1}}), "TW011 'set['x']' is {1}, expected JSON data"),
    (lambda: with_way(set=["x"]), "TW011 'set' is ['x'], expected a mapping"),
    (lambda: with_way(stay="yes", to=""), "TW011 'stay' is 'yes', expected True or False"),
    (lambda: with_way(delay_s="soon", at="timer"), "TW011 'delay_s' is 'soon', expected a time span"),
    (lambda: with_way(delay_s=float("nan"), at="timer"), "TW011 'delay_s' is nan, expected a time span"),
    (lambda: with_node(say=None), "TW011 'say' is None, expected a text"),
    (lambda: with_node(say=unreadable()), "TW011 'say' is of the type Unreadable, expected a text"),
    (lambda: with_node(form="a.b"), "TW011 'form' is 'a.b', expected a tw.Form; write tw.Form(['a.b'])"),
    (lambda: with_node(collect={"user"}), "TW011 'collect' is {'user'}, expected a tw.Collect"),
    (lambda: with_node(reads={"user"}), "TW011 'reads' is {'user'}, expected a list"),
    (lambda: with_node(retry=3), "TW011 'retry' is 3, expected a tw.Retry"),
    (lambda: with_node(retry=None), "TW011 'retry' is None, expected a tw.Retry"),
    (lambda: with_node(transitions=tw.Transition(to="a")), "TW011 'transitions' is a tw.Transition, expected a list"),
    (lambda: with_node(before=tw.Transition(to="a")), "TW011 'before' takes a list of transitions or guards"),
    (lambda: with_node(before=["a"]), "TW011 'before[0]' is 'a', expected a tw.Transition; write tw.Transition(to='a'), or tw.Transition(guard='a', …)"),
    (lambda: with_node(transitions=[tw.Transition(to="a")] * 8, after=[tw.Transition(to="a"), None]), "TW011 'after[1]' is None, expected a tw.Transition"),
    (lambda: with_node(transitions=["a"]), "TW011 'transitions[0]' is 'a', expected a tw.Transition; write tw.Transition(to='a'), or"),
    (lambda: with_node(tools={"allow": ["think"]}), "TW011 'tools' is {'allow': ['think']}, expected a tw.ToolPolicy; write tw.ToolPolicy(allow=…)"),
    (lambda: with_node(form=["a.b", "a.c"]), "TW011 'form' is ['a.b', 'a.c'], expected a tw.Form; write tw.Form(['a.b', 'a.c'])"),
    (lambda: with_node(enter_when=[{"tool_used": "think"}]), "TW011 'enter_when[0]' is {'tool_used': 'think'}, expected a tw.Condition; write tw.Condition('tool_used', 'think')"),
    (lambda: with_node(enter_when=[{"type": "tool_used", "value": "think"}]), "TW011 'enter_when[0]' is {'type': 'tool_used', 'value': 'think'}, expected a tw.Condition; write tw.Condition('tool_used', 'think')"),
    (lambda: with_node(enter_when=[{"type": "x"}]), "TW011 'enter_when[0]' is {'type': 'x'}, expected a tw.Condition; write tw.Condition(…)"),
    (lambda: with_node(enter_when=["errors > 3", "turns > 3"]), "TW011 'enter_when[0]' is 'errors > 3', expected a tw.Condition; one text is one guard: join several with &&"),
    (lambda: with_node(before=[tw.Transition(at="timer", to="a", delay_s=3)]), "TW041 this transition is listed under 'before', and says 'at=timer'"),
    (lambda: with_node(before=[grown_up]), "TW015 a transition needs an action"),
    (lambda: with_node(name="a b"), "TW016 'a b' is no name for a node"),
    (lambda: with_node(name=3), "TW011 'name' is 3, expected a text"),
    (lambda: made(nodes=["a"]), "TW011 'nodes[0]' is 'a', expected a tw.Node; write tw.Node('a', …)"),
    (lambda: made(nodes={"a": tw.Node("a")}), "TW011 'nodes' is {'a': Node("),
    (lambda: made(nodes=[..., tw.Node("a", say="x", end="x")]), "TW011 'nodes[0]' is Ellipsis, expected a tw.Node"),
    (lambda: made(nodes=[rest[0], rest[0], tw.Node("a", say="x")]), "TW017 two nodes are called 'profiler'"),
    (lambda: made(records=[User, User]), "TW017 two records are called 'user'"),
    (lambda: made(records=[User()]), ""),
    (lambda: made(records=[int]), "TW011 'records[0]' is the class int, expected a tw.Record"),
    (lambda: made(tools=[book, book]), "TW017 two tools are called 'book'"),
    (lambda: made(tools=[grown_up]), "TW011 'tools[0]' is the function grown_up, expected a tw.Tool; decorate it: @tw.tool"),
    (lambda: made(tools=[route]), "TW011 'tools[0]' is the guard route, expected a tw.Tool"),
    (lambda: made(code=[3]), "TW011 'code[0]' is 3, expected a function"),
    (lambda: made(version="1"), "TW011 'version' is '1', expected a whole number of 0 or more"),
    (lambda: made(name="b!"), "TW016 'name' is 'b!', which is no name; letters, digits and _ only"),
    (lambda: made(start=None), "TW011 'start' is None, expected a text"),
    (lambda: made(nodes=[tw.Node("a", say="x", end="y"), None]), "TW011 'nodes[1]' is None, expected a tw.Node"),
    (lambda: made(transitions=[None]), "TW011 'transitions[0]' is None, expected a tw.Transition"),
    (lambda: made(texts={"skip": {1}}), "TW011 'texts['skip']' is {1}, expected JSON data"),
    (lambda: made(limits={"moves": 3}), "TW011 'limits' is {'moves': 3}, expected a tw.Limits; write tw.Limits(moves=…)"),
    (lambda: made(limits=tw.Limits(moves=0)), "TW011 'moves' is 0, expected a whole number of 1 or more"),
    (lambda: made(records=[PlainRecord("r", [tw.Field("x", bytes)])]), "TW014 'type' is the class bytes, which is not one of string"),
    (lambda: made(records=[PlainRecord("r", [tw.Field("x", min=float("inf"))])]), "TW011 'min' is inf, expected a number, or a date or time"),
    (lambda: made(records=[PlainRecord("r", [tw.Field("x", options=[["a"]])])]), "TW011 'options[0]' is ['a'], expected a tw.Option"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "expected"), MISTAKES, ids=range(len(MISTAKES)))
def test_a_value_of_a_wrong_kind_is_a_diagnostic(make: Callable[[], tw.Flow], expected: str) -> None:
    found = [str(one).partition(": ")[2] for one in tw.check(make())]
    assert [one for one in found if one.startswith(expected)] or not expected
    if expected:
        with pytest.raises(tw.FlowError):
            tw.open(make())


def test_all_mistakes_are_told_at_once_each_at_its_place() -> None:
    wrong = tw.Flow(
        "f",
        start="hom",
        nodes=[
            tw.Node("home", say="Hi {{ nobody }}", transitions=[tw.Transition(to="hoem", at="befor", priority="high")]),
            "other",
        ],
        language="xx",
    )
    lines = HERE.read_text("utf-8").splitlines()
    first = next(number for number, line in enumerate(lines, 1) if line.endswith('"f",'))
    found = [
        (one.span.line - first, lines[one.span.line - 1][one.span.column - 1 :][:6], one.code)
        for one in tw.check(wrong)
    ]
    assert found == [
        (1, 'hom",', "TW018"),
        (3, "nobody", "TW031"),
        (3, 'hoem",', "TW012"),
        (3, 'befor"', "TW014"),
        (3, 'high")', "TW011"),
        (4, 'other"', "TW011"),
        (6, 'xx",', "TW027"),
    ]
    assert render(tw.check(wrong)[0], lines).splitlines()[1:] == ['            start="hom",', "                   ^"]


@pytest.mark.parametrize("levels", [40, 2000])
def test_scopes_in_scopes_without_end_are_told(levels: int) -> None:
    node = tw.Node("inmost", prompt="p")
    for level in range(levels):
        node = tw.Node(f"n{level}", scope=tw.Scope(start=node.name, nodes=[node]))
    flow = tw.Flow("f", start=node.name, nodes=[node])
    assert [one.message for one in tw.check(flow) if one.code == "TW004"] == ["nested more than 64 deep"]
    assert f"n{levels - 1}" in tw.draw(flow)


@pytest.mark.parametrize("to", [5, None, [3], b"a", object()])
def test_a_target_that_is_no_name_is_refused_at_once(to: Any) -> None:
    with pytest.raises(tw.WrongArgument, match="to must be the name of a node, or a list of names"):
        tw.guard(to=to)


def test_a_guard_is_a_function() -> None:
    for given in (3, "route"):
        with pytest.raises(tw.WrongArgument, match="guard must be a function"):
            tw.guard(given)  # type: ignore[call-overload]


def test_a_file_that_is_run_again_has_the_places_of_its_new_text(tmp_path: Path) -> None:
    file = tmp_path / "changed.flow.py"

    def checked(before: str) -> list[str]:
        file.write_text(
            f"import turnwise as tw\n{before}\nclass Visit(tw.Record):\n    doctors: dict[str, str] | None = None\n\n"
            'flow = tw.Flow("visit", start="a", records=[Visit], nodes=[tw.Node("a", prompt="a")])\n',
            "utf-8",
        )
        return [str(one).removeprefix(f"{file}:").split(" ")[0] for one in tw.check(str(file)) if one.code == "TW085"]

    assert checked("") == ["4:5:"]
    assert checked("# a line\n# and another\n") == ["6:5:"]
