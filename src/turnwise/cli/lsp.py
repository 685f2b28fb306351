"""The command `lsp`: a language server for editors, over standard input and output."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from turnwise import __version__
from turnwise.cli.inputs import code_of, existing_store
from turnwise.errors import TurnwiseError

NO_PACKAGE = "the language server needs a package that is not installed: pip install 'turnwise[editor]'"
"""The error where the package for editors is not installed."""


def run_lsp(store: str, python: Path | None, stdio: bool) -> int:
    """Serve an editor as a language server until it closes standard input; return the exit code.
    `store` is the address of a store whose counts are shown, `python` a file with the guards and tools of the flows.
    """
    del stdio  # there is no other way, and clients name it
    if find_spec("pygls") is None:
        raise TurnwiseError(NO_PACKAGE)
    from turnwise.editor.features import language_server
    from turnwise.editor.server import FlowServer, run_server

    address = existing_store(store) if store else ""

    def make() -> FlowServer:
        code = code_of(python)
        return language_server(__version__, code.guards, code, address)

    run_server(make)
    return 0
