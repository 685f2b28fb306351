"""Switches the language of a conversation when the fields that name it change (law 1.7)."""

from __future__ import annotations

from turnwise.core.language import LANGUAGES
from turnwise.core.language.codes import code_or_default, language_code
from turnwise.core.locale import language_named
from turnwise.core.state.events import FieldSet, LanguageChanged, Warned
from turnwise.core.template import LinkedExpression, Template
from turnwise.core.turn import StepBuilder


def follow_language(step: StepBuilder) -> None:
    """Switch to the language that the fields name now; warn operators of an unknown one.
    The warning is in the step that wrote the field.
    """
    speaks = step.machine.speaks
    if speaks is None or step.state.doing is None:
        return
    named = language_named(step.machine, step.state.values)
    if named and not language_code(named) and _is_news(step, speaks):
        known = " and ".join(LANGUAGES)
        step.warn("unknown_language", f"there are no phrases for the language {named[:60]!r}, only for {known}")
    code = code_or_default(named)
    if code != step.state.language:
        step.emit(LanguageChanged(code))
    step.speak()


def _is_news(step: StepBuilder, speaks: Template) -> bool:
    """Return whether this step has written a field that names the language, and not warned of it."""
    read = {name for part in speaks.parts if isinstance(part, LinkedExpression) for name in part.fields}
    events = [entry.event for entry in step.entries]
    is_warned = any(isinstance(one, Warned) and one.code == "unknown_language" for one in events)
    return not is_warned and any(isinstance(one, FieldSet) and one.field in read for one in events)
