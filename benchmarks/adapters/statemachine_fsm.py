"""python-statemachine: a finite state machine without conversations; compiling and transitions only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import common as c
from statemachine import State, StateMachine


def _condition(rule: c.Rule) -> Callable[[Any], bool]:
    return lambda self: rule(c.FIELDS, c.REPLY)


class Adapter(c.Adapter):
    """No turns."""

    NAME = "python_statemachine"
    STORES = ()
    IMPORT = "import statemachine"
    PACKAGES = ("python-statemachine",)

    @staticmethod
    def compile_flow(nodes: int) -> StateMachine:
        states = {f"n{number}": State(initial=number == 0) for number in range(nodes)}
        states["end"] = State(final=True)
        event: Any = None
        for number in range(nodes):
            here = states[f"n{number}"]
            ways = here.to(states["end"])
            if number < nodes - 1:
                ways = here.to(states[f"n{number + 1}"], cond="ok") | ways
            event = ways if event is None else event | ways
        return type("Chain", (StateMachine,), {**states, "next": event, "ok": lambda self: True})()

    @staticmethod
    def transition() -> tuple[Callable[[], Any], int, int]:
        agent, other = State(initial=True), State()
        members: dict[str, Any] = {"agent": agent, "other": other, "back": other.to(agent)}
        event: Any = None
        for number, (name, rule) in enumerate(c.RULES):
            members[f"rule{number}"] = _condition(rule)
            way = agent.to(agent if name == "end" else other, cond=f"rule{number}")
            event = way if event is None else event | way
        machine = type("Rules", (StateMachine,), {**members, "go": event})()
        machine.send("go")
        return machine.go, 1, len(c.RULES)
