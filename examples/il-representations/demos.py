"""Records demonstrations of the expert, and observations without actions, on the volume: demos.py ENV."""

import argparse
import hashlib
import json
import os
import random
from pathlib import Path

from world import LONGEST, VOLUME, World

PAIRS, UNLABELLED = 120, 400


def record(name):
    world, chance = World(name, "demonstrations"), random.Random(0)
    pairs, unlabelled = [], []
    while len(pairs) < PAIRS:
        seen, there, steps = world.reset(), False, 0
        while not there and steps < LONGEST and len(pairs) < PAIRS:
            action = world.expert()
            pairs.append([[round(v, 4) for v in seen], action])
            # A wrong step now and then, or the data had only straight ways.
            seen, there = world.step(action if chance.random() < 0.8 else chance.randrange(4))
            steps += 1
    while len(unlabelled) < UNLABELLED:
        unlabelled.append([round(v, 4) for v in world.reset()])
    return {"pairs": pairs, "unlabelled": unlabelled}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("env")
    given = arguments.parse_args()
    target = VOLUME / "il-demos" / f"{given.env}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    body = json.dumps(record(given.env)).encode()
    # Whole or not at all: another attempt may write at the same time.
    part = target.with_name(f".{target.name}.{os.getpid()}")
    part.write_bytes(body)
    os.replace(part, target)
    line = f"{hashlib.sha256(body).hexdigest()}  {target}\n"
    print(line, end="")
    if "MAYFLY_OUTPUT" in os.environ:
        Path(os.environ["MAYFLY_OUTPUT"]).write_text(line)


if __name__ == "__main__":
    main()
