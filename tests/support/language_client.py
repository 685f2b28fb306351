"""A client of the language server over standard input and output, as an editor is one: it frames messages itself."""

from __future__ import annotations

import json
import threading
import time
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from typing import Any

from support.shell import start_with_streams

WAIT_S = 60.0


class LanguageClient:
    """One editor with its own server process. `folder` is the folder of its project."""

    def __init__(
        self, folder: Path, *arguments: str, encodings: tuple[str, ...] = (), capabilities: dict[str, Any] | None = None
    ) -> None:
        self.folder = folder
        modules = ("turnwise.cli.lsp", "turnwise.editor.features", "turnwise.editor.server")
        self.process = start_with_streams("lsp", *arguments, at=folder, modules=modules)
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self.published: list[tuple[str, int | None, list[dict[str, Any]]]] = []
        self.asked: list[dict[str, Any]] = []
        self.stderr = b""
        self.may_log_errors = False
        """Whether the server may log errors with their traces: what cannot be read is logged."""
        self.noise = b""
        self._answers: dict[int, Queue[dict[str, Any]]] = {}
        self._news = threading.Condition()
        self._number = 0
        self._readers = [threading.Thread(target=one, daemon=True) for one in (self._read, self._read_errors)]
        for one in self._readers:
            one.start()
        given = {"general": {"positionEncodings": list(encodings)}} if encodings else {}
        found = self.ask(
            "initialize",
            {
                "processId": None,
                "rootUri": folder.as_uri(),
                "capabilities": {**given, **(capabilities or {})},
                "workspaceFolders": [{"uri": folder.as_uri(), "name": "project"}],
            },
        )
        self.capabilities = found["capabilities"]
        self.tell("initialized", {})

    # messages ----------------------------------------------------------------------------------

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def send_raw(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def tell(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def begin(self, method: str, params: Any) -> int:
        self._number += 1
        self._answers[self._number] = Queue()
        self.send({"id": self._number, "method": method, "params": params})
        return self._number

    def answer(self, number: int, wait_s: float = WAIT_S) -> dict[str, Any]:
        end = time.monotonic() + wait_s
        while time.monotonic() < end and (self.process.poll() is None or not self._answers[number].empty()):
            with suppress(Empty):
                return self._answers[number].get(timeout=0.5)
        raise AssertionError(f"no answer; standard error: {self.stderr.decode()[-2000:]}")

    def ask(self, method: str, params: Any) -> Any:
        found = self.answer(self.begin(method, params))
        assert "error" not in found, found["error"]
        return found["result"]

    def refused(self, method: str, params: Any) -> str:
        found = self.answer(self.begin(method, params))
        assert "error" in found, found
        return found["error"]["message"]

    def _read(self) -> None:
        stream = self.process.stdout
        while True:
            size = 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    size = int(value)
                elif name.lower() != b"content-type":
                    self.noise += line
            if not size:
                break
            self._take(json.loads(stream.read(size)))

    def _read_errors(self) -> None:
        while found := self.process.stderr.read1():
            self.stderr += found

    def _take(self, message: dict[str, Any]) -> None:
        if "method" in message and "id" in message:
            self.asked.append(message)
            self.send({"id": message["id"], "result": None})
        elif message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            with self._news:
                self.diagnostics[params["uri"]] = params["diagnostics"]
                self.published.append((params["uri"], params.get("version"), params["diagnostics"]))
                self._news.notify_all()
        elif "id" in message and message["id"] in self._answers:
            self._answers[message["id"]].put(message)

    # documents ---------------------------------------------------------------------------------

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str, language: str = "", version: int = 1) -> str:
        language = language or ("dygram" if name.endswith((".dy", ".dygram", ".mach")) else "yaml")
        document = {"uri": self.uri(name), "languageId": language, "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return document["uri"]

    def change(self, name: str, version: int, *changes: dict[str, Any]) -> None:
        document = {"uri": self.uri(name), "version": version}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def close(self, name: str) -> None:
        self.tell("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})

    def at(self, name: str, line: int, character: int, **more: Any) -> dict[str, Any]:
        return {"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": character}, **more}

    def problems(self, name: str, version: int | None = None, wait_s: float = WAIT_S) -> list[dict[str, Any]]:
        """Wait for the diagnostics of a document, of a version where one is given."""
        uri, end = self.uri(name), time.monotonic() + wait_s
        with self._news:
            while True:
                found = [one for one in self.published if one[0] == uri and version in (None, one[1])]
                if found:
                    return found[-1][2]
                left = end - time.monotonic()
                assert left > 0, f"no diagnostics; standard error: {self.stderr.decode()[-2000:]}"
                self._news.wait(left)

    def wait_for(self, name: str, holds: Any, wait_s: float = WAIT_S) -> list[dict[str, Any]]:
        """Wait until the last diagnostics of a document are as wanted."""
        uri, end = self.uri(name), time.monotonic() + wait_s
        with self._news:
            while uri not in self.diagnostics or not holds(self.diagnostics[uri]):
                left = end - time.monotonic()
                assert left > 0, f"{self.diagnostics.get(uri)}; standard error: {self.stderr.decode()[-2000:]}"
                self._news.wait(left)
            return self.diagnostics[uri]

    def labels(self, name: str, line: int, character: int) -> list[str]:
        return [one["label"] for one in self.ask("textDocument/completion", self.at(name, line, character))["items"]]

    def stop(self) -> int:
        """End the server as an editor does; return its exit code."""
        if self.process.poll() is None:
            self.ask("shutdown", None)
            self.tell("exit", None)
        code = self.process.wait(WAIT_S)
        self._close()
        assert not self.noise, self.noise
        return code

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._close()

    def _close(self) -> None:
        for one in self._readers:
            one.join(WAIT_S)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(OSError):
                stream.close()


def insert(line: int, character: int, text: str, to: tuple[int, int] | None = None) -> dict[str, Any]:
    """An edit that puts a text at a place, or in place of what stands up to another."""
    end = to or (line, character)
    return {
        "range": {"start": {"line": line, "character": character}, "end": {"line": end[0], "character": end[1]}},
        "text": text,
    }


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """A text of ASCII after the edits of an answer."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def offset(place: dict[str, int]) -> int:
        return min(starts[min(place["line"], len(starts) - 1)] + place["character"], len(text))

    for edit in sorted(edits, key=lambda one: offset(one["range"]["start"]), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text
