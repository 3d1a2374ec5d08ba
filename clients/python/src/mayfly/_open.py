"""Calls that are added to a job while it runs."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from types import TracebackType
from typing import Any, Iterator, Sequence

from ._errors import InvalidInput, NotFound
from ._function import pack_input
from ._futures import Future, Results, deadline, look
from ._job import Job
from ._metrics import MetricsHistory


class OpenCalls:
    """An open job. ``submit`` adds calls; leaving its ``with`` closes it, or stops it after an exception.

    Several threads may submit calls and take those that end.
    """

    def __init__(self, job: Job, bucket: str) -> None:
        self.job = job
        self._bucket = bucket
        self._results = OpenResults(job)
        self._prefix = secrets.token_hex(8)
        self._lock = threading.Lock()
        self._numbers = 0  # given to additions, also to such as never arrived
        self._added = 0
        self._waiting: list[Future] = []
        self._closed = False

    def __enter__(self) -> OpenCalls:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.job.stop()

    def submit(self, argument: Any = None) -> Future:
        """Adds one call; returns its :class:`Future` at once.

        After an error it is unknown whether the call was added; if so, it runs without a future.
        """
        if self._closed:
            raise InvalidInput(f"job {self.job.name} is closed; open another")
        variables, body = pack_input(argument)
        task: dict[str, Any] = {"variables": variables} if variables else {}
        if body is not None:
            task["input"] = f"{self._bucket.rstrip('/')}/mayfly/.code/{hashlib.sha256(body).hexdigest()}.pkl"
            self.job._deployment.create_object(task["input"], body)
        with self._lock:  # before it is published: a number is no other call's, whatever comes of this one
            addition = f"{self._prefix}-{self._numbers}"
            self._numbers += 1
        message = self.job.send([task], addition)
        future = self._results.add(argument, addition, message)
        with self._lock:
            self._added += 1
            self._waiting.append(future)
        return future

    def as_completed(self, timeout: float | None = None) -> Iterator[Future]:
        """Yields each call as it ends, also those that are submitted meanwhile, until none is left."""
        end = deadline(timeout)
        while waiting := list(self._waiting):
            future = self._ended()
            if future:
                yield future
                end = deadline(timeout)
            else:
                look(waiting, end, timeout)

    def _ended(self) -> Future | None:
        """A call that has ended, for one of the threads that wait; or None."""
        with self._lock:
            future = next((f for f in self._waiting if f.ended), None)
            if future:
                self._waiting.remove(future)
            return future

    @property
    def closed(self) -> bool:
        """Whether it takes no more calls."""
        return self._closed

    def waiting(self) -> list[Future]:
        """The calls that :meth:`as_completed` has not yielded."""
        with self._lock:
            return list(self._waiting)

    def close(self) -> None:
        """The job takes no more calls, and ends when those it has have ended."""
        if not self._closed:
            self.job.close(self._added)
        self._closed = True


class OpenResults(Results):
    """The tasks of an open job. Their numbers are known when the control plane has taken them."""

    def __init__(self, job: Job) -> None:
        super().__init__(job, [], None)
        self._sent: dict[str, tuple[Future, str]] = {}
        self._numbering = threading.Lock()

    def add(self, value: Any, addition: str, message: str) -> Future:
        future = Future(self, None, value)
        self.futures.append(future)
        self._sent[addition] = future, message
        return future

    def refresh(self, wait: float) -> None:
        self._number()
        if self._sent and wait > 0:
            time.sleep(min(wait, 0.05))
            self._number()
        if self._sent and not self._open:
            self._status = self.job.status()  # which the next line asks for only while a task is open
        super().refresh(0 if self._sent else wait)
        if self._sent and (self._status or {}).get("endedAt"):
            self._number(ended=True)

    def _number(self, ended: bool = False) -> None:
        with self._numbering:
            for addition, (future, message) in list(self._sent.items()):
                try:
                    future.index = index = int(self.job.addition(addition)["first"])
                    self._open[index] = future
                    self._numbered += 1  # it may have ended already
                except NotFound:
                    refused = self.job.rejection(message)
                    if refused:
                        failure = {"cause": "rejected", "evidence": "\n".join(refused["errors"])}
                        future.end("failed", {"failure": failure})
                    elif ended:
                        future.end("stopped", None)
                    else:
                        continue
                self._sent.pop(addition, None)

    def stop(self, futures: Sequence[Future]) -> None:
        """The job stays open. A call without a number yet is waited for: it has one soon, or is refused."""
        while any(f.index is None and not f.ended for f in futures):
            self.refresh(1)
        self._stop_tasks(futures)

    def metrics(self, index: int | None) -> dict[str, float]:
        self._number()
        return super().metrics(index)

    def metrics_history(self, index: int | None) -> list[MetricsHistory]:
        self._number()
        return super().metrics_history(index)
