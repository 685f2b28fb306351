"""English: how people say yes and no, and the courtesies beside such an answer. Data only."""

from turnwise.core.language.answers import Phrasing

_CONFIRMING = """
        (that|it|this) (would|will) be (great|good|nice|lovely|perfect|wonderful|fine|awesome|fantastic|appreciated)
        (that'd|it'd) be (great|good|nice|lovely|perfect|wonderful|fine|awesome|fantastic|appreciated)
        would be (great|good|nice|lovely|perfect|wonderful|fine|awesome|fantastic)
        (confirm|confirmed|proceed|continue|approve|approved|accept|accepted|submit|submitted|granted|permission granted)
        (you may|you can|yes|i) (confirm|proceed|continue|approve|accept|submit)
        (confirm|approve|accept|submit|send|execute|complete|finish) (it|this|that|them|all)
        [please] (proceed|continue|carry on|go on) [with] [it|that|this|please]
        [that|it|this|everything|all|all of it|all of that|they|that all|it all|this all] (looks|look|seems) [all] (good|great|fine|right|correct|ok|okay|perfect|excellent|accurate) [to me|here|now]
        [it|that|this|everything|all] looks (all good|all right)
        (everything|everything's|all|it|that|this) (is|'s) [all] (right|correct|fine|good|ok|okay|perfect|accurate|in order|set)
        (everything's|it's|that's|all's) [all] (right|correct|fine|good|ok|okay|perfect|accurate|in order|set)
        all [of it] (correct|right|fine|ok|okay|accurate)
        everything (correct|right|fine|ok|okay)
        (perfect|fine|spot on|good to go|very good|very well|make it so|be my guest|lgtm)
        (it is|it's|that's|that is) (perfect|what i want|what i wanted|what i meant|exactly right)
        (you may|you can) (go ahead|do it|do that|do so)
        (you have|you've got) (my|the) (approval|permission|okay|ok|blessing|go ahead)
        (let's|lets) (go|go ahead|proceed|do this|go for it|move ahead)
"""
_UNCHANGED = """
        (nothing|no) [more|further] (to change|to add|changes|change|else|corrections) [needed|please]
        no changes
        (it is|it's|that's|that is) (it|all|all of it)
        all [of it] (good|set|clear|there)
        done
"""
"""Phrases that say yes to a summary, and nothing about a call."""

PHRASING = Phrasing(
    yes="""
        (yes|y|yep|yeah|yea|yup|yess|yeh|yah|ya|aye) [please|sir|indeed|really|absolutely|definitely]
        (sure|sure thing|certainly|definitely|absolutely|indeed|of course|for sure|totally|affirmative|you bet)
        (ok|okay|okey|k|kk|oki|okey dokey|okie dokie|okey doke|alright|all right|alrighty|aok|a ok|+1)
        (correct|right|exactly|precisely|true)
        (yes|oh yes|ah yes|oh yeah|hell yes|heck yes|yes yes)
        [yes] (it|that|this) (is|'s) [all|quite|totally|absolutely|perfectly] (right|correct|true|ok|okay)
        (that's|thats|it's|this is|that is) [all|quite|totally|absolutely|perfectly|just] (right|correct|true|ok|okay)
        (yes|yeah|yep) (it|that) (is|does|will)
        (i|we) [fully|totally|completely] (agree|approve|accept|consent|confirm) [it|that|this|to that|to this|to it]
        agreed
        (it is|it's|that's|that is|my answer is|the answer is|i say|i said) [a] yes
        [yes|yeah|i] [very] gladly
        with pleasure
        [that's|it's|that is|it is] (fine|ok|okay|good|alright|all right) (by|with|for) me
        (thumbs up|happy to|i'm happy to|i'd be happy to)
        by all means
        (i'd|i would|we'd|we would|id) [really] (love to|like to|love that|like that|love it|appreciate that|be happy to)
        [yes|yeah|yep|sure] (i|we) do
        [that|it|this] (sounds|sound) (good|great|fine|right|perfect|lovely|excellent|like a plan) [to me]
        (yes|ok|okay|alright|sure|fine|right) then
        go ahead then
        [yes|please|sure|just] go [right] (ahead|for it|on) [please|now|and do it|and do that|with it|with that|with this]
        please do [so|it|that|this]
        [let's|lets] do (it|that|this|so) [now|please]
        (i'm|im|i am) [very|quite|absolutely|totally|completely|100] (sure|certain|positive)
        (100|hundred|one hundred) [%|percent]
        very much so
        (i'm|i am|im) (in|ok with that|okay with that|fine with that|happy with that|good with that)
        [that|it] works [for me]
    """,
    yes_of={
        "affirm": _CONFIRMING + _UNCHANGED + "(sure|yes|ok|okay) why not",
        "call": _CONFIRMING,
        "offer": _CONFIRMING
        + """
        (sure|yes|ok|okay) why not
        (let's|lets) (start|begin|try|try it|hear it|see|have it)
        [yes|sure|ok|okay] (i've|i have|i do have|we have|i've got|i have got) [got] [a|some] (minute|moment|second|time|few minutes) [now|for that|for you|for it]
        [yes] (i|we) (want to|want it|want that|want this|can|can do that|will)
        (count|sign) me (in|up)
        (i'd|i would|we'd|we would) (be happy to|be glad to|love it)
        (i do|we do|i have|i can|anytime|any time|bring it on|shoot|start|begin|start it|begin it|why not)
        """,
        "true": """
        [yes] (i|we) have (it|that|one|them) [now|too|already]
        (i am|i have|i will|we will|i did|we are|we have|i was|i can|we can|we did)
        (yes|yeah|yep|sure) (i|we) (would|will|am|have|did|are|was|can|want to|want it|want that)
        [yes] (i|we) (want to|want it|want that|want this)
        (it is|it does|there is|there are|always have)
        (yes|yeah) (there is|there are)
        (count|sign) me (in|up)
        (sure|yes|ok|okay) why not
        """,
    },
    no="""
        (no|n|nope|nah|nay|negative|never|naw|nein)
        (no|nope|nah) [no] (thanks|thank you|thx|ty|sir|way|chance|please|never|not really)
        no [no] no
        (absolutely|definitely|certainly|of course|really|surely|probably|obviously) not
        not (really|at all|now|today|this time|ever|for me|interested|today|right now|a chance|necessary|needed)
        [please|no|no please] (don't|dont|do not) [do] [it|that|this|so] [please]
        (i|we) [really] (don't|dont|do not) [want|want to|want it|want that|want this|need it|need that|like it|agree|accept|consent|approve|confirm]
        no (i|we) (don't|dont|do not|won't|wont|will not|am not|wouldn't|would not|haven't|have not|didn't|did not)
        (i'd|i would|id) [really] rather not
        (it is|it's|that's|that is|my answer is|the answer is|i say) [a] no
        (hell no|heck no|i said no|of course no)
        (rather|preferably|better|luckily|fortunately|thankfully|unfortunately|sadly) not
        i (won't|will not|wouldn't|would not)
        (i don't|i dont|i do not) think so
        (i|we) (decline|refuse|disagree|reject|pass)
        (no way|no go|no need|no deal|by no means|under no circumstances|out of the question|not on your life)
        (i'm not|im not|i am not) [interested|okay with that|ok with that|fine with that]
    """,
    no_of={
        "affirm": "not yet",
        "offer": """
        [maybe|perhaps|rather|not now] (later|another time|some other time|next time|tomorrow|another day) [please|maybe]
        (not yet|not just now|not at the moment|not this week|not in the mood|never mind|nevermind|nvm|skip|skip it|skip that|stop|cancel)
        [please|maybe|perhaps] ask [me] [again] (later|another time|some other time|next time|tomorrow|another day) [please]
        [sorry|no] (i'm|im|i am|we're|we are) [too|very|quite|really|a bit] busy [now|right now|today|at the moment]
        [sorry|no] [i|i've|i have|we have|there's|there is] [got] no time [now|right now|today|for that|for it|at the moment]
        [sorry|no] (i|we) (don't|dont|do not|haven't|have not|can't|cannot) [have|got|have got] [the] (time|a minute|a moment) [now|right now|today|for that|for it|at the moment]
        [sorry|no] (i|we) (can't|cannot|can not) [now|right now|today|at the moment]
        """,
        "call": """
        (don't|dont|do not) (send|submit|book|order|pay|buy|run|proceed|continue|go ahead|go on|confirm|approve) [it|that|this|them|with it|with that]
        [please|no] (cancel|stop|abort|forget|reject|decline|undo|drop|leave|skip) (it|that|this)
        (cancel|stop|abort|reject|decline|declined|rejected|denied|never mind|nevermind|scratch that|nvm|don't you dare)
        (hold off|not yet|wrong|that's wrong|that is wrong|incorrect|that's not right|that is not right|not correct|that's not correct)
        """,
        "true": """
        (false|i haven't|i have not|i didn't|i did not|we haven't|we have not|we aren't|we are not|it isn't|it's not)
        (it is not|it doesn't|not yet|none|not any|i don't have any|i have none|nothing|not any more|not anymore)
        (no longer|no more|no not yet|no not me|we're not|i don't have one|i don't have it|there is not|there isn't)
        """,
    },
    polite="""
        (best|kind) regards
        (please|pls|plz|thanks|thx|ty|tysm|cheers|ta|kindly)
        [many|very many] thanks [a lot|so much|a million|a bunch|in advance|again|mate|very much]
        thank (you|u) [so much|very much|kindly|in advance|a lot|again|for asking|for your help|for the help|for checking|for that]
        (many thanks|much appreciated|appreciated|i appreciate it|i appreciate that|appreciate it)
        (hello|hi|hey|hello there|hi there|hey there|good morning|good afternoon|good evening|good day)
        (that's|that is|thats|how) [so|very|really] (kind|nice|sweet|lovely) [of you]
        (great|cool|nice|awesome|wonderful|excellent|lovely|super|brilliant|fantastic|amazing|good|very nice|sweet)
        (sorry|sir|madam|ma'am|mate|as well|why not|my friend|if you please)
        (no problem|no worries|no problem at all)
    """,
    unclear="""
        [oh|ah] (yeah|yea|ya) right
        not (wrong|false|incorrect|bad|no|nothing|never)
    """,
    farewells="""
        (bye|bye bye|goodbye|cya|see you|see you later|take care|ciao)
        have a (nice|good|great|lovely) (day|one|evening|weekend)
    """,
    small="the it this that to for a an of",
    function_words="""
        i you he she we they me him her us them my your his our their mine yours who whom whose what which when where why
        how is are am was were be been being do does did have has had can could will would shall should may might must
        and or but so if of in on at by for with from as about there here this that these those it its the a an to up
        i'm you're it's that's what's who's there's how's i'd i'll we'll let's not just also again still now then
        today well only me too um uh oh ah going doing nice meet tell know want like need
    """,
    cautions="""
        but only just except unless if when whenever after before until till instead rather however though although
        provided without not no never nope nah don't dont do not doesn't isn't wasn't can't cannot won't shouldn't
        wouldn't maybe perhaps probably possibly guess think suppose hope believe assume might could should wait
        hold stop cancel abort change later tomorrow first other another different wrong what who whom whose how why
        where which unsure doubt depends almost partly half less more edit correct correction actually mean meant or
        either neither nor both switch replace undo back sorry joking kidding lol forget
    """,
    negators="""
        not no never none nor neither without except don't dont doesn't didn't isn't aren't wasn't weren't won't
        wouldn't can't cannot couldn't shouldn't ain't
    """,
    contrasts="but rather instead",
    everything="anything everything anybody everybody anyone everyone all any",
    at_once="(now|right now|right away|straight away|at once|immediately)",
    openers="who what whom whose how why where which when",
    alternatives="or either",
    bounds="than after before until till under over above below least most up between and plus minus",
)
"""How yes, no and the like are said in English."""
