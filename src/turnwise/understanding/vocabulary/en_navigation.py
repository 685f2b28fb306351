"""English words that move through a conversation: back, cancel, a person, another answer. Data only."""

from __future__ import annotations

from turnwise.understanding.vocabulary.speech_shape import Move, Navigation
from turnwise.understanding.vocabulary.tables import words

_EARLIER = words("previous prior earlier preceding last")
_CHANGES = words("change edit fix correct modify redo revise update adjust amend")
_PERSONS = words("person human agent operator representative rep adviser advisor employee colleague")
_REACHES = words("talk speak chat connect transfer reach get give want need hand pass put bring call see have")
_REAL = words("real live actual human proper being with to through on over from your the of instead directly help")
_PLACES = words("this that it everything all whole process conversation form chat survey here thing out of")

NAVIGATION = Navigation(
    small=words("""
            i i'd i'll i'm im we we'd would like love want wanna need have had to can could may might must should
            will shall you u me us let let's lets just now the a an my please pls plz thanks thank actually sorry
            hm hmm uh um oh ah no nah yes ok okay well wait so hey hi hello then and but rather instead again first
            quickly real quick simply do if is possible possibly there way how gotta got going go ahead
        """),
    answer_verbs=words("typed entered gave given told said wrote written put made meant misspoke answered"),
    indifferent=words("whatever either whichever"),
    hesitations=words("hm mhm uh um uhm er erm eh ehm ah oh umh phew ugh oops ops whops"),
    about=words("about regarding concerning"),
    choosing=words("prefer choose pick take want rather"),
    moves=(
        Move("edit", (words("scratch ignore disregard"), words("that it this"))),
        Move("edit", (words("typo"),), words("made that's")),
        Move(
            "edit",
            (_CHANGES, _EARLIER, words("answer answers one reply response question entry input thing")),
            _EARLIER,
        ),
        Move(
            "edit", (_CHANGES, words("answer answers something anything reply response entry input")), words("of one")
        ),
        Move(
            "back",
            (words("back backward backwards"),),
            words("""
            go take take step steps move bring return get jump one two up question questions screen page show ask
            previous prior last earlier preceding start
        """),
        ),
        Move("back", (_EARLIER, words("question step page screen")), words("go return to show ask repeat move see")),
        Move("back", (words("before"), words("question step one")), words("go return show ask")),
        Move("back", (words("previous prev"),), words("go one")),
        Move("hand_over", (_REACHES, words("someone somebody anyone manager supervisor staff team support")), _REAL),
        Move("hand_over", (_REACHES, _PERSONS), _REAL),
        Move("hand_over", (_PERSONS,), _REAL),
        Move("hand_over", (words("human"), words("being")), _REAL),
        Move("cancel", (words("cancel stop quit abort exit end finish"),), _PLACES),
        Move("cancel", (words("forget drop scrap"), words("it this that everything all")), words("about whole thing")),
        Move("cancel", (words("never"), words("mind")), words("all it that about")),
        Move("cancel", (words("nevermind nvm nm"),), words("all it that about")),
        Move("cancel", (words("leave"), words("chat conversation form survey")), _PLACES),
        Move("cancel", (words("leave"), words("it that this")), words("at")),
        Move("cancel", (words("leaving"),), words("now already")),
        Move("cancel", (words("have gotta got must need"), words("leave run")), words("off")),
        Move("cancel", (words("have gotta got must need"), words("go")), words("off")),
        Move("help", (words("menu"),), words("main go back to return show open in")),
        Move("help", (words("huh eh wut"),), words("what huh")),
        Move("help", (words("what"),), words("huh eh")),
        Move("skip", (words("next skip"),), words("question one this that it on to move")),
        Move("restart", (words("start begin"), words("over again beginning scratch new")), words("from the all")),
        Move("wait", (words("later"),), words("maybe perhaps come back rather not")),
        Move("wait", (words("moment sec minute"),), words("one give hold hang on for")),
        Move("wait", (words("second"), words("one a wait give hold hang just")), words("on for")),
    ),
)
"""The words of English by which users go back, cancel, or ask for a person."""
