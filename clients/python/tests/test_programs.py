"""Programs that work with the packing of Ray and Dask: what a machine computes is what a call here computes.

Each is a script with ``work`` and ``INPUTS``. It says what ``work`` returns here, and ships it; a fresh interpreter
without any installed package then runs the calls.
"""

import importlib.util
import pickle
import textwrap
import unittest

from test_function import PACK, WRITE, Shipping

PROGRAMS = {
    "a lambda": """
        work, INPUTS = lambda x: x * 2, [1, 2.5, "ab"]
        """,
    "a counter that a helper changes": """
        count = 0
        def bump():
            global count; count += 1
        def work(x):
            for _ in range(x): bump()
            return count
        INPUTS = [3]
        """,
    "a random generator that two helpers share": """
        import random
        generator = random.Random(7)
        def one(): return generator.random()
        def two(): return generator.random()
        def work(x): return [one(), two(), one()]
        INPUTS = [0]
        """,
    "a configuration that a helper sets": """
        CONFIG = {"rate": 1}
        def configure(): CONFIG["rate"] = 5
        def work(x):
            configure()
            return CONFIG["rate"] * x
        INPUTS = [2]
        """,
    "a closure over a list that grows": """
        def make():
            seen = []
            def put(x): seen.append(x)
            def work(x):
                put(x); put(x)
                return list(seen)
            return work
        work, INPUTS = make(), [4]
        """,
    "nonlocal": """
        def make(n):
            def work(x):
                nonlocal n
                n += x
                return n
            return work
        work, INPUTS = make(10), [1]
        """,
    "mutual recursion": """
        def even(n): return n == 0 or odd(n - 1)
        def odd(n): return n != 0 and even(n - 1)
        work, INPUTS = even, [10, 7]
        """,
    "a dataclass with a method, in a dictionary": """
        from dataclasses import dataclass, field, replace
        @dataclass(frozen=True)
        class Trial:
            rate: float
            tags: tuple = ()
            def doubled(self): return replace(self, rate=2 * self.rate)
        def work(trials): return {k: t.doubled() for k, t in trials.items()}
        INPUTS = [{"a": Trial(0.5, ("x",))}]
        """,
    "inheritance and super": """
        class Base:
            def name(self): return "base"
        class Derived(Base):
            def name(self): return "derived of " + super().name()
        def work(x): return Derived().name() * x
        INPUTS = [2]
        """,
    "an enum, by identity": """
        import enum
        class Color(enum.Enum):
            RED = 1
            BLUE = 2
        def work(color): return color is Color.RED, color.name
        INPUTS = [Color.RED, Color.BLUE]
        """,
    "a named tuple": """
        from collections import namedtuple
        from typing import NamedTuple
        Old = namedtuple("Old", "a b")
        class New(NamedTuple):
            a: int
            b: int = 2
        def work(x): return tuple(Old(1, x)), New(x)._asdict(), x + New(1).b
        INPUTS = [3]
        """,
    "properties, static and class methods, slots": """
        class Box:
            __slots__ = ("_x",)
            made = 0
            def __init__(self, x): self._x = x
            @property
            def x(self): return self._x
            @staticmethod
            def twice(x): return 2 * x
            @classmethod
            def of(cls, x):
                cls.made += 1
                return cls(cls.twice(x))
        def work(x): return Box.of(x).x, Box.made
        INPUTS = [4]
        """,
    "an exception of the script that is caught": """
        class Odd(ValueError):
            def __init__(self, n):
                super().__init__(f"{n} is odd")
                self.n = n
        def check(n):
            if n % 2: raise Odd(n)
        def work(n):
            try: check(n)
            except Odd as e: return e.n, str(e)
            return "even"
        INPUTS = [2, 3]
        """,
    "a decorator": """
        import functools
        def logged(function):
            calls = []
            @functools.wraps(function)
            def wrapped(*args):
                calls.append(args)
                return function(*args), len(calls), wrapped.__name__
            return wrapped
        @logged
        def work(x): return -x
        INPUTS = [1]
        """,
    "a cache": """
        import functools
        @functools.lru_cache(maxsize=None)
        def work(n): return n if n < 2 else work(n - 1) + work(n - 2)
        INPUTS = [60]
        """,
    "partial": """
        import functools
        def power(base, exponent, *, shift=0): return base ** exponent + shift
        work, INPUTS = functools.partial(power, exponent=3, shift=1), [2]
        """,
    "an object that is called": """
        class Scale:
            def __init__(self, by): self.by = by
            def __call__(self, x): return [self.by * y for y in x]
        work, INPUTS = Scale(3), [[1, 2]]
        """,
    "a method of an object": """
        class Model:
            weights = {"w": 2}
            def predict(self, x): return self.weights["w"] * x
        work, INPUTS = Model().predict, [21]
        """,
    "built-in functions and operators": """
        import operator
        work, INPUTS = operator.itemgetter("a", "b"), [{"a": 1, "b": [2]}]
        """,
    "submodules": """
        import concurrent.futures
        import email.mime.text
        import os.path as paths
        import xml.etree.ElementTree as ET
        def work(x):
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                squares = list(pool.map(lambda y: y * y, range(x)))
            text = email.mime.text.MIMEText("x").get_payload()
            return squares, paths.basename("/a/b"), ET.fromstring("<a b='1'/>").attrib, text
        INPUTS = [3]
        """,
    "an import within the function": """
        def work(x):
            import json, statistics
            return json.dumps({"mean": statistics.mean(x)})
        INPUTS = [[1, 2, 6]]
        """,
    "async functions that gather": """
        import asyncio
        async def half(x):
            await asyncio.sleep(0)
            return x / 2
        async def work(x): return await asyncio.gather(half(x), half(2 * x))
        INPUTS = [3]
        """,
    "a generator that is used up": """
        def numbers(n): yield from range(n)
        def work(x): return sum(y * y for y in numbers(x))
        INPUTS = [5]
        """,
    "type variables, protocols and annotations": """
        from __future__ import annotations
        from typing import Generic, Protocol, TypeVar, get_type_hints
        T = TypeVar("T")
        class Sized(Protocol):
            def size(self) -> int: ...
        class Stack(Generic[T]):
            def __init__(self, items: list[T]) -> None: self.items = items
            def size(self) -> int: return len(self.items)
        def measure(s: Sized) -> int: return s.size()
        def work(x: list[int]) -> int: return measure(Stack[int](x))
        INPUTS = [[1, 2, 3]]
        """,
    "match, walrus and keyword-only arguments": """
        def work(x, /, *, limit=3):
            found = [y for n in range(x) if (y := n * n) > limit]
            return found, f"{x!r:>4}"
        INPUTS = [5]
        """,
    "a variable that is called like an attribute": """
        data, lock, size = bytes(5_000_000), __import__("threading").Lock(), "no number"
        class Row: data, size = [1, 2], 4
        def work(row): return len(row.data) * row.size
        INPUTS = [Row]
        """,
    "a class that refers to itself and another": """
        class Node:
            def __init__(self, depth): self.next = Node(depth - 1) if depth else Leaf()
            def depth(self): return 1 + self.next.depth()
        class Leaf(Node):
            def __init__(self): pass
            def depth(self): return 0
        def work(x): return Node(x).depth(), issubclass(Leaf, Node)
        INPUTS = [3]
        """,
}

# On the processor. The machine has torch installed, as a job's ``python:`` asks for it.
OF_TORCH = {
    "a module of the script": """
        import torch
        class Net(torch.nn.Module):
            def __init__(self, width):
                super().__init__()
                self.layers = torch.nn.Sequential(torch.nn.Linear(3, width), torch.nn.ReLU(), torch.nn.Linear(width, 1))
            def forward(self, x): return self.layers(x)
        torch.manual_seed(7)
        net = Net(4)
        def work(x):
            with torch.no_grad(): return net(torch.tensor(x)).tolist()
        INPUTS = [[1.0, 2.0, 3.0], [0.0, -1.0, 0.5]]
        """,
    "a module that was trained here, in a closure": """
        import torch
        def make():
            torch.manual_seed(1)
            line = torch.nn.Linear(1, 1)
            steps = torch.optim.SGD(line.parameters(), lr=0.1)
            x = torch.linspace(0, 1, 8).unsqueeze(1)
            for _ in range(20):
                steps.zero_grad(); torch.nn.functional.mse_loss(line(x), 3 * x + 1).backward(); steps.step()
            return lambda at: round(line(torch.tensor([at])).item(), 6)
        work, INPUTS = make(), [0.0, 2.0]
        """,
    "training there": """
        import torch
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.line = torch.nn.Linear(2, 1)
                self.register_buffer("seen", torch.zeros(1))
            def forward(self, x):
                self.seen += len(x)
                return self.line(x)
        def work(seed):
            torch.manual_seed(seed)
            net = Net(); steps = torch.optim.Adam(net.parameters(), lr=0.01)
            for _ in range(5):
                x = torch.randn(4, 2)
                loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
                steps.zero_grad(); loss.backward(); steps.step()
            return round(loss.item(), 5), net.seen.item(), {k: v.shape for k, v in net.state_dict().items()}
        INPUTS = [0, 1]
        """,
    "tensors as inputs and results": """
        import torch
        def work(x): return x.T @ x
        INPUTS = [torch.arange(6.0).reshape(2, 3), torch.eye(2, dtype=torch.float64)]
        """,
    "weights that two layers share, and a hook": """
        import torch
        class Tied(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b = torch.nn.Linear(2, 2, bias=False), torch.nn.Linear(2, 2, bias=False)
                self.b.weight = self.a.weight
                self.calls = []
                self.a.register_forward_hook(lambda layer, inputs, output: self.calls.append(len(inputs)))
            def forward(self, x): return self.b(self.a(x))
        net = Tied()
        torch.nn.init.constant_(net.a.weight, 0.5)
        def work(x): return net(torch.full((2,), x)).tolist(), net.a.weight is net.b.weight, net.calls
        INPUTS = [1.0]
        """,
    "a module as an input, and its parameters back": """
        import torch
        def work(module):
            with torch.no_grad():
                for parameter in module.parameters(): parameter.mul_(2)
            return [parameter.tolist() for parameter in module.parameters()]
        torch.manual_seed(3)
        INPUTS = [torch.nn.Linear(2, 1)]
        """,
}

HERE = """
import asyncio, inspect
here = [work(x) for x in INPUTS]
here = [asyncio.run(one) if inspect.isawaitable(one) else one for one in here]
(Path(sys.argv[1]) / "here").write_text(repr(here))
"""


class ProgramsTest(Shipping):
    def test_machine_computes_what_a_call_here_computes(self):
        self.assertGreaterEqual(len(PROGRAMS), 20)
        self.compare(PROGRAMS, bare=True)

    @unittest.skipUnless(importlib.util.find_spec("torch"), "torch is not installed here; .ci/torch has it")
    def test_modules_compute_what_they_compute_here(self):
        self.compare(OF_TORCH, bare=False)

    def compare(self, programs, bare):
        for name, program in programs.items():
            with self.subTest(name):
                script = textwrap.dedent(program) + PACK
                # The calls here are of a script of their own, so that nothing that they change goes along.
                self.assertEqual("", self.run_script(script + HERE))
                self.assertEqual("", self.run_script(script + WRITE + "ship(work, INPUTS)\n"))
                count = len((self.folder / ".mayfly/inputs.idx").read_bytes()) // 8 - 1
                there = []
                for number in range(count):
                    body, done = self.run_task(number, bare=bare)
                    self.assertEqual(0, done.returncode, done.stderr)
                    there.append(pickle.loads(body))
                    (self.folder / f"{number}-out.pkl").unlink()
                self.assertEqual((self.folder / "here").read_text(), repr(there))
                self.assertLess((self.folder / ".mayfly/call.pkl").stat().st_size, 20_000)


if __name__ == "__main__":
    unittest.main()
