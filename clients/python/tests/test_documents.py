"""Job files, which are sent as they are written."""

import json
import tempfile
import unittest
from pathlib import Path
from random import Random

from context import ROOT

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
# the third
    seed: [3]

command: [python, a.py]
"""
OF_VERSION_1_2 = """\
kind: Job
name: dates
after: [{job: first, on: end}]
tasks:
  items: [on, off, 2026-01-31, 012, 1_000]
command: [echo, "{item}"]
"""


def written(random):
    """A number as JSON may have it."""
    text = random.choice(["", "-"]) + random.choice(["0", str(random.randrange(1, 10 ** random.randint(1, 30)))])
    text += random.choice(["", f".{random.randrange(10**9)}", ".10", ".0"])
    return text + random.choice(["", "", f"e-{random.randrange(400)}", f"E{random.randrange(400)}", "e+07"])


class DocumentsTest(unittest.TestCase):
    def file(self, text, name="job.yaml"):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        file = Path(temporary.name) / name
        file.write_text(text)
        return file

    def text(self, job):
        return _documents.message(job).decode()

    def test_yaml_text_keeps_what_it_does_not_read(self):
        job = _documents.YamlText(JOB, "job.yaml")
        self.assertEqual(("sweep", "."), (job["name"], job["code"]))
        job.update({"code": "gs://b/c.zip", "cluster": "lab", "tasks": {"count": 3}, "owner": None})
        block = JOB[JOB.index("tasks:") : JOB.index("command:")]
        self.assertEqual(
            JOB.replace("code: '.'\n", 'code: "gs://b/c.zip"\n').replace(block, 'tasks: {"count": 3}\n')
            + 'cluster: "lab"\n',
            self.text(job),
        )

    def test_words_and_dates_are_sent_as_they_are_written(self):
        job, _ = _documents.read(self.file(OF_VERSION_1_2))
        self.assertEqual(OF_VERSION_1_2, self.text(job))
        job["cluster"] = "lab"
        self.assertEqual(OF_VERSION_1_2 + 'cluster: "lab"\n', self.text(job))

    def test_default_changes_no_field(self):
        job = _documents.YamlText(JOB, "job.yaml")
        self.assertEqual("sweep", job.setdefault("name", "other"))
        self.assertEqual(JOB, job.text)

    def test_headers_stay_before_their_job(self):
        header = "# what for\nvariables: {lr: 1}\ndefaults:\n  Job: {owner: ann}\n"
        job = _documents.YamlText(header + "---\n" + JOB, "job.yaml")
        job["name"] = "other"
        job.setdefault("owner", "bob")
        self.assertEqual(header + "---\n" + JOB.replace("name: sweep # its name", 'name: "other"'), self.text(job))

    def test_variables_of_the_call_hold(self):
        header = "variables: {lr: 1, as: deep}\n"
        own = "variables:\n  lr: 2\n  n: 3\n"
        for before, inside in (("", ""), (header + "---\n", ""), ("", own), (header + "---\n", own)):
            job = _documents.YamlText(before + inside + JOB, "job.yaml")
            job.set_variables({"lr": 5})
            texts = self.text(job).split("---\n")
            self.assertTrue(texts[-1].endswith('variables: {"lr": 5}\n'), texts)
            self.assertEqual(1, sum(line.startswith("variables:") for line in texts[-1].splitlines()))
            self.assertEqual([inside] if inside else [], [t for t in texts if t == own])
            self.assertEqual("5", job.variables()["lr"])

    def test_name_is_filled_in(self):
        head = "variables:\n  repl: none # how\n  other: x\n---\n"
        job = _documents.YamlText(head + JOB.replace("sweep", "bc-{repl}"), "job.yaml")
        self.assertEqual("bc-none", _documents.name_of(job))
        job.set_variables({"repl": "pca"})
        self.assertEqual("bc-pca", _documents.name_of(job))
        self.assertEqual("a-1-{b}", _documents.name_of({"name": "a-{n}-{b}", "variables": {"n": 1}}))

    def test_sweep_of_the_examples_is_read(self):
        file = ROOT / "examples/il-representations/sweep.yaml"
        job, folder = _documents.read(file)
        self.assertEqual((file.parent, "."), (folder, job["code"]))
        self.assertEqual(file.read_text(), self.text(job))
        job.set_variables({"repl": "pca"})
        self.assertEqual("bc-pca", _documents.name_of(job))
        self.assertEqual(file.read_text() + 'variables: {"repl": "pca"}\n', self.text(job))

    def test_every_job_of_the_examples_is_read(self):
        files = [f for f in ROOT.glob("examples/*/*.yaml") if "\nkind: Job" in f.read_text()]
        self.assertGreater(len(files), 8)
        for file in files:
            self.assertEqual(file.read_text(), self.text(_documents.read(file)[0]), file)

    def test_several_jobs_are_refused(self):
        with self.assertRaisesRegex(InvalidInput, "has 2 jobs"):
            _documents.YamlText("---\n" + JOB + "--- # another\n" + JOB, "job.yaml")
        with self.assertRaisesRegex(InvalidInput, "has 0 jobs"):
            _documents.YamlText("variables: {a: 1}\n", "job.yaml")
        self.assertEqual("sweep", _documents.YamlText("---\n" + JOB, "job.yaml")["name"])

    def test_flow_over_several_lines_is_replaced_whole(self):
        job = _documents.YamlText("kind: Job\nname: a\ntasks: {\n  count: 1\n}\ncode: .\n", "job.yaml")
        job["tasks"] = {"count": 2}
        self.assertEqual('kind: Job\nname: a\ntasks: {"count": 2}\ncode: .\n', self.text(job))

    def test_json_is_read_and_empty_fields_are_left_out(self):
        file = self.file(json.dumps({"kind": "Job", "name": "a", "owner": None}), "job.json")
        job, folder = _documents.read(file)
        self.assertEqual(file.parent.resolve(), folder)
        self.assertEqual({"kind": "Job", "name": "a"}, json.loads(_documents.message(job)))

    def test_numbers_of_json_arrive_as_they_are_written(self):
        random = Random(22)
        numbers = ["0.0001", "1e-05", "1E3", "-0.0", "-0", "1.10", "12345678901234567890", "0.1234567890123456789"]
        numbers += [written(random) for _ in range(300)]
        text = '{"kind": "Job", "name": "a", "tasks": {"items": [%s]}}' % ", ".join(numbers)
        job, _ = _documents.read(self.file(text, "job.json"))
        sent = json.loads(self.text(job), parse_int=str, parse_float=str)
        self.assertEqual(numbers, sent["tasks"]["items"])

    def test_numbers_of_python_are_sent_as_python_writes_them(self):
        sent = self.text({"variables": {"lr": 1e-05, "n": 10**30, "w": 0.0001, "z": -0.0}})
        self.assertEqual('{"variables": {"lr": 1e-05, "n": %d, "w": 0.0001, "z": -0.0}}' % 10**30, sent)

    def test_what_json_has_no_words_for_is_refused(self):
        for value in (float("nan"), float("inf"), {1, 2}, b"x"):
            with self.assertRaisesRegex(InvalidInput, "cannot be written as JSON"):
                _documents.message({"variables": {"lr": value}})

    def test_a_field_of_json_that_is_there_twice_is_refused(self):
        with self.assertRaisesRegex(InvalidInput, "'lr' is there twice"):
            _documents.read(self.file('{"name": "a", "env": {"lr": 1, "lr": 2}}', "job.json"))

    def test_other_kinds_are_refused(self):
        with self.assertRaisesRegex(InvalidInput, "kind Cluster, not Job"):
            _documents.read(self.file("kind: Cluster\nname: a\n"))


if __name__ == "__main__":
    unittest.main()
