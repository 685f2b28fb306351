"""Markdown tables from the JSON lines of `run.py`, `figures.py`, `limits.py` and `cel_bench.py`.

    python benchmarks/report.py .bench/results.jsonl            # print every table
    python benchmarks/report.py --page docs/benchmarks.md --keep benchmarks/results-0.2.0.jsonl .bench/*.jsonl

The newest line of each cell counts. A page keeps its words; what stands between `<!-- begin NAME -->`
and `<!-- end NAME -->` is replaced by the table of that name. `--keep` stores the lines that count in a file, which the
page then names.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import figures

NAMES = {
    "plain_limit": "plain Python, the limit",
    "turnwise": "**turnwise**",
    "langgraph": "LangGraph",
    "burr": "Burr",
    "pydantic_ai": "Pydantic AI + graph",
    "openai_agents": "OpenAI Agents SDK",
    "google_adk": "Google ADK",
    "llama_workflows": "LlamaIndex workflows",
    "crewai_flow": "CrewAI flows",
    "transitions_fsm": "transitions",
    "statemachine_fsm": "python-statemachine",
    "pipecat_flows": "Pipecat flows",
}

Line = dict[str, Any]


class Results:
    """The newest line of every cell."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.cells: dict[tuple[str, str, str, str], Line] = {}
        self.figures: dict[str, Line] = {}
        self.limits: dict[str, Line] = {}
        self.kept_in = ""
        for line in lines:
            if "figure" in line:
                self.figures[line["figure"]] = line
            elif "work" in line:
                self.cells[line["work"], line["adapter"], line.get("store", ""), line.get("variant", "")] = line
            else:
                self.limits[line.get("limit") or line["what"]] = line

    def of(self, work: str) -> list[Line]:
        """The lines of a work, in the order of the names above."""
        order = list(NAMES)
        found = [line for key, line in self.cells.items() if key[0] == work]
        return sorted(found, key=lambda line: order.index(line["adapter"]) if line["adapter"] in order else len(order))


def read(files: Iterable[Path]) -> Results:
    """The results of some files; a line may begin with what its program calls it."""
    lines: list[Line] = []
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            start = line.find("{")
            if start >= 0:
                lines.append(json.loads(line[start:]))
    return Results(lines)


# cells -------------------------------------------------------------------------------------------


def grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; empty where there are no rows."""
    known = [f"| {' | '.join(cells)} |" for cells in rows]
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *known]) if known else ""


def name(line: Line) -> str:
    """An engine, with its variant."""
    shown = NAMES.get(line["adapter"], line["adapter"])
    return f"{shown} ({line['variant']})" if line.get("variant") else shown


def number(value: float) -> str:
    """Three digits that count."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def between(line: Line, middle: str, least: str, most: str) -> str:
    """A median with its spread."""
    return f"{number(line[middle])} ({number(line[least])}–{number(line[most])})"


def failed(line: Line, width: int) -> list[str]:
    """What stands in place of the numbers of a cell that failed."""
    reason = str(line.get("failed") or line.get("error"))[-80:].replace("|", "/")
    return [f"failed: {reason}", *[""] * (width - 1)]


def rows_of(lines: Iterable[Line], width: int, cells: Callable[[Line], list[str]]) -> list[list[str]]:
    """Rows that begin with engine and store."""
    return [[name(line), line["store"], *(failed(line, width) if "failed" in line else cells(line))] for line in lines]


# tables ------------------------------------------------------------------------------------------


def setting(results: Results) -> str:
    """Which version of turnwise was measured, when and on what."""
    known = [*results.figures.values(), *results.cells.values()]
    days = sorted({line["when"][:10] for line in known if "when" in line})
    pythons = sorted({line["python"] for line in results.of("versions") if "python" in line})
    found = [line.get("version", line.get("turnwise")) for line in (*results.figures.values(), *results.of("versions"))]
    measured = sorted({f"turnwise {one}" for one in found if one})
    what = f"{' and '.join(measured)}, measured" if measured else "Measured"
    parts = [f"{what} on {days[0]}" if len(days) == 1 else f"{what} from {days[0]} to {days[-1]}"] if days else []
    parts += [f"Python {', '.join(pythons)}"] if pythons else []
    for line in list(results.figures.values())[:1]:
        parts.append(f"{line['cores']} cores of a shared {line['machine']} machine under {line['system']}")
        parts += [f"load {line['load']} before the run"] if "load" in line else []
    return ", ".join(parts) + "." if parts else ""


def promised(results: Results) -> str:
    """The figures of the release."""
    lines = [results.figures[key] for key in figures.FIGURES if key in results.figures]
    return grid(figures.HEAD, [figures.row(line) for line in lines])


def turns(results: Results) -> str:
    """Turns of short conversations, against the same turn of turnwise without a store.

    They are compared by time of the processor: nothing here waits for a disk or a network, and it says the
    same on a busy machine.
    """

    def cells(line: Line) -> list[str]:
        ours = results.cells.get((line["work"], "turnwise", "none", ""), {}).get("cpu_ms")
        share = f"{line['cpu_ms'] / ours:.2f}" if ours else ""
        return [between(line, "ms", "ms_min", "ms_max"), number(line["p99_ms"]), number(line["cpu_ms"]), share]

    head = ("engine", "turn", "store", "ms per turn (min–max)", "99th percentile", "CPU ms")
    head += ("CPU ÷ turnwise, no store",)
    rows: list[list[str]] = []
    for work, kind in (("w1", "W1"), ("form", "form")):
        known = [line for line in results.of(work) if line["store"] in ("none", "memory")]
        rows += [[row[0], kind, *row[1:]] for row in rows_of(known, 4, cells)]
    return grid(head, rows)


def durable(results: Results) -> str:
    """What a turn writes."""

    def cells(line: Line) -> list[str]:
        written = line["wal_bytes_per_turn"] if line["store"] == "postgres" else line["wchar_per_turn"]
        times = [between(line, "ms", "ms_min", "ms_max"), number(line["cpu_ms"]), number(line["p99_ms"])]
        return [*times, f"{written:,.0f}", f"{line['store_bytes_per_turn']:,.0f}"]

    head = ("engine", "store", "ms per turn (min–max)", "CPU ms", "99th percentile", "bytes written", "store grows by")
    return grid(head, rows_of([line for line in results.of("w1") if line["store"] not in ("none", "memory")], 5, cells))


def long(results: Results) -> str:
    """One conversation, played from its first turn."""
    marks = ("1", "100", "300", "1000", "3000")

    def cells(line: Line) -> list[str]:
        windows = line["windows"]
        key = "wal_per_turn" if line["store"] == "postgres" else "wchar"
        times = [number(windows[mark]["ms"]) if mark in windows else "–" for mark in marks]
        written = [f"{windows[mark][key]:,.0f}" if mark in windows else "–" for mark in marks[1:]]
        sizes = [(mark, windows[mark]["disk_total"]) for mark in marks if mark in windows and mark != "1"]
        sizes += [(mark, window["disk_total"]) for mark, window in windows.items() if mark.startswith("last")]
        return [*times, *written, "; ".join(f"{size / 1e6:.1f} @{mark}" for mark, size in sizes)]

    head = ("engine", "store", *(f"ms at {mark}" for mark in marks), *(f"bytes at {mark}" for mark in marks[1:]), "MB")
    return grid(head, rows_of(results.of("w2"), len(head) - 2, cells))


def seeded(results: Results) -> str:
    """A conversation whose history was laid down at once, and loading it."""

    def cells(line: Line) -> list[str]:
        key = "wal_per_turn" if line["store"] == "postgres" else "wchar"
        first, last = line["windows"]["1000"], line["windows"]["3000"]
        loads = [line[f"w6_{mark}"]["open_ms"] + line[f"w6_{mark}"]["load_ms"] for mark in (1000, 3000)]
        times = [between(window, "ms", "ms_min", "ms_max") for window in (first, last)]
        written = [f"{window[key]:,.0f}" for window in (first, last)]
        return [*times, *written, f"{last['rchar']:,.0f}", *map(number, loads), f"{last['rss_mb']:.0f}"]

    head = ("engine", "store", "ms at 1000 (min–max)", "ms at 3000 (min–max)", "bytes written at 1000", "at 3000")
    head += ("bytes read at 3000", "cold load of 1000 turns, ms", "of 3000", "memory, MB")
    return grid(head, rows_of(results.of("w2s"), len(head) - 2, cells))


def many(results: Results) -> str:
    """200 conversations at once."""

    def cells(line: Line) -> list[str]:
        times = [between(line, "tps", "tps_min", "tps_max"), number(line["p50_ms"]), number(line["p99_ms"])]
        return [*times, f"{line['errors']} {line['error'][:60]}".strip(), f"{line['rss_mb']:.0f}"]

    head = ("engine", "store", "turns per second (min–max)", "median, ms", "99th percentile", "errors", "memory, MB")
    return grid(head, rows_of([*results.of("form3"), *results.of("w3")], 5, cells))


def imports(results: Results) -> str:
    """Fresh interpreters."""
    head = ("engine", "import, CPU ms over bare Python", "whole process, ms (min–max)", "memory, MB", "modules")
    rows: list[list[str]] = []
    for line in results.of("w4"):
        if "failed" in line or "error" in line:
            rows.append([name(line), *failed(line, 4)])
            continue
        walls = between(line, "wall_ms", "wall_min", "wall_max")
        used = number(line["import_cpu_ms"]) if "import_cpu_ms" in line else "–"
        rows.append([name(line), used, walls, f"{line['rss_mb']:.0f}", str(line["modules"])])
    return grid(head, rows)


def compiling(results: Results) -> str:
    """Building and checking a flow."""
    rows: list[list[str]] = []
    for line in results.of("compile"):
        found = line.get("compile_ms", {})
        sizes = [found.get(size, "–") for size in ("10", "100", "1000")]
        if found:
            rows.append([name(line), *(number(size) if isinstance(size, float) else str(size)[:60] for size in sizes)])
    return grid(("engine", "10 nodes, ms", "100", "1000"), rows)


def transitions(results: Results) -> str:
    """Judging five rules."""
    found = [line for line in results.of("w5") if "us_per_transition" in line]
    rows = [[name(line), between(line, "us_per_transition", "min", "max")] for line in found]
    return grid(("engine", "µs per transition with five rules (min–max)"), rows)


def limits(results: Results) -> str:
    """What disk, databases, encoders and guard languages cost by themselves."""
    rows: list[list[str]] = []
    for what, line in results.limits.items():
        if "failed" in line:
            rows.append([what, *failed(line, 2)])
            continue
        unit = "us" if "us" in line else "per_s"
        shown = {"us": "µs", "per_s": "per second"}[unit]
        rows.append([what, f"{number(line[unit])} ({number(line['min'])}–{number(line['max'])})", shown])
    return grid(("what", "median (min–max)", ""), rows)


_NO_PACKAGES = ("adapter", "work", "store", "variant", "maxrss_mb", "when", "python")


def versions(results: Results) -> str:
    """The packages that were measured."""
    lines: list[str] = []
    for line in results.of("versions"):
        packages = [f"{package} {found}" for package, found in line.items() if package not in _NO_PACKAGES]
        if packages:
            lines.append(f"- {NAMES.get(line['adapter'], line['adapter'])}: {', '.join(packages)}")
    return "\n".join(lines)


def source(results: Results) -> str:
    """Where the lines are that the page was made of."""
    made = "The tables on this page are made by `benchmarks/report.py` (`make page`)"
    return f"{made} from the file `{results.kept_in}`." if results.kept_in else f"{made}."


TABLES: dict[str, Callable[[Results], str]] = {
    "setting": setting,
    "promised": promised,
    "turns": turns,
    "durable": durable,
    "long": long,
    "seeded": seeded,
    "many": many,
    "imports": imports,
    "compiling": compiling,
    "transitions": transitions,
    "limits": limits,
    "versions": versions,
    "source": source,
}


def refreshed(page: str, results: Results) -> str:
    """A page with its tables made anew. Raises `KeyError` for a table that there is not."""

    def replaced(found: re.Match[str]) -> str:
        made = TABLES[found[1]](results) or "*Not measured.*"
        return f"<!-- begin {found[1]} -->\n{made}\n<!-- end {found[1]} -->"

    return re.sub(r"<!-- begin (\w+) -->\n.*?<!-- end \1 -->", replaced, page, flags=re.DOTALL)


def main() -> None:
    """Print the tables, or refresh a page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--page", type=Path, help="the page whose tables are made anew")
    parser.add_argument("--keep", type=Path, help="the file that the lines that count are written to")
    args = parser.parse_args()
    results = read(args.files)
    if args.keep is not None:
        known = [*results.cells.values(), *results.figures.values(), *results.limits.values()]
        args.keep.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in known), encoding="utf-8")
        results.kept_in = args.keep.as_posix()
    if args.page is None:
        made = {title: table(results) for title, table in TABLES.items()}
        print("\n\n".join(f"### {title}\n\n{text}" for title, text in made.items() if text))
        return
    args.page.write_text(refreshed(args.page.read_text(encoding="utf-8"), results), encoding="utf-8")


if __name__ == "__main__":
    main()
