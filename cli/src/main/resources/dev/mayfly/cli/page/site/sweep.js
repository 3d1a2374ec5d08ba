// A sweep: two pictures of it above the table of its settings, and which way is best.
import { html, useMemo, useState } from './vendor/htm-preact.js';
import { useAllTasks, namesOf } from './alltasks.js';
import { aOf, count, isCount, number } from './format.js';
import { to, ask } from './route.js';
import { Trouble, Unknown } from './parts.js';
import { Scatter, Parallel } from './plots.js';
import { divergedOf } from './diverged.js';
import { directionOf, foremost, rankable } from './direction.js';
import { groups, isSeed, settingOf, varyingOf } from './groups.js';
import { useLast, MOST_LAST } from './last.js';
import { SettingTable } from './settings.js';

const POINTS = 2_000, MOST = 10_000;

const NOTHING = new Map(), NONE = new Set();

/** How many tasks of each setting, by name. */
const settingsOf = (tasks, by) => groups(tasks, by).map((group) => settingOf(group[0], by) + (group.length > 1 ? ` (${group.length})` : ''));

/** What the plots leave out, and why. */
function LeftOut({ tasks, metric, by, diverged, last, left }) {
  const drawn = drawable(tasks, metric, diverged).length, out = tasks.filter((it) => diverged.has(it.index) || !Number.isFinite(it.metrics?.[metric]));
  const of = (kind) => out.filter((it) => !diverged.has(it.index) && kind(it)), has = (it) => last.get(it.index)?.last[metric] !== undefined;
  const parts = [['diverged (NaN or an infinity after numbers)', out.filter((it) => diverged.has(it.index))],
    ['failed, whose last values are in the list of tasks', of((it) => it.state === 'failed' && has(it))], ['failed without a number', of((it) => it.state === 'failed' && !has(it))],
    [`no ${metric} yet`, of((it) => it.state !== 'failed' && it.state !== 'waiting')], ['wait', of((it) => it.state === 'waiting')]].filter(([, all]) => all.length);
  if (!out.length && drawn <= POINTS) return null;
  return html`<p class="faint">The plots have ${count(Math.min(drawn, POINTS))} of ${count(tasks.length, 'task')}${drawn > POINTS ? `, the first ${count(POINTS)} with ${aOf(metric)}` : ''}. Left out: ${parts.map(([why, all]) => html`${count(all.length)} ${why}${
    why === 'wait' ? '' : `: ${settingsOf(all, by).slice(0, 6).join(', ')}${settingsOf(all, by).length > 6 ? ' …' : ''}`}. `)}${
    left > 0 && `Of ${count(left, 'more task')} without a number it is not read what they reported before; ${MOST_LAST} are read.`}</p>`;
}

const drawable = (tasks, metric, diverged) => tasks.filter((it) => !diverged.has(it.index) && Number.isFinite(it.metrics?.[metric]));

const Choice = ({ label, value, of, use }) => html`<label>${label} <select onChange=${(e) => use(e.target.value)}>
  ${of.map((it) => html`<option value=${it} selected=${it === value}>${it}</option>`)}</select></label>`;

/** Which way the metric is better, why, and the button that turns it; what of the address is none. */
const Direction = ({ metric, metrics, direction, query }) => html`${!isCount(metric) && html`<span class="direction">${metric}: ${direction.said}
    ${(direction.unknown ? ['low', 'high'] : [direction.other]).map((it) => html`<button key=${it} type="button" onClick=${() => ask({ metric, best: it })}>${
      direction.unknown ? `The ${it}est is best` : `No: ${direction.turned}`}</button> `)}</span>`}
  ${direction.wrong && html`<span class="warn" role="note">best=${direction.wrong} in the address is none: low or high.</span>`}
  ${query.metric && query.metric !== metric && html`<span class="warn" role="note">metric=${query.metric} in the address ${metrics.includes(query.metric) ? 'counts how far a task is, and none is best by it' : 'is none that its tasks report'}; this is ${metric}.</span>`}`;

/** Which task a point is: of the one that is pointed at or was clicked. */
function Point({ job, task, by, metric, kept }) {
  if (!task) return html`<p class="hit faint" role="status">Point at a dot or a line to see its task here; a click keeps it.</p>`;
  return html`<p class="hit" role="status"><a href=${to(['c', job.cluster, 'j', job.uid, 't', task.index])}>Task ${task.index}</a>: ${Object.entries(task.variables).map(([name, value]) => `${name}=${value}`).join(' ')}, ${
    metric} ${number(task.metrics?.[metric])} (${task.state})${kept ? html` <button type="button" onClick=${kept}>Let go</button>` : ''}</p>`;
}

/**
 * What a sweep is compared by: its variables and settings, the metrics that its tasks reported and the one that is asked for,
 * which way that is better, and which tasks diverged.
 */
export function useRanking(job, read, query) {
  const names = useMemo(() => namesOf(read.tasks, 'variables'), [read]), found = useMemo(() => namesOf(read.tasks, 'metrics'), [read]);
  const varying = varyingOf(read.tasks, names), by = varying.filter((it) => !isSeed(it)), all = useMemo(() => groups(read.tasks, by), [read, by.join()]);
  const past = useLast(job, read.tasks, rankable(found)), reported = useMemo(() => [...new Set([...found, ...[...past.byIndex.values()].flatMap((it) => Object.keys(it.last))])].sort(), [found, past.byIndex]);
  const choices = rankable(reported).length ? rankable(reported) : reported, metric = choices.includes(query.metric) ? query.metric : foremost(reported) ?? choices[0];
  // Those that run say it of themselves, and those that have ended by what they reported before.
  const diverged = useMemo(() => new Set([...[...past.byIndex].filter(([, it]) => rankable(it.diverged).length).map(([index]) => index),
    ...read.tasks.filter((it) => rankable(divergedOf(it)).length).map((it) => it.index)]), [past.byIndex, read]);
  return { names, varying, by, all, past, reported, choices, metric, diverged, direction: directionOf(metric ?? '', query.best) };
}

export function Sweep({ job, query }) {
  const read = useAllTasks(job, { most: MOST }), [lit, setLit] = useState(), [kept, setKept] = useState();
  const { names, varying, by, all, past, reported, choices, metric, diverged, direction } = useRanking(job, read, query);
  const drawn = useMemo(() => drawable(read.tasks, metric, diverged), [read, metric, diverged]);
  if (!read.complete && !read.tasks.length) return html`<${Trouble} state=${read} what="Tasks" /><p class="loading">Reading tasks …</p>`;
  if (!names.length) return html`<p class="empty">Its tasks have no variables: a sweep has a <code>matrix</code> or <code>items</code>.</p>`;
  if (!reported.length) return html`<p class="empty">No task has reported metrics yet. Tasks report them by writing numbers as JSON to the file <code>$MAYFLY_METRICS</code>.</p>
    <${SettingTable} job=${job} all=${all} by=${by} metrics=${[]} direction=${direction} query=${query} diverged=${NONE} last=${NOTHING} ready=${true} complete=${read.complete} />`;
  const x = names.includes(query.x) ? query.x : by[0] ?? names[0], colour = by.includes(query.colour) ? query.colour : by.find((it) => it !== x) ?? '';
  const shown = kept ?? lit, point = (index) => index !== undefined && setLit(index), keep = (task) => setKept(task.index === kept ? undefined : task.index);
  const columns = [metric, ...choices.filter((it) => it !== metric), ...reported.filter((it) => !choices.includes(it))].slice(0, 5);
  return html`<${Trouble} state=${read} what="Tasks" /><${Trouble} state=${past.state} what="What tasks reported last" />
    <div class="bar"><${Choice} label="Metric" value=${metric} of=${choices} use=${(it) => ask({ metric: it, best: '' })} />
      <${Choice} label="Across" value=${x} of=${names} use=${(it) => ask({ x: it })} />
      ${by.length > 1 && html`<${Choice} label="Colour" value=${colour} of=${by} use=${(it) => ask({ colour: it })} />`}
      <${Direction} metric=${metric} metrics=${reported} direction=${direction} query=${query} />
      <span class="faint" role="status">${count(read.tasks.length, 'task')}${read.complete ? '' : ' so far'}${read.tasks.length >= MOST ? `, the first ${count(MOST)}` : ''}</span></div>
    <${Unknown} query=${query} words=${{ x: names, colour: by }} instead=${{ x: `this is across ${x}`, colour: colour ? `the colour is by ${colour}` : 'there is no colour' }} />
    <div class="plots"><${Scatter} tasks=${drawn} x=${x} metric=${metric} colour=${colour} open=${keep} lit=${shown} light=${point} />
      <${Parallel} tasks=${drawn} names=${by.slice(0, 8)} metric=${metric} open=${keep} lit=${shown} light=${point} /></div>
    <${Point} job=${job} task=${read.tasks.find((it) => it.index === shown)} metric=${metric} kept=${kept === undefined ? undefined : () => setKept()} />
    <${LeftOut} tasks=${read.tasks} metric=${metric} by=${by} diverged=${diverged} last=${past.byIndex} left=${past.left} />
    <h2>Settings</h2><p class="faint">Mean ± standard deviation over ${varying.filter(isSeed).join(', ') || 'tasks of equal settings'}.</p>
    <${SettingTable} job=${job} all=${all} by=${by} metrics=${columns} metric=${metric} direction=${direction} query=${query} diverged=${diverged} last=${past.byIndex} ready=${past.ready} complete=${read.complete} />`;
}
