"""Acceptance of a published job: which job it became."""

import datetime
import unittest

import context  # noqa: F401  makes the package importable
from context import sample

from mayfly import NotFound, Rejected, Unavailable
from mayfly._job import Job, await_accepted


class Control:
    """Answers from a dictionary of paths; unknown ones are not found. ``asked`` has what was asked for."""

    def __init__(self, **answers):
        self.answers = {f"/v1/{path}": answer for path, answer in answers.items()}
        self.asked = []

    def get(self, path, timeout=60):
        self.asked.append(path)
        if path not in self.answers:
            raise NotFound(path)
        return self.answers[path]


def job(uid, **fields):
    return sample("view-job", uid=uid, name="sweep", **fields)


def taken(control, seconds=0.3, **options):
    return await_accepted(control, "lab", "jmine", "sweep", "m1", seconds=seconds, **options)


class Commanded(Job):
    """Publishes nothing, and has what its script answers in turn."""

    def __init__(self, *ends, **rejections):
        super().__init__(Control(**rejections), "lab", "j1", "sweep")
        self.ends, self.published = list(ends), []

    def status(self):
        end = self.ends.pop(0)
        return {"endedAt": end} if end else {}

    def _command(self, kind, **fields):
        self.published.append(kind)
        self.fields = fields
        return "m1"


class CommandTest(unittest.TestCase):
    def test_retry_of_an_ended_job_returns_when_it_runs_again(self):
        for after in (None, "12:00"):  # it runs, or has ended again
            job = Commanded("10:00", "10:00", after)
            job.retry()
            self.assertEqual(([], ["RetryJob"]), (job.ends, job.published))

    def test_retry_with_nothing_to_run_is_refused(self):
        refused = sample("view-rejection", errors=["job: job sweep has nothing to run again"])
        with self.assertRaisesRegex(Rejected, "nothing to run"):
            Commanded(*["10:00"] * 9, **{"rejections/m1": refused}).retry()

    def test_retry_of_a_task_of_a_running_job_returns_at_once(self):
        job = Commanded(None)
        job.retry(3)
        self.assertEqual(["RetryTasks"], job.published)

    def test_retry_may_cost_more(self):
        job = Commanded("10:00", "10:00", None)
        job.retry(max_usd=50)
        self.assertEqual(({"maxUsd": 50}, ["RetryJob"]), (job.fields, job.published))
        with self.assertRaisesRegex(ValueError, "for a whole job"):
            job.retry([3], max_usd=50)

    def test_higher_limit_of_a_running_job_is_waited_for(self):
        job = Commanded()
        limits = iter([10, 10, 10, 50])
        job.status = lambda: {"maxUsd": next(limits)}
        job.retry(max_usd=50)
        self.assertEqual([], list(limits))
        refused = sample("view-rejection", errors=["maxUsd: is no more than before"])
        job = Commanded(**{"rejections/m1": refused})
        job.status = lambda: {"maxUsd": 10}
        with self.assertRaisesRegex(Rejected, "no more than before"):
            job.retry(max_usd=5)

    def test_longer_time_of_a_running_job_is_waited_for(self):
        job = Commanded()
        limits = iter(["12h", "12h", "12h", "1d6h"])
        job.status = lambda: {"runTime": {"max": next(limits)}}
        job.retry(max_run_time="30h")
        self.assertEqual(([], {"maxRunTime": "30h"}), (list(limits), job.fields))
        with self.assertRaisesRegex(ValueError, "max_run_time is for a whole job"):
            job.retry([3], max_run_time="30h")

    def test_tasks_of_an_ended_job_are_waited_for(self):
        job = Commanded("10:00", "10:00", None)
        states = iter(["failed", "failed", "waiting", "waiting"])
        job.task = lambda index: {"index": index, "state": next(states)}
        job.rerun(["3-5", 8])
        self.assertEqual(["RetryTasks"], job.published)
        self.assertEqual(["3-5", 8], job.fields["tasks"])
        self.assertEqual(([], []), (job.ends, list(states)))

    def test_tasks_that_cannot_run_again_are_refused(self):
        refused = sample("view-rejection", errors=["job: job sweep is still ending"])
        job = Commanded(None, **{"rejections/m1": refused})
        job.task = lambda index: {"state": "failed"}
        with self.assertRaisesRegex(Rejected, "still ending"):
            job.rerun([3])

    def test_an_addition_is_taken_or_refused(self):
        addition = sample("view-addition", addition="x", first=7, count=1)
        taken_ = Commanded(**{"clusters/lab/jobs/j1/additions/x": addition})
        self.assertEqual(7, taken_.add([{"variables": {"lr": 1e-05}}], "x")["first"])
        refused = sample("view-rejection", errors=["tasks[0]: lacks depth"])
        with self.assertRaisesRegex(Rejected, "lacks depth"):
            Commanded(**{"rejections/m1": refused}).add([{"variables": {"lr": 1e-05}}])

    def test_values_of_an_addition_are_no_templates(self):
        job = Commanded()
        job.send([{"variables": {"p": "Hi {name}, ${x} {{y}} {1}", "n": 1}}, {"input": "gs://b/a"}], "x")
        values = {"p": "Hi {{name}}, ${{x}} {{{y}}} {1}", "n": 1}
        self.assertEqual([{"variables": values}, {"input": "gs://b/a"}], job.fields["tasks"])

    def test_watch_that_failed_is_tried_again(self):
        job = Commanded()
        job.follow_logs = self.failing
        for _ in range(2):
            with self.assertRaises(Unavailable):
                job.watch()

    @staticmethod
    def failing():
        raise Unavailable("503")


NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone.utc)


class Logged(Job):
    """Its bucket has these pieces of logs; it is its own deployment."""

    def __init__(self, pieces, ending=".log"):
        super().__init__(self, "lab", "j1", "sweep")
        self.read = []
        self.pieces = {f"gs://lab/mayfly/.jobs/j1/logs/{place}{ending}": text for place, text in pieces.items()}

    def status(self):
        return {"bucket": "gs://lab"}

    def list_stored(self, prefix):
        """Each piece is stored ten minutes after the one before."""
        urls = sorted(url for url in self.pieces if url.startswith(prefix))
        return [(url, NOON + datetime.timedelta(minutes=10 * i)) for i, url in enumerate(urls)]

    def read_object(self, url):
        self.read.append(url)
        return self.pieces[url]


class LogsTest(unittest.TestCase):
    def test_pieces_are_ordered_by_the_value_of_their_numbers(self):
        text = "drei, größer\n".encode()
        pieces = {"100000": text[9:], "99999": b"zwei\n" + text[:9], "00009": b"eins\n"}
        job = Logged({f"00000000/s0e1/{number}": part for number, part in pieces.items()})
        self.assertEqual(["eins", "zwei", "drei, größer"], [line for *_, line in job.logs()])

    def test_the_tail_reads_the_last_pieces_only(self):
        job = Logged({f"00000000/s0e1/{n:05d}": f"{n}\nhalf of {n}, ".encode() for n in range(50)})
        self.assertEqual(["half of 47, 48", "half of 48, 49", "half of 49, "], self.lines(job, tail=3))
        self.assertEqual(3, len(job.read))

    def test_the_tail_counts_for_each_task_and_host(self):
        job = Logged({"00000000/s0e1/00000": b"a\nb\n", "00000000/s0e2/00000": b"c\n", "00000001/s1e1/00000": b"d"})
        self.assertEqual(["b", "c", "d"], self.lines(job, tail=2))
        self.assertEqual(["a", "b"], self.lines(job, attempt="s0e1"))

    def test_since_shows_whole_lines_of_later_pieces(self):
        pieces = {"00000": b"old\n", "00001": b"older\nbegun ", "00002": b"and ended\nnew\n"}
        job = Logged({f"00000000/s0e1/{number}": part for number, part in pieces.items()})
        for more in ({}, {"tail": 9}):
            since = NOON + datetime.timedelta(minutes=15)
            self.assertEqual(["begun and ended", "new"], self.lines(job, since=since, **more))
        with self.assertRaisesRegex(ValueError, "has no time zone"):
            job.logs(since=datetime.datetime(2026, 3, 1))

    def test_a_pattern_matches_what_a_terminal_shows(self):
        job = Logged({"00000000/s0e1/00000": b"\x1b[31mer\x1b[0mror: 1\nfine\nerror: 2\n"})
        self.assertEqual(["error: 2"], self.lines(job, grep="^error", tail=1))
        self.assertEqual(2, len(self.lines(job, grep="^error")))

    @staticmethod
    def lines(job, **selected):
        return [line for *_, line in job.logs(**selected)]


class MetricsHistoryTest(unittest.TestCase):
    def test_each_attempt_has_its_newest_object(self):
        job = Logged(
            {
                "metrics/00000003/s0e2/00000": self.rows(7),
                "metrics/00000003/s0e1/00000": self.rows(1),
                "metrics/00000003/s0e1/00001": self.rows(1, 2),
                "metrics/00000004/s0e1/00000": self.rows(9),
                "00000003/s0e1/00000": b"a line of its log",
            },
            ".metrics.jsonl",
        )
        found = job.metrics_history(3)
        self.assertEqual([("s0e1", [1, 2]), ("s0e2", [7])], [(it.attempt, self.steps(it)) for it in found])
        self.assertEqual((NOON, {"step": 1.0}), found[0].rows[0])
        self.assertEqual(NOON + datetime.timedelta(minutes=10), found[0].stored_at)
        self.assertEqual([], job.metrics_history(5))

    def test_what_is_no_row_is_left_out(self):
        foreign = [
            b"no json",
            b"7",
            b'{"at": "yesterday", "values": {"step": 1}}',
            b'{"at": "2026-03-01T12:00:00Z", "values": {"step": NaN}}',
            b'{"at": "2026-03-01T12:00:00Z", "values": {"<b>": 1}}',
            b'{"at": "2026-03-01T12:00:00Z", "values": {"step": "1"}}',
            b'{"at": "2026-03-01T12:00:00", "values": {"step": 1}}',
        ]
        content = b"\n".join([*foreign, self.rows(4)])
        (history,) = Logged({"metrics/00000000/s0e1/00000": content}, ".metrics.jsonl").metrics_history(0)
        self.assertEqual([4], self.steps(history))

    @staticmethod
    def rows(*steps):
        return b"".join(b'{"at": "2026-03-01T12:00:00Z", "values": {"step": %d}}\n' % step for step in steps)

    @staticmethod
    def steps(history):
        return [row.values["step"] for row in history.rows]


class AwaitAcceptedTest(unittest.TestCase):
    def control(self, **answers):
        live = job("jother", state="running")
        del live["endedAt"]
        named = {"clusters/lab/jobs/sweep": live}  # whoever asks by the name alone finds another's job
        return Control(**{**named, **answers})

    def test_rejection_is_raised_though_a_namesake_is_live(self):
        refused = sample("view-rejection", errors=["name: a job named sweep is live with other content"])
        control = self.control(**{"rejections/m1": refused})
        with self.assertRaisesRegex(Rejected, "live with other content"):
            taken(control)
        self.assertNotIn("/v1/clusters/lab/jobs/sweep", control.asked)

    def test_namesake_is_not_taken_before_an_answer(self):
        with self.assertRaisesRegex(Unavailable, "not taken within"):
            taken(self.control())

    def test_own_job_is_taken_whatever_has_its_name(self):
        self.assertEqual("jmine", taken(self.control(**{"clusters/lab/jobs/jmine": job("jmine")})).uid)

    def test_recorded_repeat_is_the_live_job(self):
        same = {"clusters/lab/jobs/sweep?submission=jmine": job("jother")}
        self.assertEqual("jother", taken(self.control(**same)).uid)

    def test_known_job_is_no_answer_to_a_given_submission(self):
        refused = sample("view-rejection", errors=["submission: was used by job old (jmine) with other content"])
        known = {"clusters/lab/jobs/jmine": job("jmine"), "clusters/lab/jobs/sweep?submission=jmine": job("jmine")}
        with self.assertRaisesRegex(Rejected, "with other content"):
            taken(self.control(**known, **{"rejections/m1": refused}), given=True)
        with self.assertRaises(Unavailable):
            taken(self.control(**known), given=True)
        answer = {"clusters/lab/jobs/sweep?submission=jmine&message=m1": job("jmine")}
        self.assertEqual("jmine", taken(self.control(**known, **answer), given=True).uid)

    def test_own_job_is_asked_for_first(self):
        control = self.control(**{"clusters/lab/jobs/jmine": job("jmine")})
        taken(control)
        self.assertEqual(["/v1/clusters/lab/jobs/jmine"], control.asked)


if __name__ == "__main__":
    unittest.main()
