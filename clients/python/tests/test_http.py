"""Calls over connections that stay open, against a server of this process."""

import http.server
import threading
import unittest

from context import ROOT  # noqa: F401  which makes the package importable

from mayfly._http import Connections


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.server.places.append(self.client_address)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = 302 if body == b"away" else 200
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "http://127.0.0.1:1/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        if body == b"end":
            self.close_connection = True  # without saying so

    def log_message(self, *_):
        pass


class ConnectionsTest(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.places = []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.connections = Connections()
        self.addCleanup(self.connections.close)

    def post(self, body):
        url = f"http://127.0.0.1:{self.server.server_port}/a?b=c"
        return self.connections.call("POST", url, body, {"Content-Type": "text/plain"}, 60)

    def test_one_connection_serves_call_after_call(self):
        self.assertEqual([(200, b"1"), (200, b"2"), (200, b"3")], [self.post(b"%d" % n) for n in (1, 2, 3)])
        self.assertEqual(1, len(set(self.server.places)))

    def test_connection_that_the_server_closed_is_replaced(self):
        self.post(b"end")
        self.assertEqual((200, b"again"), self.post(b"again"))
        self.assertEqual(2, len(set(self.server.places)))

    def test_redirect_is_not_followed(self):
        self.assertEqual(302, self.post(b"away")[0])
