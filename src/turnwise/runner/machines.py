"""Finds the machine of a conversation: of the open flow, or of an older version in the store.

A conversation goes on with the version of the flow that it began with, until it is migrated (law 6.8).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any, NoReturn

from msgspec import MsgspecError, Struct
from msgspec.json import decode, encode

from turnwise.core.link import link
from turnwise.core.link.budgets import BUDGETING_OF_FLOW, Budgeting
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.errors import FlowUnavailable, StoreUnavailable, TurnwiseError, UnknownFormat
from turnwise.flow.code import PythonGuard
from turnwise.flow.codec import decode_flow, encode_flow
from turnwise.flow.diagnostic import FlowError, Span
from turnwise.flow.model import Flow, Node, Transition
from turnwise.runner.ports import Store

FORMAT = 1
"""The number of the format in which flows are stored with their code."""

_Place = tuple[str, int, int]
"""File, line and column."""


class _Code(Struct, omit_defaults=True):
    """The stored source of a Python guard, for display; it is never run."""

    source: str
    has_source: bool = True
    file: str = ""
    line: int = 0
    parameters: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    refers: dict[str, str] | None = None
    """A digest of each thing that the function refers to; `None` where an earlier version of turnwise stored it."""


class _Kept(Struct):
    """A stored flow, with the source of its Python guards and the line numbers of its nodes and transitions."""

    flow: str
    code: dict[str, _Code] = {}
    places: tuple[_Place, ...] = ()
    format: int = FORMAT


class _Finds(ABC):
    """Finds machines by the fingerprint of their flow, or for a state."""

    @abstractmethod
    async def runnable_machine(self, fingerprint: str) -> Machine:
        """Return the machine of a flow fingerprint, ready to run. Raises `FlowUnavailable`."""

    @abstractmethod
    async def for_display(self, fingerprint: str) -> Machine:
        """Return the machine of a flow fingerprint for explanations. Raises `FlowUnavailable`."""

    async def of_state(self, state: State) -> Machine:
        """Return the machine of a conversation in its language, ready to run. Raises `FlowUnavailable`."""
        return (await self.runnable_machine(state.fingerprint)).for_conversation(state)

    async def shown_of_state(self, state: State) -> Machine:
        """Return the machine of a conversation in its language, for explanations. Raises `FlowUnavailable`."""
        return (await self.for_display(state.fingerprint)).for_conversation(state)


class KeptMachines(_Finds):
    """Builds machines from the flows that a store keeps, and caches them.
    `guards` are the Python guards that the flows may name; several of one name may be versions of one function.
    """

    def __init__(
        self, store: Store, guards: Iterable[PythonGuard] = (), budgeting: Budgeting = BUDGETING_OF_FLOW
    ) -> None:
        self.store = store
        self.budgeting = budgeting
        self.guards: dict[str, list[PythonGuard]] = {}
        self._unavailable: dict[str, str] = {}
        """By fingerprint of a version that could not run here, the conversation that needed it last."""
        self.add_guards(guards)
        self._machines: dict[tuple[str, bool], Machine] = {}

    async def runnable_machine(self, fingerprint: str) -> Machine:
        """Return the machine of a flow fingerprint, ready to run. Raises `FlowUnavailable`."""
        found = await self._machine(fingerprint, is_run=True)
        self._unavailable.pop(fingerprint, None)
        return found

    def note_needed(self, fingerprint: str, conversation: str) -> None:
        """Record that a conversation needed the version of its flow with a fingerprint, which cannot run in this
        process.
        """
        self._unavailable[fingerprint] = conversation

    async def unavailable(self) -> int:
        """Return how many flow versions that conversations needed cannot run in this process so far.
        A version no longer counts when the conversation that needed it last was migrated or deleted; another
        conversation on it reports it again.
        """
        for fingerprint, conversation in tuple(self._unavailable.items()):
            if await self._is_on(conversation, fingerprint):
                with suppress(FlowUnavailable, UnknownFormat):
                    await self.runnable_machine(fingerprint)  # which forgets it
            else:
                self._unavailable.pop(fingerprint, None)
        return len(self._unavailable)

    async def _is_on(self, conversation: str, fingerprint: str) -> bool:
        try:
            state = await self.store.load(conversation)
        except StoreUnavailable:
            raise
        except TurnwiseError:  # it is damaged, which says nothing of the version
            return False
        return state is not None and state.fingerprint == fingerprint

    async def for_display(self, fingerprint: str) -> Machine:
        """Return the machine of a flow fingerprint for explanations; missing Python guards are shown, but cannot run.
        Raises `FlowUnavailable`.
        """
        return await self._machine(fingerprint, is_run=False)

    async def _machine(self, fingerprint: str, *, is_run: bool) -> Machine:
        found = self._machines.get((fingerprint, is_run))
        if found is None:
            document = await self.store.flow(fingerprint)
            if document is None:
                raise FlowUnavailable(fingerprint, "the store does not have it")
            found = self._machines[fingerprint, is_run] = self.linked(fingerprint, document, is_run=is_run)
        return found

    def add(self, machine: Machine) -> None:
        """Cache a machine, so that it need not be built from the store."""
        for is_run in (True, False):
            self._machines[machine.fingerprint, is_run] = machine

    def add_guards(self, guards: Iterable[PythonGuard]) -> None:
        """Add Python guards that stored flows may name."""
        self._unavailable.clear()
        for guard in guards:
            known = self.guards.setdefault(guard.name, [])
            if guard not in known:
                known.append(guard)

    def linked(self, fingerprint: str, document: str, *, is_run: bool = True) -> Machine:
        """Return the machine of a stored flow document, with its stored guard sources.
        It runs only functions whose code equals the stored source (law 6.8). Without `is_run` missing functions are
        only shown. Raises `FlowUnavailable`.
        """
        kept = _read(fingerprint, document)
        ordered: list[PythonGuard] = []
        for name, code in kept.code.items():
            guard, difference = _same(code, self.guards.get(name, ()))
            if guard is None and is_run and difference:
                raise FlowUnavailable(fingerprint, _unlike(name, difference))
            if guard is not None or not is_run:
                ordered.append(_shown(name, code) if guard is None else _as_it_was(guard, code))
        try:
            return self.budgeting.with_prices(link(_placed(decode_flow(kept.flow), kept.places), ordered))
        except FlowError as error:
            raise FlowUnavailable(fingerprint, str(error)) from None


class Machines(_Finds):
    """Finds the machine of a flow fingerprint: the open flow, or one in the store."""

    def __init__(
        self,
        current: Machine,
        store: Store,
        guards: Iterable[PythonGuard] = (),
        budgeting: Budgeting = BUDGETING_OF_FLOW,
    ) -> None:
        self.current = current
        self.store = store
        self.budgeting = budgeting
        self.kept = KeptMachines(store, (*guards, *current.code.values()), budgeting)
        self._is_kept = False

    async def runnable_machine(self, fingerprint: str) -> Machine:
        """Return the machine of a flow fingerprint, ready to run. Raises `FlowUnavailable`."""
        return (
            self.current if fingerprint == self.current.fingerprint else await self.kept.runnable_machine(fingerprint)
        )

    async def for_display(self, fingerprint: str) -> Machine:
        """Return the machine of a flow fingerprint for explanations. Raises `FlowUnavailable`."""
        return self.current if fingerprint == self.current.fingerprint else await self.kept.for_display(fingerprint)

    async def keep_current(self) -> None:
        """Store the open flow, before a conversation begins with it."""
        if not self._is_kept:
            await self.store.keep_flow(self.current.fingerprint, document_of(self.current))
            self._is_kept = True

    def replace_current(self, machine: Machine, guards: Iterable[PythonGuard]) -> None:
        """Make another version of the flow the open one; the version before stays available.
        `guards` are the Python guards that the new version names.
        """
        self.kept.add(self.current)
        self.kept.add_guards((*guards, *machine.code.values()))
        self.current = machine
        self._is_kept = False


AnyMachines = KeptMachines | Machines
"""Finds the machines of a store, with or without an open flow."""


def check_document(fingerprint: str, document: str) -> None:
    """Raise `FlowUnavailable` or `UnknownFormat` if no flow can be read from the stored document of a version;
    `fingerprint` names it in the error.
    """
    flow_of_document(fingerprint, document)


def flow_of_document(fingerprint: str, document: str) -> Flow:
    """Return the flow of a stored document.
    Raises `FlowUnavailable` or `UnknownFormat` if none can be read; `fingerprint` names it in the error.
    """
    kept = _read(fingerprint, document)
    try:
        return decode_flow(kept.flow)
    except (FlowError, ValueError) as error:
        raise FlowUnavailable(fingerprint, f"what is kept of it is damaged: {error}") from None


def shown_machine(fingerprint: str, document: str) -> Machine:
    """Return the machine of a stored flow for inspection: its Python guards are shown but cannot run.
    Raises `FlowUnavailable`, `UnknownFormat`.
    """
    kept = _read(fingerprint, document)
    try:
        return link(_placed(decode_flow(kept.flow), kept.places), [_shown(*code) for code in kept.code.items()])
    except FlowError as error:
        raise FlowUnavailable(fingerprint, str(error)) from None


def document_of(machine: Machine) -> str:
    """Return the document of a machine for the store: its flow, guard sources, and the positions of transitions."""
    code = {g.name: _code(g) for g in machine.code.values()}
    return encode(_Kept(encode_flow(machine.flow), code, _places(machine.flow))).decode()


def _read(fingerprint: str, document: str) -> _Kept:
    try:
        kept = decode(document, type=_Kept)
    except MsgspecError as error:
        raise FlowUnavailable(fingerprint, f"what is kept of it is damaged: {error}") from None
    if kept.format != FORMAT:
        raise UnknownFormat("the kept flow", kept.format, FORMAT)
    return kept


# code --------------------------------------------------------------------------------------------


def _code(guard: PythonGuard) -> _Code:
    """Return what the store keeps of a guard."""
    from turnwise.flow.references import references

    source = (guard.source, guard.has_source, guard.file, guard.line)
    return _Code(*source, guard.parameters, guard.targets, references(guard))


def _same(code: _Code, guards: Iterable[PythonGuard]) -> tuple[PythonGuard | None, str]:
    """Return the guard whose code is the stored one; without one, what is different in the last guard, empty if there
    is no guard.
    """
    from turnwise.flow.references import first_change, is_same_source, references

    difference = ""
    for guard in guards:
        if guard.has_source != code.has_source or not is_same_source(guard.source, code.source):
            difference = "its source"
            continue
        other = first_change(code.refers, references(guard)) if code.refers is not None else ""
        if not other:
            return guard, ""
        difference = f"'{other}', which it uses,"
    return None, difference


def _unlike(name: str, difference: str) -> str:
    """Return why a version cannot run with the function that is supplied, and what to do."""
    return (
        f"the Python function '{name}' is not the one that this version of the flow has: {difference} has changed."
        " Migrate the conversation to the present version, or supply the earlier function"
    )


def _as_it_was(guard: PythonGuard, code: _Code) -> PythonGuard:
    """Return the supplied guard with its stored source and targets, so that the candidates stay the same."""
    return replace(
        guard, source=code.source, has_source=code.has_source, file=code.file, line=code.line, targets=code.targets
    )


def _shown(name: str, code: _Code) -> PythonGuard:
    """Return a guard with stored source only; calling it raises an error."""

    def absent(**_: Any) -> NoReturn:
        raise LookupError(f"the function {name} is not supplied")

    return PythonGuard(name, absent, code.parameters, code.targets, code.source, code.has_source, code.file, code.line)


# places ------------------------------------------------------------------------------------------


def _places(flow: Flow) -> tuple[_Place, ...]:
    """Return the positions of all nodes and transitions in the document; none for a flow made in Python."""
    spans = [span for node in flow.nodes for span in (node.span, *(t.span for t in node.transitions))]
    spans += [transition.span for transition in flow.transitions]
    return tuple((span.file, span.line, span.column) for span in spans) if any(span.line for span in spans) else ()


def _placed(flow: Flow, places: tuple[_Place, ...]) -> Flow:
    """Return the flow with its stored positions."""
    spans = iter([Span(*place) for place in places])
    if not places:
        return flow

    def put(transition: Transition) -> Transition:
        return replace(transition, span=next(spans))

    def put_node(node: Node) -> Node:
        span = next(spans)
        return replace(node, span=span, transitions=tuple([put(transition) for transition in node.transitions]))

    nodes = tuple([put_node(node) for node in flow.nodes])
    return replace(flow, nodes=nodes, transitions=tuple([put(transition) for transition in flow.transitions]))
