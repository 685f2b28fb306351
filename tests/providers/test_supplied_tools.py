"""Tools that are supplied by name: to a flow as a document says it, in Python, on the command line, to scenarios."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import date
from pathlib import Path
from textwrap import dedent
from typing import Any, Literal

import pytest

import turnwise as tw
from support.chats import flow_of
from support.shell import run
from support.tools import FakeTool, facts
from turnwise.core.state.events import ToolFailed, ToolReturned
from turnwise.flow.diagnostic import FlowError
from turnwise.models.scripted import call

FLOW = """
flow: visit
start: plan
tools:
  book: {about: book a table, kind: effect, args: {day: date, size: {type: choice, options: [small, large], optional: true}}}
nodes:
  plan: {prompt: Plan the visit., tools: {allow: [book]}}
"""
DAY = "2026-02-03"


def book(day: date, size: str | None = None) -> str:
    return f"booked {day:%A} {size}"


def results(tools: Any, flow: str = FLOW) -> list[Any]:
    """What came of one call of `book`."""

    async def talk() -> list[Any]:
        model = tw.ScriptedModel([call("book", day=DAY), "Done."])
        async with tw.open(flow_of(flow), model=model, tools=tools) as app:
            chat = app.chat("main")
            return facts(await chat.say("x"), ToolReturned, ToolFailed)

    return [getattr(one, "result", None) or getattr(one, "reason", None) for one in asyncio.run(talk())]


SUPPLIED: list[tuple[str, Any, Any]] = [
    ("a function", [book], "booked Tuesday None"),
    ("a tool", [tw.tool(kind="effect")(book)], "booked Tuesday None"),
    ("by name", {"book": lambda day, size=None: day}, DAY),
    ("a tool by another name", {"book": tw.tool(kind="effect", name="reserve")(book)}, "booked Tuesday None"),
    ("whatever it is given", {"book": lambda **given: given}, {"day": DAY}),
    ("a runner", {"book": FakeTool(lambda day: day)}, DAY),
    ("an object that is called", {"book": type("Book", (), {"__call__": lambda _self, day, size=None: day})()}, DAY),
    ("nobody", [], "the tool 'book' is not supplied: pass it with tools=[…]"),
]


@pytest.mark.parametrize(("tools", "result"), [one[1:] for one in SUPPLIED], ids=[one[0] for one in SUPPLIED])
def test_a_tool_of_a_document_is_run_by_what_is_supplied_for_it(tools: Any, result: Any) -> None:
    assert results(tools) == [result]


def test_what_a_flow_carries_is_there_by_itself_and_something_else_may_stand_for_it() -> None:
    def flow() -> tw.Flow:
        return tw.Flow(
            "f",
            start="a",
            tools=[tw.tool(kind="effect")(book)],
            nodes=[tw.Node("a", prompt="x", tools=tw.ToolPolicy(allow=["book"]))],
        )

    def used(**more: Any) -> Any:
        with tw.open_sync(flow(), model=tw.ScriptedModel([call("book", day=DAY), "Done."]), **more) as app:
            chat = app.chat("main")
            return [one.result for one in facts(chat.say("x"), ToolReturned)]

    assert used() == ["booked Tuesday None"]
    assert used(tools={"book": FakeTool("nothing is booked")}) == ["nothing is booked"]


# what does not fit ---------------------------------------------------------------------------------


def bok(day: date) -> None: ...


def without(size: str) -> None: ...


def more(day: date, size: str | None, who: str) -> None: ...


def numbers(day: int, size: str | None = None) -> None: ...


def small(day: date, size: Literal["small"] | None = None) -> None: ...


def needs(day: date, size: str) -> None: ...


def missing(day: Missing, size: str | None = None) -> None: ...  # type: ignore[name-defined]  # noqa: F821


def one_by_one(day: date, size: str | None = None) -> Any:
    yield day


async def later(day: date, size: str | None = None) -> Any:
    yield day


UNFIT: list[tuple[Any, list[str]]] = [
    ([bok], ["the flow declares no tool 'bok'; did you mean 'book'?"]),
    ({"book": without}, ["'book' declares the argument 'day', which its function does not take", "'size' of 'book' may be left out, and its function needs it"]),
    ({"book": more}, ["the function of 'book' needs 'who', which the tool does not declare as an argument"]),
    ({"book": numbers}, ["'book' declares 'day' as date, and its function takes it as integer"]),
    ({"book": small}, ["the function of 'book' does not take 'large' for 'size', which is an option"]),
    ({"book": needs}, ["'size' of 'book' may be left out, and its function needs it"]),
    ({"book": missing}, ["what the function of 'book' takes cannot be read: name 'Missing' is not defined"]),
    ({"book": tw.tool(kind="effect", confirm=True)(book)}, ["the function says that 'book' needs the user's consent, and the flow does not"]),
    ([tw.tool(kind="effect", on_crash="unknown")(book)], ["the function says on_crash 'unknown' of 'book', and the flow 'again'"]),
    ([tw.tool(kind="effect", expects="confirmed")(book)], ["the function says that 'book' expects 'confirmed', and the flow expects nothing"]),
    ({"book": one_by_one}, ["the function of 'book' is a generator, and a tool gives one result: it has to return it"]),
    ({"book": later}, ["the function of 'book' is a generator, and a tool gives one result: it has to return it"]),
    ({"book": lambda day, /: None}, ["'book' declares the argument 'day', which its function does not take", "'book' declares the argument 'size', which its function does not take"]),
]  # fmt: skip


@pytest.mark.parametrize(("tools", "told"), UNFIT, ids=range(len(UNFIT)))
def test_what_does_not_fit_a_tool_is_told_with_the_difference(tools: Any, told: list[str]) -> None:
    with pytest.raises(FlowError) as raised:
        tw.open(flow_of(FLOW), tools=tools)
    found = raised.value.diagnostics
    assert {one.code for one in found} == {"TW089"}
    assert [f"{one.message}; {one.hint}" if "mean" in one.hint else one.message for one in found] == told
    assert [str(one) for one in tw.check(flow_of(FLOW), tools=tools) if one.code == "TW089"] == list(map(str, found))


def test_a_tool_for_a_flow_without_tools_says_what_to_do() -> None:
    with pytest.raises(
        FlowError, match="the flow declares no tool 'book'; leave it out here, or declare it under `tools`"
    ):
        tw.open(flow_of("flow: f\nstart: a\nnodes: {a: {say: A.}}"), tools=[book])


@pytest.mark.parametrize(
    ("check", "told"),
    [
        (lambda call: call.key, "needs 'call', which is no argument of the tool, nor a tw.ToolCall by its hint"),
        (missing, "takes cannot be read: name 'Missing' is not defined"),
    ],
    ids=["no hint", "no such hint"],
)
def test_what_a_check_needs_and_is_not_given_is_told(check: Any, told: str) -> None:
    checked = FLOW.replace("kind: effect", "kind: effect, on_crash: check")
    with pytest.raises(FlowError, match=f"TW089 .*the check of 'book' {told}|TW089 what the check of 'book' {told}"):
        tw.open(flow_of(checked), tools=[tw.tool(kind="effect", on_crash="check", check=check)(book)])


def test_a_tool_whose_calls_are_checked_after_a_crash_needs_a_check() -> None:
    flow = FLOW.replace("kind: effect", "kind: effect, on_crash: check")
    with pytest.raises(FlowError, match="'book' is to be checked after a crash, and its function has no check"):
        tw.open(flow_of(flow), tools=[book])
    checked = tw.tool(kind="effect", on_crash="check", check=lambda day: None)(book)
    assert results([checked], flow) == ["booked Tuesday None"]


def test_a_function_that_changes_the_world_is_no_reading_tool() -> None:
    flow = FLOW.replace("kind: effect", "kind: read")
    with pytest.raises(FlowError, match="says that 'book' is an effect, and the flow that it only reads"):
        tw.open(flow_of(flow), tools=[tw.tool(kind="effect")(book)])


@pytest.mark.parametrize(
    ("tools", "told"),
    [
        (3, "tools must be functions, or a mapping from names of tools to functions"),
        ("book", "tools must be functions"),
        ([3], r"tools\[0\] must be a function; anything else needs a name"),
        ([FakeTool()], r"tools\[0\] must be a function; anything else needs a name"),
        ([FakeTool], r"tools\[0\] must be a function"),
        ({"book": 3}, r"tools\['book'\] must be a function, or an object with run\(\) and check\(\), not int 3"),
        ({3: book}, r"tools\[3\] must be a function"),
    ],
)
def test_what_is_no_tool_is_refused(tools: Any, told: str) -> None:
    with pytest.raises(tw.WrongArgument, match=told):
        tw.open(flow_of(FLOW), tools=tools)


def test_the_flow_has_the_last_word_on_time_and_attempts() -> None:
    tried: list[date] = []

    @tw.tool(kind="effect", name="book", timeout="1ms", retry=3)
    async def slow(day: date, size: str | None = None) -> None:
        tried.append(day)
        await asyncio.sleep(0.02)
        raise ValueError(size)

    assert results([slow]) == ["ValueError: None"]
    assert tried == [date(2026, 2, 3)]


def test_a_flow_may_ask_for_more_care_than_the_function() -> None:
    careful = FLOW.replace("kind: effect", "kind: effect, confirm: true, on_crash: unknown, expects: confirmed")
    tw.open(flow_of(careful), tools=[tw.tool(kind="effect")(book)])


# it is not supplied --------------------------------------------------------------------------------

WORK = """
flow: visit
start: plan
tools: {look: {}, idle: {}}
nodes:
  plan: {tool: look, transitions: [{to: rest}]}
  rest: {say: Good., end: done}
"""


@pytest.mark.parametrize(
    ("open_it", "told"),
    [
        (lambda: tw.open(flow_of(FLOW), model=tw.ScriptedModel()), ["book"]),
        (lambda: tw.open(flow_of(FLOW)), []),
        (lambda: tw.open(flow_of(FLOW), model=tw.ScriptedModel(), tools=[book]), []),
        (lambda: tw.open(flow_of(WORK)), ["look"]),
    ],
    ids=["a model may call it", "nobody calls it", "it is supplied", "it is work"],
)
def test_one_line_in_the_log_names_tools_that_nobody_supplies(
    open_it: Callable[[], object], told: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "turnwise"):
        open_it()
    line = "no function is supplied for '{}': a call of it fails; "
    line += "supply functions with tools=[…], on the command line with --python FILE"
    assert caplog.messages == [line.format(name) for name in told]


# the command line ----------------------------------------------------------------------------------

CODE = """
import turnwise as tw

@tw.tool
def look() -> dict[str, str]:
    '''Look.'''
    return {"seen": "a table"}
"""


def files(folder: Path, code: str = CODE) -> Path:
    """A flow whose node works with a tool, a file that supplies it, and a scenario."""
    (folder / "visit.flow.yaml").write_text(WORK.replace(", idle: {}", ""), "utf-8")
    (folder / "tools.py").write_text(code, "utf-8")
    (folder / "visit.scenario").write_text(
        dedent("""\
        flow: visit.flow.yaml
        python: tools.py

        scenario: it is looked
        start:
        bot: Good.
        status: ended done
        """),
        "utf-8",
    )
    return folder


def test_a_file_supplies_tools_on_the_command_line(tmp_path: Path) -> None:
    flow, code = str(files(tmp_path) / "visit.flow.yaml"), str(tmp_path / "tools.py")
    talked = run("chat", flow, "--python", code, "--json", given="")
    assert (talked.code, talked.err) == (0, "")
    assert '"outcome":"done"' in talked.out
    assert run("check", flow, "--python", code).out.endswith("visit.flow.yaml: no problems\n")
    played = run("test", str(tmp_path / "visit.scenario"))
    assert "1 passed, 0 failed" in played.out


def test_a_file_whose_tools_do_not_fit_is_told_by_every_command(tmp_path: Path) -> None:
    files(tmp_path, CODE.replace("look()", "look(where: str)"))
    flow, code = str(tmp_path / "visit.flow.yaml"), str(tmp_path / "tools.py")
    told = "TW089 the function of 'look' needs 'where', which the tool does not declare as an argument"
    for ran in (
        run("check", flow, "--python", code),
        run("chat", flow, "--python", code, given=""),
        run("test", str(tmp_path / "visit.scenario")),
    ):
        assert ran.code == 1
        assert told in ran.out + ran.err
        assert "Traceback" not in ran.err
