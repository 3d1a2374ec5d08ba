"""One job of a cluster."""

from __future__ import annotations

import datetime
import re
import secrets
import time
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Sequence

from ._deployment import Deployment, as_list, as_object, quoted
from ._errors import NotFound, Rejected, Unavailable
from ._logs import Selection, by_source
from ._metrics import MetricsHistory, histories

if TYPE_CHECKING:
    from ._futures import Futures

_PAGE = 500
_POLL_SECONDS = 25
_WATCH_SECONDS = 60
_LAST_PIECES = 3  # of a log
_WORD = re.compile(r"\{[A-Za-z_][A-Za-z0-9_]*\}")
ENDED = ("succeeded", "failed", "stopped")


class Job:
    """A job that a cluster accepted. Its methods read the control plane or publish a command."""

    def __init__(self, deployment: Deployment, cluster: str, uid: str, name: str, owner: str | None = None) -> None:
        self._deployment = deployment
        self.cluster = cluster
        self.uid = uid
        self.name = name
        self.address = f"{owner}/{name}" if owner else name
        self._watched_until = 0.0
        self._path = f"/v1/clusters/{quoted(cluster)}/jobs/{quoted(uid)}"

    def __repr__(self) -> str:
        return f"Job({self.name!r}, cluster={self.cluster!r}, uid={self.uid!r})"

    def status(self, after: str | None = None, wait: float = 0) -> dict[str, Any]:
        """The job as a dictionary (``schemas/view-job.schema.json``).

        With ``after`` (a status' ``version``) the call waits until something has changed, for
        ``wait`` seconds at most.
        """
        query = f"?after={quoted(after)}&wait={int(wait)}" if after is not None else ""
        return as_object(self._deployment.get(self._path + query, timeout=wait + 60))

    def tasks(self, state: str | None = None, start: int = 0) -> Iterator[dict[str, Any]]:
        """The tasks as dictionaries, in order, page by page (``schemas/view-task.schema.json``)."""
        only = f"&state={quoted(state)}" if state else ""
        next_page: int | None = start
        while next_page is not None:
            page = self._deployment.get(f"{self._path}/tasks?from={next_page}&limit={_PAGE}{only}")
            yield from page["tasks"]
            next_page = page.get("next")

    def task(self, index: int) -> dict[str, Any]:
        """One task, with its attempts (``schemas/view-task.schema.json``)."""
        return as_object(self._deployment.get(f"{self._path}/tasks/{int(index)}"))

    def metrics(self, index: int) -> dict[str, float]:
        """The newest numbers that a task wrote to ``$MAYFLY_METRICS``, by name; empty if there are none."""
        return dict(self.task(index).get("metrics") or {})

    def metrics_history(self, index: int) -> list[MetricsHistory]:
        """What the metrics of a task were over time, of each of its attempts, the oldest first.

        As the agents stored it in the bucket: when an attempt ended, and of a running one after one, three, seven and
        fifteen minutes, then every ten, or every minute while somebody follows the job. Empty if there is nothing yet.
        """
        prefix = f"{self.status()['bucket'].rstrip('/')}/mayfly/.jobs/{self.uid}/logs/metrics/{int(index):08d}/"
        return histories(self._deployment.list_stored(prefix), self._deployment.read_object)

    def explain(self) -> dict[str, Any]:
        """Why the job's tasks run or wait."""
        return as_object(self._deployment.get(self._path + "/explain"))

    def events(self, limit: int = 50) -> list[dict[str, Any]]:
        """What happened to the job, newest first."""
        about = quoted("job/" + self.uid)
        return as_list(self._deployment.get(f"/v1/clusters/{quoted(self.cluster)}/events?about={about}&limit={limit}"))

    def wait(self, timeout: float | None = None) -> dict[str, Any]:
        """Waits until the job has ended and returns its status. Raises ``TimeoutError`` after ``timeout``."""
        end = None if timeout is None else time.monotonic() + timeout
        status = self.status()
        while status["state"] not in ENDED:
            left: float = _POLL_SECONDS if end is None else min(_POLL_SECONDS, end - time.monotonic())
            if left <= 0:
                raise TimeoutError(f"job {self.name} is {status['state']} after {timeout} s")
            status = self.next_status(status, left)
        return status

    def next_status(self, last: dict[str, Any], wait: float) -> dict[str, Any]:
        """The status after a change of ``last``, or after ``wait`` seconds."""
        begin = time.monotonic()
        status = self.status(after=last["version"], wait=max(1, wait))
        if status["version"] == last["version"] and time.monotonic() - begin < 0.2:
            time.sleep(min(0.5, wait))  # a deployment that cannot wait answers at once
        return status

    def add(self, tasks: Iterable[dict[str, Any]], addition: str | None = None) -> dict[str, Any]:
        """Adds tasks to an open job: dictionaries with ``variables`` and ``input``.

        Returns which tasks they became, ``first`` and ``count``, when the job has them; raises
        :class:`Rejected` if it refuses them. ``addition`` names them: a repeat with one name adds
        nothing, and other tasks with it are refused.
        """
        name = addition or secrets.token_hex(16)
        message = self.send(tasks, name)
        for _ in _looks():
            try:
                return self.addition(name)
            except NotFound:
                _raise_rejection(self._deployment, message)
        raise _not_taken(f"the addition {name} to job {self.name}", message)

    def send(self, tasks: Iterable[dict[str, Any]], addition: str) -> str:
        """As :meth:`add`, without an answer: returns the message's id. Ask for it with :meth:`addition`."""
        return self._command("AddTasks", tasks=[_literal(task) for task in tasks], addition=addition)

    def addition(self, name: str) -> dict[str, Any]:
        """Which tasks an addition made: ``first`` and ``count``. Raises :class:`NotFound` until then."""
        return as_object(self._deployment.get(f"{self._path}/additions/{quoted(name)}"))

    def rejection(self, message: str) -> dict[str, Any] | None:
        """Why a message was refused, as a dictionary with ``errors``, or None."""
        return _known(self._deployment, f"/v1/rejections/{quoted(message)}")

    def close(self, additions: int | None = None) -> None:
        """Closes an open job: it ends when its tasks have. ``additions`` on their way are waited for."""
        self._command("CloseJob", **({} if additions is None else {"additions": additions}))

    def stop(self, tasks: int | str | Iterable[int | str] | None = None) -> None:
        """Asks for the job's end, or for that of some tasks: indexes, and ranges such as "5-9"."""
        kind, fields = _verb("Stop", tasks)
        self._command(kind, **fields)

    def retry(
        self,
        tasks: int | str | Iterable[int | str] | None = None,
        *,
        max_usd: float | None = None,
        max_run_time: str | None = None,
    ) -> None:
        """Runs again what failed, or some tasks with a new budget, with the job's own code.

        Returns when an ended job runs again, so that :meth:`wait` waits for its new end; raises
        :class:`Rejected` if it has nothing to run. Futures that have ended do not follow it.

        ``max_usd``: what the job's tasks may cost from now on, in US dollars and in all. A job that was stopped at its
        maxUsd runs again with a higher one; of a running job it changes only this, and returns when that holds.
        ``max_run_time``: how long the job may take from now on, such as "24h", from the start of its first task. An
        ended job counts anew; of a running job it changes only this.
        """
        kind, fields = _verb("Retry", tasks)
        limits = {"maxUsd": max_usd, "maxRunTime": max_run_time}
        limits = {name: limit for name, limit in limits.items() if limit is not None}
        if limits and tasks is not None:
            name = "max_usd" if "maxUsd" in limits else "max_run_time"
            raise ValueError(f"{name} is for a whole job: retry the job with it, or its tasks without")
        fields.update(limits)
        before = self.status().get("endedAt")
        message = self._command(kind, **fields)
        if not before and not limits:
            return
        for _ in _looks():
            now = self.status()
            if now.get("endedAt") != before or (not before and _has(now, max_usd, max_run_time)):
                return
            _raise_rejection(self._deployment, message)
        raise _not_taken(f"the retry of job {self.name}", message)

    def rerun(self, tasks: Sequence[int | str]) -> None:
        """As :meth:`retry` of single tasks that have ended; returns when the first of them is no longer at its end."""
        first = int(str(tasks[0]).partition("-")[0])
        ended, before = self.status().get("endedAt"), self.task(first)
        message = self._command("RetryTasks", tasks=list(tasks))
        for _ in _looks():
            if self.task(first) != before and (not ended or self.status().get("endedAt") != ended):
                return
            _raise_rejection(self._deployment, message)
        raise _not_taken(f"the retry of tasks of job {self.name}", message)

    def watch(self) -> None:
        """Asks the job's machines to report every few seconds; asks again once a minute, if called again."""
        if time.monotonic() >= self._watched_until:
            self.follow_logs()
            self._watched_until = time.monotonic() + _WATCH_SECONDS

    def follow_logs(self) -> None:
        """Asks the job's machines to write their logs every few seconds, for some minutes."""
        self._command("FollowLogs")

    def _command(self, kind: str, **fields: Any) -> str:
        named = {"apiVersion": "mayfly.dev/v1", "kind": kind, "cluster": self.cluster, "job": self.uid}
        return self._deployment.publish("mayfly-jobs", {**named, **fields})

    def logs(
        self,
        index: int | None = None,
        *,
        tail: int | None = None,
        since: datetime.datetime | datetime.timedelta | None = None,
        grep: str | re.Pattern[str] | None = None,
        attempt: str | None = None,
    ) -> Iterator[tuple[int, str, int, str]]:
        """The lines that are stored of the job's log, or of one task's: (task, attempt, rank, text).

        ``tail``: only the last lines of each task on each host; of a long log, its end is read. ``since``: what was
        stored then or later (a ``timedelta``: so long ago), at most ten seconds after it was printed. ``grep``: lines
        in which this matches, without the control sequences of terminals. ``attempt``: only this one, and its setup.
        """
        selection = Selection.of(tail, since, grep)
        prefix = f"{self.status()['bucket'].rstrip('/')}/mayfly/.jobs/{self.uid}/logs/"
        if index is not None:
            prefix += f"{int(index):08d}/"
        logs = by_source(self._deployment.list_stored(prefix))
        wanted = {source: logs[source] for source in logs if attempt in (None, source.of_task())}
        return selection.lines(wanted, self._deployment.read_object)

    def last_lines(self, index: int, attempt: str) -> str:
        """The end of what one attempt of a task wrote, as far as it is stored."""
        prefix = f"{self.status()['bucket'].rstrip('/')}/mayfly/.jobs/{self.uid}/logs/{int(index):08d}/{attempt}/"
        # By the value of their numbers, which grow by a digit.
        pieces = sorted(self._deployment.list_objects(prefix), key=lambda url: (len(url), url))[-_LAST_PIECES:]
        return b"".join(self._deployment.read_object(url) or b"" for url in pieces).decode(errors="replace")

    def read_object(self, url: str) -> bytes | None:
        """The bytes of an object, such as a task's output, or None if it does not exist."""
        return self._deployment.read_object(url)

    def futures(self) -> Futures:
        """The calls of a job that :meth:`Cluster.map` made, here or in another process: with their inputs.

        They are taken from the job's code in the bucket; unpickling them runs code.
        """
        from ._results import of_job

        return of_job(self)


def _literal(task: dict[str, Any]) -> dict[str, Any]:
    """Values are data: {word} in one is no placeholder."""
    values = task.get("variables") or {}
    literal = {k: _WORD.sub(r"{\g<0>}", v) if isinstance(v, str) else v for k, v in values.items()}
    return {**task, "variables": literal} if values else task


def _has(status: dict[str, Any], max_usd: float | None, max_run_time: str | None) -> bool:
    """Whether these limits of the job hold."""
    longest = status.get("runTime", {}).get("max", "")
    return (max_usd is None or status.get("maxUsd") == max_usd) and (
        max_run_time is None or _seconds(longest) == _seconds(max_run_time)
    )


def _seconds(time: str) -> int:
    """Of a time with its units: 1h30m."""
    units = {"d": 86400, "h": 3600, "m": 60, "s": 1}
    return sum(int(n) * units[unit] for n, unit in re.findall(r"(\d+)([dhms])", time.lower()))


def _verb(word: str, tasks: int | str | Iterable[int | str] | None) -> tuple[str, dict[str, Any]]:
    if tasks is None:
        return f"{word}Job", {}
    named = [tasks] if isinstance(tasks, (int, str)) else list(tasks)
    if not named:
        raise ValueError("name at least one task")
    return f"{word}Tasks", {"tasks": named}


def await_accepted(
    deployment: Deployment,
    cluster: str,
    uid: str,
    name: str,
    message: str,
    seconds: int = 60,
    owner: str | None = None,
    given: bool = False,
) -> Job:
    """The job, once the control plane has stored it. Raises :class:`Rejected` if it refuses.

    A job of that name with another uid is taken only if the control plane says that this submission
    found it, live and with the same content. ``given``: the submission's id is the caller's own, and may
    be that of another job, which refuses other content: the answer to this message is waited for.
    """
    jobs = f"/v1/clusters/{quoted(cluster)}/jobs/"
    by_message = f"&message={quoted(message)}" if given else ""
    of_owner = f"&owner={quoted(owner)}" if owner else ""
    for _ in _looks(seconds):
        found = None if given else _known(deployment, jobs + quoted(uid))
        if found is None:
            _raise_rejection(deployment, message)
            found = _known(deployment, f"{jobs}{quoted(name)}?submission={uid}{by_message}{of_owner}")
        if found:
            return Job(deployment, cluster, found["uid"], found["name"], found.get("owner"))
    raise _not_taken(f"job {name}", message, seconds)


def _looks(seconds: float = 60) -> Iterator[None]:
    """Times to look whether a message was taken: soon, then less often."""
    end, pause = time.monotonic() + seconds, 0.02
    while time.monotonic() < end:
        yield
        time.sleep(pause)
        pause = min(0.5, pause * 1.5)


def _raise_rejection(deployment: Deployment, message: str) -> None:
    refused = _known(deployment, f"/v1/rejections/{quoted(message)}")
    if refused:
        raise Rejected("\n".join(refused["errors"]))


def _not_taken(what: str, message: str, seconds: float = 60) -> Unavailable:
    return Unavailable(
        f"{what} is published (message {message}) but was not taken within {seconds} s; it is not lost:"
        " look again with mayfly status"
    )


def _known(deployment: Deployment, path: str) -> dict[str, Any] | None:
    try:
        return as_object(deployment.get(path))
    except NotFound:
        return None
