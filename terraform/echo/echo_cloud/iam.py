"""Service accounts and custom roles."""

import re

from .policies import forget_account, policy_of, set_policy
from .routes import note, route
from .state import STATE, Refusal, add, count, drop_zero, etag, find, mask, merge, now, require

ACCOUNT = "v1/projects/([^/]+)/serviceAccounts/([^/:]+)"


@route("iam.googleapis.com", "POST", "v1/projects/([^/]+)/serviceAccounts")
def post_service_accounts(query, body, project):
    a = body["accountId"]
    require(re.match("^[a-z]([-a-z0-9]{4,28}[a-z0-9])$", a), f"accountId {a}")
    account = body.get("serviceAccount", {})
    require(
        len(account.get("displayName", "").encode()) <= 100 and len(account.get("description", "").encode()) <= 256,
        "displayName or description too long",
    )
    email = f"{a}@{project}.iam.gserviceaccount.com"
    uid = str(100000000000000000000 + count("uid"))
    return add(
        "iam/sa/" + email,
        drop_zero(
            {
                "name": f"projects/{project}/serviceAccounts/{email}",
                "projectId": project,
                "uniqueId": uid,
                "email": email,
                "displayName": account.get("displayName", ""),
                "description": account.get("description", ""),
                "etag": etag(),
                "oauth2ClientId": uid,
                "_at": now(),
            }
        ),
        f"Service account {a} already exists within project projects/{project}.",
    )


@route("iam.googleapis.com", "GET", ACCOUNT)
def get_service_accounts(query, body, project, email):
    return find("iam/sa/" + email, "Unknown service account")


@route("iam.googleapis.com", "PATCH", ACCOUNT)
def patch_service_accounts(query, body, project, email):
    it = find("iam/sa/" + email)
    merge(it, body["serviceAccount"], mask({"updateMask": body.get("updateMask", "")}, body))
    return it


@route("iam.googleapis.com", "DELETE", ACCOUNT)
def delete_service_accounts(query, body, project, email):
    it = find("iam/sa/" + email, "Unknown service account")
    forget_account(email, it["uniqueId"])
    del STATE["objects"]["iam/sa/" + email]
    return {}


@route("iam.googleapis.com", "POST", ACCOUNT + ":getIamPolicy")
def post_service_accounts_get_iam_policy(query, body, project, email):
    find("iam/sa/" + email)
    return policy_of("iam/sa/" + email)


@route("iam.googleapis.com", "GET", ACCOUNT + ":getIamPolicy")
def get_service_accounts_get_iam_policy(query, body, project, email):
    find("iam/sa/" + email)
    return policy_of("iam/sa/" + email)


@route("iam.googleapis.com", "POST", ACCOUNT + ":setIamPolicy")
def post_service_accounts_set_iam_policy(query, body, project, email):
    find("iam/sa/" + email)
    role, noted = set_policy("iam/sa/" + email, body)
    note(noted)
    return role


ROLE = "v1/(projects/[^/]+/roles/[^/:]+)"


def role_rules(role):
    require(len(role.get("title", "").encode()) <= 100, "title is longer than 100 bytes")
    require(len(role.get("description", "").encode()) <= 300, "description is longer than 300 bytes")
    perms = role.get("includedPermissions", [])
    require(len(perms) <= 3000, "more than 3000 permissions")
    for permission in perms:
        require(re.match(r"^[a-z]\w*\.\w+\.\w+$", permission), f"Permission {permission} is not valid.")


@route("iam.googleapis.com", "POST", "v1/projects/([^/]+)/roles")
def post_roles(query, body, project):
    role_id = body["roleId"]
    require(re.match("^[a-zA-Z0-9_.]{3,64}$", role_id), f"role id {role_id}")
    role = dict(body.get("role", {}))
    role_rules(role)
    key = f"iam/projects/{project}/roles/{role_id}"
    if STATE["objects"].get(key, {}).get("deleted"):
        raise Refusal(
            400,
            f"You can't create a role with role_id ({role_id}) where there is an existing role with that role_id in a deleted state.",
            "FAILED_PRECONDITION",
        )
    return add(
        key,
        dict(role, name=f"projects/{project}/roles/{role_id}", etag=etag()),
        f"A role named {role_id} in projects/{project} already exists.",
    )


@route("iam.googleapis.com", "GET", ROLE)
def get_roles(query, body, name):
    return find("iam/" + name, f"The role named {name} was not found.")


@route("iam.googleapis.com", "PATCH", ROLE)
def patch_roles(query, body, name):
    it = find("iam/" + name)
    require(not it.get("deleted"), "the role is deleted")
    merge(it, {key: value for key, value in body.items() if key != "name"}, mask(query, body))
    role_rules(it)
    return it


@route("iam.googleapis.com", "DELETE", ROLE)
def delete_roles(query, body, name):
    it = find("iam/" + name)
    it["deleted"] = True
    for project in STATE["policies"].values():
        if any(permission["role"] == name for permission in project["bindings"]):
            note("role deleted while bound")
    return it


@route("iam.googleapis.com", "POST", ROLE + ":undelete")
def post_roles_undelete(query, body, name):
    it = find("iam/" + name)
    it.pop("deleted", None)
    note("undeleted")
    return it
