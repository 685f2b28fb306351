"""Plays the conversations of `item_talk.tsv`: what a message does to an order that is under way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

import turnwise as tw
from turnwise import SyncApp

HERE = Path(__file__).parent
FLOWS = {
    "en": HERE.parents[1] / "examples" / "pizza" / "pizza.flow.yaml",
    "de": HERE / "pizza_de.flow.yaml",
}


class Row(Struct, frozen=True):
    """A message after other messages, and each order that is right after it; `=` is the order as it was."""

    id: str
    language: str
    before: tuple[str, ...]
    message: str
    wanted: tuple[str, ...]


class Played(Struct, frozen=True):
    """The order before and after the message, with the reply to it."""

    before: str
    after: str
    reply: str

    def is_right(self, row: Row) -> bool:
        """True if the order is one that the row wants."""
        return any(self.after == (self.before if one == "=" else one) for one in row.wanted)

    @property
    def is_silent(self) -> bool:
        """True if the message changed nothing of the order."""
        return self.after == self.before


def rows(name: str) -> Iterator[Row]:
    """Yield the rows of a table."""
    for line in (HERE / name).read_text("utf-8").splitlines()[1:]:
        id_, language, before, message, wanted = line.split("\t")
        yield Row(id_, language, tuple(before.split(" / ")), message, tuple(wanted.split(" || ")))


def played(row: Row, app: SyncApp) -> Played:
    """Return what the message of a row does."""
    chat = app.chat(f"{row.language}-{row.id}")
    before = ""
    for said in filter(None, row.before):
        before = order_of(chat.say(said))
    turn = chat.say(row.message)
    return Played(before, order_of(turn), turn.text or "")


def opened(language: str) -> SyncApp:
    """Return the app of a language; close it."""
    return tw.open_sync(str(FLOWS[language]))


def order_of(turn: tw.Turn) -> str:
    """Return an order in one line: its items, `~` the item in the making, `@` the address."""
    fields = {name: one.value for name, one in turn.state.values.items()}
    items = [_item(one) for one in fields.get("order.pizzas") or ()]
    draft = _item({name: fields.get(f"pizza.{name}") for name in ("size", "kind", "without")})
    address = fields.get("order.address")
    return "; ".join([*items, *([f"~{draft}"] if draft else []), *([f"@{address}"] if address else [])])


def _item(values: Any) -> str:
    said = " ".join(str(values[name]) for name in ("size", "kind") if values.get(name))
    without = ", ".join(values.get("without") or ())
    return f"{said} without {without}" if without else said
