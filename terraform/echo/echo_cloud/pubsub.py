"""Pub/Sub: topics."""

import re

from .policies import policy_of, set_policy
from .routes import note, route
from .state import STATE, add, drop_zero, find, labels, merge, require

TOPIC = "v1/(projects/[^/]+/topics/[^/:]+)"


def topic_rules(it):
    name = it["name"].split("/")[-1]
    require(re.match(r"^[A-Za-z][\w.~+%-]{2,254}$", name) and (not name.startswith("goog")), f"Invalid topic name {name}")
    labels(it)
    retention = it.get("messageRetentionDuration")
    if retention:
        require(
            600 <= int(float(retention.rstrip("s"))) <= 31 * 86400,
            "message_retention_duration must be between 10 minutes and 31 days",
        )


@route("pubsub.googleapis.com", "PUT", TOPIC)
def put_topics(query, body, name):
    it = dict(body, name=name)
    topic_rules(it)
    return add("pubsub/" + name, drop_zero(it), f"Resource already exists in the project (resource={name.split('/')[-1]}).")


@route("pubsub.googleapis.com", "GET", TOPIC)
def get_topics(query, body, name):
    return find("pubsub/" + name, f"Resource not found (resource={name.split('/')[-1]}).")


@route("pubsub.googleapis.com", "PATCH", TOPIC)
def patch_topics(query, body, name):
    it = find("pubsub/" + name)
    fields = body.get("updateMask") or query.get("updateMask", "")
    merge(it, body.get("topic", body), fields.split(","))
    topic_rules(it)
    return it


@route("pubsub.googleapis.com", "DELETE", TOPIC)
def delete_topics(query, body, name):
    find("pubsub/" + name)
    del STATE["objects"]["pubsub/" + name]
    STATE["policies"].pop("pubsub/" + name, None)
    return {}


@route("pubsub.googleapis.com", "GET", TOPIC + ":getIamPolicy")
def get_topics_get_iam_policy(query, body, name):
    find("pubsub/" + name)
    return policy_of("pubsub/" + name)


@route("pubsub.googleapis.com", "POST", TOPIC + ":setIamPolicy")
def post_topics_set_iam_policy(query, body, name):
    find("pubsub/" + name)
    result, noted = set_policy("pubsub/" + name, body)
    note(noted)
    return result
