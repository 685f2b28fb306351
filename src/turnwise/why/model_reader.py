"""A model reads a question in plain words: it chooses what the question is about.

It chooses among what it is shown, and nothing else that it says is read: an answer consists of facts of the journal
also where a model has read the question. Secrets are hidden in what it is shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from turnwise.core.explain.hiding import Hide
from turnwise.core.machine import Machine
from turnwise.core.prompts import ModelRequest
from turnwise.core.state.effects import Call, Message, ToolSpec
from turnwise.errors import ProviderFailed
from turnwise.runner.model_port import AnyModel
from turnwise.runner.received_reply import ReceivedReply
from turnwise.runner.spans import Spans, model_answered, model_span
from turnwise.why.answer import Fact, Subject, SubjectKind
from turnwise.why.facts.builder import without_secrets
from turnwise.why.names import UNNAMED, is_used, subjects, title_of
from turnwise.why.query import Query, actor

SUBJECT = "subject"
"""The name of the tool by which the model must say what the question is about."""

_CHOOSE_SUBJECT = """You are given a question about a stored conversation between a user and an assistant, what it may
be about, and what happened. You do not answer the question. Choose the one subject that it is about, as it is written
in the list, and the number of the turn that it asks about, 0 where it asks about none.
A subject of the flow goes before a turn; choose `turn N` or `message N` where the question is about what happened to
one message, and `end` where it is about how or why the conversation ended."""
_TOOL = ToolSpec(
    SUBJECT,
    "say what you chose",
    {
        "type": "object",
        "properties": {"subject": {"type": "string"}, "turn": {"type": "integer", "minimum": 0}},
        "required": ["subject", "turn"],
        "additionalProperties": False,
    },
)
_MOST_TURNS = 30
"""How many turns the model is shown, the last ones."""
_MOST_TURN_CHARS = 600
"""How much it is shown of each, in characters."""
_MOST_SUBJECTS = 500
_MOST_REPLY_CHARS = 20_000
MOST_SECONDS = 30
"""How many seconds one call of the model may take."""


class Read(NamedTuple):
    """What a model read in a question: its subject and turn."""

    subject: Subject
    """The subject that the question is about."""
    turn: int | None
    """The number of the turn that the question is about; `None` if it is about no particular turn."""


class ModelReader:
    """Reads questions about a conversation by a model; each call is a trace span if spans are enabled."""

    def __init__(self, model: AnyModel, conversation: str, spans: Spans | None) -> None:
        self.model = model
        self.conversation = conversation
        self.spans = spans

    async def read(self, query: Query, question: str) -> Read:
        """Return the subject and turn that a question is about. `query` looks back from the turn at whose end it is
        asked. Raises `ProviderFailed` if the model chooses nothing that exists, and any error of its code.
        """
        machine, last = query.machine, query.turn.number
        names = dict.fromkeys(actor(entry.event) for entry in await query.acts_of_persons())
        known = (*_subjects(machine), *(Subject("person", name) for name in names))
        choices_by_name = {f"{one.kind} {one.name}".strip(): one for one in known}
        numbers = range(max(1, last - _MOST_TURNS + 1), last + 1)
        facts = {number: await query.history.facts(number) for number in numbers}
        hide = await query.history.hide()
        choices = [f"- {name}{_about(machine, one)}" for name, one in list(choices_by_name.items())[:_MOST_SUBJECTS]]
        story = [_line(number, own, hide) for number, own in facts.items() if own]
        shown = "\n".join([*choices, "- turn N", "- message N", "", *story])
        return _read(await self._chosen(shown, hide(question)), choices_by_name, last)

    async def _chosen(self, shown: str, question: str) -> dict[str, Any]:
        """Return the arguments of the one call that the model must make."""
        messages = (Message("user", question),)
        request = ModelRequest("", (_CHOOSE_SUBJECT, shown), messages, (_TOOL,), must_call=SUBJECT)
        reply = ReceivedReply(_MOST_REPLY_CHARS)
        with model_span(self.spans, request.model, "", f"question_{SUBJECT}") as span:
            span.add({"gen_ai.conversation.id": self.conversation})
            try:
                async with asyncio.timeout(MOST_SECONDS):
                    await reply.ask_once(self.model, request)
            except TimeoutError as error:
                raise ProviderFailed(f"the model did not answer within {MOST_SECONDS} s") from error
            model_answered(span, reply.usage)
        call: Call | None = next((one for one in reply.read_calls(SUBJECT) if one.tool == SUBJECT), None)
        if call is None or call.wrong:
            raise ProviderFailed(f"the model did not call {SUBJECT}" if call is None else call.wrong)
        return call.arguments


def _read(given: Mapping[str, Any], subjects: Mapping[str, Subject], last: int) -> Read:
    """Return what the model chose, where there is such a subject, and such a turn."""
    name = str(given.get("subject", "")).strip()
    kind, _, own = name.partition(" ")
    number = int(own) if kind in _OF_TURN and own.isdecimal() else given.get("turn", 0)
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= last:
        raise ProviderFailed(f"the model chose turn {number!r} of {last}")
    if kind in _OF_TURN:
        return Read(Subject(_OF_TURN[kind], str(number or last)), number or last)
    if name not in subjects:
        raise ProviderFailed(f"the model chose {name!r}, and there is no such subject")
    return Read(subjects[name], number or None)


_OF_TURN: dict[str, SubjectKind] = {"turn": "turn", "message": "message"}


def _subjects(machine: Machine) -> Iterator[Subject]:
    """Yield what a question may be about; of a field that a form asks for, also the question."""
    for one in subjects(machine):
        if one.kind != "timer" or is_used(machine, one.name):
            yield one
        if one.kind == "field" and one.name in machine.forms_of:
            yield Subject("question", one.name)
    yield from (Subject(kind) for kind in UNNAMED)


def _about(machine: Machine, one: Subject) -> str:
    """Return what the flow says of a subject."""
    found = title_of(machine, one)
    options = machine.fields[one.name].options if one.kind == "field" else ()
    found += f" ({', '.join(option.value for option in options)})" if options else ""
    return f": {found}" if found else ""


def _line(number: int, facts: Iterable[Fact], hide: Hide) -> str:
    """Return a turn in a line."""
    texts = "; ".join(dict.fromkeys(without_secrets(fact, hide).text for fact in facts))
    return f"turn {number}: {texts[:_MOST_TURN_CHARS]}"
