"""Reads state: workers, jobs, the slowest tasks of a job."""

import sys

import mayfly

if __name__ == "__main__":
    lab = mayfly.Cluster("lab")
    for worker in lab.workers():
        print(worker["name"], worker["state"])
    for job in lab.jobs(limit=5):
        print(job["name"], job["state"], job["totals"]["done"], "of", job["tasks"])
    for task in lab.job(sys.argv[1]).tasks("failed"):
        print(task["index"], task["failure"]["cause"], task["failure"]["evidence"].splitlines()[-1])
