from datetime import datetime

import mayfly
from work import work

lab = mayfly.Cluster("lab")
job = lab.map(work, range(30), cpu=0.25, memory="64Mi", retries={"failures": 1}).progress().job
print("nodes", [worker["state"] for worker in lab.workers()])
failed = list(job.tasks("failed"))
print("failed", [task["index"] for task in failed])
print("because", {task["failure"]["evidence"].splitlines()[-1] for task in failed})
took = {}
for task in job.tasks("done"):
    ended, started = (datetime.fromisoformat(task[at][:19]) for at in ("endedAt", "startedAt"))
    took[task["index"]] = ended - started
print("slowest", max(took, key=took.get))
