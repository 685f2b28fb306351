"""What each event changes in a state, by what it is about; `fold` knows which function is for which event."""
