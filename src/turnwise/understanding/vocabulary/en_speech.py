"""English phrases: yes, no, doubt, corrections, questions, small words, and how people ask for commands. Data only."""

from __future__ import annotations

from turnwise.understanding.vocabulary.speech_shape import Requests, Speech
from turnwise.understanding.vocabulary.tables import phrases, words

_FILLER = words("""
    a an the i i'm im i'd i've i'll my mine me myself we we're we'd we'll us our ours you your yours it its it's that
    that's thats this these is are be am 's do does have has had got get would like love want need could can will shall
    should must let let's lets please pls plz thanks thank thx ty cheers ok okay k well so um umm uh uhh er err erm hm
    hmm ah oh oops ooh hi hello hey hiya dear greetings just only exactly precisely about around roughly approximately
    circa approx like ish really actually now then right think believe say said says saying guessing for of at on to
    with also too there there's there'll here's answer answers option choice choose pick take taking go going one ones
    prefer preferably rather instead make put set change move update enter note write use give bring book reserve table
    reservation booking appointment slot come coming arrive arriving meet works work suits suit fine good great perfect
    best ideal lovely nice super cool yes yeah yep sure all and plus though guys folks mate sir madam again btw it'll
    that'll that'd it'd would've which same sorry apologies pardon excuse wait meant mean means correction correct both
    turned just currently today's total altogether very quite much many
""")

SPEECH = Speech(
    filler=_FILLER,
    leads=words("""
        a an the it's its it is that's this for of as my our and also then please pls thanks with to be i'm i am we're
        we are i'd i we would like want need prefer rather ok okay yes yeah yep no well so hi hello hey sorry oh
        actually just only one ones there then too
    """),
    fill_phrases=phrases("""
        by the way | as well | as i said | as soon as possible | nice to meet you | pleased to meet you | how are you
        good morning | good evening | good afternoon | if possible | if that's ok | if that's okay | if that works
        if you like | if you can | if available | in the morning | in the afternoon | in the evening | or so
        more or less exactly | to be honest | to be exact | as far as i know | i think | i believe | i'd say
        thank you so much | thank you very much | thanks a lot | in fact | of course | you know | there will be
        any more | anymore | any longer | on the dot | at the moment | that is to say | from now on | to be precise
        is enough | is plenty | will do | would be great | would be good | would be perfect | would be nice
        would be fine | would be lovely | is fine | be there | pick me up | pick us up | years old | to begin with
        have a nice day | for me | no problem | no worries | never mind | not at all
    """),
    hedges=words("about around roughly approximately circa approx like ish think believe"),
    small_adverbs=words("mostly mainly just only exactly now actually currently still already a an really all"),
    yes=phrases("""
        yes | y | yep | yeah | yea | ya | yup | yess | yeh | aye | sure | sure thing | ok | okay | k | of course
        absolutely | definitely | certainly | indeed | correct | right | exactly | true | affirmative | yes please
        yes i do | yes i am | i do | i am | i have | i did | i will | we do | we have | we are | it is | it does
        i agree | yes i agree | agreed | i accept | i consent | i confirm | i approve | fine by me | fine with me
        ok with me | sounds good | sounds great | sounds fine | by all means | gladly | with pleasure | for sure
        totally | alright | all right | why not | you bet | that's right | that's correct | that's true
        that is correct | that is right | go ahead | go for it | very much so | always have
    """),
    no=phrases("""
        no | n | nope | nah | nay | no thanks | no thank you | no thx | not really | not at all | absolutely not
        definitely not | certainly not | of course not | never | i don't | i dont | i do not | i'm not | i am not
        i haven't | i have not | i didn't | i did not | i won't | i will not | we don't | we do not | we haven't
        we have not | we aren't | we are not | it isn't | it's not | it is not | it doesn't | no way | negative
        i disagree | i decline | i refuse | i don't think so | rather not | i'd rather not | i would rather not
        i don't agree | i do not agree | i don't accept | i do not accept | i don't consent | i do not consent | not yet
        i don't want to | i do not want to | no i don't | no i do not | none | not any | i don't have any | i have none
        no way jose | nothing | not this time | not any more | not anymore | no longer | no more | by no means
        under no circumstances | don't
    """),
    doubt=phrases("""
        maybe | perhaps | possibly | probably | not sure | i'm not sure | im not sure | i am not sure | unsure
        i don't know | i dont know | i do not know | don't know | dunno | idk | no idea | no clue | i have no idea
        i guess | i guess so | guess so | i think so | i suppose | i suppose so | suppose so | could be | might be
        might | it depends | depends | that depends | sometimes | kind of | kinda | sorta | yes and no | hard to say
        who knows | not certain | i can't say | can't say | can't remember | i don't remember | i'm not certain
        hopefully | more or less | not entirely | not quite | either | neither | it varies | i forget | i forgot
        not 100 sure | maybe later | i don't mind | i dont mind | i do not mind | don't mind | i don't care
        i dont care | i really don't care | don't care | doesn't matter | it doesn't matter | that doesn't matter
        no preference | either way | makes no difference | not that i know of | not that i'm aware of
    """),
    idle=phrases("""
        no problem | no worries | no matter | not bad | no offence | no offense | no wonder | no doubt | no rush
    """),
    negators=words("""
        not no never don't dont doesn't didn't isn't isnt aren't arent wasn't weren't haven't hasn't hadn't won't
        wouldn't shouldn't can't cannot cant couldn't mustn't ain't without none neither nor nobody nothing
    """),
    common=words("other others another all any some more less same different later soon home"),
    refusals=words("no nope nah"),
    answers=words("""
        yes y yep yeah yea ya yup yess aye sure ok okay absolutely definitely certainly no nope nah alright
    """),
    starters=words("""
        and but so ok okay well hi hello hey sorry oh um uh please then now also first yes yeah no hmm hm great thanks
    """),
    subjects=words("i i'm im i've i'd i'll we we're we've we'd we'll it it's its that that's this there there's"),
    tags=words("ok okay right correct yes no yeah alright eh"),
    joints=words("and but plus though then"),
    away=words("from"),
    reservations=words("though although however except unless provided providing partly partially"),
    exclusives=words("only just solely exclusively alone"),
    exclusions=phrases("other than | apart from | aside from | besides | not including | all but | anything but"),
    conditions=phrases("""
        if | as long as | so long as | on condition | under the condition | on the condition | subject to | apart from
        other than | but only | only when | only for | only to | only the | in part | as soon as | besides | without
    """),
    denials=words("""
        not no never don't dont doesn't didn't isn't isnt aren't arent wasn't weren't haven't hasn't hadn't won't can't
        cannot cant
    """),
    additions=words("and also plus too as add another"),
    disagreement=words("disagree decline refuse reject"),
    modals=words("could might should may"),
    away_led=words("instead"),
    copulas=words("is has was are were will would"),
    contrasts=words("but"),
    alternatives=words("""
        or either between versus vs maybe perhaps possibly probably might unsure whether neither both unless if
    """),
    universals=words("any every all anything everything anyone anybody everyone everybody anywhere everywhere anytime"),
    weak_cues=phrases("""
        no | nope | nah | actually | sorry | apologies | wait | hold on | hang on | hmm no | oops | well actually | oh
    """),
    strong_cues=phrases("""
        i meant | i mean | meant | my bad | my mistake | correction | instead | rather | make that | make it | make this
        change | update | correct my | correct the | should be | should have been | should say | i said | scratch that
        set | no wait | wait no | i misspoke | i mistyped | typo
    """),
    remarks=words("""
        great cool nice good fine perfect wonderful interesting awesome excellent amazing lovely fantastic brilliant
        super sweet splendid terrific alright right sure gotcha understood agreed exactly absolutely correct true wrong
        funny strange odd weird sad bad terrible awful hmm hm um uh wow ugh oops yay question questions wait moment
        second minute sec sorry pardon excuse thanks thank hello hi hey bye goodbye wondering asking curious checking
        thinking see idea problem point quick quickly first before actually anyway depends unclear confused confusing
        unsure undecided nothing something anything everything someone somebody anyone anybody later soon maybe whatever
        wherever anywhere somewhere everywhere nowhere listen look tell say speaking btw fyi ps pls please damn lol haha
        to from in at on for with of via dear happy merry honestly seriously frankly basically generally obviously
        unfortunately luckily apparently finally personally tbd tba done next back ready huh aha phew urgent important
        emergency warning attention joking kidding joke vegan vegetarian help stop cancel skip
    """),
    interjections=words("man boy girl dude god gosh wow well mate"),
    openers=words("what what's whats when when's where where's who who's whose why which how how's whom"),
    inverted=phrases("""
        do you | do i | do we | does it | does this | does that | is it | is that | is this | is there | are you
        are there | are we | am i | can you | can i | could you | could i | would you | will you | will i | will it
        will this | have you | did you | should i | must i | may i | shall i | is the | are the | does the | do they
        has my | has the | was it | what's | what is | what are | what do | what does | what will | what if | what about
        what happens | what was | when is | when will | when do | when are | when can | where is | where do | where are
        where can | who is | who are | who will | why do | why does | why is | why are | why should | why would | why
        how do | how does | how is | how are | how long | how much | how many | how can | how come | how old | how will
        which one is | what kind | and you
    """),
    requests=phrases("""
        can we | can i | can you | can u | could we | could i | could you | would you | will you | may i | shall we
        how about | can you please | could you please | can i please | could i please | would you please | can we please
        do you mind | would you mind | may we | why don't we
    """),
    wishes=phrases("""
        i want to | i want | i wanna | i'd like to | i'd like | i would like to | i would like | i need to | i need
        i have to | let me | let us | let's | lets | please | pls | i wish to | we want to | we'd like to
        we would like to | we need to | i'd love to | i'm going to | i'm trying to | i am trying to | i'm looking to
        help me | then | first | next | now | ok | okay | oh | well | so | just | hey | hi | hello | uh | um | sorry
        and | but | also | yes | yeah | no | and then | go ahead and
    """),
    trailing=words("""
        please pls plz thanks thank you now then for me here again ok okay mate sir first real quickly immediately
        instead too
    """),
    others=words("""
        he she they he's she's they're him her his hers their theirs them wife husband partner son daughter mother
        father mom mum dad brother sister friend boyfriend girlfriend boss colleague neighbour neighbor uncle aunt
        cousin grandma grandpa grandmother grandfather nephew niece baby dog cat child's someone somebody everyone half
    """),
    pronouns=words("he she they he's she's they're him her them"),
    addressing=words("you your yours you're yourself i my me we our us"),
    agreement_marks=words("""
        tos terms agree agreed agreement consent accept accepted acceptance privacy policy conditions gdpr acknowledge
        acknowledged acknowledgement confirm
    """),
    agreement_objects=words("""
        terms conditions policy policies privacy service services use data that this it all everything
    """),
    anyone=words("anyone anybody someone somebody"),
    no_one=phrases("nobody | no one | noone | nobody else | no one else"),
    impersonal=words("it that this"),
    trouble=words("""
        hurt hurts hurting pain pains ache aches sore wrong problem problems issue issues trouble symptom symptoms
        complaint complaints broken defective about affected
    """),
    contacting=words("calling call texting writing chatting typing using talking phoning"),
    ailments=words("""
        hurt hurts hurting pain pains painful ache aches aching sore stiff numb swollen burns burning itches itchy
        bleeding bleeds twisted sprained strained pulled broke broken dead died locked stopped crashed crashes crashing
        crash black blank frozen freezes froze stuck slow spilled fell dropped cracked smashed stolen lost wet damaged
        problem trouble issue wrong bad worse killing bothers bothering
    """),
    rates=words("a an per each apiece every"),
    possessives=words("my our"),
    attributes=words("left right lower upper new old both some little bit"),
    past=words("was were had did used got received"),
    minding=words("mind object"),
    not_minding=phrases("""
        i don't mind | i dont mind | i do not mind | don't mind | no objection | no objections | i wouldn't mind
    """),
    agreement=words("agree agreed accept accepted consent approve acknowledge"),
)
"""The words of English that frame a value: fillers, negations, corrections and the like."""

REQUESTS = Requests(
    commands={
        "skip": phrases("""
            skip this question | skip the question | next one | i'd rather not say | i would rather not say
            rather not say | prefer not to say | i prefer not to say | i'd prefer not to say | no comment
            i'd rather not answer | i'd rather not answer that | i don't want to answer | i don't want to answer that
            i don't want to say | i don't want to tell you | none of your business | i'd rather skip this
            i'd rather skip | move on | let's move on | skip ahead | leave it out | leave that out | leave it blank
            not answering that | not telling you | i'm not telling you | i won't say | that's private | it's private
            this is private | that's personal | it's personal | that's too personal
        """),
        "help": phrases("""
            i need help | need help | help me out | what does that mean | what does this mean | what is that
            what's that supposed to mean | explain that | explain this | explain the question | i don't get it
            i don't understand the question | can you explain | i'm confused | i am confused | i'm lost | some help
            what am i supposed to say | what should i say | what do i have to do | what are my options
            what are the options | what can i say
        """),
        "why": phrases("""
            why do you ask this | why are you asking | why do you want that | for what | why should i
        """),
        "repeat": phrases("""
            repeat it | repeat the question | repeat the last question | say it again | pardon me | what was that
            once more | one more time | what did you say | what did you ask | what was that again | ask again
            ask me again | say again | sorry what
        """),
        "wait": phrases("""
            a sec | a second | a minute | wait a second | wait a sec | a moment | one sec | hold on a second
            hold on a minute | hold on a moment | hold on a sec | hang on a second | hang on a sec | hang on a minute
            give me a second | give me a sec | gimme a sec | gimme a minute | just a sec | just a minute | brb
            be right back | wait up | bear with me | let me think | let me check | let me look | i'll be right back
            i need a moment | need a moment | i need a minute
        """),
        "cancel": phrases("""
            cancel everything | cancel all of this | stop it | stop that | forget about it | i give up | end this
            exit | i want out | never mind | nevermind | i don't want to do this | i don't want to do this any more
            i don't want to continue | drop it | call it off | leave it | i changed my mind
        """),
        "restart": phrases("""
            from the start | start from scratch | start all over | start all over again | start from the beginning
            do it over | go back to the start | begin from the start
        """),
        "back": phrases("""
            back please | go back one step | back one step | go back one | the previous question | prior question
            last question | the last question | back to the last question | back to the previous question
            the question before | the one before | go to the previous question | show the previous question
            take me back | one back | back one
        """),
        "undo": phrases("""
            undo this | undo the last one | take it back | revert | revert that | go back
        """),
        "hand_over": phrases("""
            a human | a real person | a person | human please | talk to a real person | speak to a real person
            speak with a human | speak with a person | talk with a human | talk to someone | speak to someone
            talk to an agent | speak to an agent | speak with an agent | give me a human | get me a human
            connect me to a human | connect me to an agent | connect me with a human | connect me to a person
            a human being | talk to a human being | speak to a human being | transfer me | transfer me to a human
            transfer me to an agent | talk to somebody | speak to somebody | talk to a representative
            speak to a representative | customer service | talk to customer service | talk to support
            talk to your supervisor | speak to a manager | talk to a manager | hand over to a human
            hand me over to an agent | pass me on to a human | put me through | put me through to an agent
        """),
        "affirm": phrases("""
            everything is right | everything is fine | everything's fine | everything looks good
            everything looks right | that's all | that's it | that's fine | it's fine | it's right | it's all correct
            it is right | all fine | all set | looks great | looks fine | looks correct | great | good | that's perfect
            that works | works for me | done | submit | submit it | send it | send | good to go | yes that's it | fine
            very good | excellent | wonderful | lovely | nothing to change | nothing to add | nothing else | no changes
            no change | no changes needed | no changes please | no corrections | that looks right | it looks right
            that's all correct | that's all right | everything correct | all is correct | spot on
        """),
        "deny": phrases("""
            wrong | that's wrong | thats wrong | that is wrong | it's wrong | it is wrong | that's not correct
            thats not correct | that is not correct | that's not right | that is not right | not correct | not right
            incorrect | that's incorrect | it's not correct | it's not right | something is wrong | something's wrong
            not quite | not quite right | that isn't right | that isn't correct | isn't right | isn't correct | not now
            no not now | not today | i'm good | that's not it | not really | no it's not | no it isn't | not like that
        """),
        "edit": phrases("""
            edit | edit answers | edit my answers | edit it | change | change it | change something | fix something
            correct something | edit something | change an answer | change my answers | change one of my answers
            make a change | make changes | make a correction | fix it | fix that | fix this | correct it
            modify something | modify it | there's a mistake | there is a mistake | i made a mistake | there's an error
            change one thing | correct an answer | fix an answer
        """),
        "leave": phrases("""
            keep them | neither | leave it
        """),
    },
    dismissals=phrases("never mind | nevermind | nvm | i changed my mind"),
    short_requests=(
        (
            "hand_over",
            words("talk speak chat connect transfer reach get give want need hand pass put"),
            words("""
                human person someone somebody agent representative operator manager supervisor employee staff adviser
                advisor
            """),
        ),
        ("skip", words("skip omit"), words("this that it question one")),
        (
            "skip",
            words("talk discuss answer answering tell telling say saying disclose share sharing reveal"),
            words("not don't dont won't rather prefer refuse"),
        ),
        ("repeat", words("repeat say ask read"), words("again question")),
        ("restart", words("start begin"), words("over again scratch beginning")),
        (
            "cancel",
            words("cancel stop abort end quit"),
            words("everything whole process conversation form chat survey"),
        ),
        ("wait", words("wait hold hang give need"), words("moment second sec minute while bit")),
        (
            "edit",
            words("change edit fix correct modify adjust"),
            words("something anything answer answers detail details information"),
        ),
    ),
    edit_verbs=words("change edit fix correct update modify adjust redo revise amend move"),
    wrong=words("wrong incorrect mistake false off misspelled misspelt mistyped typo error outdated"),
    right=words("right correct"),
    exceptions=phrases("except | except for | apart from | other than | besides | all but | aside from"),
    into=words("to into"),
    clear_verbs=words("delete remove clear forget erase drop wipe"),
    add_verbs=words("add include append"),
    remove_verbs=words("remove delete drop without minus no not forget"),
    explain=phrases("""
        what do you mean by | what do you mean with | what is meant by | what does | what's meant by | help with
        help me with | explain | can you explain | could you explain | tell me more about
    """),
    target_links=words("a an the my our your some to for this that of"),
    list_carriers=phrases("""
        i have | i've got | i've | i have got | i got | i also have | i suffer from | i'm having | i feel | there is
        there's | there are | it's | it is | mostly | mainly | just | only | also | and | well | we have | i take
        i like | i need | i want | i'd like | i would like | uh | um | hi | hello | ok | okay | so | please | and also
        add | plus | please add | can you add | could you add | include | a | an | the | some | of course
    """),
)
"""The phrases of English that ask for something, such as to skip a question."""
