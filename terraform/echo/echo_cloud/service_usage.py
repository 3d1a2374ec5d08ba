"""APIs that are turned on, and operations of every service."""

import uuid

from .apis import AGENTS, agent, enable
from .operations import operation, poll
from .routes import note, route
from .settings import NUMBER
from .state import STATE, now, require


@route("serviceusage.googleapis.com", "GET", "v1/projects/([^/]+)/services")
def get_services(query, body, project):
    return {
        "services": [
            {
                "name": f"projects/{NUMBER}/services/{name}",
                "parent": f"projects/{NUMBER}",
                "config": {"name": name},
                "state": "ENABLED",
            }
            for name in sorted(STATE["apis"])
        ]
    }


@route("serviceusage.googleapis.com", "GET", "v1/projects/([^/]+)/services/([^/:]+)")
def get_services_2(query, body, project, service):
    return {
        "name": f"projects/{NUMBER}/services/{service}",
        "config": {"name": service},
        "state": "ENABLED" if service in STATE["apis"] else "DISABLED",
    }


def enable_all(ids):

    def done():
        for service in ids:
            enable(service)
        return {"services": [{"name": f"projects/{NUMBER}/services/{service}", "state": "ENABLED"} for service in ids]}

    return operation("operations/acf.p2-" + str(uuid.uuid4()), done)


@route("serviceusage.googleapis.com", "POST", "v1/projects/([^/]+)/services:batchEnable")
def post_services_batch_enable(query, body, project):
    require(len(body["serviceIds"]) <= 20, "at most 20 services")
    note(body["serviceIds"])
    return enable_all(body["serviceIds"])


@route("serviceusage.googleapis.com", "POST", "v1/projects/([^/]+)/services/([^/:]+):enable")
def post_services_enable(query, body, project, service):
    note([service])
    return enable_all([service])


@route("serviceusage.googleapis.com", "POST", "v1(?:beta1)?/projects/([^/]+)/services/([^/:]+):generateServiceIdentity")
def post_services_generate_service_identity(query, body, project, service):
    """At once, and without the role that an account has which Google makes by itself."""
    email = agent(AGENTS[service])
    STATE["agents"][email] = min(now(), STATE["agents"].get(email, now()))
    return {"name": "operations/x", "done": True, "response": {"email": email, "uniqueId": "1"}}


@route("*", "GET", r"v\w+/(operations/.+)")
def get_operation(query, body, name):
    return poll(name)


@route("*", "GET", r"v\w+/(projects/[^/]+/(?:locations|databases)/[^/]+/operations/.+)")
def get_operation_of_place(query, body, name):
    return poll(name)
