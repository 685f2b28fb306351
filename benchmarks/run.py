"""Runs the measurements of every adapter, each in its own environment and process; appends JSON lines.

    python benchmarks/run.py --out .bench/results.jsonl
    python benchmarks/run.py --out .bench/results.jsonl --adapters turnwise langgraph --works w1 form --stores none

The environments are made when they are missing (`make_venvs.sh`). README.md says what is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
import venvs
import worker

HERE = Path(__file__).resolve().parent

TURNS = {
    "turnwise": [("none", ""), ("none", "core"), ("memory", ""), ("sqlite", "")],
    "plain_limit": [("none", ""), ("sqlite", ""), ("sqlite", "full"), ("postgres", "")],
    "langgraph": [
        ("none", ""),
        ("memory", ""),
        ("sqlite", ""),
        ("postgres", ""),
        ("sqlite", "exit"),
        ("sqlite", "sync"),
        ("sqlite", "delta"),
        ("postgres", "delta"),
        ("postgres", "exit"),
    ],
    "burr": [("none", ""), ("memory", ""), ("sqlite", ""), ("postgres", ""), ("sqlite", "rebuild")],
    "pydantic_ai": [("none", ""), ("none", "nograph"), ("memory", ""), ("sqlite", ""), ("postgres", "")],
    "openai_agents": [("none", ""), ("memory", ""), ("sqlite", ""), ("postgres", "")],
    "google_adk": [("memory", ""), ("sqlite", ""), ("postgres", "")],
    "llama_workflows": [("memory", ""), ("sqlite", "")],
    "crewai_flow": [("none", ""), ("sqlite", "")],
}
"""The stores and variants of an adapter that are worth a run of W1, W2 and W3."""

FORMS = {
    "turnwise": [("none", ""), ("none", "guards"), ("memory", ""), ("sqlite", "")],
    "langgraph": [("none", ""), ("memory", "")],
}
"""The same for the form."""

WORKS = ("versions", "w1", "form", "w3", "form3", "w4", "compile", "w5", "w2s", "w2")
OF_FORM = ("form", "form3")
OF_CLASS = ("versions", "compile", "w5")


class Cell(NamedTuple):
    """One measurement."""

    work: str
    adapter: str
    store: str = "none"
    variant: str = ""


def cells(args: argparse.Namespace) -> Iterator[Cell]:
    """What is to be measured, in order."""
    stores = args.stores or ["none", "memory", "sqlite", *(["postgres"] if os.environ.get("BENCH_PG_HOST") else [])]
    for work in args.works:
        for adapter in args.adapters:
            if work in OF_CLASS or work == "w4":
                yield Cell(work, adapter)
                continue
            for store, variant in (FORMS if work in OF_FORM else TURNS).get(adapter, ()):
                is_wanted = store in stores and (args.variants is None or variant in args.variants)
                if is_wanted and _is_worth(work, store, variant):
                    yield Cell(work, adapter, store, variant)


def _is_worth(work: str, store: str, variant: str) -> bool:
    """Long conversations need a store, and seeded ones a durable one that keeps whole states."""
    if work == "w2s":
        return store in ("sqlite", "postgres") and variant != "delta"
    return work != "w2" or store != "none"


def measured(cell: Cell, python: Path, args: argparse.Namespace) -> dict[str, Any]:
    """The result of a cell, or why there is none."""
    environment = venvs.OF_ADAPTER[cell.adapter]
    if cell.work == "w4":
        return cold_start(python, environment, import_of(cell.adapter), args.repeats)
    command = [python, HERE / "worker.py", "--adapter", cell.adapter, "--work", cell.work]
    command += ["--store", cell.store, "--variant", cell.variant, "--repeats", args.repeats]
    command += ["--time-limit", args.time_limit, "--max-turn", args.max_turn]
    try:
        done = subprocess.run(
            [str(part) for part in command],
            capture_output=True,
            text=True,
            check=False,
            timeout=args.time_limit * 4 + 120,
            env=venvs.variables(environment),
        )
    except subprocess.TimeoutExpired:
        return {"failed": "took too long"}
    found = next((line for line in done.stdout.splitlines() if line.startswith("RESULT ")), None)
    return json.loads(found[len("RESULT ") :]) if found else {"failed": worker.last_line(done.stderr)}


def import_of(adapter: str) -> str:
    """The import of an adapter, read from its text, for it can only be imported in its own environment."""
    text = (HERE / "adapters" / f"{adapter}.py").read_text(encoding="utf-8")
    found = re.search(r'^    IMPORT = \(?\s*"(.*)"', text, re.MULTILINE)
    return found.group(1) if found else "pass"


# W4: a fresh interpreter -------------------------------------------------------------------------

_MEMORY = "print('RSS', next((x.split()[1] for x in open('/proc/self/status') if x.startswith('VmRSS')), 0))"
_MODULES = "import sys; print('MODULES', len(sys.modules))"


def _used_s() -> float:
    """Seconds of the processor that ended children have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cold_start(python: Path, environment: str, statement: str, repeats: int) -> dict[str, Any]:
    """Fresh interpreters with the import, less interpreters without it, in turns; the first of each warms up."""
    variables = venvs.variables(environment)

    def timed(code: str) -> tuple[float, float, subprocess.CompletedProcess[str]]:
        start, used = time.perf_counter(), _used_s()
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False, env=variables, cwd="/")
        return (time.perf_counter() - start) * 1e3, (_used_s() - used) * 1e3, done

    walls: dict[str, list[float]] = {"bare": [], "full": []}
    processor: dict[str, list[float]] = {"bare": [], "full": []}
    memory: dict[str, list[float]] = {"bare": [], "full": []}
    for repeat in range(repeats + 1):
        for kind, code in (("bare", _MEMORY), ("full", f"{statement}\n{_MEMORY}")):
            wall, used, done = timed(code)
            if done.returncode:
                return {"failed": worker.last_line(done.stderr)}
            if repeat:
                walls[kind].append(wall)
                processor[kind].append(used)
                memory[kind].append(int(done.stdout.split("RSS")[1]) / 1024)
    *_, done = timed(f"{statement}\n{_MODULES}")
    full, bare = walls["full"], walls["bare"]
    return {
        "import_ms": statistics.median(full) - statistics.median(bare),
        "import_cpu_ms": statistics.median(processor["full"]) - statistics.median(processor["bare"]),
        "wall_ms": statistics.median(full),
        "wall_min": min(full),
        "wall_max": max(full),
        "python_ms": statistics.median(bare),
        "rss_mb": statistics.median(memory["full"]),
        "rss_python_mb": statistics.median(memory["bare"]),
        "modules": int(done.stdout.split("MODULES")[1]) if "MODULES" in done.stdout else None,
    }


# -------------------------------------------------------------------------------------------------


def shown(line: dict[str, Any]) -> str:
    """A result, short enough for a terminal."""
    short = {key: round(value, 3) if isinstance(value, float) else value for key, value in line.items()}
    return json.dumps({key: value for key, value in short.items() if key not in ("when", "note")})


def main() -> None:
    """Measure cell after cell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=Path, help="the file that results are appended to")
    parser.add_argument("--venvs", type=Path, default=venvs.FOLDER, help="the folder of the environments")
    parser.add_argument("--adapters", nargs="*", default=list(venvs.OF_ADAPTER), choices=list(venvs.OF_ADAPTER))
    parser.add_argument("--works", nargs="*", default=list(WORKS), choices=WORKS)
    parser.add_argument("--stores", nargs="*", help="none, memory, sqlite, postgres")
    parser.add_argument("--variants", nargs="*", help="only these variants; '' is the plain one")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--time-limit", type=float, default=100, help="seconds for one conversation of W2")
    parser.add_argument("--max-turn", type=int, default=3000, help="the last turn of W2")
    args = parser.parse_args()
    pythons = venvs.make((venvs.OF_ADAPTER[adapter] for adapter in args.adapters), args.venvs)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    for cell in cells(args):
        python = pythons.get(venvs.OF_ADAPTER[cell.adapter])
        if python is None:
            continue
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())
        line = {**cell._asdict(), **measured(cell, python, args), "when": when}
        with args.out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        print(shown(line), flush=True)


if __name__ == "__main__":
    main()
