"""A search with Ray Tune, as it ran on the group's own Ray cluster: nothing in it knows of Mayfly but the last lines."""

import json
import os

import ray
from ray import tune

ray.init("auto")


def descend(config):
    """Gradient descent on a narrow valley; a bad step size diverges or crawls."""
    x, y = -1.5, 1.5
    for step in range(50):
        x, y = x - config["rate"] * 2 * x, y - config["rate"] * 20 * y
        if abs(y) > 1e6:
            break
        loss = x * x + 10 * y * y
        tune.report({"loss": loss, "host": ray.util.get_node_ip_address()})


results = tune.Tuner(
    descend,
    param_space={"rate": tune.grid_search([0.001, 0.003, 0.01, 0.03, 0.06, 0.09, 0.12, 0.2])},
    tune_config=tune.TuneConfig(metric="loss", mode="min"),
).fit()

best = results.get_best_result()
found = {
    "rate": best.config["rate"],
    "loss": best.metrics["loss"],
    "trials": len(results),
    "hosts": sorted({node["NodeManagerAddress"] for node in ray.nodes() if node["Alive"]}),
    "ran": sorted({result.metrics["host"] for result in results}),
}
print(found, flush=True)
with open(os.environ["MAYFLY_OUTPUT"], "w", encoding="utf-8") as out:
    json.dump(found, out)
