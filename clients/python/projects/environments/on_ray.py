import ray
from versions import version

ray.init(runtime_env={"working_dir": "."}, log_to_driver=False)
tasks = {}
for wanted in ("24.1", "25.0"):
    task = ray.remote(version).options(runtime_env={"pip": [f"packaging=={wanted}"]})
    tasks[wanted] = [task.remote(number) for number in range(30)]
old, new = (ray.get(refs) for refs in tasks.values())
print({found for _, found in old}, {found for _, found in new})
