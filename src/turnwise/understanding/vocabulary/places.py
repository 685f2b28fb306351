"""Words of questions for an address, and of addresses, in English and German."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from turnwise.understanding.vocabulary.tables import endings, words


class PlaceWords(Struct, frozen=True, kw_only=True):
    """Words of a language in questions for an address, and in addresses."""

    marks: frozenset[str]
    """Words that make a question one for an address: *address*."""
    electronic: frozenset[str]
    """Words that make a question one for an electronic address: *email*."""
    where: frozenset[str]
    """First words of a question for an address: *where*."""
    brings: frozenset[str]
    """Verbs that ask for an address in a question with *where*: *deliver*."""
    ways: frozenset[str]
    """Words for streets and buildings: *road*."""
    way_endings: tuple[str, ...] = ()
    """Endings of compounds that are streets or buildings: *straße*."""
    names_have_capitals: bool
    """True if a capital inside a sentence marks a name; false in German, where all nouns have one."""


_ELECTRONIC = words("email mail e-mail web website url link ip mac internet ethernet wallet bitcoin crypto server host")

PLACES: Mapping[str, PlaceWords] = {
    "en": PlaceWords(
        marks=words("address addresses street"),
        electronic=_ELECTRONIC,
        where=words("where"),
        brings=words("deliver delivered delivery bring send ship shipped"),
        ways=words("""
            street st road rd avenue ave av lane ln drive dr court ct way boulevard blvd place pl square sq terrace
            crescent close row gate gardens parade parkway pkwy highway hwy trail alley walk mews quay pier
            wharf hill heights park green grove bridge station airport terminal platform hotel hostel hospital
            school university college library church house home building block tower apartment apt flat floor suite ste
            unit room office cottage farm villa mall plaza
        """),
        names_have_capitals=True,
    ),
    "de": PlaceWords(
        marks=words("adresse adressen anschrift straße lieferadresse address street"),
        electronic=_ELECTRONIC,
        where=words("wo wohin"),
        brings=words("liefern geliefert lieferung bringen schicken senden versenden"),
        ways=words("""
            straße str weg platz gasse allee ring ufer damm markt hof haus hinterhaus wohnung gebäude etage stock zimmer
            postfach hotel bahnhof flughafen krankenhaus schule universität bibliothek kirche rathaus siedlung chaussee
            promenade steig stieg
        """),
        way_endings=endings("straße str weg platz gasse allee ring ufer damm markt hof haus chaussee steig stieg"),
        names_have_capitals=False,
    ),
}
"""The words about addresses, by the code of the language."""
