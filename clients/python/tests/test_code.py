"""What a folder's archive holds."""

import io
import os
import subprocess
import tempfile
import unittest
import warnings
import zipfile
from pathlib import Path
from unittest import mock

import context  # noqa: F401  makes the package importable

from mayfly import InvalidInput, _code, _walk


class CodeTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def write(self, *names):
        for name in names:
            file = self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(name)

    def test_generated_folders_stay_unless_included(self):
        self.write("a.py", "data/target/b", ".venv/lib/c", "x/node_modules/d", "__pycache__/e")
        self.assertEqual(["a.py", "data/target/b"], _code.files_of(self.folder))
        (self.folder / ".mayflyignore").write_text("!node_modules\n*.py\n/data/\n# a note\n")
        self.assertEqual([".mayflyignore", "x/node_modules/d"], _code.files_of(self.folder))

    def test_git_decides_where_there_is_git(self):
        self.write("kept.py", "secret.env", "new.txt")
        (self.folder / ".gitignore").write_text("*.env\n")
        subprocess.run(["git", "init", "-q", str(self.folder)], check=True)
        self.assertEqual([".gitignore", "kept.py", "new.txt"], _code.files_of(self.folder))

    def test_equal_trees_are_equal_archives(self):
        self.write("a", "b/c")
        first = _code.pack(self.folder, {"x": b"1"})
        os.utime(self.folder / "a", (1, 1))
        self.assertEqual(first, _code.pack(self.folder, {"x": b"1"}))
        self.assertNotEqual(first, _code.pack(self.folder, {"x": b"2"}))

    def test_programs_stay_executable(self):
        self.write("run.sh", "plain")
        os.chmod(self.folder / "run.sh", 0o755)
        archive = zipfile.ZipFile(io.BytesIO(_code.pack(self.folder, {})))
        modes = {i.filename: i.external_attr >> 16 & 0o777 for i in archive.infolist()}
        self.assertEqual({"run.sh": 0o755, "plain": 0o644}, modes)

    def test_link_to_the_outside_is_refused(self):
        (self.folder / "key").symlink_to("/etc/hostname")
        with self.assertRaisesRegex(InvalidInput, "'key' is a link to /etc/hostname, which leads outside"):
            _code.files_of(self.folder)

    def test_too_large_is_said_of_what_is_large(self):
        self.write("a")
        with mock.patch.object(_code, "_MAX_BYTES", 1_000_000):
            with self.assertRaisesRegex(InvalidInput, "^inputs: they have 2 MB, .* put them into a bucket"):
                _code.pack(self.folder, {".mayfly/inputs.bin": bytes(2_000_000)})
            with self.assertRaisesRegex(InvalidInput, "^function: it, with the values that it names, has 2 MB"):
                _code.pack(self.folder, {".mayfly/call.pkl": bytes(2_000_000)})
            (self.folder / "a").write_bytes(bytes(2_000_000))
            with self.assertRaisesRegex(InvalidInput, "^code: .* has 2 MB; .* name data in .mayflyignore"):
                _code.pack(self.folder, {})

    def test_what_is_left_out_is_logged_and_surprises_warn(self):
        self.write("a.py", ".venv/x")
        with self.assertLogs("mayfly", "INFO") as log, warnings.catch_warnings():
            warnings.simplefilter("error")
            _code.pack(self.folder, {})
        self.assertIn("code: 1 file, ", log.output[0])
        self.assertIn("; 1 folder left out: .venv (", log.output[0])
        os.mkfifo(self.folder / "pipe")
        with self.assertWarnsRegex(UserWarning, "left out, as pipes, sockets and devices hold nothing: pipe"):
            _code.pack(self.folder, {})

    def test_empty_folders_are_in_the_archive(self):
        self.write("a.py")
        (self.folder / "logs/deep").mkdir(parents=True)
        archive = zipfile.ZipFile(io.BytesIO(_code.pack(self.folder, {})))
        self.assertEqual(["a.py", "logs/deep/"], archive.namelist())

    def test_name_that_is_no_text_is_refused(self):
        self.write("a.py")
        with open(os.fsencode(self.folder) + b"/b\xff", "w"):
            pass
        with self.assertRaisesRegex(InvalidInput, "has a name that is not text"):
            _code.files_of(self.folder)

    def test_entries_beyond_the_limits_are_refused(self):
        deep, long = "d/" * 101 + "a", "/".join(["n" * 200] * 11)
        for name, problem in [
            (deep, "lies more than 100 folders deep"),
            (long, "that is too long: more than 2,048 bytes"),
        ]:
            with self.subTest(problem), tempfile.TemporaryDirectory() as other:
                (Path(other) / name).parent.mkdir(parents=True)
                (Path(other) / name).write_text("")
                with self.assertRaisesRegex(InvalidInput, problem):
                    _code.files_of(other)

    def test_links_do_not_multiply_without_end(self):
        for number in range(4):
            (self.folder / f"d{number}").mkdir()
            for link in "ab":
                (self.folder / f"d{number}" / link).symlink_to(f"../d{number + 1}")
        self.write("d4/file")
        with mock.patch.object(_walk, "_MOST_ENTRIES", 20):
            with self.assertRaisesRegex(InvalidInput, "'d0/b' is a link to ../d1, and links make more than 20 files"):
                _code.files_of(self.folder)

    def test_what_may_not_be_read_is_refused(self):
        self.write("a.py", "locked", "closed/b")
        scandir = os.scandir

        def scan(folder):
            if str(folder).endswith("closed"):
                raise PermissionError(folder)
            return scandir(folder)

        may = mock.patch("os.access", lambda path, how: not str(path).endswith("locked"))
        with may, mock.patch("os.scandir", scan), self.assertRaises(InvalidInput) as refused:
            _code.files_of(self.folder)
        cannot = "cannot be read: its permissions forbid it; let it be read, or name it in .mayflyignore"
        self.assertEqual(f"code: 'closed' {cannot}\ncode: 'locked' {cannot}", str(refused.exception))

    def test_ignore_file_that_is_no_text_is_refused(self):
        (self.folder / ".mayflyignore").write_bytes("ok\nb\u00e4r\n".encode("latin-1"))
        with self.assertRaisesRegex(InvalidInput, "ignore is not UTF-8 text; save it as UTF-8 .byte 0xE4 of line 2"):
            _code.files_of(self.folder)

    def test_no_folder_is_told(self):
        with self.assertRaisesRegex(InvalidInput, "none is not a folder"):
            _code.files_of("none")


if __name__ == "__main__":
    unittest.main()
