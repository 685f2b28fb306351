"""Answers about stored conversations: why, where two differ, and which ways lead to a target; each in a language."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from turnwise.archive.answer_words import ENGLISH, AnswerWords
from turnwise.archive.arguments import check_encodable, check_name, check_number, check_optional_name
from turnwise.core.state import State
from turnwise.errors import NoClearSubject, SubjectCandidate, UnknownTurn, WrongArgument, describe
from turnwise.runner.machines import AnyMachines
from turnwise.runner.model_port import AnyModel
from turnwise.runner.ports import Store
from turnwise.runner.stored import StoredConversation, unknown_conversation
from turnwise.runner.turn_result import TurnResults

if TYPE_CHECKING:
    from turnwise.archive.edge_counts import FlowCounts
    from turnwise.runner.spans import Spans
    from turnwise.why.answer import Answer
    from turnwise.why.facts import KnownFacts
    from turnwise.why.history import History
    from turnwise.why.model_reader import ModelReader

_log = logging.getLogger("turnwise")


class Answers:
    """Answers questions about the conversations of a store."""

    def __init__(self, store: Store, machines: AnyMachines, question_model: AnyModel | None) -> None:
        self.store = store
        self.machines = machines
        self.question_model = question_model
        """Reads questions of why in plain words, if there is one."""
        self.spans: Spans | None = None
        """Makes spans of the calls of that model, if they are wanted."""
        self.turns = TurnResults(machines, store)
        self._facts: KnownFacts | None = None

    async def state(self, conversation: str) -> State:
        """Return the latest state of a conversation. Raises `UnknownConversation`."""
        state = await self.store.load(check_name("conversation", conversation))
        if state is None:
            raise await unknown_conversation(self.store, conversation)
        return state

    async def why(
        self,
        conversation: str,
        question: str = "",
        *,
        turn: int | None = None,
        usual: bool = False,
        counts: FlowCounts | None = None,
        words: AnswerWords = ENGLISH,
    ) -> Answer:
        """Return why something is as it is at the end of a turn, by default the last.
        The question is a name (a field, node, transition, tool, timer, …), the number of a turn, `end`, or plain words;
        empty, it is about the turn. With `usual`, or where the question is how often, the second fact says in how many
        conversations of the flow that was so; the first time, all conversations of the store are read for this, later
        only those that changed. `counts` are those, if they are known. Plain words are read by `question_model`, and
        where it fails, or there is none, by rules. `words` says in which language, and with which names, the answer is
        written.

        Raises `UnknownConversation`, `UnknownTurn`, and `UnknownSubject` with the nearest name.
        """
        from turnwise.archive.usual import with_usual_count
        from turnwise.why.ask import why

        check_encodable("question", question)
        history = await self._history(conversation, turn)
        try:
            answer = await why(history, question, turn, self._reader(conversation))
        except NoClearSubject as unclear:
            raise await self._unclear(history, unclear, words) from None
        await history.refuse_deleted()
        if usual or counts is not None:
            counts = counts or await self._all_counted(history.last.flow)
            answer = with_usual_count(answer, counts, history.last)
        return await self._written(history, answer, words)

    async def answer_user(self, conversation: str, question: str, turn: int) -> str:
        """Return the sentence that answers a user's question why, as of the end of a turn; empty where there is none.
        There is none where the rules do not understand the question, or nothing can be said.
        """
        from turnwise.why.ask import why_for_user

        try:
            state = await StoredConversation(self.store, conversation).state_after(turn)
            if state is None:
                return ""
            return await why_for_user(self._history_until(conversation, state), question)
        except Exception as error:  # noqa: BLE001  an answer that cannot be found must not cost the user the reply
            _log.warning("%s: a question of why was not answered: %s", conversation, describe(error))
            return ""

    async def compare(
        self,
        conversation: str,
        other: str | None = None,
        *,
        turn: int | None = None,
        other_turn: int | None = None,
        words: AnswerWords = ENGLISH,
    ) -> Answer:
        """Return the first decision that differs from another conversation (`other`), or from turn `other_turn` of it
        or of the same one, and the values that made it. The other conversation may be a fork. Raises
        `UnknownConversation`, `UnknownTurn`, `WrongArgument`.
        """
        from turnwise.why.differences import Comparison

        check_optional_name("other", other)
        if other in (None, conversation) and other_turn is None:
            raise WrongArgument("other", other, "another conversation, or other_turn a turn of the same one")
        one, two = await self._history(conversation, turn), await self._history(other or conversation, other_turn)
        answer = await Comparison(one, two, turn, other_turn).answer()
        await one.refuse_deleted()
        await two.refuse_deleted()
        return await self._written(one, answer, words, two)

    async def ways_to(
        self,
        conversation: str,
        node: str,
        *,
        turn: int | None = None,
        most_steps: int = 8,
        words: AnswerWords = ENGLISH,
    ) -> Answer:
        """Return the shortest ways, of at most `most_steps` acts, from the end of a turn, by default the last, to a
        node, transition or outcome. They are what the user could answer or say, and which timers and tools come in
        between. The machine was run on each, without effects. An outcome of a scope is named as `survey:completed`.

        Raises `UnknownConversation`, `UnknownTurn`, and `UnknownSubject` for an unknown target.
        """
        from turnwise.why.forward import shortest_ways

        check_name("node", node)
        check_number("most_steps", most_steps)
        history = await self._history(conversation, turn)
        return await self._written(history, await shortest_ways(history, node, turn, most_steps), words)

    async def _written(
        self, history: History, answer: Answer, words: AnswerWords, other: History | None = None
    ) -> Answer:
        """Return an answer as texts in a language; `other` is a conversation that it is compared with."""
        from turnwise.why.answer import in_language

        if words == ENGLISH:
            return in_language(answer, None)
        names = await self._names(history, other) if words.has_titles and other is not None else {}
        machine = await history.machines.shown_of_state(history.last)
        return in_language(answer, words.writer(machine, history.last, names))

    async def _names(self, *histories: History) -> dict[str, str]:
        """Return what conversations are called, by their ids; with the id where two are called the same."""
        from turnwise.archive.conversation_names import conversation_name

        found: dict[str, str] = {}
        for one in histories:
            machine = await one.machines.shown_of_state(one.last)
            found[one.conversation] = await conversation_name(self.store, one.conversation, one.last, machine)
        is_shared = len(set(found.values())) < len(found)
        return {id_: f"{name} ({id_})" if is_shared and name != id_ else name for id_, name in found.items()}

    async def _unclear(self, history: History, unclear: NoClearSubject, words: AnswerWords) -> NoClearSubject:
        """Return the refusal of a question with what it may be about as texts in a language."""
        writer = words.writer(await history.machines.shown_of_state(history.last), history.last)
        offers = [
            SubjectCandidate(one.subject, writer.text(one.title), writer.text(one.because))
            for one in unclear.candidates
        ]
        return NoClearSubject(unclear.question, tuple(offers), unclear.note)

    async def _all_counted(self, flow: str) -> FlowCounts:
        """Return the counts over all conversations of a flow, as they are now."""
        from turnwise.archive.edge_counts import EdgeCounts

        counts = EdgeCounts(self.store, self.machines)
        await counts.refresh_all()
        return await counts.flow_counts(flow)

    def _reader(self, conversation: str) -> ModelReader | None:
        """Return what reads questions by a model, if there is one."""
        if self.question_model is None:
            return None
        from turnwise.why.model_reader import ModelReader

        return ModelReader(self.question_model, conversation, self.spans)

    async def _history(self, conversation: str, turn: int | None = None) -> History:
        """Return the turns of a conversation. Raises `UnknownTurn` for a turn that never was."""
        check_number("turn", turn)
        state = await self.state(conversation)
        if turn is not None and not 1 <= turn <= state.turn:
            raise UnknownTurn(conversation, turn, state.turn)
        return self._history_until(conversation, state)

    def _history_until(self, conversation: str, state: State) -> History:
        """Return the turns of a conversation up to a state."""
        from turnwise.why.facts import KnownFacts
        from turnwise.why.history import History

        if self._facts is None:
            self._facts = KnownFacts()
        return History(self.store, self.machines, self.turns, self._facts, conversation, state)

    def drop(self, conversation: str) -> None:
        """Drop what is cached of a conversation."""
        self.turns.drop(conversation)
        if self._facts is not None:
            self._facts.drop(conversation)
