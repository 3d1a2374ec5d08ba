"""Counts and times of a job that are said alike wherever they stand: of one that ended, of one that runs, and of orders that were refused."""

import re

import answers
from playwright.sync_api import Page, expect

JOB = f"#/c/lab/j/{answers.UID}"


def _show(page: Page, base: str, view: str) -> None:
    page.goto("about:blank")
    page.goto(base + view)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0)


def _running(**more: object) -> answers.Json:
    job = answers.job(state="running", tasks=30, totals={"done": 7, "failed": 0, "leased": 20, "ready": 0, "stopped": 3}, **more)
    del job["endedAt"]
    return job


def check(page: Page, base: str) -> None:
    made_up = answers.Answers(page, base)
    page.clock.set_fixed_time(answers.NOW)
    facts = page.locator("main > .facts")

    # Of an ended job nothing waits: what did not end is said so, and what users stopped is somewhere.
    made_up.job = answers.job(state="stopped", tasks=53, totals={"done": 10, "failed": 0, "leased": 1, "ready": 39, "stopped": 3}, acceptedAt=answers.at(-41), mayRunSince=answers.at(-30), endedAt=answers.at(-10))
    made_up.more = {"use": {"asks": "1 cpu", "waited": "waited: 21m before its first task began, for a machine: the cloud refused it", "lost": "lost: 52s of the 3m52s that 1 attempt ran (preempted); its checkpoint keeps the rest"}}
    _show(page, base, JOB)
    expect(facts).to_contain_text(re.compile("10/53 done40 not finished3 stopped"))
    expect(facts).not_to_contain_text("waiting")
    # Two times of one job are named, and what it took stands in one place.
    expect(facts).to_contain_text("took 20s (31s since it was accepted)")
    expect(page.locator("main")).to_contain_text("waited21m before its first task began, for a machine: the cloud refused it")
    expect(page.locator("main")).to_contain_text("lost52s of the 3m52s that 1 attempt ran (preempted); its checkpoint keeps the rest")
    _show(page, base, "#/c/lab/jobs")
    expect(page.get_by_role("img", name="10 of 53 done, 40 not finished, 3 stopped")).to_be_visible()

    # Whose steps they are.
    step = {"name": "step", "of": 30}
    made_up.job = _running(progress={"tasks": 4, "part": 2.1, "least": step | {"at": 12}, "most": step | {"at": 20}, "at": answers.at(-2)}, acceptedAt=answers.at(-900), mayRunSince=answers.at(-60))
    _show(page, base, JOB)
    expect(facts).to_contain_text("steps of 4 running tasks: 12 to 20 of 30, at most 2s old")
    expect(facts).to_contain_text("20 on machines0 waiting3 stopped")
    expect(facts).to_contain_text("accepted 15m ago (free to run for 60s)")
    made_up.job = _running(progress={"tasks": 1, "part": 0.6, "least": step | {"at": 20}, "most": step | {"at": 20}, "at": answers.at(-2)})
    # The head has the count as it is: an estimate, which is older, does not tell it again.
    made_up.more = {"estimate": {"text": "in about 5m, if one task runs at once as now, by its own count: step 8 of 30, 38s ago", "rest": {"earliest": answers.at(200), "latest": answers.at(300)}}}
    _show(page, base, JOB)
    expect(facts).to_contain_text("one running task: step 20 of 30, 2s ago")
    expect(page.locator("dl")).to_contain_text("by its own count")
    expect(page.locator("dl")).not_to_contain_text("step 8")
    _show(page, base, JOB + "/curves")
    expect(page.locator("main")).to_contain_text("by its own count")
    expect(page.locator("main")).not_to_contain_text("step 8")

    # An order that was refused is no machine that went.
    gone = made_up.worker("lab-cpu-gone", "cpu", state="gone", firstSyncAt=answers.at(-700), reason="idle", ending="given-back")
    refused = [made_up.worker(f"lab-gpu-{i}", "gpu", state="gone", reason="stockout", ending="refused") for i in range(2)]
    made_up.workers, made_up.more = [made_up.worker("m1", "cpu", firstSyncAt=answers.at(-800)), gone, *refused], {}
    _show(page, base, "#/c/lab")
    expect(page.locator("summary", has_text="newest first")).to_have_text("1 gone, 2 orders refused, newest first")
    page.unroute_all(behavior="ignoreErrors")
