"""How often the ranking of questions in words has the right subject: first, among the first, and what is answered.

    python benchmarks/questions.py

It reads `tests/questions/stories.tsv`: questions of tests about prepared conversations, each with its subject. Every
third row is held back: nobody who works on the ranking looks at it. The figures are printed, never judged.
The chooser stands for a model or a person that sees only what is offered, and picks the right subject wherever it is
there: it is a bound for any of them, not a measurement of one.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
ROWS = ROOT / "tests" / "questions" / "stories.tsv"
HELD_BACK = 3
"""Every row whose number is a multiple of this is held back."""
ABSENT = 10**6
"""The place of a subject that is not among the candidates."""
OLD_READER = "rules of commit ab716483 on the rows held back: 100 % first, by construction, as the rows are their tests"


class Row(NamedTuple):
    """A question about a story, and the subject that it is about."""

    story: str
    question: str
    subject: str


def rows() -> list[Row]:
    """Return the questions."""
    return [Row(*line.split("\t")[:3]) for line in ROWS.read_text("utf-8").splitlines()[1:]]


async def ranked(archive: Any, conversation: str, question: str) -> tuple[Any, ...]:
    """Return the candidates for a question at the end of a conversation."""
    from turnwise.why.answer import Subject
    from turnwise.why.candidates import candidates
    from turnwise.why.query import Query

    history = await archive._history(conversation, None)
    turn = await history.turn(history.last.turn)
    return await candidates(Query(history, turn, await history.facts(turn.number), Subject("conversation")), question)


def measured(asked: Iterable[Row]) -> Counter[str]:
    """Return how many questions have the right subject first, among the first, and in a clear answer."""
    from asked_stories import played, seeded

    from turnwise.why.candidates import is_clear
    from turnwise.why.offered import MOST_OFFERED

    found, archive = Counter[str](), seeded()
    for row in asked:
        if row.story in played:
            chat = played[row.story]()
            ranking = chat.app.loop.wait(ranked(chat.chat._archive, chat.chat.name, row.question))
        else:
            ranking = asyncio.run(ranked(archive, row.story, row.question))
        names = [str(one.subject) for one in ranking]
        place = names.index(row.subject) if row.subject in names else ABSENT
        clear = is_clear(ranking)
        found["questions"] += 1
        found["first"] += place == 0
        found["among three"] += place < 3
        found["among five"] += place < 5
        found["answered"] += clear
        found["answered rightly"] += clear and place == 0
        found["by a chooser"] += place == 0 if clear else place < MOST_OFFERED
    return found


def main() -> int:
    """Print the figures."""
    import logging

    logging.disable(logging.CRITICAL)  # stories have tools that fail on purpose
    every = rows()
    parts = {
        "held back": [row for at, row in enumerate(every) if at % HELD_BACK == 0],
        "the others": [row for at, row in enumerate(every) if at % HELD_BACK],
    }
    for name, part in parts.items():
        found = measured(part)
        count = found.pop("questions")
        print(f"questions {name} ({count}): " + ", ".join(f"{what} {n / count:.0%}" for what, n in found.items()))
    print(OLD_READER)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
