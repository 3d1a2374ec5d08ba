"""Sixteen trials that report their loss as they go on; those that fall behind are stopped."""

import time

import optuna

import mayfly


def train(params):
    loss = 1.0
    for epoch in range(1, 26):
        time.sleep(0.6)  # machines report every ten seconds, or when something else happens
        loss = params["floor"] + (loss - params["floor"]) * 0.75
        mayfly.report(step=epoch, loss=loss)
    return loss


if __name__ == "__main__":
    study = optuna.create_study(
        sampler=optuna.samplers.RandomSampler(seed=1), pruner=optuna.pruners.MedianPruner(n_startup_trials=4)
    )
    space = {"floor": optuna.distributions.FloatDistribution(0.05, 0.9)}
    mayfly.optuna.run(study, train, space, cluster="lab", n_trials=16, metric="loss", look=1, cpu=0.5, memory="64Mi")
    pruned = sum(trial.state.name == "PRUNED" for trial in study.trials)
    best = min(trial.params["floor"] for trial in study.trials if trial.state.name == "COMPLETE")
    assert abs(study.best_value - best) < 0.01, (study.best_value, best)
    print(f"{pruned} of {len(study.trials)} pruned, best {study.best_value:.3f}")
