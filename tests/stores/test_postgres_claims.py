"""Which turns write a row of a claim: those that need more than one commit."""

from __future__ import annotations

import asyncio

import turnwise as tw
from support.postgres import server
from turnwise.stores.postgres import PostgresStore
from turnwise.stores.postgres.address import read_address
from turnwise.stores.postgres.connect import Connection, connect

FLOW = """
flow: paying
start: a
records: {bill: {receipt: string}}
tools: {pay: {about: pay, kind: effect}}
nodes:
  a:
    say: Shall I pay?
    transitions: [{id: yes, at: before, when: "message.text == 'yes'", to: b}, {id: again, at: before, to: a}]
  b: {tool: {name: pay, into: bill.receipt}, transitions: [{to: c}]}
  c: {say: Paid., end: done}
"""
NOTES = """
CREATE TABLE noted (what text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO noted VALUES (lower(TG_OP)); RETURN NULL; END $$;
CREATE TRIGGER notes AFTER INSERT OR UPDATE OR DELETE ON claim FOR EACH ROW EXECUTE FUNCTION note();
"""


@tw.tool(kind="effect")
async def pay() -> str:
    await asyncio.sleep(0.05)
    return "receipt 7"


def noted(db: Connection) -> list[str]:
    """What was done to rows of claims since the last question."""
    return [what for (what,) in db.execute("WITH gone AS (DELETE FROM noted RETURNING what) SELECT * FROM gone")]


def test_a_turn_that_fits_in_one_commit_writes_no_claim() -> None:
    address = server().fresh()

    async def play(db: Connection) -> None:
        async with tw.open(tw.loads(FLOW), store=PostgresStore(address), tools=[pay]) as app:
            chat = app.chat("a")
            for text in ("", "later", "what?"):
                await (chat.say(text) if text else chat.start())
                assert noted(db) == [], f"{text!r} needs one commit"
            turn = await chat.say("yes")
            assert turn.outcome == "done"
            assert noted(db) == ["insert", "delete"], "the call of the tool is announced before it is made"

    with connect(read_address(address)) as db:
        db.execute(NOTES)
        asyncio.run(play(db))


def test_turns_of_many_conversations_at_once_write_no_claims() -> None:
    address = server().fresh()

    async def play(db: Connection) -> None:
        async with tw.open(tw.loads(FLOW), store=PostgresStore(address), tools=[pay]) as app:
            await asyncio.gather(*[app.chat(f"c{n}").start() for n in range(50)])
            await asyncio.gather(*[app.chat(f"c{n}").say("later") for n in range(50)])
            assert noted(db) == []

    with connect(read_address(address)) as db:
        db.execute(NOTES)
        asyncio.run(play(db))
