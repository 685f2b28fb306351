"""Records and tools that are classes and functions: what is read of them, and what is told of the rest."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from enum import Enum, StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NewType

import pytest
from annotated_types import Interval
from pydantic import BaseModel, ConfigDict, Field, computed_field, field_validator

import turnwise as tw
from turnwise.flow.model import Record as PlainRecord
from turnwise.flow.model import Retry

LINES = Path(__file__).read_text("utf-8").splitlines()
EmailStr = NewType("EmailStr", str)
PhoneNumber = NewType("PhoneNumber", str)


class Colour(StrEnum):
    red = "Red"
    blue = "Blue"


class Sort(Enum):
    big = "Big"
    small = "Small"


class Size(Enum):
    small = 1
    large = "L"


class Inner(BaseModel):
    x: int = 0


class Said(tw.Record):
    text: str
    whole: int
    number: float | None
    either: int | float | None = None
    truth: bool = False
    day: date = date(2026, 1, 2)
    at: time | None = None
    moment: datetime | None = None
    span: timedelta | None = timedelta(minutes=3)
    mail: EmailStr | None = None
    call: PhoneNumber | None = None
    phone: str | None = tw.field(type="phone")
    size: Literal["S", "L"] | None = None
    colour: Colour | None = Colour.red
    sort: Sort | None = Sort.big
    sorts: list[Sort] | None = None
    texts: list[str] = []  # noqa: RUF012
    days: list[date] = Field(default_factory=list)
    sizes: list[Literal["S", "L"]] | None = None
    anything: list | None = None
    bounded: int | None = tw.field(ge=1, le=9, about="a digit")
    inside: int | None = tw.field(gt=0, lt=10)
    short: str | None = tw.field(min_length=2, max_length=4, pattern="[a-z]+")
    plain: Annotated[int | None, Field(ge=3, description="as pydantic says it")] = None
    between: Annotated[int, Interval(ge=1, le=3)] = 2
    titled: str | None = Field(None, title="the title")
    spoken: Annotated[str, "a text beside it"] = "x"
    derived: int | None = tw.field(value="said.whole + 1")
    hidden: str | None = tw.field(secret=True)
    chosen: str | None = tw.field(options=["a", "b"])
    checked: str | None = tw.field(validate='said.checked != "no"', refuse="Not that.")


READ: dict[str, tw.Field] = {
    "text": tw.Field("text"),
    "whole": tw.Field("whole", "integer"),
    "number": tw.Field("number", "number"),
    "either": tw.Field("either", "number"),
    "truth": tw.Field("truth", "boolean", default=False),
    "day": tw.Field("day", "date", default="2026-01-02"),
    "at": tw.Field("at", "time"),
    "moment": tw.Field("moment", "datetime"),
    "span": tw.Field("span", "duration", default=180.0),
    "mail": tw.Field("mail", "email"),
    "call": tw.Field("call", "phone"),
    "phone": tw.Field("phone", "phone"),
    "size": tw.Field("size", "choice", options=("S", "L")),
    "colour": tw.Field("colour", "choice", options=("Red", "Blue"), default="Red"),
    "sort": tw.Field("sort", "choice", options=("Big", "Small"), default="Big"),
    "sorts": tw.Field("sorts", "list", options=("Big", "Small")),
    "texts": tw.Field("texts", "list", of="string"),
    "days": tw.Field("days", "list", of="date"),
    "sizes": tw.Field("sizes", "list", options=("S", "L")),
    "anything": tw.Field("anything", "list"),
    "bounded": tw.Field("bounded", "integer", min=1, max=9, about="a digit"),
    "inside": tw.Field("inside", "integer", min=1, max=9),
    "short": tw.Field("short", min=2, max=4, pattern="[a-z]+"),
    "plain": tw.Field("plain", "integer", min=3, about="as pydantic says it"),
    "between": tw.Field("between", "integer", min=1, max=3, default=2),
    "titled": tw.Field("titled", about="the title"),
    "spoken": tw.Field("spoken", about="a text beside it", default="x"),
    "derived": tw.Field("derived", "integer", value="said.whole + 1"),
    "hidden": tw.Field("hidden", secret=True),
    "chosen": tw.Field("chosen", options=("a", "b")),
    "checked": tw.Field("checked", validate='said.checked != "no"', refuse="Not that."),
}


def record_of(cls: Any) -> PlainRecord:
    return tw.Flow("f", records=[cls]).records[0]


def problems(cls: Any) -> list[str]:
    found = tw.check(tw.Flow("f", "a", records=[cls], nodes=[tw.Node("a", say="x", end="x")]))
    return [f"{one.code} {one.message}; {one.hint}".removesuffix("; ") for one in found]


def test_every_field_of_a_class_is_read() -> None:
    assert [field.name for field in record_of(Said).fields] == list(READ)
    assert record_of(Said).faults == ()
    assert problems(Said) == []


@pytest.mark.parametrize("name", READ)
def test_an_annotation_says_what_kind_of_field_it_is(name: str) -> None:
    assert {field.name: field for field in record_of(Said).fields}[name] == READ[name]


def test_a_class_is_named_in_snake_case_or_as_it_says() -> None:
    class HealthPlan(tw.Record):
        x: int = 0

    class HTTPCall2Go(tw.Record):
        x: int = 0

    class User(tw.Record, name="person"):
        x: int = 0

    class Child(User):
        y: int = 0

    assert [record_of(cls).name for cls in (HealthPlan, HTTPCall2Go, User, Child)] == [
        "health_plan", "http_call2_go", "person", "child",
    ]  # fmt: skip
    assert [field.name for field in record_of(Child).fields] == ["x", "y"]
    assert User(x=3).x == 3


class Wrong(tw.Record):
    nested: Inner | None = None
    table: dict[str, int] | None = None
    two: int | str | None = None
    above: float | None = tw.field(gt=0)
    size: Size | None = None
    numbers: Literal[1, 2] | None = None
    deep: list[list[int]] | None = None
    raw: bytes | None = None
    free: Any = None
    made: str = Field(default_factory=lambda: "x")
    third: int | None = Field(None, multiple_of=3)
    other: str | None = Field(None, alias="Other")
    items: list[Annotated[int, Field(ge=3)]] | None = None
    _private: int = 3

    @field_validator("raw")
    @classmethod
    def check_raw(cls, value: Any) -> Any:
        return value

    @computed_field  # type: ignore[prop-decorator]
    @property
    def twice(self) -> int:
        return 2


TOLD = [
    ("nested: Inner", "'Wrong.nested': Inner is a record, and a field holds a single value; make its fields fields of this record"),
    ("table: dict", "'Wrong.table': a mapping cannot be a field; make its keys fields"),
    ("two: int", "'Wrong.two': a field has one type, this has int or str; write one type, or a text"),
    ("above: float", "'Wrong.above': 'gt' cannot be said of a field that is no whole number; use ge="),
    ("size: Size", "'Wrong.size': the options of a field are texts, and these are not: 1"),
    ("numbers: Literal", "'Wrong.numbers': the options of a field are texts, and these are not: 1, 2"),
    ("deep: list", "'Wrong.deep': a list of lists cannot be a field"),
    ("raw: bytes", "'Wrong.raw': a field cannot hold bytes; known are str, int, float, bool"),
    ("free: Any", "'Wrong.free': a field cannot hold Any"),
    ("made: str", "'Wrong.made': a default that is made by a function cannot be said; write the default itself"),
    ("third: int", "'Wrong.third': 'multiple_of' cannot be said of a field; write a guard: validate=…"),
    ("other: str", "'Wrong.other': 'alias' cannot be said of a field: it has one name"),
    ("items: list", "'Wrong.items': min cannot be said of the items of a list"),
    ("_private: int", "'Wrong._private' begins with _, so it is no field"),
    ("check_raw(", "'Wrong.check_raw' is a validator, which conversations do not run; write a guard: tw.field(validate=…)"),
    ("twice(", "'Wrong.twice' is computed, which a flow cannot do; write an expression: tw.field(value=…)"),
]  # fmt: skip


def test_each_mistake_is_told_once() -> None:
    told = tw.check(tw.Flow("f", "a", records=[Wrong], nodes=[tw.Node("a", say="x", end="x")]))
    assert [one.code for one in told if one.severity == "error"] == ["TW085"] * len(TOLD)


@pytest.mark.parametrize(("where", "message"), TOLD, ids=[where for where, _ in TOLD])
def test_what_a_field_cannot_say_is_told_at_its_line(where: str, message: str) -> None:
    found = tw.check(tw.Flow("f", "a", records=[Wrong], nodes=[tw.Node("a", say="x", end="x")]))
    told = [one for one in found if f"{one.message}; {one.hint}".startswith(message)]
    assert [(one.code, where in LINES[one.span.line - 1]) for one in told] == [("TW085", True)]


def told_at(cls: Any) -> list[tuple[str, str]]:
    """What is told of a class, each with the line at which it stands."""
    found = tw.check(tw.Flow("f", "a", records=[cls], nodes=[tw.Node("a", say="x", end="x")]))
    return [(LINES[one.span.line - 1].strip(), f"{one.code} {one.message}; {one.hint}") for one in found]


class Later(tw.Record):
    when: Missing | None = None  # type: ignore[name-defined]  # noqa: F821
    sise: Colur | None = None  # type: ignore[name-defined]  # noqa: F821
    many: list["Nobody"] = []  # type: ignore[name-defined]  # noqa: F821, RUF012, UP037
    broken: Annotated[Tone, {}["gone"]] | None = None  # type: ignore[valid-type]
    known: Tone | None = None
    name: str | None = None


class Tone(StrEnum):
    low = "low"


def test_a_name_in_an_annotation_that_nothing_has_is_told_at_its_line() -> None:
    told = {line.partition(":")[0]: message for line, message in told_at(Later)}
    assert told == {
        "when": "TW085 'Later.when': nothing is called 'Missing' where its type is looked for; import it, or define it in the module itself",
        "sise": "TW085 'Later.sise': nothing is called 'Colur' where its type is looked for; did you mean 'Colour'?",
        "many": "TW085 'Later.many': nothing is called 'Nobody' where its type is looked for; import it, or define it in the module itself",
        "broken": "TW085 'Later.broken': its type cannot be read: KeyError: 'gone'; define what it names before the class",
    }
    fields = {field.name: field for field in record_of(Later).fields}
    assert (fields["known"].type, fields["name"].type) == ("choice", "string")


class Base(tw.Record):
    sort: ClassVar[str] = "a"
    kept: str | None = None
    far = "x"


class Bare(Base):
    sort = "b"
    kept = "y"
    age = 3
    when = None
    bounded = tw.field(ge=3)
    alias = int
    model_config = ConfigDict(frozen=True)
    size: int = 3

    class Inside: ...

    @property
    def twice(self) -> int:
        return 2 * self.size

    def thrice(self) -> int:
        return 3 * self.size


def test_an_attribute_without_a_type_is_told_at_its_line() -> None:
    assert told_at(Bare) == [
        ("class Bare(Base):", "TW085 'Bare.far' has no type; write it with one: far: str | None = 'x'"),
        ('kept = "y"', "TW085 'Bare.kept' has no type; write it with one: kept: str | None = 'y'"),
        ("age = 3", "TW085 'Bare.age' has no type; write it with one: age: int | None = 3"),
        ("when = None", "TW085 'Bare.when' has no type; write it with one: when: str | None = None"),
        ("bounded = tw.field(ge=3)", "TW085 'Bare.bounded' has no type; write it with one: bounded: str | None = tw.field(…)"),
        ("alias = int", "TW085 'Bare.alias' has no type; define it outside of the class"),
    ]  # fmt: skip
    made = Bare(size=2)
    assert (made.twice, made.thrice(), Bare.sort, Bare.model_config["frozen"]) == (4, 6, "b", True)


def test_type_checkers_know_that_the_fields_of_a_record_are_its_arguments() -> None:
    said = vars(type(tw.Record))["__dataclass_transform__"]
    assert (said["kw_only_default"], said["field_specifiers"][0]) == (True, Field)


def test_the_base_of_all_records_is_none() -> None:
    assert problems(tw.Record)[0].startswith("TW085 tw.Record has no fields itself")


# what links to it ----------------------------------------------------------------------------------


def test_mistakes_in_a_field_stand_at_what_says_them() -> None:
    class Plan(tw.Record):
        size: Literal["S", "L"] | None = tw.field(about="size")
        name: str | None = tw.field(pattern="(", ge="x")
        age: int | None = tw.field(le=3, ge=7)

    found = tw.check(tw.Flow("f", "a", records=[Plan], nodes=[tw.Node("a", say="x", end="x")]))
    assert [(one.code, LINES[one.span.line - 1][one.span.column - 1 :]) for one in found] == [
        ("TW034", '(", ge="x")'),
        ("TW042", 'x")'),
        ("TW042", "7)"),
    ]


def test_guards_are_given_records_with_what_python_expects() -> None:
    class Trip(tw.Record):
        day: date | None = None

    seen: list[object] = []

    def look(trip: Trip) -> bool:
        seen.append(trip.day)
        return False

    nodes = [tw.Node("a", prompt="x", before=[tw.Transition(guard=look, to="b")]), tw.Node("b", say="x", end="x")]
    with tw.open_sync(tw.Flow("f", "a", records=[Trip], nodes=nodes)) as app:
        chat = app.chat("main")
        chat.start()
        chat.commands([tw.commands.Set(field="trip.day", value="2026-11-20")])
    assert date(2026, 11, 20) in seen


def test_guards_compare_options_with_the_members_of_an_enumeration() -> None:
    class Box(tw.Record):
        sort: Sort | None = None
        sorts: list[Sort] | None = None

    def is_big(box: Box) -> bool:
        match box.sort:
            case Sort.small:
                return False
            case _:
                pass
        assert box.sorts is not None
        return (
            box.sort == Sort.big
            and Sort.big == box.sort
            and box.sort != Sort.small
            and box.sort in (Sort.small, Sort.big)
            and box.sort == "Big"  # type: ignore[comparison-overlap]
            and {"Big": True}[box.sort]  # type: ignore[index]
            and Sort.small in box.sorts
            and Sort.big not in box.sorts
        )

    nodes = [tw.Node("a", prompt="x", before=[tw.Transition(guard=is_big, to="b")]), tw.Node("b", say="x", end="x")]
    with tw.open_sync(tw.Flow("f", "a", records=[Box], nodes=nodes)) as app:
        chat = app.chat("main")
        chat.start()
        sets = [tw.commands.Set(field="box.sorts", value=["small"]), tw.commands.Set(field="box.sort", value="big")]
        turn = chat.commands(sets)
        assert turn.state.node == "b"


# tools ---------------------------------------------------------------------------------------------


def was_booked(call: tw.ToolCall, people: int) -> None:
    raise tw.NotDone


@tw.tool(kind="effect", confirm=True, timeout="30s", retry=2, on_crash="check", check=was_booked, expects="confirmed")
async def book(
    day: date,
    call: tw.ToolCall,
    people: Annotated[int, Field(ge=1, description="how many come")] = 2,
    note: Annotated[str | None, "what the kitchen should know"] = None,
) -> None:
    """Book a table.

    And more.
    """


@tw.tool
def think(thought: str) -> str:
    return thought


def test_a_tool_is_declared_by_its_signature() -> None:
    assert book.tool == tw.Tool(
        "book",
        "Book a table.",
        args=(
            tw.Field("day", "date"),
            tw.Field("people", "integer", min=1, about="how many come", default=2),
            tw.Field("note", about="what the kitchen should know", optional=True),
        ),
        kind="effect",
        confirm=True,
        timeout_s=30.0,
        retry=Retry(2),
        on_crash="check",
        expects="confirmed",
    )
    assert (book.takes_call, book.is_async, think.takes_call, think.is_async) == ("call", True, "", False)
    assert think("x") == "x"


def test_a_tool_may_have_another_name_and_text() -> None:
    named = tw.tool(name="ponder", about="Think.")(think)
    assert (named.name, named.tool.about, named("x")) == ("ponder", "Think.", "x")


def tools_with(*tools: Any) -> list[str]:
    found = tw.check(tw.Flow("f", "a", tools=list(tools), nodes=[tw.Node("a", say="x", end="x")]))
    return [f"{one.code} {one.message}" for one in found]


def test_what_a_tool_cannot_take_is_told() -> None:
    @tw.tool
    def untyped(x): ...  # type: ignore[no-untyped-def]

    @tw.tool
    def any_number(*args: int, **more: int) -> None: ...

    @tw.tool
    def nested(inner: Inner) -> None: ...

    @tw.tool
    def placed(x: int, /) -> None: ...

    @tw.tool
    def unknown(x: Missing) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    assert tools_with(untyped, any_number, nested, placed, unknown) == [
        "TW086 the argument 'x' of 'untyped' has no type",
        "TW086 'any_number' takes any arguments ('**more'), and a model must know which",
        "TW086 'any_number' takes any arguments ('*args'), and a model must know which",
        "TW086 the argument 'inner' of 'nested': Inner is a record, and a field holds a single value",
        "TW086 'placed' takes 'x' by its place, and a tool is called with names",
        "TW086 what 'unknown' takes cannot be read: name 'Missing' is not defined",
    ]


def test_a_check_belongs_to_a_tool_that_is_checked_and_asks_for_no_more_than_it() -> None:
    def was_done(day: date, table: int, more: int = 2) -> None: ...

    def work(day: date) -> None: ...

    found = {
        "lacks": tw.tool(name="lacks", on_crash="check")(work),
        "idle": tw.tool(name="idle", check=was_done)(work),
        "stray": tw.tool(name="stray", on_crash="check", check=was_done)(work),
        "none": tw.tool(name="none", on_crash="check", check=3)(work),  # type: ignore[call-overload]
    }
    assert tools_with(*found.values()) == [
        "TW086 'lacks' is to be checked after a crash, and has no check",
        "TW086 the check of 'idle' is never asked",
        "TW086 the check of 'stray' takes 'table', which is no argument of it",
        "TW086 the check of 'none' cannot be read: 3 is not a callable object",
    ]


def test_wrong_words_about_a_tool_are_told_where_they_stand() -> None:
    @tw.tool(kind="efect", timeout="soon", retry="often", confirm="yes")  # type: ignore[call-overload]
    def wrong() -> None: ...

    found = tw.check(tw.Flow("f", "a", tools=[wrong], nodes=[tw.Node("a", say="x", end="x")]))
    told = {(one.code, LINES[one.span.line - 1][one.span.column - 1 :].partition(",")[0]) for one in found}
    assert {("TW014", 'efect"'), ("TW011", 'soon"'), ("TW011", 'often"')} <= told
    with pytest.raises(tw.WrongArgument, match="tool must be a function"):
        tw.tool(3)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("timeout_s", "did you mean 'timeout'?"),
        ("knd", "did you mean 'kind'?"),
        ("retries", "did you mean 'retry'?"),
        ("on_crsh", "did you mean 'on_crash'?"),
        (
            "strict",
            "known: about, approve_within, approver, ask, check, confirm, expects, into, kind, name, on_crash, retry, timeout",
        ),
    ],
)
def test_what_a_tool_does_not_know_is_told_with_the_nearest(said: str, hint: str) -> None:
    with pytest.raises(tw.UnknownArgument, match=re.escape(f"tool() takes no argument '{said}'; {hint}")):
        tw.tool(**{said: 3})


def test_a_generator_is_no_tool_and_no_check() -> None:
    @tw.tool
    def rows(many: int):  # type: ignore[no-untyped-def]
        """Give rows."""
        yield from range(many)

    @tw.tool
    async def lines(many: int):  # type: ignore[no-untyped-def]
        """Give lines."""
        for one in range(many):
            yield one

    def was_done(many: int):  # type: ignore[no-untyped-def]
        yield many

    @tw.tool(kind="effect", on_crash="check", check=was_done)
    def work(many: int) -> int:
        """Work."""
        return many

    assert tools_with(rows, lines, work, tw.tool(name="part")(partial(rows.function, 3))) == [
        "TW086 'rows' is a generator, and a tool gives one result",
        "TW086 'lines' is a generator, and a tool gives one result",
        "TW086 the check of 'work' is a generator, and a tool gives one result",
        "TW086 'part' is a generator, and a tool gives one result",
    ]


def test_importing_turnwise_and_reading_a_document_load_no_pydantic() -> None:
    import subprocess
    import sys

    code = (
        "import sys, turnwise as tw; tw.check('tests/flows/health_intake.flow.yaml'); print('pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
