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
