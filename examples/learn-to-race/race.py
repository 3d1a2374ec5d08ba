"""Drives laps: race.py --agent random|cem --seed N --config config.json.

`cem` learns the weights of a linear driver by the cross-entropy method: in each round it drives ten drivers drawn
around the best three of the round before. `random` steers and accelerates by chance. Both use the simulator as a
process of their own, through a pipe.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

SECONDS, PACE = 40, 0.1


class Simulator:
    def __init__(self, program, track):
        self._process = subprocess.Popen(
            [sys.executable, program, track], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def tell(self, words):
        self._process.stdin.write(words + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"the simulator ended with {self._process.wait()}")
        return [float(v) for v in answer.split()]

    def laps(self, driver):
        """How many laps a driver has come in the time, or until it left the road."""
        sees = self.tell("reset")
        for _ in range(int(SECONDS / PACE)):
            steering, throttle = driver(sees)
            sees = self.tell(f"{steering:.4f} {throttle:.4f}")
            if sees[-1]:
                break
        return sees[-2]


def linear(weights):
    """Steers by offset, angle and bends; drives at the speed that it thinks the bends allow."""
    def driver(sees):
        speed, offset, angle, near, middle, far = sees[:6]
        w = weights
        bend = max(abs(near), abs(w[4] * middle), abs(w[5] * far))
        return (
            w[0] * offset / 5 + w[1] * angle + w[2] * near * 10 + w[3] * middle * 10,
            0.3 * (10 + 10 * w[6] - (20 + 20 * w[7]) * bend * 10 - speed),
        )
    return driver


def learn(simulator, chance, rounds, drivers, best):
    mean, spread, history, champion = [0.0] * 8, [1.0] * 8, [], (0.0, None)
    for number in range(rounds):
        drawn = [[chance.gauss(m, s) for m, s in zip(mean, spread)] for _ in range(drivers)]
        results = sorted(((simulator.laps(linear(w)), w) for w in drawn), reverse=True)
        champion = max(champion, results[0], key=lambda r: r[0])
        elite = [w for _, w in results[:best]]
        mean = [sum(column) / best for column in zip(*elite)]
        spread = [
            0.15 + (sum((v - m) ** 2 for v in column) / best) ** 0.5 for m, column in zip(mean, zip(*elite))
        ]
        history.append(round(champion[0], 6))
        print(f"round {number}: best {champion[0]:.3f} laps", flush=True)
    return history, champion[1]


def device():
    """The GPU that the task has: its number, and its own id by the driver."""
    number = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    query = ["nvidia-smi", "--query-gpu=index,uuid,name,memory.total", "--format=csv,noheader,nounits"]
    try:
        lines = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        lines = []
    ids = dict(line.split(", ")[:2] for line in lines)
    return {"gpu": number, "nvidia": os.environ.get("NVIDIA_VISIBLE_DEVICES", ""), "uuid": ids.get(number, "")}


def meet(folder, run, count):
    """Waits until so many runs have begun."""
    begun = folder / "begun"
    begun.mkdir(exist_ok=True)
    (begun / run).touch()
    end = time.monotonic() + 300
    while len(list(begun.iterdir())) < count:
        if time.monotonic() > end:
            raise SystemExit(f"only {len(list(begun.iterdir()))} of {count} runs began within five minutes")
        time.sleep(0.1)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--agent", choices=("random", "cem"), required=True)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--config", type=Path, default=Path("config.json"))
    arguments.add_argument("--together", type=int, default=0)
    arguments.add_argument("--rounds", type=int, default=8)
    given = arguments.parse_args()
    config = json.loads(given.config.read_text())
    track, kwargs = config["env_kwargs"]["track"], config["cem_kwargs"]
    folder = Path(kwargs["save_path"]) / os.environ.get("MAYFLY_JOB_NAME", kwargs["experiment_name"])
    folder.mkdir(parents=True, exist_ok=True)
    result = {"agent": given.agent, "seed": given.seed, **device()}
    meet(folder, str(given.seed), given.together)
    # Asked to end: by an exception, so that the simulator's pipe closes and it ends too.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))

    simulator = Simulator(config["env_kwargs"]["controller_kwargs"]["sim_path"], track)
    chance = random.Random(given.seed)
    if given.agent == "random":
        laps = simulator.laps(lambda sees: (chance.uniform(-1, 1), chance.uniform(-1, 1)))
        result["history"] = [round(laps, 6)]
    else:
        result["history"], weights = learn(
            simulator, chance, given.rounds, kwargs["drivers"], kwargs["best"]
        )
        (folder / f"{given.seed}.driver.json").write_text(json.dumps(weights))
    result["laps"] = result["history"][-1]
    print(json.dumps(result))
    if "MAYFLY_OUTPUT" in os.environ:
        Path(os.environ["MAYFLY_OUTPUT"]).write_text(json.dumps(result))


if __name__ == "__main__":
    main()
