"""Whether a function is still the one in its file: a running script does not see what was edited since."""

from __future__ import annotations

import types
from pathlib import Path
from typing import Any, Iterator


def edited(function: object) -> str | None:
    """What the file of a script's function says otherwise: the name of a function, or None if nothing.

    The function and those of the script that it calls are compared with the file; a notebook's have none.
    """
    seen: set[int] = set()
    left = [function]
    while left:
        one = left.pop()
        if not isinstance(one, types.FunctionType) or not _is_of_a_script(one) or id(one) in seen:
            continue
        seen.add(id(one))
        if not _is_in_its_file(one.__code__):
            return one.__name__
        left.extend(one.__globals__.get(name) for name in one.__code__.co_names)
    return None


def _is_of_a_script(function: types.FunctionType) -> bool:
    return function.__module__ in (None, "__main__") or "<" in function.__qualname__


def _is_in_its_file(code: types.CodeType) -> bool:
    try:
        text = Path(code.co_filename).read_bytes()
    except (OSError, ValueError):
        return True  # typed, or in a notebook: the function is the newest there is
    try:
        compiled = compile(text, code.co_filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return _content(code) in [_content(it) for it in _inside(compiled) if it.co_name == code.co_name]


def _inside(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _inside(constant)


def _content(code: types.CodeType) -> tuple[Any, ...]:
    """All that the code does; where it stands in the file is not part of that."""
    constants = tuple(_content(c) if isinstance(c, types.CodeType) else (type(c), c) for c in code.co_consts)
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, constants
