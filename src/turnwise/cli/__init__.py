"""The command line. A module per group of commands does the work; `app` declares them.

Data that a program may read is alone on standard output. Exit codes: 0 success; 1 problems were found, or the work
failed; 2 wrong usage; 130 interrupted.
"""

from __future__ import annotations

import logging
import os
import sys


def main() -> None:
    """Run the command line. Every failure is one line on standard error, never a traceback."""
    from turnwise.errors import TurnwiseError, WrongUsage

    for stream in (sys.stdout, sys.stderr):
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(errors="replace")  # a character that the terminal lacks becomes a question mark
    try:
        _run()
    except TurnwiseError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2 if isinstance(error, WrongUsage) else 1)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that Python's exit does not fail too
        if os.environ.get("TURNWISE_DEBUG"):
            raise
        if not isinstance(error, BrokenPipeError):  # the reader of the pipe has read enough
            sys.stderr.write(f"reading or writing failed: {error}\n")
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


def _run() -> None:
    """Run the command, and flush its output while an error can still be reported."""
    from turnwise.cli.app import commands_for

    if not os.environ.get("TURNWISE_DEBUG"):  # `/why` shows errors of the flow's code in a line
        logging.getLogger("turnwise.user_code").addHandler(logging.NullHandler())
    try:
        commands_for(sys.argv[1:])(prog_name="turnwise")
    finally:
        sys.stdout.flush()
