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
"""The largest line, column or length that a request may name."""
Text = Annotated[str, Meta(max_length=MAX_BYTES)]
"""The text of a document."""
Count = Annotated[int, Meta(ge=0, le=MOST_PLACES)]
"""A number of lines or characters."""
Hash = Annotated[str, Meta(extra_json_schema={"pattern": r"^[0-9a-f]{64}(?![\s\S])"})]
"""A SHA-256 in hexadecimal digits."""


class EditedDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """A document of a flow as an author has it: its path, as `GET …/source` names it, and its text."""

    file: str
    """The path of the document, as `GET …/source` names it."""
    text: Text
    """The text in the editor."""


class EditedDocuments(Struct, frozen=True, forbid_unknown_fields=True):
    """The document that an author edits, and other documents with unsaved changes."""

    file: str
    """The path of the edited document."""
    text: Text
    """The text of the edited document in the editor."""
    others: tuple[EditedDocument, ...] = ()
    """Other documents with changes of the author that are not saved."""


class PlaceInText(Struct, frozen=True, forbid_unknown_fields=True):
    """A place in the document that an author edits."""

    file: str
    """The path of the edited document."""
    text: Text
    """The text of the edited document in the editor."""
    line: Count
    """The line, from 0."""
    character: Count
    """The place in its line, in UTF-16 code units from 0."""
    others: tuple[EditedDocument, ...] = ()
    """Other documents with changes of the author that are not saved."""


class NewContent(Struct, frozen=True, forbid_unknown_fields=True):
    """The new text of a document, to be saved."""

    file: str
    """The path of the document."""
    text: Text
    """The text to write."""
    sha256: Hash
    """The SHA-256 of the content that the author has edited; if the file has another content, nothing is written."""


class TextPosition(Struct, frozen=True):
    """A place in a text."""

    line: int
    """The line, from 0."""
    character: int
    """The place in its line, in UTF-16 code units from 0."""


class TextRange(Struct, frozen=True):
    """A part of a text, from one place to another."""

    start: TextPosition
    """The place of the first character of the part."""
    end: TextPosition
    """The place after the last character of the part."""


class RepairView(Struct, frozen=True):
    """A repair of a problem, offered as a button: the part of the text that it replaces, and the new text."""

    title: str
    """The label of the button."""
    range: TextRange
    """The part of the text that is replaced."""
    text: str
    """The text that replaces the part."""


class EditedProblem(Struct, frozen=True):
    """A problem of a text that is edited, with its place and its repairs."""

    code: str
    """The code of the diagnostic, such as `TW041`."""
    severity: Literal["error", "warning"]
    """Whether the problem is an error or a warning."""
    message: str
    """What is wrong, in words."""
    hint: str
    """What to do; empty where nothing is suggested."""
    range: TextRange
    """The part of the text that the problem is about."""
    repairs: tuple[RepairView, ...]
    """The edits that would solve the problem; empty if none is known."""


class CheckedText(Struct, frozen=True):
    """The problems of a document of a flow."""

    file: str
    """The path of the document."""
    problems: tuple[EditedProblem, ...]
    """The problems of the document."""


class CheckedTexts(Struct, frozen=True):
    """The problems of the edited document, and of those that it imports or that import it."""

    files: tuple[CheckedText, ...]
    """The checked documents, each with its problems; a correct document has none."""


class CompletionOffer(Struct, frozen=True):
    """A completion that is offered to an author: the text, what it is, and a line about it."""

    label: str
    """The text that is inserted."""
    kind: OfferKind
    """The kind of thing that the text names: a key, a node, a field."""
    detail: str
    """A line about the thing that the text names."""


class CompletionView(Struct, frozen=True):
    """The completions that are offered for a part of the text."""

    range: TextRange
    """The part of the text that is replaced."""
    offers: tuple[CompletionOffer, ...]
    """The offered completions, best first."""
    is_incomplete: bool
    """True where more completions would fit than are offered."""


class HoverView(Struct, frozen=True):
    """What is known about a name, key or transition in a text, and what stored conversations did there."""

    title: str
    """What the name, key or transition is."""
    lines: tuple[str, ...]
    """What else is known about the name, key or transition, as lines."""
    counts: tuple[str, ...]
    """What stored conversations did there, as lines."""
    range: TextRange
    """The range of the name in the text."""


class FormattedText(Struct, frozen=True):
    """A document in the canonical layout of its format."""

    text: str
    """The whole document."""


class SavedDocument(Struct, frozen=True):
    """A document that was written, and whether the flow was loaded again with it."""

    file: SourceFile
    """The document as it is on disk now, which may be newer than what was written."""
    sha256: str
    """The SHA-256 of the content that was written."""
    fingerprint: str
    """The hash of the flow version that new conversations use now."""
    is_running: bool
    """True if the flow was loaded again; false if errors keep the version before.
    False where the documents have errors: new conversations still begin with the version before."""
    problems: tuple[DiagnosticView, ...] = ()
    """The problems of the documents as they are written."""
