"""g"""

GERMAN: dict[str, str] = {}
