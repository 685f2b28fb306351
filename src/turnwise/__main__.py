"""`python -m turnwise`: the command line, where no script for it is on the path."""

from turnwise.cli import main

if __name__ == "__main__":
    main()
