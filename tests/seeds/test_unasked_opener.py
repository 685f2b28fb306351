"""Seed 003, survey: the opener of "Feedback Tuesday" comes without a message, by stream and by webhook, with the name."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

import turnwise as tw
from support.served import Listening, in_loop, served

OPENER = "Hi Max! It's that time of the month. Do you have a minute to help us improve?"
FLOW = """
flow: tutor
start: chat
records: {user: {name: {type: string, default: Max}}, feedback: {mood: string}}
nodes:
  chat: {prompt: You are Maya.}
  survey: {scope: {returns: feedback}, form: {fields: [{field: feedback.mood, ask: How was it?}]}}
schedules:
  feedback_tuesday:
    cron: "0 17 * * 2#2"
    offer: survey
    opener: "Hi {{ user.name }}! It's that time of the month. Do you have a minute to help us improve?"
"""
MONDAY_MS = 1_794_225_600_000
"""9 November 2026, 12:00 UTC."""


@contextmanager
def receiver(bodies: list[dict[str, Any]]) -> Iterator[str]:
    """Serve an address that keeps the body of each request."""

    class Keep(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Keep)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/hook"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.requirement("003-52")
@in_loop
async def test_the_opener_comes_unasked_by_stream_and_by_webhook() -> None:
    bodies: list[dict[str, Any]] = []
    clock = tw.ManualClock(MONDAY_MS)
    with receiver(bodies) as url:
        webhook = tw.Webhook(
            url, secrets=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], allow_private=True, allow_http=True
        )
        model = tw.ScriptedModel(["Guten Tag, Max!"])
        app = tw.open(tw.loads(FLOW), model=model, clock=clock, deliver=webhook)
        async with served(app, clock=clock) as client:
            await client.post("/api/conversations", json={"flow": "tutor", "name": "max"})
            await client.post("/api/conversations/max/turns", json={"text": "hello"})
            listening = Listening(client.server, "/api/conversations/max/events")
            clock.move_s(29 * 3600)
            await app.tick()
            await listening.until(lambda _: OPENER in listening.text)
            while not bodies:
                await asyncio.sleep(0.01)
            await listening.leave()
    assert [[one["text"] for one in body["data"]["messages"]] for body in bodies] == [[OPENER]]
