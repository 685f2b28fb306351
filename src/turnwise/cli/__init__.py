"""The command line: one module per command. Standard output contains only machine-readable results.

Exit codes: 0 all is well; 1 problems were found, or the work failed; 2 wrong usage; 130 interrupted.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import TextIO


def _forgive(stream: TextIO) -> None:
    """What a terminal or a pipe cannot show is a question mark there, not the end of the work."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


def _run() -> None:
    """Run the command, and write what it printed while an error can still be told."""
    from turnwise.cli.app import app

    if not os.environ.get("TURNWISE_DEBUG"):  # what the user's code raised is shown by /why, in a line
        logging.getLogger("turnwise.user_code").addHandler(logging.NullHandler())
    try:
        app(prog_name="turnwise")
    finally:
        sys.stdout.flush()


def _let_go_of_output(error: OSError) -> None:
    """Say what failed; what could not be written is not tried again when the process ends. A reader who has
    seen enough is no failure.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if os.environ.get("TURNWISE_DEBUG"):
        raise error
    if not isinstance(error, BrokenPipeError):
        sys.stderr.write(f"reading or writing failed: {error}\n")


def main() -> None:
    """Run the command line; whatever goes wrong is one clear line, never a traceback."""
    from turnwise.errors import TurnwiseError, WrongUsage

    for stream in (sys.stdout, sys.stderr):
        _forgive(stream)
    try:
        _run()
    except TurnwiseError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2 if isinstance(error, WrongUsage) else 1)
    except OSError as error:
        _let_go_of_output(error)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        sys.exit(130)
    except Exception as error:
        if os.environ.get("TURNWISE_DEBUG"):
            raise
        sys.stderr.write(f"internal error: {type(error).__name__}: {error}\n")
        sys.stderr.write("This is a mistake in turnwise. Set TURNWISE_DEBUG=1 to see where it happened.\n")
        sys.exit(1)
