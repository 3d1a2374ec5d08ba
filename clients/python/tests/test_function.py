"""A function that is packed here runs in another process."""

import os
import pickle
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

SOURCE = str(Path(__file__).resolve().parents[1] / "src")
PACK = "from mayfly import _function, _task, InvalidInput\nimport sys\nfrom pathlib import Path\n"
WRITE = """
def ship(function, inputs, spread=False):
    folder = Path(sys.argv[1]) / '.mayfly'
    folder.mkdir()
    for name, body in _function.pack_call(function, inputs, spread).items():
        (folder / name).write_bytes(body)
    (folder / 'task.py').write_bytes(Path(_task.__file__).read_bytes())
"""


class FunctionTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def ship(self, script, modules=()):
        """Runs a script that ships a function, as the user's own program; returns its stderr."""
        for name, text in modules:
            (self.folder / name).write_text(textwrap.dedent(text))
        code = PACK + WRITE + textwrap.dedent(script)
        environment = dict(os.environ, PYTHONPATH=f"{SOURCE}:{self.folder}")
        done = subprocess.run([sys.executable, "-", str(self.folder)], input=code, text=True,
                              capture_output=True, env=environment)
        return done.stderr

    def run_task(self, number, name="out.pkl"):
        target = self.folder / f"{Path(str(number)).stem}-{name}"
        environment = {"MAYFLY_OUTPUT": str(target), "PATH": os.environ["PATH"]}
        done = subprocess.run([sys.executable, ".mayfly/task.py", str(number)], cwd=self.folder,
                              capture_output=True, text=True, env=environment)
        return (target.read_bytes() if target.exists() else None), done

    def test_function_of_a_script_takes_what_it_names(self):
        self.assertEqual("", self.ship("""
            import math
            offset = 10
            def half(x): return x / 2
            def work(x, *, scale=2): return scale * math.floor(half(x)) + offset
            ship(work, [4, 7])
            """))
        self.assertEqual([14, 16], [pickle.loads(self.run_task(i)[0]) for i in (0, 1)])

    def test_input_is_all_arguments(self):
        self.assertEqual("", self.ship("""
            def add(*numbers): return sum(numbers)
            ship(add, [(1, 2, 3), ()], True)
            """))
        self.assertEqual([6, 0], [pickle.loads(self.run_task(i)[0]) for i in (0, 1)])

    def test_file_is_a_path(self):
        self.assertEqual("", self.ship("""
            def text(path): return path.read_text()
            ship(text, [])
            """))
        (self.folder / "in.txt").write_text("hello")
        self.assertEqual(b"hello", self.run_task(self.folder / "in.txt", "out.txt")[0])

    def test_recursion_and_closures(self):
        self.assertEqual("", self.ship("""
            def make(step):
                def count(n): return 0 if n == 0 else step + count(n - 1)
                return count
            ship(make(3), [4])
            """))
        self.assertEqual(12, pickle.loads(self.run_task(0)[0]))

    def test_two_functions_that_call_each_other(self):
        self.assertEqual("", self.ship("""
            def even(n): return True if n == 0 else odd(n - 1)
            def odd(n): return False if n == 0 else even(n - 1)
            ship(even, [5, 6])
            """))
        self.assertEqual([False, True], [pickle.loads(self.run_task(i)[0]) for i in (0, 1)])

    def test_function_of_a_module_goes_by_name(self):
        self.assertEqual("", self.ship("""
            import lab
            ship(lab.Model.train, ['a'])
            """, [("lab.py", """
            class Model:
                @staticmethod
                def train(x): return 'trained ' + x
            """)]))
        self.assertEqual("trained a", pickle.loads(self.run_task(0)[0]))
        (self.folder / "lab.py").unlink()
        self.assertIn("No module named 'lab'", self.run_task(0)[1].stderr)

    def test_class_of_a_script_is_refused_with_the_remedy(self):
        error = self.ship("""
            class Config: pass
            config = Config()
            def work(x): return config
            ship(work, [1])
            """)
        self.assertIn("config is of a class of this script", error)
        self.assertIn("into a module", error)

    def test_input_that_cannot_be_pickled_is_named(self):
        self.assertIn("input 1 cannot be pickled", self.ship("""
            def work(x): return x
            ship(work, [1, lambda: 2])
            """))

    def test_other_python_is_told(self):
        self.ship("def work(x): return x\nship(work, [1])")
        file = self.folder / ".mayfly" / "call.pkl"
        call = pickle.loads(file.read_bytes())
        call["python"] = [2, 7]
        file.write_bytes(pickle.dumps(call))
        self.assertIn("was packed by 2.7", self.run_task(0)[1].stderr)

    def test_exception_is_the_failure_of_the_task(self):
        self.ship("def work(x): return 1 / x\nship(work, [0])")
        output, done = self.run_task(0)
        self.assertIsNone(output)
        self.assertEqual(1, done.returncode)
        self.assertTrue(done.stderr.rstrip().endswith("ZeroDivisionError: division by zero"))

    def test_result_follows_the_name_of_the_output(self):
        self.ship("def work(x): return {'x': x}\nship(work, [1])")
        self.assertEqual(b'{"x": 1}', self.run_task(0, "out.json")[0])
        self.assertEqual(b"{'x': 1}", self.run_task(0, "out.txt")[0])

    def test_output_that_the_function_wrote_stays(self):
        self.ship("import os\ndef work(x): open(os.environ['MAYFLY_OUTPUT'], 'w').write('mine')\nship(work, [1])")
        self.assertEqual(b"mine", self.run_task(0)[0])


if __name__ == "__main__":
    unittest.main()
