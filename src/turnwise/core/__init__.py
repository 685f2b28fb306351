"""The core: pure and deterministic. A fact goes in; a new value, events and requests come out."""
