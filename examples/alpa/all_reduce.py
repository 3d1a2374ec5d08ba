#!/usr/bin/env python3
"""Sums a vector over all ranks of a gang as NCCL does, in a ring over TCP, and measures the bandwidth.

Each rank listens at its own address and sends to the next one. First each part of the vector goes round and is summed
on its way; then the sums go round. So every rank sends and receives 2 (n - 1) / n of the vector, however many ranks
there are. It reads nothing but what every task of a gang finds in its environment, and needs Python alone.
"""

import argparse
import array
import hashlib
import json
import os
import random
import socket
import threading
import time


class Ring:
    def __init__(self, rank, hosts, port, hold):
        with socket.create_server((hosts[rank], port)) as server:
            time.sleep(hold)
            self.next = self.connect((hosts[(rank + 1) % len(hosts)], port))
            self.before, _ = server.accept()
        self.rank, self.size = rank, len(hosts)

    @staticmethod
    def connect(peer, patience=60):
        """The other rank may start a moment later."""
        end = time.monotonic() + patience
        while True:
            try:
                return socket.create_connection(peer, 5)
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def exchange(self, data, size):
        """Sends to the next rank what the one before is sending its own to us: both at once, or the ring would stop."""
        sender = threading.Thread(target=self.next.sendall, args=(data,))
        sender.start()
        received = bytearray()
        while len(received) < size:
            part = self.before.recv(min(1 << 20, size - len(received)))
            if not part:
                raise ConnectionError("the rank before has gone")
            received += part
        sender.join()
        return bytes(received)

    def all_reduce(self, vector):
        n = self.size
        cuts = [len(vector) * i // n for i in range(n + 1)]
        part = lambda i: slice(cuts[i % n], cuts[i % n + 1])
        width = lambda i: 8 * (cuts[i % n + 1] - cuts[i % n])
        for step in range(n - 1):
            mine, theirs = self.rank - step, self.rank - step - 1
            came = array.array("q", self.exchange(vector[part(mine)].tobytes(), width(theirs)))
            vector[part(theirs)] = array.array("q", map(int.__add__, vector[part(theirs)], came))
        for step in range(n - 1):
            mine, theirs = self.rank + 1 - step, self.rank - step
            vector[part(theirs)] = array.array("q", self.exchange(vector[part(mine)].tobytes(), width(theirs)))


def numbers(seed, rank, count):
    """What a rank brings."""
    source = random.Random(seed * 1000 + rank)
    return array.array("q", (source.randrange(-(10**9), 10**9) for _ in range(count)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--numbers", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--hold", type=float, default=0, help="seconds to hold the port before the ring closes")
    arguments = parser.parse_args()
    rank, hosts = int(os.environ["MAYFLY_RANK"]), os.environ["MAYFLY_HOSTS"].split(",")
    port = int(os.environ["MAYFLY_COORDINATOR_PORT"])
    ring = Ring(rank, hosts, port, arguments.hold)
    vector = numbers(arguments.seed, rank, arguments.numbers)
    began = time.monotonic()
    ring.all_reduce(vector)
    seconds = time.monotonic() - began
    digest = hashlib.sha256(vector.tobytes()).hexdigest()
    rate = 8 * len(vector) * 2 * (len(hosts) - 1) / len(hosts) / seconds / 1e6
    print(f"rank {rank} of {len(hosts)} at {hosts[rank]}:{port}: sum {digest[:16]}, {rate:.0f} MB/s", flush=True)
    if rank == 0:
        with open(os.environ["MAYFLY_OUTPUT"], "w", encoding="utf-8") as out:
            json.dump({"ranks": len(hosts), "hosts": hosts, "port": port, "sha256": digest}, out)


if __name__ == "__main__":
    main()
