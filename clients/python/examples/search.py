"""Optuna by ask and tell: 40 trials, 4 at a time, each a task of one open job, told as they end."""

import sys

import mayfly
import optuna


def train(params):
    return (params["x"] - 2) ** 2 + params["y"]


def suggest(trial):
    return {"x": trial.suggest_float("x", -10, 10), "y": trial.suggest_int("y", 0, 5)}


if __name__ == "__main__":
    trials, at_once = (int(a) for a in sys.argv[1:3] or (40, 4))
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
    running = {}
    with mayfly.Cluster("lab").open(train, memory="64Mi") as job:
        def ask():
            trial = study.ask()
            running[job.submit(suggest(trial))] = trial

        for _ in range(min(at_once, trials)):
            ask()
        for future in job.as_completed():
            study.tell(running.pop(future), future.result())
            if len(study.trials) < trials:
                ask()
    print("best", round(study.best_value, 3), study.best_params)
