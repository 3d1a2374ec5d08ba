"""Job documents: dictionaries, JSON files, and YAML files with or without PyYAML.

The control plane reads YAML itself, so without PyYAML a file is sent as it is, and only its fields
of one line are read or replaced.
"""

import json
import re
from pathlib import Path

from ._errors import InvalidInput

_FIELD = re.compile(r"^([A-Za-z][A-Za-z0-9]*):[ \t]*(.*?)[ \t]*(?:[ \t]#.*)?$")


def read(path):
    """The one job of a file, and the folder that its ``code`` is relative to."""
    path = Path(path)
    text = path.read_text(encoding="utf-8")
    try:
        document = json.loads(text)
    except ValueError:
        document = _yaml(text, path)
    if not isinstance(document, dict):
        raise InvalidInput(f"{path} is not a document of kind Job")
    if document.get("kind", "Job") != "Job":
        raise InvalidInput(f"{path} has a document of kind {document['kind']}, not Job: mayfly up or submit takes it")
    return document, path.resolve().parent


def message(document):
    """The bytes to publish."""
    if isinstance(document, YamlText):
        return document.text.encode()
    return json.dumps({k: v for k, v in document.items() if v is not None}).encode()


def _yaml(text, path):
    try:
        import yaml
    except ImportError:
        return YamlText(text, path)
    try:
        documents = [d for d in yaml.safe_load_all(text) if d is not None]
    except yaml.YAMLError as e:
        raise InvalidInput(f"{path}: {e}") from e
    if len(documents) != 1:
        raise InvalidInput(f"{path} has {len(documents)} documents, submit takes one: mayfly submit {path}")
    return documents[0]


class YamlText(dict):
    """The fields of one line at the top of a YAML text; a change of one changes the text."""

    def __init__(self, text, path):
        super().__init__()
        self.text = text if text.endswith("\n") else text + "\n"
        self._path = path
        if re.search(r"(?m)^---", self.text.lstrip()[3:]):
            raise InvalidInput(f"{path} has several documents, submit takes one: mayfly submit {path}")
        for line in self.text.splitlines():
            field = _FIELD.match(line)
            if field:
                super().__setitem__(field[1], field[2].strip("'\""))
        if "name" not in self:
            raise InvalidInput(f"{path} has no name: at its beginning, or PyYAML is needed to read it")

    def __setitem__(self, key, value):
        if value is None:
            return
        line = f"{key}: {json.dumps(value)}\n"
        found = re.search(rf"(?m)^{key}:.*\n(?:[ \t-].*\n|[ \t]*\n)*", self.text)
        if found is None:
            self.text += line
        else:
            self.text = self.text[: found.start()] + line + self.text[found.end():]
        super().__setitem__(key, value)

    def update(self, fields):
        for key, value in fields.items():
            self[key] = value

    def setdefault(self, key, value=None):
        if key not in self:
            self[key] = value
        return self.get(key)
