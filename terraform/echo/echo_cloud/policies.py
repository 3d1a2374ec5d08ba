"""IAM policies: who may be granted what, and since when a grant holds."""

import copy
import json
import re

from .settings import SETTINGS, listed
from .state import STATE, Refusal, count, etag, now, require

OPERATOR = re.compile(r"&&|\|\||!(?!=)")
CHANGED = {}  # when each policy was changed last


ROLE = re.compile(r"(roles|projects/[^/]+/roles|organizations/[^/]+/roles)/[\w.]+")
MEMBER = re.compile(
    "(user|group|serviceAccount|domain|principal|principalSet|deleted|projectOwner|projectEditor|projectViewer):.+"
    "|all(Authenticated)?Users"
)
AGENT = re.compile("@(gcp-sa-|gcf-admin-robot|serverless-robot|compute-system|cloud-tpu|cloud-filer)")


def outside_strings(expression):
    return re.sub(r'"(?:[^"\\]|\\.)*"', '""', expression)


def check_role(role):
    require(ROLE.fullmatch(role), f"Role {role} is not supported for this resource.")
    if role.startswith("projects/"):
        own = STATE["objects"].get("iam/" + role)
        require(own is not None and not own.get("deleted"), f"Role ({role}) does not exist in the resource's hierarchy.")


def check_condition(role, condition):
    title, text = condition.get("title"), outside_strings(condition["expression"])
    operators = len(OPERATOR.findall(text))
    require(title, "Condition title is required")
    require(len(title) <= 100, "Condition title is longer than 100")
    require(len(condition.get("description", "")) <= 256, "Condition description is longer than 256")
    require(
        operators <= 12,
        f"LOGICAL_OPERATORS: condition '{title}' of {role} has {operators} logical operators, 12 are allowed",
    )
    require(text.count("(") == text.count(")"), "Expression does not parse")
    require(role not in ("roles/owner", "roles/editor", "roles/viewer"), "Conditions can't be set on basic roles")


def check_member(member):
    require(MEMBER.fullmatch(member), f'Policy members must be of the form "<type>:<value>": {member}')
    if member.startswith("serviceAccount:"):
        email = member.split(":", 1)[1]
        there = now() >= STATE["agents"].get(email, float("inf"))
        if not AGENT.search(email):
            account = STATE["objects"].get("iam/sa/" + email)
            there = not email.endswith(".iam.gserviceaccount.com") or (
                account is not None and now() >= account.get("_at", float("-inf")) + SETTINGS.account_delay
            )
        require(there, f"Service account {email} does not exist.")
    elif member.startswith(("user:", "group:", "domain:")) and SETTINGS.customer:
        domain = member.split(":", 1)[1].split("@")[-1]
        if domain not in listed("customer"):
            raise Refusal(
                400,
                "One or more users named in the policy do not belong to a permitted customer,  perhaps due to an organization"
                " policy.",
                "FAILED_PRECONDITION",
            )


def check_policy(policy):
    """True if a binding has a condition."""
    conditions = {}
    for binding in policy.get("bindings", []):
        role, condition = binding["role"], binding.get("condition")
        check_role(role)
        if condition:
            check_condition(role, condition)
        for member in binding["members"]:
            check_member(member)
            conditions.setdefault((role, member), []).append(condition)
    for (role, member), found in conditions.items():
        require(len(found) <= 20, f"More than 20 bindings of {role} to {member} with different conditions")
    members = sum(map(len, conditions.values()))
    require(members <= 1500, "The number of members in the policy is larger than the maximum allowed size 1,500")
    conditional = any(it is not None for found in conditions.values() for it in found)
    require(not conditional or policy.get("version") == 3, "Policy with conditions must have version 3")
    return conditional


def policy_of(key):
    """A copy; an empty policy for a thing without grants."""
    policy = STATE["policies"].setdefault(key, {"version": 1, "bindings": [], "etag": etag()})
    return copy.deepcopy(policy)


def set_policy(key, body):
    """The new policy, and a line for each grant that came or went."""
    want = body.get("policy", body)
    have = STATE["policies"].setdefault(key, {"version": 1, "bindings": [], "etag": etag()})
    if now() < CHANGED.get(key, float("-inf")) + 10 and count("conflict " + key) <= SETTINGS.conflicts:
        have["etag"] = etag()
    if want.get("etag") and want["etag"] != have["etag"]:
        raise Refusal(
            409,
            "There were concurrent policy changes. Please retry the whole read-modify-write with exponential backoff.",
            "ABORTED",
        )
    require(
        not any("condition" in binding for binding in have["bindings"]) or want.get("etag"),
        "etag must be given when the policy has conditions",
    )
    conditional = check_policy(want)
    before, after = flat(have), flat(want)
    for grant in after - before:
        STATE["grants"][json.dumps([key, *grant])] = now()
    for grant in before - after:
        STATE["grants"].pop(json.dumps([key, *grant]), None)
    bindings = [binding for binding in copy.deepcopy(want.get("bindings", [])) if binding["members"]]
    CHANGED[key] = now()
    STATE["policies"][key] = {"version": 3 if conditional else 1, "bindings": bindings, "etag": etag()}
    noted = [word("+", it) for it in sorted(after - before)] + [word("-", it) for it in sorted(before - after)]
    return copy.deepcopy(STATE["policies"][key]), noted


def flat(policy):
    """Grants as (role, member, condition as JSON)."""
    return {
        (binding["role"], member, json.dumps(binding.get("condition"), sort_keys=True))
        for binding in policy.get("bindings", [])
        for member in binding["members"]
    }


def word(sign, grant):
    role, member, condition = grant
    title = "" if condition == "null" else " if " + json.loads(condition)["title"]
    return f"{sign} {role} {member}{title}"


def grant_time(key, role, member):
    """When a grant becomes effective; infinity without one."""
    grants = ((json.loads(grant), at) for grant, at in STATE["grants"].items())
    times = [at for (place, held, who, _), at in grants if (place, held, who) == (key, role, member)]
    return min(times) + SETTINGS.grant_delay if times else float("inf")


def granted_by_google(key, role, member, at):
    """A binding that Google makes itself, in effect from a time on."""
    policy = STATE["policies"].setdefault(key, {"version": 1, "bindings": [], "etag": etag()})
    if (role, member, "null") not in flat(policy):
        policy["bindings"].append({"role": role, "members": [member]})
        policy["etag"] = etag()
    STATE["grants"].setdefault(json.dumps([key, role, member, "null"]), at - SETTINGS.grant_delay)


def forget_account(email, uid):
    for policy in STATE["policies"].values():
        for binding in policy["bindings"]:
            binding["members"] = [
                f"deleted:serviceAccount:{email}?uid={uid}" if member == "serviceAccount:" + email else member
                for member in binding["members"]
            ]
