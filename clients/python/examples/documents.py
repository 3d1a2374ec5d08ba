"""Submits a YAML file as it is written, with variables from here; the same twice is one job, another is refused."""

import mayfly

if __name__ == "__main__":
    lab = mayfly.Cluster("lab")
    small = {"cpu": 0.5, "memory": "64Mi"}
    first = lab.submit(
        {"name": "words-first", "command": ["sleep", "5"], "tasks": {"count": 1, "outputs": "none"}}, resources=small
    )
    values = {"day": "2026-01-31", "place": "here"}
    job = lab.submit("words.yaml", variables=values)
    assert lab.submit("words.yaml", variables=values).uid == job.uid
    try:
        lab.submit("words.yaml", variables={**values, "day": "2026-02-01"})
        raise AssertionError("another job took the name")
    except mayfly.Rejected as e:
        assert "live" in str(e), e
    assert first.wait()["state"] == job.wait()["state"] == "succeeded"
    print([job._deployment.read_object(task["output"]).decode().strip() for task in job.tasks()])
