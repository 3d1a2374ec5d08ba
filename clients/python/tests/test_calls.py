"""The jobs that calls become, as they are published."""

import io
import json
import pickle
import re
import sys
import unittest
import zipfile

from context import check, sample, without

from mayfly import Cluster, Futures, NotFound, Rejected
from mayfly._deployment import Deployment, LaptopTokens, Tokens
from mayfly._job import Job


class Laptop(LaptopTokens):
    def __init__(self):
        self._owner, self.objects = "owner", "person"

    def person(self):
        return None


class Recorder(Deployment):
    """Accepts what is published, and keeps it."""

    def __init__(self, local=True):
        super().__init__(
            "p", "http://api", "http://pubsub", "http://storage", Laptop() if local else Tokens("http://api")
        )
        self.jobs, self.archives = [], {}

    def get(self, path, timeout=60):
        if "/additions/" in path:
            return sample("view-addition")
        if "/jobs/" in path:
            return sample("view-job", uid=path.rsplit("/", 1)[1], name=self.jobs[-1]["name"])
        if "/rejections/" in path:
            raise NotFound(path)
        return sample("view-cluster")

    def publish(self, topic, document):
        document = document if isinstance(document, dict) else json.loads(document)
        published = without(document, "variables")  # which the control plane puts in first
        check(published, re.sub("(?<=[a-z])(?=[A-Z])", "-", document["kind"]).lower())
        self.jobs.append(document)
        return "m1"

    def create_object(self, url, body):
        self.archives[url] = body

    def packed(self, name):
        return self.packed_bytes(name).decode()

    def packed_bytes(self, name):
        with zipfile.ZipFile(io.BytesIO(self.archives[self.jobs[-1]["code"]])) as archive:
            return archive.read(name)


class Refusing(Recorder):
    """Refuses what is published."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def get(self, path, timeout=60):
        if "/jobs/" in path:
            raise NotFound(path)
        return {"errors": [self.error]} if "/rejections/" in path else super().get(path)

    def publish(self, topic, document):
        return "m1"


def work(x):
    return x


class Owned(Recorder):
    """A control plane that has Ann's job, whoever asks."""

    def __init__(self):
        super().__init__()
        self.paths = []

    def get(self, path, timeout=60):
        self.paths.append(path)
        return {"uid": "j0123456789abcde", "name": "train", "owner": "ann"}

    def publish(self, topic, document):
        self.jobs.append(document)
        return "m1"


class OwnersTest(unittest.TestCase):
    def test_a_name_is_the_callers_own_and_an_address_is_exact(self):
        deployment = Owned()
        lab = Cluster("lab", deployment)
        lab.job("ann@lab.org/train")
        self.assertEqual("/v1/clusters/lab/jobs/train?owner=ann%40lab.org", deployment.paths[-1])
        job = lab.job("train")
        self.assertRegex(deployment.paths[-1], r"^/v1/clusters/lab/jobs/train(\?caller=.+)?$")
        self.assertEqual("ann/train", job.address)

    def test_commands_name_exactly_the_job_that_was_found(self):
        deployment = Owned()
        Cluster("lab", deployment).job("ann/train").stop()
        self.assertEqual("j0123456789abcde", deployment.jobs[-1]["job"])


class CallsTest(unittest.TestCase):
    def setUp(self):
        self.deployment = Recorder()
        self.lab = Cluster("lab", self.deployment)

    def submit(self, *inputs, **options):
        self.lab.map(work, inputs, code=None, **options)
        return self.deployment.jobs[-1]

    def test_memory_of_a_gpu_is_a_resource(self):
        self.assertEqual({"cpu": 1, "gpuMemory": "6Gi"}, self.submit(1, gpu_memory="6Gi")["resources"])
        job = self.submit(1, gpu=0.25, resources={"gpuMemory": "4Gi"})
        self.assertEqual({"cpu": 1, "gpu": 0.25, "gpuMemory": "4Gi"}, job["resources"])

    def test_packages_are_a_setup_of_the_job(self):
        job = self.submit(1, requirements=["numpy==2.4.6", "packaging"])
        self.assertEqual({"requirements": ".mayfly/requirements.txt"}, job["python"])
        self.assertEqual("numpy==2.4.6\npackaging\n", self.deployment.packed(".mayfly/requirements.txt"))
        self.assertEqual("python3", job["command"][0])
        self.assertNotIn("PATH", job["env"])
        self.assertEqual({"requirements": "deps/all.txt"}, self.submit(1, requirements="deps/all.txt")["python"])

    def test_function_by_value_names_its_version(self):
        self.lab.map(lambda x: x, [1], code=None, requirements=["numpy"])
        self.assertEqual("{}.{}".format(*sys.version_info), self.deployment.jobs[-1]["python"]["version"])

    def test_task_of_a_laptop_finds_programs_beside_its_python(self):
        self.assertTrue(
            self.submit(1, env={"A": "b"})["env"]["PATH"].startswith(sys.executable.rsplit("/", 1)[0] + ":")
        )
        self.assertEqual("/mine", self.submit(1, env={"PATH": "/mine"})["env"]["PATH"])
        elsewhere = Recorder(local=False)
        Cluster("lab", elsewhere).map(work, [1], code=None)
        self.assertNotIn("PATH", elsewhere.jobs[-1]["env"])

    def test_what_a_call_prints_is_in_its_log_at_once(self):
        self.assertEqual("1", self.submit(1)["env"]["PYTHONUNBUFFERED"])
        self.assertEqual("", self.submit(1, env={"PYTHONUNBUFFERED": ""})["env"]["PYTHONUNBUFFERED"])
        self.assertEqual("b", self.submit(1, env={"A": "b"})["env"]["A"])

    def test_predecessors_are_jobs_futures_and_names(self):
        first = self.lab.map(work, [1, 2], code=None, name="first")
        second = Job(self.deployment, "lab", "j2", "second")
        uid = first.job.uid  # a newer job may have the name by now
        self.assertEqual([uid], self.submit(3, after=first)["after"])
        self.assertEqual([uid, "j2", "third"], self.submit(3, after=[first[0], second, "third", first])["after"])
        self.assertEqual([{"job": "j2", "on": "end"}], self.submit(3, after={"job": second, "on": "end"})["after"])

    def test_files_are_listed_by_the_job(self):
        job = self.lab.map_files(work, "gs://lab/raw/*.txt", output="gs://lab/clean/{stem}.txt", code=None, after="x")
        self.assertIsInstance(job, Job)
        document = self.deployment.jobs[-1]
        self.assertEqual({"inputs": "gs://lab/raw/*.txt", "output": "gs://lab/clean/{stem}.txt"}, document["tasks"])
        self.assertEqual("{inputFile}", document["command"][-1])

    def test_large_inputs_are_objects_named_by_their_places(self):
        large = [bytes([n]) * 1_000_000 for n in range(11)]
        futures = self.lab.map(work, large, output="gs://lab/{index}.pkl", code=None)
        job = self.deployment.jobs[-1]
        folder = job["tasks"]["inputs"][: -len("/*.pkl")]
        self.assertRegex(folder, r"^gs://lab/mayfly/\.code/inputs-[0-9a-f]{64}$")
        self.assertTrue(job["tasks"]["downloaded"])
        self.assertEqual("gs://lab/{stem}.pkl", job["tasks"]["output"])
        self.assertLess(len(self.deployment.archives[job["code"]]), 200_000)
        listed = sorted(name for name in self.deployment.archives if name.startswith(folder))
        for future in futures:  # the control plane numbers tasks in the order of a list
            self.assertEqual(f"{folder}/{future.place}.pkl", listed[future.index])
            self.assertEqual(future.input, pickle.loads(self.deployment.archives[listed[future.index]]))
        again = Futures([futures[9], futures[10]] + futures[:8]).retry()
        self.assertEqual([9, 10, *range(8)], [future.place for future in again])

    def test_fields_of_tasks_are_kept(self):
        own = {"output": "gs://lab/mayfly/{job}/{index}"}
        self.assertEqual({"count": 1, "done": ["job"], **own}, self.submit(1, tasks={"done": ["job"]})["tasks"])

    def test_each_call_must_leave_a_result(self):
        large = [bytes([n]) * 1_000_000 for n in range(9)]
        for submit in (
            lambda **options: self.lab.map(work, [1], **options),
            lambda **options: self.lab.map(work, large, **options),
            lambda **options: self.lab.open(work, **options),
        ):
            submit(code=None)
            self.assertEqual("gs://lab/mayfly/{job}/{index}", self.deployment.jobs[-1]["tasks"]["output"])
            submit(code=None, tasks={"outputs": "none", "output": "gs://lab/{job}/{index}"})
            self.assertEqual("gs://lab/{job}/{index}", self.deployment.jobs[-1]["tasks"]["output"])

    def test_call_has_the_arguments_for_input(self):
        self.assertEqual((1, 2), self.lab.call(lambda a, b: a + b, 1, 2, code=None).input)
        self.assertEqual(1, self.lab.call(work, 1, code=None).input)

    def test_retry_of_a_retry_keeps_the_places_of_the_first_run(self):
        futures = self.lab.map(work, list("abc"), output="gs://lab/{index}.pkl", code=None)
        again = futures[2:].retry()
        once_more = again.retry()
        self.assertEqual([{"n": 2}], self.deployment.jobs[-1]["tasks"]["items"])
        self.assertEqual(("c", 0, 2), (once_more[0].input, once_more[0].index, once_more[0].place))

    def test_retry_of_calls_of_two_maps_runs_each_with_its_function(self):
        first = self.lab.map(work, list("abc"), name="first", output="gs://lab/first/{index}.pkl", code=None)
        second = self.lab.map(work, list("xyz"), name="second", output="gs://lab/second/{index}.pkl", code=None)
        again = Futures([second[1], first[2], second[0]]).retry()
        self.assertEqual(["y", "c", "x"], [f.input for f in again])
        jobs = self.deployment.jobs[-2:]
        self.assertEqual(
            [("second", [{"n": 1}, {"n": 0}]), ("first", [{"n": 2}])],
            [(job["name"], job["tasks"]["items"]) for job in jobs],
        )

    def test_retry_is_no_repeat_of_the_submission(self):
        futures = self.lab.map(work, [1, 2], submission="mine", code=None)
        futures[1:].retry()
        self.assertEqual("mine", self.deployment.jobs[0]["submission"])
        self.assertNotEqual("mine", self.deployment.jobs[1]["submission"])

    def test_unknown_keyword_is_answered_with_those_of_map(self):
        lab = Cluster("lab", Refusing("outptu: is not known; a job has after, anyRegion, cluster"))
        with self.assertRaisesRegex(Rejected, "^map has no keyword 'outptu': its own are output, "):
            lab.map(work, [1], outptu="gs://lab/{index}.pkl", code=None)
        with self.assertRaisesRegex(Rejected, "^open has no keyword 'idle_aftr': its own are idle_after, "):
            Cluster("lab", Refusing("idle_aftr: is not known; a job has after")).open(work, idle_aftr="1h", code=None)
        with self.assertRaisesRegex(Rejected, "^timeout: is 0"):
            Cluster("lab", Refusing("timeout: is 0; write more")).map(work, [1], timeout="0s", code=None)

    def test_few_files_are_copied_for_each_call(self):
        self.submit(1)
        with zipfile.ZipFile(io.BytesIO(self.deployment.archives[self.deployment.jobs[-1]["code"]])) as archive:
            own = sorted(name for name in archive.namelist() if name.startswith(".mayfly/"))
        names = ["call.pkl", "inputs.bin", "inputs.idx", "lib.zip", "task.py"]
        self.assertEqual([f".mayfly/{name}" for name in names], own)

    def test_package_goes_along_for_reports(self):
        self.submit(1)
        with zipfile.ZipFile(io.BytesIO(self.deployment.packed_bytes(".mayfly/lib.zip"))) as packages:
            self.assertIn(b"MAYFLY_METRICS", packages.read("mayfly/_report.py"))


class ContractTest(unittest.TestCase):
    """Every document that the client publishes is one that its schema knows: the recorder checks them."""

    def setUp(self):
        self.deployment = Recorder()
        self.lab = Cluster("lab", self.deployment)

    def kinds(self):
        return [document["kind"] for document in self.deployment.jobs]

    def test_all_fields_of_calls(self):
        everything = dict(
            cpu=0.5,
            memory="1Gi",
            gpu=0.5,
            tpu=None,
            python=None,
            requirements=["six"],
            name="x",
            code=None,
            timeout="1h",
            retries={"failures": 1},
            priority=9,
            pools=["cpu"],
            env={"A": "b"},
            after=["a", {"job": "b", "on": "end"}],
            concurrency=2,
        )
        self.lab.map(work, [1], output="gs://lab/{index}.pkl", **everything)
        self.lab.map_files(work, "gs://lab/*.txt", output="gs://lab/{stem}.pkl", **everything)
        self.lab.open(work, output="gs://lab/{index}.pkl", open_for="2h", idle_after="5m", **everything)
        self.lab.submit({"name": "x", "command": ["true"], "tasks": {"count": 1}}, variables={"a": 1})
        self.assertEqual(["Job"] * 4, self.kinds())

    def test_retry_of_failed_calls(self):
        futures = self.lab.map(work, [1, 2, 3], output="gs://lab/{index}.pkl", code=None)
        futures[1:].retry()
        self.assertEqual([{"n": 1}, {"n": 2}], self.deployment.jobs[-1]["tasks"]["items"])

    def test_all_commands(self):
        job = Job(self.deployment, "lab", "j1", "x")
        job.status = lambda: {"state": "running"}
        job.stop()
        job.stop([3, "5-9"])
        job.retry()
        job.retry(3)
        job.follow_logs()
        job.add([{"variables": {"lr": 0.1}, "input": "gs://lab/a"}], "first")
        job.add([{}])
        job.close()
        job.close(2)
        self.assertEqual(
            [
                "StopJob",
                "StopTasks",
                "RetryJob",
                "RetryTasks",
                "FollowLogs",
                "AddTasks",
                "AddTasks",
                "CloseJob",
                "CloseJob",
            ],
            self.kinds(),
        )

    def test_an_unknown_field_would_fail(self):
        with self.assertRaisesRegex(AssertionError, "job.tasks.cuont is unknown"):
            self.lab.submit({"name": "x", "command": ["true"], "tasks": {"cuont": 1}})


if __name__ == "__main__":
    unittest.main()
