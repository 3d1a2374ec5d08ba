"""Long-running operations: done when they were asked about often enough, and long enough ago."""

import re
import threading

from .settings import SETTINGS
from .state import Refusal, now

OPERATIONS = {}
KIND = threading.local()  # of the call that is served
KINDS = [
    ("function", r"/functions"),
    ("database", r"/databases(\?|$)"),
    ("index", r"/indexes"),
    ("field", r"/fields/"),
    ("repository", r"/repositories"),
    ("volume", r"/instances"),
    ("api", r"services:batchEnable|:enable"),
    ("network", r"/networks"),
    ("compute", r"compute/v1"),
]
CODES = {400: 3, 403: 7, 404: 5, 409: 6}  # of HTTP, in gRPC's


def kind_of(path):
    return next((kind for kind, pattern in KINDS if re.search(pattern, path)), "other")


def operation(name, finish, metadata=None, kind="lro", extra=None):
    """Begins one; `finish` does the work when it is done, and its refusal is the operation's error."""
    begun = {
        "name": name,
        "polls": 0,
        "finish": finish,
        "metadata": metadata or {},
        "kind": kind,
        "extra": extra or {},
        "ended": None,
        "of": KIND.value,
        "until": now() + SETTINGS.durations.get(KIND.value, 0),
    }
    OPERATIONS[name.split("/")[-1]] = begun
    return shown(begun)


def running(kind):
    """How many of a kind of call have begun and are not done."""
    return sum(1 for it in OPERATIONS.values() if it["of"] == kind and it["ended"] is None)


def poll(name):
    asked = OPERATIONS.get(name.split("/")[-1])
    if asked is None:
        raise Refusal(404, f"Operation {name} not found")
    asked["polls"] += 1
    if asked["ended"] is None and asked["polls"] >= SETTINGS.polls and now() >= asked["until"]:
        try:
            asked["ended"] = ("ok", asked["finish"]())
        except Refusal as refusal:
            asked["ended"] = ("error", refusal)
    return shown(asked)


def shown(asked):
    return shown_by_compute(asked) if asked["kind"] == "compute" else shown_by_others(asked)


def shown_by_compute(asked):
    ended = asked["ended"]
    result = {
        **asked["extra"],
        "kind": "compute#operation",
        "name": asked["name"],
        "id": str(abs(hash(asked["name"])) % 10**18),
        "status": "DONE" if ended else "RUNNING",
        "progress": 100 if ended else 0,
    }
    if ended and ended[0] == "error":
        result["error"] = {"errors": [{"code": ended[1].reason or "ERROR", "message": ended[1].message}]}
    return result


def shown_by_others(asked):
    result = {"name": asked["name"], "metadata": asked["metadata"]}
    if asked["ended"]:
        result["done"] = True
        word, value = asked["ended"]
        if word == "error":
            result["error"] = {"code": CODES.get(value.code, 13), "message": value.message}
        else:
            result["response"] = value
    return result
