"""Uploads of objects: in one request, or resumable."""

import json
import re
import uuid

from .storage import bucket, store

UPLOADS = {}


def upload(path, query, headers, raw):
    """Status, body and headers of the answer."""
    if query.get("upload_id"):
        return resumed(query["upload_id"], headers, raw)
    name = re.match(r"upload/storage/v1/b/([^/]+)/o", path).group(1)
    bucket(name)
    if query["uploadType"] == "resumable":
        return begun(name, query, headers, raw)
    boundary = re.search(r'boundary="?([^";]+)', headers["Content-Type"]).group(1).encode()
    (_, told), (heads, data) = (it.lstrip(b"\r\n").split(b"\r\n\r\n", 1) for it in raw.split(b"--" + boundary)[1:3])
    meta = json.loads(told)
    content_type = re.search(rb"Content-Type: ([^\r\n]+)", heads, re.I)
    if content_type:
        meta.setdefault("contentType", content_type.group(1).decode())
    return 200, store(name, query.get("name") or meta["name"], data[:-2], meta), []


def begun(name, query, headers, raw):
    meta = json.loads(raw or b"{}")
    meta["contentType"] = headers.get("X-Upload-Content-Type") or meta.get("contentType")
    key = uuid.uuid4().hex
    UPLOADS[key] = (name, query.get("name") or meta["name"], meta)
    place = f"http://{headers['Host']}/upload/storage/v1/b/{name}/o?uploadType=resumable&upload_id={key}"
    return 200, {}, [("Location", place), ("X-Guploader-Uploadid", key)]


def resumed(key, headers, raw):
    name, item, meta = UPLOADS[key]
    meta["data"] = meta.get("data", b"") + raw
    part = re.match(r"bytes (?:(\d+)-(\d+)|\*)/(\d+|\*)", headers.get("Content-Range", ""))
    if part and (part.group(3) == "*" or (part.group(2) and int(part.group(2)) + 1 < int(part.group(3)))):
        return 308, {}, [("Range", f"bytes=0-{len(meta['data']) - 1}"), ("X-Http-Status-Code-Override", "308")]
    return 200, store(name, item, meta.pop("data"), meta), []
