"""What happens in some nodes, played in a flow of these nodes alone, and inside a scope that is opened in several ways."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from io import StringIO
from typing import Any, NamedTuple

from msgspec.structs import replace
from ruamel.yaml import YAML

from support.chats import flow_of
from support.tools import Stage
from turnwise.api.open import open as open_flow
from turnwise.core.addresses import local_name
from turnwise.core.commands.allowed_input import AllowedInput
from turnwise.core.prompts.markers import APPLICATION
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.commands import AnyCommand
from turnwise.flow.model import Flow
from turnwise.models.scripted import Planned, call
from turnwise.runner.result import Turn
from turnwise.understanding import understand

WAYS = ("entered", "called", "by tool", "nested")
"""How the scope is opened."""
BEGIN = "let us begin"
BACK = "Now back to our talk."
"""What the model of the node around says when the scope was closed."""
_PLACES = {"entered": "task/", "called": "task/", "by tool": "task/", "nested": "around/task/", "": ""}


class Case(NamedTuple):
    """What is played: the nodes, the first of them, what they need, and the script."""

    nodes: str
    script: Callable[[Played], object]
    start: str = "a"
    records: str = ""
    tools: str = ""
    does: Mapping[str, Any] = {}
    flow: str = ""
    """More keys of the flow."""
    scope: str = ""
    """More keys of the scope."""


def flow_in(case: Case, way: str) -> Flow:
    """Return the flow with the nodes of a case inside a scope that is opened in a way; without a way, at the top."""
    nodes, records = _read(case.nodes), _read(case.records)
    inside = {
        "start": case.start,
        "nodes": nodes,
        "records": records,
        "returns": "kept",
        "summary": "The task is over.",
    }
    task = {"description": "the task", "scope": {**inside, **_read(case.scope)}}
    talk = {"prompt": "Talk.", "transitions": [{"id": "begin", "at": "before", "when": f"message.text == '{BEGIN}'"}]}
    return flow_of(json.dumps(_document(case, way, task, talk)))


def _document(case: Case, way: str, task: dict[str, Any], talk: dict[str, Any]) -> dict[str, Any]:
    inside, begin = task["scope"], talk["transitions"][0]
    nodes: dict[str, Any] = {"talk": talk}
    records: dict[str, Any] = {"kept": {"value": "string"}}
    match way:
        case "entered":
            begin["to"], nodes["task"] = "task", task | {"transitions": [{"to": "talk"}]}
        case "called":
            begin["call"], nodes["task"] = "task", task
        case "by tool":
            nodes["talk"] = {"prompt": "Talk.", "tools": {"allow": ["open_task"]}}
            nodes["task"] = task
        case "nested":
            around = {"start": "task", "nodes": {"task": task}, "returns": "kept", "summary": "All is over."}
            begin["call"], nodes["around"] = "around", {"scope": around}
        case _:
            begin["to"] = case.start
            nodes |= inside["nodes"]
            records |= inside["records"]
    return {
        "flow": "crossed",
        "start": "talk",
        "records": records,
        "tools": _read(case.tools),
        "nodes": nodes,
        **_read(case.flow),
    }


@cache
def _read(text: str) -> Mapping[str, Any]:
    """Return what a part of a case says; tests share it, and nothing changes it."""
    found: Any = YAML(typ="safe").load(StringIO(text))  # pyright: ignore[reportUnknownMemberType]
    return found or {}


def by_rules(message: str, allowed: AllowedInput) -> Sequence[AnyCommand]:
    """Understand a message by the rules, as if no model spoke."""
    return understand(message, replace(allowed, has_model=False))


class Played:
    """A case that is played in one way; `seen` has what each turn showed, with the names that hold inside."""

    def __init__(self, case: Case, way: str, meanwhile: Callable[[Played], object] = lambda _: None) -> None:
        self.case, self.way = case, way
        self.prefix = _PLACES[way]
        self.stage = Stage(flow_in(case, way), tools=case.does)
        self.stage.app.runtime.performer.understand = by_rules
        self.meanwhile = meanwhile
        """What happens before each turn inside."""
        self.times = 0
        self.undoes = False
        """Whether opening and closing are taken back once, and done again."""
        self.seen: list[dict[str, Any]] = []
        self.turn: Any = None

    @property
    def model(self) -> Any:
        return self.stage.model

    @property
    def state(self) -> State:
        return self.stage.state()

    def reopen(self, flow: Flow) -> None:
        """Go on in another app on the same store, with a flow."""
        old = self.stage
        app = open_flow(flow, store=old.store, model=old.model, understand=by_rules, clock=old.clock)
        self.stage = object.__new__(Stage)
        vars(self.stage).update({**vars(old), "app": app, "chat": app.chat(old.chat.name)})
        app.runtime.performer.tools = old.tools

    def name(self, local: str) -> str:
        """Return the address of a node or field that stands inside."""
        return f"{self.prefix}{local}"

    def open(self, *replies: Planned) -> Turn:
        """Begin, with what the model replies inside. What is said of the message that began is not compared."""
        plan = [call("open_task")] if self.way == "by tool" else []
        if self.undoes:
            self.stage.start()
            before = self.state
            self.model.plan.extend([*plan, *replies])
            self.stage.say(BEGIN)
            self.stage.undo()
            assert (self.state.node, self.state.outer, self.state.values) == ("talk", (), before.values)
        self.model.plan.extend([*plan, *replies])
        turn = self.take("say", BEGIN)
        assert turn.refused is None
        self.seen[-1] = {name: self.seen[-1][name] for name in ("node", "values", "timers", "waits")}
        assert len(turn.state.outer) == {"": 0, "nested": 2}.get(self.way, 1)
        return turn

    def say(self, text: str, *replies: Planned) -> Turn:
        """Say something inside."""
        self.model.plan.extend(replies)
        return self.take("say", text)

    def take(self, what: str, *args: Any, **more: Any) -> Turn:
        """Take a turn by a method of the chat, and keep what it showed."""
        if self.seen:
            self.times += 1
            self.meanwhile(self)
        self.turn = turn = getattr(self.stage, what)(*args, **more)
        self.seen.append(self.shown(turn))
        return turn

    def wait(self, seconds: float) -> Turn:
        """Let time pass, and fire the first timer that is due."""
        self.stage.clock.move_s(seconds)
        due = min((one for one in self.state.timers), key=lambda one: one.due_ms)
        assert due.due_ms <= self.stage.clock.now_ms()
        return self.take("fire", due.transition, visit=due.visit)

    def close(self, what: str, *args: Any, replies: tuple[Planned, ...] = (), **more: Any) -> Turn:
        """Take the turn that ends it: the scope closes, and the node around it goes on."""
        said = (*replies, BACK) if self.way else replies
        if self.undoes and self.way:
            self._close_and_undo(what, args, more, said)
        self.model.plan.extend(said)
        turn = self.take(what, *args, **more)
        last = self.seen[-1]
        if self.way:
            assert last["text"].endswith(BACK), last
            last["text"] = last["text"].removesuffix(BACK).rstrip()
        for name in ("node", "waits", "status", "values", "form", "buttons"):
            last.pop(name)
        return turn

    def _close_and_undo(
        self, what: str, args: tuple[Any, ...], more: dict[str, Any], replies: tuple[Planned, ...]
    ) -> None:
        """Close it, and take that back: the frames and values are those from before."""
        before = self.state
        self.model.plan.extend(replies)
        getattr(self.stage, what)(*args, **more)
        assert not self.state.outer
        self.stage.undo()
        after = self.state
        assert [(one.node, one.id, one.scope) for one in after.frames] == [
            (one.node, one.id, one.scope) for one in before.frames
        ]
        assert [dict(one.tools.counts) for one in after.outer] == [dict(one.tools.counts) for one in before.outer]
        assert {key: one.value for key, one in after.values.items()} == {
            key: one.value for key, one in before.values.items()
        }

    def shown(self, turn: Turn) -> dict[str, Any]:
        """Return what a turn showed and did, with the names inside."""
        state, now_ms = turn.state, self.stage.clock.now_ms()
        events = [one.event for one in turn.entries]
        return {
            "text": turn.text,
            "refused": turn.refused,
            "node": local_name(state.node),
            "status": turn.status,
            "buttons": [button.label for button in turn.buttons],
            "form": state.frame.form.status if state.frame.form is not None else None,
            "said": [one.kind for one in events if isinstance(one, e.Said) and one.text != BACK],
            "commands": [
                (type(one).__name__, one.command)
                for one in events
                if isinstance(one, e.CommandRefused | e.CommandApplied)
            ],
            "warnings": [one.code for one in turn.events if isinstance(one, e.Warned)],
            "waits": [(one.tool, one.arguments) for one in state.waiting_calls],
            "person": (state.person.queue, state.person.operator) if state.person is not None else None,
            "values": {
                key.removeprefix(self.prefix): (found.value, found.how)
                for key, found in state.values.items()
                if key.startswith(self.prefix) and (not self.way or "/" in key)
            },
            "timers": [(one.transition, round((one.due_ms - now_ms) / 1000)) for one in state.timers],
        }


def crossed(
    case: Case, way: str, meanwhile: Callable[[Played], object] = lambda _: None, *, undoes: bool = False
) -> Played:
    """Play a case in a way and at the top; fail where it showed something else. Return it with its scope closed.
    `meanwhile` happens to both before each turn. With `undoes` opening and closing are undone, and done again.
    """
    plain, inner = Played(case, "", meanwhile), Played(case, way, meanwhile)
    inner.undoes = plain.undoes = undoes
    case.script(plain)
    case.script(inner)
    for number, (expected, found) in enumerate(zip(plain.seen, inner.seen, strict=True)):
        unlike = {key: (expected[key], found[key]) for key in expected if expected[key] != found[key]}
        assert not unlike, f"turn {number} of {way}: {unlike}"
    assert inner.stage.replay()
    around = [
        one.text for one in inner.stage.transcript() if one.role == "user" and not one.text.startswith(APPLICATION)
    ]
    assert around in ([BEGIN], []), "what is said inside stays inside"
    for name, tool in plain.stage.tools.items():
        assert inner.stage.tools[name].calls == tool.calls, name
    return inner
