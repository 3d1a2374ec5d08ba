"""Sessions as a person has them at a terminal: `sessions.py SCENE`, with a laptop cloud that runs the job `held`."""

import os
import subprocess
import sys

from terminal import Terminal, check

MAYFLY = "./mayfly"
# A prompt that nothing else prints, from a shell without a person's own settings.
PROMPT = "PS1='ready''> '"


def mayfly(*argv):
    return subprocess.run([MAYFLY, *argv], check=True, capture_output=True, text=True).stdout


def attached(name, **window):
    terminal = Terminal(MAYFLY, "attach", name, **window)
    terminal.line(PROMPT)
    terminal.expect("ready> ")
    return terminal


def size():
    """The window's size is the terminal's, also after a change."""
    terminal = attached("held", rows=33, columns=111)
    terminal.line("stty size")
    terminal.expect("33 111")
    terminal.window(44, 122)
    terminal.line("stty size")
    terminal.expect("44 122")
    terminal.line("exit 5")
    check(terminal.code() == 5, "the exit code is not the shell's")


def keys():
    """Ctrl-C ends the program and not the session; Ctrl-Z stops it; Ctrl-D ends the session."""
    terminal = attached("held")
    terminal.line("sh -c 'echo beg\"\"ins; exec sleep 4321'")
    terminal.expect("begins")
    terminal.interrupt()
    terminal.line("echo code-$?")
    terminal.expect("code-130")
    terminal.line("sh -c 'echo beg\"\"ins; exec sleep 4321'")
    terminal.expect("begins")
    terminal.type("\x1a")
    # A shell that has not yet heard of the end refuses Ctrl-D: "There are stopped jobs."
    terminal.line("jobs; kill -9 %1; while jobs | grep -q Stopped; do sleep 0.1; done; echo 'gone''-now'")
    terminal.expect("Stopped")
    terminal.expect("gone-now")
    terminal.expect("ready> ")
    terminal.type("\x04")
    terminal.code()


def command():
    """A command has the terminal too, and Ctrl-C is its own."""
    terminal = Terminal(MAYFLY, "exec", "held", "--", "sh", "-c", "trap 'echo its own; exit 3' INT; test -t 0 && echo up; while :; do sleep 1; done")
    terminal.expect("up")
    terminal.interrupt()
    terminal.expect("its own")
    check(terminal.code() == 3, "the exit code is not the command's")


def environment():
    """The shell is in the task's folder, with its environment."""
    terminal = attached("held")
    terminal.line('echo "<$GREETING|$MAYFLY_JOB_NAME>"; ls; cat kept.txt')
    terminal.expect("<hello you|held>")
    terminal.expect("kept.txt")
    terminal.expect("begun by the task")
    terminal.line("exit")
    check(terminal.code() == 0, "the session does not end well")


def ends(name, act, words, patience=60):
    """A session in a person's login shell ends with its task or machine, says so, and leaves the login shell alone."""
    login = Terminal("bash", "--norc", "--noprofile", "-i", patience=patience)
    login.line(PROMPT)
    login.expect("ready> ")
    before = login.settings()
    login.line(f"{MAYFLY} attach {name}; echo code-$?")
    login.line("PS1='in''side> '")
    login.expect("inside> ")
    login.line("sleep 4321")
    act()
    login.expect(words)
    found = login.expect(r"code-(\d+)")
    check(int(found.group(1)) in (129, 137), f"the code is {found.group(1)}")
    login.expect("ready> ")
    check(login.settings() == before, "the terminal's settings are not as before")
    login.line("echo 'still ''here'; exit 0")
    login.expect("still here")
    check(login.code() == 0, "the login shell did not end by itself")


def stopped():
    # Less than the grace of 30 s: a shell, which ignores SIGTERM, holds up no stop.
    ends("brief", lambda: mayfly("stop", "brief"), "mayfly: job brief has been stopped, and with it this session", patience=20)


def finished():
    ends("until", lambda: open(os.environ["MAYFLY_HOME"] + "/until", "w").close(), "mayfly: job until has succeeded, and with it this session")


def machine():
    worker = os.environ["WORKER"]
    ends(worker, lambda: mayfly("local", "kill", worker), f"mayfly: machine {worker} has ended, and with it this session")


def preempted():
    worker = os.environ["WORKER"]
    ends("held", lambda: mayfly("local", "preempt", worker, "--no-notice"), f"mayfly: machine {worker} has ended, and with it this session")


def dev():
    """A session is waited for, warns, and ends by itself; a second command returns to it."""
    terminal = Terminal(MAYFLY, "dev", "--for", "25s", "--no-code", "--name", "try", patience=120)
    terminal.expect("session dev-try lasts another")
    terminal.expect("this task and this session end in [0-9]+ s")
    terminal.line(PROMPT)
    terminal.line('echo "[$MAYFLY_JOB_NAME]"')
    terminal.expect(r"\[dev-try\]")
    terminal.line("exit")
    terminal.expect("session dev-try lasts another")
    check(terminal.code() == 0, "leaving the session is an error")
    again = Terminal(MAYFLY, "dev", "--name", "try")
    again.expect("session dev-try runs already")
    again.expect("mayfly: job dev-try has succeeded, and with it this session")
    check(again.code() == 129, "the session did not end with its task")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
