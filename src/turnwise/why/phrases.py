"""Phrases of questions, in English and German, for what several parts of reading know: an undo, a take-over and its
end, a press of a button, a new start, an answer that is not understood. They are parts of patterns, without word
boundaries.
"""

from __future__ import annotations

UNDONE = r"undone|taken (?:\w+ )?back|took (?:\w+ )?back|zurückgenommen\w*"
"""What became of something that an undo took back."""

UNDO = rf"{UNDONE}|und(?:id|o|oes|oing)|tak(?:e|es|ing) (?:\w+ )?back|rückgängig\w*|rücknahme"
"""An undo, in any form."""

TAKE_OVER = r"t(?:ak(?:es?|en|ing)|ook)(?: \w+){0,2}[ -]over|takeovers?|übern(?:ahm\w*|ehmen|immt)"
"""A person takes the conversation over. The German `übernommen` is left out, which is said of values, too."""

GIVE_BACK = (
    r"(?:g(?:iv(?:es?|en|ing)|ave)|hand(?:s|ed|ing)?)(?: \w+){0,2}[ -]back|zurück(?:geben|gegeben)|gab \w+ zurück"
)
"""A person gives the conversation back."""

PRESS = (
    r"buttons?|(?:press|click|tapp)\w*|taps?|kn[oö]pf\w*|schaltfläche\w*"
    r"|gedrückt|drück(?:en|ten?|t)|(?:an)?geklickt|klick\w*|angetippt"
)
"""A button, or a press of it."""

RESTART = (
    r"start(?:s|ed|ing)? (?:over|again|anew|from)|beg[aiu]n(?:s|ning)? (?:over|again|anew|from)|restart\w*"
    r"|von vorne?|neu ?(?:gestartet|begonnen|angefangen|start\w*)"
)
"""A form begins anew."""

MISSED = (
    r"(?:not|\w*n't|never|nicht|nie)(?: \w+){0,2} (?:underst\w+|verst[aä]nd\w*|make sense)|misunderst\w*|missverst\w*"
)
"""An answer is not understood."""
