"""What can go wrong, by who can mend it."""

from __future__ import annotations

import re
import signal
from typing import Any

_COMMANDS = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -~])?")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """The text without what a terminal would obey, as the command line shows it; line ends and tabs are kept."""
    return _CONTROLS.sub("", _COMMANDS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


class MayflyError(Exception):
    """The base of all errors of this package. Its text may be a task's words, and is made fit for a terminal."""

    def __str__(self) -> str:
        return printable(super().__str__())


class InvalidInput(MayflyError):
    """The caller's own input is wrong; the message names the remedy."""


class Rejected(InvalidInput):
    """The control plane refused a published document."""


class NotFound(MayflyError):
    """A cluster, job or object has no such name."""


class Denied(MayflyError):
    """The login is missing, or lacks a right."""


class Unavailable(MayflyError):
    """A service does not answer; a later call may succeed."""


class Unanswered(Unavailable):
    """A call had no answer, and may have been carried out nevertheless."""


_WORDS = {
    "user": "the command failed",
    "out-of-memory": "out of memory",
    "timeout": "ran longer than its timeout",
    "lost": "its machine was lost",
    "preempted": "its machine was preempted",
    "end-of-life": "its machine's life was over",
    "drained": "its machine was drained",
    "outranked": "a job of a higher priority got its room",
    "taken": "another machine had been given it",
    "infrastructure": "its machine failed",
    "output-exists": "its output exists already",
    "inconsistent": "its output is not the one of its sentinel",
    "stopped": "it was stopped",
    "rejected": "it was refused",
}


def ended_by(code: int) -> str:
    """An exit code in words: ``no result`` of 0, ``exit code 3``, or ``killed by SIGSEGV (exit code 139)``."""
    if code == 0:
        return "no result"
    if code <= 128:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(code - 128).name} (exit code {code})"
    except ValueError:
        return f"exit code {code}"


class TaskFailed(MayflyError):
    """A task failed for good, or was stopped.

    ``index`` is its number, ``input`` what the call was given, ``cause`` why it ended in one word of
    Mayfly's (``user``, ``out-of-memory``, ``timeout``…), ``exit_code`` that of its process, if it had one, and
    ``evidence`` its last words. If the call raised an exception, ``type`` is its class, ``message`` its text and
    ``traceback`` all of it, as text.
    """

    def __init__(
        self,
        index: int | None,
        cause: str,
        evidence: str = "",
        *,
        input: Any = None,
        exit_code: int | None = None,
        type: str | None = None,
        message: str | None = None,
        traceback: str | None = None,
    ) -> None:
        super().__init__(index, cause, evidence)
        self.index = index
        self.cause = cause
        self.evidence = evidence
        self.input = input
        self.exit_code = exit_code
        self.type = type
        self.message = message
        self.traceback = traceback

    def __str__(self) -> str:
        shown = repr(self.input)
        task = "a task" if self.index is None else f"task {self.index}"
        if len(shown) > 60:
            shown = shown[:57] + "…"
        head = f"{task} (input {shown}): {self.reason}"
        more = self.traceback or self.evidence
        return printable(f"{head}\n{more}" if more else head)

    def __repr__(self) -> str:
        words = "traceback" if self.traceback else "evidence"
        fields = {"input": self.input, "cause": self.cause, "reason": self.reason, words: getattr(self, words)}
        told = "".join(f", {name}={value!r}" for name, value in fields.items() if value != "")
        return f"TaskFailed({self.index}{told})"

    @property
    def reason(self) -> str:
        """What was raised, or how the task ended, in a line."""
        if self.type is not None:
            first = printable(self.message or "").strip().split("\n", 1)[0]
            return f"{self.type}: {first}" if first else self.type
        words = _WORDS.get(self.cause, self.cause)
        if self.exit_code is None or self.exit_code < 0:
            return words
        ended = ended_by(self.exit_code)
        return ended if self.cause == "user" else f"{words} ({ended})" if self.exit_code <= 128 else f"{words}, {ended}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _failed, (self.__dict__,)


def _failed(fields: dict[str, Any]) -> TaskFailed:
    rest = dict(fields)
    return TaskFailed(rest.pop("index"), rest.pop("cause"), rest.pop("evidence"), **rest)
