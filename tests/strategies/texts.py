"""Texts that are hard to write down and read back."""

from __future__ import annotations

from hypothesis import strategies as st

NASTY = (
    "yes", "No", "on", "OFF", "y", "null", "~", "true", "False", "Null", "NaN", ".nan", ".inf", "-.INF",
    "12", "012", "0x1F", "0o17", "1_000", "1e5", "-1", "+1", ".5", "1.", "12:30", "12:30:45", "190:20:30.15",
    "2026-11-20", "2026-11-20T10:00:00Z", "2026-11-20 10:00", "<<", "=", "0b101", "1,000", "1e999", "-0",
    "a: b", "a:", ":a", "a #b", "#a", "a#b", "- a", "-", "--", "---", "...", "--- a", "? a", "?", "!a", "&a", "*a", "|",
    ">", "%a", "@a", "`a", "{a}", "[a]", "a, b", "{", "}", "[", "]", "a]", "{{ user.name }}", "Hi {{ a.b }}, you",
    "{{", "}}", "'", '"', "it's", 'say "hi"', "it's \"so\"", "\\", "a\\nb", "C:\\new", "http://x.y/z?a=b#c",
    " a", "a ", " ", "  ", "\ta", "a\t", "a\tb", "\n", "\n\n", "a\n", "a\n\n", "\na", "a\n\nb", "a\n b\n  c", " a\nb",
    "a \nb", "a\n \nb", "a\n\t\nb", "a\nb ", "# a\n# b", "- a\n- b", "a: 1\nb: 2", "---\na", "a\n...\nb", "a\r\nb", "\r",
    "a\x85b", "a\u2028b", "a\u2029b", "\ufeffa", "a\u00a0b", "\u00a0", "\x00", "\x07", "\x1b[0m", "\x7f", "\x9f",
    "\ufffe", "\uffff", "ä", "é", "ß", "日本語", "مرحبا", "😀", "👩‍👩‍👧", "\u200b", "\u202e", "\U0010ffff", "ﬁ", "İ",
    "key: |\n  block", "a" * 200, "word " * 40, "word\n" * 40, "ü" * 1200,
)  # fmt: skip

characters = st.characters(exclude_categories=("Cs",))
"""Every character but halves of one, which no UTF-8 file can hold."""

texts = st.one_of(
    st.sampled_from(NASTY),
    st.text(characters, max_size=12),
    st.text(st.sampled_from("ab :#-?,[]{}&*!|>'\"%@`\n\t\\.0123"), max_size=12),
    st.lists(st.sampled_from(["", " ", "a", "b c", "- d", "# e", "f: g", "  h"]), max_size=5).map("\n".join),
)
"""Any text."""

names = st.one_of(
    st.sampled_from(
        ["a", "b", "user", "yes", "no", "on", "null", "true", "y", "_", "fields", "value", "names", "format"]
    ),
    st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True),
)
"""Any identifier."""
