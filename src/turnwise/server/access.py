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
"""All scopes that a key may have."""
_OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}")
_PRIVATE = 0o600
FORMAT = 1
"""The version number of the file of keys."""
_log = logging.getLogger("turnwise.server")


class Identity(Struct, frozen=True):
    """The identity of a caller: an owner of conversations, and what the caller may do. Without an `owner` the caller
    has all conversations.

    `flows` are the flows that they may use, `None` for all. `counted_as` is the name under which the rate limit counts
    their requests, by default the owner.
    """

    owner: str
    """The owner of the conversations that the caller may use; empty for all conversations."""
    scopes: frozenset[Scope]
    """The scopes that the caller has: what they may do."""
    is_local: bool = False
    """True for callers of a server on loopback without keys, who may do everything."""
    flows: frozenset[str] | None = None
    """The names of the flows that the caller may use; `None` for all."""
    counted_as: str = ""
    """The name under which the rate limit counts the caller's requests; empty for the owner."""

    def may(self, scope: Scope) -> bool:
        """Return whether a scope is granted; `admin` grants all, `operator` also `chat`."""
        return scope in self.scopes or "admin" in self.scopes or (scope == "chat" and "operator" in self.scopes)

    @property
    def sees_inside(self) -> bool:
        """True if the caller may see values, timers and who is in charge, not only what users see."""
        return self.may("debug:read") or self.may("operator")

    @property
    def granted(self) -> tuple[Scope, ...]:
        """All scopes that the caller has, also those that other scopes include."""
        return tuple([scope for scope in SCOPES if self.may(scope)])

    @property
    def sender(self) -> str:
        """The name that the journal records for commands of this caller."""
        return self.owner or "a client of the server"

    @property
    def prefix(self) -> str:
        """The beginning of the ids of the owner's conversations; empty for all conversations."""
        return f"{self.owner}:" if self.owner else ""

    def sees(self, conversation: str, flow: str | None = None) -> bool:
        """Return whether the list, the queue and the streams show a conversation: operators see those of all owners, as
        far as the caller may use their `flow` (`None`: not known).
        """
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
    """Identifies the callers of a server's requests."""

    credential: str = "key"
    """The word by which messages name what callers identify themselves with, such as `key`."""

    def identify(self, scope: Mapping[str, Any]) -> Identity | Awaitable[Identity | None] | None:
        """Return the identity of a request (an ASGI scope), or an awaitable of it; `None` if the caller is unknown."""
        ...

    def refusal(self, scope: Mapping[str, Any]) -> RequestFailed:
        """Return the problem that answers a request whose caller is unknown."""
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
    """The access of a server on loopback without keys: every caller may do everything."""

    def identify(self, scope: Mapping[str, Any]) -> Identity:  # noqa: ARG002  all callers are one owner
        """Return the identity that every caller has, with all scopes."""
        return LOCAL


class OwnAccess(Access):
    """The access of a program with its own authentication: a function of a Starlette request.
    `login_url` is the address of the page where its users log in, empty if it has none.
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
        """Return the identity that the program's function returns, `None` if it returns none.
        Raises `WrongIdentity` for an invalid one.
        """
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
    """The authentication function of a program returned an invalid identity: a mistake of that program."""


def how_to_add(file: Path) -> str:
    """Return a sentence that says how to add the first key to a key file."""
    return f"make a key with 'turnwise keys add --keys {file} OWNER'"


def checked_scopes(scopes: Iterable[str]) -> tuple[Scope, ...]:
    """Return scopes in their fixed order. Raises `TurnwiseError` for a name that is no scope."""
    given = set(scopes)
    for scope in sorted(given - set(SCOPES)):
        raise TurnwiseError(f"there is no scope '{scope}'; {nearest(scope, SCOPES)}")
    return tuple(scope for scope in SCOPES if scope in given)


class StoredKey(Struct, frozen=True):
    """An API key as the key file holds it: without its secret part."""

    id: str
    """The public part of the key, by which lists name it."""
    owner: str
    """The owner whose conversations the key may use; empty for all conversations."""
    scopes: tuple[Scope, ...]
    """The scopes of the key: what callers with it may do."""
    sha256: str
    """The SHA-256 of the secret part, in hexadecimal digits."""
    made_ms: int = 0
    """When the key was made, in milliseconds since 1970; 0 where that is not known."""
    note: str = ""
    """What the key is for, as its maker wrote it; empty without a note."""


class _File(Struct):
    keys: list[StoredKey] = []
    format: int = FORMAT


class KeyFile(Access):
    """The access by a file of hashed keys. It is read again when it has changed, so that a removed key ends at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[int, int, int, int] | None = None
        self._keys: dict[str, StoredKey] = {}
        self._logged = ""
        """What was logged last about a file that cannot be used, so that each request does not log it again."""

    def identify(self, scope: Mapping[str, Any]) -> Identity | None:
        """Return the identity of the `Authorization` header, `None` if its key is unknown.
        Raises `RequestFailed` if the file cannot be used; only the log names it.
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
        """Return all keys of the file, without their secret parts."""
        self._refresh()
        return tuple(self._keys.values())

    def add(self, owner: str, scopes: Iterable[str], now_ms: int, note: str = "") -> str:
        """Add a new key of an owner to the file, with its scopes and a note on what it is for; return the whole key,
        which can be shown only now.
        """
        granted = checked_scopes(scopes)
        if not _OWNER.fullmatch(owner):
            raise WrongArgument("owner", owner, "up to 64 letters, digits or ._@+- that begin with a letter or a digit")
        number = token_hex(4)
        key = f"tw_{number}_{token_urlsafe(32)}"
        stored = StoredKey(number, owner, granted, sha256(key.encode()).hexdigest(), now_ms, note)
        self._write([*(self.keys() if self.path.exists() else ()), stored])
        return key

    def remove(self, number: str) -> bool:
        """Remove the key with this id (`number`) from the file; return false if there is none."""
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
