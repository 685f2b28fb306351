"""English words for numbers, days, times, names and what fields are about. Data only; it decides nothing."""

from __future__ import annotations

from turnwise.core.language.en import THOUSANDS_MARK
from turnwise.understanding.vocabulary.en_navigation import NAVIGATION
from turnwise.understanding.vocabulary.en_speech import REQUESTS, SPEECH
from turnwise.understanding.vocabulary.shape import Concept, Naming, Vocabulary
from turnwise.understanding.vocabulary.tables import by_phrase, by_word, endings, numbered_words, phrases, words
from turnwise.understanding.vocabulary.value_shape import CalendarWords, ClockWords, DurationWords, NumberWords

_NUMBERS = NumberWords(
    zeros=words("no none nobody noone any nil"),
    ones=numbered_words(
        "zero/nought one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen",
        first=0,
    ),
    tens=numbered_words("twenty thirty forty/fourty fifty sixty seventy eighty ninety/ninty", 20, step=10),
    scales={"hundred": 100, "thousand": 1000, "million": 10**6, "millions": 10**6, "billion": 10**9, "dozen": 12},
    articles=words("a an"),
    joints=words("and"),
    fractions=by_phrase({"and a half": 0.5, "and a quarter": 0.25, "and three quarters": 0.75}),
    fixed=by_phrase({"half a dozen": 6}),
    minus=words("minus negative"),
    points=words("point"),
    ordinals=numbered_words(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
    )
    | {"thirtieth": 30},
    ordinal_suffixes=words("st nd rd th"),
    lasts=words("last"),
    place_words=words("number no nr option"),
    out_of=phrases("out of | of"),
    pronouns=words("one"),
    before_pronouns=words("is it's just only exactly have for about be 's i'm am need want actually"),
    thousands_mark=THOUSANDS_MARK,
    units_first=False,
)

_CALENDAR = CalendarWords(
    relative=by_phrase(
        {
            "today|tonight|this morning|this afternoon|this evening": 0,
            "tomorrow|tmrw|tomorow|tommorow|tommorrow": 1,
            "day after tomorrow|the day after tomorrow|overmorrow": 2,
            "yesterday": -1,
            "day before yesterday|the day before yesterday": -2,
        }
    ),
    weekdays=numbered_words("monday tuesday wednesday thursday friday saturday sunday", first=0),
    short_weekdays=numbered_words("mon tue/tues wed/weds thu/thur/thurs fri sat sun", first=0),
    months=numbered_words(
        "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept october/oct "
        "november/nov december/dec"
    ),
    upcoming=words("this coming upcoming"),
    following=words("next"),
    past=words("last"),
    after_next=phrases("after next"),
    coming_weeks=by_phrase(
        {"this week|of this week": 0, "next week|of next week": 1, "the week after next|week after next": 2}
    ),
    days_added=by_phrase({"week": 7, "fortnight": 14}),
    counted_from=words("on from"),
    lasting=words("for"),
    span_leads=words("from between"),
    between=words("between"),
    until=words("to until till through thru"),
    either=words("and or"),
    neither=words("neither nor"),
    now=phrases("now | right now | right away | immediately | at once | straight away | instantly"),
    order_hints=(
        phrases(
            "arrive | arrival | arriving | start | starts | begin | begins | from | first | pickup | pick up | check in"
        ),
        phrases("leave | leaving | depart | departure | departing"),
        phrases("return | returning | back | end | ends | until | last | check out | checkout | drop off"),
    ),
    within=words("in"),
    ago_after=words("ago"),
    from_base=phrases("from now | from today"),
    days=by_word({"day days": 1, "week weeks": 7, "fortnight": 14}),
    month_units=by_word({"month months": 1, "year years": 12}),
    on=words("on the"),
    of=words("of"),
    holidays=by_phrase(
        {
            "christmas eve": (12, 24),
            "christmas day|christmas": (12, 25),
            "boxing day": (12, 26),
            "new year's eve|new years eve": (12, 31),
            "new year's day|new years day": (1, 1),
        }
    ),
    past_hints=words("did was were since started began happened last"),
    birth_hints=words("birth born birthday birthdate dob"),
    parts=by_word({"morning": "morning", "afternoon": "afternoon", "evening eve": "evening", "night": "night"}),
)

_CLOCK = ClockWords(
    hour=words("o'clock oclock h"),
    past=words("past after"),
    to=words("to till before"),
    half_past=phrases("half past | half"),
    quarter=phrases("quarter | a quarter"),
    minutes=words("minutes minute mins min"),
    fixed=by_word({"noon midday": "12:00", "midnight": "00:00"}),
    parts=by_phrase(
        {
            "am|in the morning|this morning|tomorrow morning": "morning",
            "pm|in the afternoon|this afternoon": "afternoon",
            "in the evening|this evening|tonight|in the eve": "evening",
            "at night": "night",
        }
    ),
    at=words("at"),
    around=words("around about"),
    only_behind=words("am pm"),
)

_DURATIONS = DurationWords(
    units=by_word(
        {
            "s sec secs second seconds": 1,
            "m min mins minute minutes": 60,
            "h hr hrs hour hours": 3600,
            "d day days": 86_400,
            "w week weeks": 604_800,
        }
    ),
    whole=by_phrase(
        {
            "half an hour|half hour|a half hour|half a hour": 1800,
            "a quarter of an hour|quarter of an hour|a quarter hour|quarter hour": 900,
            "three quarters of an hour|three quarter hour|three-quarters of an hour": 2700,
            "half a day|half day|a half day": 43_200,
            "half a minute": 30,
            "a fortnight": 1_209_600,
        }
    ),
    joints=words("and"),
)

_NAMING = Naming(
    frames=phrases("""
        my name is | my name's | my names | my full name is | i'm called | i am called | im called | i go by
        people call me | they call me | my friends call me | friends call me | everybody calls me | everyone calls me
        call me | you can call me | you may call me | my name would be | my name should be | the name is | the name's
        name's | my first name is | my name was
    """),
    asked_frames=phrases("""
        i'm | i am | im | this is | it's | it is | that's | that would be | it should be | i meant | i mean
    """),
    free_frames=phrases("i'm | i am | im"),
    self_frames=phrases("i'm | i am | im"),
    also_names=words("will may art rob mark"),
    adjective_endings=endings("ed ing ful ous less able ible ive ish ic al ent ant ary ian ese ist ied ual ical ly"),
    noun_endings=endings("nian rian sian gian aian bian dian ese ish ist"),
    spelling=words("spelled spelt spelling spell written"),
    softeners=words("just simply actually officially really only still mostly always called"),
    particle_joints=words("and und y et e"),
    titles=words("mr mrs ms miss mx dr prof sir dame madam lord lady rev father sister captain master"),
    signed=phrases("here | speaking | is my name | is the name | is what they call me | here thanks | by name"),
    no_names=words("""
        none nothing unknown nobody someone somebody anybody secret private unimportant wrong incorrect misspelled
        difficult undisclosed anonymous classified confidential irrelevant whatever
    """),
    capital_pronouns=words("i i'm i'd i'll i've im"),
    abbreviations=words("dr mr mrs ms prof st jr sr rev hon ltd inc co corp llc plc"),
    not_names=words("""
        tired fine hungry thirsty good well sick ill here back ready done sure busy sorry glad happy sad new not no yes
        afraid ok okay alright interested looking going trying just so very really too still already also from in at on
        to with about into over under married single divorced pregnant diabetic vegan vegetarian male female man woman
        boy girl american british english german french spanish italian irish scottish welsh dutch polish russian
        chinese japanese indian turkish greek swedish danish norwegian finnish swiss austrian canadian australian
        mexican brazilian european african asian arab korean ukrainian romanian hungarian czech portuguese jewish
        catholic muslim christian buddhist hindu protestant atheist doctor nurse teacher student engineer lawyer parent
        mother father mom dad mum retired unemployed unsure aware allergic late early alone bored angry upset confused
        lost stuck sorry excited scared worried nervous better worse great bad wrong incorrect misspelled long short
        hard easy none nothing unknown secret private important difficult spelled tomorrow today yesterday later soon
        back maybe anytime please off out up down away batman nobody someone anybody asking calling writing contacting
        the a an my your his her our their it that this what who how why when where free bye goodbye lol rofl haha
        hahaha omg wtf huh hmpf nvm whatever cancelled canceled test testing asdf qwerty foo bar blah cool awesome nope
        yup welcome goodnight cheers howdy greetings yo sup broke hurt poor rich hot cold drunk full blind deaf bald fat
        thin slim tall weak strong numb sore stiff dizzy sleepy lazy shy brave calm cheap clean clear close correct cute
        dead dumb dry wet fair fast fit flat funny gay straight gone half healthy honest human insane kind lame lonely
        low lucky mad mean messy nearby nuts odd old outside inside open over proud quick quiet random rude safe sane
        silly simple slow smart sober solo sweet tipsy tough ugly warm weird wild wise worth young done through game
        stuck thrilled blank gutted skint home
    """),
    possessors=words("his her their its whose"),
    name_words=words("name fullname nickname forename firstname surname lastname called"),
    own=words("""
        my our your the i we you user customer guest patient caller client person first last full given family preferred
    """),
    other_owners=words("""
        company firm business product file pet dog cat horse wife husband partner son daughter child children mother
        father brother sister friend boss team street city town country bank school employer organisation organization
        project brand event emergency account host domain
    """),
    copulas=phrases("is | are | should be | is now | would be | must be"),
    towards=words("to into as"),
)

_CONCEPTS = (
    Concept(words("percent percentage per cent % share rate discount"), words("percent percentage % cent")),
    Concept(
        words("age old aged"),
        words("age years year yrs yr yo old aged turned y/o"),
        phrases("i'm | i am | im | i'm a | i am a | i'm an | i just turned | i turned | am | i'm now | i am now"),
    ),
    Concept(
        words("""
            people guests persons attendees pax participants passengers travellers travelers seats visitors covers
            headcount
        """),
        words("people persons guests pax ppl seats us participants party"),
        phrases("we're | we are | we will be | we'll be | for | there are"),
    ),
    Concept(words("arrive arrival arriving"), words("arrive arrival arriving")),
    Concept(words("leave departure depart"), words("leave leaving departure depart departing")),
    Concept(words("children kids child kid"), words("children kids child kid")),
    Concept(words("weight weigh kg kilos kilograms"), words("weight weigh kg kgs kilo kilos kilogram kilograms")),
    Concept(words("height tall cm"), words("height tall cm centimetres centimeters")),
    Concept(words("sex gender"), words("sex gender")),
    Concept(words("email mail e-mail"), words("email mail e-mail emails address e")),
    Concept(words("phone telephone mobile cell tel"), words("phone telephone mobile cell tel call reach number ring")),
    Concept(words("euro euros eur €"), words("euro euros eur €")),
    Concept(words("dollar dollars usd $"), words("dollar dollars usd $ bucks")),
    Concept(words("pound pounds gbp £"), words("pound pounds gbp £ quid")),
    Concept(words("depart departure outbound"), words("depart departure departing leave leaving outbound")),
    Concept(words("leave leaving"), words("leave leaving departure depart")),
    Concept(words("return back inbound"), words("return returning back inbound")),
    Concept(words("arrive arrival arriving"), words("arrive arrival arriving")),
    Concept(words("city town live"), words("city town live")),
    Concept(words("day date"), words("day date")),
    Concept(words("time clock"), words("time clock")),
    Concept(words("name"), words("name")),
    Concept(words("birth born birthday birthdate dob"), words("born birth birthday birthdate dob was")),
    Concept(words("smoker smoke smoking"), words("smoke smoker smokes smoking")),
)

VOCABULARY = Vocabulary(
    code="en",
    speech=SPEECH,
    requests=REQUESTS,
    navigation=NAVIGATION,
    naming=_NAMING,
    numbers=_NUMBERS,
    calendar=_CALENDAR,
    clock=_CLOCK,
    durations=_DURATIONS,
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
    number_endings=(),
    other_numbers=words("""
        order invoice customer client member membership account iban bic card ticket case reference ref tracking parcel
        serial policy contract passport licence license id ip tax vat booking reservation code pin isbn sku
    """),
    contact_words=words("""
        call calls reach reached contact send write mail email text phone ring reply answer under via to by new current
    """),
    paying=words("pay send transfer spend donate deposit borrow"),
    money=words("""
        amount money sum pay paying payment send sending transfer budget price cost costs spend spending deposit donate
        donation borrow loan salary income earn rent fee balance refund invoice bill tip damage worth charge
    """),
)
"""The vocabulary of English."""
