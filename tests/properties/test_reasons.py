"""What holds for every answer to a question of why, tried with random machines: nothing that happened goes unsaid,
nothing is said that is secret, a way leads where it says, and asking changes nothing.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec import convert, to_builtins

import turnwise as tw
from support.pure_guards import GUARDS
from support.random_runs import Run, converse
from turnwise.core.secrets import joined_values, secret_values
from turnwise.core.state import events as e
from turnwise.core.state.effects import CallModel, RunTool
from turnwise.core.state.events import OutsideEvent
from turnwise.core.step import step
from turnwise.core.turn import Step
from turnwise.runner.ports import Commit
from turnwise.stores.memory import MemoryStore
from turnwise.why.answer import Answer, Fact, Subject
from turnwise.why.facts import SILENT
from turnwise.why.kinds import words
from turnwise.why.names import subjects
from turnwise.why.subjects.ends import MOST_MOVES
from turnwise.why.ways import ways_to
from turnwise.why.ways.acts import Acts
from turnwise.why.ways.running import run as run_act
from turnwise.why.ways.targets import Target

numbers = st.integers(0, 2**40)
IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
FEW = settings(max_examples=2000 if IS_SOAK else 10, deadline=None, suppress_health_check=[HealthCheck.too_slow])


async def opened(run: Run) -> tw.App:
    """An app with the conversation `x` of a run."""
    app = tw.open(run.flow, guards=GUARDS, store=MemoryStore())
    store = app.runtime.store
    for number in run.states:
        own = tuple(entry for entry in run.entries if entry.turn == number)
        writing = store.commit("x", Commit(own, state=run.states[number]))
        await writing
    return app


def _effect(event: e.AnyEvent) -> Subject | None:
    match event:
        case e.EffectAsked(effect=RunTool(tool=tool)):
            return Subject("tool", tool)
        case e.EffectAsked(effect=CallModel()):
            return Subject("model")
        case _:
            return None


CHANGES: dict[type, Any] = {
    **dict.fromkeys((e.FieldSet, e.FieldCleared, e.NothingSet), lambda event: Subject("field", event.field)),
    **dict.fromkeys((e.FieldShelved, e.FieldRevived), lambda event: Subject("field", event.field)),
    **dict.fromkeys((e.CommandRefused, e.Missed), lambda event: Subject("field", event.field)),
    e.Said: lambda event: Subject("question", event.field) if event.question == "field" else None,
    e.Started: lambda event: Subject("node", event.node),
    e.Moved: lambda event: Subject("node", event.target),
    e.MovePlanned: lambda event: Subject("transition", event.transition),
    e.FormClosed: lambda event: Subject("form", event.node),
    **dict.fromkeys((e.ToolReturned, e.ToolFailed, e.ToolUsed), lambda event: Subject("tool", event.tool)),
    **dict.fromkeys((e.CallRefused, e.CallAnswered, e.CallHeld), lambda event: Subject("tool", event.tool)),
    **dict.fromkeys((e.ModelReplied, e.ModelFailed), lambda _event: Subject("model")),
    e.TimerFired: lambda event: Subject("timer", event.timer),
    **dict.fromkeys((e.PersonAwaited, e.TakenOver, e.GivenBack), lambda _event: Subject("person")),
    **dict.fromkeys((e.OperatorSaid, e.NobodyCame), lambda _event: Subject("person")),
    e.Ended: lambda _event: Subject("end"),
    e.Undone: lambda event: Subject("node", event.state.node),
    e.Failed: lambda _event: Subject("turn"),
}
"""Events that change something, and the subject whose `why` must reach them; others are reached by that of their turn."""
_MESSAGE = (e.UserSaid, e.UserChose, e.Understood, e.UnderstandingFailed, e.WordsHidden)
ALONE = {Subject(kind) for kind in ("person", "model", "end", "turn")}


def _reaching(entry: e.Entry, before: e.AnyEvent | None, known: set[Subject]) -> Subject | None:
    """The subject whose `why` must reach an entry, by the event before it; `None` for one without a fact of its own."""
    event = entry.event
    of = CHANGES.get(type(event))
    subject = of(event) if of is not None else _effect(event)
    if subject is not None and (subject in known or subject.kind == "question"):
        return subject
    match event:
        case e.Faulted(fault=fault) if fault.kind not in ("write", "limit", "guard"):
            has_fact = isinstance(before, e.ToolFailed | e.CallRefused | e.ModelFailed)
            return Subject("tool", fault.tool) if fault.tool and not has_fact else None
        case e.EffectAsked() | e.MovePutOff(transition=""):  # the move itself follows
            return None
        case _ if type(event) in SILENT:
            return None
        case _:
            return Subject("message" if isinstance(event, _MESSAGE) else "turn", str(entry.turn))


def reached(answer: Answer) -> set[int]:
    return {fact.seq for fact in walk(answer.facts)}


def texts_in(data: Any) -> Iterator[str]:
    """Every text in data, without the keys."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list | tuple):
        for value in data.values() if isinstance(data, dict) else data:
            yield from texts_in(value)


def walk(facts: tuple[Fact, ...]) -> list[Fact]:
    return [one for fact in facts for one in fact.walk()]


@FEW
@given(numbers)
def test_every_change_is_reached_by_a_why_of_its_subject(number: int) -> None:
    run = converse(number)

    async def check() -> None:
        chat, known = (await opened(run)).chat("x"), {*_subjects(run), *ALONE}
        answers: dict[tuple[Subject, int], set[int]] = {}
        events = [None, *(entry.event for entry in run.entries)]
        for entry, before in zip(run.entries, events, strict=False):
            subject = _reaching(entry, before, known)
            if subject is not None:
                key = subject, entry.turn
                answers[key] = answers.get(key) or reached(await chat.why(str(subject), turn=entry.turn))
                assert entry.seq in answers[key], (subject, entry)

    asyncio.run(check())


@FEW
@given(numbers)
def test_every_timer_that_a_turn_armed_or_dropped_is_told(number: int) -> None:
    run = converse(number)

    async def check() -> None:
        app = await opened(run)
        for turn in sorted(run.states)[1:]:
            before, after = (run.states[one].timers if one in run.states else () for one in (turn - 1, turn))
            ended = [one.seq for one in run.entries if one.turn == turn and isinstance(one.event, e.TurnEnded)]
            for timer in {*before} ^ {*after}:
                answer = await app.chat("x").why(f"timer {timer.transition}", turn=turn)
                kinds = {fact.kind for fact in walk(answer.facts) if fact.seq in ended or fact.kind == "timer_fired"}
                assert kinds & {"timer_armed", "timer_dropped", "timer_fired"}, (timer, turn)

    asyncio.run(check())


def _subjects(run: Run) -> list[Subject]:
    return [*subjects(run.machine), Subject("person")]


@FEW
@example(171191015856)  # a tool is asked about after the end
@given(numbers)
def test_every_answer_is_in_words_made_from_its_values_and_tells_no_secret(number: int) -> None:
    run = converse(number)

    async def check() -> None:
        app = await opened(run)
        hidden = joined_values(*(secret_values(run.machine, state) for state in run.states.values()))
        known = repr(run.flow).casefold()  # what the flow says itself is no secret
        hidden = {value for value in hidden if value.casefold() not in known}
        for subject in _subjects(run)[:20]:
            answer = await app.chat("x").why(str(subject))
            assert answer.line == answer.facts[0].text
            agrees(run, answer)
            shown = str(to_builtins(answer)).casefold()
            assert not [value for value in hidden if value.casefold() in shown], subject
            for fact in walk(answer.facts):
                assert fact.text == words(fact.kind, fact.values), fact
                assert fact.text

    asyncio.run(check())


TELLS: dict[str, tuple[str, ...]] = {
    "why_told": ("field_set", "value_read"),
    "why_found": ("field_set", "value_read"),
    "why_told_secret": ("field_set", "value_read"),
    "why_found_secret": ("field_set", "value_read"),
    "why_person_set": ("field_set", "value_read"),
    "why_person_set_secret": ("field_set", "value_read"),
    "why_entered": ("field_set", "value_read"),
    "why_entered_secret": ("field_set", "value_read"),
    "why_refused": ("command_refused", "value_refused"),
    "why_not_understood": ("not_understood", "question_repeated", "transition_not_judged"),
    "why_several": ("not_understood",),
    "why_silent": ("warned",),
    "why_not_taken": ("words_not_taken",),
    "why_not_known": ("field_empty", "field_cleared", "nothing_set", "nothing_returned", "value_lost"),
    "why_set_aside": ("field_inactive", "field_shelved"),
    "why_removed": ("field_cleared",),
    "why_taken_back": ("value_undone",),
    "why_undone_since": ("value_undone",),
    "why_before": ("field_set", "value_replaced"),
    "why_made": ("field_set", "value_read"),
    "why_noted": ("field_set", "value_read"),
    "why_set": ("field_set", "value_read"),
    "why_taken": ("field_set",),
    "why_ended_without": ("field_empty", "field_cleared", "nothing_set", "nothing_returned", "value_lost"),
    "why_timer_ends": ("timer_armed", "timer_is_armed", "transition_not_judged"),
    "why_timer_asks": ("timer_armed", "timer_is_armed", "transition_not_judged"),
    "why_default": ("field_default",),
    "why_suggested": ("value_suggested",),
    "why_asked_after": ("question_applies",),
    "why_was_asked": ("question_was_asked",),
    "why_which_answer": ("chooser_due",),
    "why_nobody_came": ("nobody_came", "timer_fired"),
    "why_time_passed": ("timer_fired",),
    "why_timer_dropped": ("timer_dropped",),
    "why_timer": ("timer_armed", "timer_is_armed", "transition_not_judged"),
    "why_person_noted": ("person_gave_back",),
    "why_person_chose": ("person_gave_back", "node_left", "decided", "conversation_ended"),
    "why_declined": ("call_refused",),
    "why_call_wrong": ("call_refused", "call_answered"),
    "why_you_agreed": ("tool_returned",),
    "why_done": ("tool_returned", "tool_used", "call_answered"),
    "why_kept": ("turn_undone",),
    "why_same_step": ("move_blocked", "transition_judged", "warned"),
    "why_nothing_taken": ("understood_nothing", "message_not_read"),
    "why_not_needed": (
        *("question_condition_failed", "question_never_put", "field_computed", "form_left"),
        *("field_collected", "field_without_form"),
    ),
    "why_later": ("question_later",),
    "why_known": ("question_answered",),
    "why_stopped": ("form_stopped",),
    "why_person_awaited": ("person_awaited", "person_is_awaited", "conversation_waits", "message_not_interpreted"),
    "why_person_in_charge": (
        *("person_in_charge", "person_took_over", "conversation_waits", "message_not_interpreted"),
        "form_waits_for_person",
    ),
    "why_confirm": ("confirmation_due",),
    "why_consent": ("call_awaits_approval", "call_still_awaits"),
    "conversation_ended": ("conversation_ended", "tool_not_offered"),
    "undone": ("turn_undone",),
    "why_erased": ("erased",),
}
"""The sentences for the user, and the facts of which one must be in the answer for the auditor."""


def agrees(run: Run, answer: Answer) -> None:
    """The sentence for the user is told by a fact of the answer, also where it quotes a value."""
    assert answer.plain
    facts = walk(answer.facts)
    kinds = {fact.kind for fact in facts}
    language = run.machine.language
    for key, of in TELLS.items():
        text = language.text(key, field="\0", value="\0", reason="\0", named="\0", word="\0")
        pattern = ".*".join(map(re.escape, text.split("\0")))
        if text.strip("\0 .") and re.fullmatch(pattern, answer.plain, re.DOTALL):
            # A transition that was not judged is told by what kept it from being judged.
            assert kinds.intersection((*of, "transition_not_judged")), (key, answer.plain, kinds)
            return


@FEW
@given(numbers)
def test_no_erased_word_is_told_and_what_is_erased_is_named(number: int) -> None:
    run = converse(number)

    async def check() -> None:
        app = await opened(run)
        cut = sorted(run.states)[len(run.states) // 2]
        now_ms = next(entry.at_ms for entry in run.entries if entry.turn == cut) + 1
        await app.runtime.store.retain(tw.Retention(events_days=0), now_ms)
        left = await app.chat("x").journal()
        gone = {entry.turn for entry in left if isinstance(entry.event, e.Erased)}
        words = {entry.seq: entry.event.text for entry in run.entries if isinstance(entry.event, e.UserSaid)}
        erased = {text for seq, text in words.items() if isinstance(left[seq - 1].event, e.Erased) and len(text) > 6}
        kept = str([to_builtins(one) for one in left if not isinstance(one.event, e.Erased)])
        kept += repr(run.flow) + str(run.machine.language.texts)  # what others say too is no trace
        for subject in _subjects(run)[:12]:
            told = "\n".join(texts_in(to_builtins(await app.chat("x").why(str(subject)))))
            assert not [text for text in erased if text in told and text not in kept], subject
        for turn in sorted(gone)[:3]:
            answer = await app.chat("x").why(f"turn {turn}")
            assert (answer.facts[0].kind, len(answer.erased)) == ("erased", 1)
            assert "which keeps events for 0 days" in answer.line

    asyncio.run(check())


@FEW
@given(numbers)
def test_the_moves_that_mattered_are_on_the_path_and_few(number: int) -> None:
    run = converse(number, 24)
    paths: dict[int, list[e.Entry]] = {0: []}
    path: list[e.Entry] = []
    for entry in run.entries:
        if isinstance(entry.event, e.Undone):
            path = list(paths[entry.event.to])
        elif isinstance(entry.event, e.Moved):
            path = [*path, entry]
        paths[entry.turn] = path

    async def check() -> None:
        answer = await (await opened(run)).chat("x").why("end")
        told = [fact.seq for fact in answer.facts if fact.kind == "node_left"]
        assert len(told) == len(set(told)) <= MOST_MOVES
        assert set(told) <= {entry.seq for entry in path}
        left_out = answer.fact("moves_left_out")
        moves = sum(isinstance(entry.event, e.Moved) for entry in run.entries)
        caused = {fact.seq for fact in answer.facts[0].walk() if fact.kind == "node_left"}
        others = sum(left_out.values[name] for name in ("earlier", "circles", "undone")) if left_out is not None else 0
        assert len({*told, *(caused & {one.seq for one in path})}) + others >= moves

    asyncio.run(check())


@FEW
@given(numbers)
def test_asking_changes_nothing(number: int) -> None:
    run = converse(number)

    async def check() -> None:
        app = await opened(run)
        before = await app.chat("x").journal(), await app.chat("x").state()
        for subject in _subjects(run)[:8]:
            await app.chat("x").why(str(subject))
        await app.chat("x").ways_to(next(iter(run.machine.nodes)), most_steps=2)
        assert (await app.chat("x").journal(), await app.chat("x").state()) == before

    asyncio.run(check())


@FEW
@given(numbers)
def test_each_way_leads_where_it_says(number: int) -> None:
    """Its events, given to the machine, with the results that it supposes, enter the node."""
    run = converse(number)
    for target in list(run.machine.nodes)[:4]:
        for way in ways_to(run.machine, run.state, Target("node", target), 2).ways:
            state, acts, entered = (
                run.state,
                Acts(run.machine, frozenset(run.machine.nodes), Target("node", target)),
                set[str](),
            )
            outcomes = [state]
            for act in way.acts:
                event: Any = convert(to_builtins(act.event), OutsideEvent)
                assert any(
                    isinstance(step(run.machine, one, event, one.at_ms + act.after_ms), Step) for one in outcomes
                )
                done = [one for before in outcomes for one in run_act(run.machine, before, act, acts)]
                entered.update(node for one in done for node in one.entered_nodes)
                outcomes = [one.state for one in done]
            assert target in entered
