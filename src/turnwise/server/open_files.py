"""How many files and connections the system lets this process open.

Most systems begin a process with 1,024 open files and allow it to ask for more. Without that, idle connections, fewer
than the limit `connections`, would take the files that turns need.
"""

from __future__ import annotations

RESERVED_FILES = 200
"""Files that a server needs besides its connections: stores, calls of models, tools."""


def connections_within(most: int) -> int:
    """Return how many connections the limit of open files allows, up to `most`, after raising it as far as needed.
    `most` 0 asks for as many as there may be, and returns 0.
    """
    try:
        import resource
    except ImportError:  # Windows, where sockets are no files
        return most
    files, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = most + RESERVED_FILES if most else allowed
    if files != resource.RLIM_INFINITY and (files < needed or needed == resource.RLIM_INFINITY):
        wanted = needed if allowed == resource.RLIM_INFINITY else min(needed, allowed)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, allowed))
        except (OSError, ValueError):  # macOS refuses more than its kernel allows
            wanted = files
        files = wanted
    return most if not most or files == resource.RLIM_INFINITY else min(most, max(files - RESERVED_FILES, 1))
