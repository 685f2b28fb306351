"""Law 6.7: schedules come at their times, once each, and say so; 9-23 to 9-28."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, NoReturn

import pytest

import turnwise as tw
from support.clocked import Clocked, moment, played
from turnwise.core.state import events as e

pytestmark = pytest.mark.law("6.7")

FLOW = """
flow: tutor
start: chat
time_zone: ZONE
commands: [cancel]
records:
  user: {name: {type: string, default: Max}, zone: string}
  feedback: {mood: string}
nodes:
  chat: {prompt: You are Maya.}
  survey:
    scope: {returns: feedback, input: {topic: {type: string, default: the lesson}}, summary: "mood {{ feedback.mood }}"}
    form: {fields: [{field: feedback.mood, ask: "How was {{ input.topic }}?"}]}
schedules:
  SCHEDULES
"""
TUESDAY = 'tuesday: {cron: "0 18 * * 2#2", call: survey}'


def flow(*schedules: str, zone: str = "Europe/Berlin") -> str:
    """The flow with these schedules."""
    return FLOW.replace("ZONE", zone).replace("SCHEDULES", "\n  ".join(schedules))


def test_a_cron_line_opens_a_scope_at_its_time_in_the_conversations_zone() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert await talk.at("2026-11-10 17:59") == []
        assert await talk.at("2026-11-10 18:00") == ["How was the lesson?"]
        turn = await talk.chat.say("good")
        assert turn.text.endswith("reply 2")
        assert await talk.at("2026-12-08 17:59") == []
        assert await talk.at("2026-12-08 18:00") == ["How was the lesson?"]

    played(flow(TUESDAY), "2026-11-09 09:00", steps, "Europe/Berlin")


def test_the_mark_is_committed_with_the_firing_and_the_opening() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-10 18:30")
        turn = await talk.chat.turn()
        kinds = [type(one).__name__ for one in turn.events]
        assert kinds[:3] == ["ScheduleDue", "ScheduleFired", "ScopeOpened"]
        assert kinds[-1] == "TurnEnded"
        (fired,) = await talk.fired()
        assert (fired.schedule, fired.due_ms, fired.did) == (
            "tuesday",
            moment("2026-11-10 18:00", "Europe/Berlin"),
            "called",
        )

    played(flow(TUESDAY), "2026-11-09 09:00", steps, "Europe/Berlin")


def test_every_second_week_counts_from_the_anchor() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        for day in range(70):
            await talk.at(f"{date(2026, 9, 2) + timedelta(days=day)} 23:00")
            if (await talk.chat.state()).outer:
                await talk.chat.say("fine")
        fired = [talk.local(one.due_ms) for one in await talk.fired()]
        assert fired == [f"2026-{day} 18:00" for day in ("09-15", "09-29", "10-13", "10-27", "11-10")]

    played(
        flow("fortnight: {every: 2w, anchor: 2026-09-01, at: '18:00', call: survey}"),
        "2026-09-02 09:00",
        steps,
        "Europe/Berlin",
    )


def test_idle_time_fires_once_for_a_silence() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert await talk.due("silent") == "2026-11-12 09:00"
        await talk.at("2026-11-20 09:00")
        assert await talk.due("silent") == ""
        await talk.chat.say("fine")
        assert await talk.due("silent") == "2026-11-23 09:00"
        assert [one.did for one in await talk.fired()] == ["called"]

    played(flow("silent: {idle: 3d, call: survey}", zone="UTC"), "2026-11-09 09:00", steps)


@pytest.mark.parametrize(
    ("day", "found"),
    [("2026-03-28", "2026-03-29 03:00"), ("2026-10-24", "2026-10-25 02:30")],
)
def test_a_time_that_is_not_there_comes_after_the_gap_and_one_that_is_there_twice_comes_first(
    day: str, found: str
) -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert await talk.due("night") == found
        await talk.at(f"{found[:10]} 12:00")
        assert [talk.local(one.due_ms) for one in await talk.fired()] == [found]
        if day == "2026-10-24":  # the first of both
            (fired,) = await talk.fired()
            assert fired.due_ms == moment("2026-10-25 00:30")

    played(flow("night: {at: '02:30', instruct: Be kind.}"), f"{day} 11:00", steps, "Europe/Berlin")


def test_quiet_hours_put_off_to_their_end() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert await talk.due("late") == "2026-11-10 08:00"
        assert await talk.at("2026-11-10 07:59") == []
        assert await talk.at("2026-11-10 08:00") == ["How was the lesson?"]
        (fired,) = await talk.fired()
        assert talk.local(fired.due_ms) == "2026-11-09 23:00"
        assert not fired.late

    played(flow("late: {at: '23:00', quiet: '22:00-08:00', call: survey}"), "2026-11-09 09:00", steps, "Europe/Berlin")


def test_a_process_that_comes_back_in_quiet_hours_waits_for_their_end() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert await talk.at("2026-11-09 23:30") == []
        assert await talk.due("evening") == "2026-11-10 08:00"
        assert await talk.at("2026-11-10 08:00") == ["How was the lesson?"]
        assert [one.did for one in await talk.fired()] == ["put_off", "called"]

    played(
        flow("evening: {at: '21:00', quiet: '22:00-08:00', call: survey}"), "2026-11-09 09:00", steps, "Europe/Berlin"
    )


@pytest.mark.parametrize(
    ("missed", "count", "did"), [("once", 1, "instructed"), ("each", 3, "instructed"), ("skip", 1, "nothing")]
)
def test_missed_times(missed: str, count: int, did: str) -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-12 12:00")  # three days later: 9th, 10th, 11th
        fired = await talk.fired()
        assert len(fired) == count
        assert {one.did for one in fired} == {did}
        assert sum(1 + one.missed for one in fired) == 3
        assert await talk.at("2026-11-12 12:01") == []
        assert len(await talk.fired()) == count

    played(
        flow(f"daily: {{at: '18:00', missed: {missed}, instruct: Ask.}}"), "2026-11-09 09:00", steps, "Europe/Berlin"
    )


def test_what_is_a_little_late_is_punctual_where_missed_times_are_skipped() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert await talk.at("2026-11-09 19:59") == ["How was the lesson?"]

    played(flow("daily: {at: '18:00', missed: skip, call: survey}"), "2026-11-09 09:00", steps, "Europe/Berlin")


def test_a_call_waits_for_a_pause_of_the_user() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-10 17:59")
        await talk.chat.say("one more thing")
        assert await talk.at("2026-11-10 18:00") == []
        assert await talk.due("tuesday") == "2026-11-10 18:01"
        assert await talk.at("2026-11-10 18:01") == ["How was the lesson?"]

    played(flow(TUESDAY), "2026-11-09 09:00", steps, "Europe/Berlin")


@pytest.mark.law("2.15")
def test_a_schedule_is_held_under_an_open_scope_and_comes_once_when_it_closed() -> None:
    both = (TUESDAY, 'note: {cron: "5 18 * * 2#2", call: other}')
    other = "  other: {scope: {returns: feedback}, form: {fields: [{field: feedback.mood, ask: Other?}]}}\nschedules:"

    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert await talk.at("2026-11-10 18:02") == ["How was the lesson?"]
        assert await talk.at("2026-11-10 23:00") == []
        await talk.chat.say("good")
        assert await talk.at("2026-11-10 23:01") == []  # the pause
        assert await talk.at("2026-11-10 23:02") == ["Other?"]
        assert [one.schedule for one in await talk.fired()] == ["tuesday", "note"]

    played(flow(*both).replace("schedules:", other), "2026-11-09 09:00", steps, "Europe/Berlin")


@pytest.mark.law("2.15")
def test_a_schedule_that_may_interrupt_comes_also_while_a_scope_is_open() -> None:
    both = (TUESDAY, 'note: {cron: "5 18 * * 2#2", call: other, interrupt: true}')
    other = "  other: {scope: {returns: feedback}, form: {fields: [{field: feedback.mood, ask: Other?}]}}\nschedules:"

    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-10 18:02")
        assert await talk.at("2026-11-10 18:05") == ["Other?"]

    played(flow(*both).replace("schedules:", other), "2026-11-09 09:00", steps, "Europe/Berlin")


def test_two_schedules_in_one_second_are_both_handled_the_one_of_the_lower_priority_first() -> None:
    both = ("b: {at: '18:00', call: survey}", "a: {at: '18:00', instruct: Ask., priority: 1, interrupt: true}")

    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-09 18:00")
        assert [one.schedule for one in await talk.fired()] == ["a", "b"]

    played(flow(*both), "2026-11-09 09:00", steps, "Europe/Berlin")


def test_what_is_due_stays_due_at_its_time_when_another_schedule_fired_first() -> None:
    """One look serves all that is due: the turn of the first does not arm the others for another moment."""
    due = ("a: {at: '18:00', instruct: A.}", "b: {at: '19:00', instruct: B.}", "c: {at: '20:00', instruct: C.}")

    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        talk.clock.set_ms(moment("2026-11-10 07:00", talk.zone))
        assert await talk.app.tick() == 3
        assert await talk.firings() == [f"2026-11-10 07:00 {name} instructed" for name in "abc"]
        came = [one.event.at_ms for one in await talk.chat.journal() if isinstance(one.event, e.ScheduleDue)]
        assert [talk.local(at_ms or 0)[11:] for at_ms in came] == ["18:00", "19:00", "20:00"]

    played(flow(*due), "2026-11-09 09:00", steps, "Europe/Berlin")


def test_a_text_stands_in_the_instructions_of_the_next_reply_only() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-10 18:00")
        await talk.chat.say("hi")
        await talk.chat.say("hi again")
        asked = [any("Please start a survey for Max." in part for part in one.instructions) for one in talk.model.calls]
        assert asked == [False, True, False]

    note = 'note: {cron: "0 18 * * 2#2", instruct: "Please start a survey for {{ user.name }}."}'
    played(flow(note), "2026-11-09 09:00", steps, "Europe/Berlin")


def test_a_text_that_nobody_needed_is_dropped_at_the_next_time() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-10 18:00")
        await talk.at("2026-12-08 18:00")
        await talk.chat.say("hi")
        texts = [part for part in talk.model.calls[-1].instructions if "survey" in part]
        assert texts == ["Ask for the survey."]

    note = 'note: {cron: "0 18 * * 2#2", instruct: Ask for the survey.}'
    played(flow(note), "2026-11-09 09:00", steps, "Europe/Berlin")


# the input of a period ---------------------------------------------------------------------------

PERIODS = 'tuesday: {cron: "0 18 * * 2", call: survey, with: {2026: {topic: a year}, 2026-11: {topic: November}, WEEK}}'


@pytest.mark.parametrize(
    ("week", "period", "topic"),
    [
        ("2025: {topic: old}", "2026-11", "November"),
        ("2026-W46: {topic: the week}", "2026-W46", "the week"),
        ("2026-11-10: {topic: the day}, 2026-W46: {topic: the week}", "2026-11-10", "the day"),
    ],
)
def test_the_most_specific_period_gives_the_input(week: str, period: str, topic: str) -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert await talk.at("2026-11-10 18:00") == [f"How was {topic}?"]
        (fired,) = await talk.fired()
        assert (fired.period, fired.input, fired.is_set) == (period, {"topic": topic}, False)

    played(flow(PERIODS.replace("WEEK", week)), "2026-11-09 09:00", steps, "Europe/Berlin")


def test_without_an_input_for_the_period_it_does_not_fire_and_says_so() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert await talk.at("2026-11-10 18:00") == []
        (fired,) = await talk.fired()
        assert (fired.did, fired.reason) == ("nothing", "no_input")

    only = 'tuesday: {cron: "0 18 * * 2", call: survey, with: {2027: {topic: later}}}'
    played(flow(only), "2026-11-09 09:00", steps, "Europe/Berlin")


def test_a_program_sets_the_input_of_a_period_while_the_flow_runs() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.app.set_schedule_input("tutor", "tuesday", "2026-11", {"topic": "what we set"}, by="Ann")
        assert await talk.at("2026-11-10 18:00") == ["How was what we set?"]
        (fired,) = await talk.fired()
        assert (fired.period, fired.input, fired.is_set) == ("2026-11", {"topic": "what we set"}, True)
        (known,) = await talk.app.schedule_inputs("tuesday")
        assert (known.period, known.by) == ("2026-11", "Ann")

    played(flow(TUESDAY), "2026-11-09 09:00", steps, "Europe/Berlin")


WRONG: list[tuple[tuple[str, str, str, dict[str, Any]], str]] = [
    (("other", "tuesday", "2026", {}), "flow must be 'tutor'"),
    (("tutor", "tusday", "2026", {}), "no schedule is called 'tusday'; did you mean 'tuesday'"),
    (("tutor", "tuesday", "2026-13", {}), "period must be a day"),
    (("tutor", "tuesday", "2026", {"topik": 1}), "takes no input 'topik'; did you mean 'topic'"),
    (("tutor", "note", "2026", {"topic": "x"}), "a schedule that opens or proposes a scope"),
]


@pytest.mark.parametrize(("arguments", "error"), WRONG)
def test_a_wrong_input_is_refused_where_it_is_set(arguments: tuple[str, str, str, Any], error: str) -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        with pytest.raises(tw.TurnwiseError, match=error):
            await talk.app.set_schedule_input(*arguments)

    played(flow(TUESDAY, "note: {at: '18:00', instruct: Ask.}"), "2026-11-09 09:00", steps)


# time zones, clocks, ends ------------------------------------------------------------------------


def test_a_time_zone_of_a_field_arms_the_times_anew() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert await talk.due("evening") == "2026-11-09 18:00"
        await talk.chat.commands([tw.commands.Set(field="user.zone", value="America/New_York")])
        assert (await talk.chat.state()).time_zone == "America/New_York"
        assert await talk.due("evening") == "2026-11-09 23:00"
        turn = await talk.chat.commands([tw.commands.Set(field="user.zone", value="Mars/Olympus")])
        assert "unknown_time_zone" in [one.code for one in turn.warnings]
        assert (await talk.chat.state()).time_zone == "America/New_York"

    played(flow("evening: {at: '18:00', call: survey}", zone='"{{ user.zone }}"'), "2026-11-09 09:00", steps)


def test_a_local_time_that_was_handled_does_not_come_again_in_another_zone() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.commands([tw.commands.Set(field="user.zone", value="Europe/Berlin")])
        await talk.at("2026-11-09 17:30")  # 18:30 in Berlin
        await talk.chat.commands([tw.commands.Set(field="user.zone", value="America/New_York")])
        assert await talk.due("evening") == "2026-11-10 23:00"

    played(flow("evening: {at: '18:00', instruct: Ask.}", zone='"{{ user.zone }}"'), "2026-11-09 09:00", steps)


def test_a_clock_that_jumps_a_day_forward_and_back_handles_each_time_once() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-10 17:00")  # the 9th
        await talk.at("2026-11-09 17:00")
        await talk.at("2026-11-10 17:30")
        await talk.at("2026-11-10 19:00")  # the 10th
        fired = [talk.local(one.due_ms) for one in await talk.fired()]
        assert fired == ["2026-11-09 18:00", "2026-11-10 18:00"]

    played(flow("evening: {at: '18:00', instruct: Ask.}", zone="UTC"), "2026-11-09 09:00", steps)


def test_a_conversation_that_ended_gets_nothing() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.chat.say("bye")
        assert (await talk.chat.state()).due_timers == ()
        assert await talk.at("2026-12-30 18:00") == []

    ends = "chat: {prompt: You are Maya., transitions: [{at: before, when: 'message.text == \"bye\"', end: over}]}"
    text = flow(TUESDAY).replace("chat: {prompt: You are Maya.}", ends)
    played(text, "2026-11-09 09:00", steps, "Europe/Berlin")


def test_what_fired_does_not_fire_again_after_an_undo() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-10 18:00")
        await talk.chat.undo()
        assert not (await talk.chat.state()).outer
        assert await talk.due("tuesday") == "2026-12-08 18:00"

    played(flow(TUESDAY), "2026-11-09 09:00", steps, "Europe/Berlin")


def test_a_schedule_fired_before_its_time_does_not_use_up_its_time() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        turn = await talk.chat.fire("tuesday")
        assert turn.text == "How was the lesson?"
        (fired,) = [one for one in turn.events if isinstance(one, e.ScheduleFired)]
        assert fired.by == "the program"
        turn = await talk.chat.fire("tuesday")
        assert [one.reason for one in turn.events if isinstance(one, e.ScheduleFired)] == ["held"]
        await talk.chat.say("good")
        assert await talk.due("tuesday") == "2026-11-10 18:00"
        turn = await talk.chat.fire("tusday")
        assert turn.refused == "unknown_timer"

    played(flow(TUESDAY), "2026-11-09 09:00", steps, "Europe/Berlin")


def test_a_schedule_of_a_later_version_reaches_conversations_that_are_migrated() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        newer = tw.open(
            tw.loads(
                flow(TUESDAY, "note: {at: '09:00', instruct: Ask.}").replace("flow: tutor", "flow: tutor\nversion: 2")
            ),
            store=talk.app.runtime.store,
            clock=talk.clock,
            model=talk.model,
        )
        await talk.at("2026-11-10 08:00")
        assert (await newer.migrate(dry_run=True)).schedules == {"note": 1}
        assert await talk.due("note") == ""
        moved = await newer.migrate()
        assert (moved.moved, moved.schedules) == (1, {"note": 1})
        assert await talk.due("note") == "2026-11-10 09:00"
        assert await talk.due("tuesday") == "2026-11-10 18:00"
        talk.clock.set_ms(moment("2026-11-10 18:00", "Europe/Berlin"))
        assert await newer.tick() == 2
        assert [one.schedule for one in await talk.fired()] == ["note", "tuesday"]
        assert (await newer.chat("main").rerun()).agrees

    async def run_again(talk: Clocked) -> None:
        await steps(talk)
        talk.chat = talk.app.chat("other")  # the app of the first version cannot run the migrated one again
        await talk.chat.start()

    played(flow(TUESDAY), "2026-11-09 09:00", run_again, "Europe/Berlin")


@pytest.mark.law("2.15")
def test_an_autonomous_run_pauses_between_two_nodes() -> None:
    text = """
flow: run
start: first
autonomous: true
nodes:
  first: {prompt: Begin., transitions: [{to: pause}]}
  pause: {transitions: [{at: timer, in: 2h, to: second}]}
  second: {prompt: Go on., end: done}
"""

    async def steps(talk: Clocked) -> None:
        turns = await talk.chat.run()
        assert next(turn.text for turn in turns) == "reply 1"
        assert (await talk.chat.state()).node == "pause"
        assert await talk.at("2026-11-09 10:59") == []
        assert await talk.at("2026-11-09 11:00") == ["reply 2"]
        assert (await talk.chat.turn()).status == "ended"

    played(text, "2026-11-09 09:00", steps)


# offers ------------------------------------------------------------------------------------------

OFFERED = (
    'tuesday: {cron: "0 18 * * 2#2", offer: survey, opener: "Hi {{ user.name }}! A minute for a survey?", missed: each}'
)


@pytest.mark.law("6.5")
@pytest.mark.requirement("003-21", "003-52")
def test_a_schedule_proposes_its_scope_and_a_yes_opens_it_with_the_input_of_the_period() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert await talk.at("2026-11-10 18:00") == ["Hi Max! A minute for a survey?"]
        (fired,) = await talk.fired()
        assert (fired.did, fired.scope) == ("offered", "survey")
        turn = await talk.chat.say("sure")
        assert turn.text == "How was the verbs?"
        assert "schedule tuesday" in str(await talk.chat.why("turn 2"))

    offered = OFFERED.replace("missed: each}", "with: {2026-11: {topic: the verbs}}}")
    played(flow(offered), "2026-11-09 09:00", steps, "Europe/Berlin")


@pytest.mark.law("6.5")
def test_many_missed_times_make_one_offer() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert await talk.at("2027-02-01 18:00") == ["Hi Max! A minute for a survey?"]
        assert [(one.did, one.missed) for one in await talk.fired()] == [("offered", 2)]

    played(flow(OFFERED), "2026-11-09 09:00", steps, "Europe/Berlin")


@pytest.mark.law("6.5")
def test_an_offer_waits_while_a_form_asks() -> None:
    forms = "  chat: {form: {fields: [{field: user.name, ask: Who are you?}]}, transitions: [{to: after}]}\n  after: {prompt: Talk.}"
    text = flow(OFFERED).replace("  chat: {prompt: You are Maya.}", forms).replace("string, default: Max}", "string}")

    async def steps(talk: Clocked) -> None:
        await talk.chat.start()
        assert await talk.at("2026-11-10 18:00") == []
        stands = (await talk.chat.why("tuesday")).facts[0]
        assert "a form asks a question" in stands.text
        await talk.chat.commands([tw.commands.Set(field="user.name", value="Ada")])
        assert "Hi Ada! A minute for a survey?" in await talk.at("2026-11-10 18:30")

    played(text, "2026-11-09 09:00", steps, "Europe/Berlin")


def test_a_time_zone_that_the_system_no_longer_knows_counts_as_utc_and_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    from turnwise.core import zones

    def forgotten(name: str) -> NoReturn:
        raise KeyError(name)

    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert await talk.due("evening") == "2026-11-09 18:00"
        monkeypatch.setattr(zones, "named_zone", forgotten)
        await talk.at("2026-11-09 18:00")
        turn = await talk.chat.turn()
        assert [one.code for one in turn.warnings] == ["unknown_time_zone"]
        assert await talk.due("evening") == "2026-11-09 19:00"  # 18:00 in UTC, which is another time
        monkeypatch.undo()
        talk.chat = talk.app.chat("other")  # this one runs again as it ran only with the zones of its time
        await talk.chat.start()

    played(flow("evening: {at: '18:00', instruct: Ask.}"), "2026-11-09 09:00", steps, "Europe/Berlin")
