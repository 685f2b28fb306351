"""The class `Webhook`: a receiver that posts each delivery to an HTTP address."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec.json import encode

from turnwise.errors import DeliveryFailed, TurnwiseError, WrongArgument
from turnwise.runner.clocks import SystemClock
from turnwise.runner.receivers import deadline
from turnwise.webhooks.addresses import resolve, target_of
from turnwise.webhooks.signature import keys_of, signature

if TYPE_CHECKING:
    from turnwise.runner.outbox_port import Delivery
    from turnwise.runner.ports import Clock
    from turnwise.webhooks.post import AnswerHead

EVENT_TYPE = "conversation.messages"
"""The type of the event, as Standard Webhooks names it."""
MOST_BYTES = 1024 * 1024
"""How many bytes of an answer are read at most."""


class Webhook:
    """Posts deliveries to a URL, signed after Standard Webhooks (https://www.standardwebhooks.com).

    With several `secrets` each request has a signature for each, so that a secret can be replaced: add the new one,
    let the receiver change, take the old one away (`set_secrets`). What waits is signed when it is sent. An answer of
    2xx within `timeout_s` accepts a delivery; redirects are not followed; 410 gives it up. Addresses that are not
    public need `allow_private`, and http:// needs `allow_http`. Raises `WrongArgument`.
    """

    def __init__(
        self,
        url: str,
        *,
        secrets: Iterable[str],
        timeout_s: float = 10.0,
        allow_private: bool = False,
        allow_http: bool = False,
        max_bytes: int = MOST_BYTES,
        clock: Clock | None = None,
    ) -> None:
        self._target = target_of(url, allow_http=allow_http, allow_private=allow_private)
        self._keys = keys_of(secrets)
        if not _is_number(timeout_s) or not timeout_s > 0:
            raise WrongArgument("timeout_s", timeout_s, "seconds, above 0")
        if not _is_number(max_bytes) or not max_bytes > 0:
            raise WrongArgument("max_bytes", max_bytes, "a number of bytes, above 0")
        self.timeout_s = timeout_s
        self._post = _post()
        self.allow_private = allow_private
        self.max_bytes = max_bytes
        self._clock = clock or SystemClock()

    def __repr__(self) -> str:
        return f"<Webhook to {self._target.host_header}>"

    def set_secrets(self, secrets: Iterable[str]) -> None:
        """Sign with these secrets from now on, also the deliveries that wait."""
        self._keys = keys_of(secrets)

    async def deliver(self, delivery: Delivery) -> None:
        """Post a delivery to the receiver. Raises `DeliveryFailed` if it is not accepted."""
        body = encode(payload_of(delivery))
        if len(body) > self.max_bytes:
            why = f"it has {len(body)} bytes, more than the {self.max_bytes} of max_bytes"
            raise DeliveryFailed(why, is_final=True)
        try:
            async with deadline(self.timeout_s):
                addresses = await resolve(self._target, allow_private=self.allow_private)
                tls = self._tls if self._target.is_secure else None
                answered = await self._post(self._target, addresses, tls, self._headers(delivery, body), body)
        except TimeoutError:
            raise DeliveryFailed(f"{self._target.host} gave no answer within {self.timeout_s:g} s") from None
        self._check(answered)

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return ssl.create_default_context()

    def _headers(self, delivery: Delivery, body: bytes) -> dict[str, str]:
        timestamp_s = self._clock.now_ms() // 1000
        return {
            "content-type": "application/json",
            "user-agent": "turnwise",
            "connection": "close",
            "webhook-id": delivery.id,
            "webhook-timestamp": str(timestamp_s),
            "webhook-signature": signature(self._keys, delivery.id, timestamp_s, body),
        }

    def _check(self, answered: AnswerHead) -> None:
        """Raise `DeliveryFailed` unless the receiver has accepted the delivery."""
        status, host = answered.status, self._target.host
        if 200 <= status < 300:
            return
        if 300 <= status < 400:
            raise DeliveryFailed(f"{host} answered {status}: redirects are not followed")
        after = answered.retry_after
        pause_s = float(after) if after.isascii() and after.isdigit() and len(after) < 10 else 0.0
        raise DeliveryFailed(f"{host} answered {status}", retry_after_s=pause_s, is_final=status == 410)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _post() -> Callable[..., Awaitable[AnswerHead]]:
    """Return the function that sends a request. Raises `TurnwiseError` where its package is missing."""
    try:
        from turnwise.webhooks.post import post
    except ModuleNotFoundError:
        raise TurnwiseError("tw.Webhook needs the package h11: pip install 'turnwise[webhooks]'") from None
    return post


def payload_of(delivery: Delivery) -> dict[str, Any]:
    """Return the JSON body of a delivery's request, which is the same in each attempt."""
    at = datetime.fromtimestamp(delivery.at_ms / 1000, UTC)
    return {
        "type": EVENT_TYPE,
        "timestamp": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "data": {
            "id": delivery.id,
            "conversation": delivery.conversation,
            "flow": delivery.flow,
            "turn": delivery.turn,
            "seq": delivery.seq,
            "event": delivery.event,
            "messages": delivery.messages,
        },
    }
