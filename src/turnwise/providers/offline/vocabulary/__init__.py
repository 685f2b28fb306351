"""The vocabularies of the offline understander, one per language.

They are tables; a language that is not here is not understood.
"""

from __future__ import annotations

from turnwise.providers.offline.vocabulary import de, en
from turnwise.providers.offline.vocabulary.shape import Vocabulary

VOCABULARIES: dict[str, Vocabulary] = {"en": en.VOCABULARY, "de": de.VOCABULARY}
