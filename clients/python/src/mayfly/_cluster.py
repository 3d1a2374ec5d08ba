"""A cluster, and what runs on it."""

import getpass
import hashlib
import os
import re
import secrets
import sys
from pathlib import Path

from . import _code, _documents, _task
from ._deployment import Deployment, quoted
from ._errors import InvalidInput
from ._function import goes_by_value, pack_call
from ._futures import Future, Futures, Results
from ._job import Job, await_accepted
from ._open import OpenCalls

_OWNER = re.compile(r"[A-Za-z0-9][-A-Za-z0-9_.@+]{0,99}")
_MAX_ITEMS = 10_000
_REQUIREMENTS = ".mayfly/requirements.txt"


class Cluster:
    """A cluster by its name. Nothing is called until a method is.

    A task of a job with ``submitter: true`` may leave the name out, for the cluster in which it runs.
    """

    def __init__(self, name=None, deployment=None):
        self.name = name or os.environ.get("MAYFLY_CLUSTER")
        if not self.name:
            raise InvalidInput("name a cluster: mayfly.Cluster(\"lab\"); only a task with submitter: true has its own")
        name = self.name
        self._given = deployment
        self._path = f"/v1/clusters/{quoted(name)}"

    def __repr__(self):
        return f"Cluster({self.name!r})"

    @property
    def _deployment(self):
        if self._given is None:
            self._given = Deployment.find()
        return self._given

    def status(self):
        return self._deployment.get(self._path)

    def workers(self, all=False):
        return self._deployment.get(self._path + "/workers" + ("?all=true" if all else ""))

    def jobs(self, limit=50):
        """The newest jobs as dictionaries."""
        return self._deployment.get(f"{self._path}/jobs?limit={limit}")

    def job(self, name):
        """The newest job of a name, or the job of a uid.

        A name is that of your own job if you have or had one; ``"ann/train"`` is Ann's.
        """
        owner, _, name = name.rpartition("/")
        whose = {"owner": owner} if owner else {"caller": _owner()}
        query = "".join(f"?{key}={quoted(user)}" for key, user in whose.items() if user)
        found = self._deployment.get(f"{self._path}/jobs/{quoted(name)}{query}")
        return Job(self._deployment, self.name, found["uid"], found["name"], found.get("owner"))

    def events(self, about=None, limit=50):
        only = f"&about={quoted(about)}" if about else ""
        return self._deployment.get(f"{self._path}/events?limit={limit}{only}")

    def submit(self, document, code=None, variables=None, **fields):
        """Submits a job: a dictionary, or the path of a JSON or YAML file. Returns its :class:`Job`.

        ``fields`` override the document's, and ``variables`` values of its variables, as ``--var``
        does. A ``code`` that is a folder (in a file: relative to it) is packed and uploaded. ``after``
        takes jobs and futures beside names. If a job of that name and content is live, it is that one.
        """
        if "after" in fields:
            fields["after"] = _predecessors(fields["after"])
        if isinstance(document, dict):
            job, folder = dict(document), Path()
        else:
            job, folder = _documents.read(document)
        if variables and isinstance(job, _documents.YamlText):
            job.set_variables(variables)
        elif variables:
            job["variables"] = {**(job.get("variables") or {}), **variables}
        job.update({"apiVersion": "mayfly.dev/v1", "kind": "Job", "cluster": self.name, **fields})
        if code is not None:
            job["code"], folder = str(code), Path()
        if job.get("code") and "://" not in job["code"]:
            archive = _code.pack(folder / job["code"], {})
            job["code"] = _code.upload(self._deployment, self.status()["spec"]["bucket"], archive)
        job.setdefault("owner", _owner())
        submission = job.setdefault("submission", secrets.token_hex(16))
        message = self._deployment.publish("mayfly-jobs", _documents.message(job))
        uid = "j" + hashlib.sha256(submission.encode()).hexdigest()[:15]
        name, owner = _documents.name_of(job), job.get("owner")
        return await_accepted(self._deployment, self.name, uid, name, message, owner=owner)

    def map(self, function, inputs, *, output=None, name=None, code=".", cpu=1, memory=None, gpu=None,
            gpu_memory=None, tpu=None, python=None, requirements=None, **fields):
        """Calls the function with each input, a task each, and returns :class:`Futures` at once.

        ``output`` places each result, for example ``gs://lab/run/{index}.pkl``; the same place twice
        means that what is done there is not run again. Results are pickled, or JSON or text where
        the name ends in .json or .txt. ``code`` is the folder that goes along (None: the function
        alone). ``requirements`` are packages, a list as pip reads them or a file in ``code``, which a
        worker installs once; ``python`` is the program on the machines: without requirements this one
        on a laptop cloud, else python3. ``gpu_memory`` is the memory on each GPU, ``"6Gi"``; without
        ``gpu`` the call gets that part of one. ``after`` are jobs or futures that must have succeeded first.
        Other ``fields`` are the job's, as in its YAML.
        """
        fields["resources"] = _resources(cpu, memory, gpu, gpu_memory, tpu, fields.get("resources"))
        call = _Call(self, function, output, name, code, python, requirements, fields)
        return call.run(list(inputs), None)

    def open(self, function, *, output=None, name=None, code=".", cpu=1, memory=None, gpu=None,
             gpu_memory=None, tpu=None, python=None, requirements=None, open_for=None, idle_after=None, **fields):
        """A job to which calls are added while it runs; returns its :class:`OpenCalls`, for a ``with``.

        ``output`` must have {index} in it. The job closes itself ``open_for`` (24h) after its begin,
        and when nothing has waited or run for ``idle_after`` (1h). The rest is as in :meth:`map`.
        """
        fields["resources"] = _resources(cpu, memory, gpu, gpu_memory, tpu, fields.get("resources"))
        times = {"openFor": open_for, "idleAfter": idle_after}
        call = _Call(self, function, output, name, code, python, requirements, fields)
        return call.open({k: v for k, v in times.items() if v is not None})

    def map_files(self, function, pattern, *, output, name=None, code=".", cpu=1, memory=None, gpu=None,
                  gpu_memory=None, tpu=None, python=None, requirements=None, **fields):
        """Calls the function with the path of each object that matches ``gs://…/*.csv``; returns the :class:`Job`.

        The objects are listed when the job starts: with ``after`` they can be what other jobs leave.
        ``output`` places each result, for example ``gs://lab/clean/{stem}.csv``. The rest is as in
        :meth:`map`.
        """
        fields["resources"] = _resources(cpu, memory, gpu, gpu_memory, tpu, fields.get("resources"))
        call = _Call(self, function, output, name, code, python, requirements, fields)
        return call.submit({"inputs": pattern, "output": output}, (), "{inputFile}")[0]

    def call(self, function, *arguments, **options):
        """One call; returns its :class:`Future`. Options are those of :meth:`map`."""
        if len(arguments) == 1:
            return self.map(function, arguments, **options)[0]
        return self.map(_Spread(function), [arguments], **options)[0]


class _Call:
    """A function with the options of its job, to run it again over other inputs."""

    def __init__(self, cluster, function, output, name, code, python, requirements, fields):
        self._cluster = cluster
        self._spread = isinstance(function, _Spread)
        self._function = function.of if self._spread else function
        self._output = output
        self._name = name
        self._code = code
        self._python = python
        self._requirements = requirements
        self._fields = fields

    def run(self, inputs, places):
        """``places`` are the tasks' numbers in their outputs' names, where they differ from 0, 1, 2…"""
        if not inputs:
            return Futures()
        if places is not None and len(inputs) > _MAX_ITEMS:
            raise InvalidInput(f"{len(inputs)} calls are too many for one retry; the limit is {_MAX_ITEMS}")
        job, _ = self.submit(self._tasks(len(inputs), places), inputs, "{index}")
        return Futures(Results(job, inputs, self.repeat, places).futures)

    def open(self, times):
        place = {"output": self._output} if self._output else {}
        tasks = {"open": True, "downloaded": True, **place, **times}
        return OpenCalls(*self.submit(tasks, None, "{index}"))

    def submit(self, tasks, inputs, argument):
        """The job, and the cluster's bucket."""
        packed = pack_call(self._function, inputs, self._spread)
        files = {".mayfly/" + n: b for n, b in packed.items()}
        here = Path(_task.__file__)
        files[".mayfly/task.py"] = here.read_bytes()
        files.update((f".mayfly/lib/mayfly/{f.name}", f.read_bytes()) for f in here.parent.glob("*.py"))
        if isinstance(self._requirements, (list, tuple)):
            files[_REQUIREMENTS] = "".join(f"{line}\n" for line in self._requirements).encode()
        cluster = self._cluster
        archive = _code.pack(self._code, files)
        bucket = cluster.status()["spec"]["bucket"]
        url = _code.upload(cluster._deployment, bucket, archive)
        fields = dict(self._fields)
        program = self._program()
        if program == sys.executable:  # with what is installed beside it
            path = os.path.dirname(program) + os.pathsep + os.environ.get("PATH", os.defpath)
            fields["env"] = {"PATH": path, **(fields.get("env") or {})}
        job = dict(
            self._environment(),
            name=self._job_name(),
            code=url,
            command=[program, ".mayfly/task.py", argument],
            tasks={**fields.pop("tasks", {}), **tasks},
        )
        return cluster.submit(job, **fields), bucket

    def _environment(self):
        """The job's own Python, if packages are asked for. A function by value needs this one's version."""
        if self._requirements is None:
            return {}
        if isinstance(self._requirements, (list, tuple)):
            wanted = {"requirements": _REQUIREMENTS}
        else:
            wanted = {"requirements": Path(self._requirements).as_posix()}
        if goes_by_value(self._function):
            wanted["version"] = "{}.{}".format(*sys.version_info)
        return {"python": wanted}

    def repeat(self, inputs, places, code):
        function = _current(self._function)
        fields = {k: v for k, v in self._fields.items() if k != "submission"}  # which would be the first job again
        again = _Call(self._cluster, _Spread(function) if self._spread else function, self._output, self._name,
                      self._code if code is None else code, self._python, self._requirements, fields)
        return again.run(inputs, places)

    def _tasks(self, count, places):
        if places is None or self._output is None:
            return {"count": count, **({"output": self._output} if self._output else {})}
        return {"items": [{"n": n} for n in places], "output": self._output.replace("{index}", "{n}")}

    def _job_name(self):
        name = re.sub(r"[^a-z0-9]+", "-", getattr(self._function, "__name__", "call").lower()).strip("-")
        return self._name or f"{name[:40] or 'call'}-{secrets.token_hex(4)}"

    def _program(self):
        if self._python or self._requirements is not None:
            return self._python or "python3"
        return sys.executable if self._cluster._deployment.local else "python3"


class _Spread:
    """A function whose input is all of its arguments."""

    def __init__(self, function):
        self.of = function


def _current(function):
    """The function as its module has it now: a notebook or an edited file may have changed it."""
    module = sys.modules.get(getattr(function, "__module__", ""), None)
    return getattr(module, getattr(function, "__qualname__", ""), function)


def _resources(cpu, memory, gpu, gpu_memory, tpu, given):
    asked = {"cpu": cpu, "memory": memory, "gpu": gpu, "gpuMemory": gpu_memory, "tpu": tpu, **(given or {})}
    return {k: v for k, v in asked.items() if v is not None}


def _predecessors(after):
    """Uids for jobs and futures, as a newer job may have the name; also within ``{"job": …, "on": "end"}``."""
    names = []
    for one in [after] if isinstance(after, (str, dict, Job, Futures, Future)) else after:
        if isinstance(one, dict):
            found = [{**one, "job": name} for name in _predecessors(one["job"])]
        elif isinstance(one, Futures):
            found = list(dict.fromkeys(future.job.uid for future in one))
        else:
            found = [one if isinstance(one, str) else one.job.uid if isinstance(one, Future) else one.uid]
        names += [name for name in found if name not in names]
    return names


def _owner():
    try:
        user = os.environ.get("MAYFLY_OWNER") or getpass.getuser()
    except Exception:  # no such user, or no terminal
        return None
    return user if _OWNER.fullmatch(user) else None
