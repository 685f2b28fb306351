"""English names and what fields are about, and the whole vocabulary. Data only; it decides nothing."""

from __future__ import annotations

from turnwise.understanding.vocabulary.en_requests import REQUESTS
from turnwise.understanding.vocabulary.en_speech import SPEECH
from turnwise.understanding.vocabulary.en_values import CALENDAR, CLOCK, DURATIONS, NUMBERS
from turnwise.understanding.vocabulary.shape import Concept, Naming, Vocabulary, phrases, words

_NAMING = Naming(
    frames=phrases(
        """
        my name is | my name's | my names | my full name is | i'm called | i am called | im called | i go by
        people call me | they call me | my friends call me | friends call me | everybody calls me
        everyone calls me | call me | you can call me | you may call me
        my name would be | my name should be | the name is | the name's | name's | my first name is | my name was
        """
    ),
    asked_frames=phrases(
        """
        i'm | i am | im | this is | it's | it is | that's | that would be | it should be | i meant | i mean | i'm dr
        """
    ),
    free_frames=phrases("i'm | i am | im"),
    self_frames=phrases("i'm | i am | im"),
    also_names=words("will may art rob mark"),
    adjective_endings=(
        "ed",
        "ing",
        "ful",
        "ous",
        "less",
        "able",
        "ible",
        "ive",
        "ish",
        "ic",
        "al",
        "ent",
        "ant",
        "ary",
        "ian",
        "ese",
        "ist",
        "ied",
        "ual",
        "ical",
        "ly",
    ),
    particles=words("van von de der den da di del della la le bin al el ten ter dos du of the st zu"),
    abbreviations=words("dr mr mrs ms prof st jr sr rev hon ltd inc co corp llc plc"),
    not_names=words(
        """
        tired fine hungry thirsty good well sick ill here back ready done sure busy sorry glad happy sad new not no
        yes afraid ok okay alright interested looking going trying just so very really too still already also from
        in at on to with about into over under married single divorced pregnant diabetic vegan vegetarian male
        female man woman boy girl american british english german french spanish italian irish scottish welsh dutch
        polish russian chinese japanese indian turkish greek swedish danish norwegian finnish swiss austrian
        canadian australian mexican brazilian european african asian arab korean ukrainian romanian hungarian czech
        portuguese jewish catholic muslim christian buddhist hindu protestant atheist doctor nurse teacher student
        engineer lawyer parent mother father mom dad mum retired unemployed unsure aware allergic late early alone
        bored angry upset confused lost stuck sorry excited scared worried nervous better worse great bad wrong
        incorrect misspelled long short hard easy none nothing unknown secret private important difficult spelled
        tomorrow today yesterday later soon back maybe anytime please off out up down away batman nobody someone
        anybody asking calling writing contacting the a an my your his her our their it that this what who how why
        when where free bye goodbye lol rofl haha hahaha omg wtf huh hmpf nvm whatever cancelled canceled test testing
        asdf qwerty foo bar blah cool awesome nope yup welcome goodnight cheers howdy greetings yo sup
        broke hurt poor rich hot cold drunk full blind deaf bald fat thin slim tall weak strong numb sore stiff dizzy
        sleepy lazy shy brave calm cheap clean clear close correct cute dead dumb dry wet fair fast fit flat funny gay
        straight gone half healthy honest human insane kind lame lonely low lucky mad mean messy nearby nuts odd old
        outside inside open over proud quick quiet random rude safe sane silly simple slow smart sober solo sweet tipsy
        tough ugly warm weird wild wise worth young done through game stuck thrilled blank gutted skint home
        """
    ),
    possessors=words("his her their its whose"),
    name_words=words("name fullname nickname forename firstname surname lastname called"),
    own=words(
        """
        my our your the i we you user customer guest patient caller client person first last full given family
        preferred
        """
    ),
    other_owners=words(
        "company firm business product file pet dog cat horse wife husband partner son daughter child "
        "children mother father "
        "brother sister friend boss team street city town country bank school employer organisation "
        "organization project "
        "brand event emergency account host domain"
    ),
    copulas=phrases("is | are | should be | is now | would be | must be"),
    towards=words("to into as"),
)

_CONCEPTS = (
    Concept(
        words("age old aged"),
        words("age years year yrs yr yo old aged turned y/o"),
        phrases("i'm | i am | im | i'm a | i am a | i'm an | i just turned | i turned | am | i'm now | i am now"),
    ),
    Concept(
        words(
            "people guests persons attendees pax participants passengers travellers travelers seats visitors covers "
            "headcount"
        ),
        words("people persons guests pax ppl seats us participants party"),
        phrases("we're | we are | we will be | we'll be | for | there are"),
    ),
    Concept(words("children kids child kid"), words("children kids child kid"), phrases(())),
    Concept(
        words("weight weigh kg kilos kilograms"),
        words("weight weigh kg kgs kilo kilos kilogram kilograms"),
        phrases(()),
    ),
    Concept(words("height tall cm"), words("height tall cm centimetres centimeters"), phrases(())),
    Concept(words("sex gender"), words("sex gender"), phrases(())),
    Concept(words("email mail e-mail"), words("email mail e-mail emails address e"), phrases(())),
    Concept(
        words("phone telephone mobile cell tel"),
        words("phone telephone mobile cell tel call reach number ring"),
        phrases(()),
    ),
    Concept(words("euro euros eur €"), words("euro euros eur €"), phrases(())),
    Concept(words("dollar dollars usd $"), words("dollar dollars usd $ bucks"), phrases(())),
    Concept(words("pound pounds gbp £"), words("pound pounds gbp £ quid"), phrases(())),
    Concept(
        words("depart departure outbound"), words("depart departure departing leave leaving outbound"), phrases(())
    ),
    Concept(words("leave leaving"), words("leave leaving departure depart"), phrases(())),
    Concept(words("return back inbound"), words("return returning back inbound"), phrases(())),
    Concept(words("arrive arrival arriving"), words("arrive arrival arriving"), phrases(())),
    Concept(words("city town live"), words("city town live"), phrases(())),
    Concept(words("day date"), words("day date"), phrases(())),
    Concept(words("time clock"), words("time clock"), phrases(())),
    Concept(words("name"), words("name"), phrases(())),
    Concept(
        words("birth born birthday birthdate dob"),
        words("born birth birthday birthdate dob was"),
        phrases(()),
    ),
    Concept(words("smoker smoke smoking"), words("smoke smoker smokes smoking"), phrases(())),
)

VOCABULARY = Vocabulary(
    code="en",
    speech=SPEECH,
    requests=REQUESTS,
    naming=_NAMING,
    numbers=NUMBERS,
    calendar=CALENDAR,
    clock=CLOCK,
    durations=DURATIONS,
    concepts=_CONCEPTS,
    synonyms=(("male", "man", "guy"), ("female", "woman", "lady")),
    type_words={
        "date": words("date day"),
        "time": words("time"),
        "datetime": words("date time day"),
        "duration": words("duration length"),
        "email": words("email mail"),
        "phone": words("phone number"),
    },
    endings=("ings", "ing", "es", "s", "e"),
    inflections=("es", "s"),
    currencies=words("euro euros eur € dollar dollars usd $ bucks buck pound pounds gbp £ quid chf francs"),
    paying=words("pay send transfer spend donate deposit borrow"),
    money=words(
        """
        amount money sum pay paying payment send sending transfer budget price cost costs spend spending deposit donate
        donation borrow loan salary income earn rent fee balance refund invoice bill tip damage worth charge
        """
    ),
)
