// One task: its attempts with their causes, its metrics, its log.
import { html } from './vendor/htm-preact.js';
import { useApi, useNow, jobPath } from './api.js';
import { between, decimal, duration, failure, gib, kept, number, progressOf, took, values, count } from './format.js';
import { Link } from './route.js';
import { exported } from './exported.js';
import { State, Loaded, Ago, Title, Table, Trouble } from './parts.js';
import { Logs } from './logs.js';
import { nextOf } from './spans.js';
import { record, useCurves, linesOf, metricsIn, resumed, COUNTS } from './history.js';
import { MetricPlot } from './curves.js';

/** The last lines of what an attempt said. */
const Attempt = ({ it, next, now, cluster }) => html`<li><p><b>attempt ${it.attempt}</b> · ${failure(it)}${it.worker && html` · on${' '}
    <${Link} parts=${['c', cluster, 'w', it.worker]}>${it.worker}<//>`} · <${Ago} at=${it.at} now=${now} /></p>
  ${kept(it, next) && html`<p class="faint">${it.startedAt && `Ran ${between(it.startedAt, it.at)}; `}${kept(it, next)}.</p>`}
  ${it.evidence?.trim() && html`<pre>${it.evidence.trimEnd().split('\n').slice(-12).join('\n')}</pre>`}</li>`;

/** Of what it asked for. */
const used = (use, asked) => `at most ${gib(use.peakMemory)}${asked.memoryBytes ? ` of ${gib(asked.memoryBytes)}` : ''} GiB of memory; ${decimal(use.cpus)}${
  asked.cpuMillis ? ` of ${decimal(asked.cpuMillis / 1000)}` : ''} CPU on the mean`;

const fact = (name, value) => value !== undefined && value !== '' && html`<dt>${name}</dt><dd>${value}</dd>`;

/** Metrics of all attempts, from their first values on. */
function Over({ job, task, query }) {
  const state = useCurves(job, [task.index]);
  if (!exported) record(job.uid, [task]);
  const attempts = linesOf(job.uid, task, state.data ?? []).filter((it) => it.points.length), names = metricsIn(attempts), one = attempts.length === 1;
  const lines = resumed(attempts, COUNTS.find((it) => names.includes(it))).map((it) => ({ ...it, label: one ? `attempt ${it.attempt}` : 'all attempts' }));
  if (!lines.length) return state.problem ? html`<${Trouble} state=${state} what="Metrics over time" />` : null;
  return html`<h2>Metrics over time</h2><${Trouble} state=${state} what="Metrics over time" />
    <${MetricPlot} job=${job} lines=${lines} metrics=${metricsIn(lines)} query=${query} live=${!task.endedAt && !job.endedAt} what=${`task ${task.index}`}
      said=${`${one ? 'Its attempt' : `Its ${attempts.length} newest attempts`} from the first value on, ${count(lines[0].points.length, 'point')}${
        one ? '' : ', as one line with a dot where an attempt resumed'}.`} />`;
}

export function Task({ job, index, query }) {
  const now = useNow(), state = useApi(`${jobPath(job.cluster, job.uid)}/tasks/${encodeURIComponent(index)}`, job.endedAt ? 30 : 4);
  return html`<${Title} text=${`Task ${index} of ${job.name}`}>Task ${index} of <${Link} parts=${['c', job.cluster, 'j', job.uid]}>${job.name}<//><//>
    <${Loaded} state=${state} what="The task">${(task) => {
      const span = took(task, now), failures = task.failures ?? (task.failure ? [task.failure] : []), a = task.attempts;
      return html`<p class="facts"><${State} of=${task.state} />${span !== undefined && html`<span>${task.endedAt ? 'took' : 'for'} ${duration(span)}</span>`}
          ${a && html`<span>${count(a.total, 'attempt')}${a.failures ? `, ${a.failures} failed` : ''}${a.infrastructure ? `, ${a.infrastructure} preempted, lost or failed by the infrastructure` : ''}</span>`}${!task.endedAt && progressOf(task) && html`<span>${progressOf(task).text}</span>`}</p>
        ${(task.waits || task.stalled) && html`<ul class="problems"><li>${task.waits ?? task.stalled.why}</li></ul>`}
        <div class="columns"><dl>${fact('input', task.input)}${fact('gathers', task.gathered)}
          ${values(task.variables).map(([name, value]) => fact(name, value))}${fact('output', task.output)}
          ${fact('continued from', task.continued)}
          ${task.workers.length > 0 && fact('worker', task.workers.map((w) => html`<${Link} parts=${['c', job.cluster, 'w', w]}>${w}<//> `))}
          ${task.startedAt && fact('started', html`<${Ago} at=${task.startedAt} now=${now} />`)}
          ${task.endedAt && fact('ended', html`<${Ago} at=${task.endedAt} now=${now} />`)}
          ${task.use && fact('used', used(task.use, job.spec?.resources ?? {}))}
          ${task.doneBefore && fact('sentinel', `${task.doneBy ? `of task ${task.doneBy}` : 'an earlier job’s or another program’s'}: it did not run in this job${task.doneBy ? `; its log: mayfly logs ${task.doneBy}` : ''}`)}</dl>
        ${task.metrics && html`<${Table} label="Metrics" rows=${1} head=${[['Metric'], ['Newest', 'num']]}>
          ${values(task.metrics).map(([name, value]) => html`<tr><td>${name}</td><td class="num">${number(value)}</td></tr>`)}<//>`}</div>
        <${Over} job=${job} task=${task} query=${query} />
        ${failures.length > 0 && html`<h2>Attempts without a result</h2><ol class="attempts">
          ${failures.map((it, i) => html`<${Attempt} it=${it} next=${nextOf(task, failures, i)} now=${now} cluster=${job.cluster} />`)}</ol>`}
        <h2>Log</h2><${Logs} job=${job} index=${index} />`;
    }}<//>`;
}
