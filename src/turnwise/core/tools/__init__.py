"""Tools inside of a turn (section 4): what is offered, how a call is checked when it arrives, and what follows."""
