"""How plain questions are built, in English and German: how they begin, and what divides their clauses."""

from __future__ import annotations

from turnwise.flow.late_pattern import late_pattern
from turnwise.why.phrases import UNDONE

INTRODUCTION = late_pattern(
    r"(?:(?:can|could|would) you |please |bitte )*"
    r"(?:(?:explain|tell me|do you know|erklär\w*(?: mir)?|sag mir)(?: please| bitte)?[,:]? ?)?"
    r"(?:why+\b|how come\b|what made\b|what(?: is|'s|s| was) the reason\b|for what reason\b"
    r"|warum\b|wieso\b|weshalb\b|weswegen\b|wie kommt es,?(?: dass)?\b|wie kam es,?(?: dass)?\b|aus welchem grund\b"
    r"|woran (?:lag|liegt) es,?(?: dass)?\b)?"
)
"""How a question of why begins; what follows is what it is about."""

WHEN = late_pattern(
    r"\s*(?:when|wann) (?:is|will|does|do|are|wird|werden|läuft|endet)\b|.*\bhow (?:long|much time) until\b"
)
"""How a question about a time to come begins."""
HAPPENED_WHEN = late_pattern(
    r".*\b(?:(?:since|and) when|(?:seit|und) wann|what time|in which turn|in welche[rm] (?:runde|zug)"
    r"|um wie viel uhr)\b|\s*(?:and |und )?(?:when|wann)\b"
)
"""How a question about the time of something begins."""
BY_WHOM = late_pattern(r"\s*(?:and |und )?(?:who|wer)\b|.*\b(?:by whom|von wem|(?:and|und) (?:who|wer))\b")
"""How a question about who did something begins."""

MENTION = late_pattern(
    r"\b(?P<verb>say|says|said|saying|tell|tells|told|write|writes|wrote|type|types|typed|enter|enters|entered|answer|answers"
    r"|answered|reply|replied|mention|mentioned|explain|explains|explained|called|sagt|sagte|gesagt|schrieb|geschrieben"
    r"|antwortete|eingegeben|getippt"
    r"|(?<!was )(?<!were )(?<!am )(?<!is )(?:i|she|he|we|they) asked (?:for|about))\b[,:]?\s+(?P<words>.+)"
)
"""A word after which the words of a message are repeated: `when I said thirty-five`."""

QUOTED = late_pattern(
    r"[“”\"„«]\s*([^“”\"„«»]+?)\s*[“”\"»]|(?<!\w)['‘`]\s*([^'’`]+(?:'\w[^'’`]*)*?)\s*['’`](?!\w)"
    r"|(?:(?<=\bmy )|(?<=\bhis )|(?<=\bher )|(?<=\bmein )|(?<=\bmeinem ))(yes|no|ok|ja|nein)\b"
    r"|(?:(?<=\bsaying )|(?<=\banswering )|(?<=\btyping ))(\S.*?)(?= (?:not|never|did|do|had|has|was)\b)"
)

BY_MACHINE = late_pattern(
    r"\b(?:it|bot|chatbot|assistant|machine|es|er)(?:n't| not| nicht)?(?: \w+)? *$|\b(?:was|were|am|been) $"
)
"""What stands before the verb where the words that follow are the machine's: `why did it say …`."""

CLAUSE = late_pattern(
    r",?\s+\b(although|even though|though|while|when|whenever|after(?! all\b)|because(?: of)?|since(?! when)|before|if"
    r"|but|despite|in spite of|due to|without|obwohl|nachdem|wenn|als|während|bevor|weil|aber|trotz|wegen|aufgrund"
    r"|ohne|nach(?= (?:(?:dem|der|den) )?(?:\w+ )?\d))\b\s+"
)
"""Begins the part of a sentence that only says when, or against what."""

CONTRAST = late_pattern(
    r",?\s+(?:(?:and|but) not|instead of|rather than|(?:und|aber) nicht|statt|anstatt)\b\s+|,\s*(?:not|nicht)\b\s+"
    r"|\s+not\s+(?=when\b)"
)
"""Begins the part of a sentence that names what did not happen."""

ALTHOUGH = late_pattern(r"\b(?:although|though|despite|in spite of|obwohl|trotz)\b")
"""Begins the part of a sentence against which what is asked stands."""

AGAINST = late_pattern(ALTHOUGH.pattern + r"|\s(?:but|whereas|aber|während)\s")
"""Begins a part of a sentence that is held against what is asked: `was this not understood but that was`."""

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

TOLD = late_pattern(
    r",\s+(?=(?:i|she|he|it|we|they|you) (?:am|is|are|was|were|have|has|had|did)\b"
    r"|(?:ich|sie|er|es|wir) (?:bin|ist|war|hat|habe|sind)\b)"
)
"""Begins a statement beside the question: `why can't I take part, I am a woman`."""

AROUND = late_pattern(
    r"^,?\s+(?:wegen|trotz|ohne|aufgrund|statt|anstatt|nach)\s+(?!dass\b).*?(?P<verb>\S+(?: worden)?)$"
)
"""A part of a German sentence after which the verb of the clause that asks still comes."""

LEAVING = late_pattern(
    r"\b(?:leave|leaves|left|leaving|out of|away from|(?:go|goes|went|move|moved) on from|verlassen|verlässt|verliess"
    r"|von \S+ (?:weiter|weg|fort))\b"
)
"""Words for going out of a node."""

USUAL = late_pattern(r"\bhow (?:usual|common|often|rare|many (?:times|conversations))\b|\bwie (?:üblich|häufig|oft)\b")

_TRIES = (
    r"(?:two|three|four|five|several|many|more|\d+|zwei|drei|vier|fünf|mehrere|viele)"
    r" (?:tries|attempts|versuche|anläufe)"
)
TRIES = late_pattern(rf"\b{_TRIES}\b|\bmore than one (?:try|attempt)\b")
"""What asks why something did not work at once."""
HOW_OFTEN = late_pattern(
    rf"\b{_TRIES}\b|"
    r"\bhow (?:often|many times)\b|\bwie (?:oft|häufig)\b"
    r"|\b(?:(?:only|just) once|twice|(?:two|three|four|five|several|\d+) times)\b"
    r"|\b(?:nur ein|zwei|drei|vier|fünf|mehr)mal\b"
)
AGAIN = late_pattern(
    rf"\b{_TRIES}\b|"
    r"\b(?:again|twice|(?:two|three|four|five|several|\d+) times|a (?:second|third) time|once more|another time"
    r"|(?:zwei|drei|vier|fünf|mehr)mal|mehrfach|noch ?ein ?mal|noch ?mals?|erneut|wieder"
    r"|ein (?:zweites|weiteres) mal)\b"
)
"""Words for something that happened more than once: after `why`, the reason for that is asked for."""

SUMMARY = late_pattern(r"\b(?:summar\w+|confirm\w*|zusammenfass\w*|zusammengefasst|bestätig\w*)\b")
"""What is said of a form that has all answers."""

WHICH = late_pattern(r"\s*(?:in |bei )?(?:which|where|what|welche\w*|wo|was)\b")
"""How a question begins that asks for every time that something went wrong."""

HOW_MANY = late_pattern(r"\b(?:how many|wie viele|wieviele) (?!conversations\b|gespräche\b)(\w+)")
"""Questions of how often something happened in the conversation; the second with what is counted."""

STAYING = late_pattern(
    r"\b(?:stay\w*|remain\w*|(?:still|stuck|immer noch) in|bl[ei]+b\w*|geblieben"
    r"|(?:not|never|\w+n't|nicht|nie)\b.* (?:leave|left|out of|verlassen|weiter))\b"
)
"""What asks why a node was not left."""

LOST = late_pattern(
    rf"\b(?:{UNDONE}|no longer|not any ?more|nicht mehr|dropped|lost|lose|gone|vanish\w*|disappear\w*|remov\w+|delet\w+"
    r"|wip(?:e|es|ed)|erased?|cleared|forg[eo]t\w*|discard\w*"
    r"|weg|verschwunden|verloren|gelöscht|entfernt|verworfen|vergessen)\b"
)
"""What asks how something was lost."""

BECAME = late_pattern(
    LOST.pattern + r"|\b(?:became of|happened (?:to|with)|come of|wurde (?:\w+ )?aus|geworden|passiert mit)\b"
)
"""What asks what became of a value, which it may have been lost by."""

UNANSWERED = late_pattern(
    r"\b(?:no|keine) (?:answer|reply|response|antwort|reaktion)\b"
    r"|\b(?:nobody|not|never|niemand|keiner|nicht)\b.*"
    r"\b(?<!my )(?:answer(?:ed|ing)?|repl(?:y|ied|ying)|respond(?:ed|ing)?|react(?:ed|ing)?|geantwortet|beantwortet"
    r"|reagiert)\b"
    r"|n't\b.*\b(?<!my )(?:answer(?:ed|ing)?|repl(?:y|ied|ying)|respond(?:ed|ing)?|react(?:ed|ing)?)\b"
    r"|\b(?:it|you|bot|machine|system|assistant) (?:say|said) nothing\b"
    r"|\b(?:it|you|bot|machine|system|assistant) (?:go|went|fall|fell|stay|stayed) (?:silent|quiet)\b"
    r"|\b(?:message|nachricht)\b.*\bignor\w+|\bignor\w+.*\b(?:message|nachricht)\b"
)
"""What asks why nothing was said to a message."""
