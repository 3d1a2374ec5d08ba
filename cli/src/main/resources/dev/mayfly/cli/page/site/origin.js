// What a file is, and what it is not.
import { html } from './vendor/htm-preact.js';
import { address, exported, only, simulation } from './exported.js';
import { moment } from './format.js';
import { Sentence } from './copy.js';

const listed = (them) => them.map((it) => html`<li><${Sentence} ends text=${it} /></li>`);

const Cut = () => exported.cut.length > 0 && html`<ul class="problems">${listed(exported.cut)}</ul>`;

const OfJob = () => html`<p>A file of job ${address()} on cluster ${exported.cluster} (${exported.laptop ? 'laptop cloud' : exported.project}), made at
  ${' '}${exported.at.slice(0, 19).replace('T', ' ')} UTC by mayfly ${exported.version}: it shows what was known then${only.endedAt ? '' : ', when the job had not ended'}.
  ${' '}<b>All ages are as of ${moment(exported.at, 0)}</b>, whenever it is read, and what had not ended then is shown until then.</p>
  <${Cut} /><details><summary>It has no logs, no older events and metrics, no other machines and no environment; how to see them</summary><ul>${listed(exported.leftOut)}</ul></details>`;

const runs = ({ runs: n }) => (n > 1 ? `, of which the end is the middle one of ${n} runs` : '');

/** Why jobs waited is at the first view; at a job's own it stands too. */
const OfSimulation = ({ first }) => html`<p><b>A simulation of ${simulation.scenario} with seed ${simulation.seed}</b>${runs(simulation)}, made by mayfly ${simulation.version}: nothing of it ran, and nothing was paid.
  ${' '}In it ${simulation.end}. Its time is made up, from ${moment(simulation.from, 0)} to ${moment(exported.at, 0)} UTC, which is now in all of it.</p>
  ${first && simulation.said.length > 0 && html`<ul class="problems">${listed(simulation.said)}</ul>`}
  <${Cut} /><details><summary>What a simulation leaves out</summary><ul>${listed(exported.leftOut)}</ul></details>`;

export const Origin = ({ first }) => html`<div class="origin" role="note">${simulation ? html`<${OfSimulation} first=${first} />` : html`<${OfJob} />`}</div>`;

const waitsOf = (job) => simulation?.waits[job.owner ? `${job.owner}/${job.name}` : job.name];

/** Why tasks of a job waited, and for how long: only a simulation counts it. */
export const Waited = ({ job }) => waitsOf(job) && html`<ul class="problems" aria-label="What its tasks waited for">${waitsOf(job).map((it) => html`<li class="normal"><${Sentence} text=${it} /></li>`)}</ul>`;
