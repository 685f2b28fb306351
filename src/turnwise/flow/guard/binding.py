"""How tightly the operators of guards hold together: one table for who reads guards and who writes them."""

from __future__ import annotations

TERNARY, OR, AND, COMPARISON, SUM, PRODUCT, UNARY, ATOM = range(1, 9)
BINDING = {
    "?": TERNARY,
    "||": OR,
    "&&": AND,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "in"), COMPARISON),
    **dict.fromkeys(("+", "-"), SUM),
    **dict.fromkeys(("*", "/", "%"), PRODUCT),
    **dict.fromkeys((".", "[", "{"), ATOM),
}
"""The operators that stand behind something. Before something, they hold like `UNARY`."""
