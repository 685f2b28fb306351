"""German names and what fields are about, and the whole vocabulary. Data only; it decides nothing."""

from __future__ import annotations

from turnwise.understanding.vocabulary.de_requests import REQUESTS
from turnwise.understanding.vocabulary.de_speech import SPEECH
from turnwise.understanding.vocabulary.de_values import CALENDAR, CLOCK, DURATIONS, NUMBERS
from turnwise.understanding.vocabulary.shape import Concept, Naming, Vocabulary, phrases, words

_NAMING = Naming(
    frames=phrases(
        """
        mein name ist | mein name lautet | ich heiße | ich heisse | heiße | heisse | man nennt mich
        alle nennen mich | die leute nennen mich | nennen sie mich | nenn mich | nenne mich | du kannst mich
        sie können mich | der name ist | mein vollständiger name ist | mein voller name ist | name ist
        """
    ),
    asked_frames=phrases(
        "ich bin | ich bin die | ich bin der | bin die | bin der | hier ist | hier spricht | "
        "hier ist die | hier ist der | das ist | das wäre | ich meinte | mit namen"
    ),
    free_frames=phrases(()),
    self_frames=phrases("ich bin | bin"),
    also_names=frozenset(),
    adjective_endings=(
        "ig",
        "lich",
        "isch",
        "et",
        "los",
        "bar",
        "sam",
        "haft",
        "end",
        "iert",
        "ert",
        "ell",
        "iv",
        "ant",
        "ent",
        "al",
        "är",
        "nd",
        "tig",
        "est",
    ),
    particles=words("von van zu vom zum de der den da di del la le bin al el ten ter und"),
    abbreviations=words("dr prof hr fr st dipl ing med jr co nr bzw ca"),
    not_names=words(
        """
        müde hungrig krank gut fertig da hier nicht kein keine der die das ein eine aus in im bei von mit auf unter
        über zu so sehr ganz noch schon auch nur verheiratet ledig geschieden schwanger unsicher bereit froh traurig
        deutscher deutsche österreicher schweizer lehrer lehrerin arzt ärztin student studentin rentner rentnerin
        vegetarier vegetarierin veganer veganerin mann frau männlich weiblich divers christ muslim jude katholisch
        evangelisch berliner berlinerin münchner hamburger falsch richtig unwichtig geheim wichtig lang kurz schwer
        egal quatsch kunde kundin gast patient patientin selbstständig arbeitslos neu jung alt zufrieden morgen
        heute später niemand jemand wer was wie wo wann ich mich mir sie ihnen er es wir uns hier chef chefin nichts
        keiner tschüss tschüs tschau ciao wiedersehen lol haha hahaha omg hä abgebrochen test testen asdf quatsch cool
        krass bla blabla servus moin tach grüezi egal hallöchen wiederschauen
        pleite blank satt gesund erkältet heiser taub blind stumm dick dünn schlank groß klein faul fleißig nervös
        sauer
        böse wütend stolz ruhig still laut arm reich frei voll leer warm kalt nass wach blau betrunken nüchtern
        dumm klug
        schlau doof verrückt raus weg fort drin dabei dagegen dafür zurück unterwegs daheim zuhause draußen
        drinnen oben
        unten allein alleine solo single witwe witwer mutter vater oma opa dran durch baff platt kaputt spät früh
        pünktlich versichert privat gesetzlich überfragt gespannt verwirrt verzweifelt enttäuscht unschlüssig
        """
    ),
    possessors=words("sein seine seinen seinem seiner ihr deren dessen"),
    name_words=words(
        """
        name vorname nachname familienname spitzname rufname heißen heißt fullname nickname forename firstname
        surname lastname
        """
    ),
    own=words(
        """
        ihr ihre ihren ihrem dein deine mein meine sie du ich user customer guest patient caller client person kunde
        gast first last full
        """
    ),
    other_owners=words(
        "firma firmenname company unternehmen produkt product datei file hund katze tier pet frau mann "
        "kind kinder partner sohn tochter chef "
        "team straße stadt land bank schule arbeitgeber organisation verein projekt marke account konto domain"
    ),
    copulas=phrases("ist | lautet | heißt | soll | sollte | wäre | ist jetzt"),
    towards=words("auf in zu nach als"),
)

_CONCEPTS = (
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
    Concept(words("children kids kinder kind"), words("kinder kind kids"), phrases(())),
    Concept(words("weight gewicht wiegen kg kilo"), words("gewicht wiege wiegen kg kilo kilos kilogramm"), phrases(())),
    Concept(words("height größe groß cm"), words("größe groß cm zentimeter"), phrases(())),
    Concept(words("sex gender geschlecht"), words("geschlecht"), phrases(())),
    Concept(words("email mail e-mail"), words("email mail e-mail mailadresse adresse e emailadresse"), phrases(())),
    Concept(
        words("phone telephone telefon telefonnummer handy mobil rufnummer tel"),
        words(
            """
            telefon telefonnummer handy handynummer nummer rufnummer mobilnummer mobil tel erreichen anrufen
            erreichbar
            """
        ),
        phrases(()),
    ),
    Concept(words("euro euros eur €"), words("euro euros eur €"), phrases(())),
    Concept(words("franken chf"), words("franken chf"), phrases(())),
    Concept(words("dollar usd $"), words("dollar usd $"), phrases(())),
    Concept(words("hinfahrt hinflug hinreise"), words("hinfahrt hinflug hinreise hin"), phrases(())),
    Concept(
        words("rückfahrt rückflug rückreise zurück"), words("rückfahrt rückflug rückreise zurück retour"), phrases(())
    ),
    Concept(words("anreise ankunft ankommen anreisen"), words("anreise ankunft ankommen anreisen"), phrases(())),
    Concept(words("abreise abfahrt abreisen abfahren"), words("abreise abfahrt abreisen abfahren"), phrases(())),
    Concept(words("stadt city ort wohnort wohnen"), words("stadt ort wohnort"), phrases(())),
    Concept(words("tag day datum date"), words("tag datum"), phrases(())),
    Concept(words("uhrzeit zeit time uhr"), words("uhrzeit zeit"), phrases(())),
    Concept(words("name heißen heißt"), words("name"), phrases(())),
    Concept(words("versicherung versichert insurance"), words("versicherung versichert"), phrases(())),
    Concept(
        words("geburt geburtsdatum geburtstag geboren birth birthday"),
        words("geboren geburtsdatum geburtstag"),
        phrases(()),
    ),
    Concept(words("raucher rauchen smoker"), words("rauche rauchen raucher raucherin rauch"), phrases(())),
)

VOCABULARY = Vocabulary(
    code="de",
    speech=SPEECH,
    requests=REQUESTS,
    naming=_NAMING,
    numbers=NUMBERS,
    calendar=CALENDAR,
    clock=CLOCK,
    durations=DURATIONS,
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
    paying=words("zahlen bezahlen überweisen spenden einzahlen ausgeben leihen"),
    money=words(
        """
        betrag geld summe zahlen bezahlen zahlung überweisen überweisung senden budget preis kosten kostet ausgeben
        einzahlen spenden spende leihen kredit gehalt einkommen verdienen miete gebühr rechnung trinkgeld schaden wert
        """
    ),
)
