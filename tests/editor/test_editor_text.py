"""Positions and edits as the protocol counts them, against a model that has UTF-16 units in a list."""

from __future__ import annotations

import random

import pytest

from turnwise.editor.text import UTF8, UTF16, UTF32, Change, EditedText, Position, inside_quotes

PIECES = ["a", "ß", "€", "😀", "\n", "\r\n", "\r", "\u2028", "\x85", " ", "x y"]


def units_of(text: str) -> list[bytes]:
    data = text.encode("utf-16-le", "surrogatepass")
    return [data[at : at + 2] for at in range(0, len(data), 2)]


def model_offset(units: list[bytes], position: Position) -> int:
    """The unit at a position; behind the end of a line it is that end."""
    line, at = 0, 0
    while line < position.line and at < len(units):
        if units[at] == b"\r\0" and units[at + 1 : at + 2] == [b"\n\0"]:
            at += 1
        line += units[at] in (b"\r\0", b"\n\0")
        at += 1
    if line < position.line:
        return len(units)
    for _ in range(position.character):
        if at >= len(units) or units[at] in (b"\r\0", b"\n\0"):
            break
        at += 1
    return at


@pytest.mark.parametrize("seed", range(40))
def test_edits_give_the_text_that_the_client_has(seed: int) -> None:
    chance = random.Random(seed)
    text = EditedText("".join(chance.choices(PIECES, k=30)))
    model = units_of(text.text)
    for _ in range(60):
        begin = Position(chance.randrange(12), chance.randrange(8))
        end = max(begin, Position(begin.line + chance.randrange(2), chance.randrange(8)))
        new = "".join(chance.choices(PIECES, k=chance.randrange(4)))
        first, last = model_offset(model, begin), model_offset(model, end)
        model[first:last] = units_of(new)
        text = text.changed(Change(new, begin, end))
        assert units_of(text.text) == model


def test_an_edit_between_the_halves_of_a_character_divides_it_and_the_next_one_joins_it() -> None:
    text = EditedText("a😀b").changed(Change("Z", Position(0, 2), Position(0, 2)))
    assert text.text == "a\ud83dZ\ude00b"
    assert text.changed(Change("", Position(0, 2), Position(0, 3))).text == "a😀b"
    assert EditedText("a😀b").offset(Position(0, 2)) == 1  # a question between the halves is about the character


@pytest.mark.parametrize(("encoding", "character"), [(UTF8, 4), (UTF16, 2), (UTF32, 1)])
def test_a_position_is_counted_in_units_of_the_encoding(encoding: str, character: int) -> None:
    text = EditedText("😀b", encoding)
    assert text.position(1) == Position(0, character)
    assert text.offset(Position(0, character)) == 1
    assert text.changed(Change("x", Position(0, character), Position(0, character))).text == "😀xb"


@pytest.mark.parametrize("encoding", [UTF8, UTF16, UTF32])
def test_every_character_is_found_at_its_own_position(encoding: str) -> None:
    text = EditedText("ab\r\n€😀x\r\ny\u2028z\n", encoding)
    inside_break = {3, 8}
    for offset in sorted({*range(len(text.text) + 1)} - inside_break):
        assert text.offset(text.position(offset)) == offset


@pytest.mark.parametrize(
    "position", [Position(99, 0), Position(0, 99), Position(-1, 0), Position(0, -5), Position(1, 7)]
)
def test_a_position_out_of_the_text_is_its_nearest_end(position: Position) -> None:
    assert 0 <= EditedText("ab\nc").offset(position) <= 4


def test_places_of_readers_count_their_own_line_breaks() -> None:
    text = EditedText("\ufeffa\u2028b\n\rc")
    assert text.place(1, 1, is_yaml=True) == 1  # behind the byte-order mark
    assert text.text[text.place(2, 1, is_yaml=True)] == "b"
    assert text.text[text.place(2, 2, is_yaml=False)] == "c"
    for offset in range(1, len(text.text)):
        for is_yaml in (True, False):
            assert text.place(*text.line_and_column(offset, is_yaml=is_yaml), is_yaml=is_yaml) == offset


def test_a_character_of_a_text_with_escapes_is_found() -> None:
    written = r'"a\"b\u0041c"'
    assert written[inside_quotes(written, 0, 2, is_yaml=False)] == "b"
    assert written[inside_quotes(written, 0, 4, is_yaml=True)] == "c"
    assert "'it''s x'"[inside_quotes("'it''s x'", 0, 5, is_yaml=True)] == "x"
