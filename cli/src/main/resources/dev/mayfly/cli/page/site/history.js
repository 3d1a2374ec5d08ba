// Metrics over time: what agents stored of attempts, and what the read API said since, as far as it was seen here.
import { usePolled, get } from './api.js';

const jobs = new Map();
const POINTS = 600, TASKS = 500;

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * When a task's newest values were read on its machine: of one that has ended, at its end at the latest. Of a control plane
 * that does not tell it, it is only known when they were seen here.
 */
const readAt = (task, now) => {
  const told = Date.parse(task.metricsAt ?? (task.state === 'running' ? undefined : task.endedAt));
  return Number.isNaN(told) ? { at: now, seen: true } : { at: told };
};

/** Notes the newest values of tasks: what is stored of a running one is up to ten minutes old. */
export function record(uid, tasks, now = Date.now()) {
  const job = jobs.get(uid) ?? jobs.set(uid, new Map()).get(uid);
  for (const task of tasks.slice(0, TASKS)) {
    if (!task.metrics) continue;
    const points = job.get(task.index) ?? job.set(task.index, []).get(task.index);
    const last = points.at(-1);
    if (last && same(last.metrics, task.metrics)) continue;
    const point = { ...readAt(task, now), metrics: task.metrics };
    if (!(point.at <= last?.at)) points.push(point);
    if (points.length > POINTS) points.splice(1, 1);
  }
}

/** What is stored of all attempts of these tasks: of several in one call only the newest of each is answered. */
export function useCurves(job, tasks) {
  const place = `/metrics/${[job.cluster, job.uid].map(encodeURIComponent).join('/')}/`, again = tasks.filter((it) => it.attempts?.total > 1);
  const once = tasks.filter((it) => !again.includes(it)), paths = [...again.map((it) => [it]), ...(once.length ? [once] : [])].map((them) => place + them.map((it) => it.index).join(','));
  return usePolled(async (signal) => (await Promise.all(paths.map((it) => get(it, signal)))).flat(), 'curves ' + paths.join(' '), job.endedAt ? 0 : 60);
}

const stored = (curve) => curve.rows.map((it) => ({ at: Date.parse(it.at), metrics: it.values }));

/**
 * Of each attempt that is stored its points, and behind the newest what was seen of the task since. Of an attempt of which
 * nothing is stored the first point that was seen need not be its first: `tookOver` is when its checkpoint was written.
 */
export function linesOf(uid, task, curves) {
  const failures = task.failures ?? (task.failure ? [task.failure] : []);
  const lines = curves.map((it) => ({ index: task.index, attempt: it.attempt, points: stored(it), lostAt: Date.parse(failures.find((other) => other.attempt === it.attempt)?.at) })), noted = jobs.get(uid)?.get(task.index) ?? [];
  // What is stored of a lost attempt ends minutes before its loss: what was seen of it until the next one began is its end.
  for (const [i, line] of lines.slice(0, -1).entries()) {
    const from = line.points.at(-1), next = lines[i + 1].points[0];
    if (from && next) line.points.push(...noted.filter((it) => it.at > from.at && it.at < next.at && !same(it.metrics, from.metrics)));
  }
  const last = lines.at(-1)?.points.at(-1);
  const seen = noted.filter((it) => !last || (it.at > last.at && !same(it.metrics, last.metrics)));
  if (!seen.length) return lines;
  // What began after the last point is another attempt, of which nothing is stored yet.
  if (last && !(Date.parse(task.startedAt) > last.at)) lines.at(-1).points.push(...seen);
  else lines.push({ index: task.index, attempt: 'now', points: seen, tookOver: Date.parse(task.failure?.keptUntil) });
  return lines;
}

/** Lines on one axis, over a metric that counts steps if there is one. A null is a gap: the value was none there. */
export function joined(lines, metric, over) {
  const xs = new Map();
  lines.forEach(({ points }, i) => points.forEach((it) => {
    const x = over ? it.metrics[over] : it.at / 1000, y = it.metrics[metric];
    if (!Number.isFinite(x)) return;
    const at = xs.get(x) ?? xs.set(x, Array(lines.length).fill(undefined)).get(x);
    at[i] = Number.isFinite(y) ? y : at[i] ?? null;
  }));
  const sorted = [...xs.keys()].sort((a, b) => a - b);
  return [sorted, ...lines.map((_, i) => sorted.map((x) => xs.get(x)[i]))];
}

/** The metrics that points have, in order. */
export const metricsIn = (lines) => [...new Set(lines.flatMap((it) => it.points.flatMap((point) => Object.keys(point.metrics))))].sort();

/** The newest points of lines, the newest first. */
export const newest = (lines) => lines.filter((it) => it.points.length).map((it) => ({ line: it, ...it.points.at(-1) })).sort((a, b) => b.at - a.at);

/** The last values of an attempt may be so much older than its loss without a word. */
const UNKNOWN = 30_000;

/**
 * The lines of one task's attempts as one: what an attempt did that the next one did again, from where it resumed, is in
 * `again`, a part for each such attempt. `joints` has the first known point of each further attempt, and `resumed` the points
 * where those took over. `restarts` is how many parts were done again from their first point on, and `tails` has the last known
 * point of an attempt that ran on until its loss, after which nothing of it is known.
 *
 * @param over the metric that counts steps; by time nothing is done again
 */
export function resumed(lines, over) {
  const points = [], marks = [], joints = [], again = [], tails = [], begun = lines.filter((line) => line.points.length);
  let restarts = 0;
  for (const [i, it] of begun.entries()) {
    const first = it.points[0], from = first.metrics[over], seen = over && it.tookOver !== undefined, undone = [];
    if (seen) while (points.at(-1)?.at > it.tookOver) undone.unshift(points.pop());
    if (points.length && Number.isFinite(from)) while (points.at(-1)?.metrics[over] >= from) undone.unshift(points.pop());
    // It begins where the line goes on, so that it is seen where they part.
    if (undone.length) again.push([...points.slice(-1), ...undone]), (restarts += points.length ? 0 : 1);
    const before = begun[i - 1], last = before?.points.at(-1);
    if (undone.length && before.lostAt - last.at > UNKNOWN) tails.push({ attempt: before.attempt, at: last.at, step: last.metrics[over], until: before.lostAt });
    if (points.length) joints.push(first);
    if (points.length && !(seen && Number.isNaN(it.tookOver))) marks.push(seen ? points.at(-1) : first);
    points.push(...it.points);
  }
  return points.length ? [{ ...begun.at(-1), points, again, restarts, tails, resumed: marks, joints, attempts: begun.length }] : [];
}
