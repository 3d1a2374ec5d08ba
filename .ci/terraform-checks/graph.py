#!/usr/bin/env python3
"""Reads `terraform graph` and tells what is made before what it needs.

usage: terraform graph | graph.py

Terraform makes everything at once that does not wait for something else, and Google refuses what comes too early: a right
for an account that is not there yet, a build whose account has no rights. Each rule says who waits for whom, and why.
Exit status 1 with a line a fault. It needs no cloud and no provider beyond its schema.
"""

import re
import sys
from typing import NamedTuple

RESOURCE = re.compile(r"(?:^|\.)(?P<type>[a-z][a-z0-9_]*)\.(?P<name>[A-Za-z0-9_-]+)(?:\[.*\])?$")


class Rule(NamedTuple):
    who: str  # a regular expression over whole addresses
    whom: str
    why: str


API = r"google_project_service\.\w+"
SETTLED = r"terraform_data\.settled"

WAITS = [
    Rule(r"google_(?!project_service\.)\w+\.\w+", API, "its API is on"),
    Rule(r"google_(?!project_service\.)\w+\.\w+", r"terraform_data\.apis", "an API that was turned on answers"),
    Rule(r"terraform_data\.apis", API, "APIs are on; before that there is nothing to wait for"),
    Rule(r"google_cloudfunctions2_function\.\w+", r"google_project_iam_member\.\w+", "its build may log and read its source"),
    Rule(
        r"google_cloudfunctions2_function\.\w+",
        r"google_artifact_registry_repository_iam_member\.\w+",
        "its build may push its image",
    ),
    Rule(
        r"google_cloudfunctions2_function\.\w+", r"google_service_account_iam_member\.\w+", "it may act as the workers' account"
    ),
    Rule(r"google_cloudfunctions2_function\.\w+", SETTLED, "its build's rights have taken effect"),
    Rule(r"google_cloudfunctions2_function\.\w+", r"terraform_data\.agents", "Google's own account of Eventarc is there"),
    Rule(SETTLED, r"google_project_iam_member\.\w+", "rights are there; before that they can't take effect"),
    Rule(
        SETTLED, r"google_artifact_registry_repository_iam_member\.\w+", "rights are there; before that they can't take effect"
    ),
    # The sink's own identity is made with the sink.
    Rule(r"google_\w+_iam_member\.(?!sink$)\w+", r"google_service_account\.\w+", "its member is there"),
    Rule(
        r"google_project_iam_member\.\w+|google_storage_bucket_iam_member\.cluster",
        r"google_project_iam_custom_role\.\w+",
        "its role is there",
    ),
    # What is made later is destroyed earlier.
    *(
        Rule(r"google_compute_subnetwork\.\w+", whom, "what deletes machines is there: it would be destroyed before they are gone")
        for whom in (
            r"google_cloudfunctions2_function\.\w+",
            r"google_cloud_run_v2_service_iam_member\.\w+",
            r"google_cloud_scheduler_job\.\w+",
            r"google_project_iam_member\.\w+",
            r"google_storage_bucket_iam_member\.\w+",
            r"google_pubsub_topic_iam_member\.\w+",
            r"google_logging_project_sink\.\w+",
            r"google_compute_router_nat\.\w+",
        )
    ),
    *(
        Rule(who, r"google_cloud_scheduler_job\.\w+", "its region is known to have Cloud Scheduler: it does not move")
        for who in (
            r"google_firestore_database\.\w+",
            r"google_storage_bucket\.artifacts",
            r"google_artifact_registry_repository\.\w+",
            r"terraform_data\.region",
        )
    ),
]

NEVER = [
    Rule(
        r"google_monitoring_alert_policy\.\w+",
        r"google_logging_metric\.\w+",
        "a metric that is made in the same apply: alerts know it ten minutes later",
    ),
]


def read(lines):
    """Edges of the graph, by address; every address has an entry."""
    edges = {}
    for line in lines:
        edge = re.match(r'\s*"([^"]+)" -> "([^"]+)"', line)
        node = re.match(r'\s*"([^"]+)" \[', line)
        if edge:
            edges.setdefault(edge[1], set()).add(edge[2])
            edges.setdefault(edge[2], set())
        elif node:
            edges.setdefault(node[1], set())
    return edges


def below(edges, address):
    """Everything that an address waits for."""
    seen, left = set(), [address]
    while left:
        for other in edges.get(left.pop(), ()):
            if other not in seen:
                seen.add(other)
                left.append(other)
    return seen


def resource(address):
    """Type and name; empty for data, modules and whatever else a graph has."""
    if re.search(r"(?:^|\.)data\.", address):
        return ""
    found = RESOURCE.search(address)
    return f"{found['type']}.{found['name']}" if found else ""


def faults(edges):
    found = []
    for address in sorted(edges):
        waits = {resource(other) for other in below(edges, address)}
        for rule in WAITS:
            if re.fullmatch(rule.who, resource(address)) and not any(re.fullmatch(rule.whom, it) for it in waits):
                found.append(f"{address} does not wait until {rule.why} ({rule.whom})")
        for rule in NEVER:
            if re.fullmatch(rule.who, resource(address)) and any(re.fullmatch(rule.whom, it) for it in waits):
                found.append(f"{address} needs {rule.why}")
    return found


def main():
    edges = read(sys.stdin)
    resources = [it for it in edges if resource(it)]
    if not resources:
        sys.exit("graph.py: no resource in what came from terraform graph")
    found = faults(edges)
    for fault in found:
        print(fault)
    print(f"graph: {len(resources)} resources, {sum(map(len, edges.values()))} edges, {len(found)} faults")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
