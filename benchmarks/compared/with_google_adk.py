"""The refund desk in Google ADK: a model leads, tools check what it calls, and a confirmation approves the payment.

A script stands for the model, so that the program runs without an account. Run it with a folder:
`python with_google_adk.py FOLDER [kill]`. `kill` ends the process after the payment, within the turn.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
import warnings
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

from google.adk.agents import LlmAgent  # noqa: E402
from google.adk.models.base_llm import BaseLlm  # noqa: E402
from google.adk.models.llm_response import LlmResponse  # noqa: E402
from google.adk.runners import Runner  # noqa: E402
from google.adk.sessions import DatabaseSessionService  # noqa: E402
from google.adk.tools import FunctionTool, ToolContext  # noqa: E402
from google.genai import types  # noqa: E402

FOLDER = Path(sys.argv[1])
KILLS = "kill" in sys.argv
CONFIRM = "adk_request_confirmation"
ANSWERS = {"order": "A-17", "reason": "Damaged", "photo": "yes", "amount": 40, "iban": "DE89"}


def save(tool_context: ToolContext, name: str, value: str) -> dict[str, Any]:
    """Save one answer of the user: order, reason (Damaged or Late), photo (only if damaged), amount, iban."""
    if name == "order" and not re.fullmatch(r"[A-Z]-\d+", value):
        return {"error": "An order is a letter and a number, such as A-17."}
    if name == "reason" and value not in ("Damaged", "Late"):
        return {"error": "The reason is Damaged or Late."}
    tool_context.state[name] = float(value) if name == "amount" else value
    return {"saved": name}


def pay_out(tool_context: ToolContext) -> dict[str, Any]:
    """Pay the refund. A payment is a line in a file."""
    state = tool_context.state
    if missing := [name for name in ("order", "reason", "amount", "iban") if name not in state]:
        return {"error": f"still needed: {', '.join(missing)}"}
    if state["amount"] > 500:
        return {"error": "a person decides above 500: call hand_over"}
    with (FOLDER / "payments.txt").open("a", encoding="utf-8") as file:
        file.write(f"{state['amount']:g} to {state['iban']}\n")
    if KILLS:
        os._exit(9)
    return {"paid": state["amount"]}


def hand_over(tool_context: ToolContext) -> dict[str, Any]:
    """Bring in a person: who takes it over, and how they speak with the user, is the program's work."""
    tool_context.actions.escalate = True
    return {"queue": "refunds"}


class Scripted(BaseLlm):
    """Saves what the user says, field by field, and then pays."""

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncGenerator[LlmResponse, None]:
        """Yield one call or one reply."""
        parts = [part for content in llm_request.contents for part in content.parts or ()]
        saved = [one.function_call.args["name"] for one in parts if one.function_call and one.function_call.name == "save"]
        said = parts[-1].text or ""
        left = [name for name in ANSWERS if name not in saved]
        if parts[-1].function_response and parts[-1].function_response.name == "pay_out":
            part = types.Part(text="It is on its way.")
        elif said and not said.startswith("For context") and left:
            value = "Damaged" if left[0] == "reason" else said
            part = types.Part(function_call=types.FunctionCall(name="save", args={"name": left[0], "value": value}))
        elif left:
            part = types.Part(text=f"What about the {left[0]}?")
        else:
            part = types.Part(function_call=types.FunctionCall(name="pay_out", args={}))
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


async def send(runner: Runner, part: types.Part) -> types.FunctionCall | None:
    """Send one message, print what is said, and return the confirmation that is asked for."""
    asked = None
    message = types.Content(role="user", parts=[part])
    async for event in runner.run_async(user_id="u", session_id="42", new_message=message):
        for one in (event.content.parts if event.content else None) or ():
            if one.text:
                print(one.text)
            if one.function_call and one.function_call.name == CONFIRM:
                print("approval of:", one.function_call.args["originalFunctionCall"]["name"])
                asked = one.function_call
    return asked


def answer(asked: types.FunctionCall) -> types.Part:
    """Return the approval of a call."""
    response = types.FunctionResponse(id=asked.id, name=CONFIRM, response={"confirmed": True})
    return types.Part(function_response=response)


async def main() -> None:
    """Play the conversation, or go on with the one that was killed."""
    sessions = DatabaseSessionService(f"sqlite+aiosqlite:///{FOLDER / 'refund.db'}")
    tools = [FunctionTool(save), FunctionTool(pay_out, require_confirmation=True), FunctionTool(hand_over)]
    instruction = "Ask for order, reason, photo (only if damaged), amount and iban. Then pay; above 500 hand over."
    agent = LlmAgent(name="refund", model=Scripted(model="scripted"), tools=tools, instruction=instruction)
    runner = Runner(app_name="refund", agent=agent, session_service=sessions, auto_create_session=True)
    stored = await sessions.get_session(app_name="refund", user_id="u", session_id="42")
    if stored is not None:
        calls = [call for event in stored.events for call in event.get_function_calls() if call.name == CONFIRM]
        print("killed; the last event is of:", stored.events[-1].author)
        await send(runner, answer(calls[-1]))  # the program sends the approval once more
    else:
        for text in map(str, ANSWERS.values()):
            asked = await send(runner, types.Part(text=text))
        assert asked is not None
        await send(runner, answer(asked))
    print("payments:", (FOLDER / "payments.txt").read_text("utf-8").splitlines())


if __name__ == "__main__":
    asyncio.run(main())
