"""A flow whose file changes is reloaded; a broken one changes nothing, and its problems are shown."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import turnwise as tw
from support.served import Listening, in_loop, served
from turnwise.authoring.source import read_content
from turnwise.cli import serve
from turnwise.flow.diagnostic import has_errors
from turnwise.server import documents
from turnwise.server.sources import LoadedFlow, Source

ONE = """\
flow: shop
version: {version}
start: hall
nodes:
  hall:
    say: "{text}"
    transitions:
      - to: hall
"""


def write(path: Path, text: str, version: int = 1) -> None:
    path.write_text(ONE.format(text=text, version=version))
    _touch(path)


def _touch(path: Path) -> None:
    """Give the file a time of its own, whatever the clock of the file system."""
    now = path.stat().st_mtime_ns + 1_000_000_000
    os.utime(path, ns=(now, now))


def source_of(path: Path) -> Source:
    return Source([path], lambda: LoadedFlow(tw.load(path), (), {}, tw.check(path)))


@in_loop
async def test_new_conversations_begin_with_the_new_version_and_old_ones_go_on(tmp_path: Path) -> None:
    path = tmp_path / "shop.flow.yaml"
    write(path, "Welcome.")
    async with served(tw.open(path)) as client:
        watch = client.server.reloads({"shop": source_of(path)})
        await client.post("/api/conversations", json={"flow": "shop", "name": "old"})
        listening = Listening(client.server, "/api/stream?list=true")
        await listening.until(bool)
        write(path, "Good day.", 2)
        await watch.reload_changed()
        await listening.until(lambda _: bool(listening.named("flow")))
        changed = json.loads(listening.named("flow")[0]["data"])
        assert (changed["flow"], {one["severity"] for one in changed["diagnostics"]}) == ("shop", {"warning"})
        assert changed["fingerprint"] == client.server.service.apps["shop"].machine.fingerprint
        new = await client.post("/api/conversations", json={"flow": "shop", "name": "new"})
        assert new.json()["turn"]["text"].startswith("Good day.")
        assert new.json()["conversation"]["version"] == 2
        old = await client.post("/api/conversations/old/turns", json={"text": "hello"})
        assert old.json()["text"].startswith("Welcome.")
        summary = (await client.get("/api/conversations/old")).json()
        assert (summary["version"], summary["marks"]) == (1, ["other_version"])
        await listening.leave()


@in_loop
async def test_the_documents_that_a_flow_imports_are_followed_too(tmp_path: Path) -> None:
    path, parts = tmp_path / "shop.flow.yaml", tmp_path / "parts.yaml"
    path.write_text("flow: shop\nstart: home\nimports: [{from: parts.yaml, names: [home]}]\n", "utf-8")
    parts.write_text("# the first node\nnodes:\n  home: {say: Welcome.}\n", "utf-8")
    app = tw.open(path)
    async with served(app) as client:
        source = serve.source_of(path, None, (), app.machine.flow.files)
        watch = client.server.reloads({"shop": source})
        await watch.reload_changed()
        before = app.machine.fingerprint
        for text, problems in (("home: {sya: Good day.}", ["TW010"]), ("home: {say: Good day., end: bye}", [])):
            parts.write_text(f"# the first node\nnodes:\n  {text}\n", "utf-8")
            _touch(parts)
            await watch.reload_changed()
            page = (await client.get("/api/flows/shop")).json()
            shown = [(one["code"], Path(one["file"]).name, one["line"]) for one in page["diagnostics"]]
            assert shown == [(code, "parts.yaml", 3) for code in problems]
            assert (app.machine.fingerprint == before) is bool(problems)
        assert not source.has_changed()
        (home,) = [one for one in page["nodes"] if one["name"] == "home"]
        assert home.get("line", 0) == 0, "it stands in another document"


@in_loop
async def test_a_document_that_is_imported_from_now_on_is_followed_from_before_it_was_read(tmp_path: Path) -> None:
    path, parts = tmp_path / "shop.flow.yaml", tmp_path / "parts.yaml"
    write(path, "Welcome.")
    parts.write_text("# the first node\nnodes:\n  home: {say: Welcome.}\n", "utf-8")
    app = tw.open(path)
    async with served(app) as client:
        source = serve.source_of(path, None)
        load = source.load

        def load_while_saving() -> LoadedFlow:
            loaded = load()
            parts.write_text("# the first node\nnodes:\n  home: {say: Good day.}\n", "utf-8")
            source.load = load
            return loaded

        source.load = load_while_saving
        watch = client.server.reloads({"shop": source})
        path.write_text("flow: shop\nstart: home\nimports: [{from: parts.yaml, names: [home]}]\n", "utf-8")
        _touch(path)
        await watch.reload_changed()
        await watch.reload_changed()
        begun = await client.post("/api/conversations", json={"flow": "shop"})
        assert begun.json()["turn"]["text"].startswith("Good day.")
        assert not source.has_changed()


@in_loop
async def test_a_document_that_changes_while_it_is_read_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "shop.flow.yaml"
    write(path, "Welcome.")

    def read_while_saving(file: str) -> object:
        content = read_content(file)
        monkeypatch.undo()
        path.write_text(path.read_text("utf-8") + "# saved meanwhile\n", "utf-8")
        return content

    async with served(tw.open(path)) as client:
        client.server.reloads({"shop": source_of(path)})
        monkeypatch.setattr(documents, "read_content", read_while_saving)
        texts = [(await client.get("/api/flows/shop/source")).json()["files"][0]["text"] for _ in range(2)]
        assert ["# saved meanwhile" in text for text in texts] == [False, True]


@in_loop
async def test_a_broken_file_changes_nothing_and_its_problems_are_shown_until_it_is_mended(tmp_path: Path) -> None:
    path = tmp_path / "shop.flow.yaml"
    write(path, "Welcome.")
    async with served(tw.open(path)) as client:
        watch = client.server.reloads({"shop": source_of(path)})
        listening = Listening(client.server, "/api/stream?list=true")
        await listening.until(bool)
        for content, code in ((ONE.replace("start: hall", "start: hal"), "TW"), ("{", "TW"), ("other: 1", "TW")):
            path.write_text(content.format(text="x", version=3) if "flow:" in content else content)
            _touch(path)
            await watch.reload_changed()
            begun = await client.post("/api/conversations", json={"flow": "shop"})
            assert begun.json()["turn"]["text"].startswith("Welcome."), content
            diagnostics = watch.sources["shop"].diagnostics
            assert diagnostics[0].code.startswith(code)
        await listening.until(lambda _: len(listening.named("flow")) == 3)
        found = json.loads(listening.named("flow")[0]["data"])["diagnostics"][0]
        assert (found["severity"], found["line"]) == ("error", 3)
        path.write_text(ONE.format(text="x", version=1).replace("shop", "shopping"))
        _touch(path)
        await watch.reload_changed()
        assert "this flow is called 'shopping'" in watch.sources["shop"].diagnostics[0].message
        path.unlink()
        await watch.reload_changed()
        assert watch.sources["shop"].diagnostics[0].code == "TW001"
        write(path, "Mended.")
        await watch.reload_changed()
        assert not has_errors(watch.sources["shop"].diagnostics)
        begun = await client.post("/api/conversations", json={"flow": "shop"})
        assert begun.json()["turn"]["text"].startswith("Mended.")
        await listening.leave()


@in_loop
async def test_only_readers_of_debug_information_are_told_of_a_flow(tmp_path: Path) -> None:
    path = tmp_path / "shop.flow.yaml"
    write(path, "Welcome.")
    async with served(tw.open(path), keys=True) as client:
        watch = client.server.reloads({"shop": source_of(path)})
        plain = Listening(client.server, "/api/stream?list=true", client.as_("ada"))
        debug = Listening(client.server, "/api/stream?list=true", client.as_("bob", "chat", "debug:read"))
        await plain.until(bool)
        await debug.until(bool)
        write(path, "Good day.", 2)
        await watch.reload_changed()
        await debug.until(lambda _: bool(debug.named("flow")))
        assert plain.named("flow") == []
        await plain.leave()
        await debug.leave()


def deleted(path: Path) -> None:
    path.unlink()


def emptied(path: Path) -> None:
    path.write_text("")


def renamed(path: Path) -> None:
    path.write_text(ONE.format(text="Welcome.", version=1).replace("flow: shop", "flow: shopping"))


def made_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def made_unreadable(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def lost_its_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


LOST: list[tuple[Callable[[Path], None], str, str]] = [
    (deleted, "TW001", "there is no such file"),
    (emptied, "TW007", "there is nothing in it"),
    (renamed, "TW016", "this flow is called 'shopping', and the server serves 'shop'"),
    (made_a_folder, "TW001", "this is a folder"),
    (made_unreadable, "TW001", "the file cannot be read: Too many levels of symbolic links"),
    (lost_its_folder, "TW001", "there is no such file"),
]


@pytest.mark.parametrize(("lose", "code", "words"), LOST)
def test_a_file_that_is_lost_is_a_problem_on_the_page_and_conversations_go_on(
    lose: Callable[[Path], None], code: str, words: str, tmp_path: Path
) -> None:
    @in_loop
    async def loses() -> None:
        path = tmp_path / "flows" / "shop.flow.yaml"
        path.parent.mkdir()
        write(path, "Welcome.")
        async with served(tw.open(path)) as client:
            printed: list[str] = []
            watch = client.server.reloads({"shop": source_of(path)}, printed.append)
            await client.post("/api/conversations", json={"flow": "shop", "name": "old"})
            listening = Listening(client.server, "/api/stream?list=true")
            await listening.until(bool)
            lose(path)
            await watch.reload_changed()
            await listening.until(lambda _: bool(listening.named("flow")))
            (sent,) = json.loads(listening.named("flow")[0]["data"])["diagnostics"]
            page = (await client.get("/api/flows/shop")).json()
            shown = next(one for one in page["diagnostics"] if one["severity"] == "error")
            for one in (sent, shown):
                assert (one["code"], words in one["message"]) == (code, True), one
            assert (page["flow"]["errors"], page["source"] is not None) == (1, True)
            assert (await client.get("/api/flows")).json()[0]["errors"] == 1
            (line,) = printed
            assert line.startswith("shop: the version from before stays\n  "), line
            assert f"{code} " in line, line
            assert words in line, line
            old = await client.post("/api/conversations/old/turns", json={"text": "hello"})
            assert old.json()["text"].startswith("Welcome.")
            assert (await client.post("/api/conversations", json={"flow": "shop"})).status_code == 201
            if path.is_dir():
                path.rmdir()
            path.parent.mkdir(exist_ok=True)
            path.unlink(missing_ok=True)
            write(path, "Back again.")
            await watch.reload_changed()
            assert (await client.get("/api/flows/shop")).json()["flow"]["errors"] == 0
            assert printed[1:] == ["shop: reloaded"]
            await listening.leave()

    loses()


@in_loop
async def test_a_file_that_is_replaced_as_a_whole_is_reloaded_also_with_the_same_time_and_size(tmp_path: Path) -> None:
    path, new = tmp_path / "shop.flow.yaml", tmp_path / ".shop.flow.yaml.new"
    write(path, "Welcome.")
    async with served(tw.open(path)) as client:
        watch = client.server.reloads({"shop": source_of(path)})
        before = path.stat()
        new.write_text(ONE.format(text="Goodbye!", version=1))
        os.utime(new, ns=(before.st_mtime_ns, before.st_mtime_ns))
        new.replace(path)
        assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
        await watch.reload_changed()
        begun = await client.post("/api/conversations", json={"flow": "shop"})
        assert begun.json()["turn"]["text"].startswith("Goodbye!")
        assert "Goodbye!" in (await client.get("/api/flows/shop")).json()["source"]


@in_loop
async def test_code_that_ends_the_process_when_it_is_loaded_is_a_problem(tmp_path: Path) -> None:
    path, code = tmp_path / "shop.flow.yaml", tmp_path / "guards.py"
    write(path, "Welcome.")
    write(code, "x")

    def load() -> LoadedFlow:
        raise SystemExit(3)

    async with served(tw.open(path)) as client:
        watch = client.server.reloads({"shop": Source([path, code], load)})
        write(code, "y")
        await watch.reload_changed()
        page = (await client.get("/api/flows/shop")).json()
        assert [one["message"] for one in page["diagnostics"] if one["severity"] == "error"] == ["SystemExit: 3"]
