"""The command `serve`: serves flows over HTTP, with the studio; and `keys`: who may use the server."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import fields

from turnwise.api.app import App
from turnwise.api.documents import check
from turnwise.api.open import open as open_app
from turnwise.api.open import open_store
from turnwise.authoring.document import read_file
from turnwise.authoring.python import python_place
from turnwise.cli.deliveries import webhook_of
from turnwise.cli.inputs import code_of, flow_of, name_value_pairs, need_server_packages, readable_flows
from turnwise.errors import TurnwiseError, WrongUsage
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Flow
from turnwise.runner.clocks import SystemClock
from turnwise.runner.ports import Store
from turnwise.stores import shown_address

if TYPE_CHECKING:
    from turnwise.runner.outbox_port import Deliver
    from turnwise.server.access import Access
    from turnwise.server.app import Server
    from turnwise.server.limits import ServerLimits
    from turnwise.server.sources import Source
    from turnwise.webhooks.webhook import Webhook

SHOWN_TO_ALL = "TW047"
"""The warning about a secret that others may see, which is printed before it happens."""
ALL_INTERFACES = frozenset({"0.0.0.0", "::", ""})  # noqa: S104  to recognise them
"""The host addresses that stand for every network interface."""


class ServeOptions(Struct, frozen=True):
    """The options of `turnwise serve`."""

    host: str
    """The address at which the server listens."""
    port: int
    """The port at which the server listens; 0 takes a free one."""
    keys: Path | None
    """The file with the keys; `None` for none."""
    hosts: tuple[str, ...] = ()
    """Further names of the server that requests may use."""
    origins: tuple[str, ...] = ()
    """Origins of other pages that may use the API."""
    limits: tuple[str, ...] = ()
    """Limits as they were typed, such as `requests_per_minute=60`."""
    visitors: tuple[str, ...] = ()
    """The flows that visitors may use without a key."""
    trusted_proxies: int = 0
    """How many proxies stand in front of the server."""
    address_header: str = "x-forwarded-for"
    """The header to which proxies append the address of their client."""


def run_serve(  # noqa: PLR0913  the options of the command
    *,
    flows: list[Path],
    store: str,
    host: str,
    port: int,
    keys: Path | None,
    reloads: bool,
    edits: bool,
    model: str,
    question_model: str,
    python: Path | None,
    hosts: list[str] | None,
    origins: list[str] | None,
    limits: list[str] | None,
    visitors: list[str] | None,
    trusted_proxies: int,
    address_header: str,
    deliver: str,
    deliver_secrets: list[str] | None,
    deliver_private: bool,
    deliver_http: bool,
) -> int:
    """Serve flows over HTTP until an interrupt; return the exit code."""
    lists = (tuple(hosts or ()), tuple(origins or ()), tuple(limits or ()), tuple(visitors or ()))
    options = ServeOptions(host, port, keys, *lists, trusted_proxies, address_header)
    webhook = _checked(options, lambda: webhook_of(deliver, deliver_secrets, deliver_private, deliver_http))
    from turnwise.server.run import listen, run

    with ExitStack() as opened:
        listening = opened.enter_context(listen(host, port))
        kept = open_store(store)
        apps = _opened_apps(flows, kept, model, question_model, python, webhook)
        server = server_of(apps, options)
        if reloads or edits:
            server.reloads(_sources(apps, flows, python), _print)
        if edits:
            _allow_edits(server)
        return run(server, listening, lambda address: _print(f"turnwise serve: {address}/\n{_about(options, store)}"))


def _allow_edits(server: Server) -> None:
    """Let callers edit the documents. Raises `WrongUsage` on a system on which they cannot be written safely."""
    from turnwise.server.document_writing import CAN_WRITE

    if not CAN_WRITE:
        raise WrongUsage("--edit needs a system that opens files from an open folder, such as Linux or macOS")
    server.edits()


def _opened_apps(
    paths: Sequence[Path], store: Store, model: str, question_model: str, python: Path | None, webhook: Webhook | None
) -> list[App]:
    """Open the flows of documents on one store, and print what their users must know before they are served."""
    together = [flow_of(path) for path in paths]
    apps = [opened_app(flow, store, model, question_model, python, together, webhook) for flow in together]
    for warning in [one for app in apps for one in app.machine.warnings if one.code == SHOWN_TO_ALL]:
        sys.stderr.write(f"{warning}\n")
    return apps


def _sources(apps: Sequence[App], paths: Sequence[Path], python: Path | None) -> dict[str, Source]:
    """Return for the name of each flow the files that it is read from."""
    flows = [app.machine.flow for app in apps]
    return {flow.name: source_of(path, python, paths, flow.files) for flow, path in zip(flows, paths, strict=True)}


def _print(text: str) -> None:
    """Print a line at once, also into a pipe."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _checked(options: ServeOptions, receiver: Callable[[], Webhook | None]) -> Webhook | None:
    """Check the options, and return the receiver of deliveries, if there is one. Raises `WrongUsage`."""
    need_server_packages()
    _check_keys(options)
    return receiver()


def _check_keys(options: ServeOptions) -> None:
    """Raise `WrongUsage` where others could reach the server and it has no keys."""
    if options.keys is None and not _is_loopback(options.host):
        raise WrongUsage(
            f"--host {options.host} can be reached from elsewhere, so keys are needed: make one with "
            "'turnwise keys add --keys FILE OWNER', then add --keys FILE"
        )


def opened_app(
    flow: Flow,
    store: Store,
    model: str,
    question_model: str,
    python: Path | None,
    together: Sequence[Flow] = (),
    deliver: Deliver | None = None,
) -> App:
    """Return the opened app of a flow; `python` is the file of its guards and tools, `deliver` its receiver; `together`
    are the flows that are served with the same file of tools.
    """
    code = code_of(python)
    tools = code.tools_of(flow, together)
    reads = question_model or None
    parts: dict[str, Any] = {"guards": code.guards, "tools": tools, "model": model or None, "question_model": reads}
    return open_app(flow, store=store, deliver=deliver, **parts)


def source_of(path: Path, python: Path | None, together: Sequence[Path] = (), imported: Iterable[str] = ()) -> Source:
    """Return the source of a flow: its document at `path` and the file `python`, which are read again when they change,
    and the documents that it has `imported`. `together` are the flows with the same file of tools.
    """
    from turnwise.server.sources import LoadedFlow, Source

    files = [*imported]

    def load() -> LoadedFlow:
        if not python_place(path):
            files[:] = read_file(path).flow.files  # known also where the flow has errors
        code, flow = code_of(python), flow_of(path)
        files[:] = flow.files
        tools = code.tools_of(flow, readable_flows(together).values())
        return LoadedFlow(flow, code.guards, tools, check(path, code.guards, tools))

    document = Path(str(path).partition(":")[0])
    return Source([document, *([python] if python is not None else [])], load, lambda: files)


def server_of(apps: Sequence[App], options: ServeOptions) -> Server:
    """Return the server of some apps by the options. Raises `WrongUsage`."""
    from turnwise.server.addresses import Proxies
    from turnwise.server.app import create
    from turnwise.server.gate import EXPECTED_HOST, EXPECTED_ORIGIN, LOOPBACK_NAMES, is_host, is_origin

    for origin in options.origins:
        if not is_origin(origin):
            raise WrongUsage(f"--allow-origin takes {EXPECTED_ORIGIN}; not {origin!r}")
    for host in options.hosts:
        if not is_host(host):
            raise WrongUsage(f"--allow-host takes {EXPECTED_HOST}; not {host!r}")
    names = [app.machine.flow.name for app in apps]
    for name in names:
        if names.count(name) > 1:
            raise WrongUsage(f"two of the flows are called '{name}'")
    hosts = {*LOOPBACK_NAMES, *options.hosts}
    hosts |= {"*"} if options.host in ALL_INTERFACES else {f"[{options.host}]" if ":" in options.host else options.host}
    return create(
        apps,
        access=access_of(options, names),
        limits=limits_of(options),
        clock=SystemClock(),
        hosts=hosts,
        origins=options.origins,
        proxies=Proxies(options.trusted_proxies, options.address_header) if options.trusted_proxies else None,
    )


def access_of(options: ServeOptions, flows: Sequence[str]) -> Access:
    """Return the server's access: every caller on loopback, else those with a key, and visitors of some flows.
    `flows` are the names of those that are served.
    """
    from turnwise.server.access import KeyFile, Loopback, how_to_add
    from turnwise.server.visitors import Visitors

    for name in options.visitors:
        if name not in flows:
            raise WrongUsage(f"--visitors: no flow is called '{name}'; {nearest(name, flows)}")
    if options.keys is None:
        return Loopback()
    file = KeyFile(options.keys)
    if not file.keys():
        raise TurnwiseError(f"{options.keys}: there is no key in it; {how_to_add(options.keys)}")
    return Visitors(file, options.visitors) if options.visitors else file


def limits_of(options: ServeOptions) -> ServerLimits:
    """Return the server's limits, with those of `--limit NAME=NUMBER`. Raises `WrongUsage`."""
    from turnwise.server.limits import LOCAL_LIMITS, ServerLimits

    base = LOCAL_LIMITS if options.keys is None else ServerLimits()
    known = {field.name: field.type for field in fields(ServerLimits)}
    found: dict[str, Any] = {}
    for name, text in name_value_pairs(options.limits, "--limit").items():
        if name not in known:
            raise WrongUsage(f"--limit: there is no limit '{name}'; there are {', '.join(known)}")
        try:
            found[name] = known[name](text)
        except ValueError:
            raise WrongUsage(f"--limit {name} takes a number, not {text!r}") from None
        if found[name] < 0:
            raise WrongUsage(f"--limit {name} cannot be negative")
    return ServerLimits(**{name: found.get(name, getattr(base, name)) for name in known})


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _about(options: ServeOptions, store: str) -> str:
    kept = (
        "Conversations are lost at the end; --store keeps them."
        if store == "memory://"
        else f"Stored in {shown_address(store)}."
    )
    who = (
        f"Keys: {options.keys}."
        if options.keys is not None
        else "Without keys: only programs of this computer reach it."
    )
    return f"{kept} {who} Press Ctrl+C to stop."


# keys ----------------------------------------------------------------------------------------------


def run_keys_add(owner: str, file: Path, scopes: list[str] | None, note: str) -> int:
    """Add a key to the key file and print it; return the exit code."""
    need_server_packages()
    from turnwise.server.access import KeyFile

    granted = tuple(part.strip() for scope in scopes or ["chat"] for part in scope.split(","))
    key = KeyFile(file).add(owner, granted, SystemClock().now_ms(), note)
    sys.stderr.write("This key is shown only now; the file has no more than a hash of it.\n")
    sys.stdout.write(f"{key}\n")
    return 0


def run_keys_list(file: Path, as_json: bool) -> int:
    """List the keys of the key file, without their secrets; return the exit code."""
    need_server_packages()
    from turnwise.server.access import KeyFile

    keys = KeyFile(file).keys()
    if as_json:
        from turnwise.cli.show import print_json

        print_json([{"id": one.id, "owner": one.owner, "scopes": one.scopes, "note": one.note} for one in keys])
        return 0
    for line in _columns([(one.id, one.owner, ", ".join(one.scopes), one.note) for one in keys]):
        sys.stdout.write(f"{line}\n")
    return 0


def run_keys_remove(number: str, file: Path) -> int:
    """Remove a key from the key file; return the exit code."""
    need_server_packages()
    from turnwise.server.access import KeyFile

    if not KeyFile(file).remove(number):
        raise TurnwiseError(f"{file}: there is no key {number!r}; 'turnwise keys list --keys {file}' shows their ids")
    return 0


def _columns(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
