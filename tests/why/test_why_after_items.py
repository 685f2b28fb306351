"""Why a question is asked after items: those of an item that is done are not among what does not apply."""

from __future__ import annotations

from pathlib import Path

import pytest

import turnwise as tw
from turnwise.core.state import events as e

PIZZA = Path(__file__).parents[2] / "examples" / "pizza" / "pizza.flow.yaml"


@pytest.mark.parametrize("messages", [("hello", "a large salami"), ("hello", "Salami", "Large")])
def test_the_questions_of_an_item_are_not_said_not_to_apply(messages: tuple[str, ...]) -> None:
    with tw.open_sync(str(PIZZA)) as app:
        chat = app.chat("why")
        for message in (*messages, "no, that's all"):
            chat.say(message)
        answer = str(chat.why("the question"))
    assert "order.address" in answer
    assert "do not apply" not in answer


@pytest.mark.law("7.3b")
def test_a_misspelt_word_is_in_the_journal_with_its_similarity() -> None:
    with tw.open_sync(str(PIZZA)) as app:
        chat = app.chat("why")
        chat.say("hello")
        turn = chat.say("a large margarita")
        [added] = [one for one in turn.events if isinstance(one, e.ItemAdded)]
    assert added.values == {"kind": "Margherita", "size": "Large"}
    assert added.confidence is not None
    assert 0.8 < added.confidence < 1
