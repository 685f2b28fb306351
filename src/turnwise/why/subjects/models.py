"""Why a model replied as it did: its prompt, and what changed in it; or why no model was called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.core.state.effects import CallModel, RunTool, Understand
from turnwise.errors import FlowUnavailable
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.values import is_use
from turnwise.why.kinds import FactKind
from turnwise.why.prompts import Prompt, last_prompt_before, prompts
from turnwise.why.prompts_apart import changes_between, window_began
from turnwise.why.query import Query
from turnwise.why.subjects.overlays import overlays_in
from turnwise.why.subjects.scopes import shown_instead

_MODEL = Subject("model")
_PURPOSE = {
    "reply": "reply",
    "aside": Phrase("answer a question aside"),
    "word": Phrase("word a question"),
    "choose": Phrase("choose a way out"),
    "summary": Phrase("write the summary"),
    "understand": Phrase("understand the message"),
}


async def answer_model(query: Query) -> list[Fact]:
    """Return facts about the turn's last model call and the prompts of all; or why no model was called."""
    own = query.facts_about
    ended = [fact for fact in own if fact.kind in ("model_failed", "model_replied", "understood")]
    if not ended:
        waits = under_way(query)
        missing = [waits] if waits is not None else list(why_not_called(query))
        last = await query.last(e.ModelReplied, e.ModelFailed)
        return [*missing, *own, *((last,) if last is not None else ())]
    shown = await _prompts(query)
    missing = [fact for fact in own if fact.kind == "no_model_connected"]
    first = [*missing, *_often(query, own), ended[-1]]
    return [*first, *[fact for fact in own if fact not in first], *shown]


def under_way(query: Query) -> Fact | None:
    """Return the fact that says what the unfinished turn waits for; `None` if the turn is finished."""
    doing = query.state.doing
    if doing is None:
        return None
    match doing.awaited:
        case RunTool(tool=tool):
            what, about = phrase("the tool {tool}", tool=tool), Subject("tool", tool)
        case CallModel() | Understand():
            what, about = Phrase("the model"), _MODEL
        case _:
            what, about = Phrase("the store"), Subject("conversation")
    subjects = (Subject("turn", str(query.turn.number)), Subject("conversation"), about)
    causes = (query.facts[-1] if query.facts else None,)
    return query.end.fact_of_state("turn_under_way", *subjects, causes=causes, turn=query.turn.number, what=what)


def _often(query: Query, own: list[Fact]) -> Iterator[Fact]:
    """Yield what the model did at each of its calls, where there were several to speak for a node."""
    spoken = [fact for fact in own if fact.kind in ("model_replied", "model_failed")]
    if len(spoken) > 1:
        what = joined((deed_of_model(query.facts, fact) for fact in spoken), ", then ")
        number = query.turn.number
        yield query.end.fact_of_state(
            "model_called_often", _MODEL, causes=tuple(spoken), turn=number, count=len(spoken), did=what
        )


def deed_of_model(facts: Sequence[Fact], fact: Fact) -> str:
    """Return in words what the model did in one of its calls (`fact`) in a turn, whose facts are `facts`."""
    if fact.kind == "model_failed":
        return phrase("it failed with “{reason}”", reason=fact.values["reason"])
    calls = fact.values["calls"]
    if not calls:
        return phrase("it replied “{said}”", said=fact.values["said"])
    failed = (one for one in facts if one.kind in ("call_refused", "tool_failed") or not is_use(one))
    vain = [one for one in failed if fact in one.walk()]
    what = "" if not vain else Phrase("which failed") if vain[-1].kind == "tool_failed" else Phrase("which was refused")
    return phrase("it called {calls}, {what}", calls=calls, what=what or Phrase("whose result went back to it"))


async def _prompts(query: Query) -> list[Fact]:
    """Return the facts about the prompts of the turn, each with what changed since the one before."""
    history = query.history
    try:
        found = await prompts(history.store, history.machines, query.turn)
    except FlowUnavailable:
        return []
    if not found:
        return []
    before = await last_prompt_before(history.store, history.machines, query.turn)
    facts: list[Fact] = []
    for prompt in found:
        facts += [_shown(query, prompt), *_changed(query, prompt, before)]
        began = await window_began(history.store, query.machine, query.turn, prompt)
        if began is not None:
            values: dict[str, Any] = {
                "said": began.said,
                "since": began.turn,
                "reason": began.reason,
                "count": began.messages,
            }
            facts.append(query.end.fact_of_state("window_began", _MODEL, **values))
        facts += [
            fact for fact in (*overlays_in(query, prompt), *await shown_instead(query, prompt)) if fact not in facts
        ]
        before = prompt
    return facts


def _shown(query: Query, prompt: Prompt) -> Fact:
    """Return the prompt of one call, part by part, and whether the hash of the journal proves it."""
    proof = phrase("as the hash {hash} proves", hash=prompt.hash) if prompt.is_proved else ""
    unproved = (
        ""
        if prompt.is_proved
        else Phrase("the journal has no hash of it")
        if not prompt.hash
        else Phrase("the hash of the journal differs")
    )
    return query.end.fact_of_state(
        "prompt_shown",
        _MODEL,
        Subject("node", prompt.node),
        node=prompt.node,
        purpose=_PURPOSE[prompt.purpose],
        proof=proof,
        unproved=unproved,
        hash=prompt.hash,
        is_proved=prompt.is_proved,
        names=joined(dict.fromkeys(part.part for part in prompt.parts), ", "),
        asked=_texts(prompt),
        parts=[{"part": part.part, "role": part.role, "text": part.text} for part in prompt.parts],
        tools=[tool.name for tool in prompt.request.tools],
    )


def _texts(prompt: Prompt) -> str:
    """Return the texts of a prompt in short: how each of its parts begins."""
    texts = [(part.role or part.part, " ".join(part.text.split())) for part in prompt.parts]
    return joined(
        (
            phrase("{name} “{text}”", name=name, text=text if len(text) <= _BEGINNING else f"{text[:_BEGINNING]}…")
            for name, text in texts
        ),
        ", ",
    )


_BEGINNING = 60
"""How many characters of each part of a prompt are shown in words; `parts` has all of them."""


def _changed(query: Query, prompt: Prompt, before: Prompt | None) -> Iterator[Fact]:
    if before is None:
        return
    texts = changes_between(before, prompt)
    what = joined(texts, ", ") if texts else Phrase("nothing changed")
    yield query.end.fact_of_state("prompt_changed", _MODEL, what=what, changes=texts)


# why there was no call -----------------------------------------------------------------------------


def why_not_called(query: Query) -> Iterator[Fact]:
    """Yield why no model was called in the turn; nothing if one was called."""
    if query.turn.number in query.history.erased or any(fact.kind == "model_called" for fact in query.facts):
        return
    reason, cause = _reason(query)
    number = query.turn.number
    about = (_MODEL, Subject("node", query.state.node))
    yield query.end.fact_of_state("model_not_called", *about, causes=(cause,), turn=number, reason=reason)
    understood = next((fact for fact in query.facts if fact.kind in ("understood", "understood_nothing")), None)
    if understood is not None and understood.values["by"] == "the rules":
        yield query.end.fact_of_state("rules_sufficed", _MODEL, causes=(understood,), turn=query.turn.number)


def _reason(query: Query) -> tuple[str, Fact | None]:
    """Return why no model was called, and the fact that caused it."""
    person = query.turn.before.person if query.turn.before is not None else None
    if query.state.person is not None:
        who = query.state.person
        did = (
            phrase("{operator} is in charge", operator=who.operator)
            if who.operator
            else phrase("a person of the queue {queue} is awaited", queue=who.queue)
        )
        return did, query.end.first("person_took_over", "person_awaited")
    if person is not None and person.operator:
        return phrase("{operator} was in charge", operator=person.operator), query.end.first(
            "person_gave_back", "message_received"
        )
    is_form = query.machine.nodes[_node(query)].form is not None  # it reads the answers also where that is the end
    for kind, reason in _ENDINGS:
        found = query.end.first(kind)
        if found is not None and not (kind == "conversation_ended" and is_form):
            return reason, found
    return _reason_of_node(query)


def _node(query: Query) -> str:
    """Return the node that was in charge when a turn began that ended the conversation; else the one at its end."""
    before, is_over = query.turn.before, query.end.first("conversation_ended") is not None
    return before.node if is_over and before is not None and before.node in query.machine.nodes else query.state.node


_ENDINGS: tuple[tuple[FactKind, str], ...] = (
    ("turn_undone", Phrase("the turn was an undo")),
    ("call_awaits_approval", Phrase("the turn ended with the question whether to make a call")),
    ("move_planned", Phrase("the move that was planned is made with the next message")),
    ("conversation_ended", Phrase("the conversation ended")),
    ("turn_failed", Phrase("the turn failed before")),
)
"""What ends a turn before a model speaks, the most informative first."""


def _reason_of_node(query: Query) -> tuple[str, Fact | None]:
    state, facts = query.state, query.facts
    name = _node(query)
    node = query.machine.nodes[name]
    if node.form is not None:
        cause = next((fact for fact in reversed(facts) if fact.kind in ("form_progressed", "question_asked")), None)
        return phrase("the form of {node} reads the answers and asks the questions itself", node=name), cause
    if node.work != "prompt":
        text = "{node} only makes decisions" if node.work == "none" else "{node} works without a model, by its `{work}`"
        reason = phrase(text, node=state.node, work=node.work)
        return reason, query.end.first("node_left", "conversation_started")
    spoken = next((one for one in query.turn.said if one.kind in _MACHINE_SAID), None)
    if spoken is not None:
        return phrase("the machine answered without one ({what})", what=_MACHINE_SAID[spoken.kind]), query.end.first(
            "command_applied", "command_refused", "text_said"
        )
    if isinstance(state.status, Ended):
        return Phrase("the conversation had ended"), None
    if any(isinstance(event, e.ToolUsed | e.Commands | e.TimerFired | e.EventReceived) for event in query.turn.events):
        return Phrase("the turn began without a message"), query.end.first(
            "tool_used_by_host", "commands_received", "timer_fired", "event_received"
        )
    return Phrase("nothing in the turn asked for a reply of one"), query.end.first("flow_continued", "message_received")


_MACHINE_SAID = {
    "help": Phrase("to a request for help"),
    "why": Phrase("to the question of why"),
    "wait": Phrase("to a request to wait"),
    "hand_over": Phrase("to a request for a person"),
    "refused": Phrase("that a command is refused"),
    "block": Phrase("that a move is refused"),
    "stale_button": Phrase("that a button is stale"),
    "person": Phrase("that a person is awaited"),
    "undo": Phrase("that there is nothing to undo"),
}
"""The replies of the machine itself that stand for those of a model."""
