// When machines were made, booted, worked and went, and what ran on them as far as it is known.
import { html, useMemo } from './vendor/htm-preact.js';
import { useApi, useNow, clusterPath, get, jobPath, usePolled } from './api.js';
import { count, duration, moment } from './format.js';
import { to } from './route.js';
import { lanesOf, marksOf, ranOn, spansOf, tasksOf } from './spans.js';
import { Chart, useSpan } from './chart.js';
import { eventsOf, machinesOf, LISTED } from './gone.js';
import { Trouble } from './parts.js';

const JOBS = 12, MOST_TASKS = 2_000, HOUR = 3_600_000, DAY = 24 * HOUR, KEPT = 30 * DAY;

/** Tasks of jobs that say where and when they ran. */
async function ran(cluster, jobs, signal) {
  const found = [];
  for (const job of jobs) {
    let from = 0;
    while (from !== undefined && from < MOST_TASKS) {
      const page = await get(`${jobPath(cluster, job.uid)}/tasks?limit=500&from=${from}`, signal);
      page.tasks.forEach((it) => it.startedAt && found.push({ ...it, jobName: job.name }));
      from = page.next;
    }
  }
  return found;
}

/**
 * What was before the machines that are listed, if such a span is seen: whole days, read once each time others are seen.
 */
function usePast(cluster, view, now) {
  const day = (at, round) => round(at / DAY) * DAY, past = view.from < now - LISTED;
  const span = past ? { from: Math.max(day(view.from, Math.floor), day(now - KEPT, Math.floor)), to: Math.min(now, day(view.to, Math.ceil)) } : undefined;
  const key = span ? `past ${cluster} ${span.from} ${day(view.to, Math.ceil)}` : 'no past';
  const state = usePolled(async (signal) => (span ? { ...(await eventsOf(cluster, span, signal)), span } : undefined), key, 0);
  return { past, state };
}

const KEYS = [['boot', 'boots'], ['task', 'runs a task'], ['idle', 'idle'], ['unknown', 'up, what ran is not known'], ['ending', 'drains or is lost']];

/** What is known of the past that is seen, and what is not. */
function Past({ past, state, machines }) {
  if (!past) return html` Machines that are gone for more than a day are read when a span before that is seen, from the events of 30 days.`;
  const { data } = state;
  if (!data) return state.problem ? null : html` <span class="loading" role="status">Machines of before are read …</span>`;
  return html` Of machines that are gone for more than a day, ${count(machines.size)} here, events tell: ${count(data.events.length)} from ${moment(data.span.from, 0)} on${data.cut
    ? html`: <b>there were more before ${moment(data.cut, 0)}, which are not read</b>; zoom in to there` : ''}. Where an order named more than eight machines, the boot of the others is not known, and a machine without an event in this span or the day after it is not here.`;
}

export function Timeline({ cluster, workers, events, query }) {
  const now = useNow(), first = workers.length ? Math.min(...workers.map((it) => Date.parse(it.createdAt))) : now - 600_000;
  const [view, move] = useSpan(query, { from: first - (now - first) * 0.02, to: now + (now - first) * 0.02 + 1000 });
  const { past, state } = usePast(cluster, view, now), old = useMemo(() => machinesOf(state.data?.events ?? []), [state.data]);
  const listed = useApi(`${clusterPath(cluster)}/jobs?limit=${past ? 500 : 50}`, past ? 60 : 10).data ?? [];
  const jobs = (past ? listed.filter((it) => Date.parse(it.submittedAt) < view.to && (!it.endedAt || Date.parse(it.endedAt) > view.from)) : listed).slice(0, JOBS);
  const tasks = usePolled((signal) => ran(cluster, jobs, signal), 'ran ' + jobs.map((it) => it.uid).join(), 20).data ?? [];
  const machines = useMemo(() => {
    const known = new Set(workers.map((it) => it.name)), all = [...workers, ...[...old.values()].filter((it) => !known.has(it.name))];
    return all.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || (a.name < b.name ? -1 : 1));
  }, [workers, old]);
  const rows = useMemo(() => {
    const of = tasksOf(tasks), marks = marksOf([...new Map([...(state.data?.events ?? []), ...events].map((it) => [it.id, it])).values()]);
    return machines.map((w) => ({ name: w.name, state: w.state, faint: w.state === 'gone', spans: spansOf(w, Date.now()), lanes: w.firstSyncAt ? lanesOf(ranOn(w, of.get(w.name) ?? [])) : [], marks: marks.get(w.name) ?? [] }));
  }, [machines, tasks, events, state.data]);
  // Of the past those that were there then: hundreds of rows without a bar hide the others.
  const seen = useMemo(() => (past ? rows.filter((it) => it.spans.some((s) => s.from < view.to && (s.open || s.to > view.from))) : rows), [rows, past, past && view.from, past && view.to]);
  const idle = rows.reduce((sum, it) => sum + it.spans.filter((s) => s.kind === 'idle').reduce((n, s) => n + s.to - s.from, 0), 0);
  const back = (span) => move({ from: now - span, to: now + span / 60 });
  return html`<${Trouble} state=${state} what="Machines of before" />
    <${Chart} label="Timeline of machines" rows=${seen} keys=${KEYS} view=${view} move=${move} now=${now}>
      <button type="button" onClick=${() => back(HOUR)}>Last hour</button><button type="button" onClick=${() => back(7 * DAY)}>Last week</button><//>
    ${!seen.length && html`<p class="empty">No machine was there ${past ? 'in this span, as far as it is known' : 'yet'}.</p>`}
    <p class="faint">${count(seen.length, 'machine')}, ${count(tasks.length, 'task')} of ${past ? `${jobs.length} jobs of this span` : `the newest ${jobs.length} jobs`}, ${JOBS} at most, ${duration(idle / 1000)} idle now.
      Not known here: what ran before an attempt was repeated (${'a job\'s timeline has it'}), and earlier idle times.<${Past} past=${past} state=${state} machines=${old} />
      ${' '}All facts in words: <a href=${to(['c', cluster])}>workers</a>, <a href=${to(['c', cluster, 'events'])}>events</a>.</p>`;
}
