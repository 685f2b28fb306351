"""Commands: what a message may propose, and how each proposal is applied or refused (section 7)."""
