"""transitions: a finite state machine without conversations; compiling and transitions only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import common as c
from transitions import Machine


def _condition(rule: c.Rule) -> Callable[[Any], bool]:
    return lambda self: rule(self.fields, self.reply)


class Adapter(c.Adapter):
    """No turns."""

    NAME = "transitions"
    STORES = ()
    IMPORT = "import transitions"
    PACKAGES = ("transitions",)

    @staticmethod
    def compile_flow(nodes: int) -> Machine:
        class Model:
            def ok(self, *_: Any) -> bool:
                return True

        states = [f"n{number}" for number in range(nodes)] + ["end"]
        ways: list[dict[str, str]] = []
        for number in range(nodes - 1):
            here = f"n{number}"
            ways.append({"trigger": "next", "source": here, "dest": f"n{number + 1}", "conditions": "ok"})
            ways.append({"trigger": "next", "source": here, "dest": "end"})
        return Machine(Model(), states=states, transitions=ways, initial="n0", auto_transitions=False)

    @staticmethod
    def transition() -> tuple[Callable[[], Any], int, int]:
        class Model:
            fields = c.FIELDS
            reply = c.REPLY

        ways: list[dict[str, str]] = []
        for number, (_, rule) in enumerate(c.RULES):
            setattr(Model, f"rule{number}", _condition(rule))
            ways.append({"trigger": "go", "source": "agent", "dest": "agent", "conditions": f"rule{number}"})
        model: Any = Model()
        Machine(model, states=["agent"], transitions=ways, initial="agent", auto_transitions=False)
        assert model.go()
        return model.go, 1, len(c.RULES)
