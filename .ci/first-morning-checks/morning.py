"""Types what a document shows at a prompt, in a pseudo-terminal, and compares what comes back with what it shows.

    morning.py DOCUMENT [--write]

Blocks of kind `console` are typed. A line that begins with a prompt (`$ ` here, `worker$ ` in a shell on a worker) is a
command, `> ` goes on with it, and `^C` is Ctrl-C once the text of the line `<!-- until: TEXT -->` before the block has
come. Other lines are output: with --write those that came, else those that have to come. Names, times, sizes and the
width of columns may differ.
"""

import getpass
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "interactive-checks"))
from terminal import Terminal  # noqa: E402

# A prompt that nothing else prints; what is typed here does not have it in one piece.
HERE, WORKER = "mor" + "ning\\$ ", "wor" + "ker\\$ "

# What the page does not show: keys of the terminal, and places and a name of this computer.
SHOWN = [
    (r"\x1b\][^\x07]*\x07|\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]", ""),
    (re.escape(os.environ["MAYFLY_HOME"]) + r"/cloud/vms/[^/]+/[^/]+/home|" + re.escape(os.environ["MAYFLY_HOME"]), "~"),
    (rf"\b{getpass.getuser()}(?= \(cla)|(?<=job/){getpass.getuser()}(?=/)|(?<=  ){getpass.getuser()}(?=  |$)", "ann"),
]
# What differs from morning to morning: names, times, sizes, and the width of columns.
COMPARED = [
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?", "TIME"),
    (r"\b(autotuner-cpu-)[a-z0-9]{6}\b", r"\1NAME"),
    (r"\brun-[a-z0-9]{4,}\b", "run-NAME"),
    (r"\bj[0-9a-f]{15}\b", "UID"),
    (r"\bmessage \d+", "message N"),
    (r"\b(\d+ ?(min|ms|d|h|m|s)(?=\d|\b) ?)+", "TIME "),
    (r"[\d,.]+ (bytes|KB|MB)", "SIZE"),
    (r"<?\$0\.0\d*", "SUM"),
    (r"workers \d[\w, ]*$", "workers"),
    (r"\s+", " "),
]
# Lines of which there are as many as machines were asked for, and as the computer is slow.
VARYING = re.compile(r" (pool|worker)/|^  still there: ")


def shown(text):
    lines = [line.rsplit("\r", 1)[-1] for line in text.replace("\r\n", "\n").split("\n")]
    for pattern, instead in SHOWN:
        lines = [re.sub(pattern, instead, line) for line in lines]
    return [line.rstrip() for line in lines if line.strip()]


def compared(lines):
    lines = [line for line in lines if not VARYING.search(line)]
    for pattern, instead in COMPARED:
        lines = [re.sub(pattern, instead, line) for line in lines]
    return [line.strip() for line in lines]


class Morning:
    def __init__(self):
        self.terminal = Terminal("bash", "--norc", "--noprofile", "--noediting", "-i", rows=40, columns=160, patience=180)
        self.terminal.line("stty -echo; PS1='mor''ning$ ' PS2=")
        self.terminal.expect(HERE)
        self.terminal.expect("$")

    def command(self, typed, until, inside, within):
        """Types lines and answers with the lines that came; `inside` a worker's shell, which the next line has `within`."""
        for line in typed:
            self.terminal.line(line)
        came = ""
        if until:
            came = self.to(until, True)
            self.terminal.interrupt()
        if within and not inside:
            came += self.to(r"[^\n]*[#$] $")
            self.terminal.line("stty -echo; PS1='wor''ker$ ' PS2=; bind 'set enable-bracketed-paste off' 2>/dev/null")
            self.to(WORKER)
        else:
            came += self.to(WORKER if within else HERE)
        return shown(came)

    def to(self, pattern, inclusive=False):
        found = self.terminal.expect(pattern)
        return found.string[: found.end() if inclusive else found.start()]


def play(block, until, following):
    """The lines of a block, with what came in place of what it shows."""
    played, lines = [], block[:]
    while lines:
        line = lines.pop(0)
        inside = line.startswith("worker$ ")
        typed = [line.partition("$ ")[2]]
        played.append(line)
        while lines and lines[0].startswith("> "):
            played.append(lines[0])
            typed.append(lines.pop(0)[2:])
        stop = None
        while lines and not re.match(r"(worker)?\$ ", lines[0]):
            if lines.pop(0) == "^C":
                stop = until
        next_line = lines[0] if lines else following
        came = morning.command(typed, stop, inside, next_line.startswith("worker$ "))
        played += came + (["^C"] if stop else [])
    return played


document = Path(sys.argv[1])
parts = re.split(r"(?ms)^```console\n(.*?)^```$", document.read_text())
blocks = [part.splitlines() for part in parts[1::2]]
morning = Morning()
wrong = []
for number, block in enumerate(blocks):
    hint = re.search(r"<!-- until: (.*) -->\s*$", parts[2 * number])
    following = blocks[number + 1][0] if number + 1 < len(blocks) else ""
    came = play(block, hint and hint[1], following)
    print("\n".join(came), flush=True)
    if compared(came) != compared(block):
        wrong.append((block, came))
    parts[2 * number + 1] = "```console\n" + "\n".join(came) + "\n```"
if sys.argv[2:] == ["--write"]:
    document.write_text("".join(parts))
elif wrong:
    for block, came in wrong:
        print("\n--- the document has\n" + "\n".join(block) + "\n--- what came is\n" + "\n".join(came), file=sys.stderr)
    sys.exit(f"{document} is not what happens: .ci/first-morning --write makes it anew")
