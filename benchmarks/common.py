"""The fixture that all engines share: the same texts, rules and tool, and what an adapter is.

Standard library only: this module is imported inside every peer's own virtual environment.
"""

from __future__ import annotations

import getpass
import json
import os
import statistics
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

# the turn of W1 ----------------------------------------------------------------------------------

USER_TEXT = "Hi, I am Ada, 41 years old. What is the status of order 10-2231 please?"
TOOL_NAME = "lookup_order"
TOOL_ARGS = {"order_id": "10-2231", "fields": ["status", "eta"]}
TOOL_ARGS_JSON = json.dumps(TOOL_ARGS)
TOOL_RESULT = json.dumps(
    {
        "order_id": "10-2231",
        "status": "in transit",
        "eta": "2026-11-24",
        "carrier": "postal",
        "history": ["accepted", "packed", "handed over", "sorted"],
    }
)
REPLY = (
    "Thanks, Ada. Your order 10-2231 is in transit with the postal carrier and should reach "
    "you on the 24th of November. I will let you know when it changes. Anything else?"
)
FIELDS = {"age": 41, "name": "Ada", "plan": "basic", "turns": 0, "angry": False}

Rule = Callable[[dict[str, Any], str], bool]
RULES: list[tuple[str, Rule]] = [
    ("escalate", lambda fields, text: fields["angry"] is True),
    ("collect_age", lambda fields, text: "age" not in fields),
    ("collect_name", lambda fields, text: not fields.get("name")),
    ("upsell", lambda fields, text: fields["plan"] == "pro" and fields["age"] >= 65),
    ("end", lambda fields, text: fields["age"] >= 38 and "name" in fields and len(text) > 0),
]
"""Judged in order; only the last one holds, so that all five are judged in every turn."""


def evaluate_rules(fields: dict[str, Any], text: str) -> str:
    """The name of the first rule that holds."""
    for name, rule in RULES:
        if rule(fields, text):
            return name
    return "end"


def lookup_order(order_id: str, fields: list[str]) -> str:
    """Look up the state of an order."""
    return TOOL_RESULT


# the form ----------------------------------------------------------------------------------------

OPTIONS = ("Yes", "No", "Unknown")
QUESTIONS = [f"Question {number} of 10: does it apply to you?" for number in range(1, 11)]
ANSWERS = [OPTIONS[number % len(OPTIONS)] for number in range(10)]
THANKS = "Thank you. That was all that we need to know."


# databases ---------------------------------------------------------------------------------------

# The cells with a Postgres erase the schema `public` of this database.
PG_HOST = os.environ.get("BENCH_PG_HOST", "localhost")
PG_USER = os.environ.get("BENCH_PG_USER") or getpass.getuser()
PG_DB = os.environ.get("BENCH_PG_DB", "perfbench")
PG_DSN = f"postgresql://{PG_USER}@/{PG_DB}?host={PG_HOST}"


# adapters ----------------------------------------------------------------------------------------


class Adapter:
    """One engine, as the worker drives it. An instance is the engine of one process.

    `turn` is called as a web server would call it: with the id of a conversation and a text. It finds
    the conversation in its store, runs the turn, makes it as durable as the library does by default,
    and gives the reply. With the store "none" the history may be kept in a dict.

    A module has a class `Adapter` (turns of W1, compiling, transitions), and may have a class
    `FormAdapter` (turns of the form).
    """

    NAME = "?"
    STORES: tuple[str, ...] = ("none",)
    VARIANTS: tuple[str, ...] = ("",)
    IMPORT = "pass"
    """The line that a user of this workload writes; its cost is W4."""
    PACKAGES: tuple[str, ...] = ()

    def __init__(self, store: str = "none", workdir: Path | None = None, variant: str = "") -> None:
        self.store = store
        self.workdir = workdir
        self.variant = variant

    @property
    def db(self) -> str:
        """The file of an SQLite store."""
        assert self.workdir is not None
        return str(self.workdir / "bench.db")

    async def open(self) -> None:
        """Open the engine."""

    async def begin(self, sid: str) -> None:
        """What a conversation needs before its first turn; not timed."""

    def exchange(self, number: int) -> tuple[str, str]:
        """What the user says in the n-th turn of a conversation (from 0), and the reply that must come."""
        return USER_TEXT, REPLY

    async def turn(self, sid: str, text: str) -> str:
        """One turn; gives the reply."""
        raise NotImplementedError

    async def seed(self, sid: str, turns: int) -> None:
        """Give a conversation a history at once, as the library itself would hold it.

        For the turns 1000 and 3000, which would take a quadratic time to play.
        """
        raise NotImplementedError

    async def load(self, sid: str) -> int:
        """Load a conversation that is not in memory; gives the number of its messages."""
        raise NotImplementedError

    async def close(self) -> None:
        """Close what was opened."""

    def note(self) -> str:
        """What a reader of the results must know."""
        return ""

    @staticmethod
    def compile_flow(nodes: int) -> Any:
        """Build and check a flow: a chain of nodes, each with a way on and a way out."""
        raise NotImplementedError

    @staticmethod
    def transition() -> tuple[Callable[[], Any], int, int] | None:
        """A function, how many transitions one call of it judges, and the rules per transition."""
        return None


class FormAdapter(Adapter):
    """An engine that asks the ten questions, one answer per turn. Beginning puts the first question."""

    def exchange(self, number: int) -> tuple[str, str]:
        """The n-th answer, and the next question; thanks after the last."""
        return ANSWERS[number], QUESTIONS[number + 1] if number + 1 < len(QUESTIONS) else THANKS


# figures -----------------------------------------------------------------------------------------


def spread(samples: Iterable[float], digits: int = 4) -> dict[str, float]:
    """The median of some samples, the least and the greatest."""
    known = sorted(samples)
    return {
        "median": short(statistics.median(known), digits),
        "min": short(known[0], digits),
        "max": short(known[-1], digits),
    }


def short(value: float, digits: int = 4) -> float:
    """A number with so many digits that count."""
    return float(f"{value:.{digits}g}")
