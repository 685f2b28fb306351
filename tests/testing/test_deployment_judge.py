"""The verdict of `turnwise soak`: each breach is found, and nothing else."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from support.shell import run
from turnwise.testing.deployment.judge import Entry, delivery_faults, journal_faults, stream_faults
from turnwise.testing.deployment.ledger import Acknowledged, Ledger
from turnwise.testing.deployment.receiver import Received


def journal(*turns: tuple[str, str]) -> list[Entry]:
    """A journal with a turn for each message and its reply."""
    entries = [Entry(1, 1, "started"), Entry(2, 1, "said", "Message 0.")]
    for turn, (message, reply) in enumerate(turns, 2):
        entries += [Entry(len(entries) + 1, turn, "user_said", message), Entry(len(entries) + 2, turn, "said", reply)]
    return entries


def acknowledged(number: int, turn: int, text: str, client: int = 0) -> Acknowledged:
    return Acknowledged(client, number, "a", f"{client}-{number}", f"m{number}", turn, text)


GOOD = journal(("m0", "Message 1."), ("m1", "Message 2."))
BOTH = [acknowledged(0, 2, "Message 1."), acknowledged(1, 3, "Message 2.")]
FAULTS: list[tuple[str, list[Entry], list[Acknowledged], list[str]]] = [
    ("nothing", GOOD, BOTH, []),
    (
        "a message was lost",
        journal(("m0", "Message 1.")),
        BOTH,
        ["0-1 was acknowledged as turn 3, which has None", "2 messages were acknowledged, and 1 are there"],
    ),
    (
        "a message is there twice",
        journal(("m0", "Message 1."), ("m1", "Message 2."), ("m1", "Message 3.")),
        BOTH,
        ["2 messages were acknowledged, and 3 are there"],
    ),
    (
        "an answer is another one",
        GOOD,
        [BOTH[0], acknowledged(1, 3, "Message 3.")],
        ["0-1 was answered 'Message 3.', and its turn 3 has ['Message 2.']"],
    ),
    (
        "the order of a client is turned round",
        journal(("m1", "Message 1."), ("m0", "Message 2.")),
        [acknowledged(0, 3, "Message 2."), acknowledged(1, 2, "Message 1.")],
        ["0-0 is turn 3, and 0-1, which was sent later, is turn 2"],
    ),
    (
        "a state was lost",
        journal(("m0", "Message 1."), ("m1", "Message 1.")),
        [BOTH[0], acknowledged(1, 3, "Message 1.")],
        ["message 2 is counted as 1"],
    ),
    ("a position is missing", [*GOOD[:3], *GOOD[4:]], BOTH[1:], ["positions have gaps, or come twice"]),
]


@pytest.mark.parametrize(("entries", "known", "expected"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_each_fault_of_a_journal_is_found(entries: list[Entry], known: list[Acknowledged], expected: list[str]) -> None:
    found = list(journal_faults(entries, known, may_have_more=False, counts=True))
    assert found[: len(expected)] == expected
    assert bool(found) == bool(expected)


def test_messages_of_two_clients_may_stand_in_any_order() -> None:
    mixed = [acknowledged(0, 3, "Message 2."), acknowledged(1, 2, "Message 1.", client=1)]
    assert not list(
        journal_faults(journal(("m1", "Message 1."), ("m0", "Message 2.")), mixed, may_have_more=False, counts=True)
    )


def test_a_message_without_answer_may_be_there() -> None:
    assert not list(journal_faults(GOOD, BOTH[:1], may_have_more=True, counts=True))
    assert list(journal_faults(GOOD, BOTH[:1], may_have_more=False, counts=True))


@pytest.mark.parametrize(
    ("seen", "last", "is_good"),
    [([1, 2, 3], 3, True), ([1, 2, 3, 4], 3, True), ([1, 2], 3, False), ([1, 3], 3, False), ([1, 2, 2, 3], 3, False), ([], 0, True)],
)  # fmt: skip
def test_a_stream_shows_each_position_once(seen: list[int], last: int, is_good: bool) -> None:
    assert (not list(stream_faults(seen, last))) == is_good


def came(*ids: str) -> list[Received]:
    return [Received("a", 1, one) for one in ids]


@pytest.mark.parametrize(
    ("queued", "received", "is_good"),
    [
        ([("x", "delivered"), ("y", "delivered")], came("x", "y"), True),
        ([("x", "delivered"), ("y", "delivered")], came("x", "y", "x"), True),
        ([("x", "delivered"), ("y", "delivered")], came("y", "x"), False),
        ([("x", "delivered")], came(), False),
        ([("x", "waiting")], came("x"), False),
        ([], came("of another"), True),
    ],
)
def test_a_delivery_comes_in_order(queued: Iterable[tuple[str, str]], received: list[Received], is_good: bool) -> None:
    assert (not list(delivery_faults(list(queued), received))) == is_good


def test_a_ledger_that_is_there_is_not_written(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger")
    ledger.add(BOTH[0])
    ledger.close()
    assert (tmp_path / "ledger").read_text() == '[0, 0, "a", "0-0", "m0", 2, "Message 1."]\n'
    with pytest.raises(FileExistsError):
        Ledger(tmp_path / "ledger")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "name the addresses of the replicas"),
        (("talks.example",), "is no address of a server"),
        (("http://127.0.0.1:1/api",), "is no address of a server"),
        (("http://127.0.0.1:1", "--key-env", "NO_SUCH_KEY"), "the environment variable NO_SUCH_KEY"),
        (("http://127.0.0.1:1", "--receive", "nowhere"), "is no place to listen at"),
        (("http://127.0.0.1:1", "--patience", "1"), "no conversation can be begun"),
    ],
)
def test_bad_input_is_refused_with_one_line(arguments: tuple[str, ...], says: str, tmp_path: Path) -> None:
    done = run("soak", *arguments, at=tmp_path)
    assert done.code == 2
    assert says in done.err
    assert len(done.err.splitlines()) == 1


class _Dying(BaseHTTPRequestHandler):
    """A deployment that begins conversations and answers some messages, and then nothing any more."""

    answers = 3

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        sent = json.loads(self.rfile.read(length))
        if self.path == "/api/conversations":
            return self._answer(200, {"conversation": {"id": sent["name"]}})
        self.__class__.answers -= 1
        return self._answer(200 if self.answers >= 0 else 503, {"number": 3 - self.answers, "text": "?", "code": "x"})

    def do_GET(self) -> None:
        self._answer(503, {"code": "store_unavailable"})

    def _answer(self, status: int, data: object) -> None:
        body = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_a_deployment_that_stops_answering_is_a_fault_and_not_wrong_usage(tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Dying) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        plan = ("--clients", "1", "--conversations", "2", "--messages", "50", "--patience", "1", "--seed", "4")
        done = run("soak", address, *plan, "--json", at=tmp_path)
        server.shutdown()
    assert (done.code, done.err) == (1, "")
    verdict = json.loads(done.out)
    sent = verdict["messages"]
    assert 0 < sent <= 3
    stopped, uncompared = verdict["faults"]
    assert stopped.startswith(f"client 0 stops after {sent} of 50 messages: POST /api/conversations/")
    assert stopped.endswith("no answer within 1 s, at last 503 x")
    assert uncompared.startswith("what the deployment holds was not compared: POST ")


def test_the_flow_is_printed_for_the_deployment(tmp_path: Path) -> None:
    (tmp_path / "soak.flow.yaml").write_text(run("soak", "--print-flow").out)
    assert run("check", tmp_path / "soak.flow.yaml").code == 0
