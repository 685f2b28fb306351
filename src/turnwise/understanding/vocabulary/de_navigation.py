"""German words that move through a conversation: back, cancel, a person, another answer. Data only."""

from __future__ import annotations

from turnwise.understanding.vocabulary.speech_shape import Move, Navigation
from turnwise.understanding.vocabulary.tables import words

_EARLIER = words("vorige vorigen voriger vorherige vorherigen vorheriger letzte letzten letzter davor frühere früheren")
_CHANGES = words("ändern ändere änder korrigieren korrigiere bearbeiten berichtigen anpassen verbessern")
_ANSWERS = words("antwort antworten angabe angaben eingabe eingaben")
_PERSONS = words("""
            mensch menschen mitarbeiter mitarbeiterin mitarbeitern person berater beraterin kollegen kollegin
            ansprechpartner sachbearbeiter sachbearbeiterin
        """)
_ANYBODY = words("jemand jemandem jemanden kundendienst kundenservice support chef vorgesetzten")
_REACHES = words("""
            sprechen reden verbinden verbinde telefonieren geben gib holen hol brauche will möchte durchstellen
            weiterleiten weiterverbinden stellen leiten haben bekommen
        """)
_REAL = words(
    "echte echten echter echtem richtige richtigen richtiger lebenden mit an zu zum zur durch weiter von direkt hilfe"
)
_PLACES = words("das dies alles hier es gespräch vorgang formular chat ganze ganzen dieses diesen damit mit")

NAVIGATION = Navigation(
    small=words("""
            ich wir mich mir uns bitte danke sie du man möchte möchten will wollen würde würden gern gerne kann
            können könnte könnten könnten darf dürfte muss müsste soll lass lassen mal noch nochmal einmal doch
            lieber jetzt kurz eben einfach der die das den dem des ein eine einen einem einer mein meine meinen
            meiner ihre ihren nein nee ja ok okay hm hmm äh ähm ach oh also so na moment halt hallo hey sorry
            entschuldigung geht es gibt zu und aber wieder eigentlich bei beim schnell da hab habe
        """),
    answer_verbs=words("geschrieben eingegeben angegeben gegeben gesagt getippt genannt gemacht gemeint geantwortet"),
    indifferent=words("egal gleich wurst wurscht schnuppe"),
    hesitations=words("hm mhm äh ähm öh öhm ah ach oh naja tja tjo puh uff hmpf ehm em ups hoppla"),
    about=words("über wegen zu zur zum"),
    choosing=words("bevorzuge nehme nimm nehmen wähle möchte will hätte lieber"),
    moves=(
        Move("edit", (words("tippfehler korrektur vertippt verschrieben"),), words("das war ist war's")),
        Move("edit", (_CHANGES, _EARLIER), _ANSWERS | words("frage")),
        Move("edit", (_CHANGES, _ANSWERS | words("etwas was")), words("von")),
        Move(
            "back",
            (words("zurück zurückgehen rückwärts"),),
            words("""
            geh gehe gehen gehn schritt schritte frage eins einen zur letzten vorigen vorherigen springen spring
            bring bringen
        """),
        ),
        Move("back", (_EARLIER, words("frage seite schritt")), words("zur zeig zeigen stell stellen geh gehen")),
        Move("hand_over", (_REACHES, _PERSONS | _ANYBODY), _REAL),
        Move("hand_over", (_PERSONS,), _REAL),
        Move("hand_over", (words("verbinden verbinde durchstellen"),), words("mit durch")),
        Move("cancel", (words("abbrechen abbruch beenden aufhören stopp stop stoppe stoppen exit ende"),), _PLACES),
        Move("cancel", (words("brich brechen"), words("ab")), _PLACES),
        Move("cancel", (words("hör höre hören"), words("auf")), _PLACES),
        Move("cancel", (words("lassen lass"), words("das es")), words("wir uns sein bleiben")),
        Move("cancel", (words("schluss"), words("damit jetzt hier")), words("mit")),
        Move("cancel", (words("nicht"), words("mehr"), words("will möchte mag wollen möchten")), words("weiter")),
        Move("cancel", (words("vergiss vergessen"), words("es das alles")), words("ganze")),
        Move("cancel", (words("schon"), words("gut")), words("ist")),
        Move("cancel", (words("egal"),), words("ist schon")),
        Move("cancel", (words("muss müssen"), words("weg los gehen fort")), words("leider gleich")),
        Move("help", (words("menü hauptmenü"),), words("zum ins im zurück zeig zeigen")),
        Move("help", (words("hä häh hae"),), words("was wie")),
        Move("help", (words("was wie"),), words("hä bitte")),
        Move("skip", (words("weiter nächste überspringen"),), words("frage zur nächsten")),
        Move("restart", (words("anfangen beginnen starten"), words("vorn vorne neu")), words("von ganz alles")),
        Move("wait", (words("später"),), words("vielleicht erst komme zurück darauf")),
        Move("wait", (words("moment sekunde augenblick minute"),), words("kleinen gib geben sekündchen")),
    ),
)
"""The words of German by which users go back, cancel, or ask for a person."""
