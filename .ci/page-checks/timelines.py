"""The timeline of one job: what ran where, by the keyboard and by a link; and of 100,000 tasks that ended a week ago."""

import datetime
import json
import re

from answers import read
from playwright.sync_api import Page, Route, expect

JOB = "#/c/lab/j/sweep/timeline"
BARS = "Number(document.querySelector('.timeline canvas').dataset.bars)"
SPAN = "(({ from, to }) => [Number(from), Number(to)])(document.querySelector('.timeline canvas').dataset)"
TASKS, MACHINES, PAGE = 100_000, 40, 500
# What is pure is asked itself: three attempts that overlap, one that was lost, and what was before, between and after them.
PURE = """async () => {
  const { attemptsOf, barsOf, deadOf, firstAfter, gapsOf, lanesOf, nextOf, placesOf, ranInAll, ranOn, restOf, shareOf, spansOf } = await import('/spans.js'), { spanAt } = await import('/timelinedraw.js');
  const at = (s) => new Date(s * 1000).toISOString();
  const lost = { attempt: 's0e1', cause: 'preempted', worker: 'a', startedAt: at(10), at: at(20) }, unknown = { attempt: 's0e2', cause: 'user', worker: 'b', at: at(25) };
  const task = { index: 7, state: 'done', workers: ['b'], startedAt: at(30), endedAt: at(40), attempts: { total: 4 }, failures: [lost, unknown] };
  const { attempts, unread } = attemptsOf(task);
  const spans = [[0, 10], [5, 15], [10, 20], [30, 31]].map(([from, to]) => ({ from, to, kind: 'done' })), lanes = lanesOf(spans);
  const failed = attemptsOf({ index: 8, state: 'failed', workers: ['a'], startedAt: at(1), endedAt: at(2), attempts: { total: 1 }, failure: { cause: 'user', worker: 'a', at: at(2) } });
  const kept = attemptsOf({ ...task, failures: [{ ...lost, keptUntil: at(17) }, unknown] }).attempts[0];
  const machine = { state: 'gone', firstSyncAt: at(0), since: at(100) }, there = ranOn(machine, [{ known: true, kind: 'done', from: 10_000, to: 20_000 }, { known: true, kind: 'lost', from: 70_000, to: 120_000 }, { known: false, to: 30_000 }]);
  const rest = restOf(machine, there, [{ from: 40_000, to: 50_000 }], [{ at: 90_000, what: 'preempted', why: 'the cloud takes it' }], 0);
  // What was given back, in two ways, is drawn otherwise than what was taken or is unfit; of one that was both from then on.
  const ends = [['draining', 'given-back'], ['lost', 'given-back'], ['draining', 'preempted'], ['lost', 'lost'], ['lost'], ['unfit']].map(([state, ending]) => spansOf({ state, ending, createdAt: at(0), firstSyncAt: at(1), since: at(2) }, 3_000).at(-1).kind);
  const went = restOf(machine, there, [], [{ at: 90_000, what: 'preempted' }, { at: 80_000, what: 'draining' }], 0).filter((it) => !['idle', 'free'].includes(it.kind));
  const row = { lanes: lanesOf([{ kind: 'done', from: 0, to: 100 }, { kind: 'done', from: 0, to: 50 }]), spans: [{ kind: 'unknown', from: 0, to: 100 }, { kind: 'free', from: 0, to: 100 }] };
  // A failed attempt's next one is known by its name if it failed too, and else if it has begun.
  const nexts = [nextOf(task, task.failures, 0), nextOf(task, task.failures, 1), nextOf({ ...task, state: 'waiting' }, task.failures, 1) ?? 'none', nextOf({ ...task, startedAt: at(24) }, task.failures, 1) ?? 'none'];
  const resumes = attemptsOf({ ...task, state: 'running', endedAt: undefined, failures: [{ ...lost, kept: true }] }).attempts[0].kept;
  const { progressOf, usd } = await import('/format.js'), { resumed } = await import('/history.js');
  const line = (attempt, ...steps) => ({ index: 0, attempt, points: steps.map((step) => ({ at: step, metrics: { step } })) });
  const [whole] = resumed([line('s0e1', 1, 2, 3, 4), line('s0e2'), line('s0e3', 3, 4, 5)], 'step');
  // A machine that does not report, or was lost with a task, is not up; a bar is as high as its task's share of the machine.
  const alive = { state: 'ready', createdAt: at(0), firstSyncAt: at(1), total: { cpu: 4, memory: '16Gi' } }, silent = spansOf({ ...alive, due: at(5) }, 90_000).map((it) => [it.kind, it.from, it.to, it.open]);
  const idle = restOf({ ...alive, due: at(5) }, [], [], [], 90_000).map((it) => [it.kind, it.from, it.to]), heard = spansOf({ ...alive, due: at(5) }, 90_000, '', 34_000).at(-1).kind, two = [{ kind: 'lost', cause: 'preempted', from: 1_000, to: 4_000 }, { kind: 'done', from: 6_000, to: 7_000 }];
  const dead = [deadOf(two, alive, 9_000), deadOf(two.slice(0, 1), alive, 9_000), deadOf(two.slice(0, 1), { state: 'gone', since: at(5) }, 9_000)].map(([it]) => [it.from, it.to, it.open, it.text]);
  const part = shareOf({ cpu: 1, memory: '2Gi' }, alive.total), shared = { lanes: lanesOf([{ kind: 'done', from: 0, to: 9, share: part }, { kind: 'done', from: 1, to: 9, share: part }]), spans: [{ kind: 'free', from: 0, to: 9 }] };
  const shares = [part, shareOf({ memory: '12Gi' }, alive.total), shareOf({}, alive.total) ?? 'unknown', placesOf(shared.lanes), placesOf(lanesOf([{ from: 0, to: 9, share: 0.5 }, { from: 1, to: 9 }])), [4, 9, 17].map((y) => spanAt(shared, y, 5, 9).kind)];
  const span = { index: 7, state: 'done', workers: ['b', 'c'], startedAt: at(30), endedAt: at(40), attempts: { total: 3 }, failures: [lost, { ...unknown, startedAt: at(22) }] };
  const inAll = [ranInAll(span, 99_000), ranInAll({ ...task, attempts: { total: 4 } }, 99_000), ranInAll({ ...task, failures: [], attempts: { total: 1 } }, 99_000) ?? 'one'];
  // One whose first points were not seen took over where its checkpoint was written.
  const begun = line('s0e1', 1, 2, 3, 4), took = [resumed([begun, { ...line('now', 9), tookOver: 2 }], 'step'), resumed([begun, { ...line('now', 9), tookOver: NaN }], 'step')].map(([it]) => [it.points.map(({ at }) => at), it.resumed.map(({ at }) => at), it.joints.map(({ at }) => at)]);
  // A bar is as high as its task's share at all times, and none leaves its row: in two parts where no room is large enough.
  const asks = (from, to, share, text) => ({ kind: 'done', from, to, share, text }), laid = (...them) => lanesOf(them).map(({ place, share, all }) => [place, share, all.map((it) => [it.from, it.to])]);
  const laidOut = [laid(asks(0, 20, 0.5), asks(0, 5, 0.25), asks(0, 10, 0.25), asks(5, 20, 0.25)), laid(asks(0, 5, 0.25), asks(1, 9, 0.25), asks(2, 5, 0.25), asks(3, 9, 0.25), asks(5, 9, 0.5)),
    laid(asks(0, 9, 0.25, 'a'), asks(0, 5, 0.5, 'b'), asks(5, 9, 0.5, 'b'), asks(9, 20, 1)), laid(asks(0, 9, 0.75), asks(1, 9, 0.75))];
  return { laidOut, silent: [...silent, heard], idle, dead, shares, inAll, took, steps: progressOf({ progress: { name: 'step', at: 90, of: 200 } }), none: progressOf({}) === undefined, usd: [0, 0.00001, 0.0005, 0.01234, 0.05, 1234.5].map(usd),
    whole: [whole.points.map((it) => it.at), whole.resumed.length, whole.resumed[0].at, whole.attempts], there: there.map((it) => [it.from, it.to]), rest: rest.map((it) => [it.kind, it.from, it.to]), ends, nexts, resumes, went: went.map((it) => [it.kind, it.from, it.to]), at: [[1, 25], [21, 75], [5, 75], [16, 75]].map(([y, time]) => spanAt(row, y, time, 100).kind), kept: [...barsOf(kept).map((it) => [it.kind, it.from, it.to]), barsOf(attempts[0]).length, kept.kept.replace(/until \\S+,/, 'until then,'), attempts[0].kept],
    attempts: attempts.map((it) => [it.worker, it.kind, it.from, it.to, it.known]), unread, lanes: lanes.map((it) => it.all.length), gaps: gapsOf(spans, -5, 40).map((it) => [it.from, it.to]),
    after: [9, 10, 25, 31].map((it) => firstAfter(lanes[0].all, it)), failed: [failed.attempts.length, failed.attempts[0].from, failed.unread],
    stopped: attemptsOf({ index: 9, state: 'stopped', workers: ['a'], startedAt: at(1), endedAt: at(2), attempts: { total: 1 }, failures: [{ cause: 'stopped', worker: 'a', at: at(2) }] }).attempts.map((it) => [it.from, it.to, it.kind]),
    adopted: attemptsOf({ index: 9, state: 'done', doneBefore: true, startedAt: at(1), endedAt: at(2), workers: [] }).attempts.length };
}"""
KNOWN = {
    "laidOut": [
        [[0, 0.5, [[0, 20]]], [0.5, 0.25, [[0, 5], [5, 20]]], [0.75, 0.25, [[0, 10]]]],
        [[0, 0.25, [[0, 5], [5, 9]]], [0.25, 0.25, [[1, 9]]], [0.5, 0.25, [[2, 5], [5, 9]]], [0.75, 0.25, [[3, 9]]]],
        [[0, 0.5, [[0, 5], [5, 9]]], [0.5, 0.25, [[0, 9]]], [0, 1, [[9, 20]]]],
        [[0, 0.75, [[0, 9]]], [0.25, 0.75, [[1, 9]]]],
    ],
    "silent": [["boot", 0, 1_000, False], ["unknown", 1_000, 5_000, False], ["silent", 5_000, 90_000, True], "unknown"],
    "idle": [["idle", 1_000, 5_000]],
    "dead": [[4_000, 6_000, False, "preempted"], [4_000, 9_000, True, "preempted"], [4_000, 5_000, False, "preempted"]],
    "shares": [0.25, 0.75, "unknown", [{"from": 0, "high": 0.25}, {"from": 0.25, "high": 0.25}], [{"from": 0, "high": 0.5}, {"from": 0.5, "high": 0.5}], ["done", "done", "free"]],
    "inAll": [{"all": 23_000, "last": 10_000, "whole": True}, {"all": 20_000, "last": 10_000, "whole": False}, "one"],
    "took": [[[1, 2, 9], [2], [9]], [[1, 2, 3, 4, 9], [], [9]]],
    "steps": {"part": 0.45, "short": "45 %", "text": "step 90 of 200"},
    "none": True,
    "usd": ["$0.00", "<$0.0001", "$0.0005", "$0.0123", "$0.05", "$1,234.50"],
    "whole": [[1, 2, 3, 4, 5], 1, 3, 2],
    "there": [[10_000, 20_000], [70_000, 100_000]],
    "rest": [["free", 10_000, 20_000], ["free", 70_000, 90_000], ["idle", 0, 10_000], ["idle", 20_000, 40_000], ["idle", 50_000, 70_000], ["taken", 90_000, 100_000]],
    "ends": ["ending", "ending", "taken", "taken", "taken", "taken"],
    "nexts": ["s0e2", True, "none", "none"],
    "resumes": "its checkpoint keeps what it did; the next attempt resumed from there",
    "went": [["ending", 80_000, 90_000], ["taken", 90_000, 100_000]],
    "at": ["done", "done", "free", "done"],
    "kept": [
        ["kept", 10_000, 17_000],
        ["lost", 17_000, 20_000],
        1,
        "its checkpoint keeps what it did until then, 7s of 10s; the last 3s are lost; attempt s0e2 resumed from there",
        "no checkpoint: all its 10s are lost",
    ],
    "attempts": [["a", "lost", 10_000, 20_000, True], ["b", "failed", 25_000, 25_000, False], ["b", "done", 30_000, 40_000, True]],
    "unread": 1,
    "lanes": [3, 1],
    "gaps": [[-5, 0], [20, 30], [31, 40]],
    "after": [0, 1, 2, 3],
    "failed": [1, 1_000, 0],
    "stopped": [[1_000, 2_000, "killed"]],
    "adopted": 0,
}


# Two machines of an order of three, one that came in one's own name, one that may still live, one whose order nobody reads any more, and one that the cloud refused.
GONE = """async () => {
  const { machinesOf } = await import('/gone.js');
  const event = (s, about, what, why) => ({ id: about + s, at: new Date(s * 1000).toISOString(), about, what, why });
  const found = machinesOf([event(90, 'worker/a', 'deleted', 'the machine is gone; idle'), event(1, 'pool/cpu', 'launched', 'a, b and 1 more in us-central1-a: 3 tasks wait'), event(9, 'worker/a', 'ready', ''),
    event(50, 'worker/b', 'ready', ''), event(20, 'worker/c', 'ready', ''), event(60, 'worker/c', 'preempted', 'the cloud takes it'), event(61, 'worker/c', 'deleted', 'gone'), event(30, 'worker/d', 'refused', 'EXHAUSTED: no more'), event(70, 'job/x', 'failed', '')]);
  const s = (at) => at && Date.parse(at) / 1000;
  return [...found.values()].map((it) => [it.name, s(it.createdAt), s(it.firstSyncAt), s(it.since), it.reason, it.ending]);
}"""
GONE_KNOWN = [
    ["a", 1, 9, 90, "the machine is gone; idle", None],
    ["c", 20, 20, 61, "preempted: the cloud takes it", "preempted"],
    ["d", 30, None, 30, "EXHAUSTED: no more", "refused"],
]


def _show(page: Page, address: str) -> None:
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator(".timeline canvas")).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0, timeout=60_000)


def _pointed(page: Page, y: int) -> str:
    """What is said of the middle of a row, wherever in it something ran."""
    canvas = page.locator(".timeline canvas")
    box = canvas.bounding_box()
    for part in range(10, 100, 2):
        canvas.hover(position={"x": 150 + (box["width"] - 150) * part / 100, "y": y})
        if re.search("task \\d+", told := page.locator(".hit").inner_text()):
            return told
    return told


def real(page: Page, base: str) -> None:
    assert (found := page.evaluate(PURE)) == KNOWN, found
    assert (found := page.evaluate(GONE)) == GONE_KNOWN, found
    _past(page, base)
    _refused(page, base)
    _show(page, base + JOB)
    main = page.locator("main")
    # 18 tasks, one of which failed; two machines were lost while they worked, each range that one held with a task at least.
    expect(main).to_contain_text(re.compile(r"(19|[23]\d) attempts of 18 tasks on [2-6] machines\."))
    page.wait_for_function(f"{BARS} >= 18")
    assert re.search(r"task \d+, (done|user|preempted|lost)[,:] .* to ", told := _pointed(page, 22 + 11)), told
    page.get_by_text("In words: ").click()
    rows = page.get_by_role("region", name="Machines that ran it").locator("tbody tr")
    counts = [[int(it) for it in row.locator("td").all_inner_texts()[3:]] for row in rows.all()]
    assert sum(it[1] for it in counts) == 17 and sum(it[2] for it in counts) == 1 and sum(it[3] for it in counts) > 0, counts
    expect(page.locator(".plot canvas")).to_be_visible()
    chart = page.get_by_role("application", name="Timeline of job sweep")
    chart.focus()
    for key in "+++":
        page.keyboard.press(key)
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(re.compile("from=.*&to="))
    page.wait_for_timeout(400)
    link, seen = page.url, page.evaluate(SPAN)
    _show(page, base + JOB)
    assert page.evaluate(SPAN)[1] > seen[1], "the whole is no more than a part of it"
    _show(page, link)
    assert page.evaluate(SPAN) == seen, "a link shows another span than was seen"
    page.get_by_role("application", name="Timeline of job sweep").focus()
    page.keyboard.press("0")
    page.wait_for_url(re.compile("timeline$"))


def _hovered(page: Page, x: int) -> str:
    page.locator(".timeline canvas").hover(position={"x": x, "y": 22 + 11})
    return page.locator(".hit").inner_text()


def _past(page: Page, base: str) -> None:
    """Machines of a week ago, by events that are made up: read for the span that is seen, and what is too much is said."""
    page = page.context.new_page()
    now = datetime.datetime.now(datetime.timezone.utc)

    def at(hours: float) -> str:
        return (now - datetime.timedelta(days=7) + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    def event(hours: float, about: str, what: str, why: str) -> dict[str, str]:
        return {"id": f"{about}{hours}", "cluster": "c", "at": at(hours), "about": about, "what": what, "why": why}

    told = [event(2, "worker/lab-cpu-old1", "deleted", "the machine is gone; idle"), event(1, "worker/lab-cpu-old1", "preempted", "<img src=x onerror=alert(5)>"),
        event(0.1, "worker/lab-cpu-old1", "ready", ""), event(0, "pool/cpu", "launched", "lab-cpu-old1 in us-central1-a: 1 task waits")]
    busy = [[event(1.9 - n / 10 - i / 10_000, f"job/{n}-{i}", "accepted", "") for i in range(500)] for n in range(9)]
    answers: list[object] = [told, *busy]

    def events(route: Route) -> None:
        if "until=" in route.request.url:
            route.fulfill(content_type="application/json", body=json.dumps(answers.pop(0)))
        else:
            route.fallback()

    main = page.locator("main")
    page.route(lambda url: "/clusters/lab/events?" in url, events)
    page.goto(f"{base}#/c/lab/timeline")
    expect(main).to_contain_text("Machines that were gone a day ago are not here: zoom out or go back")
    assert len(answers) == 10, "what is long ago is read before anybody asks"
    page.goto(f"{base}#/c/lab/timeline?from={at(0)}&to={at(3)}")
    expect(main).to_contain_text("1 machine here was gone a day ago, and known by 4 events from ")
    page.locator(".timeline canvas").hover(position={"x": 480, "y": 11})
    expect(page.locator(".hit")).to_have_text(re.compile(r"^lab-cpu-old1: (preempted at .*, <img src=x onerror=alert\(5\)>|preempted: <img src=x onerror=alert\(5\)>, .*|up; what ran is not known, .*)"))
    page.goto(f"{base}#/c/lab/timeline?from={at(-24)}&to={at(3)}")
    expect(main).to_contain_text(re.compile(r"No machine that was gone a day ago is in the 4,000 events that are kept of .* and after\. There were more events before .*, which are not read; zoom in to there"))
    assert len(answers) == 1, answers
    # A job of then: its machine's boot and end are those of the events.
    answers[:] = [told]
    job = read(page, f"{base}api/v1/clusters/lab/jobs/sweep") | {"tasks": 1, "submittedAt": at(0), "endedAt": at(1), "mayRunSince": at(0)}
    lost = {"index": 0, "attempt": "s0e1", "cause": "preempted", "exitCode": -1, "evidence": "", "worker": "lab-cpu-old1", "startedAt": at(0.2), "at": at(1)}
    task = {"job": "j", "index": 0, "state": "failed", "workers": ["lab-cpu-old1"], "variables": {}, "doneBefore": False, "failure": lost, "attempts": {"total": 1}}
    page.route(lambda url: url.endswith("/jobs/sweep"), lambda it: it.fulfill(content_type="application/json", body=json.dumps(job)))
    page.route(lambda url: "/tasks?" in url, lambda it: it.fulfill(content_type="application/json", body=json.dumps({"tasks": [task]})))
    page.goto(f"{base}#/c/lab/j/sweep/timeline")
    expect(main).to_contain_text("1 attempt of 1 task on 1 machine.")
    expect(main).not_to_contain_text("only what ran there is known")
    told_there = [_hovered(page, x) for x in (180, 560)]
    assert re.match("lab-cpu-old1: booted, ", told_there[0]) and re.match("lab-cpu-old1: task 0, preempted: no checkpoint: all its 48m are lost, ", told_there[1]), told_there
    page.close()


def _refused(page: Page, base: str) -> None:
    """An order that the cloud refused, made up: in a list with the reason, and no machine that lived 0 s."""
    page, why = page.context.new_page(), "ZONE_RESOURCE_POOL_EXHAUSTED: <b>no</b> room"
    workers = read(page, f"{base}api/v1/clusters/lab/workers?all=true")
    made = {"name": "lab-cpu-never", "state": "gone", "ending": "refused", "reason": why, "since": workers[0]["createdAt"]}
    refused = {key: it for key, it in workers[0].items() if key not in ("firstSyncAt", "idleSince", "due")} | made
    page.route(lambda url: url.endswith("/workers?all=true"), lambda it: it.fulfill(content_type="application/json", body=json.dumps([*workers, refused])))
    page.goto(f"{base}#/c/lab/timeline")
    expect(page.locator("main")).to_contain_text(f"{len(workers)} machines, ")
    page.get_by_text("1 order of machines refused").click()
    expect(page.get_by_role("region", name="Refused orders")).to_contain_text(why)
    page.goto(f"{base}#/c/lab")
    page.get_by_text("1 order refused, newest first").click()
    row = page.get_by_role("region", name="Gone workers").locator("tr", has_text="lab-cpu-never")
    expect(row).to_contain_text(f"its order was refused: {why}")
    expect(row.locator("td").nth(2)).to_have_text("–")
    page.close()


def _many(began: datetime.datetime) -> list[dict[str, object]]:
    """Each machine ran four at a time, of a minute each; one in fifty failed and one in two hundred was lost before."""

    def at(seconds: float) -> str:
        return (began + datetime.timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")

    def one(index: int) -> dict[str, object]:
        worker, start = f"lab-cpu-{index % MACHINES:04}", 90 + 62 * (index // (4 * MACHINES))
        task = {"job": "j", "index": index, "workers": [worker], "variables": {}, "doneBefore": False, "startedAt": at(start), "endedAt": at(start + 60)}
        failure = {"index": index, "attempt": "s0e1", "cause": "user", "exitCode": 1, "evidence": "", "worker": worker, "at": at(start + 60), "startedAt": at(start)}
        if index % 50 == 0:
            return task | {"state": "failed", "failure": failure, "attempts": {"total": 1, "failures": 1, "infrastructure": 0}}
        return task | {"state": "done", "attempts": {"total": 2 if index % 200 == 7 else 1, "failures": 0, "infrastructure": int(index % 200 == 7)}}

    return [one(it) for it in range(TASKS)]


def measure(page: Page, base: str) -> None:
    """Of answers that are made up: a job of 100,000 tasks that ended a week ago, whose machines nobody knows any more."""
    page = page.context.new_page()
    jobs, began = f"{base}api/v1/clusters/lab/jobs", datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=8)
    job, tasks = read(page, f"{jobs}/sweep"), _many(began)
    job |= {"tasks": TASKS, "totals": job["totals"] | {"done": TASKS * 49 // 50, "failed": TASKS // 50}, "submittedAt": began.isoformat(), "endedAt": tasks[-1]["endedAt"]}
    job.pop("mayRunSince", None)
    pages = {}
    for first in range(0, TASKS, PAGE):
        pages[first] = json.dumps({"tasks": tasks[first : first + PAGE]} | ({"next": first + PAGE} if first + PAGE < TASKS else {}))

    def page_of(route: Route) -> None:
        route.fulfill(content_type="application/json", body=pages[int(re.search(r"from=(\d+)", route.request.url)[1])])

    page.route(lambda url: url.startswith(f"{jobs}/"), lambda it: it.fulfill(content_type="application/json", body=json.dumps(job)))
    page.route(lambda url: "/tasks?" in url, page_of)
    page.route(lambda url: "/tasks/" in url, lambda it: it.fulfill(content_type="application/json", body=json.dumps(tasks[int(it.request.url.rsplit("/", 1)[1])])))
    page.goto(base + JOB)
    expect(page.locator("main")).to_contain_text(f"of {TASKS:,} tasks on {MACHINES} machines.", timeout=120_000)
    page.wait_for_function(f"{BARS} > {MACHINES}")
    whole = page.evaluate(BARS)
    assert 0 < whole < 25_000, f"{whole} rectangles for {TASKS} tasks"
    page.locator(".timeline").focus()
    frames = page.evaluate("""async () => {
      const chart = document.querySelector('.timeline'), canvas = chart.firstElementChild, spans = [], bars = [];
      let last = await new Promise(requestAnimationFrame);
      for (let i = 0; i < 300; i++) {
        const key = i % 100 < 25 ? '+' : i % 100 < 75 ? (i % 2 ? 'ArrowLeft' : 'ArrowRight') : '-';
        chart.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        const now = await new Promise(requestAnimationFrame);
        spans.push(now - last), (last = now), bars.push(Number(canvas.dataset.bars));
      }
      spans.sort((a, b) => a - b);
      return { mean: 1000 * spans.length / spans.reduce((a, b) => a + b), late: spans.filter((it) => it > 25).length, worst: spans.at(-1), bars: Math.max(...bars) };
    }""")
    assert frames["bars"] < 25_000, frames
    print(f"page: the timeline of {TASKS:,} tasks: {whole:,} rectangles, {frames['mean']:.0f} frames a second while it is zoomed and moved, {frames['late']} of 300 later than 25 ms, the worst {frames['worst']:.0f} ms")
    page.close()
