"""The metrics of a server for Prometheus, in a registry of its own: what its turns take and use, and how its store is.

The labels are names of flows, models and tools, codes and outcomes, never of conversations or owners: the number
of series must not grow with use. `docs/metrics.md` lists all of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import choose_encoder

from turnwise import __version__
from turnwise.api.app import App
from turnwise.core.state import events as e
from turnwise.runner.meter import Attempted, Meter, Outcome, Phase
from turnwise.server.readings import Readings

BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
"""The upper bounds of histogram buckets in seconds: from a commit on a fast disk to a model that thinks for long."""
PHASES: tuple[Phase, ...] = ("lock", "understanding", "model", "tool", "commit")
"""The parts of a turn whose time is measured."""
OUTCOMES: tuple[Outcome, ...] = ("completed", "failed", "error", "superseded")
"""How a turn can end."""
DELIVERY_OUTCOMES: tuple[Attempted, ...] = ("delivered", "waiting", "failed")
"""How an attempt to deliver can end."""
MOST_NAMES = 100
"""How many models, and how many tools, have series of their own in a flow; a provider may answer with any name."""
OTHER_NAMES = "others"
"""The label for names beyond the number of names that one metric may have."""


class Metrics:
    """All Prometheus metrics of one server."""

    def __init__(self, apps: Mapping[str, App]) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)

        def counter(name: str, about: str, *labels: str) -> Counter:
            return Counter(f"turnwise_{name}", about, labels, registry=registry)

        def histogram(name: str, about: str, *labels: str) -> Histogram:
            return Histogram(f"turnwise_{name}", about, labels, registry=registry, buckets=BUCKETS_S)

        def gauge(name: str, about: str) -> Gauge:
            return Gauge(f"turnwise_{name}", about, registry=registry)

        self.turns = counter("turns", "Turns that ended, by how.", "flow", "outcome")
        self.turn_seconds = histogram("turn_seconds", "From the arrival of an event to the end of its turn.", "flow")
        self.phase_seconds = histogram("phase_seconds", "What a turn waits for, each time.", "flow", "phase")
        self.refusals = counter("refusals", "Events that were refused and changed nothing.", "flow", "code")
        self.claims = counter("claims", "Turns that claimed their conversation in the store.", "flow")
        self.recoveries = counter("recoveries", "Turns of dead processes that ended here.", "flow")
        self.tokens = counter("model_tokens", "Tokens that models read and wrote.", "flow", "model", "direction")
        self.cost = counter("model_cost_usd", "Cost of models whose prices are known.", "flow", "model")
        self.model_failures = counter("model_failures", "Calls of models without a usable answer.", "flow", "model")
        self.tool_calls = counter("tool_calls", "Calls of tools, by how they ended.", "flow", "tool", "outcome")
        self.deliveries = counter("deliveries", "Attempts to deliver, by how they ended.", "flow", "outcome")
        self.requests = counter("requests", "Requests to the API that were answered.", "status")
        self.open_streams = gauge("open_streams", "Event streams that are open.")
        self.draining = gauge("draining", "1 while the server takes no more turns.")
        Gauge("turnwise_build_info", "The version.", ["version"], registry=registry).labels(__version__).set(1)
        self._readings = Readings(apps, registry)
        self._by_status: dict[int, Counter] = {}
        for name, app in apps.items():
            app.runtime.set_meter(FlowMeter(self, name))

    def answered(self, status: int) -> None:
        """Count an answered request by its HTTP status."""
        counter = self._by_status.get(status)
        if counter is None:
            counter = self._by_status[status] = self.requests.labels(status)
        counter.inc()

    async def exposition(self, accepted: str) -> tuple[bytes, bytes]:
        """Return all metrics now in the format that a header `Accept` asks for, and its media type."""
        await self._readings.read()
        encode, media_type = choose_encoder(accepted)
        return encode(self.registry), media_type.encode()


class FlowMeter(Meter):
    """Counts times, outcomes and usage of the turns of one flow. Series are looked up once, as each turn calls this."""

    def __init__(self, metrics: Metrics, flow: str) -> None:
        self._metrics = metrics
        self._flow = flow
        self._phases = {phase: metrics.phase_seconds.labels(flow, phase) for phase in PHASES}
        self._turns = {outcome: metrics.turns.labels(flow, outcome) for outcome in OUTCOMES}
        self._attempted = {outcome: metrics.deliveries.labels(flow, outcome) for outcome in DELIVERY_OUTCOMES}
        self._turn_seconds = metrics.turn_seconds.labels(flow)
        self._claims, self._recoveries = metrics.claims.labels(flow), metrics.recoveries.labels(flow)
        self._names: dict[str, set[str]] = {"model": set(), "tool": set()}
        """The names that have series of their own."""

    def phase_ended(self, phase: Phase, since_s: float) -> None:
        """Record that a phase of a turn ends, which began at `since_s`, in seconds of `now_s`."""
        self._phases[phase].observe(self.now_s() - since_s)

    def turn_ended(self, outcome: Outcome, since_s: float) -> None:
        """Record that a turn ends whose event came at `since_s`, in seconds of `now_s`."""
        self._turns[outcome].inc()
        self._turn_seconds.observe(self.now_s() - since_s)

    def refused(self, code: str) -> None:
        """Record that an event was refused, with the code of the refusal."""
        self._metrics.refusals.labels(self._flow, code).inc()

    def performed(self, result: e.ResultEvent) -> None:
        """Record tokens, cost and failure of an effect."""
        metrics, flow = self._metrics, self._flow
        match result:
            case e.ModelReplied(model=model) | e.Understood(model=model) if model:
                name = self._name("model", model)
                metrics.tokens.labels(flow, name, "input").inc(result.tokens_in)
                metrics.tokens.labels(flow, name, "output").inc(result.tokens_out)
                if result.cost:
                    metrics.cost.labels(flow, name).inc(result.cost)
            case e.ModelFailed(model=model):
                metrics.model_failures.labels(flow, self._name("model", model)).inc()
            case e.UnderstandingFailed():
                metrics.model_failures.labels(flow, "").inc()
            case e.ToolReturned(tool=tool):
                metrics.tool_calls.labels(flow, self._name("tool", tool), "returned").inc()
            case e.ToolFailed(tool=tool):
                metrics.tool_calls.labels(flow, self._name("tool", tool), "failed").inc()
            case _:
                pass

    def claimed(self) -> None:
        """Record that a turn claims its conversation."""
        self._claims.inc()

    def recovered(self) -> None:
        """Record that a turn ends which was taken over from a dead process."""
        self._recoveries.inc()

    def attempted(self, outcome: Attempted) -> None:
        """Record the outcome of an attempt to send a delivery."""
        self._attempted[outcome].inc()

    def _name(self, kind: str, name: str) -> str:
        """Return the label of a model or a tool."""
        known = self._names[kind]
        if name not in known:
            if len(known) >= MOST_NAMES:
                return OTHER_NAMES
            known.add(name)
        return name
