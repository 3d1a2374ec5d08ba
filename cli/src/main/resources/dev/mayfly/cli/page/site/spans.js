// What is known of a machine's time, as spans: pure, so that a test can ask it.
const ENDED = ['gone'], ENDING = ['draining', 'drained', 'lost', 'unfit'];

/** Tasks by the worker on which they ran. */
export function tasksOf(tasks) {
  const found = new Map();
  for (const task of tasks) for (const worker of task.workers ?? []) (found.get(worker) ?? found.set(worker, []).get(worker)).push(task);
  return found;
}

/** Events that are marks on a machine's row. */
export function marksOf(events) {
  const found = new Map();
  for (const it of events) {
    if (!it.about.startsWith('worker/')) continue;
    const name = it.about.slice('worker/'.length);
    (found.get(name) ?? found.set(name, []).get(name)).push({ at: Date.parse(it.at), what: it.what, why: it.why });
  }
  return found;
}

/**
 * Boot, what ran, what is not known, idle, and the end. Spans that come later are drawn over those before; `open` ones go
 * on now.
 */
export function spansOf(worker, tasks, now) {
  const made = Date.parse(worker.createdAt), since = Date.parse(worker.since), gone = ENDED.includes(worker.state);
  const first = worker.firstSyncAt ? Date.parse(worker.firstSyncAt) : undefined, end = gone ? since : now, open = !gone;
  const spans = [{ kind: 'boot', from: made, to: first ?? end, open: open && first === undefined, text: first ? 'booted' : gone ? 'never reported' : 'boots' }];
  if (first === undefined) return spans;
  spans.push({ kind: 'unknown', from: first, to: end, open, text: 'up; what ran is not known' });
  for (const task of tasks) {
    const from = Math.max(first, Date.parse(task.startedAt)), ended = task.endedAt ? Date.parse(task.endedAt) : end;
    if (ended >= from) spans.push({ kind: 'task', from, to: Math.min(ended, end), open: open && !task.endedAt, text: `${task.jobName} task ${task.index}, ${task.state}` });
  }
  if (worker.idleSince && open) spans.push({ kind: 'idle', from: Date.parse(worker.idleSince), to: end, open, text: 'idle' });
  if (ENDING.includes(worker.state)) spans.push({ kind: 'ending', from: since, to: end, open, text: `${worker.state}${worker.reason ? `: ${worker.reason}` : ''}` });
  return spans;
}

/** A step of round length for so many marks on an axis of time. */
export function step(span, marks) {
  const seconds = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 604800];
  return 1000 * (seconds.find((it) => span / 1000 / it <= marks) ?? 2592000);
}
