"""A decision in short: headline, detail, the line in a transcript, and the candidate that was nearest."""

from __future__ import annotations

import turnwise as tw
from support.chats import flow_of, problems_of, scripted_chat, sets
from turnwise.authoring.formats import WRITABLE_FORMATS
from turnwise.core.explain.headline import Headline, headline

FLOW = """
flow: f
start: home
records: {user: {name: string, age: integer, terms: boolean, secret: {type: string, secret: true}}}
nodes:
  home:
    prompt: Talk.
    transitions:
      - {id: young, at: before, when: user.age < 18, because: under 18, to: away}
      - {id: ready, at: before, when: user.terms && has(user.name), because: all known, to: done}
      - {id: broken, at: before, when: 'has(user.name) && user.age / 0 > 1', to: away}
  away: {say: Sorry., transitions: [{id: wait, at: before, when: user.age < 10, because: too soon, stay: true}]}
  done: {say: Done., end: completed}
"""


def test_a_stay_names_the_nearest_candidate_and_what_it_lacks() -> None:
    with scripted_chat(FLOW) as chat:
        chat.start()
        decision, after = chat.commands(sets(user__age=40)).decisions
    assert headline(decision) == Headline(
        "stayed",
        "false",
        "Stayed in home",
        "3 candidates, none held; nearest is → done, which lacks user.terms, user.name",
        "stayed in home: → done, which lacks user.terms, user.name",
        nearest="ready",
    )
    assert decision.line == "stayed in home: " + headline(decision).detail
    assert (headline(after).mark, headline(after).detail) == ("not_reached", "no candidates after the work")


def test_a_move_is_told_by_its_target_and_reason() -> None:
    with scripted_chat(FLOW) as chat:
        chat.start()
        moved, held = chat.commands(sets(user__age=4)).decisions[:2]
    assert headline(moved) == Headline(
        "moved",
        "taken",
        "Moved to away",
        "home → away by young: under 18",
        "home → away: under 18",
        "away",
        "young",
        "under 18",
    )
    assert (headline(held).headline, headline(held).detail) == ("Held in away by wait", "too soon")
    assert (headline(held).happened, headline(held).mark) == ("stayed", "taken")


def test_an_error_stands_for_the_whole_decision() -> None:
    with scripted_chat(FLOW) as chat:
        chat.start()
        found = headline(chat.commands(sets(user__name="Ada", user__age=40)).decisions[0])
    assert (found.happened, found.mark) == ("error", "error")
    assert found.nearest == "ready"


def exceptions(flow: tw.Flow) -> list[str]:
    return [one.id for node in flow.nodes for one in node.transitions if one.exception]


def test_an_exception_is_never_the_nearest_and_is_judged_as_any_other_in_each_format() -> None:
    flow = flow_of(FLOW.replace("{id: ready,", "{id: ready, exception: true,"))
    assert exceptions(flow) == ["ready"]
    for name in ("yaml", "dygram"):
        again = tw.loads(WRITABLE_FORMATS[name].write(flow), format=name)
        assert exceptions(again) == ["ready"]
    with scripted_chat(flow) as chat:
        chat.start()
        decision = chat.commands(sets(user__age=40)).decisions[0]
        assert headline(decision).nearest == "young"
        assert chat.commands(sets(user__terms=True, user__name="Ada")).decisions[0].taken == "ready"


def test_an_exception_needs_a_guard() -> None:
    always = FLOW.replace("because: too soon, stay: true", "stay: true").replace(
        "when: user.age < 10", "exception: true"
    )
    assert problems_of(always)[0].startswith("TW041 ")
