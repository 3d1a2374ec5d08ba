"""Projects, and what is granted on them."""

from .policies import policy_of, set_policy
from .routes import note, route
from .settings import NUMBER
from .state import require


def described(project):
    return {
        "projectNumber": NUMBER,
        "projectId": project,
        "lifecycleState": "ACTIVE",
        "name": project,
        "createTime": "2026-01-01T00:00:00Z",
        "labels": {},
    }


@route("cloudresourcemanager.googleapis.com", "GET", "v1/projects/([^/:]+)")
def get_project(query, body, project):
    return described(project)


@route("cloudresourcemanager.googleapis.com", "GET", "v3/projects/([^/:]+)")
def get_project_2(query, body, project):
    return {"name": f"projects/{NUMBER}", "projectId": project, "state": "ACTIVE"}


@route("cloudresourcemanager.googleapis.com", "POST", "v[13]/projects/([^/:]+):getIamPolicy")
def post_get_iam_policy(query, body, project):
    return policy_of("project/" + project)


@route("cloudresourcemanager.googleapis.com", "POST", "v[13]/projects/([^/:]+):setIamPolicy")
def post_set_iam_policy(query, body, project):
    for each in body["policy"].get("bindings", []):
        require("allUsers" not in each["members"], "allUsers is not allowed on projects")
    result, noted = set_policy("project/" + project, body)
    note(noted)
    return result


@route("cloudbilling.googleapis.com", "GET", "v1/projects/([^/]+)/billingInfo")
def get_billing_info(query, body, project):
    return {
        "name": f"projects/{project}/billingInfo",
        "projectId": project,
        "billingAccountName": "billingAccounts/012345-6789AB-CDEF01",
        "billingEnabled": True,
    }
