"""A soak test from its first message to its verdict."""

from __future__ import annotations

import secrets
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from turnwise.testing.deployment import clients, judge
from turnwise.testing.deployment.followers import Followers
from turnwise.testing.deployment.ledger import Acknowledged, Ledger
from turnwise.testing.deployment.receiver import Received, Receiver
from turnwise.testing.deployment.requests import PAUSE_S, Deployment, Refused, Unanswered, conversation_path

FLOW = "soak"
"""The name of the flow that the deployment has to serve."""
FLOW_FILE = Path(__file__).with_name("soak.flow.yaml")
"""The flow that a deployment serves for the test."""
SETTLING_TIMEOUT_S = 60.0
"""For how many seconds streams and deliveries may be behind when all messages were answered."""


class Plan(Struct, frozen=True):
    """The settings of a soak test: what it sends, and where its ledger is.

    A flow other than `soak` is sent messages only.
    """

    messages: int
    """The number of messages that all clients send together."""
    clients: int
    """The number of clients."""
    conversations: int
    """The number of conversations to which the messages are sent."""
    ledger: Path
    """The file in which the answered messages are recorded."""
    flow: str = FLOW
    """The name of the flow."""
    seed: int = 1
    """The seed of the random numbers."""
    pause_s: float = 0.0
    """How long a client waits after each answer, in seconds."""


class Verdict(Struct, frozen=True):
    """The result of a soak test."""

    messages: int
    """The number of answered messages."""
    conversations: int
    """The number of conversations."""
    entries: dict[str, int]
    """The number of journal entries by kind."""
    seconds: float
    """The duration of the test in seconds."""
    again: dict[str, int]
    """The number of repeated requests by reason."""
    deliveries: int
    """The number of deliveries that arrived."""
    repeated: int
    """The number of deliveries that arrived twice."""
    faults: tuple[str, ...]
    """What is wrong, one sentence for each fault; empty if the test passed."""


class _Comparison(NamedTuple):
    """What the deployment holds, and what is wrong with it."""

    faults: list[str]
    entries: dict[str, int]
    deliveries: int = 0
    repeated: int = 0


def run(deployment: Deployment, plan: Plan, receiver: Receiver | None = None) -> Verdict:
    """Send all messages, end the conversations, and compare what was answered with what the deployment stores.
    `receiver` gets the deliveries; `None` if they are not compared. Raises `Unanswered` or `Refused` where no
    conversation can be begun; what fails later is a fault.
    """
    ledger, began, is_own = Ledger(plan.ledger), time.monotonic(), plan.flow == FLOW
    names = clients.begin(deployment, plan.flow, secrets.token_hex(4), plan.conversations)
    followers = Followers(deployment, names)
    load = clients.Load(plan.messages, plan.clients, names, plan.seed, is_own, plan.pause_s)
    clients.send(deployment, ledger, load)
    seconds = time.monotonic() - began
    try:
        if is_own:
            clients.finish(deployment, ledger, names, plan.clients)
        found = _compared(deployment, ledger, followers, receiver, is_own=is_own)
    except (Unanswered, Refused) as failure:
        found = _Comparison([f"what the deployment holds was not compared: {failure}"], {})
    finally:
        followers.end()
        ledger.close()
    sent, seconds, faults = len(ledger.acknowledged), round(seconds, 1), (*ledger.failures, *found.faults)
    met = dict(deployment.met)
    return Verdict(sent, len(names), found.entries, seconds, met, found.deliveries, found.repeated, faults)


def _compared(
    deployment: Deployment, ledger: Ledger, followers: Followers, receiver: Receiver | None, *, is_own: bool
) -> _Comparison:
    """Compare what was acknowledged, streamed and received with what the deployment holds."""
    names = tuple(followers.seen)
    journals = {name: _journal(deployment, name) for name in names}
    followers.wait({name: journal[-1].seq for name, journal in journals.items()}, SETTLING_TIMEOUT_S)
    faults = _faults(ledger, journals, followers, is_own=is_own)
    received = _by_conversation(receiver.received) if receiver is not None else {}
    deliveries = repeated = 0
    if receiver is not None:
        for name in names:
            queued = _delivered(deployment, name)
            came = received.get(name, [])
            deliveries += len(queued)
            repeated += len(came) - len({one.id for one in came})
            faults += [f"{name}: {fault}" for fault in judge.delivery_faults(queued, came)]
    entries = dict(Counter(one.kind for journal in journals.values() for one in journal))
    return _Comparison(faults, entries, deliveries, repeated)


def _faults(ledger: Ledger, journals: dict[str, list[judge.Entry]], followers: Followers, *, is_own: bool) -> list[str]:
    acknowledged = defaultdict[str, list[Acknowledged]](list)
    for one in ledger.acknowledged:
        acknowledged[one.conversation].append(one)
    found: list[str] = []
    for name, journal in journals.items():
        wrong = [
            *judge.journal_faults(journal, acknowledged[name], may_have_more=bool(ledger.failures), counts=is_own),
            *judge.stream_faults(followers.seen[name], journal[-1].seq),
        ]
        found += [f"{name}: {fault}" for fault in wrong]
    return found


def _journal(deployment: Deployment, conversation: str) -> list[judge.Entry]:
    """Read a whole journal."""
    found: list[judge.Entry] = []
    after: int | None = 0
    while after is not None:
        page: Any = deployment.call("GET", conversation_path(conversation, f"/events?after={after}"))
        for row in page["events"]:
            text = row["event"].get("text", "") if row["kind"] in ("user_said", "said") else ""
            found.append(judge.Entry(row["seq"], row["turn"], row["kind"], text))
        after = page["next"]
    return found


def _by_conversation(received: list[Received]) -> dict[str, list[Received]]:
    found = defaultdict[str, list[Received]](list)
    for one in tuple(received):
        found[one.conversation].append(one)
    return found


def _delivered(deployment: Deployment, conversation: str) -> list[tuple[str, str]]:
    """Return id and status of the deliveries of a conversation, when all were delivered or it has taken too long."""
    until = time.monotonic() + SETTLING_TIMEOUT_S
    while True:
        rows: Any = deployment.call("GET", conversation_path(conversation, "/deliveries"))
        found = [(row["id"], row["status"]) for row in rows]
        if all(status == "delivered" for _, status in found) or time.monotonic() > until:
            return found
        time.sleep(PAUSE_S)
