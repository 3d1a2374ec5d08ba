// What tasks reported last, of those that the read API has no values of: from the curves that their agents stored.
import { useMemo, useRef } from './vendor/htm-preact.js';
import { get, usePolled } from './api.js';
import { stage as attempt } from './earlier.js';
import { LINES } from './plot.js';

/** Of so many tasks the last values are read, so many in one call. */
export const MOST_LAST = 60;

const lacks = (task, names) => task.state !== 'waiting' && (task.state === 'failed' || task.metrics !== undefined) && names.some((it) => !Number.isFinite(task.metrics?.[it]));

/** One attempt of one task. */
const stage = (task) => task.index + attempt(task);

async function curvesOf(job, indexes, signal) {
  const place = `/metrics/${[job.cluster, job.uid].map(encodeURIComponent).join('/')}/`, found = [];
  for (let i = 0; i < indexes.length; i += LINES) found.push(...(await get(place + indexes.slice(i, i + LINES).join(','), signal)));
  return found;
}

/** The newest number of each metric, and the metrics whose newest value is none: a row has the newest of each name. */
function lastOf({ rows }) {
  const last = Object.create(null), gone = new Set();
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
  const lacking = tasks.filter((it) => (it.state === 'failed' && !it.metrics) || lacks(it, names)), asked = lacking.slice(0, MOST_LAST), stages = asked.map(stage), live = asked.some((it) => it.state === 'running');
  // Of an attempt that has ended it is read once, and it stays known while others are read.
  const known = useRef(new Map());
  const read = async (signal) => {
    const wanted = asked.filter((it) => it.state === 'running' || !known.current.has(stage(it))), found = await curvesOf(job, wanted.map((it) => it.index).sort((a, b) => a - b), signal);
    // Of one task alone all attempts are answered, the newest last.
    for (const it of wanted) known.current.set(stage(it), lastOf(found.findLast((curve) => curve.index === it.index) ?? { rows: [] }));
    return new Map(known.current);
  };
  const state = usePolled(read, `last ${job.cluster} ${job.uid} ${stages.join()}`, live ? 60 : 0), all = state.data ?? known.current;
  const byIndex = useMemo(() => new Map(asked.filter((it) => all.has(stage(it))).map((it) => [it.index, all.get(stage(it))])), [all, stages.join()]);
  return { byIndex, left: lacking.length - asked.length, ready: state.data !== undefined || state.problem !== undefined, state };
}
