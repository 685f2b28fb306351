"""Webhooks against real HTTP servers: signed, pinned to an address that was checked, and patient with bad receivers."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from base64 import b64encode
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import Any

import pytest
import standardwebhooks

import turnwise as tw
from support.durable.running import run
from turnwise.runner.outbox_port import DeliveredMessage
from turnwise.stores.memory import MemoryStore
from turnwise.webhooks.addresses import is_public

OLD = f"whsec_{b64encode(bytes(range(32))).decode()}"
NEW = f"whsec_{b64encode(bytes(range(1, 33))).decode()}"
BUTTON = tw.Button("Yes", "yes")
DELIVERY = tw.Delivery(
    "msg_1", "ada", "talk", 3, 17, 1_767_960_000_123, "timer_fired", (DeliveredMessage("Hallo, ü!", 16, (BUTTON,)),)
)
Write = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[object]]
OK = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"


class Request:
    """A request that a server received."""

    def __init__(self, head: bytes, body: bytes) -> None:
        line, *lines = head.decode().strip().split("\r\n")
        self.line = line
        self.headers = {name.lower(): value.strip() for name, _, value in (one.partition(":") for one in lines)}
        self.body = body


async def request_of(reader: asyncio.StreamReader) -> Request:
    head = await reader.readuntil(b"\r\n\r\n")
    found = Request(head, b"")
    found.body = await reader.readexactly(int(found.headers["content-length"]))
    return found


@asynccontextmanager
async def server(answer: Write) -> AsyncGenerator[int]:
    """A server on loopback; its port."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await answer(reader, writer)
        except (ConnectionError, asyncio.CancelledError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.transport.abort()

    serving = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield serving.sockets[0].getsockname()[1]
    finally:
        serving.close()


def answering(data: bytes, got: list[Request] | None = None) -> Write:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await request_of(reader)
        if got is not None:
            got.append(request)
        writer.write(data)
        await writer.drain()
        await asyncio.sleep(0.05)

    return answer


def hook(port: int, **more: Any) -> tw.Webhook:
    options = {"secrets": [OLD], "allow_private": True, "allow_http": True, "timeout_s": 2.0, **more}
    return tw.Webhook(f"http://127.0.0.1:{port}/hook?token=sesame", **options)


def test_the_public_library_verifies_each_secret_and_the_body_says_what_was_said() -> None:
    async def play() -> None:
        got: list[Request] = []
        async with server(answering(OK, got)) as port:
            webhook = hook(port, secrets=[OLD, NEW])
            await webhook.deliver(DELIVERY)
            webhook.set_secrets([NEW])
            await webhook.deliver(DELIVERY)
        both, one = got
        for secret in (OLD, NEW):
            data = standardwebhooks.Webhook(secret).verify(both.body, both.headers)
        assert both.line == "POST /hook?token=sesame HTTP/1.1"
        assert (both.headers["webhook-id"], both.headers["content-type"]) == ("msg_1", "application/json")
        assert data == json.loads(both.body)
        assert (data["type"], data["timestamp"]) == ("conversation.messages", "2026-01-09T12:00:00.123Z")
        message = {
            "text": "Hallo, ü!",
            "seq": 16,
            "buttons": [json.loads(json.dumps({"label": "Yes", "value": "yes"}))],
        }
        about = {"conversation": "ada", "flow": "talk", "turn": 3, "seq": 17, "event": "timer_fired", "id": "msg_1"}
        assert {key: value for key, value in data["data"].items() if key != "messages"} == about
        assert data["data"]["messages"][0]["text"] == message["text"]
        assert data["data"]["messages"][0]["buttons"][0]["value"] == "yes"
        standardwebhooks.Webhook(NEW).verify(one.body, one.headers)
        with pytest.raises(standardwebhooks.WebhookVerificationError):
            standardwebhooks.Webhook(OLD).verify(one.body, one.headers)

    run(play())


def test_letters_of_a_path_that_are_not_ascii_are_escaped_and_the_rest_stays() -> None:
    async def play() -> None:
        got: list[Request] = []
        async with server(answering(OK, got)) as port:
            url = f"http://127.0.0.1:{port}/größe/a%20b?q=ü&r=[1]"
            await tw.Webhook(url, secrets=[OLD], allow_private=True, allow_http=True).deliver(DELIVERY)
        assert got[0].line == "POST /gr%C3%B6%C3%9Fe/a%20b?q=%C3%BC&r=[1] HTTP/1.1"

    run(play())


def test_a_secret_that_is_replaced_while_messages_wait_signs_them_when_they_are_sent() -> None:
    async def play() -> None:
        got: list[Request] = []
        away = b"HTTP/1.1 503 Later\r\nretry-after: 120\r\ncontent-length: 0\r\n\r\n"
        answers = [away, OK]

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await answering(answers.pop(0), got)(reader, writer)

        flow = {
            "flow": "talk",
            "start": "a",
            "nodes": {
                "a": {"say": "Hi.", "transitions": [{"at": "timer", "in": "5m", "to": "b"}]},
                "b": {"say": "You?"},
            },
        }
        clock = tw.ManualClock(1_767_960_000_000)
        async with server(answer) as port:
            webhook = hook(port)
            app = tw.open(flow, store=MemoryStore(), clock=clock, deliver=webhook)
            await app.chat("ada").say("hi")
            clock.move_s(300)
            await app.tick()
            (row,) = await app.deliveries()
            assert (row.status, row.error) == ("waiting", "127.0.0.1 answered 503")
            assert row.due_ms == clock.now_ms() + 120_000, "the receiver said when"
            webhook.set_secrets([NEW, OLD])
            clock.move_s(121)
            await app.tick()
            await app.close()
        first, second = got
        assert first.body == second.body
        assert first.headers["webhook-id"] == second.headers["webhook-id"] == row.id
        standardwebhooks.Webhook(NEW).verify(second.body, second.headers)

    run(play())


async def hangs(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await request_of(reader)
    await asyncio.sleep(60)


async def answers_too_late(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await request_of(reader)
    for byte in OK:
        writer.write(bytes([byte]))
        await asyncio.sleep(0.1)


async def never_ends_its_head(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await request_of(reader)
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"x-a: " + b"a" * 8000 + b"\r\n")
        await writer.drain()


async def closes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await request_of(reader)


@pytest.mark.parametrize(
    ("answer", "reason", "is_final"),
    [
        (hangs, "gave no answer within 0.5 s", False),
        (answers_too_late, "gave no answer within 0.5 s", False),
        (never_ends_its_head, "its answer is not HTTP", False),
        (closes, "closed the connection", False),
        (answering(b"220 mail.example ESMTP\r\n\r\n"), "its answer is not HTTP", False),
        (answering(b"HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n"), "answered 500", False),
        (answering(b"HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n"), "answered 410", True),
        (
            answering(b"HTTP/1.1 307 Go\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n"),
            "answered 307: redirects are not followed",
            False,
        ),
    ],
    ids=["hangs", "late", "endless head", "closes", "no http", "500", "410", "redirect"],
)
def test_a_bad_receiver_is_a_failure_with_its_reason(answer: Write, reason: str, is_final: bool) -> None:
    async def play() -> None:
        async with server(answer) as port:
            with pytest.raises(tw.DeliveryFailed, match=reason) as raised:
                await hook(port, timeout_s=0.5).deliver(DELIVERY)
        assert raised.value.is_final is is_final
        assert "sesame" not in str(raised.value)

    run(play())


@pytest.mark.parametrize(
    "rest",
    [b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 300_000, b"HTTP/1.1 100 Continue\r\n\r\n" + OK, b"HTTP/1.1 204 No\r\n\r\n"],
    ids=["long body", "informational", "204"],
)
def test_the_head_of_an_answer_is_enough(rest: bytes) -> None:
    async def play() -> None:
        async with server(answering(rest)) as port:
            await hook(port).deliver(DELIVERY)

    run(play())


def test_an_answer_counts_whose_body_is_not_there_when_the_time_is_over() -> None:
    """Its head came in time: the receiver has accepted, and a failure would send it again."""

    async def late_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await request_of(reader)
        await asyncio.sleep(0.2)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n")
        await asyncio.sleep(5)

    async def play() -> None:
        async with server(late_body) as port:
            await hook(port, timeout_s=0.5).deliver(DELIVERY)

    run(play())


def test_nobody_listens() -> None:
    async def play() -> None:
        async with server(hangs) as port:
            pass
        with pytest.raises(tw.DeliveryFailed, match=rf"cannot connect to 127.0.0.1:{port}"):
            await hook(port).deliver(DELIVERY)

    run(play())


def test_a_message_that_is_too_long_is_given_up() -> None:
    async def play() -> None:
        with pytest.raises(tw.DeliveryFailed, match="more than the 50 of max_bytes") as raised:
            await hook(9, max_bytes=50).deliver(DELIVERY)
        assert raised.value.is_final

    run(play())


def resolving(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """Let every name resolve to some addresses, each time the next ones; the names that were asked."""
    asked: list[str] = []

    async def getaddrinfo(self: Any, host: str, port: int, **more: Any) -> list[Any]:
        asked.append(host)
        if host[0].isdigit():
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port))]
        found = addresses[min(len([one for one in asked if one == host]) - 1, len(addresses) - 1)]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in found.split()]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize(
    "addresses",
    [
        "127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "::1",
        "fe80::1%eth0",
        "fd00::1",
        "93.184.216.34 192.168.0.1",
        "0.0.0.0",
    ],
)
def test_a_name_with_an_address_that_is_not_public_is_not_reached(
    addresses: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        resolving(monkeypatch, addresses)
        with pytest.raises(tw.DeliveryFailed, match="not public"):
            await tw.Webhook("https://hooks.example/x", secrets=[OLD]).deliver(DELIVERY)

    run(play())


def test_the_connection_is_made_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that resolves to another address a moment later is asked only once."""

    async def play() -> None:
        got: list[Request] = []
        async with server(answering(OK, got)) as port:
            asked = resolving(monkeypatch, "127.0.0.1", "169.254.169.254")
            options = {"secrets": [OLD], "allow_private": True, "allow_http": True}
            await tw.Webhook(f"http://hooks.example:{port}/", **options).deliver(DELIVERY)
        assert asked.count("hooks.example") == 1
        assert got[0].headers["host"] == f"hooks.example:{port}"

    run(play())


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        *((one, False) for one in ("127.0.0.1", "100.64.0.1", "224.0.0.1", "255.255.255.255", "::", "ff02::1")),
        *((one, False) for one in ("::ffff:127.0.0.1", "64:ff9b::10.0.0.1", "2002:7f00:1::", "2001:0:1::1")),
        ("64:ff9b::8.8.8.8", True),
    ],
)
def test_public_addresses(address: str, expected: bool) -> None:
    assert is_public(ip_address(address)) is expected


@pytest.mark.parametrize(
    ("url", "more", "expected"),
    [
        ("http://hooks.example/", {}, "begins with https://"),
        ("ftp://hooks.example/", {"allow_http": True}, "begins with https://"),
        ("https://127.0.0.1/", {}, "a public address"),
        ("https://[::1]:8443/", {}, "a public address"),
        ("https://ada:pass@hooks.example/", {}, "an address without"),
        ("https:///path", {}, "an address such as"),
        ("https://hooks.example:99999/", {}, "an address such as"),
        ("https://hooks.example/\r\nx: y", {}, "an address such as"),
        (5, {}, "an address such as"),
        ("https://hooks.example/", {"timeout_s": 0}, "seconds, above 0"),
        ("https://hooks.example/", {"timeout_s": "10"}, "seconds, above 0"),
        ("https://hooks.example/", {"max_bytes": 0}, "a number of bytes"),
        ("https://hooks.example/", {"secrets": []}, "at least one secret"),
        ("https://hooks.example/", {"secrets": OLD}, "a list of secrets"),
        ("https://hooks.example/", {"secrets": ["whsec_sesame"]}, "24 to 64 random bytes"),
        ("https://hooks.example/", {"secrets": [OLD, 5]}, "24 to 64 random bytes"),
    ],
)
def test_what_cannot_work_is_refused_when_it_is_given(url: Any, more: dict[str, Any], expected: str) -> None:
    with pytest.raises(tw.WrongArgument, match=expected) as raised:
        tw.Webhook(url, **{"secrets": [OLD], **more})
    assert not any(one in str(raised.value) for one in ("sesame", "pass@", OLD))


def test_neither_logs_nor_the_list_hold_a_secret(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        caplog.set_level(logging.DEBUG)
        async with server(closes) as port:
            webhook = hook(port)
            with pytest.raises(tw.DeliveryFailed) as raised:
                await webhook.deliver(DELIVERY)
        for text in (repr(webhook), str(raised.value), caplog.text):
            assert "sesame" not in text
            assert OLD.removeprefix("whsec_") not in text

    run(play())
