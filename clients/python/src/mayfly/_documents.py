"""Job documents: dictionaries, JSON files, and YAML files as they are written.

The control plane reads YAML itself, so a file is sent as it stands: here only fields of one line of
its job are read, and whole fields replaced. (Another parser would read it by other rules: for YAML 1.1
``on`` is a boolean, and a date no text.)
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Dict, Mapping

from ._errors import InvalidInput

_FIELD = re.compile(r"^([A-Za-z][A-Za-z0-9]*):[ \t]*(.*?)[ \t]*(?:[ \t]#.*)?$")
_VARIABLE = re.compile(r"""["']?\b(\w+)["']?:[ \t]+["']?([^,"'}\s#]+)""")
_COMMENT_OR_SPACE = re.compile(r"[ \t]*(#.*)?\n?")


def read(path: str | Path) -> tuple[dict[str, Any], Path]:
    """The one job of a file, and the folder that its ``code`` is relative to."""
    path = Path(path)
    text = text_of(path)
    try:
        document = json.loads(text, parse_float=str, parse_int=_as_written, object_pairs_hook=_object)
    except ValueError:
        document = YamlText(text, path)
    if not isinstance(document, dict):
        raise InvalidInput(f"{path} is not a document of kind Job")
    if document.get("kind", "Job") != "Job":
        raise InvalidInput(f"{path} has a document of kind {document['kind']}, not Job: mayfly up or submit takes it")
    return document, path.resolve().parent


def text_of(path: Path) -> str:
    """The text of a file of the user's, without a byte order mark."""
    return decoded(path.read_bytes(), str(path))


def decoded(raw: bytes, name: str) -> str:
    """The same, of the content of a file."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        line = raw[: e.start].count(b"\n") + 1
        raise InvalidInput(
            f"{name} is not UTF-8 text; save it as UTF-8 (byte 0x{raw[e.start]:02X} of line {line} is none)"
        ) from e


def message(document: Mapping[str, Any]) -> bytes:
    """The bytes to publish."""
    if isinstance(document, YamlText):
        return document.text.encode()
    try:
        return json.dumps({k: v for k, v in document.items() if v is not None}, allow_nan=False).encode()
    except (TypeError, ValueError) as e:
        raise InvalidInput(f"the document cannot be written as JSON: {e}; write such a value as a text") from e


def _as_written(digits: str) -> int | str:
    """A whole number, or its text where Python would write another: -0, or thousands of digits."""
    return int(digits) if len(digits) < 19 and digits != "-0" else digits


def _object(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(fields)
    if len(found) < len(fields):
        names = [name for name, _ in fields]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInput(f"{twice!r} is there twice in one object: remove one")
    return found


def name_of(job: Mapping[str, Any]) -> str:
    """The job's name with its variables filled in, as far as they are of one line."""
    if isinstance(job, YamlText):
        values = job.variables()
    else:
        values = job.get("variables") or {}
    return re.sub(r"\{(\w+)\}", lambda found: str(values.get(found[1], found[0])), job["name"])


class YamlText(Dict[str, Any]):
    """The fields of one line of a YAML text's job; a change of one changes the text.

    Headers before the job (``variables``, ``defaults``) stay as they are.
    """

    def __init__(self, text: str, path: Path) -> None:
        super().__init__()
        texts = _documents(text)
        jobs = [number for number, one in enumerate(texts) if not _is_header(one)]
        if len(jobs) != 1:
            raise InvalidInput(f"{path} has {len(jobs)} jobs, submit takes one: mayfly submit {path}")
        self._before, self._job, self._after = texts[: jobs[0]], texts[jobs[0]], texts[jobs[0] + 1 :]
        for line in self._job.splitlines():
            field = _FIELD.match(line)
            if field and field[2]:
                super().__setitem__(field[1], field[2].strip("'\""))
        if "name" not in self:
            raise InvalidInput(f"{path} has no line name: … at its left edge: write one")

    @property
    def text(self) -> str:
        return "---\n".join([*self._before, self._job, *self._after])

    def __setitem__(self, key: str, value: Any) -> None:
        if value is None:
            return
        line = f"{key}: {json.dumps(value)}\n"
        begin, end = _span(self._job, key)
        self._job = self._job[:begin] + line + self._job[end:]
        super().__setitem__(key, value)

    def variables(self) -> dict[str, str]:
        values: dict[str, str] = {}
        for text in [*self._before, self._job]:
            begin, end = _span(text, "variables")
            values.update(_VARIABLE.findall(text[begin:end].partition(":")[2]))
        return values

    def set_variables(self, values: Mapping[str, Any]) -> None:
        """Gives variables of the text other values: what ``--var`` does."""
        begin, end = _span(self._job, "variables")
        if begin < end:  # the job's own hold over a header's, so they become a header's
            self._before.append(self._job[begin:end])
            self._job = self._job[:begin] + self._job[end:]
        self["variables"] = values

    def search(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """In the job's tasks."""
        begin, end = _span(self._job, "tasks")
        return pattern.search(self._job[begin:end])

    def replace(self, pattern: re.Pattern[str], text: str) -> None:
        """In the job's tasks, the first that matches."""
        begin, end = _span(self._job, "tasks")
        self._job = self._job[:begin] + pattern.sub(lambda _: text, self._job[begin:end], count=1) + self._job[end:]

    def update(self, fields: Mapping[str, Any]) -> None:  # type: ignore[override]
        for key, value in fields.items():
            self[key] = value

    def setdefault(self, key: str, value: Any = None) -> Any:
        """As of a dictionary; a header's default holds too, though its value is not read."""
        defaults = "".join(text for text in self._before if re.search(r"(?m)^defaults:", text))
        if key not in self and value is not None and not re.search(rf"[\s{{,]{key}:", defaults):
            self[key] = value
        return self.get(key)


def _documents(text: str) -> list[str]:
    """The texts between lines of ``---``, without empty ones."""
    texts = re.split(r"(?m)^---(?:[ \t]+#.*|[ \t]*)$\n?", text if text.endswith("\n") else text + "\n")
    return [one for one in texts if not all(map(_COMMENT_OR_SPACE.fullmatch, one.splitlines()))]


def _is_header(text: str) -> bool:
    return not re.search(r"(?m)^kind:", text) and bool(re.search(r"(?m)^(variables|defaults):", text))


def _span(text: str, key: str) -> tuple[int, int]:
    """Where a field at the left edge begins and ends; the text's end twice if it is not there."""
    found = re.search(rf"(?m)^{key}:.*\n(?:[ \t}}\]-].*\n|[ \t]*\n|#.*\n(?=(?:#.*\n)*[ \t}}\]-]))*", text)
    return (found.start(), found.end()) if found else (len(text), len(text))
