"""Artifact Registry: repositories."""

import re
import uuid

from .operations import operation
from .policies import policy_of, set_policy
from .routes import note, route
from .state import STATE, Refusal, add, drop_zero, find, labels, mask, merge, require, stamp

REPOSITORY = "v1/(projects/[^/]+/locations/[^/]+/repositories/[^/:]+)"


@route("artifactregistry.googleapis.com", "POST", "v1/(projects/[^/]+/locations/[^/]+)/repositories")
def post_repositories(query, body, parent):
    short = query.get("repository_id") or query.get("repositoryId")
    require(re.match("^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$", short), f"repository id {short}")
    labels(body)
    name = f"{parent}/repositories/{short}"
    if "artifactregistry/" + name in STATE["objects"]:
        raise Refusal(409, "the repository already exists")

    def done():
        return add(
            "artifactregistry/" + name,
            drop_zero(
                dict(
                    body,
                    name=name,
                    mode=body.get("mode") or "STANDARD_REPOSITORY",
                    createTime=stamp(),
                    updateTime=stamp(),
                    satisfiesPzi=True,
                    registryUri=f"{parent.split('/')[3]}-docker.pkg.dev/{parent.split('/')[1]}/{short}",
                    vulnerabilityScanningConfig={
                        "lastEnableTime": stamp(),
                        "enablementState": "SCANNING_DISABLED",
                        "enablementStateReason": "API containerscanning.googleapis.com is not enabled.",
                    },
                )
            ),
        )

    return operation(f"{parent}/operations/{uuid.uuid4()}", done)


@route("artifactregistry.googleapis.com", "GET", REPOSITORY)
def get_repositories(query, body, name):
    return find("artifactregistry/" + name, "Requested entity was not found.")


@route("artifactregistry.googleapis.com", "PATCH", REPOSITORY)
def patch_repositories(query, body, name):
    it = find("artifactregistry/" + name)
    merge(it, body, mask(query, body))
    labels(it)
    return it


@route("artifactregistry.googleapis.com", "DELETE", REPOSITORY)
def delete_repositories(query, body, name):
    find("artifactregistry/" + name)

    def done():
        STATE["objects"].pop("artifactregistry/" + name)
        STATE["policies"].pop("artifactregistry/" + name, None)
        return {}

    return operation("/".join(name.split("/")[:4]) + f"/operations/{uuid.uuid4()}", done)


@route("artifactregistry.googleapis.com", "GET", REPOSITORY + ":getIamPolicy")
def get_repositories_get_iam_policy(query, body, name):
    find("artifactregistry/" + name, "Requested entity was not found.")
    return policy_of("artifactregistry/" + name)


@route("artifactregistry.googleapis.com", "POST", REPOSITORY + ":setIamPolicy")
def post_repositories_set_iam_policy(query, body, name):
    find("artifactregistry/" + name)
    result, noted = set_policy("artifactregistry/" + name, body)
    note(noted)
    return result
