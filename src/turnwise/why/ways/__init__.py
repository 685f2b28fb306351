"""Ways forward: the shortest sequences of acts that lead a conversation to a target, found with the machine itself.

The search runs the machine on copies of the state, without effects: a model is supposed to reply with words that decide
nothing, or to choose a way that it is offered; a tool is supposed to return values that decide, to return nothing, or
to fail. Each way that is returned was run to its end. Ways on which nothing fails come first, even where others are
shorter. Where none is found, the result says whether there is none at all or none in the bounds.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from msgspec import Struct

from turnwise.core.machine import Machine
from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import Ended, State
from turnwise.why.ways.acts import Act, Acts
from turnwise.why.ways.running import run, state_digest
from turnwise.why.ways.targets import Target, nodes_before

MOST_STEPS = 8
"""How many acts a way may have."""
MOST_STATES = 400
"""How many states a search looks at, at most."""
MOST_WAYS = 3
"""How many ways are found at most."""


class Way(Struct, frozen=True):
    """A sequence of acts that leads to a target."""

    acts: tuple[Act, ...]
    """The acts, in the order in which they are done."""
    nodes: tuple[str, ...]
    """The nodes that the acts enter, in order."""
    supposes: tuple[str, ...] = ()
    """The assumptions about results of models and tools, in words."""
    is_failing: bool = False
    """True if a tool is assumed to fail, or to return no value that decides: a way that a caller would not choose."""

    @property
    def text(self) -> str:
        """The way in words: `answer case.purpose with “Referral”, then say anything`."""
        return joined((act.text for act in self.acts), ", then ")


class Ways(Struct, frozen=True):
    """The shortest ways to a target; those on which nothing fails come first."""

    ways: tuple[Way, ...]
    """The ways; empty if there is none."""
    is_whole: bool
    """True if all states within the bounds were searched."""
    reason: str = ""
    """Why there is no way, in words; empty if there is a way."""


class _Path(NamedTuple):
    state: State
    acts: tuple[Act, ...] = ()
    nodes: tuple[str, ...] = ()
    supposes: tuple[str, ...] = ()
    is_failing: bool = False
    is_there: bool = False


def ways_to(machine: Machine, state: State, target: Target, most_steps: int = MOST_STEPS) -> Ways:
    """Return the shortest ways, of at most `most_steps` acts, from a state to a node, a transition, or an outcome of a
    scope.
    """
    if isinstance(state.status, Ended):
        return Ways(
            (),
            is_whole=True,
            reason=phrase("the conversation has ended ({outcome}): only an undo goes on", outcome=state.status.outcome),
        )
    if state.doing is not None:
        return Ways((), is_whole=False, reason=Phrase("a turn is under way"))
    near = nodes_before(machine, target)
    if target == Target("node", state.node):
        return Ways((), is_whole=True, reason=phrase("{name} is in charge already", name=target.name))
    if state.node not in near:
        return Ways(
            (),
            is_whole=True,
            reason=phrase("no transitions lead from {node} to {text}", node=state.node, text=target.text),
        )
    return _Search(machine, target, near, most_steps).ways(state)


class _Search:
    """One search, breadth first: all ways of one act, then of two."""

    def __init__(self, machine: Machine, target: Target, near: frozenset[str], most_steps: int) -> None:
        self.machine = machine
        self.target = target
        self.near = near
        self.most_steps = most_steps
        self.acts = Acts(machine, near, target)
        self.seen: set[tuple[bytes, bool]] = set()
        """States that were reached, each with whether something failed on the way there."""
        self.is_cut = False

    def ways(self, state: State) -> Ways:
        """Return the shortest ways from a state."""
        found: list[Way] = []
        waiting = deque([_Path(state)])
        self.seen.add((state_digest(state), False))
        while waiting and (not found or all(way.is_failing for way in found)):
            path = waiting.popleft()
            for following in self.after(path):
                if not following.is_there:
                    waiting.append(following)
                elif not any(_is_known(following, way) for way in found):
                    found.append(Way(following.acts, following.nodes, following.supposes, following.is_failing))
        if found:
            found.sort(key=lambda way: way.is_failing)
            return Ways(tuple(found[:MOST_WAYS]), is_whole=True)
        states = MOST_STATES if self.is_cut else None
        text = "none was found within {steps} steps[ and {states} states]"
        return Ways((), is_whole=not self.is_cut, reason=phrase(text, steps=self.most_steps, states=states))

    def after(self, path: _Path) -> list[_Path]:
        """Return where each act leads that is possible now, as far as it was not seen before."""
        if len(path.acts) >= self.most_steps:
            return []
        found: list[_Path] = []
        possible = self.acts.for_state(path.state)
        acts = {act.text: act for act in reversed(list(possible.possible_acts(path.state)))}
        for act in reversed(acts.values()):
            for done in run(self.machine, path.state, act, self.acts):
                is_there = self.target in done.reached
                key, is_failing = state_digest(done.state), path.is_failing or done.is_failing
                is_lost = done.state.node not in self.near or isinstance(done.state.status, Ended)
                is_new = (key, False) in self.seen or (key, is_failing) in self.seen
                if not is_there and (is_new or is_lost):
                    continue
                if len(self.seen) >= MOST_STATES and not is_there:
                    self.is_cut = True
                    continue
                self.seen.add((key, is_failing))
                nodes, supposes = (*path.nodes, *done.entered_nodes), (*path.supposes, *done.supposes)
                acts_done, supposes = (*path.acts, act), tuple(dict.fromkeys(supposes))
                found.append(_Path(done.state, acts_done, nodes, supposes, is_failing, is_there))
        return found


def _is_known(path: _Path, way: Way) -> bool:
    """Return whether a path adds nothing to a way: it makes the same acts and moves, and only what it supposes is
    different; or both lead over a failure, and it begins otherwise.
    """
    is_same = (path.acts, path.nodes, path.is_failing) == (way.acts, way.nodes, way.is_failing)
    return is_same or (path.is_failing and way.is_failing and path.acts[:-1] != way.acts[:-1])
