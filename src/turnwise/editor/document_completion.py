"""Completes what is being typed in a document of any format."""

from __future__ import annotations

from turnwise.authoring.source import DYGRAM
from turnwise.editor.completion import Completion
from turnwise.editor.dygram_completion import complete_dygram
from turnwise.editor.index import Index
from turnwise.editor.keyed_completion import complete_yaml
from turnwise.editor.project import FLOWS
from turnwise.editor.text import Span

TRIGGERS = (".", "@", ">", "-", ":", " ", '"', "{")
"""The characters after which an editor asks, though no name has begun."""


def complete(index: Index, text: str, file: str, offset: int) -> Completion:
    """Return the completions at a character, the offset `offset`, of a document of any format; the format follows from
    the ending of the name `file`. `index` holds the names of the present or of an earlier text of the document, for the
    present one is often broken.

    A document in YAML or JSON that is no flow has no completions. Nothing is parsed here, so that an answer comes
    before the next key is pressed.
    """
    if file.endswith(DYGRAM):
        return complete_dygram(index, text, offset)
    is_flow = file.endswith(FLOWS) or bool(index.symbols or index.imports)
    if not is_flow:
        nothing = Span(offset, offset)
        return Completion(nothing, [], is_incomplete=False)
    return complete_yaml(index, text, offset)
