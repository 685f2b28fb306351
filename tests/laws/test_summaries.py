"""Law 6.2: a model writes the summary of a scope before it closes; the template stands for a reply that fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

import turnwise as tw
from support.chats import NOON_MS, OneChat, Talk, done, flow_of, talk
from turnwise.core.prompts import ModelRequest
from turnwise.core.state import events as e
from turnwise.models.scripted import ScriptedModel, call
from turnwise.runner.clocks import ManualClock
from turnwise.runner.model_port import Delta, ModelEvent
from turnwise.stores.memory import MemoryStore
from turnwise.why.prompts import prompts

FLOW = """
flow: lesson
start: talk
commands: [cancel]
records:
  feedback: {mood: {type: choice, options: [good, bad]}, pin: {type: string, secret: true}}
nodes:
  talk:
    prompt: Talk.
    transitions: [{id: asks, at: before, when: 'message.text == "survey"', call: survey}]
  survey:
    scope:
      returns: feedback
      summary: {prompt: "Sum up: {{ scope.outcome }}.", fallback: "Mood: {{ feedback.mood }}"}
      limits: {idle: 10m}
    form: {fields: [{field: feedback.mood, ask: How was it?}]}
"""


def summaries(journal: Sequence[e.Entry]) -> list[tuple[str, str, bool]]:
    closed = [entry.event for entry in journal if isinstance(entry.event, e.ScopeClosed)]
    return [(one.outcome, one.summary, one.is_by_model) for one in closed]


def surveyed(*replies: str | Exception, flow: str = FLOW) -> Talk:
    made = talk(flow, understand=[()] * 9, model=["Hello.", *replies])
    made.chat.say("hello")
    made.chat.say("survey")
    return made


@pytest.mark.law("6.2")
def test_the_model_reads_the_words_inside_and_the_result_and_its_reply_is_the_summary() -> None:
    made = surveyed("They liked\n it.", "Back to German.")
    turn = made.set(**{"survey/feedback__mood": "good"})
    assert turn.text == "Thank you, that is all I need.\n\nBack to German."
    asked, back = made.model.calls[1:]
    assert asked.instructions[0] == "Sum up: completed."
    assert asked.instructions[2] == 'Its result: {"mood":"good"}'
    assert [one.text for one in asked.transcript] == ["How was it?", "Thank you, that is all I need."]
    assert asked.tools == ()
    assert [one.text for one in back.transcript][-1].endswith("They liked it.")
    assert summaries(made.chat.journal()) == [("completed", "They liked it.", True)]
    assert turn.value("feedback.mood") == "good"


@pytest.mark.law("6.2")
def test_the_summary_is_streamed_to_nobody() -> None:
    heard: list[object] = []

    async def run() -> None:
        model = ScriptedModel(["They liked it.", "Back to German."])
        async with OneChat(flow_of(FLOW), model=model, understand=lambda _m, _a: ()) as chat:
            await chat.say("survey")
            heard.extend([piece async for piece in chat.stream("cancel")])

    asyncio.run(run())
    assert "Back to German." in str(heard)
    assert "They liked it." not in str([one for one in heard if isinstance(one, Delta)])


@pytest.mark.law("6.2")
@pytest.mark.parametrize(
    ("reply", "warned"),
    [(tw.ProviderFailed("gone"), True), ("", True), ("<|im_end|>", True), (call("finish_survey"), False)],
)
def test_a_reply_that_is_none_leaves_it_to_the_template(reply: object, warned: bool) -> None:
    made = surveyed(reply, "Back to German.")  # type: ignore[arg-type]
    turn = made.set(**{"survey/feedback__mood": "good"})
    assert summaries(made.chat.journal()) == [("completed", "Mood: good", False)]
    assert ("summary_failed" in [one.code for one in turn.warnings]) == warned
    assert turn.text.endswith("Back to German.")


@pytest.mark.law("6.2")
def test_without_a_model_the_template_stands_and_nothing_is_warned_of() -> None:
    async def run() -> None:
        async with OneChat(flow_of(FLOW)) as chat:
            await chat.say("survey")
            turn = await chat.say("good")
            assert summaries(await chat.journal()) == [("completed", "Mood: good", False)]
            assert turn.warnings == ()

    asyncio.run(run())


class Cut(BaseException):
    """The process dies here."""


class CutModel(ScriptedModel):
    """A model during whose call `at` the process dies."""

    def __init__(self, replies: Sequence[str], at: int) -> None:
        super().__init__(replies)
        self.at = at

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        if len(self.calls) + 1 == self.at:
            self.at = 0
            raise Cut
        async for piece in super().stream(request):
            yield piece


@pytest.mark.law("6.3")
@pytest.mark.parametrize("at", [2, 3])
def test_a_kill_while_the_summary_is_written_or_after_it_leaves_nothing_half(at: int) -> None:
    """At call 2 the summary is asked for again; at call 3 it is stored, and is not asked for again."""
    store, model = MemoryStore(), CutModel(["Hello.", "They liked it.", "Back to German."], at)

    def opened() -> OneChat:
        return OneChat(
            flow_of(FLOW), store=store, model=model, understand=lambda _m, _a: (), clock=ManualClock(NOON_MS)
        )

    chat = opened()
    done(chat.say("hello"))
    done(chat.say("survey"))
    with pytest.raises(Cut):
        done(chat.say("cancel"))
    state = done(store.load("main"))
    assert len(state.frames) == (2 if at == 2 else 1)
    again = opened()
    done(again.start())
    journal = done(again.journal())
    assert summaries(journal) == [("cancelled", "They liked it.", True)]
    assert [one.instructions[0] for one in model.calls] == ["Talk.", "Sum up: cancelled.", "Talk."]
    assert done(again.replay())


@pytest.mark.law("6.2")
def test_the_prompt_of_a_summary_is_made_again_and_proved() -> None:
    made = surveyed("They liked it.", "Back.")
    made.set(**{"survey/feedback__mood": "good"})
    app = made.chat.chat
    found = done(prompts(app.runtime.store, app.runtime.machines, made.chat.turn(3)))
    assert [(one.purpose, one.is_proved) for one in found] == [("summary", True), ("reply", True)]
    assert [part.part for part in found[0].parts] == ["task", "task", "task", "transcript", "transcript"]
    told = made.chat.why("model", turn=3)
    assert "write the summary" in str(told)


SECRET = FLOW.replace("{field: feedback.mood", "{field: feedback.pin, ask: Pin?}, {field: feedback.mood")


@pytest.mark.law("6.2")
def test_a_summary_that_holds_a_secret_is_masked() -> None:
    made = surveyed("Their pin is 77-88-99.", "Back.", flow=SECRET)
    made.set(**{"survey/feedback__pin": "77-88-99"})
    made.set(**{"survey/feedback__mood": "good"})
    asked, back = made.model.calls[-2:]
    assert asked.instructions[2] == 'Its result: {"mood":"good","pin":"[secret]"}'
    assert "77-88-99" not in str(back)
    assert "Their pin is [secret]." in str(back)
    told = made.chat.why("node survey")
    assert "77-88-99" not in str(told)
    assert "Their pin is [secret]." in str(told)
