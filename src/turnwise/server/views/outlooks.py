"""What each answer to the open question would do: tried on a copy of the state, in a few words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from turnwise.archive.conversation_names import title_of_node
from turnwise.archive.dry_run import DryRun, dry_run
from turnwise.core.decision.dropped import tool_in_words
from turnwise.core.forms import buttons, counted_questions
from turnwise.core.linked_form import LinkedForm
from turnwise.core.locale import written_for_user
from turnwise.core.machine import Machine
from turnwise.core.state import Ended, State
from turnwise.core.state import events as e
from turnwise.core.state.effects import RunTool
from turnwise.core.values import REDACTED
from turnwise.runner.perform import Performer
from turnwise.runner.ports import Clock
from turnwise.server.views.redaction import Redaction
from turnwise.server.wire.ledger import AnswerOutlook, OutlookStep

MOST_BUTTONS = 9
"""How many buttons a question may have so that outlooks are computed: each has a digit as its key."""


async def outlooks(
    performer: Performer, machine: Machine, conversation: str, state: State, clock: Clock, words: Mapping[str, str]
) -> tuple[AnswerOutlook, ...]:
    """Return what each button of the form's open question would do; empty where it has no buttons, or too many.
    `performer` reads for the dry runs.
    """
    form = machine.nodes[state.node].form
    if form is None or state.frame.form is None or state.question is None:
        return ()
    offered = [one for one in buttons.form_buttons(machine, state, form) if one.value != buttons.OTHER]
    if len(offered) > MOST_BUTTONS:
        return ()
    found: list[AnswerOutlook] = []
    for button in offered:
        tried = await dry_run(performer, machine, conversation, state, e.UserChose(button.value), clock)
        found.append(_Tried(machine, state, form, tried, words).outlook(button))
    return tuple(found)


class _Tried:
    """One dry run in words."""

    def __init__(
        self, machine: Machine, state: State, form: LinkedForm, tried: DryRun, words: Mapping[str, str]
    ) -> None:
        self.machine = machine
        self.state = state
        self.form = form
        self.tried = tried
        self.words = words
        self.redaction = Redaction(machine, (state, tried.turn.after), tried.turn.entries)

    def outlook(self, button: e.Button) -> AnswerOutlook:
        """Return what pressing a button would do."""
        steps = () if self.tried.refused else tuple(self._steps())
        text = self.redaction.text(self._text(steps))
        return AnswerOutlook(button.label, button.value, text, steps, self.tried.decided_by)

    def _steps(self) -> Iterator[OutlookStep]:
        for event in self.tried.turn.events:
            match event:
                case e.Moved(target=target, because=because):
                    yield OutlookStep("moves", title_of_node(self.machine, target), self.redaction.text(because))
                case e.ArtefactMade(kind="HANDOFF", data=data):
                    yield OutlookStep("hands_over", str(data["to"]).replace("_", " "))
                case e.PersonAwaited(queue=queue):
                    yield OutlookStep("hands_over", queue.replace("_", " ") or self.words["operator"])
                case _:
                    pass
        yield from self._calls()
        after = self.tried.turn.after
        if after is not None and isinstance(after.status, Ended):
            yield OutlookStep("ends", after.status.outcome.replace("_", " "))

    def _calls(self) -> Iterator[OutlookStep]:
        """Yield the call that would run, or those that would wait for a yes, and a model that would be called."""
        after, asked = self.tried.turn.after, self.tried.asked
        if isinstance(asked, RunTool):
            yield OutlookStep("runs", self._tool(asked.tool), self._arguments(asked.tool, asked.arguments))
        elif self.tried.decided_by == "model" or self.tried.supposes_reply:
            yield OutlookStep("speaks", title_of_node(self.machine, self.tried.turn.node or self.state.node))
        for one in after.waiting_calls if after is not None else ():
            detail = self._arguments(one.tool, one.arguments)
            yield OutlookStep("asks", self._tool(one.tool), detail, one.approver if one.approver != "user" else "")

    def _tool(self, name: str) -> str:
        known = self.machine.tools.get(name)
        return tool_in_words(known.tool) if known is not None else name.replace("_", " ")

    def _arguments(self, name: str, given: Mapping[str, Any]) -> str:
        known = self.machine.tools.get(name)
        if known is None:
            return ""
        parts: list[str] = []
        for field in known.args.values():
            if given.get(field.name) is None:
                continue
            title = field.title or field.name.replace("_", " ")
            value = REDACTED if field.secret else written_for_user(self.machine, self.state, field, given[field.name])
            parts.append(f"{title} {value}")
        return self.redaction.text(", ".join(parts))

    # in a few words ----------------------------------------------------------------------------

    def _text(self, steps: Sequence[OutlookStep]) -> str:
        if self.tried.refused:
            return self.words["refused"].replace("{reason}", self.tried.refusal)
        for kind in ("asks", "runs", "ends", "hands_over", "moves", "speaks"):
            found = next((one for one in reversed(steps) if one.kind == kind), None)
            if found is not None and (kind != "ends" or not self._target(steps)):
                return self.words[kind].replace("{title}", found.title).replace("{outcome}", found.title)
        if self.tried.decided_by == "understanding":
            return self.words["reads"]
        return self._question()

    @staticmethod
    def _target(steps: Sequence[OutlookStep]) -> bool:
        """Return whether a move says more than the end that it leads to."""
        return any(one.kind in ("moves", "hands_over") for one in steps)

    def _question(self) -> str:
        """Return what the form would do next: ask on, show its summary, stop."""
        after = self.tried.turn.after
        assert after is not None
        run, question = after.frame.form, after.question
        if run is not None and run.status == "stopped":
            return self.words["then_stop"]
        if question is None:
            return self.words["goes_on"].replace("{title}", title_of_node(self.machine, after.node))
        if question.kind == "confirmation":
            first = self.words["then_summary"]
        elif question.kind == "chooser":
            first = self.words["then_chooser"]
        elif question.kind != "field":
            first = self.words["goes_on"].replace("{title}", title_of_node(self.machine, after.node))
        elif self.state.question is not None and question.field == self.state.question.field:
            first = self.words["again"]
        else:
            first = self.words["then_question"].replace("{label}", self._label(question.field))
        more = [self._label(one) for one in self._new_questions(after) if one != question.field]
        joined = [self.words["and_question"].replace("{label}", label) for label in more[:1]]
        return ", ".join([first, *joined])

    def _new_questions(self, after: State) -> list[str]:
        """Return the questions that would apply then and do not yet."""
        known = {one.address for one in counted_questions(self.form, self.state)}
        return [one.address for one in counted_questions(self.form, after) if one.address not in known]

    def _label(self, address: str) -> str:
        return self.machine.short_title(address) if address in self.machine.fields else address.rpartition(".")[2]
