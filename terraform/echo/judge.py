#!/usr/bin/env python3
"""Reads the echo cloud's log of requests, from one mark to the next, and says what should not have happened.

usage: judge.py LOG PHASE MARK

PHASE is what was done: `first` (an apply in a new project), `grown` (a cluster more), `changed` (a condition changed),
`deployed` (another archive), `busy` (a destroy while a machine lives), `ended` (a destroy) or `again` (an apply after one). Exit status 1 with a line a fault.
"""

import json
import sys

# What the provider itself tries again.
REPEATED = ("There were concurrent policy changes", "Please retry, underlying data changed")
SETTLED = 29  # seconds between a grant and the call that needs it, of the 30 that the cloud wants
BUILD = "serviceAccount:mayfly-build@"
NEEDED = ["roles/logging.logWriter", "roles/artifactregistry.writer", "roles/storage.objectViewer"]


def read(path, mark):
    """Lines after the mark, up to the next one."""
    lines, taken = [], False
    with open(path, encoding="utf-8") as file:
        for line in map(json.loads, file):
            if "mark" in line:
                taken = line["mark"] == mark
            elif taken:
                lines.append(line)
    return lines


def told(line):
    return (
        f"{line['t']} {line['method']} {line['host']}/{line['path']}: {line['status']} {line.get('error', '')[:200]}".rstrip()
    )


def refusals(lines):
    """A 404 to a GET is how the provider learns that something is not there yet; nothing else may be refused.

    But for what the provider tries again, and for one thing: a reader of a project is told its billing account too, where that API is on. The provider goes on
    without it.
    """
    for line in lines:
        looked = line["method"] == "GET" and (line["status"] == 404 or line["path"].endswith("/billingInfo"))
        again = line["status"] == 409 and line.get("error", "").startswith(REPEATED)
        if line["status"] >= 400 and not looked and not again:
            yield "refused: " + told(line)


def open_rules(lines):
    for line in lines:
        if "NO SOURCE RANGES" in str(line.get("note", "")):
            yield "open to every address: " + told(line)


def rights(lines):
    """Changes of policies as (time, sign, role, member, place), in their order."""
    for line in lines:
        if line["status"] == 200 and isinstance(line.get("note"), list):
            for word in line["note"]:
                if word[:2] in ("+ ", "- "):
                    role, member = word[2:].split(" ")[:2]
                    yield line["t"], word[0], role, member, line["path"]


def too_early(lines):
    """Functions whose build's rights were granted too short a time before."""
    granted = {}
    for at, sign, role, member, _ in rights(lines):
        if sign == "+" and member.startswith(BUILD):
            granted.setdefault(role, at)
    made = [line for line in lines if line["method"] == "POST" and line["path"].endswith("/functions")]
    if not made:
        yield "no function was made"
    for line in made:
        for role in NEEDED:
            if line["t"] - granted.get(role, float("inf")) < SETTLED:
                when = f"{line['t'] - granted[role]:.1f} s before" if role in granted else "never"
                yield f"{line['query']['functionId']}: {role} was granted {when}; {SETTLED} s are wanted"


def removed(lines):
    for at, sign, role, member, place in rights(lines):
        if sign == "-":
            yield f"{at} took {role} from {member} on {place}"


def gaps(lines):
    """A binding that goes before the one that takes its place has come."""
    come, gone = {}, 0
    for at, sign, role, member, place in rights(lines):
        key = (role, member, place)
        if sign == "+":
            come[key] = come.get(key, 0) + 1
        else:
            gone += 1
            if come.get(key, 0) == 0:
                yield f"{at} took {role} from {member} on {place} before it was granted anew"
            else:
                come[key] -= 1
    if gone == 0:
        yield "no binding was replaced, so nothing was seen"


def deletions(lines):
    for line in lines:
        if line["method"] == "DELETE":
            yield "deleted: " + told(line)


def deployments(lines):
    patched = [line for line in lines if line["method"] == "PATCH" and "/functions/" in line["path"]]
    if len(patched) < 7:
        yield f"{len(patched)} functions were deployed again, not 7"


def only_subnets(lines):
    """A destroy begins with the subnets, and where one is in use it takes nothing else away."""
    asked = 0
    for line in lines:
        if line["method"] == "DELETE":
            asked += "/subnetworks/" in line["path"]
            if "/subnetworks/" not in line["path"]:
                yield "deleted while a machine lives: " + told(line)
    if asked == 0:
        yield "no subnet was to be deleted, so nothing was seen"
    for at, sign, role, member, place in rights(lines):
        if sign == "-":
            yield f"{at} took {role} from {member} on {place} while a machine lives"


def kept(lines):
    for line in lines:
        if line["method"] == "DELETE" and (
            line["path"].endswith("/repositories/mayfly") or "/databases/" in line["path"] and "/indexes/" not in line["path"]
        ):
            yield "deleted what is to stay: " + told(line)
        if line["method"] == "PATCH" and "/fields/" in line["path"]:
            yield "changed a field of a database that stays: " + told(line)


PHASES = {
    "first": [too_early],
    "grown": [removed, deletions],
    "changed": [gaps],
    "deployed": [removed, deletions, deployments],
    "busy": [only_subnets],
    "ended": [kept],
    "again": [too_early],
}


def main():
    path, phase, mark = sys.argv[1:]
    lines = read(path, mark)
    if not lines:
        sys.exit(f"judge.py: no request after mark {mark} in {path}")
    # A destroy while a machine lives is to be refused.
    always = [open_rules] if phase == "busy" else [refusals, open_rules]
    found = [fault for rule in [*always, *PHASES[phase]] for fault in rule(lines)]
    for fault in found:
        print(f"{phase}: {fault}")
    print(f"{phase}: {len(lines)} requests, {len(found)} faults")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
