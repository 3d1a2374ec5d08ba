// All clusters, and one of them: the same facts as mayfly status.
import { html } from './vendor/htm-preact.js';
import { useApi, useNow, clusterPath } from './api.js';
import { age, count, counts, duration, inZone, usd } from './format.js';
import { to } from './route.js';
import { Aged, State, Loaded, Long, Usage, Table, Title, Tabs, Ago } from './parts.js';
import { Command, Sentence } from './copy.js';
import { Problems, brokenOf, goesAt, goesIn } from './problems.js';
import { EventTable } from './events.js';
import { isRefused } from './spans.js';
import { Timeline } from './timeline.js';
import { Spending, useCost } from './costs.js';

/** A report that is later than so many seconds is missing. */
const LATE = 30;

function Gpus({ workers }) {
  const gpus = workers.flatMap((w) => w.gpus ?? []);
  if (!gpus.length) return null;
  const busy = gpus.filter((g) => g.use !== undefined), full = gpus.filter((g) => g.memory && g.memoryUsed !== undefined);
  const mean = busy.length ? Math.round(busy.reduce((sum, g) => sum + g.use, 0) / busy.length) + '%' : '–';
  const sum = (of) => Math.round((full.reduce((all, g) => all + g[of], 0) / 2 ** 30) * 10) / 10;
  return html`<p>gpus ${mean} busy, memory ${full.length ? `${sum('memoryUsed')} of ${sum('memory')} GiB` : '–'} (mean and sum of ${gpus.length})</p>`;
}

function Pools({ cluster, workers = [], now }) {
  const broken = new Map(cluster.pools.map((p) => [p.name, brokenOf(p.name, workers, now)]));
  // A list of clusters makes no plan.
  const known = cluster.pools.some((p) => p.wanted !== undefined);
  return html`<${Table} label="Pools" rows=${cluster.pools.length} empty="It has no pools."
    head=${[['Pool'], ['Machine'], ['Provisioning'], ['Live', 'num'], ...(known ? [['Wanted', 'num']] : []), ['Min', 'num'], ['Max', 'num']]}>
    ${cluster.pools.map((p) => html`<tr key=${p.name}><td>${p.name}${broken.get(p.name) && html` <span class="state bad" title=${inZone(broken.get(p.name).why)}>${broken.get(p.name).said}</span>`}</td><td>${p.machineType}</td><td>${p.provisioning}</td>
      <td class="num">${p.live}</td>${known && html`<td class="num">${p.wanted ?? '–'}</td>`}<td class="num">${p.min}</td><td class="num">${p.name.includes('--') ? `${p.max} in all` : p.max}</td></tr>`)}<//>`;
}

const Summary = ({ cluster, now }) => html`<p class="facts"><${State} of=${cluster.phase} />
    <span>for ${age(cluster.createdAt, now)}</span><span>${count(cluster.jobs, 'live job')}</span>
    <span>workers: ${counts(cluster.workers) || 'none'}</span></p>`;

/** What it costs; nothing from a control plane of before. */
function Cost({ name, now }) {
  const state = useCost(name, { by: 'day' });
  return state.data ? html`<${Spending} cost=${state.data}><${Aged} state=${state} now=${now} /><//>` : null;
}

/** What is wrong with its machines, and its pools. */
function Machines({ cluster, now }) {
  const workers = useApi(`${clusterPath(cluster.name)}/workers?all=true`, 30).data;
  return html`<${Problems} cluster=${cluster} workers=${workers} now=${now} /><${Usage} used=${cluster.used} total=${cluster.total} accelerators=${cluster.accelerators} /><${Pools} cluster=${cluster} workers=${workers} now=${now} />`;
}

export function Clusters() {
  const state = useApi('/v1/clusters', 5), now = useNow();
  return html`<${Title} text="Clusters" /><${Loaded} state=${state} what="Clusters">${(clusters) =>
    clusters.length === 0
      ? html`<p class="empty">No cluster is up; bring one up with: <${Command} text="mayfly up CLUSTER.yaml" /></p>`
      : html`<div class="cards">${clusters.map((it) => html`<section class="card" key=${it.uid} aria-label=${'cluster ' + it.name}>
          <h2><a href=${to(['c', it.name])}>${it.name}</a></h2><${Summary} cluster=${it} now=${now} /><${Cost} name=${it.name} now=${now} /><${Machines} cluster=${it} now=${now} />
          <p class="links"><a href=${to(['c', it.name, 'jobs'])} aria-label=${'jobs of ' + it.name}>jobs</a>
            <a href=${to(['c', it.name, 'timeline'])} aria-label=${'timeline of ' + it.name}>timeline</a>
            <a href=${to(['c', it.name, 'events'])} aria-label=${'events of ' + it.name}>events</a>
            <a href=${to(['c', it.name, 'cost'])} aria-label=${'cost of ' + it.name}>cost</a></p></section>`)}</div>`}<//>`;
}

const running = (w) => w.leases.reduce((sum, it) => sum + it.running, 0);
const next = (w) => w.leases.reduce((sum, it) => sum + it.end - it.start - it.done, 0) - running(w);

function heartbeat(w, now) {
  if (!w.due) return '–';
  const late = (now - Date.parse(w.due)) / 1000;
  // Some seconds are on their way.
  return late <= 0 ? 'in ' + duration(-late) : late < LATE ? 'due now' : html`<span class="warn">${duration(late)} late</span>`;
}

const machine = (w) => (w.machine ? `${w.machine.cpu}% / ${Math.round((100 * w.machine.memoryUsed) / w.machine.memory)}%` : '–');
const use = (w) => (w.gpus ?? []).map((g) => (g.use === undefined ? '–' : g.use + '%')).join(' ') || '–';

/** Since when it has no task, and when it is given back for that. */
function idleText(w, pools, now) {
  const at = goesAt(w, pools);
  return !w.idleSince ? '–' : `${age(w.idleSince, now)}${at === undefined ? '' : `, goes ${goesIn(at, now)}`}`;
}

/** That limits are not enforced is so of all tasks there, and no trouble of this machine now: it stands on its own page. */
const noteOf = (w) => (w.state === 'cordoned' ? w.reason : (w.problemKind === 'unlimited' ? undefined : w.problem) ?? w.reason);

/** @param pools as their cluster has them */
export function WorkerTable({ cluster, pools, workers, now }) {
  const gpus = workers.some((w) => w.gpus?.length), machines = workers.some((w) => w.machine), cost = workers.some((w) => w.usd !== undefined), notes = workers.some(noteOf);
  return html`<${Table} label="Workers" rows=${workers.length} empty="It has no workers now."
    head=${[['Worker'], ['Pool'], ['State'], ['Age', 'num'], ['Heartbeat'], ['Idle', 'num'], ['Tasks', 'num'], ['Next', 'num'],
      ...(machines ? [['CPU / memory', 'num']] : []), ...(gpus ? [['GPU', 'num']] : []), ...(cost ? [['Cost', 'num']] : []), ['Machine'], ...(notes ? [['Note', 'wide']] : [])]}>
    ${workers.map((w) => html`<tr key=${w.name}><td><a href=${to(['c', cluster, 'w', w.name])}>${w.name}</a></td><td>${w.pool}</td>
      <td><${State} of=${w.state} /></td><td class="num">${age(w.createdAt, now)}</td><td>${heartbeat(w, now)}</td>
      <td class="num">${idleText(w, pools, now)}</td><td class="num">${count(running(w))}</td>
      <td class="num">${count(next(w))}</td>${machines && html`<td class="num">${machine(w)}</td>`}${gpus && html`<td class="num">${use(w)}</td>`}
      ${cost && html`<td class="num">${w.usd === undefined ? '–' : usd(w.usd)}</td>`}<td>${w.machineType} ${w.zone}</td>${notes && html`<td class="wide"><${Long} text=${inZone(noteOf(w))} /></td>`}</tr>`)}<//>`;
}

/** How many machines are gone, and apart from them how many orders were refused: there was no machine. */
function goneOf(workers) {
  const gone = workers.filter((w) => w.state === 'gone'), refused = gone.filter(isRefused).length;
  return [gone.length > refused && `${count(gone.length - refused)} gone`, refused && `${count(refused, 'order')} refused`].filter(Boolean).join(', ');
}

/** How long machines that are gone lived, when they ended and why. */
function GoneTable({ cluster, workers, now }) {
  const cost = workers.some((w) => w.usd !== undefined);
  return html`<${Table} label="Gone workers" rows=${workers.length} empty="None."
    head=${[['Worker'], ['Pool'], ['Lived', 'num'], ['Ended', 'num'], ...(cost ? [['Cost', 'num']] : []), ['Machine'], ['Why it ended', 'wide']]}>
    ${workers.map((w) => html`<tr key=${w.name}><td><a href=${to(['c', cluster, 'w', w.name])}>${w.name}</a></td><td>${w.pool}</td>
      <td class="num">${w.firstSyncAt ? duration((Date.parse(w.since) - Date.parse(w.createdAt)) / 1000) : '–'}</td><td class="num"><${Ago} at=${w.since} now=${now} /></td>
      ${cost && html`<td class="num">${w.usd === undefined ? '–' : usd(w.usd)}</td>`}<td>${w.machineType} ${w.zone}</td>
      <td class="wide"><${Long} text=${inZone(w.firstSyncAt ? w.reason : isRefused(w) ? `its order was refused: ${w.reason}` : `it never reported: ${[w.reason, w.problem].filter(Boolean).join('; ')}`)} /></td></tr>`)}<//>`;
}

export function Cluster({ name, tab, query }) {
  const path = clusterPath(name), now = useNow();
  const state = useApi(path, 5), workers = useApi(`${path}/workers?all=true`, 5), events = useApi(`${path}/events?limit=500`, 5);
  const link = (it) => to(['c', name, ...it]);
  // What is wrong with all of them is said once, at the top.
  const beside = (it) => (state.problem && it.problem ? { ...it, problem: undefined } : it), present = (workers.data ?? []).filter((w) => w.state !== 'gone');
  return html`<${Title} text=${name}>Cluster ${name}<//>
    <${Loaded} state=${state} what="The cluster">${(it) => html`<${Summary} cluster=${it} now=${now} /><${Cost} name=${name} now=${now} />
      <${Problems} cluster=${it} workers=${workers.data} now=${now} /><${Usage} used=${it.used} total=${it.total} accelerators=${it.accelerators} />
      <${Gpus} workers=${present} /><${Tabs} label="Parts of the cluster" current=${tab}
        tabs=${[['workers', link([])], ['timeline', link(['timeline'])], ['jobs', link(['jobs'])], ['events', link(['events'])], ['cost', link(['cost'])]]} />
      ${tab === 'workers' && html`<h2>Pools</h2><${Pools} cluster=${it} workers=${workers.data} now=${now} /><h2>Workers</h2>
        <${Loaded} state=${beside(workers)} what="Workers">${(all) => html`<${WorkerTable} cluster=${name} pools=${it.spec?.pools} workers=${present} now=${now} />
          ${all.length > present.length && html`<details><summary>${goneOf(all)}, newest first</summary>
            <${GoneTable} cluster=${name} workers=${all.filter((w) => w.state === 'gone').slice(0, 200)} now=${now} /></details>`}`}<//>
        <h2>Newest events</h2><${Loaded} state=${beside(events)} what="Events">${(all) =>
          html`<${EventTable} cluster=${name} events=${all.slice(0, 20)} />`}<//>`}
      ${tab === 'timeline' && html`<${Loaded} state=${beside(workers)} what="Workers">${(all) =>
        html`<${Timeline} cluster=${name} workers=${all} seen=${workers.at} events=${events.data ?? []} query=${query} />`}<//>`}`}<//>`;
}

export function Worker({ cluster, name }) {
  const now = useNow(), path = clusterPath(cluster), pools = useApi(path, 60).data?.spec?.pools;
  const state = useApi(`${path}/workers/${encodeURIComponent(name)}`, 5);
  const events = useApi(`${path}/events?limit=200&about=${encodeURIComponent('worker/' + name)}`, 5);
  return html`<${Title} text=${name}>Worker ${name}<//><${Loaded} state=${state} what="The worker">${(w) => html`
      <p class="facts"><${State} of=${w.state} />${isRefused(w) ? html`<span>its order was refused ${age(w.since, now)} ago: there was no machine</span>` : html`<span>for ${age(w.since, now)}</span>`}${
      w.state === 'gone' && !isRefused(w) && !w.firstSyncAt && html`<span>it never reported</span>`}${w.state === 'gone' && w.firstSyncAt && html`<span>lived ${duration((Date.parse(w.since) - Date.parse(w.createdAt)) / 1000)}</span>`}${w.usd !== undefined && html`<span>${usd(w.usd)}</span>`}<span>${w.machineType} in ${w.zone}, pool ${w.pool}</span></p>
      ${w.problem && !(w.state === 'gone' && w.firstSyncAt) && html`<ul class="problems"><li>${inZone(w.problem)}</li></ul>`}${w.reason && html`<p><${Sentence} text=${w.reason} /></p>`}
      <dl><dt>ordered</dt><dd><${Ago} at=${w.createdAt} now=${now} /></dd>${w.idleSince && html`<dt>idle</dt><dd>${idleText(w, pools, now)}</dd>`}${!isRefused(w) && html`<dt>first report</dt><dd>${w.firstSyncAt
        ? html`<${Ago} at=${w.firstSyncAt} now=${now} />, ${duration((Date.parse(w.firstSyncAt) - Date.parse(w.createdAt)) / 1000)} after its order` : w.state === 'gone' ? 'none' : 'none yet'}</dd>`}
      ${w.state !== 'gone' && html`<dt>next report</dt><dd>${heartbeat(w, now)}</dd>`}${w.instanceId && html`<dt>instance</dt><dd>${w.instanceId}</dd>`}</dl>
      <h2>Work</h2><${Table} label="Work" rows=${w.leases.length} empty="It has no work now."
        head=${[['Job'], ['Tasks'], ['Done', 'num'], ['Running', 'num'], ['Since']]}>${w.leases.map((it) => html`<tr>
          <td><a href=${to(['c', cluster, 'j', it.job])}>${it.jobName}</a></td><td>${it.start} to ${it.end - 1}</td><td class="num">${it.done}</td>
          <td class="num">${it.running}</td><td><${Ago} at=${it.since} now=${now} /></td></tr>`)}<//>
      ${!isRefused(w) && html`<p>What ran on it before: <a href=${to(['c', cluster, 'timeline'], { from: w.createdAt, to: w.state === 'gone' ? w.since : '' })}>the timeline of that time</a>.</p>`}`}<//>
    ${!(state.problem && !state.data) && html`<h2>Events</h2><${Loaded} state=${events} what="Events">${(all) => html`<${EventTable} cluster=${cluster} events=${all} />`}<//>`}`;
}
