"""Where a control plane is, and which token goes to which of its URLs."""

import base64
import http.client
import json
import os
import sys
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

import context  # noqa: F401  makes the package importable

from mayfly import Cluster, Denied, InvalidInput, Unavailable
from mayfly._cluster import _owner
from mayfly._deployment import Deployment

PLACES = {
    "MAYFLY_PROJECT": "lab-batch",
    "MAYFLY_API_URL": "https://api.example/mayfly-api",
    "MAYFLY_PUBSUB_URL": "https://pubsub.googleapis.com",
}


class DeploymentTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def bearer(self, deployment, url):
        return deployment._headers(url).get("Authorization")

    def test_task_that_may_submit_reads_its_tokens_anew(self):
        file = self.folder / "token"
        found = Deployment.find({**PLACES, "MAYFLY_TOKEN_FILE": str(file)})
        for access in ("first", "renewed"):
            file.write_text(json.dumps({"accessToken": access, "identityToken": "who", "expires": "x"}))
            for url in (found.pubsub, found.storage):
                self.assertEqual(f"Bearer {access}", self.bearer(found, url + "/v1/x"))
        self.assertEqual("Bearer who", self.bearer(found, PLACES["MAYFLY_API_URL"] + "/v1/clusters"))
        self.assertFalse(found.local)

        file.unlink()
        with self.assertRaisesRegex(Denied, "they last as long as the task"):
            self.bearer(found, found.pubsub + "/v1/x")

    def test_laptop_shows_its_buckets_a_persons_token(self):
        cloud = self.folder / "cloud"
        cloud.mkdir()
        (cloud / "token").write_text("owner\n")
        urls = {"project": "p", "api": "http://h:2/api", "pubsub": "http://h:1", "storage": "http://h:1"}
        (self.folder / "local.json").write_text(json.dumps(urls))
        self.assertEqual(
            "Bearer owner", self.bearer(Deployment.find({"MAYFLY_HOME": str(self.folder)}), "http://h:1/storage/v1/b")
        )
        (cloud / "person").write_text("person")
        found = Deployment.find({"MAYFLY_HOME": str(self.folder)})
        self.assertTrue(found.local)
        self.assertEqual("Bearer person", self.bearer(found, "http://h:1/upload/storage/v1/b/lab/o"))
        self.assertEqual("Bearer owner", self.bearer(found, "http://h:1/v1/projects/p/topics/t:publish"))
        self.assertEqual("Bearer owner", self.bearer(found, "http://h:2/api/v1/clusters"))

    def publisher(self, denied):
        """A deployment that denies these topics, and the topics that it was asked for."""
        asked = []
        found = Deployment.find({**PLACES, "MAYFLY_TOKEN_FILE": str(self.folder / "token")})

        def call(method, url, body):
            topic = url.rpartition("/")[2].partition(":")[0]
            asked.append(topic)
            return (denied[topic], b"{}") if topic in denied else (200, b'{"messageIds": ["7"]}')

        found.call = call
        return found, asked

    def test_who_may_not_publish_to_the_topic_of_all_has_an_own_one(self):
        with mock.patch.dict(os.environ, {"MAYFLY_OWNER": "ann"}):
            found, asked = self.publisher({"mayfly-jobs": 403})
            self.assertEqual("7", found.publish("mayfly-jobs", b"{}"))
            self.assertEqual(["mayfly-jobs", "mayfly-jobs-ann"], asked)
            for status in (403, 404):
                found, _ = self.publisher({"mayfly-jobs": 403, "mayfly-jobs-ann": status})
                with self.assertRaisesRegex(Denied, "denied, and ann has no topic there.*people.personal"):
                    found.publish("mayfly-jobs", b"{}")
        with mock.patch.dict(os.environ, {"MAYFLY_OWNER": "Ann@lab.org"}):
            found, asked = self.publisher({"mayfly-jobs": 403})
            with self.assertRaises(Denied):
                found.publish("mayfly-jobs", b"{}")
            self.assertEqual(["mayfly-jobs"], asked)

    def test_invited_person_is_the_owner_of_what_they_submit(self):
        cloud = self.folder / "cloud"
        cloud.mkdir()
        (cloud / "token").write_text("mayfly-submitter-ann.f00\n")
        urls = {"project": "p", "api": "http://h:2/api", "pubsub": "http://h:1", "storage": "http://h:1"}
        (self.folder / "local.json").write_text(json.dumps(urls))
        found = Deployment.find({"MAYFLY_HOME": str(self.folder)})
        self.assertEqual("ann", found.invited())
        with mock.patch.dict(os.environ, {"MAYFLY_OWNER": ""}):
            self.assertEqual("ann", _owner(found.invited()))
        with mock.patch.dict(os.environ, {"MAYFLY_OWNER": "eve"}):
            self.assertEqual("eve", _owner(found.invited()))
        (cloud / "token").write_text("mayfly-abc")
        self.assertIsNone(found.invited())

    def test_storage_client_of_a_proven_laptop_is_a_persons(self):
        cloud = self.folder / "cloud"
        cloud.mkdir()
        (cloud / "token").write_text("owner")
        (cloud / "person").write_text("person")
        urls = {"project": "p", "api": "http://h:2/api", "pubsub": "http://h:1", "storage": "http://h:1"}
        (self.folder / "local.json").write_text(json.dumps(urls))
        found = Deployment.find({"MAYFLY_HOME": str(self.folder)})
        seen = mock.Mock()
        found._prove = seen.prove
        google = {
            "google.cloud": types.SimpleNamespace(storage=types.SimpleNamespace(Client=seen.client)),
            "google.oauth2.credentials": types.SimpleNamespace(Credentials=seen.token),
        }
        with mock.patch.dict(sys.modules, google):
            found.storage_client()
        credentials = seen.token.return_value
        self.assertEqual(
            [
                mock.call.prove("http://h:1/storage/v1/"),
                mock.call.token("person"),
                mock.call.client("p", credentials, client_options={"api_endpoint": "http://h:1"}),
            ],
            seen.mock_calls,
        )

    def test_answer_that_breaks_off_is_asked_for_again(self):
        broken = http.client.IncompleteRead(b"{")
        place = Deployment("p", "http://h:2/api", "http://h:1", "http://h:1", mock.Mock())
        place._headers = lambda url: {}
        place._connections = mock.Mock()
        with mock.patch("time.sleep"):
            place._connections.call.side_effect = [broken, (200, b"{}")]
            self.assertEqual({}, place.get("/v1/clusters"))
            place._connections.call.side_effect = broken
            with self.assertRaises(Unavailable):
                place.get("/v1/clusters")

    def test_submission_with_lost_answers_says_how_to_repeat_it(self):
        place = Deployment("p", "http://h:2/api", "http://h:1", "http://h:1", mock.Mock())
        place._headers = lambda url: {}
        place._connections = mock.Mock()
        job = {"name": "sweep", "tasks": {"count": 1}, "command": ["true"]}
        lost, refused = TimeoutError("timed out"), ConnectionRefusedError()
        with mock.patch("time.sleep"):
            for answers in ([lost] * 4, [lost] + [refused] * 3, [(504, b"")] * 4):
                place._connections.call.side_effect = answers
                with self.assertRaisesRegex(Unavailable, "submission='[0-9a-f]{32}', which is the same job") as told:
                    Cluster("lab", place).submit(job)
                sent = [json.loads(call.args[2]) for call in place._connections.call.call_args_list[-4:]]
                data = json.loads(base64.b64decode(sent[-1]["messages"][0]["data"]))
                self.assertIn(f"submission='{data['submission']}'", str(told.exception))
            place._connections.call.side_effect = [refused] * 4
            with self.assertRaisesRegex(Unavailable, "try again") as told:
                Cluster("lab", place).submit(job)
            self.assertNotIn("submission", str(told.exception))

    def test_cluster_and_owner_are_those_of_the_task(self):
        with mock.patch.dict(os.environ, {"MAYFLY_CLUSTER": "lab", "MAYFLY_OWNER": "ann"}):
            self.assertEqual("lab", Cluster().name)
            self.assertEqual("ann", _owner())
        with mock.patch.dict(os.environ, {"MAYFLY_CLUSTER": ""}):
            with self.assertRaisesRegex(InvalidInput, "name a cluster"):
                Cluster()

    def test_owner_that_nobody_can_be_called_is_refused(self):
        with mock.patch.dict(os.environ, {"MAYFLY_OWNER": "a b"}):
            with self.assertRaisesRegex(InvalidInput, "MAYFLY_OWNER is 'a b', which no owner can be called"):
                _owner()

    def test_what_is_no_name_is_refused_unasked(self):
        with self.assertRaisesRegex(InvalidInput, "not a cluster's name"):
            Cluster("lab?x=1#", mock.Mock())
        place = mock.Mock()
        for name in ("", "a/b/c", "a/", "/a", "../x"):
            with self.assertRaisesRegex(InvalidInput, "names no job"):
                Cluster("lab", place).job(name)
        place.get.assert_not_called()


if __name__ == "__main__":
    unittest.main()
