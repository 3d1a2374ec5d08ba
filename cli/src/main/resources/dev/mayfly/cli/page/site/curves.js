// Curves over time: how many tasks are done, and metrics as they were seen here.
import { html, useEffect, useRef, useMemo } from './vendor/htm-preact.js';
import uPlot from './vendor/uplot.js';
import { useAllTasks, namesOf } from './alltasks.js';
import { count, moment, number } from './format.js';
import { exported, present } from './exported.js';
import { record, recorded } from './history.js';
import { ask } from './route.js';
import { Trouble } from './parts.js';

const LINES = 12, colours = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Marks on an axis of time, with the day where it begins or changes; uPlot has only the American way. */
function times(_, marks, axis, space, every) {
  let before;
  return marks.map((it) => {
    const [day, time] = moment(it * 1000, 0).split(' '), shown = every < 60 ? time : time.slice(0, 5);
    const said = day === before ? shown : `${shown}\n${day}`;
    before = day;
    return said;
  });
}

/** One plot, made anew where its lines are others, else given its numbers. */
function Plot({ label, series, data, time, steps }) {
  const box = useRef(), plot = useRef(), key = series.join('\n') + time;
  useEffect(() => {
    const ink = colours('--ink'), grid = { stroke: colours('--line'), width: 1 }, axis = { stroke: ink, grid, ticks: grid, font: '12px system-ui' };
    const stroke = (i) => colours('--hue' + (i % 7));
    plot.current = new uPlot({ width: box.current.clientWidth, height: 280, scales: { x: { time } }, cursor: { drag: { x: true, y: false } },
      legend: { show: series.length <= LINES, live: true }, axes: [time ? { ...axis, space: 80, values: times } : axis, { ...axis, size: 64, values: (_, all) => all.map((it) => number(it)) }],
      series: [time ? { label: 'time', value: (_, at) => (at ? moment(at * 1000, 0) : '–') } : { label: 'step' },
        ...series.map((it, i) => ({ label: it, stroke: stroke(i), width: 1.6, spanGaps: true, points: { show: false }, paths: steps ? uPlot.paths.stepped({ align: 1 }) : undefined }))] }, data, box.current);
    const watch = new ResizeObserver(() => plot.current.setSize({ width: box.current.clientWidth, height: 280 }));
    watch.observe(box.current);
    return () => {
      watch.disconnect();
      plot.current.destroy();
    };
  }, [key]);
  useEffect(() => plot.current.setData(data), [data]);
  return html`<div class="plot" ref=${box} role="img" aria-label=${label}></div>`;
}

/** How many tasks had ended well by each time, from the times at which they ended. */
function doneOverTime(tasks, job) {
  const ends = tasks.filter((it) => it.state === 'done' && it.endedAt && !it.doneBefore).map((it) => Date.parse(it.endedAt) / 1000).sort((a, b) => a - b);
  const start = Date.parse(job.mayRunSince ?? job.submittedAt) / 1000, now = job.endedAt ? Date.parse(job.endedAt) / 1000 : present() / 1000;
  const step = Math.max(1, Math.floor(ends.length / 1500)), kept = ends.map((at, i) => [at, i + 1]).filter((_, i) => i % step === 0 || i === ends.length - 1);
  return [[start, ...kept.map(([at]) => at), Math.max(now, kept.at(-1)?.[0] ?? 0)], [0, ...kept.map(([, n]) => n), ends.length]];
}

/** Lines of several tasks on one axis, over a metric that counts steps if there is one. */
function joined(histories, metric, over) {
  const xs = new Map();
  histories.forEach(([, points], i) => points.forEach((it) => {
    const x = over ? it.metrics[over] : it.at / 1000, y = it.metrics[metric];
    if (Number.isFinite(x) && Number.isFinite(y)) (xs.get(x) ?? xs.set(x, []).get(x))[i] = y;
  }));
  const sorted = [...xs.keys()].sort((a, b) => a - b);
  return [sorted, ...histories.map((_, i) => sorted.map((x) => xs.get(x)[i] ?? null))];
}

export function Curves({ job, query }) {
  const read = useAllTasks(job, { most: 20_000 });
  const done = useMemo(() => doneOverTime(read.tasks, job), [read, job.endedAt]);
  useEffect(() => {
    if (read.complete) record(job.uid, read.tasks);
  }, [read]);
  if (read.complete) record(job.uid, read.tasks);
  const metrics = namesOf(read.tasks, 'metrics'), over = ['step', 'epoch', 'iteration'].find((it) => metrics.includes(it));
  const metric = metrics.includes(query.metric) ? query.metric : metrics.find((it) => it !== over);
  const all = recorded(job.uid), chosen = all.slice(0, LINES), lines = metric ? joined(chosen, metric, over) : undefined;
  return html`<${Trouble} state=${read} what="Tasks" /><h2>Tasks done</h2>
    ${done[0].length > 2 ? html`<${Plot} label=${`${done[1].at(-1)} tasks done over time`} series=${['done']} data=${done} time=${true} steps=${true} />
      <p class="faint">By the times at which tasks ended${read.complete ? '' : `, of the first ${count(read.tasks.length)} tasks`}.</p>` : html`<p class="faint">No task is done yet.</p>`}
    ${!exported && html`<h2>Metrics</h2>${!metric ? html`<p class="faint">No task has reported metrics yet: tasks write numbers as JSON to <code>$MAYFLY_METRICS</code>.</p>` : html`
      <div class="bar"><label>Metric <select onChange=${(e) => ask({ metric: e.target.value })}>${metrics.map((it) =>
        html`<option value=${it} selected=${it === metric}>${it}</option>`)}</select></label></div>
      ${lines[0].length > 1 ? html`<${Plot} label=${`${metric} of ${chosen.length} tasks`} series=${chosen.map(([index]) => `task ${index}`)} data=${lines} time=${!over} />`
        : html`<p class="faint">One value so far; a curve needs two.</p>`}
      <p class="faint">Seen while this page is open${all.length > LINES ? `, the ${LINES} tasks with most values of ${count(all.length)}` : ''}: what was before is not known here, for Mayfly keeps the newest values only.</p>`}`}`;
}
