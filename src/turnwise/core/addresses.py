"""Names of the nodes and records inside a scope, with the path of the scope: `survey/ask`, `survey/answers.mood`.

A scope is named as the node that opens it. A scope that is open cannot be opened again, so that one value per address
is enough.
"""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.guards.scope import Names
from turnwise.flow.guard import Expression
from turnwise.flow.guard import syntax as s

ROOT = ""
"""The name of the outermost conversation, as if it were a scope."""


def local_name(address: str) -> str:
    """Return a name as the flow writes it, without the names of the scopes around it."""
    return address.rpartition("/")[2]


def scope_of(address: str) -> str:
    """Return the scope of a node or record by its address; `ROOT` outside of all scopes."""
    return address.rpartition("/")[0]


def addressed(expression: Expression, names: Names, bound: frozenset[str] = frozenset()) -> Expression:
    """Return an expression from inside a scope with full addresses in place of its names, as explanations and checks of
    the whole flow read it. `names` are those of the scope, `bound` the variables of macros around the expression.
    """
    match expression:
        case s.Select(of=s.Name(name=name)) if name in names.places and name not in bound:
            return replace(expression, of=replace(expression.of, name=names.places[name]))
        case s.Call(name="visits", of=None, args=(s.Literal(value=str() as node),)):
            return replace(expression, args=(replace(expression.args[0], value=names.node(node)),))
        case s.Call(name, args, of, named):
            is_macro = name in s.MACROS and of is not None and bool(args)
            more = bound | {args[0].name} if is_macro and isinstance(args[0], s.Name) else bound
            return replace(
                expression,
                args=tuple([addressed(one, names, more) for one in args]),
                of=None if of is None else addressed(of, names, bound),
                named=tuple([(key, addressed(value, names, bound)) for key, value in named]),
            )
        case s.Select(of) | s.Not(of) | s.Minus(of):
            return replace(expression, of=addressed(of, names, bound))
        case s.Sequence(items):
            return replace(expression, items=tuple([addressed(one, names, bound) for one in items]))
        case s.Binary(_, left, right):
            return replace(expression, left=addressed(left, names, bound), right=addressed(right, names, bound))
        case s.Logic(_, parts):
            return replace(expression, parts=tuple([addressed(one, names, bound) for one in parts]))
        case s.Conditional(test, then, other):
            found = [addressed(one, names, bound) for one in (test, then, other)]
            return replace(expression, test=found[0], then=found[1], other=found[2])
        case s.Literal() | s.Name():
            return expression
