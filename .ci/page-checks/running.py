"""A sweep that runs: its table on a laptop's window, who leads so far, how far it is, and figures that are of one time."""

import datetime
import re

import answers
from playwright.sync_api import Page, expect

JOB = f"#/c/lab/j/{answers.UID}"
WIDE = "(() => { const it = document.querySelector('.rows'); return it.scrollWidth <= it.clientWidth; })()"

# Texts of a plot's axis that cover each other.
COVERED = """[...document.querySelectorAll('.plots svg')].flatMap((svg) => {
  const all = [...svg.querySelectorAll('text.end, text.halo')].map((it) => [it.textContent, it.getBoundingClientRect()]);
  return all.flatMap(([name, a], i) => all.slice(i + 1).filter(([, b]) => a.left < b.right && b.left < a.right && Math.abs(a.top - b.top) < 10).map(([other]) => `${name} ${other}`));
})"""
# What an attempt said last: a program's last line, and Mayfly's words as a whole.
SAID = """async () => {
  const { evidence } = await import('/format.js'), evidences = [{ exitCode: 1, cause: 'user' }, { exitCode: 1, cause: 'infrastructure' }, { exitCode: -1, cause: 'user' }];
  return evidences.map((it) => evidence({ ...it, evidence: 'one\\n  two' }).trim());
}"""


def _show(page: Page, base: str, view: str) -> None:
    page.goto("about:blank")
    page.goto(base + view)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0)


def _titled(page: Page, *titles: str) -> None:
    """Waits until the columns are these: after an address, rows are filtered when they have come."""
    expect(page.locator(".rows [role=columnheader]")).to_have_text(list(titles), use_inner_text=True)


def tasks() -> list[answers.Json]:
    """Of three variables and two metrics; one failed, one was retried, one waits."""
    use = {"cpuSeconds": 9.0, "cpus": 0.98, "peakMemory": 412 * 2**20}
    done = [
        answers.task(i, lr, seed, {"step": 2000, "total_steps": 2000, "acc": 0.8862 - i / 97, "loss": 0.3141 + i / 89}, use=use, progress={"name": "step", "at": 2000, "of": 2000})
        for i, (lr, seed) in enumerate((lr, seed) for lr in ("0.1", "0.01", "0.001") for seed in (0, 1))
    ]
    running = answers.task(6, "0.0001", 0, {"step": 450, "total_steps": 2000, "acc": 0.5, "loss": 1.5}, "running", progress={"name": "step", "at": 450, "of": 2000})
    lost = {"index": 6, "attempt": "s0e1", "cause": "preempted", "exitCode": -1, "evidence": "", "worker": "lab-cpu-preemptible-7f3a", "at": answers.at(-700), "startedAt": answers.at(-1300)}
    running |= {"attempts": {"total": 2, "failures": 0, "infrastructure": 1, "interruptions": 0}, "failure": lost}
    said = 'Traceback (most recent call last):\n  File "train.py", line 41, in <module>\nRuntimeError: loss is nan at step 612'
    failed = answers.task(7, "1", 0, None, "failed", failure={"index": 7, "attempt": "s0e1", "cause": "user", "exitCode": 1, "evidence": said, "worker": "lab-cpu-preemptible-7f3a", "at": answers.at(-60)})
    waits = answers.task(8, "10", 0, None, "waiting")
    waits |= {"workers": [], "attempts": {"total": 0, "failures": 0, "infrastructure": 0, "interruptions": 0}}
    waits.pop("startedAt"), waits.pop("endedAt")
    found = [*done, running, failed, waits]
    for it in found:
        del it["variables"]["note"]
        it["variables"]["batch"] = "128"
        if it["workers"]:
            it["workers"] = ["lab-cpu-preemptible-7f3a"]
    return found


def _job() -> answers.Json:
    progress = {"tasks": 1, "part": 0.225, "least": {"name": "step", "at": 450, "of": 2000}}
    job = answers.job(state="running", tasks=9, totals={"done": 6, "failed": 1, "leased": 1, "ready": 1}, progress=progress)
    del job["endedAt"]
    return job


def check(page: Page, base: str) -> None:
    made_up = answers.Answers(page, base)
    made_up.tasks, made_up.job = tasks(), _job()
    page.clock.set_fixed_time(answers.NOW)
    main = page.locator("main")

    # Three variables and two metrics are seen whole on a laptop, before why tasks failed.
    page.set_viewport_size({"width": 1200, "height": 800})
    _show(page, base, JOB + "/tasks")
    _titled(page, "Task", "State", "Attempts", "Took", "batch", "lr", "seed", "acc", "loss", "Progress", "Why", "Worker", "CPUs", "Memory")
    assert page.evaluate(WIDE), "the table of tasks is wider than a window of 1,200 px"
    row = page.locator('.rows .body [data-row="6"] [role=cell]')
    expect(row.nth(3)).to_have_text("for 10m")
    expect(row.nth(9)).to_have_text("22 %")
    expect(row.nth(9).locator("span")).to_have_attribute("title", "step 450 of 2,000")
    expect(page.locator('.rows .body [data-row="7"]')).to_contain_text("RuntimeError: loss is nan at step 612 (user error, exit code 1)")
    # A column that is empty in all rows is none, of the rows that are there.
    _show(page, base, JOB + "/tasks?q=0.01")
    for empty in ("Why", "Attempts"):
        expect(page.locator(".rows [role=columnheader]", has_text=empty)).to_have_count(0)
    _show(page, base, JOB + "/tasks?q=batch%3D128%20lr%3D10%20seed")
    _titled(page, "Task", "State", "batch", "lr", "seed")

    said = page.evaluate(SAID)
    assert said == ["two", "one two", "one two"], said

    # Nothing is best while tasks run.
    _show(page, base, JOB + "/sweep?metric=acc")
    covered = page.evaluate(COVERED)
    assert not covered, covered
    expect(page.locator("tr.best .state")).to_have_text("leads so far")
    expect(page.locator("tr.best .unseen")).to_have_text("while tasks have not ended")
    expect(main).to_contain_text("So far leads the setting with the highest mean acc")
    expect(main).to_contain_text("2 tasks of them have not ended: the lead may change")
    expect(main).to_contain_text("standard errors of the difference")
    # What is at other steps is not compared, and what diverged counts for none while it runs, too.
    made_up.tasks = [{**it, "state": "running"} if it["index"] == 2 else it for it in tasks()]
    _show(page, base, JOB + "/sweep?metric=acc")
    expect(main).to_contain_text("those that run may be at other steps: that tells nothing yet.")
    expect(main).not_to_contain_text("standard errors of the difference")
    made_up.tasks = [{**it, "diverged": ["acc"]} if it["state"] == "running" else it for it in tasks()]
    _show(page, base, JOB + "/sweep?metric=acc")
    expect(page.get_by_role("region", name="Settings")).to_contain_text("diverged")
    expect(main).to_contain_text("2 tasks that diverged count for no metric")
    made_up.tasks = [it for it in tasks() if it["state"] in ("done", "failed")]
    _show(page, base, JOB + "/sweep?metric=acc")
    expect(page.locator("tr.best .state")).to_have_text("best")
    made_up.tasks = tasks()

    # How far it is, by what its tasks count.
    _show(page, base, "#/c/lab/jobs")
    expect(page.get_by_role("img", name=re.compile("step 450 of 2,000"))).to_be_visible()
    assert page.locator("svg.progress rect.steps").get_attribute("width") == "25", "a ninth of the bar, by 0.225"
    _show(page, base, JOB + "/t/6")
    expect(main.locator(".facts")).to_contain_text("for 20m in 2 attempts, the last 10m")
    expect(main.locator(".facts")).to_contain_text("step 450 of 2,000")

    # Of many tasks the curves of the best and of the worst are drawn, and said.
    made_up.tasks = [answers.task(i, str(i), 0, {"step": 9, "loss": (i * 7 % 20) / 20}) for i in range(20)]
    made_up.curves = [answers.curve(i, "s0e1", [{"step": 1, "loss": 2}, {"step": 9, "loss": (i * 7 % 20) / 20}]) for i in range(20)]
    _show(page, base, JOB + "/curves?metric=loss")
    expect(main).to_contain_text("12 of the 20 tasks that have values or failed, the 6 best and the 6 worst by loss at 12:00:00 (lowest is best, guessed by its name)")
    # The plot is drawn after its sentence: until then the last legend is that of what is done.
    expect(page.locator(".u-legend").last.locator(".u-series")).to_have_count(13)
    drawn = [int(re.findall(r"task (\d+)", it)[0]) for it in page.locator(".u-legend").last.locator(".u-series .u-label").all_inner_texts()[1:]]
    assert drawn == sorted(drawn, key=lambda i: i * 7 % 20) and [i * 7 % 20 for i in drawn] == [*range(6), *range(14, 20)], drawn
    # The axis of what is done ends where all of it is: the job counts two more that are not done.
    assert abs(float(page.locator(".plot").first.get_attribute("data-most") or 0) - 22.88) < 0.1, page.locator(".plot").first.get_attribute("data-most")
    made_up.tasks = tasks()

    # What is asked for less often says how old it is; the reasons are asked for with the job.
    made_up.more = {
        "use": {"asks": "4 cpu, 16 GiB", "used": "used: at most 412 MiB of 16 GiB asked for; 0.98 of 4 CPU on the mean, 24%", "advice": "with cpu: 1.25 in its resources, 2 tasks more would fit"},
        "estimate": {"text": "in about 20m"},
    }
    made_up.asked.clear()
    _show(page, base, JOB)
    expect(main).to_contain_text("each task asks for4 cpu, 16 GiBusedat most 412 MiB of 16 GiB asked for; 0.98 of 4 CPU on the mean, 24%to ask for lesswith cpu: 1.25")
    expect(main).not_to_contain_text("read 2")
    asked = [it.split("/")[-1] for it in made_up.asked if it.endswith((answers.UID, "explain")) and not it.startswith("use")]
    assert asked[:2] == [answers.UID, "explain"], asked
    page.clock.set_fixed_time(answers.NOW + datetime.timedelta(seconds=20))
    expect(main).to_contain_text("in about 20m (read 20s ago)")
    page.unroute_all(behavior="ignoreErrors")
