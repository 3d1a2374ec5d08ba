import ray


@ray.remote(num_cpus=0.25, max_retries=0)
def measure(x):
    return 1 / (x % 50) + x


def collect(inputs):
    refs = {x: measure.remote(x) for x in inputs}
    for x, ref in refs.items():
        try:
            results[x] = ray.get(ref)
        except ray.exceptions.RayTaskError as e:
            failed[x] = e


results, failed = {}, {}
collect(range(500))
print(len(failed), "failed, the first:", str(next(iter(failed.values()))).splitlines()[-1])


@ray.remote(num_cpus=0.25)
def measure(x):
    return 1 / max(1, x % 50) + x


again = list(failed)
collect(again)
print(len(again), "ran again, the sum is", round(sum(results.values()), 6))
