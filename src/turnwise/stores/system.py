"""Identifies this boot of this machine, and finds out whether a process has ended."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from pathlib import Path


def machine_id() -> str:
    """Return an id of this machine since its start, together with the namespace of its process ids."""
    machine, numbers = platform.node().replace(" ", "-"), ""
    with suppress(OSError):
        machine = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        numbers = str(Path("/proc/self/ns/pid").readlink())
    return f"{machine} {numbers}"


def process_exists(pid: int) -> bool:
    """Return whether a running process has this id; true if the system has no harmless way to ask."""
    if os.name != "posix":
        return True
    with suppress(OSError):  # one that was killed keeps its number until its parent has reaped it
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b") ")[2][:1]
        return state not in (b"Z", b"X")
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
