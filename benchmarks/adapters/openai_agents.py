"""OpenAI Agents SDK: an agent loop with sessions; it has no flow of its own."""

from __future__ import annotations

import itertools
from typing import Any

import common as c
from agents import Agent, ModelResponse, Runner, SQLiteSession, Usage, function_tool, set_tracing_disabled
from agents.models.interface import Model
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

set_tracing_disabled(True)
_numbers = itertools.count(1)


class FakeModel(Model):
    """One tool call, then the reply."""

    async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> ModelResponse:
        number = next(_numbers)
        last = input if isinstance(input, str) else input[-1]
        out: Any
        if isinstance(last, str) or last.get("role") == "user":
            out = ResponseFunctionToolCall(
                id=f"fc_{number}",
                call_id=f"call_{number}",
                type="function_call",
                name=c.TOOL_NAME,
                arguments=c.TOOL_ARGS_JSON,
            )
        else:
            text = ResponseOutputText(text=c.REPLY, type="output_text", annotations=[], logprobs=[])
            out = ResponseOutputMessage(
                id=f"m_{number}", type="message", role="assistant", status="completed", content=[text]
            )
        return ModelResponse(output=[out], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


agent = Agent(name="bench", model=FakeModel(), tools=[function_tool(c.lookup_order)])


class Adapter(c.Adapter):
    """Router and rules are plain Python around `Runner.run`; the session object is kept per conversation."""

    NAME = "openai_agents"
    STORES = ("none", "memory", "sqlite", "postgres")
    IMPORT = "import agents"
    PACKAGES = ("openai-agents", "openai")

    def note(self) -> str:
        return (
            "no flow of its own: router and rules are plain Python around Runner.run; session object cached per sid; "
            "tracing off; postgres = SQLAlchemySession(asyncpg)"
        )

    async def open(self) -> None:
        self.history: dict[str, list[Any]] = {}
        self.sessions: dict[str, Any] = {}
        if self.store == "postgres":
            from sqlalchemy.ext.asyncio import create_async_engine

            address = f"postgresql+asyncpg://{c.PG_USER}@/{c.PG_DB}?host={c.PG_HOST}"
            self.engine = create_async_engine(address, pool_size=16, max_overflow=0)

    def _session(self, sid: str) -> Any:
        found = self.sessions.get(sid)
        if found is None:
            if self.store == "memory":
                found = SQLiteSession(sid)
            elif self.store == "sqlite":
                found = SQLiteSession(sid, self.db)
            else:
                from agents.extensions.memory import SQLAlchemySession

                found = SQLAlchemySession(sid, engine=self.engine, create_tables=not self.sessions)
            self.sessions[sid] = found
        return found

    async def turn(self, sid: str, text: str) -> str:
        if self.store == "none":
            history = self.history.get(sid)
            given: Any = text if history is None else [*history, {"role": "user", "content": text}]
            result = await Runner.run(agent, given)
            self.history[sid] = result.to_input_list()
        else:
            result = await Runner.run(agent, text, session=self._session(sid))
        c.evaluate_rules(c.FIELDS, result.final_output)
        return result.final_output

    async def seed(self, sid: str, turns: int) -> None:
        source = self._session(sid + "-model")
        self.sessions.pop(sid + "-model")
        await Runner.run(agent, c.USER_TEXT, session=source)
        items = await source.get_items()
        session = self._session(sid)
        for done in range(0, turns, 250):
            await session.add_items(items * min(250, turns - done))

    async def load(self, sid: str) -> int:
        return len(await self._session(sid).get_items())

    async def close(self) -> None:
        for session in self.sessions.values():
            if hasattr(session, "close"):
                session.close()
        if self.store == "postgres":
            await self.engine.dispose()
