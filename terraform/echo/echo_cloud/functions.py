"""Cloud Functions of the second generation, with the Cloud Run service and the Eventarc trigger behind each."""

import copy
import re
import uuid

from .apis import AGENTS, ROLES, agent, make_agent
from .operations import operation
from .policies import grant_time, policy_of, set_policy
from .routes import note, route
from .settings import NUMBER, SETTINGS
from .state import STATE, Refusal, count, drop_zero, find, labels, mask, merge, now, require, stamp
from .storage import live

FUNCTION = "v2/(projects/([^/]+)/locations/([^/]+)/functions/([^/:]+))"


def function_rules(project, location, it):
    require(re.match("^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$", it["name"].split("/")[-1]), "function name")
    labels(it)
    build_config, service_config = (it["buildConfig"], it.get("serviceConfig", {}))
    source = build_config["source"]["storageSource"]
    if live(source["bucket"], source["object"]) is None:
        raise Refusal(404, f"Source object {source['bucket']}/{source['object']} not found")
    if build_config.get("dockerRepository"):
        find(
            "artifactregistry/" + build_config["dockerRepository"],
            f"docker repository {build_config['dockerRepository']} does not exist",
        )
    for email in [
        build_config.get("serviceAccount", "").split("/")[-1],
        service_config.get("serviceAccountEmail", ""),
        it.get("eventTrigger", {}).get("serviceAccountEmail", ""),
    ]:
        if email:
            require("iam/sa/" + email in STATE["objects"], f"Service account {email} does not exist")
    require(
        not service_config.get("maxInstanceRequestConcurrency", 1) > 1 or float(service_config.get("availableCpu", "0.1")) >= 1,
        "concurrency above 1 needs at least 1 vCPU",
    )
    require(service_config.get("maxInstanceRequestConcurrency", 1) <= 1000, "concurrency above 1000")
    if "eventTrigger" in it:
        require(service_config.get("timeoutSeconds", 60) <= 540, "timeout of event-driven functions is at most 540 s")
        find("pubsub/" + it["eventTrigger"]["pubsubTopic"], "topic does not exist")
    for key in service_config.get("environmentVariables", {}):
        require(re.match(r"^[A-Za-z_]\w*$", key) and (not key.startswith("X_GOOGLE_")), f"environment variable {key}")


def deploy(project, location, name, at):
    """What the platform does after the call: a build, a service, a trigger. Times are those of the real order."""
    it = STATE["objects"]["functions/" + name]
    sa = "serviceAccount:" + it["buildConfig"].get("serviceAccount", "").split("/")[-1]
    repo = "artifactregistry/" + it["buildConfig"].get("dockerRepository", "")
    missing = []
    for key, role in [
        ("project/" + project, "roles/logging.logWriter"),
        (repo, "roles/artifactregistry.writer"),
        ("project/" + project, "roles/storage.objectViewer"),
    ]:
        effective = grant_time(key, role, sa)
        if effective > at + SETTINGS.build_at:
            missing.append(f"{role} (effective {effective - at - SETTINGS.build_at:.0f} s after the build began)")
    if missing:
        it["state"] = "FAILED"
        raise Refusal(
            400,
            "Build failed with status: FAILURE. Could not build the function due to a missing permission on the build service account. If you didn't revoke that permission explicitly, this could be caused by a change in the organization policies. [echo: "
            + "; ".join(missing)
            + "]",
        )
    n = name.split("/")[-1]
    STATE["objects"]["run/" + name.replace("/functions/", "/services/")] = {"name": name.replace("/functions/", "/services/")}
    if count("revisions", 1) <= SETTINGS.revisions_late:
        it["state"] = "FAILED"
        raise Refusal(
            400,
            f"Could not create or update Cloud Run service {n}, Container Healthcheck failed. Revision '{n}-00001-abc' is not ready"
            " and cannot serve traffic.",
        )
    if "eventTrigger" in it:
        late = eventarc_ready(project) - (at + SETTINGS.trigger_at)
        if late > 0:
            it["state"] = "FAILED"
            raise Refusal(
                400,
                f"""Validation failed for trigger projects/{project}/locations/{location}/triggers/{n}-{count("trigger", 100000)}: Invalid resource state for "": Permission denied while using the Eventarc Service Agent. If you recently started to use Eventarc, it may take a few minutes before all necessary permissions are propagated to the Service Agent. Otherwise, verify that it has Eventarc Service Agent role. [echo: ready {late:.0f} s later]""",
            )
        it["eventTrigger"].setdefault(
            "trigger", f"projects/{project}/locations/{location}/triggers/{n}-{count('trigger', 100000)}"
        )
    it["state"] = "ACTIVE"
    it["updateTime"] = stamp()
    return dict(it)


def eventarc_ready(project):
    """When Eventarc's own account is there with its role. The first trigger in a project makes both, and comes too early."""
    host = "eventarc.googleapis.com"
    email = agent(AGENTS[host])
    if email not in STATE["agents"]:
        make_agent(host, now() + SETTINGS.agent_delay)
    return max(STATE["agents"][email], grant_time("project/" + project, ROLES[host], "serviceAccount:" + email))


def served(project, location, name, it):
    service_config, build_config = (it.setdefault("serviceConfig", {}), it["buildConfig"])
    service_config.update(
        service=f"projects/{project}/locations/{location}/services/{name}",
        uri=f"https://{name}-abcdefghij-uc.a.run.app",
        revision=f"{name}-{count('revision ' + name):05d}-abc",
    )
    service_config.setdefault("environmentVariables", {}).setdefault("LOG_EXECUTION_ID", "true")
    service_config.setdefault("ingressSettings", "ALLOW_ALL")
    service_config.setdefault("timeoutSeconds", 60)
    service_config.setdefault("availableMemory", "256M")
    service_config.setdefault("availableCpu", "0.1666")
    service_config.setdefault("maxInstanceCount", 100)
    service_config.setdefault("maxInstanceRequestConcurrency", 1)
    build_config.update(
        build=f"projects/{NUMBER}/locations/{location}/builds/{uuid.uuid4()}", dockerRegistry="ARTIFACT_REGISTRY"
    )
    source = build_config["source"]["storageSource"]
    source["generation"] = live(source["bucket"], source["object"])["generation"]
    build_config["sourceProvenance"] = {"resolvedStorageSource": dict(source)}
    if "onDeployUpdatePolicy" not in build_config:
        build_config["automaticUpdatePolicy"] = {}


@route("cloudfunctions.googleapis.com", "POST", "v2/projects/([^/]+)/locations/([^/]+)/functions")
def post_functions(query, body, project, location):
    short = query["functionId"]
    name = f"projects/{project}/locations/{location}/functions/{short}"
    if "functions/" + name in STATE["objects"]:
        raise Refusal(
            409,
            f"Could not create Cloud Run service {short}. A Cloud Run service with this name already exists. Please redeploy the function with a different name.",
        )
    it = copy.deepcopy(body)
    it["name"] = name
    function_rules(project, location, it)
    served(project, location, short, it)
    it.update(
        environment="GEN_2",
        state="DEPLOYING",
        createTime=stamp(),
        updateTime=stamp(),
        url=f"https://{location}-{project}.cloudfunctions.net/{short}",
        satisfiesPzi=True,
    )
    STATE["objects"]["functions/" + name] = drop_zero(it)
    STATE["objects"]["functions/" + name]["buildConfig"].setdefault("automaticUpdatePolicy", {})
    at = now()
    return operation(
        f"projects/{project}/locations/{location}/operations/operation-{uuid.uuid4()}",
        lambda: deploy(project, location, name, at),
    )


@route("cloudfunctions.googleapis.com", "GET", FUNCTION)
def get_functions(query, body, name, project, location, short):
    return find("functions/" + name, f"Resource '{name}' was not found")


@route("cloudfunctions.googleapis.com", "PATCH", FUNCTION)
def patch_functions(query, body, name, project, location, short):
    it = find("functions/" + name)
    keep = it.get("eventTrigger", {}).get("trigger")
    merge(it, body, mask(query, body))
    note(query.get("updateMask"))
    function_rules(project, location, it)
    served(project, location, short, it)
    if keep and "eventTrigger" in it:
        it["eventTrigger"]["trigger"] = keep
    it["state"] = "DEPLOYING"
    fresh = drop_zero(it)
    fresh["buildConfig"].setdefault("automaticUpdatePolicy", {})
    STATE["objects"]["functions/" + name] = fresh
    at = now()
    return operation(
        f"projects/{project}/locations/{location}/operations/operation-{uuid.uuid4()}",
        lambda: deploy(project, location, name, at),
    )


@route("cloudfunctions.googleapis.com", "DELETE", FUNCTION)
def delete_functions(query, body, name, project, location, short):
    find("functions/" + name)

    def done():
        STATE["objects"].pop("functions/" + name, None)
        key = "run/" + name.replace("/functions/", "/services/")
        STATE["objects"].pop(key, None)
        STATE["policies"].pop(key, None)
        return {}

    return operation(f"projects/{project}/locations/{location}/operations/operation-{uuid.uuid4()}", done)


RUN = "v2/(projects/[^/]+/locations/[^/]+/services/[^/:]+)"


@route("run.googleapis.com", "GET", RUN + ":getIamPolicy")
def get_services_get_iam_policy(query, body, name):
    find("run/" + name, f"Resource '{name.split('/')[-1]}' of kind 'SERVICE' does not exist")
    return policy_of("run/" + name)


@route("run.googleapis.com", "POST", RUN + ":setIamPolicy")
def post_services_set_iam_policy(query, body, name):
    find("run/" + name, f"Resource '{name.split('/')[-1]}' of kind 'SERVICE' does not exist")
    result, noted = set_policy("run/" + name, body)
    note(noted)
    return result
