"""Tunes the placer on a cluster: tune.py --experiment gcd --config autotuner.json --samples 20.

Each sample is a job of one task. As soon as one ends its result is fed back and the next is asked for; one that is
worse on its way than half of the others were is stopped. `--engine evolution` needs nothing but Python; `--engine
optuna` asks and tells an Optuna study.
"""

import argparse
import json
import random
import statistics
import sys
import time
from pathlib import Path

import mayfly

from place import ROUNDS, trial

WARM_UP, ENOUGH = 8, 4  # rounds before a trial is judged; trials that it is compared with


class Evolution:
    """Random samples first; then a child of one of the best three, with one or two of its values changed."""

    def __init__(self, space, seed):
        self._space, self._chance = space, random.Random(seed)
        self._known, self._curves = [], []

    def _draw(self, of):
        low, high = of["minmax"]
        return self._chance.randint(low, high) if of["type"] == "int" else self._chance.uniform(low, high)

    def _near(self, of, value):
        low, high = of["minmax"]
        value = min(high, max(low, value + self._chance.gauss(0, (high - low) / 6)))
        return round(value) if of["type"] == "int" else value

    def ask(self, guess=None):
        if guess is not None:
            return None, guess
        if len(self._known) < ENOUGH:
            return None, {name: self._draw(of) for name, of in self._space.items()}
        child = dict(self._chance.choice(sorted(self._known, key=lambda k: k[0])[:3])[1])
        for name in self._chance.sample(sorted(self._space), self._chance.choice((1, 2))):
            child[name] = self._near(self._space[name], child[name])
        return None, child

    def hopeless(self, handle, number, cost):
        if number < WARM_UP or len(self._curves) < ENOUGH:
            return False
        return cost > statistics.median(curve[number] for curve in self._curves)

    def tell(self, handle, result):
        if result is not None:
            self._known.append((result["cost"], result["params"]))
            self._curves.append(result["curve"])


class Optuna:
    """The same by a study of Optuna: its sampler and its pruner."""

    def __init__(self, space, seed):
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._pruned = optuna.trial.TrialState.PRUNED
        self._space = {
            name: optuna.distributions.IntDistribution(*of["minmax"]) if of["type"] == "int"
            else optuna.distributions.FloatDistribution(*of["minmax"])
            for name, of in space.items()
        }
        self._study = optuna.create_study(
            sampler=optuna.samplers.TPESampler(seed=seed, n_startup_trials=ENOUGH),
            pruner=optuna.pruners.MedianPruner(n_startup_trials=ENOUGH, n_warmup_steps=WARM_UP),
        )

    def ask(self, guess=None):
        if guess is not None:
            self._study.enqueue_trial(guess)
        asked = self._study.ask(self._space)
        return asked, asked.params

    def hopeless(self, handle, number, cost):
        handle.report(cost, number)
        return handle.should_prune()

    def tell(self, handle, result):
        if result is None:
            self._study.tell(handle, state=self._pruned)
            return
        seen = self._study.trials[handle.number].intermediate_values
        for number, cost in enumerate(result["curve"]):
            if number not in seen:
                handle.report(cost, number)
        self._study.tell(handle, result["cost"])


class _Sample:
    """A sample that runs."""

    def __init__(self, number, handle, futures):
        self.number, self.handle, self.futures = number, handle, futures
        self._asked = 0.0

    def metrics(self):
        """What the trial wrote last to $MAYFLY_METRICS. Its machine is asked once a minute to report often."""
        if time.monotonic() - self._asked > 60:
            self._asked = time.monotonic()
            self.futures.job.follow_logs()
        return self.futures.job.task(0).get("metrics") or {}


class Tuner:
    def __init__(self, cluster, engine, given):
        self._cluster, self._engine, self._given = cluster, engine, given
        self._running, self.done, self.stopped, self.asked = {}, [], [], []

    def start(self, number):
        handle, params = self._engine.ask(self._given.guess if number == self._given.samples - 1 else None)
        self.asked.append(params)
        futures = self._cluster.map(
            trial,
            [{"params": params, "design": self._given.design, "pause": self._given.pause}],
            name=f"{self._given.experiment}-{number:03}",
            output=f"{self._given.cloud_dir}/{self._given.experiment}/{number:03}.json",
            cpu=1, memory="512Mi", retries={"failures": 1}, grace="10s",
        )
        self._running[futures[0]] = _Sample(number, handle, futures)

    def _ended(self, future):
        sample = self._running.pop(future)
        number, handle = sample.number, sample.handle
        if future.state == "done":
            result = future.result()
            if number in self.stopped:  # it was faster than its stop
                self.stopped.remove(number)
            self.done.append((result["cost"], number, result["params"]))
            self._engine.tell(handle, result)
            print(f"sample {number:03}: cost {result['cost']}, best {min(self.done)[0]}", flush=True)
        elif number in self.stopped:
            self._engine.tell(handle, None)
        else:
            raise future.exception()

    def _judge(self):
        """Stops what will not be good."""
        for sample in self._running.values():
            metrics = sample.metrics()
            if sample.number in self.stopped or not 0 <= metrics.get("round", ROUNDS) < ROUNDS - 2:
                continue  # no news, or about to end by itself
            if self._engine.hopeless(sample.handle, int(metrics["round"]), metrics["cost"]):
                self.stopped.append(sample.number)
                sample.futures.stop()
                print(
                    f"sample {sample.number:03}: stopped in round {metrics['round']:g} at cost {metrics['cost']}",
                    flush=True,
                )

    def run(self):
        started = 0
        while started < self._given.samples or self._running:
            while started < self._given.samples and len(self._running) < self._given.at_once:
                self.start(started)
                started += 1
            try:
                self._ended(next(mayfly.as_completed(self._running, timeout=1)))
            except TimeoutError:
                pass
            self._judge()
        return min(self.done)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--experiment", default="gcd-asap7")
    arguments.add_argument("--design", default="gcd")
    arguments.add_argument("--config", type=Path, default=Path("autotuner.json"))
    arguments.add_argument("--cloud-dir", default="gs://autotuner-test")
    arguments.add_argument("--samples", type=int, default=20)
    arguments.add_argument("--at-once", type=int, default=8)
    arguments.add_argument("--engine", choices=("evolution", "optuna"), default="evolution")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--guess", type=json.loads, help="parameters of your own, tried as the last sample")
    arguments.add_argument("--pause", type=float, default=0.0, help="seconds after each round of a trial")
    arguments.add_argument("--report", type=Path, help="a JSON file for the result")
    given = arguments.parse_args()
    space = json.loads(given.config.read_text())
    engine = (Optuna if given.engine == "optuna" else Evolution)(space, given.seed)
    tuner = Tuner(mayfly.Cluster("autotuner"), engine, given)
    cost, number, params = tuner.run()
    print(f"best: sample {number:03}, cost {cost}, {json.dumps(params)}")
    if given.report:
        given.report.write_text(json.dumps({
            "cost": cost, "number": number, "params": params, "asked": tuner.asked,
            "done": sorted((n, c) for c, n, _ in tuner.done), "stopped": sorted(tuner.stopped),
        }))


if __name__ == "__main__":
    sys.exit(main())
