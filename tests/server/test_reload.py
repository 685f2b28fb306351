"""A flow whose file changes is reloaded; a broken one changes nothing, and its problems are shown."""

from __future__ import annotations

import json
import os
from pathlib import Path

import turnwise as tw
from support.served import Listening, in_loop, served
from turnwise.flow.diagnostic import has_errors
from turnwise.server.sources import Loaded, Source

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
    return Source([path], lambda: Loaded(tw.load(path), (), {}, tw.check(path)))


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
        await watch.look()
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
            await watch.look()
            begun = await client.post("/api/conversations", json={"flow": "shop"})
            assert begun.json()["turn"]["text"].startswith("Welcome."), content
            diagnostics = watch.sources["shop"].diagnostics
            assert diagnostics[0].code.startswith(code)
        await listening.until(lambda _: len(listening.named("flow")) == 3)
        found = json.loads(listening.named("flow")[0]["data"])["diagnostics"][0]
        assert (found["severity"], found["line"]) == ("error", 3)
        path.write_text(ONE.format(text="x", version=1).replace("shop", "shopping"))
        _touch(path)
        await watch.look()
        assert "another version of 'shop'" in watch.sources["shop"].diagnostics[0].message
        path.unlink()
        await watch.look()
        assert watch.sources["shop"].diagnostics[0].code == "TW001"
        write(path, "Mended.")
        await watch.look()
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
        await watch.look()
        await debug.until(lambda _: bool(debug.named("flow")))
        assert plain.named("flow") == []
        await plain.leave()
        await debug.leave()
