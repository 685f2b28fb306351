"""Opens a flow. Beside the CLI, the only place that chooses concrete stores, models and tools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

from turnwise.api.app import App
from turnwise.api.chat import Chat
from turnwise.api.documents import check, check_text, described_guards, first_of_each_name, link_checked, load
from turnwise.api.runtime import Runtime
from turnwise.api.sync import SyncApp, SyncChat
from turnwise.api.tool_resolution import resolve_tools
from turnwise.archive import Archive
from turnwise.archive.arguments import check_retention, is_instance
from turnwise.core.commands.allowed_input import AllowedInput
from turnwise.core.language import Language, language_of
from turnwise.core.link.budgets import budgeting_of
from turnwise.core.machine import Machine
from turnwise.core.state.commands import CommandsByRules
from turnwise.core.state.retention import Retention
from turnwise.errors import TurnwiseError, WrongArgument
from turnwise.flow.code import PythonGuard
from turnwise.flow.model import Flow, Price
from turnwise.flow.walk import named_models
from turnwise.runner.clocks import SystemClock, checked_clock
from turnwise.runner.machines import KeptMachines, Machines
from turnwise.runner.model_port import AnyModel, Model, StreamingModel
from turnwise.runner.ports import Clock, Store, ToolRunner, Understand
from turnwise.runner.result import Turn
from turnwise.runner.spans import Spans
from turnwise.stores import RETRY_S, check_seconds, shown_address
from turnwise.stores.memory import MemoryStore

if TYPE_CHECKING:
    from pathlib import Path

    from turnwise.runner.outbox_port import Deliver, DeliveryRetries

__all__ = [
    "App",
    "Chat",
    "SyncApp",
    "SyncChat",
    "Turn",
    "check",
    "check_text",
    "load",
    "open",
    "open_archive",
    "open_store",
    "open_sync",
]


def open(  # noqa: A001, PLR0913  `tw.open` is the name that users read, with all that a chat is made of
    flow: Flow | Machine | Mapping[str, Any] | str | Path,
    *,
    store: str | Store = "memory://",
    store_retry_s: float = RETRY_S,
    retention: Retention | None = None,
    understand: Understand | None = None,
    model: AnyModel | str | None = None,
    real_models: bool | None = None,
    question_model: AnyModel | str | None = None,
    guards: Iterable[PythonGuard | Any] = (),
    tools: Iterable[Callable[..., Any]] | Mapping[str, Callable[..., Any] | ToolRunner] = (),
    clock: Clock | None = None,
    telemetry: Spans | bool = False,
    deliver: Deliver | None = None,
    delivery_retries: DeliveryRetries | None = None,
    prices: Iterable[Price] = (),
) -> App:
    """Open a flow for conversations, and return its app. Raises `FlowError` with every problem if it cannot run.

    `flow` is a `Flow`, a mapping, the path of a document, or a machine that `link` made. `store` is `memory://`, an
    address such as `sqlite:///file.db`, or your own; one that is locked or full is retried for `store_retry_s`.
    `retention` says how long events and decisions are kept. `understand` returns the commands of a message, in place of
    `tw.understand_by_rules`. `model` speaks for nodes with a prompt, and reads messages where it `understands`: one, or
    a name such as `openai:gpt-5-mini`; else those that nodes or the flow name. `question_model` reads questions of
    *why* in plain words. `real_models` allows or forbids models over the network; else `TURNWISE_NO_MODELS` does.
    `guards` are the Python guards that the flow names (those of earlier versions behind newer ones), `tools` its tools:
    functions, or names with functions or `ToolRunner`s. `telemetry` gives spans to OpenTelemetry, or your own.
    `deliver` gets what is said when no caller waits, such as by timers; `delivery_retries` says how often. `prices`
    replace those of the flow. Raises `WrongArgument`, and `TurnwiseError` for a model that is unknown or has no key.
    """
    _check_kept(store, store_retry_s, retention, understand, clock, model, question_model)
    code, budgeting = described_guards(guards), budgeting_of(prices, model)
    machine = budgeting.priced_flow(flow if isinstance(flow, Machine) else link_checked(flow, first_of_each_name(code)))
    kept = open_store(store, store_retry_s) if isinstance(store, str) else store
    speaks, reads = _speaker(machine, model, real_models), _reads_questions(question_model, real_models)
    runtime = _runtime(Machines(machine, kept, code, budgeting), understand, speaks, clock, tools)
    _equip(runtime, _spans(telemetry), speaks, reads, own=(None, model, question_model))
    _deliver(runtime, deliver, delivery_retries)
    return App(runtime, retention)


def _runtime(
    machines: Machines,
    understand: Understand | None,
    speaks: AnyModel | None,
    clock: Clock | None,
    tools: Iterable[Callable[..., Any]] | Mapping[str, Callable[..., Any] | ToolRunner],
) -> Runtime:
    """Return the runtime of an app, with the parts that stand in for those that are not given."""
    machine = machines.current
    understanding = understand or (None if getattr(speaks, "understands", False) else _by_rules())
    own_tools = resolve_tools(machine, tools, has_model=speaks is not None)
    clock = checked_clock(clock or getattr(machines.store, "clock", None) or SystemClock())
    return Runtime(machines, machines.store, understanding, speaks or _no_model(machine), clock, own_tools)


def _deliver(runtime: Runtime, deliver: Deliver | None, retries: DeliveryRetries | None) -> None:
    """Have messages for which no caller waits delivered, if there is a receiver."""
    if deliver is None and retries is None:
        return
    from turnwise.api.delivery import check_deliver, outbox_of
    from turnwise.runner.outbox_port import DeliveryRetries

    check_deliver(deliver, retries)
    assert deliver is not None, "the receiver was checked"
    outbox_of(runtime.store)
    runtime.deliver(deliver, retries or DeliveryRetries())


P = ParamSpec("P")
"""The parameters of the function that opens an app."""


def _in_own_loop(opens: Callable[P, App]) -> Callable[P, SyncApp]:
    @wraps(opens)
    def open_sync(*args: P.args, **more: P.kwargs) -> SyncApp:
        return SyncApp(opens(*args, **more))

    return open_sync


open_sync = _in_own_loop(open)
"""Open a flow for code without an event loop; it takes what `open` takes."""


def _equip(
    runtime: Runtime, spans: Spans | None, speaks: AnyModel | None, reads: AnyModel | None, own: tuple[object, ...]
) -> None:
    """Set the offline rules, the spans and the model that reads questions, and hide API keys that a tool returns.
    The app closes the models but its `own`.
    """
    from turnwise.understanding import says_other, understand

    performer = runtime.performer
    runtime.also_closes += [one for one in (speaks, reads) if one not in own]
    performer.rules = understand
    performer.says_other = says_other
    performer.spans = spans
    performer.has_model = getattr(speaks, "converses", speaks is not None)
    runtime.archive.question_model, runtime.archive.spans = reads, spans
    if runtime.machine.tools:
        from turnwise.models.redaction import KnownKeys

        performer.keys = KnownKeys()


def _spans(telemetry: Spans | bool) -> Spans | None:  # noqa: FBT001  the argument of `open`
    if isinstance(telemetry, bool):
        if not telemetry:
            return None
        from turnwise.telemetry import OpenTelemetry

        return OpenTelemetry()
    return telemetry


def _check_kept(store: str | Store, retry_s: float, retention: Retention | None, *parts: object) -> None:
    """Check the parts of an app, and the arguments that say where and how long conversations are stored."""
    understand, clock, model, question_model = parts
    check_parts(understand, clock=clock, **_not_named(model=model, question_model=question_model))
    check_store(store)
    check_seconds("store_retry_s", retry_s)
    if retention is not None:
        check_retention(retention)


def replace_flow(
    app: App,
    flow: Flow,
    *,
    guards: Iterable[PythonGuard | Any] = (),
    tools: Iterable[Callable[..., Any]] | Mapping[str, Callable[..., Any] | ToolRunner] = (),
) -> None:
    """Begin new conversations of an app with another version of its flow; earlier ones continue with their own.
    `guards` and `tools` are as in `open`. Raises `FlowError`, and `WrongArgument` for a flow of another name.
    """
    if flow.name != app.machine.flow.name:
        raise WrongArgument("flow", flow.name, f"another version of '{app.machine.flow.name}'")
    code = described_guards(guards)
    machine = app.runtime.machines.budgeting.priced_flow(link_checked(flow, first_of_each_name(code)))
    app.runtime.replace_machine(machine, code, resolve_tools(machine, tools, has_model=app.runtime.performer.has_model))
    app.machine = machine


def open_archive(
    store: str | Store,
    *,
    guards: Iterable[PythonGuard | Any] = (),
    question_model: AnyModel | str | None = None,
) -> Archive:
    """Open a store for questions about its conversations, without a flow document: it holds their flows.
    `guards` are the Python guards that they name; without them decisions are explained, and cannot be judged again.
    `question_model` reads questions of *why* in plain words, as in `open`. The file may be read-only.
    """
    check_store(store)
    check_parts(None, **_not_named(question_model=question_model))
    kept = open_store(store, may_only_read=True) if isinstance(store, str) else store
    reads = _reads_questions(question_model)
    archive = Archive(kept, KeptMachines(kept, described_guards(guards)), SystemClock(), reads)
    archive.also_closes += [reads] if reads not in (None, question_model) else []
    return archive


def _speaker(machine: Machine, model: AnyModel | str | None, real_models: bool | None) -> AnyModel | None:  # noqa: FBT001
    """Return the model that speaks, `None` if there is none."""
    named = {name for name, _ in named_models(machine.flow)}
    if model is None and not named:
        return None
    if model is not None and not isinstance(model, str):
        return model
    default = machine.flow.model if model is None else model
    cheaper = frozenset(one.model for one in machine.budgets if one.model)
    return _named_model(default, named if model is None else None, machine.language, real_models, cheaper)


def _reads_questions(model: AnyModel | str | None, real_models: bool | None = None) -> AnyModel | None:  # noqa: FBT001
    """Return the model that reads questions, `None` if there is none."""
    if not isinstance(model, str):
        return model
    return _named_model(model, None, language_of("en"), real_models)


def _named_model(
    default: str,
    others: Iterable[str] | None,
    language: Language,
    real_models: bool | None,  # noqa: FBT001
    cheaper: frozenset[str] = frozenset(),
) -> AnyModel | None:
    """Return the models of some names, `None` where they are offline."""
    from turnwise.models import NamedModels, call_settings

    models = NamedModels(default, others, language, call_settings(may_call=real_models), cheaper)
    return None if models.is_offline else models


def _by_rules() -> Callable[[str, AllowedInput], CommandsByRules]:
    from turnwise.understanding import understand

    return understand


def _no_model(machine: Machine) -> Model:
    from turnwise.models.no_model import NoModel

    return NoModel(machine.language)


def open_store(address: str, retry_s: float = RETRY_S, *, may_only_read: bool = False) -> Store:
    """Return the store of an address such as `sqlite:///file.db`. Raises `StoreFailed` if it cannot be used. Others are
    `memory://`, `sqlite:////absolute/file.db`, `postgresql://user@host/database`. A write to a store that is locked or
    full is retried for `retry_s` seconds. With `may_only_read` it need only be readable.
    """
    kind, _, place = address.partition("://")
    if kind == "memory" and not place:
        return MemoryStore()
    if kind == "sqlite" and place.startswith("/") and len(place) > 1:
        from turnwise.stores.sqlite import SqliteStore

        return SqliteStore(place[1:], retry_s=retry_s, may_only_read=may_only_read)
    if kind in ("postgresql", "postgres") and place:
        return _postgres(address, retry_s, may_only_read=may_only_read)
    known = "there are memory://, sqlite:///file.db and postgresql://host/database"
    raise TurnwiseError(f"no store is known for {shown_address(address)!r}; {known}")


def _postgres(address: str, retry_s: float, *, may_only_read: bool) -> Store:
    """Return the store of a database. Raises `TurnwiseError` where the extra is not installed."""
    try:
        from turnwise.stores.postgres import PostgresStore
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "psycopg":
            raise
        raise TurnwiseError("a store in PostgreSQL needs: pip install 'turnwise[postgres]'") from None
    return PostgresStore(address, retry_s=retry_s, may_only_read=may_only_read)


# checks ------------------------------------------------------------------------------------------

_A_MODEL = "a model, or the name of one, such as 'openai:gpt-5-mini'"
_PORTS: dict[str, tuple[type, str]] = {
    "store": (Store, "a store, or the address of one, such as 'memory://'"),
    "model": (Model, _A_MODEL),
    "question_model": (Model, _A_MODEL),
    "clock": (Clock, "a clock, such as tw.ManualClock()"),
}


def _not_named(**models: object) -> dict[str, object]:
    """Return the models that are given as such; those that are named are checked when they are made."""
    return {name: None if isinstance(model, str) else model for name, model in models.items()}


def check_parts(understand: object, **ports: object) -> None:
    """Raise `WrongArgument` unless each object that a program passed has the methods that will be called.
    `None` stands for the default. `ports` has the objects by the names of the arguments of `open`.
    """
    if understand is not None:
        from turnwise.flow.describe import understanding_fault

        if expected := understanding_fault(understand):
            raise WrongArgument("understand", understand, expected)
    for name, part in ports.items():
        port, expected = _PORTS[name]
        port = StreamingModel if port is Model and hasattr(part, "stream") else port
        needed = [method for method in vars(port) if not method.startswith("_")]
        missing = [method for method in needed if not callable(getattr(part, method, None))]
        if part is not None and (missing or is_instance(part, type)):
            calls = ", ".join(f"{method}()" for method in missing or needed[:1])
            raise WrongArgument(name, part, f"{expected}, with {calls}")


def check_store(store: Any) -> None:
    """Raise an error unless a value is a store, or the address of one."""
    if store is None:
        raise WrongArgument("store", store, _PORTS["store"][1])
    check_parts(None, store=None if is_instance(store, str) else store)
