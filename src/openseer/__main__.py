"""`python -m openseer` is the command `openseer`."""

from openseer.cli import main

if __name__ == "__main__":
    main()
