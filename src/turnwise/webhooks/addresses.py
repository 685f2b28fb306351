"""Checks the address of a receiver, and resolves it to addresses that may be reached.

The name is resolved once for each attempt, and the connection is made to the very address that was checked: a name
that resolves to another address a moment later (DNS rebinding) gains nothing.
"""

from __future__ import annotations

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from turnwise.errors import DeliveryFailed, WrongArgument

_NAT64 = IPv6Network("64:ff9b::/96")
"""Addresses that a gateway translates to the IPv4 address in their last four bytes."""
_AS_WRITTEN = "!#$%&'()*+,/:;=?@[]~"
"""What stays in a path; other letters than those of ASCII are escaped, as browsers do."""


class Target(NamedTuple):
    """The parts of the URL of a webhook's receiver."""

    is_secure: bool
    """True for a URL with `https`."""
    host: str
    """The host name or IP address."""
    port: int
    """The port."""
    path: str
    """The path and query of the URL, as they are requested."""

    @property
    def host_header(self) -> str:
        """The value of the HTTP header `host` for the receiver."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.is_secure else 80) else f"{host}:{self.port}"


def target_of(url: Any, *, allow_http: bool, allow_private: bool) -> Target:
    """Return the parts of a receiver's URL. Raises `WrongArgument`, without the parts that may hold a token. `http:`
    needs `allow_http`, a private IP address `allow_private`.
    """
    if not isinstance(url, str):
        raise WrongArgument("url", url, "an address such as 'https://example.com/hook'")
    shown = f"{url.partition('?')[0][:20]}…"
    try:
        parts = urlsplit(url)
        port = parts.port
        host = (parts.hostname or "").encode("idna" if (parts.hostname or "").isascii() is False else "ascii").decode()
    except ValueError:
        raise WrongArgument("url", shown, "an address such as 'https://example.com/hook'") from None
    is_secure = parts.scheme == "https"
    if not is_secure and not (parts.scheme == "http" and allow_http):
        raise WrongArgument("url", shown, "an address that begins with https://; allow_http=True allows http://")
    if not host or not url.isprintable() or " " in url:
        raise WrongArgument("url", shown, "an address such as 'https://example.com/hook'")
    if parts.username is not None or parts.password is not None:
        raise WrongArgument("url", "one with a name or a password", "an address without: secrets sign each request")
    literal = _literal(host)
    if literal is not None and not allow_private and not is_public(literal):
        raise WrongArgument("url", shown, "a public address; allow_private=True allows others")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(is_secure, host, port or (443 if is_secure else 80), quote(path, safe=_AS_WRITTEN))


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is public; for an IPv6 address with an IPv4 address inside, whether that is."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in _NAT64:
            inner = IPv4Address(address.packed[-4:])
        if inner is not None:
            return is_public(inner)
        if address.teredo is not None:
            return False
    return address.is_global and not address.is_multicast


async def resolve(target: Target, *, allow_private: bool) -> list[str]:
    """Return the IP addresses of a receiver's host. Raises `DeliveryFailed` if there are none, or one is forbidden, as
    private addresses are without `allow_private`.
    """
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except OSError:
        raise DeliveryFailed(f"the host {target.host} has no address") from None
    addresses = list(dict.fromkeys(str(info[4][0]) for info in found))
    for one in addresses:
        if not allow_private and not is_public(ip_address(one.partition("%")[0])):
            raise DeliveryFailed(f"the host {target.host} has an address that is not public, which is not allowed")
    return addresses
