// Metrics over time: what agents stored of attempts, and what the read API said since, as far as it was seen here.
import { usePolled, get } from './api.js';

const jobs = new Map();
const POINTS = 600, TASKS = 500;

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Notes the newest values of tasks: what is stored of a running one is up to ten minutes old. */
export function record(uid, tasks, now = Date.now()) {
  const job = jobs.get(uid) ?? jobs.set(uid, new Map()).get(uid);
  for (const task of tasks.slice(0, TASKS)) {
    if (!task.metrics) continue;
    const points = job.get(task.index) ?? job.set(task.index, []).get(task.index);
    const last = points.at(-1);
    if (last && same(last.metrics, task.metrics)) continue;
    points.push({ at: now, metrics: task.metrics });
    if (points.length > POINTS) points.splice(1, 1);
  }
}

/** What is stored of these tasks: of one all attempts, of several the newest of each. */
export function useCurves(job, indexes) {
  const path = `/metrics/${[job.cluster, job.uid].map(encodeURIComponent).join('/')}/${indexes.join(',')}`;
  return usePolled((signal) => (indexes.length ? get(path, signal) : []), path, job.endedAt ? 0 : 60);
}

const stored = (curve) => curve.rows.map((it) => ({ at: Date.parse(it.at), metrics: it.values }));

/**
 * Of each attempt that is stored its points, and behind the newest what was seen of the task since. Of an attempt of which
 * nothing is stored the first point that was seen need not be its first: `tookOver` is when its checkpoint was written.
 */
export function linesOf(uid, task, curves) {
  const lines = curves.map((it) => ({ index: task.index, attempt: it.attempt, points: stored(it) }));
  const last = lines.at(-1)?.points.at(-1);
  const seen = (jobs.get(uid)?.get(task.index) ?? []).filter((it) => !last || (it.at > last.at && !same(it.metrics, last.metrics)));
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

/** When the newest point was, in milliseconds. */
export const newest = (lines) => Math.max(...lines.map((it) => it.points.at(-1)?.at ?? 0));

/**
 * The lines of one task's attempts as one: what an attempt did that the next one did again, from where it resumed, is left
 * out. `joints` has the first known point of each further attempt, and `resumed` the points where those took over.
 *
 * @param over the metric that counts steps; by time nothing is done again
 */
export function resumed(lines, over) {
  const points = [], marks = [], joints = [], begun = lines.filter((line) => line.points.length);
  for (const it of begun) {
    const first = it.points[0], from = first.metrics[over], seen = over && it.tookOver !== undefined;
    if (seen) while (points.at(-1)?.at > it.tookOver) points.pop();
    if (points.length && Number.isFinite(from)) while (points.at(-1)?.metrics[over] >= from) points.pop();
    if (points.length) joints.push(first);
    if (points.length && !(seen && Number.isNaN(it.tookOver))) marks.push(seen ? points.at(-1) : first);
    points.push(...it.points);
  }
  return points.length ? [{ ...begun.at(-1), points, resumed: marks, joints, attempts: begun.length }] : [];
}
