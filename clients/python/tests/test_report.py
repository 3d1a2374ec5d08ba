"""Metrics that a task reports, from Python and from a shell."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from context import ROOT

import mayfly


class ReportTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.file = Path(temporary.name) / "metrics"

    def lines(self):
        return [json.loads(line) for line in self.file.read_text().splitlines()]

    def command(self, *arguments):
        environment = {**os.environ, "MAYFLY_METRICS": str(self.file), "PYTHONPATH": str(ROOT / "clients/python/src")}
        command = [sys.executable, "-m", "mayfly", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True)

    def test_each_call_appends_a_line(self):
        with mock.patch.dict(os.environ, MAYFLY_METRICS=str(self.file)):
            mayfly.report(step=3, acc=0.93)
            mayfly.report(acc=True)
        self.assertEqual([{"step": 3, "acc": 0.93}, {"acc": 1}], self.lines())

    def test_outside_of_a_task_nothing_happens(self):
        with mock.patch.dict(os.environ):
            os.environ.pop("MAYFLY_METRICS", None)
            mayfly.report(acc=0.93)

    def test_text_is_no_metric(self):
        with mock.patch.dict(os.environ, MAYFLY_METRICS=str(self.file)):
            with self.assertRaises(ValueError):
                mayfly.report(acc="high")
        self.assertFalse(self.file.exists() and self.lines())

    def test_shell_reports_too(self):
        self.assertEqual(0, self.command("report", "acc=0.93", "step=3").returncode)
        self.assertEqual([{"acc": 0.93, "step": 3}], self.lines())

    def test_wrong_words_show_the_usage(self):
        for arguments in (["report"], ["report", "acc"], ["report", "acc=high"], ["tell", "acc=1"]):
            done = self.command(*arguments)
            self.assertEqual(1, done.returncode)
            self.assertIn("usage: python -m mayfly report NAME=NUMBER", done.stderr)


if __name__ == "__main__":
    unittest.main()
