"""Fifty decisions of a document in DyGram: everything that tells of one names the line of its edge."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.served import in_loop, served
from support.shell import run
from turnwise.models.scripted import call
from turnwise.testing.coverage import Coverage, missing_parts
from turnwise.why.fact import Fact

BLOCKS = 9


class Many:
    """A document with blocks of six decisions, and the node and line of each: by a guard, without one, into a module,
    by the edge of a module, by a failure, and by the choice of a model.
    """

    def __init__(self) -> None:
        self.lines = ['machine "Many" { limits: { moves: 100; }; }', "context c { n: 0; }", "state over; state fin;"]
        self.expected: list[tuple[str, int]] = []
        self.left_out: list[int] = []
        self.replies: list[Any] = []
        for block in range(BLOCKS):
            self._add_block(block, f"a{block + 1}" if block + 1 < BLOCKS else "fin")

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def _add_block(self, k: int, following: str) -> None:
        self._line(f'state a{k}; state b{k}; task t{k} {{ prompt: "Try."; }} task d{k} {{ prompt: "Choose."; }}')
        module = self._line(f"state m{k} {{ state inner; }}")
        self.expected.append((f"a{k}", self._line(f'a{k} -when: "c.n < 9"-> b{k};')))
        self.left_out.append(self._line(f'b{k} -when: "c.n > 9"-> over;'))
        self.expected.append((f"b{k}", self._line(f"b{k} -> m{k};")))
        self.expected.append((f"m{k}", module))
        self.expected.append((f"m{k}.inner", self._line(f"m{k} -> t{k};")))
        self.expected.append((f"t{k}", self._line(f"t{k} -catch-> d{k};")))
        self.expected.append((f"d{k}", self._line(f"d{k} -on-> {following};")))
        self.left_out.append(self._line(f"d{k} -away-> over;"))
        self.replies += [call("nothing"), call(f"go_to_{following}")]

    def _line(self, text: str) -> int:
        self.lines.append(text)
        return len(self.lines)


@pytest.fixture
def many(tmp_path: Path) -> tuple[Many, Path]:
    made = Many()
    path = tmp_path / "many.dy"
    path.write_text(made.text, "utf-8")
    return made, path


def line_of(source: str) -> int:
    """The line of `file:line:column`."""
    file, line, _ = source.rsplit(":", 2)
    assert file.endswith("many.dy")
    return int(line)


def with_causes(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Yield facts, and those that they come from."""
    for fact in facts:
        yield fact
        yield from with_causes(fact.causes)


def test_trace_and_why_name_the_line_of_every_decision(many: tuple[Many, Path]) -> None:
    document, path = many
    with tw.open_sync(path, model=tw.ScriptedModel(document.replies)) as app:
        chat = app.chat("main")
        turns = chat.run()
        assert turns[-1].outcome == "fin"
        taken = [
            (turn.number, decision, by)
            for turn in turns
            for decision in turn.decisions
            if (by := decision.candidate(decision.taken)) is not None
        ]
        assert len(taken) == len(document.expected) >= 50
        assert [(one.node, line_of(by.source)) for _, one, by in taken] == document.expected
        assert {one.moment for _, one, _ in taken} == {"after", "error", "choice"}
        told = {
            fact.seq: line_of(fact.source)
            for turn in turns
            for fact in with_causes(chat.why(turn=turn.number).facts)
            if fact.kind == "decided" and fact.source
        }
        assert [told[seq] for seq in sorted(told)] == [line for _, line in document.expected]
        for node, line in document.expected:
            decision, by = next((one, by) for _, one, by in taken if one.node == node)
            answer = chat.why(f"transition {by.id}", turn=decision.turn)
            assert line in {line_of(one.source) for one in with_causes(answer.facts) if one.source}


def test_coverage_names_the_line_of_every_edge(many: tuple[Many, Path]) -> None:
    document, path = many
    lines = {line for node, line in document.expected if not node.startswith("m") or node.endswith("inner")}
    with tw.open_sync(path, model=tw.ScriptedModel([])) as app:
        coverage = Coverage()
        coverage.add(app.chat("main").start())
        unseen = {one.line for one in missing_parts(coverage.flows[0])}
        assert len(lines - unseen) <= 4  # those of the first block that its beginning takes
    with tw.open_sync(path, model=tw.ScriptedModel(document.replies)) as app:
        coverage = Coverage()
        for turn in app.chat("main").run():
            coverage.add(turn)
        never = [
            one.line
            for one in missing_parts(coverage.flows[0])
            if "never judged" in one.text or "never taken" in one.text
        ]
        assert sorted(never) == document.left_out


def test_checks_name_the_line_of_every_edge(many: tuple[Many, Path]) -> None:
    document, path = many
    text = document.text.replace("c.n < 9", "c.m < 9").replace("c.n > 9", "c.m > 9")
    path.write_text(text, "utf-8")
    told = [line for line in run("check", path).out.splitlines() if "TW0" in line]
    guarded = [number for number, line in enumerate(text.splitlines(), 1) if "c.m" in line]
    assert [int(line.split("many.dy:")[1].split(":")[0]) for line in told if "many.dy:" in line] == guarded
    assert len(guarded) == 2 * BLOCKS


@in_loop
async def test_the_studio_is_told_the_line_of_every_decision(tmp_path: Path) -> None:
    document, path = Many(), tmp_path / "many.dy"
    path.write_text(document.text, "utf-8")
    async with served(tw.open(path, model=tw.ScriptedModel(document.replies))) as client:
        begun = await client.post("/api/conversations", json={"flow": "Many", "name": "x"})
        assert begun.status_code == 201, begun.text
        found: dict[str, Any] = {}
        while found.get("status") != "ended":
            await asyncio.sleep(0.01)
            found = (await client.get("/api/conversations/x")).json()
        told: list[tuple[str, int]] = []
        for turn in range(1, found["turn"] + 1):
            trace = (await client.get(f"/api/conversations/x/trace?turn={turn}")).json()
            for one in (row["decision"] for row in trace["decisions"]):
                told += [
                    (one["node"], line_of(by["source"]))
                    for by in one.get("candidates", [])
                    if by["id"] == one.get("taken")
                ]
        assert told == document.expected
        page = (await client.get("/api/flows/Many")).json()
        assert page["source"] == document.text
        drawn = {one["line"] for one in page["graph"]["edges"]}
        assert drawn >= {*document.left_out, *[line for _, line in document.expected]}
