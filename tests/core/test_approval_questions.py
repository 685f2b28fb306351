"""The question of an author for the approval of a tool's calls: its placeholders, its faults, and where it is shown."""

from __future__ import annotations

import pytest

import turnwise as tw
from support.chats import OneSyncChat, flow_of
from turnwise.authoring.python_text import write_python
from turnwise.authoring.yaml_text import write_yaml
from turnwise.core.link import link_with_diagnostics
from turnwise.server.views.approvals import waiting_calls
from turnwise.server.views.redaction import Redaction

BANK = """
    flow: bank
    start: desk
    language: {language}
    records: {{user: {{name: string, code: {{type: string, secret: true}}}}}}
    tools:
      send:
        about: send money
        kind: effect
        {confirm}
        ask: "{ask}"
        args: {{to: string, amount: number, day: {{type: date, optional: true}}}}
    nodes: {{desk: {{prompt: "Help {{{{ user.name }}}}.", collect: [user.name, user.code], tools: {{allow: [send]}}}}}}
"""


def bank(ask: str, *, language: str = "en", confirm: str = "confirm: true") -> tw.Flow:
    """A flow with one tool that asks so."""
    return flow_of(BANK.format(ask=ask, language=language, confirm=confirm))


def sent(**_: object) -> str:
    """The tool."""
    return "sent"


@pytest.mark.parametrize(
    ("ask", "confirm", "code", "message", "hint"),
    [
        ("Send {{ ammount }}?", "confirm: true", "TW031", "nothing is called 'ammount'", "did you mean 'amount'?"),
        ("Send {{ user.nam }}?", "confirm: true", "TW031", "'user' has no field 'nam'", "did you mean 'name'?"),
        ("{{ to | currency: EUR }}?", "confirm: true", "TW038", "the format 'currency' is for", ""),
        ("Send {{ amount ?", "confirm: true", "TW037", "this", "close it"),
        ("With {{ user.code }}?", "confirm: true", "TW047", "this is a secret", ""),
        ("Send {{ amount }}?", "timeout: 9s", "TW093", "'send' has 'ask', and its calls are made without", "add"),
    ],
)
def test_a_wrong_question_is_reported_where_it_stands(
    ask: str, confirm: str, code: str, message: str, hint: str
) -> None:
    _, found = link_with_diagnostics(bank(ask, confirm=confirm))
    (one,) = [diagnostic for diagnostic in found if diagnostic.code == code]
    assert one.message.startswith(message)
    assert one.hint.startswith(hint)
    assert one.span.line == 11


@pytest.mark.law("4.5")
@pytest.mark.parametrize(
    ("language", "ask", "asked"),
    [
        ("en", "Send {{ amount }} to {{ to }}{{ has(day) ? ' on a day' : '' }}?", "Send 1234.5 to Bo?"),
        ("en", "{{ to }} on {{ day }}?", "Bo on ?\n- amount: 1234.5"),
        ("de", "{{ to }} {{ amount | currency: EUR }} senden?", "Bo 1.234,50 € senden?"),
        ("de", "Senden?", "Senden?\n- to: Bo\n- amount: 1234,5"),
        ("en", "{{ amount > 1000 ? 'A lot' : 'A little' }} for {{ to }}?", "A lot for Bo?"),
    ],
)
def test_a_question_is_written_in_the_language_of_the_flow(language: str, ask: str, asked: str) -> None:
    model = tw.ScriptedModel([tw.call("send", to="Bo", amount=1234.5)])
    with OneSyncChat(bank(ask, language=language), model=model, tools={"send": sent}) as chat:
        turn = chat.say("Go on")
        assert turn.text == asked
        assert [button.value for button in turn.buttons] == ["affirm", "deny"]


def test_a_client_gets_the_question_of_every_call_in_parts() -> None:
    model = tw.ScriptedModel([[tw.call("send", to="Bo", amount=5), tw.call("send", to="Cy", amount=7)]])
    with OneSyncChat(bank("Send {{ amount }} to {{ to }}?"), model=model, tools={"send": sent}) as chat:
        state = chat.say("Go on").state
        first, second = waiting_calls(chat.machine, state, Redaction(chat.machine, [state], []))
    assert "".join(part.text for part in first.question) == "Send 5 to Bo?"
    assert [(part.text, part.arguments, part.is_value) for part in second.question] == [
        ("Send ", (), False),
        ("7", ("amount",), True),
        (" to ", (), False),
        ("Cy", ("to",), True),
        ("?", (), False),
    ]


def test_a_program_declares_a_question_and_writes_it_back() -> None:
    @tw.tool(kind="effect", confirm=True, ask="Pay {{ amount }}?")
    def pay(amount: float) -> str:
        """Pay a bill."""
        return f"paid {amount}"

    node = tw.Node("desk", prompt="Help.", tools=tw.ToolPolicy(allow=[pay]))
    flow = tw.Flow("bank", "desk", tools=[pay], nodes=[node])
    assert flow.tools[0].ask == "Pay {{ amount }}?"
    assert 'ask="Pay {{ amount }}?"' in write_python(flow)
    assert tw.loads(write_yaml(flow)).tools[0].ask == "Pay {{ amount }}?"
