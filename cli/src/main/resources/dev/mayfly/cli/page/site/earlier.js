// Attempts of tasks that have more than their list says: one call each.
import { get, jobPath } from './api.js';
import { attemptsOf } from './spans.js';

/** Of so many tasks all earlier attempts are read, so many at once. */
export const MOST_EARLIER = 200, AT_ONCE = 4;

/** Changes when a task may have other attempts than were read. */
export const stage = (task) => `:${task.state}:${task.attempts?.total}`;

const key = (task) => `${task.job}/${task.index}`;

/** The tasks whose attempts are to be read, and of these the ones that are not in what is known. */
export function lackingOf(tasks, known, most = MOST_EARLIER) {
  const wanted = tasks.filter((it) => attemptsOf(it).unread > 0).slice(0, most);
  return { wanted, lacking: wanted.filter((it) => known.get(key(it))?.stage !== stage(it)) };
}

/** Reads them into what is known; what can't be read now is left out. */
export async function readEarlier(cluster, tasks, known, signal) {
  const queue = [...tasks];
  const run = async () => {
    for (let it = queue.shift(); it; it = queue.shift()) {
      const { failures } = await get(`${jobPath(cluster, it.job)}/tasks/${it.index}`, signal);
      known.set(key(it), { stage: stage(it), failures });
    }
  };
  await Promise.allSettled(Array.from({ length: AT_ONCE }, run));
}

/** The task with all of its attempts, as far as they were read. */
export function withEarlier(task, known) {
  const found = known.get(key(task));
  return found?.stage === stage(task) ? { ...task, failures: found.failures } : task;
}
