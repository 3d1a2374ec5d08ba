// One job: why it is as it is first, then how far it is, then its parts.
import { html } from './vendor/htm-preact.js';
import { get, useApi, useNow, usePolled, jobPath } from './api.js';
import { age, count, counts, evidence, failure, jobState, progressOf } from './format.js';
import { exported } from './exported.js';
import { to } from './route.js';
import { Missing, State, Loaded, Progress, Title, Tabs, Ago, Trouble } from './parts.js';
import { Command, Sentence } from './copy.js';
import { doneOf, jobTook } from './jobs.js';
import { EventTable } from './events.js';
import { Tasks } from './tasks.js';
import { Task } from './task.js';
import { Logs } from './logs.js';
import { Sweep } from './sweep.js';
import { Curves } from './curves.js';
import { JobTimeline } from './jobtimeline.js';
import { jobCost, useCost } from './costs.js';
import { Chain } from './chain.js';

// Why attempts ended: of an ended job the summary has the only cause.
const ATTEMPTS = ['failing', 'interrupted'];

function Reasons({ job, why }) {
  const attempts = why.reasons.filter((it) => ATTEMPTS.includes(it.kind)).length;
  const reasons = job.endedAt && attempts === 1 ? why.reasons.filter((it) => !ATTEMPTS.includes(it.kind)) : why.reasons;
  return html`<section class="why" aria-label="Why"><p>${why.summary}</p>
    ${reasons.length > 0 && html`<ul class="problems">${reasons.map((it) => html`<li class=${NORMAL.includes(it.kind) ? 'normal' : ''}><b>${it.kind}</b> <${Sentence} text=${it.text} /></li>`)}</ul>`}
    ${why.remedy && html`<p><b>to do</b> <${Sentence} text=${why.remedy} /></p>`}
    ${why.queue.length > 0 && !reasons.some((it) => it.kind === 'turn') && html`<p>before it: ${why.queue.join(', ')}</p>`}</section>`;
}

const Failures = ({ job, now }) => job.failures?.length > 0 && html`<h2>Newest attempts without a result</h2>
  <ol class="attempts">${job.failures.slice(0, 10).map((it) => html`<li><p><a href=${to(['c', job.cluster, 'j', job.uid, 't', it.index])}>task ${it.index}</a>,
    attempt ${it.attempt} · ${failure(it)} · on ${it.worker} · <${Ago} at=${it.at} now=${now} /></p>${evidence(it) && html`<pre>${evidence(it)}</pre>`}</li>`)}</ol>`;

// A reason that stands above is not told twice; it may be a moment older, and its ages with it.
const ageless = (text) => text.replace(/(?:[0-9]+[dhms])+/g, '');
const started = (text, reasons) => {
  const same = reasons.find((it) => ageless('unknown: ' + it.text) === ageless(text));
  return same ? 'unknown: ' + same.kind : text;
};

function End({ job, reasons }) {
  const estimate = useApi(`${jobPath(job.cluster, job.uid)}/estimate`, 30).data;
  return estimate && html`${estimate.start && html`<dt>start</dt><dd>${started(estimate.start.text, reasons)}</dd>`}<dt>end</dt><dd>${estimate.text}</dd>`;
}

function Overview({ job, now }) {
  const cost = useCost(job.cluster, { by: 'day', job: job.uid }).data;
  const why = useApi(`${jobPath(job.cluster, job.uid)}/explain`, job.endedAt ? 60 : 4);
  return html`<${Loaded} state=${why} what="The reasons">${(it) => html`<${Reasons} job=${job} why=${it} /><${Chain} job=${job} />
    <dl>${job.owner && html`<dt>owner</dt><dd>${job.owner}</dd>`}<dt>uid</dt><dd>${job.uid}</dd>
      <dt>submitted</dt><dd><${Ago} at=${job.submittedAt} now=${now} /></dd>
      ${job.endedAt && html`<dt>took</dt><dd>${jobTook(job)}</dd>`}
      ${!job.endedAt && html`<${End} job=${job} reasons=${it.reasons} />`}
      ${cost && html`<dt>cost</dt><dd>${jobCost(cost, job.maxUsd)}</dd>`}
      ${counts(job.attempts) && html`<dt>attempts without a result</dt><dd>${counts(job.attempts)}</dd>`}
      ${job.image && html`<dt>image</dt><dd>${job.image.image}</dd>`}${job.spec?.run?.command && html`<dt>command</dt><dd><${Command} text=${job.spec.run.command.join(' ')} /></dd>`}
      ${job.outcome && html`<dt>outcome</dt><dd>${job.outcome}</dd>`}</dl>
    <${Failures} job=${job} now=${now} /><h2>Newest events</h2><${EventTable} cluster=${job.cluster} events=${it.events} />`}<//>`;
}

/** Of so many tasks at most the running ones are asked how far they are. */
const FEW = 50;

/** How far the running tasks are by their own metrics: in tasks' worth, and in words. */
function useSteps(job) {
  const asked = job && !exported && !job.endedAt && job.totals.leased > 0 && job.tasks > 0 && job.tasks <= FEW;
  const read = usePolled((signal) => (asked ? get(`${jobPath(job.cluster, job.uid)}/tasks?limit=${FEW}&state=running`, signal) : { tasks: [] }), `steps ${job?.uid} ${asked}`, asked ? 5 : 0).data;
  const known = (read?.tasks ?? []).map(progressOf).filter(Boolean), steps = known.reduce((n, it) => n + it.part, 0);
  return { steps, text: known.length === 1 ? known[0].text : known.length ? `${count(known.length)} running tasks at ${Math.round((100 * steps) / known.length)} % of their steps` : '' };
}

// Nothing is wrong where these are the reasons: they pass by themselves.
const NORMAL = ['starting', 'preparing', 'turn', 'booting', 'queued', 'running', 'hold', 'kept', 'retried', 'waiting', 'predecessors', 'before', 'open'];

/** A job that was submitted just now is there some seconds later: so often it is asked for. */
const JUST_MADE = 4;

const TABS = ['overview', 'tasks', 'sweep', 'curves', 'timeline', 'logs'];

export function Job({ cluster, name, parts, query }) {
  const owner = query.owner ? '?owner=' + encodeURIComponent(query.owner) : '';
  const state = useApi(jobPath(cluster, name) + owner, 3, JUST_MADE), now = useNow();
  const [tab = 'overview', index] = parts, { steps, text: stepsText } = useSteps(state.data);
  if (state.data === undefined) return html`<${Title} text=${'Job ' + name} /><${Loaded} state=${state} what="The job">${() => null}<//>`;
  const job = state.data, link = (it) => to(['c', cluster, 'j', job.uid, ...it]);
  if (tab === 't' && index !== undefined) return html`<${Trouble} state=${state} what="The job" /><${Task} job=${job} index=${index} query=${query} />`;
  const sweep = job.spec?.tasks?.kind !== 'inputs', known = TABS.includes(tab) && index === undefined;
  return html`<${Title} text=${job.name}>Job ${job.name}<//><${Trouble} state=${state} what="The job" />
    <p class="facts"><${State} of=${jobState(job)} /><span>${doneOf(job)} done</span>${job.totals.failed > 0 && html`<span class="bad">${count(job.totals.failed)} failed</span>`}
      <span>${count(job.totals.leased)} running or next</span>${stepsText && html`<span>${stepsText}</span>`}<span>${count(job.totals.ready)} waiting</span><span>${job.endedAt ? 'took ' + jobTook(job) : 'for ' + age(job.submittedAt, now)}</span></p>
    <${Progress} job=${job} steps=${steps} />
    <${Tabs} label="Parts of the job" current=${tab} tabs=${[['overview', link([])], ['tasks', link(['tasks'])], ...(sweep ? [['sweep', link(['sweep'])]] : []), ['curves', link(['curves'])], ['timeline', link(['timeline'])], ...(exported ? [] : [['logs', link(['logs'])]])]} />
    ${!known && html`<${Missing} state=${{}} what=${`The view ${parts.join('/')}`}>A job has the views above; a task is at t/INDEX.<//>`}
    ${known && tab === 'overview' && html`<${Overview} job=${job} now=${now} />`}${tab === 'tasks' && html`<${Tasks} job=${job} query=${query} />`}
    ${tab === 'sweep' && html`<${Sweep} job=${job} query=${query} />`}${tab === 'curves' && html`<${Curves} job=${job} query=${query} />`}
    ${tab === 'timeline' && html`<${JobTimeline} job=${job} query=${query} />`}${tab === 'logs' && html`<${Logs} job=${job} />`}`;
}
