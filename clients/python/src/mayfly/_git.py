"""What git ignores in a folder, without running what the folder's repository names.

A repository's configuration may name programs for git to run, and the folder may be foreign. So git sees a
repository of our own, with the list of tracked files and the patterns of the one around the folder, and nothing
else of it: as the command line does."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from ._errors import InvalidInput

_LIST = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"]
_OFF = ["core.fsmonitor=false", "core.untrackedCache=false", "core.hooksPath=/dev/null"]
_LARGEST_TEXT = 1 << 20
_LONGEST_SECONDS = 60
_FACT = re.compile(
    rb"^[ \t]*(objectformat|ignorecase|precomposeunicode)[ \t]*=[ \t]*(sha1|sha256|true|false)[ \t\r]*$",
    re.IGNORECASE | re.MULTILINE,
)
_EXCLUDES = re.compile(rb"^[ \t]*excludesfile[ \t]*=[ \t]*\"?([^\"\r\n]+?)\"?[ \t\r]*$", re.IGNORECASE | re.MULTILINE)


def ignored(folder: str | Path) -> set[str]:
    """Files and whole folders, relative to the folder; none without git. Repositories in it are not looked into.

    A folder outside any repository is read as a new one, and so is one that its repository ignores."""
    folder = Path(folder)
    names = _listed(folder, True)
    if "./" in names:
        names = _listed(folder, False)
    names = sorted(names)
    # Git also names a folder all of whose files are ignored one by one.
    return {
        name.rstrip("/")
        for name, after in zip(names, [*names[1:], ""])
        if not (name.endswith("/") and after.startswith(name))
    }


def _listed(folder: Path, with_repository: bool) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="mayfly-git-") as scratch:
        command, variables = _command(folder.absolute(), Path(scratch), with_repository)
        try:
            done = subprocess.run(
                command, capture_output=True, stdin=subprocess.DEVNULL, env=variables, timeout=_LONGEST_SECONDS
            )
        except subprocess.TimeoutExpired as e:
            raise InvalidInput(
                f"code: git did not list {folder} within {_LONGEST_SECONDS} s: name large folders in .gitignore"
            ) from e
        except OSError:
            return []
    return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name] if done.returncode == 0 else []


def _command(folder: Path, scratch: Path, with_repository: bool) -> tuple[list[str], dict[str, str]]:
    """Git, and its environment, for a folder and an empty repository that becomes the one around it."""
    top, place, shared = _around(folder) if with_repository else (folder, None, None)
    for needed in ("objects", "refs", "info"):
        (scratch / needed).mkdir()
    (scratch / "HEAD").write_text("ref: refs/heads/main\n")
    (scratch / "config").write_bytes(_config(top, shared, scratch))
    if place is not None and shared is not None:
        for file in (place / "index", *place.glob("sharedindex.*")):
            if file.is_file():
                shutil.copyfile(file, scratch / file.name)
        (scratch / "info/exclude").write_bytes(_text(shared / "info/exclude"))
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith("GIT_CONFIG") or name == "GIT_EXEC_PATH"
    }
    kept |= {"GIT_DIR": str(scratch), "GIT_WORK_TREE": str(top), "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": ""}
    if shared is not None and (shared / "objects").is_dir():
        kept["GIT_OBJECT_DIRECTORY"] = str(shared / "objects")
    off = [part for setting in _OFF for part in ("-c", setting)]
    return ["git", "--no-pager", "-C", str(folder), *off, *_LIST], kept


def _config(top: Path, shared: Path | None, scratch: Path) -> bytes:
    """What says of the files themselves how they are to be read; it names no program."""
    real = b"" if shared is None else _text(shared / "config")
    core = [b"repositoryformatversion = 1", b"bare = false"]
    extensions: list[bytes] = []
    for name, value in _FACT.findall(real):
        (extensions if name.lower() == b"objectformat" else core).append(name + b" = " + value)
    named = _EXCLUDES.findall(real)
    if named and b"\0" not in named[-1]:
        (scratch / "excludes").write_bytes(_text(top / os.path.expanduser(os.fsdecode(named[-1]))))
        quoted = str(scratch / "excludes").replace("\\", "\\\\").replace('"', '\\"')
        core.append(b'excludesFile = "' + os.fsencode(quoted) + b'"')
    return b"\n\t".join([b"[core]", *core]) + b"\n" + b"\n\t".join([b"[extensions]", *extensions]) + b"\n"


def _around(folder: Path) -> tuple[Path, Path | None, Path | None]:
    """The work tree's root, where its index is, and where the rest is; the folder alone outside any repository."""
    for top in (folder, *folder.parents):
        place = _git_folder(top)
        if place is not None and ((place / "HEAD").is_file() or (place / "HEAD").is_symlink()):
            common = _path(_text(place / "commondir"))
            shared = place / common if common and (place / common).is_dir() else place
            return top, place, shared
    return folder, None, None


def _git_folder(top: Path) -> Path | None:
    if (top / ".git").is_dir():
        return top / ".git"
    line = _text(top / ".git")
    target = _path(line[len(b"gitdir: ") :]) if line.startswith(b"gitdir: ") else None
    return top / target if target else None


def _path(line: bytes) -> str | None:
    return os.fsdecode(line.strip()) if line.strip() and b"\0" not in line else None


def _text(file: Path) -> bytes:
    try:
        return file.read_bytes() if file.is_file() and file.stat().st_size <= _LARGEST_TEXT else b""
    except OSError:
        return b""
