"""One module per engine; what it must have is said in `common.Adapter`."""
