"""Words of questions in English and German: those that say at which kind of subject a question aims, and those that
say nothing about its subject.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from turnwise.core.state import events as e
from turnwise.understanding.vocabulary import LANGUAGE_CODES, load_vocabulary
from turnwise.why.answer import SubjectKind


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KIND_TEXTS: dict[SubjectKind, str] = {
    "end": "end ended finish finished over close closed stop stopped hang bye ende beendet schluss vorbei",
    "person": "person human operator colleague staff handed handover took takeover mensch mitarbeiter übernommen",
    "model": "model llm ai prompt tokens modell ki",
    "timer": "timer timeout deadline expired waiting minutes hour frist uhr abgelaufen",
    "overlay": "overlay persona voice character kostüm rolle stimme",
    "event": "event webhook system ereignis",
    "message": "message said wrote typed answer pressed clicked tapped button nachricht antwort gesagt gedrückt",
    "question": "ask asked asking question frage gefragt fragen",
    "form": "form formular fragebogen summary confirm confirmation bestätigung",
    "tool": "tool tools called function werkzeug aufgerufen",
    "conversation": "conversation chat silent quiet stuck nothing status gespräch stumm hängt",
    "origin": "file line code where version datei zeile",
}
"""The words for each kind, in one text."""
KIND_WORDS: dict[SubjectKind, frozenset[str]] = {kind: frozenset(text.split()) for kind, text in _KIND_TEXTS.items()}
"""The words of a question that aim at a kind of subject, by kind."""
ALL_KIND_WORDS = frozenset[str]().union(*KIND_WORDS.values())
"""All words of questions that aim at a kind of subject, of any kind."""
IGNORED = _words(
    "a about after again all also am an and any are as at be because been before bot but by can could did do does don"
    " doesn didn even ever first for from get got had has have he her him his how i if in is isn it its just me more my"
    " no not now of off on only or our out she should so some still t than that the their them then there they this to"
    " too up us user was wasn we were what when where which who whom whose why will with would yet you your"
    " aber alle als am an auch auf aus bei bin bis bist da das dass dem den denn der des die dies du ein eine einem"
    " einen einer er es für haben hat hatte hätte ich ihm ihn ihr ihre im in ist ja kein keine mal man mein meine mich"
    " mir mit nach nicht noch nun nur oder ob schon sein seine sich sie sind so über um und uns vom von vor war waren"
    " warum was weil weiter welche wem wen wenn wer werden weshalb wie wieso will wir wird wo wurde zu zum zur"
)
"""The words of a question that name nothing."""

OPENING_WORDS = _words(
    "open opened opening opens begin began begun begins beginning start started starts starting run running runs ran"
    " close closed closes closing stop stopped stops end ended ends finish finished over cancel cancelled canceled"
    " cancels abort aborted leave left available possible active already anymore yet here today interrupted unavailable"
    " offen geöffnet öffnen öffnet beginnen beginnt begann begonnen angefangen anfangen fing fängt startet gestartet"
    " starten läuft laufen lief geschlossen schließen beendet beenden abgebrochen abbrechen aus zu vorbei fertig"
    " verlassen unterbrochen mehr jetzt gerade wann"
)
"""Words for what happens to a scope, and when."""

EVENT_WORDS: dict[tuple[type, ...], frozenset[str]] = {
    (e.ToolFailed, e.ModelFailed, e.Failed, e.UnderstandingFailed): _words(
        "fail failed failure error wrong crash crashed attempts fehler fehlgeschlagen schlug fehl versuche"
        " schiefgegangen"
    ),
    (e.Missed, e.CommandRefused, e.EventRefused, e.CallRefused): _words(
        "understood understand misunderstood trouble refused rejected accepted taken ignored allowed abgelehnt"
        " verstanden akzeptiert ignoriert genommen"
    ),
    (e.Undone,): _words("undo undone undid back revert zurückgenommen rückgängig"),
    (e.Commands,): _words("system program application outside external sent programm anwendung außen fremde fremdes"),
}
"""The words for what happened, by the events in which it is recorded."""


@cache
def meanings() -> Mapping[str, frozenset[str]]:
    """Return for each word that field names often have its equivalents in all languages: `age` and `alter`."""
    found: dict[str, frozenset[str]] = {}
    for code in LANGUAGE_CODES:
        for concept in load_vocabulary(code).concepts:
            words = frozenset(word.casefold() for word in concept.marks) - IGNORED
            found |= {word: found.get(word, frozenset()) | words for word in words}
    return found
