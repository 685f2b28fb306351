"""Makes the records of a flow from the contexts of a DyGram document: each attribute is a field, with a type and a
default. A list may hold objects.
"""

from __future__ import annotations

from turnwise.authoring.dygram.compile.names import Declared, World
from turnwise.authoring.dygram.compile.placed import Output, Pair
from turnwise.authoring.dygram.syntax import Array, Attribute, Attributes, Scalar, TypeName, Value
from turnwise.flow import located
from turnwise.flow.model.words import INPUT

TYPES = {
    "string": "string",
    "text": "string",
    "uuid": "string",
    "url": "string",
    "number": "number",
    "float": "number",
    "integer": "integer",
    "int": "integer",
    "boolean": "boolean",
    "bool": "boolean",
    "date": "datetime",
    "day": "date",
    "datetime": "datetime",
    "time": "time",
    "duration": "duration",
    "email": "email",
    "phone": "phone",
}
"""The types of fields by the names of types, in lower case. A Date of DyGram has a time and a zone."""
PATTERNS = {
    "uuid": "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
    "url": r"[A-Za-z][A-Za-z0-9+.-]*://\S+",
}
"""The patterns of types that are texts of a fixed form, by type: a UUID's 32 digits in groups; an address with a
scheme."""
LISTS = ("list", "array")
"""Names of types that are lists."""
TRANSPARENT = ("optional", "promise", "result")
"""Names of types that stand for the type inside of them."""
CONSTANTS = {"True": "true", "False": "false", **dict.fromkeys(("None", "nil", "undefined"), "null")}
"""Constants as other languages write them, each with the constant of this language."""
_KNOWN = "string, number, Integer, boolean, Date, Duration, a list of these, or 'a' | 'b'"


def record_of(world: World, context: Declared) -> Pair:
    """Return the record of the flow for a context, or for a type of list items, of the DyGram document that `world`
    holds.
    """
    output = world.output
    fields: list[Pair] = []
    for attribute in context.attributes.values():
        field = field_of(world, attribute, context)
        if field is not None:
            fields.append((output.key(attribute.name.text, attribute.name.at), output.pairs(field, attribute.name.at)))
    return output.key(context.name, context.at), output.pairs(fields, context.at)


def field_of(world: World, attribute: Attribute, owner: Declared) -> list[Pair] | None:
    """Return the keys of a field for an attribute of the context `owner`; `None`, and a problem, if no record can have
    such a field. An object as the value of an attribute with a type holds further keys of the field.
    """
    output, at, value = world.output, attribute.name.at, attribute.value
    own: list[Pair] = []
    if isinstance(value, Attributes) and attribute.type is not None:
        own, value = [output.pair(one) for one in value.items], None
    if isinstance(value, Attributes) or (isinstance(value, Scalar) and value.kind == "external"):
        what = "an object" if isinstance(value, Attributes) else f"the reference {value.value}"
        output.report("TW136", f"the field '{attribute.name.text}' holds {what}, which no field can hold", value.at)
        return None
    if attribute.type is None and isinstance(value, Scalar) and value.kind == "word":
        _warn_of_word(output, attribute.name.text, value)
    type_ = _of_value(output, value, at) if attribute.type is None else type_of(world, attribute.type, owner)
    if type_ is None:
        return None
    if owner.kind == "context" and owner.name == INPUT and attribute.type is not None and attribute.type.is_optional:
        own.append(optional_key(output, at))
    given = {key.text for key, _ in own}
    type_ = [one for one in type_ if one[0].text != "pattern" or "pattern" not in given]
    if value is None or (isinstance(value, Scalar) and value.value == "null" and value.kind == "word"):
        return [*type_, *own]
    return [*type_, (output.key("default", at), output.value(value)), *own]


def optional_key(output: Output, at: int) -> Pair:
    """Return the key, with its value, that makes an argument or input optional; `at` is the offset that it is made
    from.
    """
    return output.key("optional", at), output.plain(value=True, at=at)


def _warn_of_word(output: Output, name: str, value: Scalar) -> None:
    """Warn of a word without quotes that looks like a type or a constant, and is a text."""
    word = str(value.value)
    meant_ = CONSTANTS.get(word, "")
    if meant_:
        message = f"'{word}' is a text here, the default of '{name}'"
        output.report("TW133", message, value.at, f'write {meant_}, or "{word}" in quotes')
    elif word.lower() in (*TYPES, *LISTS):
        message = f"'{word}' is a text here, the default of '{name}', and no type"
        output.report("TW133", message, value.at, f'write {name}<{word}> for the type, or "{word}" in quotes')


def _of_value(output: Output, value: Value | None, at: int) -> list[Pair]:
    """Return the type of a field by its default."""
    if isinstance(value, Array):
        first = value.items[0] if value.items else None
        item = _word_of(first) if isinstance(first, Scalar) else "string"
        return [(output.key("type", at), output.text("list", at)), (output.key("of", at), output.text(item, at))]
    word = _word_of(value) if isinstance(value, Scalar) else "string"
    return [(output.key("type", at), output.text(word, at))]


def _word_of(value: Scalar) -> str:
    if value.kind == "number":
        return "number"
    return "boolean" if value.kind == "word" and value.value in ("true", "false") else "string"


def type_of(world: World, type_: TypeName, owner: Declared) -> list[Pair] | None:
    """Return the keys that declare the type of a field of the context `owner`; `None`, and a problem, if no field has
    such a type.
    """
    output, at = world.output, type_.at
    if type_.union:
        options = output.items([output.scalar(one) for one in type_.union], at)
        return [(output.key("type", at), output.text("choice", at)), (output.key("options", at), options)]
    word = type_.name.lower()
    if word == "any":
        return []
    if word in TRANSPARENT and len(type_.of) == 1:
        return type_of(world, type_.of[0], owner)
    if word in LISTS and len(type_.of) <= 1:
        return _list_of(world, type_, owner)
    found = TYPES.get(word)
    if found is not None and not type_.of:
        pattern = [(output.key("pattern", at), output.text(PATTERNS[word], at))] if word in PATTERNS else []
        return [(output.key("type", at), output.text(found, at)), *pattern]
    is_object = _item_of(world, type_, owner) is not None
    hint = f"a list may hold them: List<{type_.name}>" if is_object else f"a field holds {_KNOWN}"
    output.report("TW136", f"no field has the type '{type_.name}'", at, hint)
    return None


def _item_of(world: World, type_: TypeName, owner: Declared) -> Declared | None:
    """Return the type or context whose objects have a type, `None` where no node declares it."""
    found = [one for one in world.find(type_.name, owner) if one.kind in ("type", "context")]
    return found[0] if found and not type_.of else None


def _list_of(world: World, type_: TypeName, owner: Declared) -> list[Pair] | None:
    """Return the keys of a field that holds a list: of values, or of the objects of a type."""
    output = world.output
    pairs: list[Pair] = [(output.key("type", type_.at), output.text("list", type_.at))]
    if not type_.of:
        return pairs
    inner = type_.of[0]
    record = _item_of(world, inner, owner) if inner.name.lower() not in TYPES else None
    if record is not None:
        world.items.add(record.path)
        return [*pairs, (output.key("of", inner.at), output.text(record.name, inner.at))]
    item = type_of(world, inner, owner)
    if item is None:
        return None
    (_, word), *further = item
    if isinstance(word, located.Scalar) and word.text == "list":
        output.report("TW136", "no field holds a list of lists", type_.at, f"a field holds {_KNOWN}")
        return None
    return [*pairs, (output.key("of", type_.at), word), *further]
