"""``python -m mayfly report acc=0.93 step=3``: metrics of a task that is not written in Python."""

from __future__ import annotations

import sys

from ._report import report

USAGE = "usage: python -m mayfly report NAME=NUMBER…"


def main(arguments: list[str]) -> str | int:
    if arguments[:1] != ["report"] or len(arguments) < 2:
        return USAGE
    try:
        report(**{name: float(value) for name, _, value in (word.partition("=") for word in arguments[1:])})
    except ValueError as e:
        return f"{e}; {USAGE}"
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
