"""The command `soak`: tests a deployment over HTTP."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import to_builtins

from turnwise.cli.show import plain_console, print_json, print_line
from turnwise.errors import WrongUsage
from turnwise.runner.clocks import SystemClock
from turnwise.testing.deployment.receiver import Receiver
from turnwise.testing.deployment.requests import Deployment, Refused, Unanswered
from turnwise.testing.deployment.soak import FLOW_FILE, Plan, Verdict, run

MOST_SHOWN = 20
"""How many faults are printed; the JSON has all."""


def run_soak(  # noqa: PLR0913, PLR0917  the options of the command
    addresses: list[str] | None,
    messages: int,
    clients: int,
    conversations: int,
    flow: str,
    key: str,
    receive: str,
    ledger: Path | None,
    patience: float,
    pause: float,
    seed: int,
    prints_flow: bool,
    as_json: bool,
) -> int:
    """Run a soak test against a deployment; return the exit code. `patience` and `pause` are in seconds."""
    if prints_flow:
        sys.stdout.write(FLOW_FILE.read_text(encoding="utf-8"))
        return 0
    deployment = Deployment(_addresses(addresses or ()), _key(key), patience)
    kept = ledger or Path(f"soak-{SystemClock().now_ms()}.ledger")
    receiver = _receiver(receive) if receive else None
    try:
        verdict = run(deployment, Plan(messages, clients, conversations, kept, flow, seed, pause), receiver)
    except FileExistsError:
        raise WrongUsage(f"{kept} is there already; name another file with --ledger") from None
    except OSError as error:
        raise WrongUsage(f"the ledger {kept} cannot be written: {error.strerror}") from None
    except (Unanswered, Refused) as failure:
        raise WrongUsage(f"no conversation can be begun: {failure}") from None
    finally:
        if receiver is not None:
            receiver.close()
    _show(verdict, as_json=as_json)
    return 1 if verdict.faults else 0


def _addresses(given: Sequence[str]) -> tuple[str, ...]:
    if not given:
        raise WrongUsage("name the addresses of the replicas, such as http://127.0.0.1:8765")
    for one in given:
        parts = urlsplit(one)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/"):
            raise WrongUsage(f"'{one}' is no address of a server, such as http://127.0.0.1:8765")
    return tuple(given)


def _key(name: str) -> str:
    if name and not os.environ.get(name):
        raise WrongUsage(f"the environment variable {name} of --key-env is not set")
    return os.environ[name] if name else ""


def _receiver(place: str) -> Receiver:
    host, _, port = place.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise WrongUsage(f"'{place}' is no place to listen at, such as 127.0.0.1:9000")
    try:
        return Receiver(host, int(port))
    except OSError as error:
        raise WrongUsage(f"cannot listen at {place}: {error.strerror}") from None


def _show(verdict: Verdict, *, as_json: bool) -> None:
    if as_json:
        print_json(to_builtins(verdict))
        return
    console = plain_console()
    rate = verdict.messages / verdict.seconds if verdict.seconds else 0.0
    print_line(
        console,
        f"{verdict.messages} messages to {verdict.conversations} conversations in {verdict.seconds:g} s"
        f" ({rate:.0f} a second), {sum(verdict.entries.values())} entries",
    )
    for reason, times in sorted(verdict.again.items()):
        print_line(console, f"sent again {times} times: {reason}")
    if verdict.deliveries:
        print_line(console, f"{verdict.deliveries} deliveries, {verdict.repeated} came twice")
    for fault in verdict.faults[:MOST_SHOWN]:
        print_line(console, fault)
    if len(verdict.faults) > MOST_SHOWN:
        print_line(console, f"and {len(verdict.faults) - MOST_SHOWN} more; --json prints all")
    print_line(
        console, "nothing was lost, doubled or out of order" if not verdict.faults else f"{len(verdict.faults)} faults"
    )
