"""The page that mayfly simulate writes, opened without a network: it asks for nothing, says what it is, and each view of it is there."""

import os
import pathlib
import re
import subprocess

from playwright.sync_api import Browser, Page, expect

SCENARIO = "examples/simulate/night.yaml"


def _look(page: Page, address: str) -> None:
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0)


def check(browser: Browser, axe: str, said: list[str]) -> None:
    file = pathlib.Path(os.environ["MAYFLY_HOME"]) / "night.html"
    told = subprocess.run(["./mayfly", "simulate", SCENARIO, "--page", file], check=True, capture_output=True, text=True).stdout
    end, cost = re.search(r"have ended after (\S+), for (\S+)", told).groups()
    wait = re.search(r"^sweep: (tasks waited \S+: max)", told, re.M)[1]
    for width, scheme, where in [(1000, "light", "America/New_York"), (400, "dark", "Asia/Tokyo")]:
        page = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, offline=True, timezone_id=where).new_page()
        page.on("console", lambda it: said.append(f"simulation: console {it.type}: {it.text}"))
        page.on("pageerror", lambda it: said.append(f"simulation: error: {it.message}"))
        page.on("request", lambda it: said.append(f"simulation: request: {it.url}") if not it.url.startswith((file.as_uri(), "data:", "about:")) else None)

        def see(view: str, *texts: str) -> None:
            _look(page, file.as_uri() + view)
            expect(page.locator(".trouble")).to_have_count(0)
            for text in (f"A simulation of {SCENARIO} with seed 1", "nothing of it ran", *texts):
                expect(page.locator("main")).to_contain_text(text)
            page.evaluate(axe)
            for it in page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]:
                said.append(f"simulation: axe: {view}: {it['id']}: {it['help']}: {it['nodes'][0]['html'][:160]}")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"the simulation's view {view} is wider than the window"

        see("#/", f"all jobs have ended after {end}, for {cost}", wait, "attempts without a result: 11 preempted")
        # Times are those of the simulation, wherever it is read.
        expect(page.locator("main")).to_contain_text("from 2026-01-01 00:00:00 to 2026-01-01 04:")
        expect(page.locator(".viewer")).to_have_text("simulation · times: UTC")
        see("#/c/lab", "newest first", "Newest events")
        see("#/c/lab/timeline", "42 machines, 400 tasks of the newest job,")
        see("#/c/lab/jobs", "400/400")
        see("#/c/lab/events", "preempted")
        see("#/c/lab/cost?by=zone", "us-central1-a")
        see("#/c/lab/j/sweep", wait, f"took {end}", "4 CPU")
        see("#/c/lab/j/sweep/tasks", "lab-cpu-")
        see("#/c/lab/j/sweep/timeline", "411 attempts of 400 tasks on 42 machines")
        _look(page, f"{file.as_uri()}#/c/lab/j/sweep")
        links = page.evaluate("[...document.querySelectorAll('a')].map((it) => it.getAttribute('href'))")
        assert not any("/logs" in it for it in links), f"a link to logs, which a simulation has not: {links}"
        page.locator("header").get_by_role("link", name="Timeline").click()
        expect(page.locator("main")).to_contain_text("42 machines")
        page.context.close()
