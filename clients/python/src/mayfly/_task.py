"""Runs one call on a machine: ``python .mayfly/task.py N`` for input N, or ``… PATH`` for a file.

Needs nothing but the standard library. The folder ``.mayfly`` beside this file holds the function,
the inputs, and this package. The result goes to ``$MAYFLY_OUTPUT``: as JSON or text if the output's name ends so,
else pickled.
"""

import base64
import importlib
import json
import marshal
import os
import pickle
import struct
import sys
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent


def load_input(number):
    added = os.environ.get("MAYFLY_VAR_CALL")  # a call that was added to an open job
    if added is not None:
        return json.loads(added)
    added = os.environ.get("MAYFLY_VAR_PICKLED")
    if added is not None:
        return pickle.loads(base64.b64decode(added))
    if not (HERE / "inputs.idx").exists():
        return pickle.loads(Path(os.environ["MAYFLY_INPUT"]).read_bytes())
    index = (HERE / "inputs.idx").read_bytes()
    begin, end = struct.unpack_from("<QQ", index, 8 * number)
    with open(HERE / "inputs.bin", "rb") as file:
        file.seek(begin)
        return pickle.loads(file.read(end - begin))


def load_function(packed, made=None):
    """The function that :mod:`mayfly._function` packed."""
    if "reference" in packed:
        module, name = packed["reference"]
        found = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        return found
    made = {} if made is None else made
    if packed["id"] in made:
        return made[packed["id"]]
    space = {"__builtins__": __builtins__, "__name__": "__main__"}
    cells = tuple(types.CellType() for _ in packed["closure"])
    function = types.FunctionType(
        marshal.loads(packed["code"]), space, packed["name"], packed["defaults"], cells
    )
    function.__kwdefaults__ = packed["keywords"]
    made[packed["id"]] = function
    for cell, value in zip(cells, packed["closure"]):
        cell.cell_contents = load_value(value, made)
    for name, value in packed["globals"].items():
        space[name] = load_value(value, made)
    return function


def load_value(packed, made):
    kind, value = packed
    if kind == "module":
        return importlib.import_module(value)
    return load_function(value, made) if kind == "function" else pickle.loads(value)


def write_result(result, target):
    if os.path.exists(target):  # the function wrote its output itself
        return
    part = target + ".part"
    with open(part, "wb") as file:
        if target.endswith(".json"):
            file.write(json.dumps(result).encode())
        elif target.endswith(".txt"):
            file.write(str(result).encode())
        else:
            pickle.dump(result, file, protocol=4)
    os.replace(part, target)


def main():
    sys.path[0] = str(HERE.parent)
    sys.path.append(str(HERE / "lib"))  # this package, where it is not installed: for mayfly.report
    with open(HERE / "call.pkl", "rb") as file:
        call = pickle.load(file)
    here = list(sys.version_info[:2])
    if call["by value"] and call["python"] != here:
        sys.exit(
            "this machine has Python {}.{}, but the function was packed by {}.{}: put it into a module"
            " beside your script and import it, or ask for that version (python: {{version: \"{}.{}\"}})".format(
                *here, *call["python"], *call["python"]
            )
        )
    argument = sys.argv[1]
    given = load_input(int(argument)) if argument.isdigit() else Path(argument)
    function = load_function(call["function"])
    result = function(*given) if call["spread"] else function(given)
    write_result(result, os.environ["MAYFLY_OUTPUT"])


if __name__ == "__main__":
    main()
