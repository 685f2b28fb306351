"""What-if: judge stored decisions again with other values or guards, on a copy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from turnwise.core.explain.guesses import fields_that_reveal_secrets
from turnwise.core.machine import Machine
from turnwise.runner.search import ConversationQuery
from turnwise.server.operation import OperationCall, operation
from turnwise.server.problems import RequestFailed
from turnwise.server.routes.lists import check_cursor
from turnwise.server.views.what_ifs import what_if_of_all, what_if_of_chat
from turnwise.server.wire.requests import Cursor, Fault
from turnwise.server.wire.what_if import WhatIfPage, WhatIfResult

PAGE_CONVERSATIONS = 25
"""How many conversations one request judges again."""


class WhatIfBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The values and guards to suppose in a conversation."""

    turn: int | None = None
    """The number of the turn to judge again; `None` for every turn."""
    values: dict[str, Any] = {}
    """The values to suppose, by field; `null` for no value."""
    rules: dict[str, str] = {}
    """The guards to suppose, by the name of their transition."""


@operation(
    "POST",
    "/conversations/{id}/what-if",
    "debug:read",
    answer=WhatIfResult,
    body=WhatIfBody,
    errors=(409,),
    examples={
        "a value": {"turn": 4, "values": {"user.age": 50}},
        "a guard": {"rules": {"too_young": "user.age < 50"}},
    },
)
async def what_if(call: OperationCall) -> WhatIfResult:
    """Judge decisions again with other values or guards. No model is called, and nothing is stored."""
    question, chat = await call.body(WhatIfBody), await call.chat()
    if not call.may("admin"):
        machine = await chat.runtime.machines.shown_of_state(await chat.state())
        _check_no_secret(machine, question.rules, question.values)
    return await what_if_of_chat(chat, question.turn, question.values, question.rules, is_local=call.identity.is_local)


def _check_no_secret(machine: Machine, rules: Mapping[str, str], values: Iterable[str]) -> None:
    """Refuse guards that name a secret field, or in a flow with secrets the message, whose words may be one, and values
    that the flow compares with a secret: the verdict would reveal its value guess by guess.
    """
    if not machine.has_secrets:
        return
    addresses = {address for address, field in machine.fields.items() if field.secret}
    secret = {"message", *[address.rpartition(".")[2] for address in addresses]}
    faults = [
        Fault(f"/rules/{transition}", f"'{name}' may be a secret; a guard over it needs the scope 'admin'")
        for transition, rule in rules.items()
        for name in re.findall(r"\w+", rule)
        if name in secret
    ]
    faults += [
        Fault(f"/values/{field}", f"the flow compares '{field}' with a secret; another value needs the scope 'admin'")
        for field in fields_that_reveal_secrets(machine, values)
    ]
    if faults:
        raise RequestFailed("invalid", faults[0].message, errors=faults)


class QuestionToAll(Struct, frozen=True, forbid_unknown_fields=True):
    """The values and guards to suppose in the conversations of a flow."""

    values: dict[str, Any] = {}
    """The values to suppose, by field; `null` for no value."""
    rules: dict[str, str] = {}
    """The guards to suppose, by the name of their transition."""
    after: Cursor = ""
    """The cursor `next` of the page before; empty for the first page."""


@operation(
    "POST",
    "/flows/{flow}/what-if",
    "debug:read",
    answer=WhatIfPage,
    body=QuestionToAll,
    errors=(404, 409),
    examples={"a guard": {"rules": {"too_young": "user.age < 50"}}},
)
async def what_if_all(call: OperationCall) -> WhatIfPage:
    """Judge the decisions of a page of a flow's conversations again; those that changed last come first.
    No model is called, and nothing is stored.
    """
    question, app = await call.body(QuestionToAll), call.service.app(call.identity, call.part("flow"))
    if not call.may("admin"):  # of another version it is not checked here which fields are secret
        _check_no_secret(app.machine, question.rules, question.values)
    check_cursor(question.after, "/after")
    prefix = "" if call.may("operator") else call.identity.prefix
    query = ConversationQuery(app.machine.flow.name, prefix=prefix, after=question.after, limit=PAGE_CONVERSATIONS)
    return await what_if_of_all(app, query, question.values, question.rules, all_versions=call.may("admin"))


OPERATIONS = (what_if, what_if_all)
"""The operations of this module, which the server serves."""
