"""Limits count network addresses: of the client itself, also behind proxies that the operator trusts."""

from __future__ import annotations

import asyncio

import httpx
import pytest

import turnwise as tw
from support.served import ELIGIBILITY, Listening, Names, in_loop, served
from turnwise.server.addresses import Proxies, counted_address
from turnwise.server.limits import ServerLimits
from turnwise.server.visitors import Visitors


def header(*values: str, name: str = "x-forwarded-for") -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode("latin-1", "replace")) for value in values]


@pytest.mark.parametrize(
    ("count", "values", "client"),
    [
        (1, ("203.0.113.7",), "203.0.113.7"),
        (1, ("10.9.9.9, 203.0.113.7",), "203.0.113.7"),  # the client wrote the first one itself
        (2, ("10.9.9.9, 203.0.113.7, 192.0.2.1",), "203.0.113.7"),
        (2, ("203.0.113.7", "192.0.2.1"), "203.0.113.7"),  # two headers are one list
        (2, ("203.0.113.7",), None),  # a request that did not pass both
        (1, ("203.0.113.7:4711",), "203.0.113.7"),
        (1, ("[2001:db8::1]:4711",), "2001:db8::1"),
        (1, ("2001:db8::1",), "2001:db8::1"),
        (1, ("unknown",), None),
        (1, ("",), None),
        (1, ("²",), None),
        (1, ("[",), None),
        (1, ("203.0.113.7, ",), None),
        (1, (), None),
    ],
)
def test_the_client_is_found_as_many_places_from_the_right_as_there_are_proxies(
    count: int, values: tuple[str, ...], client: str | None
) -> None:
    assert Proxies(count).client(header(*values)) == client


@pytest.mark.parametrize(
    ("value", "client"),
    [
        ("for=203.0.113.7;proto=https", "203.0.113.7"),
        ('proto=https; For="[2001:db8::1]:4711"', "2001:db8::1"),
        ("for=10.0.0.1, for=203.0.113.7", "203.0.113.7"),
        ("for=_hidden", None),
        ("by=203.0.113.7", None),
    ],
)
def test_the_standard_header_is_read_too(value: str, client: str | None) -> None:
    assert Proxies(1, "Forwarded").client(header(value, name="forwarded")) == client


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("/run/socket", "/run/socket"),
        ("", ""),
    ],
)
def test_a_client_has_all_addresses_of_its_ipv6_network(address: str, counted: str) -> None:
    assert counted_address({"client": (address, 1)}) == counted


def token(number: int) -> dict[str, str]:
    return {"authorization": f"Bearer twv_{number:043}"}


def public(**limits: int) -> dict[str, object]:
    return {
        "access": Visitors(Names(), ["eligibility"]),
        "limits": ServerLimits(requests_per_minute=0, **limits),
        "proxies": Proxies(1),
    }


@in_loop
async def test_tokens_of_one_address_share_its_streams_and_others_have_their_own() -> None:
    async with served(**public(connections=40)) as client:
        held = [Listening(client.server, "/api/stream", token(n) | from_("203.0.113.7")) for n in range(10)]
        for one in held:
            await one.until(bool)
        refused = await client.get("/api/stream", headers=token(99) | from_("203.0.113.7"))
        found = refused.json()
        assert (refused.status_code, found["code"], found["limit"]) == (429, "too_many_streams", "streams_per_address")
        other = Listening(client.server, "/api/stream", token(99) | from_("198.51.100.1"))
        await other.until(bool)
        keyed = Listening(client.server, "/api/stream", client.as_("ada") | from_("203.0.113.7"))
        await keyed.until(bool)
        for one in (*held, other, keyed):
            await one.leave()
        again = Listening(client.server, "/api/stream", token(99) | from_("203.0.113.7"))
        await again.until(bool)
        await again.leave()


def from_(address: str) -> dict[str, str]:
    return {"x-forwarded-for": f"10.1.2.3, {address}"}


@in_loop
async def test_an_address_has_a_bounded_number_of_visitors_in_ten_minutes() -> None:
    clock = tw.ManualClock(1_700_000_000_000)
    async with served(tw.open(ELIGIBILITY, clock=clock), clock=clock, **public(visitors_per_address=3)) as client:

        async def status(number: int, address: str) -> int:
            return (await client.get("/api/me", headers=token(number) | from_(address))).status_code

        assert [await status(number, "203.0.113.7") for number in range(5)] == [200, 200, 200, 429, 429]
        assert await status(0, "203.0.113.7") == 200
        assert await status(4, "198.51.100.1") == 200
        assert [await status(number, f"2001:db8::{number}") for number in range(4)] == [200, 200, 200, 429]
        clock.move_s(601)
        assert await status(4, "203.0.113.7") == 200


@in_loop
async def test_a_streamed_turn_counts_as_an_open_stream_while_it_runs() -> None:
    from server.test_turns import Slow, speaking

    model = Slow()
    limits = ServerLimits(open_streams=2, requests_per_minute=0)
    async with served(tw.open(speaking(), model=model), keys=True, limits=limits) as client:
        ada = client.as_("ada")
        flow = next(iter(client.server.service.apps))
        for name in "abc":
            for _ in range(3):  # the model speaks three words at the start
                model.go.release()
            await client.post("/api/conversations", json={"flow": flow, "name": name}, headers=ada)
        sent = {"content-type": "application/json", **ada}
        path = "/api/conversations/ada:{}/turns"
        held = [Listening(client.server, path.format(name), sent, b'{"text": "hello"}') for name in "ab"]
        async with asyncio.timeout(60):
            while sum(client.server.service.hub._open.values()) < 4:  # by owner, and by no address
                await asyncio.sleep(0.01)
        events = {"accept": "text/event-stream", **ada}
        refused = await client.post(path.format("c"), json={"text": "hello"}, headers=events)
        assert (refused.status_code, refused.json()["limit"]) == (429, "open_streams")
        assert (await client.get("/api/stream", headers=ada)).status_code == 429
        for _ in range(9):
            model.go.release()
        for one in held:
            await one.ended()
        assert not client.server.service.hub._open


@in_loop
async def test_turns_of_visitors_that_wait_count_as_open_streams() -> None:
    from server.test_turns import Slow, speaking

    model, flow = Slow(), speaking()
    found = public(connections=16)
    found["access"] = Visitors(Names(), [flow.name])
    async with served(tw.open(flow, model=model), **found) as client:
        for _ in range(3):  # the model speaks three words at the start
            model.go.release()
        sent = token(1) | from_("203.0.113.7")
        begun = await client.post("/api/conversations", json={"flow": flow.name, "name": "c"}, headers=sent)
        path = f"/api/conversations/{begun.json()['conversation']['id']}/turns"

        async def say(headers: dict[str, str]) -> httpx.Response:
            return await client.post(path, json={"text": "hello"}, headers=headers)

        async with asyncio.TaskGroup() as group:
            waiting = [group.create_task(say(sent)) for _ in range(4)]
            while sum(client.server.service.hub._open.values()) < 8:  # by owner, and by address
                await asyncio.sleep(0.01)
            refused = await say(sent)
            assert (refused.status_code, refused.json()["limit"]) == (429, "streams_per_address")
            elsewhere = await client.get("/api/me", headers=client.as_("ada"))
            assert elsewhere.status_code == 200
            for _ in range(12):
                model.go.release()
        assert [one.result().status_code for one in waiting] == [200] * 4
        assert not client.server.service.hub._open
