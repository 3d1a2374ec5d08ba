"""A program that uses the client; ``mypy --strict`` has nothing to say about it."""

from __future__ import annotations

import asyncio
import concurrent.futures
from typing import Any

import mayfly


def square(x: int) -> int:
    """What the calls compute."""
    return x * x


async def gathered(futures: mayfly.Futures) -> list[Any]:
    """The results by asyncio."""
    return list(await asyncio.gather(*futures))


def main() -> None:
    """Uses every class of the package."""
    cluster = mayfly.Cluster("lab")
    futures = cluster.map(square, range(4), gpu=0.5, output="gs://lab/{index}.pkl", after=["first"])
    done, _ = concurrent.futures.wait(futures, timeout=60)
    for future in mayfly.as_completed(futures[:2]):
        error = future.exception()
        if isinstance(error, mayfly.TaskFailed):
            print(error.index, error.type, error.message, error.exit_code, error.traceback)
    print(
        mayfly.__version__.split("."),
        len(done),
        futures.results(),
        asyncio.run(gathered(futures)),
        futures.failed().retry(code=".").progress(),
    )
    with cluster.open(square, open_for="1h") as calls:
        calls.submit(3).add_done_callback(lambda future: print(future.result()))
    with cluster.executor(cpu=2) as executor:
        print(list(executor.map(square, [1, 2])))
    job: mayfly.Job = cluster.submit({"name": "x", "command": ["true"], "tasks": {"count": 1}})
    print(job.wait(timeout=60)["state"], [task["index"] for task in job.tasks("done")], job.futures())


if __name__ == "__main__":
    main()
