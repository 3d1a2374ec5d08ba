"""Packs a folder as the command line does: what git would commit, without generated folders."""

import fnmatch
import hashlib
import io
import os
import zipfile
from pathlib import Path

from . import _git
from ._errors import InvalidInput

_GENERATED = {"__pycache__", "node_modules", ".venv", ".git", ".mayfly"}
_MAX_BYTES = 500_000_000


def files_of(folder):
    """The files of a folder that are packed, relative to it and sorted."""
    root = Path(folder)
    if not root.is_dir():
        raise InvalidInput(f"code: {folder} is not a folder")
    names = _git.files(root)
    if names is None:
        names = [
            (Path(where) / file).relative_to(root).as_posix()
            for where, folders, files in os.walk(root)
            for file in files
            if folders.sort() is None
        ]
    ignored, included = _patterns(root / ".mayflyignore")
    kept = sorted(n for n in names if (root / n).is_file() and not _left_out(n, ignored, included))
    for name in kept:
        _check_link(root, name, kept)
    return kept


def pack(folder, extra):
    """A zip of the folder's files and of ``extra`` (name to bytes). Equal content is an equal zip."""
    content = dict(extra)
    total = sum(len(body) for body in extra.values())
    for name in files_of(folder) if folder is not None else ():
        total += (Path(folder) / name).stat().st_size
        if total > _MAX_BYTES:
            raise InvalidInput(f"code: {folder} has more than 500 MB: name data in .mayflyignore")
        content.setdefault(name, Path(folder) / name)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(content):
            body = content[name]
            mode = 0o755 if isinstance(body, Path) and os.access(body, os.X_OK) else 0o644
            entry = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, body.read_bytes() if isinstance(body, Path) else body)
    return target.getvalue()


def upload(deployment, bucket, archive):
    """Uploads a zip under the hash of its content, once, and returns its URL."""
    url = f"{bucket.rstrip('/')}/mayfly/.code/{hashlib.sha256(archive).hexdigest()}.zip"
    deployment.create_object(url, archive)
    return url


def _patterns(file):
    ignored, included = [], set()
    for line in file.read_text().splitlines() if file.exists() else ():
        text = line.strip().rstrip("/")
        if text.startswith("!"):
            included.add(text[1:].lstrip("/"))
        elif text and not text.startswith("#"):
            ignored.append(("/" in text, text.lstrip("/")))
    return ignored, included


def _left_out(name, ignored, included):
    parts = name.split("/")
    for depth, part in enumerate(parts):
        path = "/".join(parts[: depth + 1])
        if any(fnmatch.fnmatchcase(path if whole else part, pattern) for whole, pattern in ignored):
            return True
        if depth < len(parts) - 1 and part in _GENERATED and not {part, path} & included:
            return True
    return False


def _check_link(root, name, kept):
    real, top = (root / name).resolve(), root.resolve()
    if real != top / name and not (real.is_relative_to(top) and real.relative_to(top).as_posix() in kept):
        raise InvalidInput(
            f"code: {name} is a link to {real}, which is not packed: copy it, or name it in .mayflyignore"
        )
