"""Curves of a job that runs, by answers that are made up here: its fan, what was seen since, hostile texts, a bucket that is closed."""

import datetime
import json
import re

from answers import read
from playwright.sync_api import Page, Route, expect

HOSTILE = "<img src=x onerror=alert(4)>"


def _at(seconds: int) -> str:
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)).isoformat()


def _send(route: Route, body: object, status: int = 200) -> None:
    route.fulfill(status=status, content_type="application/json", body=json.dumps(body))


def made_up(page: Page, base: str) -> None:
    jobs = f"{base}api/v1/clusters/lab/jobs"
    job = read(page, f"{jobs}/sweep")
    tasks = read(page, f"{jobs}/sweep/tasks?limit=100")
    job |= {"state": "running", "totals": job["totals"] | {"failed": 0, "leased": 1}}
    del job["endedAt"]
    running = tasks["tasks"][14]
    running |= {"state": "running", "startedAt": _at(-900), "metrics": {"step": 9, "loss": 0.1}, "metricsAt": _at(-185)}
    running.pop("failure", None)
    rest = {"earliest": _at(60), "latest": _at(300)}
    rows = [{"at": _at(-840 + 60 * i), "values": {"step": i, "loss": 1 / i}} for i in range(1, 8)]
    stored = [{"index": 14, "attempt": HOSTILE, "storedAt": _at(-100), "rows": rows}]
    page.route(lambda url: url.startswith(f"{jobs}/"), lambda it: _send(it, job))
    page.route(lambda url: "/tasks?" in url, lambda it: _send(it, tasks))
    page.route(lambda url: url.endswith("/tasks/14"), lambda it: _send(it, running))
    page.route(lambda url: url.endswith("/estimate"), lambda it: _send(it, {"rest": rest, "text": "in about 1m to 5m"}))
    page.route(lambda url: "/api/metrics/" in url, lambda it: _send(it, stored))
    main = page.locator("main")

    page.goto(f"{base}#/c/lab/j/sweep/curves?metric=loss&tasks=14")
    expect(page.get_by_label("17 tasks done over time, and when all may be")).to_be_visible()
    expect(page.locator(".u-legend").first).to_contain_text("at the latest")
    expect(main).to_contain_text(re.compile(r"Shaded: all done between \d\d:\d\d:\d\d and \d\d:\d\d:\d\d, nine times out of ten; in about 1m to 5m\."))
    # Seven that are stored, and the newest values behind them.
    expect(main).to_contain_text(re.compile(r"from its first value on, 8 points in all\. The newest point is 3m\d+s old\."))

    page.goto(f"{base}#/c/lab/j/sweep/t/14")
    expect(page.locator(".u-legend")).to_contain_text(f"attempt {HOSTILE}")
    expect(main).to_contain_text("Its attempt from the first value on, 8 points.")

    page.route(lambda url: "/api/metrics/" in url, lambda it: _send(it, {"status": 403, "error": "you may not read gs://lab"}, 403))
    page.goto("about:blank")
    page.goto(f"{base}#/c/lab/j/sweep/curves?metric=loss&tasks=14")
    expect(page.get_by_role("alert")).to_contain_text("you may not read gs://lab")
    expect(main).to_contain_text("One value so far; a curve needs two.")
