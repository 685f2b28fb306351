"""German ways to ask for something to be done. Data only; it decides nothing."""

from __future__ import annotations

from turnwise.understanding.vocabulary.shape import Requests, phrases, words

REQUESTS = Requests(
    commands={
        "skip": phrases(
            """
            überspringen | überspring das | überspringe das | überspringe die frage | die frage überspringen
            diese frage überspringen | das überspringen | auslassen | die frage auslassen | nächste frage
            zur nächsten frage | keine angabe | weiter | nächste | das möchte ich nicht sagen
            möchte ich nicht sagen | möchte nicht sagen | will ich nicht sagen | das will ich nicht sagen
            sage ich nicht | das sage ich nicht | ich möchte das nicht sagen | ich will das nicht sagen
            ich möchte nicht antworten | das geht sie nichts an | darauf möchte ich nicht antworten
            möchte ich nicht beantworten | das möchte ich nicht beantworten | lieber nicht sagen | kein kommentar
            lassen wir das aus | diese frage auslassen | lieber überspringen | überspringen wir das | skip
            das ist privat | das ist mir zu privat | das ist persönlich
            """
        ),
        "help": phrases(
            """
            hilfe | hilf mir | helfen sie mir | help | was meinen sie | was meinst du | was meinen sie damit
            was meinst du damit | was heißt das | was bedeutet das | was soll das heißen | ich verstehe nicht
            ich verstehe das nicht | verstehe ich nicht | das verstehe ich nicht | ich verstehe die frage nicht
            die frage verstehe ich nicht | brauche hilfe | ich brauche hilfe | was soll ich sagen
            wie ist das gemeint | was ist damit gemeint | erklären sie das | erklär das | erklären sie mir das
            können sie das erklären | was ist gemeint | welche möglichkeiten habe ich
            """
        ),
        "repeat": phrases(
            """
            wiederholen | wiederhole das | wiederholen sie das | die frage wiederholen | das wiederholen
            wiederholen sie die frage | wiederhole die frage | noch einmal | noch mal | nochmal | noch einmal bitte
            nochmal bitte | wie bitte | wie war die frage | was war die frage | was haben sie gesagt
            was hast du gesagt | wie war das | wie war das noch | sag das nochmal | sagen sie das noch einmal
            was war das | die frage noch einmal | die frage nochmal | das noch einmal sagen | das nochmal sagen
            """
        ),
        "wait": phrases(
            """
            moment | moment mal | einen moment | einen moment mal | kleinen moment | einen kleinen moment | warte
            warte mal | warten sie | warten sie mal | warte kurz | warten sie kurz | sekunde | eine sekunde | minute
            eine minute | augenblick | einen augenblick | kurz warten | bin gleich wieder da | bin gleich zurück
            ich muss kurz nachsehen | lass mich nachdenken | lassen sie mich nachdenken | mal kurz warten
            moment noch | gleich | sofort | ich muss kurz nachdenken | ich schaue kurz nach | momentchen
            eine sekunde noch
            """
        ),
        "cancel": phrases(
            """
            abbrechen | abbruch | stopp | stop | aufhören | beenden | vergiss es | vergessen sie es
            vergessen wir das | lass es | lassen wir das | lassen wir es | ich möchte aufhören | ich will nicht mehr
            ich möchte nicht mehr | alles abbrechen | das abbrechen | brich ab | brechen sie ab | ich gebe auf
            schluss | schluss damit | hör auf | hören sie auf | den vorgang abbrechen | das beenden | cancel
            vergiss das | stornieren | bitte stornieren | vergessen wir das ganze | vergessen sie das ganze
            vergiss das ganze | doch nicht stornieren
            """
        ),
        "restart": phrases(
            """
            neu beginnen | neu anfangen | noch einmal anfangen | nochmal anfangen | von vorn | von vorne | neustart
            noch einmal von vorn | noch einmal von vorne | nochmal von vorn | nochmal von vorne | von vorn anfangen
            von vorne anfangen | von vorn beginnen | von vorne beginnen | alles noch einmal | wieder von vorne
            alles von vorn | alles von vorne | neu starten | noch mal von vorne | ganz von vorne
            """
        ),
        "undo": phrases(
            "rückgängig | rückgängig machen | das rückgängig machen | mach das rückgängig | "
            "machen sie das rückgängig | zurücknehmen | nimm das zurück | das zurücknehmen | zurück"
        ),
        "hand_over": phrases(
            """
            mensch | einen menschen | einen menschen bitte | mit einem menschen sprechen | mit einem menschen reden
            mitarbeiter | einen mitarbeiter | mit einem mitarbeiter sprechen | mit einem mitarbeiter reden
            mit jemandem sprechen | mit jemandem reden | kundendienst | kundenservice
            mit dem kundendienst sprechen | einen echten menschen | mit einem echten menschen sprechen
            mit einem echten menschen reden | mit einer person sprechen | mit einer echten person sprechen
            verbinden sie mich mit einem menschen | verbinde mich mit einem menschen
            verbinden sie mich mit einem mitarbeiter | verbinden sie mich | weiterverbinden
            an einen menschen übergeben | mit ihrem chef sprechen | übergeben sie mich an einen menschen
            übergib mich an einen menschen | stellen sie mich durch | stell mich durch | durchstellen
            stellen sie mich zu einem menschen durch | leiten sie mich an einen menschen weiter
            leiten sie mich an einen mitarbeiter weiter | geben sie mir einen menschen
            """
        ),
        "affirm": phrases(
            """
            alles richtig | alles korrekt | alles gut | alles bestens | alles in ordnung | alles passt | passt
            passt so | das passt | passt alles | das passt so | sieht gut aus | das sieht gut aus
            sieht richtig aus | so ist es | so ist es richtig | so passt es | so passt das | stimmt so
            das stimmt so | stimmt alles | alles stimmt | bestätigen | bestätigt | ich bestätige | ich bestätige das
            abschicken | absenden | weiter | gut | sehr gut | perfekt | prima | super | wunderbar | bestens
            das ist richtig | das ist richtig so | das ist korrekt | ist richtig | ist korrekt | korrekt so | fertig
            das war's | das wars | das ist alles | toll | in ordnung so | so stimmt es | so stimmt das | richtig so
            machen sie das | mach das | nichts zu ändern | nichts ändern | keine änderung | keine änderungen
            nichts mehr | sonst nichts | keine korrekturen
            """
        ),
        "deny": phrases(
            """
            falsch | das ist falsch | ist falsch | das stimmt nicht | stimmt nicht | stimmt so nicht
            das stimmt so nicht | das ist nicht richtig | nicht richtig | nicht korrekt | das ist nicht korrekt
            leider nicht | leider falsch | leider nein | da stimmt was nicht | so nicht | nicht so
            da stimmt etwas nicht | nicht ganz richtig | das passt nicht | passt nicht | passt so nicht
            das passt so nicht | jetzt nicht | nicht jetzt | nein jetzt nicht | heute nicht
            das ist so nicht richtig
            """
        ),
        "edit": phrases(
            """
            ändern | bearbeiten | korrigieren | antworten ändern | meine antworten ändern | etwas ändern
            was ändern | noch etwas ändern | eine antwort ändern | etwas korrigieren | das ändern | das korrigieren
            ändere das | ändern sie das | eine änderung | da ist ein fehler | da ist ein fehler drin
            ich habe einen fehler gemacht | eine korrektur | etwas bearbeiten | noch was ändern
            """
        ),
        "leave": phrases(
            """
            nichts | keine | egal | nein | zurück | alles lassen | doch nicht | lieber doch nicht | keins
            gar nichts | nein doch nicht
            """
        ),
    },
    dismissals=phrases("schon gut | macht nichts | egal"),
    keywords=(
        (
            "hand_over",
            (
                words("sprechen reden verbinden verbinde telefonieren"),
                words(
                    """
                    mensch menschen jemand jemandem jemanden mitarbeiter mitarbeiterin person berater beraterin
                    echten
                    """
                ),
            ),
        ),
        ("skip", (words("überspringen überspringe auslassen"), words("frage das die diese"))),
        ("skip", (words("sagen beantworten antworten verraten angeben"), words("nicht ungern nichts"))),
        ("repeat", (words("wiederholen wiederhole"), words("frage das es bitte"))),
        ("restart", (words("anfangen beginnen starten"), words("vorn vorne neu"))),
        ("cancel", (words("abbrechen beenden stoppen"), words("alles gespräch vorgang das formular"))),
        ("wait", (words("warten warte gib geben brauche"), words("moment sekunde minute augenblick kurz"))),
        (
            "edit",
            (
                words("ändern korrigieren bearbeiten anpassen"),
                words("etwas was antwort antworten angabe angaben"),
            ),
        ),
    ),
    edit_verbs=words(
        """
        ändern ändere ändert bearbeiten bearbeite korrigieren korrigiere aktualisieren aktualisiere anpassen
        """
    ),
    wrong=words("falsch verkehrt fehler fehlerhaft inkorrekt veraltet"),
    right=words("richtig korrekt stimmt stimmen passt passen"),
    exceptions=phrases("bis auf | außer | abgesehen von | mit ausnahme von"),
    into=words("auf zu in"),
    clear_verbs=words("lösche löschen entferne entfernen vergiss vergessen streiche streichen"),
    add_verbs=words("ergänze hinzufügen ergänzen füge"),
    remove_verbs=words("entferne entfernen lösche streiche streich ohne nicht kein keine keinen"),
    explain=phrases(
        """
        was meinen sie mit | was meinst du mit | was bedeutet | was heißt | was ist mit | was ist gemeint mit
        erklären sie | erkläre | können sie mir erklären | hilfe bei | hilfe zu
        """
    ),
    target_links=words(
        """
        ein eine einen einem einer der die das den dem mein meine meinen unser unsere unseren ihre für
        """
    ),
    list_carriers=phrases(
        """
        ich habe | ich hab | habe | hab | ich habe auch | ich leide an | ich leide unter | es sind | das sind
        vor allem | hauptsächlich | nur | auch | noch | und | auch noch | außerdem | zusätzlich | wir haben
        ich nehme | ich mag | ich brauche | ich möchte | ich hätte gern | ich hätte gerne | äh | ähm | hallo | ok
        okay | also | bitte | ergänze | füge hinzu | ein | eine | einen | der | die | das | den | meine | mein
        etwas
        """
    ),
)
