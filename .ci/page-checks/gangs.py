"""A task that two machines run together, of answers that are made up: one attempt was lost with one of them, the next is done."""

import datetime
import json
import re

from answers import read
from playwright.sync_api import Page, expect

# What is pure is asked itself: on which machine an attempt is what, what is one attempt, and which machine died.
PURE = """async () => {
  const { attemptsOf, deadOf, isOne, placeOf, ranInAll, textOf } = await import('/spans.js');
  const at = (s) => new Date(s * 1000).toISOString(), alive = { state: 'ready' };
  const lost = { attempt: 's0e1', cause: 'preempted', worker: 'b', workers: ['a', 'b'], startedAt: at(10), at: at(20) }, old = { ...lost, workers: undefined };
  const task = { index: 7, state: 'done', workers: ['a', 'c'], startedAt: at(30), endedAt: at(40), attempts: { total: 2 }, failures: [lost] }, { attempts, unread } = attemptsOf(task);
  const dead = (name) => deadOf(attempts.filter((it) => it.worker === name), alive, 50_000).length, many = { ...lost, workers: [...'abcdefghij'] };
  return { each: attempts.map((it) => [it.worker, it.kind, isOne(it), textOf(it).split(':')[0]]), unread, all: ranInAll(task, 99_000), dead: ['a', 'b', 'c'].map(dead), places: [lost, old, many].map(placeOf) };
}"""
KNOWN = {
    "each": [
        ["b", "lost", True, "task 7, preempted"],
        ["a", "lost", False, "task 7, preempted on b"],
        ["a", "done", True, "task 7, done"],
        ["c", "done", False, "task 7, done"],
    ],
    "unread": 0,
    "all": {"all": 20_000, "last": 10_000, "whole": True},
    "dead": [0, 1, 0],
    "places": ["b, with a", "b", "b, with 9 others"],
}


def _answer(page: Page, asked: re.Pattern[str], answer: object) -> None:
    page.route(asked, lambda route: route.fulfill(content_type="application/json", body=json.dumps(answer)))


def real(page: Page, base: str) -> None:
    assert (found := page.evaluate(PURE)) == KNOWN, found
    page, now = page.context.new_page(), datetime.datetime.now(datetime.timezone.utc)

    def at(minutes: float) -> str:
        return (now + datetime.timedelta(minutes=minutes - 60)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    path = f"{base}api/v1/clusters/lab"
    machine = read(page, f"{path}/workers")[0] | {"state": "ready", "createdAt": at(0), "firstSyncAt": at(1), "due": at(61)}
    job = read(page, f"{path}/jobs/sweep") | {"tasks": 1, "submittedAt": at(0), "acceptedAt": at(0), "mayRunSince": at(0), "endedAt": at(50)}
    # What asks for nothing that is known has the whole height of its row.
    job["spec"] = job["spec"] | {"resources": {}}
    lost = {"index": 0, "attempt": "s0e1", "cause": "preempted", "exitCode": -1, "evidence": "", "worker": "gang-b", "workers": ["gang-a", "gang-b"], "startedAt": at(10), "at": at(20)}
    task = {"job": job["uid"], "index": 0, "state": "done", "workers": ["gang-a", "gang-c"], "variables": {}, "doneBefore": False, "startedAt": at(30), "endedAt": at(50), "attempts": {"total": 2, "infrastructure": 1}}
    machines = [machine | {"name": f"gang-{it}"} for it in "abc"]
    for ending, answer in (("/workers?all=true", machines), ("/jobs?limit=50", [job]), (f"/jobs/{job['uid']}", job), ("/jobs/sweep", job), ("/tasks/0", task | {"failures": [lost]})):
        _answer(page, re.compile(re.escape(ending) + "$"), answer)
    _answer(page, re.compile("/tasks[?]"), {"tasks": [task]})

    def told(first: int) -> list[list[str]]:
        """What is said of each machine's row in the middle of each attempt; the names are to the left of 150."""
        canvas = page.locator(".timeline canvas")
        expect(canvas).to_be_visible()
        box, found = canvas.bounding_box(), []
        seen = [int(it) for it in page.evaluate("(({ from, to }) => [Number(from), Number(to)])(document.querySelector('.timeline canvas').dataset)")]
        for row in range(3):
            found.append([])
            for minutes in (15, 40):
                when = (now + datetime.timedelta(minutes=minutes - 60)).timestamp() * 1000
                canvas.hover(position={"x": 150 + (box["width"] - 150) * (when - seen[0]) / (seen[1] - seen[0]), "y": 22 * (first + row) + 11})
                found[-1].append(re.sub(r"(done|preempted(?: on gang-\w)?).*", r"\1", page.locator(".hit").inner_text()))
        return found

    main = page.locator("main")
    page.goto(f"{base}#/c/lab/j/sweep/timeline")
    expect(main).to_contain_text("2 attempts of 1 task on 3 machines.")
    by_name = {row[0].split(":")[0]: row for row in told(1)}
    assert by_name["gang-a"] == ["gang-a: task 0, preempted on gang-b", "gang-a: task 0, done"], by_name
    assert by_name["gang-b"][0] == "gang-b: task 0, preempted" and "task" not in by_name["gang-b"][1], by_name
    assert "task" not in by_name["gang-c"][0] and by_name["gang-c"][1] == "gang-c: task 0, done", by_name
    # Where no row says that nothing runs, pointing at that row says no such thing.
    page.locator(".timeline canvas").hover(position={"x": 150 + (page.locator(".timeline canvas").bounding_box()["width"] - 150) / 4, "y": 11})
    expect(page.locator(".hit")).to_have_text("no task runs: not then, a task of it runs or it is not there")
    page.goto(f"{base}#/c/lab/timeline")
    expect(main).to_contain_text("3 machines, 1 task of the newest job")
    rows = told(0)
    assert [["idle" if ": idle" in it else "ran" if "task 0" in it else it for it in row] for row in rows] == [["ran", "ran"], ["ran", "idle"], ["idle", "ran"]], rows
    page.goto(f"{base}#/c/lab/j/sweep/t/0")
    expect(main).to_contain_text(re.compile(r"workers\s*gang-a\s+gang-c"))
    expect(page.locator(".attempts")).to_contain_text(re.compile(r"on gang-b, with gang-a\b"))
    page.close()
