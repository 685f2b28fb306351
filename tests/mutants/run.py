"""Whether every mutant is caught by a test of its law.

Each is applied to a copy of the sources, on which only the tests that name its law are run, up to the first that
fails. A mutant is *caught* if one fails, *survived* if none does, and *broken* if it cannot be told: it does not fit,
does not import, no test names its law, or the tests do not end. The end is 0 only if all were caught.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory

from catalogue import ROOT, SOURCES, TESTS, Mutant, files_of_laws, mutants

CAUGHT, SURVIVED, BROKEN = "caught", "SURVIVED", "BROKEN"
_TIMEOUT_S = 300
_ENDS = {0: SURVIVED, 1: CAUGHT}
_FAILED = re.compile(r"^FAILED (\S+::)?([^ ]+)", re.MULTILINE)


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant, how long it took, and the test that caught it or the reason."""

    mutant: Mutant
    what: str
    seconds: float
    because: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the mutants and tell of each; 1 unless all were caught."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=1, help="how many run at once")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="mutants with such names, as `law-5-*`")
    asked = parser.parse_args(arguments)
    chosen = [one for one in mutants() if fnmatch(one.name, asked.only)]
    if not chosen:
        print(f"no mutant is called like '{asked.only}'")
        return 1
    if failing := _without_any(sorted({one.law for one in chosen})):
        print(f"the tests fail without any mutant:\n{failing}")
        return 1
    outcomes: list[Outcome] = []
    with ThreadPoolExecutor(asked.jobs) as pool:
        for number, outcome in enumerate(pool.map(tried, chosen), 1):
            outcomes.append(outcome)
            print(_line(outcome, f"{number}/{len(chosen)}"), flush=True)
    return _summed_up(outcomes)


def tried(mutant: Mutant) -> Outcome:
    """Try one mutant on a copy of the sources."""
    began = time.monotonic()
    try:
        text = mutant.patched()
    except ValueError as error:
        return Outcome(mutant, BROKEN, 0, str(error))
    with TemporaryDirectory(prefix="mutant-") as folder:
        copied = _copy(Path(folder))
        path = copied.parent / mutant.file
        path.write_text(text, "utf-8")
        for stale in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            stale.unlink()
        what, because = _test(copied, [mutant.law], "--patched", mutant.module)
    return Outcome(mutant, what, time.monotonic() - began, because)


def _without_any(laws: Sequence[str]) -> str:
    """What fails in the tests of these laws as the sources are; empty if nothing does."""
    with TemporaryDirectory(prefix="mutant-") as folder:
        what, because = _test(_copy(Path(folder)), laws)
    return "" if what == SURVIVED else because


def _copy(folder: Path) -> Path:
    """The sources in another folder, beside the examples."""
    copied = Path(shutil.copytree(SOURCES, folder / "src"))
    (folder / "examples").symlink_to(ROOT / "examples")
    return copied


def _test(sources: Path, laws: Sequence[str], *more: str) -> tuple[str, str]:
    """The outcome of the tests of some laws on these sources, and the reason."""
    files = {str(path): None for law in laws for path in files_of_laws().get(law, ())}
    if not files:
        return BROKEN, f"no test names law {laws[0]}"
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-rf", "--no-header"]
    command += ["-p", "no:cacheprovider", "-p", "no:requirements", "-p", "no:xdist", "-p", "plugins.laws"]
    command += ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "--sources", str(sources), *more]
    command += [part for law in laws for part in ("--law", law)]
    path = os.pathsep.join([str(sources), str(TESTS)])
    environment = {**os.environ, "PYTHONPATH": path, "COLUMNS": "300"}
    try:
        done = subprocess.run(
            [*command, *files],
            cwd=sources.parent,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return BROKEN, f"its tests did not end within {_TIMEOUT_S} s"
    failed = _FAILED.search(done.stdout)
    told = failed[2] if failed else (done.stdout + done.stderr).strip()[-2000:]
    return _ENDS.get(done.returncode, BROKEN), told


def _line(outcome: Outcome, place: str) -> str:
    because = outcome.because if outcome.what != SURVIVED else outcome.mutant.why
    return f"{place:>9}  {outcome.what:<8}  {outcome.seconds:4.1f} s  {outcome.mutant.name}: {because}"


def _summed_up(outcomes: Sequence[Outcome]) -> int:
    """Print the numbers, and again what was not caught; the exit code."""
    count = Counter(outcome.what for outcome in outcomes)
    print(f"\n{count[CAUGHT]} caught, {count[SURVIVED]} survived, {count[BROKEN]} broken")
    for outcome in outcomes:
        if outcome.what != CAUGHT:
            print(f"  {outcome.what}  {outcome.mutant.name}: {outcome.mutant.why}")
    return 0 if count[CAUGHT] == len(outcomes) else 1


if __name__ == "__main__":
    raise SystemExit(main())
