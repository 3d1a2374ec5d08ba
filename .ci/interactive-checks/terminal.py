"""A person at a terminal: a program in a pseudo-terminal of its own, what is typed, and what is waited for."""

import errno
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time


class Terminal:
    """`argv` in a pseudo-terminal. Every wait is for a text or an end, and has a limit."""

    def __init__(self, *argv, rows=24, columns=80, patience=60):
        self.patience = patience
        self.seen = ""
        self.argv = argv
        self.child, self.master = pty.fork()
        if self.child == 0:
            # What was started in the background ignores them, and so would everything below it.
            for ignored in (signal.SIGINT, signal.SIGQUIT):
                signal.signal(ignored, signal.SIG_DFL)
            os.execvp(argv[0], argv)
        self.window(rows, columns)

    def window(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.master, text.encode())

    def line(self, text):
        self.type(text + "\n")

    def interrupt(self):
        self.type("\x03")

    def settings(self):
        return termios.tcgetattr(self.master)[:4]

    def _read(self, deadline, what):
        left = deadline - time.monotonic()
        ready = select.select([self.master], [], [], max(0, left))[0]
        if not ready:
            self.fail(f"{what!r} did not come within {self.patience} s")
        try:
            data = os.read(self.master, 65536)
        except OSError as gone:
            if gone.errno != errno.EIO:
                raise
            data = b""
        self.seen += data.decode(errors="replace")
        return bool(data)

    def expect(self, pattern):
        """Waits for the pattern, and forgets all up to it."""
        deadline = time.monotonic() + self.patience
        while not (found := re.search(pattern, self.seen)):
            if not self._read(deadline, pattern):
                self.fail(f"it ended, and {pattern!r} did not come")
        self.seen = self.seen[found.end():]
        return found

    def code(self):
        """Waits for the end, and answers with the exit code."""
        deadline = time.monotonic() + self.patience
        while self._read(deadline, "its end"):
            pass
        status = os.waitpid(self.child, 0)[1]
        os.close(self.master)
        return os.waitstatus_to_exitcode(status)

    def fail(self, why):
        print(f"{' '.join(self.argv)}: {why}; it said:\n{self.seen}", file=sys.stderr)
        os.kill(self.child, signal.SIGKILL)
        sys.exit(1)


def check(true, why):
    if not true:
        print(why, file=sys.stderr)
        sys.exit(1)
