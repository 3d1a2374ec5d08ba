"""A read API that is made up: one cluster, one sweep, its curves and its log, so that a check can say what is in them."""

import datetime
import json
from typing import Any

from playwright.sync_api import Page, Route

Json = dict[str, Any]
NOW = datetime.datetime(2026, 3, 2, 12, 0, tzinfo=datetime.timezone.utc)
UID = "j77"
HOSTILE = "<img src=x onerror=alert(5)>"
LONG = "the machine said that " + "it cannot reach what it needs, " * 12 + "and gave up"
# Takes the place of the log's connection: lines come when the check says so.
LOG = """(() => {
  const real = window.fetch;
  let push;
  window.fetch = (path, ...rest) => {
    if (!String(path).startsWith('/logs/')) return real(path, ...rest);
    const body = new ReadableStream({ start: (to) => (push = to) });
    return Promise.resolve(new Response(body));
  };
  const bytes = new TextEncoder();
  window.print = (lines) => push.enqueue(bytes.encode(lines.map((text) => JSON.stringify({ task: 0, attempt: 's0e1', text }) + '\\n').join('')));
  window.end = () => push.close();
})()"""


def read(page: Page, url: str) -> Any:
    """What the read API answers, asked with the key that the page keeps."""
    kept = [item for origin in page.context.storage_state()["origins"] for item in origin["localStorage"]]
    key = next(item["value"] for item in kept if item["name"] == "mayfly-key")
    return page.request.get(url, headers={"X-Mayfly-Key": key}).json()


def at(seconds: float) -> str:
    return (NOW + datetime.timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")


def task(index: int, lr: str, seed: int, metrics: Json | None, state: str = "done", **more: Any) -> Json:
    return {
        "job": UID,
        "index": index,
        "state": state,
        "variables": {"lr": lr, "note": HOSTILE, "seed": str(seed)},
        "attempts": {"total": 1, "failures": int(state == "failed"), "infrastructure": 0, "interruptions": 0},
        "workers": ["m1"],
        "startedAt": at(-600),
        "doneBefore": False,
        **({} if state == "running" else {"endedAt": at(-60)}),
        **({} if metrics is None else {"metrics": metrics}),
        **more,
    }


def curve(index: int, attempt: str, rows: list[Json], begin: float = -600) -> Json:
    return {"index": index, "attempt": attempt, "storedAt": at(-50), "rows": [{"at": at(begin + 10 * i), "values": it} for i, it in enumerate(rows)]}


def tasks() -> list[Json]:
    """Two settings that tie by loss, one with a task that diverged and one that failed, and one of which all failed."""
    failure = {"index": 8, "attempt": "s0e1", "cause": "user", "exitCode": 3, "evidence": LONG, "worker": "m1", "at": at(-60)}
    return [
        *(task(i, "0.1", i, {"step": 8, "loss": 0.5, "acc": 0.9, "grad_norm": 3.0}) for i in range(3)),
        *(task(3 + i, "0.01", i, {"step": 8, "loss": 0.5, "acc": 0.8, "grad_norm": 2.0}) for i in range(3)),
        task(6, "0.001", 0, {"step": 8, "loss": 0.9, "acc": 0.85, "grad_norm": 1.0}),
        # Its loss is NaN, so that it is not there, and what else it says is worth nothing.
        task(7, "0.001", 1, {"step": 8, "acc": 0.0, "grad_norm": 0.0}),
        task(8, "0.001", 2, None, "failed", failure=failure),
        task(9, "1", 0, None, "failed", failure=failure | {"index": 9}),
    ]


def curves() -> list[Json]:
    falls = [{"step": i, "loss": 1 / i, "acc": 0.1 * i} for i in range(1, 9)]
    diverges = [{"step": i, **({"loss": 1 / i, "acc": 0.1 * i} if i < 6 else {"acc": 0.0})} for i in range(1, 9)]
    return [
        *(curve(i, "s0e1", [it | {"loss": it["loss"] * (1 + i)} for it in falls]) for i in range(7)),
        curve(7, "s0e1", diverges),
        curve(8, "s0e0", [{"step": i, "loss": 0.95, "acc": 0.1} for i in range(1, 3)], -700),
        curve(8, "s0e1", [{"step": i, "loss": 0.7, "acc": 0.2} for i in range(1, 5)]),
        curve(9, "s0e1", [{"step": 1, "loss": 0.125, "acc": 0.3}]),
    ]


def job(**more: Any) -> Json:
    return {
        "name": "grid",
        "uid": UID,
        "cluster": "lab",
        "state": "failed",
        "tasks": 10,
        "totals": {"done": 8, "failed": 2, "leased": 0, "ready": 0},
        "attempts": {"user": 2},
        "failures": [],
        "submittedAt": at(-900),
        "endedAt": at(-30),
        "spec": {"tasks": {"kind": "others"}, "run": {"command": ["python", "train.py"]}},
        "after": [],
        **more,
    }


class Answers:
    """What is answered, and in `asked` which paths were asked for."""

    def __init__(self, page: Page, base: str) -> None:
        self.asked: list[str] = []
        self.job = job()
        self.tasks = tasks()
        self.curves = curves()
        self.workers: list[Json] = [self.worker("m1", "cpu", firstSyncAt=at(-800))]
        self.events = [{"id": "e1", "at": at(-60), "about": "worker/m1", "what": "failed", "why": LONG}]
        self.why: Json = {"summary": "failed", "reasons": [], "queue": [], "events": self.events, "remedy": f"mend it (mayfly logs {UID} 8 has more)"}
        self.more: Json = {}
        self.problems: list[str] = []
        self.laptop = False
        self.specs: list[Json] = []
        self.schedules: list[Json] = []
        page.route(lambda url: url.startswith(f"{base}api/"), self._answer)

    @staticmethod
    def worker(name: str, pool: str, **more: Any) -> Json:
        return {
            "name": name,
            "pool": pool,
            "zone": "us-central1-a",
            "machineType": "n2-standard-4",
            "state": "ready",
            "since": at(-800),
            "total": {},
            "leases": [],
            "createdAt": at(-850),
            **more,
        }

    def cluster(self) -> Json:
        pools = [{"name": it, "machineType": "n2-standard-4", "provisioning": "spot", "live": 1, "min": 0, "max": 4} for it in ("cpu", "gpu")]
        sums = {"used": {"cpu": 1, "memory": "300Mi"}, "total": {"cpu": 4, "memory": "512Mi"}}
        return {
            "name": "lab",
            "uid": "c1",
            "phase": "up",
            "createdAt": at(-9_000),
            "spec": {"pools": self.specs},
            "workers": {"ready": 1},
            "pools": pools,
            **sums,
            "accelerators": [],
            "jobs": 0,
            "problems": self.problems,
            "idle": [],
            "schedules": self.schedules,
        }

    def _found(self, path: str, query: str) -> object | None:
        parts = path.split("/")
        if path == "viewer":
            return {"project": "p", "laptop": self.laptop}
        if path.startswith("metrics/"):
            wanted = [int(it) for it in parts[-1].split(",")]
            found = [it for it in self.curves if it["index"] in wanted]
            # Of one task all attempts, the oldest first; of several the newest of each.
            return found if len(wanted) == 1 else list({it["index"]: it for it in found}.values())
        if path.startswith("use/"):
            return self.more.get("use")
        if path == "v1/clusters":
            return [self.cluster()]
        if parts[2] != "lab":
            return None
        rest = parts[3:]
        fixed: dict[str, object] = {
            "": self.cluster(),
            "workers": self.workers,
            "events": self.events,
            "jobs": [self.job],
            "explain": self.why,
            "tasks": {"tasks": self.tasks},
            **self.more,
        }
        if len(rest) > 1 and "/".join(rest) in self.more:
            return self.more["/".join(rest)]
        if rest[:1] == ["jobs"] and len(rest) > 1:
            if rest[1] not in ("grid", UID):
                return None
            if len(rest) == 2:
                return self.job
            if rest[2] == "tasks" and len(rest) == 4:
                return next((it for it in self.tasks if str(it["index"]) == rest[3]), None)
            return fixed.get(rest[2])
        if rest[:1] == ["workers"] and len(rest) == 2:
            return next((it for it in self.workers if it["name"] == rest[1]), None)
        return fixed.get("/".join(rest))

    def _answer(self, route: Route) -> None:
        path, _, query = route.request.url.split("/api/", 1)[1].partition("?")
        self.asked.append(path)
        found = self._found(path, query)
        named = path.split("/")[2:3]
        missing = f"there is no cluster {named[0]}; known clusters: lab" if named not in ([], ["lab"]) else f"there is nothing at {path}"
        body = {"status": 404, "error": missing} if found is None else found
        route.fulfill(status=404 if found is None else 200, content_type="application/json", body=json.dumps(body))
