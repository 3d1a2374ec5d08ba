"""A backend of joblib whose calls are tasks. Joblib is needed here and on the machines."""

from __future__ import annotations

from typing import Any, Callable

from joblib import register_parallel_backend
from joblib.parallel import ParallelBackendBase

from ._cluster import Cluster
from ._errors import InvalidInput
from ._executor import Executor
from ._futures import Future

_AT_ONCE = 1000  # calls, where n_jobs is -1: the pools' maxima decide what runs


class Backend(ParallelBackendBase):  # type: ignore[misc]
    """``with joblib.parallel_config(backend="mayfly", cluster="lab", n_jobs=-1): …``.

    ``cluster`` is a :class:`Cluster` or its name; other options are those of :meth:`Cluster.open`, such as
    ``cpu=2, requirements=["joblib", "scikit-learn"]``. Each ``Parallel`` is a job.
    """

    supports_retrieve_callback = True

    def __init__(self, cluster: Cluster | str | None = None, **options: Any) -> None:
        known = ("nesting_level", "inner_max_num_threads")
        super().__init__(**{name: options.pop(name) for name in known if name in options})
        if cluster is None:
            raise InvalidInput('name a cluster: parallel_config(backend="mayfly", cluster="lab")')
        self._cluster = Cluster(cluster) if isinstance(cluster, str) else cluster
        self._options = options
        self._executor: Executor | None = None
        self._calls: list[Future] = []

    def effective_n_jobs(self, n_jobs: int | None) -> int:
        """So many calls are added before the first has ended."""
        if n_jobs == 0:
            raise ValueError("n_jobs == 0 has no meaning")
        return _AT_ONCE if n_jobs is None or n_jobs < 0 else n_jobs

    def submit(self, func: Callable[[], Any], callback: Callable[[Any], Any] | None = None) -> Future:
        """Adds a batch of calls."""
        if self._executor is None:
            self._executor = self._cluster.executor(**self._options)
        future = self._executor.submit(func)
        self._calls.append(future)
        if callback is not None:
            future.add_done_callback(callback)
        return future

    def retrieve_result_callback(self, out: Future) -> Any:
        """The results of a batch."""
        return out.result()

    def abort_everything(self, ensure_ready: bool = True) -> None:
        """Cancels what has not ended, after an error."""
        for future in self._calls:
            if not future.ended:
                future.cancel()
        self.terminate()

    def terminate(self) -> None:
        """Closes the job; a later call opens another."""
        executor, self._executor, self._calls = self._executor, None, []
        if executor is not None:
            executor.shutdown(wait=False)


def register() -> None:
    """Makes ``backend="mayfly"`` known to joblib; a repeat changes nothing."""
    register_parallel_backend("mayfly", Backend)
