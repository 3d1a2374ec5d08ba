"""Logs of tasks: numbered objects, of which each holds what was printed since the one before."""

from __future__ import annotations

import datetime
import re
from typing import Callable, Iterable, Iterator, NamedTuple

_NAME = re.compile(r".*/logs/(\d{8})/([^/]+?)(?:-rank(\d+))?/(\d+)\.log")
_SETUP = "setup-"
_ESCAPES = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[ -~])?")

Line = tuple[int, str, int, str]


class Source(NamedTuple):
    """One attempt of a task on one host."""

    task: int
    attempt: str
    rank: int

    def of_task(self) -> str:
        """The attempt, also of its setup."""
        return self.attempt[len(_SETUP) :] if self.attempt.startswith(_SETUP) else self.attempt

    def order(self) -> tuple[int, int, str, bool, int]:
        """A shorter attempt is an earlier one, and a setup comes before its task."""
        attempt = self.of_task()
        return self.task, len(attempt), attempt, attempt == self.attempt, self.rank


class Piece(NamedTuple):
    """One object of a log."""

    number: int
    url: str
    stored: datetime.datetime


def by_source(objects: Iterable[tuple[str, datetime.datetime]]) -> dict[Source, list[Piece]]:
    """The pieces of each log in their order, logs by task and attempt."""
    logs: dict[Source, list[Piece]] = {}
    for url, stored in objects:
        place = _NAME.fullmatch(url)
        if place:
            source = Source(int(place[1]), place[2], int(place[3] or 0))
            logs.setdefault(source, []).append(Piece(int(place[4]), url, stored))
    return {source: sorted(logs[source]) for source in sorted(logs, key=Source.order)}


class Selection(NamedTuple):
    """Which lines of a log are wanted."""

    tail: int | None
    since: datetime.datetime | None
    grep: re.Pattern[str] | None

    @staticmethod
    def of(
        tail: int | None,
        since: datetime.datetime | datetime.timedelta | None,
        grep: str | re.Pattern[str] | None,
    ) -> Selection:
        if tail is not None and tail < 0:
            raise ValueError(f"tail is {tail}; give 0 or more")
        if isinstance(since, datetime.timedelta):
            since = datetime.datetime.now(datetime.timezone.utc) - since
        if since is not None and since.tzinfo is None:
            raise ValueError(f"since={since} has no time zone: give a timedelta, or a time with tzinfo")
        return Selection(tail, since, re.compile(grep) if grep is not None else None)

    def lines(self, logs: dict[Source, list[Piece]], read: Callable[[str], bytes | None]) -> Iterator[Line]:
        """With ``tail``, the last lines of each task on each host."""
        hosts: dict[tuple[int, int], list[Source]] = {}
        for source in logs:
            hosts.setdefault((source.task, source.rank), []).append(source)
        if self.tail is None:
            for source, pieces in logs.items():
                yield from ((*source, text) for text in reversed(list(self._shown(self._joined(pieces, read)))))
            return
        for sources in hosts.values():
            last: list[Line] = []
            for source in reversed(sources):
                for text in self._backwards(logs[source], read) if len(last) < self.tail else ():
                    last.append((*source, text))
                    if len(last) == self.tail:
                        break
            yield from reversed(last)

    def _joined(self, pieces: list[Piece], read: Callable[[str], bytes | None]) -> bytes:
        """Whole lines: with the line that the piece before the first wanted one begins."""
        first = next((i for i, piece in enumerate(pieces) if self._wants(piece)), len(pieces))
        content = b"".join(read(piece.url) or b"" for piece in pieces[first:])
        if first == 0 or not content:
            return content
        before = read(pieces[first - 1].url) or b""
        return before[before.rfind(b"\n") + 1 :] + content

    def _wants(self, piece: Piece) -> bool:
        return self.since is None or piece.stored >= self.since

    def _backwards(self, pieces: list[Piece], read: Callable[[str], bytes | None]) -> Iterator[str]:
        """The wanted lines, the last first: reads no more pieces than are asked for."""
        carry = b""
        for piece in reversed(pieces):
            if not self._wants(piece) and not carry:
                break
            content = read(piece.url) or b""
            if not self._wants(piece):  # only the line that it begins
                carry = content[content.rfind(b"\n") + 1 :] + carry
                break
            carry, end, whole = (content + carry).partition(b"\n")
            yield from self._shown(whole)
            carry += end
        yield from self._shown(carry)

    def _shown(self, content: bytes) -> Iterator[str]:
        for line in reversed(content.decode(errors="replace").splitlines()):
            if self.grep is None or self.grep.search(_ESCAPES.sub("", line)):
                yield line
