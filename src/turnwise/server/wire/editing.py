"""Documents that an author edits: their texts, and what the server answers about them while they are typed.

A place in a text counts lines and characters from 0, and characters as units of UTF-16, as browsers and the language
server do.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from turnwise.authoring.source import MAX_BYTES
from turnwise.editor.completion import OfferKind
from turnwise.server.wire.flows import DiagnosticView, SourceFile

MOST_PLACES = 10_000_000
Text = Annotated[str, Meta(max_length=MAX_BYTES)]
"""The text of a document."""
Count = Annotated[int, Meta(ge=0, le=MOST_PLACES)]
"""A number of lines or characters."""
Hash = Annotated[str, Meta(extra_json_schema={"pattern": r"^[0-9a-f]{64}(?![\s\S])"})]
"""A SHA-256 in hexadecimal digits."""


class EditedDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """A document of a flow as an author has it: its path, as `GET …/source` names it, and its text."""

    file: str
    """The path."""
    text: Text
    """The text in the editor."""


class EditedDocuments(Struct, frozen=True, forbid_unknown_fields=True):
    """The document that an author edits."""

    file: str
    """The path of the edited document."""
    text: Text
    """Its text in the editor."""
    others: tuple[EditedDocument, ...] = ()
    """Other documents that the author changed and did not save."""


class PlaceInText(Struct, frozen=True, forbid_unknown_fields=True):
    """A place in the document that an author edits."""

    file: str
    """The path of the edited document."""
    text: Text
    """Its text in the editor."""
    line: Count
    """The line, from 0."""
    character: Count
    """The characters before the place in its line, as UTF-16 code units."""
    others: tuple[EditedDocument, ...] = ()
    """Documents that the author changed too and did not save."""


class NewContent(Struct, frozen=True, forbid_unknown_fields=True):
    """The new text of a document."""

    file: str
    """The path of the document."""
    text: Text
    """The text to write."""
    sha256: Hash
    """The hash of the content that the file still has; with other content it is not written."""


class TextPosition(Struct, frozen=True):
    """A place in a text."""

    line: int
    """The line, from 0."""
    character: int
    """The characters before it in its line, as UTF-16 code units."""


class TextRange(Struct, frozen=True):
    """A part of a text."""

    start: TextPosition
    """Its first character."""
    end: TextPosition
    """The place behind its last character."""


class RepairView(Struct, frozen=True):
    """A repair of a problem: what a button says, the part of the text that it replaces, and the new text."""

    title: str
    """What the button says."""
    range: TextRange
    """The part of the text that is replaced."""
    text: str
    """The new text."""


class EditedProblem(Struct, frozen=True):
    """A problem of a text, the part that it is about, and its repairs."""

    code: str
    """The code of the diagnostic, such as `TW041`."""
    severity: Literal["error", "warning"]
    message: str
    """What is wrong."""
    hint: str
    """What to do; empty where nothing is suggested."""
    range: TextRange
    """The part of the text that it is about."""
    repairs: tuple[RepairView, ...]
    """The edits that would solve it."""


class CheckedText(Struct, frozen=True):
    """The problems of a document of a flow."""

    file: str
    """The path of the document."""
    problems: tuple[EditedProblem, ...]


class CheckedTexts(Struct, frozen=True):
    """The problems of the edited document, and of those that it imports or that import it."""

    files: tuple[CheckedText, ...]
    """Each with its problems; without problems it is correct."""


class CompletionOffer(Struct, frozen=True):
    """What may be written: the text, what it is, and a line about it."""

    label: str
    """The text that is inserted."""
    kind: OfferKind
    """What it is: a key, a node, a field."""
    detail: str
    """A line about it."""


class CompletionView(Struct, frozen=True):
    """What may be written instead of a part of the text."""

    range: TextRange
    """The part of the text that is replaced."""
    offers: tuple[CompletionOffer, ...]
    """What may be written, best first."""
    is_incomplete: bool
    """True where more would fit."""


class HoverView(Struct, frozen=True):
    """What is known about a name, key or transition: what it is, more by line, and what stored conversations did."""

    title: str
    """What it is."""
    lines: tuple[str, ...]
    """What else is known, by line."""
    counts: tuple[str, ...]
    """What stored conversations did with it, by line."""
    range: TextRange
    """The name in the text."""


class FormattedText(Struct, frozen=True):
    """A document in the canonical layout."""

    text: str
    """The whole document."""


class SavedDocument(Struct, frozen=True):
    """A document that was written, and whether the flow was loaded again with it."""

    file: SourceFile
    """The document as it is on disk now, which may be newer than what was written."""
    sha256: str
    """The hash of what was written."""
    fingerprint: str
    """The version of the flow that new conversations use now."""
    is_running: bool
    """True if the flow was loaded again. False where the documents have errors: new conversations still begin with the
    version before.
    """
    problems: tuple[DiagnosticView, ...] = ()
    """The problems of the documents as they are written."""
