"""The files of one commit of a git repository, as the command line takes them.

``git+https://host/lab/train@v1.2`` is pip's form of it; ``git+.@main`` is the repository around a folder. The user's
git fetches the commit, with the user's rights, into a repository of our own: no hooks and no configuration travel."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Iterator

from . import _git
from ._errors import InvalidInput

_PREFIX = "git+"
_URL = re.compile(r"(?:https|ssh|file)://\S+")
_SECRET = re.compile(r"https://[^/@]*@|ssh://[^/@:]*:[^/@]*@")
_REVISION = re.compile(r"[\w.][\w./+-]{0,199}", re.ASCII)
_MAYBE_COMMIT = re.compile(r"[0-9a-f]{4,64}")
_LONGEST_SECONDS = 600


def is_meant(code: str) -> bool:
    """Whether the code is to be had from git."""
    return code.startswith(_PREFIX)


@dataclass(frozen=True)
class Reference:
    """A repository's URL or a folder, what of it is meant, and what was asked for before it was a commit."""

    url: str
    revision: str = ""
    subdirectory: str = ""
    asked: str = ""

    def __str__(self) -> str:
        behind = [f"subdirectory={self.subdirectory}"] if self.subdirectory else []
        behind += [f"ref={self.asked}"] if self.asked else []
        place = f"{_PREFIX}{self.url}{'@' if self.revision else ''}{self.revision}"
        return "#".join([place, "&".join(behind)] if behind else [place])


def parsed(code: str) -> Reference:
    """Raises :class:`InvalidInput` for what is no such reference."""
    place, _, behind = code[len(_PREFIX) :].partition("#")
    start = place.find("/", place.find("://") + 3) if "://" in place else 0
    at = place.rfind("@")
    url, revision = (place[:at], place[at + 1 :]) if 0 <= start < at else (place, None)
    known = dict(part.split("=", 1) for part in behind.split("&") if "=" in part)
    if behind and (set(known) - {"subdirectory", "ref"} or len(known) != len(behind.split("&"))):
        raise InvalidInput(f"code: {code!r} has '{behind}' behind #; only subdirectory=FOLDER may stand there")
    if _SECRET.match(url):
        raise InvalidInput(
            "code: has a user or token in its URL, which would be stored; leave it to git's credential helper, or write"
            " git+ssh://git@…"
        )
    if not url or "::" in url or ("://" in url and not _URL.fullmatch(url)):
        raise InvalidInput(
            f"code: {code!r} is no repository; write git+https://HOST/PATH@REF, git+ssh://git@HOST/PATH@REF, or"
            " git+.@REF for that of this folder"
        )
    for name in (revision, known.get("ref")):
        if name is not None and not _is_revision(name):
            raise InvalidInput(f"code: {name!r} is not a branch, a tag or a commit of git")
    inside = known.get("subdirectory")
    if inside is not None and (inside.startswith("/") or {"", "..", ".git"} & set(inside.split("/")) or "\\" in inside):
        raise InvalidInput(f"code: {inside!r} is no folder in a repository; write subdirectory=models, for example")
    return Reference(url, revision or "", inside or "", known.get("ref", ""))


def _is_revision(name: str) -> bool:
    bad_end = name.endswith(("/", ".", ".lock"))
    return bool(_REVISION.fullmatch(name)) and ".." not in name and "//" not in name and not bad_end


@contextmanager
def checkout(code: str, base: Path) -> Iterator[tuple[Path, str]]:
    """The folder with the commit's files, until the block ends, and the reference at its commit.

    Raises :class:`InvalidInput` if there is no such repository, revision or folder, with what git says."""
    reference = parsed(code)
    inner = Path()
    if "://" not in reference.url:
        here = (base / reference.url).resolve()
        top, place, _ = _git._around(here)
        if place is None:
            raise InvalidInput(
                f"code: {here} is in no git repository; change to one, or write git+https://HOST/PATH@REF"
            )
        reference, inner = replace(reference, url=f"file://{top}"), here.relative_to(top)
    with tempfile.TemporaryDirectory(prefix="mayfly-checkout-") as scratch:
        _must(scratch, "init", "--quiet", "--template=", ".")
        _must(scratch, "remote", "add", "origin", reference.url)
        commit = _fetched(scratch, reference)
        _must(scratch, "checkout", "--quiet", "--detach", commit)
        if (Path(scratch) / ".gitmodules").exists():
            _must(scratch, "submodule", "--quiet", "update", "--init", "--recursive", "--depth", "1")
        folder = Path(scratch) / inner / reference.subdirectory
        if not folder.is_dir():
            raise InvalidInput(f"code: {reference.url} has no folder {inner / reference.subdirectory} at {commit[:12]}")
        asked = reference.revision if reference.revision != commit else ""
        yield folder, str(replace(reference, revision=commit, asked=asked))


def _fetched(scratch: str, reference: Reference) -> str:
    name = reference.revision or "HEAD"
    status, said = _run(scratch, "fetch", "--quiet", "--no-tags", "--depth", "1", "origin", name)
    if status == 0:
        return _must(scratch, "rev-parse", "--verify", "FETCH_HEAD^{commit}")
    # A server that has the commit may give out branches and tags alone, and of no shortened name.
    if _MAYBE_COMMIT.fullmatch(name):
        everything = _run(scratch, "fetch", "--quiet", "--tags", "origin", "+refs/heads/*:refs/remotes/origin/*")
        found = _run(scratch, "rev-parse", "--verify", "--quiet", name + "^{commit}")
        if everything[0] == found[0] == 0:
            return found[1]
    raise InvalidInput(f"code: cannot fetch {reference.url} {name}: git says: {_last(said, status)}")


def _must(scratch: str, *arguments: str) -> str:
    status, said = _run(scratch, *arguments)
    if status != 0:
        raise InvalidInput(f"code: git {arguments[0]} says: {_last(said, status)}")
    return said


def _last(said: str, status: int) -> str:
    return said.splitlines()[-1] if said else f"status {status}"


def _run(scratch: str, *arguments: str) -> tuple[int, str]:
    selecting = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"}
    kept = {name: value for name, value in os.environ.items() if name not in selecting}
    off = ["-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false"]
    try:
        done = subprocess.run(
            ["git", "--no-pager", "-C", scratch, *off, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # A password is a credential helper's to give: nobody may be at the terminal.
            env={**kept, "GIT_TERMINAL_PROMPT": "0"},
            timeout=_LONGEST_SECONDS,
        )
    except subprocess.TimeoutExpired as e:
        raise InvalidInput(f"code: git {arguments[0]} did not end within {_LONGEST_SECONDS} s") from e
    except OSError as e:
        raise InvalidInput(f"code: git cannot be started: {e}; install git") from e
    return done.returncode, done.stdout.decode(errors="replace").strip()
