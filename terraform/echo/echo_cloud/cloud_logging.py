"""Cloud Logging: sinks, what is not kept, and log-based metrics."""

import copy
import re

from .routes import route
from .settings import NUMBER, SETTINGS
from .state import STATE, add, drop_zero, find, mask, merge, now, require, stamp


@route("logging.googleapis.com", "POST", "v2/(projects/[^/]+)/sinks")
def post_sinks(query, body, project):
    require(re.match(r"^[\w.-]{1,100}$", body["name"]), "sink name")
    require(len(body.get("filter", "")) <= 20000, "filter")
    require(len(body.get("description", "")) <= 8000, "description")
    writer = f"service-{NUMBER}@gcp-sa-logging.iam.gserviceaccount.com"
    STATE["agents"].setdefault(writer, now() + SETTINGS.sink_delay)
    return add(
        f"sink/{project}/sinks/{body['name']}",
        drop_zero(dict(body, writerIdentity="serviceAccount:" + writer, createTime=stamp(), updateTime=stamp())),
        f"Sink {body['name']} already exists",
    )


SINK = "v2/(projects/[^/]+/sinks/[^/]+)"


@route("logging.googleapis.com", "GET", SINK)
def get_sinks(query, body, name):
    return find("sink/" + name, f"Sink {name.split('/')[-1]} does not exist")


@route("logging.googleapis.com", "PATCH", SINK)
def patch_sinks(query, body, name):
    it = find("sink/" + name)
    merge(it, body, mask(query, body))
    return it


@route("logging.googleapis.com", "DELETE", SINK)
def delete_sinks(query, body, name):
    find("sink/" + name)
    del STATE["objects"]["sink/" + name]
    return {}


EXCLUSION = "v2/(projects/[^/]+/exclusions/[^/]+)"


@route("logging.googleapis.com", "POST", "v2/(projects/[^/]+)/exclusions")
def post_exclusions(query, body, project):
    require(re.match(r"^[A-Za-z][\w.-]{0,99}$", body["name"]), "exclusion name")
    require(body.get("filter") and len(body["filter"]) <= 20000, "filter")
    return add(
        f"exclusion/{project}/exclusions/{body['name']}",
        drop_zero(dict(body, createTime=stamp(), updateTime=stamp())),
        f"Exclusion {body['name']} already exists",
    )


@route("logging.googleapis.com", "GET", EXCLUSION)
def get_exclusions(query, body, name):
    return find("exclusion/" + name, f"Exclusion {name.split('/')[-1]} does not exist")


@route("logging.googleapis.com", "PATCH", EXCLUSION)
def patch_exclusions(query, body, name):
    it = find("exclusion/" + name)
    merge(it, body, mask(query, body))
    return it


@route("logging.googleapis.com", "DELETE", EXCLUSION)
def delete_exclusions(query, body, name):
    find("exclusion/" + name)
    del STATE["objects"]["exclusion/" + name]
    return {}


METRIC = "v2/(projects/[^/]+/metrics)/(.+)"


@route("logging.googleapis.com", "POST", "v2/(projects/[^/]+/metrics)")
def post_metrics(query, body, project):
    require(re.match(r"^[A-Za-z0-9_\-.,+!*',()%/]{1,100}$", body["name"]) and (not body["name"].startswith("/")), "metric name")
    it = copy.deepcopy(body)
    descriptor = it.setdefault("metricDescriptor", {})
    descriptor.setdefault("metricKind", "DELTA")
    descriptor.setdefault("valueType", "INT64")
    descriptor.setdefault("unit", "1")
    descriptor.update(
        name=f"{project.rsplit('/', 1)[0]}/metricDescriptors/logging.googleapis.com/user/{body['name']}",
        type="logging.googleapis.com/user/" + body["name"],
        description=body.get("description", ""),
    )
    it.update(createTime=stamp(), updateTime=stamp())
    result = add(f"metric/{project}/{body['name']}", drop_zero(it), f"Metric {body['name']} already exists")
    STATE["counters"]["metric at " + body["name"]] = now() + SETTINGS.metric_delay
    return result


@route("logging.googleapis.com", "GET", METRIC)
def get_metrics(query, body, project, short):
    return find(f"metric/{project}/{short}", f"Metric {short} does not exist.")


@route("logging.googleapis.com", "PUT", METRIC)
def put_metrics(query, body, project, short):
    it = find(f"metric/{project}/{short}")
    it.update(copy.deepcopy(body))
    return it


@route("logging.googleapis.com", "DELETE", METRIC)
def delete_metrics(query, body, project, short):
    find(f"metric/{project}/{short}")
    del STATE["objects"][f"metric/{project}/{short}"]
    STATE["counters"].pop("metric at " + short, None)
    return {}
