"""Every name of the prepared conversations is asked through every door: Python, HTTP, and the terminal in words and JSON."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.served import served
from support.shell import run
from turnwise.cli.demo_examples import EXAMPLES, examples
from turnwise.cli.demo_seeds import play_seeds, read_seeds
from turnwise.cli.inputs import code_of
from turnwise.why.answer import Answer, lines_of
from turnwise.why.names import subjects

NOW_MS = 1_700_000_000_000
ONCE = ("", "end", "question", "form", "message", "person", "model", "conversation")
"""Subjects that need no name."""
KINDS = ("field", "node", "transition", "tool", "timer")
TYPED = ("tool", "timer")
"""Kinds of subjects that are asked for with the command, too, which starts a process."""


def is_in_words(answer: Answer) -> bool:
    """Whether the terminal prints the first sentence of an answer, and the fact behind it with its first cause."""
    printed = [line.text for line in lines_of(answer)]
    causes = answer.facts[0].causes[:1]
    return answer.line in printed[1] and all(
        any(cause.text.rstrip(".") in line for line in printed) for cause in causes
    )


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_door_gives_the_same_answers(name: str, tmp_path: Path) -> None:
    asyncio.run(ask_everywhere(name, f"sqlite:///{tmp_path / 'x.db'}"))


async def ask_everywhere(name: str, address: str) -> None:
    folder, example = examples() / name, EXAMPLES[name]
    code = code_of(folder / example.code if example.code else None)
    flow = tw.load(folder / example.flow)
    seeds = [seed for seed in read_seeds(folder) if not seed.flow]
    clock = tw.ManualClock(NOW_MS)
    app = tw.open(flow, store=address, guards=code.guards, tools=code.tools_of(flow), clock=clock)
    await play_seeds(seeds, flow, code, app.runtime.store, NOW_MS)
    assert seeds
    names = [str(one) for one in subjects(app.machine) if one.kind in KINDS]
    async with served(app, clock=clock) as client:
        for seed in seeds:
            for subject in (*ONCE, *names):
                answer = await app.chat(seed.name).why(subject)
                data = json.loads(json.dumps(answer.to_dict()))
                found = await client.get(f"/api/conversations/{seed.name}/why", params={"subject": subject})
                assert found.json() == data, (seed.name, subject)
                assert is_in_words(answer), (seed.name, subject, [line.text for line in lines_of(answer)])
                if seed is seeds[0] and subject.startswith(TYPED):
                    ran = await asyncio.to_thread(run, "explain", "--store", address, seed.name, subject, "--json")
                    assert without_sources(json.loads(ran.out)) == without_sources(data), (seed.name, subject)


def without_sources(data: Any) -> Any:
    """Return data without the places in files: a store has the flow, and not its file."""
    if isinstance(data, dict):
        return {key: without_sources(value) for key, value in data.items() if key != "source"}
    return [without_sources(one) for one in data] if isinstance(data, list) else data
