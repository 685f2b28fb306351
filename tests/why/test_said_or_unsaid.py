"""Every kind of fact has a sentence for the person in the conversation, or a reason why it has none."""

from __future__ import annotations

import re
from pathlib import Path

from turnwise.core.language import de, en
from turnwise.why.kinds import WORDS
from turnwise.why.plain import SENTENCES
from turnwise.why.plain.unsaid import UNSAID

ROOM = Path("src/turnwise/why/plain")


def test_every_kind_of_fact_has_a_sentence_or_a_reason_for_none() -> None:
    assert not set(SENTENCES) & set(UNSAID)
    assert set(SENTENCES) | set(UNSAID) == set(WORDS)
    assert all(UNSAID.values())


def test_every_text_of_a_sentence_is_there_in_both_languages_and_is_used() -> None:
    sources = [*ROOM.glob("*.py"), ROOM.parent / "ask.py", Path("src/turnwise/core/commands/reasons.py")]
    used = set(re.findall(r'"(why_\w+)"|\'(why_\w+)\'', "".join(path.read_text("utf-8") for path in sources)))
    names = {one or other for one, other in used}
    names |= {
        f"{name}{form}" for name in names for form in ("_secret", "_then", "_once") if f"{name}{form}" in en.TEXTS
    }
    assert names == {name for name in en.TEXTS if name.startswith("why_")}
    assert names == {name for name in de.TEXTS if name.startswith("why_")}


def test_both_languages_fill_in_the_same_values() -> None:
    for name in (name for name in en.TEXTS if name.startswith("why_")):
        assert set(re.findall(r"\{\w+\}", en.TEXTS[name])) == set(re.findall(r"\{\w+\}", de.TEXTS[name])), name
