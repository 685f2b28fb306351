"""German compounds: the words that they are made of, such as `Versicherung` in `Krankenversicherung`."""

from __future__ import annotations

from collections.abc import Collection

from turnwise.why.reading.words import words_of

GERMAN = words_of(
    "das dem den der des die ein eine einem einen einer er es für haben hast hat hatte ich ihr ihre im ist kein keine"
    " mein meine mich mir mit muss nach nicht noch schon sie sind und vom von warum weshalb wie wieso wird woher"
    " wurde wurden zu zum zur bei auf aus wer wann"
)
"""Words of German questions. In other languages a word that ends like another one has seldom to do with it."""
_PREFIXES = words_of(
    "aus auf ein vor nach ver ent emp zer miss mit bei hin her los weg wider wieder gegen über unter um durch un ur"
    " per kom kon sub trans inter ante anti dis des mis pre pro con com"
)
"""What is put before a word to make another one, which is no compound: `Versicherung` is no `Sicherung`."""
_SUFFIXES = words_of(
    "schaft schaften haft haften heit heiten keit keiten lich liche lichen licher liches lein chen barkeit losigkeit"
    " isch ische ischen ungen erin innen erinnen tion tionen"
)
"""What is put after a word to make another one."""
_LEAST_PART = 6
"""How many letters a part has that is known, where the other one is not."""
_LEAST_REST = 3
_JOINTS = ("", "s", "n", "en", "e")
"""What stands between the parts of a compound."""


def parts_of(word: str, known: Collection[str]) -> list[str]:
    """Return the known words that a compound consists of: two of them, else one at its end or its beginning."""
    for at in range(_LEAST_REST, len(word) - _LEAST_REST + 1):
        first, last = word[:at], word[at:]
        if last in known and first not in _PREFIXES:
            found = next(
                (one for joint in _JOINTS if (one := first.removesuffix(joint) if joint else first) in known), ""
            )
            if found and len(found) >= _LEAST_REST:
                return [found, last]
    ends = [word[at:] for at in range(_LEAST_REST, len(word) - _LEAST_PART + 1) if word[:at] not in _PREFIXES]
    begins = [word[:at] for at in range(len(word) - _LEAST_REST, _LEAST_PART - 1, -1) if _is_noun(word[at:])]
    return [one for one in (*ends, *begins) if one in known][:1]


def _is_noun(rest: str) -> bool:
    """Return whether the rest of a compound may be a word, after the letter that joins it to the first one."""
    plain = rest.removeprefix("s") if len(rest) > _LEAST_REST + 1 else rest
    return len(plain) > _LEAST_REST and rest not in _SUFFIXES and plain not in _SUFFIXES
