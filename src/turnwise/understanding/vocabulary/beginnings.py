"""Words around the phrase that begins a scope: they say that it is wished for, and when."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from turnwise.understanding.vocabulary.tables import Phrases, phrases, words


class BeginningWords(Struct, frozen=True):
    """The words of a language around the title of a scope in a request to begin it: *please start … now*."""

    leads: Phrases
    """Phrases before the title that only say that the scope is wanted: *I want to start*."""
    verbs: Phrases
    """Verbs before the title that need an article after them."""
    articles: frozenset[str]
    """Articles before the title of a scope."""
    trailing: Phrases
    """Phrases behind the title that only say that the scope is wanted."""
    links: Phrases
    """Words between two requests for scopes, such as *and then*."""


_EN = BeginningWords(
    leads=phrases("""
        i want to | i want | i wanna | i'd like to | i'd like | i would like to | i would like | i'd love to | let me
        let us | let's | lets | please | pls | first | first of all | then | next | now | ok | okay | well | so | hey
        hi
        hello | also | can we | can i | can you | could we | could i | could you | would you | will you | may i
        may we
        shall we | can you please | could you please | can we please | could we please | we could | i think i want
        we should
        how about | what about | i feel like | i'm up for | i am ready for | i'm ready for | ready for
        time for | it's time for
    """),
    verbs=phrases("""
        start | begin | open | do | take | give | give me | have | try | run | make | start with | begin with
        get started with | go to | go for | launch | continue with | go on with | switch to
    """),
    articles=words("the a an another some quick short little new"),
    trailing=phrases("""
        please | pls | thanks | thank you | now | right now | first | then | later | afterwards | after that | too
        again
        next | for me | with me | already
    """),
    links=phrases("""
        and | then | and then | after that | and after that | afterwards | and afterwards | later | and later | next
        and next | also | and also | as well as | followed by
    """),
)
_DE = BeginningWords(
    leads=phrases("""
        ich möchte | ich will | ich würde gern | ich würde gerne | ich hätte gern | ich hätte gerne | ich mag
        wie wäre es mit | wie wär's mit
        wir wollen
        lass uns | lassen sie uns | bitte | zuerst | erst | zunächst | dann | danach | jetzt | nun | ok | okay | gut
        also
        hallo | hi | hey | können wir | kann ich | kannst du | könnten wir | könnte ich | können sie | könntest du
        wollen wir | sollen wir | darf ich | ich bin bereit für | zeit für
    """),
    verbs=phrases("""
        starte | starten | beginne | beginnen | beginn | mach | mache | machen wir | machen | gib mir | geben sie mir
        öffne
        fang an mit | fangen wir an mit | beginne mit | mach mir | weiter mit | geh zu
    """),
    articles=words("der die das den dem ein eine einen einem einer noch kurzes kleines neues kurze kleine neue"),
    trailing=phrases("""
        bitte | danke | jetzt | gleich | sofort | zuerst | erst | später | danach | dann | nochmal | noch mal | wieder
        mal
        machen | starten | beginnen | anfangen | haben | geben
    """),
    links=phrases("""
        und | dann | und dann | danach | und danach | anschließend | und anschließend | später | und später | außerdem
        und außerdem | gefolgt von
    """),
)
BEGINNINGS: Mapping[str, BeginningWords] = {"en": _EN, "de": _DE}
"""The words of each language, by its code."""
