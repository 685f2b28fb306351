"""Servers of the Model Context Protocol as tools: real ones, over standard input and over HTTP."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import mcp.types
import pytest

import turnwise as tw
from support import mcp_forks
from support.shell import Ran, run
from support.tools import facts
from turnwise.core.state.events import ToolFailed, ToolReturned
from turnwise.flow.diagnostic import FlowError
from turnwise.flow.model import Tool
from turnwise.models.scripted import call
from turnwise.runner.model_port import ModelReply
from turnwise.tools.mcp import connection
from turnwise.tools.mcp.declarations import declarations

TESTS = Path(__file__).parents[1]
DAY = tw.Field("day", "date")
TOOLS = [
    Tool("reserve", "reserve a table", [DAY, tw.Field("number", "integer", optional=True)], kind="effect"),
    Tool("said", "say it", [tw.Field("what")]),
    *[Tool(name, name) for name in ("both", "parts", "full", "who")],
    Tool("die", "end it", kind="effect"),
    Tool("wait", "wait", kind="effect", timeout_s=0.3),
]


def command(name: str) -> list[str]:
    """What starts a server."""
    path = f"import sys; sys.path.insert(0, {str(TESTS)!r}); sys.argv[0:0] = ['']; "
    program = f"{path}from support.mcp_server import server_of; server_of({name!r}).run('stdio')"
    return [sys.executable, "-c", program]


def started(name: str = "main") -> tw.McpServer:
    """A server that is a command, as a flow has it: an interpreter that starts."""
    return tw.McpServer(name, command=command(name))


def stdio(name: str = "main") -> tw.McpServer:
    """The same where its start is not what is tested."""
    return tw.McpServer(name, command=mcp_forks.command(name))


def mcp_tools(*args: str | Path) -> Ran:
    """Run the command that lists the tools of a server."""
    return run("mcp-tools", *args, modules=("httpx2", "mcp", "mcp.client.streamable_http", "turnwise.tools.mcp"))


def flow_of(*servers: tw.McpServer, tools: list[Tool] = TOOLS) -> tw.Flow:
    node = tw.Node("free", prompt="Help.", tools=tw.ToolPolicy())
    return tw.Flow("f", start="free", tools=tools, mcp=servers, nodes=[node])


async def outcomes(chat: tw.Chat, *calls: ModelReply) -> list[Any]:
    """The result of each call, or the reason why there is none."""
    found: list[Any] = []
    model: Any = chat.runtime.performer.model
    for one in calls:
        model.plan.extend([one, "Done."])
        (fact,) = facts(await chat.say("x"), ToolReturned, ToolFailed)
        found.append(fact.result if isinstance(fact, ToolReturned) else fact.reason)
    return found


def results(*calls: ModelReply, flow: tw.Flow | None = None) -> list[Any]:
    """The same, in a chat with one server that is closed after it."""

    async def talk() -> list[Any]:
        async with tw.open(flow or flow_of(stdio()), model=tw.ScriptedModel()) as app:
            chat = app.chat("main")
            return await outcomes(chat, *calls)

    return asyncio.run(talk())


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# answers -------------------------------------------------------------------------------------------


def test_answers_of_a_server_are_data() -> None:
    assert results(
        call("reserve", day="2026-02-03"),
        call("reserve", day="2026-02-03", number=4),
        call("said", what="hello"),
        call("said", what='{"a": [1]}'),
        call("said", what="[1, 2"),
        call("parts"),
        call("both"),
    ) == [
        {"number": 1, "day": "2026-02-03"},
        {"number": 4, "day": "2026-02-03"},
        "hello",
        {"a": [1]},
        "[1, 2",
        ["a", {"type": "image", "data": "aGk=", "mimeType": "image/png"}],
        {"result": "main"},
    ]


def test_what_a_server_says_of_a_failure_is_the_reason() -> None:
    (told,) = results(call("full"))
    assert "Error executing tool full" in told


def test_a_server_is_told_the_key_of_a_call() -> None:
    (told,) = results(call("who"))
    assert told["key"] == "main/1.2"


# its life ------------------------------------------------------------------------------------------


def test_a_server_lives_from_the_first_call_to_the_end_of_the_chat() -> None:
    async def talk() -> tuple[int, bool, bool]:
        async with tw.open(flow_of(started()), model=tw.ScriptedModel()) as app:
            chat = app.chat("main")
            first, second = await outcomes(chat, call("who"), call("who"))
            assert first["pid"] == second["pid"]
            alive = is_alive(first["pid"])
        return first["pid"], alive, is_alive(first["pid"])

    pid, alive, after = asyncio.run(talk())
    assert (pid != os.getpid(), alive, after) == (True, True, False)


def test_a_chat_that_nobody_closed_leaves_no_process_behind() -> None:
    async def talk() -> int:
        chat = tw.open(flow_of(started()), model=tw.ScriptedModel()).chat("main")
        (told,) = await outcomes(chat, call("who"))
        return int(told["pid"])

    assert not is_alive(asyncio.run(talk()))


def test_nothing_is_started_before_a_tool_is_called(tmp_path: Path) -> None:
    mark = tmp_path / "started"
    server = tw.McpServer("main", command=[sys.executable, "-c", f"open({str(mark)!r}, 'w')"])
    flow = flow_of(server)
    tw.check(flow)

    async def talk() -> None:
        async with tw.open(flow, model=tw.ScriptedModel(["Hello."])) as app:
            chat = app.chat("main")
            await chat.say("x")

    asyncio.run(talk())
    assert not mark.exists()


def test_a_server_that_dies_fails_the_call_and_is_started_again() -> None:
    async def talk() -> tuple[list[Any], Any]:
        async with tw.open(flow_of(stdio()), model=tw.ScriptedModel()) as app:
            chat = app.chat("main")
            told = await outcomes(chat, call("who"), call("die"), call("who"))
            (failed,) = [entry.event for entry in await chat.journal() if isinstance(entry.event, ToolFailed)]
            return told, failed

    (first, reason, second), failed = asyncio.run(talk())
    assert reason.startswith("the server 'main' was lost in the middle of the call: ")
    assert failed.in_doubt
    assert first["pid"] != second["pid"]


def test_a_call_that_takes_too_long_fails_and_the_next_one_works() -> None:
    assert results(call("wait"), call("said", what="x")) == ["it gave no result within 0.3 s", "x"]


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (["no-such-program"], "No such file or directory: 'no-such-program'"),
        ([sys.executable, "-c", "import no_such_module"], "ModuleNotFoundError: No module named 'no_such_module'"),
        ([sys.executable, "-c", "import sys; sys.exit('not today')"], "not today"),
    ],
)
def test_a_server_that_cannot_be_started_is_told_with_its_last_words(program: list[str], told: str) -> None:
    (reason,) = results(call("both"), flow=flow_of(tw.McpServer("main", command=program)))
    assert reason.startswith("no server lists the tool 'both'; the server 'main' cannot be reached: ")
    assert reason.endswith(told)


def test_a_server_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "CONNECT_S", 0.2)
    silent = tw.McpServer("main", command=[sys.executable, "-c", "import time; time.sleep(60)"])
    began = time.monotonic()
    (reason,) = results(call("both"), flow=flow_of(silent))
    assert reason.endswith("the server 'main' cannot be reached: it did not list its tools within 0.2 s")
    assert time.monotonic() - began < 50


BANNER = "print('Welcome.'); print(); print('{\"a\": 1}', flush=True); "


def test_a_line_on_standard_output_that_is_no_message_is_told_once_without_a_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    program, option, text = command("main")
    loud = tw.McpServer("main", command=[program, option, BANNER + text])
    assert results(call("said", what="hello"), call("both"), flow=flow_of(loud)) == ["hello", {"result": "main"}]
    told = [(one.name, one.getMessage(), one.exc_info) for one in caplog.records if one.levelno >= logging.WARNING]
    stray = "it writes lines that are not JSON-RPC to its standard output: 'Welcome.'"
    assert told == [("turnwise.mcp", f"the server 'main' {stray.removeprefix('it ')}", None)]


def test_a_server_that_only_writes_lines_is_given_up_with_the_first_of_them(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(connection, "CONNECT_S", 1)
    text = "import sys; print('starting', file=sys.stderr)\nfor line in sys.stdin: print('hello', flush=True)"
    (reason,) = results(call("both"), flow=flow_of(tw.McpServer("main", command=[sys.executable, "-c", text])))
    assert reason.endswith(
        "it did not list its tools within 1 s; "
        "it writes lines that are not JSON-RPC to its standard output: 'hello'; its last output: starting"
    )
    assert [one.name for one in caplog.records if one.exc_info] == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (BANNER.replace("; ", "\n"), "MCPError: Connection closed"),
        ("print('Welcome.')\nraise SystemExit('no key')", "no key"),
    ],
)
def test_a_line_of_a_server_that_is_not_reached_is_told_once_with_the_reason(text: str, why: str) -> None:
    ran = mcp_tools("--", sys.executable, "-c", text)
    stray = "it writes lines that are not JSON-RPC to its standard output: 'Welcome.'"
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"the server 'server' cannot be reached: {why}; {stray}\n"


def test_what_the_package_logs_of_the_servers_of_others_stays_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    assert results(call("both")) == [{"result": "main"}]
    logging.getLogger("mcp.client.stdio").warning("of another server")
    assert "of another server" in caplog.messages


SEEN = [Tool("seen", args=[tw.Field("variable")])]


def test_a_command_is_given_the_variables_that_it_names_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIBRARY_KEY", "open sesame")
    monkeypatch.setenv("OTHER_KEY", "not yours")
    server = tw.McpServer("main", command=command("main"), env=["LIBRARY_KEY"])
    told = results(
        call("seen", variable="LIBRARY_KEY"), call("seen", variable="OTHER_KEY"), flow=flow_of(server, tools=SEEN)
    )
    assert told == [{"result": "open sesame"}, {"result": None}]


@pytest.mark.parametrize(
    "server",
    [
        tw.McpServer("main", command=command("main"), env=["NO_SUCH_KEY"]),
        tw.McpServer("main", url="http://127.0.0.1:9/mcp", token="NO_SUCH_KEY"),
    ],
)
def test_a_variable_that_is_not_set_is_told_by_its_name(server: tw.McpServer) -> None:
    (reason,) = results(call("seen", variable="x"), flow=flow_of(server, tools=SEEN))
    assert reason.endswith(
        "cannot be reached: the environment variable 'NO_SUCH_KEY' is not set, and the flow passes it to the server"
    )


@pytest.mark.parametrize(
    ("server", "told"),
    [
        (tw.McpServer("a"), "TW015 the server 'a' has no command and no address"),
        (tw.McpServer("a", command="x", url="http://x"), "TW015 the server 'a' has both a command and an address"),
        (tw.McpServer("a", url="x.org"), "TW011 'x.org' is no address of a server"),
        (tw.McpServer("a", url="http://x", env=["X"]), "TW041 'env' needs 'command'"),
        (tw.McpServer("a", command="x", token="X"), "TW041 'token' needs 'url'"),
    ],
)
def test_what_can_be_no_server_is_told(server: tw.McpServer, told: str) -> None:
    assert told in [f"{one.code} {one.message}" for one in tw.check(flow_of(server))]
    assert "TW017 two servers are called 'a'" in [
        f"{one.code} {one.message}" for one in tw.check(flow_of(server, server))
    ]


# whose tool it is ----------------------------------------------------------------------------------


def test_a_tool_that_two_servers_list_is_named_with_its_server() -> None:
    tools = [Tool("both"), Tool("other_both"), Tool("said", args=[tw.Field("what")])]
    flow = flow_of(stdio(), stdio("other"), tools=tools)
    assert results(call("both"), call("other_both"), call("said", what="x"), flow=flow) == [
        "the servers 'main' and 'other' both list the tool 'both'; declare it as 'main_both'",
        {"result": "other"},
        "x",
    ]


FOREIGN = """
flow: f
start: free
records: {r: {sum: integer}}
nodes:
  free:
    prompt: Help.
    tools: {allow: ["get-*", files.list, 3d/plot_points]}
    transitions: [{at: tool, when: 'tools.used("get-sum") && tools.last == "files.list"', to: plot}]
  plot:
    prompt: Plot.
    enter_when: [{type: sequence_match}]
    tools: {sequence: [files.list, 3d/plot_points], allow: ["*"]}
    transitions: [{at: tool, when: 'tools.ended_with(["files.list", "3d/plot_points"])', to: last}]
  last:
    tool: {name: get-sum, with: {a: tools.count("3d/plot_points"), b: tools.count("get-sum")}}
    end: done
"""
"""A flow that has the tools of a server under the names that the server gives them."""


def foreign(server: tw.McpServer, folder: Path) -> tuple[Any, list[tuple[str, Any]]]:
    """What the flow of these names says and which tools gave what, with declarations that the command wrote."""
    where = [server.url] if server.url else ["--", *server.command]
    written = mcp_tools("--name", server.name, *where)
    assert (written.code, written.err) == (0, "")
    flow = folder / "foreign.flow.yaml"
    flow.write_text(FOREIGN + written.out, "utf-8")
    assert [one for one in tw.check(tw.load(flow)) if one.severity == "error"] == []

    async def talk() -> tw.Turn:
        calls = [
            call("get-sum", a=2, b=3.5),
            call("files.list", folder="x", kinds=["a", "b"]),
            call("3d/plot_points", more=True),
        ]
        async with tw.open(tw.load(flow), model=tw.ScriptedModel(calls)) as app:
            return await app.chat("42").say("go")

    turn = asyncio.run(talk())
    return turn, [(one.tool, one.result) for one in facts(turn, ToolReturned)]


FOREIGN_RESULTS = [
    ("get-sum", {"result": "The sum of 2 and 3.5 is 5.5."}),
    ("files.list", {"result": ["x/a", "x/b"]}),
    ("3d/plot_points", {"result": "more: True"}),
    ("get-sum", {"result": "The sum of 1 and 1 is 2."}),
]


def test_tools_keep_the_names_that_their_server_gives_them(tmp_path: Path) -> None:
    turn, gave = foreign(stdio("server-with.dots"), tmp_path)
    assert gave == FOREIGN_RESULTS
    assert str(turn.state.status.outcome) == "done"


def test_a_tool_that_no_server_lists_is_told_with_the_nearest_name() -> None:
    flow = flow_of(stdio(), tools=[Tool("reserv")])
    assert results(call("reserv"), flow=flow) == ["no server lists the tool 'reserv'; did you mean 'reserve'?"]


def test_a_function_comes_before_a_server_and_a_server_before_nobody() -> None:
    async def talk() -> list[Any]:
        tools = {"both": lambda: "mine"}
        async with tw.open(flow_of(stdio()), model=tw.ScriptedModel(), tools=tools) as app:
            chat = app.chat("main")
            return await outcomes(chat, call("both"), call("said", what="x"))

    assert asyncio.run(talk()) == ["mine", "x"]


DIFFERENT: list[tuple[Tool, list[str]]] = [
    (TOOLS[0], []),
    (Tool("reserve", args=[tw.Field("day"), tw.Field("number", "integer", default=2)]), []),
    (Tool("reserve", args=[DAY, tw.Field("seat", optional=True)]), ["the flow declares the argument 'seat', and the server takes no such argument"]),
    (Tool("reserve", args=[DAY, tw.Field("number", optional=True)]), ["the flow declares 'number' as string, and the server takes integer"]),
    (Tool("reserve"), ["the server needs the argument 'day', which the flow does not declare"]),
    (Tool("reserve", args=[tw.Field("day", "date", optional=True)]), ["'day' may be left out in the flow, and the server needs it"]),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "told"), DIFFERENT, ids=range(len(DIFFERENT)))
def test_a_tool_that_is_declared_otherwise_than_the_server_says_is_a_warning(
    tool: Tool, told: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "turnwise"):
        results(call("reserve", **{"day": "2026-02-03"} if tool.args else {}), flow=flow_of(stdio(), tools=[tool]))
    assert caplog.messages == [f"the tool 'reserve' of the server 'main': {one}" for one in told]


def test_a_tool_of_a_server_cannot_be_checked_after_a_crash() -> None:
    flow = flow_of(stdio(), tools=[Tool("reserve", kind="effect", on_crash="check")])
    with pytest.raises(
        FlowError, match="TW089 'reserve' is to be checked after a crash, and no server can be asked that"
    ):
        tw.open(flow)


def test_a_missing_package_is_one_line_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(tw.TurnwiseError, match=r"pip install 'turnwise\[mcp\]'"):
        tw.open(flow_of(stdio()))


# over HTTP -----------------------------------------------------------------------------------------


class Served:
    """A server over HTTP, in a process of its own that can be ended and started again."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    def start(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(TESTS)}
        program = [sys.executable, "-m", "support.mcp_server", "web", str(self.port)]
        self.process = subprocess.Popen(program, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(400):
            with socket.socket() as asked:
                if asked.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError("the server does not start")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def web() -> Iterator[Served]:
    served = Served()
    yield served
    served.end()


def test_tools_over_http_keep_their_names(web: Served, tmp_path: Path) -> None:
    _, gave = foreign(tw.McpServer("web", url=f"http://127.0.0.1:{web.port}/mcp"), tmp_path)
    assert gave == FOREIGN_RESULTS


def test_a_server_over_http_answers_and_is_found_again_when_it_comes_back(web: Served) -> None:
    server = tw.McpServer("web", url=f"http://127.0.0.1:{web.port}/mcp")

    async def talk() -> list[Any]:
        async with tw.open(flow_of(server), model=tw.ScriptedModel()) as app:
            chat = app.chat("main")
            told = await outcomes(chat, call("reserve", day="2026-02-03"), call("full"))
            web.end()
            told += await outcomes(chat, call("said", what="x"))
            web.start()
            return told + await outcomes(chat, call("said", what="y"))

    first, failed, gone, back = asyncio.run(talk())
    assert first == {"number": 1, "day": "2026-02-03"}
    assert "Error executing tool full" in failed
    assert gone.startswith("the server 'web' ")
    assert back == "y"


def test_an_address_is_asked_with_the_token_that_the_environment_has(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Door(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.headers["Authorization"])
            self.send_response(401)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    monkeypatch.setenv("LIBRARY_KEY", "open-sesame")
    with ThreadingHTTPServer(("127.0.0.1", 0), Door) as door:
        threading.Thread(target=door.serve_forever, daemon=True).start()
        server = tw.McpServer("web", url=f"http://127.0.0.1:{door.server_port}/mcp", token="LIBRARY_KEY")
        (reason,) = results(call("both"), flow=flow_of(server))
        door.shutdown()
    assert set(asked) == {"Bearer open-sesame"}
    assert "the server 'web' cannot be reached" in reason
    assert "sesame" not in reason


def test_an_address_where_nobody_answers_is_told() -> None:
    server = tw.McpServer("web", url="http://127.0.0.1:9/mcp")
    (reason,) = results(call("both"), flow=flow_of(server))
    assert reason.startswith("no server lists the tool 'both'; the server 'web' cannot be reached: ")
    assert "connect" in reason.lower()


# declarations that are written ---------------------------------------------------------------------


def listed(name: str = "t", *, only_reads: bool | None = None, **properties: Any) -> mcp.types.Tool:
    """A tool as a server lists it; arguments whose names end in an underscore are needed."""
    schema = {
        "type": "object",
        "properties": {key.rstrip("_"): value for key, value in properties.items()},
        "required": [key.rstrip("_") for key in properties if key.endswith("_")],
    }
    hints = mcp.types.ToolAnnotations(read_only_hint=only_reads)
    return mcp.types.Tool(name=name, description="Do it.\nAnd more.", input_schema=schema, annotations=hints)


SAID: list[tuple[dict[str, Any], tw.Field]] = [
    ({"a_": {"type": "string"}}, tw.Field("a")),
    ({"a_": {"type": "string", "format": "date-time", "description": "when\nexactly"}}, tw.Field("a", "datetime", about="when")),
    ({"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}, tw.Field("a", "integer", optional=True)),
    ({"a_": {"type": ["integer", "number"]}}, tw.Field("a", "number")),
    (
        {"a": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}], "description": "some"}},
        tw.Field("a", "list", of="integer", about="some", optional=True),
    ),
    ({"a_": {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "null"}]}}, tw.Field("a", "choice", options=["x"])),
    ({"a_": {"type": ["boolean", "string"]}}, tw.Field("a", "boolean")),
    ({"max-results": {"type": "integer"}}, tw.Field("max-results", "integer", optional=True)),
    ({"a_": {"type": "string", "enum": ["x", "y"]}}, tw.Field("a", "choice", options=["x", "y"])),
    ({"a_": {"type": "array", "items": {"type": "string", "format": "date"}}}, tw.Field("a", "list", of="date")),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "field"), SAID, ids=range(len(SAID)))
def test_a_schema_is_the_field_that_says_the_same(schema: dict[str, Any], field: tw.Field) -> None:
    found = declarations([listed(**schema)])
    assert found.tools == [Tool("t", "Do it.", [field], kind="effect")]
    assert found.problems == []


def test_what_no_declaration_can_say_is_told_and_what_needs_it_is_left_out() -> None:
    odd = {"type": "object"}
    found = declarations([listed("a", odd_=odd), listed("b", only_reads=True, odd={"type": "array", "items": odd})])
    assert found.tools == [Tool("b", "Do it.", kind="read")]
    assert found.problems == [
        "'odd' of 'a' is no single value, and no list of them",
        "'a' cannot be declared without that",
        "'odd' of 'b' is no single value, and no list of them",
    ]


def test_a_tool_that_no_flow_can_have_is_left_out_with_the_reason() -> None:
    task = listed("think").model_copy(update={"execution": mcp.types.ToolExecution(task_support="required")})
    found = declarations([listed("my tool"), task, listed("ok", only_reads=True, **{"a b": {"type": "string"}})])
    assert found.tools == [Tool("ok", "Do it.", kind="read")]
    assert found.problems == [
        "'my tool' cannot be declared: the name of a tool has letters, digits, _, -, . and / only",
        "'think' cannot be declared: its server runs it only as a task of the protocol",
        "'a b' of 'ok' is no single value, and no list of them",
    ]


def test_the_command_writes_declarations_that_a_flow_can_have(tmp_path: Path) -> None:
    server = mcp_forks.command("main")
    ran = mcp_tools("--name", "main", "--", *server)
    assert (ran.code, ran.err) == (0, "")
    flow = tmp_path / "flow.yaml"
    nodes = "nodes:\n  free: {prompt: Help., tools: {}}\n"
    flow.write_text(f"flow: f\nstart: free\n{nodes}{ran.out}", "utf-8")
    loaded = tw.load(flow)
    assert [tool.name for tool in loaded.tools if tool.kind == "effect"][:2] == ["both", "reserve"]
    assert loaded.mcp[0].command == tuple(server)
    assert results(call("reserve", day="2026-02-03"), flow=loaded) == [{"number": 1, "day": "2026-02-03"}]


def test_the_command_tells_in_one_line_what_cannot_be_reached() -> None:
    ran = mcp_tools("--", "no-such-program")
    assert (ran.code, ran.out) == (1, "")
    assert "the server 'server' cannot be reached: " in ran.err
    assert len(ran.err.splitlines()) == 1
