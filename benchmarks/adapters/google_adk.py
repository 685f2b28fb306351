"""Google ADK: an `LlmAgent` with a tool under its `Runner`; its session services keep the events."""

from __future__ import annotations

import logging
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

from itertools import pairwise  # noqa: E402
from typing import Any  # noqa: E402

import common as c  # noqa: E402
from google.adk.agents import LlmAgent  # noqa: E402
from google.adk.models.base_llm import BaseLlm  # noqa: E402
from google.adk.models.llm_response import LlmResponse  # noqa: E402
from google.adk.runners import Runner  # noqa: E402
from google.genai import types  # noqa: E402

APP, USER = "bench", "u"


class Model(BaseLlm):
    """One tool call, then the reply."""

    async def generate_content_async(self, llm_request: Any, stream: bool = False):
        last = llm_request.contents[-1].parts[-1]
        if last.function_response is None:
            part = types.Part(function_call=types.FunctionCall(name=c.TOOL_NAME, args=c.TOOL_ARGS))
        else:
            part = types.Part(text=c.REPLY)
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


class Adapter(c.Adapter):
    """The agent loop is ADK's; router and rules are plain Python."""

    NAME = "google_adk"
    STORES = ("memory", "sqlite", "postgres")
    IMPORT = (
        "from google.adk.agents import LlmAgent; from google.adk.runners import Runner; from google.genai import types"
    )
    PACKAGES = ("google-adk", "google-genai", "sqlalchemy")

    def note(self) -> str:
        return "LlmAgent + Runner; router and rules plain Python; DatabaseSessionService for sqlite/postgres"

    async def open(self) -> None:
        self.sessions: Any
        if self.store == "memory":
            from google.adk.sessions import InMemorySessionService

            self.sessions = InMemorySessionService()
        else:
            from google.adk.sessions import DatabaseSessionService

            sqlite = f"sqlite+aiosqlite:///{self.db}"
            postgres = f"postgresql+asyncpg://{c.PG_USER}@/{c.PG_DB}?host={c.PG_HOST}"
            self.sessions = DatabaseSessionService(sqlite if self.store == "sqlite" else postgres)
        agent = LlmAgent(name="bench", model=Model(model="fake"), tools=[c.lookup_order], instruction="You help.")
        self.runner = Runner(app_name=APP, agent=agent, session_service=self.sessions, auto_create_session=True)

    async def turn(self, sid: str, text: str) -> str:
        message = types.Content(role="user", parts=[types.Part(text=text)])
        reply = ""
        async for event in self.runner.run_async(user_id=USER, session_id=sid, new_message=message):
            if event.content and event.content.parts and event.content.parts[0].text:
                reply = event.content.parts[0].text
        c.evaluate_rules(c.FIELDS, reply)
        return reply

    async def seed(self, sid: str, turns: int) -> None:
        await self.turn(sid + "-model", c.USER_TEXT)
        source = await self.sessions.get_session(app_name=APP, user_id=USER, session_id=sid + "-model")
        session = await self.sessions.create_session(app_name=APP, user_id=USER, session_id=sid)
        for _ in range(turns):
            for event in source.events:
                copied = event.model_copy(update={"id": type(event).new_id()})
                await self.sessions.append_event(session, copied)

    async def load(self, sid: str) -> int:
        return len((await self.sessions.get_session(app_name=APP, user_id=USER, session_id=sid)).events)

    async def close(self) -> None:
        engine = getattr(self.sessions, "db_engine", None)
        if engine is not None:
            await engine.dispose()

    @staticmethod
    def compile_flow(nodes: int) -> Any:
        from google.adk.workflow import START, FunctionNode, Workflow

        def node(name: str) -> FunctionNode:
            def function(node_input: str) -> str:
                return "a"

            return FunctionNode(func=function, name=name)

        chain = [node(f"n{number}") for number in range(nodes)]
        end = node("end")
        ways = [(here, {"a": there, "b": end}) for here, there in pairwise(chain)]
        return Workflow(name="w", edges=[(START, chain[0]), *ways])
