"""Sends one HTTP request and reads the head of its answer. Redirects are not followed, and no proxy is used."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import h11

from turnwise.errors import DeliveryFailed
from turnwise.webhooks.addresses import Target

LONGEST_HEAD = 16 * 1024
"""How many bytes the head of an answer may have."""
LONGEST_BODY = 64 * 1024
"""How many bytes of an answer are read before the connection is closed."""
BODY_TIMEOUT_S = 1.0
"""How many seconds the rest of an answer is awaited after its head."""


class AnswerHead(NamedTuple):
    """The status and a header of the answer to an HTTP request."""

    status: int
    """The HTTP status code."""
    retry_after: str
    """The value of the header `Retry-After`; empty without one."""


async def post(
    target: Target, addresses: Sequence[str], tls: ssl.SSLContext | None, headers: Mapping[str, str], body: bytes
) -> AnswerHead:
    """Post a request body, with headers by name, to the first of some IP addresses that accepts a connection; by
    `http:` where `tls` is `None`. Raises `DeliveryFailed`.
    """
    reader, writer = await _connected(target, addresses, tls)
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=LONGEST_HEAD)
    try:
        head = [("host", target.host_header), ("content-length", str(len(body))), *headers.items()]
        request = h11.Request(method="POST", target=target.path, headers=head)
        for part in (request, h11.Data(data=body), h11.EndOfMessage()):
            writer.write(connection.send(part) or b"")
        with suppress(ConnectionError):  # a receiver may answer and close before it has read all
            await writer.drain()
        return await _answer(connection, reader)
    except (h11.RemoteProtocolError, OSError):
        raise DeliveryFailed(f"{target.host} closed the connection, or its answer is not HTTP") from None
    finally:
        writer.transport.abort()


async def _connected(
    target: Target, addresses: Sequence[str], tls: ssl.SSLContext | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reason = "no address"
    for address in addresses:
        try:
            name = target.host if tls is not None else None
            return await asyncio.open_connection(address, target.port, ssl=tls, server_hostname=name)
        except ssl.SSLCertVerificationError as error:
            reason = f"its certificate is not valid: {error.verify_message}"
        except OSError as error:
            reason = error.strerror or type(error).__name__
    raise DeliveryFailed(f"cannot connect to {target.host}:{target.port}: {reason}")


async def _answer(connection: h11.Connection, reader: asyncio.StreamReader) -> AnswerHead:
    """Return the head of the answer, after the rest of it was read as far as it comes soon."""
    head = await _event(connection, reader)
    while isinstance(head, h11.InformationalResponse):
        head = await _event(connection, reader)
    if not isinstance(head, h11.Response):
        raise h11.RemoteProtocolError("no response")
    retry_after = dict(head.headers).get(b"retry-after", b"").decode("latin-1")
    with suppress(TimeoutError, asyncio.CancelledError, h11.RemoteProtocolError, OSError):  # the receiver has answered
        async with asyncio.timeout(BODY_TIMEOUT_S):
            left = LONGEST_BODY
            while left > 0 and isinstance(data := await _event(connection, reader), h11.Data):
                left -= len(data.data)
    return AnswerHead(head.status_code, retry_after)


async def _event(connection: h11.Connection, reader: asyncio.StreamReader) -> object:
    while (event := connection.next_event()) is h11.NEED_DATA:
        connection.receive_data(await reader.read(LONGEST_HEAD))
    return event
