// The table of a sweep: its settings with mean and spread over seeds, which of them is best, and their tasks.
import { html } from './vendor/htm-preact.js';
import { compare } from './alltasks.js';
import { aOf, count, isCount, number } from './format.js';
import { to, ask } from './route.js';
import { Table, useNarrow } from './parts.js';
import { LINES } from './plot.js';
import { counted, goingOf, seedOf, settingAsked, settingOf, spread, standing } from './groups.js';

const MOST_ROWS = 500, MOST_NAMED = 8;

/** A metric of a setting: its mean, or what its tasks that failed had last. */
function Cell({ group, name, diverged, last }) {
  const s = spread(counted(group, name, diverged)), off = isCount(name) ? 0 : group.filter((it) => diverged.has(it.index)).length;
  const ends = spread(group.filter((it) => !it.metrics && !diverged.has(it.index)).map((it) => last.get(it.index)?.last[name]).filter(Number.isFinite));
  if (!s.n && off) return html`<td class="num bad">diverged</td>`;
  if (!s.n && ends.n) return html`<td class="num faint" title=${`the last before it failed${ends.n > 1 ? `, the mean of ${ends.n}` : ''}; it counts for no best`}>last ${number(ends.mean)}${ends.n > 1 ? ` (mean of ${ends.n})` : ''}</td>`;
  return html`<td class="num">${number(s.mean)}${s.sd !== undefined && html` <span class="faint">± ${number(Number(s.sd.toPrecision(2)))}</span>`}${
    s.n !== group.length && s.n > 0 && html` <span class="faint">n=${s.n}</span>`}${off > 0 && html` <span class="bad">${off} diverged</span>`}</td>`;
}

/** The tasks of a setting, each with its seed, and all of them behind one link. */
const Named = ({ job, group, by, metric }) => html`<td>${group.slice(0, MOST_NAMED).map((it, i) => html`${i ? ', ' : ''}<a href=${to(['c', job.cluster, 'j', job.uid, 't', it.index])}
    title=${`task ${it.index}: ${settingOf(it, by)}${metric ? `, ${metric} ${number(it.metrics?.[metric])}` : ''} (${it.state})`}>${it.index}</a>${seedOf(it) && html` <span class="faint">(${seedOf(it)})</span>`}`)}${
  group.length > MOST_NAMED && html`, <a href=${settingLink(job, group, by)}>${count(group.length - MOST_NAMED)} more</a>`}</td>`;

const settingLink = (job, group, by) => to(['c', job.cluster, 'j', job.uid, 'tasks'], settingAsked(group[0], by));

/** How sure it is that one is best. */
export function Lead({ lead, by }) {
  const next = `The next is ${settingOf(lead.next[0], by)}, ${number(Number(lead.by.toPrecision(2)))} behind`;
  if (lead.going) return `${next} so far. Not all tasks of both have ended, and those that run may be at other steps: that tells nothing yet.`;
  if (lead.errors === undefined) return `${next}; how sure that is, only several seeds of each tell.`;
  const errors = `${number(Number(lead.errors.toPrecision(2)))} standard errors of the difference`;
  return lead.alike
    ? `${next}: within the noise of their seeds (${errors}). More seeds might tell${lead.alike > 1 ? ` it and ${count(lead.alike - 1, 'other setting')}` : ' both'} apart.`
    : `${next}: more than the noise of their seeds (${errors}).`;
}

/** What is best, and by what. */
function Best({ best, lead, by, going, open, metric, direction, diverged }) {
  const less = direction.low ? 'lowest' : 'highest', off = diverged.size;
  return html`<p class="faint">${direction.unknown ? `No setting is marked: the name of ${metric} does not tell whether its lowest or its highest is best; say it above the plots.` : best.length > 1 ? `${count(best.length)} settings ${open ? 'lead so far' : 'are best'}: they tie with the ${less} mean ${metric}.`
    : best.length ? `${open ? 'So far leads' : 'Best is'} the setting with the ${less} mean ${metric}, in whatever order the table is. ` : `No setting ${open ? 'leads yet' : 'is best'}: that needs two with ${aOf(metric)}.`}${
    best.length === 1 && lead ? html`<${Lead} lead=${lead} by=${by} />` : ''}${
    going > 0 ? ` ${count(going, 'task')} of them ${going === 1 ? 'has' : 'have'} not ended: the lead may change, and of those that run the newest values count.` : ''}${
    off > 0 ? ` ${count(off, 'task')} that diverged ${off === 1 ? 'counts' : 'count'} for no metric: not as 0, and not with what other metrics say after it.` : ''} A title sorts by its column.</p>`;
}

/**
 * @param direction which way the metric is better
 * @param diverged indexes of tasks that had numbers, and then NaN or an infinity
 * @param last what tasks reported last that have no values, by index
 * @param complete whether all tasks are read: until then, and until all have ended, none is best, but some lead so far
 * @param ready whether these are known; before, none is called the best
 */
export function SettingTable({ job, all, by, metrics, metric, direction, query, diverged, last, ready, complete }) {
  const narrow = useNarrow(560), column = query.sort ?? metric, desc = query.desc ? query.desc === 'true' : !query.sort && metric !== undefined && !direction.low;
  const mean = (group, name) => spread(counted(group, name, diverged)).mean;
  const value = (group) => (metrics.includes(column) ? mean(group, column) : column === 'tasks' ? group.length : group[0].variables?.[column]);
  const sorted = [...all].sort((a, b) => {
    const x = value(a), y = value(b);
    return x === undefined || y === undefined || !desc ? compare(x, y) : compare(y, x);
  });
  const { best, lead } = standing(ready ? all : [], metric, direction, diverged), isBest = new Set(best);
  const head = (name, kind) => [html`<button type="button" onClick=${() => ask({ sort: name, desc: column === name && !desc ? 'true' : column === name ? 'false' : '' })}>${name}${
    column === name ? (desc ? ' ↓' : ' ↑') : ''}</button>`, kind];
  const cell = (group, name) => html`<${Cell} key=${name} group=${group} name=${name} diverged=${diverged} last=${last} />`;
  const going = goingOf(all), open = going > 0 || !complete, unsure = !lead?.going && lead?.alike > 0;
  const told = open ? 'tasks have not ended: it may change' : unsure ? 'others are not further away than the noise of their seeds' : undefined;
  const mark = (group) => isBest.has(group) && html` <span class=${open || unsure ? 'state' : 'state good'} title=${told}>${open ? 'leads so far' : 'best'}${best.length > 1 ? ', tied' : unsure ? ', within the noise' : ''}</span>${
    open && html`<span class="unseen"> while tasks have not ended</span>`}`;
  // In a narrow window the metric is beside the first variable, where it is seen.
  const first = narrow ? 1 : by.length, near = narrow ? 1 : 0;
  return html`<${Table} label="Settings" rows=${sorted.length} empty="No settings yet."
    head=${[...by.slice(0, first).map((it) => head(it)), ...metrics.slice(0, near).map((it) => head(it, 'num')), ...by.slice(first).map((it) => head(it)), head('tasks', 'num'), ...metrics.slice(near, 1).map((it) => head(it, 'num')), [all.flat().some(seedOf) ? 'task (seed)' : 'task'], ...metrics.slice(1).map((it) => head(it, 'num')), ['of which']]}>
    ${sorted.slice(0, MOST_ROWS).map((group) => html`<tr class=${isBest.has(group) ? 'best' : ''}>${by.slice(0, first).map((it, i) => html`<td><a href=${settingLink(job, group, by)} title=${`all tasks with ${settingOf(group[0], by)}`}>${group[0].variables?.[it] ?? '–'}</a>${i === 0 && mark(group)}</td>`)}
      ${metrics.slice(0, near).map((it) => cell(group, it))}${by.slice(first).map((it) => html`<td>${group[0].variables?.[it] ?? '–'}</td>`)}
      <td class="num">${count(group.length)}</td>${metrics.slice(near, 1).map((it) => cell(group, it))}<${Named} job=${job} group=${group} by=${by} metric=${metric} />${metrics.slice(1).map((it) => cell(group, it))}
      <td>${['done', 'running', 'failed', 'stopped', 'waiting'].map((it) => [it, group.filter((t) => t.state === it).length]).filter(([, n]) => n)
        .map(([it, n]) => `${n} ${it}`).join(', ')}</td></tr>`)}<//>
    ${metric !== undefined && !isCount(metric) && ready && html`<${Best} best=${best} lead=${lead} by=${by}
      going=${going} open=${open} metric=${metric} direction=${direction} diverged=${diverged} />`}
    ${metrics.length > 0 && html`<p><a href=${to(['c', job.cluster, 'j', job.uid, 'curves'], { metric, tasks: sorted.flat().slice(0, LINES).map((it) => it.index).join(',') })}>Curves of the first ${
      Math.min(LINES, all.flat().length)} tasks of this table</a></p>`}
    ${sorted.length > MOST_ROWS && html`<p class="faint">The first ${count(MOST_ROWS)} of ${count(sorted.length)} settings.</p>`}`;
}
