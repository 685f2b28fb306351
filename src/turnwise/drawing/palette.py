"""The colours of drawings, each for paper that is light, and what it is where paper is dark."""

from __future__ import annotations

PAPER = "#ffffff"
INSIDE = "#f4f6f9"
INK = "#1b2430"
MUTED = "#586374"
LINE = "#5a6675"
PALE = "#a6afbb"
PATH = "#0a58ca"
SAY = "#e6f1fd"
PROMPT = "#efe9fd"
FORM = "#fff3d9"
TOOL = "#e3f6ea"
SCOPE = "#eceff3"

IN_THE_DARK = {
    PAPER: "#11161d",
    INSIDE: "#171e27",
    INK: "#e8edf3",
    MUTED: "#a9b4c2",
    LINE: "#8d99a8",
    PALE: "#56616f",
    PATH: "#6cb0ff",
    SAY: "#16304d",
    PROMPT: "#2f2550",
    FORM: "#453512",
    TOOL: "#143a26",
    SCOPE: "#2a323d",
}
"""Every colour that a drawing may have, by its name in the light."""
