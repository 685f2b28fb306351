"""The page of the command `demo`: serves all example flows with prepared conversations, offline."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from socket import socket
from typing import TYPE_CHECKING
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import asdict

from turnwise.api.app import App
from turnwise.api.open import load, open_store
from turnwise.api.open import open as open_app
from turnwise.archive.conversation_names import flow_title
from turnwise.authoring.python import ProgramCode
from turnwise.cli.demo_model import SpokenModel
from turnwise.cli.demo_seeds import AdvisedLines, Look, Seed, opening_places, play_seeds, read_prepared
from turnwise.cli.inputs import code_of, need_server_packages
from turnwise.core.language import language_of
from turnwise.errors import TurnwiseError
from turnwise.flow.model import Flow
from turnwise.models.dialogue import Dialogue, KnownLines, read_dialogue
from turnwise.models.scripted import Reply, read_shape
from turnwise.runner.clocks import ForwardClock
from turnwise.runner.ports import Store

if TYPE_CHECKING:
    from turnwise.cli.demo_examples import Example
    from turnwise.server.app import Server
    from turnwise.server.wire.flows import Demonstration

HOST = "127.0.0.1"
"""The address at which the demonstration serves its page."""
PORT = 8765
"""The port of the page, if it is free."""
WITH_CODE = "with_code.flow.yaml"
"""The flow whose code on the page has mistakes."""
MISTAKEN_GUARDS = "mistaken_guards.py"
"""The code of `WITH_CODE` on the page: with mistakes, so that the panel has something to report."""


class PageOptions(Struct, frozen=True):
    """The options of the demonstration's page."""

    name: str = ""
    """The example that is shown first; empty for the start page."""
    model: str = ""
    """The name of the model; empty for none."""
    store: str = ""
    """The address of the store; empty for one in a temporary folder."""
    port: int | None = None
    """The port of the page; `None` for the usual one, or another one where that is taken."""
    opens: bool = False
    """Whether a browser is opened."""


class Served(Struct, frozen=True):
    """A flow that the page serves, with its code, its dialogue and its prepared conversations."""

    flow: Flow
    """The flow."""
    code: ProgramCode
    """The Python guards and tools of the flow."""
    dialogue: Dialogue
    """The replies that are used where no model is connected."""
    seeds: tuple[Seed, ...]
    """The prepared conversations."""
    advice: tuple[AdvisedLines, ...] = ()
    """Messages that a visitor may send."""
    look: Look | None = None
    """The guided tour; `None` without one."""


def run_page(examples: Sequence[tuple[Example, Path]], options: PageOptions) -> int:
    """Serve the page with the examples until it is interrupted; return the exit code."""
    need_server_packages("turnwise demo --terminal")
    from turnwise.server.run import run

    listening = _listen(options.port)
    with _temporary_folder(options.store) as address:
        clock = ForwardClock()
        flows = [one for example, folder in examples for one in served_flows(example, folder)]
        kept = asyncio.run(_prepare(flows, address, clock))
        server = create_server([_live(one, options.model, kept, clock) for one in flows], clock)
        server.service.shown |= asyncio.run(_shown(flows, kept))

        def ready(place: str) -> None:
            shown = f"{place}/f/{quote(options.name)}" if options.name else f"{place}/"
            sys.stdout.write(f"turnwise demo: {shown}\n")
            sys.stdout.write(f"{_about(options)} Press Ctrl+C to stop.\n")
            sys.stdout.flush()
            if options.opens:
                _open_browser(shown)

        return run(server, listening, ready)


def _listen(port: int | None) -> socket:
    """Return the socket of the page. Without a port of the user's choice it takes another if `PORT` is taken."""
    from turnwise.server.run import listen

    try:
        return listen(HOST, PORT if port is None else port)
    except TurnwiseError:
        if port is not None:
            raise
        return listen(HOST, 0)


def served_flows(example: Example, folder: Path) -> list[Served]:
    """Return the flows of an example: its own, and those of its prepared conversations; `folder` has its files."""
    prepared = read_prepared(folder)
    seeds = prepared.conversations
    found: list[Served] = []
    for file in dict.fromkeys([example.flow, *(seed.flow or example.flow for seed in seeds)]):
        python = MISTAKEN_GUARDS if file == WITH_CODE else example.code
        own = tuple([seed for seed in seeds if (seed.flow or example.flow) == file])
        code = code_of(folder / python if python else None)
        advice = tuple([one for one in prepared.advice if (one.flow or example.flow) == file])
        look = prepared.look if file == example.flow else None
        found.append(Served(load(folder / file), code, _dialogue(example, folder), own, advice, look))
    return found


def create_server(apps: Sequence[App], clock: ForwardClock) -> Server:
    """Return the server of the page: on loopback, without keys."""
    from turnwise.server.access import Loopback
    from turnwise.server.app import create
    from turnwise.server.limits import LOCAL_LIMITS

    return create(apps, access=Loopback(), limits=LOCAL_LIMITS, clock=clock)


def _dialogue(example: Example, folder: Path) -> Dialogue:
    if example.dialogue:
        return read_dialogue(folder / example.dialogue)
    if example.replies:
        return Dialogue(read_shape(folder / example.replies, tuple[str | Reply, ...], "script", "a list of replies"))
    return Dialogue()


async def _prepare(flows: Sequence[Served], address: str, clock: ForwardClock) -> Store:
    """Return the store with the prepared conversations in it."""
    store = open_store(address)
    with _without_tracebacks():
        for one in flows:
            await play_seeds(one.seeds, one.flow, one.code, store, clock.now_ms())
    return store


async def _shown(flows: Sequence[Served], store: Store) -> dict[str, Demonstration]:
    """Return what the page shows of each flow: a remark, the first question, conversations and lines to say."""
    from turnwise.cli.demo_examples import TRIES
    from turnwise.server.wire.flows import Advice, Demonstration, FirstLook, Opening

    found: dict[str, Demonstration] = {}
    for one in flows:
        opened = [Opening(*parts) for parts in await opening_places(one.seeds, store)]
        advice = [Advice(part.node, part.field, part.missing, part.say) for part in one.advice]
        look = FirstLook(**asdict(one.look)) if one.look is not None else None
        tries = TRIES.get(one.flow.name, "")
        texts = {"de": _in_german([flow_title(one.flow), one.flow.description, tries, *_cards(one.seeds)])}
        shown = Demonstration(tries, _asks(one.flow), tuple(opened), tuple(advice), look, texts)
        found[one.flow.name] = shown
    return found


def _cards(seeds: Sequence[Seed]) -> list[str]:
    """Return what the start page says of prepared conversations."""
    return [text for seed in seeds for text in (seed.shows, seed.about)]


def _in_german(texts: Sequence[str]) -> dict[str, str]:
    """Return those texts of cards that have a German one, with it."""
    german = card_texts("de")
    return {text: german[text] for text in texts if text in german}


@cache
def card_texts(language: str) -> Mapping[str, str]:
    """Return the texts of the demonstration's cards in a language, by the English ones."""
    return json.loads(files("turnwise.cli").joinpath("texts", f"cards.{language}.json").read_text(encoding="utf-8"))


def _asks(flow: Flow) -> str:
    """Return the first question of a flow that begins with a form."""
    start = next((node for node in flow.nodes if node.name == flow.start), None)
    fields = start.form.fields if start is not None and start.form is not None else ()
    first = fields[0] if fields else None
    while first is not None and first.items:  # the questions of an item come before those whether there are more
        first = first.items[0]
    return first.ask if first is not None else ""


def _live(one: Served, model: str, store: Store, clock: ForwardClock) -> App:
    """Open a flow for the page: with a real model if one is named, else with its prepared replies."""
    replies = KnownLines(one.dialogue, language_of(one.flow.language))
    return open_app(
        one.flow,
        store=store,
        model=model or SpokenModel(replies.reply, asyncio.sleep),
        guards=one.code.guards,
        tools=one.code.tools_of(one.flow),
        clock=clock,
    )


def _about(options: PageOptions) -> str:
    model, store = options.model, options.store
    speaks = f"{model} speaks." if model else "Offline: prepared replies take the place of a model."
    kept = f"Conversations are kept in {store}." if store else "Conversations are lost at the end; --store keeps them."
    return f"{speaks} {kept}"


@contextmanager
def _temporary_folder(store: str) -> Generator[str]:
    """Yield the address of the store; without one of the user, that of a store which is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="turnwise-demo-", ignore_cleanup_errors=True) as folder:
        os.environ.setdefault("LANGUAGE_BUDDY", folder)
        os.environ.setdefault("THINKING_PARTNER_NOTES", str(Path(folder) / "notes.jsonl"))
        yield store or f"sqlite:///{folder}/demo.db"


@contextmanager
def _without_tracebacks() -> Generator[None]:
    """Do not log the errors of code that is there to be mistaken."""
    logger = logging.getLogger("turnwise.user_code")
    was, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = was


def _open_browser(address: str) -> None:
    """Open the page in a browser, where there is a screen."""
    import webbrowser

    has_screen = sys.platform in {"darwin", "win32"} or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if has_screen:
        webbrowser.open(address)
