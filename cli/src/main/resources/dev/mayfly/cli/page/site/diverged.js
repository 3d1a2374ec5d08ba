// Tasks that ended well and whose metrics did not: they are done, and worth nothing.
import { html } from './vendor/htm-preact.js';
import { present } from './exported.js';
import { count, took, usd } from './format.js';
import { to } from './route.js';

/** The metrics of a task that became NaN or an infinity, as its agent told. */
export const divergedOf = (task) => task.diverged ?? [];

/** The part of the time of some tasks that is of those among them that diverged. */
export function partOfTime(tasks, now) {
  const time = (them) => them.reduce((sum, it) => sum + Math.max(0, took(it, now) ?? 0), 0), all = time(tasks);
  return all > 0 ? time(tasks.filter((it) => divergedOf(it).length)) / all : 0;
}

/**
 * How many tasks of a job diverged, and what those cost, beside how many are done.
 *
 * @param read its tasks, as far as they are read
 */
export function Diverged({ job, cost, read }) {
  const off = read.tasks.filter((it) => divergedOf(it).length), some = read.tasks.length < job.tasks;
  if (!off.length) return null;
  const done = off.filter((it) => it.state === 'done').length, usdOf = cost?.total.tasks, part = partOfTime(read.tasks, present());
  return html`<dt>diverged</dt><dd class="bad"><a href=${to(['c', job.cluster, 'j', job.uid, 'tasks'], { q: 'diverged' })}>${count(off.length, 'task')}</a>${some ? ` of the first ${count(read.tasks.length)}` : ''}, ${
    done === off.length ? 'counted as done' : done ? `${count(done)} of them counted as done` : 'none of them done yet'}: ${[...new Set(off.flatMap(divergedOf))].join(', ')} became NaN or an infinity${
    usdOf?.usd > 0 && part > 0 && !some ? `; about ${usd(usdOf.usd * part)} of the cost, by their part of the tasks’ time` : ''}</dd>`;
}
