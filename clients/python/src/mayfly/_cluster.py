"""A cluster, and what runs on it."""

from __future__ import annotations

import difflib
import getpass
import hashlib
import inspect
import os
import re
import secrets
import sys
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, Sequence, cast

from . import _checkout, _code, _documents, _executor, _items, _task
from ._chunks import Chunks, chunks_of, refuse
from ._deployment import Deployment, as_list, as_object, quoted
from ._errors import InvalidInput, Rejected, Unanswered, Unavailable
from ._executor import Executor
from ._function import Packed, goes_by_value, library, pack_function, pack_inputs, packed_value, sources
from ._futures import Future, Futures, Results, at_once
from ._job import Job, await_accepted
from ._open import OpenCalls
from ._source import edited
from ._warm import stays

_OWNER = re.compile(r"[A-Za-z0-9][-A-Za-z0-9_.@+]{0,99}")
_NAME = re.compile(r"[A-Za-z0-9][-A-Za-z0-9_.]{0,127}")
_MAX_ITEMS = 10_000
_MOST_PACKED = 8_000_000  # bytes of inputs that go along with the code; more are objects of their own
_FILE = "{inputFile}"  # a task whose call gets the path of its input
_REQUIREMENTS = ".mayfly/requirements.txt"


class Cluster:
    """A cluster by its name. Nothing is called until a method is.

    A task of a job with ``submitter: true`` may leave the name out, for the cluster in which it runs.
    """

    def __init__(self, name: str | None = None, deployment: Deployment | None = None) -> None:
        self.name = name = name or os.environ.get("MAYFLY_CLUSTER", "")
        if not name:
            raise InvalidInput('name a cluster: mayfly.Cluster("lab"); only a task with submitter: true has its own')
        if not _NAME.fullmatch(name):
            raise InvalidInput(f"{name!r} is not a cluster's name, which has only letters, digits, '-', '_' and '.'")
        self._given = deployment
        self._path = f"/v1/clusters/{quoted(name)}"

    def __repr__(self) -> str:
        return f"Cluster({self.name!r})"

    @property
    def _deployment(self) -> Deployment:
        if self._given is None:
            self._given = Deployment.find()
        return self._given

    def status(self) -> dict[str, Any]:
        """The cluster as a dictionary (``schemas/view-cluster.schema.json``)."""
        return as_object(self._deployment.get(self._path))

    def workers(self, gone: bool = False) -> list[dict[str, Any]]:
        """Its machines as dictionaries (``schemas/view-worker.schema.json``); ``gone``: also those that are no more."""
        return as_list(self._deployment.get(self._path + "/workers" + ("?all=true" if gone else "")))

    def jobs(self, limit: int = 50) -> list[dict[str, Any]]:
        """The newest jobs as dictionaries."""
        return as_list(self._deployment.get(f"{self._path}/jobs?limit={limit}"))

    def job(self, name: str) -> Job:
        """The newest job of a name, or the job of a uid.

        A name is that of your own job if you have or had one; ``"ann/train"`` is Ann's.
        """
        address = name
        owner, slash, name = address.rpartition("/")
        if not _NAME.fullmatch(name) or slash and not _OWNER.fullmatch(owner):
            raise InvalidInput(f"{address!r} names no job; write NAME, OWNER/NAME or its uid")
        whose = {"owner": owner} if owner else {"caller": _owner(self._deployment.invited())}
        query = "".join(f"?{key}={quoted(user)}" for key, user in whose.items() if user)
        found = self._deployment.get(f"{self._path}/jobs/{quoted(name)}{query}")
        return Job(self._deployment, self.name, found["uid"], found["name"], found.get("owner"))

    def events(self, about: str | None = None, limit: int = 50) -> list[dict[str, Any]]:
        """What happened in the cluster, newest first; ``about``: to ``job/NAME``, ``worker/NAME`` or ``pool/NAME``."""
        only = f"&about={quoted(about)}" if about else ""
        return as_list(self._deployment.get(f"{self._path}/events?limit={limit}{only}"))

    def submit(
        self,
        document: Mapping[str, Any] | str | Path,
        code: str | Path | None = None,
        variables: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> Job:
        """Submits a job: a dictionary, or the path of a JSON or YAML file. Returns its :class:`Job`.

        A ``code`` such as ``git+https://host/lab/train@v1.2`` or ``git+.@main`` is that commit of a git repository.
        ``fields`` override the document's, and ``variables`` values of its variables, as ``--var``
        does. A ``code`` that is a folder (in a file: relative to it) is packed and uploaded, and so is a file of
        items (``tasks: {items: {file: trials.csv}}``). ``after``
        takes jobs and futures beside names. If a job of that name and content is live, it is that one.
        """
        if "after" in fields:
            fields["after"] = _predecessors(fields["after"])
        job: dict[str, Any]
        if isinstance(document, Mapping):
            job, folder = dict(document), Path()
        else:
            job, folder = _documents.read(document)
        if variables and isinstance(job, _documents.YamlText):
            job.set_variables(variables)
        elif variables:
            job["variables"] = {**(job.get("variables") or {}), **variables}
        job.update({"apiVersion": "mayfly.dev/v1", "kind": "Job", "cluster": self.name, **fields})
        _items.store(job, folder, self._deployment, lambda: self.status()["spec"]["bucket"])
        if code is not None:
            job["code"], folder = str(code), Path()
        if job.get("code") and (_checkout.is_meant(job["code"]) or "://" not in job["code"]):
            archive, commit = _code.packed(job["code"], folder, {})
            job.update(commit)
            job["code"] = _code.upload(self._deployment, self.status()["spec"]["bucket"], archive)
        job.setdefault("owner", _owner(self._deployment.invited()))
        given = "submission" in job
        submission = job.setdefault("submission", secrets.token_hex(16))
        uid = "j" + hashlib.sha256(submission.encode()).hexdigest()[:15]
        name, owner = _documents.name_of(job), job.get("owner")
        try:
            message = self._deployment.publish("mayfly-jobs", _documents.message(job))
        except Unanswered as e:
            raise Unavailable(
                f"{e}: look with Cluster({self.name!r}).jobs() whether job {name} was accepted, or submit it again"
                f" with submission={submission!r}, which is the same job and never a second one"
            ) from e
        return await_accepted(self._deployment, self.name, uid, name, message, owner=owner, given=given)

    def map(
        self,
        function: Callable[..., Any],
        inputs: Iterable[Any],
        *,
        output: str | None = None,
        name: str | None = None,
        code: str | Path | None = ".",
        cpu: float | str = 1,
        memory: str | int | None = None,
        gpu: float | None = None,
        gpu_memory: str | int | None = None,
        tpu: str | int | None = None,
        python: str | None = None,
        requirements: Sequence[str] | str | Path | None = None,
        chunksize: int | None = None,
        batch: int | None = None,
        **fields: Any,
    ) -> Futures:
        """Calls the function with each input, a task each, and returns :class:`Futures` at once.

        ``output`` places each result, for example ``gs://lab/run/{index}.pkl``; the same place twice
        means that what is done there is not run again. Results are pickled, or JSON or text where
        the name ends in .json or .txt. ``code`` is the folder that goes along (None: the function
        alone). Inputs of more than 8 MB together are objects of their own. ``requirements`` are
        packages, a list as pip reads them or a file in ``code``, which a worker installs once; ``python``
        is the program on the machines: without requirements this one on a laptop cloud, else python3.
        ``gpu_memory`` is the memory on each GPU, ``"6Gi"``; without ``gpu`` the call gets that part of
        one. A class with ``__call__`` is made once in processes that stay, which :func:`mayfly.warm` asks for
        of a function, and ``runner=True`` or ``runner={"restartAfter": 1000}`` of any. ``chunksize``
        inputs are one task, which calls the function with each of them, or with lists of ``batch`` (then also
        the inputs of a task, if ``chunksize`` is left out) for which it returns as many results; its future has
        lists as ``input`` and result, and ``results()`` one result for each input. ``after`` are jobs or
        futures that must have succeeded first. Other ``fields`` are the job's, as in its YAML.
        """
        fields["resources"] = _resources(cpu, memory, gpu, gpu_memory, tpu, fields.get("resources"))
        chunks = chunks_of(chunksize, batch, output)
        call = _Call(self, function, output, name, code, python, requirements, fields, chunks)
        return call.run(chunks.cut(list(inputs)) if chunks else list(inputs), None)

    def open(
        self,
        function: Callable[..., Any],
        *,
        output: str | None = None,
        name: str | None = None,
        code: str | Path | None = ".",
        cpu: float | str = 1,
        memory: str | int | None = None,
        gpu: float | None = None,
        gpu_memory: str | int | None = None,
        tpu: str | int | None = None,
        python: str | None = None,
        requirements: Sequence[str] | str | Path | None = None,
        open_for: str | None = None,
        idle_after: str | None = None,
        **fields: Any,
    ) -> OpenCalls:
        """A job to which calls are added while it runs; returns its :class:`OpenCalls`, for a ``with``.

        ``output`` must have {index} in it. The job closes itself ``open_for`` (24h) after it was accepted,
        and when nothing has waited or run for ``idle_after`` (1h). The rest is as in :meth:`map`.
        """
        fields["resources"] = _resources(cpu, memory, gpu, gpu_memory, tpu, fields.get("resources"))
        refuse("open", fields)
        times = {"openFor": open_for, "idleAfter": idle_after}
        call = _Call(self, function, output, name, code, python, requirements, fields)
        return call.open({k: v for k, v in times.items() if v is not None})

    def executor(self, **options: Any) -> Executor:
        """An executor of the standard library: ``submit(f, *arguments)`` for any function; for asyncio and joblib too.

        ``options`` are those of :meth:`open`. Leaving its ``with`` waits for the calls and closes its job.
        """
        options.setdefault("name", f"executor-{secrets.token_hex(4)}")
        fields = dict(options)
        return Executor(self.open(_executor.call, **fields))

    def map_files(
        self,
        function: Callable[..., Any],
        pattern: str,
        *,
        output: str,
        name: str | None = None,
        code: str | Path | None = ".",
        cpu: float | str = 1,
        memory: str | int | None = None,
        gpu: float | None = None,
        gpu_memory: str | int | None = None,
        tpu: str | int | None = None,
        python: str | None = None,
        requirements: Sequence[str] | str | Path | None = None,
        **fields: Any,
    ) -> Job:
        """Calls the function with the path of each object that matches ``gs://…/*.csv``; returns the :class:`Job`.

        :meth:`Job.futures` are its results when the objects are listed.

        The objects are listed when the job starts: with ``after`` they can be what other jobs leave.
        ``output`` places each result, for example ``gs://lab/clean/{stem}.csv``. The rest is as in
        :meth:`map`.
        """
        fields["resources"] = _resources(cpu, memory, gpu, gpu_memory, tpu, fields.get("resources"))
        refuse("map_files", fields)
        call = _Call(self, function, output, name, code, python, requirements, fields)
        return call.submit({"inputs": pattern, "output": output}, {}, _FILE)[0]

    def call(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Future:
        """One call; returns its :class:`Future`. Options are those of :meth:`map`."""
        refuse("call", options)
        if len(arguments) == 1:
            return self.map(function, arguments, **options)[0]
        return self.map(cast(Any, _Spread(function)), [arguments], **options)[0]


class _Call:
    """A function with the options of its job, to run it again over other inputs."""

    def __init__(
        self,
        cluster: Cluster,
        function: Callable[..., Any] | _Spread,
        output: str | None,
        name: str | None,
        code: str | Path | None,
        python: str | None,
        requirements: Sequence[str] | str | Path | None,
        fields: Mapping[str, Any],
        chunks: Chunks | None = None,
    ) -> None:
        self._cluster = cluster
        self._chunks = chunks
        self._spread = isinstance(function, _Spread)
        self._function: Callable[..., Any] = function.of if isinstance(function, _Spread) else function
        self._output = output
        self._name = name
        self._code = code
        self._python = python
        self._requirements = requirements
        self._fields = fields

    def run(self, inputs: Sequence[Any], places: Sequence[int | None] | None) -> Futures:
        """``places`` are the tasks' numbers in their outputs' names, where they differ from 0, 1, 2…"""
        if not inputs:
            return Futures()
        if places is not None and len(inputs) > _MAX_ITEMS:
            raise InvalidInput(f"{len(inputs)} calls are too many for one retry; the limit is {_MAX_ITEMS}")
        packed = [packed_value(value, f"input {number}") for number, value in enumerate(inputs)]
        by_value = any(one.by_value for one in packed)
        if sum(len(one.body) for one in packed) <= _MOST_PACKED:
            files = pack_inputs(one.body for one in packed)
            job, _ = self.submit(self._tasks(len(inputs), places), files, "{index}", by_value)
            return Futures(Results(job, inputs, self.repeat, places, chunked=self._chunks is not None).futures)
        names = [str(number if place is None else place) for number, place in enumerate(places or range(len(inputs)))]
        job, _ = self.submit(self._tasks_of_objects(self._upload(packed, names)), {}, "{index}", by_value)
        listed = {name: index for index, name in enumerate(sorted(f"{name}.pkl" for name in names))}
        indexes = [listed[f"{name}.pkl"] for name in names]
        chunked = self._chunks is not None
        return Futures(Results(job, inputs, self.repeat, places, indexes, chunked=chunked).futures)

    def _upload(self, packed: Sequence[Packed], names: Sequence[str]) -> str:
        """Stores each input as an object, sixteen at once; returns where. Equal inputs have one place."""
        content = hashlib.sha256()
        for name, one in zip(names, packed):
            content.update(f"{name} {hashlib.sha256(one.body).hexdigest()}\n".encode())
        cluster = self._cluster
        folder = f"{cluster.status()['spec']['bucket'].rstrip('/')}/mayfly/.code/inputs-{content.hexdigest()}"

        def store(name: str, one: Packed) -> None:
            cluster._deployment.create_object(f"{folder}/{name}.pkl", one.body)

        at_once(store, names, packed)
        return folder

    def open(self, times: Mapping[str, str]) -> OpenCalls:
        tasks = {"open": True, "downloaded": True, **self._named("{index}"), **times}
        return OpenCalls(*self.submit(tasks, {}, "{index}", self._function is _executor.call))

    def submit(
        self, tasks: Mapping[str, Any], inputs: Mapping[str, bytes], argument: str, by_value: bool = False
    ) -> tuple[Job, str]:
        """The job, and the cluster's bucket. ``inputs`` are files that go along; ``by_value``: some have code."""
        batch = self._chunks.batch if self._chunks else None
        packed = {**pack_function(self._function, self._spread, by_value, batch), **inputs}
        files = {".mayfly/" + n: b for n, b in packed.items()}
        files[_task.CALLED] = sources("mayfly", Path(_task.__file__).parent)["mayfly/_task.py"]
        files[".mayfly/lib.zip"] = library()
        if isinstance(self._requirements, (list, tuple)):
            files[_REQUIREMENTS] = "".join(f"{line}\n" for line in self._requirements).encode()
        cluster = self._cluster
        archive, commit = _code.packed(self._code, Path(), files)
        bucket = cluster.status()["spec"]["bucket"]
        # Where results are without a name; named, so that each call must leave one.
        own = {"output": f"{bucket.rstrip('/')}/mayfly/{{job}}/{{index}}"}
        url = _code.upload(cluster._deployment, bucket, archive)
        fields = dict(self._fields)
        program = self._program()
        env = {"PYTHONUNBUFFERED": "1"}  # what it printed before it died is in the log
        if program == sys.executable:  # with what is installed beside it
            env["PATH"] = os.path.dirname(program) + os.pathsep + os.environ.get("PATH", os.defpath)
        fields["env"] = {**env, **(fields.get("env") or {})}
        words = [argument]
        if fields.setdefault("runner", stays(self._function)):
            words = ["stay", "file" if argument == _FILE else "input"]
            tasks = {**tasks, "downloaded": True} if argument == _FILE else tasks
        else:
            del fields["runner"]
        job = dict(
            self._environment(by_value),
            name=self._job_name(),
            code=url,
            **commit,
            command=[program, _task.CALLED, *words],
            tasks={**own, **fields.pop("tasks", {}), **tasks},
        )
        try:
            return cluster.submit(job, **fields), bucket
        except Rejected as e:
            raise _in_words_of(Cluster.open if tasks.get("open") else Cluster.map, fields, e) from e

    def _environment(self, by_value: bool) -> dict[str, Any]:
        """The job's own Python, if packages are asked for. What goes by value needs this one's version."""
        if self._requirements is None:
            return {}
        if isinstance(self._requirements, (list, tuple)):
            wanted = {"requirements": _REQUIREMENTS}
        else:
            wanted = {"requirements": Path(cast(str, self._requirements)).as_posix()}
        if by_value or goes_by_value(self._function):
            wanted["version"] = "{}.{}".format(*sys.version_info)
        return {"python": wanted}

    def repeat(self, calls: Sequence[Future], code: str | None, function: Callable[..., Any] | None = None) -> Futures:
        function = function or _newest(self._function)
        fields = {k: v for k, v in self._fields.items() if k != "submission"}  # which would be the first job again
        again = _Call(
            self._cluster,
            _Spread(function) if self._spread else function,
            self._output,
            self._name,
            self._code if code is None else code,
            self._python,
            self._requirements,
            fields,
            self._chunks,
        )
        return again.run([call.input for call in calls], [call.place for call in calls])

    def _tasks(self, count: int, places: Sequence[int | None] | None) -> dict[str, Any]:
        if places is None or self._output is None:
            return {"count": count, **self._named("{index}")}
        return {"items": [{"n": n} for n in places], "output": self._output.replace("{index}", "{n}")}

    def _tasks_of_objects(self, folder: str) -> dict[str, Any]:
        """The objects are named by the inputs' places."""
        return {"inputs": f"{folder}/*.pkl", "downloaded": True, **self._named("{stem}")}

    def _named(self, index: str) -> dict[str, str]:
        """The place of the results, if one is named; ``index`` is what their number is called."""
        return {"output": self._output.replace("{index}", index)} if self._output else {}

    def _job_name(self) -> str:
        name = re.sub(r"[^a-z0-9]+", "-", getattr(self._function, "__name__", "call").lower()).strip("-")
        return self._name or f"{name[:40] or 'call'}-{secrets.token_hex(4)}"

    def _program(self) -> str:
        if self._python or self._requirements is not None:
            return self._python or "python3"
        return sys.executable if self._cluster._deployment.local else "python3"


class _Spread:
    """A function whose input is all of its arguments."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.of = function


def _newest(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as its module has it now: a notebook may have changed it. Refuses one that its file has newer."""
    module = sys.modules.get(getattr(function, "__module__", ""), None)
    newest = cast(Callable[..., Any], getattr(module, getattr(function, "__qualname__", ""), function))
    old = edited(newest)
    if old is not None:
        raise InvalidInput(
            f"{old}: the file of this script has another {old} than the script that runs, which would run the old one"
            " again: start the script again, name the function (retry(function=…)), or put it into a module beside"
            " the script and import it"
        )
    return newest


def _in_words_of(method: Callable[..., Any], fields: Mapping[str, Any], refused: Rejected) -> Rejected:
    """A refusal that names the keywords of the method, the likeliest first, where one of its own is no job's field."""
    text = str(refused)
    unknown = [name for name in fields if re.search(rf"(?m)(^|[ .]){re.escape(name)}: is not known\b", text)]
    if not unknown:
        return refused
    known = [p.name for p in inspect.signature(method).parameters.values() if p.kind is p.KEYWORD_ONLY]
    name = unknown[0]
    nearest = sorted(known, key=lambda word: -difflib.SequenceMatcher(None, name, word).ratio())
    return Rejected(
        f"{method.__name__} has no keyword {name!r}: its own are {', '.join(nearest)}; any other is a field of the job,"
        f" and there is none of that name\n{text}"
    )


def _resources(
    cpu: float | str,
    memory: str | int | None,
    gpu: float | None,
    gpu_memory: str | int | None,
    tpu: str | int | None,
    given: Mapping[str, Any] | None,
) -> dict[str, Any]:
    asked = {"cpu": cpu, "memory": memory, "gpu": gpu, "gpuMemory": gpu_memory, "tpu": tpu, **(given or {})}
    return {k: v for k, v in asked.items() if v is not None}


def _predecessors(after: Any) -> list[Any]:
    """Uids for jobs and futures, as a newer job may have the name; also within ``{"job": …, "on": "end"}``."""
    names: list[Any] = []
    for one in [after] if isinstance(after, (str, dict, Job, Futures, Future)) else after:
        if isinstance(one, dict):
            found: list[Any] = [{**one, "job": name} for name in _predecessors(one["job"])]
        elif isinstance(one, Futures):
            found = list(dict.fromkeys(future.job.uid for future in one))
        else:
            found = [one if isinstance(one, str) else one.job.uid if isinstance(one, Future) else one.uid]
        names += [name for name in found if name not in names]
    return names


def _owner(invited: str | None = None) -> str | None:
    named = os.environ.get("MAYFLY_OWNER", "")
    if named.strip():
        if not _OWNER.fullmatch(named):
            raise InvalidInput(
                f"MAYFLY_OWNER is {named!r}, which no owner can be called; write letters, digits and -_.@+, a letter or"
                " digit first, or unset it"
            )
        return named
    if invited:
        return invited
    try:
        user = getpass.getuser()
    except Exception:  # no such user, or no terminal
        return None
    return user if _OWNER.fullmatch(user) else None
