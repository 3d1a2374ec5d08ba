// The tasks of a job: 100,000 are scrolled as smoothly as ten.
import { html, useMemo, useEffect } from './vendor/htm-preact.js';
import { useNow } from './api.js';
import { exported, present } from './exported.js';
import { useAllTasks, useTaskPages, namesOf, compare, FEW, MOST as MOST_TASKS } from './alltasks.js';
import { count, decimal, failure, isCount, lasted, memory, number, progressOf, took, variables, why } from './format.js';
import { to, ask } from './route.js';
import { Search, State, Trouble, Unknown, known } from './parts.js';
import { settingIn } from './groups.js';
import { rankable } from './direction.js';
import { useLast, MOST_LAST } from './last.js';
import { Rows } from './rows.js';
import { divergedOf } from './diverged.js';
import { record } from './history.js';

const STATES = ['waiting', 'running', 'done', 'failed', 'stopped', 'inconsistent'];
const ORDERS = ['task', 'state', 'attempts', 'took', 'steps', 'worker'], KINDS = ['metric', 'use', 'variable'];

/** Whether tasks can be sorted by it: by one of these, or by a metric or a variable by its name. */
const isOrder = (by = '') => ORDERS.includes(by) || KINDS.some((it) => by.startsWith(it + ':'));

const METRICS = 5, VARIABLES = 6, SAMPLE = 2_000;

/** Whether a task's own value is sorted by; those that failed or diverged come behind all others, as mayfly tasks --sort does. */
const counts = (task, by, last) => !by.startsWith('metric:') || (Number.isFinite(task.metrics?.[by.slice('metric:'.length)]) && !last.get(task.index)?.diverged.includes(by.slice('metric:'.length)));

/** What is sorted by where the own value does not count: what is shown of it, the last that it was. */
const lastValue = (task, by, last) => last.get(task.index)?.last[by.slice('metric:'.length)];

function sortValue(task, by, now) {
  const [kind, ...rest] = by.split(':'), name = rest.join(':');
  if (kind === 'metric') return task.metrics?.[name];
  if (kind === 'use') return task.use?.[name];
  if (kind === 'variable') return task.variables?.[name];
  return { task: task.index, state: task.state, attempts: task.attempts?.total, took: took(task, now), steps: progressOf(task)?.part, worker: task.workers[0] }[by];
}

/** A metric in words: nothing of a task that reported none. */
function metricText(task, name, last) {
  const value = task.metrics?.[name], before = last.get(task.index);
  if (before?.diverged.includes(name)) return `NaN, was ${number(before.last[name])}`;
  if (value !== undefined) return number(value);
  return before?.last[name] === undefined ? '' : `${number(before.last[name])} last`;
}

/** Whether a metric of a task that did not fail became NaN: as its agent told, or as its curve has it. */
const isOff = (task, last) => task.state !== 'failed' && (divergedOf(task).length > 0 || rankable(last.get(task.index)?.diverged ?? []).length > 0);

/** What is done and worth nothing is not green. */
const stateOf = (task, last) => (isOff(task, last) ? html`<span class="state bad" title="A metric became NaN or an infinity.">${task.state}, diverged</span>` : html`<${State} of=${task.state} />`);

/** All that is known of why a task is as it is, and of its attempts that failed before it was done. */
const causesOf = (task, failures, last) => [why(task), isOff(task, last) && 'diverged', ...(failures.get(task.index) ?? []).map((it) => `${failure(it)} ${it.evidence ?? ''}`)].join(' ');

/** A metric: of a task that has none what it reported last, and whether that became NaN. */
function metricOf(task, name, last) {
  const value = task.metrics?.[name], before = last.get(task.index), text = metricText(task, name, last);
  if (before?.diverged.includes(name)) return html`<span class="bad" title=${`NaN or an infinity; the last number was ${number(before.last[name])}`}>${text}</span>`;
  return value !== undefined || !text ? text : html`<span class="faint" title="the last that it reported">${text}</span>`;
}

const FONT = '14px', MOST = 260, NARROW = 130, LEAST_WHY = 140, STEP = 4, LONGEST = 3, ARROW = ' ↓';

/** How wide a column is: as what is in it, which is measured of the longest texts alone, in steps, so that a new value moves nothing. */
function widthOf(title, texts, { spare = 0, most = MOST }) {
  const paper = (widthOf.paper ??= document.createElement('canvas').getContext('2d')), family = getComputedStyle(document.body).fontFamily;
  const wide = (font, text) => ((paper.font = `${font} ${family}`), paper.measureText(text).width);
  const longest = [...new Set(texts)].sort((a, b) => b.length - a.length).slice(0, LONGEST);
  const own = Math.max(0, ...longest.map((it) => wide(FONT, it))) + spare;
  return Math.ceil(Math.max(wide('600 13px', title), Math.min(most, own)) / STEP) * STEP;
}

const missing = (it) => it === undefined || it === null || it === '';

/**
 * The columns of tasks: what sets them apart and what came of it before why they failed, which takes the room that is
 * left; then where they ran and what they used. One that is empty in all rows is none, unless they are sorted by it.
 *
 * @param known tasks whose rows are, or may be, seen
 */
function columnsFor({ job, known, vars, metrics, last, by }) {
  const retried = known.some((it) => it.attempts?.total > 1), uses = known.some((it) => it.use && took(it, present()) >= 10), inputs = known.some((it) => it.input);
  const all = [
    { name: 'task', title: 'Task', kind: 'num', text: (it) => it.index, cell: (it) => html`<a href=${to(['c', job.cluster, 'j', job.uid, 't', it.index])}>${it.index}</a>` },
    { name: 'state', title: 'State', spare: known.some((it) => isOff(it, last)) ? 26 : 18, text: (it) => it.state + (isOff(it, last) ? ', diverged' : ''), cell: (it) => stateOf(it, last) },
    ...(retried ? [{ name: 'attempts', title: 'Attempts', kind: 'num', text: (it) => it.attempts && count(it.attempts.total) }] : []),
    { name: 'took', title: 'Took', kind: 'num', text: (it) => tookOf(it) },
    ...vars.map((name) => ({ name: 'variable:' + name, title: name, most: NARROW, text: (it) => it.variables?.[name] })),
    ...metrics.map((name) => ({ name: 'metric:' + name, title: name, most: NARROW, kind: 'num', text: (it) => metricText(it, name, last), cell: (it) => metricOf(it, name, last) })),
    { name: 'steps', title: 'Progress', kind: 'num', text: (it) => progressOf(it)?.short, cell: (it) => progressOf(it) && html`<span title=${progressOf(it).text}>${progressOf(it).short}</span>` },
    { name: 'why', title: 'Why', px: LEAST_WHY, grows: true, kind: 'prose', plain: true, text: why },
    { name: 'worker', title: 'Worker', most: NARROW, text: (it) => it.workers.join(', ') },
    ...(uses ? [{ name: 'use:cpus', title: 'CPUs', kind: 'num', text: (it) => (it.use?.cpuSeconds > 0 ? decimal(it.use.cpus) : undefined) }, { name: 'use:peakMemory', title: 'Memory', kind: 'num', text: (it) => it.use && memory(it.use.peakMemory) }] : []),
    ...(inputs ? [{ name: 'input', title: 'Input', plain: true, text: (it) => it.gathered ?? it.input ?? variables(it) }] : []),
  ];
  return all.map((it) => ({ ...it, sort: !it.plain, texts: known.map(it.text).filter((text) => !missing(text)).map(String) })).filter((it) => it.texts.length || it.name === by || it.name === 'task')
    .map((it) => ({ ...it, px: it.px ?? widthOf(it.title + (it.name === by ? ARROW : ''), it.texts, it) }));
}

/** Of a task with several attempts the last one's time is told, and of one that runs how long that runs now. */
function tookOf(task) {
  const span = took(task, present());
  return span === undefined ? '' : task.state === 'running' ? 'for ' + lasted(span) : lasted(span) + (task.attempts?.total > 1 ? ' last' : '');
}

const cellsFor = (columns, task) => columns.map((it) => (it.cell ?? it.text)(task)).map((it) => (missing(it) ? '–' : it));

export function Tasks({ job, query }) {
  useNow();
  const text = (query.q ?? '').toLowerCase(), by = isOrder(query.sort) ? query.sort : '', state = known(query.state, STATES) ?? '', desc = query.desc === 'true';
  const setting = useMemo(() => settingIn(query), [JSON.stringify(query)]), all = Boolean(exported || by || text || state || setting || job.tasks <= FEW);
  const read = useAllTasks(job, { state, skip: !all }), pages = useTaskPages(job, all);
  useEffect(() => {
    if (read.complete) record(job.uid, read.tasks);
  }, [read]);
  const past = useLast(job, read.tasks, useMemo(() => namesOf(read.tasks, 'metrics'), [read])), last = past.byIndex;
  const failures = useMemo(() => Map.groupBy(job.failures ?? [], (it) => it.index), [job.failures?.length, job.failures?.[0]?.at]);
  const list = useMemo(() => {
    if (!all) return [];
    const fit = read.tasks.filter((it) => !setting || setting.fits(it)).filter((it) => !text ||
      `${it.index} ${it.input ?? ''} ${variables(it)} ${it.workers.join(' ')} ${causesOf(it, failures, last)}`.toLowerCase().includes(text));
    if (!by) return fit;
    const at = present(), own = Map.groupBy(fit, (it) => counts(it, by, last)), keyed = (own.get(true) ?? []).map((it) => [sortValue(it, by, at), it]), behind = (own.get(false) ?? []).map((it) => [lastValue(it, by, last), it]);
    const gone = (it) => it === undefined || it === null || it === '';
    return [keyed, behind].flatMap((them) => them.sort(([a], [b]) => (gone(a) || gone(b) || !desc ? compare(a, b) : compare(b, a))).map(([, it]) => it));
  }, [read, all, text, by, desc, setting, failures, last]);
  const sample = all ? read.tasks.slice(0, SAMPLE) : pages.known();
  const steps = sample.some(progressOf), vars = namesOf(sample, 'variables').slice(0, VARIABLES), reported = [...new Set([...namesOf(sample, 'metrics'), ...[...last.values()].flatMap((it) => Object.keys(it.last))])].sort();
  const metrics = reported.filter((it) => !steps || !isCount(it)).slice(0, METRICS), seen = all && list.length ? list : sample;
  const columns = useMemo(() => columnsFor({ job, known: seen.slice(0, SAMPLE), vars, metrics, last, by }), [job.uid, seen, last, by]);
  const size = all ? list.length : job.tasks;
  const sort = (name) => ask(by !== name ? { sort: name, desc: '' } : desc ? { sort: '', desc: '' } : { desc: 'true' });
  return html`<div class="bar">
      <${Search} value=${query.q ?? ''} placeholder="input, value, worker, cause" use=${(q) => ask({ q })} />
      <label>State <select onChange=${(e) => ask({ state: e.target.value })}><option value="">all</option>
        ${STATES.map((it) => html`<option value=${it} selected=${it === state}>${it}</option>`)}</select></label>
      <span class="faint" role="status">${all && !read.complete ? `${count(read.tasks.length)} read, ${job.tasks > MOST_TASKS ? `at most ${count(MOST_TASKS)}` : 'more come'} …` : count(size, 'task')}</span>
      ${setting && html`<span>with ${setting.text} · <button type="button" onClick=${() => ask(setting.none)}>all tasks</button></span>`}</div>
    <${Unknown} query=${{ ...query, sort: isOrder(query.sort) ? '' : query.sort }} words=${{ state: STATES, sort: ORDERS }} instead=${{ state: 'all are shown', sort: 'they are in their own order' }} />
    ${past.left > 0 && html`<p class="faint">Of ${count(past.left, 'more task')} without a number it is not read what they reported before; ${MOST_LAST} are read.</p>`}
    <${Trouble} state=${all ? read : pages.trouble} what="Tasks" /><${Trouble} state=${past.state} what="What tasks reported last" />
    ${size === 0 ? html`<p class="empty faint">${all && !read.complete ? 'Reading tasks …' : text || state || setting ? 'No task fits.' : 'No tasks are listed yet.'}</p>`
      : html`<${Rows} label="Tasks" columns=${columns} count=${size} sorted=${by} desc=${desc} onSort=${sort} seen=${pages.want}
          row=${(i) => {
            const task = all ? list[i] : pages.task(i);
            return task && cellsFor(columns, task);
          }} />`}`;
}
