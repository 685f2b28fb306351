"""The option `--record` of `chat`: a talk with a model becomes a test that runs without one.

The scenario has what was said and what is expected of each turn; the recording beside it has the requests to the model
and its answers, so a changed prompt is noticed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from turnwise.api.open import open_archive
from turnwise.api.output import put_text
from turnwise.api.sync import SyncChat
from turnwise.cli.stored import report_differences
from turnwise.errors import WrongUsage
from turnwise.models import model_named
from turnwise.models.cassette import CassetteModel
from turnwise.models.names import read_name
from turnwise.stores.memory import MemoryStore

SUFFIX = ".scenario"
"""The suffix of a scenario file."""
_OF_MODEL = ".recording.json"


class Recorder:
    """Records a talk: its model, the store that keeps its turns, and the files that are written at its end. Raises
    `WrongUsage` where no model of a provider speaks, and for a store that is kept.
    """

    def __init__(self, file: Path, model: str, store: str) -> None:
        if not (model and isinstance(read_name(model), tuple)):
            raise WrongUsage("--record records a model: name one of a provider, such as --model ollama:llama3")
        if store != "memory://":
            raise WrongUsage("--record keeps the talk in a file of its own; leave --store out")
        if file.suffix != SUFFIX:
            raise WrongUsage(f"--record writes a scenario file: name it {file.stem}{SUFFIX}")
        self.file = file
        self.store = MemoryStore()
        self.model = CassetteModel(file.with_suffix(_OF_MODEL), model_named(model))

    def write(self, chat: SyncChat, flow: Path, python: Path | None) -> int:
        """Write the talk as a scenario that names `flow` and the file `python`, and play it; return 1 if a result
        differs, else 0.
        """
        from turnwise.testing.recorded import checked_scenario, record_scenario

        folder = self.file.parent.resolve()
        paths = {
            "flow": os.path.relpath(flow, folder),
            "python": os.path.relpath(python, folder) if python is not None else "",
            "recording": self.model.path.name,
        }
        self.model.save()
        archive = open_archive(self.store)
        text = chat.app.loop.wait(record_scenario(archive, chat.name, title=self.file.stem, **paths))
        text, differences = checked_scenario(text, self.file, python)
        put_text(self.file, text)
        sys.stderr.write(f"wrote {self.file} and {self.model.path}\n")
        return report_differences(differences)
