"""Code that is a commit of a git repository."""

import io
import os
import subprocess
import tempfile
import unittest
import warnings
import zipfile
from pathlib import Path

import context  # noqa: F401  makes the package importable

from mayfly import InvalidInput, _checkout, _code


class CheckoutTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(os.path.realpath(temporary.name)) / "code"
        self.folder.mkdir()
        self.git("init", "-q", "-b", "main")
        (self.folder / "models").mkdir()
        (self.folder / "models/a.py").write_text("model")
        self.commit("first")
        self.git("tag", "v1")
        self.commit("second")
        (self.folder / "train.py").write_text("not committed")

    def git(self, *arguments):
        command = ["git", "-C", str(self.folder), "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, text):
        (self.folder / "train.py").write_text(text)
        self.git("add", ".")
        self.git("commit", "-qm", text)

    def text(self, code):
        archive, _ = _code.packed(code, self.folder, {})
        return zipfile.ZipFile(io.BytesIO(archive)).read("train.py").decode()

    def test_tag_branch_and_commit_are_fetched(self):
        first = self.git("rev-parse", "v1")
        url = f"git+file://{self.folder}"
        for code in ("git+.@v1", f"{url}@v1", f"{url}@{first}", f"{url}@{first[:8]}"):
            self.assertEqual("first", self.text(code), code)
        self.assertEqual("second", self.text(url))

    def test_commit_is_named(self):
        first = self.git("rev-parse", "v1")
        _, fields = _code.packed("git+.@v1", self.folder, {})
        self.assertEqual({"codeFrom": f"git+file://{self.folder}@{first}#ref=v1"}, fields)
        self.assertEqual({}, _code.packed(".", self.folder, {})[1])

    def test_subdirectory_alone_is_the_code(self):
        archive, _ = _code.packed("git+.@v1#subdirectory=models", self.folder, {"x": b"1"})
        self.assertEqual(["a.py", "x"], sorted(zipfile.ZipFile(io.BytesIO(archive)).namelist()))

    def test_unknown_places_are_refused(self):
        for code, words in (
            ("git+.@nowhere", "remote ref nowhere"),
            ("git+.@v1#subdirectory=none", "has no folder none"),
            ("git+.@--upload-pack=evil", "is not a branch"),
            ("git+ext::sh -c evil@main", "is no repository"),
            ("git+https://token@host/x", "has a user or token"),
            ("git+http://host/x", "is no repository"),
            ("git+.@main#egg=x", "only subdirectory=FOLDER"),
            ("git+.@main#subdirectory=../x", "is no folder in a repository"),
        ):
            with self.assertRaisesRegex(InvalidInput, words, msg=code):
                self.text(code)
        with self.assertRaisesRegex(InvalidInput, "is in no git repository"):
            _code.packed("git+.@v1", Path(os.path.realpath(tempfile.gettempdir())), {})

    def test_pointers_of_large_files_are_told(self):
        (self.folder / "weights.bin").write_text(_code._POINTER.decode() + "\noid sha256:00\n")
        self.commit("weights")
        with self.assertWarnsRegex(UserWarning, "pointers of Git LFS without the data are in it: 1, first weights.bin"):
            self.text("git+.@main")

    def test_references_are_written_as_they_are_read(self):
        for code in ("git+https://host/lab/train@v1#subdirectory=m&ref=x", "git+ssh://git@host/lab/x", "git+.@a/b"):
            self.assertEqual(code, str(_checkout.parsed(code)))


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main()
