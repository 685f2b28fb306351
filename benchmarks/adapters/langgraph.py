"""LangGraph: a state graph; its checkpointers write a checkpoint per superstep."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

import common as c
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.channels import DeltaChannel
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph

# the turn of W1 ----------------------------------------------------------------------------------


def _append(state: list[Any], writes: list[list[Any]]) -> list[Any]:
    return state + [message for write in writes for message in write]


class State(TypedDict, total=False):
    messages: Annotated[list, add_messages]
    fields: dict
    route: str
    outcome: str


class DeltaState(TypedDict, total=False):
    messages: Annotated[list, DeltaChannel(_append)]
    fields: dict
    route: str
    outcome: str


async def router(state: State) -> dict[str, Any]:
    return {"route": "agent"}


async def agent(state: State) -> dict[str, Any]:
    if state["messages"][-1].type == "human":
        return {"messages": [AIMessage(content="", tool_calls=[_call()])]}
    return {"messages": [AIMessage(content=c.REPLY)]}


async def tools(state: State) -> dict[str, Any]:
    call = state["messages"][-1].tool_calls[0]
    return {"messages": [ToolMessage(content=c.lookup_order(**call["args"]), tool_call_id=call["id"])]}


async def leaf(state: State) -> dict[str, Any]:
    return {"outcome": "x"}


async def pick(state: State) -> str:
    return state["route"]


async def after_agent(state: State) -> str:
    last = state["messages"][-1]
    return "tools" if last.tool_calls else c.evaluate_rules(state["fields"], last.content)


def _call() -> dict[str, Any]:
    return {"name": c.TOOL_NAME, "args": c.TOOL_ARGS, "id": "call_1", "type": "tool_call"}


def build(schema: Any = State) -> StateGraph:
    """The turn of W1 as a graph."""
    graph = StateGraph(schema)
    graph.add_node("router", router)
    graph.add_node("agent", agent)
    graph.add_node("tools", tools)
    for name, _ in c.RULES[:-1]:
        graph.add_node(name, leaf)
        graph.add_edge(name, END)
    graph.add_edge(START, "router")
    graph.add_conditional_edges("router", pick, {"agent": "agent"})
    ways = {name: name for name, _ in c.RULES[:-1]} | {"tools": "tools", "end": END}
    graph.add_conditional_edges("agent", after_agent, ways)
    graph.add_edge("tools", "agent")
    return graph


class Adapter(c.Adapter):
    """Variants: durability "exit" and "sync", and messages in a channel of deltas."""

    NAME = "langgraph"
    STORES = ("none", "memory", "sqlite", "postgres")
    VARIANTS = ("", "exit", "sync", "delta")
    IMPORT = "import langgraph.graph, langgraph.checkpoint.memory, langchain_core.messages"
    PACKAGES = (
        "langgraph",
        "langgraph-checkpoint",
        "langgraph-checkpoint-sqlite",
        "langgraph-checkpoint-postgres",
        "langchain-core",
    )

    async def open(self) -> None:
        saver: Any = None
        self.opened: Any = None
        if self.store == "memory":
            from langgraph.checkpoint.memory import InMemorySaver

            saver = InMemorySaver()
        elif self.store == "sqlite":
            from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

            self.opened = AsyncSqliteSaver.from_conn_string(self.db)
            saver = await self.opened.__aenter__()
            await saver.setup()
        elif self.store == "postgres":
            from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
            from psycopg.rows import dict_row
            from psycopg_pool import AsyncConnectionPool

            settings = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
            self.opened = AsyncConnectionPool(c.PG_DSN, min_size=4, max_size=16, open=False, kwargs=settings)
            await self.opened.__aenter__()
            saver = AsyncPostgresSaver(self.opened)
            await saver.setup()
        schema = DeltaState if self.variant == "delta" else State
        self.graph = build(schema).compile(checkpointer=saver)
        self.history: dict[str, list[Any]] = {}

    async def turn(self, sid: str, text: str) -> str:
        given: dict[str, Any] = {"messages": [HumanMessage(content=text)], "fields": c.FIELDS}
        if self.store == "none":
            given["messages"] = [*self.history.get(sid, ()), *given["messages"]]
            out = await self.graph.ainvoke(given)
            self.history[sid] = out["messages"]
        else:
            how = {"durability": self.variant} if self.variant in ("exit", "sync") else {}
            out = await self.graph.ainvoke(given, _thread(sid), **how)
        return out["messages"][-1].content

    async def seed(self, sid: str, turns: int) -> None:
        messages: list[Any] = []
        for number in range(turns):
            messages += [
                HumanMessage(content=c.USER_TEXT, id=f"h{number:032d}"),
                AIMessage(content="", tool_calls=[_call()], id=f"a{number:032d}"),
                ToolMessage(content=c.TOOL_RESULT, tool_call_id="call_1", id=f"t{number:032d}"),
                AIMessage(content=c.REPLY, id=f"b{number:032d}"),
            ]
        await self.graph.aupdate_state(_thread(sid), {"messages": messages, "fields": c.FIELDS}, as_node="agent")

    async def load(self, sid: str) -> int:
        return len((await self.graph.aget_state(_thread(sid))).values["messages"])

    async def close(self) -> None:
        if self.opened is not None:
            await self.opened.__aexit__(None, None, None)

    @staticmethod
    def compile_flow(nodes: int) -> CompiledStateGraph:
        graph = StateGraph(State)
        for number in range(nodes):
            graph.add_node(f"n{number}", router)
        graph.add_edge(START, "n0")
        for number in range(nodes - 1):
            graph.add_conditional_edges(f"n{number}", pick, {"a": f"n{number + 1}", "b": END})
        graph.add_edge(f"n{nodes - 1}", END)
        return graph.compile()


def _thread(sid: str) -> dict[str, Any]:
    return {"configurable": {"thread_id": sid}}


# the form ----------------------------------------------------------------------------------------


class FormState(TypedDict, total=False):
    text: str
    asked: int
    answers: dict
    reply: str


async def read(state: FormState) -> dict[str, Any]:
    """Take the answer, if it is one of the options."""
    options = {option.casefold(): option for option in c.OPTIONS}
    value = options.get(state["text"].strip().casefold())
    if value is None:
        return {}
    asked = state.get("asked", 0)
    return {"answers": {**state.get("answers", {}), asked: value}, "asked": asked + 1}


async def ask(state: FormState) -> dict[str, Any]:
    return {"reply": c.QUESTIONS[state["asked"]]}


async def thank(state: FormState) -> dict[str, Any]:
    return {"reply": c.THANKS}


async def after_read(state: FormState) -> str:
    return "ask" if state["asked"] < len(c.QUESTIONS) else "thank"


class FormAdapter(c.FormAdapter):
    """The same form written by hand: two nodes a turn, no help, no correction, no record of decisions."""

    NAME = "langgraph"
    STORES = ("none", "memory")
    PACKAGES = Adapter.PACKAGES

    async def open(self) -> None:
        graph = StateGraph(FormState)
        graph.add_node("read", read)
        graph.add_node("ask", ask)
        graph.add_node("thank", thank)
        graph.add_edge(START, "read")
        graph.add_conditional_edges("read", after_read, {"ask": "ask", "thank": "thank"})
        graph.add_edge("ask", END)
        graph.add_edge("thank", END)
        saver: Any = None
        if self.store == "memory":
            from langgraph.checkpoint.memory import InMemorySaver

            saver = InMemorySaver()
        self.graph = graph.compile(checkpointer=saver)
        self.states: dict[str, dict[str, Any]] = {}

    async def turn(self, sid: str, text: str) -> str:
        if self.store == "none":
            out = await self.graph.ainvoke({**self.states.get(sid, {}), "text": text})
            self.states[sid] = out
        else:
            out = await self.graph.ainvoke({"text": text}, _thread(sid))
        return out["reply"]

    def note(self) -> str:
        return "a form of two nodes written by hand: options only, no help, no correction, no record of decisions"
