"""Programs that stay: a function that is loaded once a slot and called with input after input."""

from __future__ import annotations

import inspect
from typing import Any, Callable, TypeVar

from ._errors import InvalidInput

_Function = TypeVar("_Function", bound=Callable[..., Any])


def warm(function: _Function) -> _Function:
    """Marks a function: calls of ``map`` and the like run one after the other in processes that stay.

    What it keeps between calls, in a variable of its module or a cache, is there for the next one. A class
    with ``__call__`` needs no mark: it is made once in each process, and called with each input.
    """
    try:
        function.__mayfly_warm__ = True  # type: ignore[attr-defined]
    except AttributeError as e:
        raise InvalidInput(f"{function!r} cannot be marked: call it in a function of your own") from e
    return function


def is_made_once(function: object) -> bool:
    """Whether it is a class whose instances are called."""
    return inspect.isclass(function) and any("__call__" in vars(base) for base in function.__mro__)


def stays(function: object) -> bool:
    """Whether its calls run in processes that stay."""
    return is_made_once(function) or getattr(function, "__mayfly_warm__", False) is True
