"""What a closed scope saved: by the counts of the provider, else by characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from support.chats import NOON_MS, Talk, done, talk
from support.counted import calls_of
from turnwise.core.prompts.tokens_saved import TokensSaved, tokens_saved
from turnwise.core.state import events as e
from turnwise.models.scripted import call

FLOW = """
flow: nest
start: chat
commands: [cancel]
records: {result: {mood: string}}
nodes:
  chat:
    prompt: Talk.
    transitions:
      - {id: a, at: before, when: message.text == "quiz", call: quiz}
      - {id: b, at: before, when: message.text == "survey", call: survey}
  quiz:
    scope: {summary: "12345678"}
    prompt: Ask.
  survey:
    scope: {returns: result, summary: "1234"}
    form: {fields: [{field: result.mood, ask: "12345678?"}]}
"""


COUNTED = [(100, 5), (112, 6), (128, 4)]
"""The tokens in and out of the calls inside the quiz, as a provider counts them."""


def quizzed(*later: str, window: int = 20) -> Talk:
    flow = FLOW.replace("start: chat", f"start: chat\nlimits: {{window: {window}}}")
    model: list[Any] = ["Question one?", "Question two?", call("finish_quiz"), *later]
    made = talk(flow, understand=[()] * 99, model=model)
    for text in ("quiz", "first answer", "second answer"):
        made.chat.say(text)
    return made


def counted(entries: Iterable[e.Entry]) -> Iterator[e.Entry]:
    counts = iter(COUNTED)
    for entry in entries:
        event = entry.event
        if isinstance(event, e.ModelReplied) and entry.frame:
            tokens_in, tokens_out = next(counts, (0, 0))
            yield replace(entry, event=replace(event, tokens_in=tokens_in, tokens_out=tokens_out))
        else:
            yield entry


def saved(made: Talk, window: int = 20) -> TokensSaved:
    (found,) = tokens_saved(counted(made.chat.journal()), window)
    return found


def test_replies_count_as_the_provider_counted_them_and_messages_as_the_request_grew() -> None:
    made = quizzed("back", "more")
    found = saved(made)
    result = 4  # of the call that closed the quiz, which nothing counted
    words = 5 + (112 - 100 - 5) + 6 + (128 - 112 - 6) + 4 + result
    assert (found.scope, found.requests, found.tokens) == ("quiz", 1, words - 2)
    made.chat.say("and then")
    assert saved(made).tokens == 2 * (words - 2)


def test_without_counts_four_characters_are_a_token_and_it_is_an_estimate() -> None:
    made = talk(FLOW, understand=[()] * 99, model=["back", "more"])
    made.chat.say("survey")
    made.set(**{"survey/result__mood": "fine"})
    found = saved(made)
    said = [entry for entry in made.chat.journal() if entry.frame == found.frame]
    assert found.is_estimate
    assert found.requests == 1
    assert found.tokens == sum(-(-len(getattr(one.event, "text", "")) // 4) for one in said) - 1


def test_words_that_no_window_would_hold_any_more_save_nothing() -> None:
    made = quizzed(*["more"] * 9, window=3)
    for number in range(6):
        made.chat.say(f"message {number}")
    requests = saved(made, 3).requests
    assert requests == 1 + 3
    made.chat.say("once more")
    assert saved(made, 3).requests == requests


def test_a_closing_that_was_taken_back_saves_nothing_after_it() -> None:
    made = quizzed("back", "more", "and more")
    made.chat.undo()
    assert len(made.chat.state().frames) == 2
    before = saved(made)
    made.chat.say("third answer")
    assert saved(made).requests == before.requests == 1


def test_the_cost_grows_with_the_journal_and_no_faster() -> None:
    made = talk(FLOW, understand=[()] * 999, model=["reply"] * 999)
    journals = list[tuple[e.Entry, ...]]()
    for _ in range(2):
        for _ in range(30):
            for text in ("survey", "good", "on", "and on"):
                made.chat.say(text)
        journals.append(made.chat.journal())
    few, many = (calls_of(lambda own=own: tokens_saved(own, 5)) for own in journals)
    assert many < 2.2 * few, (few, many)


def test_words_that_were_erased_count_with_their_average_length() -> None:
    made = talk(
        FLOW.replace("scope: {returns", "scope: {keep: 1h, returns"), understand=[()] * 99, model=["back", "more"]
    )
    made.chat.say("survey")
    made.set(**{"survey/result__mood": "fine"})
    before = saved(made)
    assert done(made.store.erase_words(NOON_MS + 3_600_000)) == 1
    after = saved(made)
    assert "12345678?" not in str(made.chat.journal())
    assert after.is_estimate
    assert 0 < before.tokens - 2 <= after.tokens <= before.tokens + 2
