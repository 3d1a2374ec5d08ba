"""A table of the day's runs on the volume: a line for each environment and representation."""

import json
import os
from pathlib import Path

from world import VOLUME


def table(results):
    groups = {}
    for result in results:
        groups.setdefault((result["env"], result["repl"]), []).append(result)
    lines = [f"{'environment':<16}{'representation':<16}{'seeds':>5}{'success':>9}{'worst':>7}{'best':>7}{'chance':>8}"]
    for (env, repl), found in sorted(groups.items()):
        wins = [r["success"] for r in found]
        chance = sum(r["chance"] for r in found) / len(found)
        lines.append(
            f"{env:<16}{repl:<16}{len(found):>5}{sum(wins) / len(wins):>9.3f}{min(wins):>7.3f}{max(wins):>7.3f}{chance:>8.3f}"
        )
    return "\n".join(lines) + "\n"


def main():
    day = VOLUME / Path(os.environ["MAYFLY_OUTPUT_URL"].split("/", 3)[3]).parent
    files = sorted(f for f in day.glob("*/*.json") if not f.name.endswith("-policy.json"))
    text = table(json.loads(f.read_text()) for f in files)
    print(text, end="")
    Path(os.environ["MAYFLY_OUTPUT"]).write_text(text)


if __name__ == "__main__":
    main()
