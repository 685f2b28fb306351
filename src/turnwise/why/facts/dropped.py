"""Facts about values of a message that the rules did not take, with the reason that was recorded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwise.core.machine import Machine
from turnwise.core.phrase import Phrase, listed, phrase
from turnwise.core.state import events as e
from turnwise.core.state.commands import Dropped, DropReason
from turnwise.core.values.json_data import as_list
from turnwise.runner.result import Turn
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import FactBuilder

_REASONS: dict[DropReason, str] = {
    "several": Phrase("the message names several values, of which only one can be the answer"),
    "corrected": Phrase("the message says another value after it"),
    "denied": Phrase("the message denies it, or takes it back"),
    "doubtful": Phrase("the message is in doubt about it"),
    "question": Phrase("the message asks it"),
    "beside_question": Phrase("the message also asks a question, which may be about it"),
    "about_another": Phrase("it is about another person"),
    "other_words": Phrase("the rules do not know the words beside it"),
    "not_alone": Phrase(
        "the rules take such words where they are the whole answer to its question, and not within this message"
    ),
}
"""Why the rules left out a value, apart from `elsewhere`, whose text names the nodes."""


def values_left_out(turn: Turn, address: str = "") -> list[tuple[int, Dropped]]:
    """Return the values that the rules left out of a turn's message, each with the position of its last entry.
    They are those for the field at `address`, by default for all fields, without values that another node, or a model,
    took after all.
    """
    found: dict[tuple[str, tuple[int, int]], tuple[int, Dropped]] = {}
    for entry in turn.entries:
        for one in entry.event.dropped if isinstance(entry.event, e.Understood) else ():
            if one.field in turn.machine.fields and address in ("", one.field) and not is_taken(turn.events, one):
                found[one.field, one.words] = (entry.seq, one)
    return list(found.values())


def is_taken(events: Iterable[e.AnyEvent], dropped: Dropped) -> bool:
    """Return whether events of a turn gave a value that was left out (`dropped`) to its field after all, or its words
    to another field.
    """
    start, stop = dropped.words
    for event in events:
        if not isinstance(event, e.FieldSet):
            continue
        if event.field == dropped.field and dropped.value in (as_list(event.value) or (event.value,)):
            return True
        if event.words is not None and event.words[0] < stop and start < event.words[1]:
            return True
    return False


def facts_of_dropped(builder: FactBuilder, understood: Fact) -> Iterator[Fact]:
    """Yield facts about the values of the message that the rules left out, with the reason; `understood`, the fact
    about what was understood, is their cause.
    """
    machine, message = builder.machine, builder.message or ""
    for seq, one in values_left_out(builder.turn):
        if seq != builder.entry.seq or machine.fields[one.field].secret:
            continue
        value, (start, stop) = builder.value(one.field, one.value), one.words
        has_options = bool(machine.fields[one.field].options)
        yield builder.fact(
            "words_not_taken",
            Subject("field", one.field),
            Subject("message", str(builder.entry.turn)),
            causes=(understood,),
            field=one.field,
            word=message[start:stop],
            value=value,
            turn=builder.entry.turn,
            means=phrase("stands for {value} of {field}", value=value, field=one.field)
            if has_options
            else phrase("reads as {value} for {field}", value=value, field=one.field),
            reason=_REASONS.get(one.reason) or _elsewhere(builder, one.field),
            code=one.reason,
        )


def _elsewhere(builder: FactBuilder, name: str) -> str:
    """Return that the node in charge does not take a field from messages, and which do."""
    others = nodes_that_collect(builder.machine, name)
    does = "{node} does not take {field} from messages[; {nodes} does]"
    do = "{node} does not take {field} from messages[; {nodes} do]"
    return phrase(does if len(others) == 1 else do, node=builder.node, field=name, nodes=listed(others))


def nodes_that_collect(machine: Machine, name: str) -> list[str]:
    """Return the names of the nodes that take a field from messages, or ask for it."""
    nodes = [node for node, linked in machine.nodes.items() if name in linked.collects]
    return list(dict.fromkeys([*nodes, *machine.forms_of.get(name, ())]))
