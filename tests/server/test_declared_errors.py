"""Every error that the code can answer with is declared for its operation, and every declared code is used."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import turnwise.server
from turnwise.server import openapi
from turnwise.server.app import ROUTES
from turnwise.server.operation import Operation
from turnwise.server.problems import _ERRORS, CODES, REFUSALS

FOLDER = Path(turnwise.server.__file__).parent
OPERATIONS = [one for operations in ROUTES for one in operations]
OF_THE_ADDRESS = {"unknown_path", "wrong_method"}
"""Codes of requests that reach no operation."""
SHARED = {"Call", "Service", "Hub", "RateLimit"}
"""The classes whose methods operations call."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def functions() -> dict[str, list[Function]]:
    """Return the functions of the server by name, and the shared methods by their name after a dot."""
    found: dict[str, list[Function]] = defaultdict(list)
    for file in sorted(FOLDER.rglob("*.py")):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, Function):
                found[node.name].append(node)
            elif isinstance(node, ast.ClassDef) and node.name in SHARED:
                for method in node.body:
                    if isinstance(method, Function):
                        found[f".{method.name}"].append(method)
    return found


def raised_in(node: ast.AST) -> Iterator[str]:
    """Yield the codes of the problems that a piece of code makes."""
    for call in ast.walk(node):
        match call:  # in `failed` the code comes from the table of errors
            case ast.Call(func=ast.Name(id="RequestFailed"), args=[ast.Constant(value=str(code)), *_]):
                yield code
            case _:
                pass


def named_in(node: ast.AST) -> Iterator[str]:
    """Yield the names of what a piece of code calls."""
    for one in ast.walk(node):
        match one:
            case ast.Call(func=ast.Name(id=name)):
                yield name
            case ast.Call(func=ast.Attribute(attr=name)):
                yield f".{name}"
            case _:
                pass


def reached_from(handler: str) -> set[str]:
    """Return the codes that a handler may answer with, through all functions that it may call by their names."""
    seen, waiting, codes = set[str](), [handler], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for function in functions().get(name, ()):
            codes.update(raised_in(function))
            waiting += named_in(function)
    return codes


@pytest.mark.parametrize("one", OPERATIONS, ids=lambda one: one.name)
def test_an_operation_declares_every_error_that_its_code_makes(one: Operation) -> None:
    declared = openapi.statuses(one)
    for code in sorted(reached_from(one.name) - OF_THE_ADDRESS):
        assert CODES[code][0] in declared, f"{one.name} may answer {code}, {CODES[code][0]}"


def test_every_code_is_used_and_every_used_code_is_known() -> None:
    made = {code for file in FOLDER.rglob("*.py") for code in raised_in(ast.parse(file.read_text("utf-8")))}
    of_the_library = {code for _, code in _ERRORS}
    assert made | of_the_library | {"internal", "too_many_connections"} == set(CODES)
    statuses = {status for status, _ in CODES.values()} | set(REFUSALS.values())
    assert statuses == set(openapi._TEXTS)
