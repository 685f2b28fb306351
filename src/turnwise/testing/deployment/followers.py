"""Open streams of a soak test: each follows one conversation, and resumes on any replica where it left off."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable

from turnwise.testing.deployment.requests import PAUSE_S, Deployment, conversation_path


class Followers:
    """An event stream for each conversation; `seen` has the positions that arrived, in order."""

    def __init__(self, deployment: Deployment, conversations: Iterable[str]) -> None:
        self._deployment = deployment
        self._ends = threading.Event()
        self.seen: dict[str, list[int]] = {conversation: [] for conversation in conversations}
        for conversation in self.seen:
            threading.Thread(target=self._follow, args=(conversation,), daemon=True).start()

    def _follow(self, conversation: str) -> None:
        seen, path = self.seen[conversation], conversation_path(conversation, "/events")
        while not self._ends.is_set():
            for position in self._deployment.stream(path, seen[-1] if seen else 0):
                seen.append(position)
                if self._ends.is_set():
                    return
            self._ends.wait(PAUSE_S)

    def wait(self, last: dict[str, int], timeout_s: float) -> None:
        """Wait, at most `timeout_s`, until each stream has reached the position in `last`; then end the streams."""
        until = time.monotonic() + timeout_s
        while time.monotonic() < until and any(not seen or seen[-1] < last[one] for one, seen in self.seen.items()):
            time.sleep(PAUSE_S)
        self.end()

    def end(self) -> None:
        """End the streams."""
        self._ends.set()
