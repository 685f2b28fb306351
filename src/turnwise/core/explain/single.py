"""The verdict of one guard on some values: for trying a rule out, and for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from turnwise.core.explain.given import fields_of, given_roots, stored_values
from turnwise.core.explain.needs import NeedsPlan
from turnwise.core.explain.tree import plan
from turnwise.core.guards.compile import Compiler
from turnwise.core.guards.env import Env, Recorded
from turnwise.core.guards.scope import Names
from turnwise.core.language import language_of
from turnwise.core.state import FieldValue
from turnwise.core.trace import Need, Verdict, VerdictKind
from turnwise.core.values import Rules
from turnwise.errors import WrongArgument
from turnwise.flow.guard import parse


class Judged(Struct, frozen=True):
    """Whether a guard is held, its tree, the fields that are missing, and what would make it hold."""

    verdict: VerdictKind
    tree: Verdict
    missing: tuple[str, ...]
    needs: tuple[tuple[Need, ...], ...]
    in_words: tuple[str, ...]

    @property
    def held(self) -> bool:
        """True if the guard is held."""
        return self.verdict == "held"


def judge(guard: str, values: Mapping[str, Mapping[str, Any]], roots: Mapping[str, Any] | None = None) -> Judged:
    """Judge a guard on values by record and field; `roots` gives `message.text`, `turns` and the like.

    Types follow from the values, those of fields without one from their use; such a field is missing. A text
    that is a day or a moment is one where it is only compared with others. Raises `GuardError` for a guard
    that cannot be read and a root that is none, `WrongArgument` for what is no value.
    """
    if not isinstance(guard, str):  # pyright: ignore[reportUnnecessaryIsInstance]  who calls may not check types
        raise WrongArgument("guard", guard, "the text of a guard")
    expression = parse(guard)
    stored = stored_values(values)
    names = Names(fields_of(values, stored, expression), {}, is_open=True)
    compiler = Compiler(names)
    test = compiler.condition(expression)
    fields = {f"{record}.{name}": FieldValue(value, "supposed", 0, 0) for (record, name), value in stored.items()}
    env = Env(fields, Recorded(given_roots(roots or {}, names)))
    kinds: list[VerdictKind] = []
    how = plan(expression, names)
    tree = how.tell(env, kinds)
    needs_plan = NeedsPlan(how, test, Rules(language_of("en")))
    missing = needs_plan.missing(tree)
    needs, in_words = ((), ()) if tree.verdict == "held" else needs_plan.tell(env, tuple(kinds))
    return Judged(tree.verdict, tree, missing, needs, in_words)
