"""The HTTP server: the first part of a path is the host that the call was for."""

import copy
import json
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from .apis import check_on
from .operations import KIND, kind_of
from .routes import NOTE, ROUTES
from .seed import seed
from .settings import SETTINGS
from .state import LOCK, STATE, Refusal, now
from .uploads import upload


class RequestLog:
    """A line of JSON for each call, and for each mark."""

    def __init__(self, path):
        self.file = open(path, "a", buffering=1, encoding="utf-8")

    def add(self, line):
        self.file.write(json.dumps(line) + "\n")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def sent(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        whole = b""
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            whole += self.rfile.read(size)
            self.rfile.readline()
            if size == 0:
                return whole

    def answer(self, status, value, headers=()):
        data = b"" if value is None else json.dumps(value).encode()
        self.send_response(204 if value is None and status == 200 else status)
        for name, text in headers:
            self.send_header(name, text)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def serve(self):
        raw = self.sent()
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query, keep_blank_values=True).items()}
        path = url.path.lstrip("/")
        if path.startswith("_echo/"):
            return self.answer(*self.told(path.removeprefix("_echo/"), raw))
        host, _, rest = path.partition("/")
        if path.startswith("upload/"):
            host, rest = "storage.googleapis.com", path
        with LOCK:
            begun, NOTE.value, KIND.value = now(), None, kind_of(rest)
            status, value, headers = self.done(host, rest, query, raw)
            self.server.log.add(self.line(begun, host, rest, query, raw, status, value))
        return self.answer(status, value, headers)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = serve

    def done(self, host, path, query, raw):
        try:
            check_on(host, self.headers)
            if path.startswith("upload/") or query.get("upload_id"):
                return upload(path, query, self.headers, raw)
            return 200, self.routed(host, path, query, json.loads(raw) if raw.strip() else {}), []
        except Refusal as refusal:
            return refusal.code, refusal.body(), []
        except Exception as broken:  # a fault of this program: printed here and sent to the caller
            traceback.print_exc()
            words = f"echo cloud: {type(broken).__name__}: {broken} in {self.command} {host}/{path}"
            return 500, {"error": {"code": 500, "message": words, "status": "INTERNAL"}}, []

    def routed(self, host, path, query, body):
        for served, method, pattern, handle in ROUTES:
            hit = pattern.match(path) if method == self.command and served in ("*", host) else None
            if hit:
                value = copy.deepcopy(handle(query, body, *map(unquote, hit.groups())))
                return {key: it for key, it in value.items() if not key.startswith("_")} if isinstance(value, dict) else value
        raise Refusal(501, f"echo cloud: no route for {self.command} {host}/{path}", "UNIMPLEMENTED")

    def line(self, begun, host, path, query, raw, status, value):
        line = {"t": round(begun, 3), "method": self.command, "host": host, "path": unquote(path), "status": status}
        if query:
            line["query"] = {name: text for name, text in query.items() if name not in ("alt", "prettyPrint")}
        if status >= 400:
            line["error"] = value["error"]["message"]
        if NOTE.value:
            line["note"] = NOTE.value
        if SETTINGS.bodies and raw.strip().startswith(b"{") and not path.startswith("upload/"):
            line["body"] = json.loads(raw)
        if self.headers.get("X-Goog-User-Project"):
            line["user_project"] = self.headers["X-Goog-User-Project"]
        return line

    def told(self, what, raw):
        """What this cloud is asked, and told, beside Google's APIs."""
        with LOCK:
            if what == "state":
                return 200, {key: STATE[key] for key in ("objects", "policies", "apis", "agents")}
            if what == "seed":
                seed(json.loads(raw))
            elif what == "mark":
                self.server.log.add({"t": round(now(), 3), "mark": raw.decode()})
            elif what == "knobs":
                vars(SETTINGS).update({name.lower(): value for name, value in json.loads(raw).items()})
            else:
                return 404, {"error": what}
            return 200, {}


def open_server():
    """On a free port where the setting is 0."""
    server = ThreadingHTTPServer(("127.0.0.1", SETTINGS.port), Handler)
    server.daemon_threads = True
    server.log = RequestLog(SETTINGS.log)
    print(f"echo cloud on 127.0.0.1:{server.server_address[1]}", flush=True)
    return server
