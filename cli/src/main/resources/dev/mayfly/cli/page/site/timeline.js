// When machines were made, booted, worked and went, and what ran on them as far as it is known.
import { html, useMemo, useState } from './vendor/htm-preact.js';
import { useApi, useNow, clusterPath, get, jobPath, usePolled } from './api.js';
import { count, duration, inZone, moment } from './format.js';
import { to } from './route.js';
import { attemptsOf, isRefused, lanesOf, marksOf, ranOn, restOf, shareOf, spansOf, textOf } from './spans.js';
import { lackingOf, readEarlier, withEarlier, MOST_EARLIER } from './earlier.js';
import { present } from './exported.js';
import { Chart, useSpan } from './chart.js';
import { eventsOf, machinesOf, LISTED } from './gone.js';
import { Table, TextRow, Trouble, useNarrow } from './parts.js';

const JOBS = 12, MOST_TASKS = 2_000, MOST_REFUSED = 100, HOUR = 3_600_000, DAY = 24 * HOUR, KEPT = 30 * DAY;

/**
 * What ran of jobs, by machine; `whole` has the jobs of which that is all.
 *
 * @param known earlier attempts that were read, to which others are added
 */
async function ran(cluster, jobs, known, signal) {
  const byMachine = new Map(), whole = new Set();
  let tasks = 0, left = MOST_EARLIER;
  for (const job of jobs) {
    let from = 0, own = [];
    while (from !== undefined && from < MOST_TASKS) {
      const page = await get(`${jobPath(cluster, job.uid)}/tasks?limit=500&from=${from}`, signal);
      own = own.concat(page.tasks);
      from = page.next;
    }
    const { lacking } = lackingOf(own, known, left);
    left -= lacking.length;
    await readEarlier(cluster, lacking, known, signal);
    const each = own.map((it) => attemptsOf(withEarlier(it, known)));
    for (const it of each.flatMap(({ attempts }) => attempts)) (byMachine.get(it.worker) ?? byMachine.set(it.worker, []).get(it.worker)).push({ ...it, asked: job.spec?.resources, text: `${job.name} ${textOf(it)}` });
    if (from === undefined && each.every(({ unread, attempts }) => unread === 0 && attempts.every((it) => it.known))) whole.add(job.uid);
    tasks += own.filter((it) => it.startedAt || it.failure).length;
  }
  return { byMachine, whole, tasks };
}

const ALWAYS = [{ from: -Infinity, to: Infinity }];

/** When jobs may have run something that is not known: those that were not read whole, and those before the listed ones. */
function unsureOf(listed, most, whole) {
  const began = (it) => Date.parse(it.mayRunSince ?? it.submittedAt), all = listed.filter((it) => !whole.has(it.uid)).map((it) => ({ from: began(it), to: it.endedAt ? Date.parse(it.endedAt) : Infinity }));
  return listed.length < most ? all : [{ from: -Infinity, to: Math.min(...listed.map((it) => Date.parse(it.submittedAt))) }, ...all];
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

const KEYS = [['boot', 'boots'], ['running', 'runs'], ['done', 'done'], ['kept', 'kept by its checkpoint'], ['failed', 'failed'], ['lost', 'lost with its machine'], ['killed', 'ended by Mayfly'],
  ['idle', 'idle'], ['free', 'unused beside tasks'], ['unknown', 'up, what ran is not known'], ['ending', 'given back'], ['silent', 'does not report'], ['taken', 'preempted, lost or unfit']];

/** What is known of the past that is seen, and what is not. */
function Past({ past, state, machines }) {
  if (!past) return html` Machines that were gone a day ago are not here: zoom out or go back to a time before, and they are read from the events of 30 days.`;
  const { data } = state;
  if (!data) return state.problem ? null : html` <span class="loading" role="status">Machines of before are read …</span>`;
  const cut = data.cut && html` <b>There were more events before ${moment(data.cut, 0)}, which are not read</b>; zoom in to there.`;
  if (!machines) return html` No machine that was gone a day ago is in the ${count(data.events.length, 'event')} that are kept of ${moment(data.span.from, 0)} and after.${cut}`;
  return html` ${count(machines, 'machine')} here ${machines === 1 ? 'was' : 'were'} gone a day ago, and known by ${count(data.events.length, 'event')} from ${moment(data.span.from, 0)} on.${cut} Where an order named more than eight machines, the boot of the others is not known, and a machine without an event in this span or the day after it is not here.`;
}

/** Orders that the cloud refused: there never was a machine. Newest first. */
function Refused({ all, now }) {
  const narrow = useNarrow(560);
  return all.length > 0 && html`<details><summary>${count(all.length, 'order')} of machines refused</summary>
    <${Table} label="Refused orders" rows=${all.length} empty="" head=${[['When', 'num'], ['Worker'], ['Machine'], ...(narrow ? [] : [['Why the cloud refused', 'wide']])]}>
      ${all.slice(0, MOST_REFUSED).map((it) => html`<tr key=${it.name} class=${narrow ? 'above' : ''}><td class="num">${moment(it.since, now)}</td><td>${it.name}</td><td>${it.machineType ?? ''} ${it.zone ?? ''}</td>${!narrow && html`<td class="wide">${inZone(it.reason)}</td>`}</tr>
        ${narrow && html`<${TextRow} columns=${3}>${inZone(it.reason)}<//>`}`)}<//>
    ${all.length > MOST_REFUSED && html`<p class="faint">The newest ${MOST_REFUSED}.</p>`}</details>`;
}

export function Timeline({ cluster, workers, seen: heard, events, query }) {
  const now = useNow(), first = workers.length ? Math.min(...workers.map((it) => Date.parse(it.createdAt))) : now - 600_000;
  const [view, move] = useSpan(query, { from: first - (now - first) * 0.02, to: now + (now - first) * 0.02 + 1000 });
  const { past, state } = usePast(cluster, view, now), old = useMemo(() => machinesOf(state.data?.events ?? []), [state.data]);
  const most = past ? 500 : 50, listed = useApi(`${clusterPath(cluster)}/jobs?limit=${most}`, past ? 60 : 10).data;
  const jobs = (listed ?? []).filter((it) => !past || (Date.parse(it.submittedAt) < view.to && (!it.endedAt || Date.parse(it.endedAt) > view.from))).slice(0, JOBS), [earlier] = useState(() => new Map());
  const read = usePolled((signal) => ran(cluster, jobs, earlier, signal), 'ran ' + jobs.map((it) => it.uid).join(), 20).data;
  const { machines, refused } = useMemo(() => {
    const known = new Set(workers.map((it) => it.name)), all = [...workers, ...[...old.values()].filter((it) => !known.has(it.name))];
    return { refused: all.filter(isRefused).sort((a, b) => Date.parse(b.since) - Date.parse(a.since)),
      machines: all.filter((it) => !isRefused(it)).sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || (a.name < b.name ? -1 : 1)) };
  }, [workers, old]);
  const rows = useMemo(() => {
    const marks = marksOf([...new Map([...(state.data?.events ?? []), ...events].map((it) => [it.id, it])).values()]), unsure = read && listed ? unsureOf(listed, most, read.whole) : ALWAYS, listedNames = new Set(workers.map((it) => it.name));
    return machines.map((w) => {
      const attempts = read?.byMachine.get(w.name) ?? [], bars = w.firstSyncAt ? ranOn(w, attempts).map((it) => ({ ...it, share: shareOf(it.asked, w.total) })) : [], own = marks.get(w.name) ?? [], now = present();
      return { name: w.name, state: w.state, faint: w.state === 'gone', marks: own, lanes: lanesOf(bars), spans: [...spansOf(w, now, undefined, heard), ...(w.firstSyncAt ? restOf(w, bars, old.has(w.name) && !listedNames.has(w.name) ? ALWAYS : unsure, own, now, heard) : [])] };
    });
  }, [machines, read, listed, events, state.data]);
  // Of the past those that were there then: hundreds of rows without a bar hide the others.
  const seen = useMemo(() => (past ? rows.filter((it) => it.spans.some((s) => s.from < view.to && (s.open || s.to > view.from))) : rows), [rows, past, past && view.from, past && view.to]);
  const sum = (all) => all.reduce((n, it) => n + it.to - it.from, 0), idle = rows.flatMap((it) => it.spans.filter((s) => s.kind === 'idle')), live = idle.filter((it) => it.open);
  const back = (span) => move({ from: now - span, to: now + span / 60 });
  return html`<${Trouble} state=${state} what="Machines of before" />
    <${Chart} label="Timeline of machines" rows=${seen} keys=${KEYS} view=${view} move=${move} now=${now}>
      <button type="button" onClick=${() => back(HOUR)}>Last hour</button><button type="button" onClick=${() => back(7 * DAY)}>Last week</button><//>
    <${Refused} all=${refused} now=${now} />
    ${!seen.length && html`<p class="empty">No machine was there ${past ? 'in this span, as far as it is known' : 'yet'}.</p>`}
    <p class="faint">${count(seen.length, 'machine')}, ${count(read?.tasks ?? 0, 'task')} of ${past ? `${count(jobs.length, 'job')} of this span` : jobs.length === 1 ? 'the newest job' : `the newest ${jobs.length} jobs`}${jobs.length === JOBS ? ' (no more are read)' : ''}, ${duration(sum(idle) / 1000)} in which one was idle${live.length > 0 ? `, ${count(live.length, 'machine')} of them now` : ''} (whole machines without a task; <a href=${to(['c', cluster, 'cost'])}>cost</a> also counts what is unused beside tasks).
      Where a job is not read, or not all its attempts are, machines that were up are grey.<${Past} past=${past} state=${state} machines=${[...old.keys()].filter((it) => !workers.some((w) => w.name === it)).length} />
      ${' '}All facts in words: <a href=${to(['c', cluster])}>workers</a>, <a href=${to(['c', cluster, 'events'])}>events</a>.</p>`;
}
