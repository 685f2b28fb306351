"""The mutants fit the sources, and every law that holds has one; `run.py` tells whether they are caught."""

from __future__ import annotations

import ast
from functools import cache

import pytest
from catalogue import LAWS, ROOT, Mutant, files_of_laws, mutants

_EACH = [pytest.param(mutant, id=mutant.name) for mutant in mutants()]


@cache
def _tree(file: str) -> str:
    """The syntax tree of a file as text; several mutants break one file."""
    return ast.dump(ast.parse((ROOT / file).read_text("utf-8")))


@pytest.mark.parametrize("mutant", _EACH)
def test_a_mutant_fits_and_says_what_it_breaks(mutant: Mutant) -> None:
    assert mutant.name.startswith(f"law-{mutant.law.replace('.', '-')}-")
    assert mutant.file.startswith("src/turnwise/")
    assert mutant.why
    assert ast.dump(ast.parse(mutant.patched())) != _tree(mutant.file)


@pytest.mark.parametrize("law", LAWS)
def test_every_law_has_a_test_and_a_mutant(law: str) -> None:
    assert files_of_laws().get(law), "no test names it"
    assert any(mutant.law == law for mutant in mutants())


def test_every_mutant_breaks_a_law_that_holds() -> None:
    assert {mutant.law for mutant in mutants()} <= {*LAWS}
