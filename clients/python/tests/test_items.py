"""Files of items: what is read of them, and where the job names it."""

import json
import tempfile
import unittest
from pathlib import Path

import context  # noqa: F401  makes the package importable

from mayfly import InvalidInput, _documents, _items

YAML = "kind: Job\nname: sweep\ntasks:{}\ncommand: [echo, '{{lr}}']\n"


class Bucket:
    """A deployment of which only objects are asked for."""

    def __init__(self, **objects):
        self.objects = objects

    def create_object(self, url, body):
        self.objects[url] = body

    def read_object(self, url):
        return self.objects.get(url)


class ReadTest(unittest.TestCase):
    def test_a_table_has_its_names_in_its_header(self):
        items = _items.read("t.csv", '\ufefflr, model\r\n0.1,small\r\n\r\n1e-5,"a, ""b""\nc"\n'.encode())
        self.assertEqual(["lr", "model"], items.names)
        self.assertEqual([["0.1", "small"], ["1e-5", 'a, "b"\nc']], items.rows)

    def test_a_list_has_an_item_on_each_line(self):
        self.assertEqual([["ann"], [" bob, jr "]], _items.read("n.txt", b"ann\n\n bob, jr \n").rows)

    def test_what_is_wrong_has_its_place(self):
        for file, text, message in (
            ("t.csv", "lr,x\n1,2\n\n3\n", "t.csv:4: 1 values, and the header has 2 columns"),
            ("t.csv", 'lr\n1\n"two\nlines"\n3,4\n', "t.csv:5: 2 values"),
            ("t.csv", "lr,learning rate\n1,2\n", r"t.csv:1: column 2 \(learning rate\) is not a name"),
            ("t.csv", "lr,lr\n1,2\n", r"t.csv:1: column 2 \(lr\) is there twice"),
            ("t.csv", 'lr\n"two\n', "t.csv:2: is not a line of a table"),
            ("t.csv", "lr\n", "t.csv has no item"),
            ("t.tsv", "a\n", "neither a table"),
            ("t.txt", "x\n" * 100_001, "t.txt:100001: is one item more"),
        ):
            with self.subTest(text[:20]), self.assertRaisesRegex(InvalidInput, message):
                _items.read(file, text.encode())


class StoreTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "trials.csv").write_text("lr\n0.1\n0.2\n")
        self.bucket = Bucket()

    def store(self, job):
        _items.store(job, self.folder, self.bucket, lambda: "gs://lab")
        ((place, body),) = self.bucket.objects.items()
        self.assertEqual(
            ['{"index": 0, "vars": {"lr": "0.1"}}', '{"index": 1, "vars": {"lr": "0.2"}}', ""],
            body.decode().split("\n"),
        )
        return {"file": place, "names": ["lr"]}

    def test_a_dictionary_names_the_task_list(self):
        job = {"tasks": {"items": {"file": "trials.csv"}, "output": "gs://lab/{lr}"}}
        named = self.store(job)
        self.assertEqual({"items": named, "output": "gs://lab/{lr}"}, job["tasks"])

    def test_yaml_names_the_task_list(self):
        for tasks in (" {items: {file: trials.csv}}", "\n  items: # many\n    file: 'trials.csv' # here\n  output: o"):
            self.bucket.objects.clear()
            job = _documents.YamlText(YAML.format(tasks), Path("job.yaml"))
            named = self.store(job)
            self.assertIn(f"items: {json.dumps(named)}", job.text)
            self.assertNotIn("trials", job.text)
            self.assertEqual("output: o" in tasks, "\n  output: o\n" in job.text)

    def test_a_file_that_is_not_found_is_refused(self):
        for file in ("other.csv", "gs://lab/other.csv"):
            with self.assertRaisesRegex(InvalidInput, "other.csv"):
                _items.store({"tasks": {"items": {"file": file}}}, self.folder, self.bucket, lambda: "gs://lab")
        with self.assertRaisesRegex(InvalidInput, "mayfly submit"):
            job = _documents.YamlText(YAML.format(" {items: {file: '{x}.csv'}}"), Path("job.yaml"))
            _items.store(job, self.folder, self.bucket, lambda: "gs://lab")

    def test_other_jobs_stay_as_they_are(self):
        for job in ({"tasks": {"count": 3}}, _documents.YamlText(YAML.format(" {count: 3}"), Path("job.yaml"))):
            before = dict(job)
            _items.store(job, self.folder, self.bucket, self.fail)
            self.assertEqual(before, dict(job))
