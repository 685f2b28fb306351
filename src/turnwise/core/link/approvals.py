"""Linking of approval questions: the `ask` of a tool, which reads the arguments of the call by name, and records."""

from __future__ import annotations

from copy import copy

from msgspec.structs import replace

from turnwise.core.guards.scope import Root
from turnwise.core.guards.types import CONVERTERS, type_of
from turnwise.core.link.builder import Builder
from turnwise.core.template import LinkedExpression
from turnwise.core.toolbox import ApprovalQuestion, LinkedTool, QuestionPart
from turnwise.core.values import REDACTED
from turnwise.flow.guard.syntax import Name, walk
from turnwise.flow.template import TemplateExpression


def link_approvals(builder: Builder) -> None:
    """Compile the approval question (`ask`) of every tool; report unknown placeholders."""
    for name, tool in builder.tools.items():
        if tool.tool.ask:
            builder.tools[name] = replace(tool, ask=_question(builder, tool))


def _question(builder: Builder, tool: LinkedTool) -> ApprovalQuestion:
    reader = copy(builder)  # with the same diagnostics, and the arguments as further names
    roots = {
        name: Root(type_of(arg), lambda _state: None, CONVERTERS.get(type_of(arg))) for name, arg in tool.args.items()
    }
    reader.text_names = replace(builder.names, roots=roots)
    parts = reader.parts_with_holes(tool.tool.ask, tool.tool.span.of("ask"), is_said=False)
    return ApprovalQuestion(tuple([_part(tool, *pair) for pair in parts]))


def _part(tool: LinkedTool, part: str | LinkedExpression, hole: TemplateExpression | None) -> QuestionPart:
    """Return a part of the question with the arguments that it reads; one that reads a secret argument is redacted."""
    if isinstance(part, str) or hole is None:
        return QuestionPart(part if isinstance(part, str) else part.fill)
    parts = walk(hole.expression)
    reads = tuple(dict.fromkeys(one.name for one in parts if isinstance(one, Name) and one.name in tool.args))
    if any(tool.args[name].secret for name in reads):
        return QuestionPart(lambda _env: REDACTED, reads)
    return QuestionPart(part.fill, reads, is_value=len(parts) == 1 and bool(reads))
