"""German: how people say yes and no, and the courtesies beside such an answer. Data only."""

from turnwise.core.language.answers import Phrasing

_CONFIRMING = """
        (das|es) wäre (gut|super|schön|toll|prima|nett|perfekt|lieb|klasse|großartig|wunderbar)
        wäre (gut|super|schön|toll|prima|nett|perfekt|lieb|klasse)
        (das|es) klingt (gut|super|prima|perfekt)
        klingt (gut|super|prima|perfekt)
        (bestätigen|bestätigt|bestätige|ich bestätige|hiermit bestätigt|genehmigt|zugestimmt|freigegeben|freigeben|akzeptiert|erlaubt|ausführen|absenden|abschicken|abgeschickt|weiter|weitermachen|fortfahren|erledigen)
        (bitte|ja|einfach) [so] (bestätigen|ausführen|absenden|abschicken|weiter|weitermachen|fortfahren|machen|durchführen|erledigen)
        (das|es) [so|bitte|bitte so] (bestätigen|ausführen|absenden|abschicken|machen|durchführen)
        [bitte|dann|ja] (mach|mache|tu) (das|es|mal|ruhig|so|bitte|das so|das bitte|es bitte|es so|das ruhig|das mal)
        [bitte|dann] mach's
        mach
        [bitte|dann] (machen|tun|bestätigen|veranlassen) sie (das|es|so|bitte|das so|das bitte|es bitte|es so|das ruhig)
        (machen sie|fahren sie fort|legen sie los|leg los|los|los geht's|los gehts|nur zu|auf geht's|kann losgehen|es kann losgehen|mach weiter|weiter so|dann los)
        (schick|schicke) (es|das|sie) [bitte] ab
        (schicken|senden) sie (es|das|sie) [bitte] ab
        (ja|bitte) (genau so|so)
        so [ist es|ist das] (richtig|korrekt|gut|okay|ok|in ordnung|perfekt)
        (so ist es|so ist's|so soll es sein|so stimmt es|so stimmt das|stimmt so|stimmt alles|das stimmt so|das stimmt alles|alles stimmt|es stimmt|es stimmt alles)
        (alles|alles so|so alles) (richtig|korrekt|okay|ok|in ordnung|perfekt|prima|bestens|paletti) [so]
        (passt|stimmt) [das|es|so|doch] (alles|alles so|so alles|so)
        (das|es|alles) (ist|sieht|schaut) [alles] [so|für mich] (richtig|korrekt|gut|gut aus|okay|ok|in ordnung|perfekt|perfekt aus|prima|super aus|richtig so|korrekt so|gut so)
        (sieht|schaut) [alles|für mich|so] (gut|perfekt|prima|super|richtig|korrekt) aus
        (ist|richtig|korrekt|gut|perfekt) (richtig|korrekt|gut|so)
        (gut|perfekt|bestens|tipptopp|top)
        (du darfst|sie dürfen|du kannst|sie können) [das] [gern|gerne|ruhig] [machen|tun]
"""

_UNCHANGED = """
        (das ist alles|das war's|das wars|nichts zu ändern|nichts ändern|nichts mehr|sonst nichts)
        keine (änderung|änderungen|korrekturen|korrektur) [mehr|nötig]
        (alles|alles so|so alles) gut [so]
        fertig
"""
"""Phrases that say yes to a summary, and nothing about a call."""
_REFUSING = """
        noch nicht
        [bitte|nein] (mach|tu|mache) (das|es) [bitte|lieber|bloß] nicht
        [bitte|nein] (machen|tun) sie (das|es) [bitte|lieber|bloß] nicht
        [bitte|nein] [das|es] nicht (machen|tun|ausführen|senden|überweisen|abschicken|durchführen)
"""

PHRASING = Phrasing(
    yes="""
        (ja|jaa|j|jo|jup|jep|jop|jap|jepp|jau|jawohl|jawoll)
        (ok|okay|okey|okidoki|oki|okee|k|kk|io|+1|oke)
        (klar|na klar|aber klar|klar doch|klaro|logo|logisch|natürlich|aber natürlich|selbstverständlich|freilich|gewiss)
        (gern|gerne|sehr gern|sehr gerne|aber gern|aber gerne|liebend gern|liebend gerne|gern doch|gerne doch|furchtbar gern)
        (einverstanden|ich bin einverstanden|bin einverstanden|damit bin ich einverstanden|bin damit einverstanden)
        (auf jeden fall|auf alle fälle|unbedingt|sicher|aber sicher|sicher doch|absolut|definitiv|jedenfalls ja)
        (genau|ganz genau|genau so|richtig|ganz richtig|korrekt|stimmt|das stimmt|stimmt genau|vollkommen richtig|völlig richtig|exakt)
        (geht klar|geht in ordnung|in ordnung|alles klar|gebongt|abgemacht|aber ja|ja doch|ja dann|ok dann|okay dann|klar dann|dann ja|ganz sicher|ja ja|oh ja|ach ja bitte)
        ja (bitte|gern|gerne|klar|sicher|natürlich|genau|unbedingt|sehr gern|sehr gerne|auf jeden fall|das stimmt|stimmt|passt|absolut|definitiv)
        (das|es) (ist|wäre) [so|mir|für mich|alles|vollkommen|absolut] (richtig|korrekt|ok|okay|in ordnung)
        (ist|geht) [so|für mich] (ok|okay|in ordnung)
        [ich] stimme [ich] [dem|voll|voll und ganz] zu
        (dem stimme ich|da stimme ich) [voll] zu
        ja ich (möchte|will) das
        ich (akzeptiere|bestätige|willige ein|genehmige) [das|es|dies]
        (ich bin|bin|da bin ich|ich bin da) [mir] [ganz|sehr|absolut|hundertprozentig] sicher
        (100|hundert) [%|prozent]
        (machen wir|so machen wir das|so machen wir es|so machen wir's|machen wir so|so machen|nur los|dabei|ich bin dabei|bin dabei)
        (passt|passt so|passt schon so|so passt es|so passt's|das passt|das passt so|passt gut|passt perfekt|passt für mich|das passt für mich|passt mir|das passt mir|passt wunderbar|alles passt)
        (ja|jo|jep|jup|klar|ok|okay) (passt|passt so|das passt|geht klar|stimmt|gern|gerne|bitte|mach das|mach)
        sehr (gut|wohl|schön)
        (würde|werde|möchte|will) ich [das] [gern|gerne|sehr gern|sehr gerne]
        ich (würde|möchte|will) [das] (gern|gerne|sehr gern|sehr gerne)
        (ich) (würde|möchte|will) mich [sehr] freuen
        ich bitte darum
    """,
    yes_of={
        "affirm": _CONFIRMING + _UNCHANGED,
        "call": _CONFIRMING + "(yes|yep|yeah|sure|y)",
        "offer": _CONFIRMING
        + """
        (yes|yep|yeah|sure|y|habe ich|hab ich|hätte ich|das habe ich|warum nicht|von mir aus|meinetwegen|lass hören|lassen sie hören|anfangen|beginnen|starten|start)
        [ja|klar|ok|okay|gern|gerne] (fangen wir an|lass uns anfangen|lassen sie uns anfangen|fang an|fangen sie an|probieren wir es|probieren wir's)
        [ja|klar|ok|okay] [ich|die|so viel] (habe ich|hab ich|habe|hab) [kurz|gerade|jetzt|etwas|eine|ein paar] (zeit|minute|minuten|moment) [jetzt|dafür]
        [ja|klar|ok|okay] (zeit|die zeit|so viel zeit|die) (habe|hab) ich [jetzt|gerade]
        [ja|klar|ok|okay] (das) (will|möchte|mache) ich [gern|gerne]
        """,
        "true": """
        (yes|yep|yeah|sure|y)
        (bin ich|habe ich|hab ich|haben wir|tue ich|mache ich|mach ich|will ich|möchte ich|das bin ich|doch|wahr|trifft zu|das trifft zu)
        (ja|jo|klar) (bin ich|habe ich|hab ich|haben wir|tue ich|mache ich|mach ich|will ich|möchte ich|das will ich|das möchte ich|das habe ich|ich habe|ich will|ich möchte)
        (das) (will|möchte|habe|hab|mache) ich
        (ich) (bin dabei|will das|möchte das|hätte gern|hätte gerne|hätte das gern|hätte das gerne)
        """,
    },
    no="""
        (nein|n|nee|ne|nö|nä|nope|no|niemals|nie|keinesfalls|keineswegs|nicht|negativ|nie im leben|niemals|nix da|nah)
        (nein|nee|nö) (danke|bitte nicht|lieber nicht|danke nein|nein|nein nein|niemals|auf keinen fall|danke schön|vielen dank)
        (lieber|besser|bloß|eher|bitte|zum glück|leider|gott sei dank|glücklicherweise|natürlich|sicher|bestimmt|absolut|gar|überhaupt|ganz sicher|ganz bestimmt|ganz und gar|auf gar keinen fall|jetzt|heute|diesmal|dieses mal|definitiv|doch lieber) nicht
        (auf|in) (keinen fall|gar keinen fall|keinem fall)
        nicht (wirklich|nötig|jetzt|heute|notwendig|einverstanden|interessiert|mehr)
        [nein] [das] (will|möchte|mag|brauche) ich nicht
        [nein] ich (will|möchte|mag|brauche|wünsche) (keinen|keine|keins|kein)
        [nein] ich (will|möchte|mag) [das|es|ihn|sie] nicht
        (möchte|will|mag|brauche|habe|hab|bin|tue|mache|werde|würde) ich [das] [lieber] nicht
        (nein|nee|nö) (möchte|will|mag|brauche|habe|hab|bin|tue|mache) ich [das] nicht
        ich (lehne|lehne das) ab
        (das lehne ich ab|kommt nicht in frage|das kommt nicht in frage|ausgeschlossen)
        [nein|lieber] doch [lieber] nicht
        (kein|keinen) (bedarf|interesse)
        ich (bin|stimme) nicht (einverstanden|zu)
        (stimme|stimme ich|dem stimme ich) nicht zu
        bin nicht einverstanden
        ich akzeptiere [das] nicht
    """,
    no_of={
        "affirm": _REFUSING,
        "offer": _REFUSING
        + """
        [vielleicht|lieber|eher|besser|nein|bitte|jetzt nicht] (später|morgen|ein andermal|ein anderes mal|ein anderer tag|nächstes mal|beim nächsten mal|an einem anderen tag) [bitte|vielleicht|lieber]
        (jetzt nicht|jetzt gerade nicht|gerade nicht|im moment nicht|heute nicht|diese woche nicht|lass mal|lass es|lass das|lassen sie es|lassen sie mal|schon gut|stopp|stop|abbrechen|überspringen)
        [leider|tut mir leid|nein] [ich|da] [habe|hab] [ich] [jetzt|gerade|heute|leider|dafür] keine zeit [jetzt|gerade|heute|dafür]
        [leider|tut mir leid|nein] (ich bin|bin) [gerade|jetzt|zu|sehr] beschäftigt
        [leider|tut mir leid|nein] (ich kann|kann) [gerade|jetzt|heute] nicht
        [leider|tut mir leid|nein] [gerade|jetzt|heute] (passt|geht) [es|das] [gerade|jetzt|heute] (nicht|schlecht)
        """,
        "call": _REFUSING
        + """
        (abbrechen|abbruch|stopp|stop|halt|halt stopp|lass es|lass das|lass mal|lassen sie es|lassen sie das|vergiss es|vergessen sie es|ablehnen|abgelehnt|storno|schon gut)
        [bitte|nein] (brich|breche) [das|es] ab
        (noch nicht|falsch|das ist falsch|nicht richtig|das stimmt nicht|stimmt nicht|das ist nicht richtig|so nicht)
        """,
        "true": """
        (bin ich nicht|habe ich nicht|hab ich nicht|haben wir nicht|tue ich nicht|mache ich nicht|will ich nicht|möchte ich nicht|falsch)
        (das möchte ich nicht|das will ich nicht|ich nicht|noch nicht|noch nie|keine|nichts|keiner|keins|habe keine|ich habe keine|hab keine)
        (längst nicht mehr|nicht mehr|trifft nicht zu|das trifft nicht zu|stimmt nicht|das stimmt nicht|habe keinen|ich habe keinen|leider nein|leider nicht)
        """,
    },
    polite="""
        (bitte|danke|dankeschön|thx|thanks|merci|please|bitteschön|bittesehr)
        danke [schön|sehr|dir|ihnen|euch|vielmals|im voraus|der nachfrage|für die hilfe|für ihre hilfe|für deine hilfe|nochmal|nochmals]
        (vielen|vielen lieben|besten|herzlichen|lieben|schönen|tausend) dank [im voraus|dafür|für die hilfe|für ihre hilfe|für deine hilfe]
        bitte (schön|sehr)
        (hallo|hi|hey|moin|moin moin|servus|grüß gott|grüezi|guten morgen|guten tag|guten abend|tag|hallo zusammen)
        (viele grüße|liebe grüße|lg|vg|mfg|gruß)
        (sorry|entschuldigung|super|prima|toll|klasse|spitze|wunderbar|schön|fein|großartig|cool|hervorragend|genial|sehr schön|sehr nett|nett|lieb|perfekt)
        (kein problem|kein ding|keine frage|warum nicht)
        (das ist|das wäre) (nett|lieb|sehr nett|sehr lieb|sehr freundlich|freundlich|lieb von ihnen|nett von ihnen|nett von dir|lieb von dir)
    """,
    unclear="nicht (falsch|nein|nie|niemals|schlecht|verkehrt|unrichtig)",
    farewells="""
        (tschüss|tschüs|tschau|ciao|bye|bis dann|bis bald|bis später|gute nacht|auf wiedersehen|mach's gut)
        [einen] schönen (tag|abend|feierabend) [noch]
    """,
    small="das die den dem der es ein eine einen an zu bitte von",
    function_words="""
        ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch ihnen mein dein sein unser euer meine deine seine wer
        wen wem was welche welcher welches wann wo warum wieso wie ist sind bin bist war waren sein habe hast hat haben
        kann kannst können könnte will wollen würde soll sollte darf muss und oder aber so wenn von in im an am auf bei
        für mit aus als über da hier dies diese dieser dieses das der die den dem ein eine einen zu zum zur nicht auch
        noch nur mal denn doch schon jetzt heute also äh ähm oh geht gehts heißt weiß möchte hätte gerne gern bloß
    """,
    cautions="""
        aber nur erst bloß außer falls wenn sofern sobald bevor nachdem bis statt stattdessen lieber jedoch allerdings
        obwohl ohne nicht kein keine keinen nein nie niemals vielleicht eventuell wahrscheinlich vermutlich möglicherweise
        glaube glaub denke schätze hoffe meine wohl könnte sollte müsste würde warte moment halt stopp stop abbrechen
        ändern ändere später morgen zuerst andere anderer anderes anderen falsch was wer wem wen wie wieso warum weshalb
        wann wo wohin woher welche welcher welches unsicher zweifel fast teils teilweise halb weniger mehr korrektur
        eigentlich meinte oder entweder weder beide tauschen ersetzen zurück doch naja na vergiss scherz
    """,
    negators="nicht nie niemals kein keine keinen keinem keiner keines keins ohne außer weder statt anstatt",
    contrasts="sondern aber",
    everything="alles alle allen jeder jede jeden",
    at_once="(jetzt|sofort|gleich jetzt|jetzt gleich|jetzt sofort|umgehend)",
    openers="wer was wem wen wessen wie wieso warum weshalb wann wo wohin woher welche welcher welches",
    alternatives="oder entweder beziehungsweise bzw",
    bounds="als nach vor bis unter über mindestens höchstens zwischen und plus minus",
)
"""How yes, no and the like are said in German."""
