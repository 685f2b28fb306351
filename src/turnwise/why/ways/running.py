"""Runs an act on a copy of a state without performing effects, and yields one outcome for each possible result of a
call of a model or a tool.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.msgpack import encode
from msgspec.structs import replace

from turnwise.core.call_names import CHOICE_PREFIX
from turnwise.core.machine import Machine
from turnwise.core.phrase import joined, phrase
from turnwise.core.prompts import model_request
from turnwise.core.secrets import redacted_call
from turnwise.core.state import Frame, State
from turnwise.core.state import events as e
from turnwise.core.state.effects import AnyEffect, Call, CallModel, RecallState, RecallWords, RunTool, Understand
from turnwise.core.step import step
from turnwise.core.turn import Refusal, Step
from turnwise.why.ways.acts import Act, Acts
from turnwise.why.ways.calls import possible_calls
from turnwise.why.ways.openings import answers_of_scopes
from turnwise.why.ways.results import as_returned, destination, fields_decided_by, possible_results, result_in_words
from turnwise.why.ways.targets import Target, targets_reached

_WORDS = "…"
_MOST_EFFECTS = 12
"""How many effects one act may have; what needs more is not followed."""


class ActResult(Struct, frozen=True):
    """One outcome of an act."""

    state: State
    """The state at the end of the turn that the act began."""
    reached: tuple[Target, ...]
    """The targets that the act reached."""
    supposes: tuple[str, ...] = ()
    """The assumptions about results of models and tools, in words."""
    is_failing: bool = False
    """True if a tool is assumed to fail, or to return no value that decides."""

    @property
    def entered_nodes(self) -> tuple[str, ...]:
        """The names of the nodes that the act entered."""
        return tuple([one.name for one in self.reached if one.kind == "node"])


class _Supposed(NamedTuple):
    """One possible result of an effect, what it supposes in words, and whether that is a failure."""

    result: e.ResultEvent
    what: str = ""
    is_failing: bool = False


def run(machine: Machine, state: State, act: Act, acts: Acts) -> Iterator[ActResult]:
    """Yield each outcome of an act; nothing if the machine refuses the act."""
    event = act.event
    if isinstance(event, e.UserSaid | e.UserChose):
        event = replace(event, is_new=True)  # who goes this way has read what came up before
    done = step(machine, state, event, state.at_ms + act.after_ms)
    if isinstance(done, Step):
        yield from _finished(acts, done, ActResult(done.state, targets_reached(machine, state, done.entries)))


def _finished(acts: Acts, done: Step, until: ActResult) -> Iterator[ActResult]:
    """Yield each outcome of a turn, whose effects have each of their possible results. `until` is what led there."""
    if not done.effects:
        yield until
        return
    doing = done.state.doing
    if doing is None or doing.effects > _MOST_EFFECTS:
        return
    (effect,) = done.effects
    acts = acts.for_state(done.state)
    for result, what, is_failing in _results(acts, done.state, effect):
        following = step(acts.machine, done.state, result, done.state.at_ms)
        if not isinstance(following, Refusal):
            there = (*until.reached, *targets_reached(acts.machine, done.state, following.entries))
            supposes = (*until.supposes, what) if what else until.supposes
            found = ActResult(following.state, there, supposes, until.is_failing or is_failing)
            yield from _finished(acts, following, found)


def _results(acts: Acts, state: State, effect: AnyEffect) -> Iterator[_Supposed]:
    """Yield the possible results of an effect."""
    match effect:
        case CallModel():
            yield from _replies(acts, state, effect)
        case RunTool():
            yield from _returned(acts, state, effect)
        case Understand():
            yield _Supposed(e.Understood(effect.id))
        case RecallWords(places=places):
            yield _Supposed(e.WordsRecalled(effect.id, tuple([None for _ in places])))
        case RecallState():
            return


def _replies(acts: Acts, state: State, effect: CallModel) -> Iterator[_Supposed]:
    """Yield what a model may reply: words that decide nothing, a choice that it is offered, a write that is needed, a
    call where `calls` is judged after it.
    """
    yield _Supposed(e.ModelReplied(effect.id, _WORDS))
    offered = model_request(acts.machine, state, (), effect).tools
    for call, what in possible_calls(acts.machine, state, offered, effect.id) if state.current.model_calls <= 1 else ():
        yield _Supposed(e.ModelReplied(effect.id, "", (call,)), what)
    for tool in offered:
        if tool.name.startswith(CHOICE_PREFIX):
            target = tool.name.removeprefix(CHOICE_PREFIX)
            call = Call(f"{effect.id}.1", tool.name)
            yield _Supposed(e.ModelReplied(effect.id, "", (call,)), phrase("the model chooses {target}", target=target))
    for call, what in answers_of_scopes(acts, state, effect.id):
        yield _Supposed(e.ModelReplied(effect.id, "", (call,)), what)
    for tool, values in acts.calls_that_write(state) if state.current.model_calls <= 1 else ():
        call = Call(f"{effect.id}.1", tool, {"set": values})
        shown = redacted_call(acts.machine, call).arguments["set"]
        said = joined((phrase("{name} = {value}", name=name, value=value) for name, value in shown.items()), ", ")
        yield _Supposed(
            e.ModelReplied(effect.id, "", (call,)), phrase("the model calls {tool} with {said}", tool=tool, said=said)
        )


def _returned(acts: Acts, state: State, effect: RunTool) -> Iterator[_Supposed]:
    """Yield what a tool may return, and that it fails. Where values of its result decide, that it has none of them is
    a failure, too.
    """
    tool, fields = effect.tool, fields_decided_by(acts, state, effect)
    for values in possible_results(acts, state, fields):
        result = as_returned(acts.machine, destination(acts.machine, state, effect), values)
        what = result_in_words(acts.machine, tool, values)
        yield _Supposed(e.ToolReturned(effect.id, tool, result, call=effect.call), what)
    nothing = e.ToolReturned(effect.id, tool, {}, call=effect.call)
    yield _Supposed(nothing, phrase("{tool} returns nothing", tool=tool), is_failing=bool(fields))
    failed = e.ToolFailed(effect.id, tool, "supposed", call=effect.call)
    yield _Supposed(failed, phrase("{tool} fails", tool=tool), is_failing=True)


def state_digest(state: State) -> bytes:
    """Return a hash of what in a state decides how it continues, without positions and times."""
    frames = tuple([_deciding(frame) for frame in state.frames])
    parts = (
        frames,
        {name: found.value for name, found in state.values.items()},
        tuple(state.shelved),
        tuple([(one.scope, one.frame, one.status) for one in state.offers]),
        type(state.status).__name__,
        state.errors,
    )
    return encode(parts)


def _deciding(frame: Frame) -> tuple[Any, ...]:
    """Return what of a frame decides how it goes on."""
    return (
        *(frame.node, frame.is_work_done, frame.form, frame.sequence, frame.person_outcome, frame.has_message),
        *(frame.scope_outcome, tuple(frame.calls), _of_scope(frame)),
        frame.pending.transition if frame.pending is not None else "",
        frame.tools.counts,
        frame.closed_forms,
        replace(frame.person, since_ms=0, due_ms=0, taken_ms=0) if frame.person is not None else None,
        tuple([(request.tool, request.approver) for request in frame.waiting_calls]),
        tuple([timer.transition for timer in frame.timers]),
    )


def _of_scope(frame: Frame) -> tuple[Any, ...]:
    """Return what a scope remembers of its opening, and how many turns it has had."""
    return (frame.scope.name, frame.scope.by, frame.scope.turns) if frame.scope is not None else ()
