"""Behavioural cloning, with or without a learned representation: train.py with repl=pca env=move-to-goal seed=0.

`repl=none` clones the expert from 25 demonstrated steps as they are seen, 32 numbers each. `repl=pca` first looks at
400 observations without actions, keeps the four directions in which they differ most, and clones from those.
"""

import json
import math
import os
import random
import subprocess
import sys
import time
from pathlib import Path

from world import DIMENSIONS, VOLUME, World

STEPS, EPISODES, ROUNDS, RATE = 25, 150, 150, 0.5


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def principal(rows, count):
    """The first principal directions, by power iteration; each is taken out of the rows before the next."""
    mean = [sum(column) / len(rows) for column in zip(*rows)]
    rows = [[v - m for v, m in zip(row, mean)] for row in rows]
    chance, found = random.Random(1), []
    for _ in range(count):
        direction = [chance.gauss(0, 1) for _ in range(DIMENSIONS)]
        for _ in range(25):
            weights = [dot(row, direction) for row in rows]
            direction = [dot(weights, column) for column in zip(*rows)]
            size = math.sqrt(dot(direction, direction))
            direction = [v / size for v in direction]
        found.append(direction)
        rows = [[v - dot(row, direction) * d for v, d in zip(row, direction)] for row in rows]
    return found


def clone(pairs):
    """Weights of a softmax over the four actions, by gradient descent; and the last loss."""
    size = len(pairs[0][0]) + 1
    weights, loss = [[0.0] * size for _ in range(4)], 0.0
    for _ in range(ROUNDS):
        slope, loss = [[0.0] * size for _ in range(4)], 0.0
        for seen, action in pairs:
            seen = seen + [1.0]
            scores = [dot(w, seen) for w in weights]
            top = max(scores)
            odds = [math.exp(s - top) for s in scores]
            total = sum(odds)
            loss -= math.log(odds[action] / total) / len(pairs)
            for i in range(4):
                error = odds[i] / total - (i == action)
                for j, v in enumerate(seen):
                    slope[i][j] += error * v / len(pairs)
        weights = [[w - RATE * s for w, s in zip(ws, ss)] for ws, ss in zip(weights, slope)]
    return weights, loss


def train(repl, env, seed, demos):
    data = json.loads((demos / f"{env}.json").read_text())
    if repl not in ("none", "pca"):
        raise SystemExit(f"no representation '{repl}'; there are none and pca")
    directions = principal(data["unlabelled"], 4) if repl == "pca" else None
    feature = (lambda seen: [dot(seen, d) for d in directions]) if directions else (lambda seen: seen)
    chosen = random.Random(seed).sample(data["pairs"], STEPS)
    weights, loss = clone([(feature(seen), action) for seen, action in chosen])

    def policy(seen):
        seen = feature(seen) + [1.0]
        return max(range(4), key=lambda i: dot(weights[i], seen))

    chance = random.Random(seed)
    return {
        "env": env,
        "repl": repl,
        "seed": seed,
        "loss": round(loss, 6),
        "success": World(env, f"test {seed}").success(policy, EPISODES),
        "chance": World(env, f"test {seed}").success(lambda seen: chance.randrange(4), EPISODES),
    }, {"directions": directions, "weights": weights}


def device():
    """The GPU that the task has: its number, and its own id by the driver."""
    number = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    query = ["nvidia-smi", "--query-gpu=index,uuid,name,memory.total", "--format=csv,noheader,nounits"]
    try:
        lines = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        lines = []
    ids = dict(line.split(", ")[:2] for line in lines)
    return {"gpu": number, "uuid": ids.get(number, "")}


def run_folder():
    """The folder of this run on the volume, named as its output: cluster-data/OWNER/DATE/NAME."""
    place = os.environ["MAYFLY_OUTPUT_URL"].split("/", 3)[3]
    folder = VOLUME / Path(place).parent
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def meet(folder, run, count):
    """Waits until `count` runs have begun, each with its number in the order of their beginning."""
    begun = folder / "begun"
    begun.mkdir(exist_ok=True)
    (begun / run).touch()
    end = time.monotonic() + 300
    while len(list(begun.iterdir())) < count:
        if time.monotonic() > end:
            raise SystemExit(f"only {len(list(begun.iterdir()))} of {count} runs began within five minutes")
        time.sleep(0.1)


def main():
    if sys.argv[1:2] != ["with"]:
        raise SystemExit("usage: train.py with repl=pca env=move-to-goal seed=0")
    config = dict(word.split("=", 1) for word in sys.argv[2:])
    name = f"{config['env']}-{config['seed']}"
    result = device()
    if "MAYFLY_OUTPUT_URL" in os.environ:
        folder = run_folder()
        meet(folder, name, int(config.get("together", 0)))
    measured, model = train(config["repl"], config["env"], int(config["seed"]), VOLUME / "il-demos")
    result = {**measured, **result}
    print(json.dumps(result))
    if "MAYFLY_OUTPUT_URL" in os.environ:
        (folder / f"{name}-policy.json").write_text(json.dumps(model))
        (folder / f"{name}.json").write_text(json.dumps(result))
        Path(os.environ["MAYFLY_OUTPUT"]).write_text(json.dumps(result))


if __name__ == "__main__":
    main()
