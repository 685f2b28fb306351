"""Rows as in `unasked_rows`, written after the rule and judged once before it was changed for them."""

from __future__ import annotations

from laws.unasked_rows import right, wrong

FRESH = [
    right(
        "name",
        "Ada here, ich lerne Französisch",
        ("name", "Ada", "Ada"),
        ("target", "French", "Französisch"),
        language="de",
    ),
    right("name", "I'm Ada, a Londoner", ("name", "Ada", "Ada"), ("time_zone", "Europe/London", "Londoner")),
    right(
        "goal",
        "talk to my boss about football, which I love",
        ("goal", "talk to my boss", "talk to my boss"),
        ("interests", ["football"], "football"),
    ),
    right(
        "name", "Ada. Mein Niveau: advanced", ("name", "Ada", "Ada"), ("level", "advanced", "advanced"), language="de"
    ),
    right(
        "goal",
        "order food. And yes, please, the newsletter too",
        ("goal", "order food", "order food"),
        ("newsletter", True, "yes, please, the newsletter too"),
    ),
    right(
        "native",
        "Polish. I want to read Kafka",
        ("native", "Polish", "Polish"),
        ("goal", "read Kafka", "I want to read Kafka"),
    ),
    right(
        "native",
        "Polish. My goal: reading Kafka",
        ("native", "Polish", "Polish"),
        ("goal", "read Kafka", "My goal: reading Kafka"),
    ),
    right("departure", "two of us from Oslo", ("departure", "Oslo", "Oslo"), ("people", 2, "two of us")),
    right("departure", "Oslo on the 3rd", ("departure", "Oslo", "Oslo"), ("day", "2026-12-03", "the 3rd")),
    right(
        "departure",
        "Oslo, day after tomorrow",
        ("departure", "Oslo", "Oslo"),
        ("day", "2026-12-02", "day after tomorrow"),
    ),
    right(
        "departure", "morgen ab Oslo", ("departure", "Oslo", "ab Oslo"), ("day", "2026-12-01", "morgen"), language="de"
    ),
    right("departure", "Oslo, demain", ("departure", "Oslo", "Oslo"), ("day", "2026-12-01", "demain")),
    right("guest", "Kim, no meat for me", ("guest", "Kim", "Kim"), ("meal", "vegetarian", "no meat for me")),
    right("guest", "Kim, please bill me later by invoice", ("guest", "Kim", "Kim"), ("pay", "invoice", "by invoice")),
    right(
        "guest", "Kim. We need a cot, nothing else", ("guest", "Kim", "Kim"), ("notes", "needs a cot", "We need a cot")
    ),
    right("people", "a dozen, from Oslo, at noon", ("people", 12, "a dozen"), ("time", "12:00", "noon")),
    right(
        "day",
        "tomorrow, but I said Paris and mean Rome",
        ("day", "2026-12-01", "tomorrow"),
        ("destination", "Rome", "Rome"),
        destination="Paris",
    ),
    right("meal", "fish. We're all non-smokers", ("meal", "fish", "fish"), ("smoking", False, "We're all non-smokers")),
    wrong("name", "hello, I'm new here", ("level", "beginner", "I'm new here")),
    wrong("name", "Jean", ("name", "Jean", "Jean"), ("native", "French", "Jean")),
    wrong("name", "Jean", ("name", "Jean", "Jean"), ("target", "French", "Jean")),
    wrong("goal", "I like the sea", ("time_zone", "America/New_York", "the sea")),
    wrong("goal", "what is this about", ("interests", ["languages"], "this")),
    wrong("goal", "ich habe Hunger", ("name", "Hunger", "ich habe Hunger"), language="de"),
    wrong(
        "interests",
        "new films",
        ("interests", ["new films"], "new films"),
        ("time_zone", "America/New_York", "new films"),
    ),
    wrong("interests", "my work", ("interests", ["my work"], "my work"), ("goal", "work abroad", "my work")),
    wrong("guest", "Mr. Fisher", ("guest", "Mr. Fisher", "Mr. Fisher"), ("meal", "fish", "Fisher")),
    wrong("destination", "Bath", ("destination", "Bath", "Bath"), ("notes", "bath needed", "Bath")),
    wrong("destination", "Rome", ("destination", "Rome", "Rome"), ("back", "2026-12-05", "Rome")),
    wrong("time", "at 9", ("time", "09:00", "at 9"), ("age", 9, "at 9")),
    wrong("time", "at 9", ("time", "09:00", "at 9"), ("day", "2026-12-09", "at 9")),
    wrong("notes", "nothing", ("notes", "nothing", "nothing"), ("phone", "000000", "nothing")),
    wrong("pay", "card", ("pay", "card", "card"), ("mail", "card@example.com", "card")),
    wrong("smoking", "never", ("smoking", False, "never"), ("guest", "never", "never")),
    wrong("day", "on Friday", ("day", "2026-12-04", "on Friday"), ("time", "09:00", "on Friday")),
]
