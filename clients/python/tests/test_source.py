"""A retry runs the function as it is now, or says that it cannot."""

import tempfile
import unittest
from pathlib import Path

import context  # noqa: F401  makes the package importable
from test_calls import Recorder, work

from mayfly import Cluster, InvalidInput

SCRIPT = """
LIMIT = 23

def inner(x):
    return x % LIMIT

def f(x, most=3):
    '''Says no.'''
    if inner(x) == 7:
        raise ValueError(x)
    return [y for y in range(most)]
"""


class RetryOfAScriptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "script.py"
        self.file.write_text(SCRIPT)
        self.script = {"__name__": "__main__"}
        exec(compile(SCRIPT, str(self.file), "exec"), self.script)
        self.deployment = Recorder()
        self.futures = Cluster("lab", self.deployment).map(self.script["f"], [7, 30], code=None)

    def test_function_that_its_file_has_newer_is_refused(self):
        for edit in (("== 7", "== 77"), ("x % LIMIT", "x // LIMIT"), ("def f(", "def g("), ("return [", "return [[")):
            self.file.write_text(SCRIPT.replace(*edit))
            with self.subTest(edit), self.assertRaisesRegex(InvalidInput, "another .* than the script that runs"):
                self.futures.retry(code=None)
        self.assertEqual(1, len(self.deployment.jobs))

    def test_function_is_the_same_wherever_its_file_has_it(self):
        self.file.write_text("import os  # new\n\n\n" + SCRIPT.replace("LIMIT = 23", "LIMIT = 23\n\n\n# more"))
        self.futures.retry()
        self.file.unlink()
        self.futures.retry()
        self.assertEqual(3, len(self.deployment.jobs))

    def test_another_function_is_taken_as_it_is_given(self):
        self.file.write_text(SCRIPT.replace("== 7", "== 77"))
        again = self.futures.retry(function=work)
        self.assertEqual([7, 30], [future.input for future in again])
        self.assertTrue(self.deployment.jobs[-1]["name"].startswith("work-"))
