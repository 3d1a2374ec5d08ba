"""Calls one after the other in a process that stays."""

import json
import os
import pickle
import subprocess
import sys
import unittest

from test_calls import Recorder
from test_function import Shipping

from mayfly import Cluster, InvalidInput, warm
from mayfly._warm import stays


class Process:
    """A process that stays, and what the agent is to it."""

    def __init__(self, folder, kind):
        self.folder, self.number = folder, 0
        read, self.tasks = os.pipe()
        self.answers, write = os.pipe()
        environment = {"PATH": os.environ["PATH"], "MAYFLY_JOB": "j1"}
        code = (
            "import os, sys; os.dup2(%d, 3); os.dup2(%d, 4); os.execv(sys.executable, [sys.executable] + sys.argv[1:])"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", code % (read, write), ".mayfly/task.py", "stay", kind],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=[read, write],
            text=True,
        )
        os.close(read)
        os.close(write)
        self.lines = os.fdopen(self.answers, encoding="utf-8")

    def run(self, index, name="out.pkl", given="", **variables):
        target = self.folder / f"{index}-{name}"
        all_of_them = {"MAYFLY_OUTPUT": str(target), "MAYFLY_INDEX": str(index), "MAYFLY_ATTEMPT": "s0e2", **variables}
        task = {"task": f"j1/{index}/s0e2", "index": index, "input": given, "output": str(target), "folder": "/"}
        os.write(self.tasks, (json.dumps({**task, "variables": all_of_them}) + "\n").encode())
        answer = json.loads(self.lines.readline())
        assert answer["task"] == task["task"], answer
        return answer["exitCode"], answer["last"], target.read_bytes() if target.exists() else None

    def end(self):
        """What it has printed."""
        os.close(self.tasks)
        output = self.process.communicate(timeout=60)[0]
        self.lines.close()
        return output


class StayTest(Shipping):
    def start(self, script, kind="input"):
        self.assertEqual("", self.ship(script))
        return Process(self.folder, kind)

    def test_class_is_made_once_and_called_with_each_input(self):
        process = self.start("""
            class Model:
                def __init__(self):
                    print('loaded'); self.calls = 0
                def __call__(self, x):
                    self.calls += 1
                    return x, self.calls
            ship(Model, ['a', 'b', 'c'])
            """)
        done = [process.run(index) for index in (0, 2, 1)]
        self.assertEqual([(0, False)] * 3, [one[:2] for one in done])
        self.assertEqual([("a", 1), ("c", 2), ("b", 3)], [pickle.loads(one[2]) for one in done])
        self.assertEqual("loaded\n", process.end())
        self.assertEqual(0, process.process.returncode)

    def test_failure_is_one_tasks(self):
        process = self.start("""
            import sys
            def work(x):
                if x == 1: raise ValueError('too small')
                if x == 2: sys.exit(0)
                if x == 3: sys.exit(256)
                return x
            ship(work, [0, 1, 2, 3, 4])
            """)
        self.assertEqual([0, 1, 1, 1, 0], [process.run(index)[0] for index in range(5)])
        output = process.end()
        self.assertIn("mayfly: attempt s0e2 of task 1 of job j1 raised ValueError: ", output)
        self.assertRegex(output, r"line \d+, in work\nValueError: too small\n")

    def test_what_cannot_be_loaded_fails_its_task_and_ends(self):
        process = self.start("""
            class Model:
                def __init__(self): raise OSError('no weights')
                def __call__(self, x): return x
            ship(Model, [1])
            """)
        self.assertEqual((1, True, None), process.run(0))
        self.assertIn("raised OSError: ", process.end())

    def test_variables_are_those_of_the_task(self):
        process = self.start("""
            import os, tempfile
            def work(x):
                return [os.environ.get(name) for name in ('MAYFLY_INDEX', 'MAYFLY_VAR_A')] + [tempfile.gettempdir()]
            ship(work, [1, 2])
            """)
        first = process.run(0, "out.json", MAYFLY_VAR_A="7", TMPDIR=str(self.folder))
        second = process.run(1, "out.json", TMPDIR=str(self.folder / ".mayfly"))
        self.assertEqual(["0", "7", str(self.folder)], json.loads(first[2]))
        self.assertEqual(["1", None, str(self.folder / ".mayfly")], json.loads(second[2]))
        process.end()

    def test_file_is_a_path(self):
        process = self.start("def text(path): return path.read_text()\nship(text, [])", "file")
        (self.folder / "in.txt").write_text("hello")
        self.assertEqual(b"hello", process.run(0, "out.txt", str(self.folder / "in.txt"))[2])
        process.end()

    def test_program_of_a_call_cannot_answer_for_it(self):
        process = self.start("""
            import subprocess
            def work(x):
                command = ['sh', '-c', 'echo nonsense >&4']
                return subprocess.run(command, close_fds=False, capture_output=True).returncode
            ship(work, [1])
            """)
        code, _, body = process.run(0, "out.json")
        self.assertEqual(0, code)
        self.assertNotEqual(0, json.loads(body))
        process.end()

    def test_instance_is_made_for_a_call_of_its_own(self):
        self.assertEqual(
            "",
            self.ship("""
            class Model:
                def __call__(self, x): return x + 1
            ship(Model, [1])
            """),
        )
        self.assertEqual(2, pickle.loads(self.run_task(0)[0]))


class Model:
    def __call__(self, x):
        return x


class Point:
    def __init__(self, x):
        self.x = x


@warm
def marked(x):
    return x


def plain(x):
    return x


class JobsTest(unittest.TestCase):
    def setUp(self):
        self.deployment = Recorder()
        self.cluster = Cluster("lab", self.deployment)

    def job(self):
        job = self.deployment.jobs[-1]
        return job.get("runner"), job["command"][1:]

    def test_classes_and_marked_functions_stay(self):
        for function in (Model, marked):
            self.cluster.map(function, [1], code=None)
            self.assertEqual((True, [".mayfly/task.py", "stay", "input"]), self.job())

    def test_others_have_a_process_for_each_call(self):
        for function in (plain, Point):
            self.cluster.map(function, [1], code=None)
            self.assertEqual((None, [".mayfly/task.py", "{index}"]), self.job())

    def test_field_of_the_job_has_the_last_word(self):
        self.cluster.map(plain, [1], code=None, runner={"restartAfter": 10})
        self.assertEqual(({"restartAfter": 10}, [".mayfly/task.py", "stay", "input"]), self.job())
        self.cluster.map(Model, [1], code=None, runner=False)
        self.assertEqual((None, [".mayfly/task.py", "{index}"]), self.job())

    def test_files_are_downloaded(self):
        self.cluster.map_files(Model, "gs://lab/*.txt", output="gs://lab/{stem}.out", code=None)
        self.assertEqual((True, [".mayfly/task.py", "stay", "file"]), self.job())
        self.assertTrue(self.deployment.jobs[-1]["tasks"]["downloaded"])

    def test_mark_is_kept_and_refused_where_it_cannot_be(self):
        self.assertTrue(stays(marked))
        self.assertEqual(3, marked(3))
        with self.assertRaisesRegex(InvalidInput, "call it in a function of your own"):
            warm(len)


if __name__ == "__main__":
    unittest.main()
