"""Burr: a graph of actions; its own persisters write the whole state after every action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import common as c
from burr.core import Application, ApplicationBuilder, State, action, default
from burr.core.action import Condition
from burr.core.application import PRIOR_STEP


@action(reads=["messages"], writes=["messages", "route"])
async def router(state: State, text: str) -> State:
    return state.append(messages={"role": "user", "content": text}).update(route="agent")


@action(reads=["messages"], writes=["messages", "pending", "reply"])
async def agent(state: State) -> State:
    if state["messages"][-1]["role"] == "user":
        call = {"name": c.TOOL_NAME, "args": c.TOOL_ARGS, "id": "call_1"}
        message = {"role": "assistant", "content": "", "tool_calls": [call]}
        return state.append(messages=message).update(pending=True, reply="")
    return state.append(messages={"role": "assistant", "content": c.REPLY}).update(pending=False, reply=c.REPLY)


@action(reads=["messages"], writes=["messages"])
async def tools(state: State) -> State:
    call = state["messages"][-1]["tool_calls"][0]
    result = c.lookup_order(**call["args"])
    return state.append(messages={"role": "tool", "tool_call_id": call["id"], "content": result})


@action(reads=[], writes=["outcome"])
async def done(state: State) -> State:
    return state.update(outcome="end")


@action(reads=[], writes=["outcome"])
async def leaf(state: State) -> State:
    return state.update(outcome="x")


def _condition(rule: c.Rule) -> Condition:
    return Condition.lmda(lambda state: rule(state["fields"], state["reply"]), ["fields", "reply"])


CONDITIONS = [(name, _condition(rule)) for name, rule in c.RULES]
PENDING = Condition.lmda(lambda state: state["pending"], ["pending"])
START = {"messages": [], "fields": c.FIELDS, "route": "", "reply": "", "pending": False, "outcome": ""}


def builder() -> ApplicationBuilder:
    """The turn of W1 as a graph."""
    leaves = {name: leaf for name, _ in c.RULES[:-1]}
    ways: list[tuple[Any, ...]] = [("router", "agent", default), ("agent", "tools", PENDING)]
    ways += [("agent", "done" if name == "end" else name, condition) for name, condition in CONDITIONS]
    ways += [("tools", "agent", default), ("done", "router", default)]
    ways += [(name, "router", default) for name in leaves]
    actions = {"router": router, "agent": agent, "tools": tools, "done": done, **leaves}
    return ApplicationBuilder().with_actions(**actions).with_transitions(*ways)


class Adapter(c.Adapter):
    """The application is kept in memory between turns; variant "rebuild": built and loaded in every turn."""

    NAME = "burr"
    STORES = ("none", "memory", "sqlite", "postgres")
    VARIANTS = ("", "rebuild")
    IMPORT = "import burr.core"
    PACKAGES = ("apache-burr",)

    async def open(self) -> None:
        self.persister: Any = None
        self.applications: dict[str, Application] = {}
        if self.store == "memory":
            from burr.core.persistence import InMemoryPersister

            self.persister = InMemoryPersister()
        elif self.store == "sqlite":
            from burr.integrations.persisters.b_aiosqlite import AsyncSQLitePersister

            self.persister = await AsyncSQLitePersister.from_values(self.db)
            await self.persister.initialize()
        elif self.store == "postgres":
            from burr.integrations.persisters.b_asyncpg import AsyncPostgreSQLPersister

            AsyncPostgreSQLPersister._pool = None
            self.persister = await AsyncPostgreSQLPersister.from_values(
                db_name=c.PG_DB,
                user=c.PG_USER,
                password="",
                host=c.PG_HOST,
                port=5432,
                use_pool=True,
                min_size=4,
                max_size=16,
            )
            await self.persister.initialize()

    async def _application(self, sid: str) -> Application:
        made = builder().with_identifiers(app_id=sid, partition_key="bench")
        if self.persister is None:
            made = made.with_state(**START).with_entrypoint("router")
        else:
            made = made.initialize_from(
                self.persister, resume_at_next_action=True, default_state=START, default_entrypoint="router"
            ).with_state_persister(self.persister)
        return made.build() if self.store in ("none", "memory") else await made.abuild()

    async def turn(self, sid: str, text: str) -> str:
        application = self.applications.get(sid)
        if application is None:
            application = await self._application(sid)
            if self.variant != "rebuild":
                self.applications[sid] = application
        _, _, state = await application.arun(halt_after=["done"], inputs={"text": text})
        return state["reply"]

    async def seed(self, sid: str, turns: int) -> None:
        call = {"name": c.TOOL_NAME, "args": c.TOOL_ARGS, "id": "call_1"}
        one = [
            {"role": "user", "content": c.USER_TEXT},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_1", "content": c.TOOL_RESULT},
            {"role": "assistant", "content": c.REPLY},
        ]
        saving = self.persister.save("bench", sid, 1, "done", State({**START, "messages": one * turns}), "completed")
        if saving is not None:
            await saving

    async def load(self, sid: str) -> int:
        return len((await self._application(sid)).state["messages"])

    async def close(self) -> None:
        if self.store in ("sqlite", "postgres"):
            await self.persister.cleanup()
            if self.store == "postgres" and getattr(self.persister, "pool", None):
                await self.persister.pool.close()

    @staticmethod
    def compile_flow(nodes: int) -> Application:
        ways: list[tuple[Any, ...]] = []
        for number in range(nodes - 1):
            ways.append((f"n{number}", f"n{number + 1}", PENDING))
            ways.append((f"n{number}", f"n{nodes - 1}", default))
        actions = {f"n{number}": leaf for number in range(nodes)}
        made = ApplicationBuilder().with_actions(**actions).with_transitions(*ways)
        return made.with_state(**START).with_entrypoint("n0").build()

    @staticmethod
    def transition() -> tuple[Callable[[], Any], int, int]:
        ways = [("a", name, condition) for name, condition in CONDITIONS]
        application = (
            ApplicationBuilder()
            .with_actions(a=leaf, **{name: leaf for name, _ in c.RULES})
            .with_transitions(*ways)
            .with_state(**{**START, "reply": c.REPLY, PRIOR_STEP: "a"})
            .with_entrypoint("a")
            .build()
        )
        graph = application.graph
        state = application.state.update(**{PRIOR_STEP: "a"})
        assert graph.get_next_node("a", state, "a").name == "end"
        return lambda: graph.get_next_node("a", state, "a"), 1, len(c.RULES)
