"""Secrets and signatures of Standard Webhooks: version 1, HMAC with SHA-256."""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, cast

from turnwise.errors import WrongArgument

SECRETS_BEGIN_WITH = "whsec_"
"""What stands before a secret, as Standard Webhooks write it."""
FEWEST_BYTES, MOST_BYTES = 24, 64
_EXPECTED = (
    f"'{SECRETS_BEGIN_WITH}' and {FEWEST_BYTES} to {MOST_BYTES} random bytes in base64, as Standard Webhooks has it"
)


def keys_of(secrets: Any) -> tuple[bytes, ...]:
    """Return the signing keys of some secrets. Raises `WrongArgument`, which names no secret."""
    if isinstance(secrets, str | bytes) or not isinstance(secrets, Iterable):
        raise WrongArgument("secrets", "one value", "a list of secrets; several while one is replaced by another")
    found = [_key(secret, place) for place, secret in enumerate(cast("Iterable[Any]", secrets))]
    if not found:
        raise WrongArgument("secrets", "an empty list", "at least one secret")
    return tuple(found)


def _key(secret: Any, place: int) -> bytes:
    text = secret.removeprefix(SECRETS_BEGIN_WITH) if isinstance(secret, str) else ""
    try:
        key = b64decode(text, validate=True)
    except (Error, ValueError):
        key = b""
    if not FEWEST_BYTES <= len(key) <= MOST_BYTES:
        raise WrongArgument(f"secrets[{place}]", "a secret of another form", _EXPECTED)
    return key


def signature(keys: Sequence[bytes], id_: str, timestamp_s: int, body: bytes) -> str:
    """Return the value of the header `webhook-signature` of a delivery: of its id (`id_`), the time of sending and the
    body, with one signature for each key. So a receiver accepts the value if it has any one of the keys.
    """
    signed = b".".join((id_.encode(), str(timestamp_s).encode(), body))
    digests = (hmac.new(key, signed, sha256).digest() for key in keys)
    return " ".join(f"v1,{b64encode(digest).decode()}" for digest in digests)
