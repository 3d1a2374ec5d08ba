// The read API's answers of a simulated cluster, as far as its file has them: pure.
import { pageOf } from './taskpages.js';

const after = (place, prefix) => (place.startsWith(prefix) ? place.slice(prefix.length) : undefined);

function eventsOf(all, query) {
  const about = query.get('about'), until = Date.parse(query.get('until') ?? '9999-01-01T00:00:00Z'), limit = Number(query.get('limit') ?? 50);
  return all.filter((it) => (!about || it.about === about) && Date.parse(it.at) <= until).slice(0, limit);
}

/** By its uid, or by its name, of several the newest. */
const jobOf = ({ jobs }, name, owner) => jobs.find((it) => it.uid === name) ?? jobs.find((it) => it.name === name && (!owner || it.owner === owner));

function ofJob(has, job, [what, index], query) {
  if (what === undefined) return job;
  if (what === 'explain') return has.why[job.uid];
  if (what === 'estimate') return has.estimates[job.uid];
  if (what !== 'tasks') return undefined;
  const tasks = has.tasks[job.uid] ?? [], same = (it) => it.index === Number(index);
  return index === undefined ? pageOf(tasks, query, job.tasks) : (has.attempts[job.uid] ?? []).find(same) ?? tasks.find(same);
}

/** What a question about a simulated cluster is answered with; nothing where its file has nothing. */
export function answerOf(has, path) {
  const [place, text] = path.split('?'), query = new URLSearchParams(text), [, , , cluster, kind, name, ...rest] = place.split('/').map(decodeURIComponent);
  if (place === '/viewer') return { project: 'simulation', laptop: false };
  if (place.startsWith('/metrics/')) return [];
  const used = after(place, '/use/');
  if (used) return has.uses[decodeURIComponent(used.split('/')[1])];
  if (cluster === undefined) return has.clusters;
  if (cluster !== has.cluster) return undefined;
  if (kind === undefined) return has.clusters[0];
  if (kind === 'cost') return has.costs[[query.get('by') ?? 'day', query.get('job') ?? query.get('since') ?? has.simulation.since].join(' ')];
  if (kind === 'workers') return name === undefined ? has.workers : has.workers.find((it) => it.name === name);
  if (kind === 'events') return eventsOf(has.events, query);
  if (kind !== 'jobs') return undefined;
  if (name === undefined) return has.jobs.slice(0, Number(query.get('limit') ?? 50));
  const job = jobOf(has, name, query.get('owner'));
  return job && ofJob(has, job, rest, query);
}
