"""Cloud Scheduler: jobs."""

from .routes import note, route
from .settings import listed
from .state import STATE, Refusal, add, find, mask, merge, require, stamp

JOB = "v1/(projects/[^/]+/locations/[^/]+/jobs/[^/:]+)"


def job_rules(it):
    require(len(it.get("schedule", "").split()) == 5, "schedule")
    require(it.get("timeZone"), "time zone")
    require(len(it.get("description", "")) <= 500, "description")
    if "pubsubTarget" in it:
        find("pubsub/" + it["pubsubTarget"]["topicName"], "topic does not exist")


@route("cloudscheduler.googleapis.com", "POST", "v1/(projects/[^/]+/locations/[^/]+)/jobs")
def post_jobs(query, body, parent):
    region = parent.split("/")[-1]
    if region in listed("no_scheduler"):
        raise Refusal(404, f"Location '{region}' is not found or access is unauthorized.")
    it = dict(body)
    job_rules(it)
    it.update(state="ENABLED", userUpdateTime=stamp(), scheduleTime=stamp())
    it.pop("paused", None)
    return add("job/" + it["name"], it, f"Job [{it['name']}] already exists.")


@route("cloudscheduler.googleapis.com", "GET", JOB)
def get_jobs(query, body, name):
    return find("job/" + name, "Job not found.")


@route("cloudscheduler.googleapis.com", "PATCH", JOB)
def patch_jobs(query, body, name):
    it = find("job/" + name)
    merge(it, {key: value for key, value in body.items() if key not in ("name", "paused", "state")}, mask(query, body))
    job_rules(it)
    note(f"state stays {it['state']}")
    return it


@route("cloudscheduler.googleapis.com", "DELETE", JOB)
def delete_jobs(query, body, name):
    find("job/" + name)
    del STATE["objects"]["job/" + name]
    return {}


@route("cloudscheduler.googleapis.com", "POST", JOB + ":(pause|resume)")
def post_jobs_2(query, body, name, verb):
    it = find("job/" + name)
    it["state"] = "PAUSED" if verb == "pause" else "ENABLED"
    note(verb)
    return it
