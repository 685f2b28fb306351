"""How many functions of the package the answer about a field calls: a figure without noise, which must not grow."""

from __future__ import annotations

import subprocess
import sys

from support.shell import environment

FIRST, WARM = 3000, 1550
"""The most calls of the first answer of a process, with all that it imports, and of the same one asked again."""
MEASURED = """
import asyncio, sys
import turnwise as tw

FLOW = '''
flow: intake
start: ask
language: en
records:
  case:
    known: {type: choice, options: ["Yes", "No", Unknown], about: whether it is known}
    purpose: {type: choice, options: [Referral, Billing], about: the purpose}
nodes:
  ask:
    form:
      fields:
        - {field: case.known, ask: "Is it known?"}
        - {field: case.purpose, ask: "What is it for?"}
      confirm: {}
    transitions:
      - {id: expert, at: before, when: case.purpose == "Referral", because: a referral needs an expert, to: expert}
      - {id: done, at: after, when: form.status == "confirmed", because: it was confirmed, to: done}
  expert: {say: An expert looks at it., end: expert}
  done: {say: Thank you., end: done}
'''

async def counted(chat):
    calls = 0
    def count(frame, event, _argument):
        nonlocal calls
        calls += event == "call" and "turnwise" in frame.f_code.co_filename
    sys.setprofile(count)
    answer = await chat.why("case.known")
    sys.setprofile(None)
    assert answer.line == "case.known was set to No, answered by the user"
    return calls

async def main():
    async with tw.open(tw.loads(FLOW)) as app:
        chat = app.chat("a")
        await chat.say("hello")
        await chat.say("No")
        print(await counted(chat), await counted(chat))

asyncio.run(main())
"""


def test_the_answer_about_a_field_calls_few_functions() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", MEASURED], capture_output=True, text=True, env=environment(), timeout=60, check=True
    )
    first, warm = map(int, ran.stdout.split())
    assert first <= FIRST
    assert warm <= WARM
