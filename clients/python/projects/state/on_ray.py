import ray
from ray.util.state import list_nodes, list_tasks
from work import work

ray.init(include_dashboard=True, log_to_driver=False)
task = ray.remote(num_cpus=0.25, max_retries=0)(work)
refs = [task.options(name=str(x)).remote(x) for x in range(30)]
ray.wait(refs, num_returns=len(refs))
print("nodes", [node.state for node in list_nodes()])
tasks = list_tasks(detail=True, limit=1000)
failed = [task for task in tasks if task.state == "FAILED"]
print("failed", sorted(int(task.name) for task in failed))
print("because", {task.error_message.strip().splitlines()[-1] for task in failed})
done = [task for task in tasks if task.state == "FINISHED"]
print("slowest", max(done, key=lambda task: task.end_time_ms - task.start_time_ms).name)
