"""What a question about what would have been supposes: the part of it with other values, and the fields of these."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from turnwise.core.machine import Candidate, Machine
from turnwise.core.state import State
from turnwise.core.values.json_data import as_list
from turnwise.errors import UnknownSubject
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Subject
from turnwise.why.names import words_in
from turnwise.why.reading.sentences import TURN
from turnwise.why.reading.supposed_values import YES_OR_NO, Said, ValueReader
from turnwise.why.reading.titles import titles_of
from turnwise.why.reading.words import COMMON, MENTIONING, NEGATIONS, words_of
from turnwise.why.supposition import Supposition, read_by

_BEGINS = late_pattern(
    r"\s*(?:and |so |but |then |und |aber |also |dann )?(?:"
    r"(?!would you (?:please )?(?:explain|tell|say|show)\b)would(?:n't)?\b|could\b.*\bhave\b|what[ -]if\b"
    r"|what (?:happens|will happen) if\b|was (?:passiert|geschieht),? wenn\b"
    r"|(?:what|where|how|who|which \w+) (?:would|could)\b|had\b.*\bwould\b|if\b.*\bwould\b"
    r"|(?:suppose|supposing|assuming|imagine)\b"
    r"|(?:was|wo|wohin|wie|wer) (?:wäre|hätte|würde)\w*\b|(?:hätte|wäre|würde|könnte|dürfte)\w*\b"
    r"|(?:wenn|falls)\b.*\b(?:wäre|hätte|würde|könnte|dürfte)\w*\b|angenommen\b)"
)
"""How a question begins that is about what would have been, where it has a value."""
_CLEAR = late_pattern(
    r"\bif\b.*\b(?:had|were)\b.*\bwould\b|\bwould\b.*\bif (?!no\b|nobody|nothing)\w+ (?:had|were)\b"
    r"|\bwhat if\b.*\b(?:had|was|were)\b|\bwould (?:\w+ ){0,2}have\b.*\b(?:if|with|without|at \d+)\b"
    r"|\b(?:wäre|hätte)\b.*\b(?:wenn|mit \d+)\b|\bwenn\b.*\b(?:wäre|hätte)\b"
)
"""What a question has that can only be about what would have been."""
_IF = (
    late_pattern(
        r"(?:\b(?:if|wenn|falls|suppose|supposing|assuming|imagine)\b|^\s*angenommen\b)(?P<part>.*?)"
        r"(?:(?=,?\s+(?:then )?(?:would|could)\b)|(?=,\s+(?:dann |so |was |wo )?(?:wäre|hätte|würde|könnte|dürfte))|$)"
    ),
    late_pattern(r"^\s*had\b(?P<part>.*?)(?=,?\s+(?:would|could)\b)"),
    late_pattern(r"\bhad(?= (?:i|you|he|she|it|we|they)\b)(?P<part>.*)$"),
    late_pattern(r",\s+hätte(?= (?:ich|du|sie|er|es|wir)\b)(?P<part>.*)$"),
)
"""The clause that supposes something; the rest of the question says what is asked."""
_WITH = late_pattern(r"\b(?:with|without|at|as|for|on|mit|ohne|bei|als|für|am)\b")
"""Words after which other values come, where no clause has them."""
_INSTEAD = late_pattern(r",?\s+(?:instead of|rather than|and not|statt|anstatt|und nicht)\s.*$|,\s+(?:not|nicht)\s.*$")
_AND = late_pattern(r"\s+(?:and|und)\s+|,\s+")
_STILL = late_pattern(r"\b(?:still|nevertheless|immer noch|trotzdem|dennoch|weiterhin)\b")
_MARKS = late_pattern(r"[“”\"„«»?!]")
_QUOTED = late_pattern(r"[“”\"„«]\s*([^“”\"„«»]+?)\s*[“”\"»]")
_DENIES = late_pattern(
    r"\b(?:not|never|no|kein\w*|nicht|nie|niemals|anything but|anyone but|other than|else than|except|außer)\b|n't"
)
"""Words that say that a value was not so."""
_TELLS = late_pattern(
    r"\b(?:say|says|said|tell|told|give|given|answer(?:ed)?|mention(?:ed)?|gesagt|genannt|angegeben|erwähnt)\b"
)
"""Verbs that say that a value was given: where it was not, the field has none."""
_THAN = (
    r"\b(?:(?<!rather )than|(?:under|below|over|above|least|most|up to|between|unter|über|mindestens|höchstens|bis zu"
    r"|zwischen|(?:mehr|weniger|älter|jünger|größer|kleiner|höher|länger) als))\s+(?:the age of |dem alter von )?"
)
_OR_MORE = (
    r"\s*(?:\+|(?:years? |jahre )?(?:or|oder|and|und) "
    r"(?:more|less|older|younger|over|above|mehr|weniger|älter|jünger)\b)"
)
"""Words before and after a value that is only a bound: `over 40`, `40 or older`."""
_ABSENT = words_of("without ohne")
_NAMING, _CLEARLY, _CERTAIN = 0.2, 0.4, 0.9
"""How well words must name a field at least, where no value is said, and so that no other one is meant."""
_UNCLEAR = "no other value is clear in"
FindSubjects = Callable[[str], tuple[Subject, ...]]
"""Returns the transitions, timers, nodes and questions that a text is about."""


class _Piece(NamedTuple):
    """A piece of a question with the values that are said in it, or denied; with `is_absent` a value is taken away."""

    text: str
    values: list[Said]
    is_absent: bool
    is_denied: bool


def is_hypothetical(text: str) -> bool:
    """Return whether a question may be about what would have been."""
    folded = text.casefold()
    return _BEGINS.match(folded) is not None or _CLEAR.search(folded) is not None


def read_supposition(machine: Machine, text: str, state: State, find: FindSubjects) -> Supposition | None:
    """Return what a question supposes; `None` for one that has no value and may be about something else. Raises
    `UnknownSubject` where it is not clear which value, or of which field.
    """
    plain = TURN.sub(" ", _MARKS.sub("", text.casefold().replace("’", "'")))
    readers, has_values = ValueReader(machine, state), False
    for part in _parts(plain, readers):
        said = [_piece(readers, phrase, text) for phrase in part.texts for text in phrase.pieces()]
        values_said = [one for piece in said for one in piece.values]
        _refuse_range(text, plain, values_said)
        has_values = has_values or any(one.fits and not one.is_no for one in values_said)
        rest = "" if part.is_clause else _without(part.text, [one.words for one in values_said])
        subjects = find(part.beside) or (find(f"{part.beside} {rest}") if rest.strip() else ())
        chooser = _Chooser(machine, text, state, _reads_of(machine, subjects))
        values = chooser.values(said)
        if values:
            subjects = tuple([one for one in subjects if one.kind != "question" or one.name not in values])
            against = _INSTEAD.search(part.text)
            known = [one.fits for one in (readers.read(against[0]) if against is not None else ())]
            instead = {name: fits[name] for fits in known for name in values if name in fits}
            is_still = _STILL.search(plain) is not None
            return Supposition(values, subjects, is_still, chooser.others(values), instead | chooser.denied)
    if not has_values and _CLEAR.search(plain) is None:
        return None
    named = [name for part in _parts(plain, readers) for name in _fields_named(machine, part.text, _CLEARLY)]
    best = titles_of(machine).weighed(words_in(plain)).best
    others = list(dict.fromkeys(one.name for one in best if one.kind != "field"))[:_MOST_NAMED]
    hints = (_hint(machine, state, named), f"ask why about {' or '.join(others)}" if others else "")
    raise UnknownSubject(text, "; ".join(filter(None, hints)), what=_UNCLEAR)


_MOST_NAMED = 3


def _refuse_range(text: str, plain: str, said: Iterable[Said]) -> None:
    """Raise `UnknownSubject` where a question supposes more or less than a value, of which any would do."""
    for one in said:
        words = re.escape(one.words)
        if not one.is_option and re.search(rf"{_THAN}{words}\b|\b{words}{_OR_MORE}", plain):
            hint = f"“{one.words}” is the bound of many values: ask with one of them"
            raise UnknownSubject(text, hint, what=_UNCLEAR)


def _hint(machine: Machine, state: State, named: Iterable[str]) -> str:
    """Return what can be supposed: the options of a field that is named, else the fields; other acts can be tried."""
    for name in named:
        field = machine.fields[name]
        text = "a text in quotation marks" if field.type == "string" else f"a value of type {field.type}"
        takes = ", ".join(option.value for option in field.options) or text
        return f"{name} takes {takes}"
    if machine.fields:
        return f"name one with its field: {', '.join(machine.fields)}; {_in_copy(state)}"
    return f"this flow has no fields; {_in_copy(state)}"


def _in_copy(state: State) -> str:
    """Return how another message or act is tried: in a copy that ends a turn earlier."""
    turn = max(1, state.turn - 1)
    return (
        "another message, act or result of a tool is tried in a copy from before it: "
        f'turnwise fork CONVERSATION COPY --turn {turn}, or chat.fork("COPY", turn={turn})'
    )


def _piece(readers: ValueReader, phrase: _Phrase, text: str) -> _Piece:
    """Return a piece of a phrase. A `no` beside another value is none, but denies it, as do `not` and the like: in a
    clause anywhere, after `with` before the value.
    """
    values = [*readers.read(text)]
    values = [one for one in values if not one.is_no] or values
    rest = _without(text, [one.words for one in values]) if phrase.is_clause else ""
    first = values[0].words if values else ""
    rest = rest or (text[: text.index(first)] if first and not phrase.is_clause else "")
    is_denied = bool(values) and (phrase.is_absent or _DENIES.search(rest) is not None)
    return _Piece(text, values, phrase.is_absent, is_denied and not phrase.is_whole)


class _Phrase(NamedTuple):
    """Words that may have other values, or after `without` that take one away: of a clause, of all, or of others."""

    text: str
    is_absent: bool = False
    is_clause: bool = False
    is_whole: bool = False

    def pieces(self) -> list[str]:
        """Return what `and` divides in them, without what they set against it."""
        return [piece for piece in _AND.split(_INSTEAD.sub("", self.text)) if piece.strip()]


class _Part(NamedTuple):
    """The part of a question that may have other values, and what stands before it. Beside a clause stands all that
    says what is asked.
    """

    texts: tuple[_Phrase, ...]
    beside: str
    is_clause: bool = False

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(one.text for one in self.texts)


def _parts(plain: str, readers: ValueReader) -> Iterator[_Part]:
    """Yield the clause of `if`; else the phrases with values that begin with `with` and the like; else what comes after
    each of these words, the last one first, then everything.
    """
    for pattern in _IF:
        found = pattern.search(plain)
        if found is not None:
            yield _Part(
                (_Phrase(found["part"], is_clause=True),),
                f"{plain[: found.start()]} {plain[found.end() :]}",
                is_clause=True,
            )
            return
    found = [*_WITH.finditer(plain)]
    ends = [*(one.start() for one in found[1:]), len(plain)]
    phrases = [_Phrase(plain[one.end() : end], one[0] in _ABSENT) for one, end in zip(found, ends, strict=False)]
    bearing = [at for at, one in enumerate(phrases) if one.is_absent or any(readers.read(one.text))]
    if bearing:
        yield _Part(tuple([phrases[at] for at in bearing]), plain[: found[bearing[0]].start()])
    for one in reversed(found):
        yield _Part((_Phrase(plain[one.end() :], one[0] in _ABSENT),), plain[: one.start()])
    yield _Part((_Phrase(plain, is_whole=True),), "")


def _without(text: str, said: Iterable[str]) -> str:
    """Return a text without the words of some values."""
    values = "|".join(map(re.escape, said))
    return re.sub(rf"\b(?:{values})\b", " ", text) if values else text


def _reads_of(machine: Machine, subjects: Iterable[Subject]) -> frozenset[str]:
    """Return the fields that the rules of some transitions, of the ways to some nodes, and of some questions read."""
    names = {(one.kind, one.name) for one in subjects}
    own = [one for one in machine.all_candidates() if not names.isdisjoint(_names_of(one))]
    forms = [node.form for node in machine.nodes.values() if node.form is not None]
    asked = [one for form in forms for one in form.questions if ("question", one.address) in names]
    found = [read_by(machine, one) for one in own]
    found += [{ref.address for ref in one.ask_when.refs} for one in asked if one.ask_when is not None]
    return frozenset[str]().union(*found)


def _names_of(candidate: Candidate) -> tuple[tuple[str, str], ...]:
    return ("node", candidate.target), ("transition", candidate.id), ("timer", candidate.id)


# values --------------------------------------------------------------------------------------------


class _Chooser:
    """Finds for each value that was said the field that it is meant for. `reads` are the fields that decide what the
    question asks about.
    """

    def __init__(self, machine: Machine, text: str, state: State, reads: Collection[str]) -> None:
        self.machine = machine
        self.text = text
        self.state = state
        self.reads = reads
        quoted = _QUOTED.search(text)
        self.quoted = quoted[1] if quoted is not None else ""
        self._choice: tuple[str, list[Any]] | None = None
        """A field of which a value is denied, with all that it could have been instead."""
        self.denied: dict[str, Any] = {}
        """The values that are denied, by field."""

    def _is_text(self, name: str) -> bool:
        """Return whether a field takes any text."""
        return self.machine.fields[name].type == "string" and not self.machine.fields[name].options

    def values(self, said: Iterable[_Piece]) -> dict[str, Any]:
        """Return the value of each field that is meant. Raises `UnknownSubject` where one is not clear."""
        found: dict[str, Any] = {}
        for piece, values, is_absent, is_denied in said:
            named = _fields_named(self.machine, piece)
            only = _fields_named(self.machine, _without(piece, [one.words for one in values]), _CERTAIN)
            for one in values:
                address = self._field(one, named, only)
                if address is not None and is_denied and not self.machine.fields[address].secret:
                    self._deny(found, address, one.fits[address], piece, is_absent=is_absent)
                elif address is not None:
                    self._put(found, address, one.fits[address])
            texts = [name for name in only if self._is_text(name)] if self.quoted else []
            found |= dict.fromkeys(texts[:1], self.quoted)
            if not any(name in found for name in named) and (not values or all(one.is_no for one in values)):
                found |= self._unsaid(piece, is_absent=is_absent)
        return found

    def others(self, values: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
        """Return what could have been in the place of a value that is denied, beside some values."""
        address, others = self._choice or ("", [None])
        return tuple([{**values, address: value} for value in others[1:]])

    def _deny(self, found: dict[str, Any], address: str, value: Any, piece: str, *, is_absent: bool) -> None:
        """Suppose that a field had not the value that it has: another one of two or of its options, or none."""
        field, now = self.machine.fields[address], self.state.values.get(address)
        had = now.value if now is not None else None
        items = as_list(had)
        if value not in (items if items is not None else [had]):
            hint = f"{address} is not {value}: ask with the value that it would have had"
            raise UnknownSubject(self.text, hint, what=_UNCLEAR)
        self.denied[address] = had
        options = [option.value for option in field.options if option.value != value]
        if items is not None:
            found[address] = [one for one in items if one != value] or None
        elif field.type == "boolean":
            found[address] = not value
        elif options and self._choice is None:
            self._choice = address, [*options, None]
            found[address] = options[0]
        elif is_absent or _TELLS.search(piece) is not None:
            found[address] = None
        else:
            raise UnknownSubject(self.text, f"name the value that {address} would have had", what=_UNCLEAR)

    def _put(self, found: dict[str, Any], address: str, value: Any) -> None:
        if self.machine.fields[address].type == "list":
            before = found.setdefault(address, [])
            before += [value] if value not in before else []
        elif found.setdefault(address, value) != value:
            both = f"{found[address]} and {value}"
            raise UnknownSubject(self.text, f"{both} are two values of {address}: ask with one of them", what=_UNCLEAR)

    def _field(self, said: Said, named: Collection[str], only: Collection[str]) -> str | None:
        """Return the field that a value is meant for: the one that is named, that what is asked about reads, or that
        has a value; else the only one. `None` where others are named beside it, which do not take it (`three groups`),
        and where a no only negates something.
        """
        fits: Collection[str] = list(said.fits)
        if any(
            names and not any(name in fits for name in names)
            for names in (() if said.is_option else only, named if said.is_no else ())
        ):
            return None
        for some in (named, self.reads, self.state.values):
            fits = [name for name in fits if name in some] or fits
        if len(fits) > 1:
            hint = f"“{said.words}” may be a value of {' or '.join(fits)}: ask with the name of one of them"
            raise UnknownSubject(self.text, hint, what=_UNCLEAR)
        return next(iter(fits), None)

    def _unsaid(self, piece: str, *, is_absent: bool) -> dict[str, Any]:
        """Return what a piece supposes that names a field, and no value: a yes or no agreed to, a value taken away."""
        words = words_in(piece.replace("n't", " not"))
        is_negated = is_absent or not NEGATIONS.isdisjoint(words) or _DENIES.search(piece) is not None
        for name in _fields_named(self.machine, piece, _CLEARLY):
            if self.machine.fields[name].type == "boolean":
                return {name: not is_negated}
            if is_negated:
                return {name: None}
        return {}


def _fields_named(machine: Machine, piece: str, least: float = 0.0) -> list[str]:
    """Return the fields that a piece of a question names; else, where they need not be named well, those whose
    questions have its words.
    """
    titles = titles_of(machine)
    words = [word for word in words_in(piece) if not word.isdecimal() and word not in MENTIONING | YES_OR_NO]
    named = titles.weighed(tuple(words))
    own = [one.name for one in named.best if one.kind == "field" and named.weight >= max(least, _NAMING)]
    content = [word for word in words if word not in COMMON | NEGATIONS]
    return own or [name for name in titles.mentioned(content) if name in machine.fields and not least]
