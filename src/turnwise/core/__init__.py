"""The core: pure, deterministic functions from an event and a state to a new state, events and effects."""
