"""Engines of the Common Expression Language against a Python lambda; microseconds per evaluation.

    .bench/venvs/base/bin/python benchmarks/cel_bench.py

Compiled once and compiled every time, one condition and five. Prints JSON lines.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import common as c
import worker

EXPRESSION = "fields.age >= 38 && has(fields.name)"
RULES = [
    "fields.angry == true",
    "!has(fields.age)",
    "!has(fields.name) || fields.name == ''",
    "fields.plan == 'pro' && fields.age >= 65",
    "fields.age >= 38 && has(fields.name) && size(text) > 0",
]
FEW = {"fields": c.FIELDS, "text": c.REPLY}
MANY = {"fields": {**c.FIELDS, **{f"f{number}": "v" * 40 for number in range(50)}}, "text": c.REPLY}
LONG = {**FEW, "history": [{"role": "user", "content": "x" * 200, "n": number} for number in range(100)]}


def bench(what: str, function: Callable[[], Any]) -> None:
    """Measure and print."""
    samples = [seconds * 1e6 for seconds in worker.calls(function, repeats=9, least_s=0.1)]
    median, least, most = (round(value, 3) for value in (statistics.median(samples), min(samples), max(samples)))
    print(json.dumps({"what": what, "us": median, "min": least, "max": most}), flush=True)


def python() -> None:
    """The limits."""
    code = compile("fields['age'] >= 38 and 'name' in fields", "rule", "eval")
    bench("python lambda (limit)", lambda: c.FIELDS["age"] >= 38 and "name" in c.FIELDS)
    bench("python lambda, 5 rules (limit)", lambda: c.evaluate_rules(c.FIELDS, c.REPLY))
    bench("python eval of a code object", lambda: eval(code, {"__builtins__": {}}, {"fields": c.FIELDS}))


def common_expression_language() -> None:
    """The engine in Rust."""
    import cel

    title = f"common-expression-language {metadata.version('common-expression-language')}"
    program = cel.compile(EXPRESSION)
    assert program.execute(FEW) is True
    bench(f"{title}: compile once, execute (5 fields)", lambda: program.execute(FEW))
    bench(f"{title}: compile once, execute (55 fields in context)", lambda: program.execute(MANY))
    bench(f"{title}: compile once, execute (+100-message list in context)", lambda: program.execute(LONG))
    kept, kept_many = cel.Context(variables=FEW), cel.Context(variables=MANY)
    assert program.execute(kept) is True
    bench(f"{title}: compile once, execute with a kept Context object", lambda: program.execute(kept))
    bench(f"{title}: kept Context, 55 fields", lambda: program.execute(kept_many))
    bench(f"{title}: compile + execute every time", lambda: cel.evaluate(EXPRESSION, FEW))
    bench(f"{title}: compile only", lambda: cel.compile(EXPRESSION))
    programs = [cel.compile(rule) for rule in RULES]
    assert [each.execute(FEW) for each in programs] == [False, False, False, False, True]
    bench(f"{title}: 5 rules, dict context", lambda: [each.execute(FEW) for each in programs])
    bench(f"{title}: 5 rules, kept Context", lambda: [each.execute(kept) for each in programs])

    def fresh() -> list[Any]:
        context = cel.Context(variables=FEW)
        return [each.execute(context) for each in programs]

    bench(f"{title}: 5 rules, one new Context per turn", fresh)


def cel_python(runner: str) -> None:
    """The engine in Python, interpreting or compiling."""
    import celpy

    title = f"cel-python {metadata.version('cel-python')} {runner}"
    environment = celpy.Environment(runner_class=getattr(celpy, runner))
    program = environment.program(environment.compile(EXPRESSION))
    activation = {"fields": celpy.json_to_cel(c.FIELDS), "text": celpy.json_to_cel(c.REPLY)}
    assert program.evaluate(activation)

    def converted() -> Any:
        return program.evaluate({"fields": celpy.json_to_cel(c.FIELDS)})

    bench(f"{title}: compile once, evaluate, activation kept", lambda: program.evaluate(activation))
    bench(f"{title}: compile once, evaluate, json_to_cel each time", converted)
    bench(f"{title}: compile only", lambda: environment.program(environment.compile(EXPRESSION)))
    programs = [environment.program(environment.compile(rule)) for rule in RULES]
    bench(f"{title}: 5 rules, activation kept", lambda: [each.evaluate(activation) for each in programs])


def main() -> None:
    """Measure engine after engine."""
    python()
    common_expression_language()
    for runner in ("InterpretedRunner", "CompiledRunner"):
        try:
            cel_python(runner)
        except Exception as error:
            print(json.dumps({"what": f"cel-python {runner}", "failed": f"{type(error).__name__}: {error}"[:300]}))


if __name__ == "__main__":
    main()
