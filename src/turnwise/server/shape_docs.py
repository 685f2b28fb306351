"""Descriptions of the attributes of shapes, for the OpenAPI document: the string below an attribute in its source."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from inspect import getsource
from itertools import pairwise
from typing import Any, get_args, get_type_hints


def documented(shapes: Iterable[Any]) -> dict[str, Mapping[str, str]]:
    """Return the attribute descriptions of all classes that some types are made of, by class name and attribute name.
    A class is named as msgspec names its schema: by its name, or with its module where several have that name.
    """
    found: dict[str, Mapping[str, str]] = {}
    seen = set[type]()
    waiting = list(shapes)
    while waiting:
        one = waiting.pop()
        waiting += get_args(one)
        if isinstance(one, type) and one.__module__.startswith("turnwise.") and one not in seen:
            seen.add(one)
            waiting += get_type_hints(one).values()
            found[one.__name__] = found[f"{one.__module__}.{one.__qualname__}"] = attribute_docs(one)
    return found


def attribute_docs(shape: type) -> dict[str, str]:
    """Return the descriptions of a class's attributes, also inherited ones, by attribute name."""
    found: dict[str, str] = {}
    for one in reversed(shape.__mro__):
        if one.__module__.startswith("turnwise."):
            found |= _of_module(one.__module__).get(one.__name__, {})
    return found


@cache
def _of_module(name: str) -> Mapping[str, Mapping[str, str]]:
    try:
        tree = ast.parse(getsource(sys.modules[name]))
    except OSError:  # installed without its source
        return {}
    return {one.name: dict(_of_class(one)) for one in tree.body if isinstance(one, ast.ClassDef)}


def _of_class(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for one, below in pairwise(node.body):
        match one, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, " ".join(text.split())
            case _:
                pass
