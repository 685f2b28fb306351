"""The refund desk in LangGraph: each question is an `interrupt`, the route an edge function, and SQLite keeps checkpoints.

Run it with a folder: `python with_langgraph.py FOLDER [kill]`. `kill` ends the process after the payment, within the turn.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

FOLDER = Path(sys.argv[1])
KILLS = "kill" in sys.argv


class Refund(TypedDict, total=False):
    """The state of the graph."""

    order: str
    reason: str
    photo: str
    amount: float
    iban: str


def ask_order(state: Refund) -> Refund:
    """Ask for the order until it looks like one: the node runs again from its top after each answer."""
    question = "Which order?"
    while not re.fullmatch(r"[A-Z]-\d+", answer := interrupt(question)):
        question = "An order is a letter and a number, such as A-17. Which order?"
    return {"order": answer}


def ask_reason(state: Refund) -> Refund:
    """Ask for one of the two reasons."""
    names = {"damaged": "Damaged", "broken": "Damaged", "late": "Late"}
    while (answer := interrupt("What is wrong? Damaged or Late?").lower()) not in names:
        pass
    return {"reason": names[answer]}


def ask_photo(state: Refund) -> Refund:
    """Ask for a photo."""
    return {"photo": interrupt("Do you have a photo?")}


def ask_amount(state: Refund) -> Refund:
    """Ask for the amount until it is a number."""
    while True:
        try:
            return {"amount": float(interrupt("How much do you want back?"))}
        except ValueError:
            continue


def ask_iban(state: Refund) -> Refund:
    """Ask for the account."""
    return {"iban": interrupt("To which account?")}


def pay(state: Refund) -> Command[str]:
    """Ask for approval, then pay. A payment is a line in a file."""
    if interrupt(f"Pay {state['amount']:g} to {state['iban']}?") != "yes":
        return Command(goto="sorry")
    with (FOLDER / "payments.txt").open("a", encoding="utf-8") as file:
        file.write(f"{state['amount']:g} to {state['iban']}\n")
    if KILLS:
        os._exit(9)
    return Command(goto="paid")


def desk(state: Refund) -> Command[str]:
    """Wait for a person: who takes it over, and how they speak with the user, is the program's work."""
    return Command(goto="pay" if interrupt({"queue": "refunds", **state}) == "agreed" else "sorry")


def after_reason(state: Refund) -> str:
    """The condition of the photo."""
    return "ask_photo" if state["reason"] == "Damaged" else "ask_amount"


def after_iban(state: Refund) -> str:
    """The condition of the person."""
    return "desk" if state["amount"] > 500 else "pay"


def build() -> StateGraph[Refund]:
    """Return the graph."""
    graph = StateGraph(Refund)
    for node in (ask_order, ask_reason, ask_photo, ask_amount, ask_iban, desk):
        graph.add_node(node.__name__, node)
    graph.add_node("pay", pay)
    graph.add_node("paid", lambda state: {})
    graph.add_node("sorry", lambda state: {})
    graph.add_edge(START, "ask_order")
    graph.add_edge("ask_order", "ask_reason")
    graph.add_conditional_edges("ask_reason", after_reason, ["ask_photo", "ask_amount"])
    graph.add_edge("ask_photo", "ask_amount")
    graph.add_edge("ask_amount", "ask_iban")
    graph.add_conditional_edges("ask_iban", after_iban, ["desk", "pay"])
    graph.add_edge("paid", END)
    graph.add_edge("sorry", END)
    return graph


def main() -> None:
    """Play the conversation, or go on with the one that was killed."""
    with SqliteSaver.from_conn_string(str(FOLDER / "refund.db")) as saver:
        graph = build().compile(checkpointer=saver)
        thread = {"configurable": {"thread_id": "42"}}
        known = graph.get_state(thread)
        if known.next:
            print("killed before the end of:", *known.next)
            found = graph.invoke(None, thread)
            if "__interrupt__" in found:  # the yes was not stored before the kill: the user is asked once more
                graph.invoke(Command(resume="yes"), thread)
        else:
            found = graph.invoke({}, thread)
            for message in ("A17", "A-17", "broken", "yes", "40", "DE89", "yes"):
                print(found["__interrupt__"][0].value)
                found = graph.invoke(Command(resume=message), thread)
        for past in reversed(list(graph.get_state_history(thread))[:3]):
            print("checkpoint", past.metadata["step"], "next:", *past.next)
    print("payments:", (FOLDER / "payments.txt").read_text("utf-8").splitlines())


if __name__ == "__main__":
    main()
