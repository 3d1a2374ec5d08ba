// What is wrong with a cluster's machines, one line for a pool, and what costs and does nothing: in the words of mayfly status.
import { html } from './vendor/htm-preact.js';
import { useLaptop } from './api.js';
import { count, duration, moment, secondsOf, usd } from './format.js';
import { Sentence } from './copy.js';
import { isRefused } from './spans.js';

const HOUR = 3_600_000;

/** How it begins that limits of resources are not enforced: on a laptop that is usual. */
const UNLIMITED = 'not enforced: ';

/** A machine that is given back sooner had no time to boot. */
const EARLY = 300_000;
const isEarly = (w) => w.ending === 'given-back' && Date.parse(w.since) - Date.parse(w.createdAt) < EARLY;

/** A machine that takes long says so. */
const isLate = (w) => w.state === 'booting' && w.problem !== undefined;

/** Machines of the last hour that ended before they were up although they were due, the newest first, by pool. */
function unbooted(workers, now, late = false) {
  const ended = (w) => w.state === 'gone' && !w.firstSyncAt && !isEarly(w) && now - Date.parse(w.since) < HOUR;
  return Map.groupBy(workers.filter((w) => (late && isLate(w)) || ended(w)), (w) => w.pool);
}

/** How many machines of their pool came after the last of these failed. */
const cameSince = (them, workers) => workers.filter((w) => w.pool === them[0].pool && w.firstSyncAt > them.map((it) => it.since).sort().at(-1)).length;

const causeOf = (w) => w.problem ?? w.reason ?? 'unknown reason';

/** What a pool is called whose machines do not come; empty where they come again. */
export function brokenOf(pool, workers, now) {
  const them = unbooted(workers, now, true).get(pool);
  if (!them || (!them.some(isLate) && cameSince(them, workers))) return undefined;
  const up = workers.some((w) => w.pool === pool && w.state !== 'gone' && w.firstSyncAt);
  return { said: them.every(isRefused) ? 'orders refused' : up ? 'some do not boot' : 'none boots', why: `${them[0].name}: ${causeOf(them[0])}` };
}

/** The cluster's own sentences of what the cloud answered to an order, or of one that it never started: they are not told twice. */
function toldOf(problems, w) {
  const [code, ...said] = causeOf(w).split(': '), refused = (it) => it.includes(code) && it.includes(said.join(': '));
  const unstarted = (it) => it.includes('accepted the order of') && it.includes(w.machineType);
  return problems.filter((it) => it.includes(w.zone) && (isRefused(w) ? refused(it) : unstarted(it)));
}

/** A line of a pool: how often in the last hour and since when, and what is so now; what is over is no trouble. */
function lineOf(kind, noun, them, { problems, workers, now }) {
  const times = them.map((it) => it.since).sort(), [first, last] = [times[0], times.at(-1)].map((it) => moment(it, now)), came = cameSince(them, workers);
  const all = `pool ${them[0].pool}: ${noun ? count(them.length, noun) : them.length} in the last hour`, told = toldOf(problems, them[0]).sort((a, b) => b.length - a.length)[0];
  if (came) return [kind, `${all}, ${first === last ? `at ${last}` : `from ${first} to ${last}`}; since then ${count(came, 'machine')} came`, true];
  return [kind, `${all}${first === last ? '' : `, since ${first}`}; ${told ?? `${them[0].name}: ${causeOf(them[0])}`}`];
}

const KEPT = ['static', 'reserved'];

/**
 * When a machine without a task is given back, in milliseconds; nothing of one that is kept, or of which that is not known.
 *
 * @param pools as their cluster has them
 */
export function goesAt(worker, pools = []) {
  const pool = pools.find((it) => it.name === worker.pool), after = secondsOf(pool?.idleAfter);
  if (worker.state !== 'ready' || !worker.idleSince || worker.reason || after === undefined || KEPT.includes(pool.provisioning) || pool.manual) return undefined;
  return Date.parse(worker.idleSince) + 1000 * after;
}

/** When that is, in words. */
export const goesIn = (at, now) => (at > now ? `in ${duration((at - now) / 1000)}` : 'now');

/** What machines without a task cost an hour until they are given back, and when that is; what is kept is told by the cluster. */
function idleOf(workers, cluster, now) {
  const idle = workers.map((w) => ({ w, at: goesAt(w, cluster.spec?.pools) })).filter(({ at }) => at !== undefined), costs = idle.reduce((sum, { w }) => sum + (w.usdPerHour ?? 0), 0);
  if (!idle.length) return undefined;
  const each = [...Map.groupBy(idle, ({ w }) => w.pool)].map(([pool, them]) => `${them.length} of pool ${pool} ${them.length > 1 ? 'go, the first' : 'goes'} ${goesIn(Math.min(...them.map((it) => it.at)), now)}`);
  return `${count(idle.length, 'machine')} without a task${costs > 0 ? `, ${usd(costs)} an hour` : ''}: ${each.join('; ')}`;
}

/** When a schedule is due, and what became of its last time. */
const schedule = ({ name, when, state, next, last }) => {
  const then = next ? 'next at ' + next : state;
  const was = last && `; ${last.job} ${last.state ?? last.outcome}${last.why ? ': ' + last.why : ''}`;
  return `${name} ${when}, ${then}${was ?? ''}`;
};

const kinds = (workers, now) => [false, true].map((it) => [...unbooted(workers.filter((w) => isRefused(w) === it), now).values()]);

/** What is wrong, and what costs and does nothing; what is over or in order is no warning. */
export const Problems = ({ cluster, workers = [], now }) => {
  const laptop = useLaptop(), isUsual = (it) => laptop && it.includes(UNLIMITED);
  const [broken, refused] = kinds(workers, now), problems = cluster.problems ?? [], about = { problems, workers, now }, idle = idleOf(workers, cluster, now);
  const twice = new Set([...broken, ...refused].filter((them) => !cameSince(them, workers)).flatMap((them) => toldOf(problems, them[0])));
  const lines = [
    ...broken.map((them) => lineOf('no boot', '', them, about)),
    ...refused.map((them) => lineOf('refused', 'order', them, about)),
    ...(idle ? [['idle', idle, true]] : []),
    ...(cluster.idle ?? []).map((it) => ['kept idle', it]),
    ...problems.filter((it) => !twice.has(it) && !isUsual(it)).map((it) => ['trouble', it]),
    ...(cluster.sharing ? [['owners', cluster.sharing.text]] : []),
    ...(cluster.schedules ?? []).map((it) => ['schedule', schedule(it), !it.last?.why]),
    ...problems.filter(isUsual).map((it) => ['laptop', it, true]),
  ];
  return lines.length > 0 && html`<ul class="problems">${lines.map(([kind, text, normal]) => html`<li class=${normal ? 'normal' : ''}><b>${kind}</b> <${Sentence} text=${text} /></li>`)}</ul>`;
};
