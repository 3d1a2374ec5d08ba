#!/usr/bin/env python3
"""Trains a small model on all hosts of a slice, and continues from its checkpoint when the slice was taken away.

The model: a logistic regression on hashed words that learns what classify.py calls toxic. The hosts share out each
batch, rank 0 sums their gradients over TCP, in order of rank, and sends the sum back; so equal seeds give equal
bytes, however often the run was interrupted. It uses the standard library alone and no accelerator.

What it reads of its environment (docs/tasks.md): its rank, how many ranks there are, and where rank 0 is; the folder
of its checkpoint; and the file that appears when it is asked to end.
"""

import argparse
import array
import json
import math
import os
import random
import signal
import socket
import struct
import time
import zlib
from pathlib import Path

from classify import TOXIC, Classifier, posts, words

SIZE = 1024  # of the model
BATCH = 64
RATE = 0.5

RANK = int(os.environ.get("MAYFLY_RANK", 0))
RANKS = int(os.environ.get("MAYFLY_WORLD_SIZE", 1))
GO_ON, END = 0.0, 1.0


class Peers:
    """The other ranks: a star with rank 0 in its middle."""

    def __init__(self):
        if RANKS == 1:
            self.sockets = []
            return
        first = os.environ["MAYFLY_COORDINATOR"], int(os.environ["MAYFLY_COORDINATOR_PORT"])
        if RANK == 0:
            with socket.create_server(first) as server:
                arrived = {}
                while len(arrived) < RANKS - 1:
                    peer, _ = server.accept()
                    (rank,) = struct.unpack("!i", read(peer, 4))
                    arrived[rank] = peer
            self.sockets = [arrived[rank] for rank in sorted(arrived)]
        else:
            self.sockets = [connect(first)]
            self.sockets[0].sendall(struct.pack("!i", RANK))

    def sum(self, numbers, word):
        """The sum over all ranks, in order of rank, and rank 0's word."""
        if RANK == 0:
            for peer in self.sockets:
                for i, number in enumerate(array.array("d", read(peer, len(numbers) * 8))):
                    numbers[i] += number
            for peer in self.sockets:
                peer.sendall(array.array("d", [*numbers, word]).tobytes())
            return numbers, word
        self.sockets[0].sendall(numbers.tobytes())
        answer = array.array("d", read(self.sockets[0], len(numbers) * 8 + 8))
        return answer[:-1], answer[-1]


def read(peer, size):
    data = bytearray()
    while len(data) < size:
        part = peer.recv(min(1 << 16, size - len(data)))
        if not part:
            raise ConnectionError("a rank has gone")
        data += part
    return bytes(data)


def connect(address, patience=60):
    """Rank 0 may start a moment later."""
    end = time.monotonic() + patience
    while True:
        try:
            return socket.create_connection(address, 5)
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def examples(seed):
    """(places of its words, 1 if toxic) of each post, shuffled."""
    here = Path(__file__).parent
    classifier = Classifier(here / "weights.tsv")
    found = []
    for file in sorted((here / "data").glob("posts-*.jsonl.gz")):
        for _, text in posts(file):
            places = {zlib.crc32(word.encode()) % SIZE for word in words(text) if word}
            found.append((sorted(places), 1.0 if classifier.score(text) >= TOXIC else 0.0))
    random.Random(seed).shuffle(found)
    return found


def gradient(model, batch):
    """Of this rank's part of the batch; the last number is the sum of its losses."""
    sums = array.array("d", bytes(8 * (SIZE + 2)))
    for places, wanted in batch[RANK::RANKS]:
        z = model[SIZE] + sum(model[place] for place in places)
        guess = 1 / (1 + math.exp(-max(-30.0, min(30.0, z))))
        for place in places:
            sums[place] += guess - wanted
        sums[SIZE] += guess - wanted
        sums[SIZE + 1] -= math.log(guess if wanted else 1 - guess)
    return sums


class Checkpoint:
    """A file in the folder that Mayfly keeps in step with the bucket; every rank finds rank 0's."""

    def __init__(self):
        folder = os.environ.get("MAYFLY_CHECKPOINT")
        self.file = Path(folder, "state.json") if folder else None

    def load(self):
        if self.file and self.file.exists():
            return json.loads(self.file.read_text())
        return {"step": 0, "model": [0.0] * (SIZE + 1), "curve": []}

    def save(self, state):
        if self.file and RANK == 0:
            part = self.file.with_name(".part")
            part.write_text(json.dumps(state))
            part.replace(self.file)


class Request:
    """Whether this task is asked to end: SIGTERM, with the reason in a file."""

    def __init__(self):
        self.came = False
        # Rank 0 ends the others; each has its own request, at another step.
        signal.signal(signal.SIGTERM, self.take if RANK == 0 else signal.SIG_IGN)

    def take(self, *_):
        self.came = True

    def reason(self):
        stop = os.environ.get("MAYFLY_STOP")
        return Path(stop).read_text().strip() if stop and os.path.exists(stop) else "by a signal"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--slow-while", help="a step takes a quarter of a second as long as this file exists")
    parser.add_argument("--every", type=int, default=1000, help="steps from a checkpoint to the next")
    arguments = parser.parse_args()
    request, checkpoint = Request(), Checkpoint()
    attempt = os.environ.get("MAYFLY_ATTEMPT", "by-hand")
    data = examples(arguments.seed)
    state = checkpoint.load()
    model, curve = array.array("d", state["model"]), state["curve"]
    print(f"rank {RANK} of {RANKS} begins at step {state['step']}", flush=True)

    peers = Peers()
    for step in range(state["step"], arguments.steps):
        batch = [data[(step * BATCH + i) % len(data)] for i in range(BATCH)]
        sums, word = peers.sum(gradient(model, batch), END if request.came else GO_ON)
        for i in range(SIZE + 1):
            model[i] -= RATE * sums[i] / BATCH
        curve.append([step + 1, sums[SIZE + 1] / BATCH, attempt])
        if RANK == 0:
            report(step + 1, curve[-1][1])
            if word == END or (step + 1) % arguments.every == 0:
                checkpoint.save({"step": step + 1, "model": list(model), "curve": curve})
        if word == END:
            if RANK == 0:
                print(f"asked to end ({request.reason()}): saved at step {step + 1}", flush=True)
            raise SystemExit(1)
        if arguments.slow_while and os.path.exists(arguments.slow_while):
            time.sleep(0.25)

    if RANK == 0:
        folder = Path(os.environ.get("MAYFLY_OUTPUT", "model"))
        folder.mkdir(parents=True)
        (folder / "model.json").write_text(json.dumps(list(model)) + "\n")
        lines = (f"{number}\t{loss!r}\t{run}\n" for number, loss, run in curve)
        (folder / "curve.tsv").write_text("".join(lines))
        print(f"loss {curve[0][1]:.3f} at step 1, {curve[-1][1]:.3f} at step {curve[-1][0]}", flush=True)


def report(step, loss):
    if "MAYFLY_METRICS" in os.environ:
        with open(os.environ["MAYFLY_METRICS"], "a", encoding="utf-8") as file:
            file.write(json.dumps({"step": step, "loss": loss}) + "\n")


if __name__ == "__main__":
    main()
