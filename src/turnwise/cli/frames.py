"""The commands `frames` and `transcript`: the scopes of a stored conversation, and what was said in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace
from rich.console import Console

from turnwise.archive import Archive
from turnwise.archive.frames import FrameInfo
from turnwise.archive.transcript import TranscriptLine
from turnwise.cli.inputs import with_archive
from turnwise.cli.scope_lines import opening_words
from turnwise.cli.show import counted_noun, plain_console, print_json, print_line
from turnwise.core.secrets import former_secrets, joined_values, secret_values, without_values

_LANE = "│ "
ERASED = "an inner conversation that retention erased"
"""What stands for the transcript of a scope whose words retention erased."""
_STYLES = {"user": "bold", "button": "bold", "summary": "magenta", "erased": "dim"}


def run_frames(store: str, conversation: str, as_json: bool) -> int:
    """Print the frames of a conversation; return the exit code."""

    async def work(archive: Archive) -> int:
        hide = await _hiding(archive, conversation)
        frames = [replace(one, summary=hide(one.summary)) for one in await archive.frames(conversation)]
        if as_json:
            print_json(frames)
            return 0
        console = plain_console()
        for frame in frames:
            for line in _frame_lines(frame):
                print_line(console, "  " * frame.depth + line, "" if frame.status == "open" else "dim")
        return 0

    return with_archive(store, None, work, as_json=as_json)


def _frame_lines(frame: FrameInfo) -> Iterator[str]:
    if frame.parent is None:
        yield f"{frame.title}: in {frame.node}, {counted_noun(frame.messages, 'message')}"
        return
    if not frame.by:
        yield f"{ERASED}, opened in turn {frame.opened_turn}, closed in turn {frame.closed_turn}"
        return
    is_over = f"{frame.status}: {frame.outcome}" if frame.outcome else frame.status
    opened = f"{opening_words(frame.by, frame.transition, frame.tool)} in turn {frame.opened_turn}"
    closed = f", closed in turn {frame.closed_turn}" if frame.closed_turn is not None else ""
    yield f"{frame.scope} ({frame.title}), {is_over}; {opened}{closed}; in {frame.node}"
    used = [_used(frame.turns, frame.max_turns, "turn"), _used(frame.tokens, frame.max_tokens, "token")]
    yield f"    {counted_noun(frame.messages, 'message')}, {', '.join(used)}"
    if frame.summary:
        yield f"    stays: {frame.summary}"
    if frame.tokens_saved is not None and frame.later_requests:
        about = " (an estimate)" if frame.is_estimate else ""
        spared = counted_noun(frame.later_requests, "later request")
        yield f"    {counted_noun(frame.tokens_saved, 'token')} saved in {spared}{about}"


def _used(used: int, most: int | None, what: str) -> str:
    return counted_noun(used, what) if most is None else f"{used} of {counted_noun(most, what)}"


def run_transcript(store: str, conversation: str, frame: str, as_json: bool) -> int:
    """Print the transcript of a conversation or of one frame; return the exit code."""

    async def work(archive: Archive) -> int:
        hide = await _hiding(archive, conversation)
        found = await archive.transcript(conversation, frame or None)
        lines = [replace(line, text=hide(line.text)) for line in found]
        if as_json:
            print_json(lines)
        else:
            frames = (
                [] if frame else [replace(one, summary=hide(one.summary)) for one in await archive.frames(conversation)]
            )
            _print_lanes(plain_console(), lines, frames)
        return 0

    return with_archive(store, None, work, as_json=as_json)


def _print_lanes(console: Console, lines: Sequence[TranscriptLine], frames: Sequence[FrameInfo]) -> None:
    """Print lines, each in the lane of its frame, and where frames begin and end."""
    depths = {frame.id: frame.depth for frame in frames}
    found = [(line.seq, line.turn, _said(line, depths.get(line.frame, 0)), _STYLES.get(line.by, "")) for line in lines]
    for frame in frames:
        if frame.parent is not None:
            lane = _LANE * (frame.depth - 1)
            about = f"{frame.scope}, {opening_words(frame.by, frame.transition, frame.tool)}" if frame.by else ERASED
            opened = f"{lane}┌ {about}"
            found.append((frame.id, frame.opened_turn, [opened], "magenta"))
            if frame.closed_turn is not None:
                closed = f"{lane}└ {frame.scope}, {frame.outcome}: {frame.summary}" if frame.by else f"{lane}└ {ERASED}"
                found.append((frame.closed_seq or 0, frame.closed_turn, [closed], "magenta"))
    for _, turn, texts, style in sorted(found, key=lambda one: one[0]):
        for text in texts:
            print_line(console, f"{turn:>4}  {text}", style)


def _said(line: TranscriptLine, depth: int) -> list[str]:
    speaker = f"{line.by} {line.speaker}".rstrip() if line.by in ("person", "summary", "erased") else line.speaker
    undone = " (undone)" if line.is_undone else ""
    first, *more = f"{speaker or line.by}{undone}: {line.text}".split("\n")
    return [_LANE * depth + first, *[f"{_LANE * depth}  {text}" for text in more]]


async def _hiding(archive: Archive, conversation: str) -> Callable[[str], str]:
    """Return what hides the values that secret fields of a conversation have or had."""
    state = await archive.state(conversation)
    machine = await archive.machines.shown_of_state(state)
    if not machine.has_secrets:
        return lambda text: text
    hidden = joined_values(secret_values(machine, state), former_secrets(machine, await archive.journal(conversation)))
    return lambda text: without_values(text, hidden)
