"""Makes the tools of a flow from the tools of a DyGram document."""

from __future__ import annotations

from turnwise.authoring.dygram.compile.fields import field_of, optional_key
from turnwise.authoring.dygram.compile.names import Declared, World
from turnwise.authoring.dygram.compile.placed import Pair, hint_of_similar
from turnwise.authoring.dygram.syntax import Attribute, Attributes, Scalar, TypeName, Value
from turnwise.flow.located import Located
from turnwise.flow.shapes import SHAPES

NAMES = {"description": "about", "desc": "about"}
"""Keys of a tool by attributes that have another name."""
ARGUMENTS = ("input", "parameters", "input_schema")
"""Attributes that declare the arguments of a tool."""
CODE = ("implementation", "implementation_strategy", "code", "code_path")
"""Attributes that hold code, which a document cannot."""
RESULTS = ("output", "output_schema", "returns", "schema")
"""Attributes that declare the result of a tool."""


def tool_of(world: World, tool: Declared) -> Pair:
    """Return the flow's tool for a tool of the DyGram document that `world` holds."""
    output, known = world.output, SHAPES["Tool"].by_name
    pairs: list[Pair] = []
    if tool.title is not None and not any(name in tool.attributes for name in ("about", *NAMES)):
        pairs.append((output.key("about", tool.title.at), output.scalar(tool.title)))
    for attribute in tool.attributes.values():
        word = attribute.name.text
        name, at = NAMES.get(word, word), attribute.name.at
        if word in ARGUMENTS:
            pairs.append((output.key("args", at), _arguments(world, attribute, tool)))
        elif name in known:
            pairs.append(output.pair(attribute, name))
        elif word in CODE:
            message = f"'{word}' of the tool '{tool.path}' does not run: a document holds no code"
            output.report("TW136", message, at, "supply the function with --python")
        elif word in RESULTS:
            message = f"'{word}' of the tool '{tool.path}' has no effect: results are not checked"
            output.report("TW137", message, at)
        else:
            output.report(
                "TW137", f"'{word}' of the tool '{tool.path}' has no effect", at, hint_of_similar(word, known)
            )
    return output.key(tool.name, tool.at), output.pairs(pairs, tool.at)


def _arguments(world: World, attribute: Attribute, tool: Declared) -> Located:
    """Return the arguments of a tool: `{ day<Date>; size: "number"; }`, or a JSON schema with `properties`."""
    output, value, at = world.output, attribute.value, attribute.name.at
    if not isinstance(value, Attributes):
        output.report("TW136", f"'{attribute.name.text}' holds no attributes, such as {{ day<Date>; }}", at)
        return output.pairs([], at)
    inner = {one.name.text: one.value for one in value.items}
    properties = inner.get("properties")
    if isinstance(properties, Attributes):
        required = _words(inner.get("required"))
        items = [
            (one, [] if one.name.text in required else [optional_key(output, one.name.at)]) for one in properties.items
        ]
        return output.pairs([_argument(world, one, more, tool) for one, more in items], at)
    return output.pairs([_argument(world, one, [], tool) for one in value.items], at)


def _argument(world: World, one: Attribute, further: list[Pair], tool: Declared) -> Pair:
    """Return one argument: a type in angle brackets, the name of a type, or an object with its type."""
    output, at = world.output, one.name.at
    type_, value = one.type, one.value
    more: list[Pair] = list(further)
    if type_ is None and isinstance(value, Attributes):
        inner = {item.name.text: item for item in value.items}
        type_ = _named_type(inner["type"].value) if "type" in inner else None
        if "description" in inner:
            more.append(output.pair(inner["description"], "about"))
        value = None
    elif type_ is None:
        type_, value = _named_type(value), None
    is_optional = type_ is not None and type_.is_optional and not further
    more += [optional_key(output, at)] if is_optional else []
    field = field_of(world, Attribute(one.name, type_, value), tool) or []
    return output.key(one.name.text, at), output.pairs([*field, *more], at)


def _named_type(value: Value | None) -> TypeName | None:
    """Return the type that a text names."""
    if not isinstance(value, Scalar) or value.kind not in ("string", "word"):
        return None
    text = str(value.value)
    return TypeName(text.removesuffix("?"), is_optional=text.endswith("?"), at=value.at)


def _words(value: Value | None) -> set[str]:
    """Return the texts of a list."""
    items = () if value is None or isinstance(value, Scalar | Attributes) else value.items
    return {str(one.value) for one in items if isinstance(one, Scalar)}
