"""Calls that are added to a job while it runs."""

import hashlib
import secrets
import time

from ._errors import InvalidInput, NotFound
from ._function import pack_input
from ._futures import Future, Results, as_completed


class OpenCalls:
    """An open job. ``submit`` adds calls; leaving its ``with`` closes it, or stops it after an exception."""

    def __init__(self, job, bucket):
        self.job = job
        self._bucket = bucket
        self._results = OpenResults(job)
        self._prefix = secrets.token_hex(8)
        self._additions = 0
        self._waiting = []
        self._closed = False

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.close()
        else:
            self.job.stop()

    def submit(self, argument=None):
        """Adds one call; returns its :class:`Future` at once."""
        if self._closed:
            raise InvalidInput(f"job {self.job.name} is closed; open another")
        variables, body = pack_input(argument)
        task = {"variables": variables} if variables else {}
        if body is not None:
            task["input"] = f"{self._bucket.rstrip('/')}/mayfly/.code/{hashlib.sha256(body).hexdigest()}.pkl"
            self.job._deployment.create_object(task["input"], body)
        addition = f"{self._prefix}-{self._additions}"
        message = self.job.add([task], addition)
        self._additions += 1
        future = self._results.add(argument, addition, message)
        self._waiting.append(future)
        return future

    def as_completed(self, timeout=None):
        """Yields each call as it ends, also those that are submitted meanwhile, until none is left."""
        while self._waiting:
            future = next(as_completed(self._waiting, timeout))
            self._waiting.remove(future)
            yield future

    def close(self):
        """The job takes no more calls, and ends when those it has have ended."""
        if not self._closed:
            self.job.close(self._additions)
        self._closed = True


class OpenResults(Results):
    """The tasks of an open job. Their numbers are known when the control plane has taken them."""

    def __init__(self, job):
        super().__init__(job, [], None)
        self._sent = {}

    def add(self, value, addition, message):
        future = Future(self, None, value)
        self.futures.append(future)
        self._sent[addition] = future, message
        return future

    def refresh(self, wait):
        self._number()
        if self._sent and wait > 0:
            time.sleep(min(wait, 0.05))
            self._number()
        super().refresh(0 if self._sent else wait)
        if self._sent and self._status and self._status.get("endedAt"):
            self._number()
            for future, _ in self._sent.values():
                future.end("stopped", None)
            self._sent.clear()

    def _number(self):
        for addition, (future, message) in list(self._sent.items()):
            try:
                future.index = self.job.addition(addition)["first"]
                self._open[future.index] = future
                self._seen = None  # it may have ended already
            except NotFound:
                refused = self.job.rejection(message)
                if refused is None:
                    continue
                failure = {"cause": "rejected", "evidence": "\n".join(refused["errors"])}
                future.end("failed", {"failure": failure})
            del self._sent[addition]

    def stop(self, futures):
        """The job stays open. A call without a number yet is waited for: it has one soon, or is refused."""
        while any(f.index is None and not f.ended for f in futures):
            self.refresh(1)
        self._stop_tasks(futures)

    def metrics(self, index):
        self._number()
        return super().metrics(index) if index is not None else {}
