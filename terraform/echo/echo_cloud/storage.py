"""Cloud Storage: buckets and objects, with versions where a bucket keeps them."""

import base64
import hashlib
import re
import time

from .policies import policy_of, set_policy
from .routes import note, route
from .settings import NUMBER, listed
from .state import STATE, Refusal, add, etag, find, labels, require, stamp


def bucket(name):
    return find("storage/" + name, "The specified bucket does not exist.")


def bucket_rules(it):
    name = it["name"]
    require(
        re.match("^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$", name) and "google" not in name and (not name.startswith("goog")),
        f"Invalid bucket name: '{name}'",
    )
    labels(it)
    kept = int((it.get("softDeletePolicy") or {}).get("retentionDurationSeconds", 0))
    require(kept == 0 or 604800 <= kept <= 7776000, "softDeletePolicy.retentionDurationSeconds: 0, or 7 to 90 days")
    for rule in (it.get("lifecycle") or {}).get("rule", []):
        condition = rule.get("condition", {})
        require(condition, "A lifecycle rule must have a condition")
        if rule["action"]["type"] == "AbortIncompleteMultipartUpload":
            require(
                set(condition) <= {"age", "matchesPrefix", "matchesSuffix"},
                "AbortIncompleteMultipartUpload takes age, matchesPrefix and matchesSuffix alone",
            )


@route("storage.googleapis.com", "POST", "storage/v1/b")
def post_buckets(query, body):
    it = dict(body)
    bucket_rules(it)
    it["location"] = it.get("location", "US").upper()
    it.setdefault("iamConfiguration", {})
    it["iamConfiguration"].setdefault("publicAccessPrevention", "inherited")
    uniform = it["iamConfiguration"].setdefault("uniformBucketLevelAccess", {"enabled": False})
    if uniform.get("enabled"):
        uniform["lockedTime"] = "2026-12-31T00:00:00.000Z"
    it["iamConfiguration"]["bucketPolicyOnly"] = dict(uniform)
    it.setdefault("softDeletePolicy", {"retentionDurationSeconds": "604800"})["effectiveTime"] = stamp()
    it.update(
        kind="storage#bucket",
        id=it["name"],
        selfLink="https://www.googleapis.com/storage/v1/b/" + it["name"],
        projectNumber=NUMBER,
        generation=str(int(time.time() * 1e6)),
        metageneration="1",
        storageClass=it.get("storageClass", "STANDARD"),
        locationType="region" if "-" in it["location"] else "multi-region",
        timeCreated=stamp(),
        updated=stamp(),
        etag=etag(),
    )
    if "-" not in it["location"]:
        it["rpo"] = "DEFAULT"
    if it.get("lifecycle") == {"rule": []} or not it.get("lifecycle"):
        it.pop("lifecycle", None)
    if it["name"] in listed("names_taken"):
        raise Refusal(
            409,
            "The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select"
            " a different name and try again.",
            reason="conflict",
        )
    add("storage/" + it["name"], it, "Your previous request to create the named bucket succeeded and you already own it.")
    STATE["policies"]["storage/" + it["name"]] = {
        "version": 1,
        "etag": etag(),
        "bindings": [
            {
                "role": "roles/storage.legacyBucketOwner",
                "members": [f"projectEditor:{query.get('project')}", f"projectOwner:{query.get('project')}"],
            },
            {"role": "roles/storage.legacyBucketReader", "members": [f"projectViewer:{query.get('project')}"]},
        ],
    }
    return it


@route("storage.googleapis.com", "GET", "storage/v1/b/([^/]+)")
def get_bucket(query, body, name):
    return bucket(name)


@route("storage.googleapis.com", "PATCH", "storage/v1/b/([^/]+)")
def patch_bucket(query, body, name):
    it = bucket(name)
    labels_ = body.pop("labels", None)
    for key, value in (labels_ or {}).items():
        if value is None:
            it.get("labels", {}).pop(key, None)
        else:
            it.setdefault("labels", {})[key] = value
    for key, value in body.items():
        if isinstance(value, dict) and isinstance(it.get(key), dict) and (key == "iamConfiguration"):
            for inner, inner_value in value.items():
                if isinstance(inner_value, dict):
                    it[key].setdefault(inner, {}).update(inner_value)
                else:
                    it[key][inner] = inner_value
        elif value is None:
            it.pop(key, None)
        else:
            it[key] = value
    if it.get("lifecycle") == {"rule": []}:
        it.pop("lifecycle")
    bucket_rules(it)
    it["metageneration"] = str(int(it["metageneration"]) + 1)
    return it


@route("storage.googleapis.com", "DELETE", "storage/v1/b/([^/]+)")
def delete_bucket(query, body, name):
    bucket(name)
    if any(key.startswith(f"object/{name}/") for key in STATE["objects"]):
        raise Refusal(409, "The bucket you tried to delete is not empty.", reason="conflict")
    del STATE["objects"]["storage/" + name]
    STATE["policies"].pop("storage/" + name, None)
    return None


@route("storage.googleapis.com", "GET", "storage/v1/b/([^/]+)/iam")
def get_iam(query, body, name):
    bucket(name)
    return dict(policy_of("storage/" + name), kind="storage#policy", resourceId="projects/_/buckets/" + name)


@route("storage.googleapis.com", "PUT", "storage/v1/b/([^/]+)/iam")
def put_iam(query, body, name):
    it = bucket(name)
    if any("condition" in each for each in body.get("bindings", [])):
        require(
            it["iamConfiguration"]["uniformBucketLevelAccess"].get("enabled"),
            "conditions need uniform bucket-level access",
            412,
        )
    rule, noted = set_policy("storage/" + name, body)
    note(noted)
    return dict(rule, kind="storage#policy", resourceId="projects/_/buckets/" + name)


@route("storage.googleapis.com", "GET", "storage/v1/b/([^/]+)/anywhereCaches/?")
def get_anywhere_caches(query, body, name):
    bucket(name)
    return {"kind": "storage#anywhereCaches"}


@route("storage.googleapis.com", "GET", "storage/v1/b/([^/]+)/o")
def get_objects(query, body, name):
    bucket(name)
    items = [
        it
        for key, it in STATE["objects"].items()
        if key.startswith(f"object/{name}/") and (query.get("versions") == "true" or not it.get("timeDeleted"))
    ]
    return dict({"kind": "storage#objects"}, **{"items": items} if items else {})


def live(bucket_name, name):
    return STATE["objects"].get(f"object/{bucket_name}/{name}#live")


@route("storage.googleapis.com", "GET", "storage/v1/b/([^/]+)/o/(.+)")
def get_object(query, body, place, name):
    it = live(place, name)
    if it is None:
        raise Refusal(404, f"No such object: {place}/{name}", reason="notFound")
    return it


@route("storage.googleapis.com", "PATCH", "storage/v1/b/([^/]+)/o/(.+)")
def patch_object(query, body, place, name):
    it = live(place, name)
    it.update(body)
    return it


@route("storage.googleapis.com", "DELETE", "storage/v1/b/([^/]+)/o/(.+)")
def delete_object(query, body, place, name):
    if query.get("generation"):
        for k, it in list(STATE["objects"].items()):
            if k.startswith(f"object/{place}/{name}#") and it["generation"] == query["generation"]:
                del STATE["objects"][k]
                return None
    key = f"object/{place}/{name}#live"
    it = STATE["objects"].pop(key, None)
    if it is None:
        raise Refusal(404, f"No such object: {place}/{name}", reason="notFound")
    if (bucket(place).get("versioning") or {}).get("enabled"):
        it["timeDeleted"] = stamp()
        STATE["objects"][f"object/{place}/{name}#{it['generation']}"] = it
    return None


def store(bucket_name, name, data, meta):
    bucket(bucket_name)
    generation = str(int(time.time() * 1e6))
    md5 = base64.b64encode(hashlib.md5(data).digest()).decode()
    it = dict(
        {key: value for key, value in meta.items() if key in ("contentType", "metadata", "cacheControl")},
        kind="storage#object",
        id=f"{bucket_name}/{name}/{generation}",
        name=name,
        bucket=bucket_name,
        generation=generation,
        metageneration="1",
        size=str(len(data)),
        md5Hash=md5,
        crc32c="AAAAAA==",
        etag=etag(),
        storageClass="STANDARD",
        timeCreated=stamp(),
        updated=stamp(),
        selfLink=f"https://www.googleapis.com/storage/v1/b/{bucket_name}/o/{name}",
        mediaLink=f"https://storage.googleapis.com/download/storage/v1/b/{bucket_name}/o/{name}?generation={generation}&alt=media",
    )
    it.setdefault("contentType", "application/octet-stream")
    STATE["objects"][f"object/{bucket_name}/{name}#live"] = it
    return it
