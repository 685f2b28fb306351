"""Runs the command line as `python -m turnwise`."""

from turnwise.cli import main

if __name__ == "__main__":
    main()
