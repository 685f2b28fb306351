"""People: the queue of conversations that wait for a person, taking over, answering, and giving back (law 6.10)."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.api.chat import Chat
from turnwise.archive.dry_run import DryRun, dry_run
from turnwise.core.candidates import Candidate, End
from turnwise.core.explain.guesses import PERSON_OUTCOME, fields_that_reveal_secrets
from turnwise.core.handover import outcomes_at, transitions_at
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state.events import GivenBack, TakenOver
from turnwise.errors import UnknownConversation
from turnwise.server.faults import faults_of_refusal
from turnwise.server.operation import IDEMPOTENCY_HEADER, OperationCall, operation
from turnwise.server.problems import turn_response
from turnwise.server.responses import Reply
from turnwise.server.views.page_words import accepted_words
from turnwise.server.views.queue import waiting_view
from turnwise.server.views.summaries import summary_of_stored
from turnwise.server.views.trace_data import redaction_of
from turnwise.server.wire.conversations import Waiting
from turnwise.server.wire.people import GiveBack, GiveBackPreview, OperatorMessage, TakeOver, TransitionChoice
from turnwise.server.wire.turns import TurnResult


@operation("GET", "/queue", "operator", answer=tuple[Waiting, ...], errors=(409,))
async def queue(call: OperationCall) -> tuple[Waiting, ...]:
    """Return the conversations that wait for a person, or have one in charge, the longest wait first."""
    found: list[Waiting] = []
    words = accepted_words(call.header(b"accept-language"))
    service = call.service
    for queued in await next(iter(service.apps.values())).queue():
        app = service.apps.get(queued.flow)
        state = await service.store.load(queued.conversation)
        if app is None or state is None or not call.identity.sees(queued.conversation, queued.flow):
            continue
        machine = await app.runtime.machines.shown_of_state(state)
        summary = await summary_of_stored(service.store, queued.conversation, state, machine, app.machine)
        if summary.person is not None:
            found.append(await waiting_view(service.store, machine, state, summary, words))
    return tuple(found)


@operation(
    "POST",
    "/conversations/{id}/person/take-over",
    "operator",
    answer=TurnResult,
    body=TakeOver,
    errors=(409, 422),
    headers=IDEMPOTENCY_HEADER,
    examples={"lena": {"operator": "Lena", "reason": "asked for a person"}},
)
async def take_over(call: OperationCall) -> Reply:
    """Let a person take over a conversation: from then on nothing is interpreted and no model is called.

    With keys the owner of the key is recorded as the operator; the name in the body is what the user sees.
    """
    sent = await call.body(TakeOver)
    chat = await call.chat()
    name, who = sent.operator.strip(), call.identity.owner
    turn = chat.take_over(
        who or name, reason=sent.reason, instead_of=sent.instead_of, display=name, key=call.idempotency_key
    )
    return turn_response(await turn, sent)


@operation(
    "POST",
    "/conversations/{id}/person/say",
    "operator",
    answer=TurnResult,
    body=OperatorMessage,
    errors=(409, 422),
    headers=IDEMPOTENCY_HEADER,
    examples={"answer": {"text": "Hello, I am Lena."}},
)
async def say(call: OperationCall) -> Reply:
    """Send a message of the person in charge to the user."""
    sent = await call.body(OperatorMessage)
    chat = await call.chat()
    turn = chat.operator_say(sent.text, operator=_by(call, sent), key=call.idempotency_key)
    return turn_response(await turn, sent)


@operation(
    "POST",
    "/conversations/{id}/person/give-back",
    "operator",
    answer=TurnResult,
    body=GiveBack,
    errors=(409, 422),
    headers=IDEMPOTENCY_HEADER,
    not_both=("transition", "end"),
    examples={"agreed": {"set": {"user.tos_acknowledged": True}}, "moved": {"transition": "complete", "reason": "ok"}},
)
async def give_back(call: OperationCall) -> Reply:
    """Give a conversation back to the machine, with the values that were agreed."""
    sent = await call.body(GiveBack)
    chat = await call.chat()
    turn = chat.give_back(
        sent.outcome,
        set=sent.set,
        transition=sent.transition,
        end=sent.end,
        reason=sent.reason,
        operator=_by(call, sent),
        key=call.idempotency_key,
    )
    return turn_response(await turn, sent)


def _by(call: OperationCall, sent: OperatorMessage | GiveBack) -> str | None:
    """Return whose act it is: with keys of the owner of the key, whatever name the body has."""
    return call.identity.owner or sent.operator


# what giving back would do -----------------------------------------------------------------------


@operation(
    "POST",
    "/conversations/{id}/person/preview",
    "operator",
    answer=GiveBackPreview,
    body=GiveBack,
    errors=(409, 422),
    examples={"agreed": {"set": {"user.tos_acknowledged": True}}},
)
async def preview(call: OperationCall) -> GiveBackPreview:
    """Return what giving a conversation back would do now, also before a person has taken over.
    Nothing is stored, and no model or tool is called.

    The decisions, with guards and values, need the scope `debug:read`. What would follow from a value of a secret
    field, or of one that the flow compares with a secret, only admins see: it would reveal the secret, guess by guess.
    """
    sent = await call.body(GiveBack)
    chat = await call.chat()
    state = await chat.runtime.store.load(chat.name)
    if state is None:
        raise UnknownConversation(chat.name)
    machine = await chat.runtime.machines.of_state(state)
    choices = tuple(_choice(one) for one in transitions_at(machine, state.node))
    outcomes = outcomes_at(machine, state.node)
    known = GiveBackPreview(is_known=False, node=state.node, transitions=choices, outcomes=outcomes)
    guesses = () if call.may("admin") else fields_that_reveal_secrets(machine, [*sent.set, PERSON_OUTCOME])
    if guesses:
        return replace(known, why=f"only an admin may see what follows: the flow compares '{guesses[0]}' with a secret")
    run = await _tried(chat, machine, state, sent, _by(call, sent) or "")
    if run.refused is not None:
        refused_fields = run.turn.refused_fields
        faults = faults_of_refusal(run.refused, run.refusal, refused_fields, sent) if refused_fields else ()
        return replace(known, is_known=run.is_known, refused=run.refused, text=run.refusal, faults=faults)
    return replace(
        known,
        is_known=run.is_known,
        moves=run.moves,
        node=run.turn.node or "",
        outcome=run.turn.outcome or "",
        values=redaction_of(run.turn).data(run.values),
        decisions=run.turn.decisions if call.may("debug:read") else (),
        why=run.why,
    )


async def _tried(chat: Chat, machine: Machine, state: State, sent: GiveBack, operator: str) -> DryRun:
    """Return what giving back would do on a state; where a person is awaited, after taking over."""
    runtime = chat.runtime
    if state.person is not None and not state.person.operator:
        taken = await dry_run(
            runtime.performer, machine, chat.name, state, TakenOver(operator or "operator"), runtime.clock
        )
        if taken.refused is not None:
            return taken
        state = taken.turn.state
    event = GivenBack(sent.outcome, sent.set, sent.transition or "", sent.end or "", sent.reason, operator=operator)
    return await dry_run(runtime.performer, machine, chat.name, state, event, runtime.clock)


def _choice(candidate: Candidate) -> TransitionChoice:
    match candidate.action:
        case End(outcome):
            target = f"end: {outcome}"
        case _:
            target = candidate.target
    return TransitionChoice(candidate.id, candidate.moment, target, candidate.because)


OPERATIONS = (queue, take_over, say, give_back, preview)
"""The operations of this module, which the server serves."""
