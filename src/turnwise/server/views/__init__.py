"""What clients see: turns, states, traces, transcripts and flows as the shapes of the API, without secrets."""
