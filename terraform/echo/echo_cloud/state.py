"""What this cloud has, and the words in which it says no."""

import base64
import copy
import re
import threading
import time
import uuid

START = time.time()
LOCK = threading.RLock()  # held for the whole of a call
STATE = {"objects": {}, "policies": {}, "apis": {}, "agents": {}, "counters": {}, "grants": {}, "tombs": {}}


def now():
    """Seconds since this process began."""
    return time.time() - START


def stamp():
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + f".{int(time.time() % 1 * 1e6):06d}Z"


def etag():
    """Bytes in base64, of letters that both of its alphabets have: gcloud writes the other one."""
    return base64.b64encode(uuid.uuid4().hex[:6].encode()).decode()


def count(name, first=1):
    STATE["counters"][name] = STATE["counters"].get(name, first - 1) + 1
    return STATE["counters"][name]


class Refusal(Exception):
    """An answer that is an error, as Google words it."""

    WORDS = {
        400: "INVALID_ARGUMENT",
        403: "PERMISSION_DENIED",
        404: "NOT_FOUND",
        409: "ALREADY_EXISTS",
        412: "FAILED_PRECONDITION",
    }

    def __init__(self, code, message, status=None, details=None, reason=None):
        super().__init__(message)
        self.code, self.message, self.details, self.reason = code, message, details, reason
        self.status = status or self.WORDS.get(code, "UNKNOWN")

    def body(self):
        error = {"code": self.code, "message": self.message, "status": self.status}
        if self.details:
            error["details"] = self.details
        if self.reason:
            error["errors"] = [{"domain": "global", "message": self.message, "reason": self.reason}]
        return {"error": error}


def require(condition, message, code=400):
    if not condition:
        raise Refusal(code, message)


def find(key, message=None):
    if key not in STATE["objects"]:
        raise Refusal(404, message or f"Resource '{key}' was not found", reason="notFound")
    return STATE["objects"][key]


def add(key, value, message=None):
    if key in STATE["objects"]:
        raise Refusal(409, message or f"Resource '{key}' already exists", reason="alreadyExists")
    STATE["objects"][key] = value
    return value


def mask(query, body):
    """The fields that a call names; none where it names no mask."""
    named = query.get("updateMask")
    return [it for it in named.split(",") if it] if named is not None else None


def snake_to_camel(text):
    return re.sub(r"_([a-z])", lambda it: it.group(1).upper(), text)


def merge(value, body, fields):
    """Sets the fields of the mask; a field of the mask that the body lacks is cleared."""
    for name in fields if fields is not None else list(body):
        head, _, tail = snake_to_camel(name).partition(".")
        if tail:
            if isinstance(body.get(head), dict):
                value.setdefault(head, {})
                merge(value[head], body[head], [tail])
            elif head in value:
                merge(value[head], {}, [tail])
        elif head in body:
            value[head] = copy.deepcopy(body[head])
        else:
            value.pop(head, None)


MAPS = ("environmentVariables", "labels", "userLabels", "attributes")  # entries of a map stay, whatever their value


def is_zero(value):
    return value is None or value is False or value == "" or value == [] or (type(value) in (int, float) and value == 0)


def drop_zero(value):
    """As proto3 JSON leaves out what is zero, empty or false."""
    if isinstance(value, dict):
        inner = {key: it if key in MAPS else drop_zero(it) for key, it in value.items()}
        return {key: it for key, it in inner.items() if not is_zero(it)}
    if isinstance(value, list):
        return [drop_zero(it) for it in value]
    return value


def labels(value, field="labels"):
    given = value.get(field) or {}
    require(len(given) <= 64, "too many labels")
    for key, text in given.items():
        require(
            re.fullmatch(r"[a-z][a-z0-9_-]{0,62}", key) and re.fullmatch(r"[a-z0-9_-]{0,63}", text),
            f"Invalid label {key}={text}",
        )
