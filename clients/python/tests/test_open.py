"""Calls that are added to an open job, against a job that answers as a script says."""

import pickle
import threading
import time
import unittest

from context import check, sample, without

from mayfly import Futures, InvalidInput, NotFound, TaskFailed, Unavailable
from mayfly._function import pack_input
from mayfly._open import OpenCalls


class ScriptedOpenJob:
    """Takes an addition when it is asked for it the second time, and ends its task at the next look."""

    def __init__(self, refuse=()):
        self.name = "tune"
        self.tasks_of = {}
        self.states = []
        self.asked = set()
        self.refuse = set(refuse)
        self.messages = []
        self.closed = self.stopped = None
        self.objects = {}
        self._deployment = self

    def send(self, tasks, addition):
        named = {"apiVersion": "mayfly.dev/v1", "kind": "AddTasks", "cluster": "lab", "job": self.name}
        check({**named, "tasks": tasks, "addition": addition}, "add-tasks")
        self.messages.append((addition, tasks))
        return str(len(self.messages) - 1)

    def addition(self, name):
        if name in self.tasks_of:
            return sample("view-addition", addition=name, first=self.tasks_of[name], count=1)
        if name in self.asked and int(name.split("-")[1]) not in self.refuse:
            self.tasks_of[name] = len(self.states)
            self.states.append("waiting")
        self.asked.add(name)
        raise NotFound(name)

    def rejection(self, message):
        return sample("view-rejection", errors=["job tune was closed"]) if int(message) in self.refuse else None

    def status(self):
        totals = dict(sample("view-job")["totals"], done=self.states.count("done"), failed=0, stopped=0)
        answer = sample("view-job", state="running", version=str(self.states), tasks=len(self.states), totals=totals)
        return without(answer, "endedAt")

    def next_status(self, last, wait):
        self.states = ["done"] * len(self.states)
        return self.status()

    def tasks(self, state=None, start=0):
        for index, now in enumerate(self.states):
            if index >= start and state in (None, now):
                task = sample("view-task", index=index, state=now, output=f"gs://b/{index}.pkl")
                yield without(task, "failure", "metrics")

    def read_object(self, url):
        return pickle.dumps(url)

    def create_object(self, url, body):
        self.objects[url] = body

    def close(self, additions):
        self.closed = additions

    def stop(self, tasks=None):
        self.stopped = tasks or True


class OpenTest(unittest.TestCase):
    def test_calls_submitted_meanwhile_are_yielded(self):
        job, ended = ScriptedOpenJob(), []
        with OpenCalls(job, "gs://b") as calls:
            calls.submit(0)
            for future in calls.as_completed():
                ended.append((future.input, future.index, future.result()))
                if len(ended) < 3:
                    calls.submit(len(ended))
        self.assertEqual([(0, 0, "gs://b/0.pkl"), (1, 1, "gs://b/1.pkl"), (2, 2, "gs://b/2.pkl")], ended)
        self.assertEqual(3, job.closed)

    def test_additions_have_names_of_their_own(self):
        job = ScriptedOpenJob()
        with OpenCalls(job, "gs://b") as calls:
            calls.submit("a")
            calls.submit("a")
        self.assertEqual(2, len({name for name, _ in job.messages}))
        self.assertEqual([{"variables": {"call": '"a"'}}], job.messages[0][1])

    def test_two_threads_share_no_addition_and_no_end(self):
        job, ended = ScriptedOpenJob(), []
        plain = job.send
        job.send = lambda tasks, addition: (time.sleep(0.05), plain(tasks, addition))[1]
        calls = OpenCalls(job, "gs://b")
        in_threads(lambda n: calls.submit(n))
        self.assertEqual(2, len({addition for addition, _ in job.messages}))
        in_threads(lambda _: ended.extend(calls.as_completed(timeout=5)))
        self.assertEqual([0, 1], sorted(future.input for future in ended))
        calls.close()
        self.assertEqual(2, job.closed)

    def test_lost_reply_gives_its_addition_to_no_other_call(self):
        job = ScriptedOpenJob()
        plain = job.send

        def lost(tasks, addition):
            plain(tasks, addition)
            raise Unavailable("the reply is lost")

        calls = OpenCalls(job, "gs://b")
        job.send = lost
        with self.assertRaises(Unavailable):
            calls.submit("first")
        job.send = plain
        calls.submit("second")
        self.assertEqual(2, len({addition for addition, _ in job.messages}))
        calls.close()
        self.assertEqual(1, job.closed)  # a close waits for no call that may never come

    def test_call_that_a_job_never_took_ends_with_it(self):
        job = ScriptedOpenJob()
        job.addition = self.missing
        future = OpenCalls(job, "gs://b").submit(1)
        job.status = lambda: sample("view-job", state="stopped")
        self.assertEqual("stopped", future.exception(timeout=5).cause)

    def test_call_that_gets_its_number_while_tasks_are_read_is_seen(self):
        job = ScriptedOpenJob()
        job.tasks_of, job.states = {"x-0": 0, "x-1": 1}, ["waiting", "done"]
        job.next_status = lambda last, wait: job.status()  # nothing changes any more
        results = OpenCalls(job, "gs://b")._results
        plain, calls = job.tasks, [results.add("a", "x-0", "0")]

        def tasks(state=None, start=0):
            if len(calls) > 1:
                return plain(state, start)
            calls.append(results.add("b", "x-1", "1"))
            results._number()  # in another thread
            return iter(())

        job.tasks = tasks
        results.refresh(0)
        results.refresh(1)
        self.assertEqual(["waiting", "done"], [call.state for call in calls])

    @staticmethod
    def missing(name):
        raise NotFound(name)

    def test_refused_call_fails(self):
        calls = OpenCalls(ScriptedOpenJob(refuse=[0]), "gs://b")
        with self.assertRaisesRegex(TaskFailed, "it was refused\njob tune was closed"):
            calls.submit(1).result()

    def test_calls_are_submitted_again_and_not_retried(self):
        calls = OpenCalls(ScriptedOpenJob(), "gs://b")
        with self.assertRaisesRegex(InvalidInput, "submit them again"):
            Futures([calls.submit(3)]).retry()

    def test_closed_job_takes_no_call(self):
        calls = OpenCalls(ScriptedOpenJob(), "gs://b")
        calls.close()
        with self.assertRaisesRegex(InvalidInput, "is closed"):
            calls.submit(1)

    def test_exception_stops_the_job(self):
        job = ScriptedOpenJob()
        with self.assertRaises(KeyError):
            with OpenCalls(job, "gs://b"):
                raise KeyError
        self.assertTrue(job.stopped)
        self.assertIsNone(job.closed)

    def test_stop_of_calls_leaves_the_job_open(self):
        job = ScriptedOpenJob()
        calls = OpenCalls(job, "gs://b")
        first, second = calls.submit(1), calls.submit(2)
        second.stop()  # it has no number yet
        self.assertEqual([second.index], job.stopped)
        first.stop()
        self.assertEqual([first.index], job.stopped)

    def test_large_input_is_an_object(self):
        job = ScriptedOpenJob()
        OpenCalls(job, "gs://b").submit("x" * 10_000)
        self.assertEqual(["x" * 10_000], [pickle.loads(body) for body in job.objects.values()])
        self.assertEqual(list(job.objects), [job.messages[0][1][0]["input"]])


def in_threads(action):
    threads = [threading.Thread(target=action, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class PackInputTest(unittest.TestCase):
    def test_plain_values_are_readable(self):
        self.assertEqual(({"call": '{"x": 1.5}'}, None), pack_input({"x": 1.5}))
        self.assertEqual(({"call": "null"}, None), pack_input(None))

    def test_what_json_would_change_is_pickled(self):
        for value in ((1, 2), {1: "a"}, {"a": (1,)}, b"x", 1j):
            self.assertEqual(["pickled"], list(pack_input(value)[0]), value)

    def test_large_values_have_no_variables(self):
        self.assertEqual({}, pack_input(b"x" * 5_000)[0])


if __name__ == "__main__":
    unittest.main()
