"""Words of plain questions, in English and German: what kind of subject they hint at.

Both languages are read in every flow: an author may ask about a German flow in English.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import SubjectKind
from turnwise.why.phrases import GIVE_BACK, MISSED, RESTART, TAKE_OVER, UNDO
from turnwise.why.reading.words import ASKING, COMMON, FAILED, TOOLS, words_of

Happening = Literal[
    "undo",
    "restart",
    "skip",
    "change",
    "outside",
    "loss",
    "failure",
    "move",
    "admission",
    "rejection",
    "inquiry",
    "unanswered",
    "disagreement",
    "return",
    "result",
    "stop",
    "cancel",
    "confirm",
    "summary",
    "miss",
]
"""Something that happens in a turn: a question about it is about the last turn in which it did."""


class Cue(NamedTuple):
    """What a question is about where it names nothing of the flow."""

    kind: SubjectKind
    happening: Happening | None = None


def _phrase(cue: Cue, pattern: str) -> tuple[re.Pattern[str], Cue]:
    return late_pattern(rf"\b(?:{pattern})\b"), cue


def _words(cue: Cue, text: str) -> tuple[frozenset[str], Cue]:
    return words_of(text), cue


_OUTSIDE = (
    r"(?:outside|external|foreign|other|another|different|which|what|any|some) (?:outside |external |other )?"
    r"(?:systems?(?! prompt)|programs?|applications?|software|services?|integrations?)"
    r"|(?:fremde|andere|externe|welche|irgendein)\w* (?:fremde\w* |andere\w* |externe\w* )?"
    r"(?:system|programm|anwendung|dienst|software|stelle)\w*"
)
_ACTED = (
    r"touch|sen[dt]|chang|edit|alter|wr[io]te|stor|save|set|put|enter|add|act|interven|did|want|tr[iy]|used|eingetragen"
    r"|geändert|verändert|gespeichert|geschrieben|gesendet|geschickt|eingegriffen|gesetzt|getan|gemacht|eingegeben|wollte"
)
"""Who may act from outside, and what is said of that: where nothing is, a service may be what the user asks for."""
_SOMEBODY = (
    r"(?!(?:\w+ )?(?:answers?|repl(?:y|ies)|messages?|questions?|buttons?|results?|summary|timers?|antwort\w*"
    r"|nachricht\w*|frage\w*|ergebnis\w*|zusammenfassung\w*|fehler\w*)\b)"
)
"""What comes that is named next is nothing that the conversation has itself."""


# what is asked ------------------------------------------------------------------------------------

PHRASES: tuple[tuple[re.Pattern[str], Cue], ...] = (
    _phrase(
        Cue("person", "outside"),
        r"(?:from|von) (?:the )?(?:outside|elsewhere|außen|aussen|außerhalb|ausserhalb)|externally"
        r"|third[- ]part(?:y|ies)"
        rf"|(?:{_OUTSIDE}) (?=.*\b(?:{_ACTED}))|(?:from|by|von|durch) (?:an? |eine[mnr]? )?(?:{_OUTSIDE})"
        r"|(?:who|somebody|someone|anybody|anyone) (?:else|other than \w+(?: \w+)?) "
        r"(?:chang|edit|correct|alter|overwr|touch|enter|put|set|stor|wr[io]te|sen[dt]|act|interven|did|do)\w*"
        r"|(?:jemand|niemand|wer) (?:anders|anderes|anderer|sonst)|interven\w+|meddl\w+|interfer\w+|tamper\w*"
        r"|eingegriffen|(?:sent|send) (?:\w+ )?commands"
        r"|(?:kamen|schickt\w*|sandte\w*) (?:\w+ )?befehle|befehle (?:\w+ ){0,3}(?:geschickt|gesendet|gekommen)",
    ),
    _phrase(
        Cue("turn", "restart"),
        rf"{RESTART}|from (?:the beginning|scratch)|reset|(?:everything|it all) again|alles (?:noch ?ein|noch )?mal",
    ),
    _phrase(Cue("form", "stop"), r"form(?:ular)?\b.* (?:stop\w*|aufgehört|angehalten)"),
    _phrase(Cue("form", "cancel"), r"cancell?ed|abgebrochen"),
    _phrase(
        Cue("form", "summary"),
        r"ask(?:s|ed|ing)?(?: \w+){0,2} (?:to|for) (?:\w+ ){0,2}confirm\w*"
        r"|(?:want|wants|wanted)(?: \w+)? confirmation|want(?:s|ed)? \w+ to confirm",
    ),
    _phrase(Cue("form", "confirm"), r"confirmed|bestätigt"),
    _phrase(
        Cue("question"),
        r"(?:have|has|need|needs|must|should)(?: to)? (?:say|answer|do|tell|write|type|enter|choose) "
        r"(?:\w+ ){0,2}(?:to|for it to|so that it|before it)(?: \w+)? (?:continue\w*|go\w* on|proceed\w*|mov\w+ on)",
    ),
    _phrase(
        Cue("turn", "return"),
        r"second chance|(?:let|allow|allowed|get|got)(?: \w+)? back(?: in)?|(?:come|came) back in",
    ),
    _phrase(
        Cue("turn", "admission"),
        r"(?:let|lets|get|gets|got|getting|come|came|allow|allowed)(?: \w+)?(?: not)? (?:in|into|through|pass)"
        r"|(?:was|were)(?: \w+)? allowed(?! to)|(?:is|am|are|was|were)(?: \w+)?(?: not)? through"
        r"|(?:ist|bin|war)(?: \w+)?(?: nicht)? (?:durch|drin)$|eligible|qualif\w+|take part|may stay"
        r"|to be (?:accepted|admitted)"
        r"|(?:he)?rein(?:gelassen|kam|kommt|gekommen|darf|durfte)|mitmachen|weitermachen|weiterkomm\w*|teilnehmen",
    ),
    _phrase(Cue("turn", "rejection"), r"turned down|sent away|ruled out"),
    _phrase(
        Cue("turn", "unanswered"),
        r"(?:which|welche\w*)(?: \w+)? (?:messages?|nachricht(?:en)?)\b.*(?:not|\w+n't|never|fail\w*|no|nicht|nie"
        r"|keine)(?: \w+){0,2} (?:answer|repl|respon|(?:be)?antwort)\w*",
    ),
    _phrase(
        Cue("turn", "disagreement"),
        r"(?:rules?|code|functions?|regeln?|funktion\w*)\b.*\b(?:dis)?agree\w*|(?:rules?|code)\b.*\bcontradict\w*"
        r"|(?:regeln?|code|funktion\w*)\b.*\b(?:un)?einig\w*|(?:regeln?|code)\b.*\bwiderspr\w+"
        r"|widerspr\w+ .*\b(?:regeln?|code)|mirrors?|spiegel\w*",
    ),
    _phrase(
        Cue("form"),
        r"(?:not|\w+n't|never)(?: (?:it|this|we|even|yet|really)){0,2} (?:start(?:ing|ed)?|beg[aiu]n\w*|get going)"
        r"|nicht (?:\w+ )?(?:gestartet|begonnen|angefangen|los)|(?:start|begann|beginn|fing)\w* (?:\w+ ){0,2}nicht",
    ),
    _phrase(
        Cue("model"),
        r"(?:two|three|four|five|many|several|\d+|zwei|drei|vier|fünf|viele|mehrere) (?:model |tool )?(?:calls"
        r"|aufrufe)",
    ),
    _phrase(
        Cue("message", "inquiry"),
        r"(?:of|to|with|answer|aus|auf|mit) (?:my|her|his|their|\w+'s|meine[rn]?|ihre[rn]?|seine[rn]?) (?:question"
        r"|frage)|question\b.* (?:not|never)(?: \w+)? answered|frage\b.* nicht beantwortet",
    ),
    _phrase(
        Cue("model", "result"),
        r"f(?:ind|inds|ound) (?:nothing|no \w+|anything)|nothing (?:was )?found|c[oa]me back empty|no results?"
        r"|nichts (?:gefunden|ergeben|gebracht)|(?:find\w+|ergab|brachte) nichts",
    ),
    _phrase(
        Cue("person"),
        r"how long (?:did|has|had)\b.*\bwait\w*|wie lange (?:hat|musste)\b.*(?:gewartet|warten)|wie lange wartete"
        r"|(?:am i|are they|is she|is he|are we) (?:talking|speaking|writing) (?:to|with)|mit wem",
    ),
    _phrase(
        Cue("conversation"),
        r"(?:it|bot|machine|system|assistant|you)(?:n't| not)?(?: \w+)? (?:say|says|said|write|writes|answers?"
        r"|reply) (?:nothing|no more)"
        r"|(?:it|bot|machine|system|assistant|you) (?:go|goes|gone|went|fall|fell|stay|stayed) (?:silent|quiet)"
        r"|(?:is|was) (?:it|(?:the )?(?:bot|machine|system|assistant)) (?:silent|quiet)"
        r"|antwortet (?:es|er|(?:der|das|die) \w+) (?:mir )?(?:nicht|nichts)(?: mehr)?",
    ),
    _phrase(Cue("turn", "skip"), r"skip(?:ped|s)?|überspr\w+"),
    _phrase(
        Cue("person", "change"),
        r"(?:who|somebody|someone|anybody|anyone|nobody|person|admin\w*|operator)(?: has| have| else)* (?:chang|edit"
        r"|correct|alter|overwr|touch)\w+"
        r"|(?:changed|edited|corrected|altered|overwritten) (?:(?:my|the|her|his) (?:answers?|values?|data)|by)"
        r"|(?:wer|jemand|niemand)\b.*\b(?:geändert|verändert|bearbeitet|korrigiert|überschrieben)",
    ),
    _phrase(
        Cue("origin"),
        r"(?<!in the )(?<!in this )(?<!in der )(?:copy|kopie|fork)|copied|copies|forked|forks|kopiert|abgezweigt"
        r"|(?:from|aus) (?:which|what|welchem) (?:conversation|chat|talk|gespräch)"
        r"|where (?:does|did) (?:this|the) (?:conversation|chat|talk) come from|woher kommt (?:dieses|das) gespräch",
    ),
    _phrase(Cue("turn", "undo"), UNDO),
    _phrase(
        Cue("timer"),
        r"if\b.*(?:does not|doesn't|doesnt|won't|wont|never|no longer) (?:answer|reply|respond|write|say)"
        r"|(?:if|wenn)\b.*(?:stays? away|nicht mehr (?:meld\w+|antwort\w+|schreib\w+|reagier\w+))"
        r"|(?:say|says|said|write|writes|wrote|answers?|does|sagt|schreibt|antwortet|tut)(?: \w+)? (?:nothing|no more"
        r"|nichts)|nichts (?:mehr )?(?:sagt|schreibt|antwortet|tut)|schweigt"
        r"|(?:stay|stays|remain|remains|is|are|goes) (?:silent|quiet|away)"
        r"|(?:after|within|nach|binnen)(?: \w+){1,3} (?:minutes?|hours?|days?|minuten?|stunden?|tagen?)"
        r"|time (?:is |was |ran |runs )?(?:up|out|over)|how long until|how much time|until when|time left|frist"
        r"|zeit (?:um|abgelaufen|vorbei)|bis wann|wie lange noch|noch zeit|wie viel zeit|läuft \w+ ab",
    ),
    _phrase(
        Cue("person"),
        rf"hand(?:ed|s|ing)?(?: \w+){{0,2}} over|{TAKE_OVER}|{GIVE_BACK}"
        rf"|keine?[nr]? {_SOMEBODY}(?:\w+ ){{0,3}}(?:gemeldet|gekommen|erschienen)|(?:kam|meldete) (?:sich )?keine?r?"
        rf"|no {_SOMEBODY}\w+ (?:ever )?(?:come|came|arrived?|appear(?:ed)?)|(?:turned|showed|shown) up"
        r"|to (?:a|an|some|any) (?:human|person|operator|agent)"
        r"|(?:get|gets|got|take|took|bekam|bekommt)(?: not)? (?:the|this|das|dieses) (?:conversation|chat|talk"
        r"|gespräch)|in charge|responsible|zuständig|verantwortlich",
    ),
    _phrase(
        Cue("message"),
        r"(?<!for )(?:my|her|his) (?:first |last )?(?:answer|reply|message)"
        r"|meine (?:erste |letzte )?(?:antwort|nachricht)",
    ),
    _phrase(
        Cue("message", "miss"),
        rf"{MISSED}|could(?:n't| not) (?:use|read)",
    ),
    _phrase(
        Cue("turn", "move"),
        r"who (?:has |had )?decided(?: (?:that|this|it|so))?$|wer (?:hat|hatte) (?:das )?entschieden$",
    ),
    _phrase(Cue("message"), r"answer(?:ed|ing|s)? (?:\w+ |\w+'s ){0,2}question"),
    _phrase(
        Cue("form"),
        r"(?:still|else) (?:have|has|need|needs) to (?:tell|say|answer|give|do)|noch (?:sagen|angeben)"
        r"|what (?:did|has|have) (?:\w+ ){1,2}not (?:yet )?(?:tell|told|say|said|give|given|answer|answered)"
        r"|was hat \w+ (?:noch )?nicht (?:gesagt|angegeben|genannt)",
    ),
    _phrase(Cue("message"), r"(?:read|count|counted|taken|noted|understood) as"),
    _phrase(Cue("turn"), r"enough|suffic\w+|(?:get|got) (?:\w+ ){0,2}further|genug|(?:ge)?reicht\w*"),
    _phrase(
        Cue("end"),
        r"(?:it|this|everything|es|das|alles)(?: (?:is|was|has been|ist|war|sei))? (?:settled|erledigt|abgeschlossen)"
        r"|(?:it|this|that|we|you) (?:all )?(?:done|ready) (?:yet|already|now)|h[au]ng up|good-?bye",
    ),
    _phrase(
        Cue("turn", "move"),
        r"(?:went|gone|moved) on|(?:geht|ging) (?:es|sie|er|das) (?:\w+ )?weiter"
        r"|did(?: (?!not\b)\w+){1,3} (?:go|move) on",
    ),
    _phrase(
        Cue("conversation", "failure"),
        r"(?:go|went|gone|goes) wrong|g[ai]ven? up|schief\w*|stuck|error messages?|fehlermeldung"
        r"|(?:hängen|stecken) ?geblieben",
    ),
)
"""Phrases that hint at something, before any single word; the first that is there."""

CUES: tuple[tuple[frozenset[str], Cue], ...] = (
    _words(
        Cue("timer"),
        "timer timers fire fired reminder timeout deadline hour hours minute minutes erinnerung stunde stunden",
    ),
    _words(Cue("person"), "charge operators queue übernommen warteschlange"),
    _words(
        Cue("end"),
        "end ends ended over finish finishes finished stop stops stopped close closes closed ende endet endete"
        " beendet aufgehört geschlossen schluss vorbei verabschiedet",
    ),
    _words(
        Cue("person"),
        "person human operator agent somebody nobody anybody mensch menschen mitarbeiter berater jemand niemand",
    ),
    (TOOLS | words_of("prompt model llm tokens modell"), Cue("model")),
    _words(
        Cue("turn", "loss"),
        "gone lose loses lost delete deletes deleted clear clears cleared vanish vanished disappear disappeared"
        " remove removes removed weg verloren gelöscht verschwunden",
    ),
    _words(
        Cue("form"),
        "answers form confirm confirms confirmed confirmation summary missing lacking lacks complete progress"
        " questions cancel cancelled canceled formular bestätigen bestätigt bestätigung zusammenfassung fehlt fehlen"
        " abgebrochen",
    ),
    (ASKING, Cue("question")),
    _words(
        Cue("message"),
        "understand understood misunderstood message messages stored store saved save ignored ignore accepted accept"
        " refused recorded noted taken kept keep nachricht verstanden verstehst verstand gespeichert ignoriert"
        " akzeptiert notiert behalten genommen",
    ),
    _words(Cue("conversation", "failure"), "limit limits grenze"),
    (FAILED, Cue("conversation", "failure")),
    _words(
        Cue("conversation"),
        "wait waits waiting conversation run runs running talk talks talking respond responds responding warten"
        " wartet wartest gespräch läuft",
    ),
    _words(Cue("turn", "rejection"), "rejected excluded abgelehnt abgewiesen ausgeschlossen"),
    _words(Cue("turn", "admission"), "admitted zugelassen"),
    _words(Cue("turn", "move"), "move moved moves change changed changes switch switched left sent geschickt"),
    _words(
        Cue("turn"),
        "say says said reply replies answer happen happened happens happening turn here go goes going went continue"
        " continued stay stays stayed stuck leave nothing sagst sagt gesagt antwort antwortet antwortest passiert"
        " hier geht weiter bleibt nichts",
    ),
    _words(Cue("question"), "want wants need needs willst brauchst brauchen"),
    _words(Cue("end"), "done fertig"),
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

CUE_WORDS: frozenset[str] = frozenset((*ALONE, *(word for words, _ in CUES for word in words)))
"""Words that hint at something. A name that is one of them counts only where a name stands."""

OF_QUESTIONS = COMMON | CUE_WORDS
"""Words that any question may have, and those that hint at something."""
