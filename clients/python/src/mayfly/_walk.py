"""What of a folder goes along as code, by the rules of the command line: tests/code_cases.json holds both to them.

A link is packed as the file or folder that it leads to. What cannot be packed is refused, or named.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Sequence

from . import _git
from ._documents import text_of
from ._errors import InvalidInput

_GENERATED = {"__pycache__", "node_modules", ".venv"}
_MOST_ENTRIES = 100_000
_DEEPEST = 100
_LONGEST_PATH = 2_048
_NAMED = 3  # so many names follow a number


class Walk:
    """``files`` are names and places, ``folders`` those in which nothing is packed, ``left_out`` a line on the rest."""

    def __init__(self, folder: str | Path) -> None:
        self._root = os.path.realpath(folder)
        self._lines = _lines(Path(folder) / ".mayflyignore")
        self._ignored = _git.ignored(self._root)
        self._repositories: set[str] = set()
        self._environments: set[str] = set()
        self._by_rule: list[str] = []
        self._git: list[str] = []
        self._special: list[str] = []
        self._refused: list[str] = []
        self._by_links = 0
        self.files: dict[str, Path] = {}
        self.folders: list[str] = []
        try:
            self._folder("", "", (), True)
        except OSError as e:
            raise InvalidInput(f"code: {folder} cannot be read: {e}") from e
        if self._refused:
            raise InvalidInput("\n".join(f"code: {_printable(one)}" for one in sorted(self._refused)[:10]))
        if len(self.files) + len(self.folders) > _MOST_ENTRIES:
            raise InvalidInput(f"code: {folder} has more than {_MOST_ENTRIES:,} files; name data in .mayflyignore")
        self.folders.sort()
        self.left_out = self._words()

    def _folder(self, name: str, place: str, left: tuple[str, ...], wanted: bool) -> None:
        """``name`` is how it is packed, ``place`` where it is without links, ``left`` whence links were followed."""
        if len(name.split("/")) > _DEEPEST:
            self._refuse(name, f"lies more than {_DEEPEST} folders deep; use fewer folders")
            return
        try:
            entries = sorted(os.scandir(os.path.join(self._root, place)), key=lambda e: e.name)
        except PermissionError:
            what = "cannot be read: its permissions forbid it; let it be read, or name it in .mayflyignore"
            self._refuse(name, what)
            return
        environment = False
        if place:
            if place not in self._repositories and any(e.name == ".git" for e in entries):
                self._repositories.add(place)
                inner = _git.ignored(os.path.join(self._root, place))
                self._ignored |= {f"{place}/{one}" for one in inner}
            environment = self._environment(place, entries)
            if environment and name and not self._may_bring_below(place):
                self._by_rule.append(name)
                return None
        before = len(self.files) + len(self.folders)
        for entry in entries:
            self._entry(name, place, entry, left)
        if name and wanted and not environment and before == len(self.files) + len(self.folders):
            self.folders.append(name)
        return None

    def _entry(self, folder: str, folder_place: str, entry: os.DirEntry[str], left: tuple[str, ...]) -> None:
        if left:
            self._by_links += 1
            if self._by_links > _MOST_ENTRIES:
                return None
        name = f"{folder}/{entry.name}" if folder else entry.name
        place = f"{folder_place}/{entry.name}" if folder_place else entry.name
        is_folder = entry.is_dir(follow_symlinks=False)
        rule = self._unwanted(place, entry.is_file(follow_symlinks=False))
        if rule and not (is_folder and self._may_bring_below(place)):
            {"generated": self._by_rule, "git": self._git}.get(rule or "", []).append(name)
            return None
        problem = _name_problem(name)
        if problem:
            self._refuse(name, f"has a name {problem}; rename it, or name it in .mayflyignore")
            return
        if entry.is_symlink():
            self._link(name, folder_place, place, left)
        else:
            self._store(name, place, left, not rule)

    def _store(self, name: str, place: str, left: tuple[str, ...], wanted: bool) -> None:
        path = os.path.join(self._root, place)
        if os.path.isdir(path):
            self._folder(name, place, left, wanted)
        elif not os.path.isfile(path):
            self._special.append(name)
        elif not os.access(path, os.R_OK):
            what = "cannot be read: its permissions forbid it; let it be read, or name it in .mayflyignore"
            self._refuse(name, what)
        else:
            self.files[name] = Path(path)

    def _link(self, name: str, here: str, place: str, left: tuple[str, ...]) -> None:
        path = os.path.join(self._root, place)
        link = f"is a link to {_shown(os.readlink(path))}, "
        copy = "; replace the link by a copy, or name it in .mayflyignore"
        delete = "; delete it, or name it in .mayflyignore"
        try:
            real = _real(path)
        except RuntimeError:
            self._refuse(name, link + "which leads back to the link" + delete)
            return
        if real != self._root and not real.startswith(os.path.join(self._root, "")):
            self._refuse(name, link + "which leads outside of the folder" + copy)
            return
        if not os.path.lexists(real):
            self._refuse(name, link + "which is not there" + delete)
            return
        to = os.path.relpath(real, self._root)
        to = "" if to == "." else to
        if os.path.isdir(real) and any(f"{one}/".startswith(f"{to}/" if to else "") for one in (*left, here)):
            self._refuse(name, link + "a folder that it is in" + delete)
            return
        if to and self._is_unwanted(to, real):
            self._refuse(name, link + "which is not among the packed files" + copy)
            return
        self._store(name, to, (*left, here), True)
        if self._by_links > _MOST_ENTRIES:
            what = f"and links make more than {_MOST_ENTRIES:,} files and folders of what is there"
            self._refuse(name, link + what + delete)
        return None

    def _is_unwanted(self, place: str, real: str) -> bool:
        if self._unwanted(place, os.path.isfile(real)) is not None:
            return True
        above = [place[: m.start()] for m in re.finditer("/", place)] + ([place] if os.path.isdir(real) else [])
        return any(
            self._environment(one, list(os.scandir(os.path.join(self._root, one)))) and not self._may_bring_below(one)
            for one in above
        )

    def _environment(self, place: str, entries: Sequence[os.DirEntry[str]]) -> bool:
        marks = any(e.name == ("conda-meta" if e.is_dir(follow_symlinks=False) else "pyvenv.cfg") for e in entries)
        if not marks or self._effect(place) is True:
            return False
        self._environments.add(place)
        return True

    def _unwanted(self, place: str, is_file: bool) -> str | None:
        """The last rule that counts on the way down to it."""
        rule: str | None = None
        parts = place.split("/")
        for depth, part in enumerate(parts):
            path = "/".join(parts[: depth + 1])
            if part == ".git":
                return "repository"
            if part in _GENERATED and not (is_file and depth == len(parts) - 1):
                rule = "generated"
            if path in self._environments:
                rule = "generated"
            if path in self._ignored:
                rule = "git"
            effect = self._effect(path)
            if effect is not None:
                rule = None if effect else "named"
        return rule

    def _effect(self, path: str) -> bool | None:
        """True if the last line that matches brings it along, False if that leaves it out."""
        for line in reversed(self._lines):
            if line.matches(path):
                line.matched = True
                return line.brings
        return None

    def _may_bring_below(self, place: str) -> bool:
        return any(line.brings and line.may_match_below(place) for line in self._lines)

    def _refuse(self, name: str, what: str) -> None:
        self._refused.append(f"'{_shown(name)}' {what}")

    def _words(self) -> str:
        words = ""
        if self._by_rule:
            count = "1 folder" if len(self._by_rule) == 1 else f"{len(self._by_rule):,} folders"
            words += f"; {count} left out: {_some(self._by_rule)} (to include one, write !NAME into .mayflyignore)"
        if self._git:
            words += f"; {len(self._git):,} ignored by git: {_some(self._git)}"
        return words + self.surprising

    @property
    def surprising(self) -> str:
        """What nobody expects to be left out."""
        words = ""
        if self._special:
            words += f"; left out, as pipes, sockets and devices hold nothing: {_some(self._special)}"
        for line in self._lines:
            if line.brings and not line.matched:
                words += f"; '{line.text}' in .mayflyignore brings nothing along"
        return words


class _Line:
    """One line of a .mayflyignore; ``brings`` if it includes what it matches."""

    def __init__(self, text: str) -> None:
        self.text, self.matched, self.brings = text, False, text.startswith("!")
        rest = text[1:] if self.brings else text
        rest = rest[:-1] if rest.endswith("/") else rest
        self._whole = "/" in rest
        self._parts = rest.lstrip("/").split("/")
        try:
            self._pattern = re.compile(_regex(rest.lstrip("/")), re.DOTALL)
            self._each = [re.compile(_regex(part), re.DOTALL) for part in self._parts] if self._whole else []
        except (ValueError, re.error) as e:
            raise InvalidInput(f"code: '{text}' in .mayflyignore: {e}") from e

    def matches(self, path: str) -> bool:
        return self._pattern.fullmatch(path if self._whole else path.rpartition("/")[2]) is not None

    def may_match_below(self, folder: str) -> bool:
        if not self._whole:
            return False
        for depth, name in enumerate(folder.split("/")):
            if depth < len(self._parts) and "**" in self._parts[depth]:
                return True
            if depth >= len(self._parts) - 1 or not self._each[depth].fullmatch(name):
                return False
        return True


def _regex(glob: str) -> str:
    """As in the job's ``inputs``: * and ? stay in a folder, ** does not, [a-c] is one of these characters."""
    out, at = "", 0
    while at < len(glob):
        if glob.startswith("**/", at) and (at == 0 or glob[at - 1] == "/"):
            out, at = out + "(?:.*/)?", at + 3
        elif glob.startswith("**", at):
            out, at = out + ".*", at + 2
        elif glob[at] in "*?":
            out, at = out + ("[^/]*" if glob[at] == "*" else "[^/]"), at + 1
        elif glob[at] == "[":
            end = glob.find("]", at + 1)
            if end < 0:
                raise ValueError(f"'{glob}' has a [ that no ] closes")
            inside = glob[at + 1 : end]
            negated = inside[:1] in ("!", "^") and inside
            inside = re.sub(r"([\\^\[&~|])", r"\\\1", inside[1:] if negated else inside)
            out, at = out + (f"[^/{inside}]" if negated else f"[{inside}]"), end + 1
        else:
            out, at = out + re.escape(glob[at]), at + 1
    return out


def _lines(file: Path) -> list[_Line]:
    texts = [line.strip() for line in text_of(file).splitlines()] if file.exists() else []
    return [_Line(text) for text in texts if text and not text.startswith("#")]


def _real(path: str) -> str:
    """Where a link leads, as far as it is there. RuntimeError for links that lead to each other."""
    for _ in range(40):
        real = os.path.realpath(path)
        if not os.path.islink(real):
            return real
        path = real
    raise RuntimeError(path)


def _name_problem(name: str) -> str | None:
    try:
        raw = name.encode()
    except UnicodeEncodeError:
        return "that is not text"
    if "\\" in name:
        return "with a backslash, which archives take for a slash"
    return f"that is too long: more than {_LONGEST_PATH:,} bytes with its folders" if len(raw) > _LONGEST_PATH else None


def _some(names: Sequence[str]) -> str:
    shown, more = ", ".join(_printable(name) for name in sorted(names)[:_NAMED]), len(names) - _NAMED
    return shown + (f", and {more:,} more" if more > 0 else "")


def _shown(path: str, most: int = 60) -> str:
    """A path in a sentence: the end says most, and the beginning whose it is."""
    return path if len(path) <= most else f"{path[: most // 3 - 1]}\u2026{path[-(most * 2 // 3) :]}"


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
