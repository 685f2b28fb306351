"""Reads the lists of utterances under `tests/utterances` (their format: the README there)."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.state.commands import Add, AnyCommand, Ask, Remove, Set, Start, name_of
from turnwise.core.values import is_free_text
from turnwise.flow.model import Field, Option

Plain = tuple[object, ...]
"""A command without words and confidence: its name and what it says."""

FOLDER = Path(__file__).parent.parent / "utterances"


@dataclass(frozen=True)
class Utterance:
    """A message in a situation, and what it must propose."""

    place: str
    situation: str
    allowed: AllowedInput
    message: str
    expected: tuple[Plain, ...]


def utterances(pattern: str = "*.txt") -> list[Utterance]:
    """All utterances of the files whose names match."""
    return [one for path in sorted(FOLDER.glob(pattern)) for one in _read(path)]


def _read(path: Path) -> Iterator[Utterance]:
    situations: dict[str, AllowedInput] = {}
    name, allowed, in_header = "", _nothing(), False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = line.strip()
        if text.startswith("#"):
            continue
        if text.startswith("["):
            name, allowed, in_header = text.strip("[]"), _nothing(), True
        elif in_header and text:
            allowed = situations[text[3:]] if text.startswith("as ") else _with_line(allowed, text)
            situations[name] = allowed
        elif not text:
            in_header = False
        else:
            message, _, expected = text.partition(" =>")
            place = f"{path.name}:{number}"
            yield Utterance(place, name, allowed, message.rstrip().replace("\\n", "\n"), _commands(expected))


def _nothing() -> AllowedInput:
    return AllowedInput(language="en", zone="UTC", now_ms=0)


def _with_line(allowed: AllowedInput, line: str) -> AllowedInput:
    key, _, rest = line.partition(" ")
    match key:
        case "now":
            moment, zone = rest.split()
            now = datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo(zone))
            return msgspec.structs.replace(allowed, zone=zone, now_ms=int(now.timestamp() * 1000))
        case "field":
            field = _field(rest)
            known = [f.address for f in allowed.fields]
            if field.address in known:
                fields = tuple(field if f.address == field.address else f for f in allowed.fields)
            else:
                fields = (*allowed.fields, field)
            return msgspec.structs.replace(allowed, fields=fields)
        case "commands" | "starts":
            return msgspec.structs.replace(allowed, **{key: tuple(rest.split())})
        case "language" | "asked" | "last" | "question":
            return msgspec.structs.replace(allowed, **{key: rest})
        case _:
            raise ValueError(f"unknown line {line!r}")


def _field(line: str) -> AllowedField:
    head, *parts = line.split(" ", 2)
    kind, rest = parts[0], parts[1] if len(parts) > 1 else ""
    has = re.search(r"\bhas=(\S.*)$", rest)
    keys = dict(pair.split("=", 1) for pair in shlex.split(rest[: has.start()] if has else rest))
    field = Field(name=head.rpartition(".")[2], type=kind)  # type: ignore[arg-type]
    if "options" in keys:
        field = replace(field, options=tuple(option_of(text) for text in keys["options"].split(";")))
    for bound in ("min", "max"):
        if bound in keys:
            field = replace(field, **{bound: keys[bound] if ":" in keys[bound] else float(keys[bound])})
    for name in ("of", "pattern", "about"):
        if name in keys:
            field = replace(field, **{name: keys[name]})
    value = json.loads(has[1]) if has else None
    title = keys.get("ask", keys.get("about", ""))
    return AllowedField(address=head, field=field, title=title, value=value, is_free_text=is_free_text(field))


def option_of(text: str) -> Option:
    """Return an option as the lists write it, with further words behind `=`."""
    value, _, words = text.partition("=")
    return Option(value.strip(), tuple(word.strip() for word in words.split(",") if word.strip()))


_COMMAND = re.compile(r"(\w+)(?:\(((?:[^()\"]|\"(?:[^\"\\]|\\.)*\")*)\))?")


def _commands(text: str) -> tuple[Plain, ...]:
    """The commands that a line expects."""
    if text.strip() == "nothing":
        return ()
    return tuple(_command(found[1], found[2] or "") for found in _COMMAND.finditer(text))


def _command(name: str, arguments: str) -> Plain:
    if name in ("set", "add", "remove"):
        field, _, value = arguments.partition(", ")
        plain = value.removesuffix(", correction")
        is_correction = (plain != value,) if name == "set" else ()
        return (name, field.replace("?", ""), _json(json.loads(plain)), *is_correction)
    return (name, json.loads(arguments)) if name == "ask" else (name, arguments)


def plain(command: AnyCommand) -> Plain:
    """A command as it is compared: words and confidence are left out."""
    match command:
        case Set():
            return ("set", command.field, _json(command.value), command.correction)
        case Add() | Remove():
            return (name_of(command), command.field, _json(command.item))
        case Ask():
            return ("ask", command.text)
        case Start():
            return ("start", command.target)
        case _:
            return (name_of(command), getattr(command, "field", ""))


def _json(value: object) -> str:
    """A value as JSON, so that `true` is not 1."""
    return json.dumps(value, ensure_ascii=False)
