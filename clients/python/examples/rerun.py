"""A function over 500 inputs; then only what failed, with mended code."""

import mayfly

wall = 490  # every input from here on fails, as if the data had a surprise


def measure(x):
    if x >= wall:
        raise ValueError(f"{x} is beyond the wall")
    return x * x


if __name__ == "__main__":
    lab = mayfly.Cluster("lab")
    futures = lab.map(
        measure,
        range(500),
        cpu=0.5,
        memory="64Mi",
        retries={"failures": 1},
        output="gs://lab-us-central1/squares/{index}.json",
    )
    failed = futures.progress().failed()
    print(len(failed), "failed, the first:", str(failed[0].exception()).splitlines()[-1])
    wall = 500
    print(sum(f.result() for f in futures if f not in failed) + sum(failed.retry().results()))
