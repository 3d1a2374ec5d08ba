// What is known of machines and of what ran on them, as spans: pure, so that a test can ask it.
import { bytes, kept, word } from './format.js';

/** How many workers of a gang a sentence names beside one of them. */
const MOST_NAMED = 8;

const ENDED = ['gone'], ENDING = ['draining', 'drained', 'lost', 'unfit'];
const GOING = ['draining', 'preempted', 'lost', 'ended', 'unfit'], LOST = ['preempted', 'lost'], TAKEN = [...LOST, 'unfit'], KILLED = ['stopped', 'returned', 'drained', 'end-of-life', 'outranked', 'taken'];

/** Events that are marks on a machine's row. */
export function marksOf(events) {
  const found = new Map();
  for (const it of events) {
    if (!it.about.startsWith('worker/')) continue;
    const name = it.about.slice('worker/'.length);
    (found.get(name) ?? found.set(name, []).get(name)).push({ at: Date.parse(it.at), what: it.what, why: it.why });
  }
  return found;
}

/** Whether the cloud refused the order of a machine, which then never was. */
export const isRefused = (worker) => worker.ending === 'refused';

/** What was lost or taken is no machine that Mayfly gave back. */
const endingOf = (worker) => (worker.state === 'unfit' || LOST.includes(worker.ending ?? worker.state) ? 'taken' : 'ending');

/** A report that is later than this is missing. */
const LATE = 30_000;

/**
 * Since when a machine that is there does not report although it was due; nothing while it does.
 *
 * @param seen when that was last heard of it
 */
export function silentSince(worker, seen) {
  const due = Date.parse(worker.due), first = Date.parse(worker.firstSyncAt);
  return worker.state !== 'gone' && !ENDING.includes(worker.state) && due + LATE < seen && due >= first ? due : undefined;
}

/** Which part of a machine a task asks for, by the resource of which that is most; nothing where it is not known. */
export function shareOf(asked = {}, total = {}) {
  const parts = [[asked.cpu, total.cpu], [bytes(asked.memory), bytes(total.memory)], [asked.gpu, total.gpu], [asked.tpu, total.tpu]];
  const most = Math.max(0, ...parts.map(([part, all]) => (part > 0 && all > 0 ? part / all : 0)));
  return most > 0 ? Math.min(1, most) : undefined;
}

/** Boot, what is not known, idle, and the end. Spans that come later are drawn over those before; `open` ones go on now. */
export function spansOf(worker, now, up = 'up; what ran is not known', seen = now) {
  const made = Date.parse(worker.createdAt), since = Date.parse(worker.since), gone = ENDED.includes(worker.state);
  const first = worker.firstSyncAt ? Date.parse(worker.firstSyncAt) : undefined, end = gone ? since : now, open = !gone;
  const spans = [{ kind: 'boot', from: made, to: first ?? end, open: open && first === undefined, text: first ? 'booted' : gone ? 'never reported' : 'boots' }];
  if (first === undefined) return spans;
  const silent = silentSince(worker, Math.min(now, seen));
  spans.push({ kind: 'unknown', from: first, to: silent ?? end, open: open && silent === undefined, text: up });
  if (silent !== undefined) spans.push({ kind: 'silent', from: silent, to: end, open, text: 'it does not report, and may be lost' });
  if (worker.idleSince && open) spans.push({ kind: 'idle', from: Date.parse(worker.idleSince), to: end, open, text: 'idle' });
  if (ENDING.includes(worker.state)) spans.push({ kind: endingOf(worker), from: since, to: end, open, text: `${worker.state}${worker.reason ? `: ${worker.reason}` : ''}` });
  return spans;
}

/** What ran on a machine while it was there, of the attempts there. */
export function ranOn(worker, attempts) {
  const first = Date.parse(worker.firstSyncAt), end = worker.state === 'gone' ? Date.parse(worker.since) : Infinity;
  return attempts.filter((it) => it.known && it.to >= first && it.from < end).flatMap((it) => barsOf({ ...it, from: Math.max(first, it.from), to: Math.min(it.to, end), open: it.open && end === Infinity }));
}

/** When a machine began to go, and when it was taken after that, as its events tell. */
function goes(marks) {
  const all = marks.filter((it) => GOING.includes(it.what)).sort((a, b) => a.at - b.at), taken = all.find((it) => TAKEN.includes(it.what));
  return all.filter((it) => it === all[0] || it === taken).map((it) => ({ ...it, kind: it === taken ? 'taken' : 'ending' }));
}

/**
 * When a machine had no work, or less than it has room for, and from when on it went, of one that is gone too: drawn over
 * what is not known of it.
 *
 * @param ran on it
 * @param unsure times in which something may have run that is not known
 * @param seen when the machine was last heard of
 */
export function restOf(worker, ran, unsure, marks, now, seen = now) {
  const first = Date.parse(worker.firstSyncAt), gone = worker.state === 'gone', end = gone ? Date.parse(worker.since) : now, going = goes(marks).filter((it) => it.at < end);
  const until = Math.min(end, going[0]?.at ?? Infinity, !gone && ENDING.includes(worker.state) ? Date.parse(worker.since) : Infinity, !gone && worker.idleSince ? Date.parse(worker.idleSince) : Infinity, silentSince(worker, Math.min(now, seen)) ?? Infinity);
  const idle = until > first ? gapsOf([...ran, ...unsure].map((it) => (it.open ? { ...it, to: Infinity } : it)), first, until) : [];
  // What is left ran something all the time: beside it a machine has room, if not for what is as large as itself.
  const busy = until > first ? gapsOf([...idle, ...unsure], first, until) : [];
  return [...busy.map((it) => ({ ...it, kind: 'free', text: 'unused, unless a task beside it needs the whole machine', open: !gone && it.to === now })),
    ...idle.map((it) => ({ ...it, kind: 'idle', text: 'idle', open: !gone && it.to === now })),
    ...(gone ? going.map((it, i) => ({ kind: it.kind, from: it.at, to: going[i + 1]?.at ?? end, text: `${it.what}: ${it.why}` })) : [])];
}

/** From when on a machine was dead, by the attempts that were lost with it, and not with another of their gang: until another one began there, or it was gone. */
export function deadOf(attempts, machine, now) {
  const gone = machine.state === 'gone', end = gone ? Date.parse(machine.since) : now;
  const spans = attempts.filter((it) => it.kind === 'lost' && !it.beside).map(({ to, cause }) => {
    const next = attempts.find((it) => it.from > to);
    return { kind: 'taken', from: to, to: Math.min(next?.from ?? Infinity, end), open: !gone && !next, text: word(cause) };
  });
  return spans.filter((it) => it.to > it.from);
}

/** The workers that ran an attempt without a result, as far as they are known: the one by whose fault a gang ended is the first. */
export const workersOf = ({ worker, workers = [] }) => [worker, ...workers.filter((it) => it !== worker)];

/** The same in words. */
export function placeOf(attempt) {
  const [worker, ...others] = workersOf(attempt);
  return others.length ? `${worker}, with ${others.length > MOST_NAMED ? `${others.length} others` : others.join(', ')}` : worker;
}

/** How an attempt without a result ended. */
export const endOf = (cause) => (LOST.includes(cause) ? 'lost' : KILLED.includes(cause) ? 'killed' : 'failed');

const KINDS = { done: 'done', running: 'running', stopped: 'killed' };

/** Whether the task's own times are those of the last of its attempts without a result. */
const isLast = (task, failures) => (task.state === 'failed' && failures.length > 0) || (task.state === 'stopped' && failures.at(-1)?.cause === 'stopped');

/** Whether a task's own times are of an attempt that is none of its failed ones. */
const hasOwn = (task, failures) => Boolean(task.startedAt) && !task.doneBefore && !isLast(task, failures) && task.state !== 'waiting';

/** Of a task's failed attempt the one after it, if it has begun; true of one whose name is not known, because it did not fail. */
export function nextOf(task, failures, i) {
  const begun = hasOwn(task, failures) && Date.parse(task.startedAt) >= Date.parse(failures[i].at);
  return failures[i + 1]?.attempt ?? (begun || undefined);
}

/**
 * Attempts of one task, by machine, oldest first: of one without a known beginning only its end is known. What a gang ran is
 * there for each of its machines, `beside` the first, by whose fault it ended. `unread` is how many more there were.
 */
export function attemptsOf(task) {
  const failures = task.failures ?? (task.failure ? [task.failure] : []), own = hasOwn(task, failures), found = [];
  failures.forEach((it, i) => {
    const at = Date.parse(it.at), last = isLast(task, failures) && i === failures.length - 1, began = it.startedAt ?? (last ? task.startedAt : undefined);
    for (const worker of workersOf(it)) found.push({ index: task.index, worker, beside: worker === it.worker ? undefined : it.worker, kind: endOf(it.cause), cause: it.cause, from: began ? Math.min(at, Date.parse(began)) : at, to: at, known: Boolean(began), open: false,
      keptUntil: it.keptUntil && Date.parse(it.keptUntil), kept: kept(it, nextOf(task, failures, i)) });
  });
  if (own) task.workers.forEach((worker, i) => found.push({ index: task.index, worker, beside: i ? task.workers[0] : undefined, kind: KINDS[task.state] ?? 'failed', cause: task.state, from: Date.parse(task.startedAt), known: true,
    to: task.endedAt ? Date.parse(task.endedAt) : Infinity, open: !task.endedAt }));
  return { attempts: found, unread: Math.max(0, (task.attempts?.total ?? 0) - failures.length - (own ? 1 : 0)) };
}

/** What runs on several machines at once is one attempt: whether this is its first machine. */
export const isOne = (attempt) => !attempt.beside;

/**
 * How long all attempts of a task ran in milliseconds, and the last of them; `whole` is whether each one's time is known.
 * Nothing of a task with one.
 */
export function ranInAll(task, now) {
  const { attempts, unread } = attemptsOf(task), all = attempts.filter(isOne), each = all.filter((it) => it.known).map((it) => Math.min(it.to, now) - it.from);
  if (!(task.attempts?.total > 1) || !each.length) return undefined;
  return { all: each.reduce((a, b) => a + b), last: each.at(-1), whole: !unread && each.length === all.length };
}

/** What an attempt was, in words. */
export const textOf = (it) => `task ${it.index}, ${it.kind === 'done' || it.kind === 'running' ? it.kind : `${word(it.cause)}${it.beside ? ` on ${it.beside}` : ''}`}${it.kept ? `: ${it.kept}` : ''}`;

/** An attempt's bars: what its last checkpoint keeps apart from what is lost. */
export function barsOf(it) {
  const until = it.keptUntil === undefined ? it.from : Math.min(it.to, it.keptUntil);
  return until > it.from ? [{ ...it, to: until, kind: 'kept' }, ...(until < it.to ? [{ ...it, from: until }] : [])] : [it];
}

/** Shares are parts of machines, of which sums are not exact. */
const NEAR = 1e-6;

/** What is free of a machine between those that run, as pairs of from and to, the lowest first. */
function roomOf(active) {
  const room = [];
  let from = 0;
  for (const it of [...active].sort((a, b) => a.place - b.place)) {
    if (it.place > from + NEAR) room.push([from, it.place]);
    from = Math.max(from, it.place + it.share);
  }
  return from < 1 - NEAR ? [...room, [from, 1]] : room;
}

/**
 * Where spans are in the height of their machine, each as high as its share of it at all times, in pairs of a span and its
 * place: in the lowest room that is large enough, else in several parts. Only of what asks for more than is free, because each
 * of them asks for most of another resource, one lies over another.
 */
function placed(spans) {
  let active = [];
  return [...spans].sort((a, b) => a.from - b.from || b.share - a.share || a.to - b.to).flatMap((it) => {
    const before = active.filter((other) => other.it.to === it.from && it.text !== undefined && other.it.text === it.text);
    active = active.filter((other) => other.it.to > it.from);
    const room = roomOf(active), whole = (from) => room.some(([low, high]) => from >= low - NEAR && from + it.share <= high + NEAR);
    // What its checkpoint keeps of an attempt and what is lost of it are one bar.
    const kept = before.length === 1 && whole(before[0].place) ? before[0].place : undefined, fit = kept ?? room.find(([low]) => whole(low))?.[0];
    const parts = [];
    let left = it.share;
    for (const [low, high] of fit === undefined ? room : []) {
      if (left > NEAR) parts.push({ it, place: low, share: Math.min(left, high - low) });
      left -= high - low;
    }
    const found = fit !== undefined ? [{ it, place: fit, share: it.share }] : left <= NEAR ? parts : [{ it, place: 1 - it.share, share: it.share }];
    active = [...active, ...found];
    return found;
  });
}

/**
 * Spans that overlap are beside each other: each lane has some that do not, all of them and by kind, in order of time. Where
 * the share of the machine that each asks for is known, a lane has its `place` in the machine and is as high as that `share`.
 */
export function lanesOf(spans) {
  const lanes = [], known = spans.every(({ share }) => share), near = (a, b) => Math.abs(a - b) < NEAR;
  const each = known ? placed(spans) : [...spans].sort((a, b) => a.from - b.from || a.to - b.to).map((it) => ({ it }));
  for (const { it, place, share } of each) {
    let lane = lanes.find((other) => other.end <= it.from && (!known || (near(other.place, place) && near(other.share, share))));
    if (!lane) lanes.push((lane = { all: [], byKind: new Map(), place, share }));
    lane.end = it.to;
    lane.all.push(it);
    (lane.byKind.get(it.kind) ?? lane.byKind.set(it.kind, []).get(it.kind)).push(it);
  }
  return lanes;
}

/** Where the lanes of a row are, in parts of it; all alike where their shares of the machine are not known. */
export const placesOf = (lanes) => lanes.map(({ place, share }, i) => (share === undefined ? { from: i / lanes.length, high: 1 / lanes.length } : { from: place, high: share }));

/** The first of spans in order, of which none overlap, that ends after a time. */
export function firstAfter(spans, time, low = 0) {
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle].to > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** When nothing of it ran, between two times. */
export function gapsOf(spans, from, to) {
  const found = [];
  let covered = from;
  for (const it of [...spans].sort((a, b) => a.from - b.from)) {
    if (it.from > covered) found.push({ from: covered, to: Math.min(it.from, to) });
    covered = Math.max(covered, it.to);
    if (covered >= to) return found;
  }
  return covered < to ? [...found, { from: covered, to }] : found;
}

/** A step of round length for so many marks on an axis of time. */
export function step(span, marks) {
  const seconds = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 604800];
  return 1000 * (seconds.find((it) => span / 1000 / it <= marks) ?? 2592000);
}
