"""The calls of a job that another process made."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from typing import Any, Callable, Sequence

import cloudpickle

from ._errors import InvalidInput, NotFound
from ._function import read_inputs
from ._futures import Future, Futures, Results, ranges_of
from ._job import Job

_INPUTS = ("inputs.bin", "inputs.idx")


def of_job(job: Job) -> Futures:
    """A future for each task, with its input: the value, or the URL of an input that is an object."""
    status = job.status()
    inputs = _packed(job, status["spec"]["run"].get("code"))
    places: list[int | None] = []
    if inputs is None:
        tasks = list(job.tasks())
        inputs = [_input(task) for task in tasks]
        places = [_place(task) for task in tasks]
    if not inputs:
        return Futures()
    # Calls of an open job are added, and not retried.
    repeat = None if status["spec"]["tasks"]["kind"] == "open" else _Again(job)
    return Futures(Results(job, inputs, repeat, places or None, elsewhere=True).futures)


class _Again:
    """Runs calls again in their own job: what they call is packed there, and nowhere else."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def __call__(
        self, calls: Sequence[Future], code: str | None, function: Callable[..., Any] | None = None
    ) -> Futures:
        if code is not None or function is not None:
            raise InvalidInput(
                "calls that another process made run again with the function that was packed: leave code= and function="
                " out, or call another one with their inputs: cluster.map(function, [call.input for call in calls])"
            )
        ended = [call for call in calls if call.state in ("failed", "stopped", "unknown")]
        for tasks in ranges_of(ended):
            self._job.rerun(tasks)
        inputs, places = [call.input for call in calls], [call.place for call in calls]
        indexes = [call.index for call in calls if call.index is not None]
        return Futures(Results(self._job, inputs, self, places, indexes, elsewhere=True, part=True).futures)


def _packed(job: Job, code: str | None) -> list[Any] | None:
    """The inputs that went along with the code."""
    if code is None:
        return None
    archive = job.read_object(code)
    if archive is None:
        raise NotFound(f"{code}, the code of job {job.name}, is deleted; its inputs were in it")
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        names = files.namelist()
        if any(f".mayfly/{name}" not in names for name in _INPUTS):
            return None
        return read_inputs({name: files.read(f".mayfly/{name}") for name in _INPUTS})


def _input(task: dict[str, Any]) -> Any:
    values = task.get("variables") or {}
    if "call" in values:
        return json.loads(values["call"])
    if "pickled" in values:
        return cloudpickle.loads(base64.b64decode(values["pickled"]))
    return task.get("input")


def _place(task: dict[str, Any]) -> int | None:
    number = (task.get("variables") or {}).get("n")
    return int(number) if number is not None and number.isdigit() else None
