"""German words about the items of a list: orders, carts, passengers. Data only; it decides nothing."""

from __future__ import annotations

from turnwise.understanding.vocabulary.item_shape import ItemWords, item_phrases
from turnwise.understanding.vocabulary.tables import words

ITEMS = ItemWords(
    phrases=item_phrases(
        {
            "add": "füge | füg | ergänze | hinzu | hinzufügen | dazu | ergänzen | bestelle | bestellen",
            "want": """
                ich hätte gern | ich hätte gerne | wir hätten gern | wir hätten gerne | ich hätte | wir hätten
                ich möchte | wir möchten | ich nehme | wir nehmen | ich will | wir wollen | ich brauche | wir brauchen
                ich würde gern | ich würde gerne | ich bekomme | wir bekommen | gib mir | geben sie mir | gib uns
                kann ich haben | für mich bitte | hätte gern | hätte gerne | ich möchte gern | ich möchte gerne
            """,
            "request": """
                kannst du | können sie | könntest du | könnten sie | kann ich | können wir | würdest du | würden sie
                kannst du bitte | können sie bitte | könnten sie bitte | könntest du bitte | kann man
            """,
            "deny": """
                will ich nicht mehr | will ich nicht | möchte ich nicht mehr | möchte ich nicht
                brauche ich nicht mehr | brauche ich nicht | brauchen wir nicht | brauchen wir nicht mehr
                wollen wir nicht | nicht mehr | wollen wir nicht mehr | doch nicht
            """,
            "remove": """
                entferne | entfernen | entfern | lösche | löschen | lösch | streiche | streich | streichen | storniere
                stornieren | vergiss | vergessen sie | wirf | rausnehmen | weglassen | rauswerfen | wegnehmen
                herausnehmen
            """,
            "take": "nimm | nehmen sie | nehmen | lass | lassen sie | tu | wirf",
            "off": "weg | raus | heraus | runter | herunter | hinaus",
            "change": "mach | mache | machen | machen sie | ändere | ändern | ändern sie | änder",
            "keep": "behalte | behalten",
            "empty": "leere | leeren | leer",
            "swap": "tausche | tausch | tauschen | vertausche | vertauschen",
            "move": "verschiebe | verschieb | verschieben | schieb | schiebe",
            "put": "setz | setze | setzen | stell | stelle | stellen | leg | lege",
            "replace": "ersetze | ersetz | ersetzen",
            "is": """
                ist | sind | soll | sollen | sollte | sollten | sein | werden | wird | bekommt | kriegt | isst | hat
                nimmt | braucht | muss | haben | bekommen | wäre | möchte
            """,
            "not": "nicht",
            "no": "kein | keine | keinen | keinem | keiner | keins",
            "without": "ohne",
            "with": "mit | und mit | plus",
            "only": "nur | nur noch | bloß | lediglich | ausschließlich",
            "same": """
                das gleiche nochmal | das gleiche noch mal | das gleiche noch einmal | dasselbe nochmal | noch so eine
                dasselbe noch mal | dasselbe noch einmal | nochmal das gleiche | noch mal das gleiche | noch so einen
                noch einmal das gleiche | nochmal dasselbe | noch mal dasselbe | noch einmal dasselbe | noch so ein
                die gleiche nochmal | die gleiche noch mal | die gleiche noch einmal | nochmal die gleiche
                noch so eins | noch einmal die gleiche | den gleichen nochmal | den gleichen noch einmal
                noch einmal so eine
            """,
            "another": "noch | weitere | weiterer | weiteren | weiteres | weiterem",
            "more": "mehr",
            "the": """
                der | die | das | den | dem | des | meine | meinen | meiner | mein | unsere | unseren
            """,
            "that": "diese da | dieser | dieses | diesen | diesem | diese",
            "a": "ein | eine | einen | einem | einer | eines | eins | ne | nen | ner",
            "it": "es | ihn",
            "they": "sie",
            "all": """
                alle davon | alle | alles | allen | sie alle | jede | jeder | jedes | sämtliche | alle zusammen
                die ganzen
            """,
            ("all", "except"): "alles außer | alle außer | alle bis auf | alles bis auf",
            "both": "beide davon | beide | beiden | alle beide | die beiden",
            "of_those": "davon | von denen | von dieser | von der sorte",
            "of": "von | vom",
            "to": """
                auf | in | für | zu | zur | zum | als | an | am | ans | durch | gegen | bei | im | ins | aus
                von der größe
            """,
            "place": "nummer | nr | position | stelle | platz",
            "top": "anfang | oben | zuerst | als erste | als erster | als erstes | nach oben | nach vorn | nach vorne",
            "end": "ende | schluss | unten | zuletzt | nach unten | nach hinten",
            "last": "letzte | letzter | letztes | letzten | letztem",
            "before_last": "vorletzte | vorletzter | vorletztes | vorletzten | vorletztem",
            "one": "stück | artikel | eintrag | position",
            "list": """
                die liste | der liste | die bestellung | der bestellung | meine bestellung | meiner bestellung
                dem warenkorb | den warenkorb | warenkorb | liste | bestellung | die ganze liste
                die ganze bestellung
            """,
            "and": "und | aber | sowie | dann | und dann | plus | aber mit",
            "or": "oder",
            "except": "außer | bis auf | aber nicht",
            "instead": "statt | anstatt | anstelle von | anstelle",
            "no_cue": """
                nein | nee | nö | nein warte | warte | sorry | entschuldigung | quatsch | ich meine | ich meinte
                ich sagte | ich habe gesagt | ich hab gesagt
                ach nein | äh nein | moment | nein moment | halt
            """,
            "yes": "ja | ok | okay | gut | klar | genau | prima",
            "again": "noch mal | noch einmal | nochmal | nochmals",
            "done": """
                das ist alles | das wars | das war's | das wär's | das wäre alles | das wärs | mehr nicht
                sonst nichts | das war alles | und das war's | und das ist alles
            """,
            "rather": "doch | lieber | eigentlich | stattdessen | doch lieber",
            "also": "auch",
            "filler": """
                bitte | danke | jetzt | mal | gern | gerne | hallo | hi | hey | äh | ähm | also | ach | oh | für mich
                für uns | vielen dank | insgesamt
            """,
        }
    ),
    times=words("x mal × stück"),
    times_endings=("mal",),
    plurals=("s",),
    comparing=("er",),
    counting=words("menge anzahl stückzahl stück"),
    leaving_out=words("ohne weglassen weggelassen auslassen abbestellt entfernt unerwünscht"),
)
"""The words about items of lists in German."""
