"""Runs calls on a machine: ``python .mayfly/task.py N`` for input N, or ``… PATH`` for a file.

``… stay input`` and ``… stay file`` run task after task, as docs/tasks.md has the lines of programs that stay.

Needs nothing but the standard library and what the folder ``.mayfly`` beside this file holds: the function,
the inputs, and in ``lib.zip`` this package and the cloudpickle that packed them. The result goes to
``$MAYFLY_OUTPUT``: as JSON or text if the output's name ends so, else pickled.

Each call starts a Python, so what only some calls need is imported where they need it.
"""

from __future__ import annotations

import json
import os
import pickle
import struct
import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

HERE = os.path.dirname(os.path.realpath(__file__))
CALLED = ".mayfly/task.py"  # this file, as the command of a call names it
_TEXT = 20_000  # characters of an exception's text that are told
_GENERATORS = (types.GeneratorType, types.AsyncGeneratorType)
_LINE = 150  # characters of a text that the few last words of a log, which lists of tasks show, have room for


def load_input(number: int) -> Any:
    added = os.environ.get("MAYFLY_VAR_CALL")  # a call that was added to an open job
    if added is not None:
        return json.loads(added)
    added = os.environ.get("MAYFLY_VAR_PICKLED")
    if added is not None:
        import base64

        return pickle.loads(base64.b64decode(added))
    try:
        with open(os.path.join(HERE, "inputs.idx"), "rb") as file:
            file.seek(8 * number)
            begin, end = struct.unpack("<QQ", file.read(16))
    except FileNotFoundError:
        with open(os.environ["MAYFLY_INPUT"], "rb") as file:
            return pickle.loads(file.read())
    with open(os.path.join(HERE, "inputs.bin"), "rb") as file:
        file.seek(begin)
        return pickle.loads(file.read(end - begin))


def write_result(result: Any, target: str) -> None:
    if os.path.exists(target):  # the function wrote its output itself
        return
    part = target + ".part"
    with open(part, "wb") as file:
        if target.endswith(".json"):
            file.write(json.dumps(result).encode())
        elif target.endswith(".txt"):
            file.write(str(result).encode())
        else:
            dump(result, file)
    os.replace(part, target)


def dump(result: Any, file: BinaryIO) -> None:
    """By cloudpickle only what pickle cannot: loading it takes longer than most results."""
    try:
        pickle.dump(result, file, 4)
    except Exception:  # pickle raises errors of many types
        import cloudpickle

        file.seek(0)
        file.truncate()
        cloudpickle.dump(result, file, protocol=4)  # a class of the script goes by value here too


def value_of(result: Any) -> Any:
    """What a call returned; of a coroutine what it returns when it has run."""
    if not hasattr(type(result), "__await__") and not isinstance(result, _GENERATORS):
        return result
    import inspect

    if inspect.isawaitable(result):
        import asyncio

        async def awaited() -> Any:
            return await result

        return asyncio.run(awaited())
    raise TypeError("the call returned a generator, which has no result: return a list instead")


def raised(attempt: str, index: object, job: str) -> str:
    """What the line of an exception begins with, before its type, a colon and its text as JSON.

    It names the attempt, so that nobody takes a line for it that the call printed, of another call perhaps.
    """
    return f"mayfly: attempt {attempt} of task {index} of job {job} raised "


class Part:
    """Which of a task's inputs its function has now, where it has several; for people."""

    now = ""


def tell(error: BaseException, begin: types.TracebackType | None) -> None:
    """Writes what was raised into the log: for people, and for the caller's :class:`TaskFailed`."""
    import traceback

    kind = type(error)
    plain = kind.__module__ in ("builtins", "__main__")
    name = kind.__qualname__ if plain else f"{kind.__module__}.{kind.__qualname__}"
    try:
        text = str(error)
    except Exception as broken:  # of a __str__ that fails itself
        text = f"its text cannot be made: {broken!r}"
    sys.stdout.flush()
    begins = raised(*(os.environ.get(name, "") for name in ("MAYFLY_ATTEMPT", "MAYFLY_INDEX", "MAYFLY_JOB")))
    print(f"{begins}{name}: {json.dumps(text[:_TEXT])}", file=sys.stderr)
    if Part.now:
        print(f"with {Part.now}:", file=sys.stderr)
    traceback.print_exception(kind, error, begin)
    if "\n" in text or len(text) > _LINE:
        first = text.strip().split("\n", 1)[0][:_LINE]
        print(f"{name}: {first}…", file=sys.stderr)
    sys.stderr.flush()


def made(call: dict[str, Any]) -> Any:
    """The function, or what is called instead: an instance of a class whose instances are called."""
    function = pickle.loads(call["function"])
    return function() if call["made"] else function


def results_of(function: Any, inputs: list[Any], batch: int) -> list[Any]:
    """What the function returns for several inputs, one after the other, or for batches of so many."""
    results: list[Any] = []
    for begin in range(0, len(inputs), batch or 1):
        part = inputs[begin : begin + (batch or 1)]
        end = begin + len(part)
        Part.now = f"input {begin} of {len(inputs)} of this task, {_short(part[0])}"
        if batch:
            Part.now = f"inputs {begin} to {end - 1} of {len(inputs)} of this task, {_short(part)}"
        found = value_of(function(part if batch else part[0]))
        results += _each(found, len(part)) if batch else [found]
        if os.path.exists(os.environ["MAYFLY_OUTPUT"]):
            raise TypeError("the call wrote $MAYFLY_OUTPUT, where the results of all inputs of this task go: return it")
    Part.now = ""
    return results


def _each(found: Any, count: int) -> list[Any]:
    """The results of one batch, one for each of its inputs."""
    if isinstance(found, (str, bytes, dict, set, frozenset)) or not hasattr(found, "__len__"):
        raise TypeError(f"the call returned a {type(found).__name__}: return a list, with a result for each input")
    if len(found) != count:
        raise TypeError(f"the call returned {len(found)} results for {count} inputs: return one for each")
    return list(found)


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except Exception as broken:  # of a __repr__ that fails itself
        return f"which cannot be shown: {broken!r}"
    return text if len(text) <= _LINE else text[:_LINE] + "…"


def path(argument: str) -> Any:
    from pathlib import Path

    return Path(argument)


def result_of(call: dict[str, Any], function: Any, given: Any) -> Any:
    """What the task's result is."""
    if call.get("batch") is not None:
        return results_of(function, given, call["batch"])
    return value_of(function(*given) if call["spread"] else function(given))


def told(error: BaseException) -> int:
    """Tells of what was raised, also of sys.exit(0), which leaves no result; returns the exit code."""
    # Without this file's own lines, if the function has some.
    own = error.__traceback__
    while own is not None and own.tb_next is not None and own.tb_frame.f_code.co_filename == __file__:
        own = own.tb_next
    tell(error, own)
    code = error.code if isinstance(error, SystemExit) else 1
    return code if isinstance(code, int) and code else 1


def run(call: dict[str, Any], argument: str) -> None:
    try:
        given: Any = load_input(int(argument)) if argument.isdigit() else path(argument)
        function = made(call)
        write_result(result_of(call, function, given), os.environ["MAYFLY_OUTPUT"])
    except BaseException as error:
        sys.exit(told(error))


def stay(call: dict[str, Any], kind: str) -> None:
    """Loads the function once, then runs and answers task after task until there are no more."""
    import tempfile

    for number in (3, 4):
        os.set_inheritable(number, False)  # a program that a call starts cannot answer for it
    function: Any = None
    before: dict[str, str] = {}
    with open(3, encoding="utf-8") as tasks, open(4, "w", encoding="utf-8") as answers:
        for line in tasks:
            task = json.loads(line)
            for name in before:
                os.environ.pop(name, None)
            before = task["variables"]
            os.environ.update(before)
            tempfile.tempdir = None  # the folder of this task is another one
            code, Part.now = 0, ""
            try:
                if function is None:
                    function = made(call)
                given: Any = path(task["input"]) if kind == "file" else load_input(task["index"])
                write_result(result_of(call, function, given), task["output"])
            except BaseException as error:
                code = told(error)
            sys.stdout.flush()
            sys.stderr.flush()
            # Without its function the process is of no use.
            answer = {"task": task["task"], "exitCode": code & 255 or (1 if code else 0), "last": function is None}
            print(json.dumps(answer), file=answers, flush=True)
            if function is None:
                return


def main() -> None:
    sys.path[0] = os.path.dirname(HERE)
    sys.path.insert(1, os.path.join(HERE, "lib.zip"))  # before what is installed: what packed the call unpacks it
    with open(os.path.join(HERE, "call.pkl"), "rb") as file:
        call = pickle.load(file)
    here, packed = tuple(sys.version_info[:2]), tuple(int(number) for number in call["python"])
    if call["by value"] and packed != here:
        sys.exit(
            "this machine has Python {0}.{1}, but the function was packed by {2}.{3}: put it into a module beside your"
            ' script and import it, or ask for that version (python: {{version: "{2}.{3}"}})'.format(*(here + packed))
        )
    if sys.argv[1] == "stay":
        stay(call, sys.argv[2])
    else:
        run(call, sys.argv[1])


if __name__ == "__main__":
    main()
