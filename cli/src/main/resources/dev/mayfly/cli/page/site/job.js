// One job: why it is as it is first, then how far it is, then its parts.
import { html, useRef } from './vendor/htm-preact.js';
import { get, useApi, useLaptop, useNow, usePolled, jobPath } from './api.js';
import { countedUntil, counts, endOfJob, evidence, failure, jobProgress, jobState, lastedOf, neverBegan, restOf, takesInAll, TOOK, uncounted } from './format.js';
import { exported, simulation } from './exported.js';
import { to } from './route.js';
import { Aged, Missing, State, Loaded, Progress, Title, Tabs, Ago, Trouble } from './parts.js';
import { Command, Sentence } from './copy.js';
import { doneOf } from './jobs.js';
import { EventTable } from './events.js';
import { Tasks } from './tasks.js';
import { Task } from './task.js';
import { Logs } from './logs.js';
import { Sweep } from './sweep.js';
import { Curves } from './curves.js';
import { JobTimeline } from './jobtimeline.js';
import { placeOf } from './spans.js';
import { BesideIt, jobCost, useCost } from './costs.js';
import { Diverged } from './diverged.js';
import { Winner } from './winner.js';
import { useAllTasks, FEW } from './alltasks.js';
import { Waited } from './origin.js';
import { Chain } from './chain.js';

// Why attempts ended: of an ended job the summary has the only cause.
const ATTEMPTS = ['failing', 'repeated', 'recovered', 'interrupted'];

function Reasons({ job, why }) {
  const laptop = useLaptop(), isNormal = ({ kind }) => NORMAL.includes(kind) || (laptop && kind === 'limits');
  const attempts = why.reasons.filter((it) => ATTEMPTS.includes(it.kind)).length;
  const reasons = job.endedAt && attempts === 1 ? why.reasons.filter((it) => !ATTEMPTS.includes(it.kind)) : why.reasons;
  return html`<section class="why" aria-label="Why"><p><${Sentence} text=${why.summary} /></p>
    ${reasons.length > 0 && html`<ul class="problems">${reasons.map((it) => html`<li class=${isNormal(it) ? 'normal' : ''}><b>${it.kind}</b> <${Sentence} text=${it.text} /></li>`)}</ul>`}
    ${why.remedy && html`<p><b>to do</b> <${Sentence} text=${why.remedy} /></p>`}
    ${why.queue.length > 0 && !reasons.some((it) => it.kind === 'turn') && html`<p>before it: ${why.queue.join(', ')}</p>`}</section>`;
}

const Failures = ({ job, now }) => job.failures?.length > 0 && html`<h2>Newest attempts without a result</h2>
  <ol class="attempts">${job.failures.slice(0, 10).map((it) => html`<li><p><a href=${to(['c', job.cluster, 'j', job.uid, 't', it.index])}>task ${it.index}</a>,
    attempt ${it.attempt} · ${failure(it)} · on ${placeOf(it)} · <${Ago} at=${it.at} now=${now} /></p>${evidence(it) && html`<pre>${evidence(it)}</pre>`}</li>`)}</ol>`;

// A reason that stands above is not told twice; it may be a moment older, and its ages with it.
const ageless = (text) => text.replace(/(?:[0-9]+[dhms])+/g, '');
const started = (text, reasons) => {
  const same = reasons.find((it) => ageless('unknown: ' + it.text) === ageless(text));
  return same ? 'unknown: ' + same.kind : text;
};

function End({ job, reasons, now }) {
  const state = useApi(`${jobPath(job.cluster, job.uid)}/estimate`, 30), estimate = state.data;
  return estimate && html`${estimate.start && html`<dt>start</dt><dd><${Sentence} text=${started(estimate.start.text, reasons)} /></dd>`}<dt>end</dt><dd><${Sentence} text=${uncounted(job, estimate.text)} /><${Aged} state=${state} now=${now} /></dd>${
    estimate.rest && html`<dt>by the clock</dt><dd>${endOfJob(estimate)}; ${takesInAll(job, estimate)} in all</dd>`}`;
}

/** What its tasks ask for and used, and what to ask for instead: the words of mayfly explain. */
function Use({ job, now }) {
  const state = useApi(`/use/${[job.cluster, job.uid].map(encodeURIComponent).join('/')}`, job.endedAt ? 0 : 60), use = state.data;
  const said = (name) => use[name] && html`<dt>${name}</dt><dd>${use[name].slice(name.length + 2)}<${Aged} state=${state} now=${now} /></dd>`;
  return use && html`${said('waited')}${said('lost')}<dt>each task asks for</dt><dd>${use.asks}</dd>${use.used && html`<dt>used</dt><dd>${use.used.replace(/^used: /, '')}<${Aged} state=${state} now=${now} /></dd>`}${
    use.advice && html`<dt>to ask for less</dt><dd>${use.advice}</dd>`}`;
}

function Overview({ job, why, now }) {
  const cost = useCost(job.cluster, { by: 'day', job: job.uid }), read = useAllTasks(job, { most: FEW });
  return html`<${Loaded} state=${why} what="The reasons">${(it) => html`<${Reasons} job=${job} why=${it} /><${Waited} job=${job} /><${Chain} job=${job} />
    <dl>${isSweep(job) && html`<${Winner} job=${job} read=${read} />`}${job.owner && html`<dt>owner</dt><dd>${job.owner}</dd>`}<dt>uid</dt><dd>${job.uid}</dd>
      <dt>submitted</dt><dd><${Ago} at=${job.submittedAt} now=${now} /></dd>
      ${!job.endedAt && html`<${End} job=${job} reasons=${it.reasons} now=${now} />`}
      ${cost.data && html`<dt>cost</dt><dd>${jobCost(cost.data, job.maxUsd)}<${Aged} state=${cost} now=${now} /></dd>`}
      <${Diverged} job=${job} cost=${cost.data} read=${read} /><${BesideIt} job=${job} />
      <${Use} job=${job} now=${now} />
      ${counts(job.attempts) && html`<dt>attempts without a result</dt><dd>${counts(job.attempts)}</dd>`}
      ${job.image && html`<dt>image</dt><dd>${job.image.image}</dd>`}${job.spec?.run?.command && !simulation && html`<dt>command</dt><dd><${Command} text=${job.spec.run.command.join(' ')} /></dd>`}
      ${job.outcome && !simulation && html`<dt>outcome</dt><dd>${job.outcome}</dd>`}</dl>
    <${Failures} job=${job} now=${now} /><h2>Newest events</h2><${EventTable} cluster=${job.cluster} events=${it.events} />`}<//>`;
}

/** How long the reasons of a job that has ended are not asked for again, while it stays as it is. */
const STAYS = 60_000;

/** A job, and where its overview is seen its reasons, asked for right after it: what stands there is of one time. */
function useJob(path, overview) {
  const known = useRef({});
  const ask = async (signal) => {
    const job = await get(path, signal), last = known.current;
    if (!overview || (job.endedAt && last.version === JSON.stringify(job) && Date.now() - last.at < STAYS)) return { job, why: last.why ?? {} };
    try {
      const data = await get(`${jobPath(job.cluster, job.uid)}/explain`, signal);
      known.current = { version: JSON.stringify(job), at: Date.now(), why: { data, at: Date.now() } };
    } catch (problem) {
      if (signal.aborted) throw problem;
      known.current = { why: { ...last.why, problem, retryAt: Date.now() + 1000 * SECONDS } };
    }
    return { job, why: known.current.why };
  };
  const state = usePolled(ask, path, overview ? SECONDS : 3, { whole: true, soon: JUST_MADE });
  return { ...state, data: state.data?.job, why: state.data?.why ?? {} };
}

// Nothing is wrong where these are the reasons: they pass by themselves.
const NORMAL = ['starting', 'preparing', 'turn', 'booting', 'queued', 'running', 'repeated', 'recovered', 'hold', 'kept', 'retried', 'waiting', 'predecessors', 'before', 'open'];

/** A job that was submitted just now is there some seconds later: so often it is asked for. */
const JUST_MADE = 4, SECONDS = 4;

/** Sources of tasks that have no variables, so that nothing of them is compared. */
const UNVARIED = ['inputs', 'inputs-of', 'gather', 'count'];

const isSweep = (job) => job.tasks !== 1 && !UNVARIED.includes(job.spec?.tasks?.kind);

const TABS = ['overview', 'tasks', 'sweep', 'curves', 'timeline', 'logs'];

export function Job({ cluster, name, parts, query }) {
  const owner = query.owner ? '?owner=' + encodeURIComponent(query.owner) : '';
  const [tab = 'overview', index] = parts, state = useJob(jobPath(cluster, name) + owner, tab === 'overview'), now = useNow();
  if (state.data === undefined) return html`<${Title} text=${'Job ' + name} /><${Loaded} state=${state} what="The job">${() => null}<//>`;
  const job = state.data, link = (it) => to(['c', cluster, 'j', job.uid, ...it]);
  if (tab === 't' && index !== undefined) return html`<${Trouble} state=${state} what="The job" /><${Task} job=${job} index=${index} query=${query} />`;
  const lasted = lastedOf(job, now), known = TABS.includes(tab) && index === undefined;
  return html`<${Title} text=${job.name}>Job ${job.name}<//><${Trouble} state=${state} what="The job" />
    <p class="facts"><${State} of=${jobState(job)} /><span>${doneOf(job)} done${countedUntil(job) && html` <span class="counted">(${countedUntil(job)})</span>`}</span>${restOf(job).map(({ what, text }) => html`<span class=${what === 'failed' ? 'bad' : ''} title=${what === 'on machines' ? 'They run there, or are next.' : undefined}>${text}</span>`)}
      ${jobProgress(job) && html`<span>${jobProgress(job)}</span>`}<span title=${job.endedAt && !neverBegan(job) ? TOOK : undefined}>${lasted.text}${lasted.all && html` <span class="faint">(${lasted.all})</span>`}</span></p>
    <${Progress} job=${job} />
    <${Tabs} label="Parts of the job" current=${tab} tabs=${[['overview', link([])], ['tasks', link(['tasks'])], ...(isSweep(job) || tab === 'sweep' ? [['sweep', link(['sweep'])]] : []), ['curves', link(['curves'])], ['timeline', link(['timeline'])], ...(exported ? [] : [['logs', link(['logs'])]])]} />
    ${!known && html`<${Missing} state=${{}} what=${`The view ${parts.join('/')}`}>A job has the views above; a task is at t/INDEX.<//>`}
    ${known && tab === 'overview' && html`<${Overview} job=${job} why=${state.why} now=${now} />`}${tab === 'tasks' && html`<${Tasks} job=${job} query=${query} />`}
    ${tab === 'sweep' && html`<${Sweep} job=${job} query=${query} />`}${tab === 'curves' && html`<${Curves} job=${job} query=${query} />`}
    ${tab === 'timeline' && html`<${JobTimeline} job=${job} query=${query} />`}${tab === 'logs' && html`<${Logs} job=${job} />`}`;
}
