"""The benchmarks run: their adapter, their figures and their report, with tiny counts and without a demand on time."""

import asyncio
import json
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

import turnwise

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = ROOT / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import durable  # noqa: E402
import figures  # noqa: E402
import report  # noqa: E402
import run  # noqa: E402
import reasons  # noqa: E402
import serving  # noqa: E402
import tooled  # noqa: E402
import venvs  # noqa: E402
import worker  # noqa: E402
from adapters import turnwise as adapter  # noqa: E402
from promises import FIGURES, Figure  # noqa: E402

PYTHON = Path(sys.executable)


@pytest.mark.parametrize(
    ("store", "variant"), [("none", ""), ("none", "guards"), ("memory", ""), ("memory", "guards"), ("sqlite", "")]
)
def test_a_conversation_of_the_form_gives_the_replies_that_are_due(store, variant, tmp_path):
    async def play():
        blocks = worker.Blocks(adapter.FormAdapter(store, tmp_path, variant))
        await blocks.adapter.open()
        found = await blocks.block(conversations=2)
        await blocks.adapter.close()
        return found

    times, _ = asyncio.run(play())
    assert len(times) == 2 * worker.TURNS


@pytest.mark.parametrize(("store", "variant"), run.TURNS["turnwise"])
def test_a_conversation_with_tool_calls_gives_the_replies_that_are_due(store, variant, tmp_path):
    async def play():
        blocks = worker.Blocks(adapter.Adapter(store, tmp_path, variant))
        await blocks.adapter.open()
        found = await blocks.block(conversations=2)
        await blocks.adapter.close()
        return found

    times, _ = asyncio.run(play())
    assert len(times) == 2 * worker.TURNS


@pytest.mark.parametrize("store", ["none", "memory", "sqlite"])
def test_a_turn_of_w1_is_the_rivals_turn(store, tmp_path):
    """A router, two calls of the model, the tool with its arguments, and five rules of which only the last holds."""

    async def play():
        one = adapter.Adapter(store, tmp_path)
        await one.open()
        for _ in range(3):
            assert await one.turn("a", adapter.c.USER_TEXT) == adapter.c.REPLY
        found = one.hosts["a"].entries if store == "none" else (await one.app.chat("a").turn(3)).entries
        await one.close()
        return [entry.event for entry in found]

    events = asyncio.run(play())
    kinds = [type(event).__name__ for event in events]
    assert kinds.count("ModelReplied") == 2
    (called,) = [event for event in events if isinstance(event, adapter.e.ToolReturned)]
    assert (called.tool, called.result) == (adapter.c.TOOL_NAME, adapter.c.TOOL_RESULT)
    moves = [event.target for event in events if isinstance(event, adapter.e.Moved)]
    assert moves == ["router", "agent"]
    assert [event.outcomes for event in events if isinstance(event, adapter.e.Decided)][-1] == "fffft"


def test_a_long_conversation_is_loaded_with_what_a_model_is_shown(tmp_path):
    async def play():
        for turns in (4, 30):
            one = adapter.Adapter("sqlite", tmp_path)
            await one.open()
            await one.seed("a", turns)
            await one.close()
        one = adapter.Adapter("sqlite", tmp_path)
        await one.open()
        found = await one.load("a")
        await one.close()
        return found

    assert 20 <= asyncio.run(play()) <= 4 * 20  # the turns of history, with four messages each


def test_conversations_at_once_give_the_replies_that_are_due(tmp_path):
    async def play():
        form = adapter.FormAdapter("sqlite", tmp_path)
        await form.open()
        await asyncio.gather(form.begin("a"), form.begin("b"))
        turns = await worker.together(form, ["a", "b"])
        await form.close()
        return turns

    assert asyncio.run(play()) == 2 * worker.TURNS


def test_a_slower_disk_counts_its_commits_and_waits_after_each(tmp_path):
    waited = []
    with durable.disk(0.5), pytest.MonkeyPatch.context() as patch:
        patch.setattr(durable.time, "sleep", waited.append)
        db = sqlite3.connect(tmp_path / "disk.db", isolation_level=None)
        for sql in ("CREATE TABLE t (n)", "INSERT INTO t VALUES (1)", "BEGIN", "INSERT INTO t VALUES (2)", "COMMIT"):
            db.execute(sql)
        db.close()
    assert (durable.Disk.commits, waited) == (2, [0.5, 0.5])
    with closing(sqlite3.connect(tmp_path / "disk.db")) as db:
        assert type(db) is sqlite3.Connection


def test_the_form_with_guards_judges_five_that_do_not_hold():
    machine = adapter.link(adapter.form_flow(with_guards=True))
    assert len(machine.candidates("ask", "before").all) == 5


def test_only_the_last_of_the_five_guards_holds():
    decided = adapter.guards().decide()
    assert (decided.outcomes, decided.taken) == ("fffft", 4)


def test_a_flow_of_so_many_nodes_is_linked():
    machine = adapter.Adapter.compile_flow(30)
    assert len(machine.nodes) == 30


@pytest.mark.parametrize(
    ("measurement", "found"),
    [
        ("guards", lambda: figures.time_guards(1, least_s=0.0001)),
        ("explained", lambda: figures.time_explained(1, least_s=0.0001)),
        ("disk", lambda: durable.time_disk(1, conversations=5, turns=10)),
        ("turn_disk", lambda: durable.time_turn_disk(1, conversations=5, turns=10)),
        ("turn_late", lambda: tooled.time_turn_late(1, turns=6, early=2, block=2)),
        ("delta", lambda: tooled.time_delta(1, conversations=2)),
        ("many_slow", lambda: durable.time_many_slow(1, at_once=5)),
        ("parked", lambda: durable.time_parked(1, parked=20)),
        ("long", lambda: durable.time_long(1, turns=8)),
        ("late", lambda: durable.time_late(1, turns=12, block=2)),
        ("link", lambda: figures.time_link(1, nodes=20)),
        ("read", lambda: figures.time_read(1, nodes=20)),
        ("dygram", lambda: figures.time_dygram(1, nodes=20)),
        ("reasons", lambda: reasons.time_reasons(1, turns=30, searched=10)),
        ("coverage", lambda: figures.time_coverage(1, files=2)),
        ("import", lambda: figures.time_import(1, PYTHON)),
        ("commands", lambda: figures.time_commands(1, PYTHON)),
    ],
)
def test_a_measurement_gives_samples_of_all_its_figures(measurement, found):
    samples = found()
    assert set(samples) == set(figures.MEASUREMENTS[measurement].figures)
    assert all(values for values in samples.values())


@pytest.mark.parametrize(
    ("measurement", "found"),
    [
        ("server", lambda: serving.time_server(1, conversations=4, each=3, seconds=0.1)),
        ("server_streams", lambda: serving.time_server_streams(1, conversations=4, each=3)),
        ("server_memory", lambda: serving.time_server_memory(1, conversations=4, turns=24, warm=12, each=3)),
    ],
)
def test_the_server_is_measured_over_real_connections(measurement, found, monkeypatch):
    monkeypatch.setattr(venvs, "python", lambda _: PYTHON)
    samples = found()
    assert set(samples) == set(figures.MEASUREMENTS[measurement].figures)
    assert all(value > 0 for values in samples.values() for value in values)


def test_every_figure_is_measured_once():
    measured = [figure for how in figures.MEASUREMENTS.values() for figure in how.figures]
    assert sorted(measured) == sorted(FIGURES)


def test_a_figure_that_is_not_measured_is_not_kept():
    assert not figures.missing("guards", "no reason")["passed"]
    assert figures.missing("form_us", "no reason")["passed"]


@pytest.mark.parametrize(
    ("key", "samples", "passed", "ratio"),
    [
        ("guards", [1.5, 9.0, 2.0], True, 0.5),  # a time is the best of its rounds
        ("guards", [6.0, 7.0], False, 2.0),
        ("form", [10.0, 40.0, 50.0], True, 0.5),  # a ratio is the median
        ("form", [8.0, 10.0, 50.0], False, 2.0),
    ],
)
def test_a_figure_is_the_best_of_times_and_the_median_of_ratios(key, samples, passed, ratio):
    line = figures.result(key, samples)
    assert (line["passed"], line["ratio"]) == (passed, ratio)


def test_a_round_of_a_time_counts_with_its_best_sample():
    assert FIGURES["guards"].of_round([3.0, 1.0, 2.0]) == [1.0]
    assert FIGURES["form"].of_round([3.0, 1.0, 2.0]) == [3.0, 1.0, 2.0]


def test_a_rate_is_the_best_of_its_rounds():
    rate = Figure("turns", "turns/s", 2000, is_least=True)
    assert rate.of_round([1900.0, 2100.0]) == [2100.0]
    assert rate.of_rounds([2100.0, 1500.0]) == 2100.0
    assert (rate.holds(2100.0), rate.holds(1900.0)) == (True, False)


def test_what_cannot_be_measured_is_told_and_not_kept():
    lines = figures.lines_of(["form"], there={"turnwise"}, is_quick=True)
    assert {line["failed"] for line in lines} == {"there is no environment of langgraph"}
    assert {line["figure"]: line["passed"] for line in lines}["form"] is False


def test_every_adapter_has_an_environment_and_an_import():
    adapters = {path.stem for path in (BENCHMARKS / "adapters").glob("*.py")} - {"__init__"}
    assert adapters == set(venvs.OF_ADAPTER)
    assert set(run.TURNS) | set(run.FORMS) <= adapters
    assert all(run.import_of(name) != "pass" for name in adapters)


def test_the_kept_results_make_tables():
    results = report.read(sorted(BENCHMARKS.glob("results-*.jsonl")))
    assert all(table(results) for table in report.TABLES.values())


def test_the_page_has_only_tables_that_there_are():
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    begun = re.findall(r"<!-- begin (\w+) -->", page)
    assert begun
    assert set(begun) <= set(report.TABLES)
    assert begun == re.findall(r"<!-- end (\w+) -->", page)
    assert len(re.findall(r"<!-- begin", report.refreshed(page, report.Results([])))) == len(begun)


def test_the_setting_says_which_version_was_measured():
    line = {"figure": "guards", "when": "2026-12-01T10:00:00", "version": "9.8.7", "cores": 2, "machine": "m", "system": "s"}
    assert report.setting(report.Results([line])).startswith("turnwise 9.8.7, measured on 2026-12-01")
    assert report.setting(report.Results([line | {"load": 0.12}])).endswith("under s, load 0.12 before the run.")
    assert figures.version() == turnwise.__version__


def test_one_command_measures_all_works_of_the_page_and_names_the_file_with_the_lines(tmp_path, monkeypatch):
    """`w2` is for the raw results only."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert set(re.search(r"--works (.*)", makefile)[1].split()) == set(run.WORKS) - {"w2"}
    older, newer = ({"work": "versions", "adapter": "turnwise", "turnwise": one} for one in ("9.8.6", "9.8.7"))
    measured, page, kept = tmp_path / "all.jsonl", tmp_path / "page.md", tmp_path / "results-9.8.7.jsonl"
    measured.write_text(f"{json.dumps(older)}\n{json.dumps(newer)}\n", encoding="utf-8")
    page.write_text("before\n<!-- begin source -->\nold\n<!-- end source -->\nafter\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["report.py", "--page", str(page), "--keep", str(kept), str(measured)])
    report.main()
    assert [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()] == [newer]
    assert f"`{kept}`" in page.read_text(encoding="utf-8")
    assert "old" not in page.read_text(encoding="utf-8")
