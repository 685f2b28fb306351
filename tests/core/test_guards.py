"""What each part of the guard language means: a table of guards, values and verdicts (laws 1.3, 2.10, 2.11)."""

from __future__ import annotations

from itertools import product

import pytest

from support.guards import verdict, verdict_tree

T, F, U = True, False, None
ERROR = "error"

Row = tuple[str, dict[str, object], object]

PRESENCE: list[Row] = [
    # a bare field that is true or false is its value, any other asks whether there is one
    ("x.t", {"t": True}, T),
    ("x.t", {"t": False}, F),
    ("x.t", {}, U),
    ("!x.t", {"t": False}, T),
    ("!x.t", {}, U),
    ("x.s", {"s": "a"}, T),
    ("x.s", {}, F),
    ("!x.s", {}, T),
    ("x.a", {"a": 0}, T),
    ("x.a", {}, F),
    ("x.n", {"n": 0}, T),
    ("x.l", {"l": ["a"]}, T),
    ("x.l", {}, F),
    ("x.day", {"day": "2026-01-01"}, T),
    ("x.span", {"span": 0}, T),
    # 0 and false are values
    ("has(x.a)", {"a": 0}, T),
    ("has(x.t)", {"t": False}, T),
    ("has(x.span)", {"span": 0}, T),
    ("has(x.a)", {}, F),
    ("has(x.t)", {}, F),
    ("!has(x.s)", {}, T),
    # x == "" and x == null ask for presence, whatever the type
    ('x.s != ""', {"s": "a"}, T),
    ('x.s != ""', {}, F),
    ('x.s == ""', {}, T),
    ('x.s == ""', {"s": "a"}, F),
    ('"" == x.s', {}, T),
    ('"" != x.s', {"s": "a"}, T),
    ('x.a == ""', {"a": 0}, F),
    ("x.a == null", {}, T),
    ("x.a != null", {"a": 0}, T),
    ("null == x.t", {"t": False}, F),
    ("x.l == null", {}, T),
    ("x.day != null", {}, F),
    # a default is a value for guards, in its canonical form; a blank one is none
    ("has(x.d_int)", {}, T),
    ("x.d_int > 4", {}, T),
    ("x.d_int > 4", {"d_int": 3}, F),
    ("x.d_zero == 0", {}, T),
    ("x.d_off", {}, F),
    ("!x.d_off", {}, T),
    ("has(x.d_off)", {}, T),
    ('x.d_text == "basic"', {}, T),
    ('x.d_text == "basic"', {"d_text": "gold"}, F),
    ("has(x.d_blank)", {}, F),
    ('x.d_blank == "a"', {}, U),
    ('x.d_day == "2026-11-20"', {}, T),
    ('x.d_span == "2h"', {}, T),
    ("size(x.d_list) == 2", {}, T),
    ('"two" in x.d_list', {}, T),
]
COMPARISONS: list[Row] = [
    ("x.a == 3", {"a": 3}, T),
    ("x.a == 3", {"a": 4}, F),
    ("x.a == 3", {}, U),
    ("x.a != 3", {"a": 4}, T),
    ("x.a != 3", {}, U),
    ("x.a < x.b", {"a": 1, "b": 2}, T),
    ("x.a < x.b", {"a": 2}, U),
    ("x.a <= 3", {"a": 3}, T),
    ("x.a >= 4", {"a": 3}, F),
    ("3 < x.a", {"a": 4}, T),
    ("x.a < 1.5", {"a": 1}, T),
    ("x.n == 3", {"n": 3}, T),
    ("x.n == 3", {"n": 3.0}, T),
    ("x.a == x.n", {"a": 2, "n": 2.0}, T),
    ("1 == 1.0", {}, T),
    ("x.a == -3", {"a": -3}, T),
    ("-x.a == 3", {"a": -3}, T),
    ("-x.n < 0", {"n": 0.5}, T),
    ("x.a > 0x10", {"a": 17}, T),
    ("x.n < 1e3", {"n": 999.5}, T),
    ("x.n == .5", {"n": 0.5}, T),
    ('x.s == "a"', {"s": "a"}, T),
    ('x.s == "A"', {"s": "a"}, F),
    ("x.s == 'a'", {"s": "a"}, T),
    ('x.s < "b"', {"s": "a"}, T),
    ("x.s == x.p", {"s": "a", "p": "a"}, T),
    ("x.s == x.p", {"s": "a"}, U),
    ("x.t == x.f", {"t": True, "f": False}, F),
    ("x.t == true", {"t": True}, T),
    ("x.t != true", {"t": False}, T),
    ("x.f < x.t", {"t": True, "f": False}, T),
    ("(x.a > 3) == x.t", {"a": 4, "t": True}, T),
    ("(x.a > 3) == x.t", {"a": 4}, U),
    ('x.kind == "Green"', {"kind": "grün"}, T),
    ('x.kind == "Green"', {"kind": "RED"}, F),
    ('x.mail == "me@example.org"', {"mail": "me@example.org"}, T),
    ('x.phone == "+49301234"', {"phone": "+49 30 1234"}, T),
    ('x.phone == "5551234567 ext. 9"', {"phone": "(555) 123-4567 ext 9"}, T),
    ('x.phone == "5551234567 ext. 9"', {"phone": "5551234567 ext. 9"}, T),
    ('x.phone == "+49301234 ext. 12"', {"phone": "+49 30 1234, Durchwahl 12"}, T),
    ('x.clock < "10:00"', {"clock": "9:30"}, T),
    (r'x.s == "a\nb"', {"s": "a\nb"}, T),
    (r'x.s == r"a\nb"', {"s": "a\\nb"}, T),
    (r'x.s == "\u00e4"', {"s": "ä"}, T),
    (r'x.s == "\x41\U0001F600"', {"s": "A😀"}, T),
    ("true", {}, T),
    ("false", {}, F),
    ("x.a > 3 // a remark", {"a": 4}, T),
]
ARITHMETIC: list[Row] = [
    ("x.a + 1 == 4", {"a": 3}, T),
    ("x.a + 1 == 4", {}, U),
    ("x.a + 0.5 == 3.5", {"a": 3}, T),
    ("x.n + x.a == 3.5", {"a": 3, "n": 0.5}, T),
    ("x.a - x.b == -1", {"a": 2, "b": 3}, T),
    ("x.a * x.n == 3.0", {"a": 2, "n": 1.5}, T),
    # whole numbers are divided towards zero, the remainder has the sign of the dividend
    ("x.a / 2 == 3", {"a": 7}, T),
    ("x.a / 2 == -3", {"a": -7}, T),
    ("x.a / -2 == -3", {"a": 7}, T),
    ("x.a / -2 == 3", {"a": -7}, T),
    ("x.a % 3 == 1", {"a": 7}, T),
    ("x.a % 3 == -1", {"a": -7}, T),
    ("x.a % -3 == 1", {"a": 7}, T),
    ("x.n / 2 == 3.5", {"n": 7}, T),
    ("x.a / 2.0 == 3.5", {"a": 7}, T),
    ("x.a / 0 > 1", {"a": 7}, "error: a division by zero"),
    ("x.a % 0 > 1", {"a": 7}, "error: a division by zero"),
    ("x.n / 0.0 > 1.0", {"n": 7}, "error: a division by zero"),
    ("x.a / x.b > 1", {"a": 7}, U),
    ("x.a * x.a * x.a > 1", {"a": 10**7}, "error: the result is too large: a whole number has 64 bits"),
    ("x.a == 9223372036854775807", {"a": 2**63 - 1}, T),
    ("x.a == -9223372036854775808", {"a": -(2**63)}, T),
    ("x.a == 0x7fffffffffffffff", {"a": 2**63 - 1}, T),
    ("x.a - 1 == 1234567890123456788", {"a": 1234567890123456789}, T),
    ("x.a + 1 > 0", {"a": 2**63 - 1}, "error: the result is too large: a whole number has 64 bits"),
    ("-x.a > 0", {"a": -(2**63)}, "error: the result is too large: a whole number has 64 bits"),
    ("x.n * 1e300 > 1e305", {"n": 1000000}, T),
    ("x.n * 1e300 * 1e300 > 1.0", {"n": 7}, "error: the result is too large"),
    ("1 + 2 * 3 == 7", {}, T),
    ("(1 + 2) * 3 == 9", {}, T),
    ("10 - 2 - 3 == 5", {}, T),
    ("100 / 10 / 5 == 2", {}, T),
    ("-2 * -3 == 6", {}, T),
    ('x.s + "!" == "a!"', {"s": "a"}, T),
    ("size(x.s + x.p) == 3", {"s": "a", "p": "bc"}, T),
    ('"c" in x.l + ["c"]', {"l": ["a"]}, T),
]
DEFAULTS: list[Row] = [
    ("default(x.a, 3) == 3", {}, T),
    ("default(x.a, 3) == 3", {"a": 4}, F),
    ("x.a.default(3) == 3", {}, T),
    ("default(x.a, 0) == 0", {"a": 0}, T),
    ("default(x.t, true)", {}, T),
    ("!default(x.t, true)", {}, F),
    ("default(x.t, true)", {"t": False}, F),
    ("default(x.a, x.b) > 3", {"b": 4}, T),
    ("default(x.a, x.b) > 3", {}, U),
    ("default(default(x.a, x.b), 5) > 3", {}, T),
    ("default(x.n, 1) == 1", {}, T),
    ("default(x.a, 1.5) == 1.5", {}, T),
    ('default(x.day, "2026-01-01") < "2026-02-01"', {}, T),
    ('default(x.span, "2h") > "90m"', {}, T),
    ("default(x.l, []) == []", {}, T),
    ('default(x.l, []) + ["n"] == ["n"]', {}, T),
    ('size(default(x.l, ["a"])) == 1', {"l": ["a", "b"]}, F),
    ('default(x.s, "") + "b" == "b"', {}, T),
    ("default(1 / x.a, 7) == 7", {}, T),
    ("default(1 / x.a, 7) == 7", {"a": 0}, "error: a division by zero"),
    ('default(message.text, "none") == "none"', {}, T),
    ("(x.t ? x.l : []) == []", {"t": False, "l": ["a"]}, T),
]
TEXTS: list[Row] = [
    ('x.s.contains("b")', {"s": "abc"}, T),
    ('contains(x.s, "b")', {"s": "abc"}, T),
    ('x.s.contains("B")', {"s": "abc"}, F),
    ('x.s.contains("b")', {}, U),
    ('x.s.startsWith("ab")', {"s": "abc"}, T),
    ('x.s.endsWith("bc")', {"s": "abc"}, T),
    ('x.s.lower() == "straße".lower()', {"s": "STRASSE"}, T),
    ('x.s.lower().contains("plan")', {"s": "Let's PLAN it"}, T),
    ("size(x.s) == 2", {"s": "äö"}, T),
    ("x.s.size() == 2", {"s": "äö"}, T),
    ("size(x.s) == 0", {}, U),
    ('x.s.matches("^a+$")', {"s": "aaa"}, T),
    ('x.s.matches("b")', {"s": "abc"}, T),
    ('x.s.matches("^b")', {"s": "abc"}, F),
    ('x.s.matches("(?i)ABC")', {"s": "abc"}, T),
    (r'x.s.matches("\\d{4}")', {"s": "in 2026"}, T),
    (r'x.s.matches(r"\d{4}")', {"s": "in 26"}, F),
    ('x.s.matches("a")', {}, U),
    ('x.s.matches("(a+)+$")', {"s": "a" * 5000 + "b"}, F),
    ('x.s in ["a", "b"]', {"s": "b"}, T),
    ('x.s in ["a", "b"]', {"s": "c"}, F),
    ('x.s in ["a", "b"]', {}, U),
    ("x.s in []", {"s": "a"}, F),
    ("x.a in [1, 2.0]", {"a": 2}, T),
    ("x.n in [1, 2]", {"n": 2.0}, T),
    ("x.t in [true]", {"t": True}, T),
]
LISTS: list[Row] = [
    ("size(x.l) == 2", {"l": ["a", "b"]}, T),
    ("size(x.l) >= 1", {}, F),
    ("size(x.l) == 0", {}, T),
    ("size(x.l) == 0", {"l": []}, T),
    ("x.l == []", {}, T),
    ("has(x.l)", {"l": []}, F),
    ("x.l", {"l": []}, F),
    ('x.l == ""', {"l": []}, T),
    ("x.l != null", {"l": []}, F),
    ('x.l + ["a"] == ["a"]', {}, T),
    ("x.ints.all(g, g > 0)", {}, T),
    ("size(x.ints.filter(g, g > 1)) == 0", {}, T),
    ('"a" in x.l', {"l": ["a", "b"]}, T),
    ('"c" in x.l', {"l": ["a", "b"]}, F),
    ('"c" in x.l', {}, F),
    ('!("c" in x.l)', {}, T),
    ("x.s in x.l", {"l": ["a"], "s": "a"}, T),
    ("x.s in x.l", {"l": ["a"]}, U),
    ("2 in x.ints", {"ints": [1, 2]}, T),
    ("2.0 in x.ints", {"ints": [1, 2]}, T),
    ('x.l == ["a", "b"]', {"l": ["a", "b"]}, T),
    ('x.l == ["b", "a"]', {"l": ["a", "b"]}, F),
    ("x.l == []", {"l": ["a"]}, F),
    ("x.ints == [1.0]", {"ints": [1]}, T),
    ("x.ints == x.doubles", {"ints": [1], "doubles": [1.0]}, T),
    ('x.tags == ["x", "z"]', {"tags": ["X", "Z"]}, T),
    ("x.ints.exists(g, g > 1)", {"ints": [1, 2]}, T),
    ("x.ints.exists(g, g > 2)", {"ints": [1, 2]}, F),
    ("x.ints.exists(g, g > 2)", {}, F),
    ("x.ints.all(g, g > 0)", {"ints": [1, 2]}, T),
    ("x.ints.all(g, g > 1)", {"ints": [1, 2]}, F),
    ("size(x.ints.filter(g, g > 1)) == 1", {"ints": [1, 2]}, T),
    ("x.ints.filter(g, g > 1) == [2]", {"ints": [1, 2]}, T),
    ("x.ints.filter(g, g > 2) == []", {"ints": [1, 2]}, T),
    ("x.ints.filter(g, g > 2).all(g, g > 9)", {"ints": [1, 2]}, T),
    ("x.ints.filter(g, g > 2).exists(g, g > 2)", {"ints": [1, 2]}, F),
    ("[1, 2, 3].exists(g, g == x.a)", {"a": 3}, T),
    ("x.l.exists(g, g.startsWith(x.s))", {"l": ["abc"], "s": "a"}, T),
    # an item that decides outweighs one that is unknown, and that one in error
    ("x.ints.exists(g, g > x.a)", {"ints": [1, 2]}, U),
    ("x.ints.exists(g, g > x.a || g == 2)", {"ints": [1, 2]}, T),
    ("x.ints.all(g, g > x.a && g == 2)", {"ints": [1, 2]}, F),
    ("x.ints.exists(g, 1 / g > 0)", {"ints": [0, 1]}, T),
    ("x.ints.exists(g, 1 / g > 5)", {"ints": [0, 1]}, "error: a division by zero"),
    ("x.ints.all(g, 1 / g > 5)", {"ints": [0, 1]}, F),
    ("x.ints.all(g, 1 / g > 0)", {"ints": [1, 0]}, "error: a division by zero"),
    ("x.ints.exists(g, 1 / g > 5 || g > x.a)", {"ints": [0, 1]}, U),
    ("size(x.ints.filter(g, g > x.a)) == 0", {"ints": [1]}, U),
    ("size(x.ints.filter(g, 1 / g > 0)) == 1", {"ints": [0, 1]}, "error: a division by zero"),
    # a variable hides a name outside only inside
    ("x.ints.exists(g, x.ints.exists(g, g > 1) && g == 1)", {"ints": [1, 2]}, T),
    ("x.ints.exists(g, x.l.exists(h, size(h) == g))", {"ints": [1, 2], "l": ["ab"]}, T),
    ("x.ints.all(g, x.ints.exists(h, h >= g))", {"ints": [1, 2]}, T),
    ("x.ints.exists(now, now == 1)", {"ints": [1]}, T),
]
TIMES: list[Row] = [
    ('x.day == "2026-11-20"', {"day": "20.11.2026"}, T),
    ('x.day > "2026-11-19"', {"day": "2026-11-20"}, T),
    ('x.day > date("2026-11-20")', {"day": "2026-11-20"}, F),
    ('x.day == date("2026-11-20")', {"day": "2026-11-20"}, T),
    ('datetime(x.day) == timestamp("2026-11-20")', {"day": "2026-11-20"}, T),
    ('datetime(x.day, "Europe/Berlin") == timestamp("2026-11-19T23:00:00Z")', {"day": "2026-11-20"}, T),
    ('date(x.at) == "2026-11-20"', {"at": "2026-11-20T23:30:00Z"}, T),
    ('date(x.at, "Europe/Berlin") == "2026-11-21"', {"at": "2026-11-20T23:30:00Z"}, T),
    ('time(x.at, "Europe/Berlin") == "00:30"', {"at": "2026-11-20T23:30:00Z"}, T),
    ('datetime(x.day, x.clock) == "2026-11-20T09:30:00Z"', {"day": "2026-11-20", "clock": "9:30"}, T),
    ("datetime(x.day, x.clock) == x.at", {"day": "2026-11-20", "at": "2026-11-20T09:00:00Z"}, U),
    ("date(x.s) == x.day", {"s": "2026-11-20", "day": "20.11.2026"}, T),
    ("date(x.s) == x.day", {"s": "soon", "day": "20.11.2026"}, "error: 'soon' cannot be read as a date"),
    (
        "date(x.secret) == x.day",
        {"secret": "hunter2", "day": "20.11.2026"},
        "error: a secret value cannot be read as a date",
    ),
    ("string(x.day) == '2026-11-20'", {"day": "20.11.2026"}, T),
    ('x.clock > "9:30"', {"clock": "10:00"}, T),
    ('x.clock < "18:30:05"', {"clock": "18:30"}, T),
    ('x.clock + duration("90m") == "00:30"', {"clock": "23:00"}, T),
    ('x.clock - duration("1h") == "23:30"', {"clock": "0:30"}, T),
    ('x.clock - time("09:00") == duration("30m")', {"clock": "9:30"}, T),
    ("x.clock.getHours() == 9 && x.clock.getMinutes() == 30", {"clock": "9:30"}, T),
    ('x.clock in ["9:30", "10:00"]', {"clock": "10:00"}, T),
    ('time(x.s) == "09:30"', {"s": "9:30"}, T),
    ('time(x.s) == "09:30"', {"s": "25:30"}, "error: '25:30' cannot be read as a time of day"),
    ('x.day - date("2026-11-01") == duration("19d")', {"day": "2026-11-20"}, T),
    ('(x.day - date("2026-11-01")).getDays() == 19', {"day": "2026-11-20"}, T),
    ("x.day + x.span > x.day", {"day": "2026-11-20", "span": "90m"}, "error: a date moves by whole days, not by 1h30m"),
    ('x.span * 2 == "3h"', {"span": "90m"}, T),
    ("yearsBetween(x.day, date('2026-11-20')) == 18", {"day": "2008-11-20"}, T),
    ("yearsBetween(x.day, date('2026-11-20')) == 17", {"day": "2008-11-21"}, T),
    ("yearsBetween(x.day, date('2026-11-20')) == 0", {"day": "2027-11-19"}, T),
    ('(x.t ? x.day : "2026-01-01") == "2026-01-01"', {"t": False}, T),
    ('x.day in ["2026-11-20", "2026-11-21"]', {"day": "2026-11-20"}, T),
    ('x.at > "2026-11-20T10:00:00+01:00"', {"at": "2026-11-20T09:00:01Z"}, T),
    ('x.at == "2026-11-20T10:00:00+01:00"', {"at": "2026-11-20T09:00:00Z"}, T),
    ('x.at == "2026-11-20T09:00:00"', {"at": "2026-11-20T09:00:00Z"}, T),
    ("x.at > datetime(x.day)", {"at": "2026-11-20T09:00:00Z", "day": "2026-11-20"}, T),
    ("x.at < x.later", {"at": "2026-11-20T09:00:00Z", "later": "2026-11-20T09:30:00+00:00"}, T),
    ("x.at < x.later", {"at": "2026-11-20T09:00:00Z"}, U),
    ('x.later - x.at == duration("90m")', {"at": "2026-01-01T00:00Z", "later": "2026-01-01T01:30Z"}, T),
    ('x.later - x.at > "1h"', {"at": "2026-01-01T00:00Z", "later": "2026-01-01T01:30Z"}, T),
    ("x.at + x.span == x.later", {"at": "2026-01-01T00:00Z", "later": "2026-01-01T01:30Z", "span": "90m"}, T),
    ("x.span + x.at == x.later", {"at": "2026-01-01T00:00Z", "later": "2026-01-01T01:30Z", "span": "90m"}, T),
    ("x.later - x.span == x.at", {"at": "2026-01-01T00:00Z", "later": "2026-01-01T01:30Z", "span": "90m"}, T),
    ('x.day + duration("1d") == "2026-03-01"', {"day": "2026-02-28"}, T),
    ('x.day + duration("999999w") > x.day', {"day": "2026-02-28"}, ERROR),
    ('x.span > "1h"', {"span": "90m"}, T),
    ('x.span == "PT1H30M"', {"span": 5400}, T),
    ('x.span == duration("1h30m")', {"span": "90m"}, T),
    ('x.span == "1.5s"', {"span": 1.5}, T),
    ('x.span + x.wait == "2h"', {"span": "90m", "wait": "30m"}, T),
    ('x.wait - x.span < duration("0s")', {"span": "90m", "wait": "30m"}, T),
    ('-x.span < duration("0s")', {"span": "90m"}, T),
    ('x.span in ["90m", "2h"]', {"span": 5400}, T),
    ("x.at.getFullYear() == 2026", {"at": "2026-11-20T23:30:15Z"}, T),
    ("x.at.getMonth() == 10", {"at": "2026-11-20T23:30:15Z"}, T),
    ("x.at.getDate() == 20", {"at": "2026-11-20T23:30:15Z"}, T),
    ("x.at.getDayOfMonth() == 19", {"at": "2026-11-20T23:30:15Z"}, T),
    ("x.at.getDayOfWeek() == 5", {"at": "2026-11-20T23:30:15Z"}, T),
    ("x.at.getDayOfYear() == 323", {"at": "2026-11-20T23:30:15Z"}, T),
    ("x.at.getHours() == 23", {"at": "2026-11-20T23:30:15Z"}, T),
    ("x.at.getMinutes() == 30", {"at": "2026-11-20T23:30:15Z"}, T),
    ("x.at.getSeconds() == 15", {"at": "2026-11-20T23:30:15Z"}, T),
    ('x.at.getHours("Europe/Berlin") == 0', {"at": "2026-11-20T23:30:15Z"}, T),
    ('x.at.getDate("Europe/Berlin") == 21', {"at": "2026-11-20T23:30:15Z"}, T),
    ('timestamp("2026-01-01T10:00:00+05:00").getHours() == 5', {}, T),
    ("x.day.getDayOfWeek() == 0", {"day": "2026-11-22"}, T),
    ("x.span.getHours() == 1", {"span": "90m"}, T),
    ("x.span.getMinutes() == 90", {"span": "90m"}, T),
    ("x.span.getSeconds() == 5400", {"span": "90m"}, T),
    ("(x.wait - x.span).getHours() == -1", {"span": "2h", "wait": "30m"}, T),
    ('x.days.exists(d, d > "2026-02-01")', {"days": ["2026-01-01", "2026-03-01"]}, T),
    ('"2026-03-01" in x.days', {"days": ["2026-01-01", "2026-03-01"]}, T),
    ("x.day in x.days", {"days": ["2026-01-01"], "day": "2026-01-01"}, T),
    ('x.days == ["2026-01-01"]', {"days": ["2026-01-01"]}, T),
    ("x.days.all(d, d.getFullYear() == 2026)", {"days": ["2026-01-01", "2026-03-01"]}, T),
    ('x.spans.exists(d, d > "1h")', {"spans": ["2h"]}, T),
    ('"2h" in x.spans', {"spans": ["2h"]}, T),
]
CONVERSIONS: list[Row] = [
    ("int(x.n) == 3", {"n": 3.9}, T),
    ("int(x.n) == -3", {"n": -3.9}, T),
    ("int(x.s) == 42", {"s": "42"}, T),
    ("int(x.s) == -42", {"s": "-42"}, T),
    ("int(x.s) == 42", {"s": "4_2"}, "error: '4_2' cannot be read as a whole number"),
    ("int(x.s) == 42", {"s": "４２"}, ERROR),
    ("int(x.s) > 0", {"s": "9" * 30}, ERROR),
    ("int(x.s) == 42", {}, U),
    ("int(x.t) == 1", {"t": True}, T),
    ("double(x.a) / 2.0 == 1.5", {"a": 3}, T),
    ("double(x.s) == 1.5", {"s": "1.5"}, T),
    ("double(x.s) == 1500.0", {"s": "1.5e3"}, T),
    ("double(x.s) > 1.0", {"s": "inf"}, ERROR),
    ("double(x.s) > 1.0", {"s": "nan"}, ERROR),
    ("double(x.s) > 1.0", {"s": "1,5"}, ERROR),
    ('string(x.a) == "3"', {"a": 3}, T),
    ('string(x.t) == "true"', {"t": True}, T),
    ('string(x.at) == "2026-01-01T10:00:00Z"', {"at": "2026-01-01T11:00:00+01:00"}, T),
    ('string(x.span) == "1h30m"', {"span": "90m"}, T),
    ("bool(x.s)", {"s": "true"}, T),
    ("bool(x.s)", {"s": "false"}, F),
    ("bool(x.s)", {"s": "yes"}, "error: 'yes' cannot be read as true or false"),
    ('timestamp(x.s) == "2026-01-01T10:00:00Z"', {"s": "2026-01-01T11:00:00+01:00"}, T),
    ('timestamp(x.s) == "2026-01-01T10:00:00Z"', {"s": "soon"}, "error: 'soon' cannot be read as a moment in time"),
    ('duration(x.s) == "90m"', {"s": "1h30m"}, T),
    ('duration(x.s) == "90m"', {"s": "soon"}, ERROR),
    ("int(x.secret) > 3", {"secret": "hunter2"}, "error: a secret value cannot be read as a whole number"),
    ("int(x.secret.lower()) > 3", {"secret": "hunter2"}, "error: a secret value cannot be read as a whole number"),
]
CHOICES: list[Row] = [
    ("x.t ? x.a > 3 : x.b > 3", {"t": True, "a": 4}, T),
    ("x.t ? x.a > 3 : x.b > 3", {"t": False, "a": 4, "b": 3}, F),
    ("x.t ? x.a > 3 : x.b > 3", {"t": False, "a": 4}, U),
    ("x.u ? x.a > 3 : x.a > 3", {"a": 4}, U),
    ("x.a > (x.t ? 3 : 5)", {"t": True, "a": 4}, T),
    ("x.a > (x.t ? 3 : 4.5)", {"t": False, "a": 4}, F),
    ('(has(x.s) ? x.s : "none") == "none"', {}, T),
    ("x.t ? true : x.f ? true : false", {"t": False, "f": True}, T),
    ("(x.t ? x.a : null) == 4", {"t": False, "a": 4}, U),
    # the branch that is not taken is not asked
    ("x.t ? true : 1 / 0 == 1", {"t": True}, T),
    ("x.t ? 1 / 0 == 1 : true", {"t": True}, "error: a division by zero"),
    ("1 / 0 == 1 ? true : true", {}, "error: a division by zero"),
]
TABLES = {
    "presence": PRESENCE,
    "comparison": COMPARISONS,
    "arithmetic": ARITHMETIC,
    "default": DEFAULTS,
    "text": TEXTS,
    "list": LISTS,
    "time": TIMES,
    "conversion": CONVERSIONS,
    "choice": CHOICES,
}
ROWS = [pytest.param(*row, id=f"{name}: {row[0]} {row[1]}") for name, table in TABLES.items() for row in table]


def test_the_table_is_long_enough() -> None:
    assert len(ROWS) >= 250


@pytest.mark.law("1.3", "2.10", "2.11")
@pytest.mark.parametrize(("guard", "values", "expected"), ROWS)
def test_a_guard_has_this_verdict(guard: str, values: dict[str, object], expected: object) -> None:
    found = verdict(guard, **values)
    assert (found.partition(":")[0] if expected == ERROR and isinstance(found, str) else found) == expected
    kinds = {True: "held", False: "not_held", None: "unknown"}
    assert verdict_tree(guard, **values).verdict == kinds.get(found, "error")  # type: ignore[arg-type]  errors are texts


# the logic, whole ---------------------------------------------------------------------------------

PARTS = {"T": "x.t", "F": "x.f", "U": "x.u", "E": "1 / 0 == 1"}
VALUES: dict[str, object] = {"t": True, "f": False}
AND = {  # rows: the left part, columns: the right one
    "T": "TFUE",
    "F": "FFFF",
    "U": "UFUU",
    "E": "EFUE",
}
OR = {
    "T": "TTTT",
    "F": "TFUE",
    "U": "TUUU",
    "E": "TEUE",
}
NOT = {"T": "F", "F": "T", "U": "U", "E": "E"}


def _letter(guard: str) -> str:
    found = verdict(guard, **VALUES)
    assert verdict_tree(guard, **VALUES).verdict == {"T": "held", "F": "not_held", "U": "unknown"}.get(
        _of(found), "error"
    )
    return _of(found)


def _of(found: object) -> str:
    return {True: "T", False: "F", None: "U"}.get(found, "E")  # type: ignore[arg-type]


@pytest.mark.law("2.10")
@pytest.mark.parametrize(("left", "right"), list(product("TFUE", repeat=2)), ids="".join)
def test_and_or_are_those_of_cel(left: str, right: str) -> None:
    place = "TFUE".index(right)
    assert _letter(f"{PARTS[left]} && {PARTS[right]}") == AND[left][place]
    assert _letter(f"{PARTS[left]} || {PARTS[right]}") == OR[left][place]


@pytest.mark.law("2.10")
@pytest.mark.parametrize("part", "TFUE")
def test_not_leaves_unknown_and_error_as_they_are(part: str) -> None:
    assert _letter(f"!({PARTS[part]})") == NOT[part]
    assert _letter(f"!!({PARTS[part]})") == part


@pytest.mark.law("2.10")
@pytest.mark.parametrize(("test", "then", "other"), list(product("TFUE", repeat=3)), ids="".join)
def test_a_choice_is_the_branch_that_its_test_names(test: str, then: str, other: str) -> None:
    expected = {"T": then, "F": other}.get(test, test)
    assert _letter(f"({PARTS[test]}) ? ({PARTS[then]}) : ({PARTS[other]})") == expected


@pytest.mark.law("2.10")
@pytest.mark.parametrize("parts", list(product("TFUE", repeat=3)), ids="".join)
def test_three_parts_are_judged_as_two_and_one(parts: tuple[str, str, str]) -> None:
    first, second, third = parts
    for op, table in (("&&", AND), ("||", OR)):
        pair = table[first]["TFUE".index(second)]
        expected = table[pair]["TFUE".index(third)]
        assert _letter(f" {op} ".join(PARTS[part] for part in parts)) == expected
        assert _letter(f"({PARTS[first]} {op} {PARTS[second]}) {op} {PARTS[third]}") == expected
        assert _letter(f"{PARTS[first]} {op} ({PARTS[second]} {op} {PARTS[third]})") == expected


@pytest.mark.law("2.10")
@pytest.mark.parametrize(("left", "right"), list(product("TFUE", repeat=2)), ids="".join)
def test_the_laws_of_de_morgan_hold(left: str, right: str) -> None:
    one, other = PARTS[left], PARTS[right]
    assert _letter(f"!({one} && {other})") == _letter(f"!({one}) || !({other})")
    assert _letter(f"!({one} || {other})") == _letter(f"!({one}) && !({other})")
