"""Types the commands of docs/recipes.md in an empty folder, and compares what they show with the page.

Of a section its files are written, then its commands are typed; each line of its ```text blocks must be shown, however
wide its spaces are and whatever stands for an ellipsis.
"""

import re
import subprocess
import sys
from pathlib import Path


def sections(page):
    for part in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        yield part.split("\n", 1)


def blocks(body):
    """The fenced blocks of a section, by language, and what is outside of them."""
    fenced = re.findall(r"^```(\w+)\n(.*?)^```$", body, flags=re.MULTILINE | re.DOTALL)
    return fenced, re.sub(r"^```.*?^```$", "", body, flags=re.MULTILINE | re.DOTALL)


def shown(line, said):
    words = [re.escape(" ".join(part.split())) for part in line.split("…")]
    return re.search(".*".join(words), said)


def run(name, body):
    fenced, prose = blocks(body)
    for language, text in fenced:
        if language == "text":
            continue
        file = re.match(r"# (\S+)\n", text).group(1)
        Path(file).write_text(text)
    said = ""
    commands = re.findall(r"^ {4}(\S.*)$", prose, flags=re.MULTILINE)
    for command in commands:
        print("$", command, flush=True)
        typed = subprocess.run(["bash", "-c", command], text=True, stdin=subprocess.DEVNULL, timeout=170,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        print(typed.stdout, end="", flush=True)
        if typed.returncode:
            sys.exit(f"recipes: {name}: exit code {typed.returncode} of {command}")
        said += "\n".join(" ".join(line.split()) for line in typed.stdout.split("\n")) + "\n"
    for language, text in fenced:
        for line in text.splitlines() if language == "text" else []:
            if not shown(line, said):
                sys.exit(f"recipes: {name}: nothing shows what the page does: {line}")
    return len(commands)


def main():
    page, skipped = Path(sys.argv[1]).read_text(), sys.argv[2:]
    contents = re.findall(r"^- \[(.*?)\]\(#", page, flags=re.MULTILINE)
    names = [name for name, _ in sections(page)]
    if contents != names:
        sys.exit(f"recipes: the contents are {contents}, the sections {names}")
    typed = 0
    for name, body in sections(page):
        print(f"\n{name}", flush=True)
        if any(name.startswith(word) for word in skipped):
            print("SKIPPED: there is no Python with the client")
        else:
            typed += run(name, body)
    if typed < 10:
        sys.exit(f"recipes: only {typed} commands were found")


main()
