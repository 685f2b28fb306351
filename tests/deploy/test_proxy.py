"""The proxy of `compose.yaml` with its own configuration, before servers as processes: where HAProxy is installed."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from support.durable.deployed import free_port
from support.serving import READY_S, Served
from support.shell import ROOT

HAPROXY = shutil.which("haproxy")
CONFIGURATION = (ROOT / "deploy/haproxy.cfg").read_text()
FLOW = ROOT / "examples/eligibility/eligibility.flow.yaml"
pytestmark = pytest.mark.skipif(HAPROXY is None, reason="HAProxy is not installed")


def until(holds: Callable[[], bool], what: str, seconds: float = READY_S) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/api/ready", timeout=10) as answer:
            return answer.status == 200
    except OSError:  # it does not listen yet, or knows no replica
        return False


@contextmanager
def proxy(at: Path, *replicas: Served) -> Iterator[int]:
    """Run the proxy before these servers; yield its port."""
    port = free_port()
    text = CONFIGURATION.replace("bind :8080", f"bind 127.0.0.1:{port}")
    for number, replica in enumerate(replicas, 1):
        text = text.replace(f"replica-{number}:8765", replica.address.removeprefix("http://"))
    text = re.sub(r"^ +server .*:8765\n", "", text, flags=re.MULTILINE)
    (at / "haproxy.cfg").write_text(text)
    process = subprocess.Popen([HAPROXY or "", "-db", "-f", at / "haproxy.cfg"], stderr=subprocess.DEVNULL)
    try:
        until(lambda: process.poll() is not None or answers(port), "the proxy does not answer")
        assert process.poll() is None, "the proxy refuses its configuration"
        yield port
    finally:
        process.kill()
        process.wait()


def open_stream(port: int, conversation: str) -> tuple[HTTPConnection, HTTPResponse]:
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", f"/api/conversations/{conversation}/events", headers={"accept": "text/event-stream"})
    return connection, connection.getresponse()


def test_a_stream_is_passed_on_at_once_and_closed_with_its_client(tmp_path: Path) -> None:
    """One that stayed open until its next ping would count in `open_streams` of a user who is gone."""

    def open_streams() -> float:
        (found,) = re.findall(r"^turnwise_open_streams (\S+)$", served.fetch("/api/metrics")[2].decode(), re.MULTILINE)
        return float(found)

    with Served("serve", "--port=0", FLOW) as served, proxy(tmp_path, served) as port:
        begun = served.post("/api/conversations", flow="eligibility", name="maria")
        connection, stream = open_stream(port, begun["conversation"]["id"])
        assert stream.status == 200
        assert stream.readline()
        assert open_streams() == 1
        stream.close()
        connection.close()
        until(lambda: open_streams() == 0, "the stream is still open", 5)


def test_a_replica_that_stops_is_left_before_it_refuses_a_request(tmp_path: Path) -> None:
    stopping, staying = (Served("serve", "--port=0", "--limit=leave_s=3", FLOW) for _ in range(2))
    with staying, stopping, proxy(tmp_path, stopping, staying) as port:
        stopping.process.send_signal(signal.SIGTERM)
        begun = 0
        while stopping.process.poll() is None:
            body = json.dumps({"flow": "eligibility", "name": f"ada-{begun}"}).encode()
            request = Request(
                f"http://127.0.0.1:{port}/api/conversations", body, headers={"content-type": "application/json"}
            )
            with urlopen(request, timeout=30) as answer:
                assert answer.status == 201
            begun += 1
            time.sleep(0.02)
        assert (stopping.stop(), begun > 0) == (0, True)
        assert answers(port)
