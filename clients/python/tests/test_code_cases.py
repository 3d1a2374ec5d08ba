"""The rules of what is packed, case by case: the command line's CodeCasesTest has the same cases."""

import json
import os
import tempfile
import unittest
from pathlib import Path

import context  # noqa: F401  makes the package importable

from mayfly import InvalidInput
from mayfly._walk import Walk

CASES = json.loads((Path(__file__).parent / "code_cases.json").read_text())["cases"]


def make(folder, case):
    for line in case["tree"]:
        name, arrow, target = line.partition(" -> ")
        place = folder / name.rstrip("/|").rstrip(" ")
        place.parent.mkdir(parents=True, exist_ok=True)
        if arrow:
            place.symlink_to(target)
        elif name.endswith("/"):
            place.mkdir()
        elif name.endswith(" |"):
            os.mkfifo(place)
        else:
            place.write_text(name)
    for name, text in case.get("text", {}).items():
        (folder / name).write_text(text)


class CodeCasesTest(unittest.TestCase):
    def test_each_case_is_packed_as_it_says(self):
        for case in CASES:
            with self.subTest(case["name"]), tempfile.TemporaryDirectory() as temporary:
                folder = Path(temporary) / "code"
                folder.mkdir()
                make(folder, case)
                if "refused" in case:
                    with self.assertRaises(InvalidInput) as refused:
                        Walk(folder)
                    self.assertEqual([f"code: {one}" for one in case["refused"]], str(refused.exception).splitlines())
                    continue
                walk = Walk(folder)
                self.assertEqual(case["packed"], sorted(walk.files))
                self.assertEqual(case.get("folders", []), walk.folders)
                self.assertEqual(case["said"], walk.left_out)


if __name__ == "__main__":
    unittest.main()
