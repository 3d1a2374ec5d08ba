"""Which files git names, and what it is kept from doing meanwhile."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import context  # noqa: F401  makes the package importable

from mayfly import _code, _git

# All that git has run, in some version, of what a repository's configuration names.
HOSTILE = """
[core]
  repositoryformatversion = 1
  fsmonitor = PROGRAM
  hooksPath = HOOKS
  pager = PROGRAM
  sshCommand = PROGRAM
  worktree = /
[include]
  path = INCLUDED
[pager]
  ls-files = PROGRAM
[alias]
  ls-files = !PROGRAM
[filter "evil"]
  clean = PROGRAM
  process = PROGRAM
  required = true
[extensions]
  partialClone = origin
[remote "origin"]
  url = ext::PROGRAM
  promisor = true
"""


class GitTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.place = Path(temporary.name)
        self.folder = self.place / "code"
        self.repository(self.folder, "lib/a.py", "tracked.log")
        (self.folder / ".gitignore").write_text("*.log\n")
        self.write("new.py", "new.log")

    def write(self, *names):
        for name in names:
            (self.folder / name).write_text(name)

    def repository(self, folder, *names, kind="sha1"):
        self.git(self.place, "init", "-q", f"--object-format={kind}", str(folder))
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(name)
        self.git(folder, "add", "-f", ".")
        self.git(folder, "commit", "-qm", "first")

    def git(self, folder, *arguments):
        command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
        return subprocess.run(command, check=True, capture_output=True).stdout

    def assert_as_by_git(self, folder):
        listed = self.git(folder, "ls-files", "-zco", "--exclude-standard", "--deduplicate")
        self.assertEqual(sorted(os.fsdecode(n) for n in listed.split(b"\0") if n), _code.files_of(folder))

    def test_repositories_are_listed_as_by_git(self):
        self.assert_as_by_git(self.folder)
        self.assert_as_by_git(self.folder / "lib")
        self.git(self.folder, "update-index", "--split-index")
        self.assert_as_by_git(self.folder)
        self.git(self.folder, "worktree", "add", "-q", str(self.place / "further"))
        self.assert_as_by_git(self.place / "further")
        self.repository(self.place / "other", "a.py", kind="sha256")
        self.assert_as_by_git(self.place / "other")

    def test_patterns_of_the_repository_alone_count(self):
        (self.folder / ".git/info/exclude").write_text("new.py\n")
        (self.place / "patterns").write_text(".gitignore\n")
        self.git(self.folder, "config", "core.excludesFile", str(self.place / "patterns"))
        self.assert_as_by_git(self.folder)
        self.assertEqual(["lib/a.py", "tracked.log"], _code.files_of(self.folder))

    def test_folder_without_repository_is_read_as_new(self):
        plain = self.place / "plain"
        plain.mkdir()
        (plain / ".git").write_text("gitdir: nowhere\n")
        (plain / ".gitignore").write_text("b\n")
        (plain / "a").write_text("")
        (plain / "b").write_text("")
        self.assertEqual({"b"}, _git.ignored(plain))

    def test_no_program_that_the_folder_names_runs(self):
        self.repository(self.folder / "nested", "b.py")
        program = self.place / "program"
        program.write_text(f"#!/bin/sh\necho $@ >> {self.place}/ran\nexit 1\n")
        program.chmod(0o755)
        (self.place / "included").write_text(f"[core]\n\tfsmonitor = {program}\n")
        for folder in (self.folder, self.folder / "nested"):
            hostile = HOSTILE.replace("PROGRAM", str(program)).replace("HOOKS", str(self.place))
            (folder / ".git/config").write_text(hostile.replace("INCLUDED", str(self.place / "included")))
            (folder / ".gitattributes").write_text("* filter=evil\n")
        self.assertLessEqual({"lib/a.py", "nested/b.py"}, set(_code.files_of(self.folder)))
        self.assertFalse((self.place / "ran").exists())


if __name__ == "__main__":
    unittest.main()
