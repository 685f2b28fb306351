"""Links budgets and prices: reads amounts and currencies, and reports those that cannot be used (TW112)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from turnwise.core.costs import LinkedBudget, LinkedPrice, amount_text
from turnwise.core.link.builder import Builder
from turnwise.core.machine import Machine
from turnwise.core.state.spending import NANO_PER_UNIT, Measure
from turnwise.errors import WrongArgument
from turnwise.flow.diagnostic import nearest
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Budget, Price
from turnwise.flow.model.budgets import MOST_PRICE
from turnwise.flow.walk import every_node

_MONEY = late_pattern(r"\s*([+-]?\d+(?:\.\d{1,9})?)\s*([A-Za-z]{3})\s*", re.ASCII)
_HOW = "write an amount and its currency, such as 0.50 USD"
_CODES = (
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF "
    "CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD "
    "HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD "
    "MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN "
    "PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY "
    "TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG "
)
CURRENCIES = frozenset(_CODES.split())
"""The currencies of ISO 4217."""


def link_prices(prices: tuple[Price, ...]) -> Mapping[str, LinkedPrice]:
    """Return prices by model name, in billionths of the currency."""
    return {one.name: _price(one) for one in prices}


def _price(price: Price) -> LinkedPrice:
    cached = price.input if price.cached is None else price.cached
    read = [amount or 0 for amount in (price.input, price.output, cached)]  # what was reported at reading is empty
    return LinkedPrice(*(round(Decimal(str(amount)) * NANO_PER_UNIT) for amount in read))


def link_budgets(builder: Builder) -> tuple[LinkedBudget, ...]:
    """Return the budgets of a flow; report those that cannot be used, or whose currencies differ."""
    limits = builder.flow.limits
    linked = [one for budget in limits.budgets if (one := _linked(builder, budget)) is not None]
    doubled = Counter((one.measure, one.per) for one in linked)
    for (measure, per, then), count in Counter((one.measure, one.per, one.then) for one in linked).items():
        if count > 1 and then != "model":
            message = f"{count} budgets of {measure} per {per} do the same (then: {then})"
            builder.report("TW112", message, limits.span.of("budgets"), "keep the smaller one")
    _check_currencies(builder, linked)
    return tuple([_named(one) if doubled[one.measure, one.per] > 1 else one for one in linked])


def _named(budget: LinkedBudget) -> LinkedBudget:
    """Return a budget with its amount in its name, since another one is of the same measure and period."""
    amount = amount_text(budget.measure, budget.amount, budget.currency)
    return replace(budget, name=f"{amount} per {budget.per}")


def _linked(builder: Builder, budget: Budget) -> LinkedBudget | None:
    before = len(builder.diagnostics)
    for message, key, hint in _faults(builder, budget):
        builder.report("TW112", message, budget.span.of(key) if key else budget.span, hint)
    if len(builder.diagnostics) > before:
        return None
    measure, amount, currency = _amount(budget)
    more = (budget.then, budget.model, budget.queue, budget.outcome or "budget_reached", currency)
    return LinkedBudget(f"{measure} per {budget.per}", measure, budget.per, amount, *more, budget.span.line_text)


def _amount(budget: Budget) -> tuple[Measure, int, str]:
    if budget.money:
        found = _MONEY.fullmatch(budget.money)
        assert found is not None, "checked before"
        return "money", int(Decimal(found[1]) * NANO_PER_UNIT), found[2].upper()
    if budget.tokens is not None:
        return "tokens", budget.tokens, ""
    return "time", round((budget.time_s or 0) * 1000), ""


_Faults = Iterator[tuple[str, str, str]]


def _faults(builder: Builder, budget: Budget) -> _Faults:
    """Yield what is wrong with a budget: the message, the key, a hint."""
    given = [key for key, value in _measures(budget).items() if value not in ("", None)]
    if len(given) != 1:
        found = f"this one has {' and '.join(given)}" if given else "this one has none"
        yield f"a budget has one of money, tokens and time, and {found}", "", "write two budgets for two of them"
        return
    wrong = list(_wrong_amount(budget))
    yield from wrong
    if not wrong and budget.then == "ask" and not _amount(budget)[1]:
        yield "a budget of zero cannot ask: a yes would allow zero more", "then", "use 'end' or 'hand_over'"
    yield from _wrong_way(builder, budget)


def _measures(budget: Budget) -> dict[str, object]:
    return {"money": budget.money, "tokens": budget.tokens, "time": budget.time_s}


def _wrong_amount(budget: Budget) -> _Faults:
    if budget.time_s is not None and budget.time_s < 0:
        yield "a budget of time is not below zero", "time", ""
    if not budget.money:
        return
    found = _MONEY.fullmatch(budget.money)
    if found is None:
        yield f"'{budget.money}' is no amount of money", "money", _HOW
    elif found[2].upper() not in CURRENCIES:
        yield f"'{found[2]}' is no currency", "money", nearest(found[2].upper(), sorted(CURRENCIES))
    elif found[1].startswith("-"):
        yield "a budget of money is not below zero", "money", ""


def _wrong_way(builder: Builder, budget: Budget) -> _Faults:
    keys = {"model": budget.model, "queue": budget.queue, "outcome": budget.outcome}
    belongs = {"model": "model", "queue": "hand_over", "outcome": "end"}
    for key, value in keys.items():
        if value and budget.then != belongs[key]:
            yield f"'{key}' has no effect with 'then: {budget.then}'", key, f"write 'then: {belongs[key]}'"
    flow = builder.flow
    if budget.then == "hand_over" and not budget.queue and flow.person is None:
        yield "no queue and no person is named that takes over", "then", "add a 'queue', or give the flow a 'person'"
    if budget.then == "model" and not budget.model:
        yield "no model is named that is called instead", "then", "add the cheaper 'model'"
    named = {name for name in (flow.model, *[node.model for node in every_node(flow.nodes)]) if name}
    if budget.then == "model" and budget.model and named == {budget.model}:
        yield f"'{budget.model}' is the model that is called anyway", "model", "name a cheaper one"


def _check_currencies(builder: Builder, linked: list[LinkedBudget]) -> None:
    """Report prices in unknown currencies, and budgets and prices in several."""
    limits = builder.flow.limits
    used = {one.currency: limits.span.of("budgets") for one in linked if one.currency}
    for price in limits.prices:
        currency = price.currency.upper()
        if currency not in CURRENCIES:
            hint = nearest(currency, sorted(CURRENCIES))
            builder.report("TW112", f"'{price.currency}' is no currency", price.span.of("currency"), hint)
        elif used:
            used.setdefault(currency, price.span.of("currency"))
    if len(used) > 1:
        first, *others = used
        message = f"money is in {first} and in {' and '.join(others)}, which are not converted"
        builder.report("TW112", message, used[others[0]], "use one currency in 'budgets' and 'prices'")


class Budgeting(Struct, frozen=True):
    """What a program sets about costs: prices in place of the flow's, and the model for all requests."""

    prices: tuple[Price, ...] = ()
    """The prices of models that replace the flow's prices."""
    model: str = ""
    """The model for all requests; empty for the models that the flow names."""

    def with_prices(self, machine: Machine) -> Machine:
        """Return a copy of a machine, in each of its languages, with these prices."""
        if not machine.budgets or not (self.prices or self.model):
            return machine
        if not machine.languages:
            return self._changed(machine)
        machines = {code: self._changed(one) for code, one in machine.languages.items()}
        for one in machines.values():
            force_setattr(one, "languages", machines)
        return machines[machine.language.code]

    def _changed(self, machine: Machine) -> Machine:
        currency = machine.currency
        usable = tuple([one for one in self.prices if not currency or one.currency.upper() == currency])
        return replace(machine, prices={**machine.prices, **link_prices(usable)}, model_for_all=self.model)

    def priced_flow(self, machine: Machine) -> Machine:
        """Return the machine of a flow with these prices. Raises `WrongArgument` for a price whose currency is not that
        of its budgets; in an earlier version of the flow such a price is not used.
        """
        currency = machine.currency
        for one in self.prices:
            if currency and one.currency.upper() != currency:
                expected = f"in {currency}, as the budgets of the flow '{machine.flow.name}' are"
                raise WrongArgument(f"the price of '{one.name}'", one.currency, expected)
        return self.with_prices(machine)


BUDGETING_OF_FLOW = Budgeting()
"""A program that sets neither prices nor a model: those of the flow hold."""


def budgeting_of(prices: Iterable[Price], model: object) -> Budgeting:
    """Return the validated prices and model of a program. Raises `WrongArgument` for a wrong price, an unknown
    currency, or a negative amount.
    """
    found = tuple(prices)
    for one in found:
        if not isinstance(one, Price) or one.currency.upper() not in CURRENCIES:  # pyright: ignore[reportUnnecessaryIsInstance]  callers may not check types
            raise WrongArgument("prices", one, "tw.Price(model, input=…, output=…), in a currency such as USD")
        for name in ("input", "output", "cached"):
            amount = getattr(one, name)
            if not (amount is None and name == "cached") and not _is_price(amount):
                expected = f"a number from 0 to {MOST_PRICE:,.0f}"
                raise WrongArgument(f"the price '{name}' of '{one.name}'", amount, expected)
    return Budgeting(found, model if isinstance(model, str) else "")


def _is_price(amount: Any) -> bool:
    return isinstance(amount, int | float) and not isinstance(amount, bool) and 0 <= amount <= MOST_PRICE
