// Questions to Mayfly's read API, by way of the command that serves this page.
import { useState, useEffect, useRef } from './vendor/htm-preact.js';
import { exported, kept, present } from './exported.js';
import { parse } from './json.js';
import { headers } from './key.js';

/** An answer that is none, with who can mend it. */
export class Problem extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const LIMIT_MS = 45_000;

export async function get(path, signal) {
  if (exported) {
    const answer = kept(path);
    if (answer === undefined) throw new Problem(0, 'This file does not have it.');
    return answer;
  }
  const late = AbortSignal.timeout(LIMIT_MS);
  let reply;
  try {
    reply = await fetch('/api' + path, { headers: await headers(), signal: signal ? AbortSignal.any([signal, late]) : late });
  } catch (gone) {
    if (signal?.aborted) throw gone;
    throw new Problem(0, 'mayfly ui does not answer: it was ended, or this computer slept. Start it again: mayfly ui');
  }
  const text = await reply.text();
  let body;
  try {
    body = parse(text);
  } catch {
    throw new Problem(reply.status, `the answer is no JSON (HTTP ${reply.status}); try again`);
  }
  if (!reply.ok) throw new Problem(reply.status, body?.error ?? `HTTP ${reply.status}`);
  return body;
}

export const clusterPath = (cluster) => `/v1/clusters/${encodeURIComponent(cluster)}`;
export const jobPath = (cluster, uid) => `${clusterPath(cluster)}/jobs/${encodeURIComponent(uid)}`;

const PAUSES = [2, 4, 8, 15, 30];

/**
 * Whether asking again may help: what is not allowed or not understood stays so until somebody does something. So does what
 * is not there, but in a call that is made of several, of which one may have gone meanwhile.
 */
export const mayCome = ({ status }, whole = true) => !(status >= 400 && status < 500) || [408, 425, 429].includes(status) || (status === 404 && !whole);

/**
 * What `ask` answers, asked again every so many seconds while the page is seen, sooner after nothing answered, and no more
 * after an answer that stays; `again` asks then. Old answers stay while there is no new one.
 *
 * @param soon how often it is asked again where it is not there: what was made just now
 */
export function usePolled(ask, key, seconds, { whole = false, soon = 0 } = {}) {
  const [state, setState] = useState({ key });
  const current = useRef(ask);
  current.current = ask;
  useEffect(() => {
    const stop = new AbortController();
    let timer, failures = 0, missing = 0;
    const again = (after) => {
      timer = setTimeout(run, after * 1000);
    };
    const run = async () => {
      clearTimeout(timer);
      if (document.hidden) return;
      try {
        const data = await current.current(stop.signal);
        if (stop.signal.aborted) return;
        failures = missing = 0;
        setState({ key, data, at: present() });
        if (seconds && !exported) again(seconds);
      } catch (problem) {
        if (stop.signal.aborted) return;
        if (exported) return setState({ key, problem });
        const gone = problem.status === 404 && !mayCome(problem, whole), looks = gone && missing++ < soon, stays = !mayCome(problem, whole) && !looks;
        const pause = PAUSES[Math.min(failures++, PAUSES.length - 1)];
        setState((old) => ({ ...(old.key === key ? old : { key }), problem, missing: gone, again: stays ? run : undefined, retryAt: stays ? undefined : Date.now() + pause * 1000 }));
        if (stays) return;
        again(pause);
      }
    };
    const seen = () => document.hidden || run();
    document.addEventListener('visibilitychange', seen);
    run();
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [key, seconds]);
  return state.key === key ? state : { key };
}

export const useApi = (path, seconds = 5, soon = 0) => usePolled((signal) => get(path, signal), path, seconds, { whole: true, soon });

/** Whether this is a laptop cloud: what its machines lack they lack for ever. */
export const useLaptop = () => useApi('/viewer', 0).data?.laptop === true;

/** The time, each second, for ages. */
export function useNow() {
  const [now, setNow] = useState(present());
  useEffect(() => {
    if (exported) return undefined;
    const timer = setInterval(() => document.hidden || setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
