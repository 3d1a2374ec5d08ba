"""A receiver of webhooks on loopback, by the scheme of Standard Webhooks.

receiver.py SECRET FOLDER: writes its port to FOLDER/port and a line for each call to FOLDER/calls: the status that it
answered, the id, the kind and what it is about. The first call of each id gets 503, as of a receiver that just starts.
A call whose signature does not hold gets 401.
"""

import base64
import hashlib
import hmac
import http.server
import json
import pathlib
import sys
import time

secret, folder = sys.argv[1].removeprefix("whsec_"), pathlib.Path(sys.argv[2])
key = base64.b64decode(secret)
seen = set()


def holds(headers, body):
    """Whether the body is from who has the secret, and is no old one that is sent again."""
    name, at = headers["webhook-id"], headers["webhook-timestamp"]
    signed = hmac.new(key, f"{name}.{at}.".encode() + body, hashlib.sha256).digest()
    wanted = "v1," + base64.b64encode(signed).decode()
    fresh = abs(time.time() - int(at)) < 300
    return fresh and any(hmac.compare_digest(wanted, it) for it in headers["webhook-signature"].split())


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        name = self.headers["webhook-id"]
        if not holds(self.headers, body):
            status = 401
        elif name not in seen:
            status = 503
        else:
            status = 204
        seen.add(name)
        told = json.loads(body)
        assert told["id"] == name and told["kind"] == "Notification", told
        with open(folder / "calls", "a") as calls:
            print(status, name, told["notification"], told["about"], told["what"], told["job"]["totals"]["done"], file=calls)
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
(folder / "port").write_text(str(server.server_address[1]))
server.serve_forever()
