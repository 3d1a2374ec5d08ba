"""Futures are those of the standard library: its functions, asyncio and executors take them."""

import asyncio
import base64
import concurrent.futures
import pickle
import signal
import threading
import unittest
from unittest import mock

from context import sample
from test_calls import Recorder
from test_futures import ScriptedJob, futures
from test_open import ScriptedOpenJob

from mayfly import Cluster, InvalidInput, MayflyError, NotFound, TaskFailed, Unavailable
from mayfly._executor import Executor, call
from mayfly._futures import Futures
from mayfly._open import OpenCalls
from mayfly._results import of_job

LOG = (
    'begin\nmayfly: attempt s0e2 of task 0 of job j1 raised lab.Odd: "bad\\nvalue"\n'
    "Traceback (most recent call last):\n  a line\nlab.Odd: bad"
)


class Logged(ScriptedJob):
    """A job whose tasks fail by an exit code, with a log."""

    name = "lab"

    def __init__(self, code, log="", cause="user"):
        super().__init__(1, [{0: "failed"}], "failed")
        self.code, self.log, self.cause = code, log, cause

    def tasks(self, state=None, start=0):
        for task in super().tasks(state, start):
            if "failure" in task:
                task["failure"].update(exitCode=self.code, cause=self.cause, evidence="value", attempt="s0e2")
            yield task

    def last_lines(self, index, attempt):
        if isinstance(self.log, Exception):
            raise self.log
        return self.log if (index, attempt) == (0, "s0e2") else ""


class StandardTest(unittest.TestCase):
    def script(self, *steps, count=2):
        job = ScriptedJob(count, steps)
        job.name = "lab"
        return futures(job)

    def test_wait_returns_when_all_have_ended(self):
        calls = self.script({0: "done"}, {1: "failed"})
        done, left = concurrent.futures.wait(calls, timeout=60)
        self.assertEqual((set(calls), set()), (done, left))
        self.assertEqual("gs://b/0.pkl", calls[0].result())

    def test_wait_returns_at_the_first_exception(self):
        calls = self.script({1: "failed"})
        calls[0].job.next_status = mock.Mock(side_effect=calls[0].job.next_status)
        calls[0].job.steps.append({})
        done, _ = concurrent.futures.wait(calls, timeout=60, return_when=concurrent.futures.FIRST_EXCEPTION)
        self.assertIn(calls[1], done)

    def test_calls_come_as_they_end(self):
        calls = self.script({1: "done"}, {0: "done"})
        self.assertEqual({0, 1}, {future.index for future in concurrent.futures.as_completed(calls, 60)})

    def test_callback_finds_the_result(self):
        calls, seen, over = self.script({0: "done"}, {1: "done"}), [], threading.Event()

        def ended(future):
            seen.append(future.result(0))
            if len(seen) == 2:
                over.set()

        for future in calls:
            future.add_done_callback(ended)
        self.assertTrue(over.wait(60))
        self.assertEqual(["gs://b/0.pkl", "gs://b/1.pkl"], sorted(seen))

    def test_calls_are_awaited(self):
        calls = self.script({1: "failed"}, {0: "done"})

        async def both():
            return await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 60)

        value, error = asyncio.run(both())
        self.assertEqual("gs://b/0.pkl", value)
        self.assertIsInstance(error, TaskFailed)

    def test_result_is_here_before_anyone_is_called(self):
        calls, reads, over = self.script({0: "done"}, {1: "done"}), {}, threading.Event()
        read = calls[0].job.read_object

        def counted(url):
            reads.setdefault(url, []).append(threading.current_thread())
            return read(url)

        calls[0].job.read_object, seen = counted, []
        calls[0].add_done_callback(lambda future: (seen.extend(reads), over.set()))

        async def awaited():
            return await asyncio.wait_for(calls[1], 60)

        self.assertEqual("gs://b/1.pkl", asyncio.run(awaited()))
        self.assertTrue(over.wait(60))
        self.assertIn("gs://b/0.pkl", seen)
        self.assertNotIn(threading.main_thread(), reads["gs://b/1.pkl"])

    def test_calls_are_wrapped_for_asyncio(self):
        calls = self.script({0: "done"}, count=1)

        async def one():
            return await asyncio.wait_for(asyncio.wrap_future(calls[0]), 60)

        self.assertEqual("gs://b/0.pkl", asyncio.run(one()))

    def unreadable(self, error):
        calls = self.script({0: "done"}, count=1)
        calls[0].job.read_object = lambda url: pickle.dumps(Unreadable(error))
        return calls[0]

    def test_result_that_cannot_be_read_ends_those_who_wait(self):
        for error, told in [
            (ImportError("no module"), ImportError),
            (SystemExit(0), MayflyError),
            (StopIteration(), MayflyError),
        ]:
            for seen in (False, True):  # whether it had ended before
                for way in (asyncio.wrap_future, lambda future: future):
                    future = self.unreadable(error)
                    if seen:
                        concurrent.futures.wait([future], 20)
                    with self.subTest(error=error, seen=seen), self.assertLogs("mayfly", "WARNING"):
                        with self.assertRaises(told):
                            asyncio.run(awaited(way, future))
                        self.assertIsInstance(future.exception(), told)

    def test_callback_comes_for_a_result_that_cannot_be_read_and_a_later_try_reads_it(self):
        future, over = self.unreadable(SystemExit(1)), threading.Event()
        with self.assertLogs("mayfly", "WARNING"):
            future.add_done_callback(lambda _: over.set())
            self.assertTrue(over.wait(60))
        future.job.read_object = lambda url: pickle.dumps(7)
        self.assertEqual([7], Futures([future]).results())
        self.assertEqual((7, None), (future.result(), future.exception()))

    def test_cancelled_call_is_stopped_and_given_up(self):
        calls = self.script({0: "done"}, {1: "done"})
        self.assertEqual("gs://b/0.pkl", calls[0].result())
        self.assertFalse(calls[0].cancel())
        self.assertTrue(calls[1].cancel())
        self.assertEqual([[1]], calls[1].job.stops)
        self.assertTrue(calls[1].cancelled() and calls[1].cancel())
        with self.assertRaises(concurrent.futures.CancelledError):
            calls[1].result()
        self.assertEqual((set(calls), set()), tuple(map(set, concurrent.futures.wait(calls, 60))))

    def test_call_runs_while_its_task_does(self):
        calls = self.script({0: "done"}, {1: "done"})
        calls[0].job.task = lambda index: {"state": ["running", "waiting"][index]}
        self.assertEqual([True, False], [future.running() for future in calls])
        calls.results()
        self.assertFalse(calls[0].running())

    def test_nothing_is_asked_before_anyone_waits(self):
        calls = self.script({0: "done"}, {1: "done"})
        self.assertEqual(0, calls[0].job.calls)

    def test_result_is_fetched_once(self):
        calls = self.script({0: "done"}, count=1)
        read = calls[0].job.read_object = mock.Mock(side_effect=calls[0].job.read_object)
        self.assertIs(calls[0].result(), calls[0].result())
        self.assertEqual(1, read.call_count)

    def test_results_are_fetched_at_once(self):
        calls = self.script({n: "done" for n in range(4)}, count=4)
        together = threading.Barrier(4)
        read = calls[0].job.read_object
        calls[0].job.read_object = lambda url: (together.wait(60), read(url))[1]
        self.assertEqual([f"gs://b/{n}.pkl" for n in range(4)], calls.results())

    def test_watcher_survives_an_outage(self):
        calls = self.script({0: "done"}, count=1)
        status = calls[0].job.status
        answers = iter([Unavailable("away")])
        calls[0].job.status = lambda: (lambda e: status() if e is None else _raise(e))(next(answers, None))
        with mock.patch("time.sleep"), self.assertLogs("mayfly", "WARNING") as told:
            done, _ = concurrent.futures.wait(calls, 60)
        self.assertEqual(set(calls), done)
        self.assertIn("away; asked again in 1 s", told.output[0])

    def test_error_that_stays_reaches_those_who_wait(self):
        calls = self.script({0: "done"}, count=1)
        calls[0].job.status = lambda: _raise(InvalidInput("no such job"))
        concurrent.futures.wait(calls, 60)
        with self.assertRaisesRegex(InvalidInput, "no such job"):
            calls[0].result()

    def test_pickled_future_names_the_other_way(self):
        with self.assertRaisesRegex(InvalidInput, r"futures\(\) there"):
            pickle.dumps(self.script({0: "done"})[0])


class Unreadable:
    """What raises an error while it is unpickled."""

    def __init__(self, error):
        self.error = error

    def __reduce__(self):
        return _raise, (self.error,)


async def awaited(way, future):
    return await asyncio.wait_for(way(future), 20)


def _raise(error):
    raise error


class FailureTest(unittest.TestCase):
    def error(self, *of_job, **named):
        return futures(Logged(*of_job, **named))[0].exception()

    def test_exception_of_the_call_is_told(self):
        error = self.error(1, LOG)
        self.assertEqual(("lab.Odd", "bad\nvalue"), (error.type, error.message))
        self.assertEqual("Traceback (most recent call last):\n  a line\nlab.Odd: bad", error.traceback)
        self.assertTrue(str(error).startswith("task 0 (input 'a'): lab.Odd: bad\nTraceback"))
        self.assertEqual(str(error), str(pickle.loads(pickle.dumps(error))))
        self.assertEqual("lab.Odd", self.error(3, LOG).type)  # sys.exit(3)

    def test_end_of_the_process_is_told_in_words(self):
        for code, cause, words in [
            (0, "user", "no result"),
            (3, "user", "exit code 3"),
            (128 + signal.SIGSEGV, "user", r"killed by SIGSEGV \(exit code 139\)"),
            (137, "out-of-memory", r"out of memory, killed by SIGKILL \(exit code 137\)"),
            (143, "timeout", r"ran longer than its timeout, killed by SIGTERM \(exit code 143\)"),
            (-1, "lost", "its machine was lost"),
        ]:
            self.assertRegex(str(self.error(code, "", cause=cause)), rf"^task 0 \(input 'a'\): {words}\nvalue$")

    def test_log_that_cannot_be_read_leaves_the_last_words(self):
        self.assertEqual((None, "value"), (self.error(1, Unavailable("away")).type, self.error(1, "").evidence))


class ExecutorTest(unittest.TestCase):
    def setUp(self):
        self.job = ScriptedOpenJob()
        self.executor = Executor(OpenCalls(self.job, "gs://lab"))

    def shut_down(self, **options):
        """Fails where the executor would wait for ever."""
        thread = threading.Thread(target=self.executor.shutdown, kwargs=options, daemon=True)
        thread.start()
        thread.join(60)
        self.assertFalse(thread.is_alive())

    def test_any_function_with_any_arguments_is_an_input(self):
        with self.executor as executor:
            futures = [executor.submit(pow, 2, 3, mod=5), executor.submit(lambda: 7)]
            self.assertEqual([3, 7], [call(future.input) for future in futures])
        self.assertEqual(2, self.job.closed)
        with self.assertRaisesRegex(RuntimeError, "after shutdown"):
            self.executor.submit(pow, 1, 1)

    def test_shutdown_waits_or_cancels(self):
        futures = [self.executor.submit(pow, n, 2) for n in range(2)]
        self.shut_down()
        self.assertEqual(["done", "done"], [future.state for future in futures])

    def test_cancelled_calls_are_stopped(self):
        future = self.executor.submit(pow, 1, 2)
        self.job.next_status = lambda last, wait: self.job.status()  # it runs on
        self.shut_down(cancel_futures=True)
        self.assertTrue(future.cancelled())


class EarlierTest(unittest.TestCase):
    """Tasks of which another process has the futures."""

    def test_inputs_that_went_along_with_the_code(self):
        deployment = Recorder()
        first = Cluster("lab", deployment).map(len, ["a", "bc"], code=None)
        job = first.job
        answer = sample("view-job", uid=job.uid, state="running")
        answer["spec"]["run"]["code"] = deployment.jobs[-1]["code"]
        job.status = lambda: answer
        job.read_object = deployment.archives.get
        self.assertEqual([("a", 0), ("bc", 1)], [(future.input, future.index) for future in job.futures()])

    def test_inputs_beside_their_tasks(self):
        job = mock.Mock(wraps=ScriptedJob(3, [{0: "done"}]))
        answer = sample("view-job")
        answer["spec"]["run"].pop("code")
        job.status.side_effect = lambda: answer
        job.tasks.side_effect = lambda *_: [
            {"index": 0, "variables": {"call": "[1]"}},
            {"index": 1, "variables": {"pickled": base64.b64encode(pickle.dumps(7)).decode(), "n": "4"}},
            {"index": 2, "input": "gs://lab/x.pkl"},
        ]
        calls = of_job(job)
        self.assertEqual([[1], "gs://lab/x.pkl"], [calls[0].input, calls[2].input])
        self.assertEqual([None, 4, None], [future.place for future in calls])
        self.assertIsInstance(calls, Futures)

    def earlier(self, kind, tasks, command=("python3", ".mayfly/task.py", "{index}")):
        job = mock.Mock(wraps=ScriptedJob(len(tasks), [{}]))
        job.name, job._deployment = "big", None
        answer = sample("view-job")
        answer["spec"]["run"].pop("code")
        answer["spec"]["run"]["command"], answer["spec"]["tasks"] = list(command), {"kind": kind}
        job.status.side_effect = lambda: answer
        job.tasks.side_effect = lambda *_, **__: [{"index": n, **task} for n, task in enumerate(tasks)]
        job.read_object.side_effect = lambda url: pickle.dumps(int(url[-6:-4].strip("/")))
        return job, of_job(job)

    def test_inputs_that_are_objects_are_read_when_they_are_asked_for(self):
        names = sorted(f"{n}.pkl" for n in range(13))  # as a bucket lists them
        job, calls = self.earlier("inputs", [{"input": f"gs://lab/mayfly/.code/inputs-a/{name}"} for name in names])
        self.assertEqual([names.index(f"{n}.pkl") for n in range(13)], [call.index for call in calls])
        self.assertEqual("Future(gs://lab/mayfly/.code/inputs-a/10.pkl: waiting)", repr(calls[10]))
        job.read_object.assert_not_called()
        self.assertEqual(list(range(13)), [call.input for call in calls])
        self.assertEqual([(10, 10)], [(call.input, call.place) for call in calls[10:11]])
        self.assertEqual(13, job.read_object.call_count)
        _, calls = self.earlier("inputs", [{"input": "gs://lab/mayfly/.code/inputs-a/7.pkl"}])
        calls[0].end("failed", {})
        self.assertEqual(7, calls[0].exception().input)  # of which the error names the value
        job, calls = self.earlier("inputs", [{"input": "gs://lab/mayfly/.code/inputs-a/0.pkl"}])
        job.read_object.side_effect = lambda url: None
        with self.assertRaisesRegex(NotFound, "inputs-a/0.pkl, an input of job big, is deleted"):
            self.assertIsNone(calls[0].input)
        calls[0].end("failed", {})
        self.assertIn("(input gs://lab/mayfly/.code/inputs-a/0.pkl)", str(calls[0].exception()))

    def test_inputs_of_a_program_that_stays_are_values_too(self):
        tasks = [{"input": "gs://lab/mayfly/.code/inputs-a/7.pkl"}]
        _, calls = self.earlier("inputs", tasks, ["python3", ".mayfly/task.py", "stay", "input"])
        self.assertEqual(7, calls[0].input)

    def test_large_input_of_an_open_job_is_its_value(self):
        _, calls = self.earlier("open", [{"variables": {"call": "[1]"}}, {"input": "gs://lab/mayfly/.code/0f/7.pkl"}])
        self.assertEqual([[1], 7], [call.input for call in calls])

    def test_file_of_a_pattern_is_its_url(self):
        tasks = [{"input": "gs://lab/b/2.txt"}, {"input": "gs://lab/c/1.txt"}]
        _, calls = self.earlier("inputs", tasks, ["python3", ".mayfly/task.py", "{inputFile}"])
        self.assertEqual(["gs://lab/b/2.txt", "gs://lab/c/1.txt"], [call.input for call in calls])

    def test_places_of_a_retry_are_those_of_the_first_run(self):
        deployment = Recorder()
        first = Cluster("lab", deployment).map(len, ["a", "bc"], code=None, output="gs://lab/{index}.pkl")
        job = first[1:].retry().job
        answer = sample("view-job", uid=job.uid, state="running")
        answer["spec"]["run"]["code"] = deployment.jobs[-1]["code"]
        answer["spec"]["tasks"] = {"kind": "items", "items": [{"n": "1"}]}
        job.status, job.read_object = lambda: answer, deployment.archives.get
        self.assertEqual([("bc", 0, 1)], [(call.input, call.index, call.place) for call in job.futures()])


class RetriedJob(ScriptedJob):
    """A job of another process, whose tasks succeed when they run again."""

    def __init__(self, states, kind="count"):
        super().__init__(len(states), [], "failed")
        self.states, self.kind, self.again = states, kind, []

    def status(self):
        answer = super().status()
        answer["spec"]["run"].pop("code")
        answer["spec"]["tasks"] = {"kind": self.kind}
        return answer

    def rerun(self, tasks):
        self.again.append(tasks)
        for index in tasks:
            self.states[index] = "waiting"
        self.steps.append({index: "done" for index in tasks})


class ElsewhereTest(unittest.TestCase):
    """Calls that another process made run again where they are."""

    def setUp(self):
        self.job = RetriedJob(["done", "failed", "done", "failed"])
        self.calls = of_job(self.job)

    def test_failed_calls_run_again_in_their_own_job(self):
        again = self.calls.failed()[1:].retry()
        again.stop()
        self.assertEqual(["gs://b/3.pkl"], again.results())
        self.assertEqual(([[3]], [[3]]), (self.job.again, self.job.stops))
        self.assertEqual([(3, self.calls[3].input)], [(call.index, call.input) for call in again])
        self.assertEqual("failed", self.calls[3].state)

    def test_calls_that_are_done_do_not_run_again(self):
        self.calls.refresh()
        again = self.calls[:2].retry()
        self.assertEqual(["gs://b/0.pkl", "gs://b/1.pkl"], again.results())
        self.assertEqual([[1]], self.job.again)

    def test_other_function_is_refused(self):
        for change in ({"function": len}, {"code": "."}):
            with self.assertRaisesRegex(InvalidInput, "the function that was packed"):
                self.calls.failed().retry(**change)
        self.assertEqual([], self.job.again)

    def test_calls_of_an_open_job_are_added_and_not_retried(self):
        with self.assertRaisesRegex(InvalidInput, "calls of an open job"):
            of_job(RetriedJob(["failed"], "open")).failed().retry()


if __name__ == "__main__":
    unittest.main()
