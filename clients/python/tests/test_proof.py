"""A laptop cloud's token goes to no server that does not know it."""

import json
import tempfile
import threading
import unittest
import urllib.parse
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from unittest import mock

import context  # noqa: F401  makes the package importable

from mayfly import Unavailable, _proof
from mayfly._deployment import Deployment

TOKEN = "mayfly-the-owners-own"


class Server:
    """On loopback; ``proofs(nonce)`` are its answers to a question, and ``seen`` its requests with their headers."""

    def __init__(self, proofs):
        seen = self.seen = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                url = urllib.parse.urlsplit(self.path)
                seen.append((url.path, dict(self.headers)))
                if url.path == "/elsewhere":
                    return self.answer(200, {"elsewhere": True})
                if url.path == "/api/v1/moved":
                    return self.answer(302, {}, ("Location", f"http://{self.headers['Host']}/elsewhere"))
                nonce = urllib.parse.parse_qs(url.query).get("nonce", [""])[0]
                self.answer(200, {"proofs": proofs(nonce)} if url.path == "/_mayfly/proof" else {"here": True})

            def answer(self, status, value, *headers):
                body = json.dumps(value).encode()
                self.send_response(status)
                for name, text in (*headers, ("Content-Length", str(len(body)))):
                    self.send_header(name, text)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.http = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()


class ProofTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        (self.home / "cloud").mkdir()
        (self.home / "cloud/token").write_text(TOKEN)
        _proof._proven.clear()

    def server(self, proofs):
        server = Server(proofs)
        self.addCleanup(server.close)
        return server

    def honest(self):
        server = self.server(lambda nonce: ["other", _proof.of(TOKEN, server.address, nonce)])
        return server

    def deployment(self, server):
        url = f"http://{server.address}"
        places = {"project": "p", "api": f"{url}/api", "pubsub": url, "storage": url}
        (self.home / "local.json").write_text(json.dumps(places))
        return Deployment.find({"MAYFLY_HOME": str(self.home)})

    def test_proven_server_gets_the_token(self):
        server = self.honest()
        self.assertEqual({"here": True}, self.deployment(server).get("/v1/clusters"))
        self.assertEqual("/_mayfly/proof", server.seen[0][0])
        self.assertNotIn("Authorization", server.seen[0][1])
        self.assertEqual(f"Bearer {TOKEN}", server.seen[1][1]["Authorization"])

    def test_another_program_does_not(self):
        real = self.honest()
        for proofs in (
            lambda nonce: [],
            lambda nonce: ["", None, "\u00e9"],
            lambda nonce: None,
            lambda nonce: [_proof.of(TOKEN, real.address, nonce)],  # it passes the question on to the real server
        ):
            server = self.server(proofs)
            with mock.patch("time.sleep"), self.assertRaisesRegex(Unavailable, "another program answers at"):
                self.deployment(server).get("/v1/clusters")
            self.assertTrue(server.seen)
            self.assertFalse([headers for _, headers in server.seen if TOKEN in str(headers)])

    def test_proof_is_good_for_a_second(self):
        server = self.honest()
        with mock.patch("time.monotonic") as now:
            for now.return_value, questions in ((10, 1), (10.9, 1), (11, 2)):
                _proof.require(f"http://{server.address}/x", TOKEN)
                self.assertEqual(questions, len(server.seen))

    def test_redirect_is_not_followed(self):
        server = self.honest()
        with mock.patch("time.sleep"), self.assertRaisesRegex(Unavailable, "HTTP 302"):
            self.deployment(server).get("/v1/moved")
        self.assertNotIn("/elsewhere", [path for path, _ in server.seen])

    def test_only_tokens_of_laptop_clouds_on_this_machine_are_checked(self):
        server = self.server(lambda nonce: [])
        _proof.check("https://storage.googleapis.com", TOKEN)
        _proof.check("http://10.0.2.2:8420", TOKEN)
        _proof.check(f"http://{server.address}", "ya29.of-google")
        self.assertEqual([], server.seen)
        with self.assertRaisesRegex(Unavailable, "not on this machine"):
            _proof.require("http://127.0.0.1@evil.example/", TOKEN)


if __name__ == "__main__":
    unittest.main()
