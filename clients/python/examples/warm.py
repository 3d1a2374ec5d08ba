"""A class that is loaded once in each process, and called with input after input."""

import os

import mayfly


class Shout:
    def __init__(self):
        print("loaded")  # in the log of the first call of this process
        self.process = os.getpid()
        self.calls = 0

    def __call__(self, word):
        self.calls += 1
        return self.process, self.calls, word.upper()


if __name__ == "__main__":
    cluster = mayfly.Cluster("lab")
    results = cluster.map(Shout, [f"word {n}" for n in range(40)], name="shout").results()
    processes = {process for process, _, _ in results}
    print(f"{len(results)} calls, the last {results[-1][2]}, with {len(processes)} times loaded")
    calls = cluster.map(len, [f"word {n}" for n in range(40)], name="lengths", chunksize=25)
    words, lengths = calls[1].input, calls[1].result()
    print(f"{len(calls.results())} results of {len(calls)} tasks, the last {words[-1]!r}: {lengths[-1]}")
