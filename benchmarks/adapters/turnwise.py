"""turnwise: turns with a tool call, turns of a form, a large flow, and five guards judged with their verdicts recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import common as c

import turnwise as tw
from turnwise.api.app import App
from turnwise.api.open import open as open_flow
from turnwise.core.state import events as e
from turnwise.core.state.effects import AnyEffect, CallModel, RunTool
from turnwise.core.explain.decision import explain
from turnwise.core.state.fold import fold
from turnwise.core.guards import env_of
from turnwise.core.decision.judge import judge, read_all
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.core.state.effects import Call
from turnwise.core.prompts import ModelRequest
from turnwise.core.state import State
from turnwise.core.trace import Decision
from turnwise.core.turn import Refusal, Step
from turnwise.flow.model import Collect, Field, Flow, Form, FormField, Node, Option, Record, Transition
from turnwise.models.no_model import NoModel
from turnwise.runner.clocks import SystemClock
from turnwise.runner.loop import run_turn
from turnwise.runner.perform import Performer
from turnwise.runner.services import Task
from turnwise.runner.model_port import CallMade, ModelReply

# five guards -------------------------------------------------------------------------------------

RULES = {
    "escalate": "user.angry == true",
    "collect_age": "!has(user.age)",
    "collect_name": '!has(user.name) || user.name == ""',
    "upsell": 'user.plan == "pro" && user.age >= 65',
    "end": "user.age >= 38 && has(user.name) && size(message.text) > 0",
}
"""The rules of the shared fixture, in the guard language."""

USER = Record(
    "user",
    (
        Field("age", type="integer"),
        Field("name"),
        Field("plan", type="choice", options=(Option("basic"), Option("pro"))),
        Field("angry", type="boolean"),
    ),
)
FIELDS: dict[str, Any] = {f"user.{name}": c.FIELDS[name] for name in ("age", "name", "plan", "angry")}


class Guards(NamedTuple):
    """A linked flow with the five guards, and a state in which only the last one holds."""

    machine: Machine
    state: State

    def decide(self) -> e.Decided:
        """Judge the guards and record the verdicts, as a turn does it."""
        candidates = self.machine.candidates("agent", "before")
        judgement = judge(candidates, env_of(self.state), self.machine, self.state)
        return e.Decided(
            node="agent",
            moment="before",
            outcomes=judgement.outcomes,
            taken=judgement.winner,
            reads=read_all(candidates, self.state),
        )

    def explainer(self) -> Callable[[], Decision]:
        """A function that tells the decision in full, from its entry in the journal."""
        entry = e.Entry(self.state.seq + 1, self.state.turn, self.state.at_ms, self.decide())
        texts = {self.state.doing.seq: c.USER_TEXT} if self.state.doing is not None else {}
        return lambda: explain(self.machine, entry, "conversation", texts)


def guards() -> Guards:
    """The five guards at one node."""
    ways = tuple(Transition(name, at="before", when=when, because=name, to=name) for name, when in RULES.items())
    agent = Node("agent", prompt="Help.", collect=Collect(tuple(FIELDS)), transitions=ways)
    ends = tuple(Node(name, say="Done.", end=name) for name in RULES)
    machine = link(Flow("guards", start="agent", records=(USER,), nodes=(agent, *ends)))
    events: list[e.AnyEvent] = [
        e.Started("guards", 1, machine.fingerprint, "agent"),
        e.UserSaid(c.USER_TEXT),
        *(e.FieldSet(address, value, "understood", 0.9) for address, value in FIELDS.items()),
    ]
    state: State | None = None
    for seq, event in enumerate(events, 1):
        state = fold(state, e.Entry(seq, 1, 1_790_000_000_000, event))
    assert state is not None
    found = Guards(machine, state)
    assert found.decide().outcomes == "fffft"
    return found


# a large flow ------------------------------------------------------------------------------------


def large_flow(nodes: int) -> Flow:
    """A chain of nodes, each with a guard of its own for the way on, and a way out."""
    case = Record("case", (Field("amount", type="integer"), Field("kind")))
    chain = [
        Node(
            f"n{number}",
            say=f"Step {number}.",
            transitions=(
                Transition(f"on{number}", when=_guard(number), because=f"rule {number}", to=f"n{number + 1}"),
                Transition(f"out{number}", end="left"),
            ),
        )
        for number in range(nodes - 1)
    ]
    return Flow("large", start="n0", records=(case,), nodes=(*chain, Node(f"n{nodes - 1}", say="End.", end="done")))


def large_text(nodes: int) -> str:
    """The same flow as an author would write it in YAML."""
    return "\n".join(_lines(nodes)) + "\n"


def _lines(nodes: int) -> Iterator[str]:
    yield "flow: large\nstart: n0\nrecords:\n  case:\n    amount: {type: integer}\n    kind: {type: string}\nnodes:"
    for number in range(nodes - 1):
        yield f"  n{number}:\n    say: Step {number}.\n    transitions:"
        yield f"      - id: on{number}\n        when: {_guard(number)}"
        yield f"        because: rule {number}\n        to: n{number + 1}"
        yield f"      - {{id: out{number}, end: left}}"
    yield f"  n{nodes - 1}:\n    say: End.\n    end: done"


def _guard(number: int) -> str:
    return f'case.amount >= {number} && case.kind != "kind {number}"'


# the form ----------------------------------------------------------------------------------------


def form_flow(*, with_guards: bool = False) -> Flow:
    """Ten questions with three options each, and thanks when all are answered.

    `with_guards`: beside that, five rules that do not hold are judged before each answer counts.
    """
    options = tuple(Option(option) for option in c.OPTIONS)
    names = [f"question_{number}" for number in range(1, 11)]
    case = Record("case", tuple(Field(name, type="choice", options=options) for name in names))
    questions = zip(names, c.QUESTIONS, strict=True)
    fields = tuple(FormField(f"case.{name}", ask=question) for name, question in questions)
    rules = {**RULES, "end": 'user.age >= 38 && user.plan == "pro"'} if with_guards else {}
    ways = tuple(Transition(name, at="before", when=when, to=name) for name, when in rules.items())
    done = Transition("done", when='form.status == "confirmed"', to="thanks")
    ask = Node("ask", form=Form(fields), set=_written(FIELDS) if with_guards else {}, transitions=(*ways, done))
    ends = tuple(Node(name, say="Done.", end=name) for name in rules)
    nodes = (ask, Node("thanks", say=c.THANKS, end="done"), *ends)
    return Flow("form", start="ask", records=(case, USER) if with_guards else (case,), nodes=nodes)


def _written(values: dict[str, Any]) -> dict[str, Any]:
    return {address: f'"{value}"' if isinstance(value, str) else value for address, value in values.items()}


class _Host:
    """One conversation without a store: its state is all that is kept, and what its model is shown."""

    def __init__(self, machine: Machine, performer: Performer, sid: str) -> None:
        self.machine = machine
        self.performer = performer
        self.sid = sid
        self.state: State | None = None
        self.entries: list[e.Entry] = []

    async def load(self) -> State | None:
        self.entries = []
        return self.state

    async def perform(self, effect: AnyEffect, state: State, *, again: bool = False) -> e.ResultEvent:
        return await self.performer.perform(effect, Task(self.machine, self.sid, state, self.entries, again=again))

    async def commit(self, step: Step) -> None:
        self.state = step.state
        self.entries += step.entries

    async def turn(self, clock: SystemClock, event: e.OutsideEvent | None) -> str:
        """One turn; gives what was said."""
        done = await run_turn(self.machine, self, clock, event)
        assert not isinstance(done, Refusal)
        self.performer.windows.add_turn(self.machine, self.sid, *done)
        return "\n\n".join([entry.event.text for entry in done[1] if isinstance(entry.event, e.Said)])


class _Answering(_Host):
    """A host of the core alone: it is model and tool itself, so nothing is shown to a model, timed or checked."""

    async def perform(self, effect: AnyEffect, state: State, *, again: bool = False) -> e.ResultEvent:
        match effect:
            case CallModel(id=id_):
                is_first = state.doing is not None and state.doing.model_calls == 1
                call = Call(f"{id_}-1", c.TOOL_NAME, c.TOOL_ARGS)
                return e.ModelReplied(id_, calls=(call,)) if is_first else e.ModelReplied(id_, c.REPLY)
            case RunTool(id=id_, tool=tool, arguments=arguments):
                return e.ToolReturned(id_, tool, c.lookup_order(**arguments), call=effect.call)
            case _:
                raise AssertionError(f"nothing else is asked for, but for {effect}")


class _NoStore:
    """Where nothing is kept, nothing was said before."""

    async def window(self, conversation: str, after: int, limit: int, frame: int | None = None) -> tuple[e.Entry, ...]:
        return ()


class _Turns(c.Adapter):
    """Turns of a flow. Store "none": the loop of a turn, and a dict of states and transcripts; "memory" and "sqlite":
    `turnwise.open` and `say`.
    """

    NAME = "turnwise"
    STORES = ("none", "memory", "sqlite")
    PACKAGES = ("turnwise",)
    model: FakeModel | None = None
    address = ""
    """Of another store, such as a database."""

    def flow(self) -> Flow:
        """The flow that is played."""
        raise NotImplementedError

    async def open(self) -> None:
        self.machine = link(self.flow())
        self.clock = SystemClock()
        self.hosts: dict[str, _Host] = {}
        address = f"sqlite:///{self.db}" if self.store == "sqlite" else self.address or "memory://"
        self.app: App = open_flow(self.machine, store=address, model=self.model)
        tools = self.app.runtime.performer.tools
        nothing: Any = _NoStore()
        self.performer = Performer(nothing, self.model or NoModel(self.machine.language), None, self.clock, tools)

    async def close(self) -> None:
        await self.app.close()

    async def turn(self, sid: str, text: str) -> str:
        if self.store != "none":
            return (await self.app.chat(sid).say(text)).text
        return await self.host(sid).turn(self.clock, e.UserSaid(text))

    def host(self, sid: str) -> _Host:
        """The host of a conversation without a store."""
        found = self.hosts.get(sid)
        if found is None:
            kind = _Answering if self.variant == "core" else _Host
            found = self.hosts[sid] = kind(self.machine, self.performer, sid)
        return found


class FormAdapter(_Turns, c.FormAdapter):
    """The form."""

    VARIANTS = ("", "guards")

    def flow(self) -> Flow:
        return form_flow(with_guards=self.variant == "guards")

    async def begin(self, sid: str) -> None:
        if self.store != "none":
            assert (await self.app.chat(sid).start()).text == c.QUESTIONS[0]
        else:
            await self.host(sid).turn(self.clock, None)

    def note(self) -> str:
        return "a form's answers, no tool call; every event and verdict recorded; no store, in memory, or SQLite FULL"


# the turn of W1 ----------------------------------------------------------------------------------


class FakeModel:
    """Asks for the tool when the user has spoken, and answers when its result is there, or nothing was said yet."""

    async def reply(self, request: ModelRequest) -> ModelReply:
        if request.transcript and request.transcript[-1].role == "user":
            return ModelReply(calls=(CallMade(c.TOOL_NAME, c.TOOL_ARGS),))
        return ModelReply(c.REPLY)


@tw.tool
async def lookup_order(order_id: str, fields: list[str]) -> str:
    """Look up the state of an order."""
    return c.lookup_order(order_id, fields)


def order_flow() -> Flow:
    """Router, agent with a tool, and five rules after its reply. The last one leads back to the router, with the next
    message. What is known of the user is written when the conversation begins.
    """
    rules = {name: Transition(name, when=when, to=name) for name, when in RULES.items()}
    rules["end"] = Transition("end", when=RULES["end"], to="router", reply="next")
    known = Node("known", set=_written(FIELDS), transitions=(Transition("begin", at="before", to="router"),))
    router = Node("router", transitions=(Transition("route", at="before", to="agent"),))
    policy = tw.ToolPolicy(allow=[lookup_order])
    agent = Node("agent", prompt="Help with orders.", tools=policy, transitions=tuple(rules.values()))
    ends = tuple(Node(name, say="Done.", end=name) for name in RULES if name != "end")
    return Flow("orders", start="known", records=(USER,), tools=[lookup_order], nodes=(known, router, agent, *ends))


class Adapter(_Turns):
    """The turn of W1; compiling and transitions. Variant "core": the machine alone, without a runner for model and tool."""

    VARIANTS = ("", "core")
    IMPORT = "import turnwise; turnwise.open, turnwise.load; from turnwise import understanding; from turnwise.models import no_model"
    model = FakeModel()

    def flow(self) -> Flow:
        return order_flow()

    async def seed(self, sid: str, turns: int) -> None:
        for _ in range(turns):
            await self.turn(sid, c.USER_TEXT)

    async def load(self, sid: str) -> int:
        """What the next turn needs: the state, and the messages that the model is shown."""
        state = await self.app.runtime.engine.turns.finish(sid)
        assert isinstance(state, State)
        said = e.Entry(state.seq + 1, state.turn + 1, state.at_ms, e.UserSaid(c.USER_TEXT))
        windows = self.app.runtime.performer.windows
        return len(await windows.messages(self.machine, sid, state, [said])) - 1

    def note(self) -> str:
        return (
            "every event, verdict and prompt's hash recorded; what is known of the user is written once, not with every"
            " turn; no store, in memory, or SQLite FULL"
        )

    @staticmethod
    def compile_flow(nodes: int) -> Machine:
        return link(large_flow(nodes))

    @staticmethod
    def transition() -> tuple[Callable[[], Any], int, int]:
        return guards().decide, 1, len(RULES)


assert tw.__version__
