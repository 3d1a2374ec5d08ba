"""What a cluster says of its machines: those that did not come and since when, those without a task, and times in the reader's zone."""

import answers
from playwright.sync_api import Page, expect


def _show(page: Page, base: str, view: str) -> None:
    page.goto("about:blank")
    page.goto(base + view)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0)


def check(page: Page, base: str) -> None:
    # The times of the page are those of the reader's zone, in sentences too.
    away = page.context.browser.new_context(viewport={"width": 1000, "height": 800}, timezone_id="Asia/Tokyo", storage_state=page.context.storage_state())
    page = away.new_page()
    page.clock.set_fixed_time(answers.NOW)
    made_up = answers.Answers(page, base)
    main = page.locator("main")
    lines = main.locator(".problems li")
    pools = main.get_by_role("region", name="Pools").locator("tbody tr")
    first = main.get_by_role("region", name="Workers", exact=True).locator("tbody tr").first

    def order(name: str, since: float, **more: object) -> answers.Json:
        return made_up.worker(name, "gpu", **{"state": "gone", "since": answers.at(since), "createdAt": answers.at(since - 5)} | more)

    # Of orders that are refused it is said how often and since when; what the cluster says of them is not said again.
    refused = [order(f"r{i}", -300 * i, reason="EXHAUSTED: the zone has none", ending="refused") for i in (1, 2, 3)]
    told = "zone us-central1-a has no n2-standard-4 for pool gpu: EXHAUSTED (the zone has none) 5m ago; the next try is in 3m"
    made_up.problems = [told, told.replace("3m", "2m59s") + "; job nora/big waits for it"]
    made_up.workers = refused
    _show(page, base, "#/c/lab")
    expect(lines).to_have_text([f"refused pool gpu: 3 orders in the last hour, since 20:45:00; {made_up.problems[1]}"])
    expect(lines.locator("b.next")).to_have_text("the next try is in 2m59s")
    expect(pools.nth(1)).to_contain_text("orders refused")
    # A machine that the cloud never started is told once with what the cluster says of its zone.
    slow = [order(f"s{i}", -600 * i, reason="never booted: the cloud did not start it within 10m of its order", ending="given-back", createdAt=answers.at(-600 * i - 600)) for i in (1, 2)]
    told = "zone us-central1-a accepted the order of n2-standard-4, and did not start it before it was given up, 2 times in the last half hour, the last time 10m ago; the next try is in 2m"
    made_up.workers, made_up.problems = slow, [told, told + "; job nora/prep waits for it"]
    _show(page, base, "#/c/lab")
    expect(lines).to_have_text([f"no boot pool gpu: 2 in the last hour, since 20:40:00; {told}; job nora/prep waits for it"])
    # What is over is no trouble.
    made_up.workers, made_up.problems = [made_up.worker("m1", "gpu", firstSyncAt=answers.at(-100)), *refused], []
    _show(page, base, "#/c/lab")
    expect(lines).to_have_text(["refused pool gpu: 3 orders in the last hour, from 20:45:00 to 20:55:00; since then 1 machine came"])
    expect(lines).to_have_class("normal")
    expect(pools.nth(1)).not_to_contain_text("orders refused")

    # What an idle machine costs until it goes, and when that is; what is kept does not go.
    made_up.specs = [{"name": "gpu", "idleAfter": "10m", "provisioning": "spot", "manual": False}, {"name": "cpu", "idleAfter": "1h30m", "provisioning": "reserved", "manual": False}]
    idle = {"firstSyncAt": answers.at(-800), "due": answers.at(5)}
    made_up.workers = [
        made_up.worker("m1", "gpu", **idle, idleSince=answers.at(-77), usdPerHour=2.125),
        made_up.worker("m2", "gpu", **idle, idleSince=answers.at(-20), usdPerHour=2.125),
        made_up.worker("m3", "gpu", **idle, idleSince=answers.at(-90), usdPerHour=2.125, reason="kept idle for workers.min: 1 of pool gpu"),
        made_up.worker("m4", "cpu", **idle, idleSince=answers.at(-90)),
    ]
    _show(page, base, "#/c/lab")
    expect(lines).to_have_text(["idle 2 machines without a task, $4.25 an hour: 2 of pool gpu go, the first in 8m43s"])
    cells = main.get_by_role("region", name="Workers", exact=True).locator("tbody tr td:nth-child(6)")
    expect(cells).to_have_text(["77s, goes in 8m43s", "20s, goes in 9m40s", "90s", "90s"])
    _show(page, base, "#/c/lab/w/m1")
    expect(main.locator("dl")).to_contain_text("idle77s, goes in 8m43s")

    # That limits are not enforced is so for ever on a laptop: it is on the machine's page and in no table.
    unlimited = made_up.worker("m1", "cpu", **idle, problem="not enforced: limits of CPU", problemKind="unlimited")
    made_up.workers = [unlimited]
    _show(page, base, "#/c/lab")
    expect(first).not_to_contain_text("not enforced")
    expect(main.get_by_role("region", name="Workers", exact=True).locator("th").last).to_have_text("Machine")
    made_up.why = {"summary": "it runs", "reasons": [{"kind": "limits", "text": "worker m1, which has tasks of it: not enforced: limits of CPU"}], "queue": [], "events": []}
    for made_up.laptop in (True, False):
        made_up.problems = ["m1: not enforced: limits of CPU", "trouble is what it is"]
        _show(page, base, "#/c/lab")
        expect(lines).to_have_text(["trouble trouble is what it is", "laptop m1: not enforced: limits of CPU"] if made_up.laptop else ["trouble m1: not enforced: limits of CPU", "trouble trouble is what it is"])
        expect(main.locator(".problems li.normal")).to_have_count(int(made_up.laptop))
        _show(page, base, f"#/c/lab/j/{answers.UID}")
        expect(main.locator(".problems li")).to_have_class("normal" if made_up.laptop else "")
    made_up.problems = []
    made_up.workers = [unlimited | {"problem": "it is given up at 2026-03-02T12:10:05.5Z, not part-2026-03-02T12:10:05Z.tar", "problemKind": "other"}]
    _show(page, base, "#/c/lab")
    expect(first).to_contain_text("it is given up at 21:10:05, not part-2026-03-02T12:10:05Z.tar")
    _show(page, base, "#/c/lab/w/m1")
    expect(main.locator(".problems li")).to_have_text("it is given up at 21:10:05, not part-2026-03-02T12:10:05Z.tar")

    # Of an order that was refused there was no machine to be made or to live, and of one that never reported none that lived.
    made_up.workers = [refused[0] | {"reason": "it is full since 2026-03-02T11:00:00Z"}, slow[0]]
    for view, summary in (("", "gone, 1 order refused, newest first"), ("/timeline", "order of machines refused")):
        _show(page, base, "#/c/lab" + view)
        page.get_by_text(summary).click()
        expect(main.locator("details").first).to_contain_text("it is full since 20:00:00")
    made_up.workers = [refused[0], slow[0]]
    _show(page, base, "#/c/lab/w/r1")
    expect(main.locator(".facts")).to_have_text("goneits order was refused 5m ago: there was no machinen2-standard-4 in us-central1-a, pool gpu")
    expect(main.locator("dl").first).to_have_text("ordered5m5s ago")
    _show(page, base, "#/c/lab/w/s1")
    expect(main.locator(".facts")).to_contain_text("it never reported")
    expect(main.locator(".facts")).not_to_contain_text("lived")
    away.close()
