"""Checks documents while they are typed, off the event loop. A result of a text that has changed is dropped."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from turnwise.editor.problems import Check, Checked, Problem, check_document
from turnwise.editor.project import Project

_log = logging.getLogger(__name__)
DEBOUNCE_S = 0.15
"""How many seconds after the last change a document is checked."""


class Checking:
    """Checks the open documents in the background, at most one at a time."""

    def __init__(self, project: Project, check: Check, publish: Callable[[str, list[Problem]], None]) -> None:
        self.project = project
        self.check = check
        self.publish = publish
        self.pool = ThreadPoolExecutor(1, "check")
        self._found: dict[str, dict[str, list[Problem]]] = {}
        """By the document that was checked the problems of each file."""
        self._waiting: dict[str, asyncio.Task[None]] = {}

    def problems_of(self, file: str) -> list[Problem]:
        """Return the problems of a file that the last check found; empty if it has not been checked."""
        found = [one for of in self._found.values() for one in of.get(file, [])]
        return sorted(dict.fromkeys(found), key=lambda one: one.span)

    def changed(self, file: str, *, with_importers: bool = True) -> None:
        """Check a document when its text has not changed for a moment, and those that import it if `with_importers`."""
        before = self._waiting.get(file)
        if before is not None:
            before.cancel()
        task = asyncio.get_running_loop().create_task(self._run(file, with_importers=with_importers))
        self._waiting[file] = task

    def closed(self, file: str) -> None:
        """Remove the problems and the pending check of a document that is no longer open."""
        before = self._waiting.pop(file, None)
        if before is not None:
            before.cancel()
        self._put({file: {}})

    def stop(self) -> None:
        """Begin no further check."""
        for task in self._waiting.values():
            task.cancel()
        self.pool.shutdown(wait=False, cancel_futures=True)

    async def _run(self, file: str, *, with_importers: bool) -> None:
        await asyncio.sleep(DEBOUNCE_S)
        text = self.project.opened.get(file)
        if text is None:
            return
        work = asyncio.get_running_loop().run_in_executor(self.pool, check_document, self.project, file, self.check)
        try:
            found: Checked = await work
        except Exception:  # noqa: BLE001  a mistake of ours must not end the checks of other documents
            _log.exception("checking %s failed", file)
            return
        if self.project.opened.get(file) is not text:
            return
        self._put(found.found)
        for other in found.importers if with_importers else ():
            if other in self.project.opened and other not in found.found:
                self.changed(other, with_importers=False)

    def _put(self, found: dict[str, dict[str, list[Problem]]]) -> None:
        """Publish the problems of all files of which some were found, or were before."""
        touched: dict[str, None] = {}
        for root, problems in found.items():
            touched |= dict.fromkeys([*self._found.get(root, {}), *problems, *([root] if not problems else [])])
            if problems:
                self._found[root] = problems
            else:
                self._found.pop(root, None)
        self._publish(touched)

    def _publish(self, files: Iterable[str]) -> None:
        for file in files:
            self.publish(file, self.problems_of(file))
