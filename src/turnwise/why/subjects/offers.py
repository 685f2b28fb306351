"""Whether a model is offered a tool, and by which rule of which node; and which tools a node offers its model."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from turnwise.core.call_names import CHOICE_PREFIX
from turnwise.core.explain.text import lacking_in_words
from turnwise.core.machine import Machine
from turnwise.core.phrase import Phrase, joined, listed, phrase
from turnwise.core.state import State
from turnwise.core.tools.offered import matching_tools, now_in_sequence
from turnwise.core.tools.standing import AvailabilityReason, ToolAvailability, tool_standings
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.choices import judged_now
from turnwise.why.kinds import FactKind
from turnwise.why.prompts import model_calls
from turnwise.why.query import Query
from turnwise.why.subjects.models import why_not_called

_REASONS: dict[AvailabilityReason, Phrase] = {
    "no_model": Phrase("no model speaks there, for its work is {detail}"),
    "no_tools": Phrase("it has no tools"),
    "not_allowed": Phrase("its allow list has only {allow}"),
    "denied": Phrase("its deny list has {detail}"),
    "out_of_sequence": Phrase("its sequence expects {detail} now"),
    "not_read": Phrase("it does not read the record {record}"),
    "not_written": Phrase("it does not write the record {record}"),
    "way_is_false": Phrase("the transition {detail} does not hold"),
    "way_is_unknown": Phrase("the transition {detail} reads a value that is missing"),
    "way_in_error": Phrase("the guard of the transition {detail} is in error"),
}


def offers(query: Query) -> Iterator[Fact]:
    """Yield whether the model was offered the tool at each call in the turn, once per node and reason.
    If there was no call, whether it is offered at the end of the turn.
    """
    seen: set[tuple[str, str]] = set()
    calls = list(model_calls(query.turn))
    missing = _no_choice(query, calls[-1].state if calls else query.state)
    if missing is not None:
        yield missing
        return
    for one in calls:
        found = _standing(query.machine, one.state, query.subject.name)
        key = (one.state.node, found.reason if found is not None else "")
        if found is None or key in seen or getattr(one.effect, "purpose", "") not in ("reply", "choose"):
            continue
        seen.add(key)
        if found.is_offered:
            replied = next((fact for fact in query.facts if fact.kind == "model_replied" and fact.seq > one.seq), None)
            yield _not_chosen(query, one.state, replied, found)
        else:
            yield _not_offered(query, one.state, found)
    if not seen and (found := _standing(query.machine, query.state, query.subject.name)) is not None:
        yield _stands(query, query.state, found, tuple(why_not_called(query)))


def tools_in(query: Query, node: str) -> Fact:
    """Return the fact that says which tools a node offers to the model, and why not the others."""
    standings = tool_standings(query.machine, _in_charge(query.state, node))
    offered = [one.name for one in standings if one.is_offered]
    others: dict[str, list[str]] = {}
    for one in standings:
        if not one.is_offered:
            others.setdefault(_reason(query.machine, node, one), []).append(one.name)
    reasons = joined(
        (phrase("{names}, because {reason}", names=listed(names), reason=reason) for reason, names in others.items()),
        "; ",
    )
    about = (Subject("model"), Subject("node", node), *[Subject("tool", name) for name in offered])
    return query.end.fact_of_state(
        "tools_of_node", *about, node=node, offered=listed(offered) or Phrase("no tools"), others=reasons, tools=offered
    )


def _in_charge(state: State, node: str) -> State:
    """Return the state in which a node is in charge: the present one, else one in which it has just been entered."""
    return state if state.node == node else replace(state, frame=state.frame.entering(node, state.turn))


def _stands(query: Query, state: State, found: ToolAvailability, causes: tuple[Fact, ...] = ()) -> Fact:
    """Return whether a tool is offered in a state. `causes` are the reasons why no model was called there."""
    if not found.is_offered:
        return _not_offered(query, state, found)
    values = {"tool": found.name, "node": state.node, "none": causes[0].text if causes else ""}
    values["reason"] = _offered_by(query.machine, state, found)
    return query.end.fact_of_state("tool_offered", *_about(query, state), causes=causes, **values)


def _standing(machine: Machine, state: State, name: str) -> ToolAvailability | None:
    return next((one for one in tool_standings(machine, state) if one.name == name), None)


def _about(query: Query, state: State) -> tuple[Subject, ...]:
    return (query.subject, Subject("node", state.node))


def _offered_by(machine: Machine, state: State, found: ToolAvailability) -> str:
    """Return what of the flow offers a tool."""
    policy, name = machine.nodes[state.node].node.tools, found.name
    if name not in machine.tools:
        what, _, record = name.partition("_")
        return (
            phrase("the transition {detail} holds", detail=found.detail)
            if found.detail
            else phrase(
                "it reads the record {record}" if what == "read" else "it writes the record {record}", record=record
            )
        )
    if policy is None:
        return ""
    allowed = listed([pattern for pattern in policy.allow if matching_tools([pattern], frozenset((name,)))])
    in_order = now_in_sequence(machine.nodes[state.node], state)  # none where a sequence only opens the node
    expected = [phrase("its sequence expects {name} now", name=name)] if name in in_order else []
    return joined([*([phrase("its allow list has {allowed}", allowed=allowed)] if allowed else []), *expected], " and ")


def _not_chosen(query: Query, state: State, replied: Fact | None, found: ToolAvailability) -> Fact:
    calls = replied.values["calls"] if replied is not None else ""
    is_called = query.subject.name in str(calls).split(", ")
    kind: FactKind = "tool_offered" if is_called or replied is None else "tool_not_called"
    did = phrase("called {calls}", calls=calls) if calls else Phrase("replied without calling a tool")
    values = {"tool": query.subject.name, "node": state.node, "did": did}
    values["reason"] = _offered_by(query.machine, state, found)
    return query.end.fact_of_state(kind, *_about(query, state), causes=(replied,), **values)


def _not_offered(query: Query, state: State, found: ToolAvailability) -> Fact:
    policy = query.machine.nodes[state.node].node.tools
    reason = _reason(query.machine, state.node, found)
    about = _about(query, state)
    if found.reason.startswith("way_"):
        about += (Subject("transition", found.detail),)
        considered = judged_now(query.machine, state, found.detail, query.turn.hide)
        lacks = lacking_in_words(considered) if considered is not None else ""
        reason = phrase("{reason}: it {lacks}", reason=reason, lacks=lacks) if lacks else reason
    source = policy.span.line_text if policy is not None else ""
    return query.end.fact_of_state(
        "tool_not_offered", *about, source=source, tool=found.name, node=state.node, reason=reason, code=found.reason
    )


def _reason(machine: Machine, node: str, found: ToolAvailability) -> str:
    """Return in words why a node does not offer a tool."""
    policy = machine.nodes[node].node.tools
    allow = joined(policy.allow, ", ") if policy is not None else ""
    return _REASONS[found.reason].with_values(detail=found.detail, allow=allow, record=found.name.partition("_")[2])


def _no_choice(query: Query, state: State) -> Fact | None:
    """Return that the node in charge has no transition that a tool chooses; `None` for a tool that chooses none."""
    name = query.subject.name
    targets = [one.target for one in query.machine.candidates(state.node, "choice").all]
    if not name.startswith(CHOICE_PREFIX) or name in query.machine.tools or name.removeprefix(CHOICE_PREFIX) in targets:
        return None
    reason = phrase("{node} has no transition that the model chooses to go there", node=state.node)
    return query.end.fact_of_state("tool_not_offered", *_about(query, state), tool=name, node=state.node, reason=reason)
