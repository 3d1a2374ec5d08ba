"""An executor of the standard library whose calls are tasks."""

from __future__ import annotations

import concurrent.futures
from typing import Any, Callable

from ._futures import Future
from ._open import OpenCalls


class Executor(concurrent.futures.Executor):
    """Calls any function with any arguments on a cluster: for asyncio, joblib and what else takes an executor.

    It is an open job, which ends when :meth:`shutdown` is called and its calls have ended, or by itself when
    nothing has waited or run for an hour.
    """

    def __init__(self, calls: OpenCalls) -> None:
        self._calls = calls

    @property
    def job(self) -> Any:
        return self._calls.job

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        """Adds a call and returns its :class:`Future`. Raises ``RuntimeError`` after :meth:`shutdown`."""
        if self._calls.closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        return self._calls.submit((fn, args, kwargs))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no more calls. ``wait``: until all have ended; ``cancel_futures``: cancels those that run or wait."""
        self._calls.close()
        waiting = self._calls.waiting()
        if cancel_futures:
            for future in waiting:
                future.cancel()
        if wait:
            concurrent.futures.wait(waiting)


def call(given: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]) -> Any:
    """What runs on the machine."""
    function, arguments, keywords = given
    return function(*arguments, **keywords)
