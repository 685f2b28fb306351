"""English ways to ask for something to be done. Data only; it decides nothing."""

from __future__ import annotations

from turnwise.understanding.vocabulary.shape import Requests, phrases, words

REQUESTS = Requests(
    commands={
        "skip": phrases(
            """
            skip | skip it | skip this | skip that | skip this one | skip this question | skip the question
            next question | pass | next one | i'd rather not say | i would rather not say | rather not say
            prefer not to say | i prefer not to say | i'd prefer not to say | no comment | i'd rather not answer
            i'd rather not answer that | i don't want to answer | i don't want to answer that | i don't want to say
            i don't want to tell you | none of your business | i'd rather skip this | i'd rather skip | move on
            let's move on | skip ahead | leave it out | leave that out | leave it blank | no answer
            not answering that | i'm not telling you | i won't say | that's private | it's private | this is private
            that's personal | it's personal | that's too personal
            """
        ),
        "help": phrases(
            """
            help | help me | i need help | need help | help me out | what do you mean | what does that mean
            what does this mean | what is that | what's that supposed to mean | explain | explain that
            explain this | explain the question | i don't understand | i do not understand | i don't get it
            i don't understand the question | can you explain | i'm confused | i am confused | i'm lost | some help
            what am i supposed to say | what should i say | what do i have to do | what are my options
            what are the options | what can i say
            """
        ),
        "repeat": phrases(
            """
            repeat | repeat that | repeat it | repeat the question | repeat the last question | say that again
            say it again | come again | pardon | pardon me | what was the question | what was that | again please
            once more | one more time | what did you say | what did you ask | what was that again | ask again
            ask me again | say again | sorry what
            """
        ),
        "wait": phrases(
            """
            wait | wait a moment | a sec | a second | a minute | wait a minute | wait a second | wait a sec
            one moment | just a moment | a moment | one minute | one second | one sec | hold on | hold on a second
            hold on a minute | hold on a moment | hold on a sec | hang on | hang on a second | hang on a sec
            hang on a minute | give me a minute | give me a moment | give me a second | give me a sec | gimme a sec
            gimme a minute | just a second | just a sec | just a minute | brb | be right back | wait up
            bear with me | let me think | let me check | let me look | i'll be right back | i need a moment
            need a moment | i need a minute
            """
        ),
        "cancel": phrases(
            """
            cancel | cancel it | cancel this | cancel that | cancel everything | cancel all of this | stop | stop it
            stop this | stop that | quit | abort | forget it | forget about it | i give up | end this | exit
            i want out | never mind | nevermind | i don't want to do this | i don't want to do this any more
            i don't want to continue | drop it | call it off | leave it | i changed my mind
            """
        ),
        "restart": phrases(
            """
            restart | start over | start again | begin again | from the beginning | from the start | reset
            start from scratch | start all over | start all over again | start from the beginning | do it over
            go back to the start | begin from the start
            """
        ),
        "undo": phrases(
            """
            undo | undo that | undo it | undo this | undo the last one | take that back | take it back | revert
            revert that | go back
            """
        ),
        "hand_over": phrases(
            """
            agent | human | a human | operator | representative | real person | a real person | a person
            human please | talk to a human | speak to a human | talk to a person | speak to a person
            talk to a real person | speak to a real person | speak with a human | speak with a person
            talk with a human | talk to someone | speak to someone | talk to an agent | speak to an agent
            speak with an agent | give me a human | get me a human | connect me to a human | connect me to an agent
            connect me with a human | connect me to a person | a human being | talk to a human being
            speak to a human being | transfer me | transfer me to a human | transfer me to an agent
            talk to somebody | speak to somebody | talk to a representative | speak to a representative
            customer service | talk to customer service | talk to support | talk to your supervisor
            speak to a manager | talk to a manager | hand me over | hand me over to a human | hand over to a human
            hand me over to a person | hand me over to an agent | pass me on to a human | put me through
            put me through to a human | put me through to a person | put me through to an agent
            """
        ),
        "affirm": phrases(
            """
            everything is right | everything is fine | everything's fine | everything looks good
            everything looks right | that's all | that's it | that's fine | it's fine | it's right
            it's all correct | it is right | all fine | all good | all correct | all right | all set | looks good
            looks great | looks fine | looks correct | looks right | great | perfect | good | that's perfect
            that works | works for me | done | submit | submit it | send it | send | please proceed | proceed
            confirm | confirmed | good to go | yes that's it | yes it is | fine | very good | excellent | wonderful
            lovely | nothing to change | nothing to add | nothing else | no changes | no change | no changes needed
            no changes please | no corrections | that looks good | that looks right | it looks good
            it looks right | that's all correct
            that's all right | everything is correct | everything correct | all is correct | spot on
            """
        ),
        "deny": phrases(
            """
            wrong | that's wrong | thats wrong | that is wrong | it's wrong | it is wrong | that's not correct
            thats not correct | that is not correct | that's not right | that is not right | not correct | not right
            incorrect | that's incorrect | it's not correct | it's not right | something is wrong
            something's wrong | not quite | not quite right | that isn't right | that isn't correct | isn't right
            isn't correct | not now | no not now | not today | i'm good | that's not it | not really | no it's not
            no it isn't | not like that
            """
        ),
        "edit": phrases(
            """
            edit | edit answers | edit my answers | edit it | change | change it | change something | fix something
            correct something | edit something | change an answer | change my answers | change one of my answers
            make a change | make changes | make a correction | fix it | fix that | fix this | correct it
            modify something | modify it | there's a mistake | there is a mistake | i made a mistake
            there's an error | change one thing | correct an answer | fix an answer
            """
        ),
        "leave": phrases(
            "nothing | none | never mind | nevermind | no | back | go back | keep it | keep them all | "
            "keep them | neither | leave it"
        ),
    },
    dismissals=phrases("never mind | nevermind | nvm"),
    keywords=(
        (
            "hand_over",
            (
                words("talk speak chat connect transfer reach get give want need hand pass put"),
                words(
                    """
                    human person someone somebody agent representative operator manager supervisor employee staff
                    adviser advisor
                    """
                ),
            ),
        ),
        ("skip", (words("skip omit"), words("this that it question one"))),
        (
            "skip",
            (
                words("talk discuss answer answering tell telling say saying disclose share sharing reveal"),
                words("not don't dont won't rather prefer refuse"),
            ),
        ),
        ("repeat", (words("repeat say ask read"), words("again question"))),
        ("restart", (words("start begin"), words("over again scratch beginning"))),
        (
            "cancel",
            (
                words("cancel stop abort end quit"),
                words("everything whole process conversation form chat survey"),
            ),
        ),
        ("wait", (words("wait hold hang give need"), words("moment second sec minute while bit"))),
        (
            "edit",
            (
                words("change edit fix correct modify adjust"),
                words("something anything answer answers detail details information"),
            ),
        ),
    ),
    edit_verbs=words("change edit fix correct update modify adjust redo revise amend"),
    wrong=words("wrong incorrect mistake false off misspelled misspelt error outdated"),
    right=words("right correct"),
    exceptions=phrases("except | except for | apart from | other than | besides | all but | aside from"),
    into=words("to into"),
    clear_verbs=words("delete remove clear forget erase drop wipe"),
    add_verbs=words("add include append"),
    remove_verbs=words("remove delete drop without minus no not forget"),
    explain=phrases(
        """
        what do you mean by | what do you mean with | what is meant by | what does | what's meant by | help with
        help me with | explain | can you explain | could you explain | tell me more about
        """
    ),
    target_links=words("a an the my our your some to for this that of"),
    list_carriers=phrases(
        """
        i have | i've got | i've | i have got | i got | i also have | i suffer from | i'm having | i feel | there is
        there's | there are | it's | it is | mostly | mainly | just | only | also | and | well | we have | i take
        i like | i need | i want | i'd like | i would like | uh | um | hi | hello | ok | okay | so | please
        and also | add | plus | please add | can you add | could you add | include | a | an | the | some | of course
        """
    ),
)
