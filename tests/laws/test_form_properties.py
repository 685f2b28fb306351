"""What holds for every form and every conversation with one, tried with many (sections 5 and 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.chats import Talk, machine_of, talk
from turnwise.core.commands import accept
from turnwise.core.forms import active_questions, is_answered, is_stop, missing
from turnwise.core.language import is_question, language_of
from turnwise.core.language.answers import is_courtesy, plain_answer
from turnwise.core.state import Failed
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.values import Refused
from turnwise.runner.result import Turn

FLOW = """
    flow: everything
    start: ask
    language: {language}
    commands: [ask, set, undo]
    records:
      user:
        kind: {{type: choice, options: {{Person: [man, woman], Firm: [company]}}}}
        size: {{type: choice, options: [small, large], default: small}}
        staff: {{type: integer, min: 1, max: 9000}}
        seats: {{type: integer, validate: user.seats <= user.staff || !has(user.staff), refuse: Too many.}}
        tags: {{type: list, of: string, max: 4}}
        pets: {{type: list, options: [cat, dog]}}
        member: {{type: boolean}}
        day: {{type: date}}
        name: {{type: string}}
        pin: {{type: string, secret: true}}
        colour: {{type: string}}
    nodes:
      ask:
        form:
          fields:
            - {{field: user.kind, ask: Person or firm?, match: direct}}
            - {{field: user.size, ask: Which size?, ask_when: user.kind == "Firm"}}
            - {{field: user.staff, ask: How many?, ask_when: user.size == "large", stop: {{values: ["13"], say: No.}}}}
            - {{field: user.seats, ask: How many seats?, rephrase: [Seats?], then: hand_over}}
            - {{field: user.tags, ask: Tags?, required: false}}
            - {{field: user.pets, ask: Pets?, required: false, stop: {{values: [dog]}}}}
            - {{field: user.member, ask: A member?, required: false, rephrase: [Member?], then: skip}}
            - {{field: user.day, ask: Which day?, required: false, ask_when: user.member}}
            - {{field: user.name, ask: Your name?, match: model}}
            - {{field: user.pin, ask: PIN?, asked: false, required: false}}
            - {{field: user.colour, ask: Colour?, options: [red, blue], other: true, required: false}}
          statement: "{{{{ user.kind }}}} {{{{ user.staff }}}}"
          confirm: {{edit: {edit}}}
          acknowledge: "{{{{ form.number }}}} of {{{{ form.total }}}}"
"""
MACHINES = {
    (language, edit): machine_of(FLOW.format(language=language, edit=edit))
    for language in ("en", "de")
    for edit in ("chooser", "first")
}
FORM = MACHINES["en", "chooser"].nodes["ask"].form
assert FORM is not None
FIELDS = tuple(question.address for question in FORM.questions)

VALUES: dict[str, tuple[Any, ...]] = {
    "user.kind": ("Person", "Firm"),
    "user.size": ("small", "large"),
    "user.staff": (1, 20, 300, 13),
    "user.seats": (1, 25, 400),
    "user.tags": (["a"], ["b", "c"]),
    "user.pets": (["cat"], ["cat", "dog"]),
    "user.member": (True, False),
    "user.day": ("2026-05-01", "2026-06-02"),
    "user.name": ("Ann", "Bob"),
    "user.pin": ("1", "2"),
    "user.colour": ("red", "mauve"),
}
fields = st.sampled_from(FIELDS)
junk = st.one_of(st.none(), st.booleans(), st.integers(-5, 10_000), st.text(max_size=8), st.just([]), st.just(["x"]))
setting = fields.flatmap(lambda name: st.builds(c.Set, field=st.just(name), value=st.sampled_from(VALUES[name])))
settings_of_any_kind = st.one_of(
    setting,
    st.builds(c.Set, field=st.one_of(fields, st.just(""), st.just("user.none")), value=junk),
    st.builds(c.Clear, field=fields),
    st.builds(c.Add, field=fields, item=junk),
    st.builds(c.Remove, field=fields, item=junk),
)
harmless = st.one_of(
    st.builds(c.Affirm),
    st.builds(c.Edit, field=st.one_of(st.just(""), fields)),
    st.builds(c.Skip),
    st.builds(c.Help, field=st.one_of(st.just(""), fields)),
    st.builds(c.Repeat),
    st.builds(c.Wait),
    st.builds(c.Ask, text=st.just("Why?")),
)
leaving = st.one_of(st.builds(c.Cancel), st.builds(c.HandOver), st.builds(c.Restart), st.builds(c.Undo))
anything = st.one_of(settings_of_any_kind, harmless, st.builds(c.Deny), leaving)

PHRASES = sorted(phrase for some in language_of("en").phrases.values() for phrase in some)
words = st.sampled_from(
    [*PHRASES, "Person", "firm", "large", "20", "red", "mauve", "cat and dog", "yesterday", "not", "ok"]
)
messages = st.one_of(
    st.text(max_size=30),
    st.builds(lambda parts, joint: joint.join(parts), st.lists(words, min_size=1, max_size=4), st.sampled_from([", ", " ", ". ", " and ", "? ", "!"])),
)  # fmt: skip
inputs = st.one_of(
    st.tuples(st.just("say"), messages, st.lists(anything, max_size=3)),
    st.tuples(st.just("press"), st.integers(0, 8), st.just([])),
    st.tuples(st.just("commands"), st.just(""), st.lists(anything, max_size=3)),
)


def opened(language: str = "en", edit: str = "chooser") -> Talk:
    made = talk(MACHINES[language, edit])
    made.chat.start()
    return made


def fill(made: Talk, values: dict[str, Any]) -> Turn:
    return made.chat.commands([c.Set(field=name, value=value) for name, value in values.items()])


def say(made: Talk, text: str, commands: Sequence[c.AnyCommand] = ()) -> Turn:
    made.understanding.plan.clear()
    made.understanding.plan.append(commands)
    return made.chat.say(text)


def act(made: Talk, turn: Turn, one: tuple[str, Any, list[c.AnyCommand]]) -> Turn:
    """One input; a button is one that is offered, so that it must be taken."""
    kind, what, commands = one
    match kind:
        case "say":
            done = say(made, what, commands)
        case "press" if turn.buttons:
            done = made.chat.choose(turn.buttons[what % len(turn.buttons)], position=turn.position)
            assert not done.refused, f"{turn.buttons} were offered"
            assert "stale_button" not in {warning.code for warning in done.warnings}
        case _:
            done = made.chat.commands(commands)
    return turn if done.refused else done


def known(turn: Turn) -> dict[str, Any]:
    """Every answer, the inactive ones too."""
    return {name: found.value for name, found in (turn.state.values | turn.state.shelved).items()}


some_values = st.dictionaries(fields, st.none(), min_size=1).flatmap(
    lambda names: st.fixed_dictionaries({name: st.sampled_from(VALUES[name]) for name in names})
)
full_values = st.fixed_dictionaries(
    {name: st.sampled_from([value for value in VALUES[name] if value not in (13, ["cat", "dog"])]) for name in FIELDS}
)


@pytest.mark.law("5.7", "5.8")
@given(some_values, st.lists(st.tuples(messages, st.lists(harmless, max_size=3)), max_size=6))
def test_a_form_never_loses_an_answer_to_messages_that_set_nothing(
    values: dict[str, Any], said: list[tuple[str, list[c.AnyCommand]]]
) -> None:
    made = opened()
    turn = fill(made, values)
    for text, commands in said:
        before = known(turn)
        done = say(made, text, commands)
        if done.refused:
            continue
        undone = {"restart", "undo", "deny"} & {
            event.command for event in done.events if isinstance(event, e.CommandApplied)
        }
        given = {event.field for event in done.events if isinstance(event, e.FieldSet)}
        if not undone:
            assert {k: v for k, v in before.items() if k not in given} == {
                k: v for k, v in known(done).items() if k not in given
            }
        turn = done


@pytest.mark.law("5.5")
@given(full_values, messages, st.sampled_from(["en", "de"]))
def test_no_message_confirms_unless_every_part_of_it_does(values: dict[str, Any], text: str, language: str) -> None:
    made = opened(language)
    turn = fill(made, values)
    turn = say(made, text) if turn.state.frame.form.status == "awaiting_confirmation" else turn
    if turn.state is not None and turn.state.frame.form.status == "confirmed":
        words_of, text = language_of(language), turn.events[0].text
        parts = words_of.parts(text)
        assert not is_question(text)
        assert parts
        assert all(plain_answer(words_of, part) or is_courtesy(words_of, part) for part in parts)


@pytest.mark.law("5.5", "7.5")
@given(full_values, st.lists(anything, max_size=4), st.sampled_from(["understood", "command"]))
def test_no_commands_confirm_but_a_yes_alone_or_beside_a_question(
    values: dict[str, Any], commands: list[c.AnyCommand], by: str
) -> None:
    made = opened()
    turn = fill(made, values)
    if turn.state.frame.form.status != "awaiting_confirmation":
        return
    turn = say(made, "well, as I said", commands) if by == "understood" else made.chat.commands(commands)
    is_yes = any(isinstance(command, c.Affirm) for command in commands)
    is_alone = all(isinstance(command, c.Affirm | c.Ask) for command in commands)
    assert (turn.state.frame.form.status == "confirmed") == (is_yes and is_alone)


@pytest.mark.law("5.6", "5.7")
@given(full_values, fields, st.data())
def test_an_edit_keeps_all_other_answers(values: dict[str, Any], name: str, data: st.DataObject) -> None:
    made = opened(edit=data.draw(st.sampled_from(["chooser", "first"])))
    before = known(fill(made, values))
    new = data.draw(st.sampled_from(VALUES[name]))
    ways: list[list[c.AnyCommand]] = [
        [c.Set(field=name, value=new)],
        [c.Deny(), c.Set(field=name, value=new)],
        [c.Edit(field=name), c.Set(field=name, value=new)],
    ]
    turn = made.chat.commands(data.draw(st.sampled_from(ways)))
    refused = {event.field for event in turn.events if isinstance(event, e.CommandRefused)}
    after = known(turn)
    assert {k: v for k, v in after.items() if k != name} == {k: v for k, v in before.items() if k != name}
    assert after.get(name) == (before.get(name) if name in refused else new)


@pytest.mark.law("5.4", "7.1")
@given(st.permutations(list(VALUES)), st.data())
def test_values_come_out_the_same_whatever_their_order_where_all_are_valid(
    order: list[str], data: st.DataObject
) -> None:
    values = {name: data.draw(st.sampled_from(VALUES[name])) for name in sorted(order)}
    values["user.staff"], values["user.seats"] = 300, 25
    one, other = opened(), opened()
    first = fill(one, {name: values[name] for name in sorted(order)})
    second = fill(other, {name: values[name] for name in order})
    assert known(first) == known(second)
    assert first.state.values.keys() == second.state.values.keys()
    assert first.state.frame.form.status == second.state.frame.form.status


def check(turn: Turn) -> None:
    """What holds after every turn."""
    state = turn.state
    run = state.frame.form
    machine = turn.machine
    form = machine.nodes["ask"].form
    for name, found in state.values.items():
        question = form.by_address[name]
        assert accept(machine, state, name, found.value, question) == found.value, "a value is one that is accepted"
    applying = {question.address for question in active_questions(form, state)}
    assert state.values.keys() <= applying, "an answer that does not apply is inactive"
    stops = [q for q in form.questions if is_answered(run, state, q.address) and q.stop_values]
    is_stopped = any(is_stop(question, state.values[question.address].value) for question in stops)
    assert (run.status == "stopped") == is_stopped or run.status in ("cancelled", "handed_off", "confirmed")
    if run.status == "collecting":
        assert run.asked in applying or (run.editing == "chooser" and not run.asked)
    if run.status in ("awaiting_confirmation", "confirmed"):
        assert not missing(form, run, state)
    assert set(run.walk) <= applying
    assert not isinstance(state.status, Failed)
    secret = state.values.get("user.pin")
    others = [found.value for name, found in state.values.items() if name != "user.pin"]
    is_told_apart = secret is not None and len(secret.value) >= 3 and secret.value not in str(others)
    assert not is_told_apart or secret.value not in str(turn.form), "a secret is told nowhere"


@pytest.mark.law("5.1", "5.3", "5.4", "7.1")
@given(st.sampled_from(["chooser", "first"]), st.lists(inputs, min_size=1, max_size=12))
def test_whatever_is_said_values_stay_valid_and_every_button_works(
    edit: str, given_: list[tuple[str, Any, list[c.AnyCommand]]]
) -> None:
    made = opened(edit=edit)
    turn = made.chat.commands([])
    for one in given_:
        turn = act(made, turn, one)
        check(turn)
        if turn.outcome:
            break
    assert made.chat.replay()


@pytest.mark.law("6.9")
@given(st.lists(inputs, min_size=1, max_size=6))
def test_undo_gives_the_state_before_the_turn(given_: list[tuple[str, Any, list[c.AnyCommand]]]) -> None:
    made = opened()
    turn = made.chat.commands([])
    for one in given_:
        before = turn.state
        done = act(made, turn, one)
        if done is turn or any(isinstance(event, e.Undone | e.StateRecalled) for event in done.events):
            return
        undone = made.chat.undo()
        assert undone.number == done.number + 1
        assert undone.state.values == before.values
        assert undone.state.shelved == before.shelved
        assert undone.state.frame.form == before.frame.form
        assert made.chat.replay()
        turn = made.chat.undo(to=done.number)
        assert turn.state.values == done.state.values
        assert turn.state.frame.form == done.state.frame.form
        if turn.outcome:
            return


@pytest.mark.law("5.3")
@given(some_values)
def test_a_value_that_the_reader_refuses_is_never_an_answer(values: dict[str, Any]) -> None:
    made = opened()
    turn = fill(made, dict.fromkeys(values, "§ no such thing §"))
    for name, found in turn.state.values.items():
        question = turn.machine.nodes["ask"].form.by_address[name]
        assert not isinstance(accept(turn.machine, turn.state, name, found.value, question), Refused)
