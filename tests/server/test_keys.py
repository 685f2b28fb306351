"""Keys: shown once, stored hashed, ended at once; and the commands `serve` and `keys`."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from support.served import ELIGIBILITY, in_loop, served
from support.shell import Ran, run
from turnwise.cli import serve as command
from turnwise.errors import TurnwiseError, WrongUsage
from turnwise.server.access import Identity, KeyFile

ROOT = Path(__file__).parents[2]


def asked(key: str) -> dict[str, list[tuple[bytes, bytes]]]:
    return {"headers": [(b"authorization", f"Bearer {key}".encode())]}


def turnwise(*arguments: str, **more: str) -> Ran:
    return run(*arguments, COLUMNS="200", **more)


@pytest.mark.parametrize(
    ("owner", "user", "mode", "is_read"),
    [
        (0, 10001, 0o440, True),  # a secret that Kubernetes mounts, with fsGroup
        (0, 10001, 0o640, True),
        (0, 10001, 0o444, False),
        (0, 10001, 0o460, False),
        (10001, 10001, 0o640, False),
        (10001, 10001, 0o400, True),
        (0, 0, 0o640, False),
    ],
)
def test_the_group_may_read_a_file_of_root_only(
    owner: int, user: int, mode: int, is_read: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "keys.json"
    key = KeyFile(path).add("ada", ["chat"], 0)
    found = path.stat()
    as_mounted = os.stat_result((stat.S_IFREG | mode, *found[1:4], owner, *found[5:]))
    monkeypatch.setattr(Path, "stat", lambda _: as_mounted)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    if is_read:
        assert KeyFile(path).identify(asked(key)) is not None
    else:
        with pytest.raises(TurnwiseError, match="chmod 600"):
            KeyFile(path).keys()


def test_a_key_is_shown_once_and_only_its_hash_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    file = KeyFile(path)
    key = file.add("ada", ["debug:read", "chat"], 1_700_000_000_000, "laptop")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    secret = key.split("_", 2)[2]
    assert secret not in path.read_text()
    assert KeyFile(path).identify(asked(key)) == Identity("ada", frozenset({"chat", "debug:read"}))
    (stored,) = file.keys()
    assert (stored.owner, stored.scopes, stored.note) == ("ada", ("chat", "debug:read"), "laptop")


@pytest.mark.parametrize("wrong", ["", "x", "tw_", "tw_1_", "{id}", "tw_{id}_", "tw_{id}_wrong", "{key}x", "{key} x"])
def test_whatever_is_no_key_opens_nothing(wrong: str, tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    key = file.add("ada", ["admin"], 0)
    assert file.identify(asked(wrong.format(id=file.keys()[0].id, key=key))) is None
    header = (b"authorization", f"Bearer {key}".encode())
    assert file.identify({"headers": [header, header]}) is None
    assert file.identify({"headers": [(b"authorization", f"Basic {key}".encode())]}) is None
    assert file.identify({"headers": [(b"authorization", b"Bearer \xff\xfe")]}) is None


def test_a_removed_key_ends_at_once_in_a_running_server(tmp_path: Path) -> None:
    running = KeyFile(tmp_path / "keys.json")
    key = running.add("ada", ["chat"], 0)
    assert running.identify(asked(key)) is not None
    other = KeyFile(tmp_path / "keys.json")
    assert other.remove(other.keys()[0].id)
    assert running.identify(asked(key)) is None
    assert not other.remove("none")


def test_a_file_of_keys_that_others_can_read_or_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    KeyFile(path).add("ada", ["chat"], 0)
    path.chmod(0o644)
    with pytest.raises(TurnwiseError, match="others can read this file of keys; protect it with chmod 600"):
        KeyFile(path).keys()
    for content, said in (("{", "is no file of keys"), ('{"keys": [], "format": 9}', "has format 9")):
        path.write_text(content)
        path.chmod(0o600)
        with pytest.raises(TurnwiseError, match=said):
            KeyFile(path).keys()
    with pytest.raises(
        TurnwiseError,
        match=r"none.json: there is no such file of keys; make a key with 'turnwise keys add --keys .*none.json OWNER'",
    ):
        KeyFile(tmp_path / "none.json").keys()


@pytest.mark.parametrize(
    ("owner", "scope", "said"),
    [
        ("a:b", "chat", "owner must be"),
        ("", "chat", "owner must be"),
        ("ada", "debug", "did you mean 'debug:read'"),
    ],
)
def test_an_owner_or_a_scope_that_cannot_be_is_refused(owner: str, scope: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(TurnwiseError, match=said):
        KeyFile(tmp_path / "keys.json").add(owner, [scope], 0)
    assert not list(tmp_path.iterdir())


def test_the_commands_add_list_and_remove(tmp_path: Path) -> None:
    file = str(tmp_path / "keys.json")
    added = turnwise("keys", "add", "ada", "--keys", file, "--scope", "chat,debug:read", "--note", "her laptop")
    assert added.code == 0, added.err
    key = added.out.strip()
    assert re.fullmatch(r"tw_[0-9a-f]{8}_[\w-]{43}", key)
    assert "only now" in added.err
    listed = json.loads(turnwise("keys", "list", "--keys", file, "--json").out)
    assert listed == [{"id": key.split("_")[1], "owner": "ada", "scopes": ["chat", "debug:read"], "note": "her laptop"}]
    assert "her laptop" in turnwise("keys", "list", TURNWISE_KEYS=file).out
    assert turnwise("keys", "remove", listed[0]["id"], "--keys", file).code == 0
    again = turnwise("keys", "remove", listed[0]["id"], "--keys", file)
    assert (again.code, "there is no key" in again.err) == (1, True)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])
def test_serve_without_keys_refuses_what_others_can_reach(host: str) -> None:
    done = turnwise("serve", str(ELIGIBILITY), "--host", host, "--port", "0")
    assert (done.code, "keys are needed" in done.err) == (2, True), done.err


def test_serve_refuses_what_is_not_there(tmp_path: Path) -> None:
    keys = tmp_path / "keys.json"
    flow = str(ELIGIBILITY)
    for options, said in (
        (["--limit", "body=3"], "there is no limit 'body'; there are body_bytes, "),
        (["--limit", "body_bytes=x"], "takes a number"),
        (["--limit", "body_bytes=-1"], "cannot be negative"),
        (["--allow-origin", "shop.example"], "such as https://shop.example, without a path"),
        (["--allow-origin", "https://shop.example/"], "without a path"),
        (["--allow-origin", "*"], "takes an origin in"),
        (["--allow-origin", "https://Shop.example"], "in small letters"),
        (["--allow-host", "http://x"], "without scheme and port"),
        (["--allow-host", "x:80"], "without scheme and port"),
        (["--visitors", "eligible"], "no flow is called 'eligible'"),
        (["--keys", str(keys)], "make a key with 'turnwise keys add --keys"),
        ([flow], "two of the flows are called"),
        (["--store", "redis://"], "no store is known"),
    ):
        done = turnwise("serve", flow, "--port", "0", *options)
        assert done.code in (1, 2), options
        assert said in done.err, done.err


def test_serve_warns_of_a_field_that_shows_a_secret(tmp_path: Path) -> None:
    flow = tmp_path / "pins.flow.yaml"
    flow.write_text(
        "flow: pins\nstart: a\nrecords: {u: {pin: {type: string, secret: true}, note: string}}\n"
        "nodes: {a: {say: Hi., set: {u.note: u.pin}, end: done}}\n",
        "utf-8",
    )
    done = turnwise("serve", str(flow), "--port", "0", "--visitors", "none")
    assert "TW047 warning: 'note' would hold a secret" in done.err


def test_serve_serves_with_keys_and_says_where(tmp_path: Path) -> None:
    keys = tmp_path / "keys.json"
    key = KeyFile(keys).add("ada", ["chat"], 0)
    options = ["--keys", str(keys), "--port", "0", "--host", "0.0.0.0", "--store", f"sqlite:///{tmp_path}/t.db"]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    arguments = [sys.executable, "-m", "turnwise", "serve", str(ELIGIBILITY), *options]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        port = re.search(r":(\d+)/$", first.strip())
        assert port, first
        place = f"http://127.0.0.1:{port[1]}/api/me"
        assert httpx.get(place, trust_env=False).status_code == 401
        allowed = httpx.get(place, headers={"authorization": f"Bearer {key}"}, trust_env=False)
        assert allowed.json()["owner"] == "ada"
        other = httpx.get(place, headers={"host": "evil.example"}, trust_env=False)
        assert other.status_code == 421
        probe = httpx.get(place.replace("/me", "/ready"), headers={"host": f"10.1.2.3:{port[1]}"}, trust_env=False)
        assert probe.status_code == 200, "a probe asks by the address of a pod"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.communicate()


def test_every_limit_can_be_set_by_its_name() -> None:
    options = command.ServeOptions("127.0.0.1", 0, None, limits=("body_bytes=7", "stalled_s=1.5"))
    found = command.limits_of(options)
    assert (found.body_bytes, found.stalled_s, found.requests_per_minute) == (7, 1.5, 0)
    with pytest.raises(WrongUsage):
        command.limits_of(command.ServeOptions("", 0, None, limits=("x=1",)))


@in_loop
async def test_a_key_in_the_address_is_refused() -> None:
    async with served(keys=True) as client:
        answer = await client.get("/api/conversations/x/events?key=tw_1_2", headers=client.as_("ada", "debug:read"))
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


@in_loop
async def test_each_answer_says_whether_the_key_is_missing_wrong_or_lacks_a_scope(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    headers = {"authorization": f"Bearer {file.add('ada', ['chat'], 0)}"}
    async with served(access=file) as client:
        nobody = await client.get("/api/me")
        assert (nobody.status_code, nobody.json()["code"]) == (401, "unauthenticated")
        wrong = await client.get("/api/me", headers={"authorization": "Bearer tw_12345678_wrong"})
        assert (wrong.status_code, wrong.json()["code"], wrong.json()["title"]) == (
            401,
            "invalid_key",
            "This key is not valid",
        )
        assert wrong.headers["www-authenticate"].startswith("Bearer")
        lacking = await client.get("/api/metrics", headers=headers)
        assert lacking.status_code == 403
        assert lacking.json()["detail"] == "this key lacks the scope 'metrics', which this request needs"
