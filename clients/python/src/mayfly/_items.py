"""Files of items: a table or a list, stored as a task list of which the job's document names the place."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from pathlib import Path
from typing import Any, Callable, Mapping, NamedTuple

from . import _documents
from ._deployment import Deployment
from ._errors import InvalidInput

_MOST = 100_000
_MOST_BYTES = 16 << 20
_LONGEST = 65_536
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")
_IN_YAML = re.compile(
    r"\bitems:[ \t]*(?:\{[ \t]*file:[ \t]*(?P<flow>[^,}\n]+?)[ \t]*\}"
    r"|(?:#.*)?\n[ \t]+file:[ \t]*(?P<block>[^\n#]+?)[ \t]*(?:#.*)?$)",
    re.M,
)
_FILE = re.compile(r"\bitems:\s*\{?\s*file:")


class Items(NamedTuple):
    """The items of a file: each has a value for each name."""

    names: list[str]
    rows: list[list[str]]

    def task_list(self) -> bytes:
        """A line of JSON for each task."""
        vars_of = (dict(zip(self.names, row)) for row in self.rows)
        lines = (json.dumps({"index": i, "vars": values}) + "\n" for i, values in enumerate(vars_of))
        return "".join(lines).encode()


def store(job: dict[str, Any], folder: Path, deployment: Deployment, bucket: Callable[[], str]) -> None:
    """Reads the file of items that the job names, if it does, and stores its tasks in the bucket."""
    file = _file_of(job)
    if file is None:
        return
    items = read(file, _content(file, folder, deployment))
    tasks = items.task_list()
    place = f"{bucket().rstrip('/')}/mayfly/.code/{hashlib.sha256(tasks).hexdigest()}.jsonl"
    deployment.create_object(place, tasks)
    named = {"file": place, "names": items.names}
    if isinstance(job, _documents.YamlText):
        job.replace(_IN_YAML, f"items: {json.dumps(named)}")
    else:
        job["tasks"] = {**job["tasks"], "items": named}


def _file_of(job: dict[str, Any]) -> str | None:
    if not isinstance(job, _documents.YamlText):
        tasks = job.get("tasks")
        items = tasks.get("items") if isinstance(tasks, Mapping) else None
        return str(items["file"]) if isinstance(items, Mapping) and "file" in items and "names" not in items else None
    found = job.search(_IN_YAML)
    file = (found["flow"] or found["block"]).strip("\"'") if found else None
    if file is None and job.search(_FILE) or file and "{" in file:
        raise InvalidInput("tasks.items.file: write items: {file: trials.csv} on one line, or use mayfly submit")
    return file


def _content(file: str, folder: Path, deployment: Deployment) -> bytes:
    if file.startswith("gs://"):
        content = deployment.read_object(file)
        if content is None:
            raise InvalidInput(f"tasks.items.file: there is no object {file}")
        return content
    try:
        return (folder / file).read_bytes()
    except OSError as e:
        raise InvalidInput(f"tasks.items.file: {e}") from e


def read(file: str, content: bytes) -> Items:
    """The items of a table (.csv, with a header) or a list (.txt); lines without text are skipped."""
    if len(content) > _MOST_BYTES:
        raise InvalidInput(f"{file} is larger than {_MOST_BYTES >> 20} MB; make it several jobs")
    text = _documents.decoded(content, file)
    if file.endswith(".csv"):
        items = _table(file, text)
    elif file.endswith(".txt"):
        items = _list(file, text)
    else:
        raise InvalidInput(f"{file} is neither a table (.csv) nor a list (.txt); name it so")
    if not items.rows:
        raise InvalidInput(f"{file} has no item; write one on each line")
    return items


def _list(file: str, text: str) -> Items:
    rows: list[list[str]] = []
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), 1):
        if line.strip():
            _add(rows, [line], ["item"], f"{file}:{number}")
    return Items(["item"], rows)


def _table(file: str, text: str) -> Items:
    rows: list[list[str]] = []
    names: list[str] = []
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    before = 0
    try:
        for values in lines:
            place, before = f"{file}:{before + 1}", lines.line_num
            if not any(values):
                continue
            if names:
                _add(rows, values, names, place)
            else:
                names = _header([value.strip() for value in values], place)
    except csv.Error as e:
        raise InvalidInput(f"{file}:{before + 1}: is not a line of a table: {e}") from e
    return Items(names, rows)


def _header(names: list[str], place: str) -> list[str]:
    for column, name in enumerate(names):
        if not _NAME.fullmatch(name):
            raise InvalidInput(
                f"{place}: column {column + 1} ({name}) is not a name; write letters, digits and _, such as lr"
            )
        if name in names[:column]:
            raise InvalidInput(f"{place}: column {column + 1} ({name}) is there twice; rename one")
    return names


def _add(rows: list[list[str]], values: list[str], names: list[str], place: str) -> None:
    if len(values) != len(names):
        header = f"{len(names)} columns ({', '.join(names)})"
        raise InvalidInput(f"{place}: {len(values)} values, and the header has {header}; quote a value with a comma")
    if len(rows) == _MOST:
        raise InvalidInput(f"{place}: is one item more than {_MOST:,}; make it several jobs")
    if any(len(value) > _LONGEST for value in values):
        raise InvalidInput(f"{place}: a value is longer than {_LONGEST:,} characters")
    rows.append(values)
