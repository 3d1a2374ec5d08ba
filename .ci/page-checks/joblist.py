"""The list of jobs: what each costs and when it ends or starts, why it waits at any width, its keys, and words of its address."""

import re

import answers
from playwright.sync_api import Page, expect

WHY = "stockout: zone us-central1-b has no g2-standard-24 for pool gpu: ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS (The zone 'us-central1-b' does not have enough resources available to fulfill the request. (resource type:compute)) 91s ago; the next try is in 4m8s"
# Rows whose reason is cut before what it begins with, or is not seen.
UNSEEN = """(wanted) => [...document.querySelectorAll('tbody td.wide')].filter((it) => it.textContent.includes(wanted)).map((it) => {
  const box = it.querySelector('summary, div') ?? it, range = document.createRange(), walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const text = walk.nextNode(), from = text.data.indexOf(wanted), all = box.getBoundingClientRect();
  range.setStart(text, from), range.setEnd(text, from + wanted.length);
  const own = range.getBoundingClientRect();
  return own.left >= 0 && own.right <= innerWidth && own.bottom <= all.bottom + 1 && own.width > 0;
})"""


def _jobs() -> list[answers.Json]:
    def one(uid: str, name: str, state: str, totals: tuple[int, int, int, int], **more: object) -> answers.Json:
        job = answers.job(uid=uid, name=name, state=state, tasks=sum(totals), totals=dict(zip(("done", "failed", "leased", "ready"), totals)), **more)
        if state not in ("succeeded", "failed"):
            del job["endedAt"]
        return job

    return [
        one("j1", "finetune", "running", (0, 0, 0, 2), reason=WHY, owner="ana"),
        one("j2", "pretrain", "running", (3, 0, 2, 0), owner="ana"),
        one("j3", "grid", "succeeded", (24, 0, 0, 0), reason="24 done", owner="ana"),
    ]


def _show(page: Page, base: str, view: str) -> None:
    page.goto("about:blank")
    page.goto(base + view)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0)


def check(page: Page, base: str) -> None:
    made_up = answers.Answers(page, base)
    page.clock.set_fixed_time(answers.NOW)
    none, some = ({"usd": it, "hours": it, "unpricedHours": 0} for it in (0.0, 0.0123))
    group = {"total": some, "tasks": some, "lost": none, "failed": none, "boot": none, "idle": none, "end": none}
    spread = {"earliest": answers.at(200), "latest": answers.at(1_001)}
    made_up.more = {
        "jobs": _jobs(),
        "cost": {"cluster": "lab", "by": "job", "since": "2026-03-02", "today": some, "month": some, "total": group, "groups": [group | {"name": "grid", "uid": "j3"}]},
        "jobs/j1/estimate": {"start": {"spread": spread, "text": "in about 3m to 17m"}, "text": "unknown"},
        "jobs/j2/estimate": {"rest": spread, "text": "in about 3m to 17m"},
    }
    main = page.locator("main")
    rows = page.locator("tbody tr:not(.text)")
    for width in (1600, 1000, 400):
        page.set_viewport_size({"width": width, "height": 800})
        _show(page, base, "#/c/lab/jobs")
        expect(rows).to_have_count(3)
        heads = page.get_by_role("columnheader").all_inner_texts()
        assert "Cost" in heads and "Left" in heads and "Failed" not in heads, heads
        cells = [rows.nth(i).locator("td") for i in range(3)]
        expect(cells[0].nth(heads.index("Left"))).to_have_text("starts in 3m to 17m")
        expect(cells[1].nth(heads.index("Left"))).to_have_text("3m to 17m")
        expect(cells[2].nth(heads.index("Cost"))).to_have_text("$0.0123")
        # What comes next is seen, whatever the cloud said and at any width.
        for wanted in ("the next try is in 4m8s", "stockout"):
            assert page.evaluate(UNSEEN, wanted) == [True], f"{wanted} is not seen at {width} px"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"the jobs are wider than {width} px"
        assert width == 400 or page.locator("p.wider").count() == 0, f"the jobs are cut at {width} px"

    # Jobs of one name are told apart where they stand together; a job's time says what is in it.
    expect(rows.first.locator("td").first).to_have_text("finetune")
    twin = {**made_up.more["jobs"][2], "uid": "j4", "submittedAt": answers.at(-2_000)}
    of_cost = [group | {"name": "grid", "uid": it, "total": some | {"hours": hours}} for it, hours in (("j3", 0.4), ("j4", 0.0762))]
    kept, made_up.more = made_up.more, made_up.more | {"jobs": [*made_up.more["jobs"], twin], "cost": made_up.more["cost"] | {"groups": of_cost}}
    _show(page, base, "#/c/lab/jobs")
    expect(rows.last.locator("td").first).to_have_text("grid of 11:26:40")
    expect(rows.first.locator("td").first).to_have_text("finetune")
    expect(page.get_by_role("columnheader", name="Took")).to_have_attribute("title", re.compile("what it waited for machines and its turn is in it"))
    _show(page, base, "#/c/lab/cost?by=job")
    expect(rows.locator("td:first-child")).to_have_text(["grid j3", "grid j4", ""])
    expect(rows.locator("td:nth-child(2)")).to_have_text(["$0.0123 0.40 h", "$0.0123 0.0762 h", "$0.0123 0.0123 h"])
    made_up.more = kept

    # Keys: from the table to its rows, and Enter in the search where one is left.
    page.set_viewport_size({"width": 1000, "height": 800})
    _show(page, base, "#/c/lab/jobs")
    page.get_by_role("region", name="Jobs").focus()
    for name in ("finetune", "pretrain", "grid"):
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.innerText") == name, page.evaluate("document.activeElement.outerHTML")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.innerText") == "pretrain"
    page.locator("[data-search]").press("Enter")
    expect(page).to_have_url(re.compile("/jobs$"))
    page.locator("[data-search]").fill("gri")
    expect(main).to_contain_text("Enter opens it")
    page.locator("[data-search]").press("Enter")
    expect(page).to_have_url(re.compile("/j/j3$"))

    # Words of the address that are none are said and ignored.
    _show(page, base, "#/c/lab/jobs?state=live&sort=size")
    expect(rows).to_have_count(3)
    expect(main.get_by_role("note").first).to_contain_text("state=live in the address is none of waiting, expanding, running,")
    expect(main.get_by_role("note").first).to_contain_text("all are shown")
    expect(main.get_by_role("note").last).to_contain_text("sort=size in the address is none of newest, name,")
    _show(page, base, "#/c/lab/jobs?state=stopped")
    expect(main).to_contain_text("No job fits.")
    expect(main.get_by_role("note")).to_have_count(0)
    made_up.more = {}
    job = f"#/c/lab/j/{answers.UID}"
    for view, said in {
        job + "/tasks?state=live": "state=live in the address is none of waiting, running,",
        job + "/tasks?sort=size": "sort=size in the address is none of task,",
        job + "/curves?by=size": "by=size in the address is none of number, low, high:",
        "#/c/lab/cost?by=size": "by=size in the address is none of day, job,",
        job + "/sweep?x=size": "x=size in the address is none of lr,",
    }.items():
        _show(page, base, view)
        expect(main.get_by_role("note").first).to_contain_text(said)
    _show(page, base, job + "/tasks?state=live")
    expect(page.locator(".rows .body .line")).to_have_count(10)
    page.locator(".rows").focus()
    for index in ("0", "1", "2"):
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.closest('[data-row]')?.dataset.row") == index, index
    page.unroute_all(behavior="ignoreErrors")
