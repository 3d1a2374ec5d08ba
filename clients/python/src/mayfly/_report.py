"""Metrics of the task that runs here."""

from __future__ import annotations

import json
import os


def report(**values: float) -> None:
    """Reports numbers of this task by name, such as ``report(step=3, acc=0.93)``; outside of a task nothing.

    They are shown by ``mayfly tasks JOB --sort acc``, by :meth:`Future.metrics`, and prune trials.
    """
    file = os.environ.get("MAYFLY_METRICS")
    if file:
        with open(file, "a", encoding="utf-8") as metrics:
            metrics.write(json.dumps({name: float(value) for name, value in values.items()}) + "\n")
