"""Writes a document in the folder of a flow: through no symbolic link that leads out of it, as a whole or not at all.

The folder is opened first and each step below it by its own name, so that a link that replaces a folder meanwhile is
refused. The new content is written beside the file and takes its name at the end: a reader sees the old document or
the new one.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from turnwise.authoring.source import MAX_BYTES
from turnwise.server.problems import RequestFailed

CAN_WRITE = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd
"""False where the system opens no file from an open folder, as Windows: there nothing is edited."""
_MARK = b"\xef\xbb\xbf"
_AT_ONCE = os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _AT_ONCE
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _AT_ONCE


def write_document(root: str, file: str, text: str, expected: str) -> str:
    """Replace a file below the folder `root` by the new `text` if its SHA-256 is `expected`; return the SHA-256 of its
    new content. `expected` is the SHA-256 of the content that the author saw, as hexadecimal digits. The file keeps its
    byte-order mark, its line ends and its permissions. Raises `RequestFailed` where the file is outside of the folder,
    has another content by now, or cannot be written, and where the text is too long.
    """
    with _refused(), _opened(root, file) as (folder, name):
        before, state = _content(folder, name)
        if sha256(before).hexdigest() != expected:
            why = "the file on disk has changed since you opened it; nothing was written"
            raise RequestFailed("document_changed", why, hint="read it again, or save over it with its present hash")
        content = _as_stored(text, before)
        if len(content) > MAX_BYTES:
            why = f"the document would have {len(content):,} bytes; the limit is {MAX_BYTES:,}"
            raise RequestFailed("document_too_large", why, hint="split it into files")
        _replace(folder, name, content, state)
        return sha256(content).hexdigest()


@contextmanager
def _opened(root: str, file: str) -> Generator[tuple[int, str]]:
    """Open the folder of a file, step by step from the root, and yield it with the file's name in it."""
    base, real = os.path.realpath(root), os.path.realpath(file)
    if not Path(real).is_relative_to(base) or real == base:
        why = "a symbolic link leads out of the folder of the flow; edit the document where it is"
        raise RequestFailed("outside_folder", why)
    *steps, name = Path(real).relative_to(base).parts
    folder = os.open(base, _FOLDER)
    try:
        for step in steps:
            inner = os.open(step, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder, name
    finally:
        os.close(folder)


def _content(folder: int, name: str) -> tuple[bytes, os.stat_result]:
    """Return what a file has now, up to one byte more than a document may have."""
    with os.fdopen(os.open(name, _READ, dir_fd=folder), "rb") as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise RequestFailed("document_unavailable", "this is no regular file")
        return file.read(MAX_BYTES + 1), state


def _as_stored(text: str, before: bytes) -> bytes:
    """Return a text as bytes with the line ends and the byte-order mark that the file has."""
    ends = "\r\n" if b"\r\n" in before else "\r" if b"\r" in before and b"\n" not in before else "\n"
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    content = (lines if ends == "\n" else lines.replace("\n", ends)).encode()
    return _MARK + content if before.startswith(_MARK) else content


def _replace(folder: int, name: str, content: bytes, state: os.stat_result) -> None:
    new = f".{name[:100]}.{token_hex(4)}.new"
    try:
        made = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _AT_ONCE, 0o600, dir_fd=folder)
        with os.fdopen(made, "wb") as file:
            with suppress(PermissionError):  # only the superuser may give files to others
                os.fchown(file.fileno(), state.st_uid, state.st_gid)
            os.fchmod(file.fileno(), stat.S_IMODE(state.st_mode))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, name, src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)
    except OSError:
        with suppress(OSError):
            os.unlink(new, dir_fd=folder)
        raise


@contextmanager
def _refused() -> Generator[None]:
    """Raise `RequestFailed` with the reason of the system, and without a path."""
    try:
        yield
    except OSError as error:
        why = f"the file cannot be written: {error.strerror or 'the system refuses'}"
        raise RequestFailed("document_unavailable", why) from None
