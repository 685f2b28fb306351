"""German phrases: yes, no, doubt, corrections, questions, small words, and how people ask for commands. Data only."""

from __future__ import annotations

from turnwise.understanding.vocabulary.speech_shape import Requests, Speech
from turnwise.understanding.vocabulary.tables import phrases, words

_FILLER = words("""
    der die das dem den des ein eine einen einem einer eines ich mich mir mein meine meinen meinem meiner wir uns unser
    unsere unseren du dich dir dein deine sie ihnen ihr ihre ihren ihrem es dies diese dieser dieses diesen ist bin sind
    sei wäre wären habe hab haben hätte hätten möchte möchten mag will wollen würde würden kann könnte können soll
    sollte sollen bitte danke dankeschön dank vielen gern gerne ok okay also na nun ja klar so ähm äh hm hmm ach oh
    hallo hi hey moin servus guten tag grüß gott nur genau exakt etwa ungefähr circa ca rund um gegen jetzt schon halt
    eben mal denn doch eigentlich wohl glaube glaub denke denk meine sage sagen sag sagt antwort option auswahl
    möglichkeit nehme nehmen wähle wählen nimm nehm für von an am auf im bei mit zu zum zur und auch dann da hier dazu
    lieber besser bevorzuge brauche brauchen reservieren reserviere reservierung buchen buche tisch termin kommen komme
    passt passen geht ginge gut prima super toll perfekt ideal schön wunderbar machen mach setzen setze verschieben
    verschiebe ändern ändere
    ändern aktualisieren trage eintragen statt entschuldigung sorry verzeihung pardon meinte korrektur quatsch richtig
    beträgt lautet gerade eben insgesamt zusammen sehr ganz recht vom draus daraus einmal rum viel viele uhr einfach
    sozusagen nämlich übrigens gewesen geworden davon sondern freilich jawohl
""")

SPEECH = Speech(
    filler=_FILLER,
    leads=words("""
        der die das dem den des ein eine einen einem einer es ist dies für von als mein meine meinen unser und auch dann
        bitte danke mit zu zum zur bin sind ich wir möchte möchten hätte hätten will wollen brauche brauchen gern gerne
        lieber ok okay ja nein also na so hallo hi hey sorry oh ach eigentlich nur in im am vom sie
    """),
    fill_phrases=phrases("""
        guten tag | guten morgen | guten abend | wenn möglich | wenn es geht | wenn das geht | falls möglich
        schönen tag | so um die | um die | freut mich | vielen dank | danke schön | oder so | soweit ich weiß
        zum glück | mehr oder weniger genau | ich glaube | glaube ich | glaub ich | ich denke | denke ich
        würde ich sagen | sag ich mal | sagen wir | sagen wir mal | jahre alt | auf jeden fall | mehr | nicht mehr
        wenn's geht | so gegen | wäre gut | wäre super | wäre schön | wäre toll | wäre prima | wäre perfekt | reicht
        holen sie mich ab | ehrlich gesagt | wie gesagt | noch mal | noch einmal
    """),
    hedges=words("etwa ungefähr circa ca rund um gegen so glaube glaub denke die schon"),
    small_adverbs=words("doch meistens hauptsächlich gerade jetzt erst schon so die nur eigentlich genau momentan"),
    yes=phrases("""
        ja | j | jo | jup | jep | jop | joa | jaa | jawohl | klar | na klar | aber klar | ok | okay | gern | gerne
        sehr gern | sehr gerne | natürlich | selbstverständlich | einverstanden | auf jeden fall | unbedingt | sicher
        aber sicher | ja bitte | ja gern | ja gerne | genau | richtig | stimmt | das stimmt | korrekt | geht klar
        passt | in ordnung | alles klar | von mir aus | ich stimme zu | ja ich stimme zu | stimme zu | stimme ich zu
        dem stimme ich zu | ich akzeptiere | akzeptiert | ich bin einverstanden | bin einverstanden | bin ich | habe ich
        hab ich | tue ich | mache ich | mach ich | will ich | ja bin ich | ja habe ich | ja hab ich | das bin ich
        ich willige ein | ich bestätige | yes | yep | aber ja | aber gerne | doch | freilich | gewiss | absolut
        haben wir
    """),
    no=phrases("""
        nein | n | nee | ne | nö | nä | nope | no | nein danke | lieber nicht | eher nicht | nicht mehr
        längst nicht mehr | diesmal nicht | dieses mal nicht | auf keinen fall | keinesfalls | niemals | nie
        nicht wirklich | überhaupt nicht | gar nicht | ganz und gar nicht | natürlich nicht | absolut nicht
        sicher nicht | bestimmt nicht | ich stimme nicht zu | stimme nicht zu | stimme ich nicht zu
        ich akzeptiere nicht | ich bin nicht einverstanden | bin nicht einverstanden | nicht einverstanden
        bin ich nicht | habe ich nicht | hab ich nicht | haben wir nicht | tue ich nicht | mache ich nicht
        will ich nicht | möchte ich nicht | das möchte ich nicht | das will ich nicht | ich nicht | noch nicht
        noch nie | keine | nichts | keiner | keins | habe keine | ich habe keine | ich lehne ab | das lehne ich ab
        ich will nicht | ich möchte nicht | kommt nicht in frage | keineswegs
    """),
    doubt=phrases("""
        vielleicht | eventuell | möglicherweise | wahrscheinlich | vermutlich | weiß nicht | weiß ich nicht
        ich weiß nicht | ich weiß es nicht | das weiß ich nicht | keine ahnung | ich habe keine ahnung
        hab keine ahnung | nicht sicher | bin nicht sicher | ich bin nicht sicher | ich bin mir nicht sicher
        bin mir nicht sicher | jein | kommt drauf an | das kommt drauf an | kommt darauf an | mal sehen | manchmal
        teils teils | schwer zu sagen | könnte sein | kann sein | ich glaube schon | glaube schon | ich denke schon
        denke schon | ungefähr schon | mehr oder weniger | weder noch | unsicher | nicht ganz | ja und nein | ka
        ich glaube nicht ganz | ich erinnere mich nicht | vielleicht später | mal so mal so | macht mir nichts aus
        das macht mir nichts aus | macht nichts | ist mir egal | das ist mir egal | mir egal | mir ist es egal
        mir ist das egal | spielt keine rolle | das spielt keine rolle | nicht dass ich wüsste
    """),
    idle=phrases("kein problem | kein ding | keine sorge | keine eile | kein stress | nicht schlecht | keine frage"),
    negators=words("nicht kein keine keinen keinem keiner keines nie niemals ohne weder noch nichts niemand"),
    common=words("andere anderes anderer sonstige sonstiges alle alles mehr weniger gleich später bald"),
    answers=words("ja jo jup jep jop jaa jawohl klar ok okay nein nee nö ne nope yes no natürlich genau"),
    starters=words("""
        und aber also ok okay na ja nein hallo hi hey sorry entschuldigung oh ach äh ähm bitte dann jetzt auch danke gut
        hm hmm so
    """),
    subjects=words("ich wir es das dies bin habe bin"),
    tags=words("ok okay oder ne richtig ja nein gell stimmt's"),
    refusals=words("nein nee nö ne nope no"),
    joints=words("und aber sondern dann"),
    away=words("von"),
    instead=words("statt anstatt"),
    reservations=words("obwohl allerdings jedoch außer sofern vorausgesetzt teilweise ausgenommen"),
    exclusives=words("nur bloß lediglich ausschließlich allein"),
    exclusions=phrases("bis auf | mit ausnahme von | mit ausnahme | abgesehen von | nur nicht | bloß nicht"),
    conditions=phrases("""
        wenn | falls | solange | unter der bedingung | bis auf | mit ausnahme | aber nur | nur wenn | nur für | nur den
        nur dem | nur der | zum teil | sobald | abgesehen von | ohne
    """),
    denials=words("nicht kein keine keinen keinem keiner keines nie niemals"),
    additions=words("und auch dazu noch außerdem"),
    disagreement=words("lehne widerspreche verweigere"),
    modals=words("könnte könnten sollte dürfte müsste"),
    away_led=words("anstelle"),
    copulas=words("ist hat war wird wurde sind waren"),
    contrasts=words("aber sondern"),
    alternatives=words("""
        oder entweder zwischen vielleicht eventuell möglicherweise wahrscheinlich vermutlich ob weder unsicher beide
        wenn falls
    """),
    universals=words("jeder jede jedes jeden alle alles überall irgendwo irgendwann jederzeit"),
    final_fillers=words("sein werden lassen"),
    weak_cues=phrases("""
        nein | nee | nö | ne | entschuldigung | sorry | verzeihung | eigentlich | moment | warte | halt | ups | ach nein
        ach | oh | hoppla | wir sind doch | ich bin doch | es sind doch
    """),
    strong_cues=phrases("""
        ich meinte | meinte | ich meine | korrektur | quatsch | äh quatsch | vielmehr | besser gesagt | lieber
        stattdessen | ändere | ändern | ändern sie | korrigiere | setze | soll | sollte | muss | müsste | mach daraus
        doch lieber | nein warte | nein moment | falsch | mein fehler | vertippt | verschrieben | ich habe mich vertan
        ich habe mich vertippt | aktualisiere | machen wir | nehmen wir
    """),
    remarks=words("""
        toll super schön prima interessant klasse gut perfekt wunderbar großartig spitze genial herrlich fein nett
        lustig komisch seltsam merkwürdig traurig schlecht schlimm furchtbar schade stimmt richtig falsch genau klar
        verstanden einverstanden sicher absolut hm hmm äh ähm oh ach wow uff ups aha frage fragen rückfrage
        zwischenfrage moment augenblick sekunde minute entschuldigung verzeihung sorry danke hallo hi hey servus moin
        tschüss neugierig überlege frage idee problem punkt kurz schnell zuerst vorher vorab übrigens eigentlich
        jedenfalls kommt unklar verwirrt verwirrend unsicher unentschieden nichts etwas irgendwas alles jemand irgendwer
        später bald vielleicht egal irgendwo überall nirgends nirgendwo hören schauen sagen mal apropos bitte mist haha
        nach in im an am auf bei aus von vom zu zum zur für mit über liebe lieber liebes liebem guten gute guter gutes
        ehrlich ernsthaft leider endlich glücklicherweise offensichtlich grundsätzlich spannend tja cool mega echt krass
        irgendwohin dinge sinn fertig weiter zurück bereit dringend wichtig notfall achtung warnung scherz witz spaß
        vegan vegetarisch vegetarier hilfe stopp halt abbrechen weiter
    """),
    interjections=words("mann mensch junge oh wow tja"),
    openers=words("""
        was wer wen wem wessen wie wo woher wohin wann warum weshalb wieso wozu welche welcher welches welchen wofür
        womit worum woran wieviel
    """),
    inverted=phrases("""
        was ist | was sind | was kostet | was passiert | was bedeutet | was heißt | was wird | was machen | was soll
        was kann | wie ist | wie wird | wie kann | wie geht | wie lange | wie viel | wie viele | wie heißt | wie heißen
        wie alt | wie funktioniert | wann ist | wann kommt | wann wird | wann kann | wo ist | wo sind | wo kann
        wer ist | wer sind | warum | weshalb | wieso | wozu | ist das | ist es | sind sie | bist du | haben sie
        hast du | gibt es | kann ich | kannst du | können sie | können wir | könnten sie | könntest du | muss ich
        darf ich | soll ich | magst du | mögen sie | stimmt das | geht das | wissen sie | weißt du | wird das | wird es
        wofür | welche | und sie | und du | kostet das | brauchen sie | brauchst du | ist der | ist die | werden sie
    """),
    requests=phrases("""
        kann ich | kann man | kannst du | können sie | können wir | könnten sie | könntest du | könnten wir | könnte ich
        darf ich | dürfte ich | würden sie | würdest du | kannst du bitte | können sie bitte | könnten sie bitte
        könntest du bitte | wollen wir | wie wäre es mit | wie wär's mit | wie wäre | sollen wir
    """),
    wishes=phrases("""
        ich möchte | ich will | ich würde gern | ich würde gerne | ich hätte gern | ich hätte gerne | ich muss
        ich brauche | ich wollte | wir möchten | wir wollen | wir würden gerne | bitte | lass uns | lassen sie uns
        lass mich | lassen sie mich | dann | zuerst | erst | jetzt | nun | also | na | ok | okay | oh | ach | äh | ähm
        hallo | hi | hey | sorry | und | aber | auch | ja | nein | gut | so | das möchte ich | möchte ich | ich
    """),
    trailing=words("bitte danke jetzt mal hier dann sofort kurz zuerst gerne gern ok okay doch lieber"),
    others=words("""
        er ihm ihn sein seine seinen frau mann partner partnerin sohn tochter mutter vater mama papa bruder schwester
        freund freundin chef chefin kollege kollegin nachbar nachbarin onkel tante oma opa baby hund katze jemand kind
        ehemann ehefrau
    """),
    pronouns=words("er ihm ihn"),
    addressing=words("sie ihr ihre ihren ihrem ihnen du dein deine dich dir ich mein meine wir"),
    agreement_marks=words("""
        agb tos terms agree agreed agreement consent accept accepted privacy policy conditions gdpr dsgvo datenschutz
        bedingungen zustimmung zustimmen stimmen einwilligung einwilligen einverstanden akzeptieren nutzungsbedingungen
        acknowledged zugestimmt
    """),
    agreement_objects=words("""
        agb bedingungen datenschutz datenschutzerklärung nutzungsbedingungen daten verarbeitung allem allen
    """),
    anyone=words("jemand jemanden jemandem irgendjemand"),
    no_one=phrases("niemand | keiner | niemanden | niemand sonst"),
    impersonal=words("es das dies"),
    trouble=words("""
        weh schmerz schmerzen problem probleme beschwerden symptom symptome kaputt defekt fehler betroffen betrifft
        worum geht störung schaden
    """),
    contacting=words("rufe anrufe anruf schreibe tippe chatte telefoniere nutze benutze spreche"),
    ailments=words("""
        weh schmerzt schmerzen wehtut steif taub geschwollen brennt juckt sticht zieht blutet gebrochen verstaucht
        verrenkt gezerrt kaputt defekt tot spinnt hängt streikt gesperrt abgestürzt schwarz eingefroren langsam leer
        nass gestohlen verloren gefallen gestürzt beschädigt problem probleme fehler schlimm schlimmer
    """),
    rates=words("pro je jeweils"),
    possessives=words("mein meine meinen meinem meiner unser unsere unseren unserem"),
    attributes=words("""
        linke linken linkes linker rechte rechten rechtes rechter untere unteren obere oberen neue neuen neues neuer
        alte alten altes etwas bisschen paar
    """),
    past=words("war waren hatte hatten wurde wurden gewesen"),
    minding=words("stört stören ausmachen"),
    not_minding=phrases("""
        macht mir nichts aus | das macht mir nichts aus | stört mich nicht | das stört mich nicht | stört nicht
        macht nichts
    """),
    agreement=words("stimme zustimme akzeptiere einverstanden willige zugestimmt"),
)
"""The words of German that frame a value: fillers, negations, corrections and the like."""

REQUESTS = Requests(
    commands={
        "skip": phrases("""
            weglassen | privatsache | überspringe das | überspringe die frage | die frage überspringen
            diese frage überspringen | das überspringen | die frage auslassen | zur nächsten frage | nächste
            das möchte ich nicht sagen | möchte ich nicht sagen | möchte nicht sagen | will ich nicht sagen
            das will ich nicht sagen | sage ich nicht | das sage ich nicht | ich möchte das nicht sagen
            ich will das nicht sagen | ich möchte nicht antworten | das geht sie nichts an
            darauf möchte ich nicht antworten | möchte ich nicht beantworten | das möchte ich nicht beantworten
            lieber nicht sagen | kein kommentar | lassen wir das aus | diese frage auslassen | lieber überspringen
            überspringen wir das | skip | das ist privat | das ist mir zu privat | das ist persönlich
        """),
        "help": phrases("""
            helfen sie mir | help | was meinst du | was meinen sie damit | was meinst du damit | was bedeutet das
            was soll das heißen | verstehe ich nicht | das verstehe ich nicht | ich verstehe die frage nicht
            die frage verstehe ich nicht | brauche hilfe | ich brauche hilfe | was soll ich sagen | wie ist das gemeint
            was ist damit gemeint | erklären sie das | erklär das | erklären sie mir das | können sie das erklären
            was ist gemeint | welche möglichkeiten habe ich
        """),
        "why": phrases("""
            wozu das | wieso fragst du | warum willst du das wissen | wozu wollen sie das wissen | aus welchem grund
        """),
        "repeat": phrases("""
            wiederholen sie das | die frage wiederholen | das wiederholen | wiederholen sie die frage
            wiederhole die frage | noch einmal bitte | nochmal bitte | was war die frage | was haben sie gesagt
            was hast du gesagt | wie war das | wie war das noch | sag das nochmal | sagen sie das noch einmal
            was war das | die frage noch einmal | die frage nochmal | das noch einmal sagen | das nochmal sagen
        """),
        "wait": phrases("""
            moment mal | einen moment mal | kleinen moment | einen kleinen moment | warte mal | warten sie mal
            warten sie kurz | minute | kurz warten | bin gleich wieder da | bin gleich zurück | ich muss kurz nachsehen
            lass mich nachdenken | lassen sie mich nachdenken | mal kurz warten | moment noch | gleich | sofort
            ich muss kurz nachdenken | ich schaue kurz nach | momentchen | eine sekunde noch
        """),
        "cancel": phrases("""
            vergessen sie es | vergessen wir das | lassen wir das | lassen wir es | ich möchte aufhören
            ich will nicht mehr | ich möchte nicht mehr | alles abbrechen | das abbrechen | brich ab | brechen sie ab
            ich gebe auf | schluss | schluss damit | hör auf | hören sie auf | den vorgang abbrechen | das beenden
            cancel | vergiss das | stornieren | bitte stornieren | vergessen wir das ganze | vergessen sie das ganze
            vergiss das ganze | doch nicht stornieren | lass mal | lass gut sein | keine lust mehr
            ich habe keine lust mehr | ich mag nicht mehr
        """),
        "restart": phrases("""
            noch einmal anfangen | nochmal anfangen | noch einmal von vorne | nochmal von vorn | nochmal von vorne
            von vorn anfangen | von vorne anfangen | von vorn beginnen | von vorne beginnen | alles noch einmal
            wieder von vorne | alles von vorn | alles von vorne | neu starten | noch mal von vorne | ganz von vorne
        """),
        "back": phrases("""
            zurückgehen | einen zurück | eins zurück | einen schritt zurückgehen | eine frage zurück
            eine frage zurückgehen | die vorige frage | die vorherige frage | zur vorigen frage | zur vorherigen frage
            letzte frage | zurück zur letzten frage | zurück zur vorigen frage | die frage davor | zur frage davor
        """),
        "undo": phrases("""
            das rückgängig machen | mach das rückgängig | machen sie das rückgängig | das zurücknehmen | zurück
        """),
        "hand_over": phrases("""
            einen menschen | einen menschen bitte | mit einem menschen reden | einen mitarbeiter
            mit einem mitarbeiter reden | mit jemandem sprechen | mit jemandem reden | kundenservice
            mit dem kundendienst sprechen | einen echten menschen | mit einem echten menschen sprechen
            mit einem echten menschen reden | mit einer person sprechen | mit einer echten person sprechen
            verbinden sie mich mit einem menschen | verbinde mich mit einem menschen
            verbinden sie mich mit einem mitarbeiter | verbinden sie mich | weiterverbinden
            an einen menschen übergeben | mit ihrem chef sprechen | übergib mich an einen menschen
            stellen sie mich durch | stell mich durch | durchstellen | leiten sie mich an einen menschen weiter
            leiten sie mich an einen mitarbeiter weiter | geben sie mir einen menschen
        """),
        "affirm": phrases("""
            alles gut | alles bestens | alles in ordnung | alles passt | passt alles | das passt so | das sieht gut aus
            sieht richtig aus | so ist es | so ist es richtig | so passt es | so passt das | das stimmt so
            stimmt alles | alles stimmt | ich bestätige das | abschicken | absenden | sehr gut | prima | super
            wunderbar | bestens | das ist richtig so | ist richtig | ist korrekt | korrekt so | fertig | das war's
            das wars | das ist alles | toll | in ordnung so | so stimmt es | so stimmt das | richtig so
            machen sie das | mach das | nichts zu ändern | nichts ändern | keine änderung | keine änderungen
            nichts mehr | sonst nichts | keine korrekturen
        """),
        "deny": phrases("""
            falsch | das ist falsch | ist falsch | das stimmt nicht | stimmt nicht | stimmt so nicht
            das stimmt so nicht | das ist nicht richtig | nicht richtig | nicht korrekt | das ist nicht korrekt
            leider nicht | leider falsch | leider nein | da stimmt was nicht | so nicht | nicht so
            da stimmt etwas nicht | nicht ganz richtig | das passt nicht | passt nicht | passt so nicht
            das passt so nicht | jetzt nicht | nicht jetzt | nein jetzt nicht | heute nicht | das ist so nicht richtig
        """),
        "edit": phrases("""
            ändern | bearbeiten | korrigieren | antworten ändern | meine antworten ändern | etwas ändern | was ändern
            noch etwas ändern | eine antwort ändern | etwas korrigieren | das ändern | das korrigieren | ändere das
            ändern sie das | eine änderung | da ist ein fehler | da ist ein fehler drin | ich habe einen fehler gemacht
            eine korrektur | etwas bearbeiten | noch was ändern
        """),
        "leave": phrases("""
            lieber doch nicht | keins | gar nichts | nein doch nicht
        """),
    },
    dismissals=phrases("schon gut | macht nichts | egal"),
    short_requests=(
        (
            "hand_over",
            words("sprechen reden verbinden verbinde telefonieren"),
            words("mensch menschen jemand jemandem jemanden mitarbeiter mitarbeiterin person berater beraterin echten"),
        ),
        ("skip", words("überspringen überspringe auslassen"), words("frage das die diese")),
        ("skip", words("sagen beantworten antworten verraten angeben"), words("nicht ungern nichts")),
        ("repeat", words("wiederholen wiederhole"), words("frage das es bitte")),
        ("restart", words("anfangen beginnen starten"), words("vorn vorne neu")),
        ("cancel", words("abbrechen beenden stoppen"), words("alles gespräch vorgang das formular")),
        ("wait", words("warten warte gib geben brauche"), words("moment sekunde minute augenblick kurz")),
        ("edit", words("ändern korrigieren bearbeiten anpassen"), words("etwas was antwort antworten angabe angaben")),
    ),
    edit_verbs=words("""
        ändern ändere ändert bearbeiten bearbeite korrigieren korrigiere aktualisieren aktualisiere anpassen
        verschieben verschiebe
    """),
    wrong=words(
        "falsch falsche falscher falsches falschen verkehrt fehler fehlerhaft inkorrekt veraltet vertippt verschrieben "
        "vertan"
    ),
    right=words("richtig korrekt stimmt stimmen passt passen"),
    exceptions=phrases("bis auf | außer | abgesehen von | mit ausnahme von"),
    into=words("auf zu in"),
    clear_verbs=words("lösche löschen entferne entfernen vergiss vergessen streiche streichen"),
    add_verbs=words("ergänze hinzufügen ergänzen füge"),
    remove_verbs=words("entferne entfernen lösche streiche streich ohne nicht kein keine keinen"),
    explain=phrases("""
        was meinen sie mit | was meinst du mit | was bedeutet | was heißt | was ist mit | was ist gemeint mit
        erklären sie | erkläre | können sie mir erklären | hilfe bei | hilfe zu
    """),
    target_links=words("""
        ein eine einen einem einer der die das den dem mein meine meinen unser unsere unseren ihre für
    """),
    list_carriers=phrases("""
        ich habe | ich hab | habe | hab | ich habe auch | ich leide an | ich leide unter | es sind | das sind
        vor allem | hauptsächlich | nur | auch | noch | und | auch noch | außerdem | zusätzlich | wir haben | ich nehme
        ich mag | ich brauche | ich möchte | ich hätte gern | ich hätte gerne | äh | ähm | hallo | ok | okay | also
        bitte | ergänze | füge hinzu | ein | eine | einen | der | die | das | den | meine | mein | etwas
    """),
)
"""The phrases of German that ask for something, such as to skip a question."""
