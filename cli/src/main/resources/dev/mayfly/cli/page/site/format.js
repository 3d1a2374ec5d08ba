// Amounts in the words of the command line: mayfly status, jobs, tasks.
import { present, simulation } from './exported.js';

const two = (n, unit, rest, lesser) => n + unit + (rest ? rest + lesser : '');

/** A span in seconds: 98s, 3m12s, 45m, 5h20m, 3d4h. */
export function duration(seconds) {
  const s = Math.max(0, Math.floor(seconds)), m = Math.floor(s / 60), h = Math.floor(m / 60);
  if (s < 120) return s + 's';
  if (m < 10) return two(m, 'm', s % 60, 's');
  if (h < 1) return m + 'm';
  if (h < 8) return two(h, 'h', m % 60, 'm');
  if (h < 48) return h + 'h';
  return h < 192 ? two(Math.floor(h / 24), 'd', h % 24, 'h') : Math.floor(h / 24) + 'd';
}

/** How long something took or will take: hours always have their minutes, days their hours. */
export function lasted(seconds) {
  const m = Math.max(0, Math.floor(seconds / 60)), h = Math.floor(m / 60);
  if (h < 8) return duration(seconds);
  return h < 48 ? two(h, 'h', m % 60, 'm') : two(Math.floor(h / 24), 'd', h % 24, 'h');
}

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** How many seconds a text such as 90s, 1h30m or 2d means; nothing where it means none. */
export function secondsOf(text = '') {
  if (!/^(\d+[smhd])+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)([smhd])/g)].reduce((sum, [, n, unit]) => sum + n * SECONDS[unit], 0);
}

export const age = (then, now) => duration((now - Date.parse(then)) / 1000);

const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false };
/** What a time is shown in: a simulation begins at midnight for everybody. */
export const within = simulation ? { timeZone: 'UTC' } : {};
const local = (at) => `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`;
const day = (at) => (simulation ? at.toISOString().slice(0, 10) : local(at));

/** 14:03:05 of today, 2026-05-01 14:03:05 of another day; in a file the day of its making is today. */
export function moment(text, now = present()) {
  const at = new Date(text), time = at.toLocaleTimeString('en-GB', { ...clock, ...within });
  return day(at) === day(new Date(now)) ? time : `${day(at)} ${time}`;
}

/** A point in time within a sentence, which is no part of a name. */
const POINT = /(?<![\w/.:-])\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z(?![\w/-])/g;

/** A sentence with its points in time as they are told elsewhere on the page: in the reader's zone. */
export const inZone = (text) => String(text ?? '').replace(POINT, (it) => moment(it));

export const count = (n, noun) =>
  Number(n ?? 0).toLocaleString('en-US') + (noun ? ` ${noun}${n === 1 ? '' : 's'}` : '');

/** An accuracy, a loss. */
export const aOf = (name) => `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;

export const word = (text) => (/^user$/i.test(text) ? 'user error' : String(text).toLowerCase().replace(/[_-]/g, ' '));

/** 3 preempted, 2 lost. */
export const counts = (map) =>
  Object.entries(map ?? {}).filter(([, n]) => n > 0).sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, n]) => `${count(n)} ${word(name)}`).join(', ');

const UNITS = { '': 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };

/** Bytes of 16Gi; 0 for nothing. */
export function bytes(text) {
  const parts = /^(-?[\d.]+)([KMGT]i)?$/.exec(text ?? '');
  return parts ? Number(parts[1]) * UNITS[parts[2] ?? ''] : 0;
}

export const gib = (n) => String(Math.round((n / 2 ** 30) * 10) / 10);

/** 16 GiB; what is less than one in MiB. */
export const memory = (n) => (n >= 2 ** 30 || n === 0 ? `${gib(n)} GiB` : n < 2 ** 20 ? '<1 MiB' : `${Math.round(n / 2 ** 20)} MiB`);

/** The zone in which times are shown. */
export const zone = () => within.timeZone ?? (Intl.DateTimeFormat().resolvedOptions().timeZone || 'this computer’s zone');

/** $1,234.50; below ten cents four decimals, $0.0123, so that small amounts add up; <$0.0001 for less that is not nothing. */
export const usd = (n) => (n > 0 && n < 0.00005 ? '<$0.0001' : '$' + n.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: n < 0.1 ? 4 : 2 }));

/** 1,234.5; below a tenth four decimals; <0.0001 for less that is not nothing. */
export const decimal = (n) => (n > 0 && n < 0.00005 ? '<0.0001' : n.toLocaleString('en-US', { maximumFractionDigits: n < 0.1 ? 4 : 2 }));

/** The same beside others of a column: with two decimals at least. */
export const cents = (n) => (n < 0.1 ? decimal(n) : n.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }));

/** Those that are there more than once. */
export const repeated = (all) => new Set(all.filter((it, i) => all.indexOf(it) !== i));

/** Hours of whole machines. */
export function hours(n) {
  const text = decimal(n);
  return text + (text === '1' ? ' machine hour' : ' machine hours');
}

/** Metrics that count what a task has done: the first that it has is the axis of its curves. */
export const COUNTS = ['step', 'global_step', 'training_iteration', 'iteration', 'epoch'];

const TOTAL = /^(total_|max_|num_|num_train_)?(steps|iterations|epochs)$/;

/** Whether a metric is told by how far a task is. */
export const isCount = (name) => COUNTS.includes(name) || TOTAL.test(name);

const partOf = (it) => (it.of > 0 ? it.at / it.of : 0);

const percent = (part) => `${Math.floor(100 * part)} %`;

/** How old a count is: when it was read on its machine, whenever it is shown. */
const counted = (at) => (at ? `, ${age(at, present())} ago` : '');

/** How far a task is by its own metrics, in parts and in words, with the age of that while it runs; nothing where it tells no total. */
export const progressOf = ({ progress: it, metricsAt }) => it && { part: partOf(it), short: percent(partOf(it)), text: `${it.name} ${count(it.at)} of ${count(it.of)}${counted(metricsAt)}` };

/** Of several tasks: from the one that is least far to the one that is farthest, if they count the same. */
function stepsOf({ tasks, part, least, most }) {
  const alike = most && most.name === least.name && most.of === least.of, span = alike && least.at !== most.at ? `${count(least.at)} to ${count(most.at)}` : count(least.at);
  return alike ? `${least.name}s of ${count(tasks)} running tasks: ${span} of ${count(least.of)}` : `${count(tasks)} running tasks at ${percent(part / tasks)} of their steps`;
}

/** How far the running tasks of a job are by their own metrics, in words that say whose, with the age of the oldest of them. */
export function jobProgress({ progress: it, totals }) {
  if (!it) return '';
  if (it.tasks > 1) return `${stepsOf(it)}${it.at ? `, at most ${age(it.at, present())} old` : ''}`;
  return `${totals?.leased > 1 ? 'one running task: ' : ''}${progressOf({ progress: it.least, metricsAt: it.at }).text}`;
}

/** What became of the tasks of a job that are not done, in words: the counts of mayfly explain. Of an ended job none waits. */
export function restOf({ totals: { leased = 0, ready = 0, failed = 0, stopped = 0 }, endedAt }) {
  const open = endedAt ? [[leased + ready, 'not finished']] : [[leased, 'on machines'], [ready, 'waiting']];
  return [...open.filter(([n]) => !endedAt || n > 0), ...[[failed, 'failed'], [stopped, 'stopped']].filter(([n]) => n > 0)].map(([n, what]) => ({ what, text: `${count(n)} ${what}` }));
}

/** What the time is that a job took. */
export const TOOK = 'From when it could run to its end: what it waited for machines and its turn is in it.';

/** Whether it ended before one of its tasks began: it took no time. */
export const neverBegan = ({ endedAt, state, totals, attempts }) => Boolean(endedAt) && state !== 'succeeded' && totals.done === 0 && !totals.failed && Object.keys(attempts ?? {}).every((it) => it === 'returned');

/** How long a job runs or took, since nothing but a lack of machines kept it from that; and how long ago it was accepted, where that is longer. */
export function lastedOf(job, now) {
  const accepted = Date.parse(job.acceptedAt ?? job.submittedAt), from = Date.parse(job.mayRunSince ?? job.submittedAt), end = job.endedAt ? Date.parse(job.endedAt) : now;
  const own = lasted((end - from) / 1000), all = lasted((end - accepted) / 1000);
  const later = from - accepted >= 1000 && own !== all;
  if (neverBegan(job)) return { text: 'never began', all: `ended ${all} after it was accepted` };
  if (job.endedAt) return { text: `took ${own}`, all: later ? `${all} since it was accepted` : '' };
  return { text: `accepted ${all} ago`, all: later ? `free to run for ${own}` : '' };
}

/** An estimate without the count that it is said by, where the head of the same view has that as it is now. */
export const uncounted = ({ progress }, text) => (progress ? text.replace(/(own counts?|counts? of (?:one|[\d,]+) of them): [a-z_]+ [\d.,]+ of [\d.,]+?(?: is the least)?(?:, \w+ ago)?(?: is the least)?(?=$|[;,]? )/, '$1') : text);

/** Until when the ends of tasks are in what is said to be done, where that is not now; more may have ended since. */
export const countedUntil = ({ countedAt }) => (countedAt && present() - Date.parse(countedAt) >= 10_000 ? `counted until ${moment(countedAt)}, ${age(countedAt, present())} ago; more may be done` : '');

const NO_SECONDS_FROM = 120;

/** 5m to 7m from now on, as mayfly jobs has it: minutes have no seconds, the earliest is rounded down and the latest up. */
function spanOf({ earliest, latest }, now) {
  const [least, most] = [earliest, latest].map((it) => Math.floor((Date.parse(it) - now) / 1000)), whole = (it, round) => (it < NO_SECONDS_FROM ? it : 60 * round(it / 60));
  const [from, to] = [lasted(whole(least, Math.floor)), lasted(whole(most, Math.ceil))];
  return from === to ? from : `${from} to ${to}`;
}

const SOON = 60_000;

/** How long a job may go on, or when it may start, in a few words; empty where that is not known. */
export function leftOf({ start, rest }, now) {
  if (!start) return rest ? spanOf(rest, now) : '';
  if (!start.spread) return '';
  return Date.parse(start.spread.latest) <= now + SOON ? 'starts within a minute' : `starts in ${spanOf(start.spread, now)}`;
}

/** The next try before what was refused, which may be long. */
export const nextFirst = (text = '') => text.replace(/^(.*); ((?:the )?next try (?:is )?in \w+)(.*)$/s, '$2; $1$3');

/** When all of a job may be done, by the clock. */
export const endOfJob = ({ rest }) => {
  const [first, last] = [rest.earliest, rest.latest].map((it) => moment(it));
  return first === last ? `at ${first}` : `between ${first} and ${last}`;
};

/** How long a job takes from its start to its end, as far as that is known. */
export function takesInAll(job, { rest }) {
  const start = job.mayRunSince ?? job.submittedAt, [least, most] = [between(start, rest.earliest), between(start, rest.latest)];
  return least === most ? least : `${least} to ${most}`;
}

/** A metric's value: four digits that count. */
export function number(value) {
  if (value === undefined || value === null) return '–';
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return count(value);
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-4 || size >= 1e7) ? value.toExponential(3) : String(Number(value.toPrecision(4)));
}

/** A job that has waiting tasks and no running ones waits. */
export const jobState = (job) =>
  job.state === 'running' && job.totals.leased === 0 && job.totals.ready > 0 ? 'waiting' : job.state;

const TONES = {
  good: ['up', 'ready', 'succeeded', 'running', 'done'],
  bad: ['failed', 'lost', 'unfit', 'inconsistent', 'unreadable'],
  warn: ['preempted'],
  faint: ['gone'],
};
export const tone = (state) => Object.keys(TONES).find((it) => TONES[it].includes(state)) ?? 'plain';

export const took = (it, now) =>
  it.startedAt ? ((it.endedAt ? Date.parse(it.endedAt) : now) - Date.parse(it.startedAt)) / 1000 : undefined;

export const values = (map) => Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));

export const variables = (task) => values(task.variables).map(([name, value]) => `${name}=${value}`).join(' ');

const EXITS = { 130: 'SIGINT', 134: 'SIGABRT', 137: 'SIGKILL', 139: 'SIGSEGV', 143: 'SIGTERM' };

/** A failed attempt: its cause and how it ended. */
export const failure = (it) =>
  word(it.cause) + (it.exitCode >= 0 ? `, exit code ${it.exitCode}${EXITS[it.exitCode] ? ` (${EXITS[it.exitCode]})` : ''}` : '');

const seconds = (from, to) => Math.floor((Date.parse(to) - Date.parse(from)) / 1000);

/** How a span between two times reads. */
export const between = (from, to) => lasted(seconds(from, to));

const OURS = ['preempted', 'lost', 'infrastructure', 'end of life', 'drained', 'outranked', 'taken'];

/**
 * What of an attempt without a result its last checkpoint keeps, and what is lost, in seconds that add up; nothing of one
 * that failed by itself and kept nothing.
 *
 * @param next the attempt after it, if there was one; true if only that is known
 */
export function kept(it, next) {
  const resumes = next === true ? '; the next attempt resumed from there' : next ? `; attempt ${next} resumed from there` : '; the next attempt resumes from there', ran = it.startedAt && seconds(it.startedAt, it.at);
  if (it.keptUntil && it.keptUntil <= it.at) {
    const lost = seconds(it.keptUntil, it.at);
    return `its checkpoint keeps what it did until ${moment(it.keptUntil, 0).slice(-8)}${ran > lost ? `, ${lasted(ran - lost)} of ${lasted(ran)}` : ''}; ${lost >= 1 ? `the last ${lasted(lost)} are lost` : 'nothing is lost'}${resumes}`;
  }
  if (it.kept) return `its checkpoint keeps what it did${resumes}`;
  return OURS.includes(word(it.cause)) && ran > 0 ? `no checkpoint: all its ${lasted(ran)} are lost` : '';
}

/** What it said last, which says why it ended, as mayfly tasks tells it: a program's last line, Mayfly's words as a whole. */
export function evidence(it) {
  const said = (it?.evidence ?? '').trim(), own = it?.exitCode >= 0 && it.cause !== 'infrastructure';
  return own ? said.split('\n').pop() : said.replace(/\s*\n\s*/g, ' ');
}

/** Why a task is as it is, in a few words. */
export function why(task) {
  if (task.doneBefore) return 'done before this job' + (task.doneBy ? ', by ' + task.doneBy : '');
  if (task.waits) return 'waits: ' + task.waits;
  if (task.stalled) return `waits: ${task.stalled.why}; tried again until ${task.stalled.until}`;
  if (!task.failure) return '';
  const said = evidence(task.failure);
  return said ? `${said} (${failure(task.failure)})` : failure(task.failure);
}
