"""Compute Engine: networks and what belongs to them."""

import copy
import ipaddress
import re
import uuid

from .operations import operation, poll
from .routes import note, route
from .state import STATE, Refusal, count, etag, find, require, stamp

COMPUTE = {
    "networks": "compute#network",
    "subnetworks": "compute#subnetwork",
    "firewalls": "compute#firewall",
    "routers": "compute#router",
    "resourcePolicies": "compute#resourcePolicy",
}
THING = "compute/v1/(projects/[^/]+/(?:global|regions/[^/]+)/(networks|subnetworks|firewalls|routers|resourcePolicies)/[^/]+)"


def link(name):
    return "https://www.googleapis.com/compute/v1/" + name


def unlink(link_):
    return re.sub("^https?://[^/]+/(?:[^/]*googleapis.com/)?compute/v1/", "", link_ or "")


def compute_op(target, verb, finish):
    scope = "/".join(target.split("/")[:3]) if "/global/" in target else "/".join(target.split("/")[:4])
    extra = {"operationType": verb, "targetLink": link(target), "selfLink": link(f"{scope}/operations/x")}
    if "/regions/" in target:
        extra["region"] = link(scope)
    return operation(f"operation-{uuid.uuid4()}", finish, kind="compute", extra=extra)


def full_link(value, project):
    value = unlink(value)
    if "/" not in value:
        return link(f"projects/{project}/global/networks/{value}")
    return link(value if value.startswith("projects/") else f"projects/{project}/{value}")


@route("compute.googleapis.com", "GET", "compute/v1/projects/[^/]+/(?:global|regions/[^/]+|zones/[^/]+)/operations/([^/]+)")
def get_operations(query, body, name):
    return poll(name)


@route("compute.googleapis.com", "POST", "compute/v1/projects/[^/]+/(?:global|regions/[^/]+)/operations/([^/]+)/wait")
def post_operations_wait(query, body, name):
    return poll(name)


@route("compute.googleapis.com", "GET", "compute/v1/projects/([^/]+)/regions/([^/]+)")
def get_region(query, body, project, region):
    return {"name": region, "status": "UP", "selfLink": link(f"projects/{project}/regions/{region}")}


@route(
    "compute.googleapis.com",
    "POST",
    "compute/v1/(projects/([^/]+)/(?:global|regions/[^/]+)/(networks|subnetworks|firewalls|routers|resourcePolicies))",
)
def post_things(query, body, collection, project, kind):
    require(
        re.match("^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$", body["name"]),
        f"Invalid value for field 'resource.name': '{body['name']}'",
    )
    name = f"{collection}/{body['name']}"
    key = "compute/" + name
    it = copy.deepcopy(body)
    if "network" in it:
        it["network"] = full_link(it["network"], project)
        find("compute/" + unlink(it["network"]), f"The resource '{unlink(it['network'])}' was not found")
    if "region" in it or "/regions/" in name:
        it["region"] = link("/".join(name.split("/")[:4]))
    it.update(kind=COMPUTE[kind], id=str(10**18 + count("id")), creationTimestamp=stamp(), selfLink=link(name))
    served(kind, name, it)
    if key in STATE["objects"]:
        raise Refusal(409, f"The resource '{name}' already exists", reason="alreadyExists")
    it["_creating"] = True
    STATE["objects"][key] = {k: value for k, value in it.items() if value is not None}

    def done():
        STATE["objects"][key].pop("_creating", None)
        return None

    return compute_op(name, "insert", done)


@route("compute.googleapis.com", "GET", THING)
def get_things(query, body, name, kind):
    it = find("compute/" + name, f"The resource '{name}' was not found")
    return {key: value for key, value in it.items() if not key.startswith("_")}


def served(kind, name, it):
    """Adds what the real service adds, and refuses what it refuses."""
    if kind == "networks":
        it.setdefault("routingConfig", {}).setdefault("routingMode", "REGIONAL")
        it["routingConfig"].setdefault("bgpBestPathSelectionMode", "LEGACY")
        it["selfLinkWithId"] = link(name.rsplit("/", 1)[0] + "/" + it["id"])
        it.setdefault("networkFirewallPolicyEnforcementOrder", "AFTER_CLASSIC_FIREWALL")
    if kind == "subnetworks":
        net = ipaddress.ip_network(it["ipCidrRange"])
        require(net.prefixlen <= 29 and net.is_private, "ipCidrRange")
        for k, each in STATE["objects"].items():
            if "/subnetworks/" in k and each.get("network") == it["network"]:
                require(
                    not ipaddress.ip_network(each["ipCidrRange"]).overlaps(net),
                    f"Invalid IPCidrRange: {net} conflicts with existing subnetwork '{each['name']}'",
                )
        it.update(
            gatewayAddress=str(net[1]),
            fingerprint=etag(),
            purpose=it.get("purpose", "PRIVATE"),
            privateIpv6GoogleAccess="DISABLE_GOOGLE_ACCESS",
            stackType=it.get("stackType", "IPV4_ONLY"),
            state="READY",
        )
        it.setdefault("privateIpGoogleAccess", False)
        it.setdefault("enableFlowLogs", False)
        it.setdefault("allowSubnetCidrRoutesOverlap", False)
    if kind == "firewalls":
        require(it.get("allowed") or it.get("denied"), "Firewall must have allowed or denied")
        it.setdefault("direction", "INGRESS")
        it.setdefault("priority", 1000)
        it.setdefault("disabled", False)
        it.setdefault("logConfig", {"enable": False})
        if (
            it["direction"] == "INGRESS"
            and (not it.get("sourceRanges"))
            and (not it.get("sourceTags"))
            and (not it.get("sourceServiceAccounts"))
        ):
            it["sourceRanges"] = ["0.0.0.0/0"]
            note("NO SOURCE RANGES: open to 0.0.0.0/0")
    if kind == "routers":
        it.setdefault("encryptedInterconnectRouter", False)
    if kind == "resourcePolicies":
        it["status"] = "READY"


@route("compute.googleapis.com", "PATCH", THING)
def patch_things(query, body, name, kind):
    it = find("compute/" + name)
    for key, value in body.items():
        if key in ("network",):
            continue
        it[key] = copy.deepcopy(value)
    for each in it.get("nats", []) or []:
        each.setdefault("autoNetworkTier", "PREMIUM")
        each.setdefault("effectiveTcpTimeWaitTimeoutSec", 120)
        each.setdefault("type", "PUBLIC")
        each.setdefault("endpointTypes", ["ENDPOINT_TYPE_VM"])
        each.setdefault("enableEndpointIndependentMapping", False)
    if "fingerprint" in it:
        it["fingerprint"] = etag()
    return compute_op(name, "patch", lambda: None)


@route("compute.googleapis.com", "PUT", THING)
def put_things(query, body, name, kind):
    it = find("compute/" + name)
    it.update(copy.deepcopy(body))
    return compute_op(name, "update", lambda: None)


@route("compute.googleapis.com", "POST", THING + "/(setPrivateIpGoogleAccess|expandIpCidrRange)")
def post_thing(query, body, name, kind, verb):
    it = find("compute/" + name)
    it.update(body)
    return compute_op(name, verb, lambda: None)


@route("compute.googleapis.com", "DELETE", THING)
def delete_things(query, body, name, kind):
    find("compute/" + name, f"The resource '{name}' was not found")
    if kind == "networks":
        for key, each in STATE["objects"].items():
            if key.startswith("compute/") and each.get("network") == link(name):
                raise Refusal(
                    400,
                    f"The network resource '{name}' is already being used by '{key[8:]}'",
                    reason="resourceInUseByAnotherResource",
                )
    for key, each in STATE["objects"].items():
        if key.startswith("machine/") and name in each["uses"]:
            raise Refusal(
                400,
                f"The {kind[:-1]} resource '{name}' is already being used by '{key[8:]}'",
                reason="resourceInUseByAnotherResource",
            )

    def done():
        STATE["objects"].pop("compute/" + name, None)
        return None

    return compute_op(name, "delete", done)
