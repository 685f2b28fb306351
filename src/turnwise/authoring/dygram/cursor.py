"""The position of the parser in the tokens of a document: the next token, what was expected, where reading continues
after a mistake, and which comments belong to which statement.
"""

from __future__ import annotations

from turnwise.authoring.dygram.scanner import Comment, Source, Token, Tokens, repaired
from turnwise.authoring.dygram.syntax import Layout
from turnwise.authoring.source import MAX_DEPTH, MAX_PARTS, DocumentRefused, shown_text
from turnwise.flow.diagnostic import Diagnostic, Span, problem

MOST_REPORTED = 100
"""How many problems are reported; after these the rest of a document is not read."""
_OPENING, _CLOSING = ("{", "[", "("), ("}", "]", ")")
_BEGINS = frozenset((":", "<", "{", "@", ",", "."))
"""The marks that follow the first word of a statement."""


class ReadAgain(Exception):
    """Raised to read a document again from its beginning with other tokens, in which a missing quote was added."""

    def __init__(self, tokens: Tokens, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.tokens = tokens
        self.diagnostic = diagnostic


class SyntaxFault(Exception):
    """Raised for a statement that cannot be read further; its problem is already reported."""


class Cursor:
    """The position of the parser among the tokens of a document, and the problems so far."""

    def __init__(self, source: Source, tokens: Tokens) -> None:
        self.source = source
        self.tokens, self.comments = tokens
        self.at = 0
        self.token = self.tokens[0]
        self.diagnostics: list[Diagnostic] = []
        self.depth = 0
        self.parts = 0
        self._comment = 0
        """The first comment that belongs to no statement yet."""

    # tokens ------------------------------------------------------------------------------------

    def peek(self, ahead: int = 1) -> Token:
        """Return the token that is `ahead` tokens after the present one; the end token beyond the last."""
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    @property
    def previous(self) -> Token:
        """The token before the present one; the first has itself."""
        return self.tokens[max(self.at - 1, 0)]

    def next(self) -> Token:
        """Move to the next token, and return the token that was present before."""
        token = self.token
        if self.at < len(self.tokens) - 1:
            self.at += 1
            self.token = self.tokens[self.at]
        return token

    def is_mark(self, *marks: str) -> bool:
        """Return whether the present token is one of these marks."""
        return self.token.kind == "mark" and self.token.text in marks

    def skip(self, mark: str) -> bool:
        """Move past the present token if it is this mark; return whether it is."""
        if self.token.kind != "mark" or self.token.text != mark:
            return False
        self.next()
        return True

    def expect(self, mark: str, what: str) -> Token:
        """Move past a mark that must be the present token, and return it; `what` says in a message where it is missing.
        Raises `SyntaxFault` if it is another token.
        """
        if not self.is_mark(mark):
            raise self.fault(f"'{mark}' {what}")
        return self.next()

    def is_on_new_line(self, token: Token, before: Token) -> bool:
        """Return whether `token` begins in a later line than `before` ends."""
        return self.source.text.find("\n", before.end, token.at) >= 0

    def length_of_path(self) -> int:
        """Return the number of tokens of the name that begins at the present token: `a.b` has three."""
        length = 1
        while self.peek(length).text == "." and self.peek(length + 1).kind == "name":
            length += 2
        return length

    # problems ----------------------------------------------------------------------------------

    def span(self, at: int) -> Span:
        """Return the position of an offset as file, line and column."""
        return Span(self.source.file, *self.source.place(at))

    def report(self, code: str, message: str, at: int, hint: str = "") -> None:
        """Record a problem at the offset `at`. Raises `Refused` if there are too many problems to continue."""
        self.diagnostics.append(problem(code, message, self.span(at), hint))
        if len(self.diagnostics) >= MOST_REPORTED:
            message = f"the document has {MOST_REPORTED} problems up to here, and is not read further"
            raise DocumentRefused(problem("TW130", message, self.span(at)))

    def fault(self, expected: str, hint: str = "") -> SyntaxFault:
        """Report that the next token is not what is `expected`, with a hint what to write; return the exception to
        raise.
        """
        from turnwise.authoring.dygram.mistakes import unreadable

        token = self.token
        repair = repaired(self.source, Tokens(self.tokens, self.comments), self.at)
        if repair is not None:
            hint = "end it in its line, or write \\n for the break"
            span = self.span(repair.at)
            raise ReadAgain(
                repair.tokens, problem("TW132", "the text that begins here does not end in its line", span, hint)
            )
        known = unreadable(token)
        if known is not None:
            self.report(known.code, known.message, token.at, known.hint)
        else:
            self.report("TW130", f"{found(token)}, where {expected} is expected", token.at, hint)
        return SyntaxFault()

    def count_part(self) -> None:
        """Count a part of the document. Raises `Refused` if there are too many."""
        self.parts += 1
        if self.parts > MAX_PARTS:
            message = f"the document has more than {MAX_PARTS:,} parts, which is the limit"
            raise DocumentRefused(problem("TW005", message, self.span(self.token.at), "split it into files"))

    def enter(self) -> None:
        """Enter a nested part. Raises `Refused` if the parts are nested too deeply."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise DocumentRefused(problem("TW004", f"nested more than {MAX_DEPTH} deep", self.span(self.token.at)))

    def leave(self) -> None:
        """Leave a nested part."""
        self.depth -= 1

    def recover(self, begin: int) -> None:
        """Move past a statement that cannot be read, whose first token has the index `begin`: to behind its `;`, to the
        brace that ends the block around it, or to a line in which another statement seems to begin.
        """
        open_ = sum(_step(token) for token in self.tokens[begin : self.at])
        is_first = self.at == begin
        while self.token.kind != "end":
            step = _step(self.token)
            if open_ <= 0:
                if self.is_mark("}"):
                    return
                if self.skip(";"):
                    return
                if not is_first and self._begins_statement():
                    return
            open_ += step
            is_first = False
            is_brace = self.next().text == "}"
            if open_ < 0 or (open_ == 0 and is_brace):
                self.skip(";")
                return

    def _begins_statement(self) -> bool:
        """Return whether the present token is the first of a line and of what looks like a statement."""
        after = self.peek()
        return (
            self.token.kind in ("name", "keyword")
            and self.is_on_new_line(self.token, self.previous)
            and (after.kind in ("name", "string", "arrow", "label") or (after.kind == "mark" and after.text in _BEGINS))
        )

    # comments ----------------------------------------------------------------------------------

    def comments_before(self, at: int) -> tuple[Comment, ...]:
        """Return the comments before the offset `at` that belong to no statement yet; they now belong to one."""
        comments, first = self.comments, self._comment
        if first >= len(comments) or comments[first].at >= at:
            return ()
        last = first
        while last < len(comments) and comments[last].at < at:
            last += 1
        self._comment = last
        return tuple(comments[first:last])

    def begin_layout(self) -> LayoutSoFar:
        """Return the comments before the statement that begins at the present token."""
        token = self.token
        comments = self.comments_before(token.at)
        gap = comments[0].gap if comments else self.at > 0 and self.source.has_gap(self.previous.end, token.at)
        return LayoutSoFar(list(comments), gap=gap)

    def end_layout(self, begun: LayoutSoFar) -> Layout:
        """Return the comments of the statement that ends before the present token; `begun` is what stood before it."""
        if self._comment >= len(self.comments):
            return Layout(tuple(begun.before), (), begun.gap) if begun.before or begun.gap else _NO_LAYOUT
        end = self.previous.end
        begun.before += self.comments_before(end)
        line = self.source.text.find("\n", end)
        after = self.comments_before(min(line if line >= 0 else self.token.at, self.token.at))
        return Layout(tuple(begun.before), after, begun.gap)


class LayoutSoFar:
    """The comments and the blank line before a statement that is being read."""

    __slots__ = ("before", "gap")

    def __init__(self, before: list[Comment], *, gap: bool) -> None:
        self.before = before
        self.gap = gap


_NO_LAYOUT = Layout()


def _step(token: Token) -> int:
    """Return by how much a token changes how many brackets are open."""
    if token.kind != "mark":
        return 0
    return 1 if token.text in _OPENING else -1 if token.text in _CLOSING else 0


def found(token: Token) -> str:
    """Return in words which token stands where another was expected."""
    match token.kind:
        case "end":
            return "the document ends"
        case "string":
            return f"the text {shown_text(token.text)} stands here"
        case "keyword":
            return f"the word '{token.text}' stands here"
        case _:
            return f"'{shown_text(token.text)}' stands here"
