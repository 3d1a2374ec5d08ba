"""Firestore: databases, indexes, and what single fields are exempt from."""

import base64
import re
import uuid

from .operations import operation, running
from .routes import note, route
from .settings import SETTINGS
from .state import STATE, Refusal, add, count, drop_zero, etag, find, mask, merge, now, require, stamp

DATABASE = "v1/(projects/[^/]+/databases/[^/]+)"


@route("firestore.googleapis.com", "POST", "v1/(projects/[^/]+)/databases")
def post_databases(query, body, project):
    short = query["databaseId"]
    name = f"{project}/databases/{short}"
    require(
        short == "(default)"
        or (
            re.match("^[a-z][a-z0-9-]{2,61}[a-z0-9]$", short)
            and (not re.match("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", short))
        ),
        f"invalid database id {short}",
    )
    if "firestore/" + name in STATE["objects"]:
        raise Refusal(409, "Database already exists. Please use another database_id")
    deleted_at = STATE["tombs"].get("firestore/" + name)
    if deleted_at is not None and now() < deleted_at + 300:
        raise Refusal(
            400, f"Database ID '{short}' is not available in project. Please retry in 300 seconds.", "FAILED_PRECONDITION"
        )

    def done():
        it = drop_zero(
            dict(
                body,
                name=name,
                uid=str(uuid.uuid4()),
                createTime=stamp(),
                updateTime=stamp(),
                concurrencyMode=body.get("concurrencyMode", "PESSIMISTIC"),
                appEngineIntegrationMode="DISABLED",
                databaseEdition=body.get("databaseEdition", "STANDARD"),
                versionRetentionPeriod="604800s"
                if body.get("pointInTimeRecoveryEnablement", "").endswith("ENABLED")
                else "3600s",
                earliestVersionTime=stamp(),
                keyPrefix="",
                freeTier=True,
                etag=etag(),
                realtimeUpdatesMode="REALTIME_UPDATES_MODE_ENABLED",
                firestoreDataAccessMode="DATA_ACCESS_MODE_ENABLED",
                mongodbCompatibleDataAccessMode="DATA_ACCESS_MODE_DISABLED",
            )
        )
        return add("firestore/" + name, it)

    return operation(f"{name}/operations/{uuid.uuid4().hex}", done)


@route("firestore.googleapis.com", "GET", DATABASE)
def get_databases(query, body, name):
    return find("firestore/" + name, f"Project '{name.split('/')[1]}' or database '{name.split('/')[-1]}' does not exist.")


@route("firestore.googleapis.com", "PATCH", DATABASE)
def patch_databases(query, body, name):
    it = find("firestore/" + name)
    merge(it, body, mask(query, body))
    return operation(f"{name}/operations/{uuid.uuid4().hex}", lambda: it)


@route("firestore.googleapis.com", "DELETE", DATABASE)
def delete_databases(query, body, name):
    it = find("firestore/" + name)
    require(it.get("deleteProtectionState") != "DELETE_PROTECTION_ENABLED", "Database has delete protection enabled")
    for key in [key for key in STATE["objects"] if key.startswith(("firestore/" + name, "index/" + name, "field/" + name))]:
        del STATE["objects"][key]
    STATE["tombs"]["firestore/" + name] = now()
    return {"name": f"{name}/operations/x", "done": True, "response": {}}


@route("firestore.googleapis.com", "POST", DATABASE + "/collectionGroups/([^/]+)/indexes")
def post_collection_groups_indexes(query, body, database, collection):
    find("firestore/" + database, "database does not exist")
    fs = list(body["fields"])
    require(
        len([path for path in fs if path["fieldPath"] != "__name__"]) >= 2,
        "this index is not necessary, configure using single field index controls",
    )
    for path in fs:
        require(
            re.match(r"^([A-Za-z_]\w*|`[^`]+`)(\.([A-Za-z_]\w*|`[^`]+`))*$", path["fieldPath"]),
            f"Invalid property path {path['fieldPath']}",
        )
    if fs[-1]["fieldPath"] != "__name__":
        fs.append({"fieldPath": "__name__", "order": fs[-1].get("order", "ASCENDING")})
    for key, it in STATE["objects"].items():
        if (
            key.startswith(f"index/{database}/collectionGroups/{collection}/")
            and it["fields"] == fs
            and (it["queryScope"] == body.get("queryScope", "COLLECTION"))
        ):
            raise Refusal(409, "index already exists")
    name = f"{database}/collectionGroups/{collection}/indexes/" + base64.b32encode(uuid.uuid4().bytes[:8]).decode().rstrip("=")
    it = {
        "name": name,
        "queryScope": body.get("queryScope", "COLLECTION"),
        "fields": fs,
        "state": "READY",
        "density": "SPARSE_ALL",
    }
    STATE["objects"]["index/" + name] = dict(it, state="CREATING")

    def done():
        STATE["objects"]["index/" + name]["state"] = "READY"
        return dict(STATE["objects"]["index/" + name])

    return operation(f"{database}/operations/{uuid.uuid4().hex}", done, {"index": name})


@route("firestore.googleapis.com", "GET", DATABASE + "/collectionGroups/([^/]+)/indexes/([^/]+)")
def get_collection_groups_indexes(query, body, database, collection, short):
    return find(f"index/{database}/collectionGroups/{collection}/indexes/{short}", "Requested entity was not found.")


@route("firestore.googleapis.com", "DELETE", DATABASE + "/collectionGroups/([^/]+)/indexes/([^/]+)")
def delete_collection_groups_indexes(query, body, database, collection, short):
    find(f"index/{database}/collectionGroups/{collection}/indexes/{short}")
    del STATE["objects"][f"index/{database}/collectionGroups/{collection}/indexes/{short}"]
    return {}


def field(database, collection, path):
    name = f"{database}/collectionGroups/{collection}/fields/{path}"
    anc = f"{database}/collectionGroups/__default__/fields/*"
    it = STATE["objects"].get("field/" + name)
    if it is None:
        return {
            "name": name,
            "indexConfig": {
                "usesAncestorConfig": True,
                "ancestorField": anc,
                "indexes": [
                    {"queryScope": "COLLECTION", "fields": [{"fieldPath": path, "order": each}], "state": "READY"}
                    for each in ("ASCENDING", "DESCENDING")
                ]
                + [{"queryScope": "COLLECTION", "fields": [{"fieldPath": path, "arrayConfig": "CONTAINS"}], "state": "READY"}],
            },
        }
    result = {
        "name": name,
        "indexConfig": dict({"ancestorField": anc}, **{"indexes": it["indexes"]} if it.get("indexes") else {}),
    }
    if "ttl" in it:
        result["ttlConfig"] = dict(it["ttl"], state="ACTIVE")
    return result


@route("firestore.googleapis.com", "GET", DATABASE + "/collectionGroups/([^/]+)/fields/(.+)")
def get_collection_groups_fields(query, body, database, collection, path):
    find("firestore/" + database, "database does not exist")
    return field(database, collection, path)


def contention(name):
    """Changes of fields get into each other's way; who tries again is told by the words."""
    others = running("field")
    if others >= SETTINGS.fields_at_once:
        raise Refusal(
            409,
            "Aborted due to cross-transaction contention. This occurs when multiple transactions attempt to access the same data,"
            " requiring Firestore to abort at least one in order to enforce serializability.",
            "ABORTED",
        )
    if others and count("field " + name) <= SETTINGS.field_conflicts:
        raise Refusal(409, "Please retry, underlying data changed", "ABORTED")


@route("firestore.googleapis.com", "PATCH", DATABASE + "/collectionGroups/([^/]+)/fields/(.+)")
def patch_collection_groups_fields(query, body, database, collection, path):
    find("firestore/" + database, "database does not exist")
    name = f"{database}/collectionGroups/{collection}/fields/{path}"
    contention(name)
    fields = mask(query, body)
    key = "field/" + name
    it = dict(STATE["objects"].get(key, {}))
    if fields is None or "indexConfig" in fields:
        if "indexConfig" in body:
            it["exempt"] = True
            it["indexes"] = (body["indexConfig"] or {}).get("indexes", [])
        else:
            it.pop("exempt", None)
            it.pop("indexes", None)
    if fields is None or "ttlConfig" in fields:
        if body.get("ttlConfig") is not None:
            it["ttl"] = body["ttlConfig"]
        else:
            it.pop("ttl", None)
    require(
        len([1 for k in STATE["objects"] if k.startswith("field/" + database)]) <= 200,
        "Too many single-field index configurations: at most 200",
        400,
    )

    def done():
        if it.get("exempt") or "ttl" in it:
            STATE["objects"][key] = it
        else:
            STATE["objects"].pop(key, None)
        return field(database, collection, path)

    note("reset" if not (it.get("exempt") or "ttl" in it) else "exempt" + (" ttl" if "ttl" in it else ""))
    return operation(f"{database}/operations/{uuid.uuid4().hex}", done, {"field": name})
