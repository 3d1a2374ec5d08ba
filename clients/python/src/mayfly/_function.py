"""Packs a function for another machine, with ``cloudpickle``, as Ray, Dask and joblib do.

A function or class of a module goes by its name, and the module's file goes along with the code. What a
script's ``__main__`` or a notebook defines goes by value, with what it names. That needs the same minor
version of Python on the other side.
"""

from __future__ import annotations

import base64
import functools
import importlib.util
import inspect
import io
import json
import marshal
import struct
import sys
import types
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping

import cloudpickle

from ._errors import InvalidInput
from ._warm import is_made_once

PROTOCOL = 4
_VARIABLE_BYTES = 4096


@dataclass(frozen=True)
class Packed:
    """A value as bytes. ``by_value``: code of this Python is part of it, which needs the same minor version."""

    body: bytes
    by_value: bool


def pack_function(
    function: Callable[..., Any], spread: bool = False, by_value: bool = False, batch: int | None = None
) -> dict[str, bytes]:
    """The files of ``.mayfly/`` for a function, name to bytes. ``spread``: an input is all of its arguments.

    Each call brings its own input, or has one of :func:`pack_inputs`; ``by_value``: some of these are.
    ``batch``: a task's input is a list of several, given to so many a call; 0: to each a call of its own.
    """
    if not callable(function):
        raise InvalidInput(f"{function!r} is not a function")
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise InvalidInput(f"{_name(function)} is a generator, which has no result: return a list instead of yielding")
    packed = packed_value(function, f"function {_name(function)}")
    version = list(sys.version_info[:2])
    call = {
        "function": packed.body,
        "python": version,
        "by value": by_value or packed.by_value,
        "spread": spread,
        "made": is_made_once(function),
        "batch": batch,
    }
    return {"call.pkl": cloudpickle.dumps(call, PROTOCOL)}


def pack_inputs(bodies: Iterable[bytes]) -> dict[str, bytes]:
    """The files of ``.mayfly/`` for inputs that are pickled already, one after the other, and where each begins."""
    packed, ends = [], [0]
    for body in bodies:
        packed.append(body)
        ends.append(ends[-1] + len(body))
    return {"inputs.bin": b"".join(packed), "inputs.idx": struct.pack(f"<{len(ends)}Q", *ends)}


def read_inputs(files: Mapping[str, bytes]) -> list[Any]:
    """What :func:`pack_inputs` packed. Unpickling runs code: for archives of one's own."""
    index, bodies = files["inputs.idx"], files["inputs.bin"]
    ends = struct.unpack(f"<{len(index) // 8}Q", index)
    return [cloudpickle.loads(bodies[begin:end]) for begin, end in zip(ends, ends[1:])]


def pack_input(value: object) -> tuple[dict[str, str], bytes | None]:
    """A call's input as variables of its task, or as the bytes of an object if it is large: (variables, body)."""
    text = _json(value)
    if text is not None and len(text) <= _VARIABLE_BYTES:
        return {"call": text}, None
    body = packed_value(value, "the input").body
    text = base64.b64encode(body).decode()
    return ({"pickled": text}, None) if len(text) <= _VARIABLE_BYTES else ({}, body)


def sources(name: str, place: Path) -> dict[str, bytes]:
    """The modules of a package, by their paths from the folder or zip that the package is in."""
    if place.parent.is_file():  # a call that makes calls has the packages in a zip
        with zipfile.ZipFile(place.parent) as archive:
            names = [n for n in archive.namelist() if n.startswith(name + "/") and n.endswith(".py")]
            return {n: archive.read(n) for n in sorted(names)}
    return {f"{name}/{file.name}": file.read_bytes() for file in sorted(place.glob("*.py"))}


@functools.lru_cache(maxsize=1)
def library() -> bytes:
    """A zip of this package and the ``cloudpickle`` that packs here, for machines that lack it or have another one.

    It is one file, because each task gets a copy of the code. Equal sources make equal bytes: a job that is
    submitted again has to have the same code.
    """
    packer = sources("cloudpickle", Path(cloudpickle.__file__).parent)
    files = {**packer, **sources("mayfly", Path(__file__).parent)}
    if sys.version_info >= (3, 11):  # the first whose compiled modules are the same in each process
        files.update((name + "c", _compiled(name, source)) for name, source in packer.items())
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, body in files.items():
            archive.writestr(zipfile.ZipInfo(name), body)
    return target.getvalue()


def _compiled(name: str, source: bytes) -> bytes:
    """A module as this Python compiles it, which another one leaves aside; taken without a look at its source."""
    code = compile(source, name, "exec", dont_inherit=True)
    unchecked = struct.pack("<I", 1)
    return importlib.util.MAGIC_NUMBER + unchecked + importlib.util.source_hash(source) + marshal.dumps(code, 2)


def goes_by_value(function: Callable[..., Any]) -> bool:
    """Whether the function, or a class or function that it names, is packed with its code."""
    return packed_value(function, f"function {_name(function)}").by_value


_NO_FILE = "<dynamic-code>"
_CACHED = type(functools.lru_cache(len))


def _is_importable(thing: object) -> bool:
    """Whether another process finds it by its module and name."""
    name, module = getattr(thing, "__qualname__", ""), getattr(thing, "__module__", "")
    return module != "__main__" and getattr(sys.modules.get(module), name, None) is thing


class _Pickler(cloudpickle.Pickler):  # type: ignore[misc]
    """Notes whether compiled code of this Python is part of what it pickles."""

    by_value = False

    def reducer_override(self, thing: object) -> Any:
        if isinstance(thing, _CACHED) and not _is_importable(thing):
            self.by_value = True
            return functools.lru_cache(**thing.cache_parameters()), (thing.__wrapped__,)  # with an empty cache
        if isinstance(thing, types.CodeType):  # cloudpickle leaves the file's name out, which tracebacks name
            make, given = self.dispatch_table[types.CodeType](thing)[:2]
            return make, tuple(Path(thing.co_filename).name if one == _NO_FILE else one for one in given)
        reduced = super().reducer_override(thing)
        if reduced is not NotImplemented:
            self.by_value = True
        return reduced


def packed_value(value: object, what: str) -> Packed:
    """A value that may have functions and classes of a script. ``what`` names it in errors."""
    target = io.BytesIO()
    pickler = _Pickler(target, PROTOCOL)
    try:
        pickler.dump(value)
    except Exception as e:  # pickle raises errors of many types
        raise InvalidInput(f"{what} cannot be pickled: {e}") from e
    return Packed(target.getvalue(), pickler.by_value)


def _name(function: object) -> str:
    return str(getattr(function, "__qualname__", None) or repr(function))


def _json(value: object) -> str | None:
    """The value as JSON, which people can read in lists of tasks, if nothing is lost."""
    try:
        text = json.dumps(value)
        return text if _same(json.loads(text), value) else None
    except (TypeError, ValueError, RecursionError):
        return None


def _same(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)
