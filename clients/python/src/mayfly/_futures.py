"""Results that come while tasks end."""

from __future__ import annotations

import asyncio
import concurrent.futures
import json
import logging
import pickle
import sys
import threading
import time
from typing import (
    IO,
    Any,
    Callable,
    Dict,
    Generator,
    Iterable,
    Iterator,
    List,
    Optional,
    Sequence,
    SupportsIndex,
    cast,
    overload,
)

from ._chunks import flat
from ._errors import InvalidInput, MayflyError, NotFound, TaskFailed, Unavailable
from ._job import ENDED, Job
from ._metrics import MetricsHistory
from ._task import CALLED, raised

_POLL_SECONDS = 25
_ENDING_SECONDS = 2
_MOST_RANGES = 100  # in one command
_AT_ONCE = 16  # results that are fetched
_PAUSE_SECONDS = 60  # the longest between two tries of a watcher that gets no answer
_ABSENT = object()
_LOG = logging.getLogger("mayfly")

Task = Dict[str, Any]  # as schemas/view-task.schema.json has it
Status = Dict[str, Any]  # as schemas/view-job.schema.json has it


class StoredInput:
    """An input that is an object. It stands for the value until that is asked for."""

    def __init__(self, url: str) -> None:
        self._url = url

    def __repr__(self) -> str:
        return self._url

    def read(self, job: Job) -> Any:
        body = job.read_object(self._url)
        if body is None:
            raise NotFound(f"{self._url}, an input of job {job.name}, is deleted")
        return pickle.loads(body)


class Future(concurrent.futures.Future):  # type: ignore[type-arg]  # Python 3.9 has no parameter for it
    """One call, as a future of the standard library: ``input`` is its argument, ``index`` its task's number.

    ``place`` is its number among the inputs of the first ``map``. A retry keeps it, for the output's name. An input of
    another process that is an object is read when it is asked for.
    ``state`` is ``waiting`` until it is known to be ``done``, ``failed`` or ``stopped``. An end is final, also where
    a retry of the job runs the task again. Callbacks, ``await`` and ``concurrent.futures.wait`` start a thread that
    asks for the job's state; without them nothing is asked unless a method is called.
    """

    state = "waiting"

    def __init__(self, results: Results, index: int | None, value: Any, place: int | None = None) -> None:
        super().__init__()
        self._results = results
        self.index = index
        self._input = value
        self.place = place
        self._task: Task | None = None
        self._lock = threading.Lock()
        self._value: Any = _ABSENT
        self._error: BaseException | None = None
        self._unread: BaseException | None = None  # why the result of a call that is done is not here
        self._eager = False

    def __repr__(self) -> str:
        return f"Future({self.known_input!r}: {self.state})"

    def __reduce__(self) -> tuple[Any, ...]:
        raise InvalidInput(
            "a future stays in its process: pass the job's name, and take mayfly.Cluster(…).job(name).futures() there"
        )

    @property
    def _condition(self) -> threading.Condition:  # the standard library's functions wait for it
        if not self.ended:
            self._results.watch()
        return self._ends

    @_condition.setter
    def _condition(self, condition: threading.Condition) -> None:
        self._ends = condition

    @property
    def job(self) -> Job:
        return self._results.job

    @property
    def is_chunk(self) -> bool:
        """Whether it has several inputs, and a list of as many results: a map with ``chunksize`` or ``batch``."""
        return self._results.chunked

    @property
    def input(self) -> Any:
        if isinstance(self._input, StoredInput):
            self._input = self._input.read(self.job)
        return self._input

    @property
    def known_input(self) -> Any:
        """As ``input``; where that is not here, what stands for it."""
        return self._input

    def done(self) -> bool:
        """Whether the call has ended, well or not. Asks the control plane."""
        if not self.ended:
            self._results.refresh(0)
        return self.ended

    @property
    def ended(self) -> bool:
        """As :meth:`done`, by what is known already."""
        return self.state in ("done", "failed", "stopped", "unknown")

    def running(self) -> bool:
        """Whether a machine runs the call now. Asks the control plane."""
        if self.done() or self.index is None:
            return False
        return bool(self.job.task(self.index)["state"] == "running")

    def result(self, timeout: float | None = None) -> Any:
        """What the function returned, which is fetched once.

        Raises :class:`TaskFailed`, ``CancelledError`` after :meth:`cancel`, or ``TimeoutError``.
        """
        error = self.exception(timeout)
        if error is not None and error is not self._unread:
            raise error
        with self._lock:
            if self._value is _ABSENT:
                self._value = self._results.load(self, cast(Task, self._task))
                self._unread = None
            return self._value

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """The :class:`TaskFailed` of a failed call, else None. Raises ``CancelledError`` after :meth:`cancel`.

        Where a callback or asyncio wanted the result, and it cannot be read here: why. :meth:`result` tries again.
        """
        _wait([self], timeout)
        if self.cancelled():
            raise concurrent.futures.CancelledError
        if self.state == "done":
            return self._unread
        with self._lock:
            if self._error is None:
                self._error = self._results.failure(self, self._task or {})
            return self._error

    def metrics(self) -> dict[str, float]:
        """The newest numbers that the call wrote to ``$MAYFLY_METRICS``, by name; empty before the first.

        While the call runs they are asked for, and its machine is asked to report every ten seconds.
        """
        if self.ended:
            return dict((self._task or {}).get("metrics") or {})
        return self._results.metrics(self.index)

    def metrics_history(self) -> list[MetricsHistory]:
        """What those numbers were over time, of each attempt of the call, the oldest first.

        As far as it is stored, which of a running call is some minutes old; empty if there is nothing yet.
        """
        return self._results.metrics_history(self.index)

    def stop(self) -> None:
        """Asks for the end of this call; it is ``stopped`` then, unless its result is there already."""
        self._results.stop([self])

    def cancel(self) -> bool:
        """As :meth:`stop`, and gives the call up at once, whether it runs or not: it has no result any more.

        False if it had ended before.
        """
        if self.done():
            return self.cancelled()
        self._results.stop([self])
        with self._lock:
            if self.ended:
                return self.cancelled()
            self.state = "stopped"
        self._results.forget(self)
        super().cancel()
        self.set_running_or_notify_cancel()  # tells those who wait
        return True

    def add_done_callback(self, fn: Callable[[Any], object]) -> None:
        """Calls ``fn`` with this future when the call has ended and its result is here, or cannot be read."""
        with self._lock:
            self._eager = True
            late = self.ended and self._value is _ABSENT and self._error is None
        if late and not self.cancelled():  # it ended before anyone was to be called with it
            _settlers().submit(self._fetch).add_done_callback(lambda _: super(Future, self).add_done_callback(fn))
        else:
            super().add_done_callback(fn)

    def __await__(self) -> Generator[Any, None, Any]:
        return self._awaited().__await__()

    async def _awaited(self) -> Any:
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[None] = loop.create_future()

        def wake() -> None:
            if not ended.done():
                ended.set_result(None)

        self.add_done_callback(lambda _: loop.call_soon_threadsafe(wake))
        await ended
        if self._unread is not None:
            raise self._unread
        return self.result(0)  # it is here

    def end(self, state: str, task: Task | None, error: BaseException | None = None) -> None:
        """Its end, which is final. ``error``: why nothing can be learnt of it."""
        with self._lock:
            if self.ended:
                return
            self._task = task
            self._error = error
            eager = self._eager
            self.state = state  # last: who sees it finds the rest
        if eager:
            _settlers().submit(lambda: self._settle(self._fetch()))
        else:
            self._settle(None if state == "done" else TaskFailed(self.index, state))

    def _fetch(self) -> BaseException | None:
        """Has the result here before anyone is called with it, or why there is none; returns the latter."""
        try:
            if self.state == "done":
                self.result(0)
                return None
            return self.exception(0)
        except BaseException as e:  # unpickling runs code, which may raise anything: it ends no thread, and no loop
            plain = isinstance(e, Exception) and not isinstance(e, StopIteration)  # which no future takes
            error = e if plain else MayflyError(f"task {self.index} of job {self.job.name} cannot be read: {e!r}")
        if self.state == "done":
            _LOG.warning("the result of task %s of job %s is not here: %s", self.index, self.job.name, error)
            self._unread = error  # the next call of result() tries again
        else:
            self._error = error
        return error

    def _settle(self, error: BaseException | None) -> None:
        """Tells the standard library's side."""
        if self.cancelled():
            return
        if error is None:
            self.set_result(None)
        else:
            self.set_exception(error)


_pool: concurrent.futures.ThreadPoolExecutor | None = None
_pool_lock = threading.Lock()


def at_once(function: Callable[..., Any], *values: Iterable[Any]) -> list[Any]:
    """Calls the function with each value, in sixteen threads; returns what it returned, in order."""
    with concurrent.futures.ThreadPoolExecutor(_AT_ONCE, "mayfly objects") as threads:
        return list(threads.map(function, *values))


def _settlers() -> concurrent.futures.ThreadPoolExecutor:
    """Threads that fetch a result before those who wait for it are called."""
    global _pool
    with _pool_lock:
        if _pool is None:
            _pool = concurrent.futures.ThreadPoolExecutor(_AT_ONCE, "mayfly results")
        return _pool


class Futures(List[Future]):
    """The calls of one ``map``, in the order of its inputs."""

    @property
    def job(self) -> Job:
        return self[0].job

    def results(self, timeout: float | None = None) -> list[Any]:
        """All results in order, one for each input, fetched sixteen at once; raises the first failure."""
        _wait(self, timeout)
        for future in self:
            error = future.exception()
            if error is not None and future.state != "done":
                raise error
        found = at_once(lambda future: future.result(), self)
        pairs = zip(self, found)
        return [one for future, value in pairs for one in (value if future.is_chunk else [value])]

    def failed(self) -> Futures:
        """The calls that failed for good or were stopped."""
        self.refresh()
        return Futures(f for f in self if f.state in ("failed", "stopped"))

    def refresh(self) -> None:
        """Asks the control plane once what has ended."""
        for results in _sources(self):
            results.refresh(0)

    def retry(self, code: str | None = None, function: Callable[..., Any] | None = None) -> Futures:
        """Runs these calls again, as a new job, with the function as it is now; returns new futures.

        A function of a module is what its file says now. One of the script itself is what the running
        script has; if its file has another by now, :class:`InvalidInput` says so. ``function`` is
        another one for all of these calls.

        ``code`` is the folder to pack anew; by default that of the first run. Calls of several maps
        are as many jobs. Calls that another process made (:meth:`Job.futures`) run again in their own job,
        with the function that was packed, and take no other one.
        """
        again: dict[Future, Future] = {}
        if any(results.repeat is None for results in _sources(self)):
            raise InvalidInput("calls of an open job are not retried; submit them again: calls.submit(future.input)")
        for results in _sources(self):
            calls = [f for f in dict.fromkeys(self) if f._results is results]
            repeat = cast(Repeat, results.repeat)
            again.update(zip(calls, repeat(calls, code, function)))
        return Futures(again[f] for f in self)

    def stop(self) -> None:
        """Asks for the end of these calls, as far as they have not ended, and of no other."""
        for results in _sources(self):
            results.stop([f for f in self if f._results is results])

    @overload
    def __getitem__(self, key: SupportsIndex) -> Future: ...

    @overload
    def __getitem__(self, key: slice) -> Futures: ...

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return Futures(found) if isinstance(found, list) else found

    def progress(self, file: IO[str] | None = None) -> Futures:
        """Shows progress until all calls have ended: a bar where tqdm is installed. Returns self."""
        bar = _bar(len(self), file or sys.stderr)
        ended = failed = 0
        for future in as_completed(self):
            ended += 1
            failed += future.state != "done"
            bar(ended, failed)
        return self


def as_completed(futures: Iterable[Future], timeout: float | None = None) -> Iterator[Future]:
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


def _wait(futures: Iterable[Future], timeout: float | None) -> None:
    end = deadline(timeout)
    while waiting := [f for f in futures if not f.ended]:
        look(waiting, end, timeout)


def deadline(timeout: float | None) -> float | None:
    return None if timeout is None else time.monotonic() + timeout


def look(waiting: Sequence[Future], end: float | None, timeout: float | None) -> None:
    """Learns which of these calls have ended, or waits for a while. Raises ``TimeoutError`` after ``end``."""
    sources = _sources(waiting)
    wait: float = _POLL_SECONDS if len(sources) == 1 else 1
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


def _sources(futures: Iterable[Future]) -> list[Results]:
    return list({id(f._results): f._results for f in futures}.values())


Repeat = Callable[[Sequence[Future], Optional[str], Optional[Callable[..., Any]]], Futures]


class Results:
    """The tasks of one job, and which of them have ended.

    Several threads may ask at once, and each may be interrupted: what was learnt is noted before what
    was read is, and reading it twice changes nothing.
    """

    def __init__(
        self,
        job: Job,
        inputs: Sequence[Any],
        repeat: Repeat | None,
        places: Sequence[int | None] | None = None,
        indexes: Sequence[int] | None = None,
        *,
        part: bool = False,
        chunked: bool = False,
    ) -> None:
        """``indexes``: the number of each input's task, where it is not that of the input.

        ``part``: the job has tasks of other futures, too. ``chunked``: an input is a list of several.
        """
        self.job = job
        numbers = range(len(inputs))
        calls = zip(indexes or numbers, inputs, places or numbers)
        self.futures = [Future(self, index, value, place) for index, value, place in calls]
        self.repeat = repeat
        self.waited = 0.0
        self._open: dict[int, Future] = {f.index: f for f in self.futures if f.index is not None}
        self._status: Status | None = None
        self._numbered = 0
        self._watching = threading.Lock()
        self._watcher: threading.Thread | None = None
        self._seen: tuple[Any, ...] | None = None  # what there was to see when the tasks were read last
        self._part = part
        self.chunked = chunked
        self._foreign = 0  # results that other jobs made
        self._told = 0  # how many of these
        self._telling = threading.Lock()
        self._ending = False  # whether some tasks that count as ended were still running then

    def refresh(self, wait: float) -> None:
        """Learns what has ended; waits for a change for so many seconds."""
        if not self._open:
            return
        status = self._status
        if status is None or wait < 1:
            status = self.job.status()
        elif self._seen == self._look(status):
            status = self.job.next_status(status, min(wait, _ENDING_SECONDS) if self._ending else wait)
        self._status = status
        if not self._part and status["state"] not in ("waiting", "expanding"):
            self._tell_foreign(status["totals"].get("earlier", 0), False)
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

    def _tell_foreign(self, count: int, last: bool) -> None:
        """Says that results are not of these calls, for another function may have made them: at once, then their sum.

        ``last``: no call is left that has not ended.
        """
        with self._telling:
            if count <= self._told or self._told and not last:
                return
            self._told = count
        text = (
            "job %s: %d of %d results are not its own: they stood at their places, or another job stored them meanwhile"
            " (they are not computed again; give new ones a new output)"
        )
        _LOG.warning(text, self.job.name, count, len(self.futures))

    def _look(self, status: Status) -> tuple[Any, ...]:
        """Whatever makes another reading of the tasks find more."""
        totals = status["totals"]
        return (
            totals["done"],
            totals["failed"],
            totals.get("stopped", 0),
            status["state"] in ENDED,
            status.get("endedAt"),
            self._numbered,
        )

    def _take(self, state: str) -> None:
        tasks = self.job.tasks(state, start=min(list(self._open), default=0))
        self._close([(task["index"], state, task) for task in tasks])

    def _end(self, status: Status) -> None:
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
        states = {"done": "done", "failed": "failed", "inconsistent": "failed"}
        why = {"failure": {"cause": "stopped", "evidence": now.get("reason", "")}}  # of a task without its own
        ended = []
        for index in left:
            task = rest.get(index, {})
            state = states.get(task.get("state", ""), "stopped")
            ended.append((index, state, {**why, **task} if state == "stopped" else task))
        self._close(ended)

    def _close(self, ended: Iterable[tuple[int, str, Task]]) -> None:
        """Ends calls. That results are not of these calls is told before anyone has one."""
        known = dict(self._open)
        calls = [(known[index], state, task) for index, state, task in ended if index in known]
        self._foreign += sum(state == "done" and task.get("doneBefore", False) for _, state, task in calls)
        self._tell_foreign(self._foreign, len(calls) == len(known))
        for call, state, task in calls:
            call.end(state, task)
            self._open.pop(cast(int, call.index), None)

    def stop(self, futures: Sequence[Future]) -> None:
        """Stops calls of this job: by their numbers, or the job itself if they are all it has."""
        if len(futures) == len(self.futures) and not self._part:
            self.job.stop()
        else:
            self._stop_tasks(futures)

    def _stop_tasks(self, futures: Sequence[Future]) -> None:
        for ranges in ranges_of(f for f in futures if not f.ended):
            self.job.stop(ranges)

    def metrics(self, index: int | None) -> dict[str, float]:
        if index is None:
            return {}
        self.job.watch()
        return self.job.metrics(index)

    def metrics_history(self, index: int | None) -> list[MetricsHistory]:
        return [] if index is None else self.job.metrics_history(index)

    def watch(self) -> None:
        """Learns of ends in a thread of its own, for as long as a call has not ended."""
        with self._watching:
            if self._watcher is None:
                self._watcher = threading.Thread(target=self._follow, name=f"mayfly {self.job.name}", daemon=True)
                self._watcher.start()

    def _follow(self) -> None:
        pause = 1.0
        while True:
            with self._watching:
                waiting = [f for f in self.futures if not f.ended]
                if not waiting:
                    self._watcher = None
                    return
            try:
                look(waiting, None, None)
                pause = 1.0
            except Unavailable as e:
                _LOG.warning("job %s: %s; asked again in %.0f s", self.job.name, e, pause)
                time.sleep(pause)
                pause = min(2 * pause, _PAUSE_SECONDS)
            except Exception as e:  # which would be the same again: those who wait get it
                for future in waiting:
                    future.end("unknown", None, e)

    def forget(self, future: Future) -> None:
        """Nothing more is learnt of a call."""
        if future.index is not None:
            self._open.pop(future.index, None)

    def failure(self, future: Future, task: Task) -> TaskFailed:
        """Why a call failed, with what its function raised."""
        failure = task.get("failure") or {}
        cause = failure.get("cause") or task.get("state") or future.state
        raised = self._raised(future.index, failure) if cause == "user" else {}
        evidence, code = failure.get("evidence", ""), failure.get("exitCode")
        try:
            given = future.input
        except Exception:  # it is deleted, or cannot be unpickled here: the failure is told all the same
            given = future.known_input
        return TaskFailed(future.index, cause, evidence, input=given, exit_code=code, **raised)

    def _raised(self, index: int | None, failure: Task) -> dict[str, str]:
        """The exception in the log of the attempt; empty if it is not there, or cannot be read."""
        if index is None or failure.get("exitCode", -1) < 1:
            return {}
        try:
            attempt = failure["attempt"]
            return _exception(self.job.last_lines(index, attempt), raised(attempt, index, self.job.uid))
        except (MayflyError, KeyError):
            return {}

    def _missing(self, url: str) -> MayflyError:
        folder = f"{url}/index.json"
        if self.job.read_object(folder) is not None:
            return InvalidInput(
                f"{url} is a folder, which the call wrote to $MAYFLY_OUTPUT itself: {folder} names its files, and"
                " job.read_object reads them"
            )
        spec = self.job.status()["spec"]
        required = spec["data"].get("output")
        if spec["data"]["outputs"] == "none" or not required and CALLED not in spec["run"]["command"]:
            return InvalidInput(
                f"job {self.job.name} has no outputs, and so no results: its command writes them to $MAYFLY_OUTPUT, and"
                ' the job says where they stay, for example tasks: {count: 3, output: "gs://BUCKET/out/{index}.json"}'
            )
        why = "was it deleted?" if required else "its call left none, or it was deleted"
        return Unavailable(f"{url} is missing, though its task is done: {why}")

    def load(self, future: Future, task: Task) -> Any:
        """The result that a task left."""
        value = self._read(task["output"])
        return flat(future.input, value, task["output"]) if self.chunked else value

    def _read(self, url: str) -> Any:
        body = self.job.read_object(url)
        if body is None:
            raise self._missing(url)
        if url.endswith(".json"):
            return json.loads(body)
        return body.decode() if url.endswith(".txt") else pickle.loads(body)


def ranges_of(futures: Iterable[Future]) -> list[list[int | str]]:
    """The tasks of these calls, in as few parts as commands can name them."""
    ranges = _ranges(sorted(f.index for f in futures if f.index is not None))
    return [ranges[start : start + _MOST_RANGES] for start in range(0, len(ranges), _MOST_RANGES)]


def _exception(log: str, begin: str) -> dict[str, str]:
    """What :mod:`mayfly._task` wrote of an exception, in a line with that beginning: its type, text and traceback."""
    _, found, rest = f"\n{log}".rpartition("\n" + begin)
    if not found:
        return {}
    line, _, trace = rest.partition("\n")
    kind, _, text = line.partition(": ")
    try:
        return {"type": kind, "message": str(json.loads(text)), "traceback": trace.rstrip()}
    except ValueError:  # the line is cut
        return {}


def _ranges(indexes: Iterable[int]) -> list[int | str]:
    """Sorted indexes as a command names them: [3, "5-9"]."""
    found: list[list[int]] = []
    for index in indexes:
        if found and index == found[-1][1] + 1:
            found[-1][1] = index
        else:
            found.append([index, index])
    return [first if first == last else f"{first}-{last}" for first, last in found]


def _bar(total: int, file: IO[str]) -> Callable[[int, int], None]:
    try:
        from tqdm import tqdm
    except ImportError:
        return _lines(total, file)
    bar = tqdm(total=total, file=file)

    def show(ended: int, failed: int) -> None:
        if failed:
            bar.set_postfix(failed=failed, refresh=False)
        bar.update(ended - bar.n)
        if ended == total:
            bar.close()

    return show


def _lines(total: int, file: IO[str]) -> Callable[[int, int], None]:
    last = [0.0]

    def show(ended: int, failed: int) -> None:
        now = time.monotonic()
        if ended < total and now - last[0] < 1:
            return
        last[0] = now
        print(f"{ended} of {total} ended" + (f", {failed} failed" if failed else ""), file=file, flush=True)

    return show
