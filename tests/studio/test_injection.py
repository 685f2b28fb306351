"""Markdown, HTML and scripts in messages, replies and fields are text; nothing of them runs or is fetched."""

from __future__ import annotations

from playwright.sync_api import expect

from support.serving import Served
from support.talking import Open, Talk, loaded, placed

ATTACKS = [
    "<script>window.hit = 1</script>",
    '<img src="x" onerror="window.hit = 1">',
    '<svg onload="window.hit = 1"></svg>',
    "[press](javascript:window.hit=1)",
    "![picture](https://example.invalid/x.png)",
    '<iframe src="https://example.invalid/"></iframe>',
    '<a href="data:text/html,<script>window.hit=1</script>">x</a>',
    "<style>body { display: none }</style>",
]


def test_what_a_user_writes_is_text(studio: Served, show: Open) -> None:
    studio.post("/api/conversations", flow="health_intake", name="attacked")
    talk = Talk(show("/c/attacked"))
    talk.rests(1)
    for turn, attack in enumerate(ATTACKS, 2):
        talk.say(attack, turn)
        expect(talk.turn(turn).locator(".bub")).to_have_text(attack)
        assert talk.page.evaluate("window.hit === undefined")
        expect(talk.page.locator("#root script, #root iframe, #root style, .bub img")).to_have_count(0)
        expect(talk.turn(turn)).to_be_visible()


def test_what_is_stored_in_a_field_is_text_in_every_tab_and_in_replies(studio: Served, show: Open) -> None:
    studio.post("/api/conversations", flow="health_intake", name="stored-attack")
    hostile = "<img src=x onerror=window.hit=1> **bold** [x](javascript:1)"
    done = studio.post(
        "/api/conversations/stored-attack/turns",
        commands=[
            {"type": "set", "field": "user.name", "value": hostile},
            {"type": "set", "field": "user.age", "value": 50},
            {"type": "set", "field": "user.tos_acknowledged", "value": True},
        ],
    )
    assert done["node"] == "profiler"
    studio.post("/api/conversations/stored-attack/turns", text="sleep, mood and memory")
    talk = Talk(show("/c/stored-attack"))
    talk.rests(3)
    expect(talk.transcript).to_contain_text("onerror=window.hit=1")
    for tab in ("Why", "State", "Prompt", "Events"):
        talk.page.get_by_role("tab", name=tab).click()
        expect(talk.page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
        loaded(talk.panel)
    talk.page.keyboard.press("g")
    placed(talk.page)
    assert talk.page.evaluate("window.hit === undefined")
    expect(talk.page.locator("#root img, #root a[href^='javascript:']")).to_have_count(0)


def test_a_name_of_a_conversation_is_text(studio: Served, show: Open) -> None:
    studio.post("/api/conversations", flow="eligibility", name="<b>name</b>/../%2e?x#y")
    page = show("/")
    expect(page.get_by_text("<b>name</b>/../%2e?x#y").first).to_be_visible()
    page.get_by_text("<b>name</b>/../%2e?x#y").first.click()
    Talk(page).rests(1)
    expect(page.get_by_role("heading", level=1)).to_have_text("<b>name</b>/../%2e?x#y")
