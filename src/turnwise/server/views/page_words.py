"""Sentences of the server about a conversation, in the languages of the page."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.archive.condition_words import CONDITIONS

_ENGLISH = {
    "needs": "Only with {condition}",
    "kept": "{reason}; the answer is kept",
    "no_reason": "It does not apply now",
    "skipped": "Skipped by the user",
    "never_asked": "Not asked, only taken when it is said",
    "not_one_of": "It is none of {options}",
    "not_understood": "It was not understood as an answer",
    "not_accepted": "It was not accepted",
    "next": "Asked next",
    "suggested": "Suggested to the user, waits for a yes",
    "optional": "Optional",
    "then_question": "then “{label}”",
    "then_summary": "then the summary",
    "then_chooser": "asks which answer to change",
    "and_question": "and asks “{label}”",
    "then_stop": "stops the form",
    "again": "asks again",
    "moves": "moves to {title}",
    "ends": "ends: {outcome}",
    "hands_over": "hands over to {title}",
    "runs": "runs {title}",
    "asks": "asks for a yes to {title}",
    "speaks": "a model answers in {title}",
    "reads": "a model reads it",
    "refused": "is refused: {reason}",
    "goes_on": "goes on in {title}",
    "operator": "an operator",
    "asked_for_person": "Asked for a person: “{words}”",
    "taken_over": "Taken over: {reason}",
    "a_person": "a person",
    "person_timeout": "Wait for a person",
    "person_timeout_does": "the wait ends without one",
    "approval_deadline": "Deadline for an approval",
    "approval_deadline_does": "the calls that wait are declined",
    "silence": "Silence",
    "silence_does": "the inner conversation closes",
    "opens": "opens {title}",
    "offers": "offers {title}",
    "instructs": "leaves a text for the next reply",
    "closes": "closes the inner conversation",
    "reminds": "says a reminder",
    "stays": "stays",
    "judged_after_person": "No rule is judged until {name} gives the conversation back.",
    "judged_no_undo": "An undo restored the state of the end of turn {to}. It judges no rule.",
    "judged_no_stale_button": "No rule was judged: the button belongs to an earlier question.",
    "judges_then": "The rules of {node} are judged {when}.",
    "judges_never": "{node} has no rules by which the conversation could move on.",
    "judges_before": "when a message comes",
    "judges_after": "after the reply",
    "judges_tool": "after a tool",
    "judges_calls": "after all calls of a reply",
    "judges_error": "after a failure",
    "judges_timer": "when their time has come",
    "judges_event": "when their event comes",
    "judges_choice": "when the model chooses",
}
_GERMAN = {
    "needs": "Nur bei {condition}",
    "kept": "{reason}; die Antwort bleibt erhalten",
    "no_reason": "Gilt zurzeit nicht",
    "skipped": "Vom Nutzer übersprungen",
    "never_asked": "Wird nicht gefragt, nur angenommen",
    "not_one_of": "Es ist keins von {options}",
    "not_understood": "Wurde nicht als Antwort verstanden",
    "not_accepted": "Wurde nicht angenommen",
    "next": "Wird als Nächstes gefragt",
    "suggested": "Wurde vorgeschlagen, wartet auf ein Ja",
    "optional": "Freiwillig",
    "then_question": "dann „{label}“",
    "then_summary": "dann die Zusammenfassung",
    "then_chooser": "fragt, welche Antwort zu ändern ist",
    "and_question": "und fragt nach „{label}“",
    "then_stop": "hält das Formular an",
    "again": "fragt noch einmal",
    "moves": "weiter zu {title}",
    "ends": "endet: {outcome}",
    "hands_over": "übergibt an {title}",
    "runs": "führt aus: {title}",
    "asks": "bittet um ein Ja zu {title}",
    "speaks": "ein Modell antwortet in {title}",
    "reads": "ein Modell liest es",
    "refused": "wird abgelehnt: {reason}",
    "goes_on": "geht weiter in {title}",
    "operator": "ein Mensch",
    "asked_for_person": "Wollte mit einem Menschen sprechen: „{words}“",
    "taken_over": "Übernommen: {reason}",
    "a_person": "ein Mensch",
    "person_timeout": "Warten auf einen Menschen",
    "person_timeout_does": "das Warten endet ohne einen",
    "approval_deadline": "Frist für eine Freigabe",
    "approval_deadline_does": "die wartenden Aufrufe werden abgelehnt",
    "silence": "Stille",
    "silence_does": "das innere Gespräch wird beendet",
    "opens": "beginnt {title}",
    "offers": "bietet {title} an",
    "instructs": "hinterlässt einen Text für die nächste Antwort",
    "closes": "beendet das innere Gespräch",
    "reminds": "sagt eine Erinnerung",
    "stays": "bleibt",
    "judged_after_person": "Keine Regel wird geprüft, bis {name} das Gespräch zurückgibt.",
    "judged_no_undo": "Der Stand am Ende von Runde {to} wurde wiederhergestellt. Dabei wird keine Regel geprüft.",
    "judged_no_stale_button": "Keine Regel wurde geprüft: Der Knopf gehört zu einer früheren Frage.",
    "judges_then": "Die Regeln von {node} werden geprüft: {when}.",
    "judges_never": "{node} hat keine Regeln, nach denen es weitergehen könnte.",
    "judges_before": "wenn eine Nachricht kommt",
    "judges_after": "nach der Antwort",
    "judges_tool": "nach einem Werkzeug",
    "judges_calls": "nach allen Aufrufen einer Antwort",
    "judges_error": "nach einem Fehler",
    "judges_timer": "wenn ihre Zeit gekommen ist",
    "judges_event": "wenn ihr Ereignis kommt",
    "judges_choice": "wenn das Modell wählt",
}
_WORDS = {"en": {**CONDITIONS["en"], **_ENGLISH}, "de": {**CONDITIONS["de"], **_GERMAN}}
LANGUAGES = tuple(_WORDS)
"""The codes of the languages that the sentences of the page are written in."""


def page_words(language: str) -> Mapping[str, str]:
    """Return the sentences of the page in a language, by their keys; in English for a language without them."""
    return _WORDS.get(language, _WORDS["en"])


def page_language(header: str) -> str:
    """Return the first language of an `Accept-Language` header that has sentences; English if there is none."""
    for part in header.split(","):
        code = part.partition(";")[0].strip().partition("-")[0].lower()
        if code in _WORDS:
            return code
    return "en"
