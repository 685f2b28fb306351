"""English words about the items of a list: orders, carts, passengers. Data only; it decides nothing."""

from __future__ import annotations

from turnwise.understanding.vocabulary.item_shape import ItemWords, item_phrases
from turnwise.understanding.vocabulary.tables import words

ITEMS = ItemWords(
    phrases=item_phrases(
        {
            "add": "add | include | append | throw in | order",
            "want": """
                give me | give us | get me | get us | bring me | bring us | set me up with | set us up with
                hook me up with | hook us up with | put me down for | put us down for | how about
            """,
            "subject": """
                i | we | i'll | ill | i will | we'll | we will | i'd | i would | we'd | we would | let me | let us
                i am going to | i'm going to
            """,
            "have": """
                have | get | do | like | want | wanted | need | love | try | buy | go for | go with
            """,
            "request": """
                can you | could you | would you | will you | can we | could we | can i | could i | may i | may we
                might i | i'd like to | i would like to | i wish to | i want to | i wanted to | we want to
                we wanted to | we'd like to | we would like to | let's | you can | please can you | can u
                i'd like you to | i need to | we need to | go ahead and
            """,
            "deny": """
                i don't want | i do not want | we don't want | we do not want | i don't need | we don't need
                i no longer want | i no longer need | don't want | i didn't want | i dont want
            """,
            "remove": """
                remove | delete | drop | cancel | scratch | forget | leave out | get rid of | lose | erase | strike
                take out | take away | take off | kick out | forget about
            """,
            "take": "take",
            "off": "off | away | out",
            "change": "make | change | turn | set | update | adjust | correct",
            "keep": "keep",
            "empty": "clear | empty | wipe",
            "swap": "swap | switch | exchange | trade",
            "move": "move | shift",
            "put": "put",
            "replace": "replace",
            "is": """
                is | are | should be | shall be | must be | would be | will be | has to be | has | gets | wants
                needs | takes | is now | should have | should get | to be | comes
            """,
            "not": "not",
            "no": "no",
            "without": """
                without | with no | with zero | minus | hold the | hold | avoid | leave off | skip the | but avoid
                but hold
            """,
            "with": "with | and with | along with | together with",
            "only": "only | nothing but | solely",
            "just": "just",
            "same": """
                the same again | same again | the same one again | the same thing again | same thing again
                one more of the same | the same once more | another of the same | the same one more time
            """,
            "another": "another | an additional | a further | an extra one",
            "more": "more",
            "the": "the | my | our",
            "that": "that | this",
            "those": "those | these",
            "a": "a | an",
            "it": "it",
            "they": "them | they",
            "all": """
                all of them | all of those | all of these | them all | all the | all my | all | everything | each
                every one of them | each of them | every | everyone | everybody | every one
            """,
            ("all", "except"): """
                all but | everything but | all except | everything except | everyone but | everybody but | each but
                all of them but | all of them except | everyone except | everybody except
            """,
            "both": "both of them | both of those | them both | both the | both",
            "of_those": "of those | of them | of these | of that | of it | of the same | like that | like those",
            "of": "of",
            "to": "to | into | in | on | onto | for | as | at | from | with a size of",
            "place": "number | nr | position | place | spot",
            "top": "top | start | beginning | front",
            "end": "end | bottom",
            "last": "last | final",
            "before_last": "second to last | last but one | next to last | second last",
            "one": "one | ones | item | items | entry | entries",
            "list": """
                the order | my order | our order | the list | my list | the cart | my cart | the basket | my basket
                order list | cart | list | basket | the whole order | the whole list | my whole order
            """,
            "and": "and | but | plus | then | and then | & | but with",
            "or": "or | nor",
            "except": "except | except for | apart from | but not | other than",
            "instead": "instead of | in place of | rather than",
            "no_cue": """
                no wait | wait no | wait | sorry | no sorry | i mean | i meant | i said
                i told you | i asked for | i ordered | oh no | nope | actually no
                no actually | hold on | hang on | nah
            """,
            "yes": "yes | yeah | yep | ok | okay | sure | right | alright",
            "done": """
                that's it | that's all | that's everything | that is it | that is all | that is everything
                that will be it | that'll be it | that'll be all | that will be all | that will do it | that'll do it
                that should be it | that should do it | nothing else | bye | i'm done | i'm fine | i'm good
                we're done | and that's it | and that's all | for now
            """,
            "rather": "actually | instead | rather | preferably",
            "also": "also | too | as well",
            "filler": """
                please | pls | thanks | thank you | now | for me | for us | hi | hello | hey | um | uh | well | so
                oh | some | any | any more | anymore | any longer | there | here | again please | altogether
                in total | great | perfect
            """,
        }
    ),
    times=words("x times × pcs pieces"),
    times_endings=(),
    plurals=("es", "s"),
    comparing=(),
    counting=words("quantity qty count pieces copies units"),
    leaving_out=words("without omit omitted exclude excluded removed unwanted minus"),
)
"""The words about items of lists in English."""
