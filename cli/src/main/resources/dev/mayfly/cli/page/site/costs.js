// What machines cost, and what for: the same sums as mayfly cost.
import { html } from './vendor/htm-preact.js';
import { useApi, clusterPath } from './api.js';
import { cents, hours, repeated, usd } from './format.js';
import { only } from './exported.js';
import { to, ask } from './route.js';
import { Loaded, Table, Title, Unknown } from './parts.js';

const SECONDS = 30;
const GROUPS = ['day', 'job', 'owner', 'pool', 'zone'];
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export const useCost = (cluster, query) => useApi(`${clusterPath(cluster)}/cost?${new URLSearchParams(query)}`, SECONDS);

// Of a control plane of before, which counts them as tasks.
const NONE = { usd: 0, hours: 0, unpricedHours: 0 };

const unpriced = (it) => it.hours > 0 && it.unpricedHours >= it.hours;

const amount = (it) => (unpriced(it) ? 'no known price' : usd(it.usd));

const cell = (it) => (it.hours === 0 ? '–' : html`${unpriced(it) ? 'no price' : usd(it.usd)} <span class="faint">${cents(it.hours)} h</span>`);

/** What each job has cost since the first of them was submitted, by uid: as mayfly jobs has it. */
export function useJobCosts(cluster, jobs) {
  const first = jobs.map((it) => it.submittedAt.slice(0, 10)).sort()[0];
  const state = useApi(`${clusterPath(cluster)}/cost?${new URLSearchParams(first ? { by: 'job', since: first } : { by: 'job' })}`, SECONDS);
  return new Map((state.data?.groups ?? []).filter((it) => it.uid && it.total.hours > 0).map((it) => [it.uid, unpriced(it.total) ? 'no price' : usd(it.total.usd)]));
}

const Spent = ({ cost }) => html`<span>${amount(cost.today)} today</span><span>${amount(cost.month)}${cost.usdPerMonth === undefined ? '' : ` of ${usd(cost.usdPerMonth)}`} this month (UTC)</span>`;

/** What runs now, and what was spent: of a cluster, in a line. */
export const Spending = ({ cost, children }) => html`<p class="facts"><span>${cost.title?.[1]}</span><${Spent} cost=${cost} />${children}</p>`;

/** What a job has cost, in words. */
export const jobCost = (cost, maxUsd) => {
  const { total, lost, failed = NONE } = cost.total;
  return `${amount(total)}${maxUsd ? ` of its maxUsd of ${usd(maxUsd)}` : ''} for ${hours(total.hours)} of its tasks${lost.hours > 0 ? `, ${amount(lost)} of it for lost attempts` : ''}${failed.hours > 0 ? `, ${amount(failed)} of it for attempts that failed or were stopped` : ''}`;
};

/**
 * What the cluster's machines cost that is no job's, since the day of a job's submission: they boot, wait and end for whoever
 * comes, so that it is no part of a job's cost.
 */
export function BesideIt({ job }) {
  const since = job.submittedAt.slice(0, 10), state = useCost(job.cluster, { by: 'job', since }), none = state.data?.groups?.find((it) => it.name === '(no job)');
  if (!none || none.total.hours === 0) return null;
  const parts = [[none.boot, 'booting'], [none.idle, 'unused, whole machines or parts of busy ones'], [none.end, 'ending']].filter(([it]) => it.hours > 0).map(([it, what]) => `${amount(it)} ${what}`);
  return html`<dt>cluster ${job.cluster}</dt><dd>beside what its jobs cost ${amount(none.total)} for machines that worked for none of them, since ${since} (UTC): ${parts.join(', ')}${!only && html` · <a href=${to(['c', job.cluster, 'cost'], { by: 'job', since })}>all costs</a>`}</dd>`;
}

/** @param twice names that several groups have, which are told apart by their uids */
const Row = ({ cluster, group, by, twice }) => html`<tr class=${by ? '' : 'total'}><td>${by === 'job' && group.uid && group.name !== '(deleted jobs)'
  ? html`<a href=${to(['c', cluster, 'j', group.uid])}>${group.name}</a>` : group.name}${twice?.has(group.name) && group.uid && html` <span class="faint">${group.uid}</span>`}</td>
  <td class="num">${cell(group.total)}</td><td class="num">${cell(group.tasks)}</td>
  ${[group.lost, group.failed ?? NONE].map((it) => html`<td class=${'num' + (it.hours > 0 ? ' bad' : '')}>${cell(it)}</td>`)}<td class="num">${cell(group.idle)}</td>
  <td class="num">${cell(group.boot)}</td><td class="num">${cell(group.end)}</td></tr>`;

const told = (sentence) => sentence[0].toUpperCase() + sentence.slice(1) + '.';

function Sums({ cost, by }) {
  const twice = repeated(cost.groups.map((it) => it.name));
  return html`<p class="facts">${(cost.title ?? []).map((it) => html`<span>${it}</span>`)}<${Spent} cost=${cost} /></p>
    <${Table} label="Costs" rows=${cost.groups.length} empty="No machine has cost anything since then."
      head=${[[by[0].toUpperCase() + by.slice(1)], ['Cost and machine hours', 'num'], ['Tasks', 'num'], ['Lost', 'num'], ['Failed', 'num'], ['Unused', 'num'], ['Boot', 'num'], ['End', 'num']]}>
      ${cost.groups.map((it) => html`<${Row} key=${it.uid ?? it.name} cluster=${cost.cluster} group=${it} by=${by} twice=${twice} />`)}
      ${cost.groups.length > 1 && html`<${Row} cluster=${cost.cluster} group=${cost.total} />`}<//>
    <ul class="faint">${(cost.notes ?? []).map((it) => html`<li>${told(it)}</li>`)}
      <li>A machine that several tasks share is divided by the largest part of it that each asks for. Days are of UTC.</li></ul>`;
}

export function Costs({ cluster, query }) {
  const by = GROUPS.includes(query.by) ? query.by : 'day', since = DAY.test(query.since ?? '') ? query.since : undefined;
  const state = useCost(cluster, since ? { by, since } : { by });
  return html`<${Title} text=${'Cost of ' + cluster} /><div class="bar">
      <label>By <select value=${by} onChange=${(e) => ask({ by: e.target.value })}>
        ${GROUPS.map((it) => html`<option value=${it} selected=${it === by}>${it}</option>`)}</select></label>
      <label>Since <input type="date" value=${since ?? state.data?.since ?? ''} onChange=${(e) => ask({ since: e.target.value })} /></label></div>
    <${Unknown} query=${{ ...query, since: '' }} words=${{ by: GROUPS }} instead=${{ by: 'this is by day' }} />
    ${query.since && !since && html`<p class="warn" role="note">since=${query.since} in the address is no day such as 2026-11-01: this is since the first of the month.</p>`}
    <${Loaded} state=${state} what="Costs">${(cost) => html`<${Sums} cost=${cost} by=${by} />`}<//>`;
}
