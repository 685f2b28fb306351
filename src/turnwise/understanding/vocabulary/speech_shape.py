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
    """Adverbs that do not change a statement: *just*."""
    yes: Phrases
    """Phrases that agree."""
    no: Phrases
    """Phrases that decline."""
    doubt: Phrases
    """Phrases that neither agree nor decline: *not sure*."""
    idle: Phrases
    """Phrases with a *no* in them that decline nothing: *no problem*."""
    negators: frozenset[str]
    """Words that deny: *not*."""
    common: frozenset[str]
    """Common words that name no option by themselves: *other*."""
    refusals: frozenset[str]
    """Words that decline: *nope*."""
    answers: frozenset[str]
    """Words that are an answer on their own: *yes*."""
    starters: frozenset[str]
    """Words with which a sentence may begin: *and*, *well*."""
    subjects: frozenset[str]
    """Pronouns that are subjects of a sentence: *I*."""
    tags: frozenset[str]
    """Words at the end of a sentence that ask for agreement: *right*."""
    joints: frozenset[str]
    """Words between two clauses: *but*."""
    away: frozenset[str]
    """Words before the old value in a change: *from*."""
    instead: frozenset[str] = frozenset()
    """Words that alone stand before an old value: *statt*."""
    away_led: frozenset[str]
    """Words that make the word behind them mark an old value: *instead* in `instead of`."""
    reservations: frozenset[str]
    """Words that limit what was said: *although*."""
    exclusions: Phrases
    """Phrases before what is left out: *apart from*."""
    exclusives: frozenset[str]
    """Words that leave out all else: *only*."""
    conditions: Phrases
    """Phrases that make an answer depend on something: *if*."""
    denials: frozenset[str]
    """Words among `negators` that deny a verb."""
    disagreement: frozenset[str]
    """Verbs that decline: *refuse*."""
    additions: frozenset[str]
    """Words that add to a list: *also*."""
    modals: frozenset[str]
    """Verbs of possibility: *might*."""
    copulas: frozenset[str]
    """Forms of *be* and *have* between a name and its value."""
    contrasts: frozenset[str]
    """Words that end a denial and introduce what holds: *but*."""
    alternatives: frozenset[str]
    """Words that leave a choice open: *or*."""
    universals: frozenset[str]
    """Words for everything or anything: *any*."""
    final_fillers: frozenset[str] = frozenset()
    """Words that add nothing at the end of a sentence."""
    weak_cues: Phrases
    """Phrases that may correct something: *actually*."""
    strong_cues: Phrases
    """Phrases that correct something: *I meant*."""
    interjections: frozenset[str]
    """Interjections that carry no meaning: *man*."""
    remarks: frozenset[str]
    """Remarks that answer nothing: *great*."""
    openers: frozenset[str]
    """Words that begin a question: *what*."""
    inverted: Phrases
    """Phrases that begin a question by a verb: *do you*."""
    requests: Phrases
    """Beginnings of requests: *can you*."""
    wishes: Phrases
    """Beginnings of wishes: *I want to*."""
    trailing: frozenset[str]
    """Words that may stand behind an answer: *please*."""
    others: frozenset[str]
    """Nouns for other people than the user: *brother*."""
    pronouns: frozenset[str] = frozenset()
    """Pronouns for other people than the user: *he*."""
    addressing: frozenset[str]
    """Pronouns for the two who talk: *you*, *I*."""
    agreement_marks: frozenset[str]
    """Words in a question that make it one of consent: *terms*."""
    anyone: frozenset[str]
    """Words for any person: *anyone*."""
    no_one: Phrases
    """Phrases for no person: *no one*."""
    impersonal: frozenset[str]
    """Pronouns for things: *it*."""
    trouble: frozenset[str]
    """Words in a question that asks what hurts or is broken: *problem*."""
    contacting: frozenset[str]
    """Verbs of contacting the other side: *calling*."""
    ailments: frozenset[str]
    """Words of users for what hurts or is broken: *broken*."""
    rates: frozenset[str]
    """Words between a value and its unit: *per*."""
    possessives: frozenset[str]
    """Possessives that mean the user's things: *my*."""
    attributes: frozenset[str]
    """Attributes before a noun: *left*, *old*."""
    past: frozenset[str]
    """Verbs in the past tense."""
    minding: frozenset[str]
    """Verbs in questions to which a no agrees: *do you mind*."""
    not_minding: Phrases
    """Phrases with a no that agree: *no objections*."""
    agreement: frozenset[str]
    """Verbs of consent: *accept*."""
    agreement_objects: frozenset[str]
    """Words for what a user consents to: *terms*."""


class Requests(Struct, frozen=True):
    """Phrases that request the commands of a conversation, beyond those of the language itself (`core/language/`)."""

    commands: Mapping[RequestKind, Phrases]
    """Phrases that request a command, keyed by the command."""
    dismissals: Phrases
    """Phrases that drop the question or request: *never mind*."""
    short_requests: tuple[tuple[CommandName, frozenset[str], frozenset[str]], ...]
    """Short requests: a command, and two groups of words; the message has one word of each."""
    edit_verbs: frozenset[str]
    """Verbs that ask to change an answer: *edit*."""
    wrong: frozenset[str]
    """Words that call an answer wrong: *incorrect*."""
    right: frozenset[str]
    """Words that call an answer right: *correct*."""
    exceptions: Phrases
    """Phrases before the only answer that is wrong: *except*."""
    into: frozenset[str]
    """Words before the new value in a change: *to*."""
    clear_verbs: frozenset[str]
    """Verbs that ask to remove a value: *clear*."""
    add_verbs: frozenset[str]
    """Verbs that ask to add to a list: *add*."""
    remove_verbs: frozenset[str]
    """Verbs that ask to take out of a list: *remove*."""
    explain: Phrases
    """Phrases before a word that is to be explained."""
    target_links: frozenset[str]
    """Words between a verb and the title of a task."""
    list_carriers: Phrases
    """Phrases around the items of a list: *I have*."""


class Move(Struct, frozen=True):
    """A request that a whole message is if it has some words and, beside them, only small ones."""

    kind: CommandName
    """The command that the message requests."""
    needs: tuple[frozenset[str], ...]
    """Groups of words; the message has a word of each group."""
    may: frozenset[str] = frozenset()
    """Words that the message may have beside those of `needs`."""


class Navigation(Struct, frozen=True):
    """Words that move through a conversation and say nothing about its subject."""

    small: frozenset[str]
    """Small words that may stand beside those of a move."""
    answer_verbs: frozenset[str]
    """Verbs about an earlier answer of the user: *typed*, *said*."""
    indifferent: frozenset[str]
    """Words that accept any of several answers: *whatever*."""
    hesitations: frozenset[str]
    """Sounds of hesitation, however long they are drawn out: *um*."""
    choosing: frozenset[str]
    """Verbs that choose a value: *prefer*."""
    about: frozenset[str]
    """Words that introduce a topic: *regarding*."""
    moves: tuple[Move, ...]
    """Requests that are a whole message, such as *go back*."""
