"""Questions about a call that failed, by its words: those of its arguments, and of its tool. The subjects were written
down before the answers were seen.
"""

from __future__ import annotations

import pytest

import turnwise as tw
from asked_stories import ask, partner, played
from support.stories import shared
from turnwise.models.scripted import call


def rents() -> tw.SyncChat:
    """The search in the web fails in turn 1; another tool is used in turn 2. The tool `search` is never used."""
    looked, thought = call("web_search", query="rents in Lisbon"), call("think", thought="savings last a year")
    replies = (looked, "The search does not work now.", thought, "Well.")
    return partner(*replies, texts=("please research the rents", "and my money"))


played["rents"] = shared(rents)

FAILED = [
    ("rents", "Why did the search for rents bring nothing?", "tool web_search", 1),
    ("rents", "Why was nothing found about rents?", "tool web_search", 1),
    ("rents", "why did you not find anything on Lisbon", "tool web_search", 1),
    ("rents", "Why did looking up the rents fail?", "tool web_search", 1),
    ("rents", "what went wrong with the search?", "tool web_search", 1),
    ("rents", "Why did the search crash?", "tool web_search", 1),
    ("rents", "Why did the lookup of Lisbon give no result?", "tool web_search", 1),
    ("rents", "why were no rents found", "tool web_search", 1),
    ("rents", "the search for rents did not work, why?", "tool web_search", 1),
    ("rents", "how often did the search fail?", "tool web_search", 1),
    ("rents", "why did the search fail in turn 1?", "tool web_search", 1),
    ("rents", "Warum hat die Suche nach den Mieten nichts gebracht?", "tool web_search", 1),
    ("rents", "Warum ist die Suche im Netz fehlgeschlagen?", "tool web_search", 1),
    ("rents", "Wieso wurde zu Lisbon nichts gefunden?", "tool web_search", 1),
    ("rents", "Weshalb schlug die Suche fehl?", "tool web_search", 1),
    ("rents", "Warum ist die Suche gescheitert?", "tool web_search", 1),
    ("rents", "Why was Wikipedia not available?", "tool web_search", 1),
    ("rents", "Warum war Wikipedia nicht erreichbar?", "tool web_search", 1),
    ("rents", "Why could it not look that up on the internet?", "tool web_search", 1),
    ("rents", "Why couldn't it look anything up?", "tool web_search", 1),
    ("unsaved", "why did saving not work?", "tool save_result", 1),
]
OTHERS = [
    ("rents", "why was search not used?", "tool search", 2),
    ("rents", "why did the tool search fail?", "tool search", 2),
    ("rents", "why did think fail?", "tool think", 2),
    ("holiday", "why did the search bring nothing?", "tool search", 1),
]


@pytest.mark.parametrize(
    ("story", "question", "subject", "turn"), [*FAILED, *OTHERS], ids=[one[1] for one in (*FAILED, *OTHERS)]
)
def test_a_failure_is_that_of_the_call_with_the_words(story: str, question: str, subject: str, turn: int) -> None:
    answer = ask(story, question)
    assert (str(answer.subject), answer.turn) == (subject, turn), answer.line


def test_the_failure_itself_is_told_first() -> None:
    assert "web_search failed: OSError: no network" in ask("rents", "Why did the search for rents bring nothing?").line
