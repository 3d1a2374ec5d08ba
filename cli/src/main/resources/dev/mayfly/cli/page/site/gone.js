// Machines that the control plane no longer lists, from the events that are kept of them: pure, but for the reading.
import { clusterPath, get } from './api.js';
import { present } from './exported.js';

const PAGE = 500, MOST_PAGES = 8, DAY = 86_400_000;

/** How long the control plane lists a machine that is gone. */
export const LISTED = DAY;

/** The end of a machine, which may come a while after its last task. */
const AFTER = DAY;

/** An order of machines; events of before this version call it a launch, which it may not become. */
const ORDERED = ['ordered', 'launched'];

const FIRST = ['ready', 'joined'], LAST = ['deleted', 'confirmed', 'left'], ENDING = ['draining', 'preempted', 'lost', 'ended', 'unfit'], TAKEN = ['preempted', 'lost'];

/** `a, b and 3 more in ZONE: why` of an order of machines. */
const ordered = (event) => (/^([^:]*?)(?: and \d+ more)? in [^:]+:/.exec(event.why)?.[1] ?? '').split(', ');

/**
 * Machines by name, as the read API would list them, of events in any order. Of one whose order or first report was not
 * read, createdAt is its first event; without any end it is not there, because it may still live.
 */
export function machinesOf(events) {
  const found = new Map(), made = new Map();
  for (const it of [...events].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
    if (it.about.startsWith('pool/') && ORDERED.includes(it.what)) ordered(it).forEach((name) => made.set(name, it.at));
    if (!it.about.startsWith('worker/')) continue;
    const name = it.about.slice('worker/'.length), machine = found.get(name) ?? found.set(name, { name, createdAt: made.get(name) ?? it.at, firstSyncAt: made.has(name) ? undefined : it.at }).get(name);
    if (FIRST.includes(it.what)) machine.firstSyncAt = it.at;
    if (ENDING.includes(it.what)) Object.assign(machine, { reason: `${it.what}: ${it.why}`, ending: TAKEN.includes(it.what) ? it.what : machine.ending ?? 'given-back' });
    if (it.what === 'refused') Object.assign(machine, { state: 'gone', since: it.at, reason: it.why, ending: 'refused', firstSyncAt: undefined });
    if (LAST.includes(it.what)) Object.assign(machine, { state: 'gone', since: it.at, reason: machine.reason ?? it.why });
  }
  return new Map([...found].filter(([, it]) => it.state));
}

/** Events of a span and the day after it; `cut` is the time before which there are more than are read. */
export async function eventsOf(cluster, { from, to }, signal) {
  const known = new Map();
  let until = new Date(Math.min(present(), to + AFTER)).toISOString();
  for (let n = 0; n < MOST_PAGES; n++) {
    const page = await get(`${clusterPath(cluster)}/events?limit=${PAGE}&until=${until}`, signal), before = known.size;
    page.forEach((it) => known.set(it.id, it));
    const last = page.at(-1)?.at;
    if (page.length < PAGE || Date.parse(last) < from) return { events: [...known.values()] };
    if (known.size === before) break;
    until = last;
  }
  return { events: [...known.values()], cut: Date.parse(until) };
}
