"""Results that come while tasks end."""

import json
import pickle
import sys
import time

from ._errors import InvalidInput, TaskFailed, Unavailable
from ._job import ENDED

_POLL_SECONDS = 25
_ENDING_SECONDS = 2
_MOST_RANGES = 100  # in one command


class Future:
    """One call: ``input`` is its argument, ``index`` the number of its task in the job.

    ``place`` is its number among the inputs of the first ``map``. A retry keeps it, for the output's name.
    An end is final, also where a retry of the job runs the task again.
    """

    def __init__(self, results, index, value, place=None):
        self._results = results
        self.index = index
        self.input = value
        self.place = place
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
        """Its end, which is final."""
        if not self.ended:
            self._task = task
            self.state = state  # last: who sees it finds the rest


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

        ``code`` is the folder to pack anew; by default that of the first run. Calls of several maps
        are as many jobs.
        """
        again = {}
        if any(results.repeat is None for results in _sources(self)):
            raise InvalidInput("calls of an open job are not retried; submit them again: calls.submit(future.input)")
        for results in _sources(self):
            calls = [f for f in dict.fromkeys(self) if f._results is results]
            again.update(zip(calls, results.repeat([f.input for f in calls], [f.place for f in calls], code)))
        return Futures(again[f] for f in self)

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
    end = deadline(timeout)
    waiting = list(futures)
    while waiting:
        ready = [f for f in waiting if f.ended]
        if not ready:
            look(waiting, end, timeout)
            continue
        yielded = set(ready)  # and no others, which another thread may have seen end since
        waiting = [f for f in waiting if f not in yielded]
        yield from ready


def _wait(futures, timeout):
    end = deadline(timeout)
    while waiting := [f for f in futures if not f.ended]:
        look(waiting, end, timeout)


def deadline(timeout):
    return None if timeout is None else time.monotonic() + timeout


def look(waiting, end, timeout):
    """Learns which of these calls have ended, or waits for a while. Raises ``TimeoutError`` after ``end``."""
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
    """The tasks of one job, and which of them have ended.

    Several threads may ask at once, and each may be interrupted: what was learnt is noted before what
    was read is, and reading it twice changes nothing.
    """

    def __init__(self, job, inputs, repeat, places=None):
        self.job = job
        calls = enumerate(zip(inputs, places or range(len(inputs))))
        self.futures = [Future(self, index, value, place) for index, (value, place) in calls]
        self.repeat = repeat
        self.waited = 0.0
        self._open = {f.index: f for f in self.futures}
        self._status = None
        self._numbered = 0
        self._seen = None  # what there was to see when the tasks were read last
        self._ending = False  # whether some tasks that count as ended were still running then

    def refresh(self, wait):
        """Learns what has ended; waits for a change for so many seconds."""
        if not self._open:
            return
        status = self._status
        if status is None or wait < 1:
            status = self.job.status()
        elif self._seen == self._look(status):
            status = self.job.next_status(status, min(wait, _ENDING_SECONDS) if self._ending else wait)
        self._status = status
        seen = self._look(status)
        if seen == self._seen and not self._ending:
            return
        for state in ("done", "failed", "stopped"):
            if status["totals"].get(state):
                self._take(state)
        if status["state"] in ENDED:
            self._end(status)
        # A task counts as stopped from the command on, and is listed so when its process is gone.
        stopped = status["totals"].get("stopped", 0)
        self._ending = stopped > 0 and stopped > sum(f.state == "stopped" for f in self.futures)
        self._seen = seen

    def _look(self, status):
        """Whatever makes another reading of the tasks find more."""
        totals = status["totals"]
        return (totals["done"], totals["failed"], totals.get("stopped", 0), status["state"] in ENDED,
                status.get("endedAt"), self._numbered)

    def _take(self, state):
        for task in self.job.tasks(state, start=min(list(self._open), default=0)):
            self._close(task["index"], state, task)

    def _end(self, status):
        """The rest: stopped, or with an output that is not the one of its sentinel.

        Unless somebody has retried the job meanwhile: then it is not at its end.
        """
        left = list(self._open)
        if not left:
            return
        rest = {task["index"]: task for task in self.job.tasks(start=min(left))}
        now = self.job.status()
        if now.get("endedAt") != status.get("endedAt"):
            self._status = now
            return
        for index in left:
            task = rest.get(index)
            state = {"done": "done", "failed": "failed", "inconsistent": "failed"}.get(task and task["state"], "stopped")
            self._close(index, state, task)

    def _close(self, index, state, task):
        future = self._open.get(index)
        if future:
            future.end(state, task)
            self._open.pop(index, None)

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
