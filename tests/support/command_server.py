"""Runs commands of the terminal and programs of tests, each in a fork of one process that has already imported what
most of them need.

It shows nothing about the start of an interpreter. A test of that starts a process itself.
"""

from __future__ import annotations

import atexit
import ctypes
import fcntl
import gc
import json
import os
import signal
import socket
import sys
import termios
import threading
from importlib import import_module
from pathlib import Path

PRELOADED = (
    "concurrent.futures.thread",
    "encodings.utf_8_sig",
    "importlib.metadata",
    "importlib.resources",
    "pydantic.plugin._loader",
    "pydantic.type_adapter",
    "ruamel.yaml",
    "turnwise.archive.transfer",
    "turnwise.archive.usual",
    "turnwise.authoring.compose",
    "turnwise.authoring.compose_json",
    "turnwise.authoring.dygram.compile.machine",
    "turnwise.authoring.dygram.formatter",
    "turnwise.authoring.dygram.writer",
    "turnwise.authoring.python_text",
    "turnwise.authoring.records",
    "turnwise.authoring.yaml_comments",
    "turnwise.authoring.yaml_layout",
    "turnwise.check",
    "turnwise.check.comments",
    "turnwise.cli.app",
    "turnwise.cli.chat",
    "turnwise.cli.check",
    "turnwise.cli.convert",
    "turnwise.cli.demo",
    "turnwise.cli.demo_page",
    "turnwise.cli.draw",
    "turnwise.cli.format",
    "turnwise.cli.migrate",
    "turnwise.cli.serve",
    "turnwise.cli.store",
    "turnwise.cli.stored",
    "turnwise.cli.test",
    "turnwise.core.explain.items",
    "turnwise.core.language.en_answers",
    "turnwise.core.language.writing",
    "turnwise.runner.model_calls",
    "turnwise.server.app",
    "turnwise.server.run",
    "turnwise.stores.sqlite",
    "turnwise.understanding",
    "turnwise.understanding.corrections",
    "turnwise.understanding.rules",
    "turnwise.understanding.vocabulary.de_navigation",
    "turnwise.understanding.vocabulary.en",
    "turnwise.understanding.vocabulary.en_navigation",
    "turnwise.understanding.vocabulary.en_speech",
    "turnwise.why.ask",
    "typer._adapters",
    "typer._click.decorators",
    "typer.rich_utils",
    "yaml",
)


def serve() -> str:
    """Fork for each request. Returns in the fork, with the module whose `main` is to be run.

    A request has the streams of the command as descriptors, and the exit code is the answer. With a fourth descriptor
    the command goes on beside later ones: its id and its exit code are written there.
    """
    for module in (*PRELOADED, *sys.argv[1:]):
        import_module(module)
    keep_commands()
    load_answers()
    gc.freeze()
    client = socket.socket(fileno=0)
    watchers: set[int] = set()
    reader: socket.socket | None = None
    while True:
        message, streams, _, _ = socket.recv_fds(client, 1 << 20, 4)
        if not message:
            os._exit(0)
        watchers -= {pid for pid in watchers if os.waitpid(pid, os.WNOHANG)[0]}
        if len(streams) == 3 and only_reads(**json.loads(message)):
            reader = reader or fork_reader(client, streams)
            socket.send_fds(reader, [message], streams)
            for stream in streams:
                os.close(stream)
            code, is_clean = (reader.recv(100) or b"1 0").split()  # nothing where it ended by an error
            reader = reader if int(is_clean) else None
            client.send(code)
            continue
        pid = os.fork()
        if not pid:
            if len(streams) == 4:
                watch(streams, client)
            program = become(streams[:3], **json.loads(message))
            client.detach()
            return program
        for stream in streams:
            os.close(stream)
        if len(streams) == 4:
            watchers.add(pid)
        else:
            _, status = os.waitpid(pid, 0)
            client.send(str(os.waitstatus_to_exitcode(status)).encode())


def watch(streams: list[int], client: socket.socket) -> None:
    """Fork again, and return in the fork; report its id, and its exit code when it has ended."""
    os.setsid()  # it goes on where the commands beside it are killed
    pid = os.fork()
    *others, report = streams
    if not pid:
        os.close(report)
        return
    client.close()
    for stream in others:
        os.close(stream)
    os.write(report, f"{pid}\n".encode())
    _, status = os.waitpid(pid, 0)
    os.write(report, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


READERS = frozenset(("check", "convert", "draw", "format"))
"""Commands that leave nothing behind in a process. One fork runs them one after another: a fork costs as much as they."""


def only_reads(program: str, arguments: list[str], *, is_bound: bool, **_: object) -> bool:
    """Return whether a request is a command that leaves nothing behind."""
    return program == "turnwise.cli" and arguments[:1] != [] and arguments[0] in READERS and not is_bound


def fork_reader(client: socket.socket, streams: list[int]) -> socket.socket:
    """Return the end of a socket whose other end a fork has, which runs commands until one leaves something behind."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork():
        its.close()
        return ours
    ours.close()
    client.close()
    for stream in streams:  # they come again by the socket
        os.close(stream)
    known, path, nothing = set(sys.modules), list(sys.path), os.open(os.devnull, os.O_RDWR)
    is_clean = True
    while is_clean:
        message, streams, _, _ = socket.recv_fds(its, 1 << 20, 3)
        if not message:
            break
        code = exit_code_of(become(streams, **json.loads(message)))
        for number in range(3):
            os.dup2(nothing, number)
        is_clean = sys.path == path and threading.active_count() == 1 and has_only_ours(set(sys.modules) - known)
        its.send(f"{code} {int(is_clean)}".encode())
    os._exit(0)


def has_only_ours(names: set[str]) -> bool:
    """Return whether modules are installed ones, not code of a test that was imported."""
    files = [getattr(sys.modules[name], "__file__", None) or "" for name in names]
    installed = (sys.prefix, sys.base_prefix, str(Path(import_module("turnwise").__file__ or "").parent))
    return all(not file or file.startswith(installed) for file in files)


def keep_commands() -> None:
    """Build the commands from their functions once: half of the time of a fork, if each does it."""
    building, commands = import_module("typer.main"), import_module("turnwise.cli.app")
    command = building.get_command(commands.app)
    building.get_command = lambda _: command


def load_answers() -> None:
    """Make the tables of plain answers: half of the time of a turn in a fork, if each does it."""
    language, answers = import_module("turnwise.core.language"), import_module("turnwise.core.language.answers")
    for kind in ("affirm", "call", "true", "offer"):
        answers.answers_of(language.language_of("en"), kind)


def become(
    streams: list[int], program: str, arguments: list[str], at: str, environment: dict[str, str], *, is_bound: bool
) -> str:
    """Make this process that of a command: its streams, environment, folder, arguments and rights; return its module."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = os.fdopen(0, encoding="utf-8", newline="\n", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", newline="\n", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="backslashreplace", newline="\n", closefd=False)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(at)
    sys.argv = ["-c", *arguments]
    if os.isatty(0):
        control_terminal()
    if is_bound:
        give_up_privileges()
    return program


def control_terminal() -> None:
    """Have the keys of the terminal on standard input interrupt this process."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs the tests may ignore it


def give_up_privileges() -> None:
    """Have the permissions of files hold for this process, though it is run by root."""
    version_3, no_rights = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    if ctypes.CDLL(None, use_errno=True).capset(version_3, no_rights):
        raise OSError(ctypes.get_errno(), "capset")


def exit_code_of(program: str) -> int:
    """Run the `main` of a module; return the code with which an interpreter would end."""
    try:
        code = import_module(program).main()
    except SystemExit as ended:
        code = ended.code
    if code is not None and not isinstance(code, int):
        sys.stderr.write(f"{code}\n")
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return code or 0


def run(program: str) -> None:
    """Run the `main` of a module and end as an interpreter does, without freeing its objects one by one: that would copy
    all the memory that this fork shares, and take twice the time of a command.
    """
    code = exit_code_of(program)
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    run(serve())
