"""Hover with a store: how often a transition was judged and held, and how many conversations entered a node."""

from __future__ import annotations

import asyncio
from pathlib import Path

import turnwise as tw
from editor.test_editor_names import spot
from support.language_client import LanguageClient

FLOW = """flow: greeter
start: wait
nodes:
  wait:
    say: Hello.
    transitions:
      - {when: "message.text == 'go'", to: done}
      - {when: "message.text == 'never'", to: lost}
  done: {say: Done., end: done}
  lost: {say: Lost., end: lost}
"""
DYGRAM = """machine "greeter" { autonomous: false; };
state wait { say: "Hello."; }
state done { say: "Done."; end: "done"; }
state lost { say: "Lost."; end: "lost"; }
wait -when: "message.text == 'go'"-> done;
wait -when: "message.text == 'never'"-> lost;
"""


async def talk(path: Path, store: str) -> None:
    async with tw.open(path, store=store) as app:
        for number in range(3):
            chat = app.chat(f"c{number}")
            await chat.start()
            await chat.say("what")
            if number == 0:
                await chat.say("go")


def shown(client: LanguageClient, name: str, text: str, marked: str) -> str:
    found = client.ask("textDocument/hover", client.at(name, *spot(text, marked)))
    return found["contents"]["value"]


def test_hover_shows_how_often_a_transition_was_judged_and_held(tmp_path: Path) -> None:
    for name, text, taken, never, node in (
        ("greeter.flow.yaml", FLOW, "'go'\", to: do|ne", "'never'\", to: lo|st", "  do|ne: {say"),
        ("greeter.dy", DYGRAM, "'go'\"-> do|ne", "'never'\"-> lo|st", "state do|ne"),
    ):
        path, store = tmp_path / name, f"sqlite:///{tmp_path / name}.db"
        path.write_text(text, "utf-8")
        asyncio.run(talk(path, store))
        client = LanguageClient(tmp_path, "--store", store)
        client.open(name, text)
        assert "transition to_done: judged 7 times, held 1" in shown(client, name, text, taken)
        assert "held 0" in shown(client, name, text, never)
        assert "node done: entered in 1 conversation" in shown(client, name, text, node)
        broken = text + ("task { {\n" if name.endswith(".dy") else "? [x\n")
        client.change(name, 2, {"text": broken})
        assert "done" in shown(client, name, broken, node)
        assert client.stop() == 0
        assert b"Traceback" not in client.stderr, client.stderr.decode()
