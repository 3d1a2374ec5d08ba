"""The table of the jobs before and after a job: of three real ones, and of answers that are made up here."""

import json
import re
from typing import Any

from answers import read
from playwright.sync_api import Locator, Page, Route, expect

HOSTILE = "<img src=x onerror=alert(3)>"
LISTED, MOST_OLDER, MOST_ROWS = 500, 20, 50

Status = dict[str, Any]


def _show(page: Page, base: str, job: str) -> None:
    page.goto(f"{base}#/c/lab/j/{job}")
    expect(page.locator("h1")).to_be_visible()


def _cells(page: Page, column: int) -> Locator:
    return page.locator(f'[aria-label="Jobs before and after it"] tbody td:nth-child({column})')


def _expect_rows(page: Page, *rows: tuple[str, str, str, str]) -> None:
    for number, column in enumerate(zip(*rows), start=1):
        expect(_cells(page, number)).to_have_text(list(column))


def real(page: Page, base: str) -> None:
    """Each of three jobs in a row shows all three, over two steps both ways, and leads to the others."""
    names = ["sweep", "report", "archive"]
    for job, steps in {
        "sweep": ["this job", "1 after", "2 after"],
        "report": ["1 before", "this job", "1 after"],
        "archive": ["2 before", "1 before", "this job"],
    }.items():
        _show(page, base, job)
        expect(_cells(page, 1)).to_have_text(steps)
        expect(_cells(page, 2)).to_have_text(names)
        expect(_cells(page, 4)).to_have_text(["", "sweep (on any end)", "report"])
        expect(_cells(page, 3).locator(".state")).to_have_count(3)
        expect(_cells(page, 2).locator("a")).to_have_count(2)
    _cells(page, 2).get_by_role("link", name="sweep", exact=True).click()
    expect(page.locator("h1")).to_have_text("Job sweep")


def _named(uid: str, name: str, state: str | None = None, on: str = "success") -> Status:
    return {"job": name, "uid": uid, "on": on} | ({"state": state} if state else {})


class _Answers:
    """The read API's answers about jobs, but for the one that is looked at, whose predecessors alone are made up."""

    def __init__(self, page: Page, base: str) -> None:
        jobs = f"{base}api/v1/clusters/lab/jobs"
        self.seen: Status = read(page, f"{jobs}/sweep")
        self.listed: list[Status] = []
        self.older: dict[str, Status] = {}
        self.asked: list[str] = []
        page.route(lambda url: url.startswith(jobs) and not url.endswith("/explain"), self._answer)

    def job(self, uid: str, name: str, *after: Status, state: str = "succeeded", owner: str | None = None) -> Status:
        rest = {k: v for k, v in self.seen.items() if k != "owner"} | ({"owner": owner} if owner else {})
        return rest | {"uid": uid, "name": name, "state": state, "after": list(after)}

    def _answer(self, route: Route) -> None:
        path = route.request.url.split("?")[0]
        last = path.rsplit("/", 1)[-1]
        if last == "jobs":
            self._send(route, self.listed)
        elif last in ("sweep", self.seen["uid"]):
            self._send(route, self.seen)
        elif last in self.older:
            self.asked.append(last)
            self._send(route, self.older[last])
        else:
            self.asked.append(last)
            self._send(route, {"status": 404, "error": f"no job {last}"}, 404)

    @staticmethod
    def _send(route: Route, body: object, status: int = 200) -> None:
        route.fulfill(status=status, content_type="application/json", body=json.dumps(body))


def made_up(page: Page, base: str) -> None:
    """What three quick jobs do not have: markup for names, owners, circles, jobs that are not there, and large fans."""
    answers = _Answers(page, base)
    me = answers.seen["uid"]
    main = page.locator("main")

    answers.seen["after"] = [
        _named("j1", "one", "running"),
        {"job": HOSTILE, "on": "end"},
        {"job": "late", "on": "end"},
        _named("j9", "lost"),
    ]
    answers.listed = [
        answers.job("j4", HOSTILE, _named("j3", "three"), state="waiting"),
        answers.job("j3", "three", _named(me, "sweep"), _named("j4", "four"), state="waiting", owner="bob"),
        answers.job("j1", "one", _named("j2", "two"), _named("j8", "deleted"), _named(me, "sweep")),
    ]
    answers.older = {"j2": answers.job("j2", "two", _named("j1", "one"), state="failed")}
    _show(page, base, "sweep")
    _expect_rows(
        page,
        ("2 before", "deleted", "not known", ""),
        ("2 before", "two", "failed", "one"),
        ("1 before", "lost", "not known", ""),
        ("1 before", "late", "not known", ""),
        ("1 before", HOSTILE, "not known", ""),
        ("1 before", "one", "succeeded", "two, deleted, sweep"),
        ("this job", "sweep", answers.seen["state"], f"one, {HOSTILE} (on any end), late (on any end), lost"),
        ("1 after", "bob/three", "waiting", f"sweep, {HOSTILE}"),
        ("1 after", "one", "succeeded", "two, deleted, sweep"),
        ("2 after", HOSTILE, "waiting", "bob/three"),
        ("2 after", "two", "failed", "one"),
    )
    links = [it.get_attribute("href") for it in _cells(page, 2).locator("a").all()]
    assert links == [f"#/c/lab/j/{it}" for it in ["j2", "j1", "j3", "j1", "j4", "j2"]], links
    expect(main).not_to_contain_text(re.compile("nearest|are known|are among"))

    page.goto("about:blank")
    answers.seen["after"] = [_named(f"k{i}", f"k{i}", "succeeded") for i in range(20)]
    answers.older = {
        f"k{i}": answers.job(f"k{i}", f"k{i}", _named(f"k{i + 20}", f"k{i + 20}", "stopped")) for i in range(60)
    }
    answers.listed = [answers.job(f"s{i}", f"s{i}", _named(me, "sweep"), state="waiting") for i in range(LISTED)]
    answers.asked.clear()
    _show(page, base, "sweep")
    expect(main).to_contain_text(f"The nearest {MOST_ROWS} each way; {LISTED - MOST_ROWS} more after it.")
    expect(main).to_contain_text("Of 20 jobs before it only the name and the state are known")
    expect(main).to_contain_text(f"Jobs after it are among the newest {LISTED} of the cluster only; this one is older.")
    expect(_cells(page, 1)).to_have_text(["2 before"] * 20 + ["1 before"] * 20 + ["this job"] + ["1 after"] * MOST_ROWS)
    expect(_cells(page, 3).filter(has_text="stopped")).to_have_count(20)
    expect(_cells(page, 4).filter(has_text="not read")).to_have_count(20)
    for _ in range(2):
        with page.expect_response(lambda it: "/jobs?" in it.url):
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert sorted(it for it in answers.asked if it != "tasks") == sorted(f"k{i}" for i in range(MOST_OLDER)), f"older jobs are asked for once: {answers.asked}"
