"""The network address of a client, also behind proxies that the operator trusts.

Without a setting it is the address of the connection: a header is only as true as whoever sends it. Each trusted proxy
appends the address that it was called from, so the client is found so many places from the right; what stands further
left the client wrote itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from msgspec import Struct

_FOR = re.compile(r'(?:^|;)\s*for\s*=\s*"?([^";,]*)"?', re.IGNORECASE)
_PORT = re.compile(r"(?:\[(.*)\]|([^:]*))(?::\d{1,5})?")
_OWN_BITS = 64
"""How many bits of an IPv6 address name the network of one customer, who has all addresses in it."""
MOST_PROXIES = 16
"""How many proxies may stand before the server."""


class Proxies(Struct, frozen=True):
    """The proxies in front of a server: their number, and the header to which each appends its client's address.
    It is `x-forwarded-for` or `forwarded`.
    """

    count: int
    """How many proxies every request passes."""
    header: str = "x-forwarded-for"
    """The header to which each proxy appends the address that called it."""

    def client(self, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        """Return the address of the client from a request's headers; `None` where the header does not have it."""
        name = self.header.lower().encode("latin-1", "replace")
        hops = [hop.strip() for key, value in headers if key == name for hop in value.decode("latin-1").split(",")]
        if len(hops) < self.count:
            return None
        hop = hops[-self.count]
        if name == b"forwarded":
            found = _FOR.search(hop)
            hop = found[1] if found is not None else ""
        return _read(hop)


def _read(text: str) -> str | None:
    """Return an address without its port."""
    for one in (text, *((found[1] or found[2]) for found in (_PORT.fullmatch(text),) if found is not None)):
        try:
            return str(ip_address(one or ""))
        except ValueError:
            continue
    return None


def counted_address(scope: Mapping[str, Any]) -> str:
    """Return the client address under which limits count a request; for IPv6 its network, as a client has all of it."""
    client = scope.get("client")
    text = str(client[0]) if client else ""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return text
    if not isinstance(address, IPv6Address):
        return text
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, _OWN_BITS), strict=False))
