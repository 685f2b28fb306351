"""The metrics of a server: each is shown by what changes it, and no series is about one conversation or owner."""

from __future__ import annotations

import asyncio
import re
import threading
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_metrics
from prometheus_client.parser import text_string_to_metric_families

import turnwise as tw
from support.chats import flow_of
from support.postgres import DATABASES
from support.served import in_loop, served
from support.tools import FakeTool, uses
from turnwise.core.state import events as e
from turnwise.core.step import step
from turnwise.core.turn import Step
from turnwise.errors import StoreUnavailable
from turnwise.runner.model_port import ModelReply
from turnwise.runner.outbox_port import DeliveryRetries
from turnwise.runner.ports import Commit
from turnwise.server import metrics as server_metrics
from turnwise.server import readings
from turnwise.stores.memory import MemoryStore
from turnwise.stores.postgres.store import PostgresStore

NOON_MS = 1_767_960_000_000
HOUR_MS = 3_600_000
PAGE = Path(__file__).parents[2] / "docs" / "metrics.md"
FLOW = """
flow: f
start: a
records: {r: {n: integer}}
tools: {look: {about: Looks., kind: effect}}
nodes:
  a:
    prompt: Talk.
    tools: [look]
    transitions: [{id: remind, at: timer, in: 1h, to: b}, {id: bye, when: message.text == "bye", to: c}]
  b: {prompt: Talk on.}
  c: {say: Bye., end: done}
"""
Series = dict[tuple[str, frozenset[tuple[str, str]]], float]


class CountedModel:
    """A model whose planned replies say what they used."""

    def __init__(self, *plan: ModelReply) -> None:
        self.plan = list(plan)

    async def reply(self, _request: Any) -> ModelReply:
        return self.plan.pop(0)


def opened(store: Any = None, *replies: Any, **more: Any) -> tw.App:
    more.setdefault("clock", tw.ManualClock(NOON_MS))
    more.setdefault("model", tw.ScriptedModel(replies))
    app = tw.open(flow_of(FLOW), store=store or MemoryStore(), **more)
    app.runtime.performer.tools = {"look": FakeTool("seen")}
    return app


async def scraped(client: Any, **headers: str) -> Series:
    """Return all samples by name and labels."""
    answer = await client.get("/api/metrics", headers=headers)
    assert answer.status_code == 200, answer.text
    families = list(text_string_to_metric_families(answer.text))
    return {(one.name, frozenset(one.labels.items())): one.value for family in families for one in family.samples}


def value(found: Series, name: str, **labels: str) -> float | None:
    return found.get((f"turnwise_{name}", frozenset(labels.items())))


@in_loop
async def test_a_turn_with_a_tool_counts_its_outcome_its_phases_its_tokens_and_its_claim() -> None:
    plan = (ModelReply("", "gpt-x", 12, 3, uses("look").calls), ModelReply("Done.", "gpt-x", 8, 2, cost=0.25))
    app = opened(model=CountedModel(*plan))
    async with served(app) as client:
        await app.chat("x").say("look")
        found = await scraped(client)
    assert value(found, "turns_total", flow="f", outcome="completed") == 1
    assert value(found, "turn_seconds_count", flow="f") == 1
    counts = {phase: value(found, "phase_seconds_count", flow="f", phase=phase) for phase in server_metrics.PHASES}
    assert (counts["lock"], counts["model"], counts["tool"]) == (1, 2, 1)
    assert (counts["commit"] or 0) >= 2  # before the tool, and at the end
    assert value(found, "tool_calls_total", flow="f", tool="look", outcome="returned") == 1
    tokens = {"flow": "f", "model": "gpt-x"}
    assert value(found, "model_tokens_total", **tokens, direction="input") == 20
    assert value(found, "model_tokens_total", **tokens, direction="output") == 5
    assert value(found, "model_cost_usd_total", **tokens) == 0.25
    assert value(found, "claims_total", flow="f") == 1
    assert value(found, "recoveries_total", flow="f") == 0


@in_loop
async def test_what_fails_is_counted_where_it_fails() -> None:
    app = opened(None, uses("look"), RuntimeError("no model"))

    def breaks() -> None:
        raise RuntimeError("no tool")

    app.runtime.performer.tools = {"look": FakeTool(breaks)}
    async with served(app) as client:
        await app.chat("x").say("look")
        found = await scraped(client)
    assert value(found, "tool_calls_total", flow="f", tool="look", outcome="failed") == 1
    assert value(found, "model_failures_total", flow="f", model="scripted") == 1
    assert value(found, "turns_total", flow="f", outcome="failed") == 1
    assert value(found, "turns_total", flow="f", outcome="completed") == 0


@in_loop
async def test_a_refused_event_is_no_turn_and_a_repeated_key_is_neither() -> None:
    app = opened(None, "Hello.")
    async with served(app) as client:
        chat = app.chat("x")
        await chat.say("hello", key="k")
        await chat.say("hello", key="k")
        assert (await chat.say("other", key="k")).refused == "key_reused"
        found = await scraped(client)
    assert value(found, "turns_total", flow="f", outcome="completed") == 1
    assert value(found, "refusals_total", flow="f", code="key_reused") == 1


@in_loop
async def test_a_turn_of_a_dead_process_counts_as_recovered_here() -> None:
    store = MemoryStore()
    gone = opened(store, "One.")
    await gone.chat("x").say("one")
    begun = step(gone.machine, await gone.chat("x").state(), e.UserSaid("two"), NOON_MS)
    assert isinstance(begun, Step)
    await store.commit("x", Commit(begun.entries))
    app = opened(store, "Two.")
    async with served(app) as client:
        await app.runtime.engine.recover(waits=True)
        found = await scraped(client)
    assert value(found, "recoveries_total", flow="f") == 1
    assert value(found, "phase_seconds_count", flow="f", phase="model") == 1


@in_loop
async def test_the_lag_is_that_of_the_oldest_due_timer_and_none_before_it_is_due() -> None:
    clock = tw.ManualClock(NOON_MS)
    app = opened(None, "Hello.", "Again.", clock=clock)
    async with served(app, clock=clock) as client:
        await app.chat("x").say("hello")
        assert value(await scraped(client), "timer_lag_seconds", flow="f") == 0
        await app.runtime.background.drain()
        clock.move_s(60 * 61)
        assert value(await scraped(client), "timer_lag_seconds", flow="f") == 60


@in_loop
async def test_deliveries_are_counted_by_how_they_ended_and_those_that_wait() -> None:
    clock, left = tw.ManualClock(NOON_MS), [RuntimeError("receiver is down")]

    def receive(_: tw.Delivery) -> None:
        if left:
            raise left.pop()

    app = opened(None, "Hello.", "Are you there?", clock=clock, deliver=receive)
    async with served(app, clock=clock) as client:
        await app.runtime.background.drain()
        await app.chat("x").say("hello")
        clock.move_s(60 * 60)
        await app.tick()
        found = await scraped(client)
        assert value(found, "deliveries_total", flow="f", outcome="waiting") == 1
        assert value(found, "deliveries_waiting", flow="f") == 1
        clock.move_s(60 * 1)
        assert (value(await scraped(client), "delivery_lag_seconds", flow="f") or 0) > 58
        await app.tick()
        found = await scraped(client)
    assert value(found, "deliveries_total", flow="f", outcome="delivered") == 1
    assert value(found, "deliveries_total", flow="f", outcome="failed") == 0
    assert (value(found, "deliveries_waiting", flow="f"), value(found, "delivery_lag_seconds", flow="f")) == (0, 0)
    assert DeliveryRetries().first_pause_s < 2, "the pause is over after a minute"


@pytest.mark.parametrize("is_slow", [False, True])
@in_loop
async def test_a_store_that_does_not_answer_is_down_and_old_values_are_gone(
    is_slow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: Any, **__: Any) -> Any:
        if is_slow:
            await asyncio.sleep(60)
        raise StoreUnavailable("memory", "it is down")

    monkeypatch.setattr(readings, "STORE_TIMEOUT_S", 0.05)
    app = opened()
    async with served(app) as client:
        assert value(await scraped(client), "store_up") == 1
        monkeypatch.setattr(app.runtime.store, "next_due", fails)
        found = await scraped(client)
    assert value(found, "store_up") == 0
    assert value(found, "timer_lag_seconds", flow="f") is None
    assert value(found, "turns_total", flow="f", outcome="completed") == 0, "the counters stay"


@in_loop
async def test_the_connections_of_the_store_are_those_that_work_uses_or_waits_for(tmp_path: Path) -> None:
    store = PostgresStore(DATABASES.at(tmp_path) + "&readers=2")
    app = opened(store)
    gates = [threading.Event() for _ in range(3)]
    async with served(app) as client:
        await app.runtime.background.drain()  # which reads, too
        assert [value(await scraped(client), name) for name in LOAD] == [2, 0, 0]
        working = [asyncio.ensure_future(store.reader.run(lambda _, gate=gate: gate.wait(20))) for gate in gates]
        await asyncio.sleep(0)
        asking = asyncio.ensure_future(scraped(client))
        await asyncio.sleep(0.05)
        for gate in gates:
            gate.set()
        assert [value(await asking, name) for name in LOAD] == [2, 2, 1]
        await asyncio.gather(*working)
        assert [value(await scraped(client), name) for name in LOAD] == [2, 0, 0]


LOAD = ("store_connections", "store_connections_in_use", "store_reads_waiting")


@in_loop
async def test_a_version_whose_function_is_missing_counts_as_unavailable() -> None:
    store = MemoryStore()
    gone = opened(store, "Hello.")
    await gone.chat("x").say("hello")
    other = flow_of(FLOW.replace("say: Bye.", "say: Good bye."))
    app = tw.open(other, store=store, model=tw.ScriptedModel(["Hi."]), clock=tw.ManualClock(NOON_MS))
    document = store._flows.pop(gone.machine.fingerprint)
    async with served(app) as client:
        assert value(await scraped(client), "flow_versions_unavailable", flow="f") == 0
        assert (await app.chat("x").say("again")).refused == "flow_unavailable"
        found = await scraped(client)
        assert value(found, "flow_versions_unavailable", flow="f") == 1
        assert value(found, "refusals_total", flow="f", code="flow_unavailable") == 1
        await store.keep_flow(gone.machine.fingerprint, document)
        assert value(await scraped(client), "flow_versions_unavailable", flow="f") == 0, "without another message"
        assert (await app.chat("x").say("again")).refused is None


@in_loop
async def test_a_version_whose_conversations_were_deleted_does_not_count_as_unavailable() -> None:
    store = MemoryStore()
    gone = opened(store, "Hello.", "Hello.")
    for name in ("x", "y"):
        await gone.chat(name).say("hello")
    del store._flows[gone.machine.fingerprint]
    other = flow_of(FLOW.replace("say: Bye.", "say: Good bye."))
    app = tw.open(other, store=store, model=tw.ScriptedModel(["Hi."]), clock=tw.ManualClock(NOON_MS))
    async with served(app) as client:
        for name in ("x", "y"):
            assert (await app.chat(name).say("again")).refused == "flow_unavailable"
            assert value(await scraped(client), "flow_versions_unavailable", flow="f") == 1
            await app.chat(name).forget()
            assert value(await scraped(client), "flow_versions_unavailable", flow="f") == 0


@in_loop
async def test_the_number_of_series_does_not_grow_with_conversations_models_or_owners() -> None:
    many = server_metrics.MOST_NAMES + 20
    app = opened(model=CountedModel(*[ModelReply("Hi.", f"model-{n}", 1, 1) for n in range(many)]))
    async with served(app, keys=True) as client:
        for n in range(many):
            await app.chat(f"user{n}:talk").say("hi")
            await client.get("/api/me", headers=client.as_(f"user{n}"))
        found = await scraped(client, **client.as_("prometheus", "metrics"))
    labels = {
        key: {dict(of)[key] for _, of in found if key in dict(of)} for key in {k for _, of in found for k, _ in of}
    }
    assert {text for texts in labels.values() for text in texts if "user" in text} == set()
    assert len(labels["model"]) == server_metrics.MOST_NAMES + 1
    assert value(found, "model_tokens_total", flow="f", model="others", direction="input") == 20


@in_loop
async def test_open_streams_requests_and_draining_are_read_when_asked() -> None:
    app = opened()
    async with served(app) as client:
        await client.get("/api/nothing-declared")
        await client.get("/api/conversations/none")
        found = await scraped(client)
        assert value(found, "requests_total", status="404") == 1
        assert (value(found, "open_streams"), value(found, "draining")) == (0, 0)
        client.server.service.is_draining = True
        assert value(await scraped(client), "draining") == 1
        client.server.service.is_draining = False


@in_loop
async def test_each_server_has_a_registry_of_its_own_and_open_metrics_is_served_too() -> None:
    first, second = opened(None, "One."), opened(None, "Two.", "Three.")
    async with served(first) as one, served(second) as two:
        await first.chat("x").say("hello")
        assert value(await scraped(two), "turns_total", flow="f", outcome="completed") == 0
        answer = await one.get("/api/metrics", headers={"accept": "application/openmetrics-text; version=1.0.0"})
        assert answer.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0")
        names = {family.name for family in open_metrics(answer.text)}
    assert {"turnwise_turns", "turnwise_phase_seconds"} <= names


def families() -> dict[str, str]:
    """Return the type of each metric of a server."""
    collected = server_metrics.Metrics({}).registry.collect()
    ours = [one for one in collected if one.name.startswith("turnwise_")]
    return {one.name + ("_total" if one.type == "counter" else ""): one.type for one in ours}


def test_names_follow_the_conventions_of_prometheus() -> None:
    for name, kind in families().items():
        assert re.fullmatch(r"turnwise_[a-z]+(_[a-z]+)*", name)
        assert kind != "histogram" or name.endswith("_seconds")
        assert not re.search(r"_(ms|milliseconds|minutes|percent)(_|$)", name)


def test_the_page_lists_each_metric_with_its_type_and_labels() -> None:
    listed = re.findall(r"^\| `(turnwise_\w+)`((?: `\w+`)*) \| (\w+) \|", PAGE.read_text(), re.MULTILINE)
    assert {name: kind for name, _, kind in listed} == families()
    registry = server_metrics.Metrics({}).registry
    for name, labels, _ in listed:
        collector: Any = registry._names_to_collectors[name]
        assert tuple(re.findall(r"\w+", labels)) == tuple(collector._labelnames), name
