"""Firebase Rules: sets of rules, and which of them holds where."""

import uuid

from .routes import route
from .state import STATE, add, find, require, stamp

HOST = "firebaserules.googleapis.com"
RULESET = r"v1/(projects/[^/]+/rulesets/[^/:]+)"
RELEASE = r"v1/(projects/[^/]+/releases/[^:]+)"


@route(HOST, "POST", r"v1/(projects/[^/]+)/rulesets")
def post_rulesets(query, body, project):
    require(body.get("source", {}).get("files"), "source.files is empty")
    name = f"{project}/rulesets/{uuid.uuid4()}"
    return add("rules/" + name, {**body, "name": name, "createTime": stamp(), "metadata": {"services": ["cloud.firestore"]}})


@route(HOST, "GET", RULESET)
def get_ruleset(query, body, name):
    return find("rules/" + name, "Requested entity was not found.")


@route(HOST, "DELETE", RULESET)
def delete_ruleset(query, body, name):
    find("rules/" + name, "Requested entity was not found.")
    used = any(key.startswith("release/") and it["rulesetName"] == name for key, it in STATE["objects"].items())
    require(not used, f"Ruleset {name} is referenced by a release and can't be deleted")
    del STATE["objects"]["rules/" + name]
    return {}


@route(HOST, "POST", r"v1/(projects/[^/]+)/releases")
def post_releases(query, body, project):
    find("rules/" + body["rulesetName"], "Requested entity was not found.")
    made = {**body, "createTime": stamp(), "updateTime": stamp()}
    return add("release/" + body["name"], made, "Requested entity already exists")


@route(HOST, "GET", RELEASE)
def get_release(query, body, name):
    return find("release/" + name, "Requested entity was not found.")


@route(HOST, "PATCH", RELEASE)
def patch_release(query, body, name):
    release = find("release/" + name, "Requested entity was not found.")
    wanted = body.get("release", body)
    find("rules/" + wanted["rulesetName"], "Requested entity was not found.")
    release.update(rulesetName=wanted["rulesetName"], updateTime=stamp())
    return release


@route(HOST, "DELETE", RELEASE)
def delete_release(query, body, name):
    find("release/" + name, "Requested entity was not found.")
    del STATE["objects"]["release/" + name]
    return {}
