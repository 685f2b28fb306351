"""Law 3.12: budgets of money, tokens and time; what is reserved and used, and what happens where one is reached."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import turnwise as tw
from support.chats import NOON_MS
from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.core.state.spending import Used
from turnwise.runner.clocks import ManualClock

FLOW = """
flow: talk
start: a
model: openai:large
settings: {{max_tokens: 100}}
persona: You are kind.
limits:
  budgets: [{budgets}]
  prices:
    openai:large: {{input: 10, output: 20, cached: 1}}
    openai:small: {{input: 1, output: 2}}
nodes:
  a: {{prompt: Talk.}}
"""


class Model:
    """Replies with the same counts, and takes some time; `asked` are the models of its requests."""

    def __init__(self, tokens_in: int = 50, tokens_out: int = 10, cached: int = 0, ms: int = 1000) -> None:
        self.counts = tokens_in, tokens_out, cached
        self.ms = ms
        self.clock = ManualClock(NOON_MS)
        self.asked: list[str] = []

    async def reply(self, request: Any) -> tw.ModelReply:
        self.asked.append(request.model)
        self.clock.set_ms(self.clock.now_ms() + self.ms)
        tokens_in, tokens_out, cached = self.counts
        return tw.ModelReply("Hello.", "m", tokens_in, tokens_out, tokens_cached=cached)


def chat_of(budgets: str, model: Model, **more: Any) -> tw.SyncChat:
    flow = tw.loads(FLOW.format(budgets=budgets))
    return tw.open_sync(flow, model=model, clock=model.clock, **more).chat("c")


def events_of(chat: tw.SyncChat, kind: type) -> list[Any]:
    return [one.event for one in chat.journal() if isinstance(one.event, kind)]


def total(chat: tw.SyncChat) -> Used:
    spending = chat.state().spending
    return spending.total if spending is not None else Used()


@pytest.mark.parametrize(
    "price", ["{input: -1, output: 2}", "{input: 1}", "{input: x, output: 2}", "{input: 1, output: }", "3"]
)
def test_a_price_that_cannot_be_read_is_reported_and_nothing_else(price: str) -> None:
    with pytest.raises(tw.FlowError) as caught:
        tw.loads(FLOW.format(budgets="{money: 1 USD}").replace("{input: 1, output: 2}", price))
    assert [one.code for one in caught.value.diagnostics] in (["TW011"], ["TW013"])


@pytest.mark.law("3.12")
def test_a_flow_without_budgets_counts_nothing() -> None:
    model = Model()
    chat = tw.open_sync(tw.loads("{flow: t, start: a, nodes: {a: {prompt: Talk.}}}"), model=model).chat("c")
    chat.say("hi")
    assert chat.state().spending is None
    assert not events_of(chat, e.CallSettled)


@pytest.mark.law("3.12")
def test_a_call_is_settled_by_the_counts_and_the_price() -> None:
    chat = chat_of("{money: 1 USD, then: end}", Model(50, 10, cached=20))
    chat.say("hi")
    [settled] = events_of(chat, e.CallSettled)
    assert settled.used == Used(30 * 10_000 + 20 * 1_000 + 10 * 20_000, 60, 1000)
    assert settled.reserved is not None
    assert settled.reserved.tokens >= 100
    assert (settled.model, settled.purpose, settled.day) == ("openai:large", "reply", "2026-01-09")
    assert total(chat) == settled.used


@pytest.mark.law("3.12")
def test_where_nobody_counts_four_characters_are_a_token() -> None:
    chat = chat_of("{tokens: 5000, then: end}", Model(0, 0))
    chat.say("hi")
    [settled] = events_of(chat, e.CallSettled)
    assert settled.is_estimated
    assert settled.tokens_out == 2
    assert settled.tokens_in > 5


@pytest.mark.law("3.12")
@pytest.mark.parametrize("budget", ["money: 0 USD", "tokens: 0", "time: 0s"])
def test_with_a_budget_of_zero_no_call_is_made(budget: str) -> None:
    model = Model()
    chat = chat_of(f"{{{budget}, then: end}}", model)
    turn = chat.say("hi")
    assert model.asked == []
    assert isinstance(turn.after.status, Ended)
    assert turn.after.status.outcome == "budget_reached"
    assert "would go beyond the limit" in turn.text


@pytest.mark.law("3.12")
def test_the_user_is_asked_and_a_yes_allows_as_much_again() -> None:
    model = Model()
    chat = chat_of("{tokens: 170}", model)
    chat.say("hi")
    asked = chat.say("more")
    assert [one.label for one in asked.buttons] == ["Yes", "No"]
    assert "170 tokens: 60 tokens have been used" in asked.text
    assert "would go beyond" in chat.say("well").text
    assert chat.say("yes").text == "Hello."
    assert len(model.asked) == 2
    assert events_of(chat, e.BudgetAnswered) == [e.BudgetAnswered("tokens per conversation", "", 170)]


@pytest.mark.law("3.12")
def test_after_a_no_nothing_is_called_until_a_yes() -> None:
    model = Model()
    chat = chat_of("{tokens: 170}", model)
    chat.say("hi")
    chat.say("more")
    assert chat.choose("No").text.startswith("All right, I stop here.")
    assert "would go beyond" in chat.say("more").text
    assert chat.choose("Yes").text == "Hello."
    assert len(model.asked) == 2


@pytest.mark.law("3.12")
def test_a_user_who_asks_why_hears_of_the_limit() -> None:
    model = Model()
    flow = tw.loads(FLOW.format(budgets="{money: 0.001 USD}").replace("nodes:", "commands: [why]\nnodes:", 1))
    chat = tw.open_sync(flow, model=model, clock=model.clock).chat("c")
    assert "Shall I go on" in chat.say("hello").text
    asked = chat.say("why?")
    assert asked.text.startswith(
        "There is a limit of 0.001 USD for that, and the next step would have gone beyond it.\n\nThe next step would"
    )


@pytest.mark.law("3.12")
@pytest.mark.parametrize("command", ["help", "wait", "repeat", "cancel", "undo"])
def test_a_command_leaves_the_question_whether_to_go_on_open_with_its_buttons(command: str) -> None:
    model = Model()
    text = FLOW.format(budgets="{money: 0.001 USD}")
    flow = tw.loads(text.replace("nodes:", "commands: [help, wait, repeat, cancel, undo]\nnodes:", 1))
    chat = tw.open_sync(flow, model=model, clock=model.clock).chat("c")
    chat.say("hello")
    turn = chat.say(command)
    assert turn.text.count("Shall I go on") == 1
    assert [button.label for button in turn.buttons] == ["Yes", "No"]
    assert chat.say("yes").text == "Hello."


@pytest.mark.law("3.12")
def test_a_person_takes_over() -> None:
    chat = chat_of("{tokens: 120, then: hand_over, queue: billing}", Model())
    chat.say("hi")
    turn = chat.say("more")
    assert turn.person is not None
    assert turn.person.queue == "billing"
    assert "a person takes over" in turn.text


@pytest.mark.law("3.12")
def test_a_cheaper_model_takes_the_place_and_the_other_budget_still_holds() -> None:
    model = Model()
    budgets = "{money: 0.003 USD, then: model, model: 'openai:small'}, {money: 0.0035 USD, then: end}"
    chat = chat_of(budgets, model)
    for _ in range(3):
        chat.say("hi")
    assert model.asked == ["openai:large", "openai:small", "openai:small"]
    [reached] = events_of(chat, e.BudgetReached)
    assert (reached.then, reached.model, reached.instead) == ("model", "openai:large", "openai:small")
    for _ in range(40):
        if chat.say("more").after.status.__class__ is Ended:
            break
    assert total(chat).money <= 3_500_000


@pytest.mark.law("3.12")
def test_a_budget_of_a_turn_begins_anew_with_each_turn_and_one_of_a_day_with_each_local_day() -> None:
    model = Model()
    chat = chat_of("{tokens: 170, per: turn, then: end}", model)
    chat.say("hi")
    chat.say("more")
    assert len(model.asked) == 2
    model = Model()
    chat = chat_of("{tokens: 170, per: day}", model)
    chat.start(time_zone="Asia/Tokyo")
    chat.say("hi")
    assert "for today" in chat.say("more").text
    model.clock.set_ms(NOON_MS + 3 * 3_600_000)  # midnight in Tokyo
    assert chat.say("yes").text == "Hello."
    assert chat.spending().day.tokens == 60


@pytest.mark.law("3.12")
def test_time_is_that_of_models_and_not_of_the_user() -> None:
    model = Model(ms=2000)
    chat = chat_of("{time: 3s, then: end}", model)
    chat.say("hi")
    model.clock.set_ms(model.clock.now_ms() + 3_600_000)
    chat.say("more")
    assert total(chat).time == 4000
    assert isinstance(chat.say("more").after.status, Ended)
    assert len(model.asked) == 2


@pytest.mark.law("3.12")
def test_an_undo_gives_no_money_back() -> None:
    chat = chat_of("{tokens: 10000}", Model())
    chat.say("hi")
    chat.say("more")
    chat.undo()
    assert (total(chat).tokens, chat.spending().conversation.tokens) == (120, 120)


@pytest.mark.law("3.12")
def test_a_copy_has_spent_what_was_copied_and_a_replay_decides_the_same() -> None:
    chat = chat_of("{tokens: 170}", Model())
    chat.say("hi")
    chat.say("more")
    assert chat.replay()
    assert chat.rerun().difference is None
    assert total(chat.fork("copy")) == total(chat)


@pytest.mark.law("3.12")
def test_a_model_without_a_price_is_refused_by_name() -> None:
    flow = tw.loads(FLOW.format(budgets="{money: 1 USD}").replace("model: openai:large", "model: openai:other"))
    model = Model()
    chat = tw.open_sync(flow, model=model).chat("c")
    turn = chat.say("hi")
    assert model.asked == []
    [fault] = [one.event.fault for one in turn.entries if isinstance(one.event, e.Faulted)]
    assert "openai:other has no price" in fault.message
    priced = tw.open_sync(flow, model=model, prices=[tw.Price("openai:other", input=1, output=1)]).chat("d")
    assert priced.say("hi").text == "Hello."


@pytest.mark.law("3.12")
def test_an_autonomous_run_stops_at_a_budget_with_its_outcome() -> None:
    flow = tw.loads("""
        flow: run
        start: a
        autonomous: true
        settings: {max_tokens: 50}
        limits: {budgets: [{tokens: 400, then: end, outcome: spent}], model_calls: 12}
        nodes:
          a: {prompt: A., transitions: [{id: on, to: b}]}
          b: {prompt: B., transitions: [{id: back, to: a}]}
    """)
    model = Model()
    chat = tw.open_sync(flow, model=model, clock=model.clock).chat("c")
    last = chat.run()[-1]
    assert last.outcome == "spent"
    assert total(chat).tokens <= 400


@pytest.mark.law("3.12")
def test_rules_read_a_message_where_no_model_may_and_then_the_flow_goes_its_way() -> None:
    flow = tw.loads("""
        flow: ask
        start: a
        settings: {max_tokens: 50}
        records: {user: {age: integer}}
        limits: {budgets: [{tokens: 0, then: end}]}
        nodes:
          a: {prompt: Ask for the age., collect: [user.age]}
    """)

    class Understanding(Model):
        understands = True

    model = Understanding()
    chat = tw.open_sync(flow, model=model).chat("c")
    turn = chat.say("I am 34 years old")
    assert model.asked == []
    assert isinstance(turn.after.status, Ended)


@pytest.mark.law("3.12")
def test_why_names_the_calls_that_used_it_and_what_would_have_fitted() -> None:
    chat = chat_of("{money: 0.003 USD}", Model())
    for text in ("hi", "more", "again"):
        chat.say(text)
    answer = str(chat.why("limit.money"))
    assert "the budget of 0.003 USD per conversation was reached in turn" in answer
    assert "it would fit with" in answer
    assert "the call of openai:large to reply in turn 1 used 60 tokens, 0.0007 USD" in answer
    assert "had been reserved" in answer
    assert {"budget_stands", "call_settled"} <= {fact.kind for fact in chat.why("limit.money").facts}


@pytest.mark.law("3.12")
def test_why_says_what_the_user_answered_at_a_budget() -> None:
    chat = chat_of("{money: 0.001 USD, then: ask}", Model())
    chat.say("hi")
    while chat.state().question is None:
        chat.say("more")
    chat.say("yes")
    answer = chat.why("limit.money")
    assert "budget_answered" in {fact.kind for fact in answer.facts}, str(answer)


@given(
    amount=st.integers(0, 600),
    counts=st.lists(st.tuples(st.integers(0, 200), st.integers(0, 60)), min_size=1, max_size=6),
)
def test_never_more_is_used_than_the_budget_and_one_call_that_the_estimate_did_not_see(
    amount: int, counts: list[tuple[int, int]]
) -> None:
    model = Model()
    chat = chat_of(f"{{tokens: {amount}, then: end}}", model)
    for tokens_in, tokens_out in counts:
        model.counts = tokens_in, tokens_out, 0
        if isinstance(chat.say("go on").after.status, Ended):
            break
    settled = events_of(chat, e.CallSettled)
    beyond = [max(0, one.used.tokens - one.reserved.tokens) for one in settled]
    assert total(chat).tokens <= amount + max(beyond, default=0)
    assert total(chat).tokens == sum(one.used.tokens for one in settled)


FORM = """
flow: ask
start: a
settings: {{max_tokens: 50}}
records: {{user: {{age: integer}}}}
limits: {{budgets: [{{tokens: {most}, then: end}}]}}
nodes:
  a: {{prompt: Ask for the age., collect: [user.age]}}
"""


class Reads(Model):
    """A model that also reads messages."""

    understands = True

    async def reply(self, request: Any) -> tw.ModelReply:
        found = await super().reply(request)
        return tw.ModelReply("" if request.must_call else found.text, "m", 50, 10)


@pytest.mark.law("3.12")
def test_understanding_counts_too_and_so_does_a_reading_that_failed() -> None:
    model = Reads()
    chat = tw.open_sync(tw.loads(FORM.format(most=10_000)), model=model, clock=model.clock).chat("c")
    turn = chat.say("well, how shall I put it")
    assert [one.purpose for one in events_of(chat, e.CallSettled)] == ["understand", "reply"]
    assert total(chat).tokens == sum(one.used.tokens for one in events_of(chat, e.CallSettled)) >= 120
    assert turn.text == "Hello."
    assert chat.rerun().difference is None


@pytest.mark.law("3.12")
def test_a_call_whose_reply_was_lost_counts_as_it_was_reserved() -> None:
    from turnwise.core.link import link
    from turnwise.core.step import resume, start
    from turnwise.core.turn import Step

    machine = link(tw.loads(FLOW.format(budgets="{tokens: 1000, then: end}")))
    begun = start(machine, NOON_MS, e.UserSaid("hi"))
    assert isinstance(begun, Step)
    again = resume(machine, begun.state, NOON_MS + 60_000)
    [lost] = [one.event for one in again.entries if isinstance(one.event, e.CallSettled)]
    assert lost.is_lost
    assert again.state.spending is not None
    assert again.state.spending.total.tokens == lost.used.tokens >= 100


@pytest.mark.law("3.12")
@pytest.mark.parametrize(
    ("price", "message"),
    [
        ({"input": -1, "output": 4}, "the price 'input' of '*' must be a number from 0 to 1,000,000, not int -1"),
        ({"input": 1, "output": float("nan")}, "the price 'output' of '*' must be a number from 0 to 1,000,000"),
        ({"input": 1, "output": float("inf")}, "the price 'output' of '*' must be a number from 0 to 1,000,000"),
        ({"input": 1, "output": 1, "cached": -0.5}, "the price 'cached' of '*' must be a number from 0 to 1,000,000"),
        ({"input": True, "output": 1}, "the price 'input' of '*' must be a number from 0 to 1,000,000"),
        ({"input": 1, "output": 1, "currency": "EUR"}, "the price of '*' must be in USD, as the budgets of the flow"),
        ({"input": 1, "output": 1, "currency": "Dollar"}, "prices must be tw.Price"),
    ],
)
def test_a_price_of_the_program_that_would_let_a_budget_grow_is_refused(price: dict[str, Any], message: str) -> None:
    with pytest.raises(tw.WrongArgument) as error:
        chat_of("{money: 1 USD, then: end}", Model(), prices=[tw.Price("*", **price)])
    assert message in str(error.value)


@pytest.mark.law("3.12")
def test_a_budget_that_was_reached_yesterday_is_not_reported_as_reached_today() -> None:
    model = Model(tokens_in=40_000)
    chat = chat_of("{money: 0.5 USD, per: day, then: model, model: 'openai:small'}", model)
    chat.say("hi")
    chat.say("again")
    assert [one.is_reached for one in chat.spending().budgets] == [True]
    model.clock.set_ms(NOON_MS + 86_400_000)
    chat.say("the next day")
    assert model.asked == ["openai:large", "openai:small", "openai:large"]
    assert [one.is_reached for one in chat.spending().budgets] == [False]


@pytest.mark.law("3.12")
def test_why_names_one_turn_or_several_that_used_most() -> None:
    chat = chat_of("{money: 1 USD, then: end}", Model())
    chat.say("hi")
    assert "; turn 1 used most; where" in chat.why("limit.money").facts[0].text
    chat.say("more")
    assert "; turns 1 and 2 used most; where" in chat.why("limit.money").facts[0].text
