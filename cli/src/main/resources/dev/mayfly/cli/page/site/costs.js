// What machines cost, and what for: the same sums as mayfly cost.
import { html } from './vendor/htm-preact.js';
import { useApi, clusterPath } from './api.js';
import { decimal, count, hours, usd } from './format.js';
import { to, ask } from './route.js';
import { Loaded, Table, Title } from './parts.js';

const SECONDS = 30;
const GROUPS = ['day', 'job', 'owner', 'pool', 'zone'];
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export const useCost = (cluster, query) => useApi(`${clusterPath(cluster)}/cost?${new URLSearchParams(query)}`, SECONDS);

const unpriced = (it) => it.hours > 0 && it.unpricedHours >= it.hours;

const amount = (it) => (unpriced(it) ? 'no known price' : usd(it.usd));

const cell = (it) => (it.hours === 0 || unpriced(it) ? '–' : usd(it.usd));

/** What runs now, and what was spent: of a cluster, in a line. */
export const Spending = ({ cost }) => html`<p class="facts"><span>${now(cost)}</span><span>${amount(cost.today)} today</span>
  <span>${amount(cost.month)} this month (UTC)</span></p>`;

function now(cost) {
  const machines = count(cost.machines, 'machine');
  if (cost.machines === 0) return 'no machine costs anything now';
  if (cost.unpricedMachines === cost.machines) return machines + ' without a known price';
  const some = cost.unpricedMachines > 0 ? `, ${count(cost.unpricedMachines)} of them without a known price` : '';
  return `${usd(cost.usdPerHour)} an hour for ${machines}${some}`;
}

/** What a job has cost, in words. */
export const jobCost = (cost) => {
  const { total, lost } = cost.total;
  return `${amount(total)} for ${hours(total.hours)} of its tasks${lost.hours > 0 ? `, ${amount(lost)} of it lost with machines` : ''}`;
};

const Row = ({ cluster, group, by }) => html`<tr class=${by ? '' : 'total'}><td>${by === 'job' && group.uid && group.name !== '(deleted jobs)'
  ? html`<a href=${to(['c', cluster, 'j', group.uid])}>${group.name}</a>` : group.name}</td>
  <td class="num">${cell(group.total)}</td><td class="num">${decimal(group.total.hours)}</td><td class="num">${cell(group.tasks)}</td>
  <td class=${'num' + (group.lost.hours > 0 ? ' bad' : '')}>${cell(group.lost)}</td><td class="num">${cell(group.idle)}</td>
  <td class="num">${cell(group.boot)}</td><td class="num">${cell(group.end)}</td></tr>`;

function Sums({ cost, by }) {
  const left = cost.leftOut ?? [], none = cost.total.total.unpricedHours;
  return html`<${Spending} cost=${cost} />
    <p>Since ${cost.since}: ${amount(cost.total.total)} for ${hours(cost.total.total.hours)}.</p>
    ${left.length > 0 && html`<ul class="problems">${left.map((it) => html`<li><b>left out</b> ${it}</li>`)}</ul>`}
    <${Table} label="Costs" rows=${cost.groups.length} empty="No machine has cost anything since then."
      head=${[[by[0].toUpperCase() + by.slice(1)], ['Cost', 'num'], ['Machine hours', 'num'], ['Tasks', 'num'], ['Lost', 'num'], ['Idle', 'num'], ['Boot', 'num'], ['End', 'num']]}>
      ${cost.groups.map((it) => html`<${Row} key=${it.uid ?? it.name} cluster=${cost.cluster} group=${it} by=${by} />`)}
      ${cost.groups.length > 1 && html`<${Row} cluster=${cost.cluster} group=${cost.total} />`}<//>
    ${none > 0 && html`<p>${hours(none)} have no price and are not in the sums; budget.prices in the cluster's file gives one.</p>`}`;
}

export function Costs({ cluster, query, laptop }) {
  const by = GROUPS.includes(query.by) ? query.by : 'day', since = DAY.test(query.since ?? '') ? query.since : undefined;
  const state = useCost(cluster, since ? { by, since } : { by });
  return html`<${Title} text=${'Cost of ' + cluster} /><div class="bar">
      <label>By <select value=${by} onChange=${(e) => ask({ by: e.target.value })}>
        ${GROUPS.map((it) => html`<option value=${it} selected=${it === by}>${it}</option>`)}</select></label>
      <label>Since <input type="date" value=${since ?? state.data?.since ?? ''} onChange=${(e) => ask({ since: e.target.value })} /></label></div>
    <${Loaded} state=${state} what="Costs">${(cost) => html`<${Sums} cost=${cost} by=${by} />`}<//>
    <p class="faint">${laptop ? 'The laptop cloud charges nothing: these are list prices of the machines that it imitates.'
      : 'Prices are those of the budget, or list prices, at the launch of each machine; a bill also has disks, networks and storage, and discounts.'}${' '}
      A machine that several tasks share is divided by the largest part of it that each asks for. Days are of UTC.</p>`;
}
