"""Packs a folder as the command line does: what git would commit, without generated folders."""

from __future__ import annotations

import hashlib
import io
import logging
import os
import warnings
import zipfile
from pathlib import Path
from typing import Iterable, Mapping

from . import _checkout
from ._deployment import Deployment
from ._errors import InvalidInput
from ._walk import Walk

_MAX_BYTES = 500_000_000
_POINTER = b"version https://git-lfs.github.com/spec/v1"
_LARGEST_POINTER = 1024
_LOG = logging.getLogger("mayfly")


def files_of(folder: str | Path) -> list[str]:
    """The files of a folder that are packed, relative to it and sorted."""
    return sorted(_walked(folder).files)


def _walked(folder: str | Path) -> Walk:
    if not Path(folder).is_dir():
        raise InvalidInput(f"code: {folder} is not a folder")
    return Walk(folder)


def pack(folder: str | Path | None, extra: Mapping[str, bytes]) -> bytes:
    """A zip of the folder's files and of ``extra`` (name to bytes). Equal content is an equal zip.

    What is left out is told: in the log "mayfly", and what nobody expects to be left out as a warning.
    """
    walk = _walked(folder) if folder is not None else None
    content: dict[str, Path | bytes] = {**(walk.files if walk else {}), **extra}
    _check_size(folder, walk.files.values() if walk else (), extra)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted([*content, *(f"{empty}/" for empty in (walk.folders if walk else ()))]):
            body = content.get(name)
            mode = 0o40755 if body is None else 0o100644
            if isinstance(body, Path) and os.access(body, os.X_OK):
                mode = 0o100755
            entry = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
            entry.external_attr = mode << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, body.read_bytes() if isinstance(body, Path) else body or b"")
    if walk:
        files = "1 file" if len(walk.files) == 1 else f"{len(walk.files):,} files"
        _LOG.info("code: %s, %d bytes%s", files, target.tell(), walk.left_out)
        pointers = [name for name, file in walk.files.items() if _is_pointer(file)]
        if pointers:
            warnings.warn(
                f"code: pointers of Git LFS without the data are in it: {len(pointers):,}, first {pointers[0]}; install"
                " git-lfs here, and run git lfs pull",
                stacklevel=2,
            )
        if walk.surprising:
            warnings.warn(f"code: {folder}{walk.surprising}", stacklevel=2)
    return target.getvalue()


def _is_pointer(file: Path) -> bool:
    """Whether no program finds its data there."""
    return file.stat().st_size < _LARGEST_POINTER and file.read_bytes().startswith(_POINTER)


def packed(code: str | Path | None, base: Path, extra: Mapping[str, bytes]) -> tuple[bytes, dict[str, str]]:
    """The zip of a job's code with ``extra``, and what the job says of its commit if it is of a git repository.

    Paths are relative to ``base``."""
    if not isinstance(code, str) or not _checkout.is_meant(code):
        return pack(None if code is None else base / code, extra), {}
    with _checkout.checkout(code, base) as (folder, commit):
        return pack(folder, extra), {"codeFrom": commit}


def _check_size(folder: str | Path | None, files: Iterable[Path], extra: Mapping[str, bytes]) -> None:
    """Names the part that is too large: the folder's files, or the values that the call takes along."""
    ours = sum(file.stat().st_size for file in files)
    theirs = sum(len(body) for body in extra.values())
    if ours + theirs <= _MAX_BYTES:
        return
    if theirs > ours:
        largest = max(extra, key=lambda name: len(extra[name]))
        what = (
            "inputs: they have"
            if largest.endswith("inputs.bin")
            else "function: it, with the values that it names, has"
        )
        raise InvalidInput(
            f"{what} {len(extra[largest]) // 1_000_000} MB, which go along with the code; the limit is"
            f" {_MAX_BYTES // 1_000_000} MB: put them into a bucket, and pass the names of the objects"
        )
    raise InvalidInput(f"code: {folder} has {ours // 1_000_000} MB; the limit is 500 MB: name data in .mayflyignore")


def upload(deployment: Deployment, bucket: str, archive: bytes) -> str:
    """Uploads a zip under the hash of its content, once, and returns its URL."""
    url = f"{bucket.rstrip('/')}/mayfly/.code/{hashlib.sha256(archive).hexdigest()}.zip"
    deployment.create_object(url, archive)
    return url
