"""Each report of the DyGram compiler is pinned by a document: without it, or where its condition is turned round, the
diagnostics of some document differ.

The mutants are made from the syntax trees of `authoring/dygram/compile/`, and run in this process.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest

from authoring.test_dygram_mutants import DOCUMENTS, MODULES, expected, outcome

LIMITS = "TW005"
"""The code of the limits, which `test_dygram_properties` reaches: documents that do are too long to stand beside the others."""


class Mutant(NamedTuple):
    """A report of the compiler that is left out, or the `if` right around one, turned round."""

    module: ModuleType
    line: int
    kind: str
    code: str

    @property
    def name(self) -> str:
        return f"{self.module.__name__.rpartition('.')[2]}.{self.code}.line {self.line}: {self.kind}"


def code_of_report(node: ast.AST) -> str:
    """The code of a statement that reports a problem, empty for any other."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        call = node.value
        if isinstance(call.func, ast.Attribute) and call.func.attr == "report":
            first = call.args[0]
            return str(first.value) if isinstance(first, ast.Constant) else "?"
    return ""


def mutants() -> Iterator[Mutant]:
    for module in MODULES:
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if (code := code_of_report(node)) and code != LIMITS:
                yield Mutant(module, node.lineno, "left out", code)
            if isinstance(node, ast.If):
                codes = [code for one in node.body if (code := code_of_report(one))]
                if codes and codes[0] != LIMITS:
                    yield Mutant(module, node.lineno, "turned round", codes[0])


class _Mutating(ast.NodeTransformer):
    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        is_it = self.mutant.kind == "left out" and node.lineno == self.mutant.line and code_of_report(node)
        return ast.copy_location(ast.Pass(), node) if is_it else node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if self.mutant.kind == "turned round" and node.lineno == self.mutant.line:
            node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
        return node


def codes_in(code: CodeType) -> dict[str, CodeType]:
    """The code of every function of a module, by its qualified name."""
    found: dict[str, CodeType] = {}
    for one in code.co_consts:
        if isinstance(one, CodeType):
            found |= {one.co_qualname: one, **codes_in(one)}
    return found


def functions_of(module: ModuleType) -> Iterator[FunctionType]:
    for value in vars(module).values():
        members: list[Any] = list(vars(value).values()) if isinstance(value, type) else [value]
        for one in members:
            function = one.fget if isinstance(one, property) else one
            if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                yield function


@contextmanager
def running(mutant: Mutant) -> Iterator[None]:
    """Give the functions of a module the code that they have in a mutant."""
    tree = ast.fix_missing_locations(_Mutating(mutant).visit(ast.parse(inspect.getsource(mutant.module))))
    file = mutant.module.__file__ or ""
    codes = codes_in(compile(tree, file, "exec", flags=0, dont_inherit=True))
    before = {one: one.__code__ for one in functions_of(mutant.module)}
    try:
        for function, own in before.items():
            other = codes.get(own.co_qualname)
            if other is not None and other.co_freevars == own.co_freevars:
                function.__code__ = other
        yield
    finally:
        for function, own in before.items():
            function.__code__ = own


def is_noticed(code: str) -> bool:
    """Whether some document comes out otherwise; those with this diagnostic are tried first."""
    known = expected()
    for path in sorted(DOCUMENTS, key=lambda path: code not in known[path]):
        try:
            if outcome(path) != known[path]:
                return True
        except Exception:  # noqa: BLE001  a compiler that fails is noticed too
            return True
    return False


@pytest.mark.parametrize("mutant", [*mutants()], ids=lambda mutant: mutant.name)
def test_a_report_that_is_left_out_or_turned_round_is_noticed(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    expected()
    monkeypatch.chdir(DOCUMENTS[0].parent)
    with running(mutant):
        assert is_noticed(mutant.code), "no document needs this report, or shows where it must not be"


def test_there_are_as_many_mutants_as_reports() -> None:
    sources = "".join(inspect.getsource(module) for module in MODULES)
    limits = sources.count(f'.report("{LIMITS}"')
    assert sum(mutant.kind == "left out" for mutant in mutants()) == sources.count(".report(") - limits
