"""`turnwise demo` serves a page with the examples and prepared conversations, and ends when it is told to."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from support.serving import Served
from support.shell import Terminal, run
from turnwise.cli.demo_examples import EXAMPLES, examples
from turnwise.cli.demo_seeds import read_seeds


@pytest.fixture(scope="module")
def demo() -> Iterator[Served]:
    with Served("demo", "--no-browser", "--port", "0") as served:
        yield served


def test_it_prints_its_address_and_that_it_is_offline(demo: Served) -> None:
    assert demo.shown.startswith(f"turnwise demo: {demo.address}/\n")
    while "Ctrl+C" not in demo.shown:
        assert demo.read(5)
    assert "Offline: prepared replies take the place of a model." in demo.shown
    assert "Conversations are lost at the end; --store keeps them." in demo.shown


def test_it_serves_every_example_with_its_prepared_conversations(demo: Served) -> None:
    assert {flow["name"] for flow in demo.get("/api/flows")} == {*EXAMPLES, "health_intake_with_code", "call_back"}
    for seed in [seed for name in EXAMPLES for seed in read_seeds(examples() / name)]:
        assert demo.get(f"/api/conversations/{seed.name}")["turn"] >= 1


def test_its_clock_can_be_moved(demo: Served) -> None:
    assert demo.get("/api/me")["has_demo_clock"] is True
    assert demo.get("/api/conversations/lea")["status"] == "waiting"
    demo.post("/api/demo/clock", advance_s=1800)
    assert demo.get("/api/conversations/lea")["status"] == "ended"


def test_its_model_replies_to_known_lines_and_names_them(demo: Served) -> None:
    demo.post("/api/conversations", flow="thinking_partner", name="mine")
    known = demo.post("/api/conversations/mine/turns", text="I don't know whether to change my job")
    assert known["text"].endswith("Which one would you miss?")
    assert known["node"] == "post_analysis_step"
    unknown = demo.post("/api/conversations/mine/turns", text="what is the weather like?")
    assert "No model is connected" in unknown["text"]
    assert "- Let us plan it" in unknown["text"]


def test_two_conversations_of_a_flow_do_not_disturb_each_other(demo: Served) -> None:
    texts: dict[str, list[str]] = {"one": [], "two": []}
    for name in texts:
        demo.post("/api/conversations", flow="health_intake", name=name)
    for line in ("I'm Maria, and I'm fifty-two", "yes, I agree"):
        for name, heard in texts.items():
            heard.append(demo.post(f"/api/conversations/{name}/turns", text=line)["text"])
    assert texts["one"] == texts["two"]
    assert texts["one"][0] == "Nice to meet you, Maria. Do you agree to our terms?"
    assert texts["one"][1].startswith("Thank you. What troubles you most")


def test_an_autonomous_flow_runs_again_and_again(demo: Served) -> None:
    for name in ("a", "b"):
        begun = demo.post("/api/conversations", flow="context_machine", name=name)
        assert begun["conversation"]["flow"] == "context_machine"
    for name in ("a", "b"):
        found = demo.until(f"/api/conversations/{name}", "status", "ended")
        assert found["outcome"] == "complete"


def test_a_store_keeps_the_conversations(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/demo.db"
    with Served("demo", "--no-browser", "--port", "0", "--store", store) as first:
        assert f"Conversations are kept in {store}." in first.shown or first.read(5)
        first.post("/api/conversations", flow="eligibility", name="mine")
        first.post("/api/conversations/mine/turns", button="Yes")
        assert first.stop() == 0
    with Served("demo", "--no-browser", "--port", "0", "--store", store) as second:
        assert second.get("/api/conversations/mine")["turn"] == 2
        assert second.get("/api/conversations/maria")["turn"] == 8


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_it_ends_when_it_is_told_to_and_leaves_nothing(number: int, code: int, tmp_path: Path) -> None:
    served = Served("demo", "eligibility", "--no-browser", "--port", "0", TMPDIR=str(tmp_path))
    assert served.shown.startswith(f"turnwise demo: {served.address}/f/eligibility\n")
    assert len(list(tmp_path.iterdir())) == 1
    assert served.stop(number) == code
    assert list(tmp_path.iterdir()) == []


def test_it_ends_soon_though_a_page_is_open_and_tells_the_page() -> None:
    served = Served("demo", "--no-browser", "--port", "0")
    with urlopen(f"{served.address}/api/stream?conversation=maria", timeout=60) as stream:
        assert stream.readline()
        began = time.monotonic()
        assert served.stop() == 0
        assert time.monotonic() - began < 22
        assert b"event: draining" in stream.read()
    assert "ERROR" not in served.shown


def test_a_port_that_is_taken_is_an_error_only_where_it_was_chosen() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = run("demo", "--no-browser", "--port", str(port))
        assert ran.code == 1
        assert (
            ran.err == f"cannot listen on 127.0.0.1:{port}: Address already in use; choose another port with --port\n"
        )


def test_two_demonstrations_run_beside_each_other() -> None:
    with Served("demo", "--no-browser") as first, Served("demo", "--no-browser") as second:
        assert first.address != second.address


def test_in_a_terminal_it_serves_until_ctrl_c() -> None:
    terminal = Terminal("demo", "--port", "0")
    terminal.expect("turnwise demo: http://127.0.0.1:")
    terminal.expect("Press Ctrl+C to stop.")
    terminal.press(b"\x03")
    assert terminal.end() == 130


def test_without_the_packages_of_the_server_it_says_what_to_install_and_what_goes_without(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['uvicorn'] = None\n", "utf-8")
    path = f"{tmp_path}:{Path(__file__).parents[2] / 'src'}"
    ran = run("demo", "--no-browser", PYTHONPATH=path)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == (
        "the server needs its packages: pip install 'turnwise[server]', or use the terminal: turnwise demo --terminal\n"
    )
    assert run("demo", "--play", PYTHONPATH=path).code == 0
