"""Formats dates, times, numbers and currency amounts for users, by language and time zone.

The only module that uses Babel. It is imported by the first value that needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from msgspec import Struct

from turnwise.core.guards.types import CONVERTERS, ITEM_PREFIX, LIST_PREFIX, type_of, type_words, value_text
from turnwise.core.language import Language
from turnwise.core.state.items import ID, is_id
from turnwise.core.state.kinds import ERASED
from turnwise.core.values import REDACTED, Refused
from turnwise.core.values.json_data import as_list, as_object
from turnwise.core.zones import named_zone
from turnwise.flow.diagnostic import nearest
from turnwise.flow.guard import GuardError
from turnwise.flow.model import Field
from turnwise.flow.template import REQUIRED, Format, read_format

STYLES = ("short", "medium", "long", "full")
"""The styles in which a date or time can be shown."""
_WIDTHS = ("long", "short", "narrow")
_NUMBERS = ("int", "double")
_UNITS = (("week", 604_800), ("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1))


class FormatLocale(Struct, frozen=True):
    """The language and time zone for which a text is formatted."""

    language: str
    """The code of the language, such as `de`."""
    zone: str
    """The name of the time zone, such as `Europe/Vienna`."""


Formatter = Callable[[Any, FormatLocale], str]
"""A function that writes a value of one type for people."""


# values without a format ------------------------------------------------------------------------


_FAULTS = (ValueError, TypeError, AttributeError, ArithmeticError, LookupError)
"""What Babel raises for a value that it cannot write, and where the tables of a language have a gap."""


def localized(kind: str, value: Any, place: FormatLocale) -> str:
    """Return a value of the guard type `kind` as text for users, in the default format of its type for the language and
    time zone of `place`.
    """
    try:
        return _localized(kind, value, place)
    except _FAULTS:
        return value_text(value)


def _localized(kind: str, value: Any, place: FormatLocale) -> str:
    parts = as_object(value)
    if parts is not None and is_id(parts.get(ID)):
        return ", ".join([localized("dyn", one, place) for name, one in parts.items() if name != ID])
    if isinstance(value, list):
        item = kind.removeprefix(LIST_PREFIX)
        joint = "; " if item.startswith(ITEM_PREFIX) else ", "
        return joint.join(localized(item, one, place) for one in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, datetime):
        return _moment(value, place)
    if isinstance(value, timedelta):
        return _duration(value, place, "long")
    match kind:
        case "date":
            return _date(value, place, "medium")
        case "time":
            return _time(value, place, "medium" if time.fromisoformat(value).second else "short")
        case _ if isinstance(value, float) and place.language != "en":
            return _plain_number(value, place)
        case _:
            return value_text(value)


def _moment(value: datetime, place: FormatLocale) -> str:
    """Return a moment without seconds: date, then time of day."""
    from babel.dates import get_datetime_format

    joined = str(get_datetime_format("medium", locale=_locale(place.language))).replace("'", "")
    return joined.replace("{0}", _time(value, place, "short")).replace("{1}", _date(value, place, "medium"))


def _plain_number(value: float, place: FormatLocale) -> str:
    """Return a number with the language's decimal mark and no thousands marks: it may be a year."""
    from babel.numbers import format_decimal

    return format_decimal(
        Decimal(str(value)), locale=_locale(place.language), decimal_quantization=False, group_separator=False
    )


# formats by name --------------------------------------------------------------------------------


def _date(value: Any, place: FormatLocale, style: str) -> str:
    from babel.dates import format_date

    day = value.astimezone(named_zone(place.zone)).date() if isinstance(value, datetime) else date.fromisoformat(value)
    return format_date(day, style, locale=_locale(place.language))


def _time(value: Any, place: FormatLocale, style: str) -> str:
    from babel.dates import format_time

    if isinstance(value, datetime):
        found = format_time(value, style, tzinfo=named_zone(place.zone), locale=_locale(place.language))
    else:
        plain = "medium" if style in ("long", "full") else style  # a time of day has no zone that could be named
        found = format_time(time.fromisoformat(value), plain, locale=_locale(place.language))
    return _spaced(found)


def _datetime(value: Any, place: FormatLocale, style: str) -> str:
    from babel.dates import format_datetime

    found = format_datetime(value, style, tzinfo=named_zone(place.zone), locale=_locale(place.language))
    return _spaced(found)


def _spaced(text: str) -> str:
    """Replace narrow no-break spaces by common spaces: many programs show the narrow one as a box."""
    return text.replace("\u202f", " ")


def _duration(value: timedelta, place: FormatLocale, width: Any) -> str:
    """Return a time span in its units, the largest first."""
    left, locale = abs(value.total_seconds()), _locale(place.language)
    counts: list[tuple[str, float]] = []
    for unit, size in _UNITS:
        count, left = divmod(left, size)
        if unit == "second":
            count += left
        if count or (unit == "second" and not counts):
            counts.append((unit, int(count) if float(count).is_integer() else count))
    joined = _joined([_unit(count, unit, width, locale) for unit, count in counts], width, locale)
    return f"-{joined}" if value < timedelta() else joined


def _unit(count: float, unit: str, width: Any, locale: Any) -> str:
    """Return a number with its unit, in a wider style if the language lacks this width."""
    from babel.units import format_unit

    for form in (width, "short", "long"):
        found = format_unit(count, f"duration-{unit}", form, locale=locale)
        if "duration-" not in found:
            return found
    return format_unit(count, f"duration-{unit}", "long", locale="en")


def _joined(parts: list[str], width: str, locale: Any) -> str:
    """Join the units of a time span, in another style if the language lacks the pattern of this width."""
    from babel.lists import format_list

    styles: list[Any] = ["unit" if width == "long" else f"unit-{width}", "unit-short", "unit-narrow"]
    for style in styles:
        try:
            return format_list(parts, style=style, locale=locale)
        except (LookupError, ValueError):  # Babel keeps no aliases between these styles
            continue
    return ", ".join(parts)


def _number(value: Any, place: FormatLocale, pattern: str) -> str:
    from babel.numbers import format_decimal

    return format_decimal(Decimal(str(value)), format=pattern or None, locale=_locale(place.language))


def _percent(value: Any, place: FormatLocale, pattern: str) -> str:
    from babel.numbers import format_percent

    return format_percent(Decimal(str(value)), format=pattern or None, locale=_locale(place.language))


def _currency(value: Any, place: FormatLocale, code: str) -> str:
    from babel.numbers import format_currency

    return format_currency(Decimal(str(value)), code, locale=_locale(place.language))


class _Named(Struct, frozen=True):
    """A named format: the types it formats, its styles, and the letters that its patterns may contain."""

    kinds: tuple[str, ...]
    run: Callable[[Any, FormatLocale, str], str]
    words: tuple[str, ...] = ()
    usual: str = ""
    letters: str | None = None
    sample: Any = None


_DATE_LETTERS, _TIME_LETTERS = "GyYQqMLwWdDFEec", "ahHKkmsSzZvVxXO"
_MOMENT = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
FORMATS = {
    "date": _Named(("date", "timestamp"), _date, STYLES, "medium", _DATE_LETTERS, "2026-11-20"),
    "time": _Named(("time", "timestamp"), _time, STYLES, "short", _TIME_LETTERS, _MOMENT),
    "datetime": _Named(("timestamp",), _datetime, STYLES, "medium", _DATE_LETTERS + _TIME_LETTERS, _MOMENT),
    "duration": _Named(("duration",), _duration, _WIDTHS, "long"),
    "number": _Named(_NUMBERS, _number, (), "", "", 1234.5),
    "percent": _Named(_NUMBERS, _percent, (), "", "", 0.25),
    "currency": _Named(_NUMBERS, _currency),
}
"""The formats that a text may name behind `|`."""


_AS_IT_IS = f"a text is written as it is; formats are for dates, times and numbers: {', '.join(FORMATS)}"
_FILTERS = {
    **dict.fromkeys(("upper", "title", "capitalize", "trim", "strip", "safe", "escape", "e", "string"), _AS_IT_IS),
    "lower": "it is a function: write {{ lower(…) }}",
    **dict.fromkeys(("length", "count", "size"), "write {{ size(…) }}"),
    "default": "it is a function: write {{ default(visit.x, '') }}",
}
"""Filters of other template languages, and what is written here."""


def formatter(of: Format, kind: str) -> Formatter:
    """Return the function that formats values of the guard type `kind` in a given format. Raises `GuardError`."""
    found = FORMATS.get(of.name)
    if found is None:
        hint = _FILTERS.get(of.name) or nearest(of.name, (*FORMATS, REQUIRED)) or f"formats are {', '.join(FORMATS)}"
        raise GuardError("TW038", f"there is no format '{of.name}'", of.at, hint)
    item = kind.removeprefix(LIST_PREFIX)
    if item not in (*found.kinds, "dyn"):
        takes = " or ".join(dict.fromkeys(type_words(one) for one in found.kinds))
        raise GuardError("TW038", f"the format '{of.name}' is for {takes}, this is {type_words(item)}", of.at)
    argument = _argument(of, found)

    def run(value: Any, place: FormatLocale) -> str:
        if isinstance(value, list):
            return ", ".join(run(one, place) for one in value)  # pyright: ignore[reportUnknownVariableType]
        try:
            return found.run(value, place, argument)
        except _FAULTS:
            return value_text(value)

    return run


def _argument(of: Format, named_: _Named) -> str:
    """Return the checked argument of a format, such as its style or pattern."""
    if of.name == "currency":
        return _code(of)
    if not of.argument:
        return named_.usual
    if not of.is_pattern:
        if of.argument in named_.words:
            return of.argument
        words = f"{', '.join(named_.words)}" if named_.words else ""
        hint = nearest(of.argument, named_.words) if named_.words else "a pattern needs quotes"
        message = f"'{of.name}' has no format '{of.argument}'"
        raise GuardError("TW038", message, of.at, hint or words)
    _check_pattern(of, named_)
    return of.argument


def _check_pattern(of: Format, named_: _Named) -> None:
    """Raise `GuardError` if a pattern has unknown letters or cannot format a sample."""
    if named_.letters is None:
        raise GuardError("TW038", f"'{of.name}' takes no pattern", of.at, ", ".join(named_.words))
    fixed = of.argument.split("'")[::2]
    strange = sorted({one for part in fixed for one in part if one.isalpha() and one not in named_.letters})
    is_number = named_.letters == ""
    if strange:
        hint = "letters that mean themselves stand in single quotes: 'of'"
        raise GuardError("TW038", f"'{strange[0]}' means nothing in a pattern of '{of.name}'", of.at, hint)
    try:
        if is_number and not any(mark in part for part in fixed for mark in "0#"):
            raise ValueError("no digits")
        named_.run(named_.sample, FormatLocale("en", "UTC"), of.argument)
    except Exception:  # noqa: BLE001  Babel raises errors of many kinds for patterns that it cannot read
        example = '"#,##0.00"' if is_number else '"EEEE, d MMMM y"'
        raise GuardError("TW038", f"the pattern '{of.argument}' cannot be read", of.at, f"such as {example}") from None


def _code(of: Format) -> str:
    """Return the currency code in an argument, checked."""
    if not of.argument:
        raise GuardError("TW038", "'currency' needs a currency", of.at, "as in currency: EUR")
    from babel.numbers import list_currencies

    known = list_currencies()
    if of.argument not in known:
        hint = nearest(of.argument.upper(), sorted(known)) or "currencies have three letters, such as EUR"
        raise GuardError("TW038", f"there is no currency '{of.argument}'", of.at, hint)
    return of.argument


@lru_cache(maxsize=32)
def _locale(language: str) -> Any:
    """Return Babel's data of a language; English if Babel does not know it."""
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return Locale("en")


def readable(language: Language, zone: str, field: Field, value: Any) -> str:
    """Return a field's stored value as text for users, in the language and time zone of the conversation."""
    if field.secret:
        return REDACTED
    kind = type_of(field)
    for option in field.options:
        if option.label:
            value = _as_labelled(field, value)
            break
    convert = CONVERTERS.get(kind)
    if value == []:
        return language.text("value_none")
    if value == ERASED:
        return ERASED
    found = value if convert is None or value is None else convert(value)
    if field.format and found is not None:
        return _own_format(field.format, kind)(found, FormatLocale(language.code, zone))
    return for_people(language, zone, kind, found)


@lru_cache(maxsize=256)
def _own_format(text: str, kind: str) -> Formatter:
    """Return the function that formats the values of a field as the field itself says."""
    return formatter(read_format(text), kind)


def _as_labelled(field: Field, value: Any) -> Any:
    """Return the label of an option that has one in place of its value."""
    labels = {one.value: one.label for one in field.options if one.label}
    items = as_list(value)
    return labels.get(value, value) if items is None else [labels.get(one, one) for one in items]


def for_people(language: Language, zone: str, kind: str, value: Any) -> str:
    """Return a guard value as text for users, by its guard type."""
    if type(value) is str and kind not in ("date", "time"):
        return value
    if isinstance(value, bool):
        return language.text("value_yes" if value else "value_no")
    return localized(kind, value, FormatLocale(language.code, zone))


def refusal(language: Language, zone: str, refused: Refused) -> str:
    """Return the text that explains to users why a value was refused."""
    if not refused.words:
        return refused.text
    field = Field("", type=refused.kind)
    words = {
        name: ", ".join([readable(language, zone, field, one) for one in as_list(value) or [value]])
        for name, value in refused.words.items()
    }
    is_time = refused.kind in ("date", "time", "datetime")
    reason = _IN_TIME.get(refused.reason, refused.reason) if is_time else refused.reason
    return language.text(f"refused_{reason}", **words)


_IN_TIME = {"min": "early", "max": "late"}


def for_models(language: Language, value: Any) -> str:
    """Return a guard value as text for a prompt, with dates and times in ISO form."""
    return language.text("value_yes" if value else "value_no") if isinstance(value, bool) else value_text(value)


LINE_BREAK = " ↵ "
"""What stands for a line break inside a value, so that no part of the value looks like a line of the machine."""


def in_one_line(value: Any) -> Any:
    """Return a value, or a list of values, in which each text has its line breaks replaced by spaces."""
    if isinstance(value, str):
        lines = value.splitlines()
        return LINE_BREAK.join(line.strip() for line in lines if line.strip()) if len(lines) > 1 else value
    items = as_list(value)
    return value if items is None else [in_one_line(item) for item in items]
