"""What holds for every machine and everything that happens to it, tried with random ones.

A case is one number: `converse(number)` of `support.random_runs` makes the same machine, and the same
conversation with it, again. What occurred is counted, so that nothing holds for want of cases.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec.json import decode, encode
from msgspec.structs import replace

from strategies.random_tools import ARGUMENTS
from support.items_kept import (
    a_migration_keeps_items,
    forms_fill_what_they_ask,
    happened_to_items,
    items_keep_their_ids,
)
from support.needs import needs_are_sound
from support.pure_guards import GUARDS
from support.random_runs import Conversing, Run, converse
from support.tally import Tally
from turnwise.authoring.document import read_document
from turnwise.authoring.yaml_text import write_yaml
from turnwise.core.addresses import local_name, scope_of
from turnwise.core.decision.judge import TAKEN
from turnwise.core.explain.decision import explain
from turnwise.core.link import link
from turnwise.core.prompts import model_request
from turnwise.core.prompts.transcript import TranscriptBuilder, lines, opening_message
from turnwise.core.prompts.window import window
from turnwise.core.replay import replay, rerun, says_the_same
from turnwise.core.secrets import secret_places
from turnwise.core.state import (
    KEPT_USES,
    ApprovalRequest,
    FormRun,
    Frame,
    OpenScope,
    Person,
    State,
    ToolHistory,
    Waiting,
)
from turnwise.core.state import events as e
from turnwise.core.state.codec import decode_entry, decode_state, encode_entry, encode_state
from turnwise.core.state.effects import CallModel, Message, RecallState, RunTool
from turnwise.core.state.erased_words import without_words, words_due
from turnwise.core.state.fold import fold
from turnwise.core.state.overlays import OverlayState
from turnwise.core.state.proposals import Proposal
from turnwise.core.state.read_lists import with_lists
from turnwise.core.state.schedules import ArmedSchedule, Instruction, Schedules
from turnwise.core.trace import Decision
from turnwise.flow.codec import decode_flow, encode_flow
from turnwise.flow.model import Flow, Limits, Moment
from turnwise.runner.transition_eval import transition_eval

ROOT = Path(__file__).parents[2]
IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
REPORT = ROOT / ".report" / ("machines-soak.txt" if IS_SOAK else "machines.txt")
MACHINES = 5000 if IS_SOAK else 150
FLOOR = 100 if IS_SOAK else 1
numbers = st.integers(0, 2**40)


@pytest.mark.law("1.1", "2.2", "2.3", "2.5", "2.6", "2.10", "3.1", "3.8")
def test_everything_holds_for_random_machines_and_none_of_it_for_want_of_cases() -> None:
    tally = Tally()

    @settings(max_examples=MACHINES, derandomize=not IS_SOAK, database=None, phases=[Phase.generate])
    @given(numbers)
    def run(number: int) -> None:
        made = converse(number)
        tally.add(made, needs=check(made))

    run()
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(tally.table(), "utf-8")
    assert tally.runs >= MACHINES
    assert tally.below(FLOOR) == []


SOME = 5000 if IS_SOAK else 60
"""How many machines of one kind are tried."""
SCOPED = 5000 if IS_SOAK else 100
"""How many machines with scopes are tried, of which some outcomes are rare."""


@pytest.mark.law("6.1", "6.2", "6.3", "6.4")
def test_everything_holds_for_random_machines_with_scopes() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=SCOPED, derandomize=not IS_SOAK, database=None, phases=[Phase.generate])
    @given(numbers)
    def run(number: int) -> None:
        made = converse(number, has_scopes=True)
        check(made)
        what_is_inside_stays_inside(made)
        seen.update(happened_to_scopes(made))

    run()
    assert not {"by node", "by call", "by tool", "by user", "by program", "nested", "undone"} - seen.keys()
    assert not {"completed", "cancelled", "limit", "timeout", "failed", "handed_off"} - seen.keys()


@pytest.mark.law("1.6", "5.17", "6.2")
def test_everything_holds_for_random_machines_of_items() -> None:
    """Items that are asked for outside of scopes and inside, by forms over a list and by scopes that give one back."""
    seen: Counter[str] = Counter()

    @settings(max_examples=SOME, derandomize=not IS_SOAK, database=None, phases=[Phase.generate])
    @given(numbers)
    def run(number: int) -> None:
        made = converse(number, 24, has_items=True)
        check(made)
        what_is_inside_stays_inside(made)
        items_keep_their_ids(made)
        forms_fill_what_they_ask(made)
        a_migration_keeps_items(made)
        seen.update(happened_to_items(made))

    run()
    assert not {"ItemAdded", "ItemAdded inside", "filling", "filling inside", "completed", "undone"} - seen.keys()
    assert not {"ItemChanged", "ItemRemoved", "ItemChanged inside", "ItemRemoved inside"} - seen.keys()


@pytest.mark.law("2.15", "2.17", "6.5", "6.6", "6.7")
def test_everything_holds_for_random_machines_that_act_by_themselves() -> None:
    """Schedules, offers, events of other systems and overlays, in flows with scopes."""
    seen: Counter[str] = Counter()

    @settings(max_examples=SOME, derandomize=not IS_SOAK, database=None, phases=[Phase.generate])
    @given(numbers)
    def run(number: int) -> None:
        made = converse(number, has_times=True)
        check(made)
        what_is_inside_stays_inside(made)
        each_time_once(made)
        seen.update(happened_by_itself(made))

    run()
    assert not {"called", "offered", "instructed", "nothing"} - seen.keys()
    assert (
        not {"by schedule", "by offer", "EventReceived", "EventHeld", "OverlayForced", "OverlaysChanged"} - seen.keys()
    )


def each_time_once(run: Run) -> None:
    """A schedule handles its times in order, each once and not early; at most one offer is open."""
    last: dict[str, int] = {}
    for entry in run.entries:
        match entry.event:
            case e.ScheduleFired(schedule=name, due_ms=due_ms, by="", did=did) if did != "put_off":
                assert last.get(name, -1) < due_ms <= entry.at_ms
                last[name] = due_ms
            case _:
                pass
    for state in run.states.values():
        assert sum(one.status == "open" for one in state.offers) <= 1


def happened_by_itself(run: Run) -> Iterator[str]:
    """What began without a message, and what it did."""
    for entry in run.entries:
        match entry.event:
            case e.ScheduleFired(did=did):
                yield did
            case e.ScopeOpened(by=by):
                yield f"by {by}"
            case e.EventReceived() | e.EventHeld() | e.OverlayForced() | e.OverlaysChanged():
                yield type(entry.event).__name__
            case _:
                pass


def happened_to_scopes(run: Run) -> Iterator[str]:
    """What happened to the scopes of a conversation: who opened them, with which outcomes, how deep they were."""
    for entry in run.entries:
        match entry.event:
            case e.ScopeOpened(by=by):
                yield f"by {by}"
            case e.ScopeClosed(outcome=outcome):
                yield outcome
            case e.Undone(closed=closed) if closed:
                yield "undone"
            case _:
                pass
    if max(len(state.frames) for state in run.states.values()) > 2:
        yield "nested"


def what_is_inside_stays_inside(run: Run) -> None:
    """What was said inside a scope is in no other frame's transcript (law 6.3), its values are gone when it has closed,
    and where its words are erased, what is left leads to the same state (law 6.4).
    """
    journal = run.entries
    state: State | None = None
    for place, entry in enumerate(journal):
        before, state = state, fold(state, entry)
        if not isinstance(entry.event, e.ScopeClosed | e.Undone) or before is None:
            continue
        for frame in state.frames:
            assert scope_of(frame.node) == (frame.scope.name if frame.scope is not None else "")
        is_open = {frame.scope.name for frame in state.frames if frame.scope is not None}
        assert all(scope_of(name) in is_open for name in state.values if scope_of(name))
        if isinstance(entry.event, e.ScopeClosed):
            outer = lines(run.machine, state, journal[: place + 1])
            known = {line.seq for line in outer} - {opening_message(state)}
            assert not [one for one in journal[:place] if one.seq in known and one.frame != state.frame.id]
    for place, entry in enumerate(journal):
        for frame, _ in words_due(entry):
            if frame not in [one.id for one in run.state.frames]:
                erased = without_words(journal[frame - 1 : place + 1], frame, e.Erasure(entry.at_ms, 0))
                changed = {one.seq: one for one in erased}
                journal = [changed.get(one.seq, one) for one in journal]
    assert replay(journal) == run.state


def check(run: Run) -> int:
    """All that holds for a conversation; gives how many sets of needs were applied."""
    every_turn_ends(run)
    replay_equals_run(run)
    another_run_equals_this(run)
    states_are_bounded(run)
    models_are_shown_whole_transcripts(run)
    every_call_is_settled_once(run)
    an_enter_when_needs_a_change(run)
    a_person_is_not_interrupted(run)
    return decisions_are_told_as_they_were_made(run)


def every_turn_ends(run: Run) -> None:
    """The conversation has ended, failed with a reason, or waits for something that can come."""
    for turn, state in run.states.items():
        assert state.turn == turn
        assert state.doing is None
        if isinstance(state.status, Waiting):
            assert state.status.what in ("message", "button", "person", "continuation")
            assert (state.status.what == "person") == (state.person is not None)
    ends = [entry.turn for entry in run.entries if isinstance(entry.event, e.TurnEnded)]
    assert ends == list(range(1, run.state.turn + 1))
    assert [entry.seq for entry in run.entries] == list(range(1, len(run.entries) + 1))


def a_person_is_not_interrupted(run: Run) -> None:
    """While an operator is in charge, nothing is asked of a model or tool, nothing is judged, and nothing moves."""
    state: State | None = None
    begun: State | None = None
    for entry in run.entries:
        if state is None or entry.turn != state.turn:
            begun = state
        is_in_charge = begun is not None and begun.person is not None and bool(begun.person.operator)
        state = fold(state, entry)
        if is_in_charge and state.person is not None and state.person.operator:
            kept = isinstance(entry.event, e.EffectAsked) and isinstance(entry.event.effect, RecallState)
            assert kept or not isinstance(entry.event, e.EffectAsked | e.Decided | e.Moved), entry
            assert not state.timers


# replay and round trips -----------------------------------------------------------------------------


def replay_equals_run(run: Run) -> None:
    """The journal, as it is kept, leads to the states of the run; both are read back as they were."""
    kept = [encode_entry(entry) for entry in run.entries]
    read = [decode_entry(line) for line in kept]
    assert [encode_entry(entry) for entry in read] == kept
    state: State | None = None
    reached: dict[int, State] = {}
    for entry in read:
        state = reached[entry.turn] = fold(state, entry)
    assert reached == run.states
    assert all(decode_state(encode_state(each)) == each for each in reached.values())
    assert replay(run.entries) == run.state


def another_run_equals_this(run: Run) -> None:
    """The same inputs, to the machine of the flow as it is read back from YAML and from JSON, give the same."""
    journal = [decode_entry(encode_entry(entry)) for entry in run.entries]
    again = rerun(link(read_back(run.flow), GUARDS), journal)
    assert len(again) == len(journal)
    assert all(says_the_same(then, now) for then, now in zip(journal, again, strict=True)), (
        "apart from where code is written"
    )


def read_back(flow: Flow) -> Flow:
    """The flow, written and read in each form: nothing is lost."""
    assert decode_flow(encode_flow(flow)) == flow
    for text, name in ((encode_flow(flow), "a.flow.json"), (write_yaml(flow), "a.flow.yaml")):
        found, diagnostics = read_document(text, name)
        assert diagnostics == []
        assert found == flow
    return found


# what models are shown ------------------------------------------------------------------------------


def models_are_shown_whole_transcripts(run: Run) -> None:
    """Behind every call stands its one result, and no result without its call; tools are there that may be used."""
    state: State | None = None
    builders: dict[int, tuple[TranscriptBuilder, int]] = {}
    for place, entry in enumerate(run.entries):
        state = fold(state, entry)
        if isinstance(entry.event, e.EffectAsked) and isinstance(entry.event.effect, CallModel):
            told = lines(run.machine, state, run.entries[: place + 1])
            made = TranscriptBuilder(run.machine, (), state.frame.id, opening_message(state))
            builder, known = builders.get(state.frame.id, (made, 0))
            new = run.entries[known : place + 1]
            builder.add(new, secret_places(run.machine, state, new))
            builders[state.frame.id] = builder, place + 1
            assert run.machine.has_secrets or builder.lines() == told, "told bit by bit, and at once"
            shown = tuple([line.message for line in window(told, run.flow.limits.window, state)])
            request = model_request(run.machine, state, shown, entry.event.effect)
            assert encode(request)
            results_stand_behind_their_calls(shown)


def results_stand_behind_their_calls(shown: tuple[Message, ...]) -> None:
    """Each message with calls is followed by a result for each, in order, and by no other."""
    awaited: list[str] = []
    for message in shown:
        if message.role == "tool":
            assert awaited.pop(0) == message.call
            continue
        assert not awaited
        awaited = [call.id for call in message.calls]
    assert not awaited


_SETTLED = {"run", "answered", "opened", "refused", "held", "held run", "held refused"}
_SETTLED |= {f"queued {how}" for how in _SETTLED} | {"queued"}


def every_call_is_settled_once(run: Run) -> None:
    """A call is run, answered or refused, and no two of these; where consent is needed, it was asked for before. What
    was taken back may be consented to again.
    """
    settled: dict[str, list[str]] = {}
    for entry in run.entries:
        match entry.event:
            case e.ModelReplied(calls=calls):
                settled |= {call.id: [] for call in calls}
            case e.EffectAsked(RunTool(tool=tool, call=call)):
                settled.setdefault(call, []).append("run")
                assert not run.machine.tools[tool].tool.confirm or settled[call][-2] == "held"
            case e.CallAnswered(call=call):
                settled[call].append("answered")
            case e.ScopeOpened(call=call) if call:  # its closing is the result
                settled[call].append("opened")
            case e.CallRefused(call=call):
                settled.setdefault(call, []).append("refused")
            case e.CallHeld(call=call):
                settled.setdefault(call, []).append("held")
            case e.CallQueued(call=call):  # it waits behind one that needs consent
                settled[call].append("queued")
            case e.Undone():
                return
            case _:
                pass
    assert {" ".join(how) for call, how in settled.items() if call} <= _SETTLED


def an_enter_when_needs_a_change(run: Run) -> None:
    """Whether it won or was outranked, an `enter_when` enters its node again only after what it reads has changed."""
    judged: dict[str, list[object]] = {}
    for entry in run.entries:
        if isinstance(entry.event, e.Undone):
            judged.clear()
        if isinstance(entry.event, e.ScopeOpened):  # its frame is new
            judged = {name: seen for name, seen in judged.items() if scope_of(name) != entry.event.scope}
        if not isinstance(entry.event, e.Decided):
            continue
        decided = with_lists(entry.event, None)
        if decided.operator:  # a person may enter it any time
            judged.clear()
            continue
        candidates = run.machine.candidates(decided.node, decided.moment)  # type: ignore[arg-type]
        reads = dict(zip(candidates.keys, decided.reads, strict=False))
        for letter, candidate in zip(decided.outcomes, candidates.all, strict=False):
            if candidate.level != "enter" or candidate.guard is None or letter not in "tfuoe":
                continue
            seen = [reads[ref.key] for ref in candidate.guard.refs if ref.key != "now"]
            if letter == "t" and candidate.target != decided.node and "message.button" not in reads:
                assert judged.get(candidate.target) != seen, f"{candidate.id} entered, and nothing changed"
            judged[candidate.target] = seen


# decisions ------------------------------------------------------------------------------------------

_VERDICTS = {**dict.fromkeys("tobrm", "held"), "f": "not_held", "u": "unknown", "e": "error"}


def decisions_are_told_as_they_were_made(run: Run) -> int:
    """The tree says what the letter says; what a decision needs makes the guard hold."""
    needs = 0
    texts: dict[int, str] = {}
    state: State | None = None
    for entry in run.entries:
        if isinstance(entry.event, e.UserSaid):
            texts[entry.seq] = entry.event.text
        if isinstance(entry.event, e.Decided):
            assert state is not None
            decision = explain(run.machine, entry, "c", texts, state=state)
            assert explain(run.machine, decode_entry(encode_entry(entry)), "c", texts, state=state) == decision
            assert encode(transition_eval(run.machine, state, decision))
            brief = explain(run.machine, entry, "c", texts, state=state, is_brief=True)
            assert brief.line == decision.line
            assert not (decision.taken and any(one.needs for one in brief.candidates))
            if entry.frame == state.frame.id:  # a failure inside a scope is judged around it, too
                told(run, entry.event, decision, replace(state, at_ms=entry.at_ms))
            needs += sum(len(candidate.needs) for candidate in decision.candidates)
        state = fold(state, entry)
    return needs


def told(run: Run, decided: e.Decided, decision: Decision, state: State) -> None:
    """Every candidate of a decision."""
    candidates = run.machine.candidates(decided.node, decided.moment).all  # type: ignore[arg-type]
    for letter, candidate, considered in zip(decided.outcomes, candidates, decision.candidates, strict=True):
        if candidate.guard is not None:
            if letter in _VERDICTS and not (letter == TAKEN and decided.operator):  # a person need not heed it
                assert considered.verdict is not None
                assert considered.verdict.verdict == _VERDICTS[letter]
            needs_are_sound(run.machine, candidate.guard, considered, state)


# two processes --------------------------------------------------------------------------------------


@pytest.mark.law("3.8")
def test_two_processes_with_different_hash_seeds_decide_the_same() -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "support.random_runs", "0", str(SOME)],
            cwd=ROOT / "tests",
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    one, two = (process.communicate()[0].splitlines() for process in processes)
    assert [process.returncode for process in processes] == [0, 0]
    assert len(one) == SOME
    assert one == two


# size -----------------------------------------------------------------------------------------------

NARROW = Limits(strings=60, lists=3, message_chars=60)
LONG = 300
"""How many turns a long conversation has."""
SIZED = 200 if IS_SOAK else 8


def states_are_bounded(run: Run) -> None:
    """In every state, each table has known names for keys, and each list and text is within its limit."""
    flow, machine = run.flow, run.machine
    nodes = [*machine.nodes, *(f"{name}/{at}" for name in machine.nodes for at in get_args(Moment))]
    records = {address.rpartition(".")[0].rpartition("/")[2] for address in machine.fields}
    generated = {f"{what}_{record}" for record in records for what in ("read", "write")}
    scopes = [
        tool.tool.name for one in machine.scopes.values() for tool in (one.opener, one.finish) if tool is not None
    ]
    generated |= {*scopes, *(f"go_to_{local_name(name)}" for name in machine.nodes)}
    tools = {*machine.tools, *generated}
    names = {address.rpartition(".")[2] for address in machine.fields}
    ways = {one.id for node in machine.nodes.values() for one in node.candidates}
    ways |= {one.id for scope in machine.scopes.values() for one in scope.flow_candidates}
    given = {field.name for event in flow.events for field in event.fields}
    keys = {*ways, *given, *machine.overlays, *machine.fields, *names, *tools, *ARGUMENTS, *nodes, *_ATTRIBUTES}
    longest = max(len(machine.schedules), KEPT_USES, flow.limits.lists, len(run.machine.fields))
    for state in run.states.values():
        for part in parts_of(decode(encode_state(state))):
            match part:
                case dict():
                    assert part.keys() <= keys
                case list():
                    assert len(part) <= longest
                case str():
                    assert len(part) <= flow.limits.strings
                case _:
                    assert part is None or abs(part) < 2**63


OF_TIMES = (Schedules, ArmedSchedule, Instruction, OverlayState, Proposal)
_ATTRIBUTES = {
    name
    for struct in (State, Frame, FormRun, OpenScope, Person, ApprovalRequest, ToolHistory, *OF_TIMES)
    for name in struct.__struct_encode_fields__
}
_ATTRIBUTES |= {"type", "what", "since_ms", "outcome", "reason", "message"}


def parts_of(data: Any) -> Iterator[Any]:
    """All that some JSON data holds, itself first; not the calls behind an approval, which are as the model wrote them."""
    yield data
    inner = [part for key, part in data.items() if key != "behind"] if isinstance(data, dict) else data
    for part in inner if isinstance(inner, list) else ():
        yield from parts_of(part)


def most(run: Run) -> int:
    """What a state may take, in bytes: it depends on the flow and its limits, never on turns."""
    flow = run.flow
    value = 2 * flow.limits.strings + flow.limits.lists * 20 + 80
    return 1500 + 40 * KEPT_USES + value * len(run.machine.fields) + 300 * len(flow.nodes)


@pytest.mark.law("1.1")
def test_a_state_does_not_grow_with_turns() -> None:
    earlier = later = 0
    for number in range(SIZED):
        sizes = sizes_of(number)
        earlier += sum(sizes[100:200])
        later += sum(sizes[200:300])
    assert later < 1.1 * earlier


def sizes_of(number: int) -> list[int]:
    """How large the states of a long conversation are, turn by turn; its tool history is full from the start."""
    talking = Conversing(number, limits=NARROW)
    talking.begin()
    for _ in range(KEPT_USES):
        talking.take(e.ToolUsed("think"))
    sizes: list[int] = []
    first = talking.run.state.turn
    while talking.run.state.turn < first + LONG:
        talking.go_on()
        sizes += [len(encode_state(talking.run.state))] * (talking.run.state.turn - first - len(sizes))
    states_are_bounded(talking.run)
    for turns in (3, 30, LONG):
        assert sizes[turns - 1] <= most(talking.run), f"machine {number} after {turns} turns"
    return sizes
