"""A search with Tune on the Ray cluster that is there."""

import ray
from ray import tune


def trainable(params):
    tune.report({"loss": (params["x"] - 7) ** 2, "host": ray.util.get_node_ip_address()})


def search():
    ray.init(address="auto", log_to_driver=False)
    config = tune.TuneConfig(metric="loss", mode="min")
    results = tune.Tuner(trainable, param_space={"x": tune.grid_search(list(range(4, 10)))}, tune_config=config).fit()
    alive = sum(node["Alive"] for node in ray.nodes())
    best = results.get_best_result()
    return {"hosts": alive, "trials": len(results), "best": best.config["x"]}


if __name__ == "__main__":
    print(search())
