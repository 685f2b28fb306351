"""Reloads flows whose files change on disk, for development.

New conversations begin with the new version; those that began with an earlier one go on with that. A file with errors
changes nothing: its diagnostics are sent to the streams, and shown on the page of the flow.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from turnwise.api.app import App
from turnwise.api.open import replace_flow
from turnwise.errors import TurnwiseError
from turnwise.flow.diagnostic import FlowError, has_errors, problem
from turnwise.server.documents import other_flow
from turnwise.server.service import Service
from turnwise.server.sources import Source
from turnwise.server.views.flow_page import diagnostic_view
from turnwise.server.wire.stream import FlowChanged

INTERVAL_S = 0.5
"""The seconds between two checks whether files have changed."""


class FlowReloader:
    """Watches the files of the served flows, and reloads flows whose files change."""

    def __init__(self, service: Service, sources: Mapping[str, Source], report: Callable[[str], object]) -> None:
        self.service = service
        self.report = report
        """Receives what came of each change, for the terminal."""
        self.sources = dict(sources)
        self._looking = asyncio.Lock()

    async def run(self) -> None:
        """Check the files for changes until cancelled, and reload the flows that changed."""
        while True:
            await asyncio.sleep(INTERVAL_S)
            await self.reload_changed()

    async def reload_changed(self) -> None:
        """Reload the flows whose files have changed."""
        async with self._looking:
            for name, source in self.sources.items():
                if source.has_changed():
                    await self._reload(self.service.apps[name], source)

    async def _reload(self, app: App, source: Source) -> None:
        try:
            loaded = await asyncio.to_thread(source.load)
            served = app.machine.flow
            if loaded.flow.name != served.name:
                raise FlowError([other_flow(loaded.flow, served.name, served.span.file)])
            replace_flow(app, loaded.flow, guards=loaded.guards, tools=loaded.tools)
            source.diagnostics = tuple(loaded.diagnostics)
        except FlowError as error:
            source.diagnostics = tuple(error.diagnostics)
        except TurnwiseError as error:
            source.diagnostics = (problem("TW001", str(error)),)
        except (Exception, SystemExit) as error:  # noqa: BLE001  the code of a flow may raise anything
            source.diagnostics = (problem("TW001", f"{type(error).__name__}: {error}"),)
        flow, is_kept = app.machine.flow.name, has_errors(source.diagnostics)
        errors = [f"\n  {one}" for one in source.diagnostics if one.severity == "error"]
        self.report(f"{flow}: the version from before stays{''.join(errors)}" if is_kept else f"{flow}: reloaded")
        changed = FlowChanged(flow, app.machine.fingerprint, tuple(map(diagnostic_view, source.diagnostics)))
        self.service.hub.broadcast("flow", changed, lambda identity: identity.may("debug:read"))
