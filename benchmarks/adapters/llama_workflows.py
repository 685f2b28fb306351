"""LlamaIndex workflows: steps that pass events; a context that is kept as one JSON document."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import common as c
from workflows import Context, Workflow, step
from workflows.events import Event, StartEvent, StopEvent


class AgentEvent(Event):
    pass


class ToolEvent(Event):
    args: dict


class RouteEvent(Event):
    reply: str


class Turn(Workflow):
    """The turn of W1."""

    @step
    async def router(self, ctx: Context, ev: StartEvent) -> AgentEvent:
        history = await ctx.store.get("messages", default=[])
        history.append({"role": "user", "content": ev.text})
        await ctx.store.set("messages", history)
        return AgentEvent()

    @step
    async def agent(self, ctx: Context, ev: AgentEvent) -> ToolEvent | RouteEvent:
        history = await ctx.store.get("messages")
        if history[-1]["role"] == "user":
            call = {"name": c.TOOL_NAME, "args": c.TOOL_ARGS, "id": "call_1"}
            history.append({"role": "assistant", "content": "", "tool_calls": [call]})
            await ctx.store.set("messages", history)
            return ToolEvent(args=c.TOOL_ARGS)
        history.append({"role": "assistant", "content": c.REPLY})
        await ctx.store.set("messages", history)
        return RouteEvent(reply=c.REPLY)

    @step
    async def tools(self, ctx: Context, ev: ToolEvent) -> AgentEvent:
        history = await ctx.store.get("messages")
        history.append({"role": "tool", "tool_call_id": "call_1", "content": c.lookup_order(**ev.args)})
        await ctx.store.set("messages", history)
        return AgentEvent()

    @step
    async def route(self, ctx: Context, ev: RouteEvent) -> StopEvent:
        c.evaluate_rules(c.FIELDS, ev.reply)
        return StopEvent(result=ev.reply)


class Adapter(c.Adapter):
    """Store "memory" keeps the live context."""

    NAME = "llama_workflows"
    STORES = ("memory", "sqlite")
    IMPORT = "import workflows"
    PACKAGES = ("llama-index-workflows",)

    def note(self) -> str:
        return (
            "durable store hand-written as in its docs: ctx.to_dict() as one JSON row, replaced per turn, "
            "sqlite WAL/NORMAL; memory = live Context"
        )

    async def open(self) -> None:
        self.contexts: dict[str, Context] = {}
        self.workflow = Turn(timeout=None)
        if self.store == "sqlite":
            self.connection = sqlite3.connect(self.db)
            self.connection.execute("pragma journal_mode=wal")
            self.connection.execute("pragma synchronous=normal")
            self.connection.execute("create table if not exists s(sid text primary key, body text)")

    def _context(self, sid: str) -> Context:
        if self.store == "memory":
            return self.contexts.setdefault(sid, Context(self.workflow))
        row = self.connection.execute("select body from s where sid=?", (sid,)).fetchone()
        return Context(self.workflow) if row is None else Context.from_dict(self.workflow, json.loads(row[0]))

    def _save(self, sid: str, context: Any) -> None:
        self.connection.execute("insert or replace into s values(?,?)", (sid, json.dumps(context.to_dict())))
        self.connection.commit()

    async def turn(self, sid: str, text: str) -> str:
        handler = self.workflow.run(ctx=self._context(sid), text=text)
        reply = await handler
        if self.store == "sqlite":
            self._save(sid, handler.ctx)
        return reply

    async def seed(self, sid: str, turns: int) -> None:
        await self.turn(sid, c.USER_TEXT)
        context = self._context(sid)
        history = await context.store.get("messages")
        await context.store.set("messages", list(history) * turns)
        self._save(sid, context)

    async def load(self, sid: str) -> int:
        return len(await self._context(sid).store.get("messages"))

    async def close(self) -> None:
        if self.store == "sqlite":
            self.connection.close()
