"""Reading a conversation: transcript, trace, timeline, decisions, state, what-if, dry run."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from turnwise.api.chat import Chat
from turnwise.archive.answer_words import AnswerWords
from turnwise.archive.frames import FrameInfo, frame_named, frames_of
from turnwise.core.state.events import Button
from turnwise.core.step.begin_buttons import begin_buttons
from turnwise.core.trace import Decision
from turnwise.errors import UnknownSubject, UnknownTurn
from turnwise.server.operation import OperationCall, operation
from turnwise.server.problems import RequestFailed
from turnwise.server.views.flow_page import history_of
from turnwise.server.views.ledger import LedgerBuilder, form_past
from turnwise.server.views.outlooks import outlooks
from turnwise.server.views.page_words import accepted_words, page_language
from turnwise.server.views.prompts import prompt_views
from turnwise.server.views.states import state_view
from turnwise.server.views.timeline import timeline_of
from turnwise.server.views.trace_data import erased_trace, redaction_of, texts_of, turn_trace, turn_with_state
from turnwise.server.views.transcript import transcript_of
from turnwise.server.wire.conversations import Transcript
from turnwise.server.wire.ledger import LedgerAnswer
from turnwise.server.wire.records import DryRunRequest
from turnwise.server.wire.requests import MOST_DIGITS, Fault
from turnwise.server.wire.timeline import Timeline
from turnwise.server.wire.trace import EdgeHistory, PromptView, StateView, TurnTrace
from turnwise.server.wire.turns import DryRun
from turnwise.why.answer import Answer


class TranscriptQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The query parameters that select messages of a transcript."""

    after: Annotated[int, Meta(lt=10**MOST_DIGITS)] = 0
    """The position after which messages are wanted; those of the whole turn at that position are sent. 0 for all."""
    frame: Annotated[str, Meta(min_length=1)] | None = None
    """The frame whose lines are wanted, by its id or the name of its scope (its last run); `None` for all."""


@operation("GET", "/conversations/{id}/transcript", "chat", answer=Transcript, query=TranscriptQuery, errors=(409,))
async def transcript(call: OperationCall) -> Transcript:
    """Return the messages that the chat shows of a conversation.
    Seams, tools and timers need the scope `debug:read`; the transcript of one frame and the summaries of scopes need
    `debug:read` or `operator`.
    """
    asked = call.query(TranscriptQuery)
    if asked.frame is not None:
        call.need_inside("the transcript of one frame")
    chat, after = await call.chat(), max(0, asked.after)
    runtime, frame = chat.runtime, None
    summary = await call.summary(chat)  # before the messages: who asks on after its position misses none of them
    if asked.frame is not None:
        frame = frame_named(await _frames(call, chat, is_brief=True), asked.frame, chat.name).id
    found = await transcript_of(
        runtime.store,
        runtime.machines,
        chat.name,
        after,
        is_debug=call.may("debug:read"),
        has_summaries=call.identity.sees_inside,
        frame=frame,
    )
    state = await chat.state()
    return Transcript(
        summary,
        tuple(found.messages),
        tuple(found.seams),
        found.is_cut,
        found.erasure,
        begin_buttons(await runtime.machines.shown_of_state(state), state),
    )


@operation("GET", "/conversations/{id}/frames", "chat", answer=tuple[FrameInfo, ...], errors=(409,))
async def frames(call: OperationCall) -> tuple[FrameInfo, ...]:
    """Return the frames of a conversation in the order of opening: the conversation itself, and each opened scope.
    Those that were closed or undone are among them. It needs the scope `debug:read` or `operator`.
    """
    call.need_inside("the frames of a conversation")
    chat = await call.chat()
    found, state = await _frames(call, chat), await chat.state()
    machine = await chat.runtime.machines.shown_of_state(state)
    redaction = await call.service.redaction(call.service.apps[state.flow], machine, chat.name, state)
    return tuple([replace(one, summary=redaction.text(one.summary)) for one in found])


async def _frames(call: OperationCall, chat: Chat, *, is_brief: bool = False) -> tuple[FrameInfo, ...]:
    outline, runtime = await call.service.caches.outline(chat.machine.flow.name, chat.name), chat.runtime
    return await frames_of(runtime.store, runtime.machines, chat.name, outline.frames, is_brief=is_brief)


class TurnQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The query parameter that selects a turn."""

    turn: int | None = None
    """The number of the turn; `None` for the last one."""


@operation("GET", "/conversations/{id}/ledger", "debug:read", answer=LedgerAnswer, query=TurnQuery, errors=(409,))
async def ledger(call: OperationCall) -> LedgerAnswer:
    """Return how the form in charge stood at the end of a turn, question by question, and what each answer would do.
    The latter is of its open question. Notes are in the language of `Accept-Language`, if the page has it.

    In a flow with secret fields only admins see what answers would do.
    """
    chat = await call.chat()
    turn = await turn_with_state(chat, call.query(TurnQuery).turn)
    machine, state, runtime = turn.machine, turn.state, chat.runtime
    if state.frame.form is None or state.node not in machine.nodes:
        return LedgerAnswer()
    words = accepted_words(call.header(b"accept-language"))
    past = await form_past(runtime.store, chat.name, state)
    texts = await texts_of(runtime.store, turn)
    found = LedgerBuilder(machine, state, redaction_of(turn), texts, words).ledger(past)
    if found is None or (machine.has_secrets and not call.may("admin")):
        return LedgerAnswer(found)
    tried = await outlooks(runtime.performer, machine, chat.name, state, runtime.clock, words)
    return LedgerAnswer(replace(found, outlooks=tried))


@operation("GET", "/conversations/{id}/trace", "debug:read", answer=TurnTrace, query=TurnQuery, errors=(409,))
async def trace(call: OperationCall) -> TurnTrace:
    """Return everything that the debug panel shows of one turn.
    What it says in words of its own is in the language of `Accept-Language`, if the page has it; the verdict lines of
    decisions name ids, and are in English.
    """
    chat, number = await call.chat(), call.query(TurnQuery).turn
    runtime = chat.runtime
    try:
        turn = await chat.turn(number)
    except UnknownTurn as unknown:
        if not unknown.is_erased or number is None:
            raise
        entries = await runtime.store.turn(chat.name, number)
        machine = await runtime.machines.shown_of_state(await chat.state())
        return erased_trace(chat.name, entries, machine, chat.machine)
    histories = await call.service.caches.histories(chat.machine.flow.name)
    words = accepted_words(call.header(b"accept-language"))
    return await turn_trace(runtime.store, runtime.machines, turn, chat.machine, histories, words)


@operation("GET", "/conversations/{id}/timeline", "debug:read", answer=Timeline, errors=(409,))
async def timeline(call: OperationCall) -> Timeline:
    """Return the whole path of a conversation, with a mark for each decision, and the positions of commits.
    Texts are in the language of `Accept-Language`, if the page has it.
    """
    chat = await call.chat()
    outline = await call.service.caches.outline(chat.machine.flow.name, chat.name)
    machine = await chat.runtime.machines.for_display(outline.fingerprint) if outline.fingerprint else chat.machine
    return timeline_of(outline, machine, page_language(call.header(b"accept-language")))


@operation("GET", "/conversations/{id}/edges", "debug:read", answer=tuple[EdgeHistory, ...], errors=(409,))
async def edges(call: OperationCall) -> tuple[EdgeHistory, ...]:
    """Return how often each transition was judged, held and taken in a conversation."""
    chat = await call.chat()
    outline = await call.service.caches.outline(chat.machine.flow.name, chat.name)
    return tuple([history_of(edge) for edge in outline.tally.edges()])


@operation("GET", "/conversations/{id}/state", "debug:read", answer=StateView, query=TurnQuery, errors=(409,))
async def state(call: OperationCall) -> StateView:
    """Return the state of a conversation at the end of a turn, with what the turn changed."""
    chat = await call.chat()
    turn = await turn_with_state(chat, call.query(TurnQuery).turn)
    texts = await texts_of(chat.runtime.store, turn)
    return state_view(turn.machine, turn.state, turn.before, redaction_of(turn), texts)


@operation(
    "GET", "/conversations/{id}/prompt", "debug:read", answer=tuple[PromptView, ...], query=TurnQuery, errors=(409,)
)
async def prompt(call: OperationCall) -> tuple[PromptView, ...]:
    """Return the prompts that models were sent in a turn, each proved by its hash, with the prompt before it."""
    chat = await call.chat()
    turn = await chat.turn(call.query(TurnQuery).turn)
    return await prompt_views(chat.runtime.store, chat.runtime.machines, turn, redaction_of(turn))


class DecisionQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The query parameters that select decisions."""

    turn: int | None = None
    """The number of the decision's turn; `None` for the last turn with a decision."""
    transition: Annotated[str, Meta(min_length=1)] | None = None
    """The name of a transition, or of its target, to explain; `None` for all."""


@operation(
    "GET",
    "/conversations/{id}/decisions",
    "debug:read",
    answer=tuple[Decision, ...],
    query=DecisionQuery,
    errors=(409,),
)
async def decisions(call: OperationCall) -> tuple[Decision, ...]:
    """Explain the decisions of a turn. A transition that was not judged is explained by a hypothetical decision."""
    asked = call.query(DecisionQuery)
    return await (await call.chat()).explain(turn=asked.turn, transition=asked.transition)


class WhyQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The query parameters of a question to `why`."""

    subject: str = ""
    """A name, the number of a turn, `end`, or a question in plain words; empty for the turn itself."""
    turn: int | None = None
    """The number of the turn that the question is about; `None` for the last one."""
    against: Annotated[str, Meta(min_length=1)] | None = None
    """Another conversation with which this one is compared; `None` for none."""
    against_turn: int | None = None
    """A turn of the other conversation, or of this one, with which the turn is compared; `None` for none."""
    to: Annotated[str, Meta(min_length=1)] | None = None
    """A node to which ways are searched, from the end of the turn; `None` for none."""
    usual: bool = False
    """Whether the second fact says in how many conversations of the flow the same is true."""
    titles: bool = False
    """Whether the answer uses titles for people instead of the names in the flow, also for conditions and values."""


@operation("GET", "/conversations/{id}/why", "debug:read", answer=Answer, query=WhyQuery, errors=(409,))
async def why(call: OperationCall) -> Answer:
    """Explain why anything is as it is, where two conversations differ first, or which ways lead to a target.
    The answer is in the language of `Accept-Language`, if answers are written in it.
    """
    asked, chat = call.query(WhyQuery), await call.chat()
    words = AnswerWords(page_language(call.header(b"accept-language")), asked.titles)
    is_comparison = asked.against is not None or asked.against_turn is not None
    questions = {"subject": asked.subject, "against": is_comparison, "to": asked.to is not None}
    given = [name for name, is_asked in questions.items() if is_asked]
    if len(given) > 1:
        fault = Fault(f"?{given[1]}", f"{given[0]} and {given[1]} are two questions; ask one at a time")
        raise RequestFailed("invalid", fault.message, errors=[fault])
    if asked.to is not None:
        try:
            return await chat.ways_to(asked.to, turn=asked.turn, words=words)
        except UnknownSubject as unknown:
            raise RequestFailed("invalid", str(unknown), errors=[Fault("?to", str(unknown))]) from None
    if is_comparison:
        other = await call.service.find(call.identity, asked.against) if asked.against is not None else None
        name = other.name if other is not None else None
        return await chat.compare(name, turn=asked.turn, other_turn=asked.against_turn, words=words)
    counts = await call.service.caches.counts((await chat.state()).flow) if asked.usual else None
    return await chat.runtime.archive.why(chat.name, asked.subject, turn=asked.turn, counts=counts, words=words)


@operation(
    "POST",
    "/conversations/{id}/dry-run",
    "chat",
    answer=DryRun,
    body=DryRunRequest,
    errors=(409,),
    one_of={"text": (), "button": ("position",), "commands": ()},
    examples={"a button": {"button": "yes"}, "a message": {"text": "I am 48"}},
)
async def dry_run(call: OperationCall) -> DryRun:
    """Return what a message, a button or commands would do, without doing it: no model and no tool is called.

    Commands, and in the answer `moves`, `values` and `why`, need the scope `debug:read`. In a flow with secret fields
    it needs `admin`: nothing limits how often a caller guesses.
    """
    asked, chat = await call.body(DryRunRequest), await call.chat()
    if (await chat.runtime.machines.shown_of_state(await chat.state())).has_secrets:
        call.need("admin", "a dry run in a flow with secret fields")
    if asked.commands is not None:
        call.need("debug:read", "a dry run of commands")
    if asked.button is not None:
        found = await chat.dry_run(Button(asked.button, asked.button), position=asked.position)
    else:
        found = await chat.dry_run(asked.text if asked.text is not None else asked.commands or ())
    redaction, node = redaction_of(found.turn), found.turn.node or ""
    shown = DryRun(found.is_known, found.decided_by, found.refused or "", redaction.text(found.text), node=node)
    if call.may("debug:read"):
        shown = replace(shown, moves=found.moves, values=redaction.data(found.values), why=found.why)
    return shown


OPERATIONS = (transcript, frames, ledger, trace, timeline, edges, state, prompt, decisions, why, dry_run)
"""The operations of this module, which the server serves."""
