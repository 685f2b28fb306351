"""CrewAI flows: methods that listen to one another; `@persist` writes the whole state after every method."""

from __future__ import annotations

import contextlib
import io
import os

os.environ.setdefault("CREWAI_DISABLE_TELEMETRY", "true")
os.environ.setdefault("OTEL_SDK_DISABLED", "true")
os.environ.setdefault("CREWAI_TRACING_ENABLED", "false")
os.environ.setdefault("CREWAI_TESTING", "true")

from typing import Any

import common as c
from crewai.flow.flow import Flow, listen, router, start
from crewai.flow.persistence import SQLiteFlowPersistence, persist
from pydantic import BaseModel, Field


class FlowState(BaseModel):
    id: str = ""
    text: str = ""
    reply: str = ""
    messages: list[dict[str, Any]] = Field(default_factory=list)
    fields: dict[str, Any] = Field(default_factory=lambda: dict(c.FIELDS))


class Turn(Flow[FlowState]):
    """The turn of W1; a flow cannot come back to a method, so the agent is there twice."""

    suppress_flow_events = True

    @start()
    def route_in(self):
        self.state.messages.append({"role": "user", "content": self.state.text})

    @listen(route_in)
    def agent1(self):
        call = {"name": c.TOOL_NAME, "args": c.TOOL_ARGS, "id": "call_1"}
        self.state.messages.append({"role": "assistant", "content": "", "tool_calls": [call]})

    @listen(agent1)
    def tools(self):
        self.state.messages.append({"role": "tool", "content": c.lookup_order(**c.TOOL_ARGS)})

    @listen(tools)
    def agent2(self):
        self.state.messages.append({"role": "assistant", "content": c.REPLY})
        self.state.reply = c.REPLY

    @router(agent2)
    def rules(self):
        return c.evaluate_rules(self.state.fields, self.state.reply)

    @listen("end")
    def done(self):
        return self.state.reply


class Adapter(c.Adapter):
    """A new flow object in every turn, as in its documentation."""

    NAME = "crewai_flow"
    STORES = ("none", "sqlite")
    IMPORT = "from crewai.flow.flow import Flow"
    PACKAGES = ("crewai",)

    def note(self) -> str:
        return (
            "agent node unrolled in two (linear flow); @persist at class level: full state after every method; "
            "events suppressed; new Flow object per turn"
        )

    async def open(self) -> None:
        self.history: dict[str, list[dict[str, Any]]] = {}
        self.flow = Turn
        if self.store == "sqlite":
            self.persistence = SQLiteFlowPersistence(self.db)
            self.flow = persist(self.persistence)(Turn)

    async def turn(self, sid: str, text: str) -> str:
        inputs: dict[str, Any] = {"id": sid, "text": text}
        if self.store == "none":
            inputs["messages"] = self.history.get(sid, [])
        with contextlib.redirect_stdout(io.StringIO()):
            flow = self.flow(suppress_flow_events=True)
            await flow.kickoff_async(inputs=inputs)
        if self.store == "none":
            self.history[sid] = flow.state.messages
        return flow.state.reply

    async def seed(self, sid: str, turns: int) -> None:
        await self.turn(sid, c.USER_TEXT)
        state = self.persistence.load_state(sid)
        state["messages"] = state["messages"] * turns
        self.persistence.save_state(sid, "done", state)

    async def load(self, sid: str) -> int:
        return len(FlowState(**self.persistence.load_state(sid)).messages)

    @staticmethod
    def compile_flow(nodes: int) -> Flow:
        members: dict[str, Any] = {"suppress_flow_events": True}
        previous = None
        for number in range(nodes):

            def method(self):
                return "a"

            method.__name__ = f"n{number}"
            previous = start()(method) if previous is None else listen(previous)(method)
            members[f"n{number}"] = previous
        return type("Chain", (Flow,), members)(suppress_flow_events=True)
