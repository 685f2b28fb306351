"""Words of plain questions, in English and German: what kind of subject they hint at, and which name nothing.

Both languages are read in every flow: an author may ask about a German flow in English.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import SubjectKind

Happening = Literal[
    "undo",
    "restart",
    "skip",
    "change",
    "loss",
    "failure",
    "move",
    "admission",
    "return",
    "result",
    "stop",
    "cancel",
    "confirm",
]
"""Something that happens in a turn: a question about it is about the last turn in which it did."""


class Cue(NamedTuple):
    """What a question is about where it names nothing of the flow."""

    kind: SubjectKind
    happening: Happening | None = None


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> re.Pattern[str]:
    return late_pattern(rf"\b(?:{text})\b")


# what is asked ------------------------------------------------------------------------------------

ASKING = _words("ask asks asked asking question frage fragst fragt fragen gefragt")
"""Words for putting a question."""

FAILED = _words("fail fails failed failing failure error errors crash crashed broke fehler fehlgeschlagen gescheitert")
TOOLS = _words("tool tools werkzeug werkzeuge")
INTRODUCTION = late_pattern(
    r"(?:(?:can|could|would) you |please |bitte )*"
    r"(?:(?:explain|tell me|do you know|erklär\w*(?: mir)?|sag mir)(?: please| bitte)?[,:]? ?)?"
    r"(?:why+\b|how come\b|what made\b|what is the reason\b|what's the reason\b|whats the reason\b|for what reason\b"
    r"|warum\b|wieso\b|weshalb\b|weswegen\b|wie kommt es,?(?: dass)?\b|wie kam es,?(?: dass)?\b|aus welchem grund\b)?"
)
"""How a question of why begins; what follows is what it is about."""

PHRASES: tuple[tuple[re.Pattern[str], Cue], ...] = (
    (
        _phrases(
            r"start(?:s|ed|ing)? (?:over|again|from)|beg[aiu]ns? again|from (?:the beginning|scratch)|restart\w*|reset"
            r"|von vorne?|neu (?:gestartet|begonnen|angefangen)"
        ),
        Cue("turn", "restart"),
    ),
    (_phrases(r"form(?:ular)?\b.* (?:stop\w*|aufgehört|angehalten)"), Cue("form", "stop")),
    (_phrases(r"cancell?ed|abgebrochen"), Cue("form", "cancel")),
    (_phrases(r"confirmed|bestätigt"), Cue("form", "confirm")),
    (
        _phrases(r"second chance|(?:let|allow|allowed|get|got)(?: \w+)? back(?: in)?|(?:come|came) back in"),
        Cue("turn", "return"),
    ),
    (
        _phrases(
            r"(?:let|lets|get|gets|got|getting|come|came|allow|allowed)(?: \w+)?(?: not)? (?:in|into|through|pass)"
            r"|turned down|ruled out|eligible|qualif\w+|take part|may stay|h?e?reingelassen|mitmachen|weitermachen"
            r"|teilnehmen"
        ),
        Cue("turn", "admission"),
    ),
    (
        _phrases(
            r"f(?:ind|inds|ound) (?:nothing|no \w+|anything)|nothing (?:was )?found|nichts gefunden|find\w+ nichts"
        ),
        Cue("model", "result"),
    ),
    (
        _phrases(r"(?:am i|are they|is she|is he|are we) (?:talking|speaking|writing) (?:to|with)|mit wem"),
        Cue("person"),
    ),
    (
        _phrases(
            r"(?:it|bot|machine|system|assistant|you)(?:n't| not)?(?: \w+)? "
            r"(?:say|says|said|write|writes|answers?|reply) (?:nothing|no more)"
            r"|(?:it|bot|machine|system|assistant|you) (?:go|goes|gone|went|fall|fell|stay|stayed) (?:silent|quiet)"
            r"|antwortet (?:es|er|(?:der|das|die) \w+) (?:mir )?(?:nicht|nichts)(?: mehr)?"
        ),
        Cue("conversation"),
    ),
    (_phrases(r"skip(?:ped|s)?|überspr\w+"), Cue("turn", "skip")),
    (_phrases(r"who changed|changed (?:my|the|her|his) (?:answers?|values?|data)"), Cue("turn", "change")),
    (
        _phrases(
            r"copy|copied|copies|fork(?:ed|s)?|kopie|kopiert|"
            r"where (?:does|did) (?:this|the) (?:conversation|chat|talk) come from|woher kommt (?:dieses|das) gespräch"
        ),
        Cue("origin"),
    ),
    (_phrases(r"undo|undone|undid|take(?:n)? back|took back|rückgängig|zurückgenommen"), Cue("turn", "undo")),
    (
        _phrases(
            r"if\b.*(?:does not|doesn't|doesnt|won't|wont|never|no longer) (?:answer|reply|respond|write|say)"
            r"|(?:if|wenn)\b.*(?:stays? away|nicht mehr (?:meld\w+|antwort\w+|schreib\w+|reagier\w+))"
            r"|(?:say|says|said|write|writes|wrote|answers?|does|sagt|schreibt|antwortet|tut)(?: \w+)? "
            r"(?:nothing|no more|nichts)|nichts (?:mehr )?(?:sagt|schreibt|antwortet|tut)|schweigt"
            r"|(?:stay|stays|remain|remains|is|are|goes) (?:silent|quiet|away)"
            r"|(?:after|within|nach|binnen)(?: \w+){1,3} (?:minutes?|hours?|days?|minuten?|stunden?|tagen?)"
            r"|time (?:is |was |ran |runs )?(?:up|out|over)|how long until|how much time|until when|time left"
            r"|frist|zeit (?:um|abgelaufen|vorbei)|bis wann|wie lange noch|noch zeit|wie viel zeit|läuft \w+ ab"
        ),
        Cue("timer"),
    ),
    (
        _phrases(
            r"hand(?:ed|s|ing)?(?: \w+){0,2} over|t(?:ake|akes|ook|aken)(?: \w+){0,2} over"
            r"|g(?:ive|ives|ave|iven)(?: \w+){0,2} back|in charge|responsible|zuständig|verantwortlich"
        ),
        Cue("person"),
    ),
    (
        _phrases(r"(?<!for )(?:my|her|his) (?:first |last )?(?:answer|reply|message)|meine (?:antwort|nachricht)"),
        Cue("message"),
    ),
    (_phrases(r"answer(?:ed|ing|s)? (?:\w+ |\w+'s ){0,2}question"), Cue("message")),
    (_phrases(r"(?:read|count|counted|taken|noted|understood) as"), Cue("message")),
    (_phrases(r"enough|suffic\w+|(?:get|got) (?:\w+ ){0,2}further|genug|(?:ge)?reicht\w*"), Cue("turn")),
    (_phrases(r"(?:it|this|that|we|you) (?:all )?(?:done|ready) (?:yet|already|now)|h[au]ng up|good-?bye"), Cue("end")),
    (
        _phrases(r"(?:go|went|gone|goes) wrong|g[ai]ven? up|schief\w*|stuck|(?:hängen|stecken) ?geblieben"),
        Cue("conversation", "failure"),
    ),
)
"""Phrases that hint at something, before any single word; the first that is there."""

CUES: tuple[tuple[frozenset[str], Cue], ...] = (
    (
        _words("timer timers fire fired reminder timeout deadline hour hours minute minutes erinnerung stunde stunden"),
        Cue("timer"),
    ),
    (_words("takeover charge operators queue übernommen warteschlange"), Cue("person")),
    (
        _words(
            "end ends ended over finish finishes finished stop stops stopped close closes closed done ende endet endete"
            " beendet aufgehört geschlossen schluss vorbei verabschiedet"
        ),
        Cue("end"),
    ),
    (
        _words("person human operator agent somebody nobody anybody mensch mitarbeiter berater jemand niemand"),
        Cue("person"),
    ),
    (TOOLS | _words("prompt model llm tokens modell"), Cue("model")),
    (
        _words(
            "gone lose loses lost delete deletes deleted clear clears cleared vanish vanished disappear disappeared"
            " remove removes"
            " removed weg verloren gelöscht verschwunden"
        ),
        Cue("turn", "loss"),
    ),
    (
        _words(
            "answers form confirm confirms confirmed confirmation summary missing complete progress questions cancel"
            " cancelled"
            " canceled formular bestätigen bestätigt bestätigung zusammenfassung fehlt fehlen abgebrochen"
        ),
        Cue("form"),
    ),
    (ASKING, Cue("question")),
    (
        _words(
            "understand understood misunderstood message stored store saved save ignored ignore accepted accept refused"
            " recorded noted taken kept keep nachricht verstanden verstehst verstand gespeichert ignoriert akzeptiert"
            " notiert behalten genommen"
        ),
        Cue("message"),
    ),
    (
        FAILED,
        Cue("conversation", "failure"),
    ),
    (
        _words(
            "wait waits waiting conversation run runs running talk talks talking respond responds responding warten"
            " wartet wartest gespräch läuft"
        ),
        Cue("conversation"),
    ),
    (
        _words("rejected excluded admitted abgelehnt abgewiesen ausgeschlossen zugelassen"),
        Cue("turn", "admission"),
    ),
    (
        _words("move moved moves change changed changes switch switched left sent geschickt"),
        Cue("turn", "move"),
    ),
    (
        _words(
            "say says said reply replies answer happen happened happens happening turn here go goes going went"
            " continue continued stay stays stayed stuck leave nothing sagst sagt gesagt antwort antwortet antwortest"
            " passiert hier geht weiter bleibt nichts"
        ),
        Cue("turn"),
    ),
    (_words("want wants need needs willst brauchst brauchen"), Cue("question")),
)
"""What a word hints at where no name of the flow is in a question; the first kind of which a word is there."""

CLEAR: tuple[SubjectKind, ...] = ("person", "timer", "model", "form", "origin")
"""Kinds of which a word says more than names that are only alike."""

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

# how it is asked ----------------------------------------------------------------------------------

LITTLE = _words(
    "a about again all already an and any anything are at be by can cannot could did do does don first for from"
    " had has have he how i in is it its just me more must my next no not now of on or please she should so still"
    " t that the there they this to was we were what when where who why will with you your"
    " bin bitte das dem den denn der des die du ein eine einem einen er es für haben hast hat hatte ich ihr ihre"
    " im immer ist jetzt kein keine mal mein meine meinem meinen mich mir mit muss nach nicht noch schon sie sind"
    " um und von war warum was weshalb wie wieder wieso wird wurde wurden wurdest zu zum zur"
)
"""Words that name nothing."""

FILLING = _words(
    "after also although am another answers because been before being bot but chat chatbot come comes doesn doesnt"
    " even ever everything exactly explain explained false her him his if isn last never node nothing once only"
    " other our out over s same second she some someone something step steps such system than their them then these"
    " third though time times too true twice up us user very wasn work worked working works which while whose would yet"
    " aber alle alles als auch bis bot dann dass doch dran er erst hatten ihm ihn in je jemals knoten nichts nie"
    " noch nur ob obwohl ohne schritt sein seine seit sich so uns unser wann weil welche welcher welches wem wen"
    " wenn wer werden wo woher worden würde über"
)
"""Words of sentences that are no words of the conversation either."""
COMMON = _words(
    "ab actually an as auf aus away back bad badly bei better bit button buttons call called calls cant didn"
    " didnt dont eigentlich einfach endlich finally ganze gar gemacht genau get gets getting gibt give given gives"
    " got gut habe hasn hasnt haven herself himself immediately isnt itself kann kannst know knows konnte later"
    " like long longer machen macht made make makes many may maybe mean means meant mehr might much nachdem new"
    " none old one ones or own perhaps plötzlich put quite really right schlecht see seem seems seen sees sehr"
    " sofort soon suddenly take taken takes thing things think thinks took tried try two use used uses using"
    " vielleicht wasnt way whole wirklich wofür wollte womit wont worauf wrong überhaupt"
)
"""Words that any question may have: a question with others is about something."""

PRONOUNS = _words("nobody somebody anybody jemand niemand")
"""Words that are no names, even where a name may stand: `why did nobody come`."""
MENTIONING = _words(
    "say says said saying tell tells told type types typed enter enters entered answer answers"
    " answered reply replied mention mentioned explain explains explained sagt sagte gesagt"
)
"""Verbs that are no names where they are followed by what was said."""
NOISE = (FILLING | COMMON) - _words("time times user step steps button buttons system way")
"""Words of titles that name nothing alone."""

BEFORE_NAMES = _words(
    "about at by did does for from has in into is not of to via was why hat in ist nach über von warum wurde zu"
)
"""Words after which a name stands: `was end taken`, but `did it end`."""

OWNERS = _words("the my your our this das dem den der die mein meine meinem meinen dein deine ihr ihre")
"""Words before a noun: `the summary`. Before a word of `ALONE` they mean that of the conversation: `the end`."""

NEGATIONS = _words(
    "not no never nothing don doesn didn isn wasn weren couldn cannot won wouldn hasn dont doesnt didnt isnt wasnt cant"
    " wont nicht kein keine keinen nie niemals nichts"
)
PRESENT = _words("is are am does do isn aren doesn don ist sind bin bist")
"""Words that ask how something stands now, and not how it came to it once."""
AUXILIARIES = PRESENT | _words(
    "did was were had has have could would will wurde wurden hat hatte haben war waren konnte"
)

STANDING = _words("offer offered available allow allowed allows may can angeboten erlaubt darf verfügbar")
"""Words that ask how a tool stands, and not what came of a call."""

OUTCOMES = _words(
    "work works worked fail fails failed refuse refused find found return returned result abgelehnt fehlgeschlagen"
    " gefunden findet fand"
)
"""Words that ask what came of a call, also where they are negated."""

WHO_SET = _words(
    "who where set sets entered enter decided decide noted stored saved says said say tell tells told gave written"
    " write wrote came wer woher gesetzt eingetragen eingegeben entschieden gesagt angegeben kommt kam"
)
"""Words that ask where a value comes from."""

TIMES = _words(
    "hour hours minute minutes deadline later timer timers fire fired reminder timeout stunde stunden minute minuten"
    " erinnerung"
)
WHEN = late_pattern(
    r"\s*(?:when|wann) (?:is|will|does|do|are|wird|werden|läuft|endet)\b|.*\bhow (?:long|much time) until\b"
)
"""How a question about a time to come begins."""

MENTION = late_pattern(
    r"\b(?P<verb>say|says|said|saying|tell|tells|told|write|writes|wrote|type|types|typed|enter|enters|entered|answer|answers"
    r"|answered|reply|replied|mention|mentioned|explain|explains|explained|called|sagt|sagte|gesagt|schrieb|geschrieben"
    r"|antwortete|eingegeben|getippt)\b[,:]?\s+(?P<words>.+)"
)
"""A word after which the words of a message are repeated: `when I said thirty-five`."""

SAID = _words("answer value word words message text reply say said says antwort wert wort nachricht")
"""Words after which a quoted name of the flow is no name, but what was said."""
BEFORE_NOUNS = OWNERS | _words("a an first last second no any one every her his")
"""Words after which `answer` is a noun."""

QUOTED = late_pattern(r"[“”\"„«]\s*([^“”\"„«»]+?)\s*[“”\"»]|(?<!\w)['‘`]\s*([^'’`]+(?:'\w[^'’`]*)*?)\s*['’`](?!\w)")

BY_MACHINE = late_pattern(r"\b(?:it|bot|chatbot|assistant|machine|es|er)(?:n't| not| nicht)?(?: \w+)? *$")
"""What stands before the verb where the words that follow are the machine's: `why did it say …`."""

CLAUSE = late_pattern(
    r",?\s+\b(although|even though|though|while|when|whenever|after(?! all\b)|because(?: of)?|since(?! when)|before|if"
    r"|but|despite|in spite of|due to|without|obwohl|nachdem|wenn|als|während|bevor|weil|aber|trotz|wegen|aufgrund"
    r"|ohne)\b\s+"
)
"""Begins the part of a sentence that only says when, or against what."""

CONTRAST = late_pattern(
    r",?\s+(?:(?:and|but) not|instead of|rather than|und nicht|statt|anstatt)\b\s+|,\s*(?:not|nicht)\b\s+"
    r"|\s+not\s+(?=when\b)"
)
"""Begins the part of a sentence that names what did not happen."""

WHY_LATER = late_pattern(
    r"^(?P<aside>(?!why\b).+?)[,;:.]\s+(?:(?:so|and|but|then|also|aber|und) )?"
    r"(?=(?:why|how come|warum|wieso|weshalb)\b)"
)
"""What stands before the question: `the clerk said no hurry, so why …`."""
WHY_LAST = late_pattern(r"[,;:.]?\s+(?:(?:but|and|so|aber|und) )?(?:why|how come|warum|wieso|weshalb)\s*$")
"""Ends a sentence that tells what happened, and asks why."""
FIRST_CLAUSE = late_pattern(
    r"^why (?P<aside>(?:although|even though|though|despite|in spite of|instead of|rather than|without|while|when|after"
    r"|because|since|if|obwohl|nachdem|wenn|als|während|weil|trotz|statt|anstatt|ohne)\b.+?)"
    r"(?:,\s+|\s+(?=(?:i|you|he|she|it|we|they) (?:was|were|did|had|is|are|has|have|wanted|got)\b))"
)
"""What stands before the clause that asks: `although …, I was told …`."""
FROM = late_pattern(r"\b(?:from|von|vom) \S+ (?=(?:to|into|nach|zu|zum|zur|in|ins)\b)")
"""Where somebody came from: where she came to is what is asked about."""

PREVENTED = late_pattern(
    r"\b(?:keep|keeps|kept|keeping|prevent\w*|stop|stops|stopped|block\w*|hold|holds|held|hinder\w*)\b.{0,30}?\bfrom\s+(.+)"
)
"""What something is kept from: that is what is asked about."""

USUAL = late_pattern(r"\bhow (?:usual|common|often|rare|many (?:times|conversations))\b|\bwie (?:üblich|häufig|oft)\b")

HOW_OFTEN = late_pattern(r"\bhow (?:often|many times)\b|\bwie (?:oft|häufig)\b")
HOW_MANY = late_pattern(r"\b(?:how many|wie viele|wieviele) (?!conversations\b|gespräche\b)(\w+)")
"""Questions of how often something happened in the conversation; the second with what is counted."""

CUE_WORDS: frozenset[str] = frozenset((*ALONE, *(word for words, _ in CUES for word in words)))
"""Words that hint at something. A name that is one of them counts only where a name stands."""
