// Tasks of a sweep by their settings, as values.
import { isCount } from './format.js';
import { bestOf, leadOf } from './direction.js';

const SEEDS = ['seed', 'seeds', 'random_seed'];

export const isSeed = (name) => SEEDS.includes(name);

/** Mean and standard deviation of a sample, as Welford: as mayfly tasks --group-by has them. */
export function spread(numbers) {
  let n = 0, mean = 0, squares = 0;
  for (const it of numbers) {
    const off = it - mean;
    mean += off / ++n;
    squares += off * (it - mean);
  }
  return { n, mean: n ? mean : undefined, sd: n > 1 ? Math.sqrt(squares / (n - 1)) : undefined };
}

/** Tasks that have these variables in common. */
export function groups(tasks, by) {
  const found = new Map();
  for (const task of tasks) {
    const key = JSON.stringify(by.map((name) => task.variables?.[name]));
    (found.get(key) ?? found.set(key, []).get(key)).push(task);
  }
  return [...found.values()];
}

/** The numbers of a metric that count: of a task that diverged none does, but how far it went. */
export const counted = (group, metric, diverged) =>
  group.filter((it) => isCount(metric) || !diverged.has(it.index)).map((it) => it.metrics?.[metric]).filter(Number.isFinite);

/**
 * Which groups are best by a metric, and how far one alone is ahead: none by what counts steps, or where nothing tells which way
 * it is better.
 *
 * A lead has going: whether tasks of one of both have not ended, so that they may be at different steps.
 *
 * @param diverged indexes of tasks that had numbers, and then NaN or an infinity
 */
export function standing(all, metric, direction, diverged) {
  const spreadOf = (group) => spread(counted(group, metric, diverged));
  const best = metric === undefined || isCount(metric) || direction.unknown ? [] : bestOf(all, (group) => spreadOf(group).mean, direction.low);
  const lead = leadOf(best, all, spreadOf);
  return { best, lead: lead && { ...lead, going: goingOf([best[0], lead.next]) > 0 } };
}

/** How many tasks of groups have not ended: until then none is best, but some lead so far. */
export const goingOf = (all) => all.flat().filter((it) => it.state === 'running' || it.state === 'waiting').length;

/** The variables that are not the same of all tasks. */
export const varyingOf = (tasks, names) => names.filter((name) => new Set(tasks.map((it) => it.variables?.[name])).size > 1);

/** A task's setting in words. */
export const settingOf = (task, by) => by.map((name) => `${name}=${task.variables?.[name] ?? '–'}`).join(' ') || `task ${task.index}`;

/** The seed of a task, if it has one. */
export const seedOf = (task) => SEEDS.filter((it) => task.variables?.[it] !== undefined).map((it) => task.variables[it]).join(', ');

const VARIABLE = 'variable:', WITHOUT = 'without';

/** What an address asks for, to see the tasks of one setting. */
export const settingAsked = (task, by) => ({ ...Object.fromEntries(by.filter((it) => task.variables?.[it]).map((it) => [VARIABLE + it, task.variables[it]])),
  [WITHOUT]: by.filter((it) => !task.variables?.[it]).join(',') });

/** Which tasks an address asks for by their variables, and in words; nothing where it asks for all. */
export function settingIn(query) {
  const wanted = Object.entries(query).filter(([name]) => name.startsWith(VARIABLE)).map(([name, value]) => [name.slice(VARIABLE.length), value]);
  const lacking = (query[WITHOUT] ?? '').split(',').filter(Boolean);
  if (!wanted.length && !lacking.length) return undefined;
  return { fits: (task) => wanted.every(([name, value]) => task.variables?.[name] === value) && lacking.every((it) => !task.variables?.[it]),
    text: [...wanted.map(([name, value]) => `${name}=${value}`), ...lacking.map((it) => `no ${it}`)].join(' '),
    none: Object.fromEntries([...wanted.map(([name]) => [VARIABLE + name, '']), [WITHOUT, '']]) };
}
