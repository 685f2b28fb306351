"""Known defects, each planted at a random place of a flow: what becomes of the flow, and what must be said where.

One module for each kind of part; `planted` says what a defect is, and every module notes its own in `KINDS`.
"""

from __future__ import annotations

from check.defects import forms, guards, names, texts, tools, ways
from check.defects.planted import KINDS, NoPlace, Planted

__all__ = ["KINDS", "NoPlace", "Planted", "forms", "guards", "names", "texts", "tools", "ways"]
