"""A study of Optuna: 40 trials, 4 at a time, each a task of one open job, told as they end."""

import sys

import optuna

import mayfly


def train(params):
    return (params["x"] - 2) ** 2 + params["y"]


def suggest(trial):
    return {"x": trial.suggest_float("x", -10, 10), "y": trial.suggest_int("y", 0, 5)}


if __name__ == "__main__":
    trials, at_once = (int(a) for a in sys.argv[1:3] or (40, 4))
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
    mayfly.optuna.run(study, train, suggest, cluster="lab", n_trials=trials, at_once=at_once, memory="64Mi")
    print("best", round(study.best_value, 3), study.best_params)
