"""The page in chromium: what it shows, and that nothing else happens. Arguments: the printed address, --short, --measure, --pictures."""

import pathlib
import re
import sys

import addresses
import ages
import axe_playwright_python
import chains
import counting
import curves
import exported
import gangs
import joblist
import logs
import looks
import machines
import reading
import running
import simulated
import sweeps
import timelines
import tour
from playwright.sync_api import Page, expect, sync_playwright

ADDRESS = sys.argv[1].strip()
BASE = ADDRESS.split("?")[0]
AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
JOB = "#/c/lab/j/sweep"
CUT_LABELS = """[...document.querySelectorAll('.plots svg')].flatMap((svg) => [...svg.querySelectorAll('text')].filter((it) => {
  const all = svg.getBoundingClientRect(), own = it.getBoundingClientRect();
  return own.left < all.left - 1 || own.right > all.right + 1;
}).map((it) => it.textContent))"""
SMALL_LABELS = "[...document.querySelectorAll('.plots svg text')].filter((it) => it.getBoundingClientRect().height < 12).map((it) => it.textContent)"
HOSTILE = "<img src=x onerror=alert(1)>"
VIEWS = ["#/", "#/c/lab", "#/c/lab/timeline", "#/c/lab/jobs", "#/c/lab/events", "#/c/lab/cost", JOB, JOB + "/tasks", JOB + "/sweep", JOB + "/curves", JOB + "/timeline", JOB + "/t/0", JOB + "/logs"]
SHORT = "--short" in sys.argv
# The first two are all that is looked at in short, the first three are what axe sees.
SIZES = [("light", 1000), ("dark", 400), ("dark", 1600), ("dark", 1000), ("light", 400), ("light", 1600)]
said: list[str] = []


def watch(page: Page, *, answers: bool = True) -> None:
    """Notes what no view does; with answers also what the console says, as of calls that failed."""
    page.on("console", lambda it: said.append(f"console {it.type}: {it.text}") if answers and it.type in ("error", "warning") else None)
    page.on("pageerror", lambda it: said.append(f"error: {it.message}"))
    page.on("dialog", lambda it: (said.append(f"dialog: {it.message}"), it.dismiss()))
    page.on("request", lambda it: said.append(f"foreign: {it.url}") if not it.url.startswith(BASE) else None)


def show(page: Page, view: str) -> None:
    page.goto(BASE + view)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0, timeout=20_000)
    assert page.evaluate("document.querySelector('main').firstElementChild.tagName") == "H1", f"{view} begins with something else than its title"


def contents(page: Page) -> None:
    main = page.locator("main")
    show(page, JOB)
    expect(page.locator(".state", has_text=re.compile("failed|succeeded")).first).to_be_visible(timeout=150_000)
    expect(main).to_contain_text("RuntimeError: loss is nan")
    expect(page.locator(".attempts").first).not_to_contain_text("printed behind it")
    expect(main).to_contain_text(re.compile("preempted|lost"))
    show(page, "#/")
    expect(main).to_contain_text("n2-standard-4")
    show(page, "#/c/lab")
    expect(main).to_contain_text(re.compile(r"\d gone, newest first"))
    page.get_by_text("gone, newest first").click()
    gone = page.get_by_role("region", name="Gone workers")
    expect(gone).to_contain_text("Why it ended")
    expect(gone).to_contain_text(re.compile(r"\$0\.0\d+.*(host failed|takes the machine)"))
    show(page, "#/c/lab/jobs?q=archive")
    expect(page.locator("tbody tr:not(.text)")).to_have_count(1)
    show(page, "#/c/lab/cost?by=job")
    expect(page.locator("tbody")).to_contain_text("sweep")
    expect(page.locator("tbody")).to_contain_text("(no job)")
    expect(page.locator("tbody")).to_contain_text("$")
    expect(main.get_by_role("listitem").first).to_have_text(re.compile(r"^The laptop cloud .* those of the budget or list prices\.$"))
    show(page, "#/c/lab/events?q=preempt")
    expect(page.locator("tbody tr").first).to_be_visible()
    show(page, JOB + "/tasks?sort=metric:loss&desc=true")
    expect(page.locator(".rows .body .line")).to_have_count(18)
    expect(page.locator(".rows .body")).to_contain_text(HOSTILE)
    show(page, JOB + "/tasks?state=failed")
    expect(page.locator(".rows .body .line")).to_have_count(1)
    show(page, JOB + "/sweep?metric=loss")
    expect(page.locator("tbody tr")).to_have_count(6)
    expect(page.locator("tbody")).to_contain_text("±")
    expect(page.locator("circle").first).to_be_visible()
    expect(page.locator("figcaption").first).to_contain_text("over lr (logarithmic)")
    # The one that failed is in no plot, and named; the best are marked, which tie: a note changes no loss.
    expect(main).to_contain_text("The plots have 17 of 18 tasks. Left out: 1 failed, whose last values are in the list of tasks: lr=0.1 note=plain.")
    expect(page.locator("tr.best")).to_have_count(2)
    expect(page.locator("tbody tr").first).to_have_class("best")
    # Of a loss the least is best; who asks for another order gets it, and back.
    expect(main).to_contain_text("loss: lowest is best, guessed by its name")
    expect(main).to_contain_text("2 settings are best: they tie with the lowest mean loss.")
    expect(main.locator(".bar [role=status]")).to_have_text("18 tasks")
    first, by_loss = page.locator("tbody tr").first, page.locator('[aria-label="Settings"] th button', has_text="loss")
    best = first.text_content() or ""
    by_loss.click()
    expect(first).not_to_have_text(best)
    expect(page.locator("tr.best").filter(has_text=best)).to_have_count(1)
    by_loss.click()
    expect(first).to_have_text(best)
    show(page, JOB + "/curves?metric=loss")
    expect(page.locator(".plot canvas")).to_have_count(2)
    # Nothing was seen of them while they ran: this is what the agents stored.
    expect(main).to_contain_text("12 of the 18 tasks that have values or failed, the 6 best and the 6 worst by loss (lowest is best, guessed by its name)")
    expect(main).to_contain_text(re.compile(r"from its first value on, \d+ points in all"))
    page.get_by_label("Numbers of tasks").fill("17, 14")
    page.get_by_label("Numbers of tasks").press("Enter")
    expect(page.locator(".u-legend").last).to_contain_text("task 14")
    expect(main).to_contain_text("those that are named")
    assert page.url.endswith("tasks=17%2C14"), page.url
    show(page, JOB + "/sweep?metric=loss&sort=loss")
    page.get_by_role("link", name="Curves of the first 12 tasks of this table").click()
    expect(page.locator(".u-legend").last).to_contain_text("task")
    show(page, JOB + "/t/14")
    # One of the machines that are lost may have run it too.
    expect(main).to_contain_text(re.compile(r"(Its attempt|Its \d newest attempts) from the first value on, \d+ points"))
    expect(page.locator(".plot canvas")).to_be_visible()
    show(page, JOB + "/t/0")
    expect(page.locator("main")).to_contain_text("acc")
    show(page, JOB + "/logs")
    expect(page.locator(".log .fg-green").first).to_have_text("training")
    expect(page.locator(".log")).to_contain_text("<script>alert(2)</script>")
    # What reverses text is shown, and reverses nothing.
    expect(page.locator(".log")).to_contain_text("‹U+202E›desrever")
    page.locator("[data-search]").fill("alert")
    expect(page.locator(".bar")).to_contain_text(re.compile(r"1 of \d+"))


def keys(page: Page) -> None:
    show(page, JOB + "/tasks")
    page.locator("main").click(position={"x": 2, "y": 2})
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.type") == "search"
    page.locator('[data-row="0"] a').focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.closest('[data-row]').dataset.row") == "2"
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Task 2 of")


def accessible(page: Page) -> None:
    for view in VIEWS:
        show(page, view)
        page.evaluate(AXE)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        for it in found["violations"]:
            said.append(f"axe: {view}: {it['id']}: {it['help']}: {it['nodes'][0]['html'][:160]}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{view} is wider than the window"
        assert not (cut := page.evaluate(CUT_LABELS)), f"{view}: {cut}"
        assert not (small := page.evaluate(SMALL_LABELS)), f"{view}: {small}"


def measure(page: Page) -> None:
    show(page, "#/c/lab/jobs")
    page.reload()
    page.locator("h1").wait_for()
    page.wait_for_timeout(500)
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    show(page, "#/c/lab/j/large/tasks")
    page.locator(".rows").wait_for()
    frames = page.evaluate("""async () => {
      const box = document.querySelector('.rows'), spans = [];
      let last = await new Promise(requestAnimationFrame);
      for (let i = 0; i < 300; i++) {
        box.scrollTop += i % 2 ? 320 : 960;
        const now = await new Promise(requestAnimationFrame);
        spans.push(now - last), (last = now);
      }
      spans.sort((a, b) => a - b);
      return { mean: 1000 * spans.length / spans.reduce((a, b) => a + b), late: spans.filter((it) => it > 25).length, worst: spans.at(-1) };
    }""")
    page.evaluate("document.querySelector('.rows').scrollTop = 1e9")
    expect(page.locator('.rows a', has_text=re.compile("^99999$"))).to_be_visible(timeout=20_000)
    print(f"page: first paint {paint:.0f} ms; 100,000 rows: {frames['mean']:.0f} frames a second, {frames['late']} of 300 later than 25 ms, the worst {frames['worst']:.0f} ms")


def pictures(page: Page, scheme: str, width: int) -> None:
    folder = pathlib.Path("docs/pictures")
    folder.mkdir(exist_ok=True)
    if width == 1000:
        for name, view in {"curves": JOB + "/curves?metric=loss", "job-timeline": JOB + "/timeline"}.items():
            show(page, view)
            expect(page.locator(".plot canvas").last).to_be_visible()
            page.wait_for_timeout(1_500)
            page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)
    for name, view in {"job": JOB, "sweep": JOB + "/sweep?metric=loss", "timeline": "#/c/lab/timeline", "cost": "#/c/lab/cost?by=job"}.items():
        if name != "sweep" and f"{width}-{scheme}" not in ("400-light", "1000-light", "1600-dark"):
            continue
        show(page, view)
        page.wait_for_timeout(1_500)
        page.screenshot(path=folder / f"{name}-{width}-{scheme}.png")


with sync_playwright() as tools:
    browser = tools.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    for scheme, width in SIZES[:2] if SHORT else SIZES:
        page = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme).new_page()
        watch(page)
        page.goto(ADDRESS)
        expect(page.locator("h1")).to_have_text("Clusters")
        assert "key" not in page.url, "the key stays in the address"
        if (scheme, width) == ("light", 1000):
            contents(page)
            keys(page)
            chains.real(page, BASE)
            timelines.real(page, BASE)
            gangs.real(page, BASE)
            exported.check(page, BASE, browser, AXE, said)
            simulated.check(browser, AXE, said)
            if "--measure" in sys.argv:
                measure(page)
                timelines.measure(page, BASE)
        if (scheme, width) in SIZES[:3]:
            accessible(page)
        if "--pictures" in sys.argv:
            pictures(page, scheme, width)
        page.context.close()
    situations = 0
    for scheme, width in [("light", 1000)] if SHORT else [("light", 1000), ("dark", 400)]:
        page = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, timezone_id="UTC").new_page()
        watch(page)
        page.goto(ADDRESS)
        expect(page.locator("h1")).to_have_text("Clusters")
        wanted = "--pictures" in sys.argv and (scheme, width) == ("light", 1000)
        situations = tour.check(page, BASE, AXE, said, picture="docs/pictures/tour-1000-light.png" if wanted else "")
        page.context.close()
    for made_up in (ages, counting, sweeps, running, addresses, logs, reading, joblist, looks, machines):
        page = browser.new_context(viewport={"width": 1000, "height": 800}).new_page()
        watch(page, answers=False)
        page.goto(ADDRESS)
        expect(page.locator("h1")).to_have_text("Clusters")
        made_up.check(page, BASE)
        page.context.close()
    if not SHORT:
        page = browser.new_context().new_page()
        watch(page, answers=False)
        page.goto(ADDRESS)
        expect(page.locator("h1")).to_have_text("Clusters")
        chains.made_up(page, BASE)
        page.context.close()
        page = browser.new_context().new_page()
        watch(page, answers=False)
        page.goto(ADDRESS)
        expect(page.locator("h1")).to_have_text("Clusters")
        curves.made_up(page, BASE)
    browser.close()
for line in dict.fromkeys(said):
    print("page:", line, file=sys.stderr)
print(f"page: {len(VIEWS)} views, {situations} situations of the tour, {len(set(said))} complaints")
sys.exit(1 if said else 0)
