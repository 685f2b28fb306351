"""A machine whose one record has a field of every type, and the verdict of any guard on its values."""

from __future__ import annotations

from functools import cache
from typing import Any

from turnwise.core.explain.tree import plan
from turnwise.core.guards import Env, GuardFault, Recorded
from turnwise.core.guards.compile import Compiler
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.core.state import FieldValue
from turnwise.core.trace import Verdict
from turnwise.core.values import Refused, read_value
from turnwise.flow.guard import parse
from turnwise.flow.model import Field, Flow, Node, Option, Overlay, Record, Tool

FIELDS = (
    Field("t", "boolean"),
    Field("f", "boolean"),
    Field("u", "boolean"),
    Field("a", "integer"),
    Field("b", "integer"),
    Field("n", "number"),
    Field("m", "number"),
    Field("s", "string"),
    Field("p", "string"),
    Field("day", "date"),
    Field("at", "datetime"),
    Field("later", "datetime"),
    Field("clock", "time"),
    Field("span", "duration"),
    Field("wait", "duration"),
    Field("mail", "email"),
    Field("phone", "phone"),
    Field("kind", "choice", options=(Option("Red"), Option("Green", ("grün",)), Option("Blue"))),
    Field("l", "list"),
    Field("ints", "list", of="integer"),
    Field("doubles", "list", of="number"),
    Field("days", "list", of="date"),
    Field("spans", "list", of="duration"),
    Field("tags", "list", options=(Option("x"), Option("y"), Option("z"))),
    Field("d_int", "integer", default="5"),
    Field("d_zero", "integer", default=0),
    Field("d_off", "boolean", default=False),
    Field("d_text", "string", default="basic"),
    Field("d_blank", "string", default="  "),
    Field("d_day", "date", default="20.11.2026"),
    Field("d_span", "duration", default="2h"),
    Field("d_list", "list", default="one, two"),
    Field("secret", "string", secret=True),
)
TOOLS = ("think", "search", "web_search", "a", "b", "c", "d")
NODES = ("home", "away")


def flow(*fields: Field, **parts: Any) -> Flow:
    """A flow with these fields (else with those of every type) and two nodes."""
    record = Record("x", fields or FIELDS)
    tools = tuple(Tool(name) for name in TOOLS)
    nodes = tuple(Node(name, prompt="Talk.") for name in NODES)
    return Flow("f", NODES[0], records=(record,), tools=tools, **{"nodes": nodes, **parts})


@cache
def machine() -> Machine:
    """The machine with a field of every type."""
    return link(flow())


def env(**values: Any) -> Env:
    """Surroundings in which fields have these values, read as the machine reads them."""
    fields = machine().fields
    found: dict[str, FieldValue] = {}
    for name, raw in values.items():
        value = read_value(fields[f"x.{name}"], raw, machine().rules)
        assert not isinstance(value, Refused), f"{name}: {value}"
        found[f"x.{name}"] = FieldValue(value, "command", 1, 0)
    return Env(found, Recorded({}))


def verdict(guard: str, **values: Any) -> bool | str | None:
    """True, false, `None` for unknown, or `error` with the reason."""
    test = Compiler(machine().names).condition(parse(guard))
    try:
        return test(env(**values))
    except GuardFault as fault:
        return f"error: {fault}"


def verdict_tree(guard: str, **values: Any) -> Verdict:
    """The verdict as a tree."""
    return plan(parse(guard), machine().names).verdict(env(**values))


def with_overlay() -> Flow:
    """The flow with an overlay, which this version does not run."""
    return flow(overlays=(Overlay("party", starts="2026-01-01", ends="2026-01-02"),))
