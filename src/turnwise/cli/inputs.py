"""What commands read: flows, Python files with guards and tools, stores, and options of the form NAME=VALUE."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Awaitable, Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread, main_thread
from typing import TYPE_CHECKING

from turnwise.api.documents import load, load_text
from turnwise.api.output import STANDARD_STREAM
from turnwise.authoring.python import NO_CODE, ProgramCode, read_code
from turnwise.cli.standard_input import read_standard
from turnwise.errors import FlowUnavailable, NoClearSubject, StoreFailed, TurnwiseError, WrongUsage
from turnwise.flow.code import PythonGuard
from turnwise.flow.model import Flow

if TYPE_CHECKING:
    from turnwise.archive import Archive
    from turnwise.core.machine import Machine

_REPORTS_S = (1.0, 2.0)
"""The seconds until the first report about slow code, and from there to the second."""
_NEXT_REPORT_S = 10.0
_INTERRUPTED = 130


def flow_of(path: Path) -> Flow:
    """Return the flow of a path, or of standard input for '-'. Raises `FlowError`."""
    if str(path) == STANDARD_STREAM:
        return load_text(*read_standard())
    with reports_slow_code(path):
        return load(path)


def readable_flows(paths: Sequence[Path]) -> dict[Path, Flow]:
    """Return by path the flows of documents that share a file of tools; empty for only one document.
    One that cannot be read is left out.
    """
    found: dict[Path, Flow] = {}
    for path in paths if len(paths) > 1 else ():
        with suppress(TurnwiseError):
            found[path] = flow_of(path)
    return found


def machine_of(flow: Path, python: Path | None) -> Machine:
    """Return the linked flow of a path, with the guards of the file `python`. Raises `FlowError`."""
    from turnwise.core.link import link

    return link(flow_of(flow), guards_of(python))


def guards_of(path: Path | None) -> list[PythonGuard]:
    """Return the guards that a Python file defines; empty for `None`. Raises `TurnwiseError` if it cannot be run."""
    return code_of(path).guards


def code_of(path: Path | None) -> ProgramCode:
    """Return the guards and tools that a Python file defines. Raises `TurnwiseError` if it cannot be run."""
    if path is None:
        return NO_CODE
    with reports_slow_code(path):
        return read_code(path)


@contextmanager
def reports_slow_code(path: Path) -> Generator[None]:
    """Report on standard error where Python code inside the context is, if it takes long or is interrupted."""
    if ".py" not in path.name and ":" not in path.name:
        yield
        return
    is_done = Event()
    Thread(target=_report, args=(path, is_done), daemon=True).start()
    try:
        yield
    except KeyboardInterrupt as error:
        frames = traceback.extract_tb(error.__traceback__)
        place = _place((one.filename, one.lineno or 0) for one in reversed(frames))
        sys.stderr.write(f"\n{path}: interrupted{place and f' in {place}'}\n")
        raise SystemExit(_INTERRUPTED) from None
    finally:
        is_done.set()


def _report(path: Path, is_done: Event) -> None:
    passed, pause = _REPORTS_S
    if is_done.wait(passed):
        return
    sys.stderr.write(f"{path}: the code is running …\n")
    while not is_done.wait(pause):
        passed, pause = passed + pause, _NEXT_REPORT_S
        frame = sys._current_frames().get(main_thread().ident or 0)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  no public function shows the stack of another thread
        place = _place((one.f_code.co_filename, line) for one, line in traceback.walk_stack(frame)) if frame else ""
        sys.stderr.write(f"{path}: still running after {passed:.0f} s{place and f', in {place}'} …\n")


def _place(frames: Iterable[tuple[str, int]]) -> str:
    """Return the innermost line of the author's code, the frames being ordered from there; empty if none is."""
    from turnwise.authoring.python import is_user_file

    here = f"{Path.cwd()}/"
    return next((f"{file.removeprefix(here)}:{line}" for file, line in frames if is_user_file(file)), "")


def with_archive(
    store: str,
    python: Path | None,
    work: Callable[[Archive], Awaitable[int]],
    *,
    as_json: bool = False,
    writes: bool = False,
    creates: bool = False,
    question_model: str = "",
) -> int:
    """Open a store, call `work` with it, close it, and return the exit code that `work` returns.
    `python` is the file of the guards. Where output is JSON (`as_json`), an error is a JSON object too. A store is
    created only where the command `creates` one, and may be read-only unless the command `writes`.
    """
    import asyncio

    from turnwise.api.open import open_archive, open_store
    from turnwise.cli.show import print_json

    async def run() -> int:
        kept = open_store(store if creates else existing_store(store), may_only_read=not writes)
        archive = open_archive(kept, guards=guards_of(python), question_model=question_model or None)
        try:
            return await work(archive)
        except FlowUnavailable as error:
            if python is None and "TW024" in str(error):
                why = "this flow decides by Python functions, and this question needs them: add --python FILE"
                raise TurnwiseError(why) from None
            raise
        finally:
            await archive.close()

    try:
        return asyncio.run(run())
    except TurnwiseError as error:
        if as_json:
            offered = [one._asdict() for one in error.candidates] if isinstance(error, NoClearSubject) else []
            print_json({"error": str(error)} | ({"candidates": offered} if offered else {}))
        raise


def need_server_packages(instead: str = "") -> None:
    """Raise `TurnwiseError` if the packages of the server are missing; `instead` is a command that needs none."""
    from importlib.util import find_spec

    if all(find_spec(name) for name in ("starlette", "uvicorn", "prometheus_client")):
        return
    other = f", or use the terminal: {instead}" if instead else ""
    raise TurnwiseError(f"the server needs its packages: pip install 'turnwise[server]'{other}")


def existing_store(store: str) -> str:
    """Return the address of a store. Raises `TurnwiseError` where its file does not exist, or is empty."""
    kind, _, place = store.partition("://")
    if kind == "sqlite":
        path = Path(place[1:])
        if not path.exists():
            raise TurnwiseError(f"{path}: there is no such store")
        refuse_empty(path)
    return store


def refuse_empty(path: Path) -> None:
    """Raise `StoreFailed` for an empty file: looking at it must not make a store of it."""
    if path.is_file() and not path.stat().st_size:
        raise StoreFailed(path, "this file is empty; there is no store in it yet")


def name_value_pairs(given: Iterable[str] | None, option: str) -> dict[str, str]:
    """Return the NAME=VALUE pairs of an option, as values by name. Raises `WrongUsage`."""
    found: dict[str, str] = {}
    for pair in given or ():
        name, sign, value = (part.strip() for part in pair.partition("="))
        if not sign or not name:
            raise WrongUsage(f"{option} takes NAME=VALUE, not {pair!r}")
        if name in found:
            raise WrongUsage(f"{option} names '{name}' twice: once as {found[name]!r}")
        found[name] = value
    return found
