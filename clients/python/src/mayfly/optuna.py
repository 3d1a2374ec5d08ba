"""A study of Optuna whose trials are calls on a cluster. Optuna is needed here, and not on the machines."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Mapping

from ._cluster import Cluster
from ._errors import InvalidInput
from ._futures import Future, as_completed
from ._job import Job


def run(
    study: Any,
    objective: Callable[[dict[str, Any]], Any],
    space: Mapping[str, Any] | Callable[[Any], dict[str, Any]],
    *,
    cluster: Cluster | str,
    n_trials: int = 40,
    at_once: int = 4,
    metric: str | None = None,
    look: float = 2.0,
    **options: Any,
) -> Any:
    """Runs so many more trials of the study, some at once, and returns the study.

    ``space`` gives a trial its parameters: a dictionary of Optuna's distributions, or a function that
    asks the trial (``suggest_float``…) and returns them as a dictionary. ``objective`` is called with
    the parameters on the ``cluster`` (or its name) and returns the trial's value. With ``metric`` the
    study's pruner judges a trial by what it reports meanwhile, ``mayfly.report(step=3, loss=0.5)``
    for the metric ``loss``, every ``look`` seconds, and a pruned trial is stopped. Machines tell
    the newest value about every ten seconds, and pruners compare trials at equal steps: the steps
    between two values that were seen get values on the straight line between them. A trial that
    fails for good counts as failed; if all do, the last one's :class:`TaskFailed` is raised.
    ``options`` are those of :meth:`Cluster.open`.
    """
    if at_once < 1:
        raise InvalidInput(f"at_once is {at_once}: at least one trial must run")
    cluster = Cluster(cluster) if isinstance(cluster, str) else cluster
    running: dict[Future, _Running] = {}
    asked: list[Any] = []
    failures: list[BaseException] = []
    left, told = n_trials, 0
    with cluster.open(objective, **options) as calls:
        try:
            while left or running:
                while left and len(running) < at_once:
                    trial = study.ask(space) if isinstance(space, Mapping) else study.ask()
                    asked.append(trial)
                    params = dict(trial.params) if isinstance(space, Mapping) else space(trial)
                    running[calls.submit(params)] = _Running(trial)
                    left -= 1
                for future in _ended(running, look if metric else None):
                    one = running.pop(future)
                    if metric and future.state == "done":
                        one.report(future.metrics(), metric)  # its last, with which later trials are compared
                    told += _tell(study, one.trial, future, failures)
                    asked.remove(one.trial)
                if metric:
                    _prune(calls.job, running, metric)
        except BaseException:
            for trial in asked:  # whatever became of it
                _fail(study, trial)
            raise
    if failures and not told:
        raise failures[-1]
    return study


class _Running:
    """A trial and the newest that is known of it."""

    def __init__(self, trial: Any) -> None:
        self.trial = trial
        self.step = -1
        self.value = 0.0
        self.seen: Mapping[str, float] = {}

    def report(self, values: Mapping[str, float], metric: str) -> bool:
        """Gives the trial a value for each step since the last that was seen; whether there is something new."""
        if metric not in values or values == self.seen:
            return False
        self.seen = values
        step, value = int(values.get("step", self.step + 1)), values[metric]
        if step <= self.step:
            return False  # of an attempt that began again
        for between in _steps(self.step, step):
            self.trial.report(value - (value - self.value) * (step - between) / (step - self.step), between)
        self.step, self.value = step, value
        return True


def _steps(last: int, step: int) -> Iterable[int]:
    """The steps after ``last`` that get a value when ``step`` is seen: 64 at most, at multiples of a power of two, so
    that trials seen at different steps have steps in common."""
    if last < 0:
        return (step,)
    stride = 1
    while step - last > 64 * stride:
        stride *= 2
    return range((last // stride + 1) * stride, step + 1, stride)


def _ended(running: Mapping[Future, _Running], seconds: float | None) -> list[Future]:
    try:
        next(as_completed(running, seconds))
    except TimeoutError:
        pass
    return [future for future in running if future.ended]


def _tell(study: Any, trial: Any, future: Future, failures: list[BaseException]) -> bool:
    """Tells the study how a trial ended; whether it was its own end."""
    error = future.exception()
    if error is None:
        study.tell(trial, future.result())
    elif future.state == "stopped":
        study.tell(trial, state=_states().PRUNED)
    else:
        failures.append(error)
        _fail(study, trial)
        return False
    return True


def _fail(study: Any, trial: Any) -> None:
    study.tell(trial, state=_states().FAIL, skip_if_finished=True)


def _states() -> Any:
    from optuna.trial import TrialState  # here, so that the package needs no Optuna

    return TrialState


def _prune(job: Job, running: Mapping[Future, _Running], metric: str) -> None:
    """Gives the study what running trials have reported, and stops those that its pruner gives up."""
    job.watch()
    reported = {task["index"]: task.get("metrics") or {} for task in job.tasks("running")}
    for future, one in running.items():
        if one.report(reported.get(future.index, {}), metric) and one.trial.should_prune():
            future.stop()
