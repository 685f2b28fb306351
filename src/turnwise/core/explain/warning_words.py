"""Converts the messages of warnings, which the journal has as texts, to phrases, which can be written in other
languages.
"""

from __future__ import annotations

from turnwise.core.phrase import read_phrase

WARNINGS = (
    "'{node}' said nothing, so the fallback text was sent",
    "{transition} to {target} held, but {node} was entered before in this turn",
    "{transition} to {target} held, but the limit of {limit} moves in a turn was reached",
    "{field} cannot be computed",
    "{field} cannot be computed: {reason}",
    "it was too long for the model, and was shortened to {count} characters",
    "the message came before the open question reached the user, so it does not answer it",
    "a reply of the model was replaced: {reason}",
    "a reply was discarded: {reason}",
    "the summary is longer than {count} characters (summary_chars), so it was cut",
    "the system knows no time zone '{zone}'; UTC counts instead",
    "'{zone}' is no time zone; {hint}",
    "there are no phrases for the language {language}, only for {known}",
    "{call} was not run: {reason}",
    "{text} has a gap: {reason}",
    "no event waits here",
    "{operator} is in charge",
)
"""What the engine warns of in words of its own; other messages come from models, tools and the flow."""


def warning_in_words(message: str) -> str:
    """Return the message of a warning as a phrase, which can be translated, if the engine made it; else unchanged."""
    return next((found for one in WARNINGS if (found := read_phrase(one, message)) is not None), message)
