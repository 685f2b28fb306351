"""Long guards are read or refused by name; nothing that reads their tree runs out of stack."""

from __future__ import annotations

import pytest

import turnwise as tw
from support.chats import flow_of, problems_of
from turnwise.flow.diagnostic import FlowError
from turnwise.flow.guard.parse import MAX_OPERATORS, GuardError, parse
from turnwise.flow.guard.syntax import text_of

FORMS = {
    "product": lambda n: "turns" + " * 2" * n + " > 0",
    "sum": lambda n: "turns" + " + 2" * n + " > 0",
    "differences": lambda n: "turns" + " - 2" * n + " > 0",
    "comparisons": lambda n: "turns" + " == turns" * n,
    "conditionals": lambda n: "turns > 1 ? true : " * n + "false",
    "not": lambda n: "!" * n + "(turns > 1)",
    "minus": lambda n: "- " * n + "turns > 1",
    "brackets": lambda n: "(" * n + "turns > 1" + ")" * n,
    "lists": lambda n: "1 in " + "[" * n + "1" + "]" * n,
    "calls": lambda n: "size(" * n + "'a'" + ")" * n + " > 0",
    "methods": lambda n: "'a'" + ".lowerAscii()" * n + " == 'a'",
    "members": lambda n: "user" + ".a" * n + " == 1",
    "and": lambda n: "turns > 0" + " && turns > 0" * n,
    "or in and": lambda n: "turns > 0" + " && (turns > 0 || turns > 1)" * n,
    "alternating": lambda n: "(turns > 0 && (turns > 1 || " * n + "turns > 2" + "))" * n,
    "sums in sums": lambda n: "(1 + " * n + "1" + ")" * n + " > turns",
}


@pytest.mark.parametrize("size", [50, 99, 101, 300, 600])
@pytest.mark.parametrize("form", FORMS)
def test_a_long_guard_is_read_or_refused_by_name(form: str, size: int) -> None:
    text = FORMS[form](size)
    try:
        tree = parse(text)
    except GuardError as error:
        assert error.code in ("TW030", "TW033")
        assert str(MAX_OPERATORS) in str(error) or "60 deep" in str(error) or "characters" in str(error)
        return
    assert parse(text_of(tree)) == tree
    assert hash(tree)


def test_flat_guards_may_be_long_and_sums_may_be_of_many() -> None:
    assert parse(FORMS["and"](600))
    assert parse(FORMS["sum"](MAX_OPERATORS - 2))
    with pytest.raises(GuardError, match="100"):
        parse(FORMS["sum"](MAX_OPERATORS))


FLOW = """
flow: long
start: first
records: {{user: {{a: integer, b: {{type: integer, value: "{derived}"}}}}}}
nodes:
  first: {{say: hi, transitions: [{{to: second, when: "{guard}"}}]}}
  second: {{say: there, transitions: [{{to: first, when: "turns > 90"}}]}}
"""
SUM = "user.a" + " + 1" * (MAX_OPERATORS - 3)
DEEPEST = ["turns" + " + 1" * (MAX_OPERATORS - 3) + " > 9000", "!" * 50 + "(turns > 9000)", FORMS["and"](600)]


@pytest.mark.parametrize("guard", DEEPEST)
def test_the_longest_guards_are_checked_run_and_explained(guard: str) -> None:
    flow = flow_of(FLOW.format(guard=guard, derived=SUM))
    assert not [one for one in problems_of(FLOW.format(guard=guard, derived=SUM)) if "TW030" in one]
    with tw.open_sync(flow) as app:
        chat = app.chat("c")
        chat.say("hello")
        turn = chat.say("again")
        assert turn.node
        list(turn.debug_events)
        assert str(chat.why("second"))
        assert chat.what_if(rules={"to_second": guard})


@pytest.mark.parametrize("guard", ["turns" + " * 2" * 300 + " > 0", "turns" + " + 1" * 2000 + " > 0"])
def test_a_guard_that_is_too_long_is_one_error_of_the_document(guard: str) -> None:
    for text in (
        FLOW.format(guard=guard, derived="user.a"),
        FLOW.format(guard="true", derived=guard.partition(">")[0]),
    ):
        assert [one[:5] for one in problems_of(text)] == ["TW030"]
    with tw.open_sync(flow_of(FLOW.format(guard="turns > 1", derived="user.a"))) as app:
        chat = app.chat("c")
        chat.say("hello")
        with pytest.raises(FlowError, match="TW030"):
            chat.what_if(rules={"to_second": guard})
