// The tasks of a job: 100,000 are scrolled as smoothly as ten.
import { html, useMemo, useEffect } from './vendor/htm-preact.js';
import { useNow } from './api.js';
import { exported, present } from './exported.js';
import { useAllTasks, useTaskPages, namesOf, compare, FEW, MOST } from './alltasks.js';
import { count, decimal, duration, isCount, memory, number, progressOf, took, variables, why } from './format.js';
import { to, ask } from './route.js';
import { Search, State, Trouble } from './parts.js';
import { settingIn } from './groups.js';
import { useLast, MOST_LAST } from './last.js';
import { Rows } from './rows.js';
import { record } from './history.js';

const STATES = ['waiting', 'running', 'done', 'failed', 'stopped', 'inconsistent'];
const METRICS = 5, VARIABLES = 6;

// A run that failed or diverged is not sorted by its last good value, as mayfly tasks --sort does.
function sortValue(task, by, now) {
  const [kind, ...rest] = by.split(':'), name = rest.join(':');
  if (kind === 'metric') return task.metrics?.[name];
  if (kind === 'use') return task.use?.[name];
  if (kind === 'variable') return task.variables?.[name];
  return { task: task.index, state: task.state, attempts: task.attempts?.total, took: took(task, now), steps: progressOf(task)?.part, worker: task.workers[0] }[by];
}

const WHY = { name: 'why', title: 'Why', px: 300, grows: true, kind: 'prose' };

// What went wrong is seen without a scroll, where anything says why.
const columnsFor = (metrics, vars, inputs, attempts, uses, steps, whys) => [
  { name: 'task', title: 'Task', px: 76, kind: 'num', sort: true },
  { name: 'state', title: 'State', px: 108, sort: true },
  ...(attempts ? [{ name: 'attempts', title: 'Attempts', px: 76, kind: 'num', sort: true }] : []),
  { name: 'took', title: 'Took', px: 64, kind: 'num', sort: true },
  ...(uses ? [{ name: 'use:cpus', title: 'CPUs', px: 60, kind: 'num', sort: true }, { name: 'use:peakMemory', title: 'Peak memory', px: 92, kind: 'num', sort: true }] : []),
  ...(whys ? [WHY] : []),
  ...(steps ? [{ name: 'steps', title: 'Progress', px: 130, sort: true }] : []),
  ...metrics.map((it) => ({ name: 'metric:' + it, title: it, px: 110, kind: 'num', sort: true })),
  ...vars.map((it) => ({ name: 'variable:' + it, title: it, px: 84, sort: true })),
  { name: 'worker', title: 'Worker', px: 150, sort: true },
  ...(inputs ? [{ name: 'input', title: 'Input', px: 260 }] : []),
  ...(whys ? [] : [WHY]),
];

/** A metric: of a task that has none what it reported last, and whether that became NaN. */
function metricOf(task, name, last) {
  const value = task.metrics?.[name], before = last.get(task.index);
  if (before?.diverged.includes(name)) return html`<span class="bad" title=${`NaN or an infinity; the last number was ${number(before.last[name])}`}>NaN, was ${number(before.last[name])}</span>`;
  if (value !== undefined || before?.last[name] === undefined) return number(value);
  return html`<span class="faint" title="the last that it reported">${number(before.last[name])} last</span>`;
}

function cellsFor(job, task, metrics, vars, inputs, attempts, uses, steps, whys, now, last) {
  const span = took(task, now);
  return [
    html`<a href=${to(['c', job.cluster, 'j', job.uid, 't', task.index])}>${task.index}</a>`,
    html`<${State} of=${task.state} />`,
    ...(attempts ? [task.attempts ? count(task.attempts.total) : '–'] : []),
    span === undefined ? '–' : duration(span),
    ...(uses ? [task.use ? decimal(task.use.cpus) : '–', task.use ? memory(task.use.peakMemory) : '–'] : []),
    ...(whys ? [why(task)] : []),
    ...(steps ? [progressOf(task)?.text ?? '–'] : []),
    ...metrics.map((it) => metricOf(task, it, last)),
    ...vars.map((it) => task.variables?.[it] ?? '–'),
    task.workers.join(', ') || '–',
    ...(inputs ? [task.gathered ?? task.input ?? variables(task)] : []),
    ...(whys ? [] : [why(task)]),
  ];
}

export function Tasks({ job, query }) {
  const now = useNow(), text = (query.q ?? '').toLowerCase(), by = query.sort ?? '', desc = query.desc === 'true';
  const setting = useMemo(() => settingIn(query), [JSON.stringify(query)]), all = Boolean(exported || by || text || query.state || setting || job.tasks <= FEW);
  const read = useAllTasks(job, { state: query.state ?? '', skip: !all }), pages = useTaskPages(job, all);
  useEffect(() => {
    if (read.complete) record(job.uid, read.tasks);
  }, [read]);
  const past = useLast(job, read.tasks, useMemo(() => namesOf(read.tasks, 'metrics'), [read])), last = past.byIndex;
  const list = useMemo(() => {
    if (!all) return [];
    const fit = read.tasks.filter((it) => !setting || setting.fits(it)).filter((it) => !text ||
      `${it.index} ${it.input ?? ''} ${variables(it)} ${it.workers.join(' ')} ${why(it)}`.toLowerCase().includes(text));
    if (!by) return fit;
    const at = present(), keyed = fit.map((it) => [sortValue(it, by, at), it]);
    const gone = (it) => it === undefined || it === null || it === '';
    keyed.sort(([a], [b]) => (gone(a) || gone(b) || !desc ? compare(a, b) : compare(b, a)));
    return keyed.map(([, it]) => it);
  }, [read, all, text, by, desc, setting]);
  const sample = all ? read.tasks.slice(0, 2_000) : pages.known();
  const steps = sample.some(progressOf), whys = sample.some(why), vars = namesOf(sample, 'variables').slice(0, VARIABLES);
  const reported = [...new Set([...namesOf(sample, 'metrics'), ...[...last.values()].flatMap((it) => Object.keys(it.last))])].sort(), metrics = reported.filter((it) => !steps || !isCount(it)).slice(0, METRICS), inputs = sample.some((it) => it.input), attempts = sample.some((it) => it.attempts?.total > 1), uses = sample.some((it) => it.use && took(it, present()) >= 10);
  const size = all ? list.length : job.tasks;
  const sort = (name) => ask(by !== name ? { sort: name, desc: '' } : desc ? { sort: '', desc: '' } : { desc: 'true' });
  return html`<div class="bar">
      <${Search} value=${query.q ?? ''} placeholder="input, value, worker, cause" use=${(q) => ask({ q })} />
      <label>State <select onChange=${(e) => ask({ state: e.target.value })}><option value="">all</option>
        ${STATES.map((it) => html`<option value=${it} selected=${it === query.state}>${it}</option>`)}</select></label>
      <span class="faint" role="status">${all && !read.complete ? `${count(read.tasks.length)} read, ${job.tasks > MOST ? `at most ${count(MOST)}` : 'more come'} …` : count(size, 'task')}</span>
      ${setting && html`<span>with ${setting.text} · <button type="button" onClick=${() => ask(setting.none)}>all tasks</button></span>`}</div>
    ${past.left > 0 && html`<p class="faint">Of ${count(past.left, 'more task')} without a number it is not read what they reported before; ${MOST_LAST} are read.</p>`}
    <${Trouble} state=${all ? read : pages.trouble} what="Tasks" /><${Trouble} state=${past.state} what="What tasks reported last" />
    ${size === 0 ? html`<p class="empty faint">${all && !read.complete ? 'Reading tasks …' : text || query.state || setting ? 'No task fits.' : 'No tasks are listed yet.'}</p>`
      : html`<${Rows} label="Tasks" columns=${columnsFor(metrics, vars, inputs, attempts, uses, steps, whys)} count=${size} sorted=${by} desc=${desc} onSort=${sort} seen=${pages.want}
          row=${(i) => {
            const task = all ? list[i] : pages.task(i);
            return task && cellsFor(job, task, metrics, vars, inputs, attempts, uses, steps, whys, now, last);
          }} />`}`;
}
