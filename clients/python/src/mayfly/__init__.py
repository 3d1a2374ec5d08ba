"""Runs Python functions and jobs on a Mayfly cluster.

import mayfly
cluster = mayfly.Cluster("lab")
futures = cluster.map(train, [0.1, 0.01], gpu=1, output="gs://lab/run/{index}.pkl")
for future in mayfly.as_completed(futures):
    print(future.input, future.result())
"""

from typing import TYPE_CHECKING

from . import optuna
from ._cluster import Cluster
from ._deployment import Deployment
from ._errors import (
    Denied,
    InvalidInput,
    MayflyError,
    NotFound,
    Rejected,
    TaskFailed,
    Unavailable,
)
from ._futures import Future, Futures, as_completed
from ._job import Job
from ._metrics import MetricsHistory, MetricsRow
from ._open import OpenCalls
from ._report import report
from ._warm import warm

__all__ = [
    "Cluster",
    "Denied",
    "Deployment",
    "Future",
    "Futures",
    "InvalidInput",
    "Job",
    "MayflyError",
    "MetricsHistory",
    "MetricsRow",
    "NotFound",
    "OpenCalls",
    "Rejected",
    "TaskFailed",
    "Unavailable",
    "as_completed",
    "__version__",
    "optuna",
    "report",
    "warm",
]

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name):
        """The version of the installed package, when it is asked for: to find it takes longer than the rest."""
        if name != "__version__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from ._version import installed

        return installed()
