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
import re
import subprocess
import sys
import time
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import common as c
import durable
import editing
import listed
import reasons
import scheduled
import scoped
import serving
import tooled
import venvs
import worker
from promises import FIGURES, NODES, SERVED
from talkers import FORM, MANY, TURN, TURN_ON_DISK, Talker

Samples = dict[str, list[float]]


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


def time_link(repeats: int, nodes: int = NODES) -> Samples:
    """Linking a flow that was read from its text."""
    from adapters.turnwise import large_text

    from turnwise.authoring.document import read_document
    from turnwise.core.link import link

    flow = read_document(large_text(nodes), "large.flow.yaml").flow
    assert len(flow.nodes) == nodes
    return {"link": [seconds * 1e3 for seconds in (once(lambda: link(flow)) for _ in range(repeats + 1))][1:]}


def time_checks(repeats: int, nodes: int = NODES) -> Samples:
    """All static checks of a flow that was linked."""
    from adapters.turnwise import large_text

    from turnwise.authoring.document import read_document
    from turnwise.check import check
    from turnwise.core.link import link

    machine = link(read_document(large_text(nodes), "large.flow.yaml").flow)
    assert {found.code for found in check(machine)} == {"TW058"}, "nothing fills the fields of that flow"
    return {"checks": [seconds * 1e3 for seconds in (once(lambda: check(machine)) for _ in range(repeats))]}


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


def dygram_text(nodes: int) -> str:
    """A DyGram document of so many tasks, with two edges out of each, one of them with a guard."""
    tasks = [f'task n{n} "Step {n}" {{ prompt: "Do step {n} with {{{{ ledger.amount }}}}."; }}' for n in range(nodes)]
    edges = [
        f'n{n} -when: "ledger.amount > {n}"-> n{(n + 7) % nodes};\nn{n} -> n{(n + 1) % nodes};' for n in range(nodes)
    ]
    return "\n".join(["context ledger { amount: 0; }", *tasks, *edges]) + "\n"


def time_dygram(repeats: int, nodes: int = NODES) -> Samples:
    """Reading, linking, checking and formatting a DyGram document, and the report of one that breaks off."""
    import tracemalloc

    from turnwise.api.documents import check_text
    from turnwise.authoring.document import read_document
    from turnwise.authoring.dygram.formatter import format_document
    from turnwise.authoring.dygram.statements import parse
    from turnwise.core.link import link

    text = dygram_text(nodes)
    broken = text.rpartition(";")[0] + "; n1 -> {"
    assert not any(one.severity == "error" for one in check_text(text.encode(), "large.dy"))
    assert check_text(broken.encode(), "large.dy")[0].severity == "error"
    work: dict[str, Callable[[], Any]] = {
        "dygram_link": lambda: link(read_document(text, "large.dy").flow),
        "dygram_check": lambda: check_text(text.encode(), "large.dy"),
        "dygram_format": lambda: format_document(parse(text).document),
        "dygram_broken": lambda: check_text(broken.encode(), "large.dy"),
    }
    found: Samples = {key: [once(call) * 1e3 for _ in range(repeats)] for key, call in work.items()}
    tracemalloc.start()
    work["dygram_check"]()
    found["dygram_memory"] = [tracemalloc.get_traced_memory()[1] / 1e6]
    tracemalloc.stop()
    return found


TRANSCRIPTS = venvs.ROOT / "tests" / "transcripts"


def time_coverage(repeats: int, files: int | None = None) -> Samples:
    """Playing scenarios and counting what they saw of their flows, told in lines; and only playing them; in turns."""
    from turnwise.testing.coverage import Coverage
    from turnwise.testing.coverage.report import lines
    from turnwise.testing.play import play_file
    from turnwise.testing.scenario import read_scenarios

    scenarios = [read_scenarios(path) for path in sorted(TRANSCRIPTS.glob("*.scenario"))[:files]]

    def play(coverage: Coverage | None) -> None:
        for played in map(play_file, scenarios):
            assert all(one.passed for one in played)
            if coverage is not None:
                coverage.add_all(turn for one in played for turn in one.turns)

    def count() -> None:
        coverage = Coverage()
        play(coverage)
        assert len(list(lines(coverage.flows))) > 1

    once(count)
    return {"coverage": [once(count) / once(lambda: play(None)) for _ in range(repeats)]}


def once(function: Callable[[], Any]) -> float:
    """Seconds of the processor for one call, on a heap without garbage."""
    gc.collect()
    start = time.process_time()
    function()
    return time.process_time() - start


# whole processes ---------------------------------------------------------------------------------


CONVERSE = (
    "import turnwise; turnwise.open, turnwise.load; from turnwise.models import no_model; "
    "from turnwise.understanding import rules; from turnwise.understanding.vocabulary import en"
)
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


FIRST = {
    "first_import": "import turnwise",
    "first_plain": """
import turnwise
nodes = {"hello": {"say": "Hello.", "transitions": [{"stay": True}]}}
turn = turnwise.open_sync({"flow": "hello", "start": "hello", "nodes": nodes}).chat("main").say("hi there")
assert turn.text == "Hello.", turn.text
""",
    "first_turn": """
import sys, turnwise
turn = turnwise.open_sync(sys.argv[1]).chat("main").say("we have some")
assert turn.text.startswith("Do we have"), turn.text
""",
}
"""Cold processes; the offline rules read the message of the last one."""


def time_first_turn(repeats: int) -> Samples:
    """Milliseconds of the processor from the start of an interpreter to the end of each program, in turns."""
    variables, example = venvs.variables("turnwise"), venvs.ROOT / "examples/eligibility/eligibility.flow.yaml"
    found: Samples = {name: [] for name in FIRST}
    for _ in range(repeats + 1):
        for name, program in FIRST.items():
            program += "\nimport time; print(time.process_time() * 1e3)"
            command = [venvs.python("turnwise"), "-c", program, str(example)]
            done = subprocess.run(command, check=True, capture_output=True, text=True, env=variables)
            found[name].append(float(done.stdout))
    return {name: times[1:] for name, times in found.items()}  # the first runs write the byte code


def time_commands(repeats: int, python: Path | None = None) -> Samples:
    """The command line, from its start to its end."""
    run = _runner(python)
    code = ("-c", "from turnwise.cli import main; main()")
    run(*code, "check", str(durable.EXAMPLE))
    found: Samples = {"check": [], "check_examples": [], "help": []}
    for _ in range(repeats):
        found["check"].append(run(*code, "check", str(durable.EXAMPLE)))
        found["check_examples"].append(max(run(*code, "check", str(path)) for path in durable.EXAMPLES))
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


def in_turns(parts: Mapping[str, tuple[str, str, str, str]], repeats: int) -> list[dict[str, float]]:
    """Blocks of several engines in turns, so that what befalls the machine befalls all; the first are not counted."""
    talkers: dict[str, Talker] = {}
    try:
        for name, given in parts.items():
            talkers[name] = Talker(*given)
        return [{name: talker.block() for name, talker in talkers.items()} for _ in range(repeats + 1)][1:]
    finally:
        for talker in talkers.values():
            talker.close()


def time_many(repeats: int) -> Samples:
    """200 conversations at once, of both engines in turns."""
    rounds = in_turns(MANY, repeats)
    return {
        "many": [each["langgraph"] / each["form"] for each in rounds],
        "many_rate": [1e6 / each["form"] for each in rounds],
        "turn_many": [each["langgraph"] / each["turn"] for each in rounds],
        "turn_many_rate": [1e6 / each["turn"] for each in rounds],
    }


def time_turn(repeats: int) -> Samples:
    """Turns with a tool call, one after another, without a store that lasts."""
    rounds = in_turns(TURN, repeats)
    return {
        "turn_core": [each["langgraph"] / each["core"] for each in rounds],
        "turn": [each["langgraph"] / each["ours"] for each in rounds],
        "turn_say": [each["langgraph"] / each["say"] for each in rounds],
        "turn_core_us": [each["core"] for each in rounds],
        "turn_us": [each["ours"] for each in rounds],
        "turn_say_us": [each["say"] for each in rounds],
    }


def time_turn_on_disk(repeats: int) -> Samples:
    """The same on SQLite, ours with every sync that makes it last."""
    rounds = in_turns(TURN_ON_DISK, repeats)
    return {
        "turn_langgraph": [each["langgraph"] / each["ours"] for each in rounds],
        "turn_exit": [each["exit"] / each["ours"] for each in rounds],
    }


def time_ends(repeats: int) -> Samples:
    """Ends of replicas on PostgreSQL, from `failing_over`, which the environments of the benchmarks cannot import."""
    import failing_over

    return failing_over.time_ends(repeats)


def time_form(repeats: int) -> Samples:
    """Turns of conversations one after another, without a store that lasts."""
    rounds = in_turns(FORM, repeats)
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
    """How some figures are measured: in so many rounds, with so many samples in each. With `in_checkout` in the
    environment of the checkout, for what uses helpers of the tests.
    """

    function: Callable[[int], Samples]
    figures: tuple[str, ...]
    rounds: int
    repeats: int
    environments: tuple[str, ...] = ("turnwise",)
    in_checkout: bool = False


MEASUREMENTS = {
    "guards": Measurement(time_guards, ("guards", "guards_plain", "guards_ratio"), 7, 30),
    "explained": Measurement(time_explained, ("explained",), 7, 40),
    "disk": Measurement(
        durable.time_disk,
        ("disk", "disk_slow", "disk_us", "disk_plain", "disk_commits", "disk_bytes", "disk_bytes_many"),
        3,
        5,
    ),
    "turn": Measurement(
        time_turn,
        ("turn_core", "turn", "turn_say", "turn_core_us", "turn_us", "turn_say_us"),
        3,
        5,
        ("turnwise", "langgraph"),
    ),
    "turn_on_disk": Measurement(time_turn_on_disk, ("turn_langgraph", "turn_exit"), 3, 5, ("turnwise", "langgraph")),
    "turn_disk": Measurement(
        durable.time_turn_disk,
        tuple(f"turn_disk{end}" for end in ("", "_slow", "_us", "_plain", "_commits", "_bytes", "_bytes_many")),
        3,
        5,
    ),
    "turn_late": Measurement(tooled.time_turn_late, ("turn_late", "turn_ready"), 2, 12),
    "delta": Measurement(tooled.time_delta, ("delta", "delta_after"), 3, 5),
    "many": Measurement(
        time_many, ("many", "many_rate", "turn_many", "turn_many_rate"), 2, 3, ("turnwise", "langgraph")
    ),
    "many_slow": Measurement(durable.time_many_slow, ("many_slow", "turn_many_slow"), 2, 3),
    "server": Measurement(serving.time_server, SERVED, 3, 3, ("turnwise", "server")),
    "server_streams": Measurement(
        serving.time_server_streams,
        ("server_journal_rate", "server_journal_ratio", "server_debug_rate", "server_debug_ratio"),
        2,
        3,
        ("turnwise", "server"),
    ),
    "server_memory": Measurement(
        serving.time_server_memory, ("server_memory", "server_memory_mb"), 1, 1, ("turnwise", "server")
    ),
    "parked": Measurement(durable.time_parked, ("parked", "parked_bytes"), 1, 20),
    "long": Measurement(durable.time_long, ("why_not", "open_long"), 2, 5),
    "reasons": Measurement(reasons.time_reasons, ("why_any", "why_traced", "why_compared", "why_ways"), 1, 7),
    "late": Measurement(durable.time_late, ("late_time", "late_written", "late_steps"), 1, 12),
    "scopes": Measurement(scoped.time_scopes, ("scope", "scope_after", "scope_after_steps"), 1, 5),
    "items": Measurement(
        listed.time_items, tuple([f"{name}_{figure}" for name in listed.GUARDS for figure in listed.FIGURES]), 2, 3
    ),
    "failing_over": Measurement(
        time_ends, ("failover_1s_p99", "failover_p99", "drain_p99"), 1, 1, in_checkout=True
    ),
    "schedule_turn": Measurement(scheduled.time_arming, ("schedule_turn",), 2, 5),
    "schedules": Measurement(scheduled.time_due, ("schedule_rate", "schedule_rate_two", "schedule_wait"), 1, 1),
    "schedules_armed": Measurement(scheduled.time_looks, ("schedule_start", "schedule_look"), 1, 3),
    "link": Measurement(time_link, ("link",), 6, 9),
    "checks": Measurement(time_checks, ("checks",), 4, 4),
    "read": Measurement(time_read, ("read_ratio", "read_rt_ratio", "read_ms"), 3, 2),
    "dygram": Measurement(
        time_dygram, ("dygram_link", "dygram_check", "dygram_format", "dygram_broken", "dygram_memory"), 3, 3
    ),
    "completion": Measurement(
        editing.time_completion, ("lsp_completion", "lsp_completion_checked"), 3, 8, in_checkout=True
    ),
    "form": Measurement(
        time_form,
        ("form", "form_memory", "form_like", "form_guards", "form_us", "say_us", "langgraph_us"),
        3,
        5,
        ("turnwise", "langgraph"),
    ),
    "coverage": Measurement(time_coverage, ("coverage",), 3, 5),
    "import": Measurement(time_import, ("import", "import_all"), 5, 7),
    "first_turn": Measurement(time_first_turn, tuple(FIRST), 5, 6),
    "commands": Measurement(time_commands, ("check", "check_examples", "help"), 5, 4),
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
    python = sys.executable if MEASUREMENTS[name].in_checkout else venvs.python("turnwise")
    command = [python, __file__, "--measure", name, "--repeats"]
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


def version() -> str:
    """The version of turnwise that is measured, as its source says."""
    found = re.search(
        r'^__version__ = "(.+)"', (venvs.ROOT / "src/turnwise/__init__.py").read_text("utf-8"), re.MULTILINE
    )
    return found[1] if found is not None else ""


def lines_of(names: Iterable[str], there: Container[str], *, is_quick: bool) -> list[dict[str, Any]]:
    """A line for each figure of some measurements; `there` are the environments that could be made."""
    absent = {
        name: f"there is no environment of {environment}"
        for name in names
        for environment in MEASUREMENTS[name].environments
        if environment not in there
    }
    before = {"load": round(os.getloadavg()[0], 2)}
    samples, failed = measure([name for name in names if name not in absent], is_quick=is_quick)
    failed |= absent
    facts = {**machine(), **before, "version": version(), "when": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())}
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
    parser.add_argument("--out", type=Path, help="a file that the JSON lines are appended to")
    parser.add_argument("--measure", choices=list(MEASUREMENTS), help=argparse.SUPPRESS)
    parser.add_argument("--repeats", type=int, default=1, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        print(json.dumps(MEASUREMENTS[args.measure].function(args.repeats)))
        return 0
    there = venvs.make(name for chosen in args.only for name in MEASUREMENTS[chosen].environments)
    lines = lines_of(args.only, there, is_quick=args.quick)
    encoded = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    if args.out:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        with args.out.open("a", encoding="utf-8") as file:
            file.write(encoded + "\n")
    if args.json:
        print(encoded)
    else:
        print(table(row(line) for line in lines))
        print("\nused: the share of the limit that is used; up to 1.00 it is kept")
        print(pace(lines))
        for reason in dict.fromkeys(line["failed"] for line in lines if "failed" in line):
            print(f"not measured: {reason}")
    return 0 if all(line["passed"] for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
