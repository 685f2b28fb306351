"""Parses and writes durations such as `90s`, `30m`, `2h`, `3d`, `2w`, in seconds.

Calendar spans (months, years) have no fixed length and are not read.
"""

from __future__ import annotations

from turnwise.flow.late_pattern import late_pattern

_UNITS_MS = {"ms": 1, "s": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
_PART = late_pattern(r"(\d+(?:\.\d+)?)(ms|min|s|m|h|d|w)")
_WHOLE = late_pattern(rf"(?:{_PART.pattern})+")
_ISO = late_pattern(r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?")
_ISO_S = (604_800.0, 86_400.0, 3600.0, 60.0, 1.0)


def read_duration_s(text: str) -> float | None:
    """Return the seconds of a duration such as `1h30m`, `45s` or `PT90M`; `None` if the text is no duration."""
    squeezed = text.strip().replace(" ", "")
    if _WHOLE.fullmatch(squeezed.lower()):
        parts = _PART.findall(squeezed.lower())
        return sum(float(n) * _UNITS_MS[unit] for n, unit in parts) / 1000
    found = _ISO.fullmatch(squeezed.upper())
    if found and any(found.groups()):
        return sum(float(n) * s for n, s in zip(found.groups(), _ISO_S, strict=True) if n)
    return None


def write_duration(seconds: float) -> str:
    """Return the shortest text for a duration in seconds, in whole units, the largest first: `1h30m`."""
    left_ms = round(seconds * 1000)
    parts: list[str] = []
    for unit, size_ms in (("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000)):
        count, left_ms = divmod(left_ms, size_ms)
        if count:
            parts.append(f"{count}{unit}")
    if left_ms:
        parts.append(f"{left_ms}ms")
    return "".join(parts) or "0s"


def in_words(seconds: float) -> str:
    """Return a duration as text for people, in at most two units: `45 s`, `16 min`, `2 h 14 min`, `3 d`."""
    minutes, rest = divmod(max(0, int(seconds)), 60)
    hours, days = minutes // 60 % 24, minutes // 1440
    if not minutes:
        return f"{rest} s"
    counts = [(days, "d"), (hours, "h"), (minutes % 60, "min")]
    while not counts[0][0]:
        del counts[0]
    return " ".join(f"{count} {unit}" for count, unit in counts[:2] if count)
