"""Builds the graph of a flow. The flow need not be linked, so keys that this version does not run are drawn too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from turnwise.drawing.graph import Action, Arrow, Cluster, Graph, Kind, Note, Vertex
from turnwise.drawing.words import condition_text
from turnwise.flow.code import PythonGuard
from turnwise.flow.durations import write_duration
from turnwise.flow.model import Flow, Node, Overlay, Schedule, Scope, Transition


def graph_of(flow: Flow, guards: Iterable[PythonGuard] = ()) -> Graph:
    """Return the graph of a flow. `guards` are the functions that it names; their targets come from them."""
    found = _Building({guard.name: guard for guard in guards})
    frame = found.frame(flow.nodes, "", has_prompt=bool(flow.prompt))
    found.start(frame, flow.start)
    found.leave_all(frame, flow.nodes, flow.transitions)
    found.begin(frame, flow.commands.start)
    notes = (*map(_of_overlay, flow.overlays), *map(_of_schedule, flow.schedules))
    title = flow.title or flow.name
    return Graph(flow.name, title, tuple(found.vertices), tuple(found.arrows), tuple(found.clusters), notes)


@dataclass
class _Frame:
    """The nodes that know each other by name: those of the flow, or of a scope inside another frame."""

    cluster: str
    scope: str = ""
    names: dict[str, str] = field(default_factory=dict[str, str])
    ends: dict[str, str] = field(default_factory=dict[str, str])
    openers: dict[str, str] = field(default_factory=dict[str, str])
    """The tools by which a model opens the scopes of the frame."""
    any: str = ""
    outer: _Frame | None = None

    def find(self, name: str) -> str:
        """Return the id of a node of this frame or one around it; empty for an unknown name."""
        return self.names.get(name) or (self.outer.find(name) if self.outer is not None else "")


class _Building:
    """Builds the nodes, arrows and clusters of a graph."""

    def __init__(self, guards: Mapping[str, PythonGuard]) -> None:
        self.guards = guards
        self.vertices: list[Vertex] = []
        self.arrows: list[Arrow] = []
        self.clusters: list[Cluster] = []
        self._numbers = count()

    def put(self, kind: Kind, name: str, frame: _Frame, cluster: str = "", about: str = "") -> str:
        """Add a mark and return its id."""
        cluster = cluster or frame.cluster
        self.vertices.append(Vertex(f"n{next(self._numbers)}", kind, name, about, cluster=cluster, frame=frame.scope))
        return self.vertices[-1].id

    def _cluster_of(self, vertex: str) -> str:
        return next(one.cluster for one in self.vertices if one.id == vertex)

    # nodes -----------------------------------------------------------------------------------

    def frame(
        self, nodes: Iterable[Node], cluster: str, scope: str = "", outer: _Frame | None = None, *, has_prompt: bool
    ) -> _Frame:
        """Add the nodes of a frame, and of their scopes."""
        frame = _Frame(cluster, scope, outer=outer)
        for node in nodes:
            inside = cluster
            if node.scope is not None and node.scope.nodes:
                inside = f"c{len(self.clusters)}"
                self.clusters.append(Cluster(inside, node.name, cluster, _address(scope, node.name)))
            vertex = _vertex(node, f"n{next(self._numbers)}", has_prompt=has_prompt)
            self.vertices.append(replace(vertex, cluster=inside, frame=scope))
            frame.names.setdefault(node.name, vertex.id)
            if node.scope is not None:
                frame.openers[node.scope.tool or f"open_{node.name}"] = node.name
        for node in nodes:
            if node.scope is not None and node.scope.nodes:
                self._inside(node, node.scope, frame, has_prompt=has_prompt)
        return frame

    def _inside(self, node: Node, scope: Scope, outer: _Frame, *, has_prompt: bool) -> None:
        opener = outer.names[node.name]
        cluster, address = self._cluster_of(opener), _address(outer.scope, node.name)
        frame = self.frame(scope.nodes, cluster, address, outer, has_prompt=has_prompt)
        start = scope.start or scope.nodes[0].name
        self.arrows.append(Arrow(opener, self._target(frame, start), "start", frame=address))
        self.leave_all(frame, scope.nodes, scope.transitions)

    def begin(self, frame: _Frame, scopes: Iterable[str]) -> None:
        """Add that a user may begin scopes, wherever the conversation is."""
        for name in scopes:
            self.arrows.append(Arrow(self._any(frame), self._target(frame, name), "call", remark="the user begins it"))

    def start(self, frame: _Frame, name: str) -> None:
        """Add the mark where a conversation begins."""
        if name:
            self.arrows.append(Arrow(self.put("start", "start", frame), self._target(frame, name), "start"))

    def _target(self, frame: _Frame, name: str) -> str:
        """Return the id of a named node; an unknown name gets a mark."""
        found = frame.find(name)
        if not found:
            found = frame.names[name] = self.put("unknown", name, frame)
        return found

    def _end(self, frame: _Frame, outcome: str) -> str:
        if outcome not in frame.ends:
            frame.ends[outcome] = self.put("end", outcome, frame)
        return frame.ends[outcome]

    def _any(self, frame: _Frame) -> str:
        frame.any = frame.any or self.put("any", "any node", frame)
        return frame.any

    # arrows ----------------------------------------------------------------------------------

    def leave_all(self, frame: _Frame, nodes: Iterable[Node], of_frame: Iterable[Transition]) -> None:
        """Add every way out of the nodes of a frame."""
        for node in nodes:
            self._leave(frame, node)
        for transition in of_frame:
            self._transition(frame, self._any(frame), "", transition, is_else=False)
        for node in nodes:
            if node.enter_when:
                test = condition_text(node.enter_when)
                source, target = self._any(frame), frame.names[node.name]
                name, because = f"enter_{node.name}", node.description
                arrow = Arrow(source, target, "to", "before", id=name, test=test, because=because, is_entering=True)
                self.arrows.append(replace(arrow, frame=frame.scope))

    def _leave(self, frame: _Frame, node: Node) -> None:
        source, address = frame.names[node.name], _address(frame.scope, node.name)
        guarded = {one.at for one in node.transitions if one.when or one.guard}
        for transition in node.transitions:
            self._transition(frame, source, address, transition, is_else=transition.at in guarded)
        if node.once:
            target, name = self._target(frame, node.once), f"once_{node.once}"
            arrow = Arrow(source, target, "once", "after", address, name, remark="at the next message")
            self.arrows.append(replace(arrow, frame=frame.scope))
        if node.end:
            self.arrows.append(Arrow(source, self._end(frame, node.end), "end", frame=frame.scope))
        for name in node.tools.allow if node.tools is not None else ():
            if name in frame.openers:
                target = self._target(frame, frame.openers[name])
                self.arrows.append(Arrow(source, target, "call", remark="the model calls", frame=frame.scope))
        if node.offer is not None:
            target, opener = self._target(frame, node.offer.scope), node.offer.opener
            self.arrows.append(Arrow(source, target, "offer", remark=opener, frame=frame.scope))

    def _transition(self, frame: _Frame, source: str, node: str, of: Transition, *, is_else: bool) -> None:
        is_guarded = bool(of.when or of.guard)
        test = f"{of.guard}()" if of.guard else condition_text(of.when)
        for action, target, remark in self._actions(frame, source, of):
            arrow = Arrow(
                source=source,
                target=target,
                action=action,
                moment=of.at,
                node=node,
                id=of.id,
                test=test,
                is_code=bool(of.guard),
                is_else=is_else and not is_guarded,
                is_mirror=of.mirror,
                because=of.because,
                note=of.note,
                priority=of.priority,
                remark=remark,
                frame=frame.scope,
            )
            self.arrows.append(arrow)

    def _actions(self, frame: _Frame, source: str, of: Transition) -> list[tuple[Action, str, str]]:
        """Return the action of a transition, its target, and a remark; several if a function chooses among targets."""
        delay = f"in {write_duration(of.delay_s)}" if of.delay_s is not None else ""
        delay = f"at {' or '.join(of.event) or 'any event'}" if of.at == "event" else delay
        delay = "if no person comes" if of.at == "timer" and not delay else delay
        if of.to:
            return [("to", self._target(frame, of.to), delay or ("at the next message" if of.reply == "next" else ""))]
        if of.call:
            return [("call", self._target(frame, of.call), delay)]
        if of.stay or of.block:
            action, name = ("block", "blocks") if of.block else ("stay", "stays here")
            about = f"“{of.block or of.say}”" if of.block or of.say else ""
            delay += f", up to {of.repeat} times" if of.repeat > 1 else ""
            return [(action, self.put("stay", name, frame, self._cluster_of(source), about), delay)]
        if of.return_ or of.end:
            name = of.end or "return"
            return [("end" if of.end else "return", self._end(frame, name), delay)]
        guard = self.guards.get(of.guard)
        if guard is not None and guard.targets:
            return [("to", self._target(frame, target), delay) for target in guard.targets]
        return [("to", self.put("code", "a node that it names", frame), delay)] if of.guard else []


def _address(scope: str, name: str) -> str:
    return f"{scope}/{name}" if scope else name


def _vertex(node: Node, id_: str, *, has_prompt: bool) -> Vertex:
    kind = _kind(node, has_prompt=has_prompt)
    form = node.form
    asked = tuple(question.field for question in form.fields) if form is not None else ()
    collected = node.collect.fields if node.collect is not None else ()
    about = node.description or (f"“{node.say}”" if node.say else node.prompt)
    return Vertex(id_, kind, node.name, about, (*asked, *collected), tuple(_remarks(node)))


def _kind(node: Node, *, has_prompt: bool) -> Kind:
    """Return the kind of work (law 2.1); a prompt beside a form or a scope is how it speaks."""
    if node.scope is not None:
        return "scope"
    if node.form is not None:
        return "form"
    if node.tool is not None:
        return "tool"
    if node.person is not None:
        return "person"
    if node.say:
        return "say"
    has_task = bool(node.tools or node.collect or node.reads or node.writes)
    return "prompt" if node.prompt or (has_prompt and has_task) else "none"


def _remarks(node: Node) -> Iterable[str]:
    if node.tool is not None:
        yield f"uses {node.tool.name}"
    if node.person is not None:
        yield f"queue {node.person.queue}"
    if node.scope is not None:
        yield from (f"runs {node.scope.flow}",) if node.scope.flow else ()
        yield from (f"inherits {', '.join(node.scope.inherits)}",) if node.scope.inherits else ()
        yield from (f"returns {node.scope.returns}",) if node.scope.returns else ()
    if node.tools is not None and node.tools.allow:
        yield f"may use {', '.join(node.tools.allow)}"
    if node.reads:
        yield f"reads {', '.join(node.reads)}"
    if node.writes:
        yield f"writes {', '.join(node.writes)}"
    if node.form is not None and node.form.questions:
        yield f"asks what is in {node.form.questions}"
    if node.form is not None and node.form.handoff:
        yield f"hands over to {node.form.handoff}"


# notes -------------------------------------------------------------------------------------------


def _of_overlay(of: Overlay) -> Note:
    dates = [f"{word} {day}" for word, day in (("from", of.starts), ("to", of.ends)) if day]
    times = (" ".join(dates) or "only when it is forced") + (", every year" if of.every else "")
    return Note(f"overlay {of.name}", f"{times}: {of.persona_name or of.persona or of.addendum}".rstrip(": "))


def _of_schedule(of: Schedule) -> Note:
    when = of.cron or (f"every {write_duration(of.every_s)}" if of.every_s is not None else "")
    when = when or (f"after {write_duration(of.idle_s)} without a message" if of.idle_s is not None else "")
    does = f"calls {of.call}" if of.call else f"offers {of.offer}" if of.offer else of.instruct
    return Note(f"schedule {of.name}", f"{when}: {does}".rstrip(": "))
