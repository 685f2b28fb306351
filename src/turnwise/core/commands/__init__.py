"""Commands: what a message may propose, and how the machine applies or refuses each (section 7 of the laws)."""
