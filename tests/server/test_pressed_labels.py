"""What is pressed is shown by its label, in the transcript and in answers of why, and times as people write them."""

from __future__ import annotations

import pytest

import turnwise as tw
from support.chats import flow_of
from support.served import in_loop, served
from turnwise.flow.durations import in_words
from turnwise.server.views.event_rows import without_markdown

FLOW = """
flow: order
start: ask
records: {cup: {size: {type: choice, options: [Small, Large]}}}
nodes:
  ask:
    form: {fields: [{field: cup.size, ask: Which size?}], confirm: {buttons: {yes: Looks Good, edit: Change it}}}
    transitions: [{at: after, when: form.status == "confirmed", end: ordered}]
"""


@in_loop
async def test_a_press_is_shown_by_the_label_of_its_button() -> None:
    app = tw.open(flow_of(FLOW))
    async with served(app) as client:
        chat = app.chat("c")
        await chat.start()
        await chat.say("Large")
        await chat.choose("confirm")
        messages = (await client.get("/api/conversations/c/transcript")).json()["messages"]
        assert [one["text"] for one in messages if one["by"] == "button"] == ["Looks Good"]
        later = (await client.get(f"/api/conversations/c/transcript?after={messages[-2]['seq'] - 1}")).json()[
            "messages"
        ]
        assert "confirm" not in [one["text"] for one in later]
        assert "the user pressed “Looks Good”" in (await client.get("/api/conversations/c/why?subject=message 3")).text


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 s"), (45.9, "45 s"), (969, "16 min"), (8040, "2 h 14 min"), (3600, "1 h"), (90_061, "1 d 1 h")],
)
def test_a_span_of_time_is_written_as_people_do(seconds: float, words: str) -> None:
    assert in_words(seconds) == words


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "## Summary\n\n**Problem Statement:** Large\n- 1 cup\n1. `code`",
            "Summary Problem Statement: Large 1 cup code",
        ),
        ("2 * 3 and my_long_name - fine", "2 * 3 and my_long_name - fine"),
        ("see [the page](https://example.org/a)", "see [the page]"),
    ],
)
def test_a_snippet_has_no_marks_of_markdown(text: str, shown: str) -> None:
    assert without_markdown(text) == shown
