// When machines were made, booted, worked and went, and what ran on them as far as it is known.
import { html, useMemo } from './vendor/htm-preact.js';
import { useApi, useNow, clusterPath, get, jobPath, usePolled } from './api.js';
import { count, duration } from './format.js';
import { to } from './route.js';
import { lanesOf, marksOf, ranOn, spansOf, tasksOf } from './spans.js';
import { Chart, useSpan } from './chart.js';

const JOBS = 12, MOST_TASKS = 2_000;

/** Tasks of the newest jobs that say where and when they ran. */
async function ran(cluster, jobs, signal) {
  const found = [];
  for (const job of jobs.slice(0, JOBS)) {
    let from = 0;
    while (from !== undefined && from < MOST_TASKS) {
      const page = await get(`${jobPath(cluster, job.uid)}/tasks?limit=500&from=${from}`, signal);
      page.tasks.forEach((it) => it.startedAt && found.push({ ...it, jobName: job.name }));
      from = page.next;
    }
  }
  return found;
}

const KEYS = [['boot', 'boots'], ['task', 'runs a task'], ['idle', 'idle'], ['unknown', 'up, what ran is not known'], ['ending', 'drains or is lost']];

export function Timeline({ cluster, workers, events, query }) {
  const now = useNow(), jobs = useApi(`${clusterPath(cluster)}/jobs?limit=50`, 10).data ?? [];
  const key = jobs.map((it) => it.uid).join();
  const tasks = usePolled((signal) => ran(cluster, jobs, signal), 'ran ' + key, 20).data ?? [];
  const machines = useMemo(() => [...workers].sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || (a.name < b.name ? -1 : 1)), [workers]);
  const first = machines.length ? Math.min(...machines.map((it) => Date.parse(it.createdAt))) : now - 600_000;
  const [view, move] = useSpan(query, { from: first - (now - first) * 0.02, to: now + (now - first) * 0.02 + 1000 });
  const rows = useMemo(() => {
    const of = tasksOf(tasks), marks = marksOf(events);
    return machines.map((w) => ({ name: w.name, state: w.state, faint: w.state === 'gone', spans: spansOf(w, Date.now()), lanes: w.firstSyncAt ? lanesOf(ranOn(w, of.get(w.name) ?? [])) : [], marks: marks.get(w.name) ?? [] }));
  }, [machines, tasks, events]);
  const idle = rows.reduce((sum, it) => sum + it.spans.filter((s) => s.kind === 'idle').reduce((n, s) => n + s.to - s.from, 0), 0);
  if (!rows.length) return html`<p class="empty">No machine was there yet.</p>`;
  return html`<${Chart} label="Timeline of machines" rows=${rows} keys=${KEYS} view=${view} move=${move} now=${now}>
      <button type="button" onClick=${() => move({ from: now - 3_600_000, to: now + 60_000 })}>Last hour</button><//>
    <p class="faint">${count(rows.length, 'machine')}, ${count(tasks.length, 'task')} of the newest ${Math.min(JOBS, jobs.length)} jobs, ${duration(idle / 1000)} idle now. Not known here: machines that are gone for
      more than a day, what ran before an attempt was repeated, and earlier idle times; Mayfly keeps none of these.
      All facts in words: <a href=${to(['c', cluster])}>workers</a>, <a href=${to(['c', cluster, 'events'])}>events</a>.</p>`;
}
