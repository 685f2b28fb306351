"""Checks the figures that this release promises; exit 1 where one is not kept, or could not be measured.

    python benchmarks/figures.py
    python benchmarks/figures.py --only guards form
    python benchmarks/figures.py --json >> .bench/results.jsonl

Every measurement runs in several rounds, spread over the whole run, each in processes of its own, in
environments that are made when they are missing. What else the machine has to do can only make a
time longer, so a time is the best of its rounds, and a round counts with its best sample. A ratio is
of samples that were taken in turns, and is the median of all rounds. What happens inside a process
is measured in time of the processor, whole processes and turns by the clock on the wall.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import common as c
import venvs
import worker
from talkers import TALKERS, Talker

EXAMPLE = venvs.ROOT / "examples" / "eligibility" / "eligibility.flow.yaml"
NODES = 1000
TURNS = 10_000

Samples = dict[str, list[float]]


@dataclass(frozen=True)
class Figure:
    """What is promised: a limit; without one the figure is only told."""

    what: str
    unit: str
    bound: float | None = None
    is_least: bool = False

    def holds(self, measured: float) -> bool:
        """True if the limit is kept, or there is none."""
        return self.bound is None or (measured >= self.bound if self.is_least else measured <= self.bound)

    def of_round(self, samples: list[float]) -> list[float]:
        """What counts of a round: all samples of a ratio, the best one of a time."""
        return samples if self.unit == "×" else [min(samples)]

    def of_rounds(self, samples: list[float]) -> float:
        """The figure: the median of ratios, the best of times."""
        return statistics.median(samples) if self.unit == "×" else min(samples)

    def share(self, measured: float) -> float | None:
        """How much of the limit is used: up to 1 it is kept."""
        if self.bound is None:
            return None
        return self.bound / measured if self.is_least else measured / self.bound

    @property
    def demanded(self) -> str:
        """The limit in words."""
        return "" if self.bound is None else f"{'≥' if self.is_least else '≤'} {self.bound:g} {self.unit}"


FIGURES = {
    "guards": Figure("five guards judged, verdicts recorded, the first four false", "µs", 3),
    "guards_plain": Figure("the same rules as five Python lambdas", "µs"),
    "guards_ratio": Figure("guards, judged and recorded ÷ lambdas", "×"),
    "explained": Figure("that decision explained in full, with needs, as JSON", "µs", 20),
    "why_not": Figure(f"why-not of a turn of a {TURNS}-turn conversation: the slowest of twenty", "ms", 20),
    "open_long": Figure(f"opening a conversation of {TURNS} turns for its next one", "ms", 2),
    "link": Figure(f"linking {NODES} nodes with {NODES} guards", "ms", 100),
    "read_ratio": Figure(f"reading {NODES} nodes from YAML ÷ ruamel.yaml's safe load", "×", 1.5),
    "read_rt_ratio": Figure("the same ÷ ruamel.yaml's round-trip load", "×"),
    "read_ms": Figure("the same", "ms"),
    "form": Figure("LangGraph's W1 ÷ a form turn, both without store", "×", 20, is_least=True),
    "form_memory": Figure("LangGraph's W1 without store ÷ `say` in a form, memory store", "×"),
    "form_like": Figure("LangGraph's hand-written form turn ÷ ours, both without store", "×"),
    "form_guards": Figure("LangGraph's W1 ÷ a form turn with five guards, without store", "×"),
    "form_us": Figure("a form turn without store", "µs"),
    "say_us": Figure("`say` in a form, memory store", "µs"),
    "langgraph_us": Figure("LangGraph's W1 without store", "µs"),
    "import": Figure("`import turnwise`, over the bare interpreter", "ms", 80),
    "import_all": Figure("the same with all that a conversation needs", "ms"),
    "check": Figure("`turnwise check` of a small flow, whole process", "s", 0.4),
    "help": Figure("`turnwise --help`, whole process", "s"),
}


# in one process of our own environment -----------------------------------------------------------


def time_guards(repeats: int, least_s: float = 0.02) -> Samples:
    """Five guards against five lambdas, in turns."""
    from adapters.turnwise import guards

    ours = guards().decide
    found: Samples = {"guards": [], "guards_plain": [], "guards_ratio": []}
    for _ in range(repeats):
        (judged,) = worker.calls(ours, 1, least_s)
        (plain,) = worker.calls(lambda: c.evaluate_rules(c.FIELDS, c.REPLY), 1, least_s)
        found["guards"].append(judged * 1e6)
        found["guards_plain"].append(plain * 1e6)
        found["guards_ratio"].append(judged / plain)
    return found


def time_explained(repeats: int, least_s: float = 0.02) -> Samples:
    """Explaining the decision of the five guards, and encoding what was found."""
    from adapters.turnwise import guards
    from msgspec.json import Encoder

    told = guards().explainer()
    encode = Encoder().encode
    assert b"user.age >= 65" in encode(told()), "the explanation says what is needed"
    return {"explained": [seconds * 1e6 for seconds in worker.calls(lambda: encode(told()), repeats, least_s)]}


def time_long(repeats: int, turns: int = TURNS) -> Samples:
    """Asking a long conversation in a SQLite file why, and opening it as a process does that did not serve it."""
    from random import Random
    from tempfile import TemporaryDirectory

    import turnwise as tw

    found: Samples = {"why_not": [], "open_long": []}
    chance = Random(turns)
    with TemporaryDirectory() as folder:
        address = f"sqlite:///{folder}/long.db"
        file = long_conversation(turns)
        with tw.open(EXAMPLE, store=address).blocking as chat:
            chat.import_(file)
            for _ in range(repeats):
                some = [chance.randint(1, turns) for _ in range(20)]
                found["why_not"].append(max(clocked(lambda n=n: chat.explain(turn=n)) for n in some) * 1e3)
        for _ in range(repeats):
            with tw.open(EXAMPLE, store=address).blocking as chat:
                engine = chat.chat.engine
                found["open_long"].append(clocked(lambda: chat._wait(engine.settled("main"))) * 1e3)
    return found


def long_conversation(turns: int) -> bytes:
    """The file of a conversation of so many turns, in which an answer is changed again and again."""
    import turnwise as tw

    with tw.open(EXAMPLE).blocking as chat:
        chat.start()
        for number in range(turns - 1):
            chat.commands([tw.commands.Set(field="case.patient_info", value=("Yes", "No", "Unknown")[number % 3])])
        return chat.export()


def clocked(function: Callable[[], Any]) -> float:
    """Seconds by the clock on the wall for one call."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def time_link(repeats: int, nodes: int = NODES) -> Samples:
    """Linking a flow that was read from its text."""
    from adapters.turnwise import large_text

    from turnwise.authoring.document import read_document
    from turnwise.core.link import link

    flow = read_document(large_text(nodes), "large.flow.yaml").flow
    assert len(flow.nodes) == nodes
    return {"link": [seconds * 1e3 for seconds in (once(lambda: link(flow)) for _ in range(repeats + 1))][1:]}


def time_read(repeats: int, nodes: int = NODES) -> Samples:
    """Reading a flow from its text, and what ruamel.yaml alone takes for the same text, in turns."""
    from adapters.turnwise import large_flow, large_text
    from ruamel.yaml import YAML

    from turnwise.authoring.document import read_document

    text = large_text(nodes)
    flow, diagnostics = read_document(text, "large.flow.yaml")
    assert not diagnostics, diagnostics[:3]
    assert flow == large_flow(nodes)
    found: Samples = {"read_ratio": [], "read_rt_ratio": [], "read_ms": []}
    for _ in range(repeats):
        ours = once(lambda: read_document(text, "large.flow.yaml"))
        safe = once(lambda: YAML(typ="safe", pure=True).load(text))
        round_trip = once(lambda: YAML(typ="rt").load(text))
        found["read_ms"].append(ours * 1e3)
        found["read_ratio"].append(ours / safe)
        found["read_rt_ratio"].append(ours / round_trip)
    return found


def once(function: Callable[[], Any]) -> float:
    """Seconds of the processor for one call, on a heap without garbage."""
    gc.collect()
    start = time.process_time()
    function()
    return time.process_time() - start


# whole processes ---------------------------------------------------------------------------------


CONVERSE = "import turnwise; turnwise.open, turnwise.load; from turnwise.providers import offline, silent"
"""All that `turnwise.open(flow)` and a first message load."""


def time_import(repeats: int, python: Path | None = None) -> Samples:
    """Fresh interpreters with and without the import, in turns: one sample each, the best less the best."""
    run = _runner(python)
    statements = {"bare": "pass", "import": "import turnwise", "import_all": CONVERSE}
    run("-c", CONVERSE)  # writes the byte code
    found: Samples = {name: [] for name in statements}
    for _ in range(repeats):
        for name, statement in statements.items():
            found[name].append(run("-c", statement) * 1e3)
    bare = min(found.pop("bare"))
    return {name: [min(times) - bare] for name, times in found.items()}


def time_commands(repeats: int, python: Path | None = None) -> Samples:
    """The command line, from its start to its end."""
    run = _runner(python)
    code = ("-c", "from turnwise.cli import main; main()")
    run(*code, "check", str(EXAMPLE))
    found: Samples = {"check": [], "help": []}
    for _ in range(repeats):
        found["check"].append(run(*code, "check", str(EXAMPLE)))
        found["help"].append(run(*code, "--help"))
    return found


def _runner(python: Path | None) -> Callable[..., float]:
    """A function that runs an interpreter and gives the seconds that it took."""
    interpreter = python or venvs.python("turnwise")
    variables = venvs.variables("turnwise")

    def run(*arguments: str) -> float:
        start = time.perf_counter()
        done = subprocess.run([interpreter, *arguments], check=False, capture_output=True, text=True, env=variables)
        took = time.perf_counter() - start
        if done.returncode:
            raise RuntimeError(worker.last_line(done.stderr))
        return took

    return run


# against LangGraph -------------------------------------------------------------------------------


def time_form(repeats: int) -> Samples:
    """Blocks of both engines in turns, so that what befalls the machine befalls both."""
    talkers: dict[str, Talker] = {}
    try:
        for name, parts in TALKERS.items():
            talkers[name] = Talker(*parts)
        rounds = [{name: talker.block() for name, talker in talkers.items()} for _ in range(repeats + 1)][1:]
    finally:
        for talker in talkers.values():
            talker.close()
    return {
        "form": [each["langgraph"] / each["form"] for each in rounds],
        "form_memory": [each["langgraph"] / each["say"] for each in rounds],
        "form_like": [each["langgraph_form"] / each["form"] for each in rounds],
        "form_guards": [each["langgraph"] / each["guards"] for each in rounds],
        "form_us": [each["form"] for each in rounds],
        "say_us": [each["say"] for each in rounds],
        "langgraph_us": [each["langgraph"] for each in rounds],
    }


# measuring ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measurement:
    """How some figures are measured: in so many rounds, with so many samples in each."""

    function: Callable[[int], Samples]
    figures: tuple[str, ...]
    rounds: int
    repeats: int
    environments: tuple[str, ...] = ("turnwise",)


MEASUREMENTS = {
    "guards": Measurement(time_guards, ("guards", "guards_plain", "guards_ratio"), 7, 30),
    "explained": Measurement(time_explained, ("explained",), 7, 40),
    "long": Measurement(time_long, ("why_not", "open_long"), 2, 5),
    "link": Measurement(time_link, ("link",), 6, 9),
    "read": Measurement(time_read, ("read_ratio", "read_rt_ratio", "read_ms"), 3, 2),
    "form": Measurement(
        time_form,
        ("form", "form_memory", "form_like", "form_guards", "form_us", "say_us", "langgraph_us"),
        3,
        5,
        ("turnwise", "langgraph"),
    ),
    "import": Measurement(time_import, ("import", "import_all"), 5, 7),
    "commands": Measurement(time_commands, ("check", "help"), 5, 4),
}


def measure(names: Iterable[str], *, is_quick: bool) -> tuple[Samples, dict[str, str]]:
    """The samples of some measurements, a round of each and then the next; and why some have none."""
    found: Samples = {}
    failed: dict[str, str] = {}
    for number in range(1 if is_quick else max(how.rounds for how in MEASUREMENTS.values())):
        for name in names:
            if number >= MEASUREMENTS[name].rounds or name in failed:
                continue
            print(f"round {number + 1} of {name}", file=sys.stderr)
            try:
                of_round = measure_round(name, is_quick=is_quick)
            except RuntimeError as error:
                failed[name] = str(error)
                continue
            for figure, samples in of_round.items():
                found.setdefault(figure, []).extend(FIGURES[figure].of_round(samples))
    return found, failed


def measure_round(name: str, *, is_quick: bool) -> Samples:
    """The samples of one round. Raises `RuntimeError` where its process fails."""
    repeats = MEASUREMENTS[name].repeats
    command = [venvs.python("turnwise"), __file__, "--measure", name, "--repeats"]
    done = subprocess.run(
        [*command, str(min(repeats, 5) if is_quick else repeats)],
        capture_output=True,
        text=True,
        check=False,
        env=venvs.variables("turnwise"),
    )
    if done.returncode:
        raise RuntimeError(worker.last_line(done.stderr))
    return json.loads(done.stdout.splitlines()[-1])


def result(key: str, samples: list[float]) -> dict[str, Any]:
    """A figure and what became of it."""
    figure = FIGURES[key]
    measured = figure.of_rounds(samples)
    share = figure.share(measured)
    known = c.spread(samples)
    return {
        "figure": key,
        "what": figure.what,
        "unit": figure.unit,
        "measured": c.short(measured),
        "min": known["min"],
        "max": known["max"],
        "median": known["median"],
        "samples": len(samples),
        "demanded": figure.demanded,
        "ratio": None if share is None else round(share, 3),
        "passed": figure.holds(measured),
    }


def missing(key: str, why: str) -> dict[str, Any]:
    """A figure that could not be measured; a promise that is not measured is not kept."""
    figure = FIGURES[key]
    return {
        "figure": key,
        "what": figure.what,
        "unit": figure.unit,
        "failed": why,
        "demanded": figure.demanded,
        "passed": figure.bound is None,
    }


HEAD = ("figure", "limit", "measured", "min–max", "used", "ok")


def row(line: Mapping[str, Any]) -> tuple[str, ...]:
    """A figure as the cells of a table, one for each of `HEAD`."""
    verdict = "" if not line["demanded"] else "yes" if line["passed"] else "NO"
    if "failed" in line:
        return line["what"], line["demanded"], "not measured", "", "", verdict
    ratio = "" if line["ratio"] is None else f"{line['ratio']:.2f}"
    spread = f"{line['min']:.4g}–{line['max']:.4g}"
    return line["what"], line["demanded"], f"{line['measured']:.4g} {line['unit']}", spread, ratio, verdict


def table(rows: Iterable[tuple[str, ...]]) -> str:
    """Cells under one another."""
    known = [HEAD, *rows]
    widths = [max(len(cells[column]) for cells in known) for column in range(len(HEAD))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() for cells in known
    )


REFERENCE_US = 0.34
"""What the five lambdas take on the idle machine on which the limits in µs, ms and s were set."""


def pace(lines: Iterable[Mapping[str, Any]]) -> str:
    """How this machine, as busy as it is now, compares with that one."""
    for line in lines:
        if line["figure"] == "guards_plain" and "measured" in line:
            share = line["measured"] / REFERENCE_US
            return f"plain Python takes {share:.2f} times as long here as where the limits in µs, ms and s were set"
    return ""


def machine() -> dict[str, Any]:
    """What was measured on, as far as it matters and names nobody."""
    return {"machine": platform.machine(), "system": platform.system(), "cores": os.cpu_count()}


def lines_of(names: Iterable[str], there: Container[str], *, is_quick: bool) -> list[dict[str, Any]]:
    """A line for each figure of some measurements; `there` are the environments that could be made."""
    absent = {
        name: f"there is no environment of {environment}"
        for name in names
        for environment in MEASUREMENTS[name].environments
        if environment not in there
    }
    samples, failed = measure([name for name in names if name not in absent], is_quick=is_quick)
    failed |= absent
    facts = {**machine(), "when": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())}
    return [
        {**(missing(figure, failed[name]) if name in failed else result(figure, samples[figure])), **facts}
        for name in names
        for figure in MEASUREMENTS[name].figures
    ]


def main() -> int:
    """Measure, tell, and say whether all promises are kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", choices=list(MEASUREMENTS), default=list(MEASUREMENTS))
    parser.add_argument("--quick", action="store_true", help="few samples, to see that it runs")
    parser.add_argument("--json", action="store_true", help="print JSON lines instead of a table")
    parser.add_argument("--measure", choices=list(MEASUREMENTS), help=argparse.SUPPRESS)
    parser.add_argument("--repeats", type=int, default=1, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        print(json.dumps(MEASUREMENTS[args.measure].function(args.repeats)))
        return 0
    there = venvs.make(name for chosen in args.only for name in MEASUREMENTS[chosen].environments)
    lines = lines_of(args.only, there, is_quick=args.quick)
    if args.json:
        print("\n".join(json.dumps(line, ensure_ascii=False) for line in lines))
    else:
        print(table(row(line) for line in lines))
        print("\nused: the share of the limit that is used; up to 1.00 it is kept")
        print(pace(lines))
        for reason in dict.fromkeys(line["failed"] for line in lines if "failed" in line):
            print(f"not measured: {reason}")
    return 0 if all(line["passed"] for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
