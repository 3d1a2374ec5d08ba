"""Calls where the standard library's futures go: asyncio, executors, joblib; and a bucket with Google's client."""

import asyncio
import concurrent.futures
from dataclasses import dataclass

import joblib

import mayfly
import mayfly.joblib

seen = 0


@dataclass
class Point:
    x: float


def square(point):
    global seen
    seen += 1  # of this script: the machine has a copy of its own
    return Point(point.x**2)


async def squares(cluster):
    return await asyncio.gather(*cluster.map(square, [Point(n) for n in range(4)], name="squares"))


if __name__ == "__main__":
    lab = mayfly.Cluster("lab")
    print("awaited:", [point.x for point in asyncio.run(squares(lab))])
    print("again:", [future.result().x for future in lab.job("squares").futures()])
    with lab.executor(memory="64Mi") as executor:
        calls = [executor.submit(pow, 2, n) for n in range(4)]
        concurrent.futures.wait(calls)
        print("executed:", [call.result() for call in calls])
    mayfly.joblib.register()
    with joblib.parallel_config(backend="mayfly", cluster="lab", n_jobs=-1, memory="128Mi"):
        print("joblib:", joblib.Parallel()(joblib.delayed(pow)(n, 3) for n in range(4)))
    bucket = mayfly.Deployment.find().storage_client().bucket("lab-us-central1")
    bucket.blob("in/standard.txt").upload_from_string("hello")
    print("stored:", bucket.blob("in/standard.txt").download_as_text())
