"""Questions of why over HTTP: the same answers as in Python, and only about what the caller may see."""

from __future__ import annotations

import json
from typing import Any

import pytest

import turnwise as tw
from support.served import ELIGIBILITY, ROOT, in_loop, served


async def app_with_talks() -> tw.App:
    app = tw.open(ELIGIBILITY, clock=tw.ManualClock(1_700_000_000_000))
    for name, texts in {"ann:a": ("Yes", "Yes", "Referral"), "bob:b": ("Yes", "No"), "ann:c": ("Yes", "No")}.items():
        for text in texts:
            await app.chat(name).say(text)
    return app


@in_loop
async def test_an_answer_is_the_one_of_python() -> None:
    app = await app_with_talks()
    async with served(app, keys=True) as client:
        owner = client.as_("ann", "chat", "debug:read")
        for subject in ("end", "case.purpose", "expert", "2", "", "why was it billing or referral?"):
            found = await client.get("/api/conversations/ann:a/why", params={"subject": subject}, headers=owner)
            assert found.status_code == 200, found.text
            assert found.json() == json.loads(json.dumps((await app.chat("ann:a").why(subject)).to_dict()))
        compared = await client.get("/api/conversations/ann:a/why?against=ann:c", headers=owner)
        assert compared.json()["line"] == "ann:a went to expert by expert in turn 3, and ann:c made no move"
        named = (await client.get("/api/conversations/ann:a/why?against=ann:c&titles=true", headers=owner)).json()
        assert (
            named["line"]
            == "a went to Expert by the rule “a referral with earlier inconsistencies is not for a machine” in turn 3, and c made no move"
        )
        assert [one["conversation"] for one in named["facts"][0]["values"]["sides"]] == ["ann:a", "ann:c"]
        assert named["facts"][1]["values"]["decides"].startswith(
            "with all these values together, the decision of c would"
        )
        ways = await client.get("/api/conversations/ann:c/why?to=expert", headers=owner)
        assert ways.json()["facts"][0]["values"]["count"] == 1


@in_loop
async def test_what_is_not_clear_offers_subjects_that_can_be_asked_for() -> None:
    async with served(await app_with_talks(), keys=True) as client:
        owner = client.as_("ann", "chat", "debug:read")
        address, asked = "/api/conversations/ann:a/why", {"subject": "did anything strange happen here?"}
        offered = (await client.get(address, params=asked, headers=owner)).json()["candidates"]
        assert 1 < len(offered) <= 6
        for one in offered:
            assert one["because"]
            found = await client.get(address, params={"subject": one["subject"]}, headers=owner)
            assert found.json()["read_as"].startswith(f"why {one['subject']}")


WRONG: list[tuple[str, int, str, str]] = [
    ("subject=case.purpse", 422, "invalid", "did you mean 'case.purpose'"),
    ("subject=x&to=expert", 422, "invalid", "two questions"),
    ("to=exprt", 422, "invalid", "did you mean 'expert'"),
    ("subject=did anything strange happen here?", 422, "no_clear_subject", "it may be '"),
    ("turn=99", 404, "unknown_turn", "no turn 99"),
    ("against=bob:b", 404, "unknown_conversation", "bob:b"),
    ("against=nobody", 404, "unknown_conversation", "nobody"),
]


@pytest.mark.parametrize(("query", "status", "code", "text"), WRONG)
def test_a_wrong_question_has_its_problem(query: str, status: int, code: str, text: str) -> None:
    @in_loop
    async def check() -> None:
        async with served(await app_with_talks(), keys=True) as client:
            found: Any = await client.get(
                f"/api/conversations/ann:a/why?{query}", headers=client.as_("ann", "chat", "debug:read")
            )
            assert (found.status_code, found.json()["code"]) == (status, code)
            assert text in found.json()["detail"]

    check()


@in_loop
async def test_answers_need_the_right_to_debug() -> None:
    async with served(await app_with_talks(), keys=True) as client:
        found = await client.get("/api/conversations/ann:a/why", headers=client.as_("ann", "chat"))
        assert found.status_code == 403


@in_loop
async def test_who_edited_a_value_is_named() -> None:
    async with served(tw.open(ROOT / "examples/health_intake/health_intake.flow.yaml"), keys=True) as client:
        root = client.as_("root", "admin")
        await client.post("/api/conversations", json={"flow": "health_intake", "name": "x"}, headers=client.as_("ada"))
        path = "/api/conversations/ada:x"
        edit = await client.patch(f"{path}/records", json={"set": {"user.age": 51}}, headers=root)
        assert edit.status_code == 200, edit.text
        facts = (await client.get(f"{path}/why?subject=user.age", headers=root)).json()["facts"]
        assert facts[0]["text"] == "user.age was set to 51, by a command of root"
        assert facts[0]["causes"][0]["text"] == "root sent commands: set user.age = 51"
        commands = {"commands": [{"type": "set", "field": "user.age", "value": 52}]}
        await client.post(f"{path}/turns", json=commands, headers=client.as_("eve", "admin"))
        again = (await client.get(f"{path}/why?subject=user.age", headers=root)).json()["facts"]
        assert again[0]["causes"][0]["text"] == "eve sent commands: set user.age = 52"
