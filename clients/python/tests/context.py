"""Makes the package of this checkout importable without installing it, and reads the public contract."""

import json
import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "clients/python/src"))
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}


def sample(name, /, **fields):
    """An answer of the read API as its schema's sample has it, with other values, which the schema allows."""
    answer = {**json.loads((ROOT / f"schemas/samples/valid/{name}.json").read_text()), **fields}
    check(answer, name, closed=True)
    return answer


def without(answer, *names):
    return {name: value for name, value in answer.items() if name not in names}


@cache
def schema(file):
    return json.loads((ROOT / "schemas" / file).read_text())


def check(value, name, closed=False):
    """Fails if a schema refuses the value; ``closed``: or if it does not know a field of it."""
    file = f"{name}.schema.json"
    found = list(_problems(value, schema(file), file, name, closed))
    assert not found, "\n".join(found)


def _problems(value, rule, file, where, closed):
    if "$ref" in rule:
        other, _, place = rule["$ref"].partition("#")
        target = schema(other or file)
        for part in place.strip("/").split("/"):
            target = target[part] if part else target
        yield from _problems(value, target, other or file, where, closed)
    kinds = rule.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    fits = [k for k in kinds if isinstance(value, TYPES[k]) and (k == "boolean" or not isinstance(value, bool))]
    if kinds and not fits:
        yield f"{where} is {value!r}, not {' or '.join(kinds)}"
    if "const" in rule and value != rule["const"] or "enum" in rule and value not in rule["enum"]:
        yield f"{where} is {value!r}"
    if "pattern" in rule and isinstance(value, str) and not re.search(rule["pattern"], value):
        yield f"{where} is {value!r}, which does not match {rule['pattern']}"
    if isinstance(value, dict):
        known, rest = (
            rule.get("properties", {}),
            rule.get("additionalProperties", not closed or "properties" not in rule),
        )
        yield from (f"{where} lacks {name}" for name in rule.get("required", []) if name not in value)
        for name, inner in value.items():
            patterns = [r for p, r in rule.get("patternProperties", {}).items() if re.search(p, name)]
            if name in known or patterns or isinstance(rest, dict):
                inside = known.get(name) or next(iter(patterns), rest)
                yield from _problems(inner, inside, file, f"{where}.{name}", closed)
            elif not rest and "$ref" not in rule:
                yield f"{where}.{name} is unknown"
    if isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _problems(inner, rule.get("items", {}), file, f"{where}[{number}]", closed)
