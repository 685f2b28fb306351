"""Words of plain questions, in English and German: what kind of subject they hint at, and which name nothing.

Both languages are read in every flow: an author may ask about a German flow in English.
"""

from __future__ import annotations

from turnwise.why.answer import SubjectKind


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ASKING = _words("ask asks asked asking question frage fragst fragt fragen gefragt")
"""Words for putting a question."""

CUES: tuple[tuple[frozenset[str], SubjectKind], ...] = (
    (_words("timer timers fire fired reminder timeout erinnerung"), "timer"),
    (_words("takeover charge operators übernommen"), "person"),
    (_words("end ends ended over finish finished stop stopped ende endet beendet aufgehört schluss vorbei"), "end"),
    (
        _words("person human operator agent somebody nobody anybody mensch mitarbeiter berater jemand niemand"),
        "person",
    ),
    (_words("prompt model llm tokens tool tools modell werkzeug werkzeuge"), "model"),
    (
        _words(
            "form confirm confirmation summary missing complete progress questions formular bestätigen bestätigung"
            " zusammenfassung fehlt fehlen"
        ),
        "form",
    ),
    (ASKING, "question"),
    (
        _words(
            "understand understood misunderstood message stored store saved save ignored ignore accepted accept refused"
            " recorded nachricht verstanden verstehst gespeichert ignoriert akzeptiert notiert"
        ),
        "message",
    ),
    (
        _words("fail fails failed failing failure error errors crash crashed broke fehler fehlgeschlagen gescheitert"),
        "conversation",
    ),
    (_words("wait waits waiting conversation run runs running warten wartet wartest gespräch läuft"), "conversation"),
    (
        _words(
            "say says said reply answer happen happened happening turn move moved here go goes going went continue"
            " continued stay stays stayed stuck leave left sent nothing rejected sagst sagt gesagt antwort passiert"
            " undo undone hier geht weiter bleibt geschickt abgelehnt nichts"
        ),
        "turn",
    ),
    (_words("want wants need needs willst brauchst brauchen"), "question"),
)
"""What a word hints at where no name of the flow is in a question; the first kind of which a word is there."""

ALONE: dict[str, SubjectKind] = {
    "end": "end",
    "origin": "origin",
    "question": "question",
    "form": "form",
    "person": "person",
    "model": "model",
    "conversation": "conversation",
    "message": "message",
    "turn": "turn",
    "prompt": "model",
    "timer": "timer",
}
"""Subjects that need no name: `end`, or `the end` where the flow has such a name."""

LITTLE = _words(
    "a about again all already an and any anything are at be by can cannot could did do does don first for from"
    " had has have he how i in is it its just me more must my next no not now of on or please she should so still"
    " t that the there they this to was we were what when where who why will with you your"
    " bin bitte das dem den denn der des die du ein eine einem einen er es für haben hast hat hatte ich ihr ihre"
    " im immer ist jetzt kein keine mal mein meine meinem meinen mich mir mit muss nach nicht noch schon sie sind"
    " um und von war warum was weshalb wie wieder wieso wird wurde wurden wurdest zu zum zur"
)
"""Words that name nothing."""

BEFORE_NAMES = _words(
    "about at by did does for from has in into is not of to via was why hat in ist nach über von warum wurde zu"
)
"""Words after which a name stands: `was end taken`, but `did it end`."""

OWNERS = _words("the my your our this das dem den der die mein meine meinem meinen dein deine ihr ihre")
"""Words before a noun: `the summary`. Before a word of `ALONE` they mean that of the conversation: `the end`."""

CUE_WORDS: frozenset[str] = frozenset((*ALONE, *(word for words, _ in CUES for word in words)))
"""Words that hint at something. A name that is one of them counts only where a name stands."""
