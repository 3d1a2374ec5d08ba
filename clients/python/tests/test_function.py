"""A function that is packed here runs in another process."""

import hashlib
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

from context import ROOT  # noqa: F401  which makes the package importable

from mayfly import _function
from mayfly._futures import _exception
from mayfly._task import raised

SOURCE = str(Path(__file__).resolve().parents[1] / "src")
PACK = "from mayfly import _function, _task, InvalidInput\nimport sys\nfrom pathlib import Path\n"
WRITE = """
def ship(function, inputs, spread=False, batch=None):
    folder = Path(sys.argv[1]) / '.mayfly'
    packed = [_function.packed_value(value, f'input {n}') for n, value in enumerate(inputs)]
    by_value = any(one.by_value for one in packed)
    files = {**_function.pack_function(function, spread, by_value, batch),
             **_function.pack_inputs(one.body for one in packed),
             'lib.zip': _function.library(),
             'task.py': Path(_task.__file__).read_bytes()}
    for name, body in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(body)
"""


class Shipping(unittest.TestCase):
    """Ships functions to a folder, and runs their calls there."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def ship(self, script, modules=()):
        """Runs a script that ships a function, as the user's own program; returns its stderr."""
        for name, text in modules:
            (self.folder / name).write_text(textwrap.dedent(text))
        return self.run_script(PACK + WRITE + textwrap.dedent(script))

    def run_script(self, code):
        shutil.rmtree(self.folder / ".mayfly", ignore_errors=True)
        environment = dict(os.environ, PYTHONPATH=f"{SOURCE}:{self.folder}")
        done = subprocess.run(
            [sys.executable, "-", str(self.folder)], input=code, text=True, capture_output=True, env=environment
        )
        return done.stderr

    def run_task(self, number, name="out.pkl", bare=True):
        target = self.folder / f"{Path(str(number)).stem}-{name}"
        environment = {"MAYFLY_OUTPUT": str(target), "PATH": os.environ["PATH"]}
        environment.update(MAYFLY_ATTEMPT="s0e2", MAYFLY_INDEX="0", MAYFLY_JOB="j1")
        # -S: without what is installed here, as on a machine that has nothing but Python
        done = subprocess.run(
            [sys.executable, *(["-S"] if bare else []), ".mayfly/task.py", str(number)],
            cwd=self.folder,
            capture_output=True,
            text=True,
            env=environment,
        )
        return (target.read_bytes() if target.exists() else None), done


class FunctionTest(Shipping):
    def test_function_of_a_script_takes_what_it_names(self):
        self.assertEqual(
            "",
            self.ship("""
            import math
            offset = 10
            def half(x): return x / 2
            def work(x, *, scale=2): return scale * math.floor(half(x)) + offset
            ship(work, [4, 7])
            """),
        )
        self.assertEqual([14, 16], [pickle.loads(self.run_task(i)[0]) for i in (0, 1)])

    def test_call_loads_only_what_it_needs(self):
        loaded = """
        import sys
        class Names:
            def __init__(self, value):
                pass
            def __reduce__(self):  # as the result is written
                costly = ("base64", "cloudpickle", "inspect", "pathlib", "tempfile", "traceback", "typing")
                return list, ([name for name in costly if name in sys.modules],)
        """
        self.assertEqual("", self.ship("import loaded\nship(loaded.Names, [1])", [("loaded.py", loaded)]))
        self.assertEqual([], pickle.loads(self.run_task(0)[0]))

    def test_what_packed_the_call_unpacks_it_compiled(self):
        self.assertEqual(
            "",
            self.ship("""
            import cloudpickle
            def place(value): return cloudpickle.cloudpickle.__file__
            ship(place, [1])
            """),
        )
        ending = ".pyc" if sys.version_info >= (3, 11) else ".py"
        self.assertEqual(
            str(self.folder.resolve() / ".mayfly/lib.zip/cloudpickle/cloudpickle") + ending,
            pickle.loads(self.run_task(0)[0]),
        )

    def test_packages_are_the_same_bytes_everywhere(self):
        script = "import hashlib; from mayfly import _function; print(hashlib.sha256(_function.library()).hexdigest())"
        for seed in "12":
            environment = dict(os.environ, PYTHONPATH=SOURCE, PYTHONHASHSEED=seed)
            done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
            self.assertEqual(hashlib.sha256(_function.library()).hexdigest(), done.stdout.strip(), done.stderr)

    def test_call_that_makes_calls_passes_the_packages_on(self):
        self.assertEqual(
            "",
            self.ship("""
            def packages(value):
                from mayfly import _function
                return _function.library()
            ship(packages, [1])
            """),
        )
        self.assertEqual(_function.library(), pickle.loads(self.run_task(0)[0]))

    def test_input_is_all_arguments(self):
        self.assertEqual(
            "",
            self.ship("""
            def add(*numbers): return sum(numbers)
            ship(add, [(1, 2, 3), ()], True)
            """),
        )
        self.assertEqual([6, 0], [pickle.loads(self.run_task(i)[0]) for i in (0, 1)])

    def test_file_is_a_path(self):
        self.assertEqual(
            "",
            self.ship("""
            def text(path): return path.read_text()
            ship(text, [])
            """),
        )
        (self.folder / "in.txt").write_text("hello")
        self.assertEqual(b"hello", self.run_task(self.folder / "in.txt", "out.txt")[0])

    def test_recursion_and_closures(self):
        self.assertEqual(
            "",
            self.ship("""
            def make(step):
                def count(n): return 0 if n == 0 else step + count(n - 1)
                return count
            ship(make(3), [4])
            """),
        )
        self.assertEqual(12, pickle.loads(self.run_task(0)[0]))

    def test_two_functions_that_call_each_other(self):
        self.assertEqual(
            "",
            self.ship("""
            def even(n): return True if n == 0 else odd(n - 1)
            def odd(n): return False if n == 0 else even(n - 1)
            ship(even, [5, 6])
            """),
        )
        self.assertEqual([False, True], [pickle.loads(self.run_task(i)[0]) for i in (0, 1)])

    def test_function_of_a_module_goes_by_name(self):
        self.assertEqual(
            "",
            self.ship(
                """
            import lab
            ship(lab.Model.train, ['a'])
            """,
                [
                    (
                        "lab.py",
                        """
            class Model:
                @staticmethod
                def train(x): return 'trained ' + x
            """,
                    )
                ],
            ),
        )
        self.assertEqual("trained a", pickle.loads(self.run_task(0)[0]))
        (self.folder / "lab.py").unlink()
        self.assertIn("No module named 'lab'", self.run_task(0)[1].stderr)

    def result(self, number=0):
        body, done = self.run_task(number)
        self.assertEqual(0, done.returncode, done.stderr)
        return pickle.loads(body)

    def test_functions_of_a_script_share_its_variables(self):
        self.assertEqual(
            "",
            self.ship("""
            total, CONFIG = 0, {"a": 1}
            def add(x):
                global total; total += x
            def change(): CONFIG["a"] = 2
            def work(x):
                add(x); change()
                return total, CONFIG["a"]
            ship(work, [5])
            """),
        )
        self.assertEqual((5, 2), self.result())

    def test_submodules_that_a_script_imports_are_imported(self):
        self.assertEqual(
            "",
            self.ship("""
            import concurrent.futures, xml.etree.ElementTree
            def work(x):
                return [f.__name__ for f in (concurrent.futures.Future, xml.etree.ElementTree.Element)]
            ship(work, [1])
            """),
        )
        self.assertEqual(["Future", "Element"], self.result())

    def test_attributes_named_like_variables_take_nothing_along(self):
        self.assertEqual(
            "",
            self.ship("""
            import threading
            data, lock = bytes(1_000_000), threading.Lock()
            class Given: data, lock = b"12", 3
            def work(x): return len(x.data) + x.lock
            ship(work, [Given()])
            """),
        )
        self.assertLess((self.folder / ".mayfly/call.pkl").stat().st_size, 10_000)
        self.assertEqual(5, self.result())

    def test_classes_of_a_script_go_along_and_come_back(self):
        self.assertEqual(
            "",
            self.ship("""
            import dataclasses, functools, operator, typing
            T = typing.TypeVar("T")
            @dataclasses.dataclass
            class Config: rate: float
            class Odd(Exception): pass
            @functools.lru_cache
            def cached(x: T) -> T: return x * 2
            class Caller:
                def __call__(self, given):
                    try: raise Odd("odd")
                    except Odd as e: return Config(given[0].rate + cached(1)), str(e)
            ship(Caller(), [[Config(0.5)]])
            """),
        )
        config, text = self.result()
        self.assertEqual((2.5, "odd"), (config.rate, text))

    def test_what_is_no_function_is_called_too(self):
        self.assertEqual(
            "",
            self.ship("""
            import functools
            ship(functools.partial(pow, 2), [5])
            """),
        )
        self.assertEqual(32, self.result())

    def test_coroutine_runs_to_its_end(self):
        self.assertEqual(
            "",
            self.ship("""
            import asyncio
            async def work(x):
                await asyncio.sleep(0)
                return x + 1
            ship(work, [1])
            """),
        )
        self.assertEqual(2, self.result())

    def test_generator_is_refused_with_the_remedy(self):
        self.assertIn(
            "return a list instead of yielding",
            self.ship("""
            def work(x): yield x
            ship(work, [1])
            """),
        )
        self.ship("""
            def work(x): return (y for y in [x])
            ship(work, [1])
            """)
        self.assertIn("return a list instead", self.run_task(0)[1].stderr)

    def test_input_that_cannot_be_pickled_is_named(self):
        self.assertIn(
            "input 1 cannot be pickled",
            self.ship("""
            import threading
            def work(x): return x
            ship(work, [1, threading.Lock()])
            """),
        )

    def test_input_with_code_of_a_script_needs_its_python(self):
        for inputs, by_value in (("[1]", False), ("[lambda: 2]", True)):
            self.ship(f"import operator\nship(operator.neg, {inputs})")
            call = pickle.loads((self.folder / ".mayfly/call.pkl").read_bytes())
            self.assertEqual(by_value, call["by value"])

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
        self.assertIn('File "<stdin>", line 16, in work', done.stderr)
        self.assertNotIn("task.py", done.stderr)

    def test_exception_is_read_from_the_log(self):
        self.ship("""
            class Odd(ValueError): pass
            def work(x):
                print("Traceback (most recent call last):")
                try: 1 / 0
                except ZeroDivisionError as e: raise Odd("bad: value\\nsecond " + "x" * 2000) from e
            ship(work, [0])
            """)
        log = "".join((lambda done: (done.stdout, done.stderr))(self.run_task(0)[1]))
        found = self.told(log)
        self.assertEqual(("Odd", "bad: value\nsecond " + "x" * 2000), (found["type"], found["message"]))
        self.assertIn("direct cause of the following exception", found["traceback"])
        self.assertIn("Odd: bad: value…", log[-200:])  # what a list of tasks has room for
        self.assertEqual({}, self.told("no exception\nof a call"))
        self.assertEqual({}, self.told(log[: log.index("second")]))

    @staticmethod
    def told(log):
        return _exception(log, raised("s0e2", 0, "j1"))

    def test_what_a_call_prints_is_not_its_exception(self):
        self.ship("""
            import atexit, sys
            def say(): print('mayfly: attempt s0e1 of task 0 of job j2 raised KeyError: "another"', file=sys.stderr)
            def work(x):
                say(); atexit.register(say)
                raise ValueError("true")
            ship(work, [0])
            """)
        found = self.told(self.run_task(0)[1].stderr)
        self.assertEqual(("ValueError", "true"), (found["type"], found["message"]))

    def test_exit_of_a_call_is_a_failure_with_its_code(self):
        self.ship("import sys\ndef work(x): sys.exit(x)\nship(work, [3, 0, None, 'no data'])")
        for number, code, text in [(0, 3, "3"), (1, 1, "0"), (2, 1, ""), (3, 1, "no data")]:
            output, done = self.run_task(number)
            found = self.told(done.stderr)
            self.assertEqual(
                (None, code, "SystemExit", text), (output, done.returncode, found["type"], found["message"])
            )

    def test_any_exception_of_a_call_is_told(self):
        self.ship("import asyncio\ndef work(x): raise asyncio.CancelledError('away')\nship(work, [0])")
        found = self.told(self.run_task(0)[1].stderr)
        self.assertEqual(("asyncio.exceptions.CancelledError", "away"), (found["type"], found["message"]))

    def test_result_follows_the_name_of_the_output(self):
        self.ship("def work(x): return {'x': x}\nship(work, [1])")
        self.assertEqual(b'{"x": 1}', self.run_task(0, "out.json")[0])
        self.assertEqual(b"{'x': 1}", self.run_task(0, "out.txt")[0])

    def test_output_that_the_function_wrote_stays(self):
        self.ship("import os\ndef work(x): open(os.environ['MAYFLY_OUTPUT'], 'w').write('mine')\nship(work, [1])")
        self.assertEqual(b"mine", self.run_task(0)[0])


if __name__ == "__main__":
    unittest.main()
