"""Job files, with and without PyYAML."""

import json
import tempfile
import unittest
from pathlib import Path

import context  # noqa: F401  makes the package importable
from mayfly import InvalidInput, _documents

JOB = """\
# a job
apiVersion: mayfly.dev/v1
kind: Job
name: sweep # its name
code: '.'
tasks:
  matrix:
    lr: [1, 2]

command: [python, a.py]
"""


class DocumentsTest(unittest.TestCase):
    def file(self, text, name="job.yaml"):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        file = Path(temporary.name) / name
        file.write_text(text)
        return file

    def test_yaml_text_keeps_what_it_does_not_read(self):
        job = _documents.YamlText(JOB, "job.yaml")
        self.assertEqual(("sweep", "."), (job["name"], job["code"]))
        job.update({"code": "gs://b/c.zip", "cluster": "lab", "tasks": {"count": 3}, "owner": None})
        self.assertEqual(
            JOB.replace("code: '.'\n", 'code: "gs://b/c.zip"\n').replace(
                "tasks:\n  matrix:\n    lr: [1, 2]\n\n", 'tasks: {"count": 3}\n') + 'cluster: "lab"\n',
            _documents.message(job).decode())

    def test_default_changes_no_field(self):
        job = _documents.YamlText(JOB, "job.yaml")
        self.assertEqual("sweep", job.setdefault("name", "other"))
        self.assertEqual(JOB, job.text)

    def test_several_documents_are_refused(self):
        with self.assertRaisesRegex(InvalidInput, "several documents"):
            _documents.YamlText("---\n" + JOB + "---\n" + JOB, "job.yaml")
        self.assertEqual("sweep", _documents.YamlText("---\n" + JOB, "job.yaml")["name"])

    def test_json_is_read_and_empty_fields_are_left_out(self):
        file = self.file(json.dumps({"kind": "Job", "name": "a", "owner": None}), "job.json")
        job, folder = _documents.read(file)
        self.assertEqual(file.parent.resolve(), folder)
        self.assertEqual({"kind": "Job", "name": "a"}, json.loads(_documents.message(job)))

    def test_other_kinds_are_refused(self):
        with self.assertRaisesRegex(InvalidInput, "kind Cluster, not Job"):
            _documents.read(self.file("kind: Cluster\nname: a\n"))


if __name__ == "__main__":
    unittest.main()
