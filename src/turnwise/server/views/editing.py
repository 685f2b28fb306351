"""What the server answers about a text that is typed, with places as browsers count them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from turnwise.editor.completion import Completion
from turnwise.editor.navigation import HoverText
from turnwise.editor.problems import Problem
from turnwise.editor.project import Project
from turnwise.editor.repairs import repairs_of
from turnwise.editor.text import EditedText, Span
from turnwise.server.wire.editing import (
    CheckedText,
    CheckedTexts,
    CompletionOffer,
    CompletionView,
    EditedProblem,
    HoverView,
    RepairView,
    TextPosition,
    TextRange,
)


def range_of(text: EditedText, span: Span) -> TextRange:
    """Return the range of a span in a text, as lines and characters from 0."""
    return TextRange(TextPosition(*text.position(span.begin)), TextPosition(*text.position(span.end)))


def checked_texts(project: Project, names: Mapping[str, str], found: Mapping[str, Iterable[Problem]]) -> CheckedTexts:
    """Return the problems that were `found` in documents, by path, with repairs; `names` has the server's path for each
    document.
    """
    return CheckedTexts(tuple(_checked(project, names, found)))


def _checked(
    project: Project, names: Mapping[str, str], found: Mapping[str, Iterable[Problem]]
) -> Iterator[CheckedText]:
    for file, problems in found.items():
        text = project.text_of(file)
        if text is not None:
            name = names.get(file) or os.path.relpath(file)
            yield CheckedText(name, tuple([_problem(one, text) for one in problems]))


def _problem(problem: Problem, text: EditedText) -> EditedProblem:
    found = problem.diagnostic
    repairs = [
        RepairView(one.title, range_of(text, one.span), one.text)
        for one in repairs_of(found, text.text, problem.span.begin)
    ]
    return EditedProblem(
        found.code, found.severity, found.message, found.hint, range_of(text, problem.span), tuple(repairs)
    )


def completion_view(found: Completion, text: EditedText) -> CompletionView:
    """Return completions in the form that clients receive."""
    offers = tuple([CompletionOffer(one.label, one.kind, one.detail) for one in found.offers])
    return CompletionView(range_of(text, found.span), offers, found.is_incomplete)


def hover_view(shown: HoverText | None, counts: list[str], text: EditedText, offset: int) -> HoverView:
    """Return what is known about the name at an offset, as clients receive it; empty where nothing is.
    `counts` are lines about stored conversations.
    """
    if shown is None:
        return HoverView("", (), tuple(counts), range_of(text, Span(offset, offset)))
    title = shown.title.replace("**", "") if not shown.is_code else shown.title
    lines = tuple([one.removeprefix("- ") for one in shown.lines])
    return HoverView(title, lines, tuple(counts), range_of(text, shown.span))
