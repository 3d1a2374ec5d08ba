// What tasks reported last, of those that the read API has no values of: from the curves that their agents stored.
import { useMemo, useRef } from './vendor/htm-preact.js';
import { get, usePolled } from './api.js';
import { LINES } from './plot.js';

/** Of so many tasks the last values are read, so many in one call. */
export const MOST_LAST = 60;

const lacks = (task, names) => task.state !== 'waiting' && (task.state === 'failed' || task.metrics !== undefined) && names.some((it) => !Number.isFinite(task.metrics?.[it]));

async function curvesOf(job, indexes, signal) {
  const place = `/metrics/${[job.cluster, job.uid].map(encodeURIComponent).join('/')}/`, found = [];
  for (let i = 0; i < indexes.length; i += LINES) found.push(...(await get(place + indexes.slice(i, i + LINES).join(','), signal)));
  return found;
}

/** The newest number of each metric, and the metrics whose newest value is none: a row has the newest of each name. */
function lastOf({ rows }) {
  const last = {}, gone = new Set();
  for (const { values } of rows) {
    for (const name in last) if (!Number.isFinite(values[name])) gone.add(name);
    for (const name in values) if (Number.isFinite(values[name])) (last[name] = values[name]), gone.delete(name);
  }
  return { last, diverged: [...gone] };
}

/**
 * Of tasks that lack a number of a metric what they reported last, by index: `last` by metric, and in `diverged` the
 * metrics that became NaN or an infinity after numbers. `left` is how many tasks more there are than are read; until it is `ready`
 * nothing of it is known.
 *
 * @param names the metrics of the job's tasks; of a failed task all are asked for, whatever others have
 */
export function useLast(job, tasks, names) {
  const lacking = tasks.filter((it) => it.state === 'failed' && !it.metrics || lacks(it, names)), asked = lacking.slice(0, MOST_LAST).map((it) => it.index).sort((a, b) => a - b);
  const state = usePolled((signal) => (asked.length ? curvesOf(job, asked, signal) : []), `last ${job.cluster} ${job.uid} ${asked.join()}`, job.endedAt || !asked.length ? 0 : 60);
  // What is known stays while others are asked for too.
  const known = useRef(new Map());
  const byIndex = useMemo(() => (known.current = new Map([...known.current, ...(state.data ?? []).map((it) => [it.index, lastOf(it)])].filter(([index]) => asked.includes(index)))), [state.data, asked.join()]);
  return { byIndex, left: lacking.length - asked.length, ready: state.data !== undefined || state.problem !== undefined, state };
}
