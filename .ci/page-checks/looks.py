"""What is seen at any width and read in any colour: narrow tables, long names, a card alone, colours of logs, keys at the end of a list."""

import answers
from playwright.sync_api import Page, expect

JOB = f"#/c/lab/j/{answers.UID}"
LONG_NAME = "validation_accuracy_of_the_exponential_moving_average_of_weights"
# Contrast of each coloured piece of a log with what is behind it.
CONTRASTS = """[...document.querySelectorAll('.log .row span[style]')].map((it) => {
  const parts = (text) => (text.match(/[0-9.]+/g) ?? []).map(Number), bright = (rgb) => rgb.slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const style = getComputedStyle(it), own = parts(style.backgroundColor), ground = own.length > 3 && own[3] === 0 ? [20, 23, 26] : own, [a, b] = [bright(parts(style.color)), bright(ground)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
})"""


def _show(page: Page, base: str, view: str) -> None:
    page.goto("about:blank")
    page.goto(base + view)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0)


def _fits(page: Page, what: str) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what} is wider than the window"


def check(page: Page, base: str) -> None:
    made_up = answers.Answers(page, base)
    page.clock.set_fixed_time(answers.NOW)
    page.set_viewport_size({"width": 400, "height": 800})

    # The metric is seen in a narrow window, and reasons are read without scrolling sideways.
    _show(page, base, JOB + "/sweep?metric=acc")
    box = page.locator("th", has_text="acc").bounding_box()
    assert box and box["x"] + box["width"] <= 400, f"the metric of the sweep is not seen at 400 px: {box}"
    assert page.locator('[aria-label="Settings"] th').nth(1).inner_text().startswith("acc"), "the metric is not beside the first variable"
    _show(page, base, "#/c/lab/events")
    why = page.locator("tr.text").first
    expect(why).to_contain_text("the machine said that")
    box = why.locator("div").bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 400, f"why of an event is not seen at 400 px: {box}"

    # A long name of a metric widens no page.
    made_up.tasks = [it | {"metrics": {**it["metrics"], LONG_NAME: 0.5 + it["index"] / 100}} if "metrics" in it else it for it in answers.tasks()]
    for tab in ("sweep", "curves", "tasks"):
        for width in (320, 400, 1000):
            page.set_viewport_size({"width": width, "height": 800})
            _show(page, base, f"{JOB}/{tab}?metric={LONG_NAME}")
            _fits(page, f"{tab} at {width} px with a metric of 64 letters")

    # A cluster alone has the width; a schedule in order is no warning, and a report on its way is not late.
    page.set_viewport_size({"width": 1600, "height": 800})
    made_up.schedules = [{"name": "nightly", "when": "every day", "state": "active", "next": answers.at(600)}, {"name": "broken", "when": "every hour", "state": "active", "next": answers.at(600), "last": {"job": "j1", "state": "failed", "why": "no"}}]
    made_up.workers = [made_up.worker("m1", "cpu", firstSyncAt=answers.at(-800), due=answers.at(-3)), made_up.worker("m2", "cpu", firstSyncAt=answers.at(-800), due=answers.at(-40))]
    _show(page, base, "#/")
    box = page.locator(".card").bounding_box()
    assert box and box["width"] > 1_400, f"the card of the only cluster is {box} wide"
    expect(page.locator(".problems li.normal")).to_contain_text("nightly")
    expect(page.locator(".problems li:not(.normal)")).to_contain_text("broken")
    _show(page, base, "#/c/lab")
    expect(page.locator("tbody tr", has_text="m1").first).to_contain_text("due now")
    expect(page.locator("tbody tr", has_text="m2").first).to_contain_text("40s late")

    # End and Home keep the focus in a list; after Escape in the search the arrows move through it.
    page.set_viewport_size({"width": 1000, "height": 800})
    made_up.tasks = [answers.task(i, str(i), 0, {"loss": i / 300}) for i in range(300)]
    made_up.job = answers.job(tasks=300, totals={"done": 300, "failed": 0, "leased": 0, "ready": 0})
    _show(page, base, JOB + "/tasks")
    page.locator('[data-row="0"] a').focus()
    for key, row in (("End", "299"), ("Home", "0")):
        page.keyboard.press(key)
        page.wait_for_function("(row) => document.activeElement.closest('[data-row]')?.dataset.row === row", arg=row)
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => document.activeElement.closest('[data-row]')?.dataset.row === '0'")

    # Values that do not count are behind the others, in the order of what is shown of them.
    lost = [answers.task(i, str(i), 0, None, "failed", failure={"index": i, "attempt": "s0e1", "cause": "user", "exitCode": 1, "evidence": "no", "worker": "m1", "at": answers.at(-60)}) for i in (1, 2, 3)]
    made_up.tasks = [answers.task(0, "0", 0, {"loss": 9.0}), *lost]
    made_up.curves = [answers.curve(i, "s0e1", [{"step": 1, "loss": value}]) for i, value in ((1, 0.7), (2, 0.1), (3, 0.4))]
    made_up.job = answers.job(tasks=4, totals={"done": 1, "failed": 3, "leased": 0, "ready": 0})
    for desc, order in (("", ["0", "2", "3", "1"]), ("&desc=true", ["0", "1", "3", "2"])):
        _show(page, base, JOB + "/tasks?sort=metric:loss" + desc)
        expect(page.locator(".rows .body")).to_contain_text("0.1 last")
        rows = page.locator(".rows .body .line [role=cell]:first-child").all_inner_texts()
        assert rows == order, rows

    # Any colour of a program is read on the paper of a log.
    page.add_init_script(answers.LOG)
    _show(page, base, JOB + "/logs")
    page.evaluate("""window.print(['\\u001b[38;2;0;0;0mblack\\u001b[0m', '\\u001b[38;5;16mblack too\\u001b[0m', '\\u001b[38;5;18mnavy\\u001b[0m', '\\u001b[48;2;255;255;255mon white\\u001b[0m'])""")
    expect(page.locator(".log")).to_contain_text("on white")
    low = [it for it in page.evaluate(CONTRASTS) if it < 4.5]
    assert not low and len(page.evaluate(CONTRASTS)) == 4, page.evaluate(CONTRASTS)
    page.unroute_all(behavior="ignoreErrors")
