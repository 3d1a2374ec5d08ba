"""Counts the lines of the seven projects, and compares them with the table in the client's README.

    python lines.py [--write]

A line counts if it is neither blank nor a comment; Slurm's #SBATCH lines are none. Of a notebook the cells count.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECTS = ROOT / "clients/python/projects"
README = ROOT / "clients/python/README.md"
BEGIN, END = "<!-- lines of the projects: .ci/projects-checks/lines.py --write -->\n", "<!-- end -->\n"

WHAT = {
    "search": "40 trials of Optuna, 4 at a time, pruned; a machine is taken away",
    "training": "data-parallel JAX on 2 and 4 hosts; a host dies, and it goes on at its checkpoint",
    "tune": "Ray with Tune on three hosts",
    "environments": "two versions of a package at once, 30 tasks each",
    "notebook": "a function over 500 inputs in a notebook; what failed runs again",
    "pipeline": "three stages over 200 files, one of them bad",
    "state": "which tasks failed, why, and which was slowest",
}


def text(file):
    if file.suffix != ".ipynb":
        return file.read_text()
    cells = json.loads(file.read_text())["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def lines(files):
    every = [line.strip() for file in files for line in text(file).splitlines()]
    return sum(bool(line) and (not line.startswith("#") or line.startswith("#SBATCH")) for line in every)


def table():
    rows = ["| project | with Mayfly | with | lines | what both use |\n", "|---|---|---|---|---|\n"]
    for name, what in WHAT.items():
        files = {file for file in (PROJECTS / name).iterdir() if file.is_file() and file.name[0] != "."}
        ours = {file for file in files if file.stem == "on_mayfly"}
        theirs = {file for file in files if file.stem in ("on_ray", "on_slurm", "stage")}
        peer = "Ray" if any(file.stem == "on_ray" for file in theirs) else "Slurm"
        mine, other, shared = lines(ours), lines(theirs), lines(files - ours - theirs)
        if mine > other:
            sys.exit(f"{name} takes {mine} lines with Mayfly and {other} with {peer}")
        rows.append(f"| [{name}](projects/{name}): {what} | {mine} | {peer} | {other} | {shared} |\n")
    return "".join(rows)


whole = README.read_text()
head, _, rest = whole.partition(BEGIN)
old, _, tail = rest.partition(END)
if not rest:
    sys.exit(f"{README} has no line {BEGIN}")
if sys.argv[1:] == ["--write"]:
    README.write_text(head + BEGIN + table() + END + tail)
elif old != table():
    sys.exit(f"{README} has another table than this:\n{table()}")
print(table(), end="")
