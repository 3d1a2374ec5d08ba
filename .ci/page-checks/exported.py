"""The file that mayfly ui --export writes, opened without a network: it asks for nothing, and shows what the served page shows."""

import os
import pathlib
import re
import subprocess

from playwright.sync_api import Browser, Page, expect

JOB = "#/c/lab/j/sweep"
# What is compared of each view: by what is written in it, but for ages, of which a file tells the time instead.
PARTS = {
    "": ["main .facts", '[aria-label="Jobs before and after it"]', "main .why li, main pre"],
    "/tasks": [".rows .body", ".bar [role=status]"],
    "/sweep?metric=loss": [".plots", '[aria-label="Settings"]'],
    "/curves?metric=loss": [".plot .u-legend", ".plot ~ p"],
    "/timeline": ["main .bar", "main details:has([aria-label='Machines that ran it']) summary", "main h2, main p.faint"],
    "/t/0": ["main .facts", "[aria-label=Metrics]"],
    "/t/14": ["main .facts", "main pre", "[aria-label=Metrics]"],
}


def _texts(page: Page, selector: str) -> list[str]:
    expect(page.locator(selector).first).to_be_visible()
    return page.evaluate("(it) => [...document.querySelectorAll(it)].map((e) => e.innerText)", selector)


def _look(page: Page, address: str) -> None:
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0)
    if "/curves" in address:
        expect(page.locator(".plot canvas")).to_have_count(2)


def check(served: Page, base: str, browser: Browser, axe: str, said: list[str]) -> None:
    # What still changes would be another thing on the page than in the file.
    _look(served, base + JOB)
    expect(served.locator('[aria-label="Jobs before and after it"] tbody td:nth-child(3)')).to_have_text(["failed", "succeeded", "succeeded"], timeout=60_000)
    file = pathlib.Path(os.environ["MAYFLY_HOME"]) / "sweep.html"
    told = subprocess.run(["./mayfly", "ui", "--export", file, "sweep"], check=True, capture_output=True, text=True).stdout
    assert "18 tasks" in told, told
    text = file.read_text()
    assert text.count("<script") == 3 and str(file.parent) not in text, "the file has a script of somebody else's, or paths of this computer"
    for width, scheme in [(1000, "light"), (400, "dark")]:
        page = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, offline=True).new_page()
        page.on("console", lambda it: said.append(f"file: console {it.type}: {it.text}"))
        page.on("pageerror", lambda it: said.append(f"file: error: {it.message}"))
        page.on("dialog", lambda it: (said.append(f"file: dialog: {it.message}"), it.dismiss()))
        page.on("request", lambda it: said.append(f"file: request: {it.url}") if not it.url.startswith((file.as_uri(), "data:", "about:")) else None)
        _look(page, file.as_uri())
        expect(page.locator(".origin")).to_contain_text(re.compile(r"A file of job \S*sweep on cluster lab \(laptop cloud\), made at 20\d\d-"))
        expect(page.locator(".origin")).to_contain_text(re.compile(r"Logs: mayfly logs \S*sweep -c lab"))
        expect(page.locator("main")).to_contain_text(re.compile(r"\$0\.0\d+ for"))
        expect(page.locator("main")).to_contain_text(re.compile(r"cluster labbeside what its jobs cost \$\d\S* for machines that worked for none of them, since 20\d\d-"))
        uid = page.evaluate("JSON.parse(document.getElementById('exported').textContent).job.uid")
        expect(page.locator('[aria-label="Jobs before and after it"] tbody tr')).to_have_count(3)
        links = page.evaluate("[...document.querySelectorAll('main a')].map((it) => it.getAttribute('href'))")
        assert links and all(it.startswith((f"#/c/lab/j/{uid}", "#/c/lab/j/sweep")) for it in links), f"links to views that the file has not: {links}"
        # Its address has the job's uid or, as that of the page that is served, its name.
        _look(page, f"{file.as_uri()}{JOB}/sweep")
        expect(page.locator('[aria-label="Settings"]')).to_be_visible()
        for view, parts in PARTS.items():
            _look(page, f"{file.as_uri()}#/c/lab/j/{uid}{view}")
            page.evaluate(axe)
            for it in page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]:
                said.append(f"file: axe: {view}: {it['id']}: {it['help']}: {it['nodes'][0]['html'][:160]}")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"the file's view {view} is wider than the window"
            if width != 1000:
                continue
            _look(served, base + JOB + view)
            for part in parts:
                there, here = _texts(served, part), _texts(page, part)
                for _ in range(20):
                    # What tasks reported last comes a moment later than the tasks.
                    if there == here:
                        break
                    served.wait_for_timeout(250)
                    there, here = _texts(served, part), _texts(page, part)
                assert there == here, f"{view} {part}: served {there}, in the file {here}"
        page.context.close()
