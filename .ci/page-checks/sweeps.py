"""A sweep whose winner, ties and losers are known: which setting is best, what tasks had last, and whose curves they are."""

import re

import answers
from playwright.sync_api import Locator, Page, expect

JOB = f"#/c/lab/j/{answers.UID}"
# What is pure is asked itself: gaps before what was resumed further on, where numbers end, and scales.
PURE = """async () => {
  const { endsOf, gapped, hiddenBy, loneOf, scaleOf } = await import('/lines.js'), { joined } = await import('/history.js');
  const { bestOf, directionOf, leadOf } = await import('/direction.js'), { memory } = await import('/format.js');
  const point = (step, loss) => ({ at: 1000 * step, metrics: { step, ...(loss && { loss }) } }), line = (joints, ...points) => ({ points, joints: joints.map((i) => points[i]) });
  const far = line([3], point(1, 9), point(2, 8), point(3, 7), point(8, 6), point(9, 5)), near = line([2], point(10, 9), point(20, 8), point(30, 7), point(40, 6));
  const setting = (mean, sd, n = 3) => ({ mean, sd, n }), lead = (first, ...others) => leadOf([first], [first, ...others], (it) => it), near2 = lead(setting(0.886, 0.0038), setting(0.5, 0.01), setting(0.8829, 0.0022));
  return { lead: [near2.next.mean, near2.errors > 1.2 && near2.errors < 1.3, near2.alike, lead(setting(3, 0.1), setting(2, 0.1)).alike, lead(setting(3, 0.1), setting(2, undefined, 1)).errors ?? 'unknown', leadOf([], [], (it) => it) ?? 'none'],
    far: joined([gapped(far, 'step')], 'loss', 'step'), near: joined([gapped(near, 'step')], 'loss', 'step')[0], time: joined([gapped(near)], 'loss')[0],
    ends: [endsOf(line([], point(1, 9), point(2, 8), point(3)), 'loss', 'step'), endsOf(line([], point(1, 9), point(2, 8)), 'loss', 'step'), endsOf(line([2], point(1, 9), point(2), point(3)), 'loss', 'step')],
    scales: ['', 'log', 'linear', 'lgo'].map((it) => scaleOf(it, [[1], [2]])).map(({ log, said }) => [log, said?.split(':')[0]]), none: scaleOf('log', [[1], [0]]).log, hidden: hiddenBy([[1, 2, 3], [0, 5, null], [-1, undefined, 1]]),
    low: ['loss', 'val_mae', 'fid', 'acc', 'samples_per_second', 'map', 'grad_norm', 'accuracy_loss'].map((it) => directionOf(it).low), best: [bestOf([3, 1, 1 + 1e-15], (it) => it, true).length, bestOf([3], (it) => it, true).length],
    lone: [[1, 2, null, 3], [1, 2, null, null, null], [1, undefined, 2], [null, 1, undefined, null, 2, 3], [4]].map(loneOf), memory: [0, 1000, 300 * 2 ** 20, 2 ** 30, 1.5 * 2 ** 30].map(memory) };
}"""
KNOWN = {
    "lead": [0.8829, True, 1, 0, "unknown", "none"],
    "far": [[1, 2, 3, 5.5, 8, 9], [9, 8, 7, None, 6, 5]],
    "near": [10, 20, 30, 40],
    "time": [10, 20, 25, 30, 40],
    "ends": [{"x": 2, "y": 8}, None, None],
    "scales": [[False, None], [True, None], [False, None], [False, "scale=lgo in the address is none"]],
    "none": False,
    "hidden": 2,
    "low": [True, True, True, False, False, False, False, False],
    "best": [2, 0],
    "lone": [[3], [], [], [1], [0]],
    "memory": ["0 GiB", "<1 MiB", "300 MiB", "1 GiB", "1.5 GiB"],
}


def _show(page: Page, base: str, view: str) -> None:
    page.goto("about:blank")
    page.goto(base + JOB + view)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0)


def _choice(page: Page, name: str) -> Locator:
    return page.locator(".bar label", has_text=re.compile(f"^{name} ")).locator("select")


def _settings(page: Page) -> Locator:
    return page.get_by_role("region", name="Settings").locator("tbody tr")


def _best(page: Page, *settings: str) -> None:
    rows = page.locator("tr.best")
    expect(rows).to_have_count(len(settings))
    for n, it in enumerate(settings):
        expect(rows.nth(n).locator("td").first).to_contain_text(it)
    word = "best, tied" if len(settings) > 1 else "best"
    expect(rows.locator(".state")).to_have_text([word] * len(settings))
    expect(page.get_by_role("region", name="Settings").get_by_text("best", exact=True)).to_have_count(len(settings) if len(settings) == 1 else 0)


def check(page: Page, base: str) -> None:
    found = page.evaluate(PURE)
    assert found == KNOWN, found
    made_up = answers.Answers(page, base)
    main = page.locator("main")
    title = page.get_by_role("region", name="Settings").locator("th button")

    # What is best follows the metric, and neither what the table is sorted by nor an address that says so.
    _show(page, base, "/sweep?metric=acc")
    _best(page, "0.1")
    expect(main).to_contain_text("acc: highest is best, guessed by its name")
    expect(main).to_contain_text("The next is lr=0.001, 0.05 behind; how sure that is, only several seeds of each tell.")
    for name in ("acc", "grad_norm", "step", "tasks"):
        title.filter(has_text=re.compile(f"^{name}")).click()
        _best(page, "0.1")
        title.filter(has_text=re.compile(f"^{name}")).click()
        _best(page, "0.1")
    _show(page, base, "/sweep?metric=acc&sort=acc&desc=false")
    _best(page, "0.1")
    # The task that diverged says acc 0.0: it counts for none, and that is said.
    third = _settings(page).filter(has_text=re.compile(r"^0\.001"))
    expect(third.locator("td").nth(2)).to_have_text("0.85 n=1 1 diverged")
    expect(main).to_contain_text("1 task that diverged counts for no metric: not as 0")

    # Settings that tie are all best.
    _show(page, base, "/sweep?metric=loss")
    _best(page, "0.1", "0.01")
    expect(main).to_contain_text("loss: lowest is best, guessed by its name")
    expect(main).to_contain_text("2 settings are best: they tie with the lowest mean loss.")
    expect(third.locator("td").nth(2)).to_have_text("0.9 n=1 1 diverged")

    # Nothing is best by a metric of which nothing tells which way it is better, until somebody says it; the address keeps that, until another metric is chosen.
    _choice(page, "Metric").select_option("grad_norm")
    _best(page)
    expect(main).to_contain_text("grad_norm: its name does not tell which end of it is best")
    expect(main).to_contain_text("No setting is marked: the name of grad_norm does not tell whether its lowest or its highest is best")
    page.get_by_role("button", name="The highest is best").click()
    _best(page, "0.1")
    page.get_by_role("button", name="No: the lowest is best").click()
    _best(page, "0.001")
    expect(main).to_contain_text("grad_norm: lowest is best, as chosen")
    assert "best=low" in page.url and "metric=grad_norm" in page.url, page.url
    _show(page, base, "/sweep?" + page.url.split("?")[-1])
    _best(page, "0.001")
    _choice(page, "Metric").select_option("acc")
    _best(page, "0.1")
    assert "best=" not in page.url, page.url
    _show(page, base, "/sweep?metric=step&best=up")
    assert _choice(page, "Metric").locator("option").all_inner_texts() == ["acc", "grad_norm", "loss"], "a count is a metric to be best by"
    expect(main).to_contain_text("metric=step in the address counts how far a task is, and none is best by it; this is acc.")
    expect(main).to_contain_text("best=up in the address is none: low or high.")
    _best(page, "0.1")

    _winner(page, base, made_up)

    # Those that failed: what they had last, which is the best of none.
    _show(page, base, "/sweep?metric=loss")
    failed = _settings(page).filter(has_text=re.compile(r"^11last"))
    expect(failed.locator("td").nth(2)).to_have_text("last 0.125")
    made_up.tasks.append(answers.task(10, "1", 1, None, "failed"))
    made_up.curves.append(answers.curve(10, "s0e1", [{"step": 1, "loss": 0.375}]))
    _show(page, base, "/sweep?metric=loss")
    expect(_settings(page).filter(has_text="mean of 2").locator("td").nth(2)).to_have_text("last 0.25 (mean of 2)")
    made_up.tasks, made_up.curves = answers.tasks(), answers.curves()
    _show(page, base, "/sweep?metric=loss")
    expect(main).to_contain_text("The plots have 7 of 10 tasks. Left out: 1 diverged (NaN or an infinity after numbers): lr=0.001. 2 failed, whose last values are in the list of tasks: lr=0.001, lr=1.")

    # Each task of a setting is named with its seed; the setting leads to all of them.
    expect(_settings(page).first.locator("td").nth(3)).to_have_text(re.compile(r"^0 \(0\), 1 \(1\), 2 \(2\)$"))
    _settings(page).first.locator("td").first.get_by_role("link").click()
    expect(page.locator(".rows .body .line")).to_have_count(3)
    expect(page.locator(".bar")).to_contain_text("with lr=0.1")
    assert "variable" in page.url, page.url
    page.get_by_role("button", name="all tasks").click()
    expect(page.locator(".rows .body .line")).to_have_count(10)
    cells = page.locator('.rows .body [data-row="8"] [role=cell]')
    expect(cells.filter(has_text="0.7 last")).to_have_count(1)
    expect(page.locator('.rows .body [data-row="7"] [role=cell]').filter(has_text="NaN, was 0.2")).to_have_count(1)
    # Whatever they had last, they come after those that have a value, in the order of what they had.
    for order, behind in (("false", ["9", "7", "8"]), ("true", ["8", "7", "9"])):
        _show(page, base, f"/tasks?sort=metric:loss&desc={order}")
        expect(page.locator(".rows .body [role=cell]").filter(has_text="0.7 last")).to_have_count(1)
        rows = page.locator(".rows .body .line").all_inner_texts()
        assert [it.split()[0] for it in rows[-3:]] == behind, rows
    _show(page, base, "/t/8")
    expect(page.get_by_role("region", name="Metrics")).to_contain_text(re.compile(r"Last before it failed.*loss.*0\.7", re.DOTALL))

    # A point of a plot names its task, and a click keeps that for its link.
    _show(page, base, "/sweep?metric=loss")
    hit = page.locator(".hit[role=status]")
    expect(hit).to_contain_text("Point at a dot or a line")
    for point in ("circle", "path.line"):
        four = page.locator(point).filter(has_text="task 4:")
        four.dispatch_event("mouseenter")
        four.dispatch_event("click")
        page.locator(point).filter(has_text="task 6:").dispatch_event("mouseenter")
        page.locator("figure").first.locator("figcaption").hover()
        expect(hit).to_contain_text(re.compile(r"^Task 4: lr=0\.01 note=.* seed=1, loss 0\.5 \(done\)"))
        expect(hit.get_by_role("link")).to_have_attribute("href", f"{JOB}/t/4")
        hit.get_by_role("button", name="Let go").click()
        expect(hit).to_contain_text("Task 6:")

    _curves(page, base, made_up)


def _winner(page: Page, base: str, made_up: answers.Answers) -> None:
    """What is seen first is what somebody can win by, and the overview says who did."""
    facts = page.locator("main dl").first
    # The first metric by letters is none of those whose names tell which way they are better.
    made_up.tasks = [answers.task(i, lr, seed, {"step": 8, "aux_kl": kl, "reward": reward + seed / 100}) for i, (lr, seed, kl, reward) in enumerate(
        (lr, seed, kl, reward) for lr, kl, reward in (("0.1", 9.0, 1.0), ("0.01", 1.0, 5.0), ("0.001", 2.0, 2.0)) for seed in (0, 1))]
    for it in made_up.tasks:
        it["variables"]["opt"] = "adam"
    made_up.tasks[0]["variables"]["opt"] = made_up.tasks[1]["variables"]["opt"] = "sgd"
    made_up.curves = [answers.curve(it["index"], "s0e1", [{**it["metrics"], "step": step} for step in (1, 8)]) for it in made_up.tasks]
    _show(page, base, "/sweep")
    expect(_choice(page, "Metric")).to_have_value("reward")
    _best(page, "0.01")
    _show(page, base, "/curves")
    expect(_choice(page, "Metric")).to_have_value("reward")
    # Its mark stands once in its row, however many variables there are.
    _show(page, base, "/sweep?metric=aux_kl&best=high")
    _best(page, "0.1")
    _show(page, base, "/sweep?metric=aux_kl")
    _best(page)
    _show(page, base, "")
    expect(facts).to_contain_text("bestlr=0.01 opt=adam: reward 5.005 ± 0.0071 over 2 tasks (highest is best, guessed by its name; all 3 settings). The next is lr=0.001 opt=adam, 3 behind: more than the noise of their seeds (420 standard errors of the difference).")
    expect(facts.get_by_role("link", name="all 3 settings")).to_have_attribute("href", f"{JOB}/sweep")
    # While some run it leads; where nothing tells what is best, that is said; and where nothing is compared, nothing is.
    made_up.tasks[5]["state"] = "running"
    _show(page, base, "")
    expect(facts).to_contain_text("leads so farlr=0.01 opt=adam: reward 5.005")
    for it in made_up.tasks:
        del it["metrics"]["reward"]
    _show(page, base, "")
    expect(facts).to_contain_text("bestnot known: the name of aux_kl does not tell whether its lowest or its highest is best")
    made_up.tasks, made_up.curves = answers.tasks(), answers.curves()
    _show(page, base, "")
    expect(facts).to_contain_text("bestlr=0.1: acc 0.9 ± 0 over 3 tasks")
    kept = made_up.job
    for tasks, kind in ((1, "items"), (10, "count")):
        made_up.job = answers.job(tasks=tasks, spec={"tasks": {"kind": kind}, "run": {"command": ["true"]}})
        _show(page, base, "")
        expect(page.get_by_role("navigation", name="Parts of the job").get_by_role("link")).to_have_text(["overview", "tasks", "curves", "timeline", "logs"])
        expect(facts).not_to_contain_text("best")
    made_up.job = kept


def _curves(page: Page, base: str, made_up: answers.Answers) -> None:
    main = page.locator("main")
    _show(page, base, "/curves?metric=loss")
    legend = page.locator(".u-legend").last.locator(".u-series .u-label")
    expect(legend.nth(2)).to_have_text("task 1: lr=0.1, seed 1")
    # A colour for each setting, and a dash for each seed of it.
    borders = page.evaluate("[...document.querySelectorAll('.plot')].at(-1).querySelectorAll('.u-legend .u-series .u-marker').values().map((it) => it.style.borderColor || getComputedStyle(it).borderColor).toArray()")[1:]
    assert borders[0] == borders[1] == borders[2] != borders[3] and borders[3] == borders[5] and len(set(borders)) == 4, borders
    expect(main.get_by_role("list", name="Curves that end by NaN")).to_have_text(
        "× task 7 (lr=0.001, seed 1): loss became NaN or an infinity after step 5, where it was 0.2."
    )
    _choice(page, "Scale").select_option("logarithmic")
    assert "scale=log" in page.url, page.url
    _show(page, base, "/curves?metric=loss&scale=log")
    expect(_choice(page, "Scale")).to_have_value("log")
    expect(main.get_by_role("note")).to_have_count(0)
    _show(page, base, "/curves?metric=loss&scale=lgo&tasks=3,99")
    expect(_choice(page, "Scale")).to_have_value("")
    expect(main).to_contain_text("scale=lgo in the address is none: linear or log. This is linear.")
    expect(main).to_contain_text("The job has no task 99: it has 10, from 0.")

    # Of many tasks those that diverged or failed are neither best nor worst, which is said beside the choice.
    kept, made_up.tasks = made_up.tasks, [answers.task(i, str(i), 0, {"step": 8, "acc": 0.5 + i / 100}) for i in range(14)]
    made_up.tasks += [answers.task(14 + i, "9", i, {"step": 8, "acc": 0.0}, diverged=["loss"]) for i in range(7)]
    made_up.tasks += [answers.task(21 + i, "10", i, None, "failed") for i in range(4)]
    _show(page, base, "/curves?metric=acc")
    out = "7 diverged and 4 failed tasks have no newest value that counts and are left out"
    expect(main.locator(".bar").last).to_contain_text(out)
    assert not any(it["index"] > 13 for it in made_up.tasks if f"task {it['index']}:" in main.inner_text()), main.inner_text()
    _show(page, base, "/curves?metric=acc&by=number")
    expect(main).not_to_contain_text("left out")
    # Few are all drawn, so that nothing is chosen.
    expect(_choice(page, "Tasks")).to_have_count(1)
    made_up.tasks = kept
    _show(page, base, "/curves?metric=acc")
    expect(main).to_contain_text("All 10 tasks that have values or failed; a colour for each setting")
    expect(_choice(page, "Tasks")).to_have_count(0)
    expect(page.get_by_label("Numbers of tasks")).to_be_visible()

    # What an attempt without a checkpoint did is done again from the start, and its end is not known.
    made_up.tasks[0] |= {"attempts": {"total": 2, "failures": 0, "infrastructure": 1, "interruptions": 0}, "startedAt": answers.at(-300)}
    made_up.tasks[0]["failures"] = [{"index": 0, "attempt": "s0e1", "cause": "lost", "exitCode": -1, "evidence": "", "worker": "m1", "at": answers.at(-484), "startedAt": answers.at(-600)}]
    made_up.curves = [answers.curve(0, "s0e1", [{"step": i, "loss": 9 - i} for i in (1, 2, 3)]), answers.curve(0, "s0e2", [{"step": i, "loss": 9 - i} for i in (1, 2)], -300)]
    _show(page, base, "/t/0?metric=loss")
    expect(main).to_contain_text("Pale: what an attempt did without a checkpoint, which the next one did again from the start.")
    expect(main).to_contain_text("Missing in the curve, as values are stored every few minutes and a machine that is lost takes the newest along: the last 96s of attempt s0e1, after step 3.")
    # An attempt of which nothing is stored is missing, and said to be, also where it was the first.
    expect(main).not_to_contain_text("no value is stored")
    made_up.tasks[0]["attempts"]["total"] = 3
    _show(page, base, "/t/0?metric=loss")
    expect(main).to_contain_text("Of 1 other attempt no value is stored: what it did is missing in the curve, also at its beginning. Its 2 newest attempts from the first value on")
    _show(page, base, "/curves?metric=loss&tasks=0")
    expect(main).to_contain_text("; of task 0 an attempt is missing, of which no value is stored")
    # A legend has no values before somebody points at its plot, nor a colon before them.
    legend = page.locator(".u-legend").last.locator("th").last
    assert legend.evaluate("(it) => getComputedStyle(it, '::after').content") == "none", "a legend ends with a colon"
    assert legend.evaluate("(it) => [getComputedStyle(it).borderBottomWidth, getComputedStyle(it).fontWeight]") == ["0px", "400"], "a legend is underlined or bold"
    assert "--" not in page.locator(".u-legend").last.inner_text(), page.locator(".u-legend").last.inner_text()
    made_up.tasks = answers.tasks()

    # What was resumed further on than what is stored of the attempt before it.
    made_up.curves = [answers.curve(0, "s0e1", [{"step": i, "loss": 9 - i} for i in (1, 2, 3)]), answers.curve(0, "s0e2", [{"step": i, "loss": 9 - i} for i in (7, 8)], -300)]
    _show(page, base, "/t/0?metric=loss")
    expect(main).to_contain_text("Missing in the curve, as values are stored every few minutes and a machine that is lost takes the newest along: from step 3 to 7.")
    page.unroute_all(behavior="ignoreErrors")
