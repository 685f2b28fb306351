"""Words of plain questions, in English and German: what kind of subject they hint at.

Both languages are read in every flow: an author may ask about a German flow in English.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import SubjectKind
from turnwise.why.reading.words import ASKING, FAILED, TOOLS, words_of

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
    "miss",
]
"""Something that happens in a turn: a question about it is about the last turn in which it did."""


class Cue(NamedTuple):
    """What a question is about where it names nothing of the flow."""

    kind: SubjectKind
    happening: Happening | None = None


def _phrases(text: str) -> re.Pattern[str]:
    return late_pattern(rf"\b(?:{text})\b")


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


# what is asked ------------------------------------------------------------------------------------

PHRASES: tuple[tuple[re.Pattern[str], Cue], ...] = (
    (
        _phrases(
            r"(?:from|von) (?:the )?(?:outside|elsewhere|außen|aussen|außerhalb|ausserhalb)|externally"
            r"|third[- ]part(?:y|ies)"
            rf"|(?:{_OUTSIDE}) (?=.*\b(?:{_ACTED}))|(?:from|by|von|durch) (?:an? |eine[mnr]? )?(?:{_OUTSIDE})"
            r"|(?:who|somebody|someone|anybody|anyone) (?:else|other than \w+(?: \w+)?) "
            r"(?:chang|edit|correct|alter|overwr|touch|enter|put|set|stor|wr[io]te|sen[dt]|act|interven|did|do)\w*"
            r"|(?:jemand|niemand|wer) (?:anders|anderes|anderer|sonst)|interven\w+|meddl\w+|interfer\w+|tamper\w*"
            r"|eingegriffen|(?:sent|send) (?:\w+ )?commands"
            r"|(?:kamen|schickt\w*|sandte\w*) (?:\w+ )?befehle|befehle (?:\w+ ){0,3}(?:geschickt|gesendet|gekommen)"
        ),
        Cue("person", "outside"),
    ),
    (
        _phrases(
            r"start(?:s|ed|ing)? (?:over|again|anew|from)|beg[aiu]ns? (?:again|anew)|from (?:the beginning|scratch)"
            r"|restart\w*|reset|(?:everything|it all) again|von vorne?|neu (?:gestartet|begonnen|angefangen)"
            r"|alles (?:noch ?ein|noch )?mal"
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
            r"|(?:was|were)(?: \w+)? allowed(?! to)|(?:is|am|are|was|were)(?: \w+)?(?: not)? through"
            r"|(?:ist|bin|war)(?: \w+)?(?: nicht)? (?:durch|drin)$"
            r"|eligible|qualif\w+|take part|may stay|(?:he)?rein(?:gelassen|kam|kommt|gekommen|darf|durfte)|mitmachen"
            r"|weitermachen|weiterkomm\w*|teilnehmen"
        ),
        Cue("turn", "admission"),
    ),
    (_phrases(r"turned down|sent away|ruled out"), Cue("turn", "rejection")),
    (
        _phrases(
            r"(?:which|welche\w*)(?: \w+)? (?:messages?|nachricht(?:en)?)\b.*"
            r"(?:not|\w+n't|never|fail\w*|no|nicht|nie|keine)(?: \w+){0,2} (?:answer|repl|respon|(?:be)?antwort)\w*"
        ),
        Cue("turn", "unanswered"),
    ),
    (
        _phrases(
            r"(?:rules?|code|functions?|regeln?|funktion\w*)\b.*\b(?:dis)?agree\w*|(?:rules?|code)\b.*\bcontradict\w*"
            r"|(?:regeln?|code|funktion\w*)\b.*\b(?:un)?einig\w*|(?:regeln?|code)\b.*\bwiderspr\w+"
            r"|widerspr\w+ .*\b(?:regeln?|code)|mirrors?|spiegel\w*"
        ),
        Cue("turn", "disagreement"),
    ),
    (
        _phrases(
            r"(?:not|\w+n't|never)(?: (?:it|this|we|even|yet|really)){0,2} (?:start(?:ing|ed)?|beg[aiu]n\w*|get going)"
            r"|nicht (?:\w+ )?(?:gestartet|begonnen|angefangen|los)|(?:start|begann|beginn|fing)\w* (?:\w+ ){0,2}nicht"
        ),
        Cue("form"),
    ),
    (
        _phrases(
            r"(?:two|three|four|five|many|several|\d+|zwei|drei|vier|fünf|viele|mehrere) (?:model |tool )?"
            r"(?:calls|aufrufe)"
        ),
        Cue("model"),
    ),
    (
        _phrases(
            r"(?:of|to|with|answer|aus|auf|mit) (?:my|her|his|their|\w+'s|meine[rn]?|ihre[rn]?|seine[rn]?) "
            r"(?:question|frage)|question\b.* (?:not|never)(?: \w+)? answered|frage\b.* nicht beantwortet"
        ),
        Cue("message", "inquiry"),
    ),
    (
        _phrases(
            r"f(?:ind|inds|ound) (?:nothing|no \w+|anything)|nothing (?:was )?found|c[oa]me back empty|no results?"
            r"|nichts (?:gefunden|ergeben|gebracht)|(?:find\w+|ergab|brachte) nichts"
        ),
        Cue("model", "result"),
    ),
    (
        _phrases(
            r"how long (?:did|has|had)\b.*\bwait\w*|wie lange (?:hat|musste)\b.*(?:gewartet|warten)|wie lange wartete"
        ),
        Cue("person"),
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
            r"|(?:is|was) (?:it|(?:the )?(?:bot|machine|system|assistant)) (?:silent|quiet)"
            r"|antwortet (?:es|er|(?:der|das|die) \w+) (?:mir )?(?:nicht|nichts)(?: mehr)?"
        ),
        Cue("conversation"),
    ),
    (_phrases(r"skip(?:ped|s)?|überspr\w+"), Cue("turn", "skip")),
    (
        _phrases(
            r"(?:who|somebody|someone|anybody|anyone|nobody|person|admin\w*|operator)(?: has| have| else)* "
            r"(?:chang|edit|correct|alter|overwr|touch)\w+"
            r"|(?:changed|edited|corrected|altered|overwritten) (?:(?:my|the|her|his) (?:answers?|values?|data)|by)"
            r"|(?:wer|jemand|niemand)\b.*\b(?:geändert|verändert|bearbeitet|korrigiert|überschrieben)"
        ),
        Cue("person", "change"),
    ),
    (
        _phrases(
            r"(?<!in the )(?<!in this )(?<!in der )(?:copy|kopie|fork)|copied|copies|forked|forks|kopiert|abgezweigt|"
            r"(?:from|aus) (?:which|what|welchem) (?:conversation|chat|talk|gespräch)|"
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
            r"hand(?:ed|s|ing)?(?: \w+){0,2} (?:over|back)|t(?:ake|akes|ook|aken)(?: \w+){0,2} over"
            r"|keine?[nr]? (?:\w+ )?(?:gemeldet|gekommen|erschienen)|kam keine?r?|(?:turned|showed|shown) up"
            r"|to (?:a|an|some|any) (?:human|person|operator|agent)"
            r"|(?:get|gets|got|take|took|bekam|bekommt)(?: not)? (?:the|this|das|dieses) "
            r"(?:conversation|chat|talk|gespräch)"
            r"|g(?:ive|ives|ave|iven)(?: \w+){0,2} back|in charge|responsible|zuständig|verantwortlich"
        ),
        Cue("person"),
    ),
    (
        _phrases(
            r"(?<!for )(?:my|her|his) (?:first |last )?(?:answer|reply|message)"
            r"|meine (?:erste |letzte )?(?:antwort|nachricht)"
        ),
        Cue("message"),
    ),
    (
        _phrases(
            r"(?:not|\w+n't)(?: \w+)? underst(?:and|ood)|could(?:n't| not) (?:use|read|understand)|nicht verstanden"
            r"|misunderst\w+"
        ),
        Cue("message", "miss"),
    ),
    (
        _phrases(r"who (?:has |had )?decided(?: (?:that|this|it|so))?$|wer (?:hat|hatte) (?:das )?entschieden$"),
        Cue("turn", "move"),
    ),
    (_phrases(r"answer(?:ed|ing|s)? (?:\w+ |\w+'s ){0,2}question"), Cue("message")),
    (
        _phrases(
            r"(?:still|else) (?:have|has|need|needs) to (?:tell|say|answer|give|do)|noch (?:sagen|angeben)"
            r"|what (?:did|has|have) (?:\w+ ){1,2}not (?:yet )?(?:tell|told|say|said|give|given|answer|answered)"
            r"|was hat \w+ (?:noch )?nicht (?:gesagt|angegeben|genannt)"
        ),
        Cue("form"),
    ),
    (_phrases(r"(?:read|count|counted|taken|noted|understood) as"), Cue("message")),
    (_phrases(r"enough|suffic\w+|(?:get|got) (?:\w+ ){0,2}further|genug|(?:ge)?reicht\w*"), Cue("turn")),
    (
        _phrases(
            r"(?:it|this|everything|es|das|alles)(?: (?:is|was|has been|ist|war|sei))? "
            r"(?:settled|erledigt|abgeschlossen)"
        ),
        Cue("end"),
    ),
    (_phrases(r"(?:it|this|that|we|you) (?:all )?(?:done|ready) (?:yet|already|now)|h[au]ng up|good-?bye"), Cue("end")),
    (_phrases(r"(?:went|gone|moved) on|did(?: (?!not\b)\w+){1,3} (?:go|move) on"), Cue("turn", "move")),
    (
        _phrases(
            r"(?:go|went|gone|goes) wrong|g[ai]ven? up|schief\w*|stuck|error messages?|fehlermeldung"
            r"|(?:hängen|stecken) ?geblieben"
        ),
        Cue("conversation", "failure"),
    ),
)
"""Phrases that hint at something, before any single word; the first that is there."""

CUES: tuple[tuple[frozenset[str], Cue], ...] = (
    (
        words_of(
            "timer timers fire fired reminder timeout deadline hour hours minute minutes erinnerung stunde stunden"
        ),
        Cue("timer"),
    ),
    (words_of("takeover charge operators queue übernommen warteschlange"), Cue("person")),
    (
        words_of(
            "end ends ended over finish finishes finished stop stops stopped close closes closed ende endet endete"
            " beendet aufgehört geschlossen schluss vorbei verabschiedet"
        ),
        Cue("end"),
    ),
    (
        words_of(
            "person human operator agent somebody nobody anybody mensch menschen mitarbeiter berater jemand niemand"
        ),
        Cue("person"),
    ),
    (TOOLS | words_of("prompt model llm tokens modell"), Cue("model")),
    (
        words_of(
            "gone lose loses lost delete deletes deleted clear clears cleared vanish vanished disappear disappeared"
            " remove removes"
            " removed weg verloren gelöscht verschwunden"
        ),
        Cue("turn", "loss"),
    ),
    (
        words_of(
            "answers form confirm confirms confirmed confirmation summary missing lacking lacks complete progress"
            " questions cancel cancelled canceled formular bestätigen bestätigt bestätigung zusammenfassung fehlt"
            " fehlen abgebrochen"
        ),
        Cue("form"),
    ),
    (ASKING, Cue("question")),
    (
        words_of(
            "understand understood misunderstood message messages stored store saved save ignored ignore accepted"
            " accept refused recorded noted taken kept keep nachricht verstanden verstehst verstand gespeichert"
            " ignoriert akzeptiert notiert behalten genommen"
        ),
        Cue("message"),
    ),
    (words_of("limit limits grenze"), Cue("conversation", "failure")),
    (
        FAILED,
        Cue("conversation", "failure"),
    ),
    (
        words_of(
            "wait waits waiting conversation run runs running talk talks talking respond responds responding warten"
            " wartet wartest gespräch läuft"
        ),
        Cue("conversation"),
    ),
    (
        words_of("rejected excluded abgelehnt abgewiesen ausgeschlossen"),
        Cue("turn", "rejection"),
    ),
    (words_of("admitted zugelassen"), Cue("turn", "admission")),
    (
        words_of("move moved moves change changed changes switch switched left sent geschickt"),
        Cue("turn", "move"),
    ),
    (
        words_of(
            "say says said reply replies answer happen happened happens happening turn here go goes going went"
            " continue continued stay stays stayed stuck leave nothing sagst sagt gesagt antwort antwortet antwortest"
            " passiert hier geht weiter bleibt nichts"
        ),
        Cue("turn"),
    ),
    (words_of("want wants need needs willst brauchst brauchen"), Cue("question")),
    (words_of("done fertig"), Cue("end")),
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
