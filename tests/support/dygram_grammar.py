"""A second, slow reader of DyGram: a table of rules that says only whether a text is a document.

It shares nothing with the parser: another tokenizer, and rules that are tried in all ways. A rule is a list of
alternatives, an alternative a list of parts. A part is a rule, a token in quotes, a class of tokens in capitals, each
with `?`, `*` or `+` behind it, or `!SAMELINE`: no name follows in this line, or `!TIGHT`: no blank stands here.
`MACHINE` blocks hold attributes only, and a label needs a part: there the parser says more than the grammar demands.
"""

from __future__ import annotations

import re
from functools import cache

RULES = """
file: import* header? item*
import: 'import' '{' imported more_imported* '}' 'from' STRING semi?
more_imported: ',' imported
imported: qname alias?
alias: 'as' ID
header: 'machine' STRING annotation* machine_body? semi?
machine_body: '{' plain_attribute* '}'
plain_attribute: ID generic? value_part? semi? | full_attribute
attributes: '{' attribute* '}'
item: edge | node | full_attribute
node: ID '#'? qname rest | '#' qname rest | external_free rest
external_free: ID dotted+ | ID !SAMELINE
rest: STRING? annotation* block? semi? | annotation+ STRING annotation* block? semi?
block: '{' item* '}'
full_attribute: key generic value_part? end? | key value_part end?
key: ID | STRING
attribute: hyphenated generic? value_part? end? | qname value_part end? | full_attribute
generic: '<' type '>'
value_part: ':' value
value: scalar | array | attributes
array: '[' items? ']'
items: value more_items* ','?
more_items: ',' value
scalar: STRING | NUMBER | '-' NUMBER | ID | EXTERNAL
type: qname arguments? '?'? | STRING union*
union: '|' STRING
arguments: '<' type more_types* '>'
more_types: ',' type
annotation: '@' word given?
word: ID | 'machine' | 'import' | 'from' | 'as'
given: '(' argument ')'
argument: scalar | qname | parameter more_parameters* ';'?
more_parameters: ';' parameter
parameter: hyphenated parameter_value?
parameter_value: ':' scalar
edge: names segment+ attributes? semi?
names: qname more_names*
more_names: ',' qname
segment: STRING? arrow STRING? names
arrow: ARROW | '-' label '->' | '--' label '-->' | '=' label? '=>'
label: part more_parts* separator?
more_parts: separator? part
separator: ',' | ';'
part: annotation | setting | scalar
setting: ID ':' scalar
qname: ID dotted*
dotted: '.' ID
hyphenated: ID hyphen*
hyphen: !TIGHT '-' !TIGHT ID
end: ';' | ','
semi: ';'
"""
_TOKEN = re.compile(
    r"\s+|//.*|/\*[\s\S]*?\*/|(?P<t><--[A-Za-z_][A-Za-z_0-9]*-->|<-->|<\|--|\*-->|o-->|-->|->|=>"
    r"|[A-Za-z_][A-Za-z_0-9]*|\"(?:\\[\s\S]|[^\\\"])*\"|'(?:\\[\s\S]|[^\\'])*'|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
    r"|\#[A-Za-z_][A-Za-z_0-9]*|--|[-={}\[\]()<>:;,.@|?#])"
)
_KEYWORDS = ("machine", "import", "from", "as")


@cache
def _rules() -> dict[str, list[list[str]]]:
    lines = [line.split(": ", 1) for line in RULES.strip().splitlines()]
    return {name: [alternative.split() for alternative in re.split(r" \| ", text)] for name, text in lines}


def _tokens(text: str) -> list[tuple[str, int, bool]] | None:
    """The tokens with the lines in which they end, and whether a blank stands before them; `None` where a character
    begins none.
    """
    found: list[tuple[str, int, bool]] = []
    at, line, is_tight = 0, 0, False
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None or _is_cut(text, token):
            return None
        if token["t"]:
            found.append((token["t"], line + token[0].count("\n"), is_tight))
        line += token[0].count("\n")
        is_tight = bool(token["t"])
        at = token.end()
    return found


def _is_cut(text: str, token: re.Match[str]) -> bool:
    """Whether a name ends before a letter that no name has."""
    after = text[token.end() : token.end() + 1]
    return re.fullmatch(r"[A-Za-z_]\w*", token[0]) is not None and not after.isascii() and after.isalpha()


def is_document(text: str) -> bool:
    """Whether a text is a document."""
    tokens = _tokens(text)
    return tokens is not None and len(tokens) in _Recogniser(tokens).ends("file", 0)


class _Recogniser:
    """Finds where each rule may end that begins at a token."""

    def __init__(self, tokens: list[tuple[str, int, bool]]) -> None:
        self.tokens = tokens
        self.known: dict[tuple[str, int], frozenset[int]] = {}

    def ends(self, rule: str, at: int) -> frozenset[int]:
        """The tokens behind which a rule may end."""
        if (rule, at) not in self.known:
            found = [self.sequence(alternative, at) for alternative in _rules()[rule]]
            self.known[rule, at] = frozenset().union(*found)
        return self.known[rule, at]

    def sequence(self, parts: list[str], at: int) -> frozenset[int]:
        """Where some parts may end, one after the other."""
        ends = frozenset((at,))
        for part in parts:
            ends = frozenset(end for begin in ends for end in self.part(part, begin))
        return ends

    def part(self, part: str, at: int) -> frozenset[int]:
        """Where a part may end, with its repetitions."""
        last = part[-1]
        if last not in "?*+" or len(part) == 1:
            return self.one(part, at)
        once = self.one(part[:-1], at)
        if last == "?":
            return once | {at}
        found, new = set(once), set(once)
        while new:
            new = {end for begin in new for end in self.one(part[:-1], begin)} - found
            found |= new
        return frozenset(found if last == "+" else found | {at})

    def one(self, part: str, at: int) -> frozenset[int]:
        """Where a part may end."""
        if part in _rules():
            return self.ends(part, at)
        token, line, is_tight = self.tokens[at] if at < len(self.tokens) else ("", -1, False)
        is_name = re.fullmatch(r"[A-Za-z_]\w*", token) is not None and token not in _KEYWORDS
        if part == "!SAMELINE":
            follows = is_name or token == "#"
            return frozenset(() if follows and self.tokens[at - 1][1] == line else (at,))
        if part == "!TIGHT":
            return frozenset((at,) if is_tight else ())
        kinds = {
            "ID": is_name,
            "STRING": token[:1] in ('"', "'") and len(token) > 1,
            "NUMBER": token[:1].isdigit(),
            "EXTERNAL": token[:1] == "#" and len(token) > 1,
            "ARROW": re.fullmatch(r"<--\w+-->|<-->|<\|--|\*-->|o-->|-->|->|=>", token) is not None,
        }
        holds = kinds[part] if part in kinds else token == part.strip("'")
        return frozenset((at + 1,) if holds and at < len(self.tokens) else ())
