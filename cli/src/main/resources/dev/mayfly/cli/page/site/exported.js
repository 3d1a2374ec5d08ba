// What a file has that mayfly ui --export made; the page that is served has nothing of it.
import { parse } from './json.js';

const block = document.getElementById('exported');

export const exported = block ? parse(block.textContent) : undefined;

/** The time by which ages are told: in a file that of its making. */
export const present = () => (exported ? Date.parse(exported.at) : Date.now());

/** Whether there is such a view; the job is called by its uid or, as on the page that is served, by its name. */
export const hasView = ([kind, cluster, what, name, tab]) =>
  !exported || (kind === 'c' && cluster === exported.cluster && what === 'j' && [exported.job.uid, exported.job.name].includes(name) && tab !== 'logs');

/** What commands call the job. */
export const address = () => (exported.job.owner ? `${exported.job.owner}/${exported.job.name}` : exported.job.name);

function tasksOf(query) {
  const from = Number(query.get('from') ?? 0), state = query.get('state') ?? '', limit = Number(query.get('limit') ?? 100);
  const first = exported.tasks.findIndex((it) => it.index >= from), rest = first < 0 ? [] : exported.tasks.slice(first);
  const fit = state ? rest.filter((it) => it.state === state) : rest;
  return { tasks: fit.slice(0, limit), next: fit[limit]?.index };
}

/** The read API's answers, as far as the file has them. */
export function kept(path) {
  const [place, query] = path.split('?'), [, , , cluster, kind, job, what, index] = place.split('/').map(decodeURIComponent);
  if (place === '/viewer') return { project: exported.project, laptop: exported.laptop };
  if (place.startsWith('/metrics/')) {
    const indexes = place.split('/').at(-1).split(',').map(Number);
    return exported.curves.filter((it) => indexes.includes(it.index));
  }
  if (place.startsWith('/use/')) return exported.use;
  if (cluster !== exported.cluster) return undefined;
  if (kind === 'cost') return new URLSearchParams(query).get('by') === 'job' ? { groups: exported.cost?.beside ? [exported.cost.beside] : [] } : exported.cost;
  if (kind === 'workers') return exported.machines;
  if (kind !== 'jobs') return undefined;
  if (job === undefined) return exported.jobs;
  if (job !== exported.job.uid) return undefined;
  if (what === undefined) return exported.job;
  if (what === 'explain') return exported.why;
  if (what === 'estimate') return exported.estimate;
  if (index === undefined) return tasksOf(new URLSearchParams(query));
  const same = (it) => it.index === Number(index);
  return exported.attempts.find(same) ?? exported.tasks.find(same);
}
