// What a file has that mayfly ui --export or mayfly simulate --page made; the page that is served has nothing of it.
import { parse } from './json.js';
import { answerOf } from './simulated.js';
import { pageOf } from './taskpages.js';

const block = document.getElementById('exported');

export const exported = block ? parse(block.textContent) : undefined;

/** The only job of a file that is of one. */
export const only = exported?.job;

/** What a file of a simulation says of it; such a file has a cluster with all its jobs. */
export const simulation = exported?.simulation;

/** The time by which ages are told: in a file that of its making. */
export const present = () => (exported ? Date.parse(exported.at) : Date.now());

/** Whether there is such a view; the job is called by its uid or, as on the page that is served, by its name. */
export const hasView = ([kind, cluster, what, name, tab]) =>
  !exported || (kind === 'c' && cluster === exported.cluster && (simulation || (what === 'j' && [only.uid, only.name].includes(name))) && !(what === 'j' && tab === 'logs'));

/** What commands call the job. */
export const address = () => (only.owner ? `${only.owner}/${only.name}` : only.name);

/** The read API's answers, as far as the file has them. */
export function kept(path) {
  if (simulation) return answerOf(exported, path);
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
  if (index === undefined) return pageOf(exported.tasks, new URLSearchParams(query));
  const same = (it) => it.index === Number(index);
  return exported.attempts.find(same) ?? exported.tasks.find(same);
}
