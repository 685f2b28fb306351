"""Pydantic AI with pydantic-graph: an agent inside a graph; its history is kept as its documentation shows."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import common as c
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_graph import GraphBuilder, StepContext


async def model(messages: list[Any], info: AgentInfo) -> ModelResponse:
    if any(isinstance(part, UserPromptPart) for part in messages[-1].parts):
        return ModelResponse(parts=[ToolCallPart(c.TOOL_NAME, c.TOOL_ARGS_JSON)])
    return ModelResponse(parts=[TextPart(c.REPLY)])


agent = Agent(FunctionModel(model), tools=[c.lookup_order])


@dataclass
class FlowState:
    text: str
    history: list[Any]
    fields: dict[str, Any]
    result: Any = None


builder = GraphBuilder(state_type=FlowState, output_type=str)


@builder.step
async def router(ctx: StepContext[FlowState, None, None]) -> str:
    return "agent"


@builder.step
async def run_agent(ctx: StepContext[FlowState, None, Any]) -> Any:
    ctx.state.result = await agent.run(ctx.state.text, message_history=ctx.state.history or None)
    return ctx.state


@builder.step
async def leaf(ctx: StepContext[FlowState, None, Any]) -> str:
    return "x"


@builder.step
async def finish(ctx: StepContext[FlowState, None, Any]) -> str:
    return "end"


def _matches(rule: c.Rule) -> Callable[[FlowState], bool]:
    return lambda state: rule(state.fields, state.result.output)


def _turn() -> Any:
    """The turn of W1 as a graph."""
    decision = builder.decision()
    for name, rule in c.RULES:
        match = builder.match(FlowState, matches=_matches(rule))
        decision = decision.branch(match.to(finish if name == "end" else leaf))
    builder.add(
        builder.edge_from(builder.start_node).to(router),
        builder.edge_from(router).to(run_agent),
        builder.edge_from(run_agent).to(decision),
        builder.edge_from(leaf, finish).to(builder.end_node),
    )
    return builder.build()


flow = _turn()


class Adapter(c.Adapter):
    """Variant "nograph": the agent alone, with the rules in plain Python."""

    NAME = "pydantic_ai"
    STORES = ("none", "memory", "sqlite", "postgres")
    VARIANTS = ("", "nograph")
    IMPORT = "import pydantic_ai, pydantic_ai.models.function, pydantic_graph"
    PACKAGES = ("pydantic-ai-slim", "pydantic-graph", "pydantic")

    def note(self) -> str:
        return (
            "no durable store of its own: hand-written as its docs' chat example (one JSON row per run appended, "
            "all rows loaded per turn), sqlite WAL/NORMAL"
        )

    async def open(self) -> None:
        self.histories: dict[str, list[Any]] = {}
        if self.store == "memory":
            from pydantic_ai.conversation_store import InMemoryConversationStore

            self.conversations = InMemoryConversationStore()
        elif self.store == "sqlite":
            self.connection = sqlite3.connect(self.db, check_same_thread=False)
            self.connection.execute("pragma journal_mode=wal")
            self.connection.execute("pragma synchronous=normal")
            self.connection.execute("create table if not exists m(id integer primary key, sid text, body text)")
            self.connection.execute("create index if not exists mi on m(sid, id)")
        elif self.store == "postgres":
            import psycopg_pool

            self.pool = psycopg_pool.AsyncConnectionPool(c.PG_DSN, min_size=4, max_size=16, open=False)
            await self.pool.open()
            async with self.pool.connection() as connection:
                await connection.execute("create table if not exists m(id bigserial primary key, sid text, body bytea)")
                await connection.execute("create index if not exists mi on m(sid, id)")

    async def _run(self, text: str, history: list[Any]) -> Any:
        if self.variant == "nograph":
            result = await agent.run(text, message_history=history or None)
            c.evaluate_rules(c.FIELDS, result.output)
            return result
        state = FlowState(text, history, c.FIELDS)
        await flow.run(state=state)
        return state.result

    async def _history(self, sid: str) -> list[Any]:
        if self.store == "none":
            return self.histories.get(sid, [])
        rows: Any
        if self.store == "sqlite":
            rows = self.connection.execute("select body from m where sid=? order by id", (sid,)).fetchall()
        else:
            async with self.pool.connection() as connection:
                found = await connection.execute("select body from m where sid=%s order by id", (sid,))
                rows = await found.fetchall()
        history: list[Any] = []
        for (body,) in rows:
            history += ModelMessagesTypeAdapter.validate_json(body if isinstance(body, str) else bytes(body))
        return history

    async def turn(self, sid: str, text: str) -> str:
        if self.store == "memory":
            return await self._turn_of_conversation(sid, text)
        result = await self._run(text, await self._history(sid))
        if self.store == "none":
            self.histories[sid] = result.all_messages()
        elif self.store == "sqlite":
            self.connection.execute("insert into m(sid, body) values(?,?)", (sid, result.new_messages_json().decode()))
            self.connection.commit()
        else:
            async with self.pool.connection() as connection:
                await connection.execute("insert into m(sid, body) values(%s,%s)", (sid, result.new_messages_json()))
        return result.output

    async def _turn_of_conversation(self, sid: str, text: str) -> str:
        from pydantic_ai.conversation import Conversation

        conversation = await self.conversations.load(sid) or Conversation(conversation_id=sid)
        result = await agent.run(text, conversation=conversation)
        c.evaluate_rules(c.FIELDS, result.output)
        await self.conversations.save(result)
        return result.output

    async def seed(self, sid: str, turns: int) -> None:
        body = (await agent.run(c.USER_TEXT)).new_messages_json()
        if self.store == "sqlite":
            self.connection.executemany("insert into m(sid, body) values(?,?)", [(sid, body.decode())] * turns)
            self.connection.commit()
        else:
            async with self.pool.connection() as connection, connection.cursor() as cursor:
                await cursor.executemany("insert into m(sid, body) values(%s,%s)", [(sid, body)] * turns)

    async def load(self, sid: str) -> int:
        return len(await self._history(sid))

    async def close(self) -> None:
        if self.store == "sqlite":
            self.connection.close()
        elif self.store == "postgres":
            await self.pool.close()

    @staticmethod
    def compile_flow(nodes: int) -> Any:
        graph = GraphBuilder(state_type=FlowState, output_type=str)

        async def step(ctx: StepContext[FlowState, None, Any]) -> Any:
            return ctx.state

        steps = [graph.step(step, node_id=f"n{number}") for number in range(nodes)]
        edges = [
            graph.edge_from(graph.start_node).to(steps[0]),
            graph.edge_from(steps[-1]).to(graph.end_node),
        ]
        for here, there in pairwise(steps):
            on = graph.match(FlowState, matches=lambda state: True).to(there)
            out = graph.match(FlowState).to(graph.end_node)
            edges.append(graph.edge_from(here).to(graph.decision().branch(on).branch(out)))
        graph.add(*edges)
        return graph.build()

    @staticmethod
    def transition() -> tuple[Callable[[], Any], int, int]:
        """A graph that is one decision of five branches; running an empty graph of two steps is in the time."""
        loop = asyncio.new_event_loop()

        class Result:
            output = c.REPLY

        state = FlowState("x", [], c.FIELDS, Result())
        graph = GraphBuilder(state_type=FlowState, input_type=FlowState, output_type=str)

        @graph.step
        async def last(ctx: StepContext[FlowState, None, Any]) -> str:
            return "e"

        decision = graph.decision()
        for _, rule in c.RULES:
            decision = decision.branch(graph.match(FlowState, matches=_matches(rule)).to(last))
        graph.add(graph.edge_from(graph.start_node).to(decision), graph.edge_from(last).to(graph.end_node))
        built = graph.build()
        return lambda: loop.run_until_complete(built.run(state=state, inputs=state)), 1, len(c.RULES)
