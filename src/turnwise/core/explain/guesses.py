"""Finds the fields by which a caller could guess a secret: by supposing values and comparing the verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwise.core.candidates import Guard
from turnwise.core.machine import Machine

PERSON_OUTCOME = "person.outcome"
"""The root under which guards read the outcome that a person gives back."""


def fields_that_reveal_secrets(machine: Machine, names: Iterable[str]) -> tuple[str, ...]:
    """Return those of some names that are secret or compared with a secret: a what-if with them could reveal it."""
    if not machine.has_secrets:
        return ()
    secret = {address for address, field in machine.fields.items() if field.secret}
    compared = secret.union(*(reads for reads in _reads(machine) if reads & secret))
    for derived in reversed(machine.derived):  # what a derived field is computed from is compared with it
        compared |= set(derived.reads) if derived.address in compared else set()
    return tuple([name for name in names if name in compared])


def _reads(machine: Machine) -> Iterator[set[str]]:
    """Yield the fields and roots that are read together."""
    yield from (set(derived.reads) for derived in machine.derived)
    for way in machine.all_candidates():
        yield _of_guards(way.guard)
        yield {ref.key for write in way.writes for ref in write.reads}
        for name in way.code.parameters if way.code is not None else ():
            yield {f"{name}.{field}" for field in machine.names.records.get(name, {})}
    for address, validators in machine.validators.items():
        yield {address, *_of_guards(*(guard for guard, _ in validators))}
    for node in machine.nodes.values():
        for question in node.form.questions if node.form is not None else ():
            yield {question.address, *_of_guards(question.ask_when, *(guard for guard, _ in question.validators))}


def _of_guards(*guards: Guard | None) -> set[str]:
    return {ref.key for guard in guards if guard is not None for ref in guard.refs}
