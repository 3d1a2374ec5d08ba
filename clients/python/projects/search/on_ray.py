from ray import tune
from ray.tune.schedulers import ASHAScheduler
from ray.tune.search.optuna import OptunaSearch
from trial import loss, train


def trainable(params):
    state = None
    for epoch in range(1, 17):
        state = train(params, state, epoch)
        tune.report({"loss": loss(state)})


tuner = tune.Tuner(
    tune.with_resources(trainable, {"cpu": 1}),
    param_space={"rate": tune.loguniform(1e-5, 1e-1), "momentum": tune.uniform(0, 0.99)},
    tune_config=tune.TuneConfig(
        metric="loss",
        mode="min",
        num_samples=40,
        max_concurrent_trials=4,
        reuse_actors=True,
        search_alg=OptunaSearch(),
        scheduler=ASHAScheduler(max_t=16, grace_period=1, reduction_factor=4),
    ),
)
results = tuner.fit()
best = results.get_best_result()
pruned = sum(result.metrics["training_iteration"] < 16 for result in results)
print(f"{len(results)} trials, {pruned} pruned, best {best.metrics['loss']!r} {best.config}")
