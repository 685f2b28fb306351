"""Guards as text: every tree is written so that it is read again; what is wrong is said where it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies.guards import trees
from turnwise.flow.guard import Expression, GuardError, parse, text_of
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
    walk,
)

a, b, c, d = (Name(name) for name in "abcd")
AGE = Select(Name("user"), "age")
TRUE, FALSE, NULL = Literal(value=True), Literal(value=False), Literal(None)

GOOD: list[tuple[str, Expression]] = [
    ("a", a),
    ("user.age", AGE),
    ("user.age >= 18", Binary(">=", AGE, Literal(18))),
    ("true", TRUE),
    ("false || null", Logic("||", (FALSE, NULL))),
    ("'it'", Literal("it")),
    ('"say \\"hi\\" \\n \\x41 \\u00e4 \\U0001f600"', Literal('say "hi" \n A ä 😀')),
    (r'r"a\d+"', Literal(r"a\d+")),
    ("R'\\'", Literal("\\")),
    ("0x1F", Literal(31)),
    ("1.5", Literal(1.5)),
    (".5", Literal(0.5)),
    ("1e3", Literal(1000.0)),
    ("-3", Literal(-3)),
    ("- 3.5", Literal(-3.5)),
    ("-a", Minus(a)),
    ("-a.b", Minus(Select(a, "b"))),
    ("!a.b", Not(Select(a, "b"))),
    ("!!a", Not(Not(a))),
    ("a - -1", Binary("-", a, Literal(-1))),
    ("a -1", Binary("-", a, Literal(1))),
    ("a + b * c", Binary("+", a, Binary("*", b, c))),
    ("(a + b) * c", Binary("*", Binary("+", a, b), c)),
    ("a - b - c", Binary("-", Binary("-", a, b), c)),
    ("a - (b - c)", Binary("-", a, Binary("-", b, c))),
    ("a < b == c", Binary("==", Binary("<", a, b), c)),
    ("a && b && c", Logic("&&", (a, b, c))),
    ("a && (b && c)", Logic("&&", (a, b, c))),
    ("(a && b) && c", Logic("&&", (a, b, c))),
    ("a || b && c || d", Logic("||", (a, Logic("&&", (b, c)), d))),
    ("(a || b) && c", Logic("&&", (Logic("||", (a, b)), c))),
    ("!(a && b)", Not(Logic("&&", (a, b)))),
    ("a ? b : c", Conditional(a, b, c)),
    ("a ? b : c ? d : a", Conditional(a, b, Conditional(c, d, a))),
    ("(a ? b : c) ? d : a", Conditional(Conditional(a, b, c), d, a)),
    ("a || b ? c : d", Conditional(Logic("||", (a, b)), c, d)),
    ("a in ['x', \"y\"]", Binary("in", a, Sequence((Literal("x"), Literal("y"))))),
    ("[1, 2,]", Sequence((Literal(1), Literal(2)))),
    ("[]", Sequence(())),
    ("has(user.name)", Call("has", (Select(Name("user"), "name"),))),
    ("a.exists(g, g > 3)", Call("exists", (Name("g"), Binary(">", Name("g"), Literal(3))), a)),
    ('tools.used("think", within: 3)', Call("used", (Literal("think"),), Name("tools"), (("within", Literal(3)),))),
    ("f(x ? y : z)", Call("f", (Conditional(Name("x"), Name("y"), Name("z")),))),
    ("a.b.c().d", Select(Call("c", (), Select(a, "b")), "d")),
    ("a // the rest is a comment", a),
    ("a\n  && b", Logic("&&", (a, b))),
    ("inside && interest", Logic("&&", (Name("inside"), Name("interest")))),
]


@pytest.mark.law("2.11")
@pytest.mark.parametrize(("text", "tree"), GOOD, ids=[text for text, _ in GOOD])
def test_a_guard_is_read_as_this_tree(text: str, tree: Expression) -> None:
    assert parse(text) == tree
    assert parse(text_of(tree)) == tree


_VALUE = "expected a value, a field or a function"
_END = "expected an operator, or the end"

BAD: list[tuple[str, str, int, str, str]] = [
    ("", "TW030", 0, f"the guard ends here, {_VALUE}", ""),
    ("a &&", "TW030", 4, f"the guard ends here, {_VALUE}", ""),
    ("&& a", "TW030", 0, f"found '&&', {_VALUE}", ""),
    ("a\n&& ", "TW030", 5, f"the guard ends here, {_VALUE}", ""),
    ("a == b == ", "TW030", 10, f"the guard ends here, {_VALUE}", ""),
    ("a & b", "TW030", 2, "'&' alone means nothing", "write '&&'"),
    ("a | b", "TW030", 2, "'|' alone means nothing", "write '||'"),
    ("a = b", "TW030", 2, "'=' alone means nothing", "write '=='"),
    ("a === b", "TW030", 4, "'=' alone means nothing", "write '=='"),
    ("a and b", "TW030", 2, f"found 'and', {_END}", "write '&&'"),
    ("a or b", "TW030", 2, f"found 'or', {_END}", "write '||'"),
    ("not a", "TW030", 4, f"found 'a', {_END}", "write '!'"),
    ("a b", "TW030", 2, f"found 'b', {_END}", ""),
    ("1_000", "TW030", 1, f"found '_000', {_END}", ""),
    ("a <> b", "TW030", 3, f"found '>', {_VALUE}", ""),
    ("a ** b", "TW030", 3, f"found '*', {_VALUE}", ""),
    ("a in", "TW030", 4, f"the guard ends here, {_VALUE}", ""),
    ("in a", "TW030", 0, f"found 'in', {_VALUE}", ""),
    ("(a", "TW030", 2, "the guard ends here, expected ')' to close '('", ""),
    ("a)", "TW030", 1, f"found ')', {_END}", ""),
    ("f(a", "TW030", 3, "the guard ends here, expected ',' or ')'", ""),
    ("f(a b)", "TW030", 4, "found 'b', expected ',' or ')'", ""),
    ("f(,)", "TW030", 2, f"found ',', {_VALUE}", ""),
    ("f(x: )", "TW030", 5, f"found ')', {_VALUE}", ""),
    ("[1, 2", "TW030", 5, "the guard ends here, expected ',' or ']'", ""),
    ("[1 2]", "TW030", 3, "found '2', expected ',' or ']'", ""),
    ("a ? b", "TW030", 5, "the guard ends here, expected ':' and what holds otherwise", ""),
    ("a ? (b : c)", "TW030", 7, "found ':', expected ')' to close '('", ""),
    ("a.", "TW030", 2, "the guard ends here, expected a name after '.'", ""),
    ("a..b", "TW030", 2, "found '.', expected a name after '.'", ""),
    ('"abc', "TW030", 0, "this text has no closing quote", ""),
    ('a == "abc', "TW030", 5, "this text has no closing quote", ""),
    ('"a\nb"', "TW030", 0, "this text has no closing quote", ""),
    (r'"a\d"', "TW030", 2, r"\d is no escape", "double the backslash, or put r before the quote"),
    (r'"\ud800"', "TW030", 1, r"\ud800 is no character", ""),
    ("a @ b", "TW030", 2, "'@' has no meaning in a guard", ""),
    ("a; b", "TW030", 1, "';' has no meaning in a guard", ""),
    ("“a”", "TW030", 0, "'“' has no meaning in a guard", ""),
    ("a > ３", "TW030", 4, "'３' has no meaning in a guard", ""),
    ("9223372036854775808", "TW030", 0, "this number is larger than 64 bits hold", ""),
    ("-9223372036854775809", "TW030", 1, "this number is larger than 64 bits hold", ""),
    ("0x8000000000000000", "TW030", 0, "this number is larger than 64 bits hold", ""),
    ("0x" + "f" * 5000, "TW030", 0, "this number is larger than 64 bits hold", ""),
    ("1e999", "TW030", 0, "this number is too large", ""),
    ("(" * 61 + "a", "TW030", 60, "the guard is nested more than 60 deep", ""),
    ("!" * 61 + "a", "TW030", 60, "the guard is nested more than 60 deep", ""),
    ("a" + " || a" * 3000, "TW030", 0, "the guard has 15,001 characters; the limit is 10,000", ""),
    ("a[0", "TW030", 3, "the guard ends here, expected ']' to close '['", ""),
    ("{1: 2}", "TW033", 0, "guards have no maps", ""),
    ("User{age: 1}", "TW033", 4, "guards have no messages or maps", ""),
    ('b"x"', "TW033", 0, "guards have no bytes", ""),
    ("exists_one(a)", "TW033", 0, "guards have no exists_one()", ""),
    ("type(a)", "TW033", 0, "guards have no type()", ""),
    ("dyn(a)", "TW033", 0, "guards have no dyn()", ""),
]


@pytest.mark.law("2.11")
@pytest.mark.parametrize(("text", "code", "at", "message", "hint"), BAD, ids=[row[0][:30] or "nothing" for row in BAD])
def test_what_is_wrong_in_a_guard_is_said_where_it_is(text: str, code: str, at: int, message: str, hint: str) -> None:
    with pytest.raises(GuardError) as found:
        parse(text)
    error = found.value
    assert (error.code, error.at, error.message, error.hint) == (code, at, message, hint)


@given(trees)
def test_every_tree_is_written_so_that_it_is_read_again(tree: Expression) -> None:
    assert parse(text_of(tree)) == tree


@given(trees)
def test_writing_what_was_read_changes_no_letter(tree: Expression) -> None:
    text = text_of(tree)
    assert text_of(parse(text)) == text


@given(trees)
def test_every_part_stands_at_its_place(tree: Expression) -> None:
    text = text_of(tree)
    for part in walk(parse(text)):
        assert 0 <= part.at < len(text)
        if isinstance(part, Name | Select):
            assert text[part.at :].startswith(part.name)


@given(st.text(st.sampled_from("ab1. \"'\\()[]{}&|!=<>?:,+-*/%\n\t#@rx0eE_ä٣"), max_size=30))
def test_no_text_makes_the_parser_raise_anything_else(text: str) -> None:
    try:
        parse(text)
    except GuardError as error:
        assert 0 <= error.at <= len(text)


def test_one_true_and_one_point_nought_are_three_literals() -> None:
    assert len({Literal(1), TRUE, Literal(1.0)}) == 3
