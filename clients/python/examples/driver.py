"""A program that runs on a worker and drives others: three calls, and what they return.

Its job says ``submitter: true``. Nothing else is needed: the client finds the deployment and the cluster.
"""

import mayfly


def square(x):
    return x * x


futures = mayfly.Cluster().map(square, [2, 3, 4], code=None, cpu=0.5, memory="64Mi")
print("results:", futures.results())
job = futures[0].job.status()
print("owner:", job["owner"], "cluster:", job["cluster"])
