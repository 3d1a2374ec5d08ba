"""A real study over calls that a scripted job runs."""

import json
import pickle
import unittest

from context import sample, without
from test_open import ScriptedOpenJob

from mayfly import TaskFailed
from mayfly import optuna as mayfly_optuna
from mayfly._open import OpenCalls

try:
    import optuna
except ImportError:
    optuna = None


class Machine(ScriptedOpenJob):
    """Runs each call in ``steps`` looks, reports at each, and does what ``fails`` says."""

    def __init__(self, objective, steps=1, fails=(), every=1):
        super().__init__()
        self.objective, self.steps, self.fails, self.every = objective, steps, fails, every
        self.looks, self.stops, self.most, self.watched = {}, [], 0, 0

    def watch(self):
        self.watched += 1

    def stop(self, tasks=None):
        self.stops.append(tasks)
        for index in range(len(self.states)) if tasks is None else tasks:
            if self.states[index] in ("waiting", "running"):
                self.states[index] = "stopped"

    def status(self):
        """Each look is a step further."""
        self.most = max(self.most, sum(state in ("waiting", "running") for state in self.states))
        for index, state in enumerate(self.states):
            if state in ("waiting", "running"):
                self.looks[index] = self.looks.get(index, 0) + 1
                ended = "failed" if index in self.fails else "done"
                self.states[index] = "running" if self.looks[index] < self.steps else ended
        counts = {state: self.states.count(state) for state in ("done", "failed", "stopped")}
        totals = dict(sample("view-job")["totals"], **counts)
        answer = sample("view-job", state="running", version=str(self.states), tasks=len(self.states), totals=totals)
        return without(answer, "endedAt")

    def next_status(self, last, wait):
        return self.status()

    def tasks(self, state=None, start=0):
        for index, now in enumerate(self.states):
            if index >= start and state in (None, now):
                metrics = self.told(index, now)
                task = sample("view-task", index=index, state=now, output=f"gs://b/{index}.pkl", metrics=metrics)
                yield task if now == "failed" else without(task, "failure")

    def told(self, index, state):
        """What the machine told last: of a trial that runs, one look in ``every``, each at looks of its own."""
        look = self.looks.get(index, 0)
        step = look if state != "running" else look - (look + index) % self.every
        return {"loss": self.params(index)["x"] ** 2, "step": float(step)} if step > 0 else {}

    def params(self, index):
        return json.loads(self.messages[index][1][0]["variables"]["call"])

    def read_object(self, url):
        return pickle.dumps(self.objective(self.params(int(url.split("/")[-1].split(".")[0]))))


class Lab:
    """A cluster with one machine."""

    def __init__(self, **options):
        self.options = options

    def open(self, objective, **fields):
        self.fields = fields
        self.machine = Machine(objective, **self.options)
        return OpenCalls(self.machine, "gs://b")


def square(params):
    return params["x"] ** 2


@unittest.skipUnless(optuna, "Optuna is not installed")
class OptunaTest(unittest.TestCase):
    def setUp(self):
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.space = {"x": optuna.distributions.FloatDistribution(-10, 10)}

    def study(self, **fields):
        return optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1), **fields)

    def states(self, study):
        return [trial.state.name for trial in study.trials]

    def test_each_trial_has_the_value_of_its_parameters(self):
        lab, study = Lab(), self.study()
        self.assertIs(study, mayfly_optuna.run(study, square, self.space, cluster=lab, n_trials=9, memory="1Gi"))
        self.assertEqual(["COMPLETE"] * 9, self.states(study))
        self.assertTrue(all(trial.value == trial.params["x"] ** 2 for trial in study.trials))
        self.assertEqual({"memory": "1Gi"}, lab.fields)
        self.assertEqual((4, 9, 0), (lab.machine.most, lab.machine.closed, lab.machine.watched))

    def test_function_may_suggest(self):
        study = self.study()
        mayfly_optuna.run(study, square, lambda trial: {"x": trial.suggest_int("x", 2, 2)}, cluster=Lab(), n_trials=1)
        self.assertEqual(4, study.best_value)

    def test_hopeless_trials_are_stopped(self):
        lab, study = Lab(steps=6), self.study(pruner=optuna.pruners.MedianPruner(n_startup_trials=4))
        mayfly_optuna.run(study, square, self.space, cluster=lab, n_trials=16, metric="loss", look=0.05)
        pruned = [trial for trial in study.trials if trial.state.name == "PRUNED"]
        self.assertGreater(len(pruned), 2)
        self.assertEqual(sorted([trial.number] for trial in pruned), sorted(lab.machine.stops))
        self.assertTrue(all(trial.intermediate_values for trial in pruned))
        self.assertEqual(16, len(study.trials))

    def test_trials_seen_at_different_steps_are_compared(self):
        lab = Lab(steps=30, every=13)
        study = self.study(pruner=optuna.pruners.MedianPruner(n_startup_trials=4))
        mayfly_optuna.run(study, square, self.space, cluster=lab, n_trials=16, metric="loss", look=0.05)
        self.assertGreater(self.states(study).count("PRUNED"), 3)
        complete = [trial for trial in study.trials if trial.state.name == "COMPLETE"]
        for trial in complete:
            steps = sorted(trial.intermediate_values)
            self.assertEqual(list(range(steps[0], 31)), steps)
            self.assertTrue(all(abs(at - trial.value) < 1e-9 for at in trial.intermediate_values.values()))

    def test_steps_between_two_values_are_few_and_in_common(self):
        for last, step, steps in [
            (-1, 700, [700]),
            (3, 6, [4, 5, 6]),
            (0, 64, list(range(1, 65))),
            (0, 65, list(range(2, 65, 2))),
            (100, 1100, list(range(112, 1101, 16))),
        ]:
            self.assertEqual(steps, list(mayfly_optuna._steps(last, step)), (last, step))
        study = self.study()
        one = mayfly_optuna._Running(study.ask(self.space))
        self.assertTrue(one.report({"loss": 1.0, "step": 1.0}, "loss"))
        self.assertTrue(one.report({"loss": 4.0, "step": 4.0}, "loss"))
        self.assertFalse(one.report({"loss": 4.0, "step": 4.0}, "loss"))
        self.assertFalse(one.report({"loss": 9.0, "step": 2.0}, "loss"))
        self.assertEqual({1: 1.0, 2: 2.0, 3: 3.0, 4: 4.0}, study.trials[0].intermediate_values)

    def test_one_failure_does_not_end_the_search(self):
        study = self.study()
        mayfly_optuna.run(study, square, self.space, cluster=Lab(fails=[1]), n_trials=5)
        self.assertEqual(["COMPLETE", "FAIL", "COMPLETE", "COMPLETE", "COMPLETE"], self.states(study))

    def test_failure_of_all_is_raised(self):
        study = self.study()
        with self.assertRaisesRegex(TaskFailed, "out of memory"):
            mayfly_optuna.run(study, square, self.space, cluster=Lab(fails=range(9)), n_trials=2)
        self.assertEqual(["FAIL", "FAIL"], self.states(study))

    def test_exception_leaves_no_trial_open(self):
        lab, study = Lab(steps=9), self.study()

        def space(trial):
            if trial.number == 3:
                raise KeyError("lr")
            return {"x": 1}

        with self.assertRaises(KeyError):
            mayfly_optuna.run(study, square, space, cluster=lab, n_trials=5)
        self.assertEqual(["FAIL"] * 4, self.states(study))
        self.assertEqual([None], lab.machine.stops)

    def test_trial_whose_result_is_unreadable_is_not_left_open(self):
        study = self.study()
        with self.assertRaises(KeyError):
            mayfly_optuna.run(study, lambda params: params["lr"], self.space, cluster=Lab(), n_trials=1)
        self.assertEqual(["FAIL"], self.states(study))


if __name__ == "__main__":
    unittest.main()
