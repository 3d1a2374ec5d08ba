"""How old what is seen is, and what is not known of it: values, counts, ends, tasks that diverged, costs beside a job."""

import datetime
import re

import answers
from playwright.sync_api import Page, expect

JOB = f"#/c/lab/j/{answers.UID}"
# What is pure: points of a lost attempt stay until the next one took over, and what was done again is beside the line.
PURE = """async () => {
  const { record, linesOf, newest, resumed } = await import('/history.js'), { countedUntil, endOfJob, takesInAll } = await import('/format.js');
  const at = (it) => new Date(1000 * it).toISOString(), row = (time, step) => ({ at: at(time), values: { step } }), task = (time, step) => ({ index: 0, state: 'running', startedAt: at(0), metrics: { step }, metricsAt: at(time) });
  for (const it of [task(10, 1), task(20, 2), task(30, 3)]) record('lost', [it], 99_000);
  const lost = linesOf('lost', task(50, 4), [{ attempt: 'a', rows: [row(10, 1)] }, { attempt: 'b', rows: [row(40, 2)] }]).map((it) => it.points.map((point) => point.at / 1000));
  record('old', [{ index: 0, state: 'running', metrics: { step: 1 } }], 99_000);
  record('done', [{ index: 0, state: 'done', endedAt: at(7), metrics: { step: 1 } }], 99_000);
  const first = (uid) => newest(linesOf(uid, task(0, 0), []))[0], part = (steps) => ({ points: steps.map((step, i) => ({ at: i, metrics: { step } })) });
  const [line] = resumed([part([1, 2, 3, 4]), part([3, 4, 5])], 'step');
  return { lost, seen: [first('old').at, first('old').seen ?? false, first('done').at], line: line.points.map((it) => it.metrics.step), again: line.again.map((them) => them.map((it) => it.metrics.step)) };
}"""
KNOWN = {"lost": [[10, 20, 30], [40]], "seen": [99_000, True, 7_000], "line": [1, 2, 3, 4, 5], "again": [[2, 3, 4]]}
CUT = "[...document.querySelectorAll('.scroll')].map((it) => [it.scrollWidth > it.clientWidth + 1, it.previousElementSibling?.classList.contains('wider') ?? false])"


def _show(page: Page, base: str, view: str) -> None:
    page.goto("about:blank")
    page.goto(base + view)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0)


def _running(**more: object) -> answers.Json:
    job = answers.job(state="running", totals={"done": 8, "failed": 0, "leased": 2, "ready": 0}, countedAt=answers.at(-40), **more)
    del job["endedAt"]
    return job


def _lost(made_up: answers.Answers) -> None:
    """Two tasks that run, of which one stands still since its machine is dead; of one the first attempt was lost."""
    counted = {"name": "step", "at": 6, "of": 400}
    dead = answers.task(0, "0.1", 0, {"step": 6, "total_steps": 400, "loss": 0.5}, "running", metricsAt=answers.at(-400), progress=counted)
    alive = answers.task(1, "0.1", 1, {"step": 9, "total_steps": 400, "loss": 0.4}, "running", metricsAt=answers.at(-12), progress=counted | {"at": 9})
    alive["attempts"] = {"total": 2, "failures": 0, "infrastructure": 1, "interruptions": 0}
    made_up.tasks = [dead, alive]
    rows = [{"step": i, "total_steps": 400, "loss": 1 / i} for i in range(1, 9)]
    made_up.curves = [answers.curve(0, "s0e1", rows[:6], -500), answers.curve(1, "s1e1", rows, -500), answers.curve(1, "s1e2", rows[4:], -200)]
    made_up.job = _running(tasks=2, progress={"tasks": 2, "part": 0.1, "least": counted, "at": answers.at(-400)})


def _values(page: Page, base: str, made_up: answers.Answers) -> None:
    main = page.locator("main")
    _lost(made_up)
    _show(page, base, JOB + "/curves?metric=loss")
    expect(main).to_contain_text("The newest point is 12s old. Of task 0 it is 6m40s old. Of a running task")
    # All attempts of what was lost are read, and what was done again is there.
    expect(main).to_contain_text("Pale: what an attempt did after the last checkpoint, which the next one did again.")
    expect(page.locator(".u-legend").last).to_contain_text("done again")
    assert any(it.startswith("metrics/") and it.endswith("/1") for it in made_up.asked), made_up.asked
    _show(page, base, JOB + "/t/0")
    expect(main).to_contain_text("The newest point is 6m40s old.")
    expect(main.locator(".facts")).to_contain_text("step 6 of 400, 6m40s ago")
    _show(page, base, JOB)
    expect(main.locator(".facts")).to_contain_text("2 running tasks at 5 % of their steps, at most 6m40s old")
    # An older control plane does not tell it, and that is said.
    for it in made_up.tasks:
        del it["metricsAt"]
    _show(page, base, JOB + "/t/0")
    expect(main).to_contain_text("since it was seen here: this control plane does not tell when it was read")


def _counts(page: Page, base: str, made_up: answers.Answers) -> None:
    main = page.locator("main")
    made_up.tasks, made_up.curves, made_up.job = answers.tasks(), answers.curves(), _running()
    made_up.more = {"estimate": {"rest": {"earliest": answers.at(60), "latest": answers.at(300)}, "text": "in about 1m to 5m"}}
    _show(page, base, JOB)
    said = re.compile(r"8/10 done \(counted until \d\d:59:20, 40s ago; more may be done\)")
    expect(main.locator(".facts")).to_contain_text(said)
    expect(main.locator(".facts")).to_contain_text("2 on machines")
    expect(main).to_contain_text(re.compile(r"by the clockbetween \d\d:01:00 and \d\d:05:00; 16m to 20m in all"))
    _show(page, base, JOB + "/curves")
    expect(main).to_contain_text(re.compile(r"By the times at which tasks ended; counted until \d\d:59:20, 40s ago; more may be done\. Shaded"))
    # Of one task there is no curve of how many are done.
    made_up.tasks, made_up.job = made_up.tasks[:1], _running(tasks=1) | {"totals": {"done": 0, "failed": 0, "leased": 1, "ready": 0}}
    _show(page, base, JOB + "/curves")
    expect(main).to_contain_text(re.compile(r"one task, so that there is no curve of how many are done\. It runs\. It ends between \d\d:01:00 and \d\d:05:00, nine times out of ten: in about 1m to 5m\. In all it takes 16m to 20m\."))
    expect(page.get_by_label(re.compile("done over time"))).to_have_count(0)


def _worth(page: Page, base: str, made_up: answers.Answers) -> None:
    """Tasks that are done and worth nothing, attempts that recovered, and what no job is charged for."""
    main = page.locator("main")
    none, half, whole = ({"usd": usd, "hours": usd, "unpricedHours": 0} for usd in (0.0, 0.5, 2.0))
    group = {"total": whole, "tasks": whole, "lost": none, "failed": none, "boot": none, "idle": none, "end": none}
    beside = group | {"name": "(no job)", "tasks": none, "boot": half, "idle": half, "total": half | {"usd": 1.0}}
    cost = {"cluster": "lab", "by": "job", "since": "2026-03-02", "today": whole, "month": whole, "total": group, "groups": [group | {"name": "grid", "uid": answers.UID}, beside]}
    made_up.tasks, made_up.job = answers.tasks(), answers.job(state="succeeded", totals={"done": 10, "failed": 0, "leased": 0, "ready": 0})
    made_up.tasks[7] |= {"diverged": ["loss"]}
    made_up.job["failures"] = [{"index": 2, "attempt": "s0e1", "cause": "user", "exitCode": 1, "evidence": "KeyError: 'first'", "worker": "m1", "at": answers.at(-300)}]
    made_up.more = {"cost": cost}
    made_up.why = made_up.why | {"reasons": [{"kind": "recovered", "text": "1 attempt ended: user error: KeyError; its task is done since"}, {"kind": "failing", "text": "1 attempt ended: lost"}]}
    _show(page, base, JOB)
    expect(main).to_contain_text("diverged1 task, counted as done: loss became NaN or an infinity; about $0.20 of the cost, by their part of the tasks’ time")
    expect(main).to_contain_text("cluster labbeside what its jobs cost $1.00 for machines that worked for none of them, since 2026-03-02 (UTC): $0.50 booting, $0.50 unused, whole machines or parts of busy ones · all costs")
    expect(main.locator("li.normal")).to_contain_text("recovered")
    _show(page, base, JOB + "/tasks")
    expect(page.locator('.rows .body [data-row="7"] .state.bad')).to_have_text("done, diverged")
    _show(page, base, JOB + "/tasks?q=diverged")
    expect(page.locator(".rows .body .line")).to_have_count(1)
    # What a task failed of before it was done is found.
    _show(page, base, JOB + "/tasks?q=keyerror")
    expect(page.locator(".rows .body .line")).to_have_count(1)
    _show(page, base, JOB + "/t/7")
    expect(main.locator(".facts")).to_contain_text("diverged: loss became NaN or an infinity")


def _noise(page: Page, base: str, made_up: answers.Answers) -> None:
    """What is best by less than noise is not called so without a word."""
    values = [("0.1", (0.9, 0.8, 0.85)), ("0.01", (0.89, 0.79, 0.84))]
    made_up.tasks = [answers.task(3 * i + n, lr, n, {"step": 8, "acc": acc}) for i, (lr, all_of_it) in enumerate(values) for n, acc in enumerate(all_of_it)]
    _show(page, base, JOB + "/sweep?metric=acc")
    expect(page.locator("tr.best .state")).to_have_text("best, within the noise")
    expect(page.locator("tr.best .state.good")).to_have_count(0)
    expect(page.locator("main")).to_contain_text("More seeds might tell both apart.")
    _show(page, base, "#/c/lab/cost?by=job")
    expect(page.get_by_role("columnheader", name="Unused")).to_be_visible()


def _machines(page: Page, base: str, made_up: answers.Answers) -> None:
    """What the cloud refused is told once, and tables that are cut say so."""
    main = page.locator("main")
    told = "zone us-central1-a has no n2-standard-4 for pool cpu: EXHAUSTED (the zone has none) 2m ago; the next try is in 3m"
    refused = {"state": "gone", "since": answers.at(-120), "reason": "EXHAUSTED: the zone has none", "ending": "refused"}
    made_up.workers = [made_up.worker("m1", "cpu", firstSyncAt=answers.at(-800)), *(made_up.worker(it, "cpu", **refused) for it in ("r1", "r2"))]
    made_up.problems = [told, "something else"]
    page.set_viewport_size({"width": 1000, "height": 800})
    _show(page, base, "#/c/lab")
    expect(main.locator(".problems li")).to_have_text([f"refused pool cpu: 2 orders in the last hour; {told}", "trouble something else"])
    for width in (400, 1200):
        page.set_viewport_size({"width": width, "height": 800})
        for view in ("#/c/lab", "#/c/lab/jobs", "#/c/lab/cost", JOB + "/sweep?metric=acc"):
            _show(page, base, view)
            page.wait_for_timeout(200)
            for wider, said in page.evaluate(CUT):
                assert wider == said, f"{view} at {width}: wider {wider}, said {said}"
                assert width == 400 or not wider, f"{view} is cut at {width} px"
    page.set_viewport_size({"width": 400, "height": 800})
    _show(page, base, JOB + "/tasks")
    expect(page.locator(".rows")).to_be_visible()
    expect(page.locator("p.wider")).to_contain_text("scroll sideways")


def check(page: Page, base: str) -> None:
    page.clock.set_fixed_time(answers.NOW)
    assert (found := page.evaluate(PURE)) == KNOWN, found
    made_up = answers.Answers(page, base)
    _values(page, base, made_up)
    _counts(page, base, made_up)
    _worth(page, base, made_up)
    _noise(page, base, made_up)
    _machines(page, base, made_up)
    page.clock.set_fixed_time(answers.NOW + datetime.timedelta(seconds=20))
    page.unroute_all(behavior="ignoreErrors")
