"""The refund desk in Pipecat Flows: a model calls a function at each node, whose handler returns the next node.

Stand-ins for pipeline, model and context call the functions, so that the program runs without audio or an account. Run
it with a folder: `python with_pipecat.py FOLDER [kill]`. `kill` ends the process after the payment, within the turn.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import warnings
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

warnings.filterwarnings("ignore")

from loguru import logger  # noqa: E402

logger.remove()

from pipecat_flows import FlowArgs, FlowManager, FlowsFunctionSchema, NodeConfig  # noqa: E402

FOLDER = Path(sys.argv[1])
KILLS = "kill" in sys.argv
Handled = tuple[Any, NodeConfig | None]


def node(name: str, task: str, *functions: FlowsFunctionSchema, ends: bool = False) -> NodeConfig:
    """Return a node."""
    found = NodeConfig(name=name, task_messages=[{"role": "developer", "content": task}], functions=list(functions))
    if ends:
        found["post_actions"] = [{"type": "end_conversation"}]
    return found


def question(name: str, ask: str, kind: str = "string") -> NodeConfig:
    """Return the node that asks for one field."""

    async def handler(args: FlowArgs, flow: FlowManager) -> Handled:
        value = args["value"]
        if name == "order" and not re.fullmatch(r"[A-Z]-\d+", value):
            return {"status": "error", "error": "An order is a letter and a number, such as A-17."}, None
        flow.state[name] = value
        return {"status": "success"}, following(flow)

    properties = {"value": {"type": kind}}
    schema = FlowsFunctionSchema(
        name=f"save_{name}", description=f"Save: {ask}", properties=properties, required=["value"], handler=handler
    )
    return node(f"ask_{name}", ask, schema)


def following(flow: FlowManager) -> NodeConfig:
    """Return the next node: the conditions are here."""
    state = flow.state
    if "reason" not in state:
        return question("reason", "What is wrong? Damaged or Late?")
    if state["reason"] == "Damaged" and "photo" not in state:
        return question("photo", "Do you have a photo?")
    if "amount" not in state:
        return question("amount", "How much do you want back?", "number")
    if "iban" not in state:
        return question("iban", "To which account?")
    if state["amount"] > 500:
        return node("desk", "Say that a colleague will call back.", ends=True)
    ask = f"Ask: pay {state['amount']} to {state['iban']}?"
    approval = FlowsFunctionSchema(
        name="pay_out", description=ask, properties={"approved": {"type": "boolean"}}, required=["approved"], handler=pay
    )
    return node("pay", ask, approval)


async def pay(args: FlowArgs, flow: FlowManager) -> Handled:
    """Pay if the model says that the user approves. A payment is a line in a file."""
    if not args["approved"]:
        return {"status": "declined"}, node("sorry", "Say that nothing was paid.", ends=True)
    with (FOLDER / "payments.txt").open("a", encoding="utf-8") as file:
        file.write(f"{flow.state['amount']} to {flow.state['iban']}\n")
    if KILLS:
        os._exit(9)
    return {"status": "success"}, node("paid", "Say that the money is on its way.", ends=True)


class Model:
    """Stands for pipeline and model: keeps the functions that the flow sends, and calls one where it is told to."""

    def __init__(self) -> None:
        self.functions: dict[str, Any] = {}

    async def queue_frames(self, frames: list[Any]) -> None:
        """Read what would go through the pipeline."""
        for frame in frames:
            if hasattr(frame, "tools"):
                offered = getattr(frame.tools, "standard_tools", ())
                self.functions = {one.name: one.handler for one in offered}

    async def queue_frame(self, _frame: Any) -> None:
        """Leave out what would be spoken, or end the call."""

    async def call(self, name: str, **arguments: Any) -> None:
        """Call a function as a model's reply would, and make the move that follows."""

        async def done(_result: Any, *, properties: Any = None) -> None:
            if properties is not None and properties.on_context_updated is not None:
                await properties.on_context_updated()

        await self.functions[name](MagicMock(arguments=arguments, result_callback=done))


async def main() -> None:
    """Play the conversation; one that was killed can only begin anew."""
    model, context, worker = Model(), MagicMock(), MagicMock()
    worker.queue_frames, worker.queue_frame = model.queue_frames, model.queue_frame
    context.assistant.return_value.has_function_calls_in_progress = False
    flow = FlowManager(worker=worker, llm=MagicMock(), context_aggregator=context)
    await flow.initialize(question("order", "Which order?"))
    if (FOLDER / "payments.txt").exists():
        print("killed; the state is:", dict(flow.state), "at", flow.current_node)
    for name, value in {"order": "A-17", "reason": "Damaged", "photo": "yes", "amount": 40, "iban": "DE89"}.items():
        print(flow.current_node)
        await model.call(f"save_{name}", value=value)
    print(flow.current_node)
    await model.call("pay_out", approved=True)
    print(flow.current_node)
    print("payments:", (FOLDER / "payments.txt").read_text("utf-8").splitlines())


if __name__ == "__main__":
    asyncio.run(main())
