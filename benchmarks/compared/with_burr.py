"""The refund desk in Burr: one action that reads answers, ordered transitions with conditions, SQLite for the state.

Run it with a folder: `python with_burr.py FOLDER [kill]`. `kill` ends the process after the payment, within the action.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from burr.core import Application, ApplicationBuilder, State, action, default, expr, when
from burr.core.persistence import SQLitePersister

FOLDER = Path(sys.argv[1])
KILLS = "kill" in sys.argv
QUESTIONS = {
    "order": "Which order?",
    "reason": "What is wrong? Damaged or Late?",
    "photo": "Do you have a photo?",
    "amount": "How much do you want back?",
    "iban": "To which account?",
}
REASONS = {"damaged": "Damaged", "broken": "Damaged", "late": "Late"}


def following(state: State) -> str:
    """Return the field of the next question: empty where all are answered."""
    skipped = () if state.get("reason") == "Damaged" else ("photo",)
    return next((name for name in QUESTIONS if name not in skipped and state.get(name) is None), "")


@action(reads=list(QUESTIONS), writes=[*QUESTIONS, "asked", "reply"])
def ask(state: State, answer: str = "") -> State:
    """Store an answer if it is one, and ask the next question."""
    asked, refusal = state.get("asked", ""), ""
    if asked == "order" and not re.fullmatch(r"[A-Z]-\d+", answer):
        refusal = "An order is a letter and a number, such as A-17. "
    elif asked == "reason" and answer.lower() not in REASONS:
        refusal = "I did not understand that. "
    elif asked == "amount" and not answer.isdecimal():
        refusal = "That is no number. "
    elif asked:
        values = {"reason": REASONS.get(answer.lower()), "amount": int(answer) if asked == "amount" else None}
        state = state.update(**{asked: values.get(asked) or answer})
    name = following(state)
    return state.update(asked=name, reply=refusal + QUESTIONS.get(name, f"Pay {state.get('amount')} to {state.get('iban')}?"))


@action(reads=["amount", "iban"], writes=["reply"])
def pay(state: State, answer: str) -> State:
    """Pay if the user approves. A payment is a line in a file."""
    if answer != "yes":
        return state.update(reply="We did not pay anything.")
    with (FOLDER / "payments.txt").open("a", encoding="utf-8") as file:
        file.write(f"{state['amount']} to {state['iban']}\n")
    if KILLS:
        os._exit(9)
    return state.update(reply=f"{state['amount']} is on its way.")


@action(reads=[], writes=["reply"])
def desk(state: State, answer: str = "") -> State:
    """Wait for a person: who takes it over, and how they speak with the user, is the program's work."""
    return state.update(reply="A colleague will write to you.")


TRANSITIONS = [
    ("ask", "ask", ~when(asked="")),
    ("ask", "desk", expr("amount > 500")),
    ("ask", "pay", default),
]


def application(persister: SQLitePersister) -> Application:
    """Return the state machine, at the action that follows what is stored."""
    return (
        ApplicationBuilder()
        .with_actions(ask, pay, desk)
        .with_transitions(*TRANSITIONS)
        .with_identifiers(app_id="42")
        .initialize_from(
            persister, resume_at_next_action=True, default_state=dict.fromkeys([*QUESTIONS], None) | {"asked": ""},
            default_entrypoint="ask",
        )
        .with_state_persister(persister)
        .build()
    )


def main() -> None:
    """Play the conversation, or go on with the one that was killed."""
    persister = SQLitePersister(db_path=str(FOLDER / "refund.db"), table_name="refund")
    persister.initialize()
    app = application(persister)
    following_action = app.get_next_action()
    if following_action is not None and following_action.name == "pay":
        print("killed before the end of: pay")
        app.step(inputs={"answer": "yes"})  # the program must know what the user had answered
    else:
        for message in ("", "A17", "A-17", "broken", "yes", "40", "DE89", "yes"):
            app.step(inputs={"answer": message})
            print(app.state["reply"])
    print("payments:", (FOLDER / "payments.txt").read_text("utf-8").splitlines())


if __name__ == "__main__":
    main()
