"""The refund desk in turnwise: refund.flow.yaml, with the function that pays.

Run it with a folder: `python with_turnwise.py FOLDER [kill]`. `kill` ends the process after the payment, within the turn.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import turnwise as tw

FOLDER = Path(sys.argv[1])
KILLS = "kill" in sys.argv
FLOW = Path(__file__).with_name("refund.flow.yaml")


def payments() -> list[str]:
    """Return the payments that were made: each a line with its key."""
    file = FOLDER / "payments.txt"
    return file.read_text("utf-8").splitlines() if file.exists() else []


def was_paid(call: tw.ToolCall) -> str:
    """Return the payment with the key of a call."""
    if paid := [line for line in payments() if line.endswith(call.key)]:
        return paid[0]
    raise tw.NotDone


@tw.tool(kind="effect", confirm=True, on_crash="check", check=was_paid)
def pay_out(iban: str, amount: float, call: tw.ToolCall) -> str:
    """Pay money out. A payment is a line in a file."""
    line = f"{amount:g} to {iban}, {call.key}"
    with (FOLDER / "payments.txt").open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    if KILLS:
        os._exit(9)
    return line


def main() -> None:
    """Play the conversation, or go on with the one that was killed."""
    with tw.open_sync(FLOW, tools=[pay_out], store=f"sqlite:///{FOLDER / 'refund.db'}") as app:
        chat = app.chat("42")
        if payments():
            print("killed; after the restart:", chat.turn().text)
        else:
            print(chat.start().text)
            for message in ("A17", "A-17", "broken", "yes", "40", "DE89", "yes"):
                print(chat.say(message).text)
        fact = chat.why("transition dear", turn=7).facts[0]
        print(fact.text, *(f"  ← {cause.text}" for cause in fact.causes), sep="\n")
    print("payments:", [line.partition(",")[0] for line in payments()])


if __name__ == "__main__":
    main()
