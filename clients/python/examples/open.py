"""Calls of an open job: their metrics while they run, inputs of any size, a call that fails."""

import json
import os
import time

import mayfly


def size(value):
    with open(os.environ["MAYFLY_METRICS"], "a") as metrics:
        metrics.write(json.dumps({"acc": len(value) / 2}) + "\n")
    time.sleep(15)  # long enough to be seen while it runs
    return len(value)


if __name__ == "__main__":
    with mayfly.Cluster("lab").open(size, memory="64Mi", retries={"failures": 1}) as job:
        long, short, wrong = job.submit("x" * 20_000), job.submit((1, 2)), job.submit(7)
        while not long.metrics():
            time.sleep(0.5)
        print("acc of a running call:", int(long.metrics()["acc"]))
        ended = list(job.as_completed())
    print("results:", sorted(f.result() for f in ended if f is not wrong))
    print("failed:", str(wrong.exception()).splitlines()[0])
