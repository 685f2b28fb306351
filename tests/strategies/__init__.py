"""Random values for properties: whole flows, guards, texts that are hard to write down."""
