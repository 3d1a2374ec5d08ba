"""Alerts and dashboards."""

import copy
import re
import uuid

from .routes import route
from .settings import NUMBER
from .state import STATE, Refusal, add, count, drop_zero, find, mask, merge, now, require, stamp


def alert_rules(it):
    require(len(it.get("displayName", "")) <= 512, "displayName")
    require(it.get("combiner"), "combiner")
    require(len(it.get("conditions", [])) <= 6, "conditions")
    for condition in it["conditions"]:
        threshold = condition.get("conditionThreshold") or condition.get("conditionAbsent")
        if not threshold:
            continue
        if "conditionAbsent" in condition:
            require(120 <= int(threshold["duration"].rstrip("s")) <= 84600, "duration of an absence: 2 minutes to 23.5 hours")
        require(
            re.search(r"metric\.type\s*=", threshold["filter"]) and re.search(r"resource\.type\s*=", threshold["filter"]),
            "The filter must name a metric type and a resource type",
        )
        require(int(threshold["duration"].rstrip("s")) % 60 == 0, "duration must be a multiple of 60 s")
        for aggregation in threshold.get("aggregations", []):
            require(int(aggregation["alignmentPeriod"].rstrip("s")) >= 60, "alignment period")
        metric = re.search(r'metric\.type="logging\.googleapis\.com/user/([^"]+)"', threshold["filter"])
        if metric and now() < STATE["counters"].get("metric at " + metric.group(1), float("inf")):
            raise Refusal(
                404,
                f'Cannot find metric(s) that match type = "logging.googleapis.com/user/{metric.group(1)}". If a metric was created recently, it could take up to 10 minutes to become available. Please try again soon.',
            )
    for condition in it.get("notificationChannels", []):
        find("channel/" + condition, f"Supplied notification channel {condition} does not exist")


@route("monitoring.googleapis.com", "POST", "v3/(projects/[^/]+)/alertPolicies")
def post_alert_policies(query, body, project):
    alert_rules(body)
    name = f"{project}/alertPolicies/{10**18 + count('alert')}"
    it = drop_zero(copy.deepcopy(body))
    it["name"] = name
    for condition in it["conditions"]:
        condition["name"] = f"{name}/conditions/{10**18 + count('condition')}"
        if "conditionThreshold" in condition:
            condition["conditionThreshold"].setdefault("duration", "0s")
    it.setdefault("enabled", True)
    it["creationRecord"] = {"mutateTime": stamp(), "mutatedBy": "user@example.com"}
    it["mutationRecord"] = dict(it["creationRecord"])
    return add("alert/" + name, it)


ALERT = "v3/(projects/[^/]+/alertPolicies/[^/]+)"


@route("monitoring.googleapis.com", "GET", ALERT)
def get_alert_policies(query, body, name):
    return find("alert/" + name, "Cannot find resource.")


@route("monitoring.googleapis.com", "PATCH", ALERT)
def patch_alert_policies(query, body, name):
    it = find("alert/" + name)
    merge(it, body, mask(query, body))
    alert_rules(it)
    return it


@route("monitoring.googleapis.com", "DELETE", ALERT)
def delete_alert_policies(query, body, name):
    find("alert/" + name)
    del STATE["objects"]["alert/" + name]
    return {}


def served_dashboard(it):
    it = drop_zero(it)

    def walk(each):
        if isinstance(each, dict):
            for key, value in list(each.items()):
                if key == "dataSets":
                    for data_set in value:
                        data_set.setdefault("targetAxis", "Y1")
                walk(value)
            if "text" in each and isinstance(each["text"], dict):
                each["text"].setdefault("style", {})
        elif isinstance(each, list):
            for value in each:
                walk(value)

    walk(it)
    return it


def dashboard_rules(it):
    require(it.get("displayName"), "displayName")
    metric = it.get("mosaicLayout")
    if metric:
        require(1 <= metric.get("columns", 0) <= 48, "columns")
        taken = set()
        for threshold in metric.get("tiles", []):
            each, y = (threshold.get("xPos", 0), threshold.get("yPos", 0))
            require(each + threshold["width"] <= metric["columns"], "tile is wider than the dashboard")
            for index in range(each, each + threshold["width"]):
                for j in range(y, y + threshold["height"]):
                    require((index, j) not in taken, "tiles overlap")
                    taken.add((index, j))


@route("monitoring.googleapis.com", "POST", "v1/(projects/[^/]+)/dashboards")
def post_dashboards(query, body, project):
    dashboard_rules(body)
    name = f"projects/{NUMBER}/dashboards/{uuid.uuid4()}"
    it = served_dashboard(body)
    it.update(name=name, etag=uuid.uuid4().hex)
    return add("dashboard/" + name, it)


DASHBOARD = "v1/(projects/[^/]+/dashboards/[^/]+)"


@route("monitoring.googleapis.com", "GET", DASHBOARD)
def get_dashboards(query, body, name):
    return find("dashboard/" + name, "Requested entity was not found.")


@route("monitoring.googleapis.com", "PATCH", DASHBOARD)
def patch_dashboards(query, body, name):
    it = find("dashboard/" + name)
    require(body.get("etag") == it["etag"], "etag", 409)
    dashboard_rules(body)
    each = served_dashboard(body)
    each.update(name=name, etag=uuid.uuid4().hex)
    STATE["objects"]["dashboard/" + name] = each
    return each


@route("monitoring.googleapis.com", "DELETE", DASHBOARD)
def delete_dashboards(query, body, name):
    find("dashboard/" + name)
    del STATE["objects"]["dashboard/" + name]
    return {}
