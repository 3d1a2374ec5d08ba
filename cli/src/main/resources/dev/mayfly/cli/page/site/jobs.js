// The newest jobs of a cluster.
import { html } from './vendor/htm-preact.js';
import { useApi, useNow, clusterPath } from './api.js';
import { age, count, duration, jobState } from './format.js';
import { to, ask } from './route.js';
import { State, Loaded, Long, Progress, Search, Table, Title } from './parts.js';
import { Command } from './copy.js';

export const jobTook = (job) =>
  job.endedAt ? duration((Date.parse(job.endedAt) - Date.parse(job.mayRunSince ?? job.submittedAt)) / 1000) : '–';

const ORDERS = {
  newest: (a, b) => Date.parse(b.submittedAt) - Date.parse(a.submittedAt),
  name: (a, b) => (a.name < b.name ? -1 : 1),
  state: (a, b) => (jobState(a) < jobState(b) ? -1 : 1),
  failed: (a, b) => b.totals.failed - a.totals.failed,
  owner: (a, b) => ((a.owner ?? '') < (b.owner ?? '') ? -1 : 1),
};

export const doneOf = (job) => `${count(job.totals.done)}/${job.tasks > 0 || job.endedAt ? count(job.tasks) : '?'}`;

const Row = ({ job, now }) => html`<tr><td><a href=${to(['c', job.cluster, 'j', job.uid])}>${job.name}</a></td>
  <td><${State} of=${jobState(job)} /></td><td class="bar-cell"><${Progress} job=${job} /></td><td class="num">${doneOf(job)}</td>
  <td class=${'num' + (job.totals.failed > 0 ? ' bad' : '')}>${count(job.totals.failed)}</td>
  <td class="num">${age(job.submittedAt, now)}</td><td class="num">${jobTook(job)}</td><td>${job.owner ?? '–'}</td>
  <td class="wide"><${Long} text=${job.reason} /></td></tr>`;

export function Jobs({ cluster, query }) {
  const state = useApi(`${clusterPath(cluster)}/jobs?limit=500`, 4), now = useNow();
  const text = (query.q ?? '').toLowerCase(), wanted = query.state ?? '';
  const shown = (jobs) => jobs
    .filter((it) => !wanted || jobState(it) === wanted)
    .filter((it) => !text || `${it.name} ${it.owner ?? ''} ${it.reason ?? ''} ${it.uid}`.toLowerCase().includes(text))
    .sort(ORDERS[query.sort] ?? ORDERS.newest);
  return html`<${Title} text=${'Jobs of ' + cluster} /><${Loaded} state=${state} what="Jobs">${(jobs) => html`
    <div class="bar"><${Search} value=${query.q ?? ''} placeholder="name, owner, reason" use=${(q) => ask({ q })} />
      <label>State <select value=${wanted} onChange=${(e) => ask({ state: e.target.value })}><option value="">all</option>
        ${[...new Set(jobs.map(jobState))].sort().map((it) => html`<option value=${it} selected=${it === wanted}>${it}</option>`)}</select></label>
      <label>Order <select value=${query.sort ?? 'newest'} onChange=${(e) => ask({ sort: e.target.value })}>
        ${Object.keys(ORDERS).map((it) => html`<option value=${it} selected=${it === query.sort}>${it}</option>`)}</select></label></div>
    <${Table} label="Jobs" rows=${shown(jobs).length} empty=${jobs.length ? 'No job fits.' : html`No jobs yet; submit one with: <${Command} text="mayfly submit JOB.yaml" />`}
      head=${[['Job'], ['State'], ['Progress', 'bar-cell'], ['Done', 'num'], ['Failed', 'num'], ['Age', 'num'], ['Took', 'num'], ['Owner'], ['Why', 'wide']]}>
      ${shown(jobs).map((job) => html`<${Row} key=${job.uid} job=${job} now=${now} />`)}<//>
    ${jobs.length === 500 && html`<p class="faint">The newest 500 jobs.</p>`}`}<//>`;
}
