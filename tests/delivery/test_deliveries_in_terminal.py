"""Deliveries in the terminal: listed with their state, sent again; and the options of `serve`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import turnwise as tw
from support.shell import run
from turnwise.cli.deliveries import webhook_of

FLOW = {
    "flow": "talk",
    "start": "a",
    "nodes": {
        "a": {"say": "Hi.", "transitions": [{"at": "timer", "in": "5m", "to": "b"}]},
        "b": {"say": "Secret you?"},
    },
}
OTHER = {**FLOW, "flow": "other"}
GONE = tw.DeliveryFailed("410 Gone", is_final=True)
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def refusing(times: int) -> tuple[Callable[[tw.Delivery], None], list[tw.Delivery]]:
    got, left = list[tw.Delivery](), [times]

    def receive(delivery: tw.Delivery) -> None:
        if left[0]:
            left[0] -= 1
            raise GONE
        got.append(delivery)

    return receive, got


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A store with a delivery that failed and one that was delivered."""
    address, clock = f"sqlite:///{tmp_path}/s.db", tw.ManualClock(1_700_000_000_000)
    receive, _ = refusing(1)
    with tw.open_sync(FLOW, store=address, deliver=receive, clock=clock) as app:
        for name in ("ada", "bo"):
            app.chat(name).start()
        clock.move_s(300)
        app.tick()
    return address


def deliveries(store: str, *words: str) -> tuple[int, str]:
    done = run("deliveries", words[0], "--store", store, *words[1:])
    return done.code, done.out + done.err


def test_the_terminal_lists_and_sends_again(store: str) -> None:
    code, text = deliveries(store, "list")
    assert (code, "ada, turn 2, failed, 1 attempt" in text, "410 Gone" in text) == (0, True, True)
    code, text = deliveries(store, "list", "--status", "failed", "--json")
    (failed,) = json.loads(text)
    assert (code, failed["conversation"], failed["status"]) == (0, "ada", "failed")
    assert deliveries(store, "resend", failed["id"]) == (0, "1 delivery will be sent again by who serves the flow\n")
    _, text = deliveries(store, "list", "--conversation", "ada", "--json")
    assert [one["status"] for one in json.loads(text)] == ["waiting"]
    assert deliveries(store, "resend", "failed")[1].startswith("0 deliveries")
    code, text = deliveries(store, "resend", "msg_x")
    assert (code, "there is no delivery 'msg_x'" in text) == (1, True)
    code, text = deliveries(store, "list", "--status", "gone")
    assert (code, "they are waiting, sending, delivered, failed" in text) == (2, True)


def test_the_receiver_of_a_server_is_given_by_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOOK_SECRET", SECRET)
    assert webhook_of("", None, False, False) is None
    webhook = webhook_of("https://hooks.example/x?token=sesame", ["HOOK_SECRET"], False, False)
    assert repr(webhook) == "<Webhook to hooks.example>"
    with pytest.raises(tw.WrongUsage, match="add --deliver-secret-env NAME"):
        webhook_of("https://hooks.example/", None, False, False)
    with pytest.raises(tw.WrongUsage, match="the environment variable NO_SECRET"):
        webhook_of("https://hooks.example/", ["HOOK_SECRET", "NO_SECRET"], False, False)
    with pytest.raises(tw.WrongUsage, match="add --deliver URL"):
        webhook_of("", ["HOOK_SECRET"], False, False)
    with pytest.raises(tw.WrongArgument, match="public address"):
        webhook_of("https://10.0.0.1/", ["HOOK_SECRET"], False, False)
