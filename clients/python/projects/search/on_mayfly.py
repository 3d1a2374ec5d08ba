import mayfly
import optuna
from trial import loss, train

lab = mayfly.Cluster("lab")
study = optuna.create_study(pruner=optuna.pruners.SuccessiveHalvingPruner())
space = {"rate": optuna.distributions.FloatDistribution(1e-5, 1e-1, log=True),
         "momentum": optuna.distributions.FloatDistribution(0, 0.99)}
running = {}
while running or len(study.trials) < 40:
    while len(running) < 4 and len(study.trials) < 40:
        trial = study.ask(space)
        running[lab.call(train, trial.params, None, 1)] = trial
    future = next(mayfly.as_completed(running))
    trial, state = running.pop(future), future.result()
    trial.report(loss(state), state[-1])
    if trial.should_prune():
        study.tell(trial, state=optuna.trial.TrialState.PRUNED)
    elif state[-1] < 16:
        running[lab.call(train, trial.params, state, state[-1] * 4)] = trial
    else:
        study.tell(trial, loss(state))
pruned = sum(trial.state.name == "PRUNED" for trial in study.trials)
print(f"{len(study.trials)} trials, {pruned} pruned, best {study.best_value!r} {study.best_params}")
