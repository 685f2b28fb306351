"""The OpenAPI document, made from the declarations of the operations and the structs that they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import NODEFAULT
from msgspec.json import schema_components
from msgspec.structs import fields

from turnwise import __version__
from turnwise.server.operation import Operation
from turnwise.server.shape_docs import documented
from turnwise.server.wire.requests import Problem

_REF = "#/components/schemas/{name}"
_ALWAYS = (400, 421, 429, 500, 503)
_WITH_KEY = (401, 403)
_TEXTS = {
    400: "The request cannot be read.",
    401: "A valid key or a login is needed.",
    403: "The key or the login lacks a scope, or the request comes from another origin.",
    404: "There is no such thing, or it belongs to another owner.",
    405: "The address does not take this method.",
    409: "It does not fit the present state.",
    413: "The body is larger than a limit.",
    415: "The body has another media type.",
    421: "The request is for another host.",
    422: "A value is wrong; `errors` has all of them.",
    429: "A limit is exceeded; `limit` is its name.",
    500: "The server has failed.",
    503: "The store cannot be used now, or the server is about to stop.",
}


def statuses(operation: Operation) -> tuple[int, ...]:
    """Return the HTTP statuses of all errors with which an operation may answer."""
    found = {*_ALWAYS, *operation.errors, *(_WITH_KEY if operation.scope else (403,))}
    found |= {404} if "{" in operation.path else set()
    found |= {422} if operation.query is not None or operation.body is not None or "{" in operation.path else set()
    found |= {413} if operation.method in ("POST", "PUT", "PATCH") else set()
    found |= {415} if operation.body is not None else set()
    return tuple(sorted(found))


def document(operations: Iterable[Operation], prefix: str, also: Iterable[Any] = ()) -> dict[str, Any]:
    """Return the OpenAPI document of some operations as JSON data; their paths begin with `prefix`.
    `also` are shapes that no operation names.
    """
    known = tuple(operations)
    shapes = [shape for one in known for shape in (one.answer, one.body, one.query) if shape is not None]
    shapes += [Problem, *(shape for one in known for shape in one.events.values()), *also]
    schemas, components = _schemas(list(dict.fromkeys(shapes)))
    by_shape = dict(zip(dict.fromkeys(shapes), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for one in known:
        paths.setdefault(prefix + one.path, {})[one.method.lower()] = _operation(one, by_shape)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "turnwise",
            "version": __version__,
            "description": "Structured conversations that can always say why. Errors are problem details (RFC 9457).",
        },
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(one: Operation, shapes: dict[Any, Any]) -> dict[str, Any]:
    summary, _, rest = one.about.partition("\n\n")
    found: dict[str, Any] = {"operationId": one.name, "summary": re.sub(r"\s+", " ", summary)}
    if rest.strip():
        found["description"] = re.sub(r"\n\s+", "\n", rest.strip())
    if one.scope is not None:
        found["security"] = [{"key": []}, {}]
        found["x-scope"] = one.scope
    parameters = [*_path_parameters(one.path), *_query_parameters(one), *_header_parameters(one)]
    if parameters:
        found["parameters"] = parameters
    if body := _body(one, shapes):
        found["requestBody"] = body
    found["responses"] = _responses(one, shapes)
    return found


def _path_parameters(path: str) -> list[dict[str, Any]]:
    number, text = {"type": "integer", "minimum": 1}, {"type": "string", "minLength": 1}
    return [
        {"name": name, "in": "path", "required": True, "schema": number if name in {"n", "turn"} else text}
        for name in re.findall(r"{(\w+)}", path)
    ]


def _query_parameters(one: Operation) -> list[dict[str, Any]]:
    if one.query is None:
        return []
    _, components = _schemas([one.query])
    properties = components[one.query.__name__]["properties"]
    found: list[dict[str, Any]] = []
    for field in fields(one.query):
        schema = dict(properties[field.encode_name])
        about = {"description": schema.pop("description")} if "description" in schema else {}
        is_needed = field.default is NODEFAULT and field.default_factory is NODEFAULT
        found.append({"name": field.encode_name, "in": "query", "required": is_needed, "schema": schema, **about})
    return found


def _header_parameters(one: Operation) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "header", "required": False, "schema": {"type": "string", **schema}}
        for name, schema in one.headers.items()
    ]


def _body(one: Operation, shapes: dict[Any, Any]) -> dict[str, Any] | None:
    if one.body is not None:
        content: dict[str, Any] = {"schema": _one_of(one) if one.one_of else shapes[one.body]}
        if one.not_both:
            absent = [{"properties": {key: {"type": "null"}}} for key in one.not_both]
            content["schema"] = {"allOf": [shapes[one.body], {"anyOf": absent}]}
        if one.examples:
            content["examples"] = {name: {"value": value} for name, value in one.examples.items()}
        return {"required": True, "content": {"application/json": content}}
    if one.body_type != "application/json":
        return {"required": True, "content": {one.body_type: {"schema": {"type": "string", "format": "binary"}}}}
    return None


def _events(one: Operation, shapes: dict[Any, Any]) -> dict[str, Any]:
    """Return the schema of each event of an event stream: its name, and its data as JSON."""
    return {
        "description": "One event of the stream.",
        "oneOf": [
            {
                "type": "object",
                "properties": {
                    "event": {"const": name},
                    "data": {"type": "string", "contentMediaType": "application/json", "contentSchema": shapes[shape]},
                    "id": {"type": "string"},
                },
                "required": ["event", "data"],
            }
            for name, shape in one.events.items()
        ],
    }


def _one_of(one: Operation) -> dict[str, Any]:
    """Return the schema of a body that has exactly one of some keys, with one object for each of them."""
    _, components = _schemas([one.body])
    schema = components[getattr(one.body, "__name__", "")]
    besides = {key for keys in one.one_of.values() for key in keys}
    cases: list[dict[str, Any]] = []
    for name, keys in one.one_of.items():
        absent = {*one.one_of, *besides} - {name, *keys}
        properties = {
            key: {"type": "null"} if key in absent else _not_null(found) if key == name else found
            for key, found in schema["properties"].items()
        }
        cases.append({**schema, "title": f"{schema['title']}: {name}", "properties": properties, "required": [name]})
    return {"oneOf": cases}


def _not_null(schema: dict[str, Any]) -> dict[str, Any]:
    (found,) = [case for case in schema["anyOf"] if case != {"type": "null"}]
    return found


def _responses(one: Operation, shapes: dict[Any, Any]) -> dict[str, Any]:
    good: dict[str, Any] = {"description": "Done."}
    content = {"application/json": {"schema": shapes[one.answer]}} if one.answer is not None else {}
    content |= {kind: {"schema": {"type": "string"}} for kind in one.also}
    if one.events:
        content["text/event-stream"] = {"schema": _events(one, shapes)}
    if content:
        good["content"] = content
    problem = {"application/problem+json": {"schema": {"$ref": _REF.format(name="Problem")}}}
    errors = {str(status): {"description": _TEXTS[status], "content": problem} for status in statuses(one)}
    return {str(one.status): good, **errors}


def _schemas(shapes: list[Any]) -> tuple[Iterable[dict[str, Any]], dict[str, dict[str, Any]]]:
    """Return the schemas of some types, and those of the classes that they are made of, with their descriptions."""
    schemas, components = schema_components(shapes, ref_template=_REF)
    docs = documented(shapes)
    return schemas, {name: _described(schema, docs.get(name, {})) for name, schema in components.items()}


def _described(schema: dict[str, Any], docs: Mapping[str, str]) -> dict[str, Any]:
    """Return the schema of a class with the first paragraph of its docstring and what its attributes are, each in one
    line.
    """
    found = dict(schema)
    if about := schema.get("description", "").partition("\n\n")[0]:
        found["description"] = re.sub(r"\s+", " ", about)
    if properties := schema.get("properties"):
        found["properties"] = {
            name: {**one, "description": docs[name]} if name in docs else one for name, one in properties.items()
        }
    return found
