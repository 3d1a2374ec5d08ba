"""Packs a function for another machine.

A function of a module goes by its name, and the module's file goes along with the code. A function
of a script's ``__main__`` or of a notebook goes by value: its compiled code, and what it names. That
needs the same minor version of Python on the other side.
"""

import base64
import json
import marshal
import pickle
import struct
import sys
import types

from ._errors import InvalidInput


_VARIABLE_BYTES = 4096


def pack_call(function, inputs, spread=False):
    """The files of ``.mayfly/`` for a function and its inputs, name to bytes. ``spread``: an input is all arguments.

    Without inputs (None) each call brings its own, as :func:`pack_input` makes it.
    """
    if not callable(function):
        raise InvalidInput(f"{function!r} is not a function")
    packed = _function(function, {})
    if inputs is None:
        return {"call.pkl": _packed_call(packed, spread)}
    bodies, ends = [], [0]
    for number, value in enumerate(inputs):
        bodies.append(_pickled(value, f"input {number}"))
        ends.append(ends[-1] + len(bodies[-1]))
    return {
        "call.pkl": _packed_call(packed, spread),
        "inputs.bin": b"".join(bodies),
        "inputs.idx": struct.pack(f"<{len(ends)}Q", *ends),
    }


def _packed_call(packed, spread):
    call = {"function": packed, "python": list(sys.version_info[:2]), "by value": "code" in packed,
            "spread": spread}
    return pickle.dumps(call, protocol=4)


def pack_input(value):
    """A call's input as variables of its task, or as the bytes of an object if it is large: (variables, body)."""
    text = _json(value)
    if text is not None and len(text) <= _VARIABLE_BYTES:
        return {"call": text}, None
    body = _pickled(value, "the input")
    text = base64.b64encode(body).decode()
    return ({"pickled": text}, None) if len(text) <= _VARIABLE_BYTES else ({}, body)


def _json(value):
    """The value as JSON, which people can read in lists of tasks, if nothing is lost."""
    try:
        text = json.dumps(value)
        return text if _same(json.loads(text), value) else None
    except (TypeError, ValueError, RecursionError):
        return None


def _same(one, other):
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other


def goes_by_value(function):
    return getattr(function, "__module__", None) in (None, "__main__") or "<" in getattr(function, "__qualname__", "")


def _function(function, seen):
    name = getattr(function, "__qualname__", "")
    if not goes_by_value(function):
        return {"reference": (function.__module__, name)}
    if not isinstance(function, types.FunctionType):
        raise InvalidInput(
            f"{name or function!r} cannot be packed by value, only functions can: put it into a module"
            " beside your script and import it"
        )
    number = seen.get(id(function))
    if number is not None:
        return {"id": number}
    number = seen[id(function)] = len(seen)
    return {
        "id": number,
        "name": function.__name__,
        "code": marshal.dumps(function.__code__),
        "defaults": function.__defaults__,
        "keywords": function.__kwdefaults__,
        "closure": [_value(c.cell_contents, "a variable of its closure", seen) for c in function.__closure__ or ()],
        "globals": {
            name: _value(function.__globals__[name], name, seen)
            for name in sorted(_names(function.__code__))
            if name in function.__globals__
        },
    }


def _names(code):
    """The names that code and the functions inside it use."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return names


def _value(value, what, seen):
    if isinstance(value, types.ModuleType):
        return "module", value.__name__
    if isinstance(value, types.FunctionType):
        return "function", _function(value, seen)
    return "value", _pickled(value, what)


def _pickled(value, what):
    try:
        body = pickle.dumps(value, protocol=4)
    except Exception as e:  # pickle raises errors of many types
        raise InvalidInput(f"{what} cannot be pickled: {e}") from e
    owner = getattr(value if isinstance(value, type) else type(value), "__module__", "")
    if owner == "__main__":
        raise InvalidInput(
            f"{what} is of a class of this script, which other machines do not have: put the class into"
            " a module beside your script and import it"
        )
    return body
