"""Random tools, who may use them, and what models make of them: calls that are right, and calls that are not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strategies.chance import Chance
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state.effects import Call, RunTool, ToolSpec
from turnwise.core.state.events import ToolFailed, ToolReturned
from turnwise.core.tools.offered import CHOICE_PREFIX, offered_tools
from turnwise.flow.model import Field, Option, SequencePosition, Tool, ToolPolicy, ToolWork

TOOLS = ("think", "search", "save")
USED = (*TOOLS, "write_user", "read_visit", "go_to_a")
"""Tools that guards ask about: declared ones and generated ones, which every machine has."""

_ARGS = (
    Field("q", max=40, default="all"),
    Field("n", "integer", min=0, max=9, optional=True),
    Field("kind", "choice", options=(Option("red", ("crimson",)), Option("blue")), optional=True),
    Field("pin", optional=True, secret=True),
    Field("tags", "list", max=4, optional=True),
)
ARGUMENTS = frozenset(field.name for field in _ARGS)
_RIGHT: Mapping[str, tuple[Any, ...]] = {
    "q": ("all", "", "😀"), "n": (0, 7, "3"), "kind": ("red", "CRIMSON"), "pin": ("1234",), "tags": (["a"], []),
}  # fmt: skip
_NONSENSE = (None, "", 10**6, "w" * 300, [], {"a": {"b": 1}}, ["x"] * 9, True, 2.5, "§")


# what a flow says ----------------------------------------------------------------------------------------


def tools(chance: Chance) -> tuple[Tool, ...]:
    """The tools of a flow: reading and effects, some only with consent."""
    return tuple(_tool(chance, name) for name in TOOLS)


def _tool(chance: Chance, name: str) -> Tool:
    return Tool(
        name,
        about=chance.choice(("", "do something")),
        args=tuple(chance.some(_ARGS, 0, 3)),
        kind="effect" if chance.is_lucky(0.4) else "read",
        confirm=chance.is_lucky(0.2),
        into=chance.choice(("", "", "user", "visit")),
    )


def policy(chance: Chance) -> ToolPolicy:
    """What a node lets be used: all or some, without a few, often in an order."""
    names = list(TOOLS)
    allow = ("*",) if chance.is_lucky(0.6) else tuple(chance.some(names, 1, 3))
    denied = chance.some(("save", "write_*", "go_to_b", "read_user"), 1, 2) if chance.is_lucky(0.25) else []
    deny = tuple(one for one in denied if one != "save" or allow != ("save",))
    stored = [one for one in (names if allow == ("*",) else allow) if one not in deny and chance.is_lucky(0.2)]
    into = {one: chance.choice(("user", "visit")) for one in stored}
    return ToolPolicy(allow=allow, deny=deny, into=into)


def sequence(chance: Chance) -> ToolPolicy:
    """An order of tools: places with alternatives, places that may be left out, tools that come twice."""
    length = chance.randint(1, 4)
    places = [SequencePosition(tuple(chance.some(TOOLS, 1, 2)), chance.is_lucky(0.2)) for _ in range(length)]
    places[0] = SequencePosition(places[0].tools)
    return ToolPolicy(allow=("*",), sequence=tuple(places), enforce=chance.is_lucky(0.5))


def work(chance: Chance, declared: tuple[Tool, ...], addresses: list[str]) -> ToolWork:
    """A tool as the work of a node; its arguments are constants, faults, and texts that may be missing."""
    tool = chance.choice(declared)
    texts = ("'all'", "string(1 / (turns - 1))", *addresses)
    given = {field.name: chance.choice(texts) for field in tool.args if field.name == "q" and chance.is_lucky(0.6)}
    return ToolWork(tool.name, given, into=chance.choice(("", "user", "visit")))


# what a model does -----------------------------------------------------------------------------------------


def calls(chance: Chance, machine: Machine, state: State, effect: str) -> tuple[Call, ...]:
    """A few calls of one reply: of what is offered, of another node's tools, and of what nobody has."""
    shown = offered_tools(machine, state)
    count = chance.choice((1, 1, 1, 2, 3, 6))
    return tuple([_call(chance, machine, shown, f"{effect.replace('.', '-')}-{n}") for n in range(1, count + 1)])


def _call(chance: Chance, machine: Machine, shown: tuple[ToolSpec, ...], call: str) -> Call:
    others = (*TOOLS, "write_user", "read_user", "go_to_a", "go_to_b", "no_such_tool", "x" * 200, "")
    ways = [spec for spec in shown if spec.name.startswith(CHOICE_PREFIX)]
    known = ways if ways and chance.is_lucky(0.4) else shown
    name = chance.choice(known).name if known and chance.is_lucky(0.85) else chance.choice(others)
    if chance.is_lucky(0.04):
        return Call(call, name, wrong="they are not JSON")
    return Call(call, name, _arguments(chance, machine, name))


def _arguments(chance: Chance, machine: Machine, name: str) -> dict[str, Any]:
    if chance.is_lucky(0.05):
        return {chance.choice(("set", "fields", "q", "§")): chance.choice(_NONSENSE)}
    if name.startswith("write_"):
        return _written(chance, machine, name.removeprefix("write_"))
    if name.startswith("read_"):
        return {} if chance.is_lucky(0.5) else {"fields": chance.choice((["name"], "day", [], ["age", "x"]))}
    tool = machine.tools.get(name)
    if name.startswith(("open_", "finish_")):
        return _of_scope(chance, machine, name)
    return {field: _argument(chance, field) for field in tool.args if chance.is_lucky(0.8)} if tool is not None else {}


def _of_scope(chance: Chance, machine: Machine, name: str) -> dict[str, Any]:
    """The input of a scope that a model opens, or the result of one that it closes."""
    from strategies.machines import good

    tools = [tool for scope in machine.scopes.values() for tool in (scope.opener, scope.finish) if tool is not None]
    args = [field for tool in tools if tool.tool.name == name for field in tool.args.values()]
    return {field.name: good(chance, field) for field in args if chance.is_lucky(0.4)}


def _argument(chance: Chance, field: str) -> Any:
    return chance.choice(_RIGHT[field]) if chance.is_lucky(0.9) else chance.choice(_NONSENSE)


def _written(chance: Chance, machine: Machine, record: str) -> dict[str, Any]:
    from strategies.machines import good

    fields = [field for address, field in machine.fields.items() if address.startswith(f"{record}.")]
    some = chance.some(fields, 1, 2) if fields else []
    way = chance.choice(("set", "set", "set", "data", "add", "remove"))
    return {
        way: {field.name: good(chance, field) if chance.is_lucky(0.85) else chance.choice(_NONSENSE) for field in some}
    }


# what tools give ---------------------------------------------------------------------------------------------


def result(chance: Chance, effect: RunTool) -> ToolReturned | ToolFailed:
    """What comes of a call: a result, fitting or not, or a failure."""
    if chance.is_lucky(0.2):
        return ToolFailed(effect.id, effect.tool, chance.choice(("it is down", "", "z" * 20_000)), 3, effect.call)
    found: Any = chance.choice((None, 42, "found", {"name": "Ann", "age": 7}, {"age": "old"}, {"day": None}, [1, {}]))
    return ToolReturned(effect.id, effect.tool, found, 5, effect.call)
