"""What the thinking partner can do: each function is the tool of its name in the flow."""

from __future__ import annotations

import json
import os
import re
from html import unescape
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import turnwise as tw

WIKIPEDIA = "https://en.wikipedia.org/w/api.php?"
_MARKS = re.compile(r"<[^>]+>")


def think(thought: str) -> str:  # noqa: ARG001  the journal has it, as it has every argument
    """Note a thought."""
    return "noted"


def search(words: str) -> list[str]:
    """The notes that have one of some words in them."""
    wanted = {word.casefold() for word in words.split()}
    return [note["text"] for note in _notes() if wanted & set(re.findall(r"\w+", note["text"].casefold()))]


def web_search(query: str) -> list[dict[str, str]]:
    """What Wikipedia finds: titles, each with a line of its text."""
    asked = urlencode({"action": "query", "list": "search", "srsearch": query, "srlimit": 3, "format": "json"})
    request = Request(WIKIPEDIA + asked, headers={"User-Agent": "turnwise-example"})  # noqa: S310  the address is ours
    with urlopen(request, timeout=10) as reply:  # noqa: S310  the same
        found = json.load(reply)["query"]["search"]
    return [{"title": one["title"], "text": unescape(_MARKS.sub("", one["snippet"]))} for one in found]


def list_generation(steps: list[str]) -> str:
    """Steps as a numbered list."""
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))


def summarize(points: list[str]) -> str:
    """Points as one paragraph."""
    return " ".join(point.rstrip(".") + "." for point in points)


def was_saved(call: tw.ToolCall) -> dict[str, int]:
    """How many notes there are, if the one of this call is among them."""
    notes = _notes()
    if all(note["key"] != call.key for note in notes):
        raise tw.NotDone
    return {"notes": len(notes)}


@tw.tool(kind="effect", on_crash="check", check=was_saved)
def save_result(text: str, call: tw.ToolCall) -> dict[str, int]:
    """Keep a note. The key of the call is kept with it, so that after a crash it can be told whether that was done."""
    with _place().open("a", encoding="utf-8") as file:
        file.write(json.dumps({"key": call.key, "text": text}) + "\n")
    return {"notes": len(_notes())}


def _place() -> Path:
    """The file of the notes: the one that is named, else one in the folder of the user's data, never where it runs."""
    named = os.environ.get("THINKING_PARTNER_NOTES")
    if named:
        return Path(named)
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = data / "turnwise-thinking-partner"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "notes.jsonl"


def _notes() -> list[dict[str, str]]:
    """All notes, the oldest first."""
    return [json.loads(line) for line in _place().read_text("utf-8").splitlines()] if _place().exists() else []
