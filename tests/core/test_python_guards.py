"""Python guards: what they see, what they may give, what is told of them (laws 2.13 and 2.16)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support import code
from support.chats import OneSyncChat
from turnwise.api.open import Turn, check
from turnwise.core.state.commands import Set
from turnwise.flow.model import Collect, Field, Flow, Node, Option, Record, Tool, Transition
from turnwise.models.scripted import ScriptedModel, ScriptedUnderstanding

USER = Record(
    "user",
    (
        Field("name"),
        Field("age", "integer"),
        Field("gender", "choice", options=(Option("female"), Option("male"), Option("other"))),
        Field("tos_acknowledged", "boolean"),
    ),
)


def flow(*transitions: Transition, records: tuple[Record, ...] = (USER,), **parts: Any) -> Flow:
    nodes = (
        Node("introduction", prompt="Ask.", collect=Collect(("user",)), transitions=transitions),
        Node("profiler", prompt="Go on."),
        Node("ineligible", say="Thank you.", end="ineligible"),
        Node("failed", say="Something failed.", end="failed"),
    )
    return Flow("f", "introduction", records=records, tools=(Tool("think"),), nodes=nodes, **parts)


def chat(of: Flow, *guards: Any) -> OneSyncChat:
    model = ScriptedModel(["…"] * 50)
    return OneSyncChat(of, guards=guards, understand=ScriptedUnderstanding(), model=model)


def judged(guard: Any, *values: Set, of: Flow | None = None) -> Turn:
    """The turn in which a guard at `before` sees these values."""
    described = guard if hasattr(guard, "targets") else tw.guard(guard)
    action = {} if described.targets else {"to": "profiler"}
    with chat(of or flow(Transition("way", "before", guard=described.name, **action)), described) as opened:
        return opened.commands(values)


def problems(guard: Any, **parts: Any) -> list[str]:
    described = guard if hasattr(guard, "targets") else tw.guard(guard)
    return [str(one) for one in check(flow(Transition("way", "before", guard=described.name, **parts)), [described])]


def node(turn: Turn) -> str:
    assert turn.state is not None
    return turn.state.node


def told(turn: Turn) -> Any:
    """What is told of the code of the turn's first decision."""
    found = turn.decisions[0].candidates[0].code
    assert found is not None
    return found


# what a guard sees ---------------------------------------------------------------------------------

KINDS = Record(
    "user",
    (
        Field("string"),
        Field("integer", "integer"),
        Field("number", "number"),
        Field("boolean", "boolean"),
        Field("date", "date"),
        Field("time", "time"),
        Field("datetime", "datetime"),
        Field("duration", "duration"),
        Field("email", "email"),
        Field("phone", "phone"),
        Field("choice", "choice", options=(Option("Red"), Option("Blue"))),
        Field("texts", "list"),
        Field("dates", "list", of="date"),
        Field("durations", "list", of="duration"),
        Field("integers", "list", of="integer"),
        Field("defaulted", "date", default="20.11.2026"),
        Field("blank", default="  "),
        Field("_name"),
    ),
)
GIVEN: dict[str, tuple[object, object, object]] = {
    "string": ("a", "a", "a"),
    "integer": ("7", 7, 7),
    "number": (1.5, 1.5, 1.5),
    "boolean": ("no", False, False),
    "date": ("20.11.2026", date(2026, 11, 20), "2026-11-20"),
    "time": ("9:30", time(9, 30), "09:30"),
    "datetime": ("2026-11-20T10:00+01:00", datetime(2026, 11, 20, 9, tzinfo=UTC), "2026-11-20T09:00:00Z"),
    "duration": ("90m", timedelta(minutes=90), 5400),
    "email": ("me@example.org", "me@example.org", "me@example.org"),
    "phone": ("+49 30 1234", "+49301234", "+49301234"),
    "choice": ("red", "Red", "Red"),
    "texts": (["a", "b"], ["a", "b"], ["a", "b"]),
    "dates": (["2026-11-20"], [date(2026, 11, 20)], ["2026-11-20"]),
    "durations": (["1m"], [timedelta(minutes=1)], [60]),
    "integers": ([1, 2], [1, 2], [1, 2]),
    "_name": ("a", "a", "a"),
}
UNSET = {"defaulted": (date(2026, 11, 20), "2026-11-20"), "blank": (None, None)}


def of_kinds() -> Flow:
    return flow(Transition("way", "before", guard="look", to="profiler"), records=(KINDS,))


@pytest.mark.law("2.13", "1.3")
@pytest.mark.parametrize("name", [*GIVEN, *UNSET])
def test_a_value_of_each_type_is_seen_as_python_has_it(name: str) -> None:
    seen: list[object] = []

    def look(user: Any) -> bool:
        seen.extend([getattr(user, name), user[name]])
        return False

    given, expected, stored = GIVEN[name] if name in GIVEN else (None, *UNSET[name])
    values = [Set(field=f"user.{name}", value=given)] if given is not None else []
    turn = judged(look, *values, of=of_kinds())
    assert seen[:2] == [expected, expected]
    assert isinstance(seen[0], type(expected))
    assert told(turn).reads == {f"user.{name}": stored}


@pytest.mark.law("2.13")
@pytest.mark.parametrize("name", GIVEN)
def test_a_missing_value_of_each_type_is_none_and_listed_as_missing_but_a_list_is_empty(name: str) -> None:
    def look(user: Any) -> bool:
        return getattr(user, name) is None and False

    turn = judged(look, of=of_kinds())
    is_list = isinstance(GIVEN[name][1], list)  # a list without a value is the empty list
    assert told(turn).reads == {f"user.{name}": [] if is_list else None}
    assert turn.decisions[0].candidates[0].missing == (() if is_list else (f"user.{name}",))


def test_only_what_was_read_is_told() -> None:
    turn = judged(code.route, Set(field="user.gender", value="male"), Set(field="user.name", value="Ada"))
    assert told(turn).reads == {"user.gender": "male"}


ROOTS_READ = {
    "tools": ('tools.used("think")', False),
    "message": ("message.text", "hello"),
    "turns": ("turns", 1),
    "errors": ("errors", 0),
    "visits": ('visits("introduction")', 1),
    "error": ("error.kind", None),
}


@pytest.mark.law("2.13")
@pytest.mark.requirement("000-32")
def test_a_guard_may_ask_for_more_than_records() -> None:
    def look(
        user: Any, tools: Any, message: Any, visits: Any, turns: int, errors: int, error: Any, now: datetime
    ) -> bool:
        found = (user.age, tools.used("think"), message.text, turns, errors, visits("introduction"), error.kind)
        return now.tzinfo is not None and found == (None, True, "hello", 1, 0, 1, None)

    opened = chat(flow(Transition("way", "before", guard="look", to="profiler")), tw.guard(look))
    with opened:
        opened.start()
        opened.tool_used("think")
        turn = opened.say("hello")
    assert node(turn) == "profiler"
    reads = told(turn).reads
    assert reads['tools.used("think")'] is True
    assert {name: reads[key] for name, (key, _) in ROOTS_READ.items() if name != "tools"} == {
        name: value for name, (_, value) in ROOTS_READ.items() if name != "tools"
    }
    assert reads["now"].endswith("Z")


@pytest.mark.law("2.13")
@pytest.mark.parametrize(
    ("asked", "key", "value"),
    [
        (lambda tools: tools.used("think", within=3), 'tools.used("think", within: 3)', True),
        (lambda tools: tools.count("think"), 'tools.count("think")', 2),
        (lambda tools: tools.last, "tools.last", "think"),
        (lambda tools: tools.ended_with(["think", "think"]), 'tools.ended_with(["think", "think"])', True),
        (lambda tools: tools.ended_with(("think",) * 3), 'tools.ended_with(["think", "think", "think"])', False),
    ],
)
def test_tools_mean_to_code_what_they_mean_to_rules(asked: Callable[[Any], object], key: str, value: object) -> None:
    seen: list[object] = []

    def look(tools: Any) -> bool:
        seen.append(asked(tools))
        return False

    with chat(flow(Transition("way", "tool", guard="look", to="profiler")), tw.guard(look)) as opened:
        opened.start()
        opened.tool_used("think")
        turn = opened.tool_used("think")
    assert seen[-1] == value
    assert told(turn).reads == {key: value}


SLIPS = [
    (lambda user, **_: user.agee, "AttributeError: the record 'user' has no field 'agee'; did you mean 'age'?"),
    (lambda user, **_: user["agee"], "AttributeError: the record 'user' has no field 'agee'; did you mean 'age'?"),
    (lambda tools, **_: tools.used("thnik"), "LookupError: no tool is called 'thnik'; did you mean 'think'?"),
    (lambda tools, **_: tools.count("thnik"), "LookupError: no tool is called 'thnik'; did you mean 'think'?"),
    (lambda tools, **_: tools.ended_with(["thnik"]), "LookupError: no tool is called 'thnik'; did you mean 'think'?"),
    (lambda tools, **_: tools.used("think", within=65), "ValueError: within takes a number from 1 to 64"),
    (lambda visits, **_: visits("profilr"), "LookupError: no node is called 'profilr'; did you mean 'profiler'?"),
    (lambda message, **_: message.txt, "AttributeError: 'message' has no 'txt'; did you mean 'text'?"),
    (lambda user, **_: bool(user), "TypeError: 'user' is a record: ask for one of its fields"),
]


@pytest.mark.law("2.13")
@pytest.mark.parametrize(("slip", "expected"), SLIPS)
def test_a_slip_of_the_pen_is_an_error_with_a_hint(slip: Callable[..., Any], expected: str) -> None:
    def look(user: Any, tools: Any, visits: Any, message: Any) -> bool:
        return slip(user=user, tools=tools, visits=visits, message=message)

    turn = judged(look)
    assert turn.decisions[0].candidates[0].outcome == "error"
    assert told(turn).error.startswith(expected)


# guards are pure -----------------------------------------------------------------------------------


def _assign(user: Any) -> None:
    user.age = 3


def _assign_item(user: Any) -> None:
    user["age"] = 3


def _assign_unknown(user: Any) -> None:
    user.nothing = 3


def _delete(user: Any) -> None:
    del user.age


def _delete_item(user: Any) -> None:
    del user["age"]


@pytest.mark.law("2.10", "2.13")
@pytest.mark.parametrize("change", [_assign, _assign_item, _assign_unknown, _delete, _delete_item])
def test_a_guard_cannot_write(change: Callable[[Any], None]) -> None:
    turn = judged(change, Set(field="user.age", value=40))
    assert told(turn).error.startswith("AttributeError: guards are pure: 'user.")
    assert turn.state is not None
    assert turn.state.values["user.age"].value == 40


def test_a_list_that_a_guard_changes_is_its_own() -> None:
    def look(user: Any) -> bool:
        user.texts.append("b")
        user.texts.clear()
        return user.texts == ["a"]

    turn = judged(look, Set(field="user.texts", value=["a"]), of=of_kinds())
    assert node(turn) == "profiler"
    assert turn.state is not None
    assert turn.state.values["user.texts"].value == ["a"]


# what a guard may give -------------------------------------------------------------------------------


@pytest.mark.law("2.13")
@pytest.mark.parametrize(
    ("given", "outcome"), [(True, "taken"), (False, "false"), (None, "false"), (1, "error"), ("profiler", "error")]
)
def test_a_guard_without_targets_gives_true_or_false(given: object, outcome: str) -> None:
    turn = judged(tw.guard(lambda user: given, name="look"))
    assert turn.decisions[0].candidates[0].outcome == outcome
    assert node(turn) == ("profiler" if given is True else "introduction")


@pytest.mark.law("2.13")
@pytest.mark.parametrize(
    ("given", "outcomes"),
    [
        ("profiler", "false taken"),
        ("ineligible", "taken false"),
        (None, "false false"),
        (False, "false false"),
        (True, "error error"),
        (3, "error error"),
        ("failed", "error error"),
        ("nowhere", "error error"),
    ],
)
def test_a_guard_with_targets_gives_one_of_them(given: object, outcomes: str) -> None:
    turn = judged(tw.guard(lambda user: given, to=["ineligible", "profiler"], name="look"))
    assert " ".join(c.outcome for c in turn.decisions[0].candidates) == outcomes


@pytest.mark.law("2.13")
def test_true_means_the_only_target() -> None:
    turn = judged(tw.guard(lambda user: True, to="profiler", name="look"))
    assert node(turn) == "profiler"
    assert told(turn).returned == "profiler"


@pytest.mark.law("2.13")
@pytest.mark.requirement("000-13")
def test_a_target_that_is_not_declared_ends_the_turn_and_is_named() -> None:
    for name in ("failed", "nowhere"):
        turn = judged(tw.guard(_giving(name), to=["ineligible", "profiler"], name="look"))
        assert node(turn) == "introduction"
        assert turn.state is not None
        assert turn.state.status.reason == "guard"  # type: ignore[union-attr]
        assert f"look returned '{name}', and declares ineligible, profiler" in turn.state.status.message  # type: ignore[union-attr]


def _giving(value: object) -> Callable[[Any], object]:
    def look(user: Any) -> object:
        return value

    return look


# errors ----------------------------------------------------------------------------------------------


class _Silent(Exception):
    """An exception whose text raises in turn."""

    def __str__(self) -> str:
        raise RuntimeError


class _Shapeless:
    """Something that cannot even be shown."""

    def __repr__(self) -> str:
        raise _Silent


def _raising(error: BaseException) -> Callable[[Any], bool]:
    def look(user: Any) -> bool:
        raise error

    return look


@pytest.mark.law("2.10", "2.13")
@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ValueError("no"), "ValueError: no"),
        (KeyError("a"), "KeyError: 'a'"),
        (_Silent(), "_Silent"),
        (SystemExit(3), "SystemExit: 3"),
        (RecursionError("deep"), "RecursionError: deep"),
        (AssertionError(), "AssertionError"),
        (ValueError("\ud800"), "ValueError: ?"),
        (ValueError("x" * 10_000), "ValueError: " + "x" * 488 + "…"),
    ],
)
def test_what_a_guard_raises_is_its_error(error: BaseException, expected: str) -> None:
    turn = judged(_raising(error))
    assert turn.decisions[0].candidates[0].outcome == "error"
    assert told(turn).error == expected
    assert node(turn) == "introduction"
    assert [warning.code for warning in turn.warnings] == ["guard_error"]


def test_a_decision_names_the_line_that_raised() -> None:
    def guarding(user: Any) -> bool:
        return user.name.strip() == ""

    found = told(judged(guarding))
    _, first_line = inspect.getsourcelines(guarding)
    assert found.error.startswith("AttributeError")
    assert Path(found.at).name == f"{Path(__file__).name}:{first_line + 1}"


@pytest.mark.law("2.10", "2.13")
def test_what_a_guard_gives_may_raise_when_it_is_shown() -> None:
    turn = judged(_giving(_Shapeless()))
    assert told(turn).error == "_Silent"


@pytest.mark.law("2.10", "3.9")
def test_where_nothing_is_taken_an_error_of_a_guard_is_a_failure_that_can_be_caught() -> None:
    caught = flow(
        Transition("way", "before", guard="look", to="profiler"),
        Transition("caught", "error", when='error.kind == "guard" && error.message.contains("no")', to="failed"),
    )
    turn = judged(_raising(ValueError("no")), of=caught)
    assert turn.outcome == "failed"
    assert turn.state is not None
    assert turn.state.errors == 1


def test_an_error_does_not_hinder_a_rule_that_holds() -> None:
    of = flow(
        Transition("way", "before", guard="look", to="ineligible"),
        Transition("rule", "before", when="true", to="profiler"),
    )
    turn = judged(_raising(ValueError("no")), of=of)
    assert node(turn) == "profiler"
    assert [c.outcome for c in turn.decisions[0].candidates] == ["error", "taken"]


SECRET = Record("user", (Field("pin", secret=True), Field("name")))


@pytest.mark.parametrize(
    "guard",
    [lambda user: int(user.pin), lambda user: user.pin, lambda user: {}[user.pin]],
    ids=["raised", "given", "key"],
)
def test_a_secret_is_told_by_no_error(guard: Callable[[Any], Any]) -> None:
    of = flow(Transition("way", "before", guard="look", to="profiler"), records=(SECRET,))
    turn = judged(tw.guard(guard, name="look"), Set(field="user.pin", value="hunter2"), of=of)
    assert told(turn).error
    assert told(turn).reads == {"user.pin": "[secret]"}
    shown = f"{turn.decisions} {turn.evaluations} {turn.warnings} {turn.state.status if turn.state else ''}"
    assert "hunter2" not in shown


# what is refused when linking --------------------------------------------------------------------------


@pytest.mark.law("2.13")
@pytest.mark.requirement("000-33")
@pytest.mark.parametrize("guard", [code.waiting, tw.guard(code.Waiting(), name="look"), code._shouting(code.waiting)])
def test_an_async_guard_is_refused_with_a_way_out(guard: Any) -> None:
    (found,) = problems(guard, to="profiler")
    assert "TW036" in found
    assert "is an async function" in found
    assert "fetch with a tool first" in found


def test_a_guard_that_gives_something_to_await_is_in_error() -> None:
    turn = judged(code.hidden_wait)
    assert told(turn).error.startswith("hidden_wait returned a coroutine")


@pytest.mark.law("2.13")
@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        (lambda usr: True, "asks for 'usr', which is no record; did you mean 'user'?"),
        (lambda user, limit=18: True, "asks for 'limit', which is no record"),
        (lambda *args: True, "asks for 'args', which is no record"),
        (lambda **more: True, "asks for 'more', which is no record"),
        (lambda session: True, "asks for 'session', which is no record"),
    ],
)
def test_a_parameter_names_a_record_or_a_root(guard: Any, expected: str) -> None:
    (found,) = problems(tw.guard(guard, name="look"), to="profiler")
    assert f"TW036 'look' {expected}" in found


def test_a_guard_that_nobody_supplied_is_reported_with_the_nearest_name() -> None:
    of = flow(Transition("way", "before", guard="rout"))
    (found,) = check(of, [code.route])
    assert (found.code, found.message) == ("TW024", "no function 'rout' is supplied")
    assert (found.hint, Path(found.span.file).name) == ("did you mean 'route'?", "test_python_guards.py")
    (found,) = check(of)
    assert "pass it to tw.open(flow, guards=[…])" in found.hint


@pytest.mark.law("2.13")
def test_targets_are_nodes_and_those_that_are_declared() -> None:
    assert ["TW012" in one for one in problems(tw.guard(lambda user: None, to=["profilr"], name="look"))] == [True]
    (found,) = problems(code.route, to="failed")
    assert "TW036 'route' does not declare the target 'failed'; it declares ineligible, profiler" in found
    (found,) = problems(tw.guard(lambda user: True, name="look"))
    assert "TW015" in found


def test_two_functions_of_one_name_are_reported() -> None:
    twins = [tw.guard(lambda user: True, name="look"), tw.guard(lambda user: False, name="look")]
    told = check(flow(Transition("way", "before", guard="look", to="profiler")), twins)
    (found,) = [diagnostic for diagnostic in told if diagnostic.severity == "error"]
    assert str(found) == "flow: TW017 two functions are called 'look'; give one of them a name: @guard(name=…)"
    again = check(flow(Transition("way", "before", guard="look", to="profiler")), [twins[0], twins[0]])
    assert not any(diagnostic.severity == "error" for diagnostic in again)


def test_what_takes_nothing_known_is_no_guard() -> None:
    with pytest.raises(tw.TurnwiseError, match="type cannot be a guard: what it takes is not known"):
        tw.guard(type)


# how the source is shown ---------------------------------------------------------------------------------


def _lines(function: Any, *, without: int = 0) -> str:
    return "".join(inspect.getsourcelines(function)[0][without:])


@pytest.mark.requirement("000-67")
def test_the_source_is_that_of_the_file_without_the_decorator() -> None:
    assert code.route.source == _lines(code.route.function, without=1)
    assert code.route.source.startswith("def route(user: Any) -> str | None:\n")
    assert "    # a man is not asked further\n" in code.route.source
    assert Path(code.route.file).name == "code.py"
    text = Path(code.route.file).read_text("utf-8").splitlines()
    assert text[code.route.line - 1] == "def route(user: Any) -> str | None:"


@pytest.mark.parametrize(
    ("guard", "name", "first"),
    [
        (code.grown_up, "grown_up", "def grown_up(user: Any) -> bool:"),
        (tw.guard(code.undecorated), "undecorated", "def undecorated(user: Any) -> bool:"),
        (code.decorated, "decorated", "@_shouting"),
        (code.original, "renamed", "def original(user: Any) -> str | None:"),
        (tw.guard(code.Rules().method), "method", "def method(self, user: Any) -> bool:"),
        (tw.guard(code.Rules.static), "static", "@staticmethod"),
        (tw.guard(code.Rules()), "__call__", "def __call__(self, user: Any) -> bool:"),
        (tw.guard(code.nested()), "inner", "def inner(user: Any) -> bool:"),
        (tw.guard(code.of_age), "at_least", "def at_least(limit: int, user: Any) -> bool:"),
        (tw.guard(code.by_position), "by_position", "def by_position(user: Any, /) -> bool:"),
        (tw.guard(code.by_keyword), "by_keyword", "def by_keyword(*, user: Any) -> bool:"),
    ],
)
def test_a_guard_of_any_make_has_its_name_and_source_and_runs(guard: Any, name: str, first: str) -> None:
    assert guard.name == name
    assert guard.has_source
    assert guard.source.splitlines()[0] == first
    assert guard.parameters[-1] == "user"
    turn = judged(guard, Set(field="user.name", value="Ada"), Set(field="user.age", value=40))
    assert told(turn).error == ""
    assert node(turn) == "profiler"


def test_the_source_of_a_nested_function_keeps_its_own_indentation() -> None:
    assert tw.guard(code.nested()).source == (
        "def inner(user: Any) -> bool:\n    # indented in its file\n    return bool(user.name)\n"
    )


def _evaluated() -> Any:
    names: dict[str, Any] = {}
    source = 'def made(user) -> bool:\n    """As old as can be."""\n    return True\n'
    exec(compile(source, "<string>", "exec", dont_inherit=True), names)
    return names["made"]


@pytest.mark.law("2.13")
@pytest.mark.requirement("000-68")
@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (
            _evaluated(),
            'def made(user) -> bool:  # no source: it was made where no file holds it\n    """As old as can be."""\n',
        ),
        (lambda user: True, "def <lambda>(user):  # no source: it is a lambda\n"),
        (eval("lambda user: True"), "def <lambda>(user):  # no source: it is a lambda\n"),
    ],
    ids=["exec", "lambda", "eval"],
)
def test_where_there_is_no_source_signature_docstring_and_reason_stand_in_its_place(
    function: Any, expected: str
) -> None:
    guard = tw.guard(function)
    assert (guard.source, guard.has_source, guard.file, guard.line) == (expected, False, "", 0)
    turn = judged(guard)
    assert node(turn) == "profiler"
    assert (told(turn).source, told(turn).has_source) == (expected, False)


@pytest.mark.law("2.13")
def test_a_file_that_is_no_python_is_no_source(tmp_path: Path) -> None:
    file = tmp_path / "rules.txt"
    file.write_text("this ( is { no python\n'''\n", "utf-8")
    names: dict[str, Any] = {}
    exec(compile("def made(user):\n    return True\n", str(file), "exec", dont_inherit=True), names)
    guard = tw.guard(names["made"])
    assert guard.source == "def made(user):  # no source: its file is no Python\n"
    assert tw.tool(names["made"]).source == ""
    assert node(judged(guard)) == "profiler"


# once per decision -----------------------------------------------------------------------------------------


@pytest.mark.law("2.13")
def test_a_guard_with_many_targets_is_called_once_per_decision() -> None:
    calls: list[None] = []

    def look(user: Any) -> str | None:
        calls.append(None)
        return "failed" if user.age == 3 else None

    guard = tw.guard(look, to=["ineligible", "profiler", "failed"])
    of = flow(Transition("early", "before", guard="look"), Transition("late", "after", guard="look"))
    with chat(of, guard) as opened:
        opened.start()
        assert len(calls) == 2  # once before the work, once after it
        turn = opened.commands([Set(field="user.age", value=40)])
        assert len(calls) == 4
        assert [c.id for c in turn.decisions[0].candidates] == [
            "early_to_ineligible",
            "early_to_profiler",
            "early_to_failed",
        ]
        assert [c.target for c in turn.decisions[0].candidates] == ["ineligible", "profiler", "failed"]
        turn = opened.commands([Set(field="user.age", value=3)])
        assert turn.outcome == "failed"
        assert len(calls) == 5


@pytest.mark.law("2.4")
def test_code_after_the_winner_is_not_reached_and_not_called() -> None:
    calls: list[None] = []

    def look(user: Any) -> bool:
        calls.append(None)
        return True

    of = flow(
        Transition("rule", "before", when="true", to="profiler"),
        Transition("code", "before", guard="look", to="ineligible"),
        Transition("other", "before", when="has(user.name)", to="failed"),
    )
    turn = judged(look, of=of)
    assert [c.outcome for c in turn.decisions[0].candidates] == ["taken", "not_reached", "false"]
    assert turn.decisions[0].candidates[1].by == "judging ended at rule"
    assert calls == []


@pytest.mark.law("2.4", "2.13")
def test_targets_that_the_same_call_did_not_choose_are_judged_by_it() -> None:
    of = flow(
        Transition("first", "before", guard="look", to="ineligible"),
        Transition("rule", "before", when="true", to="failed", priority=50),
        Transition("second", "before", guard="look", to="profiler"),
    )
    turn = judged(tw.guard(_giving("profiler"), to=["ineligible", "profiler"], name="look"), of=of)
    assert [(c.id, c.outcome) for c in turn.decisions[0].candidates] == [
        ("rule", "taken"),
        ("first", "not_reached"),
        ("second", "not_reached"),
    ]


# mirrors -------------------------------------------------------------------------------------------------------


def mirrored(*more: Transition) -> Flow:
    return flow(
        Transition("code", "before", guard="look", to="profiler"),
        Transition("mirror", "before", when="user.age >= 38", to="profiler", mirror=True),
        *more,
    )


@pytest.mark.law("2.16")
@pytest.mark.requirement("000-23")
@pytest.mark.parametrize(
    ("age", "code_says", "moves", "disagrees"),
    [
        (40, False, False, ("profiler", "(stay)")),
        (40, True, True, None),
        (30, True, True, ("(stay)", "profiler")),
        (30, False, False, None),
    ],
)
def test_a_mirror_tells_where_it_disagrees_and_never_fires(
    age: int, code_says: bool, moves: bool, disagrees: tuple[str, str] | None
) -> None:
    turn = judged(tw.guard(_giving(code_says), name="look"), Set(field="user.age", value=age), of=mirrored())
    assert (node(turn) == "profiler") is moves
    decision = turn.decisions[0]
    found = decision.mirror_disagrees
    assert (found and (found.rules, found.code)) == disagrees
    mirror = decision.candidate("mirror")
    assert mirror is not None
    assert mirror.is_mirror
    assert mirror.verdict is not None
    assert mirror.outcome == ("outranked" if age >= 38 else "false")
    if age >= 38:
        assert mirror.by == "a mirror only describes, it never fires"


@pytest.mark.law("2.16")
def test_mirrors_of_a_guard_with_targets_are_compared_by_target() -> None:
    of = flow(
        Transition("code", "before", guard="route"),
        Transition("young", "before", when="user.age < 40", to="ineligible", mirror=True),
        Transition("old", "before", when="has(user.name)", to="profiler", mirror=True),
    )
    values = [
        Set(field="user.age", value=39),
        Set(field="user.name", value="Ada"),
        Set(field="user.tos_acknowledged", value=True),
    ]
    turn = judged(code.route, *values, of=of)
    assert node(turn) == "profiler"
    found = turn.decisions[0].mirror_disagrees
    assert found is not None
    assert (found.rules, found.code) == ("ineligible", "profiler")
