"""German words of conversation. Data only; it decides nothing."""

from __future__ import annotations

from turnwise.providers.offline.vocabulary.de_values import CALENDAR, CLOCK, DURATIONS, NUMBERS
from turnwise.providers.offline.vocabulary.shape import Concept, Naming, Requests, Speech, Vocabulary, phrases, words

_FILLER = words(
    """
    der die das dem den des ein eine einen einem einer eines ich mich mir mein meine meinen meinem meiner wir uns unser unsere
    unseren du dich dir dein deine sie ihnen ihr ihre ihren ihrem es dies diese dieser dieses diesen ist bin sind sei wäre wären
    habe hab haben hätte hätten möchte möchten mag will wollen würde würden kann könnte können soll sollte sollen werde werden
    bitte danke dankeschön dank vielen gern gerne ok okay also na nun ja klar so ähm äh hm hmm ach oh hallo hi hey moin servus guten tag
    grüß gott nur genau exakt etwa ungefähr circa ca rund um gegen jetzt schon halt eben mal denn doch eigentlich wohl glaube
    glaub denke denk meine sage sagen sag sagt antwort option auswahl möglichkeit nehme nehmen wähle wählen nimm nehm für von
    an am auf im bei mit zu zum zur und auch dann da hier dazu lieber besser bevorzuge brauche brauchen reservieren
    reserviere reservierung buchen buche tisch termin kommen komme passt passen geht ginge gut prima super toll perfekt
    ideal schön wunderbar machen mach setzen setze ändern ändere ändern aktualisieren trage eintragen statt entschuldigung
    sorry verzeihung pardon meinte korrektur quatsch richtig beträgt lautet gerade eben insgesamt zusammen sehr ganz recht
    viel viele uhr einfach sozusagen nämlich übrigens gewesen geworden davon sondern freilich jawohl
    """
)

_SPEECH = Speech(
    filler=_FILLER,
    fill_phrases=phrases(
        """
        guten tag | guten morgen | guten abend | wenn möglich | wenn es geht | wenn das geht | falls möglich | schönen tag
        so um die | um die | freut mich | vielen dank | danke schön | oder so | soweit ich weiß | zum glück | mehr oder weniger genau
        ich glaube | glaube ich | glaub ich | ich denke | denke ich | würde ich sagen | sag ich mal | sagen wir | sagen wir mal
        jahre alt | auf jeden fall | mehr | nicht mehr | wenn's geht | so gegen | ehrlich gesagt | wie gesagt
        """
    ),
    hedges=words("etwa ungefähr circa ca rund um gegen so glaube glaub denke die schon"),
    small_adverbs=words("gerade jetzt erst schon so die nur eigentlich genau momentan"),
    yes=phrases(
        """
        ja | j | jo | jup | jep | jop | joa | jaa | jawohl | klar | na klar | aber klar | ok | okay | gern | gerne | sehr gern | sehr gerne
        natürlich | selbstverständlich | einverstanden | auf jeden fall | unbedingt | sicher | aber sicher | ja bitte | ja gern
        ja gerne | genau | richtig | stimmt | das stimmt | korrekt | geht klar | passt | in ordnung | alles klar | von mir aus
        ich stimme zu | ja ich stimme zu | stimme zu | stimme ich zu | dem stimme ich zu | ich akzeptiere | akzeptiert | ich bin einverstanden | bin einverstanden
        bin ich | habe ich | hab ich | tue ich | mache ich | mach ich | will ich | ja bin ich | ja habe ich | ja hab ich | das bin ich
        ich willige ein | ich bestätige | yes | yep | aber ja | aber gerne | doch | freilich | gewiss | absolut | haben wir
        """
    ),
    no=phrases(
        """
        nein | n | nee | ne | nö | nä | nope | no | nein danke | lieber nicht | eher nicht | auf keinen fall | keinesfalls
        niemals | nie | nicht wirklich | überhaupt nicht | gar nicht | ganz und gar nicht | natürlich nicht | absolut nicht
        sicher nicht | bestimmt nicht | ich stimme nicht zu | stimme nicht zu | stimme ich nicht zu | ich akzeptiere nicht
        ich bin nicht einverstanden | bin nicht einverstanden | nicht einverstanden | bin ich nicht | habe ich nicht | hab ich nicht
        haben wir nicht | tue ich nicht | mache ich nicht | will ich nicht | möchte ich nicht | das möchte ich nicht | das will ich nicht
        ich nicht | noch nicht | noch nie | keine | keiner | keins | habe keine | ich habe keine | nicht dass ich wüsste | ich lehne ab | das lehne ich ab
        ich will nicht | ich möchte nicht | kommt nicht in frage | keineswegs
        """
    ),
    doubt=phrases(
        """
        vielleicht | eventuell | möglicherweise | wahrscheinlich | vermutlich | weiß nicht | weiß ich nicht | ich weiß nicht
        ich weiß es nicht | das weiß ich nicht | keine ahnung | ich habe keine ahnung | hab keine ahnung | nicht sicher
        bin nicht sicher | ich bin nicht sicher | ich bin mir nicht sicher | bin mir nicht sicher | jein | kommt drauf an
        das kommt drauf an | kommt darauf an | mal sehen | manchmal | teils teils | schwer zu sagen | könnte sein | kann sein
        ich glaube schon | glaube schon | ich denke schon | denke schon | ungefähr schon | mehr oder weniger | weder noch
        unsicher | nicht ganz | ja und nein | ka | ich glaube nicht ganz | ich erinnere mich nicht | vielleicht später | mal so mal so
        """
    ),
    idle=phrases("kein problem | kein ding | keine sorge | keine eile | kein stress | nicht schlecht | keine frage"),
    negators=words("nicht kein keine keinen keinem keiner keines nie niemals ohne weder noch nichts niemand"),
    common=words("andere anderes anderer sonstige sonstiges alle alles mehr weniger gleich später bald"),
    answers=words("ja jo jup jep jop jaa jawohl klar ok okay nein nee nö ne nope yes no natürlich genau"),
    starters=words("und aber also ok okay na ja nein hallo hi hey sorry entschuldigung oh ach äh ähm bitte dann jetzt auch danke gut hm hmm so"),
    subjects=words("ich wir es das dies bin habe bin"),
    tags=words("ok okay oder ne richtig ja nein gell stimmt's"),
    refusals=words("nein nee nö ne nope no"),
    joints=words("und aber sondern dann"),
    away=words("von statt anstatt"),
    away_led=words("anstelle"),
    copulas=words("ist hat war wird wurde sind waren"),
    contrasts=words("aber sondern"),
    alternatives=words(
        "oder entweder zwischen vielleicht eventuell möglicherweise wahrscheinlich vermutlich ob weder unsicher beide wenn falls"
    ),
    universals=words("jeder jede jedes jeden alle alles"),
    final_fillers=words("sein werden"),
    weak_cues=phrases("nein | nee | nö | ne | entschuldigung | sorry | verzeihung | eigentlich | moment | warte | halt | doch | ups | ach nein | ach | oh | hoppla"),
    strong_cues=phrases(
        """
        ich meinte | meinte | ich meine | korrektur | quatsch | äh quatsch | vielmehr
        besser gesagt | lieber | stattdessen | ändere | ändern | ändern sie | korrigiere | setze | soll | sollte | muss | müsste | mach daraus
        doch lieber | nein warte | nein moment | falsch | mein fehler | vertippt | verschrieben | ich habe mich vertan
        ich habe mich vertippt | aktualisiere | machen wir
        """
    ),
    interjections=words("mann mensch junge oh wow tja"),
    openers=words(
        "was wer wen wem wessen wie wo woher wohin wann warum weshalb wieso wozu welche welcher welches welchen wofür womit "
        "worum woran wieviel"
    ),
    inverted=phrases(
        """
        was ist | was sind | was kostet | was passiert | was bedeutet | was heißt | was wird | was machen | was soll | was kann
        wie ist | wie wird | wie kann | wie geht | wie lange | wie viel | wie viele | wie heißt | wie heißen | wie alt | wie funktioniert
        wann ist | wann kommt | wann wird | wann kann | wo ist | wo sind | wo kann | wer ist | wer sind | warum | weshalb | wieso | wozu
        ist das | ist es | sind sie | bist du | haben sie | hast du | gibt es | kann ich | kannst du | können sie | können wir | könnten sie
        könntest du | muss ich | darf ich | soll ich | magst du | mögen sie | stimmt das | geht das | wissen sie | weißt du | wird das
        wird es | wofür | welche | und sie | und du | kostet das | brauchen sie | brauchst du | ist der | ist die | werden sie
        """
    ),
    requests=phrases(
        """
        kann ich | kann man | kannst du | können sie | können wir | könnten sie | könntest du | könnten wir | könnte ich | darf ich
        dürfte ich | würden sie | würdest du | kannst du bitte | können sie bitte | könnten sie bitte | könntest du bitte
        wollen wir | wie wäre es mit | wie wär's mit | wie wäre | sollen wir
        """
    ),
    wishes=phrases(
        """
        ich möchte | ich will | ich würde gern | ich würde gerne | ich hätte gern | ich hätte gerne | ich muss | ich brauche | ich wollte
        wir möchten | wir wollen | wir würden gerne | bitte | lass uns | lassen sie uns | lass mich | lassen sie mich | dann | zuerst
        erst | jetzt | nun | also | na | ok | okay | oh | ach | äh | ähm | hallo | hi | hey | sorry | und | aber | auch | ja | nein
        gut | so | das möchte ich | möchte ich | ich
        """
    ),
    trailing=words("bitte danke jetzt mal hier dann sofort gerne gern ok okay doch lieber"),
    others=words(
        """
        er ihm ihn sein seine seinen frau mann partner partnerin sohn tochter mutter vater mama papa bruder schwester freund
        freundin chef chefin kollege kollegin nachbar nachbarin onkel tante oma opa baby hund katze jemand kind ehemann ehefrau
        """
    ),
    agreement_marks=words(
        "agb tos terms agree agreed agreement consent accept accepted privacy policy conditions gdpr dsgvo datenschutz "
        "bedingungen zustimmung zustimmen stimmen einwilligung einwilligen einverstanden akzeptieren nutzungsbedingungen "
        "acknowledged zugestimmt"
    ),
    agreement=words("stimme zustimme akzeptiere einverstanden willige zugestimmt"),
)

_REQUESTS = Requests(
    commands={
        "skip": phrases(
            """
            überspringen | überspring das | überspringe das | überspringe die frage | die frage überspringen | diese frage überspringen
            das überspringen | auslassen | die frage auslassen | nächste frage | zur nächsten frage | keine angabe | weiter | nächste
            das möchte ich nicht sagen | möchte ich nicht sagen | möchte nicht sagen | will ich nicht sagen | das will ich nicht sagen | sage ich nicht
            das sage ich nicht | ich möchte das nicht sagen | ich will das nicht sagen | ich möchte nicht antworten | das geht sie nichts an
            darauf möchte ich nicht antworten | möchte ich nicht beantworten | das möchte ich nicht beantworten | lieber nicht sagen
            kein kommentar | lassen wir das aus | diese frage auslassen | lieber überspringen | überspringen wir das | skip
            """
        ),
        "help": phrases(
            """
            hilfe | hilf mir | helfen sie mir | help | was meinen sie | was meinst du | was meinen sie damit | was meinst du damit
            was heißt das | was bedeutet das | was soll das heißen | ich verstehe nicht | ich verstehe das nicht | verstehe ich nicht
            das verstehe ich nicht | ich verstehe die frage nicht | die frage verstehe ich nicht | brauche hilfe | ich brauche hilfe | was soll ich sagen | wie ist das gemeint
            was ist damit gemeint | erklären sie das | erklär das | erklären sie mir das | können sie das erklären | was ist gemeint | welche möglichkeiten habe ich
            """
        ),
        "repeat": phrases(
            """
            wiederholen | wiederhole das | wiederholen sie das | die frage wiederholen | das wiederholen | wiederholen sie die frage | wiederhole die frage
            noch einmal | noch mal | nochmal | noch einmal bitte | nochmal bitte | wie bitte | wie war die frage | was war die frage
            was haben sie gesagt | was hast du gesagt | wie war das | wie war das noch | sag das nochmal | sagen sie das noch einmal | was war das
            die frage noch einmal | die frage nochmal | das noch einmal sagen | das nochmal sagen
            """
        ),
        "wait": phrases(
            """
            moment | moment mal | einen moment | einen moment mal | kleinen moment | einen kleinen moment | warte | warte mal | warten sie
            warten sie mal | warte kurz | warten sie kurz | sekunde | eine sekunde | minute | eine minute | augenblick | einen augenblick | kurz warten
            bin gleich wieder da | bin gleich zurück | ich muss kurz nachsehen | lass mich nachdenken | lassen sie mich nachdenken | mal kurz warten
            moment noch | gleich | sofort | ich muss kurz nachdenken | ich schaue kurz nach | momentchen | eine sekunde noch
            """
        ),
        "cancel": phrases(
            """
            abbrechen | abbruch | stopp | stop | aufhören | beenden | vergiss es | vergessen sie es | vergessen wir das | lass es | lassen wir das
            lassen wir es | ich möchte aufhören | ich will nicht mehr | ich möchte nicht mehr | alles abbrechen | das abbrechen | brich ab | brechen sie ab
            ich gebe auf | schluss | schluss damit | hör auf | hören sie auf | den vorgang abbrechen | das beenden | cancel | vergiss das
            """
        ),
        "restart": phrases(
            """
            neu beginnen | neu anfangen | noch einmal anfangen | nochmal anfangen | von vorn | von vorne | neustart | noch einmal von vorn
            noch einmal von vorne | nochmal von vorn | nochmal von vorne | von vorn anfangen | von vorne anfangen | von vorn beginnen | von vorne beginnen
            alles noch einmal | wieder von vorne | alles von vorn | alles von vorne | neu starten | noch mal von vorne | ganz von vorne
            """
        ),
        "undo": phrases(
            "rückgängig | rückgängig machen | das rückgängig machen | mach das rückgängig | machen sie das rückgängig | zurücknehmen | nimm das zurück | das zurücknehmen | zurück"
        ),
        "hand_over": phrases(
            """
            mensch | einen menschen | einen menschen bitte | mit einem menschen sprechen | mit einem menschen reden | mitarbeiter | einen mitarbeiter
            mit einem mitarbeiter sprechen | mit einem mitarbeiter reden | mit jemandem sprechen | mit jemandem reden | kundendienst | kundenservice
            mit dem kundendienst sprechen | einen echten menschen | mit einem echten menschen sprechen | mit einem echten menschen reden
            mit einer person sprechen | mit einer echten person sprechen | verbinden sie mich mit einem menschen | verbinde mich mit einem menschen
            verbinden sie mich mit einem mitarbeiter | verbinden sie mich | weiterverbinden | an einen menschen übergeben | mit ihrem chef sprechen
            """
        ),
        "affirm": phrases(
            """
            alles richtig | alles korrekt | alles gut | alles bestens | alles in ordnung | alles passt | passt | passt so | das passt | passt alles
            das passt so | sieht gut aus | das sieht gut aus | sieht richtig aus | so ist es | so ist es richtig | so passt es | so passt das | stimmt so
            das stimmt so | stimmt alles | alles stimmt | bestätigen | bestätigt | ich bestätige | ich bestätige das | abschicken | absenden | weiter
            gut | sehr gut | perfekt | prima | super | wunderbar | bestens | das ist richtig | das ist richtig so | das ist korrekt | ist richtig | ist korrekt | korrekt so | fertig
            das war's | das wars | das ist alles | toll | in ordnung so | so stimmt es | so stimmt das | richtig so | machen sie das | mach das
            """
        ),
        "deny": phrases(
            """
            falsch | das ist falsch | ist falsch | das stimmt nicht | stimmt nicht | stimmt so nicht | das stimmt so nicht | das ist nicht richtig
            nicht richtig | nicht korrekt | das ist nicht korrekt | leider nicht | leider falsch | leider nein | da stimmt was nicht | da stimmt etwas nicht
            nicht ganz richtig | das passt nicht | passt nicht | passt so nicht | das passt so nicht | jetzt nicht | nicht jetzt | nein jetzt nicht | heute nicht | das ist so nicht richtig
            """
        ),
        "edit": phrases(
            """
            ändern | bearbeiten | korrigieren | antworten ändern | meine antworten ändern | etwas ändern | was ändern | noch etwas ändern | eine antwort ändern | etwas korrigieren
            das ändern | das korrigieren | ändere das | ändern sie das | eine änderung | da ist ein fehler | da ist ein fehler drin | ich habe einen fehler gemacht
            eine korrektur | etwas bearbeiten | noch was ändern
            """
        ),
        "leave": phrases("nichts | keine | egal | nein | zurück | alles lassen | doch nicht | lieber doch nicht | keins | gar nichts | nein doch nicht"),
    },
    edit_verbs=words("ändern ändere ändert bearbeiten bearbeite korrigieren korrigiere aktualisieren aktualisiere anpassen"),
    wrong=words("falsch verkehrt fehler fehlerhaft inkorrekt veraltet"),
    right=words("richtig korrekt stimmt"),
    exceptions=phrases("bis auf | außer | abgesehen von | mit ausnahme von"),
    clear_verbs=words("lösche löschen entferne entfernen vergiss vergessen streiche streichen"),
    add_verbs=words("ergänze hinzufügen ergänzen füge"),
    add_words=words("auch außerdem zusätzlich noch"),
    remove_verbs=words("entferne entfernen lösche streiche streich ohne nicht kein keine keinen"),
    explain=phrases(
        """
        was meinen sie mit | was meinst du mit | was bedeutet | was heißt | was ist mit | was ist gemeint mit | erklären sie | erkläre
        können sie mir erklären | hilfe bei | hilfe zu
        """
    ),
    target_links=words("ein eine einen einem einer der die das den dem mein meine meinen unser unsere unseren ihre für"),
    list_carriers=phrases(
        """
        ich habe | ich hab | habe | hab | ich habe auch | ich leide an | ich leide unter | es sind | das sind | vor allem | hauptsächlich | nur | auch
        noch | und | auch noch | außerdem | zusätzlich | wir haben | ich nehme | ich mag | ich brauche | ich möchte | ich hätte gern | ich hätte gerne
        äh | ähm | hallo | ok | okay | also | bitte | ergänze | füge hinzu | ein | eine | einen | der | die | das | den | meine | mein | etwas
        """
    ),
)

_NAMING = Naming(
    frames=phrases(
        """
        mein name ist | mein name lautet | ich heiße | ich heisse | heiße | heisse | man nennt mich | alle nennen mich | die leute nennen mich | nennen sie mich
        nenn mich | nenne mich | du kannst mich | sie können mich | der name ist | mein vollständiger name ist | mein voller name ist | name ist
        """
    ),
    asked_frames=phrases(
        "ich bin | ich bin die | ich bin der | bin die | bin der | hier ist | hier spricht | hier ist die | hier ist der | das ist | das wäre | ich meinte | mit namen"
    ),
    free_frames=phrases(()),
    particles=words("von van zu vom zum de der den da di del la le bin al el ten ter und"),
    abbreviations=words("dr prof hr fr st dipl ing med jr co nr bzw ca"),
    not_names=words(
        """
        müde hungrig krank gut fertig da hier nicht kein keine der die das ein eine aus in im bei von mit auf unter über zu so sehr
        ganz noch schon auch nur verheiratet ledig geschieden schwanger unsicher bereit froh traurig deutscher deutsche
        österreicher schweizer lehrer lehrerin arzt ärztin student studentin rentner rentnerin vegetarier vegetarierin
        veganer veganerin mann frau männlich weiblich divers christ muslim jude katholisch evangelisch berliner berlinerin
        münchner hamburger falsch richtig unwichtig geheim wichtig lang kurz schwer egal quatsch kunde kundin gast patient patientin
        selbstständig arbeitslos neu jung alt zufrieden morgen heute später niemand jemand wer was wie wo wann
        ich mich mir sie ihnen er es wir uns hier chef chefin nichts keiner
        """
    ),
    name_words=words("name vorname nachname familienname spitzname rufname heißen heißt fullname nickname forename firstname surname lastname"),
    own=words("ihr ihre ihren ihrem dein deine mein meine sie du ich user customer guest patient caller client person kunde gast first last full"),
    other_owners=words(
        "firma firmenname company unternehmen produkt product datei file hund katze tier pet frau mann kind kinder partner sohn tochter chef "
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
        words("people guests personen gäste teilnehmer plätze leute party_size"),
        words("personen person leute gäste gast menschen plätze teilnehmer erwachsene"),
        phrases("wir sind | sind wir | wir wären"),
    ),
    Concept(words("children kids kinder kind"), words("kinder kind kids"), phrases(())),
    Concept(words("weight gewicht wiegen kg kilo"), words("gewicht wiege wiegen kg kilo kilos kilogramm"), phrases(())),
    Concept(words("height größe groß cm"), words("größe groß cm zentimeter"), phrases(())),
    Concept(words("sex gender geschlecht"), words("geschlecht"), phrases(())),
    Concept(words("email mail e-mail"), words("email mail e-mail mailadresse adresse e emailadresse"), phrases(())),
    Concept(
        words("phone telephone telefon telefonnummer handy mobil rufnummer tel"),
        words("telefon telefonnummer handy handynummer nummer rufnummer mobilnummer mobil tel erreichen anrufen erreichbar"),
        phrases(()),
    ),
    Concept(words("euro euros eur €"), words("euro euros eur €"), phrases(())),
    Concept(words("franken chf"), words("franken chf"), phrases(())),
    Concept(words("dollar usd $"), words("dollar usd $"), phrases(())),
    Concept(words("stadt city ort wohnort wohnen"), words("stadt ort wohnort"), phrases(())),
    Concept(words("tag day datum date"), words("tag datum"), phrases(())),
    Concept(words("uhrzeit zeit time uhr"), words("uhrzeit zeit"), phrases(())),
    Concept(words("name heißen heißt"), words("name"), phrases(())),
    Concept(words("versicherung versichert insurance"), words("versicherung versichert"), phrases(())),
    Concept(words("raucher rauchen smoker"), words("rauche rauchen raucher raucherin rauch"), phrases(())),
)

VOCABULARY = Vocabulary(
    code="de",
    speech=_SPEECH,
    requests=_REQUESTS,
    naming=_NAMING,
    numbers=NUMBERS,
    calendar=CALENDAR,
    clock=CLOCK,
    durations=DURATIONS,
    concepts=_CONCEPTS,
    synonyms=(("male", "männlich", "mann"), ("female", "weiblich", "frau")),
    endings=("innen", "in", "en", "er", "es", "e", "n", "s"),
)
