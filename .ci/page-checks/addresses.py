"""Addresses of what is not there: said once, with a link to what is, and not asked for again."""

import re

import answers
from playwright.sync_api import Page, Route, expect

JOB = f"#/c/lab/j/{answers.UID}"
# Each with what is said of it, and a link to what is there.
WRONG = {
    "#/c/labb": ("The cluster is not there. there is no cluster labb; known clusters: lab", "#/"),
    "#/c/labb/jobs": ("Jobs are not there. there is no cluster labb", "#/"),
    "#/c/lab/w/m9": ("The worker is not there.", "#/c/lab"),
    JOB + "/t/99": ("The task is not there.", JOB + "/tasks"),
    JOB + "/t/x": ("The task is not there.", JOB + "/tasks"),
    JOB + "/tassks": ("The view tassks is not there.", "#/c/lab/jobs"),
    JOB + "/t": ("The view t is not there.", "#/c/lab/jobs"),
    "#/c/lab/jbs": ("The address #/c/lab/jbs is none of this page.", "#/c/lab/jobs"),
    "#/x/y": ("The address #/x/y is none of this page.", "#/"),
}


def _show(page: Page, address: str) -> None:
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("h1")).to_be_visible()


def _pass(page: Page, seconds: int) -> None:
    """So much time of the page, with pauses in which what is asked is answered."""
    for _ in range(0, seconds, 10):
        page.clock.run_for(10_000)
        page.wait_for_timeout(20)


def check(page: Page, base: str) -> None:
    made_up = answers.Answers(page, base)
    main = page.locator("main")
    page.clock.install(time=answers.NOW)
    for address, (said, link) in WRONG.items():
        _show(page, base + address)
        expect(main).to_contain_text(said)
        expect(main.locator(f'a[href="{link}"]').last).to_be_visible()
        expect(main).not_to_contain_text(re.compile("[Tt]ried again|Trying again"))
        last = address.rsplit("/", 1)[-1]
        made_up.asked.clear()
        _pass(page, 60)
        assert not [it for it in made_up.asked if it.endswith(("/labb", "/" + last)) and last not in ("tassks", "t", "y")], f"{address} is asked for again: {made_up.asked}"

    # A job that was submitted just now may come: it is asked for some times, and then by hand.
    _show(page, f"{base}#/c/lab/j/late")
    expect(main).to_contain_text("The job is not there. there is nothing at v1/clusters/lab/jobs/late")
    expect(main).to_contain_text(re.compile(r"There is: jobs of lab, .*If it was submitted just now it comes: this page looks again in \ds\."))
    expect(main.locator('a[href="#/c/lab/jobs"]').last).to_be_visible()
    for pause in (2, 4, 8, 15):
        with page.expect_response(lambda it: it.url.endswith("/late")):
            page.clock.run_for(pause * 1_000 + 100)
    expect(main).not_to_contain_text("looks again")
    assert made_up.asked.count("v1/clusters/lab/jobs/late") == 5, made_up.asked
    _pass(page, 60)
    assert made_up.asked.count("v1/clusters/lab/jobs/late") == 5, made_up.asked
    page.get_by_role("button", name="Look again").click()
    expect(main).to_contain_text("The job is not there.")
    assert made_up.asked.count("v1/clusters/lab/jobs/late") == 6, made_up.asked

    # What helps on a command line alone is not told.
    said = "cluster lab has no job none; newest jobs: grid; a job that was published just now may not be accepted yet, and jobs of another cluster, also one that is down, need -c CLUSTER"
    page.route(lambda url: url.endswith("/jobs/none"), lambda it: it.fulfill(status=404, json={"status": 404, "error": said}))
    _show(page, f"{base}#/c/lab/j/none")
    expect(main).to_contain_text("newest jobs: grid; a job that was published just now may not be accepted yetThere is: jobs of lab")

    # What is refused is said, and asked for again by a button alone.
    refused: list[str] = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        route.fulfill(status=403, json={"error": "you may not read that"})

    for path, what in {"/tasks?": "Tasks", "/metrics/": "What tasks reported last"}.items():
        page.route(lambda url: path in url, refuse)
        _show(page, f"{base}{JOB}/tasks")
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text(f"{what} can't be read now. you may not read that")
        expect(alert).not_to_contain_text(re.compile("[Tt]ried again|Trying again"))
        refused.clear()
        _pass(page, 60)
        assert not refused, f"what is refused is asked for again: {refused}"
        alert.get_by_role("button", name="Try again").click()
        page.wait_for_timeout(100)
        assert len(refused) == 1, refused
        page.unroute_all(behavior="ignoreErrors")
        answers.Answers(page, base)

    # What is away for a while is asked for until it is there.
    page.route(lambda url: url.endswith("/api/v1/clusters"), lambda it: it.fulfill(status=503, json={"error": "the control plane starts"}))
    _show(page, base)
    expect(main).to_contain_text(re.compile(r"Clusters can't be read now\. the control plane starts Tried again in \ds\."))
    page.unroute_all(behavior="ignoreErrors")
    answers.Answers(page, base)
    page.clock.run_for(10_000)
    expect(main.locator(".card")).to_have_count(1)
    page.unroute_all(behavior="ignoreErrors")
