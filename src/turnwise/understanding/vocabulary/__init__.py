"""The vocabularies of the offline understander, one per language.

They are tables; a language that is not here is not understood.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from turnwise.understanding.vocabulary.shape import Vocabulary

_CODES = ("en", "de")


class _Vocabularies(Mapping[str, Vocabulary]):
    """The vocabularies by language; each is loaded when it is first used, for it takes time."""

    def __getitem__(self, code: str) -> Vocabulary:
        if code not in _CODES:
            raise KeyError(code)
        return import_module(f"{__name__}.{code}").VOCABULARY

    def __contains__(self, code: object) -> bool:
        return code in _CODES

    def __iter__(self) -> Iterator[str]:
        return iter(_CODES)

    def __len__(self) -> int:
        return len(_CODES)


VOCABULARIES: Mapping[str, Vocabulary] = _Vocabularies()
