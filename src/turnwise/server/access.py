"""Who asks: identities with scopes, and the file of hashed keys.

A key is `tw_` + id + `_` + secret. The file holds the id, the owner, the scopes and the SHA-256 of the whole key, so
that reading the file gives no access. A key has 256 random bits: no slow hash is needed.
"""

from __future__ import annotations

import logging
import os
import re
import stat
from collections.abc import Awaitable, Callable, Iterable, Mapping
from hashlib import sha256
from hmac import compare_digest
from inspect import isawaitable
from pathlib import Path
from secrets import token_hex, token_urlsafe
from typing import Any, Protocol, cast, get_args

from msgspec import MsgspecError, Struct
from msgspec.json import decode, encode
from msgspec.json import format as indented
from starlette.requests import Request

from turnwise.archive.names import is_owner
from turnwise.errors import TurnwiseError, WrongArgument
from turnwise.flow.diagnostic import nearest
from turnwise.server.problems import RequestFailed
from turnwise.server.wire.conversations import Scope

SCOPES: tuple[Scope, ...] = get_args(Scope)
_OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}")
_PRIVATE = 0o600
FORMAT = 1
_log = logging.getLogger("turnwise.server")


class Identity(Struct, frozen=True):
    """Who asks: the owner of conversations, and what they may do. Without an `owner` every conversation is theirs.

    `flows` are the flows that they may use, `None` for all. `counted_as` is the name under which the rate limit counts
    their requests, by default the owner.
    """

    owner: str
    """The owner of the conversations that they may use; empty for all conversations."""
    scopes: frozenset[Scope]
    """What they may do."""
    is_local: bool = False
    """True on loopback without keys: then everything is allowed."""
    flows: frozenset[str] | None = None
    """The flows that they may use; `None` for all."""
    counted_as: str = ""
    """The name under which the rate limit counts their requests; empty for the owner."""

    def may(self, scope: Scope) -> bool:
        """Return whether a scope is granted; `admin` grants all, `operator` also `chat`."""
        return scope in self.scopes or "admin" in self.scopes or (scope == "chat" and "operator" in self.scopes)

    @property
    def sees_inside(self) -> bool:
        """True where values, timers and who is in charge are shown, not only what the user of a conversation sees."""
        return self.may("debug:read") or self.may("operator")

    @property
    def granted(self) -> tuple[Scope, ...]:
        """All scopes that are granted."""
        return tuple([scope for scope in SCOPES if self.may(scope)])

    @property
    def sender(self) -> str:
        """Who sends commands, as the journal keeps it."""
        return self.owner or "a client of the server"

    @property
    def prefix(self) -> str:
        """The beginning of the ids of the owner's conversations."""
        return f"{self.owner}:" if self.owner else ""

    def sees(self, conversation: str, flow: str | None = None) -> bool:
        """Return whether the list, the queue and the streams show a conversation: operators see those of all owners."""
        is_usable = self.flows is None or flow is None or flow in self.flows
        return self.owns(conversation) or (self.may("operator") and is_usable)

    def owns(self, conversation: str) -> bool:
        """Return whether a conversation belongs to the owner."""
        return conversation.startswith(self.prefix)


CHALLENGE = ((b"www-authenticate", b'Bearer realm="turnwise"'),)
"""The header that every answer with status 401 has."""
LOCAL = Identity("", frozenset(SCOPES), is_local=True)
"""Everybody who reaches a server on loopback that has no keys."""


class Access(Protocol):
    """Identifies callers."""

    credential: str = "key"
    """What callers prove their identity with, as messages name it."""

    def identify(self, scope: Mapping[str, Any]) -> Identity | Awaitable[Identity | None] | None:
        """Return the identity of a request (an ASGI scope), or an awaitable of it; `None` if it has none."""
        ...

    def refusal(self, scope: Mapping[str, Any]) -> RequestFailed:
        """Return the problem of a request without identity."""
        if bearer_of(scope):
            why = "this key is not valid: it has a typing error, or it was removed"
            return RequestFailed("invalid_key", why, headers=CHALLENGE)
        why = "send a key of this server as 'Authorization: Bearer …'"
        return RequestFailed("unauthenticated", why, headers=CHALLENGE)


def bearer_of(scope: Mapping[str, Any]) -> str:
    """Return the credentials of the header `Authorization: Bearer …`, empty if there are none."""
    headers = [value for name, value in scope["headers"] if name == b"authorization"]
    if len(headers) != 1:
        return ""
    kind, _, credentials = headers[0].decode("latin-1").partition(" ")
    return credentials.strip() if kind.lower() == "bearer" else ""


class Loopback(Access):
    """The access of a server on loopback without keys: everybody who reaches it may do everything."""

    def identify(self, scope: Mapping[str, Any]) -> Identity:  # noqa: ARG002  all callers are one owner
        """Return the identity that everybody has."""
        return LOCAL


class OwnAccess(Access):
    """The access of a program that has its own authentication: a function of a Starlette request. `login_url` is the
    address of the page where its users log in, empty if it has none.
    """

    credential = "login"
    """What a refusal calls the proof that is missing."""

    def __init__(
        self,
        authenticate: Callable[[Request], Identity | Awaitable[Identity | None] | None],
        login_url: str | None = None,
    ) -> None:
        self.authenticate = authenticate
        self.login_url = login_url

    async def identify(self, scope: Mapping[str, Any]) -> Identity | None:
        """Return what the function returns. Raises `WrongIdentity` for one that could see what is not its own."""
        found = self.authenticate(Request(cast("dict[str, Any]", scope)))
        identity: Any = await found if isawaitable(found) else found
        if identity is None:
            return None
        if not isinstance(identity, Identity):
            raise WrongIdentity(f"authenticate must return a tw.Identity or None, not {type(identity).__name__}")
        if not is_owner(identity.owner):
            raise WrongIdentity("the owner of an identity has 1 to 128 printable characters, none of them ':' or '/'")
        if not set(identity.scopes) <= set(SCOPES):
            raise WrongIdentity(f"the scopes of an identity are some of {', '.join(SCOPES)}")
        return identity

    def refusal(self, scope: Mapping[str, Any]) -> RequestFailed:  # noqa: ARG002  every request is refused for one reason
        """Return the error for a request whose sender the function did not identify."""
        why = "the application that serves this address does not know who you are; log in there"
        return RequestFailed("not_logged_in", why, headers=CHALLENGE, login_url=self.login_url)


class WrongIdentity(TypeError):
    """The authentication of a program returned something that is no identity: a mistake of that program."""


def how_to_add(file: Path) -> str:
    """Return how a file gets its first key."""
    return f"make a key with 'turnwise keys add --keys {file} OWNER'"


def checked_scopes(scopes: Iterable[str]) -> tuple[Scope, ...]:
    """Return scopes in their usual order. Raises `TurnwiseError` for one that does not exist."""
    given = set(scopes)
    for scope in sorted(given - set(SCOPES)):
        raise TurnwiseError(f"there is no scope '{scope}'; {nearest(scope, SCOPES)}")
    return tuple(scope for scope in SCOPES if scope in given)


class StoredKey(Struct, frozen=True):
    """A key as the file holds it: without its secret."""

    id: str
    """The public part of the key, which names it in lists."""
    owner: str
    """Whose conversations the key may use; empty for all."""
    scopes: tuple[Scope, ...]
    """What callers with the key may do."""
    sha256: str
    """The hash of the secret part."""
    made_ms: int = 0
    """When the key was made, in milliseconds since 1970; 0 where that is not known."""
    note: str = ""
    """What the key is for, as its maker wrote it."""


class _File(Struct):
    keys: list[StoredKey] = []
    format: int = FORMAT


class KeyFile(Access):
    """A file of hashed keys. It is read again when it has changed, so that a removed key ends at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[int, int, int, int] | None = None
        self._keys: dict[str, StoredKey] = {}
        self._logged = ""
        """What was logged last about a file that cannot be used, so that each request does not log it again."""

    def identify(self, scope: Mapping[str, Any]) -> Identity | None:
        """Return the identity of the `Authorization` header, `None` if its key is unknown. Raises `RequestFailed` if
        the file cannot be used; only the log names it.
        """
        key = bearer_of(scope)
        parts = key.split("_", 2)
        if len(parts) != 3 or parts[0] != "tw":
            return None
        try:
            self._refresh()
            self._logged = ""
        except TurnwiseError as error:
            if self._logged != str(error):
                self._logged = str(error)
                _log.error("%s", error)
            why = "the server cannot read its keys now; its log says why"
            raise RequestFailed("keys_unavailable", why, headers=((b"retry-after", b"5"),)) from None
        found = self._keys.get(parts[1])
        digest = sha256(key.encode()).hexdigest()
        if not compare_digest(digest, found.sha256 if found is not None else "0" * 64) or found is None:
            return None
        return Identity(found.owner, frozenset(found.scopes))

    def keys(self) -> tuple[StoredKey, ...]:
        """Return all keys."""
        self._refresh()
        return tuple(self._keys.values())

    def add(self, owner: str, scopes: Iterable[str], now_ms: int, note: str = "") -> str:
        """Store a new key; return it: it can be shown only now."""
        granted = checked_scopes(scopes)
        if not _OWNER.fullmatch(owner):
            raise WrongArgument("owner", owner, "up to 64 letters, digits or ._@+- that begin with a letter or a digit")
        number = token_hex(4)
        key = f"tw_{number}_{token_urlsafe(32)}"
        stored = StoredKey(number, owner, granted, sha256(key.encode()).hexdigest(), now_ms, note)
        self._write([*(self.keys() if self.path.exists() else ()), stored])
        return key

    def remove(self, number: str) -> bool:
        """Remove a key; return false if there is none of this id."""
        kept = [key for key in self.keys() if key.id != number]
        if len(kept) == len(self._keys):
            return False
        self._write(kept)
        return True

    def _refresh(self) -> None:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            raise TurnwiseError(f"{self.path}: there is no such file of keys; {how_to_add(self.path)}") from None
        except OSError as error:
            raise TurnwiseError(f"{self.path}: the keys cannot be read: {error.strerror}") from None
        seen = (found.st_mtime_ns, found.st_size, found.st_ino, found.st_mode)
        if seen == self._seen:
            return
        if not stat.S_ISREG(found.st_mode):  # reading a pipe would wait for a writer, and every request with it
            raise TurnwiseError(f"{self.path}: this is no file of keys: it is no regular file")
        if stat.S_IMODE(found.st_mode) & _forbidden_to_others(found.st_uid):
            raise TurnwiseError(f"{self.path}: others can read this file of keys; protect it with chmod 600")
        self._keys = {key.id: key for key in _read(self.path)}
        self._seen = seen

    def _write(self, keys: list[StoredKey]) -> None:
        """Replace the file as a whole; only its owner can read it."""
        new = self.path.with_name(f".{self.path.name}.{os.getpid()}.new")
        try:
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE), "wb") as file:
                file.write(indented(encode(_File(keys))) + b"\n")
                file.flush()
                os.fsync(file.fileno())
            new.replace(self.path)
        except OSError as error:
            new.unlink(missing_ok=True)
            raise TurnwiseError(f"{self.path}: the keys cannot be written: {error.strerror}") from None
        self._refresh()


def _forbidden_to_others(owner: int) -> int:
    """Return the permissions that group and others must not have for a file of this owner. The group may read a file of
    root: a container that does not run as root can read a mounted secret in no other way.
    """
    is_of_root = owner == 0 and hasattr(os, "geteuid") and os.geteuid() != 0
    return 0o037 if is_of_root else 0o077


def _read(path: Path) -> list[StoredKey]:
    try:
        found = decode(path.read_bytes(), type=_File)
    except OSError as error:
        raise TurnwiseError(f"{path}: the keys cannot be read: {error.strerror}") from None
    except (MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise TurnwiseError(f"{path}: this is no file of keys: {error}") from None
    if found.format != FORMAT:
        raise TurnwiseError(f"{path}: the file of keys has format {found.format}; this version reads {FORMAT}")
    for key in found.keys:
        if not _OWNER.fullmatch(key.owner):
            raise TurnwiseError(f"{path}: the key {key.id!r} has no valid owner; remove it and add another")
    return found.keys
