// A sweep: a table of its settings with mean and spread over seeds, and two pictures of it.
import { html, useMemo, useState } from './vendor/htm-preact.js';
import { useAllTasks, namesOf, compare } from './alltasks.js';
import { count, isCount, number } from './format.js';
import { to, ask } from './route.js';
import { Table, Trouble } from './parts.js';
import { useCurves } from './history.js';
import { LINES } from './plot.js';
import { Scatter, Parallel } from './plots.js';

const POINTS = 2_000;

const SEEDS = ['seed', 'seeds', 'random_seed'], MOST = 10_000;

/** Mean and standard deviation of a sample, as Welford: as mayfly tasks --group-by has them. */
export function spread(numbers) {
  let n = 0, mean = 0, squares = 0;
  for (const it of numbers) {
    const off = it - mean;
    mean += off / ++n;
    squares += off * (it - mean);
  }
  return { n, mean: n ? mean : undefined, sd: n > 1 ? Math.sqrt(squares / (n - 1)) : undefined };
}

/** Tasks that have these variables in common. */
export function groups(tasks, by) {
  const found = new Map();
  for (const task of tasks) {
    const key = JSON.stringify(by.map((name) => task.variables?.[name]));
    (found.get(key) ?? found.set(key, []).get(key)).push(task);
  }
  return [...found.values()];
}

/** Of metrics that are called like this, less is better. */
const LESS = /loss|error|perplexity|regret|latency|seconds|(^|[^a-z])(mae|mse|rmse|nll|wer|cer)([^a-z]|$)/i;

const finite = (tasks, metric) => tasks.map((it) => it.metrics?.[metric]).filter(Number.isFinite);

/** Whether a task has begun and tells other things, but no number of this metric. */
const lacks = (task, metric) => !Number.isFinite(task.metrics?.[metric]) && (task.state === 'failed' || task.metrics !== undefined);

/** Of tasks that have no number of a metric those that had one before: NaN or an infinity came after it. */
function useDiverged(job, tasks, metric) {
  const asked = tasks.filter((it) => lacks(it, metric)).slice(0, LINES).map((it) => it.index), curves = useCurves(job, asked).data ?? [];
  return useMemo(() => new Set(curves.filter(({ rows }) => rows.length && !Number.isFinite(rows.at(-1).values[metric]) && rows.some((it) => Number.isFinite(it.values[metric]))).map((it) => it.index)), [curves, metric]);
}

const settingOf = (task, by) => by.map((name) => `${name}=${task.variables?.[name] ?? '–'}`).join(' ') || `task ${task.index}`;

/** How many tasks of each setting, by name. */
const settingsOf = (tasks, by) => groups(tasks, by).map((group) => settingOf(group[0], by) + (group.length > 1 ? ` (${group.length})` : ''));

/** What the plots leave out, and why. */
function LeftOut({ tasks, metric, by, diverged }) {
  const out = tasks.filter((it) => !Number.isFinite(it.metrics?.[metric])), of = (kind) => out.filter(kind), drawn = tasks.length - out.length;
  const parts = [['diverged (NaN or an infinity after numbers)', of((it) => diverged.has(it.index))], ['failed without a number', of((it) => !diverged.has(it.index) && it.state === 'failed')],
    ['have no number of it', of((it) => !diverged.has(it.index) && it.state !== 'failed' && it.state !== 'waiting')], ['wait', of((it) => it.state === 'waiting' && !diverged.has(it.index))]].filter(([, all]) => all.length);
  if (!out.length && drawn <= POINTS) return null;
  return html`<p class="faint">The plots have ${count(Math.min(drawn, POINTS))} of ${count(tasks.length, 'task')}${drawn > POINTS ? `, the first ${count(POINTS)} with a ${metric}` : ''}. Left out: ${parts.map(([why, all]) => html`${count(all.length)} ${why}${
    why === 'wait' ? '' : `: ${settingsOf(all, by).slice(0, 6).join(', ')}${settingsOf(all, by).length > 6 ? ' …' : ''}`}. `)}</p>`;
}

function GroupTable({ job, all, by, metrics, metric, query, diverged }) {
  const column = query.sort ?? metric;
  const desc = query.desc ? query.desc === 'true' : !query.sort && metric !== undefined && !LESS.test(metric);
  const value = (group) => (metrics.includes(column) ? spread(finite(group, column)).mean : column === 'tasks' ? group.length : group[0].variables[column]);
  const sorted = [...all].sort((a, b) => {
    const x = value(a), y = value(b);
    return x === undefined || y === undefined || !desc ? compare(x, y) : compare(y, x);
  });
  const ranked = metrics.includes(column) ? column : metric, less = ranked === column ? !desc : LESS.test(ranked ?? ''), rank = (group) => spread(finite(group, ranked)).mean;
  const known = all.filter((it) => rank(it) !== undefined), best = known.length > 1 ? known.reduce((a, b) => ((less ? rank(b) < rank(a) : rank(b) > rank(a)) ? b : a)) : undefined;
  const head = (name, kind) => [html`<button type="button" onClick=${() => ask({ sort: name, desc: column === name && !desc ? 'true' : column === name ? 'false' : '' })}>${name}${
    column === name ? (desc ? ' ↓' : ' ↑') : ''}</button>`, kind];
  return html`<${Table} label="Settings" rows=${sorted.length} empty="No settings yet."
    head=${[...by.map((it) => head(it)), head('tasks', 'num'), ...metrics.map((it) => head(it, 'num')), ['of which']]}>
    ${sorted.slice(0, 500).map((group) => html`<tr class=${group === best ? 'best' : ''}>${by.map((it, i) => html`<td>${i === 0
        ? html`<a href=${to(['c', job.cluster, 'j', job.uid, 't', group[0].index])}>${group[0].variables[it] ?? '–'}</a>` : group[0].variables[it] ?? '–'}${i === 0 && group === best ? html` <span class="state good">best</span>` : ''}</td>`)}
      <td class="num">${count(group.length)}</td>${metrics.map((it) => {
        const s = spread(finite(group, it));
        const off = it === metric ? group.filter((task) => diverged?.has(task.index)).length : 0;
        if (!s.n && off) return html`<td class="num bad">diverged</td>`;
        return html`<td class="num">${number(s.mean)}${s.sd !== undefined && html` <span class="faint">± ${number(Number(s.sd.toPrecision(2)))}</span>`}${
          s.n !== group.length && s.n > 0 && html` <span class="faint">n=${s.n}</span>`}${off > 0 && html` <span class="bad">${off} diverged</span>`}</td>`;
      })}<td>${['done', 'running', 'failed', 'waiting'].map((it) => [it, group.filter((t) => t.state === it).length]).filter(([, n]) => n)
        .map(([it, n]) => `${n} ${it}`).join(', ')}</td></tr>`)}<//>
    ${metrics.length > 0 && !query.sort && html`<p class="faint">The best ${metric} first: the ${LESS.test(metric) ? 'least' : 'most'}. A title sorts by another column.</p>`}
    ${metrics.length > 0 && html`<p><a href=${to(['c', job.cluster, 'j', job.uid, 'curves'], { metric, tasks: sorted.flat().slice(0, LINES).map((it) => it.index).join(',') })}>Curves of the first ${
      Math.min(LINES, all.flat().length)} tasks of this table</a></p>`}
    ${sorted.length > 500 && html`<p class="faint">The first 500 of ${count(sorted.length)} settings.</p>`}`;
}

const Choice = ({ label, value, of, use }) => html`<label>${label} <select onChange=${(e) => use(e.target.value)}>
  ${of.map((it) => html`<option value=${it} selected=${it === value}>${it}</option>`)}</select></label>`;

export function Sweep({ job, query }) {
  const read = useAllTasks(job, { most: MOST }), [lit, setLit] = useState();
  const names = useMemo(() => namesOf(read.tasks, 'variables'), [read]), metrics = useMemo(() => namesOf(read.tasks, 'metrics'), [read]);
  const varying = names.filter((name) => new Set(read.tasks.map((it) => it.variables?.[name])).size > 1);
  const by = varying.filter((it) => !SEEDS.includes(it)), all = useMemo(() => groups(read.tasks, by), [read, by.join()]);
  const metric = metrics.includes(query.metric) ? query.metric : metrics.find((it) => !isCount(it)) ?? metrics[0], diverged = useDiverged(job, read.tasks, metric);
  if (!read.complete && !read.tasks.length) return html`<${Trouble} state=${read} what="Tasks" /><p class="loading">Reading tasks …</p>`;
  if (!names.length) return html`<p class="empty">Its tasks have no variables: a sweep has a <code>matrix</code> or <code>items</code>.</p>`;
  if (!metrics.length) return html`<p class="empty">No task has reported metrics yet. Tasks report them by writing numbers as JSON to the file <code>$MAYFLY_METRICS</code>.</p>
    <${GroupTable} job=${job} all=${all} by=${by} metrics=${[]} query=${query} />`;
  const x = names.includes(query.x) ? query.x : by[0] ?? names[0];
  const colour = by.includes(query.colour) ? query.colour : by.find((it) => it !== x) ?? '';
  const open = (task) => (location.hash = to(['c', job.cluster, 'j', job.uid, 't', task.index]));
  return html`<${Trouble} state=${read} what="Tasks" />
    <div class="bar"><${Choice} label="Metric" value=${metric} of=${metrics} use=${(it) => ask({ metric: it })} />
      <${Choice} label="Across" value=${x} of=${names} use=${(it) => ask({ x: it })} />
      ${by.length > 1 && html`<${Choice} label="Colour" value=${colour} of=${by} use=${(it) => ask({ colour: it })} />`}
      <span class="faint" role="status">${count(read.tasks.length, 'task')}${read.complete ? '' : ' so far'}${read.tasks.length >= MOST ? `, the first ${count(MOST)}` : ''}</span></div>
    <div class="plots"><${Scatter} tasks=${read.tasks} x=${x} metric=${metric} colour=${colour} open=${open} lit=${lit} light=${setLit} />
      <${Parallel} tasks=${read.tasks} names=${by.slice(0, 8)} metric=${metric} open=${open} lit=${lit} light=${setLit} /></div>
    <${LeftOut} tasks=${read.tasks} metric=${metric} by=${by} diverged=${diverged} />
    <h2>Settings</h2><p class="faint">Mean ± standard deviation over ${varying.filter((it) => SEEDS.includes(it)).join(', ') || 'tasks of equal settings'}.</p>
    <${GroupTable} job=${job} all=${all} by=${by} metrics=${[metric, ...metrics.filter((it) => it !== metric && !isCount(it)), ...metrics.filter((it) => it !== metric && isCount(it))].slice(0, 5)} metric=${metric} query=${query} diverged=${diverged} />`;
}
