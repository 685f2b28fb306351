"""The conversations that wait for a person: what led to the wait, in words, and which values are known."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.core.field_titles import capital
from turnwise.core.locale import written_for_user
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.commands import HandOver
from turnwise.core.state.kinds import ERASED
from turnwise.runner.ports import Store
from turnwise.runner.stored import StoredConversation
from turnwise.server.views.redaction import Redaction
from turnwise.server.wire.conversations import ConversationSummary, KnownValue, Waiting

MOST_VALUES_SHOWN = 6
"""How many known values the queue shows of a conversation."""
MOST_ENTRIES_SEARCHED = 400
"""How many entries of the journal are read, back from the last one, for what led to the wait."""


async def waiting_view(
    store: Store, machine: Machine, state: State, summary: ConversationSummary, words: Mapping[str, str]
) -> Waiting:
    """Return a conversation with a person as the queue shows it; `words` are the page's sentences by key."""
    person = state.person
    assert person is not None
    assert summary.person is not None
    turn = await _turn_of_wait(store, summary.id, state)
    redaction = Redaction(machine, (state,), turn)
    why = redaction.text(_why(turn, words)) or (
        words["taken_over"].replace("{reason}", summary.person.reason) if summary.person.reason else ""
    )
    return Waiting(summary, summary.person, why, person.due_ms, _known(machine, state))


async def _turn_of_wait(store: Store, conversation: str, state: State) -> tuple[e.Entry, ...]:
    """Return the entries of the turn in which the wait began, up to there; none where a person came by themselves."""
    seen, found = 0, list[e.Entry]()
    turn = None
    async for entry in StoredConversation(store, conversation).backwards(state.seq):
        seen += 1
        if turn is not None and entry.turn != turn:
            break
        if isinstance(entry.event, e.PersonAwaited) and turn is None:
            turn = entry.turn
        if turn is not None:
            found.append(entry)
        elif seen > MOST_ENTRIES_SEARCHED:
            break
    return tuple(reversed(found))


def _why(turn: tuple[e.Entry, ...], words: Mapping[str, str]) -> str:
    """Return what led to the wait: the user asked for a person, or the rule that was taken has these words."""
    said = next((one.event.text for one in turn if isinstance(one.event, e.UserSaid)), "")
    asked = any(
        isinstance(command, HandOver)
        for one in turn
        if isinstance(one.event, e.Understood)
        for command in one.event.commands
    )
    if asked and said and said != ERASED:
        return words["asked_for_person"].replace("{words}", said)
    because = next((one.event.because for one in reversed(turn) if isinstance(one.event, e.Moved)), "")
    return capital(because)


def _known(machine: Machine, state: State) -> tuple[KnownValue, ...]:
    """Return the first values that are known, in the order of the flow, without secret ones."""
    found: list[KnownValue] = []
    for address, field in machine.fields.items():
        value = state.values.get(address)
        if value is None or field.secret or "/" in address or field.parts:
            continue
        found.append(
            KnownValue(
                address, capital(machine.short_title(address)), written_for_user(machine, state, field, value.value)
            )
        )
        if len(found) == MOST_VALUES_SHOWN:
            break
    return tuple(found)
