"""Writes a DyGram document in its canonical layout: one statement a line, two blanks for each pair of braces, `"`
around texts, a `;` after each statement without a block.

It keeps the order of the statements, one blank line where some stand between two, the breaks inside of texts, and all
comments: those inside of a statement move before it. Braces stay in one line where they were and still fit.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.authoring.dygram.scanner import KEYWORDS, Comment
from turnwise.authoring.dygram.syntax import (
    Annotation,
    Array,
    Attribute,
    Attributes,
    Block,
    Document,
    Edge,
    Import,
    Item,
    LabelPart,
    Layout,
    Machine,
    Node,
    Parameter,
    Scalar,
    Segment,
    Setting,
    TypeName,
    Value,
)
from turnwise.flow.late_pattern import late_pattern

WIDTH = 100
"""How long a line may be, in characters."""
_INDENT = "  "
_NAME = late_pattern(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_OPENINGS = {"->": "-", "-->": "--", "=>": "="}
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f", "\v": "\\v"}


def format_document(document: Document) -> str:
    """Return a document in the canonical layout; reading it again gives the same document."""
    lines: list[str] = []
    for one in document.imports:
        _put(lines, one.layout, _import(one), "")
    if document.machine is not None:
        _put(lines, document.machine.layout, _machine(document.machine), "")
    _items(lines, document.items, "")
    _comments(lines, document.comments, "")
    return "\n".join(lines) + "\n" if lines else ""


# statements ------------------------------------------------------------------------------------


def _put(lines: list[str], layout: Layout, text: str, pad: str) -> None:
    """Add a statement with its comments."""
    if layout.before:
        _comments(lines, layout.before, pad)
    elif layout.gap and lines and lines[-1] != "":
        lines.append("")
    after = "".join(f" {comment.text.rstrip()}" for comment in layout.after)
    lines.append(f"{pad}{text}{after}")


def _comments(lines: list[str], comments: Sequence[Comment], pad: str) -> None:
    for comment in comments:
        if comment.gap and lines and lines[-1] != "":
            lines.append("")
        lines.append(f"{pad}{comment.text.rstrip()}")


def _items(lines: list[str], items: Sequence[Item], pad: str) -> None:
    for item in items:
        match item:
            case Edge():
                text = _edge(item, pad)
            case Node():
                text = _node(item, pad)
            case Attribute():
                text = _attribute(item, pad)
        _put(lines, item.layout, text, pad)


def _import(one: Import) -> str:
    names = [f"{name.name.text} as {name.alias.text}" if name.alias else name.name.text for name in one.names]
    return f"import {{ {', '.join(names)} }} from {_scalar(one.source)};"


def _machine(machine: Machine) -> str:
    text = " ".join(["machine", _scalar(machine.title), *map(_annotation, machine.annotations)])
    return f"{text};" if machine.attributes is None else f"{text} {_braces(machine.attributes, '', len(text) + 1)}"


def _node(node: Node, pad: str) -> str:
    words = [node.type.text] if node.type is not None else []
    words.append(node.name.text)
    if node.title is not None:
        words.append(_scalar(node.title))
    text = " ".join([*words, *map(_annotation, node.annotations)])
    return f"{text};" if node.body is None else f"{text} {_braces(node.body, pad, len(pad) + len(text) + 1)}"


def _edge(edge: Edge, pad: str) -> str:
    text = ", ".join(one.text for one in edge.sources) + "".join(map(_segment, edge.segments))
    if edge.attributes is None:
        return f"{text};"
    return f"{text} {_braces(edge.attributes, pad, len(pad) + len(text) + 1)}"


def _segment(segment: Segment) -> str:
    words = [_scalar(segment.source_multiplicity)] if segment.source_multiplicity is not None else []
    words.append(_arrow(segment))
    if segment.target_multiplicity is not None:
        words.append(_scalar(segment.target_multiplicity))
    return f" {' '.join(words)} {', '.join(one.text for one in segment.targets)}"


def _arrow(segment: Segment) -> str:
    """Return an arrow with its label. `o` before `-->` would be another arrow, and two `-` are one sign."""
    if not segment.label:
        return segment.arrow
    label = _part(segment.label[0])
    for before, part in zip(segment.label, segment.label[1:], strict=False):
        are_words = isinstance(before, Scalar) and isinstance(part, Scalar)
        label += f"{' ' if are_words else ', '}{_part(part)}"
    is_joined = label.endswith("o") and not label[-2:-1].isalnum() and label[-2:-1] != "_"
    opening = _OPENINGS[segment.arrow]
    return f"{opening}{' ' if label.startswith('-') else ''}{label}{' ' if is_joined else ''}{segment.arrow}"


def _part(part: LabelPart) -> str:
    match part:
        case Annotation():
            return _annotation(part)
        case Setting():
            return f"{part.name.text}: {_scalar(part.value)}"
        case Scalar():
            return _scalar(part)


def _annotation(annotation: Annotation) -> str:
    given = ""
    if annotation.value is not None:
        given = f"({_scalar(annotation.value)})"
    elif annotation.parameters:
        is_bare = len(annotation.parameters) == 1 and annotation.parameters[0].value is None
        given = f"({'; '.join(map(_parameter, annotation.parameters))}{';' if is_bare else ''})"
    return f"@{annotation.name.text}{given}"


def _parameter(parameter: Parameter) -> str:
    return parameter.name.text if parameter.value is None else f"{parameter.name.text}: {_scalar(parameter.value)}"


# values ----------------------------------------------------------------------------------------


def _attribute(attribute: Attribute, pad: str) -> str:
    text = _key(attribute)
    if attribute.value is not None:
        text += _value(attribute.value, pad, len(pad) + len(text))
    return f"{text};"


def _key(attribute: Attribute) -> str:
    """Return what stands before the value of an attribute."""
    name = attribute.name.text
    text = name if _NAME.fullmatch(name) and KEYWORDS.isdisjoint(name.split(".")) else f'"{_escaped(name)}"'
    text += f"<{_type(attribute.type)}>" if attribute.type is not None else ""
    return text if attribute.value is None else f"{text}: "


def _type(type_: TypeName) -> str:
    if type_.union:
        return " | ".join(map(_scalar, type_.union))
    of = f"<{', '.join(map(_type, type_.of))}>" if type_.of else ""
    return f"{type_.name}{of}{'?' if type_.is_optional else ''}"


def _value(value: Value, pad: str, column: int) -> str:
    """Return a value that begins at a column of its line, which is indented by `pad`."""
    match value:
        case Scalar():
            return _scalar(value)
        case Array(items):
            inline = _inline(value)
            if inline and _fits(inline, column):
                return inline
            inner = pad + _INDENT
            lines = [f"{inner}{_value(item, inner, len(inner))}" for item in items]
            return "[\n" + ",\n".join(lines) + f"\n{pad}]"
        case Attributes():
            return _braces(value, pad, column)


def _braces(block: Attributes | Block, pad: str, column: int) -> str:
    """Return attributes or statements in braces, in one line where they stood in one and fit there."""
    if not block.items and not block.comments:
        return "{}"
    inner = pad + _INDENT
    inline = _inline(block)
    if inline and _fits(inline, column):
        return inline
    lines: list[str] = [""]
    _items(lines, block.items, inner)
    _comments(lines, block.comments, inner)
    return "{" + "\n".join(lines) + f"\n{pad}}}"


def _inline(value: Value | Block) -> str:
    """Return a value or braces in one line; empty where they are not written so, or are longer than a line."""
    if isinstance(value, Scalar):
        return _scalar(value)
    if isinstance(value, Array):
        parts = [_inline(item) for item in value.items]
        text = f"[{', '.join(parts)}]"
    elif not value.items and not value.comments:
        return "{}"
    elif not value.is_inline or _has_comments(value):
        return ""
    else:
        parts = [_inline_item(item) for item in value.items]
        text = f"{{ {' '.join(parts)} }}"
    return text if all(parts) and _fits(text, 0) else ""


def _inline_item(item: Item) -> str:
    """Return an attribute in one line; empty for any other statement."""
    if not isinstance(item, Attribute):
        return ""
    value = _inline(item.value) if item.value is not None else ""
    return f"{_key(item)}{value};" if value or item.value is None else ""


def _has_comments(block: Attributes | Block) -> bool:
    return bool(block.comments) or any(item.layout.before or item.layout.after for item in block.items)


def _fits(text: str, column: int) -> bool:
    return "\n" not in text and column + len(text) <= WIDTH


def _scalar(scalar: Scalar) -> str:
    """Return a single value: a string as it was written, in double quotes if these need nothing else."""
    if scalar.kind != "string":
        return scalar.written or (repr(scalar.value) if scalar.kind == "number" else str(scalar.value))
    written = scalar.written
    if written.startswith('"'):
        return written
    if written and ('"' in written or "\\" in written):
        return written
    return f'"{written[1:-1]}"' if written else f'"{_escaped(str(scalar.value))}"'


def _escaped(text: str) -> str:
    return "".join([_ESCAPES.get(character) or _control(character) for character in text])


def _control(character: str) -> str:
    """Return a character, as its code where it is none that a document may hold."""
    return f"\\u{ord(character):04x}" if character < " " or "\ud800" <= character <= "\udfff" else character
