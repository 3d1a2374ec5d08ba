"""Places the cells of a small design, and says how good the placement is: place.py --params '{"CELL_PAD": 1, …}'.

Simulated annealing over a netlist of 60 cells. The cost is the wire between them (half the perimeter around each net),
times a penalty for cells that are too close to route between. What is tuned is what the group tunes: how full the core
is, the room beside a cell, and the annealing's own temperatures. The result depends on the parameters alone.
"""

import argparse
import json
import math
import os
import random
import signal
import sys
import time
from pathlib import Path

CELLS, NETS, SITES_A_CELL, ROUNDS, MOVES = 60, 90, 6, 30, 500


def netlist(design):
    chance = random.Random(design)
    nets = []
    for _ in range(NETS):
        hub = chance.randrange(CELLS)
        nets.append([hub] + [(hub + chance.randint(1, 9)) % CELLS for _ in range(chance.randint(1, 3))])
    return nets


class Placement:
    def __init__(self, design, pad, utilization):
        self._nets = netlist(design)
        self._of = [[n for n, cells in enumerate(self._nets) if c in cells] for c in range(CELLS)]
        area = CELLS * (SITES_A_CELL + pad) * 100 / utilization
        self._side = max(8, math.ceil(math.sqrt(area / SITES_A_CELL)))
        # Less room beside a cell and a fuller core cost detours.
        self._crowd = 1 + max(0.0, utilization / 100 - 0.55 - 0.05 * pad) * 4
        chance = random.Random(0)
        spots = chance.sample(range(self._side**2), CELLS)
        self._at = [divmod(s, self._side) for s in spots]
        self._who = {place: cell for cell, place in enumerate(self._at)}
        self._wire = [self._length(n) for n in range(NETS)]

    def _length(self, net):
        places = [self._at[c] for c in self._nets[net]]
        return sum(max(p[i] for p in places) - min(p[i] for p in places) for i in (0, 1))

    def cost(self):
        return sum(self._wire) * self._crowd

    def move(self, chance, temperature):
        """Moves a cell to another place, or swaps it with the one there; takes it back if it costs too much."""
        cell = chance.randrange(CELLS)
        here, there = self._at[cell], (chance.randrange(self._side), chance.randrange(self._side))
        other = self._who.get(there)
        if other == cell:
            return
        self._swap(cell, here, other, there)
        nets = set(self._of[cell] + (self._of[other] if other is not None else []))
        before = {n: self._wire[n] for n in nets}
        for n in nets:
            self._wire[n] = self._length(n)
        worse = sum(self._wire[n] - before[n] for n in nets)
        if worse > 0 and chance.random() >= math.exp(-worse / max(temperature, 1e-9)):
            self._swap(cell, there, other, here)
            for n in nets:
                self._wire[n] = before[n]

    def _swap(self, cell, here, other, there):
        del self._who[here]
        self._at[cell], self._who[there] = there, cell
        if other is not None:
            self._at[other], self._who[here] = here, other


def place(params, design, report, pause=0.0):
    placement = Placement(design, params["CELL_PAD"], params["CORE_UTILIZATION"])
    chance, temperature = random.Random(1), params["START_TEMPERATURE"]
    for number in range(ROUNDS):
        for _ in range(MOVES):
            placement.move(chance, temperature)
        temperature *= params["COOLING"]
        report(number, round(placement.cost(), 3))
        time.sleep(pause)
    return round(placement.cost(), 3)


def trial(job):
    """A trial on a machine: what the tuner calls. Reports its cost after each round, for whoever wants to end it."""
    curve = []

    def report(number, cost):
        curve.append(cost)
        with open(os.environ["MAYFLY_METRICS"], "a") as file:
            file.write(json.dumps({"round": number, "cost": cost}) + "\n")
        print(f"round {number}: cost {cost}", flush=True)

    def asked_to_end(signal_number, frame):
        reason = Path(os.environ["MAYFLY_STOP"]).read_text().strip()
        sys.exit(f"ended after {len(curve)} rounds: {reason}")

    signal.signal(signal.SIGTERM, asked_to_end)
    cost = place(job["params"], job["design"], report, job.get("pause", 0.0))
    return {"params": job["params"], "cost": cost, "curve": curve}


def await_neighbours(count):
    """Waits until so many trials have begun on this machine: the folder is the machine's."""
    folder = Path(os.environ["MAYFLY_CACHE"]) / "trials"
    folder.mkdir(exist_ok=True)
    (folder / os.environ["MAYFLY_JOB"]).touch()
    end = time.monotonic() + 300
    while len(list(folder.iterdir())) < count:
        if time.monotonic() > end:
            sys.exit(f"not {count} trials began on this machine within five minutes")
        time.sleep(0.1)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--params", type=json.loads, required=True)
    arguments.add_argument("--design", default="gcd")
    arguments.add_argument("--beside", type=int, default=0)
    arguments.add_argument("--out", type=Path)
    given = arguments.parse_args()
    if given.beside:
        await_neighbours(given.beside)
    cost = place(given.params, given.design, lambda number, cost: None)
    print(cost)
    if given.out:
        given.out.write_text(json.dumps({"params": given.params, "cost": cost}))


if __name__ == "__main__":
    main()
