#!/usr/bin/env python3
"""Reads what `terraform test -json -verbose` prints and compares what each plan replaces or deletes with a list of reasons.

usage: terraform test -json -verbose -filter=tests/changes.tftest.hcl | replaced.py REASONS.json FORCED.json

REASONS.json: for each run, addresses (with * for any text) and why it is right that they are replaced or deleted.
FORCED.json: for each type, the attributes that Google cannot change in place. A mocked provider does not know them; the
real one says so itself. Exit status 1 with a line for what is not in the list, and for what is there and was not seen.
"""

import fnmatch
import json
import sys

from plan import plans


def differs(change, attribute):
    before, after = change["before"] or {}, change["after"] or {}
    unknown = (change.get("after_unknown") or {}).get(attribute)
    return unknown is True or before.get(attribute) != after.get(attribute)


def verdict(it, forced):
    """Why a resource does not stay, or nothing."""
    actions = it["change"]["actions"]
    if actions == ["delete"]:
        return "deleted"
    if "delete" in actions:
        return "replaced, " + ("the new one first" if actions[0] == "create" else "the old one goes first")
    if actions == ["update"]:
        causes = [name for name in forced.get(it["type"], []) if differs(it["change"], name)]
        if causes:
            return "replaced for " + ", ".join(causes)
    return None


def gone(plan, forced):
    """Addresses that do not stay, with the verdict."""
    found = {}
    for it in plan.get("resource_changes") or []:
        why = verdict(it, forced) if it.get("mode") == "managed" else None
        if why:
            found[it["address"]] = why
    return found


def compare(run, found, reasons):
    """Lines about what is in one and not in the other."""
    for address, why in sorted(found.items()):
        if not any(fnmatch.fnmatchcase(address, escaped(it)) for it in reasons):
            yield f"{run}: {address} is {why}, and no reason is given"
    for pattern in reasons:
        if not any(fnmatch.fnmatchcase(address, escaped(pattern)) for address in found):
            yield f"{run}: {pattern} stays, though the list has a reason for its going"


def escaped(pattern):
    """Only * is special: addresses have brackets."""
    return pattern.replace("[", "[[]")


def main():
    reasons = json.load(open(sys.argv[1], encoding="utf-8"))
    forced = json.load(open(sys.argv[2], encoding="utf-8"))
    seen, bad, total = set(), 0, 0
    for run, plan in plans(sys.stdin):
        if run not in reasons:
            continue
        seen.add(run)
        found = gone(plan, forced)
        total += len(found)
        for line in compare(run, found, reasons[run]):
            bad += 1
            print(line)
    for run in sorted(set(reasons) - seen):
        bad += 1
        print(f"{run}: no plan of that name")
    print(f"replaced: {len(seen)} changed inputs, {total} resources replaced or deleted, {bad} without their reason")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
