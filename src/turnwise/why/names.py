"""The subjects that a flow has, by their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import get_args

from turnwise.core.addresses import local_name
from turnwise.core.call_names import CHOICE_PREFIX
from turnwise.core.candidates import PERSON_TIMEOUT, Candidate
from turnwise.core.guards.scope import ROOTS
from turnwise.core.machine import Machine
from turnwise.core.state.kinds import ArtefactKind
from turnwise.core.step.receive import CONTINUATION_TIMER
from turnwise.flow.addresses import answer_address, field_of, map_of, record_of
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Limits
from turnwise.why.answer import Subject, SubjectKind

UNNAMED: dict[SubjectKind, str] = {
    "conversation": "what it waits for",
    "end": "how it ended, or that it has not",
    "question": "the open question",
    "form": "the form",
    "person": "the person in charge, or the wait for one",
    "model": "the calls of the model",
    "delivery": "how what was written without a message reached the user",
    "origin": "where the conversation began, or of which one it is a copy",
}
"""The titles of subjects that need no name, as there is only one of them, by kind."""
_WORD = late_pattern(r"\w+")


def words_in(text: str) -> tuple[str, ...]:
    """Return the folded words of a text; names are split at `_`."""
    return tuple([word.casefold() for word in _WORD.findall(text.replace("_", " "))])


_OF_ROOTS: dict[str, SubjectKind] = {
    "form": "form",
    "message": "message",
    "person": "person",
    "error": "conversation",
    "errors": "conversation",
}
"""What a question is about that names something that guards read, by the first part of its name."""


def by_name(machine: Machine) -> dict[str, list[Subject]]:
    """Return all subjects of a flow keyed by their folded name. A field is also under its short name if only one record
    has it; what is inside a scope is also under its name without the scope if nothing outside has that name.
    """
    found: dict[str, list[Subject]] = {}
    own = Counter(field_of(address).casefold() for address in machine.fields)
    known = subjects(machine)
    for subject in known:
        found.setdefault(subject.name.casefold(), []).append(subject)
        alone = field_of(subject.name).casefold() if subject.kind == "field" else ""
        if alone and own[alone] == 1:
            found.setdefault(alone, []).append(subject)
    inside: dict[str, list[Subject]] = {}
    for subject in [one for one in known if "/" in one.name]:
        inside.setdefault(local_name(subject.name).casefold(), []).append(subject)
    return {**inside, **found}


def by_question(machine: Machine, own: Mapping[str, Sequence[Subject]], name: str) -> tuple[Subject, ...]:
    """Return the answers to unasked questions that are data which a name may mean: `quiz.answers.house`.
    `own` has every subject by its name.
    """
    whole, _, id_ = name.rpartition(".")
    fields = [one.name for one in own.get(whole.casefold(), ()) if one.kind == "field"]
    addresses = [answer_address(field, id_) for field in fields]
    return tuple([Subject("field", one) for one in addresses if answers_of(machine, one)])


def by_other_name(machine: Machine) -> dict[str, list[Subject]]:
    """Return subjects keyed by another name that they have, such as the function of a transition.
    The transitions are under the names of their functions, the forms under their handoffs, the nodes that wait for a
    person under their queues, what guards read beside fields under its names, and fields under their record's name.
    """
    has_form = any(node.form is not None for node in machine.nodes.values())
    found: dict[str, list[Subject]] = {}
    if machine.events:
        events = [Subject("event", name) for name in machine.events]
        found |= {name: events for name in machine.names.roots if name.startswith("event.")}
    for name in ROOTS:
        kind = _OF_ROOTS.get(name.partition(".")[0])
        if kind is not None and name not in machine.fields and (has_form or kind != "form"):
            found[name] = [Subject(kind)]
    scopes = [Subject("node", name) for name in machine.scopes if name]
    found |= {name: scopes for name in ("scope.outcome", "scope.open_question") if scopes}
    found |= {f"overlay.{name}": [Subject("overlay", name)] for name in machine.overlays}
    for candidate in _of_nodes(machine):
        if candidate.code is not None:
            found.setdefault(candidate.code.name, []).append(Subject("transition", candidate.id))
    for node, linked in machine.nodes.items():
        for name in (linked.form.form.handoff, *get_args(ArtefactKind)) if linked.form is not None else ():
            found.setdefault(name, []).append(Subject("form", node))
        if linked.node.person is not None and linked.node.person.queue != node:
            found.setdefault(linked.node.person.queue, []).append(Subject("node", node))
    if machine.flow.person is not None and machine.flow.person.queue not in machine.nodes:
        found.setdefault(machine.flow.person.queue, []).append(Subject("person"))
    return {**_by_record(machine), **found}


def _by_record(machine: Machine) -> dict[str, list[Subject]]:
    """Return the fields of each record under its name; those in a scope also under that without the scope."""
    found: dict[str, list[Subject]] = {}
    inside: dict[str, list[Subject]] = {}
    for address in machine.fields:
        record = record_of(address)
        if local_name(record) not in get_args(SubjectKind):
            found.setdefault(record, []).append(Subject("field", address))
            inside.setdefault(local_name(record), []).append(Subject("field", address))
    return {**inside, **found}


MEASURES = ("money", "tokens", "time")
"""What budgets bound; each can be asked about as a limit, also where the flow has no budget of it."""
_NO_LIMIT = ("span", "budgets", "prices")
"""What stands among the limits and is asked about by other names."""


def subjects(machine: Machine) -> tuple[Subject, ...]:
    """Return all subjects of a flow that a question can name, the more specific kinds first."""
    timers = [one.id for one in (*machine.flow_candidates, *_of_nodes(machine)) if one.moment == "timer"]
    forms = [name for name, node in machine.nodes.items() if node.form is not None]
    tools = dict.fromkeys((*machine.tools, *_generated_tools(machine)))
    waits = (*dict.fromkeys(timers), PERSON_TIMEOUT, *([CONTINUATION_TIMER] if machine.flow.autonomous else []))
    limits = [name.removesuffix("_s") for name in Limits.__annotations__ if name not in _NO_LIMIT]
    named: tuple[tuple[SubjectKind, Iterable[str]], ...] = (
        ("field", machine.fields),
        ("timer", waits),
        ("schedule", machine.schedules),
        ("event", machine.events),
        ("transition", machine.transitions()),
        ("node", machine.nodes),
        ("tool", tools),
        ("form", forms),
        ("overlay", machine.overlays),
        ("limit", limits),
        ("limit", MEASURES),
    )
    return tuple([Subject(kind, name) for kind, names in named for name in names])


def answers_of(machine: Machine, address: str) -> str:
    """Return the address of the field of answers to which an address belongs; `None` for any other address."""
    whole = map_of(address)
    return whole if whole in machine.fields and machine.fields[whole].type == "answers" else ""


def title_of(machine: Machine, subject: Subject) -> str:
    """Return the title, description or reason that the flow gives a subject; empty if it gives none."""
    match subject.kind:
        case kind if not subject.name:
            return UNNAMED.get(kind, "")
        case "field" if subject.name in machine.fields:
            return machine.title(subject.name)
        case "node" | "form":
            return machine.nodes[subject.name].node.description
        case "transition" | "timer":
            return next((one.because for one in machine.all_candidates() if one.id == subject.name), "")
        case "event" if subject.name in machine.events:
            return machine.events[subject.name].tool.about
        case "tool" if subject.name in machine.tools:
            return machine.tools[subject.name].tool.about
        case "overlay":
            overlay = machine.overlays[subject.name].overlay
            return overlay.persona_name or overlay.persona or overlay.addendum
        case _:
            return ""


def is_used(machine: Machine, timer: str) -> bool:
    """Return whether the flow can arm a timer; the timer for a person only counts if the flow waits for one."""
    waits = machine.flow.person is not None or any(node.work == "person" for node in machine.nodes.values())
    return timer != PERSON_TIMEOUT or waits


def _generated_tools(machine: Machine) -> Iterator[str]:
    """Yield the tools for records, and those that choose a transition, which any node has."""
    for name, node in machine.nodes.items():
        yield from (*node.toolbox.reads, *node.toolbox.writes)
        yield from (CHOICE_PREFIX + one.target for one in machine.candidates(name, "choice").all if one.target)


def _of_nodes(machine: Machine) -> Iterator[Candidate]:
    return (candidate for node in machine.nodes.values() for candidate in node.candidates)
