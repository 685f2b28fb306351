"""The clients of a soak test: each sends its next message when the one before was answered."""

from __future__ import annotations

import random
import threading
import time
from typing import NamedTuple

from turnwise.testing.deployment.ledger import Acknowledged, Ledger
from turnwise.testing.deployment.requests import Deployment, Refused, Unanswered, conversation_path

SHARE_OF_SURVEYS = 0.02
"""Which share of the messages, from 0 to 1, opens the scope of the flow."""
SHARE_REPEATED = 0.05
"""Which share of the messages, from 0 to 1, is sent once more after it was answered."""
ONE_QUIET_IN = 10
"""One conversation in this many is quiet: it gets so many times fewer messages, and rests long enough for offers."""


class Load(NamedTuple):
    """What the clients of a soak test send."""

    messages: int
    """The number of messages that all clients send together."""
    clients: int
    """The number of clients."""
    conversations: tuple[str, ...]
    """The ids of the conversations to which the messages are sent."""
    seed: int
    """The seed of the random numbers."""
    has_surveys: bool
    """True if surveys are begun too."""
    pause_s: float
    """How long a client waits after each answer, in seconds."""


def begin(deployment: Deployment, flow: str, run: str, count: int) -> tuple[str, ...]:
    """Begin `count` conversations, and return their ids; `run` begins the names of all."""
    found: list[str] = []
    for number in range(count):
        name = f"{run}-{number}"
        begun = deployment.call("POST", "/api/conversations", {"flow": flow, "name": name}, f"begin-{name}")
        found.append(begun["conversation"]["id"])
    return tuple(found)


def send(deployment: Deployment, ledger: Ledger, load: Load) -> None:
    """Send all messages of `load`, and wait until each was answered or refused; the ledger gets the answered ones.

    A client that no replica answers sends no more.
    """
    shares = [len(range(client, load.messages, load.clients)) for client in range(load.clients)]
    threads = [
        threading.Thread(target=_client, args=(deployment, ledger, load, client, share), daemon=True)
        for client, share in enumerate(shares)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _client(deployment: Deployment, ledger: Ledger, load: Load, client: int, count: int) -> None:
    chance = random.Random(load.seed * 1000 + client)  # noqa: S311  no secret depends on it
    weights = [1 if at % ONE_QUIET_IN else 1 / ONE_QUIET_IN for at in range(len(load.conversations))]
    for number in range(count):
        (conversation,) = chance.choices(load.conversations, weights)
        is_survey = load.has_surveys and chance.random() < SHARE_OF_SURVEYS
        message = "survey" if is_survey else f"client {client} message {number}"
        try:
            one = _sent(deployment, conversation, client, number, message)
            ledger.add(one)
            if chance.random() < SHARE_REPEATED:
                _repeat(deployment, ledger, one)
        except Refused as failure:
            ledger.failures.append(str(failure))
        except Unanswered as failure:
            ledger.failures.append(f"client {client} stops after {number} of {count} messages: {failure}")
            return
        time.sleep(load.pause_s)


def _sent(deployment: Deployment, conversation: str, client: int, number: int, message: str) -> Acknowledged:
    key = f"{client}-{number}"
    turn = deployment.call("POST", conversation_path(conversation, "/turns"), {"text": message}, key)
    return Acknowledged(client, number, conversation, key, message, turn["number"], turn["text"])


def _repeat(deployment: Deployment, ledger: Ledger, one: Acknowledged) -> None:
    """Send a message once more: the answer must be the same."""
    again = _sent(deployment, one.conversation, one.client, one.number, one.message)
    if again != one:
        ledger.failures.append(f"{one.conversation}: {one.key} was turn {one.turn}, and is turn {again.turn}")


def finish(deployment: Deployment, ledger: Ledger, conversations: tuple[str, ...], client: int) -> None:
    """End the conversations, so that no schedule continues; `client` is the number under which this is recorded.
    Raises `Unanswered`.

    A scope that is open takes the first word as its answer.
    """
    number = 0
    for conversation in conversations:
        is_over = False
        while not is_over:
            try:
                one = _sent(deployment, conversation, client, number, "stop")
                ledger.add(one)
                is_over = deployment.call("GET", conversation_path(conversation))["status"] == "ended"
            except Refused as failure:
                ledger.failures.append(str(failure))
                is_over = True
            number += 1
