"""What can go wrong, by who can mend it."""


class MayflyError(Exception):
    """The base of all errors of this package."""


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


class TaskFailed(MayflyError):
    """A task failed for good, or was stopped. ``index`` is its number, ``cause`` why it ended."""

    def __init__(self, index, cause, evidence):
        super().__init__(f"task {index}: {cause}" + (f"\n{evidence}" if evidence else ""))
        self.index = index
        self.cause = cause
        self.evidence = evidence
