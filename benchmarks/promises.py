"""What this release promises: each figure, its unit and its limit."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

NODES = 1000
"""The nodes of the flow that is read and linked."""
TURNS = 10_000
"""The turns of a long conversation."""
TOOLED = 3000
"""The turns of a long conversation with tool calls."""
PARKED = 100_000
"""How many conversations wait in one file."""

DUE = 10_000
"""How many conversations are due at one moment."""

INNER = 1000
"""The messages inside a survey after which the conversation around it goes on."""

BEST = ("µs", "ms", "s", "turns/s")
"""The units of which a figure is the best of its rounds: what else the machine does can only make it worse."""


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
        """What counts of a round: the best one of a time, all samples of anything else."""
        return [self._best(samples)] if self.unit in BEST else samples

    def of_rounds(self, samples: list[float]) -> float:
        """The figure: the best of times, the median of anything else."""
        return self._best(samples) if self.unit in BEST else statistics.median(samples)

    def _best(self, samples: list[float]) -> float:
        return max(samples) if self.unit == "turns/s" else min(samples)

    def share(self, measured: float) -> float | None:
        """How much of the limit is used: up to 1 it is kept."""
        if self.bound is None:
            return None
        return self.bound / measured if self.is_least else measured / self.bound

    @property
    def demanded(self) -> str:
        """The limit in words."""
        return "" if self.bound is None else f"{'≥' if self.is_least else '≤'} {self.bound:g} {self.unit}"


SERVED = (
    "server_rate",
    "server_bare_rate",
    "server_ratio",
    "server_joined_ratio",
    "server_cpu_us",
    "server_p50",
    "server_p99",
)
"""The figures of the server that are measured together."""

_LONG = f"turn {TURNS} of a conversation ÷ turn 10"

_ITEMS = "a turn that changes an item, with 200 items ÷ with 2"

_DYGRAM = f"a DyGram document of {NODES} nodes, {2 * NODES} edges and {NODES} guards"

FIGURES = {
    "guards": Figure("five guards judged, verdicts recorded, the first four false", "µs", 3),
    "guards_plain": Figure("the same rules as five Python lambdas", "µs"),
    "guards_ratio": Figure("guards, judged and recorded ÷ lambdas", "×"),
    "explained": Figure("that decision explained in full, with needs, as JSON", "µs", 50),
    "turn_core": Figure("LangGraph's W1 ÷ ours, both without store, the core alone", "×", 22, is_least=True),
    "turn": Figure("LangGraph's W1 ÷ ours with prompts and a runner for tools, both without store", "×"),
    "turn_say": Figure("LangGraph's W1 without store ÷ `say`, memory store", "×"),
    "turn_core_us": Figure("a turn with a tool call without store, the core alone", "µs"),
    "turn_us": Figure("the same with prompts and a runner for tools", "µs"),
    "turn_say_us": Figure("`say` with a tool call, memory store", "µs"),
    "turn_langgraph": Figure("LangGraph's W1 on SQLite ÷ ours, FULL", "×", 14, is_least=True),
    "turn_exit": Figure("the same, LangGraph writing once a turn (`exit`)", "×", 5, is_least=True),
    "turn_disk": Figure("a turn with a tool call on SQLite, FULL ÷ one plain row appended and synced", "×", 4),
    "turn_disk_slow": Figure("the same, with syncs slowed by 1 ms", "×", 3.5),
    "turn_disk_us": Figure("a turn with a tool call on SQLite, FULL", "µs"),
    "turn_disk_plain": Figure("one plain row appended and synced", "µs"),
    "turn_disk_commits": Figure("commits of a turn with a tool call", "commits", 4),
    "turn_disk_bytes": Figure("written by a turn with a tool call", "KB", 18),
    "turn_disk_bytes_many": Figure("the same, with 200 conversations interleaved", "KB", 25),
    "turn_late": Figure(f"turn {TOOLED} of a conversation with tool calls ÷ its turn 100, processor", "×", 1.15),
    "turn_ready": Figure(f"a conversation of {TOOLED} turns with tool calls ready for its next one", "ms", 1),
    "turn_many": Figure("200 conversations on SQLite: turns with a tool call ÷ LangGraph's W3", "×", 25, is_least=True),
    "turn_many_rate": Figure("200 conversations with tool calls on SQLite, FULL", "turns/s"),
    "turn_many_slow": Figure(
        "200 conversations with tool calls, with syncs slowed by 1 ms", "turns/s", 2200, is_least=True
    ),
    "delta": Figure("from a message to the first piece of a reply, on SQLite, the provider taking no time", "ms", 2),
    "delta_after": Figure("of that, from the provider's saying it to the caller", "ms"),
    "disk": Figure("a form turn on SQLite, FULL ÷ one plain row appended and synced", "×", 2.5),
    "disk_slow": Figure("the same, with syncs slowed by 1 ms", "×", 3.5),
    "disk_us": Figure("a form turn on SQLite, FULL", "µs"),
    "disk_plain": Figure("one plain row appended and synced", "µs"),
    "disk_commits": Figure("commits of a form turn", "commits", 3),
    "disk_bytes": Figure("written by a form turn", "KB", 18),
    "disk_bytes_many": Figure("the same, with 200 conversations interleaved", "KB", 25),
    "many": Figure("200 conversations on SQLite: form turns ÷ LangGraph's W3, per second", "×", 25, is_least=True),
    "many_rate": Figure("200 conversations on SQLite, FULL", "turns/s"),
    "many_slow": Figure("the same, with syncs slowed by 1 ms", "turns/s", 2200, is_least=True),
    "server_rate": Figure(
        "the server: turns over HTTP on SQLite, FULL, 200 conversations, 200 streams", "turns/s", 2400, is_least=True
    ),
    "server_bare_rate": Figure("uvicorn alone, with as many answers and events of the same length", "turns/s"),
    "server_ratio": Figure("the server ÷ uvicorn alone", "×", 0.08, is_least=True),
    "server_joined_ratio": Figure("the server ÷ uvicorn alone, which sends the events of a turn as one", "×"),
    "server_cpu_us": Figure("of a turn over HTTP, time of the server's processor, all threads", "µs"),
    "server_p50": Figure("1,000 turns a second over HTTP: answer and event, the median", "ms"),
    "server_p99": Figure("the same, the 99th of a hundred", "ms", 100),
    "server_journal_rate": Figure("the server, each stream with all entries of its journal", "turns/s"),
    "server_journal_ratio": Figure("the same ÷ uvicorn alone, with as many events of the same length", "×"),
    "server_debug_rate": Figure("the server, each stream with all that the debug panel shows", "turns/s"),
    "server_debug_ratio": Figure("the same ÷ uvicorn alone, with as many events of the same length", "×"),
    "server_memory": Figure("memory of the server after 50,000 turns ÷ after 10,000", "×", 1.02),
    "server_memory_mb": Figure("memory of the server after 50,000 turns", "MB"),
    "parked": Figure(f"one of {PARKED} parked conversations ready for its next turn: the slowest of twenty", "ms", 2),
    "parked_bytes": Figure(f"memory of a parked conversation, of {PARKED}", "bytes", 100),
    "why_not": Figure(f"why-not of a turn of a {TURNS}-turn conversation: the slowest of twenty", "ms", 20),
    "why_any": Figure(f"why of any subject of a {TURNS}-turn conversation, or in plain words: the slowest", "ms", 20),
    "why_traced": Figure("the origin of a value, through 20 steps", "ms", 5),
    "why_compared": Figure("where two conversations of 1,000 turns differ first", "ms", 500),
    "why_ways": Figure("the ways to a node, from a conversation of 1,000 turns", "ms", 500),
    "open_long": Figure(f"opening a conversation of {TURNS} turns for its next one", "ms", 2),
    "late_time": Figure(f"{_LONG}, time of the processor", "×", 1.2),
    "late_written": Figure(f"{_LONG}, bytes written", "×", 1.05),
    "late_steps": Figure(f"{_LONG}, what SQLite reads and writes, in its own steps", "×", 1.2),
    "scope": Figure("what opening and closing a scope adds to two turns on SQLite, FULL ÷ these, processor", "×", 1),
    "scope_after": Figure(
        f"the turn after a survey of {INNER} inner messages ÷ the turn before it, processor", "×", 1.1
    ),
    "scope_after_steps": Figure(
        "ten turns after it ÷ ten before it, what SQLite reads and writes, in its own steps", "×", 1.1
    ),
    "items_memory": Figure(f"{_ITEMS}, memory store, processor", "×", 1.5),
    "items_disk": Figure("the same on SQLite, FULL", "×", 1.5),
    "items_written": Figure("the same, bytes written", "×", 1.5),
    "items_read_memory": Figure("the same where two guards read the list, memory store, processor", "×", 1.5),
    "items_read_disk": Figure("the same on SQLite, FULL", "×", 1.5),
    "items_read_written": Figure("the same, bytes written", "×", 1.5),
    "link": Figure(f"linking {NODES} nodes with {NODES} guards", "ms", 80),
    "checks": Figure(f"all static checks of {NODES} nodes with {NODES} guards", "ms", 500),
    "read_ratio": Figure(f"reading {NODES} nodes from YAML ÷ ruamel.yaml's safe load", "×", 1.5),
    "read_rt_ratio": Figure("the same ÷ ruamel.yaml's round-trip load", "×"),
    "read_ms": Figure("the same", "ms"),
    "dygram_link": Figure(f"{_DYGRAM}, read and linked", "ms", 400),
    "dygram_check": Figure("`check` of the same", "ms", 600),
    "dygram_format": Figure("`format` of the same", "ms", 300),
    "dygram_broken": Figure("the report of the same that breaks off in its last line", "ms", 400),
    "lsp_completion": Figure("completion in the same, from a keystroke to the answer in the editor", "ms", 50),
    "lsp_completion_checked": Figure("the same while the document is checked", "ms"),
    "dygram_memory": Figure("memory that `check` of the same takes, at most", "MB", 100),
    "form": Figure("LangGraph's W1 ÷ a form turn, both without store", "×", 20, is_least=True),
    "form_memory": Figure("LangGraph's W1 without store ÷ `say` in a form, memory store", "×"),
    "form_like": Figure("LangGraph's hand-written form turn ÷ ours, both without store", "×"),
    "form_guards": Figure("LangGraph's W1 ÷ a form turn with five guards, without store", "×"),
    "form_us": Figure("a form turn without store", "µs"),
    "say_us": Figure("`say` in a form, memory store", "µs"),
    "langgraph_us": Figure("LangGraph's W1 without store", "µs"),
    "coverage": Figure("a run of all transcripts with coverage ÷ without", "×", 1.25),
    "failover_1s_p99": Figure("PostgreSQL: SIGKILL to the turn's end in another replica's stream, `dead_after=1s`", "s", 3),
    "failover_p99": Figure("the same with the default of 10 s; the slowest hundredth of turns", "s", 12),
    "drain_p99": Figure("the same after SIGTERM, from the end of `drain_s`", "s", 2),
    "schedule_turn": Figure("a turn of a flow with schedules ÷ the same turn without, SQLite", "×", 1.1),
    "schedule_start": Figure(f"entering an app with {PARKED:,} conversations armed, processor", "s", 1),
    "schedule_look": Figure(
        f"looking for what is due beside {PARKED:,} timers overdue of a flow that nobody serves, processor", "ms", 1
    ),
    "schedule_rate": Figure(
        f"{DUE:,} conversations due at one moment ÷ ordinary turns, by rate", "×", 0.7, is_least=True
    ),
    "schedule_rate_two": Figure("the same with two processes on the file", "×", 0.7, is_least=True),
    "schedule_wait": Figure("a user's message meanwhile: the slowest hundredth of replies", "ms", 300),
    "import": Figure("`import turnwise`, over the bare interpreter", "ms", 80),
    "import_all": Figure("the same with all that a conversation needs", "ms"),
    "first_import": Figure("a cold process to the end of `import turnwise`, time of the processor", "ms"),
    "first_plain": Figure("a cold process to the reply of its first turn, of a flow without a form", "ms"),
    "first_turn": Figure("the same of the example `eligibility`, whose form hears the message", "ms", 110),
    "check": Figure("`turnwise check` of a small flow, whole process", "s", 0.4),
    "check_examples": Figure("the same of each example, the slowest", "s", 0.6),
    "help": Figure("`turnwise --help`, whole process", "s"),
}
