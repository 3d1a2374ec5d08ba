"""Filestore: volumes."""

import copy
import re
import uuid

from .operations import operation
from .routes import route
from .state import STATE, Refusal, add, drop_zero, find, labels, mask, merge, require, stamp

VOLUME = "v1/(projects/([^/]+)/locations/([^/]+)/instances/([^/]+))"


@route("file.googleapis.com", "POST", "v1/projects/([^/]+)/locations/([^/]+)/instances")
def post_instances(query, body, project, location):
    name = f"projects/{project}/locations/{location}/instances/{query['instanceId']}"
    labels(body)
    share = body["fileShares"][0]
    require(re.match("^[a-z][a-z0-9_]{0,15}$", share["name"]), "share name")
    require(int(share["capacityGb"]) >= (2560 if body["tier"] in ("BASIC_SSD", "PREMIUM") else 1024), "capacity")
    require(len(share.get("nfsExportOptions", [])) <= 10, "at most 10 export options")
    for each in share.get("nfsExportOptions", []):
        require(each.get("ipRanges") and len(each["ipRanges"]) <= 64, "nfsExportOptions: ipRanges")

    def done():
        it = copy.deepcopy(body)
        it.update(name=name, state="READY", createTime=stamp(), protocol=body.get("protocol", "NFS_V3"))
        it["fileShares"][0]["capacityGb"] = str(share["capacityGb"])
        it["networks"][0].update(ipAddresses=["10.99.0.2"], reservedIpRange="10.99.0.0/29")
        it["networks"][0]["network"] = it["networks"][0]["network"].split("/")[-1]
        it["networks"][0].setdefault("connectMode", "DIRECT_PEERING")
        it["satisfiesPzi"] = True
        return add("file/" + name, drop_zero(it))

    if "file/" + name in STATE["objects"]:
        raise Refusal(409, f"Resource '{name}' already exists")
    return operation(f"projects/{project}/locations/{location}/operations/operation-{uuid.uuid4()}", done)


@route("file.googleapis.com", "GET", VOLUME)
def get_instances(query, body, name, project, location, short):
    return find("file/" + name, f"Resource '{name}' was not found")


@route("file.googleapis.com", "PATCH", VOLUME)
def patch_instances(query, body, name, project, location, short):
    it = find("file/" + name)
    merge(it, body, mask(query, body))
    it["fileShares"][0]["capacityGb"] = str(it["fileShares"][0]["capacityGb"])
    return operation(f"projects/{project}/locations/{location}/operations/operation-{uuid.uuid4()}", lambda: it)


@route("file.googleapis.com", "DELETE", VOLUME)
def delete_instances(query, body, name, project, location, short):
    find("file/" + name)
    return operation(
        f"projects/{project}/locations/{location}/operations/operation-{uuid.uuid4()}",
        lambda: STATE["objects"].pop("file/" + name) and {},
    )
