"""turnwise: turns of a form, a large flow, and five guards judged with their verdicts recorded.

Turns with a tool call (W1) are not here, for this version runs no tools of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import common as c

import turnwise as tw
from turnwise.core import events as e
from turnwise.core.effects import AnyEffect
from turnwise.core.explain.decision import explain
from turnwise.core.fold import fold
from turnwise.core.guards.env import live
from turnwise.core.judge import judge, read_all
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.trace import Decision
from turnwise.core.turn import Refusal, Step
from turnwise.flow.model import Collect, Field, Flow, Form, FormField, Node, Option, Record, Transition
from turnwise.open import Chat
from turnwise.open import open as open_flow
from turnwise.runner.clocks import SystemClock
from turnwise.runner.loop import run_turn

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
        docket = self.machine.docket("agent", "before")
        judgement = judge(docket, live(self.state), self.machine, self.state)
        return e.Decided(
            node="agent",
            moment="before",
            outcomes=judgement.outcomes,
            taken=judgement.winner,
            reads=read_all(docket, self.state),
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
    """One conversation without a store: its state is all that is kept."""

    def __init__(self) -> None:
        self.state: State | None = None

    async def load(self) -> State | None:
        return self.state

    async def perform(self, effect: AnyEffect, state: State) -> e.ResultEvent:
        raise AssertionError(f"a form of options asks for no work, but for {effect}")

    async def commit(self, step: Step) -> None:
        self.state = step.state


class FormAdapter(c.FormAdapter):
    """The form. Store "none": the loop of a turn and a dict of states; "memory" and "sqlite": `turnwise.open` and `say`."""

    NAME = "turnwise"
    STORES = ("none", "memory", "sqlite")
    VARIANTS = ("", "guards")
    PACKAGES = ("turnwise",)

    async def open(self) -> None:
        flow = form_flow(with_guards=self.variant == "guards")
        self.machine = link(flow)
        self.clock = SystemClock()
        self.hosts: dict[str, _Host] = {}
        self.chat: Chat = open_flow(
            self.machine, store=f"sqlite:///{self.db}" if self.store == "sqlite" else "memory://"
        )

    async def close(self) -> None:
        await self.chat.close()

    async def begin(self, sid: str) -> None:
        if self.store != "none":
            assert (await self.chat.start(sid)).text == c.QUESTIONS[0]
        else:
            await run_turn(self.machine, self.hosts.setdefault(sid, _Host()), self.clock, None)

    async def turn(self, sid: str, text: str) -> str:
        if self.store != "none":
            return (await self.chat.say(text, sid)).text
        done = await run_turn(self.machine, self.hosts[sid], self.clock, e.UserSaid(text))
        assert not isinstance(done, Refusal)
        return "\n\n".join(entry.event.text for entry in done[1] if isinstance(entry.event, e.Said))

    def note(self) -> str:
        return "a form's answers, no tool call; every event and verdict recorded; no store, in memory, or SQLite FULL"


class Adapter(c.Adapter):
    """Compiling and transitions."""

    NAME = "turnwise"
    STORES = ()
    IMPORT = "import turnwise; turnwise.open, turnwise.load; from turnwise.providers import offline, silent"
    PACKAGES = ("turnwise",)

    @staticmethod
    def compile_flow(nodes: int) -> Machine:
        return link(large_flow(nodes))

    @staticmethod
    def transition() -> tuple[Callable[[], Any], int, int]:
        return guards().decide, 1, len(RULES)


assert tw.__version__
