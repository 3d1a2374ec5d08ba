"""Tasks that have several inputs each."""

import json
import pickle
import unittest

from context import sample
from test_calls import Recorder
from test_function import Shipping
from test_futures import ScriptedJob
from test_warm import Process

from mayfly import Cluster, InvalidInput
from mayfly._chunks import chunks_of, flat
from mayfly._futures import Futures, Results


class TaskTest(Shipping):
    """What a task makes of its inputs."""

    def task(self, function, inputs, batch, name="out.json"):
        self.assertEqual("", self.ship(f"{function}\nship(work, [{inputs}], batch={batch})"))
        body, done = self.run_task(0, name)
        return body and json.loads(body), done.stderr

    def test_each_input_has_a_call(self):
        self.assertEqual([[2, 4, 6], ""], list(self.task("def work(x): return 2 * x", [1, 2, 3], 0)))

    def test_each_batch_has_a_call(self):
        batches = self.task("def work(xs): return [len(xs)] * len(xs)", [1, 2, 3, 4, 5], 2)
        self.assertEqual([2, 2, 2, 2, 1], batches[0])

    def test_what_is_raised_names_its_input(self):
        _, log = self.task("def work(x): return 1 / x", [5, 0, 1], 0)
        self.assertRegex(log, r"raised ZeroDivisionError: .*\nwith input 1 of 3 of this task, 0:\nTraceback")
        _, log = self.task("def work(xs): return [1 / x for x in xs]", [5, 3, 0, 1], 2)
        self.assertRegex(log, r"\nwith inputs 2 to 3 of 4 of this task, \[0, 1\]:\n")

    def test_input_that_cannot_be_shown_hides_nothing(self):
        function = "class Odd:\n    def __repr__(self): raise OSError('odd')\ndef work(x): raise ValueError('bad')"
        _, log = self.task(function, "[Odd()]", 0)
        self.assertRegex(log, r"with input 0 of 1 of this task, which cannot be shown: OSError\('odd'\):\n")
        self.assertTrue(log.endswith("ValueError: bad\n"))

    def test_batch_must_have_a_result_for_each_input(self):
        for returned, told in [
            ("xs[1:]", "returned 1 results for 2 inputs"),
            ("{x: x for x in xs}", "returned a dict: return a list"),
            ("'ab'", "returned a str: return a list"),
            ("3", "returned a int: return a list"),
        ]:
            body, log = self.task(f"def work(xs): return {returned}", [1, 2], 2)
            self.assertIsNone(body)
            self.assertIn(told, log)

    def test_call_that_writes_the_output_itself_fails(self):
        function = "import os\ndef work(x):\n    open(os.environ['MAYFLY_OUTPUT'], 'w').write('[1]')"
        _, log = self.task(function, [1, 2], 0)
        self.assertIn("where the results of all inputs of this task go: return it", log)

    def test_program_that_stays_takes_lists(self):
        self.ship("""
            class Model:
                def __init__(self): self.calls = 0
                def __call__(self, xs):
                    self.calls += 1
                    if xs == ['bad']: raise ValueError('no model of it')
                    return [(x, self.calls) for x in xs]
            class Broken:
                def __reduce__(self): return int, ('x',)
            ship(Model, [['a', 'b', 'c'], ['d', 'e', 'bad'], [Broken()], ['f']], batch=2)
            """)
        process = Process(self.folder, "input")
        self.assertEqual([("a", 1), ("b", 1), ("c", 2)], pickle.loads(process.run(0)[2]))
        self.assertEqual((1, False, None), process.run(1))
        self.assertEqual((1, False, None), process.run(2))  # whose input cannot be read here
        self.assertEqual([("f", 5)], pickle.loads(process.run(3)[2]))
        self.assertEqual(1, process.end().count("with inputs 2 to 2 of 3 of this task, ['bad']:"))


class JobsTest(unittest.TestCase):
    """The jobs of such maps, and their results."""

    def setUp(self):
        self.deployment = Recorder()
        self.cluster = Cluster("lab", self.deployment)

    def test_task_has_so_many_inputs(self):
        calls = self.cluster.map(len, ["a", "b", "c"], code=None, chunksize=2)
        self.assertEqual([["a", "b"], ["c"]], [call.input for call in calls])
        self.assertEqual(2, self.deployment.jobs[-1]["tasks"]["count"])
        self.assertTrue(all(call.is_chunk for call in calls))

    def test_batch_alone_is_the_task(self):
        calls = self.cluster.map(len, range(5), code=None, batch=3)
        self.assertEqual([[0, 1, 2], [3, 4]], [call.input for call in calls])
        calls = self.cluster.map(len, range(5), code=None, batch=2, chunksize=4)
        self.assertEqual([[0, 1, 2, 3], [4]], [call.input for call in calls])

    def test_retry_has_the_same_tasks(self):
        calls = self.cluster.map(len, range(5), code=None, batch=2, output="gs://lab/{index}.pkl")
        again = calls[1:].retry()
        self.assertEqual([[2, 3], [4]], [call.input for call in again])
        self.assertTrue(again[0].is_chunk)
        self.assertEqual([{"n": 1}, {"n": 2}], self.deployment.jobs[-1]["tasks"]["items"])

    def test_calls_of_another_process_are_lists_too(self):
        job = self.cluster.map(len, ["a", "b", "c"], code=None, chunksize=2).job
        answer = sample("view-job", uid=job.uid, state="running")
        answer["spec"]["run"].update(
            code=self.deployment.jobs[-1]["code"], command=["python3", ".mayfly/task.py", "{index}"]
        )
        job.status, job.read_object = lambda: answer, self.deployment.archives.get
        calls = job.futures()
        self.assertEqual([["a", "b"], ["c"]], [call.input for call in calls])
        self.assertTrue(calls[0].is_chunk)

    def test_results_are_one_for_each_input(self):
        job = ScriptedJob(2, [{0: "done", 1: "done"}])
        job.read_object = lambda url: pickle.dumps({"gs://b/0.pkl": [1, 2], "gs://b/1.pkl": [3]}[url])
        calls = Futures(Results(job, [["a", "b"], ["c"]], None, chunked=True).futures)
        self.assertEqual([1, 2], calls[0].result())
        self.assertEqual([1, 2, 3], calls.results())
        self.assertEqual([3], calls[1:].results())

    def test_results_of_other_chunks_are_refused(self):
        job = ScriptedJob(1, [{0: "done"}])
        job.read_object = lambda url: pickle.dumps([1, 2, 3])
        calls = Futures(Results(job, [["a", "b"]], None, chunked=True).futures)
        with self.assertRaisesRegex(InvalidInput, "0.pkl has 3 results for 2 inputs: an earlier run with another"):
            calls.results()
        with self.assertRaisesRegex(InvalidInput, "has a int for 1 inputs"):
            flat(["a"], 7, "gs://b/0.pkl")

    def test_what_makes_no_sense_is_refused(self):
        for wrong, told in [
            (dict(chunksize=0), "chunksize is 0: write how many inputs"),
            (dict(batch=True), "batch is True: write how many inputs"),
            (dict(chunksize=2.5), "chunksize is 2.5"),
            (dict(chunksize=2, batch=3), "a task with 2 inputs .chunksize. never has the 3 of a call"),
            (dict(batch=3, output="gs://lab/{index}.txt"), "name a .json or .pkl"),
        ]:
            with self.assertRaisesRegex(InvalidInput, told):
                self.cluster.map(len, [1], code=None, **wrong)
        self.assertEqual([], self.deployment.jobs)
        self.assertIsNone(chunks_of(None, None, "gs://lab/{index}.txt"))

    def test_other_calls_have_a_task_each(self):
        with self.assertRaisesRegex(InvalidInput, "call has no batch, which is map's"):
            self.cluster.call(len, "a", code=None, batch=2)
        with self.assertRaisesRegex(InvalidInput, "map_files has no chunksize"):
            self.cluster.map_files(len, "gs://lab/*", output="gs://lab/{stem}.pkl", code=None, chunksize=2)
        with self.assertRaisesRegex(InvalidInput, "open has no chunksize"):
            self.cluster.open(len, code=None, chunksize=2)
        self.assertEqual([], self.deployment.jobs)


if __name__ == "__main__":
    unittest.main()
