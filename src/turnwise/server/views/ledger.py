"""The ledger of the form in charge: every question with how it stands, where its answer came from, and what is left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from turnwise.archive.condition_words import condition_in_words
from turnwise.archive.conversation_names import title_of_node
from turnwise.core.commands import accept, holds
from turnwise.core.forms import count_done, counted_questions, is_answered, is_open, lists, questions_in_order
from turnwise.core.forms.summary import shown_place
from turnwise.core.guards import env_of
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.locale import refusal_for_user, written_for_user
from turnwise.core.machine import Machine
from turnwise.core.state import FormRun, State
from turnwise.core.state import events as e
from turnwise.core.state.commands import Dropped
from turnwise.core.state.kinds import ERASED
from turnwise.core.values import REDACTED, Refused
from turnwise.runner.ports import Store
from turnwise.runner.stored import StoredConversation
from turnwise.server.views.forms import label_of
from turnwise.server.views.item_tables import item_texts
from turnwise.server.views.redaction import Redaction
from turnwise.server.wire.ledger import FormLedger, LedgerRow

MOST_ENTRIES_SEARCHED = 4_000
"""In how many entries of the journal, from the last one back, refused answers are looked for."""
MOST_REFUSED_SHOWN = 6
"""How many of the newest refused answers are shown."""


class Refusal(NamedTuple):
    """An answer to a form's question that was refused, not understood, or left out of what was understood."""

    address: str
    """The address of the question's field."""
    turn: int
    """The number of the turn of the message."""
    seq: int
    """The position of the message in the journal."""
    text: str
    """The words of the message."""
    said: str = ""
    """The reason, in the language of the conversation; empty where only the words are known."""
    left_out: Dropped | None = None
    """The words of the message that were left out; `None` where the whole message was refused."""


class FormPast(NamedTuple):
    """What the journal says about a run of a form: its refused answers, and since when the open question is asked."""

    refused: tuple[Refusal, ...] = ()
    """The refused answers, in the order of the messages."""
    asked_since: int | None = None
    """The number of the turn in which the open question was first asked; `None` if none is open."""


async def form_past(store: Store, conversation: str, state: State) -> FormPast:
    """Return the past of the form in charge, read from the journal. Turns that were undone do not count."""
    refused: list[Refusal] = []
    turn_of: dict[int, int] = {}
    first = state.question.first if state.question is not None else 0
    entries: list[e.Entry] = []
    undone_after, seen = None, 0
    async for entry in StoredConversation(store, conversation).backwards(state.seq):
        seen += 1
        if isinstance(entry.event, e.Undone):
            undone_after = entry.event.to if undone_after is None else min(undone_after, entry.event.to)
        if undone_after is not None and entry.turn > undone_after:
            continue
        undone_after = None
        turn_of[entry.seq] = entry.turn
        entries.append(entry)
        if seen >= MOST_ENTRIES_SEARCHED or _opens(entry, state):
            break
    said = {one.turn: (one.seq, one.event.text) for one in entries if isinstance(one.event, e.UserSaid)}
    for entry in entries:
        refused += _refused_in(entry, *said.get(entry.turn, (0, "")))
    newest = sorted(_one_for_each_answer(refused, entries), key=lambda one: one.seq)[-MOST_REFUSED_SHOWN:]
    return FormPast(tuple(newest), turn_of.get(first))


def _one_for_each_answer(refused: list[Refusal], entries: list[e.Entry]) -> list[Refusal]:
    """Return of each answer the words that were left out, unless the turn took them after all, else its message."""
    if not refused:
        return []
    from turnwise.why.facts.dropped import is_taken

    left = [
        one
        for one in refused
        if one.left_out is not None
        and not is_taken((own.event for own in entries if own.turn == one.turn), one.left_out)
    ]
    partly = {(one.address, one.turn) for one in left}
    whole = {(one.address, one.turn): one for one in reversed(refused) if one.left_out is None}
    return [*left, *(one for answer, one in whole.items() if answer not in partly)]


def _opens(entry: e.Entry, state: State) -> bool:
    """Return whether the form in charge was opened at an entry: its node was entered, or the conversation began."""
    event = entry.event
    return isinstance(event, e.Moved) and event.target == state.node and entry.frame == state.frame.id


def _refused_in(entry: e.Entry, seq: int, text: str) -> Iterator[Refusal]:
    """Yield the answer that an entry refused, or that its turn did not understand: its message, with the position."""
    event = entry.event
    if isinstance(event, e.CommandRefused) and event.field and event.command in ("set", "add", "change"):
        yield Refusal(event.field, entry.turn, seq, text, event.text)
    elif isinstance(event, e.FormChanged) and event.run.misses.get(event.run.asked) and text:
        yield Refusal(event.run.asked, entry.turn, seq, text)
    elif isinstance(event, e.Understood):
        for one in event.dropped:
            yield Refusal(one.field, entry.turn, seq, text, left_out=one)


class LedgerBuilder:
    """Makes the ledger of the form in charge in a state.
    `texts` are messages by position, `words` the sentences of the language of the request.
    """

    def __init__(
        self, machine: Machine, state: State, redaction: Redaction, texts: Mapping[int, str], words: Mapping[str, str]
    ) -> None:
        self.machine = machine
        self.state = state
        self.redaction = redaction
        self.texts = texts
        self.words = words
        self.counted: set[str] = set()
        """The questions that count as progress."""

    def ledger(self, past: FormPast) -> FormLedger | None:
        """Return the ledger of a form with this past; `None` where no form is in charge."""
        known = self.machine.nodes.get(self.state.node)
        form, run = known.form if known is not None else None, self.state.frame.form
        if form is None or run is None:
            return None
        questions = counted_questions(form, self.state)
        self.counted = {one.address for one in questions}
        rows = [self._row(form, run, one) for one in form.questions if lists.is_of_open_item(one, run)]
        refused = [row for one in past.refused if (row := self._refused(form, one)) is not None]
        return FormLedger(
            self.state.node,
            title_of_node(self.machine, self.state.node),
            run.status,
            count_done(run, self.state, questions),
            len(questions),
            self.state.language or self.machine.language.code,
            (*refused, *rows),
            past.asked_since if run.asked else None,
            run.misses.get(run.asked, 0),
        )

    # rows --------------------------------------------------------------------------------------

    def _row(self, form: LinkedForm, run: FormRun, question: Question) -> LedgerRow:
        address = question.address
        row = LedgerRow(address, label_of(self.machine, question), "left", counts=address in self.counted)
        if run.status == "collecting" and run.editing != "chooser" and run.asked == address:
            return replace(row, state="asked", note=self.words["suggested"] if address in run.suggested else "")
        if address in self.state.shelved or not holds(question.ask_when, env_of(self.state)):
            return replace(row, state="passed_over", note=self._passed_over(question), counts=False)
        if is_answered(run, self.state, address):
            return self._given(question, row)
        if address in run.skipped:
            return replace(row, state="passed_over", note=self.words["skipped"])
        return replace(row, note=self._left(form, run, question))

    def _left(self, form: LinkedForm, run: FormRun, question: Question) -> str:
        if not question.form_field.asked:
            return self.words["never_asked"]
        following = [one for one in questions_in_order(form, self.state, run) if is_open(one, run, self.state)]
        following = [one for one in following if one.address != run.asked]
        if following and following[0] is question and run.status == "collecting":
            return self.words["next"]
        return "" if question.form_field.required else self.words["optional"]

    def _passed_over(self, question: Question) -> str:
        guard = question.ask_when
        if guard is None or holds(guard, env_of(self.state)):
            reason = self.words["no_reason"]
        else:
            condition = condition_in_words(self.machine, self.state, guard, self.words)
            reason = self.words["needs"].replace("{condition}", condition)
        if question.address in self.state.shelved:
            reason = self.words["kept"].replace("{reason}", reason)
        return self.redaction.text(reason)

    def _given(self, question: Question, row: LedgerRow) -> LedgerRow:
        state, field = self.state, question.field
        found = state.values[question.address]
        row = replace(row, state="given", how=found.how, turn=found.turn)
        if field.secret:
            return replace(row, answer=REDACTED)
        items = item_texts(self.machine, state, field, found.value, self.redaction.text) if question.items else None
        answer = lists.numbered_lines(self.machine, state, question) if items else ""
        answer = self.redaction.text(answer or written_for_user(self.machine, state, field, found.value))
        note = "" if question.form_field.asked else self.words["never_asked"]
        row = replace(row, answer=answer, items=items, note=note)
        place = shown_place(self.machine, state, question.address)
        text = self.texts.get(place[0], ERASED) if place is not None else ERASED
        if place is None or text == ERASED:
            return row
        span = self.redaction.span(place[0], text, place[1], place[2])
        if span is None:
            return row
        words = self.redaction.text(text[place[1] : place[2]])
        return replace(row, words=words, seq=place[0], start=span[0], end=span[1])

    def _refused(self, form: LinkedForm, one: Refusal) -> LedgerRow | None:
        """Return the row of a refused answer; `None` where it is no question of this form, or its words are erased."""
        question = form.by_address.get(one.address)
        if question is None or one.text == ERASED:
            return None
        row = LedgerRow(one.address, label_of(self.machine, question), "refused", turn=one.turn, counts=False)
        if question.field.secret:
            return replace(row, answer=REDACTED, note=self.words["not_accepted"])
        if one.left_out is not None:
            return self._left_out(row, one, one.left_out)
        text = self.redaction.message(one.seq, one.text)
        row = replace(row, note=self.redaction.text(one.said) or self._why_not(question, one.text))
        return replace(row, words=text, seq=one.seq, start=0, end=len(text)) if text else row

    def _left_out(self, row: LedgerRow, one: Refusal, left: Dropped) -> LedgerRow:
        """Return the row of words that were left out of a message, with the reason."""
        row, (start, end) = replace(row, note=self.words[f"left_out_{left.reason}"]), left.words
        span = self.redaction.span(one.seq, one.text, start, end)
        if span is None:
            return row
        return replace(row, words=self.redaction.text(one.text[start:end]), seq=one.seq, start=span[0], end=span[1])

    def _why_not(self, question: Question, text: str) -> str:
        """Return why a message is no answer to a question: judged again on the present state."""
        field = question.field
        if field.options:
            shown = [one.shown for one in field.options]
            joint = f" {self.words['or']} "
            listed = joint.join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
            return self.words["not_one_of"].replace("{options}", listed)
        found = accept(self.machine, self.state, question.address, text, question)
        if isinstance(found, Refused) and not (field.parts and found.reason == "list"):
            return refusal_for_user(self.machine, self.state, found) or self.words["not_understood"]
        return self.words["not_understood"]
