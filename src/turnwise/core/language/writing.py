"""Recognises the question *why do you write to me*: its words in English and German."""

from __future__ import annotations

from collections.abc import Collection

from turnwise.core.language import normalized


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WRITING = _words(
    "write writes writing wrote written messaging messaged contacting contacted texting texted notify notifying notified"
    " remind reminding reminded pinging pinged send sends sending sent"
    " schreibst schreibt schreiben schriebst geschrieben anschreibst angeschrieben meldest meldet gemeldet kontaktierst"
    " kontaktiert erinnerst erinnert benachrichtigst benachrichtigt schickst geschickt sendest gesendet"
)
"""Verbs of writing to a person."""
_WRITTEN = _words(
    "message messages contact text texts ping notification reminder nachricht nachrichten erinnerung benachrichtigung"
)
"""Nouns for what is written, where the user is named as its receiver."""
_TO_USER = _words("me us mir mich uns")
_NOT = _words("not no never don't didn't haven't doesn't won't didn don haven doesn won nicht nie kein keine keinen")
_BY_USER = _words("i my mine ich mein meine meinen meiner")
"""With one of these it may be the user who wrote, unless the user received it."""
_RECEIVING = _words(
    "get gets getting got receive receives receiving received bekomme bekam bekommen kriege krieg gekriegt erhalte"
    " erhielt erhalten"
)
_SMALL = _words(
    "why how come what for did do does are is was were have has had been you your me us to this that these it the a an"
    " so now then just today again out up off on at of early late suddenly now here and but hi hello hey please oh well"
    " warum wieso weshalb wozu weswegen hast habt haben hat du dich ihr sie sich mir mich uns diese dieses die das eine"
    " der den bei zu an denn eigentlich jetzt gerade heute nun schon wieder so hier und aber hallo bitte von dir mal"
)


def asks_about_writing(words: Collection[str]) -> bool:
    """Return whether words of a question ask about the texts that were written to the user."""
    said = frozenset(words)
    receives = not said.isdisjoint(_RECEIVING) and not said.isdisjoint(_WRITTEN)
    is_written = not said.isdisjoint(_WRITING) or (not said.isdisjoint(_WRITTEN) and not said.isdisjoint(_TO_USER))
    return said.isdisjoint(_NOT) and (receives or (is_written and said.isdisjoint(_BY_USER)))


def asks_only_about_writing(message: str) -> bool:
    """Return whether a message asks about the texts written to the user, and about nothing else."""
    words = normalized(message).split()
    return asks_about_writing(words) and _KNOWN.issuperset(words)


_KNOWN = _WRITING | _WRITTEN | _TO_USER | _RECEIVING | _SMALL | _BY_USER
