"""The ledger of a form: what is asked, refused, given, left and passed over, and what each answer would do."""

from __future__ import annotations

from typing import Any

import turnwise as tw
from support.served import in_loop, served

FLOW = """
flow: car_damage
version: 1
start: claim
records:
  claim:
    policy: {type: string, title: Policy, pattern: "[A-Z]{2}-[0-9]{6}", about: "number of the policy: see the letter"}
    day: {type: date, title: When, max: today, format: "date: full"}
    injured: {type: boolean, title: Anybody injured}
    amount: {type: number, title: Damage, min: 0, format: "currency: EUR"}
    invoice: {type: string, title: Invoice}
    pin: {type: string, title: PIN, secret: true}
    urgent: {type: boolean, title: Urgent, default: false}
nodes:
  claim:
    form:
      fields:
        - {field: claim.policy, ask: "What is the number of your policy? It stands on the letter."}
        - {field: claim.day, ask: "When did it happen?"}
        - {field: claim.amount, ask: "How much is the damage?"}
        - {field: claim.invoice, ask: "What is the number of the invoice?", ask_when: claim.amount >= 2000}
        - {field: claim.injured, ask: "Was anybody injured?"}
        - {field: claim.urgent, ask: "Is it urgent?", asked: false, required: false}
      confirm: {buttons: {yes: That is right}}
    transitions:
      - {id: small, at: after, when: claim.amount < 2000, because: the damage is small, to: open}
  open: {say: Your claim is opened., end: opened}
"""
WITHOUT_SECRET = FLOW.replace("    pin: {type: string, title: PIN, secret: true}\n", "")


async def ledger_after(client: Any, *said: str, language: str = "en") -> dict[str, Any]:
    """Begin a conversation, say some things, and return the ledger."""
    await client.post("/api/conversations", json={"flow": "car_damage", "name": "one"})
    for text in said:
        answer = await client.post("/api/conversations/one/turns", json={"text": text})
        assert answer.status_code == 200, answer.text
    found = await client.get("/api/conversations/one/ledger", headers={"accept-language": language})
    assert found.status_code == 200, found.text
    return found.json()["ledger"]


def row(ledger: dict[str, Any], field: str, state: str) -> dict[str, Any]:
    """Return the one row of a field with a state."""
    (found,) = [one for one in ledger["rows"] if (one["field"], one["state"]) == (field, state)]
    return found


@in_loop
async def test_each_question_stands_in_the_ledger_with_its_reason() -> None:
    async with served(tw.open(tw.loads(WITHOUT_SECRET))) as client:
        ledger = await ledger_after(client, "AB-123456", "31 december 2999", "yesterday", "it was about 1279")
        assert (ledger["answered"], ledger["count"], ledger["asked_since"]) == (3, 4, 5)
        refused = row(ledger, "claim.day", "refused")
        assert (refused["words"], refused["turn"]) == ("31 december 2999", 3)
        assert refused["note"].startswith("That is later than")
        amount = row(ledger, "claim.amount", "given")
        assert (amount["answer"], amount["words"], amount["turn"]) == ("€1,279.00", "1279", 5)
        messages = (await client.get("/api/conversations/one/transcript")).json()["messages"]
        text = next(one["text"] for one in messages if one["seq"] == amount["seq"])
        assert text[amount["start"] : amount["end"]] == "1279"
        invoice = row(ledger, "claim.invoice", "passed_over")
        assert invoice["note"] == "Only with Damage ≥ €2,000.00 (is €1,279.00)"
        assert not invoice["counts"]
        assert row(ledger, "claim.injured", "asked")["counts"]
        urgent = row(ledger, "claim.urgent", "left")
        assert (urgent["note"], urgent["counts"]) == ("Not asked, only taken when it is said", False)


@in_loop
async def test_what_an_answer_would_do_is_what_it_does() -> None:
    async with served(tw.open(tw.loads(WITHOUT_SECRET))) as client:
        ledger = await ledger_after(client, "AB-123456", "yesterday", "1279")
        assert [(one["label"], one["text"]) for one in ledger["outlooks"]] == [
            ("Yes", "then the summary"),
            ("No", "then the summary"),
        ]
        await client.post("/api/conversations/one/turns", json={"button": "no"})
        ledger = (await client.get("/api/conversations/one/ledger")).json()["ledger"]
        yes = next(one for one in ledger["outlooks"] if one["value"] == "confirm")
        steps = [(one["kind"], one["title"], one["detail"]) for one in yes["steps"]]
        assert steps == [("moves", "Open", "the damage is small"), ("ends", "opened", "")]
        done = (await client.post("/api/conversations/one/turns", json={"button": "confirm"})).json()
        assert done["node"] == "open"
        assert (await client.get("/api/conversations/one/ledger")).json()["ledger"] is None


@in_loop
async def test_notes_are_in_the_language_of_the_page() -> None:
    async with served(tw.open(tw.loads(WITHOUT_SECRET))) as client:
        ledger = await ledger_after(client, "AB-123456", "yesterday", "1279", language="de-AT,en;q=0.4")
        assert row(ledger, "claim.invoice", "passed_over")["note"] == "Nur bei Damage ≥ €2,000.00 (ist €1,279.00)"
        assert ledger["outlooks"][0]["text"] == "dann die Zusammenfassung"


@in_loop
async def test_a_refused_answer_that_was_undone_is_gone() -> None:
    async with served(tw.open(tw.loads(WITHOUT_SECRET))) as client:
        ledger = await ledger_after(client, "AB-123456", "31 december 2999")
        assert row(ledger, "claim.day", "refused")
        await client.post("/api/conversations/one/turns", json={"undo": {}})
        ledger = (await client.get("/api/conversations/one/ledger")).json()["ledger"]
        assert [one["state"] for one in ledger["rows"] if one["field"] == "claim.day"] == ["asked"]


@in_loop
async def test_the_summary_and_the_headline_have_the_titles_of_fields() -> None:
    async with served(tw.open(tw.loads(WITHOUT_SECRET))) as client:
        await ledger_after(client, "AB-123456", "yesterday", "1279", "no")
        messages = (await client.get("/api/conversations/one/transcript")).json()["messages"]
        summary = next(one for one in messages if one["kind"] == "summary")
        assert "**Damage**\n→ €1,279.00" in summary["text"]
        assert "It stands on the letter" not in summary["text"]
        items = {one["field"]: one for one in summary["form"]["items"]}
        assert items["claim.policy"]["label"] == "Policy"
        assert items["claim.policy"]["title"].startswith("What is the number")
        assert not items["claim.urgent"]["counts"]


@in_loop
async def test_secret_answers_are_hidden_and_their_flow_tries_nothing_for_others_than_admins() -> None:
    text = FLOW.replace("- {field: claim.day,", "- {field: claim.pin, ask: Your PIN?}\n        - {field: claim.day,")
    async with served(tw.open(tw.loads(text))) as client:
        ledger = await ledger_after(client, "AB-123456", "4711-secret", "yesterday", "1279")
        assert "4711-secret" not in str(ledger)
        assert row(ledger, "claim.pin", "given")["answer"] == "[secret]"


def test_a_format_of_a_field_is_checked_where_it_stands() -> None:
    wrong = WITHOUT_SECRET.replace('format: "currency: EUR"', 'format: "currency: EURO"')
    (found,) = [one for one in tw.check(tw.loads(wrong)) if one.code == "TW038"]
    assert "EURO" in found.message
    assert [
        one.code for one in tw.check(tw.loads(WITHOUT_SECRET.replace('format: "date: full"', 'format: "percent"')))
    ] == ["TW038"]


@in_loop
async def test_texts_write_a_field_in_its_own_format() -> None:
    said = "say: '{{ claim.amount }} or {{ claim.amount | number }}.'"
    chat = tw.open(tw.loads(WITHOUT_SECRET.replace("say: Your claim is opened.", said))).chat("one")
    for text in ("start", "AB-123456", "yesterday", "1279", "no"):
        await chat.say(text)
    assert "€1,279.00 or 1,279." in (await chat.choose("confirm")).text


@in_loop
async def test_an_item_that_was_left_out_stands_in_the_ledger_with_the_reason() -> None:
    async with served(tw.open("examples/pizza/pizza.flow.yaml")) as client:
        await client.post("/api/conversations", json={"flow": "pizza", "name": "one"})
        for text in ("a large salami", "and a small funghi, how much is that?", "a small funghi"):
            await client.post("/api/conversations/one/turns", json={"text": text})
        ledger = (await client.get("/api/conversations/one/ledger")).json()["ledger"]
        refused = row(ledger, "order.pizzas", "refused")
        assert (refused["words"], refused["turn"], refused["start"], refused["end"]) == ("small funghi", 3, 6, 18)
        assert refused["note"] == "The message also asks something, which may be about it"
