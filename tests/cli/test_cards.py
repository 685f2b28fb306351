"""The summary of a form in the terminal: labels and answers in columns, and no marks of Markdown."""

from __future__ import annotations

from turnwise.cli.cards import summary_card

SUMMARY = """## Summary of Collected Information

**Problem Statement:** Damage on Friday

**Your Answers:**

**Policy**
→ AB-1 (from: "ab-1")

**When**
→ Friday (from: "last (working) day: friday")

**Items**
→ 1. Margherita
2. Funghi

---

**Please review the information above.**

Is this correct?"""


def test_a_summary_is_a_card() -> None:
    card = summary_card(SUMMARY)
    assert card[:2] == ["Summary of Collected Information", "─" * 32]
    assert "  Policy  AB-1" in card
    assert '  When    Friday (from: "last (working) day: friday")' in card
    assert card[card.index("  Items   1. Margherita") + 1] == "          2. Funghi"
    assert card[-1] == "Is this correct?"
    assert not any("**" in line or line.startswith("#") or "---" in line for line in card)


def test_a_long_question_stands_above_its_answer() -> None:
    title = "Please upload the invoice at example.org and tell me its number"
    card = summary_card(f"## S\n\n**{title}**\n→ 17\n\n**A**\n→ 2")
    assert card[card.index(f"  {title}") + 1].strip() == "17"


def test_any_other_text_is_no_card() -> None:
    assert summary_card("## A heading\n\nand a text") == []
    assert summary_card("Hello.") == []
    assert summary_card("") == []
