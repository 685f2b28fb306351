"""What-if: judge stored decisions again with other values or guards, on a copy."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from turnwise.server.operation import Call, operation
from turnwise.server.views.what_ifs import judged_again
from turnwise.server.wire.trace import WhatIfResult


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """What to suppose: values by field (`null`: none), guards by transition. `turn` is the turn to judge again, by
    default every turn.
    """

    turn: int | None = None
    values: dict[str, Any] = {}
    rules: dict[str, str] = {}


@operation(
    "POST",
    "/conversations/{id}/what-if",
    "debug:read",
    answer=WhatIfResult,
    body=Question,
    errors=(409,),
    examples={
        "a value": {"turn": 4, "values": {"user.age": 50}},
        "a guard": {"rules": {"too_young": "user.age < 50"}},
    },
)
async def what_if(call: Call) -> WhatIfResult:
    """Judge decisions again with other values or guards. No model is called, and nothing is stored."""
    question, chat = await call.body(Question), await call.chat()
    return await judged_again(chat, question.turn, question.values, question.rules)


OPERATIONS = (what_if,)
