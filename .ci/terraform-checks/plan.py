#!/usr/bin/env python3
"""Reads what `terraform test -json -verbose` prints and tells what Google would refuse, or misread, of each plan in it.

usage: terraform test -json -verbose | plan.py

The provider's schema knows none of this: it is said in the APIs' own references, or was seen. Exit status 1 with a line
a fault. What is known only after an apply is not looked at.
"""

import ipaddress
import json
import re
import sys

OPERATOR = re.compile(r"&&|\|\||!(?!=)")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')

# Patterns of names, by type and attribute.
NAMES = {
    "google_artifact_registry_repository": ("repository_id", r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?"),
    "google_cloud_scheduler_job": ("name", r"[A-Za-z0-9_-]{1,500}"),
    "google_cloudfunctions2_function": ("name", r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?"),
    "google_compute_firewall": ("name", r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?"),
    "google_compute_network": ("name", r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?"),
    "google_compute_router": ("name", r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?"),
    "google_compute_subnetwork": ("name", r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?"),
    "google_firestore_database": ("name", r"\(default\)|[a-z][a-z0-9-]{2,61}[a-z0-9]"),
    "google_logging_project_sink": ("name", r"[A-Za-z0-9_.-]{1,100}"),
    "google_project_iam_custom_role": ("role_id", r"[A-Za-z0-9_.]{3,64}"),
    "google_pubsub_topic": ("name", r"(?!goog)[A-Za-z][A-Za-z0-9_.~+%-]{2,254}"),
    "google_service_account": ("account_id", r"[a-z][a-z0-9-]{4,28}[a-z0-9]"),
    "google_storage_bucket": ("name", r"(?!goog)[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]"),
}
# The most characters of a text, by type and attribute.
LENGTHS = {
    ("google_billing_budget", "display_name"): 60,
    ("google_cloud_scheduler_job", "description"): 500,
    ("google_monitoring_alert_policy", "display_name"): 512,
    ("google_project_iam_custom_role", "title"): 100,
    ("google_service_account", "description"): 256,
    ("google_service_account", "display_name"): 100,
}
LABEL_KEY, LABEL_VALUE = re.compile(r"[a-z][a-z0-9_-]{0,62}"), re.compile(r"[a-z0-9_-]{0,63}")


def values(change):
    return change["change"]["after"] or {}


def names(change):
    attribute, pattern = NAMES.get(change["type"], (None, None))
    name = values(change).get(attribute)
    if name is not None and not re.fullmatch(pattern, name):
        yield f"{attribute} is '{name}'; Google takes {pattern}"
    for (kind, attribute), most in LENGTHS.items():
        text = values(change).get(attribute) if kind == change["type"] else None
        if text is not None and len(text.encode()) > most:
            yield f"{attribute} has {len(text.encode())} bytes; Google takes {most}"


def labels(change):
    for key, value in (values(change).get("labels") or {}).items():
        if not LABEL_KEY.fullmatch(key) or not LABEL_VALUE.fullmatch(value):
            yield f"label {key}={value}: lower case letters, digits, _ and -, 63 at most"


def condition(change):
    for it in values(change).get("condition") or []:
        operators = len(OPERATOR.findall(STRING.sub('""', it.get("expression") or "")))
        if operators > 12:
            yield f"a condition with {operators} operators; IAM takes 12"
        if len(it.get("title") or "") > 100:
            yield f"a condition's title with {len(it['title'])} characters; IAM takes 100"
        if it.get("description"):
            yield "a condition with a description: another word there takes the right away and grants another"


def open_to_all(change):
    if change["type"] != "google_compute_firewall" or values(change).get("direction", "INGRESS") != "INGRESS":
        return
    sources = [values(change).get(it) for it in ("source_ranges", "source_tags", "source_service_accounts")]
    unknown = change["change"].get("after_unknown") or {}
    if not any(sources) and not any(unknown.get(it) is True for it in ("source_ranges", "source_tags")):
        yield "a rule without sources: Google takes that for every address there is"
    if any(it in ("0.0.0.0/0", "::/0") for it in sources[0] or []):
        yield "a rule that lets every address in"


def zeros(change):
    def walk(value, path):
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from walk(inner, f"{path}.{key}")
        elif isinstance(value, list):
            for index, inner in enumerate(value):
                yield from walk(inner, f"{path}[{index}]")
        elif value in (0, "", False) and value is not None:
            yield f"{path} is {json.dumps(value)}: Google does not give it back, and each plan would want to set it again"

    text = values(change).get("dashboard_json")
    if text:
        yield from walk(json.loads(text), "dashboard_json")


def function(change):
    if change["type"] != "google_cloudfunctions2_function":
        return
    for service in values(change).get("service_config") or []:
        for name, value in (service.get("environment_variables") or {}).items():
            if value == "":
                yield f"variable {name} is empty: leave it out"
        most = 540 if values(change).get("event_trigger") else 3600
        if (service.get("timeout_seconds") or 0) > most:
            yield f"timeout_seconds is {service['timeout_seconds']}; such a function has {most} at most"


def overlapping(changes):
    subnets = [(it, values(it).get("ip_cidr_range")) for it in changes if it["type"] == "google_compute_subnetwork"]
    ranges = [(it["address"], ipaddress.ip_network(text, strict=False)) for it, text in subnets if text]
    for index, (one, first) in enumerate(ranges):
        for other, second in ranges[:index]:
            if first.overlaps(second):
                yield f"{one}: {first} overlaps {second} of {other}"


def bindings(changes):
    """IAM keeps 20 conditions of one role for one member, and tells bindings apart by their condition alone."""
    on = ("project", "bucket", "topic", "repository", "service_account_id", "secret_id", "name", "location")
    held = {}
    for it in changes:
        if it["type"].endswith("_iam_member"):
            after = values(it)
            place = (it["type"],) + tuple(after.get(key) for key in on)
            condition = json.dumps(after.get("condition") or [], sort_keys=True)
            held.setdefault((place, after.get("role"), after.get("member")), []).append((condition, it["address"]))
    for (_, role, member), found in held.items():
        if member is None:
            continue
        if len(found) > 20:
            yield f"{found[0][1]}: {len(found)} conditions of {role} for {member}; IAM takes 20"
        for condition, address in found:
            same = [other for text, other in found if text == condition and other < address]
            if same:
                yield f"{address}: the same binding as {same[0]}; the first that goes takes the other's right away"


EACH = [names, labels, condition, open_to_all, zeros, function]
ALL = [overlapping, bindings]


def plans(lines):
    """Plans by the name of their run."""
    for line in lines:
        if not line.startswith("{"):
            continue
        message = json.loads(line)
        if "test_plan" in message:
            yield message.get("@testrun", "?"), message["test_plan"]


def changes_of(plan):
    for it in plan.get("resource_changes") or []:
        if it.get("mode") == "managed" and it["change"]["actions"] != ["delete"]:
            yield it


def faults(plan):
    changes = list(changes_of(plan))
    for change in changes:
        for rule in EACH:
            for fault in rule(change):
                yield f"{change['address']}: {fault}"
    for rule in ALL:
        yield from rule(changes)


def main():
    seen, bad = 0, 0
    for run, plan in plans(sys.stdin):
        seen += len(list(changes_of(plan)))
        for fault in faults(plan):
            bad += 1
            print(f"{run}: {fault}")
    if seen == 0:
        sys.exit("plan.py: no plan with a resource; run terraform test with -json -verbose")
    print(f"plan: {seen} planned resources, {bad} faults")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
