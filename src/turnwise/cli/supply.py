"""Loads Python code named on the command line: flows, guards and tools."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread, main_thread

from turnwise.api.documents import load, load_text
from turnwise.api.output import STANDARD
from turnwise.authoring.python import NO_CODE, Code, read_code
from turnwise.flow.code import PythonGuard
from turnwise.flow.model import Flow

_WAITS_S = (1.0, 2.0)
"""How long code runs before that is told, and then before it is told where it is."""
_AGAIN_S = 10.0
_INTERRUPTED = 130


def flow_of(path: Path) -> Flow:
    """The flow that a path names, or of standard input for '-'; running Python code that takes long is told. Raises
    `FlowError`.
    """
    if str(path) == STANDARD:
        return load_text(sys.stdin.buffer.read(), "<stdin>")
    with told_if_slow(path):
        return load(path)


@contextmanager
def told_if_slow(path: Path) -> Generator[None, None, None]:
    """Say what is being waited for, where Python code takes its time; an interrupt ends with where it was."""
    if ".py" not in path.name and ":" not in path.name:
        yield
        return
    is_done = Event()
    Thread(target=_tell, args=(path, is_done), daemon=True).start()
    try:
        yield
    except KeyboardInterrupt as error:
        frames = traceback.extract_tb(error.__traceback__)
        place = _place((one.filename, one.lineno or 0) for one in reversed(frames))
        sys.stderr.write(f"\n{path}: interrupted{place and f' in {place}'}\n")
        raise SystemExit(_INTERRUPTED) from None
    finally:
        is_done.set()


def _tell(path: Path, is_done: Event) -> None:
    """Tell once that code is being run, and then again and again where it is."""
    first, second = _WAITS_S
    if is_done.wait(first):
        return
    sys.stderr.write(f"{path}: the code is being run …\n")
    passed, pause = first, second
    while not is_done.wait(pause):
        passed, pause = passed + pause, _AGAIN_S
        frame = sys._current_frames().get(main_thread().ident or 0)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  nothing else tells where another thread is
        place = _place((one.f_code.co_filename, line) for one, line in traceback.walk_stack(frame)) if frame else ""
        sys.stderr.write(f"{path}: still being run after {passed:.0f} s{place and f', in {place}'} …\n")


def _place(frames: Iterable[tuple[str, int]]) -> str:
    """The innermost line of the author's code among some, the innermost first; empty where there is none."""
    from turnwise.authoring.python import is_authors

    here = f"{Path.cwd()}/"
    return next((f"{file.removeprefix(here)}:{line}" for file, line in frames if is_authors(file)), "")


def guards_of(path: Path | None) -> list[PythonGuard]:
    """The guards that a file defines. Raises `TurnwiseError` where it cannot be run."""
    return code_of(path).guards


def code_of(path: Path | None) -> Code:
    """What a file supplies; running it for long is told. Raises `TurnwiseError` where it cannot be run."""
    if path is None:
        return NO_CODE
    with told_if_slow(path):
        return read_code(path)
