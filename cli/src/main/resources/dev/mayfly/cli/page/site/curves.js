// Curves over time: how many tasks are done and may be, and metrics of tasks.
import { html, useMemo } from './vendor/htm-preact.js';
import { useApi, useNow, jobPath } from './api.js';
import { useAllTasks, namesOf, compare } from './alltasks.js';
import { uncounted, age, aOf, count, COUNTS, countedUntil, duration, endOfJob, jobState, moment, number, takesInAll } from './format.js';
import { exported, present } from './exported.js';
import { record, useCurves, linesOf, joined, metricsIn, newest, resumed } from './history.js';
import { ask, to } from './route.js';
import { Trouble, Unknown, known } from './parts.js';
import { Plot, LINES } from './plot.js';
import { endsOf, gapped, hiddenBy, leftOut, scaleOf, SCALES } from './lines.js';
import { directionOf, foremost, rankable } from './direction.js';
import { divergedOf } from './diverged.js';
import { isSeed, seedOf, settingOf, varyingOf } from './groups.js';
import { short } from './plots.js';

/** How many tasks had ended well by each time, from the times at which they ended. */
function doneOverTime(tasks, job) {
  const ends = tasks.filter((it) => it.state === 'done' && it.endedAt && !it.doneBefore).map((it) => Date.parse(it.endedAt) / 1000).sort((a, b) => a - b);
  const start = Date.parse(job.mayRunSince ?? job.submittedAt) / 1000, now = Date.parse(job.endedAt ?? job.countedAt ?? new Date(present()).toISOString()) / 1000;
  const step = Math.max(1, Math.floor(ends.length / 1500)), kept = ends.map((at, i) => [at, i + 1]).filter((_, i) => i % step === 0 || i === ends.length - 1);
  return [[start, ...kept.map(([at]) => at), Math.max(now, kept.at(-1)?.[0] ?? 0)], [0, ...kept.map(([, n]) => n), ends.length]];
}

/** The same with what may come: from now to all done, at the earliest and at the latest. */
function withFan([xs, done], all, { earliest, latest }) {
  const now = xs.at(-1), from = done.at(-1), [first, last] = [earliest, latest].map((it) => Math.max(now + 1, Date.parse(it) / 1000));
  const end = Math.max(last, first + 1), before = Array(xs.length - 1).fill(undefined);
  return [[...xs, first, end], [...done, undefined, undefined], [...before, from, all, all],
    [...before, from, from + ((all - from) * (first - now)) / (end - now), all]];
}

/** When it may end, by the clock and by how long that is. */
const ends = (job, estimate) => (estimate.rest ? ` It ends ${endOfJob(estimate)}, nine times out of ten: ${uncounted(job, estimate.text)}. In all it takes ${takesInAll(job, estimate)}.` : ` Its end is ${estimate.text}.`);

/** With a view it is on the axis of what is above it. Of one task there is no curve: it is done or not. */
export function DoneCurve(props) {
  const { job, estimate } = props, [state, said] = [jobState(job), job.totals.done ? ' It is done.' : job.totals.failed ? ' It failed.' : ''];
  if (job.tasks === 1) return html`<p class="faint">The job is one task, so that there is no curve of how many are done.${said || ` It ${state === 'running' ? 'runs' : 'is ' + state}.`}${!said && estimate ? ends(job, estimate) : ''}</p>`;
  return html`<${DoneOverTime} ...${props} />`;
}

function DoneOverTime({ job, read, estimate, view, left }) {
  const done = useMemo(() => doneOverTime(read.tasks, job), [read, job.endedAt, job.countedAt]), rest = read.complete && estimate?.rest;
  const all = useMemo(() => done[1].at(-1) + job.totals.ready + job.totals.leased, [done, job.totals.ready, job.totals.leased]);
  const data = useMemo(() => (rest ? withFan(done, all, rest) : done), [done, all, rest?.earliest, rest?.latest]);
  if (done[0].length < 3 && !rest) return html`<p class="faint">No task is done yet.</p>${estimate && html`<p class="faint">Its end is ${estimate.text}.</p>`}`;
  return html`<${Plot} label=${`${count(done[1].at(-1), 'task')} done over time${rest ? ', and when all may be' : ''}`} time=${true} steps=${true} title="tasks done" most=${Math.max(1, all)} fan=${Boolean(rest)}
      series=${rest ? ['done', 'at the earliest', 'at the latest'] : ['done']} data=${data} view=${view} left=${left} />
    <p class="faint">By the times at which tasks ended${read.complete ? '' : `, of the first ${count(read.tasks.length)} tasks`}${countedUntil(job) && `; ${countedUntil(job)}`}.${rest
      ? ` Shaded: all done between ${moment(rest.earliest)} and ${moment(rest.latest)}, nine times out of ten; ${uncounted(job, estimate.text)}.` : estimate ? ` Its end is ${estimate.text}.` : ''}</p>`;
}

const Running = ({ job, read }) => html`<${DoneCurve} job=${job} read=${read} estimate=${useApi(`${jobPath(job.cluster, job.uid)}/estimate`, 30).data} />`;

/** Tasks that have a history, as far as the read API tells: of what failed it has no values. */
const told = (it) => it.metrics || it.state === 'failed' || it.attempts?.failures > 0 || it.attempts?.infrastructure > 0;

const LABEL = 60, MOST_GAPS = 6;

const ORDERS = { '': 'best and worst', number: 'by number', low: 'lowest', high: 'highest' };

/**
 * The tasks whose lines are drawn: those that are named, else all if they are few, else those at the ends of an order, and
 * why these. Those that have no value of the metric are drawn where there is room.
 *
 * @param at when that was, in words; empty of a job whose values stay
 */
function chosen(tasks, { tasks: named = '', by = '', best }, metric, at) {
  const wanted = new Set(namedOf(named)), begun = tasks.filter(told), value = (it) => it.metrics?.[metric];
  if (wanted.size) return { of: tasks.filter((it) => wanted.has(it.index)).slice(0, LINES), why: 'those that are named' };
  if (begun.length <= LINES) return { of: begun, why: 'all of them' };
  const isOff = (it) => rankable(divergedOf(it)).length > 0, counts = (it) => !isOff(it) && Number.isFinite(value(it)), known = begun.filter(counts), others = begun.filter((it) => !counts(it));
  if (by === 'number' || !known.length) return { of: begun.slice(0, LINES), why: `the first by number, ${LINES} at most` };
  const { low, said, unknown } = directionOf(metric, best), up = by ? by !== 'high' : low, order = known.sort((a, b) => (up ? compare(value(a), value(b)) : compare(value(b), value(a))) || a.index - b.index);
  if (by) return { of: order.slice(0, LINES), out: leftOut(others, isOff), why: `those with the ${ORDERS[by] ?? by} ${metric}${at}, ${LINES} at most` };
  const half = LINES / 2, ends = order.length <= LINES ? order : [...order.slice(0, half), ...order.slice(-half)];
  return { of: [...ends, ...others.slice(0, LINES - ends.length)], out: leftOut(others.slice(LINES - ends.length), isOff), why: order.length <= LINES ? `those with ${aOf(metric)} that counts, and the first of those without` : `the ${half} ${unknown ? 'highest' : 'best'} and the ${half} ${unknown ? 'lowest' : 'worst'} by ${metric}${at} (${said})` };
}

const namedOf = (named = '') => (named.match(/\d+/g) ?? []).map(Number);

/** How lines are told apart: by setting in colours, and of one setting by dashes, with all of it in words. */
function identities(tasks, by) {
  const settings = [...new Set(tasks.map((it) => settingOf(it, by)))], byIndex = new Map(), seen = new Map();
  for (const it of tasks) {
    const setting = settingOf(it, by), n = seen.get(setting) ?? 0, words = [by.length && setting, seedOf(it) && `seed ${seedOf(it)}`].filter(Boolean).join(', ');
    seen.set(setting, n + 1);
    byIndex.set(it.index, { label: `task ${it.index}${words ? `: ${short(words, LABEL)}` : ''}`, name: `task ${it.index}${words ? ` (${words})` : ''}`, hue: settings.indexOf(setting), dash: n });
  }
  return (index) => byIndex.get(index);
}

/** How far apart the newest points of tasks that run may be without a word. */
const APART = 90_000;

/**
 * How old the newest point is, since it was read on its machine, and how much newer there may be. A task whose newest one is
 * older than others' is named: it may hang, or its machine is silent.
 */
function Newest({ lines, live }) {
  const now = useNow(), all = newest(lines), [first] = all, since = (it) => (exported || !live ? `of ${moment(it.at, 0)}` : `${age(new Date(it.at), now)} old`);
  const old = live ? all.filter((it) => it.line.running && first.at - it.at > APART) : [];
  return html`The newest point is ${since(first)}${first.seen && live ? ', since it was seen here: this control plane does not tell when it was read' : ''}.${old.length > 0 && html` <b>Of ${
    old.slice(0, MOST_GAPS).map((it) => `task ${it.line.index} it is ${since(it)}`).join(', of ')}${old.length > MOST_GAPS ? ' …' : ''}.</b>`}${live
    ? ' Of a running task the newest values come once a minute, and all before them after one, three, seven and fifteen minutes, then every ten.' : ''}`;
}

/** What attempts of a line did that was done again, beside the line. */
const againOf = (line) => (line.again ?? []).map((points) => ({ label: `${line.label}, done again`, points, hue: line.hue ?? 0, dash: line.dash, pale: true }));

/** What the pale lines are: what was done after a checkpoint, or all of an attempt that had none. */
function againSaid(lines, again) {
  const anew = lines.reduce((n, it) => n + (it.restarts ?? 0), 0), who = again.length === 1 ? 'an attempt' : 'attempts';
  if (anew === again.length) return `what ${who} did without a checkpoint, which the next one did again from the start`;
  return `what ${who} did after the last checkpoint${anew ? ', or without one,' : ''} which the next one did again`.replace('checkpoint which', 'checkpoint, which');
}

/** Of a line's attempts what is not known: between its last point and where the next one resumed, or until its loss. */
const unknownOf = (line, steps, who) => [...line.gaps.map(([from, to]) => `${who}from ${steps} ${number(from)} to ${number(to)}`),
  ...(line.tails ?? []).map((it) => `${who}the last ${duration((it.until - it.at) / 1000)} of attempt ${it.attempt}${it.step === undefined ? '' : `, after ${steps} ${number(it.step)}`}`)];

/** A choice of a metric, lines of it, and what they are. */
export function MetricPlot({ job, lines, metrics, query, what, said, live, children }) {
  const over = COUNTS.find((it) => metrics.includes(it)), metric = metrics.includes(query.metric) ? query.metric : foremost(metrics) ?? metrics.find((it) => it !== over) ?? metrics[0];
  const steps = over === metric ? undefined : over, known = [metric, steps, ...lines.map((it) => [it.label, it.points.length, it.points.at(-1)?.at])].join();
  // The same numbers are not given again, or a part that is zoomed into would be left each second.
  const broken = useMemo(() => lines.map((it) => gapped(it, steps)), [known]), again = useMemo(() => lines.flatMap(againOf), [known]);
  const whole = useMemo(() => joined([...broken, ...again], metric, steps), [broken]), scale = scaleOf(query.scale, whole);
  const data = useMemo(() => (scale.log ? [whole[0], ...whole.slice(1).map((line) => line.map((it) => (it > 0 ? it : it === undefined ? it : null)))] : whole), [whole, scale.log]), drawn = data[0].length > 1;
  const ends = useMemo(() => lines.map((it) => endsOf(it, metric, steps)), [known]), ended = lines.map((it, i) => [it, ends[i]]).filter(([, end]) => end), hidden = scale.log ? hiddenBy(whole) : 0;
  const unknown = steps ? broken.flatMap((it) => unknownOf(it, steps, lines.length > 1 ? `${it.name ?? it.label} ` : '')) : [];
  return html`<div class="bar"><label>Metric <select onChange=${(e) => ask({ metric: e.target.value })}>${metrics.map((it) =>
        html`<option value=${it} selected=${it === metric}>${it}</option>`)}</select></label>
      <label>Scale <select onChange=${(e) => ask({ scale: e.target.value })}>${Object.entries(SCALES).map(([it, text]) =>
        html`<option value=${it} selected=${it === scale.name}>${text}</option>`)}</select></label>${children}</div>
    ${scale.said && html`<p class="warn" role="note">${scale.said}</p>`}
    ${drawn ? html`<${Plot} label=${`${metric} of ${what}`} series=${[...lines, ...again].map(({ label, hue, dash, pale }) => ({ label, hue, dash, pale }))} log=${scale.log} ends=${ends} data=${data} time=${!steps} over=${steps} title=${metric}
      marks=${lines.map((it) => (it.resumed ?? []).map((point) => (steps ? point.metrics[steps] : point.at / 1000)))} />`
      : html`<p class="faint">${data[0].length ? 'One value so far; a curve needs two.' : 'Nothing of it is known of these tasks yet.'}</p>`}
    ${again.length > 0 && html`<p class="faint">Pale: ${againSaid(lines, again)}.</p>`}
    ${hidden > 0 && html`<p class="faint">${count(hidden, 'value')} of 0 or less ${hidden === 1 ? 'is' : 'are'} not on a logarithmic scale.</p>`}
    ${unknown.length > 0 && html`<p class="faint">Missing in the curve, as values are stored every few minutes and a machine that is lost takes the newest along: ${unknown.slice(0, MOST_GAPS).join('; ')}${unknown.length > MOST_GAPS ? ' …' : ''}.</p>`}
    ${ended.length > 0 && html`<ul class="ends" aria-label="Curves that end by NaN">${ended.map(([it, end]) => html`<li><b>×</b> ${it.name ?? it.label}: ${metric} became NaN or an infinity after ${
      steps ? `${steps} ${number(end.x)}` : moment(end.x * 1000, 0)}, where it was ${number(end.y)}.</li>`)}</ul>`}
    ${lines.some((it) => it.points.length) && html`<p class="faint">${said} <${Newest} lines=${lines} live=${live} /></p>`}`;
}

/** Which tasks the lines are of, of how many. */
const drawnOf = (drawn, total, why) => (total === 1 ? 'The only task that has values or failed' : drawn === total ? `All ${count(total)} tasks that have values or failed` : `${count(drawn)} of the ${count(total)} tasks that have values or failed, ${why}`);

/** Tasks with attempts of which no value is stored. */
function beginless(lines, byIndex) {
  const some = lines.filter((it) => byIndex.get(it.index)?.attempts?.total > (it.attempts ?? 1)).map((it) => it.index);
  return some.length ? `; of ${some.length === 1 ? `task ${some[0]} an attempt is` : `tasks ${some.slice(0, MOST_GAPS).join(', ')}${some.length > MOST_GAPS ? ' …' : ''} attempts are`} missing, of which no value is stored` : '';
}

function Metrics({ job, read, query: asked }) {
  const query = { ...asked, by: known(asked.by, Object.keys(ORDERS)) ?? '' };
  const named = namesOf(read.tasks, 'metrics'), sorted = named.includes(query.metric) ? query.metric : foremost(named);
  const begun = Math.min(LINES + 1, read.tasks.filter(told).length);
  // Chosen once: an order by values that change would be another one every few seconds.
  const tasks = useMemo(() => chosen(read.tasks, query, sorted, job.endedAt ? '' : ` at ${moment(new Date(present()).toISOString())}`), [job.uid, job.endedAt, query.tasks, query.by, query.best, sorted, read.complete, begun]);
  const byIndex = new Map(read.tasks.map((it) => [it.index, it])), state = useCurves(job, tasks.of.map((it) => byIndex.get(it.index) ?? it));
  const names = namesOf(read.tasks, 'variables'), by = useMemo(() => varyingOf(read.tasks, names).filter((it) => !isSeed(it)), [read]), identity = identities(tasks.of, by);
  const missing = namedOf(query.tasks).filter((it) => read.complete && !byIndex.has(it));
  const lines = tasks.of.flatMap((it) => resumed(linesOf(job.uid, byIndex.get(it.index) ?? it, (state.data ?? []).filter((curve) => curve.index === it.index)), COUNTS.find((it) => named.includes(it))))
    .filter((it) => it.points.length).map((it) => ({ ...it, ...identity(it.index), running: byIndex.get(it.index)?.state === 'running' }));
  const metrics = [...new Set([...named, ...metricsIn(lines)])].sort(), total = read.tasks.filter(told).length;
  if (state.data === undefined && !state.problem && !lines.length) return html`<p class="loading">Reading metrics …</p>`;
  if (!metrics.length) return html`<${Trouble} state=${state} what="Metrics over time" />
    <p class="faint">No task has reported metrics yet: tasks write numbers as JSON to <code>$MAYFLY_METRICS</code>.</p>`;
  return html`<${Trouble} state=${state} what="Metrics over time" />
    <${Unknown} query=${asked} words=${{ by: Object.keys(ORDERS) }} instead=${{ by: `these are the ${ORDERS['']}` }} />
    ${missing.length > 0 && html`<p class="warn" role="note">The job has no task ${missing.join(', ')}: it has ${count(job.tasks)}, from 0. <a href=${to(['c', job.cluster, 'j', job.uid, 'tasks'])}>All tasks</a></p>`}
    <${MetricPlot} job=${job} lines=${lines} metrics=${metrics} query=${query} live=${!job.endedAt} what=${count(lines.length, 'task')}
      said=${`${drawnOf(lines.length, Math.max(total, lines.length), tasks.why)}${beginless(lines, byIndex)}${by.length && lines.length > 1 ? '; a colour for each setting' : ''}; all attempts of a task are one line, with a dot where one resumed and a gap where nothing is known before that, from its first value on, ${
        count(lines.reduce((n, it) => n + it.points.length, 0), 'point')} in all.`}>
      ${(total > LINES || query.by || query.tasks) && html`<label>Tasks <select onChange=${(e) => ask({ by: e.target.value, tasks: '' })}>${Object.entries(ORDERS).map(([it, text]) =>
        html`<option value=${it} selected=${it === (query.by ?? '') && !query.tasks}>${text}</option>`)}</select></label>`}
      ${job.tasks !== 1 && html`<label>${total > LINES || query.by || query.tasks ? 'or' : 'Tasks'} <input type="search" size="16" placeholder="0, 4, 17" aria-label="Numbers of tasks" value=${query.tasks ?? ''}
        onChange=${(e) => ask({ tasks: (e.target.value.match(/\d+/g) ?? []).slice(0, LINES).join(',') })} /></label>`}${tasks.out && html`<span class="faint">${tasks.out}</span>`}<//>`;
}

export function Curves({ job, query }) {
  const read = useAllTasks(job, { most: 20_000 }), running = jobState(job) === 'running';
  if (read.complete && !exported) record(job.uid, read.tasks);
  return html`<${Trouble} state=${read} what="Tasks" /><h2>Tasks done</h2>
    ${running ? html`<${Running} job=${job} read=${read} />` : html`<${DoneCurve} job=${job} read=${read} />`}
    <h2>Metrics</h2>${read.tasks.length || read.complete ? html`<${Metrics} job=${job} read=${read} query=${query} />` : html`<p class="loading">Reading tasks …</p>`}`;
}
