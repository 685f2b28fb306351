"""Reads the tables of sentences about lists of records (their format: the README here)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from msgspec import Struct

from providers.utterance_lists import option_of
from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.state import commands as c
from turnwise.core.state.commands import AnyCommand, name_of
from turnwise.core.values.json_data import as_list, as_object
from turnwise.flow.converters import copy_with
from turnwise.flow.model import Field

HERE = Path(__file__).parent
COMMANDS = ("set", "clear", "add", "change", "remove", "move", "copy", "edit", "skip", "back", "help", "cancel")
_NOW_MS = 1_795_000_000_000


class Row(Struct, frozen=True):
    """A sentence about a list, and the commands that are right for it: each of `wanted` is one way."""

    id: str
    situation: str
    message: str
    wanted: tuple[tuple[str, ...], ...]


def rows(name: str) -> Iterator[Row]:
    """Yield the rows of a table."""
    for line in (HERE / name).read_text("utf-8").splitlines()[1:]:
        id_, situation, message, wanted = line.split("\t")
        yield Row(id_, situation, message, tuple(_commands(one) for one in wanted.split(" || ")))


def _commands(text: str) -> tuple[str, ...]:
    """Return commands as they are written, each with sorted values; `*12` behind one repeats it."""
    found: list[str] = []
    for one in text.split("; "):
        command, _, times = one.strip().partition("*")
        if command != "nothing":
            found += [_sorted(command)] * int(times or 1)
    return _in_order(found)


def _in_order(commands: Iterable[str]) -> tuple[str, ...]:
    """Return commands in their order; that of changes beside each other does not matter."""
    grouped = groupby(commands, key=lambda one: one.startswith("change"))
    return tuple(one for is_change, some in grouped for one in (sorted(some) if is_change else some))


def _sorted(command: str) -> str:
    """Return a command with its values in order: values may have blanks, as in `kind=Quattro Formaggi`."""
    words: list[str] = []
    for word in command.split(" "):
        is_part = words and "=" in words[-1] and "=" not in word
        if is_part:
            words[-1] += f" {word}"
        else:
            words.append(word)
    return " ".join([*[word for word in words if "=" not in word], *sorted(word for word in words if "=" in word)])


_DATA: dict[str, Any] = tomllib.loads((HERE / "item_lists.toml").read_text("utf-8"))


def allowed_of(situation: str) -> AllowedInput:
    """Return what a message may change in a situation: the list as it stands."""
    known = _DATA["situations"][situation]
    record = _DATA["records"][known["record"]]
    parts = tuple(_part(one) for one in record["fields"])
    items = [{"id": f"i{at + 1}", **values} for at, values in enumerate(known["items"])]
    list_field = copy_with(
        Field(name=record["field"].rpartition(".")[2], type="list", about=record["about"]),
        of=record["record"],
        parts=parts,
    )
    changed = f"i{known['changed']}" if "changed" in known else None
    field = AllowedField(record["field"], list_field, record["about"], items or None, item=changed)
    asked = field.address if known.get("asked") else ""
    return AllowedInput(
        language=record["language"],
        zone="Europe/Berlin",
        now_ms=_NOW_MS,
        fields=(field,),
        commands=COMMANDS,
        asked=asked,
        question="field" if asked else "",
    )


def _part(keys: dict[str, Any]) -> Field:
    options = tuple(option_of(text) for text in keys["options"].split(";")) if "options" in keys else ()
    least, most = keys.get("min"), keys.get("max")
    return Field(keys["name"], keys["type"], None, options, min=least, max=most, about=keys["about"])


def written(commands: list[AnyCommand]) -> tuple[str, ...]:
    """Return commands as the tables write them."""
    return _in_order(_sorted(_written(one)) for one in commands)


def _written(command: AnyCommand) -> str:
    match command:
        case c.Add():
            return f"add {_values(as_object(command.item) or {})}".strip()
        case c.Change():
            return f"change {_ref(command.item)} {_values({command.name: command.value})}"
        case c.Remove():
            return f"remove {_ref(command.item)}"
        case c.Move():
            return f"move {_ref(command.item)} {command.to}"
        case c.Copy():
            times = f" x{command.count}" if command.count != 1 else ""
            return f"copy {_ref(command.item)}{times} {_values(command.changes)}".strip()
        case _:
            return str(name_of(command))


def _ref(item: Any) -> str:
    values = as_object(item)
    return str(item).removeprefix("i") if values is None else _values(values)


def _values(values: dict[str, Any]) -> str:
    lists = {name: as_list(value) for name, value in values.items()}
    texts = {name: str(values[name]) if one is None else "+".join(map(str, one)) for name, one in lists.items()}
    return " ".join(f"{name}={text}" for name, text in sorted(texts.items()))
