"""How answers are collected: forms with their questions, and fields filled along the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from turnwise.flow.call_sites import within
from turnwise.flow.converters import guard, lenient, many, short, text, texts
from turnwise.flow.diagnostic import Span
from turnwise.flow.frozen import frozen
from turnwise.flow.model.values import AnyGuard, Guard, Option, Options, options
from turnwise.flow.model.words import (
    CollectMode,
    EditWay,
    Exposure,
    LastRung,
    MatchMode,
    Namings,
    Prefill,
    Texts,
    Values,
    Wording,
    span,
    table_of,
)


@lenient(values=texts)
@frozen
class Stop:
    """Answers that end a form, and what is said then."""

    values: tuple[str, ...]
    say: str = ""
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            values: Values,
            say: str = "",
            span: Span = ...,
        ) -> None: ...


@lenient(field=text, options=options, ask_when=guard, stop=short(Stop, texts), validate=guard, rephrase=texts)
@frozen
class FormField:
    """One question of a form. `key` is its name on the wire where that is no field name."""

    field: str
    ask: str = ""
    help: str = ""
    required: bool = True
    asked: bool = True
    options: tuple[Option, ...] = ()
    other: bool = False
    anything: bool = False
    buttons: Mapping[str, str] = table_of()
    ask_when: Guard = ""
    stop: Stop | None = None
    match: MatchMode = "direct_then_model"
    validate: Guard = ""
    refuse: str = ""
    rephrase: tuple[str, ...] = ()
    then: LastRung = ""
    key: str = ""
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            field: str,
            ask: str = "",
            help: str = "",
            required: bool = True,
            asked: bool = True,
            options: Options = (),
            other: bool = False,
            anything: bool = False,
            buttons: Mapping[str, str] = ...,
            ask_when: AnyGuard = "",
            stop: Stop | Values | None = None,
            match: MatchMode = "direct_then_model",
            validate: AnyGuard = "",
            refuse: str = "",
            rephrase: Texts = (),
            then: LastRung = "",
            key: str = "",
            span: Span = ...,
        ) -> None: ...


@lenient()
@frozen
class Confirm:
    """How a form lets its answers be confirmed: summary template, button labels, way to edit."""

    summary: str = ""
    buttons: Mapping[str, str] = table_of()
    edit: EditWay = "chooser"
    span: Span = span()


def _confirm(value: Any, span: Span, key: str) -> Any:
    """How answers are confirmed, or only that they are."""
    if isinstance(value, bool):
        return Confirm(span=within(span, key)) if value else None
    return value


@lenient(fields=many(short(FormField, text)), confirm=_confirm)
@frozen
class Form:
    """Fields that are asked in order, may be confirmed, and may end early."""

    fields: tuple[FormField, ...] = ()
    questions: str = ""
    confirm: Confirm | None = None
    statement: str = ""
    handoff: str = ""
    acknowledge: str = ""
    wording: Wording = "fixed"
    fresh: bool = False
    prefill: Prefill = ""
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            fields: Sequence[FormField | str] = (),
            questions: str = "",
            confirm: Confirm | bool | None = None,
            statement: str = "",
            handoff: str = "",
            acknowledge: str = "",
            wording: Wording = "fixed",
            fresh: bool = False,
            prefill: Prefill = "",
            span: Span = ...,
        ) -> None: ...


@lenient(fields=texts)
@frozen
class Collect:
    """Fields that are filled from what the user says while a node works."""

    fields: tuple[str, ...]
    mode: CollectMode = "conversational"
    expose: Exposure = "all"
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            fields: Namings,
            mode: CollectMode = "conversational",
            expose: Exposure = "all",
            span: Span = ...,
        ) -> None: ...
