"""`python -m puzzlekit` is the command `puzzlekit`."""

from .cli.main import main

if __name__ == "__main__":
    main(prog_name="puzzlekit")
