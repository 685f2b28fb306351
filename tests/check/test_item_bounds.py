"""Bounds of lists and texts that no value can have, lists without a question, and brackets between braces."""

from __future__ import annotations

import pytest

from turnwise.api.documents import check_text

FLOW = """
flow: shop
start: cart
records:
  pizza: {{size: {{type: choice, options: [Small, Large]}}}}
  order: {{items: {{type: list, of: pizza{bounds}}}, note: {{type: string{text}}}}}
nodes:
  cart:
    form: {{fields: [{{field: order.items{items}}}]}}
"""


def found(bounds: str = "", text: str = "", items: str = "") -> list[tuple[str, str]]:
    flow = FLOW.format(bounds=bounds, text=text, items=items)
    return [(one.code, one.message) for one in check_text(flow.encode(), "flow.yaml") if one.severity == "error"]


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        (", min: -1", "'min' of 'items' counts items, and -1 is no number of them"),
        (", max: -2", "'max' of 'items' counts items, and -2 is no number of them"),
        (", max: 0", "'items' can never have a value: it has at most 0 items"),
        (", min: 1.5", "'min' of 'items' counts items, and 1.5 is no number of them"),
        (", min: 3, max: 2", "no value is both at least 3 and at most 2"),
    ],
)
def test_a_list_that_can_never_be_filled_is_an_error(bounds: str, message: str) -> None:
    assert found(bounds=bounds) == [("TW042", message)]


def test_a_text_that_can_never_have_a_value_is_an_error() -> None:
    assert found(text=", max: 0") == [("TW042", "'note' can never have a value: it has at most 0 characters")]


@pytest.mark.parametrize("bounds", [", min: 0", ", max: 1", ", min: 2, max: 2", ", min: 2.0"])
def test_bounds_that_a_list_can_have_are_none(bounds: str) -> None:
    assert found(bounds=bounds) == []


def test_items_without_a_question_is_an_error() -> None:
    [(code, message)] = found(items=", items: []")
    assert code == "TW124"
    assert "asks for no field of an item of 'order.items'" in message


@pytest.mark.parametrize(
    ("guard", "quote"), [('order.items[0].size == "Large"', "'"), ("size(order.items[0].tags) > 1", '"')]
)
def test_an_expression_with_a_bracket_between_braces_must_be_quoted(guard: str, quote: str) -> None:
    flow = f"flow: a\nstart: b\nnodes:\n  b: {{say: hi, transitions: [{{when: {guard}, to: b}}]}}\n"
    [one] = check_text(flow.encode(), "flow.yaml")
    assert (one.code, one.span.line) == ("TW003", 4)
    assert one.message == "the text of 'when' has a '[' in it, which begins a list between '{' and '}'"
    assert one.hint == f"an expression with '[' needs quotes there: when: {quote}…{quote}"


def warnings(bounds: str = "", text: str = "", items: str = "", limits: str = "") -> list[tuple[str, str]]:
    flow = f"{FLOW.format(bounds=bounds, text=text, items=items)}{limits}"
    return [(one.code, one.message) for one in check_text(flow.encode(), "flow.yaml") if one.code in ("TW119", "TW141")]


@pytest.mark.parametrize(
    ("bounds", "limits", "message"),
    [
        (", min: 300", "", "it needs 300 items, and limits.lists allows 200"),
        (", min: 6", "limits: {lists: 5}", "it needs 6 items, and limits.lists allows 5"),
        (", min: 3", "limits: {list_bytes: 24}", "it needs 3 items, and limits.list_bytes allows 2"),
    ],
)
def test_a_list_that_a_limit_keeps_from_being_filled_is_an_error(bounds: str, limits: str, message: str) -> None:
    flow = f"{FLOW.format(bounds=bounds, text='', items='')}{limits}"
    errors = [one.message for one in check_text(flow.encode(), "flow.yaml") if one.severity == "error"]
    assert errors == [f"'items' can never have a value: {message}"]


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ("", [("TW119", "'order.items' never has 100000 items: limits.lists allows 200")]),
        (
            "limits: {lists: 100000}",
            [("TW119", "'order.items' never has 100000 items: limits.list_bytes allows 21,845")],
        ),
        ("limits: {lists: 100000, list_bytes: 1200000}", []),
    ],
)
def test_a_bound_that_no_list_reaches_is_a_warning(limits: str, expected: list[tuple[str, str]]) -> None:
    assert warnings(bounds=", max: 100000", limits=limits) == expected


def test_a_bound_that_no_text_reaches_is_a_warning() -> None:
    message = "'order.note' never has 10001 characters: limits.strings allows 10,000"
    assert warnings(text=", max: 10001") == [("TW119", message)]
    assert warnings(text=", max: 10000") == []


@pytest.mark.parametrize(
    ("items", "message"),
    [
        (', more: ""', "'more' of 'order.items' is empty, and counts as left out"),
        (', more: "  "', "'more' of 'order.items' has no words"),
        (', label: ""', "'label' of 'order.items' is empty, and counts as left out"),
        (', items: [{field: size, ask: ""}]', "'ask' of 'size' is empty, and counts as left out"),
        (', rephrase: [" "]', "wording 1 of 'order.items' is empty: the user would read nothing"),
    ],
)
def test_an_empty_text_of_a_question_is_a_warning(items: str, message: str) -> None:
    assert warnings(items=items) == [("TW141", message)]
    assert warnings(items=', more: "More?"') == []
