"""Which calls have ended, from what the read API answers."""

import pickle
import unittest

import context  # noqa: F401  makes the package importable
from mayfly import TaskFailed, as_completed
from mayfly._futures import Futures, Results


class ScriptedJob:
    """A job whose tasks end as a script says: a list of steps, each {index: state}."""

    def __init__(self, count, steps, state="succeeded"):
        self.states = ["waiting"] * count
        self.steps = list(steps)
        self.last = state
        self.calls = 0
        self.watched = 0
        self._deployment = self

    def watch(self):
        self.watched += 1

    def metrics(self, index):
        return {"acc": index / 2}

    def read_object(self, url):
        return pickle.dumps(url)

    def status(self):
        self.calls += 1
        done, failed = self.states.count("done"), self.states.count("failed")
        return {"state": "running" if self.steps else self.last, "version": str(len(self.steps)),
                "totals": {"done": done, "failed": failed}}

    def next_status(self, last, wait):
        for index, state in (self.steps.pop(0) if self.steps else {}).items():
            self.states[index] = state
        return self.status()

    def tasks(self, state=None, start=0):
        for index, now in enumerate(self.states):
            now = self.last if now == "waiting" and not self.steps else now
            if index >= start and state in (None, now):
                yield {"index": index, "state": now, "output": f"gs://b/{index}.pkl",
                       "failure": {"cause": "user", "evidence": "boom"} if now == "failed" else None}


def futures(job):
    return Futures(Results(job, list("abcdef")[: len(job.states)], None).futures)


class FuturesTest(unittest.TestCase):
    def test_calls_come_as_they_end(self):
        job = ScriptedJob(3, [{2: "done"}, {}, {0: "done"}, {1: "done"}])
        self.assertEqual(["c", "a", "b"], [f.input for f in as_completed(futures(job))])

    def test_failure_is_raised_with_its_evidence(self):
        all_of = futures(ScriptedJob(2, [{0: "done"}, {1: "failed"}], "failed"))
        self.assertEqual("gs://b/0.pkl", all_of[0].result())
        with self.assertRaisesRegex(TaskFailed, "task 1: user\nboom"):
            all_of.results()
        self.assertEqual(["b"], [f.input for f in all_of.failed()])

    def test_what_a_stop_left_open_is_stopped(self):
        all_of = futures(ScriptedJob(2, [{0: "done"}, {}], "stopped"))
        self.assertEqual(["done", "stopped"], [f.state for f in as_completed(all_of)])
        self.assertEqual("stopped", all_of[1].exception().cause)

    def test_metrics_are_asked_for_while_a_call_runs(self):
        job = ScriptedJob(2, [{0: "done"}])
        all_of = futures(job)
        self.assertEqual({"acc": 0.5}, all_of[1].metrics())
        self.assertEqual(1, job.watched)
        all_of[0].result()
        self.assertEqual({}, all_of[0].metrics())
        self.assertEqual(1, job.watched)

    def test_timeout_is_told(self):
        with self.assertRaisesRegex(TimeoutError, "1 calls have not ended"):
            futures(ScriptedJob(1, [{}] * 9))[0].result(timeout=0)

    def test_nothing_is_asked_when_all_is_known(self):
        job = ScriptedJob(1, [{0: "done"}])
        all_of = futures(job)
        all_of[0].result()
        before = job.calls
        all_of.failed()
        self.assertTrue(all_of[0].done())
        self.assertEqual(before, job.calls)

    def test_two_jobs_take_turns(self):
        slow = futures(ScriptedJob(1, [{}, {}, {}, {0: "done"}]))
        fast = futures(ScriptedJob(1, [{0: "done"}]))
        self.assertEqual([fast[0], slow[0]], list(as_completed(slow + fast)))

    def test_of_many_jobs_one_is_waited_for_at_a_time(self):
        waits = []
        running = [ScriptedJob(1, [{}] * 9) for _ in range(8)]
        for job in running:
            job.next_status = lambda last, wait: waits.append(wait) or last
        late = ScriptedJob(1, [{}])
        answers = [late.status(), {"state": "succeeded", "version": "1", "totals": {"done": 1, "failed": 0}}]
        late.status = late.next_status = lambda *_: answers.pop(0)
        late.states = ["done"]
        jobs = [futures(job) for job in [*running, late]]
        self.assertEqual(jobs[-1][0], next(as_completed(sum(jobs, []))))
        self.assertLessEqual(len(waits), 1)


if __name__ == "__main__":
    unittest.main()
