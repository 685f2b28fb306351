"""The shape of a language's words of conversation: yes, no and doubt, requests, words that move through it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from turnwise.core.state.commands import CommandName
from turnwise.understanding.vocabulary.tables import (
    Phrases,
)

RequestKind = CommandName | Literal["leave"]
"""What a phrase asks for: a command, or to leave the choice of answers."""


class Speech(Struct, frozen=True, kw_only=True):
    """Yes, no, doubt, fillers and other function words of a conversation."""

    filler: frozenset[str]
    """Words that add nothing to an answer."""
    leads: frozenset[str]
    """Words that may stand before an answer: *I'd like*."""
    fill_phrases: Phrases
    """Phrases that add nothing: *by the way*."""
    hedges: frozenset[str]
    """Words that make a value inexact: *about*."""
    small_adverbs: frozenset[str]
    """Adverbs that change nothing: *just*."""
    yes: Phrases
    """Phrases that agree."""
    no: Phrases
    """Phrases that decline."""
    doubt: Phrases
    """Phrases that do neither: *not sure*."""
    idle: Phrases
    """Phrases with a no in them that decline nothing: *no problem*."""
    negators: frozenset[str]
    """Words that deny."""
    common: frozenset[str]
    """Common words that name no option by themselves: *other*."""
    refusals: frozenset[str]
    """Words that decline: *nope*."""
    answers: frozenset[str]
    """Words that are an answer by themselves: *yes*."""
    starters: frozenset[str]
    """Words with which a sentence may begin: *and*, *well*."""
    subjects: frozenset[str]
    """Pronouns as subjects of a sentence."""
    tags: frozenset[str]
    """Words at the end that ask for agreement: *right*."""
    joints: frozenset[str]
    """Words between two clauses: *but*."""
    away: frozenset[str]
    """Before the old value in a change: *from*."""
    instead: frozenset[str] = frozenset()
    """Before the old value, in one word: *statt*."""
    away_led: frozenset[str]
    """Words with which such a word makes a value an old one: *instead of*."""
    reservations: frozenset[str]
    """Words that limit what was said: *although*."""
    exclusions: Phrases
    """Phrases before what is left out: *apart from*."""
    exclusives: frozenset[str]
    """Words that leave out all else: *only*."""
    conditions: Phrases
    """Phrases that make an answer depend on something: *if*."""
    denials: frozenset[str]
    """Those of the negators that deny a verb."""
    disagreement: frozenset[str]
    """Verbs that decline: *refuse*."""
    additions: frozenset[str]
    """Words that add to a list: *also*."""
    modals: frozenset[str]
    """Verbs of possibility: *might*."""
    copulas: frozenset[str]
    """Forms of *be* and *have* between a name and its value."""
    contrasts: frozenset[str]
    """Words that end a denial: *but*."""
    alternatives: frozenset[str]
    """Words that leave a choice open: *or*."""
    universals: frozenset[str]
    """Words for all that there is: *any*."""
    final_fillers: frozenset[str] = frozenset()
    """Words that add nothing at the end of a sentence."""
    weak_cues: Phrases
    """Phrases that may correct something: *actually*."""
    strong_cues: Phrases
    """Phrases that correct something: *I meant*."""
    interjections: frozenset[str]
    """Calls that say nothing: *man*."""
    remarks: frozenset[str]
    """Words of remarks that are no answer: *great*."""
    openers: frozenset[str]
    """Words of questions: *what*."""
    inverted: Phrases
    """Beginnings of questions: *do you*."""
    requests: Phrases
    """Beginnings of requests: *can you*."""
    wishes: Phrases
    """Beginnings of wishes: *I want to*."""
    trailing: frozenset[str]
    """Words that may stand behind an answer: *please*."""
    others: frozenset[str]
    """Words for other people than the user."""
    pronouns: frozenset[str] = frozenset()
    """Pronouns for other people."""
    addressing: frozenset[str]
    """Pronouns for the two who talk: *you*, *I*."""
    agreement_marks: frozenset[str]
    """Words in a question that make it one of consent: *terms*."""
    anyone: frozenset[str]
    """Words for any person."""
    no_one: Phrases
    """Phrases for no person."""
    impersonal: frozenset[str]
    """Pronouns for things: *it*."""
    trouble: frozenset[str]
    """Words in a question that ask what is wrong."""
    contacting: frozenset[str]
    """Verbs of reaching the other side: *calling*."""
    ailments: frozenset[str]
    """Words of users for what is wrong: *broken*."""
    rates: frozenset[str]
    """Words between a value and its unit: *per*."""
    possessives: frozenset[str]
    """Pronouns of the user's things: *my*."""
    attributes: frozenset[str]
    """Small words before a noun: *left*, *old*."""
    past: frozenset[str]
    """Verbs of the past."""
    minding: frozenset[str]
    """Verbs by which a no agrees: *do you mind*."""
    not_minding: Phrases
    """Phrases that agree by a no: *no objections*."""
    agreement: frozenset[str]
    """Verbs of consent: *accept*."""
    agreement_objects: frozenset[str]
    """What is consented to: *terms*."""


class Requests(Struct, frozen=True):
    """Phrases that request the commands of a conversation. Those of a shipped vocabulary stand beside the language's,
    in `core/language/`, which they do not repeat.
    """

    commands: Mapping[RequestKind, Phrases]
    """Phrases by the command that they request."""
    dismissals: Phrases
    """Phrases that drop what was asked: *never mind*."""
    short_requests: tuple[tuple[CommandName, frozenset[str], frozenset[str]], ...]
    """A command, and two groups of words of which a short request has one each."""
    edit_verbs: frozenset[str]
    """Verbs that change an answer."""
    wrong: frozenset[str]
    """Words for an answer that is wrong."""
    right: frozenset[str]
    """Words for an answer that is right."""
    exceptions: Phrases
    """Phrases before an answer that is not right: *except*."""
    into: frozenset[str]
    """Before the new value in a change: *to*."""
    clear_verbs: frozenset[str]
    """Verbs that take a value away."""
    add_verbs: frozenset[str]
    """Verbs that add to a list."""
    remove_verbs: frozenset[str]
    """Verbs that take out of a list."""
    explain: Phrases
    """Phrases before what is to be explained."""
    target_links: frozenset[str]
    """Words between a verb and the title of a task."""
    list_carriers: Phrases
    """Phrases around the items of a list: *I have*."""


class Move(Struct, frozen=True):
    """What a whole message asks for that has some words, and beside them only small ones."""

    kind: CommandName
    """The command that it requests."""
    needs: tuple[frozenset[str], ...]
    """Groups of words: the message has one of each."""
    may: frozenset[str] = frozenset()
    """Words that it may have beside these."""


class Navigation(Struct, frozen=True):
    """Words that move through a conversation and say nothing about its subject."""

    small: frozenset[str]
    """Words that may stand beside the others."""
    answer_verbs: frozenset[str]
    """Verbs with which a user speaks of an earlier answer: *typed*, *said*."""
    indifferent: frozenset[str]
    """Words that are an answer where one of several is asked for."""
    hesitations: frozenset[str]
    """Words that say nothing, however long they are drawn out."""
    choosing: frozenset[str]
    """Words that take a value: *prefer*."""
    about: frozenset[str]
    """Words that lead to a subject: *regarding*."""
    moves: tuple[Move, ...]
    """What whole messages ask for."""
