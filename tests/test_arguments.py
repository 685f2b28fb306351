"""What the façade refuses at the call: the error is one of turnwise, and its words help a developer."""

from __future__ import annotations

import asyncio
import inspect
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import OneChat, Talk, done, flow_of, talk
from turnwise import errors
from turnwise.api.sync import SyncApp
from turnwise.stores.memory import MemoryStore

FLOW = """
    flow: f
    start: a
    records: {r: {k: {type: choice, options: [Red, Green]}}}
    tools: {look: {about: x}}
    nodes:
      a: {form: {fields: [{field: r.k, ask: Which?}]}, transitions: [{id: on, to: b}, {id: slow, at: timer, in: 1h, to: b}]}
      b: {say: B.}
"""
PATH = "tests/flows/health_intake.flow.yaml"


# arguments ---------------------------------------------------------------------------------------

CALLS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda chat: chat.say(None), "text must be a str, not None"),
    (lambda chat: chat.say(b"x"), "text must be a str, not bytes b'x'"),
    (lambda chat: chat.say(["x"]), "text must be a str, not list ['x']"),
    (lambda chat: chat.app.chat(""), "conversation must be a name that is not empty, not str ''"),
    (lambda chat: chat.say("x", key=5), "key must be a str, not int 5"),
    (lambda chat: chat.say("x", key=" "), "key must be a name that is not empty, not str ' '"),
    (lambda chat: chat.start(time_zone=5), "time_zone must be a str, not int 5"),
    (lambda chat: chat.choose(1), "button must be a Button, or its value or label as a str, not int 1"),
    (
        lambda chat: chat.choose(tw.Button("Red", 5)),
        "button must be a Button, or its value or label as a str, not int 5",
    ),
    (lambda chat: chat.choose("Red", position="x"), "position must be an int or None, not str 'x'"),
    (lambda chat: chat.choose("Red", position=True), "position must be an int or None, not bool True"),
    (lambda chat: chat.commands(5), "commands must be a list of commands, such as [tw.commands.Set(…)], not int 5"),
    (
        lambda chat: chat.commands("set"),
        "commands must be a list of commands, such as [tw.commands.Set(…)], not str 'set'",
    ),
    (
        lambda chat: chat.commands(tw.commands.Skip()),
        "commands must be a list of commands, such as [tw.commands.Set(…)], not Skip",
    ),
    (lambda chat: chat.commands(["set"]), "commands[0] must be a command, such as tw.commands.Set(…), not str 'set'"),
    (
        lambda chat: chat.commands([tw.commands.Skip(), {}]),
        "commands[1] must be a command, such as tw.commands.Set(…), not dict {}",
    ),
    (lambda chat: chat.tool_used("look", 5), "arguments must be a mapping from names to values, not int 5"),
    (lambda chat: chat.tool_used("look", "a"), "arguments must be a mapping from names to values, not str 'a'"),
    (lambda chat: chat.tool_used(5), "tool must be a str, not int 5"),
    (lambda chat: chat.tool_used("look", {5: 1}), "a name in arguments must be a str, not int 5"),
    (
        lambda chat: chat.tool_used("look", {"q": 1j}),
        "arguments['q'] must be JSON data (it holds an object of the class complex), not complex 1j",
    ),
    (
        lambda chat: chat.tool_used("look", {}, b"x"),
        "result must be JSON data (it holds bytes; give a text, decoded or in base64), not bytes b'x'",
    ),
    (
        lambda chat: chat.tool_used("look", {}, float("nan")),
        "result must be JSON data (it holds NaN or infinity), not float nan",
    ),
    (
        lambda chat: chat.tool_used("look", {}, 1j, key="k"),
        "result must be JSON data (it holds an object of the class complex), not complex 1j",
    ),
    (lambda chat: chat.fire(5), "timer must be a str, not int 5"),
    (lambda chat: chat.fire("slow", visit="1"), "visit must be an int or None, not str '1'"),
    (lambda chat: chat.undo(to="1"), "to must be an int or None, not str '1'"),
    (lambda chat: chat.app.chat(5), "conversation must be a str, not int 5"),
    (lambda chat: chat.explain(turn="1"), "turn must be an int or None, not str '1'"),
    (lambda chat: chat.explain(transition=5), "transition must be a str, not int 5"),
    (lambda chat: chat.turn("1"), "number must be an int or None, not str '1'"),
    (lambda chat: chat.turn(True), "number must be an int or None, not bool True"),
    (lambda chat: chat.fork("new", turn=True), "turn must be an int or None, not bool True"),
    (lambda chat: chat.fork(" "), "conversation must be a name that is not empty, not str ' '"),
    (lambda chat: chat.app.chat("\ud800"), "conversation must be a text of whole letters, not str '\\ud800'"),
    (lambda chat: chat.say("x", key="\ud800"), "key must be a text of whole letters, not str '\\ud800'"),
    (lambda chat: chat.app.chat(None), "conversation must be a str, not None"),
    (lambda chat: chat.history(transition=5), "transition must be a str, not int 5"),
    (lambda chat: chat.what_if(values=5), "values must be a mapping from fields to values, not int 5"),
    (lambda chat: chat.what_if(values={5: 1}), "a name in values must be a str, not int 5"),
    (lambda chat: chat.what_if(rules={"on": 5}), "rules['on'] must be a str, not int 5"),
    (lambda chat: chat.what_if(flow="f.yaml"), "flow must be a Flow, as load gives it, not str 'f.yaml'"),
    (lambda chat: chat.what_if(turn="1"), "turn must be an int or None, not str '1'"),
    (lambda chat: chat.import_(None), "data must be the bytes of a file, as export gives them, not None"),
    (lambda chat: chat.import_(b"", 5), "conversation must be a str, not int 5"),
    (lambda chat: chat.migrate(5), "renaming must be a tw.Renaming, not int 5"),
    (
        lambda chat: chat.migrate(tw.Renaming(nodes=5)),
        "renaming.nodes must be a mapping from old names to new ones, not int 5",
    ),
    (lambda chat: chat.retain(5), "retention must be a tw.Retention, not int 5"),
    (
        lambda chat: done(chat.app.what_if(values={}, progress=5)),
        "progress must be a function of two numbers: how many are done, and of how many, not int 5",
    ),
]


@pytest.fixture
def made() -> Talk:
    return talk(FLOW)


@pytest.mark.parametrize(("call", "said"), CALLS, ids=[said for _, said in CALLS])
def test_a_wrong_argument_is_refused_at_the_call_and_changes_nothing(
    made: Talk, call: Callable[[Any], Any], said: str
) -> None:
    made.chat.start()
    journal = made.chat.journal()
    with pytest.raises(tw.WrongArgument) as found:
        call(made.chat)
    assert str(found.value) == said
    assert made.chat.journal() == journal
    assert done(made.store.conversations()) == ("main",)


OPENED: list[tuple[Callable[[], Any], str]] = [
    (lambda: tw.open(None), "flow must be a Flow, a mapping, or the path of a document; tw.loads takes text, not None"),
    (lambda: tw.load(5), "flow must be a Flow, a mapping, or the path of a document; tw.loads takes text, not int 5"),
    (
        lambda: tw.check([]),
        "flow must be a Flow, a mapping, or the path of a document; tw.loads takes text, not list []",
    ),
    (lambda: tw.link(PATH), f"flow must be a Flow, as load gives it, not str '{PATH[:12]}"),
    (
        lambda: tw.link(tw.load(PATH), [print]),
        "code must be functions that are guards: @tw.guard, not builtin_function_or_method <built-in",
    ),
    (
        lambda: tw.open(PATH, understand=5),
        "understand must be a function of a message and what is allowed, that returns a list of commands, not int 5",
    ),
    (
        lambda: tw.open(PATH, model=5),
        "model must be a model, or the name of one, such as 'openai:gpt-5-mini', with reply(), not int 5",
    ),
    (lambda: tw.open(PATH, clock=5), "clock must be a clock, such as tw.ManualClock(), with now_ms(), not int 5"),
    (
        lambda: tw.open(PATH, store=5),
        "store must be a store, or the address of one, such as 'memory://', with commit(), load(),",
    ),
    (lambda: tw.open(PATH, store=Path("x")), "store must be a store, or the address of one,"),
    (lambda: tw.open(PATH, store=None), "store must be a store, or the address of one,"),
    (lambda: tw.open(PATH, store=MemoryStore), "store must be a store, or the address of one,"),
    (lambda: tw.open(PATH, store_retry_s=-1), "store_retry_s must be a number of seconds, 0 or more, not int -1"),
    (lambda: tw.open(PATH, store_retry_s="x"), "store_retry_s must be a number of seconds, 0 or more, not str 'x'"),
    (lambda: tw.ManualClock("x"), "now_ms must be whole milliseconds since 1970, up to the year 9999, not str 'x'"),
    (lambda: tw.open_archive(5), "store must be a store, or the address of one,"),
    (lambda: tw.open(PATH, retention=5), "retention must be a tw.Retention, not int 5"),
    (lambda: tw.Retention(events_days=-1), "events_days must be a number of days, 0 or more, or None, not int -1"),
    (lambda: tw.Retention(events_days=float("nan")), "events_days must be a number of days, 0 or more, or None,"),
    (lambda: tw.Retention(decisions_days="1"), "decisions_days must be a number of days, 0 or more, or None,"),
    (lambda: tw.SqliteStore("x.db", sync="off"), 'sync must be "full" or "normal", not str \'off\''),
    (lambda: tw.SqliteStore("x.db", retry_s=-1), "retry_s must be a number of seconds, 0 or more, not int -1"),
    (
        lambda: tw.SqliteStore("x.db", claim_timeout_s=0),
        "claim_timeout_s must be a number of seconds, more than 0, not int 0",
    ),
    (lambda: tw.SqliteStore(None), "path must be the path of a file, not None"),
    (lambda: tw.guard(to=5), "to must be the name of a node, or a list of names, not int 5"),
    (lambda: tw.guard(to=[5]), "to must be the name of a node, or a list of names, not list [5]"),
    (lambda: tw.guard(name=5), "name must be a str, not int 5"),
    (lambda: tw.write_yaml(None), "flow must be a Flow, as load gives it, not None"),
    (lambda: tw.judge("turns > 1", {}, 5), "roots must be a mapping from roots to values,"),
    (lambda: tw.open(PATH, guards=5), "guards must be a list of functions, not int 5"),
    (
        lambda: tw.open(PATH, guards=print),
        "guards must be a list of functions, not builtin_function_or_method <built-in",
    ),
]


@pytest.mark.parametrize(("call", "said"), OPENED, ids=[said for _, said in OPENED])
def test_what_is_no_part_of_a_chat_is_refused_at_open(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(tw.WrongArgument) as found:
        call()
    assert str(found.value).startswith(said)


@pytest.mark.parametrize("now", [1.5, "1", None, True, 10**15])
def test_a_clock_that_tells_no_whole_milliseconds_is_refused_before_anything_is_kept(now: Any) -> None:
    class Clock:
        def now_ms(self) -> Any:
            return now

    store = MemoryStore()
    with pytest.raises(tw.WrongArgument, match=r"clock.now_ms\(\) must be whole milliseconds since 1970"):
        done(tw.open(flow_of(FLOW), store=store, clock=Clock()).chat("a").start())
    assert done(store.conversations()) == ()


@pytest.mark.parametrize("name", ["x\0y.db", "x" * 300, ":memory:"])
def test_a_path_at_which_no_file_can_be_is_told_in_a_line(name: str) -> None:
    with pytest.raises(tw.StoreFailed, match=r"there can be no such file|the store without one is memory://"):
        tw.open(PATH, store=f"sqlite:///{name}")


def test_a_file_whose_name_looks_like_a_uri_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    asyncio.run(tw.SqliteStore("file:x.db?mode=memory").close())
    assert (tmp_path / "file:x.db?mode=memory").is_file()


def test_parts_that_have_what_is_called_are_taken() -> None:
    class Clock:
        def now_ms(self) -> int:
            return 7

    chat = OneChat(flow_of(FLOW), store=MemoryStore(), understand=lambda _message, _allowed: [], clock=Clock())
    assert done(chat.start()).entries[0].at_ms == 7
    assert done(chat.choose(tw.Button("Red", "Red"))).state.node == "b"
    assert done(chat.app.chat("other").commands((tw.commands.Skip(),))).number == 1


ASKED: list[tuple[Callable[[Any], Any], str]] = [
    (lambda archive: archive.state(5), "conversation must be a str, not int 5"),
    (lambda archive: archive.turn("a", "1"), "number must be an int or None, not str '1'"),
    (lambda archive: archive.explain("a", True), "turn must be an int or None, not bool True"),
    (lambda archive: archive.explain("a", transition=5), "transition must be a str, not int 5"),
    (lambda archive: archive.what_if(5), "conversation must be a str, not int 5"),
    (lambda archive: archive.what_if(None, rules=5), "rules must be a mapping from transitions to guards, not int 5"),
    (lambda archive: archive.history(5), "conversation must be a str, not int 5"),
    (lambda archive: archive.replay(None), "conversation must be a str, not None"),
    (lambda archive: archive.replay("a", flow="f"), "flow must be a Flow, as load gives it, not str 'f'"),
    (lambda archive: archive.export(5), "conversation must be a str, not int 5"),
    (
        lambda archive: archive.import_conversation(None),
        "data must be the bytes of a file, as export gives them, not None",
    ),
    (lambda archive: archive.fork("a", " "), "conversation must be a name that is not empty, not str ' '"),
    (lambda archive: archive.fork("a", "b", True), "turn must be an int or None, not bool True"),
    (lambda archive: archive.migrate("f"), "flow must be a machine, as link gives it, not str 'f'"),
]


@pytest.mark.parametrize(("call", "said"), ASKED, ids=[said for _, said in ASKED])
def test_an_archive_refuses_wrong_arguments_as_a_chat_does(call: Callable[[Any], Any], said: str) -> None:
    store = MemoryStore()
    done(tw.open(flow_of(FLOW), store=store).chat("a").start())
    with pytest.raises(tw.WrongArgument) as found:
        done(call(tw.open_archive(store)))
    assert str(found.value) == said
    assert done(store.conversations()) == ("a",)


CLOSED: list[Callable[[Any], Any]] = [
    lambda chat: chat.say("x"),
    lambda chat: chat.state(),
    lambda chat: chat.journal(),
    lambda chat: chat.events(),
    lambda chat: chat.turn(),
    lambda chat: chat.explain(),
    lambda chat: chat.what_if(),
    lambda chat: chat.history(),
    lambda chat: chat.replay(),
    lambda chat: chat.export(),
    lambda chat: chat.migrate(),
    lambda chat: chat.forget(),
    lambda chat: chat.app.retain(tw.Retention()),
    lambda chat: chat.app.tick(),
    lambda chat: chat.app.__aenter__(),
]


def test_every_call_of_a_closed_chat_says_that_it_is_closed(tmp_path: Path) -> None:
    async def whole() -> None:
        chat = OneChat(flow_of(FLOW), store=f"sqlite:///{tmp_path / 'x.db'}")
        await chat.start()
        await chat.close()
        for call in CLOSED:
            with pytest.raises(tw.TurnwiseError, match="this app is closed; open another one"):
                await call(chat)
        with pytest.raises(tw.StoreFailed, match="the store is closed"):
            await chat.runtime.store.load("main")
        await chat.close()

    asyncio.run(whole())


# what is not there ---------------------------------------------------------------------------------

READS: list[Callable[[Any], Any]] = [
    lambda chat: chat.state(),
    lambda chat: chat.journal(),
    lambda chat: chat.explain(),
    lambda chat: chat.replay(),
]


@pytest.mark.parametrize("read", READS, ids=["state", "journal", "explain", "replay"])
def test_every_read_of_an_unknown_conversation_raises(made: Talk, read: Callable[[Any], Any]) -> None:
    made.chat.start()
    with pytest.raises(tw.UnknownConversation, match="there is no conversation 'nobody'"):
        read(made.chat.on("nobody"))


def test_an_unknown_conversation_has_the_nearest_name(made: Talk) -> None:
    made.chat.on("ada").start()
    with pytest.raises(tw.UnknownConversation, match="there is no conversation 'adda'; did you mean 'ada'"):
        made.chat.on("adda").state()


def test_a_transition_that_is_none_has_the_nearest_name_and_one_that_was_not_judged_has_no_decision(made: Talk) -> None:
    made.chat.start()
    made.chat.say("Red")
    with pytest.raises(tw.UnknownTransition, match="no transition is called 'slwo'; did you mean 'slow'"):
        made.chat.explain(transition="slwo")
    (hypothetical,) = made.chat.explain(transition="slow")
    assert hypothetical.hypothetical
    assert "slow was not judged" in hypothetical.line
    assert [decision.candidate("on").outcome for decision in made.chat.explain(transition="on")] == ["taken"]


# blocking ------------------------------------------------------------------------------------------


def test_blocking_in_a_running_loop_says_what_to_write_there() -> None:
    app = tw.open(flow_of(FLOW))

    async def notebook() -> str:
        with pytest.raises(tw.CannotBlock) as found:
            SyncApp(app).chat("main").say("Red")
        await app.chat("main").start()
        return str(found.value)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        said = asyncio.run(notebook())
    assert said.startswith(
        "an event loop is running here (a notebook, an async server): use tw.open(…) and `await chat.say(…)`"
    )


def test_several_threads_may_use_a_blocking_chat_at_once() -> None:
    met = threading.Barrier(4, timeout=60)

    async def understand(_message: str, _allowed: Any) -> list[Any]:
        await asyncio.to_thread(met.wait)  # only where four turns are under way at once it goes on
        return []

    with tw.open_sync(flow_of(FLOW), understand=understand) as app, ThreadPoolExecutor(4) as threads:
        turns = list(threads.map(lambda name: (app.chat(name).start(), app.chat(name).say("hm"))[1], "abcd"))
    assert [turn.number for turn in turns] == [2, 2, 2, 2]


def test_blocking_after_close_says_that_it_was_closed() -> None:
    with tw.open_sync(flow_of(FLOW)) as app:
        chat = app.chat("main")
        chat.start()
    with pytest.raises(tw.CannotBlock, match="this app is closed; open another one"):
        chat.say("Red")
    app.close()


# errors --------------------------------------------------------------------------------------------


def test_every_error_is_public_and_has_one_root() -> None:
    found = [
        one
        for one in vars(errors).values()
        if inspect.isclass(one) and one.__module__ == "turnwise.errors" and issubclass(one, Exception)
    ]
    assert tw.TurnwiseError in found
    for one in (*found, tw.FlowError, tw.GuardError):
        assert getattr(tw, one.__name__) is one
        assert issubclass(one, tw.TurnwiseError)
        assert one.__name__ in tw.__all__


# a turn, shown -------------------------------------------------------------------------------------


def test_a_turn_is_shown_in_one_short_line(made: Talk) -> None:
    assert repr(made.chat.start()) == "<Turn 1 of 'main', in a, 'Which?'>"
    assert repr(made.chat.choose("Rad")) == "<Turn of 'main', refused: unknown_button>"
    assert repr(made.chat.choose("Red")) == "<Turn 2 of 'main', in b, ended: b, 'B.'>"
    long = talk(f"flow: f\nstart: a\nnodes: {{a: {{say: '{'word ' * 99}'}}}}")
    shown = repr(long.chat.on("c" * 20).start())
    assert len(shown) < 130
    assert "\n" not in shown
    assert "word…'>" in shown
