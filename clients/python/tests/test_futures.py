"""Which calls have ended, from what the read API answers."""

import io
import logging
import pickle
import sys
import types
import unittest
from unittest import mock

from context import check, sample, without

from mayfly import InvalidInput, TaskFailed, Unavailable, as_completed
from mayfly._futures import Future, Futures, Results


class ScriptedJob:
    """A job whose tasks end as a script says: a list of steps, each {index: state}."""

    def __init__(self, count, steps, state="succeeded", earlier=0):
        self.name, self.uid = "j", "j1"
        self.earlier = earlier
        self.states = ["waiting"] * count
        self.steps = list(steps)
        self.last = state
        self.calls = 0
        self.watched = 0
        self._deployment = self
        self.stops = []
        self.foreign = set()  # tasks whose results another job makes

    def watch(self):
        self.watched += 1

    def stop(self, tasks=None):
        self.stops.append(tasks)

    def metrics(self, index):
        return {"acc": index / 2}

    def metrics_history(self, index):
        return [f"of {index}"]

    def read_object(self, url):
        return pickle.dumps(url)

    def last_lines(self, index, attempt):
        return ""

    def status(self):
        self.calls += 1
        done, failed = self.states.count("done"), self.states.count("failed")
        totals = dict(sample("view-job")["totals"], done=done, failed=failed, earlier=self.earlier)
        totals.pop("stopped")  # left out when nothing was
        answer = sample(
            "view-job",
            state="running" if self.steps else self.last,
            version=str(len(self.steps)),
            tasks=len(self.states),
            totals=totals,
        )
        return without(answer, "endedAt") if self.steps else answer

    def next_status(self, last, wait):
        for index, state in (self.steps.pop(0) if self.steps else {}).items():
            self.states[index] = state
        return self.status()

    def tasks(self, state=None, start=0):
        for index, now in enumerate(self.states):
            now = {"succeeded": "done"}.get(self.last, self.last) if now == "waiting" and not self.steps else now
            if index >= start and state in (None, now):
                before = now == "done" and index in self.foreign
                task = sample("view-task", index=index, state=now, output=f"gs://b/{index}.pkl", doneBefore=before)
                task["failure"].update(cause="user", evidence="boom")
                yield task if now == "failed" else without(task, "failure", "metrics")


def futures(job):
    return Futures(Results(job, list("abcdef")[: len(job.states)], None).futures)


class FuturesTest(unittest.TestCase):
    def test_calls_come_as_they_end(self):
        job = ScriptedJob(3, [{2: "done"}, {}, {0: "done"}, {1: "done"}])
        self.assertEqual(["c", "a", "b"], [f.input for f in as_completed(futures(job))])

    def test_results_that_stood_there_are_told_once(self):
        job = ScriptedJob(3, [{}, {2: "done"}], earlier=2)
        job.states[:2] = ["done", "done"]
        calls = Futures(Results(job, list("abc"), lambda *_: None).futures)
        with self.assertLogs("mayfly", "WARNING") as said:
            self.assertEqual(["gs://b/0.pkl", "gs://b/1.pkl", "gs://b/2.pkl"], calls.results())
            calls.refresh()
        self.assertEqual(1, len(said.output))
        self.assertIn("job j: 2 of 3 results are not its own: they stood at their places", said.output[0])

    def test_results_of_another_job_are_told_before_they_are_handed_out(self):
        job = ScriptedJob(4, [{0: "done"}, {1: "done"}, {2: "done"}, {3: "done"}])
        job.foreign = {1, 2, 3}  # the job's own total comes when all is over
        calls, said = Futures(Results(job, list("abcd"), lambda *_: None).futures), []
        with mock.patch.object(logging.getLogger("mayfly"), "warning", lambda text, *of: said.append(of)):
            self.assertEqual([0, 1, 1, 2], [(call.result(), len(said))[1] for call in calls])
        self.assertEqual([("j", 1, 4), ("j", 3, 4)], said)

    def test_results_of_another_job_are_told_of_calls_of_another_process(self):
        job = ScriptedJob(2, [], "succeeded")
        job.states, job.foreign = ["done", "done"], {0, 1}
        with self.assertLogs("mayfly", "WARNING") as said:
            Futures(Results(job, list("ab"), None).futures)[1].result()
        self.assertIn("job j: 2 of 2 results are not its own", said.output[0])

    def test_failure_is_raised_with_its_evidence(self):
        all_of = futures(ScriptedJob(2, [{0: "done"}, {1: "failed"}], "failed"))
        self.assertEqual("gs://b/0.pkl", all_of[0].result())
        with self.assertRaisesRegex(TaskFailed, r"task 1 \(input 'b'\): killed by SIGKILL \(exit code 137\)\nboom"):
            all_of.results()
        self.assertEqual(["b"], [f.input for f in all_of.failed()])

    def test_text_of_a_failure_commands_no_terminal(self):
        said = "a\tb\r\n\x1b]0;owned\x07\x1b[31mred\x1b[0m\x9b2J\u202e\x00end"
        failed = TaskFailed(3, "user", said, exit_code=1)
        self.assertEqual("task 3 (input None): exit code 1\na\tb\nred2Jend", str(failed))
        self.assertEqual(said, failed.evidence)  # as it was written
        raised = TaskFailed(3, "user", type="E", message="\x1b[2Jx", traceback="\x1b]0;t\x07y")
        self.assertEqual(("E: x", "task 3 (input None): E: x\ny"), (raised.reason, str(raised)))
        self.assertEqual("no", str(Unavailable("\x07\x1b\x1b[2Jno")))

    def test_failure_represents_itself_with_its_end_in_words_and_its_traceback_as_it_is(self):
        killed = TaskFailed(3, "user", "Fatal error\n  step 2", input="b", exit_code=139)
        self.assertEqual(
            "TaskFailed(3, input='b', cause='user', reason='killed by SIGSEGV (exit code 139)',"
            " evidence='Fatal error\\n  step 2')",
            repr(killed),
        )
        trace = 'Traceback:\n  File "a.py", line 1\n    boom()\x1b[2J'
        raised = repr(TaskFailed(None, "user", "tail", exit_code=1, type="E", message="no", traceback=trace))
        self.assertIn(f", reason='E: no', traceback={trace!r})", raised)
        self.assertNotIn("\x1b", raised)
        self.assertEqual(
            "TaskFailed(3, input=None, cause='timeout', reason='ran longer than its timeout')",
            repr(TaskFailed(3, "timeout")),
        )

    def test_missing_result_was_deleted_or_never_was(self):
        job = ScriptedJob(1, [{0: "done"}])
        job.read_object = lambda url: None
        with self.assertRaisesRegex(Unavailable, "was it deleted"):
            futures(job)[0].result()
        plain = job.status()
        plain["spec"]["data"].pop("output")
        job.status = lambda: plain
        with self.assertRaisesRegex(InvalidInput, r"^job j has no outputs.*tasks: .*output: "):
            futures(job)[0].result()
        plain["spec"]["run"]["command"] = ["python3", ".mayfly/task.py", "{index}"]  # a map of an older client
        with self.assertRaisesRegex(Unavailable, "its call left none, or it was deleted"):
            futures(job)[0].result()

    def test_folder_that_a_call_wrote_is_named(self):
        job = ScriptedJob(1, [{0: "done"}])
        job.read_object = {"gs://b/0.pkl/index.json": b"{}"}.get
        with self.assertRaisesRegex(InvalidInput, "gs://b/0.pkl is a folder.*: gs://b/0.pkl/index.json names its"):
            futures(job)[0].result()

    def test_job_without_outputs_never_had_a_result(self):
        job = ScriptedJob(1, [{0: "done"}])
        job.read_object = lambda url: None
        call, plain = futures(job)[0], job.status
        self.assertIsNone(call.exception())
        answer = plain()
        answer["spec"]["data"]["outputs"] = "none"
        job.status = lambda: answer
        with self.assertRaisesRegex(InvalidInput, r"^job j has no outputs"):
            call.result()

    def test_call_that_never_began_has_the_reason_of_its_job(self):
        job = ScriptedJob(2, [{0: "failed"}], "stopped")
        plain = job.status
        job.status = lambda: dict(plain(), reason="did not start: its predecessor extract failed")
        all_of = futures(job)
        self.assertEqual("boom", all_of[0].exception().evidence)
        error = all_of[1].exception()
        self.assertEqual(("stopped", "did not start: its predecessor extract failed"), (error.cause, error.evidence))
        self.assertIn("it was stopped\ndid not start: its predecessor", str(error))

    def test_what_a_stop_left_open_is_stopped(self):
        all_of = futures(ScriptedJob(2, [{0: "done"}, {}], "stopped"))
        self.assertEqual(["done", "stopped"], [f.state for f in as_completed(all_of)])
        self.assertEqual("stopped", all_of[1].exception().cause)

    def test_job_that_ended_without_tasks_has_none_that_run(self):
        job = ScriptedJob(2, [], "stopped")
        job.tasks = lambda state=None, start=0: iter(())
        self.assertEqual(["stopped", "stopped"], [f.state for f in as_completed(futures(job))])

    def test_end_that_a_retry_takes_back_is_none(self):
        job = ScriptedJob(2, [], "stopped")
        job.states[0] = "done"
        plain = job.status

        def status():
            return plain() if job.steps or job.last != "stopped" else dict(plain(), endedAt="2026-01-31T10:30:00Z")

        def tasks(state=None, start=0):
            yield from ScriptedJob.tasks(job, state, start)
            if state is None and job.last == "stopped":  # retried once the tasks are read
                job.last, job.steps = "succeeded", [{}, {1: "done"}]

        job.status, job.tasks = status, tasks
        all_of = futures(job)
        self.assertEqual(["gs://b/0.pkl", "gs://b/1.pkl"], all_of.results(timeout=5))

    def test_error_while_the_end_is_read_is_no_end_of_looking(self):
        for error in (Unavailable("503"), KeyboardInterrupt()):
            job = ScriptedJob(2, [{0: "done", 1: "failed"}], "failed")
            job.tasks = mock.Mock(side_effect=[error])
            all_of = futures(job)
            with self.assertRaises(type(error)):
                all_of[0].result()
            del job.tasks
            self.assertEqual("gs://b/0.pkl", all_of[0].result(timeout=5))
            self.assertEqual([all_of[1]], all_of.failed())

    def test_call_is_not_lost_by_an_interrupt_while_its_end_is_noted(self):
        all_of = futures(ScriptedJob(1, [{0: "done"}]))
        with mock.patch.object(Future, "end", side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt):
            all_of.results()
        self.assertEqual(["gs://b/0.pkl"], all_of.results(timeout=5))

    def test_stopped_call_is_seen_when_its_process_is_gone(self):
        job = ScriptedJob(2, [{}])
        looks = []

        def status(*_):  # the total is there from the command on, and nothing else changes
            looks.append(_)
            answer = ScriptedJob.status(job)
            return dict(answer, totals=dict(answer["totals"], stopped=1))

        job.status = job.next_status = status
        plain = job.tasks
        job.tasks = lambda state=None, start=0: plain(state, start) if len(looks) > 3 else iter(())
        job.states[0] = "stopped"
        self.assertEqual("stopped", futures(job)[0].exception(timeout=60).cause)

    def test_end_in_another_thread_hides_no_call(self):
        first, second = Seen(True), Seen(False, True)
        self.assertEqual([first, second], list(as_completed([first, second])))
        Futures([Seen(False, True)]).results()

    def test_metrics_are_asked_for_while_a_call_runs(self):
        job = ScriptedJob(2, [{0: "done"}])
        all_of = futures(job)
        self.assertEqual({"acc": 0.5}, all_of[1].metrics())
        self.assertEqual(1, job.watched)
        all_of[0].result()
        self.assertEqual({}, all_of[0].metrics())
        self.assertEqual(1, job.watched)
        self.assertEqual([["of 0"], ["of 1"]], [future.metrics_history() for future in all_of])

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

    def test_stop_of_some_calls_names_them_alone(self):
        job = ScriptedJob(6, [{0: "done", 4: "failed"}, {}])
        all_of = futures(job)
        next(as_completed(all_of))
        Futures([all_of[5], all_of[0], all_of[2], all_of[1], all_of[3]]).stop()
        all_of[3:5].stop()
        all_of[5].stop()
        all_of.failed().stop()
        self.assertEqual([["1-3", 5], [3], [5]], job.stops)

    def test_stop_of_all_calls_is_that_of_the_job(self):
        job = ScriptedJob(2, [{}])
        futures(job).stop()
        self.assertEqual([None], job.stops)

    def test_only_call_of_a_job_stops_it(self):
        job = ScriptedJob(1, [{}])
        futures(job)[0].stop()
        self.assertEqual([None], job.stops)

    def test_many_calls_are_stopped_by_several_commands(self):
        job = ScriptedJob(500, [{}])
        Futures(Results(job, list(range(500)), None).futures[::2]).stop()
        self.assertEqual([100, 100, 50], [len(tasks) for tasks in job.stops])
        for tasks in job.stops:
            named = {"apiVersion": "mayfly.dev/v1", "kind": "StopTasks", "cluster": "lab", "job": "j"}
            check({**named, "tasks": tasks}, "stop-tasks")

    def test_of_many_jobs_one_is_waited_for_at_a_time(self):
        waits = []
        running = [ScriptedJob(1, [{}] * 9) for _ in range(8)]
        for job in running:
            job.next_status = lambda last, wait: waits.append(wait) or last
        late = ScriptedJob(1, [{}])
        totals = dict(sample("view-job")["totals"], done=1, failed=0, stopped=0)
        answers = [late.status(), sample("view-job", state="succeeded", version="1", totals=totals)]
        late.status = late.next_status = lambda *_: answers.pop(0)
        late.states = ["done"]
        jobs = [futures(job) for job in [*running, late]]
        self.assertEqual(jobs[-1][0], next(as_completed(sum(jobs, []))))
        self.assertLessEqual(len(waits), 1)


class Seen:
    """A call that another thread sees end between two looks."""

    is_chunk = False

    def __init__(self, *ended):
        self._ended = list(ended)
        self._results = self
        self.waited = 0

    @property
    def ended(self):
        return self._ended.pop(0) if len(self._ended) > 1 else self._ended[0]

    def refresh(self, wait):
        pass

    def exception(self):
        return None

    def result(self):
        return None


class Bar:
    """What tqdm is asked for."""

    made = []

    def __init__(self, total, file):
        self.total, self.n, self.shown, self.closed, self.failed = total, 0, [], False, 0
        Bar.made.append(self)

    def update(self, more):
        self.n += more
        self.shown.append(self.n)

    def set_postfix(self, failed, refresh):
        self.failed = failed

    def close(self):
        self.closed = True


class ProgressTest(unittest.TestCase):
    STEPS = [{2: "done"}, {0: "failed", 1: "done"}]

    def test_lines_where_there_is_no_tqdm(self):
        out = io.StringIO()
        all_of = futures(ScriptedJob(3, self.STEPS, "failed"))
        with mock.patch.dict(sys.modules, tqdm=None):
            self.assertIs(all_of, all_of.progress(file=out))
        lines = out.getvalue().splitlines()
        self.assertEqual("3 of 3 ended, 1 failed", lines[-1])
        self.assertEqual("1 of 3 ended", lines[0])

    def test_bar_where_tqdm_is_installed(self):
        Bar.made.clear()
        out = io.StringIO()
        with mock.patch.dict(sys.modules, tqdm=types.SimpleNamespace(tqdm=Bar)):
            futures(ScriptedJob(3, self.STEPS, "failed")).progress(file=out)
        [bar] = Bar.made
        self.assertEqual((3, [1, 2, 3], 1, True), (bar.total, bar.shown, bar.failed, bar.closed))
        self.assertEqual("", out.getvalue())

    def test_progress_of_nothing_ends_at_once(self):
        out = io.StringIO()
        with mock.patch.dict(sys.modules, tqdm=None):
            self.assertEqual([], Futures().progress(file=out))


if __name__ == "__main__":
    unittest.main()
