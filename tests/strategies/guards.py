"""Random guard trees, in the one form in which the parser gives them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies.texts import texts
from turnwise.flow.guard import Expression
from turnwise.flow.guard.syntax import (
    Binary,
    Call,
    Conditional,
    Literal,
    Logic,
    Minus,
    Name,
    Not,
    Select,
    Sequence,
)

_KEPT = {"true", "false", "null", "in", "map", "exists_one", "type", "dyn", "bytes", "uint"}

words = st.one_of(
    st.sampled_from(["user", "age", "b", "r", "br", "has", "size", "e5", "x1F", "_", "and", "or", "not"]),
    st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,6}", fullmatch=True),
).filter(lambda word: word not in _KEPT)
literals = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    texts,
).map(Literal)
leaves: SearchStrategy[Expression] = literals | words.map(Name)


def _is_number(tree: Expression) -> bool:
    return isinstance(tree, Literal) and isinstance(tree.value, int | float) and not isinstance(tree.value, bool)


def _logic(parts: tuple[str, list[Expression]]) -> Expression:
    """Parts that are the same operation already are taken in, as the parser does."""
    op, given = parts
    flat: list[Expression] = []
    for part in given:
        flat += part.parts if isinstance(part, Logic) and part.op == op else [part]
    return Logic(op, tuple(flat))


def _grown(inner: SearchStrategy[Any]) -> SearchStrategy[Expression]:
    some = st.lists(inner, max_size=3).map(tuple)
    named = st.lists(st.tuples(words, inner), max_size=2).map(tuple)
    operators = st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "%"])
    return st.one_of(
        st.builds(Select, inner, words | st.sampled_from(["in", "true", "null"])),
        st.builds(Call, words, some, st.none() | inner, named),
        st.builds(Sequence, some),
        st.builds(Not, inner),
        st.builds(Minus, inner.filter(lambda tree: not _is_number(tree))),
        st.builds(Binary, operators, inner, inner),
        st.tuples(st.sampled_from(["&&", "||"]), st.lists(inner, min_size=2, max_size=3)).map(_logic),
        st.builds(Conditional, inner, inner, inner),
    )


trees: SearchStrategy[Expression] = st.recursive(leaves, _grown, max_leaves=12)
"""Any guard."""
