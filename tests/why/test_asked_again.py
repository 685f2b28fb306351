"""Questions of why something was asked again: by a form after an answer that it did not take, and by a model."""

from __future__ import annotations

import asyncio

import pytest

import turnwise as tw
from support.chats import flow_of
from turnwise.cli.demo_examples import EXAMPLES, examples
from turnwise.cli.demo_seeds import play_seeds, read_seeds
from turnwise.cli.inputs import code_of

FORM = """
flow: shop
start: ask
records: {order: {size: {options: [S, L], about: the size}, name: string}}
nodes:
  ask:
    form: {fields: [{field: order.size, ask: Which size?}, {field: order.name, ask: Whose?}]}
    transitions: [{to: done}]
  done: {say: Bye., end: completed}
"""


@pytest.mark.parametrize(
    "question", ["why was I asked twice?", "why did you ask again?", "warum wurde erneut gefragt?"]
)
def test_a_form_that_asked_again_is_found(question: str) -> None:
    with tw.open_sync(flow_of(FORM)) as app:
        chat = app.chat("main")
        chat.start()
        chat.say("a purple one")
        answer = chat.why(question)
    assert str(answer.subject) == "question order.size"
    assert answer.line == "order.size is asked again because the answer was not understood"


@pytest.mark.parametrize("question", ["why was she asked twice?", "why did it ask twice for the terms?"])
def test_what_a_model_still_lacked_is_found(question: str) -> None:
    answer = asyncio.run(_ask_maria(question))
    assert str(answer.subject) == "field user.tos_acknowledged"
    assert answer.turn == 4
    assert "user.tos_acknowledged has no value" in answer.line


async def _ask_maria(question: str) -> tw.Answer:
    folder, example = examples() / "health_intake", EXAMPLES["health_intake"]
    flow, code = tw.load(folder / example.flow), code_of(None)
    app = tw.open(flow, store="memory://", clock=tw.ManualClock(1_700_000_000_000))
    seeds = [seed for seed in read_seeds(folder) if seed.name == "maria"]
    await play_seeds(seeds, flow, code, app.runtime.store, 1_700_000_000_000)
    return await app.runtime.archive.why("maria", question)
