"""What people call commands, moments and the roots of conditions, in the languages of answers."""

from __future__ import annotations

from collections.abc import Mapping

_ENGLISH = {
    "command": {"set": "set", "hand_over": "hand over"},
    "moment": {
        "before": "before the step works",
        "tool": "after a tool was used",
        "calls": "after all calls of a reply",
        "after": "after the step has worked",
        "error": "after something failed",
        "timer": "when its time has come",
        "event": "when its event comes",
        "choice": "where the model chooses",
    },
    "name": {"message.text": "the message", "form.status": "the status of the form"},
    "form.status": {
        "awaiting_confirmation": "awaiting confirmation",
        "handed_off": "handed off",
    },
}
_GERMAN = {
    "command": {
        "set": "setzen:",
        "clear": "leeren:",
        "add": "hinzufügen:",
        "change": "ändern:",
        "remove": "entfernen:",
        "move": "verschieben:",
        "copy": "kopieren:",
        "affirm": "zustimmen",
        "deny": "ablehnen",
        "edit": "ändern:",
        "skip": "überspringen",
        "back": "zurück",
        "help": "Hilfe",
        "why": "warum",
        "repeat": "wiederholen",
        "wait": "warten",
        "cancel": "abbrechen",
        "restart": "neu beginnen",
        "undo": "zurücknehmen",
        "start": "beginnen",
        "hand_over": "an einen Menschen übergeben",
        "ask": "fragen",
    },
    "moment": {
        "before": "bevor der Schritt arbeitet",
        "tool": "nach der Nutzung eines Werkzeugs",
        "calls": "nach allen Aufrufen einer Antwort",
        "after": "nach der Arbeit des Schritts",
        "error": "nach einem Fehler",
        "timer": "wenn die Zeit gekommen ist",
        "event": "wenn das Ereignis kommt",
        "choice": "wo das Modell wählt",
    },
    "name": {"message.text": "die Nachricht", "form.status": "der Stand des Formulars"},
    "form.status": {
        "collecting": "noch nicht vollständig",
        "awaiting_confirmation": "bereit zur Bestätigung",
        "confirmed": "bestätigt",
        "stopped": "angehalten",
        "cancelled": "abgebrochen",
        "handed_off": "übergeben",
    },
    "limit": {"money": "Geld", "tokens": "Tokens", "time": "Zeit"},
    "measure": {"money": "Geld", "tokens": "Tokens", "time": "Zeit"},
    "per": {"turn": "Runde", "conversation": "Gespräch", "day": "Tag"},
}
NAMED_WORDS: Mapping[str, Mapping[str, Mapping[str, str]]] = {"en": _ENGLISH, "de": _GERMAN}
"""What people call what the engine calls otherwise: by language, by the name of a value in a sentence, by the value."""
