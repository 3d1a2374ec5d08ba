// Metrics as they were seen while the page was open: the read API has only the newest of each task.
const jobs = new Map();
const POINTS = 600, TASKS = 500;

export function record(uid, tasks, now = Date.now()) {
  const job = jobs.get(uid) ?? jobs.set(uid, new Map()).get(uid);
  for (const task of tasks.slice(0, TASKS)) {
    if (!task.metrics) continue;
    const points = job.get(task.index) ?? job.set(task.index, []).get(task.index);
    const last = points.at(-1);
    if (last && JSON.stringify(last.metrics) === JSON.stringify(task.metrics)) continue;
    points.push({ at: now, metrics: task.metrics });
    if (points.length > POINTS) points.splice(1, 1);
  }
}

/** [[index, points]], those of most points first. */
export const recorded = (uid) => [...(jobs.get(uid) ?? [])].sort((a, b) => b[1].length - a[1].length || a[0] - b[0]);
