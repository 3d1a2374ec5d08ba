"""What every view has: rows that are low on a narrow window, the zone of its times, commands that are copied, and small amounts."""

import datetime
import json
import re

import answers
from playwright.sync_api import Page, expect

JOB = f"#/c/lab/j/{answers.UID}"
VIEWS = ["#/", "#/c/lab", "#/c/lab/jobs", "#/c/lab/events", JOB, JOB + "/tasks", JOB + "/sweep", JOB + "/curves", JOB + "/t/8"]
# Rows of tables that are taller than two lines of text.
TALL = "[...document.querySelectorAll('tbody tr')].filter((it) => it.getBoundingClientRect().height > 60).map((it) => it.innerText)"


def _show(page: Page, base: str, view: str) -> None:
    page.goto("about:blank")
    page.goto(base + view)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0)


def _settled(page: Page) -> str:
    """All that is said in a view and drawn in its timeline, when nothing of that comes any more."""
    text = ""
    for _ in range(20):
        seen = text
        page.wait_for_timeout(200)
        text = page.locator("body").inner_text() + str(page.evaluate("{ const it = document.querySelector('.timeline canvas'); it && { ...it.dataset } }"))
        if seen == text:
            break
    return text


def check(page: Page, base: str) -> None:
    made_up = answers.Answers(page, base)
    made_up.job = answers.job(reason=answers.LONG)
    unbooted = {"state": "gone", "since": answers.at(-120), "problem": "the image has no driver"}
    refused = {"state": "gone", "since": answers.at(-120), "reason": "the zone has none", "ending": "refused"}
    made_up.workers = [made_up.worker("m1", "cpu", firstSyncAt=answers.at(-800), problem=answers.LONG), *(made_up.worker(it, "gpu", **unbooted) for it in ("g1", "g2")), made_up.worker("r1", "cpu", **refused)]
    page.clock.set_fixed_time(answers.NOW)
    main = page.locator("main")

    page.set_viewport_size({"width": 400, "height": 800})
    for view in VIEWS:
        _show(page, base, view)
        expect(page.locator("header")).to_contain_text(re.compile("times: (?:[A-Z][A-Za-z_]+/[A-Z]|UTC)"))
        assert page.locator("body").inner_text().count("times: ") == 1, f"{view} says the zone of its times several times"
        assert not (tall := page.evaluate(TALL)), f"{view} has rows that are tall: {tall}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{view} is wider than the window"
    _show(page, base, "#/c/lab/events")
    cell = page.locator("td.wide summary")
    expect(cell).to_have_attribute("title", answers.LONG)
    cell.click()
    assert page.evaluate(TALL), "what is opened is not seen whole"
    expect(cell).to_have_text(answers.LONG)

    # Of a cell that is cut all is in its title, and seen when it is clicked.
    made_up.job["owner"] = answers.LONG
    _show(page, base, "#/c/lab/jobs")
    cell = page.locator("tbody td", has_text=answers.LONG).first
    cell.hover()
    expect(cell).to_have_attribute("title", answers.LONG)
    assert not page.evaluate(TALL)
    cell.click()
    assert page.evaluate(TALL), "a cell that is clicked is not seen whole"
    del made_up.job["owner"]

    # A pool whose machines do not boot is named where the clusters are.
    page.set_viewport_size({"width": 1000, "height": 800})
    _show(page, base, "#/")
    expect(main.get_by_role("listitem").filter(has_text="no boot")).to_have_text("no boot pool gpu: 2 in the last hour; g1: the image has no driver")
    rows = page.get_by_role("region", name="Pools").locator("tbody tr")
    # An order that the cloud refused is no boot.
    expect(main.get_by_role("listitem").filter(has_text="the zone has none")).to_have_text("refused pool cpu: 1 order in the last hour; r1: the zone has none")
    expect(rows.nth(0).locator(".state")).to_have_text("orders refused")
    expect(rows.nth(1).locator("td").first).to_contain_text("none boots")
    expect(main.locator(".meter", has_text="memory")).to_contain_text("300 of 512 MiB")

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    _show(page, base, JOB)
    for command in (f"mayfly logs {answers.UID} 8", "python train.py"):
        page.get_by_role("button", name=f"copy: {command}").click()
        expect(page.get_by_role("button", name=f"copied: {command}")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == command
    assert "mend it (mayfly logs j77 8 has more)" in (main.text_content() or ""), "the button is a part of the text"
    page.unroute_all(behavior="ignoreErrors")
    _file(page, base)


def _file(page: Page, base: str) -> None:
    """The file of a job that runs: it says the same whenever it is read, and what its now is."""
    running = [it if it["index"] else answers.task(0, "0.1", 0, {"step": 3, "loss": 0.6}, "running") for it in answers.tasks()]
    rest = {"earliest": answers.at(60), "latest": answers.at(300)}
    machine = {"name": "m1", "state": "ready", "since": answers.at(-800), "createdAt": answers.at(-850), "firstSyncAt": answers.at(-800)}
    data = {
        "at": answers.at(0),
        "cluster": "lab",
        "project": "p",
        "laptop": False,
        "version": "1",
        "cut": [],
        "leftOut": ["Logs: mayfly logs grid -c lab"],
        "job": answers.job(state="running", endedAt=None, totals={"done": 7, "failed": 2, "leased": 1, "ready": 0}),
        "why": {"summary": "runs", "reasons": [], "queue": [], "events": [{"id": "e1", "at": answers.at(-60), "about": "worker/m1", "what": "failed", "why": "x"}]},
        "estimate": {"rest": rest, "text": "in about 1m to 5m"},
        "tasks": running,
        "attempts": [],
        "curves": answers.curves(),
        "machines": [machine],
        "jobs": [],
    }
    del data["job"]["endedAt"]
    none, some = ({"usd": it, "hours": it, "unpricedHours": 0} for it in (0.0, 0.5))
    group = {"name": "all", "total": some, "tasks": some, "lost": none, "failed": none, "boot": none, "idle": none, "end": none}
    data["job"]["maxUsd"], data["cost"] = 2.0, {"total": group, "beside": group | {"name": "(no job)", "boot": some}}
    html = page.request.get(base).text().replace("</body>", f'<script type="application/json" id="exported">{json.dumps(data).replace("<", chr(92) + "u003c")}</script></body>')
    page.route(f"{base}file.html", lambda it: it.fulfill(body=html, content_type="text/html"))
    told: dict[str, str] = {}
    for seconds in (2, 3 * 86_400):
        page.clock.set_fixed_time(answers.NOW + datetime.timedelta(seconds=seconds))
        for view in ("", "/tasks", "/sweep", "/curves", "/timeline", "/t/0"):
            page.goto("about:blank")
            page.goto(f"{base}file.html{JOB}{view}")
            expect(page.locator(".origin")).to_contain_text(re.compile(r"All ages are as of 2026-03-02 \d\d:00:00, whenever it is read, and what had not ended then is shown until then"))
            expect(page.locator(".loading")).to_have_count(0)
            if view in ("/curves", "/timeline", "/t/0"):
                expect(page.locator(".plot canvas").first).to_be_visible()
            text = _settled(page)
            assert told.setdefault(view, text) == text, f"{view} read at once: {told[view]}\nthree days later: {text}"
    # It says of its cost what the page says that is served, and takes the same address.
    assert "$0.50 of its maxUsd of $2.00 for 0.5 machine hours" in told[""] and "beside what its jobs cost $0.50 for machines that worked for none of them" in told[""], told[""]
    page.goto("about:blank")
    page.goto(f"{base}file.html#/c/lab/j/grid/sweep")
    expect(page.get_by_role("region", name="Settings")).to_be_visible()
    page.goto("about:blank")
    page.goto(f"{base}file.html#/c/lab/j/other/sweep")
    expect(page.locator("h1")).to_have_text("This file has no such view")
    assert "took" not in told["/t/0"].split("Log")[0] and "for 10m" in told["/t/0"], told["/t/0"]
    expect(page.locator(".origin .copy")).to_have_attribute("aria-label", "copy: mayfly logs grid -c lab")
    page.unroute_all(behavior="ignoreErrors")
