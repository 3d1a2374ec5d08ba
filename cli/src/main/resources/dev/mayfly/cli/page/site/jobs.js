// The newest jobs of a cluster.
import { html } from './vendor/htm-preact.js';
import { get, useApi, useNow, usePolled, clusterPath, jobPath } from './api.js';
import { age, count, inZone, jobState, lasted, leftOf, moment, neverBegan, nextFirst, repeated, TOOK } from './format.js';
import { to, ask } from './route.js';
import { State, Loaded, Long, Progress, Search, Table, TextRow, Title, Unknown, known, useNarrow } from './parts.js';
import { useJobCosts } from './costs.js';
import { Command } from './copy.js';

export const jobTook = (job) =>
  job.endedAt && !neverBegan(job) ? lasted((Date.parse(job.endedAt) - Date.parse(job.mayRunSince ?? job.submittedAt)) / 1000) : '–';

const ORDERS = {
  newest: (a, b) => Date.parse(b.submittedAt) - Date.parse(a.submittedAt),
  name: (a, b) => (a.name < b.name ? -1 : 1),
  state: (a, b) => (jobState(a) < jobState(b) ? -1 : 1),
  failed: (a, b) => b.totals.failed - a.totals.failed,
  owner: (a, b) => ((a.owner ?? '') < (b.owner ?? '') ? -1 : 1),
};

export const doneOf = (job) => `${count(job.totals.done)}/${job.tasks > 0 || job.endedAt ? count(job.tasks) : '?'}`;

/** An answer costs the control plane some dozens of reads: as mayfly jobs does, the newest ten that run and ten that wait are asked for. */
const MOST_ENDS = 10, ENDS_EVERY = 30;

/** How long jobs may go on or when they may start, by uid, of those that answer. */
function useEnds(cluster, jobs) {
  const of = (state) => jobs.filter((it) => !it.endedAt && jobState(it) === state).slice(0, MOST_ENDS).map((it) => it.uid), asked = [...of('running'), ...of('waiting')];
  const read = async (signal) => {
    const each = await Promise.allSettled(asked.map((uid) => get(`${jobPath(cluster, uid)}/estimate`, signal)));
    return new Map(each.map((it, i) => [asked[i], it.value]).filter(([, it]) => it));
  };
  return usePolled(read, `ends ${cluster} ${asked.join()}`, asked.length ? ENDS_EVERY : 0).data ?? new Map();
}

/** Narrower than this a reason has a line of its own. */
const NARROW = 1_100;

const Why = ({ job }) => html`<${Long} text=${inZone(nextFirst(job.reason))} />`;

/** The columns between a job's name and why it is so: those that are empty in all rows are none. */
function columnsOf(jobs, { now, costs, ends }) {
  const left = (it) => (ends.has(it.uid) ? leftOf(ends.get(it.uid), now) : '');
  return [[['State'], (it) => html`<${State} of=${jobState(it)} />`], [['Progress', 'bar-cell'], (it) => html`<${Progress} job=${it} />`], [['Done', 'num'], doneOf],
    jobs.some((it) => it.totals.failed > 0) && [['Failed', 'num'], (it) => (it.totals.failed > 0 ? html`<span class="bad">${count(it.totals.failed)}</span>` : 0)],
    jobs.some(left) && [['Left', 'num'], (it) => left(it) || '–'], [['Age', 'num'], (it) => age(it.submittedAt, now)],
    jobs.some((it) => it.endedAt) && [['Took', 'num', TOOK], jobTook], jobs.some((it) => costs.has(it.uid)) && [['Cost', 'num'], (it) => costs.get(it.uid) ?? '–'],
    jobs.some((it) => it.owner) && [['Owner'], (it) => it.owner ?? '–']].filter(Boolean);
}

const nameOf = (job) => `${job.owner ?? ''}/${job.name}`;

/** @param twice names that several jobs have, which are told apart by when they were submitted */
const Row = ({ job, columns, narrow, twice }) => html`<tr class=${narrow && job.reason ? 'above' : ''}><td><a href=${to(['c', job.cluster, 'j', job.uid])}>${job.name}</a>${twice.has(nameOf(job)) && html` <span class="faint">of ${moment(job.submittedAt)}</span>`}</td>
  ${columns.map(([[, kind], cell]) => html`<td class=${kind ?? ''}>${cell(job)}</td>`)}${!narrow && html`<td class="wide"><${Why} job=${job} /></td>`}</tr>
  ${narrow && job.reason && html`<${TextRow} columns=${columns.length + 1}><${Why} job=${job} /><//>`}`;

function JobTable({ cluster, all, jobs }) {
  const twice = repeated(all.map(nameOf)), now = useNow(), narrow = useNarrow(NARROW), columns = columnsOf(jobs, { now, costs: useJobCosts(cluster, all), ends: useEnds(cluster, all) });
  return html`<${Table} label="Jobs" rows=${jobs.length} empty=${all.length ? 'No job fits.' : html`No jobs yet; submit one with: <${Command} text="mayfly submit JOB.yaml" />`}
    head=${[['Job'], ...columns.map(([head]) => head), ...(narrow ? [] : [['Why', 'wide']])]}>${jobs.map((job) => html`<${Row} key=${job.uid} job=${job} columns=${columns} narrow=${narrow} twice=${twice} />`)}<//>`;
}

/** The words that a job's state may be. */
const STATES = ['waiting', 'expanding', 'running', 'stopping', 'finishing', 'succeeded', 'failed', 'stopped'];

export function Jobs({ cluster, query }) {
  const state = useApi(`${clusterPath(cluster)}/jobs?limit=500`, 4);
  const text = (query.q ?? '').toLowerCase();
  return html`<${Title} text=${'Jobs of ' + cluster} /><${Loaded} state=${state} what="Jobs">${(jobs) => {
    const states = [...new Set([...STATES, ...jobs.map(jobState)])], wanted = known(query.state, states) ?? '', order = known(query.sort, Object.keys(ORDERS)) ?? 'newest';
    const shown = jobs.filter((it) => !wanted || jobState(it) === wanted)
      .filter((it) => !text || `${it.name} ${it.owner ?? ''} ${it.reason ?? ''} ${it.uid}`.toLowerCase().includes(text)).sort(ORDERS[order]);
    const enter = (event) => event.key === 'Enter' && shown.length === 1 && (location.hash = to(['c', cluster, 'j', shown[0].uid]));
    return html`<div class="bar"><${Search} value=${query.q ?? ''} placeholder="name, owner, reason" use=${(q) => ask({ q })} onKeyDown=${enter} />
      <label>State <select value=${wanted} onChange=${(e) => ask({ state: e.target.value })}><option value="">all</option>
        ${[...new Set([...jobs.map(jobState), ...(wanted ? [wanted] : [])])].sort().map((it) => html`<option value=${it} selected=${it === wanted}>${it}</option>`)}</select></label>
      <label>Order <select value=${order} onChange=${(e) => ask({ sort: e.target.value })}>
        ${Object.keys(ORDERS).map((it) => html`<option value=${it} selected=${it === order}>${it}</option>`)}</select></label>
      ${text && shown.length === 1 && html`<span class="faint">Enter opens it</span>`}</div>
    <${Unknown} query=${query} words=${{ state: states, sort: Object.keys(ORDERS) }} instead=${{ state: 'all are shown', sort: 'the newest are first' }} />
    <${JobTable} cluster=${cluster} all=${jobs} jobs=${shown} />
    ${jobs.length === 500 && html`<p class="faint">The newest 500 jobs.</p>`}`;
  }}<//>`;
}
