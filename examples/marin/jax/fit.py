"""Fits a line to data that the processes of a gang share out, with JAX on the processor or on the chips of a slice."""

import json
import os

import jax

if os.environ.get("JAX_PLATFORMS", "cpu") == "cpu":
    # Collectives between processors are Gloo's.
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
jax.distributed.initialize()

import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

mesh = Mesh(np.array(jax.devices()), ("data",))
shared = NamedSharding(mesh, PartitionSpec("data"))
points = 512 * jax.process_count()
x = np.linspace(-1, 1, points, dtype=np.float32)
y = 3 * x - 1


def split(whole):
    """Each process brings its own part."""
    size = points // jax.process_count()
    part = whole[jax.process_index() * size : (jax.process_index() + 1) * size]
    return jax.make_array_from_process_local_data(shared, part)


@jax.jit
def step(model, x, y):
    gradient = jax.grad(lambda m: jnp.mean((m[0] * x + m[1] - y) ** 2))(model)
    return model - 0.5 * gradient


model, xs, ys = jnp.zeros(2), split(x), split(y)
for _ in range(200):
    model = step(model, xs, ys)
slope, offset = (float(value) for value in model)
print(f"process {jax.process_index()} of {jax.process_count()}: {slope:.4f} x + {offset:.4f}", flush=True)
if jax.process_index() == 0:
    with open(os.environ["MAYFLY_OUTPUT"], "w", encoding="utf-8") as out:
        json.dump(
            {
                "processes": jax.process_count(),
                "devices": jax.device_count(),
                "slope": slope,
                "offset": offset,
            },
            out,
        )
