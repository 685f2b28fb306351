"""Words of plain questions, in English and German: which name nothing, and which say how something is asked."""

from __future__ import annotations

from collections.abc import Iterable


def words_of(text: str) -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(text.casefold().split())


ASKING = words_of("ask asks asked asking question frage fragst fragt fragen gefragt")
"""Words for putting a question."""

FAILED = words_of(
    "fail fails failed failing failure error errors crash crashed broke fehler fehlermeldung fehlgeschlagen gescheitert"
)
COULD = words_of("could couldn couldnt konnte konnten")
"""Words that ask for a failure where they are negated."""

MAKING = words_of("made create created write wrote written produced drafted erstellt geschrieben erzeugt angefertigt")
"""Verbs for what a tool did in a node: `why was the plan made with three steps?`"""

TOOLS = words_of("tool tools werkzeug werkzeuge")

LITTLE = words_of(
    "a about again all already an and any anything are at be by can cannot could did do does don first for from had has"
    " have he how i in is it its just me more must my next no not now of on or please she should so still t that the"
    " there they this to was we were what when where who why will with you your bin bitte das dem den denn der des die"
    " du ein eine einem einen er es für haben hast hat hatte ich ihr ihre im immer ist jetzt kein keine mal mein meine"
    " meinem meinen mich mir mit muss nach nicht noch schon sie sind um und von war warum weshalb wie wieder wieso wird"
    " wurde wurden wurdest zu zum zur"
)
"""Words that name nothing."""

FILLING = LITTLE | words_of(
    "after also although am another answers because been before being bot but chat chatbot come comes doesn doesnt even"
    " ever everything exactly explain explained false her him his if isn last never node nothing once only other our"
    " out over s same second some someone something step steps such system than their them then these third though time"
    " times too true twice up us user very wasn work worked working works which while whose would yet aber alle alles"
    " als auch bis dann dass doch dran erst hatten ihm ihn je jemals knoten nichts nie nur ob obwohl ohne schritt sein"
    " seine seit sich uns unser wann weil welche welcher welches wem wen wenn wer werden wo woher worden würde über ago"
    " always anyway both during each earlier else every former however instead into least less maybe most mostly beim"
    " ersten gelten gilt myself neither often otherwise rather right several shall since sometimes somewhere sure till"
    " until under upon usually via whether within without yourself allein allem allen aller allerdings andere anderen"
    " anders anfangs außer außerdem bald bereits besonders bisher da dabei dadurch dafür dagegen daher damals damit"
    " danach daran darauf daraus darin darüber darum davon davor dazu dennoch deren dessen deshalb deswegen dich diese"
    " diesem diesen dieser dieses dir dort durch eben eher einige einmal dreimal zweimal erneut etwa etwas euch fast"
    " gegen gegenüber gerade gestern gleich heute hier hin hinter inzwischen irgendwann irgendwas irgendwie jede jedem"
    " jeden jeder jedes jedoch kaum keinen keinem keiner lange leider letzte letzten letzter mehrfach mehrmals neben"
    " nochmal nochmals nun oder ohnehin sei seinem seinen seiner seines selbst seitdem sicher sofern sogar solange soll"
    " sollte sondern sonst später statt stets trotz trotzdem unsere unter vom vor vorher während weder wegen weniger"
    " wenigstens wohl wobei wodurch wollen womit wozu zuerst zuletzt zumindest zunächst zurück zusammen zwar zwischen"
    " könnte könnten können müssen musste müsste dürfen durfte dürfte sollen wäre wären gewesen geworden hätte hätten"
    " tun getan lassen lässt kommen gekommen gehen gegangen geben"
)
"""Words that are no words of the conversation."""

COMMON = FILLING | words_of(
    "ab actually as auf aus away back bad badly bei better bit button buttons call called calls cant counted didn didnt"
    " dont eigentlich einfach endlich finally ganze gar gemacht genau get gets getting gibt give given gives got gut"
    " habe hasn hasnt haven herself himself immediately isnt itself kann kannst know knows konnte later like long"
    " longer machen macht made make makes many may mean means meant mehr might much nachdem new came none old one ones"
    " own perhaps plötzlich put quite really schlecht see seem seems seen sees sehr sofort soon suddenly take taken"
    " takes thing things think thinks took tried try two use used uses using vielleicht wasnt way whole wirklich wofür"
    " wollte wont worauf wrong überhaupt"
)
"""Words that any question may have: a question with others is about something."""


def content_of(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words that may be words of the conversation."""
    return tuple([word for word in words if word not in FILLING])


NOTING = words_of("write writes wrote enter enters entered schrieb geschrieben eingegeben")
"""Verbs for setting a value, after `who`."""

SAVING = words_of("store stored save saved keep kept record recorded note noted gespeichert notiert")
"""Verbs that name a tool of which the name begins with them."""

TRANSLATED = tuple(
    words_of(line)
    for line in (
        "abgeschickt gesendet geschickt send",
        "abschied farewell",
        "angerufen zurückgerufen call called",
        "auswertung analysis",
        "bedingungen agb terms",
        "begrüßung greeting welcome",
        "beschwerden symptome symptoms",
        "bestellung order",
        "dringend dringlichkeit urgent urgency",
        "einleitung introduction",
        "ergebnis result",
        "gedanke gedanken thought",
        "gebucht buchung book booking",
        "gelesen read",
        "gelöscht delete",
        "geplant planung plan planning",
        "geschrieben write",
        "gespeichert save",
        "gesucht suche search",
        "grund reason",
        "gruppe gruppen group groups",
        "kunde kundin customer",
        "mensch menschen human person",
        "notiert notiz notizen note",
        "nummer telefonnummer number",
        "prüfung check review",
        "rechnung invoice billing",
        "thema topic",
        "überweisung referral",
        "übergeben handed",
        "versicherung insurance",
        "zusammengefasst summarize",
        "zugestimmt zustimmung einwilligung agree agreement consent",
        "zweck purpose",
    )
)
"""Words that names of flows often have, with those of the other language. The words of a question are read in both."""

NOBODY = words_of("nobody niemand keiner")
NONE = words_of("no kein keine keiner")
PRONOUNS = NOBODY | words_of("somebody anybody jemand")
"""Words that are no names, even where a name may stand: `why did nobody come`."""

MENTIONING = words_of(
    "say says said saying tell tells told type types typed enter enters entered answer answers answered reply replied"
    " mention mentioned explain explains explained sagt sagte gesagt"
)
"""Verbs that are no names where they are followed by what was said."""

NOISE = COMMON - words_of("time times user step steps button buttons system way")
"""Words of titles that name nothing alone."""

BEFORE_NAMES = words_of(
    "about at by did does for from has in into is not of to via was why hat in ist nach über von warum wurde zu"
)
"""Words after which a name stands: `was end taken`, but `did it end`."""

OWNERS = words_of("the my your our this das dem den der die mein meine meinem meinen dein deine ihr ihre")
"""Words before a noun: `the summary`. Before a word of `ALONE` they mean that of the conversation: `the end`."""

NEGATIONS = words_of(
    "not no never nothing t don doesn didn isn wasn weren couldn cannot won wouldn hasn dont doesnt didnt isnt wasnt"
    " cant wont nicht kein keine keinen nie niemals nichts"
)

PRESENT = words_of("is are am does do isn aren doesn don ist sind bin bist")
"""Words that ask how something stands now, and not how it came to it once."""

AUXILIARIES = PRESENT | words_of(
    "did was were had has have could would will wurde wurden hat hatte haben war waren konnte"
)

STANDING = words_of(
    "offer offered offers available allow allowed allows may can possible permitted angeboten erlaubt darf verfügbar"
    " möglich"
)
"""Words that ask how a tool stands, and not what came of a call."""

OUTCOMES = words_of(
    "work works worked fail fails failed refuse refused find found return returned result abgelehnt fehlgeschlagen"
    " gefunden findet fand"
)
"""Words that ask what came of a call, also where they are negated."""

WHO_SET = words_of(
    "who where know knows weiss set sets entered enter decided decide noted stored saved says said say tell tells told"
    " gave written write wrote came wer woher gesetzt eingetragen eingegeben entschieden gesagt angegeben kommt kam"
)
"""Words that ask where a value comes from."""

TIMES = words_of(
    "hour hours minute minutes deadline later timer timers fire fired reminder timeout armed due stunde stunden minuten"
    " erinnerung fällig"
)

BEFORE = (("before",), ("bevor",), ("ehe",))
"""The first words of a clause that says before what something was."""

SAID = words_of("answer value word words message text reply say said says antwort wert wort nachricht")
"""Words after which a quoted name of the flow is no name, but what was said."""

BEFORE_NOUNS = OWNERS | words_of("a an first last second no any one every her his")
"""Words after which `answer` is a noun."""
