"""German words for numbers, days, times, names and what fields are about. Data only; it decides nothing."""

from __future__ import annotations

from turnwise.core.language.de import THOUSANDS_MARK
from turnwise.understanding.vocabulary.de_navigation import NAVIGATION
from turnwise.understanding.vocabulary.de_speech import REQUESTS, SPEECH
from turnwise.understanding.vocabulary.shape import Concept, Naming, Vocabulary
from turnwise.understanding.vocabulary.tables import by_phrase, by_word, endings, numbered_words, phrases, words
from turnwise.understanding.vocabulary.value_shape import CalendarWords, ClockWords, DurationWords, NumberWords

_NTHS = numbered_words(
    "erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft dreizehnt vierzehnt fünfzehnt sechzehnt "
    "siebzehnt achtzehnt neunzehnt zwanzigst"
)

_NUMBERS = NumberWords(
    zeros=words("kein keine keinen keiner keins niemand niemanden"),
    ones=numbered_words(
        "null eins zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
        "siebzehn achtzehn neunzehn",
        first=0,
    ),
    tens=numbered_words("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig", 20, step=10),
    scales=by_word(
        {"hundert": 100, "tausend": 1000, "million millionen": 10**6, "milliarde milliarden": 10**9, "dutzend": 12}
    ),
    articles=words("ein eine einem einen"),
    joints=words("und"),
    fractions=by_phrase(
        {
            "und halb|und ein halb|und ein halbes|und eine halbe": 0.5,
            "und ein viertel|und eine viertel": 0.25,
            "und drei viertel": 0.75,
        }
    ),
    mixed=by_word({"anderthalb eineinhalb einundeinhalb": 1.5}),
    fixed=by_phrase(
        {"halbes dutzend|ein halbes dutzend": 6} | {f"zu {word}": value for word, value in _NTHS.items() if value > 1}
    ),
    minus=words("minus"),
    points=words("komma"),
    ordinals={word + ending: value for word, value in _NTHS.items() for ending in ("e", "er", "es", "en", "em")},
    ordinal_suffixes=words("te ter tes ten ste ster stes sten"),
    led_by=words("am den der dem das die zum vom"),
    place_words=words("nummer nr option"),
    out_of=phrases("von"),
    lasts=words("letzte letzter letztes letzten"),
    lone=words("eine einen einer"),
    before_pronouns=words("nur bloß genau"),
    thousands_mark=THOUSANDS_MARK,
    units_first=True,
)

_CALENDAR = CalendarWords(
    relative=by_phrase({"heute": 0, "morgen": 1, "übermorgen": 2, "gestern": -1, "vorgestern": -2}),
    weekdays=numbered_words("montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag", first=0),
    short_weekdays=numbered_words("mo di mi do fr sa so", first=0),
    months=numbered_words(
        "januar/jan/jänner februar/feb/feber märz/mär/mrz april/apr mai juni/jun juli/jul august/aug "
        "september/sep/sept oktober/okt november/nov dezember/dez"
    ),
    upcoming=words("diesen dieser diese kommenden kommender kommende"),
    following=words("nächsten nächster nächste"),
    past=words("letzten letzter letzte vergangenen"),
    overnext=words("übernächsten übernächster übernächste"),
    coming_weeks=by_phrase(
        {
            "diese woche|dieser woche|in dieser woche": 0,
            "nächste woche|nächster woche|kommende woche|kommender woche|in der nächsten woche": 1,
            "übernächste woche|übernächster woche|in der übernächsten woche": 2,
        }
    ),
    lasting=words("für"),
    span_leads=words("von vom zwischen"),
    between=words("zwischen"),
    until=words("bis zum"),
    either=words("und oder"),
    neither=words("weder noch"),
    now=phrases("jetzt | jetzt gleich | gleich jetzt | jetzt sofort | sofort | ab sofort | umgehend | unverzüglich"),
    order_hints=(
        phrases("anreise | anreisen | ankunft | ankommen | beginn | beginnt | start | anfang | ab | von | hinflug"),
        phrases("abreise | abreisen | abfahrt | abflug"),
        phrases("rückreise | rückfahrt | rückflug | rückkehr | ende | endet | bis | zurück | rückgabe"),
    ),
    within=words("in"),
    ago_before=words("vor"),
    from_base=phrases("ab heute | ab jetzt"),
    days=by_word({"tag tage tagen": 1, "woche wochen": 7}),
    month_units=by_word({"monat monate monaten": 1, "jahr jahre jahren": 12}),
    on=words("am den der dem"),
    holidays=by_phrase(
        {
            "heiligabend|heilig abend|heiliger abend": (12, 24),
            "weihnachten": (12, 25),
            "silvester": (12, 31),
            "neujahr": (1, 1),
        }
    ),
    past_hints=words("seit war waren wurde wurden begann begonnen angefangen zuletzt"),
    birth_hints=words("geburt geburtsdatum geburtstag geboren"),
    not_before=words("guten schönen gute am jeden"),
    parts=by_word(
        {
            "früh vormittag vormittags": "morning",
            "mittag mittags nachmittag nachmittags": "afternoon",
            "abend abends": "evening",
            "nacht nachts": "night",
        }
    ),
)

_CLOCK = ClockWords(
    hour=words("uhr h"),
    past=words("nach"),
    to=words("vor"),
    half_next=words("halb"),
    quarter=phrases("viertel"),
    three_quarters=words("dreiviertel"),
    minutes=words("minuten minute min"),
    fixed=by_word({"mitternacht": "00:00", "mittag mittags": "12:00"}),
    day_parts=words("mittag mittags"),
    parts=by_phrase(
        {
            "morgens|früh|in der früh|am morgen|heute morgen|vormittags|am vormittag|heute vormittag": "morning",
            "mittags|nachmittags|am nachmittag|heute nachmittag|am mittag|heute mittag": "afternoon",
            "abends|am abend|heute abend": "evening",
            "nachts|in der nacht|heute nacht": "night",
        }
    ),
    at=words("um gegen"),
)

_DURATIONS = DurationWords(
    units=by_word(
        {
            "s sek sekunde sekunden": 1,
            "min minute minuten": 60,
            "h std stunde stunden": 3600,
            "tag tage tagen": 86_400,
            "woche wochen": 604_800,
        }
    ),
    whole=by_phrase(
        {
            "viertelstunde|eine viertelstunde|einer viertelstunde|viertel stunde|eine viertel stunde": 900,
            "dreiviertelstunde|eine dreiviertelstunde|einer dreiviertelstunde|dreiviertel stunde|"
            "eine dreiviertel stunde|drei viertel stunden": 2700,
            "halbe stunde|eine halbe stunde|einer halben stunde": 1800,
            "halber tag|einen halben tag|ein halber tag|halben tag": 43_200,
            "halbe minute|eine halbe minute": 30,
        }
    ),
    joints=words("und"),
)

_NAMING = Naming(
    frames=phrases("""
        mein name ist | mein name lautet | ich heiße | ich heisse | heiße | heisse | heiße ich
        heisse ich | man nennt mich | alle nennen mich
        die leute nennen mich | nennen sie mich | nenn mich | nenne mich | nennt mich | du kannst mich | sie können mich
        der name ist | mein vollständiger name ist | mein voller name ist | name ist
    """),
    asked_frames=phrases("""
        ich bin | ich bin die | ich bin der | bin die | bin der | hier ist | hier spricht | hier ist die | hier ist der
        das ist | das wäre | ich meinte | mit namen
    """),
    self_frames=phrases("ich bin | bin"),
    adjective_endings=endings("ig lich isch et los bar sam haft end iert ert ell iv ant ent al är nd tig est"),
    noun_endings=endings("ist erin ner ler ker cher ter rer"),
    spelling=words("geschrieben buchstabiert schreibt schreibe schreiben"),
    softeners=words("einfach nur übrigens eigentlich tatsächlich also eben halt lieber bitte"),
    particle_joints=words("und y et e and"),
    titles=words("herr herrn frau fräulein dr prof familie hr fr schwester pater pfarrer"),
    signed=phrases("hier | am apparat | ist mein name | ist der name | heiße ich | heisse ich | bin ich | mein name"),
    no_names=words("""
        nichts niemand keiner keine kein jemand unbekannt geheim privat egal unwichtig wichtig falsch richtig quatsch
        anonym unsinn blödsinn vertraulich
    """),
    capital_pronouns=words("sie ihr ihnen ihre ihren"),
    abbreviations=words("dr prof hr fr st dipl ing med jr co nr bzw ca"),
    not_names=words("""
        müde hungrig krank gut fertig da hier nicht kein keine der die das ein eine aus in im bei von mit auf unter über
        zu so sehr ganz noch schon auch nur verheiratet ledig geschieden schwanger unsicher bereit froh traurig
        deutscher deutsche österreicher schweizer lehrer lehrerin arzt ärztin student studentin rentner rentnerin
        vegetarier vegetarierin veganer veganerin mann frau männlich weiblich divers christ muslim jude katholisch
        evangelisch berliner berlinerin münchner hamburger falsch richtig unwichtig geheim wichtig lang kurz schwer egal
        quatsch kunde kundin gast patient patientin selbstständig arbeitslos neu jung alt zufrieden morgen heute später
        niemand jemand wer was wie wo wann ich mich mir sie ihnen er es wir uns hier chef chefin nichts keiner tschüss
        tschüs tschau ciao wiedersehen lol haha hahaha omg hä abgebrochen test testen asdf quatsch cool krass bla blabla
        servus moin tach grüezi egal hallöchen wiederschauen pleite blank satt gesund erkältet heiser taub blind stumm
        dick dünn schlank groß klein faul fleißig nervös sauer böse wütend stolz ruhig still laut arm reich frei voll
        leer warm kalt nass wach blau betrunken nüchtern dumm klug schlau doof verrückt raus weg fort drin dabei dagegen
        dafür zurück unterwegs daheim zuhause draußen drinnen oben unten allein alleine solo single witwe witwer mutter
        vater oma opa dran durch baff platt kaputt spät früh pünktlich versichert privat gesetzlich überfragt gespannt
        verwirrt verzweifelt enttäuscht unschlüssig
    """),
    possessors=words("sein seine seinen seinem seiner ihr deren dessen"),
    name_words=words("""
        name vorname nachname familienname spitzname rufname heißen heißt fullname nickname forename firstname surname
        lastname
    """),
    own=words("""
        ihr ihre ihren ihrem dein deine mein meine sie du ich user customer guest patient caller client person kunde
        gast first last full
    """),
    other_owners=words("""
        firma firmenname company unternehmen produkt product datei file hund katze tier pet frau mann kind kinder
        partner sohn tochter chef team straße stadt land bank schule arbeitgeber organisation verein projekt marke
        account konto domain
    """),
    copulas=phrases("ist | lautet | heißt | soll | sollte | wäre | ist jetzt"),
    towards=words("auf in zu nach als"),
)

_CONCEPTS = (
    Concept(words("prozent prozentsatz % anteil rabatt rate"), words("prozent % percent")),
    Concept(
        words("age alter alt"),
        words("alter jahre jahren jahr alt age"),
        phrases("ich bin | bin | bin ich | ich bin gerade | bin jetzt | ich bin jetzt"),
    ),
    Concept(
        words("people guests passengers personen gäste teilnehmer reisende passagiere plätze leute"),
        words("personen person leute gäste gast menschen plätze teilnehmer erwachsene"),
        phrases("wir sind | sind wir | wir wären | für"),
    ),
    Concept(words("arrival anreise ankunft anreisen"), words("anreise anreisen ankunft ankommen komme kommen")),
    Concept(words("departure abreise abreisen abfahrt"), words("abreise abreisen abfahrt")),
    Concept(words("children kids kinder kind"), words("kinder kind kids")),
    Concept(words("weight gewicht wiegen kg kilo"), words("gewicht wiege wiegen kg kilo kilos kilogramm")),
    Concept(words("height größe groß cm"), words("größe groß cm zentimeter")),
    Concept(words("sex gender geschlecht"), words("geschlecht")),
    Concept(words("email mail e-mail"), words("email mail e-mail mailadresse adresse e emailadresse")),
    Concept(
        words("phone telephone telefon telefonnummer handy mobil rufnummer tel"),
        words("""
            telefon telefonnummer handy handynummer nummer rufnummer mobilnummer mobil tel erreichen anrufen erreichbar
        """),
    ),
    Concept(words("euro euros eur €"), words("euro euros eur €")),
    Concept(words("franken chf"), words("franken chf")),
    Concept(words("dollar usd $"), words("dollar usd $")),
    Concept(words("hinfahrt hinflug hinreise"), words("hinfahrt hinflug hinreise hin")),
    Concept(words("rückfahrt rückflug rückreise zurück"), words("rückfahrt rückflug rückreise zurück retour")),
    Concept(words("anreise ankunft ankommen anreisen"), words("anreise ankunft ankommen anreisen")),
    Concept(words("abreise abfahrt abreisen abfahren"), words("abreise abfahrt abreisen abfahren")),
    Concept(words("stadt city ort wohnort wohnen"), words("stadt ort wohnort")),
    Concept(words("tag day datum date"), words("tag datum")),
    Concept(words("uhrzeit zeit time uhr"), words("uhrzeit zeit")),
    Concept(words("name heißen heißt"), words("name")),
    Concept(words("versicherung versichert insurance"), words("versicherung versichert")),
    Concept(words("geburt geburtsdatum geburtstag geboren birth birthday"), words("geboren geburtsdatum geburtstag")),
    Concept(words("raucher rauchen smoker"), words("rauche rauchen raucher raucherin rauch")),
)

VOCABULARY = Vocabulary(
    code="de",
    speech=SPEECH,
    requests=REQUESTS,
    navigation=NAVIGATION,
    naming=_NAMING,
    numbers=_NUMBERS,
    calendar=_CALENDAR,
    clock=_CLOCK,
    durations=_DURATIONS,
    concepts=_CONCEPTS,
    synonyms=(("male", "männlich", "mann"), ("female", "weiblich", "frau")),
    type_words={
        "date": words("datum tag termin"),
        "time": words("uhrzeit zeit"),
        "datetime": words("datum zeitpunkt termin tag"),
        "duration": words("dauer länge"),
        "email": words("email mail mailadresse"),
        "phone": words("telefon telefonnummer nummer handynummer"),
    },
    endings=("innen", "in", "en", "er", "es", "e", "n", "s"),
    inflections=("en", "er", "es", "em", "e", "n", "s"),
    currencies=words("euro euros eur € franken chf dollar usd $ pfund gbp £"),
    other_numbers=words("""
        bestellung auftrag rechnung kunde konto iban bic karte ticket vorgang aktenzeichen sendung vertrag police
        ausweis steuer buchung reservierung code pin ip id personalausweis reisepass mitglied nummer nr
    """),
    number_endings=endings("nummer nr"),
    contact_words=words("""
        anrufen ruf rufen rufe erreichen erreichbar erreichst erreicht kontaktieren schreib schreiben schreibe schreibt
        schick schicken senden mailen antworten per über unter an neu neue neuer neuen aktuelle aktuellen
    """),
    paying=words("zahlen bezahlen überweisen spenden einzahlen ausgeben leihen"),
    money=words("""
        betrag geld summe zahlen bezahlen zahlung überweisen überweisung senden budget preis kosten kostet ausgeben
        einzahlen spenden spende leihen kredit gehalt einkommen verdienen miete gebühr rechnung trinkgeld schaden wert
    """),
)
"""The vocabulary of German."""
