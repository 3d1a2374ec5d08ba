import mayfly
import optuna
from trial import loss, train


def objective(params):
    state = None
    for epoch in range(1, 17):
        state = train(params, state, epoch)
        mayfly.report(step=epoch, loss=loss(state))
    return loss(state)


study = optuna.create_study(pruner=optuna.pruners.SuccessiveHalvingPruner(min_resource=1))
space = {"rate": optuna.distributions.FloatDistribution(1e-5, 1e-1, log=True),
         "momentum": optuna.distributions.FloatDistribution(0, 0.99)}
mayfly.optuna.run(study, objective, space, cluster="lab", n_trials=40, at_once=4, metric="loss")
pruned = sum(trial.state.name == "PRUNED" for trial in study.trials)
print(f"{len(study.trials)} trials, {pruned} pruned, best {study.best_value!r} {study.best_params}")
