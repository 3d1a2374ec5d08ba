"""The calls of a job that another process made."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from typing import Any

import cloudpickle

from ._errors import NotFound
from ._function import read_inputs
from ._futures import Futures, Results
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
    return Futures(Results(job, inputs, None, places or None).futures)


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
