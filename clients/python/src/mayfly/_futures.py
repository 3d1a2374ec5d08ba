"""Results that come while tasks end."""

import json
import pickle
import sys
import time

from ._errors import TaskFailed, Unavailable
from ._job import ENDED

_POLL_SECONDS = 25
_MOST_RANGES = 100  # in one command


class Future:
    """One call: ``input`` is its argument, ``index`` the number of its task in the job."""

    def __init__(self, results, index, value):
        self._results = results
        self.index = index
        self.input = value
        self.state = "waiting"
        self._task = None

    def __repr__(self):
        return f"Future({self.input!r}: {self.state})"

    @property
    def job(self):
        return self._results.job

    def done(self):
        """Whether the call has ended, well or not. Asks the control plane."""
        if not self.ended:
            self._results.refresh(0)
        return self.ended

    @property
    def ended(self):
        """As :meth:`done`, by what is known already."""
        return self.state in ("done", "failed", "stopped")

    def result(self, timeout=None):
        """What the function returned. Raises :class:`TaskFailed`, or ``TimeoutError``."""
        _wait([self], timeout)
        if self.state != "done":
            raise self.exception()
        return self._results.load(self._task)

    def metrics(self):
        """The newest numbers that the call wrote to ``$MAYFLY_METRICS``, by name; empty before the first.

        While the call runs they are asked for, and its machine is asked to report every ten seconds.
        """
        if self.ended:
            return dict((self._task or {}).get("metrics") or {})
        return self._results.metrics(self.index)

    def stop(self):
        """Asks for the end of this call; it is ``stopped`` then, unless its result is there already."""
        self._results.stop([self])

    def exception(self, timeout=None):
        """The :class:`TaskFailed` of a failed call, else None."""
        _wait([self], timeout)
        if self.state == "done":
            return None
        failure = (self._task or {}).get("failure") or {}
        cause = failure.get("cause") or (self._task or {}).get("state") or self.state
        return TaskFailed(self.index, cause, failure.get("evidence", ""))

    def end(self, state, task):
        self.state = state
        self._task = task


class Futures(list):
    """The calls of one ``map``, in the order of its inputs."""

    @property
    def job(self):
        return self[0].job

    def results(self, timeout=None):
        """All results in order; raises the first failure."""
        _wait(self, timeout)
        return [f.result() for f in self]

    def failed(self):
        """The calls that have failed for good so far."""
        self.refresh()
        return self._same(f for f in self if f.state in ("failed", "stopped"))

    def refresh(self):
        for results in _sources(self):
            results.refresh(0)

    def retry(self, code=None):
        """Runs these calls again, as a new job, with the function as it is now; returns new futures.

        ``code`` is the folder to pack anew; by default that of the first run.
        """
        return self[0]._results.repeat([f.input for f in self], [f.index for f in self], code) if self else self

    def stop(self):
        """Asks for the end of these calls, as far as they have not ended, and of no other."""
        for results in _sources(self):
            results.stop([f for f in self if f._results is results])

    def __getitem__(self, key):
        found = super().__getitem__(key)
        return self._same(found) if isinstance(key, slice) else found

    def progress(self, file=None):
        """Shows progress until all calls have ended: a bar where tqdm is installed. Returns self."""
        bar = _bar(len(self), file or sys.stderr)
        ended = failed = 0
        for future in as_completed(self):
            ended += 1
            failed += future.state != "done"
            bar(ended, failed)
        return self

    def _same(self, chosen):
        return Futures(chosen)


def as_completed(futures, timeout=None):
    """Yields each future once, as calls end. Raises ``TimeoutError`` after ``timeout`` seconds."""
    end = None if timeout is None else time.monotonic() + timeout
    waiting = list(futures)
    while waiting:
        ready = [f for f in waiting if f.ended]
        if ready:
            waiting = [f for f in waiting if not f.ended]
            yield from ready
            continue
        _refresh(waiting, end, timeout)


def _wait(futures, timeout):
    end = None if timeout is None else time.monotonic() + timeout
    while not all(f.ended for f in futures):
        _refresh([f for f in futures if not f.ended], end, timeout)


def _refresh(waiting, end, timeout):
    sources = _sources(waiting)
    wait = _POLL_SECONDS if len(sources) == 1 else 1
    if end is not None:
        wait = min(wait, end - time.monotonic())
        if wait <= 0:
            for results in sources:
                results.refresh(0)
            if not any(f.ended for f in waiting):
                raise TimeoutError(f"{len(waiting)} calls have not ended after {timeout} s")
            return
    # Of several jobs one is waited for, in turn; the others are asked, so that none is seen late because of many.
    turn = min(sources, key=lambda results: results.waited)
    for results in sources:
        if results is not turn:
            results.refresh(0)
    if not any(f.ended for f in waiting):
        turn.waited = time.monotonic()
        if wait < 1:  # too short for the control plane to wait
            time.sleep(min(wait, 0.1))
        turn.refresh(wait)


def _sources(futures):
    return list({id(f._results): f._results for f in futures}.values())


class Results:
    """The tasks of one job, and which of them have ended."""

    def __init__(self, job, inputs, repeat):
        self.job = job
        self.futures = [Future(self, index, value) for index, value in enumerate(inputs)]
        self.repeat = repeat
        self.waited = 0.0
        self._open = {f.index: f for f in self.futures}
        self._status = None
        self._seen = None

    def refresh(self, wait):
        """Learns what has ended; waits for a change for so many seconds."""
        if not self._open:
            return
        if self._status is None or wait < 1:
            self._status = self.job.status()
        elif self._status["state"] not in ENDED:
            self._status = self.job.next_status(self._status, wait)
        totals = self._status["totals"]
        ended = self._status["state"] in ENDED
        seen = totals["done"], totals["failed"], totals.get("stopped", 0), ended
        if seen == self._seen:
            return
        self._seen = seen
        for state in ("done", "failed", "stopped"):
            if totals.get(state):
                self._take(state)
        if ended:
            self._end()

    def _take(self, state):
        for task in self.job.tasks(state, start=min(self._open, default=0)):
            future = self._open.pop(task["index"], None)
            if future:
                future.end(state, task)

    def _end(self):
        """The rest: stopped, or with an output that is not the one of its sentinel."""
        for task in self.job.tasks(start=min(self._open, default=0)) if self._open else ():
            future = self._open.pop(task["index"], None)
            if future:
                future.end({"done": "done", "failed": "failed", "inconsistent": "failed"}.get(task["state"], "stopped"), task)

    def stop(self, futures):
        """Stops calls of this job: by their numbers, or the job itself if they are all it has."""
        if len(futures) == len(self.futures):
            self.job.stop()
        else:
            self._stop_tasks(futures)

    def _stop_tasks(self, futures):
        ranges = _ranges(sorted(f.index for f in futures if not f.ended))
        for start in range(0, len(ranges), _MOST_RANGES):
            self.job.stop(ranges[start:start + _MOST_RANGES])

    def metrics(self, index):
        self.job.watch()
        return self.job.metrics(index)

    def load(self, task):
        """The result that a task left."""
        url = task["output"]
        body = self.job._deployment.read_object(url)
        if body is None:
            raise Unavailable(f"{url} is missing, though its task is done: was it deleted?")
        if url.endswith(".json"):
            return json.loads(body)
        return body.decode() if url.endswith(".txt") else pickle.loads(body)


def _ranges(indexes):
    """Sorted indexes as a command names them: [3, "5-9"]."""
    found = []
    for index in indexes:
        if found and index == found[-1][1] + 1:
            found[-1][1] = index
        else:
            found.append([index, index])
    return [first if first == last else f"{first}-{last}" for first, last in found]


def _bar(total, file):
    try:
        from tqdm import tqdm
    except ImportError:
        return _lines(total, file)
    bar = tqdm(total=total, file=file)

    def show(ended, failed):
        if failed:
            bar.set_postfix(failed=failed, refresh=False)
        bar.update(ended - bar.n)
        if ended == total:
            bar.close()

    return show


def _lines(total, file):
    last = [0.0]

    def show(ended, failed):
        now = time.monotonic()
        if ended < total and now - last[0] < 1:
            return
        last[0] = now
        print(f"{ended} of {total} ended" + (f", {failed} failed" if failed else ""), file=file, flush=True)

    return show
