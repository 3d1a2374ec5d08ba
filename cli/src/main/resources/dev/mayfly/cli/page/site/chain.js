// The jobs before and after a job, over any number of steps, by what each job's status says of those that it waits for.
import { html, useRef } from './vendor/htm-preact.js';
import { get, usePolled, clusterPath, jobPath } from './api.js';
import { count, jobState } from './format.js';
import { only } from './exported.js';
import { Link } from './route.js';
import { Long, State, Table, Trouble } from './parts.js';

const LISTED = 500, MOST_OLDER = 20, MOST_ROWS = 50;

/** Those that can be reached, nearest first, each once; the start is none of them, even if the way leads back to it. */
function reached(start, next) {
  const found = new Map([[start.uid, undefined]]);
  let level = [start];
  for (let steps = 1; level.length > 0; steps++) {
    const further = [];
    for (const it of level.flatMap(next)) {
      if (found.has(it.key)) continue;
      found.set(it.key, { ...it, steps });
      further.push(it);
    }
    level = further;
  }
  return [...found.values()].slice(1);
}

/**
 * @param jobs whose status is known; one without a state is known not to be there
 * @returns rows of jobs before and after it, nearest first, and the uids of those before it whose own predecessors are
 *   not known
 */
export function chain(job, jobs) {
  const known = new Map([...jobs, job].map((it) => [it.uid, it])), states = new Map(), successors = new Map();
  for (const it of known.values())
    for (const { uid, state } of it.after ?? []) {
      if (!uid) continue;
      if (state) states.set(uid, state);
      if (!successors.has(uid)) successors.set(uid, []);
      successors.get(uid).push(it);
    }
  const called = (it) => (it.owner && it.owner !== job.owner ? `${it.owner}/${it.name}` : it.name);
  const nameOf = (it) => (known.get(it.uid)?.name ? called(known.get(it.uid)) : it.job);
  const ofJob = (it) => ({ key: it.uid, uid: it.uid, name: called(it), state: jobState(it),
    waits: (it.after ?? []).map((p) => nameOf(p) + (p.on === 'end' ? ' (on any end)' : '')).join(', ') });
  const isGone = (it) => known.has(it.uid) ? !known.get(it.uid).state : job.after?.some((p) => p.uid === it.uid && !p.state);
  const ofPredecessor = (it) => {
    if (known.get(it.uid)?.state) return ofJob(known.get(it.uid));
    // A name can look like another job's uid.
    if (!it.uid) return { key: 'named ' + it.job, name: it.job, waits: '' };
    const gone = isGone(it);
    return { key: it.uid, uid: it.uid, name: it.job, state: states.get(it.uid), gone, waits: gone ? '' : undefined };
  };
  const before = reached(job, (it) => (known.get(it.uid)?.after ?? []).map(ofPredecessor));
  const after = reached(job, (it) => (successors.get(it.uid) ?? []).map(ofJob));
  const unread = before.filter((it) => it.uid && !it.gone && !known.has(it.uid)).map((it) => it.uid);
  return { before, after, unread, self: ofJob(job) };
}

/**
 * The newest jobs, and those before `job` that are older, one call each.
 *
 * @param older what is known of jobs that have ended or are not there, which no later call asks for again
 */
async function read(job, older, signal) {
  const listed = await get(`${clusterPath(job.cluster)}/jobs?limit=${LISTED}`, signal);
  const live = new Map(), failed = new Set();
  for (;;) {
    const jobs = [...older.values(), ...live.values(), ...listed];
    const room = Math.max(0, MOST_OLDER - older.size - live.size - failed.size);
    const wanted = chain(job, jobs).unread.filter((it) => !failed.has(it)).slice(0, room);
    if (wanted.length === 0) return { jobs, full: listed.length >= LISTED && !listed.some((it) => it.uid === job.uid) };
    await Promise.all(wanted.map(async (uid) => {
      try {
        const it = await get(jobPath(job.cluster, uid), signal);
        (it.endedAt ? older : live).set(uid, it);
      } catch (problem) {
        if (signal.aborted) throw problem;
        if (problem.status === 404) older.set(uid, { uid });
        else failed.add(uid);
      }
    }));
  }
}

const Row = ({ job, it, step }) => html`<tr><td class="num">${step}</td>
  <td>${it.uid && !it.gone && it.uid !== job.uid ? html`<${Link} parts=${['c', job.cluster, 'j', it.uid]}>${it.name}<//>` : it.name}</td>
  <td>${it.state ? html`<${State} of=${it.state} />` : html`<span class="faint">not known</span>`}</td>
  <td class="wide">${it.waits === undefined ? html`<span class="faint">not read</span>` : html`<${Long} text=${it.waits} />`}</td></tr>`;

export function Chain({ job }) {
  const older = useRef(new Map()), state = usePolled((signal) => read(job, older.current, signal), job.uid, 10);
  const { before, after, unread, self } = chain(job, state.data?.jobs ?? []);
  const hidden = [[before, 'before'], [after, 'after']].filter(([them]) => them.length > MOST_ROWS)
    .map(([them, where]) => `${count(them.length - MOST_ROWS)} more ${where} it`);
  return html`<${Trouble} state=${state} what="Jobs before and after it" />
    ${before.length + after.length > 0 && html`<h2>Jobs before and after it</h2>
    <${Table} label="Jobs before and after it" head=${[['Step', 'num'], ['Job'], ['State'], ['After', 'wide']]}>
      ${before.slice(0, MOST_ROWS).reverse().map((it) => html`<${Row} key=${it.key} job=${job} it=${it} step=${`${it.steps} before`} />`)}
      <${Row} key=${self.key} job=${job} it=${self} step="this job" />
      ${after.slice(0, MOST_ROWS).map((it) => html`<${Row} key=${it.key} job=${job} it=${it} step=${`${it.steps} after`} />`)}<//>`}
    ${hidden.length > 0 && html`<p class="faint">The nearest ${MOST_ROWS} each way; ${hidden.join(' and ')}.</p>`}
    ${state.data && unread.length > 0 && html`<p class="faint">Of ${count(unread.length, 'job')} before it only the name and the state are known:
      older than the newest ${LISTED} jobs, beside which ${MOST_OLDER} are read, or not readable now.${only ? '' : ' Open one to see what it waited for.'}</p>`}
    ${state.data?.full && html`<p class="faint">Jobs after it are among the newest ${LISTED} of the cluster only; this one is older.</p>`}`;
}
