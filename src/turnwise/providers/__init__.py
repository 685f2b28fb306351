"""Who understands and who speaks: rules without a network, scripts for tests, and later real models."""
