"""The calls of a job that another process made."""

from __future__ import annotations

import base64
import io
import json
import pickle
import zipfile
from pathlib import PurePosixPath
from typing import Any, Callable, Sequence

import cloudpickle

from ._errors import InvalidInput, NotFound
from ._function import read_inputs
from ._futures import Future, Futures, Results, StoredInput, ranges_of
from ._job import Job
from ._task import CALLED

_INPUTS = ("inputs.bin", "inputs.idx")


def of_job(job: Job) -> Futures:
    """A future for each task, in the order of the inputs, with its own: the value, or the URL of a pattern's file."""
    spec = job.status()["spec"]
    kind = spec["tasks"]["kind"]
    command = spec["run"]["command"]
    calls = command[-2:] == [CALLED, "{index}"] or command[-3:] == [CALLED, "stay", "input"]
    inputs, chunked = _packed(job, spec["run"].get("code"), calls)
    indexes: list[int] | None = None
    if inputs is None:
        tasks = list(job.tasks())
        if calls and kind == "inputs":  # which are in the order of their names
            tasks.sort(key=lambda task: _input_index(task) or 0)
        indexes = [task["index"] for task in tasks]
        inputs = [_input(task, calls) for task in tasks]
        places = [_input_index(task) for task in tasks]
    else:
        items = spec["tasks"].get("items") or [{}] * len(inputs)
        places = [_number(item.get("n", str(index))) for index, item in enumerate(items)]
    if not inputs:
        return Futures()
    # Calls of an open job are added, and not retried.
    repeat = None if kind == "open" else _Again(job, chunked)
    return Futures(Results(job, inputs, repeat, places, indexes, chunked=chunked).futures)


class _Again:
    """Runs calls again in their own job: what they call is packed there, and nowhere else."""

    def __init__(self, job: Job, chunked: bool) -> None:
        self._job = job
        self._chunked = chunked

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
        inputs, places = [call.known_input for call in calls], [call.place for call in calls]
        indexes = [call.index for call in calls if call.index is not None]
        again = Results(self._job, inputs, self, places, indexes, part=True, chunked=self._chunked)
        return Futures(again.futures)


def _packed(job: Job, code: str | None, calls: bool) -> tuple[list[Any] | None, bool]:
    """The inputs that went along with the code, and whether each is a list of several."""
    if code is None:
        return None, False
    archive = job.read_object(code)
    if archive is None:
        raise NotFound(f"{code}, the code of job {job.name}, is deleted; its inputs were in it")
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        names = files.namelist()
        packed = calls and ".mayfly/call.pkl" in names
        chunked = packed and pickle.loads(files.read(".mayfly/call.pkl")).get("batch") is not None
        if any(f".mayfly/{name}" not in names for name in _INPUTS):
            return None, chunked
        return read_inputs({name: files.read(f".mayfly/{name}") for name in _INPUTS}), chunked


def _input(task: dict[str, Any], calls: bool) -> Any:
    """``calls``: an input that is an object is a pickled value, and no file of the user's."""
    values = task.get("variables") or {}
    if "call" in values:
        return json.loads(values["call"])
    if "pickled" in values:
        return cloudpickle.loads(base64.b64decode(values["pickled"]))
    url = task.get("input")
    return StoredInput(url) if calls and url else url


def _input_index(task: dict[str, Any]) -> int | None:
    """Its number among the inputs: a variable, or the name of the object that has the input."""
    name = PurePosixPath(task.get("input") or "").stem
    return _number((task.get("variables") or {}).get("n", name))


def _number(text: str) -> int | None:
    return int(text) if text.isdigit() else None
