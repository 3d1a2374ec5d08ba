"""What is there before: buckets, secrets, channels and accounts that the deployment does not make."""

from .apis import enable
from .state import STATE, etag


def seed(wanted):
    """Puts in what the document names; `forget` takes out what has that key."""
    objects = STATE["objects"]
    for name in wanted.get("buckets", []):
        objects["storage/" + name] = bucket(name, uniform=True)
        STATE["policies"]["storage/" + name] = {"version": 1, "bindings": [], "etag": etag()}
    for name in wanted.get("plain_buckets", []):
        objects["storage/" + name] = bucket(name, uniform=False)
    for name in wanted.get("secrets", []):
        objects["secret/" + name] = {"name": name}
    for name in wanted.get("channels", []):
        objects["channel/" + name] = {"name": name}
    for email in wanted.get("accounts", []):
        project = email.split("@")[1].split(".")[0]
        objects["iam/sa/" + email] = {
            "email": email,
            "name": f"projects/-/serviceAccounts/{email}",
            "uniqueId": "9",
            "projectId": project,
        }
    for host in wanted.get("apis", []):
        enable(host, at=-1e6)
    objects.update(wanted.get("objects", {}))
    for key in wanted.get("forget", []):
        objects.pop(key, None)


def bucket(name, uniform):
    access = {"uniformBucketLevelAccess": {"enabled": uniform}}
    return {
        "name": name,
        "id": name,
        "location": "US-CENTRAL2",
        "iamConfiguration": access,
        "metageneration": "1",
        "labels": {},
    }
