// One task: its attempts with their causes, its metrics, its log.
import { html, useMemo } from './vendor/htm-preact.js';
import { useApi, useNow, jobPath } from './api.js';
import { between, bytes, COUNTS, decimal, failure, inZone, kept, lasted, memory, number, progressOf, took, values, count } from './format.js';
import { Link } from './route.js';
import { exported } from './exported.js';
import { Sentence } from './copy.js';
import { State, Loaded, Ago, Title, Table, Trouble } from './parts.js';
import { Logs } from './logs.js';
import { nextOf, ranInAll, workersOf } from './spans.js';
import { record, useCurves, linesOf, metricsIn, resumed } from './history.js';
import { MetricPlot } from './curves.js';
import { useLast } from './last.js';
import { divergedOf } from './diverged.js';

/** The last lines of what an attempt said. */
const Attempt = ({ it, next, now, cluster }) => html`<li><p><b>attempt ${it.attempt}</b> · ${failure(it)}${it.worker && html` · on${workersOf(it).map((w, i) => html`${i > 1 ? ', ' : i ? ', with ' : ' '}<${Link} parts=${['c', cluster, 'w', w]}>${w}<//>`)}`} · <${Ago} at=${it.at} now=${now} /></p>
  ${kept(it, next) && html`<p class="faint">${it.startedAt && `Ran ${between(it.startedAt, it.at)}; `}${kept(it, next)}.</p>`}
  ${it.evidence?.trim() && html`<pre>${it.evidence.trimEnd().split('\n').slice(-12).join('\n')}</pre>`}</li>`;

/** Of what it asked for. */
const used = (use, asked) => `at most ${memory(use.peakMemory)}${asked.memory ? ` of the ${memory(bytes(asked.memory))} that it asked for` : ''}; ${use.cpuSeconds > 0 ? `${decimal(use.cpus)} CPU on the mean since it began${
  asked.cpu ? `, of the ${decimal(asked.cpu)} that it asked for` : ''}` : 'CPU not measured: it ended before a second look at its processes'}`;

/** How long it took or runs: all of its attempts, and the last of them. */
function lastedInAll(task, span, now) {
  const verb = task.endedAt ? 'took' : 'for', each = ranInAll(task, now);
  return each ? `${verb} ${each.whole ? '' : 'at least '}${lasted(each.all / 1000)} in ${count(task.attempts.total)} attempts, the last ${lasted(each.last / 1000)}` : `${verb} ${lasted(span)}`;
}

const fact = (name, value) => value !== undefined && value !== '' && html`<dt>${name}</dt><dd>${value}</dd>`;

/** The newest values; of a task that has none, what it reported last. */
function Values({ job, task }) {
  const { byIndex } = useLast(job, useMemo(() => [task], [task]), useMemo(() => Object.keys(task.metrics ?? {}), [task])), past = byIndex.get(task.index);
  const shown = { ...past?.last, ...task.metrics }, gone = new Set(past?.diverged ?? []);
  if (!Object.keys(shown).length) return null;
  return html`<${Table} label="Metrics" rows=${1} head=${[['Metric'], [task.metrics ? 'Newest' : 'Last before it failed', 'num']]}>
    ${values(shown).map(([name, value]) => html`<tr><td>${name}</td><td class="num">${gone.has(name) ? html`<span class="bad">NaN, was ${number(past.last[name])}</span>` : number(value)}</td></tr>`)}<//>`;
}

/** Attempts of which there is no value, so that a curve begins where a later one did. */
const unstored = (n) => `Of ${count(n, 'other attempt')} no value is stored: what ${n === 1 ? 'it' : 'they'} did is missing in the curve, also at its beginning.`;

/** Metrics of all attempts, from their first values on. */
function Over({ job, task, query }) {
  const state = useCurves(job, [task]);
  if (!exported) record(job.uid, [task]);
  const attempts = linesOf(job.uid, task, state.data ?? []).filter((it) => it.points.length), names = metricsIn(attempts), one = attempts.length === 1;
  const lines = resumed(attempts, COUNTS.find((it) => names.includes(it))).map((it) => ({ ...it, label: one ? `attempt ${it.attempt}` : 'all attempts', running: task.state === 'running' }));
  if (!lines.length) return state.problem ? html`<${Trouble} state=${state} what="Metrics over time" />` : null;
  return html`<h2>Metrics over time</h2><${Trouble} state=${state} what="Metrics over time" />
    <${MetricPlot} job=${job} lines=${lines} metrics=${metricsIn(lines)} query=${query} live=${!task.endedAt && !job.endedAt} what=${`task ${task.index}`}
      said=${`${task.attempts?.total > attempts.length ? `${unstored(task.attempts.total - attempts.length)} ` : ''}${one ? 'Its attempt' : `Its ${attempts.length} newest attempts`} from the first value on, ${count(lines[0].points.length, 'point')}${
        one ? '' : ', as one line with a dot where an attempt resumed and a gap where nothing is known before that'}.`} />`;
}

export function Task({ job, index, query }) {
  const now = useNow(), state = useApi(`${jobPath(job.cluster, job.uid)}/tasks/${encodeURIComponent(index)}`, job.endedAt ? 30 : 4);
  return html`<${Title} text=${`Task ${index} of ${job.name}`}>Task ${index} of <${Link} parts=${['c', job.cluster, 'j', job.uid]}>${job.name}<//><//>
    <${Loaded} state=${state} what="The task">${(task) => {
      const span = took(task, now), failures = task.failures ?? (task.failure ? [task.failure] : []), a = task.attempts;
      return html`<p class="facts"><${State} of=${task.state} />${divergedOf(task).length > 0 && html`<span class="bad">diverged: ${divergedOf(task).join(', ')} became NaN or an infinity</span>`}${span !== undefined && html`<span>${lastedInAll(task, span, now)}</span>`}
          ${a && html`<span>${[!(a.total > 1 && span !== undefined) && count(a.total, 'attempt'), a.failures && `${a.failures} failed`, a.infrastructure && `${a.infrastructure} preempted, lost or failed by the infrastructure`].filter(Boolean).join(', ')}</span>`}${!task.endedAt && progressOf(task) && html`<span>${progressOf(task).text}</span>`}</p>
        ${(task.waits || task.stalled) && html`<ul class="problems"><li><${Sentence} text=${task.waits ?? task.stalled.why} /></li></ul>`}
        <div class="columns"><dl>${fact('input', task.input)}${fact('gathers', task.gathered)}
          ${values(task.variables).map(([name, value]) => fact(name, value))}${fact('output', task.output)}
          ${fact('continued from', task.continued && inZone(task.continued))}
          ${task.workers.length > 0 && fact(task.workers.length > 1 ? 'workers' : 'worker', task.workers.map((w) => html`<${Link} parts=${['c', job.cluster, 'w', w]}>${w}<//> `))}
          ${task.startedAt && fact('started', html`<${Ago} at=${task.startedAt} now=${now} />`)}
          ${task.endedAt && fact('ended', html`<${Ago} at=${task.endedAt} now=${now} />`)}
          ${task.use && fact('used', used(task.use, job.spec?.resources ?? {}))}
          ${task.doneBefore && fact('sentinel', html`<${Sentence} ends text=${`${task.doneBy ? `of task ${task.doneBy}` : 'an earlier job’s or another program’s'}: it did not run in this job${task.doneBy ? `; its log: mayfly logs ${task.doneBy}` : ''}`} />`)}</dl>
        <${Values} job=${job} task=${task} /></div>
        <${Over} job=${job} task=${task} query=${query} />
        ${failures.length > 0 && html`<h2>Attempts without a result</h2><ol class="attempts">
          ${failures.map((it, i) => html`<${Attempt} it=${it} next=${nextOf(task, failures, i)} now=${now} cluster=${job.cluster} />`)}</ol>`}
        <h2>Log</h2><${Logs} job=${job} index=${index} />`;
    }}<//>`;
}
