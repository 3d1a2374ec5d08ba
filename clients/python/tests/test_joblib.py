"""Joblib's calls are added to an open job."""

import unittest
from unittest import mock

from test_open import ScriptedOpenJob

from mayfly import Cluster, InvalidInput
from mayfly._executor import Executor, call
from mayfly._open import OpenCalls

try:
    import joblib

    import mayfly.joblib
except ImportError:
    joblib = None


class Computing(ScriptedOpenJob):
    """Runs what was added when its result is read."""

    def read_object(self, url):
        import cloudpickle

        return cloudpickle.dumps(call(self.inputs[int(url.rsplit("/", 1)[1][: -len(".pkl")])]))

    @property
    def inputs(self):
        return [future.input for future in self.calls._results.futures]


@unittest.skipUnless(joblib, "joblib is not installed")
class JoblibTest(unittest.TestCase):
    def setUp(self):
        mayfly.joblib.register()
        self.jobs = []

        def executor(_, **options):
            self.jobs.append(Computing())
            self.jobs[-1].calls = OpenCalls(self.jobs[-1], "gs://lab")
            self.options = options
            return Executor(self.jobs[-1].calls)

        patch = mock.patch.object(Cluster, "executor", executor)
        patch.start()
        self.addCleanup(patch.stop)

    def test_parallel_is_a_job(self):
        with joblib.parallel_config(backend="mayfly", cluster="lab", n_jobs=3, cpu=2):
            results = joblib.Parallel()(joblib.delayed(pow)(n, 2) for n in range(5))
        self.assertEqual([0, 1, 4, 9, 16], results)
        self.assertEqual({"cpu": 2}, self.options)
        self.assertEqual([5], [job.closed for job in self.jobs])

    def test_error_of_a_call_is_raised(self):
        with joblib.parallel_config(backend="mayfly", cluster="lab", n_jobs=2):
            with self.assertRaises(ZeroDivisionError):
                joblib.Parallel()(joblib.delayed(divmod)(1, n) for n in range(2))

    def test_cluster_is_asked_for(self):
        with self.assertRaisesRegex(InvalidInput, 'cluster="lab"'):
            with joblib.parallel_config(backend="mayfly", n_jobs=2):
                joblib.Parallel()(joblib.delayed(pow)(n, 2) for n in range(5))


if __name__ == "__main__":
    unittest.main()
